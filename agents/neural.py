"""A player with a network: its policy alone, or the search that the network guides."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import torch

from narabe.agents import checkpoints, players
from narabe.agents.agent import Analysis, Budget, budget_of, expect_turn
from narabe.agents.card_player import CardPlayer
from narabe.agents.evaluating import Averaged, Evaluator
from narabe.agents.searching import drawn_by_visits
from narabe.agents.simple import SeededAgent
from narabe.envs.game import View
from narabe.envs.rules import calls, core, goita
from narabe.search.puct import Evaluate, Found, Gumbel, Puct, Search

SIMS = 64
SIMS_PER_MS = 10  # more than one game makes on any machine: bounds the tree of a search that is given milliseconds
TRIAL = 16  # simulations of Gumbel search by which it learns how many fit into the time


@dataclass(eq=False)
class NetAgent(SeededAgent):
    """A network and the search that it guides; all slots that are asked about at once go through the network together.

    Options: ``file``, the checkpoint (left out: the network that comes with narabe for the game); ``sims`` or ``ms`` a move
    (64 simulations if neither is given; ``sims=0``: the network alone, its likeliest move); ``search``: puct, or gumbel
    without its randomness, which halves the moves it considers and so plans its simulations (after a first few where it is
    given milliseconds); ``temperature`` (0: the move found; else one drawn by visits ** (1 / temperature), or by the policy
    where nothing is searched); ``reuse`` the tree between moves; ``batch``, positions in a pass of the network (left out:
    what is quick); ``fixed``: every pass is that long, so that what is asked beside it changes nothing; ``symmetries``: take
    the mean of what the network says of the position and its mirror images (2 to 8 times the work); ``precision``, ``device``:
    see `narabe.agents.evaluating.Evaluator`; ``threads`` of the network.

    A budget in milliseconds is one for all views that are asked about at once. An analysis is `proven` where the search
    came to ends of the game that leave no doubt.

    Goita is played by the network alone, which weighs each play by what the seat knows: only ``file``, ``device``,
    ``threads`` and ``temperature`` count there (0: what it thinks is worth most; else a play drawn by
    exp(payoff / temperature)), and no budget.
    """

    file: str | None = None
    sims: int | None = None
    ms: float | None = None
    search: str = "puct"
    temperature: float = 0.0
    reuse: bool = True
    batch: int | None = None
    fixed: bool = False
    symmetries: bool = False
    precision: str = "float32"
    device: str = "cpu"
    threads: int = 1
    card: checkpoints.Card = field(init=False, repr=False)
    _evaluate: Evaluate = field(init=False, repr=False)
    _search: Search | None = field(default=None, init=False, repr=False)
    _warm: bool = field(default=False, init=False, repr=False)
    _cards: CardPlayer | None = field(default=None, init=False, repr=False)
    _games: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # slot -> game of the search

    def __post_init__(self) -> None:
        Budget(self.sims or None, self.ms)
        if self.sims is not None and self.sims < 0 or self.sims == 0 and self.ms is not None:
            raise ValueError(f"sims={self.sims}: zero or more, and not beside ms")
        if self.search not in ("puct", "gumbel"):
            raise ValueError(f"search={self.search!r}: puct or gumbel")
        if self.temperature < 0 or self.threads < 1:
            raise ValueError(f"temperature={self.temperature}, threads={self.threads}: zero or more, at least one")
        has_cards = self.game.law is goita
        if core.hides(self.game.law) and (not has_cards or self.sims or self.ms is not None):
            raise ValueError(
                f"{self.game.spec} has hidden hands, which a network with this search would look into: use ismcts or pimc"
                + (", or net without sims and ms" if has_cards else "")
            )
        path = self.file or players.find(self.game)
        if path is None:
            raise ValueError(
                f"no network for {self.game.spec} comes with narabe: give one that "
                f"`narabe train{'-cards' if has_cards else ''}` made, net:file=PATH"
            )
        if has_cards:
            cards, self.card = checkpoints.load_cards(path, self.game)
            self._cards = CardPlayer(cards, self.game, self.card.made_game(), self.device)
            return
        network, self.card = checkpoints.load(path, self.game)
        self._evaluate = Evaluator(network, self.game, self.device, self.batch, self.precision, self.fixed)
        if self.symmetries:
            self._evaluate = Averaged(self._evaluate, self.game)

    def new_game(self, seat: int, seed: int, slot: int = 0) -> None:
        super().new_game(seat, seed, slot)
        if slot in self._games:
            self._forget(np.array([self._games[slot]]))

    def tell(self, seen: int, slot: int = 0) -> None:
        if self._search is not None and slot in self._games and self.reuse:
            self._search.advance(np.array([seen]), np.array([self._games[slot]]))

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        for view in views:
            expect_turn(view, self.game)
        if self._cards is not None:
            with torch_threads(self.threads):
                found = self._cards.worth(views)
            return [self._of_worth(view, *pair) for view, pair in zip(views, found)]
        if len({view.slot for view in views}) < len(views):  # a slot has one tree: one after the other
            return [self.choose([view], budget)[0] for view in views]
        if not views:
            return []
        with torch_threads(self.threads):
            if self.sims == 0 and budget_of(budget, Budget(sims=SIMS)) is not budget:
                return self._by_policy(views)
            return self._by_search(views, budget_of(budget, Budget(self.sims or None, self.ms), Budget(sims=SIMS)))

    # ---- the network alone ------------------------------------------------------------------------------------------

    def _of_worth(self, view: View, actions: np.ndarray, worth: np.ndarray) -> Analysis:
        """The analysis of a seat to which these actions are worth so much; what is worth most is the value for its team."""
        best, policy = int(worth.argmax()), np.zeros(self.game.num_actions)
        if self.temperature > 0:
            policy[actions] = np.exp((worth - worth[best]) / self.temperature)
            policy /= policy.sum()
            chosen = drawn_by_visits(policy, 1.0, self.stream(view.slot))
        else:
            chosen = int(actions[best])
            policy[chosen] = 1.0
        team = next(team for team in self.game.teams if view.seat in team)
        value = tuple(float(worth[best]) * (1 if seat in team else -1) for seat in range(self.game.num_players))
        return Analysis(chosen, policy, np.zeros(len(policy), np.int64), value, (chosen,), len(actions))

    def _by_policy(self, views: Sequence[View]) -> list[Analysis]:
        n = len(views)
        observations = np.zeros((n, *self.game.observation_shape), np.int8)
        masks = np.zeros((n, self.game.num_actions), np.int8)
        for i, view in enumerate(views):
            calls.observe(view.record, 0, view.seat + 1, observations[i])
            calls.legal_mask(view.record, 0, masks[i])
        logits, values = self._evaluate(observations, masks, np.array([view.seat + 1 for view in views]))
        policies = np.exp(logits.astype(np.float64) - logits.max(1, keepdims=True)) * (masks > 0)
        policies /= policies.sum(1, keepdims=True)
        none = np.zeros(self.game.num_actions, np.int64)
        return [self._analysis(view, int(p.argmax()), p, none, v, [], 1) for view, p, v in zip(views, policies, values)]

    # ---- with a search ----------------------------------------------------------------------------------------------

    def _by_search(self, views: Sequence[View], budget: Budget) -> list[Analysis]:
        if budget.ms is not None:
            self._warm_up(views[0])
        end = time.perf_counter() + budget.ms / 1000 if budget.ms is not None else None
        sims = budget.sims if budget.sims is not None else max(SIMS, int(budget.ms * SIMS_PER_MS))  # type: ignore[operator]
        search = self._room([view.slot for view in views], sims)
        games = np.array([self._games[view.slot] for view in views])
        if not self.reuse:
            self._forget(games)
        records = np.concatenate([view.record for view in views])
        streams = np.concatenate([self.stream(view.slot) for view in views])
        made = self._simulate(search, records, streams, games, sims, end)
        for view, game in zip(views, games):
            self.stream(view.slot)[:] = search.streams[game]
        found = search.found(games)
        return [self._of_found(view, found, i, int(made[i])) for i, view in enumerate(views)]

    def _warm_up(self, view: View) -> None:
        """Once: compiling takes seconds, and would eat the first move's time."""
        if not self._warm:
            kind = Puct if self.search == "puct" else Gumbel
            kind(self.game, 1, 2, reuse=True).run(view.record, self._evaluate, np.zeros(1, np.uint64))
            self._warm = True

    def _simulate(
        self, search: Search, records: np.ndarray, streams: np.ndarray, games: np.ndarray, sims: int, end: float | None
    ) -> np.ndarray:
        """Search until the simulations are made or the time is up; the simulations of each game."""
        if end is None or self.search == "puct":
            search.begin(records, streams, games, sims)
            self._run(search, end)
            return search.trees.desks["done"][games].astype(np.int64)
        begun = time.perf_counter()
        search.begin(records, streams, games, min(TRIAL, sims))
        self._run(search, end)
        made = search.trees.desks["done"][games].astype(np.int64)
        now = time.perf_counter()
        more = min(int(made.max() * (end - now) / max(now - begun, 1e-6) * 0.9), sims)
        if more > made.max():
            search.begin(records, search.streams[games], games, more)
            self._run(search, end)
            made += search.trees.desks["done"][games]
        return made

    def _run(self, search: Search, end: float | None) -> None:
        """At least one step, so that each game has something to tell."""
        while leaves := search.leaves():
            search.give(*self._evaluate(leaves.observations, leaves.masks, leaves.players))
            if end is not None and time.perf_counter() > end:
                return

    def _of_found(self, view: View, found: Found, i: int, made: int) -> Analysis:
        line = found.principal_variation(i)
        proven = float(found.value[i, view.seat]) if found.certain[i] else None
        return self._analysis(
            view, int(found.action[i]), found.policy[i], found.visits[i], found.value[i], line, made, proven
        )

    def _analysis(
        self,
        view: View,
        action: int,
        policy: np.ndarray,
        visits: np.ndarray,
        value: np.ndarray,
        line: list[int],
        nodes: int,
        proven: float | None = None,
    ) -> Analysis:
        policy = np.asarray(policy, np.float64)
        policy = policy / policy.sum()
        if self.temperature > 0:
            drawn = drawn_by_visits(visits if visits.any() else policy, self.temperature, self.stream(view.slot))
            action, line, proven = drawn, line if line and line[0] == drawn else [], None
        return Analysis(action, policy, visits, tuple(map(float, value)), tuple(line) or (action,), nodes, proven)

    # ---- trees ------------------------------------------------------------------------------------------------------

    def _room(self, slots: list[int], sims: int) -> Search:
        """The search, with a game for each of the slots and room for so many simulations; made anew where it is too small."""
        for slot in slots:
            self._games.setdefault(slot, len(self._games))
        search = self._search
        if search is None or search.batch < len(self._games) or search.sims < sims:
            batch = len(self._games) if search is None else max(search.batch, len(self._games))
            sims = sims if search is None else max(search.sims, sims)
            if self.search == "puct":
                self._search = search = Puct(self.game, batch, sims, reuse=True)
            else:
                self._search = search = Gumbel(self.game, batch, sims, gumbel_scale=0.0, reuse=True)
        return search

    def _forget(self, games: np.ndarray) -> None:
        if self._search is not None:
            for name in ("rooted", "waiting"):
                self._search.trees.desks[name][games[games < self._search.batch]] = 0


@contextmanager
def torch_threads(n: int) -> Iterator[None]:
    """So many threads for torch within, as many as before afterwards."""
    before = torch.get_num_threads()
    torch.set_num_threads(n)
    try:
        yield
    finally:
        torch.set_num_threads(before)
