"""Block stacking, each decided point of its rules by an example of its own, and cases from public reports."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from narabe.envs import Game, IllegalMove, State, game
from narabe.envs.faces.face import OptionError
from narabe.envs.faces.stacking import row_cells


def play(played: Game | State, moves: str) -> State:
    """The state after moves given as texts, or between walls as digits without blanks."""
    state = played.start() if isinstance(played, Game) else played
    for move in moves.split() if " " in moves or not moves.isdigit() else moves:
        state.play(move)
    return state


def names(state: State) -> list[str]:
    return [state.game.text_of(a) for a in state.legal_actions()]


# ---- rows ----


@pytest.mark.parametrize(
    ("moves", "winner", "cells"),
    [
        ("1122334", 0, "A1 B1 C1 D1"),  # along the floor
        ("1212121", 0, "A1 A2 A3 A4"),  # upright
        ("12233434474", 0, "A1 B2 C3 D4"),  # rising
        ("76655454414", 0, "G1 F2 E3 D4"),  # falling
        ("1122335566", None, ""),  # three and a gap are no row
    ],
)
def test_four_in_any_direction_wins(moves: str, winner: int | None, cells: str) -> None:
    state = play(game("connect_four"), moves)
    assert state.is_over == (winner is not None)
    if winner is not None:
        assert state.payoffs[winner] == 1.0 and state.reason == "four in a row"
        scene = state.scene()
        assert sorted("ABCDEFG"[a % 7] + str(a // 7 + 1) for a in scene.winning) == sorted(cells.split())


def test_more_than_four_and_two_lines_at_once_win() -> None:
    """Reported B9."""
    five = play(game("connect_four"), "552233154")
    assert (five.ply, five.payoffs) == (9, (1.0, -1.0)) and len(five.scene().winning) == 5
    two = play(game("connect_four"), "5623345457415")
    assert (two.ply, two.payoffs) == (13, (1.0, -1.0)) and len(two.scene().winning) == 7


def test_a_win_on_the_last_cell_is_no_draw() -> None:
    """Reported B1: the board is full on move 42, and the second player has won on it."""
    state = play(game("connect_four"), "211131416572345677654327654322345677654321")
    assert state.is_over and state.ply == 42 and state.payoffs == (-1.0, 1.0)
    assert state.reason == "four in a row" and state.record["left"][0] == 0


def test_the_last_column_counts_and_a_floor_row_is_a_row() -> None:
    """Reported B2 and B5."""
    assert play(game("connect_four"), "7171717").payoffs == (1.0, -1.0)
    assert play(game("connect_four"), "1122334").payoffs == (1.0, -1.0)


def test_rows_are_found_up_to_the_edge() -> None:
    """Reported B4: both have a row, upright in columns 1 and 5, so the position cannot be judged."""
    rows = ["0 0 2 0 0 0 0", "0 0 2 0 0 0 1", "1 1 1 2 2 0 2", "1 2 2 1 2 0 1", "1 2 1 1 2 1 2", "1 2 1 1 2 1 2"]
    board = np.array([row.split() for row in reversed(rows)], np.int8)
    assert row_cells(board, 4) == {(1, r, 0) for r in range(4)} | {(2, r, 4) for r in range(4)}
    columns = ["".join(".ry"[v] for v in board[:, c] if v) for c in range(7)]
    with pytest.raises(ValueError, match="several players hold a row of 4"):
        game("connect_four").position(columns=columns)


def test_a_full_column_closes_itself_alone() -> None:
    """Reported B6."""
    state = play(game("connect_four"), "111111")
    assert names(state) == ["2", "3", "4", "5", "6", "7"]
    for move, why in (("1", "the column is full"), ("0", "no column 0"), ("8", "no column 8"), ("-1", "no column -1")):
        with pytest.raises(IllegalMove, match=why):
            state.play(move)
    with pytest.raises(IllegalMove, match="7 is no action of connect_four: 0 to 6"):
        state.play(7)


def test_a_full_board_without_a_row_is_a_draw() -> None:
    state = play(game("connect_four", width=4, height=4), "4321311144234232")
    assert (state.is_over, state.payoffs, state.reason) == (True, (0.0, 0.0), "board full")
    assert state.record["truncated"][0] == 0


@pytest.mark.parametrize("row", [3, 4, 5, 6])
def test_the_length_of_a_row_is_an_option(row: int) -> None:
    state = game("connect_four", row=row).start()
    for k in range(row):
        assert not state.is_over
        state.play("2")
        if k < row - 1:
            state.play("5")
    assert state.reason == f"{('three', 'four', 'five', 'six')[row - 3]} in a row"


# ---- the floor without walls ----


def test_without_walls_columns_count_from_the_first_block() -> None:
    """Apart on the floor is fine; an empty floor offers one column; `reach` restricts the rest."""
    state = game("stacking").start()
    assert names(state) == ["0"]
    with pytest.raises(IllegalMove, match="the first block is at 0"):
        state.play("+1")
    play(state, "0 +4")
    assert names(state) == ["-4", "-3", "-2", "-1", "0", "+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8"]
    with pytest.raises(IllegalMove, match="reach"):
        state.play("+9")
    assert names(play(game("stacking", reach=7), "0"))[-1] == "+7"


def test_blocks_apart_can_join_into_a_row() -> None:
    """`reach` is a restriction, not an equivalence: 0 and 5 become X.XX.X."""
    state = play(game("stacking", reach=5), "0 0 +5 +5 +2 +2 +3 -1 +4")
    assert state.payoffs == (1.0, -1.0) and len(state.scene().winning) == 4


@pytest.mark.parametrize(
    ("options", "moves"),
    [
        ({"span": 3, "reach": 3}, "0 +3"),
        ({"span": 3, "reach": 3}, "0 -3"),
        ({"max_height": 3}, "0 0 0"),
        ({"plies": 5}, "0 0 +1 +1 -1"),
        ({"width": 5, "max_height": 3}, "1 1 1"),
        ({"height": 4, "span": 2, "reach": 2}, "0 +1 +2"),
    ],
)
def test_reaching_a_limit_is_a_draw_and_marked_as_such(options: dict[str, Any], moves: str) -> None:
    state = play(game("stacking", **options), moves)
    assert (state.is_over, state.payoffs, state.reason) == (True, (0.0, 0.0), "limit reached")
    assert state.record["truncated"][0] == 1
    assert state.undo().record["truncated"][0] == 0


@pytest.mark.parametrize(
    ("options", "plies"),
    [
        ({}, 256),
        ({"width": 7, "height": 6}, 256),
        ({"width": 18, "height": 18}, 324),
        ({"width": 18, "height": 18, "claim": True}, 648),
        ({"width": 18, "height": 18, "boards": 3, "claim": True}, 1024),
        ({"width": 7, "height": 6, "plies": 42}, 42),
    ],
)
def test_the_limit_on_actions_where_none_is_given(options: dict[str, Any], plies: int) -> None:
    assert game("stacking", **options).options["plies"] == plies


def test_takebacks_use_up_actions() -> None:
    """Nine actions, of which five blocks are left: the tenth is the last."""
    state = play(game("connect_four", takeback=True, plies=10), "1 2 1 2 1 5 1 takeback grant")
    assert not state.is_over and play(state, "7").reason == "limit reached"


def test_a_row_on_the_limit_wins() -> None:
    assert play(game("stacking", span=3, reach=3), "0 0 +1 +1 +2 +2 +3").payoffs == (1.0, -1.0)
    assert play(game("stacking", max_height=4), "0 +1 0 +1 0 +1 0").payoffs == (1.0, -1.0)
    assert play(game("stacking", plies=7), "0 +1 0 +1 0 +1 0").payoffs == (1.0, -1.0)


def test_the_wall_ends_the_board_and_the_go_board_has_18_by_18_squares() -> None:
    """Blocks lie on the squares of a Go board; boards may be joined side by side."""
    assert game("stacking_go_board").observation_shape == (4, 18, 18)
    assert game("stacking_go_board", boards=3).num_actions == 54
    assert game("stacking_go_board").options["plies"] == 324  # a full board ends before the limit
    state = play(game("stacking_go_board", boards=2), "18 1 19 1 20 1 17")
    assert state.payoffs == (1.0, -1.0)  # across the joint


# ---- the cylinder ----


@pytest.mark.parametrize("width", [4, 5, 7])
def test_on_a_cylinder_rows_go_around_from_every_column(width: int) -> None:
    played = game("connect_four", width=width, cylinder=True)
    for first in range(width):
        columns = [str((first + k) % width + 1) for k in range(4)]
        flat = play(played, " ".join(x for pair in zip(columns, columns) for x in pair).rsplit(" ", 1)[0])
        assert flat.payoffs == (1.0, -1.0), first
        for line in (columns, columns[::-1]):  # rising and falling
            stacks = [""] * width
            for k, column in enumerate(line):
                stacks[int(column) - 1] = "y" * k + "r"
            assert played.position(columns=stacks, to_move="yellow").reason == "four in a row", (line, stacks)


def test_a_row_on_a_cylinder_has_four_different_cells() -> None:
    assert not play(game("connect_four", width=4, cylinder=True), "11223").is_over
    with pytest.raises(OptionError, match="a cylinder needs a width of 4 or more"):
        game("connect_four", width=3, cylinder=True, row=3)
    with pytest.raises(OptionError, match="a cylinder needs a width of 5 or more"):
        game("connect_four", width=4, cylinder=True, row=5)


# ---- claims ----


def test_a_judge_points_out_every_four_unless_claims_are_agreed() -> None:
    """Without claims the four itself ends the game; with them it must be claimed by its owner."""
    claims = game("connect_four", claim=True)
    state = play(claims, "1 1 2 2 3 3 4")
    assert not state.is_over
    assert play(claims, "1 1 2 2 3 3 4!").reason == "four in a row and claimed"
    assert play(state.copy(), "7 !").payoffs == (1.0, -1.0)  # alone, at his next turn
    assert play(state.copy(), "7 7!").payoffs == (1.0, -1.0)  # with any later block
    assert play(state.copy(), "7! 5").payoffs == (0.0, 0.0)  # not by another


def test_a_claim_in_vain_does_nothing_and_is_made_once_a_turn() -> None:
    state = play(game("connect_four", claim=True), "4 4! !")
    assert state.to_play == 0 and not state.is_over
    with pytest.raises(IllegalMove, match="claimed already this turn"):
        state.play("!")
    assert play(state, "3 !").to_play == 1


def test_a_claim_in_vain_may_lose() -> None:
    played = game("connect_four", claim=True, false_claim="loses")
    for moves, winner in (("!", 1), ("4!", 1), ("4 !", 0), ("4 4!", 0)):
        state = play(played, moves)
        assert state.payoffs[winner] == 1.0 and state.reason == "false claim"
    three = play(game("connect_four", players=3, claim=True, false_claim="loses"), "4! 4")
    assert not three.is_over and three.to_play == 2
    assert play(three, "5 4").to_play == 2  # the first player is out


# both make a four at the floor and right above; the second player's, on the second level, comes second
BOTH = "1 1 2 2 3 3 4 4"


@pytest.mark.parametrize(
    ("unclaimed", "first_claims", "second_claims"),
    [("stands", 1.0, -1.0), ("draw", 1.0, 0.0), ("reversed", 1.0, 1.0)],
)
def test_the_first_valid_claim_wins_even_over_an_older_four(
    unclaimed: str, first_claims: float, second_claims: float
) -> None:
    """And `unclaimed_four` says what the loser's own older four, not noticed, then does."""
    played = game("connect_four", claim=True, unclaimed_four=unclaimed)
    assert play(played, BOTH + " !").payoffs[0] == first_claims
    assert play(played, "1 1 2 2 3 3 4 4!").payoffs[0] == second_claims
    younger = play(played, "1 1 2 2 3 3 4 4 !")  # the older four is claimed: the younger one changes nothing
    assert younger.reason == "four in a row and claimed"


