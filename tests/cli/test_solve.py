"""`narabe solve`."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from narabe.experiments import cli, solve, solve_scores
from narabe.experiments.args import UsageError
from narabe.experiments.solve_args import SolveArgs


def shown(**args: object) -> str:
    console = Console(file=io.StringIO(), width=100, soft_wrap=True)
    assert solve.run(SolveArgs(mb=8, **args), console) == 0  # type: ignore[arg-type]
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_scores_best_columns_and_line() -> None:
    text = shown(moves=["444444222265"])
    rows = [line.split() for line in text.splitlines()]
    assert ["5", "0", "draw"] in rows
    assert ["6", "-12", "loses", "in", "8", "plies,", "at", "ply", "20"] in rows
    assert "best: 5, draw" in text
    assert (
        sum(line[1:2] and line[1].lstrip("+-").isdigit() and len(line) > 2 for line in rows if line[0].isdigit()) >= 6
    )
    (line,) = (line for line in text.splitlines() if line.startswith("line: "))
    assert len(line.split()) == 31  # up to the full board
    assert "nodes" in text.splitlines()[-1]


def test_json() -> None:
    found = json.loads(shown(moves=["13445455"], json=True))
    assert found["score"] == -7
    assert found["plies"] == len(found["line"]) == 22
    assert found["columns"] == {"1": -10, "2": -10, "3": -13, "4": -11, "5": -8, "6": -12, "7": -7}
    assert found["best"] == ["7"]
    assert found["to_move"] == "Red"
    assert shown(position=found["position"]).count("\n  ") >= 7


def test_weak() -> None:
    text = shown(moves=["13445455"], weak=True)
    assert "loses\n" in text
    assert "plies" not in text


def test_moves_may_be_written_in_several_ways() -> None:
    assert solve_scores.split(["4445", "6"], single=True) == list("44456")
    assert solve_scores.split(["4,4 10"], single=False) == ["4", "4", "10"]
    boards = {
        shown(game="connect_four:width=5,height=4", moves=moves).split("nodes")[0]
        for moves in (["33"], ["3", "3"], ["3,3"])
    }
    assert len({text.split("best")[0] for text in boards}) == 1
    assert shown(game="connect_four:width=12,height=3,cylinder=yes", moves=["12 1 12 1 12 2 10,3 6 8 2 2", "4", "5"])


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"game": "omok"}, "what is to be solved"),
        ({"game": "omok", "method": "scores"}, "omok has no scores; .*scores: stacking, connect_four"),
        ({"game": "goita"}, "goita has nothing to solve: vcf, vct: gomoku"),
        ({"game": "stacking"}, "walls"),
        ({"method": "vcf"}, "connect_four has no vcf"),
        ({"file": Path("some"), "method": "scores"}, "a file of positions is not for the method scores"),
        ({"board": True}, "--board is not for the method scores"),
        ({"game": "connect_for"}, "Did you mean connect_four"),
        ({"moves": ["48"]}, "no column 8"),
        ({"moves": ["4444444"]}, "full"),
        ({"moves": ["1212121"]}, "the game is over"),
        ({"position": "what"}, "4 fields"),
        ({"game": "connect_four:width=8,height=7", "mb": 1.0}, "needs a table"),
    ],
)
def test_what_cannot_be_solved(args: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        solve.run(SolveArgs(**args), Console(file=io.StringIO()))  # type: ignore[arg-type]


def test_progress_is_told_on_the_error_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solve_scores, "FIRST_WORD", 0.0)
    monkeypatch.setattr(solve_scores, "PAUSE", 0.0)  # else how many lines there are depends on the machine's pace
    assert "best" in shown(moves=["444444222265"])
    assert "... column 5: " in capsys.readouterr().err


def test_the_command_line() -> None:
    command = [
        sys.executable,
        "-c",
        "import sys; from narabe.experiments.cli import main; sys.exit(main(sys.argv[1:]))",
    ]
    done = subprocess.run([*command, "solve", "--moves", "444444222265"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "best: 5, draw" in done.stdout
    assert cli.main(["solve", "--game", "renju"]) == cli.USAGE
