"""The search for fours where stones are taken: what parries a four, against a try of every legal move by the law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from narabe.envs import game
from narabe.envs.rules import core
from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import new_patterns, read
from narabe.envs.rules.random import below, new_stream
from narabe.search.threats.desk import new_desk
from narabe.search.threats.taking import list_attacks, open_replies, wins

NO_FOUR = -1
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("capture_gomoku", {"size": 7, "opening": "none"}),
    ("capture_gomoku", {"size": 7, "row": 4, "opening": "none"}),
    ("gomoku", {"size": 7, "row": 4, "captures": True}),
    ("freestyle", {"width": 8, "height": 6, "captures": True, "row": 4, "double_three": True}),
    ("omok", {"size": 7, "captures": True, "row": 4}),
    ("renju", {"size": 7, "captures": True, "row": 4}),
    ("freestyle", {"width": 6, "height": 5, "row": 3, "captures": True}),
]


@kernel
def wins_by_trying(s, i):
    """Would colour ``i`` win at once if it moved?"""
    turn = core.to_move(s) != i + 1
    if turn:
        core.hand_over(s)
    found = False
    for a in range(s.cells):
        if not found and core.is_legal(s, a):
            core.apply(s, a)
            found = s.winner == i + 1
            core.undo(s)
    if turn:
        core.hand_over(s)
    return found


@kernel
def replies_by_trying(s, a, out):
    """`open_replies` by the law alone; the replies are written into ``out`` (int64), which gets 1 where there is one."""
    i, n = core.to_move(s) - 1, np.int64(0)
    out[:] = 0
    core.apply(s, a)
    if core.is_over(s) or wins_by_trying(s, 1 - i) or not wins_by_trying(s, i):
        n = np.int64(NO_FOUR)
    else:
        for b in range(s.cells):
            if n >= 0 and core.is_legal(s, b):
                core.apply(s, b)
                if core.is_over(s):
                    n = np.int64(NO_FOUR)
                elif not wins_by_trying(s, i):
                    out[b] = 1
                    n += 1
                core.undo(s)
    core.undo(s)
    return n


@kernel
def compare(states, patterns, desks, rng, by_law, by_words, counts):
    """Play at random, now and then comparing every move as an attack; False at the first difference.

    ``counts``: attacks compared, fours among them, and moves that make a four but are not listed.
    """
    s, p, desk = states[0], patterns[0], desks[0]
    listed = np.zeros(400, np.int8)
    while not core.is_over(s):
        i = core.to_move(s) - 1
        read(s, p)
        if wins(s, p, desk, i, np.int64(0)) != wins_by_trying(s, i):
            return False
        if below(rng, 3) == 0 and not wins(s, p, desk, i, np.int64(0)):
            listed[:] = 0
            end = list_attacks(s, p, desk, i, np.int64(0))
            for k in range(end):
                listed[np.int64(desk.tries[k]) & 511] = 1
            for a in range(s.cells):
                if core.is_legal(s, a):
                    n = replies_by_trying(s, a, by_law)
                    by_words[:] = 0
                    found = open_replies(s, p, desk, i, np.int64(a), np.int64(0))
                    for k in range(found):
                        by_words[desk.tries[k]] = 1
                    counts[0] += 1
                    counts[1] += 1 if n >= 0 else 0
                    counts[2] += 1 if n >= 0 and listed[a] == 0 else 0
                    if found != n or (n > 0 and (by_law != by_words).any()):
                        return False
        a = random_action(s, rng)
        for _ in range(8):  # with captures more often than not
            core.apply(s, a)
            taken = core.captured(s)
            core.undo(s)
            if taken != 0:
                break
            a = random_action(s, rng)
        core.apply(s, a)
    return True


@pytest.mark.parametrize(("name", "options"), GAMES, ids=lambda of: of if isinstance(of, str) else "")
def test_what_parries_a_four(name: str, options: dict[str, Any]) -> None:
    start, rng = game(name, **options).start(), new_stream(3)
    by_law, by_words, counts = np.zeros(400, np.int64), np.zeros(400, np.int64), np.zeros(3, np.int64)
    for _ in range(40):
        assert compare(start.record.copy(), new_patterns(1), new_desk(1), rng, by_law, by_words, counts)
    assert counts[1] > 300 and counts[2] == 0
