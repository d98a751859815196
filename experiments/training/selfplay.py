"""A chunk of games that a network plays with itself, many side by side: what it learns from.

A chunk is a pure function of the weights, the game, the settings and the seed: whichever process plays it, it makes the
same bytes (on machines whose sums come out alike). Moves with a full search are recorded, those with a fast one are not
(playout-cap randomisation: Wu, "Accelerating self-play learning in Go", 2019).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from narabe.agents.layouts import layout_of
from narabe.agents.networks import mover_first
from narabe.envs.game import Game
from narabe.envs.rules import calls
from narabe.experiments import interrupts
from narabe.experiments.training import turns
from narabe.experiments.training.args import TrainArgs
from narabe.search.puct import Evaluate, Gumbel, Puct, Search


@dataclass(frozen=True)
class Positions:
    """Recorded positions of a chunk, ordered by game and ply; the columns of a shard.

    ``observations``: int8 (n, planes, height, width), as the player to move sees them; ``masks``: int8 (n, actions);
    ``policies``: float16 (n, actions), what the full search made of the policy; ``values``: float32 (n, players), what the
    value learns, first of the player to move, then in turn order; ``replies``: float16 (m, actions), the policies of full
    searches of the next player in the very next turn, of the positions ``replied`` int32 (m,), ascending; ``owners``: int8
    (n, height, width), 1 for cells that the player to move owns at the end of the game, -1 for those of the opponent, or None.
    """

    observations: np.ndarray
    masks: np.ndarray
    policies: np.ndarray
    values: np.ndarray
    replied: np.ndarray
    replies: np.ndarray
    owners: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.policies)


@dataclass
class Tally:
    """What a chunk came to. ``seconds`` and ``network_seconds`` are this machine's, all else follows from the seed.

    ``plies``: moves found by a search; ``evaluated``: positions that the network was asked about; ``wins``: games won by
    each seat, and at last those without a winner; ``entropy``: mean of the recorded policies, in nats.
    """

    games: int = 0
    plies: int = 0
    positions: int = 0
    evaluated: int = 0
    wins: list[int] = field(default_factory=list)
    entropy: float = 0.0
    seconds: float = 0.0
    network_seconds: float = 0.0


def play_chunk(
    game: Game, evaluate: Evaluate, args: TrainArgs, seed: np.random.SeedSequence
) -> tuple[Positions, Tally]:
    """Play ``args.chunk_games`` games, ``args.flight`` side by side; game number k is begun as soon as there is a place."""
    return _Table(game, evaluate, args, seed).play()


def searches(game: Game, args: TrainArgs, batch: int) -> tuple[Search, Search]:
    """The full search with noise and the fast one without, for ``batch`` games."""
    if args.search == "puct":
        full = Puct(game, batch, args.sims, noise=args.noise, concentration=args.concentration)
        return full, Puct(game, batch, args.fast_sims)
    full_search = Gumbel(game, batch, args.sims, considered=args.considered)
    return full_search, Gumbel(game, batch, args.fast_sims, considered=args.considered, gumbel_scale=0.0)


class _Table:
    """The games of a chunk: ``places`` games side by side, each at its own point."""

    def __init__(self, game: Game, evaluate: Evaluate, args: TrainArgs, seed: np.random.SeedSequence) -> None:
        self.game, self.evaluate, self.args = game, evaluate, args
        self.places = min(args.flight, args.chunk_games)
        self.full, self.fast = searches(game, args, self.places)
        words = seed.generate_state(args.chunk_games, np.uint64)  # a stream a game, whatever place it is played at
        self.game_streams = words
        self.start = game.start(chance="manual").record
        self.records = np.repeat(self.start, self.places).view(type(self.full.states))
        self.streams = np.zeros(self.places, np.uint64)
        self.number = np.full(self.places, -1)  # which game of the chunk; -1: none, the place is empty
        self.plies = np.zeros(self.places, np.int64)
        self.is_full = np.zeros(self.places, bool)
        self.begun = 0
        self.payoffs = np.zeros((args.chunk_games, game.num_players))
        self.owned = layout_of(game).owned if args.ownership_weight else None
        self.owners = np.zeros((args.chunk_games if self.owned else 0, *game.observation_shape[1:]), np.int8)
        self.blocks: list[dict[str, np.ndarray]] = []
        self.tally = Tally(games=args.chunk_games)

    def play(self) -> tuple[Positions, Tally]:
        begun = time.perf_counter()
        self.seat(np.arange(self.places))
        while (busy := self.number >= 0).any():
            interrupts.check()
            self.simulate()
            done = np.where(self.is_full, self.full.finished(), self.fast.finished())
            ready = np.flatnonzero(done & busy)
            if len(ready):
                self.move(ready)
        positions = self.gathered()
        self.tally.seconds = time.perf_counter() - begun
        return positions, self.tally

    def seat(self, places: np.ndarray) -> None:
        """Begin the next games at these places, as long as there are games to begin; the others stay empty."""
        seated = []
        for place in places:
            self.number[place] = -1
            if self.begun < self.args.chunk_games:
                stream = self.game_streams[self.begun : self.begun + 1].copy()
                plies = 0
                coin, length = np.empty(2), 0
                turns.draw_numbers(stream, np.zeros(2, np.int64), coin)
                if self.args.random_plies and coin[0] < self.args.random_share:
                    length = 1 + int(coin[1] * self.args.random_plies)
                plies = int(turns.begin_game(self.records, int(place), self.start, length, stream))
                self.streams[place], self.plies[place], self.number[place] = stream[0], plies, self.begun
                self.begun += 1
                seated.append(place)
        self.think(np.array(seated, np.int64))

    def think(self, places: np.ndarray) -> None:
        """Begin a search for each of these places, full or fast."""
        if not len(places):
            return
        coins, bits = np.empty(len(places)), np.empty(len(places), np.uint64)
        turns.draw_numbers(self.streams, places, coins)
        turns.draw_bits(self.streams, places, bits)
        self.is_full[places] = full = coins < self.args.full_share
        for search, chosen in ((self.full, full), (self.fast, ~full)):
            if chosen.any():
                search.begin(self.records[places[chosen]], bits[chosen], places[chosen])

    def simulate(self) -> None:
        """One step of both searches, with one call of the network."""
        a, b = self.full.leaves(), self.fast.leaves()
        k = len(a)
        if not k + len(b):
            return
        observations, masks, players = (
            np.concatenate(pair)
            for pair in ((a.observations, b.observations), (a.masks, b.masks), (a.players, b.players))
        )
        begun = time.perf_counter()
        outputs, values = self.evaluate(observations, masks, players)
        self.tally.network_seconds += time.perf_counter() - begun
        self.tally.evaluated += len(players)
        if k:
            self.full.give(outputs[:k], values[:k])
        if len(b):
            self.fast.give(outputs[k:], values[k:])

    def move(self, places: np.ndarray) -> None:
        """Record what full searches of these places found, move, and go on: with the next search or the next game."""
        full = self.is_full[places]
        actions, policy = np.empty(len(places), np.int64), np.empty((len(places), self.game.num_actions), np.float32)
        for search, chosen in ((self.full, full), (self.fast, ~full)):
            if chosen.any():
                found = search.found(places[chosen])
                actions[chosen], policy[chosen] = found.action, found.policy
                if search is self.full:
                    targets = found.policy
                    if self.args.search == "puct":
                        targets = self.pruned(places[chosen])
                    self.record(places[chosen], targets, found.value)
        numbers = np.empty(len(places))
        turns.draw_numbers(self.streams, places, numbers)
        drawn = self.plies[places] < self.args.temperature_plies
        turns.draw_actions(policy, self.args.temperature, numbers, drawn, actions)
        payoffs = np.empty((len(places), self.game.num_players))
        turns.play_moves(self.records, places, actions, self.streams, payoffs)
        self.tally.plies += len(places)
        self.plies[places] += 1
        over = ~np.isnan(payoffs[:, 0])
        self.payoffs[self.number[places[over]]] = payoffs[over]
        self.note_owners(places[over])
        self.seat(places[over])
        self.think(places[~over])

    def note_owners(self, places: np.ndarray) -> None:
        """Who owns the cells of these games, which are over: 1 the first player, -1 the second."""
        if self.owned is not None:
            seen = np.zeros(self.game.observation_shape, np.int8)
            for place in places:
                calls.observe(self.records, int(place), 1, seen)
                self.owners[self.number[place]] = seen[self.owned[0]] - seen[self.owned[1]]

    def pruned(self, places: np.ndarray) -> np.ndarray:
        t = self.full.trees
        policy = np.zeros((len(places), self.game.num_actions), np.float32)
        turns.prune(t.nodes, t.edges, t.desks, t.clean, self.full.settings, places, policy)
        return policy

    def record(self, places: np.ndarray, targets: np.ndarray, values: np.ndarray) -> None:
        n = len(places)
        observations = np.zeros((n, *self.game.observation_shape), np.int8)
        masks, players = np.zeros((n, self.game.num_actions), np.int8), np.zeros(n, np.int64)
        turns.look(self.records, places, observations, masks, players)
        self.blocks.append(
            {
                "observations": observations,
                "masks": masks,
                "players": players,
                "policies": targets.astype(np.float16),
                "values": values,
                "number": self.number[places],
                "ply": self.plies[places],
            }
        )

    def gathered(self) -> Positions:
        """All that was recorded, with how the games ended."""
        if not self.blocks:
            self.record(
                np.zeros(0, np.int64), np.zeros((0, self.game.num_actions)), np.zeros((0, self.game.num_players))
            )
        columns = {name: np.concatenate([block[name] for block in self.blocks]) for name in self.blocks[0]}
        order = np.lexsort((columns["ply"], columns["number"]))
        c = {name: column[order] for name, column in columns.items()}
        mix = self.args.value_mix
        values = mover_first((1 - mix) * self.payoffs[c["number"]] + mix * c["values"], c["players"])
        follows = (
            (c["number"][1:] == c["number"][:-1])
            & (c["ply"][1:] == c["ply"][:-1] + 1)
            & (c["players"][1:] != c["players"][:-1])
        )
        replied = np.flatnonzero(follows).astype(np.int32)
        owners = None
        if self.owned is not None:
            owners = self.owners[c["number"]] * np.where(c["players"] == 1, 1, -1).astype(np.int8)[:, None, None]
        replies = c["policies"][replied + 1]
        positions = Positions(
            c["observations"], c["masks"], c["policies"], values.astype(np.float32), replied, replies, owners
        )
        self.count(positions)
        return positions

    def count(self, positions: Positions) -> None:
        p = positions.policies.astype(np.float64)
        logs = np.log(p, where=p > 0, out=np.zeros_like(p))
        best = self.payoffs.max(1)
        won = self.payoffs > 0
        self.tally.positions = len(positions)
        self.tally.entropy = float(-(p * logs).sum() / max(1, len(p)))
        self.tally.wins = [*(int(n) for n in won.sum(0)), int((best <= 0).sum())]
