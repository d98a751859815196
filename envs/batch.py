"""What the single and the vector environment share: games side by side, spaces, starts, the words of an end, frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from narabe.envs import game as find_game
from narabe.envs import stepping
from narabe.envs.faces.face import Face
from narabe.envs.game import Game, IllegalMove, State
from narabe.envs.rules import core

ILLEGAL = ("forfeit", "raise")
OBSERVATIONS = ("planes", "dict")
PICTURES = ("human", "rgb_array")


class Batch:
    """``n`` games of one kind side by side, as the arrays that the kernels of `stepping` work on.

    ``bases`` holds, by index, the start of those games that were laid by `lay`; all others begin at the game's own.
    """

    def __init__(self, game: Game, n: int) -> None:
        self.game, self.n = game, n
        self.start = game.start(chance="manual").record
        self.start_mask = core.new_masks(game.law, 1)
        if stepping.prepare(self.start, self.start_mask):
            raise ValueError(f"{game.spec} is over before the first move, so there is nothing to play")
        self.states, self.masks = core.new_states(game.law, n), core.new_masks(game.law, n)
        self.rngs, self.first = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
        self.seats, self.elapsed = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.over = np.zeros(n, np.bool_)
        self.bases: dict[int, State] = {}
        self.words: dict[int, str] = {}  # of results met so far

    def lay(self, i: int, state: State) -> None:
        """Put a position into game ``i``; `reset` with ``laid=True`` then begins it there."""
        self.states[i] = state.record[0]
        self.bases[i] = state.copy()

    def reset(self, rows: np.ndarray, laid: bool = False) -> None:
        """Begin the games whose entry in ``rows`` (bool) is set."""
        if not laid:
            self.forget(rows)
        stepping.reset_rows(
            self.states, self.masks, self.rngs, self.first, self.seats, self.over, self.start, self.start_mask, rows,
            self.elapsed, laid,
        )  # fmt: skip

    def forget(self, rows: np.ndarray) -> None:
        """Forget the laid starts of the games whose entry in ``rows`` (bool) is set."""
        if self.bases:
            self.bases = {i: state for i, state in self.bases.items() if not rows[i]}

    def replay(self, i: int, actions: Iterable[int]) -> State:
        """Game ``i`` as a `State`: its start, the same chance turns, and the given actions of its players."""
        base = self.bases.get(i)
        if base is not None:
            state = base.copy()
        else:
            state = settled(self.game.start(chance="manual"), self.first[i : i + 1].copy())
        for action in actions:
            state.play(int(action))
        return state

    def why(self, i: int, action: int, fault: int) -> str:
        """Why an action is illegal in game ``i``, in words."""
        if fault == stepping.OUTSIDE:
            return f"{action} is no action of {self.game.name}: 0 to {self.game.num_actions - 1}"
        return self.game.face.fault_text(self._bare(i), action, fault)

    def endings(self, rows: np.ndarray, actions: np.ndarray, results: np.ndarray, faults: np.ndarray) -> list[Any]:
        """How the games whose numbers are ``rows`` just ended, in words; the other arrays have an entry for each game."""
        found = [self.words.get(result) for result in results[rows].tolist()]
        if None in found:  # a result not met so far, or an illegal move, whose result is 0
            found = [self.ending(i, int(actions[i]), int(results[i]), int(faults[i])) for i in rows.tolist()]
        return found

    def ending(self, i: int, action: int, result: int, fault: int) -> str:
        """How game ``i`` just ended, in words."""
        if fault:
            return f"illegal move: {self.why(i, action, fault)}"
        if result not in self.words:
            self.words[result] = self.game.face.result_text(self.game, result)
        return self.words[result]

    def _bare(self, i: int) -> State:
        """Game ``i`` as a `State` without history, on the record itself: enough for a face to read."""
        return State(self.game, self.states[i : i + 1], self.rngs[i : i + 1])

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.states.dtype.names != self.game.law.STATE.names:
            raise ValueError("pickled under another version of its rules; what State.to_bytes writes outlives versions")


def game_of(game: str | Game, options: Mapping[str, Any]) -> Game:
    """The game to play, from a name with options or ready made."""
    if not isinstance(game, Game):
        return find_game(game, **options)
    if options:
        raise TypeError(f"options ({', '.join(options)}) go with the name of a game, not with a Game that has its own")
    return game


def choose(name: str, value: str, among: Iterable[str]) -> str:
    """The value if it is one of ``among``; `ValueError` names them otherwise."""
    if value not in tuple(among):
        raise ValueError(f"{name}={value!r}: choose one of {', '.join(among)}")
    return value


def render_modes(game: Game) -> list[str]:
    """The ways in which a game can be shown: a family without pictures is text only."""
    has_picture = type(game.face).scene is not Face.scene
    return ["ansi", *PICTURES] if has_picture else ["ansi"]


def observation_space(game: Game, kind: str) -> spaces.Space[Any]:
    """The space of one seat's observation: the planes, or with ``kind="dict"`` the planes and the mask (bool)."""
    low, high = game.face.observation_range(game)
    shape = game.observation_shape
    planes = spaces.Box(
        np.broadcast_to(np.asarray(low, np.int8)[:, None, None], shape),
        np.broadcast_to(np.asarray(high, np.int8)[:, None, None], shape),
        dtype=np.int8,
    )
    if kind == "planes":
        return planes
    return spaces.Dict({"observation": planes, "action_mask": spaces.Box(0, 1, (game.num_actions,), np.bool_)})


