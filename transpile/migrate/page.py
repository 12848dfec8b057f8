"""The report on a migration as one page for a browser, which needs no network.

Invariant: everything that comes from templates is text. The script gets it as JSON in elements that are never run, and
only sets it as text. The page is written one stack after the other and contains no date, so equal migrations give equal
bytes. The details of a stack are small lists, whose parts `script.js` names in the same order. A string that several
stacks share is written once, and the lists have its number. Fates other than `dropped` are only in the JSON report.
"""

from __future__ import annotations

import itertools
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, final
from urllib.parse import quote

from transpile import targets
from transpile.diagnostics import registry
from transpile.migrate.fleet import FleetReport, FleetTotals
from transpile.report import LEFT_OUT, name_treatment, template_reports
from transpile.text.html_pages import generate_page
from transpile.todo.tasks import KINDS
from transpile.todo.todo_list import TodoList

MOST_DETAILED_STACKS = 5_000  # stacks; beyond, the page has the table alone and no details of each
RANKED = 500  # rows of a ranked table
SHORT = 12  # rows that it shows at first
STACKS_PER_CHUNK = 500  # stacks in one element of data
TREATMENT_WORDS = {  # those of docs/report.md, in the order of TREATMENTS
    "native": ("native", "became resources of the target"),
    "module": ("module", "nested templates, became calls of modules"),
    "folded": ("folded", "became part of other resources, or need no block"),
    "data": ("data", "exist already and are only read"),
    "embedded": ("kept in Heat", "stay in Heat stacks that Terraform manages"),
    LEFT_OUT: ("left out", "are lost: TODO.md lists the differences from Heat"),
}
TARGET_NAMES = {"hcl": "Terraform", "tosca": "TOSCA", "hot": "HOT"}
TARGETS_WITH_HEAT = ("hcl",)  # targets that can leave resources in Heat
MOST_DETAILS = 1_000  # resources, losses or diagnostics of one stack; the JSON report has the others
MOST_ADDRESSES = 4  # addresses of one resource
TREATMENTS = ("native", "module", "folded", "data", "embedded", LEFT_OUT)
SEVERITIES = ("error", "warning", "info")


def write_page(
    fleet: FleetReport, totals: FleetTotals, todo: TodoList, place: str | None, dest: str, out: Callable[[str], Any]
) -> None:
    """Writes the page. `place`: the directory that it will be in, for links; None if it is in none."""
    page = ReportPage(fleet, totals, todo, place, dest)
    for part in generate_page(__package__, page.make_template_variables(), ("script.js", "graph.js")):
        out(part)


