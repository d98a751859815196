"""The history line: hands, the dealer and the plies of one deal, parted by commas.

`11223449,11122357,11356678,11134455,s1,114,2p,3p,444`: players count from 1; a ply is the player, then `p` for a pass,
a call such as `announce`, or the card laid face down or guarding and the attack. `x` is a card that is not known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from narabe.envs.goita_records.deal import CALLS, COUNTS, Deal, Fault, Match, Ply, RecordError, fault_of

_HAND = re.compile(r"[1-9x]*")
_DEALER = re.compile(r"s([1-9])")
_PLY = re.compile(rf"([1-9])(?:(p)|({'|'.join(CALLS)})|([1-9x])([1-9]))")


def read_line(text: str, counts: Sequence[int] = COUNTS, line: int = 1) -> Deal:
    """The deal of a history line; `RecordError` names the line (its number is `line`) and the field that is wrong.

    >>> read_line("12345678,12345679,11112345,11112345,s1,113,2p,3p,431,1p,2p,315").plies[3]
    Ply(seat=3, lay=3, attack=1, word='play')
    """
    words = [word.strip() for word in text.strip().split(",")]
    start = next((i for i, word in enumerate(words) if word.startswith("s")), None)
    if start is None:
        raise RecordError(line, "dealer", "there is none; after the hands it is written as s and the player's number")
    dealer = _DEALER.fullmatch(words[start])
    if dealer is None:
        raise RecordError(line, f"dealer {words[start]!r}", "s and the player's number are needed, such as s1")
    hands = []
    for number, word in enumerate(words[:start]):
        if not _HAND.fullmatch(word):
            raise RecordError(line, f"hand {number + 1} {word!r}", "cards are written as 1 to 9, or x if not known")
        hands.append(tuple(None if card == "x" else int(card) for card in word))
    plies = [_ply(word, number, line) for number, word in enumerate(words[start + 1 :])]
    deal = Deal(tuple(hands), int(dealer[1]) - 1, tuple(plies), line=line)
    fault = fault_of(deal, counts)
    if fault:
        raise RecordError(line, _field(deal, fault), fault.problem)
    return deal


def read_lines(text: str, counts: Sequence[int] = COUNTS) -> Match:
    """The deals of several history lines; empty lines, and what follows a #, are left out."""
    deals = []
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition("#")[0].strip()
        if content:
            deals.append(read_line(content, counts, number))
    return Match(tuple(deals))


def write_line(deal: Deal, counts: Sequence[int] = COUNTS) -> str:
    """The history line of a deal; `RecordError` if it is no deal. The score before the deal has no place in it.

    >>> write_line(Deal(((1, 1), (8, None)), 1, (Ply(1, None, 8),)), counts=(2, 0, 0, 0, 0, 0, 0, 2))
    '11,8x,s2,2x8'
    """
    fault = fault_of(deal, counts)
    if fault:
        raise RecordError(0, _field(deal, fault), fault.problem)
    hands = ["".join(str(card or "x") for card in hand) for hand in deal.hands]
    return ",".join([*hands, f"s{deal.dealer + 1}", *map(str, deal.plies)])


def _ply(word: str, number: int, line: int) -> Ply:
    match = _PLY.fullmatch(word)
    if match is None:
        calls = ", ".join(CALLS)
        raise RecordError(
            line,
            f"ply {number + 1} {word!r}",
            f"the player's number, then p, two cards (1 to 9; x first if not known) or one of {calls}",
        )
    player, passed, call, lay, attack = match.groups()
    seat = int(player) - 1
    if passed or call:
        return Ply(seat, word=call or "pass", line=line)
    return Ply(seat, None if lay == "x" else int(lay), int(attack), line=line)


def _field(deal: Deal, fault: Fault) -> str:
    if fault.part == "hand":
        hand = deal.hands[fault.number] if deal.hands else ()
        return f"hand {fault.number + 1} {''.join(str(card or 'x') for card in hand)!r}"
    if fault.part == "dealer":
        return f"dealer 's{deal.dealer + 1}'"
    return f"ply {fault.number + 1} {str(deal.plies[fault.number])!r}"
