"""`narabe annotate`: the mistakes in a record of Goita, found with open hands."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from narabe import envs
from narabe.envs import Game, State
from narabe.envs.goita_records import Deal, Match, RecordError, read, write_line
from narabe.envs.goita_records.replay import counts_of, states_of
from narabe.envs.rules import goita
from narabe.experiments.annotate_args import AnnotateArgs
from narabe.experiments.args import UsageError
from narabe.experiments.outputs import expect_file
from narabe.search.goita import OpenHands, Position
from narabe.search.goita.annotation import BLUNDER, MISTAKE, Note, annotate

FIRST_WORD, PAUSE = 2.0, 10.0
"""Seconds until the first line of progress, and at most between two."""
STOPPED = 130
STYLES = {BLUNDER: "bold red", MISTAKE: "yellow"}
UNSOLVED = "not solved"


@dataclass
class Annotated:
    """A deal with the notes of its plies, the last one first."""

    number: int
    deal: Deal
    states: list[State]
    notes: list[Note] = field(default_factory=list)
    stopped: bool = False


def run(args: AnnotateArgs, console: Console | None = None) -> int:
    """Annotate the record of the arguments; `UsageError` for what cannot be read, replayed or solved."""
    console = console or Console(highlight=False)
    game, match = record_of(args)
    expect_file(args.json, "--json")
    solver = solver_of(game, args)
    deals = [Annotated(n, *pair) for n, pair in enumerate(zip(match.deals, replayed(match, game)), 1)]
    solver.value(Position(("11", "22", "33", "44"), 0))  # compiles, before any time is measured
    progress = Progress(solver)
    done: list[Annotated] = []
    for deal in deals:
        done.append(deal)
        try:
            progress.at(f"deal {deal.number}, ply {len(deal.deal.plies)}")
            for note in annotate(deal.states, solver, args.from_ply, args.seconds):
                deal.notes.append(note)
                progress.at(f"deal {deal.number}, ply {note.number - 1}")
        except KeyboardInterrupt:
            deal.stopped = True
        show(deal, match.names, args, console)
        if deal.stopped:
            break
    totals = totals_table(done, match.names)
    if totals is not None:
        console.print(totals)
    if args.json is not None:
        args.json.write_text(json.dumps(report(game, match, done), ensure_ascii=False, indent=1) + "\n")
    if done and done[-1].stopped:
        print("stopped: the plies above are all that is solved", file=sys.stderr)
        return STOPPED
    return 0


# ---- what is asked for ----


def record_of(args: AnnotateArgs) -> tuple[Game, Match]:
    """The game and the record, with all cards known; `UsageError` says what is wrong with them."""
    if args.from_ply < 1 or (args.seconds is not None and not args.seconds > 0):
        raise UsageError("--from-ply counts from 1, and --seconds is above 0")
    try:
        game = envs.game(args.game)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if game.law is not goita:
        raise UsageError(f"{game.spec}: only records of Goita are annotated")
    piped = args.record == "-"
    source = sys.stdin.read() if piped else args.record
    try:
        match = read(source, counts_of(game))
    except RecordError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        why = "neither history lines nor a YAML record" if piped else error.strerror or type(error).__name__
        raise UsageError(f"{'the standard input' if piped else args.record}: {why}") from error
    if not match.deals:
        raise UsageError("there is no deal in this record")
    for number, deal in enumerate(match.deals, 1):
        if hides(deal):
            raise UsageError(
                f"deal {number}: cards are hidden (x), and plies are judged with open hands: all must be known"
            )
    return game, match


def hides(deal: Deal) -> bool:
    """Is there a card that the record does not tell?"""
    return any(None in hand for hand in deal.hands) or any(p.word == "play" and p.lay is None for p in deal.plies)


def replayed(match: Match, game: Game) -> list[list[State]]:
    """The positions of each deal; `UsageError` where the rules do not allow a ply."""
    try:
        return states_of(match, game)
    except RecordError as error:
        raise UsageError(str(error)) from error


def solver_of(game: Game, args: AnnotateArgs) -> OpenHands:
    try:
        return OpenHands(game, args.mb)
    except ValueError as error:
        raise UsageError(f"--{error}") from error


# ---- what is shown ----


def show(deal: Annotated, names: Sequence[str], args: AnnotateArgs, console: Console) -> None:
    """A deal's line, and the table of its mistakes or of all plies."""
    console.print(heading(deal, names), markup=False, style="bold")
    notes = [note for note in reversed(deal.notes) if args.all or note.mark or not note.solved]
    if notes:
        console.print(plies_table(notes, deal))


