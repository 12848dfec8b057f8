"""Reads plans of Terraform, and the commands of an ADOPT.md with the effects that it promises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

PLAN = re.compile(r"(?m)^Plan: (.*)\.$")
PROMISE = re.compile(r"^You should see: `Plan: (.*)\.`")
NOTHING = re.compile(r"(?m)^No changes\.")


class GuideCommand(NamedTuple):
    """A command below a heading. preview: it only shows the actions. promise: the counts of the plan it shows."""

    heading: str
    words: str
    preview: bool
    promise: str


def read_guide(guide: str) -> list[GuideCommand]:
    """The commands of a guide in their order, but for those that go back."""
    commands: list[GuideCommand] = []
    heading, introduction, inside = "", "", False
    for line in guide.splitlines():
        if line.startswith("## "):
            heading, introduction = line[3:], ""
        elif line.startswith("```"):
            inside = line != "```"
        elif inside and not introduction.startswith("To go back"):
            commands.append(GuideCommand(heading, line, "--dry-run" in line, ""))
        elif not inside and line.strip():
            introduction = line
            if match := PROMISE.match(line):
                commands[-1] = commands[-1]._replace(promise=match[1])
    return commands


def count_plan(out: str) -> str:
    """The counts of a plan, as Terraform writes them."""
    match = PLAN.search(out)
    return match[1] if match else "No changes" if is_quiet(out) else "?"


def is_quiet(out: str) -> bool:
    """Whether a plan changes nothing; values of outputs are nothing but records."""
    outputs = "You can apply this plan to save these new output values" in out and "will perform" not in out
    return outputs or NOTHING.search(out) is not None


def find_changes(out: str) -> str:
    """The lines of a plan with its changes, and with the reason of a failure."""
    return " | ".join(changed_lines(out))[:1500]


def changed_lines(out: str) -> Iterator[str]:
    for line in out.splitlines():
        if re.match(r"\s*(# .* (will|must) be|[-+~]|-/\+|Error)", line) and not line.endswith("will be imported"):
            yield line.strip()


def find_errors(out: str) -> str:
    """The errors of a command, or the end of its output."""
    messages = re.findall(r"(?ms)^[│\s]*Error: .*?(?=^[│╵\s]*$\n^[╷\s]*$|\Z)", out)
    return (" ".join(messages) or out[-1200:]).replace("\n", " ")[:1500]
