"""A scene as text for terminals, logs and tests; plain ASCII as long as the scene's own words are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from narabe.envs.drawing.palette import SIGNS, piece, sign
from narabe.envs.drawing.table_ansi import table_ansi
from narabe.envs.scene import Scene
from narabe.envs.table import Table

TALL = 10
"""Rows from which the column names stand above the board too."""

WOOD, INK, PALE, RED, GREEN = 137, 236, 231, 88, 22
HEAT_RAMP = (138, 96, 90, 53)
"""Backgrounds from little heat to much. These and the colours above are of the 256 of xterm."""


def ansi(scene: Scene | Table, color: bool = False) -> str:
    """Draw a scene, or a card table (`table_ansi`), as lines of text.

    `.` is empty, letters are pieces, `[X]` is the last move, `*X*` part of a winning row, `!` a point that may not be
    played. A number stands in its cell, after the letter of the piece if there is one. Signs are small letters: `w` win,
    `d` danger, `f` four, `t` three, `c` capture; one that may not be played keeps its `!` before it. Without numbers,
    heat shows on empty cells as digits, in tenths of its highest amount. `color` is for terminals of 256 colours: heat
    is then a background instead.

    >>> print(ansi(Scene(3, 3, cells=["black", "", "", "", "white", "", "", "", ""], last=[4], forbidden=[2])))
    3  . . .
    2  .[O].
    1  X . !
       A B C
    """
    if isinstance(scene, Table):
        return table_ansi(scene, color)
    heat = scene.relative_heat()
    tenths = {} if color or scene.numbers else {cell: min(int(10 * value), 9) for cell, value in heat.items()}
    texts = [_text(scene, cell, tenths) for cell in range(scene.width * scene.height)]
    cell_width = max(map(len, (*texts, *scene.column_labels)))
    label_width = max(map(len, scene.row_labels))
    names = " " * (label_width + 2) + " ".join(f"{name:^{cell_width}}" for name in scene.column_labels)

    lines = [scene.title] if scene.title else []
    if scene.height >= TALL:
        lines.append(names)
    for row in reversed(range(scene.height)):
        first = row * scene.width
        fields = [f"{text:^{cell_width}}" for text in texts[first : first + scene.width]]
        gaps = _gaps(scene, first)
        body = _coloured(scene, first, fields, gaps, heat) if color else _plain(fields, gaps)
        lines.append(f"{scene.row_labels[row]:>{label_width}} {''.join(body)}")
    lines.append(names)
    if scene.legend:
        lines.append(", ".join(f"{sign(name).glyph} {words}" for name, words in scene.legend.items()))
    lines += scene.captions
    if tenths:
        lines.append("digits: tenths of the highest heat")
    return "\n".join(line.rstrip() for line in lines)


def _text(scene: Scene, cell: int, tenths: Mapping[int, int]) -> str:
    """What stands in one cell, without padding."""
    number = scene.numbers.get(cell, "")
    mark = sign(scene.marks[cell]).glyph if cell in scene.marks else ""
    if scene.cells[cell]:
        return piece(scene.cells[cell]).glyph + number + mark
    if cell in scene.forbidden:
        return "!" + number + mark
    return mark + number or str(tenths.get(cell, 0) or ".")


def _gaps(scene: Scene, first: int) -> list[str]:
    """The character before each cell of the row that starts at cell `first`, and the one after the last."""
    gaps = [" "] * (scene.width + 1)
    for column in range(scene.width):
        if first + column in scene.winning:
            gaps[column] = gaps[column + 1] = "*"
    for column in range(scene.width):
        if first + column in scene.last:
            # Two last moves side by side share a gap.
            gaps[column] = "|" if gaps[column] == "]" else "["
            gaps[column + 1] = "]"
    return gaps


def _plain(fields: list[str], gaps: list[str]) -> Iterator[str]:
    for gap, field in zip(gaps, fields, strict=False):
        yield gap + field
    yield gaps[-1]


def _coloured(scene: Scene, first: int, fields: list[str], gaps: list[str], heat: Mapping[int, float]) -> Iterator[str]:
    for cell, (gap, field) in enumerate(zip(gaps, fields, strict=False), start=first):
        ground = _ground(heat[cell]) if cell in heat else WOOD
        if scene.cells[cell]:
            ink = piece(scene.cells[cell]).code
        elif ground in HEAT_RAMP[1:]:
            ink = PALE
        elif cell in scene.marks:
            ink = SIGNS[scene.marks[cell]].code
        else:
            ink = RED if cell in scene.forbidden else INK
        yield _gap(gap) + _paint(field, ink, ground)
    yield _gap(gaps[-1])


def _ground(amount: float) -> int:
    return HEAT_RAMP[min(int(amount * len(HEAT_RAMP)), len(HEAT_RAMP) - 1)]


def _gap(mark: str) -> str:
    return _paint(mark, GREEN if mark == "*" else RED, WOOD)


def _paint(text: str, ink: int, ground: int) -> str:
    return f"\x1b[1;38;5;{ink};48;5;{ground}m{text}\x1b[0m"
