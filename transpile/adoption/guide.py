"""ADOPT.md: what an operator does, step by step, so that Terraform has what Heat had.

Invariant: each step says what to run, what to see and how to go back. The names, IDs and numbers are those of this
stack, and nothing in them is taken for Markdown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from transpile.adoption.steps import ORIGINAL, RELEASE, RETAIN, Steps, command, update
from transpile.model import heat_types, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from transpile.adoption.live import LiveResource

FILE = "ADOPT.md"
MANY = 40  # resources that are listed one by one
# Types with properties that Heat refuses to change. Its preview takes a reference in them for a change, and fails.
FIXED = (heat_types.AWS_VOLUME, heat_types.AWS_VOLUME_ATTACHMENT, heat_types.NEUTRON_TRUNK)


def text(steps: Steps) -> str:
    """The guide."""
    sections = [
        here(steps),
        order(steps),
        before(steps),
        terraform(steps),
        first(steps),
        *([second(steps), *([members(steps)] if steps.detached else []), last(steps)] if steps.complete else []),
        left(steps),
        values(steps),
        warnings(steps),
    ]
    return "\n\n".join("\n".join(lines).strip("\n") for lines in sections) + "\n"


def code(name: str) -> str:
    """A text as code in Markdown."""
    shown = printable.printable(name)
    ticks = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    space = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{space}{shown}{space}{ticks}"


def block(*commands: str) -> tuple[str, ...]:
    """Commands, each on a line."""
    return ("", "```sh", *map(printable.printable, commands), "```", "")


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + " --- |" * len(heads)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


# sections


def here(steps: Steps) -> list[str]:
    live, taken = steps.live, list(steps.resources(kept=False))
    kept = list(steps.resources(kept=True))
    out = ["<!-- Made by hot2tf: hot2tf adopt EXPORT -o DIR -->", "", f"# Taking the stack {code(live.name)} over", ""]
    out.append(
        f"The stack {code(live.name)} ({code(live.id)}) was {code(live.state)} when it was read. Terraform takes "
        f"{counted(len(taken), 'resource')} of it; {counted(len(kept), 'resource')} "
        f"{'stays' if len(kept) == 1 else 'stay'} with Heat."
    )
    out.append("")
    if len(taken) <= MANY:
        rows = [(code(".".join(path)), code(one.type), code(one.physical_id or "")) for path, one in taken]
        out += table(("Resource", "Type", "ID"), rows)
    else:
        out += table(("Type", "Resources"), [(code(kind), str(number)) for kind, number in steps.types()])
    return out


def order(steps: Steps) -> list[str]:
    what = ["plan", "import (apply)", "a plan that says *No changes*", "update 1 (retain)"]
    if steps.complete:
        what.append("update 2 (release)")
        if steps.detached:
            what.append(f"the {counted(len(steps.detached), 'nested stack')} that it leaves behind")
        what.append("a plan that says *No changes*" if steps.stays else "delete the empty stack")
    return [
        "## The order",
        "",
        f"{' → '.join(what)}.",
        "",
        "Keep this order: **update 2 without update 1 deletes what Terraform has.** In this order, no step deletes "
        "anything but records of Heat. Nobody else may update the stack between the first step and the last.",
    ]


def before(steps: Steps) -> list[str]:
    live = steps.live
    return [
        "## 0. Look and keep",
        *block(
            command("show", live.id, "-c", "stack_status", "-c", "parent"),
            command("export", live.id, "--output-file", "before.json"),
            command("snapshot", "list", live.id),
        ),
        f"- The status is {code(live.state)} and `parent` is `None`. Otherwise stop, and run `hot2tf adopt` again.",
        "- Keep `before.json`. It is what `openstack stack adopt` needs to make a stack of the resources again, where "
        "the cloud allows that.",
        "- The list of snapshots is empty. Heat deletes the snapshots of a stack together with the stack.",
    ]


def terraform(steps: Steps) -> list[str]:
    imports = len(steps.adoption.imports)
    summary = f"{imports} to import, 0 to add, 0 to change, 0 to destroy"
    return [
        "## 1. Import into Terraform",
        *block("terraform init", "terraform plan -out=adopt.tfplan"),
        f"You should see: {code(f'Plan: {summary}.')} If it wants to add, change or destroy anything, stop: do not "
        "apply it.",
        *block("terraform apply adopt.tfplan", "terraform plan"),
        "You should see *No changes*. The blocks of `imports.tf` have done their work then.",
        "",
        "To go back: remove the state (`terraform state rm`, or the state file). An import changes nothing in the "
        "cloud, and Heat still has everything.",
    ]


def preview(directory: str, steps: Steps, left: Iterable[LiveResource], *empty: str) -> list[str]:
    """How to see beforehand what an update would do. `left`: the resources of its template; `empty`: the lists that
    must be empty.

    Heat's preview does not look up what resources refer to. So it takes a reference for a change, and a list of what is
    replaced would be wrong; the same is true of the members of groups. Some types fail then.
    """
    stack = steps.live.id
    lists = " and ".join(code(one) for one in empty)
    fixed = next((one for one in left if one.type in FIXED), None)
    if fixed is None:
        shown = [
            "First ask Heat what it would do:",
            *block(update(directory, stack, empty)),
            f"{lists} must be empty (`[]`). Otherwise stop: the stack is not as its template says.",
        ]
    else:
        shown = [f"Heat cannot preview this update: it does not look up what {code(fixed.name)} refers to."]
    return [*shown, "", "Then update:" if fixed is None else "Update:", *block(update(directory, stack))]


def first(steps: Steps) -> list[str]:
    live = steps.live
    return [
        "## 2. Update 1: Heat retains what Terraform has",
        "",
        "The template is the one of the running stack, with `deletion_policy: Retain` on each resource that Terraform "
        "has. `--existing` keeps all parameters, hidden ones too. The environment tells Heat to fail rather than "
        "replace a resource.",
        "",
        *preview(RETAIN, steps, live.resources.values(), "added", "deleted"),
        "Check:",
        *block(
            command("resource", "list", "-n", "5", live.id),
            *([f"{command('template', 'show', live.id, '-f', 'json')} | grep -c Retain"] if steps.retained else []),
            "terraform plan",
        ),
        "- The stack is `UPDATE_COMPLETE`, and all IDs are as before.",
        *retained(steps),
        "- The plan says *No changes*.",
        "",
        "If the update fails with `ResourceActionRestricted`, Heat wanted to replace the resource that it names, and "
        "did not. Find out how that resource differs from its template, or go back.",
        "",
        "To go back, give Heat the template as it was:",
        *block(update(ORIGINAL, live.id)),
    ]


def retained(steps: Steps) -> list[str]:
    """What there is to see of the new policies."""
    out = []
    if steps.retained:
        out.append(f"- The second command prints {steps.retained}: so many resources of the template have the policy.")
    if any(one.stack is not None for one in steps.live.resources.values()):
        out.append(
            "- In a nested stack, the policy stands on the resources inside. `diff -r release/0-original "
            "release/1-retain` shows all of them."
        )
    return out


def second(steps: Steps) -> list[str]:
    live = steps.live
    kept = [one for path, one in steps.resources(kept=True) if len(path) == 1]
    if steps.stays:
        what = (
            "The template has only what stays with Heat. It refers to everything else by ID, through parameters whose "
            "values are in the environment. It is the template that Terraform carries for this stack."
        )
        show = "The list has only what stays with Heat (below)."
    else:
        what = "The template has no resources any longer."
        show = "The list is empty."
    nested = [
        f"- These nested stacks are left, each on its own: {', '.join(code(one.live.id) for one in steps.detached)}.",
    ]
    apply = ["terraform apply"] if steps.stays else []
    stored = [
        "- The apply stores outputs at most: the stack has other ones now. If it wants to change a resource, say no."
    ]
    return [
        "## 3. Update 2: Heat lets go",
        "",
        f"{what} Do this only when update 1 is `UPDATE_COMPLETE`.",
        "",
        *preview(RELEASE, steps, kept, "added"),
        "Check:",
        *block(command("resource", "list", "-n", "5", live.id), *shown(steps), *apply, "terraform plan"),
        f"- The stack is `UPDATE_COMPLETE`. {show}",
        *(nested if steps.detached else []),
        *(stored if steps.stays else []),
        "- What Terraform has is still there, with the same IDs, and the plan says *No changes*.",
        "",
        "There is no way back for this stack: Heat has forgotten what it let go of. Nothing is lost: everything runs "
        "on, and Terraform has it. Where the cloud allows it, `openstack stack adopt --adopt-file before.json NAME` "
        "(with `-e` for types of an environment) makes another stack of it.",
    ]


SHOW = {
    heat_types.NOVA_SERVER: "server",
    heat_types.CINDER_VOLUME: "volume",
    heat_types.NEUTRON_NET: "network",
    heat_types.NEUTRON_PORT: "port",
    heat_types.NEUTRON_ROUTER: "router",
    heat_types.NEUTRON_SECURITY_GROUP: "security group",
    heat_types.NEUTRON_SUBNET: "subnet",
}


def shown(steps: Steps) -> list[str]:
    """Commands that show one resource of a type that everybody knows."""
    for kind, noun in SHOW.items():
        for _, one in steps.resources(kept=False):
            if one.type == kind and one.physical_id:
                return [f"openstack {noun} show {one.physical_id}"]
    return []


def members(steps: Steps) -> list[str]:
    out = [
        "## 4. The nested stacks that are left",
        "",
        "A group passes no deletion policy on to its members, so update 2 left its nested stack whole. Do this for "
        "each, in this order. The update puts `deletion_policy: Retain` on the members; after that, deleting the "
        "nested stack deletes only its record. Never delete one before its update is `UPDATE_COMPLETE`.",
    ]
    for one in steps.detached:
        stack = one.live.id
        empty = not one.live.resources
        steps_of = [] if empty else [update(one.directory, stack), command("resource", "list", stack)]
        out += [
            "",
            f"{code('.'.join(one.path))} ({counted(len(one.live.resources), 'member')}):",
            *block(*steps_of, command("delete", "--yes", "--wait", stack))[:-1],
        ]
    out.append("")
    out.append(
        "You should see each of them `UPDATE_COMPLETE`, then gone, and its members still there. To go back before the "
        "deletion there is nothing to do: a nested stack that is left harms nothing until somebody deletes it."
    )
    return out


def last(steps: Steps) -> list[str]:
    live = steps.live
    number = 5 if steps.detached else 4
    if steps.stays:
        return [
            f"## {number}. The rest of the stack",
            "",
            f"The stack {code(live.name)} stays, and Terraform has it as `openstack_orchestration_stack_v1`. Do not "
            "delete it with the client. Run `terraform plan` once more; you should see *No changes*.",
        ]
    return [
        f"## {number}. Delete the empty stack",
        "",
        "Only when the list of its resources is empty" + (", and no nested stack is left:" if steps.detached else ":"),
        *block(
            command("resource", "list", live.id),
            command("delete", "--yes", "--wait", live.id),
            "terraform plan",
        ),
        "You should see *No changes*. Heat has deleted its record of the stack, and the users and the trust that it "
        "made for it.",
    ]


def left(steps: Steps) -> list[str]:
    kept = list(steps.resources(kept=True))
    if not kept:
        return ["## What stays in Heat", "", "Nothing."]
    out = ["## What stays in Heat", ""]
    out += table(
        ("Resource", "Type", "ID"),
        [(code(".".join(path)), code(one.type), code(one.physical_id or "")) for path, one in kept[:MANY]],
    )
    if len(kept) > MANY:
        out += ["", f"And {len(kept) - MANY} more; the report names all."]
    return out


def values(steps: Steps) -> list[str]:
    hidden = steps.hidden()
    if not hidden:
        return ["## Values to fill in", "", "None."]
    names = ", ".join(code(f"TF_VAR_{name}") for name in hidden)
    return [
        "## Values to fill in",
        "",
        f"Hidden parameters are in no file. Before `terraform plan`, set {names} to what the stack was created with. "
        "Heat keeps its own copies during the updates.",
    ]


def warnings(steps: Steps) -> list[str]:
    out = [
        "- Run the updates as the user who created the stack. With trusts, Heat acts in the name of whoever updated "
        "the stack last.",
        "- The files in `release/` may contain values that were hidden in parameters. Do not commit them.",
    ]
    if any("user_id" in one.data and one.type == heat_types.NOVA_SERVER for _, one in steps.resources(kept=False)):
        out.append(
            "- A server asks Heat for its configuration (`user_data_format: SOFTWARE_CONFIG`). After update 2 it gets "
            "no answer any longer, and keeps what it has."
        )
    if not steps.complete:
        out.append(
            "- Update 2 is missing, because values that it needs are unknown (HOT754). Stop after update 1 until you "
            "have run `hot2tf adopt` again."
        )
    return ["## Warnings", "", *out]
