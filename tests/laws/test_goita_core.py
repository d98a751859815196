"""Goita against npm's goita-core 0.2.3: legal moves, turns, ends and scores of random games, and special hands."""

from __future__ import annotations

import random

import pytest

from narabe.tests.laws.goita_games import (
    compare_with_goita_core,
    goita_core,
    line_of,
    play_out,
    random_deal,
    why_no_goita_core,
)  # fmt: skip
from narabe.tests.laws.goita_traces import law_legal
from narabe.tests.oracles.goita import Options

REASON = why_no_goita_core()
pytestmark = pytest.mark.skipif(REASON is not None, reason=str(REASON))

STACKED = ((5,), (5, 5), (6,), (7,), (8,))  # shi that some hands hold at least
NAMES = {  # how a deal ended here -> its name there, its points there for one of ours
    "six": ("rokushi", 10), "seven": ("nanashi", 5), "eight": ("hachishi", 10), "five and five": ("goshigoshi_win", 10),
}  # fmt: skip


def test_random_games_agree() -> None:
    """The law's legal moves; ends and scores are the oracle's, which the law is compared with elsewhere."""
    rng, options = random.Random(3), Options(named_kings=True, specials="off")
    deals = [random_deal(options, rng) for _ in range(1100)]
    games = [play_out(deal, rng.choice) for deal in deals if max(map(deal.shi, range(4))) < 6]
    tally = compare_with_goita_core(games, law_legal)
    assert tally["positions"] >= 20_000 and tally["double"] > 100 and tally["known differences"] > 3, tally


def test_special_hands_agree_but_for_seven_shi() -> None:
    """Its six shi are those of the society, whose pair is doubled; its seven are not doubled."""
    rng, options = random.Random(4), Options(named_kings=True, six_shi_pair_doubles=True)
    deals = [random_deal(options, rng, shi) for shi in STACKED * 60]
    found = set()
    for deal, theirs in zip(deals, goita_core(map(line_of, deals)), strict=True):
        where, specials = line_of(deal), theirs["specials"]
        if deal.phase == "over":
            name, points = NAMES[deal.reason]
            assert {special[1] for special in specials} == {name}, where
            assert sum(special[2] for special in specials) == points * deal.gained, where
            assert {special[0] % 2 for special in specials} == {deal.winner}, where
        else:
            holders = [seat for seat in range(4) if deal.shi(seat) == 5]
            name = "goshi" if len(holders) == 1 else "goshigoshi_opposite"
            assert deal.phase == "announce", where
            assert [special[:2] for special in specials] == [[seat, name] for seat in holders], where
        found.add(deal.reason or name)
    assert found == {*NAMES, "goshi", "goshigoshi_opposite"}
