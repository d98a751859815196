"""Star1 and Star2 against alpha-beta with full windows at chance turns, on late positions of Gomocku.

    python -m narabe.experiments.study_star

Prints for each position of the stored suite the nodes of exhaustive expectimax, of the baseline, of Star1 and of Star2,
all without a table and in the law's one static order, and then the sums of its two halves. A node is a state entered,
each time it is: choices of pieces to turn, reveals, ends, probes, and leaves of chance turns that are come back to. Exit
status 1 unless all values agree to 1e-12, no search needs more nodes than the one before it, and on the half rich in
flips Star1 needs at most 75 % and Star2 at most 50 % of the baseline.

``--make`` draws the suite anew (the same one, as long as the law and its urgencies stay as they are). ``--plies`` solves
fresh positions with a table instead, so many plies before the end, and tells the time; with ``--compare`` it counts on them
as on the suite, which leaves out positions that the baseline solves in a few thousand nodes.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import tyro
from rich.console import Console
from rich.progress import Progress

from narabe.envs import Game, State, game
from narabe.envs.rules.core import candidate_at, is_legal, num_candidates, urgency
from narabe.envs.rules.gomocku.flips import unseen_among
from narabe.envs.rules.gomocku.pieces import sandwiched
from narabe.envs.rules.jit import kernel
from narabe.search.star import METHODS, Star

SUITE = pathlib.Path(__file__).resolve().parents[1] / "tests" / "data" / "gomocku_late.json"
GROUPS = ((9, 3, True), (15, 3, True), (9, 3, False), (15, 3, False))  # size, plies left, rich in flips?
EACH = 12  # positions of a group
RICH_CELLS, POOR_CELLS = 5, 2  # cells where two or more unseen pieces may be turned: at least, at most
LEAST_NODES = 10_000  # of the baseline: where little is searched, there is nothing to compare
NOISE, RICH_NOISE = 1.5, 4.0
WINS = 1e6
AT_MOST = {"star1": 0.75, "star2": 0.50}


@dataclass(frozen=True)
class Late:
    """A position of the suite."""

    size: int
    plies: int
    rich: bool
    seed: int
    cells: int
    text: str

    def state(self) -> State:
        """The position itself."""
        return game("gomocku", size=self.size).from_text(self.text)


@dataclass(frozen=True)
class StudyStar:
    """Measure the searches of chance trees on late positions of Gomocku."""

    out: pathlib.Path | None = None
    """Write the figures there, as JSON."""
    make: bool = False
    """Draw the suite anew."""
    plies: int | None = None
    """Solve fresh positions so many plies before the end, with a table, and tell the time."""
    compare: bool = False
    """With `--plies`: count nodes without a table instead, on positions that nobody chose."""
    positions: int = 20
    """How many fresh positions."""
    size: int = 15
    """Their board."""
    seconds: float = 60.0
    """At most so long for each."""
    exhaustive: bool = True
    """Run expectimax too, which takes nearly all of the time."""


# ---- positions ------------------------------------------------------------------------------------------------------


@kernel
def _urgencies(states, out):
    s = states[0]
    for k in range(num_candidates(s)):
        a = np.int64(candidate_at(s, k))
        if is_legal(s, a):
            out[a] = urgency(s, a)


@kernel
def _rich_cells(states):
    s, n = states[0], 0
    for a in range(s.cells):
        if s.slot[a] >= 0:
            most = 0
            for i in range(2):
                unseen, count = unseen_among(s, a, sandwiched(s, i, a)), 0
                while unseen:
                    unseen &= unseen - 1
                    count += 1
                most = max(most, count)
            n += most >= 2
    return n


def _worth(state: State) -> np.ndarray:
    """The law's urgency by action, -1 where it is illegal."""
    worth = np.full(state.game.num_actions, -1.0)
    _urgencies(state.record, worth)
    return worth


def rich_cells(state: State) -> int:
    """How many empty cells are there on which one side or the other could turn two or more pieces nobody has seen?"""
    return int(_rich_cells(state.record))


