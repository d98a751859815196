"""One whole game of Gomocku that shows every situation of the rules' worked example, on a board made for it.

The source has pictures; the game of ``data/gomocku_worked_game.json`` was built to show the same: Black's 6th piece would
make a double three, the 9th a four and a three, the 13th a double four; then moves 16 to 20 of both sides with their
hits and misses. Everything is asked of the law and of the naive oracle at once. Turns are named as in the source: ``B17``
is Black's 17th piece.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from narabe.tests.laws.gomocku_twin import Twin, names_of
from narabe.tests.oracles import lines
from narabe.tests.oracles.gomocku import BLACK, STEPS, WHITE

GAME = json.loads((Path(__file__).parents[1] / "data" / "gomocku_worked_game.json").read_text())
TURNS = GAME["turns"]


@cache
def _after(pieces: int) -> Twin:
    """The first so many pieces of phase 1, Black and White in turn (checked once, then copied)."""
    twin = Twin.start()
    twin.cells = 0
    for turn in range(pieces):
        twin.place(GAME[("black", "white")[turn % 2]][turn // 2])
    twin.cells = None
    return twin.check()


def after(pieces: int) -> Twin:
    return _after(pieces).copy()


def asked(twin: Twin, turn: str) -> Twin:
    """The piece of a turn of phase 2 is placed; the choice of flips is still to come."""
    return twin.copy().place(TURNS[turn]["cell"])


def flip(twin: Twin, turn: str, backs: str, count: int | None = None) -> Twin:
    """The turn with all its flips, or the first ``count`` of them; ``backs`` in the order of the data file."""
    placed, chosen = asked(twin, turn), TURNS[turn]["flips"][:count]
    if placed.naive.placed is None:  # nothing may be turned
        return placed
    order = sorted(range(len(chosen)), key=lambda i: list(STEPS).index(chosen[i]))
    return placed.flip("+".join(chosen) or "none", "".join(backs[i] for i in order))


def completions(twin: Twin, side: str) -> list[str]:
    """Where a side, if it were to move, would make five by placing a piece."""
    naive = twin.naive if twin.naive.mover == side else replace(twin.naive, ply=twin.naive.ply + 1)
    free = [cell for cell in naive.cells() if cell not in naive.board]
    return [f"{'ABCDEFGHIJKLMNO'[c]}{r + 1}" for c, r in free if naive.with_piece((c, r)).makes_five((c, r))]


# ---- phase 1 ---------------------------------------------------------------------------------------------------------


def test_blacks_6th_piece_is_refused_between_two_open_threes() -> None:
    assert after(10).check_fault(after(10).naive.cell(GAME["double_three_at_6"])) == {"double three"}


def test_blacks_9th_piece_may_make_a_four_and_a_three() -> None:
    twin, cell = after(16), GAME["four_three_at_9"]
    assert twin.check_fault(twin.naive.cell(cell)) == set()
    made = twin.place(cell)
    rules = lines.Rules(exact=True)
    board = [{None: 0, BLACK: 1, WHITE: 2}[made.naive.shown(each)] for each in made.naive.cells()]
    fours = [len(lines.fours(rules, board, made.number(cell), d)) for d in lines.DIRECTIONS]
    threes = [len(lines.open_threes(rules, board, made.number(cell), d)) for d in lines.DIRECTIONS]
    assert (sum(fours), sum(map(bool, threes))) == (1, 1)
    assert completions(made, BLACK)


def test_blacks_13th_piece_is_refused_where_it_makes_two_fours() -> None:
    assert after(24).check_fault(after(24).naive.cell(GAME["double_four_at_13"])) == {"double four"}


def test_thirty_pieces_are_placed_and_nobody_has_won() -> None:
    twin = after(30)
    assert not twin.state.is_over and twin.naive.second_phase and len(twin.naive.board) == 30


# ---- Gomocku Chance, one turn after the other --------------------------------------------------------------------------


def b16() -> Twin:
    return flip(after(30), "B16", "r")


def w16() -> Twin:
    return flip(b16(), "W16", "r")


def b17() -> Twin:
    """As after figure 24: one of the two flips stands, the one in the long row was put back."""
    return flip(w16(), "B17", "cc")


def w17() -> Twin:
    return flip(b17(), "W17", "c")


def b18() -> Twin:
    return flip(w17(), "B18", "r")


def w18() -> Twin:
    return flip(b18(), "W18", "")


def b19() -> Twin:
    return flip(w18(), "B19", "r", count=1)


def w19() -> Twin:
    return flip(b19(), "W19", "")


def test_b16_a_hit_wins_and_a_miss_goes_on() -> None:
    assert flip(after(30), "B16", "c").winner == BLACK
    assert b16().winner is None and b16().score() == (1, 1, 0, 0)


def test_w16_a_hit_wins_and_a_miss_goes_on() -> None:
    assert flip(b16(), "W16", "c").winner == WHITE
    assert w16().winner is None and w16().score() == (1, 1, 1, 1)


def test_b17_two_at_once_both_missed() -> None:
    missed = flip(w16(), "B17", "rr")
    assert missed.naive.last == "nothing" and missed.score() == (3, 3, 1, 1)


def test_b17_two_hits_make_a_row_too_long_and_only_the_piece_in_it_is_put_back() -> None:
    twin = b17()
    long_row, stands = TURNS["B17"]["flips"]
    assert (twin.naive.last, twin.naive.put_back) == ("foul", (long_row,))
    placed = twin.naive.cell(TURNS["B17"]["cell"])
    assert twin.sign(twin.naive.toward(placed, long_row)) == "C"
    assert twin.sign(twin.naive.toward(placed, stands)) == "b"
    assert twin.naive.mover == WHITE and twin.score() == (2, 1, 1, 1)


def test_w17_turns_one_piece_and_has_a_broken_four() -> None:
    twin = w17()
    assert twin.score() == (2, 1, 2, 1)
    assert completions(twin, WHITE) == [TURNS["B18"]["cell"]]


def test_b18_blocks_the_broken_four_and_another_hit_would_be_too_long() -> None:
    hit = flip(w17(), "B18", "c")
    assert hit.naive.last == "foul" and hit.naive.put_back == tuple(TURNS["B18"]["flips"])
    assert hit.score()[:2] == (2, 1) and not completions(hit, WHITE)
    assert b18().score() == (3, 2, 2, 1) and not completions(b18(), WHITE)


def test_w18_turns_nothing_and_makes_a_four() -> None:
    assert completions(w18(), WHITE) and w18().score() == (3, 2, 2, 1)


def test_b19_breaks_the_four_with_a_flip_and_a_hit_wins_as_well() -> None:
    placed = asked(w18(), "B19")
    assert TURNS["B19"]["cell"] not in completions(w18(), WHITE)  # the flip blocks, not the piece
    assert flip(w18(), "B19", "c", count=1).winner == BLACK
    assert b19().winner is None and not completions(b19(), WHITE)
    assert completions(placed.flip("none"), WHITE)


def test_b19_could_have_turned_one_more() -> None:
    assert names_of(asked(w18(), "B19").flippable) == set(TURNS["B19"]["flips"])
    assert b19().score() == (4, 3, 2, 1)


def test_w19_makes_a_four_again() -> None:
    assert completions(w19(), WHITE) and w19().score() == (4, 3, 2, 1)


def test_b20_gambles_and_wins_or_white_makes_five_with_the_last_piece() -> None:
    assert flip(w19(), "B20a", "c").winner == BLACK
    missed = flip(w19(), "B20a", "r")
    assert missed.winner is None
    last = missed.place(completions(missed, WHITE)[0])
    assert (last.winner, last.reason, last.state.ply) == (WHITE, "five in a row", 40)


@pytest.mark.parametrize("back", ["c", "r"])
def test_b20_blocks_by_a_flip_instead_and_black_wins_by_five_flips_to_three(back: str) -> None:
    blocked = flip(w19(), "B20b", "c")
    assert blocked.winner is None and not completions(blocked, WHITE)
    over = flip(blocked, "W20", back)
    assert over.state.is_over and over.state.ply == 40
    assert (over.score()[0], over.score()[2]) == (5, 3)
    assert (over.winner, over.reason) == (BLACK, "more pieces flipped")
