"""Information-set MCTS with random playouts, written once against the generic law: n players, turns in any order.

Each simulation redraws what the root player cannot know (`redeal`), plays down a tree of information sets, and plays
out at random; chance turns are drawn by their law. Nodes are found by key (`infosets`), so that all deals share their
statistics, each action counting only the simulations in which it was legal (Cowling, Powley, Whitehouse, "Information
Set Monte Carlo Tree Search", 2012). Untried actions come first, in random order; then

    mean + c * half the range of payoffs seen * sqrt(log(availability) / visits)

with the mean payoff of the player who moves. Two forms:

*single observer*: every node is what the root player knows. The others then choose as if they knew just that (and had the
cards that make an action legal), and their actions are told apart in full also where the root player sees only a part;
what comes of it is keyed again by what the root player saw.

*multiple observer*: each node is what its mover knows, so that everyone's choices rest on their own hand: one tree a
player, in one table. There the legal actions are the same in every deal, so they are listed once and the availability
is the visits of the node.

Without hidden parts both are one: UCT whose nodes are positions, joined where ways meet.
"""

from __future__ import annotations

import math
import time

import numpy as np

from narabe.envs.game import Game
from narabe.envs.rules import calls, core
from narabe.envs.rules.core import (
    CHANCE,
    advise,
    apply,
    candidate_at,
    chance_draw,
    has,
    info_key,
    is_legal,
    is_over,
    num_candidates,
    payoff,
    plausibility,
    redeal,
    to_move,
)
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below, uniform
from narabe.search.infosets import (
    AVAILABLE,
    BONUS,
    EDGES,
    EPOCH,
    MEAN,
    NO_SLOT,
    NODES,
    Infosets,
    add_edge,
    is_full,
    new_node,
    root_log,
    slot_of,
    take_row,
)
from narabe.search.playout import advised_playout, playout
from narabe.search.uct import Found

POOL, DEALS = 2, 256  # where the pool of deals begins among the records, and how many it holds
WIDENING = 4  # visits for a second action, and four times as many each time their number doubles
MAX_DEPTH = 1024
MAX_NODES = 2_000_000  # slots of edges, 40 bytes each
# Goita with 2,000 simulations against 0.4, 300 deals played twice: 0.1 loses 0.8 to 1.0 points a deal, 0.2 loses 0.3, and
# 0.8 and 1.6 cannot be told from it (95 % intervals of +-0.25), in both forms.
EXPLORATION = 0.6
SINGLE, MULTIPLE = "single", "multiple"
# Goita again: with as many simulations the single observer is a little stronger (+0.12 +- 0.10 points a deal over 1,600
# deals), in as much time a little weaker (-0.14 +- 0.15 over 800): it looks at all legal actions on every visit.
OBSERVER = MULTIPLE
ADVISED = "advised"
ROLLOUTS = ("random", ADVISED)  # playouts: uniformly random, or as the law advises
LOW, HIGH = 0, 1  # entries of `extent`
_BY_MOVER = np.uint64(0xD6E8FEB86659FD93)


@kernel
def node_key(s, observer, mover):
    """Key of what ``observer`` knows where ``mover`` is to move (which the observer need not know)."""
    return np.uint64(info_key(s, observer)) + np.uint64(mover) * _BY_MOVER


@kernel
def choose_known(s, nodes, edges, stats, node, c, pad, sparing, rng):
    """The edge to follow where the mover's legal actions are known: a random untried one, else the highest bound.

    ``sparing``: what the law advises comes first, and of the others one more each time that the visits have grown enough
    (progressive widening), so that a node seldom met goes as advised.
    """
    n = nodes[node]
    first, tried, width = np.int64(n.first), np.int64(n.tried), np.int64(n.width)
    if tried < width and (not sparing or n.visits >= WIDENING * tried * tried):
        k = tried + below(rng, width - tried)
        if has(s, "advise") and sparing and tried == 0:
            k = place_of(edges, first, width, np.int64(advise(s, pad)))
        mine, other = edges[first + tried], edges[first + k]
        mine.action, other.action = other.action, mine.action
        n.tried = tried + 1
        return tried
    factor = c * root_log(np.int64(n.visits))
    best, best_bound = np.int64(0), -1e300
    for k in range(tried):
        bound = stats[first + k, MEAN] + factor * stats[first + k, BONUS]
        if bound > best_bound:
            best, best_bound = k, bound
    return best


