"""The replay window of deals: logs, from which positions are played again when they are learned from.

A deal's log is some 40 bytes, and playing it again takes microseconds, so that a window of millions of decisions is small.
"""

from __future__ import annotations

import pathlib
from dataclasses import asdict
from typing import NamedTuple

import numpy as np

from narabe.agents.card_network import hidden_planes
from narabe.envs.game import Game
from narabe.envs.rules import core
from narabe.experiments.training import window
from narabe.experiments.training_cards import turns
from narabe.experiments.training_cards.deals import COLUMNS, Deals, Tally


class Rows(NamedTuple):
    """Decisions drawn from the window, in any order.

    ``planes``: int8 (n, planes, seats, kinds), as the seat that decided saw them; ``hidden``: int8 (n, 2, seats, kinds), what
    it did not see (`narabe.agents.card_network.hidden_planes`); ``actions``: int64 (n,), what was played; ``payoffs``: float32
    (n,), what the seat got in the end; ``alike``: float32 (n,), 1 where all seats were played by the network.
    """

    planes: np.ndarray
    hidden: np.ndarray
    actions: np.ndarray
    payoffs: np.ndarray
    alike: np.ndarray


class Decisions:
    """The decisions of the network in some deals; its length is their number."""

    def __init__(self, game: Game, deals: Deals) -> None:
        self._deals, self._start = deals, game.start(chance="manual").record
        games, plies = (np.zeros(len(deals.entries), np.int32) for _ in range(2))
        payoffs = np.zeros((len(deals.ends), game.num_players))
        found = turns.find_decisions(
            self._start, core.new_states(game.law, 1), deals.kinds, deals.entries, deals.ends, deals.dealt,
            deals.dealt_ends, np.zeros(game.num_actions, np.int64), games, plies, payoffs,
        )  # fmt: skip
        self._games, self._plies = games[:found].copy(), plies[:found].copy()
        self._firsts = np.concatenate(([0], deals.ends[:-1]))
        self._dealt_firsts = np.concatenate(([0], deals.dealt_ends[:-1]))
        self._payoffs = payoffs.astype(np.float32)
        self._alike = (deals.kinds == turns.NETWORK).all(1).astype(np.float32)

    def __len__(self) -> int:
        return len(self._games)

    def put(self, k: np.ndarray, places: np.ndarray, records: np.ndarray) -> tuple[np.ndarray, ...]:
        """Put the positions of decisions ``k`` in ``records[places]``; (actions, payoffs of all players, alike) of them."""
        d, games, plies = self._deals, self._games[k], self._plies[k].astype(np.int64)
        firsts = self._firsts[games]
        turns.put_positions(
            self._start, records, places, d.entries, firsts, plies, d.dealt, self._dealt_firsts[games]
        )  # fmt: skip
        return d.entries[firsts + plies], self._payoffs[games], self._alike[games]


class DealWindow(window.Window):
    """The newest decisions; shards are `Decisions`."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def packed(self, positions: Decisions) -> Decisions:
        return positions

    def rows(self, numbers: np.ndarray) -> Rows:  # type: ignore[override]
        """The decisions with these numbers (int64, 0 to len - 1), in this order."""
        n = len(numbers)
        records = core.new_states(self.game.law, n)
        actions, alike = np.zeros(n, np.int64), np.zeros(n, np.float32)
        payoffs = np.zeros((n, self.game.num_players), np.float32)
        for shard, k, places in self.by_shard(numbers):
            actions[places], payoffs[places], alike[places] = shard.put(k, places, records)
        planes = np.zeros((n, *self.game.observation_shape), np.int8)
        scratch = (np.zeros(n * self.game.num_actions, np.int64) for _ in range(2))
        turns.look(records, np.arange(n), planes, *scratch)
        seats = records["turn"].astype(np.int64)
        return Rows(
            planes, hidden_planes(self.game, records, seats), actions, payoffs[np.arange(n), seats], alike
        )  # fmt: skip


def write(path: pathlib.Path, deals: Deals, tally: Tally) -> None:
    """Write a shard; it is on disk, and whole, when this returns."""
    window.write_columns(path, {name: getattr(deals, name) for name in COLUMNS}, asdict(tally))


def read(path: pathlib.Path) -> tuple[Deals, Tally]:
    """What was written; `UsageError` for what is no shard of deals."""
    columns, facts = window.read_columns(path, COLUMNS)
    return Deals(**columns), Tally(**facts)
