"""What the tests of agents share: whole games, and the games to play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from narabe.agents import Agent, Analysis
from narabe.envs import State, entries, game
from narabe.envs.rules import core, line
from narabe.tests.games import game_of, heap, poker
from narabe.tests.small import NAMES, small

LINE_NAMES = [entry.variant.name for entry in entries() if entry.law is line]
LINE_GAMES = [small(name) for name in LINE_NAMES]
PILES = game("gomocku", size=7, deal="physical")
HIDING = [g for g in map(small, NAMES) if core.hides(g.law)]
OPEN_GAMES = [*(g for g in map(small, NAMES) if not core.hides(g.law)), PILES, game_of(heap, stones=12)]
ALL_GAMES = [*OPEN_GAMES, *HIDING, game_of(poker, cards=4)]


def play_on(state: State, agents: Sequence[Agent], look: Callable[[State, Analysis], None] | None = None) -> list[int]:
    """Plays a game to its end, one agent a seat, all of them told everything; returns the actions."""
    told = [0] * len(agents)
    while not state.is_over:
        tell(agents, state, told)
        seat = state.to_play
        (analysis,) = agents[seat].choose([state.view(seat, seed=len(state.seen(seat)))])
        if look is not None:
            look(state, analysis)
        state.play(analysis.action)
    return state.history


def tell(agents: Sequence[Agent], state: State, told: list[int]) -> None:
    """Tells each agent what its seat saw since the last time; ``told``: how many actions each of them knows of."""
    for seat, agent in enumerate(agents):
        seen = state.seen(seat)
        for action in seen[told[seat] :]:
            agent.tell(action)
        told[seat] = len(seen)


def begin(agents: Sequence[Agent], seed: int) -> None:
    for seat, agent in enumerate(agents):
        agent.new_game(seat, seed + seat)
