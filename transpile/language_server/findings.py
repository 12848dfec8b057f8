"""The diagnostics of a document: those of `hot2tf check` with the environments of its stacks.

Invariant: all of them point into the document itself; an error inside a nested template is reported where the template
is used. No diagnostic contains a hidden value.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Container, Iterable, Sequence

from transpile import check as checks
from transpile import document_kinds, settings
from transpile.diagnostics import codes
from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic, Sink, diagnose_skipped_work, sort_diagnostics
from transpile.diagnostics.registry import SEVERITIES
from transpile.document_kinds import DocumentReading
from transpile.front import environment as environments
from transpile.front import nodes
from transpile.front import template as templates
from transpile.language_server.documents import ENVIRONMENT, OTHER, TEMPLATE, TextDocument
from transpile.language_server.workspace import StackUse, Workspace
from transpile.model.ir import Environment, Resource
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.resolve import capabilities, linker, placeholder_values
from transpile.resolve.registry import is_path
from transpile.resolve.secrets import Secrets
from transpile.resolve.stack import Stack, walk_stacks
from transpile.rewrite.repairs import add_fixes
from transpile.settings import comments

MOST = 1000  # diagnostics that are shown, the severest first


def diagnose_document(document: TextDocument, workspace: Workspace) -> list[Diagnostic]:
    """The diagnostics of a document in order, each once, with the severities of the configuration."""
    if document.kind == TEMPLATE:
        diagnostics = [
            diagnostic
            for use in workspace.find_stacks(document)
            for diagnostic in diagnose_template(document, workspace, use)
        ]
    elif document.kind == ENVIRONMENT:
        diagnostics = diagnose_environment(document, workspace)
    elif document.kind == OTHER:
        return []
    else:
        diagnostics = check_other(document, workspace)
    configuration = workspace.find_settings(document)
    worst = sorted(remove_duplicates(diagnostics), key=lambda diagnostic: SEVERITIES.index(diagnostic.severity))[:MOST]
    return sort_diagnostics(
        settings.grade_diagnostics(worst, configuration, "check", sources=[document.make_source()]).all_diagnostics
    )


def diagnose_template(document: TextDocument, workspace: Workspace, use: StackUse) -> list[Diagnostic]:
    """The diagnostics of a template as one stack uses it."""
    secrets = Secrets(use.parameters)
    diagnostics = secrets.conceal_in_diagnostics(add_fixes(diagnose_stack(document, workspace, use, secrets)))
    for name in use.missing:
        message = f"The environment {name} of this stack cannot be read, or lies outside the editor's open folders."
        diagnostics.append(Diagnostic(codes.UNREADABLE_FILE, message, document.make_source(), forced="warning"))
    return relocate_diagnostics(document, workspace, use, diagnostics, secrets.stack)


def diagnose_stack(document: TextDocument, workspace: Workspace, use: StackUse, secrets: Secrets) -> list[Diagnostic]:
    """All diagnostics of a stack, in its files, too. The templates and environments that it reads are added to
    `secrets`, so that the caller can conceal their hidden values.
    """
    source = document.make_source()
    secrets.environments = list(use.environments)
    if not document.is_readable:
        return [replace(diagnostic, source=source) for diagnostic in document.syntax_diagnostics]
    sink = Sink(source)
    library = workspace.make_library()
    diagnostics = sink.diagnostics
    with RunGuard(diagnostics, source), contextlib.suppress(nodes.UnreadableDocument):
        assert document.root is not None
        template = templates.read_template_document(sink, document.root, commented=False)
        if template is None:
            return diagnostics
        secrets.templates = [template]
        create = workspace.check_request(document).level == "create"
        options = linker.LinkOptions(
            "load",
            create,
            library=library,
            catalog=workspace.strict_catalog(document),
            placeholders=placeholder_values.REPORT,
            ignores=comments.ignores_code,
        )
        try:
            secrets.stack, link_diagnostics = linker.link_template(
                template, use.environments, use.parameters, workspace.make_root(document), options
            )
        finally:
            secrets.templates += library.list_templates()
        diagnostics += [*capabilities.diagnose_capability_syntax(template), *link_diagnostics]
        diagnostics += checks.check_stack(secrets.stack, create=create, plugins=workspace.make_type_filter(document))
        diagnostics += diagnose_skipped_work(source.budget, source)
    return diagnostics


def relocate_diagnostics(
    document: TextDocument, workspace: Workspace, use: StackUse, diagnostics: Sequence[Diagnostic], stack: Stack | None
) -> list[Diagnostic]:
    """The diagnostics in a document itself, and for each nested template with problems one at the resource that uses
    it. Those in environments are left out, because the environment's own document shows them.
    """
    own: list[Diagnostic] = []
    elsewhere: dict[str, list[Diagnostic]] = {}
    environments = {environment.source.name for environment in use.environments}
    for diagnostic in diagnostics:
        if diagnostic.source is None or diagnostic.source.name == document.name:
            own.append(diagnostic)
        elif diagnostic.severity != "info" and diagnostic.source.name not in environments:
            elsewhere.setdefault(diagnostic.source.name, []).append(diagnostic)
    users = resources_by_template(document, workspace, stack, elsewhere) if elsewhere and stack is not None else {}
    source = document.make_source()
    for name, inside in elsewhere.items():
        first = min(inside, key=lambda diagnostic: SEVERITIES.index(diagnostic.severity))
        more = f" There are {len(inside) - 1} more problems in it." if len(inside) > 1 else ""
        message = f"In {os.path.basename(name)}: {first.message}{more}"
        span = users[name].type_span if name in users else Span(0, 0)
        own.append(replace(first, message=message, source=source, span=span, fix=None))
    return own


def resources_by_template(
    document: TextDocument, workspace: Workspace, stack: Stack, names: Container[str]
) -> dict[str, Resource]:
    """For each nested template of a stack the root template's resource that uses it, directly or through others."""
    resources: dict[str, Resource] = {}
    for (owner, _), nested in stack.nested.items():
        for inner in walk_stacks(nested.stack):
            resources.setdefault(inner.template.source.name, stack.template.resources[owner])
    for resource in stack.template.resources.values():
        if is_path(resource.type) or stack.registry:  # a nested template that cannot be read is not in `stack.nested`
            path = workspace.resolve_type(document, resource.type, resource.name).path
            if path in names:
                resources.setdefault(path, resource)
    return resources


