"""`depends_on`: written only where no reference leads there, which is known when all blocks are there."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from emitters.hcl.ordering import Wait
from emitters.hcl.tree.nodes import Argument, Block, Expr, Name, Note, Tuple, walk
from transpile.model import ir
from transpile.report import fate
from transpile.resolve.reachability import Reachability

if TYPE_CHECKING:
    from collections.abc import Iterable

    from emitters.hcl.emission import Emission


def addresses(expr: Expr, found: set[str]) -> set[str]:
    """Adds the resources, data sources and locals that an expression refers to."""
    for one in walk(expr) if type(expr) is not str else ():
        if type(one) is Name and len(one.parts) > 1:
            first = one.parts[0]
            if first == "data" and len(one.parts) > 2:
                found.add(".".join(one.parts[:3]))
            elif first in ("local", "module") or "_" in first:
                found.add(".".join(one.parts[:2]))
    return found


def inside(items: Iterable[Argument | Block | Note], found: set[str]) -> set[str]:
    for item in items:
        if isinstance(item, Argument):
            addresses(item.value, found)
        elif isinstance(item, Block):
            inside(item.body, found)
    return found


def needs(emission: Emission) -> dict[str, set[str]]:
    """What every block and local refers to, by address."""
    out: dict[str, set[str]] = {}
    for item in (*emission.blocks.main, *emission.blocks.data):
        if isinstance(item, Block) and item.labels:
            out[item.address] = inside(item.body, set())
    for name, argument in emission.blocks.locals.items():
        out[f"local.{name}"] = addresses(argument.value, set())
    return out


def depend(emission: Emission) -> None:
    """Writes `depends_on` where nothing refers, and the fates of the keys that asked for it."""
    emission.ordering.waiting += emission.ordering.embedded
    edges = needs(emission)
    wait_unwritten(emission, edges)
    if not emission.ordering.waiting:
        return
    steps = [(here, list(waits)) for here, waits in groupby(emission.ordering.waiting, lambda wait: wait.block.address)]
    offered = [(here, [a for wait in waits for a in waited_for(emission, wait)]) for here, waits in steps]
    known = Reachability(edges, [(here, [a for a in found if can_wait(a, here)]) for here, found in offered])
    wanted: dict[int, list[str]] = {}
    blocks: dict[int, Block] = {}
    for step, (here, waits) in enumerate(steps):
        known.begin(step, here, offered[step][1])
        for wait in waits:
            missing: list[str] = []
            for name in wait.needs:
                named = named_by(emission, name)
                if (
                    named and not wait.all_of and (named[0] == here or known.leads(here, named[0]))
                ):  # whoever refers to it refers to the main one
                    continue
                for address in named:
                    if not can_wait(address, here) or known.leads(here, address):
                        continue
                    if known.leads(address, here):  # it would go round in a circle
                        continue
                    missing.append(address)
                    known.add(address)
            if missing:
                wanted.setdefault(id(wait.block), []).extend(missing)
                blocks[id(wait.block)] = wait.block
            tell(emission, wait, missing, here)
    known.finish()
    for place, listed in wanted.items():
        implied = known.implied(listed) if len(listed) > 1 else ()
        kept = [a for a in listed if a not in implied]
        blocks[place].set("depends_on", Tuple(tuple(Name(tuple(a.split("."))) for a in kept)))


def named_by(emission: Emission, name: str) -> list[str]:
    """The addresses of what a resource became, whether that can be waited for or not."""
    report = emission.log.report.resources.get(name)
    return report.addresses if report is not None and report.treatment != "data" else []


def waited_for(emission: Emission, wait: Wait) -> list[str]:
    return [address for name in wait.needs for address in named_by(emission, name)]


def can_wait(address: str, here: str) -> bool:
    """Whether a block can name an address in its `depends_on`."""
    return address != here and not address.startswith(("local.", "data."))


def wait_unwritten(emission: Emission, edges: dict[str, set[str]]) -> None:
    """Whom a resource refers to in what is not written, or not as a reference: Heat waits for it all the same."""
    blocks = {b.address: b for b in emission.blocks.main if isinstance(b, Block)}
    known: Reachability | None = None  # most often nobody asks
    for owner, needed in emission.unit.stack.needs.items():
        report = emission.log.report.resources[owner]
        mine = report.addresses
        if not needed or not mine or mine[0] not in blocks or report.treatment in ("data", "embedded"):
            continue
        direct = set[str]().union(*(edges.get(a, ()) for a in mine))
        unwritten = [need for need in needed if need != owner and not direct & set(address_of(emission, need))]
        if unwritten and not all(a in mine for need in unwritten for a in address_of(emission, need)):
            surely = sure(emission.unit.template.resources[owner].properties)
            why = "Heat makes it first, for the template refers to it in what is not written here"
            known = known or Reachability(edges)
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
