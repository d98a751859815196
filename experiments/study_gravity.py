"""The solver beside files of known answers, and on boards that take longer than a test may.

    python -m narabe.experiments.study_gravity --scores c4_8ply_scores.txt.gz --workers 2 --out runs/gravity_scores.txt
    python -m narabe.experiments.study_gravity --outcomes connect_small_boards.json
    python -m narabe.experiments.study_gravity --empty

`--scores`: a text file, or a gzip one, of lines "columns played (1 to 7) and the score for the mover" of 7x6. Each
answer is added to `--out` as soon as it is there, with its nodes and CPU milliseconds; a study that was stopped or
killed goes on from that file. `--outcomes`: JSON with the outcomes of flat boards and cylinders by size; each one is
printed when it is found. `--empty`: the start position of 7x6. Exit status 1 if anything disagrees.
"""

from __future__ import annotations

import gzip
import itertools
import json
import multiprocessing
import pathlib
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass

import tyro

from narabe.search.gravity import Board, BoardError, Position, Solver, position_of

CHUNK = 5
"""Lines that one worker solves one after the other with a warm table."""
RESULTS = {"first": 1, "draw": 0, "second": -1}
SAY_SECONDS = 10.0


@dataclass(frozen=True)
class StudyGravity:
    """Compare the solver with known scores and outcomes."""

    scores: pathlib.Path | None = None
    """File of 7x6 positions with their scores, possibly gzipped."""
    lines: str = "0:"
    """Which of its lines, such as 30000:30200."""
    out: pathlib.Path = pathlib.Path("runs/gravity_scores.txt")
    """Where the answers are kept, a line each; answers that are there already are not sought again."""
    outcomes: pathlib.Path | None = None
    """JSON file of outcomes of small boards, under "flat" and "cylinder"."""
    only: tuple[str, ...] = ()
    """Only these sizes of it, such as 6x5 5x7."""
    empty: bool = False
    """Solve the start position of 7x6."""
    workers: int = 1
    """Processes, each with a table of its own."""
    mb: float = 64.0
    """Memory for each table in MiB."""


@dataclass(frozen=True)
class Answer:
    """A position of the file, the score found for it, and what that took."""

    moves: str
    score: int
    nodes: int
    ms: float

    def line(self) -> str:
        return f"{self.moves} {self.score} {self.nodes} {self.ms:.1f}\n"


def run(args: StudyGravity) -> int:
    """Do what the arguments ask for; returns the exit status."""
    if not (args.scores or args.outcomes or args.empty):
        print("nothing to do: give --scores, --outcomes or --empty", file=sys.stderr)
        return 2
    wrong = 0
    if args.scores:
        wrong += study_scores(args, args.scores)
    if args.outcomes:
        wrong += study_outcomes(args, args.outcomes)
    if args.empty:
        wrong += study_empty(args)
    return 1 if wrong else 0


# ---- a file of scores ----


def read_scores(path: pathlib.Path, lines: str = "0:") -> dict[str, int]:
    """Score by moves, of the lines first:last."""
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    first, _, last = lines.partition(":")
    pairs = [line.split() for line in text.splitlines()][int(first or 0) : int(last) if last else None]
    return {moves: int(score) for moves, score in pairs}


def read_answers(path: pathlib.Path) -> dict[str, Answer]:
    """The answers kept so far; a last line that was cut off when the study was killed is struck from the file."""
    if not path.exists():
        return {}
    text = path.read_text()
    if not text.endswith("\n"):
        text = text[: text.rfind("\n") + 1]
        path.write_text(text)
    found = {}
    for line in text.splitlines():
        moves, score, nodes, ms = line.split()
        found[moves] = Answer(moves, int(score), int(nodes), float(ms))
    return found


