"""Games of an agent with itself, through the tournament's machinery, and what the seats got of them.

Every game stands for itself: it has its own random opening (or none), its own chance and seeds. So games are independent, and
exact binomial intervals hold. A run is kept and gone on with as any tournament is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from narabe.experiments import tournament
from narabe.experiments.judging import Share
from narabe.experiments.referee import GameRecord
from narabe.experiments.schedule import CHANCES, stream_seed
from narabe.experiments.store import Store
from narabe.experiments.tournament_args import TournamentArgs


def self_play(
    game: str,
    agent: str,
    games: int,
    seed: int,
    out: Path,
    opening_plies: int = 0,
    workers: int = 1,
    console: Console | None = None,
    against: str | None = None,
) -> list[GameRecord]:
    """Games in which every seat is held by ``agent``; kept in the folder ``out``, where the same call goes on.

    ``opening_plies`` 0: every game begins at the start position, which is only sensible for agents whose moves depend on
    their seeds. ``against``: another agent that shares the seats alternately, both ways round. Raises
    `narabe.experiments.tournament_args.TournamentError` as a tournament does, and `narabe.experiments.tournament.Stopped`.
    """
    agents = [agent, against or agent]
    args = TournamentArgs(
        game=game, agents=agents, games=games, seed=seed, out=out, opening_plies=opening_plies, workers=workers
    )
    plan = tournament.make_plan(args)
    fixtures = [
        replace(f, opening=f.number if opening_plies else 0, chance=stream_seed(seed, CHANCES, f.number))
        for f in plan.fixtures
    ]
    plan = replace(plan, fixtures=fixtures)
    tournament.play(args, console, plan=plan)
    with Store(out, plan.settings) as store:
        return store.records()


def played(records: Sequence[GameRecord]) -> list[GameRecord]:
    """The games that were played to their ends: a forfeit tells nothing of the game."""
    return [record for record in records if record.forfeit_seat is None]


def seat_shares(records: Sequence[GameRecord]) -> list[Share]:
    """How many games each seat won, and last how many nobody did."""
    games = played(records)
    winners = [winner(record) for record in games]
    seats = len(games[0].payoffs) if games else 0
    return [Share(winners.count(seat), len(games)) for seat in [*range(seats), None]]


def winner(record: GameRecord) -> int | None:
    """The seat that won, None for a draw."""
    best = max(record.payoffs)
    return None if min(record.payoffs) == best else record.payoffs.index(best)


def share_dicts(shares: Sequence[Share], names: Sequence[str]) -> dict[str, Any]:
    """Shares by seat, ready for JSON; the last one is of draws."""
    return {name: share.to_dict() for name, share in zip([*names, "draw"], shares)}
