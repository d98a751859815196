"""Goita in numbers: the example game, frequencies of deals, small games, lengths, kinds that may change places, limits."""

from __future__ import annotations

import random
from collections import Counter
from math import comb, sqrt

import numpy as np
import pytest

from narabe.envs import State, game
from narabe.envs.faces.goita import deal_outcome, hand_text, hands_of_outcome
from narabe.envs.rules import core
from narabe.envs.rules.random import new_stream
from narabe.tests.laws.goita_games import fit
from narabe.tests.laws.goita_kernels import counted_deals, draw_deals, lengths, shi_dealt, walk
from narabe.tests.laws.goita_traces import SETS, drawn, traced
from narabe.tests.laws.goita_twin import FIRST, KINDS, Twin, made_for, words_of
from narabe.tests.oracles.goita import Options, Position, deals_of, move_of, number_of, physical_deals
from narabe.tests.oracles.test_oracle_goita import GOLDEN, LEGAL_MOVES

OFF = Options(specials="off")
DEALT = 1 << 60
LONGEST = (
    "11224557,11133457,11124468,11233568,s1,154,2p,3p,4p,117,2p,3p,4p,152,2p,3p,426,1p,2p,3p,453,1p,2p,3p,483,1p,2p,382,"
    "4p,1p,2p,346,4p,1p,2p,311,4p,1p,213,3p,4p,1p,253,3p,4p,1p,217,3p,4p,1p,214"
)


def before_the_deal(options: Options, records: int = 2) -> np.ndarray:
    """Records, the first of them a state in which seat 0 deals; no cards yet."""
    states = core.new_states(made_for(options).law, records)
    states[0] = made_for(options).start(chance="manual").play(FIRST).record[0]
    return states


# ---- whole games -----------------------------------------------------------------------------------------------------


def test_the_example_of_the_rules() -> None:
    """No seat holds both kings, so that kings without names change no count."""
    hands, plies = GOLDEN.split(",")[:4], GOLDEN.split(",")[5:]
    twin, counts = Twin.line(",".join([*hands, "s1"])), []
    for ply in plies:
        counts.append(len(twin.state.legal_actions()))
        twin.play(ply[1:])
    assert counts == LEGAL_MOVES
    assert twin.result == (1, 4, "out") and twin.state.payoffs == pytest.approx((-4 / 15, 4 / 15) * 2)


def test_a_deal_may_take_46_plies() -> None:
    """Each seat in its turn plays out all its cards but two, all others passing; then its left neighbour guards."""
    twin = Twin.line(LONGEST, specials="off")
    assert len(twin.naive.log) == 46 and sum(event.move != "pass" for event in twin.naive.log) == 13
    assert twin.naive.phase == "over"


@pytest.mark.parametrize(("named", "mean"), [(True, 19.95), (False, 19.94)])
def test_random_games_are_as_long_as_measured_elsewhere(named: bool, mean: float) -> None:
    """Deals without five shi or more; 19.95 plies with kings by name, a hundredth less without, none above 46."""
    n = 200_000
    plies, plays = np.zeros((2, n), np.int64)
    lengths(before_the_deal(Options(no_five_shi=True)), n, named, False, new_stream(1), plies, plays)
    assert abs(plies.mean() - mean) < 4 * plies.std() / sqrt(n) + 0.005
    assert plies.max() <= 46 and plays.max() <= 13


def test_no_deal_is_longer() -> None:
    """Seats that mostly pass come near the bound."""
    n = 100_000
    plies, plays = np.zeros((2, n), np.int64)
    lengths(before_the_deal(OFF), n, False, True, new_stream(2), plies, plays)
    assert 42 <= plies.max() <= 46 and plays.max() == 13


# ---- deals -----------------------------------------------------------------------------------------------------------

HELD = [0.030401, 0.162140, 0.319214, 0.300436, 0.146045, 0.036896, 0.0046120, 0.00025099, 0.0000042783]
SOMEONE = {5: 0.147291, 6: 0.0184478, 7: 0.00100396, 8: 0.0000171130}
PARTNERS, OPPONENTS = 0.000097222, 0.00019444


def test_shi_are_dealt_as_often_as_published() -> None:
    n = 1_000_000
    held = np.zeros((n, 4), np.int8)
    shi_dealt(before_the_deal(Options()), n, new_stream(3), held)
    fives = held == 5
    found = {f"a seat holds {k}": (float((held[:, 0] == k).mean()), p) for k, p in enumerate(HELD)}
    found |= {f"someone holds {k}": (float((held == k).any(1).mean()), p) for k, p in SOMEONE.items()}
    partners = (fives[:, 0] & fives[:, 2]) | (fives[:, 1] & fives[:, 3])
    found["five and five, partners"] = float(partners.mean()), PARTNERS
    found["five and five, opponents"] = float(((fives.sum(1) == 2) & ~partners).mean()), OPPONENTS
    for what, (share, p) in found.items():
        assert abs(share - p) < 4 * sqrt(p * (1 - p) / n), what


