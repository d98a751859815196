"""Random positions full of threats, and the rule sets in which the threat searches are compared with brute force.

Stones are laid along a few stretches as long as a row, two or three to a stretch, some more at random. Nobody has won. What is
legal, taken or banned is the law's business: a position need not come about in a game. *Quiet* positions have fewer stones
to a stretch and seldom a quick win by fours, so that threes matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from narabe.envs import Game, State, game
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line import setup
from narabe.envs.rules.random import below, new_stream
from narabe.tests.oracles.threats import vcf

NO_LAST, UNBOUND = -1, 0  # no last move is known; no opening is in force
EASY = (
    20  # of the positions in which the side to move wins at once (quiet: within `QUICK` plies), one in so many is kept
)
QUICK = 3
Options = dict[str, Any]


@dataclass(frozen=True)
class RuleSet:
    """A rule set with the boards it is tried on."""

    name: str
    variant: str
    boards: tuple[tuple[int, int], ...] = ((5, 5), (6, 6), (7, 6), (7, 7))
    options: tuple[tuple[str, Any], ...] = ()

    def games(self) -> list[Game]:
        """One game a board."""
        return [game(self.variant, width=w, height=h, **dict(self.options)) for w, h in self.boards]


FOURS = ((4, 4), (5, 4), (5, 5), (6, 5))
RULE_SETS = [
    RuleSet("freestyle", "freestyle"),
    RuleSet("gomoku", "gomoku"),
    RuleSet("renju", "renju"),
    RuleSet("omok", "omok"),
    RuleSet("capture gomoku", "capture_gomoku", options=(("opening", "none"),)),
    RuleSet("gomocku", "gomocku"),
    RuleSet("rows of four", "freestyle", FOURS, (("row", 4),)),
    RuleSet("rows of exactly four", "gomoku", FOURS, (("row", 4),)),
    RuleSet("omok in rows of four", "omok", FOURS, (("row", 4),)),
    RuleSet("captures in rows of four", "capture_gomoku", FOURS, (("row", 4), ("opening", "none"))),
]
BY_NAME = {rules.name: rules for rules in RULE_SETS}


# ---- boards ----------------------------------------------------------------------------------------------------------


@kernel
def lay_stretch(board, w, h, row, colour, stones, rng):
    """Lay so many stones on free cells of a random stretch as long as a row."""
    for _ in range(20):
        d = below(rng, 4)
        dr, dc = 0 if d == 0 else 1, 1 if d == 0 else (0 if d == 1 else (1 if d == 2 else -1))
        r, c = below(rng, h), below(rng, w)
        end_r, end_c = r + (row - 1) * dr, c + (row - 1) * dc
        if end_r < h and 0 <= end_c < w:
            for _ in range(stones):
                k = below(rng, row)
                a = (r + k * dr) * w + c + k * dc
                if board[a] == 0:
                    board[a] = colour
            return


@kernel
def fill(board, w, h, row, mover, quiet, rng):
    """Write a random board (int8): more stretches for the side to move, some of the other's, a few stones anywhere."""
    board[: w * h] = 0
    mine, theirs = (5 + below(rng, 3) if quiet else 2 + below(rng, 3 + w * h // 25)), below(rng, 3)
    least, more = (row - 4, 2) if quiet else (row - 3, 3)
    for k in range(mine + theirs):
        colour = mover if k < mine else 3 - mover
        lay_stretch(board, w, h, row, colour, max(1, least + below(rng, more)), rng)
    for _ in range(below(rng, w * h // (5 if quiet else 3))):
        a = below(rng, w * h)
        if board[a] == 0:
            board[a] = 3 - mover if below(rng, 3) > 0 else mover


@kernel
def fill_state(states, i, quiet, board, rng):
    """Try to make state ``i``, fresh from `init`, a random position of a line game; returns whether it is one."""
    s = states[i]
    mover = 1 + below(rng, 2)
    fill(board, np.int64(s.width), np.int64(s.height), np.int64(s.row), mover, quiet, rng)
    stones = np.int64(0)
    for a in range(s.cells):
        stones += 1 if board[a] != 0 else 0
    black, white = (below(rng, 5), below(rng, 5)) if s.captures != 0 else (np.int64(0), np.int64(0))
    ply = stones + 2 * (black + white)
    if setup(s, board, mover, ply, black, white, NO_LAST, UNBOUND) != 0 or core.is_over(s):
        return False
    return below(rng, EASY) == 0 or not vcf(s, QUICK if quiet else 1)


@kernel
def wins_within(states, i, plies):
    return vcf(states[i], plies)


def line_batch(made: Game, n: int, quiet: bool, rng: np.ndarray) -> np.ndarray:
    """``n`` records of a line game."""
    found = np.repeat(made.start().record, n)
    board, empty = np.zeros(made.num_actions, np.int8), made.start().record
    done = 0
    while done < n:
        found[done] = empty[0]
        done += bool(fill_state(found, done, quiet, board, rng))
    return found


def gomocku_batch(made: Game, n: int, quiet: bool, rng: np.ndarray) -> np.ndarray:
    """``n`` records of the first phase of Gomocku; in a third of them it lasts only a few plies more."""
    w, h = made.options["width"], made.options["height"]
    found: list[np.ndarray] = []
    board, draws = np.zeros(w * h, np.int8), np.random.default_rng(int(rng[0]))
    first, pieces = 2 * made.options["stones"], made.options["stones"] + made.options["chance"]
    while len(found) < n:
        mover = int(draws.integers(1, 3))
        fill(board, w, h, 5, mover, quiet, rng)
        black, white = np.flatnonzero(board == 1), np.flatnonzero(board == 2)
        if max(len(black), len(white)) > pieces:
            continue
        ply = int(draws.integers(first - 8, first)) if draws.random() < 0.3 else int(draws.integers(first - 8))
        state = made.position(black=black, white=white, ply=ply - ply % 2 + mover - 1)
        holds = any(made.position(black=black, white=white, ply=ply).is_over for ply in (0, 1))
        if holds or (draws.integers(EASY) > 0 and wins_within(state.record, 0, QUICK if quiet else 1)):
            continue
        found.append(state.record)
    return np.concatenate(found)


def batches(rules: RuleSet, n: int, seed: int, quiet: bool = False) -> Iterator[tuple[Game, np.ndarray]]:
    """About ``n`` positions of a rule set, as many on each board: the game and a batch of records."""
    for k, made in enumerate(rules.games()):
        rng = new_stream(np.random.SeedSequence([seed, k, quiet]))
        count = -(-n // len(rules.boards))
        yield made, (gomocku_batch if made.name == "gomocku" else line_batch)(made, count, quiet, rng)


def state_of(made: Game, records: np.ndarray, i: int) -> State:
    """One position of a batch, for what takes a `State`."""
    return State(made, records[i : i + 1].copy(), new_stream(0))
