"""The games of a run's folder, to read: nothing is locked or changed, and the run may be going on meanwhile."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from narabe import envs
from narabe.experiments.args import UsageError
from narabe.experiments.referee import GameRecord
from narabe.experiments.store import FILE, SCHEMA, connect_to_read

BY_SEAT = ("agents", "payoffs", "choices", "seconds")  # columns in JSON
COLUMNS = tuple(field.name for field in fields(GameRecord))


@dataclass(frozen=True)
class StoredRun:
    """A run that is on disk: its settings as they were stored, and the version of narabe that began it."""

    folder: Path
    settings: dict[str, Any]
    version: str

    @cached_property
    def game(self) -> envs.Game:
        """The game that was played."""
        try:
            return envs.game(self.settings["game"], **self.settings["options"])
        except (KeyError, ValueError) as error:
            raise UsageError(f"{self.folder} holds games that cannot be replayed here: {error}") from None

    @property
    def count(self) -> int:
        """Games stored so far."""
        with closing(_connect(self.folder)) as db:
            return int(db.execute("SELECT COUNT(*) FROM games").fetchone()[0])

    def records(self) -> Iterator[GameRecord]:
        """The games in canonical order, read one after another."""
        with closing(_connect(self.folder)) as db:
            for row in db.execute(f"SELECT {', '.join(COLUMNS)} FROM games ORDER BY number"):
                values = dict(zip(COLUMNS, row, strict=True))
                values |= {name: tuple(json.loads(values[name])) for name in BY_SEAT}
                yield GameRecord(**values)


def open_runs(folder: Path) -> list[StoredRun]:
    """The run of a folder, or the runs in the folders below it, by name; `UsageError` where there is none."""
    if (folder / FILE).is_file():
        return [open_run(folder)]
    below = sorted(path.parent for path in folder.glob(f"*/{FILE}"))
    if not below:
        raise UsageError(f"{folder} holds no games ({FILE} is missing): name a folder that a tournament had as --out")
    return [open_run(path) for path in below]


def open_run(folder: Path) -> StoredRun:
    """The run of a folder; `UsageError` where there is none, or several below it."""
    if not (folder / FILE).is_file():
        names = ", ".join(source.folder.name for source in open_runs(folder))
        raise UsageError(f"{folder} holds several runs: name one of {names}")
    try:
        with closing(_connect(folder)) as db:
            settings, version, schema = db.execute("SELECT settings, narabe, schema FROM run").fetchone()
    except (sqlite3.Error, TypeError) as error:
        raise UsageError(f"{folder / FILE} cannot be read as the games of a run ({error})") from None
    if schema != SCHEMA:
        raise UsageError(f"{folder / FILE} has tables of version {schema}, and this is narabe for version {SCHEMA}")
    return StoredRun(folder, json.loads(settings), version)


def _connect(folder: Path) -> sqlite3.Connection:
    return connect_to_read(folder / FILE)
