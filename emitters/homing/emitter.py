"""Writes a homing template in canonical form, in the version that is asked for.

Invariant: the output is read again and has the same meaning. If the version cannot express it, that is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emitters.homing.arrangement import NewArrangementWriter, UnsupportedObjective, to_old_arrangement
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, has_errors
from transpile.diagnostics.registry import message_of_rule
from transpile.homing import canonical, resolve, words
from transpile.homing.engine import ENGINE
from transpile.homing.model import HAS, NEW, OLD, LinkedHomingTemplate, term_functions
from transpile.homing.words import KEY
from transpile.model import ir
from transpile.model.source import Source
from transpile.resolve.stack import Stack
from transpile.targets import Converter, Option, Output, Target

FILE = "homing.yaml"
SINCE = "2020-08-13"


def refuse_heat_template(stack: Stack, options: Mapping[str, Any]) -> Output:
    """Refuses a Heat template: it declares resources, and has no candidates for their places."""
    message = "This is a Heat template, of which no homing template can be made."
    return Output({}, {}, [Diagnostic(codes.NO_CONVERSION_BETWEEN_KINDS, message, stack.template.source)])


def convert_homing_template(linked: LinkedHomingTemplate, options: Mapping[str, Any]) -> Output:
    """The template in canonical form. Option `version`: the version to write, by default its own."""
    read = linked.document
    version = options["version"] or read.version
    arrangement = NEW if version >= SINCE else OLD
    diagnostics: list[Diagnostic] = []
    root = apply_values(ir.Map(tuple([e for e in read.root.entries if e.key != KEY]), read.root.span), linked)
    at = next((entry.at for entry in read.root.entries if entry.key == KEY), -1)
    members = [ir.Entry(KEY, ir.Lit(version), at), *root.entries]
    if arrangement != read.arrangement and linked.objective is not None:
        try:
            objective = convert_objective(linked, arrangement, version, diagnostics)
        except UnsupportedObjective as e:
            message = f"The objective cannot be written for {version}: {e}."
            return Output(
                {}, {}, [Diagnostic(codes.OBJECTIVE_WITHOUT_COUNTERPART, message, read.source, e.place.span.in_text)]
            )
        members = [ir.Entry(e.key, objective if e.key == "optimization" else e.value, e.at) for e in members]
    if read.request:
        message = "Of the request only the template is written."
        diagnostics.append(Diagnostic(codes.INVALID_REQUEST, message, read.source, forced="info"))
    written = canonical.order_template(ir.Map(tuple(members)))
    text = canonical.print_template(written, read.comments, read.source.text)
    if (problem := prove_output(linked, text, same=arrangement == read.arrangement)) is not None:
        return Output({}, {}, [*diagnostics, problem])
    parameters = {name: {"parameter": name} for name in linked.parameters}
    return Output({FILE: text}, {"parameters": parameters}, diagnostics)


def apply_values(root: ir.Map, linked: LinkedHomingTemplate) -> ir.Map:
    """The template with the values of parameters that came from outside."""
    new = dict(linked.overlaid)
    if not new:
        return root
    section = root.get("parameters")
    entries = [ir.Entry(e.key, ir.from_data(new.pop(e.key)) if e.key in new else e.value, e.at)
               for e in (section.entries if isinstance(section, ir.Map) else ())]  # fmt: skip
    entries += [ir.Entry(name, ir.from_data(value)) for name, value in new.items()]
    body = ir.Map(tuple(entries))
    if section is None:
        return ir.Map((ir.Entry("parameters", body), *root.entries), root.span)
    kept = [ir.Entry(e.key, body if e.key == "parameters" else e.value, e.at) for e in root.entries]
    return ir.Map(tuple(kept), root.span)


def convert_objective(
    linked: LinkedHomingTemplate, arrangement: str, version: str, diagnostics: list[Diagnostic]
) -> ir.Map:
    """The objective in the other arrangement. Raises UnsupportedObjective."""
    assert linked.objective is not None
    source = linked.document.source
    if arrangement == NEW:
        converted = NewArrangementWriter(linked).convert_objective(linked.objective)
    else:
        converted = to_old_arrangement(linked.objective, adds_costs=linked.engine == HAS)
    if linked.engine != HAS and any(each.name == "distance_between" for each in term_functions(linked.objective.term)):
        old = "this objective" if arrangement == NEW else f"the objective for {version}"
        message = (
            f"HAS adds the cost of each candidate to its distance in {old}, and so may choose differently. The "
            "specification minimizes distance alone, and so does the output."
        )
        diagnostics.append(
            Diagnostic(
                codes.OBJECTIVE_DIFFERS_IN_HAS,
                message,
                source,
                linked.objective.span.in_text,
                "--engine has keeps the choice of HAS.",
                "info",
            )
        )
    kept = {ref.name for ref in parameter_references(converted)}
    for path, ref in linked.references.items():
        if path[0] == "optimization" and isinstance(ref, ir.ParamRef) and ref.name not in kept:
            message = f"The value of the parameter {ref.name} is written in place of it."
            diagnostics.append(Diagnostic(codes.ARRANGEMENT_TAKES_ONLY_VALUE, message, source, ref.span))
    return converted


def parameter_references(expr: ir.Expr) -> list[ir.ParamRef]:
    """The parameters that an objective refers to."""
    references = []
    for part in ir.walk(expr):
        call = part.get("get_param") if isinstance(part, ir.Map) else None
        if call is not None:
            first = call.items[0] if isinstance(call, ir.Seq) else call
            if isinstance(first, ir.Lit):
                references.append(ir.ParamRef(str(first.value)))
    return references


def prove_output(linked: LinkedHomingTemplate, text: str, *, same: bool) -> Diagnostic | None:
    """None if the output has the same meaning when it is read again, except for an objective in another arrangement;
    else an error.
    """
    source = Source(FILE, text, budget=linked.document.source.budget)
    again, diagnostics = resolve.load_homing_template(source, engine=linked.engine)
    if again is not None and not has_errors(diagnostics):
        whole = ("parameters", "locations", "demands", "constraints", "reservations", "service_model")
        names = (*whole, "objective") if same else whole
        if linked.files or all(are_same_values(getattr(again, name), getattr(linked, name)) for name in names):
            return None
    why = next((d.message for d in diagnostics if d.severity == "error"), "the result differs")
    message = message_of_rule(codes.OUTPUT_FAILED_VERIFICATION, why=why)
    return Diagnostic(codes.OUTPUT_FAILED_VERIFICATION, message, linked.document.source)


def are_same_values(first: object, second: object) -> bool:
    """Whether two parts of a template are the same. The number NaN counts as equal to itself."""
    return first == second or repr(first) == repr(second)


def summarize_report(report: Mapping[str, Any]) -> str:
    return "1 homing template"


VERSION = Option("version", "The version to write; by default the one that it has.", values=words.VERSIONS)
TARGET = Target("homing", refuse_heat_template, summary=summarize_report)
CONVERTER = Converter(convert_homing_template, options=(ENGINE, VERSION), summary=summarize_report)
