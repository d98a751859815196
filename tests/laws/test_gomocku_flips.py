"""Gomocku Chance: what may be turned over, and what a turned piece is, with the board beside the answer.

Everything is asked of the law and of the naive oracle at once.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narabe.envs.game import IllegalMove
from narabe.tests.laws.gomocku_twin import Twin, text_of
from narabe.tests.oracles.gomocku import BLACK, COLOURED, RED, STEPS, WHITE

LINES = json.loads((Path(__file__).parents[1] / "data" / "gomocku_lines.json").read_text())["cases"]
OPPOSITE = {"E": "W", "N": "S", "NE": "SW", "NW": "SE", "W": "E", "S": "N", "SW": "NE", "SE": "NW"}


def around(line: str, direction: str, mover: str) -> Twin:
    """A line of cells around the middle of 11x11, its left part in a direction."""
    rows = [["."] * 11 for _ in range(11)]
    left, right = line.split(".")
    for part, way in ((left[::-1], direction), (right, OPPOSITE[direction])):
        for distance, letter in enumerate(part, start=1):
            rows[10 - (5 + distance * STEPS[way][1])][5 + distance * STEPS[way][0]] = letter
    return Twin.board("\n".join("".join(row) for row in rows), mover)


@pytest.mark.parametrize("direction", STEPS)
@pytest.mark.parametrize("case", LINES, ids=lambda case: case["line"])
def test_what_a_line_of_cells_lets_turn(case: dict, direction: str) -> None:
    """The cases of the source's text and of the decided questions, in all eight directions."""
    expected = [direction] * case["left"] + [OPPOSITE[direction]] * case["right"]
    assert around(case["line"], direction, case["mover"]).place("F6").flippable == text_of(expected)


def test_phase_1_turns_nothing() -> None:
    twin = Twin.board("..........\n.BW*......\n..........", BLACK, phase=1).place("D2")
    assert twin.flippable == "none" and twin.naive.mover == WHITE


def test_phase_2_begins_with_ply_31() -> None:
    """The last piece of phase 1 turns nothing, the first of phase 2 does."""
    diagram = "..........\n.BWB.WB...\n.........."
    assert Twin.board(diagram, ply=29).place("E2").flippable == "none"  # White's 15th, between B and W
    assert Twin.board(diagram, ply=30).place("E2").flippable == "E"


ROSE = """
    B . B . B
    . W W W .
    B W * W B
    . W W W .
    B . B . B
    """


def test_all_eight_directions_at_once() -> None:
    twin = Twin.board(ROSE).place("C3")
    assert twin.flippable == "E+N+NE+NW+W+S+SW+SE"
    after = twin.flip("E+N+NE+NW+W+S+SW+SE", "rrrrrrrr")
    assert after.score() == (8, 8, 0, 0)


def test_any_subset_may_be_turned_none_included() -> None:
    asked = Twin.board(ROSE).place("C3")
    assert len(asked.state.legal_actions()) == 256
    assert asked.copy().flip("none").score() == (0, 0, 0, 0)
    after = asked.copy().flip("N+SE", "rc")
    assert (after.sign("C4"), after.sign("D2")) == ("R", "b")
    assert after.sign("D3") == "W"


def test_must_flip_asks_for_at_least_one_where_one_may_be_turned() -> None:
    asked = Twin.board(ROSE, must_flip=True).place("C3")
    assert len(asked.state.legal_actions()) == 255
    with pytest.raises(IllegalMove):
        asked.state.play("none")
    free = Twin.board(ROSE.replace("B W *", "W W *"), must_flip=True)
    assert free.place("A2").naive.mover == WHITE  # nothing to turn: nothing is asked


def test_only_subsets_of_the_flippable_directions_are_legal() -> None:
    asked = Twin.board("..........\n.BW*......\n..........").place("D2")
    cells = asked.state.game.options["width"] * asked.state.game.options["height"]
    assert asked.state.legal_actions().tolist() == [cells, cells + 16]
    assert asked.state.why_illegal("E") is not None and asked.state.why_illegal("W") is None


def test_a_turned_piece_shows_the_movers_colour_or_red() -> None:
    """Black turns to black or red, White to white or red."""
    black = Twin.board("..........\n.BW*......\n..........").place("D2")
    assert black.copy().flip("W", "c").shows("C2") == BLACK
    assert black.copy().flip("W", "r").shows("C2") == RED
    white = Twin.board("..........\n.WB*......\n..........", WHITE).place("D2")
    assert white.copy().flip("W", "c").shows("C2") == WHITE
    assert white.copy().flip("W", "r").shows("C2") == RED


