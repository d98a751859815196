"""`narabe bench --engine`: ten fixed positions of the line games, searched by alpha-beta to fixed depths.

A node is a move made by the main search, forced replies included; fours of the search for continuous fours are counted
apart. The number of nodes does not depend on the machine: a change of it is a change of the search.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from narabe.envs import State, game
from narabe.experiments.bench_args import BenchArgs
from narabe.search.alphabeta import Engine

POSITIONS = (
    ("freestyle", 15, "F4 H4 L11 E4 L10 F5 L12 L9"),
    ("freestyle", 15, "K10 G8 F8 H11 G7 F7 I10 F9 I12 H10 J11 H13 H9 E10"),
    ("freestyle", 20, "L10 H12 I10 I14 K9 H13 J8 I7 J10 H10"),
    ("freestyle", 20, "I10 K11 N10 L7 J11 K12 K10 L10 M9 L9 L8 K7 M7 M10 J10 K9"),
    ("gomoku", 15, "H7 H9 L11 H5 J9 G6 F7 G7 G8"),
    ("gomoku", 15, "J6 G11 G12 F11 H11 F13 F12 E12 D11 D13 G10 E13 C13 E11 E10 C12"),
    ("renju", 15, "H5 G12 F12 K6 F11 F10 G11 H11 I10 H9 H10"),
    ("renju", 15, "J10 G9 I5 K7 H6 I7 H8 I9 H9 H7 G7 F8 H10 I10 J4 K3"),
    ("omok", 19, "H8 J8 K9 L6 I9 L8 J10 K11 H9 L9 L7 K8 M8"),
    ("capture_gomoku", 19, "J10 N8 F11 H13 F13 M7 F12 F14 G11 H10 E13 L6 O9 H11"),
)
"""Game, size, moves from the start: played by an earlier version of the engine from random openings."""
DEPTH = 10
MB = 64


@dataclass(frozen=True)
class Searched:
    """One position: what was found, and what it took in CPU seconds."""

    game: str
    size: int
    depth: int
    move: str
    score: int
    nodes: int
    vcf_nodes: int
    seconds: float

    @property
    def rate(self) -> float:
        """Nodes a CPU second."""
        return self.nodes / max(self.seconds, 1e-9)


def position(name: str, size: int, moves: str) -> State:
    state = game(name, size=size).start()
    for move in moves.split():
        state.play(move)
    return state


def measure(depth: int = DEPTH, mb: float = MB) -> list[Searched]:
    """Search every position to a depth, each with a fresh engine."""
    found = []
    for name, size, moves in POSITIONS:
        state = position(name, size, moves)
        engine = Engine(state.game, mb)
        start = time.process_time()
        best = engine.search(state.record, depth=depth)
        seconds = time.process_time() - start
        text = state.game.text_of(best.move)
        found.append(Searched(name, size, best.depth, text, best.score, best.nodes, best.vcf_nodes, seconds))
    return found


def run(args: BenchArgs) -> int:
    """Measure, print, write; returns the exit status."""
    from narabe.experiments.bench import machine, one_core

    one_core()
    found = measure(args.depth)
    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    console.print(table(found))
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        rows = [asdict(row) | {"rate": row.rate} for row in found]
        figures: dict[str, Any] = {"machine": machine(), "depth": args.depth, "positions": rows, "nodes": nodes(found)}
        args.out.write_text(json.dumps(figures, indent=1) + "\n")
        console.print(f"written to {args.out}")
    return 0


def nodes(found: list[Searched]) -> int:
    """The sum that stands for the whole search."""
    return sum(row.nodes for row in found)


def table(found: list[Searched]) -> Table:
    """The figures for the terminal."""
    t = Table(title="alpha-beta, one core, CPU time", show_footer=True)
    seconds, total, fours = sum(r.seconds for r in found), nodes(found), sum(r.vcf_nodes for r in found)
    footers = ("all", "", "", "", f"{total:,}", f"{fours:,}", f"{seconds:.2f}", f"{total / max(seconds, 1e-9):,.0f}")
    names = ("game", "depth", "move", "score", "nodes", "fours", "seconds", "nodes/s")
    for k, (name, footer) in enumerate(zip(names, footers)):
        t.add_column(name, footer, justify="left" if k == 0 else "right")
    for r in found:
        t.add_row(
            f"{r.game} {r.size}x{r.size}",
            str(r.depth),
            r.move,
            str(r.score),
            f"{r.nodes:,}",
            f"{r.vcf_nodes:,}",
            f"{r.seconds:.3f}",
            f"{r.rate:,.0f}",
        )
    return t
