"""A scene as an array of pixels, with Pillow, and without any display.

Stones and marks are computed from their distance fields, which gives smooth edges at any size, and are kept as small
sprites; so is the empty board. A frame is then mostly copies of what is kept.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from narabe.envs.drawing import palette
from narabe.envs.drawing.fonts import font, kanji_font, without_kanji
from narabe.envs.drawing.palette import Shape, channels
from narabe.envs.drawing.plan import Ground, Plan, Stamp, Text, plan
from narabe.envs.drawing.table_plan import table_plan
from narabe.envs.scene import Scene
from narabe.envs.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL import Image, ImageDraw

    Field = NDArray[np.float64]


def rgb(scene: Scene | Table, cell: int = 32) -> NDArray[np.uint8]:
    """Draw a scene as a fresh uint8 array of shape (height, width, 3); `cell` is the distance of cells in pixels.

    The shape depends on the board, on `cell` and on the number of lines of text, never on the position, so that the
    frames of a game make a film. Kanji are written in a font of the system's; where it has none, the cards of a table
    show letters instead, and other Japanese words question marks.

    >>> rgb(Scene(15, 15), cell=20).shape
    (340, 340, 3)
    """
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise ImportError("drawing pixels needs Pillow: pip install narabe[render]") from error
    if isinstance(scene, Table):
        layout: Plan[Ground] = table_plan(scene if kanji_font() else without_kanji(scene), cell)
    else:
        layout = plan(scene, cell)
    page = Image.new("RGB", (layout.width, layout.height), palette.PAPER)
    wood = _empty_board(layout.board)
    page.paste(wood, (layout.left, layout.top), wood)
    _stamp(page, layout.stamps, layout.board)
    _write(ImageDraw.Draw(page), layout.texts)
    return np.array(page)


@lru_cache(maxsize=8)
def _empty_board(board: Ground) -> Image.Image:
    """Ground, lines and labels, with the round corners transparent."""
    from PIL import Image, ImageDraw

    width, height = board.size
    fall = np.linspace(0.0, 1.0, height)[:, None, None]
    colours = board.colours
    pixels = np.array(channels(colours.top)) * (1 - fall) + np.array(channels(colours.bottom)) * fall
    pixels = np.broadcast_to(pixels, (height, width, 3))
    if colours.grain:
        steps = np.linspace(0.0, 1.0, len(palette.GRAIN_STOPS))
        grain = np.interp(np.linspace(0.0, 1.0, width), steps, palette.GRAIN_STOPS)[None, :, None]
        pixels = pixels * (1 - grain) + np.array(channels(colours.grain)) * grain
    y, x = np.mgrid[0:height, 0:width] + 0.5
    corner = 0.16 * board.cell
    depth = -_box_distance(x - width / 2, y - height / 2, width / 2, height / 2, corner)
    rim = 0.6 * np.clip(1.5 - depth, 0, 1)[:, :, None]
    pixels = pixels * (1 - rim) + np.array(channels(colours.edge)) * rim
    opacity = 255 * np.clip(depth + 0.5, 0, 1)
    image = Image.fromarray(np.dstack([pixels, opacity]).round().astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for line in board.lines():
        draw.line(line, fill=palette.LINE, width=max(1, round(board.cell / 36)))
    _stamp(image, tuple(board.stamps()), board)
    _write(draw, tuple(board.labels()))
    return image


def _stamp(image: Image.Image, stamps: tuple[Stamp, ...], board: Ground) -> None:
    for kind, x, y, opacity in stamps:
        colours, mask = _sprite(board.shapes(kind), board.cell, opacity)
        half = colours.width // 2
        image.paste(colours, (x - half, y - half), mask)


@lru_cache(maxsize=256)
def _sprite(shapes: tuple[Shape, ...], cell: int, opacity: float) -> tuple[Image.Image, Image.Image]:
    """Colours (RGB) and opacity (L) of shapes one over the other; their centre is the middle pixel of an odd square."""
    from PIL import Image

    half = math.ceil(0.6 * cell)
    y, x = np.mgrid[-half : half + 1, -half : half + 1] / cell
    colours, cover = np.zeros((*x.shape, 3)), np.zeros(x.shape)
    for shape in shapes:
        paint, over = _paint(shape, x - shape.shift, y - shape.shift, cell)
        total = over + cover * (1 - over)
        # "Over" of Porter and Duff, on colours that are not multiplied by their opacity.
        part = np.divide(over, total, out=np.zeros_like(over), where=total > 0)[:, :, None]
        colours, cover = paint * part + colours * (1 - part), total
    mask = (255 * opacity * cover).round().astype(np.uint8)
    return Image.fromarray(colours.round().astype(np.uint8)), Image.fromarray(mask)


def _paint(shape: Shape, x: Field, y: Field, cell: int) -> tuple[Field, Field]:
    """Colour (rows, columns, 3) and opacity (rows, columns) of a shape at points given in cells from its centre."""
    reach = np.hypot(x, y) / shape.radius
    colour = np.broadcast_to(np.array(channels(shape.colour), dtype=float), (*x.shape, 3))
    inside = np.clip(0.5 - _distance(shape, x, y) * cell, 0, 1) * shape.opacity
    if shape.form == "ball":
        light_x, light_y, length = palette.LIGHT
        along = np.hypot(x / shape.radius - light_x, y / shape.radius - light_y) / length
        stops = np.array([channels(shape.shine), channels(shape.colour), channels(shape.edge)], dtype=float)
        colour = np.stack([np.interp(along, palette.BALL_STOPS, stops[:, i]) for i in range(3)], axis=2)
    elif shape.form == "koma" and shape.shine:
        stops = np.array([channels(shape.shine), channels(shape.colour), channels(shape.edge)], dtype=float)
        colour = np.stack([np.interp(y / shape.radius, (-1, 0, 1), stops[:, i]) for i in range(3)], axis=2)
    elif shape.form == "glow":
        distances, opacities = zip(*palette.GLOW_STOPS, strict=True)
        inside = np.interp(reach, distances, opacities) * shape.opacity
    return colour, inside


def _distance(shape: Shape, x: Field, y: Field) -> Field:
    """Distance of points to the rim of a shape in cells, negative inside."""
    if shape.form == "square":
        return _box_distance(x, y, shape.radius, shape.radius, shape.line)
    if shape.form == "cross":
        # Along and across the nearer of the two strokes, which have round ends.
        along, across = np.maximum(abs(x + y), abs(x - y)), np.minimum(abs(x + y), abs(x - y))
        beyond = np.maximum(along - 2 * shape.radius, 0)
        distance: Field = np.hypot(beyond, across) / math.sqrt(2) - shape.line / 2
        return distance
    if shape.form == "diamond":
        return np.abs(abs(x) + abs(y) - shape.radius) / math.sqrt(2) - shape.line / 2
    if shape.form in palette.POLYGONS:
        corners = [(shape.radius * a, shape.radius * b) for a, b in palette.POLYGONS[shape.form]]
        from_edge = _polygon_distance(x, y, corners)
        return np.abs(from_edge) - shape.line / 2 if shape.form == "outline" else from_edge - shape.line
    from_rim: Field = np.hypot(x, y) - shape.radius
    return np.abs(from_rim) - shape.line / 2 if shape.form == "ring" else from_rim


def _box_distance(x: Field, y: Field, half_width: float, half_height: float, corner: float) -> Field:
    """Distance to a box about the origin whose corners are rounded with the radius `corner`."""
    over_x, over_y = abs(x) - half_width + corner, abs(y) - half_height + corner
    outside = np.hypot(np.maximum(over_x, 0), np.maximum(over_y, 0))
    distance: Field = outside + np.minimum(np.maximum(over_x, over_y), 0) - corner
    return distance


def _polygon_distance(x: Field, y: Field, corners: list[tuple[float, float]]) -> Field:
    """Distance to a convex polygon, negative inside; its corners go clockwise on the screen."""
    nearest, inside = np.full(x.shape, np.inf), np.ones(x.shape, dtype=bool)
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        ex, ey = bx - ax, by - ay
        along = np.clip(((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey), 0, 1)
        nearest = np.minimum(nearest, np.hypot(x - ax - along * ex, y - ay - along * ey))
        inside &= ex * (y - ay) - ey * (x - ax) >= 0
    return np.where(inside, -nearest, nearest)


def _write(draw: ImageDraw.ImageDraw, texts: tuple[Text, ...]) -> None:
    for text in texts:
        # A plan counts from the middle of the first pixel, Pillow from its corner. No font here has a bold face.
        where = (text.x + 0.5, text.baseline + 0.5)
        anchor = "ms" if text.anchor == "middle" else "ls"
        draw.text(where, text.text, fill=text.colour, font=font(text.text, text.size), anchor=anchor)
