"""A match of two networks: random openings, each played with both sides; the score with its interval, and Elo."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from narabe.envs.game import Game
from narabe.experiments import interrupts
from narabe.experiments.ratings import NORMAL_95
from narabe.experiments.training import turns
from narabe.experiments.training.args import TrainArgs
from narabe.search.puct import Evaluate, Gumbel, Puct, Search


@dataclass(frozen=True)
class Score:
    """Points of the first network in so many games, as a share: a win is 1, a draw 1/2.

    ``low`` and ``high``: Wilson's 95 % interval, drawn games counted as half won. Two games of an opening are not quite
    independent, but where the side matters they lean to opposite results, so the interval is rather too wide.
    """

    games: int
    points: float

    @property
    def share(self) -> float:
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        n, p, z = self.games, self.share, NORMAL_95
        middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)

    @property
    def elo(self) -> float:
        """Difference in Elo points; half a point for each side is added, so that it is finite."""
        return 400 * math.log10((self.points + 0.5) / (self.games - self.points + 0.5))

    @property
    def lost(self) -> bool:
        """Did the first network lose clearly, the whole interval being below a half?"""
        return self.interval[1] < 0.5

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.share:.0f} % ({100 * low:.0f} to {100 * high:.0f}), Elo {self.elo:+.0f}"


def play_match(
    game: Game,
    networks: tuple[Evaluate, Evaluate],
    openings: Sequence[tuple[int, ...]],
    args: TrainArgs,
    seed: np.random.SeedSequence,
) -> np.ndarray:
    """Points of the first network in each game, float64 (2 * openings,): of opening k games 2k (it begins) and 2k + 1.

    Searches are without noise; games of two players. ``openings``: actions from the start, outcomes of chance included.
    """
    n = 2 * len(openings)
    pair = [_search(game, args, n) for _ in range(2)]
    records = np.concatenate([_after(game, opening) for opening in openings for _ in range(2)]).view(
        type(pair[0].states)
    )
    streams = np.repeat(seed.generate_state(len(openings), np.uint64), 2)
    first_side = np.arange(n) % 2  # the side that the first network plays: the first or the second player
    points = np.zeros(n)
    open_games = np.arange(n)
    while len(open_games):
        interrupts.check()
        actions = np.zeros(len(open_games), np.int64)
        mover = _movers(game, records, open_games) - 1
        for i, (search, evaluate) in enumerate(zip(pair, networks)):
            chosen = (mover == first_side[open_games]) == (i == 0)
            if chosen.any():
                actions[chosen] = _choose(search, evaluate, records, open_games[chosen], streams)
        payoffs = np.empty((len(open_games), game.num_players))
        turns.play_moves(records, open_games, actions, streams, payoffs)
        over = ~np.isnan(payoffs[:, 0])
        ended = open_games[over]
        points[ended] = 0.5 + 0.5 * np.sign(payoffs[over, first_side[ended]])
        open_games = open_games[~over]
    return points


def _search(game: Game, args: TrainArgs, batch: int) -> Search:
    if args.search == "puct":
        return Puct(game, batch, args.gate_sims)
    return Gumbel(game, batch, args.gate_sims, considered=args.considered, gumbel_scale=0.0)


def _after(game: Game, opening: tuple[int, ...]) -> np.ndarray:
    state = game.start(chance="manual")
    for action in opening:
        state.play(action)
    return state.record


def _movers(game: Game, records: np.ndarray, games: np.ndarray) -> np.ndarray:
    observations = np.zeros((len(games), *game.observation_shape), np.int8)
    masks, players = np.zeros((len(games), game.num_actions), np.int8), np.zeros(len(games), np.int64)
    turns.look(records, games, observations, masks, players)
    return players


def _choose(
    search: Search, evaluate: Evaluate, records: np.ndarray, games: np.ndarray, streams: np.ndarray
) -> np.ndarray:
    bits = np.empty(len(games), np.uint64)
    turns.draw_bits(streams, games, bits)
    search.begin(records[games], bits, games)
    while leaves := search.leaves():
        search.give(*evaluate(leaves.observations, leaves.masks, leaves.players))
    return search.found(games).action
