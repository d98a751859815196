"""Victory by continuous fours where stones are taken: a four may be parried in several ways, so a win is a tree.

A capture can break a row or uncover one, and the fifth pair wins, so winning cells are the law's: cells that complete a row,
and cells that take enough pairs. Which moves may make a new winning cell, or undo one:

- the attacker's stone on a cell of a word FOURS, or any move of his that takes stones, or (a bracket) a stone that has two of
  the opponent's and then an empty cell before it, on which the pair that is still due would be taken;
- the defender's stone on a winning cell, or any move of his that takes stones. Any other stone of his leaves each winning
  cell what it is.

Where bans bind somebody a stone can also make a cell legal or not on which a pair would win, so there every legal cell
is tried.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import follow_words, mark, step_back
from narabe.envs.rules.line.record import COLUMN_STEP, LINES, ROW_STEP
from narabe.envs.rules.line.stones import captured_directions, cell_on, line_of, pairs_at
from narabe.envs.rules.line.words import (
    FOURS,
    LINE_BITS,
    ONE,
    ROWS,
    STRIDE,
    UP,
    WORDS_A_LINE,
    any_word,
    follow_side,
    gather,
    lowest_bit,
    next_listed,
)
from narabe.search.threats.desk import NONE, UNKNOWN, UNLIMITED, WON
from narabe.search.threats.tries import CELL, DEPTH, MARK, entry_of, failed, order, put

ALL_LINES = np.array([2**64 - 1, 2 ** (LINES - 64) - 1], np.uint64)
FEWEST = 1023  # mark of an attack that leaves no reply open


@kernel
def list_takes(s, p, desk, i, end, brackets):
    """Add the cells on which colour ``i`` takes stones to ``desk.tries`` from ``end`` on, without those of the current stamp;
    with ``brackets`` 1 also those from which it would then take the pair that wins. Returns the new end."""
    due = np.int64(core.pairs_due(s, i + 1))
    takes = np.int64(p.takes[i])
    everywhere = brackets != 0 and takes + 1 >= due  # else no cell takes all the others that are due
    place = (i * WORDS_A_LINE + UP) << LINE_BITS
    active = 2 * (i * WORDS_A_LINE + UP)
    for half in range(2 if takes != 0 or everywhere else 0):
        lines = np.uint64(p.active[active + half] | p.active[active + 2 + half])
        if everywhere:
            lines = ALL_LINES[half]
        while lines != 0:
            line = half * 64 + lowest_bit(lines)
            lines &= lines - ONE
            cells = np.int64(p.words[place | line] | p.words[place + STRIDE | line])
            if everywhere:
                cells |= brackets_on(s, i, line, due)
            while cells != 0:
                a = cell_on(s, line, lowest_bit(np.uint64(cells)))
                cells &= cells - 1
                if desk.stamps[a] != desk.stamp:
                    desk.stamps[a] = desk.stamp
                    desk.tries[end] = a
                    end += 1
    return end


@kernel
def brackets_on(s, i, line, due):
    """The cells of a line beyond two stones of the other's and an empty cell on which ``i`` would then win by pairs."""
    other = np.int64(s.lines[(1 - i) * LINES + line])
    pairs = other & other >> 1  # at the lower stone of each pair
    empty = ~(np.int64(s.lines[i * LINES + line]) | other | np.int64(s.wall[line])) & 0xFFFFFFFF
    cells = np.int64(0)
    for side in range(2):
        ends = (pairs >> 1 & empty >> 3 if side == 0 else pairs << 2 & empty << 3) & empty
        while ends != 0:
            b = lowest_bit(np.uint64(ends))
            ends &= ends - 1
            if pairs_at(s, i, cell_on(s, line, b + 3 if side == 0 else b - 3)) + 1 >= due:
                cells |= np.int64(1) << b
    return cells


@kernel
def list_words(s, p, desk, i, kind, end):
    """Begin a list with the cells in the words of a kind, in the order of the cells."""
    desk.stamp += 1
    if not any_word(p, i, kind):
        return end
    gather(s, p, i, kind, np.int64(1))
    a = next_listed(p, np.int64(-1))
    while a >= 0:
        desk.stamps[a] = desk.stamp
        desk.tries[end] = a
        end += 1
        a = next_listed(p, a)
    return end


@kernel
def list_all(s, desk, end):
    """Add every empty cell."""
    for j in range(s.n_empty):
        desk.tries[end] = s.empties[j]
        end += 1
    return end


