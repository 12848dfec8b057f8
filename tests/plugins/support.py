"""Makes plug-in directories from texts, and reads them."""

from __future__ import annotations

import pathlib
import textwrap
from collections.abc import Mapping
from typing import Any

from tests.support.files import write_files
from transpile.model.budget import Budget
from transpile.plugins import Plugins, read_plugins

SETS = pathlib.Path(__file__).parent / "sets"
HEAD = """\
import copy

from heat.common.i18n import _
from heat.engine import attributes
from heat.engine import constraints
from heat.engine import properties
from heat.engine import resource
from heat.engine import support
from heat.engine import translation

S = properties.Schema


"""


def unpacked(name: str, where: pathlib.Path) -> str:
    """Writes a set of modules to a directory; each begins with `=== path`."""
    base = where / name
    for part in (SETS / f"{name}.txt").read_text(encoding="utf-8").split("=== ")[1:]:
        path, _, text = part.partition("\n")
        file = base / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return str(base)


def written(where: pathlib.Path, files: Mapping[str, str | bytes]) -> str:
    """Writes modules to a directory."""
    write_files(where, files)
    return str(where)


def plugins(where: pathlib.Path, text: str, **others: str) -> Plugins:
    """Reads one module, `m.py`, with the usual imports before it, and others as they are."""
    files = {"m.py": HEAD + textwrap.dedent(text)}
    files |= {f"{name}.py": textwrap.dedent(content) for name, content in others.items()}
    return read_plugins([written(where, files)], cache=False, budget=Budget())


def facts(where: pathlib.Path, body: str, **others: str) -> Any:
    """The facts about the class R of a module whose body is given; it becomes the type A::B."""
    text = textwrap.dedent(body) + "\n\ndef resource_mapping():\n    return {'A::B': R}\n"
    return plugins(where, text, **others).types["A::B"].facts


def schema(where: pathlib.Path, expression: str, before: str = "") -> Any:
    """The properties that an expression gives, without descriptions."""
    body = f"{textwrap.dedent(before)}\nclass R(resource.Resource):\n    properties_schema = {expression}\n"
    return facts(where, body)["properties"]


def list_codes_with_lines(plugin_set: Plugins) -> list[tuple[str, int]]:
    """The codes of diagnostics, with their lines."""
    return [
        (diagnostic.code, diagnostic.source.line_and_column(diagnostic.at)[0] if diagnostic.source else 0)
        for diagnostic in plugin_set.diagnostics
    ]


def codes(plugin_set: Plugins) -> list[str]:
    return [diagnostic.code for diagnostic in plugin_set.diagnostics]
