"""Perft of the naive oracle: how many move sequences of each length a position has.

The counts in ``tests/data/perft.json`` come from here, and the compiled laws must reproduce them. ``counts[d - 1]`` is
the number of sequences of exactly ``d`` legal moves; a game that ends earlier has no longer sequence, so a missed win,
capture or ban shows at the next depth. Rebuild the file (about two minutes) with

    python -m narabe.tests.oracles.perft
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from narabe.tests.oracles.lines import BLACK, WHITE, Position, rules_from

FILE = Path(__file__).parents[1] / "data" / "perft.json"
SIDES = {"black": BLACK, "white": WHITE}


@dataclass(frozen=True)
class Case:
    """One row of the file before it is counted.

    rules     the name of a rule set, then what differs from it
    diagram   the stones, top row first (X Black, O White), or None for the start with its opening rule
    """

    name: str
    rules: dict[str, Any]
    depth: int
    diagram: str | None = None
    to_move: str = "black"
    pairs: tuple[int, int] = (0, 0)


def _rules(base: str, width: int, height: int, row: int, **options: bool | str) -> dict[str, Any]:
    return {"base": base, "width": width, "height": height, "row": row, **options}


STRIP = "..../.X../..../.X../.XO./.XO./..O./XXO./.X../..X./O..X/..../...."
BROKEN_THREE = ".....XO/.X...../......./.XX..../..XOX../OX..X../.X..O.O"
THREES_OF_FOUR = "...XX../.X...../......X/..X..../...O..O/.X...O./.O...O."
POINT_THAT_MAKES_FIVE = "........./........./...X..X../....XX.../....XX.../....X..../....X..../....O..../........."
RENJU_BLACK = ".O..X.../O...X.X./O..X.XXX/...O..X./....XX../....X..X/......../..O....O"
RENJU_WHITE = "......../......../.....XX./OO...O.O/...XX.../..X.XX../..XO..XX/X..O...X"
THREE_CORNERS = ".O.O./XXOOO/X.XOO/XOOXO/.XXX."
FIFTH_PAIR = "X.O.X./.OO.O./XOXXOX/.X..O./..X.O."

CASES = [
    Case("noughts and crosses, the whole game", _rules("freestyle", 3, 3, 3), 9),
    Case("three in a row on 4x4", _rules("freestyle", 4, 4, 3), 6),
    Case("four in a row to the full board", _rules("freestyle", 4, 4, 4), 9, "XO.O/X..O/...X/O..."),
    Case("exactly three on a rectangle, where four does not win", _rules("gomoku", 6, 3, 3), 6, "X.X..O/.XO.X./O....X"),
    Case("gomoku on a tall strip", _rules("gomoku", 4, 13, 5), 3, STRIP),
    Case("omok with broken threes", _rules("omok", 7, 7, 5), 3, BROKEN_THREE),
    Case("omok with broken threes, recursive", _rules("omok", 7, 7, 5, recursive=True), 3, BROKEN_THREE),
    Case("omok, the extending point makes five", _rules("omok", 9, 9, 5), 2, POINT_THAT_MAKES_FIVE),
    Case(
        "omok, the extending point makes five, recursive",
        _rules("omok", 9, 9, 5, recursive=True),
        2,
        POINT_THAT_MAKES_FIVE,
    ),
    Case("renju, the extending point makes five", _rules("renju", 9, 9, 5), 2, POINT_THAT_MAKES_FIVE),
    Case("double three in rows of four", _rules("omok", 7, 7, 4), 3, THREES_OF_FOUR),
    Case("double three in rows of four, recursive", _rules("omok", 7, 7, 4, recursive=True), 3, THREES_OF_FOUR),
    Case("double three in rows of four, same_line", _rules("omok", 7, 7, 4, same_line=True), 3, THREES_OF_FOUR),
    Case(
        "double three in rows of four, recursive and same_line",
        _rules("omok", 7, 7, 4, recursive=True, same_line=True),
        3,
        THREES_OF_FOUR,
    ),
    Case("double three binds Black only", _rules("omok", 7, 7, 4, bans="black"), 3, THREES_OF_FOUR, "white"),
    Case(
        "double three under exactly four",
        _rules("omok", 6, 6, 4, exact=True),
        3,
        "....../..X.../O.O..O/.X...X/XXOX../......",
    ),
    Case("renju, Black to move", _rules("renju", 8, 8, 5), 3, RENJU_BLACK),
    Case("renju, White to move", _rules("renju", 8, 8, 5), 3, RENJU_WHITE, "white"),
    Case(
        "renju's bans in rows of four",
        _rules("renju", 7, 6, 4),
        3,
        ".O...../O....../O..OO../...X.../..XX.XX/.......",
    ),
    Case(
        "renju's bans bind both sides in rows of four",
        _rules("renju", 7, 6, 4, bans="both"),
        3,
        "......O/.OO...O/X..XX../.O....X/......./.....X.",
    ),
    Case(
        "double four and overline on a small rectangle",
        _rules("freestyle", 6, 4, 4, double_four=True, overline=True),
        6,
        "O..O.O/.OX..X/.O.OX./.X..XX",
    ),
    Case(
        "double four in exact rows of five",
        _rules("gomoku", 8, 7, 5, double_four=True),
        3,
        "....X..X/.X...O.O/......../...XXX../....XO.O/.X.....O/..X.XXXX",
    ),
    Case("three corners, each a double four", _rules("freestyle", 5, 5, 5, double_four=True), 6, THREE_CORNERS),
    Case("the last cell makes six", _rules("renju", 6, 3, 5), 3, "XOX.X./XXX.XX/XOXOXO"),
    Case("tournament opening", _rules("capture_gomoku", 7, 7, 5), 5),
    Case("captures with the fifth pair at hand", _rules("capture_gomoku", 6, 5, 5), 5, FIFTH_PAIR, "white", (4, 3)),
    Case(
        "captures in rows of four",
        _rules("capture_gomoku", 5, 5, 4, opening="none"),
        5,
        "X...O/.OO../.OXX./..X.O/.O.X.",
    ),
    Case(
        "captures and double three together",
        _rules("omok", 7, 7, 4, captures=True),
        3,
        "..O..../X...O.X/..X.X../X...O../...O.../XO.X.../.......",
    ),
]


def position_of(row: dict[str, Any]) -> Position:
    """The position of a row of the file."""
    rules, stones = rules_from(row["rules"]), row["position"]
    if stones is None:
        return Position.start(rules)
    return Position.set_up(
        rules, stones["black"], stones["white"], SIDES[stones["to_move"]], (stones["pairs"][0], stones["pairs"][1])
    )


def perft(position: Position, depth: int) -> int:
    """The number of sequences of exactly `depth` legal moves (1 or more)."""
    moves = position.legal()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def row_of(case: Case) -> dict[str, Any]:
    """A row of the file without its counts."""
    stones = None
    if case.diagram is not None:
        rules = rules_from(case.rules)
        rows = case.diagram.split("/")[::-1]
        if len(rows) != rules.height or any(len(row) != rules.width for row in rows):
            raise ValueError(f"{case.name}: the diagram is not {rules.width}x{rules.height}")
        cells = "".join(rows)
        black, white = ([rules.name(cell) for cell, mark in enumerate(cells) if mark == colour] for colour in "XO")
        stones = {"black": black, "white": white, "to_move": case.to_move, "pairs": list(case.pairs)}
    return {"name": case.name, "rules": case.rules, "position": stones}


def regenerate() -> None:
    """Count every case and write the file, one row a line."""
    rows = []
    for case in CASES:
        row = row_of(case)
        position = position_of(row)
        row["counts"] = [perft(position, depth) for depth in range(1, case.depth + 1)]
        rows.append(json.dumps(row))
        print(case.name, row["counts"], flush=True)
    FILE.write_text("[\n" + ",\n".join(rows) + "\n]\n")


if __name__ == "__main__":
    regenerate()
