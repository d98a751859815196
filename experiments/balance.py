"""`narabe openings balance`: a book of positions that an agent thinks about even.

Positions are drawn one after another from streams of their own, judged in any order by any number of workers, and taken
in the order in which they were drawn; so a book depends on its settings alone, where the agent's values do.
"""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape

from narabe import __version__, agents, envs
from narabe.envs import Game
from narabe.envs.rules import core
from narabe.experiments import interrupts, openings
from narabe.experiments.args import UsageError
from narabe.experiments.asking import Question, ask, made_ready, position_of, value_of
from narabe.experiments.counter import Counter
from narabe.experiments.executor import Task
from narabe.experiments.guard import Guard
from narabe.experiments.locking import Busy, hold
from narabe.experiments.openings_args import BalanceArgs
from narabe.experiments.schedule import BOOK, stream_seed
from narabe.search.threats import Solver

MOST = 200
"""Positions that are drawn for each opening wanted, unless told otherwise."""


@dataclass(frozen=True)
class Verdict:
    """What was found: ``value`` of the first player; ``fault``: why the position will not do whatever its value, or None.

    It is decided (by the agent's search, "vcf" or "vct"), or the value is "unclear".
    """

    number: int
    moves: str
    value: float
    fault: str | None


def run(args: BalanceArgs, console: Console | None = None) -> int:
    """Make the book; returns the exit code: 0, or 130 after Ctrl-C. `UsageError` says what cannot be done."""
    console = console or Console()
    game = check(args)
    with interrupts.deferred(), Judged(args, game) as judged:
        try:
            kept = judge(args, game, judged, console)
        except KeyboardInterrupt:
            console.print(f"Stopped: {len(judged.verdicts)} positions are judged. The same command goes on from there.")
            return 130
        write(args, game, kept)
        judged.remove()
    values = np.array([verdict.value for verdict in kept])
    console.print(
        f"{len(kept)} openings of {kept[-1].number + 1} positions: {escape(str(args.out))}",
        highlight=False,
        soft_wrap=True,
    )
    console.print(f"values {values.min():+.2f} to {values.max():+.2f}, mean {values.mean():+.3f}", highlight=False)
    return 0


def check(args: BalanceArgs) -> Game:
    """The game; `UsageError` for what cannot be done."""
    game = envs.game(args.game)
    if core.hides(game.law):
        raise UsageError(
            f"{game.spec} has hidden hands: nobody can be asked for the value of a deal; both pairs share deals"
        )
    if len(game.teams) != 2:
        raise UsageError(f"{game.spec} has {len(game.teams)} sides, and books are for two")
    for name, fits, words in (
        ("count", args.count >= 1, "at least 1"),
        ("plies", args.plies >= 1, "at least 1"),
        ("near", args.near >= 0, "0 or more"),
        ("window", 0 < args.window <= 1, "above 0 and at most 1"),
        ("workers", args.workers >= 0, "0 or more"),
    ):
        if not fits:
            raise UsageError(f"--{name} {getattr(args, name)}: it must be {words}")
    if args.out.exists():
        raise UsageError(f"{args.out} is there already: move it away, or choose another --out")
    agents.make(args.agent, game).close()
    return game


def judge(args: BalanceArgs, game: Game, judged: Judged, console: Console) -> list[Verdict]:
    """Judge positions until enough are kept; `UsageError` if there are not."""
    kept: list[Verdict] = []
    at = 0  # number of the next position to settle
    first = Question(args.game, args.agent, -1, (), args.seed)
    ready = Task("making ready", answer, (first, min(args.threat_nodes, 1)))
    with (
        closing(made_ready(args.workers, [ready], console, args.agent)) as executor,
        closing(executor.run(_tasks(args, game, judged))) as outcomes,  # type: ignore[type-var]
        Counter(console, "openings", args.count) as shown,
    ):
        while True:
            while at in judged.verdicts and len(kept) < args.count:
                kept += [judged.verdicts[at]] if is_even(judged.verdicts[at], args.window) else []
                at += 1
            shown.at(len(kept), f"{len(judged.verdicts)} positions judged")
            if len(kept) == args.count:
                return kept
            outcome = next(outcomes, None)
            if outcome is None:
                raise UsageError(_too_few(args, len(kept), at, judged))
            judged.add(value_of(outcome))


def is_even(verdict: Verdict, window: float) -> bool:
    """Does the position belong into the book?"""
    return verdict.fault is None and abs(verdict.value) <= window


def _too_few(args: BalanceArgs, kept: int, at: int, judged: Judged) -> str:
    unclear = sum(verdict.fault == "unclear" for verdict in judged.verdicts.values())
    if 2 * unclear > at:
        return (
            f"of {at} positions {unclear} are unclear: {args.agent} sees a win for one side before the move that it would make "
            "itself, and for the other after it. Let another agent judge"
        )
    return (
        f"of {at} positions {kept} are even for {args.agent}, and {args.count} are wanted: ask for fewer by --count, for a "
        "wider --window, for other --plies or --near, or for --most positions; what was judged is kept"
    )


def _tasks(args: BalanceArgs, game: Game, judged: Judged) -> Iterator[Task]:
    for question in questions(args, game):
        if question.number not in judged.verdicts:
            yield Task(f"position {question.number}", answer, (question, args.threat_nodes))


