"""Gomocku: what follows the flips (a five, a foul, or nothing), and how the game ends.

Everything is asked of the law and of the naive oracle at once.
"""

from __future__ import annotations

import pytest

from narabe.tests.laws.gomocku_twin import Twin
from narabe.tests.oracles.gomocku import BLACK, COLOURED, RED, WHITE

SWAPPED = str.maketrans("BWbwRrCcDd", "WBwbrRcCdD")


def board(diagram: str, mover: str = BLACK, **options: object) -> Twin:
    """The diagram with Black to move, or with the colours exchanged and White to move."""
    return Twin.board(diagram if mover == BLACK else diagram.translate(SWAPPED), mover, **options)


both_sides = pytest.mark.parametrize("mover", [BLACK, WHITE])

# ---- fives -----------------------------------------------------------------------------------------------------------

HIT = """
    . . . . . . .
    B B B W * . .
    . . . . . . .
    """


@both_sides
def test_a_flip_that_shows_the_movers_colour_may_make_five(mover: str) -> None:
    asked = board(HIT, mover).place("E2")
    assert asked.winner is None
    assert asked.copy().flip("W", "r").winner is None
    assert asked.copy().flip("none").winner is None
    after = asked.copy().flip("W", "c")
    assert (after.winner, after.reason) == (mover, "five in a row")
    assert after.naive.score(mover) == (1, 0)


@both_sides
def test_a_five_by_the_placement_alone_ends_the_game_before_any_flip(mover: str) -> None:
    after = board("""
        . . . . B . .
        . . . . W . .
        B B B B * . .
        """, mover).place("E1")  # fmt: skip
    assert after.winner == mover and after.score() == (0, 0, 0, 0)
    assert after.state.history == [4]


@both_sides
def test_a_five_through_a_turned_piece_wins_though_the_placed_piece_has_no_part_in_it(mover: str) -> None:
    diagram = """
        . . B . . . .
        . . B . . . .
        . B W * . . .
        . . B . . . .
        . . B . . . .
        """
    asked = board(diagram, mover).place("D3")
    assert asked.flippable == "W"
    assert asked.copy().flip("W", "r").winner is None
    assert asked.copy().flip("W", "c").winner == mover


def test_a_five_must_contain_a_piece_of_this_move() -> None:
    """White's six (bans on Black only) wins nothing; Black turns its end, five are left, and they win nothing either."""
    diagram = """
        . . . . . . . . .
        W W W W W W . . .
        B . . . . W B . .
        """
    twin = Twin.board(diagram, bans="black").place("A3").flip("S", "r")
    assert twin.naive.makes_five((2, 1))
    asked = twin.place("H1")
    assert asked.flippable == "W"
    assert asked.copy().flip("none").winner is None
    assert asked.copy().flip("W", "r").winner is None
    assert asked.copy().flip("W", "c").winner is None  # the new piece stands below the five, not in it


@both_sides
def test_five_and_six_together_after_the_flips_are_a_win(mover: str) -> None:
    """The row becomes six, the column five."""
    diagram = """
        . . . . B . . .
        . . . . B . . .
        . . . . B . . .
        . . . . W . . .
        B B B W * B . .
        """
    asked = board(diagram, mover).place("E1")
    assert asked.flippable == "N+W"
    assert asked.copy().flip("N+W", "cc").winner == mover
    assert asked.copy().flip("N+W", "cr").winner == mover
    assert asked.copy().flip("N+W", "rc").naive.last == "foul"
    assert asked.copy().flip("N+W", "rr").naive.last == "nothing"


@both_sides
def test_a_five_and_a_six_through_one_turned_piece(mover: str) -> None:
    """A single turned piece stands in a five and in a six: the five wins (and nothing is put back)."""
    diagram = """
        . . . B . . . .
        . . . B . . . .
        . . . B . . . .
        B B B W * B . .
        . . . B . . . .
        """
    after = board(diagram, mover).place("E2").flip("W", "c")
    assert after.winner == mover and after.naive.score(mover) == (1, 0)


@both_sides
@pytest.mark.parametrize("five_first", [True, False])
def test_a_five_through_one_turned_piece_beats_a_six_through_another(five_first: bool, mover: str) -> None:
    """Neither row holds the piece placed. Six through E4, five through D3; or, exchanged, five through E4, six through D3."""
    rows = [
        "....B..",
        "....B..",
        "....B..",
        "...*WB.",
        ".BBWBB.",
        "...BB..",
        ".......",
    ]
    if five_first:  # in the order of the directions, in which they may be judged
        rows = ["".join(column) for column in zip(*rows)]
    asked = board("\n".join(rows), mover).place("D4")
    assert asked.flippable == "E+S"
    assert asked.copy().flip("E+S", "cc").winner == mover
    assert asked.copy().flip("E+S", "rc" if five_first else "cr").naive.last == "foul"
    assert asked.copy().flip("E+S", "cr" if five_first else "rc").winner == mover


