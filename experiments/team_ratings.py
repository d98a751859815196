"""Ratings of agents as members of teams, by openskill, beside the Elo of pairs of seats: a second opinion.

The model is Bradley-Terry over teams, learned from game to game as Weng and Lin do (Journal of Machine Learning Research
12, 2011): a member has a skill of mean mu and standard deviation sigma (25 and 25 / 3 at first), and a team the sum of its
members'. In a tournament both seats of a team are held by one agent, which is then rated as two equal members.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from narabe.experiments.referee import GameRecord


class Skill(NamedTuple):
    """Mean and standard deviation of a skill, in the units of openskill."""

    mu: float
    sigma: float


def team_ratings(
    agents: Sequence[str], records: Sequence[GameRecord], teams: Sequence[Sequence[int]]
) -> dict[str, Skill] | None:
    """The skill of each agent after the games, in canonical order; None for games without teams, or without openskill.

    ``teams``: the seats that win together, as in `Game.teams`.
    """
    if all(len(seats) == 1 for seats in teams):
        return None
    try:
        from openskill.models import BradleyTerryFull
    except ImportError:
        return None
    model = BradleyTerryFull()
    skills: dict[str, Any] = {agent: model.rating() for agent in agents}
    for record in sorted(records, key=lambda record: record.number):
        members = [[record.agents[seat] for seat in seats] for seats in teams]
        payoffs = [round(sum(record.payoffs[seat] for seat in seats) / len(seats), 9) for seats in teams]
        ranks = [1 + sum(other > own for other in payoffs) for own in payoffs]
        before = [[model.rating(skills[agent].mu, skills[agent].sigma) for agent in team] for team in members]
        for team, rated in zip(members, model.rate(before, ranks=[float(rank) for rank in ranks]), strict=True):
            skills |= dict(zip(team, rated, strict=True))
    return {agent: Skill(skill.mu, skill.sigma) for agent, skill in skills.items()}
