"""The methods `vcf` and `vct` of `narabe solve`: wins by continuous threats, one position after the other."""

from __future__ import annotations

import json
import re
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from narabe import envs
from narabe.envs import Game, IllegalMove, State
from narabe.envs.drawing.ansi import ansi
from narabe.envs.scene import Scene
from narabe.experiments.args import UsageError
from narabe.experiments.positions import Posed, read_positions, state_of
from narabe.experiments.solve_args import SolveArgs
from narabe.search.threats import Answer, Solver
from narabe.search.threats.report import position_for

METHODS = ("vcf", "vct")
FIRST_WORD, PAUSE = 2.0, 10.0
"""Seconds until the first line of progress, and at most between two."""
WAIT = 0.05
"""Seconds between two looks whether a long search is over."""
STOPPED = 130


@dataclass(frozen=True)
class Task:
    """A position with all that is asked about it."""

    posed: Posed
    method: str
    seat: int
    """The attacker."""

    @property
    def state(self) -> State:
        return self.posed.state

    @property
    def attacker(self) -> str:
        return self.state.game.players[self.seat]


@dataclass(frozen=True)
class Solved:
    """An answer."""

    task: Task
    answer: Answer


def run(args: SolveArgs, console: Console | None = None) -> int:
    """Solve all positions of the arguments, and tell each answer as it is found; 130 after Ctrl-C."""
    console = console or Console(highlight=False, soft_wrap=True)
    tasks = tasks_of(args)
    if args.proofs is not None:
        _make_folder(args.proofs)
    done: list[Solved] = []
    stopped = False
    with Progress(len(tasks), quiet=console.is_terminal) as progress:
        try:
            for solved in answers(tasks, args, progress):
                done.append(solved)
                tell(solved, len(done), args, console)
        except KeyboardInterrupt:
            stopped = True
    if args.json:
        console.print(json.dumps(summary(done, len(tasks), stopped)), markup=False)
    else:
        for line in closing(done, len(tasks), stopped):
            console.print(line, markup=False)
    return STOPPED if stopped else 0


def answers(tasks: Sequence[Task], args: SolveArgs, progress: Progress) -> Iterator[Solved]:
    """The answer to each task."""
    desks, won = Desks(args), 0
    progress.at("compiling", 0, 0)
    desks.compile(tasks)
    for number, task in enumerate(tasks):
        progress.at(task.posed.name, number, won)
        solved = Solved(task, desks.ask(task))
        won += solved.answer.won is True
        yield solved


def tell(solved: Solved, number: int, args: SolveArgs, console: Console) -> None:
    """Print an answer, and write its proof if that is wished."""
    if args.proofs is not None and solved.answer.proof is not None:
        solved.answer.proof.save(proof_path(args.proofs, number, solved.task.posed.name))
    console.print(json.dumps(report(solved)) if args.json else words(solved), markup=False)
    if args.board and not args.json:
        show_board(solved, console)


# ---- what is asked for ----


def tasks_of(args: SolveArgs) -> list[Task]:
    """The positions with their methods and attackers; `UsageError` if one of them cannot be asked about."""
    for name in ("nodes", "seconds"):
        value = getattr(args, name)
        if value is not None and not value > 0:
            raise UsageError(f"--{name} is above 0")
    if args.file is None:
        posed = [_single(args)]
    elif args.position is not None or args.moves:
        raise UsageError("a file of positions, or --position and --moves: not both")
    else:
        posed = read_positions(args.file, _game_of(args), METHODS)
    return [_task(args, one) for one in posed]


def _game_of(args: SolveArgs) -> Game | None:
    try:
        return None if args.game is None else envs.game(args.game)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _single(args: SolveArgs) -> Posed:
    game = _game_of(args)
    if game is None or (args.position is None and not args.moves):
        raise UsageError("what is to be solved? Give --game with --moves or --position, or a file of positions")
    facts: dict[str, Any] = {"moves": " ".join(args.moves)}
    if args.position is not None:
        facts["position"] = args.position
    try:
        return Posed("position", state_of(facts, game))
    except ValueError as error:
        raise UsageError(str(error)) from error


