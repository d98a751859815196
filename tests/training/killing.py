"""Starts a small run again and again and kills it with SIGKILL at random moments, until it comes to its end.

    python killing.py FOLDER KILLS SEED board|cards

The run is made by forked children of this process, which has imported everything, so that they begin at once. Prints, as
JSON, after how many whole iterations and shards each kill struck.
"""

from __future__ import annotations

import json
import os
import pathlib
import random
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import torch
from rich.console import Console

from narabe.experiments.training import loop
from narabe.experiments.training_cards import loop as card_loop
from narabe.tests.training.small_run import small, small_cards

KINDS: dict[str, tuple[Callable[..., Any], Callable[..., int]]] = {
    "board": (small, loop.run),
    "cards": (small_cards, card_loop.run),
}


def child(folder: pathlib.Path, kind: str) -> int:
    """The number of a new process that goes on with the run."""
    small, go_on = KINDS[kind]
    number = os.fork()
    if number == 0:
        status = 1
        try:
            status = go_on(small(folder), Console(quiet=True))
        finally:
            os._exit(status)
    return number


def main(folder: pathlib.Path, kills: int, seed: int, kind: str) -> None:
    rng = random.Random(seed)
    small, go_on = KINDS[kind]
    torch.set_num_threads(1)  # threads do not live on in forked children
    prepared = small(folder.with_name("prepared"), iterations=2)
    go_on(prepared, Console(quiet=True))  # what is loaded and compiled at first use is so in all children
    begun = time.monotonic()
    os.waitpid(child(folder.with_name("timed"), kind), 0)
    whole = time.monotonic() - begun
    struck: list[tuple[int, int]] = []
    patience = 1.0  # grows where a run gets nowhere between two kills
    for _ in range(kills):
        number = child(folder, kind)
        time.sleep(patience * whole * rng.uniform(0.05, 0.3))
        done, status = os.waitpid(number, os.WNOHANG)
        if done:
            assert status == 0, "the run failed by itself"
            break
        os.kill(number, signal.SIGKILL)
        os.waitpid(number, 0)
        log = folder / "log.jsonl"
        iterations = log.read_text().count("\n") if log.exists() else 0
        moment = iterations, len(list((folder / "window").glob("*.npz")))
        patience *= 1.5 if moment in struck else 1.0
        struck.append(moment)
    _, status = os.waitpid(child(folder, kind), 0)
    assert status == 0
    print(json.dumps(struck))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
