"""Any registered game as a PettingZoo environment, in which every seat is an agent of its own.

PettingZoo is an extra (``pip install narabe[pettingzoo]``), and only this module imports it:

>>> from narabe.envs.adapters import aec
>>> env = aec.env("gomoku", size=9)  # or aec.raw_env(...), without PettingZoo's check of the order of calls
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     if terminated or truncated:
...         action = None
...     else:
...         action = int(observation["action_mask"].argmax())  # the first legal move
...     env.step(action)
...     if agent == "seat_1" and terminated:
...         print(reward, info["result"])
-1.0 five in a row
"""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from narabe.envs import batch as shared
from narabe.envs.game import Game, State
from narabe.envs.single import GameEnv

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise ImportError("narabe.envs.adapters.aec needs PettingZoo: pip install narabe[pettingzoo]") from error

OPTIONS = {"position", "moves"}  # of `reset`


class GameAEC(AECEnv):
    """One game; its seats are the agents ``seat_0``, ``seat_1``, ..., of which `agent_selection` is the one to move.

    **Observation** of an agent: a dict of its planes as its own seat sees them (``observation``, int8) and of its legal
    moves (``action_mask``, int8), which is all zero when it is not its turn and at the end.
    **Reward**: every agent gets its payoff on the step that ends the game, 0 before; `last` hands it to each of them,
    the seat after the one that moved first. All agents end together, even one that may not move any more.
    ``truncations`` are set beside ``terminations`` where a limit of the program ended the game.
    **Info**: empty, but at the end ``result``, the reason in words, and ``illegal=True`` for an agent whose illegal
    move ended the game.

    **Illegal moves**: with ``illegal="forfeit"`` the game ends, the mover and its team get -1 each and the
    others share as much, so that
    PettingZoo's ``TerminateIllegalWrapper`` is not needed; with ``illegal="raise"`` `step` raises `IllegalMove`, which
    says why, and the game goes on.

    **Whose turn it is** must be known to the loop that drives the agents (``agent_selection``), also where the others do
    not notice it, as when a player of Goita is asked in secret: do not tell it to the agents.

    **Chance turns** are played inside `reset` and `step`; their stream is seeded by ``reset(seed=...)`` and is that of
    `GameEnv`: one seed and the same moves give the same game. Spaces are for the user to seed.

    Options of the game are keywords. ``render_mode`` (``ansi``, ``rgb_array``, ``human``) and ``cell``, the distance
    between neighbouring cells in pixels, are those of `GameEnv`; pictures show the whole game, hidden parts included.

    >>> env = GameAEC("gomoku", size=9)
    >>> env.reset(seed=7)
    >>> env.step(40)
    >>> env.agent_selection, env.observe("seat_1")["observation"].shape, int(env.observe("seat_1")["action_mask"].sum())
    ('seat_1', (4, 9, 9), 80)
    """

    metadata: dict[str, Any] = GameEnv.metadata | {"name": "narabe_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: str | Game,
        *,
        illegal: str = "forfeit",
        render_mode: str | None = None,
        cell: int = 32,
        **options: Any,
    ) -> None:
        super().__init__()
        self._env = GameEnv(game, illegal=illegal, observation="dict", render_mode=render_mode, cell=cell, **options)
        self.render_mode = render_mode
        self.metadata = self.metadata | self._env.metadata | {"name": f"{self.game.name}_v0"}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []  # nobody plays before the first reset
        self.observation_spaces = {agent: _observation_space(self.game) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}
        self.state_space = _state_space(self.game)

    @property
    def game(self) -> Game:
        """What is played."""
        return self._env.game

    @property
    def position(self) -> State:
        """A copy of the position as a `State`, hidden parts included; see `GameEnv.state`."""
        return self._env.state

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observations; always the same object, so that it can be seeded."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's actions; always the same object, so that it can be seeded."""
        return self.action_spaces[agent]

    # ---- playing ----

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        ``options`` may hold ``position`` and ``moves`` as in `GameEnv.reset`. Others are ignored with a warning, not
        refused, since PettingZoo's own test of the interface hands over an arbitrary one.
        """
        given = dict(options or {})
        strange = sorted(map(str, given.keys() - OPTIONS))
        if strange:
            gymnasium.logger.warn(f"reset takes the options position and moves; ignored: {', '.join(strange)}")
        _, info = self._env.reset(seed=seed, options={name: given[name] for name in given.keys() & OPTIONS})
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[info["to_play"]]

    def step(self, action: Any) -> None:
        """Play an action for `agent_selection`; None, and nothing else, once the game is over.

        Raises `TypeError` for an action that is no whole number, `ValueError` for an action after the end,
        `ResetNeeded` when no agent is left, and with ``illegal="raise"`` `IllegalMove`.
        """
        if not self.agents:
            raise ResetNeeded("the game is over, or was never begun: call reset first")
        mover = self.agent_selection
        if self.terminations[mover]:
            self._was_dead_step(action)
            return
        _, _, terminated, truncated, info = self._env.step(action)
        self._cumulative_rewards[mover] = 0.0  # it has seen what it had so far
        self.rewards = dict(zip(self.agents, info["rewards"].tolist()))
        self._accumulate_rewards()
        if not terminated:
            self.agent_selection = self.agents[info["to_play"]]
            return
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = {agent: {"result": info["result"]} for agent in self.agents}
        if "illegal" in info:
            self.infos[mover]["illegal"] = True
        self.agent_selection = self.agents[(self._seats[mover] + 1) % len(self.agents)]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What the agent sees now; fresh arrays. Raises `ResetNeeded` before the first reset."""
        self._check_begun()
        seen = self._env.observe(self._seats[agent])
        return seen | {"action_mask": seen["action_mask"].view(np.int8)}

    def state(self) -> np.ndarray:
        """What all seats together see: their planes one after another, int8 of shape (players * planes, rows, columns).

        Meant for critics that may see more than the actors; in games without hidden parts it holds nothing new.
        """
        self._check_begun()
        return np.concatenate([self._env.observe(seat)["observation"] for seat in self._seats.values()])

    def _check_begun(self) -> None:
        if not hasattr(self, "agent_selection"):
            raise ResetNeeded("no game was begun: call reset first")

    # ---- copies and pictures ----

    def __copy__(self) -> GameAEC:
        """A deep copy: two environments that shared one board would play into each other's game."""
        return copy.deepcopy(self)

    def render(self) -> Any:
        """The position as text (``ansi``) or as uint8 pixels (``rgb_array``); ``human`` shows a window.

        Only ``human`` opens a display; it shows every reset and step by itself.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render was called without a render mode: give one, such as env(..., render_mode='ansi')"
            )
            return None
        return self._env.render()

    def close(self) -> None:
        """Close the window, if there is one; may be called again."""
        self._env.close()


raw_env = GameAEC


def env(game: str | Game, **options: Any) -> OrderEnforcingWrapper:
    """A `GameAEC` in PettingZoo's ``OrderEnforcingWrapper``; takes what `GameAEC` takes.

    >>> str(env("omok", size=15)), env("omok", size=15).possible_agents
    ('omok_v0', ['seat_0', 'seat_1'])
    """
    return OrderEnforcingWrapper(GameAEC(game, **options))


def _observation_space(game: Game) -> spaces.Dict:
    """One agent's observations; the mask is int8, as PettingZoo's classic games have it."""
    mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
    return spaces.Dict({"observation": shared.observation_space(game, "planes"), "action_mask": mask})


def _state_space(game: Game) -> spaces.Box:
    planes = shared.observation_space(game, "planes")
    assert isinstance(planes, spaces.Box)
    low, high = (np.concatenate([bound] * game.num_players) for bound in (planes.low, planes.high))
    return spaces.Box(low, high, dtype=np.int8)
