"""The section `backs` of `narabe odds`: what the next back will show."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from narabe.envs import Game
from narabe.experiments.odds_args import OddsArgs
from narabe.experiments.report import TitledTable
from narabe.search.backs import Backs, backs_of

AT_ONCE = 8
"""Directions around a cell, in each of which a piece may be turned."""


def show(args: OddsArgs, game: Game, console: Console) -> dict[str, Any]:
    """Print the tables; returns their numbers, fractions as texts."""
    backs = backs_of(game)
    console.print(opening_words(backs))
    console.print(pile_table(backs))
    console.print(pile_words(backs))
    console.print(seen_table(backs))
    console.print(at_once_table(backs))
    return numbers(backs)


def opening_words(backs: Backs) -> str:
    return (
        f"A side has {backs.pieces} pieces: {backs.coloured} of the backs show the other side's colour, {backs.red} red. "
        f"Whoever turns one of them first sees his own colour with chance {words(backs.chance())}."
    )


def pile_table(backs: Backs) -> Table:
    """By what the Chance pile holds: how likely that is, and the first piece turned, from elsewhere or from the pile."""
    shown = table(
        "If one could look into the Chance pile", "coloured in it", "how often", "piece of slots", "piece of pile"
    )
    for k, p in backs.in_pile().items():
        shown.add_row(str(k), words(p), words(backs.outside(k)), words(backs.inside(k)))
    shown.add_section()
    shown.add_row("any", "1", words(backs.chance()), words(backs.chance()))
    return shown


def pile_words(backs: Backs) -> str:
    """What the two figures of the rules' text are right for."""
    law = backs.in_pile()
    least, most = min(law), max(law)
    together = law[least] + law[most]
    usual = backs == Backs()
    source = 'The source\'s "about one half" and "one fifth"' if usual else "The first and the last row"
    return (
        f"{source} are {backs.outside(least)} and {backs.outside(most)}: the chances of the first piece turned from slots 1 to "
        f"3, for one who knows that the Chance pile holds {least} or {most} coloured backs. Such piles come up in "
        f"{words(together)} of games, and nobody sees a pile: for a player the chance is {backs.chance()}, whichever pile "
        "was chosen, and the same for every piece that nobody has seen, in the pile or not. What changes it is only what has "
        "been seen since:"
    )


def seen_table(backs: Backs) -> Table:
    """The chance of a coloured back by the coloured (rows) and the red ones (columns) seen so far."""
    title = "The next back is coloured, after so many coloured (down) and red ones (across) were seen"
    shown = table(title, "", *map(str, range(backs.red + 1)))
    shown.padding = (0, 1, 0, 0)
    for b in range(backs.coloured + 1):
        cells = [str(backs.chance(b, r)) if b + r < backs.pieces else "-" for r in range(backs.red + 1)]
        shown.add_row(str(b), *cells)
    return shown


def at_once_table(backs: Backs) -> Table:
    """Several pieces turned by one move, when nothing was seen before."""
    shown = table(
        "Turned by one move, nothing seen before", "pieces", "at least one coloured", "all coloured", "all red"
    )
    for n in range(1, min(AT_ONCE, backs.pieces) + 1):
        law = backs.turned(n)
        none, all_ = law.get(0, Fraction(0)), law.get(n, Fraction(0))
        shown.add_row(str(n), words(1 - none), words(all_), words(none))
    return shown


def numbers(backs: Backs) -> dict[str, Any]:
    """All tables, ready for JSON: fractions as texts such as 8/19."""
    return {
        "pieces": backs.pieces,
        "coloured": backs.coloured,
        "pile": [
            {"coloured": k, "chance": str(p), "slots": str(backs.outside(k)), "pile": str(backs.inside(k))}
            for k, p in backs.in_pile().items()
        ],
        "seen": [[str(backs.chance(b, r)) for r in range(backs.red + 1)] for b in range(backs.coloured + 1)],
        "at_once": {
            str(n): {str(k): str(p) for k, p in backs.turned(n).items()}
            for n in range(1, min(AT_ONCE, backs.pieces) + 1)
        },
    }


def words(p: Fraction) -> str:
    """A chance as a fraction and in per cent.

    >>> words(Fraction(2, 5)), words(Fraction(0))
    ('2/5 (40.0 %)', '0')
    """
    if p.denominator == 1:
        return str(p)
    return f"{p} (< 0.1 %)" if p < Fraction(1, 2000) else f"{p} ({100 * float(p):.1f} %)"


def table(title: str, *columns: str) -> Table:
    """A plain table whose first column names the row."""
    shown = TitledTable(title=title, box=SIMPLE_HEAD, padding=(0, 2, 0, 0), pad_edge=False)
    for n, name in enumerate(columns):
        shown.add_column(name, justify="left" if n == 0 else "right", no_wrap=True)
    return shown
