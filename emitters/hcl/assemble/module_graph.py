"""The dependency graph of one directory, and the summary of it that its callers need.

Nodes are addresses, as `references` finds them. A call of a module has more nodes: `module.x:` is its beginning
(`count`, `for_each` and `depends_on`), and `module.x:y` is its argument y. Sets of nodes are masks, with one bit for
each node.

Invariant: the graph does not depend on the callers, so it is built once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, final

from emitters.hcl.assemble.references import list_addresses
from emitters.hcl.emission import Emission
from emitters.hcl.tree.nodes import REPEATS, Argument, Block
from transpile.resolve import graph

BEGINNING = (*REPEATS, "depends_on")  # the arguments that all of a module waits for
FIXED = ("source", *BEGINNING)
VALUES = "random_"  # resources that exist only in the state: nobody can see when they were created
RULE = "openstack_networking_secgroup_rule_v2."
# types that belong to the object that they refer to, which is of little use without them
PARTS = (
    "openstack_networking_subnet_v2.",
    "openstack_networking_subnet_route_v2.",
    "openstack_networking_router_interface_v2.",
    "openstack_networking_router_route_v2.",
    "openstack_networking_floatingip_associate_v2.",
    "openstack_networking_portforwarding_v2.",
    "openstack_networking_trunk_v2.",
    "openstack_compute_interface_attach_v2.",
    "openstack_compute_volume_attach_v2.",
    "openstack_compute_floatingip_associate_v2.",
    "openstack_lb_",
)


class GraphPart(NamedTuple):
    """A unit of the order: a block, or all resources in a call of a module that read the same variables of the module.

    address: of the block or call. variables: for a call, the variables that its resources read.
    """

    address: str
    variables: frozenset[str] = frozenset()


@final
class ModuleDirectory:
    """A directory, written except for its order. inner: the directories of its calls, by address.

    leaves: the addresses of the resources of the template, in order: blocks, and calls that contain any. completed: by
    the label of an output, the leaves that it must wait for in addition to its value. late_parts: the parts that wait
    for the addresses that a caller passes in `wait_for`.
    """

    def __init__(self, emission: Emission, inner: Mapping[str, ModuleDirectory]) -> None:
        self.emission, self.inner = emission, inner
        self.by_references = emission.unit.modules.rules.by_references
        self.outputs = [block.labels[0] for block in emission.blocks.outputs]
        self.calls = {b.address: b for b in emission.blocks.main if isinstance(b, Block) and b.type == "module"}
        self.leaves = self.list_leaves()
        self.edges = self.build_graph()
        self.bits: dict[str, int] = {}
        self.reach: dict[str, int] = {}  # the nodes that each node leads to, itself only if it is on a cycle
        self.compute_reach()
        self.variables = {name.removeprefix("var."): bit for name, bit in self.bits.items() if name.startswith("var.")}
        self.variables_by_output = {label: self.variables_in(self.reach[f"output.{label}"]) for label in self.outputs}
        self.parts = self.group_parts()
        self.completed: dict[str, list[str]] = {}
        self.late_parts: set[GraphPart] = set()
        self.coverage: dict[frozenset[str], bool] = {}
        self.first = self  # of the directories that are equal to this one

    def share_order(self, first: ModuleDirectory) -> None:
        """Shares the effects of callers on the order with an equal directory."""
        self.first = first
        self.completed, self.late_parts, self.coverage = first.completed, first.late_parts, first.coverage

    def list_leaves(self) -> list[str]:
        emission = self.emission
        blocks = {block.address for block in emission.blocks.main if isinstance(block, Block)}
        leaves: dict[str, None] = {}
        for name, report in emission.log.report.resources.items():
            if name not in emission.unit.plan.readers:
                leaves |= dict.fromkeys(a for a in report.addresses if a in blocks and self.is_managed(a))
        return list(leaves)

    def leaves_out_rules(self) -> bool:
        """Whether it has rules of security groups, in modules too, for which nobody waits."""
        blocks = self.emission.blocks.main
        own = any(isinstance(block, Block) and block.address.startswith(RULE) for block in blocks)
        return self.by_references and (own or any(inner.leaves_out_rules() for inner in self.inner.values()))

    def is_managed(self, address: str) -> bool:
        """Whether anything in a block or call exists outside Terraform."""
        return bool(self.inner[address].leaves) if address in self.inner else not address.startswith(VALUES)

    def reads_data(self) -> bool:
        """Whether there is a data source in it or in a module inside. Terraform reads one at apply, and not when it
        plans, if the call of its module has `depends_on`.
        """
        items = (*self.emission.blocks.main, *self.emission.blocks.data)
        own = any(isinstance(item, Block) and item.type == "data" for item in items)
        return own or any(inner.reads_data() for inner in self.inner.values())

    # the graph

    def build_graph(self) -> dict[str, list[str]]:
        blocks = self.emission.blocks
        edges: dict[str, list[str]] = {}
        for item in (*blocks.main, *blocks.data):
            if isinstance(item, Block) and item.labels:
                if item.type == "module":
                    self.add_call(item, edges)
                else:
                    edges[item.address] = list(dict.fromkeys(list_addresses(*item.body)))
        for name, argument in blocks.locals.items():
            edges[f"local.{name}"] = list_addresses(argument)
        for block in blocks.outputs:
            edges[f"output.{block.labels[0]}"] = list(dict.fromkeys(list_addresses(*block.body)))
        return edges

    def add_call(self, block: Block, edges: dict[str, list[str]]) -> None:
        here, child = block.address, self.inner[block.address]
        begin = f"{here}:"
        whole = edges.setdefault(here, [begin])
        edges[begin] = []
        for argument in block.body:
            if isinstance(argument, Argument) and argument.name in BEGINNING:
                edges[begin] += list_addresses(argument)
            elif isinstance(argument, Argument) and argument.name not in FIXED:
                edges[f"{begin}{argument.name}"] = list_addresses(argument)
                whole.append(f"{begin}{argument.name}")
        for label in child.outputs:
            edges[f"{here}.{label}"] = [begin, *(f"{begin}{name}" for name in child.variables_by_output[label])]

    def compute_reach(self) -> None:
        bits, reach = self.bits, self.reach
        for circle in graph.strong_components(self.edges):
            mask = 0
            for name in circle:
                bits[name] = 1 << len(bits)
            for name in circle:
                for to in self.edges.get(name, ()):
                    mask |= bits[to] | reach.get(to, 0)
            for name in circle:
                reach[name] = mask

    # questions

    def variables_in(self, mask: int) -> list[str]:
        """The variables in a mask."""
        return [name for name, bit in self.variables.items() if mask & bit]

    def reach_of_part(self, part: GraphPart) -> int:
        """The mask of the nodes that a part of this directory leads to."""
        if part.address not in self.calls:
            return self.reach[part.address]
        mask = self.reach[f"{part.address}:"]
        for name in part.variables:
            mask |= self.reach.get(f"{part.address}:{name}", 0)
        return mask

    def group_parts(self) -> dict[frozenset[str], list[GraphPart]]:
        """The parts of the directory, by the variables that they read."""
        parts_by_variables: dict[frozenset[str], list[GraphPart]] = {}
        for leaf in self.leaves:
            parts = (
                [GraphPart(leaf, read) for read in self.inner[leaf].parts] if leaf in self.inner else [GraphPart(leaf)]
            )
            for part in parts:
                parts_by_variables.setdefault(frozenset(self.variables_in(self.reach_of_part(part))), []).append(part)
        return parts_by_variables

    def outputs_in(self, call: str, mask: int) -> list[str]:
        """The labels of the outputs of a call that are in a mask."""
        labels = self.inner[call].outputs
        return [label for label in labels if mask & self.bits.get(f"{call}.{label}", 0)]

    def waits_for(self, leaf: str, mask: int) -> bool:
        """Whether a node that leads to a mask waits for all resources of a leaf."""
        if mask & self.bits.get(leaf, 0):
            return True
        return leaf in self.inner and self.inner[leaf].waits_for_all(frozenset(self.outputs_in(leaf, mask)))

    def waits_for_all(self, outputs: frozenset[str]) -> bool:
        """Whether outputs that are read together wait for all leaves. Remembered, because calls ask it often."""
        if not outputs:
            return not self.leaves
        if outputs not in self.coverage:
            self.coverage[outputs] = not self.missing_leaves(outputs)
        return self.coverage[outputs]

    def missing_leaves(self, outputs: Iterable[str]) -> list[str]:
        """The leaves that outputs do not wait for."""
        mask = 0
        for label in outputs:
            mask |= self.reach[f"output.{label}"]
            for leaf in self.completed.get(label, ()):
                mask |= self.bits[leaf] | self.reach[leaf]
        needed = [leaf for leaf in self.leaves if not (self.by_references and leaf.startswith(RULE))]
        return [leaf for leaf in needed if not self.waits_for(leaf, mask)]

    # decisions

    def can_depend(self, address: str, target: str) -> bool:
        """Whether a block or call can have an address in its `depends_on`. All of a module waits then, as it does in
        Heat, if that makes no cycle and no data source late.
        """
        own = self.bits[address]
        if address in self.inner:
            if self.inner[address].reads_data():
                return False
            own |= self.bits[f"{address}:"]
            for label in self.inner[address].outputs:
                own |= self.bits.get(f"{address}.{label}", 0)
        return not self.reach.get(target, 0) & own

    def complete_outputs(self, outputs: list[str], *, with_parts: bool = False) -> bool:
        """Makes outputs that are read together wait for all leaves; with_parts: only for leaves that belong to the
        read resource. Only one output gets the waits: one that has some already, or else the one that lacks the fewest.
        Returns whether the outputs wait for all leaves then.
        """
        missing = self.missing_leaves(outputs)
        needed = [leaf for leaf in missing if not with_parts or self.belongs_to(leaf, outputs)]
        if needed:
            label = next((o for o in outputs if o in self.completed), None)
            label = label or min(outputs, key=lambda candidate: len(self.missing_leaves([candidate])))
            self.completed.setdefault(label, []).extend(needed)
            self.coverage.clear()
        return len(needed) == len(missing)

    def belongs_to(self, leaf: str, outputs: Iterable[str]) -> bool:
        """Whether a leaf belongs to an object in outputs, as a subnet does to its network."""
        mask = 0
        for label in outputs:
            mask |= self.reach[f"output.{label}"]
        objects = 0
        for other in self.leaves:
            objects |= self.bits[other] & mask
        return self.has_parts(leaf) and bool(self.reach[leaf] & objects)

    def has_parts(self, leaf: str) -> bool:
        """Whether a leaf belongs to another object, or has such a resource inside."""
        if leaf in self.inner:
            return any(self.inner[leaf].has_parts(inner) for inner in self.inner[leaf].leaves)
        return leaf.startswith(PARTS)

    def last_leaves(self, leaves: Iterable[str]) -> list[str]:
        """The leaves that no other of the given leaves waits for, in order. To wait for these is to wait for all."""
        candidates, reach = set(leaves), 0
        for leaf in candidates:
            reach |= self.reach[leaf]
        return [leaf for leaf in self.leaves if leaf in candidates and not self.waits_for(leaf, reach)]

    def first_late_parts(self) -> Iterator[GraphPart]:
        """The late parts that lead to no other late part. If these wait, the other late parts do, too."""
        own = 0
        for part in self.late_parts:
            own |= self.bits[part.address]
        inner = {part.address for part in self.late_parts if part.address in self.inner}
        place = {leaf: i for i, leaf in enumerate(self.leaves)}
        for part in sorted(
            self.late_parts, key=lambda late_part: (place[late_part.address], sorted(late_part.variables))
        ):
            mask = self.reach_of_part(part)
            behind = any(self.inner[c].waits_for_late_part(self.outputs_in(c, mask)) for c in inner)
            if not mask & own and not behind:
                yield part

    def waits_for_late_part(self, outputs: Iterable[str]) -> bool:
        """Whether outputs wait for a late part."""
        for label in outputs:
            mask = self.reach[f"output.{label}"]
            for leaf in self.completed.get(label, ()):
                mask |= self.bits[leaf] | self.reach[leaf]
            for part in self.late_parts:
                if mask & self.bits[part.address]:
                    return True
                if part.address in self.inner and self.inner[part.address].waits_for_late_part(
                    self.outputs_in(part.address, mask)
                ):
                    return True
        return False
