"""`narabe solve` with the methods vcf and vct, and files of positions."""

from __future__ import annotations

import io
import json
import re
import time
from pathlib import Path

import pytest
from rich.console import Console

from narabe import envs
from narabe.experiments import cli, solve, solve_threats
from narabe.experiments.args import UsageError
from narabe.experiments.positions import moves_of, read_positions
from narabe.experiments.solve_args import SolveArgs
from narabe.search.threats import Answer, Proof, check

# Black makes a four with D5 or with G8, and E5 is on both lines; White can stop one row only.
WON = {"id": "cross", "game": "freestyle", "size": 9, "black": "C5 D5 F5 E6 E7 E8", "white": "B5 G6 A1 A3 E9 B8"}
QUIET = {"game": "freestyle", "size": 9, "moves": "e5a1e6"}


def shown(**args: object) -> list[str]:
    console = Console(file=io.StringIO(), width=100, soft_wrap=True)
    assert solve.run(SolveArgs(mb=1, **args), console) == 0  # type: ignore[arg-type]
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


def file_of(folder: Path, *lines: object) -> Path:
    path = folder / "positions.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


# ---- files of positions ----


def test_every_way_to_write_a_position(tmp_path: Path) -> None:
    game = envs.game("gomoku")
    state = game.start().play("H8").play("H9").play("G8")
    path = file_of(
        tmp_path,
        "# a comment, and a blank line",
        "",
        state.to_text(),
        {"position": state.to_text()},
        {"moves": "h8h9g8"},
        {"moves": ["H8", 127, "g8"]},
        {"position": game.start().play("H8").to_text(), "moves": "h9 g8"},
        {"stones": "h8h9,g8"},
        {"black": ["H8", "G8"], "white": ["H9"]},
        {"black": "H8 G8", "white": "H9", "side": "W", "kind": "vct", "attacker": "black", "id": 7, "source": "a book"},
    )
    found = read_positions(path, game, ("vcf", "vct"))
    boards = {posed.state.to_text().split()[0] for posed in found}
    assert boards == {state.to_text().split()[0]}
    assert all(posed.state.to_play == 1 for posed in found)
    assert [posed.name for posed in found] == [*(f"line {n}" for n in range(3, 10)), "7"]
    assert (found[-1].method, found[-1].attacker, found[-1].where) == ("vct", "black", "line 10")
    assert found[0].method is None


