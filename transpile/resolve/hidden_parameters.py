"""Finds the parameters whose value is secret because a declaration that it reaches says `hidden`.

Invariant: in a linked stack, and in the stacks nested in it, `hidden` of a parameter is true if its own declaration
says so, if an environment gives the same entry to a hidden parameter of another template, or if its value is passed on
to one, directly, inside a function, or through OS::Heat::Value and outputs. So whoever asks `hidden` has the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from transpile.model import heat_types
from transpile.model.attribute_paths import path_inside
from transpile.model.ir import AttrRef, Call, Expr, If, Lit, ParamRef, children
from transpile.model.records import replace
from transpile.resolve.groups import INSIDE, member_types, nested_parameter_values
from transpile.resolve.stack import NestedStack, Stack, walk_stacks

Place = tuple[int, int]  # a template and the registry that decides what its types mean, by identity
Key = tuple[Place, str]  # a parameter of such a template
DECIDING = ("equals", "and", "or", "not", "Fn::Equals", "Fn::And", "Fn::Or", "Fn::Not")  # they give no value on


def hide_secret_parameters(stack: Stack) -> Stack:
    """The stack, and those nested in it, with `hidden` for each parameter whose value is secret."""
    stacks = list(walk_stacks(stack)) if stack.nested else []
    declared = {
        (place_of(each), param.name): param.hidden_by or each.template.source.name
        for each in stacks
        for param in each.template.parameters.values()
        if param.hidden
    }
    if not declared:
        return stack
    hidden = spread_hidden(declared, ValueUse(stacks).users)
    return stack if len(hidden) == len(declared) else StackRewriter(hidden).rewrite_stack(stack)


def place_of(stack: Stack) -> Place:
    return id(stack.template.source), id(stack.registry)


def spread_hidden(declared: dict[Key, str], users: dict[Key, set[Key]]) -> dict[Key, str]:
    """All hidden parameters, each with the template that declares it hidden. `users`: by parameter, those that get the
    same value.
    """
    hidden = dict(declared)
    todo = list(declared)
    while todo:
        key = todo.pop()
        for source in sorted(users.get(key, ()), key=lambda source: source[1]):
            if source not in hidden:
                hidden[source] = hidden[key]
                todo.append(source)
    return hidden


@final
class ValueUse:
    """Which parameters of these stacks are hidden if one is: `users`."""

    def __init__(self, stacks: list[Stack]) -> None:
        self.users: dict[Key, set[Key]] = {}
        self.entries: dict[str, list[Key]] = {}  # by the name of an environment's entry: the parameters that it reaches
        for name in stacks[0].bindings:
            self.add_entry(name, stacks[0])
        for stack in stacks:
            for (owner, written), nested in stack.nested.items():
                self.follow_call(stack, owner, written, nested)
        for keys in self.entries.values():
            for key in keys:
                self.users.setdefault(key, set()).update(keys)

    def add_entry(self, name: str, stack: Stack) -> None:
        self.entries.setdefault(name, []).append((place_of(stack), name))

    def follow_call(self, outer: Stack, owner: str, written: str, nested: NestedStack) -> None:
        """Follows the values that a nested stack gets: by properties of its resource, and by environments."""
        inner = nested.stack
        passed = nested_parameter_values(outer.template.resources[owner], written)
        arguments = {entry.key: entry.value for entry in passed.entries} if passed is not None else {}
        for name in inner.bindings:
            if name not in arguments or isinstance(arguments[name], If):  # an `if` may pass nothing
                self.add_entry(name, inner)
        for name, expr in arguments.items():
            if name in inner.template.parameters:
                self.users.setdefault((place_of(inner), name), set()).update(find_parameters(outer, expr))


def find_parameters(stack: Stack, expr: Expr) -> set[Key]:
    """The parameters whose values an expression contains."""
    parameters: set[Key] = set()
    seen: set[tuple[int, int]] = set()
    todo = [(stack, expr)]
    while todo:
        where, part = todo.pop()
        if (id(where), id(part)) in seen:
            continue
        seen.add((id(where), id(part)))
        if isinstance(part, ParamRef):
            parameters.add((place_of(where), part.name))
        elif isinstance(part, AttrRef):
            todo += follow_attribute(where, part)
        elif isinstance(part, If):
            todo += [(where, branch) for branch in (part.then, part.orelse) if branch is not None]
        elif not (isinstance(part, Call) and part.fn in DECIDING):
            todo += [(where, child) for child in children(part)]
    return parameters


def follow_attribute(stack: Stack, ref: AttrRef) -> Iterator[tuple[Stack, Expr]]:
    """The expressions behind an attribute: the value of an OS::Heat::Value, or outputs of a nested stack."""
    resource = stack.template.resources.get(ref.name)
    if resource is None:
        return
    kind = stack.types[ref.name]
    if kind == heat_types.VALUE and resource.properties is not None:
        value = resource.properties.get("value")
        if value is not None:
            yield stack, value
    path = path_inside(kind, ref.path)
    word = str(path[0].value) if path and isinstance(path[0], Lit) else None
    for written in (resource.type, INSIDE, *(member for member, _, _ in member_types(resource, kind))):
        nested = stack.nested.get((ref.name, written))
        for name, output in nested.stack.template.outputs.items() if nested is not None else ():
            if word is None or word == name:
                assert nested is not None
                yield nested.stack, output.value


@final
class StackRewriter:
    """Makes stacks in which the parameters in `hidden` are hidden. A stack that others share is shared again."""

    def __init__(self, hidden: dict[Key, str]) -> None:
        self.hidden = hidden
        self.rewritten: dict[int, Stack] = {}

    def rewrite_stack(self, stack: Stack) -> Stack:
        if id(stack) not in self.rewritten:
            place = place_of(stack)
            parameters = {
                name: replace(param, hidden=True, hidden_by=self.hidden[place, name])
                if not param.hidden and (place, name) in self.hidden
                else param
                for name, param in stack.template.parameters.items()
            }
            nested = {key: replace(inner, stack=self.rewrite_stack(inner.stack)) for key, inner in stack.nested.items()}
            template = replace(stack.template, parameters=parameters)
            self.rewritten[id(stack)] = replace(stack, template=template, nested=nested)
        return self.rewritten[id(stack)]
