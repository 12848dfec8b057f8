"""The conversion report: the fate of every setting in a template.

Invariant: the code that decides a fate records it at once, so no other code has to work it out again. Every property,
resource key, parameter attribute and environment entry has exactly one fate. docs/report.md specifies the format.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.words import count_noun

Fate = dict[str, str]
LEFT_OUT = "left_out"

# reasons that many properties share
NO_VALUE = "it has no value, so the default applies"
NOT_IMPLEMENTED = "Heat does not implement it and rejects templates that set it"


def make_fate(how: str, to: str = "", argument: str = "", why: str = "", code: str = "") -> Fate:
    """One fate, in the form of the report."""
    out = {"as": how}
    if to:
        out["to"] = to
    if argument:
        out["argument"] = argument
    if code:
        out["code"] = code
    if why:
        out["why"] = why
    return out


@final
class ResourceReport:
    """The report on one resource."""

    __slots__ = (
        "addresses",
        "attributes",
        "chosen",
        "imports",
        "kept",
        "keys",
        "line",
        "module",
        "properties",
        "reference",
        "template",
        "templates",
        "treatment",
        "type",
        "why",
    )

    def __init__(self, kind: str, line: int) -> None:
        self.type, self.line, self.treatment, self.why = kind, line, "native", ""
        self.addresses: list[str] = []
        self.reference: str | None = None
        self.attributes: dict[str, str] = {}
        self.properties: dict[str, Fate] = {}
        self.keys: dict[str, Fate] = {}
        self.module: str | None = None  # the name of the module that the resource calls
        self.template: str | None = None
        self.templates: list[str] = []  # the nested templates that the resource uses
        self.chosen: dict[str, Any] = {}  # by type: the candidate chosen, and why
        self.imports: dict[str, str] = {}  # only in an adoption: IDs, by the addresses of instances
        self.kept: dict[str, str] = {}  # if it stays with Heat: code and why, or the resource that it stays with

    def became_nothing(self, resource: ir.Resource, why: str, each: Fate) -> None:
        """Records that the resource has no counterpart of its own in the output; each of its properties gets the same
        fate.
        """
        self.treatment, self.why = "folded", why
        for entry in resource.entries:
            self.properties[entry.key] = each

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "type": self.type,
            "line": self.line,
            "treatment": self.treatment,
            "addresses": self.addresses,
        }
        for name in ("why", "kept", "chosen", "module", "template", "templates", "reference", "attributes", "keys"):
            if value := getattr(self, name):
                out[name] = value
        if self.imports:
            out["import"] = self.imports
        out["properties"] = self.properties
        return out


@final
class StackReport:
    """The report on one template."""

    def __init__(self) -> None:
        self.parameters: dict[str, dict[str, Any]] = {}
        self.capabilities: dict[str, Fate] = {}
        self.conditions: dict[str, dict[str, Any]] = {}
        self.outputs: dict[str, dict[str, Any]] = {}
        self.environments: dict[str, dict[str, Fate]] = {}
        self.resources: dict[str, ResourceReport] = {}
        self.left_out: dict[str, str] = {}  # resources that no longer exist in any form, with their types

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"parameters": self.parameters, "conditions": self.conditions, "outputs": self.outputs}
        if self.capabilities:
            out["capabilities"] = self.capabilities
        if self.environments:
            out["environments"] = self.environments
        out["resources"] = {name: resource.as_json() for name, resource in self.resources.items()}
        if self.left_out:
            out["left_out"] = self.left_out
        out["modules"] = {}
        return out


def is_beneath(path: str, above: str) -> bool:
    """Whether a dotted path is equal to another one or below it."""
    return path == above or path.startswith(f"{above}.")


def leaf_paths(expr: ir.Expr, path: str = "") -> Iterator[str]:
    """The paths of all values that are set. A function call counts as one value."""
    if isinstance(expr, ir.Map) and expr.entries:
        for entry in expr.entries:
            yield from leaf_paths(entry.value, f"{path}.{entry.key}" if path else entry.key)
    elif isinstance(expr, ir.Seq) and expr.items:
        for i, item in enumerate(expr.items):
            yield from leaf_paths(item, f"{path}.{i}")
    elif path:
        yield path


def attribute_path(path: tuple[ir.Expr, ...]) -> str:
    """A path of get_attr as the report writes it: everything before the first computed part."""
    out = []
    for part in path:
        if not isinstance(part, ir.Lit):
            break
        out.append(str(part.value))
    return ".".join(out)


def template_reports(report: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A report as JSON, followed by those of nested templates, each once."""
    seen: set[int] = set()
    todo = [report]
    while todo:
        template_report = todo.pop()
        if id(template_report) not in seen:
            seen.add(id(template_report))
            yield template_report
            todo += [module["report"] for module in template_report.get("modules", {}).values()]


def name_treatment(resource: Mapping[str, Any]) -> str:
    """The treatment of a resource as summaries count it: `left_out` for one that became nothing and loses something."""
    nothing = resource["treatment"] == "folded" and not resource["addresses"]
    lost = nothing and any(fate["as"] == "dropped" for fate in resource["properties"].values())
    return LEFT_OUT if lost else str(resource["treatment"])


def summarize_report(report: Mapping[str, Any]) -> str:
    """A short summary of a conversion, for targets that define none of their own."""
    renamed = sum(d["code"] == codes.RENAMED_PROPERTY for d in report["diagnostics"])
    resources = [resource for template in template_reports(report) for resource in template["resources"].values()]
    number, kept = len(resources), sum(resource.get("treatment") == "embedded" for resource in resources)
    stays = f", of which {kept} stay{'s' * (kept == 1)} with Heat" if kept else ""
    return f"{count_noun(number, 'resource')}{stays}" + (f", {renamed} properties renamed" if renamed else "")


def list_hidden_names(report: Mapping[str, Any]) -> list[str]:
    """The names of the parameters with hidden values in a report, and of the variables that they became."""
    names = []
    for inner in template_reports(report):
        for name, entry in inner.get("parameters", {}).items():
            if {"hidden", "NoEcho"} & entry.get("keys", {}).keys():
                names += [name, str(entry.get("variable", name))]
    return names