# ---- fouls -----------------------------------------------------------------------------------------------------------

LONG = """
    . . . . B . .
    . . . . W . .
    B B B W * B .
    . . . . . . .
    """


@both_sides
def test_a_foul_puts_back_what_lies_in_the_long_row_and_the_rest_stands_and_counts(mover: str) -> None:
    after = board(LONG, mover).place("E2").flip("N+W", "cc")
    assert (after.naive.last, after.winner) == ("foul", None)
    assert after.naive.mover != mover  # the turn passes
    assert after.shows("E2") == mover  # the piece placed stays
    assert after.naive.board[3, 1].back == COLOURED and not after.naive.board[3, 1].turned
    assert after.shows("E3") == mover
    assert after.naive.score(mover) == (1, 0)


@both_sides
def test_a_red_piece_of_a_foul_stands_and_counts(mover: str) -> None:
    after = board(LONG, mover).place("E2").flip("N+W", "rc")
    assert after.naive.last == "foul" and after.naive.score(mover) == (1, 1)


@both_sides
def test_foul_restores_all_puts_back_every_piece_of_the_move(mover: str) -> None:
    after = board(LONG, mover, foul_restores="all").place("E2").flip("N+W", "rc")
    assert after.naive.last == "foul" and after.naive.score(mover) == (0, 0)
    assert [after.naive.board[cell].back for cell in ((4, 2), (3, 1))] == [RED, COLOURED]
    assert after.shows("E3") == after.shows("D2") == (WHITE if mover == BLACK else BLACK)


@both_sides
@pytest.mark.parametrize("restores", ["long_row", "all"])
def test_the_backs_that_a_foul_showed_stay_known(mover: str, restores: str) -> None:
    """They have left the pool of unseen backs, and to turn such a piece again needs no chance."""
    options = {"foul_restores": restores}
    after = board(LONG, mover, **options).place("E2").flip("N+W", "rc")
    other = WHITE if mover == BLACK else BLACK
    assert after.naive.unseen(other) == (7, 11)
    again = board(LONG.replace("B W * B", "B C * ."), mover, **options).place("E2")
    assert again.copy().flip("W").winner == mover  # known to be coloured: five for certain
    assert again.state.why_illegal("W") is None


@both_sides
def test_two_turned_pieces_in_one_long_row_are_both_put_back(mover: str) -> None:
    """One on either side of the piece placed: six in all."""
    diagram = """
        . . . . . . . .
        B B W * W B . .
        . . . . . . . .
        """
    asked = board(diagram, mover).place("D2")
    after = asked.copy().flip("E+W", "cc")
    assert after.naive.put_back == ("E", "W") and after.naive.score(mover) == (0, 0)
    assert asked.copy().flip("E+W", "cr").naive.last == "nothing"


@both_sides
def test_a_long_row_through_a_turned_piece_only_is_a_foul(mover: str) -> None:
    diagram = """
        . . B . . . .
        . . B . . . .
        . . B . . . .
        . B W * . . .
        . . B . . . .
        . . B . . . .
        """
    after = board(diagram, mover).place("D3").flip("W", "c")
    assert after.naive.last == "foul" and after.naive.put_back == ("W",)


@both_sides
def test_a_long_row_elsewhere_is_no_foul(mover: str) -> None:
    diagram = """
        B b B B B B .
        . . . . . . .
        . B W * . . .
        """
    assert board(diagram, mover).place("D1").flip("W", "c").naive.last == "nothing"


def test_with_bans_on_black_whites_flips_cannot_foul_and_its_six_does_not_win() -> None:
    white = board(LONG, WHITE, bans="black").place("E2").flip("N+W", "cc")
    assert (white.naive.last, white.winner) == ("nothing", None)
    assert white.naive.score(WHITE) == (2, 0)
    assert board(HIT, WHITE, bans="black").place("E2").flip("W", "c").winner == WHITE
    assert board(LONG, BLACK, bans="black").place("E2").flip("N+W", "cc").naive.last == "foul"


def test_a_piece_put_back_blocks_again() -> None:
    """After the foul the opponent's colour stands in the row as before."""
    after = board(LONG).place("E2").flip("W", "c").place("A4")
    assert after.sign("D2") == "C"
    assert after.faults("G2") == set()


# ---- flips that block ------------------------------------------------------------------------------------------------


def test_a_flip_may_break_a_four() -> None:
    """White threatens to make five on F3; the turned piece of the four, red or black, takes that away."""
    diagram = """
        . . . . . . .
        . . . B . . .
        . W W W W . .
        . . . * . . .
        . . . . . . .
        """
    for backs in "rc":
        after = Twin.board(diagram).place("D2").flip("N", backs)
        assert after.copy().place("F3").winner is None
        assert after.copy().place("A3").winner is None
    assert Twin.board(diagram).place("D2").flip("none").place("F3").winner == WHITE


