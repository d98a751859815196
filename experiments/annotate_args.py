"""What `narabe annotate` is told from outside."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro


@dataclass
class AnnotateArgs:
    """Mark the mistakes in a record of Goita: what each ply was worth with open hands, and what could have been had.

    ? gave points away, ?? made a loss of a win. Values are points of the deal for the pair that moves, if all play on
    without a mistake and see all cards: a ply may be marked that nobody could have known to be wrong. Ctrl-C shows what
    is solved by then. Example: `narabe annotate 11244556,12234569,11123378,11113457,s3,371,411,115,2p,3p,4p,145`.
    """

    record: tyro.conf.Positional[str]
    """A file of history lines, or the YAML record of a viewer; - for the standard input; or such a text itself."""

    game: str = "goita"
    """Whose rules; options may follow, as in goita:specials=off. Viewers count as goita_hozonkai does, in tens."""

    all: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Show every ply, not mistakes only."""

    from_ply: int = 1
    """Leave out the plies of each deal before this one; the first ones take longest, some of them many seconds."""

    seconds: float | None = None
    """At most so long for a ply; what is not solved by then is shown as such."""

    mb: float = 64.0
    """Memory for the transposition table in MiB."""

    json: Path | None = None
    """Write all plies to this file, with the value of every action (seats from 0)."""
