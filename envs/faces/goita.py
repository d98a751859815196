"""The face of Goita: options, the names of cards and plays, position text, set-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from narabe.envs.faces.face import Face, Option, OptionError
from narabe.envs.faces.goita_table import table_of
from narabe.envs.rules.goita import record as R
from narabe.envs.rules.goita import set_up
from narabe.envs.rules.jit import kernel
from narabe.envs.table import DECKS

if TYPE_CHECKING:
    from narabe.envs.game import Game, State
    from narabe.envs.table import Table

COUNTS = ("shi", "gon", "bakko", "gin", "kin", "kaku", "hisha", "ou")
MOST_OF_A_KIND = (15, 7, 7, 7, 7, 3, 3, 2)
BITS = (4, 3, 3, 3, 3, 2, 2)  # of the counts of kinds 1 to 7 in an outcome that deals
WORDS = {R.SILENT: "silent", R.SAY_FIVE: "announce", R.GO_ON: "on", R.REDEAL: "redeal", R.DECLARE: "declare"}
ACTION_OF_WORD = {word: action for action, word in WORDS.items()}
FACTS = "a position of Goita has 4 fields: scores, dealer, hands, plies, such as 0-0 s1 11223448,...,... 114,2p"
REASONS = {
    R.OUT: "went out",
    R.SIX: "six shi",
    R.SEVEN: "seven shi",
    R.EIGHT: "eight shi",
    R.FIVES: "five and five shi",
}


@kernel
def _set_up(states, i, first, second, dealer):
    set_up(states[i], first, second, dealer)


class GoitaFace(Face):
    """Goita, as the card game ATIGO or by the rules of its preservation society, and small games of its kind."""

    options = (
        Option("players", 4, "four in two pairs, or two without partners", 2, 4),
        Option("hand", 8, "cards of a hand, an even number", 2, 8),
        Option("match", 0, "points that win a match; 0: a single deal", 0, 1000),
        Option("points", 1, "points of a shi, to which all others are in proportion", 1, 10),
        Option("payoff", "points", "of a single deal: points / 15 (times `points`), or 1 for the pair that goes out",
               choices=("points", "win")),
        Option("first_dealer", -1, "seat that deals first; -1: drawn", -1, 3),
        Option("dealer", "next", "who deals next: the right neighbour, or the one who went out", choices=("next", "winner")),
        Option("specials", "auto", "hands of five and more shi count by themselves, by choice of their holder, or not at all",
               choices=("auto", "choice", "off")),
        Option("five_shi", "partner", "who decides on a redeal: the partner, once five are announced, or the holder alone",
               choices=("partner", "holder")),
        Option("six_shi_pair_doubles", False, "six shi and two equal others score double"),
        Option("king_attack_after_burying", False, "who laid a king face down may attack with the other"),
        Option("auto_redeal", False, "five shi in a hand: dealt again without a question"),
        Option("no_five_shi", False, "only deals in which nobody holds five shi"),
        *(
            Option(name, count, f"cards of kind {kind} ({DECKS['atigo'][kind - 1]}, {DECKS['goita'][kind - 1]})", 0, most)
            for kind, (name, count, most) in enumerate(zip(COUNTS, (10, 4, 4, 4, 4, 2, 2, 2), MOST_OF_A_KIND), 1)
        ),
        Option("cards", "atigo", "how cards are shown", choices=tuple(DECKS)),
    )  # fmt: skip
    players = ("Player 1", "Player 2", "Player 3", "Player 4")
    faults: Mapping[int, str] = {
        R.OVER: "the game is over",
        R.NO_ACTION: "no such action",
        R.NOT_HELD: "not in hand",
        R.LEAD: "the turn leads, and must play",
        R.NO_GUARD: "only the same kind guards, or a king",
        R.KING_GUARD: "a king does not guard against shi and gon",
        R.KING_ATTACK: "a king attacks only as the last card, beside the other in one hand, or once a king lies face up",
        R.NOT_ASKED: "nobody asks for that now",
        R.ASKED: "first answer the question about five shi or more",
        R.NO_OUTCOME: "no outcome of this chance turn",
    }

    # ---- options ----

    def complete(self, defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        values = super().complete(defaults, given)
        players, hand = values["players"], values["hand"]
        if players == 3:
            raise OptionError("players=3: Goita is for four, and for two without partners")
        if hand % 2:
            raise OptionError(f"hand={hand}: cards are played in twos, so a hand has an even number")
        deck = sum(values[name] for name in COUNTS)
        if deck != players * hand:
            raise OptionError(f"the deck has {deck} cards, and {players} hands of {hand} take {players * hand}")
        if values["first_dealer"] >= players:
            raise OptionError(f"first_dealer={values['first_dealer']}: seats are 0 to {players - 1}")
        if values["specials"] != "off" and (players, hand) != (4, 8):
            raise OptionError("hands of many shi need four players with eight cards: give specials=off")
        if values["specials"] == "off":
            for name in ("auto_redeal", "no_five_shi", "six_shi_pair_doubles"):
                if values[name]:
                    raise OptionError(f"{name} says nothing with specials=off")
        if values["match"] > 127 * values["points"]:
            raise OptionError(f"match={values['match']}: {127 * values['points']} at most")
        if values["match"] and values["payoff"] != "points":
            raise OptionError("payoff is for a single deal; a match is won or lost")
        return values

    def params(self, options: Mapping[str, Any]) -> np.ndarray:
        values = dict(options)
        values["match"] = -(-values["match"] // values["points"])
        for name in ("payoff", "dealer", "specials", "five_shi"):
            values[name] = next(o for o in self.options if o.name == name).choices.index(values[name])
        return np.array([int(values[name]) for name in R.PARAMS], np.int64)

    def observation_range(self, game: Game) -> tuple[np.ndarray, np.ndarray]:
        high = np.full(game.observation_shape[0], 7, np.int8)
        high[:3] = 15
        high[3:5] = 127
        return np.zeros_like(high), high

    # ---- names ----

    def action_text(self, game: Game, action: int) -> str:
        if action == R.PASS:
            return "p"
        if action <= R.PLAYS:
            return f"{(action - 1) // 8 + 1}{(action - 1) % 8 + 1}"
        if action in WORDS:
            return WORDS[action]
        if action >= R.OWN_HAND:
            return f"hand:{hand_text(action - R.OWN_HAND)}"
        if action >= R.DEALER:
            return f"dealer:{action - R.DEALER + 1}"
        if action >= R.DEALT:
            return "deal:" + "/".join(map(hand_text, hands_of_outcome(game, action)))
        if R.HIDDEN < action <= R.HIDDEN + R.KINDS:
            return f"x{action - R.HIDDEN}"
        if R.SHOWN <= action <= R.SHOWN + R.KINDS:
            return "x8!" if action == R.SHOWN else f"{action - R.SHOWN}8!"
        raise ValueError(f"{action} is no action of {game.spec}: 0 to {game.num_actions - 1}")

    def action_of(self, game: Game, text: str) -> int:
        """``14`` (lay or guard with kind 1, attack with kind 4), also in the signs of the cards; ``p``; or a word."""
        word = text.strip()
        action = ACTION_OF_WORD.get(word.lower())
        if action is not None:
            if action < game.num_actions:
                return action
            raise ValueError(f"{word}: special hands are off in {game.spec}")
        if word.lower() in ("p", "pass", "パス"):
            return R.PASS
        if word.startswith("dealer:") and word[7:] in "1234" and len(word) == 8:
            return R.DEALER + int(word[7:]) - 1
        if word.startswith("deal:"):
            return deal_outcome(read_hands(game, word[5:].split("/")))
        kinds = [kind_of(sign, game.options["cards"]) for sign in word]
        if len(kinds) != 2 or 0 in kinds:
            raise ValueError(
                f"cannot read {text!r}: a play is the card laid or guarding and the attack, such as 14, and p is a pass"
            )
        return 8 * (kinds[0] - 1) + kinds[1]

    def fault_text(self, state: State, action: int, code: int) -> str:
        text = super().fault_text(state, action, code)
        if code == R.NO_GUARD:
            text += f"; the attack is {self.sign(state.game, int(state.record['attack'][0]))}"
        return text

    def sign(self, game: Game, kind: int) -> str:
        """How a card is shown: the kind (9 the second king) by the option `cards`."""
        return DECKS[game.options["cards"]][kind - 1]

    def result_text(self, game: Game, code: int) -> str:
        if code & R.LIMIT:
            return "limit of deals reached"
        scale = game.options["points"]
        first, second = (code >> 8 & 255) * scale, (code >> 16 & 255) * scale
        why = next(words for bit, words in REASONS.items() if code & bit)
        why += " with a pair" if code & R.DOUBLED else ""
        if game.options["match"]:
            return f"{why}, match won {max(first, second)} to {min(first, second)}"
        return f"{why}: {first + second} point{'s' if first + second > 1 else ''}"

    def scene(self, state: State) -> Table:
        """The table as the seat of a view sees it; of a state itself, with all cards."""
        return table_of(state, lambda kind: self.sign(state.game, kind))

    def news(self, before: State, after: State) -> str | None:
        """That a deal of a match ended, and the score."""
        scale, scores = after.game.options["points"], [int(x) for x in after.record["scores"][0]]
        if after.is_over or scores == before.record["scores"][0].tolist():
            return None
        pairs = (" & ".join(after.game.players[seat] for seat in team) for team in after.game.teams)
        return "The deal is over. " + ", ".join(f"{pair}: {score * scale}" for pair, score in zip(pairs, scores))

    # ---- positions ----

    def to_text(self, state: State) -> str:
        """Scores, dealer, hands as dealt, plies; what the seat of a view may not know is an ``x``."""
        s, scale = state.record[0], state.game.options["points"]
        dealer = "-" if s["phase"] == R.FIRST_DEALER else f"s{s['dealer'] + 1}"
        hands, before = "-", s["scores"]
        if s["start_hand"][0]:
            hands = ",".join(known_hand(state, seat) for seat in range(state.game.num_players))
            before = s["scores_before"]
        plies = ",".join(f"{seat + 1}{self.action_text(state.game, a)}" for seat, a in seen_plies(state))
        return f"{before[0] * scale}-{before[1] * scale} {dealer} {hands} {plies or '-'}"

    def from_text(self, game: Game, text: str) -> State:
        fields = text.split()
        if len(fields) != 4:
            raise ValueError(f"{FACTS}; not {len(fields)} fields")
        scores, dealer, hands, plies = fields
        match = re.fullmatch(r"(\d+)-(\d+)", scores)
        if match is None:
            raise ValueError(f"scores {scores!r}: two numbers, such as 0-0")
        if dealer != "-" and re.fullmatch(rf"s[1-{game.num_players}]", dealer) is None:
            raise ValueError(f"dealer {dealer!r}: s1 to s{game.num_players}, or - before the first deal")
        return self._lay(
            game,
            (int(match[1]), int(match[2])),
            None if dealer == "-" else int(dealer[1:]) - 1,
            None if hands == "-" else hands.split(","),
            [] if plies == "-" else plies.split(","),
        )

    def position(
        self,
        game: Game,
        hands: str | Sequence[str] | None = None,
        dealer: int | None = None,
        plies: str | Iterable[str] = (),
        scores: tuple[int, int] = (0, 0),
        **unknown: Any,
    ) -> State:
        """The hands as dealt (a text or one a seat), the dealer's seat from 0, what was played since, the score before.

        Plies are as in the notation of games: the player's number, from 1, and ``p`` or two cards, such as ``114`` and
        ``2p``; the number may be left out.
        """
        if unknown:
            raise TypeError(f"position takes hands, dealer, plies, scores; not {', '.join(unknown)}")
        if isinstance(hands, str):
            hands = hands.replace(",", " ").split()
        if isinstance(plies, str):
            plies = plies.replace(",", " ").split()
        return self._lay(game, scores, dealer if hands is None else dealer or 0, hands, plies)

    def _lay(
        self, game: Game, scores: tuple[int, int], dealer: int | None, hands: Sequence[str] | None, plies: Iterable[str]
    ) -> State:
        """Set up a position: the score and the dealer, then the deal and its plies played by the law."""
        scale, most = game.options["points"], game.options["match"]
        if any(x % scale or not 0 <= x <= max(most - 1, 0) for x in scores):
            unit = "whole points" if scale == 1 else f"multiples of {scale}"
            wanted = f"{unit} below {most}" if most else "0-0 in a game of a single deal"
            raise ValueError(f"scores {scores[0]}-{scores[1]}: {wanted}")
        if dealer is not None and not 0 <= dealer < game.num_players:
            raise ValueError(f"dealer: seats are 0 to {game.num_players - 1}, not {dealer}")
        if hands is not None and dealer is None:
            raise ValueError("hands without a dealer: name the seat that dealt")
        if hands is None and list(plies):
            raise ValueError("plies without hands: nothing can be played before the deal")
        state = game.start(chance="manual")
        _set_up(state.record, 0, scores[0] // scale, scores[1] // scale, -1 if dealer is None else dealer)
        if hands is not None:
            state.play(deal_outcome(read_hands(game, hands)))
            for number, ply in enumerate(plies):
                seat, word = _read_ply(ply)
                if seat is not None and seat != state.to_play:
                    raise ValueError(f"ply {number + 1}, {ply!r}: player {state.to_play + 1} is to play")
                try:
                    state.play(word)
                except ValueError as error:
                    raise ValueError(f"ply {number + 1}, {ply!r}: {error}") from None
        state.rebase()
        state.chance = "auto"  # a deal that is due is left to `State.settle`, so that the text is this very position
        return state


# ---- cards and hands ----


def kind_of(sign: str, cards: str = "atigo") -> int:
    """The kind (1 to 8) of a card's digit or sign, 0 if it is none; the signs of `DECKS` differ, so a deck's own come first.

    >>> kind_of("4"), kind_of("銀"), kind_of("司"), kind_of("玉"), kind_of("?")
    (4, 4, 4, 8, 0)
    """
    if sign in "123456789" and sign:
        return min(int(sign), 8)
    for signs in (DECKS[cards], *DECKS.values()):
        if sign.upper() in signs:
            return min(signs.index(sign.upper()) + 1, 8)
    return 0


def hand_text(hand: int) -> str:
    """A hand (four bits a kind) as sorted digits; both kings are 8."""
    return "".join(str(kind) * (hand >> 4 * (kind - 1) & 15) for kind in range(1, 9))


def hides(state: State, seat: int) -> bool:
    """Is the seat's hand hidden from the one whose view the state shows?"""
    return state.seat not in (None, seat) and not state.record["opened"][0] >> seat & 1