def test_a_flip_may_block_and_win_in_one_move() -> None:
    diagram = """
        . . . B . . .
        . . . B . . .
        . W W W W . .
        . . . * . . .
        . . . B . . .
        """
    assert Twin.board(diagram).place("D2").flip("N", "c").winner == BLACK
    missed = Twin.board(diagram).place("D2").flip("N", "r")
    assert missed.winner is None and missed.place("F3").winner is None


# ---- the end ---------------------------------------------------------------------------------------------------------

LAST = {"ply": 39}


@pytest.mark.parametrize(
    ("pieces", "winner", "reason"),
    [
        ("b b R r w", BLACK, "more pieces flipped"),
        ("R R R w w", BLACK, "more pieces flipped"),
        ("R w w . .", WHITE, "more pieces flipped"),
        ("b R r r .", BLACK, "fewer reds"),
        ("R R w r .", WHITE, "fewer reds"),
        ("b R w r .", None, "equal score"),
        ("C D c . .", None, "equal score"),
        ("R C c d .", BLACK, "more pieces flipped"),
        (". . . . .", None, "equal score"),
    ],
)
def test_after_the_last_ply_the_score_decides(pieces: str, winner: str | None, reason: str) -> None:
    """More pieces flipped, then fewer reds among one's own flips; pieces put back count for nothing."""
    twin = Twin.board(f"{pieces} . .\n. . . . . . .\n. . . . . . .", WHITE, **LAST).place("G1")
    assert (twin.winner, twin.reason) == (winner, reason)


def test_the_examples_own_four_against_four() -> None:
    """Four flips each; Black's four hold two reds, White's three: Black wins."""
    twin = Twin.board("bbRRwrrr\n........\n........", WHITE, **LAST).place("G1")
    assert twin.score() == (4, 2, 4, 3)
    assert (twin.winner, twin.reason) == (BLACK, "fewer reds")


def test_the_last_flip_counts() -> None:
    twin = Twin.board("BW*....\n.......\nr......", BLACK, ply=38).place("C3").flip("W", "r").place("G1")
    assert (twin.winner, twin.reason, twin.score()) == (None, "equal score", (1, 1, 1, 1))
    lost = Twin.board("WB*....\n.......\n.......", WHITE, **LAST).place("C3").flip("W", "c")
    assert (lost.winner, lost.reason) == (WHITE, "more pieces flipped")


def test_a_game_lasts_forty_plies() -> None:
    """15 and 5 pieces a side; here nobody makes a row, for the columns alternate in pairs."""
    twin = Twin.start(size=15)
    cells = [(column, row) for row in range(0, 15, 4) for column in range(15)][:40]
    for cell in cells:
        assert not twin.state.is_over
        twin.place(cell)
        if twin.naive.placed is not None:
            twin.flip("none")
    assert twin.state.is_over and twin.state.ply == 40 and twin.reason == "equal score"


FULL = """
    W W B W W B W
    B B W B B W B
    B B W * B W B
    W W B W W B W
    B W W B B W B
    """


def test_where_no_point_is_legal_the_piece_is_passed() -> None:
    """The board is full from the first piece on: all that follows are passes, each a ply."""
    twin = Twin.board(FULL, BLACK, ply=36).place("D3")
    if twin.naive.placed is not None:
        twin.flip("none")
    passes = 0
    while not twin.state.is_over:
        assert twin.state.legal_actions().tolist() == [35 + 256]
        twin.pass_piece()
        passes += 1
    assert (twin.state.ply, passes, twin.reason) == (40, 3, "equal score")


def test_a_pass_while_a_point_is_legal_is_refused() -> None:
    assert Twin.start(size=5).state.why_illegal("pass") is not None


@pytest.mark.parametrize("phase", [1, 2])
def test_a_pass_where_every_empty_point_is_forbidden(phase: int) -> None:
    """The one empty point would make six for Black: Black passes, White may play there."""
    diagram = """
        W W B W W B W
        B B B * B B B
        W W B W W B W
        B B W B B W B
        W W B W W B W
        """
    twin = Twin.board(diagram, BLACK, phase, stones=18, chance=2)
    assert twin.faults("D4") == {"overline"}
    after = twin.pass_piece()
    assert after.naive.mover == WHITE and after.state.legal_actions().tolist() == [24]


def test_every_move_counts_one_ply_whatever_its_parts() -> None:
    asked = Twin.board("..........\n.BW*WB....\n..........").place("D2")
    assert asked.state.ply == 30
    assert asked.flip("W+E", "rr").state.ply == 31
