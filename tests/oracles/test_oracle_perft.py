"""The perft file is the one that the naive oracle makes."""

from __future__ import annotations

import json

import pytest

from narabe.tests.oracles.perft import CASES, FILE, perft, position_of, row_of

ROWS = json.loads(FILE.read_text())
QUICK = 4000  # a count up to this size is made again in the test


def test_three_in_a_row_has_the_published_number_of_games():
    """255,168 games: each sequence that ended, at whatever depth."""
    counts = ROWS[0]["counts"]
    unfinished = [following // (9 - depth) for depth, following in enumerate(counts[1:], start=1)]
    assert sum(counts) - sum(unfinished) == 255_168


def test_the_file_holds_the_cases_in_their_order():
    assert [{key: value for key, value in row.items() if key != "counts"} for row in ROWS] == [
        row_of(case) for case in CASES
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_counts_of_the_file(row):
    position = position_of(row)
    for depth, count in enumerate(row["counts"], start=1):
        if count <= QUICK:
            assert perft(position, depth) == count, f"depth {depth}"
