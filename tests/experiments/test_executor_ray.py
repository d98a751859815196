"""Ray's workers: the same outcomes and the same records as here, on two machines, whatever is lost on the way."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest
from rich.console import Console

ray = pytest.importorskip("ray")

from narabe.experiments import executor_ray, tournament  # noqa: E402
from narabe.experiments.args import UsageError  # noqa: E402
from narabe.experiments.executor import Task  # noqa: E402
from narabe.experiments.executor_ray import RayExecutor  # noqa: E402
from narabe.experiments.guard import Failure  # noqa: E402
from narabe.experiments.shared import Shared  # noqa: E402
from narabe.experiments.tournament_args import TournamentArgs  # noqa: E402
from narabe.experiments.training import loop  # noqa: E402
from narabe.tests.experiments import jobs  # noqa: E402
from narabe.tests.experiments.test_executor import results, tasks  # noqa: E402
from narabe.tests.experiments.test_tournament import rows  # noqa: E402
from narabe.tests.training.small_run import result, small  # noqa: E402


@pytest.fixture(scope="module")
def cluster():
    """A Ray cluster of two nodes with a CPU each; the second may be taken away."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def workers(cluster):
    """Makes Ray executors that are closed after the test."""
    made = []

    def make(number=2, preparations=()):
        made.append(RayExecutor(number, preparations))
        return made[-1]

    yield make
    for one in made:
        one.close()


class Killing(RayExecutor):
    """Once, when the first outcome is there, it kills a worker that has something in hand."""

    killed = 0

    def run(self, work):
        for outcome in super().run(work):
            busy = [seat.pid for seat in self._seats if seat.tasks]
            if busy and not Killing.killed:
                os.kill(busy[0], signal.SIGKILL)
                Killing.killed += 1
            yield outcome


def test_outcomes_are_those_of_processes(workers):
    runner = workers(preparations=tasks(jobs.prepare, "a", "b"))
    assert len({outcome.value for outcome in runner.prepare()}) == 1  # one worker alone went through all of it
    work = [*tasks(jobs.double, *range(300)), *tasks(jobs.fail, "oh no"), *tasks(jobs.whoami, *range(5))]
    work += [*tasks(jobs.die, "in a step"), *tasks(jobs.hang, "asleep"), *tasks(jobs.threads, 1)]
    outcomes = results(runner.run(work))
    assert [outcomes.pop(f"double {n}") for n in range(300)] == [2 * n for n in range(300)]
    assert {outcomes.pop(f"whoami {n}")[1] for n in range(5)} == {("a", "b")}
    failure = outcomes.pop("fail oh no")
    assert failure.kind == "error"
    assert failure.detail.splitlines()[-1] == "ValueError: oh no"
    assert len(failure.detail.splitlines()) == 3  # nothing of how it came to be called
    assert outcomes == {
        "die in a step": Failure("died", "the process ended with exit status 5", "in a step"),
        "hang asleep": Failure("deadline", "took longer than 0.2 s", "asleep"),
        "threads 1": ("1", "1"),
    }


def test_workers_are_spread_and_parts_go_to_each_once(workers):
    runner, part = workers(), Shared(jobs.Parcel("part"))
    values = [o.value for o in runner.run([Task(f"{n}", jobs.look_into, [part]) for n in range(100)])]
    assert {(tuple(names), opened) for names, _, opened in values} == {(("part",), ("part",))}
    assert len({seat.node for seat in runner._seats}) == 2


def test_short_tasks_go_in_chunks_and_long_ones_alone(workers, monkeypatch):
    sizes = []
    give = RayExecutor._give

    def noted(self, seat):
        sizes.append(len(seat.tasks))
        give(self, seat)

    monkeypatch.setattr(RayExecutor, "_give", noted)
    runner = workers(1)
    assert len(list(runner.run(tasks(jobs.double, *range(500))))) == 500
    assert sizes[0] == 1 and max(sizes) > 20
    sizes.clear()
    assert len(list(runner.run(tasks(jobs.nap, *[0.25 + n / 1000 for n in range(5)])))) == 5
    assert sizes[-1] == 1 and sum(sizes) > 5  # some came back undone


def test_a_task_that_ends_its_worker_is_tried_elsewhere_but_not_for_ever(workers, monkeypatch):
    monkeypatch.setattr(executor_ray, "RETRIES", 1)
    outcomes = results(workers().run([*tasks(jobs.kill_parent, 0), *tasks(jobs.double, 1, 2, 3)]))
    assert outcomes.pop("kill_parent 0") == Failure("died", "the worker was lost, 2 times")
    assert outcomes == {f"double {n}": 2 * n for n in (1, 2, 3)}


def test_a_tournament_is_the_same_here_and_with_ray(tmp_path, cluster, monkeypatch):
    monkeypatch.setattr(executor_ray, "RayExecutor", Killing)
    monkeypatch.setattr(Killing, "killed", 0)
    args = TournamentArgs("gomoku", ["random", "greedy", "uct:sims=30"], games=4, seed=7, size=7, out=tmp_path / "here")
    for name, number, backend in (("here", 0, "processes"), ("ray", 2, "ray")):
        changed = replace(args, out=tmp_path / name, workers=number, backend=backend)
        table, _ = tournament.play(changed)
        assert sum(row.forfeits for row in table.rows) == 0
    assert Killing.killed == 1
    assert rows(tmp_path / "here") == rows(tmp_path / "ray")


def test_training_is_the_same_here_and_with_ray(tmp_path, cluster, monkeypatch):
    monkeypatch.setattr(executor_ray, "RayExecutor", Killing)
    monkeypatch.setattr(Killing, "killed", 0)
    for name, changes in (("here", {}), ("ray", {"workers": 2, "backend": "ray"})):
        assert loop.run(small(tmp_path / name, iterations=2, **changes), Console(quiet=True)) == 0
    assert Killing.killed == 1
    assert result(tmp_path / "here") == result(tmp_path / "ray")


def test_what_ray_cannot_give_is_told(cluster):
    with pytest.raises(UsageError, match="--workers 3: the Ray cluster has 2 CPUs"):
        RayExecutor(3).prepare()
    with pytest.raises(ValueError, match="at least one worker"):
        RayExecutor(0)


def test_a_machine_that_is_lost_takes_nothing_along(cluster, workers):
    runner = workers()
    outcomes = runner.run(tasks(jobs.nap, *[0.05 + n / 1000 for n in range(40)]))
    done = [next(outcomes)]
    while len({seat.node for seat in runner._seats if seat.tasks}) < 2:
        done.append(next(outcomes))
    cluster.remove_node(cluster.worker_nodes.copy().pop())
    done += outcomes
    assert sorted(o.task.payload for o in done) == [0.05 + n / 1000 for n in range(40)]
    assert all(o.failure is None for o in done)
