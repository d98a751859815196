"""`narabe bench --workers`: it measures what it says, and refuses what it cannot."""

import json

import pytest

from narabe.experiments import bench, bench_workers
from narabe.experiments.args import UsageError
from narabe.experiments.bench_args import BenchArgs


@pytest.mark.parametrize("repeats", [1, 2])
def test_workers_are_measured_beside_bare_processes(repeats, tmp_path, monkeypatch, capsys):
    for name, value in (("EMPTY", 20), ("CALLS", 3), ("MEGABYTES", 1), ("LENGTH", 1)):
        monkeypatch.setattr(bench_workers, name, value)
    monkeypatch.setattr(bench_workers, "SIMS", {"long tasks": 200, "short tasks": 20})
    monkeypatch.setattr(bench_workers, "backends", lambda: ["processes"])
    out = tmp_path / "workers.json"
    assert bench.run(BenchArgs(workers=1, repeats=repeats, seconds=0.1, out=out)) == 0
    (row,) = json.loads(out.read_text())["rows"]
    assert row["backend"] == "processes"
    assert 0 < row["empty_task"] < row["start"]
    for kind in bench_workers.SIMS:
        assert 0 < row[f"{kind}, at work"]["mean"] < 1
        assert row[kind]["mean"] > 0
        assert row[kind]["rounds"] == (repeats if kind == "long tasks" else 1)
    shown = capsys.readouterr().out
    assert "long tasks: pace" in shown and "1 bare processes give" in shown


def test_less_than_a_worker_is_refused():
    with pytest.raises(UsageError, match="--workers -1"):
        bench.run(BenchArgs(workers=-1))
