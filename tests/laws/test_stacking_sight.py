"""Block stacking: undo, keys, symmetries, planes, texts, over random games under many sets of options."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from narabe.envs import Game, State, check_game, game
from narabe.envs.rules import calls, core
from narabe.tests.laws.test_stacking_oracle import SETS

every_set = pytest.mark.parametrize(
    "options", SETS, ids=lambda o: ",".join(f"{k}={v}" for k, v in o.items()) or "default"
)


def random_move(state: State, rng: random.Random) -> int:
    """A random legal action; resigning is rare."""
    legal = state.legal_actions().tolist()
    blocks = [a for a in legal if a < state.record["drops"][0]]
    return int(rng.choice(blocks if blocks and rng.random() < 0.8 else legal))


def games(options: dict[str, Any], count: int, seed: int = 3) -> list[State]:
    """Random games that may stop on the way."""
    rng, found = random.Random(seed), []
    for _ in range(count):
        state = game("stacking", **options).start()
        for _ in range(rng.randint(0, 60)):
            if state.is_over:
                break
            state.play(random_move(state, rng))
        found.append(state)
    return found


@every_set
def test_the_contract_of_a_law_holds(options: dict[str, Any]) -> None:
    assert check_game(game("stacking", **options), games=3) > 3


@pytest.mark.parametrize(
    "name", ["stacking", "connect_four", "stacking_go_board", "stacking_cylinder", "stacking_claim"]
)
def test_every_row_keeps_the_contract(name: str) -> None:
    assert check_game(game(name), games=3) > 20


@every_set
def test_undo_restores_every_field_on_the_way_back(options: dict[str, Any]) -> None:
    rng = random.Random(11)
    for _ in range(4):
        state = game("stacking", **options).start()
        trail = [state.record.copy()]
        while not state.is_over and len(trail) < 80:
            state.play(random_move(state, rng))
            trail.append(state.record.copy())
        while state.history:
            assert core.differences(state.record, trail.pop()) == []
            state.undo()
        assert core.differences(state.record, trail.pop()) == []


def image(state: State, k: int) -> State:
    """The state that the mirrored (rotated) actions lead to."""
    other = state.game.start()
    for action in state.history:
        other.play(state.game.symmetry(action, k))
    return other


@pytest.mark.parametrize("options", [o for o in SETS if "boards" not in o][::2], ids=str)
def test_mirrored_and_rotated_games_mean_the_same(options: dict[str, Any]) -> None:
    for state in games(options, 3):
        played, mask = state.game, state.legal_mask()
        key, best = state.canonical_key
        keys = []
        for k in range(played.num_symmetries):
            other, moved = image(state, k), [played.symmetry(a, k) for a in range(played.num_actions)]
            assert sorted(moved) == list(range(played.num_actions))
            assert mask.tolist() == other.legal_mask()[moved].tolist()
            assert (other.is_over, other.reason, other.payoffs) == (state.is_over, state.reason, state.payoffs)
            assert other.canonical_key[0] == key
            keys.append(other.key)
        assert min(keys) == keys[best] == key


def test_a_cylinder_has_all_rotations_and_mirrors() -> None:
    played = game("stacking_cylinder")
    assert played.num_symmetries == 14
    starts = {played.start().play(a).canonical_key[0] for a in range(7)}
    assert len(starts) == 1
    assert game("connect_four").num_symmetries == game("stacking").num_symmetries == 2


def test_the_key_of_an_open_floor_does_not_change_by_a_shift() -> None:
    """The same blocks with another one first: all is moved by two columns, the key is the same."""
    a, b = game("stacking").start(), game("stacking").start()
    for move in ["0", "+1", "+2", "+2"]:
        a.play(move)
    for move in ["0", "-1", "-2", "0"]:
        b.play(move)
    assert a.to_text().split()[1:4] == b.to_text().split()[1:4]
    assert a.key == b.key and a.to_text() != b.to_text()
    assert a.play("+1").key == b.play("-1").key != a.play("+3").key
    walls = game("stacking", width=9)
    assert walls.start().play("4").key != walls.start().play("5").key


def test_rules_side_bar_and_claims_belong_to_the_key() -> None:
    keys = {game("connect_four", **options).start().key for options in
            ({}, {"row": 3}, {"height": 7}, {"width": 8}, {"cylinder": True}, {"claim": True}, {"resign": True},
             {"takeback": True}, {"players": 3}, {"plies": 100}, {"claim": True, "false_claim": "loses"})}  # fmt: skip
    assert len(keys) == 11
    board = game("connect_four")
    assert board.position(columns="ry/6").key != board.position(columns="ry/6", to_move="yellow").key
    claims = game("connect_four", claim=True)
    assert claims.start().play("!").key != claims.start().key
    taken = game("connect_four", takeback=True).start()
    for move in ["1", "2", "1", "2", "1", "5", "1"]:
        taken.play(move)
    before, asked = taken.key, taken.play("takeback").key
    assert len({before, asked, taken.play("grant").key}) == 3


def test_the_order_of_blocks_does_not_change_the_key() -> None:
    a, b = game("connect_four").start(), game("connect_four").start()
    for left, right in zip("1234", "3214"):
        a.play(left), b.play(right)
    assert a.key == b.key and a.to_text() == b.to_text()


@pytest.mark.parametrize("plies", [4, 5])
def test_no_two_positions_of_the_first_plies_share_a_key(plies: int) -> None:
    level = {game("connect_four").start().to_text(): game("connect_four").start()}
    for _ in range(plies):
        level = {
            child.to_text().rsplit(" ", 1)[0]: child
            for state in level.values()
            for child in (state.copy().play(int(a)) for a in state.legal_actions())
        }
    assert len({state.key for state in level.values()}) == len(level) == {4: 1120, 5: 4263}[plies]


# ---- texts ----


@every_set
def test_text_gives_the_position_back(options: dict[str, Any]) -> None:
    rng = random.Random(5)
    for state in games(options, 5):
        again = state.game.from_text(state.to_text())
        assert again == state and again.history == []
        assert (again.key, again.ply, again.to_play) == (state.key, state.ply, state.to_play)
        assert (again.is_over, again.reason, again.payoffs) == (state.is_over, state.reason, state.payoffs)
        for seat in range(state.game.num_players):
            assert np.array_equal(again.observe(seat), state.observe(seat))
        for _ in range(15):
            if state.is_over:
                break
            move = random_move(state, rng)
            assert again.play(move).to_text() == state.play(move).to_text()
            assert again.legal_mask().tolist() == state.legal_mask().tolist()
        trail = len(again.history)
        for _ in range(trail):
            again.undo()


def test_a_position_as_text() -> None:
    four = game("connect_four").start()
    assert four.to_text() == "7 r 0 -"
    assert four.play("4").play("4").play("1").to_text() == "r/2/ry/3 y 3 1"
    floor = game("stacking").start()
    assert floor.to_text() == "0 - r 0 -"
    assert floor.play("0").play("-3").to_text() == "3 y/2/r r 2 -3"
    taken = game("connect_four", takeback=True).start()
    for move in ["1", "2", "1", "2", "1", "5", "1", "takeback", "grant"]:
        taken.play(move)
    assert taken.to_text() == "rrr/yy/5 y 9 1 p,5,1,r,1,2,1,2,1 -"


@pytest.mark.parametrize(
    ("options", "text", "complaint"),
    [
        ({}, "r/6 y 1", "4 fields"),
        ({}, "r/5 y 1 1", "6 columns are given, the board has 7"),
        ({}, "rrrrrrr/6 y 7 1", "higher than 6"),
        ({}, "b/6 y 1 1", "only r, y may stand there"),
        ({}, "r-/6 y 1 1", "letters, or a number"),
        ({}, "r/6 b 1 1", "side 'b'"),
        ({}, "r/6 y x 1", "ply 'x'"),
        ({}, "r/6 y 0 1", "ply 0"),
        ({}, "r/6 y 1 9", "last: there is no column 9"),
        ({}, "r/6 y 1 2", "not all on the board"),
        ({}, "r/6 r 1 1", "one of the side to move"),
        ({}, "rrrr/yyyy/5 r 8 -", "several players hold a row"),
        ({"width": 0, "height": 0}, "9 r y 1 -", "no block on the column from which columns are counted"),
        ({"width": 0, "height": 0}, "x r y 1 -", "anchor 'x'"),
        ({"claim": True}, "7 r 0 - 0-2 -", "claims '0-2'"),
        ({"takeback": True}, "7 r 0 - q -", "takebacks 'q'"),
        ({"takeback": True}, "r/y/y/4 r 3 3 p,-,0,-,2,3 -", "sides in turn"),
        (
            {"takeback": True, "width": 0, "height": 0},
            "0 r/y r 2 +1 p,+9,1,r,0,+1 -",
            r"column \+9 could not be played",
        ),
        ({"takeback": True, "width": 0, "height": 0}, "0 r/y r 2 +1 p,-5,1,r,0,+1 -", "column -5 could not be played"),
        ({"takeback": True, "height": 2}, "ry/6 r 2 1 p,1,1,y,1,1 -", "column 1 could not be played"),
        ({"takeback": True}, "r/y/5 r 2 2 p,3,0,-,1,2 -", "barred only by a takeback that was granted"),
        ({"takeback": True}, "r/y/5 r 2 2 b,3,1,r,1,2 -", "barred only by a takeback that was granted"),
        ({"takeback": True, "width": 4, "height": 1}, "r/y/r/1 y 3 3 p,4,1,r,1,2,3 -", "no other one can be played"),
        ({"takeback": True}, "r/y/5 r 2 2 p,3,1,-,1,2 -", "first winner"),
        ({"takeback": True}, "r/y/5 r 2 2 p,-,0,r,1,2 -", "first winner"),
        ({"resign": True}, "7 r 0 - 999=r", "end '999=r'"),
        ({"players": 3, "resign": True}, "7 r 0 - rr -", "out 'rr'"),
    ],
)
def test_a_wrong_text_is_refused_by_field(options: dict[str, Any], text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        game("connect_four", **options).from_text(text)


def test_set_up_by_columns() -> None:
    four = game("connect_four")
    assert four.position(columns=["ry", "", "", "", "", "", "r"], to_move="y").to_text() == "ry/5/r y 3 -"
    assert four.position(columns={1: "ry", 7: "r"}, to_move=1) == four.position(columns="ry/5/r", to_move="yellow")
    floor = game("stacking").position(columns=["r", "", "y"], anchor=2)
    assert floor.to_text() == "2 r/1/y r 2 -"
    assert floor == game("stacking").position(columns={-2: "r", 0: "y"})
    with pytest.raises(TypeError, match="not black"):
        four.position(black=["1"])
    with pytest.raises(ValueError, match="to_move='green'"):
        four.position(to_move="green")
    with pytest.raises(ValueError, match="off the frame"):
        game("stacking", span=2).position(columns=["r", "y", "r", "y"], anchor=0)
    assert four.position(columns=["rrrr", "", "", "", "", "", ""], to_move="yellow").payoffs == (1.0, -1.0)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("four", "cannot read 'four'"),
        ("H8", "cannot read 'H8'"),
        ("", "cannot read ''"),
        ("!", "'!' is no move of connect_four: it needs the option claim=true"),
        ("1!", "'1!' is no move of connect_four: it needs the option claim=true"),
        ("H8!", "'H8!' is no move of connect_four: it needs the option claim=true"),
        ("Resign", "'Resign' is no move of connect_four: it needs the option resign=true"),
        ("takeback", "it needs the option takeback=true"),
        ("accept", "it needs the option takeback=true"),
        ("Grant", "'Grant' is no move of connect_four: it needs the option takeback=true"),
        ("refuse", "it needs the option takeback=true"),
    ],
)
def test_wrong_moves_are_refused_with_a_hint(text: str, complaint: str) -> None:
    assert complaint in str(game("connect_four").start().why_illegal(text))
    full = game("stacking", claim=True, resign=True, takeback=True)
    assert "further 4! and ! for claims, resign, takeback" in str(full.start().why_illegal("four"))
    for typed in ("H8", "H8!", "Up", "!!"):
        assert f"cannot read {typed!r}" in str(full.start().why_illegal(typed))


@every_set
def test_texts_of_actions_go_there_and_back(options: dict[str, Any]) -> None:
    played = game("stacking", **options)
    assert [played.action_of(played.text_of(a)) for a in range(played.num_actions)] == list(range(played.num_actions))


# ---- planes ----


@every_set
def test_the_planes_show_what_they_say(options: dict[str, Any]) -> None:
    for state in games(options, 6, seed=9):
        s, played = state.record[0], state.game
        n, board = played.num_players, played.face.board(state)
        columns, shift = int(s["columns"]), 0
        if s["open_sides"] and board.any():
            used = np.flatnonzero(board[0])
            shift = columns // 2 - (used[0] + used[-1]) // 2
        moved = np.zeros_like(board)
        for c in np.flatnonzero(board[0]):
            moved[:, c + shift] = board[:, c]
        for seat in range(n):
            planes = state.observe(seat)
            assert planes.shape == played.observation_shape
            for j in range(n):
                assert np.array_equal(planes[j], moved == 1 + (seat + j) % n)
            last = np.argwhere(planes[n]).tolist()
            assert last == ([[s["heights"][s["last"]] - 1, s["last"] + shift]] if s["last"] >= 0 else [])
            blocks = [a for a in state.legal_actions() if a < columns] if state.to_play == seat else []
            cells = [[int(s["heights"][a]), int(a) + shift] for a in blocks if 0 <= a + shift < columns]
            assert sorted(np.argwhere(planes[n + 1]).tolist()) == sorted(cells)
            if s["open_sides"]:
                assert np.flatnonzero(planes[n + 2].any(0)).tolist() == [columns // 2 + shift]


def test_claims_takebacks_and_who_is_out_are_seen() -> None:
    claims = game("connect_four", claim=True).start()
    for move in ["1", "1", "2", "2", "3", "3", "4", "4", "!"][:-1]:
        claims.play(move)
    assert claims.observe(0)[4:, 0, 0].tolist() == [1, 2, 0] and claims.observe(1)[4:, 0, 0].tolist() == [2, 1, 0]
    assert game("connect_four", claim=True).start().play("!").observe(0)[6].all()
    taken = game("connect_four", takeback=True).start()
    for move in ["1", "2", "1", "2", "1", "5", "1"]:
        taken.play(move)
    assert taken.observe(0)[4].min() == 1 and not taken.observe(1)[3].any()
    assert taken.play("takeback").observe(0)[4].min() == 2
    planes = taken.play("grant").observe(1)
    assert np.flatnonzero(planes[5].all(0)).tolist() == [4] and (planes[6] == -1).all() and not planes[3][:, 4].any()
    out = game("connect_four", players=3, resign=True).start().play("resign")
    assert out.observe(0)[5:, 0, 0].tolist() == [1, 0, 0] and out.observe(1)[5:, 0, 0].tolist() == [0, 0, 1]


# ---- pictures, advice ----


def test_the_picture_shows_the_tower_and_what_may_matter() -> None:
    state = game("stacking", reach=2).start()
    assert (state.scene().width, state.scene().column_labels) == (5, ("-2", "-1", "0", "+1", "+2"))
    for move in ["0", "0", "+1"]:
        state.play(move)
    scene = state.scene()
    assert (scene.width, scene.height, scene.style) == (6, 5, "squares")
    assert scene.cells[2] == "red" and scene.cells[8] == "yellow" and scene.last == (3,)
    assert scene.captions == ("Yellow to play, move 4",)
    face: Any = state.game.face
    assert face.cell_of_action(state, state.game.action_of("0")) == 14
    assert "<svg" in state.svg() and "-2" in str(state)


def test_the_picture_crosses_the_barred_cell_and_rings_the_row() -> None:
    state = game("connect_four", takeback=True).start()
    for move in ["1", "2", "1", "2", "1", "5", "1"]:
        state.play(move)
    assert state.scene().winning == (0, 7, 14, 21) and "Yellow may ask" in state.scene().captions[0]
    state.play("takeback").play("grant")
    assert state.scene().forbidden == (4,)


@pytest.mark.parametrize(
    ("columns", "best"),
    [
        (["rrr", "yyy", "", "", "", "", ""], ["1"]),  # win before stopping
        (["rr", "yyy", "", "", "", "", "r"], ["2"]),  # stop
        # column 4 would give Yellow the cell above it: rather any other
        (["ry", "yy", "ry", "", "", "", "r"], ["1", "2", "3", "5", "6", "7"]),
    ],
)
def test_the_greedy_player_wins_stops_and_does_not_give(columns: list[str], best: list[str]) -> None:
    from narabe.agents.specs import make

    state = game("connect_four").position(columns=columns, to_move="red")
    for seed in range(5):
        agent = make("greedy", state.game)
        agent.new_game(0, seed)
        assert state.game.text_of(agent.choose([state.view(0)])[0].action) in best


def test_the_greedy_player_claims_its_four_and_never_resigns() -> None:
    from narabe.agents.specs import make

    state = game("connect_four", claim=True, resign=True).position(columns=["rrr", "yyy", "", "", "", "", ""])
    agent = make("greedy", state.game)
    agent.new_game(0, 1)
    assert state.game.text_of(agent.choose([state.view(0)])[0].action) == "1!"
    urgency = [float(core.plain(state.game.law.urgency)(state.record.view(np.recarray)[0], a)) for a in (6, 15)]
    assert urgency[0] > urgency[1]


def test_playing_and_looking_change_nothing_in_the_record_but_the_position() -> None:
    """`may_ask` lifts and replaces blocks: the key must not notice."""
    played: Game = game("stacking", takeback=True, row=3)
    rng = random.Random(2)
    for _ in range(20):
        state = played.start()
        while not state.is_over:
            state.play(random_move(state, rng))
            assert state.key == int(calls.key_from_scratch(state.record, 0))
