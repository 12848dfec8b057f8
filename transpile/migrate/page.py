"""The report on a migration as one page for a browser, which needs no network.

Invariant: everything that comes from templates is text. Jinja2 escapes it in the page; the script gets it as JSON in
elements that are never run, and only sets it as text. The security policy of the page allows its own style and script
alone. The page is written one stack after the other and contains no date, so equal migrations give equal bytes.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
import itertools
import os
import pathlib
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import jinja2
import markupsafe

from transpile import targets
from transpile.diagnostics import registry
from transpile.migrate.details import SEVERITIES, TREATMENTS, Details
from transpile.model.printable import printable
from transpile.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from transpile.migrate.fleet import Fleet, Totals

PACKAGE, FOLDER = "transpile.migrate", "html"
DETAILED = 5_000  # stacks; beyond, the page has the table alone and no details of each
RANKED = 500  # rows of a ranked table
SHORT = 12  # rows that it shows at first
CHUNK = 500  # stacks in one element of data
WORDS = {  # those of docs/report.md, in the order of TREATMENTS
    "native": ("native", "became resources of the target"),
    "module": ("module", "nested templates, became calls of modules"),
    "folded": ("folded", "became part of others, or need nothing"),
    "data": ("data", "exist already and are only read"),
    "embedded": ("kept in Heat", "stay in Heat stacks that Terraform manages"),
}
TARGETS = {"hcl": "Terraform", "tosca": "TOSCA", "hot": "HOT"}
LEAVES = ("hcl",)  # targets that can leave resources in Heat


def write(fleet: Fleet, totals: Totals, place: str | None, dest: str, out: Callable[[str], Any]) -> None:
    """Writes the page. `place`: the directory that it will be in, for links; None if it is in none."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(PACKAGE, FOLDER),
        autoescape=True,
        finalize=seen,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    environment.filters |= {"exact": markupsafe.escape, "number": number, "percent": percent}
    page = Page(fleet, totals, place, dest)
    for part in environment.get_template("page.html.j2").generate(page.values()):
        out(part)


