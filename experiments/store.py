"""Where the games of a run are kept: one SQLite file, to which each game is written as soon as it is over.

The file is in WAL mode, so it can be read while games are played. A commit survives the end of this process at any
moment; one that a power cut takes back is a game that is played again, with the same moves.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import Any, Self

from narabe import __version__
from narabe.experiments.locking import Busy, hold
from narabe.experiments.referee import GameRecord, now
from narabe.experiments.tournament_args import TournamentError

SCHEMA = 1
"""Version of the tables below."""

FILE = "games.sqlite"
TRAINING = "args.json"
"""What tells the folder of a training, in which nobody looks for the games of a tournament."""

_TABLES = """
CREATE TABLE run (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    settings TEXT NOT NULL,     -- JSON: game, options, agents, seed, games for each pair, opening plies, limits
    narabe   TEXT NOT NULL,     -- version that began the run
    schema   INTEGER NOT NULL,
    created  TEXT NOT NULL      -- UTC
);
CREATE TABLE games (
    id             TEXT PRIMARY KEY,
    number         INTEGER NOT NULL UNIQUE,  -- place in the canonical order
    opening        INTEGER NOT NULL,
    seed           INTEGER NOT NULL,
    agents         TEXT NOT NULL,            -- JSON, by seat
    moves          TEXT NOT NULL,            -- with spaces between
    opening_plies  INTEGER NOT NULL,         -- how many of the moves are the opening's
    plies          INTEGER NOT NULL,
    payoffs        TEXT NOT NULL,            -- JSON, by seat
    result         TEXT NOT NULL,
    reason         TEXT NOT NULL,
    forfeit_seat   INTEGER,
    forfeit_kind   TEXT,
    forfeit_detail TEXT,
    choices        TEXT NOT NULL,            -- JSON, by seat: moves chosen by its agent
    seconds        TEXT NOT NULL,            -- JSON, by seat
    started        TEXT NOT NULL,            -- UTC
    finished       TEXT NOT NULL
);
"""

_JSON_COLUMNS = ("agents", "payoffs", "choices", "seconds")
_COLUMNS = tuple(field.name for field in fields(GameRecord))


class StoreError(TournamentError):
    """A folder that cannot serve this run; the message says why and what to do."""


@dataclass(frozen=True)
class Settings:
    """What decides the games of a run. Two runs of equal settings have the same games.

    What is newer than the first runs has a default, which is what those have.
    """

    game: str
    options: dict[str, Any]
    agents: list[str]
    seed: int
    games: int
    opening_plies: int
    deadline: float
    memory: int
    agent_factory: str
    schedule: str = "round-robin"
    sprt: dict[str, float] = field(default_factory=dict)
    adjudicate: dict[str, float] = field(default_factory=dict)
    book: str | None = None  # digest of the book of openings, or in words where else games begin


class Store:
    """The games of one run in the folder `out`, for this process alone.

    Opening it begins a run in an empty folder, or goes on with one of the same settings; one that asks for more games
    is extended. Raises `StoreError` if the folder holds another run, or if another process has it open.
    """

    def __init__(self, out: Path, settings: Settings) -> None:
        self.path = out / FILE
        if (out / TRAINING).exists():
            raise StoreError(f"{out} holds a training: choose another folder with --out")
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"the folder {out} cannot be made ({error.strerror}); choose another with --out") from None
        self._lock = _lock(out)
        try:
            self._db = _open(self.path)
            try:
                self.version = self._begin_or_go_on(settings)
            except BaseException:
                self._db.close()
                raise
        except BaseException as error:
            self._lock.close()
            if isinstance(error, sqlite3.Error):
                message = f"{self.path} cannot be used ({error}): move it away, or choose another --out"
                raise StoreError(message) from None
            raise

    def add(self, record: GameRecord) -> None:
        """Writes a finished game; it is on disk when this returns. Raises `sqlite3.IntegrityError` for one it has."""
        values = dict(zip(_COLUMNS, astuple(record), strict=True))
        values |= {name: json.dumps(values[name]) for name in _JSON_COLUMNS}
        marks = ", ".join(f":{name}" for name in _COLUMNS)
        with self._db:
            self._db.execute(f"INSERT INTO games ({', '.join(_COLUMNS)}) VALUES ({marks})", values)

    def records(self) -> list[GameRecord]:
        """All games, in canonical order."""
        return _records(self._db)

    def close(self) -> None:
        self._db.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin_or_go_on(self, settings: Settings) -> str:
        """Enters the settings, or compares them with those of the run that is here; returns the run's version."""
        wanted = _plain(settings)
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            if not self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'run'").fetchone():
                for statement in _TABLES.split(";\n"):
                    self._db.execute(statement)
            row = self._db.execute("SELECT settings, narabe, schema FROM run").fetchone()
            if row is None:
                values = (json.dumps(wanted), __version__, SCHEMA, now())
                self._db.execute("INSERT INTO run VALUES (1, ?, ?, ?, ?)", values)
                return __version__
            stored, version, schema = json.loads(row[0]), row[1], row[2]
            if schema != SCHEMA:
                raise StoreError(f"{self.path} has tables of version {schema}, not {SCHEMA}; choose another --out")
            if not self._db.execute("SELECT 1 FROM games LIMIT 1").fetchone():
                # nothing was played: say, an agent's name was misspelt, and is now put right
                self._db.execute("UPDATE run SET settings = ?, narabe = ?", (json.dumps(wanted), __version__))
                return __version__
            self._compare(stored, wanted)
            if wanted["games"] > stored["games"]:
                self._db.execute("UPDATE run SET settings = ?", (json.dumps(wanted),))
            return version

    def _compare(self, stored: dict[str, Any], wanted: dict[str, Any]) -> None:
        stored = _plain(Settings(**stored))  # with the defaults of what is newer than the run
        different = [name for name in wanted if name != "games" and stored.get(name) != wanted[name]]
        if different:
            pairs = {name: _apart(stored.get(name), wanted[name]) for name in different}
            lines = [f"  {name}: {_words(there)} there, {_words(now)} now" for name, (there, now) in pairs.items()]
            raise StoreError(
                "\n".join([f"{self.path.parent} holds a run with other settings:", *lines])
                + "\nChoose another folder with --out, or go on with the settings that are there."
            )
        if wanted["games"] < stored["games"]:
            raise StoreError(
                f"{self.path.parent} holds a run of {stored['games']} games a pair, more than --games "
                f"{wanted['games']}: ask for {stored['games']} or more, or choose another folder with --out."
            )