@kernel
def place_of(edges, first, width, a):
    """Where among the edges of a node an action stands."""
    for k in range(width):
        if edges[first + k].action == a:
            return np.int64(k)
    return np.int64(0)


@kernel
def choose_seen(s, nodes, edges, stats, places, used, node, untried, c, rng):
    """The same where the legal actions are those of this deal, by one look at each; NO_SLOT if there is no room.

    Each legal action's availability grows by one. ``untried``: scratch by action.
    """
    n = nodes[node]
    if n.visits == 0:  # just made, of this deal
        for k in range(n.width):
            stats[n.first + k, AVAILABLE] = 1.0
        return below(rng, np.int64(n.width))
    best, best_bound, fresh = np.int64(NO_SLOT), -1e300, np.int64(0)
    for i in range(num_candidates(s)):
        a = np.int64(candidate_at(s, i))
        if not is_legal(s, a):
            continue
        k = np.int64(places[n.row, a])
        if k < 0:
            k = add_edge(places, nodes, edges, stats, used, node, a)
            if k < 0:
                continue
        slot = np.int64(n.first) + k
        if stats[slot, BONUS] == 0.0:
            untried[fresh] = k
            fresh += 1
        elif fresh == 0:
            bound = stats[slot, MEAN] + c * root_log(np.int64(stats[slot, AVAILABLE])) * stats[slot, BONUS]
            if bound > best_bound:
                best, best_bound = k, bound
        stats[slot, AVAILABLE] += 1.0
    return np.int64(untried[below(rng, fresh)]) if fresh > 0 else best


@kernel
def descend(s, nodes, edges, stats, places, used, max_nodes, path, untried, player, single, c, pad, advised, rng):
    """Go down from the root, playing on ``s``, until an edge was tried for the first time, there is no room, or the end.

    Writes node and edge of each choice to ``path``; returns how many.
    """
    depth = np.int64(0)
    while depth < MAX_DEPTH and not is_over(s):
        mover = np.int64(to_move(s))
        if has(s, "chance_draw") and mover == CHANCE:
            apply(s, np.int64(chance_draw(s, rng)))
            continue
        observer = player if single else mover
        key = node_key(s, observer, mover)
        node = slot_of(nodes, used, key)
        if nodes[node].epoch != used[EPOCH]:
            if is_full(used, max_nodes):
                break
            if not new_node(s, nodes, edges, stats, used, node, key, mover, observer != mover):
                break
            if observer != mover:
                take_row(places, nodes, edges, used, node)
        if observer == mover:
            k = choose_known(s, nodes, edges, stats, node, c, pad, advised and depth > 0, rng)
        else:
            k = choose_seen(s, nodes, edges, stats, places, used, node, untried, c, rng)
            if k < 0:
                break
        n = nodes[node]
        n.visits += 1
        path[depth, 0], path[depth, 1] = node, k
        depth += 1
        e = edges[n.first + k]
        apply(s, np.int64(e.action))
        if e.visits == 0:
            break
    return depth


@kernel
def finish(s, pad, advised, worth, rng):
    """What the position at a leaf is worth, by player: the payoffs of one playout, as the law advises or at random."""
    if has(s, "advise") and advised:
        advised_playout(s, pad, rng)
    else:
        playout(s, rng)
    for player in range(worth.shape[0]):
        worth[player] = payoff(s, player + 1)


@kernel
def back_up(nodes, edges, stats, path, depth, worth):
    """Count the simulation at each edge of the path, for the player who chose it."""
    for d in range(depth):
        n = nodes[path[d, 0]]
        slot = np.int64(n.first) + path[d, 1]
        e = edges[slot]
        e.visits += 1
        e.total += worth[np.int64(n.mover) - 1]
        stats[slot, MEAN] = e.total / e.visits
        stats[slot, BONUS] = 1.0 / math.sqrt(e.visits)


