"""What a picture of Goita shows: all cards of a state, or what one seat may know of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from narabe.envs.rules.goita import record as R
from narabe.envs.table import Card, Play, Seat, Table

if TYPE_CHECKING:
    from narabe.envs.game import State


IN_HAND = "in hand"


def table_of(state: State, sign: Callable[[int], str]) -> Table:
    """The table through the eyes of `state.seat`, or with all cards where that is None; ``sign`` writes a card.

    A view's record holds cards that were dealt at random where its seat cannot know them; none of those is shown.
    """
    s, game = state.record[0], state.game
    plays = int(s["plays"])
    mover = state.to_play  # of a view: as far as its seat can know, for nobody sees that another is asked about 市民
    return Table(
        [_seat(state, seat, sign) for seat in range(game.num_players)],
        deck=game.options["cards"],
        dealer=None if s["phase"] == R.FIRST_DEALER else int(s["dealer"]),
        to_play=mover if mover >= 0 else None,
        last=int(s["order"][plays - 1]) if plays else None,
        scores=[int(points) * game.options["points"] for points in s["scores"]],
        title=game.title,
        captions=_captions(state, mover, sign),
        room=game.options["hand"] // 2,
    )


def _seat(state: State, seat: int, sign: Callable[[int], str]) -> Seat:
    s = state.record[0]
    own = state.seat in (None, seat)
    known = own or bool(s["opened"] >> seat & 1)
    held = int(s["hand"][seat])
    notes = [f"five {sign(1)}"] if s["announced"] >> seat & 1 else []
    place = _second_king(s, seat, known)
    if place not in ("", IN_HAND) and not known:
        notes.append(f"{sign(R.KING)} {place}")
    kept = place == IN_HAND
    plays = [_play(s, seat, number, own) for number in range(s["played"][seat])]
    return Seat(state.game.players[seat], _hand(held, known, kept), plays, shown=int(kept), notes=notes)


def _second_king(s: np.void, seat: int, known: bool) -> str:
    """Where everybody knows the king of this seat to be that is not on the table; '' if nothing is known of it."""
    if s["king_place"] == R.NOWHERE or s["king_seat"] != seat:
        return ""
    if s["king_place"] == R.BURIED:
        return "face down"
    since = slice(int(s["king_play"]), int(s["played"][seat]))
    lies, first = s["lies"][seat, since], s["first"][seat, since]
    if known:
        return IN_HAND if int(s["hand"][seat]) >> 28 else ""
    if ((lies == R.OPENED) & (first == R.KING)).any():
        return ""
    return "in hand or face down" if (lies == R.FACE_DOWN).any() else IN_HAND


def _hand(hand: int, known: bool, kept: bool) -> list[Card]:
    """The cards of a hand in order; if it is not known, backs and the king that its owner has shown."""
    counts = [hand >> 4 * (kind - 1) & 15 for kind in range(1, R.KINDS + 1)]
    if known:
        return [kind for kind, count in enumerate(counts, start=1) for _ in range(count)]
    backs: list[Card] = [None] * (sum(counts) - kept)
    return [*backs, R.KING] if kept else backs


def _play(s: np.void, seat: int, number: int, own: bool) -> Play:
    lies = s["lies"][seat, number]
    known = own or lies != R.FACE_DOWN
    first = int(s["first"][seat, number]) if known else None
    return Play(first, int(s["second"][seat, number]), down=bool(lies != R.FACE_UP))


def _captions(state: State, mover: int, sign: Callable[[int], str]) -> list[str]:
    s, names = state.record[0], state.game.players
    if state.is_over:
        winners = " & ".join(names[seat] for seat in state.winners)
        return [f"{winners or 'nobody'} win{'s' * (len(state.winners) < 2)} ({state.reason})"]
    if mover < 0:
        return ["the first dealer is to be drawn" if s["phase"] == R.FIRST_DEALER else "to be dealt"]
    name = names[mover]
    if s["phase"] == R.ANSWER:
        return [f"{name} answers: play on, or deal again"]
    if s["phase"] == R.ANNOUNCE:
        return [f"{name} may speak of {int(s['hand'][mover]) & 15} {sign(1)}"]
    return [f"{name} faces {sign(int(s['attack']))}" if s["attack"] else f"{name} leads"]
