"""What does it cost to overlook one's own fours? Block stacking in which a four wins only when its owner claims it.

    python -m narabe.experiments.study_attention --attention 1.0 0.9 0.7 0.5 --agents greedy uct:sims=400 --games 300

The model of attention is simple: at each own turn at which a claim would be valid, the player notices it with probability p,
and then claims; else he lays his block without a claim, and may notice at his next turn, again with p. Nobody points out
another's four. Blocks are laid as the agent wants; while somebody has an unclaimed four on the board, which the searches take
for the end of the game, by the law's own urgency. Each p plays both seats against a player who never overlooks a four.

Games begin with random plies of their own and are independent. Intervals are 95 %: of the score by the normal distribution, of
shares Clopper and Pearson's. Games are kept in a folder each under ``--runs``, and the same command goes on.
"""

from __future__ import annotations

import json
import pathlib
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from narabe import envs
from narabe.agents import specs
from narabe.agents.agent import Agent, Analysis, Budget
from narabe.agents.simple import SeededAgent
from narabe.envs import Game
from narabe.envs.game import View
from narabe.envs.rules.core import is_legal, urgency
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import uniform
from narabe.experiments.args import UsageError
from narabe.experiments.interrupts import deferred
from narabe.experiments.judging import Share
from narabe.experiments.odds_backs import table
from narabe.experiments.outputs import expect_file
from narabe.experiments.ratings import NORMAL_95
from narabe.experiments.referee import GameRecord
from narabe.experiments.seat_games import played, self_play
from narabe.experiments.tournament import Stopped
from narabe.experiments.tournament_args import TournamentError

STOPPED, USAGE = 130, 2
SPEC = "narabe.experiments.study_attention.Attentive"


# ---- the player ------------------------------------------------------------------------------------------------------


@kernel
def _urgencies(states, out):
    s = states[0]
    for a in range(out.shape[0]):
        out[a] = urgency(s, a) if is_legal(s, a) else -np.inf


@dataclass(eq=False)
class Attentive(SeededAgent):
    """Block stacking with claims: lays blocks as ``of`` does, and notices a four of its own with probability ``p`` a turn.

    Options: ``p``, ``of`` (an agent with at most one option, such as uct:sims=400).
    """

    p: float = 1.0
    of: str = "greedy"
    _base: Agent = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.p <= 1:
            raise ValueError(f"p={self.p}: from 0 to 1")
        if not self.game.options.get("claim"):
            raise ValueError(f"{self.game.spec} has no claims: play stacking_claim")
        self._base = specs.make(self.of, self.game)

    def new_game(self, seat: int, seed: int, slot: int = 0) -> None:
        super().new_game(seat, seed, slot)
        self._base.new_game(seat, seed, slot)

    def tell(self, seen: int, slot: int = 0) -> None:
        self._base.tell(seen, slot)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [self._choose(view, budget) for view in views]

    def _choose(self, view: View, budget: Budget | None) -> Analysis:
        worth = np.zeros(view.num_actions)
        _urgencies(view.record, worth)
        column = self._column(view, worth, budget)
        claiming = column + int(view.record["columns"][0])
        state = view.state()
        state.play(claiming)
        valid = state.is_over and state.payoffs[view.seat] > 0
        notices = valid and uniform(self.stream(view.slot)) < self.p
        return Analysis.of(self.game, claiming if notices else column)

    def _column(self, view: View, worth: np.ndarray, budget: Budget | None) -> int:
        """The column to lay a block on, as an action without a claim."""
        record = view.record[0]
        columns = int(record["columns"])
        if not record["rank"].any():
            action = self._base.choose([view], budget)[0].action
            if action < 2 * columns:
                return action % columns
        plain = worth[:columns]
        best = np.flatnonzero(plain == plain.max())
        return int(best[int(uniform(self.stream(view.slot)) * len(best))])


# ---- the study -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StudyAttention:
    """Measure what overlooking costs."""

    game: str = "stacking_claim"
    """The game, with claims; options may follow, as in stacking_claim:unclaimed_four=reversed."""
    attention: tuple[float, ...] = (1.0, 0.9, 0.7, 0.5)
    """The chances to notice one's own four."""
    agents: tuple[str, ...] = ("greedy", "uct:sims=400")
    """Who lays the blocks, on both sides."""
    games: int = 300
    """For each chance and agent; even."""
    seed: int = 0
    """The number from which all follows."""
    opening_plies: int = 4
    """Random plies at the start of each game, another start for each."""
    workers: int = 1
    """Processes that play; 0 plays in this process."""
    runs: pathlib.Path = pathlib.Path("runs/attention")
    """Where games are kept, a folder for each kind."""
    out: pathlib.Path | None = None
    """Write the figures there, as JSON."""