@kernel
def drawn_deal(states, weights, player, pad, sharpness, rng):
    """The number of a deal out of a pool, drawn by how plausible the others' actions are in it; a new pool after so many draws.

    ``weights`` (float64): sums over the deals of the pool so far, and behind them how many draws the pool still serves.
    """
    size = weights.shape[0] - 1
    if weights[size] == 0.0:
        most = -np.inf
        for i in range(size):
            states[POOL + i] = states[0]
            redeal(states[POOL + i], player, rng)
            states[1] = states[POOL + i]
            weights[i] = plausibility(states[POOL + i], states[1], player, pad, sharpness)
            most = max(most, weights[i])
        total = 0.0
        for i in range(size):
            total += math.exp(weights[i] - most)
            weights[i] = total
        weights[size] = size
    weights[size] -= 1.0
    u, low, high = uniform(rng) * weights[size - 1], 0, size - 1
    while low < high:
        middle = (low + high) >> 1
        if weights[middle] > u:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def simulate(
    states, count, nodes, edges, stats, places, used, max_nodes, path, untried, player, single, c, pads, advised, sharpness,
    weights, worth, totals, extent, rng,
):  # fmt: skip
    """Up to ``count`` simulations from ``states[0]`` (``states[1]`` is scratch, a pool of deals follows) for ``player``.

    Returns how many: fewer where the table has to grow first. ``totals``: payoff sums by player; ``extent``: the least
    and the most that any player got in this search.
    """
    for done in range(count):
        if used[NODES] < max_nodes and is_full(used, max_nodes):
            return done
        if sharpness > 0.0:
            states[1] = states[POOL + drawn_deal(states, weights, player, pads[0], sharpness, rng)]
        else:
            states[1] = states[0]
            redeal(states[1], player, rng)
        s = states[1]
        scale = 0.5 * (extent[HIGH] - extent[LOW]) if extent[HIGH] > extent[LOW] else 1.0
        depth = descend(
            s,
            nodes,
            edges,
            stats,
            places,
            used,
            max_nodes,
            path,
            untried,
            player,
            single,
            c * scale,
            pads[0],
            advised,
            rng,
        )
        finish(s, pads[0], advised, worth, rng)
        back_up(nodes, edges, stats, path, depth, worth)
        for seat in range(worth.shape[0]):
            totals[seat] += worth[seat]
            extent[LOW] = min(extent[LOW], worth[seat])
            extent[HIGH] = max(extent[HIGH], worth[seat])
    return count


@kernel
def node_at(states, nodes, used, player, single):
    """The slot of the node of ``states[0]``, made or not."""
    mover = np.int64(to_move(states[0]))
    return slot_of(nodes, used, node_key(states[0], player if single else mover, mover))


