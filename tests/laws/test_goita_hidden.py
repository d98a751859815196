"""What lies hidden in Goita: no seat can tell a redealt position from the true one, and every one of them is as likely."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from narabe.agents import make
from narabe.envs import State, View
from narabe.envs.faces.goita import deal_outcome, hand_text
from narabe.envs.rules import core
from narabe.envs.rules.random import new_stream
from narabe.tests.laws.goita_games import fit
from narabe.tests.laws.goita_kernels import count_faults, redeal_keys
from narabe.tests.laws.goita_traces import SETS, traced
from narabe.tests.laws.goita_twin import FIRST, Twin, made_for, read, words_of
from narabe.tests.oracles.goita import Position, number_of

GAMES = {"goita": 10_000, "choice of the holder": 100}  # random games; else 200
AGENTS = ("random", "greedy")
CHANCE = 1e-4  # of a good law to fail a test by bad luck


def faults_of(name: str) -> np.ndarray:
    """`count_faults` of random games."""
    made = made_for(SETS[name])
    states = core.new_states(made.law, 4)
    states[0] = made.start(chance="manual").record[0]
    raw = states.view(np.uint8).reshape(4, -1)
    planes = np.zeros((2, *made.observation_shape), np.int8)
    masks, faults = np.zeros((2, made.num_actions), np.bool_), np.zeros(5, np.int64)
    views = count_faults(states, raw, planes, masks, GAMES.get(name, 200), new_stream(1), faults)
    assert views > 1000 and faults[4] < 0.9 * views
    return faults[:4]


@pytest.mark.parametrize("name", SETS)
def test_a_redeal_changes_nothing_that_the_player_sees(name: str) -> None:
    """At every step, every seat: observation, key, turn, legal actions; and truths that it cannot tell apart become one."""
    assert not faults_of(name).any()


def test_a_view_of_a_deal_in_which_a_shown_king_was_laid_last() -> None:
    """The king lies open then, and there is no other place where it is known to be."""
    twin = Twin.line("1126,1188,1126,1122,s2,218,3p,4p,1p,281", specials="off")
    view = twin.state.view(0)
    assert [hand_text(hand) for hand in view.record["start_hand"][0].tolist()][:2] == ["1126", "1188"]


# ---- the layouts that a seat holds possible --------------------------------------------------------------------------


def actions_of(position: Position) -> list[int]:
    """The law's actions up to an oracle's position in its first deal."""
    moves = [number_of(event.move) for event in position.log]
    return [FIRST | position.dealer, deal_outcome(words_of(position.start)), *moves]


def identity(position: Position) -> tuple[int, ...]:
    """The law's keys of what each seat knows: together they name the deal and all that lies face down."""
    return tuple(traced(position.options, actions_of(position)).keys[-1].tolist())


def state_of(position: Position) -> State:
    """The law's state."""
    state = made_for(position.options).start(chance="manual")
    for action in actions_of(position):
        state.play(action)
    return state


