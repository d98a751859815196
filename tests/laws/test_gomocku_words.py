"""Gomocku in words: names of actions, reasons of refusals, set-up positions and options that make no sense."""

from __future__ import annotations

import random

import pytest

from narabe.envs import State, game
from narabe.envs.game import IllegalMove
from narabe.tests.laws.gomocku_play import naive_options, scatter
from narabe.tests.laws.gomocku_twin import Twin, mask_of, set_up, signs, text_of
from narabe.tests.oracles.gomocku import STEPS

CELLS = 225


def test_the_names_of_actions_and_outcomes() -> None:
    made = game("gomocku")
    assert made.num_actions == CELLS + 257
    assert made.text_of(112) == "H8" and made.action_of("h8") == 112
    assert made.text_of(CELLS) == "none" and made.action_of("none") == CELLS
    assert made.text_of(CELLS + 256) == "pass" and made.action_of("pass") == CELLS + 256
    assert [made.text_of(made.num_actions + i) for i in (0, 1)] == ["red", "coloured"]
    assert [made.action_of(word) - made.num_actions for word in ("red", "coloured")] == [0, 1]


def test_every_set_of_directions_has_a_name_that_is_read_back() -> None:
    made = game("gomocku")
    for mask in range(256):
        chosen = [d for i, d in enumerate(STEPS) if mask >> i & 1]
        assert made.text_of(CELLS + mask) == text_of(chosen)
        assert made.action_of(text_of(chosen)) == CELLS + mask == CELLS + mask_of(chosen)
    assert made.action_of("NW+E") == made.action_of("E+NW")


def test_a_letter_and_a_number_is_a_cell_and_a_letter_alone_a_direction() -> None:
    made = game("gomocku")
    assert made.action_of("E1") == 4 and made.action_of("E") == CELLS + 1
    for text in ("E+E", "H8+E", "up", "Z9", ""):
        with pytest.raises(ValueError):
            made.action_of(text)


def test_the_outcomes_of_chance_are_no_moves_and_moves_no_outcomes() -> None:
    asked = Twin.board("..........\n.BW*......\n..........").place("D2").state
    assert asked.why_illegal("red") is not None
    due = asked.play("W")
    for move in ("H1", "none", "W", "pass"):
        assert due.why_illegal(move) is not None
    assert due.legal_actions().tolist() == []


def test_why_a_choice_is_refused() -> None:
    asked = Twin.board("..........\n.BW*......\n..........", must_flip=True).place("D2").state
    assert "turn" in (asked.why_illegal("A1") or "")
    assert "N" in (asked.why_illegal("N+W") or "")
    assert "at least one" in (asked.why_illegal("none") or "")


def test_why_a_placement_is_refused() -> None:
    state = game("gomocku").position(black="H8", white="I8")
    assert "occupied" in (state.why_illegal("H8") or "")
    for move in ("E", "none", "pass", "A16", "P1"):
        assert state.why_illegal(move) is not None
    over = Twin.board("BBBB*.\n......\n......").place("E3").state
    assert "over" in (over.why_illegal("A1") or "")


@pytest.mark.parametrize(
    "pieces",
    [
        {"black": "H8", "white": "H8"},
        {"known_red": "H8"},
        {"turned_black": "H8", "known_coloured": "H8"},
        {"black": "P1"},
        {"black": "H8", "ply": 41},
        {"black": "H8", "ply": -1},
        {"black": " ".join(f"{c}{r}" for c in "ABCDEFG" for r in (1, 3, 5))},  # 21 pieces
        {"turned_black": " ".join(f"{c}{r}" for c in "ACE" for r in (1, 3, 5))},  # nine coloured backs of eight
        {"red_white": " ".join(f"{c}{r}" for c in "ACEGI" for r in (1, 3, 5))},  # fifteen red ones of twelve
    ],
    ids=str,
)
def test_positions_that_cannot_be_are_refused(pieces: dict) -> None:
    with pytest.raises(ValueError):
        game("gomocku").position(**pieces)


