"""Tunes the weights of the rule policy of Goita: an evolution strategy with separate step sizes, on deals played by both pairs.

    python -m narabe.experiments.tune_goita_rules --generations 40 --out weights.json

A candidate plays the champion (the best mean so far) and a uniformly random pair, each deal twice with the pairs swapped;
it is judged by the sum of both shares of deals won. All candidates of a generation play the same deals. After each
generation the mean plays the champion on new deals, and takes its place when it wins more than half.
The weights of `narabe.search.goita.rule_pad` come from this script.
"""

from __future__ import annotations

import argparse
import json
import pathlib

import numpy as np

from narabe.envs import game
from narabe.envs.rules import core
from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.core import apply, chance_draw, is_over, payoff, to_move
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import new_stream, next_bits
from narabe.search.goita.rule_pad import NAMES, WEIGHTS, new_pads
from narabe.search.goita.rule_policy import rule_action


@kernel
def duel(states, pads, against_random, deals, rng, won):
    """Play each deal twice, pairs swapped; add to ``won`` (float64[2]) the deals of the policy ``pads[0]`` and of the other.

    ``states[0]`` is the start, ``states[1]`` scratch; the other policy is ``pads[1]``, or a random one.
    """
    own = rng.copy()
    for _ in range(deals):
        seed = next_bits(rng)
        for swap in range(2):
            states[1] = states[0]
            s = states[1]
            own[0] = seed
            while not is_over(s):
                mover = to_move(s)
                if mover == 0:
                    a = np.int64(chance_draw(s, own))
                elif (mover - 1 + swap) & 1 == 0:
                    a = np.int64(rule_action(s, pads[0]))
                elif against_random:
                    a = np.int64(random_action(s, own))
                else:
                    a = np.int64(rule_action(s, pads[1]))
                apply(s, a)
            won[0 if payoff(s, 1 + swap) > 0 else 1] += 1


def share(start: np.ndarray, a: np.ndarray, b: np.ndarray | None, deals: int, seed: int) -> float:
    """The share of games that weights ``a`` win against ``b`` (None: random play), 2 games a deal."""
    states = np.concatenate([start, start])
    pads = np.concatenate([new_pads(1, a), new_pads(1, a if b is None else b)])
    won = np.zeros(2)
    duel(states, pads, b is None, deals, new_stream(seed), won)
    return float(won[0] / won.sum())


def tune(
    generations: int, deals: int, children: int, step: float, seed: int, weights: np.ndarray, out: pathlib.Path
) -> None:
    """Run the strategy and write the mean after each generation."""
    g = game("goita")
    start = core.new_states(g.law, 1)
    start[0] = g.start(chance="manual").record[0]
    rng = np.random.default_rng(seed)
    mean, champion = weights.copy(), weights.copy()
    sigma = np.full(len(mean), step)
    parents = children // 4
    ranks = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    ranks /= ranks.sum()
    for generation in range(generations):
        half = rng.normal(size=(children // 2, len(mean)))
        z = np.concatenate([half, -half])
        judged = [
            share(start, mean + sigma * x, champion, deals, 1000 + generation)
            + share(start, mean + sigma * x, None, deals, 1000 + generation)
            for x in z
        ]
        best = z[np.argsort(judged)[::-1][:parents]]
        mean = mean + sigma * (ranks @ best)
        sigma *= np.exp(0.15 * (np.sqrt(ranks @ best**2) / 0.93 - 1))
        against = share(start, mean, champion, 4 * deals, 5000 + generation)
        random = share(start, mean, None, 2 * deals, 5000 + generation)
        print(f"{generation}: champion {against:.4f} random {random:.4f} step {np.median(sigma):.3f}", flush=True)
        if against > 0.5:
            champion = mean.copy()
        out.write_text(json.dumps(dict(zip(NAMES, np.round(champion, 3).tolist())), indent=1))


def main() -> None:
    parser = argparse.ArgumentParser(description="tune the weights of goita_rules")
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--deals", type=int, default=1500)
    parser.add_argument("--children", type=int, default=24)
    parser.add_argument("--step", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=pathlib.Path, help="weights to begin with; default: those in use")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("goita_rules_weights.json"))
    given = parser.parse_args()
    weights = WEIGHTS
    if given.start:
        found = json.loads(given.start.read_text())
        weights = np.array([found[name] for name in NAMES])
    tune(given.generations, given.deals, given.children, given.step, given.seed, weights, given.out)


if __name__ == "__main__":
    main()
