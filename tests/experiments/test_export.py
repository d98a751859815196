"""Tables of games: what was stored stands in them, in every form."""

import csv
import json
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from narabe import envs
from narabe.experiments import export
from narabe.experiments.args import UsageError
from narabe.experiments.data_args import ExportArgs
from narabe.experiments.stored import open_run
from narabe.tests.experiments.runs import QUIET, RECORDS, SETTINGS, write_run


def exported(tmp_path, ending, settings=SETTINGS, records=RECORDS):
    folder = write_run(tmp_path / "run", settings, records)
    out = tmp_path / "tables" / f"games.{ending}"
    assert export.run(ExportArgs(folder, out), QUIET) == 0
    assert [path.name for path in out.parent.iterdir()] == [out.name]  # nothing half-written beside it
    return out


def test_jsonl_holds_a_row_a_game_with_moves_as_text_and_numbers(tmp_path):
    rows = [json.loads(line) for line in exported(tmp_path, "jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == [record.id for record in RECORDS]
    first = rows[0]
    assert (first["run"], first["game"], first["run_seed"]) == ("run", "gomoku:size=3,row=3", 7)
    assert (first["agent_0"], first["agent_1"], first["payoff_0"], first["payoff_1"]) == ("greedy", "random", 1.0, -1.0)
    assert first["moves"] == "B2 A1 B1 C3 B3"
    assert first["actions"] == [4, 0, 1, 8, 7]
    assert rows[2]["forfeit_kind"] == "exception"


def test_csv_holds_the_same(tmp_path):
    rows = list(csv.DictReader(exported(tmp_path, "csv").open(newline="")))
    assert len(rows) == len(RECORDS)
    assert rows[0]["actions"] == "4 0 1 8 7"
    assert rows[0]["forfeit_seat"] == ""
    assert rows[2]["forfeit_detail"] == "ValueError: 'no',\nand a second line"


def test_parquet_holds_the_same_with_types(tmp_path, monkeypatch):
    pq = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(export, "ROWS", 2)  # so that there is more than one batch
    table = pq.read_table(exported(tmp_path, "parquet"))
    rows = table.to_pylist()
    source = open_run(tmp_path / "run")
    times = ("started", "finished")
    for row, told in zip(rows, export.rows_of(source), strict=True):
        assert {name: row[name] for name in row if name not in times} == {
            name: told[name] for name in table.column_names if name not in times
        }
    assert rows[0]["started"] == datetime(2026, 1, 1, tzinfo=UTC)
    assert str(table.schema.field("actions").type) == "list<element: int64>"


def test_outcomes_of_chance_are_among_the_actions(tmp_path):
    """A deal of cards is one action that needs 64 bits."""
    goita = envs.game("goita")
    state = goita.start(seed=4)
    settings = replace(SETTINGS, game="goita", options=dict(goita.options))
    quiet = (0.0,) * 4
    record = replace(
        RECORDS[0], agents=("random",) * 4, moves=" ".join(map(goita.text_of, state.history)), payoffs=quiet,
        choices=(0,) * 4, seconds=quiet,
    )  # fmt: skip
    (row,) = [json.loads(line) for line in exported(tmp_path, "jsonl", settings, [record]).read_text().splitlines()]
    assert row["actions"] == state.history
    assert max(row["actions"]) > 2**32
    if "pyarrow" in sys.modules:
        assert export.run(ExportArgs(tmp_path / "run", tmp_path / "deal.parquet"), QUIET) == 0


def test_what_cannot_be_written_is_said_in_a_line(tmp_path, monkeypatch):
    folder = write_run(tmp_path / "run", SETTINGS, RECORDS)
    with pytest.raises(UsageError, match=r"\.parquet, \.csv, \.jsonl"):
        export.run(ExportArgs(folder, tmp_path / "games.xlsx"), QUIET)
    with pytest.raises(UsageError, match="holds no games"):
        export.run(ExportArgs(tmp_path / "nowhere", tmp_path / "games.csv"), QUIET)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "games.sqlite").write_text("no data base, but long enough to be taken for one " * 9)
    with pytest.raises(UsageError, match="cannot be read"):
        export.run(ExportArgs(tmp_path / "other", tmp_path / "games.csv"), QUIET)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install 'narabe\[data\]'"):
        export.run(ExportArgs(folder, tmp_path / "games.parquet"), QUIET)
    assert not list(tmp_path.glob("games.*"))


def test_a_run_that_is_going_on_can_be_read(tmp_path):
    from narabe.experiments.store import Store

    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORDS[0])
        assert [record.id for record in open_run(tmp_path).records()] == [RECORDS[0].id]
        store.add(RECORDS[1])
        assert open_run(tmp_path).count == 2


def test_several_runs_stand_in_one_table(tmp_path):
    folder = tmp_path / "runs"
    three = envs.game("stacking", players=3)
    settings = replace(SETTINGS, game="stacking", options=dict(three.options))
    record = replace(
        RECORDS[0], agents=("a", "b", "a"), moves="0", payoffs=(1.0, -0.5, -0.5), choices=(0,) * 3, seconds=(0.0,) * 3
    )
    write_run(folder / "two", SETTINGS, RECORDS)
    write_run(folder / "three", settings, [record])
    for ending in ("jsonl", "csv", "parquet"):
        assert export.run(ExportArgs(folder, tmp_path / f"all.{ending}"), QUIET) == 0
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert [(row["run"], row["agent_2"]) for row in rows] == [("three", "a"), *[("two", None)] * 3]
    with pytest.raises(UsageError, match="several runs: name one of three, two"):
        open_run(folder)


def test_the_count_is_told(tmp_path, capsys):
    folder = write_run(tmp_path / "run", SETTINGS, RECORDS)
    export.run(ExportArgs(folder, Path(tmp_path / "a.csv")), Console())
    assert "3 games:" in capsys.readouterr().out
