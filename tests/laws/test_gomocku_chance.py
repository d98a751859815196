"""The chance of Gomocku: what the backs show, lazily drawn or physically dealt, is one hypergeometric law."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt

import numba
import numpy as np
import pytest

from narabe.envs import State, game
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import new_stream
from narabe.search.flip_odds import outcome_weights
from narabe.search.playout import random_action
from narabe.tests.laws.gomocku_twin import Twin
from narabe.tests.oracles.gomocku import COLOURED, Options, all_deals, dealt_backs, pile_orders

# ---- the figures of the rules ----------------------------------------------------------------------------------------


@cache
def all_of_a_side() -> list[tuple[list[str], int]]:
    """The 125,970 orders in which a side's backs may come out."""
    return list(all_deals(Options()))


def share(condition, deals=None) -> Fraction:
    """The part of the deals, or of all deals, for which something holds."""
    deals = deals or all_of_a_side()
    return Fraction(sum(bool(condition(*deal)) for deal in deals), len(deals))


def test_coloured_backs_in_the_chance_pile() -> None:
    counted = Counter(k for _, k in all_of_a_side())
    assert {k: Fraction(n, counted.total()) for k, n in counted.items()} == {
        k: Fraction(weight, 15504) for k, weight in enumerate((792, 3960, 6160, 3696, 840, 56))
    }


@pytest.mark.parametrize(("k", "chance"), [(0, Fraction(8, 15)), (5, Fraction(3, 15)), (2, Fraction(6, 15))])
def test_a_piece_of_phase_1_by_the_coloured_backs_of_the_chance_pile(k: int, chance: Fraction) -> None:
    """The source's "about one half" and "one fifth": 8/15 and 3/15."""
    chosen = [deal for deal in all_of_a_side() if deal[1] == k]
    assert all(share(lambda backs, _, i=i: backs[i] == COLOURED, chosen) == chance for i in (0, 7, 14))


def of_backs(n: int, condition) -> Fraction:
    return share(lambda backs, _: condition([back == COLOURED for back in backs[:n]]))


def test_flips_by_counting_deals() -> None:
    """For one who sees no pile: one flip, two, three."""
    assert of_backs(1, all) == Fraction(2, 5)
    assert (of_backs(2, any), of_backs(2, all)) == (Fraction(62, 95), Fraction(14, 95))
    assert (of_backs(3, any), of_backs(3, all)) == (Fraction(46, 57), Fraction(14, 285))
    red = [deal for deal in all_of_a_side() if deal[0][0] != COLOURED]
    coloured = [deal for deal in all_of_a_side() if deal[0][0] == COLOURED]
    second = [share(lambda backs, _: backs[1] == COLOURED, deals) for deals in (red, coloured)]
    assert second == [Fraction(8, 19), Fraction(7, 19)]


def weights_of(state: State) -> tuple[Fraction, Fraction]:
    """The probabilities of coloured and of red on a chance turn."""
    weights, n = outcome_weights(state), state.game.num_actions
    assert sum(weights.values()) == 1
    return weights.get(n + 1, Fraction(0)), weights.get(n, Fraction(0))


ROSE = """
    B . B . B
    . W W W .
    B W * W B
    . W W W .
    B . B . B
    """


@pytest.mark.parametrize("deal", ["lazy", "physical"])
def test_flips_by_the_law(deal: str) -> None:
    """The same figures from the law's weights, whatever deal may lie hidden."""
    twin = Twin.board(ROSE, deal=deal)
    state = twin.state.play("C3").play("E+N+NE")
    chances: dict[tuple[str, ...], Fraction] = {(): Fraction(1)}
    states = {(): state}
    for _ in range(3):
        longer = {}
        for seen, before in states.items():
            for word, weight in zip(("coloured", "red"), weights_of(before)):
                longer[(*seen, word)] = before.copy().play(word)
                chances[(*seen, word)] = chances[seen] * weight
        states = longer
    assert chances[("coloured",)] == Fraction(2, 5)
    assert chances[("coloured", "coloured")] == Fraction(14, 95)
    assert 1 - chances[("red", "red")] == Fraction(62, 95)
    assert chances[("coloured",) * 3] == Fraction(14, 285)
    assert 1 - chances[("red",) * 3] == Fraction(46, 57)
    assert chances[("red", "coloured")] / chances[("red",)] == Fraction(8, 19)
    assert chances[("coloured", "coloured")] / chances[("coloured",)] == Fraction(7, 19)
    assert sum(p for seen, p in chances.items() if len(seen) == 3) == 1


@kernel
def chance_weights(states, i, out):
    """Write the law's own weights of red and coloured into ``out``."""
    for j in range(2):
        out[j] = core.chance_weight(states[i], j)


