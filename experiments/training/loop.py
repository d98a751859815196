"""`narabe train`: games with the network as it is, steps of learning from them, now and then a match; over and over.

Every `gate_every` iterations the new network meets the last that passed. What makes an iteration is in `iterations`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.markup import escape
from torch import Tensor

from narabe import envs
from narabe.agents import checkpoints
from narabe.agents.layouts import layout_of
from narabe.agents.networks import Network
from narabe.agents.symmetries import Symmetries
from narabe.envs.rules import core
from narabe.experiments import openings
from narabe.experiments.args import UsageError
from narabe.experiments.executor import Task
from narabe.experiments.schedule import ScheduleError
from narabe.experiments.shared import Shared
from narabe.experiments.training import packing, seeds, tasks, window
from narabe.experiments.training.args import TrainArgs, check, fixed, recipe
from narabe.experiments.training.batches import batches
from narabe.experiments.training.gate import Score
from narabe.experiments.training.iterations import BaseTrainer, Weights, arrays, conduct
from narabe.experiments.training.learning import Learner, Losses, part, rate_at
from narabe.experiments.training.selfplay import Positions, Tally
from narabe.experiments.training.state import Run, Standing

PART = 8  # openings of a match that are played by one task


def run(args: TrainArgs, console: Console | None = None) -> int:
    """Train for the command line; returns the exit code: 0, or 130 after Ctrl-C."""
    return conduct(args, check, Trainer, console)


def game_of(args: TrainArgs) -> envs.Game:
    """The game of a run; `UsageError` if no network of a board can learn it by search."""
    game = envs.game(args.game)
    if core.hides(game.law):
        raise UsageError(
            f"{game.spec} has hidden hands: a search of what a board shows cannot play it; Goita is learned by "
            "`narabe train-cards`"
        )
    if args.gate_every and game.num_players != 2:
        raise UsageError(f"--gate-every {args.gate_every}: matches are for games of two players; take 0 here")
    if args.ownership_weight and layout_of(game).owned is None:
        raise UsageError(f"--ownership-weight {args.ownership_weight:g}: in {game.spec} nobody owns cells; take 0 here")
    return game


class Trainer(BaseTrainer):
    """The training of a board's network."""

    args: TrainArgs
    learner: Learner

    def __init__(self, args: TrainArgs, folder: Run, console: Console) -> None:
        super().__init__(args, folder, console, game_of(args))
        self.symmetries = Symmetries(self.game) if args.symmetries else None
        with torch.random.fork_rng():
            torch.manual_seed(seeds.number(args.seed, seeds.WEIGHTS))
            network = Network(self.game, tasks.shape_of(args))
        self.learner = Learner(network, args)
        self.champion = self.averaged()
        if args.from_pack is not None and not folder.state.exists():
            packing.unpack(args.from_pack, folder, args)
        self.resume()

    # ---- an iteration -----------------------------------------------------------------------------------------------

    def chunk(self, iteration: int, number: int, weights: Shared[Weights]) -> Task:
        return Task(f"chunk {number}", tasks.play, tasks.Chunk(self.args, iteration, number, weights))

    def write_shard(self, name: str, made: tuple[Positions, Tally]) -> Tally:
        window.write(self.run.window / name, *made)
        return made[1]

    def read_shard(self, name: str) -> tuple[Positions, Tally]:
        return window.read(self.run.window / name)

    def empty_window(self) -> window.Window:
        return window.Window()

    def preparation(self) -> Task:
        return Task("the game", tasks.prepare, self.args)

    def batches(self, count: int, rng: np.random.Generator) -> Iterable[window.Rows]:
        return batches(self.window, count, self.args.batch, rng, self.symmetries)

    def learn_from(self, batches: Iterable[window.Rows]) -> Losses | None:
        return self.learner.learn(batches)

    def match_is_due(self, iteration: int) -> bool:
        return bool(self.args.gate_every) and iteration % self.args.gate_every == 0

    def match(self) -> None:
        at, args = self.at, self.args
        starts = self.openings(at.iteration)
        weights, others = Shared(arrays(self.averaged())), Shared(arrays(self.champion))
        parts = [tuple(starts[k : k + PART]) for k in range(0, len(starts), PART)]
        work = [
            Task(f"match {k}", tasks.meet, tasks.Match(args, at.iteration, k, weights, others, some))
            for k, some in enumerate(parts)
        ]
        score = Score(2 * len(starts), sum(float(points.sum()) for _, points in self.do_all(work)))
        at.holds = score.lost
        against = at.champion
        elo = at.elo + score.elo
        if not score.lost:
            at.champion, at.elo, self.champion = at.iteration, elo, self.averaged()
            self.export(self.run.networks / f"{at.iteration:06d}")
        at.entry |= {
            "gate_against": against,
            "gate_score": score.share,
            "gate_interval": score.interval,
            "gate_passed": not score.lost,
            "elo": elo,
        }

    def entry_of(
        self, at: Standing, tallies: list[Tally], timed: list[Tally], losses: Losses | None, count: int, playing: float
    ) -> dict[str, Any]:
        seconds = sum(tally.seconds for tally in timed)
        wins = [sum(tally.wins[i] for tally in tallies) for i in range(self.game.num_players + 1)]
        positions = sum(tally.positions for tally in tallies)
        entropy = sum(tally.entropy * tally.positions for tally in tallies)
        return {
            "iteration": at.iteration,
            "games": sum(tally.games for tally in tallies),
            "wins": wins[:-1],
            "draws": wins[-1],
            "plies": sum(tally.plies for tally in tallies),
            "positions": positions,
            "evaluations": sum(tally.evaluated for tally in tallies),
            "positions_per_second": round(sum(tally.positions for tally in timed) / playing, 1) if timed else None,
            "evaluations_per_second": round(sum(tally.evaluated for tally in timed) / playing, 1) if timed else None,
            "network_share": round(sum(tally.network_seconds for tally in timed) / seconds, 4) if timed else None,
            "policy_entropy": entropy / max(1, positions),
            "policy_loss": losses.policy if losses else None,
            "value_loss": losses.value if losses else None,
            "reply_loss": losses.reply if losses else None,
            **({"ownership_loss": losses.ownership if losses else None} if self.args.ownership_weight else {}),
            "learning_rate": rate_at(self.args, max(0, at.steps - 1)),
            "steps": at.steps,
            "new_steps": count,
            "window": len(self.window),
            "total_positions": at.positions,
            "total_games": at.games,
            "elo": at.elo if self.args.gate_every else None,
        }

    # ---- networks ---------------------------------------------------------------------------------------------------

    def averaged(self) -> dict[str, Tensor]:
        """A copy of the averaged weights as they are now."""
        return {name: x.detach().cpu().clone() for name, x in self.learner.average.state_dict().items()}

    def player(self) -> dict[str, Tensor]:
        """The weights that play and are the product: the average, or the champion as long as that lost clearly to it."""
        return self.champion if self.at.holds and self.args.gate_every else self.averaged()

    def own_tensors(self) -> dict[str, Tensor]:
        return {f"champion.{name}": x.contiguous() for name, x in self.champion.items()} if self.args.gate_every else {}

    def take_own(self, tensors: dict[str, Tensor]) -> None:
        champion = part(tensors, "champion.")
        self.champion = {name: x.to(self.champion[name].dtype) for name, x in champion.items()} or self.champion

    def export(self, path: Any) -> None:
        """Write the network that plays, and its card."""
        network = Network(self.game, tasks.shape_of(self.args))
        network.load_state_dict(self.player())
        at = self.at
        training = {
            "arguments": fixed(self.args),
            "command": recipe(self.args),
            "iterations": at.iteration,
            "steps": at.steps,
            "positions": at.positions,
            "games": at.games,
            "elo_over_first_weights": at.elo if self.args.gate_every else None,
        }
        checkpoints.save(path, network, checkpoints.Card.of(self.game, tasks.shape_of(self.args), training=training))

    def hand_over_more(self) -> None:
        if self.args.pack is not None:
            shards = packing.pack(self.run, self.args.pack, self.args.pack_mb)
            self.console.print(f"Packed, with {shards} shards: {escape(str(self.args.pack))}", highlight=False)

    # ---- openings ---------------------------------------------------------------------------------------------------

    def openings(self, iteration: int) -> list[tuple[int, ...]]:
        """The openings of the match of an iteration."""
        seed = seeds.number(self.args.seed, seeds.OPENINGS, iteration)
        return openings.draw(self.game, self.args.gate_games // 2, self.args.gate_plies, seed)

    def expect_matches(self) -> None:
        if self.args.gate_every:
            try:
                self.openings(0)
            except ScheduleError as error:
                raise UsageError(f"--gate-games {self.args.gate_games}: {error}") from None