def known_hand(state: State, seat: int) -> str:
    """The hand that was dealt to a seat, an ``x`` for each card that the view's seat may not know."""
    s = state.record[0]
    if not hides(state, seat):
        return hand_text(int(s["start_hand"][seat]))
    known = []
    for j in range(int(s["played"][seat])):
        known.append(int(s["second"][seat, j]))
        if s["lies"][seat, j] != R.FACE_DOWN:
            known.append(int(s["first"][seat, j]))
    return "".join(map(str, sorted(known))).ljust(state.game.options["hand"], "x")


def seen_plies(state: State) -> Iterator[tuple[int, int]]:
    """`plies_of` the state, a card laid face down that the view's seat may not know being hidden."""
    plays = [0] * state.game.num_players
    for seat, action in plies_of(state):
        if R.PASS < action <= R.PLAYS:
            down = state.record["lies"][0, seat, plays[seat]] == R.FACE_DOWN
            plays[seat] += 1
            if down and hides(state, seat):
                action = _unseen_lay(state, seat, plays[seat], (action - 1) % 8 + 1)
        if not (action == R.SILENT and hides(state, seat)):
            yield seat, action


def _unseen_lay(state: State, seat: int, play: int, attack: int) -> int:
    """What others saw of a play whose first card lies face down: the attack, and whether the other king was shown."""
    s = state.record[0]
    shown = attack == R.KING and int(s["start_hand"][seat]) >> 28 == 2 and s["king_place"] == R.KEPT
    return R.SHOWN if shown and s["king_seat"] == seat and s["king_play"] == play else R.HIDDEN + attack


