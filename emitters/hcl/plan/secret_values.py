"""Decides which values are secret: attributes that only Heat reads, and random strings unless they only make names.

Invariant: a value counts as secret unless it is known to be harmless.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple, final

from emitters.hcl.plan.modules import CallSite, Modules, ValueSource
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import (
    GroupMember,
    ReferenceList,
    ReferenceMap,
    parse_attribute_path,
    path_inside,
)
from transpile.resolve.groups import GROUPS, INSIDE, member_properties, member_types, nested_parameter_values
from transpile.resolve.stack import Stack

VALUE, RANDOM = heat_types.VALUE, heat_types.RANDOM_STRING
SECRET: Mapping[str, tuple[str, ...]] = {
    heat_types.AWS_ACCESS_KEY: ("SecretAccessKey",),
    heat_types.BARBICAN_ORDER: ("private_key",),
    heat_types.BARBICAN_SECRET: ("decrypted_payload",),
    heat_types.RANDOM_STRING: ("value",),
    heat_types.SWIFT_SIGNAL_HANDLE: ("token", "curl_cli"),
    heat_types.WAIT_CONDITION_HANDLE: ("token", "curl_cli"),
    heat_types.NOVA_KEY_PAIR: ("private_key",),
}
NAME = re.compile(r"([a-z]+_)?name|hostname", re.IGNORECASE)  # properties that everybody may see
SOUNDS_SECRET = re.compile(r"pass|secret|token|key|cred|pin\b|pwd", re.IGNORECASE)
DEPTH = 8  # nested stacks and values through which a value is followed


def contains_secret(stack: Stack, expr: ir.Expr, hidden: AbstractSet[str], depth: int = DEPTH) -> bool:
    """Whether an expression that Heat evaluates contains a secret. `hidden`: the stack's parameters that do."""
    return any(reference_is_secret(stack, part, hidden, depth) for part in ir.walk(expr))


def reference_is_secret(stack: Stack, expr: ir.Expr, hidden: AbstractSet[str], depth: int) -> bool:
    """Whether one part of an expression is a reference to a secret."""
    if isinstance(expr, ir.ParamRef):
        return expr.name in hidden
    if not isinstance(expr, (ir.AttrRef, ir.ResourceRef)) or expr.name not in stack.template.resources:
        return False
    resource, kind = stack.template.resources[expr.name], stack.types[expr.name]
    if isinstance(expr, ir.ResourceRef):
        return kind == RANDOM
    path = path_inside(kind, expr.path) or expr.path
    words = [str(step.value) for step in path if isinstance(step, ir.Lit)]
    anything = not path or not isinstance(path[0], ir.Lit)
    if kind == VALUE and depth and resource.properties is not None:
        return contains_secret(stack, resource.properties, hidden, depth - 1)
    member = member_type(resource, kind)
    for written in (resource.type, INSIDE, member) if depth else ():
        nested = stack.nested.get((expr.name, written))
        if nested is not None:
            inner = find_secret_parameters(nested.stack, nested_parameter_values(resource, written), stack, hidden)
            for name, output in nested.stack.template.outputs.items():
                if (anything or name in words) and contains_secret(nested.stack, output.value, inner, depth - 1):
                    return True
    if member:
        kind = stack.canonical_type(member)
        if kind == RANDOM and reads_references(stack.types[expr.name], expr):
            return True
    return any(word in SECRET.get(kind, ()) for word in words) or (anything and kind in SECRET)


def reads_references(kind: str, ref: ir.AttrRef) -> bool:
    """Whether `get_attr` reads the references to members of a group: `[group, refs]` or `[group, resource.0]`."""
    match parse_attribute_path(kind, ref.path):
        case ReferenceList() | ReferenceMap() | GroupMember(_, ()):
            return True
    return False


def member_type(resource: ir.Resource, kind: str) -> str:
    """The type of a group's members as written; empty if it is computed, or there is no group."""
    return next((written for written, _, _ in member_types(resource, kind) if kind in GROUPS), "")


def find_secret_parameters(
    stack: Stack, arguments: ir.Map | None, outer: Stack, hidden: AbstractSet[str]
) -> AbstractSet[str]:
    """The parameters of a nested stack that are hidden or get a secret."""
    names = {name for name, param in stack.template.parameters.items() if param.hidden}
    for entry in arguments.entries if arguments is not None else ():
        if contains_secret(outer, entry.value, hidden, 0):
            names.add(entry.key)
    return names