@kernel
def list_wins(s, p, desk, i, end):
    """Add the cells on which colour ``i`` would win at once if it moved."""
    rows = list_words(s, p, desk, i, np.int64(ROWS), end)
    due = core.pairs_due(s, i + 1)
    if p.takes[i] < due:
        return rows
    end = list_takes(s, p, desk, i, rows, np.int64(0))
    turn = core.to_move(s) != i + 1
    if turn:
        core.hand_over(s)
    kept = rows
    for k in range(rows, end):
        a = np.int64(desk.tries[k])
        if pairs_at(s, i, a) >= due and core.is_legal(s, a):
            desk.tries[kept] = a
            kept += 1
    if turn:
        core.hand_over(s)
    return kept


@kernel
def wins(s, p, desk, i, end):
    """Is there such a cell? ``desk.tries`` from ``end`` on is scratch."""
    return any_word(p, i, np.int64(ROWS)) or (
        p.takes[i] >= core.pairs_due(s, i + 1) and list_wins(s, p, desk, i, end) > end
    )


@kernel
def list_attacks(s, p, desk, i, start):
    """Add the cells on which colour ``i``, who cannot win at once, may make a four, the best first."""
    if s.bound[0] != 0 or s.bound[1] != 0:
        end = list_all(s, desk, start)
    else:
        end = list_words(s, p, desk, i, np.int64(FOURS), start)
        end = list_takes(s, p, desk, i, end, np.int64(1))
    order(s, desk, i, start, end)
    return end


@kernel
def list_replies(s, p, desk, i, start):
    """Add the cells on which colour ``i`` may parry the other's four."""
    if s.bound[0] != 0 or s.bound[1] != 0:
        return list_all(s, desk, start)
    end = list_wins(s, p, desk, 1 - i, start)
    desk.stamp += 1
    for k in range(start, end):
        desk.stamps[desk.tries[k]] = desk.stamp
    return list_takes(s, p, desk, i, end, np.int64(0))


@kernel
def play(s, p, a):
    """Play and follow by words alone."""
    core.apply(s, a)
    follow_words(s, p, a)


@kernel
def take_back(s, p):
    core.undo(s)
    step_back(p)


@kernel
def still_wins(s, p, i, q):
    """Is there surely a cell that completes a row of colour ``i`` after the other's move on ``q``?

    A stone elsewhere leaves such a cell what it is; stones that are taken may matter on their own lines only.
    """
    if not any_word(p, i, np.int64(ROWS)):
        return False
    r = (q * s.inverse) >> 16
    c = q - r * s.width
    taken = captured_directions(s, 1 - i, r, c) if p.takes[1 - i] != 0 else np.int64(0)
    first = i * WORDS_A_LINE + ROWS
    for half in range(2):
        lines = np.uint64(p.active[2 * first + half])
        while lines != 0:
            line = half * 64 + lowest_bit(lines)
            lines &= lines - ONE
            word = np.int64(p.words[first << LINE_BITS | line])
            for d in range(4):
                through, b = line_of(d, r, c)
                if through == line:
                    word &= ~(np.int64(1) << b)
                    if taken & 17 << d != 0:
                        word = np.int64(0)
            if word != 0 and (taken == 0 or not crosses(line, taken, r, c)):
                return True
    return False


@kernel
def crosses(line, taken, r, c):
    """Does a line go through one of the stones taken in these directions from a cell, other than that of the direction?"""
    for d in range(8):
        if taken >> d & 1:
            for n in range(1, 3):
                for e in range(4):
                    if e != d & 3:
                        through, b = line_of(e, r + n * ROW_STEP[d], c + n * COLUMN_STEP[d])
                        if through == line:
                            return True
    return False


@kernel
def open_replies(s, p, desk, i, a, top):
    """The attack on ``a``: how many replies of the defender do not lose at once? -1 if it is no four, or he can draw.

    They are left in ``desk.tries`` from ``top`` on. The state is as before.
    """
    if still_wins(s, p, 1 - i, a):
        return np.int64(-1)
    n = np.int64(-1)
    core.apply(s, a)
    mark(p)
    taken = np.int64(core.captured(s))
    follow_side(s, p, a, taken, i, i)
    if not core.is_over(s) and wins(s, p, desk, i, top):
        follow_side(s, p, a, taken, 1 - i, i)
        if not wins(s, p, desk, 1 - i, top):
            n = sift_replies(s, p, desk, i, top)
    take_back(s, p)
    return n


