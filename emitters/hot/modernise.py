"""Intrinsics of the CFN era → those of HOT, as far as both mean the same.

The easy rule to break: meaning first. What HOT of any version cannot say raises, and whoever asked decides; nothing
is approximated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile import evaluate, ir

if TYPE_CHECKING:
    from collections.abc import Mapping

LOGIC = {"Fn::Equals": "equals", "Fn::And": "and", "Fn::Or": "or"}
FACADE = {"Metadata": "metadata", "DeletionPolicy": "deletion_policy", "UpdatePolicy": "update_policy"}
NEEDS = {  # the first version of HOT that has what is used
    "repeat": "2015-04-30",
    "digest": "2015-04-30",
    "str_split": "2015-10-15",
    "map_merge": "2016-04-08",
    "yaql": "2016-10-14",
    "map_replace": "2016-10-14",
    "equals": "2016-10-14",
    "not": "2016-10-14",
    "and": "2016-10-14",
    "or": "2016-10-14",
    "str_replace_strict": "2017-02-24",
    "filter": "2017-02-24",
    "contains": "2017-09-01",
    "list_concat": "2017-09-01",
    "list_concat_unique": "2017-09-01",
    "make_url": "2017-09-01",
    "str_replace_vstrict": "2017-09-01",
}
BASE = "2015-10-15"  # where list_join and str_replace take maps and lists, and paths are Heat's own


class NoCounterpart(ValueError):
    """HOT has no function that means this."""


def modern(expr: ir.Expr) -> ir.Expr:
    """The expression in HOT's functions; raises NoCounterpart."""
    match expr:
        case ir.ParamRef("AWS::StackId", _, _, at, end):
            return stack_arn(at, end)
        case ir.ParamRef(name, path, _, at, end):
            return ir.ParamRef(name, tuple(modern(p) for p in path), "get_param", at, end)
        case ir.ResourceRef(name, _, at, end):
            return ir.ResourceRef(name, "get_resource", at, end)
        case ir.AttrRef(name, path, _, at, end):
            return ir.AttrRef(name, tuple(modern(p) for p in path), "get_attr", at, end)
        case ir.If(condition, then, orelse, _, at, end):
            return ir.If(modern(condition), modern(then), None if orelse is None else modern(orelse), "if", at, end)
        case ir.Call(fn) if fn.startswith("Fn::"):
            return call(expr)
        case _:
            return ir.rebuilt(expr, modern)


def stack_arn(at: int, end: int) -> ir.Expr:
    """What AWS::StackId is to Heat: of the three that make it up, HOT's OS::stack_id is only the last."""
    project, name, stack = (
        ir.ParamRef(f"OS::{word}", (), "get_param", at, end) for word in ("project_id", "stack_name", "stack_id")
    )
    parts = (ir.Lit("arn:openstack:heat::"), project, ir.Lit(":stacks/"), name, ir.Lit("/"), stack)
    return ir.Call("list_join", ir.Seq((ir.Lit(""), ir.Seq(parts))), at, end)


def call(expr: ir.Call) -> ir.Expr:
    fn, arg, at, end = expr.fn, expr.arg, expr.at, expr.end
    items = arg.items if isinstance(arg, ir.Seq) else ()
    if fn == "Fn::Base64":  # does nothing in Heat
        return modern(arg)
    if fn == "Fn::Join" and len(items) == 2:
        return ir.Call("list_join", modern(arg), at, end)
    if fn == "Fn::Split" and len(items) == 2:
        return ir.Call("str_split", modern(arg), at, end)
    if fn == "Fn::Replace" and len(items) == 2:
        return ir.Call(
            "str_replace",
            ir.Map((ir.Entry("template", modern(items[1])), ir.Entry("params", modern(items[0])))),
            at,
            end,
        )
    if fn in LOGIC:
        return ir.Call(LOGIC[fn], modern(arg), at, end)
    if fn == "Fn::Not" and len(items) == 1:
        return ir.Call("not", modern(items[0]), at, end)
    if fn == "Fn::FindInMap" and len(items) == 3 and isinstance(items[0], ir.Lit):
        return ir.ParamRef(str(items[0].value), tuple(modern(i) for i in items[1:]), "get_param", at, end)
    if fn == "Fn::Select" and len(items) == 2:
        return select(expr, items[0], items[1])
    if fn == "Fn::ResourceFacade" and isinstance(arg, ir.Lit) and arg.value in FACADE:
        return ir.Call("resource_facade", ir.Lit(FACADE[str(arg.value)]), at, end)
    folded = evaluate.fold(expr)
    if isinstance(folded, ir.Call):
        raise NoCounterpart(fn)
    return folded


def select(expr: ir.Call, index: ir.Expr, where: ir.Expr) -> ir.Expr:
    """Fn::Select as the end of a path; "" for what is not there in both."""
    folded = evaluate.fold(expr)
    if not isinstance(folded, ir.Call):
        return folded
    key = index
    if isinstance(index, ir.Lit) and isinstance(index.value, str) and index.value.lstrip("-").isdigit():
        key = ir.Lit(int(index.value), index.at, index.end)
    found = modern(where)
    if isinstance(where, ir.Seq) and isinstance(key, ir.Lit) and isinstance(key.value, int):
        return modern(where.items[key.value]) if -len(where.items) <= key.value < len(where.items) else ir.Lit("")
    if isinstance(where, ir.Map) and isinstance(index, ir.Lit):
        inner = where.get(str(index.value))
        return modern(inner) if inner is not None else ir.Lit("")
    if isinstance(found, ir.ParamRef):
        return ir.ParamRef(found.name, (*found.path, modern(key)), "get_param", expr.at, expr.end)
    if isinstance(found, ir.AttrRef):
        return ir.AttrRef(found.name, (*found.path, modern(key)), "get_attr", expr.at, expr.end)
    if (
        isinstance(found, ir.Call)
        and found.fn == "str_split"
        and isinstance(found.arg, ir.Seq)
        and len(found.arg.items) == 2
        and isinstance(key, ir.Lit)
    ):
        return ir.Call("str_split", ir.Seq((*found.arg.items, key)), expr.at, expr.end)
    raise NoCounterpart("Fn::Select")


def least(exprs: list[ir.Expr], conditions: bool) -> str:
    """The first version of HOT that has all that is used."""
    found = BASE if not conditions else "2016-10-14"
    for expr in exprs:
        for one in ir.walk(expr):
            if isinstance(one, ir.If):
                found = max(found, "2016-10-14" if one.orelse is not None else "2021-04-16")
            elif isinstance(one, ir.Call):
                found = max(found, NEEDS.get(one.fn, found))
            elif isinstance(one, ir.Repeat):
                found = max(found, "2017-09-01" if one.permutations is not None else "2015-04-30")
    return found


def resource(given: ir.Resource, words: Mapping[str, str]) -> ir.Resource:
    """A resource in HOT's functions; `words`: what its keys are in HOT."""

    def each(expr: ir.Expr | None) -> ir.Expr | None:
        return None if expr is None else modern(expr)

    properties = each(given.properties)
    return ir.Resource(
        given.name,
        given.type,
        properties if isinstance(properties, ir.Map) else None,
        each(given.metadata),
        given.depends_on,
        each(given.update_policy),
        given.deletion_policy,
        each(given.external_id),
        each(given.condition),
        given.description,
        keys={words[word]: at for word, at in given.keys.items() if word in words},
        at=given.at,
        end=given.end,
    )
