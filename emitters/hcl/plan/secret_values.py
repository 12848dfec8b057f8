"""Decides which values are secret: attributes that only Heat reads, and random strings unless they only make names.

Invariant: a value counts as secret unless it is known to be harmless.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, final

from transpile.model import heat_types, ir
from transpile.model.lazy_patterns import compile_lazily
from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import ANY, ATTRIBUTE, CONDITION, MEMBER, OUTPUT, PARAMETER, REFERENCE, FlowNode
from transpile.resolve.groups import member_types
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
SHOW = "show"  # the attribute with what the service says of a resource
RANDOM_ATTRIBUTES = (REFERENCE, "value", SHOW, ANY)


class Uses(NamedTuple):
    """Where a value goes. harmless: only into names and outputs. named: into a name at least once."""

    harmless: bool
    named: bool


UNUSED, HARMFUL = Uses(True, False), Uses(False, False)


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

    def only_makes_names(self, stack: Stack, name: str) -> bool:
        """Whether a random string, or those of a group, only make names. They may also be read from an output that does
        not sound secret.
        """
        number = self.flow.number_of(stack)
        nodes = [FlowNode(number, kind, name, word) for kind in (ATTRIBUTE, MEMBER) for word in RANDOM_ATTRIBUTES]
        every = [self.uses.value_of(node) for node in nodes]
        return all(uses.harmless for uses in every) and any(uses.named for uses in every)

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
        """Where a value goes that is in this node."""
        named = False
        for flow in self.flow.flows_from(node):
            target, stack = flow.target, self.flow.stacks[flow.target.stack]
            if target.kind == PARAMETER:
                uses = HARMFUL if stack.template.parameters[target.name].hidden else look_up(target)
            elif target.kind == OUTPUT:
                uses = HARMFUL if SOUNDS_SECRET.search(target.name) else look_up(target)
            elif target.kind == ATTRIBUTE:  # an OS::Heat::Value
                uses = look_up(target)
            elif target.kind == CONDITION:  # which only says whether it holds
                uses = UNUSED
            else:
                makes_name = NAME.fullmatch(flow.key) is not None
                uses = Uses(makes_name, makes_name)
            if not uses.harmless:
                return HARMFUL
            named |= uses.named
        return Uses(True, named)


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
