"""How the pieces and marks of a card table look; lengths in the height of a piece."""

from __future__ import annotations

from functools import cache

from narabe.envs.drawing.palette import ACCENT, Ground, Shape

CLOTH = Ground("#33705a", "#235343", "#163a2e")
"""The table."""
ON_CLOTH = "#f3eedd"
"""Words on the table."""
PAIRS = ("#f2b544", "#8cc6f0")
"""Colours of the pair of seats 0 and 2, and of the other; or of the two players."""
WRITING = "#1d1712"
WRITING_DOWN = "#5f3b1b"
"""What is written on pieces that lie face up, and face down."""

RADIUS = 0.46
"""Half the height of a piece, up to its rim."""
_ROUND = 0.035


@cache
def table_shapes(kind: str) -> tuple[Shape, ...]:
    """The shapes of a piece ('up', 'down', 'back'), a free place or a mark, lowest first.

    >>> [shape.form for shape in table_shapes("last")]
    ['outline']
    """
    return {
        "up": _piece("#f3d9a0", "#fbeac4", "#e2bd7a", "#8d6630"),
        "down": _piece("#b98d57", "#c79d69", "#a67a45", "#5a3c1a"),
        "back": (*_piece("#94683a", "#a87a49", "#7f5629", "#4a3014"), *_WEAVE),
        "place": (Shape("outline", RADIUS - 0.03, "#ffffff", line=0.02, opacity=0.16),),
        "last": (Shape("outline", RADIUS + 0.03, ACCENT, line=0.065),),
        "shown": (Shape("outline", RADIUS + 0.03, PAIRS[0], line=0.06),),
        "pair0": (Shape("disc", 0.13, PAIRS[0]),),
        "pair1": (Shape("disc", 0.13, PAIRS[1]),),
        "turn": (Shape("glow", 0.38, "#fff6d8", opacity=0.55), Shape("ring", 0.22, "#fff6d8", line=0.06)),
    }[kind]


_WEAVE = (
    Shape("outline", RADIUS - 0.13, "#d8b27c", line=0.022, opacity=0.55),
    Shape("diamond", 0.1, "#d8b27c", 0.025, 0.6),
)


def _piece(colour: str, shine: str, edge: str, rim: str) -> tuple[Shape, ...]:
    body = RADIUS - _ROUND
    return (
        Shape("koma", body + 0.02, "#04140e", line=_ROUND, opacity=0.18, shift=0.055),
        Shape("koma", body, "#04140e", line=_ROUND, opacity=0.32, shift=0.03),
        Shape("koma", body, colour, line=_ROUND, shine=shine, edge=edge),
        Shape("outline", body + _ROUND - 0.012, rim, line=0.024, opacity=0.75),
    )
