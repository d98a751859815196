"""Omok: the order of the test for a forbidden point, and the eight decided questions, with the board beside the answer.

``a`` is the point asked about.
"""

from __future__ import annotations

import pytest

from narabe.envs import game
from narabe.tests.laws.diagrams import board, marks, winner


def why(diagram: str, to_move: str = "black", **options: object) -> str | None:
    """Why ``a`` is illegal in Omok, or None."""
    return board(diagram, "omok", to_move, **options).why_illegal(marks(diagram)["a"][0])


def is_double_three(diagram: str, to_move: str = "black", **options: object) -> bool:
    found = why(diagram, to_move, **options)
    assert found is None or "double three" in found
    return found is not None


DOUBLE_THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . . X . . . .
    . . X X a . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def test_a_double_three_is_forbidden_to_both_colours_alike() -> None:
    assert is_double_three(DOUBLE_THREE)
    assert is_double_three(DOUBLE_THREE.replace("X", "O"), "white")
    assert not is_double_three(DOUBLE_THREE, "white")  # the other side's threes are no matter


def test_a_ban_may_bind_black_only() -> None:
    assert is_double_three(DOUBLE_THREE, bans="black")
    assert not is_double_three(DOUBLE_THREE.replace("X", "O"), "white", bans="black")


def test_a_forbidden_point_is_masked_and_not_lost() -> None:
    state, cell = board(DOUBLE_THREE, "omok"), marks(DOUBLE_THREE)["a"][0]
    assert cell not in state.legal_actions() and len(state.legal_actions()) == 81 - 4 - 1
    assert not state.is_over


def test_a_five_beats_every_ban() -> None:
    """Two open threes and a five in the row: legal, and it wins."""
    diagram = """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . X . . .
        . . . . . X X . . .
        . X X X X a . . . .
        . . . . X X . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """
    assert why(diagram) is None
    assert winner(board(diagram, "omok").play(marks(diagram)["a"][0])) == "black"


def test_an_overline_wins() -> None:
    diagram = """
        . . . . . . .
        . . . . . . .
        X X X a X X .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    assert winner(board(diagram, "omok").play(marks(diagram)["a"][0])) == "black"


@pytest.mark.parametrize(
    "diagram",
    [
        """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . X X X a . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . X X X a . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
    ],
    ids=["double four", "four and three"],
)
def test_double_four_and_four_and_three_are_legal(diagram: str) -> None:
    assert why(diagram) is None


# ---- the table of decided questions ----------------------------------------------------------------------------------


def test_a_broken_three_counts() -> None:
    diagram = """
        . . . . . . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . X . . . .
        . X . X a . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    assert is_double_three(diagram)


FORBIDDEN_EXTENSION = """
    . . . . . . . . .
    . . . . . . . . .
    . . X . X . . . .
    . . . . . X . . .
    . . . . . . . . .
    . . . a X X . . .
    . . X . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def test_the_extending_point_need_not_be_legal_unless_recursive() -> None:
    """Two threes meet by shape, but one of them can only grow where Black makes a double three again."""
    assert is_double_three(FORBIDDEN_EXTENSION)
    assert not is_double_three(FORBIDDEN_EXTENSION, recursive=True)


def test_recursive_ends_where_two_points_refer_to_each_other() -> None:
    """Every free point of a lattice is a double three by shape, and each one's threes grow at the others."""
    diagram = "\n".join(". X . X . X . X ." if row % 2 else ". . . . . . . . ." for row in range(9))
    state = board(diagram, "omok", recursive=True)
    assert not state.is_over
    answers = {state.why_illegal(cell) is None for cell in range(81)}
    assert answers == {True, False}


def test_the_wall_blocks() -> None:
    """The row may grow to a four, but no longer open at both ends: A1-D1 has the wall beside it, B1-E1 has not."""
    at_the_wall = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . . . .
        . . X . . . . . .
        X X a . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    one_off_the_wall = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . . X . . . . .
        . X X a . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    assert not is_double_three(at_the_wall)
    assert is_double_three(one_off_the_wall)


OWN_STONE_BEYOND = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . X . . .
    . . . . . X . . .
    X . . X X a . O .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def test_an_own_stone_just_beyond_an_end_is_harmless_unless_five_is_exact() -> None:
    """The row can only become C-F; its ends are B, which joins the stone on A to six, and G. A six wins in Omok."""
    assert is_double_three(OWN_STONE_BEYOND)
    assert not is_double_three(OWN_STONE_BEYOND, exact=True)


def test_two_open_threes_on_one_line_count_once_unless_same_line() -> None:
    diagram = """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . X X . a . X X . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """
    assert not is_double_three(diagram)
    assert is_double_three(diagram, same_line=True)


def test_one_three_that_grows_at_either_end_is_one_even_with_same_line() -> None:
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X X a . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    assert not is_double_three(diagram, same_line=True)
    assert not is_double_three(diagram, same_line=True, recursive=True)


def test_a_four_and_two_open_threes_are_forbidden() -> None:
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . X . .
        . . . . X X . . .
        O X X X a . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    assert is_double_three(diagram)


def test_a_line_that_holds_a_four_holds_no_three() -> None:
    """The row is a four (G5 makes five), so the column is the only three."""
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . X .
        . . . . . . . X .
        . . . X X X . a .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    assert why(diagram) is None


def test_a_block_of_the_opponents_four_is_no_exception() -> None:
    """White threatens five at ``a``; Black may not play there, but elsewhere."""
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X a . . . .
        . . . O . . . . .
        . . O . . . . . .
        . O . . . . . . .
        O . . . . . . . .
        """
    assert is_double_three(diagram)
    assert winner(board(diagram, "omok", "white").play(marks(diagram)["a"][0])) == "white"
    assert len(board(diagram, "omok").legal_actions()) == 81 - 8 - 1


def test_open_threes_without_the_stone_are_ignored() -> None:
    """Two open threes stand already; ``a`` adds one only."""
    diagram = """
        . . . . . . . . .
        . X X X . . . . .
        . . . . . . . . .
        . . . . . . . X .
        . . . . . . . X .
        . . . . . . . a .
        . X X X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    assert not is_double_three(diagram)


def test_a_three_blocked_two_cells_beyond_one_end_is_open_but_not_at_both() -> None:
    row = ". . . . . . . . . . .\n"
    column = ". . . . . X . . . . .\n"

    def with_row(text: str) -> str:
        return row * 3 + column * 2 + text + "\n" + row * 5

    assert is_double_three(with_row(". O . X X a . . . . ."))
    assert not is_double_three(with_row(". O . X X a . O . . ."))
    assert not is_double_three(with_row(". . O X X a . . . . ."))


@pytest.mark.parametrize("size", [13, 15, 19])
def test_the_sizes_of_the_source(size: int) -> None:
    state = game("omok", size=size).start()
    assert (state.to_play, len(state.legal_actions())) == (0, size * size)
