"""The study of CFR keeps what it measures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narabe.experiments.study_cfr import StudyCfr, closest, draw, run


def test_curves_are_measured_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = StudyCfr(
        "goita_two_by_four", seconds=0.02, first=0.002, agents=("random",), out=tmp_path / "new" / "cfr.json"
    )
    found = run(args)
    assert json.loads((tmp_path / "new" / "cfr.json").read_text()) == json.loads(json.dumps(found))
    rows = {name: [row for row in found["rows"] if row["name"] == name] for name in ("cfr", "cfr+", "external")}
    for curve in rows.values():
        times = [row["seconds"] for row in curve]
        assert times == sorted(times) and times[-1] >= 0.02 and len(times) >= 3
        assert curve[-1]["exploitability"] < found["rows"][0]["exploitability"]
    assert [row["name"] for row in found["rows"][:2]] == ["uniform", "random"]
    assert found["rows"][0]["exploitability"] == pytest.approx(found["rows"][1]["exploitability"])
    assert [line.partition(":")[0] for line in closest(found)] == ["cfr", "cfr+", "external"]
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(found["rows"])
    pytest.importorskip("matplotlib", reason="plots are optional (pip install narabe[notebooks])")
    draw(found, tmp_path / "plots" / "cfr.png")
    assert (tmp_path / "plots" / "cfr.png").stat().st_size > 1000
