"""What `narabe train` is told from outside, and all training: plain data, which imports neither numba nor torch."""

from __future__ import annotations

import dataclasses
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from narabe.experiments.args import UsageError

FREE = (
    "run", "minutes", "iterations", "workers", "backend", "ray_address", "gate_every", "export", "pack", "pack_mb",
    "from_pack", "tensorboard",
)  # fmt: skip
"""What may be different when a run is gone on with; everything else is part of what the run is."""


@dataclass
class RunArgs:
    """What every command that trains is told: of the run, and of learning."""

    free: ClassVar[tuple[str, ...]]  # what may be different when a run is gone on with
    word: ClassVar[str]  # the command

    game: str = "connect_four"
    """Name of the game with its options, such as gomoku:size=9; games without hidden hands."""

    run: Path = Path("runs/train")
    """Folder of the run; one that holds a run of the same settings is gone on with."""

    minutes: float | None = None
    """Stop after so long, this time; what was begun is gone on with next time. 0: learn nothing, only --export or --pack."""

    iterations: int | None = None
    """Stop when so many iterations have been made in all. Without either limit the run goes on until Ctrl-C."""

    workers: int = 0
    """Processes that play; the results do not depend on it. 0 plays in this process, which --device cuda demands."""

    backend: Literal["processes", "ray"] = "processes"
    """Where the workers are: processes here, or Ray's, which may be on several machines; needs narabe[ray]."""

    ray_address: str | None = None
    """Of the Ray cluster, such as auto; unless given, Ray is started here for this run."""

    seed: int = 0
    """The number from which all that is random follows."""

    # ---- chunks of games ----

    chunks: int = 4
    """Chunks of games in an iteration. A chunk is played by one process, and is what an interruption may lose."""

    chunk_games: int = 64
    """Games in a chunk."""

    flight: int = 32
    """Games of a chunk that are played side by side, so that the network sees many positions at once; 512 for a GPU."""

    # ---- learning ----

    window: int = 200_000
    """Positions that are learned from: the newest so many at most."""

    window_share: float = 0.6
    """And at most this share of all positions made so far, so that what the first networks played is soon forgotten."""

    window_least: int = 5_000
    """But never fewer than these, as far as there are so many."""

    batch: int = 128
    """Positions in a step of learning."""

    reuse: float = 4.0
    """How often a position is learned from, on average: an iteration has new positions x reuse / batch steps."""

    rate: float = 2e-3
    """Learning rate of AdamW, after the warm-up."""

    schedule: Literal["constant", "cosine"] = "constant"
    """Whether the rate stays, or falls along a cosine, over --schedule-steps, to a twentieth and stays there."""

    schedule_steps: int = 20_000
    """Steps over which the rate falls; an iteration has about new positions x reuse / batch."""

    warm_up: int = 100
    """Steps over which the rate rises from nothing."""

    weight_decay: float = 1e-2
    """Of AdamW, on weights that are matrices or filters, not on biases and norms."""

    clip: float = 1.0
    """Gradients longer than this are cut to it."""

    average: float = 0.995
    """Weights are averaged with this factor a step; the average plays and is the product."""

    threads: int = 1
    """Threads of the learner on a CPU. Part of the run, since sums depend on it."""

    device: str = "cpu"
    """cpu, or cuda: then one process plays and learns."""

    # ---- what comes out ----

    tensorboard: bool = False
    """Also write the log for TensorBoard, to <run>/tensorboard; needs narabe[tensorboard]."""

    export: Path | None = None
    """At the end also write the network there: NAME.safetensors, and NAME.json with what it is."""


@dataclass
class TrainArgs(RunArgs):
    """Train a network by self-play: games, steps of learning from them, and so on, until told to stop.

    Everything is kept in the folder --run. Started again with the same words it goes on where it was; Ctrl-C, or even
    a power cut, loses nothing but the games in hand. The network is <run>/player.safetensors at the end, and
    <run>/log.jsonl has a line an iteration. Useful first: a small board, few simulations, ten minutes. Then more blocks
    and channels, more simulations, a larger window. A core asks a network of 4 blocks and 32 channels about 4000 positions
    of 15x15 a second, or 15000 of connect four; a ply costs about 24 of them with the usual settings.

    Example: `narabe train --game connect_four --run runs/c4 --minutes 60 --workers 2`.
    """

    free: ClassVar[tuple[str, ...]] = FREE
    word: ClassVar[str] = "train"

    # ---- the network ----

    blocks: int = 4
    """Residual blocks of the network."""

    channels: int = 32
    """Channels of each block."""

    # ---- self-play ----

    search: Literal["gumbel", "puct"] = "gumbel"
    """Gumbel AlphaZero, which learns from few simulations; or PUCT with noise at the root, as in AlphaZero."""

    sims: int = 48
    """Simulations of a full search; only positions with a full search are learned from."""

    fast_sims: int = 12
    """Simulations of a fast search, without noise, by which the other moves are found."""

    full_share: float = 0.33
    """Share of moves with a full search (playout-cap randomisation); 1: all."""

    considered: int = 16
    """Gumbel: actions that a full search begins with."""

    noise: float = 0.25
    """PUCT: share of Dirichlet noise in the priors at the root of a full search."""

    concentration: float = 10.83
    """PUCT: of that noise: the sum of its parameters over the legal actions."""

    temperature: float = 1.0
    """Temperature at which the first moves of a game are drawn from the policy found."""

    temperature_plies: int = 8
    """How many plies of a game are drawn; after them the move that the search prefers is played."""

    random_plies: int = 6
    """Some games begin with random moves, so that positions are seen that good players do not reach: 1 to so many."""

    random_share: float = 0.3
    """Share of the games that begin so."""

    value_mix: float = 0.25
    """What the value learns: so much of the root's value after the search, the rest of the end of the game."""

    # ---- learning ----

    symmetries: bool = True
    """Turn and mirror each position at random when it is learned from."""

    value_weight: float = 1.0
    """Weight of the value's loss beside the policy's."""

    reply_weight: float = 0.15
    """Weight of the loss of the opponent's reply; it teaches the network, and nothing else."""

    ownership_weight: float = 0.0
    """Weight of the loss of who owns each cell at the end: in Gomocku whose colour it shows. It teaches the network, and
    nothing else. 0: the network does not foretell it; other games of rows can have it, but their stones stay."""

    precision: Literal["float32", "bfloat16"] = "float32"
    """Of learning; bfloat16 for GPUs: parameters stay in float32."""

    play_precision: Literal["float32", "bfloat16"] = "float32"
    """Of the network in self-play and matches; bfloat16 for GPUs, and faster on CPUs that calculate with it."""

    compile: bool = False
    """Learn through torch.compile: slow to begin, worth it on GPUs in long runs."""

    # ---- how good is it ----

    gate_every: int = 10
    """Every so many iterations the network meets the last one that passed; it passes unless the whole 95 % interval of its
    score is below a half. 0: never. If it does not pass, the older one plays on until a newer one passes."""

    gate_games: int = 64
    """Games of such a match: half as many random openings, each with both sides."""

    gate_sims: int = 24
    """Simulations a move in them."""

    gate_plies: int = 4
    """Random plies of an opening."""

    # ---- what comes out ----

    pack: Path | None = None
    """At the end also write a file from which the run can be gone on with elsewhere: network, optimiser, newest games."""

    pack_mb: float = 20.0
    """Size of that file in MB at most; it holds as many of the newest games as there is room for."""

    from_pack: Path | None = None
    """Begin the new run --run with what this file holds. Game and network must be its own; all else may be changed."""


