"""The law of Gomocku's backs, as fractions: what has been seen, how many were turned at once, what a pile holds.

One side has ``pieces`` pieces, ``coloured`` of which show the other side's colour when turned; the others are red. They are
mixed face up, so every order of the backs is equally likely. Whoever lays, stacks or chooses pieces without seeing backs
only names places in that order, and an order of which some backs are known leaves the others as well mixed as before (they
are exchangeable): the next unseen back is coloured with (coloured ones unseen) / (pieces unseen), wherever it lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from narabe.envs.game import Game
from narabe.envs.rules import gomocku


@dataclass(frozen=True)
class Backs:
    """The backs of one side's pieces; ``pile``: pieces of the Chance pile.

    >>> backs = Backs()
    >>> backs.chance(), backs.chance(seen_red=1), backs.chance(seen_coloured=1)
    (Fraction(2, 5), Fraction(8, 19), Fraction(7, 19))
    >>> backs.outside(0), backs.outside(5)  # for one who has looked into the Chance pile
    (Fraction(8, 15), Fraction(1, 5))
    """

    pieces: int = 20
    coloured: int = 8
    pile: int = 5

    def __post_init__(self) -> None:
        if not (0 <= self.coloured <= self.pieces and 1 <= self.pile < self.pieces):
            raise ValueError(f"{self}: coloured is 0 to pieces, and the pile is a part of them")

    @property
    def red(self) -> int:
        """Pieces whose backs are red."""
        return self.pieces - self.coloured

    def unseen(self, seen_coloured: int, seen_red: int) -> tuple[int, int]:
        """(coloured, all) backs that nobody has seen; `ValueError` where more were seen than there are."""
        if not (0 <= seen_coloured <= self.coloured and 0 <= seen_red <= self.red):
            raise ValueError(
                f"{seen_coloured} coloured and {seen_red} red backs seen, of {self.coloured} and {self.red}"
            )
        return self.coloured - seen_coloured, self.pieces - seen_coloured - seen_red

    def chance(self, seen_coloured: int = 0, seen_red: int = 0) -> Fraction:
        """The chance that any one unseen back is coloured, after so many were seen; 0 if none is left."""
        coloured, unseen = self.unseen(seen_coloured, seen_red)
        return Fraction(coloured, unseen) if unseen else Fraction(0)

    def turned(self, n: int, seen_coloured: int = 0, seen_red: int = 0) -> dict[int, Fraction]:
        """How many of ``n`` pieces turned at once are coloured: the hypergeometric law.

        >>> law = Backs().turned(2)
        >>> 1 - law[0], law[2]  # at least one, both
        (Fraction(62, 95), Fraction(14, 95))
        """
        coloured, unseen = self.unseen(seen_coloured, seen_red)
        if not 0 <= n <= unseen:
            raise ValueError(f"{n} pieces turned at once, of {unseen} unseen ones")
        ways = {k: comb(coloured, k) * comb(unseen - coloured, n - k) for k in range(n + 1)}
        return {k: Fraction(w, comb(unseen, n)) for k, w in ways.items() if w}

    def in_pile(self) -> dict[int, Fraction]:
        """How many coloured backs lie in the Chance pile, whichever of the piles it is."""
        return self.turned(self.pile)

    def outside(self, k: int) -> Fraction:
        """The chance of a piece outside the Chance pile for one who knows that this holds ``k`` coloured backs."""
        return Fraction(self.coloured - k, self.pieces - self.pile)

    def inside(self, k: int) -> Fraction:
        """The chance of a piece of the Chance pile for one who knows that it holds ``k`` coloured backs."""
        return Fraction(k, self.pile)


def backs_of(game: Game) -> Backs:
    """The backs of a side in a game of Gomocku; `TypeError` for another game.

    >>> from narabe.envs import game
    >>> backs_of(game("gomocku"))
    Backs(pieces=20, coloured=8, pile=5)
    """
    if game.law is not gomocku:
        raise TypeError(f"backs are of Gomocku, not of {game.spec}")
    options = game.options
    return Backs(options["stones"] + options["chance"], options["coloured"], options["chance"])
