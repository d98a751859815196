"""Exact odds of Gomocku's flips, as fractions, from what has been seen alone.

The backs that nobody has seen are exchangeable: with c coloured ones among n unseen, the next is coloured with c / n. The
outcomes are found by playing them through the law itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from narabe.envs.faces.gomocku import COMPASS, flips_of
from narabe.envs.game import CHANCE_SEAT, State
from narabe.envs.rules import gomocku
from narabe.envs.rules.gomocku import record as R


@dataclass(frozen=True)
class Outcome:
    """One way in which the flips of a move may turn out.

    ``colours``: ``"coloured"`` (the mover's colour) or ``"red"`` by direction; ``result``: ``"win"`` (five in a row),
    ``"foul"`` (a row too long) or ``"nothing"``; ``put_back``: the directions that a foul turns back.
    """

    colours: dict[str, str]
    probability: Fraction
    result: str
    put_back: tuple[str, ...] = ()


@dataclass(frozen=True)
class FlipOdds:
    """All outcomes of a move with its flips; their probabilities sum to 1."""

    outcomes: tuple[Outcome, ...]

    def chance_of(self, result: str) -> Fraction:
        """The probability of a result: win, foul or nothing."""
        return sum((o.probability for o in self.outcomes if o.result == result), Fraction(0))

    @property
    def win(self) -> Fraction:
        """The probability that the move wins at once."""
        return self.chance_of("win")

    @property
    def foul(self) -> Fraction:
        """The probability that the move ends in a foul."""
        return self.chance_of("foul")

    def coloured(self) -> dict[int, Fraction]:
        """The probability of each number of pieces that show the mover's colour (those turned back included)."""
        counts: dict[int, Fraction] = {}
        for o in self.outcomes:
            n = sum(colour == "coloured" for colour in o.colours.values())
            counts[n] = counts.get(n, Fraction(0)) + o.probability
        return dict(sorted(counts.items()))


def flip_odds(state: State, move: int | str, flips: int | str = "none") -> FlipOdds:
    """The distribution of what comes of a move with its choice of flips, for the side to move.

    ``move``: a cell by number or text; ``flips``: directions by text (``"E+NW"``) or as a mask of bits in the order E, N,
    NE, NW, W, S, SW, SE. A deal that lies in the state is not looked at. Raises `narabe.envs.game.IllegalMove` for a move
    or flips that are not legal, `TypeError` for another game.

    >>> from narabe.envs import game
    >>> state = game("gomocku").position(black="H8 D4 E4 F4 J10", white="I8 G5 C3 C2 N1", ply=30)
    >>> odds = flip_odds(state, "J8", "W")
    >>> [(o.colours, str(o.probability)) for o in odds.outcomes]
    [({'W': 'red'}, '3/5'), ({'W': 'coloured'}, '2/5')]
    """
    if state.game.law is not gomocku:
        raise TypeError(f"flip odds are of Gomocku, not of {state.game.spec}")
    if state.to_play < 0:
        raise ValueError("flip odds are asked for where a side is to play")
    now = state.view(state.to_play).state()
    now.chance = "manual"
    mask = flips_of(flips) if isinstance(flips, str) else int(flips)
    if mask is None:
        raise ValueError(f"cannot read {flips!r} as pieces to turn: write E+NW, or none")
    now.play(move)
    if not now.is_over and int(now.record["stage"][0]) == R.CHOOSE:
        before = now.copy()
        now.play(now.game.options["width"] * now.game.options["height"] + mask)
        backs = {COMPASS[d]: _back(before, d) for d in range(8) if mask >> d & 1}
        known = {name: back for name, back in backs.items() if back is not None}
    elif mask:
        raise ValueError(f"nothing may be turned by {move}")
    else:
        known = {}
    return FlipOdds(tuple(_follow(now, known, Fraction(1))))


def outcome_weights(state: State) -> dict[int, Fraction]:
    """The exact probability of each outcome of a chance turn that can happen, by its action number.

    >>> from narabe.envs import game
    >>> state = game("gomocku").position(black="H8", white="I8", ply=30)
    >>> state.chance = "manual"
    >>> {state.game.text_of(a): str(p) for a, p in outcome_weights(state.play("J8").play("W")).items()}
    {'red': '3/5', 'coloured': '2/5'}
    """
    s = state.record[0]
    if state.to_play != CHANCE_SEAT or int(s["stage"]) != R.REVEAL:
        raise ValueError("weights are asked for on the chance turn of a back that is about to be seen")
    owner = 2 - int(s["mover"])
    coloured = int(s["coloured"]) - int(s["seen_coloured"][owner])
    unseen = int(s["plies"]) // 2 - int(s["seen_coloured"][owner]) - int(s["seen_red"][owner])
    n = state.game.num_actions
    weights = {n + R.RED: Fraction(unseen - coloured, unseen), n + R.COLOURED: Fraction(coloured, unseen)}
    return {outcome: p for outcome, p in weights.items() if p}


def _follow(state: State, colours: dict[str, str], p: Fraction) -> list[Outcome]:
    """All ways on from a state in the middle of its reveals."""
    if state.is_over or state.to_play != CHANCE_SEAT:
        return [_outcome(state, colours, p)]
    left = int(state.record["left"][0])
    direction = COMPASS[(left & -left).bit_length() - 1]
    found = []
    for outcome, weight in outcome_weights(state).items():
        colour = "coloured" if outcome == state.game.num_actions + R.COLOURED else "red"
        found += _follow(state.copy().play(outcome), colours | {direction: colour}, p * weight)
    return found


def _outcome(state: State, colours: dict[str, str], p: Fraction) -> Outcome:
    s = state.record[0]
    if s["result"] == R.FIVE:
        return Outcome(colours, p, "win")
    entry = int(s["history"][s["n_moves"] - 1])
    kind = entry >> R.KIND
    put_back = entry >> (8 if kind == R.CHOSEN else 4) & 255 if kind in (R.CHOSEN, R.REVEALED) else 0
    names = tuple(name for d, name in enumerate(COMPASS) if put_back >> d & 1)
    return Outcome(colours, p, "foul" if put_back else "nothing", names)


def _back(state: State, d: int) -> str | None:
    """What is known of the back of the piece next to the one just laid, None for nothing."""
    s, width = state.record[0], state.game.options["width"]
    rows, columns = (0, 1, 1, 1, 0, -1, -1, -1), (1, 0, 1, -1, -1, 0, -1, 1)
    kind = ((int(s["piece"][int(s["last"]) + rows[d] * width + columns[d]]) & 15) - 1) >> 1
    return {R.KNOWN_COLOURED: "coloured", R.KNOWN_RED: "red"}.get(kind)
