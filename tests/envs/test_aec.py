"""Games as PettingZoo environments: its own suites, and what a game owes to every seat."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from narabe.envs import Game, IllegalMove
from narabe.envs.single import GameEnv
from narabe.tests.envs import race
from narabe.tests.envs.helpers import some_action
from narabe.tests.games import game_of, poker
from narabe.tests.small import NAMES, SMALL, small

suites = pytest.importorskip("pettingzoo.test")
aec = pytest.importorskip("narabe.envs.adapters.aec")

# A warning fails a test, but for what PettingZoo says of every observation with a mask
pytestmark = [
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:overflow encountered"),  # keys and streams wrap around, also without numba
]

every_name = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def quick_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(GameEnv.metadata, "render_fps", 1000)


TINY = {
    "race": partial(game_of, race, target=6),  # three seats, chance, turns that do not alternate
    "poker": partial(game_of, poker, cards=4),  # hidden cards
    "four": partial(Game, "stacking", players=4, resign=True, span=12, reach=1, max_height=12),
}
MAKERS: dict[str, Callable[[], Game]] = {name: partial(small, name) for name in NAMES} | TINY
every_game = pytest.mark.parametrize("key", MAKERS)


def play_out(env: Any, rng: np.random.Generator) -> Iterator[tuple[str, Any, float, bool, bool, dict[str, Any]]]:
    """(agent, *last()) of every turn until no agent is left, legal moves drawn at random."""
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        yield agent, observation, reward, terminated, truncated, info
        env.step(None if terminated or truncated else some_action(observation["action_mask"], rng))


# ---- the suites of PettingZoo ----


@every_name
@pytest.mark.parametrize("make", [aec.env, aec.raw_env])
def test_suites(name: str, make: Any) -> None:
    make = partial(make, name, **SMALL[name])
    with pytest.warns(UserWarning, match="ignored: options"):
        suites.api_test(make(), num_cycles=60)
    suites.seed_test(make, num_cycles=20)


@pytest.mark.parametrize("key", TINY)
def test_suites_on_games_with_chance_hidden_cards_and_more_seats(key: str) -> None:
    game = MAKERS[key]()
    with pytest.warns(UserWarning, match="ignored: options"):
        suites.api_test(aec.env(game), num_cycles=60)
    suites.seed_test(partial(aec.env, game), num_cycles=20)


@every_name
def test_render_suite(name: str) -> None:
    suites.render_test(partial(aec.env, name, cell=8, **SMALL[name]))


# ---- step by step ----


@every_game
def test_equals_the_single_environment(key: str) -> None:
    """One seed, the same moves: the same views of the seat to move, rewards, ends and chance."""
    game = MAKERS[key]()
    env, single = aec.raw_env(game), GameEnv(game)
    for seed in (3, None, None):
        env.reset(seed=seed)
        observation, info = single.reset(seed=seed)
        done, rng = False, np.random.default_rng(0)
        while not done:
            agent = env.agent_selection
            assert agent == f"seat_{info['to_play']}"
            seen, reward, *ended, _ = env.last()
            assert (reward, ended) == (0.0, [False, False])
            assert seen in env.observation_space(agent)
            assert np.array_equal(seen["observation"], observation)
            assert np.array_equal(seen["action_mask"], info["action_mask"])
            action = some_action(info["action_mask"], rng, illegal=0.01)
            observation, _, done, truncated, info = single.step(action)
            env.step(action)
            assert list(env.rewards.values()) == info["rewards"].tolist()
            assert set(env.terminations.values()) == {done}
            assert set(env.truncations.values()) == {truncated}
            assert env.position == single.state
        assert all(told["result"] == info["result"] for told in env.infos.values())


@every_game
def test_every_agent_has_its_own_view_and_its_own_reward(key: str) -> None:
    game = MAKERS[key]()
    env, rng = aec.env(game), np.random.default_rng(1)
    for seed in range(3):
        env.reset(seed=seed)
        totals = dict.fromkeys(env.possible_agents, 0.0)
        for agent, _, reward, terminated, _, _ in play_out(env, rng):
            totals[agent] += reward
            state = env.unwrapped.position
            for seat, other in enumerate(env.possible_agents):
                seen = env.observe(other)
                assert np.array_equal(seen["observation"], state.observe(seat))
                assert seen["action_mask"].any() == (other == agent and not terminated)
            assert np.array_equal(env.state(), np.concatenate([state.observe(i) for i in range(game.num_players)]))
            assert env.state() in env.unwrapped.state_space
        assert tuple(totals.values()) == state.payoffs
        assert sum(totals.values()) == pytest.approx(0)


def test_the_loser_gets_its_reward_first() -> None:
    env = aec.raw_env("freestyle", size=5, row=3)
    env.reset(options={"moves": [0, 5, 1, 6]})
    env.step(2)
    assert env.rewards == {"seat_0": 1.0, "seat_1": -1.0}
    assert env.agent_selection == "seat_1"
    assert env.last()[1:] == (-1.0, True, False, {"result": "five in a row"} | env.infos["seat_1"])
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(3)
    env.step(None)
    assert env.agents == ["seat_0"]
    assert env.last()[1:4] == (1.0, True, False)
    env.step(None)
    assert env.agents == []
    with pytest.raises(ResetNeeded):
        env.step(None)


def test_turns_that_do_not_alternate() -> None:
    rng, orders = np.random.default_rng(0), []
    for game in (MAKERS["race"](), MAKERS["four"]()):
        env, turns = aec.raw_env(game), set()
        for seed in range(3):
            env.reset(seed=seed)
            seats = [int(agent[-1]) for agent, _, _, terminated, *_ in play_out(env, rng) if not terminated]
            turns |= {(b - a) % game.num_players for a, b in zip(seats, seats[1:])}
        orders.append(turns)
    assert orders[0] == {0, 1}  # a two gives the mover another turn
    assert {1, 2} <= orders[1]  # who resigned is passed over


def test_hidden_cards_stay_hidden() -> None:
    """What a seat sees does not change with the other's card, nor does anything else that it is told."""
    game, told = game_of(poker, cards=4), []
    for other in (1, 3):
        state = game.start(chance="manual").play(2 * 4 + other).play(poker.PASS)
        env = aec.raw_env(game)
        env.reset(options={"position": state})
        told.append((env.observe("seat_0"), env.infos, env.rewards))
        seen = env.observe("seat_1")["observation"]
        assert seen[0, 0, other] == 1
        assert not seen[2].any()
    assert pickle.dumps(told[0]) == pickle.dumps(told[1])


