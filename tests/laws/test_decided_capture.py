"""Capture Gomoku: the seven decided questions, the bounds and the opening, with the board beside the answer."""

from __future__ import annotations

import random

import pytest

from narabe.envs import State, game
from narabe.envs.rules.line.record import MAX_MOVES, MAX_PAIRS
from narabe.tests.laws.diagrams import board, marks, picture, winner
from narabe.tests.laws.strategies import random_move


def play_a(diagram: str, to_move: str = "black", **more: object) -> State:
    return board(diagram, "capture_gomoku", to_move, **more).play(marks(diagram)["a"][0])


def shows(state: State, diagram: str) -> bool:
    return picture(state) == "\n".join("".join(line.split()) for line in diagram.strip().splitlines())


def pairs_of(state: State) -> list[int]:
    return state.record["pairs"][0].tolist()


def test_a_bracketed_pair_is_taken_and_its_cells_are_free_at_once() -> None:
    before = """
        . . . . . .
        . . . . . .
        a O O X . .
        . . . . . .
        . . . . . .
        . . . . . .
        """
    after = """
        . . . . . .
        . . . . . .
        X . . X . .
        . . . . . .
        . . . . . .
        . . . . . .
        """
    state = play_a(before)
    assert shows(state, after)
    assert (pairs_of(state), state.ply) == ([1, 0], 4)
    assert {"B4", "C4"} <= {state.game.text_of(a) for a in state.legal_actions()}


def test_every_direction_is_taken_at_once() -> None:
    before = """
        X . . X . . X
        . O . O . O .
        . . O O O . .
        X O O a O O X
        . . O O O . .
        . O . O . O .
        X . . X . . X
        """
    after = """
        X . . X . . X
        . . . . . . .
        . . . . . . .
        X . . X . . X
        . . . . . . .
        . . . . . . .
        X . . X . . X
        """
    state = play_a(before)
    assert shows(state, after)
    assert (pairs_of(state), state.reason, winner(state)) == ([8, 0], "five pairs", "black")
    state.undo()
    assert shows(state, before.replace("a", "."))


def test_white_captures_as_black_does() -> None:
    state = play_a("""
        . . . . .
        . . . . .
        O X X a .
        . . . . .
        . . . . .
        """, "white")  # fmt: skip
    assert pairs_of(state) == [0, 1]


# ---- the table of decided questions ----------------------------------------------------------------------------------


def test_a_five_that_a_capture_could_break_wins_at_once() -> None:
    """White could take C3 and C4 from C2, but the game is over."""
    state = play_a("""
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . . X . . . .
        X X X X a . .
        . . . . . . .
        . . . . . . .
        """)  # fmt: skip
    assert (winner(state), state.reason, state.to_play) == ("black", "five in a row", -2)


def test_the_capture_comes_first_and_the_board_shown_is_the_reduced_one() -> None:
    state = play_a("""
        . . . . . . .
        . . . X . . .
        . . . O . . .
        . . . O . . .
        . X X a X X .
        . . . . . . .
        . . . . . . .
        """)  # fmt: skip
    after = """
        . . . . . . .
        . . . X . . .
        . . . . . . .
        . . . . . . .
        . X X X X X .
        . . . . . . .
        . . . . . . .
        """
    assert winner(state) == "black" and shows(state, after) and pairs_of(state) == [1, 0]


def test_a_five_and_the_fifth_pair_in_one_move_report_both_reasons() -> None:
    state = play_a("""
        . . . . . . .
        . . . X . . .
        . . . O . . .
        . . . O . . .
        . X X a X X .
        . . . . . . .
        . . . . . . .
        """, pairs=(4, 2))  # fmt: skip
    assert (winner(state), state.reason) == ("black", "five in a row and five pairs")


def test_moving_between_two_enemy_stones_is_safe() -> None:
    state = play_a("""
        . . . . .
        . . . . .
        O a X O .
        . . . . .
        . . . . .
        """)  # fmt: skip
    assert pairs_of(state) == [0, 0] and picture(state).count("X") == 2


@pytest.mark.parametrize("row", ["a O X . . .", "a O O O X .", "a O O . X .", "a O O . . .", "a O . O X ."])
def test_only_a_pair_held_by_an_own_stone_is_taken(row: str) -> None:
    """One stone, three stones, a gap, nobody behind: nothing is taken."""
    state = play_a("\n".join([". . . . . ."] * 3 + [row] + [". . . . . ."] * 2))
    assert pairs_of(state) == [0, 0]


def test_the_wall_is_no_stone() -> None:
    state = play_a("""
        . . . . .
        . . . . .
        O O a . .
        . . . . .
        . . . . .
        """)  # fmt: skip
    assert pairs_of(state) == [0, 0]


