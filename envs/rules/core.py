"""The names that every law shares, resolved by the record type of the state.

In compiled code the type of ``s`` picks the law at compile time, so a search written once against these names costs
nothing over one written for a single game. In plain Python (``NUMBA_DISABLE_JIT=1``, a debugger) the first field
of the record names the law.

A law is a module with a dtype ``STATE`` made by `law_dtype` and the functions of `REQUIRED` (see ``docs/design.md`` for
what each means); those of `OPTIONAL` may be missing. `register` makes a law known.
"""

from __future__ import annotations

import pathlib
from types import ModuleType
from typing import Any, ClassVar

import numba
import numpy as np
from numba.core import config, types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import overload

from narabe.envs.rules.jit import digest

CHANCE = 0
NEVER = 99  # what `pairs_due` gives where pairs are not taken
UNSEEN = -1  # what `seen_action` gives to a seat that does not even notice that an action was played

REQUIRED = (
    "init", "num_players", "num_actions", "observation_shape", "to_move", "is_over", "result", "payoff", "apply",
    "undo", "num_candidates", "candidate_at", "is_legal", "legal_mask", "fault", "observe", "key",
)  # fmt: skip
OPTIONAL = (
    "key_from_scratch", "num_symmetries", "symmetry", "canonical_key", "chance_draw", "chance_weight", "seen_action",
    "info_key", "redeal", "mask_init", "mask_update", "mask_write", "urgency", "may_win", "alike", "score",
    "truncated", "team", "advise", "plausibility", "captured", "calm_plies", "hand_over",
    "pairs_due",
)  # fmt: skip

_LAWS: dict[str, ModuleType] = {}  # name of the record's first field -> law


class LawError(TypeError):
    """A law that cannot be registered, or that lacks a function some search needs."""


def law_dtype(name: str, sources: str | list[str], fields: list[tuple[Any, ...]]) -> np.dtype:
    """The dtype of a law's record: ``fields`` behind a first field whose name carries a hash of the law's source files.

    An edited law thereby gets another record type, and no cached kernel of the old one can be found by mistake.
    ``sources``: the law's ``__file__``, or a list that also names the files whose functions or tables it uses.
    """
    files = [pathlib.Path(f) for f in ([sources] if isinstance(sources, str) else sources)]
    return np.dtype([(f"{name}_{digest(files)}", np.uint8), *fields], align=True)


def register_law(law: Any) -> Any:
    """Make a law's functions available under the shared names; returns the law.

    Raises `LawError` when a required function is missing, or when the record equals or extends another law's record
    (numba would take one for the other).
    """
    missing = [name for name in ("STATE", *REQUIRED) if not hasattr(law, name)]
    if missing:
        raise LawError(f"law {_title(law)} lacks {', '.join(missing)}: see docs/design.md for what each one does")
    if not hasattr(law, "redeal") and (hasattr(law, "seen_action") or hasattr(law, "info_key")):
        raise LawError(f"law {_title(law)} hides something but has no redeal: a view would show the truth")
    first = law.STATE.names[0]
    for name, other in _LAWS.items():
        if other is not law and (name == first or _prefix(law.STATE, other.STATE)):
            raise LawError(
                f"the record of law {_title(law)} equals or extends that of {_title(other)}: start it with a field of "
                "its own, best by core.law_dtype(name, __file__, fields)"
            )
    _LAWS[first] = law
    return law


def _title(law: Any) -> str:
    return str(getattr(law, "__name__", law))


def _prefix(a: np.dtype, b: np.dtype) -> bool:
    """Do the shorter record's fields open the longer one (same names, types, offsets)?"""
    pairs = list(zip(a.names or (), b.names or ()))
    return all(m == n and a.fields[m] == b.fields[n] for m, n in pairs)  # type: ignore[index]


def law_of(dtype: np.dtype) -> Any:
    """The registered law of a record dtype; `LawError` if there is none."""
    try:
        return _LAWS[dtype.names[0]]  # type: ignore[index]
    except (KeyError, TypeError):
        raise LawError(
            f"no law is registered for records of type {dtype}: call register(law, variants) first"
        ) from None


