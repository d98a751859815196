"""The line law agrees with the naive oracle on random positions.

20,000 positions of each variant on boards of 7 to 9 and 5,000 of each mixture of their rules, 20,000 of random options on
rectangles from 3 to 9, and 500 each on boards of 15 to 20. Sampled, because the oracle is slow: on a position one to three
cells are asked about (most of them where threes, fours or pairs were built on purpose) and one move is played; the rest of
the board is not compared. ``experiments/study_oracles.py`` runs ten times as many.
"""

from __future__ import annotations

import pytest

from narabe.tests.laws.differential import ANY, PLANS, RULES, Plan, compare

CHUNK = 2_500
CHUNKS = [piece for plan in PLANS for piece in plan.chunks(CHUNK)]


def expected_faults(name: str) -> set[str | None]:
    rules = RULES[name]
    bans = {"double three": rules.double_three, "double four": rules.double_four, "overline": rules.overline}
    return {None, "occupied"} | {ban for ban, on in bans.items() if on}


@pytest.mark.parametrize(("plan", "seed"), CHUNKS, ids=[f"{p.name}-{p.low}to{p.high}-{seed}" for p, seed in CHUNKS])
def test_law_and_oracle_agree(plan: Plan, seed: int) -> None:
    tally = compare(plan, seed)
    assert tally.disagreements[:3] == []
    assert tally.positions >= plan.count
    if plan.count == CHUNK and plan.name != ANY:  # the comparison has seen what the rule set is about
        assert expected_faults(plan.name) <= set(tally.faults)
        assert "five" in tally.ends and ("pairs" in tally.ends or not RULES[plan.name].captures)


def test_random_options_meet_every_fault_and_every_end() -> None:
    tally = compare(Plan(ANY, 3, 6, 6_000), seed=100)
    assert {None, "occupied", "double three", "double four", "overline"} <= set(tally.faults)
    assert {"goes on", "five", "pairs", "full board", "no legal move"} <= set(tally.ends)
    assert tally.disagreements[:3] == []
