"""Every entry of the line tables against a reading of their definitions, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from narabe.envs.rules import lines
from narabe.envs.rules.lines import CODES, REACH, SIDES

OWN, FREE, CLOSED = "X", ".", "#"
P = REACH  # where the stone stands in the window
RULES = [(row, exact) for row in lines.ROWS for exact in (False, True)]


def window_of(code: int) -> str:
    """The eleven cells of a line code, from the left: own, free or closed (an opponent, the wall, or behind one of them)."""

    def side(bits: int) -> str:
        distance = bits.bit_length() - 1  # of the nearest blocker, less one
        return "".join(OWN if bits >> i & 1 else FREE for i in range(distance)).ljust(REACH, CLOSED)

    return side(code // SIDES)[::-1] + OWN + side(code % SIDES)


def closed(cells: str) -> str:
    """The window with everything behind the nearest blocker closed as well."""
    left, right = cells[:P], cells[P + 1 :]
    left = left.rpartition(CLOSED)[2].rjust(REACH, CLOSED)
    return left + OWN + right.partition(CLOSED)[0].ljust(REACH, CLOSED)


def put(cells: str, i: int) -> str:
    return cells[:i] + OWN + cells[i + 1 :]


def run_through(cells: str, i: int) -> range:
    low, high = i, i + 1
    while low > 0 and cells[low - 1] == OWN:
        low -= 1
    while high < len(cells) and cells[high] == OWN:
        high += 1
    return range(low, high)


def wins(cells: str, i: int, row: int, exact: bool) -> bool:
    length = len(run_through(cells, i))
    return length == row if exact else length >= row


def is_open_four(cells: str, row: int, exact: bool) -> bool:
    """Is the run through P row-1 long, with a free cell at either end that wins?"""
    run = run_through(cells, P)
    ends = (run.start - 1, run.stop)
    return len(run) == row - 1 and all(
        0 <= end < len(cells) and cells[end] == FREE and wins(put(cells, end), end, row, exact) for end in ends
    )


def five_points(cells: str, row: int, exact: bool) -> list[int]:
    """Free cells that complete a winning row with P in it."""
    return [
        i for i, cell in enumerate(cells)
        if cell == FREE and P in run_through(put(cells, i), i) and wins(put(cells, i), i, row, exact)
    ]  # fmt: skip


def four_sets(cells: str, row: int, exact: bool) -> set[frozenset[int]]:
    """Sets of row-1 own stones, P among them, that one free cell completes to a winning row."""
    found = set()
    for i in five_points(cells, row, exact):
        run = run_through(put(cells, i), i)
        for start in range(run.start, run.stop - row + 1):
            stretch = frozenset(range(start, start + row))
            if P in stretch and i in stretch:
                found.add(stretch - {i})
    return found


def three_sets(cells: str, row: int, exact: bool) -> Iterator[tuple[int, frozenset[int]]]:
    """Free cells that make an open four with P, and the row-2 stones that each one extends."""
    for i, cell in enumerate(cells):
        if cell == FREE and i in run_through(put(cells, i), P) and is_open_four(put(cells, i), row, exact):
            yield i, frozenset(run_through(put(cells, i), P)) - {i}


def span(cells: str, row: int) -> int:
    """Most own stones in any row-long stretch through P that nothing closes."""
    stretches = [cells[start : start + row] for start in range(P - row + 1, P + 1)]
    return max((stretch.count(OWN) for stretch in stretches if CLOSED not in stretch), default=0)


@cache
def kind(cells: str, row: int, exact: bool) -> int:
    """KIND of a window: what P makes, or else the best that one more own stone on a free cell can make of it."""
    if wins(cells, P, row, exact):
        return lines.ROW
    fives = len(five_points(cells, row, exact))
    if fives > 0:
        return lines.TWIN_FOUR if fives > 1 else lines.FOUR
    after = [kind(put(cells, i), row, exact) for i, cell in enumerate(cells) if cell == FREE]
    if lines.TWIN_FOUR in after:
        return lines.WIDE_THREE if after.count(lines.TWIN_FOUR) > 1 else lines.THREE
    for better, grade in (
        (lines.FOUR, lines.CLOSED_THREE),
        (lines.WIDE_THREE, lines.WIDE_TWO),
        (lines.THREE, lines.TWO),
        (lines.CLOSED_THREE, lines.CLOSED_TWO),
        (lines.WIDE_TWO, lines.ONE),
        (lines.TWO, lines.ONE),
        (lines.CLOSED_TWO, lines.CLOSED_ONE),
    ):
        if better in after:
            return grade
    return lines.DEAD


@cache
def naive_entry(cells: str, row: int, exact: bool) -> tuple[int, int, int]:
    """(CLASS, FIVES, OPENS) of a window."""
    if wins(cells, P, row, exact):
        fives, fours, threes = [], set(), []
    else:
        fives, fours = five_points(cells, row, exact), four_sets(cells, row, exact)
        threes = list(three_sets(cells, row, exact)) if not fives else []
    entry = (
        (lines.WIN if wins(cells, P, row, exact) else 0)
        | (lines.OVERLONG if len(run_through(cells, P)) > row else 0)
        | min(len(fours), 3) << lines.FOURS
        | min(len({stones for _, stones in threes}), 3) << lines.THREES
        | (lines.OPEN_FOUR if not wins(cells, P, row, exact) and is_open_four(cells, row, exact) else 0)
        | span(cells, row) << lines.SPAN
        | kind(cells, row, exact) << lines.KIND
    )
    return entry, sum(1 << i for i in fives), sum(1 << i for i, _ in threes)


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
