"""Fonts for pixels: Pillow's own, and one with kanji if the system has it."""

from __future__ import annotations

import dataclasses
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from narabe.envs.table import DECKS, Table

if TYPE_CHECKING:
    from PIL import ImageFont

    Font = ImageFont.ImageFont | ImageFont.FreeTypeFont

KANJI_FONTS = (
    "NotoSerifCJK-Bold.ttc",
    "NotoSerifCJK-Regular.ttc",
    "NotoSansCJK-Bold.ttc",
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKjp-Regular.otf",
    "NotoSerifJP-Regular.otf",
    "NotoSansJP-Regular.otf",
    "ipaexm.ttf",
    "ipam.ttf",
    "ipaexg.ttf",
    "ipag.ttf",
    "TakaoMincho.ttf",
    "TakaoGothic.ttf",
    "VL-Gothic-Regular.ttf",
    "HiraMinProN-W6.otf",
    "ヒラギノ明朝 ProN.ttc",
    "ヒラギノ角ゴシック W6.ttc",
    "yumindb.ttf",
    "YuGothB.ttc",
    "msmincho.ttc",
    "msgothic.ttc",
    "meiryo.ttc",
    "DroidSansFallback.ttf",
)
"""Files that are tried in this order, wherever the system keeps its fonts."""
SAMPLE = "".join(DECKS.values())


@lru_cache(maxsize=1)
def kanji_font() -> str | None:
    """The first of `KANJI_FONTS` that this system has and that can write every deck; None if there is none."""
    return next((name for name in KANJI_FONTS if _can_write(name, SAMPLE)), None)


def _can_write(name: str, text: str) -> bool:
    from PIL import ImageFont

    try:
        found = ImageFont.truetype(name, 16)
    except OSError:
        return False
    # U+FFFF is no character, so that its picture is the box of a missing one.
    box = bytes(found.getmask("\uffff"))
    return all(bytes(found.getmask(character)) != box for character in text)


def font(text: str, size: float) -> Font:
    """The font to write a text in."""
    wide = any(unicodedata.east_asian_width(character) in "WF" for character in text)
    name = kanji_font() if wide else None
    return _load(name, size)


@lru_cache(maxsize=64)
def _load(name: str | None, size: float) -> Font:
    from PIL import ImageFont

    return ImageFont.load_default(size=size) if name is None else ImageFont.truetype(name, size)


def without_kanji(table: Table) -> Table:
    """The table with its cards, and cards named in its words, as letters; other wide characters become '?'.

    >>> from narabe.envs.table import Seat
    >>> found = without_kanji(Table([Seat("田中", notes=["5 市"]), Seat("Bob")], captions=["Bob: 市市"]))
    >>> found.deck, found.seats[0].name, found.seats[0].notes, found.captions
    ('letters', '??', ('5 S',), ('Bob: SS',))
    """
    written = str.maketrans(DECKS[table.deck], DECKS["letters"])

    def plain(text: str) -> str:
        readable = text.translate(written)
        return "".join("?" if unicodedata.east_asian_width(character) in "WF" else character for character in readable)

    seats = [
        dataclasses.replace(seat, name=plain(seat.name), notes=[plain(note) for note in seat.notes])
        for seat in table.seats
    ]
    return table.with_(
        seats=seats, deck="letters", title=plain(table.title), captions=[plain(line) for line in table.captions]
    )