def _task(args: SolveArgs, posed: Posed) -> Task:
    where = posed.name if args.file is None else f"{args.file}, {posed.where}"
    state = posed.state
    if not hasattr(state.game.law, "hand_over"):
        raise UsageError(f"{where}: {state.game.spec} has no vcf or vct, which are of games of rows on a board")
    if state.is_over:
        raise UsageError(f"{where}: the game is over ({state.reason})")
    if state.to_play < 0:
        raise UsageError(f"{where}: a turn of chance, on which nobody has a threat")
    try:
        seat = seat_of(args.seat or posed.attacker, state)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from error
    return Task(posed, args.method or posed.method or METHODS[0], seat)


def seat_of(word: str | None, state: State) -> int:
    """The seat that a word such as black or b names; the one to move if there is no word."""
    if word is None:
        return state.to_play
    names = [name.lower() for name in state.game.players]
    found = [seat for seat, name in enumerate(names) if word.lower() in (name, name[0])]
    if not found:
        raise UsageError(f"{word!r} is no seat: {', '.join(names)}")
    return found[0]


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--proofs {folder}: {error.strerror or type(error).__name__}") from error


def proof_path(folder: Path, number: int, name: str) -> Path:
    """Where the proof of a position is written: its number keeps the names of files apart.

    >>> proof_path(Path("out"), 7, "a/b c").name
    '0007_a_b_c.json'
    """
    return folder / f"{number:04}_{re.sub(r'[^A-Za-z0-9.-]+', '_', name)}.json"


# ---- asking ----


class Desks:
    """One solver for each game, and the budget of a position."""

    def __init__(self, args: SolveArgs) -> None:
        self.mb = args.mb
        self.budget = {
            "nodes": args.nodes,
            "ms": None if args.seconds is None else 1000.0 * args.seconds,
        }
        self.threats = args.threats
        self._solvers: dict[Game, Solver] = {}

    def ask(self, task: Task) -> Answer:
        """The answer to a task."""
        game = task.state.game
        if game not in self._solvers:
            self._solvers[game] = Solver(game, mb=self.mb)
            self._solvers[game].clear()  # memory is really handed out when it is written to, which takes time as well
        return aside(
            partial(self._ask, self._solvers[game], task.method, position_for(task.state, task.seat), self.budget)
        )

    def compile(self, tasks: Iterable[Task]) -> None:
        """Ask each kind of question once, so that compiling (seconds, the first time) is not counted as solving."""
        for (_, method), task in {(task.state.game.law, task.method): task for task in tasks}.items():
            state = nearly_won(task.state.game)
            aside(partial(self._ask, Solver(state.game, mb=1), method, state, {"nodes": 1, "ms": None}))

    def _ask(self, solver: Solver, method: str, state: State, budget: dict[str, Any]) -> Answer:
        """Ask for the side to move."""
        return solver.vct(state, threats=self.threats, **budget) if method == "vct" else solver.vcf(state, **budget)


def nearly_won(game: Game) -> State:
    """A position that is won with the next stone; the start where none is at hand."""
    width = game.options["width"]
    if "row" in game.options:
        step = 1 if width >= game.options["row"] else width
        return game.position(black=[step * n for n in range(game.options["row"] - 1)])
    state = game.start()
    try:
        for n in range(4):  # five in a row, without set-up positions of stones alone
            state.play(n).play(3 * width + 2 * n)
    except IllegalMove:
        return game.start()
    return state


def aside(job: Callable[[], Answer]) -> Answer:
    """Do a job in a thread of its own, so that Ctrl-C is heard at once and not when the compiled search next comes up."""
    found: list[Answer] = []
    failed: list[BaseException] = []

    def do() -> None:
        try:
            found.append(job())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(WAIT)
    if failed:
        raise failed[0]
    return found[0]


