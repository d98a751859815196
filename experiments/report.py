"""What is shown of a tournament: tables for the terminal, and `summary.md` and `ratings.svg` for its folder.

The files hold nothing that depends on time or on the order in which games ended: a run that was broken off and gone
on with leaves the same bytes as one that was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from narabe.experiments.chart import ratings_svg
from narabe.experiments.ratings import PRIOR
from narabe.experiments.standings import Row, Standings
from narabe.experiments.store import Settings

SUMMARY, CHART = "summary.md", "ratings.svg"

_HEAD = ("#", "agent", "Elo", "games", "won", "drawn", "lost", "score", "as first", "forfeits")
_SHORT_HEAD = ("#", "agent", "Elo", "games", "won", "drawn", "lost", "score", "first", "forf.", "s/move")


def standings_table(table: Standings, title: str = "") -> Table:
    """The standings for the terminal, with the mean seconds of a move."""
    shown = _plain_table(title)
    for name in _SHORT_HEAD:
        left = name == "agent"
        shown.add_column(name, justify="left" if left else "right", no_wrap=not left, min_width=8 if left else None)
    for rank, row in enumerate(table.rows, 1):
        cells = _cells(rank, row)
        time = f"{row.seconds / row.choices:.3f}" if row.choices else "-"
        shown.add_row(*(escape(cell) for cell in cells), time, style="red" if row.forfeits else None)
    return shown


def cross_table(table: Standings) -> Table:
    """Points of each agent against each other one, for the terminal."""
    shown = _plain_table("points against each other")
    head, *lines = _crossings(table)
    for name in head:
        left = name == "agent"
        shown.add_column(name, justify="left" if left else "right", min_width=8 if left else None)
    for line in lines:
        shown.add_row(*(escape(cell) for cell in line))
    return shown


def _plain_table(title: str) -> Table:
    return Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        padding=(0, 0, 0, 1),
        pad_edge=False,
    )


def _cells(rank: int, row: Row) -> list[str]:
    return [
        str(rank),
        row.agent,
        elo_text(row),
        *(str(number) for number in (row.games, row.wins, row.draws, row.losses)),
        _percent(row.points, row.games),
        _percent(row.first_points, row.first_games),
        str(row.forfeits),
    ]


def elo_text(row: Row) -> str:
    """A rating with its interval, such as `+120 ± 35`."""
    return f"{round(row.elo):+d} ± {round(row.margin)}"


def _crossings(table: Standings) -> list[list[str]]:
    """The cross table as rows of text, its head first; agents by rank, columns named by rank."""
    order = table.order()
    lines = [["#", "agent", *(str(rank) for rank in range(1, len(order) + 1))]]
    for rank, i in enumerate(order, 1):
        cells = ["" if i == j else _points(table, i, j) for j in order]
        lines.append([str(rank), table.agents[i], *cells])
    return lines


def _points(table: Standings, i: int, j: int) -> str:
    games = table.points[i, j] + table.points[j, i]
    return f"{table.points[i, j]:g}/{games:g}" if games else "-"


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


def summary(table: Standings, settings: Settings, version: str, command: str, players: Sequence[str]) -> str:
    """The text of `summary.md`."""
    options = ", ".join(f"{name}={value}" for name, value in settings.options.items())
    ends = ((f"{count}", _percent(count, table.games), reason) for reason, count in _by_count(table.reasons))
    first = f"{_percent(table.first_points, table.games)} of the points, over all games, went to the first player"
    return f"""# Tournament: {settings.game}

    {command}

| | |
| --- | --- |
| game | {_cell(settings.game)} |
| options | {_cell(options) or "none"} |
| agents | {len(settings.agents)}, each pair {settings.games} games, {table.games} games in all |
| openings | {_openings(settings, players)} |
| seed | {settings.seed} |
| limits for one move | {settings.deadline:g} s, {settings.memory} MB |
| version | narabe {version} |

## Ratings

{_markdown(_HEAD, [_cells(rank, row) for rank, row in enumerate(table.rows, 1)])}

![ratings](./{CHART})

Elo by the model of Bradley and Terry, a draw as half a win; the mean of all agents is 0, and 400 points are odds of ten
to one. After ± stands half the 95 % interval, from the Fisher information: the distance from the mean of these agents,
with their games taken as independent. A weak Gaussian prior (weight {PRIOR:g}) keeps a perfect score finite: such a
rating says "at least". Openings that proved too few at this length were made longer. "As first" is the score in games
as {players[0]}, the first player.

## Points against each other

{_markdown(*_head_and_rest(_crossings(table)))}

## Games

{first} ({players[0]}). Games took {table.plies / max(1, table.games):.1f} plies on average, openings included.

{_markdown(("games", "share", "end"), ends)}
"""


def _openings(settings: Settings, players: Sequence[str]) -> str:
    twice = "both colours" if len(players) == 2 else "the seats both ways round"
    count, plies = settings.games // 2, settings.opening_plies
    return f"{count}, random, of {plies} plies, no two alike up to symmetry; each played with {twice}"


def _by_count(reasons: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(reasons.items(), key=lambda item: (-item[1], item[0]))


def _head_and_rest(lines: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    return lines[0], lines[1:]


def _markdown(head: Sequence[str], lines: Any) -> str:
    marks = ["---" if name in ("agent", "end") else "---:" for name in head]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in [head, marks, *lines])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def write(out: Path, text: str, table: Standings, title: str) -> None:
    """Writes `summary.md` and `ratings.svg`, each whole or not at all."""
    for name, content in ((SUMMARY, text), (CHART, ratings_svg(table.rows, title))):
        part = out / f"{name}.part"
        part.write_text(content, encoding="utf-8", newline="\n")
        part.replace(out / name)
