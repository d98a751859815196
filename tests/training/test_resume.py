"""A run that is killed, interrupted or made by other numbers of workers makes the same bytes as one left alone."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from rich.console import Console

from narabe.experiments.args import UsageError
from narabe.experiments.training import loop, state
from narabe.experiments.training.state import Run
from narabe.tests.training import killing
from narabe.tests.training.small_run import result, small

QUIET = Console(quiet=True)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What the small run makes when nothing happens to it."""
    folder = tmp_path_factory.mktemp("alone") / "run"
    assert loop.run(small(folder), QUIET) == 0
    made = result(folder)
    assert len(made["log"]) == 3 and made["log"][1]["gate_score"] is not None  # type: ignore[arg-type, index]
    return made


def test_killed_at_random_moments(tmp_path: pathlib.Path, alone: dict[str, object]) -> None:
    words = [sys.executable, killing.__file__, str(tmp_path / "run"), "10", "1", "board"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    struck = json.loads(done.stdout)
    assert len({tuple(moment) for moment in struck}) >= 2, struck  # at different points of the run
    assert result(tmp_path / "run") == alone


class Killed(BaseException):
    """Stands for a kill: nothing catches it."""


@pytest.mark.parametrize("after", [False, True])
def test_killed_around_each_file(
    tmp_path: pathlib.Path, alone: dict[str, object], monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    """Killed once just before, or just after, each of its files is put in place."""
    put, seen = os.replace, set[str]()

    def strike(source: str, target: object) -> None:
        name = "/".join(pathlib.Path(str(target)).parts[-2:])
        times = "" if name != "run/state.safetensors" else str(run_states(tmp_path / "run"))
        new = name + times not in seen
        seen.add(name + times)
        if new and not after:
            raise Killed
        put(source, target)  # type: ignore[arg-type]
        if new:
            raise Killed

    monkeypatch.setattr(os, "replace", strike)
    kills = 0
    while True:
        try:
            loop.run(small(tmp_path / "run"), QUIET)
            break
        except Killed:
            kills += 1
    assert kills >= 6 + 4  # shards, states and more
    assert result(tmp_path / "run") == alone


def run_states(folder: pathlib.Path) -> object:
    """What tells the states of a run from each other."""
    path = folder / "state.safetensors"
    return state.read_state(path)[1].iteration if path.exists() else None


@pytest.mark.parametrize("workers", [1, 2])
def test_made_by_workers(tmp_path: pathlib.Path, alone: dict[str, object], workers: int) -> None:
    assert loop.run(small(tmp_path / "run", workers=workers), QUIET) == 0
    assert result(tmp_path / "run") == alone


def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(
    tmp_path: pathlib.Path, alone: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    step, steps = loop.Learner.step, []

    def pressed(self, rows):
        steps.append(1)
        if len(steps) == 30:  # in the second iteration
            os.kill(os.getpid(), signal.SIGINT)
        return step(self, rows)

    monkeypatch.setattr(loop.Learner, "step", pressed)
    with (tmp_path / "out").open("w") as file:
        assert loop.run(small(tmp_path / "run"), Console(file=file)) == 130
    words = (tmp_path / "out").read_text()
    assert "Stopped after 1 whole iteration. The same command goes on from there:" in words
    assert "narabe train --game" in words and "--chunk-games 6" in words
    monkeypatch.setattr(loop.Learner, "step", step)
    assert loop.run(small(tmp_path / "run"), QUIET) == 0
    assert result(tmp_path / "run") == alone


def test_more_iterations_go_on_and_more_minutes_too(tmp_path: pathlib.Path, alone: dict[str, object]) -> None:
    run = tmp_path / "run"
    assert loop.run(small(run, iterations=1), QUIET) == 0
    assert loop.run(small(run, minutes=1e-9), QUIET) == 0  # over before it began
    assert len(result(run)["log"]) == 1  # type: ignore[arg-type]
    assert loop.run(small(run, minutes=5), QUIET) == 0
    assert result(run) == alone


def test_what_a_run_is_may_not_change(tmp_path: pathlib.Path) -> None:
    args = small(tmp_path / "run", iterations=1, chunks=1)
    loop.run(args, QUIET)
    with pytest.raises(UsageError, match=r"--batch is 16 there, and 32 now.*another --run"):
        loop.run(replace(args, batch=32), QUIET)
    with pytest.raises(UsageError, match=r"--game is gomoku:size=5,row=4 there, and connect_four now"):
        loop.run(replace(args, game="connect_four"), QUIET)
    with pytest.raises(UsageError, match="another process trains there"), Run(args):
        loop.run(args, QUIET)


def test_settings_newer_than_the_run_are_as_they_were(tmp_path: pathlib.Path) -> None:
    args = small(tmp_path / "run", iterations=1, chunks=1)
    loop.run(args, QUIET)
    file = args.run / "args.json"
    older = json.loads(file.read_text())
    del older["args"]["ownership_weight"]
    file.write_text(json.dumps(older))
    assert loop.run(replace(args, iterations=2), QUIET) == 0
    with pytest.raises(UsageError, match=r"--ownership-weight is 0.0 there, and 0.5 now"):
        loop.run(replace(args, ownership_weight=0.5), QUIET)


def test_a_run_that_made_nothing_may_be_begun_anew(tmp_path: pathlib.Path) -> None:
    args = small(tmp_path / "run", iterations=0)
    loop.run(args, QUIET)
    loop.run(replace(args, batch=32), QUIET)


def test_a_torn_line_of_the_log_is_cut_off(tmp_path: pathlib.Path, alone: dict[str, object]) -> None:
    run = tmp_path / "run"
    loop.run(small(run, iterations=1), QUIET)
    text = (run / "log.jsonl").read_text()
    (run / "log.jsonl").write_text(text[: len(text) // 2])  # as a power cut may leave it
    loop.run(small(run), QUIET)
    assert result(run) == alone