@pytest.mark.parametrize(
    "options",
    [
        {"stones": 0}, {"chance": 0}, {"stones": 16, "chance": 5}, {"coloured": 21}, {"coloured": -1}, {"bans": "white"},
        {"phase2_bans": "none"}, {"foul_restores": "some"}, {"deal": "open"}, {"size": 21},
        {"stones": 4, "chance": 4, "coloured": 9},
    ],
    ids=str,
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(options: dict) -> None:
    with pytest.raises(ValueError):
        game("gomocku", **options)


def test_the_side_to_move_follows_the_ply_which_defaults_to_the_number_of_pieces() -> None:
    made = game("gomocku")
    assert (made.position(black="H8").to_play, made.position(black="H8").ply) == (1, 1)
    assert made.position(black="H8", white="I8").to_play == 0
    assert made.position(black="H8", ply=30).to_play == 0
    counted = made.position(black="H8", turned_black="A1", red_black="B1", white="C1", known_red="C1")
    assert counted.ply == 4


def test_a_five_of_the_side_that_moved_last_ends_a_set_up() -> None:
    made = game("gomocku")
    row = "A1 B1 C1 D1 E1"
    assert made.position(black=row, ply=31).payoffs == (1.0, -1.0)
    assert not made.position(black=row, ply=30).is_over
    assert not made.position(black=row + " F1", ply=31).is_over


def test_undo_stops_at_a_set_up() -> None:
    state = game("gomocku").position(black="H8", ply=30)
    with pytest.raises(IllegalMove):
        state.undo()
    assert state.play("A1").undo().to_text() == game("gomocku").position(black="H8", ply=30).to_text()


def test_set_up_positions_read_back_from_their_text() -> None:
    """Pieces of every kind, known backs and the ply."""
    made = game("gomocku", size=8, coloured=15)
    for seed in range(40):
        naive, _ = scatter(naive_options(made), random.Random(seed))
        state = set_up(made, naive)
        again = made.from_text(state.to_text())
        assert again.to_text() == state.to_text() and signs(again) == str(naive)
        assert again.key == state.key and again == state


def test_taking_back_a_move_takes_back_its_chance() -> None:
    """`undo` of a state that plays chance by itself goes back to the choice, then to the cell."""
    made = game("gomocku", size=7)
    state = made.from_text(made.position(black="B2 D3", white="C2", ply=30).to_text())
    start = state.to_text()
    state.play("D2").play("W")
    assert state.ply == 31
    state.undo()
    assert state.to_play == 0 and state.ply == 30 and state.why_illegal("W") is None
    assert state.undo().to_text() == start


def test_bytes_keep_what_chance_showed() -> None:
    state = game("gomocku", size=7).start(seed=3)
    rng = random.Random(3)
    while not state.is_over:
        state.play(int(rng.choice(state.legal_actions())))
    again = State.from_bytes(state.to_bytes())
    assert again.to_text() == state.to_text() and again.history == state.history


@pytest.mark.parametrize(
    ("deal", "complaint"),
    [
        ("0,3,-1,-1", "0 does not name 2 of 4 pieces"),
        ("3,48,-1,-1", "48 does not name 2 of 4 pieces"),
        ("3,3,2,0", "orders of the piles from 0 to 1"),
    ],
)
def test_a_physical_deal_that_cannot_be_is_refused(deal: str, complaint: str) -> None:
    small = game("gomocku", size=5, stones=2, chance=2, coloured=2, deal="physical")
    with pytest.raises(ValueError, match=complaint):
        small.from_text(f"5/5/5/5/5 0 piles - {deal}")
    with pytest.raises(ValueError, match="are different"):
        small.from_text("5/5/5/5/xox2 3 - - 3,3,0,0,1,0,1")
    with pytest.raises(ValueError, match="another back"):
        small.from_text("5/5/5/5/Ko3 2 - - 3,3,0,0,0,0")
