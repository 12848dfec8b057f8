"""Decides which values are secret: attributes that only Heat reads, and random strings unless names show them.

Invariant: a value counts as secret unless it is known to be harmless.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, final

from transpile.model import heat_types, ir
from transpile.model.lazy_patterns import compile_lazily
from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import (
    ANY,
    ATTRIBUTE,
    CONDITION,
    MEMBER,
    OUTPUT,
    PARAMETER,
    REFERENCE,
    Flow,
    FlowNode,
)
from transpile.resolve.groups import member_properties, member_types
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import ValueFlow

RANDOM = heat_types.RANDOM_STRING
SECRET: Mapping[str, tuple[str, ...]] = {
    heat_types.AWS_ACCESS_KEY: ("SecretAccessKey",),
    heat_types.BARBICAN_ORDER: ("private_key",),
    heat_types.BARBICAN_SECRET: ("decrypted_payload",),
    heat_types.RANDOM_STRING: ("value",),
    heat_types.SWIFT_SIGNAL_HANDLE: ("token", "curl_cli"),
    heat_types.WAIT_CONDITION_HANDLE: ("token", "curl_cli"),
    heat_types.NOVA_KEY_PAIR: ("private_key",),
}
NAME = compile_lazily(r"([a-z]+_)?name|hostname", re.IGNORECASE)  # properties that everybody may see
SOUNDS_SECRET = compile_lazily(r"pass|secret|token|key|cred|pin\b|pwd", re.IGNORECASE)
SHOW = "show"  # the attribute with the service's description of a resource
RANDOM_ATTRIBUTES = (REFERENCE, "value", SHOW, ANY)


# functions whose result has their texts as they are, each with the key of the texts if it takes a map
JOINING: Mapping[str, str] = {
    "list_join": "",
    "Fn::Join": "",
    "str_replace": "params",
    "str_replace_strict": "params",
    "str_replace_vstrict": "params",
}


class Uses(NamedTuple):
    """The destinations of a value. harmless: only names and outputs. named: at least one name. shown: a name that is
    certainly made contains the value unchanged, so everybody who may list the resources reads it. secret: a place whose
    name sounds like a secret's.
    """

    harmless: bool
    named: bool
    shown: bool = False
    secret: bool = False


UNUSED, SECRET_USE = Uses(True, False), Uses(False, False, secret=True)


@final
class SecretValues:
    """The secrets of a stack and of those nested in it."""

    def __init__(self, flow: ValueFlow) -> None:
        self.flow = flow
        self.secrets = Analysis(self.sources_of, self.is_secret, start=False)
        self.hidden = Analysis(self.sources_of, self.is_hidden, start=False)
        self.uses = Analysis(self.targets_of, self.uses_of, start=UNUSED)

    def contains_secret(self, stack: Stack, expr: ir.Expr) -> bool:
        """Whether an expression that Heat evaluates contains a secret."""
        reads = (read for part in ir.walk(expr) for read in self.flow.reads(stack, part))
        return any(self.secrets.value_of(read.node) for read in reads)

    def has_hidden_value(self, node: FlowNode) -> bool:
        """Whether a node has the value of a hidden parameter, or one that is computed from it."""
        return self.hidden.value_of(node)

    def is_no_secret(self, stack: Stack, name: str) -> bool:
        """Whether a random string, or those of a group, are no secrets: they only make names and outputs that do not
        sound secret, or they stand in a name as they are, and nothing takes them as a password.
        """
        number = self.flow.number_of(stack)
        nodes = [FlowNode(number, kind, name, word) for kind in (ATTRIBUTE, MEMBER) for word in RANDOM_ATTRIBUTES]
        every = [self.uses.value_of(node) for node in nodes]
        if all(uses.harmless for uses in every):
            return any(uses.named for uses in every)
        return any(uses.shown for uses in every) and not any(uses.secret for uses in every)

    # from where a value comes

    def sources_of(self, node: FlowNode) -> list[FlowNode]:
        """The nodes whose values a node has. Most need no edges, which are made at first use."""
        if node.kind == PARAMETER and not self.flow.calls[node.stack]:
            return []
        if node.kind == ATTRIBUTE and self.flow.stacks[node.stack].types[node.name] != heat_types.VALUE:
            return []
        return [flow.source for flow in self.flow.flows_to(node)]

    def is_hidden(self, node: FlowNode, look_up: Callable[[FlowNode], bool]) -> bool:
        """Whether a node is a hidden parameter, or gets the value of one."""
        stack = self.flow.stacks[node.stack]
        is_declared = node.kind == PARAMETER and stack.template.parameters[node.name].hidden
        return is_declared or any(map(look_up, self.sources_of(node)))

    def is_secret(self, node: FlowNode, look_up: Callable[[FlowNode], bool]) -> bool:
        """Whether a node is hidden, is an attribute with a secret, or gets a secret from another one."""
        stack = self.flow.stacks[node.stack]
        if node.kind in (ATTRIBUTE, MEMBER) and any(
            is_secret_attribute(kind, node.attribute) for kind in kinds_of(stack, node)
        ):
            return True
        return self.is_hidden(node, look_up)

    # where a value goes

    def targets_of(self, node: FlowNode) -> list[FlowNode]:
        return [flow.target for flow in self.flow.flows_from(node)]

    def uses_of(self, node: FlowNode, look_up: Callable[[FlowNode], Uses]) -> Uses:
        """The destinations of the value in a node, directly and through other nodes. look_up: those of another node."""
        harmless, named, shown, secret = UNUSED
        for flow in self.flow.flows_from(node):
            target, stack = flow.target, self.flow.stacks[flow.target.stack]
            as_it_is, secret_key = self.inspect_place(flow)
            if target.kind == PARAMETER:
                uses = SECRET_USE if stack.template.parameters[target.name].hidden else look_up(target)
            elif target.kind == OUTPUT:
                uses = SECRET_USE if SOUNDS_SECRET.search(target.name) else look_up(target)
            elif target.kind == ATTRIBUTE:  # an OS::Heat::Value
                uses = look_up(target)
            elif target.kind == CONDITION:  # which only says whether it holds
                uses = UNUSED
            else:
                makes_name = NAME.fullmatch(flow.key) is not None
                uses = Uses(makes_name, makes_name, makes_name, sounds_secret(flow.key))
            harmless &= uses.harmless
            named |= uses.named
            shown |= uses.shown and as_it_is
            secret |= uses.secret or (secret_key and not uses.harmless)
        return Uses(harmless, named, shown, secret)

    def inspect_place(self, flow: Flow) -> tuple[bool, bool]:
        """Whether the value is in the text at the other end of an edge as it is, and whether a key on the way there
        sounds secret.
        """
        target, stack = flow.target, self.flow.stacks[flow.target.stack]
        if target.kind == OUTPUT:
            return inspect_reference(stack.template.outputs[target.name].value, flow.ref) or (False, False)
        resource = flow.into.resource if flow.into is not None else stack.template.resources.get(target.name)
        if resource is None:  # a condition
            return False, False
        argument = flow.into.arguments.get(target.name) if flow.into is not None else None
        in_members = member_properties(resource).get(flow.key) if flow.inside else None
        own = resource.find_property(flow.key)
        for value in (argument, in_members, own, resource.metadata, resource.update_policy):
            if value is not None and (place := inspect_reference(value, flow.ref)) is not None:
                as_it_is, secret_key = place
                return as_it_is and not resource.is_conditional, secret_key
        return False, False


def inspect_reference(value: ir.Expr, ref: ir.Expr) -> tuple[bool, bool] | None:
    """The place of a reference in a value: whether the value certainly has its text as it is, and whether a key above
    it sounds secret. None if it does not stand there.
    """
    todo = [(value, True, False)]
    while todo:
        part, as_it_is, secret = todo.pop()
        if part is ref:
            return as_it_is, secret
        match part:
            case ir.Call(fn, ir.Map() as argument) if JOINING.get(fn):
                template = argument.get("template")
                text = str(template.value) if isinstance(template, ir.Lit) else ""
                params = argument.get(JOINING[fn])
                todo += [
                    (entry.value, as_it_is and entry.key in text, secret or sounds_secret(entry.key))
                    for entry in (params.entries if isinstance(params, ir.Map) else ())
                ]
                todo += [(e.value, False, secret) for e in argument.entries if e.value is not params]
            case ir.Call(fn, argument):
                todo.append((argument, as_it_is and fn in JOINING, secret))
            case ir.Map(entries):
                todo += [(e.value, as_it_is, secret or sounds_secret(e.key)) for e in entries]
            case ir.Seq(items):
                todo += [(item, as_it_is, secret) for item in items]
            case _:
                todo += [(child, False, secret) for child in ir.children(part)]
    return None


def sounds_secret(key: str) -> bool:
    """Whether a key is named like one of a secret, and not like one of a name."""
    return NAME.fullmatch(key) is None and SOUNDS_SECRET.search(key) is not None


def kinds_of(stack: Stack, node: FlowNode) -> Iterator[str]:
    """The types of the resources that have an attribute."""
    kind = stack.types[node.name]
    if node.kind == ATTRIBUTE:
        yield kind
        return
    for written, _, _ in member_types(stack.template.resources[node.name], kind):
        yield stack.canonical_type(written)


def is_secret_attribute(kind: str, attribute: str) -> bool:
    """Whether an attribute of this type is a secret, or may be."""
    if kind == RANDOM and attribute == REFERENCE:
        return True
    return kind in SECRET and attribute in (*SECRET[kind], ANY, SHOW)
