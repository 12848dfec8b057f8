"""Writes `depends_on`.

Invariant: a dependency is written only if no chain of references implies it, and never if it would close a cycle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

from emitters.hcl.assemble.module_graph import RULE, VALUES, ModuleDirectory
from emitters.hcl.assemble.references import list_addresses
from emitters.hcl.emission import Emission
from emitters.hcl.ordering import Wait
from emitters.hcl.tree.nodes import REPEATS, Argument, Block, Traversal, Tuple
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.records import EMPTY
from transpile.report import make_fate
from transpile.resolve import graph
from transpile.resolve.reachability import Reachability

MANY = 20  # resources; waiting for so many is written once for all that wait for the same
GATE = "terraform_data"  # the type of the block that others wait for instead


def build_dependency_edges(emission: Emission, inner: Mapping[str, ModuleDirectory]) -> dict[str, set[str]]:
    """The dependency edges of all blocks and locals, by address. inner: the modules, by the address of the call.

    A block that reads an output of a module gets an edge to the whole module, and a module has its edges as a whole,
    because `module_order` will make them wait so.
    """
    out: dict[str, set[str]] = {}
    calls: dict[str, Block] = {}
    for item in (*emission.blocks.main, *emission.blocks.data):
        if isinstance(item, Block) and item.labels:
            out[item.address] = set(list_addresses(*item.body))
            calls |= {item.address: item} if item.type == "module" else {}
    for name, argument in emission.blocks.locals.items():
        out[f"local.{name}"] = set(list_addresses(argument))
    if inner:
        for targets in list(out.values()):
            for output_address in [
                target for target in targets if target.count(".") == 2 and target.startswith("module.")
            ]:
                call, _, label = output_address.rpartition(".")
                if inner[call].leaves:
                    targets.add(call)
                else:  # the module has no resources: the output leads to the arguments that its value uses
                    out[output_address] = addresses_in_arguments(
                        calls[call], inner[call].variables_by_output.get(label, ())
                    )
        waits = heat_dependencies(emission, inner)
        for name, report in emission.log.report.resources.items():
            for address in report.addresses:
                if address in inner and inner[address].leaves:
                    out[address].update(
                        target for need in waits.get(name, ()) for target in managed_addresses(emission, need, inner)
                    )
                    out[address].discard(address)
    return out


def addresses_in_arguments(call: Block, variables: Iterable[str]) -> set[str]:
    """The addresses in the arguments for some variables, and in `count` and `for_each` of the call."""
    names = {*variables, *REPEATS}
    arguments = [item for item in call.body if isinstance(item, Argument) and item.name in names]
    return set(list_addresses(*arguments))


def managed_addresses(emission: Emission, name: str, inner: Mapping[str, ModuleDirectory]) -> list[str]:
    """The addresses of a resource that resources of other templates wait for. Random values are left out: nobody can
    see when one was made.
    """
    return [address for address in dependable_addresses(emission, name, inner) if not address.startswith(VALUES)]


def heat_dependencies(emission: Emission, inner: Mapping[str, ModuleDirectory]) -> dict[str, list[str]]:
    """The names of the resources that each resource waits for in Heat. If a resource has no block to wait for, the
    names that it waits for take its place.
    """
    plan = emission.unit.plan
    dependencies: dict[str, dict[str, None]] = {}
    for circle in graph.strong_components(plan.dependencies):
        for name in circle:
            needs = dependencies.setdefault(name, {})
            waits = name not in plan.disabled and not emission.unit.template.resources[name].is_existing
            for need in plan.dependencies.get(name, ()) if waits else ():
                needs |= {need: None} if managed_addresses(emission, need, inner) else dependencies.get(need, {})
            needs.pop(name, None)
    return {name: list(needs) for name, needs in dependencies.items()}


def write_depends_on(emission: Emission, inner: Mapping[str, ModuleDirectory]) -> None:
    """Writes `depends_on` where no reference implies it, and the fates of the template's keys. `module_waits` does so
    for the calls of modules, when all modules are known.
    """
    emission.ordering.waiting += emission.ordering.embedded
    edges = build_dependency_edges(emission, inner)
    add_unwritten_waits(emission, edges)
    add_waits_behind(emission, edges, inner)
    waiting = expand_waits(emission, [wait for wait in emission.ordering.waiting if wait.block.type != "module"], inner)
    waiting = share_long_waits(emission, edges, waiting)
    if not waiting:
        return
    steps = [(here, list(waits)) for here, waits in groupby(waiting, lambda wait: wait.block.address)]
    offered = [(here, [a for wait in waits for a in offered_addresses(emission, wait)]) for here, waits in steps]
    reachability = Reachability(edges, [(here, [a for a in targets if can_wait(a, here)]) for here, targets in offered])
    missing_by_block: dict[int, list[str]] = {}
    blocks: dict[int, Block] = {}
    for step, (here, waits) in enumerate(steps):
        reachability.begin_step(step, here, offered[step][1])
        for wait in waits:
            missing: list[str] = []
            refused: list[str] = []  # it would create a cycle
            for name in wait.needs:
                named = waited_addresses(emission, name, all_of=wait.all_of)
                if len(named) < len(block_addresses(emission, name)) and wait.key:
                    report_rules(emission, wait.owner, name)
                if (
                    named and not wait.all_of and (named[0] == here or reachability.leads_to(here, named[0]))
                ):  # references always go to the main block
                    continue
                for address in named:
                    if not can_wait(address, here) or reachability.leads_to(here, address):
                        continue
                    if reachability.leads_to(address, here):
                        refused += [address] if wait.key else []
                        continue
                    missing.append(address)
                    reachability.add_edge(address)
            if missing:
                missing_by_block.setdefault(id(wait.block), []).extend(missing)
                blocks[id(wait.block)] = wait.block
            report_wait(emission, wait, missing, refused, here)
    reachability.finish_steps()
    for place, listed in missing_by_block.items():
        implied = reachability.implied_names(listed) if len(listed) > 1 else ()
        kept = [a for a in listed if a not in implied]
        add_depends_on(blocks[place], kept)


def share_long_waits(emission: Emission, edges: dict[str, set[str]], waiting: list[Wait]) -> list[Wait]:
    """Lets blocks that would wait for the same many others wait for one `terraform_data` instead, which waits for all
    of these. So 800 ports in a network with 800 subnets have 1,600 dependencies, not 640,000. Returns the other waits.
    """
    by_needs: dict[tuple[str, ...], list[Wait]] = {}
    for wait in waiting:
        if len(wait.needs) >= MANY and not wait.key and not wait.all_of:
            by_needs.setdefault(tuple(wait.needs), []).append(wait)
    shared = set[int]()
    offered: graph.Edges | None = None
    for needs, waits in by_needs.items():
        addresses = [a for name in needs for a in waited_addresses(emission, name, all_of=False) if can_wait(a, "")]
        if len(waits) < 2 or len(addresses) < MANY or emission.unit.running.exists:
            continue
        if offered is None:
            whole = dict[str, set[str]]()
            for wait in waiting:
                whole.setdefault(wait.block.address, set()).update(offered_addresses(emission, wait))
            offered = graph.merge_edges(edges, whole)
        first = graph.reachable_nodes(offered, addresses) | {*addresses}
        if any(wait.block.address in first for wait in waits):  # each edge must be looked at
            continue
        block = Block("resource", (GATE, emission.names.reserve_label(GATE, name_gate(emission, needs))))
        block.comments.append(f" Blocks that depend on all of these {len(addresses)} depend on this one.")
        emission.blocks.add_block(block, needs[-1])
        add_depends_on(block, addresses)
        edges[block.address] = {*addresses}
        for wait in waits:
            if block.address not in edges.setdefault(wait.block.address, set()):
                edges[wait.block.address].add(block.address)
                report_wait(emission, wait, [block.address], [], wait.block.address)
                add_depends_on(wait.block, [block.address])
        shared |= {id(wait) for wait in waits}
    return [wait for wait in waiting if id(wait) not in shared] if shared else waiting


def name_gate(emission: Emission, needs: Iterable[str]) -> str:
    """A label for the block that waits for some resources: `subnets` if all of them are subnets."""
    kinds = {emission.unit.stack.types[name].rpartition("::")[2].lower() for name in needs}
    return f"{kinds.pop()}s" if len(kinds) == 1 else "created_first"


def add_depends_on(block: Block, addresses: Iterable[str]) -> None:
    """Adds addresses to `depends_on` of a block."""
    traversals = tuple(Traversal(tuple(address.split("."))) for address in addresses)
    argument = next((a for a in block.body if isinstance(a, Argument) and a.name == "depends_on"), None)
    if argument is None:
        block.add_argument("depends_on", Tuple(traversals))
    else:
        assert isinstance(argument.value, Tuple)
        argument.value = Tuple((*argument.value.items, *traversals))


def expand_waits(emission: Emission, waiting: list[Wait], inner: Mapping[str, ModuleDirectory]) -> list[Wait]:
    """The waits, each with the further needs of those resources that have no block to wait for."""
    plan, passed = emission.unit.plan, None
    out: list[Wait] = []
    blockless = {
        name for name, needs in plan.dependencies.items() if needs and not dependable_addresses(emission, name, inner)
    }
    for wait in waiting:
        nothing = [need for need in wait.needs if need in blockless]
        if nothing:
            passed = passed if passed is not None else heat_dependencies(emission, inner)
            more = (target for need in nothing if need in passed for target in passed[need])
            wait = wait._replace(needs=list(dict.fromkeys((*wait.needs, *more))))
        out.append(wait)
    return out


def block_addresses(emission: Emission, name: str) -> list[str]:
    """The addresses of a resource's blocks, except for data sources."""
    return emission.log.addresses_of(name, with_data=False)


