"""The diagnostics of a document: those of `hot2tf check` with the environments of its stacks.

Invariant: all of them point into the document itself; an error inside a nested template is reported where the template
is used. No diagnostic contains a hidden value.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from transpile import check as checks
from transpile import document_kinds, settings
from transpile.diagnostics import codes
from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic, Sink, in_order, without
from transpile.diagnostics.registry import SEVERITIES
from transpile.document_kinds import DocumentReading
from transpile.front import environment as environments
from transpile.front import nodes
from transpile.front import template as templates
from transpile.language_server.documents import ENVIRONMENT, OTHER, TEMPLATE
from transpile.language_server.workspace import Use
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.resolve import capabilities, linker
from transpile.resolve.registry import is_path
from transpile.resolve.secrets import Secrets, stacks
from transpile.rewrite.repairs import repaired

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from transpile.language_server.documents import Document
    from transpile.language_server.workspace import Workspace
    from transpile.model.ir import Environment, Resource
    from transpile.resolve.stack import Stack

MOST = 1000  # diagnostics that are shown, the severest first


def findings(document: Document, workspace: Workspace) -> list[Diagnostic]:
    """The diagnostics of a document in order, each once, with the severities of the configuration."""
    if document.kind == TEMPLATE:
        found = [one for use in workspace.uses(document) for one in of_template(document, workspace, use)]
    elif document.kind == ENVIRONMENT:
        found = of_environment(document, workspace)
    elif document.kind == OTHER:
        return []
    else:
        found = check_other(document, workspace)
    held = workspace.settings(document)
    worst = sorted(distinct(found), key=lambda one: SEVERITIES.index(one.severity))[:MOST]
    return in_order(settings.graded(worst, held, "check", sources=[document.source()]).all)


def of_template(document: Document, workspace: Workspace, use: Use) -> list[Diagnostic]:
    """The diagnostics of a template as one stack uses it."""
    secrets = Secrets(use.parameters)
    found = secrets.conceal(repaired(linked(document, workspace, use, secrets)))
    for name in use.missing:
        message = f"The environment {name} of this stack cannot be read, or lies outside of what the editor has open."
        found.append(Diagnostic(codes.UNREADABLE_FILE, message, document.source(), forced="warning"))
    return told_here(document, workspace, use, found, secrets.stack)


def linked(document: Document, workspace: Workspace, use: Use, secrets: Secrets) -> list[Diagnostic]:
    """All diagnostics of a stack, in its files, too. The templates and environments that it reads are added to
    `secrets`, so that the caller can conceal their hidden values.
    """
    source = document.source()
    secrets.environments = list(use.environments)
    if not document.whole:
        return [replace(one, source=source) for one in document.complaints]
    sink = Sink(source)
    library = workspace.library()
    findings = sink.found
    with RunGuard(findings, source), contextlib.suppress(nodes.Unreadable):
        assert document.root is not None
        template = templates.of(sink, document.root, commented=False)
        if template is None:
            return findings
        secrets.templates = [template]
        create = workspace.request(document).level == "create"
        how = linker.Options("load", create, library=library, catalog=workspace.strict(document))
        try:
            secrets.stack, linking = linker.link(
                template, use.environments, use.parameters, workspace.root(document), how
            )
        finally:
            secrets.templates += library.templates()
        findings += [*capabilities.unknown_to_heat(template), *linking]
        findings += checks.check(secrets.stack, create=create, plugins=workspace.accepts(document))
        findings += without(source.budget, source)
    return findings


def told_here(
    document: Document, workspace: Workspace, use: Use, found: Sequence[Diagnostic], stack: Stack | None
) -> list[Diagnostic]:
    """The diagnostics in a document itself, and for each nested template with problems one at the resource that uses
    it. Those in environments are left out, because the environment's own document shows them.
    """
    own: list[Diagnostic] = []
    elsewhere: dict[str, list[Diagnostic]] = {}
    environments = {one.source.name for one in use.environments}
    for one in found:
        if one.source is None or one.source.name == document.name:
            own.append(one)
        elif one.severity != "info" and one.source.name not in environments:
            elsewhere.setdefault(one.source.name, []).append(one)
    users = used(document, workspace, stack, elsewhere) if elsewhere and stack is not None else {}
    source = document.source()
    for name, inside in elsewhere.items():
        first = min(inside, key=lambda one: SEVERITIES.index(one.severity))
        more = f" There are {len(inside) - 1} more problems in it." if len(inside) > 1 else ""
        message = f"In {os.path.basename(name)}: {first.message}{more}"
        span = users[name].type_span if name in users else Span(0, 0)
        own.append(replace(first, message=message, source=source, span=span, fix=None))
    return own


def used(document: Document, workspace: Workspace, stack: Stack, names: Container[str]) -> dict[str, Resource]:
    """For each nested template of a stack the root template's resource that uses it, directly or through others."""
    found: dict[str, Resource] = {}
    for (owner, _), nested in stack.nested.items():
        for inner in stacks(nested.stack):
            found.setdefault(inner.template.source.name, stack.template.resources[owner])
    for resource in stack.template.resources.values():
        if is_path(resource.type) or stack.registry:  # a nested template that cannot be read is not in `stack.nested`
            path = workspace.meaning(document, resource.type, resource.name).path
            if path in names:
                found.setdefault(path, resource)
    return found


def of_environment(document: Document, workspace: Workspace) -> list[Diagnostic]:
    """The diagnostics of an environment alone, and those that its values cause in the stacks that it belongs to."""
    source = document.source()
    secrets = Secrets()
    read: Environment | None = None
    found: list[Diagnostic] = []
    with RunGuard(found, source, "Collections"):
        read, sink = environments.read(source, document.path.parent if document.path is not None else None)
        found += [*sink.found, *(capabilities.unknown_to_heat(read) if read is not None else ())]
    secrets.environments = [read] if read is not None else []
    said = secrets.conceal(found)
    for template, paths in workspace.templates(document):
        with_it = [one for path in paths if (one := workspace.environment(path, document)) is not None]
        secrets = Secrets()
        all_ = secrets.conceal(linked(template, workspace, Use(tuple(with_it)), secrets))
        here = [one for one in all_ if one.source is not None and same(one.source.name, document)]
        said += [replace(one, source=source) for one in here]
    return said


def same(name: str, document: Document) -> bool:
    return name == document.name or (document.path is not None and name == os.path.realpath(document.path))


def check_other(document: Document, workspace: Workspace) -> list[Diagnostic]:
    """The diagnostics of a document of another kind."""
    reading = DocumentReading(root=workspace.root(document))
    found = document_kinds.check_document(document.kind, document.source(), reading)
    return [one for one in reading.secrets.conceal(found) if one.source is None or one.source.name == document.name]


def distinct(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics without duplicates; of equal ones the most severe stays."""
    out: dict[tuple[object, ...], Diagnostic] = {}
    for one in found:
        key = one.at, one.code, one.message
        if key not in out or SEVERITIES.index(one.severity) < SEVERITIES.index(out[key].severity):
            out[key] = one
    return list(out.values())
