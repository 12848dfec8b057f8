"""What has each running resource from now on, and what remains of the old stack.

Invariant: every resource of the running stack has a fate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.hcl.evaluation.functions import Failed, Unknown, plain, written
from emitters.hcl.evaluation.values import value
from emitters.hcl.tree import strings
from transpile.adoption.adoption import GONE, HEAT, NATIVE, Reduced
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from emitters.hcl.adoption.identity import Identities
    from emitters.hcl.attempt import Attempt
    from emitters.hcl.embed.stack import Embedded
    from emitters.hcl.evaluation.instances import Directory
    from emitters.hcl.tree.nodes import Expr
    from transpile.adoption.adoption import Adoption
    from transpile.adoption.live import LiveStack


def fates(adoption: Adoption, root: Attempt, identities: Identities) -> list[Diagnostic]:
    """What has each running resource from now on: Terraform, Heat, or nothing. Returns what is wrong with that: a
    member of a group that no instance stands for.
    """
    found: list[Diagnostic] = []
    taken = {id(one.live): one for one in identities.plan.root.instances() if one.live is not None}
    through = {id(live) for live in called(identities)}
    plan = root.emission.unit.plan

    def below(live: LiveStack, path: tuple[str, ...], kept: bool) -> None:
        for name, resource in live.resources.items():
            here = (*path, name)
            stays = kept or (not path and plan.embeds(name))
            there = id(resource) in taken or id(resource.stack) in through
            if resource.stack is not None and not stays:
                inner = [id(one) in taken or id(one.stack) in through for one in resource.stack.resources.values()]
                there = there or any(inner)
            adoption.fates[here] = HEAT if stays else NATIVE if there else GONE
            if resource.stack is not None:
                if there and not stays and id(resource.stack) not in through:
                    found.extend(lost(name, resource.stack, taken.keys() | through))
                below(resource.stack, here, stays)

    below(adoption.live, (), False)
    adoption.reduced = reduced(root, identities)
    return found


def lost(name: str, members: LiveStack, there: Set[int]) -> Iterator[Diagnostic]:
    """The members of a running group that no instance stands for."""
    for member, one in members.resources.items():
        if id(one) not in there and id(one.stack) not in there:
            message = f"The running group {name} has the member {member}, which the template does not make."
            hint = "Update the stack to its template first, and export it again."
            yield Diagnostic(codes.STACK_DOES_NOT_MATCH_TEMPLATE, message, members.source, one.span, hint)


def called(identities: Identities) -> Iterator[LiveStack]:
    """The nested stacks that became modules."""
    todo = [identities.plan.root]
    while todo:
        one = todo.pop()
        for child in one.children.values():
            if child.live is not None:
                yield child.live
            todo.append(child)


def reduced(root: Attempt, identities: Identities) -> Reduced | None:
    """What remains of the old stack."""
    if not root.embedded:
        return None
    (embedded,) = root.embedded
    directory, blocks = identities.plan.root, root.emission.blocks.files
    values = {name: data(expr, directory) for name, expr in embedded.into.arguments}
    files = {name: str(blocks.get(name, "")) for name in embedded.kept.aliases.values()}
    text, registry = text_of(embedded, directory), dict(embedded.kept.aliases)
    return Reduced(embedded.template(), text, embedded.file, values, files, registry)


def text_of(embedded: Embedded, directory: Directory) -> str | None:
    """The reduced template, with the values that Terraform inserts; None if one of them is not known."""
    text = embedded.text()
    try:
        values = {name: written(value(expr, directory)) for name, expr in embedded.into.inserted.items()}
    except (Unknown, Failed):
        return None
    return strings.rendered(text, "jsonencode", values) if values else text


def data(expr: Expr, directory: Directory) -> Any:
    """The value of an expression; None if it is not known."""
    try:
        return plain(value(expr, directory))
    except (Unknown, Failed):
        return None
