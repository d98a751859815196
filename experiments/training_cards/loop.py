"""`narabe train-cards`: deals played by the network as it is, steps of learning from them, now and then matches.

What makes an iteration is in `narabe.experiments.training.iterations`; what is learned, and why so, in `learning`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import torch
from rich.console import Console
from torch import Tensor

from narabe import envs
from narabe.agents import checkpoints
from narabe.agents.card_network import CardNetwork, CardShape
from narabe.envs.rules import goita
from narabe.experiments.args import UsageError
from narabe.experiments.executor import Task
from narabe.experiments.ratings import NORMAL_95
from narabe.experiments.shared import Shared
from narabe.experiments.training import seeds
from narabe.experiments.training.args import fixed, recipe
from narabe.experiments.training.gate import Score
from narabe.experiments.training.iterations import BaseTrainer, Weights, arrays, conduct
from narabe.experiments.training.learning import part, rate_at
from narabe.experiments.training.state import Run, Standing
from narabe.experiments.training_cards import tasks, turns, window
from narabe.experiments.training_cards.args import CardTrainArgs, check
from narabe.experiments.training_cards.deals import Deals, Tally
from narabe.experiments.training_cards.learning import CardLearner, Losses, Pupils
from narabe.experiments.training_cards.window import DealWindow, Decisions, Rows

PART = 250  # deals of a match that are played by one task
OTHERS = {"random": turns.RANDOM, "rules": turns.RULES}


def run(args: CardTrainArgs, console: Console | None = None) -> int:
    """Train for the command line; returns the exit code: 0, or 130 after Ctrl-C."""
    return conduct(args, check, CardTrainer, console)


def game_of(args: CardTrainArgs) -> envs.Game:
    """The game of a run; `UsageError` if it is not a single deal of Goita."""
    game = envs.game(args.game)
    if game.law is not goita:
        raise UsageError(f"{game.spec} is not played with the cards of Goita: use `narabe train`")
    if game.options["match"]:
        raise UsageError(
            f"{game.spec} is a match of many deals: learn the single deal (match=0), the network then plays matches too"
        )
    return game


class CardTrainer(BaseTrainer):
    """The training of a network for Goita."""

    args: CardTrainArgs
    learner: CardLearner
    window: DealWindow

    def __init__(self, args: CardTrainArgs, folder: Run, console: Console) -> None:
        super().__init__(args, folder, console, game_of(args))
        with torch.random.fork_rng():
            torch.manual_seed(seeds.number(args.seed, seeds.WEIGHTS))
            pupils = Pupils(self.game, tasks.shape_of(args), CardShape(args.critic_width, args.layers))
        self.learner = CardLearner(pupils, args)
        self.resume()

    def player(self) -> dict[str, Tensor]:
        everything = {name: x.detach().cpu().clone() for name, x in self.learner.average.state_dict().items()}
        return part(everything, "player.")

    # ---- an iteration -----------------------------------------------------------------------------------------------

    def chunk(self, iteration: int, number: int, weights: Shared[Weights]) -> Task:
        return Task(f"chunk {number}", tasks.play, tasks.Chunk(self.args, iteration, number, weights))

    def write_shard(self, name: str, made: tuple[Deals, Tally]) -> Tally:
        window.write(self.run.window / name, *made)
        return made[1]

    def read_shard(self, name: str) -> tuple[Decisions, Tally]:
        deals, tally = window.read(self.run.window / name)
        return Decisions(self.game, deals), tally

    def empty_window(self) -> DealWindow:
        return DealWindow(self.game)

    def preparation(self) -> Task:
        return Task("the game", tasks.prepare, self.args)

    def batches(self, count: int, rng: np.random.Generator) -> Iterator[Rows]:
        for _ in range(count):
            yield self.window.rows(rng.integers(len(self.window), size=self.args.batch))

    def learn_from(self, batches: Iterable[Rows]) -> Losses | None:
        return self.learner.learn(batches)

    def match_is_due(self, iteration: int) -> bool:
        return bool(self.args.match_every) and iteration % self.args.match_every == 0

    def match(self) -> None:
        weights, deals = Shared(arrays(self.player())), self.args.match_deals
        sizes = [min(PART, deals - first) for first in range(0, deals, PART)]
        work = [
            Task(name, tasks.meet, tasks.Match(self.args, k, weights, kind, size))
            for name, kind in OTHERS.items()
            for k, size in enumerate(sizes)
        ]
        payoffs: dict[str, list[np.ndarray]] = {name: [] for name in OTHERS}
        for task, made in self.do_all(work):
            payoffs[task.key].append(made)
        for name, parts in payoffs.items():
            self.at.entry |= {f"{name}_{key}": value for key, value in of_match(np.concatenate(parts)).items()}

    def entry_of(
        self, at: Standing, tallies: list[Tally], timed: list[Tally], losses: Losses | None, count: int, playing: float
    ) -> dict[str, Any]:
        seconds = sum(tally.seconds for tally in timed)
        decisions = sum(tally.decisions for tally in tallies)
        return {
            "iteration": at.iteration,
            "games": sum(tally.games for tally in tallies),
            "wins": np.sum([tally.wins for tally in tallies], 0).tolist(),
            "decisions": decisions,
            "candidates": sum(tally.candidates for tally in tallies),
            "decisions_per_second": round(sum(tally.decisions for tally in timed) / playing, 1) if timed else None,
            "network_share": round(sum(tally.network_seconds for tally in timed) / seconds, 4) if timed else None,
            "worth_loss": losses.worth if losses else None,
            "payoff_loss": losses.payoff if losses else None,
            "guess_loss": losses.guess if losses else None,
            "critic_loss": losses.critic if losses else None,
            "learning_rate": rate_at(self.args, max(0, at.steps - 1)),
            "steps": at.steps,
            "new_steps": count,
            "window": len(self.window),
            "total_decisions": at.positions,
            "total_games": at.games,
        }

    @staticmethod
    def words(entry: dict[str, Any]) -> str:
        return line(entry)

    # ---- the product ------------------------------------------------------------------------------------------------

    def export(self, path: Any) -> None:
        network = CardNetwork(self.game, tasks.shape_of(self.args))
        network.load_state_dict(self.player())
        at = self.at
        training = {
            "arguments": fixed(self.args),
            "command": recipe(self.args),
            "iterations": at.iteration,
            "steps": at.steps,
            "decisions": at.positions,
            "games": at.games,
        }
        measured = [e for e in self.run.entries() if "rules_won" in e]
        strength = [
            {"against": name, "iteration": e["iteration"], "deals": self.args.match_deals}
            | {key: e[f"{name}_{key}"] for key in ("won", "interval", "payoff", "payoff_interval")}
            for e in measured[-1:]
            for name in OTHERS
        ]
        card = checkpoints.Card.of(self.game, network.shape, training=training, strength=strength)
        checkpoints.save(path, network, card)


def of_match(payoffs: np.ndarray) -> dict[str, Any]:
    """What a match came to: the payoffs of the network's pair, float64 (deals, 2), each deal played from both sides.

    ``won``: share of deals that it won, with Wilson's 95 % ``interval`` (see `Score`: rather too wide); ``payoff``: its mean,
    with a 95 % ``payoff_interval`` by the means of the two games of a deal, None for a single deal.

    >>> of_match(np.array([[0.2, -0.1], [0.2, 0.1]]))["won"]
    0.75
    """
    deals = len(payoffs)
    score = Score(2 * deals, float((0.5 + 0.5 * np.sign(payoffs)).sum()))
    means = payoffs.mean(1)
    mean, half = float(means.mean()), NORMAL_95 * float(means.std(ddof=1)) / deals**0.5 if deals > 1 else None
    return {
        "won": score.share,
        "interval": list(score.interval),
        "payoff": mean,
        "payoff_interval": None if half is None else [mean - half, mean + half],
    }


def line(entry: dict[str, Any]) -> str:
    """A line of the log in words."""
    words = [f"iteration {entry['iteration']}: {entry['games']} deals, {entry['decisions']} decisions"]
    if entry["decisions_per_second"]:
        words.append(f"{entry['decisions_per_second']:.0f} decisions/s ({100 * entry['network_share']:.0f} % network)")
    if entry["payoff_loss"] is not None:
        words.append(
            f"worth {entry['payoff_loss']:.4f}, guess {entry['guess_loss']:.4f}, critic {entry['critic_loss']:.4f}"
        )
    for name in OTHERS:
        if f"{name}_won" in entry:
            low, high = entry[f"{name}_interval"]
            words.append(
                f"{100 * entry[f'{name}_won']:.1f} % ({100 * low:.1f} to {100 * high:.1f}) of deals against {name}"
            )
    words.append(f"{entry['seconds']:.1f} s")
    return ", ".join(words)
