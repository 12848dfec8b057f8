"""Lowers IR expressions to HCL expressions; `if`, `repeat` and single intrinsics have their own modules.

Invariant: a lowered expression is exact, or the difference is reported with a diagnostic and a comment in the output.
Expressions that HCL cannot express raise `CannotSay`, and their owner stays with Heat.
"""

from __future__ import annotations

import itertools
from typing import final

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import (
    branches,
    conditions,
    functions,  # noqa: F401  # importing these two registers how intrinsics are lowered
    get_file,
    list_functions,  # noqa: F401
    paths,
    repeat,
)
from emitters.hcl.lowering.lowering import Handle, HclLowering, Part
from emitters.hcl.lowering.registry import LOWERS, SPLITTERS
from emitters.hcl.lowering.rewrites import contains_index, negate_condition, replace_in_text, text_or_empty
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Object,
    Op,
    StringTemplate,
    Traversal,
    Tuple,
    for_each_if,
)
from emitters.hcl.tree.types import (
    ANY,
    BOOL,
    COLLECTIONS,
    LISTS,
    MAP_OF_STRINGS,
    NULL,
    NUMBER,
    OBJECT,
    OPEN,
    SCALARS,
    STRING,
    STRINGS,
    TUPLE,
    HclType,
    TypedValue,
    convert_to_type,
    format_as_heat,
    is_scalar_literal,
    needs_local,
    prints_differently,
)
from transpile.diagnostics import codes
from transpile.evaluate import fold_call
from transpile.model import ir

COUNT_INDEX = Traversal(("count", "index"))
TRANSPARENT = ("list_concat", "map_merge", "Fn::Select")  # functions that pass values through unchanged
PYTHON = Object((("true", "True"), ("false", "False"), ("null", "")))  # JSON literals, as Python prints them in texts


