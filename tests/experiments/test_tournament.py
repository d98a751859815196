"""Tournaments as a whole: the same games whatever the number of workers, and however often they are broken off."""

import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from narabe.experiments import cli, executor, referee, tournament
from narabe.experiments.schedule import round_robin
from narabe.experiments.store import FILE, Store
from narabe.experiments.tournament_args import TournamentArgs, TournamentError, command, game_options
from narabe.tests.experiments import fakes

BAD = ["raises", "leaves", "cheats", "answers_nothing", "eats", "hangs", "segfaults", "exits", "deaf"]


def arguments(out, **changes):
    agents = ["random", "greedy", "random"]
    plain = TournamentArgs("toy", agents, games=6, seed=7, out=Path(out), workers=0, agent_factory=fakes.AGENTS)
    return replace(plain, **changes)


def play(args):
    return tournament.play(args, game_factory=fakes.GAME)


def run(args):
    return tournament.run(args, game_factory=fakes.GAME)


def rows(out):
    """All that is stored of the games of a run but the times."""
    db = sqlite3.connect(Path(out) / FILE)
    names = [row[1] for row in db.execute("PRAGMA table_info(games)")]
    kept = [name for name in names if name not in ("seconds", "started", "finished")]
    found = db.execute(f"SELECT {', '.join(kept)} FROM games ORDER BY number").fetchall()
    db.close()
    return found


def files(out):
    return {name: (Path(out) / name).read_bytes() for name in ("summary.md", "ratings.svg")}


def test_a_round_robin_is_played_and_told_of(tmp_path, capsys):
    args = arguments(tmp_path)
    assert run(args) == 0
    assert [row[0] for row in rows(tmp_path)] == [fixture.id for fixture in round_robin(3, 2, 6, seed=7)]
    shown = capsys.readouterr().out
    for words in ("greedy", "random#2", "summary.md", "--games 12", "points against each other"):
        assert words in shown
    assert shown.index(" greedy") < shown.index(" random ")  # the better one stands above


def test_pairs_share_openings_and_swap_seats(tmp_path):
    play(arguments(tmp_path))
    with Store(tmp_path, tournament.make_plan(arguments(tmp_path), fakes.GAME).settings) as store:
        records = store.records()
    starts = {}
    for record in records:
        starts.setdefault(record.opening, set()).add(tuple(record.moves.split()[:4]))
    assert {opening: len(moves) for opening, moves in starts.items()} == {0: 1, 1: 1, 2: 1}
    assert len(set().union(*starts.values())) == 3
    seatings = Counter((record.opening, record.agents) for record in records)
    for pair in combinations(["random", "greedy", "random#2"], 2):
        for opening in range(3):
            assert seatings[opening, pair] == seatings[opening, pair[::-1]] == 1


def test_games_do_not_depend_on_the_number_of_workers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for workers in (0, 1, 2):
        play(arguments(f"workers{workers}/run", workers=workers))
    assert rows("workers0/run") == rows("workers1/run") == rows("workers2/run")


def test_bad_agents_forfeit_and_the_tournament_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(executor, "GRACE", 0.1)
    args = arguments(tmp_path, agents=["random", *BAD], games=2, workers=2, deadline=0.5, memory=256)
    # Of all pairs only those with the good agent: bad ones against each other show nothing more.
    whole = round_robin(10, 2, 2, seed=7)
    monkeypatch.setitem(tournament.SCHEDULES, "round-robin", lambda *_: [f for f in whole if 0 in f.seats])
    table, _ = play(args)
    assert {row.agent: row.forfeits for row in table.rows} == {"random": 0} | dict.fromkeys(BAD, 2)
    assert table.rows[0].agent == "random"
    assert table.rows[0].wins == table.games == 18
    assert table.reasons == {
        "forfeit: exception": 8,  # raises, leaves, answers_nothing, deaf
        "forfeit: illegal action": 2,
        "forfeit: memory": 2,
        "forfeit: deadline": 2,
        "forfeit: process died": 4,  # segfaults, exits
    }
    for row in sqlite3.connect(tmp_path / FILE).execute("SELECT plies, moves, forfeit_detail FROM games"):
        assert 6 <= row[0] == len(row[1].split()) < 12
        assert row[2]


