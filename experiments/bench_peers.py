"""The peers' way to the same work, where a peer is installed (extra `peers`)."""

from __future__ import annotations

import importlib.util
import os
import random
from collections.abc import Callable
from functools import partial
from typing import Any

from narabe.experiments.bench_rows import SIMULATIONS, VECTOR_BOARDS, aec_steps, rate

STEPS = 100  # of all boards in one call of pgx


def _playouts(game: str, seconds: float) -> float:
    """OpenSpiel, C++: rollouts of one evaluator from the empty board."""
    import pyspiel

    loaded = pyspiel.load_game(game)
    state = loaded.new_initial_state()

    def work(n: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(10 * n, 3)
        pyspiel.MCTSBot(loaded, evaluator, 2.0, 1, 1000, False, 3, False).mcts_search(state)
        return 10 * n

    return rate(work, seconds)


def _uct(game: str, seconds: float) -> float:
    """OpenSpiel, C++: MCTSBot with one random rollout a simulation."""
    import pyspiel

    loaded = pyspiel.load_game(game)
    state = loaded.new_initial_state()

    def work(n: int) -> int:
        for _ in range(n):
            evaluator = pyspiel.RandomRolloutEvaluator(1, 3)
            pyspiel.MCTSBot(loaded, evaluator, 2.0, SIMULATIONS, 4000, False, 3, False).mcts_search(state)
        return n * SIMULATIONS

    return rate(work, seconds)


def _ismcts(game: str, seconds: float) -> float:
    """OpenSpiel, C++: ISMCTSBot with one random rollout a simulation, at the first decision of random deals."""
    import pyspiel

    loaded = pyspiel.load_game(game)
    draw = random.Random(0)
    states = []
    for _ in range(8):
        state = loaded.new_initial_state()
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes())
            state.apply_action(draw.choices(outcomes, weights)[0])
        states.append(state)

    def work(n: int) -> int:
        for _ in range(n):
            for state in states:
                evaluator = pyspiel.RandomRolloutEvaluator(1, 3)
                pyspiel.ISMCTSBot(3, evaluator, 2.0, SIMULATIONS).step(state)
        return n * len(states) * SIMULATIONS

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


def _random_steps(seconds: float) -> float:
    """pgx, jitted: random legal actions drawn, played, looked at, and finished games begun anew, for 1,024 boards."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def run(state: Any, key: Any) -> Any:
        def one(carried: Any, _: None) -> Any:
            state, key = carried
            key, pick, fresh = jax.random.split(key, 3)
            action = jax.random.categorical(pick, jnp.where(state.legal_action_mask, 0.0, -1e9), axis=-1)
            return (step(state, action, jax.random.split(fresh, VECTOR_BOARDS)), key), None

        return jax.lax.scan(one, (state, key), None, length=STEPS)[0]

    key = jax.random.PRNGKey(0)
    carried = jax.block_until_ready(run(jax.jit(jax.vmap(env.init))(jax.random.split(key, VECTOR_BOARDS)), key))

    def work(n: int) -> int:
        nonlocal carried
        for _ in range(n):
            carried = jax.block_until_ready(run(*carried))
        return n * STEPS * VECTOR_BOARDS

    return rate(work, seconds)


def _pettingzoo() -> Any:
    """PettingZoo's own Connect Four."""
    from pettingzoo.classic import connect_four_v3

    return connect_four_v3.env()


def peers() -> dict[str, tuple[str, Callable[[float], float]]]:
    """Name of the work -> (name of the peer, measure), for installed peers only."""
    found: dict[str, tuple[str, Callable[[float], float]]] = {}
    if importlib.util.find_spec("pyspiel") is not None:
        for name, game in (("gomoku 15", "gomoku(size=15)"), ("connect four", "connect_four")):
            found[f"playouts {name}"] = ("OpenSpiel C++", partial(_playouts, game))
            found[f"uct {name}"] = ("OpenSpiel C++", partial(_uct, game))
        found["ismcts euchre"] = ("OpenSpiel C++, euchre", partial(_ismcts, "euchre"))
        found["rl steps gomoku 15"] = ("OpenSpiel", _rl_steps)
    if importlib.util.find_spec("pgx") is not None:
        found["random steps connect four"] = ("pgx, jitted", _random_steps)
    if all(importlib.util.find_spec(name) is not None for name in ("pettingzoo", "pygame")):
        found["pettingzoo steps connect four"] = ("PettingZoo", aec_steps(_pettingzoo))
    return found