def read_hands(game: Game, texts: Sequence[str]) -> list[int]:
    """Hands as words from texts in any order of cards; `ValueError` says which is wrong."""
    if len(texts) != game.num_players:
        raise ValueError(f"{len(texts)} hands for {game.num_players} players")
    words = []
    for number, text in enumerate(texts, 1):
        if "x" in text:
            raise ValueError(f"hand {number}, {text!r}: an x is a hidden card, and a position needs all of them")
        kinds = [kind_of(sign, game.options["cards"]) for sign in text]
        if 0 in kinds or len(kinds) != game.options["hand"]:
            raise ValueError(f"hand {number}, {text!r}: {game.options['hand']} cards, as digits 1 to 9 or signs")
        words.append(sum(1 << 4 * (kind - 1) for kind in kinds))
    for kind, name in enumerate(COUNTS, 1):
        found = sum(word >> 4 * (kind - 1) & 15 for word in words)
        if found != game.options[name]:
            raise ValueError(f"the hands hold {found} of kind {kind} ({name}), the deck has {game.options[name]}")
    return words


def deal_outcome(hands: Sequence[int]) -> int:
    """The outcome of chance that deals these hands (words, by seat)."""
    code = 0
    for seat, hand in enumerate(hands[:-1]):
        bits, at = 0, 0
        for kind, width in enumerate(BITS):
            bits |= (hand >> 4 * kind & 15) << at
            at += width
        code |= bits << R.SEAT_BITS * seat
    return R.DEALT | code


