"""Games of Goita as lines of text, the same ones with and without compilation.

NUMBA_DISABLE_JIT=1 python -m narabe.tests.laws.goita_plain
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from narabe.envs.rules import calls
from narabe.envs.rules.random import new_stream
from narabe.tests.laws.goita_traces import SETS, drawn, traced
from narabe.tests.laws.goita_twin import made_for

NAMES = ("goita", "choice", "holder", "two by six", "four by four")


def lines() -> list[str]:
    """A drawn game's trace, then a game from its own chance with a redeal for every seat at every ply."""
    with np.errstate(over="ignore"):
        return [line for name in NAMES for line in (*trace(name), *redeals(name))]


def trace(name: str) -> Iterator[str]:
    found = traced(SETS[name], drawn(SETS[name], random.Random(name)).actions[:60])
    for part in (found.facts, found.masks.astype(int), found.payoffs, found.seen, found.keys):
        yield f"{name}: {part.tolist()}"


def redeals(name: str) -> Iterator[str]:
    rng, state = random.Random(name), made_for(SETS[name]).start(seed=3)
    while not state.is_over and state.ply < 30:
        for seat in range(state.game.num_players):
            view = state.record.copy()
            calls.redeal(view, 0, seat + 1, new_stream(state.ply))
            yield f"{name} {view['start_hand'][0].tolist()} {calls.key(view, 0)} {state.observe(seat).tolist()}"
        state.play(rng.choice(state.legal_actions().tolist()))
        yield f"{name} {state.key} {state.to_text()}"
    yield f"{name} {state.undo().to_text()}"


if __name__ == "__main__":
    print("\n".join(lines()))
