"""What `narabe solve` is told from outside."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class SolveArgs:
    """Exact scores of a position of block stacking on a bounded board, such as Connect Four: one for each column.

    A score is 0 for a draw, k for a win with k - 1 own stones to spare, -k for such a loss; they are shown as they are
    found. On a board of 7x6, positions of 8 stones and more take about a second a column, fewer stones take minutes.
    Example: `narabe solve --game connect_four --moves 444444222265`.
    """

    game: str = "connect_four"
    """Name of the game; options may follow, as in connect_four:width=6,height=5,cylinder=true."""

    moves: list[str] = field(default_factory=list)
    """The moves that lead to the position: columns from 1, as in 44445 or 4 4 10 4."""

    position: str | None = None
    """The position as text, from which the moves go on: what `State.to_text` writes."""

    weak: bool = False
    """Only tell wins, draws and losses apart, which is quicker."""

    mb: float = 64.0
    """Memory for the transposition table in MiB; more is quicker for positions that take minutes."""

    json: bool = False
    """Print one line of JSON instead of the table."""
