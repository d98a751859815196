"""The Python face of the searches: many games at once, one call of the network a step for all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from narabe.envs.game import Game
from narabe.envs.rules import core
from narabe.envs.rules.random import new_stream
from narabe.search.puct import starting
from narabe.search.puct.leaves import Leaves, first_unsound, gather, take_in
from narabe.search.puct.sampling import draw_by_visits
from narabe.search.puct.settings import new_settings
from narabe.search.puct.trees import MAX_LINE, Trees

Evaluate = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""A network: (observations int8[k, planes, h, w], masks int8[k, actions], players int64[k]) -> (outputs float32[k,
actions], values float32[k, players]). Outputs are logits, or probabilities where the search was told so; what they say
of illegal actions does not count. Values are the expected payoffs of all players in the order of seats."""
Prove = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""A prover: (states, games int64[k]) -> float64[k, players], the payoffs of ``states[games[i]]`` where they are certain,
NaN where they are not."""


@dataclass(frozen=True)
class Found:
    """What a search found, a row a game.

    ``visits``: int64 (n, actions), of the root's children (those kept from earlier searches too); ``policy``: float32
    (n, actions), the improved policy, exactly 0 for illegal actions: of PUCT the shares of the visits, of Gumbel search
    softmax(log prior + worth(completed q)); ``value``: float32 (n, players), mean of the values that this search brought
    back to the root; ``action``: int64 (n,), the move to play; ``lines``: int32 (n, 64), the principal variation, -1
    behind its end; ``simulations``: int64 (n,), made by this search (fewer than asked for where they settled it); ``certain``:
    bool (n,), is the value exact? Then a won action is all of the policy; certain losses have no share of it as long as
    anything else has.

    Of a finished game: no visits, a policy of zeros, its payoffs, action -1.
    """

    visits: np.ndarray
    policy: np.ndarray
    value: np.ndarray
    action: np.ndarray
    lines: np.ndarray
    simulations: np.ndarray
    certain: np.ndarray

    def principal_variation(self, i: int) -> list[int]:
        """The line that game ``i`` is expected to take, from its action on; chance turns by their likeliest outcomes."""
        return [int(a) for a in self.lines[i] if a >= 0]

    def sample(self, streams: np.ndarray, temperature: float = 1.0) -> np.ndarray:
        """Actions drawn by visits ** (1 / temperature), int64 (n,), -1 for finished games: for the openings of self-play.

        ``streams``: uint64 (n,), one a game, advanced in place.
        """
        if temperature <= 0 or streams.shape != self.action.shape or streams.dtype != np.uint64:
            raise ValueError(
                f"temperature={temperature}, streams {streams.shape} {streams.dtype}: above zero, one a game"
            )
        actions = np.zeros(len(self.action), np.int64)
        draw_by_visits(self.visits, float(temperature), streams, actions)
        return actions


class Search:
    """A search of up to ``batch`` games of one kind at once; see `Puct` and `Gumbel`, which say how.

    Either `run`, or step by step, with as many searches and as many points of their games as one likes; each call of the
    network may then answer several searches, and a game that has `finished` may be read and begun anew while others go on.

    The same streams find the same bytes, whatever else is in the batch, as long as the network gives the same outputs for
    a row (a network on real hardware does so only for batches of one size).

    >>> from narabe.envs import game
    >>> from narabe.search.puct import Puct
    >>> g = game("gomoku", size=3, row=3)
    >>> search = Puct(g, batch=2, sims=30)
    >>> search.begin(np.repeat(g.start().record, 2), np.array([1, 2], np.uint64))
    >>> while leaves := search.leaves():  # a network would look at leaves.observations, leaves.masks, leaves.players
    ...     search.give(np.zeros((len(leaves), 9)), np.zeros((len(leaves), 2)))
    >>> search.finished().tolist(), search.found().visits.sum(axis=1).tolist()
    ([True, True], [30, 30])
    """

    def __init__(
        self,
        game: Game,
        batch: int,
        sims: int,
        reuse: bool,
        outputs: str,
        solve: bool,
        max_nodes: int | None,
        max_edges: int | None,
        **settings: float,
    ) -> None:
        if core.hides(game.law):
            raise core.LawError("this search would look into hidden hands here: use a search over information sets")
        if batch < 1 or sims < 1:
            raise ValueError(f"batch={batch}, sims={sims}: at least one of each")
        if outputs not in ("logits", "probabilities"):
            raise ValueError(f"outputs={outputs!r}: logits or probabilities")
        chance = hasattr(game.law, "chance_draw")
        max_nodes = max_nodes or (2 if reuse else 1) * (4 if chance else 1) * sims + 2
        max_edges = max_edges or max_nodes * game.num_actions
        self.game, self.batch, self.sims = game, batch, sims
        self.settings = new_settings(
            max_nodes=max_nodes,
            max_edges=max_edges,
            reuse=reuse,
            probabilities=outputs == "probabilities",
            solve=solve,
            **settings,
        )
        self.trees = Trees(game, batch, max_nodes, max_edges)
        self.streams = np.zeros(batch, np.uint64)  # of each game, advanced by its search
        self.states = core.new_states(game.law, batch)  # where each game's simulation is
        self._roots = core.new_states(game.law, batch)
        self._root_masks, self._masks = core.new_masks(game.law, batch), core.new_masks(game.law, 1)
        self._scratch, self._actions = np.zeros(game.num_actions), np.zeros(game.num_actions, np.int32)
        self._known = np.zeros((1, game.num_players))
        self._places, self._order = np.zeros(max_nodes, np.int32), np.zeros(max_nodes, np.int32)
        self._games, self._players = np.zeros(batch, np.int64), np.zeros(batch, np.int64)
        self._observations = np.zeros((batch, *game.observation_shape), np.int8)
        self._legal = np.zeros((batch, game.num_actions), np.int8)
        self._asked = 0  # positions that the network is asked about
        self.clear()

    # ---- whole searches ---------------------------------------------------------------------------------------------

    def run(self, records: np.ndarray, evaluate: Evaluate, streams: np.ndarray, prove: Prove | None = None) -> Found:
        """Search ``records`` (at most ``batch``) in games 0, 1, ...; ``streams``: uint64, one each, advanced in place."""
        n = len(records)
        self.begin(records, streams)
        while leaves := self.leaves():
            proven = prove(self.states, leaves.games) if prove is not None else None
            outputs, values = evaluate(leaves.observations, leaves.masks, leaves.players)
            self.give(outputs, values, proven)
        streams[:] = self.streams[:n]
        return self.found(np.arange(n))

    # ---- step by step -----------------------------------------------------------------------------------------------

    def begin(
        self,
        records: np.ndarray,
        streams: np.ndarray,
        games: np.ndarray | None = None,
        sims: int | np.ndarray | None = None,
    ) -> None:
        """Begin searches of ``records`` (array of states) in ``games`` (int64; 0, 1, ... if left out).

        ``streams``: uint64, one a record; they are copied to ``streams[games]`` of this search and advanced there.
        ``sims``: simulations, for all or for each, at most (and if left out) those of the search. A finished game is not
        searched, but may be read. Raises `ValueError` where a chance turn is to be played first.
        """
        if records.dtype != self.game.law.STATE:
            raise ValueError(f"records of {self.game.spec} are due, not of {records.dtype.names}")
        records = records.view(type(self.states))
        games = self._numbers(games, len(records))
        streams = np.asarray(streams)
        if len(records) != len(games) or streams.shape != games.shape or streams.dtype != np.uint64:
            raise ValueError(
                f"{len(records)} records for {len(games)} games and {streams.shape} {streams.dtype} streams"
            )
        if self.trees.desks["waiting"][games].any():
            raise ValueError("the network is asked about some of these games: give its answers first, or clear")
        planned = np.array(np.broadcast_to(self.sims if sims is None else sims, games.shape), np.int64)
        if len(games) and not (planned.min() >= 1 and planned.max() <= self.sims):
            raise ValueError(
                f"sims={planned.min()} to {planned.max()}: 1 to {self.sims}, for which the trees were made"
            )
        i = starting.first_chance(records)
        if i >= 0:
            raise ValueError(f"records[{i}] is at a chance turn: play it before a search")
        self.streams[games] = streams
        t = self.trees
        starting.begin_all(
            records, games, planned, self._roots, self._root_masks, t.nodes, t.edges, t.desks, t.totals, t.clean,
            t.odds, t.spent, self._scratch, self.streams, self.settings, new_stream(0),
        )  # fmt: skip

    def leaves(self) -> Leaves:
        """Simulate until each game needs the network or has finished its search; the positions that need it.

        Their answers are due (`give`) before the next call.
        """
        if self._asked:
            raise ValueError(f"{self._asked} answers of the network are due")
        t = self.trees
        k = gather(
            self._roots, self.states, self._root_masks, self._masks, t.nodes, t.edges, t.values, t.desks, t.paths,
            t.totals, t.odds, t.spent, self._scratch, self._known, self.streams, self.settings, self._games,
            self._observations, self._legal, self._players,
        )  # fmt: skip
        self._asked = int(k)
        return Leaves(self._games[:k], self._observations[:k], self._legal[:k], self._players[:k])

    def give(self, outputs: np.ndarray, values: np.ndarray, proven: np.ndarray | None = None) -> None:
        """Take in the network's answers, in the order of the leaves: outputs (k, actions) and values (k, players).

        ``proven``: float64 (k, players), certain payoffs of some of the positions, NaN rows for the others (and for a
        root, which is expanded all the same). A proven position counts as an end of the game; what the network says of it
        is not used. Raises `ValueError` for shapes or numbers that cannot be, before anything is taken in.
        """
        k, t = self._asked, self.trees
        outputs = np.ascontiguousarray(outputs, np.float32)
        answers = np.array(values, np.float64, order="C")
        shape = (k, self.game.num_players)
        if proven is None:
            known = np.full(shape, np.nan)
        else:
            known = np.array(proven, np.float64, order="C")
        if outputs.shape != (k, self.game.num_actions) or answers.shape != shape or known.shape != shape:
            raise ValueError(
                f"{k} positions: outputs {(k, self.game.num_actions)} and values {shape} are due, "
                f"not {outputs.shape} and {answers.shape}" + (f", proven {known.shape}" if proven is not None else "")
            )
        games, legal = self._games[:k], self._legal[:k]
        known[t.desks["depth"][games] == 0] = np.nan
        row = first_unsound(outputs, legal, answers, known, bool(self.settings["probabilities"][0]))
        if row >= 0:
            raise ValueError(
                f"row {row} of the network cannot be used: values {answers[row].tolist()}, outputs of legal actions "
                f"from {outputs[row][legal[row] > 0].min()} to {outputs[row][legal[row] > 0].max()}"
            )
        take_in(
            t.nodes, t.edges, t.values, t.desks, t.paths, t.totals, t.clean, t.odds, t.spent, self._scratch,
            self._actions, self.streams, self.settings, games, legal, outputs, answers, known,
        )  # fmt: skip
        self._asked = 0

    def finished(self) -> np.ndarray:
        """Which games have made all their simulations, bool (batch,)."""
        d = self.trees.desks
        return (d["done"] >= d["planned"]) & (d["waiting"] == 0) & (d["rooted"] != 0)

    def found(self, games: np.ndarray | None = None) -> Found:
        """What the searches of ``games`` (all if left out) have found so far; each must have a position at its root."""
        games = self._numbers(games, self.batch)
        t, n, g = self.trees, len(games), self.game
        if not (t.desks["evaluated"][games] > 0).all():
            raise ValueError("some of these games have no search to tell of")
        found = Found(
            np.zeros((n, g.num_actions), np.int64), np.zeros((n, g.num_actions), np.float32),
            np.zeros((n, g.num_players), np.float32), np.zeros(n, np.int64), np.zeros((n, MAX_LINE), np.int32),
            np.zeros(n, np.int64), np.zeros(n, np.bool_),
        )  # fmt: skip
        starting.read_all(
            games, t.nodes, t.edges, t.values, t.desks, t.totals, t.odds, t.spent, self._scratch,
            self.settings, found.visits, found.policy, found.value, found.action, found.lines, found.simulations,
            found.certain,
        )  # fmt: skip
        return found

    def advance(self, actions: np.ndarray, games: np.ndarray | None = None) -> None:
        """Keep the parts of the trees below the actions that were played, one a game (outcomes of chance turns too).

        Of use with ``reuse=True``; `begin` drops a tree whose root is not the position it is given.
        """
        games = self._numbers(games, len(actions))
        if self.trees.desks["waiting"][games].any():
            raise ValueError("the network is asked about some of these games: give its answers first, or clear")
        t = self.trees
        starting.advance_all(
            games, np.asarray(actions, np.int64), self._roots, t.nodes, t.edges, t.values, t.desks, self._places,
            self._order,
        )  # fmt: skip

    def clear(self) -> None:
        """Forget all trees, and what the network was asked."""
        d = self.trees.desks
        for name in ("rooted", "waiting", "planned", "done", "evaluated", "over"):
            d[name] = 0
        self._asked = 0

    def _numbers(self, games: np.ndarray | None, n: int) -> np.ndarray:
        """Numbers of games, checked; the first ``n`` where none are given."""
        numbers = np.arange(n) if games is None else np.asarray(games, np.int64)
        if len(numbers) and not (numbers.min() >= 0 and numbers.max() < self.batch):
            raise ValueError(f"games {numbers.min()} to {numbers.max()} of a search of {self.batch}")
        return numbers
