"""What `narabe show` is told from outside: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tyro.conf import Positional


@dataclass
class ShowArgs:
    """Print what the folder of a run holds, and draw it: a tournament in one game or several, a training, or a study of
    openings (`narabe openings tree`, `narabe openings advantage`). The run may be unfinished, and may go on meanwhile."""

    folder: Positional[Path]
    """Folder of the run: what --out was to `narabe tournament` and `narabe openings`, and --run to `narabe train` and
    `narabe train-cards`."""

    out: Path | None = None
    """File of the picture, its kind by the ending (png, svg, pdf); show.png in the folder of the run unless given."""

    picture: bool = True
    """Draw; needs matplotlib (`pip install 'narabe[notebooks]'`)."""

    intervals: Literal["games", "pairs"] = "games"
    """What the intervals of a tournament take as independent, as for `narabe tournament`."""
