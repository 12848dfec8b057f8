"""One attempt: every resource and output of a stack written under a plan.

The easy rule to break: an attempt goes on after something could not be said, so that the next plan knows all of it;
whatever it returns was not said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec

from emitters.hcl.assemble.keys import Wait, keys_of
from emitters.hcl.assemble.outputs import write_output
from emitters.hcl.embed.stack import Embedded, EmbeddedHandle
from emitters.hcl.lowering.lower import CannotSay
from emitters.hcl.namespace import snake
from emitters.hcl.plan.planner import OUTPUT
from emitters.hcl.resources import hooks, mapping
from emitters.hcl.resources.handles import Native, Off
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tree.nodes import Block
from transpile.model import ir
from transpile.report import fate

if TYPE_CHECKING:
    from collections.abc import Callable

    from emitters.hcl.directory import Directory
    from emitters.hcl.plan.planner import Plan

Failure = tuple[str, CannotSay]
P = ParamSpec("P")


def write(directory: Directory) -> list[Failure]:
    """Everything; what could not be said, by the name of what must stay with Heat."""
    failures: list[Failure] = []
    plan, template = directory.plan, directory.template

    def attempt(owner: str, work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            work(*args, **kwargs)
        except CannotSay as e:
            failures.append((e.blame or owner, e))

    for resource in template.resources.values():
        directory.resource_report(resource)
    for members in plan.groups:
        directory.embedded.append(Embedded(directory, members))
    for name, resource in template.resources.items():
        attempt(name, prepare, directory, resource)
    if failures:  # whoever refers to these would fail with them
        return failures
    for name, resource in template.resources.items():
        if not plan.embeds(name):
            attempt(name, write_resource, directory, resource)
    for output in template.outputs.values():
        attempt(OUTPUT + output.name, write_output, directory, output)
    for name in template.conditions:
        if name in directory.stack.circular:
            continue
        attempt("", directory.condition, ir.ConditionRef(name))
    failures = [f for f in failures if f[0]]
    if failures:
        return failures
    for embedded in directory.embedded:
        attempt(embedded.members[0], embedded.write)
    wait_unasked(directory)
    read_last(directory)
    grown = True
    while grown and not failures:
        grown = False

        def settle(embedded: Embedded) -> None:
            nonlocal grown
            grown = embedded.settle() or grown

        for embedded in directory.embedded:
            attempt(embedded.members[0], settle, embedded)
    return failures


def wait_unasked(directory: Directory) -> None:
    """What Heat's plug-ins make a resource wait for."""
    blocks = {block.address: block for block in directory.main if isinstance(block, Block)} | {
        e.address: e.block for e in directory.embedded
    }
    for owner, need, why in directory.plan.hidden:
        addresses = directory.report.resources[owner].addresses
        if addresses and addresses[0] in blocks:
            directory.waiting.append(Wait(blocks[addresses[0]], owner, [need], "", why))


def read_last(directory: Directory) -> None:
    """What is read is what all made of it that needs it: Heat reads outputs when the stack is complete."""
    plan = directory.plan
    for reader, name in plan.readers.items():
        if not name:
            continue
        users = [user for user in plan.index(users_of).get(name, ()) if user not in plan.readers]
        block = directory.embedded[plan.group_of[reader]].block
        directory.waiting.append(Wait(block, reader, users, "", f"What needs {name} may change what is read"))


def users_of(plan: Plan) -> dict[str, list[str]]:
    """The resources that refer to a resource, by its name."""
    found: dict[str, list[str]] = {}
    for user, needs in plan.needs.items():
        for name in dict.fromkeys(needs):
            found.setdefault(name, []).append(user)
    return found


def prepare(directory: Directory, resource: ir.Resource) -> None:
    """The handle of a resource, before anything is written: whoever refers to it may come first."""
    plan, name = directory.plan, resource.name
    kind = plan.kinds[name]
    if name in plan.off:
        directory.handles[name] = Off(resource)
    elif plan.embeds(name):
        directory.handles[name] = EmbeddedHandle(directory.embedded[plan.group_of[name]], resource)
    elif resource.external_id is not None:
        from emitters.hcl.resources.external import prepare_external

        directory.handles[name] = prepare_external(directory, resource)
    elif kind is not None and kind.hook:
        directory.handles[name] = hooks.PREPARE[kind.hook](directory, resource, kind)
    elif kind is not None:
        label = directory.label(kind.resource, snake(name))
        directory.handles[name] = Native(
            directory, resource, kind, (kind.resource, label), counted=directory.counted(resource)
        )


def write_resource(directory: Directory, resource: ir.Resource) -> None:
    """One resource that is not embedded."""
    plan, name = directory.plan, resource.name
    kind = plan.kinds[name]
    report = directory.resource_report(resource)
    if name not in directory.handles:
        return
    if name in plan.off:
        directory.say(
            "HOT304",
            f"The condition of {name} is never true, so the resource is never created.",
            resource.at,
            resource.at + len(name),
        )
        report.treatment, report.why = "folded", "its condition is never true"
        for entry in resource.properties.entries if resource.properties is not None else ():
            report.properties[entry.key] = fate("implied", why="the resource is never created")
        for key in resource.keys:
            report.keys[key] = fate("implied", why="the resource is never created")
        keys_of(directory, resource, [], nothing=True)
        return
    if resource.external_id is not None:
        from emitters.hcl.resources.external import write_external

        write_external(directory, resource)
    elif kind is not None and kind.hook:
        hooks.WRITE[kind.hook](directory, resource, kind)
    elif kind is not None:
        native(directory, resource, kind)
    if kind is not None and kind.treatment == "folded":
        keys_of(directory, resource, [], nothing=True)


def native(directory: Directory, resource: ir.Resource, kind: mapping.Kind) -> None:
    handle = directory.handles[resource.name]
    assert isinstance(handle, Native)
    writer = Writer(directory, resource, kind, handle.address, resource.properties)
    with directory.writing(resource, handle.address[1]):
        writer.write()
    directory.finish_resource(writer)