def test_an_agent_that_fails_after_the_game_has_not_lost_it(tmp_path):
    table, _ = play(arguments(tmp_path, agents=["greedy", "bad-loser"], games=2, workers=1))
    assert [row.forfeits for row in table.rows] == [0, 0]
    assert table.reasons == {"highest sum": 2}


def test_the_first_slow_move_of_a_process_is_no_forfeit(tmp_path):
    table, _ = play(arguments(tmp_path, agents=["random", "slow-start"], games=2, workers=1, deadline=0.5))
    assert [row.forfeits for row in table.rows] == [0, 0]


def test_more_games_extend_a_run_to_the_same_as_a_long_one(tmp_path, monkeypatch):
    for folder, steps in (("short", (2, 6)), ("long", (6,))):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        for games in steps:
            play(arguments("run", games=games))
    assert rows(tmp_path / "short/run") == rows(tmp_path / "long/run")
    assert files(tmp_path / "short/run") == files(tmp_path / "long/run")


def test_a_finished_run_is_shown_again_without_a_game(tmp_path, monkeypatch, capsys):
    assert run(arguments(tmp_path)) == 0
    shown, before = capsys.readouterr().out.partition("\n")[2], rows(tmp_path)  # without the word about making ready
    monkeypatch.setattr(referee, "play", None)
    assert run(arguments(tmp_path)) == 0
    assert capsys.readouterr().out == shown
    assert rows(tmp_path) == before


def test_what_is_missing_is_played_and_nothing_else(tmp_path):
    play(arguments(tmp_path))
    before, report = rows(tmp_path), files(tmp_path)
    db = sqlite3.connect(tmp_path / FILE)
    with db:
        db.execute("DELETE FROM games WHERE number % 3 = 1")
        db.execute("UPDATE games SET started = 'kept'")
    db.close()
    play(arguments(tmp_path))
    assert rows(tmp_path) == before
    assert files(tmp_path) == report
    kept = sqlite3.connect(tmp_path / FILE).execute("SELECT count(*) FROM games WHERE started = 'kept'").fetchone()
    assert kept == (12,)


# ---- who meets whom, and when it is enough ----


@pytest.mark.parametrize(("schedule", "pairs"), [("gauntlet", "0x1 0x2"), ("ladder", "0x1 1x2")])
def test_another_schedule_is_played(tmp_path, schedule, pairs):
    table, _ = play(arguments(tmp_path, schedule=schedule))
    assert table.games == 12
    assert {row[0].split("-")[1] for row in rows(tmp_path)} == set(pairs.split())
    assert {row.games for row in table.rows} == {6, 12}


TEST = {"agents": ["greedy", "random"], "games": 300, "sprt": ["elo0=0", "elo1=200"]}


def test_a_sequential_test_has_the_same_result_with_any_number_of_workers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for workers in (0, 1, 2):
        (tmp_path / f"{workers}").mkdir()
        monkeypatch.chdir(tmp_path / f"{workers}")
        table, plan = play(arguments("run", workers=workers, **TEST))
        assert plan.trial.verdict == "H1"
        assert table.games == 2 * plan.trial.pairs < 60
        assert len(rows("run")) == table.games + plan.beyond
        assert plan.beyond <= 2 * workers
    one, *others = (files(tmp_path / f"{workers}/run") for workers in (0, 1, 2))
    assert all(other == one for other in others)
    assert rows(tmp_path / "0/run") == rows(tmp_path / "2/run")[: len(rows(tmp_path / "0/run"))]


def test_a_sequential_test_goes_on_and_what_was_played_beyond_it_is_kept(tmp_path, capsys):
    play(arguments(tmp_path / "fixed", agents=["greedy", "random"], games=80))
    assert run(arguments(tmp_path / "test", **TEST)) == 0
    shown, report, stored = capsys.readouterr().out, files(tmp_path / "test"), rows(tmp_path / "test")
    assert "H1 accepted after" in shown
    assert "Twice the games" not in shown
    fixed, test = (sqlite3.connect(tmp_path / name / FILE, isolation_level=None) for name in ("fixed", "test"))
    more = fixed.execute("SELECT * FROM games WHERE number >= ? ORDER BY number", (len(stored) + 2,)).fetchall()
    test.executemany(f"INSERT INTO games VALUES ({', '.join('?' * len(more[0]))})", more)
    test.execute("DELETE FROM games WHERE number BETWEEN 3 AND 8")
    fixed.close(), test.close()
    assert run(arguments(tmp_path / "test", **TEST)) == 0
    assert f"{len(more)} games were played beyond" in capsys.readouterr().out
    assert files(tmp_path / "test") == report
    assert rows(tmp_path / "test")[: len(stored)] == stored
    assert len(rows(tmp_path / "test")) == len(stored) + len(more)


