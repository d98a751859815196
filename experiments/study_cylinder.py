"""Does wrapping favour the first player? Exact results of block stacking on flat boards and on cylinders, side by side.

    python -m narabe.experiments.study_cylinder --out runs/cylinder.jsonl

Every board is solved from its empty position: who wins with best play, rows of 4 by the solver of `narabe.search.gravity`,
other lengths by alpha-beta with a table (`narabe.search.star`). A board that takes more than ``--nodes`` is left open. Each
answer is written to ``--out`` at once, and the same command goes on from there. A cylinder has its left and right walls
joined, so a row may run around, and every first column is like every other.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import tyro
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from narabe import envs
from narabe.experiments.interrupts import check, deferred
from narabe.experiments.odds_backs import table
from narabe.search.gravity import Board, BoardError, Position, Solver
from narabe.search.star import Star

WORDS = {1: "first", 0: "draw", -1: "second"}
MARKS = {1: "1", 0: "=", -1: "2", None: "?"}
STOPPED = 130


@dataclass(frozen=True)
class StudyCylinder:
    """Solve small boards, flat and rolled up."""

    out: pathlib.Path = pathlib.Path("runs/cylinder.jsonl")
    """Where the answers are kept, a line each; answers that are there already are not sought again."""
    row: tuple[int, ...] = (3, 4, 5)
    """Lengths of the row that wins."""
    width: tuple[int, ...] = (4, 5, 6, 7, 8)
    """Columns; four or more, and at least the row."""
    height: tuple[int, ...] = (2, 3, 4, 5, 6)
    """Rows."""
    nodes: int = 20_000_000
    """At most so many for a board."""
    mb: float = 64.0
    """Memory for the table in MiB."""


@dataclass(frozen=True)
class Case:
    """A board and what it was found to be: 1 the first player wins, 0 draw, -1 the second, None not found in ``nodes``."""

    row: int
    width: int
    height: int
    cylinder: bool
    result: int | None = None
    nodes: int = 0
    seconds: float = 0.0

    @property
    def key(self) -> tuple[int, int, int, bool]:
        return self.row, self.width, self.height, self.cylinder


class _Enough(Exception):
    """The budget of nodes is spent."""


def cases(args: StudyCylinder) -> Iterator[Case]:
    """The boards of the arguments, small ones first, flat before rolled up."""
    sizes = [(w * h, w, h) for w in args.width for h in args.height]
    for row in args.row:
        for _, width, height in sorted(sizes):
            if width >= max(row, 4):
                yield Case(row, width, height, False)
                yield Case(row, width, height, True)


def solved(case: Case, nodes: int, mb: float) -> Case:
    """The case with its result, or with None after about so many nodes or where the solver cannot hold the board.

    >>> solved(Case(4, 5, 3, True), 1_000_000, 1.0).result
    0
    """
    begun = time.process_time()
    result, used = (_by_gravity if case.row == 4 else _by_alphabeta)(case, nodes, mb)
    return Case(*case.key, result, used, round(time.process_time() - begun, 3))


def _by_gravity(case: Case, nodes: int, mb: float) -> tuple[int | None, int]:
    try:
        solver = Solver(Board(case.width, case.height, case.cylinder), mb, weak=True)
    except BoardError:
        return None, 0

    def tick() -> None:
        check()
        if solver.nodes >= nodes:
            raise _Enough

    solver.tick = tick
    try:
        return solver.solve(Position()), solver.nodes
    except _Enough:
        return None, solver.nodes


def _by_alphabeta(case: Case, nodes: int, mb: float) -> tuple[int | None, int]:
    """One alpha-beta search; Ctrl-C strikes between its slices."""
    game = envs.game("stacking", width=case.width, height=case.height, row=case.row, cylinder=case.cylinder)
    search, start = Star(game, table=int(mb * 2**20) // 32), game.start().record
    found = search.search(start, nodes=nodes)
    check()
    return (round(found.value[0]) if found.complete else None), found.nodes


# ---- the file, and what is shown ----


def read(path: pathlib.Path) -> dict[tuple[int, int, int, bool], Case]:
    """The answers kept so far; a last line that was cut off is struck from the file."""
    if not path.exists():
        return {}
    text = path.read_text()
    if not text.endswith("\n"):
        text = text[: text.rfind("\n") + 1]
        path.write_text(text)
    found = [Case(**json.loads(line)) for line in text.splitlines()]
    return {case.key: case for case in found}


def is_answered(case: Case, nodes: int) -> bool:
    """Is there nothing to gain by solving it again with so many nodes?"""
    return case.result is not None or case.nodes >= nodes or case.nodes == 0


def run(args: StudyCylinder, console: Console | None = None) -> int:
    """Solve what has no answer yet, and print the tables; returns the exit status."""
    console = console or Console(highlight=False)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    known = read(args.out)
    wanted = list(cases(args))
    missing = [c for c in wanted if c.key not in known or not is_answered(known[c.key], args.nodes)]
    try:
        with deferred(), args.out.open("a") as out, Progress(console=Console(stderr=True), transient=True) as progress:
            for case in progress.track(missing, description="boards"):
                check()
                known[case.key] = solved(case, args.nodes, args.mb)
                out.write(json.dumps(asdict(known[case.key])) + "\n")
                out.flush()
    except KeyboardInterrupt:
        console.print(f"Stopped: the answers so far are in {args.out}; the same command goes on.")
        return STOPPED
    for row in args.row:
        console.print(row_table(known, row, args))
    console.print("1 the first player wins, 2 the second, = draw, ? not found; flat board / cylinder")
    console.print(words([known[case.key] for case in wanted]))
    return 0


def row_table(known: dict[tuple[int, int, int, bool], Case], row: int, args: StudyCylinder) -> Table:
    """Flat / cylinder for one length of the row; columns across, rows down."""
    widths = [w for w in args.width if w >= max(row, 4)]
    shown = table(f"{row} in a row", "rows \\ columns", *map(str, widths))
    for height in args.height:
        marks = [[MARKS[known[row, w, height, c].result] for c in (False, True)] for w in widths]
        shown.add_row(str(height), *(" / ".join(pair) for pair in marks))
    return shown


def words(found: list[Case]) -> str:
    """The results counted, over boards that are solved flat and rolled up."""
    lines = []
    for row in sorted({case.row for case in found}):
        flat, rolled = (
            {c.key[:3]: c.result for c in found if c.row == row and c.cylinder is rolled} for rolled in (False, True)
        )
        pairs = [(flat[key], rolled[key]) for key in flat]
        both = [(f, r) for f, r in pairs if f is not None and r is not None]
        better, worse = sum(r > f for f, r in both), sum(r < f for f, r in both)
        lines.append(
            f"{row} in a row, {len(both)} boards solved both ways. Flat: {counted([f for f, _ in both])}; "
            f"cylinder: {counted([r for _, r in both])}. Wrapping helps the first player on {better}, the second on {worse}, "
            f"and changes nothing on {len(both) - better - worse}."
        )
    return "\n".join(lines)


def counted(results: list[int]) -> str:
    """How often each result came up, in words.

    >>> counted([0, 1, 0])
    'first 1, draw 2'
    """
    return ", ".join(f"{WORDS[v]} {n}" for v, n in sorted(Counter(results).items(), reverse=True)) or "none"


def main() -> None:
    """The command line."""
    sys.exit(run(tyro.cli(StudyCylinder, description=__doc__)))


if __name__ == "__main__":
    main()
