"""What a page shows about one stack when it is opened, as small lists.

Invariant: a string that several stacks have is written once, and stands for its number elsewhere. `script.js` names the
parts of the lists in the same order. Values that became something else are left to the JSON report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.report import templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MANY = 1_000  # resources, losses or diagnostics of one stack; the JSON report has the others
FEW = 4  # addresses of one resource
TREATMENTS = ("native", "module", "folded", "data", "embedded")
SEVERITIES = ("error", "warning", "info")


@final
class Details:
    """The details of stacks. strings: what their numbers stand for, in order."""

    def __init__(self) -> None:
        self.strings: dict[str, int] = {}

    def of(self, entry: Mapping[str, Any], report: Mapping[str, Any]) -> list[Any]:
        parts = self.templates(report, entry["template"])
        resources = [one for name, part in parts.items() for one in self.resources(name, part)]
        lost = [one for name, part in parts.items() for one in self.lost(name, part)]
        said = [self.diagnostic(one) for one in (*report.get("diagnostics", ()), *entry.get("problems", ()))]
        return [
            entry["environments"],
            self.string(entry["why"]),
            resources[:MANY],
            lost[:MANY],
            said[:MANY],
            [max(0, len(one) - MANY) for one in (resources, lost, said)],
            entry.get("edited", []),
            [self.string(name) for name in report.get("files", ())],
            list(report.get("asks", ())),
            [
                [tool, int(one["valid"]), one.get("diagnostics", [])]
                for tool, one in entry.get("validation", {}).items()
            ],
        ]

    def string(self, value: str) -> int:
        return self.strings.setdefault(value, len(self.strings))

    def templates(self, report: Mapping[str, Any], template: str) -> dict[str, Mapping[str, Any]]:
        """The reports of the template and of those nested in it, each once, by name: the module and its file."""
        out: dict[str, Mapping[str, Any]] = {template: report}
        for one in templates(report):
            for module in one.get("modules", {}).values():
                out.setdefault(module["source"], module["report"])
        return out

    def resources(self, template: str, report: Mapping[str, Any]) -> Iterator[list[Any]]:
        """Each resource: template, name, type, line, treatment, addresses, reason."""
        for name, one in report.get("resources", {}).items():
            kept = one.get("kept", {})
            reason = one.get("why") or kept.get("why") or (f"it stays with {kept['with']}" if "with" in kept else "")
            addresses = one["addresses"]
            more = [f"and {len(addresses) - FEW} more"] if len(addresses) > FEW else []
            yield [
                self.string(template),
                name,
                self.string(one["type"]),
                one["line"],
                TREATMENTS.index(one["treatment"]),
                ", ".join([*addresses[:FEW], *more]),
                self.string(reason),
            ]
        for address, why in report.get("heat", {}).items():
            what = "outputs that Heat computes" if why["type"] == "output" else f"attributes of {why['type']}"
            yield [
                self.string(template),
                "",
                self.string(what),
                0,
                TREATMENTS.index("embedded"),
                address,
                self.string(why["why"]),
            ]

    def lost(self, template: str, report: Mapping[str, Any]) -> Iterator[list[Any]]:
        """Everything that was dropped: template, what, reason."""
        owners = {
            "": [(name, one["properties"]) for name, one in report.get("resources", {}).items()],
            "key ": [(name, one.get("keys", {})) for name, one in report.get("resources", {}).items()],
            "parameter ": [(name, one.get("keys", {})) for name, one in report.get("parameters", {}).items()],
            "environment ": list(report.get("environments", {}).items()),
            "capability ": [("", report.get("capabilities", {}))],
        }
        for word, found in owners.items():
            for name, fates in found:
                for path, fate in fates.items():
                    if fate["as"] == "dropped":
                        what = f"{word}{path}" + (f" of {name}" if name else "")
                        yield [self.string(template), what, self.string(fate.get("why", ""))]

    def diagnostic(self, one: Mapping[str, Any]) -> list[Any]:
        """A diagnostic: severity, code, message, file, line, column, hint."""
        return [
            SEVERITIES.index(one["severity"]),
            one["code"],
            one["message"],
            self.string(one.get("file", "")),
            one.get("line", 0),
            one.get("column", 0),
            self.string(one.get("hint", "")),
        ]
