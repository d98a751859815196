"""A window that shows frames of pixels, with pygame; the only place that opens a display."""

from __future__ import annotations

from typing import Any

import numpy as np


class Window:
    """Opens with the first frame, and takes each frame's size.

    ``fps`` is how many frames a second `show` lets pass at most; it waits for the rest of the time.
    """

    def __init__(self, title: str, fps: float) -> None:
        try:
            import pygame
        except ImportError as error:
            raise ImportError("a window needs pygame: pip install narabe[render]") from error
        self._pygame: Any = pygame
        self.title, self.fps = title, fps
        self._surface: Any = None
        self._clock: Any = None

    def show(self, pixels: np.ndarray) -> None:
        """Show a frame: uint8 of shape (height, width, 3)."""
        pygame, size = self._pygame, (pixels.shape[1], pixels.shape[0])
        if self._surface is None:
            pygame.display.init()
            self._clock = pygame.time.Clock()
        if self._surface is None or self._surface.get_size() != size:
            self._surface = pygame.display.set_mode(size)
            pygame.display.set_caption(self.title)
        # pygame counts columns first
        pygame.surfarray.blit_array(self._surface, pixels.swapaxes(0, 1))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self.fps)

    def close(self) -> None:
        """Close the window; a closed window may be closed again."""
        if self._surface is not None:
            self._surface = None
            self._pygame.display.quit()
