"""What the configuration of a repository may name: what is in the repository.

Invariant: links are resolved first. Whoever sends a pull request may change a configuration, so what it names is only
what the templates of the repository may read anyway.
"""

from __future__ import annotations

import os

from transpile.text.source import REPOSITORY, find_repository


def repository_around(directory: str) -> str:
    """What a configuration in a directory may name: the repository around it, else the directory."""
    return find_repository(directory) or os.path.realpath(directory)


def outside_message(path: str, place: str) -> str:
    """Why a path is not within a place, as the end of a sentence; empty if it is."""
    try:
        real = os.path.realpath(path)
    except (ValueError, OSError):
        return "is no path"
    below = os.path.join(place, "")
    if real != place and not real.startswith(below):
        return f"is outside {os.path.basename(place) or place}"
    return f"is in {REPOSITORY}" if REPOSITORY in real[len(below) :].split(os.sep) else ""