def check(args: TrainArgs) -> None:
    """Raise `UsageError` for a number that cannot be meant."""
    check_run(args)
    expect_least(
        args, blocks=1, channels=1, sims=1, fast_sims=1, considered=1, temperature_plies=0, random_plies=0,
        value_weight=0, reply_weight=0, ownership_weight=0, gate_every=0, gate_games=2, gate_sims=1, gate_plies=0,
    )  # fmt: skip
    expect_shares(args, "full_share", "noise", "random_share", "value_mix")
    expect_above_zero(args, "full_share", "concentration", "temperature", "pack_mb")
    if args.gate_games % 2:
        raise UsageError(f"--gate-games {args.gate_games}: even, since each opening is played with both sides")
    if args.from_pack is not None and not args.from_pack.is_file():
        raise UsageError(f"--from-pack {args.from_pack}: there is no such file")


def check_run(args: RunArgs) -> None:
    """The same of what all commands that train have in common."""
    expect_least(
        args, minutes=0, iterations=0, workers=0, seed=0, chunks=1, chunk_games=1, flight=1, window=1, window_least=1,
        batch=2, reuse=0, schedule_steps=1, warm_up=0, weight_decay=0, threads=1,
    )  # fmt: skip
    expect_shares(args, "window_share")
    expect_above_zero(args, "rate", "clip", "window_share")
    if not 0 <= args.average < 1:
        raise UsageError(f"--average {args.average}: from 0 to below 1")
    if args.device != "cpu" and args.workers:
        raise UsageError(
            f"--workers {args.workers}: one process plays and learns on {args.device}; leave --workers out"
        )


def expect_least(args: RunArgs, **least: float) -> None:
    """Raise `UsageError` for an argument below what is named here."""
    for name, low in least.items():
        value = getattr(args, name)
        if value is not None and not value >= low:
            raise UsageError(f"{option(name)} {value}: {low} or more")


def expect_shares(args: RunArgs, *names: str) -> None:
    """Raise `UsageError` for one of these arguments that is no share."""
    for name in names:
        if not 0 <= getattr(args, name) <= 1:
            raise UsageError(f"{option(name)} {getattr(args, name)}: from 0 to 1")


def expect_above_zero(args: RunArgs, *names: str) -> None:
    """Raise `UsageError` for one of these arguments that is zero or less."""
    for name in names:
        if not getattr(args, name) > 0:
            raise UsageError(f"{option(name)} {getattr(args, name)}: above 0")


def option(name: str) -> str:
    """The field's name as it is typed."""
    return "--" + name.replace("_", "-")


def fixed(args: RunArgs) -> dict[str, Any]:
    """What a run is, as plain data: all arguments but those that are ``free``."""
    return {field.name: getattr(args, field.name) for field in dataclasses.fields(args) if field.name not in args.free}


def command(args: RunArgs) -> str:
    """The shell command with these arguments; those left at their usual value are left out."""
    words = ["narabe", args.word]
    for field in dataclasses.fields(args):
        value = getattr(args, field.name)
        if field.name in ("game", "run") or value != field.default:
            if isinstance(value, bool):
                words.append(option(field.name) if value else option("no_" + field.name))
            elif value is not None and field.name != "from_pack":
                words += [option(field.name), str(value)]
    return shlex.join(words)


def recipe(args: RunArgs) -> str:
    """The command as it is told to others: whatever folder the run lies in, there it is runs/NAME, and without Ray."""
    files: dict[str, Any] = {field.name: None for field in dataclasses.fields(args) if field.name in ("export", "pack")}
    here: dict[str, Any] = {"backend": RunArgs.backend, "ray_address": RunArgs.ray_address}
    return command(dataclasses.replace(args, run=Path("runs") / args.run.name, **here, **files))
