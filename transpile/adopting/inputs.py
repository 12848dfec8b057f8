"""The inputs that a command line of `hot2tf adopt` names: exports, stacks, environments and answers.

A file may have the exports of several stacks: a list, a map with the list as `stacks`, or one export after the other,
as `openstack stack export … >> all.json` leaves them.

Invariant: a file with one export is left to the reader of single exports.
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from transpile.adopting.run import Adoptee
from transpile.adoption import environments, export
from transpile.adoption.live import LiveStack
from transpile.cli import options
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget
from transpile.text.source import FILE_LIMIT, UnreadableFile, from_large_bytes, read_bytes


def name_environments(sources: Sequence[str], *, online: bool) -> dict[str, str]:
    """The exports or stacks by the names of their environments: NAME=EXPORT, or else the name of the export."""
    named: dict[str, str] = {}
    for source in sources:
        name, sign, path = source.partition("=")
        if not sign or not environments.NAME.fullmatch(name):
            name, path = directory_stem(source, online=online), source
        if not environments.NAME.fullmatch(name):
            raise options.usage_error(f"{name} cannot be the name of an environment; write NAME={path}")
        if name.lower() in map(str.lower, named):
            raise options.usage_error(f"two environments would be called {name}; write NAME={path}")
        named[name] = path
    return named


def assign_answers(files: Sequence[str], names: Sequence[str], *, shared: bool) -> dict[str, str]:
    """The files with answers by the stacks or environments that they are for."""
    answers: dict[str, str] = {}
    for file in files:
        name, sign, path = file.partition("=")
        if shared and sign and name in names:
            answers[name] = path
        elif len(files) > 1:
            raise options.usage_error("several --answers need --environments files, and each NAME=FILE")
        else:
            answers = dict.fromkeys(names, file)
    return answers


def directory_stem(name: str, *, online: bool = False) -> str:
    """The directory name for a stack, if there are several stacks."""
    if online:
        return name
    return pathlib.Path(name).stem if name != "-" else "stdin"


class BundledExport(NamedTuple):
    """One stack of a file with several: the path of the file, and the stack as it was read."""

    path: str
    live: LiveStack | None
    name: str
    findings: Sequence[Diagnostic]

    def make_adoptee(self, template: str | None) -> Adoptee:
        """The input of the stack's adoption. `template`: the user's own."""
        return Adoptee(self.live, self.name, pathlib.Path(template) if template is not None else None, self.findings)


def expand_bundles(sources: Sequence[str]) -> tuple[list[str], dict[str, BundledExport]]:
    """The exports of a command line, in which each stack of a file with several is named separately, as
    `FILE/STACK.json`; and the export of each such name.
    """
    expanded: list[str] = []
    bundled: dict[str, BundledExport] = {}
    for source in sources:
        parts = read_bundle(source)
        expanded += list(parts) or [source]
        if repeated := next((name for name in parts if name in bundled), None):
            raise options.usage_error(f"{source} has two stacks called {pathlib.PurePath(repeated).stem}")
        bundled |= parts
    return expanded, bundled


def read_bundle(path: str) -> Mapping[str, BundledExport]:
    """The stacks of a file with several; nothing for any other source."""
    if path == "-" or not pathlib.Path(path).is_file():
        return {}
    try:
        whole = from_large_bytes(read_bytes(path, FILE_LIMIT), pathlib.PurePath(path).name, Budget())
    except UnreadableFile:
        return {}
    parts: dict[str, BundledExport] = {}
    for name, source in export.split_exports(whole):
        key = f"{path}/{name}.json"
        if key in parts:
            raise options.usage_error(f"{path} has two stacks called {name}")
        live, findings = export.read_export(source)
        parts[key] = BundledExport(path, live, source.name, findings)
    return parts
