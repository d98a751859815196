"""A scene as a standalone SVG document, for notebooks, web pages and papers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from narabe.envs.drawing import palette
from narabe.envs.drawing.palette import Shape
from narabe.envs.drawing.plan import Ground, Plan, Stamp, Text, plan
from narabe.envs.drawing.table_plan import table_plan
from narabe.envs.scene import Scene
from narabe.envs.table import Table

FONTS = "system-ui,'Segoe UI','Helvetica Neue','Noto Sans','DejaVu Sans',Arial,sans-serif"
CARD_FONTS = "'Noto Serif CJK JP','Hiragino Mincho ProN','Yu Mincho','MS Mincho','IPAMincho','Songti SC',Georgia,serif"
_ID = "@"
"""Stands for the prefix of all ids until the whole document is known; escaped out of every text."""


def svg(scene: Scene | Table, cell: int = 32) -> str:
    """Draw a scene or a card table; `cell` is the distance between neighbouring cells in pixels.

    The same scene gives the same text. Every id starts with a digest of the document, so that several pictures may
    stand in one page.

    >>> svg(Scene(3, 3, cells=["black"] + [""] * 8))[:36]
    '<svg xmlns="http://www.w3.org/2000/s'
    """
    layout: Plan[Ground] = table_plan(scene, cell) if isinstance(scene, Table) else plan(scene, cell)
    size = f'width="{layout.width}" height="{layout.height}"'
    name = _escape(scene.title or _plain_name(scene))
    parts = [
        # Whole numbers are the middles of pixels, as in a plan, so that thin lines are sharp.
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.5 -.5 {layout.width} {layout.height}" {size} '
        f'role="img" aria-labelledby="{_ID}title" font-family="{FONTS}">',
        f'<title id="{_ID}title">{name}</title>',
        f"<desc>{_escape('; '.join(scene.captions))}</desc>" if scene.captions else "",
        f"<defs>{''.join(_definitions(layout))}</defs>",
        f'<rect x="-.5" y="-.5" {size} rx="{cell * 0.2:g}" fill="{palette.PAPER}"/>',
        f'<g transform="translate({layout.left} {layout.top})">{"".join(_board(layout.board))}</g>',
        *_uses(layout.stamps),
        *_words(layout.texts),
        "</svg>",
    ]
    document = "\n".join(part for part in parts if part)
    digest = hashlib.blake2s(document.encode(), digest_size=4).hexdigest()
    return document.replace(_ID, f"n{digest}-")


def _plain_name(scene: Scene | Table) -> str:
    if isinstance(scene, Table):
        return f"Card table of {len(scene.seats)}"
    return f"Board of {scene.width} by {scene.height}"


def _escape(text: str) -> str:
    """Text safe inside an element: markup escaped, characters that XML forbids left out."""
    text = re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), (_ID, f"&#{ord(_ID)};")):
        text = text.replace(character, entity)
    return text


def _definitions(layout: Plan[Ground]) -> Iterator[str]:
    """Gradients and one group for each kind of stamp that the picture uses."""
    colours = layout.board.colours
    yield (
        f'<linearGradient id="{_ID}wood" x2="0" y2="1"><stop stop-color="{colours.top}"/>'
        f'<stop offset="1" stop-color="{colours.bottom}"/></linearGradient>'
    )
    if colours.grain:
        yield f'<linearGradient id="{_ID}grain">{"".join(_grain(colours.grain))}</linearGradient>'
    for kind in sorted({stamp.kind for stamp in (*layout.board.stamps(), *layout.stamps)}):
        members = []
        for number, shape in enumerate(layout.board.shapes(kind)):
            gradient = f"{_ID}{kind}{number}"
            yield _gradient(shape, gradient)
            members.append(_shape(shape, layout.board.cell, gradient))
        yield f'<g id="{_ID}{kind}">{"".join(members)}</g>'


def _grain(colour: str) -> Iterator[str]:
    last = len(palette.GRAIN_STOPS) - 1
    for number, opacity in enumerate(palette.GRAIN_STOPS):
        yield f'<stop offset="{number / last:.3g}" stop-color="{colour}" stop-opacity="{opacity:g}"/>'


def _gradient(shape: Shape, name: str) -> str:
    if shape.form == "ball":
        x, y, reach = palette.LIGHT
        colours = zip(palette.BALL_STOPS, (shape.shine, shape.colour, shape.edge), strict=True)
        stops = "".join(f'<stop offset="{offset:g}" stop-color="{colour}"/>' for offset, colour in colours)
        # Of the shape's own box, which is two radii wide.
        where = f'cx="{0.5 + x / 2:g}" cy="{0.5 + y / 2:g}" r="{reach / 2:g}"'
        return f'<radialGradient id="{name}" {where}>{stops}</radialGradient>'
    if shape.form == "koma" and shape.shine:
        stops = f'<stop stop-color="{shape.shine}"/><stop offset=".5" stop-color="{shape.colour}"/>'
        stops += f'<stop offset="1" stop-color="{shape.edge}"/>'
        return f'<linearGradient id="{name}" x2="0" y2="1">{stops}</linearGradient>'
    if shape.form == "glow":
        stops = "".join(
            f'<stop offset="{offset:g}" stop-color="{shape.colour}" stop-opacity="{opacity * shape.opacity:g}"/>'
            for offset, opacity in palette.GLOW_STOPS
        )
        return f'<radialGradient id="{name}">{stops}</radialGradient>'
    return ""


def _shape(shape: Shape, cell: int, gradient: str) -> str:
    """One shape about the origin, in pixels."""
    radius, line = shape.radius * cell, shape.line * cell
    solid = f'fill="{shape.colour}"' + (f' opacity="{shape.opacity:g}"' if shape.opacity < 1 else "")
    stroke = f'fill="none" stroke="{shape.colour}" stroke-width="{line:.4g}"'
    stroke += f' opacity="{shape.opacity:g}"' if shape.opacity < 1 else ""
    if shape.form == "square":
        side = f'x="{-radius:.4g}" y="{-radius:.4g}" width="{2 * radius:.4g}" height="{2 * radius:.4g}"'
        return f'<rect {side} rx="{line:.4g}" {solid}/>'
    if shape.form == "cross":
        r = f"{radius:.4g}"
        return f'<path d="M-{r}-{r}L{r} {r}M-{r} {r}L{r}-{r}" stroke-linecap="round" {stroke}/>'
    if shape.form == "diamond":
        r = f"{radius:.4g}"
        return f'<path d="M0-{r}L{r} 0L0 {r}L-{r} 0Z" stroke-linejoin="round" {stroke}/>'
    if shape.form in palette.POLYGONS:
        off = shape.shift * cell
        corners = (f"{x * radius + off:.4g} {y * radius + off:.4g}" for x, y in palette.POLYGONS[shape.form])
        path = f'<path d="M{"L".join(corners)}Z" stroke-linejoin="round"'
        if shape.form == "outline":
            return f"{path} {stroke}/>"
        # A stroke of its own colour rounds the corners.
        fill = f"url(#{gradient})" if shape.shine else shape.colour
        faint = f' opacity="{shape.opacity:g}"' if shape.opacity < 1 else ""
        return f'{path} fill="{fill}" stroke="{fill}" stroke-width="{2 * line:.4g}"{faint}/>'
    paint = {"disc": solid, "ring": stroke}.get(shape.form, f'fill="url(#{gradient})"')
    shift = f'cx="{shape.shift * cell:.4g}" cy="{shape.shift * cell:.4g}" ' if shape.shift else ""
    return f'<circle {shift}r="{radius:.4g}" {paint}/>'


def _board(board: Ground) -> Iterator[str]:
    width, height = board.size
    frame = f'width="{width}" height="{height}" rx="{board.cell * 0.16:.3g}"'
    yield f'<rect {frame} fill="url(#{_ID}wood)"/>'
    grain = f"url(#{_ID}grain)" if board.colours.grain else "none"
    yield f'<rect {frame} fill="{grain}" stroke="{board.colours.edge}" stroke-opacity=".6"/>'
    path = "".join(f"M{x1} {y1}H{x2}" if y1 == y2 else f"M{x1} {y1}V{y2}" for x1, y1, x2, y2 in board.lines())
    if path:
        thickness = max(1.0, board.cell / 36)
        yield f'<path d="{path}" stroke="{palette.LINE}" stroke-width="{thickness:.3g}" stroke-linecap="square"/>'
    yield from _uses(board.stamps())
    yield from _words(board.labels())


def _uses(stamps: Iterable[Stamp]) -> Iterator[str]:
    for kind, x, y, opacity in stamps:
        faint = f' opacity="{opacity:g}"' if opacity < 1 else ""
        yield f'<use href="#{_ID}{kind}" x="{x}" y="{y}"{faint}/>'


def _words(texts: Iterable[Text]) -> Iterator[str]:
    """Texts, with what neighbours share written once in a group."""
    looks = groupby(texts, key=lambda t: (t.size, t.colour, t.anchor, t.bold, t.card))
    for (size, colour, anchor, bold, card), group in looks:
        family = f' font-family="{CARD_FONTS}"' if card else ""
        middle = ' text-anchor="middle"' if anchor == "middle" else ""
        weight = ' font-weight="600"' if bold else ""
        lines = "".join(f'<text x="{t.x:g}" y="{t.baseline:.4g}">{_escape(t.text)}</text>' for t in group)
        yield f'<g font-size="{size:g}" fill="{colour}"{middle}{weight}{family}>{lines}</g>'
