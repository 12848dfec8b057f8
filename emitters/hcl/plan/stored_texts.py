"""Finds parameters and outputs of nested templates that pass the ID of a stored text (a software config).

Heat replaces such an ID by the text only in user data and in parts of a multipart message. A value that is used nowhere
else is passed as the text itself. A value that is also used elsewhere must be an ID, which exists only in Heat; then
the servers and messages that would read the text stay with Heat too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import final

from emitters.hcl.plan.modules import Modules
from transpile.model import heat_types, ir
from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import ATTRIBUTE, CONDITION, OUTPUT, PARAMETER, REFERENCE, RESOURCE, Flow, FlowNode
from transpile.resolve.groups import list_branches, member_properties
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import ValueFlow

STORED = (
    heat_types.SOFTWARE_CONFIG,
    heat_types.STRUCTURED_CONFIG,
    heat_types.CLOUD_CONFIG,
    heat_types.MULTIPART_MIME,
)
SERVER, MIME = heat_types.NOVA_SERVER, heat_types.MULTIPART_MIME
SWAPPED = (ir.Lit("RAW"), ir.Lit("SOFTWARE_CONFIG"))  # formats of user data for which Heat swaps an ID
PASSES = (PARAMETER, OUTPUT)


def mark_stored_texts(modules: Modules) -> None:
    """Marks the variables and outputs of all modules that hold a text in place of an ID. The resources that would read
    the text of another one must get it from Heat, by the ID.
    """
    if not modules.order:
        return
    texts = StoredTexts(modules.value_flow_of(modules.root.stack))
    if not any(kind in STORED for stack in texts.flow.stacks for kind in stack.types.values()):
        return
    for module in modules.order:
        for name in module.stack.template.parameters:
            node = texts.flow.parameter(module.stack, name)
            if texts.is_text(node):
                module.text_params.add(name)
            for flow in texts.lost_uses(node):
                module.text_partners.setdefault(flow.target.name, name)
        for name in module.stack.template.outputs:
            node = texts.flow.output(module.stack, name)
            if texts.is_text(node):
                module.text_outputs.add(name)
            for flow in texts.lost_uses(node):
                if flow.out_of is not None and flow.out_of.is_resource:
                    mixed = modules.module_of_stack(flow.out_of.stack).text_partners
                    mixed.setdefault(flow.target.name, flow.out_of.resource.name)
                    mixed.setdefault(flow.out_of.resource.name, flow.target.name)


@final
class StoredTexts:
    """The parameters and outputs that hold a text in place of an ID: all that may receive the ID of a stored text,
    without those that are used as IDs somewhere, and without those that share a value with these.
    """

    def __init__(self, flow: ValueFlow) -> None:
        self.flow = flow
        self.candidates = Analysis(self.sources_of, self.may_hold_text, start=False)
        self.texts = Analysis(self.candidates_around, self.holds_only_text, start=True)
        self.places: dict[tuple[int, str], frozenset[int]] = {}

    def is_text(self, node: FlowNode) -> bool:
        return self.candidates.value_of(node) and self.texts.value_of(node)

    def lost_uses(self, node: FlowNode) -> Iterator[Flow]:
        """The places that would read the text of a candidate that is no text."""
        if self.candidates.value_of(node) and not self.texts.value_of(node):
            yield from (flow for flow in self.flow.flows_from(node) if self.is_text_place(flow))

    # candidates

    def sources_of(self, node: FlowNode) -> list[FlowNode]:
        return [flow.source for flow in self.flow.flows_to(node) if flow.whole and node.kind in PASSES]

    def may_hold_text(self, node: FlowNode, look_up: Callable[[FlowNode], bool]) -> bool:
        """Whether a node may be the ID of a stored text: an output in all branches, a parameter in any call."""
        stack = self.flow.stacks[node.stack]
        if node.kind == ATTRIBUTE:
            return node.attribute == REFERENCE and stack.types[node.name] in STORED
        if node.kind == OUTPUT:
            branches = list_branches(stack.template.outputs[node.name].value)
            reads = [[read for read in self.flow.reads(stack, branch) if read.whole] for branch in branches]
            return all(any(look_up(read.node) and not read.path for read in of_branch) for of_branch in reads)
        return any(map(look_up, self.sources_of(node)))

    # elimination

    def candidates_around(self, node: FlowNode) -> Iterator[FlowNode]:
        """The candidates that share a value with one: those that get its value, and those that it gets a value from."""
        around = [flow.target for flow in self.flow.flows_from(node)]
        around += [flow.source for flow in self.flow.flows_to(node) if flow.whole]
        yield from (other for other in around if other.kind in PASSES and self.candidates.value_of(other))

    def holds_only_text(self, node: FlowNode, look_up: Callable[[FlowNode], bool]) -> bool:
        """Whether a candidate is used only where Heat takes the text."""
        if node.kind == OUTPUT and not all(call.is_resource for call in self.flow.calls[node.stack]):
            return False
        if node.stack == 0:  # people read the outputs of the root
            return False
        for flow in self.flow.flows_from(node):
            passes = flow.whole and flow.target.kind in PASSES and self.candidates.value_of(flow.target)
            if not passes and flow.target.kind != CONDITION and not self.is_text_place(flow):
                return False
        return all(map(look_up, self.candidates_around(node)))

    def is_text_place(self, flow: Flow) -> bool:
        """Whether an edge ends where Heat replaces the ID of a stored text by the text."""
        key = flow.target.stack, flow.target.name
        if flow.target.kind != RESOURCE:
            return False
        stack = self.flow.stacks[flow.target.stack]
        if key not in self.places:
            places = text_places(stack, stack.template.resources[flow.target.name])
            self.places[key] = frozenset(id(branch) for place in places for branch in list_branches(place))
        return id(flow.ref) in self.places[key] and all(read.whole for read in self.flow.reads(stack, flow.ref))


def text_places(stack: Stack, resource: ir.Resource) -> Iterator[ir.Expr]:
    """The expressions of a resource in which Heat replaces the ID of a stored text by the text."""
    kind, properties = resource.kind, resource.properties
    if kind not in (SERVER, MIME):
        properties = member_properties(resource)
        definition = resource.find_property("resource_def")
        written = definition.get("type") if isinstance(definition, ir.Map) else None
        kind = stack.canonical_type(str(written.value)) if isinstance(written, ir.Lit) else ""
    if kind == SERVER and properties.get("user_data_format") in SWAPPED:
        if (data := properties.get("user_data")) is not None:
            yield data
    elif kind == MIME and isinstance(parts := properties.get("parts"), ir.Seq):
        for part in parts.items:
            if isinstance(part, ir.Map) and (config := part.get("config")) is not None:
                yield config
