"""The brute force itself: its reading of threes, a few positions worked out by hand, and small games."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.envs import State, game
from narabe.envs.game import IllegalMove
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.lines import THREE, WIDE_THREE
from narabe.search.threats import WIN_NOW, Node, Proof
from narabe.tests.laws.pattern_games import cells_around
from narabe.tests.oracles.proofs import longest_play
from narabe.tests.oracles.threats import (
    CELLS,
    Admitted,
    makes_three,
    vcf_lengths,
    vct_lengths,
    vct_within,
)
from narabe.tests.oracles.whole_games import Minimax
from narabe.tests.oracles.windows import CLOSED, FREE, OWN, closed, kind
from narabe.tests.search.threat_positions import BY_NAME, batches


@kernel
def threes_of(states, i, cells, out):
    line = np.zeros(CELLS, np.int8)
    for a in range(cells):
        out[a] = makes_three(states[i], np.int64(a), line)


@pytest.mark.parametrize("name", ["freestyle", "gomoku", "renju", "gomocku", "rows of four", "rows of exactly four"])
def test_threes_are_those_of_the_window_as_a_string(name: str) -> None:
    met = 0
    for made, records in batches(BY_NAME[name], 60, seed=3, quiet=True):
        w, h = made.options["width"], made.options["height"]
        found = np.zeros(w * h, np.bool_)
        for i, s in enumerate(records):
            mover, row = int(s["mover"]), int(s["row"])
            board = made.face.board(State(made, records[i : i + 1], np.zeros(1, np.uint64)))
            shown = [FREE if v == 0 else OWN if v == mover else CLOSED for v in board] + [CLOSED]
            threes_of(records, i, w * h, found)
            for a in np.flatnonzero(board == 0):
                windows = [closed("".join(shown[q] for q in cells)) for cells in cells_around(w, h)[a]]
                kinds = {kind(window, row, bool(s["exact"][mover - 1])) for window in windows}
                assert found[a] == bool(kinds & {THREE, WIDE_THREE})
                met += found[a]
    assert met > 100


def lengths(name: str, size: int, black: str, white: str, to_move: str = "black", **more) -> tuple[int, int]:
    """(VCF, VCT) within 9 and 7 plies of the side to move."""
    state = game(name, size=size, **more.pop("options", {})).position(black=black, white=white, to_move=to_move, **more)
    return int(vcf_lengths(state.record, 9)[0]), int(vct_lengths(state.record, 5)[0])


def test_positions_worked_out_by_hand() -> None:
    free = {"opening": "none"}
    assert lengths("freestyle", 7, "B2 C2 D2 E2", "A2 B6 C6") == (1, 1)
    assert lengths("freestyle", 7, "B2 C2 D2", "B6 C6") == (3, 3)  # an open four
    assert lengths("freestyle", 7, "B2 C2 D2", "A2 B6 C6") == (0, 0)  # a four that is parried
    assert lengths("freestyle", 7, "A2 B2 C2 D2 F2", "") == (1, 1)
    assert lengths("gomoku", 7, "A2 B2 C2 D2 F2", "") == (0, 0)  # six do not win
    assert lengths("freestyle", 7, "B2 C2 D2", "A2 F6 F5 F4 F3") == (0, 0)  # White's four comes first
    assert lengths("freestyle", 7, "B2 C2 D2", "B6 C6 D6 E6") == (0, 0)  # it must be parried, which is no four
    assert lengths("freestyle", 7, "C4 D4 E5 E6", "A1 A7 G1 G7") == (0, 5)  # two open threes
    assert lengths("omok", 7, "C4 D4 E5 E6", "A1 A7 G1 G7") == (0, 0)  # are banned there
    assert lengths("capture_gomoku", 7, "A1", "B1 C1", pairs=(4, 0), options=free) == (1, 1)  # the fifth pair
    assert lengths("capture_gomoku", 7, "A1", "B1 C1 A2 A3", pairs=(3, 0), options=free) == (0, 0)  # is saved on A4
    assert lengths("capture_gomoku", 7, "A1", "B1 C1 A2 A3 B2 C3", pairs=(3, 0), options=free) == (3, 3)  # not twice


def test_a_parry_that_is_banned_is_none() -> None:
    """White's four A5 to D5 can only be stopped on E5, which is a double three for Black."""
    for name, won in (("freestyle", 0), ("omok", 3), ("renju", 3)):
        assert lengths(name, 9, "C3 D4 E6 E7", "A5 B5 C5", "white") == (won, won)


def test_what_is_admitted_only_adds_wins() -> None:
    for name in ("renju", "captures in rows of four"):
        for _, records in batches(BY_NAME[name], 40, seed=4, quiet=True):
            strict, threes = (vct_lengths(records, 5, admitted) for admitted in (Admitted.STRICT, Admitted.THREES))
            fours = vcf_lengths(records, 5)
            assert not ((strict > 0) & (threes == 0)).any()
            assert not ((fours > 0) & (strict == 0)).any()


def test_a_proof_is_followed_through() -> None:
    state = game("freestyle", size=4, row=3).start()
    nodes = [Node(5, {4: 1, 6: 1, 7: 1}, 2), Node(9, {}, WIN_NOW), Node(6, {}, WIN_NOW)]
    assert longest_play(Proof.of(state, 0, "win", nodes)) == 5
    with pytest.raises(AssertionError):
        longest_play(Proof.of(state, 0, "win", [Node(5, {}, 1), nodes[2]]))  # a reply on 6 is not answered
    with pytest.raises(IllegalMove):
        longest_play(Proof.of(state, 0, "win", [nodes[0], Node(5, {}, WIN_NOW), nodes[2]]))
    assert not vct_within(state, 3) and vct_within(state, 5)


def test_small_games() -> None:
    noughts = Minimax(game("freestyle", size=3, row=3))
    state = noughts.game.start()
    assert noughts.solve(state) == (0, 0) and noughts.positions < 600
    assert noughts.solve(state.play("B2").play("A1")) == (0, 0)
    assert noughts.solve(state.undo().play("B1")) == (1, 5)
    with pytest.raises(MemoryError):
        Minimax(noughts.game, 64).solve(noughts.game.start())
