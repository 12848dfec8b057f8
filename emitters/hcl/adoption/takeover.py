"""What an adoption adds to a conversion: imports, arguments that are not compared, and what becomes of the old stack.

Invariant: a resource that Terraform would make again is never written. It stays with Heat, has an import, or nothing
is written.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from emitters.hcl.adoption.functions import Failed, Unknown, plain, written
from emitters.hcl.adoption.identity import Identities, Identity
from emitters.hcl.adoption.values import value
from emitters.hcl.assemble import origin
from emitters.hcl.assemble.outputs import Sensitivity
from emitters.hcl.embed.stack import STACK
from emitters.hcl.errors import CannotSay
from emitters.hcl.log import some
from emitters.hcl.tables import imports
from emitters.hcl.tree import strings
from emitters.hcl.tree.nodes import Argument, Block, Name, Note, Object, Text, Tuple, walk
from emitters.hcl.tree.printer import document
from transpile.adoption import release
from transpile.adoption.adoption import GONE, HEAT, NATIVE, Reduced
from transpile.diagnostics.model import MASK, Diagnostic
from transpile.model import ir
from transpile.resolve.groups import INSIDE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from emitters.hcl.adoption.instances import Directory, Instance
    from emitters.hcl.attempt import Attempt
    from emitters.hcl.embed.stack import Embedded
    from emitters.hcl.emission import Emission
    from emitters.hcl.plan.modules import Call, Module
    from emitters.hcl.tree.nodes import Expr
    from transpile.adoption.adoption import Adoption
    from transpile.adoption.live import LiveResource, LiveStack

FILE = "imports.tf"
WIDTH = 96
META = ("count", "for_each", "depends_on", "provider")
MARKED = "Terraform would mark its value as sensitive, which is a change in a plan"
SERVER = "openstack_compute_instance_v2"
ATTACHMENTS: Mapping[str, tuple[str, str]] = {  # by type: the properties that name the server and the volume
    "OS::Cinder::VolumeAttachment": ("instance_uuid", "volume_id"),
    "AWS::EC2::VolumeAttachment": ("InstanceId", "VolumeId"),
}
# properties of volumes that are copies, which may be bootable
COPIED = ("image", "imageRef", "snapshot_id", "source_volid", "backup_id", "SnapshotId")


def failures(attempt: Attempt) -> list[tuple[str, CannotSay]]:
    """The resources that cannot be taken over: the provider cannot import what they become, or Heat does not let go."""
    emission = attempt.emission
    found = []
    for block, owner in owned(emission):
        resource = emission.unit.template.resources[owner]
        held = release.REACTS.get(emission.unit.stack.types[owner], "")
        why = f"when its deletion policy changes, Heat {held}" if held else refused(block)
        if why:
            at, end = resource.type_at, resource.type_at + len(resource.type)
            found.append((owner, CannotSay("HOT753" if held else "HOT714", why, at, end, owner)))
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
    at, end = resource.type_at, resource.type_at + len(resource.type)
    message = f"The stack of {resource.name} ({module.file}) stays with Heat: {why}."
    return Diagnostic("HOT717", message, call.stack.template.source, at, end)


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


# what is not compared


def ignore(emission: Emission) -> None:
    """Writes `ignore_changes` for what the import does not read back, and for names that nobody knows."""
    live, sensitivity = emission.unit.live, Sensitivity(emission)
    assert live is not None
    for block in emission.blocks.main:
        if not isinstance(block, Block) or block.type != "resource":
            continue
        row, owner = imports.find(block.labels[0]), emission.blocks.owner_of.get(id(block))
        found: dict[str, str] = {}
        if owner is not None and owner in live.unknown:
            found |= dict.fromkeys(made_up(emission, block, owner), unknown_name(emission, owner, live.unknown[owner]))
        found |= dict.fromkeys(secret_in(block, sensitivity), MARKED)
        if row is not None:
            found |= row.ignored(imports.written_in(block), cases(emission, block, owner))
        if found:
            ignored(block, found)
            at = max(block.at, 0)
            for name in found:
                emission.log.gather("HOT716", "Terraform does not compare {}.", block.address, name, at, at + 1)


def secret_in(block: Block, sensitivity: Sensitivity) -> Iterator[str]:
    """The arguments and nested blocks with sensitive values."""
    for item in block.body:
        if isinstance(item, Argument) and item.name not in META and sensitivity.of(item.value):
            yield item.name
        elif isinstance(item, Block) and any(sensitivity.within(one) for one in (item, *inner_blocks(item))):
            yield item.labels[0] if item.type == "dynamic" else item.type


def inner_blocks(block: Block) -> Iterator[Block]:
    for item in block.body:
        if isinstance(item, Block):
            yield item
            yield from inner_blocks(item)


def cases(emission: Emission, block: Block, owner: str | None) -> list[str]:
    """What is known of an object that makes the provider read it otherwise."""
    if block.labels[0] == STACK:
        given = block.argument("parameters")
        passed = (
            {key for key, _ in given.value.entries} if given is not None and isinstance(given.value, Object) else set()
        )
        others = not emission.unit.template.version.hot  # the provider knows only HOT's pseudo parameters
        return [imports.OTHERS] if others or passed != set(emission.unit.template.parameters) else []
    if (
        block.labels[0] == SERVER
        and owner is not None
        and any(bootable(emission, one) for one in attached(emission, owner))
    ):
        return [imports.ATTACHED]
    return []


def attached(emission: Emission, server: str) -> Iterator[ir.Expr | None]:
    """The volumes that attachments of the template attach to a server."""
    types = emission.unit.stack.types
    for name, one in emission.unit.template.resources.items():
        if types[name] in ATTACHMENTS and one.properties is not None:
            to, volume = ATTACHMENTS[types[name]]
            if one.properties.get(to) == ir.ResourceRef(server):
                yield one.properties.get(volume)


def bootable(emission: Emission, volume: ir.Expr | None) -> bool:
    """Whether a volume may be booted from: it is made from an image or another volume, or the template has it not."""
    resource = emission.unit.template.resources.get(volume.name) if isinstance(volume, ir.ResourceRef) else None
    if resource is None:
        return True
    properties = resource.properties
    return properties is not None and any(properties.get(name) is not None for name in COPIED)


def made_up(emission: Emission, block: Block, owner: str) -> list[str]:
    """The arguments that hold a name in place of the one that Heat made up."""
    first = emission.symbols.made_name(owner).parts
    return [
        item.name
        for item in block.body
        if isinstance(item, Argument)
        and any(isinstance(one, Text) and one.parts[: len(first)] == first for one in walk(item.value))
    ]


def ignored(block: Block, found: Mapping[str, str]) -> None:
    """Adds arguments to `lifecycle.ignore_changes`, with the reasons."""
    inner = next((one for one in block.body if isinstance(one, Block) and one.type == "lifecycle"), None)
    inner = inner or block.block("lifecycle")
    argument = inner.argument("ignore_changes")
    before = argument.value.items if argument is not None and isinstance(argument.value, Tuple) else ()
    there = {one.parts[0] for one in before if isinstance(one, Name)}
    items = (*before, *(Name((name,)) for name in found if name not in there))
    if argument is None:
        argument = inner.set("ignore_changes", Tuple(items))
    argument.value = Tuple(items)
    reasons: dict[str, list[str]] = {}
    for name, why in found.items():
        reasons.setdefault(why, []).append(name)
    for why, names in reasons.items():
        line = f"HOT716: {', '.join(names)}: {why}."
        inner.comments += [f" {part}" for part in textwrap.wrap(line, WIDTH, break_long_words=False)]


def unknown_name(emission: Emission, owner: str, resources: Sequence[LiveResource]) -> str:
    """Reports that a name is not known. Returns the reason for the comment, with the command that shows the name."""
    live = emission.unit.live
    assert live is not None
    resource = emission.unit.template.resources[owner]
    message = "Heat made up the names of {}, and the input does not have them."
    hint = "Ask the cloud (--os-cloud), or use --answers. The comments in the files have the commands that show them."
    emission.log.gather("HOT715", message, owner, "", resource.at, resource.at + len(owner), hint)
    question = next((q for one in resources if (q := live.adoption.question(one)) is not None), None)
    return f"Heat made it up; {question.command}" if question is not None else "Heat made it up"


# imports


def take(adoption: Adoption, root: Attempt, modules: Mapping[str, Attempt]) -> tuple[str, list[Diagnostic]]:
    """The text of the file with the imports, and what is wrong. Fills the adoption in."""
    found: list[Diagnostic] = []
    identities = Identities(adoption, root, modules)
    try:
        every = identities.every()
    except (Unknown, Failed) as e:
        message = f"The resources that Terraform would plan are not known: {e}."
        at, source = adoption.live.at, adoption.live.source
        return "", [Diagnostic("HOT714", message, source, at, at + 1)]
    items: list[Note | Block] = []
    secret: list[Instance] = []
    fates(adoption, root, modules, identities)
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
    if secret:
        live = secret[0].live
        at, end = (live.at, live.end) if live is not None else (0, 1)
        message = f"{FILE} has the values of {some(one.shown for one in secret)}."
        found.append(Diagnostic("HOT721", message, adoption.live.source, at, end))
    if not items:
        return "", found
    first = origin.note(adoption.live.source.name)
    return document([first, *items]), found


def unknown(adoption: Adoption, one: Identity) -> Diagnostic:
    """The diagnostic for an ID that is not known."""
    live = one.instance.live
    at, end = (live.at, live.end) if live is not None else (adoption.live.at, adoption.live.at + 1)
    source = adoption.live.source
    if one.lookup is None:
        message = f"Nothing tells the ID of {one.instance.shown}: {one.why}."
        return Diagnostic("HOT714", message, source, at, end)
    message = f"The ID of {one.instance.shown} is not in the input: {one.why}."
    hint = f"Ask the cloud (--os-cloud), or use --answers; this shows it: {one.lookup.command}"
    return Diagnostic("HOT715", message, source, at, end, hint)


def report(instance: Instance, shown: str) -> None:
    """Records the ID in the report, at the resource of the template."""
    log = instance.directory.emission.log
    owner = instance.owner
    resource = log.report.resources.get(owner) if owner is not None else None
    if resource is not None:
        resource.imports[instance.shown] = shown


# the old stack


def fates(adoption: Adoption, root: Attempt, modules: Mapping[str, Attempt], identities: Identities) -> None:
    """What has each running resource from now on: Terraform, Heat, or nothing."""
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
                below(resource.stack, here, stays)

    below(adoption.live, (), False)
    adoption.reduced = reduced(root, identities)


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