def heading(deal: Annotated, names: Sequence[str]) -> str:
    """A deal in a line: who dealt, what it was worth, how it ended."""
    dealer, plies = deal.deal.dealer, len(deal.deal.plies)
    parts = [f"deal {deal.number}: {player(dealer, names)} dealt"]
    start = next((note for note in deal.notes if note.number == 1 and note.best is not None), None)
    if start is not None and start.best is not None:
        parts.append(f"worth {start.best:+d} to this pair")
    parts.append(f"{plies} {'ply' if plies == 1 else 'plies'}")
    parts.append(ending(deal))
    if not deal.notes:
        parts.append("stopped" if deal.stopped else "no ply to judge")
    elif not any(note.mark for note in deal.notes):
        parts.append(
            "no mistake" if all(note.solved for note in deal.notes) and not deal.stopped else "no mistake found"
        )
    return ", ".join(parts)


def ending(deal: Annotated) -> str:
    """How a deal ended, in words."""
    first, last = deal.states[0], deal.states[-1]
    if last.to_play >= 0:
        return "not finished"
    before = first.record["scores_before"][0]
    won = [int(now - then) * last.game.options["points"] for now, then in zip(last.record["scores"][0], before)]
    if not any(won):
        return "dealt again"
    seats = [f"{seat + 1}" for seat in range(last.game.num_players) if seat % 2 == int(won[1] > 0)]
    return f"{sum(won)} for {'player' if len(seats) == 1 else 'players'} {' and '.join(seats)}"


def player(seat: int, names: Sequence[str]) -> str:
    """A player by number, from 1, and name."""
    name = names[seat] if seat < len(names) else ""
    return f"player {seat + 1}" + (f" ({name})" if name else "")


def plies_table(notes: Sequence[Note], deal: Annotated) -> Table:
    """The table of some plies of a deal, in the notation of history lines: the player's number, then the cards."""
    shown = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    for name in ("ply", "played", "", "value", "best", "with", "of"):
        shown.add_column(name, justify="right" if name in ("ply", "value", "best", "of") else "left")
    for note in notes:
        cells = [str(note.number), str(deal.deal.plies[note.number - 1]), note.mark]
        if note.values:
            best = " ".join(deal.states[0].game.text_of(action) for action in note.best_actions)
            best = "any" if 1 < len(note.values) == len(note.best_actions) else best
            cells += [f"{note.value:+d}", f"{note.best:+d}", best, str(len(note.values))]
        else:
            cells += ["-", "-", "" if note.solved else UNSOLVED, ""]
        shown.add_row(*map(escape, cells), style=STYLES.get(note.mark, "" if note.solved else "dim"))
    return shown


def totals_table(deals: Sequence[Annotated], names: Sequence[str]) -> Table | None:
    """Mistakes by player; None where nothing was judged."""
    by_seat: dict[int, list[Note]] = {}
    for deal in deals:
        for note in deal.notes:
            if note.values:
                by_seat.setdefault(note.seat, []).append(note)
    if not by_seat:
        return None
    shown = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    for name in ("player", "choices", f"mistakes {MISTAKE}", f"blunders {BLUNDER}", "points lost"):
        shown.add_column(name, justify="left" if name == "player" else "right")
    for seat, notes in sorted(by_seat.items()):
        marks = [note.mark for note in notes]
        counts = sum(len(note.values) > 1 for note in notes), marks.count(MISTAKE), marks.count(BLUNDER)
        lost = sum(note.loss for note in notes)
        shown.add_row(escape(player(seat, names).removeprefix("player ")), *map(str, (*counts, lost)))
    return shown


def report(game: Game, match: Match, deals: Sequence[Annotated]) -> dict[str, Any]:
    """All that was found, in plain numbers and texts; seats from 0."""
    return {
        "game": game.spec,
        "names": list(match.names),
        "deals": [
            {
                "deal": deal.number,
                "record": write_line(deal.deal, counts_of(game)),
                "dealer": deal.deal.dealer,
                "ending": ending(deal),
                "stopped": deal.stopped,
                "plies": [ply_report(note, game) for note in reversed(deal.notes)],
            }
            for deal in deals
        ],
    }


def ply_report(note: Note, game: Game) -> dict[str, Any]:
    return {
        "ply": note.number,
        "seat": note.seat,
        "played": note.text,
        "solved": note.solved,
        "value": note.value,
        "best": note.best,
        "best_plies": [game.text_of(action) for action in note.best_actions],
        "loss": note.loss,
        "mark": note.mark,
        "values": {game.text_of(action): value for action, value in sorted(note.values.items())},
    }


class Progress:
    """Lines on the error output for as long as a record takes, the first after two seconds."""

    def __init__(self, solver: OpenHands) -> None:
        self.solver, self._about = solver, ""
        self._begun = time.monotonic()
        self._next = self._begun + FIRST_WORD
        solver.tick = self._tick

    def at(self, about: str) -> None:
        self._about = about

    def _tick(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            spent = now - self._begun
            self._next = now + min(PAUSE, spent)
            print(f"... {self._about}: {self.solver.nodes / 1e6:.1f} M nodes, {spent:.0f} s", file=sys.stderr)
