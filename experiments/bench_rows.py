"""What is measured: each function does real work with the production code for about so many CPU seconds."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from narabe.envs.game import Game, State
from narabe.envs.rules import core
from narabe.envs.rules.core import apply, is_over, legal_mask, mask_init, mask_update, mask_write
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import new_stream
from narabe.search.ismcts import Ismcts
from narabe.search.playout import playouts, random_action
from narabe.search.uct import Uct

Measure = Callable[[float], float]
VECTOR_BOARDS = 1024
SIMULATIONS = 5_000  # of one search, each from an empty tree


@dataclass(frozen=True)
class Row:
    """One figure: its name and unit, ours, and the peer's way to the same work if there is one."""

    name: str
    unit: str
    ours: Measure
    peer: str | None = None
    higher_is_better: bool = True


def rate(work: Callable[[int], int], seconds: float) -> float:
    """Units of work a CPU second: ``work(n)`` is called with growing n until it lasts long enough, and returns units."""
    n = 1
    while True:
        start = time.process_time()
        done = work(n)
        took = time.process_time() - start
        if took >= 0.6 * seconds:
            return done / took
        n = max(n + 1, int(n * min(20.0, seconds / max(took, 1e-6))))


def playout_rate(name: str, **options: Any) -> Measure:
    """Random games from the start to the end, a CPU second; chance turns, such as a deal, are part of them."""

    def measure(seconds: float) -> float:
        game = Game(name, **options)
        states = core.new_states(game.law, 2)
        states[0] = game.start(chance="manual").record[0]
        rng, totals = new_stream(1), np.zeros(game.num_players)
        playouts(states, 1, rng, totals)

        def work(n: int) -> int:
            playouts(states, n, rng, totals)
            return n

        return rate(work, seconds)

    return measure


def uct_rate(name: str, **options: Any) -> Measure:
    """UCT simulations (one descent and one full random playout) in searches of `SIMULATIONS` from the start position."""

    def measure(seconds: float) -> float:
        game = Game(name, **options)
        record, rng = game.start().record, new_stream(1)

        def work(n: int) -> int:
            return sum(Uct(game).search(record, rng, sims=SIMULATIONS).simulations for _ in range(n))

        work(1)
        return rate(work, seconds)

    return measure


def ismcts_rate(name: str, plies: int = 0, **options: Any) -> Measure:
    """Simulations of information-set MCTS in searches of `SIMULATIONS`, of eight random deals after so many random plies."""

    def measure(seconds: float) -> float:
        game, rng = Game(name, **options), new_stream(1)
        states = [_after(game, plies, seed) for seed in range(8)]
        search = Ismcts(game)

        def work(n: int) -> int:
            return sum(search.search(s.record, rng, sims=SIMULATIONS).simulations for _ in range(n) for s in states)

        work(1)
        return rate(work, seconds)

    return measure


def _after(game: Game, plies: int, seed: int) -> State:
    """A game after so many random plies, where it goes on and there is something to choose (else that of another seed)."""
    draw = np.random.default_rng(seed)
    state = game.start(seed=seed)
    while not state.is_over and (state.ply < plies or len(state.legal_actions()) < 2):
        state.play(int(draw.choice(state.legal_actions())))
    return _after(game, plies, seed + 100) if state.is_over else state


@kernel
def _masks_from_scratch(states, out, count):
    for _ in range(count):
        legal_mask(states[0], out)


@kernel
def _games_with_masks(states, masks, out, count, rng):
    plies = 0
    for _ in range(count):
        states[1] = states[0]
        s = states[1]
        mask_init(s, masks[0])
        while not is_over(s):
            apply(s, random_action(s, rng))
            mask_update(s, masks[0])
            mask_write(s, masks[0], out)
            plies += 1
    return plies


@kernel
def _games_without_masks(states, count, rng):
    plies = 0
    for _ in range(count):
        states[1] = states[0]
        s = states[1]
        while not is_over(s):
            apply(s, random_action(s, rng))
            plies += 1
    return plies


