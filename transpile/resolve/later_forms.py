"""Finds calls in a form that only later versions of HOT have, such as `list_join` of several lists in 2014-10-16.

Invariant: a form is reported only if Heat refuses it in the version of the template. Targets write its meaning in later
versions, so a conversion only warns.
"""

from __future__ import annotations

from collections.abc import Iterator

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.model.intrinsics import JSON_IN_TEXTS, MAPS_IN_REPEAT, SEVERAL_LISTS, Form
from transpile.model.ir import Call, Expr, Map, ParamRef, Repeat, Seq, Template

JOINS = ("list_join", "Fn::Join")
REPLACES = ("str_replace", "Fn::Replace")


def check_forms(template: Template, sink: Sink, *, converts: bool) -> None:
    """Reports the calls in a form that the template's version does not have.

    Heat refuses a template with several lists in list_join. It refuses maps and lists in texts only when it evaluates
    them, so those are reported here only if a target writes them; `check` reports them where their values are known.
    """
    version = template.version
    for call in template.calls:
        for form, part in later_forms(template, call):
            if version.has_form(form) or not (converts or form is SEVERAL_LISTS):
                continue
            dialect = f"Version {version.name}" if version.is_hot else "CFN"
            message = f"{dialect} has no {form.words}, so Heat refuses this."
            hint = f"Raise the version to {form.since} or later." if version.is_hot else ""
            if converts:
                message += f" A conversion takes it as version {form.since} does."
            sink.add(codes.FORM_OF_LATER_VERSION, message, part, hint, "warning" if converts else "")


def later_forms(template: Template, call: Expr) -> Iterator[tuple[Form, Expr]]:
    """The forms of a call that not all versions have, each with the part of the call that has it."""
    if isinstance(call, Repeat):
        for entry in call.for_each:
            if isinstance(entry.value, Map) or parameter_type(template, entry.value) == "json":
                yield MAPS_IN_REPEAT, entry.value
        return
    if not isinstance(call, Call):
        return
    texts: list[Expr] = []
    if call.fn in JOINS and isinstance(call.arg, Seq):
        if len(call.arg.items) > 2:
            yield SEVERAL_LISTS, call
        for joined in call.arg.items[1:]:
            texts += joined.items if isinstance(joined, Seq) else ()
    elif call.fn in REPLACES:
        params = call.arg.get("params") if isinstance(call.arg, Map) else None
        if isinstance(call.arg, Seq) and call.arg.items:
            params = call.arg.items[0]
        texts += [entry.value for entry in params.entries] if isinstance(params, Map) else ()
    for text in texts:
        if isinstance(text, (Map, Seq)) or parameter_type(template, text) in ("json", "comma_delimited_list"):
            yield JSON_IN_TEXTS, text


def parameter_type(template: Template, expr: Expr) -> str:
    """The type of the parameter that an expression refers to as a whole; empty for any other expression."""
    parameter = template.parameters.get(expr.name) if isinstance(expr, ParamRef) and not expr.path else None
    return parameter.type if parameter is not None else ""
