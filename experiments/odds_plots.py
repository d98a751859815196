"""Plots of `narabe odds`, from the numbers that it writes; needs matplotlib."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

COLOURS = {"black": "#22303c", "white": "#c9a227", "nobody": "#9aa7b1"}
DOTS = 130
"""Of a picture's inch."""


def draw(numbers: dict[str, Any], folder: Path) -> list[str]:
    """Draw a picture of each section that is there into the folder; returns their names."""
    names = []
    for section, picture in (("backs", backs), ("moments", moments), ("games", games)):
        if section in numbers:
            names.append(f"{section}.png")
            picture(numbers[section]).savefig(folder / names[-1], dpi=DOTS)
    return names


def backs(found: dict[str, Any]) -> Figure:
    """The chance of a coloured back by what was seen, and by what the Chance pile holds."""
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1.5, 1))
    seen = np.array([[float(Fraction(p)) for p in row] for row in found["seen"]])
    picture = left.imshow(seen, cmap="viridis", vmin=0, vmax=1, origin="lower", aspect="auto")
    for (row, column), value in np.ndenumerate(seen):
        text = found["seen"][row][column]
        left.text(column, row, text, ha="center", va="center", fontsize=7, color="white" if value < 0.6 else "black")
    left.set(xlabel="red backs seen", ylabel="coloured backs seen", title="The next back is coloured")
    left.set(xticks=range(seen.shape[1]), yticks=range(seen.shape[0]))
    figure.colorbar(picture, ax=left, shrink=0.8)
    piles = found["pile"]
    k = np.arange(len(piles))
    chances, slots = ([float(Fraction(pile[key])) for pile in piles] for key in ("chance", "slots"))
    right.bar(k, chances, width=0.6, color="#9cc3d5", label="such a pile comes up")
    right.plot(k, slots, "o-", color="#1f6f8b", label="a piece of slots 1 to 3 is coloured, for one who knows")
    mean = found["coloured"] / found["pieces"]
    right.axhline(mean, color="grey", linewidth=0.8, linestyle="--", label="for everybody else")
    right.set(xticks=k, xticklabels=[pile["coloured"] for pile in piles], ylim=(0, 0.75))
    right.set(xlabel="coloured backs in the Chance pile", title="What a look into the pile would tell")
    right.legend(fontsize=8, loc="upper right")
    return figure


def moments(found: dict[str, Any]) -> Figure:
    """Values of the best move that turns and the best that does not, for each position."""
    rows = found["positions"]
    figure = Figure(figsize=(9, 1.2 + 0.45 * len(rows)), layout="constrained")
    axes = figure.subplots()
    for turns, label, marker, colour in ((True, "turn now", "o", "#1f6f8b"), (False, "wait", "s", "#d1775a")):
        best = [_best(row, turns) for row in rows]
        axes.plot(best, range(len(rows)), marker, color=colour, label=label, markersize=8)
    axes.hlines(
        range(len(rows)), [_best(r, True) for r in rows], [_best(r, False) for r in rows], color="#c3ccd3", zorder=0
    )
    axes.set(yticks=range(len(rows)), yticklabels=[row["name"] for row in rows], xlim=(-1.06, 1.06))
    axes.set(xlabel="expected payoff with best play", title="To turn now, or to wait")
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.4)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, frameon=False)
    return figure


def _best(row: dict[str, Any], turns: bool) -> float:
    """The best value of a kind of move; NaN if there is none."""
    return max((c["value"] for c in row["choices"] if (c["flips"] != "none") == turns), default=np.nan)


def games(found: dict[str, Any]) -> Figure:
    """For each agent: who wins, with intervals, how games end, and how long they are."""
    agents = found["agents"]
    figure = Figure(figsize=(13, 1 + 3.1 * len(agents)), layout="constrained")
    for line, (agent, got) in zip(
        figure.subplots(len(agents), 3, squeeze=False, width_ratios=(1, 1.6, 1.6)), agents.items()
    ):
        _winners(line[0], got, agent)
        _ends(line[1], got)
        _lengths(line[2], got)
    return figure


def _winners(axes: Any, got: dict[str, Any], agent: str) -> None:
    for n, (name, share) in enumerate(got["winner"].items()):
        low, high = share["interval"]
        error = [[100 * (share["share"] - low)], [100 * (high - share["share"])]]
        axes.bar(n, 100 * share["share"], yerr=error, capsize=4, color=COLOURS[name], ecolor="#d1775a")
    axes.set(xticks=range(len(got["winner"])), xticklabels=list(got["winner"]), ylabel="% of games", ylim=(0, 100))
    axes.set_title(f"{agent}, {got['games']} games", fontsize=10)


def _ends(axes: Any, got: dict[str, Any]) -> None:
    names = list(got["ends"])
    left = np.zeros(len(names))
    for side in ("black", "white"):
        counts = np.array([got["ends"][name][side] for name in names])
        axes.barh(names, counts, left=left, color=COLOURS[side], label=f"{side} wins")
        left += counts
    drawn = np.array([got["ends"][name]["hits"] for name in names]) - left
    axes.barh(names, drawn, left=left, color=COLOURS["nobody"], label="nobody")
    axes.invert_yaxis()
    axes.set(xlabel="games", xlim=(0, 1.05 * max(1, (left + drawn).max())))
    axes.set_title("how games end", fontsize=10)
    axes.legend(fontsize=8)


def _lengths(axes: Any, got: dict[str, Any]) -> None:
    counts = Counter(got["pieces_laid"])
    axes.bar(list(counts), list(counts.values()), color="#9cc3d5")
    axes.set(xlabel="pieces laid")
    axes.set_title("how long games are", fontsize=10)