def waited_addresses(emission: Emission, name: str, *, all_of: bool) -> list[str]:
    """The addresses of a resource's blocks that others wait for: without rules, if order comes from references and all
    blocks are not needed.
    """
    addresses, modules = block_addresses(emission, name), emission.unit.modules
    if all_of or not modules.rules.by_references:
        return addresses
    return [*addresses[:1], *(address for address in addresses[1:] if not address.startswith(RULE))]


def report_reference(emission: Emission, name: str, need: str) -> None:
    """Reports that a resource does not wait for all of a nested stack that it refers to, or that, as a nested stack,
    not all of its own resources wait.
    """
    message = "Ordered by references alone: {}. In Heat the first waits for all of the other."
    hint = "Add depends_on to the template where the order matters, or convert with --option order=heat."
    where = emission.unit.template.resources[name].name_span
    emission.log.gather_name(codes.ORDER_BY_REFERENCES, message, f"{name} after {need}", "", where, hint)


def report_rules(emission: Emission, name: str, need: str) -> None:
    """Reports that a resource does not wait for the rules of security groups."""
    message = "Not ordered after rules of security groups: {}. In Heat the first waits for all of the other."
    where = emission.unit.template.resources[name].name_span
    hint = "Convert with --option order=heat if the rules must be there first."
    emission.log.gather_name(codes.ORDER_BY_REFERENCES, message, f"{name} after {need}", "", where, hint)