def late_position(g: Game, plies: int, seed: int, noise: float, side: int) -> State | None:
    """A position ``plies`` before the end, or None if the game was over by then.

    Both sides play by the law's urgency with ``noise``, never a five at once, and before the chance begins only within
    the square of ``side`` in the middle: the smaller it is, the more pieces lie alone between two others.
    """
    rng, state = np.random.default_rng(seed), g.start(seed=seed)
    w, h = g.options["width"], g.options["height"]
    rows, columns = np.divmod(np.arange(w * h), w)
    left, low = (w - side) // 2, (h - side) // 2
    inside = np.zeros(g.num_actions, bool)
    inside[: w * h] = (columns >= left) & (columns < left + side) & (rows >= low) & (rows < low + side)
    pieces = g.options["stones"] + g.options["chance"]
    while not state.is_over and state.ply < 2 * pieces - plies:
        worth = _worth(state)
        legal = np.flatnonzero(worth >= 0)
        for wanted in (worth < WINS, inside if state.ply < 2 * g.options["stones"] else worth < WINS):
            if wanted[legal].any():
                legal = legal[wanted[legal]]
        state.play(int(legal[(np.log1p(worth[legal]) + noise * rng.gumbel(size=len(legal))).argmax()]))
    return None if state.is_over else state


def fresh(size: int, plies: int, rich: bool) -> Iterator[tuple[int, State]]:
    """(seed, position) of one kind, by seeds from 0 on; none in which a five can be made at once."""
    g, seed = game("gomocku", size=size), 0
    while True:
        state = late_position(g, plies, seed, RICH_NOISE if rich else NOISE, min(size, 9) if rich else size)
        if state is not None and (rich_cells(state) >= RICH_CELLS if rich else rich_cells(state) <= POOR_CELLS):
            if _worth(state).max() < WINS:
                yield seed, state
        seed += 1


def make_suite() -> list[Late]:
    """The suite: of each group the first positions, by seed, that the baseline does not solve in a few nodes."""
    suite = []
    for size, plies, rich in GROUPS:
        baseline = Star(game("gomocku", size=size), "alphabeta", table=0)
        group: list[Late] = []
        for seed, state in fresh(size, plies, rich):
            late = Late(size, plies, rich, seed, rich_cells(state), state.to_text())
            if baseline.search(late.state().record).nodes >= LEAST_NODES:
                group.append(late)
            if len(group) == EACH:
                break
        suite += group
    return suite


def stored_suite() -> list[Late]:
    """The suite as it is stored."""
    return [Late(**row) for row in json.loads(SUITE.read_text())["positions"]]


# ---- measuring ------------------------------------------------------------------------------------------------------


def measure(late: Late, methods: list[str]) -> dict[str, Any]:
    """Nodes and values of one position, searched by each method."""
    state, row = late.state(), asdict(late)
    for method in methods:
        found = Star(state.game, method, table=0).search(state.record)
        row[method] = {"nodes": found.nodes, "value": found.value[0], "seconds": round(found.seconds, 3)}
        if method == "star2":
            row[method]["probes"] = found.probes
    return row


def faults(rows: list[dict[str, Any]], methods: list[str]) -> list[str]:
    """What is not as it is required to be."""
    found = []
    for row in rows:
        values = [row[m]["value"] for m in methods]
        nodes = [row[m]["nodes"] for m in methods]
        where = f"{row['size']}x{row['size']} seed {row['seed']}"
        if max(values) - min(values) > 1e-12:
            found.append(f"{where}: values {values}")
        if nodes != sorted(nodes, reverse=True):
            found.append(f"{where}: nodes {nodes}")
    for method, limit in AT_MOST.items():
        share = total(rows, method, True) / total(rows, "alphabeta", True)
        if share > limit:
            found.append(f"rich half: {method} needs {share:.1%} of the baseline")
    return found


def total(rows: list[dict[str, Any]], method: str, rich: bool) -> int:
    """Nodes of one half of the suite."""
    return sum(row[method]["nodes"] for row in rows if row["rich"] == rich)


def summary(rows: list[dict[str, Any]], methods: list[str]) -> list[str]:
    """The sums of both halves, as lines."""
    lines = []
    for rich in (True, False):
        half = [row for row in rows if row["rich"] == rich]
        base = total(rows, "alphabeta", rich)
        lines.append(f"{'rich in flips' if rich else 'others'}: {len(half)} positions")
        for m in methods:
            shares = np.array([row[m]["nodes"] / row["alphabeta"]["nodes"] for row in half])
            lines.append(
                f"  {m:10} {total(rows, m, rich):>15,} nodes, {total(rows, m, rich) / base:8.1%} of the baseline"
                f" (of a position: median {np.median(shares):.1%}, most {shares.max():.1%})"
            )
    return lines