def test_a_piece_turned_to_the_movers_colour_brackets_from_then_on() -> None:
    """C2 was turned black; White's D3 then stands between it and Black's E4."""
    twin = Twin.board("..........\n..........\n...W......\n.BW*......\n..........")
    turned = twin.copy().place("D2").flip("W", "c").place("J1")
    assert turned.place("E4").flippable == "SW"
    red = twin.copy().place("D2").flip("W", "r").place("J1")
    assert red.place("E4").flippable == "none"


@pytest.mark.parametrize(
    ("line", "mover"), [("Wb*", WHITE), ("wr*", WHITE), ("Wr*", WHITE), ("Bw*", BLACK), ("bb*", BLACK), ("BR*", BLACK)]
)
def test_a_turned_piece_is_never_turned_again_by_either_side(line: str, mover: str) -> None:
    """Neither back by its owner nor once more by the one who turned it."""
    assert Twin.board(f"..........\n.{line}......\n..........", mover).place("D2").flippable == "none"


def test_a_piece_placed_between_two_enemies_is_safe_now_and_may_be_sandwiched_later() -> None:
    twin = Twin.board("..........\n.W*W......\n..........".replace("*", ".")).place("C2")
    assert twin.naive.mover == WHITE and twin.sign("C2") == "B"
    again = twin.place("A1").place("H1")
    assert again.sign("C2") == "B"  # only the piece just placed turns its neighbours
    fresh = Twin.board("..........\n..BW......\n..........", WHITE).place("B2")
    assert fresh.flippable == "E"


def test_pieces_placed_in_phase_2_may_be_turned_as_any_other() -> None:
    twin = Twin.board("..........\n.W........\n..........").place("C2").place("D2")
    assert twin.flippable == "W"
    assert twin.flip("W", "c").sign("C2") == "w"


def test_two_in_a_row_stay_though_they_were_placed_in_phase_2() -> None:
    twin = Twin.board("..........\n.W.B......\n..........").place("C2").place("E2")
    assert twin.flippable == "none"


def test_red_blocks_every_line() -> None:
    """With red in the row, four stay four for both sides."""
    diagram = "..........\n.BBRBB*...\n..........".replace("*", ".")
    assert Twin.board(diagram).place("G2").winner is None
    assert Twin.board(diagram.translate(str.maketrans("BR", "Wr")), WHITE).place("G2").winner is None


def test_a_red_piece_is_no_row_of_its_own() -> None:
    """Five reds in a row are nothing, whoever turned them."""
    twin = Twin.board("..........\nBW*RRRR...\n..........".replace("*", ".")).place("C2").flip("W", "r")
    assert twin.winner is None and twin.score() == (5, 5, 0, 0)


# ---- knowledge -------------------------------------------------------------------------------------------------------


def test_backs_are_seen_one_after_the_other_in_the_order_of_the_directions() -> None:
    """E, NE, W, however the choice was written."""
    asked = Twin.board(ROSE).place("C3")
    asked.state.play("W+E+NE")
    for colour in (RED, COLOURED, RED):
        assert asked.state.to_play == -1
        asked.state.play(colour)
    n = asked.state.game.num_actions
    assert asked.state.history[-3:] == [n, n + 1, n]
    asked.naive = asked.naive.flip({"E", "NE", "W"}, [RED, COLOURED, RED])
    asked.check()
    assert (asked.sign("D3"), asked.sign("D4"), asked.sign("B3")) == ("R", "b", "R")


def test_a_piece_put_back_is_turned_again_without_chance() -> None:
    asked = Twin.board("..........\n.BC*......\n..........").place("D2")
    after = asked.flip("W")
    assert after.sign("C2") == "b" and after.state.to_play == 1
    red = Twin.board("..........\n.BD*WB....\n..........").place("D2").flip("W+E", "c")
    assert (red.sign("C2"), red.sign("E2")) == ("R", "b")


def test_no_back_is_left_when_all_coloured_ones_were_seen() -> None:
    """One coloured back a side, and it lies on the board: the next one is red for certain."""
    asked = Twin.board("..........\nbBW*......\n..........", coloured=1).place("D2")
    asked.state.play("W")
    assert asked.state.why_illegal("coloured") is not None
    assert asked.state.why_illegal("red") is None
