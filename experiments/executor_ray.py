"""An executor whose workers are actors of Ray, on this machine and on others.

An actor holds one process, as `ProcessExecutor` does, and this does the work: so deadlines, limits of memory and deaths
inside of a step are told in the same words. The actor only hands on: tasks come to it pickled, several at a time where
they are short, and shared parts through Ray's store, once for each machine. An actor that is lost, with its machine or
alone, takes nothing along: what it had in hand is done again by another.

Imported only when asked for, and the only module that imports Ray.
"""

from __future__ import annotations

import logging
import os
import pickle
import socket
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from narabe import __version__
from narabe.experiments import interrupts
from narabe.experiments.args import UsageError
from narabe.experiments.executor import Outcome, ProcessExecutor, Task
from narabe.experiments.guard import Failure, Sealed, unseal
from narabe.experiments.shared import Shared, dumps

try:
    import ray
except ImportError as error:
    raise UsageError("--backend ray needs Ray: pip install 'narabe[ray]'") from error

CHUNK_SECONDS = 0.2
"""Short tasks go out in chunks of about so long; a worker hands back what it has not begun by then."""

MOST_TASKS = 1000
"""Tasks in a chunk at most."""

RETRIES = 3
"""Times that a task is done again when its worker is lost; then its outcome is a failure."""

START_SECONDS = 300.0
"""How long to wait for a first worker."""

KEPT_PARTS = 8
"""Shared parts that stay in Ray's store though no task in hand needs them."""

ARRIVING, WAITING, PREPARING, READY = range(4)
"""Stages of a worker: its actor starts; another one compiles on its machine; it prepares; it works or may work."""


class Host:
    """What runs as an actor: one process, and the shared parts that it was given last."""

    def __init__(self) -> None:
        main = sys.modules["__main__"]  # Ray's own script, which processes started here would run once more
        main.__spec__, main.__file__ = None, None
        self.executor: ProcessExecutor | None = None
        self.parts: dict[str, Shared[Any]] = {}

    def arrive(self) -> tuple[str, str, str, int]:
        """The id of the machine to Ray, its name, the version of narabe there, and the actor's process."""
        return ray.get_runtime_context().get_node_id(), socket.gethostname(), __version__, os.getpid()

    def prepare(self, messages: list[bytes]) -> list[tuple[bytes | None, Failure | None]]:
        """Does the preparations now, and in every process that takes the place of one that ended."""
        self.executor = ProcessExecutor(1, [self.task(message, ()) for message in messages])
        return [(outcome.value, outcome.failure) for outcome in self.executor.prepare()]

    def do(
        self, chunk: list[tuple[bytes, tuple[str, ...]]], refs: dict[str, Any]
    ) -> tuple[list[tuple[bytes | None, Failure | None]], float]:
        """Outcomes of the first tasks of a chunk, as many as fit into its time, at least one; and the seconds they took."""
        assert self.executor is not None
        begun = time.monotonic()
        self.parts = {id: self.parts.get(id) or Shared.of_bytes(id, ray.get(ref)) for id, ref in refs.items()}
        done: list[tuple[bytes | None, Failure | None]] = []
        for message, ids in chunk:
            (outcome,) = self.executor.run([self.task(message, ids)])
            done.append((outcome.value, outcome.failure))
            if time.monotonic() - begun > CHUNK_SECONDS:
                break
        return done, time.monotonic() - begun

    def task(self, message: bytes, ids: Iterable[str]) -> Task:
        return Task("", unseal, Sealed(message, tuple(self.parts[id] for id in ids)))


@dataclass(eq=False)
class _Seat:
    """A worker as this side knows it: its actor, what it was asked last, and the tasks in its hands."""

    actor: Any
    call: Any
    stage: int = ARRIVING
    node: str = ""
    name: str = "a machine"
    pid: int = 0
    tasks: list[Task] = field(default_factory=list)
    refs: dict[str, Any] = field(default_factory=dict)


