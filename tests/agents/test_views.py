"""Views hold nothing that their seat may not know, so no agent can use it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from narabe.agents import make
from narabe.envs import State
from narabe.envs.rules import calls, core
from narabe.envs.rules.random import new_stream
from narabe.tests.games import game_of, poker

CARDS = 5
GAME = game_of(poker, cards=CARDS)
LINES = ([], [poker.PASS], [poker.BET], [poker.PASS, poker.BET])  # the seat to play alternates
every_line = pytest.mark.parametrize("line", LINES)


def truth(own: int, other: int, line: list[int]) -> State:
    """The position after ``line`` in which the seat to play holds ``own``."""
    first, second = (own, other) if len(line) % 2 == 0 else (other, own)
    state = GAME.start(chance="manual").play(first * CARDS + second)
    for action in line:
        state.play(action)
    return state


def truths(own: int, line: list[int]) -> list[State]:
    """All that the seat to play cannot tell apart."""
    return [truth(own, other, line) for other in range(CARDS) if other != own]


@pytest.mark.parametrize("spec", ["random", "greedy"])
def test_an_agent_plays_the_same_in_truths_that_its_seat_cannot_tell_apart(spec: str) -> None:
    agent, played = make(spec, GAME), set()
    for line, own, seed in product(LINES, range(CARDS), range(6)):
        answers = []
        for state in truths(own, line):
            agent.new_game(state.to_play, seed)
            for action in state.seen(state.to_play):
                agent.tell(action)
            answers.append(agent.choose([state.view(state.to_play, seed=seed)])[0])
        assert len({answer.action for answer in answers}) == 1
        assert len({answer.policy.tobytes() for answer in answers}) == 1
        played.add(answers[0].action)
    assert played == {0, 1}  # it is not that it always plays the same


@every_line
def test_views_of_such_truths_are_equal(line: list[int]) -> None:
    for own, seed in product(range(CARDS), range(4)):
        states = truths(own, line)
        views = [state.view(state.to_play, seed=seed) for state in states]
        assert all(not core.differences(view.record, views[0].record) for view in views)
        assert len({view.seen for view in views}) == 1
        assert len({state.seen(1 - state.to_play) for state in states}) == CARDS - 1  # the other seat knows its card


@every_line
def test_what_a_seat_observes_does_not_change_when_the_hidden_parts_are_redrawn(line: list[int]) -> None:
    for own, seat, seed in product(range(CARDS), range(2), range(5)):
        for state in truths(own, line):
            before = state.observe(seat)
            calls.redeal(state.record, 0, seat + 1, new_stream(seed))
            np.testing.assert_array_equal(state.observe(seat), before)


def test_hidden_parts_are_redrawn_evenly_and_the_state_is_left_alone() -> None:
    state = truth(2, 4, [])
    hands = [state.view(0, seed=seed).record["hand"][0].tolist() for seed in range(2000)]
    assert {own for own, _ in hands} == {2}
    counts = np.bincount([other for _, other in hands], minlength=CARDS)
    assert counts[2] == 0
    assert chisquare(counts[[0, 1, 3, 4]]).pvalue > 0.001
    assert state.record["hand"][0].tolist() == [2, 4]


def test_what_is_seen_of_the_deal() -> None:
    state = truth(3, 1, [poker.BET])
    assert state.seen(0) == (1, poker.BET)
    assert state.seen(1) == (3, poker.BET)
    assert state.history == [1 * CARDS + 3, poker.BET]


def test_a_view_keeps_nothing_of_the_state() -> None:
    """Neither the record nor the history nor the stream that chance is drawn from can be reached through it."""
    state = truth(3, 1, [])
    view = state.view(0)
    assert not np.shares_memory(view.record, state.record)
    assert not any(value is state for value in vars(view).values())
    assert set(vars(view)) == {"game", "record", "seat", "seen", "slot", "chance"}
    assert view.chance != int(state.rng[0])
