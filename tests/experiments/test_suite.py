"""The suite: its answers agree with independent searches, and agents score as they should."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from narabe import agents
from narabe.envs import State
from narabe.envs.rules.goita.record import PASS
from narabe.experiments.args import UsageError
from narabe.experiments.judging import choices
from narabe.experiments.suite import endings, lines, make, score
from narabe.experiments.suite.args import SuiteArgs
from narabe.experiments.suite.positions import CATEGORIES, FILE, Puzzle, game_of, load, save
from narabe.experiments.suite.prover import Prover
from narabe.search.goita import OpenHands, Position
from narabe.search.goita.law import position_of_state as goita_position
from narabe.search.gravity.law import board_of, position_of_state
from narabe.search.star import Star
from narabe.search.threats import Solver
from narabe.tests.oracles.gravity import Oracle
from narabe.tests.oracles.threats import lengths_of

SUITE = load()
LEAST = {"vcf": 5, "vcf_long": lines.LONG_VCF, "vct": 5, "vct_long": lines.LONG_VCT, "capture_win": 3}
"""Plies of the wins that are asked for, at least."""
LONG = 9
"""Plies to which the naive search looks."""


def of(category: str, n: int | None = None, game: str = "") -> list[Puzzle]:
    return [puzzle for puzzle in SUITE if puzzle.category == category and puzzle.game.startswith(game)][:n]


def right(puzzle: Puzzle) -> set[int]:
    return {game_of(puzzle.game).action_of(text) for text in puzzle.right}


def after(state: State, move: int) -> State:
    copy = state.copy()
    copy.chance = "manual"
    return copy.play(int(move))


def naive(states: list[State], passed: bool = False, plies: int = LONG) -> np.ndarray:
    """Plies of the shortest win by fours within `plies`, 0 for none: every move tried, by the law alone."""
    records = np.concatenate([state.record for state in states]).view(type(states[0].record))
    out = np.zeros(len(states), np.int64)
    lengths_of(records, plies, -1, passed, out)
    return out


# ---- the file ----


def test_every_category_has_its_positions_and_they_can_be_lost():
    assert Counter(puzzle.category for puzzle in SUITE).keys() == CATEGORIES.keys()
    assert all(15 <= n <= 60 for n in Counter(puzzle.category for puzzle in SUITE).values())
    assert len({puzzle.id for puzzle in SUITE}) == len({(p.game, p.position) for p in SUITE}) == len(SUITE)
    for puzzle in SUITE:
        state = puzzle.state()
        assert right(puzzle) < set(state.legal_actions().tolist()), puzzle
        assert state.to_text() == puzzle.position
        assert puzzle.id == make.name(puzzle.category, state)
        assert (puzzle.plies >= 3) == (puzzle.category in LEAST), puzzle
    assert all(p.plies >= LEAST[p.category] for p in SUITE if p.plies)
    assert {puzzle.state().game.options["width"] for puzzle in of("vcf")} == {9, 11, 15}
    assert FILE.stat().st_size < 200_000


# ---- the answers ----


def test_in_vcf_the_right_moves_win_against_every_reply_and_the_others_lose_to_fours():
    checked = 0
    for puzzle in of("vcf", 3, "freestyle:size=9"):
        state, wins = puzzle.state(), right(puzzle)
        assert naive([state], passed=True)[0] > 1  # the opponent would win
        assert naive([state])[0] == puzzle.plies
        for move in state.legal_actions():
            then = after(state, move)
            if move in wins:
                replies = [after(then, reply) for reply in then.legal_actions()]
                assert naive([r for r in replies if not r.is_over], plies=21).all()
            elif not naive([then], passed=True, plies=1)[0]:  # it is no four
                checked += 1
                assert naive([then])[0] or Prover(then.game).fours(then) or Prover(then.game).threats(then)
    assert checked > 100


def test_in_vct_fours_alone_do_not_win_and_the_right_moves_do():
    for puzzle in of("vct", 2, "gomoku:size=11"):
        state, prover = puzzle.state(), Prover(game_of(puzzle.game))
        assert not naive([state])[0]
        for move in right(puzzle):
            then = after(state, move)
            for reply in then.legal_actions():
                position = after(then, reply)
                if not naive([position])[0]:
                    answer = prover.solver.vct(position)
                    assert answer.won and answer.proof is not None  # which the law has replayed


def test_greedy_and_shallow_searches_do_not_begin_the_wins_by_threats():
    for category, spec in (("vct", "greedy"), ("vct_long", "greedy"), ("vct_long", lines.SHALLOW)):
        for puzzle in of(category)[::5]:
            (move,) = choices(agents.make(spec, game_of(puzzle.game)), [puzzle.state()])
            assert move not in right(puzzle)


def test_long_wins_by_threats_stand_after_every_reply_and_nothing_else_begins_one():
    (puzzle,) = of("vct_long", 1)
    state, solver = puzzle.state(), Solver(game_of(puzzle.game))
    seat = state.to_play
    assert solver.vcf(state).won is solver.vcf(state, 1 - seat).won is False
    assert solver.vct(state, max_plies=puzzle.plies).won and solver.vct(state, max_plies=puzzle.plies - 2).won is False
    wins = right(puzzle)
    for move in [*wins, *sorted(set(state.legal_actions().tolist()) - wins)[::20]]:
        then = after(state, move)
        replies = (after(then, reply) for reply in then.legal_actions())
        stands = all(solver.vcf(reply).won or solver.vct(reply).won for reply in replies)
        assert stands == (move in wins)


def test_in_capture_gomoku_every_move_tried_by_the_law_agrees():
    for puzzle in [p for p in of("capture_win") if p.plies <= 5][:4]:
        state = puzzle.state()
        assert naive([state])[0] == puzzle.plies
        for move in right(puzzle):
            then = after(state, move)
            replies = [after(then, reply) for reply in then.legal_actions()]
            assert not any(reply.is_over for reply in replies)
            assert naive(replies).all() or puzzle.plies > 3
    for puzzle in of("capture_block", 6):
        state = puzzle.state()
        legal = state.legal_actions()
        lost = naive([after(state, move) for move in legal], plies=5)
        assert not any(length for move, length in zip(legal, lost) if move in right(puzzle))
        for move in {int(move) for move, length in zip(legal, lost) if not length} - right(puzzle):
            assert Prover(state.game).fours(after(state, move))  # a longer win


def test_in_blocks_exactly_the_right_moves_leave_no_win():
    for puzzle in [
        *of("block_four", 4),
        *of("block_four", 4, "renju"),
        *of("block_three", 4),
        *of("block_three", 4, "freestyle:size=9"),
    ]:
        state, plies = puzzle.state(), 1 if puzzle.category == "block_four" else LONG
        found = naive([after(state, move) for move in state.legal_actions()], plies=plies)
        left = {int(move) for move, length in zip(state.legal_actions(), found) if not length}
        assert right(puzzle) <= left
        prover = Prover(state.game)
        for move in left - right(puzzle):  # a longer win than the naive search looks for
            assert puzzle.category == "block_three" and prover.fours(after(state, move))


def test_in_stacking_exactly_the_right_moves_keep_the_value():
    late = [p for p in of("stacking") if board_of(game_of(p.game)).cells - position_of_state(p.state()).plies <= 13]
    assert len(late) >= 5
    for puzzle in late[:8]:
        state = puzzle.state()
        board = board_of(state.game)
        cells = state.game.face.board(state)
        stacks = tuple("".join("01"[owner - 1] for owner in cells[:, c] if owner) for c in range(board.width))
        oracle = Oracle(board.width, board.height, board.cylinder)
        values = {column: np.sign(oracle.score_of(stacks, column)) for column in oracle.columns(stacks)}
        assert {column for column, value in values.items() if value == max(values.values())} == right(puzzle)


def test_in_gomocku_the_right_moves_are_worth_more_than_others():
    (puzzle,) = of("gomocku", 1)
    state, exhaustive = puzzle.state(), Star(game_of(puzzle.game), "expectimax", table=0)
    others = [int(move) for move in state.legal_actions() if move not in right(puzzle)]
    worth = {m: exhaustive.search(after(state, m).record).value[state.to_play] for m in [*right(puzzle), *others[::8]]}
    best = max(worth.values())
    for move, value in worth.items():
        assert (value > best - 1e-12) if move in right(puzzle) else value < best - endings.MARGIN


def test_in_goita_the_right_moves_win_whatever_the_hands_and_the_others_do_not():
    for puzzle in of("goita")[::5]:
        state = puzzle.state()
        deals = [state.view(state.to_play, seed=seed).state() for seed in range(40)]  # as the law draws them
        for move in state.legal_actions():
            always = goes_out(deals, int(move), state.to_play)
            assert always or int(move) not in right(puzzle)
        worlds = endings.worlds_of(state, goita_position(state))
        for move in set(state.legal_actions().tolist()) - right(puzzle):
            lost = next(world for world in worlds if OpenHands(mb=1).value_of(world, move, "win") < 0)
            assert best_play(lost, move, state.to_play) < 0


def goes_out(deals: list[State], move: int, me: int) -> bool:
    """Does the seat go out in each of these deals by the law, with moves that are the same in all, all others passing?"""
    following = []
    for deal in deals:
        state = deal.copy().play(move)
        while not state.is_over and state.to_play != me:
            if state.legal_actions().tolist() != [PASS]:
                return False
            state.play(PASS)
        if state.is_over and state.payoffs[me] <= 0:
            return False
        following.append(state)
    if move == PASS or all(state.is_over for state in following):
        return move != PASS
    return any(goes_out(following, int(reply), me) for reply in following[0].legal_actions())


def best_play(position: Position, move: int, me: int) -> int:
    """1 or -1 for the pair of `me` after this move, by plain minimax with open hands."""
    if position.goes_out(move):
        return 1 if (position.turn - me) % 2 == 0 else -1
    then = position.after(move)
    values = [best_play(then, reply, me) for reply in then.actions()]
    return max(values) if (then.turn - me) % 2 == 0 else min(values)


# ---- making them ----


def test_the_same_seed_makes_the_same_positions():
    for category, spec in (
        ("block_four", "gomoku:size=11"),
        ("capture_block", lines_of("capture_block")),
        ("stacking", "connect_four"),
    ):
        assert make.make(category, spec, 2, lambda: None) == of(category, 2)


def lines_of(category: str) -> str:
    return make.GAMES[category][0][0]


def test_making_goes_on_after_a_stop(tmp_path, monkeypatch):
    games = (("gomoku:size=11", 2), ("freestyle:size=9", 1))
    monkeypatch.setattr(make, "GAMES", {"block_four": games})
    whole, out = make.MakeSuite(("block_four",), tmp_path / "whole"), tmp_path / "positions.jsonl"
    make.main(whole)
    asked, real = [], make.make

    def stopping(category, spec, *others):
        asked.append(spec)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return real(category, spec, *others)

    monkeypatch.setattr(make, "make", stopping)
    with pytest.raises(KeyboardInterrupt):
        make.main(replace(whole, out=out))
    assert not out.exists()
    make.main(replace(whole, out=out))
    assert asked == ["gomoku:size=11", "freestyle:size=9", "freestyle:size=9"]
    assert out.read_text() == whole.out.read_text() and not out.with_suffix(".part").exists()


# ---- the scores ----


@pytest.mark.parametrize(
    ("spec", "category", "n", "least"),
    [
        ("greedy", "block_four", 20, 18),
        ("alphabeta:depth=4,vcf=1000,mb=1", "vcf", 10, 9),
        ("alphabeta:depth=4,vcf=1000,mb=1", "vct", 10, 9),
        ("solver:mb=1", "stacking", 20, 20),
        ("expectimax:plies=3", "gomocku", 4, 4),
        ("pimc:worlds=100,mb=1,sharpness=0", "goita", 15, 14),
    ],
)
def test_those_who_know_score_high(spec, category, n, least):
    puzzles = of(category, n)
    for name in {puzzle.game for puzzle in puzzles}:
        group = [puzzle for puzzle in puzzles if puzzle.game == name]
        moves = choices(agents.make(spec, game_of(name)), [puzzle.state() for puzzle in group])
        least -= sum(int(move) in right(puzzle) for puzzle, move in zip(group, moves))
    assert least <= 0


def test_random_moves_score_low(tmp_path, capsys):
    args = SuiteArgs(agents=["random"], out=tmp_path / "answers.jsonl")
    assert score.run(args) == 0
    answers = [score.Answer(**json.loads(line)) for line in args.out.read_text().splitlines()]
    assert len(answers) == len(SUITE)
    for category in CATEGORIES:
        solved = [answer.right for answer in answers if answer.puzzle.startswith(f"{category}-")]
        expected = score.by_chance(of(category))
        assert abs(sum(solved) - expected * len(solved)) < 4 * (len(solved) * expected * (1 - expected)) ** 0.5 + 1
        assert expected < (0.45 if category in ("stacking", "goita") else 0.1)
    shown = capsys.readouterr().out
    assert "vcf" in shown and re.search(r"random +\d+/50", shown) and "by chance" in shown
    before = args.out.read_text()
    assert score.run(args) == 0  # nothing is asked again
    assert args.out.read_text() == before
    args.out.write_text(before[:-20])  # torn, as a power cut may leave it
    assert score.run(args) == 0
    assert strip(args.out.read_text()) == strip(before)


def strip(text: str) -> list[dict[str, object]]:
    return [{**json.loads(line), "seconds": 0} for line in text.splitlines()]


def test_an_agent_is_asked_where_it_can_play(tmp_path):
    console = Console(file=(tmp_path / "out").open("w"), width=100)
    args = SuiteArgs(agents=["solver:mb=1", "random"], only=["stacking", "goita"], positions=3)
    assert score.run(args, console) == 0
    console.file.close()
    shown = (tmp_path / "out").read_text()
    assert re.search(r"solver:mb=1 +3/3 +-", shown) and re.search(r"random +\d/3 +\d/3", shown)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"only": ["chess"]}, "no category chess"),
        ({"positions": 0}, "--positions 0"),
        ({"sims": 0}, "--sims and --ms"),
        ({"sims": 5, "ms": 5.0}, "not both"),
        ({"agents": ["solver"], "only": ["goita"]}, "solver plays none of the games"),
        ({"agents": ["rando"]}, "Did you mean random"),
        ({"agents": []}, "name at least one"),
    ],
)
def test_what_cannot_be_asked_is_refused(changes, words):
    with pytest.raises((UsageError, agents.AgentError), match=words):
        score.run(replace(SuiteArgs(), **changes))


def test_what_was_made_for_another_count_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(make, "GAMES", {"block_four": (("gomoku:size=11", 2),)})
    whole, out = make.MakeSuite(("block_four",), tmp_path / "whole"), tmp_path / "positions.jsonl"
    make.main(whole)
    save(load(whole.out)[1:], out.with_suffix(".part"))
    make.main(replace(whole, out=out))
    assert out.read_text() == whole.out.read_text()
