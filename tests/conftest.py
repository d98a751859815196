"""What all tests share: property tests that draw the same examples every time, and one compilation for all workers."""

from __future__ import annotations

import gc
import signal

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "narabe",
    derandomize=True,  # a failure is found again by running the test again
    database=None,
    deadline=None,  # the first example may have to compile
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("narabe")


def pytest_configure(config: pytest.Config) -> None:
    """Before pytest-xdist starts its workers, compile once what they all need; they then read it from the cache.

    A shell starts what runs in the background with Ctrl-C ignored; the tests of interrupts need it heard.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    first, *others = gc.get_threshold()
    gc.set_threshold(10 * first, *others)  # compiling makes small objects by the million, and hardly a ring among them
    is_worker = hasattr(config, "workerinput")
    if not is_worker and getattr(config.option, "numprocesses", None):
        compile_common_kernels()


def pytest_collection_finish() -> None:
    """What all the imports have left is there to stay: the search for garbage need not look at it again and again."""
    gc.freeze()


def compile_common_kernels() -> None:
    """Touch one game of each law: the calls behind `State`, and the playouts."""
    import numpy as np

    from narabe.envs import entries, game
    from narabe.envs.rules.random import new_stream
    from narabe.search.playout import playouts

    for entry in {entry.law: entry for entry in entries()}.values():
        state = game(entry.variant.name).start()
        state.play(int(state.legal_actions()[0])).undo()
        state.game.from_text(state.to_text())
        _ = state.key, state.canonical_key, state.observe(0), state.view(0), state.payoffs, state.reason, str(state)
        playouts(np.concatenate([state.record] * 2), 1, new_stream(0), np.zeros(state.game.num_players))
