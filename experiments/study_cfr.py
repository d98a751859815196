"""How fast CFR, CFR+ and external sampling come to equilibrium: exploitability by CPU seconds.

    python -m narabe.experiments.study_cfr --game goita_two_by_six --seconds 300 --out runs/cfr.json --plot runs/cfr.png

Each method solves for so many CPU seconds; its average policy is measured exactly at times that grow in a fixed ratio
(measuring is not counted). ``--agents`` measures what others play, by their `Analysis.policy` in each information set of
more than one action: this takes as long as they take to think that often. All figures are printed, and kept in ``--out``
as they come. Exploitability is in payoffs; its share is that of the range from the least payoff to the highest.
"""

from __future__ import annotations

import functools
import itertools
import json
import pathlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import tyro
from rich.console import Console
from rich.progress import Progress, TaskID

from narabe import agents, envs
from narabe.envs import State
from narabe.search.cfr import METHODS, ExternalSampling, GameTree, Learner, expected_values, exploitability

GOAL = 0.005
"""Share of the range below which a policy counts as close to equilibrium."""


@dataclass(frozen=True)
class StudyCfr:
    """Measure how fast methods come to the equilibrium of a small game with hidden parts."""

    game: str = "goita_two_by_six"
    """A two-player zero-sum game with options, such as goita_two_by_four."""
    seconds: float = 300.0
    """CPU seconds for each method."""
    methods: tuple[str, ...] = tuple(METHODS)
    """Which methods."""
    agents: tuple[str, ...] = ()
    """Spec strings of agents to measure too."""
    first: float = 0.1
    """CPU seconds up to the first measurement."""
    ratio: float = 1.5
    """Of the times of two measurements."""
    seed: int = 1
    """Of the samples, and of the agents."""
    out: pathlib.Path | None = None
    """Keep the figures there, as JSON."""
    plot: pathlib.Path | None = None
    """Draw the curves there (needs matplotlib)."""
    max_nodes: int = 4_000_000
    """Refuse larger trees."""


def curve(learner: Learner, args: StudyCfr, show: Callable[[float], object]) -> Iterator[dict[str, Any]]:
    """Solve and measure; a row for each measurement. ``show`` is told the CPU seconds worked so far, now and then."""
    learner.run(0)  # compiles
    worked, goal = 0.0, args.first
    while worked < args.seconds:
        goal = min(goal, args.seconds)
        begun = time.process_time() - worked
        while worked < goal:  # on a busy machine some of the time that passes is not ours
            least = goal / 100
            learner.solve(max(goal - worked, least), progress=functools.partial(_show_time, show, begun))
            worked = time.process_time() - begun
        goal = max(goal, worked) * args.ratio
        policy = learner.average_policy()
        yield {"iterations": learner.iterations, "seconds": round(worked, 3), **measured(learner.tree, policy)}


def measured(tree: GameTree, policy: Any) -> dict[str, float]:
    """The figures of one policy."""
    low, high = tree.payoff_range
    found = exploitability(tree, policy)
    return {"value": expected_values(tree, policy)[0], "exploitability": found, "share": found / (high - low)}


def policy_of(spec: str, tree: GameTree, args: StudyCfr, track: Any) -> Any:
    """What an agent plays, a fresh game for each information set."""
    agent = agents.make(spec, tree.game)

    def play(state: State) -> Any:
        agent.new_game(state.to_play, args.seed)
        return agent.choose([state.view(state.to_play, seed=args.seed)])[0].policy

    try:
        return tree.policy_of(play, track)
    finally:
        agent.close()


def words(row: dict[str, Any]) -> str:
    """A row in print."""
    run = f"{row['seconds']:9.2f} s {row['iterations']:>10,} iterations" if "iterations" in row else " " * 33
    share = f"{100 * row['share']:#.3g} % of the range"
    figures = f"exploitability {row['exploitability']:.2e} = {share}, value {row['value']:+.5f}"
    return f"{row['name']:<20} {run}  {figures}"


