"""Limits the paths in a repository's configuration to files inside the repository.

Invariant: links are resolved before a path is checked. The author of a pull request can change a configuration, so the
configuration may name only files that the templates of the repository may read as well.
"""

from __future__ import annotations

import os

from transpile.text.source import REPOSITORY, find_repository


def repository_around(directory: str) -> str:
    """Returns the directory that a configuration's paths must be in: the repository's root, else `directory` itself."""
    return find_repository(directory) or os.path.realpath(directory)


def outside_message(path: str, place: str) -> str:
    """Returns why a path is not inside the directory `place`, as the end of a sentence; "" if the path is inside.

    For example, "is outside my-repository".
    """
    try:
        real = os.path.realpath(path)
    except (ValueError, OSError):
        return "is no path"
    below = os.path.join(place, "")
    if real != place and not real.startswith(below):
        return f"is outside {os.path.basename(place) or place}"
    return f"is in {REPOSITORY}" if REPOSITORY in real[len(below) :].split(os.sep) else ""