def test_published_shares_are_the_binomials() -> None:
    """What the test above compares with, to all its digits."""
    held = [comb(10, k) * comb(22, 8 - k) / comb(32, 8) for k in range(9)]
    assert held == pytest.approx(HELD, rel=2e-5)
    both = comb(10, 5) * comb(22, 3) * comb(5, 5) * comb(19, 3) / comb(32, 8) / comb(24, 8)
    assert (2 * both, 4 * both) == pytest.approx((PARTNERS, OPPONENTS), rel=1e-4)
    assert [4 * held[k] - 6 * both * (k == 5) for k in SOMEONE] == pytest.approx(list(SOMEONE.values()), rel=1e-5)


def physical(options: Options) -> dict[int, int]:
    """Every deal as an outcome of the law, with its number of physical deals."""
    hands = deals_of(options.counts, [options.hand] * options.players)
    return {deal_outcome(words_of(dealt)): physical_deals(options, dealt) for dealt in hands}


@pytest.mark.parametrize("name", ["four by four", "four by two"])
def test_every_deal_is_as_likely_as_its_physical_deals_are_many(name: str) -> None:
    deals, out = physical(SETS[name]), np.zeros(200_000, np.int64)
    draw_deals(before_the_deal(SETS[name]), out, new_stream(4))
    assert fit(Counter(out.tolist()), deals) > 1e-4


@pytest.mark.parametrize("name", ["two by four", "two by six", "two by eight"])
def test_the_deals_of_two_players_are_counted_with_their_probabilities(name: str) -> None:
    deals, outcomes, chances = physical(SETS[name]), np.zeros(5000, np.int64), np.zeros(5000)
    n = counted_deals(before_the_deal(SETS[name]), outcomes, chances)
    total = sum(deals.values())
    found = dict(zip(outcomes[:n].tolist(), chances[:n].tolist()))
    assert found == pytest.approx({deal: ways / total for deal, ways in deals.items()})


# ---- small games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "known", "histories"),
    [("two_by_four", 299, 400), ("two_by_six", 88_383, 221_655), ("four_by_four", 35_091, 984_324)],
)
def test_small_games_are_as_large_as_published(name: str, known: int, histories: int) -> None:
    """Decision points, and information sets as many as `info_key` tells apart."""
    made = game(f"goita_{name}")
    counts = [made.options[kind] for kind in KINDS]
    outcomes = [deal_outcome(words_of(hands)) for hands in deals_of(counts, [made.options["hand"]] * made.num_players)]
    start = made.start(chance="manual")
    assert start.record["dealer"][0] == 0
    states = core.new_states(made.law, 60)
    states[0] = start.record[0]
    keys = np.zeros(histories + 1, np.uint64)
    assert walk(states, np.array(outcomes, np.int64), keys) == histories
    assert len(np.unique(keys[:histories])) == known


# ---- kinds that may change places ------------------------------------------------------------------------------------

SWAPS = {"4 and 5": {4: 5, 5: 4}, "6 and 7": {6: 7, 7: 6}}


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("name", ["goita", "match", "choice", "off"])
def test_two_kinds_may_change_places(name: str, swap: str) -> None:
    """Gin and kin, or kaku and hisha, everywhere: turns, scores and payoffs stay, legal actions change with the names."""
    names, rng = SWAPS[swap], random.Random(name)
    moved = np.array([swapped(a, names) for a in range(made_for(SETS[name]).num_actions)])
    for _ in range(20):
        played = drawn(SETS[name], rng)
        actions = [swapped(action, names) for action in played.actions]
        one, two = traced(SETS[name], played.actions), traced(SETS[name], actions)
        assert np.array_equal(one.facts, two.facts) and np.array_equal(one.payoffs, two.payoffs)
        assert np.array_equal(one.masks, two.masks[:, moved])


def swapped(action: int, names: dict[int, int]) -> int:
    """The action with the kinds renamed."""
    if action >= FIRST:
        return action
    if action >= DEALT:
        hands = [hand_text(word) for word in hands_of_outcome(game("goita"), action)]
        return deal_outcome(words_of([names.get(int(card), int(card)) for card in hand] for hand in hands))
    move = move_of(action)
    return action if isinstance(move, str) else number_of((names.get(move[0], move[0]), names.get(move[1], move[1])))


# ---- limits ----------------------------------------------------------------------------------------------------------


def endless() -> State:
    """A deal in which five shi are announced and dealt anew, over and over."""
    state = made_for(Options(match=15)).start(chance="manual").play(FIRST)
    hands = Position.of_line("11111234,11122357,11346678,12344558,s1").start
    while not state.is_over:
        state.play(deal_outcome(words_of(hands))).play("announce").play("redeal")
    return state


def test_redeals_without_end_come_to_a_limit() -> None:
    state = endless()
    assert "limit" in state.reason and sum(state.payoffs) == 0.0
    assert core.truncated(state.record.view(np.recarray)[0])
    assert 50 <= sum(action >= 1 << 60 for action in state.history) <= 1000