class Progress:
    """Lines on the error output for as long as one position, or where nobody sees the answers all of them, take."""

    def __init__(self, total: int, quiet: bool) -> None:
        self.total, self.quiet = total, quiet
        self._begun = self._since = time.monotonic()
        self._name, self._done, self._won = "", 0, 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._now_and_then, daemon=True)

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def at(self, name: str, done: int, won: int) -> None:
        """A position is begun, and so many are done and won before it."""
        self._name, self._done, self._won = name, done, won
        if self.quiet:  # its answers are progress enough
            self._since = time.monotonic()

    def _now_and_then(self) -> None:
        wait = FIRST_WORD
        while not self._over.wait(wait):
            now = time.monotonic()
            if now - self._since >= FIRST_WORD:
                print(
                    f"... {self._done} of {self.total}, {self._won} won, {self._name}: {now - self._begun:.0f} s",
                    file=sys.stderr,
                )
            wait = min(PAUSE, max(FIRST_WORD, now - self._begun))


# ---- what is told ----


def words(solved: Solved) -> str:
    """An answer in a line."""
    task, answer = solved.task, solved.answer
    kind = task.method.upper()
    took = f"({answer.nodes:,} nodes, {answer.seconds:.3f} s)"
    who = task.attacker if task.seat == task.state.to_play else f"{task.attacker} if the other passed"
    if answer.won:
        moves = " ".join(map(task.state.game.text_of, answer.line))
        return f"{task.posed.name}: {who}: {kind} in {_plies(len(answer.line))}: {moves} {took}"
    return f"{task.posed.name}: {who}: {f'no {kind}' if answer.won is False else 'unknown (budget)'} {took}"


def show_board(solved: Solved, console: Console) -> None:
    """The position in text, with the line as numbered stones."""
    task, answer = solved.task, solved.answer
    scene = position_for(task.state, task.seat).scene(line=answer.line if answer.won else ())
    assert isinstance(scene, Scene)
    colourful = console.is_terminal and not console.no_color and console.color_system in ("256", "truecolor")
    console.out(ansi(scene, color=colourful), highlight=False)


def report(solved: Solved) -> dict[str, Any]:
    """An answer in plain numbers and texts."""
    task, answer = solved.task, solved.answer
    text = task.state.game.text_of
    return {
        "id": task.posed.name,
        "game": task.state.game.spec,
        "position": task.state.to_text(),
        "method": task.method,
        "attacker": task.attacker,
        "to_move": task.state.game.players[task.state.to_play],
        "won": answer.won,
        "plies": len(answer.line) if answer.won else None,
        "line": [text(action) for action in answer.line] if answer.won else [],
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
    }


def summary(done: Sequence[Solved], total: int, stopped: bool) -> dict[str, Any]:
    """The totals: how many were won, disproved and left open, and what they took."""
    answers = [solved.answer for solved in done]
    seconds, nodes = [answer.seconds for answer in answers], sum(answer.nodes for answer in answers)
    return {
        "solved": sum(answer.won is True for answer in answers),
        "of": total,
        "none": sum(answer.won is False for answer in answers),
        "unknown": sum(answer.won is None for answer in answers),
        "stopped": stopped,
        "nodes": nodes,
        "seconds": round(sum(seconds), 6),
        "median_seconds": round(statistics.median(seconds), 6) if seconds else None,
        "p99_seconds": round(float(np.quantile(seconds, 0.99)), 6) if seconds else None,
        "nodes_per_second": round(nodes / sum(seconds)) if sum(seconds) > 0 else None,
    }


def closing(done: Sequence[Solved], total: int, stopped: bool) -> list[str]:
    """The last lines of text."""
    totals = summary(done, total, stopped)
    lines = [f"stopped after {len(done)}"] if stopped else []
    if len(done) > 1:
        times = f"median {1000 * totals['median_seconds']:.2f} ms, 99 % {1000 * totals['p99_seconds']:.2f} ms"
        rate = f", {totals['nodes_per_second'] / 1e6:.2f} M a second" if totals["nodes_per_second"] else ""
        lines.append(f"{totals['nodes']:,} nodes{rate}; {totals['seconds']:.2f} s; a position: {times}")
    return [*lines, f"solved {totals['solved']} of {total}"]


def _plies(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"
