"""Beliefs of Goita against naive enumeration by the law, and against what `redeal` draws."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from narabe.envs import State, game
from narabe.envs.rules import core
from narabe.envs.rules.goita import record as R
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import new_stream
from narabe.search.goita.beliefs import Beliefs

Layout = tuple[tuple[int, ...], tuple[int, ...]]

# ---- a naive enumeration --------------------------------------------------------------------------------------------------


def subsets(pool: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
    """All ways to take ``size`` cards from counts by kind."""
    for taken in product(*(range(n + 1) for n in pool)):
        if sum(taken) == size:
            yield taken


def arrangements(pool: tuple[int, ...], places: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to fill places of so many cards; the pool is used up."""
    if not places:
        yield []
        return
    for taken in subsets(pool, places[0]):
        rest = tuple(a - b for a, b in zip(pool, taken))
        for tail in arrangements(rest, places[1:]):
            yield [taken, *tail]


def word_of(counts: tuple[int, ...]) -> int:
    return sum(n << 4 * k for k, n in enumerate(counts))


def replay(state: State, hands: list[int], lays: dict[tuple[int, int], int]) -> tuple[int, ...] | None:
    """What the seat of the view sees when the deal runs as in ``state`` with other hands and hidden cards; None: it cannot."""
    s = state.record[0]
    other = state.game.start(chance="manual")
    seat = state.to_play
    if other.to_play == -1 and int(other.record["phase"][0]) == R.FIRST_DEALER:
        other.play(f"dealer:{int(s['dealer']) + 1}")
    other.play("deal:" + "/".join("".join(str(k + 1) * (h >> 4 * k & 15) for k in range(8)) for h in hands))
    done = [0] * 4
    for a in s["log"][int(s["deal_at"]) + 1 : int(s["log_length"])]:
        turn = other.to_play
        action = int(a)
        if 0 < action <= R.PLAYS:
            lay = lays.get((turn, done[turn]))
            if lay is not None:
                action = 8 * lay + (action - 1) % 8 + 1
            done[turn] += 1
        if other.why_illegal(action):
            return None
        other.play(action)
    return tuple(code for code in other.seen(seat)[-int(s["ply"]) :]) if s["ply"] else ()


def naive(state: State) -> Counter[Layout]:
    """Physical deals by layout, for the seat to move, by trying all of them."""
    s, me, n = state.record[0], state.to_play, state.game.num_players
    deck = [int(s["deck"]) >> 4 * k & 15 for k in range(8)]
    known = [[0] * 8 for _ in range(n)]
    slots: list[tuple[int, int]] = []
    for seat in range(n):
        for j in range(s["played"][seat]):
            known[seat][s["second"][seat, j] - 1] += 1
            if seat == me or s["lies"][seat, j] != R.FACE_DOWN:
                known[seat][s["first"][seat, j] - 1] += 1
            else:
                slots.append((seat, j))
    own = [int(s["start_hand"][me]) >> 4 * k & 15 for k in range(8)]
    others = [seat for seat in range(n) if seat != me]
    pool = tuple(deck[k] - own[k] - sum(known[q][k] for q in others) for k in range(8))
    sizes = [int(s["hand_size"]) - 2 * int(s["played"][q]) for q in others]
    truth = replay(state, [int(h) for h in s["start_hand"][:n]], {})
    found: Counter[Layout] = Counter()
    for filled in arrangements(pool, [1] * len(slots) + sizes):
        kinds = [counts.index(1) for counts in filled[: len(slots)]]
        in_hand = dict(zip(others, filled[len(slots) :]))
        laid, start = [0] * n, [0] * n
        for (seat, _), kind in zip(slots, kinds):
            laid[seat] += 1 << 4 * kind
        for seat in others:
            start[seat] = word_of(tuple(known[seat])) + laid[seat] + word_of(in_hand[seat])
        start[me] = word_of(tuple(own))
        if replay(state, start, dict(zip(slots, kinds))) != truth:
            continue
        ways = 1
        for k in range(8):
            ways *= math.factorial(pool[k])
            for counts in filled:
                ways //= math.factorial(counts[k])
        hands = tuple(int(s["hand"][me]) if q == me else word_of(in_hand[q]) for q in range(n))
        found[hands, tuple(laid)] += ways
    return found


def as_counter(beliefs: Beliefs) -> dict[Layout, float]:
    layouts = beliefs.layouts.tolist()
    found = {(tuple(h for h, _ in row), tuple(x for _, x in row)): w for row, w in zip(layouts, beliefs.ways)}
    assert len(found) == beliefs.count  # no layout twice
    return found


SMALL = [  # two with cards face down, two with a king that was shown
    "goita_two_by_four 0-0 s1 1128,1448 181",
    "goita_two_by_six 0-0 s1 124477,111288 117,2p,142",
    "goita_two_by_six 0-0 s1 112477,112488 141,218,1p,242",
    "goita_four_by_four 0-0 s1 1126,1288,1126,1112 121,218",
]


@pytest.mark.parametrize("text", SMALL)
def test_layouts_and_their_ways_are_those_of_a_naive_enumeration(text: str) -> None:
    name, _, position = text.partition(" ")
    state = game(name).from_text(position)
    assert as_counter(Beliefs.of(state)) == dict(naive(state))