def diagnose_environment(document: TextDocument, workspace: Workspace) -> list[Diagnostic]:
    """The diagnostics of an environment alone, and those that its values cause in the stacks that it belongs to."""
    source = document.make_source()
    secrets = Secrets()
    read: Environment | None = None
    unconcealed: list[Diagnostic] = []
    with RunGuard(unconcealed, source, "Collections"):
        read, sink = environments.read_environment_text(source)
        unconcealed += [*sink.diagnostics, *(capabilities.diagnose_capability_syntax(read) if read is not None else ())]
    secrets.environments = [read] if read is not None else []
    diagnostics = secrets.conceal_in_diagnostics(unconcealed)
    for template, paths in workspace.templates_of_environment(document):
        stack_environments = [
            stack_environment
            for path in paths
            if (stack_environment := workspace.find_environment(path, document)) is not None
        ]
        secrets = Secrets()
        stack_diagnostics = secrets.conceal_in_diagnostics(
            diagnose_stack(template, workspace, StackUse(tuple(stack_environments)), secrets)
        )
        own_diagnostics = [
            diagnostic
            for diagnostic in stack_diagnostics
            if diagnostic.source is not None and is_source_of(diagnostic.source.name, document)
        ]
        diagnostics += [replace(diagnostic, source=source) for diagnostic in own_diagnostics]
    return diagnostics


def is_source_of(name: str, document: TextDocument) -> bool:
    return name == document.name or (document.path is not None and name == os.path.realpath(document.path))


def check_other(document: TextDocument, workspace: Workspace) -> list[Diagnostic]:
    """The diagnostics of a document of another kind."""
    reading = DocumentReading(root=workspace.make_root(document))
    diagnostics = document_kinds.check_document(document.kind, document.make_source(), reading)
    return [
        diagnostic
        for diagnostic in reading.secrets.conceal_in_diagnostics(diagnostics)
        if diagnostic.source is None or diagnostic.source.name == document.name
    ]


def remove_duplicates(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics without duplicates; of equal ones the most severe stays."""
    by_key: dict[tuple[object, ...], Diagnostic] = {}
    for diagnostic in diagnostics:
        key = diagnostic.at, diagnostic.code, diagnostic.message
        if key not in by_key or SEVERITIES.index(diagnostic.severity) < SEVERITIES.index(by_key[key].severity):
            by_key[key] = diagnostic
    return list(by_key.values())
