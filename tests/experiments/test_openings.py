"""Openings: legal, open, distinct up to symmetry, and the same however many are asked for."""

import pytest

from narabe.envs import game
from narabe.experiments import openings
from narabe.experiments.schedule import ScheduleError

SMALL = {"size": 5, "row": 4}


def positions(board, starts):
    for start in starts:
        state = board.start()
        for action in start:
            state.play(action)
        yield state


def test_openings_are_open_positions_that_differ_by_more_than_a_symmetry():
    board = game("gomoku", **SMALL)
    starts = openings.draw(board, 50, 2, seed=3)  # of 75 up to symmetry, so that draws repeat
    states = list(positions(board, starts))
    assert [len(start) for start in starts] == [2] * 50
    assert not any(state.is_over for state in states)
    pictures = set()
    for start in starts:
        turned = [tuple(board.symmetry(action, k) for action in start) for k in range(board.num_symmetries)]
        pictures.add(min((tuple(sorted(t[0::2])), tuple(sorted(t[1::2]))) for t in turned))
    assert len(pictures) == 50


def test_an_opening_does_not_depend_on_how_many_there_are():
    board = game("gomoku", **SMALL)
    assert openings.draw(board, 30, 2, seed=3)[:8] == openings.draw(board, 8, 2, seed=3)
    assert openings.draw(board, 8, 2, seed=3) != openings.draw(board, 8, 2, seed=4)


def test_longer_openings_follow_when_the_short_ones_are_used_up():
    board = game("gomoku", size=3, row=3)
    lengths = [len(start) for start in openings.draw(board, 20, 1, seed=0)]
    assert lengths[:3] == [1, 1, 1]  # centre, edge, corner
    assert set(lengths[3:]) == {3}


def test_no_plies_give_the_empty_board_once():
    assert [len(start) for start in openings.draw(game("gomoku", **SMALL), 3, 0, seed=0)] == [0, 2, 2]


def test_a_board_with_too_few_openings_is_refused_with_advice():
    with pytest.raises(ScheduleError, match=r"fewer --games.*larger board"):
        openings.draw(game("gomoku", size=3, row=3), 1000, 2, seed=0)


def test_a_negative_number_of_plies_is_refused():
    with pytest.raises(ScheduleError, match="--opening-plies -1"):
        openings.draw(game("gomoku", **SMALL), 2, -1, seed=0)
