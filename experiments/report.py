"""What is shown of a tournament: tables for the terminal, and `summary.md` and `ratings.svg` for its folder.

The files hold nothing that depends on time or on the order in which games ended: a run that was broken off and gone
on with leaves the same bytes as one that was not.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import compress
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markup import escape
from rich.table import Table

from narabe.experiments.adjudication import REASON
from narabe.experiments.chart import ratings_svg
from narabe.experiments.ratings import NORMAL_95, PRIOR
from narabe.experiments.sprt import STRONGER, Trial
from narabe.experiments.standings import Row, Standings
from narabe.experiments.store import Settings

SUMMARY, CHART = "summary.md", "ratings.svg"

_HEAD = ("#", "agent", "Elo", "LOS", "games", "won", "drawn", "lost", "score", "as first", "forfeits")
_SHORT_HEAD = ("#", "agent", "Elo", "LOS", "games", "won", "drawn", "lost", "score", "first", "forf.", "ms/move")
_SKILL = "openskill"
AGENT = {
    "justify": "left",
    "min_width": 8,
    "overflow": "fold",
}  # names of agents go on in the next line: all of it counts
NUMBER = {"justify": "right", "overflow": "fold"}
WIDE = 100
"""Columns from which the standings are shown whole."""
SKILL = 14
"""And so many more for ratings by openskill."""


def standings_table(table: Standings, title: str = "", width: int = WIDE) -> Table:
    """The standings for the terminal, with the mean time of a move; in few columns without some of its own."""
    shown = plain_table(title)
    skilled, forfeits = any(row.skill for row in table.rows), any(row.forfeits for row in table.rows)
    narrow = {"first": True, "forf.": not forfeits, "games": skilled}
    wide = WIDE + SKILL if skilled else WIDE
    left_out = {name for name, dispensable in narrow.items() if dispensable and width < wide}
    kept = [name not in left_out for name in _SHORT_HEAD]
    for name in (*compress(_SHORT_HEAD, kept), *([_SKILL] if skilled else [])):
        left = name == "agent"
        shown.add_column(name, **(AGENT if left else NUMBER), no_wrap=not left)
    for rank, row in enumerate(table.rows, 1):
        time = milliseconds(row.seconds / row.choices) if row.choices else "-"
        cells = [*compress((*_cells(rank, row), time), kept), *([skill_text(row)] if skilled else [])]
        shown.add_row(*map(escape, cells), style="red" if row.forfeits else None)
    return shown


def cross_table(table: Standings) -> Table:
    """Points of each agent against each other one, and how probable it is that it is stronger, for the terminal."""
    shown = plain_table("points against each other, and LOS")
    head, *lines = _crossings(table)
    for name in head:
        left = name == "agent"
        shown.add_column(name, **(AGENT if left else NUMBER))
    for line in lines:
        shown.add_row(*(escape(cell) for cell in line))
    return shown


class TitledTable(Table):
    """A table whose title is as wide as the screen, however narrow the columns are."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        title, self.title = self.title, None
        try:
            if title is not None:
                yield console.render_str(title, style="bold") if isinstance(title, str) else title
            yield from super().__rich_console__(console, options)
        finally:
            self.title = title


def plain_table(title: str) -> Table:
    """A table without lines around it."""
    return TitledTable(title=title or None, box=SIMPLE_HEAD, padding=(0, 0, 0, 1), pad_edge=False)


def milliseconds(seconds: float) -> str:
    """A time in milliseconds, to three digits.

    >>> milliseconds(0.0000512), milliseconds(0.07), milliseconds(0.9996), milliseconds(2.5)
    ('0.0512', '70', '1000', '2500')
    """
    ms = 1000 * seconds
    return f"{ms:.3g}" if ms < 999.5 else f"{ms:.0f}"