def test_a_full_board_or_a_limit_with_unclaimed_fours_is_a_draw() -> None:
    full = play(game("connect_four", width=4, height=2, claim=True), "1 1 2 2 3 3 4 4")
    assert full.payoffs == (0.0, 0.0) and full.reason == "board full"
    assert play(game("connect_four", claim=True, plies=8), BOTH).reason == "limit reached"
    assert play(game("connect_four", width=4, height=2, claim=True), "1 1 2 2 3 3 4 4!").payoffs == (-1.0, 1.0)


# ---- resigning ----


def test_resigning_ends_the_game() -> None:
    state = play(game("connect_four", resign=True), "4 resign")
    assert (state.payoffs, state.reason) == ((1.0, -1.0), "resigned")
    assert "resign" not in names(game("connect_four").start())
    assert state.undo().to_play == 1 and not state.is_over


@pytest.mark.parametrize(("unclaimed", "payoff"), [("stands", -1.0), ("draw", 0.0), ("reversed", 1.0)])
def test_who_resigns_with_a_four_at_hand_may_not_have_lost(unclaimed: str, payoff: float) -> None:
    """One that stands, or one that he could have made at that very turn; with no such four resigning always stands."""
    claims = game("connect_four", claim=True, resign=True, unclaimed_four=unclaimed)
    judged = game("connect_four", resign=True, unclaimed_four=unclaimed)
    assert play(claims, "1 1 2 2 3 3 4 7 resign").payoffs[0] == payoff
    assert play(claims, BOTH + " resign").payoffs[0] == payoff
    assert play(claims, BOTH + " 7 resign").payoffs[1] == -1.0  # his four is the younger one
    assert play(judged, "1 1 2 2 3 3 resign").payoffs[0] == payoff
    assert play(judged, "1 1 2 2 3 resign").payoffs[1] == -1.0