class ReportPage:
    """The content of the report page: variables for its template, and data for its script."""

    def __init__(self, fleet: FleetReport, totals: FleetTotals, todo: TodoList, place: str | None, dest: str) -> None:
        self.fleet, self.totals, self.todo = fleet, totals, todo
        self.links = make_link_base(place, fleet.src), make_link_base(place, os.path.realpath(dest))
        self.summary = totals.as_json()
        self.codes = [entry["code"] for entry in self.summary["codes"]]
        self.reasons = [(reason["type"], reason["code"], reason["why"]) for reason in self.summary["kept_reasons"]]
        self.modules = [{**module, "stacks": len(module["stacks"])} for module in fleet.walk_modules()]
        self.numbers = {module["module"]: i for i, module in enumerate(self.modules)}
        self.details = StackDetails() if totals.stacks <= MOST_DETAILED_STACKS else None

    def make_template_variables(self) -> dict[str, Any]:
        """The variables of the page's template."""
        plan, summary = self.fleet.plan, self.summary
        return {
            "target": TARGET_NAMES.get(self.fleet.target, self.fleet.target),
            "leaves": self.fleet.target in TARGETS_WITH_HEAT,
            "summary": summary,
            "converted": self.totals.stacks - self.totals.failed,
            "planned": len(plan.stacks),
            "resources": sum(summary["treatments"].values()),
            "treatments": {treatment: TREATMENT_WORDS[treatment] for treatment in TREATMENTS},
            "severities": SEVERITIES,
            "modules": sorted(self.modules, key=lambda module: (-module["stacks"], module["module"])),
            "nested": self.list_nested_templates(),
            "todo": [(kind, KINDS[kind], self.todo.tasks_of(kind)) for kind in self.todo.counts()],
            "rules": self.list_rules(),
            "others": dict(plan.others),
            "ignored": list(plan.ignored),
            "validated": len(self.fleet.validation),
            "refused": self.count_refused(),
            "diagnostics": [diagnostic.as_json() for diagnostic in plan.diagnostics],
            "ranked": RANKED,
            "short": SHORT,
            "detailed": MOST_DETAILED_STACKS if self.details is None else None,
            "head": self.make_head(),
            "rows": self.walk_row_chunks(),
            "each": self.walk_details(),
            "strings": self.list_strings,
        }

    def count_refused(self) -> int:
        """How many stacks a validator refuses."""
        return sum(
            not all(verdict["valid"] for verdict in verdicts.values()) for verdicts in self.fleet.validation.values()
        )

    def list_rules(self) -> list[dict[str, Any]]:
        """The codes of errors and warnings, the most severe first, and then the most frequent."""
        rules = []
        for entry in self.summary["codes"]:
            rule = registry.rule_of_code(entry["code"])
            rules.append({**entry, "severity": rule.severity, "title": rule.title, "hint": rule.hint})
        rules = [rule for rule in rules if rule["severity"] != "info"]
        return sorted(rules, key=lambda rule: SEVERITIES.index(rule["severity"]))

    def list_nested_templates(self) -> list[dict[str, Any]]:
        """The nested templates, those of most stacks first, with the modules that they became."""
        modules_by_template: dict[str, list[dict[str, Any]]] = {}
        for module in self.modules:
            modules_by_template.setdefault(module["template"], []).append(module)
        entries = []
        for template in {**modules_by_template, **self.fleet.plan.nested}:
            modules = modules_by_template.get(template, [])
            users = len(self.fleet.plan.nested.get(template, ()))
            entries.append(
                {"template": template, "users": users, "modules": modules, "stacks": sum(m["stacks"] for m in modules)}
            )
        return sorted(entries, key=lambda entry: (-entry["stacks"], -entry["users"], entry["template"]))

    def make_head(self) -> dict[str, Any]:
        """Returns the data that the page's script needs before the stacks."""
        return {
            "source": self.links[0],
            "destination": self.links[1],
            "folder": targets.find_target(self.fleet.target).shared.folder,
            "leaves": self.fleet.target in TARGETS_WITH_HEAT,
            "codes": self.codes,
            "reasons": self.reasons,
            "treatments": [TREATMENT_WORDS[treatment][0] for treatment in TREATMENTS],
            "modules": [
                [module["module"], module["template"], [self.numbers[name] for name in module["calls"]]]
                for module in self.modules
            ],
        }

    def walk_row_chunks(self) -> Iterator[list[list[Any]]]:
        """The rows of the table of stacks, in chunks. script.js has the names of their parts."""
        codes = {code: i for i, code in enumerate(self.codes)}
        reasons = {reason: i for i, reason in enumerate(self.reasons)}
        rows = (self.make_row(self.fleet.make_entry(*pair), codes, reasons) for pair in self.fleet.walk_rows())
        while chunk := list(itertools.islice(rows, STACKS_PER_CHUNK)):
            yield chunk

    def make_row(
        self,
        entry: dict[str, Any],
        codes: dict[str, int],
        reasons: dict[tuple[str, str, str], int],
    ) -> list[Any]:
        return [
            entry["output"],
            entry["template"],
            entry["name"] if entry["name"] != entry["output"].replace("/", "-") else "",
            int(entry["status"] == "converted"),
            [entry["treatments"].get(treatment, 0) for treatment in TREATMENTS],
            entry["dropped"],
            [entry["diagnostics"].get(severity, 0) for severity in SEVERITIES],
            [[reasons[reason["type"], reason["code"], reason["why"]], reason["resources"]] for reason in entry["kept"]],
            [[codes[code], n] for code, n in entry["codes"].items()],
            [self.numbers[name] for name in entry["modules"] if name in self.numbers],
            len(entry.get("edited", ())),
            int(all(verdict["valid"] for verdict in entry.get("validation", {}).values())),
            entry.get("directory", entry["output"]),
        ]

    def walk_details(self) -> Iterator[list[Any]]:
        """The details of each stack, in the order of the rows."""
        if self.details is not None:
            for stack, row in self.fleet.walk_rows():
                yield self.details.list_details(self.fleet.make_entry(stack, row), self.fleet.read_report(stack, row))

    def list_strings(self) -> list[str]:
        """The strings that the details refer to by number; complete when all details are written."""
        return list(self.details.strings) if self.details is not None else []


def make_link_base(place: str | None, directory: str) -> str:
    """Returns the beginning of links to files below a directory; empty if there is no relative path."""
    if place is None:
        return ""
    try:
        path = pathlib.Path(os.path.relpath(directory, os.path.realpath(place))).as_posix()
    except ValueError:  # on another drive
        return ""
    return "./" if path == "." else f"./{quote(path, errors='surrogateescape')}/"


@final
class StackDetails:
    """The details of stacks. strings: the texts that numbers in the details stand for, in order."""

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
            detail = "outputs that Heat computes" if why["type"] == "output" else f"attributes of {why['type']}"
            yield [
                self.number_string(template),
                "",
                self.number_string(detail),
                0,
                TREATMENTS.index("embedded"),
                address,
                self.number_string(why["why"]),
            ]

    def walk_loss_rows(self, template: str, report: Mapping[str, Any]) -> Iterator[list[Any]]:
        """Yields each dropped part: its template, name and reason."""
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
                        detail = f"{word}{path}" + (f" of {name}" if name else "")
                        yield [self.number_string(template), detail, self.number_string(fate.get("why", ""))]

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
