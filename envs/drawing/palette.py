"""How pieces and marks look: the one table of pieces, and the colours and shapes that SVG and pixels share.

Colours are '#rrggbb'. Lengths are in units of one cell, so that a shape fits any size of picture.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple


class Piece(NamedTuple):
    """The looks of one kind of piece."""

    glyph: str
    """One ASCII character for boards in text."""
    code: int
    """Colour of the glyph in a terminal, of the 256 of xterm."""
    fill: str
    shine: str
    """Colour where the light falls."""
    edge: str
    """Colour of the rim, away from the light."""
    number: str
    """Colour of text on the piece."""
    mark: str = ""
    """Colour of an outlined diamond on the piece; '' for none."""


PIECES: dict[str, Piece] = {
    "black": Piece("X", 16, fill="#26272b", shine="#74777f", edge="#060607", number="#ffffff"),
    "white": Piece("O", 231, fill="#f1eee7", shine="#ffffff", edge="#a9a396", number="#1c1b19"),
    "red": Piece("R", 88, fill="#c5302b", shine="#f2897c", edge="#7a1512", number="#ffffff"),
    "yellow": Piece("Y", 226, fill="#f5c52c", shine="#fff0ae", edge="#a67803", number="#2b2103"),
    "black_turned": Piece("x", 16, fill="#26272b", shine="#74777f", edge="#060607", number="#ffffff", mark="#d8b25c"),
    "white_turned": Piece("o", 231, fill="#f1eee7", shine="#ffffff", edge="#a9a396", number="#1c1b19", mark="#8a6a1f"),
}


def piece(name: str) -> Piece:
    """The looks of the piece called `name`; ValueError if the table has no such row.

    >>> piece("black").glyph
    'X'
    """
    if name not in PIECES:
        raise ValueError(f"no piece is called {name!r}; there are {', '.join(PIECES)}")
    return PIECES[name]


class Sign(NamedTuple):
    """How a sign of `Scene.marks` looks in text; its shapes are in `shapes`."""

    glyph: str
    code: int


SIGNS: dict[str, Sign] = {
    "win": Sign("w", 22),
    "danger": Sign("d", 88),
    "four": Sign("f", 18),
    "three": Sign("t", 54),
    "capture": Sign("c", 16),
}


def sign(name: str) -> Sign:
    """The looks of a sign; ValueError if there is none of that name.

    >>> sign("four").glyph
    'f'
    """
    if name not in SIGNS:
        raise ValueError(f"no sign is called {name!r}; there are {', '.join(SIGNS)}")
    return SIGNS[name]


PAPER = "#fbf8f1"
INK = "#2c2620"
SOFT_INK = "#5d5347"
WOOD_TOP = "#efcf97"
WOOD_BOTTOM = "#dfb578"
WOOD = "#e7c288"
WOOD_EDGE = "#a97f45"
GRAIN = "#8a5a22"
LINE = "#62492a"
LABEL = "#6a4d29"
WELL = "#f8e9cb"
WELL_EDGE = "#b98d51"
HEAT = "#5f1a86"
ACCENT = "#e5432d"
WINNING = "#18a06b"
SIGN_RIM = "#fffaf0"
SIGN_WIN = "#00664a"
SIGN_DANGER = "#c22a12"
SIGN_FOUR = "#0b4a9c"
SIGN_THREE = "#7a2a94"
SIGN_CAPTURE = "#2c2620"
"""The signs differ in shape and in lightness as well as in hue, for readers who see few colours."""

GRAIN_STOPS = (0.0, 0.11, 0.05, 0.0, 0.09, 0.02, 0.07, 0.0, 0.04, 0.12, 0.03, 0.0, 0.08, 0.01, 0.06, 0.0)
"""Opacity of the grain at even steps from the left edge of the wood to the right."""


class Ground(NamedTuple):
    """The colours of a board or table, from its top to its bottom."""

    top: str
    bottom: str
    edge: str
    grain: str = ""
    """Colour of the grain, laid on by `GRAIN_STOPS`; '' for none."""


WOODEN = Ground(WOOD_TOP, WOOD_BOTTOM, WOOD_EDGE, GRAIN)

Form = Literal["disc", "ball", "glow", "ring", "cross", "diamond", "square", "koma", "outline", "pentagon", "triangle"]


class Shape(NamedTuple):
    """One stroke or filled area about the centre of a cell; lengths in cells."""

    form: Form
    radius: float
    """Half the width of the whole shape, to the middle of its stroke if it has one."""
    colour: str
    line: float = 0.0
    """Width of the stroke of a ring, cross, diamond or outline; radius of the corners of a filled form with corners."""
    opacity: float = 1.0
    shift: float = 0.0
    """Offset to the right and down."""
    shine: str = ""
    edge: str = ""
    """Colours at the lit spot and at the rim of a ball, or at the top and the foot of a koma; `colour` lies between."""


LIGHT = (-0.3, -0.38, 1.5)
"""Lit spot of a ball (x, y) and reach of its gradient, in radii of the ball."""
BALL_STOPS = (0.0, 0.45, 1.0)
"""Where shine, colour and edge lie along that gradient."""
KOMA = ((0.0, -1.0), (0.62, -0.7), (0.78, 1.0), (-0.78, 1.0), (-0.62, -0.7))
"""Corners (right, down) of a koma, the five-sided piece of shogi, and of an outline, in its radii; clockwise."""
PENTAGON = ((0.0, -1.0), (0.951, -0.309), (0.588, 0.809), (-0.588, 0.809), (-0.951, -0.309))
TRIANGLE = ((0.0, -1.0), (0.866, 0.5), (-0.866, 0.5))
POLYGONS = {"koma": KOMA, "outline": KOMA, "pentagon": PENTAGON, "triangle": TRIANGLE}
"""The corners of each form that is drawn by them."""
GLOW_STOPS = ((0.0, 1.0), (0.62, 0.9), (1.0, 0.0))
"""(distance from the centre, opacity) of a glow."""

_STONE = {"points": 0.465, "squares": 0.405}


@cache
def shapes(kind: str, style: str) -> tuple[Shape, ...]:
    """The shapes, lowest first, of a mark ('star', 'last', …) or a piece ('black', …) on a board of this style.

    >>> [shape.form for shape in shapes("last", "points")]
    ['ring']
    """
    radius = _STONE[style]
    marks = {
        "well": (Shape("square", 0.455, WELL_EDGE, line=0.11), Shape("square", 0.43, WELL, line=0.09)),
        "star": (Shape("disc", 0.085, LINE),),
        "patch": (Shape("glow", 0.44, WOOD),),
        "heat": (Shape("square", 0.46, HEAT, line=0.12),),
        "winning": (Shape("ring", radius + 0.01, WINNING, line=0.09),),
        "last": (Shape("ring", radius * 0.83, ACCENT, line=0.075),),
        "forbidden": (Shape("cross", 0.18, ACCENT, line=0.1),),
        "win": (Shape("pentagon", 0.25, SIGN_RIM, line=0.05), Shape("pentagon", 0.23, SIGN_WIN, line=0.02)),
        "danger": (Shape("ring", 0.3, SIGN_RIM, line=0.17), Shape("ring", 0.3, SIGN_DANGER, line=0.11)),
        "four": (Shape("square", 0.22, SIGN_RIM, line=0.04), Shape("square", 0.18, SIGN_FOUR, line=0.02)),
        "three": (Shape("triangle", 0.25, SIGN_RIM, line=0.05), Shape("triangle", 0.22, SIGN_THREE, line=0.01)),
        "capture": (Shape("diamond", 0.2, SIGN_RIM, line=0.14), Shape("diamond", 0.2, SIGN_CAPTURE, line=0.07)),
    }
    return marks[kind] if kind in marks else _stone(piece(kind), radius)


def _stone(looks: Piece, radius: float) -> tuple[Shape, ...]:
    body = (
        Shape("glow", radius * 1.14, "#3a2408", opacity=0.5, shift=0.045),
        Shape("ball", radius, looks.fill, shine=looks.shine, edge=looks.edge),
        Shape("ring", radius - 0.01, looks.edge, line=0.02, opacity=0.7),
    )
    return body + ((Shape("diamond", radius * 0.8, looks.mark, line=0.05),) if looks.mark else ())


def channels(colour: str) -> tuple[int, int, int]:
    """'#rrggbb' as three numbers from 0 to 255.

    >>> channels("#ff8000")
    (255, 128, 0)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def blend(under: str, over: str, opacity: float) -> str:
    """The colour seen when `over` is laid on `under` with an opacity from 0 to 1.

    >>> blend("#000000", "#ffffff", 0.5)
    '#808080'
    """
    mixed = (round(u + (o - u) * opacity) for u, o in zip(channels(under), channels(over), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def legible(ground: str) -> str:
    """Dark or white ink, whichever stands out more on `ground` by the contrast ratio of WCAG 2.

    >>> legible("#ffffff") == INK, legible("#000000")
    (True, '#ffffff')
    """
    light, here, dark = luminance("#ffffff"), luminance(ground), luminance(INK)
    return "#ffffff" if (light + 0.05) / (here + 0.05) > (here + 0.05) / (dark + 0.05) else INK


def luminance(colour: str) -> float:
    """Relative luminance from 0 (black) to 1 (white), as WCAG 2 defines it.

    >>> round(luminance("#ffffff"), 3)
    1.0
    """
    linear = []
    for value in channels(colour):
        part = value / 255
        linear.append(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
