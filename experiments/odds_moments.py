"""The section `moments` of `narabe odds`: to turn now, or to wait, in late positions solved to the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from narabe import envs
from narabe.envs import Game, State
from narabe.experiments.args import UsageError
from narabe.experiments.interrupts import check
from narabe.experiments.judging import share_of
from narabe.experiments.odds_args import OddsArgs
from narabe.experiments.odds_backs import table, words
from narabe.experiments.odds_positions import POSITIONS
from narabe.experiments.study_star import RICH_NOISE, late_position
from narabe.search.flip_timing import SAME, Choice, Timing, TimingError, flip_timing
from narabe.search.star import Star

SAMPLED_PLIES, SAMPLE_SEED = (1, 2, 3), 10_000
"""Plies before the end at which random games are looked at, and the seed of the first: none of the stored positions' games."""
SIGNS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "turn, %": lambda gains: gains > SAME,
    "wait, %": lambda gains: gains < -SAME,
    "the same, %": lambda gains: np.abs(gains) <= SAME,
}
SAME_SHOWN = 4
"""Further cells of equal value that are named; more are counted."""


def show(args: OddsArgs, game: Game, console: Console) -> dict[str, Any]:
    """Solve the positions, print their moves, and return all of it in numbers."""
    if args.seconds <= 0 or args.moves < 1 or args.sample < 0:
        raise UsageError("--seconds is above 0, --moves at least 1, and --sample at least 0")
    if args.position:
        asked = [(f"position {n}", "", state_of(game, text)) for n, text in enumerate(args.position, 1)]
    else:
        asked = [(p.name, p.lesson, envs.game(p.game).from_text(p.text)) for p in POSITIONS]
    found = []
    for name, lesson, state in asked:
        timing = solve(state, args, name)
        console.print(f"\n[bold]{escape(name)}[/]{': ' if lesson else ''}{escape(lesson)}")
        console.print(escape(str(state)))
        console.print(moves_table(timing, args.moves))
        console.print(verdict(timing))
        found.append(numbers(name, lesson, state, timing))
    return {"positions": found} | ({"sample": show_sample(args, console)} if args.sample else {})


def show_sample(args: OddsArgs, console: Console) -> list[dict[str, Any]]:
    """Count how often turning is better in positions that nobody chose; returns the counts."""
    shown = table(
        f"What is better, so many plies before the end of {args.sample} random games", "left", "number", *SIGNS
    )
    rows = []
    for plies in SAMPLED_PLIES:
        gains = gains_of(plies, args.sample)
        shares = {name: share_of(sign(gains)) for name, sign in SIGNS.items()}
        shown.add_row(str(plies), str(len(gains)), *(str(s).replace(" %", "") for s in shares.values()))
        rows.append({"plies": plies} | {name: share.to_dict() for name, share in shares.items()})
    shown.padding = (0, 1, 0, 0)
    console.print(shown)
    return rows


def gains_of(plies: int, games: int) -> np.ndarray:
    """`Timing.gain`, float64, of late positions on 9x9, of those in which one may both turn and wait.

    The games are those of `late_position` of `narabe.experiments.study_star`, by seeds from `SAMPLE_SEED` on.
    """
    nine, gains = envs.game("gomocku", size=9), []
    star = Star(nine)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for number in progress.track(range(games), description=f"{plies} plies before the end"):
            check()
            state = late_position(nine, plies, SAMPLE_SEED + number, RICH_NOISE, 9)
            timing = flip_timing(state, star) if state is not None else None
            if timing is not None and timing.now is not None and timing.later is not None:
                gains.append(timing.gain)
    return np.array(gains)


def state_of(game: Game, text: str) -> State:
    """A position of the user's; `UsageError` says what is wrong with it."""
    try:
        return game.from_text(text)
    except ValueError as error:
        raise UsageError(f"--position {text!r}: {error}") from error


def solve(state: State, args: OddsArgs, name: str) -> Timing:
    """All moves of a position, with a bar for as long as it takes; `UsageError` where it cannot be solved."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(f"solving {name}", total=None)

        def tell(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)
            check()

        try:
            return flip_timing(state, seconds=args.seconds, progress=tell)
        except TimingError as error:
            raise UsageError(f"{name}: {error}" + (" (--seconds)" if "seconds" in str(error) else "")) from error


def moves_table(timing: Timing, count: int) -> Table:
    """The best moves, and the best of each kind."""
    shown = table("", "cell", "turned", "five at once", "too long", "value")
    listed = timing.choices[:count]
    for choice in (timing.now, timing.later):
        if choice is not None and choice not in listed:
            listed.append(choice)
    for n, choice in enumerate(listed):
        if n == count:
            shown.add_section()
        cells = (cells_text(choice), choice.flips, words(choice.win), words(choice.foul), f"{choice.value:+.4f}")
        shown.add_row(*cells, style="bold" if choice.value > timing.choices[0].value - SAME else "")
    return shown


def cells_text(choice: Choice) -> str:
    """The cell of a choice with those that are worth the same."""
    if len(choice.same) > SAME_SHOWN:
        return f"{choice.cell} and {len(choice.same)} more"
    return " ".join((choice.cell, *choice.same))


def verdict(timing: Timing) -> str:
    """What turning now is worth, in a line."""
    now, later = timing.now, timing.later
    if now is None or later is None:
        return "Nothing can be turned." if now is None else "Something must be turned."
    if abs(timing.gain) < SAME:
        return f"To turn ({now}) and to wait ({later}) are worth the same: {now.value:+.4f}."
    word = "Turn now" if timing.gain > 0 else "Wait"
    return f"{word}: {now} is worth {now.value:+.4f}, {later} without turning {later.value:+.4f}: {timing.gain:+.4f}."


def numbers(name: str, lesson: str, state: State, timing: Timing) -> dict[str, Any]:
    """A position and its moves, ready for JSON."""
    return {
        "name": name,
        "lesson": lesson,
        "game": state.game.spec,
        "position": state.to_text(),
        "to_move": state.game.players[state.to_play],
        "gain": timing.gain,
        "nodes": timing.nodes,
        "choices": [
            {
                "cell": c.cell,
                "flips": c.flips,
                "value": c.value,
                "win": str(c.win),
                "foul": str(c.foul),
                "same": list(c.same),
            }
            for c in timing.choices
        ],
    }