def test_a_limit_of_the_program_truncates() -> None:
    env = aec.raw_env("stacking", span=12, reach=1, max_height=3)
    env.reset(options={"moves": [12, 12]})
    env.step(12)
    ends = [turn[2:] for turn in play_out(env, np.random.default_rng(0))]
    assert ends == [(0.0, True, True, {"result": "limit reached"})] * 2


# ---- illegal moves ----


@pytest.mark.parametrize("action", [0, -1, 25])
def test_an_illegal_move_forfeits(action: int) -> None:
    env = aec.env("gomoku", size=5)
    env.reset(options={"moves": [0]})
    env.step(action)
    assert env.rewards == {"seat_0": 1.0, "seat_1": -1.0}
    assert env.infos["seat_1"]["illegal"] is True
    assert "illegal" not in env.infos["seat_0"]
    assert env.infos["seat_0"]["result"].startswith("illegal move: ")
    assert [last[2] for last in play_out(env, np.random.default_rng(0))] == [1.0, -1.0]


def test_the_others_share_what_a_forfeit_costs() -> None:
    env = aec.env(game_of(race, target=6))
    env.reset(seed=0)
    mover = env.agent_selection
    env.step(7)
    assert env.rewards == {agent: -1.0 if agent == mover else 0.5 for agent in env.agents}


