"""Studies of openings: games from every first move, trees that count them up to symmetry, scores with intervals."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from narabe import envs
from narabe.experiments import advantage, opening_studies, opening_tree, referee, self_play, show
from narabe.experiments.args import UsageError
from narabe.experiments.opening_tree import first_moves, root_of
from narabe.experiments.openings_args import AdvantageArgs, OpeningsArgs, TreeArgs
from narabe.experiments.self_play import Score, SelfPlay, difference
from narabe.experiments.show_args import ShowArgs
from narabe.experiments.store import StoreError
from narabe.experiments.stored import open_run
from narabe.experiments.tournament_args import TournamentError
from narabe.tests.experiments.runs import GAME, QUIET, WON

TINY = "gomoku:size=3,row=3"


def tree_args(folder, **changes):
    return replace(
        TreeArgs(game=TINY, agent="random", games=4, out=folder / "tree", workers=0, values=False), **changes
    )


def advantage_args(folder, **changes):
    plain = AdvantageArgs(game=[TINY, "connect_four"], agents=["random"], games=6, out=folder / "run", workers=0)
    return replace(plain, **changes)


# ---- first moves and trees ----


def test_first_moves_are_those_up_to_symmetry_with_their_images():
    root = envs.game("gomoku", size=9).start()
    nodes = first_moves(root)
    assert len(nodes) == 15
    assert sorted(action for node in nodes for action in node.images) == list(range(81))
    assert first_moves(root, ["E5", "F6"])[-1].path == (root.game.action_of("E5"),)
    (diagonal,) = first_moves(root, ["F6", "D4"])  # one image is enough
    assert (root.game.text_of(diagonal.path[0]), len(diagonal.images)) == ("F6", 4)


def test_after_a_move_on_the_edge_fewer_are_alike():
    root = root_of(GAME, ["B1"])
    assert {len(node.images) for node in first_moves(root)} == {1, 2}
    assert sum(len(node.images) for node in first_moves(root)) == 8


def test_a_tournament_rule_leaves_one_first_move():
    assert len(first_moves(envs.game("capture_gomoku", size=9).start())) == 1


def test_games_are_counted_where_they_went_whichever_way_they_were_turned():
    """All eight images of a game go through the same nodes, and the names of its moves fit together."""
    moves = "A1 B2 A2 C3"
    records = []
    for k in range(8):
        turned = " ".join(GAME.text_of(GAME.symmetry(GAME.action_of(move), k)) for move in moves.split())
        records.append(replace(WON, number=k, moves=turned, payoffs=(1.0, -1.0) if k < 6 else (-1.0, 1.0)))
    root = GAME.start()
    tree = opening_tree.grown(root, first_moves(root), records, 3)
    first = tree.moves[0]
    assert (GAME.text_of(first.path[0]), first.score) == ("A1", Score(6, 0, 2))
    (reply,) = first.replies()
    (third,) = reply.replies()
    assert [GAME.text_of(action) for action in third.path] == moves.split()[:3]
    assert (reply.score, third.score) == (Score(2, 0, 6), Score(6, 0, 2))
    assert third.replies() == []
    assert tree.counted == 8


def test_names_of_replies_stand_on_the_board_of_the_first_image():
    """The second game comes from another image, and with a reply that no game had before."""
    records = [replace(WON, moves="A1 B1 B2"), replace(WON, moves="C3 A3 B2"), replace(WON, moves="A1 A2 C3")]
    root = GAME.start()
    tree = opening_tree.grown(root, first_moves(root), records, 3)
    names = [[GAME.text_of(action) for action in reply.path] for reply in tree.moves[0].replies()]
    assert names == [["A1", "B1"], ["A1", "A3"]] or names == [["A1", "B1"], ["A1", "C1"]]
    for reply in tree.moves[0].replies():
        for node in reply.replies():
            state = root.copy()
            for action in node.path:
                state.play(action)  # legal as it is named
    assert tree.moves[0].replies()[0].score.games == 2  # B1 and A2 are images of each other


def test_a_forfeited_game_does_not_count():
    records = [replace(WON, moves="A1 B1 B2", forfeit_seat=1), replace(WON, moves="A1 B1 B2")]
    root = GAME.start()
    assert opening_tree.grown(root, first_moves(root), records, 2).counted == 1
    (remark,) = self_play.remarks([*records, replace(WON, moves="B2 A1")])
    assert remark.startswith("1 games were forfeited")


def test_the_tree_of_tic_tac_toe(tmp_path, capsys):
    args = tree_args(tmp_path, games=40, values=True, agent="uct:sims=300")
    assert opening_studies.run(OpeningsArgs(args)) == 0
    facts = json.loads((args.out / "tree.json").read_text())
    assert {node["move"]: len(node["images"]) for node in facts["moves"]} == {"A1": 4, "B1": 4, "B2": 1}
    assert facts["games"] == sum(node["games"] for node in facts["moves"]) == 120
    for node in facts["moves"]:
        assert node["wins"] + node["draws"] + node["losses"] == node["games"] == 40
        assert sum(reply["games"] for reply in node["replies"]) == 40
        assert [reply["games"] for reply in node["replies"]] == sorted(
            (reply["games"] for reply in node["replies"]), reverse=True
        )
        assert node["interval"][0] <= node["score"] <= node["interval"][1]
        assert -1 <= node["value"] <= 1
    picture = (args.out / "first_moves.svg").read_text()
    assert picture.count(f">{100 * facts['moves'][0]['score']:.0f}<") >= len(facts["moves"][0]["images"])
    assert f"{100 * facts['moves'][0]['score']:.1f} (" in capsys.readouterr().out


def test_a_tree_is_the_same_in_pieces_and_with_workers(tmp_path, monkeypatch):
    files = {}
    for name, steps in {"whole": [(4, 0)], "pieces": [(2, 0), (4, 0)], "workers": [(4, 1)]}.items():
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        for games, workers in steps:
            args = tree_args(Path(), games=games, workers=workers)
            tree = opening_tree.study(args)
        files[name] = [(args.out / file).read_text() for file in ("tree.json", "first_moves.svg")]
        assert len(tree.records) == 12
    assert files["whole"] == files["pieces"] == files["workers"]


def test_a_tree_that_was_broken_off_is_gone_on_with(tmp_path, monkeypatch):
    args, calls = tree_args(tmp_path), []

    def breaking(match, guard, real=referee.play):
        calls.append(match.fixture.number)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return real(match, guard)

    with monkeypatch.context() as patched:
        patched.setattr(referee, "play", breaking)
        assert opening_tree.run(args, QUIET) == 130
    assert open_run(args.out).count == 5
    assert opening_tree.run(args, QUIET) == 0
    assert open_run(args.out).count == 12
    with pytest.raises(TournamentError, match="agents: random there, greedy now"):
        opening_tree.study(replace(args, agent="greedy"))
    with pytest.raises(StoreError, match="first moves A1 B1 B2 there, first moves B2 now"):
        opening_tree.study(replace(args, moves=["B2"]))


def recorded(tmp_path):
    return Console(width=100, record=True, file=(tmp_path / "shown").open("w"))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_narabe_show_prints_a_tree_as_the_command_did(tmp_path, monkeypatch, depth):
    args = tree_args(tmp_path, agent="uct:sims=20", games=4, after=["B2"], depth=depth, values=True)
    opening_tree.study(args)
    first, again = recorded(tmp_path), recorded(tmp_path)
    assert opening_tree.run(args, first) == 0
    monkeypatch.setattr(show.tournament, "plain_console", lambda: again)
    assert show.run(ShowArgs(args.out)) == 0
    told, picture = again.export_text().split("\nPicture: ")
    assert told == first.export_text()
    assert Path(picture.strip()).read_bytes().startswith(b"\x89PNG")


def test_narabe_show_prints_an_advantage_as_the_command_did(tmp_path, monkeypatch):
    args = advantage_args(tmp_path, agents=["random", "greedy"])
    advantage.study(args)
    first, again = recorded(tmp_path), recorded(tmp_path)
    assert advantage.run(args, first) == 0
    monkeypatch.setattr(show.tournament, "plain_console", lambda: again)
    assert show.run(ShowArgs(args.out, picture=False)) == 0
    assert again.export_text() == first.export_text()


def test_narabe_show_of_a_study_that_is_not_finished_or_broken(tmp_path):
    args = tree_args(tmp_path, games=1)
    opening_tree.study(args)
    (args.out / opening_tree.TREE).write_text("{")
    with pytest.raises(UsageError, match=r"tree\.json cannot be read"):
        show.run(ShowArgs(args.out, picture=False))
    (args.out / opening_tree.TREE).unlink()
    with pytest.raises(StoreError, match="narabe openings.* not finished"):
        show.run(ShowArgs(args.out, picture=False))


def test_random_plies_make_a_deterministic_agent_play_different_games(tmp_path):
    plain = opening_tree.study(tree_args(tmp_path, agent="alphabeta:depth=1", games=6, moves=["B2"]))
    assert len({record.moves for record in plain.records}) == 1
    assert "Only 1 of 6 games are different" in self_play.remarks(plain.records)[0]
    varied = opening_tree.study(
        tree_args(tmp_path, agent="alphabeta:depth=1", games=6, moves=["B2"], random_plies=2, out=tmp_path / "varied")
    )
    assert len({record.moves for record in varied.records}) > 3
    assert all(record.opening_plies == 3 for record in varied.records)


def test_variants_share_the_random_plies(tmp_path):
    args = replace(advantage_args(tmp_path), random_plies=2, near=2)
    cells = frozenset(range(81))
    openings = [
        [
            self_play.opened(SelfPlay(spec, "random", ((),), "", 3, args, tmp_path), (), turn, 0, cells)
            for turn in range(3)
        ]
        for spec in ("omok:size=9", "omok:size=9,double_three=false")
    ]
    assert openings[0] == openings[1]
    assert len(set(openings[0])) == 3


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"games": 0}, "--games 0"),
        ({"depth": 0}, "--depth 0"),
        ({"game": "goita"}, "chance turn"),
        ({"game": "stacking:players=3"}, "3 sides"),
        ({"moves": ["D4"]}, "--moves: "),
        ({"after": ["A1", "A1"]}, "--after: A1"),
        ({"random_plies": 99}, "the game is over at once"),
    ],
)
def test_what_cannot_be_studied_is_said(tmp_path, changes, words):
    with pytest.raises(UsageError, match=words):
        opening_tree.study(tree_args(tmp_path, **changes))


# ---- scores ----


def test_the_interval_covers_the_truth_often_enough():
    """Of many series of games with known chances, at least 95 % of the intervals hold the true score; so do differences."""
    rng = np.random.default_rng(1)
    chances = ((0.5, 0.0, 0.5), (0.8, 0.1, 0.1), (0.3, 0.6, 0.1), (0.02, 0.0, 0.98))
    for wins, draws, losses in chances:
        truth = wins + draws / 2
        series = rng.multinomial(30, (wins, draws, losses), size=400)
        held = [Score(*map(int, counts)).interval for counts in series]
        assert sum(low <= truth <= high for low, high in held) >= 0.95 * 400
    a, b = (0.6, 0.1, 0.3), (0.4, 0.1, 0.5)
    pairs = zip(rng.multinomial(40, a, size=400), rng.multinomial(30, b, size=400))
    bounds = [difference(Score(*map(int, x)), Score(*map(int, y))) for x, y in pairs]
    assert sum(low <= 0.2 <= high for _, low, high in bounds) >= 0.95 * 400


# ---- advantage ----


def test_advantage_compares_games(tmp_path):
    console = Console(width=80, record=True, file=(tmp_path / "shown").open("w"))
    args = advantage_args(tmp_path, games=30)
    assert advantage.run(args, console) == 0
    facts = json.loads((args.out / "advantage.json").read_text())
    first, second = facts["rows"]
    assert (first["game"], second["game"]) == (TINY, "connect_four")
    assert first["to_first_game"] is None
    assert second["to_first_game"][0] == pytest.approx(second["score"] - first["score"])
    assert first["games"] == second["games"] == 30
    assert 0.5 < first["score"] < 0.95  # tic-tac-toe at random: the first player has 64.8 % by counting
    counts = f"{first['wins']}-{first['draws']}-{first['losses']}"
    (row,) = [line for line in console.export_text().splitlines() if counts in line]
    assert row.startswith(" gomoku:size=3")
    assert len(row) <= 80
    assert open_run(args.out / "connect_four__random").count == 30


@pytest.mark.parametrize("game", ["goita_two_by_four", "gomocku:size=5,deal=physical"])
def test_a_game_may_begin_with_chance(tmp_path, game):
    args = advantage_args(tmp_path, game=[game], games=4)
    (row,) = advantage.study(args)
    assert row.score.games == 4
    assert len({record.moves for record in row.records}) == 4  # each game has a deal of its own


def test_a_picture_of_the_advantage(tmp_path):
    pytest.importorskip("matplotlib")
    args = advantage_args(tmp_path, games=2, plot=True)
    rows = advantage.study(args)
    assert (args.out / "advantage.svg").read_text().startswith("<?xml")
    (axes,) = advantage.plot(rows).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == args.game


def test_advantage_needs_games_and_agents(tmp_path):
    with pytest.raises(UsageError, match="name at least one"):
        advantage.study(advantage_args(tmp_path, agents=[]))