def _cells(rank: int, row: Row) -> list[str]:
    return [
        str(rank),
        row.agent,
        elo_text(row),
        "" if row.los is None else likelihood(row.los),
        *(str(number) for number in (row.games, row.wins, row.draws, row.losses)),
        _percent(row.points, row.games),
        _percent(row.first_points, row.first_games),
        str(row.forfeits),
    ]


def elo_text(row: Row) -> str:
    """A rating with its interval, such as `+120 ± 35`."""
    return f"{round(row.elo):+d} ± {round(row.margin)}"


def skill_text(row: Row) -> str:
    """A rating by openskill with its interval, such as `27.3 ± 1.9`."""
    return f"{row.skill.mu:.1f} ± {NORMAL_95 * row.skill.sigma:.1f}" if row.skill else ""


def likelihood(share: float) -> str:
    """A probability in percent, never 0 or 100.

    >>> likelihood(0.9731), likelihood(0.99999), likelihood(0.0)
    ('97%', '>99%', '<1%')
    """
    return ">99%" if share > 0.995 else "<1%" if share < 0.005 else f"{100 * share:.0f}%"


def _crossings(table: Standings) -> list[list[str]]:
    """The cross table as rows of text, its head first; agents by rank, columns named by rank."""
    order, stronger = table.order(), table.ratings.superiority()
    lines = [["#", "agent", *(str(rank) for rank in range(1, len(order) + 1))]]
    for rank, i in enumerate(order, 1):
        cells = ["" if i == j else f"{_points(table, i, j)} {likelihood(float(stronger[i, j]))}" for j in order]
        lines.append([str(rank), table.agents[i], *cells])
    return lines


def _points(table: Standings, i: int, j: int) -> str:
    games = table.points[i, j] + table.points[j, i]
    return f"{table.points[i, j]:g}/{games:g}" if games else "-"


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


def summary(
    table: Standings,
    settings: Settings,
    version: str,
    command: str,
    players: Sequence[str],
    trial: Trial | None = None,
    game: str = "",
) -> str:
    """The text of `summary.md`.

    ``trial``: the sequential test of the tournament, if it is one; ``game``: its game with the options that are not usual.
    """
    options = ", ".join(f"{name}={value}" for name, value in settings.options.items())
    ends = ((f"{count}", _percent(count, table.games), reason) for reason, count in _by_count(table.reasons))
    skilled = any(row.skill for row in table.rows)
    head = (*_HEAD, _SKILL) if skilled else _HEAD
    lines = [[*_cells(rank, row), *([skill_text(row)] if skilled else [])] for rank, row in enumerate(table.rows, 1)]
    return f"""# Tournament: {game or settings.game}

    {command}

| | |
| --- | --- |
| game | {_cell(settings.game)} |
| options | {_cell(options) or "none"} |
| agents | {len(settings.agents)}, {_schedule(settings)}, {table.games} games in all |
| openings | {_openings(settings, players)} |
| seed | {settings.seed} |
| limits for one move | {settings.deadline:g} s, {settings.memory} MB |
| version | narabe {version} |

{_test_section(table, settings, trial)}## Ratings

{_markdown(head, lines)}

![ratings](./{CHART})

{_how_to_read(table, players)}

## Points against each other

{_markdown(*_head_and_rest(_crossings(table)))}

Behind the points stands how probable it is, by the ratings, that the agent of the row is stronger.

## Games

{_games_words(table, settings, players)}

{_markdown(("games", "share", "end"), ends)}
"""


def _schedule(settings: Settings) -> str:
    meetings = {
        "round-robin": "each pair",
        "gauntlet": "the first and each other one",
        "ladder": "neighbours in the list",
    }
    most = "at most " if settings.sprt else ""
    return f"{meetings[settings.schedule]} {most}{settings.games} games"


