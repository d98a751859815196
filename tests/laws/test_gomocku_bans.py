"""Gomocku, phase 1 and the bans of both phases: each decided question with the board beside the answer.

``*`` is the point asked about. Everything is asked of the law and of the naive oracle at once.
"""

from __future__ import annotations

import pytest

from narabe.tests.laws.gomocku_twin import Twin
from narabe.tests.oracles.gomocku import BLACK, WHITE, marks

SWAPPED = str.maketrans("BWbwRrCcDd", "WBwbrRcCdD")


def faults(diagram: str, mover: str = BLACK, phase: int = 1, **options: object) -> set[str]:
    """Why ``*`` is illegal (for White with the colours exchanged); empty if it is legal."""
    drawn = diagram if mover == BLACK else diagram.translate(SWAPPED)
    twin = Twin.board(drawn, mover, phase, **options)
    return twin.check_fault(marks(diagram)["*"])


def wins(diagram: str, mover: str = BLACK, phase: int = 1, **options: object) -> bool:
    """Does ``*`` end the game at once?"""
    drawn = diagram if mover == BLACK else diagram.translate(SWAPPED)
    after = Twin.board(drawn, mover, phase, **options).place(marks(diagram)["*"])
    assert (after.winner is None) == (after.reason is None)
    assert after.winner in (None, mover)
    return after.reason == "five in a row"


DOUBLE_THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . B . . . .
    . . . . B . . . .
    . . B B * . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
BROKEN_THREES = """
    . . . . . . . . .
    . . . . B . . . .
    . . . . . . . . .
    . . . . B . . . .
    . B . B * . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
DOUBLE_FOUR = """
    . . . . . . . . .
    . . . . W . . . .
    . . . . B . . . .
    . . . . B . . . .
    . . . . B . . . .
    W B B B * . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
FOUR_THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . B . . . .
    . . . . B . . . .
    W B B B * . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
OVERLINE = """
    . . . . . . . . .
    . B B B * B B . .
    . . . . . . . . .
    """
FIVE = """
    . . . . . . . . .
    W B B B * B W . .
    . . . . . . . . .
    """


@pytest.mark.parametrize("mover", [BLACK, WHITE])
def test_the_three_bans_bind_both_colours_by_default(mover: str) -> None:
    assert faults(DOUBLE_THREE, mover) == {"double three"}
    assert faults(DOUBLE_FOUR, mover) == {"double four"}
    assert faults(OVERLINE, mover) == {"overline"}


def test_bans_on_black_leave_white_free_and_whites_six_does_not_win() -> None:
    for diagram in (DOUBLE_THREE, DOUBLE_FOUR, OVERLINE):
        assert faults(diagram, BLACK, bans="black")
        assert not faults(diagram, WHITE, bans="black")
    assert not wins(OVERLINE, WHITE, bans="black")
    assert wins(FIVE, WHITE, bans="black")


@pytest.mark.parametrize("mover", [BLACK, WHITE])
def test_four_and_three_is_legal(mover: str) -> None:
    assert faults(FOUR_THREE, mover) == set()


@pytest.mark.parametrize("mover", [BLACK, WHITE])
def test_broken_threes_count(mover: str) -> None:
    assert faults(BROKEN_THREES, mover) == {"double three"}


def test_the_other_sides_shapes_are_no_matter() -> None:
    assert Twin.board(DOUBLE_THREE, WHITE, 1).faults("E5") == set()


def test_a_three_that_an_own_piece_beyond_an_end_spoils_under_exact_five() -> None:
    """The row may become C-F with ends B and G; on B it would join the piece on A to six, and then F's side is one end."""
    spoiled = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . B . . .
        . . . . . B . . .
        B . . B B * . W .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    assert faults(spoiled) == set()
    assert faults(spoiled.replace("B . . B B", ". . . B B")) == {"double three"}


ON_ONE_LINE = [  # the pattern, and which of its pieces complete both fours
    ("B.BBB.B", {2, 3, 4}),
    ("BB.BB.BB", {3, 4}),
]


@pytest.mark.parametrize("mover", [BLACK, WHITE])
@pytest.mark.parametrize(("pattern", "in_both"), ON_ONE_LINE)
def test_two_fours_on_one_line_are_a_double_four(pattern: str, in_both: set[int], mover: str) -> None:
    """Two different sets of four on one line; a piece that belongs to one of them only makes one four."""
    for place, letter in enumerate(pattern):
        if letter == "B":
            row = pattern[:place] + "*" + pattern[place + 1 :]
            diagram = f"{'.' * 10}\n.{row.ljust(9, '.')}\n{'.' * 10}"
            assert faults(diagram, mover) == ({"double four"} if place in in_both else set()), row


def test_an_unbroken_four_open_at_both_ends_is_one_four() -> None:
    assert faults("........\n..BB*B..\n........") == set()


def test_three_pieces_with_two_gaps_make_one_four_where_only_one_gap_wins() -> None:
    """`X.XX.X` with one piece more on one side: the gap that would make six counts for nothing."""
    assert faults(".........\n.B.BB*.BB\n.........") == set()


