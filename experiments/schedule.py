"""Who meets whom, in which order, from which opening and under which seed: fixed before the first game is played.

The order is by opening, then by pair, then by seats, so that asking for more games adds fixtures at the end and
changes none, and so that a half-played schedule is a balanced one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from narabe.experiments.tournament_args import TournamentError

OPENINGS, GAMES, CHANCES, BOOK, VALUE = range(5)  # first spawn key of the families of random streams under one seed


class ScheduleError(TournamentError):
    """A schedule that cannot be made; the message says what to change."""


@dataclass(frozen=True)
class Fixture:
    """One game to be played.

    Attributes:
        id: stable name, such as `00003-0x2-b`: opening, pair of agents, `a` or `b` for the two ways to seat them.
        number: place in the canonical order, from 0.
        opening: number of the opening, from 0.
        seats: the agent's number for each seat.
        seed: the seed of the agents' random choices in this game (63 bits).
        chance: the seed of its chance turns, the same for all games from one opening, so that deals of cards are shared.
    """

    id: str
    number: int
    opening: int
    seats: tuple[int, ...]
    seed: int
    chance: int


def round_robin(num_agents: int, num_players: int, games: int, seed: int) -> list[Fixture]:
    """All fixtures of a round robin, everyone against everyone, in canonical order, `games` for each pair of agents.

    A pair (i, j) shares the seats of a game alternately, i j i j and so on, and then the other way round. Raises
    `ScheduleError` for fewer than two agents, and for a number of games that is not even and positive.

    >>> [fixture.id for fixture in round_robin(2, 2, 4, seed=0)]
    ['00000-0x1-a', '00000-0x1-b', '00001-0x1-a', '00001-0x1-b']
    """
    return _fixtures(list(combinations(range(num_agents), 2)), num_agents, num_players, games, seed)


def gauntlet(num_agents: int, num_players: int, games: int, seed: int) -> list[Fixture]:
    """The first agent against each other one; see `round_robin`.

    >>> [fixture.id for fixture in gauntlet(3, 2, 2, seed=0)]
    ['00000-0x1-a', '00000-0x1-b', '00000-0x2-a', '00000-0x2-b']
    """
    return _fixtures([(0, other) for other in range(1, num_agents)], num_agents, num_players, games, seed)


def ladder(num_agents: int, num_players: int, games: int, seed: int) -> list[Fixture]:
    """Each agent against the next one, as they are named, strongest first; see `round_robin`.

    >>> [fixture.id for fixture in ladder(3, 2, 2, seed=0)]
    ['00000-0x1-a', '00000-0x1-b', '00000-1x2-a', '00000-1x2-b']
    """
    return _fixtures([(upper, upper + 1) for upper in range(num_agents - 1)], num_agents, num_players, games, seed)


SCHEDULES: dict[str, Callable[[int, int, int, int], list[Fixture]]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "ladder": ladder,
}
"""What `--schedule` names."""


def _fixtures(
    pairs: Sequence[tuple[int, int]], num_agents: int, num_players: int, games: int, seed: int
) -> list[Fixture]:
    if num_agents < 2:
        raise ScheduleError(f"a tournament needs at least two agents, and {num_agents} given; name more after --agents")
    if games < 2 or games % 2:
        raise ScheduleError(
            f"--games {games}: each opening is played with both colours, so the number of games for a pair of agents "
            f"is even and at least 2; take {max(2, games + 1)}"
        )
    if num_players < 2:
        raise ScheduleError("a tournament needs a game of at least two players")
    fixtures: list[Fixture] = []
    for opening in range(games // 2):
        for pair in pairs:
            for swap, letter in enumerate("ab"):
                number = len(fixtures)
                fixtures.append(
                    Fixture(
                        id=f"{opening:05d}-{pair[0]}x{pair[1]}-{letter}",
                        number=number,
                        opening=opening,
                        seats=tuple(pair[(seat + swap) % 2] for seat in range(num_players)),
                        seed=stream_seed(seed, GAMES, number),
                        chance=stream_seed(seed, CHANCES, opening),
                    )
                )
    return fixtures


def stream_seed(seed: int, *key: int) -> int:
    """One 63-bit number (it fits SQLite's integers) for the stream `key` under `seed`."""
    sequence = np.random.SeedSequence(seed, spawn_key=key)
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))


def game_seeds(seed: int, num_players: int) -> tuple[int, list[int]]:
    """The seed of a game's chance turns and the seed of each seat's agent, from the seed of its fixture."""
    chance, *seats = (int(word) for word in np.random.SeedSequence(seed).generate_state(1 + num_players, np.uint64))
    return chance, seats


def labels(specs: Sequence[str]) -> list[str]:
    """A name for each agent: its spec, and `#2`, `#3` behind it where the same spec enters again.

    >>> labels(["random", "greedy", "random"])
    ['random', 'greedy', 'random#2']
    """
    seen: Counter[str] = Counter()
    names = []
    for spec in specs:
        seen[spec] += 1
        names.append(spec if seen[spec] == 1 else f"{spec}#{seen[spec]}")
    if len(set(names)) < len(names):
        raise ScheduleError("two agents have one name; write each spec without '#' and a number")
    return names
