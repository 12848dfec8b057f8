"""Makes the details of one stack for the HTML report, as small lists.

Invariant: a string that several stacks share is written once, and the lists have its number. `script.js` names the
parts of the lists in the same order. Fates other than `dropped` are only in the JSON report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

from transpile.report import LEFT_OUT, name_treatment, template_reports

MOST_DETAILS = 1_000  # resources, losses or diagnostics of one stack; the JSON report has the others
MOST_ADDRESSES = 4  # addresses of one resource
TREATMENTS = ("native", "module", "folded", "data", "embedded", LEFT_OUT)
SEVERITIES = ("error", "warning", "info")


@final
class StackDetails:
    """The details of stacks. strings: what their numbers stand for, in order."""

    def __init__(self) -> None:
        self.strings: dict[str, int] = {}

    def list_details(self, entry: Mapping[str, Any], report: Mapping[str, Any]) -> list[Any]:
        parts = self.collect_reports(report, entry["template"])
        resources = [row for name, part in parts.items() for row in self.walk_resource_rows(name, part)]
        losses = [row for name, part in parts.items() for row in self.walk_loss_rows(name, part)]
        diagnostics = [
            self.make_diagnostic_row(diagnostic)
            for diagnostic in (*report.get("diagnostics", ()), *entry.get("problems", ()))
            if diagnostic["severity"] != "info"
        ]
        return [
            entry["environments"],
            self.number_string(entry["why"]),
            resources[:MOST_DETAILS],
            losses[:MOST_DETAILS],
            diagnostics[:MOST_DETAILS],
            [max(0, len(rows) - MOST_DETAILS) for rows in (resources, losses, diagnostics)],
            entry.get("edited", []),
            [self.number_string(name) for name in report.get("files", ())],
            list(report.get("asks", ())),
            [
                [tool, int(verdict["valid"]), verdict.get("diagnostics", [])]
                for tool, verdict in entry.get("validation", {}).items()
            ],
        ]

    def number_string(self, value: str) -> int:
        return self.strings.setdefault(value, len(self.strings))

    def collect_reports(self, report: Mapping[str, Any], template: str) -> dict[str, Mapping[str, Any]]:
        """The reports of the template and of those nested in it, each once, by name: the module and its file."""
        reports: dict[str, Mapping[str, Any]] = {template: report}
        for inner in template_reports(report):
            for module in inner.get("modules", {}).values():
                reports.setdefault(module["source"], module["report"])
        return reports

    def walk_resource_rows(self, template: str, report: Mapping[str, Any]) -> Iterator[list[Any]]:
        """Each resource: template, name, type, line, treatment, addresses, reason."""
        for name, resource in report.get("resources", {}).items():
            kept = resource.get("kept", {})
            reason = (
                resource.get("why") or kept.get("why") or (f"it stays with {kept['with']}" if "with" in kept else "")
            )
            addresses = resource["addresses"]
            more = [f"and {len(addresses) - MOST_ADDRESSES} more"] if len(addresses) > MOST_ADDRESSES else []
            yield [
                self.number_string(template),
                name,
                self.number_string(resource["type"]),
                resource["line"],
                TREATMENTS.index(name_treatment(resource)),
                ", ".join([*addresses[:MOST_ADDRESSES], *more]),
                self.number_string(reason),
            ]
        for address, why in report.get("heat", {}).items():
            what = "outputs that Heat computes" if why["type"] == "output" else f"attributes of {why['type']}"
            yield [
                self.number_string(template),
                "",
                self.number_string(what),
                0,
                TREATMENTS.index("embedded"),
                address,
                self.number_string(why["why"]),
            ]

    def walk_loss_rows(self, template: str, report: Mapping[str, Any]) -> Iterator[list[Any]]:
        """Everything that was dropped: template, what, reason."""
        owners = {
            "": [(name, resource["properties"]) for name, resource in report.get("resources", {}).items()],
            "key ": [(name, resource.get("keys", {})) for name, resource in report.get("resources", {}).items()],
            "parameter ": [
                (name, parameter.get("keys", {})) for name, parameter in report.get("parameters", {}).items()
            ],
            "environment ": list(report.get("environments", {}).items()),
            "capability ": [("", report.get("capabilities", {}))],
        }
        for word, named_fates in owners.items():
            for name, fates in named_fates:
                for path, fate in fates.items():
                    if fate["as"] == "dropped":
                        what = f"{word}{path}" + (f" of {name}" if name else "")
                        yield [self.number_string(template), what, self.number_string(fate.get("why", ""))]

    def make_diagnostic_row(self, diagnostic: Mapping[str, Any]) -> list[Any]:
        """A diagnostic: severity, code, message, file, line, column, hint."""
        return [
            SEVERITIES.index(diagnostic["severity"]),
            diagnostic["code"],
            diagnostic["message"],
            self.number_string(diagnostic.get("file", "")),
            diagnostic.get("line", 0),
            diagnostic.get("column", 0),
            self.number_string(diagnostic.get("hint", "")),
        ]
