"""What `narabe train-cards` is told from outside: plain data, which imports neither numba nor torch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from narabe.experiments.training.args import RunArgs, check_run, expect_least, expect_shares


@dataclass
class CardTrainArgs(RunArgs):
    """Train a network for Goita by playing deals with itself: deep Monte Carlo, with a critic that sees all hands.

    All seats play what the network thinks is worth most, and now and then something random; the network then learns what
    each play came to. Everything is kept in the folder --run, as by `narabe train`. The network is <run>/player.safetensors
    at the end (`net:file=<run>/player`), and <run>/log.jsonl has a line an iteration, with matches against random moves
    and goita_rules now and then. Useful first: ten minutes as it is; then a wider network and hours.

    Example: `narabe train-cards --game goita --run runs/goita --minutes 60 --workers 2`.
    """

    free: ClassVar[tuple[str, ...]] = (
        "run", "minutes", "iterations", "workers", "backend", "ray_address", "match_every", "match_deals", "export",
        "tensorboard",
    )  # fmt: skip
    word: ClassVar[str] = "train-cards"

    game: str = "goita"
    """Goita with its options, such as goita:payoff=win or goita_four_by_four; single deals, which also teach matches."""

    run: Path = Path("runs/cards")
    """Folder of the run; one that holds a run of the same settings is gone on with."""

    chunk_games: int = 2048
    """Deals in a chunk."""

    flight: int = 512
    """Deals of a chunk that are played side by side, so that the network is asked many decisions at once."""

    window: int = 1_000_000
    """Decisions that are learned from: the newest so many at most."""

    window_share: float = 0.4
    """And at most this share of all decisions made so far, so that what the first networks played is soon forgotten."""

    window_least: int = 100_000
    """But never fewer than these, as far as there are so many."""

    batch: int = 512
    """Decisions in a step of learning."""

    reuse: float = 2.0
    """How often a decision is learned from, on average: an iteration has new decisions x reuse / batch steps."""

    rate: float = 1e-3
    """Learning rate of AdamW, after the warm-up."""

    # ---- the network ----

    width: int = 256
    """Numbers in a layer."""

    layers: int = 3
    """Layers that read what a seat sees; one more judges each play."""

    critic_width: int = 256
    """Numbers in a layer of the critic, which has as many layers. It is used in training only."""

    # ---- play ----

    epsilon: float = 0.03
    """Share of decisions that are random, so that every play is tried."""

    rules_share: float = 0.0
    """Share of deals in which one pair plays by goita_rules; only the other pair is learned from."""

    # ---- learning ----

    baseline: float = 1.0
    """How much of the luck that the critic sees is taken from what a play came to; 0: deep Monte Carlo as it is."""

    # ---- how good is it ----

    match_every: int = 10
    """Every so many iterations the network, without random plays, meets random moves and goita_rules. 0: never."""

    match_deals: int = 500
    """Deals of such a match, each played twice, so that each pair of hands is the network's once."""


def check(args: CardTrainArgs) -> None:
    """Raise `UsageError` for a number that cannot be meant."""
    check_run(args)
    expect_least(args, width=1, layers=1, critic_width=1, match_every=0, match_deals=1)
    expect_shares(args, "epsilon", "rules_share", "baseline")