def _how_to_read(table: Standings, players: Sequence[str]) -> str:
    """What the columns of the ratings mean."""
    if table.paired:
        independent = "from the scores of pairs of games from one opening, which are independent of each other"
    else:
        independent = (
            "from the Fisher information, with their games taken as independent (`--intervals pairs` takes the pairs)"
        )
    skill = (
        " The column openskill rates the agents as members of teams (Bradley-Terry over teams, learned game by game, 25 "
        "at first): the mean skill, and half its 95 % interval."
    )
    return prose(
        "Elo by the model of Bradley and Terry, a draw as half a win; the mean of all agents is 0, and 400 points are "
        "odds of ten to one. After ± stands half the 95 % interval of the distance from the mean of these agents, "
        f"{independent}. LOS is the likelihood that the agent is stronger than the next one. A weak Gaussian prior "
        f'(weight {PRIOR:g}) keeps a perfect score finite: such a rating says "at least". Openings that proved too few at '
        f'this length were made longer. "As first" is the score in games as {players[0]}, the first player.'
        + (skill if any(row.skill for row in table.rows) else "")
    )


def _games_words(table: Standings, settings: Settings, players: Sequence[str]) -> str:
    """What all games have in common, and how many were broken off."""
    words = (
        f"{_percent(table.first_points, table.games)} of the points, over all games, went to the first player "
        f"({players[0]}). Games took {table.plies / max(1, table.games):.1f} plies on average, openings included."
    )
    if settings.adjudicate:
        count, rule = table.reasons[REASON], settings.adjudicate
        words += (
            f" {count} ({_percent(count, table.games)}) were broken off as hopeless: in {rule['plies']:g} moves in a row "
            f"the agents of both sides gave the same side a value of at least {rule['margin']:g}."
        )
    return prose(words)


def prose(words: str) -> str:
    """A paragraph of `summary.md`, in lines."""
    return textwrap.fill(words, 120, break_long_words=False, break_on_hyphens=False)


def _test_section(table: Standings, settings: Settings, trial: Trial | None) -> str:
    if trial is None:
        return ""
    test, (low, high) = trial.test, trial.test.bounds
    first, second = settings.agents
    counts = [[str(count) for count in trial.counts]]
    words = prose(
        f"H0: `{first}` is {test.elo0:g} Elo above `{second}`; H1: it is {test.elo1:g} above (logistic Elo). The generalised "
        f"log-likelihood ratio (LLR) on pairs of games is {trial.llr:+.2f}, and the test ends at {low:.2f} or {high:.2f}: "
        f"alpha {test.alpha:g}, beta {test.beta:g}. Pairs are judged in their order. By the ratings the difference is "
        f"{difference_words(table, 0, 1)} Elo; after a test that stops early such an estimate leans to the side to which "
        "it stopped."
    )
    return f"""## Sequential test

{verdict_words(trial, first, second)}

{words}

Pairs by the points of `{first}`:

{_markdown(("0", "1/2", "1", "3/2", "2"), counts)}

"""


def verdict_words(trial: Trial, first: str, second: str) -> str:
    """What a sequential test has come to, in a sentence."""
    games = 2 * trial.pairs
    if trial.verdict is None:
        return f"No verdict after {games} games: neither H0 nor H1 is accepted."
    elo = trial.test.elo0 if trial.verdict == STRONGER else trial.test.elo1
    word = "more" if trial.verdict == STRONGER else "less"
    return f"{trial.verdict} accepted after {games} games: {first} is {word} than {elo:g} Elo above {second}."


def difference_words(table: Standings, i: int, j: int) -> str:
    """How far agent i is above agent j, with the interval, such as `+48 ± 20`."""
    elo, margin = table.ratings.difference(i, j)
    return f"{round(elo):+d} ± {round(margin)}"


def _openings(settings: Settings, players: Sequence[str]) -> str:
    twice = "both colours" if len(players) == 2 else "the seats both ways round"
    count, plies = settings.games // 2, settings.opening_plies
    if settings.book is not None:
        return f"{count}, from the book {settings.book}; each played with {twice}"
    kind = f"random, of {plies} plies" if plies else "drawn by chance alone, such as deals"
    return f"{count}, {kind}, no two alike up to symmetry; each played with {twice}"


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
