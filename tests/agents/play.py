"""What the tests of agents share: whole games, and the games to play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from narabe.agents import Agent, Analysis
from narabe.envs import State, entries, game
from narabe.envs.rules import line
from narabe.tests.games import game_of, heap, poker
from narabe.tests.small import NAMES, small

LINE_NAMES = [entry.variant.name for entry in entries() if entry.law is line]
LINE_GAMES = [small(name) for name in LINE_NAMES]
PILES = game("gomocku", size=7, deal="physical")
OPEN_GAMES = [*map(small, NAMES), PILES, game_of(heap, stones=12)]
ALL_GAMES = [*OPEN_GAMES, game_of(poker, cards=4)]


def play_on(state: State, agents: Sequence[Agent], look: Callable[[State, Analysis], None] | None = None) -> list[int]:
    """Plays a game to its end, one agent a seat, all of them told everything; returns the actions."""
    told = 0
    while not state.is_over:
        told = tell(agents, state, told)
        seat = state.to_play
        (analysis,) = agents[seat].choose([state.view(seat, seed=len(state.history))])
        if look is not None:
            look(state, analysis)
        state.play(analysis.action)
    return state.history


def tell(agents: Sequence[Agent], state: State, told: int) -> int:
    """Tells each agent what its seat saw since the action number ``told``; returns the number of actions."""
    for seat, agent in enumerate(agents):
        for action in state.seen(seat)[told:]:
            agent.tell(action)
    return len(state.history)


def begin(agents: Sequence[Agent], seed: int) -> None:
    for seat, agent in enumerate(agents):
        agent.new_game(seat, seed + seat)
