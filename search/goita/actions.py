"""Plays as the law numbers them: 1 + 8 * (kind laid - 1) + (kind of the attack - 1)."""

from __future__ import annotations

from narabe.envs.rules.jit import kernel

ACTIONS = 65
"""PASS and all plays; the law's other actions are about special hands."""


@kernel
def action_of(laid, attack):
    return 8 * laid + attack - 8


@kernel
def laid_of(action):
    """The kind laid face down or guarded with."""
    return ((action - 1) >> 3) + 1


@kernel
def attack_of(action):
    return ((action - 1) & 7) + 1
