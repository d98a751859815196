"""The section `games` of `narabe odds`: how games end under good play, and whom they favour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from narabe.envs import Game
from narabe.envs.rules.gomocku import record as R
from narabe.experiments.args import UsageError
from narabe.experiments.judging import Share
from narabe.experiments.odds_args import OddsArgs
from narabe.experiments.odds_backs import table
from narabe.experiments.referee import GameRecord
from narabe.experiments.seat_games import played, seat_shares, self_play, winner
from narabe.experiments.tournament_args import TournamentError

ENDS = (
    "five before the chance",
    "five in the chance, laid",
    "five in the chance, turned",
    "more pieces turned",
    "fewer reds",
    "equal score",
)
SCORES = {R.FLIPS: 3, R.REDS: 4, R.LEVEL: 5}


def show(args: OddsArgs, game: Game, console: Console) -> dict[str, Any]:
    """Play what is not yet played, print the tables, and return their numbers."""
    found = {}
    for agent in args.agents:
        out = args.runs / re.sub(r"[^\w.=,-]", "_", f"{game.spec}-{agent}")
        try:
            records = self_play(game.spec, agent, args.games, args.seed, out, args.opening_plies, args.workers, console)
        except TournamentError as error:
            raise UsageError(str(error)) from error
        games = played(records)
        if not games:
            raise UsageError(f"{agent} forfeited all of its games: {records[0].forfeit_detail}")
        ends = [end_of(game, record) for record in games]
        console.print(sides_table(agent, games, game))
        console.print(ends_table(games, ends, game))
        console.print(words(games, ends, len(records) - len(games)))
        found[agent] = numbers(games, ends, game)
    return {"opening_plies": args.opening_plies, "seed": args.seed, "agents": found}


def end_of(game: Game, record: GameRecord) -> tuple[int, int]:
    """(number in `ENDS`, pieces laid) of a game, by playing it again.

    >>> from narabe.envs import game
    >>> from narabe.experiments.odds_games import pieces_and_end
    >>> pieces_and_end(game("gomocku", size=5, stones=5, chance=5), "A1 A2 B1 B2 C1 C2 D1 D2 E1".split())
    (0, 9)
    """
    return pieces_and_end(game, record.moves.split())


def pieces_and_end(game: Game, moves: Sequence[str]) -> tuple[int, int]:
    """(number in `ENDS`, pieces laid) of the game that these moves are, outcomes of chance among them."""
    state = game.start(chance="manual")
    for move in moves:
        state.play(move)
    s = state.record[0]
    laid = int(s["ply"])
    if int(s["result"]) != R.FIVE:
        return SCORES[int(s["result"])], laid
    if laid <= int(s["first"]):
        return 0, laid
    cells = game.options["width"] * game.options["height"]
    return (1 if state.history[-1] < cells else 2), laid


def sides_table(agent: str, games: Sequence[GameRecord], game: Game) -> Table:
    """Who wins, with intervals."""
    shown = table(f"{agent} against itself, {len(games)} games", "winner", "games", "share (95 % interval)")
    for name, share in zip([*game.players, "nobody"], seat_shares(games)):
        shown.add_row(name, str(share.hits), str(share))
    return shown


def ends_table(games: Sequence[GameRecord], ends: Sequence[tuple[int, int]], game: Game) -> Table:
    """How games end, and who wins in each way."""
    shown = table("How games end, and who wins them", "end", "games", "share (95 % interval)", *game.players)
    shown.padding = (0, 1, 0, 0)
    for number, name in enumerate(ENDS):
        winners = [winner(record) for record, (end, _) in zip(games, ends) if end == number]
        by_side = [str(winners.count(seat)) for seat in range(2)]
        shown.add_row(name, str(len(winners)), str(Share(len(winners), len(games))), *by_side)
    return shown


def words(games: Sequence[GameRecord], ends: Sequence[tuple[int, int]], forfeits: int) -> str:
    """How long games are, and how many reach the chance."""
    laid = sorted(pieces for _, pieces in ends)
    reached = Share(sum(end > 0 for end, _ in ends), len(ends))
    text = f"The chance was reached in {reached} of games; pieces laid: median {laid[len(laid) // 2]}, most {laid[-1]}."
    return text + (f" {forfeits} games were forfeited and are left out." if forfeits else "")


def numbers(games: Sequence[GameRecord], ends: Sequence[tuple[int, int]], game: Game) -> dict[str, Any]:
    """The tables, ready for JSON."""
    n = len(games)
    names = [name.lower() for name in game.players]
    return {
        "games": n,
        "winner": {name: share.to_dict() for name, share in zip([*names, "nobody"], seat_shares(games))},
        "ends": {
            name: Share(sum(end == number for end, _ in ends), n).to_dict()
            | {
                side: sum(e == number and winner(r) == seat for r, (e, _) in zip(games, ends))
                for seat, side in enumerate(names)
            }
            for number, name in enumerate(ENDS)
        },
        "pieces_laid": [pieces for _, pieces in ends],
    }
