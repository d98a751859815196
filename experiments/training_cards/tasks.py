"""What workers do: chunks of deals and parts of matches, as tasks of the executor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from narabe import envs
from narabe.agents.card_network import CardNetwork, CardShape
from narabe.agents.card_player import CardEvaluator
from narabe.envs.game import Game
from narabe.experiments.guard import Guard
from narabe.experiments.shared import Shared
from narabe.experiments.training import seeds
from narabe.experiments.training.iterations import Weights
from narabe.experiments.training.tasks import one_thread
from narabe.experiments.training_cards import turns
from narabe.experiments.training_cards.args import CardTrainArgs
from narabe.experiments.training_cards.deals import Deals, Tally, play_deals
from narabe.experiments.training_cards.window import Decisions


@dataclass(frozen=True)
class Chunk:
    """A chunk of deals to play."""

    args: CardTrainArgs
    iteration: int
    number: int
    weights: Shared[Weights]


@dataclass(frozen=True)
class Match:
    """A part of a match against a pair of others (``against``: `turns.RULES` or RANDOM): so many deals, each played twice."""

    args: CardTrainArgs
    number: int
    weights: Shared[Weights]
    against: int
    deals: int


def shape_of(args: CardTrainArgs) -> CardShape:
    """The shape of the run's network."""
    return CardShape(args.width, args.layers)


def play(chunk: Chunk, guard: Guard) -> tuple[Deals, Tally]:
    """Play a chunk."""
    args = chunk.args
    game = envs.game(args.game)
    rng = np.random.default_rng(seeds.sequence(args.seed, seeds.GAMES, chunk.iteration, chunk.number))
    words = rng.integers(1 << 64, size=(args.chunk_games, 2), dtype=np.uint64)
    coins, sides = rng.random(args.chunk_games), rng.integers(2, size=args.chunk_games)
    kinds = np.full((args.chunk_games, 2), turns.NETWORK, np.int8)
    mixed = np.flatnonzero(coins < args.rules_share)
    kinds[mixed, sides[mixed]] = turns.RULES
    with one_thread():
        evaluate = evaluator(game, args, chunk.weights.value)
        deals, _, tally = play_deals(game, evaluate, kinds, words, args.flight, args.epsilon)
    return deals, tally


def meet(match: Match, guard: Guard) -> np.ndarray:
    """Play a part of a match; the payoffs of the network's pair, float64 (deals, 2), as the first pair and as the second.

    The deals are the same in all matches of a run, so that these can be compared.
    """
    args = match.args
    game = envs.game(args.game)
    rng = np.random.default_rng(seeds.sequence(args.seed, seeds.GATE, match.against, match.number))
    words = rng.integers(1 << 64, size=(2 * match.deals, 2), dtype=np.uint64)
    words[1::2, 0] = words[::2, 0]
    kinds = np.tile(
        np.array([[turns.NETWORK, match.against], [match.against, turns.NETWORK]], np.int8), (match.deals, 1)
    )
    with one_thread():
        _, payoffs, _ = play_deals(game, evaluator(game, args, match.weights.value), kinds, words, args.flight)
    return np.stack((payoffs[::2, 0], payoffs[1::2, 1]), 1)


def prepare(args: CardTrainArgs, guard: Guard) -> None:
    """Compile what the deals need, so that the first worker does it for all."""
    game = envs.game(args.game)

    def uniform(planes: np.ndarray, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        return np.zeros(len(rows), np.float32)

    kinds = np.array([[turns.NETWORK, turns.RULES]], np.int8)
    deals, _, _ = play_deals(game, uniform, kinds, np.ones((1, 2), np.uint64), 1)
    Decisions(game, deals)


def evaluator(game: Game, args: CardTrainArgs, weights: Weights) -> CardEvaluator:
    """The network with these weights as a function of arrays."""
    network = CardNetwork(game, shape_of(args))
    network.load_state_dict({name: torch.from_numpy(x) for name, x in weights.items()})
    return CardEvaluator(network, args.device)
