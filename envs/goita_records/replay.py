"""From records to positions and back, by the law."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from narabe.envs.faces.goita import COUNTS, WORDS, hand_text, hands_of_outcome
from narabe.envs.game import Game, IllegalMove, State
from narabe.envs.goita_records.deal import Deal, Match, Ply, RecordError, kind
from narabe.envs.rules import calls, core
from narabe.envs.rules.goita import record as R


def counts_of(game: Game) -> tuple[int, ...]:
    """How many cards of each kind a game has, as the readers and writers of records take it."""
    return tuple(game.options[name] for name in COUNTS)


def states_of(record: Match | Deal, game: Game) -> list[list[State]]:
    """The positions of each deal: before every ply, and after the last one.

    Scores are in the unit of the game: those of viewers fit ``goita_hozonkai``; in a game of one deal they are left out.
    Records of viewers do not tell what was said about five of the first kind: those who played on are taken to have been
    silent. Raises `RecordError`, which names the line, the deal and the ply, for what the rules do not allow, and for
    hidden cards.

    >>> from narabe.envs.goita_records import read
    >>> match = read("11223449,11122357,11356678,11134455,s1,114,2p,3p,444")
    >>> [state.to_text().split()[-1] for state in states_of(match, Game("goita"))[0]][-1]
    '114,2p,3p,444'
    """
    deals = record.deals if isinstance(record, Match) else (record,)
    return [list(_replayed(deal, number, game)) for number, deal in enumerate(deals, start=1)]


def record_of(state: State, names: Sequence[str] = ()) -> Match:
    """The record of all deals since the start of a game; of a view only what its seat has seen.

    >>> game = Game("goita")
    >>> state = game.position(hands="11223448,11122357,11356678,11134455", dealer=0, plies="114 2p 3p 444")
    >>> from narabe.envs.goita_records import write_line
    >>> write_line(record_of(state).deals[0])
    '11223448,11122357,11356678,11134455,s1,114,2p,3p,444'
    >>> write_line(record_of(state.view(1).state()).deals[0])
    'xxxxxxxx,11122357,xxxxxxxx,xxxxxxxx,s1,1x4,2p,3p,444'
    """
    s, game = state.record[0], state.game
    scale = game.options["points"]
    dealer = "-" if s["base_phase"] == R.FIRST_DEALER else f"s{s['base_dealer'] + 1}"
    scores = "-".join(str(points * scale) for points in s["base_scores"])
    replayed = game.from_text(f"{scores} {dealer} - -")
    replayed.chance = "manual"
    deals: list[Deal] = []
    for action in _actions(s):
        before = replayed.record[0]
        if action >= R.DEALER:
            pass
        elif action >= R.DEALT:
            score = int(before["scores"][0]) * scale, int(before["scores"][1]) * scale
            deals.append(Deal(_hands(game, action, state.seat), int(before["dealer"]), score=score))
        else:
            ply = _ply(replayed, action, state.seat)
            if ply:
                deals[-1] = Deal(deals[-1].hands, deals[-1].dealer, (*deals[-1].plies, ply), deals[-1].score)
        replayed.play(action)
    return Match(tuple(deals), tuple(names))


def _actions(s: np.void) -> Iterator[int]:
    """The log of a record as actions and outcomes."""
    dealt = 0
    for entry in s["log"][: int(s["log_length"])]:
        if entry == R.LOG_DEAL:
            yield int(s["deal"][dealt])
            dealt += 1
        else:
            yield R.DEALER + int(entry) - R.LOG_DEALER if entry >= R.LOG_DEALER else int(entry)


def _hands(game: Game, outcome: int, looker: int | None) -> tuple[tuple[int | None, ...], ...]:
    hands = [tuple(map(int, hand_text(hand))) for hand in hands_of_outcome(game, outcome)]
    return tuple(hand if looker in (None, seat) else (None,) * len(hand) for seat, hand in enumerate(hands))


def _ply(state: State, action: int, looker: int | None) -> Ply | None:
    """An action that is to be played as a ply, as it is seen; None if it is not noticed."""
    seat = state.to_play
    if looker is not None:
        action = int(calls.seen_action(state.record, 0, action, looker + 1))
    if action == core.UNSEEN:
        return None
    if action in WORDS:
        return Ply(seat, word=WORDS[action])
    if action == R.PASS:
        return Ply(seat, word="pass")
    if action <= R.PLAYS:
        return Ply(seat, (action - 1) // 8 + 1, (action - 1) % 8 + 1)
    if action < R.SHOWN:
        return Ply(seat, None, action - R.HIDDEN)
    return Ply(seat, action - R.SHOWN or None, R.KING)


def _replayed(deal: Deal, number: int, game: Game) -> Iterator[State]:
    state = _start(deal, number, game)
    for at, ply in enumerate(deal.plies, start=1):
        while ply.word in ("play", "pass") and state.record["phase"][0] == R.ANNOUNCE:
            state.play("silent")
        yield state.copy()
        if ply.word == "declare" and state.to_play < 0:
            continue  # it has been declared by the rules
        where = f"deal {number}, ply {at} {str(ply)!r}"
        if state.to_play != ply.seat:
            problem = f"player {state.to_play + 1} is to act" if state.to_play >= 0 else "the deal is over"
            raise RecordError(ply.line, where, problem)
        try:
            state.play(_text(ply, where))
        except IllegalMove as error:
            raise RecordError(ply.line, where, str(error)) from None
    yield state.copy()


def _start(deal: Deal, number: int, game: Game) -> State:
    if any(card is None for hand in deal.hands for card in hand):
        raise RecordError(deal.line, f"deal {number}, hands", "a deal is replayed with all hands known")
    hands = ["".join(str(kind(card)) for card in hand if card) for hand in deal.hands]
    scores = deal.score if deal.score and game.options["match"] else (0, 0)
    try:
        state = game.position(hands=hands, dealer=deal.dealer, scores=scores)
    except ValueError as error:
        raise RecordError(deal.line, f"deal {number}", str(error)) from None
    state.chance = "manual"
    return state


def _text(ply: Ply, where: str) -> str:
    if ply.word != "play":
        return "p" if ply.word == "pass" else ply.word
    if ply.lay is None or ply.attack is None:
        raise RecordError(ply.line, where, "a deal is replayed with all cards known")
    return f"{kind(ply.lay)}{kind(ply.attack)}"