@pytest.mark.parametrize("options", [{"size": 7}, {"size": 5, "stones": 2, "chance": 6, "coloured": 3}])
def test_weights_sum_to_one_and_follow_the_backs_seen_in_random_games(options: dict) -> None:
    """(8 - b) / (20 - b - r) after b coloured and r red backs of that side, put back or not, on every chance turn."""
    made, rng, turns = game("gomocku", **options), random.Random(1), 0
    coloured, pieces = made.options["coloured"], made.options["stones"] + made.options["chance"]
    own = np.zeros(2)
    for _ in range(80):
        state, seen = made.start(chance="manual"), {0: Counter(), 1: Counter()}
        while not state.is_over:
            mover = state.to_play
            state.play(int(state.legal_actions()[-1] if rng.random() < 0.2 else rng.choice(state.legal_actions())))
            while state.to_play == -1:
                told = seen[1 - mover]
                chance = Fraction(coloured - told["coloured"], pieces - told.total())
                assert weights_of(state) == (chance, 1 - chance)
                chance_weights(state.record, 0, own)
                assert own.tolist() == pytest.approx([float(1 - chance), float(chance)])
                word = rng.choice([word for word in ("coloured", "red") if state.why_illegal(word) is None])
                state.play(word)
                told[word] += 1
                turns += 1
    assert turns > 50


# ---- many games ------------------------------------------------------------------------------------------------------


@kernel
def play_many(states, count, rng, reveals, sequences, ends):
    """Play random games; count each reveal by owner and by what was seen before it, and the first reveals of a game.

    ``reveals``: int64 (owner, coloured seen, red seen, red or coloured); ``sequences``: int64, by the first three reveals
    of White's pieces as digits to base 3 (0 none, 1 red, 2 coloured); ``ends``: int64 by (result, winner).
    """
    seen = np.zeros((2, 2), np.int64)
    for _ in range(count):
        states[1] = states[0]
        s = states[1]
        seen[:] = 0
        mover, code, place = np.int64(0), np.int64(0), np.int64(1)
        while not core.is_over(s):
            if core.to_move(s) != core.CHANCE:
                mover = np.int64(core.to_move(s))
                core.apply(s, np.int64(random_action(s, rng)))
                continue
            a = np.int64(core.chance_draw(s, rng))
            back = a - np.int64(core.num_actions(s))
            if back < 2:
                owner = 2 - mover
                reveals[owner, seen[owner, 1], seen[owner, 0], back] += 1
                seen[owner, back] += 1
                if owner == 1 and place < 27:
                    code += place * (back + 1)
                    place *= 3
            core.apply(s, a)
        sequences[code] += 1
        ends[core.result(s), s.winner] += 1


GAMES = 200_000
_PLAYED: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}