def _show_time(show: Callable[[float], object], begun: float, _: Learner) -> None:
    show(time.process_time() - begun)


def _show_worked(progress: Progress, bar: TaskID, worked: float) -> None:
    progress.update(bar, completed=worked)


def rows_of_methods(tree: GameTree, args: StudyCfr, progress: Progress) -> Iterator[tuple[str, dict[str, Any]]]:
    """The curves, one method after the other."""
    for method in args.methods:
        kind, bar = METHODS[method], progress.add_task(method, total=args.seconds)
        learner = kind(tree, args.seed) if kind is ExternalSampling else kind(tree)
        for row in curve(learner, args, functools.partial(_show_worked, progress, bar)):
            yield method, row


def rows_of_agents(tree: GameTree, args: StudyCfr, progress: Progress) -> Iterator[tuple[str, dict[str, Any]]]:
    """A row for each agent."""
    for spec in args.agents:
        track = functools.partial(progress.track, description=spec)
        yield spec, measured(tree, policy_of(spec, tree, args, track))


def run(args: StudyCfr) -> dict[str, Any]:
    """Measure everything; returns what is kept."""
    begun = time.process_time()
    tree = GameTree.of(envs.game(args.game), args.max_nodes)
    print(f"{tree}, {time.process_time() - begun:.2f} CPU seconds with compiling", flush=True)
    found: dict[str, Any] = {
        "game": tree.game.to_dict(), "information_sets": tree.num_infos, "decisions": tree.num_decisions,
        "nodes": len(tree.nodes), "payoffs": tree.payoff_range, "rows": [],
    }  # fmt: skip
    uniform = [("uniform", measured(tree, tree.uniform()))]
    with Progress(console=Console(stderr=True), transient=True) as progress:
        rows = itertools.chain(uniform, rows_of_agents(tree, args, progress), rows_of_methods(tree, args, progress))
        for name, row in rows:
            found["rows"].append({"name": name, **row})
            print(words(found["rows"][-1]), flush=True)
            if args.out is not None:
                args.out.parent.mkdir(parents=True, exist_ok=True)
                args.out.write_text(json.dumps(found, indent=1))
    return found


def closest(found: dict[str, Any]) -> list[str]:
    """When each method came, and stayed, below the goal, as lines."""
    lines = []
    for name in dict.fromkeys(row["name"] for row in found["rows"] if "seconds" in row):
        rows = [row for row in found["rows"] if row["name"] == name]
        late = max((i for i, row in enumerate(rows) if row["share"] >= GOAL), default=-1)
        when = f"below {GOAL:.1%} from {rows[late + 1]['seconds']:g} s on" if late + 1 < len(rows) else "not close"
        lines.append(f"{name}: {when}; at last {100 * rows[-1]['share']:#.3g} %")
    return lines


def draw(found: dict[str, Any], path: pathlib.Path) -> None:
    """The curves as a picture: a line for each method, a dashed one for each policy that does not learn."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for number, name in enumerate(dict.fromkeys(row["name"] for row in found["rows"])):
        rows, style = [row for row in found["rows"] if row["name"] == name], {"label": name, "color": f"C{number}"}
        if "seconds" in rows[0]:
            axes.loglog([row["seconds"] for row in rows], [100 * row["share"] for row in rows], **style)
        else:
            axes.axhline(100 * rows[0]["share"], linestyle="--", linewidth=1, **style)
    axes.axhline(100 * GOAL, linestyle=":", linewidth=1, color="0.5")
    axes.set(xlabel="CPU seconds", ylabel="exploitability, % of the range of payoffs", title=found["game"]["name"])
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def main(args: StudyCfr) -> None:
    """Run the study that the arguments describe."""
    found = run(args)
    print(*closest(found), sep="\n")
    if args.plot is not None:
        draw(found, args.plot)


if __name__ == "__main__":
    main(tyro.cli(StudyCfr, description=__doc__))
