"""`narabe export`: the games of a tournament as a table, one row a game, written as they are read."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import track

from narabe.experiments.args import UsageError
from narabe.experiments.data_args import ExportArgs
from narabe.experiments.referee import GameRecord
from narabe.experiments.stored import StoredRun, open_runs

ROWS = 1000
"""Games that are in memory at once."""

Row = dict[str, Any]
Kinds = dict[str, str]
"""What each column holds: text, int, float, time (ISO 8601, UTC), or ints (a list; outcomes of chance may need 64 bits)."""


def run(args: ExportArgs, console: Console | None = None) -> int:
    """Write the table; `UsageError` for a folder without games, an ending that is not known, a missing package."""
    console = console or Console()
    write = WRITERS.get(args.out.suffix)
    if write is None:
        raise UsageError(f"{args.out}: the ending says how to write, one of {', '.join(WRITERS)}")
    sources = open_runs(args.run)
    count, seats = sum(source.count for source in sources), max(source.game.num_players for source in sources)
    rows = track(
        chain.from_iterable(map(rows_of, sources)),
        "games",
        total=count,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    part = args.out.with_name(args.out.name + ".part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        write(part, kinds_of(seats), rows)
        os.replace(part, args.out)
    except OSError as error:
        raise UsageError(f"{args.out} cannot be written ({error.strerror or error})") from None
    finally:
        part.unlink(missing_ok=True)
    console.print(f"{count} games: {escape(str(args.out))}", highlight=False, soft_wrap=True)
    return 0


def kinds_of(seats: int) -> Kinds:
    """The columns of the table in order, for so many seats."""

    def by_seat(name: str, kind: str) -> Kinds:
        return {f"{name}_{seat}": kind for seat in range(seats)}

    run_columns = dict.fromkeys(("run", "narabe", "game"), "text")
    settings = {"run_seed": "int", "deadline": "float", "memory": "int"}
    schedule = {"id": "text", "number": "int", "opening": "int", "seed": "int"}
    forfeit = {"forfeit_seat": "int", "forfeit_kind": "text", "forfeit_detail": "text"}
    result = by_seat("payoff", "float") | dict.fromkeys(("result", "reason"), "text") | forfeit
    moves = {"opening_plies": "int", "plies": "int", "moves": "text", "actions": "ints"}
    effort = by_seat("choices", "int") | by_seat("seconds", "float")
    times = dict.fromkeys(("started", "finished"), "time")
    return run_columns | settings | schedule | by_seat("agent", "text") | result | moves | effort | times


def rows_of(source: StoredRun) -> Iterator[Row]:
    """A row for each game, by column; what is not there is None.

    In Python, without a file:

        pandas.DataFrame(rows_of(open_run(Path("runs/first"))))
    """
    settings, game = source.settings, source.game
    shared = {
        "run": source.folder.name,
        "narabe": source.version,
        "game": game.spec,
        "run_seed": settings.get("seed"),
        "deadline": settings.get("deadline"),
        "memory": settings.get("memory"),
    }
    for record in source.records():
        yield shared | _own(record) | {"actions": [game.action_of(move) for move in record.moves.split()]}


def _own(record: GameRecord) -> Row:
    by_seat = (
        ("agent", record.agents), ("payoff", record.payoffs), ("choices", record.choices), ("seconds", record.seconds),
    )  # fmt: skip
    values = {name: value for name, value in vars(record).items() if not isinstance(value, tuple)}
    return values | {f"{name}_{seat}": value for name, column in by_seat for seat, value in enumerate(column)}


# ---- files --------------------------------------------------------------------------------------------------------------


def write_csv(path: Path, kinds: Kinds, rows: Iterable[Row]) -> None:
    """A head of names, then a line a game; lists are numbers with spaces between, what is missing is empty."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(kinds)
        for row in rows:
            out.writerow(
                " ".join(map(str, row[name])) if kind == "ints" else row.get(name) for name, kind in kinds.items()
            )


def write_jsonl(path: Path, kinds: Kinds, rows: Iterable[Row]) -> None:
    """An object of JSON a line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(json.dumps({name: row.get(name) for name in kinds}, ensure_ascii=False) + "\n")


def write_parquet(path: Path, kinds: Kinds, rows: Iterable[Row]) -> None:
    """Parquet by pyarrow, compressed; `UsageError` where that is not installed."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError(
            "Parquet needs pyarrow: pip install 'narabe[data]', or write .csv or .jsonl, which need nothing"
        ) from None
    types = {
        "text": pa.string(), "int": pa.int64(), "float": pa.float64(), "time": pa.timestamp("s", tz="UTC"),
        "ints": pa.list_(pa.int64()),
    }  # fmt: skip
    schema = pa.schema([(name, types[kind]) for name, kind in kinds.items()])
    times = [name for name, kind in kinds.items() if kind == "time"]
    left = iter(rows)
    with pq.ParquetWriter(path, schema, compression="zstd") as out:
        while batch := list(islice(left, ROWS)):
            for row in batch:
                row.update({name: datetime.fromisoformat(row[name]) for name in times})
            out.write_batch(pa.RecordBatch.from_pylist(batch, schema=schema))


WRITERS: dict[str, Callable[[Path, Kinds, Iterable[Row]], None]] = {
    ".parquet": write_parquet,
    ".csv": write_csv,
    ".jsonl": write_jsonl,
}
