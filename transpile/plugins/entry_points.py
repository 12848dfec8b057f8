"""Reads the custom constraints that a package registers by entry points in its setup.cfg.

Invariant: only a small file in the plug-in directory itself is read, and a malformed file is ignored.
"""

from __future__ import annotations

import configparser
import os
import re
from typing import TYPE_CHECKING

from transpile.model.source import Source
from transpile.model.span import word_at
from transpile.plugins.model import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

SIZE = 1 << 16  # bytes
NAME = re.compile(r"(?m)^[ \t]*(\S{1,200})[ \t]*=[ \t]*([\w.]{1,200}):(\w{1,200})[ \t]*$")


def constraints(directory: str) -> Mapping[str, Place]:
    """The constraints by name, each at its line in the file."""
    path = os.path.join(directory, "setup.cfg")
    if os.path.islink(path) or not os.path.isfile(path) or os.path.getsize(path) > SIZE:
        return {}
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read(SIZE)
        parser = configparser.RawConfigParser(strict=False)
        parser.read_string(text)
        listed = parser.get("entry_points", "heat.constraints", fallback="")
    except (OSError, UnicodeError, configparser.Error):
        return {}
    source, out = Source(path, text), {}
    for found in NAME.finditer(listed):
        at = text.find(found[0].strip())
        out[found[1]] = Place(source, word_at(max(at, 0), found[0].strip()), found[3])
    return out