def test_a_test_without_a_verdict_says_how_to_go_on(tmp_path, capsys):
    assert run(arguments(tmp_path, **TEST | {"games": 4})) == 0
    shown = capsys.readouterr().out
    assert "No verdict after 4 games" in shown
    assert "--games 8 --seed 7 --sprt elo0=0 elo1=200" in shown


def test_hopeless_games_are_broken_off_and_counted(tmp_path):
    table, _ = play(arguments(tmp_path, agents=["sure", "sure"], games=6, adjudicate=["margin=0.9", "plies=2"]))
    assert table.reasons["adjudicated: both sides agreed"] > 0
    assert "hopeless" in (tmp_path / "summary.md").read_text()
    assert sum(row.points for row in table.rows) == 6


# ---- broken off from outside: a process of its own, at a moment when some games are stored and others are not ----

LONG = {"agents": ["pausing", "greedy", "random"], "games": 20}

SCRIPT = """
import sys
from pathlib import Path
from narabe.experiments import tournament
from narabe.experiments.tournament_args import TournamentArgs
args = TournamentArgs(game="toy", agents={agents!r}, games={games}, seed=7, out=Path("run"), workers={workers},
                      agent_factory={factory!r})
sys.exit(tournament.run(args, game_factory={game!r}))
"""


