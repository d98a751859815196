"""The vector environment: the same as `SyncVectorEnv` over single ones, and what it adds."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from narabe.envs import IllegalMove, vector
from narabe.envs.vector import GameVectorEnv
from narabe.tests.envs.helpers import IDS, RACE, SMALL, every_id, race_registered, some_action

N = 5
every_mode = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.name)


def pair(env_id: str, mode: AutoresetMode, **options: Any) -> tuple[SyncVectorEnv, GameVectorEnv]:
    singles = SyncVectorEnv(
        [lambda: gymnasium.make(env_id, disable_env_checker=True, **options)] * N, autoreset_mode=mode
    )
    batch = gymnasium.make_vec(env_id, N, autoreset_mode=mode, **options)
    assert isinstance(batch, GameVectorEnv)
    return singles, batch


def assert_equal(expected: Any, found: Any) -> None:
    if not data_equivalence(expected, found, exact=True):
        raise AssertionError(f"SyncVectorEnv gives\n{expected}\nbut the vector environment\n{found}")


def walk(singles: SyncVectorEnv, batch: GameVectorEnv, steps: int, illegal: float) -> Iterator[tuple[Any, ...]]:
    """Step both with the same random actions and compare everything; yields the results of each step."""
    rng, waiting = np.random.default_rng(0), np.zeros(N, bool)
    expected, found = singles.reset(seed=40), batch.reset(seed=40)
    assert_equal(expected, found)
    for _ in range(steps):
        actions = np.array([some_action(mask, rng, illegal) for mask in batch.action_masks()])
        expected, found = singles.step(actions), batch.step(actions)
        assert_equal(expected, found)
        waiting = found[2] | found[3]
        if batch.metadata["autoreset_mode"] is AutoresetMode.DISABLED and waiting.any():
            assert_equal(
                singles.reset(options={"reset_mask": waiting.copy()}), batch.reset(options={"reset_mask": waiting})
            )
        for i, env in enumerate(singles.envs):
            assert batch.state(i).history == env.unwrapped.state.history
        yield found


@every_id
@every_mode
def test_equals_the_single_environment(env_id: str, mode: AutoresetMode) -> None:
    singles, batch = pair(env_id, mode, **SMALL[env_id])
    ends = sum(int(found[2].sum()) for found in walk(singles, batch, 130, illegal=0.01))
    assert ends > N


@every_mode
def test_equals_the_single_environment_with_chance(mode: AutoresetMode) -> None:
    with race_registered():
        singles, batch = pair(RACE, mode, observation="dict")
        assert sum(int(found[2].sum()) for found in walk(singles, batch, 80, illegal=0.05)) > N


@every_mode
@pytest.mark.parametrize("observation", ["planes", "dict"])
def test_equals_the_single_environment_when_truncated(mode: AutoresetMode, observation: str) -> None:
    singles, batch = pair("narabe/Freestyle-v0", mode, size=4, row=4, observation=observation, max_episode_steps=12)
    results = list(walk(singles, batch, 60, illegal=0.02))
    assert any((found[3] & ~found[2]).any() for found in results)
    assert any(found[2].any() for found in results)


def test_finals_of_the_same_step() -> None:
    envs = GameVectorEnv(3, "freestyle", size=5, row=3, autoreset_mode="SAME_STEP")
    envs.reset()
    for actions in ((0, 0, 0), (5, 5, 5), (1, 1, 1), (6, 6, 6)):
        *_, infos = envs.step(actions)
        assert "final_obs" not in infos
        assert "result" not in infos
    observations, rewards, terminations, _, infos = envs.step([2, 3, 6])
    assert terminations.tolist() == [True, False, True]
    assert rewards.tolist() == [1, 0, -1]
    assert infos["_final_obs"].tolist() == [True, False, True]
    assert infos["final_obs"][1] is None
    assert infos["final_obs"][0][0].sum() == 3
    assert observations[0, :2].sum() == 0
    assert observations[1, :2].sum() == 5
    final = infos["final_info"]
    assert final["result"].tolist() == ["three in a row", None, "illegal move: B2: occupied"]
    assert final["rewards"].tolist() == [[1, -1], [0, 0], [-1, 1]]
    assert final["illegal"].tolist() == [False, False, True]
    assert infos["to_play"].tolist() == [0, 1, 0]
    assert "result" not in infos


def test_next_step_ignores_the_action_after_an_end() -> None:
    envs = GameVectorEnv(2, "freestyle", size=5, row=3)
    envs.reset()
    for actions in ((0, 0), (5, 5), (1, 1), (6, 6), (2, 3)):
        envs.step(actions)
    observations, rewards, terminations, _, infos = envs.step([9999, 12])
    assert observations[0, :2].sum() == 0
    assert rewards.tolist() == [0, 0]
    assert not terminations.any()
    assert infos["to_play"].tolist() == [0, 0]
    assert [len(envs.state(i).history) for i in range(2)] == [0, 6]


def test_disabled_wants_a_reset() -> None:
    envs = GameVectorEnv(2, "freestyle", size=5, row=3, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ResetNeeded, match="never begun"):
        envs.step([0, 0])
    envs.reset()
    for actions in ((0, 0), (5, 5), (1, 1), (6, 6), (2, 3)):
        _, _, terminations, _, _ = envs.step(actions)
    with pytest.raises(ResetNeeded, match=r"games \[0\] are over"):
        envs.step([0, 8])
    _, infos = envs.reset(options={"reset_mask": terminations})
    assert infos["_action_mask"].tolist() == [True, False]
    assert infos["action_mask"][1].sum() == 0
    envs.step([0, 8])


def test_seeds_are_those_of_single_environments() -> None:
    with race_registered():
        singles, batch = pair(RACE, AutoresetMode.NEXT_STEP)
        for seed in (3, [9, 9, 1, 2, 3]):
            assert_equal(singles.reset(seed=seed), batch.reset(seed=seed))
        first, _ = batch.reset(seed=[9, None, 1, None, 3])
        assert np.array_equal(first[[0, 2, 4]], batch.reset(seed=[9, None, 1, None, 3])[0][[0, 2, 4]])
        with pytest.raises(ValueError, match="2 seeds for 5 games"):
            batch.reset(seed=[1, 2])


def test_starts() -> None:
    singles, batch = pair("narabe/Omok-v0", AutoresetMode.NEXT_STEP, size=7)
    options = {"moves": ["D4", "C3"]}
    assert_equal(singles.reset(seed=1, options=options), batch.reset(seed=1, options=options))
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = [some_action(mask, rng) for mask in batch.action_masks()]
        assert_equal(singles.step(np.array(actions)), batch.step(actions))
        assert all(batch.state(i).history == env.unwrapped.state.history for i, env in enumerate(singles.envs))
    with pytest.raises(IllegalMove, match=r"moves\[1\]"):
        batch.reset(options={"moves": [0, 0]})
    assert batch.state(0).history == singles.envs[0].unwrapped.state.history


def test_starts_with_chance() -> None:
    with race_registered():
        singles, batch = pair(RACE, AutoresetMode.NEXT_STEP)
        options = {"moves": [0, 0]}
        assert_equal(singles.reset(seed=6, options=options), batch.reset(seed=6, options=options))
        assert len({tuple(batch.state(i).history) for i in range(N)}) > 1


@pytest.mark.parametrize(
    ("error", "mask"),
    [
        (TypeError, [True, False]),
        (TypeError, np.ones(3, bool)),
        (TypeError, np.ones(2)),
        (ValueError, np.zeros(2, bool)),
    ],
)
def test_reset_masks_are_checked(error: type[Exception], mask: Any) -> None:
    with pytest.raises(error):
        GameVectorEnv(2, "gomoku", size=5).reset(options={"reset_mask": mask})


def test_actions_are_checked() -> None:
    envs = GameVectorEnv(2, "gomoku", size=5)
    envs.reset()
    with pytest.raises(TypeError, match="whole numbers"):
        envs.step([0.0, 1.0])
    with pytest.raises(ValueError, match="2 actions are needed"):
        envs.step([0, 1, 2])


def test_illegal_moves_that_raise_change_nothing() -> None:
    envs = GameVectorEnv(3, "gomoku", size=5, illegal="raise")
    envs.reset()
    envs.step([0, 1, 2])
    with pytest.raises(IllegalMove, match="game 1: B1: occupied"):
        envs.step([3, 1, 25])
    assert [envs.state(i).history for i in range(3)] == [[0], [1], [2]]


@every_mode
def test_every_array_is_fresh(mode: AutoresetMode) -> None:
    envs = GameVectorEnv(3, "freestyle", size=3, row=3, autoreset_mode=mode, observation="dict")
    kept, rng = [envs.reset(seed=0)], np.random.default_rng(0)
    copies = [copy.deepcopy(kept[0])]
    for _ in range(25):
        kept.append(envs.step([some_action(mask, rng) for mask in envs.action_masks()]))
        copies.append(copy.deepcopy(kept[-1]))
        if mode is AutoresetMode.DISABLED and kept[-1][2].any():
            kept.append(envs.reset(options={"reset_mask": kept[-1][2]}))
            copies.append(copy.deepcopy(kept[-1]))
    assert_equal(copies, kept)


def test_long_runs_forget_old_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "TRIM", 16)
    envs, rng = GameVectorEnv(3, "freestyle", size=5), np.random.default_rng(0)
    envs.reset(seed=0)
    for _ in range(300):
        envs.step([some_action(mask, rng) for mask in envs.action_masks()])
        assert all(envs.state(i).ply == envs._batch.states["ply"][i] for i in range(3))
    assert len(envs._steps) <= 16 + 25 + 1


@pytest.mark.parametrize("how", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_copies(how: Any) -> None:
    with race_registered():
        envs = gymnasium.make_vec(RACE, 4)
        envs.reset(seed=3)
        envs.step([0, 0, 0, 0])
        twin = how(envs)
        for _ in range(30):
            assert_equal(envs.step([0, 0, 0, 0]), twin.step([0, 0, 0, 0]))


def test_a_copy_of_other_rules_is_refused() -> None:
    envs = GameVectorEnv(2, "gomoku", size=5)
    batch = copy.copy(envs._batch)
    batch.states = np.zeros(2, [("line_of_old", np.uint8)])
    with pytest.raises(ValueError, match="another version of its rules"):
        pickle.loads(pickle.dumps(batch))


def test_frames() -> None:
    envs = gymnasium.make_vec("narabe/Gomoku-v0", 2, size=5, render_mode="ansi")
    envs.reset()
    envs.step([12, 13])
    assert envs.render() == (str(envs.state(0)), str(envs.state(1)))
    pixels = GameVectorEnv(2, "gomoku", size=5, render_mode="rgb_array")
    pixels.reset()
    assert len({frame.shape for frame in pixels.render()}) == 1
    assert pixels.render()[0].dtype == np.uint8


def test_vector_wrappers_and_spec() -> None:
    envs = gymnasium.make_vec(IDS[0], 3, size=5)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert envs.spec.id == IDS[0]
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    counted.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(40):
        *_, infos = counted.step(np.array([some_action(mask, rng) for mask in envs.action_masks()]))
    assert len(counted.return_queue) > 0


def test_wrong_words_are_refused() -> None:
    with pytest.raises(ValueError, match="choose one of NEXT_STEP, SAME_STEP, DISABLED"):
        GameVectorEnv(2, "gomoku", autoreset_mode="sometimes")
    with pytest.raises(ValueError, match="choose one of ansi, rgb_array"):
        GameVectorEnv(2, "gomoku", render_mode="human")
    with pytest.raises(ValueError, match="num_envs=0"):
        GameVectorEnv(0, "gomoku")


@every_id
def test_random_actions_are_legal_and_follow_the_seed(env_id: str) -> None:
    envs = gymnasium.make_vec(env_id, N, **SMALL[env_id])

    def walk_at_random() -> list[list[int]]:
        _, infos = envs.reset(seed=3)
        played = []
        for _ in range(30):
            actions = envs.random_actions()
            waiting = ~infos["action_mask"].any(1)
            assert (infos["action_mask"][np.arange(N), actions].astype(bool) | waiting).all()
            played.append(actions.tolist())
            infos = envs.step(actions)[4]
        return played

    first = walk_at_random()
    assert walk_at_random() == first
    assert len({tuple(actions) for actions in zip(*first)}) > 1
