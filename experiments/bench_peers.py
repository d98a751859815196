"""The peers' way to the same work, where a peer is installed (extra `peers`)."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable

from narabe.experiments.bench_rows import SIMULATIONS, rate


def _playouts(seconds: float) -> float:
    """OpenSpiel, C++: rollouts of one evaluator from the empty board."""
    import pyspiel

    state = pyspiel.load_game("gomoku(size=15)").new_initial_state()
    game = pyspiel.load_game("gomoku(size=15)")

    def work(n: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(10 * n, 3)
        pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, 3, False).mcts_search(state)
        return 10 * n

    return rate(work, seconds)


def _uct(seconds: float) -> float:
    """OpenSpiel, C++: MCTSBot with one random rollout a simulation."""
    import pyspiel

    game = pyspiel.load_game("gomoku(size=15)")
    state = game.new_initial_state()

    def work(n: int) -> int:
        for _ in range(n):
            evaluator = pyspiel.RandomRolloutEvaluator(1, 3)
            pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 4000, False, 3, False).mcts_search(state)
        return n * SIMULATIONS

    return rate(work, seconds)


def _rl_steps(seconds: float) -> float:
    """OpenSpiel from Python: play a random action, then legal actions, mask and observation of the next player."""
    import pyspiel

    game = pyspiel.load_game("gomoku(size=15)")
    draw = random.Random(0)

    def work(n: int) -> int:
        steps = 0
        for _ in range(n):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.legal_actions_mask()
                state.observation_tensor(state.current_player())
                state.apply_action(actions[int(draw.random() * len(actions))])
                steps += 1
        return steps

    return rate(work, seconds)


def peers() -> dict[str, tuple[str, Callable[[float], float]]]:
    """Name of the work -> (name of the peer, measure), for installed peers only."""
    if importlib.util.find_spec("pyspiel") is None:
        return {}
    return {
        "playouts gomoku 15": ("OpenSpiel C++", _playouts),
        "uct gomoku 15": ("OpenSpiel C++", _uct),
        "rl steps gomoku 15": ("OpenSpiel", _rl_steps),
    }
