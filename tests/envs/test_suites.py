"""The test suites of Gymnasium and Stable-Baselines3, on every game. A warning of theirs fails a test."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match

from narabe.envs.adapters.opponent import OpponentEnv
from narabe.tests.envs.helpers import IDS, RACE, SMALL, every_id, race_registered

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@every_id
def test_checker(env_id: str) -> None:
    check_env(gymnasium.make(env_id).unwrapped)


@pytest.mark.parametrize("options", [{"observation": "dict"}, {"illegal": "raise"}, {"size": 3, "row": 3}])
def test_checker_with_options(options: dict[str, object]) -> None:
    check_env(gymnasium.make("narabe/Freestyle-v0", **options).unwrapped)


def test_checker_on_a_game_with_chance_and_without_a_picture() -> None:
    with race_registered():
        check_env(gymnasium.make(RACE).unwrapped)


@every_id
@pytest.mark.parametrize("observation", ["planes", "dict"])
def test_two_environments_match(env_id: str, observation: str) -> None:
    make = partial(gymnasium.make, env_id, observation=observation, render_mode="ansi", **SMALL[env_id])
    check_environments_match(make(), make(), 60, seed=0)


@every_id
@pytest.mark.parametrize("mode", ["sync", "vector_entry_point"])
def test_make_vec(env_id: str, mode: str) -> None:
    envs = gymnasium.make_vec(env_id, 4, vectorization_mode=mode, **SMALL[env_id])
    observations, _ = envs.reset(seed=0)
    assert observations in envs.observation_space
    envs.action_space.seed(0)
    for _ in range(50):
        observations, *_ = envs.step(envs.action_space.sample())
        assert observations in envs.observation_space
    envs.close()


@pytest.mark.parametrize("env_id", IDS[:2])
def test_make_vec_async(env_id: str) -> None:
    envs = gymnasium.make_vec("narabe.envs:" + env_id, 2, vectorization_mode="async", **SMALL[env_id])
    reference = gymnasium.make_vec(env_id, 2, vectorization_mode="sync", **SMALL[env_id])
    try:
        assert np.array_equal(envs.reset(seed=0)[0], reference.reset(seed=0)[0])
        for move in range(20):
            found, expected = envs.step([move, 20 - move]), reference.step([move, 20 - move])
            assert all(np.array_equal(a, b) for a, b in zip(found[:4], expected[:4]))
    finally:
        envs.close()


def test_stable_baselines_checker() -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    # boards are planes, not images (which is what it takes three dimensions for), so they are given flat
    checker.check_env(gymnasium.wrappers.FlattenObservation(gymnasium.make("narabe/Omok-v0")))
    checker.check_env(OpponentEnv(gymnasium.make("narabe/Gomoku-v0")), warn=False)


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Small networks on two busy cores are far slower with two threads than with one."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("one_thread")
def test_maskable_ppo_learns() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    env = gymnasium.make("narabe/Gomoku-v0", size=5)
    model = contrib.MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=64, seed=0).learn(512)
    observation, info = env.reset(seed=0)
    action, _ = model.predict(observation, action_masks=env.unwrapped.action_masks())
    assert info["action_mask"][int(action)]


@pytest.mark.usefixtures("one_thread")
def test_maskable_ppo_learns_against_an_opponent() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    env = OpponentEnv(gymnasium.make("narabe/Omok-v0", size=5, observation="dict"))
    contrib.MaskablePPO("MultiInputPolicy", env, n_steps=128, batch_size=64, n_epochs=1, seed=0).learn(256)
