"""A homing template without references: `linked` gives plain, typed data and says what is wrong with the template.

Invariant: `Linked` is complete. If something in the template has no meaning there is none, and an error says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic, in_order
from transpile.homing import constraints, demands, document, locations, objectives, reservations, usage
from transpile.homing.context import Context
from transpile.homing.findings import Findings
from transpile.homing.model import Document, Linked
from transpile.homing.references import References
from transpile.model.ir import Expr, Map, data
from transpile.model.records import EMPTY
from transpile.resolve.secrets import Secrets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.model.source import Source
    from transpile.text.source import Root


def load(
    source: Source,
    parameters: Mapping[str, Any] = EMPTY,
    root: Root | None = None,
    engine: str = "",
    secrets: Secrets | None = None,
) -> tuple[Linked | None, list[Diagnostic]]:
    """A homing template, or a request around one, from its text. `engine`: "has" makes errors of what HAS refuses, and
    of nothing else. `secrets`: gets the Heat templates that it contains.
    """
    findings = Findings(source, engine)
    read = None
    with RunGuard(findings.sink.found, source, "Values"):
        read = document.read(source, findings)
    if read is None:
        return None, in_order(findings.sink.found)
    return linked(read, parameters, root, engine, secrets, findings)


def linked(
    read: Document,
    parameters: Mapping[str, Any] = EMPTY,
    root: Root | None = None,
    engine: str = "",
    secrets: Secrets | None = None,
    findings: Findings | None = None,
) -> tuple[Linked | None, list[Diagnostic]]:
    """A template with its references replaced, and what there is to say about it. `parameters`: values that go before
    the template's, texts or data; `root`: where get_file may read.
    """
    said = findings or Findings(read.source, engine)
    found: Linked | None = None
    with RunGuard(said.sink.found, read.source, "Values") as guard:
        found = link(read, parameters, root, said, secrets or Secrets())
    said.failed = said.failed or guard.stopped
    return None if said.failed else found, in_order(said.sink.found)


def link(
    read: Document, parameters: Mapping[str, Any], root: Root | None, findings: Findings, secrets: Secrets
) -> Linked:
    references = References(read, parameters, root, findings)
    values: dict[str, Expr] = {}
    for name, entry in read.sections.items():
        values[name] = references.value(entry.value, (name,))
    context = Context(read, findings, references.found, root, secrets)
    context.locations, context.demands = names(values.get("locations")), names(values.get("demands"))
    places = locations.read(context, values.get("locations"))
    wanted = demands.read(context, values.get("demands"))
    limits = constraints.read(context, values.get("constraints"))
    hpa = [one.name for one in limits.values() if one.type == "hpa"]
    best = objectives.read(context, values.get("optimization"), hpa)
    reserved = reservations.of_texts(context, values.get("reservations"))
    model, more = reservations.of_engine(context, values.get("reservation"))
    if not findings.failed:
        usage.check(context, references, limits, best)
    if findings.failed:  # what cannot be read has no value
        return Linked(read)
    given = {name: references.known(name) for name in references.written}
    return Linked(
        read,
        {name: data(value) for name, value in given.items()},
        places,
        wanted,
        limits,
        (*reserved, *more),
        model,
        best,
        references.found,
        {name: data(value) for name, value in values.items()},
        {name: data(given[name]) for name in parameters},
    )


def names(section: Expr | None) -> dict[str, None]:
    """The names in a section, in order."""
    return {entry.key: None for entry in section.entries} if isinstance(section, Map) else {}
