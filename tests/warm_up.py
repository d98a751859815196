"""What pytest's workers would compile each for itself when they collect the tests, compiled once and under watch."""

from __future__ import annotations

import pathlib
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from numba.core import config
from numba.core.errors import NumbaWarning

from narabe.envs import entries, game
from narabe.envs.rules.random import new_stream
from narabe.search.playout import playouts

MARK = "common_kernels_are_here"


def compile_common_kernels(folder: pathlib.Path, processes: int) -> None:
    """Fill the folder of our machine code with what a game of each law needs; laws share nothing, so each by a process.

    Numba warns of a kernel that it will not cache, or of a cast that loses precision, when it compiles: the first warning
    ends it, as an error. What is there already is taken as it is.
    """
    if config.DISABLE_JIT or (folder / MARK).exists():
        return
    games = list({entry.law: entry.variant.name for entry in entries()}.values())
    with ProcessPoolExecutor(min(processes, len(games)), mp_context=get_context("spawn")) as pool:
        list(pool.map(play_once, games))
    (folder / MARK).touch()


def play_once(name: str) -> None:
    """Touch what every test of the game touches: the calls behind `State`, and the playouts."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", NumbaWarning)
        state = game(name).start()
        state.play(int(state.legal_actions()[0])).undo()
        state.game.from_text(state.to_text())
        _ = state.key, state.canonical_key, state.observe(0), state.view(0), state.payoffs, state.reason, str(state)
        playouts(np.concatenate([state.record] * 2), 1, new_stream(0), np.zeros(state.game.num_players))
