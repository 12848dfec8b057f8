"""A template as HOT: section by section, in the specification's order.

The easy rule to break: everything of the IR is printed, so that what the front end kept is not lost here. Only HOT is
written; a template of another dialect is turned into HOT before (`emitters/hot/modernise.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.hot import document as document
from emitters.hot import scalars
from emitters.hot.printer import Printer
from transpile import ir
from transpile.targets import Output

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.link import Stack


def emit(stack: Stack, options: Mapping[str, Any]) -> Output:
    """The stack's own template."""
    return Output({"template.yaml": show(stack.template)}, {}, [])


def show(template: ir.Template) -> str:
    """The text of a template."""
    printer = Printer(template.comments)
    sections: list[list[str]] = [[f"heat_template_version: {template.version.name}"]]
    if template.description is not None:
        sections.append([printer.entry("description", ir.Lit(template.description), 0)])
    if template.parameter_groups:
        sections.append(
            ["parameter_groups:", *printer.lines(ir.Seq(tuple(group(g) for g in template.parameter_groups)), 2)]
        )
    if template.parameters:
        sections.append(
            ["parameters:", *named(printer, {n: param(p) for n, p in template.parameters.items()}, template.parameters)]
        )
    if template.conditions:
        lines = ["conditions:"]
        for name, condition in template.conditions.items():
            lines += [*printer.comment_lines(printer.take(condition.at), "  "), printer.entry(name, condition.value, 2)]
        sections.append(lines)
    if template.resources:
        sections.append(
            [
                "resources:",
                *named(printer, {n: resource(r) for n, r in template.resources.items()}, template.resources, gap=True),
            ]
        )
    if template.outputs:
        sections.append(
            ["outputs:", *named(printer, {n: output(o) for n, o in template.outputs.items()}, template.outputs)]
        )
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


def named(
    printer: Printer, declarations: Mapping[str, list[ir.Entry]], places: Mapping[str, Any], gap: bool = False
) -> list[str]:
    """Declarations by name; resources with a blank line between them."""
    out: list[str] = []
    for name, entries in declarations.items():
        if out and gap:
            out.append("")
        place = places[name]
        out += printer.comment_lines(printer.take(place.at), "  ")
        body: list[str] = []
        for entry in entries:
            above = printer.take(place.at, entry.value.at) if 0 <= place.at < entry.value.at else printer.take(entry.at)
            body += printer.comment_lines(above, "    ")  # what stands between the name and the value of a key
            body.append(printer.entry(entry.key, entry.value, 4))
        rest = printer.take(place.at, place.end) if place.at >= 0 else []
        out += [f"  {scalars.text(name)}:", *body, *printer.comment_lines(rest, "    ")]
    return out


def text(key: str, value: str | None) -> list[ir.Entry]:
    return [] if value is None else [ir.Entry(key, ir.Lit(value))]


def flag(key: str, value: bool) -> list[ir.Entry]:
    return [ir.Entry(key, ir.Lit(True))] if value else []


def given(key: str, value: ir.Expr | None) -> list[ir.Entry]:
    return [] if value is None else [ir.Entry(key, value)]


def group(one: ir.ParameterGroup) -> ir.Map:
    names = ir.Entry("parameters", ir.Seq(tuple(ir.Lit(name) for name in one.parameters)))
    return ir.Map((*text("label", one.label), *text("description", one.description), names), one.at, one.end)


def param(one: ir.Param) -> list[ir.Entry]:
    constraints = [
        ir.Map((ir.Entry(c.kind, c.value), *text("description", c.description)), c.at, c.end) for c in one.constraints
    ]
    return [
        *text("type", one.type),
        *text("label", one.label),
        *text("description", one.description),
        *given("default", one.default),
        *flag("hidden", one.hidden),
        *flag("immutable", one.immutable),
        *given("tags", one.tags),
        *given("constraints", ir.Seq(tuple(constraints)) if constraints else None),
    ]


def resource(one: ir.Resource) -> list[ir.Entry]:
    names = [ir.Lit(d.name, d.at, d.end) for d in one.depends_on]
    depends = None if not names else names[0] if len(names) == 1 else ir.Seq(tuple(names))
    return [
        *text("type", one.type),
        *text("description", one.description),
        *given("condition", one.condition),
        *given("external_id", one.external_id),
        *given("depends_on", depends),
        *given("deletion_policy", one.deletion_policy),
        *given("update_policy", one.update_policy),
        *given("metadata", one.metadata),
        *given("properties", one.properties if one.properties is not None and one.properties.entries else None),
    ]


def output(one: ir.Output) -> list[ir.Entry]:
    return [*text("description", one.description), *given("condition", one.condition), ir.Entry("value", one.value)]
