"""The threats in one position, for people: `threats_of(state)`, in Python also `state.threats()`."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from narabe.envs.rules import calls
from narabe.envs.rules.line.record import COLUMN_STEP, DOUBLE_THREE, OVERLINE, ROW_STEP
from narabe.envs.scene import Scene
from narabe.search.threats import survey
from narabe.search.threats.solver import Solver

if TYPE_CHECKING:
    from narabe.envs.game import State

MB = 4.0
"""Memory of the search for the VCF."""
LEGEND = ("win", "danger", "four", "three", "capture")


@dataclass(frozen=True)
class Point:
    """A cell, as the action that plays there and as text."""

    action: int
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Four(Point):
    """A move that makes a winning point: its player would win at once if he could move again."""

    threatens: tuple[Point, ...]
    """Where he would win."""
    parries: tuple[Point, ...]
    """The opponent's legal replies after which he no longer would; none: the four cannot be stopped."""

    def __str__(self) -> str:
        if not self.parries:
            return f"{self.text} (no parry)"
        return f"{self.text} ({'parry' if len(self.parries) == 1 else 'parries'} {_texts(self.parries)})"


@dataclass(frozen=True)
class Forbidden(Point):
    """An empty cell that the bans forbid."""

    why: str

    def __str__(self) -> str:
        return f"{self.text} ({self.why})"


@dataclass(frozen=True)
class Capture(Point):
    """A move that takes pairs."""

    taken: tuple[Point, ...]

    def __str__(self) -> str:
        return f"{self.text} (takes {_texts(self.taken)})"


@dataclass(frozen=True)
class Side:
    """What one seat could do if it were its turn."""

    seat: int
    name: str
    wins: tuple[Point, ...]
    """Moves that win at once."""
    fours: tuple[Four, ...]
    """Other moves that make a winning point."""
    threes: tuple[Point, ...]
    """Other legal moves that make an open three by shape: one stone more gives two winning points on the line."""
    forbidden: tuple[Forbidden, ...]
    captures: tuple[Capture, ...]


@dataclass(frozen=True)
class Threats:
    """The threats in a position; printed it is a table, in a notebook a picture beside the table.

    ``position`` is the position that was looked at: with the seat to move, also if it was the other's turn.
    """

    position: State
    passed: bool
    """Whether it was the other's turn: then all this holds if he passed."""
    own: Side
    other: Side
    won: bool | None
    """Has the seat a victory by continuous fours? None: the budget was spent before that was known."""
    vcf: tuple[Point, ...]
    """Its line: attack, reply, attack, ..., the winning move; empty if there is none. The last reply stands
    for any move: nothing parries the four before it."""
    nodes: int
    """What the search for it took."""

    # The seat's own, for short.
    @property
    def seat(self) -> int:
        return self.own.seat

    @property
    def wins(self) -> tuple[Point, ...]:
        return self.own.wins

    @property
    def fours(self) -> tuple[Four, ...]:
        return self.own.fours

    @property
    def threes(self) -> tuple[Point, ...]:
        return self.own.threes

    @property
    def forbidden(self) -> tuple[Forbidden, ...]:
        return self.own.forbidden

    @property
    def captures(self) -> tuple[Capture, ...]:
        return self.own.captures

    # ---- words ----

    def rows(self) -> list[tuple[str, str, str]]:
        """(what, of the seat, of its opponent): the cells of the table."""
        kinds: list[tuple[str, Sequence[Point], Sequence[Point]]] = [
            ("wins at once", self.own.wins, self.other.wins),
            ("fours", self.own.fours, self.other.fours),
            ("open threes", self.own.threes, self.other.threes),
            ("forbidden", self.own.forbidden, self.other.forbidden),
            ("takes pairs", self.own.captures, self.other.captures),
        ]
        found = [
            (name, _list(own), _list(other))
            for name, own, other in kinds
            if own or other or name not in ("forbidden", "takes pairs")
        ]
        return [*found, ("VCF", self.vcf_text, "")]

    @property
    def vcf_text(self) -> str:
        """The victory by continuous fours in words."""
        if self.won is None:
            return f"unknown ({self.nodes:,} nodes)"
        return f"{_texts(self.vcf)} ({_plies(len(self.vcf))})" if self.won else "none"

    def __str__(self) -> str:
        who = f"{self.own.name}, if {self.other.name} passed" if self.passed else f"{self.own.name}, to move"
        lines = [f"{self.position.game.spec}, move {self.position.ply + 1}"]
        for name, column in ((who, 1), (self.other.name, 2)):
            lines.append(name)
            lines += [f"  {row[0]:<14}{row[column]}" for row in self.rows() if row[column]]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Threats of {self.own.name} in {self.position!r}>"

    # ---- pictures ----

    def scene(self, line: bool = True, marks: bool = True) -> Scene:
        """The board with the VCF as numbered stones and signs for winning points, fours, open threes and captures.

        A cell shows the most pressing of its signs: own win, the opponent's win ("danger"), four, three, capture.
        """
        signs: dict[int | str, str] = {}
        for name, points in (
            ("win", self.own.wins),
            ("danger", self.other.wins),
            ("four", self.own.fours),
            ("three", self.own.threes),
            ("capture", self.own.captures),
        ):
            for point in points if marks else ():
                signs.setdefault(point.action, name)
        scene = self.position.scene(marks=signs, line=[point.action for point in self.vcf] if line else ())
        assert isinstance(scene, Scene)
        words = (f"{self.own.name} wins", f"{self.other.name} wins", "four", "open three", "takes a pair")
        shown = set(scene.marks.values())
        legend = {name: meaning for name, meaning in zip(LEGEND, words, strict=True) if name in shown}
        told = [f"VCF of {self.own.name}: {_plies(len(self.vcf))}"] if line and self.won else []
        return scene.with_(legend=legend, captions=[*scene.captions, *told])

    def svg(self, line: bool = True, marks: bool = True, cell: int = 32) -> str:
        """The `scene` as an SVG document."""
        from narabe.envs.drawing.svg import svg

        return svg(self.scene(line, marks), cell)

    def ansi(self, line: bool = True, marks: bool = True, color: bool = False) -> str:
        """The `scene` as text for a terminal."""
        from narabe.envs.drawing.ansi import ansi

        return ansi(self.scene(line, marks), color)

    def _repr_html_(self) -> str:
        head = f"<tr><th></th><th>{html.escape(self.own.name)}</th><th>{html.escape(self.other.name)}</th></tr>"
        body = "".join(
            f"<tr><th>{html.escape(what)}</th>" + "".join(f"<td>{html.escape(text)}</td>" for text in texts) + "</tr>"
            for what, *texts in self.rows()
        )
        table = f'<table style="text-align:left;max-width:34em">{head}{body}</table>'
        flow = "display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start"
        return f'<div style="{flow}"><div>{self.svg(cell=26)}</div>{table}</div>'


