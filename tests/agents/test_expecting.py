"""The agent `expectimax`: perfect in the last plies, careful before them, the same move for the same position."""

from __future__ import annotations

import pytest

from narabe.agents import AgentError, Analysis, Budget, make
from narabe.envs import State, game
from narabe.experiments.study_star import stored_suite
from narabe.search.star import Star
from narabe.tests.games import game_of, heap

LATE = next(late.state() for late in stored_suite() if late.size == 9 and late.rich and late.seed == 210)
GOMOKU = game("gomoku", size=7)


def choose(spec: str, state: State, budget: Budget | None = None) -> Analysis:
    agent = make(spec, state.game)
    agent.new_game(state.to_play, seed=1)
    return agent.choose([state.view(state.to_play)], budget)[0]


def test_it_is_perfect_three_plies_before_the_end() -> None:
    found = Star(LATE.game).search(LATE.record)
    analysis = choose("expectimax:plies=3", LATE)
    assert analysis.value == pytest.approx(found.value, abs=1e-12)
    assert analysis.proven == pytest.approx(found.value[LATE.to_play], abs=1e-12)
    after = LATE.copy()
    after.chance = "manual"
    after.play(analysis.action)
    assert Star(LATE.game).search(after.record).value == pytest.approx(found.value, abs=1e-12)


def test_it_wins_at_once_and_stops_a_five() -> None:
    four, others = ["C4", "D4", "E4", "F4"], ["A1", "C7", "G2"]
    wins = GOMOKU.position(black=four, white=[*others, "A6"], to_move="black")
    assert GOMOKU.text_of(choose("expectimax:plies=1", wins).action) in ("B4", "G4")
    stops = GOMOKU.position(black=["B4", *others], white=four, to_move="black")
    assert GOMOKU.text_of(choose("expectimax:plies=2", stops).action) == "G4"


def test_with_nothing_to_see_it_plays_what_is_urgent() -> None:
    state = GOMOKU.position(black=["D4", "E4"], white=["A1", "G7"])
    greedy = make("greedy", GOMOKU)
    urgent = {greedy.analyse(state).action for _ in range(30)}  # its ties are settled by chance
    assert choose("expectimax:depth=1", state).action in urgent


def test_a_move_depends_on_the_position_alone() -> None:
    agent = make("expectimax:plies=2", LATE.game)
    start = LATE.game.start()
    first = agent.choose([LATE.view(LATE.to_play)])[0]
    again = agent.choose([start.view(0, slot=1), LATE.view(LATE.to_play)])[1]
    assert (first.action, first.nodes) == (again.action, again.nodes)


def test_budgets_go_before_options() -> None:
    assert choose("expectimax:ms=100000", LATE, Budget(sims=1)).proven is None
    assert choose("expectimax:ms=1", LATE, Budget(ms=100_000)).proven is not None


@pytest.mark.parametrize(
    "spec", ["expectimax:plies=0", "expectimax:ms=0", "expectimax:plies=1,depth=1", "expectimax:table=-1"]
)
def test_options_that_are_refused(spec: str) -> None:
    with pytest.raises(AgentError):
        make(spec, GOMOKU)


def test_a_game_it_cannot_play_is_refused_in_one_line() -> None:
    with pytest.raises(AgentError, match="this search is for two players"):
        make("expectimax", game_of(heap, stones=5))
