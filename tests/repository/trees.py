"""Source trees for tests."""

from __future__ import annotations

import pathlib
import textwrap
from collections.abc import Mapping

from tests.support.files import write_files

HOT = "heat_template_version: 2021-04-16\n"


def tree(where: pathlib.Path, files: Mapping[str, str | bytes]) -> pathlib.Path:
    """Writes files below a directory."""
    return write_files(where, {n: c if isinstance(c, bytes) else textwrap.dedent(c) for n, c in files.items()})


def hot(*parameters: str, **resources: str) -> str:
    """A template with these parameters, and a resource of each type."""
    text = HOT + "parameters:\n" * bool(parameters)
    text += "".join(f"  {name}: {{type: string, default: x}}\n" for name in parameters)
    text += "resources:\n" * bool(resources)
    return text + "".join(f"  {name}: {{type: {kind}}}\n" for name, kind in resources.items())


def env(*parameters: str, **types: str) -> str:
    """An environment that sets these parameters and maps these types, written with __ for ::."""
    text = "parameters:\n" * bool(parameters) + "".join(f"  {name}: value\n" for name in parameters)
    text += "resource_registry:\n" * bool(types)
    return text + "".join(f"  {name.replace('__', '::')}: {value}\n" for name, value in types.items())
