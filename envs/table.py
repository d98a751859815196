"""What a picture of a card table shows: seats with their hands and plays, a few marks, some words.

A table knows no rule and no record. A game's face fills one in; `drawing/` turns it into text, SVG or pixels. A card is
a number from 1, or None where only its back is to be seen; the deck decides what is written on it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

DECKS = {"atigo": "市刺騎司魔将大王女", "goita": "し香馬銀金角飛王玉", "letters": "SGBIKAHOO"}
"""What stands on the cards 1, 2, 3 and so on of each deck; 8 and 9 are the two kings."""

Card = int | None


@dataclasses.dataclass(frozen=True)
class Play:
    """Two cards that a player laid on the table together."""

    first: Card
    """The card laid face down or the guard; None: its back is all that may be seen."""
    second: int
    """The attack, which always lies face up."""
    down: bool = False
    """Whether the first card lies face down, even if the picture may tell what it is."""

    def __post_init__(self) -> None:
        _check((self.first, self.second))
        if self.second is None or (self.first is None and not self.down):
            raise ValueError("a card that lies face up is known")


@dataclasses.dataclass(frozen=True)
class Seat:
    """A player's place at the table."""

    name: str
    hand: Sequence[Card] = ()
    plays: Sequence[Play] = ()
    """In the order in which they were made."""
    shown: int = 0
    """How many kings of this hand everybody has been shown."""
    notes: Sequence[str] = ()
    """Short words beside the name, such as 'five し'."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "hand", _check(self.hand))
        object.__setattr__(self, "plays", tuple(self.plays))
        object.__setattr__(self, "notes", _texts(self.notes))
        kings = sum(card in (8, 9) for card in self.hand)
        if not 0 <= self.shown <= kings:
            raise ValueError(f"{self.name}: shown={self.shown}, but the hand has {kings} kings to be seen")


@dataclasses.dataclass(frozen=True)
class Table:
    """One picture of a card game of two or four players.

    Seat 0 sits at the bottom. Four sit counter-clockwise as seen from above, so that the right neighbour of seat 0 is
    seat 1; partners face each other.

    >>> table = Table([Seat("Ann", [1, 1, 8]), Seat("Bob", [None, None, None])], deck="letters", to_play=0)
    >>> table.glyph(8), table.slots
    ('O', 2)
    >>> table.with_(captions=["Ann to play"]).captions
    ('Ann to play',)
    """

    seats: Sequence[Seat]

    deck: str = "atigo"
    """A name out of `DECKS`."""

    dealer: int | None = None
    to_play: int | None = None
    last: int | None = None
    """The seat that made the last play; its newest one is marked."""

    scores: Sequence[int] = ()
    """Points of seats 0 and 2, and of seats 1 and 3; or of the two players; left out, none are shown."""

    title: str = ""
    captions: Sequence[str] = ()
    """Lines below the table, such as 'Ann to play'."""

    room: int = 0
    """Plays of one hand to leave a place for at least, as before the deal."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "seats", tuple(self.seats))
        object.__setattr__(self, "scores", tuple(int(points) for points in self.scores))
        object.__setattr__(self, "captions", _texts(self.captions))
        if len(self.seats) not in (2, 4):
            raise ValueError(f"a table has 2 or 4 seats, not {len(self.seats)}")
        if self.deck not in DECKS:
            raise ValueError(f"no deck is called {self.deck!r}; there are {', '.join(DECKS)}")
        if len(self.scores) not in (0, 2):
            raise ValueError(f"two scores, or none; not {len(self.scores)}")
        for name in ("dealer", "to_play", "last"):
            seat = getattr(self, name)
            if seat is not None and not 0 <= seat < len(self.seats):
                raise ValueError(f"{name}: no seat {seat} at a table of {len(self.seats)}")
        if self.last is not None and not self.seats[self.last].plays:
            raise ValueError(f"last: {self.seats[self.last].name} has made no play yet")

    @property
    def slots(self) -> int:
        """How many plays the longest hand allows: with a place for each, no picture changes its size during a deal."""
        return max(self.room, *(-(-(len(seat.hand) + 2 * len(seat.plays)) // 2) for seat in self.seats))

    def glyph(self, card: int) -> str:
        """What is written on a card."""
        return DECKS[self.deck][card - 1]

    def with_(self, **changes: Any) -> Table:
        """A copy with some fields changed."""
        return dataclasses.replace(self, **changes)


def _check(cards: Iterable[Card]) -> tuple[Card, ...]:
    checked = tuple(None if card is None else int(card) for card in cards)
    for card in checked:
        if card is not None and not 1 <= card <= 9:
            raise ValueError(f"cards are numbers from 1 to 9, or None; not {card}")
    return checked


def _texts(values: Sequence[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise TypeError(f"a sequence of texts is needed, not the one text {values!r}")
    return tuple(str(value) for value in values)