def offered_addresses(emission: Emission, wait: Wait) -> list[str]:
    return [address for name in wait.needs for address in waited_addresses(emission, name, all_of=wait.all_of)]


def can_wait(address: str, here: str) -> bool:
    """Whether a block can have an address in its `depends_on`."""
    return address != here and not address.startswith(("local.", "data."))


def add_unwritten_waits(emission: Emission, edges: dict[str, set[str]]) -> None:
    """Adds waits for references that are in the template and not in the output, because Heat waits for those, too."""
    blocks = {b.address: b for b in emission.blocks.main if isinstance(b, Block)}
    reachability: Reachability | None = None  # rarely needed
    for owner, needed in emission.unit.stack.needs.items():
        report = emission.log.report.resources[owner]
        own_addresses = report.addresses
        if (
            not needed
            or not own_addresses
            or own_addresses[0] not in blocks
            or report.treatment in ("data", "embedded")
        ):
            continue
        direct = set[str]().union(*(edges.get(a, ()) for a in own_addresses))
        unwritten = [
            need for need in needed if need != owner and not direct & set(dependable_addresses(emission, need))
        ]
        if unwritten and not all(
            a in own_addresses for need in unwritten for a in dependable_addresses(emission, need)
        ):
            resource = emission.unit.template.resources[owner]
            certain = certain_references(resource.properties) | certain_references(resource.metadata)
            why = "Heat creates it first: the template refers to it in a part that is not written here"
            reachability = reachability or Reachability(edges)
            for need in unwritten:
                if need in certain and not any(
                    reachability.leads_to(own, to)
                    for own in own_addresses
                    for to in dependable_addresses(emission, need)
                ):
                    emission.ordering.waiting.append(Wait(blocks[own_addresses[0]], owner, [need], "", why))


