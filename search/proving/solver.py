"""The solver in Python: who wins with best play, the proof of it, and the shortest game."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from narabe.envs.game import Game, State
from narabe.envs.rules import calls
from narabe.envs.rules.line.patterns import new_patterns
from narabe.search.proving import descent, replay
from narabe.search.proving.case import UNLIMITED, new_case, open_case
from narabe.search.proving.extract import Writer
from narabe.search.proving.table import INFINITE, new_table
from narabe.search.threats.blocking import where_to_block
from narabe.search.threats.proof import Proof, is_line_game

SLICE = 100_000
"""Positions judged between two calls of ``tick``: about a tenth of a second."""
SPARE_FRAMES = 24  # a game is longer than the board has cells where stones are taken
ODD = 0x9E3779B97F4A7C15


class ProvingError(ValueError):
    """A game or a position that cannot be proved; the message says why."""


class Spent(Exception):
    """The budget of a question is spent; `Prover.tick` may raise it to stop with what is known."""


@dataclass
class Budget:
    """When to give up: positions judged, milliseconds; None is no limit."""

    nodes: int | None = None
    ms: float | None = None
    begun: float = field(default_factory=time.perf_counter)

    def is_spent(self, nodes: int) -> bool:
        late = self.ms is not None and (time.perf_counter() - self.begun) * 1000 >= self.ms
        return late or (self.nodes is not None and nodes >= self.nodes)


@dataclass(frozen=True)
class Verdict:
    """What is known of a position with best play by both sides.

    ``wins`` says of each seat whether it can force a win: True, False, or None if the budget was spent before that was
    known. ``proofs`` hold what is proved: one that the winner wins, or one for each seat that it does not lose.
    ``plies``: of the win by the proof found; with ``exact`` no defence lasts longer and no attack is quicker.
    ``nodes``: positions judged. ``line``: a game by the proof of a win in which the loser holds out as long as it can.
    """

    players: tuple[str, ...]
    wins: tuple[bool | None, bool | None]
    proofs: tuple[Proof, ...] = ()
    plies: int | None = None
    exact: bool = False
    nodes: int = 0
    seconds: float = 0.0
    line: tuple[int, ...] = ()

    @property
    def winner(self) -> int | None:
        """The seat that wins, if one is known to."""
        return next((seat for seat, won in enumerate(self.wins) if won), None)

    @property
    def is_draw(self) -> bool:
        return self.wins == (False, False)

    @property
    def is_known(self) -> bool:
        return self.winner is not None or self.is_draw

    def __str__(self) -> str:
        if self.winner is not None:
            return f"{self.players[self.winner]} wins"
        if self.is_draw:
            return "draw"
        held = [f"{player} cannot force a win" for player, won in zip(self.players, self.wins) if won is False]
        return "; ".join(held) if held else "nothing is known"


class Question:
    """Can ``attacker`` (a seat) win from a position, by a ply at the latest? It walks on the position and back."""

    def __init__(self, prover: Prover, state: State, attacker: int, max_plies: int | None) -> None:
        self.prover, self.game, self.attacker = prover, state.game, attacker
        self._record, self._patterns, self._case = state.record.copy(), new_patterns(1), new_case()
        last = UNLIMITED if max_plies is None else state.ply + max_plies
        salt = np.uint64((attacker + 1 + 2 * last) * ODD & (1 << 64) - 1)
        blocks = where_to_block(self.game, 1 - attacker)
        open_case(self._record, self._case, attacker, last, blocks, salt)
        phi, delta = replay.judge_state(self._record, self._patterns, self._case)
        self.at_once: bool | None = None if phi and delta else (phi == 0) == (state.to_play == attacker)
        self._cells = np.zeros(replay.MOST_PAIRED, np.int16)
        if self.at_once is None and self.pairs() is not None:
            self.at_once = False

    def search(self) -> bool:
        """Is the goal of the side to move reached? May raise what ``tick`` raises."""
        prover = self.prover
        prover._frames[0]["phi_limit"] = prover._frames[0]["delta_limit"] = INFINITE
        control = np.zeros(descent.CONTROLS, np.int64)
        start = prover.nodes
        while control[descent.STATE] != descent.DONE:
            limit = int(control[descent.NODES]) + prover.slice
            descent.search(self._record, self._patterns, self._case, prover._frames, prover.table, control, limit)
            prover.nodes = start + int(control[descent.NODES])
            prover.numbers = int(control[descent.PHI]), int(control[descent.DELTA])
            self.tick()
        return bool(control[descent.PHI] == 0)

    def tick(self) -> None:
        self.prover._tick()

    def move(self) -> int:
        """The move that reaches the goal of the side to move."""
        move = self._move()
        if move == replay.LOST_ENTRY:
            if not self.search():
                raise AssertionError("a position of the proof is not won after all")
            move = self._move()
        return move

    def _move(self) -> int:
        return int(replay.move_in(self._record, self._patterns, self._case, self.prover.table))

    def is_dead(self) -> bool:
        """Can the attacker make no row any more (and not win by pairs taken)?"""
        return not self.game.options["captures"] and int(self._case["weight"][0][self.attacker]) == 0

    def pairs(self) -> tuple[int, ...] | None:
        """The pairs by which the defender can block every row, as cells; empty if weight is enough, None if none are found."""
        n = replay.pairs_of(self._record, self._case, self._cells)
        return None if n < 0 else tuple(int(a) for a in self._cells[:n])

    def play(self, move: int) -> tuple[bool, int]:
        over, key = replay.play_move(self._record, self._patterns, self._case, move)
        return bool(over), int(key)

    def take_back(self, move: int) -> None:
        replay.take_move_back(self._record, self._patterns, self._case, move)

    def legal(self) -> list[int]:
        mask = np.zeros(self.game.num_actions, np.int8)
        calls.legal_mask(self._record, 0, mask)
        return [int(a) for a in np.flatnonzero(mask)]

    def reasons(self, targets: np.ndarray) -> None:
        replay.reasons_after(self._record, self._patterns, self._case, targets)


class Prover:
    """Proves positions of one line game, the better the smaller its board.

    ``mb``: MiB for the table of proof numbers, which is kept from call to call. ``tick``, if set, is called every `SLICE`
    positions, and may raise to stop.

    >>> from narabe import envs
    >>> game = envs.game("freestyle", size=4, row=3)
    >>> verdict = Prover(game, mb=1).solve(game.start(), shortest=True)
    >>> str(verdict), verdict.plies
    ('Black wins', 5)
    """

    def __init__(self, game: Game, mb: float = 256) -> None:
        if not is_line_game(game):
            raise ProvingError(f"only line games can be proved, not {game.spec}")
        self.game = game
        self.table = new_table(mb)
        self.nodes = 0
        self.numbers = (1, 1)  # of the position looked at last
        self.slice = SLICE
        self.tick: Callable[[], None] | None = None
        self.about = ""  # what is being done, in words
        self._frames = descent.new_frames(game.num_actions + SPARE_FRAMES)
        self._budget, self._budget_from = Budget(), 0

    def wins(
        self, state: State, seat: int, max_plies: int | None = None, nodes: int | None = None, ms: float | None = None
    ) -> bool | None:
        """Can the seat force a win (within so many plies)? None if the budget is spent first."""
        self._begin(Budget(nodes, ms))
        try:
            return self._wins(state, seat, max_plies)
        except Spent:
            return None

    def proof(self, state: State, seat: int, max_plies: int | None = None) -> Proof:
        """The proof that the seat wins (within so many plies), or if it cannot, that the other does not lose."""
        self._begin(Budget())
        return self._proof(state, seat, max_plies)[0]

    def solve(
        self,
        state: State,
        shortest: bool = False,
        nodes: int | None = None,
        ms: float | None = None,
        proofs: bool = True,
    ) -> Verdict:
        """Who wins with best play, with proofs; ``shortest``: in how many plies at the least.

        What is known when the budget is spent is returned.
        """
        self._begin(Budget(nodes, ms))
        wins: list[bool | None] = [None, None]
        found: list[Proof] = []
        line: list[int] = []
        plies, exact = None, False
        first = max(state.to_play, 0)
        try:
            for seat in (first, 1 - first):
                wins[seat] = self._wins(state, seat)
                if proofs or (shortest and wins[seat]):
                    proof, plies, line = self._proof(state, seat)
                    found.append(proof)
                if wins[seat]:
                    wins[1 - seat], found = False, found[-1:]
                    break
            winner = next((seat for seat in (0, 1) if wins[seat]), None)
            while winner is not None and shortest and plies is not None and not exact:
                shorter = plies - 2
                if shorter > 0 and self._wins(state, winner, shorter):
                    proof, plies, line = self._proof(state, winner, shorter)
                    found = [proof]
                else:
                    exact = True
        except Spent:
            pass
        if True not in wins:
            plies, line = None, []
        return Verdict(
            players=state.game.players,
            wins=(wins[0], wins[1]),
            proofs=tuple(found),
            plies=plies,
            exact=exact,
            nodes=self.nodes - self._budget_from,
            seconds=time.perf_counter() - self._budget.begun,
            line=tuple(line),
        )

    # ---- inside ----

    def _begin(self, budget: Budget) -> None:
        self._budget, self._budget_from = budget, self.nodes

    def _tick(self) -> None:
        if self.tick is not None:
            self.tick()
        if self._budget.is_spent(self.nodes - self._budget_from):
            raise Spent

    def _question(self, state: State, seat: int, max_plies: int | None) -> Question:
        if state.game != self.game:
            raise ProvingError(f"this prover is for {self.game.spec}, not for {state.game.spec}")
        if state.record["opening"][0] and state.ply <= 2:
            raise ProvingError("the opening rule still binds here: use opening=none, or a later position")
        return Question(self, state, seat, max_plies)

    def _wins(self, state: State, seat: int, max_plies: int | None = None) -> bool:
        within = "" if max_plies is None else f" within {max_plies} plies"
        self.about = f"can {state.game.players[seat]} win{within}?"
        question = self._question(state, seat, max_plies)
        if question.at_once is not None:
            return question.at_once
        return question.search() == (state.to_play == seat)

    def _proof(self, state: State, seat: int, max_plies: int | None = None) -> tuple[Proof, int, list[int]]:
        """The proof, the plies of the game by it at most, and such a game."""
        if state.is_over:
            raise ProvingError(f"the game is over: {state.reason}")
        won = self._wins(state, seat, max_plies)
        self.about = "writing the proof"
        writer = Writer(self._question(state, seat, max_plies), seat if won else 1 - seat)
        proof = writer.write(state)
        return proof, writer.plies[0], writer.longest_game(proof)
