"""Perft counts beyond the oracle's reach, as data: ``tests/data/perft_deep.json``.

They come from the compiled law itself, so they do not prove the law right; they show when it changes. (The counts of
``perft.json`` come from the naive oracle, and are shorter.) Rebuild the file after a wanted change with

    python -m narabe.tests.laws.deep_perft
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from narabe.envs import State, game
from narabe.search.perft import counts

DATA = Path(__file__).parents[1] / "data"
FILE = DATA / "perft_deep.json"
MOST = 15_000_000  # no sequences are counted that must be more than these
STARTS = [
    {"name": f"{name}, the start", "rules": {"base": name} | options, "position": None, "counts": [None] * (depth - 1)}
    for name, options, depth in (
        ("gomoku", {}, 3),
        ("freestyle", {"width": 20, "height": 3}, 3),
        ("omok", {"width": 9, "height": 9, "recursive": True}, 3),
        ("capture_gomoku", {"width": 9, "height": 9}, 4),
        ("renju", {}, 3),
    )
]


def rows() -> list[dict[str, Any]]:
    """The rows of ``perft.json``, counted by the oracle."""
    return json.loads((DATA / "perft.json").read_text())


def position_of(row: dict[str, Any]) -> State:
    """The position that a row describes."""
    options = dict(row["rules"])
    played, stones = game(options.pop("base"), **options), row["position"]
    if stones is None:
        return played.start()
    return played.position(
        black=stones["black"], white=stones["white"], to_move=stones["to_move"], pairs=tuple(stones["pairs"])
    )


def deep_row(row: dict[str, Any]) -> dict[str, Any] | None:
    """The row with the counts of one to three longer sequences, or None if its games are all over by then."""
    state, depth = position_of(row), len(row["counts"])
    known = counts(state, depth)
    while len(known) < depth + 3 and known[-1] ** 2 < MOST * ([1, *known][-2]):  # the next would be about so many
        known.append(counts(state, len(known) + 1)[-1])
    found = [count for count in known[depth:] if count]
    return row | {"from_depth": depth + 1, "counts": found} if found else None


def regenerate() -> None:
    """Count every position deeper and write the file, one row a line."""
    deep = [found for row in [*rows(), *STARTS] if (found := deep_row(row)) is not None]
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, deep)) + "\n]\n")
    print(f"{len(deep)} rows, {sum(sum(row['counts']) for row in deep):,} sequences")


if __name__ == "__main__":
    regenerate()
