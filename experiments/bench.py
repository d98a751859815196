"""`narabe bench`: every figure of ours, the peer's in turn with it, as a table and as JSON."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import statistics
import time
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from narabe.experiments import bench_compare, bench_engine, bench_gravity, bench_rows, bench_search_rows
from narabe.experiments.args import UsageError
from narabe.experiments.bench_args import BenchArgs
from narabe.experiments.bench_peers import peers
from narabe.experiments.bench_rows import Row


def run(args: BenchArgs) -> int:
    """Measure, print, write; returns the exit status."""
    if args.engine:
        return bench_engine.run(args)
    if args.selfplay:
        from narabe.experiments import bench_selfplay  # imports torch

        return bench_selfplay.run(args)
    if args.workers:
        from narabe.experiments import bench_workers  # imports Ray where it is

        return bench_workers.run(args)
    old = None if args.compare is None else bench_compare.read(args.compare)
    known = [*bench_rows.rows(), *bench_gravity.rows(), *bench_search_rows.rows()]
    chosen = [row for row in known if not args.only or any(word in row.name for word in args.only)]
    if not chosen:
        raise UsageError(f"no row contains any of {args.only}; rows: {', '.join(row.name for row in known)}")
    one_core()
    others = peers()
    results = []
    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("measuring", total=len(chosen))
        for row in chosen:
            progress.update(task, description=row.name)
            results.append(measure(row, others, args))
            progress.advance(task)
    console.print(table(results))
    figures = {"machine": machine(), "repeats": args.repeats, "seconds": args.seconds, "rows": results}
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps(figures, indent=1) + "\n")
        console.print(f"written to {args.out}")
    if old is not None:
        console.print(bench_compare.report(bench_compare.changes(old, figures), old, figures))
    return 0


def one_core() -> None:
    """Keep to one core, so that figures of one run can be compared."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def measure(row: Row, others: dict[str, Any], args: BenchArgs) -> dict[str, Any]:
    """Ours and the peer's, taking turns."""
    peer_name, peer = others.get(row.peer or "", (None, None))
    ours, theirs = [], []
    for _ in range(args.repeats):
        ours.append(row.ours(args.seconds))
        if peer is not None:
            theirs.append(peer(args.seconds))
    result: dict[str, Any] = {"name": row.name, "unit": row.unit, "higher_is_better": row.higher_is_better}
    if peer_name is None:
        return result | {"ours": spread(ours)}
    ratio = [a / b for a, b in zip(ours, theirs)]
    return result | {"ratio": spread(ratio), "ours": spread(ours), "peer": peer_name, "theirs": spread(theirs)}


def spread(values: list[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def machine() -> dict[str, Any]:
    """What the figures were taken on."""
    packages = ("narabe", "numpy", "numba", "gymnasium", "torch", "open_spiel", "pgx", "jax", "pettingzoo", "ray")
    versions = {}
    for name in packages:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processor": _processor(),
        "system": platform.system(),
        "versions": versions,
        "taken": time.strftime("%Y-%m-%d"),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    except OSError:
        return platform.processor()


def table(results: list[dict[str, Any]]) -> Table:
    """The figures for the terminal."""
    t = Table(title="one core, CPU time, median (minimum to maximum)")
    for name in ("", "narabe", "peer", "ratio"):
        t.add_column(name, justify="left" if not name else "right")
    for r in results:
        theirs = f"{_number(r['theirs']['median'])} {r['peer']}" if "peer" in r else ""
        ratio = f"{r['ratio']['median']:.1f} x" if "ratio" in r else ""
        ours = r["ours"]
        text = f"{_number(ours['median'])} {r['unit']} ({_number(ours['min'])} to {_number(ours['max'])})"
        t.add_row(r["name"], text, theirs, ratio)
    return t


def _number(x: float) -> str:
    return f"{x:,.0f}" if x >= 100 else f"{x:.2f}"
