"""The compiled line law beside the naive oracle, on random positions of random kinds.

A position comes from one of three sources: a *star* (a free point with dense stones on its lines, where the bans live), a
*scatter* (stones at random, from nearly empty to nearly full), or a *game* (random legal moves from the start,
each ply one position). On each, both sides are asked about a few cells, not all: is it legal, and if not,
why? Then one legal cell is played in both and what follows is compared: board, pairs, end, winner, reasons.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from narabe.envs import Game, State, game
from narabe.envs.rules import calls
from narabe.envs.rules.line import record as R
from narabe.tests.oracles import lines as oracle
from narabe.tests.oracles.lines import BLACK, EMPTY, RULE_SETS, WHITE, Position, Rules, with_stone

CODES = {
    None: {0}, "occupied": {R.OCCUPIED}, "opening": {R.CENTRE, R.NEAR_CENTRE}, "double three": {R.DOUBLE_THREE},
    "double four": {R.DOUBLE_FOUR}, "overline": {R.OVERLINE},
}  # fmt: skip
REASONS = {"five": R.FIVE, "pairs": R.PAIRS, "full board": R.FULL, "no legal move": R.STUCK}
STAR, SCATTER, GAME = "star", "scatter", "game"

OMOK, RENJU, CAPTURE = RULE_SETS["omok"], RULE_SETS["renju"], RULE_SETS["capture_gomoku"]
RULES: dict[str, Rules] = {
    "gomoku": RULE_SETS["gomoku"],
    "freestyle": RULE_SETS["freestyle"],
    "omok": OMOK,
    "omok, recursive": replace(OMOK, recursive=True),
    "omok, same_line": replace(OMOK, same_line=True),
    "omok, recursive and same_line": replace(OMOK, recursive=True, same_line=True),
    "omok under exact five": replace(OMOK, exact=True),
    "renju": RENJU,
    "renju for both": replace(RENJU, bans="both"),
    "double four only": Rules(double_four=True),
    "capture gomoku": CAPTURE,
    "capture gomoku without opening": replace(CAPTURE, opening="none"),
    "captures under exact five": replace(CAPTURE, exact=True, opening="none"),
    "captures and double three": replace(OMOK, captures=True),
    "omok in rows of four": replace(OMOK, row=4),
    "renju in rows of four": replace(RENJU, row=4, bans="both"),
    "bans by shape in rows of three": replace(RENJU, row=3, bans="both", recursive=False),
}
ANY = "any rules on a rectangle"


def any_rules(rng: random.Random, low: int, high: int) -> Rules:
    """Random values for every option, on a rectangle."""
    width, height = rng.randint(low, high), rng.randint(low, high)
    row = rng.choice([row for row in (3, 4, 5, 5) if row <= max(width, height)])
    recursive, overline = rng.random() < 0.4 and (row > 3 or width * height < 50), rng.random() < 0.3
    return Rules(
        width=width, height=height, row=row, exact=rng.random() < 0.4, double_three=rng.random() < 0.6,
        double_four=rng.random() < 0.4, overline=overline, bans=rng.choice(("both", "black")), recursive=recursive,
        same_line=rng.random() < 0.3, captures=rng.random() < 0.3,
    )  # fmt: skip


def sized(rules: Rules, rng: random.Random, low: int, high: int) -> Rules:
    """The rules on a square board of a random size; the tournament opening stays where the size allows it."""
    size = rng.randint(low, high)
    opening = rules.opening if size % 2 == 1 and size >= 7 else "none"
    return replace(rules.resized(size), opening=opening)


def game_of(rules: Rules) -> Game:
    """The game that the oracle's rules describe."""
    return game("freestyle", **vars(rules), five_spoils_three=rules.five_spoils_three and rules.recursive)


