"""Answers of the search for continuous fours, written out as proofs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from narabe.envs.game import State
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import new_patterns, read
from narabe.search.threats.desk import WON, new_desk
from narabe.search.threats.proof import NONE, WIN_NOW, Node, Proof
from narabe.search.threats.taking import list_wins, play, take_back
from narabe.search.threats.vcf import find


def proof_of_line(state: State, line: Sequence[int]) -> Proof:
    """The proof of a win without captures: each four answers itself, since any other reply loses at once.

    ``state``: the attacker is to move; ``line``: attack, reply, attack, ..., the winning move. After the last four nothing
    parries, so its reply is not listed.
    """
    nodes: list[Node] = []
    for k in range(0, len(line) - 3, 2):
        nodes.append(Node(line[k], {line[k + 1]: len(nodes) + 1}, WIN_NOW))
    if len(line) >= 3:
        nodes.append(Node(line[-3], {}, WIN_NOW))
    else:
        nodes.append(Node(line[0], {}, NONE))
    return Proof.of(state, state.to_play, "win", nodes, "vcf")


class ProofBroken(RuntimeError):
    """A win that was found is not found again: an error of the search, to be reported with its position."""


def proof_of_tree(state: State, table: np.ndarray, plies: int) -> Proof:
    """The proof of a win with captures, at most ``plies`` long: the search is asked again after each reply that parries.

    ``table``: the failures of the search that found the win.
    """
    record, patterns, desk = state.record.copy(), new_patterns(), new_desk()
    known: dict[tuple[int, int], int] = {}
    nodes: list[Node] = []
    replies = np.zeros(state.game.num_actions, np.int64)

    def build(left: int) -> int:
        found, key = ask(record, patterns, desk, table, left)
        if found != WON:
            raise ProofBroken(f"no win after {state.to_text()} for a reply that was answered before")
        if (key, left) in known:
            return known[key, left]
        attack, length = int(desk[0]["move"]), int(desk[0]["length"])
        k = known[key, left] = len(nodes)
        nodes.append(Node(attack, {}, NONE))
        if length > 1:
            step(record, attack)
            children = {}
            for reply in replies[: open_replies(record, patterns, desk, replies)].tolist():
                step(record, reply)
                children[reply] = build(left - 2)
                back(record)
            back(record)
            nodes[k] = Node(attack, children, WIN_NOW)
        return k

    build(plies)
    return Proof.of(state, state.to_play, "win", nodes, "vcf")


@kernel
def ask(states, patterns, desks, table, plies):
    """(WON or not, key) of state 0, the nodes unlimited."""
    read(states[0], patterns[0])
    return find(states[0], patterns[0], desks[0], table, 1 << 62, plies), core.key(states[0])


@kernel
def open_replies(states, patterns, desks, out):
    """Write the legal replies after which the other side does not win at once; returns how many there are."""
    s, p, desk = states[0], patterns[0], desks[0]
    read(s, p)
    i, n = core.to_move(s) - 1, 0
    for a in range(core.num_actions(s)):
        if core.is_legal(s, a):
            play(s, p, a)
            if core.is_over(s) or list_wins(s, p, desk, 1 - i, np.int64(0)) == 0:
                out[n] = a
                n += 1
            take_back(s, p)
    return n


@kernel
def step(states, a):
    core.apply(states[0], a)


@kernel
def back(states):
    core.undo(states[0])
