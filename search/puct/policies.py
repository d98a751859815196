"""The two searches: PUCT as in AlphaZero, and Gumbel AlphaZero. Each only says how the parts are put together."""

from __future__ import annotations

from typing import Any

import numpy as np

from narabe.envs.game import Game
from narabe.search.puct.batch import Evaluate, Found, Search

# AlphaZero's 1.25 is for values in [0, 1]; ours are in [-1, 1].
C, C_GROWTH = 2.5, 19652.0
FPU = 0.2
CONCENTRATION = 10.83  # 0.03 for each of the 361 points of Go, the same in all for other numbers of legal actions
CONSIDERED, VISIT_OFFSET, VALUE_SCALE = 16, 50.0, 1.0


class Puct(Search):
    """PUCT with a network's priors and values (AlphaZero), for ``batch`` games at once, ``sims`` simulations a move.

    ``c``, ``c_growth``: exploration, see `choosing`. ``fpu``: how much worse than the position an untried action is taken
    to be, times the root of the prior mass that has been tried; ``root_fpu``: the same at the root (left out: 0 with
    noise, else ``fpu``). ``noise``: share of Dirichlet noise in the root's priors, drawn once a search, 0.25 for
    self-play; its parameters sum to ``concentration``. ``reuse``: keep trees from move to move (`advance`), noise being
    drawn anew and mixed with the clean priors. ``outputs``: "logits" or "probabilities", what the network gives.
    ``solve``: positions that the player to move can win at once, and what follows from them (see `certain`), are taken for
    what they are and not asked about; without it, the search of the paper.
    ``max_nodes`` (64 bytes each, and 8 a player) and ``max_edges`` (12 bytes) bound one game's tree.

    >>> import numpy as np
    >>> from narabe.envs import game
    >>> g = game("gomoku", size=5, row=4)
    >>> def uniform(observations, masks, players):
    ...     return np.zeros(masks.shape, np.float32), np.zeros((len(masks), 2), np.float32)
    >>> search = Puct(g, batch=2, sims=50)
    >>> found = search.run(np.repeat(g.start().record, 2), uniform, np.array([1, 2], np.uint64))
    >>> found.visits.sum(axis=1).tolist(), found.policy.shape
    ([50, 50], (2, 25))
    """

    def __init__(
        self,
        game: Game,
        batch: int = 64,
        sims: int = 100,
        c: float = C,
        c_growth: float = C_GROWTH,
        fpu: float = FPU,
        root_fpu: float | None = None,
        noise: float = 0.0,
        concentration: float = CONCENTRATION,
        reuse: bool = False,
        outputs: str = "logits",
        solve: bool = True,
        max_nodes: int | None = None,
        max_edges: int | None = None,
    ) -> None:
        if c < 0 or c_growth <= 0:
            raise ValueError(f"c={c}, c_growth={c_growth}: not below zero, and above zero")
        if not 0 <= noise <= 1 or concentration <= 0:
            raise ValueError(f"noise={noise}, concentration={concentration}: 0 to 1, and above zero")
        if root_fpu is None:
            root_fpu = 0.0 if noise > 0 else fpu
        super().__init__(
            game, batch, sims, reuse, outputs, solve, max_nodes, max_edges,
            c=c, c_growth=c_growth, fpu=fpu, root_fpu=root_fpu, noise=noise, concentration=concentration,
        )  # fmt: skip


class Gumbel(Search):
    """Gumbel AlphaZero: sequential halving among ``considered`` actions drawn without replacement at the root.

    Below the root the improved policy is followed without randomness (see `improving`). ``visit_offset`` and
    ``value_scale`` are c_visit and c_scale of the paper (for values in [0, 1]). ``gumbel_scale`` 0 leaves randomness out:
    for play at full strength. The other arguments are those of `Puct`.

    >>> import numpy as np
    >>> from narabe.envs import game
    >>> g = game("gomoku", size=5, row=4)
    >>> def uniform(observations, masks, players):
    ...     return np.zeros(masks.shape, np.float32), np.zeros((len(masks), 2), np.float32)
    >>> found = Gumbel(g, batch=1, sims=32, considered=4).run(g.start().record, uniform, np.array([1], np.uint64))
    >>> sorted(found.visits[0].tolist())[-5:]
    [0, 4, 4, 12, 12]
    """

    def __init__(
        self,
        game: Game,
        batch: int = 64,
        sims: int = 100,
        considered: int = CONSIDERED,
        visit_offset: float = VISIT_OFFSET,
        value_scale: float = VALUE_SCALE,
        gumbel_scale: float = 1.0,
        reuse: bool = False,
        outputs: str = "logits",
        solve: bool = True,
        max_nodes: int | None = None,
        max_edges: int | None = None,
    ) -> None:
        if considered < 1 or visit_offset < 0 or value_scale < 0 or gumbel_scale < 0:
            raise ValueError(
                f"considered={considered}, visit_offset={visit_offset}, value_scale={value_scale}, "
                f"gumbel_scale={gumbel_scale}: at least one action, nothing below zero"
            )
        super().__init__(
            game, batch, sims, reuse, outputs, solve, max_nodes, max_edges, gumbel=True, considered=considered,
            visit_offset=visit_offset, value_scale=value_scale, gumbel_scale=gumbel_scale,
        )  # fmt: skip


def puct_search(game: Game, records: np.ndarray, evaluate: Evaluate, streams: np.ndarray, **options: Any) -> Found:
    """One PUCT search of each of ``records`` from empty trees; the options are those of `Puct`."""
    return Puct(game, batch=len(records), **options).run(records, evaluate, streams)


def gumbel_search(game: Game, records: np.ndarray, evaluate: Evaluate, streams: np.ndarray, **options: Any) -> Found:
    """One Gumbel search of each of ``records`` from empty trees; the options are those of `Gumbel`."""
    return Gumbel(game, batch=len(records), **options).run(records, evaluate, streams)
