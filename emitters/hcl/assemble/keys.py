"""The keys of a resource besides type and properties: dependencies, policies, metadata, condition.

The easy rule to break: each key has a fate, spelled as the template spells it. `depends_on` is written only where no
reference leads there, which is known when all blocks are there.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from emitters.hcl.tree.nodes import Argument, Block, Expr, Name, Note, Tuple, walk
from transpile.model import ir
from transpile.report import fate
from transpile.resolve.reachability import Reachability

if TYPE_CHECKING:
    from collections.abc import Iterable

    from emitters.hcl.directory import Directory


class Wait(NamedTuple):
    """Something that must come after others: the block that waits, whom it waits for, and the key that says so (or
    why Heat does so by itself). `all_of`: for what stands beside the main resource of those too.
    """

    block: Block
    owner: str
    needs: list[str]
    key: str
    why: str
    all_of: bool = False


def keys_of(directory: Directory, resource: ir.Resource, blocks: list[Block], nothing: bool = False) -> None:
    """Writes what the keys ask for into the first of the blocks, and their fates."""
    report = directory.resource_report(resource)
    dialect = directory.template.version.dialect
    to = report.addresses[0] if report.addresses else ""
    main = blocks[0] if blocks else None
    for word in resource.keys:
        meaning = dialect.resource.get(word)
        if meaning in ("type", "properties", "description") or word in report.keys:
            continue
        if meaning is None:
            report.keys[word] = fate("implied", why="Heat does not look at this key")
        elif meaning == "condition":
            condition(directory, resource, word, to, main)
        elif meaning == "depends_on":
            if main is None:
                report.keys[word] = fate("implied", why="nothing is created that could wait")
            else:
                directory.waiting.append(Wait(main, resource.name, [d.name for d in resource.depends_on], word, ""))
        elif meaning == "deletion_policy":
            deletion(directory, resource, word, to, main)
        elif meaning == "update_policy":
            if main is not None and resource.update_policy is not None:
                directory.say(
                    "HOT505",
                    f"The update policy of {resource.name} steers Heat's own updates.",
                    resource.update_policy.at,
                    resource.update_policy.end,
                )
            report.keys[word] = fate(
                "implied", why="Terraform changes what a plan shows, as many at a time as -parallelism says"
            )
        elif meaning == "metadata":
            metadata(directory, resource, word, main)
        elif meaning == "external_id":
            report.keys[word] = fate("derived", to, why="what exists already is found by its ID")


def condition(directory: Directory, resource: ir.Resource, word: str, to: str, main: Block | None) -> None:
    report = directory.resource_report(resource)
    if resource.condition is not None and isinstance(directory.settled(resource.condition), ir.Lit):
        report.keys[word] = fate("implied", why="the condition is always the same")
    elif main is not None and any(isinstance(a, Argument) and a.name in ("count", "for_each") for a in main.body):
        name = "count" if any(isinstance(a, Argument) and a.name == "count" for a in main.body) else "for_each"
        report.keys[word] = fate("derived", to, name, "none where the condition is false")
    else:
        report.keys[word] = fate("derived", to, why="the value is null where the condition is false")


def deletion(directory: Directory, resource: ir.Resource, word: str, to: str, main: Block | None) -> None:
    report = directory.resource_report(resource)
    policy = resource.deletion_policy
    if policy is None:
        report.keys[word] = fate("implied", why="Heat's default")
        return
    value = policy.value if isinstance(policy, ir.Lit) else None
    if value == "Delete" or main is None:
        report.keys[word] = fate(
            "implied",
            to,
            why="Terraform deletes what it made" if main is not None else "nothing is created that could be deleted",
        )
        return
    if value not in ("Retain", "Snapshot"):
        directory.say(
            "HOT503",
            f"The deletion policy of {resource.name} is known only where this template is used; it is lost.",
            policy.at,
            policy.end,
            "Where the template is used, give the resource a policy of its own.",
            note="the deletion policy is known only where this template is used, and lost.",
        )
        report.keys[word] = fate(
            "dropped", code="HOT503", why="a lifecycle takes no values that are known only at run time"
        )
        return
    if main.type == "module":
        kept = "leaves it behind" if value == "Retain" else "takes a snapshot of it"
        message = f"terraform destroy deletes the module {main.labels[0]}, and Heat {kept}: a module has no lifecycle."
        directory.differs("HOT503", message, policy.at, policy.end)
        report.keys[word] = fate("dropped", code="HOT503", why="a module has no lifecycle")
        return
    if value == "Retain":
        code, message = "HOT503", f"terraform destroy stops at {resource.name} instead of leaving it behind."
        lines = [
            f" HOT503: Heat leaves this behind ({word} Retain). Terraform refuses to",
            ' destroy it; "terraform state rm" lets go of it.',
        ]
    else:
        code, message = "HOT504", f"Terraform takes no snapshot of {resource.name}; it refuses to destroy it."
        lines = [
            f" HOT504: Heat takes a snapshot before it deletes this ({word} Snapshot).",
            " Terraform cannot, so it refuses: take one, then lift this.",
        ]
    directory.say(code, message, policy.at, policy.end)
    lifecycle = main.block("lifecycle", at=policy.at, end=policy.end)
    lifecycle.comments += lines
    lifecycle.set("prevent_destroy", True)
    report.keys[word] = fate(
        "derived",
        to,
        "lifecycle.prevent_destroy",
        f"it is kept where Heat would {'leave it behind' if value == 'Retain' else 'take a snapshot first'} ({code})",
    )


def metadata(directory: Directory, resource: ir.Resource, word: str, main: Block | None) -> None:
    report = directory.resource_report(resource)
    if main is None or resource.metadata in (None, ir.Map(()), ir.Lit(None)):
        report.keys[word] = fate("implied", why="there is nothing in it, or nobody to read it")
        return
    assert resource.metadata is not None
    if main.type == "module":
        report.keys[word] = fate("implied", why="only resource_facade in the template could read it, and does not")
        return
    directory.say(
        "HOT506",
        f"The metadata of {resource.name} is lost: agents read it through Heat.",
        resource.metadata.at,
        resource.metadata.end,
        note="the metadata of this resource is lost: agents read it through Heat.",
    )
    report.keys[word] = fate("dropped", code="HOT506", why="agents in servers read it through Heat")


# depends_on


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


def needs(directory: Directory) -> dict[str, set[str]]:
    """What every block and local refers to, by address."""
    out: dict[str, set[str]] = {}
    for item in (*directory.main, *directory.data):
        if isinstance(item, Block) and item.labels:
            out[item.address] = inside(item.body)
    for name, argument in directory.locals.items():
        out[f"local.{name}"] = addresses(argument.value)
    return out


def depend(directory: Directory) -> None:
    """Writes `depends_on` where nothing refers, and the fates of the keys that asked for it."""
    for embedded, names, resource, key in directory.waits:
        directory.waiting.append(Wait(embedded.block, resource.name, names, key, ""))
    edges = needs(directory)
    wait_unwritten(directory, edges)
    if not directory.waiting:
        return
    steps = [(here, list(waits)) for here, waits in groupby(directory.waiting, lambda wait: wait.block.address)]
    offered = [(here, [a for wait in waits for a in waited_for(directory, wait)]) for here, waits in steps]
    known = Reachability(edges, [(here, [a for a in found if can_wait(a, here)]) for here, found in offered])
    wanted: dict[int, list[str]] = {}
    blocks: dict[int, Block] = {}
    for step, (here, waits) in enumerate(steps):
        known.begin(step, here, offered[step][1])
        for wait in waits:
            missing: list[str] = []
            for name in wait.needs:
                named = named_by(directory, name)
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
            tell(directory, wait, missing, here)
    known.finish()
    for place, listed in wanted.items():
        implied = known.implied(listed) if len(listed) > 1 else ()
        kept = [a for a in listed if a not in implied]
        blocks[place].set("depends_on", Tuple(tuple(Name(tuple(a.split("."))) for a in kept)))


def named_by(directory: Directory, name: str) -> list[str]:
    """The addresses of what a resource became, whether that can be waited for or not."""
    report = directory.report.resources.get(name)
    return report.addresses if report is not None and report.treatment != "data" else []


def waited_for(directory: Directory, wait: Wait) -> list[str]:
    return [address for name in wait.needs for address in named_by(directory, name)]


def can_wait(address: str, here: str) -> bool:
    """Whether a block can name an address in its `depends_on`."""
    return address != here and not address.startswith(("local.", "data."))


def wait_unwritten(directory: Directory, edges: dict[str, set[str]]) -> None:
    """Whom a resource refers to in what is not written, or not as a reference: Heat waits for it all the same."""
    blocks = {b.address: b for b in directory.main if isinstance(b, Block)}
    known: Reachability | None = None  # most often nobody asks
    for owner, needed in directory.stack.needs.items():
        report = directory.report.resources[owner]
        mine = report.addresses
        if not needed or not mine or mine[0] not in blocks or report.treatment in ("data", "embedded"):
            continue
        direct = set[str]().union(*(edges.get(a, ()) for a in mine))
        unwritten = [need for need in needed if need != owner and not direct & set(address_of(directory, need))]
        if unwritten and not all(a in mine for need in unwritten for a in address_of(directory, need)):
            surely = sure(directory.template.resources[owner].properties)
            why = "Heat makes it first, for the template refers to it in what is not written here"
            known = known or Reachability(edges)
            for need in unwritten:
                if need in surely and not any(
                    known.leads(one, to) for one in mine for to in address_of(directory, need)
                ):
                    directory.waiting.append(Wait(blocks[mine[0]], owner, [need], "", why))


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


def address_of(directory: Directory, name: str) -> list[str]:
    """What a resource became that can be waited for."""
    report = directory.report.resources.get(name)
    if report is None or report.treatment == "data":
        return []
    return [a for a in report.addresses if not a.startswith(("local.", "data."))]


def tell(directory: Directory, wait: Wait, missing: list[str], here: str) -> None:
    report = directory.report.resources[wait.owner]
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
            directory.reasons.setdefault(id(wait.block), []).append(wait.why)
