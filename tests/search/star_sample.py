"""A little of what the searches of chance trees do, as text: for comparing compiled code with plain Python."""

from __future__ import annotations

import json
from dataclasses import asdict

from narabe.envs import game
from narabe.search.star import METHODS, Star
from narabe.tests.games import game_of, thicket

BOARD = "x3o/1o1x1/2x2/1x1o1/o3x"  # two plies before the end, with pieces to turn


def sample() -> str:
    """JSON of searches by all methods, with and without a table."""
    tree = game_of(thicket, seed=14, levels=5, branch=4, chance=40, steps=3).start(chance="manual")
    small = game("gomocku", size=5, stones=4, chance=2, coloured=2).from_text(f"{BOARD} 10 - - -")
    found = []
    for state in (tree, small):
        for method in METHODS:
            for table in (0, 64):
                solved = asdict(Star(state.game, method, table).solve(state.record, plies=2))
                found.append({name: value for name, value in solved.items() if name != "seconds"})
    return json.dumps(found)
