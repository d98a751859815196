"""Executors: every task has an outcome, whatever it does to its process."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from narabe.experiments import executor
from narabe.experiments.args import UsageError
from narabe.experiments.executor import InProcessExecutor, ProcessExecutor, Task
from narabe.experiments.guard import Failure, Guard
from narabe.experiments.shared import Shared
from narabe.tests.experiments import jobs


@pytest.fixture
def processes(monkeypatch):
    """Makes process executors that are closed after the test."""
    monkeypatch.setattr(executor, "GRACE", 0.2)
    made = []

    def make(workers, preparations=()):
        made.append(ProcessExecutor(workers, preparations))
        return made[-1]

    yield make
    for one in made:
        one.close()


def tasks(function, *payloads):
    return [Task(f"{function.__name__} {payload}", function, payload) for payload in payloads]


def results(outcomes):
    return {outcome.task.key: outcome.failure or outcome.value for outcome in outcomes}


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_every_task_has_its_value_or_its_error(processes, workers):
    runner = processes(workers) if workers else InProcessExecutor()
    outcomes = results(runner.run([*tasks(jobs.double, *range(9)), *tasks(jobs.fail, "oh no")]))
    failure = outcomes.pop("fail oh no")
    assert outcomes == {f"double {n}": 2 * n for n in range(9)}
    assert failure.kind == "error"
    assert failure.detail.splitlines()[-1] == "ValueError: oh no"
    assert "in fail" in failure.detail
    assert "guard.py" not in failure.detail


@pytest.mark.parametrize("workers", [1, 2])
def test_tasks_are_drawn_only_when_there_is_a_place(processes, workers):
    drawn = []

    def source():
        for task in tasks(jobs.double, *range(20)):
            drawn.append(task)
            yield task

    for done, _outcome in enumerate(processes(workers).run(source()), 1):
        assert len(drawn) <= done + workers


def test_a_death_is_laid_to_its_step_and_the_others_go_on(processes):
    mixed = [*tasks(jobs.double, 1, 2), *tasks(jobs.die, "in a step", None), *tasks(jobs.double, 3, 4)]
    outcomes = results(processes(2).run(mixed))
    ending = "the process ended with exit status 5"
    assert outcomes["die in a step"] == Failure("died", ending, note="in a step")
    assert outcomes["die None"] == Failure("died", ending, note=None)
    assert [outcomes[f"double {n}"] for n in (1, 2, 3, 4)] == [2, 4, 6, 8]


def test_a_step_past_its_deadline_is_ended(processes):
    outcomes = results(processes(1).run([*tasks(jobs.hang, "asleep"), *tasks(jobs.double, 3)]))
    assert outcomes == {"hang asleep": Failure("deadline", "took longer than 0.2 s", "asleep"), "double 3": 6}


def test_a_step_that_ends_too_late_fails_in_any_executor(processes):
    for runner in (InProcessExecutor(), processes(1)):
        (outcome,) = runner.run(tasks(jobs.be_late, 1))
        assert "DeadlinePassed: took longer than 0.0001 s" in outcome.failure.detail


def test_memory_is_limited_within_a_step_only(processes):
    runner = processes(1)
    (outcome,) = runner.run(tasks(jobs.take_memory, 256))
    assert "MemoryError" in outcome.failure.detail
    assert outcome.failure.note == "taking"
    assert results(runner.run([*tasks(jobs.take_memory, 8), *tasks(jobs.take_memory_unguarded, 256)])) == {
        "take_memory 8": 8 << 20,
        "take_memory_unguarded 256": 256 << 20,
    }


def test_a_limit_is_lifted_after_a_memory_error():
    guard = Guard()
    with pytest.raises(MemoryError):
        jobs.take_memory(256, guard)
    assert jobs.take_memory_unguarded(256, guard) == 256 << 20


def test_a_spoiled_worker_is_replaced(processes):
    runner = processes(1)
    pids = [outcome.value for outcome in runner.run(tasks(jobs.spoil, 1, 2))]
    assert len(set(pids)) == 2


def test_a_worker_is_kept_from_one_run_to_the_next(processes):
    runner = processes(1)
    pids = {outcome.value[0] for _ in range(3) for outcome in runner.run(tasks(jobs.whoami, 1, 2))}
    assert len(pids) == 1
    assert pids != {os.getpid()}


def test_each_worker_is_prepared_before_its_tasks(processes):
    runner = processes(2, tasks(jobs.prepare, "a", "b"))
    first = {outcome.value for outcome in runner.prepare()}
    assert len(first) == 1  # one worker alone went through all of it
    answers = [outcome.value for outcome in runner.run(tasks(jobs.whoami, *range(8)))]
    assert {prepared for _, prepared in answers} == {("a", "b")}
    spoiled = [outcome.value for outcome in runner.run(tasks(jobs.spoil, 1, 2, 3))]
    assert len(spoiled) == 3
    assert {o.value[1] for o in runner.run(tasks(jobs.whoami, *range(4)))} == {("a", "b")}


def test_a_preparation_that_fails_is_told_and_left_out(processes):
    runner = processes(1, [*tasks(jobs.prepare, "a"), *tasks(jobs.die, "too soon"), *tasks(jobs.fail, "no")])
    kinds = Counter(outcome.failure.kind if outcome.failure else "done" for outcome in runner.prepare())
    assert kinds == {"done": 1, "died": 1, "error": 1}
    assert [outcome.value[1] for outcome in runner.run(tasks(jobs.whoami, 1))] == [("a",)]


def test_in_process_preparations_come_once_and_first():
    jobs.PREPARED.clear()
    runner = InProcessExecutor(tasks(jobs.prepare, "a", "b"))
    assert [outcome.value[1] for outcome in runner.run(tasks(jobs.whoami, 1, 2))] == [("a", "b")] * 2


def test_workers_have_one_thread_for_numerical_libraries_and_this_process_keeps_its_own(processes, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    (outcome,) = processes(1).run(tasks(jobs.threads, 1))
    assert outcome.value == ("1", "1")
    assert os.environ["OMP_NUM_THREADS"] == "3"
    assert "OPENBLAS_NUM_THREADS" not in os.environ


def test_a_run_that_is_left_early_leaves_no_one_working(processes):
    runner = processes(1)
    for _outcome in runner.run([*tasks(jobs.double, 1), *tasks(jobs.hang, "x")]):
        break
    assert results(runner.run(tasks(jobs.double, 5))) == {"double 5": 10}


def test_workers_end_when_their_parent_is_killed(tmp_path):
    path = tmp_path / "pid"
    code = (
        "from narabe.experiments.executor import ProcessExecutor, Task\nfrom narabe.tests.experiments import jobs\n"
        f"list(ProcessExecutor(1).run([Task('t', jobs.wait_for, {str(path)!r})]))"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    try:
        until(lambda: path.exists() and path.read_text())
    finally:
        parent.kill()
        parent.wait()
    worker = int(path.read_text())
    try:
        until(lambda: not alive(worker))
    finally:
        if alive(worker):
            os.kill(worker, signal.SIGKILL)


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_shared_parts_go_to_a_worker_once(processes, workers):
    first, second, third = (Shared(jobs.Parcel(name)) for name in ("first", "second", "third"))
    payloads = [*[[first]] * 4, [first, second], [second, first], [second], [first], [third]]
    runner = processes(workers) if workers else InProcessExecutor()
    values = [outcome.value for outcome in runner.run([Task("look", jobs.look_into, parts) for parts in payloads])]
    assert sorted(names for names, _, _ in values) == sorted([part.value.name for part in parts] for parts in payloads)
    if workers == 1:  # it keeps what its last task needed
        assert values[-1][2] == ("first", "second", "first", "third")
    if workers == 0:
        assert values[-1][2] == ()


def test_the_arguments_say_which_executor(monkeypatch):
    assert isinstance(executor.make(0), InProcessExecutor)
    assert isinstance(executor.make(2), ProcessExecutor)
    with pytest.raises(UsageError, match="--ray-address auto: only with --backend ray"):
        executor.make(2, ray_address="auto")
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "narabe.experiments.executor_ray", raising=False)
    with pytest.raises(UsageError, match=r"pip install 'narabe\[ray\]'"):
        executor.make(2, backend="ray")


def test_a_process_executor_needs_a_worker():
    with pytest.raises(ValueError, match="at least one worker"):
        ProcessExecutor(0)


def alive(pid):
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
