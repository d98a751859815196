"""`narabe prove`: who wins with best play, the proof of it written to a file, and the check of such a file."""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console

from narabe import envs
from narabe.envs import State
from narabe.experiments import interrupts
from narabe.experiments.args import UsageError
from narabe.experiments.prove_args import ProveArgs
from narabe.search.proving import Prover, ProvingError, Spent, Verdict
from narabe.search.threats import Counts, Proof, ProofError, check

FIRST_WORD, PAUSE = 2.0, 10.0
"""Seconds until the first line of progress, and at most between two."""
STOPPED = 130
"""Exit code after Ctrl-C."""


def run(args: ProveArgs, console: Console | None = None) -> int:
    """Prove the position of the arguments, or check a proof; `UsageError` where that cannot be done."""
    console = console or Console(highlight=False, soft_wrap=True)
    return _check_file(args, console) if args.check is not None else _prove(args, console)


def _prove(args: ProveArgs, console: Console) -> int:
    state = state_of(args)
    prover = _prover(state, args.mb)
    say: Callable[[str], None] = (lambda text: None) if args.json else lambda text: console.print(text, markup=False)
    say(str(state))
    with interrupts.deferred():
        try:
            _compile_kernels()
            progress = Progress(prover)
            ms = None if args.seconds is None else 1000 * args.seconds
            verdict = prover.solve(state, args.shortest, ms=ms)
            counts = [check(proof, lambda _: interrupts.check()) for proof in verdict.proofs]
        except ProvingError as error:
            raise UsageError(str(error)) from error
    files = save(args.save, verdict.proofs) if args.save else []
    found = report(state, verdict, counts, files)
    if args.json:
        console.print(json.dumps(found), markup=False)
    else:
        for line in words(state, verdict, counts, files):
            say(line)
    return STOPPED if progress.stopped else 0


def _prover(state: State, mb: float) -> Prover:
    try:
        return Prover(state.game, mb)
    except ProvingError as error:
        raise UsageError(str(error)) from error


def _check_file(args: ProveArgs, console: Console) -> int:
    assert args.check is not None
    started = time.perf_counter()
    try:
        proof = Proof.load(args.check)
        with interrupts.deferred():
            counts = check(proof, lambda _: interrupts.check())
    except (ProofError, ValueError, OSError) as error:
        raise UsageError(f"{args.check}: {error}") from error
    took = time.perf_counter() - started
    if args.json:
        console.print(json.dumps(facts_of(proof, counts, args.check) | {"seconds": round(took, 3)}), markup=False)
        return 0
    console.print(str(proof.state()), markup=False)
    console.print(f"{proof.game.spec}: the proof holds that {proof.claim()}.", markup=False)
    console.print(f"{size_of(proof, counts)} checked in {took:.2f} s", markup=False)
    return 0


def state_of(args: ProveArgs) -> State:
    """The position of the arguments; `UsageError` says what cannot be read or played."""
    try:
        game = envs.game(args.game)
        state = game.from_text(args.position) if args.position else game.start()
        for move in " ".join(args.moves).replace(",", " ").split():
            state.play(move)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if state.is_over:
        raise UsageError(f"the game is over: {state.reason}")
    return state


def _compile_kernels() -> None:
    """Prove a tiny board first, so that compiling (some seconds, the first time) is not counted as proving."""
    game = envs.game("freestyle", size=3, row=3)
    for proof in Prover(game, mb=0.1).solve(game.start()).proofs:
        check(proof)


def save(name: str, proofs: tuple[Proof, ...]) -> list[str]:
    """Write the proofs; of two, each file gets the name of the player who does not lose."""
    path, names = pathlib.Path(name), []
    for proof in proofs:
        target = path
        if len(proofs) > 1:
            stem, dot, ending = path.name.partition(".")
            target = path.with_name(f"{stem}-{proof.game.players[proof.seat].lower()}{dot}{ending}")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            proof.save(target)
        except OSError as error:
            raise UsageError(f"{target} cannot be written: {error}") from error
        names.append(str(target))
    return names


def size_of(proof: Proof, counts: Counts) -> str:
    """How large a proof is, in words."""
    return f"{len(proof):,} nodes, {counts.positions:,} positions, {counts.replies:,} replies"


def words(state: State, verdict: Verdict, counts: list[Counts], files: list[str]) -> list[str]:
    """What was found, line by line."""
    lines = [f"With best play: {verdict}."]
    if not verdict.is_known:
        lines = [f"Stopped before it was known who wins: {verdict}."]
    if verdict.plies is not None:
        exactly = "which is the shortest win against the longest defence" if verdict.exact else "at the latest"
        lines.append(f"It takes {verdict.plies} plies, {exactly}.")
        lines.append("line: " + " ".join(state.game.text_of(a) for a in verdict.line))
    for i, proof in enumerate(verdict.proofs):
        where = f", saved to {files[i]}" if files else ""
        lines.append(f"proof that {proof.claim()}: {size_of(proof, counts[i])}, checked{where}")
    rate = verdict.nodes / max(verdict.seconds, 1e-9)
    lines.append(f"{verdict.nodes:,} positions judged in {verdict.seconds:.2f} s, {rate / 1e3:,.0f} thousand a second")
    return lines


def facts_of(proof: Proof, counts: Counts, file: str | None) -> dict[str, Any]:
    """A proof in plain numbers and texts."""
    return {
        "claim": proof.claim(),
        "game": proof.game.spec,
        "position": proof.position,
        "goal": proof.goal,
        "nodes": len(proof),
        "positions": counts.positions,
        "replies": counts.replies,
        "plies": counts.plies,
        "file": file,
    }


def report(state: State, verdict: Verdict, counts: list[Counts], files: list[str]) -> dict[str, Any]:
    """What is known, in plain numbers and texts."""
    game = state.game
    return {
        "game": game.spec,
        "position": state.to_text(),
        "to_move": game.players[state.to_play],
        "known": verdict.is_known,
        "result": str(verdict),
        "wins": dict(zip(game.players, verdict.wins)),
        "plies": verdict.plies,
        "exact": verdict.exact,
        "line": [game.text_of(a) for a in verdict.line],
        "nodes": verdict.nodes,
        "seconds": round(verdict.seconds, 3),
        "proofs": [facts_of(proof, counts[i], files[i] if files else None) for i, proof in enumerate(verdict.proofs)],
    }


class Progress:
    """Lines on the error output for as long as a prover takes, the first after two seconds; and Ctrl-C."""

    def __init__(self, prover: Prover) -> None:
        self.prover, self.stopped = prover, False
        self._begun = time.monotonic()
        self._next = self._begun + FIRST_WORD
        prover.tick = self._tick

    def _tick(self) -> None:
        try:
            interrupts.check()
        except KeyboardInterrupt:
            self.stopped = True
            raise Spent from None
        now = time.monotonic()
        if now >= self._next:
            spent = now - self._begun
            self._next = now + min(PAUSE, spent)
            print(f"... {self.prover.about}: {self.prover.nodes / 1e6:.1f} M positions, {spent:.0f} s", file=sys.stderr)