def mask_from_scratch(name: str, **options: Any) -> Measure:
    """Microseconds for the whole mask of a position 60 plies into a random game."""

    def measure(seconds: float) -> float:
        game = Game(name, **options)
        state, rng = game.start(), np.random.default_rng(1)
        while state.ply < 60 and not state.is_over:
            state.play(int(rng.choice(state.legal_actions())))
        out = np.zeros(game.num_actions, np.int8)

        def work(n: int) -> int:
            _masks_from_scratch(state.record, out, 100 * n)
            return 100 * n

        work(1)
        return 1e6 / rate(work, seconds)

    return measure


def mask_kept(name: str, **options: Any) -> Measure:
    """Microseconds a ply that keeping and writing the mask adds to the same random games."""

    def measure(seconds: float) -> float:
        game = Game(name, **options)
        states, masks = core.new_states(game.law, 2), core.new_masks(game.law, 1)
        states[0] = game.start().record[0]
        out = np.zeros(game.num_actions, np.int8)

        def with_masks(n: int) -> int:
            return int(_games_with_masks(states, masks, out, n, new_stream(3)))

        def without(n: int) -> int:
            return int(_games_without_masks(states, n, new_stream(3)))

        with_masks(1), without(1)
        return 1e6 / rate(with_masks, seconds) - 1e6 / rate(without, seconds)

    return measure


def vector_rate(env_id: str, **options: Any) -> Measure:
    """Steps a CPU second of 1,024 boards: actions given, fresh arrays for observation and mask, autoreset."""

    def measure(seconds: float) -> float:
        import gymnasium

        import narabe.envs  # noqa: F401  (registers the ids)

        envs = gymnasium.make_vec(env_id, VECTOR_BOARDS, vectorization_mode="vector_entry_point", **options)
        _, info = envs.reset(seed=1)
        rng = np.random.default_rng(1)
        mask = info["action_mask"]
        spent, steps = 0.0, -VECTOR_BOARDS  # the first step compiles and does not count
        while spent < seconds:
            actions = (rng.random(mask.shape, np.float32) * mask).argmax(1)
            start = time.process_time()
            _, _, _, _, info = envs.step(actions)
            spent += time.process_time() - start if steps >= 0 else 0.0
            mask = info["action_mask"]
            steps += VECTOR_BOARDS
        return steps / spent

    return measure


def random_step_rate(env_id: str, **options: Any) -> Measure:
    """Steps a CPU second of 1,024 boards with random legal actions picked in the kernel: all that `step` does, and the pick."""

    def measure(seconds: float) -> float:
        import gymnasium

        import narabe.envs  # noqa: F401

        envs: Any = gymnasium.make_vec(env_id, VECTOR_BOARDS, vectorization_mode="vector_entry_point", **options)
        envs.reset(seed=1)
        envs.step(envs.random_actions())

        def work(n: int) -> int:
            for _ in range(n):
                envs.step(envs.random_actions())
            return n * VECTOR_BOARDS

        return rate(work, seconds)

    return measure


def step_rate(env_id: str, **options: Any) -> Measure:
    """Steps a CPU second of one environment with observation and mask, random legal actions, resets included."""

    def measure(seconds: float) -> float:
        import gymnasium

        import narabe.envs  # noqa: F401

        env: Any = gymnasium.make(env_id, disable_env_checker=True, **options).unwrapped
        game = env.game
        orders = [np.random.default_rng(k).permutation(game.num_actions).tolist() for k in range(64)]

        def work(n: int) -> int:
            steps = 0
            for k in range(n):
                env.reset()
                for action in orders[k % 64]:
                    steps += 1
                    if env.step(action)[2]:
                        break
            return steps

        work(1)
        return rate(work, seconds)

    return measure


def aec_steps(make: Callable[[], Any]) -> Measure:
    """Steps a CPU second of one PettingZoo environment: `last`, a random legal action, `step`; resets included."""

    def measure(seconds: float) -> float:
        env, draw = make(), random.Random(0)

        def work(n: int) -> int:
            steps = 0
            for _ in range(n):
                env.reset()
                for _ in env.agent_iter():
                    observation, _, terminated, truncated, _ = env.last()
                    if terminated or truncated:
                        env.step(None)
                        continue
                    legal = observation["action_mask"].nonzero()[0]
                    env.step(int(legal[int(draw.random() * len(legal))]))
                    steps += 1
            return steps

        work(1)
        return rate(work, seconds)

    return measure


