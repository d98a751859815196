"""Values of Goita with open hands by plain minimax over sorted tuples: slow, and sharing no code with the solver.

Seats from 0; seat and seat + 2 are partners (two players: nobody is). Cards are the numbers 1 to 8, 8 for either king.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

POINTS = {1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 4, 7: 4, 8: 5}
Ply = tuple[int, int] | None
"""(card laid face down or guarded with, attack), or None for a pass."""


@dataclass(frozen=True)
class Table:
    """Who holds what; ``attack``: the card to be guarded and who played it, or None where the turn leads.

    ``shown``: a king lies face up; ``buriers``: seats that have laid a king face down.
    """

    hands: tuple[tuple[int, ...], ...]
    turn: int
    attack: tuple[int, int] | None = None
    shown: bool = False
    buriers: frozenset[int] = frozenset()


def without(hand: tuple[int, ...], *cards: int) -> tuple[int, ...]:
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


class Oracle:
    """Minimax with what was found kept in a dictionary; values are points for the pair of seats 0 and 2."""

    def __init__(self, after_burying: bool = False) -> None:
        self.after_burying = after_burying
        self.known: dict[Table, int] = {}

    def may_attack(self, table: Table, laid: int, card: int) -> bool:
        """The rule of kings."""
        hand = table.hands[table.turn]
        if card != 8 or len(hand) == 2 or hand.count(8) == 2 or table.shown:
            return True
        return self.after_burying and table.turn in table.buriers

    def plies(self, table: Table) -> list[Ply]:
        """All legal plies."""
        hand = table.hands[table.turn]
        found: set[Ply] = set()
        for i, laid in enumerate(hand):
            if table.attack is not None:
                asked = table.attack[0]
                if laid != asked and not (laid == 8 and asked >= 3):
                    continue
            for j, card in enumerate(hand):
                if i != j and self.may_attack(table, laid, card):
                    found.add((laid, card))
        passes: list[Ply] = [] if table.attack is None else [None]
        return passes + sorted(found)  # type: ignore[type-var]

    def after(self, table: Table, ply: Ply) -> Table | int:
        """The next situation, or the points for the pair of seats 0 and 2 where a hand is empty."""
        seats, turn = len(table.hands), table.turn
        following = (turn + 1) % seats
        if ply is None:
            assert table.attack is not None
            if following == table.attack[1]:
                return replace(table, turn=following, attack=None)
            return replace(table, turn=following)
        laid, card = ply
        rest = without(table.hands[turn], laid, card)
        if not rest:
            points = POINTS[card] * (2 if laid == card and table.attack is None else 1)
            return points if turn % 2 == 0 else -points
        hands = tuple(rest if s == turn else h for s, h in enumerate(table.hands))
        buried = laid == 8 and table.attack is None
        shown = table.shown or card == 8 or (laid == 8 and not buried)
        buriers = table.buriers | {turn} if buried else table.buriers
        return Table(hands, following, (card, turn), shown, buriers)

    def value(self, table: Table) -> int:
        """Points for the pair of seats 0 and 2 with best play of both."""
        if table not in self.known:
            values = [self.value_of(table, ply) for ply in self.plies(table)]
            self.known[table] = max(values) if table.turn % 2 == 0 else min(values)
        return self.known[table]

    def value_of(self, table: Table, ply: Ply) -> int:
        """The same after a ply."""
        after = self.after(table, ply)
        return after if isinstance(after, int) else self.value(after)


def pack() -> list[int]:
    """The 32 cards of four players."""
    return [1] * 10 + [k for k in (2, 3, 4, 5) for _ in range(4)] + [6, 6, 7, 7, 8, 8]


def random_ending(rng: random.Random, sizes: tuple[int, ...], leads: bool) -> Table:
    """A situation with hands of these (even) sizes, kings shown or buried as may be; it need not have an honest past."""
    cards = pack()
    rng.shuffle(cards)
    if rng.random() < 0.5:  # many cards of few kinds: more guards
        cards.sort(key=lambda card: card in (1, 8) and rng.random() < 0.7)
        cards = cards[: sum(sizes) + 2] if rng.random() < 0.5 else cards[::-1][: sum(sizes) + 3]
        rng.shuffle(cards)
    if rng.random() < 0.4:  # both kings to one player
        at = rng.randrange(len(sizes))
        first = sum(sizes[:at])
        cards = [8 if first <= i < first + 2 else 1 + card % 7 if card == 8 else card for i, card in enumerate(cards)]
    hands = []
    for count in sizes:
        hands.append(tuple(sorted(cards[:count])))
        cards = cards[count:]
    kings = sum(hand.count(8) for hand in hands)
    shown = kings < 2 and rng.random() < 0.4
    buriers = frozenset({rng.randrange(len(sizes))} if kings == 1 and not shown else ())
    seats = len(sizes)
    turn = rng.randrange(seats)
    if leads:
        return Table(tuple(hands), turn, None, shown, buriers)
    attacker = (turn + rng.randrange(1, seats)) % seats
    attack = rng.choice([k for hand in hands for k in hand] + [rng.randrange(1, 8)])
    return Table(tuple(hands), turn, (attack, attacker), shown or attack == 8, buriers)
