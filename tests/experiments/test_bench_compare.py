"""What `narabe bench --compare` calls a change."""

import io
import json
import math

import pytest
from rich.console import Console

from narabe.experiments import bench, bench_compare
from narabe.experiments.args import UsageError
from narabe.experiments.bench_args import BenchArgs
from narabe.experiments.bench_rows import Row


def spread(low, median, high):
    return {"median": median, "min": low, "max": high}


def data(processor, *rows):
    return {"machine": {"processor": processor, "taken": "2026-01-02", "versions": {"numba": "1"}}, "rows": list(rows)}


RATE = {"name": "playouts", "unit": "a second", "ours": spread(90, 100, 110)}
TIME = {"name": "mask", "unit": "us", "ours": spread(9, 10, 11)}
PEER = RATE | {"name": "uct", "ratio": spread(19, 20, 21), "peer": "other", "theirs": spread(4, 5, 6)}


def verdicts(old, new):
    return {change.name: change.verdict for change in bench_compare.changes(old, new)}


def test_ranges_that_meet_are_noise():
    drifted = RATE | {"ours": spread(111, 120, 130)}, PEER | {"ratio": spread(21.5, 21.8, 22)}
    assert verdicts(data("a", RATE, PEER), data("a", *drifted)) == {"playouts": "same", "uct": "same"}
    near = [RATE | {"ours": spread(109, 120, 130)}, TIME | {"ours": spread(7, 8, 9)}]
    assert verdicts(data("a", RATE, TIME), data("a", *near)) == {"playouts": "same", "mask": "same"}


def test_ranges_apart_are_a_change_for_better_or_worse():
    apart = [RATE | {"ours": spread(111, 140, 150)}, TIME | {"ours": spread(12, 20, 22)}]
    changes = bench_compare.changes(data("a", RATE, TIME), data("a", *apart))
    assert [(c.verdict, c.factor) for c in changes] == [("better", 1.4), ("worse", 0.5)]


def test_only_ratios_travel_between_machines():
    fast = [RATE | {"ours": spread(900, 1000, 1100)}, PEER | {"ours": spread(1, 1, 1), "ratio": spread(29, 30, 31)}]
    changes = bench_compare.changes(data("a", RATE, PEER), data("b", *fast))
    assert [(c.name, c.verdict) for c in changes] == [("uct", "better"), ("playouts", "not comparable")]  # ratios first
    assert changes[0].factor == pytest.approx(1.5)
    assert math.isnan(changes[1].factor)


def test_the_command_measures_and_compares(tmp_path, monkeypatch, capsys):
    takings = iter([10.0, 11.0, 12.0, 20.0, 21.0, 22.0])
    monkeypatch.setattr(bench, "one_core", lambda: None)
    monkeypatch.setattr(bench, "peers", dict)
    monkeypatch.setattr(bench.bench_rows, "rows", lambda: [Row("playouts", "a second", lambda seconds: next(takings))])
    old = tmp_path / "old.json"
    assert bench.run(BenchArgs(out=old, repeats=3, only=["playouts"])) == 0
    stored = json.loads(old.read_text())
    assert stored["rows"][0]["ours"] == {"median": 11.0, "min": 10.0, "max": 12.0}
    stored["machine"]["versions"]["numpy"] = "0.1"
    old.write_text(json.dumps(stored))
    assert bench.run(BenchArgs(compare=old, repeats=3, only=["playouts"])) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "1 of 1" in shown and "1.91 (better)" in shown and "numpy: 0.1 before" in shown


def test_a_file_without_figures_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no figures"):
        bench.run(BenchArgs(compare=tmp_path / "nothing.json"))
    (tmp_path / "other.json").write_text('{"rows": [{}], "machine": {}}')
    with pytest.raises(UsageError, match="no figures"):
        bench.run(BenchArgs(compare=tmp_path / "other.json"))


def test_the_table_says_what_was_not_compared():
    old, new = data("a", RATE), data("b", RATE, TIME)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(bench_compare.report(bench_compare.changes(old, new), old, new))
    text = console.export_text()
    assert "1 rows without a peer" in text and "not there before: mask" in text
