"""`GameTree`: a two-player zero-sum game, written out once, and the policies on it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numba.core import config

from narabe.envs.game import Game, State
from narabe.envs.rules import core
from narabe.search.cfr import build
from narabe.search.cfr.build import END_NODE, INFO, NODE, NONE, WORK

MAX_NODES = 4_000_000
"""Where a walk gives up unless told otherwise; a node takes 48 bytes."""
SLICE = 1 << 20  # nodes between two chances for Ctrl-C to get through

FAULTS = {
    build.UNCOUNTED: "its outcomes of chance cannot be counted",
    build.WEIGHTS: "the weights of its outcomes do not sum to one",
    build.STUCK: "there is no legal action, and the game is not over",
    build.SUM: "the payoffs do not sum to zero",
}
RECALL = {
    build.PAST: "but the player came there by different actions of its own",
    build.ACTIONS: "but the legal actions differ",
}


class TreeError(ValueError):
    """A game that cannot be written out as a tree, or is not what these algorithms solve; the message says where and why."""


class GameTree:
    """The tree of a game, made by `GameTree.of`. A *slot* is an action of an information set.

    A **policy** is a float64 array by slot: probabilities, which sum to one over each information set of either player.

    ``nodes``, ``infos``: records of `build.NODE` and `build.INFO`, in an order in which parents come first.
    ``actions``: int64, the action of each slot. ``ends``: int32 [2, ends], the last slot of either player before each
    end of the game (the number of slots where the player had no turn). ``worth``: float64, payoff of seat 0 there times
    the chance of getting there.

    >>> from narabe.envs import game
    >>> tree = GameTree.of(game("goita_two_by_four"))
    >>> tree
    <GameTree of goita_two_by_four: 299 information sets, 400 decision histories, 771 nodes>
    >>> tree.state(0).to_text(), [tree.game.text_of(a) for a in tree.actions[tree.slots(0)]]
    ('0-0 s1 1188,1244 -', ['11', '18', '81', '88'])
    >>> tree.uniform()[tree.slots(0)].tolist()
    [0.25, 0.25, 0.25, 0.25]
    """

    def __init__(self, game: Game, nodes: np.ndarray, infos: np.ndarray, actions: np.ndarray) -> None:
        self.game, self.nodes, self.infos, self.actions = game, nodes, infos, actions
        infos["before"][infos["before"] == NONE] = self.num_slots
        over = nodes["info"] == END_NODE
        self.ends = np.ascontiguousarray(nodes["own"][over].T)
        self.ends[self.ends == NONE] = self.num_slots
        self.worth = nodes["gain"][over] * nodes["chance"][over]
        gains = nodes["gain"][over]
        self.payoff_range: tuple[float, float] = float(gains.min()), float(gains.max())
        """Least and highest payoff of seat 0."""

    @classmethod
    def of(cls, game: Game, max_nodes: int = MAX_NODES) -> GameTree:
        """Walk through the whole game from its start.

        Raises `LawError` where the law lacks what is needed (`chance_weight`, `info_key`), and `TreeError` for a game that
        is not of two players or not zero-sum, that needs more than ``max_nodes`` nodes, or in which a player forgets.
        """
        if game.num_players != 2:
            raise TreeError(f"{game.spec}: {game.num_players} players, and only games of two are written out")
        if not 1 <= max_nodes < 1 << 31:
            raise ValueError(f"max_nodes={max_nodes}: 1 to {(1 << 31) - 1}")
        if hasattr(game.law, "chance_draw"):
            core.require(game.law, "chance_weight")
        if hasattr(game.law, "redeal"):
            core.require(game.law, "info_key")
        # zeros are memory only when they are written to, so a small game takes little
        nodes, infos, work = (_records(n, kind) for n, kind in ((max_nodes, NODE), (max_nodes, INFO), (1, WORK)))
        actions, table = np.zeros(max_nodes, np.int64), np.zeros(2 * max_nodes, np.int32)
        state, w = game.start(chance="manual"), work[0]
        w["nodes"], nodes["node_of_cfr"][0], nodes["chance"][0] = 1, NONE, 1.0
        nodes["own"][0] = NONE
        over, fault = False, build.DONE
        while not over:
            over, fault = build.walk(state.record, nodes, infos, actions, table, work, SLICE)
        if fault != build.DONE:
            raise TreeError(f"{game.spec}: {_why(game, nodes, fault, int(w['work_of_cfr']), int(w['other']))}")
        return cls(game, nodes[: w["nodes"]].copy(), infos[: w["infos"]].copy(), actions[: w["slots"]].copy())

    # ---- facts ----

    @property
    def num_infos(self) -> int:
        """Information sets of both players."""
        return len(self.infos)

    @property
    def num_slots(self) -> int:
        """Actions of all information sets: the length of a policy."""
        return len(self.actions)

    @property
    def num_decisions(self) -> int:
        """Histories after which a player is to move."""
        return int((self.nodes["info"] >= 0).sum())

    def slots(self, info: int) -> slice:
        """Where a policy holds the information set, its actions (`actions`) in ascending order."""
        first = int(self.infos["first"][info])
        return slice(first, first + int(self.infos["width"][info]))

    def seat(self, info: int) -> int:
        """The seat that decides there."""
        return int(self.infos["player"][info]) - 1

    def history(self, info: int) -> list[int]:
        """One way to get there: actions and outcomes of chance from the start on."""
        return _history(self.nodes, int(self.infos["node"][info]))

    def state(self, info: int) -> State:
        """One position of the information set, reached by `history`."""
        state = self.game.start(chance="manual")
        for action in self.history(info):
            state.play(action)
        return state.settle()

    def info_of(self, state: State) -> int:
        """The information set of the player to move; `KeyError` if the tree has none for it.

        Where the law has no `info_key` it is told by the state's history, so this must be one from the start.
        """
        if hasattr(self.game.law, "info_key"):
            player = state.to_play + 1
            return self._by_key[int(build.info_word(state.record, player)), player]
        node = 0
        for action in state.history:
            first, width = int(self.nodes["first"][node]), int(self.nodes["width"][node])
            node = first + self.nodes["action"][first : first + width].tolist().index(action)
        return int(self.nodes["info"][node])

    @functools.cached_property
    def _by_key(self) -> dict[tuple[int, int], int]:
        pairs = zip(self.infos["info_of_cfr"].tolist(), self.infos["player"].tolist())
        return {pair: info for info, pair in enumerate(pairs)}

    # ---- policies ----

    def uniform(self) -> np.ndarray:
        """The policy that plays every legal action equally often."""
        return np.repeat(1.0 / self.infos["width"], self.infos["width"])

    def policy_of(
        self, player: Callable[[State], Any], track: Callable[[Iterable[int]], Iterable[int]] | None = None
    ) -> np.ndarray:
        """The policy of anything that plays: ``player`` gets one position of each information set (it may look only at
        what the seat to move can see: `State.view`, `State.observe`) and returns probabilities by action of the game.

        It is not asked where only one action is legal. What it gives to illegal actions is left out and the rest scaled
        to sum to one; `ValueError` if nothing is left.
        ``track`` may wrap the numbers of the information sets, to show how far this is.
        """
        policy = np.zeros(self.num_slots)
        for info in track(range(self.num_infos)) if track else range(self.num_infos):
            where = self.slots(info)
            if where.stop - where.start == 1:
                policy[where] = 1.0
                continue
            state = self.state(info)
            given = np.asarray(player(state), np.float64)
            if given.shape != (self.game.num_actions,):
                raise ValueError(f"{given.shape} probabilities for {self.game.num_actions} actions")
            share = given[self.actions[where]]
            if not (share.min() >= 0 and 0 < share.sum() < np.inf):
                raise ValueError(f"{share} are no probabilities for {self.actions[where]}, in {state.to_text()}")
            policy[where] = share / share.sum()
        return policy

    def __repr__(self) -> str:
        return (
            f"<GameTree of {self.game.spec}: {self.num_infos} information sets, {self.num_decisions} decision "
            f"histories, {len(self.nodes)} nodes>"
        )


def _records(n: int, kind: np.dtype) -> np.ndarray:
    """Zeroed records that plain Python, too, can read fields of by name."""
    return np.zeros(n, kind).view(np.recarray) if config.DISABLE_JIT else np.zeros(n, kind)


def _history(nodes: np.ndarray, node: int) -> list[int]:
    actions = []
    while node > 0:
        actions.append(int(nodes["action"][node]))
        node = int(nodes["node_of_cfr"][node])
    return actions[::-1]


def _why(game: Game, nodes: np.ndarray, fault: int, node: int, other: int) -> str:
    """What a walk stopped at, in words."""
    here, there = (" ".join(map(game.text_of, _history(nodes, n))) or "the start" for n in (node, other))
    if fault == build.FULL:
        return f"the tree has more than max_nodes={len(nodes):,} nodes; choose a smaller game, or allow more"
    if fault in RECALL:
        return f"not a game of perfect recall: {there} and {here} are one information set, {RECALL[fault]}"
    return f"after {here}: {FAULTS[fault]}"
