"""What `narabe odds` is told from outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tyro.conf import Positional

SECTIONS = ("backs", "piles", "moments", "games")
Section = Literal["backs", "piles", "moments", "games"]


@dataclass
class OddsArgs:
    """Gomocku's odds: what a turned piece will show, and what follows from it. Without a word: backs, piles and moments.

    `backs`: the exact chance that a back shows the turner's colour, by what has been seen, by how many are turned at once, and
    by what lies in the Chance pile (the source's "about one half" and "one fifth").

    `piles`: can it matter how the piles are laid out? Every deal of small games is counted, piles laid out in every way.

    `moments`: to turn now or to wait? Positions that teach something, every move solved to the end; or your own by --position.

    `games`: how often games end in which phase, and which side is favoured, when an agent plays itself; with 95 % intervals.
    Each game begins with random plies of its own. Games are kept in the folder --runs, and the same command goes on.

    Example: `narabe odds`, `narabe odds moments --position "5/..."`, or `narabe odds games --games 200 --out plots`.
    """

    sections: Positional[list[Section]] = field(default_factory=list)
    """What to show: backs, piles, moments, games."""

    out: Path | None = None
    """Write plots (PNG) and all numbers (odds.json) into this folder; plots need matplotlib."""

    game: str = "gomocku"
    """The game; options may follow, as in gomocku:coloured=10,chance=4."""

    position: list[str] = field(default_factory=list)
    """Moments: positions as text, what `State.to_text` writes, in place of the stored ones; in quotes."""

    seconds: float = 60.0
    """Moments: at most so long for a position. Three plies before the end take about a second, five may take minutes."""

    moves: int = 5
    """Moments: so many of the best moves are shown, beside the best that turns and the best that does not."""

    sample: int = 0
    """Moments: also count, over late positions of so many random games on 9x9, how often turning is better than waiting."""

    agents: list[str] = field(default_factory=lambda: ["two_phases"])
    """Games: each of these plays itself."""

    games: int = 100
    """Games: so many for each agent; even."""

    opening_plies: int = 2
    """Games: random plies at the start of each game, another start for each."""

    seed: int = 0
    """Games: the number from which openings and chance follow."""

    workers: int = 1
    """Games: processes that play; the games do not depend on it. 0 plays in this process."""

    runs: Path = Path("runs/odds")
    """Games: the folder in which games are kept, a folder for each agent."""
