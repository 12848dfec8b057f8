"""Which arguments of an adopted configuration do not change as in Heat: Terraform replaces the object, or does nothing.

Invariant: every one of them is named before the import, once for each block, also if `ignore_changes` hides it.
"""

from __future__ import annotations

from emitters.hcl.adoption.settling import settling_names
from emitters.hcl.emission import Emission
from emitters.hcl.moves.replaced_arguments import find_replaced_arguments
from transpile.adoption.adoption import Adoption, ReplacedArgument, UnseenArguments
from transpile.diagnostics import codes

MESSAGE = "Terraform replaces where Heat would update: {}."
HINT = (
    "A plan shows it as `forces replacement`. To be safe, add `lifecycle { prevent_destroy = true }`; "
    "docs/replaced-arguments.md has all such arguments."
)


def report_replacements(emission: Emission) -> None:
    """Reports the arguments of a directory, unless `ignore_changes` hides their changes."""
    for written in find_replaced_arguments(emission):
        if not written.ignored:
            what, name = written.address, f"{written.argument} from {written.property}"
            emission.log.gather_name(codes.REPLACED_INSTEAD_OF_UPDATED, MESSAGE, what, name, written.span, HINT)


def record_replacements(adoption: Adoption, emission: Emission) -> None:
    """Records them for ADOPT.md, with what Terraform never compares."""
    where = emission.unit.module.folder
    for written in find_replaced_arguments(emission):
        adoption.replaced.append(
            ReplacedArgument(where, written.address, written.property, written.argument, written.ignored)
        )
    for block, _ in emission.blocks.walk_owned():
        ignored, settling = emission.blocks.ignored_of.get(id(block), {}), settling_names(emission, block)
        if reasons := {name: why for name, why in ignored.items() if name not in settling}:
            adoption.unseen.append(UnseenArguments(where, block.address, reasons))
