"""What makes it unsafe to take over a running stack, or to let go of it: the states of the stack, of its resources and
of its nested stacks.

Invariant: a function of what was read. It asks nobody and changes nothing, and each finding says what to do.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.front import environment as environments
from transpile.model import heat_types, ir
from transpile.resolve.registry import HOOKS, STEERING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from transpile.adoption.live import LiveResource, LiveStack

SETTLED = frozenset(("CREATE", "UPDATE", "ADOPT", "CHECK", "RESUME", "SNAPSHOT", "RESTORE"))
# Heat makes no object for these, or none that has an ID
WITHOUT_ID = frozenset(
    (heat_types.DELAY, heat_types.KEYSTONE_USER_ROLE_ASSIGNMENT, heat_types.KEYSTONE_GROUP_ROLE_ASSIGNMENT)
)


class Advice(NamedTuple):
    """Why a state of a stack is unsafe, and what to do. `{stack}`: its ID."""

    code: str
    why: str
    hint: str


UNTIL_COMPLETE = (
    "Repair what failed, then run: openstack stack update --existing --wait {stack}. Export the stack again when it is "
    "UPDATE_COMPLETE."
)
FAILED: Mapping[str, Advice] = {
    "CREATE": Advice(
        codes.STACK_INCOMPLETE,
        "Heat did not make all of it",
        "Complete it (openstack stack update --existing --wait {stack}) or delete it and create it again.",
    ),
    "UPDATE": Advice(
        codes.STACK_INCOMPLETE, "the template that Heat stores is not, or not all of it, what runs", UNTIL_COMPLETE
    ),
    "ROLLBACK": Advice(
        codes.STACK_INCOMPLETE, "Heat did not get back to the template before the failed update", UNTIL_COMPLETE
    ),
    "CHECK": Advice(
        codes.STACK_INCOMPLETE,
        "Heat found resources gone or broken, and its next update makes them again",
        "Look at them (openstack stack resource list {stack}). Mark what is whole as healthy (openstack stack resource "
        "mark unhealthy --reset {stack} RESOURCE), then run: openstack stack check --wait {stack}.",
    ),
    "DELETE": Advice(
        codes.STACK_DELETED,
        "some of it is deleted already, and Heat refuses to update it",
        "Heat cannot take a deletion back. Convert the template (hot2tf convert) and import what is left by hand.",
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
OTHER = Advice(codes.STACK_INCOMPLETE, "the last action failed", UNTIL_COMPLETE)


def check(live: LiveStack) -> list[Diagnostic]:
    """What speaks against taking over the stack."""
    found: list[Diagnostic] = []
    if live.parent:
        found.append(
            Diagnostic(
                codes.STACK_IS_NESTED,
                f"The stack {live.name} is part of the stack {live.parent}, which would go on updating it.",
                live.source,
                live.span,
                f"Adopt the outermost stack: openstack stack export {quoted(live.parent)}.",
            )
        )
    found += state(live)
    found += hooks(live)
    found += resources(live)
    return found


def quoted(name: str) -> str:
    """A name of the input in a command."""
    return shlex.quote(name)


# states of stacks


def state(live: LiveStack, inner: str = "") -> Iterator[Diagnostic]:
    """What the state of a stack means. `inner`: the resource that it stands for, if it is nested."""
    what = f"The nested stack of {inner}" if inner else f"The stack {live.name}"
    named = quoted(live.id or live.name)

    def said(code: str, why: str, hint: str) -> Diagnostic:
        return Diagnostic(code, f"{what} {why}.", live.source, live.span, hint.format(stack=named))

    if live.deleted or (live.action, live.status) == ("DELETE", "COMPLETE"):
        yield said(
            codes.STACK_DELETED, "is deleted", "Nothing of it runs. Convert its template instead: hot2tf convert."
        )
    elif live.status == "IN_PROGRESS" and live.action == "DELETE":
        yield said(codes.STACK_DELETED, "is DELETE_IN_PROGRESS", FAILED["DELETE"].hint)
    elif live.status == "IN_PROGRESS":
        yield said(
            codes.STACK_BEING_CHANGED,
            f"is {live.state}: Heat is changing it",
            "Wait until it is COMPLETE (openstack stack show {stack} -c stack_status), then export it again. If it "
            "waits for a hook, see: openstack stack hook poll {stack}.",
        )
    elif live.status == "FAILED":
        advice = FAILED.get(live.action, OTHER)
        yield said(advice.code, f"is {live.state}: {advice.why}", advice.hint)
    elif live.action == "SUSPEND":
        advice = FAILED["SUSPEND"]
        yield said(advice.code, f"is SUSPEND_COMPLETE: {advice.why}", advice.hint)
    elif live.action == "ROLLBACK" and live.status == "COMPLETE":
        if live.resources or inner:
            yield said(
                codes.STACK_ROLLED_BACK,
                "was rolled back: what runs is the template before the last update",
                "The template in your repository may be newer. Compare it with: openstack stack template show {stack}.",
            )
        else:
            yield said(
                codes.STACK_DELETED,
                "was rolled back after its creation failed, and has no resources",
                "Delete it: openstack stack delete {stack}.",
            )
    elif live.action not in SETTLED or live.status != "COMPLETE":
        said_state = f"is in the state {live.state}" if live.state else "has no state in the input"
        yield said(
            codes.STACK_INCOMPLETE,
            f"{said_state}, so nobody knows whether it is whole",
            "Look at it (openstack stack show {stack}), then export it again.",
        )


# hooks and restrictions


def hooks(live: LiveStack) -> Iterator[Diagnostic]:
    """Hooks that would stop an update, and restrictions that would make Heat refuse it."""
    if live.environment is None or not any(word in live.environment.text for word in STEERING):
        return
    environment, _ = environments.read(live.environment)
    entry = None if environment is None else environment.registry.get("resources")
    if entry is None or not isinstance(entry.value, ir.Map):
        return
    for path, word, value in settings(entry.value):
        given = [value.value] if isinstance(value, ir.Lit) else [i.value for i in items(value)]
        name = ".".join(path)
        if word == "hooks" and {"pre-update", "post-update", "pre-delete", "post-delete"}.intersection(given):
            yield Diagnostic(
                codes.HOOK_OR_RESTRICTION_IN_ENVIRONMENT,
                f"The environment has a hook for {name}: each update stops there until someone clears it.",
                live.environment,
                value.span,
                f"Clear it during each update: openstack stack hook clear {quoted(live.id or live.name)} RESOURCE.",
            )
        elif word == "restricted_actions" and "update" in given:
            yield Diagnostic(
                codes.HOOK_OR_RESTRICTION_IN_ENVIRONMENT,
                f"The environment forbids updates of {name}, so Heat refuses to change its deletion policy.",
                live.environment,
                value.span,
                "Update the stack without this restriction first, then export it again.",
                "error",
            )


def settings(at: ir.Map, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str, ir.Expr]]:
    """The hooks and restrictions below `resources` of a registry, each with the names that lead to it."""
    for entry in at.entries:
        if entry.key in STEERING:
            yield path, entry.key, entry.value
        elif isinstance(entry.value, ir.Map):
            yield from settings(entry.value, (*path, entry.key))


def items(value: ir.Expr) -> list[ir.Lit]:
    return [i for i in value.items if isinstance(i, ir.Lit)] if isinstance(value, ir.Seq) else []


# resources


def resources(live: LiveStack, path: str = "") -> Iterator[Diagnostic]:
    """What the states of the resources mean, those of nested stacks included."""
    for one in live.resources.values():
        name = f"{path}{one.name}"
        problem = resource(one, name, live)
        if problem is not None:
            yield problem
        if one.stack is not None:
            if one.physical_id is not None and one.stack.id and not same(one.physical_id, one.stack.id):
                yield about(
                    codes.WRONG_NESTED_STACK,
                    f"{name} stands for the stack {one.physical_id}, but the input has {one.stack.id} in its place.",
                    one,
                    live,
                    "Export the stack again.",
                )
            yield from state(one.stack, name)
            yield from resources(one.stack, f"{name}.")


def about(code: str, message: str, one: LiveResource, live: LiveStack, hint: str = "") -> Diagnostic:
    return Diagnostic(code, message, live.source, one.span, hint)


def same(physical: str, stack: str) -> bool:
    """Whether the ID of a resource is the one of a stack: Heat gives a stack as an ID or as an ARN."""
    return physical.rpartition("/")[2] == stack.rpartition("/")[2]


def resource(one: LiveResource, name: str, live: LiveStack) -> Diagnostic | None:
    """What the state of one resource means."""
    stack = quoted(live.id or live.name)
    pending = [hook for hook in HOOKS if hook in one.data]
    if pending:
        hint = (
            f"Clear it (openstack stack hook clear {stack} {quoted(one.name)}), and wait until the stack is COMPLETE."
        )
        return about(codes.STACK_BEING_CHANGED, f"{name} waits for its hook {pending[0]}.", one, live, hint)
    if one.status == "IN_PROGRESS":
        hint = "Wait until the stack is COMPLETE, then export it again."
        return about(codes.RESOURCE_INCOMPLETE, f"{name} is {one.state}: Heat is changing it.", one, live, hint)
    if one.action == "CHECK" and one.status == "FAILED":
        hint = (
            f"If it is whole, run: openstack stack resource mark unhealthy --reset {stack} {quoted(one.name)}. "
            "Otherwise let Heat make it again: openstack stack update --existing --wait."
        )
        return about(
            codes.RESOURCE_INCOMPLETE,
            f"{name} is CHECK_FAILED, so Heat's next update would replace it.",
            one,
            live,
            hint,
        )
    if one.status == "FAILED":
        hint = "Repair it with an update of the stack, then export it again."
        return about(codes.RESOURCE_INCOMPLETE, f"{name} is {one.state}: it may be half made.", one, live, hint)
    if one.action == "DELETE":
        hint = "Update the stack to a template that has it, or that lacks it, then export it again."
        return about(codes.RESOURCE_INCOMPLETE, f"{name} is deleted, and still in the stack.", one, live, hint)
    if one.action == "INIT":
        hint = "Let Heat make it (openstack stack update --existing --wait), then export the stack again."
        return about(codes.RESOURCE_INCOMPLETE, f"{name} was never made.", one, live, hint)
    if one.action == "SUSPEND":
        hint = "Resume the stack (openstack stack resume --wait), then export it again."
        return about(codes.STACK_SUSPENDED, f"{name} is suspended.", one, live, hint)
    if not one.physical_id and one.type not in WITHOUT_ID:
        hint = f"Ask Heat: openstack stack resource show {stack} {quoted(one.name)}."
        return about(codes.RESOURCE_WITHOUT_PHYSICAL_ID, f"{name} has no physical ID.", one, live, hint)
    return None
