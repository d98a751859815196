"""Hopeless games: both sides must agree, for long enough, and only where it was asked for."""

from dataclasses import replace

import pytest

from narabe.experiments import adjudication, referee
from narabe.experiments.adjudication import Adjudication, Watch
from narabe.experiments.guard import Guard
from narabe.experiments.tournament_args import TournamentError
from narabe.tests.experiments.test_referee import match

RULE = Adjudication(0.9, 4)
LOST, WON = (-1.0, 1.0), (0.95, -0.95)


def heard(values, teams=((0,), (1,))):
    """The answers to values, the seats taking turns."""
    watch = Watch(RULE, teams)
    return [watch.heard(number % 2, value) for number, value in enumerate(values)]


def test_four_moves_in_a_row_decide():
    assert heard([WON] * 4) == [None, None, None, 0]
    assert heard([LOST] * 5)[3:] == [1, 1]


@pytest.mark.parametrize(
    "between", [None, (0.89, -0.89), (-1.0, 1.0), (0.0, 0.0), (float("nan"), 0.0), (), "words", (None, None), 3]
)
def test_anything_else_between_begins_the_count_anew(between):
    assert heard([WON, WON, WON, between, WON, WON, WON, WON])[:7] == [None] * 7


def test_one_side_alone_decides_nothing():
    watch = Watch(RULE, ((0,), (1,)))
    assert [watch.heard(0, WON) for _ in range(9)] == [None] * 9
    assert watch.heard(1, WON) == 0


def test_a_team_wins_together():
    assert heard([(1.0, -1.0, 1.0, -1.0)] * 4, ((0, 2), (1, 3)))[-1] == 0
    assert heard([(1.0, -1.0, 0.0, 0.0)] * 4, ((0, 2), (1, 3))) == [None] * 4


@pytest.mark.parametrize(
    ("values", "words"),
    [({"margin": 1.5, "plies": 4}, "margin=1.5"), ({"margin": 0.0, "plies": 4}, "margin=0"),
     ({"margin": 0.9, "plies": 1}, "plies=1"), ({"margin": 0.9, "plies": 2.5}, "plies=2.5")],
)  # fmt: skip
def test_a_rule_that_cannot_be_meant_is_refused(values, words):
    with pytest.raises(TournamentError, match=words):
        Adjudication.of(values)


def play(*specs, rule=RULE):
    drawn = match(*specs)
    return referee.play(replace(drawn, rules=replace(drawn.rules, adjudication=rule)), Guard())


def test_the_referee_breaks_off_where_both_agree():
    whole, short = play("sure", "sure", rule=None), play("sure", "sure")
    assert whole.plies == 12
    assert short.plies < 12
    assert whole.moves.startswith(short.moves)
    assert short.reason == adjudication.REASON
    assert sorted(short.payoffs) == [-1.0, 1.0]
    assert short.result == f"{'AB'[short.payoffs.index(1.0)]} wins"
    assert short.forfeit_seat is None


def test_an_agent_that_says_nothing_is_played_with_to_the_end():
    for specs in (("sure", "random"), ("random", "sure")):
        record = play(*specs)
        assert (record.plies, record.reason) == (12, "highest sum")
