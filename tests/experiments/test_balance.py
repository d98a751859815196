"""Books of even openings: made, read, drawn from, and kept to."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from narabe import envs
from narabe.agents import Agent, Analysis
from narabe.experiments import balance, cli, openings, tournament
from narabe.experiments.args import UsageError
from narabe.experiments.asking import Question
from narabe.experiments.book import read_book
from narabe.experiments.openings_args import BalanceArgs
from narabe.experiments.schedule import ScheduleError
from narabe.experiments.store import Store, StoreError
from narabe.experiments.tournament_args import TournamentArgs, TournamentError, command
from narabe.tests.experiments.runs import QUIET

GAME = envs.game("gomoku", size=5, row=4)
HERE = __name__


class Judge(Agent):
    """Thinks that Black is ahead by a tenth for each of his stones on the left, and counts how often it is asked."""

    asked = 0

    def choose(self, views, budget=None):
        Judge.asked += 1
        return [self.thought(view) for view in views]

    def thought(self, view):
        state = view.state()
        left = sum(state.scene().cells[row * 5 + column] == "black" for row in range(5) for column in range(2))
        plain = Analysis.of(self.game, int(state.legal_actions()[-1]))  # on the right
        return replace(plain, value=(left / 10, -left / 10))


def arguments(folder, **changes):
    plain = BalanceArgs(
        game=GAME.spec, agent=f"{HERE}.Judge", out=folder / "book.jsonl", count=6, plies=2, near=0, window=0.05,
        threat_nodes=0, workers=0,
    )  # fmt: skip
    return replace(plain, **changes)


def made(folder, **changes):
    folder.mkdir(exist_ok=True)
    args = arguments(folder, **changes)
    assert balance.run(args, QUIET) == 0
    return [json.loads(line) for line in args.out.read_text().splitlines()]


def test_a_book_holds_positions_that_the_agent_thinks_even(tmp_path):
    book = made(tmp_path)
    assert len(book) == 6
    for line in book:
        assert line["value"] == 0.0
        assert line["moves"][0] not in "AB"
        assert (line["game"], line["agent"], line["window"], line["seed"]) == (GAME.spec, f"{HERE}.Judge", 0.05, 0)
    assert len(read_book(tmp_path / "book.jsonl", GAME).starts) == 6  # which refuses what is not distinct
    assert [path.name for path in tmp_path.iterdir()] == ["book.jsonl"]
    wide = made(tmp_path / "wide", window=1.0)
    assert {line["value"] for line in wide} == {0.0, 0.1}
    assert [line["drawn"] for line in wide] == list(range(6))


class Fickle(Judge):
    """Thinks that whoever is to move is ahead, and Black a little more."""

    def thought(self, view):
        value = 0.98 if view.seat == 0 else -0.96
        return replace(super().thought(view), value=(value, -value))


class Certain(Judge):
    """Sees a win for whoever is to move."""

    def thought(self, view):
        value = 1.0 if view.seat == 0 else -1.0
        return replace(super().thought(view), value=(value, -value))


def test_the_value_lies_between_those_of_both_sides_to_move(tmp_path):
    assert {line["value"] for line in made(tmp_path, agent=f"{HERE}.Fickle", window=0.3)} == {0.174}
    with pytest.raises(UsageError, match="of 9 positions 9 are unclear.*another agent"):
        balance.run(arguments(tmp_path, agent=f"{HERE}.Certain", out=tmp_path / "b.jsonl", most=9), QUIET)


def test_the_command_in_the_book_makes_the_book(tmp_path):
    words = shlex.split(made(tmp_path)[0]["command"])
    text = (tmp_path / "book.jsonl").read_text()
    (tmp_path / "book.jsonl").unlink()
    assert cli.main([*words[1:], "--workers", "0"]) == 0
    assert (tmp_path / "book.jsonl").read_text() == text


def test_a_book_does_not_depend_on_the_workers(tmp_path, monkeypatch):
    lines = []
    for workers in (0, 2):
        (tmp_path / str(workers)).mkdir()
        monkeypatch.chdir(tmp_path / str(workers))
        args = replace(arguments(tmp_path, agent="uct:sims=50", window=0.3, workers=workers), out=Path("book.jsonl"))
        assert balance.run(args, QUIET) == 0
        lines.append((tmp_path / str(workers) / "book.jsonl").read_text())
    assert lines[0] == lines[1]


def test_what_was_judged_is_not_judged_again(tmp_path, monkeypatch):
    (tmp_path / "whole").mkdir()
    whole = made(tmp_path / "whole")
    args = arguments(tmp_path)
    calls = []

    def breaking(job, guard, real=balance.answer):
        calls.append(job[0].number)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return real(job, guard)

    with monkeypatch.context() as patched:
        patched.setattr(balance, "answer", breaking)
        assert balance.run(args, QUIET) == 130
    judged = args.out.with_name("book.jsonl.judged")
    with judged.open("a") as file:
        file.write('{"number": 99, "mo')  # as a kill may leave it
    Judge.asked = 0
    assert balance.run(args, QUIET) == 0
    drawn = 1 + json.loads(args.out.read_text().splitlines()[-1])["drawn"]
    assert Judge.asked == 2 * (
        drawn - 3 + 1
    )  # twice each; of five calls one made ready and one was broken off; and making ready again
    assert [json.loads(line)["moves"] for line in args.out.read_text().splitlines()] == [
        line["moves"] for line in whole
    ]
    assert not judged.exists()


def test_two_processes_do_not_make_one_book(tmp_path):
    args = arguments(tmp_path)
    with balance.Judged(args, GAME), pytest.raises(UsageError, match="another process makes"):
        balance.run(args, QUIET)
    assert balance.run(args, QUIET) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["book.jsonl"]


def test_other_settings_do_not_go_on(tmp_path):
    with pytest.raises(UsageError, match="of 3 positions"):
        balance.run(arguments(tmp_path, most=3), QUIET)
    with pytest.raises(UsageError, match="plies: 2 there, 3 now"):
        balance.run(arguments(tmp_path, plies=3), QUIET)
    assert balance.run(arguments(tmp_path, window=0.1), QUIET) == 0  # that is no matter of judging


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "goita"}, "hidden hands"),
        ({"game": "stacking:players=3"}, "3 sides"),
        ({"agent": "greedy"}, "greedy tells no value"),
        ({"window": 0.0}, "--window 0.0"),
        ({"count": 0}, "--count 0"),
        ({"plies": 1, "count": 9}, "of 6 positions .* are wanted: ask for fewer"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path, changes, words):
    with pytest.raises(UsageError, match=words):
        balance.run(arguments(tmp_path, **changes), QUIET)


def test_a_book_that_is_there_is_left_alone(tmp_path):
    (tmp_path / "book.jsonl").write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        balance.run(arguments(tmp_path), QUIET)


def test_forced_wins_are_thrown_out_and_near_means_near(tmp_path):
    board = envs.game("gomoku", size=9)
    moves = "E5 A1 F5 A9 G5 I1"
    start = tuple(map(board.action_of, moves.split()))
    assert balance.forced_win(Question(board.spec, "", 0, start, 0), 1000) == "vcf"
    assert balance.forced_win(Question(board.spec, "", 0, start[:2], 0), 1000) is None
    near = openings.cells_near(board, 2)
    assert {board.text_of(action) for action in near} == {f"{c}{r}" for c in "CDEFG" for r in range(3, 8)}
    assert len(openings.cells_near(envs.game("gomoku", size=8), 1)) == 4  # the middle of an even board lies between
    drawn = next(balance.questions(arguments(tmp_path, game=board.spec, near=2, plies=3), board))
    assert len(drawn.start) == 3
    assert set(drawn.start) <= near
    assert openings.cells_near(envs.game("connect_four"), 2) is None


# ---- reading ----


def test_a_book_by_hand_needs_moves_only(tmp_path):
    path = tmp_path / "book.jsonl"
    path.write_text('{"moves": "C3 B2"}\n\n{"moves": ["A1", 6], "by": "me"}\n{"moves": "c3c4"}\n')
    book = read_book(path, GAME)
    assert [[GAME.text_of(a) for a in start] for start in book.starts] == [["C3", "B2"], ["A1", "B2"], ["C3", "C4"]]
    assert sorted(book.drawn(3, seed=1)) == sorted(book.starts)
    assert book.drawn(2, seed=1) == book.drawn(3, seed=1)[:2]
    assert len({tuple(book.drawn(3, seed=seed)) for seed in range(9)}) > 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("C3 B2\n", "line 1: no opening"),
        ('{"moves": "C3 C3"}\n', "line 1: C3"),
        ('{"moves": "C3 B2"}\n{"moves": "C3 D4"}\n', "line 2: the position of line 1 again"),
        ('{"moves": "C3 B2", "game": "omok"}\n', "line 1: an opening of omok"),
        ('{"moves": "A1 B2 A2 B3 A3 C5 A4"}\n', "the game is over"),
    ],
)
def test_a_book_that_will_not_do_is_refused_with_its_line(tmp_path, text, words):
    path = tmp_path / "book.jsonl"
    path.write_text(text)
    with pytest.raises(ScheduleError, match=words):
        read_book(path, GAME)


# ---- tournaments ----


def test_a_tournament_plays_the_book_with_both_colours_and_keeps_to_it(tmp_path):
    book = made(tmp_path)
    args = TournamentArgs(
        "gomoku", ["random", "greedy"], games=6, option=["row=4"], size=5, out=tmp_path / "run", workers=0,
        book=tmp_path / "book.jsonl",
    )  # fmt: skip
    _, plan = tournament.play(args)
    with Store(args.out, plan.settings) as store:
        records = store.records()
    begun = [" ".join(record.moves.split()[:2]) for record in records]
    assert begun[::2] == begun[1::2]
    assert len(set(begun)) == 3
    assert set(begun) <= {line["moves"] for line in book}
    assert "3, from the book sha256:" in (args.out / "summary.md").read_text()
    assert f"--book {tmp_path / 'book.jsonl'}" in command(args)
    tournament.play(replace(args, games=12))  # more of the same book
    with pytest.raises(ScheduleError, match="6 openings, and 7 are needed"):
        tournament.play(replace(args, games=14))
    text = args.book.read_text()
    args.book.write_text(text.replace('"seed": 0', '"seed": 1'))
    with pytest.raises(StoreError, match="book: sha256"):
        tournament.play(replace(args, games=12))
    with pytest.raises(TournamentError, match="--opening-plies"):
        tournament.play(replace(args, opening_plies=2))


def test_the_command_that_goes_on_asks_for_no_more_than_the_book_has(tmp_path, capsys):
    made(tmp_path)
    args = TournamentArgs(
        "gomoku", ["random", "greedy"], games=6, option=["row=4"], size=5, out=tmp_path / "run", workers=0,
        book=tmp_path / "book.jsonl",
    )  # fmt: skip
    assert tournament.run(args) == 0
    assert "--games 12" in capsys.readouterr().out  # 6 openings
    assert tournament.run(replace(args, games=12)) == 0
    out = capsys.readouterr().out
    assert "--games" not in out
    assert "a larger one" in out
