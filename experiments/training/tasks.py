"""What workers do: chunks of self-play and parts of matches, as tasks of the executor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
import torch

from narabe import envs
from narabe.agents.evaluating import Evaluator
from narabe.agents.networks import NetShape, Network
from narabe.envs.game import Game
from narabe.experiments.guard import Guard
from narabe.experiments.shared import Shared
from narabe.experiments.training import seeds
from narabe.experiments.training.args import TrainArgs
from narabe.experiments.training.gate import play_match
from narabe.experiments.training.iterations import Weights
from narabe.experiments.training.selfplay import Positions, Tally, play_chunk


@dataclass(frozen=True)
class Chunk:
    """A chunk of games to play."""

    args: TrainArgs
    iteration: int
    number: int
    weights: Shared[Weights]


@dataclass(frozen=True)
class Match:
    """A part of a match of the ``weights`` against ``others``."""

    args: TrainArgs
    iteration: int
    number: int
    weights: Shared[Weights]
    others: Shared[Weights]
    openings: tuple[tuple[int, ...], ...]


def shape_of(args: TrainArgs) -> NetShape:
    """The shape of the run's network."""
    pooled, ownership = min(NetShape.pooled, args.channels), args.ownership_weight > 0
    return NetShape(blocks=args.blocks, channels=args.channels, pooled=pooled, ownership=ownership)


def play(chunk: Chunk, guard: Guard) -> tuple[Positions, Tally]:
    """Play a chunk."""
    args, game = chunk.args, envs.game(chunk.args.game)
    with one_thread():
        evaluate = evaluator(game, args, chunk.weights.value)
        return play_chunk(game, evaluate, args, seeds.sequence(args.seed, seeds.GAMES, chunk.iteration, chunk.number))


def meet(match: Match, guard: Guard) -> np.ndarray:
    """Play a part of a match; the points of the first network, float64."""
    args, game = match.args, envs.game(match.args.game)
    with one_thread():
        pair = [evaluator(game, args, part.value) for part in (match.weights, match.others)]
        seed = seeds.sequence(args.seed, seeds.GATE, match.iteration, match.number)
        return play_match(game, (pair[0], pair[1]), match.openings, args, seed)


def prepare(args: TrainArgs, guard: Guard) -> None:
    """Compile what the games need, so that the first worker does it for all."""
    game = envs.game(args.game)

    def uniform(observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(masks.shape, np.float32), np.zeros((len(masks), game.num_players), np.float32)

    few = replace(args, chunk_games=1, flight=1, sims=2, fast_sims=2)
    play_chunk(game, uniform, few, seeds.sequence(0, seeds.GAMES))


def evaluator(game: Game, args: TrainArgs, weights: Weights) -> Evaluator:
    """The network with these weights as the searches call it."""
    network = Network(game, shape_of(args))
    network.load_state_dict({name: torch.from_numpy(x) for name, x in weights.items()})
    return Evaluator(network, game, args.device, precision=args.play_precision)


@contextmanager
def one_thread() -> Iterator[None]:
    """Torch with one thread: as many workers as there are cores, and sums that do not depend on how many there are."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
