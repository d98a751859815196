"""From the law of Goita to the solver: a state of play with the hands of all seats."""

from __future__ import annotations

import numpy as np

from narabe.envs.game import State
from narabe.envs.rules import goita
from narabe.envs.rules.goita import record as R
from narabe.envs.rules.goita.hands import count
from narabe.envs.rules.jit import kernel
from narabe.search.goita.descent import ask
from narabe.search.goita.position import Position, PositionError


def position_of_state(state: State) -> Position:
    """The position of a deal in play; `PositionError` before the cards are dealt, while hands are declared, and after the end.

    >>> from narabe.envs import game
    >>> state = game("goita").from_text("0-0 s1 11223448,11122357,11356678,11134455 114,2p,3p,444")
    >>> position_of_state(state)
    Position(hands=('122348', '11122357', '11356678', '111355'), turn=0, attack=4, attacker=3, king_shown=False, burier=-1)
    """
    if state.game.law is not goita:
        raise PositionError(f"{state.game.spec} is not Goita")
    s = state.record[0]
    if int(s["phase"]) != R.PLAY:
        raise PositionError("only a deal in which cards are being played can be solved")
    seats = int(s["players"])
    hands = ["".join(str(k) * int(count(int(word), k)) for k in range(1, R.KINDS + 1)) for word in s["hand"][:seats]]
    kings = [(int(count(int(s["start_hand"][seat]), R.KING)), hands[seat].count("8")) for seat in range(seats)]
    shown = int(s["kings_up"]) > 0
    burier = kings.index((2, 1)) if (2, 1) in kings and not shown else -1
    return Position(tuple(hands), int(s["turn"]), int(s["attack"]), int(s["attacker"]), shown, burier)


@kernel
def ask_state(boxes, s, win):
    """`descent.ask` about a record of the law that is in play, for searches in compiled code."""
    free = np.int64(s.kings_up) > 0
    if s.after_burying != 0 and not free:
        for seat in range(4):
            free |= count(s.start_hand[seat], R.KING) == 2 and count(s.hand[seat], R.KING) == 1
    return ask(
        boxes,
        s.hand[0],
        s.hand[1],
        s.hand[2],
        s.hand[3],
        np.int64(s.turn),
        np.int64(s.attack),
        np.int64(s.attacker),
        np.int64(free),
        np.int64(s.after_burying),
        win,
    )
