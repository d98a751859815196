"""The command line as a whole: what it imports, what its help teaches, what it answers to mistakes."""

from __future__ import annotations

import dataclasses
import importlib
import subprocess
import sys

import docstring_parser
import pytest

import narabe
from narabe.experiments import cli
from narabe.experiments.args import PlayArgs

HEAVY = ("numba", "numpy", "torch", "gymnasium", "scipy")
PROBE = """
import sys
from narabe.experiments import cli
try:
    cli.main(sys.argv[1:])
except SystemExit:
    pass
print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["--version"],
        ["play", "--help"],
        ["tournament", "--help"],
        ["bench", "--help"],
        ["openings", "--help"],
        ["dataset", "--help"],
    ],
)
def test_help_imports_nothing_heavy(words):
    done = subprocess.run([sys.executable, "-c", PROBE, *words], capture_output=True, text=True, check=True)
    assert done.stdout.strip()
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.parametrize("command", cli.COMMANDS, ids=lambda command: command.name)
def test_help_teaches(command, capsys):
    with pytest.raises(SystemExit) as left:
        cli.main([command.name, "--help"])
    assert left.value.code == 0
    assert f"`narabe {command.name}" in capsys.readouterr().out  # the example
    explained = {
        param.arg_name
        for kind in command.args.__mro__
        if dataclasses.is_dataclass(kind)
        for param in docstring_parser.parse_from_object(kind).params
        if param.description
    }
    assert explained == {field.name for field in dataclasses.fields(command.args)}


@pytest.mark.parametrize("command", cli.COMMANDS, ids=lambda command: command.name)
def test_examples_can_be_read_and_jobs_exist(command):
    words = command.example.split()
    assert type(cli.parse(words[1:])) is command.args
    module, _, function = command.job.partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"narabe {narabe.__version__}\n"


def test_without_words_the_help_is_shown(capsys):
    with pytest.raises(SystemExit) as left:
        cli.main([])
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert "tournament" in out
    assert len(out.splitlines()) < 60  # a line or two for each command; all of it stands in the command's own help


@pytest.mark.parametrize("words", [["chess"], ["play", "--sise", "9"], ["play", "--size", "big"]])
def test_words_that_do_not_fit(words, capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(words)
    assert left.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("games omk", "Did you mean omok?"),
        ("games omok:size=2", "must be from 3"),
        ("agents utc", "no agent named 'utc'"),
        ("play --game omk", "Did you mean omok?"),
        ("play --option sise=9", "no option 'sise'"),
        ("play --option size", "name=value"),
        ("play --size 99", "must be from 3"),
        ("play --against utc", "no agent named 'utc'"),
        ("play --against uct:sim=3", "Did you mean sims?"),
        ("play --against random random", "--against names 2 agents"),
        ("play --seat red", "black, white, first, second, random, none"),
        ("play --seed -1", "zero or more"),
        ("play --moves H8 H8", "--moves: H8: occupied"),
        ("play --position 3/3/3", "--position: a position has 6 fields"),
    ],
)
def test_mistakes_are_answered_in_one_line(words, part, capsys):
    assert cli.main(words.split()) == 2
    out, err = capsys.readouterr()
    assert err.startswith("narabe: ")
    assert err.count("\n") == 1
    assert part in err
    assert not out


ASKING = [
    "games {}",
    "play --game {}",
    "tournament --game {}",
    "tournament --game omok {}",
    "solve --game {} --moves A1",
    "prove --game {}",
    "annotate --game {} 11244556,12234569,11123378,11113457,s3,371",
    "odds backs --game {}",
    "train --game {}",
    "train-cards --game {}",
    "openings balance --game {}",
    "openings tree --game {}",
    "openings advantage --game {}",
]
"""Every command that takes a game."""


@pytest.mark.parametrize("words", ASKING)
@pytest.mark.parametrize(("game", "part"), [("omk", "Did you mean omok?"), ("omok:size=99", "from 3 to 20")])
def test_a_game_that_there_is_not_is_answered_in_one_line_by_every_command(
    words, game, part, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert cli.main(words.format(game).split()) == 2
    err = capsys.readouterr().err
    assert err.startswith("narabe: ")
    assert err.count("\n") == 1
    assert part in err


def test_other_errors_keep_their_traceback(monkeypatch):
    def broken(args):
        raise ValueError("a defect")

    monkeypatch.setattr(cli, "run", broken)
    with pytest.raises(ValueError, match="a defect"):
        cli.main(["games"])


def test_ctrl_c(monkeypatch):
    def stopped(args):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "run", stopped)
    assert cli.main(["games"]) == 130


def test_a_reader_that_goes_away_is_no_error():
    words = [sys.executable, "-m", "narabe.experiments.cli", "--help"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_lists_and_spec_strings_are_read():
    line = "play --game omok --against uct:sims=10,c=2 --option size=9 exact=true --moves E5 E6"
    args = cli.parse(line.split())
    assert isinstance(args, PlayArgs)
    assert (args.against, args.option, args.moves) == (["uct:sims=10,c=2"], ["size=9", "exact=true"], ["E5", "E6"])