class Ismcts:
    """A search of one position after another, each from an empty table.

    ``observer``: ``"single"`` or ``"multiple"`` (see above). ``max_nodes`` bounds memory whatever the budget: slots of
    edges, 40 bytes each; when it is full, leaves are played out and no longer expanded. What is found depends only on
    what the player to move knows and on the stream.

    >>> from narabe.envs import game
    >>> from narabe.envs.rules.random import new_stream
    >>> g = game("gomoku", size=5, row=4)
    >>> found = Ismcts(g).search(g.start().record, new_stream(1), sims=200)
    >>> int(found.visits.sum()), len(found.visits)
    (200, 25)
    """

    CHUNK = 128  # simulations between two looks at the clock

    def __init__(
        self,
        game: Game,
        c: float = EXPLORATION,
        observer: str = OBSERVER,
        max_nodes: int = MAX_NODES,
        rollout: str = "random",
        sharpness: float = 0.0,
    ) -> None:
        if observer not in (SINGLE, MULTIPLE):
            raise ValueError(f"observer={observer}: {SINGLE} or {MULTIPLE}")
        if rollout not in ROLLOUTS:
            raise ValueError(f"rollout={rollout}: {' or '.join(ROLLOUTS)}")
        if rollout == ADVISED:
            core.require(game.law, "advise")
        self.hides = core.hides(game.law)
        if self.hides:
            core.require(game.law, "info_key")
        self.num_actions, self.c = game.num_actions, float(c)
        self.single = self.hides and observer == SINGLE
        self.table = Infosets(max_nodes, game.num_actions, self.single)
        self.path = np.zeros((MAX_DEPTH, 2), np.int32)
        self.untried = np.zeros(game.num_actions, np.int32)
        if sharpness < 0:
            raise ValueError(f"sharpness={sharpness}: zero or more")
        if sharpness > 0:
            core.require(game.law, "plausibility")
        self.sharpness = float(sharpness)
        pool = DEALS if sharpness > 0 else 0
        self.states, self.pads = core.new_states(game.law, POOL + pool), core.new_pads(game.law, 1)
        self.weights = np.zeros(pool + 1)
        self.advised = rollout == ADVISED
        self.worth, self.totals = np.zeros(game.num_players), np.zeros(game.num_players)
        self.extent = np.zeros(2)

    def search(self, record: np.ndarray, rng: np.ndarray, sims: int | None = None, ms: float | None = None) -> Found:
        """Search ``record`` (array of one state) by a number of simulations or for a time in milliseconds.

        However short the time, one simulation is made.
        """
        if (sims is None) == (ms is None):
            raise ValueError("give a budget: either sims or ms")
        if sims is not None and (sims < 1 or sims != int(sims)):
            raise ValueError(f"sims={sims}: a whole number of simulations, at least one")
        self.states[0] = record[0]
        player, over, _ = (int(fact) for fact in calls.facts(self.states, 0))
        if over or player == CHANCE:
            raise ValueError("nobody is to move: there is nothing to choose")
        self.table.clear()
        self.weights[:] = 0
        self.totals[:] = 0
        self.extent[:] = np.inf, -np.inf
        done = 0
        deadline = time.perf_counter() + (ms or 0.0) / 1000
        while done == 0 or (done < sims if sims is not None else time.perf_counter() < deadline):
            # by the clock, the first call makes one simulation: it may compile or meet a slow law
            count = int(sims) - done if sims is not None else self.CHUNK if done else 1
            done += self._simulate(count, player, rng)
        return self._found(done, player)

    def _simulate(self, count: int, player: int, rng: np.ndarray) -> int:
        t = self.table
        made = simulate(
            self.states, count, t.nodes, t.edges, t.stats, t.places, t.used, t.max_nodes, self.path, self.untried, player,
            self.single, self.c, self.pads, self.advised, self.sharpness, self.weights, self.worth,
            self.totals, self.extent, rng,
        )  # fmt: skip
        if made < count:
            t.grow()
        return int(made)

    def _found(self, done: int, player: int) -> Found:
        t = self.table
        visits = np.zeros(self.num_actions, np.int64)
        edges, best = self._edges_here(player)
        visits[edges["action"]] = edges["visits"]
        line = [best] if best >= 0 else []
        if line and not self.hides:
            line += self._line_after(best, player)
        return Found(visits, self.totals / done, line, done, int(t.used[EDGES]))

    def _edges_here(self, player: int) -> tuple[np.ndarray, int]:
        """The tried edges of the node at ``states[0]``; the action with most visits (then the best mean, then the lowest)."""
        t = self.table
        n = t.nodes[int(node_at(self.states, t.nodes, t.used, player, self.single))]
        if n["epoch"] != t.used[EPOCH]:
            return t.edges[:0], NO_SLOT
        edges = t.edges[int(n["first"]) : int(n["first"]) + int(n["width"])]
        edges = edges[edges["visits"] > 0]
        means = edges["total"] / np.maximum(edges["visits"], 1)
        best = np.lexsort((-edges["action"], means, edges["visits"]))[-1:]
        return edges, int(edges["action"][best[0]]) if len(best) else NO_SLOT

    def _line_after(self, action: int, player: int) -> list[int]:
        """The most visited line after an action where nothing is hidden, up to a chance turn."""
        line: list[int] = []
        while len(line) < MAX_DEPTH:
            calls.apply(self.states, 0, action)
            mover, over, _ = calls.facts(self.states, 0)
            if over or mover == CHANCE:
                break
            _, action = self._edges_here(player)
            if action < 0:
                break
            line.append(action)
        return line
