"""What `narabe openings` is told from outside: plain data, so that a command line can show it without loading any game."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from tyro.conf import FlagCreatePairsOff, OmitArgPrefixes, subcommand


@dataclass
class BalanceArgs:
    """Make a book of openings in which neither side is ahead, for `narabe tournament --book`.

    Positions are drawn at random, no two alike up to symmetry, and put to an agent; those that it thinks about even are
    kept. One in which the side to move has a proven win (by the agent's search, by continuous fours or threats) never is.
    Searches favour the one or the other side to move, so the agent is asked before and after the move that it would make
    itself, and the value is the middle of both (of their log odds). A judge must tell positions apart: random playouts
    (uct) call every quiet position even.

    A book is JSON, a position a line: moves (all from the start), value (of the first player, from -1 to 1), and where it comes
    from: game, agent, window, version, seed, command. `narabe solve BOOK --method vct` reads it too. What was judged is kept
    in BOOK.judged until the book is whole: after Ctrl-C the same command goes on.

    Example: `narabe openings balance --game gomoku --agent alphabeta:ms=500 --out book.jsonl`.
    """

    game: str = "gomoku"
    """Name of the game; options may follow, as in omok:size=15."""

    agent: str = "alphabeta"
    """Who judges: the strongest agent there is that tells a value, such as alphabeta:ms=500 or net:sims=800."""

    out: Path = Path("book.jsonl")
    """File of the book; one that is there is left alone."""

    count: int = 50
    """Openings in the book. A tournament needs half as many as it has games for each pair of agents."""

    plies: int = 4
    """Plies of an opening."""

    near: int = 3
    """On boards of cells: draw moves at most so many rows and columns from the centre, where there are any. 0: anywhere."""

    window: float = 0.25
    """Keep positions whose value for the first player is at most so far from 0, on either side; 1 is a certain win. A value
    of 0.25 is an expected score of 62.5 %."""

    threat_nodes: int = 20_000
    """In line games, nodes for the search for a win of the side to move by continuous fours and threats; 0: none."""

    most: int | None = None
    """Give up after so many positions; 200 for each opening unless given."""

    seed: int = 0
    """The number from which all positions follow. An agent with a budget of time may judge them differently each time."""

    workers: int = 1
    """Processes that judge; the book does not depend on it."""


@dataclass
class SelfPlayArgs:
    """What the studies of openings share: games that an agent plays against itself."""

    random_plies: int = 0
    """Random plies after the first moves that are studied, for agents that would else play the same game each time. What
    is said then is said of games with such plies."""

    near: int = 3
    """On boards of cells: draw them at most so many rows and columns from the centre, where there are any. 0: anywhere."""

    seed: int = 0
    """The number from which all games follow."""

    workers: int = 1
    """Processes that play; the games do not depend on it."""

    deadline: float = 60.0
    """Seconds for one move; an agent that takes longer loses the game."""


@dataclass
class TreeArgs(SelfPlayArgs):
    """The tree of first moves up to symmetry: games of an agent against itself from each of them, and where they led.

    For each move: games, score of the side that made it with its 95 % interval, and the value that the agent's search gives
    the position after it. The replies are those that were played, most visited first. In the folder: games.sqlite, tree.json,
    first_moves.svg (a heat map). Stop it at any time; the same command goes on, and one with more --games adds to them.

    Example: `narabe openings tree --game omok:size=9 --agent uct:sims=2000,vcf=true --games 20 --out runs/tree`.
    """

    game: str = "gomoku:size=9"
    """Name of the game; options may follow, as in omok:size=15."""

    agent: str = "uct:sims=1000"
    """Who plays both sides, such as uct:sims=2000,vcf=true or net:file=runs/g9/player.safetensors,sims=100,temperature=0.5."""

    games: int = 10
    """Games from each first move."""

    depth: int = 2
    """Plies of the tree: 1 shows the first moves, 2 also the replies that were played to them."""

    width: int = 5
    """Most replies shown of a position; tree.json has all of them."""

    after: list[str] = field(default_factory=list)
    """Moves that lead to the position whose tree it is, such as J10; the start unless given."""

    moves: list[str] = field(default_factory=list)
    """Only these first moves, such as E5 E6; all up to symmetry if none is given."""

    values: bool = True
    """Ask the agent for the value of each first move: the middle of two searches, with the one and the other side to move.
    None is shown where they see a win for different sides."""

    out: Path = Path("runs/tree")
    """Folder for the games and what comes of them."""

    png: Annotated[bool, FlagCreatePairsOff] = False
    """Write the heat map as first_moves.png too (needs `pip install 'narabe[render]'`)."""


@dataclass
class AdvantageArgs(SelfPlayArgs):
    """How much the first player is ahead, by variant, board size and agent: games of agents against themselves.

    The score of the first player with its 95 % interval, and the difference to the first game of the list, for the same agent.
    So options of a rule are compared: the same agents with the rule on and off. What is found holds for these agents; ones
    that play the same game each time need --random-plies. In the folder: a run for each game and agent, and advantage.json.

    Example: `narabe openings advantage --game omok:size=9 omok:size=9,double_three=false --agents uct:sims=1000,vcf=true`.
    """

    game: list[str] = field(default_factory=lambda: ["gomoku:size=9", "omok:size=9"])
    """Games with their options, such as gomoku:size=9 gomoku:size=11; of two sides."""

    agents: list[str] = field(default_factory=lambda: ["uct:sims=1000"])
    """Who plays both sides; each agent plays every game."""

    games: int = 40
    """Games of each agent in each game."""

    out: Path = Path("runs/advantage")
    """Folder for the games and what comes of them."""

    plot: Annotated[bool, FlagCreatePairsOff] = False
    """Draw advantage.svg too (needs matplotlib: `pip install 'narabe[notebooks]'`)."""


@dataclass
class OpeningsArgs:
    """Openings: books for tournaments, what first moves are worth, and how much the first player is ahead.

    Example: `narabe openings tree --game omok:size=9 --agent uct:sims=1000,vcf=true --games 20 --out runs/tree`.
    """

    study: OmitArgPrefixes[
        Annotated[BalanceArgs, subcommand("balance", prefix_name=False)]
        | Annotated[TreeArgs, subcommand("tree", prefix_name=False)]
        | Annotated[AdvantageArgs, subcommand("advantage", prefix_name=False)]
    ]
    """What to do; `narabe openings balance --help` and so on explain it."""
