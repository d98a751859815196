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

from narabe.envs import Game, IllegalMove, View
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
    assert len(seats) > 1
    assert min(totals) < 0 < max(totals)


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


# ---- seat by seat, partners ----


PAIRS, ALONE = ((0, 2), (1, 3)), ((0,), (1,), (2,), (3,))


def four(teams: tuple[tuple[int, ...], ...] = PAIRS) -> GameEnv:
    """A game of four players whose moves show who sits where, played in pairs as Goita is."""
    game = Game("stacking", width=7, height=6, players=4)
    game.teams = teams
    return GameEnv(game)


def column(number: int) -> Any:
    """A policy that always plays one column."""
    return lambda observation, info: number


def first_round(env: OpponentEnv, **options: Any) -> list[int]:
    """Who played which column in the first round, by seat; -1 for the learner."""
    _, info = env.reset(options=options)
    env.step(6)
    played = env.unwrapped.state.history[:4]
    assert played[info["seat"]] == 6
    return [-1 if seat == info["seat"] else played[seat] for seat in range(4)]


def test_opponents_seat_by_seat() -> None:
    seats = {seat: column(seat) for seat in range(4)}
    env = OpponentEnv(four(), {seat: seats[seat] for seat in (1, 2, 3)}, seat=0)
    assert first_round(env) == [-1, 1, 2, 3]
    with pytest.raises(ValueError, match="nobody is given for seat 0 while the learner sits on seat 2"):
        env.reset(options={"seat": 2})
    env = OpponentEnv(four(), seats)
    for seat in range(4):  # seats are those of the game, wherever the learner sits
        assert first_round(env, seat=seat) == [-1 if other == seat else other for other in range(4)]
    env.reset(seed=0)  # the seat is drawn
    rows = [first_round(env) for _ in range(20)]
    assert {row.index(-1) for row in rows} == {0, 1, 2, 3}
    env = OpponentEnv(four(), {1: "random", 2: (column(2), column(3)), 3: column(3)}, seat=np.int64(0))
    env.reset(seed=0)
    env.reset(seed=0)  # the seat is drawn
    rows = [first_round(env) for _ in range(20)]
    assert {row[2] for row in rows} == {2, 3}
    assert {row[3] for row in rows} == {3}
    assert len({row[1] for row in rows}) > 3


def test_a_partner_sits_on_the_learners_team() -> None:
    env = OpponentEnv(four(), column(0), partner=column(5))
    for seat in range(4):
        assert first_round(env, seat=seat) == [-1 if s == seat else 5 if s == (seat + 2) % 4 else 0 for s in range(4)]
    assert first_round(OpponentEnv(four(), column(0), seat=1)) == [0, -1, 0, 0]  # none named: as all others
    env = OpponentEnv(four(), {1: column(1), 3: column(3)}, seat=0, partner=[column(4), column(5)])
    env.reset(seed=0)  # the seat is drawn
    rows = [first_round(env) for _ in range(20)]
    assert {row[2] for row in rows} == {4, 5}
    assert {(row[1], row[3]) for row in rows} == {(1, 3)}
    with pytest.raises(ValueError, match="nobody is given for seat 0 while"):
        env.reset(options={"seat": 1})


def test_a_partner_may_be_an_agent_that_takes_several_seats() -> None:
    agent = First()
    env = OpponentEnv(four(), {1: agent, 3: "random"}, seat=0, partner=agent)
    env.reset(seed=3)
    env.step(6)
    assert [seat for seat, _ in agent.games] == [1, 2]
    assert agent.heard == {1: [6], 2: env.unwrapped.state.history[:2]}


def test_one_seed_one_sequence_with_partners() -> None:
    def run() -> list[Any]:
        env = OpponentEnv(four(), ["random", column(3)], partner=["random", column(5)])
        env.reset(seed=8)
        return [first_round(env) for _ in range(5)]

    assert run() == run()


def test_illegal_moves_of_partners() -> None:
    env = OpponentEnv(four(), column(0), seat=0, partner=column(70))
    env.reset()
    with pytest.raises(IllegalMove, match="partner on seat 2"):
        env.step(6)


def test_seats_and_partners_that_are_refused() -> None:
    with pytest.raises(ValueError, match="nobody is given for seat 0 while the learner sits on seat 1"):
        OpponentEnv(four(), {1: "random", 2: "random", 3: "random"})
    with pytest.raises(ValueError, match="nobody is given for seat 3"):
        OpponentEnv(four(), {1: "random"}, seat=0, partner="random")
    for seat in (4, -1, "1"):
        with pytest.raises(ValueError, match="seats are 0 to 3"):
            OpponentEnv(four(), {seat: "random"}, seat=0)
    with pytest.raises(ValueError, match="at least one"):
        OpponentEnv(four(), {1: [], 2: "random", 3: "random"}, seat=0)
    with pytest.raises(ValueError, match="stacking has no teams"):
        OpponentEnv(four(ALONE), "random", partner="random")
    with pytest.raises(TypeError, match="neither"):
        OpponentEnv(four(), "random", partner=3)


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