def questions(args: BalanceArgs, game: Game) -> Iterator[Question]:
    """Positions, no two alike up to symmetry, until there are --most or no further one is found."""
    known: set[tuple[int, object]] = set()
    cells = openings.cells_near(game, args.near)
    for number in range(MOST * args.count if args.most is None else args.most):
        rng = np.random.default_rng(np.random.SeedSequence(args.seed, spawn_key=(BOOK, 0, number)))
        start = openings.one(game, args.plies, rng, known, cells)
        if start is None:
            return
        yield Question(args.game, args.agent, number, start, stream_seed(args.seed, BOOK, 1, number))


# ---- in a worker ----------------------------------------------------------------------------------------------------------


def answer(job: tuple[Question, int], guard: Guard) -> Verdict:
    """Judge a position; a task's function for an executor, with the question and the nodes for threats as its payload."""
    question, threat_nodes = job
    thought = ask(question)
    if thought.value is None:
        raise UsageError(f"{question.agent} tells no value of a position: take an agent that does, such as uct or net")
    fault = "search" if thought.proven else forced_win(question, threat_nodes)
    if fault is None and not thought.is_clear:
        fault = "unclear"
    moves = " ".join(map(envs.game(question.game).text_of, question.start))
    return Verdict(question.number, moves, round(thought.value, 4), fault)


def forced_win(question: Question, nodes: int) -> str | None:
    """Has the side to move a win by continuous fours or threats that so many nodes find? Its name, or None."""
    state = position_of(question)
    if not nodes or not hasattr(state.game.law, "hand_over"):
        return None
    solver = _solver(state.game)
    solver.clear()  # what one position taught must not help the next, or answers would depend on who got which
    if solver.vcf(state, nodes=nodes).won:
        return "vcf"
    return "vct" if solver.vct(state, nodes=nodes).won else None


@lru_cache(maxsize=2)
def _solver(game: Game) -> Solver:
    return Solver(game)


# ---- on disk --------------------------------------------------------------------------------------------------------------


class Judged:
    """The positions judged so far, in a file beside the book; a line is on disk when `add` returns.

    For one process at a time: `UsageError` if another one makes the same book.
    """

    def __init__(self, args: BalanceArgs, game: Game) -> None:
        self.path = args.out.with_name(args.out.name + ".judged")
        self._lock_path = args.out.with_name(args.out.name + ".lock")
        try:
            args.out.parent.mkdir(parents=True, exist_ok=True)
            self._lock = hold(self._lock_path)
        except Busy:
            raise UsageError(f"another process makes {args.out}; wait for it, or choose another --out") from None
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"{args.out} cannot be written ({error}); choose another --out") from None
        try:
            self._open(args, game)
        except BaseException:
            self._lock.close()
            raise

    def _open(self, args: BalanceArgs, game: Game) -> None:
        self.verdicts: dict[int, Verdict] = {}
        settings = settings_of(args, game)
        whole = ""
        if self.path.exists():
            text = self.path.read_text(encoding="utf-8")
            whole = text[: text.rfind("\n") + 1]  # a kill may have left half a line
        head, *lines = whole.splitlines() or [""]
        if lines:
            self._agree(json.loads(head), settings)
            for line in lines:
                verdict = Verdict(**json.loads(line))
                self.verdicts[verdict.number] = verdict
        else:
            whole = json.dumps(settings) + "\n"
        try:
            self._file = self.path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written ({error.strerror}); choose another --out") from None
        self._put(whole)

    def __enter__(self) -> Judged:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._lock.close()

    def remove(self) -> None:
        """Remove the files: the book is there, and needs them no more."""
        self.path.unlink()
        self._lock_path.unlink()

    def add(self, verdict: Verdict) -> None:
        self.verdicts[verdict.number] = verdict
        self._put(json.dumps(vars(verdict)) + "\n")

    def _put(self, text: str) -> None:
        self._file.write(text)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _agree(self, there: dict[str, Any], wanted: dict[str, Any]) -> None:
        names = [name for name in wanted if there.get(name) != wanted[name]]
        if names:
            words = "; ".join(f"{name}: {there.get(name)} there, {wanted[name]} now" for name in names)
            raise UsageError(
                f"{self.path} holds positions judged with other settings ({words}): use those, or delete it"
            )


def settings_of(args: BalanceArgs, game: Game) -> dict[str, Any]:
    """What decides how positions are judged. How many are wanted, and how even, may change."""
    names = ("agent", "plies", "near", "threat_nodes", "seed")
    return {"game": game.spec, **{name: getattr(args, name) for name in names}, "narabe": __version__}


def write(args: BalanceArgs, game: Game, kept: list[Verdict]) -> None:
    """The book, whole or not at all."""
    shared = {
        "game": game.spec,
        "agent": args.agent,
        "window": args.window,
        "version": __version__,
        "seed": args.seed,
        "command": command(args),
    }
    lines = [json.dumps({"moves": v.moves, "value": v.value, "drawn": v.number, **shared}) for v in kept]
    part = args.out.with_name(args.out.name + ".part")
    part.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
    part.replace(args.out)


def command(args: BalanceArgs) -> str:
    """The command that makes this book."""
    words = ["narabe", "openings", "balance", "--game", args.game, "--agent", args.agent, "--count", str(args.count)]
    words += ["--plies", str(args.plies), "--near", str(args.near), "--window", f"{args.window:g}"]
    words += ["--threat-nodes", str(args.threat_nodes), "--seed", str(args.seed), "--out", str(args.out)]
    return shlex.join(words)