class RayExecutor:
    """Does tasks in `workers` actors of one CPU each.

    `address`: of the Ray cluster, "auto" for the one that runs on this machine; None: the one that RAY_ADDRESS names, else
    one of its own on this machine, for as long as the executor is there. If the program has called `ray.init`, that
    holds. The first worker prepares alone, then the first on every machine, then the rest.

    Raises `UsageError` where no Ray is found, where it is too small, and where a worker cannot be made ready.
    """

    def __init__(self, workers: int, preparations: Sequence[Task] = (), address: str | None = None) -> None:
        if workers < 1:
            raise ValueError("a Ray executor needs at least one worker")
        self._places, self._address = workers, address
        self._preparations = list(preparations)
        self._first: list[tuple[bytes | None, Failure | None]] | None = None  # what the first worker made of them
        self._nodes: set[str] = set()  # machines on which one has prepared
        self._seats: list[_Seat] = []
        self._connected = self._ours = False
        self._stillborn = 0
        self._lost: dict[int, int] = {}  # by the id of the task, for keys may come twice
        self._refs: OrderedDict[str, Any] = OrderedDict()
        self._seconds: float | None = None  # that a task takes, as far as is known

    def prepare(self) -> list[Outcome]:
        if self._first is not None:
            return []
        while self._first is None:
            self._staff()
            self._listen(deque())
        pairs = list(zip(self._preparations, self._first))
        self._preparations = [task for task, (_, failure) in pairs if failure is None]
        self._first = [result for _, result in pairs if result[1] is None]
        return [_outcome(task, *result) for task, result in pairs]

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        outcomes = self.prepare()
        source, waiting = iter(tasks), deque[Task]()
        try:
            while self._occupy(source, waiting):
                outcomes = self._listen(waiting)
                self._occupy(source, waiting)  # no one is idle while the outcomes are dealt with
                yield from outcomes
        finally:
            self._lost.clear()
            for seat in [seat for seat in self._seats if seat.tasks]:
                self._discard(seat)

    def close(self) -> None:
        for seat in list(self._seats):
            self._discard(seat)
        self._refs.clear()
        if self._ours:
            ray.shutdown()
        self._connected = self._ours = False

    def workers(self) -> list[tuple[str, int]]:
        """Machine and process id of every worker that has arrived."""
        return [(seat.name, seat.pid) for seat in self._seats if seat.pid]

    # ---- who works ---------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self._connected = True
        if not ray.is_initialized():
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            own = {} if self._address or "RAY_ADDRESS" in os.environ else {"num_cpus": self._places}
            own |= {"include_dashboard": False} if own else {}
            try:
                ray.init(self._address, logging_level=logging.ERROR, log_to_driver=False, **own)
            except ConnectionError as error:
                where = self._address or os.environ["RAY_ADDRESS"]
                raise UsageError(
                    f"--ray-address {where}: no Ray is running there; start it by `ray start --head`"
                ) from error
            self._ours = True
        cpus = int(ray.cluster_resources().get("CPU", 0))
        if cpus < self._places:
            raise UsageError(
                f"--workers {self._places}: the Ray cluster has {cpus} CPUs; add machines, or take as many"
            )

    def _staff(self) -> None:
        """Starts actors for the places that have none, and lets those prepare that may."""
        if not self._connected:
            self._connect()
        while len(self._seats) < self._places:
            remote = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD")(Host)
            actor = remote.remote()
            self._seats.append(_Seat(actor, actor.arrive.remote()))
        for seat in self._seats:
            if seat.stage == WAITING:
                preparing = [other for other in self._seats if other.stage == PREPARING]
                alone = not any(other.node == seat.node for other in preparing)
                if seat.node in self._nodes or (alone if self._first is not None else not preparing):
                    seat.stage = PREPARING
                    seat.call = seat.actor.prepare.remote([_message(task) for task in self._preparations])

    def _discard(self, seat: _Seat) -> None:
        self._seats.remove(seat)
        with suppress(Exception):  # it may be gone, and Ray with it
            ray.kill(seat.actor)

    # ---- what they do ------------------------------------------------------------------------------------------------

    def _occupy(self, source: Iterator[Task], waiting: deque[Task]) -> bool:
        """Gives every free worker a chunk. Says whether anything is being done, or waits to be done."""
        self._staff()
        for seat in self._seats:
            if seat.stage != READY or seat.tasks:
                continue
            size = 1 if self._seconds is None else int(CHUNK_SECONDS / max(self._seconds, CHUNK_SECONDS / MOST_TASKS))
            while len(seat.tasks) < max(size, 1):
                task = waiting.popleft() if waiting else next(source, None)
                if task is None:
                    break
                if id(task) in self._lost and seat.tasks:  # what may have killed a worker goes alone
                    waiting.appendleft(task)
                    break
                seat.tasks.append(task)
                if id(task) in self._lost:
                    break
            if seat.tasks:
                self._give(seat)
        if not waiting and not any(seat.tasks for seat in self._seats):
            waiting.extend(task for task in [next(source, None)] if task is not None)
        return bool(waiting) or any(seat.tasks for seat in self._seats)

    def _give(self, seat: _Seat) -> None:
        chunk, seat.refs = [], {}
        for task in seat.tasks:
            message, parts = dumps((task.function, task.payload))
            chunk.append((message, tuple(parts)))
            for id, part in parts.items():
                if id not in self._refs:
                    self._refs[id] = ray.put(part.packed)
                self._refs.move_to_end(id)
                seat.refs[id] = self._refs[id]
        while len(self._refs) > KEPT_PARTS:
            self._refs.popitem(last=False)
        seat.call = seat.actor.do.remote(chunk, seat.refs)

    def _listen(self, waiting: deque[Task]) -> list[Outcome]:
        """Waits until a worker says something; returns the outcomes if that makes some."""
        calls = {seat.call: seat for seat in self._seats if seat.stage != WAITING and seat.call is not None}
        lonely = all(seat.stage == ARRIVING for seat in self._seats)
        with interrupts.interruptible():
            ready, _ = ray.wait(list(calls), num_returns=1, timeout=START_SECONDS if lonely else None)
        if not ready:
            raise UsageError(
                f"no worker could be started within {START_SECONDS:g} s: are the cluster's CPUs all taken?"
            )
        seat = calls[ready[0]]
        try:
            answer = ray.get(ready[0])
        except ray.exceptions.RayTaskError:
            raise  # in this module's own code, there
        except ray.exceptions.RayError as error:
            return self._bury(seat, waiting, error)
        seat.call = None
        if seat.stage == ARRIVING:
            self._welcome(seat, *answer)
        elif seat.stage == PREPARING:
            self._prepared(seat, answer)
        else:
            return self._received(seat, waiting, *answer)
        return []

    def _welcome(self, seat: _Seat, node: str, name: str, version: str, pid: int) -> None:
        if version != __version__:
            raise UsageError(
                f"{name} has narabe {version}, and this machine {__version__}: install the same everywhere"
            )
        seat.stage, seat.node, seat.name, seat.pid = WAITING, node, name, pid

    def _prepared(self, seat: _Seat, results: list[tuple[bytes | None, Failure | None]]) -> None:
        if self._first is None:
            self._first = results
        for task, before, now in zip(self._preparations, self._first, results):
            outcome = _outcome(task, *now)
            reason = outcome.failure.detail.splitlines()[-1] if outcome.failure else outcome.value
            if reason is not None and _outcome(task, *before) == Outcome(task) and before is not now:
                raise UsageError(f"{seat.name} cannot make {task.key} ready, and another worker can: {reason}")
        seat.stage = READY
        self._nodes.add(seat.node)
        self._stillborn = 0

    def _received(
        self, seat: _Seat, waiting: deque[Task], done: list[tuple[bytes | None, Failure | None]], seconds: float
    ) -> list[Outcome]:
        tasks, seat.tasks, seat.refs = seat.tasks, [], {}
        waiting.extendleft(reversed(tasks[len(done) :]))
        each = seconds / len(done)
        self._seconds = each if self._seconds is None else 0.5 * (self._seconds + each)
        outcomes = []
        for task, (value, failure) in zip(tasks, done):
            if failure is not None and failure.kind == "died" and failure.note is None:
                outcomes += self._again(task, waiting, failure.detail)  # outside of any step: nobody's doing
            else:
                self._lost.pop(id(task), None)
                outcomes.append(_outcome(task, value, failure))
        return outcomes

    def _bury(self, seat: _Seat, waiting: deque[Task], error: Exception) -> list[Outcome]:
        """Takes leave of a worker that is lost; its tasks are done again."""
        self._discard(seat)
        if seat.stage != READY:
            self._stillborn += 1
            if self._stillborn > self._places + RETRIES:
                raise UsageError(f"workers end before they are ready: {str(error).strip().splitlines()[-1]}") from error
        return [
            outcome for task in reversed(seat.tasks) for outcome in self._again(task, waiting, "the worker was lost")
        ]

    def _again(self, task: Task, waiting: deque[Task], reason: str) -> list[Outcome]:
        """Puts a task back in front, or gives it up."""
        times = self._lost.pop(id(task), 0) + 1
        if times > RETRIES:
            return [Outcome(task, failure=Failure("died", f"{reason}, {times} times"))]
        self._lost[id(task)] = times
        waiting.appendleft(task)
        return []


def _message(task: Task) -> bytes:
    message, parts = dumps((task.function, task.payload))
    if parts:
        raise ValueError(f"{task.key}: a preparation has no shared parts")
    return message


def _outcome(task: Task, value: bytes | None, failure: Failure | None) -> Outcome:
    return Outcome(task, None if value is None else pickle.loads(value), failure)