# ---- the full game --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "count"), [("22667788", 16_902), ("11111112", 1_519_917)])
def test_the_smallest_and_the_largest_set_of_layouts_before_the_first_play(hand: str, count: int) -> None:
    deck = "1" * 10 + "2222333344445555" + "667788"
    for card in hand:
        deck = deck.replace(card, "", 1)
    hands = [hand, *(deck[q::3] for q in range(3))]
    beliefs = Beliefs.of(game("goita", specials="off").position(hands=hands, dealer=0))
    assert beliefs.count == count
    assert beliefs.ways.sum() == math.factorial(24) / math.factorial(8) ** 3
    probability = 1 - math.comb(24 - deck.count("4"), 8) / math.comb(24, 8)
    np.testing.assert_allclose(beliefs.marginals()[1:, 3], probability)


@kernel
def _redeal_often(states, player, rng, hands, laid):
    """Redeal ``states[1]`` from ``states[0]`` for each row and note hands and hidden cards."""
    for i in range(hands.shape[0]):
        states[1] = states[0]
        s = states[1]
        core.redeal(s, player, rng)
        for seat in range(4):
            hands[i, seat], laid[i, seat] = s.hand[seat], 0
            for j in range(s.played[seat]):
                if seat != player - 1 and s.lies[seat, j] == R.FACE_DOWN:
                    laid[i, seat] += np.int64(1) << (4 * (s.first[seat, j] - 1))


LATE = {
    "plain": "0-0 s1 12244458,11113557,11336678,11122345 "
    "114,2p,387,4p,185,253,333,435,1p,257,3p,4p,1p,211,311,412,1p,2p,3p,411,1p,2p",
    "shown": "0-0 s3 13445677,11112335,11122345,11245688 "
    "312,4p,1p,223,331,412,1p,2p,321,4p,114,2p,3p,4p,135,251,3p,415,1p,2p,3p,448",
    "five": "0-0 s2 13344445,11225668,11111278,11233557 3announce,1on,251,3p,413,134,286,387,471",
    "buried": "0-0 s1 12345788,11112336,11124567,11234455 184,2p,342,4p,123,231,311,412,1p,226,367,4p,178",
}


@pytest.mark.parametrize("case", LATE)
def test_redealt_hands_are_distributed_as_the_layouts_say(case: str) -> None:
    n = 40_000
    state = game("goita", king_attack_after_burying=case == "buried").from_text(LATE[case])
    beliefs = Beliefs.of(state)
    states = core.new_states(state.game.law, 2)
    states[0] = state.record[0]
    hands, laid = np.zeros((n, 4), np.int64), np.zeros((n, 4), np.int64)
    _redeal_often(states, state.to_play + 1, new_stream(3), hands, laid)
    drawn = Counter(zip(map(tuple, hands.tolist()), map(tuple, laid.tolist())))
    ways = as_counter(beliefs)
    assert set(drawn) <= set(ways)
    assert agree(drawn, ways, n)
    sampled = beliefs.draw(np.random.default_rng(1), n)
    keys = list(ways)
    assert agree(Counter(keys[i] for i in sampled), ways, n)


def agree(drawn: Counter[Layout], ways: dict[Layout, float], n: int) -> bool:
    """Chi-square over layouts, those of few expected draws together."""
    total = sum(ways.values())
    seen: list[float] = []
    expected: list[float] = []
    few_seen = few_expected = 0.0
    for layout, w in sorted(ways.items(), key=lambda item: item[1]):
        if w / total * n < 8:
            few_seen, few_expected = few_seen + drawn[layout], few_expected + w / total * n
            if few_expected > 50:
                seen.append(few_seen)
                expected.append(few_expected)
                few_seen = few_expected = 0.0
        else:
            seen.append(drawn[layout])
            expected.append(w / total * n)
    if few_expected and seen:
        seen[-1] += few_seen
        expected[-1] += few_expected
    return len(seen) == 1 or bool(chisquare(seen, expected).pvalue > 1e-4)


def test_a_model_multiplies_the_weights() -> None:
    state = game("goita_two_by_four").position(hands="1128,1448", dealer=0, plies="12")
    beliefs = Beliefs.of(state)
    without = beliefs.given(lambda b: (b.hands[:, 0] >> 28 == 0).astype(float))
    assert without.marginals()[0, 7] == 0
    assert without.weights.sum() == pytest.approx(1)
    even = beliefs.given(lambda b: 1 / b.ways)
    np.testing.assert_allclose(even.weights, 1 / beliefs.count)
    with pytest.raises(ValueError, match="not all zero"):
        beliefs.given(lambda b: np.zeros(b.count))
    with pytest.raises(ValueError, match="shape"):
        beliefs.given(lambda b: np.ones(1))


def test_what_cannot_be_enumerated_is_refused_in_a_line() -> None:
    with pytest.raises(ValueError, match="for Goita"):
        Beliefs.of(game("gomoku", size=5).start())
    with pytest.raises(ValueError, match="the limit is 1000"):
        Beliefs.of(game("goita").start(1), limit=1000)
    with pytest.raises(ValueError, match="no cards"):
        Beliefs.of(game("goita").start(chance="manual").view(0))


def test_hands_are_sampled_whole() -> None:
    beliefs = Beliefs.of(game("goita").from_text(LATE["plain"]))
    hands = beliefs.sample(np.random.default_rng(0), 100)
    assert hands.shape == (100, 4)
    assert (hands[:, beliefs.seat] == hands[0, beliefs.seat]).all()
