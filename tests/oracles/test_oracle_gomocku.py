"""The naive oracle of Gomocku against cases of the rules and against counting by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from narabe.tests.oracles.gomocku import (
    BLACK,
    COLOURED,
    RED,
    SIGNS,
    STEPS,
    WHITE,
    IllegalMove,
    Options,
    Position,
    all_deals,
    dealt_backs,
    from_diagram,
    marks,
    pile_orders,
)

DATA = Path(__file__).parents[1] / "data"
LINES = json.loads((DATA / "gomocku_lines.json").read_text())["cases"]
OPPOSITE = {"E": "W", "N": "S", "NE": "SW", "NW": "SE", "W": "E", "S": "N", "SW": "NE", "SE": "NW"}


def around(line: str, direction: str, mover: str) -> Position:
    """A line of cells around the middle of 15x15, its left part in a direction."""
    left, right = line.split(".")
    board = {}
    for part, way in ((left[::-1], direction), (right, OPPOSITE[direction])):
        for distance, letter in enumerate(part, start=1):
            if letter in SIGNS:
                step = STEPS[way]
                board[7 + distance * step[0], 7 + distance * step[1]] = SIGNS[letter]
    return Position(Options(), board, ply=30 + (mover == WHITE))


@pytest.mark.parametrize("direction", STEPS)
@pytest.mark.parametrize("case", LINES, ids=lambda case: case["line"])
def test_what_a_line_of_cells_lets_turn(case, direction):
    asked = around(case["line"], direction, case["mover"]).place("H8")
    expected = {direction} if case["left"] else set()
    expected |= {OPPOSITE[direction]} if case["right"] else set()
    assert set(asked.flippable()) == expected


def test_a_five_wins_in_either_phase_before_anything_is_turned():
    diagram = """
        . . . . . .
        B B B B * W
        . . . . . B
        . . . . . .
        . . . . . .
        . . . . . ."""
    for ply in (8, 30):
        after = from_diagram(diagram, ply).place(marks(diagram)["*"])
        assert (after.winner, after.reason, after.placed) == (BLACK, "five in a row", None)


def test_a_foul_puts_back_what_lies_in_the_long_row_only():
    diagram = """
        . . . . . . .
        . . . . B . .
        . . . . W . .
        B B B W * B .
        . . . . . . .
        . . . . . . .
        . . . . . . ."""
    asked = from_diagram(diagram, 30).place(marks(diagram)["*"])
    assert asked.flippable() == ("N", "W")
    after = asked.flip({"N", "W"}, [COLOURED, COLOURED])
    assert (after.last, after.put_back, after.mover) == ("foul", ("W",), WHITE)
    assert str(after).splitlines()[2:4] == [". . . . b . .", "B B B C B B ."]
    assert after.score(BLACK) == (1, 0)
    everything = from_diagram(diagram, 30, foul_restores="all").place("E4").flip({"N", "W"}, [RED, COLOURED])
    assert everything.put_back == ("N", "W") and everything.score(BLACK) == (0, 0)
    assert everything.unseen(WHITE) == (7, 11)
    two_reds = asked.flip({"N", "W"}, [COLOURED, RED])
    assert (two_reds.last, two_reds.score(BLACK)) == ("nothing", (2, 1))


def test_the_pass_comes_only_where_no_point_is_legal():
    options = Options(width=3, height=3, stones=4, chance=1)
    position = Position.start(options)
    with pytest.raises(IllegalMove):
        position.pass_piece()
    for cell in range(9):
        position = position.place(cell)
        if position.placed is not None:
            position = position.flip(())
    assert position.must_pass
    over = position.pass_piece()
    assert over.is_over and (over.winner, over.reason) == (None, "equal score")


def test_a_bracketed_set_is_any_subset_or_with_must_flip_a_filled_one():
    free, bound = (
        from_diagram("B W * W B", 30, must_flip=must, coloured=8).place("C1").flip_sets() for must in (False, True)
    )
    assert set(free) == {frozenset(s) for n in range(3) for s in combinations(("E", "W"), n)}
    assert set(free) - set(bound) == {frozenset()}


def test_one_flip_is_coloured_as_often_as_the_deals_say():
    """The pools of unseen backs against every deal of 8 coloured backs among 20 pieces."""
    asked = from_diagram("B W * W B", 30).place("C1")
    deals = [backs for backs, _ in all_deals(Options())]
    assert len(deals) == comb(20, 8)
    counted = {}
    for backs in deals:
        counted[tuple(backs[:2])] = counted.get(tuple(backs[:2]), 0) + 1
    assert asked.odds({"E", "W"}) == {key: Fraction(n, len(deals)) for key, n in counted.items()}


def test_a_known_back_is_certain_and_leaves_the_pool():
    asked = from_diagram("B C * W B", 30).place("C1")
    assert asked.odds({"W"}) == {(): Fraction(1)}
    assert asked.odds({"E"}) == {(COLOURED,): Fraction(7, 19), (RED,): Fraction(12, 19)}
    assert str(asked.flip({"W"})) == "B b B W B"


def test_piles_go_to_slots_and_are_used_from_the_top():
    options = Options(stones=4, chance=2, coloured=2)
    assert len(pile_orders(options)) == 6
    # pile 0 has a coloured top, pile 2 a coloured bottom
    backs = dealt_backs(options, 0b10_00_01, (2, 1, 0))
    assert backs == [RED, COLOURED, RED, RED, COLOURED, RED]
