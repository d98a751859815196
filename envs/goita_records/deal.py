"""What a record of Goita holds, and what must hold for it before any rule of play is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

COUNTS = (10, 4, 4, 4, 4, 2, 2, 2)
"""How many cards of the kinds 1 to 8 the deck has; in records 9 is the second king, of the same kind as 8."""
CALLS = ("silent", "announce", "on", "redeal", "declare")
"""What players say before the first play: about five or more cards of the first kind."""
ENDING = ("redeal", "declare")
"""Calls after which the deal is over."""

HIDDEN = 0
"""Stands for the kind of a card that is not known."""

Hand = tuple[int | None, ...]


class RecordError(ValueError):
    """A record that cannot be read, written or replayed: where (`line` from 1, `field`), and what is wrong there."""

    def __init__(self, line: int, field: str, problem: str) -> None:
        super().__init__(f"line {line}, {field}: {problem}" if line else f"{field}: {problem}")
        self.line, self.field, self.problem = line, field, problem

    def __reduce__(self) -> tuple[type, tuple[int, str, str]]:
        return type(self), (self.line, self.field, self.problem)


@dataclass(frozen=True)
class Ply:
    """What one player did: a play of two cards, a pass, or a call before the first play."""

    seat: int
    """Counted from 0."""
    lay: int | None = None
    """The card laid face down or the guard, 1 to 9; None in a play: face down and not known."""
    attack: int | None = None
    """The card that attacks, 1 to 9; None only for passes and calls."""
    word: str = "play"
    """'play', 'pass' or one of `CALLS`."""
    line: int = field(default=0, compare=False, repr=False)
    """Where it was read, from 1; 0: nowhere."""

    def __str__(self) -> str:
        """As in a history line: the player from 1, then `p`, a call or two cards."""
        if self.word == "play":
            return f"{self.seat + 1}{self.lay or 'x'}{self.attack or 'x'}"
        return f"{self.seat + 1}{'p' if self.word == 'pass' else self.word}"


@dataclass(frozen=True)
class Deal:
    """One deal, finished or not."""

    hands: tuple[Hand, ...]
    """The cards that each seat was dealt, 1 to 9 in any order; None for those not known."""
    dealer: int
    """The seat that leads."""
    plies: tuple[Ply, ...] = ()
    score: tuple[int, int] | None = None
    """Points of the pairs (of seats 0 and 2, and of 1 and 3) before the deal, in the record's own unit."""
    line: int = field(default=0, compare=False, repr=False)
    """Where it begins, from 1; 0: nowhere."""


@dataclass(frozen=True)
class Match:
    """The deals of a match in order, with the names of the players."""

    deals: tuple[Deal, ...]
    names: tuple[str, ...] = ()
    """One a seat, or none at all."""

    def __post_init__(self) -> None:
        if not any(self.names):
            object.__setattr__(self, "names", ())


@dataclass(frozen=True)
class Fault:
    """Something in a deal that no rule can mend: the part ('hand', 'dealer' or 'ply'), which one of them, and why."""

    part: str
    number: int
    problem: str


def kind(card: int) -> int:
    """The kind of a card, 1 to 8: both kings are 8."""
    return min(card, 8)


def fault_of(deal: Deal, counts: Sequence[int] = COUNTS) -> Fault | None:
    """The first thing in a deal that cannot be, whatever the rules of play; None if there is none.

    Hands of equal size that the deck (cards of each kind in `counts`) has room for; every card played is in its
    player's hand; players act in turn, and the one whose attack came back, or who leads, does not pass.
    """
    return _wrong_hands(deal, counts) or _wrong_plies(deal, counts) or _too_many(deal, counts)


def _wrong_hands(deal: Deal, counts: Sequence[int]) -> Fault | None:
    players = len(deal.hands)
    if players not in (2, 4):
        return Fault("hand", max(players - 1, 0), f"two or four hands are needed, not {players}")
    if not 0 <= deal.dealer < players:
        return Fault("dealer", 0, f"there is no such player among {players}")
    size = sum(counts) // players
    for seat, hand in enumerate(deal.hands):
        if len(hand) != size:
            return Fault("hand", seat, f"{size} cards are needed, not {len(hand)}")
        for card in hand:
            if card is not None and not (1 <= card <= 9 and counts[kind(card) - 1]):
                return Fault("hand", seat, f"the deck has no card {card}")
    total: Counter[int] = Counter()
    for seat, hand in enumerate(deal.hands):
        total.update(kind(card) for card in hand if card)
        for which, count in sorted(total.items()):
            if count > counts[which - 1]:
                return Fault("hand", seat, f"the deck has {counts[which - 1]} cards of kind {which}, not {count}")
    return None


def _wrong_plies(deal: Deal, counts: Sequence[int]) -> Fault | None:
    players, size = len(deal.hands), sum(counts) // len(deal.hands)
    left = [Counter(kind(card) if card else HIDDEN for card in hand) for hand in deal.hands]
    cards = [size] * players
    turn, attacker, over = deal.dealer, -1, ""
    for number, ply in enumerate(deal.plies):
        problem = ""
        if not 0 <= ply.seat < players:
            problem = f"there is no such player among {players}"
        elif over:
            problem = f"the deal is over: {over}"
        elif ply.word in CALLS:
            if attacker >= 0:
                problem = f"{ply.word!r} belongs before the first play"
            over = f"player {ply.seat + 1} called {ply.word!r}" * (ply.word in ENDING)
        elif ply.word not in ("play", "pass"):
            problem = f"{ply.word!r} is no play, pass or call"
        elif ply.seat != turn:
            problem = f"player {turn + 1} is to act, not player {ply.seat + 1}"
        elif ply.word == "pass":
            if attacker in (-1, turn):
                problem = f"player {turn + 1} leads and cannot pass"
        else:
            problem = _take(left[ply.seat], ply)
            attacker = ply.seat
            cards[ply.seat] -= 2
            over = f"player {ply.seat + 1} is out of cards" * (cards[ply.seat] < 2)
        if problem:
            return Fault("ply", number, problem)
        if ply.word not in CALLS:
            turn = (turn + 1) % players
    return None


def _take(hand: Counter[int], ply: Ply) -> str:
    """Take the known cards of a play out of a hand (kinds, and `HIDDEN`); what is wrong with that, or ''."""
    if ply.attack is None:
        return "an attack lies face up, so that its card is known"
    for card in (ply.lay, ply.attack):
        if card is None:
            continue
        if not 1 <= card <= 9:
            return f"{card} is no card"
        which = kind(card) if hand[kind(card)] else HIDDEN
        if not hand[which]:
            return f"player {ply.seat + 1} does not hold this card (any more)"
        hand[which] -= 1
    return ""


def _too_many(deal: Deal, counts: Sequence[int]) -> Fault | None:
    """More cards of a kind played, out of hidden hands too, than the deck has."""
    known = [Counter(kind(card) for card in hand if card) for hand in deal.hands]
    played: list[Counter[int]] = [Counter() for _ in deal.hands]
    for number, ply in enumerate(deal.plies):
        played[ply.seat].update(kind(card) for card in (ply.lay, ply.attack) if card)
        total: Counter[int] = Counter()
        for held, shown in zip(known, played, strict=True):
            total += held | shown
        for which, count in total.items():
            if count > counts[which - 1]:
                return Fault("ply", number, f"the deck has {counts[which - 1]} cards of kind {which}, not {count}")
    return None
