"""What a run is on disk: a folder that one process at a time works in.

    args.json            what the run is
    window/*.npz         shards of positions, see `window`
    state.safetensors    the learner after the last whole iteration, and where the run stands, in one file
    log.jsonl            a line an iteration
    networks/            the network after each match that it passed
    player.safetensors   the network as it is now, and player.json

Every file is written under another name and then renamed, so that whatever moment a process is killed at, what is there
is whole: an iteration is in the state or it is not, a chunk has a shard or it is played again.
"""

from __future__ import annotations

import json
import os
import pathlib
import sqlite3
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from narabe import __version__
from narabe.experiments.args import UsageError
from narabe.experiments.locking import Busy, hold
from narabe.experiments.store import FILE
from narabe.experiments.training.args import RunArgs, fixed, option

FORMAT = 1


@dataclass
class Standing:
    """Where a run stands after ``iteration`` iterations.

    ``steps`` of learning, and the part of a step that is ``owed``; ``positions`` and ``games`` made in all;
    ``champion``: the iteration of the network that passed the last match (0: the first weights), ``elo``: its rating, that
    of the first weights being 0; ``holds``: the newest network lost clearly, so the champion goes on playing;
    ``is_whole``: nothing of the iteration is still to be done; ``entry``: its line of the log.
    """

    iteration: int = 0
    steps: int = 0
    owed: float = 0.0
    positions: int = 0
    games: int = 0
    champion: int = 0
    elo: float = 0.0
    holds: bool = False
    is_whole: bool = True
    entry: dict[str, Any] = field(default_factory=dict)


class Run:
    """The folder of a run, for this process alone, until it is closed.

    Opening it begins a run in a folder without one, or goes on. `UsageError` names the argument in which the run that
    is there differs, or says that another process works in it.
    """

    def __init__(self, args: RunArgs) -> None:
        self.folder = args.run
        self.window = self.folder / "window"
        self.networks = self.folder / "networks"
        self.log = self.folder / "log.jsonl"
        self.state = self.folder / "state.safetensors"
        if (self.folder / FILE).exists():
            raise UsageError(f"--run {self.folder} holds the games of a tournament: choose another folder")
        try:
            self.window.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--run {self.folder} cannot be made ({error.strerror}); choose another folder") from None
        self._lock = _lock(self.folder)
        try:
            self._agree(args)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._lock.close()

    def _agree(self, args: RunArgs) -> None:
        """Write down what the run is, or compare with what is there."""
        path, wanted = self.folder / "args.json", json.loads(json.dumps(fixed(args)))
        there = stored(self.folder)
        if there is None or not (self.state.exists() or self.shards()):  # nothing was made yet that could not be anew
            data = {"format": FORMAT, "narabe": __version__, "args": wanted}
            write(path, (json.dumps(data, indent=1) + "\n").encode())
            return
        there = json.loads(json.dumps(fixed(type(args)()))) | there  # settings newer than the run are as they were
        differing = [name for name in wanted if there.get(name) != wanted[name]]
        if differing:
            words = "; ".join(
                f"{option(name)} is {there.get(name)} there, and {wanted[name]} now" for name in differing
            )
            raise UsageError(f"{self.folder} holds a run with other settings: {words}. Use those, or another --run.")

    def shards(self) -> list[str]:
        """The names of the shards that are there, in order."""
        return sorted(path.name for path in self.window.glob("*.npz"))

    # ---- the state --------------------------------------------------------------------------------------------------

    def write_state(self, tensors: dict[str, Tensor], standing: Standing) -> None:
        """Put a new state in the place of the old one."""
        write(self.state, state_bytes(tensors, standing))

    def read_state(self) -> tuple[dict[str, Tensor], Standing] | None:
        """The last state; None in a run without a whole iteration."""
        return read_state(self.state) if self.state.exists() else None

    # ---- the log ----------------------------------------------------------------------------------------------------

    def write_log(self, entry: dict[str, Any]) -> None:
        """Add the line of an iteration, unless it is there; what a kill left of a line is cut off."""
        if not entry:
            return
        text = self.log.read_text() if self.log.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        lines = whole.splitlines()
        if lines and json.loads(lines[-1])["iteration"] >= entry["iteration"]:
            return
        with self.log.open("r+" if text else "w") as file:
            file.truncate(len(whole.encode()))
            file.seek(0, os.SEEK_END)
            file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def entries(self) -> list[dict[str, Any]]:
        """The log so far."""
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []


def stored(folder: pathlib.Path) -> dict[str, Any] | None:
    """What the run of a folder is, by `fixed`; None where there is none."""
    path = folder / "args.json"
    if not path.exists():
        return None
    data = json.loads(path.read_text())
    if data["format"] != FORMAT:
        raise UsageError(f"{path} has format {data['format']}, and this version reads {FORMAT}: choose another --run")
    return data["args"]


def state_bytes(tensors: dict[str, Tensor], standing: Standing) -> bytes:
    """A state as the content of a file."""
    # one entry, or their order, and with it the bytes, would change from process to process
    return save(tensors, {"standing": json.dumps({"format": FORMAT, **asdict(standing)})})


def read_state(path: pathlib.Path) -> tuple[dict[str, Tensor], Standing]:
    """What `state_bytes` gave, from a file; `UsageError` for anything else."""
    try:
        with safe_open(path, "pt") as file:
            facts = json.loads((file.metadata() or {})["standing"])
            if facts.pop("format") != FORMAT:
                raise ValueError("another format")
            return {name: file.get_tensor(name) for name in file.keys()}, Standing(**facts)  # noqa: SIM118
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise UsageError(
            f"{path} is no state of a run ({error}); move it away and begin anew in another --run"
        ) from None


def write(path: pathlib.Path, content: bytes) -> None:
    """Put a file in place at once; it is on disk when this returns."""
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def _lock(folder: pathlib.Path) -> sqlite3.Connection:
    try:
        return hold(folder / "lock.sqlite")
    except Busy:
        raise UsageError(
            f"--run {folder}: another process trains there; wait for it, or choose another folder"
        ) from None
    except sqlite3.Error as error:
        raise UsageError(f"--run {folder} cannot be written to ({error}); choose another folder") from None
