"""Players of Goita: they depend on what their seat knows alone, and they play well."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.agents import Agent, Analysis, make
from narabe.envs import Game, State, game
from narabe.envs.rules import calls
from narabe.envs.rules.random import new_stream
from narabe.search.goita import OpenHands
from narabe.search.goita.law import position_of_state
from narabe.search.goita.pimc import Pimc

GOITA = game("goita")
SPECS = ("goita_rules", "pimc:worlds=6", "pimc:worlds=3,solve_from=0,cap=200,goal=win", "pimc:worlds=6,sharpness=0")
EARLY = "0-0 s1 11223448,11122357,11356678,11134455 114,2p,3p,444"
LATE = EARLY + ",142,223,336,4p,1p,2p,316,4p,1p,2p"


def positions(name: str, seed: int, every: int = 3, **options: object) -> list[State]:
    """Some positions of a game played by the rules."""
    g = game(name, **options)
    state, agent, found = g.start(seed), make("goita_rules", g), []
    while not state.is_over:
        if state.ply % every == 0:
            found.append(state.copy())
        state.play(agent.analyse(state).action)
    return found


def other_truth(state: State, seed: int) -> State:
    """A state that its seat to move cannot tell from this one, as far as the record goes."""
    other = state.copy()
    calls.redeal(other.record, 0, state.to_play + 1, new_stream(seed))
    return other


def answer(agent: Agent, state: State, seed: int) -> Analysis:
    seat = state.to_play
    agent.new_game(seat, 5)
    return agent.choose([state.view(seat, seed=seed)])[0]


@pytest.mark.parametrize("spec", SPECS)
def test_a_player_answers_alike_in_truths_that_its_seat_cannot_tell_apart(spec: str) -> None:
    agent, different = make(spec, GOITA), 0
    for state in positions("goita", 3):
        truths = [state] + [other_truth(state, seed) for seed in range(3)]
        different += len({tuple(t.record["hand"][0]) for t in truths}) > 1
        answers = [answer(agent, truth, seed) for truth in truths for seed in (0, 0)]
        assert len({a.action for a in answers}) == 1
        assert len({a.policy.tobytes() for a in answers}) == 1
    assert different


def test_the_rules_do_not_look_at_what_was_dealt_anew() -> None:
    agent = make("goita_rules", GOITA)
    for seed in range(4):
        for state in positions("goita", seed, every=1):
            assert len({answer(agent, state, s).action for s in range(5)}) == 1


@pytest.mark.parametrize("name", ["goita_two_by_four", "goita_two_by_six", "goita_four_by_four", "goita_hozonkai"])
def test_the_players_play_every_game_of_the_family(name: str) -> None:
    g = game(name)
    for spec in ("goita_rules", "pimc:worlds=3,cap=500"):
        agent, state = make(spec, g), g.start(1)
        for _ in range(40):
            if state.is_over:
                break
            found = agent.analyse(state)
            assert found.policy.sum() == pytest.approx(1)
            assert state.why_illegal(found.action) is None
            state.play(found.action)


def test_five_shi_are_announced_and_six_declared() -> None:
    g = game("goita", specials="choice")
    state = g.position(hands="11111234,11123457,11344566,22355788", dealer=0)
    for spec in ("goita_rules", "pimc:worlds=2"):
        agent, asked = make(spec, g), state.copy()
        assert g.text_of(agent.analyse(asked).action) == "announce"
        asked.play("announce")
        assert g.text_of(agent.analyse(asked).action) in ("redeal", "on")
    many = g.position(hands="11111124,11123457,13344566,22355788", dealer=0)
    assert g.text_of(make("goita_rules", g).analyse(many).action) == "declare"


def test_the_rules_go_out_with_the_dearer_card() -> None:
    state = GOITA.from_text("0-0 s1 11244557,11122358,11335668,11123447 124,2p,3p,4p,145,2p,3p,4p,115,2p,3p,4p")
    assert GOITA.text_of(make("goita_rules", GOITA).analyse(state).action) == "17"


def test_a_solved_world_is_judged_as_the_solver_judges_it() -> None:
    """With all hands known to the seat there is one deal to draw."""
    g = game("goita_two_by_four", king_attack_after_burying=False)
    state = g.position(hands="1148,1248", dealer=0, plies="14")
    search = Pimc(g, solve_from=0, sharpness=0.0, mb=1)
    found = search.search(state.record, new_stream(1), deals=400)
    legal = state.legal_actions()
    exact = np.zeros(g.num_actions)
    for seed in range(400):
        world = state.copy()
        calls.redeal(world.record, 0, state.to_play + 1, new_stream(seed))
        for action, value in OpenHands(g, mb=1).values(position_of_state(world)).items():
            exact[action] += value / 400
    np.testing.assert_allclose(found.points[legal], exact[legal], atol=0.5)
    assert found.visits[legal].tolist() == [400] * len(legal)


def test_wrong_options_are_refused() -> None:
    with pytest.raises(ValueError, match="plays Goita"):
        make("goita_rules", game("gomoku", size=5))
    with pytest.raises(ValueError, match="goal=draw"):
        make("pimc:goal=draw", GOITA)
    with pytest.raises(ValueError, match="cap must be"):
        make("pimc:cap=0", GOITA)


def duel(g: Game, spec: str, other: str, deals: int) -> float:
    """The share of games that an agent's pair wins, each deal played by both pairs."""
    agents, won = (make(spec, g), make(other, g)), 0
    for deal in range(deals):
        for swap in range(2):
            state = g.start(deal)
            while not state.is_over:
                state.play(agents[(state.to_play + swap) & 1].analyse(state).action)
            won += state.payoffs[swap] > 0
    return won / (2 * deals)


def test_the_rules_beat_random_play() -> None:
    assert duel(GOITA, "goita_rules", "random", 100) > 0.85
