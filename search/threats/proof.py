"""A proof: a strategy of one seat that reaches its goal against every play, written out so that it can be replayed.

A strategy is a graph without cycles. A *node* stands for the prover's turn: it holds his move, and for every reply of the
other either a next node or the reason why the game needs no more of the strategy. One node may serve many positions, and
be reached in many ways. What a proof claims is only believed when `narabe.search.threats.check` has replayed it.
"""

from __future__ import annotations

import gzip
import json
import pathlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import narabe
from narabe.envs.game import Game, State
from narabe.envs.variants import entry

FORMAT = 1

WIN_NOW = -1
"""The prover then has a move that wins at once."""
DEAD = -2
"""The opponent can make no row any more, so the prover cannot lose. Goal hold, line games without captures."""
NONE = -3
"""No such reply is left: all are listed, or the prover's move ends the game."""
LIGHT = -4
"""The opponent's rows are too few and too empty to stop the prover from blocking them all (see `Proof`). As DEAD."""
PAIRED = -16
"""PAIRED - j: as LIGHT, with the help of the pairs of cells number j."""
REASONS = {"win_now": WIN_NOW, "dead": DEAD, "none": NONE, "light": LIGHT, "paired": PAIRED}
GOALS = ("win", "hold")
NO_MOVE = -1

_ARRAYS = {
    "move": np.int16,
    "first": np.int32,
    "reply": np.int16,
    "child": np.int32,
    "otherwise": np.int32,
    "pair_first": np.int32,
    "pair": np.int16,
}


@dataclass(frozen=True)
class Node:
    """One node while a proof is put together: the prover's move, the answers to listed replies, and to all others.

    Answers are numbers of nodes, or one of WIN_NOW, DEAD, NONE, LIGHT, PAIRED - j.
    """

    move: int
    replies: Mapping[int, int]
    otherwise: int = NONE


@dataclass(frozen=True, eq=False)
class Proof:
    """A strategy of ``seat`` (from 0) from ``position`` (text) on that wins, or with the goal "hold" does not lose.

    ======== ========= ==========================================================================================
    move     int16[n]  the prover's move at a node; -1 only at node 0, where the other is to move
    first    int32[n+1] the listed replies to it are ``reply[first[k]:first[k + 1]]``
    reply    int16[m]  a reply of the other; one that is not legal in a position does no harm
    child    int32[m]  the node that answers it, or a reason
    otherwise int32[n] the same for the replies that are not listed
    pair_first int32[q+1] pairs number j are ``pair[pair_first[j]:pair_first[j + 1]]``, two cells each
    pair     int16[2p] cells
    ======== ========= ==========================================================================================

    Node 0 is the root. The *reasons* are WIN_NOW, DEAD, NONE, LIGHT, and PAIRED - j for the pairs number j. LIGHT is the
    theorem of Erdős and Selfridge ("On a combinatorial game", 1973): with the blocker to move, he can block all rows if
    the sum of 2**-(stones that a row still lacks), over the stretches of cells in which he has no stone yet, is below 1.
    With pairs, he takes the second cell of a pair when the other takes the first: rows that hold a pair are blocked, and
    in the rest the paired cells count as the other's. Both are for the goal hold in line games without captures.

    ``how`` tells what found it, such as "vcf". Raises `ValueError` for arrays that are no graph of this form.

    >>> from narabe import envs
    >>> state = envs.game("freestyle", size=4, row=3).start()
    >>> proof = Proof.of(state, 0, "win", [Node(5, {4: 1, 6: 1}, 2), Node(9, {}, WIN_NOW), Node(6, {}, WIN_NOW)])
    >>> len(proof), proof.answer(0, 4), proof.answer(0, 0), proof.claim()
    (3, 1, 2, 'Black wins')
    >>> Proof.from_json(proof.to_json()).answer(0, 4)
    1
    """

    game: Game
    position: str
    seat: int
    goal: str
    move: np.ndarray
    first: np.ndarray
    reply: np.ndarray
    child: np.ndarray
    otherwise: np.ndarray
    how: str = ""
    pair_first: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int32))
    pair: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int16))

    def __post_init__(self) -> None:
        for name, dtype in _ARRAYS.items():
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype))
        _validate(self)

    @staticmethod
    def of(
        state: State,
        seat: int,
        goal: str,
        nodes: Sequence[Node],
        how: str = "",
        pairs: Sequence[Sequence[int]] = (),
    ) -> Proof:
        """A proof from the position of ``state``, put together from nodes, the first of which is the root.

        ``pairs``: sets of pairs for the reasons PAIRED - j, each as an even number of cells.
        """
        counts = [len(node.replies) for node in nodes]
        return Proof(
            game=state.game,
            position=state.to_text(),
            seat=seat,
            goal=goal,
            move=np.array([node.move for node in nodes], np.int16),
            first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            reply=np.array([reply for node in nodes for reply in node.replies], np.int16),
            child=np.array([child for node in nodes for child in node.replies.values()], np.int32),
            otherwise=np.array([node.otherwise for node in nodes], np.int32),
            how=how,
            pair_first=np.cumsum([0, *map(len, pairs)]).astype(np.int32),
            pair=np.array([cell for cells in pairs for cell in cells], np.int16),
        )

    def __len__(self) -> int:
        """Nodes."""
        return len(self.move)

    def state(self) -> State:
        """The position at the root."""
        return self.game.from_text(self.position)

    def answer(self, node: int, reply: int) -> int:
        """What follows a reply: the next node, or a reason below 0."""
        low, high = self.first[node], self.first[node + 1]
        hits = np.flatnonzero(self.reply[low:high] == reply)
        return int(self.child[low + hits[0]]) if len(hits) else int(self.otherwise[node])

    def claim(self) -> str:
        """What is claimed, in words."""
        player = self.game.players[self.seat]
        return f"{player} wins" if self.goal == "win" else f"{player} does not lose"

    # ---- files ----

    def to_json(self) -> str:
        """A readable head, then the arrays, each on a line of its own."""
        head = {
            "narabe_proof": FORMAT,
            "claim": self.claim(),
            "game": self.game.spec,
            "options": self.game.options,
            "position": self.position,
            "seat": self.seat,
            "goal": self.goal,
            "how": self.how,
            "version": narabe.__version__,
            "nodes": len(self),
            "reasons": REASONS,
        }
        rows = [f'"{key}": {json.dumps(value)}' for key, value in head.items()]
        rows += [f'"{name}": {json.dumps(getattr(self, name).tolist(), separators=(",", ":"))}' for name in _ARRAYS]
        return "{" + ",\n ".join(rows) + "}\n"

    @staticmethod
    def from_json(text: str | bytes) -> Proof:
        """The proof that `to_json` wrote; `ValueError` says what is wrong with the text. It is not checked yet."""
        try:
            data = json.loads(text)
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ValueError(f"this is no proof of narabe: {error}") from None
        if not isinstance(data, dict) or "narabe_proof" not in data:
            raise ValueError("this is no proof of narabe: it has no field narabe_proof")
        if data["narabe_proof"] != FORMAT:
            raise ValueError(f"proof format {data['narabe_proof']!r} is not known (this version reads {FORMAT})")
        needed: dict[str, type] = {"game": str, "options": dict, "position": str, "seat": int, "goal": str, "how": str}
        for name, kind in needed.items():
            if not isinstance(data.get(name), kind):
                raise ValueError(f"field {name} of the proof is missing or of the wrong type")
        if data.get("reasons", REASONS) != REASONS:
            raise ValueError("field reasons of the proof: other reasons than this version knows")
        game = Game(data["game"].partition(":")[0], **data["options"])
        arrays = {name: _array(data, name, dtype) for name, dtype in _ARRAYS.items()}
        return Proof(game, data["position"], data["seat"], data["goal"], how=data["how"], **arrays)

    def save(self, path: str | pathlib.Path) -> None:
        """Write the JSON to a file, compressed if its name ends in ``.gz``."""
        path, data = pathlib.Path(path), self.to_json().encode()
        path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)

    @staticmethod
    def load(path: str | pathlib.Path) -> Proof:
        """The proof of a file that `save` wrote; `ValueError` or `OSError` if there is none."""
        path = pathlib.Path(path)
        data = path.read_bytes()
        try:
            return Proof.from_json(gzip.decompress(data) if path.suffix == ".gz" else data)
        except (gzip.BadGzipFile, EOFError) as error:
            raise ValueError(f"{path} cannot be unpacked: {error}") from None


