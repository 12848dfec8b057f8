"""The operator's order of work for a fleet: which stack comes when, with the commands and what to expect.

Invariant: only stacks that are adopted are in the order, and each of the others is named with its reason.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from transpile.adopting.fleet.stacks import LEAVE, PART, UNDER_WAY, WHOLE, StackVerdict
from transpile.adoption.evidence import COMPARISON
from transpile.adoption.steps import TREE_PATCH
from transpile.model.words import count_noun
from transpile.text.markdown import format_code, format_shell_block, format_table

GUIDE_FILE = "ADOPT.md"


def write_order_of_work(verdicts: Sequence[StackVerdict], cloud: str, directory: str, *, patched: bool) -> str:
    """ADOPT.md at the top of the tree. `cloud`: the entry in clouds.yaml. `directory`: the name of the tree. `patched`:
    whether there is a patch of the code for the end.
    """
    adopted = order_verdicts(verdicts)
    left = [verdict for verdict in verdicts if verdict.what == LEAVE]
    projects = sorted({verdict.project for verdict in verdicts})
    lines = [
        "<!-- Made by hot2tf: hot2tf adopt --all -o DIR -->",
        "",
        "# Taking a fleet of stacks over",
        "",
        f"{count_noun(len(verdicts), 'stack')} of {count_noun(len(projects), 'project')}: "
        f"{count(verdicts, WHOLE)} as a whole, {count(verdicts, PART)} in part, "
        f"{count(verdicts, UNDER_WAY)} under way, {len(left)} left.",
        "",
        "## How to work",
        "",
        "One stack after the other, from its plan to the deleted stack, in the order below: the smallest come first, "
        "and those of which Heat keeps a part come last. The `ADOPT.md` of each has its steps. Work as the user who "
        "made the stack, in its project: `export OS_PROJECT_NAME=PROJECT` chooses it for Terraform and `openstack`.",
        "",
        "1. Commit this directory before you begin.",
        "2. Do steps 0 and 1 of the stack's `ADOPT.md`. The plan must have the numbers below. Otherwise stop: the "
        "stack has changed since it was read. Run the command that wrote this directory again.",
        "3. After the apply, let hot2tf compare what runs with what ran before:",
        *format_shell_block(f"hot2tf adopt --os-cloud {shlex.quote(cloud)} --prove FOLDER"),
        f"   It must say that nothing changed, and writes {format_code(COMPARISON)} beside the `ADOPT.md`.",
        "4. Go on with update 1 and update 2, delete the stack if nothing is left with Heat, and compare once more.",
        "5. Tick the stack off here.",
        "",
        *(
            [
                "Leave the step *Let Terraform compare the rest* of each `ADOPT.md` for the end: "
                f"{format_code(TREE_PATCH)} changes the code of all directories, and the first plan of a stack that is "
                "not imported yet would differ. When the last stack is imported, apply it once, and then do that step "
                "for each stack.",
                "",
            ]
            if patched
            else []
        ),
        "## The order",
        "",
    ]
    for number, verdict in enumerate(adopted, 1):
        guide = f"{verdict.guide_folder}/ADOPT.md"
        name = format_code(f"{verdict.project}/{verdict.stack}")
        lines.append(
            f"- [ ] {number}. {name}: [{guide}]({guide}), "
            f"{verdict.imports + verdict.unknown} to import, {verdict.additions} to add{describe_rest(verdict)}"
        )
    if left:
        rows = [(format_code(f"{v.project}/{v.stack}"), v.state, v.why) for v in left]
        lines += ["", "## Left with Heat", "", *format_table(("Stack", "State", "Why"), rows)]
        lines += ["", f"When the reason is gone, the command that wrote {format_code(directory)} takes the stack up."]
    return "\n".join(lines) + "\n"


def describe_rest(verdict: StackVerdict) -> str:
    """What else to know of a stack before its turn."""
    parts = []
    if verdict.unknown:
        parts.append(f"{count_noun(verdict.unknown, 'ID')} to fill in")
    if verdict.drift:
        parts.append(f"**{count_noun(verdict.drift, 'difference')} from the template: decide about them first**")
    if verdict.kept:
        parts.append(f"with Heat stays {', '.join(map(format_code, verdict.kept))}")
    return "".join(f"; {part}" for part in parts)


def order_verdicts(verdicts: Sequence[StackVerdict]) -> list[StackVerdict]:
    """The stacks to adopt, in the order of the work. Those of one directory follow each other."""
    adopted = [verdict for verdict in verdicts if verdict.what != LEAVE]
    size: dict[str, tuple[bool, int]] = {}
    for verdict in adopted:
        in_part, number = size.get(verdict.folder, (False, 0))
        size[verdict.folder] = (in_part or verdict.what == PART, max(number, verdict.imports))
    return sorted(
        adopted, key=lambda verdict: (size[verdict.folder], verdict.folder, verdict.imports, verdict.environment)
    )


def count(verdicts: Sequence[StackVerdict], what: str) -> int:
    return sum(verdict.what == what for verdict in verdicts)
