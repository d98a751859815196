"""The replay window: a folder of shards, one a chunk of games, of which the newest positions are learned from.

A shard is a .npz file with the columns of `Positions` and, of what the chunk came to, what follows from the seed. It is
written under another name and then renamed, so a shard that is there is whole. The same positions make the same bytes.
"""

from __future__ import annotations

import json
import os
import pathlib
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from narabe.experiments.args import UsageError
from narabe.experiments.training.selfplay import Positions, Tally

TIMES = ("seconds", "network_seconds")  # of a tally: not in a shard, or its bytes would differ each time
COLUMNS = ("observations", "masks", "policies", "values", "replied", "replies")
OPTIONAL = ("owners",)  # columns that only some runs have


def shard_name(iteration: int, chunk: int) -> str:
    """The name of a shard; names sort as the chunks were due.

    >>> shard_name(12, 3)
    '000012-0003.npz'
    """
    return f"{iteration:06d}-{chunk:04d}.npz"


def iteration_of(path: pathlib.Path) -> int:
    """The iteration that a shard belongs to."""
    return int(path.name.partition("-")[0])


def write(path: pathlib.Path, positions: Positions, tally: Tally) -> None:
    """Write a shard; it is on disk, and whole, when this returns."""
    columns = {name: getattr(positions, name) for name in (*COLUMNS, *OPTIONAL)}
    write_columns(path, {name: column for name, column in columns.items() if column is not None}, asdict(tally))


def read(path: pathlib.Path) -> tuple[Positions, Tally]:
    """What was written; `UsageError` for what is no shard."""
    columns, facts = read_columns(path, COLUMNS, OPTIONAL)
    return Positions(**columns), Tally(**facts)


def write_columns(path: pathlib.Path, columns: dict[str, Any], tally: dict[str, Any]) -> None:
    """Write a shard of any kind: its columns, and what follows from the seed of the tally."""
    facts = {name: value for name, value in tally.items() if name not in TIMES}
    temporary = path.with_suffix(".tmp")
    with temporary.open("wb") as file:
        np.savez_compressed(file, tally=np.array(json.dumps(facts)), **columns)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def read_columns(
    path: pathlib.Path, names: Iterable[str], optional: Iterable[str] = ()
) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """What `write_columns` wrote, the columns of these names, and of the ``optional`` ones those that are there.

    `UsageError` for what is no such shard.
    """
    try:
        with np.load(path, allow_pickle=False) as data:
            there = (*names, *(name for name in optional if name in data))
            return {name: data[name] for name in there}, json.loads(str(data["tally"]))
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise UsageError(
            f"{path} is not a shard of games ({error}): move it away, and its games are played again"
        ) from None


class Rows(NamedTuple):
    """Positions drawn from the window; as `Positions`, but a reply for each row, of zeros where there is none."""

    observations: np.ndarray
    masks: np.ndarray
    policies: np.ndarray
    values: np.ndarray
    replies: np.ndarray
    owners: np.ndarray | None = None


class Window:
    """The newest positions, in memory: bits where planes hold nothing else.

    ``add`` takes positions in the order of the shards' names; ``keep`` forgets the oldest. Rows are counted from the oldest.
    """

    def __init__(self) -> None:
        self._shards: list[Any] = []
        self._skipped = 0  # rows of the first shard that are forgotten
        self.names: list[str] = []

    def __len__(self) -> int:
        return sum(map(len, self._shards)) - self._skipped

    def add(self, name: str, positions: Any) -> None:
        """Add a shard's positions at the new end."""
        self._shards.append(self.packed(positions))
        self.names.append(name)

    def keep(self, rows: int) -> list[str]:
        """Forget all but the newest ``rows`` positions; returns the names of the shards that are not needed any more."""
        gone = []
        surplus = len(self) - rows
        self._skipped += max(0, surplus)
        while len(self._shards) > 1 and self._skipped >= len(self._shards[0]):
            self._skipped -= len(self._shards[0])
            self._shards.pop(0)
            gone.append(self.names.pop(0))
        return gone

    def rows(self, numbers: np.ndarray) -> Rows:
        """The positions with these numbers (int64, 0 to len - 1), in this order."""
        parts, places = zip(*((shard.rows(rows), chosen) for shard, rows, chosen in self.by_shard(numbers)))
        back = np.argsort(np.concatenate(places), kind="stable")
        columns: list[Any] = [None if column[0] is None else np.concatenate(column)[back] for column in zip(*parts)]
        return Rows(*columns)

    def by_shard(self, numbers: np.ndarray) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
        """For each shard that has some of these positions: it, their rows in it, and which of ``numbers`` they are."""
        ends = np.cumsum([len(shard) for shard in self._shards])
        wanted = np.asarray(numbers) + self._skipped
        where = np.searchsorted(ends, wanted, side="right")
        for i in np.unique(where):
            chosen = np.flatnonzero(where == i)
            yield self._shards[i], wanted[chosen] - (ends[i] - len(self._shards[i])), chosen

    def packed(self, positions: Any) -> Any:
        """How a shard's positions are kept; it has a length and, by their numbers, ``rows``."""
        return _Shard(positions)


class _Shard:
    """A shard's positions in as little memory as is easily had."""

    def __init__(self, p: Positions) -> None:
        self._shape, self._actions = p.observations.shape[1:], p.masks.shape[1]
        self._is_bits = bool(len(p) == 0 or (p.observations.min() >= 0 and p.observations.max() <= 1))
        flat = p.observations.reshape(len(p), -1)
        self._observations = np.packbits(flat.astype(bool), axis=1) if self._is_bits else flat
        self._masks = np.packbits(p.masks.astype(bool), axis=1)
        self._policies, self._values, self._replies, self._owners = p.policies, p.values, p.replies, p.owners
        self._reply_of = np.full(len(p), -1, np.int32)
        self._reply_of[p.replied] = np.arange(len(p.replied))

    def __len__(self) -> int:
        return len(self._policies)

    def rows(self, k: np.ndarray) -> Rows:
        flat = self._observations[k]
        if self._is_bits:
            flat = np.unpackbits(flat, axis=1, count=int(np.prod(self._shape))).view(np.int8)
        replies = np.zeros((len(k), self._actions), np.float16)
        has = self._reply_of[k] >= 0
        replies[has] = self._replies[self._reply_of[k][has]]
        masks = np.unpackbits(self._masks[k], axis=1, count=self._actions).view(np.int8)
        owners = None if self._owners is None else self._owners[k]
        return Rows(flat.reshape(len(k), *self._shape), masks, self._policies[k], self._values[k], replies, owners)