def require(law: Any, *names: str) -> None:
    """Raise a one-line `LawError` if the law lacks one of the optional functions ``names``."""
    missing = [name for name in names if not hasattr(law, name)]
    if missing:
        raise LawError(f"law {_title(law)} has no {', '.join(missing)}, which this needs")


def plain(function: Any) -> Any:
    """The uncompiled form of a law's function, for what runs once."""
    return getattr(function, "py_func", function)


def hides(law: Any) -> bool:
    """Do records hold what a player may not know even after `redeal`, so that a search must go by information sets?

    A law that draws nothing before it shows, or whose `redeal` takes back all that was drawn, says so by ``UNDRAWN = True``.
    """
    return hasattr(law, "redeal") and not getattr(law, "UNDRAWN", False)


def new_states(law: Any, n: int) -> np.ndarray:
    """``n`` zeroed records of the law (without JIT as a recarray, so that plain Python can read fields by name)."""
    states = np.zeros(n, law.STATE)
    return states.view(np.recarray) if config.DISABLE_JIT else states


def new_masks(law: Any, n: int) -> np.ndarray:
    """``n`` zeroed side records for incremental masks; a dummy of one byte where the law keeps none."""
    masks = np.zeros(n, getattr(law, "MASK", _NO_MASK))
    return masks.view(np.recarray) if config.DISABLE_JIT else masks


def new_pads(law: Any, n: int) -> np.ndarray:
    """``n`` scratch records for `advise`; dummies of one byte where the law gives no advice."""
    if hasattr(law, "new_pads"):
        return law.new_pads(n)
    pads = np.zeros(n, _NO_PAD)
    return pads.view(np.recarray) if config.DISABLE_JIT else pads


_NO_MASK = np.dtype([("narabe_no_mask", np.uint8)])
_NO_PAD = np.dtype([("narabe_no_pad", np.uint8)])


def differences(a: np.ndarray, b: np.ndarray) -> list[str]:
    """Names of the fields in which two records (arrays of one) differ; padding bytes do not count."""
    return [name for name in a.dtype.names or () if not np.array_equal(a[name], b[name])]


# ---- the shared names -------------------------------------------------------------------------------------------------


# fmt: off
def init(s, params): return _law(s).init(s, params)
def num_players(s): return _law(s).num_players(s)
def num_actions(s): return _law(s).num_actions(s)
def observation_shape(s): return _law(s).observation_shape(s)
def to_move(s): return _law(s).to_move(s)
def is_over(s): return _law(s).is_over(s)
def result(s): return _law(s).result(s)
def payoff(s, player): return _law(s).payoff(s, player)
def apply(s, a): return _law(s).apply(s, a)
def undo(s): return _law(s).undo(s)
def num_candidates(s): return _law(s).num_candidates(s)
def candidate_at(s, i): return _law(s).candidate_at(s, i)
def is_legal(s, a): return _law(s).is_legal(s, a)
def legal_mask(s, out): return _law(s).legal_mask(s, out)
def fault(s, a): return _law(s).fault(s, a)
def observe(s, player, out): return _law(s).observe(s, player, out)
def key(s): return _law(s).key(s)
def key_from_scratch(s): return _law(s).key_from_scratch(s)
def num_symmetries(s): return _optional(s, "num_symmetries")(s)
def symmetry(s, a, k): return _optional(s, "symmetry")(s, a, k)
def canonical_key(s): return _optional(s, "canonical_key")(s)
def chance_draw(s, rng): return _optional(s, "chance_draw")(s, rng)
def chance_weight(s, i): return _optional(s, "chance_weight")(s, i)
def seen_action(s, a, player): return _optional(s, "seen_action")(s, a, player)
def info_key(s, player): return _optional(s, "info_key")(s, player)
def redeal(s, player, rng): return _optional(s, "redeal")(s, player, rng)
def mask_init(s, m): return _optional(s, "mask_init")(s, m)
def mask_update(s, m): return _optional(s, "mask_update")(s, m)
def mask_write(s, m, out): return _optional(s, "mask_write")(s, m, out)
def urgency(s, a): return _optional(s, "urgency")(s, a)
def may_win(s): return _optional(s, "may_win")(s)
def alike(s, a): return _optional(s, "alike")(s, a)
def truncated(s): return _optional(s, "truncated")(s)
def score(s, player): return _optional(s, "score")(s, player)
def team(s, player): return _optional(s, "team")(s, player)
def advise(s, pad): return _optional(s, "advise")(s, pad)
def plausibility(s, t, player, pad, sharpness): return _optional(s, "plausibility")(s, t, player, pad, sharpness)
def captured(s): return _optional(s, "captured")(s)
def calm_plies(s): return _optional(s, "calm_plies")(s)
def hand_over(s): return _optional(s, "hand_over")(s)
def pairs_due(s, player): return _optional(s, "pairs_due")(s, player)
# fmt: on


