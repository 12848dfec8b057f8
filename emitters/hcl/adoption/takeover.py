"""What an adoption adds to a conversion: what cannot be taken over stays with Heat, and all else gets its import.

Invariant: a resource that Terraform would make again is never written. It stays with Heat, has an import, or nothing
is written.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from emitters.hcl.adoption import remains
from emitters.hcl.adoption.identity import Identities, Identity
from emitters.hcl.errors import CannotSay
from emitters.hcl.evaluation.functions import Failed, Unknown
from emitters.hcl.log import some
from emitters.hcl.tables import imports
from emitters.hcl.tree.nodes import Argument, Block
from transpile.adoption import release
from transpile.diagnostics import codes
from transpile.diagnostics.model import MASK, Diagnostic
from transpile.model.span import Span
from transpile.resolve.groups import INSIDE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emitters.hcl.attempt import Attempt
    from emitters.hcl.emission import Emission
    from emitters.hcl.evaluation.instances import Instance
    from emitters.hcl.plan.modules import Call, Module
    from transpile.adoption.adoption import Adoption

FILE = "imports.tf"
WIDTH = 96


def failures(attempt: Attempt) -> list[tuple[str, CannotSay]]:
    """The resources that cannot be taken over: the provider cannot import what they become, or Heat does not let go."""
    emission = attempt.emission
    found = []
    for block, owner in owned(emission):
        resource = emission.unit.template.resources[owner]
        held = release.REACTS.get(emission.unit.stack.types[owner], "")
        why = f"when its deletion policy changes, Heat {held}" if held else refused(block)
        if why:
            found.append(
                (
                    owner,
                    CannotSay(
                        codes.RESOURCE_CHANGED_BY_RELEASE if held else codes.RESOURCE_CANNOT_BE_IMPORTED,
                        why,
                        resource.type_span,
                        owner,
                    ),
                )
            )
    return found


def stays(attempt: Attempt) -> str:
    """Why a nested stack stays with Heat as a whole; empty if it need not."""
    emission = attempt.emission
    if attempt.embedded:
        names = [name for embedded in attempt.embedded for name in embedded.members]
        return f"{some(names)} must stay with Heat, and with it the whole nested stack, which has a place only there"
    module = emission.unit.module
    if module is not None and any(call.written == INSIDE for call in module.calls):
        return "the export does not show what is in a stack of another project or region"
    return ""


def said(call: Call, module: Module, why: str) -> Diagnostic:
    """The diagnostic for a nested stack that stays with Heat, where it is used."""
    resource = call.resource
    message = f"The stack of {resource.name} ({module.file}) stays with Heat: {why}."
    return Diagnostic(codes.NESTED_STACK_KEPT_IN_HEAT, message, call.stack.template.source, resource.type_span)


def refused(block: Block) -> str:
    """Why a resource cannot be imported, and must not be made anew; empty if it can."""
    kind = block.labels[0]
    row = imports.find(kind)
    if row is None:
        return f"nothing is known about the import of {kind}"
    if row.none:
        return "" if row.anew else f"{row.none}, {kind}"
    written = {item.name for item in block.body if isinstance(item, Argument)}
    return next((f"{kind} with {name}: {why}" for name, why in row.refused.items() if name in written), "")


def owned(emission: Emission) -> Iterator[tuple[Block, str]]:
    """The blocks of resources that are made from resources of the template."""
    for block in emission.blocks.main:
        if isinstance(block, Block) and block.type == "resource":
            owner = emission.blocks.owner_of.get(id(block))
            if owner is not None:
                yield block, owner


def take(adoption: Adoption, root: Attempt, modules: Mapping[str, Attempt]) -> tuple[list[Block], list[Diagnostic]]:
    """The imports, which are the blocks of a file, and what is wrong. Fills the adoption in."""
    found: list[Diagnostic] = []
    identities = Identities(adoption, root, modules)
    try:
        every = identities.every()
    except (Unknown, Failed) as e:
        message = f"The resources that Terraform would plan are not known: {e}."
        at, source = adoption.live.at, adoption.live.source
        return [], [Diagnostic(codes.RESOURCE_CANNOT_BE_IMPORTED, message, source, Span(at, at + 1))]
    items: list[Block] = []
    secret: list[Instance] = []
    found += remains.fates(adoption, root, identities)
    for one in every:
        instance = one.instance
        block = Block("import")
        block.set("to", instance.address)
        block.set("id", one.id or "")
        if one.id is None:
            found.append(unknown(adoption, one))
            line = f"HOT715: {one.why}."
            block.comments += [f" {part}" for part in textwrap.wrap(line, WIDTH, break_long_words=False)]
            if one.lookup is not None:
                block.comments.append(f" {one.lookup.command}")
        else:
            adoption.imports[instance.shown] = one.id
            if (row := imports.find(instance.block.labels[0])) is not None and row.secret:
                block.comments.append(f" HOT721: {row.secret}.")
                adoption.imports[instance.shown] = MASK
                adoption.private.add(FILE)
                secret.append(instance)
            report(instance, adoption.imports[instance.shown])
        items.append(block)
    found += [anew(adoption, one, why) for one, why in identities.anew]
    if secret:
        live = secret[0].live
        span = live.span if live is not None else Span(0, 1)
        message = f"{FILE} has the values of {some(one.shown for one in secret)}."
        found.append(Diagnostic(codes.SECRET_IN_IMPORT, message, adoption.live.source, span))
    return items, found


def anew(adoption: Adoption, instance: Instance, why: str) -> Diagnostic:
    """The diagnostic for something that exists only in Terraform's state, and is made when the rest is imported."""
    live = instance.live
    span = live.span if live is not None else Span(adoption.live.at, adoption.live.at + 1)
    message = f"{instance.shown} has no import, so the plan adds it: {why}."
    return Diagnostic(
        codes.RESOURCE_CANNOT_BE_IMPORTED, message, adoption.live.source, span, "Nothing that runs changes.", "warning"
    )


def unknown(adoption: Adoption, one: Identity) -> Diagnostic:
    """The diagnostic for an ID that is not known."""
    live = one.instance.live
    span = live.span if live is not None else Span(adoption.live.at, adoption.live.at + 1)
    source = adoption.live.source
    if one.lookup is None:
        message = f"Nothing tells the ID of {one.instance.shown}: {one.why}."
        return Diagnostic(codes.RESOURCE_CANNOT_BE_IMPORTED, message, source, span)
    message = f"The ID of {one.instance.shown} is not in the input: {one.why}."
    hint = f"Ask the cloud (--os-cloud), or use --answers; this shows it: {one.lookup.command}"
    return Diagnostic(codes.UNANSWERED_QUESTION, message, source, span, hint)


def report(instance: Instance, shown: str) -> None:
    """Records the ID in the report, at the resource of the template."""
    log = instance.directory.emission.log
    owner = instance.owner
    resource = log.report.resources.get(owner) if owner is not None else None
    if resource is not None:
        resource.imports[instance.shown] = shown