class Page:
    """What the page shows."""

    def __init__(self, fleet: Fleet, totals: Totals, place: str | None, dest: str) -> None:
        self.fleet, self.totals = fleet, totals
        self.links = base(place, fleet.src), base(place, os.path.realpath(dest))
        self.summary = totals.as_json()
        self.codes = [one["code"] for one in self.summary["codes"]]
        self.reasons = [(one["type"], one["code"], one["why"]) for one in self.summary["kept_reasons"]]
        self.modules = [{**one, "stacks": len(one["stacks"])} for one in fleet.modules()]
        self.numbers = {one["module"]: i for i, one in enumerate(self.modules)}
        self.details = Details() if totals.stacks <= DETAILED else None

    def values(self) -> dict[str, Any]:
        """The variables of the page's template."""
        plan, summary = self.fleet.plan, self.summary
        style, script = text("style.css"), text("script.js") + text("graph.js")
        return {
            "style": style,
            "script": script,
            "policy": f"default-src 'none'; style-src {hashed(style)}; script-src {hashed(script)}; base-uri 'none'; "
            "form-action 'none'",
            "version": __version__,
            "target": TARGETS.get(self.fleet.target, self.fleet.target),
            "leaves": self.fleet.target in LEAVES,
            "summary": summary,
            "converted": self.totals.stacks - self.totals.failed,
            "planned": len(plan.stacks),
            "resources": sum(summary["treatments"].values()),
            "treatments": {one: WORDS[one] for one in TREATMENTS},
            "severities": SEVERITIES,
            "modules": sorted(self.modules, key=lambda one: (-one["stacks"], one["module"])),
            "nested": self.nested(),
            "rules": self.rules(),
            "others": dict(plan.others),
            "ignored": list(plan.ignored),
            "validated": len(self.fleet.validation),
            "refused": self.refused(),
            "said": [one.as_json() for one in plan.diagnostics],
            "ranked": RANKED,
            "short": SHORT,
            "detailed": DETAILED if self.details is None else None,
            "head": self.head(),
            "rows": self.rows(),
            "each": self.each(),
            "strings": self.strings,
        }

    def refused(self) -> int:
        """How many stacks a validator refuses."""
        return sum(not all(one["valid"] for one in said.values()) for said in self.fleet.validation.values())

    def rules(self) -> list[dict[str, Any]]:
        """The codes that were said, those of most diagnostics first."""
        out = []
        for one in self.summary["codes"]:
            rule = registry.rule(one["code"])
            out.append({**one, "severity": rule.severity, "title": rule.title, "hint": rule.hint})
        return out

    def nested(self) -> list[dict[str, Any]]:
        """The nested templates, those of most stacks first, with the modules that they became."""
        made: dict[str, list[dict[str, Any]]] = {}
        for one in self.modules:
            made.setdefault(one["template"], []).append(one)
        out = []
        for template in {**made, **self.fleet.plan.nested}:
            of = made.get(template, [])
            users = len(self.fleet.plan.nested.get(template, ()))
            out.append({"template": template, "users": users, "modules": of, "stacks": sum(m["stacks"] for m in of)})
        return sorted(out, key=lambda one: (-one["stacks"], -one["users"], one["template"]))

    def head(self) -> dict[str, Any]:
        """What the script must know before the stacks."""
        return {
            "source": self.links[0],
            "destination": self.links[1],
            "folder": found.shared.folder if (found := targets.find(self.fleet.target)).shared is not None else "",
            "leaves": self.fleet.target in LEAVES,
            "codes": self.codes,
            "reasons": self.reasons,
            "treatments": [WORDS[one][0] for one in TREATMENTS],
            "modules": [
                [one["module"], one["template"], [self.numbers[name] for name in one["calls"]]] for one in self.modules
            ],
        }

    def rows(self) -> Iterator[list[list[Any]]]:
        """The rows of the table of stacks, in chunks. script.js has the names of their parts."""
        codes = {code: i for i, code in enumerate(self.codes)}
        reasons = {reason: i for i, reason in enumerate(self.reasons)}
        rows = (self.row(self.fleet.entry(*one), codes, reasons) for one in self.fleet.rows())
        while chunk := list(itertools.islice(rows, CHUNK)):
            yield chunk

    def row(
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
            [entry["treatments"].get(one, 0) for one in TREATMENTS],
            entry["dropped"],
            [entry["diagnostics"].get(one, 0) for one in SEVERITIES],
            [[reasons[one["type"], one["code"], one["why"]], one["resources"]] for one in entry["kept"]],
            [[codes[code], n] for code, n in entry["codes"].items()],
            [self.numbers[name] for name in entry["modules"] if name in self.numbers],
            len(entry.get("edited", ())),
            int(all(one["valid"] for one in entry.get("validation", {}).values())),
        ]

    def each(self) -> Iterator[list[Any]]:
        """The details of each stack, in the order of the rows."""
        if self.details is not None:
            for stack, row in self.fleet.rows():
                yield self.details.of(self.fleet.entry(stack, row), self.fleet.report(stack, row))

    def strings(self) -> list[str]:
        """The strings that the details refer to by number; complete when all details are written."""
        return list(self.details.strings) if self.details is not None else []


def text(name: str) -> str:
    """A file of the page, with `\\n` at the ends of lines: the policy has its digest."""
    return importlib.resources.files(PACKAGE).joinpath(FOLDER, name).read_text(encoding="utf-8")


def hashed(content: str) -> str:
    """The source of a style or a script in a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def base(place: str | None, directory: str) -> str:
    """What links to files below a directory begin with; empty if there is no relative path."""
    if place is None:
        return ""
    try:
        path = pathlib.Path(os.path.relpath(directory, os.path.realpath(place))).as_posix()
    except ValueError:  # on another drive
        return ""
    return "./" if path == "." else f"./{quote(path, errors='surrogateescape')}/"


def seen(value: Any) -> Any:
    """A text with dots for characters that cannot be seen, or turn the text around them; what is escaped already stays.
    `script.js` does the same.
    """
    return printable(value) if type(value) is str else value


def number(value: int) -> str:
    """A number as people read it."""
    return f"{value:,}"


def percent(part: int, whole: int) -> str:
    """A share; never 0% or 100% unless it is exactly that."""
    if not whole or not part:
        return "0%"
    rounded = round(100 * part / whole)
    if rounded == 0:
        return "< 1%"
    return "> 99%" if rounded == 100 and part != whole else f"{rounded}%"
