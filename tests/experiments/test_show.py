"""`narabe show`: what a folder holds, whatever state it is in, and a picture of it."""

import json
import sqlite3

import pytest

from narabe.experiments import cli, show_training
from narabe.experiments.store import FILE
from narabe.tests.experiments.test_tournament import arguments, run

PNG = b"\x89PNG\r\n"


def show(capsys, *words):
    """The exit code and what is printed, with one space between words."""
    capsys.readouterr()
    code = cli.main(["show", *map(str, words)])
    out, err = capsys.readouterr()
    assert err.count("\n") <= 1
    return code, " ".join((out + err).split())


def training(folder, *entries, args=None, tail=""):
    folder.mkdir()
    if args is not None:
        (folder / "args.json").write_text(json.dumps({"format": 1, "args": args}))
    (folder / "log.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries) + tail)
    return folder


def entry(iteration, **more):
    common = {"games": 64, "steps": 9 * iteration, "total_games": 64 * iteration, "seconds": 60.0}
    return {"iteration": iteration, **common, **more}


GATE = {"gate_score": 0.6, "gate_interval": [0.48, 0.71], "gate_against": 0, "gate_passed": True, "elo": 70.0}
CARDS = {"rules_won": 0.47, "rules_interval": [0.44, 0.5], "random_won": 0.9, "random_interval": [0.88, 0.92]}


def test_a_tournament_is_shown_with_its_picture(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    run(arguments(tmp_path))
    code, shown = show(capsys, tmp_path)
    assert code == 0
    for words in ("greedy", "points against each other", "toy, round-robin, seed 7: finished", "show.png"):
        assert words in shown
    assert (tmp_path / "show.png").read_bytes().startswith(PNG)


def test_an_unfinished_one_says_how_far_it_is(tmp_path, capsys):
    run(arguments(tmp_path))
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("DELETE FROM games WHERE number > 6")
    code, shown = show(capsys, tmp_path, "--no-picture")
    assert code == 0
    assert "7 of 18 games are over" in shown
    assert not (tmp_path / "show.png").exists()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("DELETE FROM games")
    assert show(capsys, tmp_path) == (2, f"narabe: {tmp_path} holds a tournament in toy of which no game is over yet")


def test_a_sequential_test_and_several_games_are_drawn(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    run(arguments(tmp_path / "test", agents=["greedy", "random"], games=200, sprt=["elo0=0", "elo1=200"]))
    run(arguments(tmp_path / "games", game="toy toy:cells=22"))
    code, shown = show(capsys, tmp_path / "test", "--out", tmp_path / "a.png")
    assert (code, "H1 accepted" in shown, "LLR +" in shown) == (0, True, True)
    code, shown = show(capsys, tmp_path / "games", "--out", tmp_path / "b.svg")
    assert (code, "18 games of toy" in shown, "points over all" in shown) == (0, True, True)
    assert (tmp_path / "a.png").read_bytes().startswith(PNG)
    assert b"<svg" in (tmp_path / "b.svg").read_bytes()


def test_a_training_is_shown_and_a_half_written_line_is_left(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    losses = {"policy_loss": 2.5, "value_loss": 0.4, "ownership_loss": 0.0, "total_positions": 99}
    entries = [entry(1, **losses), entry(2, **losses | {"policy_loss": 1.75}, **GATE)]
    folder = training(tmp_path / "run", *entries, args={"game": "gomoku:size=9", "blocks": 4}, tail='{"iteration": 3')
    code, shown = show(capsys, folder)
    assert code == 0
    for words in ("gomoku:size=9: 2 iterations", "blocks 4", "1.7500", "2 min", "60.0% 48.0% 71.0% passed"):
        assert words in shown
    assert "ownership" not in shown
    assert (folder / "show.png").read_bytes().startswith(PNG)


def test_a_training_with_cards_has_matches_against_others(tmp_path, capsys):
    folder = training(tmp_path / "run", entry(1, guess_loss=0.5), entry(2, guess_loss=0.25, **CARDS))
    shown = show(capsys, folder, "--no-picture")[1]
    for words in ("matches against random", "matches against goita_rules", "47.0% 44.0% 50.0%", "0.2500"):
        assert words in shown
    read = show_training.read(folder)
    assert read.losses == ["guess_loss"]
    assert [(m.iteration, m.score, m.passed) for m in read.matches["goita_rules"]] == [(2, 0.47, None)]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: None, "there is no folder"),
        (lambda folder: folder.mkdir(), "holds no run"),
        (lambda folder: training(folder), "no iteration is over yet"),
        (lambda folder: training(folder, {"epoch": 1}), "no log of a training that can be read"),
        (lambda folder: training(folder, tail="words\n"), "no log of a training that can be read"),
        (lambda folder: (folder.mkdir(), (folder / FILE).write_text("words " * 99)), "cannot be read"),
    ],
)
def test_what_holds_nothing_is_said_in_a_line(tmp_path, capsys, make, words):
    make(tmp_path / "run")
    code, shown = show(capsys, tmp_path / "run")
    assert code == 2
    assert shown.startswith("narabe: ")
    assert words in shown


def test_a_picture_that_cannot_be_made_is_said_in_a_line(tmp_path, capsys, monkeypatch):
    folder = training(tmp_path / "run", entry(1, policy_loss=2.0))
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    monkeypatch.delitem(__import__("sys").modules, "narabe.experiments.plots", raising=False)
    code, shown = show(capsys, folder)
    assert code == 2
    assert "pip install 'narabe[notebooks]'" in shown


def test_a_picture_of_an_unknown_kind_is_refused(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    folder = training(tmp_path / "run", entry(1, policy_loss=2.0))
    code, shown = show(capsys, folder, "--out", tmp_path / "a.docx")
    assert code == 2
    assert "cannot be written" in shown


def test_a_picture_may_have_a_folder_of_its_own(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    folder = training(tmp_path / "run", entry(1, policy_loss=2.0))
    code, _ = show(capsys, folder, "--out", tmp_path / "new" / "a.png")
    assert code == 0
    assert (tmp_path / "new" / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("count", [1, 2, 30])
def test_iterations_are_whole_numbers_in_the_picture(tmp_path, count):
    pytest.importorskip("matplotlib")
    from narabe.experiments import plots, show_training

    folder = training(tmp_path / "run", *(entry(n, policy_loss=2.0 / n) for n in range(1, count + 1)))
    figure = plots.training(show_training.read(folder))
    figure.canvas.draw()
    for axes in figure.axes:
        low, high = axes.get_xlim()
        ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
        assert ticks
        assert all(tick == round(tick) for tick in ticks)
