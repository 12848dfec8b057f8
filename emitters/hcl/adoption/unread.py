"""Arguments that are not compared: the import does not read them back, nobody knows them, or they are sensitive.

Invariant: only an argument that is written is named, and each with its reason.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from emitters.hcl.assemble.outputs import Sensitivity
from emitters.hcl.embed.stack import STACK
from emitters.hcl.tables import imports
from emitters.hcl.tree.nodes import Argument, Block, Name, Object, Text, Tuple, walk
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from emitters.hcl.emission import Emission
    from transpile.adoption.live import LiveResource

WIDTH = 96
META = ("count", "for_each", "depends_on", "provider")
MARKED = "Terraform would mark its value as sensitive, which is a change in a plan"
SERVER = "openstack_compute_instance_v2"
ATTACHMENTS: Mapping[str, tuple[str, str]] = {  # by type: the properties that name the server and the volume
    heat_types.CINDER_VOLUME_ATTACHMENT: ("instance_uuid", "volume_id"),
    heat_types.AWS_VOLUME_ATTACHMENT: ("InstanceId", "VolumeId"),
}
# properties of volumes that are copies, which may be bootable
COPIED = ("image", "imageRef", "snapshot_id", "source_volid", "backup_id", "SnapshotId")


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
                emission.log.gather(
                    codes.ARGUMENT_NOT_COMPARED, "Terraform does not compare {}.", block.address, name, Span(at, at + 1)
                )


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
    emission.log.gather(codes.UNANSWERED_QUESTION, message, owner, "", resource.name_span, hint)
    question = next((q for one in resources if (q := live.adoption.question(one)) is not None), None)
    return f"Heat made it up; {question.command}" if question is not None else "Heat made it up"
