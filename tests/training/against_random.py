"""How many games a network wins against random moves, without any search: the highest legal logit is played."""

from __future__ import annotations

import numpy as np

from narabe.agents.evaluating import Evaluator
from narabe.agents.networks import Network
from narabe.envs.game import Game


def points(game: Game, network: Network, games: int, seed: int = 0) -> float:
    """The share of the points that the network makes in so many games, beginning in every other one."""
    evaluate, rng, total = Evaluator(network, game, batch=1), np.random.default_rng(seed), 0.0
    for k in range(games):
        state = game.start(seed=int(rng.integers(1 << 62)))
        while not state.is_over:
            if state.to_play == k % 2:
                seat = state.to_play
                logits, _ = evaluate(state.observe(seat)[None], state.legal_mask()[None], np.array([seat + 1]))
                state.play(int(logits[0].argmax()))
            else:
                state.play(int(rng.choice(state.legal_actions())))
        total += 0.5 + 0.5 * float(np.sign(state.payoffs[k % 2]))
    return total / games
