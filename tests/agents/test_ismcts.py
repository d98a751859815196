"""The agent that searches information sets: budgets, temperature, what it knows, whole games of every kind."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from narabe.agents import Agent, AgentError, Analysis, Budget, make
from narabe.envs import Game, State, game
from narabe.tests.agents.play import begin, play_on
from narabe.tests.games import game_of, heap, poker

GAME = game("freestyle", size=5, row=4)
CARDS = 5
POKER = game_of(poker, cards=CARDS)
LINES = ([], [poker.PASS], [poker.BET], [poker.PASS, poker.BET])
both_forms = pytest.mark.parametrize("observer", ["single", "multiple"])


def agent_for(spec: str, g: Game = GAME, seed: int = 1) -> Agent:
    agent = make(spec, g)
    agent.new_game(0, seed)
    return agent


def choose(agent: Agent, state: State, budget: Budget | None = None, seed: int = 0) -> Analysis:
    return agent.choose([state.view(state.to_play, seed=seed)], budget)[0]


def truth(own: int, other: int, line: list[int]) -> State:
    """The position after ``line`` in which the seat to play holds ``own``."""
    first, second = (own, other) if len(line) % 2 == 0 else (other, own)
    state = POKER.start(chance="manual").play(first * CARDS + second)
    for action in line:
        state.play(action)
    return state


@both_forms
def test_truths_that_its_seat_cannot_tell_apart_give_the_same_move(observer: str) -> None:
    """However the hidden parts of the view were redrawn."""
    agent, played = make(f"ismcts:sims=60,observer={observer}", POKER), set()
    for line, own, seed in product(LINES, range(CARDS), range(3)):
        answers = []
        for other in set(range(CARDS)) - {own}:
            state = truth(own, other, line)
            agent.new_game(state.to_play, seed)
            answers.append(choose(agent, state, seed=100 * seed + other))
        assert len({answer.visits.tobytes() for answer in answers}) == 1
        assert len({(answer.action, answer.value) for answer in answers}) == 1
        played.add(answers[0].action)
    assert played == {0, 1}


def test_budgets() -> None:
    state = GAME.start()
    assert choose(agent_for("ismcts"), state).visits.sum() == 1000
    assert choose(agent_for("ismcts:sims=70"), state).visits.sum() == 70
    assert choose(agent_for("ismcts:sims=70"), state, Budget()).visits.sum() == 70
    assert choose(agent_for("ismcts:sims=70"), state, Budget(sims=30)).visits.sum() == 30
    assert choose(agent_for("ismcts:sims=70"), state, Budget(ms=1e-6)).visits.sum() == 1
    assert choose(agent_for("ismcts:ms=50"), state).visits.sum() > 300
    assert choose(agent_for("ismcts:ms=50"), state, Budget(sims=40)).visits.sum() == 40


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("sims=5,ms=5", "a budget is sims or ms, not both"),
        ("temperature=-1", "temperature=-1.0: zero or more"),
        ("max_nodes=24", "max_nodes=24: freestyle:size=5,row=4 needs at least 25"),
        ("observer=both", "observer=both: single or multiple"),
        ("rollout=wise", "rollout=wise: auto, random"),
    ],
)
def test_wrong_options_are_refused(options: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make(f"ismcts:{options}", GAME)


@both_forms
def test_memory_stays_within_max_nodes(observer: str) -> None:
    agent = agent_for(f"ismcts:sims=3000,max_nodes=100,observer={observer}")
    analysis = choose(agent, GAME.start())
    assert analysis.nodes == 3000 == analysis.visits.sum()
    assert len(agent._search.table.edges) == 100


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_with_a_temperature_it_plays_by_powers_of_visits(temperature: float) -> None:
    """Visits ** (1 / temperature); the policy stays that of the visits."""
    state, counts, expected = truth(1, 3, []), np.zeros(2), np.zeros(2)
    agent = agent_for(f"ismcts:sims=40,c=2,temperature={temperature}", POKER)
    for _ in range(1000):
        analysis = choose(agent, state)
        assert analysis.principal_variation[0] == analysis.action
        np.testing.assert_allclose(analysis.policy, analysis.visits / 40)
        counts[analysis.action] += 1
        weights = analysis.visits ** (1 / temperature)
        expected += weights / weights.sum()
    assert chisquare(counts, expected).pvalue > 0.001


@both_forms
@pytest.mark.parametrize("g", [GAME, POKER, game_of(heap, stones=12), game("goita")], ids=lambda g: g.spec)
def test_it_plays_games_of_every_kind_to_the_end(g: Game, observer: str) -> None:
    """With and without hidden parts and chance, any number of seats; slots do not mix."""

    def look(state: State, analysis: Analysis) -> None:
        legal = state.legal_mask().astype(bool)
        assert legal[analysis.action]
        assert analysis.visits.sum() == analysis.nodes == 30
        assert not analysis.visits[~legal].any()
        assert analysis.visits[analysis.action] == analysis.visits.max()
        np.testing.assert_allclose(analysis.policy, analysis.visits / 30)
        assert sum(analysis.value) == pytest.approx(0)
        assert max(map(abs, analysis.value)) <= 1
        line = state.copy()
        line.chance = "manual"
        for action in analysis.principal_variation:
            line.play(action)
        assert analysis.principal_variation[0] == analysis.action

    agents = [make(f"ismcts:sims=30,max_nodes=3000,observer={observer}", g) for _ in range(g.num_players)]
    begin(agents, seed=2)
    played = play_on(g.start(seed=1), agents, look)
    begin(agents, seed=2)
    assert play_on(g.start(seed=1), agents) == played


def test_where_a_line_is_certain_it_is_told() -> None:
    """Without hidden parts the most visited line; else only the move."""
    assert len(choose(agent_for("ismcts:sims=2000"), GAME.start()).principal_variation) > 2
    assert len(choose(agent_for("ismcts:sims=2000", POKER), truth(4, 1, [])).principal_variation) == 1
