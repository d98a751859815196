"""Random games of a physical deal of Gomocku, with all that was seen of the backs, to be played again under other deals."""

from __future__ import annotations

import random
from collections.abc import Iterator

from narabe.envs import Game, State
from narabe.tests.oracles.gomocku import Options, pile_orders


def options_of(made: Game) -> Options:
    """The oracle's options of a game."""
    return Options(**{name: value for name, value in made.options.items() if name != "deal"})


def random_deal(options: Options, rng: random.Random) -> int:
    """A deal as an outcome of chance."""
    black, white = (sum(1 << i for i in rng.sample(range(options.pieces), options.coloured)) for _ in range(2))
    return (1 << 40) | black | white << 20


def likely_action(state: State, rng: random.Random) -> int:
    """A random legal action, often the one that turns the most."""
    legal = state.legal_actions()
    return int(legal[-1] if rng.random() < 0.3 else rng.choice(legal))


class Physical:
    """A random game of a physical deal, with all that was seen of the backs."""

    def __init__(self, made: Game, seed: int, plies: int = 40) -> None:
        self.rng, self.made, self.options = random.Random(seed), made, options_of(made)
        self.state = made.start(chance="manual")
        self.states: list[State] = []  # before each action
        self.known: dict[tuple[int, int], bool] = {}  # (side, number of the piece): is its back coloured?
        self.numbers: dict[int, tuple[int, int]] = {}  # cell -> (side, number of the piece)
        self.orders: list[tuple[int, ...]] = []  # of White's piles, of Black's
        self.play(random_deal(self.options, self.rng))
        self.truth = self.state.history[0]
        for _ in range(2):
            self.play(likely_action(self.state, self.rng))
            first = made.options["width"] * made.options["height"] + 257
            self.orders.append(pile_orders(self.options)[self.state.history[-1] - first])
        while not self.state.is_over and self.state.ply < plies:
            self.play_turn()

    def play(self, action: int) -> None:
        self.states.append(self.state.copy())
        self.state.play(action)

    def play_turn(self) -> None:
        """A piece, the choice of flips, the backs."""
        mover, ply = self.state.to_play, self.state.ply
        self.play(likely_action(self.state, self.rng))
        placed = self.state.history[-1]
        if placed < self.made.options["width"] * self.made.options["height"]:
            self.numbers[placed] = (mover, ply // 2)
        if self.state.to_play == mover and self.state.ply == ply and not self.state.is_over:
            self.play(likely_action(self.state, self.rng))
        while self.state.to_play == -1:
            words = [word for word in ("red", "coloured") if self.state.why_illegal(word) is None]
            assert len(words) == 1, "the deal knows the back"
            self.know(placed, words[0] == "coloured")
            self.play(self.made.action_of(words[0]))

    def know(self, placed: int, coloured: bool) -> None:
        """The next back, in the order of the directions, is that of the first piece beside ``placed`` that is due."""
        due = self.state.observe(0)[8].ravel()
        width = self.made.options["width"]
        for step in (1, width, width + 1, width - 1, -1, -width, -width - 1, -width + 1):
            cell = placed + step
            if 0 <= cell < len(due) and due[cell] and abs(cell % width - placed % width) <= 1:
                self.known[self.numbers[cell]] = coloured
                return
        raise AssertionError("a back is to be seen, but no piece is due")

    def bit_of(self, side: int, number: int) -> int:
        """Where the deal holds the back of a piece."""
        order, size = self.orders[1 - side], self.options.chance
        return order[number // size] * size + number % size

    def another_deal(self) -> int:
        """A random deal in which all backs that were seen are as they were."""
        masks = []
        for side in (0, 1):
            fixed = {self.bit_of(side, n): coloured for (owner, n), coloured in self.known.items() if owner == side}
            free = [bit for bit in range(self.options.pieces) if bit not in fixed]
            lacking = self.options.coloured - sum(fixed.values())
            bits = [bit for bit, coloured in fixed.items() if coloured] + self.rng.sample(free, lacking)
            masks.append(sum(1 << bit for bit in bits))
        return (1 << 40) | masks[0] | masks[1] << 20

    def under(self, deal: int) -> Iterator[State]:
        """The states of the same actions under another deal, before each action and at the end."""
        state = self.made.start(chance="manual")
        yield state
        for action in [deal, *self.state.history[1:]]:
            state.play(action)
            yield state
