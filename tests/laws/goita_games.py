"""Random games of Goita for the tests: deals and moves drawn in Python for the naive oracle, and goita-core beside it."""

from __future__ import annotations

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from narabe.tests.oracles.goita import KING, Hand, Move, Options, Position, kind, number_of, without

SCRIPT = pathlib.Path(__file__).with_name("goita_core.cjs")
PACKAGE = "goita-core@0.2.3"


def random_hands(options: Options, rng: random.Random, shi: Sequence[int] = ()) -> list[Hand]:
    """A shuffled pack, dealt; random seats hold (at least) these numbers of shi."""
    pack = list(options.pack)
    stacks = [[pack.pop(0) for _ in range(n)] for n in shi] + [[] for _ in range(options.players - len(shi))]
    rng.shuffle(pack)
    hands = [tuple(stack + [pack.pop() for _ in range(options.hand - len(stack))]) for stack in stacks]
    rng.shuffle(hands)
    return hands


def random_deal(options: Options, rng: random.Random, shi: Sequence[int] = ()) -> Position:
    """A random deal of a random dealer."""
    return Position(options).first(rng.randrange(options.players)).deal(random_hands(options, rng, shi))


def play_out(position: Position, choose: Callable[[list[Move]], Move]) -> list[Position]:
    """The positions of a game from here to its end (of the deal)."""
    positions = [position]
    while positions[-1].phase == "play":
        positions.append(positions[-1].play(choose(positions[-1].legal_moves())))
    return positions


def line_of(position: Position) -> str:
    """The deal in the history notation, without what was said of special hands."""
    hands = ["".join(map(str, hand)) for hand in position.start]
    said = [event for event in position.log if event.move == "pass" or isinstance(event.move, tuple)]
    plies = [f"{event.seat + 1}{text_of(event.move)}" for event in said]
    return ",".join([*hands, f"s{position.dealer + 1}", *plies])


def text_of(move: Move) -> str:
    """A play or a pass as the notation has it."""
    return "p" if move == "pass" else f"{move[0]}{move[1]}"


def fit(found: Mapping[Any, int], weights: Mapping[Any, float]) -> float:
    """The p-value of a chi-square test of counts against weights; rare cases are taken together.

    AssertionError if something was found that has no weight.
    """
    assert found.keys() <= weights.keys()
    counts = np.array([found.get(case, 0) for case in weights], float)
    expected = np.array(list(weights.values()), float) * counts.sum() / sum(weights.values())
    rare = expected < 8
    if rare.any():
        counts, expected = (np.append(x[~rare], x[rare].sum()) for x in (counts, expected))
    return float(stats.chisquare(counts, expected).pvalue)


# ---- goita-core ------------------------------------------------------------------------------------------------------


def node_paths() -> str:
    """Where Node looks for packages: NODE_PATH, then the folder into which ``make`` installs them."""
    return os.pathsep.join(
        [*filter(None, [os.environ.get("NODE_PATH")]), str(pathlib.Path(sys.prefix, "node", "node_modules"))]
    )


def why_no_goita_core() -> str | None:
    """None if goita-core can be run, else the reason why not."""
    if shutil.which("node") is None:
        return "Node is not installed"
    asked = ["node", "-e", "process.stdout.write(require('goita-core/package.json').version)"]
    found = subprocess.run(asked, capture_output=True, text=True, env={**os.environ, "NODE_PATH": node_paths()})
    if found.stdout != PACKAGE.split("@")[1]:
        return f"npm's {PACKAGE} is not installed (`make test` tries to; or npm install it, and set NODE_PATH)"
    return None


def goita_core(lines: Iterable[str]) -> list[dict]:
    """What goita-core says of these games, each in the history notation; see ``goita_core.cjs`` for the keys."""
    env = {**os.environ, "NODE_PATH": node_paths()}
    done = subprocess.run(
        ["node", str(SCRIPT)], input="\n".join(lines), capture_output=True, text=True, env=env, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


Legal = Callable[[list[Position]], list[list[int]]]


def oracle_legal(game: list[Position]) -> list[list[int]]:
    """The oracle's legal actions in every position of a game."""
    return [position.legal_actions() for position in game]


def compare_with_goita_core(games: list[list[Position]], legal: Legal = oracle_legal) -> Counter:
    """Play the games (each a list of positions) in goita-core too; AssertionError where it says something else.

    ``legal`` gives legal actions that are compared, besides those of the oracle. Returns how often what came up. One
    thing is known to differ: the package's `canPlayMove` refuses to go out with a king which could not attack otherwise.
    """
    tally: Counter = Counter()
    for game, theirs in zip(games, goita_core(line_of(game[-1]) for game in games), strict=True):
        where = line_of(game[-1])
        assert len(theirs["plies"]) == len(game) - 1, where
        for position, ours, (seat, offered, accepted) in zip(game, legal(game), theirs["plies"]):
            refused = {number_of(move) for move in position.legal_moves() if goes_out_with_a_new_king(position, move)}
            assert seat == position.turn, where
            assert ours == position.legal_actions() == sorted(map(_number, offered)), f"{line_of(position)} of {where}"
            assert sorted(set(ours) - refused) == sorted(map(_number, accepted)), f"{line_of(position)} of {where}"
            tally["positions"] += 1
            tally["known differences"] += bool(refused)
        assert theirs["score"] == 10 * game[-1].gained and theirs["out"] == game[-1].log[-1].seat, where
        tally[game[-1].reason] += 1
    return tally


def _number(move: str) -> int:
    return number_of("pass" if move == "p" else (int(move[0]), int(move[1])))


def goes_out_with_a_new_king(position: Position, move: Move) -> bool:
    """Is it legal only because the king is the card that goes out?"""
    if isinstance(move, str) or kind(move[1]) != KING:
        return False
    hand = position.hands[position.turn]
    kings = sum(kind(card) == KING for card in hand)
    return not without(hand, *move) and kings < 2 and position.kings_up == 0