def _array(data: Mapping[str, Any], name: str, dtype: type) -> np.ndarray:
    values = data.get(name)
    bounds = np.iinfo(dtype)
    if not isinstance(values, list) or not all(type(v) is int and bounds.min <= v <= bounds.max for v in values):
        raise ValueError(f"field {name} of the proof is no list of whole numbers that fit")
    return np.array(values, dtype)


def _validate(proof: Proof) -> None:
    """Do the arrays fit each other and the game? Whether the strategy is any good is not asked."""
    n, m, actions = len(proof.move), len(proof.reply), proof.game.num_actions
    if proof.goal not in GOALS:
        raise ValueError(f"goal {proof.goal!r}: {' or '.join(GOALS)}")
    if not 0 <= proof.seat < proof.game.num_players:
        raise ValueError(f"seat {proof.seat}: 0 to {proof.game.num_players - 1}")
    if any(getattr(proof, name).ndim != 1 for name in _ARRAYS):
        raise ValueError("the arrays of a proof have one dimension")
    if n == 0 or len(proof.otherwise) != n or len(proof.first) != n + 1 or len(proof.child) != m:
        raise ValueError("a proof has at least one node, and arrays whose lengths fit each other")
    for first, last in ((proof.first, m), (proof.pair_first, len(proof.pair))):
        if len(first) == 0 or first[0] != 0 or first[-1] != last or (np.diff(first) < 0).any():
            raise ValueError(
                "first and pair_first must rise from 0 to the number of listed replies and of paired cells"
            )
    if (proof.move[1:] < 0).any() or proof.move[0] < NO_MOVE or (proof.move >= actions).any():
        raise ValueError(f"move must hold actions from 0 to {actions - 1}")
    if (proof.reply < 0).any() or (proof.reply >= actions).any():
        raise ValueError(f"reply must hold actions from 0 to {actions - 1}")
    if (proof.pair_first % 2).any() or (proof.pair < 0).any() or (proof.pair >= actions).any():
        raise ValueError(f"pair must hold cells from 0 to {actions - 1}, two for each pair")
    node_of = np.repeat(np.arange(n), np.diff(proof.first))
    if len(np.unique(node_of * actions + proof.reply)) != m:
        raise ValueError("a node lists a reply twice")
    for name in ("child", "otherwise"):
        values = getattr(proof, name)
        known = (values >= LIGHT) | (values <= PAIRED) & (values > PAIRED - len(proof.pair_first) + 1)
        if (values >= n).any() or not known.all():
            reasons = ", ".join(f"{name} ({code})" for name, code in REASONS.items())
            raise ValueError(f"{name} must hold nodes from 0 to {n - 1}, or one of {reasons}")


def is_line_game(game: Game) -> bool:
    """Is it played by the law of the line games?"""
    return entry(game.name).law.__name__ == "narabe.envs.rules.line"
