"""Game and State: the Python face of a law."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from narabe.envs import variants
from narabe.envs.rules import calls, core
from narabe.envs.rules.random import new_stream
from narabe.envs.scene import Scene
from narabe.envs.table import Table

if TYPE_CHECKING:
    from narabe.search.threats.report import Threats

FORMAT = 1  # of `State.to_bytes`
CHANCE_SEAT, OVER_SEAT = -1, -2
OF_VIEWS = 0x76696577  # key of the streams of views


class IllegalMove(ValueError):
    """A move that cannot be read or may not be played; the message says why."""


@dataclass(frozen=True)
class View:
    """What one seat knows: a record in which everything hidden from it was redrawn, and what it saw of every action.

    ``chance`` is the stream of the chance turns of `state`: one of the view's own, or it would foretell the true ones.
    """

    game: Game
    record: np.ndarray
    seat: int
    seen: tuple[int, ...] = ()
    slot: int = 0
    chance: int = field(default_factory=lambda: _own_stream(0), compare=False)

    @property
    def num_actions(self) -> int:
        return self.game.num_actions

    def legal_actions(self) -> np.ndarray:
        """The legal actions, sorted (int64)."""
        return self.state().legal_actions()

    def state(self) -> State:
        """The view as a position to look at and to play on, without the history that only the truth has."""
        state = State(self.game, self.record.copy(), np.array([self.chance], np.uint64))
        state.seat = self.seat
        return state


def _own_stream(seed: int | np.random.SeedSequence) -> int:
    """The start of a view's stream, which tells nothing of the seed, and with which no game was begun."""
    if not isinstance(seed, np.random.SeedSequence):
        seed = np.random.SeedSequence(seed)
    own = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, OF_VIEWS))
    return int(new_stream(own)[0])


class Game:
    """A variant with its options, from which positions are made.

    >>> game = Game("gomoku", width=9, height=9)
    >>> game.num_actions, game.text_of(40), game.action_of("E5")
    (81, 'E5', 40)
    """

    def __init__(self, name: str, /, **options: Any) -> None:
        entry = variants.entry(name)
        self.name = name = entry.variant.name
        self.address = entry.address  # with its module, where that has to be imported first
        self.title = name.replace("_", " ")
        self.law, self.face = entry.law, entry.face
        self.options: dict[str, Any] = self.face.complete(entry.variant.options, options)
        own = self.face.complete(entry.variant.options, {})
        self.changed = {k: v for k, v in self.options.items() if v != own[k]}
        self._start = core.new_states(self.law, 1)
        calls.init(self._start, 0, self.face.params(self.options))
        sizes = calls.sizes(self._start, 0)
        self.num_players, self.num_actions, self.num_symmetries = int(sizes[0]), int(sizes[1]), int(sizes[2])
        self.observation_shape = tuple(int(n) for n in sizes[3:])
        self.teams = calls.teams(self._start, 0, self.num_players)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the seats."""
        named = self.face.players[: self.num_players]
        return (*named, *(f"Player {i + 1}" for i in range(len(named), self.num_players)))

    @property
    def spec(self) -> str:
        """What `narabe.envs.game` makes this game of: such as ``omok:size=15``, options only where they differ."""
        words = ",".join(f"{name}={value}" for name, value in self.face.brief(self.changed).items())
        return f"{self.address}:{words}" if words else self.address

    def start(self, seed: int | np.random.SeedSequence = 0, chance: str = "auto") -> State:
        """The start position. ``chance="manual"`` leaves chance turns to the caller (`State.play` takes outcomes)."""
        state = State(self, self._start.copy(), new_stream(seed), chance)
        state._play_chance()
        return state

    def position(self, *, seed: int | np.random.SeedSequence = 0, **pieces: Any) -> State:
        """A set-up position; chance turns are drawn by ``seed``. What it takes depends on the family:

        line games black, white, to_move, pairs, ply; Gomocku black, white, turned_black, turned_white, red_black,
        red_white, known_coloured, known_red, ply; block stacking columns, to_move, anchor, ply; Goita
        hands, dealer, plies, scores.

        >>> print(Game("gomoku", width=5, height=5).position(black=["C3"], to_move="white").to_text())
        5/5/2x2/5/5 w 1 0-0 - -
        """
        state = self.face.position(self, **pieces)
        state.rng = new_stream(seed)
        return state

    def from_text(self, text: str, seed: int | np.random.SeedSequence = 0) -> State:
        """The position that `State.to_text` wrote, chance turns drawn by ``seed``; `ValueError` says which field is wrong."""
        state = self.face.from_text(self, text)
        state.rng = new_stream(seed)
        return state

    def from_bytes(self, data: bytes) -> State:
        """The state that `State.to_bytes` wrote, with its history; it must be of this game and these options."""
        state = State.from_bytes(data)
        if state.game != self:
            raise ValueError(f"these bytes hold a state of {state.game.spec}, not of {self.spec}")
        return state

    def text_of(self, action: int) -> str:
        """The name of an action, or of an outcome of chance; `ValueError` if there is no such action."""
        if action < 0 or (action >= self.num_actions and not hasattr(self.law, "chance_draw")):
            raise ValueError(f"{action} is no action of {self.spec}: 0 to {self.num_actions - 1}")
        return self.face.action_text(self, int(action))

    def action_of(self, text: str) -> int:
        return self.face.action_of(self, text)

    def symmetry(self, action: int, k: int) -> int:
        """Where the board's symmetry ``k`` (0 is the identity) takes an action."""
        if not 0 <= k < self.num_symmetries:
            raise ValueError(f"symmetry {k}: {self.spec} has 0 to {self.num_symmetries - 1}")
        return int(calls.symmetry(self._start, 0, action, k))

    def to_dict(self) -> dict[str, Any]:
        """Name and all options, ready for JSON."""
        return {"name": self.address, **self.options}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"Game({self.spec!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_make_game, (self.address, self.options))