def hands_of_outcome(game: Game, outcome: int) -> list[int]:
    """The hands (words, by seat) that an outcome of chance deals."""
    rest = sum(game.options[name] << 4 * kind for kind, name in enumerate(COUNTS))
    hands = []
    for seat in range(game.num_players - 1):
        bits, hand, at = outcome >> R.SEAT_BITS * seat, 0, 0
        for kind, width in enumerate(BITS):
            hand |= (bits >> at & (1 << width) - 1) << 4 * kind
            at += width
        hand |= (game.options["hand"] - sum(hand >> 4 * k & 15 for k in range(7))) << 28
        hands.append(hand)
    return [*hands, rest - sum(hands)]


def _read_ply(text: str) -> tuple[int | None, str]:
    """(seat or None, the move's text) of a ply such as ``114``, ``2p``, ``3announce``, ``14``."""
    word = text.strip()
    if word[:1] in "1234" and (len(word) == 3 or not word[1:2].isdigit()) and len(word) > 1:
        if len(word) == 3 or word[1:].isascii():
            return int(word[0]) - 1, word[1:]
    return None, word


def plies_of(state: State) -> Iterator[tuple[int, int]]:
    """(seat, action) of all that was said and played in the deal on the table."""
    s, n = state.record[0], state.game.num_players
    dealer = int(s["dealer"])
    order = [(dealer + i) % n for i in range(n)]
    holders = iter([seat for seat in order if int(s["start_hand"][seat]) & 15 >= 5])
    seat = turn = dealer
    for a in s["log"][int(s["deal_at"]) + 1 : int(s["log_length"])]:
        action = int(a)
        if action <= R.PLAYS:
            yield turn, action
            turn = (turn + 1) % n
        elif action in (R.SILENT, R.SAY_FIVE):
            seat = next(holders)
            yield seat, action
            seat = (seat + 2) % n if action == R.SAY_FIVE else seat
        elif s["announced"] and action in (R.GO_ON, R.DECLARE):
            yield seat, action
        else:
            yield next(holders), action
