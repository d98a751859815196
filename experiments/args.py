"""What the jobs of this room are told from outside: plain data, read by `narabe.experiments.cli`."""

from __future__ import annotations

from dataclasses import dataclass, field

from tyro.conf import Positional


class UsageError(ValueError):
    """A wish that cannot be met as it was put; the message says what to change."""


@dataclass
class PlayArgs:
    """Play in the terminal against agents, or watch them play. Moves and commands are typed; `help` lists them."""

    game: str = "gomoku"
    """Name of the game, as listed by `narabe games`; options may follow, as in omok:size=15."""

    against: list[str] = field(default_factory=list)
    """Who sits on the other seats, as listed by `narabe agents`: one agent for all of them, or one for each; uct:sims=800
    unless given, in games with hidden hands ismcts:sims=800. `human` is a second person at the same terminal."""

    seat: str = "first"
    """Where you sit: first, second and so on, a player's name such as black, or random; none to watch."""

    size: int | None = None
    """Board size; short for `--option size=...`."""

    option: list[str] = field(default_factory=list)
    """More options of the game, each as name=value; `narabe games NAME` lists them."""

    seed: int | None = None
    """The number from which all chance and all random choices follow; a new one each time if not given."""

    hint: str | None = None
    """The agent that the command `hint` asks; uct:sims=2000 unless given, in games with hidden hands ismcts:sims=2000."""

    position: str | None = None
    """The position to start from, as text: what `State.to_text` and the command `position` write."""

    moves: list[str] = field(default_factory=list)
    """Moves played before you are asked, such as H8 H9 G8. This is how a game that was left is gone on with."""


@dataclass
class GamesArgs:
    """List the games, or all options of one of them."""

    name: Positional[str | None] = None
    """The game to show in full; options may follow, as in omok:size=15."""


@dataclass
class AgentsArgs:
    """List the agents and their options, or one of them in full."""

    name: Positional[str | None] = None
    """The agent to show in full."""
