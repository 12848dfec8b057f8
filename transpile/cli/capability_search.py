"""`hot2tf capabilities`: finds templates by capability, and lists the capabilities that templates declare.

Invariant: only the capabilities of a template are read, so mistakes elsewhere in it do not matter. Other files are
skipped, and results come in the order of the paths.
"""

from __future__ import annotations

import math
import os
import pathlib
from typing import TYPE_CHECKING, Any, NamedTuple

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.discover_files import TEMPLATES, discover
from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.front.claims import each, shown
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.ir import Lit
from transpile.model.source import Source
from transpile.resolve.capabilities import TYPE, candidates, claims
from transpile.text.source import Root, Unreadable, decode, load, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from transpile.model.ir import Entry, Environment

OTHERS = (codes.NOT_A_TEMPLATE, codes.ENVIRONMENT_NOT_TEMPLATE)  # the errors for files that are not templates


class Declared(NamedTuple):
    """A template and the capabilities that it declares."""

    path: str
    entries: Mapping[str, Entry]


def declared(given: Iterable[str], found: list[Diagnostic], *, deep: bool = True) -> Iterator[Declared]:
    """The templates among files and directories, including subdirectories if `deep`. Adds a diagnostic to `found` for
    each file that cannot be read.
    """
    for file in discover(given, deep=deep):
        try:
            source = load(pathlib.Path(file.path), file.path)
        except Unreadable as e:
            if e.source is None or mentions(e.source.text):
                found.append(unreadable(e, file.path))
            continue
        if mentions(source.text) and (one := template(source, found)) is not None:
            yield one


def mentions(text: str) -> bool:
    """Whether a text may be a template."""
    return any(key in text for key in VERSION_KEYS)


def template(source: Source, found: list[Diagnostic]) -> Declared | None:
    entries, sink = templates.capabilities(source)
    if entries is None and not source.name.endswith((*TEMPLATES, ".json")):
        return None  # for example, documentation
    found += [d for d in sink.found if d.code not in OTHERS]
    return None if entries is None else Declared(str(pathlib.Path(source.name)), entries)


def find(wanted: Sequence[tuple[str, str]], among: Iterable[Declared]) -> Iterator[str]:
    """The paths of the templates that have all wanted capabilities. If a capability is a list, one value is enough."""
    for one in among:
        claimed = claims(one.entries)
        if all(value in claimed.get(name, ()) for name, value in wanted):
            yield one.path


def summary(among: Iterable[Declared], named: Iterable[tuple[str, Declared]] = ()) -> dict[str, list[Any]]:
    """All values of each capability, and the templates for each type, in order. `named`: the templates that the
    registries of environments name, by type.
    """
    values: dict[str, dict[str, Any]] = {}
    types: dict[str, dict[str, None]] = {}
    for kind, one in [("", one) for one in among] + list(named):
        for name, entry in one.entries.items():
            for value in each(entry.value):
                if isinstance(value, Lit) and name == TYPE:
                    types.setdefault(shown(value.value), {})[one.path] = None
                elif isinstance(value, Lit):
                    text = shown(value.value)
                    endless = isinstance(value.value, float) and not math.isfinite(value.value)  # not valid in JSON
                    values.setdefault(name, {}).setdefault(text, text if endless else value.value)
        if kind and TYPE not in one.entries:
            types.setdefault(kind, {})[one.path] = None
    out: dict[str, list[Any]] = {name: list(found.values()) for name, found in values.items()}
    for kind, paths_ in types.items():
        out.setdefault(kind, []).extend(paths_)
    return out


def of_environments(given: Iterable[str], root: str | None, found: list[Diagnostic]) -> Iterator[tuple[str, Declared]]:
    """The templates that the registries of environments name, by type. The type is empty if it has only one candidate.
    `root`: the directory that templates must be below; by default the working directory if the environment is below it,
    else the environment's own directory.
    """
    for path in given:
        environment = environments.load(pathlib.Path(path), found, path)
        if environment is not None:
            yield from of_environment(environment, pathlib.Path(path).parent, root, found)


def of_environment(
    environment: Environment, folder: pathlib.Path, root: str | None, found: list[Diagnostic]
) -> Iterator[tuple[str, Declared]]:
    below = folder.resolve().is_relative_to(pathlib.Path.cwd())
    directory = pathlib.Path(root) if root is not None else pathlib.Path() if below else folder
    files = Root(directory, folder, trusting=root is None)
    for key, entry in environment.registry.items():
        for kind, name, several in candidates(key, entry.value):
            text = str(name.value)
            place = os.path.normpath(folder / text)
            try:
                source = Source(place, decode(files.read(text).data, text))
            except Unreadable as e:
                missing = e.kind not in ("outside", "url")
                code = codes.UNREADABLE_NESTED_TEMPLATE if missing else codes.NESTED_TEMPLATE_NOT_READ
                message = f"The template {text} cannot be read: {e.detail}."
                found.append(Diagnostic(code, message, environment.source, name.span, e.hint))
                continue
            if (one := template(source, found)) is not None:
                yield kind if several else "", one
