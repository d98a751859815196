"""A naive oracle for Goita, written straight from the rules: tuples of cards, one frozen position after another.

Cards are numbers: 1 shi, 2 gon, 3 bakko, 4 gin, 5 kin, 6 kaku, 7 hisha, 8 a king and, with ``named_kings``, 9 the other
king. A *move* is ``"pass"``, a pair ``(laid or guarding card, attacking card)``, or a word: ``"silent"``, ``"announce"``,
``"on"``, ``"redeal"``, ``"declare"``. Seats count from 0; seat s and seat s+2 are a pair.

>>> position = Position.of_line("11223449,11122357,11356678,11134455,s1")
>>> position = position.play((1, 4)).play("pass")
>>> position.turn, position.legal_moves()
(2, ['pass', (8, 1), (8, 3), (8, 5), (8, 6), (8, 7)])
>>> position.information(3)[-1]
((0, 'x', 4, ''), (1, 'pass'))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import factorial

SHI, GON, KING = 1, 2, 8
POINTS = {1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 4, 7: 4, 8: 5}
EIGHT_SHI, FIVE_AND_FIVE, FULL_PAYOFF = 10, 15, 15
WORDS = {"pass": 0, "silent": 65, "announce": 66, "on": 67, "redeal": 68, "declare": 69}

Move = str | tuple[int, int]
Hand = tuple[int, ...]


def kind(card: int) -> int:
    """The kind of a card: both kings are one."""
    return min(card, KING)


def without(hand: Hand, *cards: int) -> Hand:
    """The hand after these cards left it."""
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return tuple(rest)


def number_of(move: Move) -> int:
    """The number of a move as an action of the law, which knows no names of kings."""
    if isinstance(move, str):
        return WORDS[move]
    lay, attack = move
    return 1 + 8 * (kind(lay) - 1) + kind(attack) - 1


def move_of(number: int) -> Move:
    """The move that an action of the law stands for, with both kings called 8."""
    for word, code in WORDS.items():
        if code == number:
            return word
    return (number - 1) // 8 + 1, (number - 1) % 8 + 1


@dataclass(frozen=True)
class Options:
    """The parameters of the game, with the names of the rules."""

    players: int = 4
    hand: int = 8
    counts: tuple[int, ...] = (10, 4, 4, 4, 4, 2, 2, 2)
    match: int = 0  # 0: a single deal; else the score that wins, in scaled points
    points: int = 1  # what a shi is worth
    payoff: str = "points"  # of a single deal: "points" (a fifteenth each) or "win"
    dealer: str = "next"  # or "winner"
    specials: str = "auto"  # six, seven, eight, five and five: declared by themselves, by "choice", or "off"
    five_shi: str = "partner"  # who decides on a redeal: the partner after an announcement, or the "holder" alone
    six_shi_pair_doubles: bool = False
    king_attack_after_burying: bool = False
    auto_redeal: bool = False  # five shi are dealt anew without a question
    no_five_shi: bool = False  # deals in which somebody holds five shi, or more, do not come up
    named_kings: bool = False  # cards 8 and 9 instead of two cards 8

    @property
    def pack(self) -> Hand:
        """All cards, sorted."""
        cards = [k + 1 for k, count in enumerate(self.counts) for _ in range(count)]
        if self.named_kings:
            cards[-1] = KING + 1
        return tuple(cards)


@dataclass(frozen=True)
class Event:
    """Something that happened in the deal, and what is public of it."""

    seat: int
    move: Move
    face_down: bool = False
    shows: str = ""  # what was shown besides: the card "laid", as king and king or on going out; the other king "held"

    def seen_by(self, seat: int) -> tuple | None:
        """The event as this seat saw it; None if it saw nothing."""
        if isinstance(self.move, str):
            return None if self.move == "silent" and seat != self.seat else (self.seat, self.move)
        lay, attack = self.move
        hidden = self.face_down and self.shows != "laid" and seat != self.seat
        return self.seat, "x" if hidden else kind(lay), kind(attack), self.shows


class IllegalMove(ValueError):
    """A move that the rules do not allow now."""


@dataclass(frozen=True)
class Position:
    """A position. Scores are in points of one a shi.

    ``phase``: "first" (who deals first is open), "deal" (the cards are), "announce" (``turn`` holds five shi or more and
    is asked), "answer" (``turn`` answers its partner's announcement), "play", "over".
    """

    options: Options = Options()
    phase: str = "first"
    dealer: int = -1
    turn: int = -1
    scores: tuple[int, int] = (0, 0)
    start: tuple[Hand, ...] = ()  # as dealt
    hands: tuple[Hand, ...] = ()
    log: tuple[Event, ...] = ()  # of this deal
    asked: int = 0  # seats, counted from the dealer, that were asked about their shi or had no need to be
    winner: int | None = None  # the pair that won the game
    gained: int = 0  # points of the deal that ended last
    reason: str = ""  # how that deal ended: "out", "double", "six", "seven", "eight", "five and five", "redeal"

    # ---- chance ------------------------------------------------------------------------------------------------------

    @classmethod
    def of_line(cls, line: str, **options: object) -> Position:
        """Read a line of the history notation: the hands, ``s`` and the dealer's digit, the plies. The hands are the pack."""
        hands = [part for part in line.split(",") if len(part) > 3]
        dealer, *plies = line.split(",")[len(hands) :]
        cards = [kind(int(card)) for hand in hands for card in hand]
        options = {
            "counts": tuple(cards.count(k) for k in POINTS),
            "named_kings": any("9" in hand for hand in hands),
            **options,
        }
        chosen = Options(len(hands), len(hands[0]), **options)  # type: ignore[arg-type]
        position = cls(chosen).first(int(dealer[1:]) - 1).deal([tuple(map(int, hand)) for hand in hands])
        for ply in plies:
            if position.turn != int(ply[0]) - 1:
                raise IllegalMove(f"{ply}: it is the turn of seat {position.turn}")
            position = position.play("pass" if ply[1] == "p" else (int(ply[1]), int(ply[2])))
        return position

    def first(self, seat: int) -> Position:
        """The first dealer is drawn."""
        if self.phase != "first":
            raise IllegalMove("there is a dealer")
        return replace(self, phase="deal", dealer=seat)

    def deal(self, hands: Iterable[Iterable[int]]) -> Position:
        """The cards are dealt."""
        dealt = tuple(tuple(sorted(hand)) for hand in hands)
        if self.phase != "deal" or not self.can_be_dealt(dealt):
            raise IllegalMove(f"no deal: {dealt}")
        return replace(self, phase="announce", start=dealt, hands=dealt, log=(), asked=0)._after_the_deal()

    def can_be_dealt(self, hands: tuple[Hand, ...]) -> bool:
        """Do these hands make up the pack, and are they allowed?"""
        options = self.options
        sizes = [len(hand) for hand in hands]
        if sizes != [options.hand] * options.players or tuple(sorted(sum(hands, ()))) != options.pack:
            return False
        return not (options.no_five_shi and any(hand.count(SHI) >= 5 for hand in hands))

    # ---- hands that end the deal, or may be dealt anew ---------------------------------------------------------------

    def shi(self, seat: int) -> int:
        """How many shi this seat was dealt."""
        return self.start[seat].count(SHI)

    def seats_from_dealer(self) -> list[int]:
        """All seats, the dealer first."""
        return [(self.dealer + i) % self.options.players for i in range(self.options.players)]

    def partner(self, seat: int) -> int | None:
        """The seat opposite; nobody with two players."""
        return (seat + 2) % 4 if self.options.players == 4 else None

    def _after_the_deal(self) -> Position:
        if self.options.specials == "auto":
            for seat in self.seats_from_dealer():
                if self.shi(seat) > 5 or self.holds_five_as_the_partner_does(seat):
                    return self._declared(seat)
        if self.options.specials != "off" and self.options.auto_redeal:
            if any(self.shi(seat) == 5 for seat in self.seats_from_dealer()):
                return self._redealt()
        return self._ask_the_next()

    def holds_five_as_the_partner_does(self, seat: int) -> bool:
        """Five and five in one pair?"""
        partner = self.partner(seat)
        return partner is not None and self.shi(seat) == self.shi(partner) == 5

    def is_asked(self, seat: int) -> bool:
        """Is this seat's hand one that it has something to say of?"""
        least, most = {"off": (9, 0), "auto": (5, 5), "choice": (5, 8)}[self.options.specials]
        return least <= self.shi(seat) <= most

    def _ask_the_next(self) -> Position:
        for i, seat in enumerate(self.seats_from_dealer()):
            if i >= self.asked and self.is_asked(seat):
                return replace(self, phase="announce", turn=seat, asked=i + 1)
        return replace(self, phase="play", turn=self.dealer, asked=self.options.players)

    def _declared(self, seat: int) -> Position:
        """A hand of six, seven or eight shi goes out; five and five win the match."""
        shi = self.shi(seat)
        others = sorted((POINTS[kind(card)], kind(card)) for card in self.start[seat] if card != SHI)
        if shi == 5:
            goal = -(-self.options.match // self.options.points)
            return self._deal_won(seat, goal - self.scores[seat % 2] if goal else FIVE_AND_FIVE, "five and five")
        if shi == 6:
            pair = others[0][1] == others[1][1] and self.options.six_shi_pair_doubles
            return self._deal_won(seat, others[1][0] * (2 if pair else 1), "six")
        if shi == 7:
            return self._deal_won(seat, 2 * others[0][0], "seven")
        return self._deal_won(seat, EIGHT_SHI, "eight")

    def _redealt(self) -> Position:
        return replace(self, phase="deal", turn=-1, start=(), hands=(), log=(), asked=0, gained=0, reason="redeal")

    # ---- moves -------------------------------------------------------------------------------------------------------

    @cached_property
    def standing(self) -> tuple[int, int] | None:
        """(the seat that attacked last, its card); None before the first attack."""
        plays = [event for event in self.log if not isinstance(event.move, str)]
        return (plays[-1].seat, plays[-1].move[1]) if plays else None  # type: ignore[return-value]

    @property
    def leads(self) -> bool:
        """Does the turn lead (face down, then attack) rather than face an attack?"""
        return self.standing is None or self.standing[0] == self.turn

    @cached_property
    def kings_up(self) -> int:
        """Kings that lie face up on the table: guards and attacks, not those laid face down."""
        plays = [event for event in self.log if not isinstance(event.move, str)]
        guards = sum(kind(event.move[0]) == KING for event in plays if not event.face_down)  # type: ignore[arg-type]
        return guards + sum(kind(event.move[1]) == KING for event in plays)  # type: ignore[arg-type]

    def has_buried_a_king(self, seat: int) -> bool:
        """Did this seat lay a king face down on an earlier turn?"""
        return any(event.seat == seat and event.face_down and kind(event.move[0]) == KING for event in self.log)  # type: ignore[arg-type]

    def legal_moves(self) -> list[Move]:
        """All legal moves, with the names of cards."""
        if self.phase == "announce":
            if self.shi(self.turn) > 5:
                return ["silent", "declare"]
            return ["silent", "redeal"] if self.options.five_shi == "holder" else ["silent", "announce"]
        if self.phase == "answer":
            both = self.options.specials == "choice" and self.holds_five_as_the_partner_does(self.turn)
            return ["on", "redeal", *(["declare"] if both else [])]
        if self.phase != "play":
            return []
        hand, moves = self.hands[self.turn], [] if self.leads else ["pass"]
        for lay in sorted(set(hand)):
            if self.leads or self.guards(lay, self.standing[1]):  # type: ignore[index]
                rest = without(hand, lay)
                moves += [(lay, attack) for attack in sorted(set(rest)) if self.may_attack(attack, hand)]
        return moves  # type: ignore[return-value]

    def guards(self, card: int, attack: int) -> bool:
        """Does the card guard against the attack?"""
        return kind(card) == kind(attack) or (kind(card) == KING and attack not in (SHI, GON))

    def may_attack(self, card: int, hand: Hand) -> bool:
        """May this card of the mover's hand, of which another is laid or guards, be the attack?"""
        if kind(card) != KING:
            return True
        goes_out = len(hand) == 2
        holds_both = sum(kind(other) == KING for other in hand) >= 2
        buried = self.options.king_attack_after_burying and self.has_buried_a_king(self.turn)
        return goes_out or holds_both or self.kings_up > 0 or buried

    def legal_actions(self) -> list[int]:
        """The legal moves as sorted numbers of the law."""
        return sorted({number_of(move) for move in self.legal_moves()})

    def play(self, move: Move | int) -> Position:
        """The position after a move (or the number of one)."""
        move = self.named(move) if isinstance(move, int) else move
        if move not in self.legal_moves():
            raise IllegalMove(f"{move} of {self.legal_moves()}")
        if isinstance(move, tuple):
            return self._played(*move)
        after = replace(self, log=(*self.log, self.event(move)))
        if move == "pass":
            return replace(after, turn=(self.turn + 1) % self.options.players)
        if move == "announce":
            return replace(after, phase="answer", turn=self.partner(self.turn))
        if move == "redeal":
            return after._redealt()
        return after._declared(self.turn) if move == "declare" else after._ask_the_next()

    def named(self, number: int) -> Move:
        """The first legal move of this number: two moves that differ in the names of kings lead to the same."""
        return next((move for move in self.legal_moves() if number_of(move) == number), move_of(number))

    def event(self, move: Move) -> Event:
        """What happens by a legal move."""
        if isinstance(move, str):
            return Event(self.turn, move)
        lay, attack = map(kind, move)
        hand, shows = self.hands[self.turn], ""
        if attack == KING != lay and sum(kind(card) == KING for card in hand) >= 2:
            shows = "held"
        elif self.leads and (len(hand) == 2 or lay == attack == KING):
            shows = "laid"
        return Event(self.turn, move, self.leads, shows)

    def _played(self, lay: int, attack: int) -> Position:
        rest = without(self.hands[self.turn], lay, attack)
        hands = (*self.hands[: self.turn], rest, *self.hands[self.turn + 1 :])
        after = replace(self, hands=hands, log=(*self.log, self.event((lay, attack))))
        if rest:
            return replace(after, turn=(self.turn + 1) % self.options.players)
        doubled = self.leads and kind(lay) == kind(attack)
        return after._deal_won(self.turn, POINTS[kind(attack)] * (1 + doubled), "double" if doubled else "out")

    # ---- scores ------------------------------------------------------------------------------------------------------

    def _deal_won(self, seat: int, points: int, reason: str) -> Position:
        pair, options = seat % 2, self.options
        scores = tuple(score + points * (p == pair) for p, score in enumerate(self.scores))
        done = replace(self, turn=-1, scores=scores, gained=points, reason=reason)
        if not options.match or scores[pair] * options.points >= options.match:
            return replace(done, phase="over", winner=pair)
        dealer = seat if options.dealer == "winner" else (self.dealer + 1) % options.players
        return replace(done, phase="deal", dealer=dealer, start=(), hands=(), log=(), asked=0)

    def payoffs(self) -> tuple[float, ...]:
        """One number a seat: of a match 1 and -1; of a single deal its points in fifteenths, or 1 and -1."""
        if self.phase != "over":
            return (0.0,) * self.options.players
        size = 1.0 if self.options.match or self.options.payoff == "win" else self.gained / FULL_PAYOFF
        return tuple(size if seat % 2 == self.winner else -size for seat in range(self.options.players))

    # ---- what a seat knows -------------------------------------------------------------------------------------------

    def information(self, seat: int) -> tuple:
        """All that the seat knows and remembers of this deal: scores, dealer, its hand, the events that it saw.

        A holder of five or more shi knows whether it has spoken of them; that it is asked now is nothing new to it.
        """
        own = tuple(map(kind, self.start[seat])) if self.start else ()
        seen = [event.seen_by(seat) for event in self.log]
        return self.scores, self.dealer, own, tuple(view for view in seen if view is not None)

    def layouts(self, seat: int) -> Iterator[tuple[Position, int]]:
        """Every position that the seat, in play or asked, holds possible, with the number of ways in which it comes about.

        Positions differ in hands or in cards laid face down. All deals are played through, whatever was hidden being
        chosen in every way, and kept if the seat then knows what it knows here. A way puts each unseen physical card into
        a hand or into a certain place face down, so that every physical deal has as many ways as every other.
        """
        before = Position(self.options, "deal", self.dealer, scores=self.scores)
        target = self.information(seat)
        for hands in deals_beside(self.options, seat, self.start[seat]):
            if before.can_be_dealt(hands):
                for position in _ways_to(before.deal(hands), seat, target):
                    yield position, position._arrangements(seat)

    def _arrangements(self, seat: int) -> int:
        others = [q for q in range(self.options.players) if q != seat]
        places = [self.hands[q] for q in others]
        places += [
            event.move[:1] for event in self.log if event.face_down and event.shows != "laid" and event.seat != seat
        ]  # type: ignore[misc]
        counts = [sum(kind(card) == k for place in places for card in place) for k in POINTS]
        return physical_deals(replace(self.options, counts=tuple(counts)), places)


def _ways_to(position: Position, seat: int, target: tuple) -> Iterator[Position]:
    """The positions from here in which the seat knows ``target`` and nobody else is being asked."""
    known = position.information(seat)
    if position.phase in ("deal", "over") or known[:3] != target[:3]:
        return
    if known == target and (position.phase != "announce" or position.turn == seat):
        yield position
        return
    upcoming = target[3][len(known[3]) :]
    for move in position.legal_moves():
        view = position.event(move).seen_by(seat)
        if view is None or upcoming[:1] == (view,):
            yield from _ways_to(position.play(move), seat, target)


# ---- counting deals --------------------------------------------------------------------------------------------------


def hands_of(counts: Sequence[int], cards: int) -> Iterator[Hand]:
    """Every hand of so many cards out of counts a kind."""
    if not counts:
        if cards == 0:
            yield ()
        return
    for n in range(min(counts[-1], cards) + 1):
        for rest in hands_of(counts[:-1], cards - n):
            yield (*rest, *([len(counts)] * n))


def _left(counts: Sequence[int], hand: Hand) -> tuple[int, ...]:
    return tuple(n - hand.count(k + 1) for k, n in enumerate(counts))


def deals_of(counts: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[Hand, ...]]:
    """Every deal of the counts a kind into hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in hands_of(counts, sizes[0]):
        for rest in deals_of(_left(counts, hand), sizes[1:]):
            yield (hand, *rest)


def deals_beside(options: Options, seat: int, own: Hand) -> Iterator[tuple[Hand, ...]]:
    """Every deal (kings unnamed) that gives this seat this hand."""
    own = tuple(map(kind, own))
    for others in deals_of(_left(options.counts, own), [options.hand] * (options.players - 1)):
        yield (*others[:seat], own, *others[seat:])


def physical_hands(options: Options, hand: Hand) -> int:
    """In how many ways physical cards make up this hand."""
    ways = 1
    for k, n in enumerate(options.counts):
        held = sum(kind(card) == k + 1 for card in hand)
        ways *= factorial(n) // factorial(held) // factorial(n - held)
    return ways


def physical_deals(options: Options, hands: Iterable[Hand]) -> int:
    """In how many ways physical cards make up these hands."""
    ways, held = 1, Counter()  # type: ignore[var-annotated]
    for hand in hands:
        left = replace(options, counts=tuple(n - held[k + 1] for k, n in enumerate(options.counts)))
        ways *= physical_hands(left, hand)
        held.update(map(kind, hand))
    return ways
