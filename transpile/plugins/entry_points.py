"""Reads the custom constraints that a package registers by entry points in its setup.cfg.

Invariant: only a small file in the plug-in directory itself is read, and a malformed file is ignored.
"""

from __future__ import annotations

import configparser
import os
from collections.abc import Mapping

from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source
from transpile.model.span import word_at
from transpile.plugins.model import PluginPlace

SIZE = 1 << 16  # bytes
NAME = compile_lazily(r"(?m)^[ \t]*(\S{1,200})[ \t]*=[ \t]*([\w.]{1,200}):(\w{1,200})[ \t]*$")


def read_constraints(directory: str) -> Mapping[str, PluginPlace]:
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
    source, out = Source(path, text, budget=Budget()), {}
    for match in NAME.finditer(listed):
        at = text.find(match[0].strip())
        out[match[1]] = PluginPlace(source, word_at(max(at, 0), match[0].strip()), match[3])
    return out