@kernel
def sift_replies(s, p, desk, i, top):
    """The defender, who cannot win at once, is to answer a four of ``i``: `open_replies` from there."""
    n = np.int64(0)
    end = list_replies(s, p, desk, 1 - i, top)
    for k in range(top, end):
        reply = np.int64(desk.tries[k])
        if not still_wins(s, p, i, reply) and core.is_legal(s, reply):
            core.apply(s, reply)
            mark(p)
            follow_side(s, p, reply, np.int64(core.captured(s)), i, 1 - i)
            over = core.is_over(s)
            if not over and not wins(s, p, desk, i, end):
                desk.tries[top + n] = reply
                n += 1
            take_back(s, p)
            if over:
                return np.int64(-1)
    return n


@kernel
def weigh(s, p, desk, i, top):
    """List the attacks from ``top`` on, those with few open replies first.

    Returns the end of the list; or, if an attack leaves no reply open, -1 - attack.
    """
    end = list_attacks(s, p, desk, i, top)
    kept = top
    for k in range(top, end):
        a = np.int64(desk.tries[k]) & CELL
        if not core.is_legal(s, a):
            continue
        n = open_replies(s, p, desk, i, a, end)
        if n < 0:
            continue
        desk.nodes += 1
        if n == 0:
            return -1 - a
        put(desk, top, kept, a | (FEWEST - n) << MARK)
        kept += 1
    return kept


@kernel
def descend(s, p, desk, table, max_nodes, plies, depth, top):
    """The attacker is to move at ``depth`` plies from the root and may use ``plies`` more; ``top``: free place in `tries`."""
    i = core.to_move(s) - 1
    level = depth >> 1
    desk.cut[level] = 0
    if plies >= 1 and wins(s, p, desk, i, top):
        list_wins(s, p, desk, i, top)
        desk.line[depth], desk.length = desk.tries[top], depth + 1
        return WON
    if plies < 3:
        desk.cut[level] = 1
        return NONE
    key = np.uint64(core.key(s))
    at = np.int64(key >> np.uint64(8)) & (len(table) - 1)
    if failed(np.uint64(table[at]), entry_of(key, plies)):
        desk.cut[level] = 0 if np.uint64(table[at]) & DEPTH == DEPTH else 1
        return NONE
    if desk.nodes >= max_nodes:
        return UNKNOWN
    end = weigh(s, p, desk, i, top)
    if end < 0:
        desk.line[depth] = -1 - end
        return WON if finish(s, p, desk, i, depth, top) else NONE
    cut = 1 if end > top and plies < 5 else 0
    for k in range(top, end if plies >= 5 else top):
        a = np.int64(desk.tries[k]) & CELL
        last = end + open_replies(s, p, desk, i, a, end)
        longest = np.int64(
            0
        )  # plies of the line after the longest defence so far, which stands in `tries` from `last` on
        play(s, p, a)
        answer = WON
        for n in range(end, last):
            reply = np.int64(desk.tries[n])
            play(s, p, reply)
            answer = descend(s, p, desk, table, max_nodes, plies - 2, depth + 2, last + longest)
            cut |= desk.cut[level + 1]
            take_back(s, p)
            if answer != WON:
                break
            if desk.length - depth - 1 > longest:
                longest = np.int64(desk.length) - depth - 1
                desk.line[depth + 1] = reply
                for j in range(longest):
                    desk.tries[last + j] = desk.line[depth + 1 + j]
        take_back(s, p)
        if answer == WON:
            desk.line[depth], desk.length = a, depth + 1 + longest
            for j in range(longest):
                desk.line[depth + 1 + j] = desk.tries[last + j]
        if answer != NONE:
            return answer
    desk.cut[level] = cut
    entry = entry_of(key, plies if cut != 0 else np.int64(UNLIMITED))
    if not failed(np.uint64(table[at]), entry):
        table[at] = entry
    return NONE


@kernel
def finish(s, p, desk, i, depth, top):
    """Nothing parries the four of the line: write any reply and the win after it. False if there is no legal reply."""
    play(s, p, np.int64(desk.line[depth]))
    written = False
    for j in range(core.num_candidates(s)):
        reply = core.candidate_at(s, j)
        if core.is_legal(s, reply):
            play(s, p, reply)
            written = list_wins(s, p, desk, i, top) > top
            desk.line[depth + 1], desk.line[depth + 2], desk.length = reply, desk.tries[top], depth + 3
            take_back(s, p)
            break
    take_back(s, p)
    return written
