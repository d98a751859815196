"""Tournaments of the same agents in several games: each a run of its own, and one table over all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from narabe.experiments import referee, tournament
from narabe.experiments.report import AGENT, NUMBER, SUMMARY, elo_text, plain_table, prose
from narabe.experiments.standings import Row, Standings
from narabe.experiments.store import FILE
from narabe.experiments.tournament_args import TournamentArgs, TournamentError, command, games_of


@dataclass(frozen=True)
class Part:
    """The tournament of one game: how the game is shown, the name of its folder, and what came of it so far."""

    name: str
    folder: str
    table: Standings


def play_all(args: TournamentArgs, console: Console, game_factory: str) -> None:
    """Plays the tournaments one after another, each in a folder below `args.out`, and writes and prints the table of all.

    Raises `TournamentError` before any game is played if one of the games or agents cannot be had, and `Stopped` on an
    interrupt; the same arguments go on from there.
    """
    runs = of_each_game(args, game_factory)
    parts: list[Part] = []
    for number, (name, own) in enumerate(runs, 1):
        console.print(f"[bold]{escape(name)}[/], game {number} of {len(runs)}", highlight=False)
        try:
            table, plan = tournament.play(own, console, game_factory)
        except tournament.Stopped as stop:
            raise tournament.Stopped(sum(p.table.games for p in parts) + stop.stored, len(runs) * stop.total) from None
        tournament.print_tables(console, name, table, plan.settings, plan.trial)
        parts.append(Part(name, own.out.name, table))
        console.print()
    write(args.out, parts, command(args))
    print_all(console, parts)
    words = f"\nReport: {args.out / SUMMARY}; games: {FILE} and a report in the folder of each game."
    console.print(escape(words), highlight=False, soft_wrap=True)


def of_each_game(args: TournamentArgs, game_factory: str) -> list[tuple[str, TournamentArgs]]:
    """Each game as it is shown, and the arguments of its own tournament. Raises `TournamentError` if one cannot be played."""
    plans = [
        tournament.make_plan(replace(args, game=name, out=args.out / folder_of(name)), game_factory)
        for name in games_of(args)
    ]
    if args.out.joinpath(FILE).exists():
        raise TournamentError(f"{args.out} holds the run of one game; choose another folder with --out")
    if len({plan.game.spec for plan in plans}) < len(plans):
        raise TournamentError(f"--game names one game twice: {', '.join(plan.game.spec for plan in plans)}")
    for plan in plans:
        for spec in args.agents:
            try:
                referee.locate(args.agent_factory)(spec, plan.game).close()
            except (ValueError, KeyError, ImportError, AttributeError) as error:
                raise TournamentError(f"agent {spec!r} in {plan.game.spec}: {error}") from None
    return [(plan.game.spec, plan.args) for plan in plans]


def folder_of(game: str) -> str:
    """A name for the folder of a game.

    >>> folder_of("gomoku:size=9,row=4")
    'gomoku-size-9-row-4'
    """
    return re.sub(r"[^A-Za-z0-9_.]+", "-", game).strip("-.")


def parts_of(out: Path, intervals: str) -> list[Part]:
    """What the folders below ``out`` hold of one tournament in several games, as far as it has come; by name of the folder.

    Raises `TournamentError` where they hold tournaments that have nothing to do with each other.
    """
    folders = [path.parent for path in sorted(out.glob(f"*/{FILE}"))]
    found = {folder.name: run for folder in folders if (run := tournament.look(folder, intervals)) is not None}
    if (
        len({(*run.held.settings.agents, run.held.settings.seed, run.held.settings.schedule) for run in found.values()})
        > 1
    ):
        raise TournamentError(f"{out} holds runs that have nothing to do with each other; name one: {', '.join(found)}")
    return [Part(run.title, name, run.table) for name, run in found.items()]


# ---- the table of all ---------------------------------------------------------------------------------------------------


def order(parts: Sequence[Part]) -> list[str]:
    """All agents, those with the greatest share of their points first; equal ones in the order in which they were named."""
    agents = list(dict.fromkeys(agent for part in parts for agent in part.table.agents))
    return sorted(agents, key=lambda agent: -_share(parts, agent))


def print_all(console: Console, parts: Sequence[Part]) -> None:
    """Prints the table of all games."""
    head, lines = _lines(parts)
    shown: Table = plain_table(f"{len(parts)} games: Elo and half its 95 % interval, and points over all")
    for name in head:
        left = name == "agent"
        shown.add_column(escape(name), **(AGENT if left else NUMBER))
    for line in lines:
        shown.add_row(*map(escape, line))
    console.print(shown)


def write(out: Path, parts: Sequence[Part], words: str) -> None:
    """Writes the report of all games, whole or not at all."""
    part = out / f"{SUMMARY}.part"
    part.write_text(summary(parts, words), encoding="utf-8", newline="\n")
    part.replace(out / SUMMARY)


def summary(parts: Sequence[Part], words: str) -> str:
    """The text of the report of all games; ``words``: the command that makes it."""
    head, lines = _lines(parts)
    marks = ["---" if name == "agent" else "---:" for name in head]
    table = "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in (head, marks, *lines)
    )
    links = "\n".join(f"- [{part.name}](./{part.folder}/{SUMMARY}), {part.table.games} games" for part in parts)
    reading = prose(
        "Elo in each game, by the model of Bradley and Terry, with half the 95 % interval: the distance from the mean of "
        "these agents in that game, so columns are not to be compared number by number. Points: a win 1, a draw 1/2, "
        "over all games. (In a gauntlet or a ladder agents meet different others, and their scores do not compare.)"
    )
    return f"""# Tournament: {len(parts)} games

    {words}

{table}

{reading}

{links}
"""


def _lines(parts: Sequence[Part]) -> tuple[list[str], list[list[str]]]:
    head = ["#", "agent", *(part.name for part in parts), "points", "score"]
    lines = []
    for rank, agent in enumerate(order(parts), 1):
        rows = [_row(part, agent) for part in parts]
        points, games = sum(row.points for row in rows if row), sum(row.games for row in rows if row)
        cells = [elo_text(row) if row else "-" for row in rows]
        lines.append([str(rank), agent, *cells, f"{points:g}/{games}", f"{100 * _share(parts, agent):.1f}%"])
    return head, lines


def _row(part: Part, agent: str) -> Row | None:
    return next((row for row in part.table.rows if row.agent == agent), None)


def _share(parts: Sequence[Part], agent: str) -> float:
    rows = [row for part in parts if (row := _row(part, agent))]
    return sum(row.points for row in rows) / max(1, sum(row.games for row in rows))
