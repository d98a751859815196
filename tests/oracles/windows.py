"""What a stone makes of one line, read cell by cell from a string of eleven cells: the oracle of the line tables.

The stone stands in the middle. A cell is own, free or closed (an opponent's stone, the wall, or behind one of them).

>>> kind("....XXX....", 5, exact=False) == lines.WIDE_THREE
True
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from narabe.envs.rules import lines

OWN, FREE, CLOSED = "X", ".", "#"
REACH = 5  # cells on each side of the stone
P = REACH  # where the stone stands in the window


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
