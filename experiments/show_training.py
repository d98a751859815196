"""What the folder of a training holds, read from its log and its arguments; the training may go on meanwhile."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from narabe.experiments.args import UsageError
from narabe.experiments.report import plain_table
from narabe.experiments.training.progress import span

LAST = 5
"""Iterations that are printed."""


class Match(NamedTuple):
    """What the network scored in a match: a share with its 95 % interval; ``passed``: None where nothing hangs on it."""

    iteration: int
    score: float
    low: float
    high: float
    passed: bool | None


@dataclass(frozen=True)
class Training:
    """A training so far: its folder, its arguments (empty if they are not there), and the lines of its log."""

    folder: Path
    args: dict[str, Any]
    entries: list[dict[str, Any]] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The game, and how far it has come."""
        done = self.entries[-1]["iteration"]
        return f"{self.args.get('game', self.folder.name)}: {done} iteration{'s' if done != 1 else ''}"

    def series(self, name: str) -> tuple[list[int], list[float]]:
        """The iterations that have a number of this name, and the numbers."""
        found = [(entry["iteration"], entry[name]) for entry in self.entries if entry.get(name) is not None]
        return [i for i, _ in found], [float(x) for _, x in found]

    @property
    def losses(self) -> list[str]:
        """The names of the losses, without those that are 0 throughout."""
        names = dict.fromkeys(name for entry in self.entries for name in entry if name.endswith("_loss"))
        return [name for name in names if any(self.series(name)[1])]

    @property
    def matches(self) -> dict[str, list[Match]]:
        """The matches by opponent."""
        found: dict[str, list[Match]] = {}
        for entry in self.entries:
            for kind, key, against in MATCHES:
                if entry.get(key) is not None:
                    low, high = entry[f"{kind}_interval"]
                    match = Match(entry["iteration"], entry[key], low, high, entry.get(f"{kind}_passed"))
                    found.setdefault(against, []).append(match)
        return found


MATCHES = (
    ("gate", "gate_score", "last that passed"),
    ("random", "random_won", "random"),
    ("rules", "rules_won", "goita_rules"),
)
"""What a line of the log may hold of matches: the kind, where its score is, and whom it was against."""


def read(folder: Path) -> Training | None:
    """The training in a folder; None where there is none. `UsageError` for a log that is none, or holds nothing yet."""
    log, arguments = folder / "log.jsonl", folder / "args.json"
    if not log.exists() and not (arguments.exists() and (folder / "window").is_dir()):
        return None
    try:
        args = json.loads(arguments.read_text())["args"] if arguments.exists() else {}
        text = log.read_text() if log.exists() else ""
        entries = [
            json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()
        ]  # a half-written line is left
        whole = [entry for entry in entries if int(entry["iteration"]) >= 0]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{folder} holds no log of a training that can be read ({error})") from None
    if not whole:
        raise UsageError(f"{folder} holds a training of which no iteration is over yet")
    return Training(folder, args, whole)


def print_all(console: Console, training: Training) -> None:
    """Prints what a training is, how far it has come, its last iterations, and its matches."""
    last, seconds = training.entries[-1], sum(entry.get("seconds", 0.0) for entry in training.entries)
    total = {name: last.get(f"total_{name}") for name in ("games", "positions", "decisions")}
    made = ", ".join(f"{count:,} {name}" for name, count in total.items() if count is not None)
    console.print(f"[bold]{training.title}[/], {made}, {last['steps']:,} steps, {span(seconds)}", highlight=False)
    kept = ("blocks", "channels", "width", "layers", "search", "sims", "batch", "rate", "seed")
    words = ", ".join(f"{name} {training.args[name]}" for name in kept if name in training.args)
    if words:
        console.print(words, highlight=False)
    losses = [name for name in training.losses if any(name in entry for entry in training.entries[-LAST:])]
    shown = plain_table("last iterations")
    for name in ("iteration", "games", *(name.removesuffix("_loss") for name in losses), "seconds"):
        shown.add_column(name, justify="right")
    for entry in training.entries[-LAST:]:
        cells = ["-" if entry.get(name) is None else f"{entry[name]:.4f}" for name in losses]
        shown.add_row(str(entry["iteration"]), str(entry["games"]), *cells, f"{entry.get('seconds', 0.0):.0f}")
    console.print(shown)
    for against, matches in training.matches.items():
        shown = plain_table(f"matches against {against}")
        for name in ("iteration", "score", "95 % from", "to", ""):
            shown.add_column(name, justify="right")
        for m in matches[-2 * LAST :]:
            passed = {None: "", True: "passed", False: "not passed"}[m.passed]
            shown.add_row(str(m.iteration), *(f"{100 * share:.1f}%" for share in (m.score, m.low, m.high)), passed)
        console.print(shown)
