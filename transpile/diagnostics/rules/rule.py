"""The record behind each diagnostic code."""

from __future__ import annotations

import functools
from typing import final

from transpile.diagnostics import codes
from transpile.model.records import node

E, W, I = "error", "warning", "info"  # noqa: E741 - short names keep the tables readable


@final
@node
class Rule:
    """`severity`: error (nothing is written), warning (something is lost or changes its meaning) or info (nothing is
    lost, but worth knowing). `message`: the text of the diagnostic, if it is the same everywhere, for example `Unknown
    resource type {kind}.`; `message_of_rule` fills it in. `change`: the difference from Heat because the user prefers
    Terraform's own form; only codes that a preference causes have it. `task`: the kind of task that a finding is for
    the user (transpile/todo), if it does not follow from the severity: `set` for a value to fill in, `asked` if
    Terraform asks for it anyway.
    """

    code: str
    severity: str
    title: str
    why: str
    hint: str = ""
    message: str = ""
    change: str = ""
    task: str = ""

    @property
    def name(self) -> str:
        """The name of the code for readers: `only-at-run-time` for HOT404. Codes of plug-ins have none."""
        return code_names().get(self.code, "")


@functools.cache  # few runs ask for it
def code_names() -> dict[str, str]:
    """The names of our codes."""
    return {code: name.lower().replace("_", "-") for name, code in vars(codes).items() if name.isupper()}