# ---- takeback ----


def test_a_beaten_player_may_take_back_an_oversight() -> None:
    """Two blocks go, the beaten side's goes to another column, and the game goes on."""
    state = play(game("connect_four", takeback=True), "1 2 1 2 1 5 1")
    assert not state.is_over and state.to_play == 1 and names(state) == ["takeback", "accept"]
    assert play(state.copy(), "accept").payoffs == (1.0, -1.0)
    with pytest.raises(IllegalMove, match="answer it first"):
        state.play("3")
    play(state, "takeback")
    assert state.to_play == 0 and names(state) == ["grant", "refuse"]
    assert play(state.copy(), "refuse").payoffs == (1.0, -1.0)
    play(state, "grant")
    assert state.to_play == 1 and state.record["heights"][0][:7].tolist() == [3, 2, 0, 0, 0, 0, 0]
    with pytest.raises(IllegalMove, match="5: after a takeback the block must go to another column"):
        state.play("5")
    assert names(play(state, "1")) == ["1", "2", "3", "4", "5", "6", "7"]  # only that one move was barred


def test_there_is_no_takeback_from_a_double_reach() -> None:
    """Red had three with both ends open before Yellow's last block: that was no oversight."""
    state = play(game("connect_four", takeback=True), "3 3 4 4 5 7 2")
    assert state.is_over and state.payoffs == (1.0, -1.0)
    above = game("connect_four", takeback=True).position(
        columns=["rr", "rr", "rr", "", "", "y", "yy"], to_move="yellow"
    )  # column 4 wins for Red at the bottom and, once that is stopped, above
    assert play(above, "6 4").is_over


