"""What `narabe prove` is told from outside."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class ProveArgs:
    """Who wins a line game on a small board with best play, proved, or check a proof that was saved.

    Boards of up to 6x6 mostly take seconds to minutes; on large boards only positions late in the game can be proved.
    Every proof is replayed by the rules alone before it is shown.
    Example: `narabe prove --game gomoku:width=6,height=5,row=4 --shortest`.
    """

    game: str = "gomoku:size=5,row=4"
    """Name of the game with its options; line games only."""

    moves: list[str] = field(default_factory=list)
    """The moves that lead to the position, such as C3 B2."""

    position: str | None = None
    """The position as text, from which the moves go on: what `State.to_text` writes."""

    shortest: bool = False
    """Also find how long the game takes if one side wins as fast and the other loses as late as it can."""

    mb: float = 256.0
    """Memory for the table of positions in MiB; more is quicker for what takes minutes."""

    seconds: float | None = None
    """Stop after so long and tell what is known by then."""

    save: str | None = None
    """File to write the proof to, as JSON, compressed if it ends in .gz. A draw has two, with each player's name put in."""

    check: str | None = None
    """Check the proof in this file instead; nothing else is looked at."""

    json: bool = False
    """Print one line of JSON instead of words."""