def run(args: StudyAttention, console: Console | None = None) -> int:
    """Play what is not yet played, and print the table; returns the exit status."""
    console = console or Console(highlight=False)
    try:
        game = envs.game(args.game)
    except ValueError as error:
        raise UsageError(str(error)) from error
    expect_file(args.out)
    rows: list[dict[str, Any]] = []
    try:
        with deferred():
            for agent in args.agents:
                for p in args.attention:
                    rows.append(measure(game, agent, p, args, console))
    except Stopped as stop:
        console.print(f"Stopped: {stop.stored} of {stop.total} games are stored; the same command goes on.")
        return STOPPED
    console.print(attention_table(game, rows))
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps({"game": game.spec, "seed": args.seed, "rows": rows}, indent=1) + "\n")
    return 0


def measure(game: Game, agent: str, p: float, args: StudyAttention, console: Console) -> dict[str, Any]:
    """The games of one chance against full attention, in numbers."""
    one, other = (f"{SPEC}:p={q:g},of={agent}" for q in (p, 1.0))
    out = args.runs / re.sub(r"[^\w.=,-]", "_", f"{game.spec}-{agent}-{p:g}")
    try:
        records = self_play(
            game.spec, one, args.games, args.seed, out, args.opening_plies, args.workers, console, against=other
        )
    except TournamentError as error:
        raise UsageError(str(error)) from error
    return row_of(game, agent, p, played(records), one)


def row_of(game: Game, agent: str, p: float, records: Sequence[GameRecord], one: str) -> dict[str, Any]:
    """Score of the player who may overlook, and how often a four was overlooked."""
    payoffs, missed, robbed = [], 0, 0
    for record in records:
        payoffs.append(record.payoffs[record.agents.index(one)])
        owner = overlooked_by(game, record)
        if owner is not None:
            missed += 1
            robbed += record.payoffs[owner] <= 0
    score = (np.array(payoffs) + 1) / 2
    half = NORMAL_95 * score.std(ddof=1) / np.sqrt(len(score)) if len(score) > 1 else float("nan")
    return {
        "agent": agent,
        "attention": p,
        "games": len(records),
        "wins": int((score == 1).sum()),
        "draws": int((score == 0.5).sum()),
        "losses": int((score == 0).sum()),
        "score": float(score.mean()),
        "half_interval": float(half),
        "overlooked": Share(missed, len(records)).to_dict(),
        "first_four_not_won": Share(robbed, len(records)).to_dict(),
    }


def overlooked_by(game: Game, record: GameRecord) -> int | None:
    """The seat that made the first four of a game, if it did not claim it with the very block; else None."""
    state = game.start(chance="manual")
    for move in record.moves.split():
        state.play(move)
        ranks = state.record["rank"][0]
        if ranks.any():
            return None if state.is_over else int(np.flatnonzero(ranks)[0])
    return None


def attention_table(game: Game, rows: Sequence[dict[str, Any]]) -> Table:
    """A row for each agent and chance."""
    shown = table(
        f"{game.spec}: one notices a four with p, the other always (missed: the first four was overlooked)",
        "blocks by", "p", "games", "won-drawn-lost", "score, %", "missed, %", "not won, %",
    )  # fmt: skip
    shown.padding = (0, 1, 0, 0)
    for row in rows:
        shown.add_row(
            row["agent"],
            f"{row['attention']:g}",
            str(row["games"]),
            f"{row['wins']}-{row['draws']}-{row['losses']}",
            f"{100 * row['score']:.1f} ± {100 * row['half_interval']:.1f}",
            *(f"{100 * (row[name]['share'] or 0):.0f}" for name in ("overlooked", "first_four_not_won")),
        )
    return shown


def main() -> None:
    """The command line."""
    try:
        sys.exit(run(tyro.cli(StudyAttention, description=__doc__)))
    except UsageError as error:
        print(f"narabe: {error}", file=sys.stderr)
        sys.exit(USAGE)


if __name__ == "__main__":
    main()
