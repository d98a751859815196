"""What every family of games shows to people: its options, the names of its actions, its texts.

A law without a face of its own gets a plain `Face`: its options are the law's ``PARAMS``, its actions are numbers.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from narabe.envs.scene import Scene

if TYPE_CHECKING:
    from narabe.envs.game import Game, State
    from narabe.envs.table import Table


class OptionError(ValueError):
    """An option that does not exist, or a value that the game does not take."""


@dataclass(frozen=True)
class Option:
    """One option of a family: an int with bounds, a bool, or a word out of ``choices``."""

    name: str
    default: int | bool | str
    about: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    def check(self, value: Any) -> int | bool | str:
        """The value in its own type (texts are read as on a command line); `OptionError` says what is allowed."""
        if self.choices:
            if value in self.choices:
                return str(value)
            raise OptionError(f"{self.name}={value!r}: choose one of {', '.join(self.choices)}")
        if isinstance(self.default, bool):
            word = str(value).lower()
            if word in ("true", "1", "yes", "on", "false", "0", "no", "off"):
                return word in ("true", "1", "yes", "on")
            raise OptionError(f"{self.name}={value!r}: true or false")
        try:
            number = int(value) if isinstance(value, str) else operator.index(value)
            if isinstance(value, bool):
                raise TypeError
        except (TypeError, ValueError):
            raise OptionError(f"{self.name}={value!r}: a whole number from {self.low} to {self.high}") from None
        if not self.low <= number <= self.high:
            raise OptionError(f"{self.name}={number}: must be from {self.low} to {self.high}")
        return number

    @property
    def values(self) -> str:
        """The allowed values in words."""
        if self.choices:
            return " | ".join(self.choices)
        return "true | false" if isinstance(self.default, bool) else f"{self.low} to {self.high}"


class Face:
    """A family's Python side. Subclasses override what their games can say better than numbers."""

    options: tuple[Option, ...] = ()
    players: tuple[str, ...] = ("Black", "White")
    faults: Mapping[int, str] = {}
    results: Mapping[int, str] = {}

    def __init__(self, law: Any) -> None:
        self.law = law
        if not self.options:
            big = 2**31 - 1
            self.options = tuple(
                Option(name, 0, "a parameter of the law", -big, big) for name in getattr(law, "PARAMS", ())
            )

    def complete(self, defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        """All options of a game: the family's defaults, then the variant's, then those given; each checked."""
        known = {option.name: option for option in self.options}
        for name in (*defaults, *given):
            if name not in known:
                close = difflib.get_close_matches(name, known, 1)
                hint = f" Did you mean {close[0]}?" if close else ""
                raise OptionError(f"no option {name!r}.{hint} Options: {', '.join(known) or 'none'}")
        values = {name: option.default for name, option in known.items()} | dict(defaults) | dict(given)
        return {name: known[name].check(value) for name, value in values.items()}

    def brief(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The same options in the fewest words, as in a game's ``spec``."""
        return dict(options)

    def params(self, options: Mapping[str, Any]) -> np.ndarray:
        """The law's parameters (int64) for complete options: in the order of the law's ``PARAMS``, else as declared."""
        names = getattr(self.law, "PARAMS", None) or [option.name for option in self.options]
        return np.array([int(options[name]) for name in names], np.int64)

    def action_text(self, game: Game, action: int) -> str:
        """The name of an action."""
        return str(action)

    def action_of(self, game: Game, text: str) -> int:
        """The action that a text names; `ValueError` says what is wrong with it."""
        try:
            action = int(text)
        except ValueError:
            raise ValueError(
                f"cannot read {text!r}: actions of {game.name} are numbers below {game.num_actions}"
            ) from None
        if not 0 <= action < game.num_actions:
            raise ValueError(f"{action} is no action of {game.name}: 0 to {game.num_actions - 1}")
        return action

    def fault_text(self, state: State, action: int, code: int) -> str:
        """Why an action is illegal."""
        where = self.action_text(state.game, action) if 0 <= action < state.game.num_actions else str(action)
        return f"{where}: {self.faults.get(code, 'not legal here')}"

    def result_text(self, game: Game, code: int) -> str:
        """How a game ended, by the result alone; a result code is a set of bits, each with its words."""
        words = [self.results[bit] for bit in self.results if code & bit]
        return " and ".join(words) if words else "game over"

    def news(self, before: State, after: State) -> str | None:
        """What happened between two positions that a player at the table must be told in words; None for nothing."""
        return None

    def winners(self, state: State) -> tuple[int, ...]:
        """The seats that won a finished game: those of the highest payoff, none if all have the same."""
        payoffs = state.payoffs
        return tuple(seat for seat, x in enumerate(payoffs) if x == max(payoffs)) if len(set(payoffs)) > 1 else ()

    def observation_range(self, game: Game) -> tuple[np.ndarray, np.ndarray]:
        """The smallest and the largest value of each plane of an observation (int8, one entry a plane)."""
        planes = game.observation_shape[0]
        return np.full(planes, -128, np.int8), np.full(planes, 127, np.int8)

    def to_text(self, state: State) -> str:
        """One line that gives the position back through `from_text`; here the actions since the start, chance included.

        A family that has set-up positions needs a text of its own.
        """
        return " ".join(map(str, state.history)) or "-"

    def from_text(self, game: Game, text: str) -> State:
        """The position of a text written by `to_text`; `ValueError` names the field that is wrong."""
        state = game.start(chance="manual")
        for word in text.split():
            if word != "-":
                state.play(int(word))
        return state.settle()

    def position(self, game: Game, **pieces: Any) -> State:
        """A set-up position from keyword arguments of the family's own."""
        raise TypeError(f"{game.name} has no set-up by pieces; use from_text")

    def board(self, state: State) -> np.ndarray:
        """int8 by cell, for families with a board."""
        raise TypeError(f"{state.game.name} has no board")

    def cell_of_action(self, state: State, action: int) -> int | None:
        """The cell of the `scene` that stands for an action, None where none does; for pictures of what a search thinks."""
        scene = self.scene(state)
        return action if isinstance(scene, Scene) and 0 <= action < scene.width * scene.height else None

    def scene(self, state: State) -> Scene | Table | None:
        """What to draw, a grid or a card table, or None where a family has no picture."""
        return None
