"""What all training has in common: iterations of play and learning, kept on disk so that none is lost.

An iteration: chunks of games (through an executor, here or in worker processes) become shards of the window; then the
learner makes as many steps as the new positions pay for; then the state is written, by which the iteration is over. Now and
then a match ends it. Nothing that is decided depends on the clock or on the number of workers, so a run that is broken off
and gone on with makes the same weights as one that is left alone.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.markup import escape
from torch import Tensor

from narabe import envs
from narabe.experiments import executor, interrupts
from narabe.experiments.args import UsageError
from narabe.experiments.executor import Executor, Outcome, Task
from narabe.experiments.outputs import expect_file
from narabe.experiments.shared import Shared
from narabe.experiments.training import progress, seeds, window
from narabe.experiments.training.args import RunArgs, command
from narabe.experiments.training.learning import BaseLearner
from narabe.experiments.training.progress import Board, Clock, display
from narabe.experiments.training.state import Run, Standing, stored

Weights = dict[str, np.ndarray]
"""A network's state by name."""


def conduct(
    args: Any,
    check: Callable[[Any], None],
    trainer_of: Callable[[Any, Run, Console], BaseTrainer],
    console: Console | None,
) -> int:
    """Train for the command line; returns the exit code: 0, or 130 after Ctrl-C."""
    console = console or Console()
    args = as_stored(args) if args.minutes == 0 else args
    check(args)
    expect_file(args.export, "--export")
    expect_file(getattr(args, "pack", None), "--pack")
    with interrupts.deferred(), Run(args) as folder:
        trainer = trainer_of(args, folder, console)
        try:
            trainer.train()
            code = 0
        except KeyboardInterrupt:
            code = 130
        trainer.hand_over()
        if not (args.iterations is not None and trainer.at.iteration >= args.iterations) and args.minutes != 0:
            words, done = "Stopped" if code else "The time is over", trainer.at.iteration
            many = "s" if done != 1 else ""
            console.print(f"{words} after {done} whole iteration{many}. The same command goes on from there:")
            console.print(f"  {escape(command(args))}", highlight=False, soft_wrap=True)
    return code


def as_stored(args: Any) -> Any:
    """For a start that learns nothing: the settings that the run has, whatever else was typed."""
    settings = stored(args.run)
    if settings is None:
        raise UsageError(f"--minutes 0 learns nothing, and {args.run} holds no run to export or pack")
    return type(args)(**{**vars(args), **settings})


