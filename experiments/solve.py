"""`narabe solve`: which method a game has, and who does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console

from narabe import envs
from narabe.envs import Game, entries
from narabe.envs.rules import stacking
from narabe.experiments import solve_scores, solve_threats
from narabe.experiments.args import UsageError
from narabe.experiments.solve_args import USUAL_GAME, SolveArgs

STACKING, LINES = "block stacking on a bounded board", "games of rows on a board"
ONLY_SCORES = ("weak",)
ONLY_THREATS = ("file", "seat", "threats", "nodes", "seconds", "proofs", "board")


class Method(NamedTuple):
    """A method of `narabe solve`: the family that has it, and its job."""

    family: str
    run: Callable[[SolveArgs, Console | None], int]


METHODS = {
    "scores": Method(STACKING, solve_scores.run),
    "vcf": Method(LINES, solve_threats.run),
    "vct": Method(LINES, solve_threats.run),
}


def run(args: SolveArgs, console: Console | None = None) -> int:
    """Solve the positions of the arguments; `UsageError` where there is nothing that can be solved."""
    method = method_of(args)
    _refuse(args, ONLY_THREATS if method == "scores" else ONLY_SCORES, method)
    return METHODS[method].run(args, console)


def method_of(args: SolveArgs) -> str:
    """The method that is asked for, or that the game has; `UsageError` lists what there is."""
    if args.file is not None and args.method != "scores":
        return args.method or "vcf"  # each line of the file has its own game
    try:
        game = envs.game(args.game or USUAL_GAME)
    except ValueError as error:
        raise UsageError(str(error)) from error
    own = methods_of(game)
    if not own:
        raise UsageError(f"{game.spec} has nothing to solve: {every_method()}")
    if args.method is not None and args.method not in own:
        raise UsageError(f"{game.spec} has no {args.method}; {every_method()}")
    return args.method or own[0]


def methods_of(game: Game) -> tuple[str, ...]:
    """The methods of a game, the usual one first."""
    if game.law is stacking:
        return ("scores",)
    return solve_threats.METHODS if hasattr(game.law, "hand_over") else ()


def every_method() -> str:
    """All methods with the games that have them, in a line."""
    found: dict[tuple[str, ...], list[str]] = {}
    for entry in entries():
        found.setdefault(methods_of(envs.game(entry.variant.name)), []).append(entry.variant.name)
    return "; ".join(f"{', '.join(own)}: {', '.join(names)}" for own, names in found.items() if own)


def _refuse(args: SolveArgs, names: tuple[str, ...], method: str) -> None:
    """`UsageError` for options that are of another method."""
    usual = SolveArgs()
    for name in names:
        if getattr(args, name) != getattr(usual, name):
            what = "a file of positions" if name == "file" else f"--{name}"
            raise UsageError(f"{what} is not for the method {method}")
