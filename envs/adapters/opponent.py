"""A game against opponents as an ordinary single-agent task: the opponents move inside `reset` and `step`."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs

from narabe.envs.game import Game, IllegalMove
from narabe.envs.single import GameEnv

TRIES = 100  # resets in a row that may end before the learner's first turn


class OpponentEnv(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """The learner sits on one seat; `step` plays its move, then those of all others until it is its turn again.

    The reward is what the learner's seat won or lost since its last move, so that a loss arrives on the learner's own
    step. Observations are always those of its seat, the last one too. Infos are those of `GameEnv` with ``seat`` added;
    ``to_play`` is the learner's seat, or -2 at the end.

    ``seat``: the learner's seat, from 0, or ``"random"`` for one drawn each episode.
    ``opponents``: who sits on each other seat; from a list or tuple, one is drawn for each seat each episode. A mapping
    from seats to these says it seat by seat; seats are those of the game, wherever the learner sits, so with a random
    seat it has to name them all. ``partner``: who sits on the seats of the learner's own team (`Game.teams`), one or a
    list to draw from; by default, they are given like all others. One is

    - ``"random"``: uniformly random legal moves;
    - an agent (see ``docs/design.md``), such as ``narabe.agents.make("uct:sims=50", env.unwrapped.game)``; it is
      told every action and plays in the slot of its seat's number, so one agent may take several seats;
    - a policy: a callable that takes an observation of its own seat and the info, and returns an action.

    All draws come from the environment's generator (``np_random``), so one seed gives one sequence of episodes. An
    illegal move of an opponent raises `IllegalMove`: it would otherwise be a win for the learner.

    >>> env = OpponentEnv(GameEnv("gomoku", size=9), opponents="random", seat=1)
    >>> observation, info = env.reset(seed=7)
    >>> int(observation[1].sum()), info["to_play"], info["seat"]
    (1, 1, 1)

    Seat by seat, in a game of three:

    >>> def lowest(observation, info):
    ...     return int(info["action_mask"].argmax())
    >>> env = OpponentEnv(GameEnv("stacking", players=3), opponents={1: "random", 2: [lowest, "random"]}, seat=0)
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        opponents: Any = "random",
        seat: int | str = "random",
        partner: Any = None,
    ) -> None:
        RecordConstructorArgs.__init__(self, opponents=opponents, seat=seat, partner=partner, _disable_deepcopy=True)
        super().__init__(env)
        base = env.unwrapped
        if not isinstance(base, GameEnv):
            raise TypeError(f"opponents play in a GameEnv, not in {type(base).__name__}")
        if env.observation_space != base.observation_space or env.action_space != base.action_space:
            raise TypeError("opponents need the game as it is: put wrappers that change spaces around this one")
        self._base = base
        self._pools = _pools(opponents, base.game.num_players)
        self._partners = None if partner is None else _pool(partner)
        self._mates = _mates(base.game)
        if self._partners and not any(self._mates):
            raise ValueError(f"{base.game.name} has no teams, so there is no partner: name opponents only")
        self._seat = self._checked_seat(seat)
        self.seat = 0
        self._players: dict[int, Any] = {}  # the opponent on each seat of this episode
        self._told: dict[int, int] = {}  # how many actions the agent on a seat was told

    # ---- playing ----

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game, and play it up to the learner's first turn.

        ``options`` are those of `GameEnv.reset`, and ``seat`` for this episode only.
        """
        options = dict(options or {})
        seat = self._checked_seat(options.pop("seat", self._seat))
        for _ in range(TRIES):
            observation, info = self.env.reset(seed=seed, options=options)
            self._seat_all(seat)
            observation, _, terminated, truncated, info = self._others(observation, 0.0, False, False, info)
            if not (terminated or truncated):
                return observation, info
            seed = None
        raise ValueError(f"the game ended before seat {self.seat} could move, {TRIES} times in a row")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action and the answers to it; returns what `GameEnv.step` does, for the learner's seat."""
        observation, _, terminated, truncated, info = self.env.step(action)
        reward = float(info["rewards"][self.seat])
        return self._others(observation, reward, terminated, truncated, info)

    def _others(
        self, observation: Any, reward: float, terminated: bool, truncated: bool, info: dict[str, Any]
    ) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Let the others play until the learner is to move or the episode is over."""
        while not (terminated or truncated) and info["to_play"] != self.seat:
            action = self._choose(info["to_play"], observation, info)
            observation, _, terminated, truncated, info = self.env.step(action)
            reward += float(info["rewards"][self.seat])
        if info["to_play"] != self.seat:
            observation = self._base.observe(self.seat)
        if terminated or truncated:
            for seat in self._told:
                self._tell(seat)
        return observation, reward, terminated, truncated, info | {"seat": self.seat}

    def _checked_seat(self, seat: int | str) -> int | str:
        players = range(self._base.game.num_players)
        if seat != "random" and not (isinstance(seat, (int, np.integer)) and seat in players):
            raise ValueError(f"seat={seat!r}: 'random', or 0 to {players[-1]}")
        for own in players if seat == "random" else [int(seat)]:
            empty = [other for other in players if other != own and not self._pool_of(other, own)]
            if empty:
                raise ValueError(f"nobody is given for seat {empty[0]} while the learner sits on seat {own}")
        return seat

    def action_masks(self) -> np.ndarray:
        """The learner's legal moves as bools, one an action; the name that sb3-contrib looks for."""
        return self._base.action_masks()

    # ---- the opponents ----

    def _seat_all(self, seat: int | str) -> None:
        """Draw the learner's seat and an opponent for each other one, and tell agents that a game begins."""
        players = self._base.game.num_players
        self.seat = int(self.np_random.integers(players)) if seat == "random" else int(seat)
        self._players, self._told = {}, {}
        for other in range(players):
            if other == self.seat:
                continue
            pool = self._pool_of(other, self.seat)
            opponent = pool[int(self.np_random.integers(len(pool)))]
            self._players[other] = opponent
            if hasattr(opponent, "choose"):
                opponent.new_game(other, int(self.np_random.integers(2**31)), slot=other)
                self._told[other] = 0

    def _pool_of(self, other: int, own: int) -> list[Any]:
        """Those of whom one is drawn for a seat while the learner sits on seat ``own``; empty if nobody was named."""
        if self._partners and other in self._mates[own]:
            return self._partners
        return self._pools.get(other, [])

    def _choose(self, seat: int, observation: Any, info: dict[str, Any]) -> int:
        opponent = self._players[seat]
        if isinstance(opponent, str):
            legal = np.flatnonzero(info["action_mask"])
            return int(legal[self.np_random.integers(len(legal))])
        if seat in self._told:
            self._tell(seat)
            view = self._base.state.view(seat, slot=seat, seed=int(self.np_random.integers(2**31)))
            action = int(opponent.choose([view])[0].action)
        else:
            action = operator.index(opponent(observation, info))
        why = self._base.why_illegal(action)
        if why is not None:
            role = "partner" if seat in self._mates[self.seat] else "opponent"
            raise IllegalMove(f"the {role} on seat {seat}, {opponent!r}, made an illegal move: {why}")
        return action

    def _tell(self, seat: int) -> None:
        """Tell the agent on a seat the actions that it has not heard of yet, as that seat saw them."""
        seen = self._base.state.seen(seat)
        for action in seen[self._told[seat] :]:
            self._players[seat].tell(action, slot=seat)
        self._told[seat] = len(seen)


