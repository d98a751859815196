"""Standings and report: they add up by hand, and hold nothing of time or order."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from rich.console import Console

from narabe.experiments import report
from narabe.experiments.adjudication import REASON
from narabe.experiments.chart import ratings_svg
from narabe.experiments.progress import display
from narabe.experiments.ratings import fit
from narabe.experiments.referee import GameRecord
from narabe.experiments.sprt import Sprt, Trial
from narabe.experiments.standings import Row, pairs_of, scores, standings
from narabe.experiments.store import Settings

AGENTS = ["a", "b", "<c|d>"]
SETTINGS = Settings("toy", {"cells": 20}, AGENTS, 7, 2, 4, 60.0, 512, "x:y")


def record(number, agents, payoffs, reason="five", forfeit=None, plies=10):
    return GameRecord(
        id=str(number), number=number, opening=0, seed=1, agents=agents, moves="", opening_plies=4, plies=plies,
        payoffs=payoffs, result="", reason=reason, forfeit_seat=forfeit, forfeit_kind=forfeit and "memory",
        forfeit_detail=None, choices=(3, 2), seconds=(0.3, 0.4), started="", finished="",
    )  # fmt: skip


RECORDS = [
    record(0, ("a", "b"), (1.0, -1.0)),
    record(1, ("b", "a"), (0.0, 0.0), "board full", plies=20),
    record(2, ("a", "<c|d>"), (1.0, -1.0)),
    record(3, ("<c|d>", "a"), (-1.0, 1.0), "forfeit: memory", forfeit=0),
    record(4, ("b", "<c|d>"), (-1.0, 1.0)),
    record(5, ("<c|d>", "b"), (-1.0, 1.0), plies=15),
]


def text(records):
    return report.summary(standings(AGENTS, records), SETTINGS, "1.2.3", "narabe tournament --x", ("Black", "White"))


def test_games_add_up():
    table = standings(AGENTS, RECORDS)
    assert [row.agent for row in table.rows] == ["a", "b", "<c|d>"]
    best = table.rows[0]
    assert (best.games, best.wins, best.draws, best.losses, best.points) == (4, 3, 1, 0, 3.5)
    assert (best.first_points, best.first_games) == (2.0, 2)
    assert (best.seconds, best.choices) == (pytest.approx(1.4), 10)
    assert [row.forfeits for row in table.rows] == [0, 0, 1]
    assert table.points.tolist() == [[0, 1.5, 2], [0.5, 0, 1], [0, 1, 0]]
    assert table.first_points == 2.5
    assert table.plies == 75
    assert [row.elo for row in table.rows] == pytest.approx(list(fit(table.points).elo))


def test_the_mean_of_an_agents_seats_decides_a_game_of_many():
    third = 1 / 3
    assert scores(record(0, ("a", "b", "a"), (1.0, -0.5, -0.5))) == {"a": 1.0, "b": 0.0}
    assert scores(record(0, ("a", "b", "a", "b"), (third, third, -1.0, third))) == {"a": 0.0, "b": 1.0}
    assert scores(record(0, ("b", "a", "b", "a"), (third, -third, -third, third))) == {"a": 0.5, "b": 0.5}


def test_the_report_does_not_depend_on_order_or_time():
    later = [replace(r, seconds=(9.0, 9.0), started="later", finished="later") for r in reversed(RECORDS)]
    assert text(later) == text(RECORDS)
    rows, other = standings(AGENTS, RECORDS).rows, standings(AGENTS, later).rows
    assert ratings_svg(rows, "t") == ratings_svg(other, "t")


def test_the_summary_says_what_was_played_and_how_it_ended():
    words = text(RECORDS)
    for part in (
        "    narabe tournament --x",
        "| game | toy |",
        "| options | cells=20 |",
        "| seed | 7 |",
        "3, each pair 2 games, 6 games in all",
        "1, random, of 4 plies",
        "41.7% of the points",
        "Games took 12.5 plies",
        "| 4 | 66.7% | five |",
        "| 1 | 16.7% | forfeit: memory |",
        "| 1 | a |",
        "<c\\|d>",
    ):
        assert part in words
    assert "1.5/2" in words


def test_deals_are_no_openings_of_0_plies():
    words = report.summary(standings(AGENTS, RECORDS), replace(SETTINGS, opening_plies=0), "1", "x", ("Black", "White"))
    assert "| 1, drawn by chance alone, such as deals, no two alike" in words


def test_the_likelihood_of_superiority_stands_by_neighbours_and_in_the_cross_table():
    table = standings(AGENTS, RECORDS)
    above = table.ratings.superiority()
    assert [row.los for row in table.rows] == [pytest.approx(above[0, 1]), pytest.approx(above[1, 2]), None]
    words = text(RECORDS)
    assert f"| 1.5/2 {report.likelihood(above[0, 1])} |" in words
    assert "taken as independent" in words


def test_pairs_are_the_two_games_of_an_opening():
    assert pairs_of(AGENTS, RECORDS[1:]) == [(0, 0, 2, 2.0), (0, 1, 2, 1.0)]
    by_pairs = standings(AGENTS, RECORDS, paired=True)
    assert [row.margin for row in by_pairs.rows] != [row.margin for row in standings(AGENTS, RECORDS).rows]
    assert "from the scores of pairs" in report.summary(by_pairs, SETTINGS, "1", "x", ("Black", "White")).replace(
        "\n", " "
    )


def test_a_sequential_test_is_told_of():
    settings = replace(
        SETTINGS, agents=["a", "b"], games=400, sprt={"elo0": 0, "elo1": 150, "alpha": 0.05, "beta": 0.05}
    )
    trial = Trial(Sprt(**settings.sprt))
    for number in range(30):
        trial.game(number, 1.0)
    assert 5 < trial.pairs < 15
    words = report.summary(standings(["a", "b"], RECORDS[:2], True), settings, "1", "x", ("Black", "White"), trial)
    for part in (
        "## Sequential test",
        f"H1 accepted after {2 * trial.pairs} games: a is more than 0 Elo above b.",
        "each pair at most 400 games",
        f"| 0 | 0 | 0 | 0 | {trial.pairs} |",
    ):
        assert part in words
    trial = Trial(trial.test)
    assert report.verdict_words(trial, "a", "b").startswith("No verdict after 0 games")
    for number in range(100):
        trial.game(number, 0.0)
    assert "a is less than 150 Elo above b" in report.verdict_words(trial, "a", "b")


def test_games_that_were_broken_off_are_counted():
    records = [*RECORDS[:4], *(replace(r, reason=REASON) for r in RECORDS[4:])]
    settings = replace(SETTINGS, adjudicate={"margin": 0.9, "plies": 6.0})
    words = report.summary(standings(AGENTS, records), settings, "1", "x", ("Black", "White")).replace("\n", " ")
    assert "2 (33.3%) were broken off as hopeless: in 6 moves in a row" in words
    assert f"| 2 | 33.3% | {REASON} |" in words
    assert "hopeless" not in text(RECORDS)


def test_the_picture_is_xml_with_a_dot_in_a_bar_for_each_agent():
    table = standings(AGENTS, RECORDS)
    root = ElementTree.fromstring(ratings_svg(table.rows, "a & b"))
    name = "{http://www.w3.org/2000/svg}"
    dots = [float(dot.get("cx")) for dot in root.iter(f"{name}circle")]
    assert dots == sorted(dots, reverse=True)
    assert len(dots) == 3
    bars = [path.get("d") for path in root.iter(f"{name}path") if path.get("stroke-linecap")]
    for dot, bar in zip(dots, bars, strict=True):
        low, high = float(bar[1:].split()[0]), float(bar.partition("H")[2])
        assert low < dot < high
        assert 0 < low < high < float(root.get("width"))
    texts = ["".join(t.itertext()) for t in root.iter(f"{name}text")]
    assert {"a & b", "a", "b", "<c|d>"} <= set(texts)


@pytest.mark.parametrize("margin", [0.4, 3.0, 77.0, 950.0, 2400.0])
def test_the_scale_of_the_picture_suits_any_spread(margin):
    rows = [Row("x", margin / 3, margin), Row("y", -margin / 3, margin)]
    root = ElementTree.fromstring(ratings_svg(rows, "t"))
    grid = [path for path in root.iter("{http://www.w3.org/2000/svg}path") if "V" in path.get("d")]
    assert 3 <= len(grid) <= 11


def test_plain_output_tells_how_far_it_is():
    from rich.console import Console

    lines = display(Console(force_terminal=False), AGENTS, total=26, stored=2)
    assert lines.line(10.0) == "2 of 26 games, none yet"
    lines.show(RECORDS)
    assert lines.line(8.0) == "6 of 26 games, 30.0 a minute, 40 s left"


@pytest.mark.parametrize("table", [report.plain_table, lambda title: report.TitledTable(title=title)])
def test_a_title_is_broken_by_the_screen_and_not_by_a_narrow_table(table):
    shown = table("points against each other, and LOS")
    shown.add_column("a")
    shown.add_row("1")
    for width, lines in ((80, 1), (20, 2)):
        with (console := Console(width=width)).capture() as got:
            console.print(shown)
        title = [line for line in got.get().splitlines() if any(word in line for word in ("points", "LOS"))]
        assert len(title) == lines
    assert shown.title  # it can be printed again


def test_times_of_moves_have_three_digits_at_any_speed():
    fast = [replace(r, seconds=(0.000123, 0.4567), choices=(3, 1)) for r in RECORDS[:1]]
    with (console := Console(width=120)).capture() as got:
        console.print(report.standings_table(standings(AGENTS[:2], fast), width=120))
    assert "ms/move" in got.get()
    assert " 0.041 " in got.get()
    assert " 457 " in got.get()


def test_names_that_begin_alike_are_shown_whole_in_80_columns():
    agents = [f"net:file=runs/a_long_name_of_a_folder/player.safetensors,sims={n}" for n in (64, 128)]
    games = [record(n, tuple(agents), (1.0, -1.0)) for n in range(2)]
    table = standings(agents, games)
    for shown in (report.standings_table(table, width=80), report.cross_table(table)):
        with (console := Console(width=80)).capture() as got:
            console.print(shown)
        lines = got.get().splitlines()
        assert "…" not in got.get()
        assert all(len(line) <= 80 for line in lines)
        letters = "".join(line[4:22].strip() for line in lines)
        assert "64" in letters and "128" in letters
