"""Executors: they do tasks, and hand back each outcome as it comes.

A task is a module-level function and a picklable description of the work, so that any process, here or elsewhere, can
do it. `InProcessExecutor` does tasks one after another in this process. `ProcessExecutor` does them in processes of
its own, stops those that pass a deadline, and survives those that die. `RayExecutor`, in a module of its own, does so on
several machines. `make` chooses by the arguments of a command.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, Protocol

from narabe.experiments import interrupts
from narabe.experiments.args import UsageError
from narabe.experiments.guard import Failure, Guard, attempt, serve
from narabe.experiments.shared import dumps

GRACE = 1.0
"""Seconds past a deadline before a worker is killed: one that is only a little late reports so itself."""

_LIBRARIES = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA")
_ONE_THREAD = {"VECLIB_MAXIMUM_THREADS": "1"} | {f"{library}_NUM_THREADS": "1" for library in _LIBRARIES}


@dataclass(frozen=True)
class Task:
    """Work to do: `function(payload, guard)`, where `key` says which work it is. All three must be picklable.

    What many payloads have in common, such as the weights of a network, they hold as `shared.Shared`: it goes to a worker
    once.
    """

    key: str
    function: Callable[[Any, Guard], Any]
    payload: Any


@dataclass(frozen=True)
class Outcome:
    """What became of a task: its value, or a failure."""

    task: Task
    value: Any = None
    failure: Failure | None = None


class Executor(Protocol):
    """What every back end offers."""

    def prepare(self) -> list[Outcome]:
        """Does the preparations (compiling, loading) once before any work, and returns their outcomes."""

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Yields the outcome of every task, in the order in which they end. Tasks are drawn when there is a place."""

    def close(self) -> None:
        """Gives up what is still being done and frees all that is held."""


class InProcessExecutor:
    """Does tasks in this process: no isolation, and a step that hangs hangs everything."""

    def __init__(self, preparations: Sequence[Task] = ()) -> None:
        self._preparations = list(preparations)
        self._guard = Guard()

    def prepare(self) -> list[Outcome]:
        preparations, self._preparations = self._preparations, []
        return [self._do(task) for task in preparations]

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        self.prepare()
        for task in tasks:
            yield self._do(task)

    def close(self) -> None:
        pass

    def _do(self, task: Task) -> Outcome:
        interrupts.check()
        value, failure = attempt(task.function, task.payload, self._guard)
        return Outcome(task, value, failure)


