"""Writes a template as HOT: the IR as a document, section by section.

Invariant: everything in the IR is printed, so nothing that the front end kept is lost here. Templates in another
dialect are converted to HOT beforehand (`transpile/rewrite/cfn_to_hot.py`).
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, Any

from emitters.hot import document as document
from emitters.hot import report as reports
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, failed
from transpile.front import template as templates
from transpile.front.read_back import prove
from transpile.model import ir, printable
from transpile.model.intrinsics import HOT, VERSIONS, version
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.rewrite.upgrade import Upgrade
from transpile.targets import KEEP, Option, Output, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from transpile.model.span import Span
    from transpile.resolve.stack import Stack


LATEST = "wallaby"
FILE = "template.yaml"


def emit(stack: Stack, options: Mapping[str, Any]) -> Output:
    """Writes the stack's template in a version of HOT.

    Option `hot_version`: a date or a release name. Default: the latest version, or the last one that has all functions
    of the template.
    """
    wanted = options["hot_version"]
    upgrade = Upgrade(stack, version(wanted or LATEST))
    template = upgrade.run()
    if wanted is None and (older := upgrade.last) is not None:
        other = Upgrade(stack, version(older))
        again = other.run()
        if not failed(other.sink.found):
            upgrade, template = other, again
            upgrade.sink.say(
                codes.OLDER_VERSION_THAN_DEFAULT,
                f"The output uses version {older}, the last one with all of the template's functions.",
            )
    report = reports.of(upgrade)
    found = upgrade.sink.found
    if failed(found):
        return Output({}, report, found)
    text, _ = laid_out(template)
    if (problem := proven(template, text)) is not None:
        return Output({}, report, [*found, problem])
    return Output({FILE: text}, report, found)


def proven(template: ir.Template, text: str) -> Diagnostic | None:
    """Returns None if reading the text gives the same template, else a diagnostic."""
    again, sink = templates.read(Source(FILE, text))
    if again is not None and again == template and not failed(sink.found):
        return None
    why = next((d.message for d in sink.found if d.severity == "error"), "the result differs")
    return Diagnostic(codes.OUTPUT_FAILED_VERIFICATION, f"The output failed verification: {why}", template.source)


def show(template: ir.Template) -> str:
    """The text of a template that is part of another output. Raises Stopped if it is not read as that template."""
    text, root = laid_out(template)
    prove(text, root, template.source)
    return text


def laid_out(template: ir.Template) -> tuple[str, ir.Map]:
    """The text of a template, and the document that it shows."""
    root = document.template(of(template))
    assert isinstance(root, ir.Map)
    return document.show(root, placed(template.comments, root), template.source.text, is_template=True), root


def of(template: ir.Template) -> ir.Map:
    """A template as a document."""
    places = template.sections
    found: dict[str, ir.Expr] = {"heat_template_version": ir.Lit(template.version.name)}
    if template.description is not None:
        found["description"] = ir.Lit(template.description)
    if template.capabilities:
        found["capabilities"] = ir.Map(tuple(template.capabilities.values()))
    if template.parameter_groups:
        found["parameter_groups"] = ir.Seq(tuple([group(g) for g in template.parameter_groups]))
    if template.parameters:
        found["parameters"] = named((n, p.span, param(p)) for n, p in template.parameters.items())
    if template.conditions:
        entries = [ir.Entry(n, plain(c.value), c.at) for n, c in template.conditions.items()]
        found["conditions"] = ir.Map(tuple(entries))
    if template.resources:
        found["resources"] = named((n, r.span, resource(r)) for n, r in template.resources.items())
    if template.outputs:
        found["outputs"] = named((n, o.span, output(o)) for n, o in template.outputs.items())
    at = {"heat_template_version": places.get("version", -1)} | dict(places)
    return ir.Map(tuple([ir.Entry(name, value, at.get(name, -1)) for name, value in found.items()]))


def named(declarations: Iterable[tuple[str, Span, list[ir.Entry]]]) -> ir.Map:
    """A map of declarations by name."""
    return ir.Map(tuple([ir.Entry(n, ir.Map(tuple(e), span), span.at) for n, span, e in declarations]))


def keyed(keys: Mapping[str, int], given: Mapping[str, ir.Expr | str | bool | None]) -> list[ir.Entry]:
    """The keys of a declaration. Null and false are left out, because Heat treats them as missing."""
    out = []
    for key, value in given.items():
        if value is not None and value is not False:
            shown = ir.Lit(value) if isinstance(value, (str, bool)) else value
            out.append(ir.Entry(key, shown, keys.get(key, -1)))
    return out


def group(one: ir.ParameterGroup) -> ir.Map:
    names = ir.Seq(tuple([ir.Lit(name) for name in one.parameters]))
    given = {"label": one.label, "description": one.description, "parameters": names}
    return ir.Map(tuple(keyed({}, given)), one.span)


def param(one: ir.Param) -> list[ir.Entry]:
    constraints = [
        ir.Map(tuple(keyed({c.kind: c.at}, {c.kind: c.value, "description": c.description})), c.span)
        for c in one.constraints
    ]
    given = {
        "type": one.type,
        "label": one.label,
        "description": one.description,
        "default": one.default,
        "hidden": one.hidden,
        "immutable": one.immutable,
        "tags": one.tags,
        "constraints": ir.Seq(tuple(constraints)) if constraints else None,
    }
    return keyed(one.keys, given)


def resource(one: ir.Resource) -> list[ir.Entry]:
    names = [ir.Lit(d.name, d.span) for d in one.depends_on]
    depends = None if not names else names[0] if len(names) == 1 else ir.Seq(tuple(names))
    given = {
        "type": one.type,
        "description": one.description,
        "condition": maybe(one.condition),
        "external_id": maybe(one.external_id),
        "depends_on": depends,
        "deletion_policy": maybe(one.deletion_policy),
        "update_policy": maybe(one.update_policy),
        "metadata": maybe(one.metadata),
        "properties": maybe(one.properties),
    }
    return keyed(one.keys, given)


def output(one: ir.Output) -> list[ir.Entry]:
    given = {"description": one.description, "condition": maybe(one.condition), "value": plain(one.value)}
    return [*keyed(one.keys, given), *one.ignored]


def maybe(expr: ir.Expr | None) -> ir.Expr | None:
    return None if expr is None else plain(expr)


def plain(expr: ir.Expr) -> ir.Expr:
    """An expression as the maps and lists that HOT writes it as."""
    if isinstance(expr, ir.ParamRef):
        path = tuple([plain(p) for p in expr.path])
        return call(expr.fn, ir.Seq((ir.Lit(expr.name), *path)) if path else ir.Lit(expr.name), expr)
    if isinstance(expr, ir.ResourceRef):
        return call(expr.fn, ir.Lit(expr.name), expr)
    if isinstance(expr, ir.AttrRef):
        return call(expr.fn, ir.Seq((ir.Lit(expr.name), *[plain(p) for p in expr.path])), expr)
    if isinstance(expr, ir.FileRef):
        return call("get_file", ir.Lit(expr.name), expr)
    if isinstance(expr, ir.ConditionRef):
        return ir.Lit(expr.name, expr.span)
    if isinstance(expr, ir.If):
        branches = (expr.condition, expr.then) if expr.orelse is None else (expr.condition, expr.then, expr.orelse)
        return call(expr.fn, ir.Seq(tuple([plain(b) for b in branches])), expr)
    if isinstance(expr, ir.Repeat):
        lists = ir.Map(tuple([ir.Entry(e.key, plain(e.value), e.at) for e in expr.for_each]))
        entries = [ir.Entry("for_each", lists), ir.Entry("template", plain(expr.template))]
        if expr.permutations is not None:
            entries.append(ir.Entry("permutations", plain(expr.permutations)))
        return call("repeat", ir.Map(tuple(entries)), expr)
    if isinstance(expr, ir.Call):
        return call(expr.fn, plain(expr.arg), expr)
    return ir.rebuilt(expr, plain)


def call(name: str, arg: ir.Expr, expr: ir.Expr) -> ir.Map:
    return ir.Map((ir.Entry(name, arg, expr.at),), expr.span)


def placed(comments: Iterable[ir.Comment], root: ir.Map) -> list[ir.Comment]:
    """Moves each comment whose anchor is not in the document to the element before it. A comment of a template stays on
    its line.
    """
    known = sorted({at for at in offsets(root) if at >= 0})
    out = []
    for comment in comments:
        index = bisect.bisect_right(known, comment.anchor) - 1
        if index >= 0 and known[index] != comment.anchor:
            where = "before" if comment.where == "before" else "after"
            comment = replace(comment, anchor=known[index], where=where)
        elif index < 0 and known:
            comment = replace(comment, anchor=known[0], where="before")
        out.append(replace(comment, text=printable.comment(comment.text)))
    return out


def offsets(expr: ir.Expr) -> Iterator[int]:
    """The offsets of all keys and items."""
    if isinstance(expr, ir.Map):
        for entry in expr.entries:
            yield entry.at
            yield from offsets(entry.value)
    elif isinstance(expr, ir.Seq):
        for item in expr.items:
            yield getattr(item, "at", -1)
            yield from offsets(item)


HOT_VERSION = Option(
    "hot_version",
    "The version to write: a date or a release name.",
    values=tuple([name for key, name in VERSIONS if key == HOT]),
)
TARGET = Target(
    "hot",
    emit,
    nested=KEEP,  # resources may be templates of their own: they stay what they are
    options=(HOT_VERSION,),
)
