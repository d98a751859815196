"""Threat searches against brute force by the law: no false win, no missed win, every proof holds.

``experiments/study_threats.py`` does the same at length.
"""

from __future__ import annotations

import pytest

from narabe.tests.search.threat_compare import Plan, compare, compare_find
from narabe.tests.search.threat_positions import RULE_SETS

NAMES = [rules.name for rules in RULE_SETS]


@pytest.mark.parametrize("name", NAMES)
def test_fours(name: str) -> None:
    tally = compare(Plan(name, "vcf", 2_000), seed=0)
    assert tally.disagreements[:3] == []
    assert tally.positions >= 2_000
    assert tally.wins > 0.29 * tally.positions  # and many of them longer than one four
    assert sum(n for length, n in tally.lengths.items() if length >= 5) > 0.04 * tally.positions


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_of_fours(name: str) -> None:
    """As other searches call it: with one table for all, few nodes, and a first move that must win within the limit."""
    tally = compare_find(name, 600, seed=1)
    assert tally.disagreements[:3] == []
