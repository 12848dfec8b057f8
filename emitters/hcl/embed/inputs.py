"""Rewrites expressions for an embedded template: outside values become parameters, or parts of its text.

Invariant: a parameter has byte for byte the value that Heat prints back, because any difference is a change in each
plan. Heat prints JSON in its own way and has no null. So maps, lists of anything but strings, and values that may be
null are written into the text of the template, which the provider does not read back.
"""

from __future__ import annotations

import json
from typing import Protocol, final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import or_default
from emitters.hcl.namespace import snake_case
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Op, Tuple
from emitters.hcl.tree.types import ANY, BOOL, COLLECTIONS, NUMBER, STRINGS, HclType, TypedValue, is_scalar_literal
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.intrinsics import REGION
from transpile.model.records import replace
from transpile.report import attribute_path
from transpile.resolve import nested_templates
from transpile.resolve.groups import INSIDE
from transpile.text.source import TemplateFile, UnreadableFile


def is_printed_as_json(kind: HclType) -> bool:
    """Whether Heat would print a value of this type as JSON."""
    return kind == ANY or (kind.kind in COLLECTIONS and kind != STRINGS)


# pseudo parameters of the whole stack, and the names of the parameters that pass their values into the embedded stack
STACK = {
    "OS::stack_name": "stack_name",
    "AWS::StackName": "stack_name",
    "OS::stack_id": "stack_id",
    "AWS::StackId": "stack_id",
}


class OwningStack(Protocol):
    """The embedded stack that the template belongs to.

    asks_heat: the member that is being written asks Heat for its metadata at run time. member_names: the names of its
    resources. assumptions: conditions that are true wherever it exists. is_cfn: the source template is CFN-era.
    has_structured_outputs: its outputs need functions that take maps and lists.
    """

    emission: Emission
    lowering: HclLowering
    label: str
    address: str
    member_names: frozenset[str]
    resources: dict[str, ir.Resource]
    assumptions: frozenset[ir.Expr]
    is_cfn: bool
    has_structured_outputs: bool
    asks_heat: bool

    def declaration_range(self) -> tuple[int, int]: ...


