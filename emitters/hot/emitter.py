"""Writes a template as HOT: the IR as a document, section by section, and the report.

Invariant: everything in the IR is printed, so nothing that the front end read is lost here. Templates in another
dialect are converted to HOT beforehand (`transpile/rewrite/cfn_to_hot.py`). The report has one fate for each property,
key and parameter attribute, under its name in the input.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, has_errors
from transpile.diagnostics.registry import message_of_rule
from transpile.format import hot
from transpile.front import template as templates
from transpile.front.read_back import verify_written_yaml
from transpile.model import ir, printable
from transpile.model.intrinsics import HOT, VERSIONS, look_up_template_version
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.report import Fate, ResourceReport, StackReport, is_beneath, leaf_paths, make_fate
from transpile.resolve.stack import Stack
from transpile.rewrite.upgrade import Upgrade
from transpile.targets import KEEP, Option, Output, Target

LATEST = "wallaby"
FILE = "template.yaml"


def emit_hot(stack: Stack, options: Mapping[str, Any]) -> Output:
    """Writes the stack's template in a version of HOT.

    Option `hot_version`: a date or a release name. Default: the latest version, or the last one that has all functions
    of the template.
    """
    requested_version = options["hot_version"]
    upgrade = Upgrade(stack, look_up_template_version(requested_version or LATEST))
    template = upgrade.rewrite_template()
    if requested_version is None and (older := upgrade.last) is not None:
        older_upgrade = Upgrade(stack, look_up_template_version(older))
        older_template = older_upgrade.rewrite_template()
        if not has_errors(older_upgrade.sink.diagnostics):
            upgrade, template = older_upgrade, older_template
            upgrade.sink.add(
                codes.OLDER_VERSION_THAN_DEFAULT,
                f"The output uses version {older}, the last one with all of the template's functions.",
            )
    report = report_upgrade(upgrade)
    diagnostics = upgrade.sink.diagnostics
    if has_errors(diagnostics):
        return Output({}, report, diagnostics)
    text, _ = lay_out_template(template)
    if (problem := verify_output(template, text)) is not None:
        return Output({}, report, [*diagnostics, problem])
    return Output({FILE: text}, report, diagnostics)


def verify_output(template: ir.Template, text: str) -> Diagnostic | None:
    """Returns None if reading the text gives the same template, else a diagnostic."""
    written_template, sink = templates.read_template(Source(FILE, text, budget=template.source.budget))
    if written_template is not None and written_template == template and not has_errors(sink.diagnostics):
        return None
    why = next((d.message for d in sink.diagnostics if d.severity == "error"), "the result differs")
    message = message_of_rule(codes.OUTPUT_FAILED_VERIFICATION, why=why)
    return Diagnostic(codes.OUTPUT_FAILED_VERIFICATION, message, template.source)


def show(template: ir.Template) -> str:
    """The text of a template that is part of another output. Raises Stopped if it is not read as that template."""
    text, root = lay_out_template(template)
    verify_written_yaml(text, root, template.source)
    return text


def lay_out_template(template: ir.Template) -> tuple[str, ir.Map]:
    """The text of a template, and the document that it shows."""
    root = hot.template(build_document(template))
    assert isinstance(root, ir.Map)
    return hot.show(root, move_comments(template.comments, root), template.source.text, is_template=True), root


def build_document(template: ir.Template) -> ir.Map:
    """A template as a document."""
    places = template.sections
    sections: dict[str, ir.Expr] = {"heat_template_version": ir.Lit(template.version.name)}
    if template.description is not None:
        sections["description"] = ir.Lit(template.description)
    if template.capabilities:
        sections["capabilities"] = ir.Map(tuple(template.capabilities.values()))
    if template.parameter_groups:
        sections["parameter_groups"] = ir.Seq(tuple([make_parameter_group(g) for g in template.parameter_groups]))
    if template.parameters:
        sections["parameters"] = make_declarations(
            (n, p.span, make_parameter_entries(p)) for n, p in template.parameters.items()
        )
    if template.conditions:
        entries = [ir.Entry(n, lower_to_hot(c.value), c.at) for n, c in template.conditions.items()]
        sections["conditions"] = ir.Map(tuple(entries))
    if template.resources:
        sections["resources"] = make_declarations(
            (n, r.span, make_resource_entries(r)) for n, r in template.resources.items()
        )
    if template.outputs:
        sections["outputs"] = make_declarations(
            (n, o.span, make_output_entries(o)) for n, o in template.outputs.items()
        )
    offsets_by_section = {"heat_template_version": places.get("version", -1)} | dict(places)
    return ir.Map(tuple([ir.Entry(name, value, offsets_by_section.get(name, -1)) for name, value in sections.items()]))


def make_declarations(declarations: Iterable[tuple[str, Span, list[ir.Entry]]]) -> ir.Map:
    """A map of declarations by name."""
    return ir.Map(tuple([ir.Entry(n, ir.Map(tuple(e), span), span.at) for n, span, e in declarations]))


def make_entries(keys: Mapping[str, int], values: Mapping[str, ir.Expr | str | bool | None]) -> list[ir.Entry]:
    """The keys of a declaration. Null and false are left out, because Heat treats them as missing."""
    entries = []
    for key, value in values.items():
        if value is not None and value is not False:
            expression = ir.Lit(value) if isinstance(value, (str, bool)) else value
            entries.append(ir.Entry(key, expression, keys.get(key, -1)))
    return entries


def make_parameter_group(group: ir.ParameterGroup) -> ir.Map:
    names = ir.Seq(tuple([ir.Lit(name) for name in group.parameters]))
    values = {"label": group.label, "description": group.description, "parameters": names}
    return ir.Map(tuple(make_entries({}, values)), group.span)


def make_parameter_entries(parameter: ir.Param) -> list[ir.Entry]:
    constraints = [
        ir.Map(tuple(make_entries({c.kind: c.at}, {c.kind: c.value, "description": c.description})), c.span)
        for c in parameter.constraints
    ]
    values = {
        "type": parameter.type,
        "label": parameter.label,
        "description": parameter.description,
        "default": parameter.default,
        "hidden": parameter.hidden,
        "immutable": parameter.immutable,
        "tags": parameter.tags,
        "constraints": ir.Seq(tuple(constraints)) if constraints else None,
    }
    return make_entries(parameter.keys, values)


def make_resource_entries(resource: ir.Resource) -> list[ir.Entry]:
    names = [ir.Lit(d.name, d.span) for d in resource.depends_on]
    depends = None if not names else names[0] if len(names) == 1 else ir.Seq(tuple(names))
    values = {
        "type": resource.type,
        "description": resource.description,
        "condition": lower_optional(resource.parts.get("condition")),
        "external_id": lower_optional(resource.external_id),
        "depends_on": depends,
        "deletion_policy": lower_optional(resource.deletion_policy),
        "update_policy": lower_optional(resource.update_policy),
        "metadata": lower_optional(resource.metadata),
        "properties": lower_to_hot(resource.properties) if resource.has_properties else None,
    }
    return make_entries(resource.keys, values)


def make_output_entries(output: ir.Output) -> list[ir.Entry]:
    values = {
        "description": output.description,
        "condition": lower_to_hot(output.condition) if output.is_conditional else None,
        "value": lower_to_hot(output.value),
    }
    return [*make_entries(output.keys, values), *output.ignored]


def lower_optional(expr: ir.Expr | None) -> ir.Expr | None:
    return None if expr is None else lower_to_hot(expr)


def lower_to_hot(expr: ir.Expr) -> ir.Expr:
    """An expression in the syntax of HOT, as maps and lists: `ParamRef("n")` -> `{get_param: n}`."""
    if isinstance(expr, ir.ParamRef):
        path = tuple([lower_to_hot(p) for p in expr.path])
        return make_function_call(expr.fn, ir.Seq((ir.Lit(expr.name), *path)) if path else ir.Lit(expr.name), expr)
    if isinstance(expr, ir.ResourceRef):
        return make_function_call(expr.fn, ir.Lit(expr.name), expr)
    if isinstance(expr, ir.AttrRef):
        return make_function_call(expr.fn, ir.Seq((ir.Lit(expr.name), *[lower_to_hot(p) for p in expr.path])), expr)
    if isinstance(expr, ir.FileRef):
        return make_function_call("get_file", ir.Lit(expr.name), expr)
    if isinstance(expr, ir.ConditionRef):
        return ir.Lit(expr.name, expr.span)
    if isinstance(expr, ir.If):
        branches = (expr.condition, *expr.branches)
        return make_function_call(expr.fn, ir.Seq(tuple([lower_to_hot(b) for b in branches])), expr)
    if isinstance(expr, ir.Repeat):
        lists = ir.Map(tuple([ir.Entry(e.key, lower_to_hot(e.value), e.at) for e in expr.for_each]))
        entries = [ir.Entry("for_each", lists), ir.Entry("template", lower_to_hot(expr.template))]
        if expr.permutations is not None:
            entries.append(ir.Entry("permutations", lower_to_hot(expr.permutations)))
        return make_function_call("repeat", ir.Map(tuple(entries)), expr)
    if isinstance(expr, ir.Call):
        return make_function_call(expr.fn, lower_to_hot(expr.arg), expr)
    return ir.rebuilt(expr, lower_to_hot)


def make_function_call(name: str, arg: ir.Expr, expr: ir.Expr) -> ir.Map:
    return ir.Map((ir.Entry(name, arg, expr.at),), expr.span)


def move_comments(comments: Iterable[ir.Comment], root: ir.Map) -> list[ir.Comment]:
    """Moves each comment whose anchor is not in the document to the element before it. A comment of a template stays on
    its line.
    """
    anchors = sorted({at for at in walk_offsets(root) if at >= 0})
    moved = []
    for comment in comments:
        index = bisect.bisect_right(anchors, comment.anchor) - 1
        if index >= 0 and anchors[index] != comment.anchor:
            where = "before" if comment.where == "before" else "after"
            comment = replace(comment, anchor=anchors[index], where=where)
        elif index < 0 and anchors:
            comment = replace(comment, anchor=anchors[0], where="before")
        moved.append(replace(comment, text=printable.make_comment_printable(comment.text)))
    return moved


def walk_offsets(expr: ir.Expr) -> Iterator[int]:
    """The offsets of all keys and items."""
    if isinstance(expr, ir.Map):
        for entry in expr.entries:
            yield entry.at
            yield from walk_offsets(entry.value)
    elif isinstance(expr, ir.Seq):
        for item in expr.items:
            yield getattr(item, "at", -1)
            yield from walk_offsets(item)


def report_upgrade(upgrade: Upgrade) -> dict[str, Any]:
    """The report, with the names of the written template."""
    report, template = StackReport(), upgrade.template
    report.capabilities = {name: make_fate("value", "capabilities", name) for name in template.capabilities}
    for name, param in template.parameters.items():
        report.parameters[name] = {"parameter": name}
        address = f"parameters.{name}"
        keys: dict[str, Fate] = {}
        for i, constraint in enumerate(param.constraints):
            keys |= {key: make_fate("value", address, f"constraints.{i}") for key in constraint.keys}
        for word in param.keys:
            meaning = template.version.dialect.parameter.get(word, word)
            if meaning in ("hidden", "immutable", "tags", "label"):
                keys[word] = make_fate("value", address, meaning)
            elif meaning == "constraint_description":
                keys[word] = make_fate("derived", address, "constraints", "the description of each constraint")
        if keys:
            report.parameters[name]["keys"] = keys
    for name, label in upgrade.mappings.items():
        report.parameters[f"mapping {name}"] = {"parameter": label}
    report.conditions = {name: {"condition": name} for name in template.conditions}
    report.outputs = {name: {"output": name} for name in template.outputs}
    for name, resource in template.resources.items():
        report.resources[name] = report_resource(upgrade, resource)
    return report.as_json()


def report_resource(upgrade: Upgrade, resource: ir.Resource) -> ResourceReport:
    """The report of one resource."""
    line, _ = upgrade.template.source.line_and_column(resource.at)
    report = ResourceReport(resource.type, line)
    address = f"resources.{resource.name}"
    report.addresses = [address]
    renamed = upgrade.renamed.get(resource.name, {})
    for path in leaf_paths(resource.properties):
        now = next((new + path[len(old) :] for old, new in renamed.items() if is_beneath(path, old)), path)
        report.properties[path] = make_fate("value", address, f"properties.{now}")
    words = upgrade.template.version.dialect.resource
    for word in resource.keys:
        meaning = words.get(word)
        if meaning is None:
            report.keys[word] = make_fate("implied", why="Heat ignores this key")
        elif meaning not in ("type", "properties", "description"):
            report.keys[word] = make_fate("value", address, meaning)
    return report


HOT_VERSION = Option(
    "hot_version",
    "The version to write: a date or a release name.",
    values=tuple([name for key, name in VERSIONS if key == HOT]),
)
TARGET = Target(
    "hot",
    emit_hot,
    nested=KEEP,  # a resource may be a template of its own: it stays one
    options=(HOT_VERSION,),
)
