"""What `narabe bench` is told from outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class BenchArgs:
    """Measure the laws, searches and environments, with the peers' figures beside ours where a peer is installed.

    Ours and the peer's take turns within one run on one core; figures are in CPU time, and only ratios travel between
    machines. Example: `narabe bench --only uct --out runs/bench.json`.
    """

    out: Path | None = None
    """File for the figures as JSON; without it they are only printed."""

    compare: Path | None = None
    """An older file of figures (written by --out): tell what has changed beyond noise since."""

    only: list[str] = field(default_factory=list)
    """Measure only rows whose name contains one of these words."""

    repeats: int = 5
    """How often each figure is taken; the median is shown, with minimum and maximum."""

    seconds: float = 0.5
    """CPU seconds each taking lasts."""

    engine: bool = False
    """Instead of all this, search ten fixed positions of the line games by alpha-beta and count nodes."""

    depth: int = 10
    """Plies that --engine searches."""

    selfplay: bool = False
    """Instead of all this, how fast games for `narabe train` are made, by game and size of network: positions a second, and
    the network's share of the time. Takes a minute or two; --only chooses games."""

    workers: int = 0
    """Instead of all this, so many workers beside as many independent processes: what they cost to start, a task, a chunk,
    and what they keep of the pace; for each back end that is installed. Wants a machine with nothing else to do."""
