"""Rewrites expressions for an embedded template: outside values become parameters, or parts of its text.

Invariant: a parameter has byte for byte the value that Heat prints back, because any difference is a change in each
plan. Heat prints JSON in its own way and has no null. So maps, lists of anything but strings, and values that may be
null are written into the text of the template, which the provider does not read back.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.namespace import snake
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Op, Tuple
from emitters.hcl.tree.types import ANY, BOOL, COLLECTIONS, NUMBER, STRINGS, Type, Value, literal
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.intrinsics import REGION
from transpile.model.records import replace
from transpile.report import attribute_path
from transpile.resolve import nested_templates
from transpile.resolve.groups import INSIDE
from transpile.text.source import Unreadable

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering
    from transpile.text.source import File


def as_json(kind: Type) -> bool:
    """Whether Heat would print a value of this type as JSON."""
    return kind == ANY or (kind.kind in COLLECTIONS and kind != STRINGS)


# pseudo parameters of the whole stack, and the names of the parameters that pass their values into the embedded stack
STACK = {
    "OS::stack_name": "stack_name",
    "AWS::StackName": "stack_name",
    "OS::stack_id": "stack_id",
    "AWS::StackId": "stack_id",
}


class Group(Protocol):
    """The embedded stack that the template belongs to.

    asks_heat: the member that is being written asks Heat for its metadata at run time. member_names: the names of its
    resources. assumptions: conditions that are true wherever it exists. is_cfn: the source template is CFN-era.
    has_structured_outputs: its outputs need functions that take maps and lists.
    """

    emission: Emission
    lowering: Lowering
    label: str
    address: str
    inside: frozenset[str]
    resources: dict[str, ir.Resource]
    facts: frozenset[ir.Expr]
    old: bool
    rich: bool
    asks_heat: bool

    def place(self) -> tuple[int, int]: ...


@final
class Inputs:
    """The parameters and conditions of one embedded template."""

    def __init__(self, embedded: Group) -> None:
        self.embedded, self.emission = embedded, embedded.emission
        self.parameters: dict[str, ir.Param] = {}
        self.arguments: list[tuple[str, Expr]] = []
        self.hidden: list[str] = []
        self.named: dict[object, str] = {}  # outside value → its parameter
        self.inserted: dict[str, Expr] = {}  # values that Terraform writes into the text, by name
        self.conditions: dict[str, ir.Condition] = {}

    def free(self, wanted: str) -> str:
        """A name that no parameter, inserted value or resource has: `size`, or else `size_2`, `size_3` …"""
        name, number = wanted, 2
        taken = (self.parameters, self.inserted, self.embedded.resources, self.embedded.inside)
        while any(name in names for names in taken):
            name, number = f"{wanted}_{number}", number + 1
        return name

    def parameter(self, key: object, wanted: str, kind: str, expr: Expr, like: ir.Param | None = None) -> str:
        """The name of the parameter for an outside value, which is added if there is none yet.

        key: identifies the outside value, so that all references to it share one parameter. like: the template's
        parameter that has this value. Its default is kept, so that the embedded template can be used alone.
        """
        if key not in self.named:
            name = self.named[key] = self.free(wanted)
            param = ir.Param(name, kind)
            if like is not None:
                default = like.default if like.type == kind and not like.hidden else None
                param = ir.Param(name, kind, default, like.description, hidden=like.hidden)
            self.parameters[name] = param
            self.arguments.append((name, expr))
            if param.hidden:
                self.hidden.append(name)
        return self.named[key]

    def passed(self, value: Value) -> tuple[str, Expr]:
        """The parameter type for a value, and the expression whose value is what Heat prints back: a list of strings
        becomes `comma_delimited_list` and a `join`.
        """
        expr, kind = value.expr, value.type
        if kind == STRINGS:
            listed = Fn("coalesce", (expr, Tuple(()))) if value.null else expr
            return "comma_delimited_list", Fn("join", (",", listed))
        if kind == NUMBER:
            return "number", expr
        if kind == BOOL:
            return "boolean", str(expr) if isinstance(expr, bool) else Fn("title", (expr,))
        if kind.kind in COLLECTIONS:
            return "json", Fn("jsonencode", (expr,))
        if value.null and not literal(expr):
            return "string", Cond(Op("==", expr, None), "", expr)
        return "string", expr

    def given(self, key: object, wanted: str, value: Value) -> ir.ParamRef:
        """Passes an outside value as a parameter, or writes it into the text."""
        if key not in self.named:
            if as_json(value.type):
                self.insert(key, wanted, value.expr)
            else:
                kind, expr = self.passed(value)
                self.parameter(key, wanted, kind, expr)
        return ir.ParamRef(self.named[key], (), "get_param")

    def insert(self, key: object, wanted: str, expr: Expr) -> None:
        """Writes an outside value into the text, where `get_param` stands for it until the text is printed."""
        name = self.named[key] = self.free(snake(wanted))
        self.inserted[name] = expr

    def json_parameter(self, ref: ir.ParamRef, param: ir.Param) -> ir.Expr | None:
        """Writes the value of a json parameter, or the value at a path in it, into the text. None if it must be a
        parameter: if it is hidden, or if its path refers to a resource, whose value Terraform does not have.
        """
        key = ("json", ref.name, ref.path)
        if self.emission.unit.hidden(ref.name) or any(
            isinstance(e, (ir.ResourceRef, ir.AttrRef)) for part in ref.path for e in ir.walk(part)
        ):
            return None
        if key not in self.named:
            lowering = self.embedded.lowering.owned(self.embedded.label, facts=self.embedded.facts)
            try:
                value = lowering.value(ref)
            except CannotSay:
                return None
            path = attribute_path(ref.path).replace(".", "_")
            self.insert(key, f"{ref.name}_{path}" if path else ref.name, value.expr)
        return ir.ParamRef(self.named[key], (), "get_param", ref.span)

    def changes(self, name: str, ref: ir.Expr) -> None:
        """Warns that each plan shows a change, because Heat prints a json parameter in another way than Terraform."""
        address = self.embedded.address
        message = f"Each plan shows a change of {address}: Heat prints the JSON of its parameter {name} with spaces."
        self.emission.log.say(
            codes.JSON_FORMATTED_DIFFERENTLY, message, ref, once=("json", name, address), severity="warning"
        )

    def may_be_null(self, name: str, value: Value) -> bool:
        """Whether a scalar of a resource may be null. Outputs of embedded stacks are strings, and never null."""
        if literal(value.expr) or self.emission.unit.plan.embeds(name):
            return False
        return value.null and value.type != STRINGS and value.type.kind not in COLLECTIONS

    def param(self, ref: ir.ParamRef) -> ir.Expr:
        emission = self.emission
        param = emission.unit.template.parameters.get(ref.name)
        path = tuple(self.expr(p) for p in ref.path)
        if param is not None:
            if param.type == "json" and (inside := self.json_parameter(ref, param)) is not None:
                return inside
            variable = emission.symbols.parameter(ir.ParamRef(ref.name, (), ref.fn, ref.span))
            kind, expr = self.passed(variable)
            if kind == "json" and not param.hidden:
                self.changes(ref.name, ref)
            name = self.parameter(("param", ref.name), ref.name, kind, expr, param)
            return ir.ParamRef(name, path, "get_param", ref.span)
        if ref.name in STACK and self.embedded.asks_heat:  # at run time, Heat finds the resource in its own stack
            kind = "name" if ref.name.lower().endswith("name") else "ID"
            message = (
                f"The stack's {kind} here is that of {self.embedded.address}: the server asks Heat for its metadata."
            )
            emission.log.say(codes.SERVER_NEEDS_EMBEDDED_STACK, message, ref, once=self.embedded.address)
            return ref
        if ref.name in STACK:
            value = emission.symbols.pseudo(ref).expr
            name = self.parameter(("param", ref.name), STACK[ref.name], "string", value)
            return ir.ParamRef(name, (), "get_param", ref.span)
        if ref.name == "AWS::Region":
            return ir.Lit(REGION, ref.span)
        return ir.ParamRef(ref.name, path, "get_param", ref.span)

    def reference(self, ref: ir.ResourceRef | ir.AttrRef) -> ir.Expr:
        """Replaces a reference to an outside resource by a parameter."""
        emission, lowering = self.emission, self.embedded.lowering
        target = emission.unit.template.resources.get(ref.name)
        if target is None:
            return ref
        key = (ref.name, attribute_path(ref.path), ref.path) if isinstance(ref, ir.AttrRef) else (ref.name,)
        words = [
            ref.name,
            *(
                [attribute_path(ref.path).replace(".", "_")]
                if isinstance(ref, ir.AttrRef) and attribute_path(ref.path)
                else []
            ),
        ]
        if key not in self.named:
            facts = frozenset(() if target.condition is None else (target.condition,))
            there = lowering.owned(self.embedded.label, facts=self.embedded.facts | facts)
            value = there.changed(in_text=True).value(ref)
            outside = lowering.owned(self.embedded.label, facts=self.embedded.facts)
            test = None
            if target.condition is not None and outside.known(target.condition) is None:
                test = outside.condition(target.condition)
            if as_json(value.type) or self.may_be_null(ref.name, value):
                self.insert(key, "_".join(words), value.expr if test is None else Cond(test, value.expr, None))
            else:
                kind, expr = self.passed(value)
                self.parameter(key, "_".join(words), kind, expr if test is None else Cond(test, expr, ""))
        return ir.ParamRef(self.named[key], (), "get_param", ref.span)

    def expr(self, expr: ir.Expr) -> ir.Expr:
        """Rewrites an expression for the embedded template."""
        if isinstance(expr, ir.ParamRef):
            return self.param(expr)
        if isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
            if expr.name in self.embedded.inside or expr.at in self.emission.unit.stack.unknown:
                return ir.rebuilt(expr, self.expr)
            return self.reference(expr)
        if isinstance(expr, ir.ConditionRef):
            self.condition(expr.name)
            return expr
        if isinstance(expr, ir.FileRef):
            return self.text_of(expr)
        if isinstance(expr, ir.Call) and expr.fn in (
            "Fn::FindInMap",
            "Fn::GetAZs",
            "Fn::Select",
            "Fn::MemberListToMap",
        ):
            return self.cfn(expr)
        return ir.rebuilt(expr, self.expr)

    def cfn(self, expr: ir.Call) -> ir.Expr:
        """Rewrites a CFN function in HOT. If HOT cannot express it, Terraform passes its value as a parameter."""
        from transpile.rewrite.cfn_to_hot import Modern, NoCounterpart, texts

        if expr.fn == "Fn::FindInMap" and isinstance(expr.arg, ir.Seq) and isinstance(expr.arg.items[0], ir.Lit):
            name = str(expr.arg.items[0].value)
            if name in self.emission.unit.template.mappings:
                self.mapping(name)
                keys = tuple(self.expr(i) for i in expr.arg.items[1:])
                return ir.ParamRef(self.named["mapping", name], keys, "get_param", expr.span)
        if (
            not self.embedded.old
            and expr.fn in self.emission.unit.template.version.functions
            and not self.embedded.rich
            and expr.fn != "Fn::GetAZs"
        ):
            return ir.rebuilt(expr, self.expr)
        try:
            inner, source = ir.rebuilt(expr, self.expr), self.emission.unit.template.source
            found = Modern(source, self.emission.unit.groups, texts(self.parameters)).expr(inner)
            if not (isinstance(found, ir.Call) and found.fn.startswith("Fn::")):
                return found
        except NoCounterpart:
            pass
        if any(isinstance(e, (ir.ResourceRef, ir.AttrRef)) and e.name in self.embedded.inside for e in ir.walk(expr)):
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"HOT has no equivalent of this {expr.fn}", expr)
        lowering = self.embedded.lowering.owned(self.embedded.label, facts=self.embedded.facts)
        return replace(self.given(("value", expr), "value", lowering.value(expr)), span=expr.span)

    def mapping(self, name: str) -> None:
        """Passes a mapping as a json parameter, as Heat prints it back. A default would differ in each plan, because
        the provider reads defaults too.
        """
        text = json.dumps(ir.data(self.emission.unit.template.mappings[name]))
        self.parameter(("mapping", name), name, "json", text)

    def text_of(self, ref: ir.FileRef) -> ir.Expr:
        """Replaces get_file by the text of the file. The provider would look the file up where terraform runs."""
        emission = self.emission
        try:
            found = emission.unit.stack.root.read(ref.name)
        except Unreadable as e:
            name = self.parameter(
                ("file", ref.name),
                f"file_{snake(ref.name.rpartition('/')[2].replace('.', '_'))}",
                "string",
                emission.files.unread(ref, e),
            )
            return ir.ParamRef(name, (), "get_param", ref.span)
        try:
            text = found.text()
        except Unreadable:
            import base64

            text = base64.encodebytes(found.data).decode("ascii")
        self.without_files(ref, found)
        return ir.Lit(text, ref.span)

    def without_files(self, ref: ir.FileRef, found: File) -> None:
        """Reports an inlined text that is a template and names files: Heat does not get these files here."""
        for (_, written), nested in self.emission.unit.stack.nested.items():
            if written == INSIDE and nested.file == found.path:
                inner = [name for name, *_ in nested_templates.named_files(nested.stack.template)]
                inner += [one.file for one in nested.stack.nested.values()]
                if inner:
                    names = ", ".join(dict.fromkeys(inner))
                    message = f"Heat gets {found.path} as text, without the files that it names: {names}."
                    self.emission.log.differs(codes.STACK_WITHOUT_FILES, message, ref)
                return

    def condition(self, name: str) -> None:
        if name not in self.conditions and name in self.emission.unit.template.conditions:
            condition = self.emission.unit.template.conditions[name]
            self.conditions[name] = condition  # keeps the order: before the conditions that its value refers to
            self.conditions[name] = ir.Condition(name, self.expr(condition.value), (), condition.span)
