"""The sections of ADOPT.md about Terraform: the import, its end, and what Terraform compares afterwards.

Invariant: each section says what to run, what to expect and how to go back.
"""

from __future__ import annotations

from transpile.adoption import first_plan
from transpile.adoption.steps import IMPORTS_FILE, ReleaseSteps
from transpile.text.markdown import format_code, format_shell_block, format_table

MOST_ROWS = 40  # resources that are listed one by one
IGNORED = "does nothing: `ignore_changes` has it. Without that, replaces it"


def write_import_section(steps: ReleaseSteps) -> list[str]:
    summary, adoption = first_plan.format_plan_line(steps.adoption), steps.adoption
    other = (
        "change or destroy anything, or add anything else" if adoption.additions else "add, change or destroy anything"
    )
    first = first_plan.describe_preparations(adoption)
    return [
        "## 1. Import into Terraform",
        *(["", f"First {first_plan.join_words(first)}: [values to fill in](#values-to-fill-in)."] if first else []),
        *format_shell_block(steps.init_command, steps.terraform("plan -out=adopt.tfplan", imports=True)),
        f"You should see: {format_code(summary)} If it wants to {other}, stop: do not apply it.",
        *list_additions(steps),
        *format_shell_block("terraform apply adopt.tfplan", steps.terraform("plan", imports=True)),
        "You should see *No changes*.",
        "",
        "To go back: remove the state (`terraform state rm`, or the state file). An import changes nothing in the "
        "cloud, and Heat still has everything.",
    ]


def list_additions(steps: ReleaseSteps) -> list[str]:
    """What the plan adds, because it exists only in Terraform's state."""
    additions = steps.adoption.additions
    if not additions:
        return []
    rows = [(format_code(address), why) for address, why in additions.items()]
    return ["", "It adds these. Nothing that runs changes:", "", *format_table(("Added", "What this means"), rows)]


def write_cleanup_section(steps: ReleaseSteps) -> list[str]:
    """That the import blocks go as soon as they have done their work. A block for something that is gone later, such as
    a member of a group that shrinks, is an error in every plan.
    """
    if not steps.adoption.imports:
        return []
    if steps.environment is not None:
        file, secrets = steps.environment.values_file, steps.environment.secrets_file
        label, backup = steps.environment.ids_label, f"{file}.before"
        first = "# HOT715: " if steps.environment.import_notes else f"{label} = {{$"
        remove = [f"sed -i.before '/^{first}/,/^}}$/d' {file}", f"rm {backup}"]
        remove += [f"rm {secrets}"] if steps.environment.secret_ids else []
        return [
            "### Remove the IDs to import",
            *format_shell_block(*remove, steps.terraform("plan")),
            f"You should see *No changes* again. Commit the directory. Terraform needs {format_code(label)} once, and "
            "with the ID of something that you remove later, such as the last member of a group, every plan fails.",
            "",
            f"The blocks in {format_code(IMPORTS_FILE)} stay for the other environments, and import nothing here.",
        ]
    return [
        "### Remove the import blocks",
        *format_shell_block(f"rm {IMPORTS_FILE}", "terraform plan"),
        f"You should see *No changes* again. Commit the directory without {format_code(IMPORTS_FILE)}. Terraform needs "
        "an import block once, and with a block for something that you remove later, such as the last member of a "
        "group, every plan fails.",
    ]


def write_comparison_section(steps: ReleaseSteps, number: int) -> list[str]:
    """How Terraform begins to compare what it ignored only for the import."""
    if not steps.adoption.settled:
        return []
    addresses = steps.adoption.settling
    listed = ", ".join(map(format_code, addresses[:MOST_ROWS]))
    more = f", and {len(addresses) - MOST_ROWS} more" if len(addresses) > MOST_ROWS else ""
    return [
        f"## {number}. Let Terraform compare the rest",
        "",
        "`ignore_changes` in `main.tf` kept the first plan empty: an import does not read these arguments back. While "
        "they are there, Terraform says *No changes* when you change them, for example the security groups of a port, "
        f"and does nothing. {format_code(steps.patch_file)} removes those whose first update changes nothing that "
        "runs. Others remain, for example `fixed_ip` of a port for which the template gives no address: Neutron could "
        "choose another one, and refuses that while the port has a floating IP.",
        *list_other_environments(steps),
        *format_shell_block(f"patch {steps.patch_options}", steps.terraform("plan -out=compare.tfplan")),
        f"You should see: {format_code(f'Plan: 0 to add, {len(addresses)} to change, 0 to destroy.')} Each change only "
        "stores what runs already. If it wants to add or destroy anything, or to change another argument, stop: do not "
        "apply it.",
        "",
        *([f"The changed resources: {listed}{more}.", ""] if addresses else []),
        *format_shell_block("terraform apply compare.tfplan", steps.terraform("plan"))[1:],
        "You should see *No changes*. Commit the directory.",
        "",
        f"To go back: {format_code(f'patch -R {steps.patch_options}')}.",
    ]


def write_replacements_section(steps: ReleaseSteps) -> list[str]:
    """What Terraform replaces although Heat would have updated it: to know before the first change."""
    replaced = steps.adoption.replaced
    if not replaced:
        return []
    rows = [
        (
            format_code(each.address) + (f" in {format_code(each.where)}" if each.where else ""),
            format_code(each.argument),
            format_code(each.property),
            IGNORED if each.ignored else "replaces it",
        )
        for each in replaced[:MOST_ROWS]
    ]
    more = len(replaced) - MOST_ROWS
    return [
        "## What Terraform replaces",
        "",
        "Heat changes these properties in place. The provider cannot: when the argument changes, Terraform deletes the "
        "object and makes another one, with another ID and without what was on it. Look for *forces replacement* in "
        "every plan, and add `lifecycle { prevent_destroy = true }` to what must not be lost.",
        "",
        *format_table(("Resource", "Argument", "Property", "A change of it"), rows),
        *(["", f"And {more} more (HOT778)."] if more > 0 else []),
    ]


def write_unseen_section(steps: ReleaseSteps) -> list[str]:
    """What Terraform never compares: to know before somebody changes it and believes the plan."""
    unseen = steps.adoption.unseen
    if not unseen:
        return []
    rows = [
        (
            format_code(each.address) + (f" in {format_code(each.where)}" if each.where else ""),
            ", ".join(map(format_code, each.reasons)),
            "; ".join(dict.fromkeys(each.reasons.values())),
        )
        for each in unseen[:MOST_ROWS]
    ]
    more = len(unseen) - MOST_ROWS
    return [
        "## What Terraform does not see",
        "",
        "These stay in `ignore_changes`. When you change them, also through a variable, the plan says *No changes* and "
        "nothing happens. To change one, remove its name there, and read the plan before you apply it: for some, such "
        "as user data, it replaces the object.",
        "",
        *format_table(("Resource", "Arguments", "Why"), rows),
        *(["", f"And {more} more (HOT716)."] if more > 0 else []),
    ]


def list_other_environments(steps: ReleaseSteps) -> list[str]:
    """What the patch of the code means for other environments, and for other directories of a tree."""
    if steps.adoption.in_tree:
        return [
            "",
            "The modules belong to all directories of the tree. Apply the patch once, when the last stack of the tree "
            "is imported. Then do the rest of this step for each stack.",
        ]
    if steps.environment is None:
        return []
    return [
        "",
        "The code belongs to all environments. Apply the patch once, when the last of them is imported. Then do the "
        "rest of this step in each.",
    ]
