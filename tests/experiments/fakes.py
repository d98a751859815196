"""A toy game and toy agents, good and bad, behind the public interface: what the tournament's tests play with.

The game: on a row of cells, players take free cells in turn until `plies` are taken. A cell is worth its distance from
the nearer end, and the highest sum wins. The row may be read from either end, which is its symmetry.
"""

from __future__ import annotations

import os
import signal
import time
from types import SimpleNamespace

import numpy as np

HERE = __name__
GAME, AGENTS = f"{HERE}:game", f"{HERE}:make"


class ToyGame:
    def __init__(self, cells: int = 20, plies: int = 12, players: int = 2) -> None:
        self.name = self.address = "toy"
        self.options = {"cells": cells, "plies": plies, "players": players}
        self.spec = f"toy:{cells=},{plies=},{players=}"
        self.num_players, self.num_actions, self.plies = players, cells, plies
        self.players = tuple("ABCD"[:players])
        self.teams = tuple((seat,) for seat in range(players))

    def start(self, seed=0, chance="auto"):
        return ToyState(self)

    def text_of(self, action):
        return f"c{action}"


class ToyState:
    def __init__(self, game: ToyGame) -> None:
        self.game, self.history = game, []

    def settle(self):
        return self

    @property
    def is_over(self):
        return len(self.history) >= self.game.plies

    @property
    def to_play(self):
        return -2 if self.is_over else len(self.history) % self.game.num_players

    @property
    def key(self):
        return self._key(lambda cell: cell)

    @property
    def canonical_key(self):
        mirrored = self._key(lambda cell: self.game.num_actions - 1 - cell)
        return min((self.key, 0), (mirrored, 1))

    def _key(self, place):
        return tuple(sorted((place(cell), n % self.game.num_players) for n, cell in enumerate(self.history)))

    def seen(self, seat):
        return tuple(self.history)

    @property
    def payoffs(self):
        last = self.game.num_actions - 1
        sums = [0] * self.game.num_players
        for n, cell in enumerate(self.history):
            sums[n % self.game.num_players] += min(cell, last - cell)
        winners = [s == max(sums) for s in sums]
        if all(winners):
            return tuple(0.0 for _ in sums)
        share = sum(winners) / (len(sums) - sum(winners))
        return tuple(1.0 if won else -share for won in winners)

    @property
    def reason(self):
        return "equal sums" if not any(self.payoffs) else "highest sum"

    def legal_actions(self):
        return np.array([cell for cell in range(self.game.num_actions) if cell not in self.history])

    def why_illegal(self, action):
        if not 0 <= action < self.game.num_actions:
            return "outside the row"
        return "taken" if action in self.history else None

    def play(self, action):
        assert self.why_illegal(action) is None
        self.history.append(int(action))

    def view(self, seat, seed=0):
        return SimpleNamespace(seat=seat, seen=tuple(self.history), free=self.legal_actions())


class RandomAgent:
    def new_game(self, seat, seed, slot=0):
        self.seat, self.rng, self.told = seat, np.random.default_rng(seed), []

    def tell(self, action, slot=0):
        self.told.append(action)

    def choose(self, views, budget=None):
        (view,) = views
        assert view.seat == self.seat
        assert list(view.seen) == self.told
        return [SimpleNamespace(action=self.pick(view))]

    def pick(self, view):
        return self.rng.choice(view.free)

    def close(self):
        pass


class GreedyAgent(RandomAgent):
    """Takes the middle, a random one of two equal cells."""

    def pick(self, view):
        last = max(view.free.max(), 19)
        worth = np.minimum(view.free, last - view.free)
        return self.rng.choice(view.free[worth == worth.max()])


class BadAgent(RandomAgent):
    """Plays at random, and misbehaves at its first move after six plies, past any warm-up."""

    def pick(self, view):
        return self.misbehave() if len(self.told) >= 6 else super().pick(view)

    def misbehave(self):
        raise NotImplementedError


def bad(function):
    return type(function.__name__, (BadAgent,), {"misbehave": function})


@bad
def raises(self):
    raise RuntimeError(f"no idea, says {object()}")


@bad
def leaves(self):
    raise SystemExit(0)


@bad
def cheats(self):
    return self.told[0]


@bad
def hangs(self):
    while True:
        time.sleep(60)


@bad
def eats(self):
    return len(bytearray(1 << 40))


@bad
def segfaults(self):
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


@bad
def exits(self):
    os._exit(3)


@bad
def answers_nothing(self):
    return None


class Deaf(RandomAgent):
    """Raises when it is told the seventh action."""

    def tell(self, action, slot=0):
        super().tell(action)
        if len(self.told) == 7:
            raise RuntimeError("what was that?")


class BadLoser(RandomAgent):
    """Ends its process when it is dismissed."""

    def close(self):
        os._exit(4)


class Pausing(RandomAgent):
    """Plays at random, a few milliseconds a move, so that a tournament can be stopped in the middle."""

    def pick(self, view):
        time.sleep(0.003)
        return super().pick(view)


class Sure(RandomAgent):
    """Plays at random, and says that the game is won for whoever is ahead."""

    def choose(self, views, budget=None):
        sums = [sum(min(cell, 19 - cell) for cell in self.told[seat::2]) for seat in range(2)]
        lead = float(np.sign(sums[0] - sums[1]))
        return [SimpleNamespace(action=each.action, value=(lead, -lead)) for each in super().choose(views)]


class SlowStart(RandomAgent):
    """Takes long for its first move in a process, as one that compiles does."""

    warm = False

    def pick(self, view):
        if not SlowStart.warm:
            time.sleep(1.0)
            SlowStart.warm = True
        return super().pick(view)


KINDS = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    "deaf": Deaf,
    "bad-loser": BadLoser,
    "pausing": Pausing,
    "slow-start": SlowStart,
    "sure": Sure,
    **{kind.__name__: kind for kind in (raises, leaves, cheats, hangs, eats, segfaults, exits, answers_nothing)},
}


def game(name, **options):
    name, _, tail = name.partition(":")
    options |= {key: int(value) for key, _, value in (part.partition("=") for part in tail.split(",") if part)}
    if name != "toy":
        raise ValueError(f"there is no game {name!r}")
    return ToyGame(**options)


def make(spec, game):
    if spec not in KINDS:
        raise ValueError(f"there is no agent {spec!r}; known are {', '.join(KINDS)}")
    return KINDS[spec]()


class LegalAgent(RandomAgent):
    """Plays any game: a random legal action of the record it is shown."""

    def pick(self, view):
        from narabe.envs.rules import calls

        mask = np.zeros(view.num_actions, np.int8)
        calls.legal_mask(view.record, 0, mask)
        return self.rng.choice(np.flatnonzero(mask))


def make_legal(spec, game):
    return LegalAgent()