def test_a_row_of_six_wins() -> None:
    state = play_a("""
        . . . . . . .
        . . . . . . .
        X X X a X X .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """)  # fmt: skip
    assert winner(state) == "black"


def test_a_capture_may_break_a_row() -> None:
    """White's row loses two stones; its last one is no five any more."""
    state = play_a("""
        . . . . . . .
        . . . . . . .
        . . . X . . .
        O O O O . . .
        . . . O . . .
        . . . a . . .
        . . . . . . .
        """)  # fmt: skip
    assert not state.play("E4").is_over
    assert pairs_of(state) == [1, 0]


def test_five_pairs_win_also_without_a_row() -> None:
    diagram = """
        . . . . .
        . . . . .
        a O O X .
        . . . . .
        . . . . .
        """
    assert winner(play_a(diagram, pairs=(4, 4))) == "black"
    assert not play_a(diagram, pairs=(3, 4)).is_over


def test_a_last_free_cell_that_takes_a_pair_does_not_fill_the_board() -> None:
    full = play_a("""
        X O X O X
        X O X O O
        O X O X X
        O X O X X
        X O O X a
        """)  # fmt: skip
    assert (full.reason, pairs_of(full)) == ("board full", [0, 0])
    taking = play_a("""
        X O X O X
        X O X O O
        O X O X X
        O X O X X
        X X O O a
        """)  # fmt: skip
    assert (taking.reason, pairs_of(taking), len(taking.legal_actions())) == (None, [1, 0], 2)


# ---- bounds ----------------------------------------------------------------------------------------------------------


def test_random_games_stay_within_the_bounds() -> None:
    """At most n*n + 16 plies, and no counter beyond 12; what is reserved covers both."""
    assert MAX_PAIRS == 12 and MAX_MOVES == 20 * 20 + 16
    longest, most, rng = 0, 0, random.Random(3)
    played = game("capture_gomoku", size=5, opening="none")
    for _ in range(400):
        state = played.start()
        while not state.is_over:
            state.play(random_move(state, rng))
        longest, most = max(longest, state.ply), max(most, *pairs_of(state))
        assert state.ply <= 25 + 16 and max(pairs_of(state)) <= 12
    assert longest > 25 and most >= 5  # captures did happen, so games outlast the cells


def test_the_most_pairs_that_can_be_counted() -> None:
    """Four pairs and eight more in one move."""
    state = play_a("""
        X . . X . . X
        . O . O . O .
        . . O O O . .
        X O O a O O X
        . . O O O . .
        . O . O . O .
        X . . X . . X
        """, pairs=(4, 0))  # fmt: skip
    assert pairs_of(state) == [12, 0]
    assert state.key == state.game.from_text(state.to_text()).key


def test_a_pair_counter_out_of_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match="0 to 12"):
        game("capture_gomoku").position(pairs=(13, 0))
    with pytest.raises(ValueError, match="only in a game with captures"):
        game("gomoku").position(pairs=(1, 0))


# ---- opening ---------------------------------------------------------------------------------------------------------


def legal_after(size: int, *moves: str) -> str:
    state = game("capture_gomoku", size=size).start()
    for move in moves:
        state.play(move)
    cells = "".join(".+"[v] for v in state.legal_mask())
    return "\n".join(cells[start : start + size] for start in range(size * (size - 1), -1, -size))


def test_the_first_stone_goes_on_the_centre_and_the_second_of_black_stays_three_away() -> None:
    assert legal_after(7) == "\n".join([".......", ".......", ".......", "...+...", ".......", ".......", "......."])
    assert legal_after(9, "E5", "A1") == "\n".join([
        "+++++++++",
        "+++++++++",
        "++.....++",
        "++.....++",
        "++.....++",
        "++.....++",
        "++.....++",
        "+++++++++",
        ".++++++++",
    ])  # fmt: skip


def test_nothing_else_is_restricted() -> None:
    state = game("capture_gomoku").start().play("J10")
    assert len(state.legal_actions()) == 360  # White's first stone
    state.play("J11").play("J13")
    assert len(state.legal_actions()) == 358


def test_why_the_opening_refuses_is_said() -> None:
    state = game("capture_gomoku").start()
    assert "must be placed on the centre" in str(state.why_illegal("A1"))
    state.play("J10").play("A1")
    assert "three or more points from the centre" in str(state.why_illegal("L12"))
    assert state.why_illegal("M12") is None


def test_a_set_up_knows_no_opening() -> None:
    assert len(game("capture_gomoku").position().legal_actions()) == 361


def test_the_forced_first_stone_is_under_no_ban() -> None:
    """In a row of three a single stone in the middle is an open three on every line."""
    free = game("capture_gomoku", size=7, row=3, double_three=True, opening="none").start()
    assert "double three" in str(free.why_illegal("D4"))
    assert game("capture_gomoku", size=7, row=3, double_three=True).start().legal_actions().tolist() == [24]
