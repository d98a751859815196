"""Proof-number search, depth first, over the attacker's threats and the defender's answers.

Source: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002); weak proof numbers (the largest of the
children that must all hold, and one for each other) after Ueda et al., "Weak proof-number search" (2008).
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import follow, step_back
from narabe.search.threats.desk import UNKNOWN, UNLIMITED, WON
from narabe.search.threats.vcf import find
from narabe.search.threats.vct_attacks import ONE_MORE, list_attacks
from narabe.search.threats.vct_defences import list_defences
from narabe.search.threats.vct_desk import CHILDREN, DISPROVEN, INFINITE, MAX_DEPTH, OPEN, PROVEN
from narabe.search.threats.vct_table import NO_LIST, keep_list, recall_list, slot_of, store

LEFT_KEY = np.uint64(0x9E3779B97F4A7C15)


@kernel
def change_of(desk, left):
    """What is mixed into the key of a position: the question, and the plies left where they are limited."""
    if left >= UNLIMITED >> 1:
        return np.uint64(desk.salt)
    return np.uint64(desk.salt) ^ (np.uint64(left + 1) * LEFT_KEY)


@kernel
def look(s, p, desk, fours, failures, entries, left):
    """Look at a position for the first time: PROVEN, DISPROVEN, or OPEN with a list of moves in the desk. (status, move)"""
    desk.nodes += 1
    desk.expanded += 1
    if core.is_over(s):
        return (PROVEN if core.payoff(s, desk.attacker + 1) > 0 else DISPROVEN), np.int64(-1)
    change = change_of(desk, left - 1)
    left = min(np.int64(left), np.int64(core.calm_plies(s)))
    if core.to_move(s) != desk.attacker + 1:
        return list_defences(s, p, desk, fours, failures, entries, left, change), np.int64(-1)
    found = find(s, p, fours, failures, desk.four_nodes, left)
    desk.nodes += fours.nodes
    if found == WON:
        return PROVEN, np.int64(fours.move)
    if left < 5:
        desk.cut += found == UNKNOWN
        return DISPROVEN, np.int64(-1)
    list_attacks(s, p, desk, fours)
    return (OPEN if desk.n_list > 0 else DISPROVEN), np.int64(-1)


@kernel
def _open(s, p, desk, fours, failures, entries, ring, depth):
    """Open the frame at ``depth`` on the present position; False if it was settled on the way (and is stored)."""
    left = np.int64(desk.left[depth])
    key = core.key(s) ^ change_of(desk, left)
    desk.key[depth], desk.began[depth], desk.count[depth] = key, desk.nodes, 0
    known = slot_of(entries, key)
    at = np.int64(NO_LIST) if known < 0 else np.int64(entries[known].at)
    if not recall_list(desk, ring, at):
        status, move = look(s, p, desk, fours, failures, entries, left)
        if status == OPEN and (depth + 2 >= MAX_DEPTH or desk.first[depth] + desk.n_list > CHILDREN):
            desk.cut += 1
            status = DISPROVEN
        if status != OPEN:
            proof, disproof = (np.int64(0), INFINITE) if status == PROVEN else (INFINITE, np.int64(0))
            store(desk, entries, key, proof, disproof, desk.nodes - desk.began[depth], move, NO_LIST)
            return False
        at = keep_list(desk, ring)
    desk.at[depth] = at
    desk.count[depth] = desk.n_list
    first = np.int64(desk.first[depth])
    change = change_of(desk, left - 1)
    for k in range(desk.n_list):
        a = np.int64(desk.moves[k])
        core.apply(s, a)
        desk.child_key[first + k] = core.key(s) ^ change
        core.undo(s)
        desk.child_move[first + k] = a
        desk.child_proof[first + k] = desk.proof_guess[k]
        desk.child_disproof[first + k] = desk.disproof_guess[k]
    return True


@kernel
def _weigh(desk, entries, depth, attacking):
    """Numbers of the frame from its children: (proof, disproof, best child, its numbers, second best number).

    To the attacker one child is enough, so he takes the smallest proof number; to the defender all is the other way round.
    """
    first, n = np.int64(desk.first[depth]), np.int64(desk.count[depth])
    least, second, most, others, best = INFINITE + 1, INFINITE + 1, np.int64(0), np.int64(0), np.int64(-1)
    best_other = np.int64(0)
    for k in range(first, first + n):
        known = slot_of(entries, desk.child_key[k])
        proof, disproof = np.int64(desk.child_proof[k]), np.int64(desk.child_disproof[k])
        if known >= 0:
            proof, disproof = np.int64(entries[known].proof), np.int64(entries[known].disproof)
        one, all_ = (proof, disproof) if attacking else (disproof, proof)
        if one < least or one == least and all_ < best_other:
            least, second, best, best_other = one, least, k, all_
        elif one < second:
            second = one
        most = max(most, all_)
        others += all_ > 0
    if most < INFINITE:
        most += ONE_MORE[1 if attacking else 0] * max(others - 1, 0)
    return least, most, best, best_other, second, others


@kernel
def advance(states, n, patterns, desks, four_desks, failures, entries, ring, limit):
    """Search on from the root, state ``n``, until it is settled or ``limit`` nodes are reached; (proof, disproof)."""
    s, p, desk, fours = states[n], patterns[n], desks[0], four_desks[0]
    depth = np.int64(0)
    desk.first[0], desk.left[0] = 0, desk.plies
    desk.most_proof[0], desk.most_disproof[0] = INFINITE, INFINITE
    opened = _open(s, p, desk, fours, failures, entries, ring, depth)
    while True:
        if opened:
            attacking = core.to_move(s) == desk.attacker + 1
            least, most, best, other, second, others = _weigh(desk, entries, depth, attacking)
            if attacking:
                proof, disproof, most_one, most_all = least, most, desk.most_proof[depth], desk.most_disproof[depth]
            else:
                proof, disproof, most_one, most_all = most, least, desk.most_disproof[depth], desk.most_proof[depth]
            if least >= most_one or most >= most_all or least == 0 or most == 0 or desk.nodes >= limit:
                if least == 0:
                    most = INFINITE
                    proof, disproof = (least, most) if attacking else (most, least)
                elif most == 0:
                    least = INFINITE
                    proof, disproof = (least, most) if attacking else (most, least)
                move = np.int64(desk.child_move[best]) if attacking and proof == 0 else np.int64(-1)
                work = desk.nodes - desk.began[depth]
                store(desk, entries, desk.key[depth], proof, disproof, work, move, desk.at[depth])
                opened = False
                if depth == 0:
                    return proof, disproof
        if not opened:
            if depth == 0:
                known = slot_of(entries, desk.key[0])
                return np.int64(entries[known].proof), np.int64(entries[known].disproof)
            core.undo(s)
            step_back(p)
            depth -= 1
            opened = True
            continue
        # into the best child
        for_one = min(most_one, second + max(np.int64(1), second * desk.slack >> 4))
        for_all = most_all - ONE_MORE[1 if attacking else 0] * max(others - 1, 0) if most_all < INFINITE else INFINITE
        if for_all < other + 1:
            for_all = other + 1
        a = np.int64(desk.child_move[best])
        desk.first[depth + 1] = desk.first[depth] + desk.count[depth]
        desk.left[depth + 1] = desk.left[depth] - 1
        if attacking:
            desk.most_proof[depth + 1], desk.most_disproof[depth + 1] = for_one, for_all
        else:
            desk.most_proof[depth + 1], desk.most_disproof[depth + 1] = for_all, for_one
        core.apply(s, a)
        follow(s, p, a)
        depth += 1
        opened = _open(s, p, desk, fours, failures, entries, ring, depth)
