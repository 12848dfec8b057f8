"""Records the new owner of each running resource, and the resources that remain in the old stack.

Invariant: every resource of the running stack has a fate.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING, Any

from emitters.hcl.adoption.identity import Identities
from emitters.hcl.attempt import Attempt
from emitters.hcl.embed.embedded_template import build_template, print_template
from emitters.hcl.embed.stack import EmbeddedStack
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, call_jsonencode, to_plain_data
from emitters.hcl.evaluation.instances import DirectoryInstance
from emitters.hcl.evaluation.values import evaluate_hcl
from emitters.hcl.tree import strings
from emitters.hcl.tree.nodes import Expr
from transpile.adoption.adoption import GONE, HEAT, NATIVE, Adoption, Reduced
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic

if TYPE_CHECKING:
    from transpile.adoption.live import LiveStack


def record_fates(adoption: Adoption, root: Attempt, identities: Identities) -> list[Diagnostic]:
    """Records the new owner of each running resource: Terraform, Heat, or nobody. Returns the diagnostics: members
    of a group without an instance.
    """
    diagnostics: list[Diagnostic] = []
    resources = map(identities.counterparts.resource_of, identities.plan.root.walk_instances())
    taken = {id(resource) for resource in resources if resource is not None}
    module_stacks = {id(live) for live in walk_module_stacks(identities)}
    plan = root.emission.unit.plan

    def record_below(live: LiveStack, path: tuple[str, ...], kept: bool) -> None:
        for name, resource in live.resources.items():
            here = (*path, name)
            stays = kept or (not path and plan.is_embedded(name))
            there = id(resource) in taken or id(resource.stack) in module_stacks
            if resource.stack is not None and not stays:
                inner = [
                    id(member) in taken or id(member.stack) in module_stacks
                    for member in resource.stack.resources.values()
                ]
                there = there or any(inner)
            adoption.fates[here] = HEAT if stays else NATIVE if there else GONE
            if resource.stack is not None:
                if there and not stays and id(resource.stack) not in module_stacks:
                    diagnostics.extend(diagnose_lost_members(name, resource.stack, taken | module_stacks))
                record_below(resource.stack, here, stays)

    record_below(adoption.live, (), False)
    adoption.reduced = reduce_stack(root, identities)
    return diagnostics


def diagnose_lost_members(name: str, members: LiveStack, present_ids: Set[int]) -> Iterator[Diagnostic]:
    """The members of a running group that no instance stands for."""
    for member, resource in members.resources.items():
        if id(resource) not in present_ids and id(resource.stack) not in present_ids:
            message = f"The running group {name} has the member {member}, which the template does not make."
            hint = "Update the stack to its template first, and export it again."
            yield Diagnostic(codes.STACK_DOES_NOT_MATCH_TEMPLATE, message, members.source, resource.span, hint)


def walk_module_stacks(identities: Identities) -> Iterator[LiveStack]:
    """The nested stacks that became modules."""
    todo = [identities.plan.root]
    while todo:
        directory = todo.pop()
        for child in directory.children.values():
            if (stack := identities.counterparts.stack_of(child)) is not None:
                yield stack
            todo.append(child)


def reduce_stack(root: Attempt, identities: Identities) -> Reduced | None:
    """The old stack with only the resources that stay with Heat; None if none stays."""
    if not root.embedded:
        return None
    (embedded,) = root.embedded
    directory, blocks = identities.plan.root, root.emission.blocks.files
    values = {name: evaluate_data(expr, directory) for name, expr in embedded.inputs.arguments}
    files = {name: str(blocks.get(name, "")) for name in embedded.nested_templates.aliases.values()}
    text, registry = print_reduced_template(embedded, directory), dict(embedded.nested_templates.aliases)
    return Reduced(build_template(embedded), text, embedded.file, values, files, registry)


def print_reduced_template(embedded: EmbeddedStack, directory: DirectoryInstance) -> str | None:
    """The reduced template, with the values that Terraform inserts; None if one of them is not known."""
    text = print_template(embedded)
    try:
        values = {
            name: call_jsonencode(evaluate_hcl(expr, directory))
            for name, expr in embedded.inputs.inserted_values.items()
        }
    except (UnknownValue, EvaluationFailed):
        return None
    return strings.render_template_file(text, "jsonencode", values) if values else text


def evaluate_data(expr: Expr, directory: DirectoryInstance) -> Any:
    """The value of an expression; None if it is not known."""
    try:
        return to_plain_data(evaluate_hcl(expr, directory))
    except (UnknownValue, EvaluationFailed):
        return None
