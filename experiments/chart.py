"""A picture of ratings: one line for each agent, a dot at its rating and a bar over its interval, as plain SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

from narabe.experiments.standings import Row

_ROW, _TOP, _BOTTOM, _PLOT = 34, 64, 58, 460
_LETTER = 8  # width of a letter of the labels, about
_STYLE = (
    "<style>text{font:13px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}"
    ".small{font-size:12px}.title{font-size:16px;font-weight:600}.bold{font-weight:600}</style>"
)
_INK, _SOFT, _GRID, _BAR, _DOT, _PAPER = "#22303c", "#6b7a86", "#e3e8ec", "#9cc3d5", "#1f6f8b", "#ffffff"

_CENTRED = f'text-anchor="middle" class="small" fill="{_SOFT}"'


def ratings_svg(rows: Sequence[Row], title: str) -> str:
    """The picture as text; equal rows give equal text."""
    left = 40 + round(_LETTER * max(len(row.agent) for row in rows))
    width, height = left + _PLOT + 132, _TOP + _ROW * len(rows) + _BOTTOM
    ticks = _ticks(min(row.elo - row.margin for row in rows), max(row.elo + row.margin for row in rows))

    def x(elo: float) -> float:
        return round(left + _PLOT * (elo - ticks[0]) / (ticks[-1] - ticks[0]), 1)

    bottom = _TOP + _ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        _STYLE,
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="10" fill="{_PAPER}"/>',
        f'<text x="24" y="34" class="title" fill="{_INK}">{escape(title)}</text>',
    ]
    for number in range(0, len(rows), 2):
        parts.append(
            f'<rect x="12" y="{_TOP + _ROW * number}" width="{width - 24}" height="{_ROW}" rx="6" fill="#f6f8f9"/>'
        )
    for tick in ticks:
        colour = _SOFT if tick == 0 else _GRID
        parts.append(f'<path d="M{x(tick)} {_TOP - 6}V{bottom + 6}" stroke="{colour}" stroke-width="1"/>')
        parts.append(f'<text x="{x(tick)}" y="{bottom + 24}" {_CENTRED}>{_signed(tick)}</text>')
    for number, row in enumerate(rows):
        parts += _line(row, _TOP + _ROW * number + _ROW / 2, left, width, x)
    legend = "Elo, mean of all agents = 0; bars are 95 % intervals"
    parts.append(f'<text x="{left + _PLOT / 2:g}" y="{bottom + 44}" {_CENTRED}>{legend}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _line(row: Row, y: float, left: int, width: int, x: Callable[[float], float]) -> list[str]:
    low, high = x(row.elo - row.margin), x(row.elo + row.margin)
    elo, margin = _signed(round(row.elo)), round(row.margin)
    return [
        f'<text x="{left - 20}" y="{y + 4.5:g}" text-anchor="end" fill="{_INK}">{escape(row.agent)}</text>',
        f'<path d="M{low} {y:g}H{high}" stroke="{_BAR}" stroke-width="6" stroke-linecap="round"/>',
        f'<circle cx="{x(row.elo)}" cy="{y:g}" r="6" fill="{_DOT}" stroke="{_PAPER}" stroke-width="2"/>',
        f'<text x="{width - 24}" y="{y + 4.5:g}" text-anchor="end" fill="{_SOFT}">',
        f'<tspan class="bold" fill="{_INK}">{elo}</tspan> ± {margin}</text>',
    ]


def _signed(number: int) -> str:
    """A number with its sign, the minus as wide as the plus."""
    return f"{number:+d}".replace("-", "\u2212") if number else "0"


def _ticks(low: float, high: float) -> list[int]:
    """Round numbers of Elo at equal distances, five to ten of them, that reach over low and high and hold 0."""
    low, high = min(low, 0.0), max(high, 1.0)
    scale = 10 ** math.floor(math.log10(high - low))
    steps = [max(1, round(scale * part)) for part in (0.1, 0.2, 0.5, 1.0, 2.0)]
    step = next(step for step in steps if (high - low) / step <= 8)
    return [step * number for number in range(math.floor(low / step), math.ceil(high / step) + 1)]
