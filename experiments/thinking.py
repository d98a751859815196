"""Asking an agent while a person waits, and its thoughts in words."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import numpy as np
from rich.console import Console

from narabe.agents import Agent, Analysis
from narabe.envs import Game, View

PATIENCE = 2.0
"""Seconds of silence before the person is told that an agent thinks."""

_LOOK = 0.25
_EXPECTED_PLIES = 4


def think(agent: Agent, view: View, console: Console, who: str | None, first: bool = False) -> tuple[Analysis, float]:
    """The agent's analysis of a view, and the seconds it took; ``first`` if it was not asked before.

    ``who`` thinks is said after a while; None: nothing is, since nobody may know that it is asked.

    The agent thinks in a thread of its own, so that the terminal can show how long it has been at it and Ctrl-C is
    heard at once (kernels run without the GIL).
    """
    done: list[Analysis] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            done.extend(agent.choose([view]))
        except BaseException as error:  # noqa: BLE001 - raised again below, in the caller's thread
            failed.append(error)

    before = time.perf_counter()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    if who is not None and thread.is_alive():
        _wait(thread, before, console, who, first)
    while thread.is_alive():
        thread.join(_LOOK)
    if failed:
        raise failed[0]
    return done[0], time.perf_counter() - before


def _wait(thread: threading.Thread, before: float, console: Console, who: str, first: bool) -> None:
    note = f"{who} thinks"
    why = " (its code may be compiled now, once on this machine)" if first else ""
    if not console.is_terminal:
        console.print(f"{note} ...", markup=False, highlight=False)
    with console.status(note) as status:
        while thread.is_alive():
            seconds = time.perf_counter() - before
            status.update(f"{note}: {seconds:.0f} s{why}; Ctrl-C leaves")
            thread.join(_LOOK)


def describe(game: Game, seat: int, analysis: Analysis, seconds: float) -> str:
    """The value for the agent's own seat, nodes, time, and the line it expects, as far as it says."""
    words = []
    if analysis.proven is not None:
        outcome = "win" if analysis.proven > 0 else "loss" if analysis.proven < 0 else "draw"
        words.append(f"a certain {outcome}")
    elif analysis.value is not None:
        words.append(f"value {analysis.value[seat]:+.2f} for {game.players[seat]}")
    if analysis.nodes:
        words.append(f"{analysis.nodes} nodes")
    words.append(f"{seconds:.1f} s")
    expected = analysis.principal_variation[1 : 1 + _EXPECTED_PLIES]
    if expected:
        words.append("expects " + " ".join(game.text_of(action) for action in expected))
    return ", ".join(words)


def best_moves(game: Game, analysis: Analysis, count: int = 5) -> Iterator[str]:
    """One line for each of the moves that the agent likes best: by visits if it counts them, else by its policy."""
    counted = int(analysis.visits.sum())
    weights = analysis.visits / counted if counted else analysis.policy
    for action in np.argsort(-weights, kind="stable")[:count]:
        if weights[action] > 0:
            visits = f"{analysis.visits[action]:7d} visits" if counted else ""
            yield f"  {game.text_of(int(action)):<6}{visits}{weights[action]:8.1%}"
