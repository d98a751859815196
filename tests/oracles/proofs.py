"""Proofs followed through by `State` alone: every legal reply at every node, in plain Python."""

from __future__ import annotations

from narabe.envs import State
from narabe.search.threats import DEAD, LIGHT, PAIRED, WIN_NOW, Proof
from narabe.tests.oracles.whole_games import Minimax


def wins_at_once(state: State, seat: int) -> bool:
    """Has the side to move, which is ``seat``, a move that wins?"""
    assert state.to_play == seat
    for action in state.legal_actions():
        state.play(int(action))
        won = state.is_over and state.payoffs[seat] > 0
        state.undo()
        if won:
            return True
    return False


def longest_play(proof: Proof) -> int:
    """Plies of the longest game that the other can make of a proof with the goal "win"; `AssertionError` if it does not hold.

    Illegal moves of the prover raise `narabe.envs.game.IllegalMove`.
    """
    assert proof.goal == "win"
    return _after(proof.state(), proof, 0)


def _after(state: State, proof: Proof, node: int) -> int:
    seat, move = proof.seat, int(proof.move[node])
    if move >= 0:
        assert state.to_play == seat
        state.play(move)
        if state.is_over:
            assert state.payoffs[seat] > 0
            state.undo()
            return 1
    assert state.to_play == 1 - seat
    longest = 0
    for reply in state.legal_actions():
        state.play(int(reply))
        assert not state.is_over, "a reply ends the game"
        answer = proof.answer(node, int(reply))
        if answer == WIN_NOW:
            assert wins_at_once(state, seat)
            longest = max(longest, 2)
        else:
            assert answer >= 0, "no node answers a reply"
            longest = max(longest, 1 + _after(state, proof, answer))
        state.undo()
    if move >= 0:
        state.undo()
        longest += 1
    return longest


def hold(proof: Proof, minimax: Minimax) -> int:
    """Follow a proof with the goal "hold" through; returns the positions met. `AssertionError` if it does not hold.

    DEAD, LIGHT and pairs are believed if minimax agrees that the prover does not lose.
    """
    assert proof.goal == "hold"
    met: set[tuple[int, int]] = set()
    _hold(proof.state(), proof, 0, minimax, met)
    return len(met)


def _hold(state: State, proof: Proof, node: int, minimax: Minimax, met: set[tuple[int, int]]) -> None:
    if (node, state.key) in met:
        return
    met.add((node, state.key))
    seat, move = proof.seat, int(proof.move[node])
    if move >= 0:
        assert state.to_play == seat
        state.play(move)
        if state.is_over:
            assert state.payoffs[seat] >= 0
            state.undo()
            return
    assert state.to_play == 1 - seat
    for reply in state.legal_actions():
        state.play(int(reply))
        answer = proof.answer(node, int(reply))
        if state.is_over:
            assert state.payoffs[seat] >= 0, "a reply wins"
        elif answer == WIN_NOW:
            assert wins_at_once(state, seat)
        elif answer in (DEAD, LIGHT) or answer <= PAIRED:
            assert minimax.solve(state)[0] * (1 if state.to_play == seat else -1) >= 0
        else:
            assert answer >= 0, "no node answers a reply"
            _hold(state, proof, answer, minimax, met)
        state.undo()
    if move >= 0:
        state.undo()
