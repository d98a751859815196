"""Any registered game as a Gymnasium environment in which every seat is played by `step`."""

from __future__ import annotations

import copy
import operator
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from narabe.envs import batch as shared
from narabe.envs import stepping
from narabe.envs.batch import ILLEGAL, OBSERVATIONS, Batch
from narabe.envs.game import OVER_SEAT, Game, IllegalMove, State

_ROW = np.ones(1, np.bool_)


class GameEnv(gymnasium.Env[Any, Any]):
    """One game; `step` plays for the side to move, whoever that is.

    **Observation**: int8 planes as the seat to play sees them (see the law's ``observation_shape``); with
    ``observation="dict"`` a dict of these (``observation``) and the legal moves (``action_mask``, bool).
    **Reward**: that of the player who just moved. **Info**, on every call: ``to_play`` (the seat to play, from 0; never
    chance), ``rewards`` (float64, of all seats; they sum to zero), ``action_mask`` (int8). On the last step also
    ``result``, the reason in words, and ``illegal=True`` if an illegal move ended the game.

    **At the end** there is nobody to play: ``to_play`` is -2 (as in `State`), the mask is all zero, and the observation
    is that of the seat that made the last move, to whom the reward belongs too. (``action_space.sample(mask)`` gives 0
    for such a mask, so a loop must look at ``terminated``; `step` then raises `ResetNeeded`.)

    **Illegal moves**: with ``illegal="forfeit"`` the game ends, the mover and its team get -1 each and the others share
    as much; ``state`` stays as it was before the move. With ``illegal="raise"`` `step` raises `IllegalMove`, which says
    why, and the game goes on. A move is never replaced by another one.

    **Chance turns** are played inside `reset` and `step`, from a stream that is seeded by ``np_random``.

    Options of the game are keywords: ``GameEnv("omok", size=15)``, ``gymnasium.make("narabe/Omok-v0", size=15)``.
    ``cell`` is the distance between neighbouring cells of a picture in pixels.

    >>> env = GameEnv("gomoku", size=9)
    >>> observation, info = env.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = env.step(40)
    >>> observation.shape, reward, terminated, info["to_play"], int(info["action_mask"].sum())
    ((4, 9, 9), 0.0, False, 1, 80)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        game: str | Game,
        *,
        illegal: str = "forfeit",
        observation: str = "planes",
        render_mode: str | None = None,
        cell: int = 32,
        **options: Any,
    ) -> None:
        self.game = shared.game_of(game, options)
        self.illegal = shared.choose("illegal", illegal, ILLEGAL)
        self.observation = shared.choose("observation", observation, OBSERVATIONS)
        modes = shared.render_modes(self.game)
        self.metadata = self.metadata | {"render_modes": modes}
        self.render_mode = None if render_mode is None else shared.choose("render_mode", render_mode, modes)
        self.cell = cell
        self.observation_space = shared.observation_space(self.game, observation)
        self.action_space = gymnasium.spaces.Discrete(self.game.num_actions)
        self._batch = Batch(self.game, 1)
        self._actions: list[int] = []  # of the players, since the batch's start or laid position
        self._playing = False
        self._streamed: np.random.Generator | None = None  # the generator that the stream of chance was drawn from
        self._shadow: State | None = None  # the position as a `State`, made when asked for,
        self._shown = 0  # and how many of the actions were played on it
        self._window: Any = None

    # ---- playing ----

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game; returns (observation, info).

        ``options`` may hold ``position`` (a `State` or its text) and ``moves`` (numbers or texts played from there);
        `narabe.envs.batch.opening` says what is refused.
        """
        super().reset(seed=seed)
        batch = self._batch
        if self._streamed is not self.np_random:
            self._streamed = self.np_random
            batch.rngs[0] = shared.chance_stream(self.np_random)
        start = shared.opening(self.game, options, batch.rngs)
        if start is not None:
            batch.lay(0, start)
        batch.reset(_ROW, start is not None)
        self._actions, self._shadow, self._playing = [], None, True
        observation, legal = self._look()
        rewards = np.zeros(self.game.num_players)
        if self.render_mode == "human":
            self.render()
        info = {"to_play": int(batch.seats[0]), "rewards": rewards, "action_mask": legal}
        return self._view(observation, legal), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action for the side to move; returns (observation, reward, terminated, truncated, info).

        Raises `TypeError` for an action that is no whole number, `ResetNeeded` before the first reset and after the
        end, and with ``illegal="raise"`` `IllegalMove`.
        """
        action = operator.index(action)
        if not self._playing:
            raise ResetNeeded("the game is over, or was never begun: call reset first")
        if self.illegal == "raise":
            why = self.why_illegal(action)
            if why is not None:
                raise IllegalMove(why)
        batch, game = self._batch, self.game
        observation = np.empty(game.observation_shape, np.int8)
        legal = np.empty(game.num_actions, np.int8)
        rewards = np.empty(game.num_players)
        reward, to_play, result, fault, truncated = stepping.step_one(
            batch.states, batch.masks, batch.rngs, batch.seats, batch.over, action, observation, legal, rewards
        )
        info: dict[str, Any] = {"to_play": to_play, "rewards": rewards, "action_mask": legal}
        if not fault:
            self._actions.append(action)
        terminated = to_play == OVER_SEAT
        if terminated:
            self._playing = False
            info["result"] = batch.ending(0, action, result, fault)
            if fault:
                info["illegal"] = True
        if self.render_mode == "human":
            self.render()
        return self._view(observation, legal), reward, terminated, bool(truncated), info

    def action_masks(self) -> np.ndarray:
        """The legal moves as bools, one an action; the name that sb3-contrib looks for."""
        return self._look()[1].astype(np.bool_)

    def why_illegal(self, action: int) -> str | None:
        """Why an action cannot be played now, or None if it can."""
        if not self._playing:
            return "the game is over, or was never begun"
        fault = stepping.fault_at(self._batch.states, 0, action)
        return self._batch.why(0, action, fault) if fault else None

    def observe(self, seat: int) -> Any:
        """The observation of any seat, counted from 0, as `step` gives it; nothing is legal when it is not to play."""
        observation, legal = self._look(seat)
        if seat != self._batch.seats[0]:
            legal[:] = 0
        return self._view(observation, legal)

    def _look(self, seat: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(the planes of a seat, by default of the one whose view `step` gave last, the legal moves), both fresh."""
        batch = self._batch
        seat = batch.seats[0] if seat is None else seat
        observation = np.empty(self.game.observation_shape, np.int8)
        legal = np.empty(self.game.num_actions, np.int8)
        stepping.look_one(batch.states, batch.masks, seat, batch.over, observation, legal)
        return observation, legal

    def _view(self, observation: np.ndarray, legal: np.ndarray) -> Any:
        if self.observation == "planes":
            return observation
        return {"observation": observation, "action_mask": legal.astype(np.bool_)}

    # ---- the position ----

    @property
    def state(self) -> State:
        """A copy of the position, with its history and the random state of its chance turns.

        After an illegal move that ended the game, the position in which it was tried.
        """
        return self._position().copy()

    def _position(self) -> State:
        """The position as a `State` that follows the game; only what was played since the last call is played on it."""
        if self._streamed is None:
            raise ResetNeeded("no game was begun: call reset first")
        if self._shadow is None:
            self._shadow, self._shown = self._batch.replay(0, ()), 0
        for action in self._actions[self._shown :]:
            self._shadow.play(action)
        self._shown = len(self._actions)
        return self._shadow

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_window": None, "_shadow": None}

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEnv:
        memo[id(self.game)] = self.game  # never changes, so copies may share it
        other = object.__new__(type(self))
        memo[id(self)] = other
        other.__dict__.update(copy.deepcopy(self.__getstate__(), memo))
        return other

    def __copy__(self) -> GameEnv:
        """A deep copy: two environments that shared one board would play into each other's game."""
        return copy.deepcopy(self)

    # ---- pictures ----

    def render(self) -> Any:
        """The position as text (``ansi``: ``str(state)``) or as uint8 pixels (``rgb_array``); ``human`` shows a window.

        Only ``human`` opens a display; it shows every reset and step by itself.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render was called without a render mode: give one when the environment is made, such as "
                'gymnasium.make("narabe/Gomoku-v0", render_mode="ansi")'
            )
            return None
        if self.render_mode != "human":
            return shared.frame(self._position(), self.render_mode, self.cell)
        if self._window is None:
            from narabe.envs.drawing.window import Window

            self._window = Window(self.game.title, self.metadata["render_fps"])
        self._window.show(shared.frame(self._position(), "rgb_array", self.cell))
        return None

    def close(self) -> None:
        """Close the window, if there is one; may be called again."""
        if self._window is not None:
            self._window.close()
            self._window = None
