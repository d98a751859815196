"""One tournament in several games: runs of their own, and a table over all."""

import pytest

from narabe.experiments import several, tournament
from narabe.experiments.tournament_args import TournamentError
from narabe.tests.experiments.test_tournament import arguments, rows, run

GAMES = "toy:cells=20 toy:cells=23"


def test_each_game_is_a_run_of_its_own_and_the_table_is_over_all(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(arguments("all", game=GAMES)) == 0
    shown = capsys.readouterr().out
    top = (tmp_path / "all/summary.md").read_text()
    for words in (
        "toy:cells=20,plies=12,players=2",
        "toy:cells=23,plies=12,players=2",
        "/24 |",
        "narabe tournament --game",
    ):
        assert words in top
    assert "game 2 of 2" in shown
    assert "2 games: Elo" in shown
    assert run(arguments("alone", game="toy:cells=23")) == 0
    assert rows("alone") == rows("all/toy-cells-23")

    monkeypatch.setattr(tournament.referee, "play", None)  # nothing is played twice
    assert run(arguments("all", game=GAMES)) == 0
    assert (tmp_path / "all/summary.md").read_text() == top


def test_points_add_up_over_the_games(tmp_path):
    run(arguments(tmp_path, game=GAMES))
    parts = several.parts_of(tmp_path, "games")
    assert [part.folder for part in parts] == ["toy-cells-20", "toy-cells-23"]
    points = {
        a: sum(row.points for part in parts for row in part.table.rows if row.agent == a) for a in parts[0].table.agents
    }
    assert sum(points.values()) == 36
    assert [points[agent] for agent in several.order(parts)] == sorted(points.values(), reverse=True)
    head, lines = several._lines(parts)
    assert head[-2:] == ["points", "score"]
    assert lines[0][-2:] == [f"{max(points.values()):g}/24", f"{100 * max(points.values()) / 24:.1f}%"]


def test_all_is_checked_before_a_game_is_played(tmp_path, capsys):
    for changes, words in (
        ({"game": "toy chess"}, "there is no game 'chess'"),
        ({"game": "toy toy:cells=20"}, "one game twice"),
        ({"game": GAMES, "agents": ["random", "rando"]}, "there is no agent 'rando'"),
        ({"game": ""}, "names no game"),
    ):
        assert run(arguments(tmp_path / "run", **changes)) == 2
        assert words in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_folder_of_runs_of_different_agents_is_not_one_tournament(tmp_path):
    for folder, agents in (("one", ["random", "greedy"]), ("two", ["random", "random"])):
        run(arguments(tmp_path / folder, agents=agents, games=2))
    with pytest.raises(TournamentError, match="name one: one, two"):
        several.parts_of(tmp_path, "games")


def test_a_stop_says_how_far_all_games_are(tmp_path, monkeypatch, capsys):
    real, played = tournament.referee.play, []

    def stopping(match, guard):
        if len(played) == 20:
            raise KeyboardInterrupt
        played.append(match)
        return real(match, guard)

    monkeypatch.setattr(tournament.referee, "play", stopping)
    assert run(arguments(tmp_path, game=GAMES)) == 130
    assert "20 of 36 games are stored" in capsys.readouterr().out
    monkeypatch.setattr(tournament.referee, "play", real)
    assert run(arguments(tmp_path, game=GAMES)) == 0
