"""What `narabe suite` is told from outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class SuiteArgs:
    """Score agents on tactics: positions with proven answers, by category, with 95 % intervals.

    Categories: vcf and vct (win by fours, by threats, before the opponent does), vcf_long and vct_long (long wins), block_four
    and block_three (answer a four, a threat of fours), capture_win and capture_block (the same in capture Gomoku), stacking
    (endings of block stacking), gomocku (the last turns, with exact chances), goita (endings that the seat to move can win
    whatever the others hold). An agent is asked only where it can play.
    """

    agents: list[str] = field(default_factory=lambda: ["random", "greedy"])
    """Agents to score, as in a tournament."""

    only: list[str] = field(default_factory=list)
    """Categories, all unless given."""

    positions: int | None = None
    """So many of each category at most."""

    sims: int | None = None
    """Simulations for each position, for all agents; without --sims and --ms each thinks for as long as its options say."""

    ms: float | None = None
    """Milliseconds for each position, for all agents. The usual budgets are 100 and 1000."""

    seed: int = 0
    """The number from which the agents' random choices follow."""

    out: Path | None = None
    """File for the answers, a line of JSON each; those that are there are not asked for again."""