def opening(game: Game, options: Mapping[str, Any] | None, stream: np.ndarray) -> State | None:
    """The start that the options of `reset` ask for, None for the game's own.

    ``position``: a `State` or the text of one. ``moves``: numbers or texts, played from there. Chance turns are drawn
    from ``stream`` (uint64[1]). Raises `IllegalMove` for a move that cannot be played, `ValueError` for a position of
    another game, a finished one, or an unknown option.
    """
    if not options:
        return None
    unknown = set(options) - {"position", "moves"}
    if unknown:
        raise ValueError(f"reset takes the options position and moves, not {', '.join(sorted(map(str, unknown)))}")
    position, moves = options.get("position"), options.get("moves") or ()
    if isinstance(position, State):
        if position.game != game:
            raise ValueError(f"the position is one of {position.game.spec}, not of {game.spec}")
        state = settled(position.copy(), stream)
    elif position is not None:
        state = settled(game.from_text(position), stream)
    else:
        state = settled(game.start(chance="manual"), stream)
        for _ in range(stepping.DEALS):
            if not state.is_over:
                break
            state = settled(game.start(chance="manual"), stream)
    for number, move in enumerate(moves.replace(",", " ").split() if isinstance(moves, str) else moves):
        try:
            state.play(move)
        except IllegalMove as error:
            raise IllegalMove(f"moves[{number}]: {error}") from None
    if state.is_over:
        raise ValueError(f"an episode cannot start in a finished game ({state.reason})")
    return state


def settled(state: State, stream: np.ndarray) -> State:
    """The state itself, with chance turns played, now and later, from the stream (uint64[1], advanced in place)."""
    state.rng = stream
    return state.settle()


def chance_stream(generator: np.random.Generator) -> np.uint64:
    """The start of a stream for chance turns, drawn from an environment's generator."""
    return generator.integers(0, np.iinfo(np.uint64).max, dtype=np.uint64, endpoint=True)


def frame(state: State, mode: str, cell: int) -> str | np.ndarray:
    """A state as text (``ansi``) or as pixels (uint8, height x width x 3); draws without any display."""
    if mode == "ansi":
        return str(state)
    from narabe.envs.drawing.raster import rgb

    return rgb(state.scene(), cell)
