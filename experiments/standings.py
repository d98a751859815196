"""What the games of a tournament add up to: points, ratings, forfeits, and how games ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from narabe.experiments.ratings import Pair, Ratings, fit
from narabe.experiments.referee import GameRecord
from narabe.experiments.team_ratings import Skill


@dataclass
class Row:
    """One agent's line of the table.

    Attributes:
        points: a win counts 1, a draw 1/2.
        first_points, first_games: in games in which it held seat 0.
        seconds, choices: all its thinking time, and for how many moves.
        los: how probable it is that it is stronger than the agent of the next row; None in the last.
        skill: its rating as a member of teams, see `team_ratings`; None where that is not made.
    """

    agent: str
    elo: float = 0.0
    margin: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    first_points: float = 0.0
    first_games: int = 0
    seconds: float = 0.0
    choices: int = 0
    los: float | None = None
    skill: Skill | None = None

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2


@dataclass
class Standings:
    """The state of a tournament, from the games played so far, in any order.

    Attributes:
        rows: best agent first; equal ones in the order in which they were entered.
        points: points[i, j] that agent i scored against j, in the order of `agents`.
        reasons: how many games ended for each reason.
        paired: the intervals take pairs of games as independent, not single ones.
    """

    agents: list[str]
    rows: list[Row]
    points: np.ndarray
    ratings: Ratings
    games: int
    plies: int
    reasons: Counter[str] = field(default_factory=Counter)
    paired: bool = False

    @property
    def first_points(self) -> float:
        return sum(row.first_points for row in self.rows)

    def order(self) -> list[int]:
        """The agents' numbers, best first."""
        return [self.agents.index(row.agent) for row in self.rows]


def standings(agents: Sequence[str], records: Sequence[GameRecord], paired: bool = False) -> Standings:
    """Adds up the games; two agents meet in each, whatever the number of seats.

    ``paired``: the intervals and what follows from them take pairs of games from one opening as independent, not games.
    """
    index = {agent: number for number, agent in enumerate(agents)}
    rows = [Row(agent) for agent in agents]
    points = np.zeros((len(agents), len(agents)))
    for record in records:
        shares = scores(record)
        for agent, score in shares.items():
            row = rows[index[agent]]
            row.wins += score == 1.0
            row.draws += score == 0.5
            row.losses += score == 0.0
            for other in shares:
                if other != agent:
                    points[index[agent], index[other]] += score
        first = rows[index[record.agents[0]]]
        first.first_games += 1
        first.first_points += shares[record.agents[0]]
        if record.forfeit_seat is not None:
            rows[index[record.agents[record.forfeit_seat]]].forfeits += 1
        for seat, agent in enumerate(record.agents):
            rows[index[agent]].seconds += record.seconds[seat]
            rows[index[agent]].choices += record.choices[seat]
    ratings = fit(points, pairs=pairs_of(agents, records) if paired else None)
    for row, elo, margin in zip(rows, ratings.elo, ratings.margin, strict=True):
        row.elo, row.margin = float(elo), float(margin)
    rows.sort(key=lambda row: -round(row.elo, 3))
    stronger = ratings.superiority()
    for row, below in pairwise(rows):
        row.los = float(stronger[index[row.agent], index[below.agent]])
    return Standings(
        agents=list(agents),
        rows=rows,
        points=points,
        ratings=ratings,
        games=len(records),
        plies=sum(record.plies for record in records),
        reasons=Counter(record.reason for record in records),
        paired=paired,
    )


def pairs_of(agents: Sequence[str], records: Sequence[GameRecord]) -> list[Pair]:
    """The pairs of games, one opening with both seatings, of which both games are here; by opening and agents."""
    index = {agent: number for number, agent in enumerate(agents)}
    points: dict[tuple[int, int, int], list[float]] = {}
    for record in records:
        shares = scores(record)
        i, j = sorted(index[agent] for agent in shares)
        points.setdefault((record.opening, i, j), []).append(shares[agents[i]])
    return [Pair(*meeting, sum(both)) for meeting, both in sorted(points.items()) if len(both) == 2]


def scores(record: GameRecord) -> dict[str, float]:
    """What each agent scored: 1 for the higher mean payoff over its seats, 1/2 each for equal ones, else 0."""
    means = {}
    for agent in dict.fromkeys(record.agents):
        own = [payoff for payoff, holder in zip(record.payoffs, record.agents, strict=True) if holder == agent]
        means[agent] = round(sum(own) / len(own), 9)
    best = max(means.values())
    if min(means.values()) == best:
        return dict.fromkeys(means, 0.5)
    return {agent: float(mean == best) for agent, mean in means.items()}
