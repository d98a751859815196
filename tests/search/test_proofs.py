"""Proofs: their files, and the checker, which must believe nothing that the law does not bear out."""

from __future__ import annotations

import dataclasses
import gzip
import json
import pathlib

import numpy as np
import pytest

from narabe import envs
from narabe.search.threats import DEAD, LIGHT, NONE, WIN_NOW, Node, Proof, ProofError, check
from narabe.search.threats.blocking import is_safe, weight_of_rows
from narabe.search.threats.check import _grown

A1, B1, C1, D1, A2, B2, C2, D2, A3, B3, C3, D3 = range(12)


def rows_of_three() -> Proof:
    """Black wins 4x4 with rows of three: B2, then a second stone beside it."""
    state = envs.game("freestyle", size=4, row=3).start()
    nodes = [Node(B2, {A2: 1, C2: 1, D2: 1}, 2), Node(B3, {B1: 3, 13: 4}, WIN_NOW), Node(C2, {A2: 5, D2: 6}, WIN_NOW)]
    nodes += [Node(13, {}, NONE), Node(B1, {}, NONE), Node(D2, {}, NONE), Node(A2, {}, NONE)]
    return Proof.of(state, 0, "win", nodes, "by hand")


def with_node(proof: Proof, k: int, **changes: int) -> Proof:
    arrays = {name: getattr(proof, name).copy() for name in changes}
    for name, value in changes.items():
        arrays[name][k] = value
    return dataclasses.replace(proof, **arrays)


def test_a_proof_that_holds() -> None:
    counts = check(rows_of_three())
    assert counts.plies == 5
    assert counts.positions == 1 + 15 + 15 * 2  # every reply to the first move, and both ends of each line
    assert counts.replies == 15 + 15 * 13


def test_it_is_read_back(tmp_path: pathlib.Path) -> None:
    proof = rows_of_three()
    for name in ("proof.json", "proof.json.gz"):
        proof.save(tmp_path / name)
        back = Proof.load(tmp_path / name)
        assert back.to_json() == proof.to_json()
        assert check(back) == check(proof)
    assert (tmp_path / "proof.json").read_text().splitlines()[1] == ' "claim": "Black wins",'
    assert gzip.decompress((tmp_path / "proof.json.gz").read_bytes()).decode() == proof.to_json()


@pytest.mark.parametrize(
    ("k", "changes", "words", "line"),
    [
        (2, {"otherwise": NONE}, "no answer", "B2 A1 C2 B1"),
        (2, {"move": B2}, "not legal", "B2 A1 B2"),
        (6, {"move": A3}, "no answer", "B2 A1 C2 D2 A3 B1"),
        (5, {"move": D3}, "no move|no answer", "B2 A1 C2 A2 D3 B1"),
        (0, {"otherwise": WIN_NOW}, "no move that wins", "B2 A1"),
        (0, {"otherwise": DEAD}, "does not hold in this game", "B2 A1"),
        (0, {"otherwise": LIGHT}, "does not hold in this game", "B2 A1"),
        (0, {"move": -1}, "prover's turn", ""),
    ],
)
def test_faults_are_found(k: int, changes: dict[str, int], words: str, line: str) -> None:
    proof = with_node(rows_of_three(), k, **changes)
    with pytest.raises(ProofError, match=words) as caught:
        check(proof)
    assert [proof.game.text_of(a) for a in caught.value.line] == line.split()


def test_a_move_that_loses_or_draws_is_no_win() -> None:
    game = envs.game("freestyle", size=3, row=3)
    full = game.position(black="A1 B1 C2 A3", white="A2 B2 C1 B3", to_move="black")
    with pytest.raises(ProofError, match="ends the game against the claim"):
        check(Proof.of(full, 0, "win", [Node(8, {})]))
    assert check(Proof.of(full, 0, "hold", [Node(8, {})])).plies == 1
    lost = game.position(black="A1 B2", white="A3 B3", to_move="black")
    with pytest.raises(ProofError, match="this reply ends"):
        check(Proof.of(lost, 0, "hold", [Node(1, {}, WIN_NOW)]))