def aec_rows() -> list[Row]:
    """The row of PettingZoo, where that is installed."""
    if importlib.util.find_spec("pettingzoo") is None:
        return []
    from narabe.envs.adapters import aec

    ours = aec_steps(lambda: aec.env("connect_four"))
    return [Row("pettingzoo steps 7x6 connect four", "a second", ours, "pettingzoo steps connect four")]


_FIRST_SEARCH = """
import time
start = time.process_time()
import narabe.envs as envs
from narabe.envs.rules.random import new_stream
from narabe.search.uct import Uct
game = envs.game("freestyle")
Uct(game).search(game.start().record, new_stream(1), sims=100)
print(time.process_time() - start)
"""


def first_search(cold: bool) -> Measure:
    """CPU seconds from `import narabe.envs` to the end of a first search, with an empty or a filled cache."""

    def measure(seconds: float) -> float:
        env = dict(os.environ)
        if cold:
            with tempfile.TemporaryDirectory() as folder:
                return _run(env | {"NUMBA_CACHE_DIR": folder})
        return _run(env)

    return measure


def _run(env: dict[str, str]) -> float:
    done = subprocess.run([sys.executable, "-c", _FIRST_SEARCH], env=env, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout))


def rows() -> list[Row]:
    """Every row, in the order in which they are shown."""
    calls_a_second = "a second"
    return [
        Row("playouts 15x15 freestyle", calls_a_second, playout_rate("freestyle"), "playouts gomoku 15"),
        Row("playouts 15x15 gomoku", calls_a_second, playout_rate("gomoku")),
        Row("playouts 19x19 omok", calls_a_second, playout_rate("omok")),
        Row("playouts 19x19 capture gomoku", calls_a_second, playout_rate("capture_gomoku")),
        Row("playouts 15x15 renju", calls_a_second, playout_rate("renju")),
        Row("playouts 15x15 gomocku", calls_a_second, playout_rate("gomocku")),
        Row("playouts 7x6 connect four", calls_a_second, playout_rate("connect_four"), "playouts connect four"),
        Row("playouts stacking without walls", calls_a_second, playout_rate("stacking")),
        Row("playouts goita", calls_a_second, playout_rate("goita")),
        Row("uct simulations 15x15 freestyle", calls_a_second, uct_rate("freestyle"), "uct gomoku 15"),
        Row("uct simulations 19x19 omok", calls_a_second, uct_rate("omok")),
        Row("uct simulations 15x15 gomocku", calls_a_second, uct_rate("gomocku")),
        Row("uct simulations 7x6 connect four", calls_a_second, uct_rate("connect_four"), "uct connect four"),
        Row("ismcts simulations goita", calls_a_second, ismcts_rate("goita"), "ismcts euchre"),
        Row("ismcts simulations goita, after 8 plies", calls_a_second, ismcts_rate("goita", 8)),
        Row("vector env steps 15x15 freestyle", calls_a_second, vector_rate("narabe/Freestyle-v0")),
        Row("vector env steps 19x19 omok", calls_a_second, vector_rate("narabe/Omok-v0")),
        Row("vector env steps 19x19 capture gomoku", calls_a_second, vector_rate("narabe/CaptureGomoku-v0")),
        Row("vector env random steps goita", calls_a_second, random_step_rate("narabe/Goita-v0")),
        Row(
            "vector env random steps 7x6 connect four",
            calls_a_second,
            random_step_rate("narabe/ConnectFour-v0"),
            "random steps connect four",
        ),
        Row("env steps 15x15 freestyle", calls_a_second, step_rate("narabe/Freestyle-v0"), "rl steps gomoku 15"),
        *aec_rows(),
        Row("mask from scratch 19x19 omok", "us", mask_from_scratch("omok"), None, False),
        Row("mask from scratch 15x15 renju", "us", mask_from_scratch("renju"), None, False),
        Row("mask kept 19x19 omok", "us a ply", mask_kept("omok"), None, False),
        Row("mask kept 15x15 renju", "us a ply", mask_kept("renju"), None, False),
        Row("first search, warm cache", "CPU s", first_search(False), None, False),
        Row("first search, cold cache", "CPU s", first_search(True), None, False),
    ]
