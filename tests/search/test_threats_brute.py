"""Threat searches against brute force by the law: no false win, no missed win, every proof holds.

``experiments/study_threats.py`` does the same at length.
"""

from __future__ import annotations

import pytest

from narabe.tests.search.threat_compare import Plan, compare, compare_find
from narabe.tests.search.threat_positions import RULE_SETS

NAMES = [rules.name for rules in RULE_SETS]
FIVE = [rules.name for rules in RULE_SETS if "row" not in dict(rules.options)]
FOUR = [name for name in NAMES if name not in FIVE]


@pytest.mark.parametrize("name", NAMES)
def test_fours(name: str) -> None:
    count = 2_000 if name in FIVE else 500
    tally = compare(Plan(name, "vcf", count), seed=0)
    assert tally.disagreements[:3] == []
    assert tally.positions >= count
    assert tally.wins > 0.29 * tally.positions  # and many of them longer than one four
    assert sum(n for length, n in tally.lengths.items() if length >= 5) > 0.04 * tally.positions


THREATS = [
    *(Plan(name, "vct", 2_000, 5, ((6, 6),)) for name in FIVE),
    *(Plan(name, "vct", 100, 5, ((7, 7),)) for name in ("freestyle", "gomoku", "renju", "capture gomoku")),
    *(Plan(name, "vct", 200, 7, ((5, 5), (5, 4))) for name in FOUR),
]  # fmt: skip


@pytest.mark.parametrize("plan", THREATS, ids=lambda plan: f"{plan.name} {plan.plies} {plan.boards[0]}")
def test_threats(plan: Plan) -> None:
    tally = compare(plan, seed=0)
    assert tally.disagreements[:3] == []
    assert tally.wins > 0.12 * tally.positions


@pytest.mark.parametrize("name", NAMES)
def test_every_threat(name: str) -> None:
    """Threats that make no three as well: quiet moves."""
    board = ((5, 5),) if "of four" in name else ((6, 5),)
    tally = compare(Plan(name, "vct", 40, 5, board, "all"), seed=0)
    assert tally.disagreements[:3] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_of_fours(name: str) -> None:
    """As other searches call it: with one table for all, few nodes, and a first move that must win within the limit."""
    tally = compare_find(name, 600, seed=1)
    assert tally.disagreements[:3] == []
