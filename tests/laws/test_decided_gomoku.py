"""Gomoku, freestyle and renju: every decided question, with the board beside the answer."""

from __future__ import annotations

import pytest

from narabe.envs import IllegalMove, State, game
from narabe.tests.laws.diagrams import board, marks, winner

OVERLINE = """
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    X X X a X X . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    """
FIVE_AND_SIX = """
    . . . X . . . .
    . . . X . . . .
    . . . X . . . .
    . X X a X X . .
    . . . X . . . .
    . . . X . . . .
    . . . . . . . .
    . . . . . . . .
    """


def play_a(diagram: str, variant: str, **more: object) -> State:
    """The position after the move on the cell marked ``a``."""
    return board(diagram, variant, **more).play(marks(diagram)["a"][0])


@pytest.mark.parametrize("line", ["A1 B1 C1 D1 E1", "A1 A2 A3 A4 A5", "A1 B2 C3 D4 E5", "E1 D2 C3 B4 A5"])
def test_five_wins_on_every_kind_of_line_at_the_last_stone_whichever_that_is(line: str) -> None:
    for last in line.split():
        state = game("gomoku", size=7).position(black=[p for p in line.split() if p != last], white=["G7", "G6", "F7"])
        assert not state.is_over
        state.play(last)
        assert (winner(state), state.reason) == ("black", "five in a row")


def test_six_or_more_is_legal_and_does_not_win() -> None:
    state = play_a(OVERLINE, "gomoku")
    assert not state.is_over and state.to_play == 1
    assert winner(play_a(OVERLINE, "freestyle")) == "black"


def test_six_does_not_cancel_an_exact_five_on_another_line() -> None:
    assert winner(play_a(FIVE_AND_SIX, "gomoku")) == "black"


def test_a_row_of_five_counts_from_wall_to_wall() -> None:
    diagram = """
        . . . . .
        . . . . .
        X X X X a
        . . . . .
        O O O . O
        """
    assert winner(play_a(diagram, "gomoku")) == "black"


def test_a_row_does_not_run_around_the_edge() -> None:
    diagram = """
        . . . . . .
        . . . . . .
        X X . . . .
        . . . X X a
        . . . . . .
        . . . . . .
        """
    assert not play_a(diagram, "freestyle").is_over


def test_a_full_board_without_a_win_is_a_draw() -> None:
    diagram = """
        X X O X X
        O O X O O
        X X O X X
        O O X O O
        X X O X a
        """
    state = play_a(diagram, "gomoku")
    assert (winner(state), state.reason, state.payoffs) == (None, "board full", (0.0, 0.0))


def test_a_win_on_the_last_cell_is_no_draw() -> None:
    diagram = """
        X X O X X
        O O X O O
        X X O X X
        O O X O O
        X X X X a
        """
    assert (winner(play_a(diagram, "gomoku")), play_a(diagram, "gomoku").reason) == ("black", "five in a row")


def test_nothing_may_be_played_after_the_end() -> None:
    state = play_a(FIVE_AND_SIX, "gomoku")
    assert (state.to_play, len(state.legal_actions())) == (-2, 0)
    with pytest.raises(IllegalMove, match="the game is over"):
        state.play("A1")
    state.undo().play("A1")  # undo takes the end back


def test_there_is_no_ban_in_gomoku_and_freestyle() -> None:
    """A double three, a double four and an overline are all played."""
    diagram = """
        . . . . . . . .
        . . . X . . . .
        . . . X . . . .
        . X X a . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """
    for variant in ("gomoku", "freestyle"):
        assert board(diagram, variant).why_illegal(marks(diagram)["a"][0]) is None
        assert not play_a(diagram, variant).is_over
    assert "double three" in str(board(diagram, "omok").why_illegal(marks(diagram)["a"][0]))


def test_black_moves_first_and_anywhere() -> None:
    state = game("gomoku").start()
    assert state.to_play == 0 and len(state.legal_actions()) == 225
    assert state.game.players == ("Black", "White")


