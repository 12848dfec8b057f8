"""The parameters of a template whose values other templates of the stack hide.

Invariant: a value is secret as soon as one declaration that it reaches says `hidden`. If a stack cannot be linked, its
values may reach any.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.front import nodes
from transpile.front import template as templates
from transpile.language_server.documents import LIMITS, TextDocument
from transpile.language_server.workspace import StackUse, Workspace
from transpile.model.budget import Budget
from transpile.model.ir import Expr, Template, walk
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.resolve.groups import nested_parameter_values
from transpile.resolve.secret_places import PARAMETER, reference_keys, template_sections
from transpile.resolve.stack import Stack, walk_stacks


def find_hidden_parameters(document: TextDocument, workspace: Workspace, use: StackUse) -> frozenset[str] | None:
    """The names of the parameters that the template or one that it nests hides; None if that is not known. An entry of
    an environment reaches all parameters of its name; a property reaches the parameter of the nested template.
    """
    stack = link_document(document, workspace, use)
    if stack is None:
        return None
    stacks = list(walk_stacks(stack))
    hidden = {id(each): {p.name for p in each.template.parameters.values() if p.hidden} for each in stacks}
    everywhere = set().union(*hidden.values())
    changed = True
    while changed:
        changed = False
        for each in stacks:
            before = len(hidden[id(each)])
            for (owner, written), inner in each.nested.items():
                passed = nested_parameter_values(each.template.resources[owner], written)
                values = [entry.value for entry in passed.entries if entry.key in hidden[id(inner.stack)]]
                hidden[id(each)] |= parameters_behind(each.template, values)
            changed = changed or len(hidden[id(each)]) > before
    return frozenset(hidden[id(stack)] | everywhere)


def link_document(document: TextDocument, workspace: Workspace, use: StackUse) -> Stack | None:
    """The linked stack of a document as one stack uses it; None if it cannot be read."""
    limits = {**LIMITS, "patterns": 0}  # nobody waits in a hover for a pattern that takes long
    source = Source(document.name, document.text, budget=Budget(limits))
    findings: list[Diagnostic] = []
    stack = None
    with RunGuard(findings, source), contextlib.suppress(nodes.UnreadableDocument):
        template = (
            templates.read_template_document(Sink(source), document.root, commented=False)
            if document.root is not None
            else None
        )
        if template is not None:
            options = linker.LinkOptions(
                "load", library=workspace.make_library(), catalog=workspace.strict_catalog(document)
            )
            root = workspace.make_root(document)
            stack = linker.link_template(template, use.environments, use.parameters, root, options)[0]
    return stack


def parameters_behind(template: Template, values: Iterable[Expr]) -> set[str]:
    """The parameters that values depend on, also through resources and conditions."""
    sections = template_sections(template)
    todo = [key for value in values for key in reference_keys(walk(value))]
    seen = set(todo)
    while todo:
        kind, name = todo.pop()
        for key in reference_keys(getattr(sections[kind].get(name), "refs", ())):
            if key not in seen:
                seen.add(key)
                todo.append(key)
    return {name for kind, name in seen if kind == PARAMETER}
