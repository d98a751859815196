"""The section `moments` of `narabe odds`: to turn now, or to wait, in late positions solved to the end."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from narabe import envs
from narabe.envs import Game, State
from narabe.experiments.args import UsageError
from narabe.experiments.interrupts import check
from narabe.experiments.odds_args import OddsArgs
from narabe.experiments.odds_backs import table, words
from narabe.experiments.odds_positions import POSITIONS
from narabe.search.flip_timing import SAME, Choice, Timing, TimingError, flip_timing

SAME_SHOWN = 4
"""Further cells of equal value that are named; more are counted."""


def show(args: OddsArgs, game: Game, console: Console) -> dict[str, Any]:
    """Solve the positions, print their moves, and return all of it in numbers."""
    if args.seconds <= 0 or args.moves < 1:
        raise UsageError("--seconds is above 0, and --moves at least 1")
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
    return {"positions": found}


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
