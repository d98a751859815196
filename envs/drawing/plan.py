"""Where everything in a picture goes, in pixels from the top left corner: what SVG and pixels have in common.

A plan is a board (wood, lines, labels), a list of stamps (stones and marks, lowest first) and a list of texts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

from narabe.envs.drawing import palette
from narabe.envs.drawing.palette import HEAT, INK, LABEL, SOFT_INK, WELL, WOOD, blend, legible, piece
from narabe.envs.scene import Scene

HEAT_OPACITY = (0.06, 0.86)
"""Opacity of the faintest and of the highest heat; between them it grows in proportion."""


class Stamp(NamedTuple):
    """A piece or mark of the palette with its centre at (x, y)."""

    kind: str
    x: int
    y: int
    opacity: float = 1.0


class Text(NamedTuple):
    """Words about (x, y): y is the middle of capital letters; the baseline lies 0.35 of `size` below it."""

    text: str
    x: float
    y: float
    size: float
    colour: str
    anchor: Literal["start", "middle"] = "middle"
    bold: bool = False
    card: bool = False
    """Whether it is what is written on a card."""

    @property
    def baseline(self) -> float:
        return self.y + 0.35 * self.size


class Ground(Protocol):
    """What lies under the pieces: an empty board or table; all that it depends on, so that renderers may keep it."""

    @property
    def cell(self) -> int:
        """The unit of all shapes in pixels."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""

    @property
    def colours(self) -> palette.Ground:
        """What it is made of."""

    def lines(self) -> Iterable[tuple[int, int, int, int]]:
        """Ends (x1, y1, x2, y2) of lines on it."""

    def stamps(self) -> Iterable[Stamp]:
        """Shapes on it."""

    def labels(self) -> Iterable[Text]:
        """Words on it."""

    def shapes(self, kind: str) -> tuple[palette.Shape, ...]:
        """The shapes of a kind of stamp, lowest first."""

    def __hash__(self) -> int: ...


G = TypeVar("G", bound=Ground, covariant=True)


