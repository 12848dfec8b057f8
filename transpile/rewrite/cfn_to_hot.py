"""Rewrites CFN's intrinsic functions as functions of HOT with the same meaning.

Invariant: nothing is approximated. A call that no version of HOT can express raises `NoCounterpart`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from transpile import evaluate
from transpile.front import nodes
from transpile.model import heat_types, ir
from transpile.model.intrinsics import IF_WITHOUT_ELSE, PERMUTATIONS, REGION
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.resolve.stack import Stack

LOGIC = {"Fn::Equals": "equals", "Fn::And": "and", "Fn::Or": "or"}
FACADE = {"Metadata": "metadata", "DeletionPolicy": "deletion_policy", "UpdatePolicy": "update_policy"}
NEEDS = {  # the first version of HOT with each function
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
GROUPS = (
    heat_types.RESOURCE_GROUP,
    heat_types.AUTO_SCALING_GROUP,
    heat_types.INSTANCE_GROUP,
    heat_types.RESOURCE_CHAIN,
    heat_types.STACK,
    heat_types.AWS_STACK,
    heat_types.AWS_AUTO_SCALING_GROUP,
)
BASE = "2015-10-15"  # since then list_join and str_replace take maps and lists, and plug-ins resolve paths


class NoCounterpart(ValueError):
    """HOT has no function with this meaning. `name`: the CFN function; `expr`: the call."""

    def __init__(self, name: str, expr: ir.Expr) -> None:
        super().__init__(name)
        self.name, self.expr = name, expr


def scalar_parameters(parameters: Mapping[str, ir.Param]) -> frozenset[str]:
    """The names of the parameters that are neither lists nor maps."""
    return frozenset(n for n, p in parameters.items() if p.type not in ("comma_delimited_list", "json"))


def find_groups(stack: Stack) -> frozenset[str]:
    """The names of the resources whose attributes are lists over their members, or come from a nested stack."""
    return frozenset(name for name, kind in stack.types.items() if kind in GROUPS or "::" not in kind)


@final
class CfnRewriter:
    """Rewrites the expressions of one template. `groups`: resources whose attributes are lists over members; a path
    applies to each member, so it cannot select an item of the list. `scalar_parameters`: parameters in
    which a path would select a character. `mappings`: the name of the parameter that replaces each mapping. `has`: the
    functions of the target version, empty for all of HOT's.
    """

    def __init__(
        self,
        source: Source,
        groups: frozenset[str] = frozenset(),
        texts: frozenset[str] = frozenset(),
        mappings: Mapping[str, str] | None = None,
        has: frozenset[str] = frozenset(),
    ) -> None:
        self.source, self.groups, self.texts, self.mappings, self.has = source, groups, texts, mappings or {}, has
        # Results by the identity of the call, since each level above may ask again. The call itself is kept, so that no
        # other object gets its identity.
        self.rewritten: dict[int, tuple[ir.Call, ir.Expr]] = {}
        self.selects: list[ir.Expr] = []  # calls whose value for a missing item was "", and is another one now

    def rewrite_expression(self, expression: ir.Expr) -> ir.Expr:
        match expression:
            case ir.ParamRef("AWS::StackId", _, _, span):
                return stack_arn(span)
            case ir.ParamRef("AWS::Region", _, _, span):
                return ir.Lit(REGION, span)
            case ir.ParamRef(name, path, _, span):
                named = "OS::stack_name" if name == "AWS::StackName" else name
                return ir.ParamRef(named, tuple(self.rewrite_expression(p) for p in path), "get_param", span)
            case ir.ResourceRef(name, _, span):
                return ir.ResourceRef(name, "get_resource", span)
            case ir.AttrRef(name, path, _, span):
                return ir.AttrRef(name, tuple(self.rewrite_expression(p) for p in path), "get_attr", span)
            case ir.If(condition, then, orelse, _, span):
                other = None if orelse is None else self.rewrite_expression(orelse)
                return ir.If(self.rewrite_expression(condition), self.rewrite_expression(then), other, "if", span)
            case ir.Call(fn) if fn.startswith("Fn::"):
                return self.rewrite_call(expression)
            case _:
                return resolve_name(ir.rebuilt(expression, self.rewrite_expression))

    def rewrite_call(self, call: ir.Call) -> ir.Expr:
        """A call rewritten in HOT; unchanged if the version has only the CFN function."""
        if call.fn not in self.has:
            return self.convert_call(call)
        if id(call) not in self.rewritten:
            self.rewritten[id(call)] = call, self.try_rewrite(call)
        return self.rewritten[id(call)][1]

    def try_rewrite(self, call: ir.Call) -> ir.Expr:
        try:
            rewritten = self.convert_call(call)
        except NoCounterpart:
            return ir.rebuilt(call, self.rewrite_expression)
        calls = (part.fn for part in ir.walk(rewritten) if isinstance(part, ir.Call))
        return rewritten if all(fn in self.has for fn in calls) else ir.rebuilt(call, self.rewrite_expression)

    def convert_call(self, call: ir.Call) -> ir.Expr:
        fn, arg, span = call.fn, call.arg, call.span
        items = arg.items if isinstance(arg, ir.Seq) else ()
        if fn == "Fn::Base64":  # a no-op in Heat
            return self.rewrite_expression(arg)
        if fn == "Fn::Join" and len(items) == 2:
            return ir.Call("list_join", self.rewrite_expression(arg), span)
        if fn == "Fn::Split" and len(items) == 2:
            return ir.Call("str_split", self.rewrite_expression(arg), span)
        if fn == "Fn::Replace" and len(items) == 2:
            entries = (
                ir.Entry("template", self.rewrite_expression(items[1])),
                ir.Entry("params", self.rewrite_expression(items[0])),
            )
            return ir.Call("str_replace", ir.Map(entries), span)
        if fn == "Fn::GetAtt":  # of a resource whose name is computed
            return resolve_name(ir.Call("get_attr", self.rewrite_expression(arg), span))
        if fn in LOGIC:
            return ir.Call(LOGIC[fn], self.rewrite_expression(arg), span)
        if fn == "Fn::Not" and len(items) == 1:
            return ir.Call("not", self.rewrite_expression(items[0]), span)
        if fn == "Fn::FindInMap" and len(items) == 3 and isinstance(items[0], ir.Lit):
            name = str(items[0].value)
            path = tuple(self.rewrite_expression(i) for i in items[1:])
            return ir.ParamRef(self.mappings.get(name, name), path, "get_param", span)
        if fn == "Fn::Select" and len(items) == 2:
            return self.rewrite_select(call, items[0], items[1])
        if fn == "Fn::ResourceFacade" and isinstance(arg, ir.Lit) and arg.value in FACADE:
            return ir.Call("resource_facade", ir.Lit(FACADE[str(arg.value)]), span)
        folded = evaluate.fold_call(call, self.source)
        if isinstance(folded, ir.Call):
            raise NoCounterpart(fn, call)
        return folded

    def rewrite_select(self, call: ir.Call, index: ir.Expr, where: ir.Expr) -> ir.Expr:
        """`Fn::Select` as the last step of a path: `{Fn::Select: [0, {Ref: zones}]}` -> `{get_param: [zones, 0]}`. If
        the key is known only at run time, it becomes a call of `yaql`.
        """
        folded = evaluate.fold_call(call, self.source)
        if not isinstance(folded, ir.Call):
            return folded
        key = index
        if isinstance(index, ir.Lit) and isinstance(index.value, str) and index.value.lstrip("-").isdigit():
            key = ir.Lit(int(index.value), index.span)
        collection = self.rewrite_expression(where)
        if isinstance(where, ir.Seq) and isinstance(key, ir.Lit) and isinstance(key.value, int):
            return (
                self.rewrite_expression(where.items[key.value])
                if -len(where.items) <= key.value < len(where.items)
                else ir.Lit("")
            )
        if isinstance(where, ir.Map) and isinstance(index, ir.Lit):
            inner = where.get(str(index.value))
            return self.rewrite_expression(inner) if inner is not None else ir.Lit("")
        if isinstance(where, ir.Map):  # the key is known only at run time
            data = ir.Map((ir.Entry("map", collection), ir.Entry("key", self.rewrite_expression(index))))
            entries = (ir.Entry("expression", ir.Lit("$.data.map.get($.data.key, '')")), ir.Entry("data", data))
            return ir.Call("yaql", ir.Map(entries), call.span)
        if isinstance(collection, ir.ParamRef) and collection.name not in self.texts:
            return ir.ParamRef(
                collection.name, (*collection.path, self.rewrite_expression(key)), "get_param", call.span
            )
        if isinstance(collection, ir.AttrRef) and (
            collection.name not in self.groups or collection.path == (ir.Lit("refs"),)
        ):
            self.selects.append(call)
            return ir.AttrRef(collection.name, (*collection.path, self.rewrite_expression(key)), "get_attr", call.span)
        if (
            isinstance(collection, ir.Call)
            and collection.fn == "str_split"
            and isinstance(collection.arg, ir.Seq)
            and len(collection.arg.items) == 2
        ):
            self.selects.append(call)
            return ir.Call("str_split", ir.Seq((*collection.arg.items, self.rewrite_expression(key))), call.span)
        raise NoCounterpart("Fn::Select", call)


def resolve_name(expression: ir.Expr) -> ir.Expr:
    """A reference, if the name in a call was computed and is a literal now: `{get_param: {Fn::Base64: p}}` becomes
    `{get_param: p}`. Any other expression unchanged.
    """
    if not isinstance(expression, ir.Call):
        return expression
    fn, arg, span = expression.fn, expression.arg, expression.span
    items = arg.items if isinstance(arg, ir.Seq) else (arg,)
    first = items[0] if items else None
    if not isinstance(first, ir.Lit) or (fn == "get_param" and not isinstance(first.value, str)):
        return expression
    name = nodes.key_text(first.value)
    if fn == "get_param":
        return ir.ParamRef(name, items[1:], fn, span)
    if fn == "get_resource" and arg is first:
        return ir.ResourceRef(name, fn, span)
    return ir.AttrRef(name, items[1:], fn, span) if fn == "get_attr" and arg is not first else expression


def stack_arn(span: Span) -> ir.Expr:
    """Heat's value for AWS::StackId; HOT's OS::stack_id is only its last part."""
    project, name, stack = (
        ir.ParamRef(f"OS::{word}", (), "get_param", span) for word in ("project_id", "stack_name", "stack_id")
    )
    parts = (ir.Lit("arn:openstack:heat::"), project, ir.Lit(":stacks/"), name, ir.Lit("/"), stack)
    return ir.Call("list_join", ir.Seq((ir.Lit(""), ir.Seq(parts))), span)


def minimum_version(expressions: list[ir.Expr], conditions: bool) -> str:
    """The first version of HOT with all functions of these expressions. `conditions`: the template has conditions."""
    version = BASE if not conditions else "2016-10-14"
    for expression in expressions:
        for part in ir.walk(expression):
            if isinstance(part, ir.If):
                version = max(version, "2016-10-14" if part.orelse is not None else IF_WITHOUT_ELSE.since)
            elif isinstance(part, ir.Call):
                version = max(version, NEEDS.get(part.fn, version))
            elif isinstance(part, ir.Repeat):
                version = max(version, PERMUTATIONS.since if part.permutations is not None else "2015-04-30")
    return version


def rewrite_cfn_resource(resource: ir.Resource, rewriter: CfnRewriter, words: Mapping[str, str]) -> ir.Resource:
    """A resource with functions of HOT. `words`: HOT's word for each of CFN's keys."""
    rewritten = ir.rebuilt_resource(resource, rewriter.rewrite_expression)
    return replace(rewritten, ignored=(), keys=translate_keys(resource.keys, words))


def translate_keys(offsets: Mapping[str, int], words: Mapping[str, str]) -> dict[str, int]:
    """The offsets of a declaration's keys, by HOT's words."""
    result: dict[str, int] = {}
    for word, at in offsets.items():
        result.setdefault(words.get(word, word), at)
    return result
