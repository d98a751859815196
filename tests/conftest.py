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
    processes = getattr(config.option, "numprocesses", None)
    if processes and not is_worker:
        from narabe.envs.rules.jit import CACHE_FOLDER
        from narabe.tests import warm_up

        warm_up.compile_common_kernels(CACHE_FOLDER, processes)


def pytest_collection_finish() -> None:
    """What all the imports have left is there to stay: the search for garbage need not look at it again and again."""
    gc.freeze()
