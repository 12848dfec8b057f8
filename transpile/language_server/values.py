"""Evaluates expressions that are known before a stack is created.

Invariant: hidden parameters have no value here, so nothing that depends on them can be shown. A value is secret as
soon as one declaration that it reaches says `hidden`, in any template of the stack. If a stack cannot be linked, its
values may reach any.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.evaluate.interpreter import ABSENT, Interpreter
from transpile.evaluate.partial import evaluate_partially, world_before_creation
from transpile.evaluate.pure import EvaluationError, NotKnown
from transpile.front import nodes
from transpile.front import template as templates
from transpile.language_server.documents import LIMITS, TextDocument
from transpile.language_server.workspace import StackUse, Workspace
from transpile.model import heat_types, ir
from transpile.model.budget import Budget
from transpile.model.ir import Expr, Template, walk
from transpile.model.meter import LimitExceeded
from transpile.model.printable import escape_json_text
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.resolve.environments import merge_environments
from transpile.resolve.groups import nested_parameter_values
from transpile.resolve.registry import read_registry
from transpile.resolve.secret_places import PARAMETER, reference_keys, template_sections
from transpile.resolve.stack import Stack, collect_parameter_values, walk_stacks
from transpile.schema.properties import UNKNOWN

LONGEST = 400  # characters of a value that are shown
CONSTANT = frozenset(("AWS::Region",))  # the pseudo parameters that are the same in every stack
ZONES = "Fn::GetAZs"  # a function whose result depends on the cloud


def make_interpreter(template: Template, use: StackUse, hidden_elsewhere: Collection[str] = ()) -> Interpreter:
    """An interpreter with the parameters of a stack, except hidden ones, and with its resources of type
    OS::Heat::Value. `hidden_elsewhere`: parameters that nested templates hide.
    """
    parameter_values, _ = merge_environments(
        template.parameters, use.environments, use.parameters, budget=template.source.budget
    )
    encrypted = {
        name
        for environment in use.environments
        for name in list_literals(environment.other.get("encrypted_param_names"))
    }
    hidden = {param.name for param in template.parameters.values() if param.hidden} | encrypted | {*hidden_elsewhere}
    visible_values = {
        name: value
        for name, value in collect_parameter_values(template, parameter_values).items()
        if name not in hidden
    }
    world = world_before_creation(visible_values)
    version = replace(template.version, pseudo=template.version.pseudo & CONSTANT)
    interpreter = Interpreter(replace(template, version=version), world)

    def evaluate_attribute(name: str, path: tuple[Any, ...]) -> Any:
        """The attribute `value` of an OS::Heat::Value, which is its property. Raises NotKnown for all others."""
        owner = template.resources.get(name)
        properties = owner.properties if owner is not None and find_kind(owner, use) == heat_types.VALUE else None
        if properties is None or path != ("value",) or "type" in properties:
            raise NotKnown("The value is known only in a stack")
        expression = properties.get("value")
        value = evaluate_statically(interpreter, expression) if expression is not None else UNKNOWN
        if value is UNKNOWN:
            raise NotKnown("The value is known only in a stack")
        return value

    interpreter.world = replace(world, attribute=evaluate_attribute)
    return interpreter


def find_kind(resource: ir.Resource, use: StackUse) -> str:
    """The type of a resource, which an environment of the stack may have an alias for."""
    return read_registry(use.environments)[0].resolve_type(resource.type, resource.name).kind


def list_literals(entry: ir.Entry | None) -> list[str]:
    sequence = entry.value if entry is not None else None
    return (
        [str(item.value) for item in sequence.items if isinstance(item, ir.Lit)] if isinstance(sequence, ir.Seq) else []
    )


def evaluate_statically(interpreter: Interpreter, expression: Expr) -> Any:
    """The value of an expression; UNKNOWN if any part of it is known only at run time."""
    if any(isinstance(part, ir.Call) and part.fn == ZONES for part in ir.walk(expression)):
        return UNKNOWN
    try:
        value = (
            interpreter.evaluate(expression)
            if isinstance(expression, ir.AttrRef)
            else evaluate_partially(interpreter, expression)
        )
    except (EvaluationError, LimitExceeded, RecursionError):
        return UNKNOWN
    return UNKNOWN if value is ABSENT or is_incomplete(value) else value


def is_incomplete(value: Any) -> bool:
    """Whether a value has parts that are not known."""
    if isinstance(value, dict):
        return any(map(is_incomplete, value.values()))
    if isinstance(value, list):
        return any(map(is_incomplete, value))
    return not isinstance(value, (str, int, float, bool, type(None)))


def format_value(value: Any) -> str:
    """A value as JSON, cut off if it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return escape_json_text(text if len(text) <= LONGEST else f"{text[:LONGEST]} …")


def evaluate_in_stacks(
    document: TextDocument, workspace: Workspace, template: Template, expression: Expr
) -> Iterator[tuple[str, str]]:
    """The different values of an expression in the stacks of a template: the label of the environments, and the value
    as JSON. The hover text shows them.
    """
    seen = set()
    for use in workspace.find_stacks(document):
        value = evaluate_statically(make_interpreter(template, use), expression)
        if value is not UNKNOWN:  # linking the stack takes longer than all else here
            hidden = find_hidden_parameters(document, workspace, use)
            value = UNKNOWN if hidden is None else value
            if hidden:
                value = evaluate_statically(make_interpreter(template, use, hidden), expression)
        if value is not UNKNOWN and (text := format_value(value)) not in seen:
            seen.add(text)
            yield use.label, text


def find_expression_at(template: Template, at: int) -> Expr | None:
    """The innermost function or reference of a template around an offset; None if there is none."""
    owners: list[Expr] = [c.value for c in template.conditions.values()]
    for resource in template.resources.values():
        owners += [part for name, part in resource.parts.items() if name in ("properties", "metadata", "condition")]
    owners += [output.value for output in template.outputs.values()]
    owners += [condition for output in template.outputs.values() for condition in output.conditions]
    innermost: Expr | None = None
    for owner in owners:
        if owner.at <= at <= owner.end:
            here: Expr | None = owner
            while here is not None:
                if not isinstance(here, (ir.Lit, ir.Seq, ir.Map, ir.ErrorNode)):
                    innermost = here
                here = next((child for child in ir.children(here) if child.at <= at <= child.end), None)
    return innermost


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
