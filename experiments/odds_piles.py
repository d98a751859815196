"""The section `piles` of `narabe odds`: can it matter how the piles are laid out?"""

from __future__ import annotations

from math import comb
from typing import Any

from rich.console import Console
from rich.progress import Progress

from narabe import envs
from narabe.envs import Game
from narabe.experiments.interrupts import interruptible
from narabe.experiments.odds_args import OddsArgs
from narabe.experiments.odds_backs import table
from narabe.search.pile_orders import PileStudy, eager_policy, study_piles

SMALL: tuple[dict[str, int], ...] = (
    {"size": 4, "stones": 3, "chance": 3, "coloured": 2},
    {"size": 4, "stones": 3, "chance": 3, "coloured": 3},
    {"size": 4, "stones": 4, "chance": 2, "coloured": 2},
)
POLICIES = 2
"""Pairs of players for each small game."""

ARGUMENT = (
    "The backs of a side are mixed: every order is equally likely. Laying the piles out names places in that order, by one "
    "who sees no back, so afterwards every order is as likely as before, and remains so for the unseen ones whatever has "
    "been seen since. So no way to lay them out can matter to players who see no backs. Counted, in small games: every deal "
    "and every layout, with players who turn what they can and whose moves are any fixed function of what they have seen."
)
KNOWING = (
    "Every layout gives the mean. It would matter to one who had seen the backs: best and worst are what Black would get on "
    "average by laying out White's piles as well, or as badly, as he could for a deal that he knows. After the game one "
    "can tell which layout would have been lucky; that is hindsight, not a choice."
)


def show(args: OddsArgs, game: Game, console: Console) -> dict[str, Any]:
    """Count the small games, print the table, and return its numbers."""
    console.print(ARGUMENT)
    rows = []
    shown = table(
        "Black's mean payoff (game: board, coloured backs, piles)",
        "game",
        "players",
        "deals",
        "layouts",
        "same",
        "mean",
        "best",
        "worst",
    )
    shown.padding = (0, 1, 0, 0)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for options in progress.track(SMALL, description="small games"):
            for seed in range(POLICIES):
                with interruptible():
                    row = study(options, seed)
                rows.append(row)
                shown.add_row(
                    row["game"], str(seed), str(row["deals"]), str(row["layouts"]), "yes" if row["same"] else "NO",
                    row["payoff"], row["best"], row["worst"],
                )  # fmt: skip
    console.print(shown)
    console.print(KNOWING)
    return {"rows": rows}


def study(options: dict[str, int], seed: int) -> dict[str, Any]:
    """One small game with one pair of players, in numbers."""
    small = envs.game("gomocku", deal="physical", **options)
    found: PileStudy = study_piles(small, eager_policy(seed))
    pieces = small.options["stones"] + small.options["chance"]
    size = f"{small.options['width']}x{small.options['height']}"
    return {
        "game": f"{size}, {small.options['coloured']} of {pieces}, {pieces // small.options['chance']} piles",
        "options": options,
        "seed": seed,
        "deals": comb(pieces, small.options["coloured"]) ** 2,
        "layouts": len(found.laws),
        "same": found.same,
        "payoff": str(found.payoff),
        "best": str(found.best_seen),
        "worst": str(found.worst_seen),
    }
