"""What `narabe export` and `narabe dataset` are told from outside: plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import FlagCreatePairsOff, Positional


@dataclass
class ExportArgs:
    """Write the games of a tournament as a table for pandas, polars or DuckDB: one row a game.

    The ending of the file says how: .parquet (needs pyarrow: `pip install 'narabe[data]'`), .csv or .jsonl. A run that is going
    on may be exported too. Columns: run, narabe (version), game, run_seed, deadline, memory; id, number, opening, seed;
    agent_0, agent_1, ... and payoff_0, choices_0 (moves chosen), seconds_0, ... by seat; result, reason, forfeit_seat,
    forfeit_kind, forfeit_detail; opening_plies, plies, moves (text) and actions (numbers), chance among both; started,
    finished (UTC). Example: `narabe export runs/first games.parquet`, then in Python
    `pandas.read_parquet("games.parquet").groupby("agent_0").payoff_0.mean()`.
    """

    run: Positional[Path]
    """Folder of the tournament: what `narabe tournament` was given as --out; or one with several runs below it."""

    out: Positional[Path]
    """File to write, ending in .parquet, .csv or .jsonl; one that is there is replaced."""


@dataclass
class DatasetArgs:
    """Turn stored games into arrays, for training with code of your own.

    Of a tournament every game is replayed by the rules. Arrays of the file, n positions:

        observations  int8 (n, planes, height, width)  what the player to move sees, and nothing that it may not know
        masks         int8 (n, actions)                1 where legal
        actions       int32 (n,)                       the move played
        policies      float16 (n, actions)             all of it on that move
        outcomes      float32 (n, players)             payoffs from -1 to 1, first the mover's, then on in turn order
        games         int32 (n,)                       the game's number in the run
        plies         int32 (n,)                       actions before this one, chance among them
        seats         int8 (n,)                        the player to move, from 0
        openings      bool (n,)                        the move was the opening's, and no agent's
        counts        int32 (n,)                       1
        meta          text                             JSON: game, options, settings of the run, version

    Games that were forfeited are left out. With `--symmetries canonical` every position stands once, turned to one of its
    mirror images: policies are the shares of the moves played there, outcomes the means over the counts games that came
    there, actions the move most played; games, plies, seats and openings are those of the first time.

    Of a run of `narabe train`, newest games first: observations, masks, policies (what the search found), outcomes (what the
    value learned from) and shards, int32, the iteration that made them. The rest is not kept there.

    Example: `narabe dataset runs/first games.npz --skip-opening`, and in torch:

        data = {name: torch.from_numpy(x) for name, x in np.load("games.npz").items() if x.ndim}
        logits, value = net(data["observations"].float())
        logits = logits.masked_fill(data["masks"] == 0, -1e9)
        loss = F.cross_entropy(logits, data["policies"].float()) + F.mse_loss(value, data["outcomes"][:, 0])
    """

    run: Positional[Path]
    """Folder of a tournament (its --out), or of a run of `narabe train` (its --run)."""

    out: Positional[Path]
    """File to write, ending in .npz; one that is there is replaced."""

    agents: list[str] = field(default_factory=list)
    """Only positions in which these agents moved, named as in the tournament's table; all agents if none is given."""

    skip_opening: Annotated[bool, FlagCreatePairsOff] = False
    """Leave out the moves of the openings, which no agent chose. They are left out with --agents in any case."""

    symmetries: Literal["none", "canonical"] = "none"
    """none: positions as they were played. canonical: each once, up to the board's symmetries."""

    limit: int | None = None
    """At most so many positions."""