@final
class ExpressionLowering(HclLowering):
    """Lowers every kind of expression. One class, because expressions nest in each other."""

    __slots__ = ()

    # values

    def lower_value(self, expr: ir.Expr, want: HclType = ANY) -> TypedValue:
        """The lowered expression, converted to type `want`."""
        if type(expr) is ir.Lit:
            return self.lower_literal(expr, want)
        if type(expr) is ir.ParamRef:
            value = self.lower_parameter(expr)
            if want == STRING:
                self.report_untyped(expr, value.type)
            if want == BOOL and value.type == STRING and self.is_spelled_as_boolean(expr):
                return TypedValue(value.expr, BOOL, value.null)
            return (
                self.as_map_of_strings(value, expr)
                if want == MAP_OF_STRINGS and value.type.kind in OPEN
                else convert_to_type(value, want)
            )
        if isinstance(expr, ir.ResourceRef):
            return convert_to_type(self.find_handle(expr).lower_reference(self, expr), want)
        if isinstance(expr, ir.AttrRef):
            return convert_to_type(self.find_handle(expr).lower_attribute(self, expr), want)
        if type(expr) is ir.Seq:
            return self.lower_list(expr, want)
        if type(expr) is ir.Map:
            return self.lower_map(expr, want)
        if isinstance(expr, ir.Call):
            return self.lower_call(expr, want)
        if type(expr) is ir.If:
            return branches.lower_if(self, expr, want)
        if isinstance(expr, ir.Repeat):
            return repeat.lower_repeat(self, expr, want)
        if isinstance(expr, ir.FileRef):
            return get_file.lower_get_file(self, expr)
        if isinstance(expr, ir.ConditionRef):
            return TypedValue(self.lower_condition(expr), BOOL)
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "this expression could not be parsed", expr)

    def is_spelled_as_boolean(self, expr: ir.ParamRef) -> bool:
        """Whether a string parameter that is used as a boolean has only the values `true` and `false`, which Terraform
        converts. Inside a module unknown values may be Heat's text of a boolean (`True`), so there some must be known.
        """
        values = self.unit.values_at_path(expr)
        return all(v in ("true", "false") for v in values) and (bool(values) or self.unit.module.is_root)

    def find_handle(self, ref: ir.ResourceRef | ir.AttrRef) -> Handle:
        """The handle of the resource that a reference names. Raises CannotSay if there is no such resource."""
        handle = self.handles.get(ref.name)
        if handle is None:
            raise CannotSay(codes.UNKNOWN_RESOURCE, f"there is no resource {ref.name}", ref)
        return handle

    def lower_literal(self, expr: ir.Lit, want: HclType) -> TypedValue:
        value = expr.value
        if isinstance(value, str):
            self.log.report_unnormalized_text(value, expr)
            if self.scope.bound and (parts := self.replace_placeholders(value)):
                alone = parts[0] if len(parts) == 1 and want == STRING else ""  # Terraform converts it
                return convert_to_type(alone if isinstance(alone, TypedValue) else self.compose_text(parts), want)
            return convert_to_type(TypedValue(value, STRING), want)
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            raise CannotSay(codes.NOT_A_TERRAFORM_NUMBER, f"{value} is not a number in Terraform", expr)
        kind = NULL if value is None else BOOL if isinstance(value, bool) else NUMBER
        return convert_to_type(TypedValue(value, kind, value is None), want)

    def replace_placeholders(self, text: str, *, in_key: bool = False) -> list[Part]:
        """The parts of a text after replacing bound placeholders; empty if it contains none. in_key: in the key of a
        map, where Heat replaces the placeholders of loops, but not the index of a group.
        """
        parts: list[Part] = [text]
        for placeholder, expr in self.scope.bound:
            if in_key and placeholder == self.scope.index:
                continue
            out: list[Part] = []
            for part in parts:
                pieces: list[Part] = [*part.split(placeholder)] if isinstance(part, str) else [part]
                for i, piece in enumerate(pieces):
                    if i:
                        out.append(TypedValue(expr, NUMBER if expr == COUNT_INDEX else STRING))
                    if not isinstance(piece, str) or piece:
                        out.append(piece)
            parts = out
        return [] if all(isinstance(part, str) for part in parts) and len(parts) < 2 else parts

    def lower_list(self, expr: ir.Seq, want: HclType) -> TypedValue:
        """A list as a tuple. Its type has the type of the items if all are of the same scalar type."""
        inner = want.of or ANY if want.kind in LISTS else ANY
        if any(map(ir.is_optional, expr.items)):
            return self.lower_optional_items(expr, inner)
        values = [self.lower_value(i, inner) for i in expr.items]
        kinds = {ANY if v.null else v.type for v in values} or {STRING}
        item_type = kinds.pop() if len(kinds) == 1 else ANY
        return TypedValue(
            Tuple(tuple([v.expr for v in values])), HclType("tuple", item_type) if item_type.kind in SCALARS else TUPLE
        )

    def lower_optional_items(self, expr: ir.Seq, inner: HclType) -> TypedValue:
        """A list with optional items, that is `if` with two arguments. Runs of certain items become tuples, each
        optional one a list of none or one item, and `concat` joins them.
        """
        pieces: list[Expr] = []
        run: list[Expr] = []
        for item in expr.items:
            if ir.is_optional(item):
                if run:
                    pieces.append(Tuple(tuple(run)))
                    run = []
                test = self.lower_condition(item.condition)
                then = self.with_fact(item.condition).lower_item(item.then, inner)
                pieces.append(
                    ForTuple((self.free_variable("present"),), for_each_if(test), then)
                    if inner.kind != "string" and contains_index(then)
                    else ForTuple(("item",), Tuple((then,)), Traversal(("item",)), test)
                    if inner.kind != "string"
                    else Cond(test, Tuple((then,)), Tuple(()))
                )
            else:
                run.append(self.lower_item(item, inner))
        if run:
            pieces.append(Tuple(tuple(run)))
        return TypedValue(Fn("concat", tuple(pieces)), TUPLE) if len(pieces) > 1 else TypedValue(pieces[0], TUPLE)

    def lower_item(self, expr: ir.Expr, inner: HclType) -> Expr:
        """Lowers an item of a list. In a list of strings, other items become JSON, as in list_join."""
        value = self.lower_value(expr, inner)
        return self.text_of_value(value) if inner == STRING and value.type.kind in COLLECTIONS else value.expr

    def lower_map(self, expr: ir.Map, want: HclType) -> TypedValue:
        """A map as an object. Optional entries, that is `if` with two arguments, become `for` expressions to merge."""
        strings = want == MAP_OF_STRINGS
        entries: list[tuple[Expr, Expr]] = []
        optional: list[Expr] = []
        for entry in expr.entries:
            key = self.lower_map_key(entry.key)
            if ir.is_optional(entry.value):
                test = self.lower_condition(entry.value.condition)
                then = self.with_fact(entry.value.condition).lower_map_value(entry.value.then, strings)
                if contains_index(then):  # inside the loop, because it must not be evaluated if the condition is false
                    name = self.free_variable("key")
                    optional.append(ForObject((name,), Cond(test, Tuple((key,)), Tuple(())), Traversal((name,)), then))
                    continue
                single = Object(((key, then),))
                optional.append(ForObject(("k", "v"), single, Traversal(("k",)), Traversal(("v",)), test))
            else:
                entries.append((key, self.lower_map_value(entry.value, strings)))
        result: Expr = Object(tuple(entries))
        if optional:
            result = (
                Fn("merge", ((result,) if entries else ()) + tuple(optional))
                if entries or len(optional) > 1
                else optional[0]
            )
        return TypedValue(result, OBJECT)

    def free_variable(self, name: str) -> str:
        """A loop variable that no enclosing loop uses."""
        while any(isinstance(b, Traversal) and name in b.parts for _, b in self.scope.bound):
            name += "_"
        return name

    def lower_map_value(self, expr: ir.Expr, strings: bool) -> Expr:
        """A value of a map. strings: in a map of strings, other values become JSON, as Heat's clients send them."""
        if not strings:
            return self.lower_expression(expr)
        if isinstance(expr, (ir.Map, ir.Seq)):
            self.differs(
                codes.JSON_FORMATTED_DIFFERENTLY, "A map or list inside a map of strings is sent as JSON.", expr
            )
            return Fn("jsonencode", (self.lower_expression(expr),))
        value = self.lower_value(expr, STRING if isinstance(expr, ir.Lit) and isinstance(expr.value, str) else ANY)
        if isinstance(value.expr, float) and value.expr.is_integer():  # Terraform would leave out the .0
            return format_as_heat(value.expr)
        if value.type.kind in COLLECTIONS:
            return Fn("jsonencode", (value.expr,))
        if value.type == ANY and isinstance(expr, ir.ParamRef) and not is_scalar_literal(value.expr):
            return Fn("try", (Fn("tostring", (value.expr,)), Fn("jsonencode", (value.expr,))))
        return value.expr

    def lower_map_key(self, text: str) -> Expr:
        parts = self.replace_placeholders(text, in_key=True) if self.scope.bound else []
        return self.compose_text(parts).expr if parts else text

    def lower_call(self, expr: ir.Call, want: HclType) -> TypedValue:
        """A call of an intrinsic function: folded if its arguments are known, otherwise lowered by its registered
        function.
        """
        folded = fold_call(expr, self.template.source)  # Heat evaluates functions before it replaces placeholders
        if not isinstance(folded, ir.Call):
            return self.lower_value(folded, want)
        lower = LOWERS.get(expr.fn)
        if lower is None:
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"{expr.fn} has no equivalent in this form", expr)
        if self.scope.bound and expr.fn not in SPLITTERS and expr.fn not in TRANSPARENT:
            self.report_early_evaluation(expr)
        # Heat looks up the ID of a stored text only if it is the whole value: inside of another text it stays an ID.
        whole = self if expr.fn == "Fn::Base64" else self.with_changes(in_text=False)
        return convert_to_type(lower(whole, expr, want), want)

    def report_early_evaluation(self, expr: ir.Call) -> None:
        """Reports a function whose argument contains a placeholder, which Heat replaces only in the result."""
        for part in ir.walk(expr):
            if isinstance(part, ir.Lit) and isinstance(part.value, str) and self.replace_placeholders(part.value):
                message = f"Heat evaluates {expr.fn} before it replaces the placeholder in {part.value}."
                self.differs(codes.PLACEHOLDER_INSIDE_VALUE, message, part)
                return

    # texts

    def lower_text_parts(self, expr: ir.Expr) -> list[Part]:
        """The parts of an expression that becomes a text: literal strings and values."""
        if isinstance(expr, ir.Lit):
            if isinstance(expr.value, str):
                self.log.report_unnormalized_text(expr.value, expr)
                if self.scope.bound:
                    return self.replace_placeholders(expr.value) or [expr.value]
            return [format_as_heat(expr.value)]
        if isinstance(expr, ir.Call):
            folded = fold_call(expr, self.template.source)
            if not isinstance(folded, ir.Call):
                return self.lower_text_parts(folded)
            split = SPLITTERS.get(expr.fn)
            if split is not None and (parts := split(self, expr)) is not None:
                return parts
        # Heat replaces the index of a group in the text that a map became, so in its keys too.
        value = (self.with_changes(index="") if self.scope.index else self).lower_value(expr)
        self.report_untyped(expr, value.type)
        return [value]

    def report_untyped(self, expr: ir.Expr, kind: HclType) -> None:
        """Reports that a text may differ because Terraform's types differ from Python's; once for each parameter."""
        param = self.template.parameters.get(expr.name) if isinstance(expr, ir.ParamRef) else None
        if param is None:
            if kind == ANY and not isinstance(expr, ir.Lit):
                message = "This has no known type: the text of 1.0 or of a list may differ from Heat's."
                self.differs(codes.UNTYPED_VALUE_AS_TEXT, message, expr)
            return
        if param.type == "json" and kind == STRING and param.name in self.unit.parameter_shapes:
            return
        if param.type == "json" and kind.kind in ("any", "string", "number"):
            why = "the text of true, 1.0 or of a list may differ from Heat's."
            message = f"The values in {{}} have no known type: {why}"
        elif param.type == "number" and any(map(prints_differently, self.unit.values_of_parameter(param.name))):
            why = "Terraform prints numbers without exponents and without a trailing .0."
            message = f"The text of {{}} may differ from Heat's: {why}"
        else:
            return
        self.gather(codes.UNTYPED_VALUE_AS_TEXT, message, param.name, expr)
        self.log.add_comment(param.at, codes.UNTYPED_VALUE_AS_TEXT, why)

    def compose_text(self, parts: list[Part], hint: str = "") -> TypedValue:
        """Builds one text from parts."""
        pieces: list[Expr] = []
        for part in parts:
            lowered_part = part if isinstance(part, str) else self.text_of_value(part, hint)
            pieces += lowered_part.parts if isinstance(lowered_part, StringTemplate) else (lowered_part,)
        merged: list[Expr] = []
        for texts, together in itertools.groupby((p for p in pieces if p != ""), lambda piece: isinstance(piece, str)):
            run = list(together)
            merged += ["".join(map(str, run))] if texts else run
        if not merged:
            return TypedValue("", STRING)
        if len(merged) == 1:
            if isinstance(merged[0], str):
                return TypedValue(merged[0], STRING)
            only = next(p for p in parts if not isinstance(p, str))
            if only.type != NUMBER:
                return TypedValue(merged[0], STRING)
        return TypedValue(StringTemplate(tuple(merged)), STRING)

    def text_of_value(self, value: TypedValue, hint: str = "") -> Expr:
        """A value as Heat would print it inside a text."""
        expr, kind = value.expr, value.type.kind
        if is_scalar_literal(expr):
            return format_as_heat(expr)
        if isinstance(expr, StringTemplate) and not value.null:
            return self.lift_to_local(expr, hint)
        if kind == "bool":
            return Fn("title", (expr,))
        if kind in COLLECTIONS:
            return self.lift_to_local(self.json_of_value(value), hint)
        if kind == "any":
            if not (self.scope.fixed or isinstance(expr, (Traversal, Attr))):
                expr = self.blocks.share_local(f"{self.scope.owner}_{hint or 'value'}", expr)
            plain = Fn("try", (Fn("tostring", (expr,)), Fn("jsonencode", (expr,))))
            words = self.blocks.share_local("python_text", PYTHON)
            text = Fn("lookup", (words, Fn("jsonencode", (expr,)), plain))
            return (
                text
                if self.scope.fixed
                else self.blocks.share_local(f"{self.scope.owner}_{hint or 'value'}_text", text)
            )
        if value.null:
            return self.lift_to_local(text_or_empty(expr), hint)
        return self.lift_to_local(expr, hint)

    def json_of_value(self, value: TypedValue) -> Expr:
        """A list or map as Heat prints it inside a text: equivalent JSON, perhaps with other bytes."""
        expr = value.expr
        so = " The digest differs." if self.scope.hashed else ""
        severity = "warning" if self.scope.hashed else ""
        if value.type == STRINGS:
            message = f"In JSON, Heat escapes non-ASCII characters; jsonencode() escapes <, > and & instead.{so}"
            self.differs(codes.JSON_FORMATTED_DIFFERENTLY, message, severity=severity)
            item = Traversal(("item",))
            return StringTemplate(("[", Fn("join", (", ", ForTuple(("item",), expr, Fn("jsonencode", (item,))))), "]"))
        message = f"Heat writes this list or map as JSON with spaces, jsonencode() without.{so}"
        self.differs(codes.JSON_FORMATTED_DIFFERENTLY, message, severity=severity)
        if isinstance(expr, Fn) and expr.name == "try" and expr.args[-1] == "":  # a path that may have no value
            return Fn("try", (*(Fn("jsonencode", (way,)) for way in expr.args[:-1]), ""))
        return Fn("jsonencode", (expr,))

    def lift_to_local(self, expr: Expr, hint: str) -> Expr:
        """Moves a long expression inside a text to a local, if the scope allows that. A local is evaluated outside of
        all loops and conditions, so it must not use their variables.
        """
        if self.scope.fixed or not needs_local(expr):
            return expr
        return self.blocks.share_local(f"{self.scope.owner}_{hint or 'text'}", expr)

    # parameters and conditions

    def lower_parameter(self, expr: ir.ParamRef) -> TypedValue:
        value = self.symbols.resolve_parameter(expr)
        if expr.path:
            value = paths.lower_parameter_path(self, expr, value)
        return self.replace_in_parameter(value, expr) if self.scope.bound else value

    def replace_in_parameter(self, value: TypedValue, expr: ir.ParamRef) -> TypedValue:
        """Replaces placeholders in a parameter's value, as Heat does, if a known value contains one."""
        values_text = str(self.unit.values_of_parameter(expr.name))
        bound = [
            (placeholder, replacement) for placeholder, replacement in self.scope.bound if placeholder in values_text
        ]
        if not bound:
            return value
        if value.type == STRING:
            return TypedValue(replace_in_text(value.expr, bound), STRING, value.null)
        if value.type == STRINGS:
            item = Traversal((self.free_variable("item"),))
            return TypedValue(ForTuple(item.parts, value.expr, replace_in_text(item, bound)), STRINGS)
        why = f"the value of {expr.name} contains {bound[0][0]}, which Heat replaces there too"
        raise CannotSay(codes.PLACEHOLDER_INSIDE_VALUE, why, expr)

    def as_map_of_strings(self, value: TypedValue, expr: ir.ParamRef) -> TypedValue:
        """A map known only at run time, as a map of strings. Values that are no scalars become JSON, as Heat's clients
        send them.
        """
        values = paths.values_of_parameter(self, expr)
        if values and all(
            isinstance(v, dict) and not any(isinstance(x, (dict, list)) for x in v.values()) for v in values
        ):
            return TypedValue(value.expr, MAP_OF_STRINGS)
        item = Traversal(("v",))
        text = Fn("try", (Fn("tostring", (item,)), Fn("jsonencode", (item,))))
        texts: Expr = ForObject(("k", "v"), value.expr, Traversal(("k",)), text)
        if value.null:
            texts = Cond(Op("==", value.expr, None), None, texts)
        return TypedValue(texts, MAP_OF_STRINGS, value.null)

    def lower_condition(self, expr: ir.Expr) -> Expr:
        """A condition as a boolean expression."""
        return conditions.lower_condition(self, expr)

    def lower_named_condition(self, ref: ir.ConditionRef) -> Expr:
        """The local for a condition of the template."""
        name, locals_ = ref.name, self.blocks.locals
        label = self.blocks.names.conditions[name]
        if label not in locals_:
            condition = self.template.conditions[name]
            locals_[label] = Argument(label, None, condition.span)  # at once, to come before the locals that it uses
            try:
                value = self.with_owner(label).lower_condition(condition.value)
            except CannotSay:
                del locals_[label]
                raise
            if self.symbols.is_sensitive(value):
                self.log.add_diagnostic(
                    codes.HIDDEN_VALUE_REVEALED,
                    f"Condition {name} tests a hidden parameter; its result is shown.",
                    condition,
                    note="tests a hidden parameter; its result is not treated as a secret.",
                )
                value = Fn("nonsensitive", (value,))
            locals_[label].value = value
            self.log.report.conditions[name] = {"local": label}
        return Traversal(("local", label))

    def lower_mapping(self, name: str) -> Expr:
        """The local for a mapping of the template."""
        label = self.blocks.names.mappings[name]
        if label not in self.blocks.locals:
            mapping = self.template.mappings[name]
            self.blocks.add_local(label, self.lower_expression(mapping), mapping)
        return Traversal(("local", label))

    def decide_condition(self, condition: ir.Expr) -> bool | None:
        """The value of a condition that is constant or implied by the scope; None if it is neither."""
        resolved = self.unit.settle_condition(condition)
        if isinstance(resolved, ir.Lit):
            return bool(resolved.value)
        if self.is_assumed(condition):
            return True
        return False if self.is_assumed(negate_condition(condition)) else None

    def is_assumed(self, condition: ir.Expr) -> bool:
        """Whether the scope assumes a condition."""
        if not self.scope.facts:
            return False
        definition = self.unit.settle_condition(condition)
        return (
            condition in self.scope.facts
            or definition in self.scope.facts
            or any(self.unit.settle_condition(f) == definition for f in self.scope.facts)
        )