def test_an_illegal_move_raises_where_asked_and_the_game_goes_on() -> None:
    env = aec.env("gomoku", size=5, illegal="raise")
    env.reset(options={"moves": [0]})
    with pytest.raises(IllegalMove, match="occupied"):
        env.step(0)
    assert env.agent_selection == "seat_1"
    assert env.last()[1:4] == (0.0, False, False)
    env.step(1)
    assert env.agent_selection == "seat_0"
    with pytest.raises(TypeError):
        env.step(None)


# ---- starts, copies, pictures ----


def test_starts() -> None:
    env = aec.env("gomoku", size=5)
    env.reset(options={"moves": "A1 B1 C1"})
    assert (env.agent_selection, env.unwrapped.position.history) == ("seat_1", [0, 1, 2])
    env.reset(options={"position": env.unwrapped.position.to_text(), "moves": [7]})
    assert (env.agent_selection, env.unwrapped.position.ply) == ("seat_0", 4)
    with pytest.raises(IllegalMove, match=r"moves\[1\]"):
        env.reset(options={"moves": [0, 0]})


def test_before_the_first_reset() -> None:
    env = aec.raw_env("gomoku", size=5)
    for call in (partial(env.step, 0), partial(env.observe, "seat_0"), env.state):
        with pytest.raises(ResetNeeded):
            call()
    with pytest.raises(AssertionError, match="reset"):
        aec.env("gomoku", size=5).step(0)


def test_spaces_are_seeded_one_by_one() -> None:
    env = aec.env("gomoku", size=5)
    assert env.action_space("seat_0") is not env.action_space("seat_1")
    for agent in env.possible_agents:
        env.action_space(agent).seed(5)
    first = [int(env.action_space("seat_0").sample()) for _ in range(5)]
    assert first == [int(env.action_space("seat_1").sample()) for _ in range(5)]


@pytest.mark.parametrize("make", [aec.env, aec.raw_env])
def test_copies_play_on_alike_and_apart(make: Any) -> None:
    env = make("gomocku", size=7)
    env.reset(seed=2)
    for action in (24, 25, 31):
        env.step(action)
    twins = [copy.copy(env.unwrapped), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    env.step(30)
    assert all(twin.unwrapped.position.ply == env.unwrapped.position.ply - 1 for twin in twins)
    for twin in twins:
        twin.step(30)
    games = [[pickle.dumps(turn) for turn in play_out(e, np.random.default_rng(0))] for e in (env, *twins)]
    assert all(turns == games[0] for turns in games)


def test_copies_of_a_game_that_is_not_in_the_list() -> None:
    env = aec.env(game_of(race, target=6))
    env.reset(seed=2)
    assert copy.deepcopy(env).unwrapped.game is env.unwrapped.game


def test_a_game_without_pictures_is_shown_as_text() -> None:
    game = game_of(race, target=6)
    with pytest.raises(ValueError, match="choose one of ansi"):
        aec.env(game, render_mode="human")
    env = aec.env(game, render_mode="ansi")
    assert env.metadata["render_modes"] == ["ansi"]
    env.reset(seed=0)
    assert env.render() == str(env.unwrapped.position)
    env.close()


def test_render_without_a_mode() -> None:
    env = aec.env("gomoku", size=5)
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_names() -> None:
    env = aec.env("omok", size=5)
    assert (str(env), env.metadata["is_parallelizable"]) == ("omok_v0", False)
    assert env.metadata["render_modes"] == ["ansi", "human", "rgb_array"]


def test_pettingzoo_is_imported_by_this_module_alone_and_missed_in_one_line() -> None:
    code = """
import sys
sys.modules["pettingzoo"] = None  # as if it were not installed
import narabe.envs.single, narabe.envs.adapters
try:
    import narabe.envs.adapters.aec
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "narabe.envs.adapters.aec needs PettingZoo: pip install narabe[pettingzoo]\n"
