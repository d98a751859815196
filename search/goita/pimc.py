"""Determinised search of Goita: what every action is worth, over deals that agree with what the seat has seen.

For each of many deals drawn anew by the law (`redeal`), every legal action is judged with open hands: from a number of
cards on by the exact solver, before that by playing on with the rule policy. A deal counts as much as the model, the rule
policy with some temperature, finds it likely that its holders did what was seen of them.

Such a search believes that all will be known after its own move (it sees no use in hiding or finding out), but what it
does not know it weighs rightly.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from narabe.envs.game import Game
from narabe.envs.rules import core
from narabe.envs.rules.core import apply, candidate_at, is_legal, num_candidates, redeal
from narabe.envs.rules.goita.advice import advise, plausibility
from narabe.envs.rules.goita.pad import new_pads
from narabe.envs.rules.goita.record import PLAY
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import uniform
from narabe.search.goita.actions import ACTIONS
from narabe.search.goita.bounds import NONE, POINTS
from narabe.search.goita.law import ask_state
from narabe.search.goita.solver import Table
from narabe.search.goita.worlds import solve_actions

RANKS = np.array(POINTS, np.float64)
ROOT, WORLD, SCRATCH = 0, 1, 2  # records of a search


@kernel
def likeliness(states, me, pad, sharpness):
    """How likely the model finds the plays of the others in the deal of ``states[WORLD]`` (a logarithm)."""
    states[SCRATCH] = states[WORLD]
    return plausibility(states[WORLD], states[SCRATCH], me + 1, pad, sharpness)


@kernel
def play_out(s, pad, pair):
    """Play the deal to its end by the rule policy; the points of the deal for a pair."""
    before = np.float64(s.scores[pair] - s.scores[1 - pair])
    while s.phase == PLAY:
        apply(s, np.int64(advise(s, pad)))
    return np.float64(s.scores[pair] - s.scores[1 - pair]) - before


@kernel
def judge_by_play(states, pad, values):
    """Write the points of every legal action of ``states[WORLD]`` when the rule policy plays on."""
    s = states[WORLD]
    pair = np.int64(s.turn) & 1
    for i in range(num_candidates(s)):
        a = np.int64(candidate_at(s, i))
        if is_legal(s, a):
            states[SCRATCH] = states[WORLD]
            before = np.float64(s.scores[pair] - s.scores[1 - pair])
            apply(states[SCRATCH], a)
            play_out(states[SCRATCH], pad, pair)
            t = states[SCRATCH]
            values[a] = np.float64(t.scores[pair] - t.scores[1 - pair]) - before


@kernel
def judge_by_solver(states, boxes, frames, table, limit, win, lows, highs, values):
    """Write the exact points of every legal action, or the middle of their bounds; returns the nodes."""
    ask_state(boxes, states[WORLD], win)
    solve_actions(boxes, frames, table, limit, lows, highs)
    for a in range(ACTIONS):
        if lows[a] != NONE:
            values[a] = 0.5 * (RANKS[lows[a]] + RANKS[highs[a]])
    return boxes[0].nodes


@kernel
def worlds(
    states,
    pad_records,
    boxes,
    frames,
    table,
    limit,
    solve,
    win,
    sharpness,
    count,
    rng,
    lows,
    highs,
    values,
    sums,
    weights,
):
    """Judge ``count`` deals. Adds to ``sums`` (float64, 4 x ACTIONS): points, deals won, and how often each action was best,
    by weight; the last row counts deals. ``weights``: float64[5]: the reference logarithm, the sum of weights and of their
    squares over the deals judged, the sum of weights over all deals drawn, and how many these were. Returns the nodes of
    the solver, or the deals judged.
    """
    me, nodes, pad = np.int64(states[ROOT].turn), np.int64(0), pad_records[0]
    for _ in range(count):
        states[WORLD] = states[ROOT]
        redeal(states[WORLD], me + 1, rng)
        w = 1.0
        if sharpness > 0.0:
            w = spared(weigh(likeliness(states, me, pad, sharpness), sums, weights), weights, rng)
            if w == 0.0:
                continue
        for a in range(ACTIONS):
            values[a] = NOT_LEGAL
        if solve and num_candidates(states[WORLD]) > 1:  # the solver passes over a seat that cannot guard
            nodes += judge_by_solver(states, boxes, frames, table, limit, win, lows, highs, values)
        else:
            judge_by_play(states, pad, values)
            nodes += 1
        weights[1] += w
        weights[2] += w * w
        add(values, w, win, sums)
    return nodes


NOT_LEGAL = -1e9
FAR = 12.0  # deals so much less likely (a logarithm) than the likeliest are as good as impossible


@kernel
def weigh(found, sums, weights):
    """A weight from its logarithm, in units of the largest one so far; what was summed is rescaled when a larger one comes."""
    if found > weights[0]:
        factor = math.exp(max(weights[0] - found, -700.0))
        weights[1] *= factor
        weights[2] *= factor * factor
        weights[3] *= factor
        for row in range(3):
            for a in range(ACTIONS):
                sums[row, a] *= factor
        weights[0] = found
    return math.exp(found - weights[0])


@kernel
def spared(w, weights, rng):
    """Judge an unlikely deal only sometimes, and then let it count as much as an average one; 0: do not judge it.

    A deal is judged with the chance that its weight bears to the average weight so far, so that no mean is shifted.
    """
    average = weights[3] / weights[4] if weights[4] > 0.0 else 0.0
    weights[3] += w
    weights[4] += 1.0
    if w >= average:
        return w
    return average if uniform(rng) * average < w else 0.0


@kernel
def add(values, w, win, sums):
    """Add one deal's values to the sums."""
    best, many = NOT_LEGAL, 0
    for a in range(ACTIONS):
        v = values[a] if win == 0 or values[a] == NOT_LEGAL else (1.0 if values[a] > 0 else -1.0)
        if v > best:
            best, many = v, 1
        elif v == best:
            many += 1
    for a in range(ACTIONS):
        if values[a] == NOT_LEGAL:
            continue
        v = values[a] if win == 0 else (1.0 if values[a] > 0 else -1.0)
        sums[0, a] += w * values[a]
        sums[1, a] += w * (1.0 if values[a] > 0 else -1.0)
        sums[2, a] += w / many if v == best else 0.0
        sums[3, a] += 1


