"""`hot2tf capabilities`: finds templates by capability, and lists the capabilities that templates declare.

Invariant: only the capabilities of a template are read, so mistakes elsewhere in it do not matter. Other files are
skipped, and results come in the order of the paths.
"""

from __future__ import annotations

import math
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.discover_files import TEMPLATES, discover_files
from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.front.claims import claim_values, format_claim
from transpile.model.budget import Budget
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.ir import Entry, Environment, Lit
from transpile.model.source import Source
from transpile.resolve.capabilities import TYPE, find_candidate_files, template_claims
from transpile.text.source import Root, UnreadableFile, decode_utf8, diagnose_unreadable, load_source

OTHERS = (codes.NOT_A_TEMPLATE, codes.ENVIRONMENT_NOT_TEMPLATE)  # the errors for files that are not templates


class DeclaredCapabilities(NamedTuple):
    """A template and the capabilities that it declares."""

    path: str
    entries: Mapping[str, Entry]


def read_declarations(
    paths: Iterable[str], diagnostics: list[Diagnostic], *, deep: bool = True
) -> Iterator[DeclaredCapabilities]:
    """The templates among files and directories, and in subdirectories if `deep`. Adds a diagnostic for each file that
    cannot be read.
    """
    for file in discover_files(paths, deep=deep):
        try:
            source = load_source(pathlib.Path(file.path), file.path, Budget())
        except UnreadableFile as e:
            if e.source is None or mentions_capabilities(e.source.text):
                diagnostics.append(diagnose_unreadable(e, file.path))
            continue
        if mentions_capabilities(source.text) and (declaration := read_declaration(source, diagnostics)) is not None:
            yield declaration


def mentions_capabilities(text: str) -> bool:
    """Whether a text may be a template, which alone declares capabilities."""
    return any(key in text for key in VERSION_KEYS)


def read_declaration(source: Source, diagnostics: list[Diagnostic]) -> DeclaredCapabilities | None:
    entries, sink = templates.read_capabilities(source)
    if entries is None and not source.name.endswith((*TEMPLATES, ".json")):
        return None  # for example, documentation
    diagnostics += [d for d in sink.diagnostics if d.code not in OTHERS]
    return None if entries is None else DeclaredCapabilities(str(pathlib.Path(source.name)), entries)


def find_templates(required: Sequence[tuple[str, str]], among: Iterable[DeclaredCapabilities]) -> Iterator[str]:
    """The paths of the templates that have all wanted capabilities. If a capability is a list, one value is enough."""
    for declaration in among:
        claimed = template_claims(declaration.entries)
        if all(value in claimed.get(name, ()) for name, value in required):
            yield declaration.path


def summarize_capabilities(
    among: Iterable[DeclaredCapabilities], named: Iterable[tuple[str, DeclaredCapabilities]] = ()
) -> dict[str, list[Any]]:
    """All values of each capability, and the templates for each type, in order. `named`: pairs of a type and a
    template, from the registries of environments.
    """
    values: dict[str, dict[str, Any]] = {}
    types: dict[str, dict[str, None]] = {}
    for kind, declaration in [("", declaration) for declaration in among] + list(named):
        for name, entry in declaration.entries.items():
            for value in claim_values(entry.value):
                if isinstance(value, Lit) and name == TYPE:
                    types.setdefault(format_claim(value.value), {})[declaration.path] = None
                elif isinstance(value, Lit):
                    text = format_claim(value.value)
                    endless = isinstance(value.value, float) and not math.isfinite(value.value)  # not valid in JSON
                    values.setdefault(name, {}).setdefault(text, text if endless else value.value)
        if kind and TYPE not in declaration.entries:
            types.setdefault(kind, {})[declaration.path] = None
    out: dict[str, list[Any]] = {name: list(rows.values()) for name, rows in values.items()}
    for kind, paths_ in types.items():
        out.setdefault(kind, []).extend(paths_)
    return out


def declarations_of_environments(
    paths: Iterable[str], root: str | None, diagnostics: list[Diagnostic]
) -> Iterator[tuple[str, DeclaredCapabilities]]:
    """Pairs of a type and a template, from the registries of environments. The type is empty if it has only one
    candidate.

    `root`: the directory that contains the templates; by default the working directory if the environment is below it,
    otherwise the environment's own directory.
    """
    for path in paths:
        environment = environments.load_environment(pathlib.Path(path), diagnostics, path, budget=Budget())
        if environment is not None:
            yield from declarations_of_environment(environment, pathlib.Path(path).parent, root, diagnostics)


def declarations_of_environment(
    environment: Environment, folder: pathlib.Path, root: str | None, diagnostics: list[Diagnostic]
) -> Iterator[tuple[str, DeclaredCapabilities]]:
    below = folder.resolve().is_relative_to(pathlib.Path.cwd())
    directory = pathlib.Path(root) if root is not None else pathlib.Path() if below else folder
    files = Root(directory, folder, trusting=root is None)
    for key, entry in environment.registry.items():
        for kind, name, several in find_candidate_files(key, entry.value):
            text = str(name.value)
            place = os.path.normpath(folder / text)
            try:
                source = Source(place, decode_utf8(files.read_file(text).data, text), budget=Budget())
            except UnreadableFile as e:
                missing = e.kind not in ("outside", "url")
                code = codes.UNREADABLE_NESTED_TEMPLATE if missing else codes.NESTED_TEMPLATE_NOT_READ
                message = f"The template {text} cannot be read: {e.detail}."
                diagnostics.append(Diagnostic(code, message, environment.source, name.span, e.hint))
                continue
            if (declaration := read_declaration(source, diagnostics)) is not None:
                yield kind if several else "", declaration
