"""A few seeded games of block stacking as JSON lines, for compiled and plain Python to print the same.

Run it by `NUMBA_DISABLE_JIT=1 python -m narabe.tests.laws.stacking_games`.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from narabe.envs import game, tactics
from narabe.tests.laws import seeded_games

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("connect_four", {"width": 5, "height": 4}),
    ("stacking", {"span": 5, "reach": 2, "max_height": 5}),
    ("stacking_cylinder", {"width": 4, "row": 3, "players": 3, "resign": True}),
    ("stacking", {"claim": True, "row": 3, "width": 4, "height": 4, "unclaimed_four": "draw"}),
    ("connect_four", {"takeback": True, "row": 3, "after_takeback": "first_winner", "width": 5, "height": 5}),
]


def lines() -> list[str]:
    """The games, with their patterns at the end."""
    found: list[Any] = []
    for name, options in GAMES:
        played = game(name, **options)
        for seed in (1, 2):
            facts = seeded_games.one_game(played, seed)
            state = played.from_text(facts["text"])
            patterns = [[f.name, f.seat, f.cells, f.keys] for f in tactics.find(state)]
            found.append([facts, patterns, [float(x) for x in played.start().observe(0).sum((1, 2))]])
    return [json.dumps(entry) for entry in found]


if __name__ == "__main__":
    with np.errstate(over="ignore"):  # 64-bit words wrap around
        print("\n".join(lines()))
