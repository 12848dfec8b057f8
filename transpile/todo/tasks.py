"""The tasks that a conversion leaves to the user, each with its place and a hint.

Invariant: tasks are made of findings and reports alone, so that every page made of them says the same. An info is no
task, and no task has the value of a hidden parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, final

from transpile.diagnostics.registry import rule_of_code
from transpile.model.printable import make_log_line
from transpile.model.records import node
from transpile.report import list_hidden_names, template_reports

FIX, DECIDE, SET, REPLACE = "fix", "decide", "set", "replace"
KINDS: Final[Mapping[str, str]] = {
    FIX: "problems that stop a conversion or a plan",
    DECIDE: "differences from Heat, and rules that let everybody in",
    SET: "variables without a value",
    REPLACE: "calls of Heat",
}
SECRET = "secret"
OPEN = "rules of security groups let everybody in"
ASKED = "asked"  # in place of a kind: the report names the variable among those that Terraform asks for


@final
@node
class Task:
    """A task for the user. kind: one of KINDS. what: the task in a sentence, or the name of a variable. how: a hint.
    code: that of the finding; empty without a finding. places: `file:line`, or directories. about: a common title of
    tasks without a code.
    """

    kind: str
    what: str
    how: str = ""
    code: str = ""
    places: tuple[str, ...] = ()
    about: str = ""

    @property
    def topic(self) -> str:
        """The common title of all tasks with this code; empty if the rule has none."""
        return rule_of_code(self.code).change if self.code else self.about

    def as_json(self) -> dict[str, Any]:
        entry = {name: getattr(self, name) for name in ("kind", "what", "how", "code", "about")}
        entry["places"] = list(self.places)
        return {key: value for key, value in entry.items() if value}


def make_task(data: Mapping[str, Any]) -> Task:
    """The task of which `as_json` made the data."""
    return Task(**{**data, "places": tuple(data.get("places", ()))})


def collect_finding_tasks(diagnostics: Iterable[Mapping[str, Any]]) -> Iterator[Task]:
    """The tasks of findings as a report has them: errors must be fixed, warnings decided."""
    for finding in diagnostics:
        kind = FIX if finding["severity"] == "error" else rule_of_code(finding["code"]).task or DECIDE
        if finding["severity"] == "info" or kind == ASKED:
            continue
        places = (f"{finding['file']}:{finding['line']}",) if finding.get("file") else ()
        what, how = make_log_line(finding["message"]), make_log_line(finding.get("hint", ""))
        yield Task(kind, what, how, finding["code"], tuple(map(make_log_line, places)))


def collect_report_tasks(report: Mapping[str, Any]) -> Iterator[Task]:
    """The tasks in the report on a conversion, without those of its findings: rules that let everybody in, and
    variables without a value.
    """
    for inner in template_reports(report):
        for rule in inner.get("open_rules", ()):
            what = make_log_line(f"{rule['address']}: {rule['what']}")
            yield Task(
                DECIDE, what, "Set a source, unless everybody may connect.", "", (make_log_line(rule["place"]),), OPEN
            )
    hidden = set(list_hidden_names(report))
    for name in report.get("asks", ()):
        secret = name in hidden
        how = (
            f"Set TF_VAR_{name}; no file has the value."
            if secret
            else "Set it in a .tfvars file; the .tfvars.example has it."
        )
        yield Task(SET, f"{name} ({SECRET})" if secret else name, how)
    backend = report.get("backend", {})
    if backend.get("unset"):
        yield Task(SET, f"the {backend['unset']} of the states", f"terraform init -backend-config={backend['unset']}=")
    if names := backend.get("credentials"):
        yield Task(
            SET,
            f"{' and '.join(names)} ({SECRET})",
            "Set these environment variables: they are the credentials of the backend.",
        )


def collect_tasks(report: Mapping[str, Any]) -> list[Task]:
    """All tasks in the report on a conversion, each once."""
    tasks = [*collect_finding_tasks(report.get("diagnostics", ())), *collect_report_tasks(report)]
    return list(dict.fromkeys(tasks))
