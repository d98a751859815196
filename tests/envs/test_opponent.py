"""Opponents as part of the environment."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest

from narabe.envs import IllegalMove, View
from narabe.envs.adapters.opponent import OpponentEnv
from narabe.envs.rules import calls
from narabe.envs.single import GameEnv
from narabe.tests.envs.helpers import SMALL, every_id, play_out, race_registered, some_action


class First:
    """An agent that plays the first legal action and writes down what it hears."""

    def __init__(self) -> None:
        self.games: list[tuple[int, int]] = []
        self.heard: dict[int, list[int]] = {}
        self.views: list[View] = []

    def new_game(self, seat: int, seed: int, slot: int = 0) -> None:
        self.games.append((seat, seed))
        self.heard[slot] = []

    def tell(self, action: int, slot: int = 0) -> None:
        self.heard[slot].append(action)

    def choose(self, views: Sequence[View], budget: Any = None) -> list[Any]:
        self.views += views
        return [SimpleNamespace(action=int(legal_actions(view)[0])) for view in views]


def legal_actions(view: View) -> np.ndarray:
    mask = np.zeros(view.num_actions, np.int8)
    calls.legal_mask(view.record, 0, mask)
    return np.flatnonzero(mask)


def last_empty(observation: np.ndarray, info: dict[str, Any]) -> int:
    """A policy: the last legal action."""
    return int(np.flatnonzero(info["action_mask"])[-1])


def episode(env: OpponentEnv, seed: int | None, rng_seed: int = 0) -> list[tuple[Any, ...]]:
    _, info = env.reset(seed=seed)
    return play_out(env, np.random.default_rng(rng_seed), info)


@every_id
def test_it_is_always_the_learners_turn(env_id: str) -> None:
    short = {"row": 3} if "size" in SMALL[env_id] and "Gomocku" not in env_id else {}
    env, seats, totals = OpponentEnv(gymnasium.make(env_id, **(SMALL[env_id] | short))), set(), []
    rng = np.random.default_rng(0)
    for seed in range(12):
        observation, info = env.reset(seed=seed)
        seat = info["seat"]
        seats.add(seat)
        while True:
            state = env.unwrapped.state
            assert observation in env.observation_space
            assert np.array_equal(observation, state.observe(seat))
            assert np.array_equal(info["action_mask"], state.legal_mask())
            if state.is_over:
                break
            assert info["to_play"] == state.to_play == seat == info["seat"]
            observation, reward, terminated, _, info = env.step(some_action(info["action_mask"], rng))
            assert terminated or reward == 0
        assert reward == env.unwrapped.state.payoffs[seat]
        assert terminated
        assert info["result"] == state.reason
        totals.append(reward)
    assert seats == {0, 1}
    assert {1.0, -1.0} <= set(totals)


def test_a_loss_arrives_on_the_learners_own_step() -> None:
    moves = iter([5, 6, 7])
    env = OpponentEnv(GameEnv("freestyle", size=5, row=3), lambda observation, info: next(moves), seat=0)
    env.reset()
    assert [env.step(action)[1:3] for action in (0, 1, 12)] == [(0.0, False), (0.0, False), (-1.0, True)]
    assert env.unwrapped.state.to_play == -2


def test_the_learners_own_illegal_move() -> None:
    env = OpponentEnv(GameEnv("freestyle", size=5), last_empty, seat=0)
    env.reset()
    env.step(0)
    observation, reward, terminated, _, info = env.step(0)
    assert terminated
    assert reward == -1
    assert info["illegal"]
    assert np.array_equal(observation, env.unwrapped.observe(0))


def test_seats() -> None:
    env = OpponentEnv(GameEnv("gomoku", size=5), last_empty, seat=1)
    assert all(env.reset()[1]["seat"] == 1 for _ in range(5))
    assert env.reset(options={"seat": 0})[1]["seat"] == 0
    assert env.reset()[1]["seat"] == 1
    with pytest.raises(ValueError, match="0 to 1"):
        OpponentEnv(GameEnv("gomoku", size=5), seat=2)
    with pytest.raises(ValueError, match="0 to 1"):
        env.reset(options={"seat": 2})


def test_one_seed_one_sequence_of_episodes() -> None:
    def run(seed: int) -> list[Any]:
        env = OpponentEnv(GameEnv("gomoku", size=5), ["random", last_empty])
        return [(env.seat, env.unwrapped.state.history) for s in (seed, None, None, None) if episode(env, s)]

    assert run(5) == run(5) != run(6)
    assert len({seat for seat, _ in run(5) + run(6)}) == 2


def test_an_opponent_is_drawn_from_a_list_each_episode() -> None:
    env = OpponentEnv(GameEnv("gomoku", size=5), [First(), last_empty], seat=1)
    firsts = []
    for episode_seed in range(20):
        env.reset(seed=episode_seed)
        firsts.append(env.unwrapped.state.history[0])
    assert set(firsts) == {0, 24}


def test_an_agent_hears_every_action() -> None:
    agent = First()
    env = OpponentEnv(GameEnv("freestyle", size=5, row=3), agent, seat=0)
    env.reset(seed=1, options={"moves": [24, 23]})
    env.step(12)
    assert agent.games[0][0] == 1
    assert agent.heard[1] == [24, 23, 12]
    view = agent.views[0]
    assert (view.seat, view.slot, view.seen) == (1, 1, (24, 23, 12))
    env.step(11)
    env.step(13)
    assert env.unwrapped.state.is_over
    assert agent.heard[1] == env.unwrapped.state.history


def test_agents_of_our_own() -> None:
    agents = pytest.importorskip("narabe.agents")
    base = GameEnv("gomoku", size=5)
    env = OpponentEnv(base, agents.make("random", base.game))
    first = [step[1] for step in episode(env, 3)]
    assert first == [step[1] for step in episode(env, 3)]


def test_three_seats_and_chance() -> None:
    with race_registered():
        agent = First()
        env = OpponentEnv(gymnasium.make("test/Race-v0", target=5), ["random", agent])
        seats = set()
        for seed in range(15):
            results = episode(env, seed)
            info = results[-1][4]
            seats.add(info["seat"])
            assert results[-1][1] == info["rewards"][info["seat"]] != 0
            for slot, heard in agent.heard.items():
                if slot in env._told:
                    assert heard == env.unwrapped.state.history
        assert seats == {0, 1, 2}


def test_truncation_on_an_opponents_turn_shows_the_learners_view() -> None:
    env = OpponentEnv(gymnasium.make("narabe/Gomoku-v0", size=5, max_episode_steps=2), last_empty, seat=0)
    env.reset()
    observation, reward, terminated, truncated, _ = env.step(0)
    assert (terminated, truncated, reward) == (False, True, 0)
    assert np.array_equal(observation, env.unwrapped.state.observe(0))


def test_illegal_moves_of_opponents_are_no_gift() -> None:
    env = OpponentEnv(GameEnv("gomoku", size=5), lambda observation, info: 0, seat=0)
    env.reset()
    with pytest.raises(IllegalMove, match="opponent on seat 1.*occupied"):
        env.step(0)


def test_copies() -> None:
    env = OpponentEnv(gymnasium.make("narabe/Gomoku-v0", size=5), "random", seat=1)
    env.reset(seed=4)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.reset(seed=4)
        assert twin.unwrapped.state == copy.deepcopy(env).unwrapped.state


def test_made_again_from_its_spec() -> None:
    env = OpponentEnv(gymnasium.make("narabe/Gomoku-v0", size=5), "random", seat=1)
    again = gymnasium.make(env.spec)
    assert again.reset(seed=4)[1]["seat"] == 1
    assert np.array_equal(again.reset(seed=4)[0], env.reset(seed=4)[0])


def test_what_is_refused() -> None:
    env = gymnasium.make("narabe/Gomoku-v0", size=5)
    with pytest.raises(ValueError, match=r"narabe.agents.make\('uct:sims=9'"):
        OpponentEnv(env, "uct:sims=9")
    with pytest.raises(TypeError, match="neither"):
        OpponentEnv(env, [3])
    with pytest.raises(ValueError, match="at least one"):
        OpponentEnv(env, [])
    with pytest.raises(TypeError, match="around this one"):
        OpponentEnv(gymnasium.wrappers.FlattenObservation(env))
    with pytest.raises(TypeError, match="GameEnv"):
        OpponentEnv(gymnasium.make("CartPole-v1"))
