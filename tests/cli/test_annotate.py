"""`narabe annotate`, and the notes behind it."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest
from rich.console import Console

from narabe.envs import game
from narabe.envs.goita_records import read, read_line, write_yaml
from narabe.envs.goita_records.replay import states_of
from narabe.experiments import annotate, cli
from narabe.experiments.annotate_args import AnnotateArgs
from narabe.experiments.args import UsageError
from narabe.search.goita import OpenHands
from narabe.search.goita import annotation as notes

GOLDEN = (
    "11223449,11122357,11356678,11134455,s1,114,2p,3p,444,142,223,336,4p,1p,2p,316,4p,1p,2p,315,451,112,221,3p,4p,1p,211,"
    "3p,4p,1p,257"
)
HANDS = "11244556,12234569,11123378,11113457"
FIVES = "11111234,11122346,11355678,23445578,s1"


def shown(record: str, code: int = 0, **args: object) -> str:
    console = Console(file=io.StringIO(), width=100, highlight=False)
    assert annotate.run(AnnotateArgs(record, mb=8, **args), console) == code  # type: ignore[arg-type]
    return console.file.getvalue()  # type: ignore[attr-defined]


def rows(text: str) -> list[list[str]]:
    """The rows of the tables of plies, as cells."""
    return [
        line.split()
        for line in text.splitlines()
        if len(line) > 5 and line[3].isdigit() and line[:3].strip(" 0123456789") == ""
    ]


def test_mistakes_of_the_golden_game() -> None:
    text = shown(GOLDEN, from_ply=5)
    assert rows(text)[:2] == [
        ["11", "316", "?", "+4", "+5", "15", "17", "71", "17"],
        ["17", "112", "??", "-4", "+4", "p", "13", "3"],
    ]
    assert len(rows(text)) == 2
    assert text.startswith("deal 1: player 1 dealt, 26 plies, 4 for players 2 and 4\n")
    totals = [line.split() for line in text.splitlines()[-6:]]
    assert ["1", "4", "0", "1", "8"] in totals and ["3", "3", "1", "0", "1"] in totals


def test_all_plies_and_json(tmp_path) -> None:
    path = tmp_path / "notes.json"
    text = shown(GOLDEN, from_ply=4, all=True, json=path)
    assert [row[1] for row in rows(text)] == GOLDEN.split(",")[8:]
    (deal,) = json.loads(path.read_text())["deals"]
    by_ply = {ply["ply"]: ply for ply in deal["plies"]}
    assert list(by_ply) == list(range(4, 27))
    blunder, reply = by_ply[17], by_ply[18]
    assert (blunder["played"], blunder["value"], blunder["best"], blunder["loss"], blunder["mark"]) == (
        "12",
        -4,
        4,
        8,
        "??",
    )
    assert (reply["seat"], reply["value"], reply["best_plies"], reply["mark"]) == (1, 4, ["21"], "")
    assert max(value for ply, value in reply["values"].items() if ply != "21") < 0
    assert deal["record"] == GOLDEN.replace("9", "9") and not deal["stopped"]


def test_yaml_in_tens_from_a_file_and_the_standard_input(tmp_path, monkeypatch) -> None:
    record = write_yaml(read(f"{GOLDEN}\n{HANDS},s3,371,411,115,2p,3p,4p,145,252,3p,4p,124,2p"))
    record = record.replace('p0: ""', 'p0: "Ann [x]"')
    (tmp_path / "game.yaml").write_text(record, encoding="utf-8")
    text = shown(str(tmp_path / "game.yaml"), game="goita_hozonkai", from_ply=11)
    assert ["17", "112", "??", "-40", "+40", "p", "13", "3"] in rows(text)
    assert ["11", "124", "?", "-40", "-30", "26", "4"] in rows(text)
    assert "deal 1: player 1 (Ann [x]) dealt, 26 plies, 40 for players 2 and 4\n" in text
    assert "deal 2: player 3 dealt, 12 plies, not finished\n" in text
    monkeypatch.setattr(sys, "stdin", io.StringIO(record))
    assert shown("-", game="goita_hozonkai", from_ply=11) == text


def test_what_is_said_and_deals_without_plays() -> None:
    text = shown(f"{FIVES},1announce,3redeal\n11111134,11122346,12355678,23445578,s1", all=True)
    assert "deal 1: player 1 dealt, 2 plies, dealt again, no mistake\n" in text
    assert rows(text) == [["1", "1announce", "-", "-"], ["2", "3redeal", "-", "-"]]
    assert "deal 2: player 1 dealt, 0 plies, 3 for players 1 and 3, no ply to judge\n" in text
    played = shown(f"{FIVES},1announce,3on,114,2p,3p,4p", all=True, from_ply=4)
    assert [row[1] for row in rows(played)] == ["2p", "3p", "4p"]


def test_two_players() -> None:
    text = shown("1148,1248,s1,114,242", game="goita_two_by_four", all=True)
    assert [row[1] for row in rows(text)] == ["114", "242"]
    assert "player 1 dealt" in text and "not finished" in text


def test_what_is_not_solved_in_time_is_said() -> None:
    text = shown(GOLDEN, seconds=1e-9)
    assert text.count("not solved") == 25  # all but the ply that goes out
    assert "no mistake found" in text


def test_ctrl_c_shows_what_is_done(monkeypatch, capsys, tmp_path) -> None:
    def interrupted(*args: object):
        for note in notes.annotate(*args):  # type: ignore[arg-type]
            if note.number < 12:
                raise KeyboardInterrupt
            yield note

    monkeypatch.setattr(annotate, "annotate", interrupted)
    path = tmp_path / "notes.json"
    text = shown(f"{GOLDEN}\n{GOLDEN}", code=130, json=path)
    assert [row[1] for row in rows(text)] == ["112"]
    assert "deal 2" not in text
    (deal,) = json.loads(path.read_text())["deals"]
    assert deal["stopped"] and deal["plies"][0]["ply"] == 12
    assert "stopped" in capsys.readouterr().err


def test_progress_is_told_on_the_error_output(monkeypatch, capsys) -> None:
    monkeypatch.setattr(annotate, "FIRST_WORD", 0.0)
    shown(GOLDEN, from_ply=11)
    assert "... deal 1, ply " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"record": "xxxxxxxx,11122357,xxxxxxxx,xxxxxxxx,s1,1x4,2p"}, "all must be known"),
        ({"record": f"{HANDS},s3,3x1"}, "all must be known"),
        ({"record": f"{HANDS},s3,373,433"}, "ply 2 '433'"),
        ({"record": f"{HANDS},s3,376,467"}, "does not hold"),
        ({"record": "no/such/file"}, "no/such/file: No such file"),
        ({"record": "{log: []}"}, "no deal"),
        ({"record": HANDS, "game": "omok"}, "only records of Goita"),
        ({"record": HANDS, "game": "goitta"}, "Did you mean goita"),
        ({"record": f"{HANDS},s3", "seconds": 0.0}, "above 0"),
        ({"record": f"{HANDS},s3", "from_ply": 0}, "counts from 1"),
    ],
)
def test_what_cannot_be_annotated(args: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        annotate.run(AnnotateArgs(**args), Console(file=io.StringIO()))  # type: ignore[arg-type]


def test_a_table_that_is_too_small() -> None:
    with pytest.raises(UsageError, match="--mb=0.001: a table needs"):
        annotate.run(AnnotateArgs(f"{HANDS},s3", mb=0.001), Console(file=io.StringIO()))


def test_the_command_line() -> None:
    command = [
        sys.executable,
        "-c",
        "import sys; from narabe.experiments.cli import main; sys.exit(main(sys.argv[1:]))",
    ]
    done = subprocess.run(
        [*command, "annotate", "-", "--from-ply", "17"], input=GOLDEN, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "112" in done.stdout and "??" in done.stdout
    assert cli.main(["annotate", "hello"]) == cli.USAGE


def test_notes_are_values_of_the_solver() -> None:
    goita = game("goita")
    (states,) = states_of(read_line(GOLDEN), goita)
    solver = OpenHands(goita, mb=8)
    found = list(notes.annotate(states, solver, first=7))
    assert [note.number for note in found] == list(range(26, 6, -1))
    for note, later in zip(found[1:], found):
        same = 1 if (note.seat - later.seat) % 2 == 0 else -1
        assert note.value == same * later.best  # type: ignore[operator]
    assert solver.tick is None
