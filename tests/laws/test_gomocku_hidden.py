"""What lies hidden in a physical deal of Gomocku: nobody sees a back before it is turned, and no view tells one."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narabe.envs import State, check_game, game
from narabe.envs.rules import core
from narabe.tests.laws.gomocku_physical import Physical, likely_action, options_of, random_deal
from narabe.tests.oracles.gomocku import COLOURED, dealt_backs

PHYSICAL = {
    "small": {"size": 5, "stones": 4, "chance": 4, "coloured": 3},
    "three piles": {"size": 6, "stones": 6, "chance": 3, "coloured": 4},
    "as in the source": {"size": 7},
}
FACE_DOWN = 2
seeds = st.integers(0, 10_000)


@pytest.mark.parametrize("name", PHYSICAL)
@settings(max_examples=15)
@given(seed=seeds)
def test_no_seat_can_tell_apart_two_deals_that_agree_on_what_was_seen(name: str, seed: int) -> None:
    """Observations, what is seen of every action, legal actions and views are equal all along the game."""
    played = Physical(game("gomocku", deal="physical", **PHYSICAL[name]), seed)
    truths = [*played.states, played.state]
    for truth, other in zip(truths, played.under(played.another_deal()), strict=True):
        assert truth.to_play == other.to_play
        assert truth.legal_actions().tolist() == other.legal_actions().tolist()
        for seat in (0, 1):
            assert np.array_equal(truth.observe(seat), other.observe(seat))
            assert truth.seen(seat) == other.seen(seat)
            mine, theirs = truth.view(seat, seed=1), other.view(seat, seed=1)
            assert core.differences(mine.record, theirs.record) == []
            assert mine.seen == theirs.seen and mine.state().to_text() == theirs.state().to_text()


@pytest.mark.parametrize("name", PHYSICAL)
@settings(max_examples=15)
@given(seed=seeds)
def test_every_back_is_the_one_that_was_dealt(name: str, seed: int) -> None:
    """Piles go to slots as they were laid out, and pieces are used slot by slot from the top."""
    played = Physical(game("gomocku", deal="physical", **PHYSICAL[name]), seed)
    masks = played.truth & 0xFFFFF, played.truth >> 20 & 0xFFFFF
    for side in (0, 1):
        backs = dealt_backs(played.options, masks[side], played.orders[1 - side])
        for (owner, number), coloured in played.known.items():
            if owner == side:
                assert (backs[number] == COLOURED) == coloured


def test_the_property_above_meets_games_with_many_flips() -> None:
    assert sum(len(Physical(game("gomocku", size=7, deal="physical"), seed).known) for seed in range(20)) > 40


@pytest.mark.parametrize("name", PHYSICAL)
def test_a_view_holds_no_deal(name: str) -> None:
    """Neither masks nor a sign that there is a deal are left in its record; its text says nothing of it either."""
    for seed in range(5):
        played = Physical(game("gomocku", deal="physical", **PHYSICAL[name]), seed, plies=14)
        for state in played.states[1:]:
            assert state.record["dealt"][0] == 1
            for seat in (0, 1):
                record = state.view(seat, seed=seed).record
                assert record["dealt"][0] == 0 and not record["hidden"][0].any() and record["hidden_key"][0] == 0


def test_a_view_may_be_played_on_and_its_backs_are_open() -> None:
    """In the view a back that is due may still be either, though the truth knows it."""
    made = game("gomocku", size=7, deal="physical")
    due = [state for seed in range(10) for state in Physical(made, seed).states if state.to_play == -1 and state.ply]
    open_backs = 0
    for state in due:
        view = state.view(0).state()
        view.chance = "manual"
        open_backs += sum(view.why_illegal(word) is None for word in ("red", "coloured")) == 2
        assert sum(state.why_illegal(word) is None for word in ("red", "coloured")) == 1
    assert open_backs > 20


def test_what_is_seen_of_the_deal_is_that_it_lies_face_down() -> None:
    made = game("gomocku", deal="physical")
    first, second = made.start(seed=1), made.start(seed=2)
    assert first.history != second.history
    for seat in (0, 1):
        assert first.seen(seat) == second.seen(seat) == (made.num_actions + FACE_DOWN,)


def test_what_is_seen_of_all_other_actions_is_all_of_them() -> None:
    played = Physical(game("gomocku", size=7, deal="physical"), seed=3)
    assert played.state.seen(0)[1:] == played.state.seen(1)[1:] == tuple(played.state.history[1:])


def test_the_key_of_a_deal_follows_the_deal_and_that_of_a_view_does_not() -> None:
    played = Physical(game("gomocku", size=7, deal="physical"), seed=4)
    *_, other = played.under(played.another_deal())
    assert other.record["hidden"].tolist() != played.state.record["hidden"].tolist()
    assert other.key != played.state.key
    assert other.view(0).state().key == played.state.view(0).state().key


LAWS = {
    "lazy": {}, "physical": {"deal": "physical"}, "small": {"size": 5, "stones": 3, "chance": 3, "coloured": 2},
    "small, physical": {"size": 5, "stones": 3, "chance": 3, "coloured": 2, "deal": "physical"},
    "three piles": {"size": 6, "stones": 8, "chance": 4, "deal": "physical"},
    "all coloured": {"size": 6, "stones": 2, "chance": 10, "coloured": 12},
    "every option": {
        "width": 6, "height": 8, "bans": "black", "phase2_bans": "all", "must_flip": True, "foul_restores": "all",
        "stones": 5, "chance": 15, "coloured": 15,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", LAWS)
def test_the_contract_of_a_law_is_kept(name: str) -> None:
    assert check_game(game("gomocku", **LAWS[name]), games=4, seed=1) > 20


@pytest.mark.parametrize("name", ["lazy", "physical", "small, physical"])
def test_texts_and_bytes_at_every_point_of_a_turn(name: str) -> None:
    """Also with a choice or a back due, and with the deal: the position read back goes on in the same way."""
    made = game("gomocku", **{"size": 7, **LAWS[name]})
    for seed in range(2):
        rng, state = random.Random(seed), made.start(seed=seed, chance="manual")
        while not state.is_over:
            if state.to_play == -1 and state.ply == 0:
                state.play(random_deal(options_of(made), rng))
                continue
            again = made.from_text(state.to_text())
            assert again.to_text() == state.to_text() and again.to_play == state.to_play
            assert again.legal_actions().tolist() == state.legal_actions().tolist()
            assert again.key == state.key
            for seat in (0, 1):
                assert np.array_equal(again.observe(seat), state.observe(seat))
            back = State.from_bytes(state.to_bytes())
            assert core.differences(back.record, state.record) == []
            if state.to_play == -1:
                words = [word for word in ("red", "coloured") if state.why_illegal(word) is None]
                assert words == [word for word in ("red", "coloured") if again.why_illegal(word) is None]
                state.play(rng.choice(words))
            else:
                state.play(likely_action(state, rng))
