"""Links a homing template: replaces its references, reads its sections into typed records, and reports mistakes.

Invariant: a linked template is complete. If any part of a template has no meaning, the result is None, and an error
says why.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from transpile.diagnostics import codes
from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic, sort_diagnostics
from transpile.homing import (
    constraints,
    demands,
    document,
    locations,
    new_objectives,
    old_objectives,
    reservations,
    usage,
)
from transpile.homing.context import SectionContext
from transpile.homing.findings import HomingFindings
from transpile.homing.model import NEW, HomingDocument, LinkedHomingTemplate, TemplateObjective
from transpile.homing.references import ReferenceResolver
from transpile.model.ir import NO_PROPERTIES, Expr, as_map, to_data
from transpile.model.records import EMPTY
from transpile.model.source import Source
from transpile.resolve.secrets import Secrets
from transpile.text.source import Root


def load_homing_template(
    source: Source,
    parameters: Mapping[str, Any] = EMPTY,
    root: Root | None = None,
    engine: str = "",
    secrets: Secrets | None = None,
) -> tuple[LinkedHomingTemplate | None, list[Diagnostic]]:
    """The linked template of a text, which may be a request around one, and its diagnostics. `engine`: with "has", only
    constructs that HAS refuses are errors. `secrets`: gets the Heat templates that it contains.
    """
    findings = HomingFindings(source, engine)
    read = None
    with RunGuard(findings.sink.diagnostics, source, "Values"):
        read = document.read_document(source, findings)
    if read is None:
        return None, sort_diagnostics(findings.sink.diagnostics)
    return link_document(read, parameters, root, engine, secrets, findings)


def link_document(
    read: HomingDocument,
    parameters: Mapping[str, Any] = EMPTY,
    root: Root | None = None,
    engine: str = "",
    secrets: Secrets | None = None,
    findings: HomingFindings | None = None,
) -> tuple[LinkedHomingTemplate | None, list[Diagnostic]]:
    """The linked template and its diagnostics. `parameters`: values, texts or data, that go before those of the
    template; `root`: the files that get_file may read.
    """
    collector = findings or HomingFindings(read.source, engine)
    linked: LinkedHomingTemplate | None = None
    with RunGuard(collector.sink.diagnostics, read.source, "Values") as guard:
        linked = link_sections(read, parameters, root, collector, secrets or Secrets())
    collector.failed = collector.failed or guard.stopped
    return None if collector.failed else linked, sort_diagnostics(collector.sink.diagnostics)


def link_sections(
    read: HomingDocument, parameters: Mapping[str, Any], root: Root | None, findings: HomingFindings, secrets: Secrets
) -> LinkedHomingTemplate:
    """The linked template. Diagnostics go into the findings; if these have failed, the result has only the document."""
    references = ReferenceResolver(read, parameters, root, findings)
    values = {name: references.resolve_expression(entry.value, (name,)) for name, entry in read.sections.items()}

    def section(name: str) -> Expr:
        return values.get(name, NO_PROPERTIES)

    context = SectionContext(read, findings, references.by_path, root, secrets)
    context.locations, context.demands = section_names(section("locations")), section_names(section("demands"))
    places = locations.read_locations(context, section("locations"))
    demands_by_name = demands.read_demands(context, section("demands"))
    limits = constraints.read_constraints(context, section("constraints"))
    hpa = [constraint.name for constraint in limits.values() if constraint.type == "hpa"]
    best = read_objective(context, section("optimization"), hpa)
    reserved = reservations.read_text_reservations(context, section("reservations"))
    model, more = reservations.read_engine_reservations(context, section("reservation"))
    if not findings.failed:
        usage.check_usage(context, references, limits, best)
    if findings.failed:  # an unreadable template has no value
        return LinkedHomingTemplate(read)
    parameter_values = {name: references.unused_parameter_value(name) for name in references.written}
    return LinkedHomingTemplate(
        read,
        {name: to_data(value) for name, value in parameter_values.items()},
        places,
        demands_by_name,
        limits,
        (*reserved, *more),
        model,
        best,
        references.by_path,
        {name: to_data(value) for name, value in values.items()},
        {name: to_data(parameter_values[name]) for name in parameters},
        findings.engine,
    )


def section_names(section: Expr) -> dict[str, None]:
    """The names in a section, in order."""
    return {entry.key: None for entry in as_map(section).entries}


def read_objective(context: SectionContext, section: Expr, hpa: Collection[str]) -> TemplateObjective | None:
    """The objective; None if there is none, or if it cannot be read. `hpa`: the names of the constraints of
    that type.
    """
    if not context.expect_map(section, "The section optimization", codes.NOT_A_HOMING_TEMPLATE) or not section.entries:
        return None
    if context.document.arrangement == NEW:
        return new_objectives.NewObjectiveReader(context).read_objective(section)
    return old_objectives.OldObjectiveReader(context, hpa).read_objective(section)
