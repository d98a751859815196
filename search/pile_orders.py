"""Can the laying out of the piles matter? Counted over every deal of a small Gomocku, for players who see no backs.

A physical deal has every order of the backs, and each side lays the other's piles into the slots. The law of what comes of
it is counted exactly: all deals, all ways to lay out the piles, one game each between players whose moves are any fixed
function of what has been seen.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from narabe import envs
from narabe.envs.game import CHANCE_SEAT, Game, State
from narabe.envs.rules.gomocku import record as R
from narabe.search.flip_odds import outcome_weights

Policy = Callable[[State, tuple[int, ...]], int]
"""The action in a state, from what has been seen: actions, and -1 for a red back, -2 for a coloured one; not the piles."""
Law = dict[tuple[tuple[int, ...], float], Fraction]
"""The probability of each (game as seen, first player's payoff)."""


def eager_policy(seed: int) -> Policy:
    """A fixed, arbitrary function of what has been seen that turns pieces where it can: by a checksum among such actions."""

    def choose(state: State, seen: tuple[int, ...]) -> int:
        legal = [int(action) for action in state.legal_actions()]
        if int(state.record["stage"][0]) == R.CHOOSE:
            wanted = [
                action for action in legal if action != state.game.options["width"] * state.game.options["height"]
            ]
        else:
            wanted = [action for action in legal if int(state.copy().play(action).record["stage"][0]) == R.CHOOSE]
        among = wanted or legal
        return among[zlib.crc32(repr((seed, seen)).encode()) % len(among)]

    return choose


@dataclass(frozen=True)
class PileStudy:
    """What the piles do to one pair of policies.

    ``laws``: by the two orders in which the piles were laid out (White's, Black's, as action numbers), the law of games.
    ``drawn``: the law where the backs are drawn as they show, without any piles. ``best_seen``: the mean payoff to Black if
    he knew all backs and so chose White's piles best, ``worst_seen`` if he chose them worst.
    """

    laws: dict[tuple[int, int], Law]
    drawn: Law
    best_seen: Fraction
    worst_seen: Fraction

    @property
    def same(self) -> bool:
        """Are all laws equal, as fractions?"""
        return all(law == self.drawn for law in self.laws.values())

    @property
    def payoff(self) -> Fraction:
        """The mean payoff to Black."""
        return sum((p * Fraction(value) for (_, value), p in self.drawn.items()), Fraction(0))


def study_piles(game: Game, policy: Policy) -> PileStudy:
    """Play every deal and every order of the piles of a small game with ``deal="physical"``; `ValueError` for another.

    >>> from narabe.envs import game
    >>> found = study_piles(game("gomocku", size=3, stones=1, chance=1, coloured=1, deal="physical"), eager_policy(1))
    >>> len(found.laws), found.same
    (4, True)
    """
    if game.options.get("deal") != "physical":
        raise ValueError(f"{game.spec}: piles are laid out in physical deals only (option deal=physical)")
    pieces, coloured = game.options["stones"] + game.options["chance"], game.options["coloured"]
    masks = [sum(1 << i for i in places) for places in combinations(range(pieces), coloured)]
    weight, policy = Fraction(1, len(masks) ** 2), _remembered(policy)
    orders = _orders(game)
    laws: dict[tuple[int, int], Law] = {pair: {} for pair in product(orders, orders)}
    best = worst = Fraction(0)
    for black, white in product(masks, masks):
        deal = (1 << R.DEALT) | black | white << 20
        payoffs: dict[tuple[int, int], float] = {}
        for pair, law in laws.items():
            state = game.start(chance="manual")
            for action in (deal, *pair):
                state.play(action)
            seen, payoff = _play(state, policy)
            law[seen, payoff] = law.get((seen, payoff), Fraction(0)) + weight
            payoffs[pair] = payoff
        for own in orders:  # Black lays out White's piles first; White does not know, and takes any order
            column = [Fraction(payoffs[mine, own]) for mine in orders]
            best += weight * max(column) / len(orders)
            worst += weight * min(column) / len(orders)
    return PileStudy(laws, _drawn(game, policy), best, worst)


def _remembered(policy: Policy) -> Policy:
    """The same policy, asked only once about what has been seen: most deals show the same again."""
    known: dict[tuple[int, ...], int] = {}

    def choose(state: State, seen: tuple[int, ...]) -> int:
        if seen not in known:
            known[seen] = policy(state, seen)
        return known[seen]

    return choose


def _orders(game: Game) -> list[int]:
    """The actions that lay out piles."""
    mask = (1 << game.options["coloured"]) - 1
    state = game.start(chance="manual").play((1 << R.DEALT) | mask | mask << 20)
    return [int(action) for action in state.legal_actions()]


def _play(state: State, policy: Policy) -> tuple[tuple[int, ...], float]:
    """A game to its end: what was seen of it, and Black's payoff. The backs lie in the deal, so nothing is drawn."""
    seen: list[int] = []
    while not state.is_over:
        if state.to_play == CHANCE_SEAT:
            (outcome,) = outcomes(state)
            state.play(outcome)
            seen.append(state.game.num_actions - outcome - 1)
        else:
            seen.append(policy(state, tuple(seen)))
            state.play(seen[-1])
    return tuple(seen), float(state.payoffs[0])


def outcomes(state: State) -> list[int]:
    """The colours that the next back can show, as action numbers; one where the backs were dealt."""
    n = state.game.num_actions
    return [outcome for outcome in (n + R.RED, n + R.COLOURED) if state.why_illegal(outcome) is None]


def _drawn(game: Game, policy: Policy) -> Law:
    """The law of games whose backs are drawn when they show."""
    lazy = envs.game(game.name, **{**game.options, "deal": "lazy"})
    law: Law = {}
    for seen, payoff, p in _branches(lazy.start(chance="manual"), policy, (), Fraction(1)):
        law[seen, payoff] = law.get((seen, payoff), Fraction(0)) + p
    return law


def _branches(
    state: State, policy: Policy, seen: tuple[int, ...], p: Fraction
) -> Iterator[tuple[tuple[int, ...], float, Fraction]]:
    """(seen, Black's payoff, probability) of every game that can come of a state."""
    while not state.is_over:
        if state.to_play == CHANCE_SEAT:
            for outcome, weight in outcome_weights(state).items():
                then = (*seen, state.game.num_actions - outcome - 1)
                yield from _branches(state.copy().play(outcome), policy, then, p * weight)
            return
        action = policy(state, seen)
        state.play(action)
        seen = (*seen, action)
    yield seen, float(state.payoffs[0]), p
