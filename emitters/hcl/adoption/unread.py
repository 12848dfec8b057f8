"""Writes `ignore_changes` for arguments that a plan must not compare: the import does not read them back, their values
are not known, or they are sensitive.

Invariant: it names only arguments that the block has, each with its reason.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from emitters.hcl.adoption.running_stacks import RunningStacks
from emitters.hcl.assemble.outputs import Sensitivity
from emitters.hcl.embed.stack import STACK
from emitters.hcl.emission import Emission
from emitters.hcl.moves.replaced_arguments import ignored_names
from emitters.hcl.tables import imports
from emitters.hcl.tree.nodes import Argument, Block, Object, StringTemplate, Traversal, Tuple, walk_expression
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.span import Span

WIDTH = 96
META_ARGUMENTS = ("count", "for_each", "depends_on", "provider")
SENSITIVE_REASON = "Terraform would mark its value as sensitive, which is a change in a plan"
SERVER = "openstack_compute_instance_v2"
ATTACHMENTS: Mapping[str, tuple[str, str]] = {  # by type: the properties that name the server and the volume
    heat_types.CINDER_VOLUME_ATTACHMENT: ("instance_uuid", "volume_id"),
    heat_types.AWS_VOLUME_ATTACHMENT: ("InstanceId", "VolumeId"),
}
# properties of volumes that are copies, which may be bootable
COPY_PROPERTIES = ("image", "imageRef", "snapshot_id", "source_volid", "backup_id", "SnapshotId")


def write_ignore_changes(emission: Emission, running: RunningStacks) -> None:
    """Writes `ignore_changes` for arguments that the import does not read back, and for names that nobody knows."""
    sensitivity = Sensitivity(emission)
    for block in emission.blocks.main:
        if not isinstance(block, Block) or block.type != "resource":
            continue
        row, owner = imports.find_row(block.labels[0]), emission.blocks.find_owner(block)
        reasons_by_name: dict[str, str] = {}
        if owner in running.unknown:
            reasons_by_name |= dict.fromkeys(
                find_made_up_names(emission, block, owner), report_unknown_name(emission, owner, running)
            )
        reasons_by_name |= dict.fromkeys(find_sensitive_arguments(block, sensitivity), SENSITIVE_REASON)
        cases = find_import_cases(emission, block, owner)
        reasons_by_name |= row.ignored_arguments(imports.written_names(block), cases)
        ignore_arguments(emission, block, reasons_by_name)


def ignore_arguments(emission: Emission, block: Block, reasons_by_name: Mapping[str, str]) -> None:
    """Adds arguments to `ignore_changes`, unless they are there already, and reports them."""
    new = {name: why for name, why in reasons_by_name.items() if name not in ignored_names(block)}
    if new:
        add_ignored_arguments(block, new)
        emission.blocks.ignored_of[id(block)] = {**emission.blocks.ignored_of.get(id(block), {}), **new}
        at = max(block.at, 0)
        for name in new:
            emission.log.gather_name(
                codes.ARGUMENT_NOT_COMPARED, "Terraform does not compare {}.", block.address, name, Span(at, at + 1)
            )


def find_sensitive_arguments(block: Block, sensitivity: Sensitivity) -> Iterator[str]:
    """The arguments and nested blocks with sensitive values."""
    for item in block.body:
        if isinstance(item, Argument) and item.name not in META_ARGUMENTS and sensitivity.is_sensitive(item.value):
            yield item.name
        elif isinstance(item, Block) and any(
            sensitivity.has_sensitive_value(inner) for inner in (item, *walk_inner_blocks(item))
        ):
            yield item.labels[0] if item.type == "dynamic" else item.type


def walk_inner_blocks(block: Block) -> Iterator[Block]:
    for item in block.body:
        if isinstance(item, Block):
            yield item
            yield from walk_inner_blocks(item)


def find_import_cases(emission: Emission, block: Block, owner: str) -> list[str]:
    """The special cases that change how the provider reads an object: a bootable volume, parameters of a stack."""
    if block.labels[0] == STACK:
        argument = block.find_argument("parameters")
        passed = (
            {key for key, _ in argument.value.entries}
            if argument is not None and isinstance(argument.value, Object)
            else set()
        )
        others = not emission.unit.template.version.is_hot  # the provider knows only HOT's pseudo parameters
        return [imports.OTHERS] if others or passed != set(emission.unit.template.parameters) else []
    if (
        block.labels[0] == SERVER
        and owner
        and any(is_bootable(emission, volume) for volume in walk_attached_volumes(emission, owner))
    ):
        return [imports.ATTACHED]
    return []


def walk_attached_volumes(emission: Emission, server: str) -> Iterator[ir.Expr | None]:
    """The volumes that attachments of the template attach to a server."""
    types = emission.unit.stack.types
    for name in emission.unit.plan.referring_resources.get(server, ()):
        resource = emission.unit.template.resources[name]
        if types[name] in ATTACHMENTS:
            to, volume = ATTACHMENTS[types[name]]
            if resource.find_property(to) == ir.ResourceRef(server):
                yield resource.find_property(volume)


def is_bootable(emission: Emission, volume: ir.Expr | None) -> bool:
    """Whether a server may boot from a volume: it is a copy of an image or volume, or it is not in the template."""
    resource = emission.unit.template.resources.get(volume.name) if isinstance(volume, ir.ResourceRef) else None
    if resource is None:
        return True
    return resource.find_property(*COPY_PROPERTIES) is not None


def find_made_up_names(emission: Emission, block: Block, owner: str) -> list[str]:
    """The arguments that hold a name in place of the one that Heat made up."""
    first = emission.symbols.made_name(owner).parts
    return [
        item.name
        for item in block.body
        if isinstance(item, Argument)
        and any(
            isinstance(part, StringTemplate) and part.parts[: len(first)] == first
            for part in walk_expression(item.value)
        )
    ]


def add_ignored_arguments(block: Block, reasons_by_name: Mapping[str, str]) -> None:
    """Adds arguments to `lifecycle.ignore_changes`, with the reasons."""
    lifecycle, written_names = block.lifecycle(), ignored_names(block)
    items = (*block.ignored_changes, *(Traversal((name,)) for name in reasons_by_name if name not in written_names))
    argument = lifecycle.find_argument("ignore_changes") or lifecycle.add_argument("ignore_changes", Tuple(items))
    argument.value = Tuple(items)
    lifecycle.comments += write_reasons(reasons_by_name)


def write_reasons(reasons_by_name: Mapping[str, str]) -> list[str]:
    """Writes the comment for arguments that are not compared."""
    reasons: dict[str, list[str]] = {}
    for name, why in reasons_by_name.items():
        reasons.setdefault(why, []).append(name)
    lines = []
    for why, names in reasons.items():
        line = f"HOT716: {', '.join(names)}: {why}."
        lines += [f" {part}" for part in textwrap.wrap(line, WIDTH, break_long_words=False)]
    return lines


def report_unknown_name(emission: Emission, owner: str, running: RunningStacks) -> str:
    """Reports that a name is not known. Returns the reason for the comment, with the command that shows the name."""
    resource = emission.unit.template.resources[owner]
    message = "Heat made up the names of {}, and the input does not have them."
    hint = "Ask the cloud (--os-cloud), or use --answers. The comments in the files have the commands that show them."
    emission.log.gather_name(codes.UNANSWERED_QUESTION, message, owner, "", resource.name_span, hint)
    lookups = map(running.adoption.make_name_lookup, running.unknown[owner])
    commands = [f"; {lookup.command}" for lookup in lookups if lookup is not None]
    return f"Heat made it up{''.join(commands[:1])}"