def test_a_line_names_its_game(tmp_path: Path) -> None:
    path = file_of(
        tmp_path,
        {"rule": "renju", "size": 15, "stones": "h8"},
        {"game": "omok:size=13", "moves": "g7"},
        {"game": "capture_gomoku", "opening": "none", "size": 9, "black": "E5", "white": "", "pairs": [1, 2]},
        {"size": 11, "stones": ""},
    )
    found = [posed.state for posed in read_positions(path, envs.game("gomoku:size=13"))]
    assert [(state.game.name, state.game.options["width"]) for state in found] == [
        ("renju", 15), ("omok", 13), ("capture_gomoku", 9), ("gomoku", 11),
    ]  # fmt: skip
    assert found[2].to_text().split()[1:4] == ["w", "7", "1-2"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("what", "a position has 6 fields"),
        ("{moves", "this is no JSON"),
        ({"id": 1}, "no position: give"),
        ({"moves": "h8h8"}, "move 2: H8: occupied"),
        ({"moves": "h8z9"}, "move 2: .*off the 15x15 board"),
        ({"moves": 7}, "a list of moves"),
        ({"stones": "h8h8"}, "H8 is named twice"),
        ({"black": "H8 H9", "white": ""}, "2 black and 0 white stones: say whose turn"),
        ({"black": "H8", "white": "", "side": "red"}, "side 'red': black or white"),
        ({"moves": "h8", "stones": "h8"}, "stones and moves: one of them says it all"),
        ({"game": "renjo", "moves": ""}, "no game named 'renjo'"),
        ({"game": 5, "moves": ""}, "a name such as renju"),
        ({"size": 99, "moves": ""}, "must be from 3 to 20"),
        ({"game": "connect_four", "stones": "1"}, "position takes"),
    ],
)
def test_a_bad_line_is_told_with_its_number(tmp_path: Path, line: object, why: str) -> None:
    path = file_of(tmp_path, {"moves": "h8"}, line)
    with pytest.raises(UsageError, match=f"positions.jsonl, line 2: .*{why}"):
        read_positions(path, envs.game("gomoku"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: No such file"):
        read_positions("none", None)
    with pytest.raises(UsageError, match="no position in it"):
        read_positions(file_of(tmp_path, "# nothing"), None)
    with pytest.raises(UsageError, match="line 1: of which game"):
        read_positions(file_of(tmp_path, {"moves": "h8"}), None)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="no text in UTF-8"):
        read_positions(tmp_path / "bytes", None)


def test_moves_in_several_ways() -> None:
    assert moves_of("h10h9") == moves_of("h10 h9") == moves_of("h10,h9") == ["h10", "h9"]
    assert moves_of("4 4 10") == ["4", "4", "10"]


# ---- solving ----


def test_lines_totals_and_the_last_line(tmp_path: Path) -> None:
    lines = shown(file=file_of(tmp_path, WON, QUIET))
    assert lines[0].startswith("cross: Black: VCF in 3 plies: E5 ")
    assert lines[1].startswith("line 2: White: no VCF (")
    assert "median" in lines[-2]
    assert lines[-1] == "solved 1 of 2"


def test_json(tmp_path: Path) -> None:
    found = [json.loads(line) for line in shown(file=file_of(tmp_path, WON, QUIET), json=True, board=True)]
    assert [row.get("won") for row in found] == [True, False, None]
    assert found[0]["id"] == "cross"
    assert (found[0]["attacker"], found[0]["plies"], found[0]["line"][0]) == ("Black", 3, "E5")
    state = envs.game(found[0]["game"]).from_text(found[0]["position"])
    for move in found[0]["line"]:
        state.play(move)
    assert state.winners == (0,)
    totals = found[2]
    assert (totals["solved"], totals["of"], totals["none"], totals["unknown"], totals["stopped"]) == (1, 2, 1, 0, False)
    assert totals["median_seconds"] <= totals["p99_seconds"]


def test_one_position_and_its_board() -> None:
    text = "\n".join(shown(game="gomoku", moves=["h8h9i8i9j8", "g8k8"], seat="black", board=True))
    assert "position: Black if the other passed: VCF in 1 ply: L8 (" in text
    assert "X1" in text
    assert text.endswith("\nsolved 1 of 1")


def test_proofs_are_written_and_hold(tmp_path: Path) -> None:
    passed = {"game": "gomoku", "moves": "h8h9i8i9j8a1", "attacker": "black", "id": "if White / passed"}
    shown(file=file_of(tmp_path, QUIET, WON, passed), proofs=tmp_path / "proofs" / "new")
    names = sorted(path.name for path in (tmp_path / "proofs" / "new").iterdir())
    assert names == ["0002_cross.json", "0003_if_White_passed.json"]
    for name in names:
        proof = Proof.load(tmp_path / "proofs" / "new" / name)
        assert proof.claim() == "Black wins"
        assert check(proof).plies == 3
    (tmp_path / "taken").touch()
    with pytest.raises(UsageError, match="--proofs .*taken: "):
        shown(file=file_of(tmp_path, WON), proofs=tmp_path / "taken")


def test_continuous_threats(tmp_path: Path) -> None:
    crossing = {"game": "gomoku", "size": 11, "black": "F5 G5 I7 I8", "white": "D3 J4 H9 C8", "kind": "vct"}
    lines = shown(file=file_of(tmp_path, crossing, QUIET | {"kind": "vct"}))
    assert lines[0].startswith("line 1: Black: VCT in 5 plies: I5 ")
    assert lines[1].startswith("line 2: White: no VCT by threes (")
    (row, _, totals) = map(json.loads, shown(file=file_of(tmp_path, crossing, QUIET | {"kind": "vct"}), json=True))
    assert (row["method"], row["threats"], totals["solved"]) == ("vct", "threes", 1)


def test_the_method_is_that_of_the_command_line_or_of_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, object, object]] = []

    class Fake:
        def __init__(self, game: envs.Game, mb: float) -> None:
            pass

        def clear(self) -> None:
            pass

        def vcf(self, state: envs.State, **more: object) -> Answer:
            asked.append(("vcf", more["nodes"], more["ms"]))
            return Answer(won=None, proof=None, line=[], nodes=5, seconds=0.5)

        def vct(self, state: envs.State, threats: str, **more: object) -> Answer:
            asked.append(("vct", threats, more["ms"]))
            return Answer(won=None, proof=None, line=[], nodes=5, seconds=0.5)

    monkeypatch.setattr(solve_threats, "Solver", Fake)
    path = file_of(tmp_path, WON, QUIET | {"kind": "vct"}, QUIET | {"kind": "puzzle"})
    lines = shown(file=path, nodes=9, seconds=2.0)
    assert asked[-3:] == [("vcf", 9, 2000.0), ("vct", "threes", 2000.0), ("vcf", 9, 2000.0)]
    assert lines[0] == "cross: Black: unknown (budget) (5 nodes, 0.500 s)"
    assert lines[-1] == "solved 0 of 3"
    shown(file=path, method="vct", threats="all")
    assert asked[-3:] == [("vct", "all", None)] * 3


def test_ctrl_c_tells_what_was_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    true = solve_threats.Desks.ask

    def ask(desks: solve_threats.Desks, task: solve_threats.Task) -> Answer:
        if task.posed.name == "line 2":
            raise KeyboardInterrupt
        return true(desks, task)

    monkeypatch.setattr(solve_threats.Desks, "ask", ask)
    path = file_of(tmp_path, WON, QUIET, WON)
    assert cli.main(["solve", str(path)]) == cli.STOPPED
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["stopped after 1", "solved 1 of 3"]
    assert cli.main(["solve", str(path), "--json"]) == cli.STOPPED
    totals = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (totals["stopped"], totals["solved"], totals["of"]) == (True, 1, 3)


def test_progress(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(solve_threats, "FIRST_WORD", 0.01)
    with solve_threats.Progress(3, quiet=True) as progress:
        progress.at("line 2", 1, 1)
        time.sleep(0.1)
    assert re.search(r"\.\.\. 1 of 3, 1 won, line 2: \d+ s", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("line", "args", "why"),
    [
        ({"game": "connect_four", "moves": "4"}, {}, "line 1: connect_four has no vcf or vct"),
        ({"game": "gomoku", "moves": "a1a2b1b2c1c2d1d2e1"}, {}, "line 1: the game is over"),
        (QUIET, {"seat": "red"}, "line 1: 'red' is no seat: black, white"),
        (QUIET, {"nodes": 0}, "--nodes is above 0"),
        (QUIET, {"moves": ["e4"]}, "not both"),
        (QUIET, {"weak": True}, "--weak is not for the method vcf"),
        (QUIET, {"game": "renjo"}, "no game named"),
    ],
)
def test_what_cannot_be_asked(tmp_path: Path, line: object, args: dict[str, object], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        shown(file=file_of(tmp_path, line), **args)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(WON)))
    assert shown(file=Path("-"))[-1] == "solved 1 of 1"
