"""Perft: how many sequences of legal actions of each length a position has.

A wrong rule, a missed end or a faulty undo changes these counts, so known ones are the sharpest short test of a law.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from narabe.envs.rules.core import apply, candidate_at, is_legal, is_over, num_candidates, undo
from narabe.envs.rules.jit import kernel

if TYPE_CHECKING:
    from narabe.envs.game import State


@kernel
def perft(s, depth):
    """The number of sequences of exactly ``depth`` >= 1 legal actions from the state ``s``, which is left as it was.

    A game that ends earlier has no longer sequence. Chance turns count every outcome among their candidates.
    """
    if is_over(s):
        return 0
    count = 0
    for i in range(num_candidates(s)):
        a = candidate_at(s, i)
        if is_legal(s, a):
            if depth == 1:
                count += 1
            else:
                apply(s, a)
                count += perft(s, depth - 1)
                undo(s)
    return count


@kernel
def _perft(states, depth):
    return perft(states[0], depth)


def counts(state: State, depth: int) -> list[int]:
    """The counts of all lengths from 1 to ``depth``.

    >>> from narabe.envs import game
    >>> counts(game("freestyle", size=3, row=3).start(), 9)[-1]
    127872
    """
    record = state.record.copy()
    return [int(_perft(record, n)) for n in range(1, depth + 1)]