def many(deal: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tallies of `play_many` on 7x7 with the full set of pieces."""
    if deal not in _PLAYED:
        start = game("gomocku", size=7, deal=deal).start(chance="manual").record
        tallies = np.zeros((2, 21, 21, 2), np.int64), np.zeros(27, np.int64), np.zeros((16, 3), np.int64)
        states = np.concatenate([start] * 2).view(type(start))
        play_many(states, GAMES, new_stream({"lazy": 1, "physical": 2}[deal]), *tallies)
        _PLAYED[deal] = tallies
    return _PLAYED[deal]


needs_speed = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="200,000 games want compiled code")


@needs_speed
@pytest.mark.parametrize("deal", ["lazy", "physical"])
def test_many_games_reveal_backs_by_the_hypergeometric_law(deal: str) -> None:
    """200,000 random games: after b coloured and r red ones, (8-b)/(20-b-r) are coloured, within 4 standard errors."""
    reveals, checked = many(deal)[0], 0
    for owner, b, r in np.argwhere(reveals.sum(axis=3) > 0):
        red, coloured = (int(x) for x in reveals[owner, b, r])
        n, p = red + coloured, (8 - b) / (20 - b - r)
        assert 0 <= p <= 1
        if p in (0, 1):
            assert coloured == n * p
        elif n * min(p, 1 - p) >= 20:
            assert abs(coloured - n * p) < 4 * sqrt(n * p * (1 - p)), (owner, b, r, coloured, n)
            checked += 1
    assert checked >= 20 and reveals.sum() > 200_000


@needs_speed
def test_lazy_and_physical_deals_give_the_same_law() -> None:
    """The first three reveals of White's pieces, and the ends of the games, as often within 4 standard errors."""
    lazy, physical = many("lazy"), many("physical")
    for which in (1, 2):
        for x, y in zip(lazy[which].ravel(), physical[which].ravel()):
            assert abs(int(x) - int(y)) <= 4 * sqrt(int(x) + int(y)), (which, x, y)
    assert lazy[1].sum() == physical[1].sum() == GAMES
    assert (lazy[1] > 0).sum() == 15  # none, one, two or three reveals


# ---- the physical deal -----------------------------------------------------------------------------------------------

SMALL = {"size": 5, "stones": 4, "chance": 2, "coloured": 2, "deal": "physical"}
SMALL_OPTIONS = Options(width=5, height=5, stones=4, chance=2, coloured=2)


def dealt(black: int, white: int, orders: tuple[str, str], **options: object) -> State:
    """A game with these masks of coloured backs, White's piles laid out by Black, Black's by White."""
    state = game("gomocku", **options).start(chance="manual")
    assert state.to_play == -1
    state.play((1 << 40) | black | white << 20)
    assert state.to_play == 0
    state.play(orders[0])
    assert state.to_play == 1
    return state.play(orders[1])


def masks() -> list[int]:
    """Every way in which two of six pieces are coloured."""
    return [(1 << i) | (1 << j) for i, j in combinations(range(6), 2)]


def text_of_order(order: tuple[int, ...]) -> str:
    return "piles:" + "".join(str(pile + 1) for pile in order)


def test_the_backs_are_those_of_the_piles_as_they_were_laid_out() -> None:
    """Every deal of White's pieces and every order of its piles: what White's first four pieces show when turned."""
    orders = pile_orders(SMALL_OPTIONS)
    assert [text_of_order(order) for order in orders][:3] == ["piles:123", "piles:132", "piles:213"]
    for mask in masks():
        for order in orders:
            state = dealt(0b11, mask, (text_of_order(order), "piles:123"), **SMALL)
            for move in ("A1", "B1", "A3", "B3", "A5", "B5", "E1", "B2"):  # White's pieces 0, 1, 2 stand right of A
                state.play(move)
            state.play("C1")
            state.play("W")
            backs = dealt_backs(SMALL_OPTIONS, mask, order)
            possible = {word for word in ("coloured", "red") if state.why_illegal(word) is None}
            assert possible == {backs[0]}
            state.play(backs[0]).play("E2").play("C5")
            state.play("W")
            assert {word for word in ("coloured", "red") if state.why_illegal(word) is None} == {backs[2]}


def test_the_assignment_does_not_change_the_law() -> None:
    """Over all deals, whatever order the piles are laid in, White's first piece is coloured in a third of them."""
    for order in pile_orders(SMALL_OPTIONS):
        backs = Counter(dealt_backs(SMALL_OPTIONS, mask, order)[0] for mask in masks())
        assert Fraction(backs[COLOURED], 15) == Fraction(2, 6)


def test_black_assigns_whites_piles_first_then_white_blacks() -> None:
    state = game("gomocku", deal="physical").start(seed=1)
    cells = 225
    assert state.to_play == 0
    assert state.legal_actions().tolist() == [cells + 257 + k for k in range(24)]
    state.play("piles:4321")
    assert state.to_play == 1
    assert state.legal_actions().tolist() == [cells + 257 + k for k in range(24)]
    state.play("piles:1234")
    assert state.to_play == 0 and state.ply == 0
    assert state.why_illegal("piles:1234") is not None


@pytest.mark.parametrize(("stones", "chance", "piles"), [(15, 5, 4), (4, 2, 3), (3, 3, 2)])
def test_as_many_orders_as_the_piles_have(stones: int, chance: int, piles: int) -> None:
    state = game("gomocku", size=5, stones=stones, chance=chance, deal="physical").start(seed=1)
    assert len(state.legal_actions()) == [1, 1, 2, 6, 24][piles]
    texts = [state.game.text_of(a) for a in state.legal_actions()]
    options = Options(stones=stones, chance=chance)
    assert texts == [text_of_order(order) for order in pile_orders(options)]


@pytest.mark.parametrize(("stones", "chance"), [(16, 4), (5, 2), (1, 2)])
def test_piles_must_come_out_even(stones: int, chance: int) -> None:
    with pytest.raises(ValueError, match="pile"):
        game("gomocku", stones=stones, chance=chance, deal="physical")


def test_a_deal_must_hold_the_right_number_of_coloured_backs() -> None:
    state = game("gomocku", **SMALL).start(chance="manual")
    for black, white in ((0b111, 0b11), (0b11, 0b1), (0b1000001, 0b11)):
        assert state.why_illegal((1 << 40) | black | white << 20) is not None
    assert state.why_illegal((1 << 40) | 0b11 | 0b110000 << 20) is None
