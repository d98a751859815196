"""A person as an agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from narabe.agents.agent import Agent, Analysis, Budget, single_choice
from narabe.envs.game import View


class NoMove(Exception):
    """Raised by a command of a person that ends the asking without a move, such as one that changes the position."""


def _none(line: str) -> bool:
    return False


@dataclass(eq=False)
class HumanAgent(Agent):
    """A person, who is shown the board and types moves, in a terminal or a notebook.

    A move that cannot be read or played is answered with the reason, and asked for again. To talk to the person in
    another way, set ``read(prompt)``, which gives a line (or raises `EOFError`), ``write(text)``, and
    ``command(line)``, which is tried before a line is taken as a move and returns True if it was a command.
    """

    board: bool = True
    read: Callable[[str], str] = field(default_factory=lambda: input, init=False, repr=False)
    write: Callable[[str], object] = field(default_factory=lambda: print, init=False, repr=False)
    command: Callable[[str], bool] = field(default_factory=lambda: _none, init=False, repr=False)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [self._choose(view) for view in views]

    def _choose(self, view: View) -> Analysis:
        state = view.state()
        if self.board:
            self.write(str(state))
        while True:
            line = self.read(f"{view.game.players[view.seat]}> ").strip()
            if not line or self.command(line):
                continue
            why = state.why_illegal(line)
            if why is None:
                return single_choice(view.num_actions, view.game.action_of(line))
            self.write(why)
