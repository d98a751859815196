"""A card table as text; plain ASCII with the deck of letters, as long as the table's own words are."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from narabe.envs.table import Play, Seat, Table

CARD, COVERED, BACK, INK, RED, GREEN = 223, 180, 137, 16, 160, 28
"""Of the 256 colours of xterm: grounds of cards face up, face down but known, and unknown; inks."""
GAP = 4
"""Columns between what lies in front of the players at the sides and the middle of the table."""


class Word(NamedTuple):
    """Some text with the columns that it takes and, for terminals, its colours (0: the terminal's own)."""

    text: str
    ink: int = 0
    ground: int = 0

    @property
    def width(self) -> int:
        return columns(self.text)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: kanji and kana take two.

    >>> columns("市 O")
    4
    """
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def table_ansi(table: Table, color: bool = False) -> str:
    """Draw a table as lines of text.

    From its edge to the middle lie each player's hand, the cards laid face down or as guards, and the attacks. Plays go
    from left to right, and from top to bottom at the sides. `(X)` lies face down, `#` is a back, `[X]` the last
    attack, `<X>` a king that everybody has been shown, `.` a free place; `>` is to play, `*` the dealer.

    >>> from narabe.envs.table import Play, Seat, Table
    >>> ann = Seat("Ann", [1, 8], [Play(1, 4, down=True)])
    >>> bob = Seat("Bob", [None, None], [Play(4, 6)])
    >>> print(table_ansi(Table([ann, bob], deck="letters", dealer=0, to_play=0, last=1)))
      Bob
     #  #
     I  .
    [A] .
    <BLANKLINE>
     I  .
    (S) .
     S  O
    > Ann*
    """
    lines = _round(table) if len(table.seats) == 4 else _across(table)
    words = [[Word(table.title)]] if table.title else []
    words += lines + [[Word(caption)] for caption in table.captions]
    return "\n".join(_line(line, color) for line in words)


def _across(table: Table) -> list[list[Word]]:
    """Two players face each other."""
    near, far = _front(table, 0), _front(table, 1)
    score = _scores(table, 80)
    return [[_name(table, 1)], *far, *([word] for word in score or [Word("")]), *reversed(near), [_name(table, 0)]]


def _round(table: Table) -> list[list[Word]]:
    """Four players, the ones at the sides with their hands in two columns."""
    left, right = _side(table, 3), _side(table, 1)
    middle = max(_width(line) for seat in (0, 2) for line in _front(table, seat)[1:]) + 2 * GAP
    edge = _width(left[0])
    whole = 2 * edge + middle
    lines = [_centred([_name(table, 2)], whole), *(_centred(line, whole) for line in _front(table, 2))]
    score = _scores(table, middle - 1)
    first = (len(left) - len(score) + 1) // 2
    for number in range(len(left)):
        words = [score[number - first]] if 0 <= number - first < len(score) else []
        # The sides are mirror images, but any hand is read from left to right.
        hand, plays = right[number][:2], right[number][2:]
        lines.append([*left[number], *_centred(words, middle, fill=True), *reversed(plays), *hand])
    names = [_fit(_name(table, 3), edge), Word(" " * middle), _name(table, 1)]
    return [
        *lines[:4],
        names,
        *lines[4:],
        *(_centred(line, whole) for line in reversed(_front(table, 0))),
        _centred([_name(table, 0)], whole),
    ]


def _front(table: Table, seat: int) -> list[list[Word]]:
    """Hand, first cards and attacks of a player at the top, as lines from the edge to the middle."""
    place = table.seats[seat]
    firsts, attacks = _plays(table, seat)
    return [_hand(table, place) or [Word("")], firsts, attacks]


def _side(table: Table, seat: int) -> list[list[Word]]:
    """Hand in two columns, first cards and attacks of a player at the left, line by line from the top."""
    place, blank = table.seats[seat], Word(" " * (_glyph_width(table) + 2))
    hand = _hand(table, place)
    hand += [blank] * (2 * table.slots - len(hand))
    firsts, attacks = _plays(table, seat)
    return [[*hand[2 * i : 2 * i + 2], firsts[i], attacks[i]] for i in range(table.slots)]


def _hand(table: Table, place: Seat) -> list[Word]:
    shown, words = place.shown, []
    for card in reversed(place.hand):
        public = card in (8, 9) and shown > 0
        shown -= public
        words.append(_card(table, card, "<>" if public else "  "))
    return words[::-1]


def _plays(table: Table, seat: int) -> tuple[list[Word], list[Word]]:
    plays = table.seats[seat].plays
    free = [Word(f" {'.' * _glyph_width(table)} ")] * (table.slots - len(plays))
    newest = len(plays) - 1 if seat == table.last else -1
    firsts = [_first(table, play) for play in plays]
    attacks = [_card(table, play.second, "[]" if i == newest else "  ") for i, play in enumerate(plays)]
    return firsts + free, attacks + free


def _first(table: Table, play: Play) -> Word:
    return _card(table, play.first, "()" if play.down else "  ", COVERED if play.down else CARD)


def _card(table: Table, card: int | None, frame: str, ground: int = CARD) -> Word:
    text = "#" * _glyph_width(table) if card is None else table.glyph(card)
    ink = {"[]": RED, "<>": GREEN}.get(frame, INK)
    return Word(f"{frame[0]}{text}{frame[1]}", ink, BACK if card is None else ground)


def _glyph_width(table: Table) -> int:
    return columns(table.glyph(1))


def _name(table: Table, seat: int) -> Word:
    place = table.seats[seat]
    notes = f" ({', '.join(place.notes)})" if place.notes else ""
    mark = "> " if seat == table.to_play else "  "
    return Word(f"{mark}{place.name}{'*' * (seat == table.dealer)}{notes}")


def _scores(table: Table, room: int) -> list[Word]:
    """A line for each pair or player, with names if there is room for them; at the least both scores in one line."""
    if not table.scores:
        return []
    half = len(table.seats) // 2
    names = [" & ".join(place.name for place in table.seats[pair::2][:half]) for pair in (0, 1)]
    lines = [f"{name}: {points}" for name, points in zip(names, table.scores, strict=True)]
    if max(map(columns, lines)) <= room:
        return [Word(line) for line in lines]
    return [Word(" : ".join(map(str, table.scores)))]


def _width(words: Sequence[Word]) -> int:
    return sum(word.width for word in words)


def _centred(words: Sequence[Word], width: int, fill: bool = False) -> list[Word]:
    room = max(width - _width(words), 0)
    after = [Word(" " * (room - room // 2))] if fill else []
    return [Word(" " * (room // 2)), *words, *after]


def _fit(word: Word, width: int) -> Word:
    """The word padded to a width."""
    return word._replace(text=word.text + " " * (width - word.width))


def _line(words: Sequence[Word], color: bool) -> str:
    last = max((i for i, word in enumerate(words) if word.text.strip()), default=-1)
    kept = words[: last + 1]
    if not color:
        return "".join(word.text for word in kept).rstrip()
    return "".join(_paint(word) if word.ground else word.text for word in kept)


def _paint(word: Word) -> str:
    return f"\x1b[1;38;5;{word.ink};48;5;{word.ground}m{word.text}\x1b[0m"
