"""Principal-variation search: alpha-beta with null windows, a table, selective depth.

Sources: Marsland, "A review of game-tree pruning" (1986) for the scheme; the reductions, the null move and the margins
follow what chess engines have in common. Every number that was chosen by measuring stands below.

A score is an estimate within +- MOST, or a win or loss counted in plies from the root. Of these there are two kinds
(`desk`): *proven*, where every reply was tried or is known to lose, and *believed*, where only candidates were tried.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import apply, hand_over, is_legal, key, undo
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import FOURS_SET, first_in, follow, step_back
from narabe.search.alphabeta.desk import (
    BELIEVED,
    BELIEVED_WIN,
    INFINITE,
    MAX_PLY,
    PROVEN_WIN,
    WIDEST,
    WIN,
)
from narabe.search.alphabeta.evaluation import estimate
from narabe.search.alphabeta.moves import (
    next_winning_cell,
    parrying_cells,
    pick,
    push,
    push_captures,
    push_fours,
    push_near,
    stands,
    two_fours,
)
from narabe.search.alphabeta.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    MISS,
    bound_in,
    depth_in,
    look_up,
    move_in,
    score_in,
    store,
)
from narabe.search.threats.desk import UNLIMITED, WON
from narabe.search.threats.vcf import find

NO_CELL = -1
CALM_MARGIN = 120  # points a ply by which a calm position may exceed beta to be left at that
CALM_DEPTH = 4
NULL_DEPTH = 3  # least depth at which a pass is tried
FULL_MOVES = 3  # so many moves are searched to full depth
FEW_MOVES = 3  # times one and the squared depth: so many are searched at all where nothing presses


@kernel
def keep_line(desk, a, ply):
    """The principal variation from ``ply`` on is ``a`` and what follows at the next ply."""
    at, below = ply * MAX_PLY, (ply + 1) * MAX_PLY
    n = np.int64(desk.pv_length[ply + 1])
    desk.pv[at] = a
    for k in range(n):
        desk.pv[at + 1 + k] = desk.pv[below + k]
    desk.pv_length[ply] = n + 1


@kernel
def end_line(desk, a, ply):
    """The line ends with ``a``."""
    desk.pv[ply * MAX_PLY] = a
    desk.pv_length[ply] = 1


@kernel
def continuous_fours(s, p, desk, v, failures, i, most, ply):
    """Has the side to move, which cannot win within three plies, a victory by continuous fours? The line is kept."""
    if most == 0 or first_in(p, i, FOURS_SET) < 0:
        return False
    found = find(s, p, v, failures, most, UNLIMITED)
    desk.vcf_nodes += v.nodes
    if found != WON:
        return False
    n = min(np.int64(v.length), MAX_PLY)
    for k in range(n):
        desk.pv[ply * MAX_PLY + k] = v.line[k]
    desk.pv_length[ply] = n
    if ply == 0:
        desk.best, desk.score = np.int64(v.move), WIN - np.int64(v.length)
    return True


@kernel
def search(s, p, desk, table, v, failures, alpha, beta, depth, ply, may_pass):
    """The score of a position for the side to move, within (alpha, beta) or a bound beyond; fail-soft.

    ``depth``: plies left, ``ply``: plies from the root. A move that a win at once forces takes no depth.
    """
    desk.pv_length[ply] = 0
    if s.result != 0:
        return np.int64(0) if s.winner == 0 else np.int64(ply - WIN)
    if desk.stop != 0 or desk.nodes >= desk.limit:
        desk.stop = 1
        return np.int64(0)
    if ply > desk.deepest:
        desk.deepest = ply
    i = np.int64(s.mover) - 1
    cell = next_winning_cell(s, p, i, np.int64(-1))
    if cell >= 0:
        end_line(desk, cell, ply)
        if ply == 0:
            desk.best, desk.score = cell, WIN - 1
        return np.int64(WIN - ply - 1)
    if ply > 0:
        alpha, beta = max(alpha, ply + 2 - WIN), min(beta, WIN - ply - 3)
        if alpha >= beta:
            return np.int64(alpha)
    if ply >= MAX_PLY - 2:
        return np.int64(estimate(s, p, desk))
    if desk.top > 24000:
        return np.int64(estimate(s, p, desk))

    first, complete, calm = np.int64(NO_CELL), False, False
    bottom = np.int64(desk.top)
    pv = beta - alpha > 1
    best, best_move, above = np.int64(-INFINITE), np.int64(NO_CELL), alpha
    worth = np.int64(0)
    position = np.uint64(key(s))
    menace = next_winning_cell(s, p, 1 - i, np.int64(-1))
    forced = menace >= 0
    if forced:
        can_take = s.captures != 0 and p.takes[i] > 0
        if not can_take:
            if next_winning_cell(s, p, 1 - i, menace) >= 0 or not is_legal(s, menace):
                if ply > 0:
                    return np.int64(ply + 2 - WIN)
                complete = push_near(s, p, desk, i, first, ply)
                if is_legal(s, menace):
                    push(s, p, desk, i, menace, menace, ply)
            else:
                push(s, p, desk, i, menace, menace, ply)
        else:
            push_captures(s, p, desk, i, first, ply)
        complete = True
        if ply > 0:
            best = np.int64(ply + 2 - WIN)  # of every other move
    else:
        cell = two_fours(s, p, i, np.int64(-1))
        if cell >= 0 and stands(s, i):
            end_line(desk, cell, ply)
            if ply == 0:
                desk.best, desk.score = cell, WIN - 3
            return np.int64(WIN - ply - 3)
        if depth <= 0:
            if continuous_fours(s, p, desk, v, failures, i, desk.vcf_leaf, ply):
                return np.int64(WIN - ply - v.length)
            return np.int64(estimate(s, p, desk))
        found = look_up(table, position, desk.age, desk.own_age_only)
        if found != MISS:
            first = move_in(found)
            if ply > 0 and not pv:
                score = np.int64(score_in(found, ply))
                bound = bound_in(found)
                if depth_in(found) >= depth or score >= PROVEN_WIN or score <= -PROVEN_WIN:
                    if bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha):
                        return score
        if continuous_fours(s, p, desk, v, failures, i, desk.vcf_inner, ply):
            score = WIN - ply - np.int64(v.length)
            store(table, position, desk.age, score, ply, depth, AT_LEAST, np.int64(v.move))
            return score
        menace = two_fours(s, p, 1 - i, np.int64(-1))
        calm = menace < 0
        worth = np.int64(estimate(s, p, desk))
        if calm and not pv and desk.full == 0 and beta < BELIEVED_WIN and alpha > -BELIEVED_WIN:
            if depth <= CALM_DEPTH and worth - CALM_MARGIN * depth >= beta:
                return worth
            if may_pass != 0 and depth >= NULL_DEPTH and worth >= beta and (s.opening == 0 or s.ply > 3):
                hand_over(s)
                score = -search(
                    s, p, desk, table, v, failures, -beta, 1 - beta, depth - 3 - depth // 4, ply + 1, np.int64(0)
                )
                hand_over(s)
                desk.pv_length[ply] = 0
                if desk.stop != 0:
                    return np.int64(0)
                if score >= beta:
                    return np.int64(beta if score >= BELIEVED_WIN else score)
        if menace >= 0 and stands(s, 1 - i) and desk.full == 0:
            parrying_cells(s, p, desk, 1 - i)
            push_fours(s, p, desk, i, first, ply)
            complete = s.bound[1 - i] == 0
            if ply > 0:
                best = np.int64(ply + 4 - WIN)
        else:
            complete = push_near(s, p, desk, i, first, ply)

    left = depth if forced else depth - 1
    tried, k, all_pushed = np.int64(0), bottom, False
    while True:
        if k == desk.top:
            if tried > 0 or all_pushed or (complete and ply > 0):
                break
            complete, all_pushed = True, True  # no candidate is legal, or all is lost at the root
            for j in range(s.n_empty):
                push(s, p, desk, i, np.int64(s.empties[j]), first, ply)
        a = pick(desk, k)
        k += 1
        if not is_legal(s, a):
            continue
        enough = FEW_MOVES * (1 + depth * depth)
        if desk.full == 0 and calm and best > -BELIEVED_WIN and ply > 0 and tried > enough:
            complete = False
            break
        if ply == 0 and desk.best < 0:  # so that there is a move however soon the search is stopped
            desk.best = a
        apply(s, a)
        follow(s, p, a)
        desk.nodes += 1
        tried += 1
        if tried == 1:
            score = -search(s, p, desk, table, v, failures, -beta, -alpha, left, ply + 1, np.int64(1))
        else:
            less = np.int64(0)
            if calm and desk.full == 0 and depth >= 2 and tried > FULL_MOVES:
                less = np.int64(desk.reductions[min(depth, WIDEST - 1) * WIDEST + min(tried, WIDEST - 1)])
                if pv:
                    less -= 1
                less = max(np.int64(0), min(less, left - 1))
            score = -search(s, p, desk, table, v, failures, -alpha - 1, -alpha, left - less, ply + 1, np.int64(1))
            if less > 0 and score > alpha and desk.stop == 0:
                score = -search(s, p, desk, table, v, failures, -alpha - 1, -alpha, left, ply + 1, np.int64(1))
            if score > alpha and score < beta and desk.stop == 0:
                score = -search(s, p, desk, table, v, failures, -beta, -alpha, left, ply + 1, np.int64(1))
        undo(s)
        step_back(p)
        if desk.stop != 0:
            desk.top = bottom
            return np.int64(0)
        if score > best:
            best = score
            if score > alpha or best_move < 0:
                best_move = a
            if score > alpha:
                alpha = score
                best_move = a
                keep_line(desk, a, ply)
                if ply == 0:
                    desk.best, desk.score = a, score
                if score >= beta:
                    if not forced:
                        reward(desk, i, a, depth, ply)
                    break
    desk.top = bottom
    if tried == 0 and not forced and best == -INFINITE:  # only after a pass, or where no candidate is legal
        return worth
    if best <= -PROVEN_WIN and not complete:
        best += WIN - BELIEVED
    if not forced:
        bound = AT_LEAST if best >= beta else EXACT if best > above else AT_MOST
        store(table, position, desk.age, best, ply, depth, bound, best_move)
    return np.int64(best)


@kernel
def reward(desk, i, a, depth, ply):
    """The move refuted something: it becomes a killer, and its history rises."""
    if desk.killers[2 * ply] != a:
        desk.killers[2 * ply + 1] = desk.killers[2 * ply]
        desk.killers[2 * ply] = a
    at = i * 400 + a
    desk.history[at] += depth * depth * 16
    if desk.history[at] > 16000:
        for k in range(800):
            desk.history[k] >>= 1