@dataclass(frozen=True)
class Board:
    """The empty board of a grid game."""

    columns: int
    rows: int
    style: Literal["points", "squares"]
    column_labels: tuple[str, ...]
    row_labels: tuple[str, ...]
    cell: int
    """Distance between neighbouring cells in pixels."""

    @property
    def colours(self) -> palette.Ground:
        return palette.WOODEN

    def shapes(self, kind: str) -> tuple[palette.Shape, ...]:
        return palette.shapes(kind, self.style)

    @property
    def margin(self) -> int:
        """From the edge of the wood to the centre of the nearest cell."""
        return round(self.cell * (1.22 if self.style == "points" else 1.16))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the wood."""
        return 2 * self.margin + (self.columns - 1) * self.cell, 2 * self.margin + (self.rows - 1) * self.cell

    def centre(self, cell: int) -> tuple[int, int]:
        """Centre of a cell, from the top left corner of the wood."""
        row, column = divmod(cell, self.columns)
        return self.margin + column * self.cell, self.margin + (self.rows - 1 - row) * self.cell

    def lines(self) -> Iterator[tuple[int, int, int, int]]:
        """Ends (x1, y1, x2, y2) of the grid lines; a board of squares has wells instead."""
        if self.style == "squares":
            return
        (left, top), (right, bottom) = self.centre((self.rows - 1) * self.columns), self.centre(self.columns - 1)
        for x in range(left, right + 1, self.cell):
            yield x, top, x, bottom
        for y in range(top, bottom + 1, self.cell):
            yield left, y, right, y

    def stamps(self) -> Iterator[Stamp]:
        """Star points, or the wells of a board of squares."""
        if self.style == "squares":
            kind, cells = "well", tuple(range(self.columns * self.rows))
        else:
            kind, cells = "star", star_points(self.columns, self.rows)
        for cell in cells:
            yield Stamp(kind, *self.centre(cell))

    def labels(self) -> Iterator[Text]:
        """Coordinates on all four sides."""
        width, height = self.size
        gap, size = 0.36 * self.cell, 0.36 * self.cell
        for column, label in enumerate(self.column_labels):
            x = self.centre(column)[0]
            for y in (gap, height - gap):
                yield Text(label, x, y, size, LABEL)
        for row, label in enumerate(self.row_labels):
            y = self.centre(row * self.columns)[1]
            for x_side in (gap, width - gap):
                yield Text(label, x_side, y, size, LABEL)


@dataclass(frozen=True)
class Plan(Generic[G]):
    """A whole picture. Its size never depends on which stones and marks are on the board."""

    width: int
    height: int
    board: G
    left: int
    top: int
    """Top left corner of the board."""
    stamps: tuple[Stamp, ...]
    texts: tuple[Text, ...]


def star_points(columns: int, rows: int) -> tuple[int, ...]:
    """Cells with a star point by custom: nine on 19 x 19, five on 15 x 15 and 13 x 13, else the centre if there is one.

    >>> star_points(9, 9), star_points(8, 8), star_points(9, 7)
    ((40,), (), ())
    """
    if columns != rows:
        return ()
    near, middle, far = 3, columns // 2, columns - 4
    if columns == 19:
        spots = [(row, column) for row in (near, middle, far) for column in (near, middle, far)]
    elif columns in (13, 15):
        spots = [(near, near), (near, far), (middle, middle), (far, near), (far, far)]
    else:
        spots = [(middle, middle)] if columns % 2 else []
    return tuple(row * columns + column for row, column in spots)


def plan(scene: Scene, cell: int) -> Plan[Board]:
    """Lay out a scene with `cell` pixels from one cell to the next."""
    if cell < 4:
        raise ValueError(f"a cell of {cell} pixels is too small to draw; the least is 4")
    board = Board(scene.width, scene.height, scene.style, tuple(scene.column_labels), tuple(scene.row_labels), cell)
    edge = round(0.3 * cell)
    # A tiny board is set in the middle of a wider page, so that captions have room.
    width = max(board.size[0] + 2 * edge, 8 * cell)
    left = (width - board.size[0]) // 2
    room = width - 2 * edge
    heading, top = paragraph([scene.title] if scene.title else [], room, edge, edge, 0.5 * cell, INK, bold=True)
    top += round(0.1 * cell) * bool(heading)
    below = top + board.size[1] + round(0.25 * cell) * bool(scene.captions or scene.legend)
    signs, meanings, below = _legend(scene.legend, room, edge, below, cell)
    words, bottom = paragraph(scene.captions, room, edge, below, 0.4 * cell, SOFT_INK)
    return Plan(
        width=width,
        height=bottom + edge,
        board=board,
        left=left,
        top=top,
        stamps=(*_stamps(scene, board, left, top), *signs),
        texts=(*heading, *meanings, *words, *_numbers(scene, board, left, top)),
    )


def _stamps(scene: Scene, board: Board, left: int, top: int) -> Iterator[Stamp]:
    def at(kind: str, cell: int, opacity: float = 1.0) -> Stamp:
        x, y = board.centre(cell)
        return Stamp(kind, left + x, top + y, opacity)

    if scene.style == "points":
        # A number on a crossing is hard to read, so the lines are rubbed out under it.
        yield from (at("patch", cell) for cell in sorted(scene.numbers) if not scene.cells[cell])
    for cell, amount in sorted(scene.relative_heat().items()):
        yield at("heat", cell, _heat_opacity(amount))
    for row in reversed(range(scene.height)):
        # From the top left: a stone then covers the shadow of the one before it.
        for cell in range(row * scene.width, (row + 1) * scene.width):
            if scene.cells[cell]:
                piece(scene.cells[cell])
                yield at(scene.cells[cell], cell)
    yield from (at("winning", cell) for cell in scene.winning)
    yield from (at("last", cell) for cell in scene.last)
    for cell, name in sorted(scene.marks.items()):
        palette.sign(name)
        yield at(name, cell)
    yield from (at("forbidden", cell) for cell in scene.forbidden)


def _numbers(scene: Scene, board: Board, left: int, top: int) -> Iterator[Text]:
    heat = scene.relative_heat()
    ground = WOOD if scene.style == "points" else WELL
    for cell, text in sorted(scene.numbers.items()):
        x, y = board.centre(cell)
        if scene.cells[cell]:
            colour = piece(scene.cells[cell]).number
        else:
            colour = legible(blend(ground, HEAT, _heat_opacity(heat[cell]) if cell in heat else 0.0))
        size = board.cell * min(0.42, 0.68 / max(text_width(text), 0.5))
        yield Text(text, left + x, top + y, round(size, 1), colour)


def _legend(
    legend: Mapping[str, str], room: int, left: int, top: int, cell: int
) -> tuple[list[Stamp], list[Text], int]:
    """Signs with their meanings from `top` down, as many in a line as there is room for; also where the last line ends."""
    size, step, before = 0.4 * cell, round(0.72 * cell), round(0.85 * cell)
    signs: list[Stamp] = []
    meanings: list[Text] = []
    x, y = left, top + step // 2
    for name, words in legend.items():
        palette.sign(name)
        width = round(before + size * text_width(words))
        if x > left and x + width > left + room:
            x, y = left, y + step
        signs.append(Stamp(name, x + round(0.38 * cell), y))
        meanings.append(Text(words, x + before, y, size, SOFT_INK, "start"))
        x += width + round(0.5 * cell)
    return signs, meanings, y + step - step // 2 if legend else top


def _heat_opacity(amount: float) -> float:
    low, high = HEAT_OPACITY
    return round(low + (high - low) * amount, 2)


def paragraph(
    texts: Sequence[str], room: int, left: int, top: int, size: float, colour: str, bold: bool = False
) -> tuple[list[Text], int]:
    """Texts from `top` down, each broken where it is wider than `room`; also where the last one ends."""
    step = round(1.45 * size)
    lines = [line for text in texts for line in wrap(text, room / size)]
    placed = [Text(line, left, top + (i + 0.5) * step, size, colour, "start", bold) for i, line in enumerate(lines)]
    return placed, top + step * len(lines)


def wrap(text: str, width: float) -> list[str]:
    """Break a text into lines of at most `width` em, between words where it can; an empty text is one empty line.

    >>> wrap("pairs: Black 2, White 1", 8)
    ['pairs: Black 2,', 'White 1']
    """
    lines, line = [], ""
    for word in text.split():
        if line and text_width(f"{line} {word}") > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
        while text_width(line) > width and len(line) > 1:
            fits = next(n for n in range(len(line) - 1, 0, -1) if n == 1 or text_width(line[:n]) <= width)
            lines.append(line[:fits])
            line = line[fits:]
    return [*lines, line]


def text_width(text: str) -> float:
    """About how wide a text is in em in a common sans serif; no font is at hand when an SVG is written.

    >>> round(text_width("12"), 2), text_width("黒")
    (1.14, 1.0)
    """
    return sum(_glyph_width(character) for character in text)


def _glyph_width(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in " .,:;!|'()[]ijlftrI":
        return 0.33
    return 0.68 if character.isupper() else 0.57
