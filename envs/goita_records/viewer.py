"""The YAML record that viewers of Goita share: the names of the players, then each deal with its rows of plays.

Seats count from 0. A row is [seat, card laid face down or guarding, attack]. Passes are left out: between plays of i
and j there are (j - i - 1) mod 4, and 3 if i = j. Two keys of ours, which viewers skip, keep what rows cannot tell:
`calls`, rows [seat, word] of what was said before the first play, and `passes`, how many follow the last row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import yaml

from narabe.envs.goita_records.deal import CALLS, COUNTS, Deal, Fault, Hand, Match, Ply, RecordError, fault_of
from narabe.envs.table import DECKS

HIDDEN = "_＿"
"""A card that is not known; the first one is written."""
_CARDS: dict[str, int | None] = dict.fromkeys("女玉", 9)
_CARDS |= {glyph: card for deck in ("atigo", "goita") for card, glyph in enumerate(DECKS[deck], start=1)}
_CARDS |= dict.fromkeys(HIDDEN)


def read_yaml(text: str, counts: Sequence[int] = COUNTS) -> Match:
    """The match of a YAML record; `RecordError` names the line and the field that is wrong. Unknown keys are skipped."""
    try:
        # Only nodes are made, never objects; they know their lines.
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise RecordError(mark.line + 1 if mark else 1, "YAML", error.problem or str(error)) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise RecordError(line, "YAML", f"the character {chr(error.character)!r} is not allowed") from None
    if root is None:
        raise RecordError(1, "YAML", "there is nothing in it")
    top = _Field(root, "record")
    seats = [f"p{seat}" for seat in range(4)]
    names = [field.text() if (field := top.find(seat)) else "" for seat in seats]
    deals = tuple(_deal(field, counts) for field in top.get("log").items())
    players = max((len(deal.hands) for deal in deals), default=4)
    return Match(deals, tuple(names[:players]))


def write_yaml(match: Match, counts: Sequence[int] = COUNTS) -> str:
    """The YAML record of a match; `RecordError` if one of its deals is no deal. An unknown score is written as 0."""
    players = max((len(deal.hands) for deal in match.deals), default=4)
    names = match.names or ("",) * players
    lines = ["version: 1.0", *(f"p{seat}: {_quoted(name)}" for seat, name in enumerate(names))]
    lines.append("log:" if match.deals else "log: []")
    for number, deal in enumerate(match.deals):
        fault = fault_of(deal, counts)
        if fault:
            raise RecordError(0, f"log[{number}].{_name(fault)}", fault.problem)
        lines += _deal_lines(deal)
    return "\n".join(lines) + "\n"


class _Field:
    """A node of the document with the name by which errors call it."""

    def __init__(self, node: yaml.Node, name: str) -> None:
        self.node, self.name = node, name

    @property
    def line(self) -> int:
        return int(self.node.start_mark.line) + 1

    def wrong(self, problem: str) -> RecordError:
        return RecordError(self.line, self.name, problem)

    def find(self, key: str) -> _Field | None:
        """The value of a key of this mapping; None if it is not there or empty."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.wrong("a mapping of keys to values is needed")
        name = key if self.name == "record" else f"{self.name}.{key}"
        for found, value in self.node.value:
            if found.value == key and value.tag != "tag:yaml.org,2002:null":
                return _Field(value, name)
        return None

    def get(self, key: str) -> _Field:
        """The value of a key of this mapping that must be there."""
        field = self.find(key)
        if field is None:
            raise RecordError(self.line, f"{self.name}.{key}".removeprefix("record."), "this key is missing or empty")
        return field

    def items(self, length: int | None = None) -> list[_Field]:
        """The items of this sequence."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.wrong("a list is needed")
        if length is not None and len(self.node.value) != length:
            raise self.wrong(f"a list of {length} is needed, not of {len(self.node.value)}")
        return [_Field(node, f"{self.name}[{i}]") for i, node in enumerate(self.node.value)]

    def text(self) -> str:
        if not isinstance(self.node, yaml.ScalarNode):
            raise self.wrong("a text or number is needed")
        return str(self.node.value)

    def number(self) -> int:
        """A whole number of at least 0, whether or not it stands in quotation marks."""
        text = self.text()
        if not re.fullmatch("[0-9]{1,9}", text):
            raise self.wrong(f"a whole number is needed, not {text!r}")
        return int(text)

    def card(self) -> int | None:
        text = self.text()
        if text not in _CARDS:
            raise self.wrong(f"{text!r} is no card of {DECKS['goita']}")
        return _CARDS[text]

    def hand(self) -> Hand:
        text = self.text()
        for glyph in text:
            if glyph not in _CARDS:
                raise self.wrong(f"{glyph!r} is no card of {DECKS['goita']}")
        return tuple(_CARDS[glyph] for glyph in text)


def _deal(field: _Field, counts: Sequence[int]) -> Deal:
    places = field.get("hand")
    # A record of two players has no p2 and no p3.
    players = 4 if places.find("p2") or places.find("p3") else 2
    hands = tuple(places.get(f"p{seat}").hand() for seat in range(players))
    dealer = field.get("uchidashi")
    first, second = (points.number() for points in field.get("score").items(2))
    plies, rows = _plies(field, dealer.number(), players)
    deal = Deal(hands, dealer.number(), plies, (first, second), field.line)
    fault = fault_of(deal, counts)
    if fault is None:
        return deal
    if fault.part == "ply":
        raise rows[fault.number].wrong(fault.problem)
    raise (places.get(f"p{fault.number}") if fault.part == "hand" else dealer).wrong(fault.problem)


def _plies(field: _Field, dealer: int, players: int) -> tuple[tuple[Ply, ...], list[_Field]]:
    """The plies of a deal with the passes between its rows, and the field that each of them comes from."""
    plies: list[Ply] = []
    origin: list[_Field] = []

    def add(ply: Ply, source: _Field) -> None:
        plies.append(ply)
        origin.append(source)

    for row in _rows(field, "calls"):
        seat, word = row.items(2)
        if word.text() not in CALLS:
            raise word.wrong(f"one of {', '.join(CALLS)} is needed, not {word.text()!r}")
        add(Ply(seat.number(), word=word.text(), line=row.line), row)
    last = -1
    for row in _rows(field, "game"):
        seat, lay, attack = row.items(3)
        player = seat.number()
        if player >= players:
            raise seat.wrong(f"seats are 0 to {players - 1}, not {player}")
        if last >= 0:
            for step in range((player - last - 1) % players):
                add(Ply((last + 1 + step) % players, word="pass", line=row.line), row)
        add(Ply(player, lay.card(), attack.card(), line=row.line), row)
        last = player
    passes = field.find("passes")
    if passes:
        if last < 0 or passes.number() >= players:
            raise passes.wrong(f"at most {players - 1} passes follow a play")
        for step in range(passes.number()):
            add(Ply((last + 1 + step) % players, word="pass", line=passes.line), passes)
    return tuple(plies), origin


def _rows(field: _Field, key: str) -> list[_Field]:
    rows = field.find(key)
    return rows.items() if rows else []


def _deal_lines(deal: Deal) -> Iterator[str]:
    yield " - hand:"
    for seat, hand in enumerate(deal.hands):
        yield f'     p{seat}: "{"".join(map(_glyph, hand))}"'
    first, second = deal.score or (0, 0)
    yield f"   uchidashi: {deal.dealer}"
    yield f"   score: [{first},{second}]"
    calls = [ply for ply in deal.plies if ply.word in CALLS]
    plays = [ply for ply in deal.plies if ply.word == "play"]
    if calls:
        yield "   calls:"
        yield from (f'    - ["{ply.seat}","{ply.word}"]' for ply in calls)
    yield "   game:" if plays else "   game: []"
    yield from (f'    - ["{ply.seat}","{_glyph(ply.lay)}","{_glyph(ply.attack)}"]' for ply in plays)
    passes = next((i for i, ply in enumerate(reversed(deal.plies)) if ply.word != "pass"), 0)
    if passes:
        yield f"   passes: {passes}"


def _name(fault: Fault) -> str:
    if fault.part == "dealer":
        return "uchidashi"
    return f"hand.p{fault.number}" if fault.part == "hand" else f"plies[{fault.number}]"


def _glyph(card: int | None) -> str:
    return DECKS["goita"][card - 1] if card else HIDDEN[0]


def _quoted(text: str) -> str:
    """A text in quotation marks, on one line, whatever is in it."""
    dumped: str = yaml.safe_dump(text, default_style='"', allow_unicode=True, width=float("inf"))
    return dumped.strip()
