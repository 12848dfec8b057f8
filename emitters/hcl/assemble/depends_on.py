"""Writes `depends_on`.

Invariant: a dependency is written only if no chain of references implies it, and never if it would close a cycle.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from emitters.hcl.assemble.module_graph import REPEATS, VALUES
from emitters.hcl.assemble.references import inside, references
from emitters.hcl.ordering import Wait
from emitters.hcl.tree.nodes import Argument, Block, Name, Tuple
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.records import EMPTY
from transpile.report import fate
from transpile.resolve import graph
from transpile.resolve.reachability import Reachability

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from emitters.hcl.assemble.module_graph import Directory
    from emitters.hcl.emission import Emission


def needs(emission: Emission, inner: Mapping[str, Directory]) -> dict[str, set[str]]:
    """The dependency edges of all blocks and locals, by address. inner: the modules, by the address of the call.

    A block that reads an output of a module gets an edge to the whole module, and a module has its edges as a whole,
    because `module_order` will make them wait so.
    """
    out: dict[str, set[str]] = {}
    calls: dict[str, Block] = {}
    for item in (*emission.blocks.main, *emission.blocks.data):
        if isinstance(item, Block) and item.labels:
            out[item.address] = inside(item.body)
            calls |= {item.address: item} if item.type == "module" else {}
    for name, argument in emission.blocks.locals.items():
        out[f"local.{name}"] = set(references(argument.value))
    if inner:
        for found in list(out.values()):
            for one in [one for one in found if one.count(".") == 2 and one.startswith("module.")]:
                call, _, label = one.rpartition(".")
                if inner[call].leaves:
                    found.add(call)
                else:  # the module has no resources: the output leads to the arguments that its value uses
                    out[one] = through_call(calls[call], inner[call].through.get(label, ()))
        waits = required(emission, inner)
        for name, report in emission.log.report.resources.items():
            for address in report.addresses:
                if address in inner and inner[address].leaves:
                    out[address].update(one for need in waits.get(name, ()) for one in managed(emission, need, inner))
                    out[address].discard(address)
    return out


def through_call(call: Block, variables: Iterable[str]) -> set[str]:
    """The addresses in the arguments for some variables, and in `count` and `for_each` of the call."""
    wanted = {*variables, *REPEATS}
    return inside(one for one in call.body if isinstance(one, Argument) and one.name in wanted)


def managed(emission: Emission, name: str, inner: Mapping[str, Directory]) -> list[str]:
    """The addresses of a resource that resources of other templates wait for. Random values are left out: nobody can
    see when one was made.
    """
    return [address for address in address_of(emission, name, inner) if not address.startswith(VALUES)]


def required(emission: Emission, inner: Mapping[str, Directory]) -> dict[str, list[str]]:
    """The names of the resources that each resource waits for in Heat. If a resource has no block to wait for, the
    names that it waits for take its place.
    """
    plan = emission.unit.plan
    found: dict[str, dict[str, None]] = {}
    for circle in graph.components(plan.ordered):
        for name in circle:
            mine = found.setdefault(name, {})
            waits = name not in plan.disabled and emission.unit.template.resources[name].external_id is None
            for need in plan.ordered.get(name, ()) if waits else ():
                mine |= {need: None} if managed(emission, need, inner) else found.get(need, {})
            mine.pop(name, None)
    return {name: list(mine) for name, mine in found.items()}


def depend(emission: Emission, inner: Mapping[str, Directory]) -> None:
    """Writes `depends_on` where no reference implies it, and the fates of the template's keys. `module_waits` does so
    for the calls of modules, when all modules are known.
    """
    emission.ordering.waiting += emission.ordering.embedded
    edges = needs(emission, inner)
    wait_unwritten(emission, edges)
    wait_behind(emission, edges, inner)
    waiting = through(emission, [wait for wait in emission.ordering.waiting if wait.block.type != "module"], inner)
    if not waiting:
        return
    steps = [(here, list(waits)) for here, waits in groupby(waiting, lambda wait: wait.block.address)]
    offered = [(here, [a for wait in waits for a in waited_for(emission, wait)]) for here, waits in steps]
    known = Reachability(edges, [(here, [a for a in found if can_wait(a, here)]) for here, found in offered])
    wanted: dict[int, list[str]] = {}
    blocks: dict[int, Block] = {}
    for step, (here, waits) in enumerate(steps):
        known.begin(step, here, offered[step][1])
        for wait in waits:
            missing: list[str] = []
            refused: list[str] = []  # it would create a cycle
            for name in wait.needs:
                named = named_by(emission, name)
                if (
                    named and not wait.all_of and (named[0] == here or known.leads(here, named[0]))
                ):  # references always go to the main block
                    continue
                for address in named:
                    if not can_wait(address, here) or known.leads(here, address):
                        continue
                    if known.leads(address, here):
                        refused += [address] if wait.key else []
                        continue
                    missing.append(address)
                    known.add(address)
            if missing:
                wanted.setdefault(id(wait.block), []).extend(missing)
                blocks[id(wait.block)] = wait.block
            tell(emission, wait, missing, refused, here)
    known.finish()
    for place, listed in wanted.items():
        implied = known.implied(listed) if len(listed) > 1 else ()
        kept = [a for a in listed if a not in implied]
        add(blocks[place], kept)


def add(block: Block, addresses: Iterable[str]) -> None:
    """Adds addresses to `depends_on` of a block."""
    listed = tuple(Name(tuple(address.split("."))) for address in addresses)
    found = next((a for a in block.body if isinstance(a, Argument) and a.name == "depends_on"), None)
    if found is None:
        block.set("depends_on", Tuple(listed))
    else:
        assert isinstance(found.value, Tuple)
        found.value = Tuple((*found.value.items, *listed))


def through(emission: Emission, waiting: list[Wait], inner: Mapping[str, Directory]) -> list[Wait]:
    """The waits, each with the needs of those resources in it that have no block to wait for."""
    plan, passed = emission.unit.plan, None
    out: list[Wait] = []
    for wait in waiting:
        nothing = [need for need in wait.needs if not address_of(emission, need, inner) and plan.ordered.get(need)]
        if nothing:
            passed = passed if passed is not None else required(emission, inner)
            more = (one for need in nothing if need in passed for one in passed[need])
            wait = wait._replace(needs=list(dict.fromkeys((*wait.needs, *more))))
        out.append(wait)
    return out


def named_by(emission: Emission, name: str) -> list[str]:
    """The addresses of a resource's blocks, except for data sources."""
    report = emission.log.report.resources.get(name)
    return report.addresses if report is not None and report.treatment != "data" else []