@dataclass(frozen=True)
class Plan:
    """How many positions of a rule set are compared, on boards of which sizes."""

    name: str
    low: int
    high: int
    count: int

    def chunks(self, size: int) -> Iterator[tuple[Plan, int]]:
        """The plan in pieces of ``size`` positions, each with its seed."""
        for seed in range(-(-self.count // size)):
            yield replace(self, count=min(size, self.count - seed * size)), seed


OWN = ("gomoku", "freestyle", "omok", "renju", "capture gomoku")  # the others are mixtures of these
PLANS = [
    *(Plan(name, 7, 9, 20_000 if name in OWN else 5_000) for name in RULES),
    *(Plan(name, 15, 20, 500) for name in RULES if " in rows of " not in name),
    Plan(ANY, 3, 9, 20_000),
    Plan(ANY, 15, 20, 500),
]


@dataclass
class Tally:
    """What was compared, and where the two sides differed."""

    positions: int = 0
    cells: int = 0
    faults: Counter = field(default_factory=Counter)  # of the cells asked about, by the oracle's name
    ends: Counter = field(default_factory=Counter)  # of the moves played, by the oracle's reasons
    disagreements: list[str] = field(default_factory=list)

    def check(self, what: str, law: object, naive: object, state: State) -> None:
        """Note a disagreement with all that is needed to see it again."""
        if law != naive:
            self.disagreements.append(f"{what}: law {law}, oracle {naive}; {state.to_text()} of {state.game.options}")

    def add(self, other: Tally) -> None:
        self.positions += other.positions
        self.cells += other.cells
        self.faults += other.faults
        self.ends += other.ends
        self.disagreements += other.disagreements


def compare(plan: Plan, seed: int) -> Tally:
    """Compare law and oracle on the positions of a plan; all that is random follows from the plan and the seed."""
    rng = random.Random(f"{plan} {seed}")
    tally, games = Tally(), {}
    while tally.positions < plan.count:
        if plan.name == ANY:
            rules = any_rules(rng, plan.low, plan.high)
        else:
            rules = sized(RULES[plan.name], rng, plan.low, plan.high)
        if rules not in games:
            games[rules] = game_of(rules)
        for _ in range(20):
            source = rng.choices((STAR, SCATTER, GAME), (6, 2, 0.05))[0]
            if source == GAME:
                _compare_game(games[rules], rules, rng, tally)
            else:
                _compare_set_up(games[rules], rules, rng, tally, source)
    return tally


def _compare_set_up(played: Game, rules: Rules, rng: random.Random, tally: Tally, source: str) -> None:
    side = BLACK if rules.bans == "black" and rng.random() < 0.8 else rng.choice((BLACK, WHITE))
    cells, asked = (_star if source == STAR else _scatter)(rules, rng, side)
    black, white = ([cell for cell, v in enumerate(cells) if v == colour] for colour in (BLACK, WHITE))
    pairs = (rng.randint(0, 4), rng.randint(0, 4)) if rules.captures else (0, 0)
    naive = Position.set_up(rules, black, white, side, pairs)
    holders = [colour for colour in (BLACK, WHITE) if _holds_a_row(rules, naive.board, colour)]
    if len(holders) == 2:
        return
    state = played.position(black=black, white=white, to_move=("", "black", "white")[side], pairs=pairs)
    tally.positions += 1
    if holders:
        tally.check("a row already stands", _end(state), (R.FIVE, holders[0]), state)
        return
    tally.check("end of the set-up", _end(state), _naive_end(naive), state)
    if not naive.is_over:
        _ask(state, naive, asked, rng, tally)


def _compare_game(played: Game, rules: Rules, rng: random.Random, tally: Tally) -> None:
    state, naive = played.start(), Position.start(rules)
    near = [cell for cell in range(rules.width * rules.height) if rng.random() < 0.5]  # crowd a part of the board
    while not naive.is_over:
        tally.positions += 1
        empty = naive.empty_cells()
        crowd = [cell for cell in near if naive.board[cell] == EMPTY] or empty
        asked = [rng.choice(crowd), rng.choice(crowd), rng.randrange(len(naive.board))]
        after = _ask(state, naive, asked, rng, tally)
        if after is None:
            move = next(cell for cell in rng.sample(empty, len(empty)) if naive.fault(cell) is None)
            after = naive.play(move)
            state.play(move)
            _compare_after(state, after, tally)
        if tally.disagreements:
            return
        naive = after


def _ask(state: State, naive: Position, asked: list[int], rng: random.Random, tally: Tally) -> Position | None:
    """Compare the faults of the asked cells, then play the first legal one in both; None if none was legal."""
    legal = None
    for cell in dict.fromkeys(asked):
        fault = naive.fault(cell)
        tally.cells += 1
        tally.faults[fault] += 1
        code = int(calls.fault(state.record, 0, cell))
        if code not in CODES[fault]:
            tally.check(f"fault of {state.game.text_of(cell)}", code, fault, state)
        elif fault is None and legal is None:
            legal = cell
    if legal is None:
        return None
    after = naive.play(legal)
    state.play(legal)
    _compare_after(state, after, tally)
    return after


def _compare_after(state: State, naive: Position, tally: Tally) -> None:
    tally.ends[" and ".join(sorted(naive.reasons)) or "goes on"] += 1
    tally.check("board", state.game.face.board(state).tolist(), naive.board, state)
    tally.check("pairs", tuple(state.record["pairs"][0].tolist()), naive.pairs, state)
    tally.check("end", _end(state), _naive_end(naive), state)
    tally.check("turn", (int(state.record["mover"][0]), state.ply), (naive.to_move, naive.ply), state)


def _end(state: State) -> tuple[int, int]:
    return int(state.record["result"][0]), int(state.record["winner"][0])


def _naive_end(naive: Position) -> tuple[int, int]:
    return sum(REASONS[reason] for reason in naive.reasons), naive.winner


def _holds_a_row(rules: Rules, board: list[int], colour: int) -> bool:
    """Does a winning row of the colour stand on the board? Every row has a stone from which it is met for the first time."""
    for cell, content in enumerate(board):
        if content == colour:
            for direction in oracle.DIRECTIONS:
                before, after = (step(rules, cell, direction, count) for count in (-1, 1))
                if (before is None or board[before] != colour) and after is not None and board[after] == colour:
                    if rules.wins(colour, len(oracle.run_through(rules, board, cell, direction))):
                        return True
    return False


# ---- where positions come from ---------------------------------------------------------------------------------------


def _star(rules: Rules, rng: random.Random, side: int) -> tuple[list[int], list[int]]:
    """Threes, fours and dense lines through a free point; that point and a free one on its lines are asked about."""
    board = [EMPTY] * (rules.width * rules.height)
    centre = rng.randrange(len(board))
    for _ in range(rng.randrange(len(board) // 4 + 1)):
        board[rng.randrange(len(board))] = rng.choice((EMPTY, EMPTY, BLACK, WHITE))
    free = []
    for direction in rng.sample(oracle.DIRECTIONS, rng.choice((2, 3, 3, 4))):
        ray = list(_ray(rules, centre, direction))
        kind = rng.choice(("three", "three", "four", "dense", *(("pairs",) * 4 if rules.captures else ())))
        if kind == "pairs":  # two of the other side's stones on one or both sides, mostly bracketed
            for sign in rng.choice(((1,), (-1,), (1, -1))):
                for count, colour in ((1, 3 - side), (2, 3 - side), (3, rng.choice((side, side, EMPTY)))):
                    cell = step(rules, centre, direction, sign * count)
                    if cell is not None:
                        board[cell] = colour
            continue
        if kind == "dense":
            own, other = rng.choice(((0.3, 0.05), (0.4, 0.1), (0.5, 0.15), (0.6, 0.05)))
            mine = [cell for cell in ray if rng.random() < own]
        else:  # as many stones as make a three or a four with the point, near it
            number, near = (rules.row - 3, rules.row - 2) if kind == "three" else (rules.row - 2, rules.row - 1)
            close = [cell for cell in ray if _distance(rules, cell, centre) <= near]
            mine, other = rng.sample(close, min(number, len(close))), 0.04
        for cell in ray:
            board[cell] = side if cell in mine or rng.random() < 0.02 else (3 - side if rng.random() < other else EMPTY)
            if board[cell] == EMPTY:
                free.append(cell)
    board[centre] = EMPTY
    return board, [centre] + ([rng.choice(free)] if free else [])


def _distance(rules: Rules, a: int, b: int) -> int:
    return max(abs(a % rules.width - b % rules.width), abs(a // rules.width - b // rules.width))


def _ray(rules: Rules, centre: int, direction: tuple[int, int]) -> Iterator[int]:
    for count in (*range(-rules.row, 0), *range(1, rules.row + 1)):
        cell = step(rules, centre, direction, count)
        if cell is not None:
            yield cell


def step(rules: Rules, cell: int, direction: tuple[int, int], count: int) -> int | None:
    """The cell ``count`` steps away in a direction, or None beyond the edge."""
    column, row = cell % rules.width + direction[0] * count, cell // rules.width + direction[1] * count
    return row * rules.width + column if 0 <= column < rules.width and 0 <= row < rules.height else None


def _scatter(rules: Rules, rng: random.Random, side: int) -> tuple[list[int], list[int]]:
    """Stones at random, or a nearly full board without a winning row; two free cells are asked about."""
    size = rules.width * rules.height
    board = [EMPTY] * size
    if rng.random() < 0.5:
        for cell in rng.sample(range(size), rng.randrange(size * 2 // 3)):
            board[cell] = rng.choice((BLACK, WHITE))
    else:
        share = rng.uniform(0.4, 0.9)  # of the side to move
        for cell in rng.sample(range(size), size - rng.randint(0, min(3, size))):
            colours = (side, 3 - side) if rng.random() < share else (3 - side, side)
            tries = (
                colour
                for colour in colours
                if not oracle.makes_winning_row(rules, with_stone(board, cell, colour), cell)
            )
            board[cell] = next(tries, EMPTY)
    free = [cell for cell in range(size) if board[cell] == EMPTY]
    return board, rng.sample(free, min(2, len(free)))
