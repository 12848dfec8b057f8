"""Writes the keys of a resource other than type and properties: dependencies, policies, metadata, condition.

Invariant: each key has a fate in the report, under the template's spelling. `depends_on` is written later, when all
references are known.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.ordering import Wait
from emitters.hcl.tree.nodes import Block
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate


def write_resource_keys(emission: Emission, resource: ir.Resource, blocks: list[Block], nothing: bool = False) -> None:
    """Writes the keys into the first block, and their fates into the report."""
    report = emission.log.resource_report(resource)
    dialect = emission.unit.template.version.dialect
    to = report.addresses[0] if report.addresses else ""
    main = blocks[0] if blocks else None
    for word in resource.keys:
        meaning = dialect.resource.get(word)
        if meaning in ("type", "properties", "description") or word in report.keys:
            continue
        if meaning is None:
            report.keys[word] = make_fate("implied", why="Heat ignores this key")
        elif meaning == "condition":
            write_condition_key(emission, resource, word, to, main)
        elif meaning == "depends_on":
            if main is None:
                report.keys[word] = make_fate("implied", why="nothing is created, so nothing waits")
            else:
                emission.ordering.waiting.append(
                    Wait(main, resource.name, [d.name for d in resource.depends_on], word, "")
                )
        elif meaning == "deletion_policy":
            write_deletion_policy(emission, resource, word, to, main)
        elif meaning == "update_policy":
            if main is not None and resource.update_policy is not None:
                emission.log.add_diagnostic(
                    codes.UPDATE_POLICY_WITHOUT_COUNTERPART,
                    f"The update policy of {resource.name} only controls Heat's own updates.",
                    resource.update_policy,
                )
            report.keys[word] = make_fate(
                "implied", why="Terraform applies the changes in a plan, as many at a time as -parallelism allows"
            )
        elif meaning == "metadata":
            write_metadata_key(emission, resource, word, main)
        elif meaning == "external_id":
            report.keys[word] = make_fate("derived", to, why="the existing resource is found by its ID")


def write_condition_key(emission: Emission, resource: ir.Resource, word: str, to: str, main: Block | None) -> None:
    """Records the fate of `condition`. The block has `count` already. word: the key as the template spells it."""
    report = emission.log.resource_report(resource)
    if resource.is_conditional and isinstance(emission.unit.settle_condition(resource.condition), ir.Lit):
        report.keys[word] = make_fate("implied", why="the condition is constant")
    elif main is not None and (repetition := main.repetition) is not None:
        report.keys[word] = make_fate("derived", to, repetition.name, "no instance if the condition is false")
    else:
        report.keys[word] = make_fate("derived", to, why="the value is null if the condition is false")


def write_deletion_policy(emission: Emission, resource: ir.Resource, word: str, to: str, main: Block | None) -> None:
    """Writes the deletion policy. Terraform can only refuse to destroy a resource, where Heat leaves it behind or takes
    a snapshot, so Retain and Snapshot become `prevent_destroy`.
    """
    report = emission.log.resource_report(resource)
    policy = resource.deletion_policy
    if policy is None:
        report.keys[word] = make_fate("implied", why="Heat's default")
        return
    value = policy.value if isinstance(policy, ir.Lit) else None
    if value == "Delete" or main is None:
        report.keys[word] = make_fate(
            "implied",
            to,
            why="Terraform deletes what it created"
            if main is not None
            else "nothing is created, so nothing is deleted",
        )
        return
    if value not in ("Retain", "Snapshot"):
        emission.log.add_diagnostic(
            codes.DELETION_POLICY_RETAIN,
            f"The deletion policy of {resource.name} is known only where this template is used, so it is dropped.",
            policy,
            "Where the template is used, give the resource a policy of its own.",
            note="the deletion policy is known only where this template is used, so it is dropped.",
        )
        report.keys[word] = make_fate(
            "dropped",
            code=codes.DELETION_POLICY_RETAIN,
            why="lifecycle accepts no values that are known only at run time",
        )
        return
    if main.type == "module":
        kept = "leaves it behind" if value == "Retain" else "takes a snapshot of it"
        message = (
            f"terraform destroy deletes the module {main.labels[0]}, where Heat {kept}: a module has no lifecycle."
        )
        emission.log.report_difference(codes.DELETION_POLICY_RETAIN, message, policy)
        report.keys[word] = make_fate("dropped", code=codes.DELETION_POLICY_RETAIN, why="a module has no lifecycle")
        return
    if value == "Retain":
        code, message = (
            codes.DELETION_POLICY_RETAIN,
            f"terraform destroy stops at {resource.name} instead of leaving it behind.",
        )
        lines = [
            f" HOT503: Heat leaves this behind ({word} Retain). Terraform refuses to",
            ' destroy it; "terraform state rm" releases it.',
        ]
    else:
        code, message = (
            codes.DELETION_POLICY_SNAPSHOT,
            f"Terraform takes no snapshot of {resource.name}; it refuses to destroy it.",
        )
        lines = [
            f" HOT504: Heat takes a snapshot before it deletes this ({word} Snapshot).",
            " Terraform cannot, so it refuses to delete it: take one, then remove this block.",
        ]
    emission.log.add_diagnostic(code, message, policy)
    lifecycle = main.add_block("lifecycle", where=policy)
    lifecycle.comments += lines
    lifecycle.add_argument("prevent_destroy", True)
    report.keys[word] = make_fate(
        "derived",
        to,
        "lifecycle.prevent_destroy",
        "terraform destroy refuses, where Heat would "
        f"{'leave it behind' if value == 'Retain' else 'take a snapshot first'} ({code})",
    )


def write_metadata_key(emission: Emission, resource: ir.Resource, word: str, main: Block | None) -> None:
    """Records the fate of `metadata`, which Terraform has no place for."""
    report = emission.log.resource_report(resource)
    if main is None or resource.metadata in (None, ir.Map(()), ir.NULL):
        report.keys[word] = make_fate("implied", why="it is empty, or nothing can read it")
        return
    if main.type == "module":
        report.keys[word] = make_fate("implied", why="only resource_facade in the template could read it, and does not")
        return
    assert resource.metadata is not None
    report_lost_metadata(emission, resource, word, resource.metadata)


def report_lost_metadata(emission: Emission, resource: ir.Resource, word: str, metadata: ir.Expr) -> None:
    """Reports that nothing reads the metadata of a resource any more. word: the key as the template spells it."""
    report = emission.log.resource_report(resource)
    message = "The metadata of {} is dropped: agents read it through Heat."
    span = metadata.span
    emission.log.gather_name(codes.METADATA_LOST, message, resource.name, "", span)
    emission.log.add_comment(
        span.at, codes.METADATA_LOST, "the metadata of this resource is dropped: agents read it through Heat."
    )
    report.keys[word] = make_fate("dropped", code=codes.METADATA_LOST, why="agents in servers read it through Heat")
