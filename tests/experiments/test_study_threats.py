"""The study of threat searches, in small."""

from __future__ import annotations

import json
import pathlib

import pytest

from narabe.experiments import study_threats
from narabe.experiments.study_threats import StudyThreats, run


def test_a_study_goes_on_where_it_was_stopped(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(study_threats, "CHUNK", 12)
    args = StudyThreats(
        positions=30, search=("vcf",), rules=("rows of four",), jobs=1, out=tmp_path / "a" / "out.jsonl"
    )
    assert run(args) == 0
    whole = capsys.readouterr().out
    assert "32 positions, won within 9: " in whole and "disagreements: 0" in whole
    pieces = args.out.read_text().splitlines(keepends=True)  # type: ignore[union-attr]
    assert [json.loads(piece)["positions"] for piece in pieces] == [12, 12, 8]  # as many on each of four boards
    args.out.write_text("".join(pieces[1:]))  # type: ignore[union-attr]
    assert run(args) == 0
    assert capsys.readouterr().out == whole
    assert sorted(args.out.read_text().splitlines(keepends=True)) == sorted(pieces)  # type: ignore[union-attr]


def test_a_rule_set_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(StudyThreats(rules=("chess",))) == 2
    assert "no rule set 'chess'" in capsys.readouterr().out
