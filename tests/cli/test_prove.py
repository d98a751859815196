"""`narabe prove`."""

from __future__ import annotations

import io
import json
import pathlib

import pytest
from rich.console import Console

from narabe.experiments import cli, interrupts, prove
from narabe.experiments.args import UsageError
from narabe.experiments.prove_args import ProveArgs
from narabe.search.threats import Proof, check


def shown(code: int = 0, **args: object) -> str:
    console = Console(file=io.StringIO(), width=100, soft_wrap=True)
    assert prove.run(ProveArgs(**({"mb": 4} | args)), console) == code  # type: ignore[arg-type]
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_a_win_and_its_file(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "new" / "proof.json.gz"
    text = shown(game="gomoku:size=4,row=3", shortest=True, save=str(file))
    assert "With best play: Black wins." in text
    assert "It takes 5 plies, which is the shortest win" in text
    (line,) = (line for line in text.splitlines() if line.startswith("line: "))
    assert len(line.split()) == 1 + 5
    assert check(Proof.load(file)).plies == 5
    assert "the proof holds that Black wins." in shown(check=str(file))


def test_a_draw_has_two_proofs(tmp_path: pathlib.Path) -> None:
    text = shown(game="freestyle:size=3,row=3", save=str(tmp_path / "draw.json"))
    assert "With best play: draw." in text
    assert sorted(file.name for file in tmp_path.iterdir()) == ["draw-black.json", "draw-white.json"]
    found = json.loads(shown(check=str(tmp_path / "draw-white.json"), json=True))
    assert found["claim"] == "White does not lose"
    assert found["nodes"] > 10


def test_json_and_a_position() -> None:
    found = json.loads(shown(game="gomoku:size=4,row=3", moves=["B2 A1"], shortest=True, json=True))
    assert found["result"] == "Black wins"
    assert (found["plies"], found["exact"], len(found["line"])) == (3, True, 3)
    assert found["wins"] == {"Black": True, "White": False}
    assert found["proofs"][0]["plies"] == 3
    again = json.loads(shown(game="gomoku:size=4,row=3", position=found["position"], json=True))
    assert again["result"] == "Black wins"


def test_what_is_known_when_time_is_up() -> None:
    text = shown(game="gomoku:size=9", seconds=0.2)
    assert "Stopped before it was known who wins: nothing is known." in text
    assert not json.loads(shown(game="gomoku:size=9", seconds=0.1, json=True))["known"]


def test_an_interrupt_ends_it_cleanly(monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(interrupts, "check", pressed)
    assert "nothing is known" in shown(code=prove.STOPPED, game="gomoku:size=9")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"game": "gomocku"}, "only line games"),
        ({"game": "gomokku"}, "Did you mean gomoku"),
        ({"moves": ["A1 A1"]}, "occupied"),
        ({"position": "what"}, "6 fields"),
        ({"game": "gomoku:size=3,row=3", "moves": ["A1 A2 B1 B2 C1"]}, "the game is over"),
        ({"game": "capture_gomoku:size=9"}, "opening rule still binds"),
        ({"check": "/no/such/file"}, "No such file"),
    ],
)
def test_what_cannot_be_proved(args: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        prove.run(ProveArgs(**({"mb": 1} | args)), Console(file=io.StringIO()))  # type: ignore[arg-type]


def test_a_proof_that_does_not_hold(tmp_path: pathlib.Path) -> None:
    shown(game="gomoku:size=4,row=3", save=str(tmp_path / "proof.json"))
    data = json.loads((tmp_path / "proof.json").read_text())
    (tmp_path / "proof.json").write_text(json.dumps(data | {"seat": 1}))
    with pytest.raises(UsageError, match="does not hold at node 0"):
        shown(check=str(tmp_path / "proof.json"))


def test_progress_is_told_on_the_error_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prove, "FIRST_WORD", 0.0)
    shown(game="gomoku:size=5,row=4", moves=["C3 B3"])
    assert "... can Black win?" in capsys.readouterr().err


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["prove", "--game", "gomoku:size=4,row=3"]) == cli.DONE
    assert "Black wins" in capsys.readouterr().out
    assert cli.main(["prove", "--game", "gomocku"]) == cli.USAGE
