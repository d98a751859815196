"""What the naive oracle calls a four and an open three, one line at a time."""

from __future__ import annotations

import pytest

from narabe.tests.oracles.lines import BLACK, EMPTY, FREESTYLE, GOMOKU, RENJU, Rules, fours, open_threes


def shapes(rules: Rules, line: str) -> tuple[int, int]:
    """The number of fours and of open threes through P on a line (the bottom row; X and P are black, O white)."""
    rules = rules.resized(len(line), 3)
    board = [{".": EMPTY, "X": BLACK, "P": BLACK, "O": 2}[mark] for mark in line] + [EMPTY] * (2 * len(line))
    cell = line.index("P")
    return len(fours(rules, board, cell, (1, 0))), len(open_threes(rules, board, cell, (1, 0)))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (".XXPX.", 1),  # unbroken: either end completes the same stones
        ("OXXPX.", 1),
        ("OXXPXO", 0),
        ("X.XPX", 1),
        ("X.XPX.X", 2),
        ("XX.PX.XX", 2),
        ("XXX.P.XXX", 2),
        ("XX.XP.", 1),
        ("XXX..P", 0),
        ("XXXX..P", 0),  # a four without P
    ],
)
@pytest.mark.parametrize("rules", [FREESTYLE, GOMOKU, RENJU], ids=["five or more", "exact", "renju"])
def test_fours_of_a_line(rules, line, expected):
    assert shapes(rules, line)[0] == expected


def test_a_point_that_would_make_six_completes_no_four_where_only_five_wins():
    assert shapes(GOMOKU, "XX.XXP")[0] == shapes(RENJU, "XX.XXP")[0] == 0
    assert shapes(FREESTYLE, "XX.XXP")[0] == 1


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("..XPX..", 1),  # two points extend it
        ("..XXP.", 1),
        (".XXP..", 1),
        (".XXP.", 0),  # no room for a four open at both ends
        ("XXP...", 0),
        (".X.XP.", 1),
        (".XX.P.", 1),
        ("OX.XP.", 0),
        ("O.X.XP.O", 1),
        ("O.XPX.O", 0),
        (".X.P.X.", 0),
        (".XXPX.", 0),  # a four
        ("X.XXP...", 0),  # a four, although the three on its right would be open
        ("..XXX..P", 0),  # a three without P
    ],
)
@pytest.mark.parametrize("rules", [FREESTYLE, GOMOKU, RENJU], ids=["five or more", "exact", "renju"])
def test_open_threes_of_a_line(rules, line, expected):
    assert shapes(rules, line)[1] == expected


def test_an_own_stone_beyond_an_end_spoils_the_three_only_where_six_does_not_win():
    assert shapes(FREESTYLE, "X.XX.P..")[1] == 1
    assert shapes(GOMOKU, "X.XX.P..")[1] == shapes(RENJU, "X.XX.P..")[1] == 0


def test_two_sets_of_stones_on_one_line_are_two_threes():
    assert shapes(FREESTYLE, ".XX.P.XX.")[1] == 2
    assert shapes(FREESTYLE, "..X.PX.X..")[1] == 2