def waited_for(emission: Emission, wait: Wait) -> list[str]:
    return [address for name in wait.needs for address in named_by(emission, name)]


def can_wait(address: str, here: str) -> bool:
    """Whether a block can have an address in its `depends_on`."""
    return address != here and not address.startswith(("local.", "data."))


def wait_unwritten(emission: Emission, edges: dict[str, set[str]]) -> None:
    """Adds waits for references that are in the template and not in the output, because Heat waits for those, too."""
    blocks = {b.address: b for b in emission.blocks.main if isinstance(b, Block)}
    known: Reachability | None = None  # rarely needed
    for owner, needed in emission.unit.stack.needs.items():
        report = emission.log.report.resources[owner]
        mine = report.addresses
        if not needed or not mine or mine[0] not in blocks or report.treatment in ("data", "embedded"):
            continue
        direct = set[str]().union(*(edges.get(a, ()) for a in mine))
        unwritten = [need for need in needed if need != owner and not direct & set(address_of(emission, need))]
        if unwritten and not all(a in mine for need in unwritten for a in address_of(emission, need)):
            resource = emission.unit.template.resources[owner]
            surely = sure(resource.properties) | sure(resource.metadata)
            why = "Heat creates it first: the template refers to it in a part that is not written here"
            known = known or Reachability(edges)
            for need in unwritten:
                if need in surely and not any(
                    known.leads(one, to) for one in mine for to in address_of(emission, need)
                ):
                    emission.ordering.waiting.append(Wait(blocks[mine[0]], owner, [need], "", why))


def wait_behind(emission: Emission, edges: dict[str, set[str]], inner: Mapping[str, Directory]) -> None:
    """Adds waits for the dependencies of a resource that has no block itself: a value with `depends_on`, or a nested
    stack without resources.
    """
    plan, resources = emission.unit.plan, emission.unit.template.resources
    if not any(
        needed
        and (resources[name].depends_on or name in plan.nested or name in plan.preferred)
        and not address_of(emission, name, inner)
        for name, needed in plan.ordered.items()
    ):
        return
    blocks = {b.address: b for b in emission.blocks.main if isinstance(b, Block) and b.type == "resource"}
    known = Reachability(edges)
    for owner, needed in required(emission, inner).items():
        mine = emission.log.report.resources[owner].addresses
        behind = [need for need in needed if need not in plan.ordered[owner]] if mine and mine[0] in blocks else ()
        for need in behind:
            theirs = address_of(emission, need, inner)
            if not any(known.leads(one, to) for one in mine for to in theirs):
                why = "Heat creates it before something that this refers to, and that is nothing here"
                emission.ordering.waiting.append(Wait(blocks[mine[0]], owner, [need], "", why))


def sure(expr: ir.Expr | None) -> set[str]:
    """The resources that an expression refers to outside branches of `if`: Heat does not wait for a branch that is not
    taken.
    """
    found: set[str] = set()
    stack = [expr] if expr is not None else []
    while stack:
        one = stack.pop()
        if isinstance(one, (ir.ResourceRef, ir.AttrRef)):
            found.add(one.name)
        if not isinstance(one, ir.If):
            stack += ir.children(one)
    return found


def address_of(emission: Emission, name: str, inner: Mapping[str, Directory] = EMPTY) -> list[str]:
    """The addresses of a resource that `depends_on` can contain: blocks, and calls of modules that contain any."""
    report = emission.log.report.resources.get(name)
    if report is None or report.treatment == "data":
        return []
    found = (a for a in report.addresses if not a.startswith(("local.", "data.")))
    return [address for address in found if address not in inner or inner[address].leaves]


def tell(emission: Emission, wait: Wait, missing: list[str], refused: list[str], here: str) -> None:
    report = emission.log.report.resources[wait.owner]
    for address in refused:
        message = f"{here} does not wait for {address}, as it does in Heat: Terraform would refuse the cycle."
        emission.log.say(codes.WEAKER_ORDER, message, wait.block)
    if wait.key and refused and not missing:
        report.keys[wait.key] = fate("dropped", code=codes.WEAKER_ORDER, why="Terraform would refuse the cycle")
    elif wait.key:
        if missing:
            report.keys[wait.key] = fate(
                "derived", here, "depends_on", "dependencies without a reference are written out"
            )
        else:
            report.keys[wait.key] = fate(
                "implied",
                here,
                why="references imply the dependency, or there is nothing to wait for",
            )
    elif missing:
        comment = next((a for a in wait.block.body if isinstance(a, Argument) and a.name == "depends_on"), None)
        if comment is None:
            emission.ordering.reasons.setdefault(id(wait.block), []).append(wait.why)
