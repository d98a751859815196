"""Tunes the weights of the rule policy of Goita, by what every decision was worth in deals played to their end.

    python -m narabe.experiments.tune_goita_rules --rounds 3 --out weights.json

A round plays deals with the weights found so far, half of them against a uniformly random pair, and keeps a part of the
decisions: the position, and for each legal action the mean payoff when the deal goes on from the true position with it.
Then an evolution strategy with separate step sizes looks for the weights whose choices are worth most in these positions
(a fifth of which is kept back). At the end of a round both weights play each other and a random pair.
The weights of `narabe.envs.rules.goita.pad` were found by three rounds with 20,000 rows, begun from those of a first
strategy that judged weights by deals won; afterwards ``again`` and ``mate_holds`` were set to 1 and ``willing`` to 0, the
ends of their ranges, and all were rounded. ``--measure 10000`` plays so many deals with them
against a random pair, each by both pairs, and prints the share won with a 95 % interval.
"""

from __future__ import annotations

import argparse
import json
import pathlib

import numpy as np

from narabe.envs import game
from narabe.envs.rules import core
from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.core import (
    apply,
    candidate_at,
    chance_draw,
    is_legal,
    is_over,
    num_candidates,
    score,
    to_move,
)  # fmt: skip
from narabe.envs.rules.goita.advice import advise
from narabe.envs.rules.goita.pad import NAMES, WEIGHTS, new_pads
from narabe.envs.rules.goita.record import PLAY
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import new_stream, next_bits, uniform

BATCH = 5000  # positions by which a generation is judged
A_POINT = 0.03  # what a point counts beside the 1 of a won deal


@kernel
def worth(s, pair):
    """Of a finished deal, for a pair."""
    ours, theirs = np.float64(score(s, 1 + pair)), np.float64(score(s, 2 - pair))
    return (1.0 if ours > theirs else -1.0) + A_POINT * (ours - theirs)


@kernel
def step(s, pads, ours, against_random, rng):
    """Play one action: chance, the policy ``pads[0]`` for the pair ``ours``, and ``pads[1]`` or random play for the other."""
    mover = to_move(s)
    if mover == 0:
        a = np.int64(chance_draw(s, rng))
    elif (mover - 1) & 1 == ours:
        a = np.int64(advise(s, pads[0]))
    elif against_random:
        a = np.int64(random_action(s, rng))
    else:
        a = np.int64(advise(s, pads[1]))
    apply(s, a)


@kernel
def duel(states, pads, against_random, rng, won):
    """Play each deal twice, pairs swapped, and write into ``won`` (float64, deals) the share that the policy ``pads[0]`` wins.

    ``states[0]`` is the start, ``states[1]`` scratch.
    """
    own = rng.copy()
    for deal in range(won.shape[0]):
        seed = next_bits(rng)
        for ours in range(2):
            states[1] = states[0]
            own[0] = seed
            while not is_over(states[1]):
                step(states[1], pads, ours, against_random, own)
            won[deal] += 0.5 if worth(states[1], ours) > 0 else 0.0


@kernel
def collect(states, pads, against_random, part, runs, rng, kept, actions, values, start, stop):
    """Play deals and keep decisions in rows ``start`` to ``stop``, each with probability ``part``.

    ``kept``: records; ``actions``: int64 (rows, 72), -1 beyond the last; ``values``: float64 (rows, 72), means of ``runs``
    games. ``states``: 3, the first one the start.
    """
    row, ours = start, 0
    while row < stop:
        states[1] = states[0]
        ours ^= 1
        while not is_over(states[1]):
            s = states[1]
            mover = to_move(s)
            if row < stop and mover > 0 and (mover - 1) & 1 == ours and s.phase == PLAY:
                if num_candidates(s) > 1 and uniform(rng) < part:
                    kept[row] = states[1]
                    judge(states, pads, against_random, runs, rng, actions, values, row)
                    row += 1
            step(s, pads, ours, against_random, rng)


@kernel
def judge(states, pads, against_random, runs, rng, actions, values, row):
    """Write the legal actions of ``states[1]`` and what each is worth to its pair."""
    ours, n = (to_move(states[1]) - 1) & 1, 0
    for i in range(num_candidates(states[1])):
        a = np.int64(candidate_at(states[1], i))
        if not is_legal(states[1], a):
            continue
        total = 0.0
        for _ in range(runs):
            states[2] = states[1]
            apply(states[2], a)
            while not is_over(states[2]):
                step(states[2], pads, ours, against_random, rng)
            total += worth(states[2], ours)
        actions[row, n], values[row, n] = a, total / runs
        n += 1
    for i in range(n, 72):
        actions[row, i] = -1


