"""Tournaments of every family: chance turns, choices of two parts, three and four players, claims and takebacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from narabe.experiments import tournament
from narabe.experiments.store import Store
from narabe.experiments.tournament_args import TournamentArgs

GAMES = [
    "omok:size=7",
    "gomocku:size=6,stones=6,chance=3",
    "gomocku:size=6,stones=6,chance=3,deal=physical",
    "connect_four",
    "stacking:reach=1",
    "stacking:players=3,reach=1",
    "stacking_cylinder:players=4",
    "stacking_claim:reach=1,takeback=yes,resign=yes",
]


@pytest.mark.parametrize("game", GAMES)
def test_a_tournament_of_two_rounds(game: str, tmp_path: Path) -> None:
    """Every pair meets, payoffs of a game sum to zero, and the same seed gives the same games."""
    agents = ["random", "greedy", "uct:sims=30"]

    def games(out: Path) -> list[tuple[str, tuple[float, ...], str]]:
        args = TournamentArgs(game, agents, games=2, seed=3, out=out, workers=0)
        table, plan = tournament.play(args)
        with Store(out, plan.settings) as store:
            records = store.records()
        assert table.games == len(records) == len(plan.fixtures)
        assert {name for record in records for name in record.agents} == set(plan.agents)
        for record in records:
            assert sum(record.payoffs) == pytest.approx(0)
            assert record.forfeit_seat is None
        return [(record.moves, tuple(record.payoffs), record.reason) for record in records]

    first = games(tmp_path / "a")
    assert first == games(tmp_path / "b")
    assert len({moves for moves, _, _ in first}) == len(first)