@final
class EmbeddedInputs:
    """The parameters and conditions of one embedded template."""

    def __init__(self, embedded: OwningStack) -> None:
        self.embedded, self.emission = embedded, embedded.emission
        self.parameters: dict[str, ir.Param] = {}
        self.arguments: list[tuple[str, Expr]] = []
        self.hidden_parameters: list[str] = []
        self.parameter_names: dict[object, str] = {}  # outside value → its parameter
        self.inserted_values: dict[str, Expr] = {}  # values that Terraform writes into the text, by name
        self.conditions: dict[str, ir.Condition] = {}

    def find_unused_name(self, preferred_name: str) -> str:
        """A name that no parameter, inserted value or resource has: `size`, or else `size_2`, `size_3` …"""
        name, number = preferred_name, 2
        taken = (self.parameters, self.inserted_values, self.embedded.resources, self.embedded.member_names)
        while any(name in names for names in taken):
            name, number = f"{preferred_name}_{number}", number + 1
        return name

    def add_parameter(
        self, key: object, preferred_name: str, kind: str, expr: Expr, like: ir.Param | None = None
    ) -> str:
        """Returns the name of the parameter for an outside value, and adds the parameter if it is new.

        key: identifies the outside value, so that all references to it share one parameter. like: the template's
        parameter that has this value. Its default is kept, so that the embedded template can be used alone.
        """
        if key not in self.parameter_names:
            name = self.parameter_names[key] = self.find_unused_name(preferred_name)
            param = ir.Param(name, kind)
            if like is not None:
                default = like.default if like.type == kind and not like.hidden else None
                param = ir.Param(name, kind, default, like.description, hidden=like.hidden)
            self.parameters[name] = param
            self.arguments.append((name, expr))
            if param.hidden:
                self.hidden_parameters.append(name)
        return self.parameter_names[key]

    def convert_to_parameter(self, value: TypedValue) -> tuple[str, Expr]:
        """The parameter type for a value, and the expression whose value equals the text that Heat prints back: a list
        of strings becomes `comma_delimited_list` and a `join`.
        """
        expr, kind = value.expr, value.type
        if kind == STRINGS:
            listed = or_default(value, Tuple(()))
            return "comma_delimited_list", Fn("join", (",", listed))
        if kind == NUMBER:
            return "number", expr
        if kind == BOOL:
            return "boolean", str(expr) if isinstance(expr, bool) else Fn("title", (expr,))
        if kind.kind in COLLECTIONS:
            return "json", Fn("jsonencode", (expr,))
        if value.null and not is_scalar_literal(expr):
            return "string", Cond(Op("==", expr, None), "", expr)
        return "string", expr

    def pass_value(self, key: object, preferred_name: str, value: TypedValue) -> ir.ParamRef:
        """Passes an outside value as a parameter, or writes it into the text."""
        if key not in self.parameter_names:
            if is_printed_as_json(value.type):
                self.insert_value(key, preferred_name, value.expr)
            else:
                kind, expr = self.convert_to_parameter(value)
                self.add_parameter(key, preferred_name, kind, expr)
        return ir.ParamRef(self.parameter_names[key], (), "get_param")

    def insert_value(self, key: object, preferred_name: str, expr: Expr) -> None:
        """Writes an outside value into the text, where `get_param` stands for it until the text is printed."""
        name = self.parameter_names[key] = self.find_unused_name(snake_case(preferred_name))
        self.inserted_values[name] = expr

    def insert_json_parameter(self, ref: ir.ParamRef, param: ir.Param) -> ir.Expr | None:
        """Writes the value of a json parameter, or the value at a path in it, into the text. None if it must be a
        parameter: if it is hidden, or if its path refers to a resource, whose value Terraform does not have.
        """
        key = ("json", ref.name, ref.path)
        if self.emission.unit.is_hidden(ref.name) or any(
            isinstance(e, (ir.ResourceRef, ir.AttrRef)) for part in ref.path for e in ir.walk(part)
        ):
            return None
        if key not in self.parameter_names:
            lowering = self.embedded.lowering.with_owner(self.embedded.label, facts=self.embedded.assumptions)
            try:
                value = lowering.lower_value(ref)
            except CannotSay:
                return None
            path = attribute_path(ref.path).replace(".", "_")
            self.insert_value(key, f"{ref.name}_{path}" if path else ref.name, value.expr)
        return ir.ParamRef(self.parameter_names[key], (), "get_param", ref.span)

    def report_json_change(self, name: str, ref: ir.Expr) -> None:
        """Warns that each plan shows a change, because Heat prints a json parameter in another way than Terraform."""
        address = self.embedded.address
        message = f"Each plan shows a change of {address}: Heat prints the JSON of its parameter {name} with spaces."
        self.emission.log.add_diagnostic(
            codes.JSON_FORMATTED_DIFFERENTLY, message, ref, once=("json", name, address), severity="warning"
        )

    def may_be_null(self, name: str, value: TypedValue) -> bool:
        """Whether a scalar of a resource may be null. Outputs of embedded stacks are strings, and never null."""
        if is_scalar_literal(value.expr) or self.emission.unit.plan.is_embedded(name):
            return False
        return value.null and value.type != STRINGS and value.type.kind not in COLLECTIONS

    def rewrite_parameter_reference(self, ref: ir.ParamRef) -> ir.Expr:
        emission = self.emission
        param = emission.unit.template.parameters.get(ref.name)
        path = tuple(self.rewrite_expression(p) for p in ref.path)
        if param is not None:
            if param.type == "json" and (inserted := self.insert_json_parameter(ref, param)) is not None:
                return inserted
            variable = emission.symbols.resolve_parameter(ir.ParamRef(ref.name, (), ref.fn, ref.span))
            kind, expr = self.convert_to_parameter(variable)
            if kind == "json" and not param.hidden:
                self.report_json_change(ref.name, ref)
            name = self.add_parameter(("param", ref.name), ref.name, kind, expr, param)
            return ir.ParamRef(name, path, "get_param", ref.span)
        if ref.name in STACK and self.embedded.asks_heat:  # at run time, Heat finds the resource in its own stack
            kind = "name" if ref.name.lower().endswith("name") else "ID"
            message = (
                f"The stack's {kind} here is that of {self.embedded.address}: the server asks Heat for its metadata."
            )
            emission.log.add_diagnostic(codes.SERVER_NEEDS_EMBEDDED_STACK, message, ref, once=self.embedded.address)
            return ref
        if ref.name in STACK:
            value = emission.symbols.resolve_pseudo_parameter(ref).expr
            name = self.add_parameter(("param", ref.name), STACK[ref.name], "string", value)
            return ir.ParamRef(name, (), "get_param", ref.span)
        if ref.name == "AWS::Region":
            return ir.Lit(REGION, ref.span)
        return ir.ParamRef(ref.name, path, "get_param", ref.span)

    def rewrite_resource_reference(self, ref: ir.ResourceRef | ir.AttrRef) -> ir.Expr:
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
        if key not in self.parameter_names:
            facts = frozenset(target.conditions)
            there = lowering.with_owner(self.embedded.label, facts=self.embedded.assumptions | facts)
            value = there.with_changes(in_text=True).lower_value(ref)
            outside = lowering.with_owner(self.embedded.label, facts=self.embedded.assumptions)
            undecided = [c for c in target.conditions if outside.decide_condition(c) is None]

            def guard(expr: Expr, otherwise: Expr) -> Expr:
                for test in map(outside.lower_condition, undecided):
                    expr = Cond(test, expr, otherwise)
                return expr

            if is_printed_as_json(value.type) or self.may_be_null(ref.name, value):
                self.insert_value(key, "_".join(words), guard(value.expr, None))
            else:
                kind, expr = self.convert_to_parameter(value)
                self.add_parameter(key, "_".join(words), kind, guard(expr, ""))
        return ir.ParamRef(self.parameter_names[key], (), "get_param", ref.span)

    def rewrite_expression(self, expr: ir.Expr) -> ir.Expr:
        """Rewrites an expression for the embedded template."""
        if isinstance(expr, ir.ParamRef):
            return self.rewrite_parameter_reference(expr)
        if isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
            if expr.name in self.embedded.member_names or expr.at in self.emission.unit.stack.unknown_references:
                return ir.rebuilt(expr, self.rewrite_expression)
            return self.rewrite_resource_reference(expr)
        if isinstance(expr, ir.ConditionRef):
            self.add_condition(expr.name)
            return expr
        if isinstance(expr, ir.FileRef):
            return self.inline_file(expr)
        if isinstance(expr, ir.Call) and expr.fn in (
            "Fn::FindInMap",
            "Fn::GetAZs",
            "Fn::Select",
            "Fn::MemberListToMap",
        ):
            return self.rewrite_cfn_function(expr)
        return ir.rebuilt(expr, self.rewrite_expression)

    def rewrite_cfn_function(self, expr: ir.Call) -> ir.Expr:
        """Rewrites a CFN function in HOT. If HOT cannot express it, Terraform passes its value as a parameter."""
        from transpile.rewrite.cfn_to_hot import CfnRewriter, NoCounterpart, scalar_parameters

        items = expr.arg.items if isinstance(expr.arg, ir.Seq) else ()
        if expr.fn == "Fn::FindInMap" and len(items) == 3 and isinstance(items[0], ir.Lit):
            name = str(items[0].value)
            if name in self.emission.unit.template.mappings:
                self.add_mapping_parameter(name)
                keys = tuple(self.rewrite_expression(i) for i in items[1:])
                return ir.ParamRef(self.parameter_names["mapping", name], keys, "get_param", expr.span)
        if (
            not self.embedded.is_cfn
            and expr.fn in self.emission.unit.template.version.functions
            and not self.embedded.has_structured_outputs
            and expr.fn != "Fn::GetAZs"
        ):
            return ir.rebuilt(expr, self.rewrite_expression)
        try:
            inner, source = ir.rebuilt(expr, self.rewrite_expression), self.emission.unit.template.source
            rewritten = CfnRewriter(
                source, self.emission.unit.group_names, scalar_parameters(self.parameters)
            ).rewrite_expression(inner)
            if not (isinstance(rewritten, ir.Call) and rewritten.fn.startswith("Fn::")):
                return rewritten
        except NoCounterpart:
            pass
        if any(
            isinstance(e, (ir.ResourceRef, ir.AttrRef)) and e.name in self.embedded.member_names for e in ir.walk(expr)
        ):
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"HOT has no equivalent of this {expr.fn}", expr)
        lowering = self.embedded.lowering.with_owner(self.embedded.label, facts=self.embedded.assumptions)
        return replace(self.pass_value(("value", expr), "value", lowering.lower_value(expr)), span=expr.span)

    def add_mapping_parameter(self, name: str) -> None:
        """Passes a mapping as a json parameter, as Heat prints it back. A default would differ in each plan, because
        the provider reads defaults too.
        """
        text = json.dumps(ir.to_data(self.emission.unit.template.mappings[name]))
        self.add_parameter(("mapping", name), name, "json", text)

    def inline_file(self, ref: ir.FileRef) -> ir.Expr:
        """Replaces get_file by the text of the file. The provider would look the file up where terraform runs."""
        emission = self.emission
        try:
            file = emission.unit.stack.root.read_file(ref.name)
        except UnreadableFile as e:
            name = self.add_parameter(
                ("file", ref.name),
                f"file_{snake_case(ref.name.rpartition('/')[2].replace('.', '_'))}",
                "string",
                emission.files.variable_for_file(ref, e),
            )
            return ir.ParamRef(name, (), "get_param", ref.span)
        try:
            text = file.decode_text()
        except UnreadableFile:
            import base64

            text = base64.encodebytes(file.data).decode("ascii")
        self.report_unsent_files(ref, file)
        return ir.Lit(text, ref.span)

    def report_unsent_files(self, ref: ir.FileRef, file: TemplateFile) -> None:
        """Reports an inlined text that is a template and names files: Heat does not get these files here."""
        for (_, written), nested in self.emission.unit.stack.nested.items():
            if written == INSIDE and nested.file == file.path:
                inner = [name for name, *_ in nested_templates.named_files(nested.stack.template)]
                inner += [child.file for child in nested.stack.nested.values()]
                if inner:
                    names = ", ".join(dict.fromkeys(inner))
                    message = f"Heat gets {file.path} as text, without the files that it names: {names}."
                    self.emission.log.report_difference(codes.STACK_WITHOUT_FILES, message, ref)
                return

    def add_condition(self, name: str) -> None:
        if name not in self.conditions and name in self.emission.unit.template.conditions:
            condition = self.emission.unit.template.conditions[name]
            self.conditions[name] = condition  # keeps the order: before the conditions that its value refers to
            self.conditions[name] = ir.Condition(name, self.rewrite_expression(condition.value), (), condition.span)
