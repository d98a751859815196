"""Where everything on a card table goes, in pixels from the top left corner.

From the edge of the table to its middle lie each player's hand, then the cards laid face down or as guards, then the
attacks. All pieces stand upright for the reader: plays go from left to right, at the sides from top to bottom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from narabe.envs.drawing import palette
from narabe.envs.drawing.plan import Plan, Stamp, Text, paragraph, text_width
from narabe.envs.drawing.table_palette import (
    CLOTH,
    ON_CLOTH,
    PAIRS,
    WRITING,
    WRITING_DOWN,
    table_shapes,
)
from narabe.envs.table import Table

PIECE = 1.35
"""Height of a piece in cells of a board."""
ACROSS, DOWN = 0.86, 1.06
"""From one piece to the next beside it and below it. These and all lengths below are in heights of a piece."""
MIDDLE = 1.3
"""From the centre of the table to the attacks of the players at the top and bottom."""
NAME_ROOM = 0.62
"""Between the first cards and the hand of those players, for their names."""
ASIDE = 0.3
"""Between the plays of neighbours, and between the plays and the hand of a player at a side."""
MARGIN = 0.35
BOLD = 1.16
"""About how much wider bold letters are."""
DOT = 0.42
"""Room for the dot of a pair before a name."""

Spot = tuple[float, float]


@dataclass(frozen=True)
class Cloth:
    """The empty table of 2 or 4 players."""

    seats: int
    slots: int
    """Plays that a hand is enough for."""
    cell: int
    """Height of a piece in pixels."""

    @property
    def colours(self) -> palette.Ground:
        return CLOTH

    def shapes(self, kind: str) -> tuple[palette.Shape, ...]:
        return table_shapes(kind)

    @property
    def reach(self) -> Spot:
        """From the centre of the table to the middle of the hands at the side and at the bottom."""
        side = self.slots * ACROSS / 2 + 2 * ASIDE + 2.5 * ACROSS
        return side, MIDDLE + 2 * DOWN + NAME_ROOM

    @property
    def size(self) -> tuple[int, int]:
        side, bottom = self.reach
        width, height = self.slots * ACROSS + MARGIN, bottom + 0.5 + MARGIN
        if self.seats == 4:
            width, height = side + 0.5 * ACROSS + MARGIN, max(height, self.slots * DOWN + MARGIN)
        return round(2 * width * self.cell), round(2 * height * self.cell)

    def at(self, spot: Spot) -> tuple[int, int]:
        """A spot, given from the centre of the table, in pixels from its corner."""
        width, height = self.size
        return round(width / 2 + spot[0] * self.cell), round(height / 2 + spot[1] * self.cell)

    def play(self, seat: int, number: int, attack: bool) -> Spot:
        """Where a card of a seat's play lies."""
        step, row = number - (self.slots - 1) / 2, 1 - attack
        side, bottom, far = self._side(seat)
        if side:
            return side * (self.slots * ACROSS / 2 + ASIDE + (0.5 + row) * ACROSS), step * DOWN
        return step * ACROSS, (bottom - far) * (MIDDLE + row * DOWN)

    def hand(self, seat: int, number: int, cards: int) -> Spot:
        """Where a card lies in a hand of so many."""
        step = number - (cards - 1) / 2
        side, bottom, far = self._side(seat)
        if side:
            return side * self.reach[0], step * DOWN
        return step * ACROSS, (bottom - far) * self.reach[1]

    def name(self, seat: int) -> Spot:
        """The middle of a player's name."""
        side, bottom, far = self._side(seat)
        if side:
            return side * (self.slots * ACROSS / 2 + ASIDE + ACROSS), -self.slots * DOWN / 2 - 0.38
        return 0.0, (bottom - far) * (MIDDLE + 1.5 * DOWN + NAME_ROOM / 2)

    def _side(self, seat: int) -> tuple[int, int, int]:
        """(1 at the right and -1 at the left, 1 at the bottom, 1 at the top), 0 elsewhere."""
        if self.seats == 2:
            return 0, 1 - seat, seat
        return (0, 1, 0, -1)[seat], seat == 0, seat == 2

    def lines(self) -> tuple[tuple[int, int, int, int], ...]:
        return ()

    def stamps(self) -> Iterator[Stamp]:
        """A free place for every card that may be played."""
        for seat in range(self.seats):
            for number in range(self.slots):
                for attack in (False, True):
                    yield Stamp("place", *self.at(self.play(seat, number, attack)))

    def labels(self) -> tuple[Text, ...]:
        return ()


