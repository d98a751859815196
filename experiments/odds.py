"""`narabe odds`: Gomocku's flips in exact numbers, in positions, and in games."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from rich.console import Console

from narabe import envs
from narabe.envs import Game
from narabe.envs.rules import gomocku
from narabe.experiments import odds_backs, odds_games, odds_moments, odds_piles
from narabe.experiments.args import UsageError
from narabe.experiments.interrupts import deferred
from narabe.experiments.odds_args import SECTIONS, OddsArgs
from narabe.experiments.outputs import expect_folder
from narabe.experiments.tournament import Stopped

STOPPED = 130
NUMBERS = "odds.json"
Job = Callable[[OddsArgs, Game, Console], dict[str, Any]]
JOBS: dict[str, Job] = {
    "backs": odds_backs.show,
    "piles": odds_piles.show,
    "moments": odds_moments.show,
    "games": odds_games.show,
}
USUAL = SECTIONS[:3]  # what takes seconds


def run(args: OddsArgs, console: Console | None = None) -> int:
    """Show the sections asked for, and write numbers and plots; `UsageError` for what cannot be had."""
    console = console or Console(highlight=False)
    game = game_of(args)
    plots = plotter(args)
    sections: list[str] = list(dict.fromkeys(args.sections)) or (["moments"] if args.position else list(USUAL))
    if args.position and "moments" not in sections:
        raise UsageError("--position is for the section moments")
    expect_folder(args.out)
    numbers: dict[str, Any] = {"game": game.spec}
    try:
        with deferred():
            for section in sections:
                console.rule(f"[bold]{section}", align="left", style="dim")
                numbers[section] = JOBS[section](args, game, console)
    except Stopped as stop:
        console.print(f"Stopped: {stop.stored} of {stop.total} games are stored; the same command goes on.")
        return STOPPED
    if args.out is not None and plots is not None:
        for name in write(args, numbers, plots):
            console.print(f"written: {args.out / name}", soft_wrap=True)
    return 0


def game_of(args: OddsArgs) -> Game:
    """The game of the arguments."""
    try:
        game = envs.game(args.game)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if game.law is not gomocku:
        raise UsageError(f"{game.spec}: these are the odds of gomocku")
    return game


def plotter(args: OddsArgs) -> Callable[..., list[str]] | None:
    """What draws the plots, if they are wanted; `UsageError` where matplotlib is missing, before any work is done."""
    if args.out is None:
        return None
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise UsageError("--out draws plots with matplotlib: pip install 'narabe[notebooks]'") from error
    from narabe.experiments.odds_plots import draw

    return draw


def write(args: OddsArgs, numbers: dict[str, Any], plots: Callable[..., list[str]]) -> list[str]:
    """Write `odds.json` and the plots; returns the names of the files."""
    assert args.out is not None
    try:
        args.out.mkdir(parents=True, exist_ok=True)
        (args.out / NUMBERS).write_text(json.dumps(numbers, indent=1, ensure_ascii=False) + "\n")
        return [NUMBERS, *plots(numbers, args.out)]
    except OSError as error:
        raise UsageError(f"{args.out} cannot be written to ({error.strerror}): choose another --out") from error
