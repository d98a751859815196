"""Runs so small that a test may make them: 4 in a row on 5x5, or Goita, with next to no network."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

from narabe.experiments.training.args import TrainArgs
from narabe.experiments.training_cards.args import CardTrainArgs

GAME = "gomoku:size=5,row=4"
SMALL = {
    "game": GAME, "iterations": 3, "blocks": 1, "channels": 4, "chunks": 2, "chunk_games": 6, "flight": 4, "sims": 6,
    "fast_sims": 3, "full_share": 0.5, "batch": 16, "gate_every": 2, "gate_games": 4, "gate_sims": 4, "window": 150,
    "window_least": 40, "warm_up": 5,
}  # fmt: skip


def small(run: pathlib.Path, **changes: object) -> TrainArgs:
    """The arguments of a small run."""
    return TrainArgs(run=run, **{**SMALL, **changes})  # type: ignore[arg-type]


SMALL_CARDS = {
    "iterations": 4, "chunks": 2, "chunk_games": 40, "flight": 16, "width": 8, "critic_width": 8, "layers": 1, "batch": 32,
    "window": 1500, "window_least": 300, "rules_share": 0.2, "epsilon": 0.1, "match_every": 2, "match_deals": 20, "warm_up": 5,
}  # fmt: skip


def small_cards(run: pathlib.Path, **changes: object) -> CardTrainArgs:
    """The arguments of a small run of Goita."""
    return CardTrainArgs(run=run, **{**SMALL_CARDS, **changes})  # type: ignore[arg-type]


def result(run: pathlib.Path) -> dict[str, object]:
    """What a run has made, without times: the bytes of its shards and weights, the numbers of its log."""
    files = [*run.glob("window/*"), *run.glob("networks/*.safetensors"), run / "player.safetensors"]
    made: dict[str, object] = {str(file.relative_to(run)): file.read_bytes() for file in files}
    entries = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    times = ("seconds", "positions_per_second", "decisions_per_second", "evaluations_per_second", "network_share")
    made["log"] = [{name: value for name, value in entry.items() if name not in times} for entry in entries]
    return made


def start(args: TrainArgs) -> subprocess.Popen[str]:
    """The run in a process of its own."""
    code = (
        "import sys, pickle; from narabe.experiments.training.loop import run; "
        "sys.exit(run(pickle.loads(bytes.fromhex(sys.argv[1]))))"
    )
    import pickle

    words = [sys.executable, "-c", code, pickle.dumps(args).hex()]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ))
