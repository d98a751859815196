"""One whole game of every variant, written out to be read: a change of the rules shows as a diff of these files.

Moves are random but lean towards the last stone, so that rows, bans and captures come up. After a wanted change:

    python -m narabe.tests.playthroughs.regenerate
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from narabe.envs import State, entries, game
from narabe.envs.faces.line import LineFace
from narabe.envs.notation import LETTERS
from narabe.envs.rules import core
from narabe.envs.rules.random import below, new_stream

FOLDER = Path(__file__).parent
SHOWN_EVERY = 8  # plies between two boards
SHOWN_CARDS = 2  # the same in deals of cards, which are short
NEAR = 2  # how far from the last stone most moves go
GAMES: dict[str, tuple[dict[str, Any], int]] = {  # options and seed, chosen for games in which the rules come up
    "gomoku": ({"size": 9}, 1),
    "freestyle": ({"width": 8, "height": 6}, 1),
    "omok": ({"size": 9}, 52),
    "capture_gomoku": ({"size": 11}, 32),
    "renju": ({"size": 9}, 52),
    "gomocku": ({"size": 7}, 37),
    "goita": ({}, 1),
    "goita_match": ({"match": 8}, 1),
    "goita_hozonkai": ({"match": 80}, 1),
    "stacking": ({"reach": 1}, 3),
    "stacking_claim": ({"reach": 1}, 1),
}


@dataclass(frozen=True)
class Playthrough:
    """A game to be written out."""

    variant: str
    about: str
    options: dict[str, Any]
    seed: int

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.variant}.txt"

    def text(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        played = game(self.variant, **self.options)
        state, rng = played.start(), new_stream(self.seed)
        yield f"{self.variant}: {self.about}"
        yield "options: " + ", ".join(f"{name} {value}" for name, value in played.options.items())
        yield (
            f"{played.num_players} players ({', '.join(played.players)}), {played.num_actions} actions, "
            f"observation {'x'.join(map(str, played.observation_shape))}, {played.num_symmetries} symmetries, seed {self.seed}"
        )
        while not state.is_over:
            yield ""
            yield from facts(state)
            moves = []
            while len(moves) < (SHOWN_CARDS if core.hides(played.law) else SHOWN_EVERY) and not state.is_over:
                move = random_move(state, rng)
                moves.append(f"{state.ply + 1} {played.players[state.to_play]} {played.text_of(move)}")
                known = len(state.history) + 1
                state.play(move)
                moves += [f"chance {played.text_of(outcome)}" for outcome in state.history[known:]]
            yield "then   " + ", ".join(moves)
        yield ""
        yield from facts(state)
        yield f"end    {state.reason} after {state.ply} plies, payoffs {' '.join(f'{x:+g}' for x in state.payoffs)}"


def facts(state: State) -> Iterator[str]:
    """The board, if there is one, and the numbers that name the position."""
    if "width" in state.game.options:
        yield from diagram(state)
    turn = "over" if state.is_over else f"{state.game.players[state.to_play]} to play"
    key, k = state.canonical_key
    yield f"ply    {state.ply}, {turn}, {len(state.legal_actions())} legal actions"
    yield f"text   {state.to_text()}"
    yield f"key    {state.key:016x}, canonical {key:016x} by symmetry {k}"
    checks = (zlib.crc32(state.observe(seat).tobytes()) for seat in range(state.game.num_players))
    yield "seen   " + ", ".join(f"{check:08x} by {name}" for check, name in zip(checks, state.game.players))


def diagram(state: State) -> Iterator[str]:
    """Rows from the top: X Black, O White, ! a free point that is not legal; other families draw themselves."""
    if not isinstance(state.game.face, LineFace):
        yield from str(state).splitlines()
        return
    board, legal, width = state.game.face.board(state), state.legal_mask(), state.game.options["width"]
    signs = [".XO"[v] if v or legal[cell] or state.is_over else "!" for cell, v in enumerate(board)]
    for start in range(len(signs) - width, -1, -width):
        yield f"{start // width + 1:5}  " + " ".join(signs[start : start + width])
    yield "       " + " ".join(LETTERS[:width])


def random_move(state: State, rng: np.ndarray) -> int:
    """A random legal action, three times in four within `NEAR` of the last stone."""
    legal, width = state.legal_actions().tolist(), state.game.options.get("width", 0)
    last = int(state.record["last"][0]) if width else -1
    if last >= 0 and below(rng, 4) > 0:
        row, column = divmod(last, width)
        close = [a for a in legal if max(abs(a // width - row), abs(a % width - column)) <= NEAR]
        legal = close or legal
    return int(legal[below(rng, len(legal))])


def playthroughs() -> list[Playthrough]:
    """One for each variant of ours."""
    rows = [entry.variant for entry in entries() if entry.law.__name__.startswith("narabe.envs.")]
    return [Playthrough(row.name, row.about, *GAMES.get(row.name, ({}, 1))) for row in rows]


if __name__ == "__main__":
    for playthrough in playthroughs():
        playthrough.file.write_text(playthrough.text())
        print(playthrough.file)