def _make_game(name: str, options: Mapping[str, Any]) -> Game:
    return Game(name, **options)


class State:
    """A position of a game, played on by `play` and back by `undo`. Made by `Game.start`, `position`, `from_text`.

    ``record`` is an array of one numpy record, ``history`` the actions since the start or set-up, chance included.
    """

    def __init__(self, game: Game, record: np.ndarray, rng: np.ndarray, chance: str = "auto") -> None:
        if chance not in ("auto", "manual"):
            raise ValueError(f"chance={chance!r}: auto or manual")
        self.game, self.record, self.rng, self.chance = game, record, rng, chance
        self.history: list[int] = []
        self._seen: list[tuple[int, ...]] = []  # what each seat saw of each action of history
        self._by_chance: list[bool] = []  # was it a chance turn, for each action of history
        self._base: str | None = None  # text of the set-up position; None for the start
        self.seat: int | None = (
            None  # through whose eyes: the seat of the view that this was made of; None for the truth
        )

    # ---- facts ----

    @property
    def to_play(self) -> int:
        """The seat to play, counted from 0; -1 for chance, -2 when the game is over."""
        mover, over, _ = calls.facts(self.record, 0)
        return OVER_SEAT if over else int(mover) - 1

    @property
    def is_over(self) -> bool:
        return bool(calls.facts(self.record, 0)[1])

    @property
    def payoffs(self) -> tuple[float, ...]:
        """Each seat's payoff in [-1, 1]; they sum to zero. All zero while the game goes on."""
        out = np.zeros(self.game.num_players)
        if self.is_over:
            calls.payoffs(self.record, 0, out)
        return tuple(float(x) for x in out)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; none in a draw, or while the game goes on."""
        return self.game.face.winners(self) if self.is_over else ()

    @property
    def reason(self) -> str | None:
        """How the game ended, in words; None while it goes on."""
        code = int(calls.facts(self.record, 0)[2])
        return self.game.face.result_text(self.game, code) if code else None

    @property
    def ply(self) -> int:
        """Turns played before this one, those before a set-up included."""
        names = self.record.dtype.names or ()
        return int(self.record["ply"][0]) if "ply" in names else len(self.history)

    @property
    def key(self) -> int:
        """The exact 64-bit key of the position."""
        return int(calls.key(self.record, 0))

    @property
    def canonical_key(self) -> tuple[int, int]:
        """(smallest key over the board's symmetries, the symmetry that gives it)."""
        key, k = calls.canonical_key(self.record, 0)
        return int(key), int(k)

    def legal_mask(self) -> np.ndarray:
        """int8 by action: 1 where it is legal; all zero when the game is over."""
        out = np.zeros(self.game.num_actions, np.int8)
        if not self.is_over:
            calls.legal_mask(self.record, 0, out)
        return out

    def legal_actions(self) -> np.ndarray:
        """The legal actions, sorted (int64)."""
        return np.flatnonzero(self.legal_mask())

    def why_illegal(self, move: int | str) -> str | None:
        """Why a move cannot be played, or None if it can."""
        try:
            action = self._action(move)
        except IllegalMove as error:
            return str(error)
        code = int(calls.fault(self.record, 0, action))
        return self.game.face.fault_text(self, action, code) if code else None

    def observe(self, seat: int) -> np.ndarray:
        """int8 planes: all that the seat may know."""
        out = np.zeros(self.game.observation_shape, np.int8)
        calls.observe(self.record, 0, self._seat(seat) + 1, out)
        return out

    def view(self, seat: int, slot: int = 0, seed: int | np.random.SeedSequence = 0) -> View:
        """What an agent on this seat is handed: hidden parts redrawn by ``seed``, and what it saw of every action."""
        record = self.record.copy()
        if hasattr(self.game.law, "redeal"):
            calls.redeal(record, 0, self._seat(seat) + 1, new_stream(seed))
        return View(self.game, record, seat, self.seen(seat), slot, _own_stream(seed))

    def seen(self, seat: int, since: int = 0) -> tuple[int, ...]:
        """What the seat saw of the actions of `history`, from number ``since`` on, without those that it did not notice."""
        seat = self._seat(seat)
        return tuple(seen[seat] for seen in self._seen[since:] if seen[seat] != core.UNSEEN)

    # ---- playing ----

    def play(self, move: int | str) -> State:
        """Play a move for the side to move, by text or by action number; returns the state itself.

        Raises `IllegalMove`, which says why; the state is then unchanged.
        """
        why = self.why_illegal(move)
        if why is not None:
            raise IllegalMove(why)
        self._apply(self._action(move))
        self._play_chance()
        return self

    def undo(self) -> State:
        """Take back the last move, and with automatic chance the chance turns after it.

        Raises `IllegalMove` at the start or a set-up, where no player has moved yet.
        """
        back = (
            1 if self.chance == "manual" else self._by_chance[::-1].index(False) + 1 if False in self._by_chance else 0
        )
        if not self.history or not back:
            raise IllegalMove("there is no move to take back")
        for _ in range(back):
            calls.undo(self.record, 0)
            self.history.pop()
            self._seen.pop()
            self._by_chance.pop()
        return self

    def _action(self, move: int | str) -> int:
        if isinstance(move, str):
            try:
                return self.game.action_of(move)
            except ValueError as error:
                raise IllegalMove(str(error)) from None
        try:
            if isinstance(move, bool):
                raise TypeError
            return operator.index(move)
        except TypeError:
            raise IllegalMove(f"cannot read {move!r} as a move: give an action number, or a text") from None

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.game.num_players:
            raise ValueError(f"seat {seat}: 0 to {self.game.num_players - 1} (to_play is -2 after the end)")
        return int(seat)

    def _apply(self, action: int) -> None:
        seats = range(self.game.num_players)
        if hasattr(self.game.law, "seen_action"):
            self._seen.append(tuple(int(calls.seen_action(self.record, 0, action, seat + 1)) for seat in seats))
        else:
            self._seen.append((action,) * self.game.num_players)
        self._by_chance.append(self.to_play == CHANCE_SEAT)
        calls.apply(self.record, 0, action)
        self.history.append(action)

    def settle(self) -> State:
        """Play chance turns by themselves from now on, a pending one at once; returns the state itself."""
        self.chance = "auto"
        self._play_chance()
        return self

    def _play_chance(self) -> None:
        if self.chance != "auto" or not hasattr(self.game.law, "chance_draw"):
            return
        while self.to_play == CHANCE_SEAT:
            self._apply(int(calls.chance_draw(self.record, 0, self.rng)))

    # ---- copies and texts ----

    def copy(self) -> State:
        """An independent copy, history and random state included."""
        other = State(self.game, self.record.copy(), self.rng.copy(), self.chance)
        other.history, other._seen, other._base = self.history.copy(), self._seen.copy(), self._base
        other._by_chance, other.seat = self._by_chance.copy(), self.seat
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return (State.from_bytes, (self.to_bytes(),))

    def __eq__(self, other: object) -> bool:
        """Equal positions of one game: the same text, however they were reached."""
        return isinstance(other, State) and self.game == other.game and self.to_text() == other.to_text()

    __hash__ = None  # type: ignore[assignment]

    def rebase(self) -> None:
        """Make the present position the one at which undo stops (used after a set-up)."""
        self.history, self._seen, self._by_chance = [], [], []
        self._base = self.to_text()

    def to_text(self) -> str:
        """One line that `Game.from_text` reads back."""
        return self.game.face.to_text(self)

    def to_bytes(self) -> bytes:
        """Format, game, set-up position, moves and random state as JSON: not raw memory, so it outlives versions.

        Of a view's position also the seat through whose eyes it is seen.
        """
        data = {
            "format": FORMAT,
            "game": self.game.to_dict(),
            "base": self._base if self.seat is None else self._base_of_view(),
            "moves": self.history,
            "rng": int(self.rng[0]),
            "chance": self.chance,
        }
        if self.seat is not None:
            data["seat"] = self.seat
        return json.dumps(data, separators=(",", ":")).encode()

    def _base_of_view(self) -> str:
        """Text of the position as the view gave it, with the cards that were dealt anew for it."""
        begun = self.copy()
        begun.seat, begun.chance = None, "manual"
        for _ in self.history:
            begun.undo()
        return begun.to_text()

    @staticmethod
    def from_bytes(data: bytes) -> State:
        """The state that `to_bytes` wrote; `ValueError` if the bytes are something else."""
        try:
            facts = json.loads(data)
            if facts["format"] != FORMAT:
                raise ValueError(f"format {facts['format']} of these bytes is not known (this version reads {FORMAT})")
            options = dict(facts["game"])
            game = Game(options.pop("name"), **options)
            base, moves, chance, word = facts["base"], facts["moves"], facts["chance"], facts["rng"]
        except (KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ValueError(f"these bytes are no state of narabe: {error}") from None
        state = game.start(chance="manual") if base is None else game.from_text(base)
        state.chance = "manual"
        try:
            for action in moves:
                state.play(action)
        except IllegalMove as error:
            raise ValueError(f"these bytes hold a move that is not legal: {error}") from None
        state.chance = chance
        state.rng[0] = word
        state.seat = facts.get("seat")
        return state

    # ---- pictures ----

    def threats(self, seat: int | None = None, nodes: int = 200_000) -> Threats:
        """Winning points, fours, threes, forbidden points and a VCF of a seat (the one to move), as a table and a picture.

        ``nodes`` bounds the search for the VCF. Only games played on the lines of a board have threats; others raise
        `ValueError`. See `narabe.search.threats.report.threats_of`.
        """
        # The one call from envs to search: imported when asked for, so that a game still needs no search.
        from narabe.search.threats.report import threats_of

        return threats_of(self, seat, nodes)

    def scene(
        self,
        heat: Any = None,
        numbers: Mapping[int | str, Any] | None = None,
        marks: Mapping[int | str, str] | None = None,
        line: Sequence[int | str] = (),
    ) -> Scene | Table:
        """What to draw, with ``heat``, ``numbers``, ``marks`` and a ``line`` laid over it.

        ``heat``: an array by action, or a mapping from actions (numbers, or texts such as "E5") to values of at least 0.
        ``numbers``: a mapping from actions to short texts. ``marks``: a mapping from actions to signs (see `Scene.marks`).
        ``line``: moves to play from here on, shown as numbered pieces; `IllegalMove` if one of them may not be played.
        What has no cell, such as a pass or a play of cards, is left out.
        """
        scene = self.game.face.scene(self)
        if scene is None:
            raise TypeError(f"{self.game.name} has no picture; print the state instead")
        if heat is not None:
            pairs = heat.items() if isinstance(heat, Mapping) else enumerate(np.asarray(heat).ravel())
            amounts = self._by_cell({a: float(x) for a, x in pairs if x > 0})
            scene = scene.with_(heat=amounts) if isinstance(scene, Scene) else scene
        if numbers is not None:
            words = self._by_cell({a: str(text) for a, text in numbers.items()})
            scene = scene.with_(numbers=words) if isinstance(scene, Scene) else scene
        if marks is not None:
            signs = self._by_cell(marks)
            scene = scene.with_(marks=signs) if isinstance(scene, Scene) else scene
        return scene.with_line(self._pieces_of(line)) if line and isinstance(scene, Scene) else scene

    def _pieces_of(self, line: Sequence[int | str]) -> list[tuple[int, str] | None]:
        """(cell, piece laid there) of each move of a line; None for one that lays none."""
        state = self.copy()
        laid: list[tuple[int, str] | None] = []
        for move in line:
            cell = self.game.face.cell_of_action(state, state._action(move))
            state.play(move)
            after = self.game.face.scene(state)
            piece = after.cells[cell] if cell is not None and isinstance(after, Scene) else ""
            laid.append((cell, piece) if cell is not None and piece else None)
        return laid

    def _by_cell(self, values: Mapping[Any, Any]) -> dict[int, Any]:
        """Values by action (number or text) as values by cell of the scene."""
        actions = {self._action(move): x for move, x in values.items()}
        for action in actions:
            self.game.text_of(action)  # refuses what is no action
        cells = {self.game.face.cell_of_action(self, action): x for action, x in actions.items()}
        return {cell: x for cell, x in cells.items() if cell is not None}

    def svg(
        self,
        heat: Any = None,
        numbers: Mapping[int | str, Any] | None = None,
        marks: Mapping[int | str, str] | None = None,
        line: Sequence[int | str] = (),
    ) -> str:
        """The board as an SVG document, with the overlays of `scene`."""
        from narabe.envs.drawing.svg import svg

        return svg(self.scene(heat, numbers, marks, line))

    def _repr_svg_(self) -> str | None:
        return self.svg() if self.game.face.scene(self) is not None else None

    def __str__(self) -> str:
        from narabe.envs.drawing.ansi import ansi

        scene = self.game.face.scene(self)
        return ansi(scene) if scene is not None else f"{self.game.spec}: {self.to_text()}"

    def __repr__(self) -> str:
        return f"<State of {self.game.spec} at ply {self.ply}: {self.to_text()}>"
