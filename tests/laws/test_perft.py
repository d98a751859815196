"""The numbers of legal sequences, against counts kept as data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from narabe.envs import game
from narabe.envs.rules import core
from narabe.search.perft import counts
from narabe.tests.laws.deep_perft import FILE, deep_row, position_of, rows

DEEP = json.loads(FILE.read_text())


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["name"])
def test_the_law_counts_what_the_oracle_counted(row: dict[str, Any]) -> None:
    assert counts(position_of(row), len(row["counts"])) == row["counts"]


@pytest.mark.parametrize("row", DEEP, ids=lambda row: row["name"])
def test_longer_sequences_are_as_many_as_they_were(row: dict[str, Any]) -> None:
    depth = row["from_depth"] + len(row["counts"]) - 1
    assert counts(position_of(row), depth)[row["from_depth"] - 1 :] == row["counts"]


def test_counting_leaves_the_state_as_it_was() -> None:
    state = game("capture_gomoku", size=5, opening="none").start().play("C3")
    before = state.record.copy()
    counts(state, 3)
    assert core.differences(state.record, before) == []


def test_a_finished_game_has_no_sequences() -> None:
    state = game("gomoku", size=5).position(black=["A1", "B1", "C1", "D1", "E1"])
    assert counts(state, 2) == [0, 0]


def test_the_whole_tree_of_noughts_and_crosses() -> None:
    """255,168 games, of which 127,872 fill the board; a game that ends earlier is no longer sequence."""
    found = counts(game("freestyle", size=3, row=3).start(), 9)
    assert found == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert (
        deep_row({"rules": {"base": "freestyle", "size": 3, "row": 3}, "position": None, "counts": [None] * 9}) is None
    )
