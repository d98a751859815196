"""The record of Goita: its fields, its constants, and how actions and outcomes are numbered.

Kinds of cards are 1 to `KINDS`, in the order of the deck (both kings are one kind); a hand is a word with four bits a
kind. Seats count from 0 counter-clockwise; seat & 1 is the pair.
"""

from __future__ import annotations

import pathlib

import numpy as np

from narabe.envs.rules import random
from narabe.envs.rules.core import law_dtype

KINDS = 8
SHI, GON, KING = 1, 2, 8
POINTS = np.array([0, 1, 2, 2, 3, 3, 4, 4, 5], np.int64)  # by kind
SEATS = 4
MOST_PLAYS = 4  # of a seat in a deal of eight cards
WHOLE_MATCH = 15  # what five and five score in a game of one deal; payoffs are points / 15

# the order of `params`; the counts of the deck by kind come last
PARAMS = (
    "players", "hand", "match", "points", "payoff", "first_dealer", "dealer", "specials", "five_shi",
    "six_shi_pair_doubles", "king_attack_after_burying", "auto_redeal", "no_five_shi",
    "shi", "gon", "bakko", "gin", "kin", "kaku", "hisha", "ou",
)  # fmt: skip
AUTO, CHOICE, OFF = 0, 1, 2  # specials
HOLDER = 1  # five_shi: who decides on the redeal; 0: the partner

# phases
FIRST_DEALER, DEAL, ANNOUNCE, ANSWER, PLAY, ENDED = 0, 1, 2, 3, 4, 5

# actions: pass, then 1 + 8 * (card laid or guarding - 1) + (attack - 1), then words
PASS, PLAYS = 0, 64
SILENT, SAY_FIVE, GO_ON, REDEAL, DECLARE = 65, 66, 67, 68, 69
ACTIONS = 70

# what a seat sees of an action where that is not the action itself
UNSEEN = -1  # nothing at all
HIDDEN = 80  # plus the attack: a card was laid face down
SHOWN = (
    89  # a card was laid face down, attack by a king, and the other king was shown; plus a kind: guarded with that kind
)
OWN_HAND = 1 << 62  # plus the word of the hand that was dealt

# outcomes of chance
DEALT = 1 << 60  # plus twenty bits for each seat but the last
DEALER = 1 << 61  # plus the seat
SEAT_BITS = 20

# entries of the log that stand for chance
LOG_DEAL, LOG_DEALER = 100, 110
MAX_LOG, MAX_DEALS = 2048, 96
ROOM = 64  # entries of the log that a deal may take

# results (several may hold); the points of the pairs stand in bytes 1 and 2
OUT, SIX, SEVEN, EIGHT, FIVES, DOUBLED, MATCH, LIMIT = 1, 2, 4, 8, 16, 32, 64, 128
# faults
OVER, NO_ACTION, NOT_HELD, LEAD, NO_GUARD, KING_GUARD, KING_ATTACK, NOT_ASKED, ASKED, NO_OUTCOME = range(1, 11)

# where the second king is known to be: nowhere, with its owner since a play, or face down before it
NOWHERE, KEPT, BURIED = 0, 1, 2
FACE_UP, FACE_DOWN, OPENED = 0, 1, 2  # how the first card of a play lies; opened: face down, but known to all

_FIELDS = [
    ("base_key", np.uint64),  # of these rules
    ("public", np.uint64),  # hash of what all have seen of this deal
    ("private", np.uint64, (SEATS,)),  # hash of what only this seat knows: its hand, what it laid, that it kept silent
    ("hand", np.int64, (SEATS,)),
    ("start_hand", np.int64, (SEATS,)),
    ("deck", np.int64),  # a word, as a hand
    ("phase", np.int32),
    ("turn", np.int32),  # seat
    ("attack", np.int32),  # kind of the standing attack, 0: the turn leads
    ("attacker", np.int32),
    ("kings_up", np.int32),  # kings that lie face up
    ("ply", np.int32),  # plays and passes of this deal
    ("plays", np.int32),
    ("players", np.int32),
    ("hand_size", np.int32),
    ("after_burying", np.int32),
    ("king_place", np.int32),  # NOWHERE, KEPT or BURIED, of king_seat, from or before play number king_play
    ("king_seat", np.int32),
    ("king_play", np.int32),
    ("asked", np.int32),  # bits of seats that were asked about their 市民
    ("announced", np.int32),  # bits of seats that announced five
    ("opened", np.int32),  # bits of seats that showed their whole hand
    ("holder", np.int32),  # who announced last
    ("dealer", np.int32),
    ("next_dealer", np.int32),
    ("result", np.int32),
    ("winner", np.int32),  # pair + 1, 0 none
    ("specials", np.int32),
    ("five_shi", np.int32),
    ("six_pair", np.int32),
    ("auto_redeal", np.int32),
    ("no_five", np.int32),
    ("winner_deals", np.int32),
    ("match", np.int32),  # points that win it; 0: one deal
    ("scale", np.int32),
    ("by_win", np.int32),
    ("first", np.int8, (SEATS, MOST_PLAYS)),  # kinds of the cards laid or guarding, by seat and number of the play
    ("second", np.int8, (SEATS, MOST_PLAYS)),  # kinds of the attacks
    ("lies", np.int8, (SEATS, MOST_PLAYS)),  # FACE_UP, FACE_DOWN or OPENED, of the first card
    ("played", np.int8, (SEATS,)),  # plays of a seat
    ("order", np.int8, (SEATS * MOST_PLAYS,)),  # seats of the plays
    ("scores", np.int32, (2,)),
    ("scores_before", np.int32, (2,)),  # before this deal
    ("base_scores", np.int32, (2,)),  # at the start of the log
    ("base_dealer", np.int32),
    ("base_phase", np.int32),
    ("deal_at", np.int32),  # entry of the log with this deal
    ("log_length", np.int32),
    ("deals", np.int32),
    ("deal", np.int64, (MAX_DEALS,)),  # outcomes, for the entries LOG_DEAL
    ("log", np.int8, (MAX_LOG,)),
]
SOURCES = sorted(str(f) for f in pathlib.Path(__file__).parent.glob("*.py")) + [random.__file__]
STATE = law_dtype("goita", SOURCES, _FIELDS)
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