class ProcessExecutor:
    """Does tasks in `workers` processes, each with one thread for numerical libraries.

    Preparations run in every new worker before its first task. The first worker runs them alone, so that what it
    compiles is in the cache for the others; one that fails there is left out afterwards.
    """

    def __init__(self, workers: int, preparations: Sequence[Task] = ()) -> None:
        if workers < 1:
            raise ValueError("a process executor needs at least one worker")
        self._places = workers
        self._all_preparations = tuple(preparations)
        self._preparations = list(preparations)
        self._prepared = False
        self._workers: list[_Worker] = []

    def prepare(self) -> list[Outcome]:
        if self._prepared:
            return []
        outcomes: list[Outcome] = []
        for task in list(self._preparations):
            if not self._workers:
                self._workers.append(_Worker())
            self._workers[0].give(task)
            while (outcome := self._next_outcome()) is None:
                pass
            outcomes.append(outcome)
            self._drop_if_failed(outcome)
        if any(outcome.failure for outcome in outcomes):
            self.close()  # its successor has not been through all of them
        self._prepared = True
        return outcomes

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        self.prepare()
        waiting: deque[Task] = deque()
        source = iter(tasks)
        try:
            while True:
                self._occupy(source, waiting)
                if not any(worker.task for worker in self._workers):
                    return
                outcome = self._next_outcome()
                if outcome is not None and not self._drop_if_failed(outcome):
                    yield outcome
        finally:
            for worker in [worker for worker in self._workers if worker.task]:
                self._discard(worker)

    def close(self) -> None:
        for worker in list(self._workers):
            self._discard(worker)

    def _drop_if_failed(self, outcome: Outcome) -> bool:
        """Says whether an outcome is that of a preparation; one that failed is not tried again."""
        known = any(outcome.task is task for task in self._all_preparations)
        if known and outcome.failure is not None:
            self._preparations = [task for task in self._preparations if task is not outcome.task]
        return known

    def _occupy(self, source: Iterator[Task], waiting: deque[Task]) -> None:
        """Gives every free place something to do, starting workers where there is work for them."""
        for worker in [w for w in self._workers if not w.task and not w.alive()]:
            self._discard(worker)
        while True:
            free = next((w for w in self._workers if not w.task), None)
            if free is None and len(self._workers) == self._places:
                return
            if free is not None and free.to_prepare:
                free.give(free.to_prepare.popleft())
                continue
            if not waiting:
                waiting.extend(task for task in [next(source, None)] if task is not None)
            if not waiting:
                return
            if free is None:
                self._workers.append(_Worker(self._preparations))
            else:
                free.give(waiting.popleft())

    def _next_outcome(self) -> Outcome | None:
        """Waits until a worker says something or is too late; returns an outcome if that makes one."""
        busy = [worker for worker in self._workers if worker.task]
        due = min(worker.due for worker in busy)
        timeout = None if due == math.inf else max(0.0, due - time.monotonic())
        with interrupts.interruptible():
            ready = wait([worker.connection for worker in busy], timeout)
        for worker in busy:
            if worker.connection in ready:
                outcome = worker.listen()
                if outcome is not None:
                    if worker.spoiled:
                        self._discard(worker)
                    return outcome
        for worker in busy:
            if worker.due <= time.monotonic() and not worker.connection.poll():
                assert worker.task is not None
                failure = Failure("deadline", f"took longer than {worker.seconds:g} s", worker.note)
                outcome = Outcome(worker.task, failure=failure)
                self._discard(worker)
                return outcome
        return None

    def _discard(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.kill()


def make(
    workers: int, preparations: Sequence[Task] = (), backend: str = "processes", ray_address: str | None = None
) -> Executor:
    """The executor that a command's arguments ask for; 0 workers: this process. Raises `UsageError`."""
    if backend == "ray":
        from narabe.experiments.executor_ray import RayExecutor  # imports Ray

        if workers < 1:
            raise UsageError(f"--workers {workers}: --backend ray takes 1 or more")
        return RayExecutor(workers, preparations, ray_address)
    if ray_address is not None:
        raise UsageError(f"--ray-address {ray_address}: only with --backend ray")
    return ProcessExecutor(workers, preparations) if workers else InProcessExecutor(preparations)


class _Worker:
    """The parent's side of one process: its task, and the step it is in."""

    def __init__(self, to_prepare: Iterable[Task] = ()) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        with _one_thread_each(), _without_interrupts():
            self.process.start()
        theirs.close()
        self.to_prepare = deque(to_prepare)
        self.parts: set[str] = set()  # shared parts that the process has
        self.task: Task | None = None
        self.spoiled = False
        self.note: Any = None
        self.seconds = self.due = math.inf

    def give(self, task: Task) -> None:
        """Sends a task. A process that is gone shows when it is listened to."""
        message, parts = dumps((task.function, task.payload))
        news = {id: part.packed for id, part in parts.items() if id not in self.parts}
        self.task, self.parts = task, set(parts)
        with suppress(OSError):
            self.connection.send_bytes(pickle.dumps((message, tuple(parts), news), pickle.HIGHEST_PROTOCOL))

    def listen(self) -> Outcome | None:
        """Takes in all that the process has said so far; returns the outcome if its task is over."""
        assert self.task is not None
        try:
            while self.connection.poll():
                message = self.connection.recv()
                if message[0] == "begin":
                    self.note, self.seconds = message[1:]
                    self.due = time.monotonic() + self.seconds + GRACE
                elif message[0] == "end":
                    self._leave_step()
                else:
                    _, value, failure, self.spoiled = message
                    return self._over(Outcome(self.task, value, failure))
        except (EOFError, OSError):
            self.spoiled = True
            self.process.join(5.0)
            return self._over(Outcome(self.task, failure=Failure("died", _ending(self.process.exitcode), self.note)))
        return None

    def _over(self, outcome: Outcome) -> Outcome:
        self.task = None
        self._leave_step()
        return outcome

    def _leave_step(self) -> None:
        self.note = None
        self.seconds = self.due = math.inf

    def alive(self) -> bool:
        return self.process.is_alive()

    def kill(self) -> None:
        """Ends the process at once, and with it whatever its agents have started."""
        self.connection.close()
        if hasattr(os, "killpg") and self.process.pid is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.process.close()


def _ending(exitcode: int | None) -> str:
    """How a process ended, in words that are the same each time it ends so."""
    if exitcode is None:
        return "the process closed its connection"
    if exitcode >= 0:
        return f"the process ended with exit status {exitcode}"
    name = next((s.name for s in signal.Signals if s == -exitcode), f"signal {-exitcode}")
    return f"the process was ended by {name}" + (", perhaps for want of memory" if name == "SIGKILL" else "")


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes started here get one thread for numerical libraries, as several of them share the machine."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes started here do not see Ctrl-C, from their first instruction on: stopping them is the parent's job."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
