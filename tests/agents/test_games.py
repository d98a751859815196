"""What every agent owes: legal moves in whole games, the same for the same seed, consistent analyses, separate slots."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.agents import Agent, Analysis, make
from narabe.envs import Game, State
from narabe.tests.agents.play import ALL_GAMES, LINE_GAMES, OPEN_GAMES, begin, play_on

UCT = ("uct:sims=60", "uct:sims=60,reuse=no", "uct:sims=60,temperature=1", "uct:sims=60,max_nodes=400")
PAIRS = [(spec, g) for spec in ("random", "greedy") for g in ALL_GAMES] + [
    (spec, g) for spec in UCT for g in OPEN_GAMES
]
every_pair = pytest.mark.parametrize(("spec", "g"), PAIRS, ids=lambda x: x if isinstance(x, str) else x.spec)


def seats(spec: str, g: Game) -> list[Agent]:
    return [make(spec, g) for _ in range(g.num_players)]


def game_by(spec: str, g: Game, seed: int) -> list[int]:
    agents = seats(spec, g)
    begin(agents, seed)
    return play_on(g.start(seed=3), agents)


@every_pair
def test_the_same_seed_plays_the_same_game(spec: str, g: Game) -> None:
    assert game_by(spec, g, seed=1) == game_by(spec, g, seed=1)
    assert len({tuple(game_by(spec, g, seed)) for seed in range(6)}) > 1


@every_pair
def test_a_new_game_forgets_the_last_one(spec: str, g: Game) -> None:
    agents = seats(spec, g)
    begin(agents, seed=7)
    play_on(g.start(seed=4), agents)
    begin(agents, seed=1)
    assert play_on(g.start(seed=3), agents) == game_by(spec, g, seed=1)


@every_pair
def test_analyses_are_consistent(spec: str, g: Game) -> None:
    def look(state: State, analysis: Analysis) -> None:
        legal = state.legal_mask().astype(bool)
        assert legal[analysis.action]
        assert analysis.policy.shape == analysis.visits.shape == (g.num_actions,)
        assert analysis.policy.dtype == np.float64
        assert analysis.policy.sum() == pytest.approx(1)
        assert (analysis.policy >= 0).all()
        assert analysis.policy[analysis.action] > 0
        assert not analysis.policy[~legal].any()
        assert analysis.visits.dtype == np.int64
        assert (analysis.visits >= 0).all()
        assert not analysis.visits[~legal].any()
        if spec.startswith("uct"):
            assert analysis.visits.sum() >= 60
            np.testing.assert_allclose(analysis.policy, analysis.visits / analysis.visits.sum())
        if analysis.value is not None:
            assert len(analysis.value) == g.num_players
            assert sum(analysis.value) == pytest.approx(0)
            assert max(map(abs, analysis.value)) <= 1
        assert analysis.nodes >= 0
        assert analysis.proven in (None, 1)
        line = state.copy()
        line.chance = "manual"  # the line names what chance is expected to do as well
        for action in analysis.principal_variation:
            line.play(action)
        assert analysis.principal_variation[0] == analysis.action

    agents = seats(spec, g)
    begin(agents, seed=2)
    play_on(g.start(seed=1), agents, look)


@every_pair
def test_games_side_by_side_do_not_mix(spec: str, g: Game) -> None:
    """Four games in four slots, views given together and in any order, are four games played one by one."""
    alone = [game_by(spec, g, seed=20 + 3 * slot) for slot in range(4)]
    agents = seats(spec, g)
    states = [g.start(seed=3) for _ in range(4)]
    for slot in range(4):
        for seat, agent in enumerate(agents):
            agent.new_game(seat, 20 + 3 * slot + seat, slot)
    told = [0] * 4
    while not all(state.is_over for state in states):
        for slot, state in enumerate(states):
            for seat, agent in enumerate(agents):
                for action in state.seen(seat)[told[slot] :]:
                    agent.tell(action, slot)
            told[slot] = len(state.history)
        moves = []
        for seat, agent in enumerate(agents):
            slots = [slot for slot in (2, 0, 3, 1) if states[slot].to_play == seat]
            views = [states[slot].view(seat, slot, seed=len(states[slot].history)) for slot in slots]
            moves += zip(slots, agent.choose(views), strict=True)
        for slot, analysis in moves:
            states[slot].play(analysis.action)
    assert [state.history for state in states] == alone


@every_pair
def test_choosing_leaves_the_view_alone(spec: str, g: Game) -> None:
    agent = make(spec, g)
    agent.new_game(0, 0)
    view = g.start().view(0)
    before = view.record.tobytes()
    agent.choose([view])
    assert view.record.tobytes() == before


@pytest.mark.parametrize("spec", ["random", "greedy", "uct:sims=5"])
@pytest.mark.parametrize("g", LINE_GAMES[:1], ids=lambda g: g.name)
def test_nothing_to_choose(spec: str, g: Game) -> None:
    """After the end, or for the seat that is not to move, there is an error of one line and not some action."""
    agent = make(spec, g)
    state = g.start()
    with pytest.raises(ValueError, match="seat 0 is to move, but the view is that of seat 1$"):
        agent.choose([state.view(1)])
    for move in ("A1", "B2", "A2", "C2", "A3", "D2", "A4", "F2", "A5"):
        state.play(move)
    with pytest.raises(ValueError, match="gomoku:size=7: the game is over, so there is no move to choose$"):
        agent.choose([state.view(1)])


@pytest.mark.parametrize("spec", ["random", "greedy", "uct:sims=5"])
def test_no_views_no_moves(spec: str) -> None:
    assert make(spec, LINE_GAMES[0]).choose([]) == []