def add_waits_behind(emission: Emission, edges: dict[str, set[str]], inner: Mapping[str, ModuleDirectory]) -> None:
    """Adds waits for the dependencies of a resource that has no block itself: a value with `depends_on`, or a nested
    stack without resources.
    """
    plan, resources = emission.unit.plan, emission.unit.template.resources
    if not any(
        needed
        and (resources[name].depends_on or name in plan.nested or name in plan.preferred)
        and not dependable_addresses(emission, name, inner)
        for name, needed in plan.dependencies.items()
    ):
        return
    blocks = {b.address: b for b in emission.blocks.main if isinstance(b, Block) and b.type == "resource"}
    reachability = Reachability(edges)
    for owner, needed in heat_dependencies(emission, inner).items():
        own_addresses = emission.log.report.resources[owner].addresses
        behind = (
            [need for need in needed if need not in plan.dependencies[owner]]
            if own_addresses and own_addresses[0] in blocks
            else ()
        )
        for need in behind:
            target_addresses = dependable_addresses(emission, need, inner)
            if not any(reachability.leads_to(own, to) for own in own_addresses for to in target_addresses):
                why = "Heat creates it before something that this refers to, and that is nothing here"
                emission.ordering.waiting.append(Wait(blocks[own_addresses[0]], owner, [need], "", why))


def certain_references(expr: ir.Expr | None) -> set[str]:
    """The resources that an expression refers to outside branches of `if`: Heat does not wait for a branch that is not
    taken.
    """
    names: set[str] = set()
    stack = [expr] if expr is not None else []
    while stack:
        current = stack.pop()
        if isinstance(current, (ir.ResourceRef, ir.AttrRef)):
            names.add(current.name)
        if not isinstance(current, ir.If):
            stack += ir.children(current)
    return names


def dependable_addresses(emission: Emission, name: str, inner: Mapping[str, ModuleDirectory] = EMPTY) -> list[str]:
    """The addresses of a resource that `depends_on` can contain: blocks, and calls of modules that contain any."""
    addresses = (a for a in block_addresses(emission, name) if not a.startswith(("local.", "data.")))
    return [address for address in addresses if address not in inner or inner[address].leaves]


REFUSED_CYCLE = make_fate("dropped", code=codes.WEAKER_ORDER, why="Terraform would refuse the cycle")


def report_wait(emission: Emission, wait: Wait, missing: list[str], refused: list[str], here: str) -> None:
    report = emission.log.report.resources[wait.owner]
    for address in refused:
        message = f"{here} does not wait for {address}, as it does in Heat: Terraform would refuse the cycle."
        emission.log.add_diagnostic(codes.WEAKER_ORDER, message, wait.block)
    if wait.key and refused and not missing:
        report.keys[wait.key] = REFUSED_CYCLE
    elif wait.key:
        if missing:
            report.keys[wait.key] = make_fate(
                "derived", here, "depends_on", "dependencies without a reference are written out"
            )
        else:
            report.keys[wait.key] = make_fate(
                "implied",
                here,
                why="references imply the dependency, or there is nothing to wait for",
            )
    elif missing:
        comment = next((a for a in wait.block.body if isinstance(a, Argument) and a.name == "depends_on"), None)
        if comment is None:
            emission.ordering.reasons.setdefault(id(wait.block), []).append(wait.why)