@dataclass(frozen=True)
class Judged:
    """What was found of a position: arrays by action (of `Game.num_actions`), for the pair of the seat to move.

    ``points``: mean points of the deal (in points of the table); ``wins``: mean of 1 and -1; ``best``: the share of deals in
    which the action was best, shared among equals; ``visits``: deals judged; ``deals``: how many were drawn, ``effective``:
    how many even ones their weights are worth.
    """

    points: np.ndarray
    wins: np.ndarray
    best: np.ndarray
    visits: np.ndarray
    deals: int
    effective: float
    nodes: int


class Pimc:
    """A search over redealt deals for one game; see the module.

    ``solve_from``: the solver judges once so many cards have been played (33: never), the rule policy before; ``cap``: nodes
    of the solver an action; ``sharpness``: of the model by which deals are weighed, 0: all alike; ``goal``: points or win;
    ``mb``: of the solver's table.
    """

    CHUNK = 32  # deals between two looks at the clock

    def __init__(
        self,
        game: Game,
        solve_from: int = 16,
        cap: int = 3_000,
        sharpness: float = 3.0,
        goal: str = "points",
        mb: float = 16,
    ) -> None:
        self.num_actions, self.cap, self.sharpness, self.solve_from = game.num_actions, cap, sharpness, solve_from
        self.win = int(goal == "win")
        self.states, self.pads, self.table = core.new_states(game.law, 3), new_pads(), Table(mb)
        self.lows, self.highs = np.zeros(ACTIONS, np.int64), np.zeros(ACTIONS, np.int64)
        self.values = np.zeros(ACTIONS)

    def search(self, record: np.ndarray, rng: np.ndarray, deals: int | None = None, ms: float | None = None) -> Judged:
        """Judge the actions of ``record`` (array of one state in play) by a number of deals or for milliseconds."""
        if (deals is None) == (ms is None):
            raise ValueError("give a budget: either deals or ms")
        deadline = time.perf_counter() + (ms or 0.0) / 1000
        self.states[ROOT] = record[0]
        s = record[0]
        played = sum(2 * int(s["played"][q]) for q in range(int(s["players"])))
        solve = played >= self.solve_from
        self.table.clear()  # so that a move depends on what is known alone
        sums, weights = np.zeros((4, ACTIONS)), np.array([-np.inf, 0.0, 0.0, 0.0, 0.0])
        done = nodes = 0
        while done == 0 or (done < deals if deals is not None else time.perf_counter() < deadline):
            count = min(deals - done, self.CHUNK) if deals is not None else 1 if solve or done == 0 else self.CHUNK
            nodes += worlds(
                self.states, self.pads, self.table.boxes, self.table.frames, self.table.entries, self.cap, solve, self.win,
                self.sharpness, count, rng, self.lows, self.highs, self.values, sums, weights,
            )  # fmt: skip
            done += count
        return self._judged(sums, weights, done, int(nodes))

    def _judged(self, sums: np.ndarray, weights: np.ndarray, deals: int, nodes: int) -> Judged:
        out = np.zeros((4, self.num_actions))
        total = max(weights[1], 1e-300)
        out[:3, :ACTIONS] = sums[:3] / total
        out[3, :ACTIONS] = sums[3]
        effective = weights[1] ** 2 / max(weights[2], 1e-300)
        return Judged(out[0], out[1], out[2], out[3].astype(np.int64), deals, float(effective), nodes)