def test_there_is_no_takeback_where_no_other_column_is_open() -> None:
    """Yellow had to play the only open column."""
    played = game("connect_four", takeback=True, width=4, height=4)
    full = ["yyry", "ryry", "rryy", "rr"]
    state = played.position(columns=full, to_move="yellow")
    assert names(state) == ["4"]
    state.play("4")
    assert state.to_play == 0 and not state.is_over


def test_takebacks_go_on_without_a_number() -> None:
    state = play(game("connect_four", takeback=True), "1 2 1 2 1 5 1")
    for column in ("6", "5", "6", "7"):
        play(state, f"takeback grant {column} 1")
        assert names(state) == ["takeback", "accept"]
    assert play(state, "takeback refuse").payoffs == (1.0, -1.0)
    assert state.record["takebacks"][0] == 4
    for _ in range(len(state.history)):
        state.undo()
    assert state == game("connect_four", takeback=True).start()


def test_the_first_winner_may_in_turn_take_back_the_block_before() -> None:
    """After Yellow's second try wins, Red asks: the blocks undone are Yellow's new one and Red's that still stood before."""
    # Yellow has three on column 2, Red three on column 1; Yellow overlooks that, takes back, and wins
    state = play(game("connect_four", takeback=True), "1 2 1 2 1 7 1 takeback grant 1 7 2 6 2")
    assert names(state) == ["takeback", "accept"] and state.to_play == 0
    play(state, "takeback grant")
    assert state.to_play == 0 and state.record["first_winner"][0] == 1
    with pytest.raises(IllegalMove, match="6: after a takeback"):
        state.play("6")


@pytest.mark.parametrize(("after", "payoff"), [("as_played", -1.0), ("draw", 0.0), ("first_winner", 1.0)])
def test_what_a_win_after_a_takeback_counts_for(after: str, payoff: float) -> None:
    """The once beaten side wins later: as played, a draw, or the first winner's win."""
    played = game("connect_four", takeback=True, after_takeback=after)
    state = play(played, "1 2 1 2 1 7 1 takeback grant 1 7 2 6 2 accept")
    assert state.payoffs[0] == payoff
    assert ("agreement" in state.reason) == (after != "as_played")
    again = play(played, "1 2 1 2 1 7 1 takeback grant 6 1 accept")  # the first winner wins after all
    assert again.payoffs[0] == 1.0


# Red has won first and let it be taken back; both sides have blocks to go on with
GRANTED = "1 7 2 7 3 6 4 takeback grant"
CLAIMED = "1 7 2 7 5 6 3 6 4! takeback grant"


