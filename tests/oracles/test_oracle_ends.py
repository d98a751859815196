"""When the bans leave a side without a move: never with the double three alone, but with the other bans they can."""

from __future__ import annotations

import itertools
import random

import pytest

from narabe.tests.oracles.lines import BLACK, DIRECTIONS, EMPTY, WHITE, Position, Rules, open_threes, with_stone

READINGS = [
    {"recursive": recursive, "same_line": same_line, "exact": exact}
    for recursive in (False, True)
    for same_line in (False, True)
    for exact in (False, True)
]


def random_board(rules, rng):
    """A board with at least one empty cell, of any density."""
    density = rng.random()
    board = [rng.choice((BLACK, WHITE)) if rng.random() < density else EMPTY for _ in range(rules.width * rules.height)]
    board[rng.randrange(len(board))] = EMPTY
    return board


@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_the_first_empty_cell_is_never_a_double_three(reading):
    """An open three needs an empty cell on both sides of P, and one side of each line comes before P in the order.

    So the first empty cell (lowest row, then leftmost) lies in no open three at all, and with the double three as the
    only ban a side that has an empty cell has a legal move.
    """
    rng = random.Random(20)
    for _ in range(150):
        rules = Rules(
            width=rng.randint(5, 9), height=rng.randint(5, 9), row=rng.choice((4, 5)), double_three=True, **reading
        )
        board = random_board(rules, rng)
        first = board.index(EMPTY)
        for side in (BLACK, WHITE):
            placed = with_stone(board, first, side)
            assert not any(open_threes(rules, placed, first, direction) for direction in DIRECTIONS)
            position = Position(rules, board, side, ply=0, pairs=(0, 0), from_start=False)
            assert position.fault(first) is None


def test_an_open_three_has_an_empty_cell_on_both_sides_on_every_line_of_seven_cells():
    rules = Rules(width=7, height=3, double_three=True)
    found = 0
    for line in itertools.product((EMPTY, BLACK, WHITE), repeat=7):
        board = [*line, *[EMPTY] * 14]
        for cell in [cell for cell, content in enumerate(line) if content == BLACK]:
            if open_threes(rules, board, cell, (1, 0)):
                found += 1
                assert EMPTY in line[:cell] and EMPTY in line[cell + 1 :]
    assert found > 20


LAST_CELL_MAKES_SIX = """
    X O X . X O
    X X X . X X
    X O X O X O
"""

THREE_CORNERS = """
    . X O O O
    X X O O O
    X O X O .
    X O O X O
    . X X X .
"""


def position_from(rules, picture, to_move):
    """A position from a picture, top row first (X Black, O White)."""
    rows = [line.split() for line in picture.split("\n") if line.strip()][::-1]
    names = {mark: [] for mark in ".XO"}
    for row, line in enumerate(rows):
        for column, mark in enumerate(line):
            names[mark].append(rules.name(row * rules.width + column))
    return Position.set_up(rules, names["X"], names["O"], to_move)


def test_the_overline_ban_can_leave_no_legal_move():
    """Black's last empty cell would join three and two to six."""
    rules = Rules(width=6, height=3, overline=True, bans="black")
    before = position_from(rules, LAST_CELL_MAKES_SIX, WHITE)
    after = before.play("D3")
    assert after.reasons == {"no legal move"} and after.winner == 0 and after.legal() == []
    assert after.fault("D2") == "overline"
    assert not position_from(rules, LAST_CELL_MAKES_SIX, BLACK).play("D3").is_over  # White is not bound


def test_the_double_four_ban_can_leave_no_legal_move():
    """The last three cells are corners of a triangle, each pair of them joined by three black stones."""
    rules = Rules(width=5, height=5, double_four=True)
    before = position_from(rules, THREE_CORNERS, WHITE)
    assert [rules.name(cell) for cell in before.forbidden(BLACK)] == ["A1", "E1", "A5"]
    after = before.play("E3")
    assert after.reasons == {"no legal move"} and after.winner == 0
    assert all(after.fault(corner) == "double four" for corner in ("A1", "E1", "A5"))


def test_a_set_up_position_without_a_legal_move_is_a_draw_at_once():
    rules = Rules(width=6, height=3, overline=True, bans="black")
    blocked = LAST_CELL_MAKES_SIX.replace("X O X . X O", "X O X O X O")
    assert position_from(rules, blocked, BLACK).reasons == {"no legal move"}
    assert not position_from(rules, blocked, WHITE).is_over


def test_a_full_board_is_a_draw_unless_the_last_stone_wins():
    rules = Rules(width=3, height=3, row=3)
    drawn = Position.replay(rules, ["A1", "B1", "C1", "B2", "A2", "C2", "B3", "A3", "C3"])
    assert drawn.reasons == {"full board"} and drawn.winner == 0
    won = Position.replay(rules, ["A1", "B1", "C1", "A2", "C2", "B3", "A3", "C3", "B2"])
    assert won.reasons == {"five"} and won.winner == BLACK
