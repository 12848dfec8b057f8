"""Writes ADOPT.md: the steps by which an operator moves the resources of a stack from Heat to Terraform.

Invariant: each step says what to run, what to expect and how to go back. The names, IDs and numbers are those of this
stack, and nothing in them is taken for Markdown.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import TYPE_CHECKING

from transpile.adoption.import_sections import (
    write_cleanup_section,
    write_comparison_section,
    write_import_section,
    write_replacements_section,
    write_unseen_section,
)
from transpile.adoption.shell import join_command
from transpile.adoption.steps import (
    FOLDER,
    IMPORTS_FILE,
    ORIGINAL,
    RELEASE,
    RETAIN,
    ReleaseSteps,
    format_stack_command,
    format_update_command,
)
from transpile.model import heat_types
from transpile.model.words import count_noun
from transpile.text.markdown import format_code, format_shell_block, format_table

if TYPE_CHECKING:
    from transpile.adoption.live import LiveResource

GUIDE_FILE = "ADOPT.md"
MOST_ROWS = 40  # resources that are listed one by one
OF_ENVIRONMENTS = "NAME=EXPORT --environments files"
# Types with properties that Heat refuses to change. Its preview takes a reference in them for a change, and fails.
TYPES_WITHOUT_PREVIEW = (heat_types.AWS_VOLUME, heat_types.AWS_VOLUME_ATTACHMENT, heat_types.NEUTRON_TRUNK)


def write_guide(steps: ReleaseSteps) -> str:
    """The guide."""
    sections = [
        write_overview_section(steps),
        write_order_section(steps),
        write_preparation_section(steps),
        [*write_import_section(steps), "", *write_cleanup_section(steps)],
        write_retain_section(steps),
        *(
            [
                write_release_section(steps),
                *([write_members_section(steps)] if steps.detached else []),
                write_final_section(steps),
            ]
            if steps.complete
            else []
        ),
        *([comparison] if (comparison := write_comparison_section(steps, count_steps(steps) + 1)) else []),
        *([replaced] if (replaced := write_replacements_section(steps)) else []),
        *([unseen] if (unseen := write_unseen_section(steps)) else []),
        write_remaining_section(steps),
        write_values_section(steps),
        write_warnings_section(steps),
    ]
    return "\n\n".join("\n".join(lines).strip("\n") for lines in sections) + "\n"


def write_overview_section(steps: ReleaseSteps) -> list[str]:
    live, taken = steps.live, list(steps.walk_resources(kept=False))
    kept = list(steps.walk_resources(kept=True))
    out = [
        f"<!-- Made by hot2tf: hot2tf adopt {'EXPORT' if steps.environment is None else OF_ENVIRONMENTS} -o DIR -->",
        "",
        f"# Taking the stack {format_code(live.name)} over",
        "",
    ]
    out.append(
        f"The stack {format_code(live.name)} ({format_code(live.id)}) was {format_code(live.state)} when it was "
        f"read. Terraform takes {count_noun(len(taken), 'resource')} of it; {count_noun(len(kept), 'resource')} "
        f"{'stays' if len(kept) == 1 else 'stay'} with Heat."
    )
    out.append("")
    if len(taken) <= MOST_ROWS:
        rows = [
            (format_code(".".join(path)), format_code(resource.type), format_code(resource.shown_id))
            for path, resource in taken
        ]
        out += format_table(("Resource", "Type", "ID"), rows)
    else:
        out += format_table(
            ("Type", "Resources"), [(format_code(kind), str(number)) for kind, number in steps.count_taken_types()]
        )
    return out


def write_order_section(steps: ReleaseSteps) -> list[str]:
    what = ["plan", "import (apply)", "a plan that says *No changes*"]
    imports = format_code(IMPORTS_FILE if steps.environment is None else steps.environment.ids_label)
    what += [f"remove {imports}"] if steps.adoption.imports else []
    what.append("update 1 (retain)")
    if steps.complete:
        what.append("update 2 (release)")
        if steps.detached:
            what.append(f"the {count_noun(len(steps.detached), 'nested stack')} that it leaves behind")
        what.append("a plan that says *No changes*" if steps.has_remains else "delete the empty stack")
    what += ["let Terraform compare the rest"] if steps.adoption.settled else []
    return [
        "## The order",
        "",
        f"{' → '.join(what)}.",
        "",
        "Keep this order: **update 2 without update 1 deletes what Terraform has.** In this order, no step deletes "
        "anything but records of Heat. Nobody else may update the stack between the first step and the last.",
        *list_environment_notes(steps),
    ]


def list_environment_notes(steps: ReleaseSteps) -> list[str]:
    """What to do before each step if several environments share the configuration."""
    if steps.environment is None:
        return []
    return [
        "",
        f"This guide is for the environment {format_code(steps.environment.name)}. If you have worked on another one "
        "in between, choose its state again before you go on:",
        *format_shell_block(steps.init_command),
        "Otherwise Terraform compares the state of the other environment with the values of this one.",
    ]


def write_preparation_section(steps: ReleaseSteps) -> list[str]:
    live = steps.live
    return [
        "## 0. Look and keep",
        *format_shell_block(
            format_stack_command("show", live.id, "-c", "stack_status", "-c", "parent"),
            format_stack_command("export", live.id, "--output-file", "before.json"),
            format_stack_command("snapshot", "list", live.id),
        ),
        f"- The status is {format_code(live.state)} and `parent` is `None`. Otherwise stop, and run `hot2tf adopt` "
        "again.",
        "- Keep `before.json`. It is what `openstack stack adopt` needs to make a stack of the resources again, where "
        "the cloud allows that.",
        "- The list of snapshots is empty. Heat deletes the snapshots of a stack together with the stack.",
    ]


def write_update_preview(directory: str, steps: ReleaseSteps, left: Iterable[LiveResource], *empty: str) -> list[str]:
    """How to see beforehand what an update would do. `left`: the resources of its template; `empty`: the lists that
    must be empty.

    Heat's preview does not resolve references. So it takes every reference for a change, and its list of replaced
    resources is wrong; the same is true of the members of groups. For the types in TYPES_WITHOUT_PREVIEW it fails.
    """
    stack = steps.live.id
    lists = " and ".join(format_code(name) for name in empty)
    fixed = next((resource for resource in left if resource.type in TYPES_WITHOUT_PREVIEW), None)
    if fixed is None:
        preview = [
            "First ask Heat what it would do:",
            *format_shell_block(format_update_command(steps.path_of(directory), stack, empty)),
            f"{lists} must be empty (`[]`). Otherwise stop: the stack is not as its template says.",
        ]
    else:
        preview = [f"Heat cannot preview this update: it does not look up what {format_code(fixed.name)} refers to."]
    return [
        *preview,
        "",
        "Then update:" if fixed is None else "Update:",
        *format_shell_block(format_update_command(steps.path_of(directory), stack)),
    ]


def write_retain_section(steps: ReleaseSteps) -> list[str]:
    live = steps.live
    return [
        "## 2. Update 1: Heat retains what Terraform has",
        "",
        "The template is the one of the running stack, with `deletion_policy: Retain` on each resource that Terraform "
        "has. `--existing` keeps all parameters, hidden ones too. The environment tells Heat to fail rather than "
        "replace a resource.",
        "",
        *write_port_notes(steps),
        *write_update_preview(RETAIN, steps, live.resources.values(), "added", "deleted"),
        "Check:",
        *format_shell_block(
            format_stack_command("resource", "list", "-n", "5", live.id),
            *(
                [f"{format_stack_command('template', 'show', live.id, '-f', 'json')} | grep -c Retain"]
                if steps.retained
                else []
            ),
            steps.terraform("plan"),
        ),
        "- The stack is `UPDATE_COMPLETE`, and all IDs are as before.",
        *write_retain_checks(steps),
        "- The plan says *No changes*.",
        "",
        "If the update fails with `ResourceActionRestricted`, Heat wanted to replace the resource that it names, and "
        "did not. Find out how that resource differs from its template, or go back.",
        "",
        "To go back, give Heat the template as it was:",
        *format_shell_block(format_update_command(steps.path_of(ORIGINAL), live.id)),
    ]


def write_port_notes(steps: ReleaseSteps) -> list[str]:
    """What the templates have in place of the ports that they read of servers."""
    out, why = [], "with a floating IP on it, Heat no longer finds it there, and the update would fail."
    for server, port in sorted(steps.ports.items()):
        read = format_code(f"{{get_attr: [{server}, addresses, …, port]}}")
        if port is not None:
            out += [f"The ID of the port replaces {read}: {why}", ""]
            continue
        command = shlex.join(["openstack", "port", "list", "--server", str(steps.live.resources[server].physical_id)])
        places = " and ".join(format_code(steps.path_of(name)) for name in (RETAIN, ORIGINAL))
        out += [f"First replace {read} in {places} by the ID of the port ({format_code(command)}): {why}", ""]
    for file, server in sorted(steps.nested_ports):
        read, where = format_code(f"{{get_attr: [{server}, addresses, …, port]}}"), format_code(file)
        out += [
            f"The nested template {where} has {read}, and the port is not known: {why}",
            f"Its version of HOT cannot search for the port, or it reads another address than the first. Let {where} "
            "read a port that the template makes, and update the stack before you begin.",
            "",
        ]
    return out


def write_retain_checks(steps: ReleaseSteps) -> list[str]:
    """How to check that Heat has stored the new deletion policies."""
    out = []
    if steps.retained:
        out.append(f"- The second command prints {steps.retained}: so many resources of the template have the policy.")
    if any(resource.stack is not None for resource in steps.live.resources.values()):
        out.append(
            "- In a nested stack, the policy stands on the resources inside. "
            f"`diff -r {steps.path_of(ORIGINAL)} {steps.path_of(RETAIN)}` shows all of them."
        )
    return out


def write_release_section(steps: ReleaseSteps) -> list[str]:
    live = steps.live
    kept = [resource for path, resource in steps.walk_resources(kept=True) if len(path) == 1]
    if steps.has_remains:
        what = (
            "The template has only what stays with Heat. It refers to everything else by ID, through parameters whose "
            "values are in the environment. It is the template that Terraform carries for this stack."
        )
        show = "The list has only what stays with Heat (below)."
    else:
        what = "The template has no resources any longer."
        show = "The list is empty."
    ids = ", ".join(format_code(detached.live.id or ".".join(detached.path)) for detached in steps.detached)
    nested = [f"- These nested stacks are left, each on its own: {ids}."]
    apply = [steps.terraform("apply")] if steps.has_remains else []
    stored = [
        "- The apply stores outputs at most: the stack has other ones now. If it wants to change a resource, say no."
    ]
    return [
        "## 3. Update 2: Heat lets go",
        "",
        f"{what} Do this only when update 1 is `UPDATE_COMPLETE`.",
        "",
        *write_update_preview(RELEASE, steps, kept, "added"),
        "Check:",
        *format_shell_block(
            format_stack_command("resource", "list", "-n", "5", live.id),
            *make_show_command(steps),
            *apply,
            steps.terraform("plan"),
        ),
        f"- The stack is `UPDATE_COMPLETE`. {show}",
        *(nested if steps.detached else []),
        *(stored if steps.has_remains else []),
        "- What Terraform has is still there, with the same IDs, and the plan says *No changes*.",
        "",
        *write_point_of_no_update(steps),
    ]


def has_chain(steps: ReleaseSteps) -> bool:
    """Whether Heat cannot adopt the stack again: it finds no IDs for the members of a chain."""
    return any(resource.type == heat_types.RESOURCE_CHAIN for _, resource in steps.live.walk_resources())


def write_point_of_no_update(steps: ReleaseSteps) -> list[str]:
    """What the way back is when Heat has let go, and what it is not."""
    forgotten = (
        "Heat has forgotten what it let go of, and everything runs on. Do not update to the first template to go back: "
        "it would make a second set of resources."
    )
    if steps.has_remains:
        return [
            f"{forgotten} There is no other way back, because a stack that `openstack stack adopt` makes would have "
            "what stays with Heat, too."
        ]
    if has_chain(steps):
        return [f"{forgotten} There is no other way back: Heat does not adopt an `OS::Heat::ResourceChain`."]
    return [f"{forgotten} The way back is at the end of step {count_steps(steps)}, where the cloud allows it."]


SHOW_NOUNS = {
    heat_types.NOVA_SERVER: "server",
    heat_types.CINDER_VOLUME: "volume",
    heat_types.NEUTRON_NET: "network",
    heat_types.NEUTRON_PORT: "port",
    heat_types.NEUTRON_ROUTER: "router",
    heat_types.NEUTRON_SECURITY_GROUP: "security group",
    heat_types.NEUTRON_SUBNET: "subnet",
}


def make_show_command(steps: ReleaseSteps) -> list[str]:
    """Commands that show one resource of a type that everybody knows."""
    for kind, noun in SHOW_NOUNS.items():
        for _, resource in steps.walk_resources(kept=False):
            if resource.type == kind and resource.physical_id:
                return [join_command(["openstack", *noun.split(), "show"], resource.physical_id)]
    return []


def write_members_section(steps: ReleaseSteps) -> list[str]:
    out = [
        "## 4. The nested stacks that are left",
        "",
        "A group passes no deletion policy on to its members, so update 2 left its nested stack whole. Do this for "
        "each, in this order. The update puts `deletion_policy: Retain` on the members; after that, deleting the "
        "nested stack deletes only its record. Never delete one before its update is `UPDATE_COMPLETE`.",
    ]
    for detached in steps.detached:
        if not detached.live.id:
            out += [
                "",
                f"{format_code('.'.join(detached.path))} (0 members): the export does not have the ID of its stack. "
                f"Look for a name with {format_code(f'-{detached.path[-1]}-')} in the list, and delete that stack.",
                *format_shell_block(format_stack_command("list", "--nested"))[:-1],
            ]
            continue
        stack = detached.live.id
        empty = not detached.live.resources
        steps_of = (
            []
            if empty
            else [
                format_update_command(steps.path_of(detached.directory), stack),
                format_stack_command("resource", "list", stack),
            ]
        )
        out += [
            "",
            f"{format_code('.'.join(detached.path))} ({count_noun(len(detached.live.resources), 'member')}):",
            *format_shell_block(*steps_of, format_stack_command("delete", "--yes", "--wait", stack))[:-1],
        ]
    out.append("")
    out.append(
        "You should see each of them `UPDATE_COMPLETE`, then gone, and its members still there. To go back before the "
        "deletion there is nothing to do: a nested stack that is left harms nothing until somebody deletes it."
    )
    return out


def count_steps(steps: ReleaseSteps) -> int:
    """The number of the last step before Terraform compares the rest."""
    return (5 if steps.detached else 4) if steps.complete else 2


def write_final_section(steps: ReleaseSteps) -> list[str]:
    live = steps.live
    number = count_steps(steps)
    if steps.has_remains:
        return [
            f"## {number}. The rest of the stack",
            "",
            f"The stack {format_code(live.name)} stays, and Terraform has it as `openstack_orchestration_stack_v1`. Do "
            f"not delete it with the client. Run `{steps.terraform('plan')}` once more; you should see *No changes*.",
        ]
    return [
        f"## {number}. Delete the empty stack",
        "",
        "Only when the list of its resources is empty" + (", and no nested stack is left:" if steps.detached else ":"),
        *format_shell_block(
            format_stack_command("resource", "list", live.id),
            format_stack_command("delete", "--yes", "--wait", live.id),
            steps.terraform("plan"),
        ),
        "You should see *No changes*. Heat has deleted its record of the stack, and the users and the trust that it "
        "made for it.",
        *([] if has_chain(steps) else write_way_back(steps)),
    ]


def write_way_back(steps: ReleaseSteps) -> list[str]:
    """How Heat gets everything back, also after the deletion of the stack."""
    types = ["-e", steps.path_of(steps.adopt_environment)] if steps.adopt_environment else []
    return [
        "",
        "To go back, where the cloud allows `openstack stack adopt` (`enable_stack_adopt` in Heat's configuration), "
        "let Heat take everything again, under the old name and a new ID:",
        *format_shell_block(
            format_stack_command("adopt", "--wait", "--adopt-file", "before.json", *types, steps.live.name)
        ),
        "Then remove the state of Terraform: otherwise both have the resources.",
    ]


def write_remaining_section(steps: ReleaseSteps) -> list[str]:
    kept = list(steps.walk_resources(kept=True))
    if not kept:
        return ["## What stays in Heat", "", "Nothing."]
    out = ["## What stays in Heat", ""]
    out += format_table(
        ("Resource", "Type", "ID"),
        [
            (format_code(".".join(path)), format_code(resource.type), format_code(resource.shown_id))
            for path, resource in kept[:MOST_ROWS]
        ],
    )
    if len(kept) > MOST_ROWS:
        out += ["", f"And {len(kept) - MOST_ROWS} more; the report names all."]
    return out


def write_values_section(steps: ReleaseSteps) -> list[str]:
    adoption, out = steps.adoption, ["## Values to fill in", ""]
    if adoption.unknown_ids:
        rows = [(format_code(address), format_code(command)) for address, command in adoption.unknown_ids.items()]
        file = IMPORTS_FILE if steps.environment is None else steps.environment.values_file
        out.append(f"These IDs are empty in {format_code(file)}, and Terraform does not plan until they are filled in:")
        out += ["", *format_table(("Resource", "What shows its ID"), rows), ""]
    if hidden := [name for name, is_hidden in adoption.asks.items() if is_hidden]:
        names = ", ".join(format_code(f"TF_VAR_{name}") for name in hidden)
        created = "to what the stack was created with. Heat keeps its own copies during the updates."
        out += [f"Hidden parameters are in no file. Before `terraform plan`, set {names} {created}", ""]
    if others := [name for name, is_hidden in adoption.asks.items() if not is_hidden]:
        names = ", ".join(map(format_code, others))
        if steps.environment is not None:
            out += [f"Nothing tells the values of {names}: add them to `{steps.environment.values_file}`.", ""]
        else:
            out += [f"Nothing tells the values of {names}: `terraform.tfvars.example` says what they are for.", ""]
    return out if len(out) > 2 else [*out, "None."]


def write_warnings_section(steps: ReleaseSteps) -> list[str]:
    out = [
        "- Run the updates as the user who created the stack. With trusts, Heat acts in the name of whoever updated "
        "the stack last.",
        f"- The files in `{steps.path_of(FOLDER)}/` may contain values that were hidden in parameters. Do not commit "
        "them.",
    ]
    if any(
        "user_id" in resource.data and resource.type == heat_types.NOVA_SERVER
        for _, resource in steps.walk_resources(kept=False)
    ):
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