@pytest.mark.parametrize("after", ["as_played", "draw", "first_winner"])
@pytest.mark.parametrize(
    ("options", "moves", "winner", "reason"),
    [
        ({"resign": True}, f"{GRANTED} 4 resign", 1, "resigned"),
        ({"resign": True}, f"{GRANTED} resign", 0, "resigned"),
        ({"claim": True, "resign": True}, f"{CLAIMED} 4 resign", 1, "resigned"),
        ({"claim": True, "false_claim": "loses"}, f"{CLAIMED} 4 1!", 1, "false claim"),
        ({"claim": True, "false_claim": "loses"}, f"{CLAIMED} 4 !", 1, "false claim"),
        ({"claim": True, "false_claim": "loses"}, f"{CLAIMED} !", 0, "false claim"),
        ({"resign": True, "unclaimed_four": "reversed"}, f"{GRANTED} 4 1 7 1 resign", 1, "resigned and an older four counts"),
    ],
)  # fmt: skip
def test_the_agreement_on_takebacks_is_about_wins_by_a_row(
    after: str, options: dict[str, Any], moves: str, winner: int, reason: str
) -> None:
    """Who resigns or claims in vain has lost, whoever won before the first takeback."""
    state = play(game("connect_four", takeback=True, after_takeback=after, **options), moves)
    assert state.is_over and state.payoffs[winner] == 1.0 and state.reason == reason


def test_a_claimed_four_may_be_taken_back_too() -> None:
    state = play(game("connect_four", takeback=True, claim=True), "1 2 1 2 1 5 1!")
    assert names(state) == ["takeback", "accept"]
    play(state, "takeback grant")
    assert state.record["rank"][0].tolist() == [0, 0, 0, 0]
    # a four that stood already before the other's last block was his chance to see it
    assert play(game("connect_four", takeback=True, claim=True), "1 2 1 2 1 5 1 5 !").is_over


def test_a_takeback_is_for_two_players() -> None:
    with pytest.raises(OptionError, match="takeback is for two players, not 3"):
        game("stacking", takeback=True, players=3)


# ---- three and four players ----


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_the_first_four_wins_from_all(players: int) -> None:
    state = game("connect_four", players=players).start()
    columns = ["1", "7", "6", "5"][:players]
    while not state.is_over:
        state.play(columns[state.to_play])
    assert state.payoffs == (1.0,) + (-1 / (players - 1),) * (players - 1)
    assert state.game.players == ("Red", "Yellow", "Black", "White")[:players]
    assert play(game("connect_four", players=players, plies=2), "1 2").payoffs == (0.0,) * players


def test_of_three_players_the_one_who_resigns_drops_out() -> None:
    state = play(game("connect_four", players=3, resign=True), "1 resign 2")
    assert state.to_play == 0 and play(state.copy(), "3").to_play == 2
    assert play(state.copy(), "resign").payoffs == (-0.5, -0.5, 1.0)
    drawn = play(game("connect_four", players=3, resign=True, plies=4), "1 resign 2 2")
    assert drawn.payoffs == pytest.approx((0.25, -0.5, 0.25))
    assert "out: Yellow" in drawn.scene().captions


# ---- colour and order, options ----


def test_either_player_may_be_to_move_in_a_set_up() -> None:
    """Colour and order are independent of each other."""
    state = game("stacking").position(columns=["r", "yr"], to_move="yellow")
    assert state.to_play == 1 and names(state)[0] == "-4" and state.ply == 3
    assert game("connect_four").position(to_move="yellow").to_play == 1


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"cylinder": True}, "a cylinder joins two walls: give a width of 4 or more$"),
        ({"cylinder": True, "row": 6}, "give a width of 6 or more$"),
        ({"cylinder": True, "width": 3}, "a cylinder needs a width of 4 or more, .*, not 3"),
        ({"width": 4, "height": 4, "row": 5}, "a row of 5 does not fit"),
        ({"width": 3, "max_height": 3}, "a row of 4 does not fit"),
        ({"boards": 2}, "give a width"),
        ({"width": 40, "boards": 2}, "65 at most"),
        ({"after_takeback": "draw"}, "without takeback=true"),
        ({"false_claim": "loses"}, "without claim=true"),
        ({"unclaimed_four": "draw"}, "without claim=true or resign=true"),
        ({"players": 5}, "players=5: must be from 2 to 4"),
        ({"row": 7}, "row=7"),
        ({"after_takeback": "never"}, "choose one of as_played, draw, first_winner"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        game("stacking", **options)
