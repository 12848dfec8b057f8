"""Finds the resource whose name a value is, among those that the configuration makes.

Invariant: a reference to it closes no cycle.
"""

from __future__ import annotations

from typing import final

from transpile.model import ir
from transpile.resolve import graph
from transpile.resolve.lookup_places import Types
from transpile.resolve.origins import Origins
from transpile.resolve.stack import Stack

REFERENCES = (ir.ResourceRef, ir.AttrRef)


@final
class NamedResources:
    """The resources of stacks by their names."""

    def __init__(self, origins: Origins) -> None:
        self.origins = origins
        self.edges: dict[int, dict[str, list[str]]] = {}  # by id() of the stack: which resource needs which

    def reference_to_named(
        self, stack: Stack, owner: ir.Resource | None, expr: ir.Expr, kinds: Types
    ) -> ir.ResourceRef | ir.AttrRef | None:
        """The reference to the resource that a value names, if the configuration makes that. None if that resource
        itself waits for `owner`: then a reference would close a cycle.
        """
        origin = self.origins.trace_origin(stack, expr)
        reference = self.origins.find_resource_of_name(stack, origin, kinds)
        if reference is not None or isinstance(origin, REFERENCES):
            return reference
        reference = self.origins.find_resource_of_output(stack, expr, kinds) or self.origins.find_named_resource(
            stack, origin, kinds
        )
        if reference is None or owner is None:
            return reference
        edges = self.dependencies_of(stack)
        return None if owner.name in {reference.name, *graph.reachable_nodes(edges, [reference.name])} else reference

    def dependencies_of(self, stack: Stack) -> dict[str, list[str]]:
        """The dependencies between the resources of a stack. Code that adds a reference adds it here, too."""
        if id(stack) not in self.edges:
            self.edges[id(stack)] = graph.merge_edges(stack.needs, graph.explicit_edges(stack.template))
        return self.edges[id(stack)]
