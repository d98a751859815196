"""What a tournament is told from outside: plain data, so that a command line can show it without loading any game."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from tyro.constructors import PrimitiveConstructorSpec

GameNames = Annotated[
    str,
    PrimitiveConstructorSpec(
        nargs="*",
        metavar="GAME [GAME ...]",
        instance_from_str=" ".join,
        is_instance=lambda value: isinstance(value, str),
        str_from_instance=str.split,
    ),
]
"""One or several names of games, with spaces between, which they hold nowhere themselves."""


class TournamentError(Exception):
    """A tournament that cannot be played as it was asked for; the message says what to change."""


@dataclass
class TournamentArgs:
    """Agents against each other: paired openings, both colours, ratings with intervals, safe to stop and repeat."""

    game: GameNames = "gomoku"
    """Name of the game; options may follow, as in omok:size=15. With several games each is a run in a folder of its own
    below --out, and a table of all of them stands above."""

    agents: list[str] = field(default_factory=lambda: ["random", "greedy"])
    """Agents to compare, at least two, such as `random greedy uct:sims=400`."""

    schedule: Literal["round-robin", "gauntlet", "ladder"] = "round-robin"
    """Who meets whom: all pairs; the first agent and each other one; or neighbours in the list, strongest first."""

    games: int = 20
    """Games for each pair of agents; even, since each opening is played with both colours. With --sprt the most games."""

    sprt: list[str] = field(default_factory=list)
    """Stop as soon as a sequential test can say whether the first of two agents is elo0 (H0) or elo1 (H1) Elo points above
    the second, such as `elo0=0 elo1=50 alpha=0.05 beta=0.05`. Logistic Elo, as in the rating table: a difference of 50
    is an expected score of 57 %. alpha is the chance to accept H1 where H0 holds, beta the other way; 0.05 unless given."""

    adjudicate: list[str] = field(default_factory=list)
    """Break off hopeless games, such as `margin=0.95 plies=8`: where in so many moves in a row the agents of both sides
    gave the same side a value of at least margin (1 is a certain win). Such games are marked. Agents that give no values
    play on; so do all without this option."""

    seed: int = 0
    """The number from which all openings, chances and agents' random choices follow."""

    out: Path = Path("runs/tournament")
    """Folder for the games and the report. A folder with an unfinished run of the same settings is gone on with."""

    size: int | None = None
    """Board size; short for `--option size=...`."""

    option: list[str] = field(default_factory=list)
    """More options of the game, each as name=value."""

    opening_plies: int | None = None
    """Random plies at the start of each game, 4 unless given; longer ones are used where these give too few openings.
    Where the start itself is drawn, such as a deal of cards, it is the opening: 0 plies unless given."""

    book: Path | None = None
    """Draw the openings from this book (made by `narabe openings balance`), in an order that follows from the seed."""

    workers: int = 1
    """Processes that play; the games do not depend on it. 0 plays in this process, where a hang cannot be stopped."""

    backend: Literal["processes", "ray"] = "processes"
    """Where the workers are: processes here, or Ray's, which may be on several machines; needs narabe[ray]."""

    ray_address: str | None = None
    """Of the Ray cluster, such as auto; unless given, Ray is started here for this run."""

    deadline: float = 60.0
    """Seconds an agent has for one move; an agent that takes longer loses the game."""

    memory: int = 2048
    """Megabytes an agent may ask for during one move; an agent that needs more loses the game."""

    intervals: Literal["games", "pairs"] = "games"
    """What the intervals of the ratings take as independent: single games, as the model has it, or pairs of games from
    one opening, whose scores are looked at (better with many draws, with openings that favour a side, and from about 20
    pairs on). This changes what is shown, not what is played."""

    agent_factory: str = "narabe.agents:make"
    """Where agents come from: `module:function`, called with the agent's text and the game."""


def games_of(args: TournamentArgs) -> list[str]:
    """The games, one or several. Raises `TournamentError` if there is none."""
    games = args.game.split()
    if not games:
        raise TournamentError("--game names no game; `narabe games` lists them")
    return games


def numbers(words: list[str], option: str, **known: float | None) -> dict[str, float]:
    """The values of words such as `elo1=50`; `known` holds every name and its value if it is not given (None: it must be).

    Raises `TournamentError` for any other word. Without words there are no values.

    >>> numbers(["margin=0.9"], "--adjudicate", margin=None, plies=8)
    {'margin': 0.9, 'plies': 8.0}
    """
    given: dict[str, float] = {}
    for word in words:
        name, _, text = word.partition("=")
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if name not in known or name in given or not math.isfinite(value):
            form = " ".join(f"{name}=..." for name in known)
            raise TournamentError(f"{option}: cannot read {word!r}; the form is {form}, each a number and given once")
        given[name] = value
    missing = [name for name, value in known.items() if value is None and name not in given]
    if words and missing:
        raise TournamentError(f"{option} needs {' and '.join(f'{name}=...' for name in missing)}")
    return {name: float(given.get(name, value or 0.0)) for name, value in known.items()} if words else {}


def game_options(args: TournamentArgs) -> dict[str, int | float | bool | str]:
    """The game's options as a dict, `size` included; numbers and true/false become values.

    Raises `TournamentError` for an option without `=`, and for one given twice.
    """
    options: dict[str, int | float | bool | str] = {}
    for text in args.option:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise TournamentError(f"option {text!r} is not of the form name=value, such as size=15")
        if name in options:
            raise TournamentError(f"option {name!r} is given twice")
        options[name] = _value(value.strip())
    if args.size is not None:
        if "size" in options:
            raise TournamentError("the board size is given twice: by --size and by --option size=...")
        options["size"] = args.size
    return options


def _value(text: str) -> int | float | bool | str:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def command(args: TournamentArgs) -> str:
    """The shell command that repeats a run, with everything that decides its games (the number of workers does not)."""
    words = ["narabe", "tournament", "--game", *args.game.split()]
    options = [f"{name}={_text(value)}" for name, value in game_options(args).items()]
    words += ["--option", *options] if options else []
    words += ["--agents", *args.agents]
    words += ["--schedule", args.schedule] if args.schedule != TournamentArgs.schedule else []
    words += ["--games", str(args.games), "--seed", str(args.seed)]
    words += ["--sprt", *args.sprt] if args.sprt else []
    words += ["--adjudicate", *args.adjudicate] if args.adjudicate else []
    words += ["--opening-plies", str(args.opening_plies)] if args.opening_plies is not None else []
    words += ["--book", str(args.book)] if args.book is not None else []
    words += ["--deadline", f"{args.deadline:g}", "--memory", str(args.memory)]
    words += ["--intervals", args.intervals] if args.intervals != TournamentArgs.intervals else []
    if args.agent_factory != TournamentArgs.agent_factory:
        words += ["--agent-factory", args.agent_factory]
    return shlex.join([*words, "--out", str(args.out)])


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