def run_suite(args: StudyStar) -> int:
    """Measure the stored suite; returns the exit status."""
    methods = [m for m in METHODS if args.exhaustive or m != "expectimax"]
    rows: list[dict[str, Any]] = []
    print(f"{'board':>7} {'seed':>5} {'cells':>5} {'value':>9} " + " ".join(f"{m:>13}" for m in methods))
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for late in progress.track(stored_suite(), description="positions"):
            row = measure(late, methods)
            rows.append(row)
            nodes = " ".join(f"{row[m]['nodes']:>13,}" for m in methods)
            print(f"{late.size:>4}x{late.size:<2} {late.seed:>5} {late.cells:>5} {row['star2']['value']:>9.5f} {nodes}")
    lines, wrong = summary(rows, methods), faults(rows, methods)
    print(*lines, *(wrong or ["values, order and limits are as required"]), sep="\n")
    if args.out is not None:
        args.out.write_text(json.dumps({"rows": rows, "summary": lines, "faults": wrong}, indent=1))
    return 1 if wrong else 0


def run_fresh(args: StudyStar) -> int:
    """Solve fresh positions of both kinds with a table, and print how long it takes."""
    assert args.plies is not None
    rows: list[dict[str, Any]] = []
    for rich in (False, True):
        for seed, state in fresh(args.size, args.plies, rich):
            if not rows:
                Star(state.game).search(state.record, plies=1)  # compiles
            found = Star(state.game).solve(state.record, ms=1000 * args.seconds)
            rows.append({"rich": rich, "seed": seed, **asdict(found)})
            kind, state_of = "rich" if rich else "other", "exact" if found.exact else f"to {found.plies} plies"
            print(
                f"{kind:5} seed {seed:4} {found.value[0]:9.5f} {found.nodes:12,} nodes {found.seconds:8.2f} s, {state_of}"
            )
            if sum(row["rich"] == rich for row in rows) >= (args.positions + 1) // 2:
                break
    times = np.array([row["seconds"] for row in rows])
    solved = sum(bool(row["exact"]) for row in rows)
    print(
        f"{args.size}x{args.size}, {args.plies} plies: {solved} of {len(rows)} solved exactly within {args.seconds:g} s;"
        f" mean {times.mean():.3f} s, median {np.median(times):.3f} s, longest {times.max():.3f} s"
    )
    if args.out is not None:
        args.out.write_text(json.dumps(rows, indent=1))
    return 0


def run_compare(args: StudyStar) -> int:
    """Count nodes on fresh positions of both kinds, and how often a search needs more than the one before it."""
    assert args.plies is not None
    methods = [m for m in METHODS if m != "expectimax"]
    for rich in (False, True):
        counts: list[list[int]] = []
        for _, state in fresh(args.size, args.plies, rich):
            counts.append([Star(state.game, m, table=0).search(state.record).nodes for m in methods])
            if len(counts) == args.positions:
                break
        nodes = np.array(counts)
        sums = ", ".join(f"{m} {n:,}" for m, n in zip(methods, nodes.sum(0)))
        worse = nodes[:, 2] > nodes[:, 1]
        most = (nodes[:, 2] / nodes[:, 1]).max()
        print(
            f"{args.size}x{args.size}, {args.plies} plies, {args.positions} positions "
            f"{'rich in flips' if rich else 'others'}: {sums}; Star1 more than the baseline in "
            f"{int((nodes[:, 1] > nodes[:, 0]).sum())}, Star2 more than Star1 in {int(worse.sum())} "
            f"(at most {most:.3f} times)"
        )
    return 0


def run(args: StudyStar) -> int:
    """Do what is asked for; returns the exit status."""
    if args.make:
        begun = time.perf_counter()
        suite = make_suite()
        rows = ",\n".join(json.dumps(asdict(late)) for late in suite)
        command = "python -m narabe.experiments.study_star --make"
        SUITE.write_text(f'{{"made by": "{command}", "positions": [\n{rows}\n]}}\n')
        print(f"{len(suite)} positions in {time.perf_counter() - begun:.0f} s: {SUITE}")
        return 0
    if args.plies is None:
        return run_suite(args)
    return run_compare(args) if args.compare else run_fresh(args)


def main() -> None:
    """The command line."""
    sys.exit(run(tyro.cli(StudyStar, description=__doc__)))


if __name__ == "__main__":
    main()
