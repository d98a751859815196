"""Ratings of members of teams: only where there are teams, and the better pair stands higher."""

import sys

import pytest

from narabe.experiments.team_ratings import team_ratings
from narabe.tests.experiments.test_report import record

TEAMS = ((0, 2), (1, 3))
AGENTS = ["a", "b", "c"]


def game(number, first, second, payoff):
    return record(number, (first, second, first, second), (payoff, -payoff, payoff, -payoff))


RECORDS = [game(n, *seats, payoff) for n, (seats, payoff) in enumerate(
    [(("a", "b"), 0.3), (("b", "a"), -0.1), (("b", "c"), 0.2), (("c", "b"), 0.0), (("a", "c"), 1.0), (("c", "a"), -1.0)]
)]  # fmt: skip


def test_without_teams_there_is_nothing_to_rate():
    assert team_ratings(AGENTS, RECORDS, ((0,), (1,))) is None


def test_without_openskill_there_is_nothing_to_show(monkeypatch):
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    assert team_ratings(AGENTS, RECORDS, TEAMS) is None


def test_who_wins_stands_higher_and_is_known_better_with_more_games():
    pytest.importorskip("openskill")
    skills = team_ratings(AGENTS, RECORDS, TEAMS)
    assert skills["a"].mu > skills["b"].mu > skills["c"].mu
    assert all(skill.sigma < 25 / 3 for skill in skills.values())
    more = team_ratings(
        AGENTS, [game(9 * k + r.number, *r.agents[:2], r.payoffs[0]) for k in range(9) for r in RECORDS], TEAMS
    )
    assert all(more[agent].sigma < skills[agent].sigma for agent in AGENTS)
    assert team_ratings(AGENTS, RECORDS[::-1], TEAMS) == skills


def test_an_even_match_leaves_equals_equal():
    pytest.importorskip("openskill")
    skills = team_ratings(["a", "b"], [game(0, "a", "b", 0.0)], TEAMS)
    assert skills["a"].mu == skills["b"].mu == pytest.approx(25)
