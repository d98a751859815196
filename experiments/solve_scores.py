"""The method `scores` of `narabe solve`: the exact scores of a position's columns, as they are found."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console

from narabe import envs
from narabe.envs import State
from narabe.experiments.args import UsageError
from narabe.experiments.solve_args import USUAL_GAME, SolveArgs
from narabe.search.gravity import Board, BoardError, Position, Solver, plies_to_end, position_of
from narabe.search.gravity.law import board_of, position_of_state

FIRST_WORD, PAUSE = 2.0, 10.0
"""Seconds until the first line of progress, and at most between two."""
FEW_STONES, MANY_CELLS = 8, 40
"""Positions with fewer stones, on a board of so many cells, take minutes."""


def run(args: SolveArgs, console: Console | None = None) -> int:
    """Solve the position of the arguments; `UsageError` where there is nothing that can be solved."""
    console = console or Console(highlight=False, soft_wrap=True)
    state = state_of(args)
    try:
        position, solver = position_of_state(state), Solver(board_of(state.game), args.mb, args.weak)
    except BoardError as error:
        raise UsageError(str(error)) from error
    say: Callable[[str], None] = (lambda text: None) if args.json else lambda text: console.print(text, markup=False)
    say(str(state))
    if position.plies < FEW_STONES and solver.board.cells >= MANY_CELLS:
        print("so few stones: this may take many minutes; Ctrl-C stops it", file=sys.stderr)
    compile_kernels()
    progress = Progress(solver)
    start = time.process_time()
    scores: dict[int, int] = {}
    for column in solver.by_centre(position):
        progress.about = f"column {state.game.text_of(column)}"
        scores[column] = solver.score_of(position, column)
        say(f"{state.game.text_of(column):>3}  {signed(scores[column]):>3}  {words(solver, position, scores[column])}")
    progress.about = "the line of best play"
    score = max(scores.values())
    line = solver.line(position, score)
    took = time.process_time() - start
    found = report(state, scores, line, solver, took)
    if args.json:
        console.print(json.dumps(found), markup=False)
        return 0
    say(f"best: {' '.join(found['best'])}, {words(solver, position, score)}")
    say(f"line: {' '.join(found['line'])}")
    say(f"{solver.nodes:,} nodes, {took:.2f} CPU seconds, {solver.nodes / max(took, 1e-9) / 1e6:.1f} M nodes a second")
    return 0


def compile_kernels() -> None:
    """Solve a small board first, so that compiling (some seconds, the first time) is not counted as solving."""
    board = Board(4, 2)
    start, small = position_of(board, []), Solver(board, mb=1)
    small.line(start, max(small.score_of(start, column) for column in small.by_centre(start)))


def state_of(args: SolveArgs) -> State:
    """The position of the arguments; `UsageError` says what cannot be read or played."""
    try:
        game = envs.game(args.game or USUAL_GAME)
        board_of(game)
        state = game.from_text(args.position) if args.position else game.start()
        for move in split(args.moves, single=game.num_actions <= 9):
            state.play(move)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return state


def split(texts: list[str], single: bool) -> list[str]:
    """The moves of texts such as 4445 (where all columns have one digit), "4 4 5" or 4,4,5."""
    words = " ".join(texts).replace(",", " ").split()
    return [move for word in words for move in (word if single and word.isdigit() else [word])]


def signed(score: int) -> str:
    return f"{score:+d}" if score else "0"


def words(solver: Solver, position: Position, score: int) -> str:
    """A score of the player to move in words."""
    if score == 0:
        return "draw"
    verb = "wins" if score > 0 else "loses"
    if solver.weak:
        return verb
    more = plies_to_end(solver.board, position, score)
    return f"{verb} in {more} {'ply' if more == 1 else 'plies'}, at ply {position.plies + more}"


def report(state: State, scores: dict[int, int], line: list[int], solver: Solver, took: float) -> dict[str, Any]:
    """What is known, in plain numbers and texts."""
    text, best = state.game.text_of, max(scores.values())
    position = position_of_state(state)
    return {
        "game": state.game.spec,
        "position": state.to_text(),
        "moves": [text(action) for action in state.history],
        "to_move": state.game.players[state.to_play],
        "weak": solver.weak,
        "score": best,
        "plies": None if solver.weak else plies_to_end(solver.board, position, best),
        "columns": {text(column): scores[column] for column in sorted(scores)},
        "best": [text(column) for column in sorted(scores) if scores[column] == best],
        "line": [text(column) for column in line],
        "nodes": solver.nodes,
        "cpu_seconds": round(took, 3),
    }


class Progress:
    """Lines on the error output for as long as a solver takes, the first after two seconds."""

    def __init__(self, solver: Solver) -> None:
        self.solver, self.about = solver, ""
        self._begun = time.monotonic()
        self._next = self._begun + FIRST_WORD
        solver.tick = self._tick

    def _tick(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            spent = now - self._begun
            self._next = now + min(PAUSE, spent)
            print(f"... {self.about}: {self.solver.nodes / 1e6:.1f} M nodes, {spent:.0f} s", file=sys.stderr)
