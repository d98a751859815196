"""Positions for the tests of the solver."""

from __future__ import annotations

import json
import pathlib
import random

from narabe.tests.oracles.gravity import Oracle

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
SAMPLE = json.loads((DATA / "c4_8ply_sample.json").read_text())


def random_line(oracle: Oracle, plies: int, rng: random.Random) -> list[int]:
    """Columns of a random game of so many plies that nobody has won."""
    while True:
        stacks, line = oracle.empty(), []
        while len(line) < plies:
            column = rng.choice(oracle.columns(stacks))
            stacks = oracle.after(stacks, column)
            line.append(column)
            if oracle.wins(stacks, column):
                break
        else:
            return line


def stacks_of(oracle: Oracle, line: list[int]) -> tuple[str, ...]:
    stacks = oracle.empty()
    for column in line:
        stacks = oracle.after(stacks, column)
    return stacks