def test_dead_and_light() -> None:
    def hold(row: int, otherwise: int, **stones: str) -> Proof:
        state = envs.game("freestyle", size=3, row=row).position(to_move="white", **stones)
        return Proof.of(state, 1, "hold", [Node(4, {}, otherwise)])

    assert check(hold(3, DEAD, black="A1 C3 A2 C1", white="B1 A3 C2")).positions == 1
    with pytest.raises(ProofError, match="opponent can still make a row"):
        check(hold(3, DEAD, black="A1", white=""))
    with pytest.raises(ProofError, match="cannot all be blocked"):
        check(hold(3, LIGHT, black="A1", white=""))
    assert check(hold(3, LIGHT, black="A1 C3", white="B3 C2")).replies == 4
    renju = envs.game("renju", size=7, row=5).position(white="A1", to_move="black")
    with pytest.raises(ProofError, match="does not hold in this game"):
        check(Proof.of(renju, 0, "hold", [Node(14, {}, LIGHT)]))
    pente = envs.game("capture_gomoku", size=5, opening="none").position(black="A1", to_move="white")
    with pytest.raises(ProofError, match="does not hold in this game"):
        check(Proof.of(pente, 1, "hold", [Node(12, {}, DEAD)]))


def test_where_a_double_three_may_shut_a_cell() -> None:
    omok = envs.game("omok", size=5, row=4)
    position = omok.position(black="A1 A4", white="C3", to_move="black")
    with pytest.raises(
        ProofError, match="cannot all be blocked"
    ):  # White may some day be forbidden most of the inner cells
        check(Proof.of(position, 1, "hold", [Node(-1, {}, LIGHT)]))
    board = np.zeros(25, np.int8)
    assert [a for a in range(25) if not is_safe(board, 5, 4, 1, a)] == [6, 7, 8, 11, 12, 13, 16, 17, 18]
    board[10] = 1  # A3: no open three in its row any more; the middle has the column and the diagonals left
    assert [a for a in range(25) if not is_safe(board, 5, 4, 1, a)] == [6, 7, 8, 12, 16, 17, 18]


def test_weights_of_rows() -> None:
    board, nobody = np.zeros(12, np.int8), np.full(12, -1)
    assert weight_of_rows(board, 4, 3, 0, nobody, True, -1) == 6 + 4 + 4  # 4x3: rows, columns, diagonals
    board[5], board[0] = 2, 1
    assert weight_of_rows(board, 4, 3, 0, nobody, True, -1) == 2 * (2 + 1 + 1) + 7  # B2; the rest but three through A1


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("first", [0, 1], "lengths"),
        ("move", [5, 9, -1], "move must hold"),
        ("move", [5, 9, 70000], "no list of whole numbers"),
        ("child", [1, 9], "child must hold"),
        ("otherwise", [2, -1, -7], "otherwise must hold"),
        ("reply", [4, 4], "reply twice"),
        ("seat", 2, "seat 2"),
        ("seat", "x", "field seat"),
        ("goal", "draw", "goal 'draw'"),
        ("narabe_proof", 99, "format 99"),
        ("reasons", {}, "reasons"),
    ],
)
def test_what_is_no_proof(name: str, value: object, words: str) -> None:
    state = envs.game("freestyle", size=4, row=3).start()
    proof = Proof.of(state, 0, "win", [Node(5, {4: 1, 6: 1}, 2), Node(9, {}, WIN_NOW), Node(6, {}, WIN_NOW)])
    data = json.loads(proof.to_json())
    with pytest.raises(ValueError, match=words):
        Proof.from_json(json.dumps(data | {name: value}))
    with pytest.raises(ValueError, match="no proof of narabe"):
        Proof.from_json("[]")


def test_the_memo_grows_without_loss() -> None:
    memo = np.zeros((8, 3), np.uint64)
    for k in range(3):
        memo[k] = 1000 * k, k + 1, 7
    larger = _grown(memo)
    assert sorted(map(tuple, larger[larger[:, 1] > 0].tolist())) == [(0, 1, 7), (1000, 2, 7), (2000, 3, 7)]