# ---- renju: the bans bind Black --------------------------------------------------------------------------------------


def test_five_beats_the_ban() -> None:
    """The row makes five while the column makes six."""
    assert winner(play_a(FIVE_AND_SIX, "renju")) == "black"


def test_black_wins_with_exactly_five_and_white_with_five_or_more() -> None:
    assert "overline" in str(board(OVERLINE, "renju").why_illegal(marks(OVERLINE)["a"][0]))
    swapped = OVERLINE.replace("X", "O")
    assert winner(play_a(swapped, "renju", to_move="white")) == "white"


def test_double_four_is_banned_to_black_alone() -> None:
    diagram = """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X a . . . .
        . . . . O . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    cell = marks(diagram)["a"][0]
    assert "double four" in str(board(diagram, "renju").why_illegal(cell))
    colours_swapped = diagram.translate(str.maketrans("XO", "OX"))
    assert board(colours_swapped, "renju", to_move="white").why_illegal(cell) is None


@pytest.mark.parametrize("line", ["X . X X a . X . . . .", "X . X a X . X . . . .", "X X . X a . X X . . ."])
def test_two_fours_on_one_line_are_a_double_four(line: str) -> None:
    empty = ". . . . . . . . . . .\n"
    diagram = empty * 5 + line + "\n" + empty * 5
    found = board(diagram, "renju").why_illegal(marks(diagram)["a"][0])
    assert found is not None and "double four" in found


def test_a_straight_four_is_one_four() -> None:
    empty = ". . . . . . . .\n"
    diagram = empty * 3 + ". . X X a X . .\n" + empty * 4
    assert board(diagram, "renju").why_illegal(marks(diagram)["a"][0]) is None


OVERLINE_AT_B = """
    . . . . . . . . .
    . . . . . . . . .
    . . . X . . . . .
    . . . X X . . . .
    . . . X X . . . .
    . . X b a X . . .
    . . . X . . . . .
    . . . X . . . . .
    . . . . . . . . .
    """
FIVE_AT_B = """
    . . . . . . . . .
    . . . X . . . . .
    . . . X . . . . .
    . . . X X . . . .
    . . . X X . . . .
    . . X b a X . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def test_a_three_counts_only_if_its_straight_four_may_be_played() -> None:
    """The row of ``a`` grows only at ``b``, where the column becomes an overline: only the column of ``a`` is a three."""
    cell = marks(OVERLINE_AT_B)["a"][0]
    assert board(OVERLINE_AT_B, "renju").why_illegal(cell) is None
    assert "double three" in str(board(OVERLINE_AT_B, "renju", recursive=False).why_illegal(cell))


def test_a_three_does_not_count_if_its_straight_four_makes_a_five_at_the_same_time() -> None:
    """RIF: a straight four without at the same time a five in a row. The option without it asks only for a legal point."""
    cell = marks(FIVE_AT_B)["a"][0]
    assert board(FIVE_AT_B, "renju").why_illegal(cell) is None
    assert "double three" in str(board(FIVE_AT_B, "renju", five_spoils_three=False).why_illegal(cell))
    assert "double three" in str(board(FIVE_AT_B, "renju", recursive=False, five_spoils_three=False).why_illegal(cell))
    assert board(FIVE_AT_B, "renju", recursive=False).why_illegal(cell) is None


def test_a_side_whose_bans_shut_every_free_cell_draws() -> None:
    """In rows of four, after Black's ``a`` both free cells are double fours for White."""
    diagram = """
        O X O O O
        X X . O X
        O O . a O
        X X O X X
        O X O X X
        """
    state = play_a(diagram, "freestyle", row=4, double_four=True)
    assert (winner(state), state.reason, len(state.legal_actions())) == (None, "no legal point left", 0)
    assert not play_a(diagram, "freestyle", row=4, double_four=True, bans="black").is_over
