"""`narabe train`: games with the network as it is, steps of learning from them, now and then a match; over and over.

An iteration: chunks of self-play (through an executor, here or in worker processes) become shards of the window; then the
learner makes as many steps as the new positions pay for; then the state is written, by which the iteration is over. Every
`gate_every` iterations the new network meets the last that passed. Nothing that is decided depends on the clock or on the
number of workers, so a run that is broken off and gone on with makes the same weights as one that is left alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.markup import escape
from torch import Tensor

from narabe import envs
from narabe.agents import checkpoints
from narabe.agents.networks import Network
from narabe.agents.symmetries import Symmetries
from narabe.envs.rules import core
from narabe.experiments import interrupts, openings
from narabe.experiments.args import UsageError
from narabe.experiments.executor import Executor, InProcessExecutor, Outcome, ProcessExecutor, Task
from narabe.experiments.schedule import ScheduleError
from narabe.experiments.training import packing, seeds, tasks, window
from narabe.experiments.training.args import TrainArgs, check, command, fixed
from narabe.experiments.training.batches import batches
from narabe.experiments.training.gate import Score
from narabe.experiments.training.learning import Learner, Losses, part, rate_at
from narabe.experiments.training.progress import Board, Clock, display
from narabe.experiments.training.selfplay import Tally
from narabe.experiments.training.state import Run, Standing, stored

PART = 8  # openings of a match that are played by one task


def run(args: TrainArgs, console: Console | None = None) -> int:
    """Train for the command line; returns the exit code: 0, or 130 after Ctrl-C."""
    console = console or Console()
    args = as_stored(args) if args.minutes == 0 else args
    check(args)
    with interrupts.deferred(), Run(args) as folder:
        trainer = Trainer(args, folder, console)
        try:
            trainer.train()
            code = 0
        except KeyboardInterrupt:
            code = 130
        trainer.hand_over()
        if not (args.iterations is not None and trainer.at.iteration >= args.iterations) and args.minutes != 0:
            words = "Stopped" if code else "The time is over"
            console.print(
                f"{words} after {trainer.at.iteration} whole iterations. The same command goes on from there:"
            )
            console.print(f"  {escape(command(args))}", highlight=False, soft_wrap=True)
    return code


def as_stored(args: TrainArgs) -> TrainArgs:
    """For a start that learns nothing: the settings that the run has, whatever else was typed."""
    settings = stored(args.run)
    if settings is None:
        raise UsageError(f"--minutes 0 learns nothing, and {args.run} holds no run to export or pack")
    return TrainArgs(**{**vars(args), **settings})


def game_of(args: TrainArgs) -> envs.Game:
    """The game of a run; `UsageError` if no network of a board can learn it by search."""
    game = envs.game(args.game)
    if core.hides(game.law):
        raise UsageError(f"{game.spec} has hidden hands: a search of what a board shows cannot play it")
    if args.gate_every and game.num_players != 2:
        raise UsageError(f"--gate-every {args.gate_every}: matches are for games of two players; take 0 here")
    return game


class Trainer:
    """A run that is gone on with: where it stands, its learner and its window."""

    def __init__(self, args: TrainArgs, folder: Run, console: Console) -> None:
        self.args, self.run, self.console = args, folder, console
        self.game = game_of(args)
        if args.device != "cpu" and not torch.cuda.is_available():
            raise UsageError(f"--device {args.device}: torch finds no such device here")
        self.symmetries = Symmetries(self.game) if args.symmetries else None
        with torch.random.fork_rng():
            torch.manual_seed(seeds.number(args.seed, seeds.WEIGHTS))
            network = Network(self.game, tasks.shape_of(args))
        self.learner = Learner(network, args)
        self.at = Standing()
        self.champion = self.averaged()
        if args.from_pack is not None and not folder.state.exists():
            packing.unpack(args.from_pack, folder, args)
        self.resume()

    def resume(self) -> None:
        """Take up the last state, and of the shards those that it knows."""
        state = self.run.read_state()
        if state is not None:
            tensors, self.at = state
            self.learner.take(tensors, self.at.steps)
            champion = part(tensors, "champion.")
            self.champion = {name: x.to(self.champion[name].dtype) for name, x in champion.items()} or self.champion
            self.run.write_log(self.at.entry if self.at.is_whole else {})
        known = [name for name in self.run.shards() if window.iteration_of(self.run.window / name) <= self.at.iteration]
        self.window = window.load(self.run.window, known)
        self.forget()

    def train(self) -> None:
        """Go on until the end that the arguments tell, or Ctrl-C."""
        clock = Clock(self.args.minutes, self.args.iterations, self.at.iteration)
        if clock.over(self.at.iteration):
            return
        self.expect_openings()
        board = Board(self.run.folder / "tensorboard", self.at.iteration + 1) if self.args.tensorboard else None
        before = torch.get_num_threads()
        torch.set_num_threads(self.args.threads)
        try:
            with closing(self.executor()) as executor, display(self.console, clock) as shown:
                self.prepare(executor)
                self.clock, self.shown, self.workers = clock, shown, executor
                while not (self.at.is_whole and clock.over(self.at.iteration)):
                    if self.at.is_whole and not self.play_and_learn():
                        return
                    if not self.at.is_whole:
                        self.gate()
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

    # ---- an iteration -----------------------------------------------------------------------------------------------

    def play_and_learn(self) -> bool:
        """The games and the learning of the next iteration, and the state after it. False: the time is over before."""
        at, iteration, begun = self.at, self.at.iteration + 1, time.monotonic()
        timed = self.play(iteration)
        if timed is None:
            return False
        playing = time.monotonic() - begun
        names = [window.shard_name(iteration, chunk) for chunk in range(self.args.chunks)]
        tallies, new = [], 0
        for name in names:
            positions, tally = window.read(self.run.window / name)
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
        at.is_whole = not (self.args.gate_every and iteration % self.args.gate_every == 0)
        at.entry = self.entry_of(at, tallies, timed, losses, count, playing)
        at.entry["seconds"] = round(time.monotonic() - begun, 2)
        self.at = at
        self.save()
        return True

    def play(self, iteration: int) -> list[Tally] | None:
        """Play the chunks that are not yet played; what was played now. None if the time is over before all are."""
        missing = [
            k for k in range(self.args.chunks) if not (self.run.window / window.shard_name(iteration, k)).exists()
        ]
        weights = arrays(self.player())
        done, timed = self.args.chunks - len(missing), []

        def due() -> Iterator[Task]:
            for k in missing:
                if self.clock.late():
                    return
                yield Task(f"chunk {k}", tasks.play, tasks.Chunk(self.args, iteration, k, weights))

        self.shown.stage(iteration, "games", done, self.args.chunks)
        with closing(self.workers.run(due())) as outcomes:  # type: ignore[type-var]
            for outcome in outcomes:
                positions, tally = value_of(outcome)
                window.write(
                    self.run.window / window.shard_name(iteration, outcome.task.payload.number), positions, tally
                )
                timed.append(tally)
                done += 1
                self.shown.stage(iteration, "games", done, self.args.chunks)
        return timed if done == self.args.chunks else None

    def learn(self, iteration: int, count: int) -> Losses | None:
        """So many steps from the window."""
        rng = np.random.default_rng(seeds.sequence(self.args.seed, seeds.BATCHES, iteration))

        def drawn() -> Iterator[window.Rows]:
            for k, rows in enumerate(batches(self.window, count, self.args.batch, rng, self.symmetries)):
                interrupts.check()
                if k % 10 == 0:
                    self.shown.stage(iteration, "learning", k, count)
                yield rows

        return self.learner.learn(drawn())

    def gate(self) -> None:
        """The match that this iteration ends with; the state after it."""
        at, args, begun = self.at, self.args, time.monotonic()
        starts = self.openings(at.iteration)
        weights, others = arrays(self.averaged()), arrays(self.champion)
        parts = [tuple(starts[k : k + PART]) for k in range(0, len(starts), PART)]
        work = [
            Task(f"match {k}", tasks.meet, tasks.Match(args, at.iteration, k, weights, others, some))
            for k, some in enumerate(parts)
        ]
        points = 0.0
        self.shown.stage(at.iteration, "match", 0, len(work))
        with closing(self.workers.run(iter(work))) as outcomes:  # type: ignore[type-var]
            for done, outcome in enumerate(outcomes):
                points += float(value_of(outcome).sum())
                self.shown.stage(at.iteration, "match", done + 1, len(work))
        score = Score(2 * len(starts), points)
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
            "seconds": round(at.entry["seconds"] + time.monotonic() - begun, 2),
        }
        at.is_whole = True
        self.save()

    def entry_of(
        self, at: Standing, tallies: list[Tally], timed: list[Tally], losses: Losses | None, count: int, playing: float
    ) -> dict[str, Any]:
        """The line of the log, without its seconds.

        ``timed``: the chunks played in this start, by all workers in ``playing`` seconds; from them the rates are.
        """
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

    def save(self) -> None:
        """Write the state."""
        tensors = self.learner.tensors()
        if self.args.gate_every:
            tensors |= {f"champion.{name}": x.contiguous() for name, x in self.champion.items()}
        self.run.write_state(tensors, self.at)

    def export(self, path: Any) -> None:
        """Write the network that plays, and its card."""
        network = Network(self.game, tasks.shape_of(self.args))
        network.load_state_dict(self.player())
        at = self.at
        training = {
            "arguments": fixed(self.args),
            "command": command(self.args),
            "iterations": at.iteration,
            "steps": at.steps,
            "positions": at.positions,
            "games": at.games,
            "elo_over_first_weights": at.elo if self.args.gate_every else None,
        }
        checkpoints.save(path, network, checkpoints.Card.of(self.game, tasks.shape_of(self.args), training=training))

    def hand_over(self) -> None:
        """What comes out of a start: the player, and what else was asked for, as of the last whole iteration."""
        if not self.run.state.exists():
            if self.args.export or self.args.pack:
                self.console.print("There is no whole iteration yet, so nothing is exported or packed.")
            return
        self.resume()  # an interrupted step of learning leaves the learner in between
        self.export(self.run.folder / "player")
        self.console.print(f"Network: {escape(str(self.run.folder / 'player.safetensors'))}", highlight=False)
        if self.args.export is not None:
            self.export(self.args.export)
            self.console.print(f"Exported: {escape(str(self.args.export))}", highlight=False)
        if self.args.pack is not None:
            shards = packing.pack(self.run, self.args.pack, self.args.pack_mb)
            self.console.print(f"Packed, with {shards} shards: {escape(str(self.args.pack))}", highlight=False)

    # ---- what is needed for it ---------------------------------------------------------------------------------------

    def forget(self) -> None:
        """Reduce the window to what is learned from, and remove the shards that lie outside of it."""
        self.window.keep(rows_kept(self.args, self.at.positions))
        kept = set(self.window.names)
        for name in self.run.shards():
            if name not in kept and window.iteration_of(self.run.window / name) <= self.at.iteration:
                (self.run.window / name).unlink()

    def openings(self, iteration: int) -> list[tuple[int, ...]]:
        """The openings of the match of an iteration."""
        seed = seeds.number(self.args.seed, seeds.OPENINGS, iteration)
        return openings.draw(self.game, self.args.gate_games // 2, self.args.gate_plies, seed)

    def expect_openings(self) -> None:
        """`UsageError` if there are too few for the matches, before hours have gone by."""
        if self.args.gate_every:
            try:
                self.openings(0)
            except ScheduleError as error:
                raise UsageError(f"--gate-games {self.args.gate_games}: {error}") from None

    def executor(self) -> Executor:
        preparations = [Task("the game", tasks.prepare, self.args)]
        return (
            ProcessExecutor(self.args.workers, preparations) if self.args.workers else InProcessExecutor(preparations)
        )

    def prepare(self, executor: Executor) -> None:
        words = "Making the game ready; what it needs is compiled when it is first used ..."
        if not self.console.is_terminal:
            self.console.print(words)
        with self.console.status(words):
            for outcome in executor.prepare():
                value_of(outcome)


def rows_kept(args: TrainArgs, positions: int) -> int:
    """How many of so many positions made in all are learned from."""
    return min(args.window, max(args.window_least, int(args.window_share * positions)))


def arrays(tensors: dict[str, Tensor]) -> tasks.Weights:
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