def study_scores(args: StudyGravity, path: pathlib.Path) -> int:
    """Solve what has no answer yet; returns how many answers differ from the file."""
    expected, answers = read_scores(path, args.lines), read_answers(args.out)
    waiting = [moves for moves in expected if moves not in answers]
    print(f"{len(expected):,} positions, {len(expected) - len(waiting):,} answered before", flush=True)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    said = begun = time.monotonic()
    done = 0
    with args.out.open("a") as out:
        for chunk in solved(waiting, args.workers, args.mb):
            for answer in chunk:
                answers[answer.moves] = answer
                out.write(answer.line())
                if answer.score != expected[answer.moves]:
                    print(f"{answer.moves}: {answer.score}, the file has {expected[answer.moves]}", flush=True)
            out.flush()
            done += len(chunk)
            now = time.monotonic()
            if now - said >= SAY_SECONDS:
                said = now
                left = (now - begun) / done * (len(waiting) - done)
                print(f"{done:,} of {len(waiting):,}, {left / 60:.0f} minutes left", flush=True)
    mine = [answers[moves] for moves in expected]
    wrong = sum(answer.score != expected[answer.moves] for answer in mine)
    nodes, seconds = sum(a.nodes for a in mine), sum(a.ms for a in mine) / 1000
    print(
        f"{len(mine):,} positions, {wrong} disagreements; {nodes / len(mine):,.0f} nodes and "
        f"{1000 * seconds / len(mine):.1f} CPU ms on average, {nodes / seconds / 1e6:.2f} M nodes a CPU second"
    )
    return wrong


def solved(waiting: list[str], workers: int, mb: float) -> Iterator[list[Answer]]:
    """The answers in chunks as they come; Ctrl-C loses only the chunks in progress."""
    chunks = [waiting[i : i + CHUNK] for i in range(0, len(waiting), CHUNK)]
    if workers == 1:
        for chunk in chunks:
            yield solve_chunk(chunk, mb)
        return
    solve_chunk([], mb)  # compiles once, for all processes
    queue = iter(chunks)
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        running = {pool.submit(solve_chunk, chunk, mb) for chunk in itertools.islice(queue, 2 * workers)}
        while running:
            done = next(as_completed(running))
            running.remove(done)
            running |= {pool.submit(solve_chunk, chunk, mb) for chunk in itertools.islice(queue, 1)}
            yield done.result()


_solvers: dict[float, Solver] = {}


def solve_chunk(chunk: list[str], mb: float) -> list[Answer]:
    """One task of a worker, whose table stays warm from task to task."""
    board = Board(7, 6)
    if mb not in _solvers:
        _solvers[mb] = Solver(board, mb)
        _solvers[mb].solve(position_of(board, [3] * 6 + [1, 1, 1, 1, 5, 4]))  # compiles
    solver, answers = _solvers[mb], []
    for moves in chunk:
        nodes, start = solver.nodes, time.process_time()
        score = solver.solve(position_of(board, [int(c) - 1 for c in moves]))
        answers.append(Answer(moves, score, solver.nodes - nodes, 1000 * (time.process_time() - start)))
    return answers


# ---- whole boards ----


def study_outcomes(args: StudyGravity, path: pathlib.Path) -> int:
    """Solve the start positions of small boards; returns how many outcomes differ from the file."""
    known, wrong = json.loads(path.read_text()), 0
    for kind in ("flat", "cylinder"):
        for size, outcome in sorted(known[kind].items(), key=lambda item: cells_of(item[0])):
            if args.only and size not in args.only:
                continue
            width, height = map(int, size.split("x"))
            try:
                solver = Solver(Board(width, height, kind == "cylinder"), args.mb, weak=True)
            except BoardError as error:
                print(f"{kind} {size}: {error}")
                continue
            start = time.process_time()
            found = solver.solve(Position())
            took = time.process_time() - start
            verdict = "agrees" if found == RESULTS[outcome] else f"DISAGREES: the file has {outcome}"
            word = next(word for word, value in RESULTS.items() if value == found)
            print(f"{kind} {size}: {word}, {solver.nodes:,} nodes, {took:.1f} CPU seconds, {verdict}", flush=True)
            wrong += found != RESULTS[outcome]
    return wrong


def cells_of(size: str) -> tuple[int, int]:
    """(cells, width) of a size such as 5x7."""
    width, height = map(int, size.split("x"))
    return width * height, width


def study_empty(args: StudyGravity) -> int:
    """The start position of 7x6, in which the first player wins with the last stone but one; 1 if that is not found."""
    solver = Solver(Board(7, 6), args.mb)
    start, score = time.process_time(), 0
    for bounds in solver.narrow(Position()):
        score = bounds.low
        took = time.process_time() - start
        print(f"7x6: from {bounds.low} to {bounds.high}, {solver.nodes:,} nodes, {took:.1f} CPU seconds", flush=True)
    return int(score != 1)


def main() -> None:
    """The command line."""
    sys.exit(run(tyro.cli(StudyGravity, description=__doc__)))


if __name__ == "__main__":
    main()
