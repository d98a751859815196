"""What a seat may believe: all layouts of the unseen cards that agree with what it has seen of a deal of Goita, exactly.

The reference for what agrees, and how likely it is, is the law's `redeal`: all physical deals are equally likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba.core import config

from narabe.envs.game import Game, State, View
from narabe.envs.rules.goita import record as R
from narabe.search.goita.layouts import CASE, add_up, count_case, fill_case

LIMIT = 1 << 22
Model = Callable[["Beliefs"], np.ndarray]


@dataclass(frozen=True)
class Beliefs:
    """The layouts that a seat cannot tell apart, and how likely each is.

    ``hands``: int32 (count, players), what each seat holds now, as words of four bits a kind (kind k at bit 4 * (k - 1));
    ``laid``: the same, cards that it has laid face down and that are unknown to the viewing seat (in no order);
    ``ways``: float64 (count), the physical deals behind each layout (cards of one kind told apart);
    ``weights``: float64 (count), probabilities: ways, times a model's factor if one was given; they sum to 1.

    >>> from narabe.envs import game
    >>> state = game("goita_two_by_four").position(hands="1128,1448", dealer=0, plies="12")
    >>> beliefs = Beliefs.of(state.view(1))
    >>> beliefs.count, beliefs.marginals()[0].round(2).tolist()
    (2, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.67])
    """

    game: Game
    seat: int
    hands: np.ndarray
    laid: np.ndarray
    ways: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, view: View | State, model: Model | None = None, limit: int = LIMIT) -> Beliefs:
        """The beliefs of the view's seat (of a state: of the seat to move).

        ``model`` maps beliefs to a factor for each layout (float64, such as the probability of what was done under it).
        Raises `ValueError` where no cards are on the table, where there are more than ``limit`` layouts (each takes 48
        bytes), and for a model whose factors are not finite, negative, or all zero.
        """
        if isinstance(view, State):
            view = view.view(view.to_play)
        if view.record.dtype != R.STATE:
            raise ValueError(f"beliefs are for Goita, not for {view.game.spec}")
        if view.record["start_hand"][0, view.seat] == 0:
            raise ValueError("no cards have been dealt, so there is nothing to believe")
        cases = _cases(view)
        if config.DISABLE_JIT:  # plain Python reads fields by name
            cases = cases.view(np.recarray)
        none = np.zeros((0, view.game.num_players), np.int32)
        counts = [int(count_case(cases, i, none, none, np.zeros(0))) for i in range(len(cases))]
        total = sum(counts)
        if total > limit:
            raise ValueError(f"{total} layouts, and the limit is {limit}")
        hands, laid = (np.zeros((total, view.game.num_players), np.int32) for _ in range(2))
        ways, start = np.zeros(total), 0
        for i, n in enumerate(counts):
            fill_case(cases, i, hands, laid, ways, start)
            start += n
        hands[:, view.seat] = view.record["hand"][0, view.seat]
        for seat in range(view.game.num_players):  # hands that were shown
            if view.record["opened"][0] >> seat & 1:
                hands[:, seat] = view.record["hand"][0, seat]
        found = cls(view.game, view.seat, hands, laid, ways, ways / ways.sum())
        return found if model is None else found.given(model)

    def given(self, model: Model) -> Beliefs:
        """The beliefs with the weights multiplied by a model's factor for each layout."""
        factor = np.asarray(model(self), np.float64)
        if factor.shape != self.ways.shape:
            raise ValueError(f"the model gave factors of shape {factor.shape} for {self.count} layouts")
        weights = self.weights * factor
        total = weights.sum()
        if not (np.isfinite(total) and total > 0 and (factor >= 0).all()):
            raise ValueError("the model's factors must be finite, not negative, and not all zero")
        return Beliefs(self.game, self.seat, self.hands, self.laid, self.ways, weights / total)

    @property
    def count(self) -> int:
        return len(self.ways)

    @property
    def layouts(self) -> np.ndarray:
        """int32 (count, players, 2): of each seat the hand and the unknown cards that it laid face down."""
        return np.stack([self.hands, self.laid], axis=2)

    def marginals(self) -> np.ndarray:
        """float64 (players, 8): the probability that a seat holds a card of the kind in its hand."""
        out = np.zeros((self.hands.shape[1], R.KINDS))
        add_up(self.hands, self.weights, out)
        return out.clip(0, 1)

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """int32 (n, players): hands drawn by their weights."""
        return self.hands[self.draw(rng, n)]

    def draw(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """int64 (n): indices of layouts drawn by their weights."""
        sums = np.cumsum(self.weights)
        return np.searchsorted(sums, rng.random(n) * sums[-1], side="right").clip(0, self.count - 1)


# ---- from a view to bins ----------------------------------------------------------------------------------------------


def _cases(view: View) -> np.ndarray:
    """The enumerations to make: one, or two where a shown king may be in its owner's hand or face down."""
    s, me, n = view.record[0], view.seat, view.game.num_players
    known = [0] * 4  # by seat: cards of its hand as dealt that are known and not in a bin
    bins: list[tuple[int, int, int]] = []  # (cards, seat, laid)
    pool, ways = int(s["deck"]) - int(s["start_hand"][me]), 1.0
    known[me] = int(s["start_hand"][me])
    for seat in range(n):
        if seat == me:
            continue
        if s["opened"] >> seat & 1:
            known[seat] = int(s["start_hand"][seat])
            pool -= known[seat]
            continue
        hidden = 0
        for j in range(s["played"][seat]):
            known[seat] += 1 << 4 * (int(s["second"][seat, j]) - 1)
            if s["lies"][seat, j] == R.FACE_DOWN:
                hidden += 1
            else:
                known[seat] += 1 << 4 * (int(s["first"][seat, j]) - 1)
        pool -= known[seat]
        if hidden:
            bins.append((hidden, seat, 1))
            ways *= math.factorial(hidden)
        bins.append((int(s["hand_size"]) - 2 * int(s["played"][seat]), seat, 0))
    king_seat = int(s["king_seat"])
    if s["king_place"] == R.NOWHERE or king_seat == me or s["opened"] >> king_seat & 1:
        return _case(s, pool, bins, known, ways)
    return _king_cases(s, pool, bins, known, ways)


def _king_cases(s: np.void, pool: int, bins: list[tuple[int, int, int]], known: list[int], ways: float) -> np.ndarray:
    """A king lies in one of some places of its owner: in the hand, or in some of those face down."""
    seat, kept = int(s["king_seat"]), s["king_place"] == R.KEPT
    low, high = (int(s["king_play"]), int(s["played"][seat])) if kept else (0, int(s["king_play"]))
    places = sum(int(s["lies"][seat, j] == R.FACE_DOWN) for j in range(low, high))
    cases = []
    for b, (size, owner, laid) in enumerate(bins):
        if owner != seat or (not laid and not kept) or (laid and places == 0):
            continue
        factor = places / size if laid else 1.0  # of the orders of the cards face down
        rest = [(size - 1, owner, laid) if i == b else other for i, other in enumerate(bins)]
        cases.append(_case(s, pool - (1 << 28), rest, known, ways * factor, b))
    return np.concatenate(cases)


def _case(
    s: np.void, pool: int, bins: list[tuple[int, int, int]], known: list[int], ways: float, king: int = -1
) -> np.ndarray:
    """One enumeration; ``king``: the bin that holds a king besides."""
    order = sorted(range(len(bins)), key=lambda b: bins[b][0])  # the largest bin last: it takes what is left
    cases = np.zeros(1, CASE)
    case = cases[0]
    case["pool"], case["bins"], case["ways"] = pool, len(bins), ways
    for i, b in enumerate(order):
        case["need"][i], case["seat"][i], case["laid"][i] = bins[b]
        case["fixed"][i] = (1 << 28) if b == king else 0
    case["known"] = known
    case["announced"], case["specials"] = int(s["announced"]), int(s["specials"])
    case["strict"] = int(s["no_five"] != 0 or s["auto_redeal"] != 0)
    case["open"] = int(s["opened"] != 0)
    return cases