def threats_of(state: State, seat: int | None = None, nodes: int | None = 200_000) -> Threats:
    """What a seat (by default the one to move) threatens, and what its opponent does.

    If it is the other's turn, the answers are those that hold if he passed. ``nodes`` bounds the search for a victory by
    continuous fours (None: no bound). `ValueError` for games without threats, and for positions in which no stone is laid.

    >>> from narabe import envs
    >>> found = envs.game("gomoku").position(black="F8 G8 H8 H9", white="E8 A1 A3", to_move="black").threats()
    >>> print(found.fours[0], found.won, len(found.vcf))
    I8 (parry J8) False 0
    """
    game = state.game
    if not hasattr(game.law, "hand_over"):
        raise ValueError(f"{game.spec} has no threats: they are found in games of rows on a board, such as gomoku")
    if state.is_over:
        raise ValueError(f"the game is over ({state.reason}): there is nothing to threaten")
    if state.to_play < 0 or survey.calm_plies(state.record, 0) == 0:
        raise ValueError("threats are of the turns on which a stone is laid, and this is none")
    seat = state.to_play if seat is None else state._seat(seat)
    position = position_for(state, seat)
    answer = Solver(game, mb=MB).vcf(position, nodes=nodes)
    return Threats(
        position=position,
        passed=seat != state.to_play,
        own=_side(position, seat),
        other=_side(position_for(state, 1 - seat), 1 - seat),
        won=answer.won,
        vcf=points(position, answer.line) if answer.won else (),
        nodes=answer.nodes,
    )


def position_for(state: State, seat: int) -> State:
    """A copy in which it is the seat's turn; if that means that the other passed, it is a set-up without a last move."""
    position = state.copy()
    if position.to_play == seat:
        return position
    survey.hand_over(position.record, 0)
    if "first_last" in (position.record.dtype.names or ()):  # the line games
        position.record["last"] = position.record["first_last"] = -1
        position.record["history"], position.record["n_moves"] = 0, 0
        position.rebase()
    return position


def _side(state: State, seat: int) -> Side:
    """What the side to move could do."""
    found = survey.survey(state.record, state.game.num_actions)
    return Side(
        seat=seat,
        name=state.game.players[seat],
        wins=points(state, found.wins),
        fours=tuple(
            Four(a, state.game.text_of(a), points(state, wins), points(state, parries))
            for a, (wins, parries) in found.fours.items()
        ),
        threes=points(state, found.threes),
        forbidden=_forbidden(state),
        captures=tuple(
            Capture(a, state.game.text_of(a), points(state, _taken(state, a, directions)))
            for a, directions in found.captures.items()
        ),
    )


def _forbidden(state: State) -> tuple[Forbidden, ...]:
    face, game = state.game.face, state.game
    codes = ((a, int(calls.fault(state.record, 0, a))) for a in range(int(state.record["cells"][0])))
    return tuple(
        Forbidden(a, game.text_of(a), face.faults[code].split(" (")[0].removesuffix(" is banned"))
        for a, code in codes
        if DOUBLE_THREE <= code <= OVERLINE
    )


def _taken(state: State, a: int, directions: int) -> list[int]:
    """The cells of the pairs taken from ``a`` in the directions of a set of bits, sorted."""
    width = int(state.record["width"][0])
    steps = [int(ROW_STEP[d]) * width + int(COLUMN_STEP[d]) for d in range(8) if directions >> d & 1]
    return sorted(a + n * step for step in steps for n in (1, 2))


def points(state: State, actions: Iterable[int]) -> tuple[Point, ...]:
    """Actions with their texts."""
    return tuple(Point(int(a), state.game.text_of(int(a))) for a in actions)


def _texts(points: Iterable[Point]) -> str:
    return " ".join(point.text for point in points)


def _list(points: Sequence[Point]) -> str:
    plain = all(type(point) is Point for point in points)
    return (" " if plain else ", ").join(map(str, points)) or "none"


def _plies(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"