def table_plan(table: Table, cell: int) -> Plan[Cloth]:
    """Lay out a table; pieces are `PIECE` times `cell` pixels high."""
    if cell < 4:
        raise ValueError(f"a cell of {cell} pixels is too small to draw; the least is 4")
    cloth = Cloth(len(table.seats), table.slots, round(PIECE * cell))
    edge = round(0.3 * cell)
    width = cloth.size[0] + 2 * edge
    room = cloth.size[0]
    titles = [table.title] if table.title else []
    heading, top = paragraph(titles, room, edge, edge, 0.5 * cell, palette.INK, bold=True)
    top += round(0.1 * cell) * bool(heading)
    below = top + cloth.size[1] + round(0.25 * cell) * bool(table.captions)
    words, bottom = paragraph(table.captions, room, edge, below, 0.4 * cell, palette.SOFT_INK)
    painter = _Painter(cloth, edge, top)
    for seat in range(len(table.seats)):
        painter.seat(table, seat)
    painter.scores(table.scores)
    texts = (*heading, *words, *painter.texts)
    return Plan(width, bottom + edge, cloth, edge, top, tuple(painter.stamps), texts)


class _Painter:
    """Collects the stamps and texts of a table, in pixels of the page."""

    def __init__(self, cloth: Cloth, left: int, top: int) -> None:
        self.cloth, self.left, self.top = cloth, left, top
        self.stamps: list[Stamp] = []
        self.texts: list[Text] = []

    def stamp(self, kind: str, spot: Spot) -> None:
        x, y = self.cloth.at(spot)
        self.stamps.append(Stamp(kind, self.left + x, self.top + y))

    def seat(self, table: Table, seat: int) -> None:
        place = table.seats[seat]
        for number, play in enumerate(place.plays):
            spot = self.cloth.play(seat, number, False)
            self.card(table, play.first, spot, "down" if play.down else "up")
            spot = self.cloth.play(seat, number, True)
            self.card(table, play.second, spot, "up")
            if seat == table.last and number == len(place.plays) - 1:
                self.stamp("last", spot)
        shown = place.shown
        for number, card in reversed(tuple(enumerate(place.hand))):
            spot = self.cloth.hand(seat, number, len(place.hand))
            self.card(table, card, spot, "up")
            if card in (8, 9) and shown:
                self.stamp("shown", spot)
                shown -= 1
        self.name(table, seat)

    def card(self, table: Table, card: int | None, spot: Spot, kind: str) -> None:
        if card is None:
            self.stamp("back", spot)
            return
        self.stamp(kind, spot)
        colour = WRITING_DOWN if kind == "down" else WRITING
        # The body of a piece lies below its middle, as its tip is narrow.
        x, y = self.cloth.at((spot[0], spot[1] + 0.06))
        pixels = round(0.5 * self.cloth.cell, 1)
        self.texts.append(Text(table.glyph(card), self.left + x, self.top + y, pixels, colour, bold=True, card=True))

    def name(self, table: Table, seat: int) -> None:
        """The name after the colour of the pair, with all that is to be said of the player."""
        place = table.seats[seat]
        notes = ["dealer"] * (seat == table.dealer) + list(place.notes)
        if len(table.seats) == 4 and seat % 2:
            lines, room = [place.name, " · ".join(notes)], 2 * ACROSS + 1.5 * ASIDE
        else:
            lines, room = [" · ".join([place.name, *notes])], self.cloth.slots * 2 * ACROSS
        x, y = self.cloth.name(seat)
        lines = [line for line in lines if line]
        for number, line in enumerate(lines):
            self.marked(seat % 2, line, (x, y - 0.4 * (len(lines) - 1 - number)), 0.32, ON_CLOTH, room, not number)
        if seat == table.to_play:
            dot = next(stamp for stamp in reversed(self.stamps) if stamp.kind == f"pair{seat % 2}")
            self.stamps.append(dot._replace(kind="turn"))
            self.stamps.append(dot)

    def marked(self, pair: int, text: str, spot: Spot, size: float, colour: str, room: float, dot: bool = True) -> None:
        """Words about a spot, behind the dot of a pair, made smaller and then cut where they are too long."""
        widest = (room - DOT) / BOLD
        size = max(min(size, widest / max(text_width(text), 0.1)), 0.7 * size)
        while len(text) > 1 and text_width(text) * size > widest:
            text = text.rstrip("…")[:-1] + "…"
        start = spot[0] - (DOT * dot + BOLD * text_width(text) * size) / 2
        if dot:
            self.stamp(f"pair{pair}", (start + 0.13, spot[1]))
        x, y = self.cloth.at((start + DOT * dot, spot[1]))
        pixels = round(size * self.cloth.cell, 1)
        self.texts.append(Text(text, self.left + x, self.top + y, pixels, colour, "start", bold=True))

    def scores(self, scores: Sequence[int]) -> None:
        """Both scores in the middle of the table, each beside the colour of its pair."""
        for pair, points in enumerate(scores):
            self.marked(pair, str(points), ((pair - 0.5) * 1.8, 0.0), 0.5, PAIRS[pair], 1.8)