def start(folder, workers):
    script = SCRIPT.format(**LONG, workers=workers, factory=fakes.AGENTS, game=fakes.GAME)
    return subprocess.Popen(
        [sys.executable, "-c", script], cwd=folder, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def wait_for_games(process, folder, count):
    """Waits until that many games are stored, and returns while more are being played."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        if (folder / "run" / FILE).exists():
            try:
                if len(rows(folder / "run")) >= count:
                    return
            except sqlite3.OperationalError:
                pass  # the tables are being made
        time.sleep(0.005)
    raise AssertionError(f"no {count} games: exit code {process.poll()}")


@pytest.mark.parametrize("workers", [0, 2])
def test_a_killed_run_goes_on_as_if_nothing_had_been(tmp_path, monkeypatch, workers):
    broken, whole = tmp_path / "broken", tmp_path / "whole"
    broken.mkdir()
    whole.mkdir()
    for count in (3, 25):
        process = start(broken, workers)
        wait_for_games(process, broken, count)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert count <= len(rows(broken / "run")) < 60
    for folder in (broken, whole):
        monkeypatch.chdir(folder)
        play(arguments("run", **LONG))
    assert len(rows(whole / "run")) == 60
    assert rows(broken / "run") == rows(whole / "run")
    assert files(broken / "run") == files(whole / "run")


@pytest.mark.parametrize("workers", [0, 2])
def test_an_interrupt_says_what_is_stored_and_how_to_go_on(tmp_path, workers):
    process = start(tmp_path, workers)
    wait_for_games(process, tmp_path, 3)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all of them
    shown = process.communicate()[0]
    assert process.returncode == 130
    stored = len(rows(tmp_path / "run"))
    assert f"Stopped: {stored} of 60 games are stored" in shown
    assert "narabe tournament --game toy --agents pausing greedy random --games 20 --seed 7" in shown


# ---- what is refused ----


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"games": 5}, "even"),
        ({"agents": ["random"]}, "at least two agents"),
        ({"agents": ["random", "rando"]}, "there is no agent 'rando'"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"workers": -1}, "--workers -1: it must be 0 or more"),
        ({"deadline": 0.0}, "--deadline 0.0: it must be above 0"),
        ({"memory": 0}, "--memory 0: it must be above 0"),
        ({"opening_plies": -1}, "--opening-plies -1"),
        ({"option": ["plies=2"], "games": 2000}, "fewer --games"),
        ({"option": ["cells"]}, "name=value"),
        ({"sprt": ["elo0=0", "elo1=50"]}, "--sprt compares two agents"),
        ({"sprt": ["elo0=0"]}, "--sprt needs elo1=..."),
        ({"sprt": ["elo0=0", "elo=50"]}, "cannot read 'elo=50'"),
        ({"sprt": ["elo0=50", "elo1=0"], "agents": ["random", "greedy"]}, "elo0 must be below elo1"),
        ({"adjudicate": ["margin=0.9"]}, "--adjudicate needs plies=..."),
        ({"adjudicate": ["margin=2", "plies=4"]}, "margin=2"),
        ({"adjudicate": ["margin=0.9", "plies=4"], "option": ["players=3"]}, "for games of two sides"),
        ({"agent_factory": "narabe.nowhere:make"}, "narabe.nowhere"),
        ({"agent_factory": "make"}, "module:function"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(tmp_path, capsys, changes, words):
    assert run(arguments(tmp_path / "run", **changes)) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("workers", [0, 1])
def test_an_unknown_agent_is_found_before_any_game(tmp_path, workers):
    with pytest.raises(TournamentError, match="there is no agent 'rando'"):
        play(arguments(tmp_path, agents=["random", "rando"], workers=workers))
    assert rows(tmp_path) == []


def test_a_folder_of_another_run_is_refused_and_kept(tmp_path, capsys):
    play(arguments(tmp_path))
    before = rows(tmp_path)
    assert run(arguments(tmp_path, seed=8)) == 2
    assert "seed: 7 there, 8 now" in capsys.readouterr().err
    assert rows(tmp_path) == before


def test_another_version_does_not_go_on_with_half_a_run(tmp_path, monkeypatch):
    play(arguments(tmp_path, games=2))
    monkeypatch.setattr(tournament, "__version__", "99")
    play(arguments(tmp_path, games=2))  # showing it is all right
    with pytest.raises(TournamentError, match="this is 99"):
        play(arguments(tmp_path, games=4))


# ---- arguments ----


def test_options_come_as_values_and_the_command_holds_them():
    options = ["row=5", "double-three=true", "rule=swap 2"]
    args = TournamentArgs(game="omok", option=options, size=15, out=Path("runs/a b"))
    assert game_options(args) == {"row": 5, "double_three": True, "rule": "swap 2", "size": 15}
    assert "--option row=5 double_three=true 'rule=swap 2' size=15 --agents random greedy" in command(args)
    assert command(args).endswith("--out 'runs/a b'")
    assert command(replace(args, workers=9)) == command(args)


def test_the_command_is_read_as_it_was_meant():
    plain = TournamentArgs(game="omok:size=9 connect_four", agents=["a", "b"], out=Path("x"))
    more = replace(
        plain, schedule="ladder", sprt=["elo0=0", "elo1=5"], adjudicate=["margin=1", "plies=3"], intervals="pairs"
    )
    for args in (plain, more):
        assert cli.parse(shlex.split(command(args))[1:]) == args


def test_an_option_given_twice_is_refused():
    for args in (TournamentArgs(option=["size=9"], size=9), TournamentArgs(option=["row=4", "row=5"])):
        with pytest.raises(TournamentError, match="given twice"):
            game_options(args)


# ---- a real game and its agents ----


def test_a_real_tournament_is_the_same_in_this_process_and_in_others(tmp_path):
    args = TournamentArgs("gomoku", ["random", "greedy", "uct:sims=30"], games=2, seed=7, size=7, out=tmp_path / "here")
    for workers, folder in ((0, "here"), (2, "there")):
        table, plan = tournament.play(replace(args, out=tmp_path / folder, workers=workers))
        assert sum(row.forfeits for row in table.rows) == 0
    assert rows(tmp_path / "here") == rows(tmp_path / "there")
    with Store(args.out, plan.settings) as store:
        for record in store.records():
            state = plan.game.start()
            for move in record.moves.split():
                assert not state.is_over
                state.play(move)
            assert (state.payoffs, state.reason) == (record.payoffs, record.reason)
