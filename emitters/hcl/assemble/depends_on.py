"""`depends_on`: written only where no reference leads there, which is known when all blocks are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.ordering import Wait
from emitters.hcl.tree.nodes import Argument, Block, Expr, Name, Note, Tuple, walk
from transpile.model import ir
from transpile.report import fate
from transpile.resolve import graph

if TYPE_CHECKING:
    from collections.abc import Iterable

    from emitters.hcl.emission import Emission


def addresses(expr: Expr) -> set[str]:
    """The resources, data sources and locals that an expression refers to."""
    found = set()
    for one in walk(expr):
        if isinstance(one, Name) and len(one.parts) > 1:
            first = one.parts[0]
            if first == "data" and len(one.parts) > 2:
                found.add(".".join(one.parts[:3]))
            elif first in ("local", "module") or "_" in first:
                found.add(".".join(one.parts[:2]))
    return found


def inside(items: Iterable[Argument | Block | Note]) -> set[str]:
    found: set[str] = set()
    for item in items:
        if isinstance(item, Argument):
            found |= addresses(item.value)
        elif isinstance(item, Block):
            found |= inside(item.body)
    return found


def needs(emission: Emission) -> dict[str, set[str]]:
    """What every block and local refers to, by address."""
    out: dict[str, set[str]] = {}
    for item in (*emission.blocks.main, *emission.blocks.data):
        if isinstance(item, Block) and item.labels:
            out[item.address] = inside(item.body)
    for name, argument in emission.blocks.locals.items():
        out[f"local.{name}"] = addresses(argument.value)
    return out


def depend(emission: Emission) -> None:
    """Writes `depends_on` where nothing refers, and the fates of the keys that asked for it."""
    emission.ordering.waiting += emission.ordering.embedded
    known = graph.Reach(needs(emission))
    wait_unwritten(emission, known)
    if not emission.ordering.waiting:
        return
    wanted: dict[int, list[str]] = {}
    blocks: dict[int, Block] = {}
    for wait in emission.ordering.waiting:
        here = wait.block.address
        missing: list[str] = []
        for name in wait.needs:
            report = emission.log.report.resources.get(name)
            named = report.addresses if report is not None and report.treatment != "data" else []
            if (
                named and not wait.all_of and (named[0] == here or known.leads(here, named[0]))
            ):  # whoever refers to it refers to the main one
                continue
            for address in named:
                if (
                    address.startswith(("local.", "data."))
                    or address == here
                    or address in missing
                    or known.leads(here, address)
                ):
                    continue
                if known.leads(address, here):  # it would go round in a circle
                    continue
                missing.append(address)
        for address in missing:
            known.add(here, address)
            wanted.setdefault(id(wait.block), []).append(address)
            blocks[id(wait.block)] = wait.block
        tell(emission, wait, missing, here)
    for place, listed in wanted.items():
        asked = set(listed)
        others = asked if len(asked) > 1 else ()
        implied = {a for b in others for a in asked & graph.reachable(known.edges, [b]) if not known.leads(a, b)}
        kept = [a for a in dict.fromkeys(listed) if a not in implied]
        blocks[place].set("depends_on", Tuple(tuple(Name(tuple(a.split("."))) for a in kept)))


def wait_unwritten(emission: Emission, known: graph.Reach) -> None:
    """Whom a resource refers to in what is not written, or not as a reference: Heat waits for it all the same."""
    blocks = {b.address: b for b in emission.blocks.main if isinstance(b, Block)}
    for owner, needed in emission.unit.stack.needs.items():
        report = emission.log.report.resources[owner]
        mine = report.addresses
        if not needed or not mine or mine[0] not in blocks or report.treatment in ("data", "embedded"):
            continue
        direct = set[str]().union(*(known.edges.get(a, ()) for a in mine))
        unwritten = [need for need in needed if need != owner and not direct & set(address_of(emission, need))]
        if unwritten and not all(a in mine for need in unwritten for a in address_of(emission, need)):
            surely = sure(emission.unit.template.resources[owner].properties)
            why = "Heat makes it first, for the template refers to it in what is not written here"
            for need in unwritten:
                if need in surely and not any(
                    known.leads(one, to) for one in mine for to in address_of(emission, need)
                ):
                    emission.ordering.waiting.append(Wait(blocks[mine[0]], owner, [need], "", why))


def sure(expr: ir.Expr | None) -> set[str]:
    """The resources that an expression refers to whatever its conditions come to: a branch not taken makes Heat wait
    for nothing.
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


def address_of(emission: Emission, name: str) -> list[str]:
    """What a resource became that can be waited for."""
    report = emission.log.report.resources.get(name)
    if report is None or report.treatment == "data":
        return []
    return [a for a in report.addresses if not a.startswith(("local.", "data."))]


def tell(emission: Emission, wait: Wait, missing: list[str], here: str) -> None:
    report = emission.log.report.resources[wait.owner]
    if wait.key:
        if missing:
            report.keys[wait.key] = fate("derived", here, "depends_on", "what no reference leads to is written out")
        else:
            report.keys[wait.key] = fate(
                "implied",
                here,
                why="a reference leads there, directly or through others, or nothing is there to wait for",
            )
    elif missing:
        comment = next((a for a in wait.block.body if isinstance(a, Argument) and a.name == "depends_on"), None)
        if comment is None:
            emission.ordering.reasons.setdefault(id(wait.block), []).append(wait.why)
