"""The agent that plays bounded block stacking perfectly."""

from __future__ import annotations

import pytest

from narabe.agents import AgentError, Budget, make
from narabe.envs import State, game
from narabe.search.gravity import BoardError
from narabe.search.gravity.law import position_of_state

SMALL = game("connect_four", width=6, height=4)  # the second player wins


def after(moves: str, name: str = "connect_four", **options: object) -> State:
    state = game(name, **options).start()
    for move in moves:
        state.play(move)
    return state


def play(first: str, second: str, seed: int) -> tuple[float, ...]:
    """The payoffs of a game between two agents."""
    agents = [make(spec, SMALL) for spec in (first, second)]
    state = SMALL.start()
    for seat, agent in enumerate(agents):
        agent.new_game(seat, seed)
    while not state.is_over:
        seat = state.to_play
        state.play(agents[seat].choose([state.view(seat)])[0].action)
        for agent in agents:
            agent.tell(state.history[-1])
    return state.payoffs


@pytest.mark.parametrize("spec", ["solver:mb=4", "solver:mb=4,weak=yes"])
def test_it_wins_what_is_won(spec: str) -> None:
    for other in ("random", spec):
        for seed in range(3):
            assert play(other, spec, seed) == (-1.0, 1.0)


def test_it_wins_at_once_and_else_as_soon_as_it_can() -> None:
    state = after("121212")
    found = make("solver:mb=4", state.game).analyse(state)
    assert (state.game.text_of(found.action), found.proven, found.value) == ("1", 1.0, (1.0, -1.0))
    state, plies = after("444444222265"), 0
    agent = make("solver:mb=16", state.game)
    assert agent.analyse(state).value == (0.0, 0.0)
    state = after("13445455")  # lost in 22 plies, seven stones before the end, if it holds out
    while not state.is_over:
        found = agent.analyse(state)
        assert found.proven == (-1.0 if state.to_play == 0 else 1.0)
        assert found.principal_variation[0] == found.action
        state.play(found.action)
        plies += 1
    assert plies == 22


def test_a_budget_ends_the_search_and_claims_nothing_unproven() -> None:
    state = after("444")
    agent = make("solver:nodes=3000,mb=4", state.game)
    found = agent.analyse(state)
    assert found.proven is None
    assert found.value is None
    assert found.nodes <= 3000
    assert found.action in state.legal_actions()
    again = make("solver:mb=4", state.game).analyse(state, Budget(sims=3000))
    assert (again.action, again.nodes) == (found.action, found.nodes)
    assert make("solver:mb=4", state.game).analyse(state, Budget(ms=1)).proven is None
    late = after("4444443333332222226666")
    assert make("solver:nodes=1,mb=4", late.game).analyse(late).action in late.legal_actions()


@pytest.mark.parametrize(("moves", "action"), [("121212", "1"), ("12131", "1"), ("4152", None)])
def test_within_a_budget_it_does_not_overlook_a_win_or_a_block(moves: str, action: str | None) -> None:
    state = after(moves)
    found = make("solver:nodes=1,mb=4", state.game).analyse(state)
    assert found.action in state.legal_actions()
    assert action is None or state.game.text_of(found.action) == action


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("omok", "only block stacking"),
        ("stacking", "no walls or no ceiling"),
        ("connect_four:height=0", "no walls or no ceiling"),
        ("connect_four:row=5", "row is 5"),
        ("connect_four:players=3", "3 players"),
        ("connect_four:claim=true", "claimed"),
        ("connect_four:takeback=true", "takeback"),
        ("stacking_go_board", "at most 64"),
    ],
)
def test_games_that_it_cannot_solve(spec: str, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        make("solver", game(spec))


def test_a_limit_of_plies_is_not_overlooked() -> None:
    state = game("connect_four", plies=20).start()
    with pytest.raises(BoardError, match="limit of plies"):
        make("solver:mb=4", state.game).analyse(state)


@pytest.mark.parametrize("name", ["connect_four", "stacking_cylinder"])
def test_positions_are_read_as_they_were_played(name: str) -> None:
    """The bitboards of a state and of its text, beside the stones that `heights` and turns tell."""
    from narabe.search.gravity import position_of
    from narabe.search.gravity.law import board_of

    state = after("443567123", name)
    read = position_of_state(state)
    assert read == position_of(board_of(state.game), [int(c) - 1 for c in "443567123"])
    assert read == position_of_state(state.game.from_text(state.to_text()))
