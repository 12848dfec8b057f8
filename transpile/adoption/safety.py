"""Checks whether the states of a stack, its resources and its nested stacks allow a safe takeover.

Invariant: the checks depend on the input alone and ask no cloud, and each diagnostic has a hint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from transpile.adoption.live import LiveResource, LiveStack
from transpile.adoption.meanings import DEPLOYMENTS, STACKS
from transpile.adoption.service_stacks import find_owning_service
from transpile.adoption.shell import quote_word
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.front import environment as environments
from transpile.model import ir
from transpile.resolve.registry import HOOKS, STEERING
from transpile.schema.catalog import HEAT, Catalog

SAFE_ACTIONS = frozenset(("CREATE", "UPDATE", "ADOPT", "CHECK", "RESUME", "SNAPSHOT", "RESTORE"))


class Advice(NamedTuple):
    """The reason why a state of a stack is unsafe, and a hint. `{stack}`: its ID."""

    code: str
    why: str
    hint: str


UNTIL_COMPLETE = (
    "Repair the failed resources, then run: openstack stack update --existing --wait {stack}. Export the stack again "
    "when it is UPDATE_COMPLETE."
)
FAILURE_ADVICE: Mapping[str, Advice] = {
    "CREATE": Advice(
        codes.STACK_INCOMPLETE,
        "Heat did not create all of its resources",
        "Complete it (openstack stack update --existing --wait {stack}) or delete it and create it again.",
    ),
    "UPDATE": Advice(
        codes.STACK_INCOMPLETE, "the template that Heat stores may differ from the running resources", UNTIL_COMPLETE
    ),
    "ROLLBACK": Advice(
        codes.STACK_INCOMPLETE, "Heat did not get back to the template before the failed update", UNTIL_COMPLETE
    ),
    "CHECK": Advice(
        codes.STACK_INCOMPLETE,
        "Heat found resources gone or broken, and its next update creates them again",
        "Look at them (openstack stack resource list {stack}). Mark whole resources as healthy (openstack stack "
        "resource mark unhealthy --reset {stack} RESOURCE), then run: openstack stack check --wait {stack}.",
    ),
    "DELETE": Advice(
        codes.STACK_DELETED,
        "some of its resources are deleted already, and Heat refuses to update it",
        "Heat cannot take a deletion back. Convert the template (hot2tf convert) and import the remaining objects by "
        "hand.",
    ),
    "SUSPEND": Advice(
        codes.STACK_SUSPENDED,
        "Heat refuses to update it",
        "Resume it (openstack stack resume --wait {stack}), then export it again.",
    ),
    "RESUME": Advice(
        codes.STACK_INCOMPLETE,
        "some of its servers may be suspended",
        "Resume it again (openstack stack resume --wait {stack}), then export it again.",
    ),
}
OTHER_ADVICE = Advice(codes.STACK_INCOMPLETE, "the last action failed", UNTIL_COMPLETE)


def check_safety(live: LiveStack, catalog: Catalog = HEAT) -> list[Diagnostic]:
    """The reasons against taking over the stack. `catalog`: which types never get a physical ID."""
    diagnostics: list[Diagnostic] = []
    if live.parent:
        diagnostics.append(
            Diagnostic(
                codes.STACK_IS_NESTED,
                f"The stack {live.name} is part of the stack {live.parent}, which would go on updating it.",
                live.source,
                live.span,
                f"Adopt the outermost stack: openstack stack export {quote_word(live.parent)}.",
            )
        )
    if (owner := find_owning_service(live)) is not None:
        message = f"The stack {live.name} belongs to {owner.service}, which would go on changing it."
        diagnostics.append(Diagnostic(codes.STACK_OF_A_SERVICE, message, live.source, live.span, owner.advice))
    diagnostics += check_stack_state(live)
    diagnostics += check_hooks(live)
    diagnostics += check_resources(live, find_ids_to_expect(live, catalog))
    return diagnostics


# states of stacks


def check_stack_state(live: LiveStack, owner: str = "") -> Iterator[Diagnostic]:
    """Yields an error if the state of a stack prevents an adoption. `owner`: the resource of a nested stack."""
    subject = f"The nested stack of {owner}" if owner else f"The stack {live.name}"
    quoted_id = quote_word(live.id or live.name)

    def make_diagnostic(code: str, why: str, hint: str) -> Diagnostic:
        return Diagnostic(code, f"{subject} {why}.", live.source, live.span, hint.format(stack=quoted_id))

    if live.deleted or (live.action, live.status) == ("DELETE", "COMPLETE"):
        yield make_diagnostic(
            codes.STACK_DELETED,
            "is deleted",
            "None of its resources run. Convert its template instead: hot2tf convert.",
        )
    elif live.status == "IN_PROGRESS" and live.action == "DELETE":
        yield make_diagnostic(codes.STACK_DELETED, "is DELETE_IN_PROGRESS", FAILURE_ADVICE["DELETE"].hint)
    elif live.status == "IN_PROGRESS":
        yield make_diagnostic(
            codes.STACK_BEING_CHANGED,
            f"is {live.state}: Heat is changing it",
            "Wait until it is COMPLETE (openstack stack show {stack} -c stack_status), then export it again. If it "
            "waits for a hook, see: openstack stack hook poll {stack}.",
        )
    elif live.status == "FAILED":
        advice = FAILURE_ADVICE.get(live.action, OTHER_ADVICE)
        yield make_diagnostic(advice.code, f"is {live.state}: {advice.why}", advice.hint)
    elif live.action == "SUSPEND":
        advice = FAILURE_ADVICE["SUSPEND"]
        yield make_diagnostic(advice.code, f"is SUSPEND_COMPLETE: {advice.why}", advice.hint)
    elif live.action == "ROLLBACK" and live.status == "COMPLETE":
        if live.resources or owner:
            yield make_diagnostic(
                codes.STACK_ROLLED_BACK,
                "was rolled back: it has the resources of the template before the last update",
                "The template in your repository may be newer. Compare it with: openstack stack template show {stack}.",
            )
        else:
            yield make_diagnostic(
                codes.STACK_DELETED,
                "was rolled back after its creation failed, and has no resources",
                "Delete it: openstack stack delete {stack}.",
            )
    elif live.action not in SAFE_ACTIONS or live.status != "COMPLETE":
        state = f"is in the state {live.state}" if live.state else "has no state in the input"
        yield make_diagnostic(
            codes.STACK_INCOMPLETE,
            f"{state}, so hot2tf cannot know whether it is whole",
            "Look at it (openstack stack show {stack}), then export it again.",
        )


# hooks and restrictions


def check_hooks(live: LiveStack) -> Iterator[Diagnostic]:
    """Hooks that would stop an update, and restrictions that would make Heat refuse it."""
    if live.environment is None or not any(word in live.environment.text for word in STEERING):
        return
    environment, _ = environments.read_environment_text(live.environment)
    entry = None if environment is None else environment.registry.get("resources")
    if entry is None or not isinstance(entry.value, ir.Map):
        return
    for path, word, value in walk_update_limits(entry.value):
        words = [value.value] if isinstance(value, ir.Lit) else [i.value for i in literal_items(value)]
        name = ".".join(path)
        if word == "hooks" and {"pre-update", "post-update", "pre-delete", "post-delete"}.intersection(words):
            yield Diagnostic(
                codes.HOOK_OR_RESTRICTION_IN_ENVIRONMENT,
                f"The environment has a hook for {name}: each update stops there until someone clears it.",
                live.environment,
                value.span,
                f"Clear it during each update: openstack stack hook clear {quote_word(live.id or live.name)} RESOURCE.",
            )
        elif word == "restricted_actions" and "update" in words:
            yield Diagnostic(
                codes.HOOK_OR_RESTRICTION_IN_ENVIRONMENT,
                f"The environment forbids updates of {name}, so Heat refuses to change its deletion policy.",
                live.environment,
                value.span,
                "Update the stack without this restriction first, then export it again.",
                "error",
            )


def walk_update_limits(at: ir.Map, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str, ir.Expr]]:
    """The hooks and restrictions below `resources` of a registry, each with the names that lead to it."""
    for entry in at.entries:
        if entry.key in STEERING:
            yield path, entry.key, entry.value
        elif isinstance(entry.value, ir.Map):
            yield from walk_update_limits(entry.value, (*path, entry.key))


def literal_items(value: ir.Expr) -> list[ir.Lit]:
    return [i for i in value.items if isinstance(i, ir.Lit)] if isinstance(value, ir.Seq) else []


# resources


def check_resources(live: LiveStack, needs_id: Callable[[LiveResource], bool], path: str = "") -> Iterator[Diagnostic]:
    """Yields errors for resources whose state prevents an adoption, also in nested stacks. `needs_id`: whether a
    resource must have a physical ID.
    """
    for resource in live.resources.values():
        name = f"{path}{resource.name}"
        problem = check_resource_state(resource, name, live, needs_id)
        if problem is not None:
            yield problem
        if resource.stack is not None:
            if (
                resource.physical_id is not None
                and resource.stack.id
                and not is_same_stack(resource.physical_id, resource.stack.id)
            ):
                yield diagnose_resource(
                    codes.WRONG_NESTED_STACK,
                    f"{name} stands for the stack {resource.physical_id}, but the input has {resource.stack.id} in its "
                    "place.",
                    resource,
                    live,
                    "Export the stack again.",
                )
            if not is_untold(resource.stack):
                yield from check_stack_state(resource.stack, name)
            yield from check_resources(resource.stack, needs_id, f"{name}.")


def diagnose_resource(code: str, message: str, resource: LiveResource, live: LiveStack, hint: str = "") -> Diagnostic:
    return Diagnostic(code, message, live.source, resource.span, hint)


def is_untold(nested: LiveStack) -> bool:
    """Whether a nested stack is missing in an export because it is empty. Its owner's state holds for it."""
    return not nested.id and not nested.state and not nested.resources


