"""The ids under which Gymnasium knows our games: ``narabe/Omok-v0`` and the like, and those of users' own games.

Entry points are strings, so that a spec can be pickled, and that neither environment is imported before one is made.
"""

from __future__ import annotations

from collections.abc import Iterable

import gymnasium

from narabe.envs.variants import Variant

SINGLE = "narabe.envs.single:GameEnv"
VECTOR = "narabe.envs.vector:GameVectorEnv"


def id_of(variant: Variant) -> str:
    """The full id of a variant; an ``env_id`` may bring a namespace and a version of its own.

    >>> id_of(Variant("omok", "Omok", "")), id_of(Variant("mine", "me/Mine-v3", ""))
    ('narabe/Omok-v0', 'me/Mine-v3')
    """
    name = variant.env_id if "/" in variant.env_id else f"narabe/{variant.env_id}"
    return name if name.rpartition("-v")[2].isdigit() else f"{name}-v0"


def check_ids(variants: Iterable[Variant]) -> None:
    """Raise `ValueError` if a variant's id is someone else's already."""
    for variant in variants:
        name = id_of(variant)
        known = gymnasium.registry.get(name)
        if known is not None and (known.entry_point != SINGLE or known.kwargs.get("game") != variant.name):
            raise ValueError(f"the id {name} is taken (by {known.entry_point}): give {variant.name} another env_id")


def register_ids(variants: Iterable[Variant]) -> None:
    """Make variants known to `gymnasium.make` and `gymnasium.make_vec`; `ValueError` if an id is someone else's.

    A worker process that is spawned, not forked, knows only our own games: there, import the package that registers
    yours first, as ``gymnasium.make("mypackage:narabe/Mine-v0")`` does.
    """
    rows = list(variants)
    check_ids(rows)
    for variant in rows:
        name = id_of(variant)
        gymnasium.registry.pop(name, None)
        gymnasium.register(name, entry_point=SINGLE, vector_entry_point=VECTOR, kwargs={"game": variant.name})