@dataclass(frozen=True)
class Held:
    """What the folder of a run holds: its settings, the version that began it, and the games that are over by now."""

    settings: Settings
    version: str
    records: list[GameRecord]


def read(out: Path) -> Held | None:
    """The run in a folder, which another process may be playing meanwhile; None where there is none.

    Raises `StoreError` for a file that is no run of this version.
    """
    path = out / FILE
    if not path.exists():
        return None
    try:
        db = connect_to_read(path)
        try:
            row = db.execute("SELECT settings, narabe, schema FROM run").fetchone()
            if row is None:
                return None
            if row[2] != SCHEMA:
                raise StoreError(f"{path} has tables of version {row[2]}, and this version of narabe reads {SCHEMA}")
            return Held(Settings(**json.loads(row[0])), row[1], _records(db))
        finally:
            db.close()
    except (sqlite3.Error, TypeError, ValueError) as error:
        raise StoreError(f"{path} cannot be read ({error})") from None


def connect_to_read(path: Path) -> sqlite3.Connection:
    """The file of a run, which another process may be writing meanwhile, and which may lie where nothing can be written."""
    uri = path.resolve().as_uri()
    for mode in (
        "mode=rw",
        "mode=ro",
    ):  # who may only read cannot take away the files that SQLite needs beside a journal
        with contextlib.suppress(sqlite3.OperationalError):
            return _tried(sqlite3.connect(f"{uri}?{mode}", uri=True))
    return sqlite3.connect(f"{uri}?immutable=1", uri=True)  # then nobody plays in it


def _tried(db: sqlite3.Connection) -> sqlite3.Connection:
    """A connection that has been read from, and writes nothing; it is closed where it cannot be read."""
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchall()
        db.execute("PRAGMA query_only = ON")
    except BaseException:
        db.close()
        raise
    return db


def _plain(settings: Settings) -> dict[str, Any]:
    """The settings as JSON gives them back."""
    return json.loads(json.dumps({field.name: getattr(settings, field.name) for field in fields(settings)}))


def _apart(there: Any, now: Any) -> tuple[Any, Any]:
    """Two values, without what both hold if they are names with values.

    >>> _apart({"width": 9, "row": 5}, {"width": 7, "row": 5})
    ({'width': 9}, {'width': 7})
    """
    if not (isinstance(there, dict) and isinstance(now, dict)):
        return there, now
    names = [name for name in {**there, **now} if there.get(name) != now.get(name)]
    return tuple({name: value[name] for name in names if name in value} for value in (there, now))  # type: ignore[return-value]


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={item}" for name, item in value.items()) or "none"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    return db


def _lock(out: Path) -> sqlite3.Connection:
    try:
        return hold(out / "lock.sqlite")
    except Busy:
        raise StoreError(f"another process is playing the run in {out}; wait for it, or choose another --out") from None
    except sqlite3.Error as error:
        raise StoreError(f"{out} cannot be written to ({error}); choose another --out") from None


def _records(db: sqlite3.Connection) -> list[GameRecord]:
    return [_record(row) for row in db.execute(f"SELECT {', '.join(_COLUMNS)} FROM games ORDER BY number")]


def _record(row: Iterable[Any]) -> GameRecord:
    values = dict(zip(_COLUMNS, row, strict=True))
    values |= {name: tuple(json.loads(values[name])) for name in _JSON_COLUMNS}
    return GameRecord(**values)
