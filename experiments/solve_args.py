"""What `narabe solve` is told from outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import tyro

USUAL_GAME = "connect_four"


@dataclass
class SolveArgs:
    """Solve positions exactly: every answer is certain, and every win has been checked against all replies by the rules.

    Block stacking on a bounded board, such as Connect Four, has the method `scores`: the score of every column, 0 for a draw,
    k for a win with k - 1 own stones to spare, -k for such a loss; they are shown as they are found. On a board of 7x6,
    positions of 8 stones and more take about a second a column, fewer stones take minutes.

    Line games (gomoku, freestyle, omok, renju, capture_gomoku) have `vcf`, victory by continuous fours, in which every move of
    the attacker threatens to win at once, and `vct`, in which it makes a four, a three, or parries a four. The line that is
    shown is attack, reply, attack, ..., the winning move, and its length in plies; its last reply stands for any move, as
    nothing parries the attack before it. "No VCF" means that there is none; with a budget the answer may be "unknown".
    Ctrl-C shows how many are solved by then.

    Example: `narabe solve --moves 444444222265`, or `narabe solve problems.jsonl --game renju --method vcf --seconds 5`.
    """

    file: tyro.conf.Positional[Path | None] = None
    """A file of positions for vcf or vct, one a line, - for the standard input: what `State.to_text` writes, or JSON such as
    {"moves": "h8h9g8"} or {"black": ["H8", "G8"], "white": ["H9"], "side": "white"}; also with "id", "game" (or "rule"),
    "size", "attacker", and "kind" for the method. {"stones": "h8h9"} lays black and white stones in turn."""

    game: str | None = None
    """Name of the game, connect_four unless given; options may follow, as in connect_four:width=6,height=5,cylinder=true. Not
    needed for a file whose lines name theirs."""

    method: Literal["scores", "vcf", "vct"] | None = None
    """What to solve; unless given, scores for block stacking, and for line games what the file's "kind" says, else vcf."""

    moves: list[str] = field(default_factory=list)
    """The moves that lead to the position: columns from 1, as in 44445 or 4 4 10 4, or points, as in h8h9g8 or H8 H9 G8."""

    position: str | None = None
    """The position as text, from which the moves go on: what `State.to_text` writes."""

    weak: bool = False
    """Scores: only tell wins, draws and losses apart, which is quicker."""

    seat: Annotated[str | None, tyro.conf.arg(aliases=["--side"])] = None
    """Vcf, vct: the attacker, black or white; the side to move unless given. For the other side the question is what it could
    do if this one passed."""

    threats: Literal["threes", "all"] = "threes"
    """Vct: the attacker's quiet moves. Threes: those that make a three by its shape. All: every move after which he would win
    by fours if it were his turn again, which finds more and takes longer."""

    nodes: int | None = None
    """Vcf, vct: at most so many nodes for a position; no bound unless given."""

    seconds: float | None = None
    """Vcf, vct: at most so long for a position; no bound unless given."""

    proofs: Path | None = None
    """Vcf, vct: write the proof of each win into this folder, as JSON named by the position's id or line."""

    board: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Vcf, vct: draw each position, with the line as numbered stones."""

    mb: float = 64.0
    """Memory for the transposition table in MiB; more is quicker for positions that take minutes."""

    json: bool = False
    """Print JSON instead of text: one line, or for vcf and vct one a position and a last one with the totals."""
