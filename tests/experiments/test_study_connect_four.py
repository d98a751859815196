"""The study of Connect Four players, in small."""

from __future__ import annotations

import json
import pathlib

import pytest
from rich.console import Console

from narabe import envs
from narabe.experiments import study_connect_four
from narabe.experiments.args import UsageError
from narabe.experiments.study_connect_four import Case, StudyConnectFour, cases_of, judged, run
from narabe.tests.oracles.gravity import Oracle
from narabe.tests.search.gravity_cases import stacks_of


@pytest.fixture(scope="module")
def args(tmp_path_factory) -> StudyConnectFour:
    folder = tmp_path_factory.mktemp("study")
    return StudyConnectFour(
        ("solver", "greedy"), folder / "cases.jsonl", positions=16, discs=(31, 35), mb=1, out=folder / "out.json"
    )


@pytest.fixture(scope="module")
def cases(args) -> list[Case]:
    return cases_of(args, Console(quiet=True))


def test_scores_are_those_of_plain_minimax(cases):
    for case in cases:
        oracle = Oracle(7, 6, False)
        stacks = stacks_of(oracle, [int(digit) - 1 for digit in case.moves])
        expected = [oracle.score_of(stacks, c) if c in oracle.columns(stacks) else None for c in range(7)]
        assert list(case.scores) == expected
        assert len(set(expected) - {None}) > 1


def test_positions_are_spread_and_no_two_are_alike(cases):
    parts = [(case.group, case.discs < 35) for case in cases]
    assert [parts.count((group, early)) for group in ("balanced", "one-sided") for early in (True, False)] == [4] * 4
    game = envs.game("connect_four")
    assert len({case.state(game).canonical_key[0] for case in cases}) == 16
    assert len({case.source for case in cases}) > 1


def test_the_file_is_used_again_and_not_for_others(args, cases, monkeypatch):
    monkeypatch.setattr(study_connect_four, "make", lambda *_: pytest.fail("it is there"))
    assert cases_of(args, Console(quiet=True)) == cases
    other = StudyConnectFour(cases=args.cases, positions=16, discs=(31, 35), seed=2)
    with pytest.raises(UsageError, match="name another"):
        cases_of(other, Console(quiet=True))


def test_the_solver_keeps_every_score(args, cases, capsys):
    assert run(args) == 0
    assert "outcome-optimal" in capsys.readouterr().out
    found = json.loads(pathlib.Path(args.out).read_text())["agents"]
    whole = found["solver"]["positions"]["all"]
    assert whole["score"]["hits"] == whole["outcome"]["hits"] == whole["score"]["n"] == 16
    greedy = found["greedy"]["positions"]
    for what in ("outcome", "score"):  # each position is in one group and in one band
        assert greedy["balanced"][what]["hits"] + greedy["one-sided"][what]["hits"] == greedy["all"][what]["hits"]
        assert sum(row[what]["n"] for name, row in greedy.items() if name.endswith("discs")) == 16


def test_what_counts_as_a_hit():
    twelve = "444444222222"
    won = Case(twelve, (3, -2, 15, 1, -2, None, 0), "random")  # wins at once in the third column
    drawn = Case(twelve, (0, -2, 0, -1, -15, -15, -15), "greedy")
    lost = Case(twelve, (-2, -15, -15, -15, -15, -15, -15), "random")
    assert [case.group for case in (won, drawn, lost)] == ["balanced", "balanced", "one-sided"]
    assert [case.forced for case in (won, drawn, lost)] == [True, False, True]
    rows = judged([won, drawn, lost], [0, 3, 1])
    assert (rows["all"]["outcome"].hits, rows["all"]["score"].hits) == (2, 0)
    assert rows["all"]["any_column"] == pytest.approx((3 / 6 + 2 / 7 + 1) / 3)
    assert rows["columns differ in outcome"]["outcome"].n == 2
    assert (rows["nothing forced"]["outcome"].hits, rows["nothing forced"]["outcome"].n) == (0, 1)
    assert judged([won], [2])["all"]["score"].hits == 1
    assert judged([won], [5])["all"]["outcome"].hits == 0  # a full column


@pytest.mark.parametrize("change", [{"positions": 15}, {"discs": (35, 31)}, {"discs": (0, 41)}, {"positions": 0}])
def test_numbers_that_cannot_be(change, tmp_path):
    args = StudyConnectFour(cases=tmp_path / "none.jsonl", **{"positions": 16, "discs": (31, 35), **change})
    with pytest.raises(UsageError, match="--positions"):
        cases_of(args, Console(quiet=True))
    assert not args.cases.exists()
