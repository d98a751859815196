"""Pictures of runs, by matplotlib: ratings with intervals, who scored what against whom, losses, matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from narabe.experiments.report import likelihood
from narabe.experiments.several import Part
from narabe.experiments.show_training import Training
from narabe.experiments.sprt import Trial
from narabe.experiments.standings import Standings

INK, SOFT, GRID, BAR, DOT = "#22303c", "#6b7a86", "#e3e8ec", "#9cc3d5", "#1f6f8b"
COLOURS = ("#1f6f8b", "#d1793b", "#6a8d3c", "#8a5a9e", "#b8434e", "#4c5c99", "#9a7b2d", "#3f8f7f")
STYLE: dict[str, Any] = {"fontsize": 10, "color": INK}


def tournament(table: Standings, title: str, trial: Trial | None = None) -> Figure:
    """Ratings beside the cross table; below them the path of a sequential test, if there is one."""
    count = len(table.agents)
    height = 1.9 + 0.5 * count
    figure = Figure(figsize=(7.2 + max(4.0, 0.85 * count), height + (2.6 if trial else 0)), layout="constrained")
    figure.suptitle(title, fontsize=13, color=INK, fontweight="bold")
    shape = {"height_ratios": [height, 2.6]} if trial else {}
    grid = figure.add_gridspec(2 if trial else 1, 2, width_ratios=[6.4, max(3.6, 0.85 * count)], **shape)
    _ratings(figure.add_subplot(grid[0, 0]), table)
    _crossings(figure.add_subplot(grid[0, 1]), table)
    if trial:
        _path(figure.add_subplot(grid[1, :]), trial)
    return figure


def several(parts: Sequence[Part], order: Sequence[str]) -> Figure:
    """Ratings by game beside scores by game; ``order``: the agents, best first."""
    high, wide = 1.9 + 0.28 * len(order) * max(2, len(parts)), max(3.6, 1.6 * len(parts))
    figure = Figure(figsize=(7.0 + wide, high), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[6.4, wide])
    figure.suptitle(f"{len(parts)} games", fontsize=13, color=INK, fontweight="bold")
    step = 0.7 / len(parts)
    for number, part in enumerate(parts):
        rows = {row.agent: row for row in part.table.rows}
        places = [(y, rows[agent]) for y, agent in enumerate(order) if agent in rows]
        left.errorbar(
            [row.elo for _, row in places],
            [y + step * (number - (len(parts) - 1) / 2) for y, _ in places],
            xerr=[row.margin for _, row in places],
            fmt="o",
            color=COLOURS[number % len(COLOURS)],
            elinewidth=3,
            alpha=0.85,
            label=part.name,
        )
    _agents_down(left, order)
    figure.legend(loc="outside lower center", ncols=min(4, len(parts)), frameon=False, fontsize=9)
    left.set_xlabel("Elo, mean of the agents of a game = 0; bars are 95 % intervals", **STYLE)
    shares = np.full((len(order), len(parts)), np.nan)
    for column, part in enumerate(parts):
        for row in part.table.rows:
            shares[order.index(row.agent), column] = row.points / row.games if row.games else np.nan
    words = [["" if np.isnan(share) else f"{100 * share:.0f} %" for share in line] for line in shares]
    _heat(right, shares, words, [part.name.replace(":", ":\n") for part in parts], list(order), "score by game")
    return figure


def training(run: Training) -> Figure:
    """Losses by iteration, each on a scale of its own; matches with their intervals; Elo where there is one."""
    panels = [*run.losses, *run.matches, *(["elo"] if run.series("elo")[0] else [])]
    columns = min(3, len(panels)) or 1
    lines = -(-len(panels) // columns)
    figure = Figure(figsize=(4.6 * columns, 0.6 + 2.9 * lines), layout="constrained")
    figure.suptitle(run.title, fontsize=13, color=INK, fontweight="bold")
    for number, name in enumerate(panels):
        axes = figure.add_subplot(lines, columns, number + 1)
        if name in run.matches:
            _matches(axes, run, name)
        else:
            axes.plot(*run.series(name), color=DOT, linewidth=1.6, marker="." if len(run.entries) < 40 else "")
            axes.set_title(
                name.replace("_", " ") if name != "elo" else "Elo by the matches, first weights = 0", **STYLE
            )
        axes.set_xlabel("iteration", **STYLE)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        _plain(axes)
    return figure


def _ratings(axes: Axes, table: Standings) -> None:
    rows = table.rows
    places, elo = range(len(rows)), [row.elo for row in rows]
    axes.errorbar(elo, places, xerr=[row.margin for row in rows], fmt="none", ecolor=BAR, elinewidth=6)
    axes.plot(elo, places, "o", color=DOT, markersize=9, markeredgecolor="white")
    for place, row in enumerate(rows):
        axes.annotate(f"{row.elo:+.0f} ± {row.margin:.0f}", (row.elo, place), (0, 9), textcoords="offset points",
                      ha="center", fontsize=8, color=SOFT)  # fmt: skip
    _agents_down(axes, [row.agent for row in rows])
    by = "pairs of games" if table.paired else "games"
    axes.set_xlabel(f"Elo, mean of all agents = 0; bars are 95 % intervals, by {by}", **STYLE)


def _crossings(axes: Axes, table: Standings) -> None:
    order, stronger = table.order(), table.ratings.superiority()
    games = table.points + table.points.T
    shares = np.divide(table.points, games, out=np.full_like(games, np.nan), where=games > 0)
    words = [
        [
            f"{table.points[i, j]:g}/{games[i, j]:g}\n{likelihood(float(stronger[i, j]))}" if games[i, j] else ""
            for j in order
        ]
        for i in order
    ]
    names = [f"{rank}" for rank in range(1, len(order) + 1)]
    labels = [f"{rank}  {_short(table.agents[i])}" for rank, i in enumerate(order, 1)]
    _heat(axes, shares[np.ix_(order, order)], words, names, labels, "points against each other, and LOS")


def _heat(
    axes: Axes, shares: np.ndarray, words: list[list[str]], across: list[str], down: list[str], title: str
) -> None:
    axes.imshow(shares, cmap="RdBu", vmin=0, vmax=1, aspect="auto", alpha=0.8)
    for i, line in enumerate(words):
        for j, text in enumerate(line):
            strong = not np.isnan(shares[i, j]) and abs(shares[i, j] - 0.5) > 0.35
            axes.text(j, i, text, ha="center", va="center", fontsize=8, color="white" if strong else INK)
    axes.set_xticks(range(len(across)), across, fontsize=9, color=INK)
    axes.set_yticks(range(len(down)), down, fontsize=9, color=INK)
    axes.tick_params(length=0)
    axes.set_title(title, **STYLE)
    axes.spines[:].set_visible(False)


def _path(axes: Axes, trial: Trial) -> None:
    low, high = trial.test.bounds
    axes.axhspan(high, high + 1, color="#dbe9d2")
    axes.axhspan(low - 1, low, color="#f4dcd6")
    axes.plot(range(len(trial.path) + 1), [0.0, *trial.path], color=DOT, linewidth=1.6)
    axes.text(0, high + 0.5, f" H1: {trial.test.elo1:g} Elo", va="center", fontsize=9, color=INK)
    axes.text(0, low - 0.5, f" H0: {trial.test.elo0:g} Elo", va="center", fontsize=9, color=INK)
    axes.set_ylim(min(low - 1, *trial.path, 0), max(high + 1, *trial.path, 0))
    axes.set_xlabel("pairs of games", **STYLE)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.set_title(f"sequential test: {trial}", **STYLE)
    _plain(axes)


def _matches(axes: Axes, run: Training, against: str) -> None:
    for passed, colour in ((None, DOT), (True, "#6a8d3c"), (False, "#b8434e")):
        found = [m for m in run.matches[against] if m.passed is passed]
        if found:
            scores = np.array([(m.score, m.score - m.low, m.high - m.score) for m in found])
            label = {None: None, True: "passed", False: "not passed"}[passed]
            axes.errorbar([m.iteration for m in found], scores[:, 0], yerr=scores[:, 1:].T, fmt="o", color=colour,
                          elinewidth=2, markersize=4, label=label)  # fmt: skip
    axes.axhline(0.5, color=SOFT, linewidth=0.8)
    axes.set_ylim(0, 1)
    axes.set_title(f"score against {against}, 95 % intervals", **STYLE)
    if any(m.passed is not None for m in run.matches[against]):
        axes.legend(frameon=False, fontsize=8)


def _agents_down(axes: Axes, agents: Sequence[str]) -> None:
    axes.set_yticks(range(len(agents)), [_short(agent) for agent in agents], fontsize=10, color=INK)
    axes.set_ylim(len(agents) - 0.5, -0.5)
    axes.axvline(0, color=SOFT, linewidth=0.8, zorder=0)
    _plain(axes)


def _short(agent: str, most: int = 34) -> str:
    return agent if len(agent) <= most else f"{agent[: most - 1]}…"


def _plain(axes: Axes) -> None:
    axes.grid(color=GRID, zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(GRID)
    axes.tick_params(colors=INK, labelsize=9, length=0)