def is_same_stack(physical: str, stack: str) -> bool:
    """Whether the ID of a resource is the one of a stack: Heat gives a stack as an ID or as an ARN."""
    return physical.rpartition("/")[2] == stack.rpartition("/")[2]


def check_resource_state(
    resource: LiveResource, name: str, live: LiveStack, needs_id: Callable[[LiveResource], bool]
) -> Diagnostic | None:
    """Returns an error if the state of one resource prevents an adoption."""
    stack = quote_word(live.id or live.name)
    pending = [hook for hook in HOOKS if hook in resource.data]
    if pending:
        command = f"openstack stack hook clear {stack} {quote_word(resource.name)}"
        hint = f"Clear it ({command}), and wait until the stack is COMPLETE."
        return diagnose_resource(
            codes.STACK_BEING_CHANGED, f"{name} waits for its hook {pending[0]}.", resource, live, hint
        )
    if resource.status == "IN_PROGRESS":
        hint = "Wait until the stack is COMPLETE, then export it again."
        return diagnose_resource(
            codes.RESOURCE_INCOMPLETE, f"{name} is {resource.state}: Heat is changing it.", resource, live, hint
        )
    if resource.action == "CHECK" and resource.status == "FAILED":
        hint = (
            f"If it is whole, run: openstack stack resource mark unhealthy --reset {stack} {quote_word(resource.name)}"
            ". Otherwise let Heat make it again: openstack stack update --existing --wait."
        )
        return diagnose_resource(
            codes.RESOURCE_INCOMPLETE,
            f"{name} is CHECK_FAILED, so Heat's next update would replace it.",
            resource,
            live,
            hint,
        )
    if resource.status == "FAILED":
        hint = "Repair it with an update of the stack, then export it again."
        return diagnose_resource(
            codes.RESOURCE_INCOMPLETE, f"{name} is {resource.state}: it may be half made.", resource, live, hint
        )
    if resource.action == "DELETE":
        hint = "Update the stack to a template that has it, or that lacks it, then export it again."
        return diagnose_resource(
            codes.RESOURCE_INCOMPLETE, f"{name} is deleted, and still in the stack.", resource, live, hint
        )
    if resource.action == "INIT":
        hint = "Let Heat make it (openstack stack update --existing --wait), then export the stack again."
        return diagnose_resource(codes.RESOURCE_INCOMPLETE, f"{name} was never made.", resource, live, hint)
    if resource.action == "SUSPEND":
        hint = "Resume the stack (openstack stack resume --wait), then export it again."
        return diagnose_resource(codes.STACK_SUSPENDED, f"{name} is suspended.", resource, live, hint)
    if not resource.physical_id and needs_id(resource):
        hint = f"Ask Heat: openstack stack resource show {stack} {quote_word(resource.name)}."
        return diagnose_resource(
            codes.RESOURCE_WITHOUT_PHYSICAL_ID, f"{name} has no physical ID.", resource, live, hint
        )
    return None


# physical IDs


def find_ids_to_expect(live: LiveStack, catalog: Catalog) -> Callable[[LiveResource], bool]:
    """Returns a function that decides whether a resource of the stack must have a physical ID."""
    environment = None if live.environment is None else environments.read_environment_text(live.environment)[0]
    registry = {} if environment is None else environment.registry

    def needs_id(resource: LiveResource) -> bool:
        kind = find_meant_type(resource.type, registry)
        may_be_stack = kind in STACKS or kind in DEPLOYMENTS or not catalog.has_type(kind)
        return not (resource.is_empty_stack() and may_be_stack) and not catalog.lacks_physical_id(kind)

    return needs_id


def find_meant_type(kind: str, registry: Mapping[str, ir.Entry]) -> str:
    """The type that a type in a template means: the registry of the environment may map one to another."""
    seen = set()
    while kind in registry and kind not in seen:
        seen.add(kind)
        value = registry[kind].value
        if not isinstance(value, ir.Lit) or not isinstance(value.value, str):
            break
        kind = value.value
    return kind
