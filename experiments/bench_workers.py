"""`narabe bench --workers N`: what workers cost, and how much of independent processes' pace they keep.

In every round N bare processes, which know nothing of each other, search for some seconds; then the workers of each back
end do the same searches as tasks, some of about a tenth of a second and some of a few milliseconds. Only figures of one
run are compared, in wall time, so a machine that has nothing else to do is wanted. Where there is none, look at the share of
the time for which workers were inside of tasks: what else runs slows tasks and the ways between them alike.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import lru_cache
from math import exp
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from scipy.special import stdtrit

from narabe.envs import game
from narabe.envs.rules.random import new_stream
from narabe.experiments import executor
from narabe.experiments.args import UsageError
from narabe.experiments.bench import machine
from narabe.experiments.bench_args import BenchArgs
from narabe.experiments.executor import Executor, Task
from narabe.experiments.guard import Guard
from narabe.experiments.shared import Shared
from narabe.search.uct import Uct

GAME = "freestyle"
SIMS = {"long tasks": 20_000, "short tasks": 1_000}
"""Simulations of a task: about 0.1 s, and about 5 ms."""
LENGTH = 10
"""A taking lasts so many times ``--seconds``."""
RARE = 4
"""Every so many rounds what has no claim to a percent is measured as well: short tasks, and one bare process."""
BATCH = 0.02
"""Seconds within which outcomes that came with the first one have come."""
EMPTY, CALLS, MEGABYTES = 2000, 50, 10
COSTS = {
    "empty_task": "an empty task among many",
    "chunk": "a chunk: given, done, answered",
    "first_task_with_10_MB": "10 MB shared, to one worker, once",
}


@lru_cache(1)
def searcher() -> tuple[Uct, np.ndarray]:
    start = game(GAME).start()
    return Uct(start.game), start.record


def search(sims: int, guard: Guard) -> tuple[int, float]:
    """A search with an empty tree: its simulations and seconds."""
    begun = time.perf_counter()
    uct, record = searcher()
    return int(uct.search(record, new_stream(1), sims=sims).simulations), time.perf_counter() - begun


def nothing(_: Any, guard: Guard) -> None:
    """An empty task."""


def who(_: Any, guard: Guard) -> int:
    """The process that does it, after a while, so that others get some of them too."""
    time.sleep(0.1)
    return os.getpid()


# ---- bare processes ----


def bare() -> None:
    """What a bare process does: searches for so many seconds at a time, as its standard input says."""
    search(SIMS["short tasks"], Guard())
    print("ready", flush=True)
    for line in sys.stdin:
        sims, seconds = json.loads(line)
        begun, done = time.perf_counter(), 0
        while time.perf_counter() - begun < seconds:
            done += search(sims, Guard())[0]
        print(json.dumps(done / (time.perf_counter() - begun)), flush=True)


class Bare:
    """So many bare processes."""

    def __init__(self, number: int) -> None:
        words = [sys.executable, "-c", f"from {__name__} import bare; bare()"]
        with executor._one_thread_each():
            self.processes = [
                subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(number)
            ]
        for process in self.processes:
            self.answer(process)

    @staticmethod
    def answer(process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return process.stdout.readline()

    def rate(self, sims: int, seconds: float, number: int | None = None) -> float:
        """Simulations a second of all of them together, or of the first ``number``."""
        asked = self.processes[:number]
        for process in asked:
            assert process.stdin is not None
            process.stdin.write(json.dumps([sims, seconds]) + "\n")
            process.stdin.flush()
        return sum(float(json.loads(self.answer(process))) for process in asked)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.communicate()


# ---- workers ----


def rate(workers: Executor, sims: int, seconds: float) -> tuple[float, float]:
    """Of all workers together, from the first outcome to the last: simulations a second, and workers at work.

    So neither the wait for the first outcome nor the end, when one is done before the other, is in it: in a run of
    minutes they are nothing, in a taking of seconds they would be a percent.
    """
    begun = time.perf_counter()

    def tasks() -> Iterator[Task]:
        while time.perf_counter() - begun < seconds:
            yield Task("search", search, sims)

    outcomes = [(time.perf_counter(), *outcome.value) for outcome in workers.run(tasks())]
    moments, done, inside = np.array(outcomes).T
    after = moments > moments[0] + BATCH
    length = moments[-1] - moments[0]
    return float(done[after].sum() / length), float(inside[after].sum() / length)


def all_there(workers: Executor, number: int) -> None:
    """Wait until every worker has done something."""
    seen: set[int] = set()
    while len(seen) < number:
        seen |= {outcome.value for outcome in workers.run([Task("who", who, None)] * number)}


def timed(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def costs(workers: Executor) -> dict[str, float]:
    """Seconds of: an empty task among many, a chunk (given, done and answered), a shared part brought to a worker once."""
    empty = timed(lambda: list(workers.run(Task("", nothing, None) for _ in range(EMPTY)))) / EMPTY
    chunk = timed(lambda: [list(workers.run([Task("", nothing, None)])) for _ in range(CALLS)]) / CALLS
    part = Shared(np.random.default_rng(1).integers(256, size=MEGABYTES << 20, dtype=np.uint8))
    first = timed(lambda: list(workers.run([Task("", nothing, part)])))
    return dict(zip(COSTS, (empty, chunk, first)))


def one_round(alone: Bare, workers: Executor, number: int, seconds: float, k: int) -> dict[str, float]:
    """The pace and the time at work of round ``k``, in which bare processes are first or second by turns."""
    values: dict[str, float] = {}
    for kind, sims in SIMS.items():
        if kind == "short tasks" and k % RARE:
            continue
        together = alone.rate(sims, seconds) if k % 2 else 0.0
        ours, inside = rate(workers, sims, seconds)
        together = together or alone.rate(sims, seconds)
        values |= {kind: ours / together, f"{kind}, at work": inside / number}
    if not k % RARE:
        sims = SIMS["long tasks"]
        one, together = alone.rate(sims, seconds, 1), alone.rate(sims, seconds)
        values["bare"] = together / one
    return values


def mean(ratios: list[float]) -> dict[str, float | None]:
    """The geometric mean of ratios taken one by one, with the 95 % interval by Student's t of their logarithms.

    >>> {key: round(value, 3) for key, value in mean([0.9, 1.0, 0.95]).items()}
    {'mean': 0.949, 'low': 0.833, 'high': 1.082, 'rounds': 3}
    """
    logs, n = np.log(ratios), len(ratios)
    middle = float(logs.mean())
    if n == 1:  # nothing is known of the spread
        return {"mean": exp(middle), "low": None, "high": None, "rounds": 1}
    half = float(stdtrit(n - 1, 0.975) * logs.std(ddof=1) / n**0.5)
    return {"mean": exp(middle), "low": exp(middle - half), "high": exp(middle + half), "rounds": n}


def backends() -> list[str]:
    return ["processes", *(["ray"] if importlib.util.find_spec("ray") is not None else [])]


def run(args: BenchArgs) -> int:
    """Measure, print, write; returns the exit status."""
    number = args.workers
    if number < 1:
        raise UsageError(f"--workers {number}: 1 or more")
    seconds, console = LENGTH * args.seconds, Console()
    warm = [Task("warm", search, SIMS["short tasks"])]
    with closing(Bare(number)) as alone, Progress(console=console, transient=True) as progress:
        shown = progress.add_task("starting", total=len(backends()) * (args.repeats + 1))
        rows = []
        for name in backends():
            progress.update(shown, description=f"{name}: start")
            begun = time.perf_counter()
            with closing(executor.make(number, warm, name)) as workers:
                workers.prepare()
                all_there(workers, number)
                row: dict[str, Any] = {"backend": name, "start": time.perf_counter() - begun} | costs(workers)
                progress.advance(shown)
                taken: dict[str, list[float]] = {}
                for k in range(args.repeats):
                    progress.update(shown, description=f"{name}: round {k + 1}")
                    for kind, value in one_round(alone, workers, number, seconds, k).items():
                        taken.setdefault(kind, []).append(value)
                    progress.advance(shown)
                rows.append(row | {kind: mean(ratios) for kind, ratios in taken.items()})
    console.print(table(rows, number))
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps({"machine": machine(), "workers": number, "rows": rows}, indent=1) + "\n")
        console.print(f"written to {args.out}")
    return 0


def table(rows: list[dict[str, Any]], number: int) -> Table:
    """The figures for the terminal."""
    shown = Table(
        title=f"{number} workers, wall time; pace: as a share of that of {number} bare processes (95 % interval)"
    )
    for name in ("", *(row["backend"] for row in rows)):
        shown.add_column(name, justify="right" if name else "left")
    shown.add_row("start", *(f"{row['start']:.1f} s" for row in rows))
    for key, words in COSTS.items():
        shown.add_row(words, *(f"{1e3 * row[key]:.2f} ms" for row in rows))
    for kind in SIMS:
        for key, words in ((kind, f"{kind}: pace"), (f"{kind}, at work", f"{kind}: time at work")):
            shown.add_row(words, *(percent(row[key]) for row in rows))
    gains = ", ".join(f"{row['bare']['mean']:.2f} x one" for row in rows[:1])
    shown.caption = f"{number} bare processes give {gains}"
    return shown


def percent(share: dict[str, float | None]) -> str:
    middle = f"{share['mean']:.1%}"
    return middle if share["low"] is None else f"{middle} ({share['low']:.1%} to {share['high']:.1%})"
