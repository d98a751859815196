"""How often the sequential test errs, and how many games it takes: matches drawn from a model with draws and biased openings.

Run it by `python -m narabe.experiments.study_sprt`; a thousand matches take about a minute. In the model an opening favours
one colour by so many Elo points, of which both games of a pair take their share, and a game is drawn where the strengths
are within so many points (Rao and Kupper, Journal of the American Statistical Association 62, 1967).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from rich.console import Console
from rich.progress import track

from narabe.experiments.judging import Share
from narabe.experiments.report import plain_table
from narabe.experiments.sprt import STRONGER, Sprt, Trial, expected_score


@dataclass
class StudySprt:
    """What is studied."""

    elo0: float = 0.0
    """H0 of the test."""

    elo1: float = 50.0
    """H1 of the test."""

    alpha: float = 0.05
    """Chance of accepting H1 where H0 holds."""

    beta: float = 0.05
    """Chance of accepting H0 where H1 holds."""

    elo: list[float] = field(default_factory=lambda: [-25.0, 0.0, 25.0, 50.0, 75.0])
    """True differences, in logistic Elo."""

    bias: float = 200.0
    """Elo points by which an opening favours one colour; which one is drawn."""

    draw: float = 100.0
    """Elo points within which a game is drawn at even odds."""

    matches: int = 1000
    """Matches for each true difference."""

    pairs: int = 5000
    """The most pairs of a match."""

    seed: int = 1
    """The number from which everything drawn follows."""

    out: Path | None = None
    """Write the figures there as JSON."""


@dataclass(frozen=True)
class Openings:
    """The model: what an opening does, and what is drawn, in Elo points."""

    bias: float
    draw: float

    def chances(self, strength: float) -> np.ndarray:
        """Of a loss, a draw, a win of the first agent, float64 (2, 3): with the favoured colour, and with the other."""
        gap = np.array([strength + self.bias, strength - self.bias])
        win, loss = (1 / (1 + 10 ** (-(x - self.draw) / 400)) for x in (gap, -gap))
        return np.stack([loss, 1 - loss - win, win], 1)

    def strength(self, elo: float) -> float:
        """The difference in strength at which the expected score is that of ``elo``.

        >>> model = Openings(bias=200, draw=100)
        >>> round(float((model.chances(model.strength(50)) @ [0, 0.5, 1]).mean()), 6) == round(expected_score(50), 6)
        True
        """
        from scipy.optimize import brentq

        def miss(strength: float) -> float:
            return float((self.chances(strength) @ [0.0, 0.5, 1.0]).mean()) - expected_score(elo)

        return float(brentq(miss, -4000, 4000))

    def points(self, elo: float, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
        """Points of the first agent in pairs of games, 0 to 2: float64 of this shape."""
        ends = np.cumsum(self.chances(self.strength(elo)), axis=1)[:, :2]
        return sum((rng.random((*shape, 1)) > end).sum(-1) / 2 for end in ends)


def play(test: Sprt, points: np.ndarray) -> Trial:
    """The test over the pairs of one match, until it stops or they are over."""
    trial = Trial(test)
    for number, score in enumerate(points):
        trial.game(2 * number, float(score))  # as far as the test can see, one game has all the points
        trial.game(2 * number + 1, 0.0)
        if trial.verdict:
            break
    return trial


def run(args: StudySprt, console: Console) -> dict[str, Any]:
    """The figures for each true difference."""
    test, model = Sprt(args.elo0, args.elo1, args.alpha, args.beta), Openings(args.bias, args.draw)
    rows = []
    for elo in args.elo:
        rng = np.random.default_rng(np.random.SeedSequence(args.seed, spawn_key=(round(1000 * elo) % (1 << 32),)))
        trials = [
            play(test, model.points(elo, (args.pairs,), rng))
            for _ in track(
                range(args.matches), f"{elo:+g} Elo", console=console, transient=True, disable=not console.is_terminal
            )
        ]
        stronger = Share(sum(trial.verdict == STRONGER for trial in trials), len(trials))
        games = np.array([2 * trial.pairs for trial in trials])
        rows.append(
            {
                "elo": elo,
                "h1": stronger.to_dict(),
                "open": sum(trial.verdict is None for trial in trials),
                "games": {"mean": float(games.mean()), "median": float(np.median(games)), "most": int(games.max())},
            }
        )
    return {"args": {name: value for name, value in asdict(args).items() if name != "out"}, "rows": rows}


def main(args: StudySprt) -> None:
    """Run the study that the arguments describe."""
    console = Console()
    found = run(args, console)
    shown = plain_table(f"H0 {args.elo0:g}, H1 {args.elo1:g} Elo, alpha {args.alpha:g}, beta {args.beta:g}")
    for name in ("true Elo", "H1 accepted, % (95 % interval)", "no verdict", "mean games", "median", "most"):
        shown.add_column(name, justify="right")
    for row in found["rows"]:
        games, share = row["games"], Share(row["h1"]["hits"], row["h1"]["n"])
        cells = (f"{row['elo']:+g}", str(share), row["open"], f"{games['mean']:.0f}", f"{games['median']:.0f}")
        shown.add_row(*map(str, cells), str(games["most"]))
    console.print(shown)
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(tyro.cli(StudySprt, description=__doc__))
