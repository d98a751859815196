"""A run in one small file, from which it can be gone on with elsewhere: the state and the newest games.

The file is a zip archive of ``args.json``, ``state.safetensors`` and ``window/*.npz``. Going on from it is a new run, whose
settings may differ in all but game and network. Of a large network all but the weights that learn are kept in bfloat16
(averages and moments, which are soon renewed); going on is then not exactly what the first run would have done.
"""

from __future__ import annotations

import json
import pathlib
import zipfile
from typing import Any

import torch

from narabe.experiments.args import UsageError
from narabe.experiments.training.args import TrainArgs, fixed, option
from narabe.experiments.training.state import Run, read_state, state_bytes, write

MB = 1_000_000
SAME = ("game", "blocks", "channels")  # settings that a run from a pack must share with it


def pack(run: Run, path: pathlib.Path, megabytes: float) -> int:
    """Write the run's last state and as many of its newest shards as there is room for; returns how many.

    `UsageError` if there is no state yet, or it is larger than ``megabytes`` by itself.
    """
    if not run.state.exists():
        raise UsageError(f"{run.folder} has no whole iteration yet, so there is nothing to pack")
    settings, state = (run.folder / "args.json").read_bytes(), run.state.read_bytes()
    whole = megabytes * MB - len(settings) - 2000
    if len(state) > whole:
        state = halved(run.state)
    if len(state) > whole:
        raise UsageError(f"--pack-mb {megabytes:g}: the state alone has {len(state) / MB:.1f} MB")
    room, shards = whole - len(state), []
    for name in reversed(run.shards()):
        file = run.window / name
        room -= file.stat().st_size + 1000
        if room < 0:
            break
        shards.append((f"window/{name}", file))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    with zipfile.ZipFile(temporary, "w") as archive:  # shards are compressed, weights cannot be
        archive.writestr("args.json", settings)
        archive.writestr("state.safetensors", state)
        for name, file in reversed(shards):
            archive.write(file, name)
    temporary.replace(path)
    return len(shards)


def halved(state: pathlib.Path) -> bytes:
    """A state with all numbers in bfloat16 but those of the network that learns."""
    tensors, standing = read_state(state)
    small = {
        name: x.bfloat16() if x.dtype == torch.float32 and not name.startswith("net.") else x
        for name, x in tensors.items()
    }
    return state_bytes(small, standing)


def unpack(path: pathlib.Path, run: Run, args: TrainArgs) -> None:
    """Put what a pack holds into the folder of a new run; `UsageError` if it does not fit ``args``."""
    try:
        with zipfile.ZipFile(path) as archive:
            there: dict[str, Any] = json.loads(archive.read("args.json"))["args"]
            wanted = fixed(args)
            differing = [name for name in SAME if there.get(name) != wanted[name]]
            if bool(there.get("ownership_weight")) != bool(args.ownership_weight):  # a part of the network or none
                differing.append("ownership_weight")
            if differing:
                words = "; ".join(f"{option(n)} is {there.get(n)} there, and {wanted[n]} now" for n in differing)
                raise UsageError(f"--from-pack {path} holds another game or network: {words}")
            for name in run.shards():  # of a start that did not come so far
                (run.window / name).unlink()
            for name in archive.namelist():
                if name.startswith("window/"):
                    write(run.window / pathlib.PurePosixPath(name).name, archive.read(name))
            write(run.state, archive.read("state.safetensors"))  # last: with it the run is there
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"--from-pack {path} is no pack of a run: {error}") from None