class Flow(NamedTuple):
    """Where a value goes. harmless: only into names and outputs. named: into a name at least once."""

    harmless: bool
    named: bool


@final
class RandomNames:
    """Follows the values of resources through nested stacks and their outputs, to see whether they only make names."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def only_makes_names(self, stack: Stack, name: str) -> bool:
        """Whether a random string only makes names. It may also be read from an output that does not sound secret."""

        def is_reference(expr: ir.Expr) -> bool:
            return isinstance(expr, (ir.ResourceRef, ir.AttrRef)) and expr.name == name

        flow = self.flow_in_stack(stack, ValueSource(False, name), is_reference, DEPTH)
        return flow.harmless and flow.named

    def flow_in_stack(self, stack: Stack, source: ValueSource, matches: Callable[[ir.Expr], bool], depth: int) -> Flow:
        """Where a value goes in a stack. matches: whether an expression refers to the value."""
        if not depth:
            return Flow(False, False)
        named = False
        for owner in self.modules.owners_by_source(stack).get(source, ()):
            if isinstance(owner, ir.Output):
                further = (
                    self.flow_of_output(stack, owner.name, depth)
                    if any(map(matches, owner.refs))
                    else Flow(True, False)
                )
            else:
                further = self.flow_in_resource(stack, owner, matches, depth)
            if not further.harmless:
                return further
            named |= further.named
        return Flow(True, named)

    def flow_in_resource(
        self, stack: Stack, resource: ir.Resource, matches: Callable[[ir.Expr], bool], depth: int
    ) -> Flow:
        """Where the properties of a resource take a value."""
        every, meant, named = sum(map(matches, resource.refs)), 0, False
        for properties in (resource.properties, member_properties(resource)) if every else ():
            for entry in properties.entries if properties is not None else ():
                uses = sum(map(matches, ir.walk(entry.value)))
                if not uses:
                    continue
                further = self.flow_in_property(
                    stack, resource, entry, depth, inside=properties is not resource.properties
                )
                if further is None:
                    continue
                if not further.harmless:
                    return further
                named |= further.named
                meant += uses
        return Flow(meant == every, named)

    def flow_in_property(
        self, stack: Stack, resource: ir.Resource, entry: ir.Entry, depth: int, *, inside: bool
    ) -> Flow | None:
        """Where a property takes a value; None for a property that only contains those of members."""
        kind = resource.kind
        written = resource.type
        if inside:
            written = member_type(resource, kind)
        elif kind in GROUPS and entry.key == GROUPS[kind]:
            return None
        nested = stack.nested.get((resource.name, written))
        if nested is not None:
            param = nested.stack.template.parameters.get(entry.key)
            if param is None or param.hidden:
                return Flow(False, False)
            source = ValueSource(True, entry.key)
            return self.flow_in_stack(
                nested.stack, source, lambda e: isinstance(e, ir.ParamRef) and e.name == entry.key, depth - 1
            )
        if kind == VALUE and entry.key == "value":
            source = ValueSource(False, resource.name)
            return self.flow_in_stack(
                stack, source, lambda e: isinstance(e, ir.AttrRef) and e.name == resource.name, depth - 1
            )
        named = NAME.fullmatch(entry.key) is not None
        return Flow(named, named)

    def flow_of_output(self, stack: Stack, name: str, depth: int) -> Flow:
        """Where the output of a stack goes: to people, or to the callers of a nested stack."""
        if SOUNDS_SECRET.search(name):
            return Flow(False, False)
        module = self.modules.module_of_stack(stack)
        if module is None:
            return Flow(True, False)
        if name in module.extra_outputs.values():
            return Flow(False, False)
        named = False
        for call in module.calls:

            def reads_output(expr: ir.Expr, call: CallSite = call) -> bool:
                if not isinstance(expr, ir.AttrRef) or expr.name != call.resource.name:
                    return False
                if not expr.path or not isinstance(expr.path[0], ir.Lit):
                    return True
                inner = path_inside(call.stack.types[expr.name], expr.path)
                return any(not isinstance(step, ir.Lit) or str(step.value) == name for step in inner)

            further = self.flow_in_stack(call.stack, ValueSource(False, call.resource.name), reads_output, depth - 1)
            if not further.harmless:
                return further
            named |= further.named
        return Flow(True, named)
