"""What a tournament is told from outside: plain data, so that a command line can show it without loading any game."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal


class TournamentError(Exception):
    """A tournament that cannot be played as it was asked for; the message says what to change."""


@dataclass
class TournamentArgs:
    """Round robin between agents: paired openings, both colours, ratings with intervals, safe to stop and repeat."""

    game: str = "gomoku"
    """Name of the game."""

    agents: list[str] = field(default_factory=lambda: ["random", "greedy"])
    """Agents to compare, at least two, such as `random greedy uct:sims=400`."""

    games: int = 20
    """Games for each pair of agents; even, since each opening is played with both colours."""

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

    agent_factory: str = "narabe.agents:make"
    """Where agents come from: `module:function`, called with the agent's text and the game."""


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
    words = ["narabe", "tournament", "--game", args.game]
    options = [f"{name}={_text(value)}" for name, value in game_options(args).items()]
    words += ["--option", *options] if options else []
    words += ["--agents", *args.agents, "--games", str(args.games), "--seed", str(args.seed)]
    words += ["--opening-plies", str(args.opening_plies)] if args.opening_plies is not None else []
    words += ["--deadline", f"{args.deadline:g}", "--memory", str(args.memory)]
    if args.agent_factory != TournamentArgs.agent_factory:
        words += ["--agent-factory", args.agent_factory]
    return shlex.join([*words, "--out", str(args.out)])


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
