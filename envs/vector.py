"""Many games as one Gymnasium vector environment: one batch of records, one kernel call a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from narabe.envs import batch as shared
from narabe.envs import stepping
from narabe.envs.batch import ILLEGAL, OBSERVATIONS, Batch
from narabe.envs.game import Game, IllegalMove, State
from narabe.envs.rules.random import new_stream

PICKS = 0x9C  # key of the stream of random actions
TRIM = 1024  # so many steps are recorded before those older than the longest game still played are dropped


class GameVectorEnv(VectorEnv[Any, Any, np.ndarray]):
    """``num_envs`` games of one kind; the same, step for step, as `SyncVectorEnv` over so many `GameEnv`.

    Observations, rewards, infos, illegal moves and chance turns are those of `GameEnv`, with one row or entry a game;
    an info ``key`` has its mask of bools ``_key``. All arrays are fresh on every call.

    ``autoreset_mode`` is one of Gymnasium's: with NEXT_STEP (the default) the step after a game's end begins a new game
    and ignores the action; with SAME_STEP the ending step begins it, and the infos hold ``final_obs`` and
    ``final_info``; with DISABLED the caller begins it by ``reset(options={"reset_mask": ended})``.
    ``max_episode_steps`` truncates games, as the wrapper `TimeLimit` does for a single one.

    >>> envs = GameVectorEnv(3, "gomoku", size=9)
    >>> observations, infos = envs.reset(seed=7)
    >>> observations, rewards, terminations, truncations, infos = envs.step([40, 41, 42])
    >>> observations.shape, infos["to_play"].tolist(), infos["action_mask"].sum(1).tolist()
    ((3, 4, 9, 9), [1, 1, 1], [80, 80, 80])
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int,
        game: str | Game,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        illegal: str = "forfeit",
        observation: str = "planes",
        render_mode: str | None = None,
        cell: int = 32,
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs}: at least one")
        self.num_envs = num_envs
        self.game = shared.game_of(game, options)
        self.illegal = shared.choose("illegal", illegal, ILLEGAL)
        self.observation = shared.choose("observation", observation, OBSERVATIONS)
        modes = [mode for mode in shared.render_modes(self.game) if mode != "human"]
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = self.metadata | {"render_modes": modes, "autoreset_mode": self.autoreset_mode}
        self.render_mode = None if render_mode is None else shared.choose("render_mode", render_mode, modes)
        self.cell = cell
        self.max_episode_steps = max_episode_steps
        self.single_observation_space = shared.observation_space(self.game, observation)
        self.single_action_space = gymnasium.spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch = Batch(self.game, num_envs)
        self._begun = np.zeros(num_envs, np.bool_)
        self._waiting = np.zeros(num_envs, np.bool_)  # games that ended and were not begun anew
        self._forfeited = np.zeros(num_envs, np.bool_)  # of those, games whose last action was not played
        self._picks: np.ndarray | None = None  # stream of `random_actions`
        self._steps: list[np.ndarray] = []  # the actions of the last steps, for `state`
        self._trim_at = TRIM

    # ---- playing ----

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games, or those set in ``options["reset_mask"]`` (bools); returns (observations, infos).

        Game ``i`` is seeded by ``seed + i``, or by entry ``i`` of a sequence. The other options are those of
        `GameEnv.reset`, for each of the games begun; infos cover these games only.
        """
        batch, options = self._batch, dict(options or {})
        rows = self._rows(options.pop("reset_mask", None))
        self._seed(seed, rows)
        for i, start in self._openings(options, rows).items():
            batch.lay(i, start)
        batch.reset(rows, bool(options))
        self._begun |= rows
        self._waiting &= ~rows
        self._forfeited &= ~rows
        observations, legal, to_play = self._arrays()
        self._look(np.ones(self.num_envs, np.bool_), observations, legal, to_play)
        view = self._view(observations, legal)
        to_play[~rows] = 0
        legal[~rows] = 0
        return view, _infos(rows, to_play, np.zeros((self.num_envs, self.game.num_players)), legal)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in each game; returns (observations, rewards, terminations, truncations, infos).

        Raises `ResetNeeded` if a game is not ready to be played, and with ``illegal="raise"`` `IllegalMove` before
        anything is played in any game.
        """
        batch, n = self._batch, self.num_envs
        given = self._actions(actions)
        self._check(given)
        observations, legal, to_play = self._arrays()
        reward, rewards = np.empty(n), np.empty((n, self.game.num_players))
        terminated, truncated = np.empty(n, np.bool_), np.empty(n, np.bool_)
        results, faults = np.empty(n, np.int64), np.empty(n, np.int64)
        batch.forget(self._waiting)
        ended = stepping.step_all(
            batch.states, batch.masks, batch.rngs, batch.first, batch.seats, batch.over, batch.start, batch.start_mask,
            given, self._waiting, batch.elapsed, self.max_episode_steps or 0,
            observations, legal, reward, rewards, terminated, truncated, to_play, results, faults,
        )  # fmt: skip
        self._record(given)
        self._waiting, self._forfeited = terminated | truncated, faults != 0
        endings = self._endings(given, terminated, results, faults) if ended else {}
        if ended and self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos = self._renew(observations, legal, to_play, rewards, endings)
        else:
            infos = _infos(None, to_play, rewards, legal) | endings
        return self._view(observations, legal), reward, terminated, truncated, infos

    def _renew(
        self,
        observations: np.ndarray,
        legal: np.ndarray,
        to_play: np.ndarray,
        rewards: np.ndarray,
        endings: dict[str, Any],
    ) -> dict[str, Any]:
        """Begin the games that ended, in place; returns the infos with what was seen at their ends."""
        rows = self._waiting
        final_obs = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(rows):
            final_obs[i] = self._view(observations[i].copy(), legal[i])
        final_info = _infos(rows, _only(rows, to_play), _only(rows, rewards), _only(rows, legal)) | endings
        self._batch.reset(rows)
        self._look(rows, observations, legal, to_play)
        rewards[rows] = 0.0
        self._waiting, self._forfeited = np.zeros_like(rows), np.zeros_like(rows)
        finals = {"final_obs": final_obs, "_final_obs": rows, "final_info": final_info, "_final_info": rows.copy()}
        return _infos(None, to_play, rewards, legal) | finals

    def _endings(
        self, actions: np.ndarray, terminated: np.ndarray, results: np.ndarray, faults: np.ndarray
    ) -> dict[str, Any]:
        """The infos ``result`` and ``illegal`` of the games that ended (not of those truncated)."""
        infos: dict[str, Any] = {}
        rows = terminated.nonzero()[0]
        if len(rows):
            words = np.empty(self.num_envs, object)  # of None
            words[rows] = self._batch.endings(rows, actions, results, faults)
            infos = {"result": words, "_result": terminated.copy()}
            illegal = faults != 0
            if illegal.any():
                infos |= {"illegal": illegal, "_illegal": illegal.copy()}
        return infos

    def random_actions(self) -> np.ndarray:
        """A uniformly random legal action for each game (int64), 0 for games that wait to begin anew.

        Faster than `action_space.sample` with a mask; drawn from a stream of its own that the number given to `reset` seeds.
        """
        self._check_begun()
        if self._picks is None:
            self._picks = np.array([shared.chance_stream(self.np_random)], np.uint64)
        actions = np.empty(self.num_envs, np.int64)
        stepping.pick_all(self._batch.states, self._waiting, self._picks, actions)
        return actions

    def action_masks(self) -> np.ndarray:
        """The legal moves as bools of shape (num_envs, number of actions)."""
        self._check_begun()
        observations, legal, to_play = self._arrays()
        self._look(np.ones(self.num_envs, np.bool_), observations, legal, to_play)
        return legal.astype(np.bool_)

    # ---- what goes in and out ----

    def _rows(self, mask: Any) -> np.ndarray:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise TypeError(f"reset_mask must be an array of {self.num_envs} bools, not {mask!r}")
        if not mask.any():
            raise ValueError("reset_mask names no game to reset")
        return mask.copy()

    def _openings(self, options: dict[str, Any], rows: np.ndarray) -> dict[int, State]:
        """The starts that the options of `reset` ask for, one for all where the game has no chance turns."""
        starts: dict[int, State] = {}
        for i in np.flatnonzero(rows) if options else ():
            if starts and not hasattr(self.game.law, "chance_draw"):
                starts[int(i)] = next(iter(starts.values()))
            else:
                start = shared.opening(self.game, options, self._batch.rngs[i : i + 1])
                assert start is not None  # there are options
                starts[int(i)] = start
        return starts

    def _seed(self, seed: int | Sequence[int | None] | None, rows: np.ndarray) -> None:
        """Give the games their streams of chance: from their seeds, and at first from our own generator."""
        n, batch = self.num_envs, self._batch
        fresh = rows & ~self._begun
        if seed is None:
            seeds: Sequence[int | None] = [None] * n
        elif isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            self._picks = new_stream(np.random.SeedSequence(int(seed), spawn_key=(PICKS,)))
            seeds = [int(seed) + i for i in range(n)]
        else:
            seeds = seed
        if len(seeds) != n:
            raise ValueError(f"{len(seeds)} seeds for {n} games: give one each, or a single number")
        if fresh.any():
            top = np.iinfo(np.uint64).max
            batch.rngs[fresh] = self.np_random.integers(0, top, fresh.sum(), np.uint64, endpoint=True)
        for i, own in enumerate(seeds):
            if rows[i] and own is not None:
                batch.rngs[i] = shared.chance_stream(seeding.np_random(own)[0])

    def _actions(self, actions: Any) -> np.ndarray:
        """The actions as a fresh int64 array; `TypeError` or `ValueError` for what is none."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {given.dtype}")
        if given.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} actions are needed, one a game, not an array of shape {given.shape}")
        return given.astype(np.int64)

    def _check_begun(self) -> None:
        if not self._begun.all():
            raise ResetNeeded("some games were never begun: call reset first")

    def _check(self, actions: np.ndarray) -> None:
        self._check_begun()
        if self.autoreset_mode is AutoresetMode.DISABLED and self._waiting.any():
            raise ResetNeeded(
                f"games {np.flatnonzero(self._waiting).tolist()} are over: with autoreset disabled, call "
                'reset(options={"reset_mask": terminations | truncations}) first'
            )
        if self.illegal == "raise":
            i, fault = stepping.first_fault(self._batch.states, actions, self._waiting)
            if i >= 0:
                raise IllegalMove(f"game {i}: {self._batch.why(i, int(actions[i]), fault)}")

    def _arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Unwritten (observations, legal moves, to_play)."""
        n = self.num_envs
        return (
            np.empty((n, *self.game.observation_shape), np.int8),
            np.empty((n, self.game.num_actions), np.int8),
            np.empty(n, np.int64),
        )

    def _look(self, rows: np.ndarray, observations: np.ndarray, legal: np.ndarray, to_play: np.ndarray) -> None:
        batch = self._batch
        stepping.look_all(batch.states, batch.masks, batch.seats, batch.over, rows, observations, legal, to_play)

    def _view(self, observations: np.ndarray, legal: np.ndarray) -> Any:
        if self.observation == "planes":
            return observations
        return {"observation": observations, "action_mask": legal.astype(np.bool_)}

    # ---- positions and pictures ----

    def _record(self, actions: np.ndarray) -> None:
        self._steps.append(actions)
        if len(self._steps) >= self._trim_at:
            keep = int(self._batch.elapsed.max())
            del self._steps[: len(self._steps) - keep]
            self._trim_at = keep + TRIM

    def state(self, i: int) -> State:
        """A copy of game ``i`` as a `State` with its history; see `GameEnv.state`."""
        if not self._begun[i]:
            raise ResetNeeded(f"game {i} was never begun: call reset first")
        played = int(self._batch.elapsed[i])
        actions = [int(step[i]) for step in self._steps[len(self._steps) - played :]]
        return self._batch.replay(i, actions[:-1] if self._forfeited[i] else actions)

    def render(self) -> tuple[Any, ...] | None:
        """One frame a game: text (``ansi``) or pixels (``rgb_array``); no display is opened."""
        if self.render_mode is None:
            return None
        return tuple(shared.frame(self.state(i), self.render_mode, self.cell) for i in range(self.num_envs))


def _infos(rows: np.ndarray | None, to_play: np.ndarray, rewards: np.ndarray, legal: np.ndarray) -> dict[str, Any]:
    """Infos that cover the games in ``rows`` (bool; None for all)."""
    covered = np.empty((3, len(to_play)), np.bool_)
    covered[:] = True if rows is None else rows
    return {
        "to_play": to_play, "_to_play": covered[0], "rewards": rewards, "_rewards": covered[1],
        "action_mask": legal, "_action_mask": covered[2],
    }  # fmt: skip


def _only(rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    """A fresh array that holds ``values`` in the given rows and zero elsewhere."""
    kept = np.zeros_like(values)
    kept[rows] = values[rows]
    return kept


def _mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Gymnasium's mode, also by its name (``SAME_STEP``) or its value (``SameStep``)."""
    for known in AutoresetMode:
        if mode in (known, known.name, known.value):
            return known
    raise ValueError(f"autoreset_mode={mode!r}: choose one of {', '.join(known.name for known in AutoresetMode)}")
