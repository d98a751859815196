"""The symmetries of a game, applied to observations, masks and policies: one routine for numpy and torch."""

from __future__ import annotations

from typing import Any

import numpy as np

from narabe.agents.layouts import layout_of
from narabe.envs.game import Game


class Symmetries:
    """What symmetry ``k`` of a game (0 the identity, up to ``count - 1``) makes of planes and of arrays by action.

    The law that holds: if a game is played on with every action mapped by ``game.symmetry(action, k)``, what is observed is
    ``planes(observation, k)``, and what is legal is ``by_action(mask, k)``. Arrays are numpy's or torch's (of any device);
    ``k`` is an int64 array with one number a row; results are new arrays of the same kind and dtype. ``inverse[k]`` undoes
    symmetry ``k``. Games whose actions
    lie in no order known to us (`layouts`) have ``count`` 1, the identity.

    >>> from narabe.envs import game
    >>> symmetries = Symmetries(game("gomoku", width=3, height=3, row=3))
    >>> symmetries.count, symmetries.by_action(np.arange(9)[None], np.array([1])).tolist()
    (8, [[2, 1, 0, 5, 4, 3, 8, 7, 6]])
    """

    def __init__(self, game: Game) -> None:
        layout = layout_of(game)
        _, h, w = game.observation_shape
        self.count = 1 if layout.kind == "dense" else game.num_symmetries
        self._sliding = layout.anchor >= 0
        self._pieces, self._reach = game.num_players, game.options.get("reach", 0)  # of a sliding floor
        images = np.array([[game.symmetry(a, k) for a in range(game.num_actions)] for k in range(self.count)])
        if layout.kind == "columns":
            cells = (np.arange(h)[:, None] * w + images[:, None, :w]).reshape(self.count, h * w)
        elif layout.kind == "cells":
            cells = images[:, : h * w]
        else:
            cells = np.arange(h * w)[None]
        # inverse permutations: what lies at a place came from there
        self._actions, self._cells = np.argsort(images, axis=1), np.argsort(cells, axis=1)
        numbers = {image.tobytes(): k for k, image in enumerate(images)}
        self.inverse = np.array([numbers[back.tobytes()] for back in self._actions])

    def planes(self, x: Any, k: Any) -> Any:
        """Observations (n, planes, height, width) mapped by symmetries ``k`` (n,)."""
        n, planes = x.shape[:2]
        out = _take(x.reshape(n, planes, -1), self._cells, k).reshape(x.shape)
        return self._recentred(out, x, k) if self._sliding else out

    def cells(self, x: Any, k: Any) -> Any:
        """The same of one value a cell, (n, height, width), such as ownership on a board whose window does not slide."""
        return _take(x.reshape(len(x), 1, -1), self._cells, k).reshape(x.shape)

    def by_action(self, x: Any, k: Any) -> Any:
        """Masks, policies or visits (n, actions) mapped by symmetries ``k`` (n,)."""
        return _take(x[:, None], self._actions, k)[:, 0]

    def _recentred(self, out: Any, x: Any, k: Any) -> Any:
        """A mirrored window lies one column further to the right where the blocks span an even number of columns."""
        filled = (x[:, : self._pieces] != 0).any(1).any(1)  # (n, width)
        ramp = np.arange(1, x.shape[-1] + 1)
        last, first = _max(filled * _like(ramp, x)), x.shape[-1] + 1 - _max(filled * _like(ramp[::-1].copy(), x))
        moved = ((last - first) & 1 & _like(k, x) & 1) > 0
        mirrored, n = out[moved], self._pieces
        right = mirrored + 0
        right[..., 1:] = mirrored[..., :-1]
        right[:, : n + 3, :, 0] = 0  # planes of single cells and of the anchor; the column of the others is all alike
        right[:, n + 1, 0, 0] = self._beside(x[moved], last[moved])
        out[moved] = right
        return out

    def _beside(self, x: Any, last: Any) -> Any:
        """May a block be laid in the column just to the right of the window? ``last``: the last filled one, from 1."""
        n, width = self._pieces, x.shape[-1]
        on_move = (x[:, n + 1] != 0).any(1).any(1)
        shift = x[:, n + 2, 0].argmax(1) - width // 2
        return (on_move & (last + self._reach > width) & (shift > 0)) * _like(np.ones(1, np.int8), x)


def _like(values: Any, x: Any) -> Any:
    """``values`` as an array of the kind of ``x``, on its device."""
    if isinstance(x, np.ndarray):
        return np.asarray(values)
    import torch

    return torch.as_tensor(values, device=x.device)


def _max(x: Any) -> Any:
    return x.max(1) if isinstance(x, np.ndarray) else x.amax(1)


def _take(x: Any, table: np.ndarray, k: Any) -> Any:
    """``out[i, j, m] = x[i, j, table[k[i], m]]``."""
    if isinstance(x, np.ndarray):
        return np.take_along_axis(x, table[np.asarray(k)][:, None], axis=2)
    import torch

    rows = torch.as_tensor(table, device=x.device)[torch.as_tensor(k, device=x.device)]
    return x.gather(2, rows[:, None].expand(*x.shape[:2], -1))
