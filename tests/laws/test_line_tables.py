"""Every entry of the line tables against a reading of their definitions, cell by cell."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.envs.rules import lines
from narabe.envs.rules.lines import CODES, REACH, SIDES
from narabe.tests.oracles.windows import CLOSED, FREE, OWN, closed, naive_entry

RULES = [(row, exact) for row in lines.ROWS for exact in (False, True)]


def window_of(code: int) -> str:
    """The eleven cells of a line code, from the left: own, free or closed (an opponent, the wall, or behind one of them)."""

    def side(bits: int) -> str:
        distance = bits.bit_length() - 1  # of the nearest blocker, less one
        return "".join(OWN if bits >> i & 1 else FREE for i in range(distance)).ljust(REACH, CLOSED)

    return side(code // SIDES)[::-1] + OWN + side(code % SIDES)


@pytest.mark.parametrize(
    ("row", "exact"), RULES, ids=[f"row{row}-{'exact' if exact else 'or more'}" for row, exact in RULES]
)
def test_every_entry_of_the_tables(row: int, exact: bool) -> None:
    """All 63 x 63 codes of each rule set."""
    plane = lines.rule_index(row, exact) * CODES
    for left in range(1, SIDES):
        for right in range(1, SIDES):
            code = left * SIDES + right
            found = tuple(int(table[plane + code]) for table in (lines.CLASS, lines.FIVES, lines.OPENS))
            assert found == naive_entry(window_of(code), row, exact), window_of(code)


@pytest.mark.parametrize(
    ("cells", "row", "exact", "fours", "threes"),
    [
        ("...XXXXX...", 5, False, 0, 0),  # a five is neither four nor three
        ("...XXXX....", 5, False, 1, 0),
        ("#.X.XXX.X.#", 5, False, 2, 0),  # two fours on one line
        ("..XX.XXX...", 5, False, 2, 0),  # the one point that fills it makes six, which holds two fours with P
        ("..XX.XXX...", 5, True, 0, 0),  # six does not win under exact five
        ("..XX.X.XX..", 5, False, 0, 2),  # two threes on one line
        (".....XXX...", 5, False, 0, 1),
        (".....X.....", 3, False, 0, 1),  # a single stone is the "three" of a row of three
    ],
)  # fmt: skip
def test_shapes_to_look_at(cells: str, row: int, exact: bool, fours: int, threes: int) -> None:
    code = next(c for c in range(CODES) if c % SIDES and c // SIDES and window_of(c) == cells)
    entry = int(lines.CLASS[lines.rule_index(row, exact) * CODES + code])
    assert ((entry & lines.FOUR_MASK) >> lines.FOURS, (entry & lines.THREE_MASK) >> lines.THREES) == (fours, threes)


@pytest.mark.parametrize(
    ("cells", "row", "exact", "grade"),
    [
        ("...XXXXX...", 5, False, lines.ROW),
        ("...XXXX....", 5, False, lines.TWIN_FOUR),
        ("#.X.XXX.X.#", 5, False, lines.TWIN_FOUR),  # two fours on one line: two cells win
        ("..#XXXX....", 5, False, lines.FOUR),
        ("...XXXXX.X.", 5, True, lines.ROW),
        ("..X.XXXX...", 5, True, lines.FOUR),  # the cell on the left would make six
        ("....XXX....", 5, False, lines.WIDE_THREE),  # the fourth stone may stand on either side
        ("..#.XXX.#..", 5, False, lines.CLOSED_THREE),  # five cells in all: one cell at most wins
        ("..#.XXX..#.", 5, False, lines.THREE),  # open at both ends on one side only
        ("..#XXX.....", 5, False, lines.CLOSED_THREE),
        ("....XX.....", 5, False, lines.WIDE_TWO),
        (".....X.....", 5, False, lines.ONE),
        ("...#.X....#", 5, False, lines.ONE),  # six free cells: it can become a three
        ("...#.X...#.", 5, False, lines.CLOSED_ONE),
        ("...#.X..#..", 5, False, lines.DEAD),
        ("..XX.XXX...", 5, True, lines.CLOSED_THREE),  # what fills it makes six; the cell on the right makes a four
    ],
)  # fmt: skip
def test_grades_to_look_at(cells: str, row: int, exact: bool, grade: int) -> None:
    code = next(c for c in range(CODES) if c % SIDES and c // SIDES and window_of(c) == closed(cells))
    assert int(lines.CLASS[lines.rule_index(row, exact) * CODES + code]) >> lines.KIND == grade


def test_line_code_reads_a_line_as_the_window_shows_it() -> None:
    """Words of a whole line, random: bit b is P, the five bits on each side are the window, nearest blockers close it."""
    rng = np.random.default_rng(1)
    for _ in range(2_000):
        own, block = (int(x) for x in rng.integers(0, 1 << 26, 2))
        own &= ~block
        b = int(rng.integers(REACH, 21))
        cells = [CLOSED if block >> i & 1 else OWN if own >> i & 1 else FREE for i in range(b - REACH, b + REACH + 1)]
        assert window_of(int(lines.line_code(own, block, b))) == closed("".join(cells))


def test_a_rule_set_without_tables_is_refused() -> None:
    with pytest.raises(ValueError, match="not 6"):
        lines.rule_index(6, True)