class BaseTrainer(ABC):
    """A run that is gone on with: where it stands, its learner and its window.

    Subclasses say what is played and learned. Their ``__init__`` makes ``learner``, and calls `resume` at its end.
    """

    words = staticmethod(progress.line)  # a line of the log as it is shown
    learner: BaseLearner[Any]

    def __init__(self, args: RunArgs, folder: Run, console: Console, game: envs.Game) -> None:
        self.args, self.run, self.console, self.game = args, folder, console, game
        self.at = Standing()
        if args.device != "cpu" and not torch.cuda.is_available():
            raise UsageError(f"--device {args.device}: torch finds no such device here")

    # ---- what is played and learned: for subclasses -------------------------------------------------------------------

    @abstractmethod
    def player(self) -> dict[str, Tensor]:
        """The weights that play and are the product."""

    @abstractmethod
    def chunk(self, iteration: int, number: int, weights: Shared[Weights]) -> Task:
        """The task of playing a chunk with these weights; its payload has the ``number``."""

    @abstractmethod
    def write_shard(self, name: str, made: Any) -> Any:
        """Write what such a task brought as a shard of this name; returns its tally."""

    @abstractmethod
    def read_shard(self, name: str) -> tuple[Any, Any]:
        """The positions and the tally of a shard; the tally has ``games``."""

    @abstractmethod
    def empty_window(self) -> window.Window:
        """A window without positions."""

    @abstractmethod
    def preparation(self) -> Task:
        """What every worker does first: compile."""

    @abstractmethod
    def batches(self, count: int, rng: np.random.Generator) -> Iterable[Any]:
        """So many batches from the window."""

    @abstractmethod
    def learn_from(self, batches: Iterable[Any]) -> Any:
        """A step for each batch; the losses for `entry_of`."""

    @abstractmethod
    def entry_of(
        self, at: Standing, tallies: list[Any], timed: list[Any], losses: Any, count: int, playing: float
    ) -> dict[str, Any]:
        """The line of the log, without its seconds.

        ``timed``: the chunks played in this start, by all workers in ``playing`` seconds; from them the rates are.
        """

    @abstractmethod
    def export(self, path: Any) -> None:
        """Write the network that plays, and its card."""

    def match_is_due(self, iteration: int) -> bool:
        """Does this iteration end with a match?"""
        return False

    def match(self) -> None:
        """Play it, add it to ``at.entry`` and set ``at.is_whole``; the state is written afterwards."""

    def expect_matches(self) -> None:
        """`UsageError` if they cannot be played, before hours have gone by."""

    def own_tensors(self) -> dict[str, Tensor]:
        """What the state holds besides the learner."""
        return {}

    def take_own(self, tensors: dict[str, Tensor]) -> None:
        """Take it up again."""

    def hand_over_more(self) -> None:
        """What else comes out at the end."""

    # ---- the run --------------------------------------------------------------------------------------------------------

    def resume(self) -> None:
        """Take up the last state, and of the shards those that it knows."""
        state = self.run.read_state()
        if state is not None:
            tensors, self.at = state
            self.learner.take(tensors, self.at.steps)
            self.take_own(tensors)
            self.run.write_log(self.at.entry if self.at.is_whole else {})
        self.window = self.empty_window()
        for name in self.run.shards():
            if window.iteration_of(self.run.window / name) <= self.at.iteration:
                self.window.add(name, self.read_shard(name)[0])
        self.forget()

    def train(self) -> None:
        """Go on until the end that the arguments tell, or Ctrl-C."""
        clock = Clock(self.args.minutes, self.args.iterations, self.at.iteration)
        if clock.over(self.at.iteration):
            return
        self.expect_matches()
        board = Board(self.run.folder / "tensorboard", self.at.iteration + 1) if self.args.tensorboard else None
        before = torch.get_num_threads()
        torch.set_num_threads(self.args.threads)
        try:
            with closing(self.executor()) as workers, display(self.console, clock, self.words) as shown:
                self.prepare(workers)
                self.clock, self.shown, self.workers = clock, shown, workers
                while not (self.at.is_whole and clock.over(self.at.iteration)):
                    if self.at.is_whole and not self.play_and_learn():
                        return
                    if not self.at.is_whole:
                        self.end_with_match()
                    self.run.write_log(self.at.entry)
                    self.forget()
                    clock.reached(self.at.iteration)
                    shown.entry(self.at.entry)
                    if board is not None:
                        board.entry(self.at.entry)
        finally:
            torch.set_num_threads(before)
            if board is not None:
                board.close()

    def play_and_learn(self) -> bool:
        """The games and the learning of the next iteration, and the state after it. False: the time is over before."""
        at, iteration, begun = self.at, self.at.iteration + 1, time.monotonic()
        timed = self.play(iteration)
        if timed is None:
            return False
        playing = time.monotonic() - begun
        tallies, new = [], 0
        for chunk in range(self.args.chunks):
            name = window.shard_name(iteration, chunk)
            positions, tally = self.read_shard(name)
            self.window.add(name, positions)
            tallies.append(tally)
            new += len(positions)
        at = Standing(iteration, at.steps, at.owed, at.positions + new, at.games, at.champion, at.elo, at.holds)
        at.games += sum(tally.games for tally in tallies)
        self.window.keep(rows_kept(self.args, at.positions))
        due = at.owed + new * self.args.reuse / self.args.batch
        count = int(due) if len(self.window) else 0
        at.owed = due - count
        losses = self.learn(iteration, count)
        at.steps = self.learner.steps
        at.is_whole = not self.match_is_due(iteration)
        at.entry = self.entry_of(at, tallies, timed, losses, count, playing)
        at.entry["seconds"] = round(time.monotonic() - begun, 2)
        self.at = at
        self.save()
        return True

    def play(self, iteration: int) -> list[Any] | None:
        """Play the chunks that are not yet played; what was played now. None if the time is over before all are."""
        missing = [
            k for k in range(self.args.chunks) if not (self.run.window / window.shard_name(iteration, k)).exists()
        ]
        done, timed = self.args.chunks - len(missing), []
        weights = Shared(arrays(self.player()))

        def due() -> Iterator[Task]:
            for k in missing:
                if self.clock.late():
                    return
                yield self.chunk(iteration, k, weights)

        self.shown.stage(iteration, "games", done, self.args.chunks)
        with closing(self.workers.run(due())) as outcomes:  # type: ignore[type-var]
            for outcome in outcomes:
                name = window.shard_name(iteration, outcome.task.payload.number)
                timed.append(self.write_shard(name, value_of(outcome)))
                done += 1
                self.shown.stage(iteration, "games", done, self.args.chunks)
        return timed if done == self.args.chunks else None

    def learn(self, iteration: int, count: int) -> Any:
        """So many steps from the window."""
        rng = np.random.default_rng(seeds.sequence(self.args.seed, seeds.BATCHES, iteration))

        def drawn() -> Iterator[Any]:
            for k, rows in enumerate(self.batches(count, rng)):
                interrupts.check()
                if k % 10 == 0:
                    self.shown.stage(iteration, "learning", k, count)
                yield rows

        return self.learn_from(drawn())

    def end_with_match(self) -> None:
        """The match that this iteration ends with; the state after it."""
        at, begun = self.at, time.monotonic()
        self.match()
        at.entry["seconds"] = round(at.entry["seconds"] + time.monotonic() - begun, 2)
        at.is_whole = True
        self.save()

    def do_all(self, work: list[Task]) -> Iterator[tuple[Task, Any]]:
        """Do the parts of a match, and show how far it is; what they bring, as they end."""
        self.shown.stage(self.at.iteration, "match", 0, len(work))
        with closing(self.workers.run(iter(work))) as outcomes:  # type: ignore[type-var]
            for done, outcome in enumerate(outcomes):
                yield outcome.task, value_of(outcome)
                self.shown.stage(self.at.iteration, "match", done + 1, len(work))

    # ---- on disk --------------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the state."""
        self.run.write_state(self.learner.tensors() | self.own_tensors(), self.at)

    def hand_over(self) -> None:
        """What comes out of a start: the player, and what else was asked for, as of the last whole iteration."""
        if not self.run.state.exists():
            if self.args.export or getattr(self.args, "pack", None):
                self.console.print("There is no whole iteration yet, so nothing is exported or packed.")
            return
        self.resume()  # an interrupted step of learning leaves the learner in between
        self.export(self.run.folder / "player")
        self.console.print(f"Network: {escape(str(self.run.folder / 'player.safetensors'))}", highlight=False)
        if self.args.export is not None:
            self.export(self.args.export)
            self.console.print(f"Exported: {escape(str(self.args.export))}", highlight=False)
        self.hand_over_more()

    def forget(self) -> None:
        """Reduce the window to what is learned from, and remove the shards that lie outside of it."""
        self.window.keep(rows_kept(self.args, self.at.positions))
        kept = set(self.window.names)
        for name in self.run.shards():
            if name not in kept and window.iteration_of(self.run.window / name) <= self.at.iteration:
                (self.run.window / name).unlink()

    # ---- workers --------------------------------------------------------------------------------------------------------

    def executor(self) -> Executor:
        args = self.args
        return executor.make(args.workers, [self.preparation()], args.backend, args.ray_address)

    def prepare(self, workers: Executor) -> None:
        words = "Making the game ready; what it needs is compiled when it is first used ..."
        if not self.console.is_terminal:
            self.console.print(words)
        with self.console.status(words):
            for outcome in workers.prepare():
                value_of(outcome)


def rows_kept(args: RunArgs, positions: int) -> int:
    """How many of so many positions made in all are learned from."""
    return min(args.window, max(args.window_least, int(args.window_share * positions)))


def arrays(tensors: dict[str, Tensor]) -> Weights:
    """Weights as arrays, for other processes."""
    return {name: x.numpy() for name, x in tensors.items()}


def value_of(outcome: Outcome) -> Any:
    """What a task brought; a task that failed ends the run, which can be gone on with."""
    if outcome.failure is None:
        return outcome.value
    if outcome.failure.kind == "error":
        raise RuntimeError(f"{outcome.task.key} failed:\n{outcome.failure.detail}")
    raise UsageError(
        f"{outcome.task.key}: {outcome.failure.detail}; the same command goes on, perhaps with fewer --workers"
    )