FIVE_AND_MORE = [
    pytest.param(
        """
        . . . . . . . . .
        . . . . B . . . .
        . . . . B . . . .
        . . . . B . . . .
        . B B B * B . . .
        . . . . B . . . .
        . . . . B . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        id="five and six",
    ),
    pytest.param(
        """
        . . . . . . . . .
        . . . . B . B . .
        . . . . B B . . .
        . B B B * B . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        id="five and double three",
    ),
    pytest.param(
        """
        . . . . . . . . .
        . . . . B . . B .
        . . . . B . B . .
        . . . . B B . . .
        . B B B * B . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        id="five and double four",
    ),
]


@pytest.mark.parametrize("phase", [1, 2])
@pytest.mark.parametrize("mover", [BLACK, WHITE])
@pytest.mark.parametrize("diagram", FIVE_AND_MORE)
def test_an_exact_five_wins_whatever_else_arises(diagram: str, mover: str, phase: int) -> None:
    assert wins(diagram, mover, phase)
    assert wins(diagram, mover, phase, phase2_bans="all")
    assert wins(diagram, mover, phase, bans="black")


def test_a_forbidden_point_is_masked_and_not_lost() -> None:
    twin = Twin.board(DOUBLE_THREE, BLACK, 1)
    assert len(twin.state.legal_actions()) == 81 - 4 - 1
    assert not twin.state.is_over


# ---- phase 2 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mover", [BLACK, WHITE])
def test_in_phase_2_a_placement_is_tested_for_the_overline_only(mover: str) -> None:
    assert faults(DOUBLE_THREE, mover, 2) == set()
    assert faults(DOUBLE_FOUR, mover, 2) == set()
    assert faults(OVERLINE, mover, 2) == {"overline"}


@pytest.mark.parametrize("mover", [BLACK, WHITE])
def test_phase2_bans_all_test_the_placement_for_every_ban(mover: str) -> None:
    assert faults(DOUBLE_THREE, mover, 2, phase2_bans="all") == {"double three"}
    assert faults(DOUBLE_FOUR, mover, 2, phase2_bans="all") == {"double four"}
    assert faults(OVERLINE, mover, 2, phase2_bans="all") == {"overline"}
    assert faults(FOUR_THREE, mover, 2, phase2_bans="all") == set()


def test_bans_on_black_leave_whites_placements_of_phase_2_free() -> None:
    assert not faults(OVERLINE, WHITE, 2, bans="black") and not wins(OVERLINE, WHITE, 2, bans="black")
    assert faults(OVERLINE, BLACK, 2, bans="black") == {"overline"}
    assert not faults(DOUBLE_THREE, WHITE, 2, bans="black", phase2_bans="all")


def test_phase2_bans_all_see_what_the_pieces_show_before_the_flips() -> None:
    """Turned pieces count in the colour they show, red blocks; the piece that could be turned still blocks."""
    turned = DOUBLE_THREE.replace("B B *", "B b *")
    assert faults(turned, BLACK, 2, phase2_bans="all") == {"double three"}
    assert faults(turned.replace(". . B b *", "R . B b *"), BLACK, 2, phase2_bans="all") == {"double three"}
    assert faults(turned.replace(". . B b *", ". R B b *"), BLACK, 2, phase2_bans="all") == set()
    assert faults(turned.replace("B b *", "B r *"), BLACK, 2, phase2_bans="all") == set()
    blocked = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . B . . . .
        . . . . B . . . .
        . B B W * . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    twin = Twin.board(blocked, phase2_bans="all").place("E5")
    assert twin.flippable == "W"
    assert not twin.flip("W", "c").state.is_over  # the flip makes a second three: nothing forbids that


@pytest.mark.parametrize(("middle", "expected"), [("b", {"overline"}), ("W", set()), ("R", set()), ("w", set())])
def test_an_overline_counts_the_colour_that_pieces_show(middle: str, expected: set[str]) -> None:
    diagram = f"""
        . . . . . . . . .
        . B {middle} B * B B . .
        . . . . . . . . .
        """
    assert faults(diagram, BLACK, 2) == expected


def test_a_piece_that_turned_red_in_play_still_blocks_threes_under_phase2_bans_all() -> None:
    """C5 blocks the row D5 to F5 as White's piece and as a red one; turned black it makes it a four."""
    diagram = """
        . . . . . . . . .
        . . . . . B . . .
        . . . . . B . . .
        . . . . . . . . .
        . . W B B 1 . . .
        . . B . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    point = marks(diagram)["1"]
    twin = Twin.board(diagram, phase2_bans="all").place("C6")
    assert twin.flippable == "S"
    for flips, backs in (("none", ""), ("S", "r"), ("S", "c")):
        after = twin.copy().flip(flips, backs).place("I1")
        assert after.check_fault(point) == set()
    free = Twin.board(diagram.replace("W B B", ". B B"), phase2_bans="all").place("A1").place("I1")
    assert free.check_fault(point) == {"double three"}
