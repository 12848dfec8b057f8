"""How often Python's collector looks for circles while a text is worked on.

The easy rule to break: what the caller has set comes back, whatever happens.
"""

from __future__ import annotations

import contextlib
import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ALLOCATIONS = 50_000  # between two collections; Python's own is 700, and costs a fifth of the time


@contextlib.contextmanager
def few_collections() -> Iterator[None]:
    """Nearly all that is made of a text lives until its end, so there is little to collect before."""
    saved = gc.get_threshold()
    gc.set_threshold(max(saved[0], ALLOCATIONS) if saved[0] else 0, *saved[1:])
    try:
        yield
    finally:
        gc.set_threshold(*saved)
