"""A little of everything that searches do, as text: for comparing compiled code with plain Python."""

from __future__ import annotations

import json

import numpy as np

from narabe.agents import make
from narabe.envs import State, game
from narabe.envs.rules.random import new_stream
from narabe.search.goita.beliefs import Beliefs
from narabe.search.playout import playouts
from narabe.search.uct import Uct
from narabe.tests.games import game_of, heap, poker


def starts() -> list[State]:
    renju = game("renju", size=7, row=4).start()
    for move in ("D4", "E5", "D6", "A1", "F4", "G7"):  # now the bans forbid five points
        renju.play(move)
    return [
        game("gomoku", size=3, row=3).start(),
        game("capture_gomoku", size=7).start(),
        renju,
        game("omok", size=7).position(black=["D3", "D5", "C4", "F4"], white=["A1", "B2", "G7"], to_move="black"),
        game_of(heap, stones=9).start(),
        game_of(poker, cards=3).start(seed=5),
    ]


def sample() -> str:
    """JSON of playouts, of a search that is told a move and goes on, and of moves of the simple agents."""
    return json.dumps([*(results(start) for start in starts()), goita()])


def goita() -> dict[str, object]:
    """Moves of the players of Goita, and what a seat believes."""
    late = "114,2p,3p,444,142,223,336,4p,1p,2p,316,4p,1p,2p,315"
    state = game("goita").from_text(f"0-0 s1 11223448,11122357,11356678,11134455 {late}")
    specs = ("goita_rules", "pimc:worlds=2,solve_from=33", "pimc:worlds=1,cap=20,mb=1")
    small = Beliefs.of(game("goita_two_by_four").from_text("0-0 s1 1128,1448 12"))
    facts: dict[str, object] = {spec: make(spec, state.game).analyse(state).action for spec in specs}
    return facts | {"layouts": small.layouts.tolist(), "weights": small.weights.tolist()}


def results(start: State) -> dict[str, object]:
    g, rng = start.game, new_stream(11)
    states, totals = np.concatenate([start.record] * 2), np.zeros(g.num_players)
    states = states.view(type(start.record))
    facts: dict[str, object] = {"plies": int(playouts(states, 3, rng, totals)), "totals": totals.tolist()}
    for spec in ("random", "greedy"):
        agent = make(spec, g)
        agent.new_game(start.to_play, seed=2)
        facts[spec] = [agent.choose([start.view(start.to_play)])[0].action for _ in range(3)]
    if not hasattr(g.law, "redeal"):
        uct = Uct(g, max_nodes=500)
        found = [uct.search(start.record, rng, sims=60)]
        state = start.copy().play(found[0].principal_variation[0])
        for action in state.history:
            uct.advance(action)
        found.append(uct.search(state.record, rng, sims=30))
        facts["found"] = [(f.visits.tolist(), f.value.tolist(), f.principal_variation, f.slots) for f in found]
    return facts | {"stream": int(rng[0])}
