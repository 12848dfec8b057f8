"""Closes a plan: keeps all resources that a resource in Heat drags along, and groups the kept ones into stacks.

Invariants: coupled resources stay together in one embedded stack. There is no dependency cycle through an embedded
stack: native resources on such a cycle join it. The set of kept resources only grows, and the set of preferred
conversions only shrinks, so the loop terminates.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection

from emitters.hcl.plan import left_out
from emitters.hcl.plan.planner import OUTPUT, ConversionPlan
from transpile.model import heat_types, ir
from transpile.resolve import graph

STACK = "stack/"  # before the number of an embedded stack; no resource has such a name, because Heat allows no / in it
CONFIGS = (heat_types.SOFTWARE_CONFIG, heat_types.STRUCTURED_CONFIG, heat_types.CLOUD_CONFIG, heat_types.MULTIPART_MIME)


def complete_plan(plan: ConversionPlan) -> None:
    """Closes the set of kept resources, and groups them into stacks. Each of the three steps may give the others new
    work: a resource that joins a stack for its partner may close a dependency cycle through that stack. So they run
    until none of them changes anything.
    """
    # `or` restarts with the cheapest step. The first one also groups, and `break_cycles` reads the groups.
    while keep_coupled_with_kept(plan) or break_cycles(plan) or revert_coupled_with_kept(plan):
        pass
    plan.indexes.clear()


def revert_coupled_with_kept(plan: ConversionPlan) -> bool:
    """Reverts the preferred conversions that a kept resource rules out. Returns whether there were any.

    Resources of signals and of scaling groups change together, see `ConversionPlan.treatment_partners`. A resource that
    is left out must not refer to one that stays: Heat runs that one anyway, and can run both.
    """
    before = len(plan.preferred)
    for name, kind in list(plan.preferred.items()):
        if kind.hook == left_out.HOOK and any(need in plan.kept for need in plan.needs.get(name, ())):
            plan.revert_preferred(name)
    partners = (
        plan.signals.link_treatments(plan.preferred) if plan.preferred and plan.signals.has_any and plan.kept else {}
    )
    for name in sorted({*partners, *plan.preferred}, key=plan.template_positions.__getitem__):
        if name in plan.kept:
            plan.revert_with_partners(name)
    if len(plan.preferred) == before:
        return False
    if plan.stack.nested:  # a faithful conversion may now be coupled with a nested template
        plan.keep_coupled_across_templates()
    return True


def keep_coupled_with_kept(plan: ConversionPlan) -> bool:
    """Keeps resources that work only together with a kept one, and groups. Returns whether more are kept now."""
    if not plan.kept:
        group_kept_resources(plan)
        return False
    before = len(plan.kept)
    folded = dict.fromkeys(  # in the order of the template, in which reasons are found
        name for name, kind in plan.kinds.items() if kind.treatment == "folded" and name not in plan.kept
    )
    # One round of each is enough here, because `complete_plan` repeats them until nothing grows.
    keep_partners(plan, folded)
    keep_configs(plan, folded)
    keep_connections(plan, folded)
    keep_listed_subnets(plan)
    keep_gateways(plan)
    group_kept_resources(plan)
    return len(plan.kept) > before


def keep_partners(plan: ConversionPlan, folded: Collection[str]) -> None:
    """Keeps each resource that works only together with a type of which a resource is kept (`stays_with` in the table).
    Folded resources between the two are transparent: a deployment reaches its server through its configuration.
    """
    for name, kind in plan.kinds.items():
        if name in plan.kept or name in plan.disabled or not kind.stays_with:
            continue
        beyond = graph.reachable_nodes(plan.needs, [name], lambda n: n in folded) | graph.reachable_nodes(
            plan.referring_resources, [name], lambda n: n in folded
        )
        partners = (
            p for p in beyond if p in plan.kept and p not in plan.readers and plan.stack.types.get(p) in kind.stays_with
        )
        partner = min(partners, key=lambda p: plan.template.resources[p].at, default="")
        if partner:
            plan.keep_with_partner(name, f"it works only together with {partner}")


def keep_configs(plan: ConversionPlan, folded: Collection[str]) -> None:
    """Keeps each configuration that only kept resources use, so that the embedded stack has it as the template does."""
    read_names = {
        r.name
        for o in plan.template.outputs.values()
        for r in o.refs
        if isinstance(r, (ir.ResourceRef, ir.AttrRef)) and OUTPUT + o.name not in plan.kept
    }
    todo = [name for name in folded if plan.stack.types[name] in CONFIGS and name not in read_names]
    candidates = set(todo)
    for name in todo:
        users = plan.referring_resources.get(name)
        if name not in plan.kept and users and all(u in plan.kept or u in plan.disabled for u in users):
            plan.keep_with_partner(name, f"it is used only by {users[0]}, which stays with Heat")
            todo += [need for need in plan.needs.get(name, ()) if need in candidates]


def keep_connections(plan: ConversionPlan, folded: Collection[str]) -> None:
    """Keeps each folded resource that connects two kept ones which work only together."""
    for name in plan.template.resources:
        if name not in folded or name in plan.kept:
            continue
        above = plan.kept.keys() & graph.reachable_nodes(plan.referring_resources, [name], lambda n: n in folded)
        below = plan.kept.keys() & graph.reachable_nodes(plan.needs, [name], lambda n: n in folded)
        pairs = ((a, b) for a in sorted(above) for b in sorted(below) if are_coupled(plan, a, b))
        for first, second in itertools.islice(pairs, 1):
            plan.keep_with_partner(name, f"it connects {first} and {second}, which work only together")


def keep_listed_subnets(plan: ConversionPlan) -> None:
    """Keeps the subnets of each kept network whose list of subnets is read: Heat lists only those that it made."""
    for network, subnets in plan.subnets_by_network.items():
        for name in subnets if network in plan.kept else ():
            if name not in plan.kept and name not in plan.disabled:
                plan.keep_with_partner(name, f"the template reads the subnets of {network}, which stays with Heat")


def keep_gateways(plan: ConversionPlan) -> None:
    """Keeps the gateway of each kept router: a native gateway is an argument of a native router."""
    for name, resource in plan.template.resources.items():
        gateway = plan.stack.types[name] == heat_types.NEUTRON_ROUTER_GATEWAY
        if gateway and name not in plan.kept and name not in plan.disabled and not plan.native_router_of(resource):
            plan.keep_with_partner(name, "its router stays with Heat")


def are_coupled(plan: ConversionPlan, first: str, second: str) -> bool:
    """Whether two resources are coupled: across templates, or by their types."""
    types = plan.stack.types
    return (
        second == plan.partners.get(first)
        or first == plan.partners.get(second)
        or plan.tables.must_stay_together(types.get(first, ""), types.get(second, ""))
    )


def dependencies_with_outputs(plan: ConversionPlan) -> graph.Edges:
    """The edges from each resource to those it waits for, and from each kept output to those it reads."""
    if not plan.outputs:
        return plan.dependencies
    return graph.merge_edges(plan.dependencies, plan.outputs)


def group_kept_resources(plan: ConversionPlan) -> None:
    """Groups the kept resources into stacks: connected components, each in template order. Separate stacks can be
    created at the same time, and an update of one leaves the others alone.
    """
    plan.groups, plan.group_of = [], {}
    near: dict[str, set[str]] = {name: set() for name in plan.kept}
    edges = dependencies_with_outputs(plan)
    for name in plan.kept:
        for other in edges.get(
            name, ()
        ):  # a reader has a stack of its own, created again with the resource that it reads
            if other in plan.kept and name not in plan.readers and other not in plan.readers:
                near[name].add(other)
                near[other].add(name)
    if plan.modules.find_running(plan.stack).exists:  # the old stack is the only one
        near = {name: near.keys() - {name} for name in near}
    alone = [key for key in plan.outputs if key in near and not near[key]]
    for key in alone[1:]:  # outputs without references into Heat share one stack
        near[alone[0]].add(key)
        near[key].add(alone[0])
    order = [*plan.template.resources, *plan.outputs]
    place = {name: index for index, name in enumerate(order)}
    for name in order:
        if name in plan.kept and name not in plan.group_of:
            members = {name} | graph.reachable_nodes(near, [name])
            for member in members:
                plan.group_of[member] = len(plan.groups)
            plan.groups.append(sorted(members, key=place.__getitem__))


def break_cycles(plan: ConversionPlan) -> bool:
    """Keeps native resources on dependency cycles through an embedded stack. Returns whether there were any. Terraform
    sees the stack as one resource. If `a` in it needs the native `b`, and `b` needs `c` in it, then `b` joins it.
    """
    if not plan.groups:
        return False

    def node_of(name: str) -> str:
        return f"{STACK}{plan.group_of[name]}" if name in plan.group_of else name

    condensed: dict[str, list[str]] = {}
    for name, needs in dependencies_with_outputs(plan).items():
        condensed.setdefault(node_of(name), []).extend(node_of(n) for n in needs if node_of(n) != node_of(name))
    grown = False
    for circle in graph.find_cycles(condensed):
        stacks = [c for c in circle if c.startswith(STACK)]
        between = [c for c in circle if c in plan.template.resources and c not in plan.kept]
        if stacks and between:
            for name in between:
                plan.keep_with_partner(name, "it depends on that stack, and the stack depends on it")
            grown = True
    return grown