@kernel
def chosen(kept, actions, values, pads, start, stop, sums):
    """Add to ``sums`` (float64[2]) of passes and plays facing an attack, and of leads, what is lost to the best action."""
    for row in range(start, stop):
        a = np.int64(advise(kept[row], pads[0]))
        best, own, i = -9.0, -9.0, 0
        while i < 72 and actions[row, i] >= 0:
            best = max(best, values[row, i])
            if actions[row, i] == a:
                own = values[row, i]
            i += 1
        sums[1 if kept[row].attack == 0 else 0] += best - own


def loss(data: tuple[np.ndarray, ...], weights: np.ndarray, start: int, stop: int) -> float:
    sums = np.zeros(2)
    chosen(*data, new_pads(1, weights), start, stop, sums)
    return float(sums.sum() / (stop - start))


def shares(start: np.ndarray, a: np.ndarray, b: np.ndarray | None, deals: int, seed: int) -> np.ndarray:
    """By deal, the share of its two games that weights ``a`` win against ``b`` (None: random play)."""
    pads, won = both(a, a if b is None else b), np.zeros(deals)
    duel(np.concatenate([start] * 2), pads, b is None, new_stream(seed), won)
    return won


def both(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.concatenate([new_pads(1, a), new_pads(1, b)])


def positions(start: np.ndarray, weights: np.ndarray, rows: int, seed: int) -> tuple[np.ndarray, ...]:
    """Decisions (mixed rows of both kinds of opponents) with what each action is worth."""
    kept = np.concatenate([start] * rows)
    actions, values = np.zeros((rows, 72), np.int64), np.zeros((rows, 72))
    rng, states = new_stream(seed), np.concatenate([start] * 3)
    half = rows // 2
    collect(states, both(weights, weights), True, 0.4, 8, rng, kept, actions, values, 0, half)
    collect(states, both(weights, weights), False, 0.4, 1, rng, kept, actions, values, half, rows)
    order = np.random.default_rng(seed).permutation(rows)
    return kept[order], actions[order], values[order]


def descend(
    data: tuple[np.ndarray, ...], weights: np.ndarray, generations: int, children: int, spread: float, seed: int
) -> np.ndarray:
    """The weights that an evolution strategy finds for these positions."""
    rows = len(data[0])
    held = rows * 4 // 5
    rng = np.random.default_rng(seed)
    mean, sigma = weights.copy(), np.full(len(weights), spread)
    parents = children // 4
    ranks = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    ranks /= ranks.sum()
    found, least = mean, loss(data, mean, held, rows)
    print(f"  before: {loss(data, mean, 0, held):.5f}, kept back {least:.5f}", flush=True)
    for generation in range(generations):
        half = rng.normal(size=(children // 2, len(mean)))
        z = np.concatenate([half, -half])
        first = int(rng.integers(held - BATCH)) if held > BATCH else 0
        judged = [loss(data, mean + sigma * x, first, min(first + BATCH, held)) for x in z]
        best = z[np.argsort(judged)[:parents]]
        mean = mean + sigma * (ranks @ best)
        sigma *= np.exp(0.2 * (np.sqrt(ranks @ best**2) / 0.93 - 1))
        if generation % 10 == 9:
            back = loss(data, mean, held, rows)
            print(
                f"  {generation}: {loss(data, mean, 0, held):.5f}, kept back {back:.5f}, step {np.median(sigma):.3f}",
                flush=True,
            )
            if back < least:
                found, least = mean.copy(), back
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="tune the weights of goita_rules")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=24000)
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--children", type=int, default=32)
    parser.add_argument("--spread", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=pathlib.Path, help="weights to begin with; default: those in use")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("goita_rules_weights.json"))
    parser.add_argument("--measure", type=int, default=0, help="deals against a random pair, instead of tuning")
    given = parser.parse_args()
    g = game("goita")
    start = core.new_states(g.law, 1)
    start[0] = g.start(chance="manual").record[0]
    weights = WEIGHTS.copy()
    if given.start:
        read = json.loads(given.start.read_text())
        weights = np.array([read.get(name, 0.0) for name in NAMES])
    if given.measure:
        won = shares(start, weights, None, given.measure, given.seed)
        print(
            f"{won.mean():.4f} +- {1.96 * won.std() / len(won) ** 0.5:.4f} of {2 * len(won)} games against a random pair"
        )
        return
    first = weights
    for turn in range(given.rounds):
        data = positions(start, weights, given.rows, given.seed + turn)
        weights = descend(data, weights, given.generations, given.children, given.spread, given.seed + turn)
        given.out.write_text(json.dumps(dict(zip(NAMES, np.round(weights, 3).tolist())), indent=1))
        against, random = shares(start, weights, first, 4000, 77), shares(start, weights, None, 4000, 78)
        print(f"round {turn}: {against.mean():.4f} against the first, {random.mean():.4f} random", flush=True)


if __name__ == "__main__":
    main()
