"""The diagnostics of one text: a template, an environment, or a document of another kind.

Invariant: no diagnostic contains the value of a hidden parameter.
"""

from __future__ import annotations

import functools
import os
import pathlib
from typing import TYPE_CHECKING

from transpile import check as checks
from transpile import document_kinds
from transpile.diagnostics.consequences import drop_consequences
from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic, diagnose_skipped_work, sort_diagnostics
from transpile.document_kinds import DocumentReading
from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.model.ir import Environment, Template
from transpile.model.source import Source
from transpile.resolve import capabilities, linker, nested_templates, placeholder_values
from transpile.resolve.secrets import Secrets
from transpile.rewrite.repairs import add_fixes
from transpile.settings import comments
from transpile.text.jinja import NotRendered, Renderer
from transpile.text.source import Root, TemplateFile, find_repository

if TYPE_CHECKING:
    from transpile.checking.request import CheckRequest

STDIN = "<stdin>"


def check_text(source: Source, asked: CheckRequest, folder: str | None) -> list[Diagnostic]:
    """The diagnostics of a template, in order. `folder`: the directory that its names are relative to."""
    secrets = Secrets(asked.request.parameters)
    findings: list[Diagnostic] = []
    with RunGuard(findings, source):
        if key := document_kinds.claiming_key(source):
            findings += check_other(key, source, asked, folder, secrets)
        else:
            findings += check_template(source, asked, folder, secrets)
    return sort_diagnostics(
        secrets.conceal_in_diagnostics([*add_fixes(findings), *diagnose_skipped_work(source.budget, source)])
    )


def check_environment(source: Source) -> list[Diagnostic]:
    """Checks an environment by itself, without its values, because their types depend on a template."""
    secrets = Secrets()
    findings: list[Diagnostic] = []
    with RunGuard(findings, source):
        environment, sink = environments.read_environment_text(source)
        findings += sink.diagnostics
        if environment is not None:
            findings += capabilities.diagnose_capability_syntax(environment)
            secrets.environments = [environment]
    return sort_diagnostics(secrets.conceal_in_diagnostics(findings))


def check_template(source: Source, asked: CheckRequest, folder: str | None, secrets: Secrets) -> list[Diagnostic]:
    """The diagnostics of a template. Adds the template and its environments to `secrets`, which hides their values."""
    findings: list[Diagnostic] = []
    secrets.environments = read_environments(asked, source, findings)
    root, renderer = root_for(asked, folder), Renderer(asked.request.render)
    with RunGuard(findings, source, limits=False):
        template = read_template(source, root, renderer, findings)
        if template is None:
            return findings
        secrets.templates = [template]
        library = nested_templates.TemplateLibrary(
            functools.partial(shown_path, root.directory), commented=False, renderer=renderer, budget=source.budget
        )
        how = linker.LinkOptions(
            "load",
            asked.is_for_creation,
            library=library,
            catalog=asked.catalog,
            called=asked.called,
            placeholders=placeholder_values.REPORT,
            ignores=comments.ignores_code,
        )
        try:
            environments_, parameters = secrets.environments, asked.request.parameters
            secrets.stack, linking = linker.link_template(template, environments_, parameters, root, how)
        finally:
            secrets.templates += library.list_templates()
        for read in (template, *library.list_templates()):
            findings += capabilities.diagnose_capability_syntax(read)
        near = functools.partial(defining_plugin, folder=folder, asked=asked)
        findings += linking
        findings += checks.check_stack(
            secrets.stack,
            create=asked.is_for_creation,
            plugins=asked.is_plugin_type,
            definer=near,
            expects_value=asked.expects_value,
        )
    return drop_consequences(findings)


def root_for(asked: CheckRequest, folder: str | None) -> Root:
    """The directories that a template may read files from."""
    directory = asked.request.root
    request = asked.request
    above = directory if directory is not None else folder
    return Root(above, folder, request.readable, trusting=directory is None, url_map=request.map_url)


def shown_path(directory: str | None, file: TemplateFile) -> str:
    """The path of a nested template in diagnostics."""
    if directory is None:
        return file.path
    return str(pathlib.Path(directory, file.path)) if file.is_inside_root else os.path.relpath(file.where)


def read_environments(asked: CheckRequest, source: Source, findings: list[Diagnostic]) -> list[Environment]:
    """The environments of a template. Adds their mistakes to `findings`."""
    read_so_far = []
    for path in asked.request.environments:
        environment = environments.load_environment(pathlib.Path(path), findings, os.fspath(path), budget=source.budget)
        if environment is not None:
            read_so_far.append(environment)
            findings += capabilities.diagnose_capability_syntax(environment)
    return read_so_far


def read_template(source: Source, root: Root, renderer: Renderer, findings: list[Diagnostic]) -> Template | None:
    """Parses the template in a text, after rendering it if it is a Jinja2 source. Adds mistakes to `findings`."""
    try:
        rendered = renderer.render_template(source, root, any_name=source.name == STDIN)
    except NotRendered as e:
        findings.append(e.diagnostic)
        return None
    template, sink = templates.read_template(rendered, commented=False)
    findings += sink.diagnostics
    return template


def defining_plugin(kind: str, folder: str | None, asked: CheckRequest) -> str:
    """The environment near a template that defines a type; empty if the user has named the environments."""
    if folder is None or (asked.request.environments and not asked.paired):
        return ""
    from transpile.repository import nearby  # only for types that nobody knows

    root = asked.request.root
    top = os.fspath(root) if root else find_repository(folder) or asked.tree or folder
    where = nearby.find_defining_environment(kind, folder, top)
    return os.path.normpath(pathlib.Path(folder, where)) if where else ""


def check_other(
    key: str, source: Source, asked: CheckRequest, folder: str | None, secrets: Secrets
) -> list[Diagnostic]:
    """The diagnostics of a document of another kind, which is recognized by its `key`."""
    root, request = root_for(asked, folder), asked.request
    try:
        rendered = Renderer(request.render).render_template(source, root, any_name=source.name == STDIN)
    except NotRendered as e:
        return [e.diagnostic]
    reading = DocumentReading(request.parameters, request.environments, root, request.contributed, secrets)
    return document_kinds.check_document(key, rendered, reading)
