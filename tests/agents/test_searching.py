"""The UCT agent: its tree from move to move, budgets, temperature, what its numbers mean."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from narabe.agents import Agent, Analysis, Budget, make
from narabe.envs import State, game
from narabe.tests.games import game_of, heap

GAME = game("freestyle", size=5, row=4)


def agent_for(spec: str, seat: int = 0, seed: int = 1, slot: int = 0) -> Agent:
    agent = make(spec, GAME)
    agent.new_game(seat, seed, slot)
    return agent


def choose(agent: Agent, state: State, budget: Budget | None = None) -> Analysis:
    return agent.choose([state.view(state.to_play)], budget)[0]


def play(state: State, agent: Agent, *moves: int) -> None:
    """Plays moves and tells the agent of them."""
    for move in moves:
        state.play(move)
        agent.tell(state.history[-1])


def test_told_of_the_moves_it_goes_on_with_its_tree() -> None:
    state, agent = GAME.start(), agent_for("uct:sims=2000")
    first = choose(agent, state)
    assert first.visits.sum() == 2000
    mine, reply = first.principal_variation[:2]
    play(state, agent, mine, reply)
    kept = first.visits[mine] / 30  # more than that many of its simulations went through the reply as well
    second = choose(agent, state, Budget(sims=10))
    assert second.visits.sum() > kept + 10
    assert second.nodes == 10


@pytest.mark.parametrize("spec", ["uct:sims=300,reuse=no", "uct:sims=300"])
def test_without_its_tree_it_starts_afresh(spec: str) -> None:
    """With reuse=no, or where it was not told what was played: the tree is of another position."""
    state, agent = GAME.start(), agent_for(spec)
    line = choose(agent, state).principal_variation
    for move in line[:2]:
        state.play(move)
        if "reuse" in spec:
            agent.tell(move)
    assert choose(agent, state).visits.sum() == 300


def test_a_new_game_has_a_new_tree() -> None:
    """Even where the position is the one searched last."""
    state, agent = GAME.start(), agent_for("uct:sims=300")
    first = choose(agent, state)
    agent.new_game(0, 1)
    again = choose(agent, state)
    np.testing.assert_array_equal(again.visits, first.visits)


def test_with_chance_and_three_seats_the_tree_follows_too() -> None:
    state = game_of(heap, stones=20).start(seed=2)
    agent = make("uct:sims=3000", state.game)
    agent.new_game(0, 0)
    choose(agent, state)
    state.play(0)
    for action in state.history:
        agent.tell(action)
    assert len(state.history) == 2  # the coin fell by itself
    assert choose(agent, state, Budget(sims=1)).visits.sum() > 50


def test_budgets() -> None:
    state = GAME.start()
    assert choose(agent_for("uct"), state).visits.sum() == 800
    assert choose(agent_for("uct:sims=70"), state).visits.sum() == 70
    assert choose(agent_for("uct:sims=70"), state, Budget()).visits.sum() == 70
    assert choose(agent_for("uct:sims=70"), state, Budget(sims=30)).visits.sum() == 30
    assert choose(agent_for("uct:sims=70"), state, Budget(ms=1e-6)).visits.sum() == 1
    assert choose(agent_for("uct:ms=50"), state).visits.sum() > 500
    assert choose(agent_for("uct:ms=50"), state, Budget(sims=40)).visits.sum() == 40


def test_at_temperature_zero_it_plays_what_it_visited_most() -> None:
    for seed in range(20):
        analysis = choose(agent_for("uct:sims=100", seed=seed), GAME.start())
        assert analysis.visits[analysis.action] == analysis.visits.max()


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_with_a_temperature_it_plays_by_powers_of_visits(temperature: float) -> None:
    """Visits ** (1 / temperature); the policy stays that of the visits."""
    counts, expected = np.zeros(GAME.num_actions), np.zeros(GAME.num_actions)
    agent = agent_for(f"uct:sims=150,temperature={temperature},reuse=no")
    for _ in range(1500):
        analysis = choose(agent, GAME.start())
        counts[analysis.action] += 1
        weights = analysis.visits ** (1 / temperature)
        expected += weights / weights.sum()
        np.testing.assert_allclose(analysis.policy, analysis.visits / 150)
    assert chisquare(counts, expected).pvalue > 0.001


def test_extreme_temperatures_do_not_overflow() -> None:
    state = GAME.start()
    cold = choose(agent_for("uct:sims=5000,temperature=0.001"), state)
    assert cold.visits[cold.action] == cold.visits.max()
    tried = {choose(agent_for("uct:sims=3,temperature=1000", seed=seed), state).action for seed in range(40)}
    assert len(tried) > 10


def test_a_drawn_move_leads_the_line_it_expects() -> None:
    lines = [choose(agent_for("uct:sims=200,temperature=5", seed=seed), GAME.start()) for seed in range(30)]
    assert all(a.principal_variation[0] == a.action for a in lines)
    assert any(len(a.principal_variation) == 1 for a in lines)
    assert any(len(a.principal_variation) > 1 for a in lines)


def test_the_value_is_by_seat() -> None:
    black, white = ["B2", "B3", "C4"], ["D2", "D3", "D4"]
    for to_move, better in (("white", 1), ("black", 1)):
        state = GAME.position(black=black, white=white, to_move=to_move)
        analysis = choose(agent_for("uct:sims=20000"), state)
        assert analysis.value[better] > 0.5
        assert analysis.value[0] == -analysis.value[1]


def test_a_position_looked_at_twice_has_one_value() -> None:
    """As in a notebook: the same position again, with the tree of the first time."""
    agent, state = (
        agent_for("uct:sims=400"),
        GAME.position(black=["B2", "C2", "D2"], white=["A5", "E5"], to_move="black"),
    )
    for n in range(1, 4):
        analysis = choose(agent, state)
        assert analysis.visits.sum() == 400 * n
        assert 0.5 < analysis.value[0] <= 1


def test_slots_have_trees_of_their_own() -> None:
    agent = make("uct:sims=500", GAME)
    states = {slot: GAME.start() for slot in (0, 5)}
    for slot in states:
        agent.new_game(0, 1, slot)
    views = [states[slot].view(0, slot) for slot in states]
    one, other = agent.choose(views)
    np.testing.assert_array_equal(one.visits, other.visits)
    mine, reply = one.principal_variation[:2]
    for slot in states:
        states[slot].play(mine).play(reply)
    agent.tell(mine, slot=5)
    agent.tell(reply, slot=5)
    one, other = agent.choose([states[slot].view(0, slot) for slot in states])
    assert one.visits.sum() == 500 < other.visits.sum()


def test_memory_stays_within_max_nodes() -> None:
    agent = agent_for("uct:sims=3000,max_nodes=100")
    state = GAME.start()
    while not state.is_over:
        analysis = choose(agent, state)
        assert analysis.nodes == 3000
        assert agent._trees[0].tree.used[0] <= 100
        play(state, agent, analysis.action)


LINE = game("gomoku", size=11)
OPEN_THREE = {"black": "E6 F6 G6", "white": "B2 J3"}


def test_with_vcf_it_reports_what_it_proved() -> None:
    state = LINE.position(**OPEN_THREE, to_move="black")
    analysis = choose(make("uct:sims=50,vcf=true", LINE), state)
    assert (analysis.proven, analysis.value, analysis.nodes) == (1.0, (1.0, -1.0), 0)
    assert analysis.policy[analysis.action] == 1 == analysis.policy.sum()
    assert analysis.principal_variation[0] == analysis.action
    assert len(analysis.principal_variation) > 2
    lost = LINE.position(black="E6 F6 G6 H6", white="B2 J3 D2", to_move="white")
    assert choose(make("uct:sims=50,vcf=true", LINE), lost).proven == -1.0


def test_with_vcf_nothing_is_claimed_of_an_open_game() -> None:
    analysis = choose(make("uct:sims=150,vcf=true", LINE), LINE.position(**OPEN_THREE, to_move="white"))
    assert analysis.proven is None
    assert analysis.nodes == 150 == analysis.visits.sum()
    assert LINE.text_of(analysis.action) in ("C6", "D6", "H6", "I6")
    assert analysis.policy == pytest.approx(analysis.visits / 150)


def test_with_vcf_a_temperature_draws_no_move_that_is_proven_lost() -> None:
    state = LINE.position(**OPEN_THREE, to_move="white")
    agent = make("uct:sims=150,vcf=true,temperature=100,reuse=no", LINE)
    drawn = {LINE.text_of(choose(agent, state).action) for _ in range(20)}
    assert drawn <= {"C6", "D6", "H6", "I6"}
    assert len(drawn) > 1
    won = LINE.position(**OPEN_THREE, to_move="black")
    assert {choose(agent, won).proven for _ in range(3)} == {1.0}


def test_with_vcf_it_goes_on_with_its_tree() -> None:
    state, agent = LINE.start(), make("uct:sims=300,vcf=true", LINE)
    play(state, agent, LINE.action_of("F6"))
    first = choose(agent, state)
    play(state, agent, *first.principal_variation[:2])
    assert choose(agent, state, Budget(sims=10)).visits.sum() > 10


def test_with_vcf_it_beats_plain_uct() -> None:
    for seat in (0, 1):
        agents = [make("uct:sims=100,vcf=true", LINE), make("uct:sims=400", LINE)]
        state = LINE.start().play("F6")
        while not state.is_over:
            state.play(choose(agents[state.to_play ^ seat], state).action)
        assert state.payoffs[seat] == 1