FOURS, SIXES = "1128,1166,1122,1128", "111244,112288,111244,111222"
EIGHTS = "11122334,11111223,11123344,11112233"  # seat 1 holds five
CASES = {  # hands; dealer; moves; options but specials=off where not four hold eight; the seat that looks
    "before the first play": (FOURS, 0, "", {}, 1),
    "a card laid": (FOURS, 0, "11 p", {}, 2),
    "three cards laid": (FOURS, 3, "12 p p 21 p p p", {}, 1),
    "a king shown in hand": ("1126,1188,1126,1122", 1, "18 p p", {}, 0),
    "a king shown, then a card laid": (SIXES, 1, "18 p p p 21", {}, 0),
    "the shown king laid": (SIXES, 1, "18 p p p 81", {}, 3),
    "a king laid and opened": ("1126,1188,1126,1122", 1, "88 p", {}, 3),
    "a king of which the other was laid": (SIXES, 1, "81 p p p 18", {"king_attack_after_burying": True}, 3),
    "one of two cards laid was a king": (
        "11112488,11112244", 0, "14 p 81 p 18", {"king_attack_after_burying": True}, 1,
    ),
    "seat to be asked": (EIGHTS, 0, "", {}, 1),
    "five kept silent": (EIGHTS, 0, "silent", {}, 0),
    "five kept silent, then a card laid": (EIGHTS, 1, "silent 21", {}, 2),
    "five announced": (EIGHTS, 0, "announce on", {}, 0),
    "an answer to an announcement": (EIGHTS, 2, "announce", {}, 3),
    "five announced, a card laid": (EIGHTS, 1, "announce on 12", {}, 2),
    "five announced, two shi shown": (EIGHTS, 1, "announce on 11 11", {}, 3),
    "five kept silent by the holder": (EIGHTS, 3, "silent", {"five_shi": "holder"}, 3),
    "no five": ("11122334,11112223,11112344,11112333", 0, "", {"no_five_shi": True}, 0),
    "five dealt anew": ("11122334,11112223,11112344,11112333", 0, "", {"auto_redeal": True}, 0),
    "six kept silent": ("11122334,11111123,11223344,11112233", 0, "silent", {"specials": "choice"}, 0),
    "five announced, perhaps five beside": (EIGHTS, 0, "announce on", {"specials": "choice"}, 2),
}  # fmt: skip


def position_of(name: str) -> tuple[Position, int]:
    """The position of a case and the seat that looks."""
    hands, dealer, moves, options, seat = CASES[name]
    if [len(hand) for hand in hands.split(",")] != [8, 8, 8, 8]:
        options = {"specials": "off", **options}
    position = Position.of_line(f"{hands},s{dealer + 1}", **options)
    for move in map(read, moves.split()):
        position = position.play(move if isinstance(move, str) else number_of(move))
    return position, seat


@pytest.mark.parametrize("name", CASES)
def test_every_layout_is_as_likely_as_it_should_be(name: str) -> None:
    """A chi-square over all that the seat holds possible, which may not come up if the oracle says that it cannot be."""
    position, seat = position_of(name)
    layouts = [(identity(other), ways) for other, ways in position.layouts(seat)]
    weights = dict(layouts)
    assert len(weights) == len(layouts) > 5 and identity(position) in weights
    found = Counter(map(tuple, drawn_anew(state_of(position), seat, 40_000).tolist()))
    assert fit(found, weights) > CHANCE


def drawn_anew(truth: State, seat: int, draws: int) -> np.ndarray:
    """The keys of all seats, of so many redeals."""
    states, keys = core.new_states(truth.game.law, 2), np.zeros((draws, truth.game.num_players), np.uint64)
    states[0] = truth.record[0]
    redeal_keys(states, seat + 1, keys, new_stream(6))
    return keys


@pytest.mark.parametrize(
    "name", ["a card laid", "a king shown, then a card laid", "five announced, a card laid", "six kept silent"]
)
def test_truths_that_a_seat_cannot_tell_apart_are_dealt_anew_into_one(name: str) -> None:
    """Some of the layouts that the oracle counts out, each as the truth: equal views, seen actions, answers of agents."""
    position, seat = position_of(name)
    truths = [state_of(other) for other, _ in position.layouts(seat)]
    truths = random.Random(name).sample(truths, 12)
    views = [truth.view(seat, seed=3) for truth in truths]
    assert len({truth.to_text() for truth in truths}) == len(truths)
    assert all(not core.differences(view.record, views[0].record) for view in views)
    assert len({view.seen for view in views}) == 1 and len({view.state().to_text() for view in views}) == 1
    if position.turn == seat:
        for spec in AGENTS:
            assert len({answer(spec, view) for view in views}) == 1


def answer(spec: str, view: View) -> tuple[int, bytes]:
    """What an agent chooses on a view, and with what probabilities."""
    agent = make(spec, view.game)
    agent.new_game(view.seat, 7)
    for action in view.seen:
        agent.tell(action)
    chosen = agent.choose([view])[0]
    return chosen.action, chosen.policy.tobytes()