def _pools(opponents: Any, players: int) -> dict[int, list[Any]]:
    """By seat, those of whom one is drawn each episode."""
    if not isinstance(opponents, Mapping):
        return dict.fromkeys(range(players), _pool(opponents))
    strange = [seat for seat in opponents if not (isinstance(seat, (int, np.integer)) and 0 <= seat < players)]
    if strange:
        raise ValueError(f"opponents for seat {strange[0]!r}: seats are 0 to {players - 1}")
    return {int(seat): _pool(given) for seat, given in opponents.items()}


def _pool(given: Any) -> list[Any]:
    pool = list(given) if isinstance(given, (list, tuple)) else [given]
    if not pool:
        raise ValueError("at least one opponent is needed")
    return [_checked(opponent) for opponent in pool]


def _mates(game: Game) -> list[set[int]]:
    """By seat, the others of its team; in most games there are none."""
    teams = game.teams
    return [{mate for team in teams if seat in team for mate in team} - {seat} for seat in range(game.num_players)]


def _checked(opponent: Any) -> Any:
    if isinstance(opponent, str) and opponent != "random":
        raise ValueError(
            f"opponent {opponent!r}: the only opponent known by name is 'random'; for others pass an agent, such as "
            f"narabe.agents.make({opponent!r}, env.unwrapped.game)"
        )
    if not (isinstance(opponent, str) or hasattr(opponent, "choose") or callable(opponent)):
        raise TypeError(f"opponent {opponent!r} is neither 'random', nor an agent, nor a policy(observation, info)")
    return opponent
