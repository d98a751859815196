"""Deals played side by side, by the network and others: what is kept of them.

A chunk is a pure function of the weights, the game, the settings and the seed: whichever process plays it, it makes the same
bytes (on machines whose sums come out alike). Turns with only one legal action are played without asking the network.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from narabe.envs.game import Game
from narabe.envs.rules import core
from narabe.envs.rules.goita.pad import new_pads
from narabe.experiments import interrupts
from narabe.experiments.training_cards import turns

Evaluate = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""(planes, rows, actions) -> worth, see `narabe.agents.card_player.CardEvaluator`."""


@dataclass(frozen=True)
class Deals:
    """The logs of deals, in the order of their numbers; the columns of a shard.

    ``entries``: int8, the laws' logs one after the other, of which deal k ends before ``ends[k]`` (int64); ``dealt``: int64,
    the outcomes of chance for the entries that deal, in the same way before ``dealt_ends[k]``; ``kinds``: int8 (deals, 2), who
    played each pair (`turns.NETWORK` and so on).
    """

    entries: np.ndarray
    ends: np.ndarray
    dealt: np.ndarray
    dealt_ends: np.ndarray
    kinds: np.ndarray


COLUMNS = ("entries", "ends", "dealt", "dealt_ends", "kinds")


@dataclass
class Tally:
    """What a chunk came to. ``seconds`` and ``network_seconds`` are this machine's, all else follows from the seed.

    ``decisions``: those that the network was asked about; ``candidates``: the actions it weighed; ``wins``: deals won by each
    pair, and at last those that nobody won.
    """

    games: int = 0
    decisions: int = 0
    candidates: int = 0
    wins: list[int] = field(default_factory=list)
    seconds: float = 0.0
    network_seconds: float = 0.0


def play_deals(
    game: Game,
    evaluate: Evaluate,
    kinds: np.ndarray,
    words: np.ndarray,
    flight: int,
    epsilon: float = 0.0,
) -> tuple[Deals, np.ndarray, Tally]:
    """Play as many deals as there are rows of ``kinds`` (int8 (n, 2), who plays each pair), ``flight`` side by side.

    ``words``: uint64 (n, 2), of each deal the streams of chance, and of all else; two deals with the same first word are dealt
    the same cards. Returns also the payoffs, float64 (n, players).
    """
    return _Table(game, evaluate, kinds, words, flight, epsilon).play()


class _Table:
    """``places`` deals side by side; deal number k is begun as soon as there is a place."""

    def __init__(
        self, game: Game, evaluate: Evaluate, kinds: np.ndarray, words: np.ndarray, flight: int, epsilon: float
    ) -> None:
        self.game, self.evaluate, self.epsilon = game, evaluate, epsilon
        self.kinds_of, self.words, self.deals = kinds, words, len(kinds)
        places = min(flight, self.deals)
        self.start = game.start(chance="manual").record
        self.records = core.new_states(game.law, places)
        self.number = np.full(places, -1)
        self.kinds = np.zeros((places, 2), np.int8)
        self.chance, self.own = np.zeros(places, np.uint64), np.zeros(places, np.uint64)
        self.pads = new_pads()
        self.legal = np.zeros(game.num_actions, np.int64)
        self.planes = np.zeros((places, *game.observation_shape), np.int8)
        self.rows, self.actions = (np.zeros(places * game.num_actions, np.int64) for _ in range(2))
        self.begun = 0
        self.payoffs = np.zeros((self.deals, game.num_players))
        self.logs: list[tuple[np.ndarray, np.ndarray]] = [(np.zeros(0, np.int8), np.zeros(0, np.int64))] * self.deals
        self.tally = Tally(games=self.deals)

    def play(self) -> tuple[Deals, np.ndarray, Tally]:
        begun = time.perf_counter()
        self.seat(np.arange(len(self.number)))
        while len(busy := np.flatnonzero(self.number >= 0)):
            interrupts.check()
            self.decide(busy)
            self.settle(busy)
        deals = self.gathered()
        self.tally.seconds = time.perf_counter() - begun
        return deals, self.payoffs, self.tally

    def seat(self, places: np.ndarray) -> None:
        """Begin the next deals at these places, as long as there are any; the others stay empty."""
        seated = places[: self.deals - self.begun]
        self.number[places[len(seated) :]] = -1
        if len(seated):
            numbers = np.arange(self.begun, self.begun + len(seated))
            self.begun += len(seated)
            self.number[seated] = numbers
            self.records[seated] = self.start[0]
            self.kinds[seated] = self.kinds_of[numbers]
            self.chance[seated], self.own[seated] = self.words[numbers].T
            self.settle(seated)

    def settle(self, places: np.ndarray) -> None:
        """Go on to the network's next decisions; deals that end on the way are put by, and others begun."""
        payoffs = np.empty((len(places), self.game.num_players))
        turns.settle_all(self.records, places, self.kinds, self.chance, self.own, self.pads, self.legal, payoffs)
        over = ~np.isnan(payoffs[:, 0])
        for place, payoff in zip(places[over], payoffs[over]):
            record, number = self.records[place], self.number[place]
            log = record["log"][: record["log_length"]].copy(), record["deal"][: record["deals"]].copy()
            self.logs[number], self.payoffs[number] = log, payoff
        if over.any():
            self.seat(places[over])

    def decide(self, places: np.ndarray) -> None:
        """One decision at each of these places, by one call of the network."""
        planes = self.planes[: len(places)]
        m = int(turns.look(self.records, places, planes, self.rows, self.actions))
        rows, actions = self.rows[:m], self.actions[:m]
        begun = time.perf_counter()
        worth = self.evaluate(planes, rows, actions)
        self.tally.network_seconds += time.perf_counter() - begun
        self.tally.decisions += len(places)
        self.tally.candidates += m
        turns.play_best(self.records, places, rows, actions, worth, self.epsilon, self.own)

    def gathered(self) -> Deals:
        entries, dealt = zip(*self.logs)
        won = np.sign(self.payoffs[:, 0])
        self.tally.wins = [int((won > 0).sum()), int((won < 0).sum()), int((won == 0).sum())]
        return Deals(
            np.concatenate(entries),
            np.cumsum([len(x) for x in entries]),
            np.concatenate(dealt),
            np.cumsum([len(x) for x in dealt]),
            self.kinds_of,
        )
