"""Positions of a deal with open hands, in plain Python: who holds what, what may be played, what comes of it.

Cards are the kinds 1 to 8, 8 for both kings (9 is read as 8). A position without a past is as good as one with it: what was
laid face down plays no part any more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from narabe.envs.rules.goita.record import KING, PASS, POINTS

MOST_CARDS = 32
"""In all hands."""
_ROOM = (0, 15, 15, 15, 15, 15, 3, 3, 2)


class PositionError(ValueError):
    """A position, a ply or a game that cannot be solved; the text says why."""


@dataclass(frozen=True)
class Position:
    """The hands of two or four seats, each a sorted string of cards, and whose turn it is.

    ``attack``: the kind to be guarded, played by the seat ``attacker``; 0 where the turn leads. ``king_shown``: a king lies
    face up. ``burier``: the seat that laid one king face down and still holds the other, or -1; it matters with the option
    king_attack_after_burying alone.

    >>> position = Position(("12", "33", "45", "18"), turn=2)
    >>> position.actions()
    [29, 36]
    >>> position.after(29)
    Traceback (most recent call last):
    ...
    narabe.search.goita.position.PositionError: seat 2 goes out with 45: the deal is over
    >>> position.points_for_going_out(29)
    3
    """

    hands: tuple[str, ...]
    turn: int
    attack: int = 0
    attacker: int = 0
    king_shown: bool = False
    burier: int = -1

    def __post_init__(self) -> None:
        hands = tuple("".join(sorted(hand.replace("9", "8"))) for hand in self.hands)
        object.__setattr__(self, "hands", hands)
        seats = len(hands)
        if seats not in (2, 4):
            raise PositionError(f"{seats} hands: a deal has two or four")
        for seat, hand in enumerate(hands):
            if not hand or len(hand) % 2 or set(hand) - set("12345678"):
                raise PositionError(f"seat {seat} holds {hand or 'nothing'}: it must be an even number of cards 1 to 9")
            if any(hand.count(str(kind)) > _ROOM[kind] for kind in range(1, 9)):
                raise PositionError(f"seat {seat} holds {hand}: too many cards of one kind")
        if sum(map(len, hands)) > MOST_CARDS or sum(hand.count("8") for hand in hands) > 2:
            raise PositionError(f"{' '.join(hands)}: more than {MOST_CARDS} cards or two kings")
        if not (0 <= self.turn < seats and 0 <= self.attacker < seats and 0 <= self.attack <= KING):
            raise PositionError(f"turn {self.turn}, attack {self.attack} by {self.attacker}: no such seat or card")
        if self.burier >= 0 and (self.king_shown or "8" not in hands[self.burier]):
            object.__setattr__(self, "burier", -1)
        if self.attack and self.turn == self.attacker:
            raise PositionError(f"seat {self.turn} cannot guard its own attack")

    # ---- rules ----

    def kings_free(self, after_burying: bool = False) -> bool:
        """May a player with a single king attack with it before it is the last card?"""
        return self.king_shown or (after_burying and self.burier >= 0)

    def can_guard(self) -> bool:
        """Can the turn guard the attack?"""
        hand = self.hands[self.turn]
        return self.attack > 0 and (str(self.attack) in hand or (self.attack >= 3 and "8" in hand))

    def actions(self, after_burying: bool = False) -> list[int]:
        """The legal actions as the law numbers them, sorted: 0 passes, 1 + 8 * (laid - 1) + (attack - 1) plays."""
        hand = self.hands[self.turn]
        found = {PASS} if self.attack else set()
        free = self.kings_free(after_burying) or hand.count("8") == 2 or len(hand) == 2
        for i, laid in enumerate(hand):
            if self.attack and int(laid) != self.attack and not (laid == "8" and self.attack >= 3):
                continue
            for attack in hand[:i] + hand[i + 1 :]:
                if attack != "8" or free:
                    found.add(8 * int(laid) + int(attack) - 8)
        return sorted(found)

    def goes_out(self, action: int) -> bool:
        return action != PASS and len(self.hands[self.turn]) == 2

    def points_for_going_out(self, action: int) -> int:
        """Points of the deal for the turn's pair when this action goes out, in points of the last card."""
        laid, attack = cards_of(action)
        return int(POINTS[attack]) * (2 if laid == attack and not self.attack else 1)

    def after(self, action: int) -> Position:
        """The position after a legal action that does not go out."""
        if self.goes_out(action):
            raise PositionError(f"seat {self.turn} goes out with {self.hands[self.turn]}: the deal is over")
        following = (self.turn + 1) % len(self.hands)
        if action == PASS:
            return replace(self, turn=following, attack=self.attack if following != self.attacker else 0)
        laid, attack = cards_of(action)
        rest = self.hands[self.turn].replace(str(laid), "", 1).replace(str(attack), "", 1)
        hands = tuple(rest if seat == self.turn else hand for seat, hand in enumerate(self.hands))
        shown = self.king_shown or attack == KING or (laid == KING and self.attack > 0)
        buries = laid == KING and not self.attack and "8" in rest
        return Position(hands, following, attack, self.turn, shown, self.turn if buries else self.burier)


def cards_of(action: int) -> tuple[int, int]:
    """The kinds laid and attacked with."""
    return (action - 1) // 8 + 1, (action - 1) % 8 + 1


def packed(hand: str) -> int:
    """A hand as the kernels hold it: 4 bits a kind."""
    return sum(1 << (4 * (int(card) - 1)) for card in hand)


def action_of_text(text: str) -> int:
    """``p`` passes; ``14`` lays or guards with 1 and attacks with 4."""
    if text == "p":
        return PASS
    if len(text) != 2 or not set(text) <= set("123456789"):
        raise PositionError(f"{text}: neither p nor two cards")
    laid, attack = (min(int(card), KING) for card in text)
    return 8 * laid + attack - 8


def position_of(text: str, after_burying: bool = False) -> Position:
    """The position after a line of history: hands, dealer, plies, each ply with the player's digit (seat + 1) in front.

    >>> position_of("11244556,12234569,11123378,11113457,s3,371,411").hands
    ('11244556', '12234568', '112338', '113457')
    """
    words = [word.strip() for word in text.split(",")]
    dealer = next((i for i, word in enumerate(words) if word.startswith("s")), 0)
    if dealer not in (2, 4) or not words[dealer][1:].isdigit():
        raise PositionError(f"{text}: it must begin with two or four hands and the dealer, such as s1")
    position = Position(tuple(words[:dealer]), int(words[dealer][1:]) - 1)
    for n, word in enumerate(words[dealer + 1 :], 1):
        if word[:1] != str(position.turn + 1):
            raise PositionError(f"ply {n}, {word}: it is the turn of player {position.turn + 1}")
        action = action_of_text(word[1:])
        if action not in position.actions(after_burying):
            raise PositionError(f"ply {n}, {word}: not legal")
        position = position.after(action)
    return position