def has(s, name):
    """Does the law of ``s`` have the optional function ``name`` (a literal)? Decided when a kernel is compiled."""
    return hasattr(_law(s), name)


# What a game without the optional function does: no symmetry but the identity, nothing hidden, masks from scratch.
_DEFAULTS = {
    "num_symmetries": lambda s: 1,
    "symmetry": lambda s, a, k: a,
    "canonical_key": lambda s: (key(s), 0),
    "chance_draw": lambda s, rng: -1,
    "chance_weight": lambda s, i: 0.0,
    "seen_action": lambda s, a, player: a,
    "info_key": lambda s, player: key(s),
    "redeal": lambda s, player, rng: None,
    "mask_init": lambda s, m: None,
    "mask_update": lambda s, m: None,
    "mask_write": lambda s, m, out: legal_mask(s, out),
    "urgency": lambda s, a: 0.0,
    "may_win": lambda s: True,
    "alike": lambda s, a: 0,
    "truncated": lambda s: False,
    "score": lambda s, player: payoff(s, player),
    "team": lambda s, player: player,
    "advise": lambda s, pad: -1,
    "plausibility": lambda s, t, player, pad, sharpness: 0.0,
    "captured": lambda s: 0,
    "calm_plies": lambda s: 1 << 30,
    "pairs_due": lambda s, player: NEVER,
}


def _law(s: Any) -> Any:
    return _LAWS[s.dtype.names[0]]


def _optional(s: Any, name: str) -> Any:
    return getattr(_law(s), name, _DEFAULTS.get(name))


def _typed_law(s: Any) -> Any:
    """The law of a record *type*, or None (numba then reports that it knows no such function for these arguments)."""
    if not isinstance(s, types.Record):
        return None
    return _LAWS.get(min(s.fields, key=lambda name: s.offset(name)))


def _implementation(s: Any, name: str) -> Any:
    law = _typed_law(s)
    if law is None:
        return None
    function = getattr(law, name, _DEFAULTS.get(name))
    if function is None:
        raise TypingError(f"law {_title(law)} has no {name}, which this needs")
    return function if hasattr(function, "py_func") else _compiled_default(name, function)


_compiled: dict[str, Any] = {}


def _compiled_default(name: str, function: Any) -> Any:
    if name not in _compiled:
        _compiled[name] = numba.njit(nogil=True)(function)
    return _compiled[name]


def _tie(shared: Any) -> None:
    """Let a call of a shared name, in compiled code, be a call of the law's own function.

    `numba.extending.overload` would do as well, but compiles a wrapper around each function for each law (and again
    whatever optimising the two together takes): a tenth of the time from an empty cache to a first search.
    """

    class OfTheLaw(AbstractTemplate):
        key = shared
        chosen: ClassVar[dict[Any, Any]] = {}  # argument types -> the law's compiled function

        def generic(self, args: Any, kws: Any) -> Any:
            function = _implementation(args[0], shared.__name__) if args else None
            if function is None:
                return None
            dispatcher = types.Dispatcher(function)
            signature = dispatcher.get_call_type(self.context, args, kws)
            if signature is not None:
                self.chosen[signature.args] = dispatcher.get_overload(signature)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return self.chosen[signature.args]

    infer_global(shared, types.Function(OfTheLaw))


for _name in (*REQUIRED, *OPTIONAL):
    _tie(globals()[_name])


@overload(has)
def _has(s, name):
    law = _typed_law(s)
    if law is None or not isinstance(name, types.StringLiteral):
        return None
    answer = hasattr(law, name.literal_value)
    return lambda s, name: answer
