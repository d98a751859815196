"""Which seat is favoured? Games of an agent with itself, for two, three and four players, with intervals.

    python -m narabe.experiments.study_seats --players 3 4 --agents greedy uct:sims=200 uct:sims=1000 --games 300

The usual game is block stacking without walls (`stacking`). Games begin at the empty board and differ by the agents' own
random choices; where some were the same, the number of different ones stands in brackets. With ``--opening-plies`` each begins
with other random plies. Games are independent; intervals are Clopper and Pearson's, 95 %. They are kept in a folder each
under ``--runs``, and the same command goes on from there.
"""

from __future__ import annotations

import json
import pathlib
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import tyro
from rich.console import Console
from rich.table import Table

from narabe import envs
from narabe.experiments.args import UsageError
from narabe.experiments.interrupts import deferred
from narabe.experiments.odds_backs import table
from narabe.experiments.outputs import expect_file
from narabe.experiments.referee import GameRecord
from narabe.experiments.seat_games import played, seat_shares, self_play
from narabe.experiments.tournament import Stopped
from narabe.experiments.tournament_args import TournamentError

STOPPED, USAGE = 130, 2


@dataclass(frozen=True)
class StudySeats:
    """Measure what each seat is worth when equals play."""

    game: str = "stacking"
    """The game; options may follow, as in stacking:reach=2."""
    players: tuple[int, ...] = (3, 4)
    """Numbers of players, for games with an option of that name; none for the game's own."""
    agents: tuple[str, ...] = ("greedy", "uct:sims=100", "uct:sims=400", "uct:sims=1600")
    """Each of these plays itself on all seats."""
    games: int = 300
    """For each number of players and each agent; even."""
    seed: int = 0
    """The number from which all follows."""
    opening_plies: int = 0
    """Random plies at the start of each game, another start for each."""
    workers: int = 1
    """Processes that play; 0 plays in this process."""
    runs: pathlib.Path = pathlib.Path("runs/seats")
    """Where games are kept, a folder for each kind."""
    out: pathlib.Path | None = None
    """Write the figures there, as JSON."""


def run(args: StudySeats, console: Console | None = None) -> int:
    """Play what is not yet played, and print the tables; returns the exit status."""
    console = console or Console(highlight=False)
    expect_file(args.out)
    rows: list[dict[str, Any]] = []
    try:
        with deferred():
            for game in games_of(args):
                for agent in args.agents:
                    rows.append(measure(game, agent, args, console))
                console.print(seats_table(game, [row for row in rows if row["game"] == game.spec]))
    except Stopped as stop:
        console.print(f"Stopped: {stop.stored} of {stop.total} games are stored; the same command goes on.")
        return STOPPED
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(
            json.dumps({"seed": args.seed, "opening_plies": args.opening_plies, "rows": rows}, indent=1) + "\n"
        )
    return 0


def games_of(args: StudySeats) -> list[envs.Game]:
    """The games of the arguments; `UsageError` for what there is not."""
    try:
        base = envs.game(args.game)
        if not args.players:
            return [base]
        return [envs.game(base.name, **{**base.options, "players": n}) for n in args.players]
    except ValueError as error:
        raise UsageError(str(error)) from error


def measure(game: envs.Game, agent: str, args: StudySeats, console: Console) -> dict[str, Any]:
    """The games of one agent, in numbers."""
    out = args.runs / re.sub(r"[^\w.=,-]", "_", f"{game.spec}-{agent}")
    try:
        records = self_play(game.spec, agent, args.games, args.seed, out, args.opening_plies, args.workers, console)
    except TournamentError as error:
        raise UsageError(str(error)) from error
    games = played(records)
    return row_of(game, agent, games)


def row_of(game: envs.Game, agent: str, games: Sequence[GameRecord]) -> dict[str, Any]:
    """What the seats won."""
    plies = sorted(record.plies for record in games)
    return {
        "game": game.spec,
        "agent": agent,
        "games": len(games),
        "different": len({record.moves for record in games}),
        "seats": [share.to_dict() for share in seat_shares(games)[:-1]],
        "draws": seat_shares(games)[-1].to_dict(),
        "median_plies": plies[len(plies) // 2] if plies else None,
    }


def seats_table(game: envs.Game, rows: Sequence[dict[str, Any]]) -> Table:
    """A row for each agent."""
    fair = 100 / game.num_players
    shown = table(
        f"{game.spec}: games won, % (95 % interval); fair {fair:.1f}",
        "agent", "games", *game.players, "none",
    )  # fmt: skip
    shown.padding = (0, 1, 0, 0)
    for row in rows:
        shares = [*map(percent, row["seats"]), percent(row["draws"]).partition(" ")[0]]
        games = str(row["games"]) + (f" ({row['different']})" if row["different"] < row["games"] else "")
        shown.add_row(row["agent"], games, *shares)
    return shown


def percent(share: dict[str, Any]) -> str:
    """A share and its interval, short."""
    if not share["n"]:
        return "-"
    low, high = share["interval"]
    return f"{100 * share['share']:.0f} ({100 * low:.0f}-{100 * high:.0f})"


def main() -> None:
    """The command line."""
    try:
        sys.exit(run(tyro.cli(StudySeats, description=__doc__)))
    except UsageError as error:
        print(f"narabe: {error}", file=sys.stderr)
        sys.exit(USAGE)


if __name__ == "__main__":
    main()
