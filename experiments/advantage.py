"""`narabe openings advantage`: the score of the first player, by game and agent, and what a rule does to it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from narabe import __version__, envs
from narabe.experiments import interrupts, self_play
from narabe.experiments.args import UsageError
from narabe.experiments.openings_args import AdvantageArgs
from narabe.experiments.referee import GameRecord
from narabe.experiments.report import plain_table
from narabe.experiments.self_play import Score, SelfPlay, difference
from narabe.experiments.tournament import plain_console

FACTS, PICTURE = "advantage.json", "advantage.svg"


@dataclass
class Row:
    """What the games of one agent in one game came to. ``score``: of the first player's side; ``plies``: mean length."""

    game: str
    agent: str
    score: Score
    plies: float
    records: list[GameRecord]


def run(args: AdvantageArgs, console: Console | None = None) -> int:
    """Play and show the table; returns the exit code: 0, or 130 after Ctrl-C. `UsageError` says what cannot be done."""
    console = console or plain_console()
    with interrupts.deferred():
        try:
            rows = study(args, console)
        except KeyboardInterrupt:
            console.print("Stopped. What was played is kept; the same command goes on from there.")
            return 130
    show(rows, args, console)
    return 0


def study(args: AdvantageArgs, console: Console | None = None) -> list[Row]:
    """Play what is missing and write the files; a row for each agent and game, agent by agent."""
    console = console or Console(quiet=True)
    if not args.game or not args.agents:
        raise UsageError("--game and --agents: name at least one of each")
    self_play.check(args, args.games, args.game, args.agents)
    rows = [played(args, spec, agent, console) for agent in args.agents for spec in args.game]
    write(rows, args)
    return rows


def played(args: AdvantageArgs, spec: str, agent: str, console: Console) -> Row:
    """The games of one agent in one game."""
    game = envs.game(spec)
    plan = SelfPlay(spec, agent, ((),), "the start", args.games, args, folder_of(args, game.spec, agent))
    return row_of(spec, agent, self_play.play(plan, console, f"games of {spec}, {agent}"))


def row_of(spec: str, agent: str, records: list[GameRecord]) -> Row:
    """What these games came to."""
    games, score = self_play.whole(records), Score()
    for record in games:
        score.add(record.payoffs[0])
    return Row(spec, agent, score, sum(record.plies for record in games) / max(1, len(games)), records)


def folder_of(args: AdvantageArgs, spec: str, agent: str) -> Path:
    """Where these games lie."""
    return args.out / re.sub(r"[^\w.=,+-]+", "_", f"{spec}__{agent}")


def against(rows: list[Row], row: Row) -> tuple[float, float, float] | None:
    """(difference, low, high) of a row's score to that of the first game of the same agent; None for that itself."""
    first = next(other for other in rows if other.agent == row.agent)
    return None if first is row or not (first.score.games and row.score.games) else difference(row.score, first.score)


def show(rows: list[Row], args: AdvantageArgs, console: Console) -> None:
    """A table for each agent, and what else is to be known of it."""
    for agent in args.agents:
        table = plain_table(f"{agent} against itself: the first player's score")
        table.add_column("game", overflow="fold")
        for name in ("games", "w-d-l", "score in %, 95 %", "to the first"):
            table.add_column(name, justify="right", no_wrap=True)
        own = [row for row in rows if row.agent == agent]
        for row in own:
            score = row.score
            counts = f"{score.wins}-{score.draws}-{score.losses}"
            table.add_row(escape(row.game), str(score.games), counts, str(score), points(against(rows, row)))
        console.print(table)
        for line in (remark for row in own for remark in self_play.remarks(row.records)):
            console.print(line, highlight=False)
    words = (
        "Won-drawn-lost by the first player; a draw counts as half a win. Intervals are of 95 %, differences in points."
    )
    console.print(words, highlight=False)
    files = f"{escape(str(args.out / FACTS))}{', ' + PICTURE if args.plot else ''}"
    console.print(f"Files: {files}, and a folder for each line", highlight=False, soft_wrap=True)


def points(change: tuple[float, float, float] | None) -> str:
    """A difference in points of percent with its interval.

    >>> points((0.1, -0.021, 0.22))
    '+10.0 (-2.1 to +22.0)'
    """
    if change is None:
        return ""
    d, low, high = (100 * x for x in change)
    return f"{d:+.1f} ({low:+.1f} to {high:+.1f})"


def write(rows: list[Row], args: AdvantageArgs) -> None:
    """The figures as JSON, and a picture if one is wanted."""
    facts = {"narabe": __version__, "command": command(args), "rows": [_facts(rows, row) for row in rows]}
    args.out.mkdir(parents=True, exist_ok=True)
    part = args.out / f"{FACTS}.part"
    part.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8", newline="\n")
    part.replace(args.out / FACTS)
    if args.plot:
        plot(rows).savefig(args.out / PICTURE, metadata={"Date": None})


def _facts(rows: list[Row], row: Row) -> dict[str, Any]:
    change = against(rows, row)
    facts = {"game": row.game, "agent": row.agent, **row.score.to_dict(), "plies": row.plies}
    games = self_play.whole(row.records)
    facts |= {"different_games": len({record.moves for record in games}), "forfeits": len(row.records) - len(games)}
    return {**facts, "to_first_game": change and list(change)}


def plot(rows: list[Row]) -> Any:
    """The scores with their intervals, as a figure of matplotlib; `UsageError` where that is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("the picture needs matplotlib: pip install 'narabe[notebooks]'") from None
    games = list(dict.fromkeys(row.game for row in rows))
    agents = list(dict.fromkeys(row.agent for row in rows))
    figure = Figure(figsize=(8, 1.2 + 0.32 * len(rows)), layout="constrained")
    axes = figure.subplots()
    for number, agent in enumerate(agents):
        own = [row for row in rows if row.agent == agent and row.score.games]
        places = [games.index(row.game) + 0.7 * (number + 0.5) / len(agents) - 0.35 for row in own]
        bars(axes, places, [row.score for row in own], agent)
    name_rows(axes, games, "the first player")
    figure.legend(loc="outside upper left", ncols=2, fontsize=8, frameon=False)
    return figure


def bars(axes: Any, places: Sequence[float], scores: Sequence[Score], label: str | None = None) -> None:
    """Draw scores with their intervals, each at its place from the top down."""
    shares = [100 * score.share for score in scores]
    low = [share - 100 * score.interval[0] for share, score in zip(shares, scores)]
    high = [100 * score.interval[1] - share for share, score in zip(shares, scores)]
    axes.errorbar(shares, places, xerr=(low, high), fmt="o", capsize=3, label=label)


def name_rows(axes: Any, names: Sequence[str], whose: str) -> None:
    """Say what the rows of `bars` are, and whose scores."""
    axes.axvline(50, color="0.7", linewidth=1, zorder=0)
    axes.set(xlim=(0, 100), xlabel=f"score of {whose} in percent, 95 % interval", yticks=range(len(names)))
    axes.set_yticklabels(names)
    axes.invert_yaxis()


def command(args: AdvantageArgs) -> str:
    """The command that makes this table."""
    words = [
        "narabe",
        "openings",
        "advantage",
        "--game",
        *args.game,
        "--agents",
        *args.agents,
        "--games",
        str(args.games),
    ]
    words += ["--random-plies", str(args.random_plies), "--near", str(args.near)] if args.random_plies else []
    return shlex.join([*words, "--seed", str(args.seed), "--out", str(args.out)])
