"""Lines of attack as threat sequences."""

from __future__ import annotations

import pytest

from narabe import envs
from narabe.search.threats.sequence import Step, steps_of


def facts(step: Step) -> tuple[str, str, str, str, tuple[int, ...]]:
    costs, rests = (" ".join(point.text for point in points) for points in (step.costs, step.rests))
    return step.kind, step.gain.text, costs, rests, step.needs


def test_gains_costs_rests_and_what_depends_on_what() -> None:
    text = "15/15/15/15/15/7o7/10x4/6oxxx5/4ox1xo6/7x7/3o3o7/2o1xo9/15/15/15 b 16 0-0 - -"
    state = envs.game("renju").from_text(text)
    steps = steps_of(state, ["K8", "L8", "G6", "F5", "K10", "J9", "K11", "K12", "K7"])
    assert [facts(step) for step in steps] == [
        ("four", "K8", "L8", "H8 I8 J8", ()),
        ("four", "G6", "F5", "E4 H7 I8", ()),
        ("four", "K10", "J9", "G6 H7 I8", (3,)),
        ("four", "K11", "", "K8 K9 K10", (1, 5)),
        ("win", "K7", "", "K8 K9 K10 K11", (1, 5, 7)),
    ]
    assert [step.reply.text if step.reply else None for step in steps] == ["L8", "F5", "J9", "K12", None]
    assert str(steps[3]).endswith("costs nothing parries  rests on K8 K9 K10  needs 1 5")
    assert state.ply == 16


def test_threes_and_quiet_moves_have_no_winning_point_yet() -> None:
    state = envs.game("freestyle", size=11).position(black="F5 G5", white="A1 K1", to_move="black")
    steps = steps_of(state, ["E5", "D5", "K10", "B9"])
    assert [facts(step)[:2] for step in steps] == [("three", "E5"), ("threat", "K10")]
    assert not steps[0].wins and not steps[0].costs


def test_a_win_by_pairs_has_no_row() -> None:
    game = envs.game("capture_gomoku", size=9, opening="none")
    state = game.position(black="A1", white="B1 C1 E5", to_move="black", pairs=(4, 0))
    (step,) = steps_of(state, ["D1"])
    assert facts(step) == ("win", "D1", "", "", ())
    state = game.position(black="A1 A9", white="B1 E5 G7", to_move="black", pairs=(4, 0))
    four, _ = steps_of(state.play("B5").play("C1"), ["H2", "H3", "D1"])
    assert four.kind == "four"
    assert [point.text for point in four.wins] == ["D1"]


def test_a_line_that_cannot_be_played() -> None:
    state = envs.game("gomoku", size=9).start()
    with pytest.raises(envs.IllegalMove, match="E5: occupied"):
        steps_of(state, ["E5", "E5"])
