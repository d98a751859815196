"""Files of positions, one a line: the text of a position, or an object in JSON. Blank lines and lines after # are passed over.

    14o/15/... b 8 0-0 H8 -                                          what `State.to_text` writes
    {"position": "14o/15/... b 8 0-0 H8 -"}
    {"moves": "h8h9g8"}                                              or a list; played from the start, or from "position"
    {"stones": "h8h9g8g9", "side": "black"}                          black and white in turn, laid and not played
    {"black": ["H8", "G8"], "white": ["H9"], "side": "white", "pairs": [0, 1]}

With each may stand "id" (a name for it), "game" or "rule" (the game, when it is not that of the command line) and its options
such as "size", "kind" (the method that is to solve it), and "attacker" (who is to win, when it is not the side to move).
Other names are passed over, so that a data set may hold what it likes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from narabe import envs
from narabe.envs import Game, State
from narabe.experiments.args import UsageError

CELL = re.compile(r"[A-Za-z]\d{1,2}")
Moves = list[int | str]
SIDES = {"black": "black", "b": "black", "white": "white", "w": "white"}


@dataclass(frozen=True)
class Posed:
    """A position that is to be solved."""

    name: str
    state: State
    method: str | None = None
    """How to solve it, where the file says so."""
    attacker: str | None = None
    """Who is to win, in the file's word, where it says so."""
    where: str = ""
    """The line of the file."""


def read_positions(path: Path | str, game: Game | None, methods: Iterable[str] = ()) -> list[Posed]:
    """All positions of a file (``-``: the standard input); `UsageError` names the line that cannot be read, and why.

    ``game``: of those positions that name none. ``methods``: what a "kind" may ask for; other kinds mean nothing here.
    """
    where = "standard input" if str(path) == "-" else str(path)
    try:
        text = sys.stdin.read() if str(path) == "-" else Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{where}: {error.strerror or type(error).__name__}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: this is no text in UTF-8") from error
    found = []
    for number, line in _lines(text):
        try:
            found.append(posed_of(line, game, f"line {number}", methods))
        except ValueError as error:
            raise UsageError(f"{where}, line {number}: {error}") from error
    if not found:
        raise UsageError(f"{where}: there is no position in it")
    return found


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()


def posed_of(line: str, game: Game | None, name: str, methods: Iterable[str] = ()) -> Posed:
    """The position of one line; `ValueError` says what is wrong with it.

    >>> posed_of('{"id": "corner", "game": "omok", "size": 9, "stones": "a1b2c3"}', None, "line 1").state.to_text()
    '9/9/9/9/9/9/2x6/1o7/x8 w 3 0-0 - -'
    """
    if not line.startswith("{"):
        return Posed(name, _game(game).from_text(line), where=name)
    try:
        facts = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"this is no JSON: {error}") from error
    kind, attacker = facts.get("kind"), facts.get("attacker")
    return Posed(
        name=str(facts.get("id", name)),
        state=state_of(facts, _own_game(facts, game)),
        method=kind if kind in tuple(methods) else None,
        attacker=None if attacker is None else str(attacker),
        where=name,
    )


def _game(game: Game | None) -> Game:
    if game is None:
        raise ValueError('of which game? Give --game, or name it in the line: {"game": "renju", ...}')
    return game


def _own_game(facts: dict[str, Any], game: Game | None) -> Game:
    """The game that the object names, else that of the command line, with the options that it gives."""
    name = facts.get("game", facts.get("rule"))
    if name is not None and not isinstance(name, str):
        raise ValueError(f"game {name!r}: a name such as renju")
    found = _game(game) if name is None else _named(name)
    options = {option.name for option in found.face.options} | {"size"}
    own = tuple((key, value) for key, value in facts.items() if key in options)
    return _changed(found, own) if own else found


@lru_cache(maxsize=64)
def _named(name: str) -> Game:
    return envs.game(name)


@lru_cache(maxsize=64)
def _changed(game: Game, own: tuple[tuple[str, Any], ...]) -> Game:
    resized = any(key == "size" for key, _ in own)
    kept = {key: value for key, value in game.changed.items() if not (resized and key in ("width", "height"))}
    return Game(game.name, **{**kept, **dict(own)})


def state_of(facts: dict[str, Any], game: Game) -> State:
    """The position that an object of JSON tells."""
    ways: list[str] = [way for way in ("position", "stones", "moves") if way in facts]
    if "black" in facts or "white" in facts:
        ways.append("black and white")
    if not ways:
        raise ValueError('no position: give "position", "moves", "stones", or "black" and "white"')
    if len(ways) > 1 and ways != ["position", "moves"]:
        raise ValueError(f"{ways[0]} and {ways[-1]}: one of them says it all")
    if "position" in facts:
        state = game.from_text(str(facts["position"]))
    elif "moves" in facts:
        state = game.start()
    elif "stones" in facts:
        laid = moves_of(facts["stones"])
        return laid_out(game, laid[::2], laid[1::2], facts)
    else:
        return laid_out(game, moves_of(facts.get("black", ())), moves_of(facts.get("white", ())), facts)
    play(state, moves_of(facts.get("moves", ())))
    return state


def laid_out(game: Game, black: Moves, white: Moves, facts: dict[str, Any]) -> State:
    """A set-up position; whose turn it is follows from the number of stones where it is not told."""
    side = facts.get("side")
    if side is None:
        if len(black) - len(white) not in (0, 1):
            raise ValueError(f'{len(black)} black and {len(white)} white stones: say whose turn it is by "side"')
        side = "black" if len(black) == len(white) else "white"
    if str(side).lower() not in SIDES:
        raise ValueError(f"side {side!r}: black or white")
    more = {name: facts[name] for name in ("pairs", "ply") if name in facts}
    try:
        return game.position(black=black, white=white, to_move=SIDES[str(side).lower()], **more)
    except TypeError as error:
        raise ValueError(str(error)) from error


def play(state: State, moves: Moves) -> None:
    """Play moves; `ValueError` says which one may not be played, and why."""
    for number, move in enumerate(moves, 1):
        try:
            state.play(move)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from error


def moves_of(told: Any) -> Moves:
    """The moves of a list (texts or action numbers), or of a text such as h8h9g8, "H8 H9" or h8,h9.

    >>> moves_of("h8h10,g8"), moves_of([112, "H9"])
    (['h8', 'h10', 'g8'], [112, 'H9'])
    """
    if isinstance(told, str):
        words = told.replace(",", " ").split()
        return [move for word in words for move in (_cells(word) or [word])]
    if not isinstance(told, (list, tuple)):
        raise ValueError(f"{told!r}: a list of moves, or a text such as h8h9g8")
    return [move if isinstance(move, int) else str(move) for move in told]


def _cells(word: str) -> list[str]:
    """The cells of which a word consists; none if it is made of something else."""
    return CELL.findall(word) if re.fullmatch(f"({CELL.pattern})+", word) else []
