"""Lowers IR expressions to HCL expressions; single intrinsics are in functions.py.

Invariant: a lowered expression is exact, or the difference is reported with a diagnostic and a comment in the output.
Expressions that HCL cannot express raise `CannotSay`, and their owner stays with Heat.
"""

from __future__ import annotations

import itertools
from typing import final

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import (
    conditions,
    functions,  # noqa: F401  # importing these two registers how intrinsics are lowered
    get_file,
    list_functions,  # noqa: F401
    paths,
)
from emitters.hcl.lowering.lowering import Handle, Lowering, Part
from emitters.hcl.lowering.registry import LOWERS, TEXTS
from emitters.hcl.lowering.rewrites import indexed, is_not, loop_names, negated, or_empty, same_shape, split_in, ways
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Name,
    Object,
    Text,
    Tuple,
    once_if,
)
from emitters.hcl.tree.types import (
    ANY,
    BOOL,
    COLLECTIONS,
    JSON,
    LISTS,
    MAP_OF_STRINGS,
    MAPS,
    NULL,
    NUMBER,
    OBJECT,
    OPEN,
    SCALARS,
    STRING,
    STRINGS,
    TUPLE,
    Type,
    Value,
    composite,
    fit,
    heat_text,
    literal,
    spelled,
)
from transpile.diagnostics import codes
from transpile.evaluate import fold
from transpile.model import ir

TRANSPARENT = ("list_concat", "map_merge", "Fn::Select")  # functions that pass values through unchanged
PYTHON = Object((("true", "True"), ("false", "False"), ("null", "")))  # JSON literals, as Python prints them in texts


@final
class ExpressionLowering(Lowering):
    """Lowers every kind of expression. One class, because expressions nest in each other."""

    __slots__ = ()

    # values

    def value(self, expr: ir.Expr, want: Type = ANY) -> Value:
        """The lowered expression, converted to type `want`."""
        if isinstance(expr, ir.Lit):
            return self.lit(expr, want)
        if isinstance(expr, ir.ParamRef):
            found = self.param(expr)
            if want == STRING:
                self.untyped(expr, found.type)
            if want == BOOL and found.type == STRING and self.lower_case(expr):
                return Value(found.expr, BOOL, found.null)
            return self.texts(found, expr) if want == MAP_OF_STRINGS and found.type.kind in OPEN else fit(found, want)
        if isinstance(expr, ir.ResourceRef):
            return fit(self.handle(expr).reference(self, expr), want)
        if isinstance(expr, ir.AttrRef):
            return fit(self.handle(expr).attribute(self, expr), want)
        if isinstance(expr, ir.Seq):
            return self.seq(expr, want)
        if isinstance(expr, ir.Map):
            return self.map(expr, want)
        if isinstance(expr, ir.Call):
            return self.call(expr, want)
        if isinstance(expr, ir.If):
            return self.choice(expr, want)
        if isinstance(expr, ir.Repeat):
            return self.repeat(expr, want)
        if isinstance(expr, ir.FileRef):
            return get_file.text(self, expr)
        if isinstance(expr, ir.ConditionRef):
            return Value(self.condition(expr), BOOL)
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "this expression could not be parsed", expr)

    def lower_case(self, expr: ir.ParamRef) -> bool:
        """Whether a string parameter that is used as a boolean has only the values `true` and `false`, which Terraform
        converts. Inside a module unknown values may be Heat's text of a boolean (`True`), so there some must be known.
        """
        known = self.unit.known_at(expr)
        return all(v in ("true", "false") for v in known) and (bool(known) or self.unit.module is None)

    def handle(self, ref: ir.ResourceRef | ir.AttrRef) -> Handle:
        """The handle of the resource that a reference names. Raises CannotSay if there is no such resource."""
        found = self.handles.get(ref.name)
        if found is None:
            raise CannotSay(codes.UNKNOWN_RESOURCE, f"there is no resource {ref.name}", ref)
        return found

    def lit(self, expr: ir.Lit, want: Type) -> Value:
        value = expr.value
        if isinstance(value, str):
            self.log.check_text(value, expr)
            if self.scope.bound and (parts := self.placed(value)) is not None:
                return fit(self.compose(parts), want)
            return fit(Value(value, STRING), want)
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            raise CannotSay(codes.NOT_A_TERRAFORM_NUMBER, f"{value} is not a number in Terraform", expr)
        kind = NULL if value is None else BOOL if isinstance(value, bool) else NUMBER
        return fit(Value(value, kind, value is None), want)

    def placed(self, text: str) -> list[Part] | None:
        """The parts of a text after replacing bound placeholders; None if it contains none."""
        parts: list[Part] = [text]
        for placeholder, expr in self.scope.bound:
            out: list[Part] = []
            for part in parts:
                pieces: list[Part] = [*part.split(placeholder)] if isinstance(part, str) else [part]
                for i, piece in enumerate(pieces):
                    if i:
                        out.append(Value(expr, STRING))
                    if not isinstance(piece, str) or piece:
                        out.append(piece)
            parts = out
        return parts if len(parts) > 1 or not isinstance(parts[0] if parts else "", str) else None

    def seq(self, expr: ir.Seq, want: Type) -> Value:
        """A list as a tuple. Its type says what the items are if all are of the same scalar type."""
        inner = want.of or ANY if want.kind in LISTS else ANY
        if any(isinstance(i, ir.If) and i.orelse is None for i in expr.items):
            return self.optional_items(expr, inner)
        values = [self.value(i, inner) for i in expr.items]
        kinds = {ANY if v.null else v.type for v in values} or {STRING}
        one = kinds.pop() if len(kinds) == 1 else ANY
        return Value(Tuple(tuple([v.expr for v in values])), Type("tuple", one) if one.kind in SCALARS else TUPLE)

    def optional_items(self, expr: ir.Seq, inner: Type) -> Value:
        """A list with optional items, that is `if` with two arguments. Runs of certain items become tuples, each
        optional one a list of none or one item, and `concat` joins them.
        """
        pieces: list[Expr] = []
        run: list[Expr] = []
        for item in expr.items:
            if isinstance(item, ir.If) and item.orelse is None:
                if run:
                    pieces.append(Tuple(tuple(run)))
                    run = []
                test = self.condition(item.condition)
                then = self.assuming(item.condition).item(item.then, inner)
                pieces.append(
                    ForTuple((self.unbound("present"),), once_if(test), then)
                    if inner.kind != "string" and indexed(then)
                    else ForTuple(("item",), Tuple((then,)), Name(("item",)), test)
                    if inner.kind != "string"
                    else Cond(test, Tuple((then,)), Tuple(()))
                )
            else:
                run.append(self.item(item, inner))
        if run:
            pieces.append(Tuple(tuple(run)))
        return Value(Fn("concat", tuple(pieces)), TUPLE) if len(pieces) > 1 else Value(pieces[0], TUPLE)

    def item(self, expr: ir.Expr, inner: Type) -> Expr:
        """One item of a list. In a list of strings, other items become JSON, as in list_join."""
        value = self.value(expr, inner)
        return self.as_text(value) if inner == STRING and value.type.kind in COLLECTIONS else value.expr

    def map(self, expr: ir.Map, want: Type) -> Value:
        """A map as an object. Optional entries, that is `if` with two arguments, become `for` expressions to merge."""
        strings = want == MAP_OF_STRINGS
        entries: list[tuple[Expr, Expr]] = []
        optional: list[Expr] = []
        for entry in expr.entries:
            key = self.key(entry.key)
            if isinstance(entry.value, ir.If) and entry.value.orelse is None:
                test = self.condition(entry.value.condition)
                then = self.assuming(entry.value.condition).member(entry.value.then, strings)
                if indexed(then):  # inside the loop, because it must not be evaluated if the condition is false
                    name = self.unbound("key")
                    optional.append(ForObject((name,), Cond(test, Tuple((key,)), Tuple(())), Name((name,)), then))
                    continue
                one = Object(((key, then),))
                optional.append(ForObject(("k", "v"), one, Name(("k",)), Name(("v",)), test))
            else:
                entries.append((key, self.member(entry.value, strings)))
        found: Expr = Object(tuple(entries))
        if optional:
            found = (
                Fn("merge", ((found,) if entries else ()) + tuple(optional))
                if entries or len(optional) > 1
                else optional[0]
            )
        return Value(found, OBJECT)

    def unbound(self, name: str) -> str:
        """A loop variable that no enclosing loop uses."""
        while any(isinstance(b, Name) and name in b.parts for _, b in self.scope.bound):
            name += "_"
        return name

    def member(self, expr: ir.Expr, strings: bool) -> Expr:
        """A value of a map. strings: in a map of strings, other values become JSON, as Heat's clients send them."""
        if not strings:
            return self.expr(expr)
        if isinstance(expr, (ir.Map, ir.Seq)):
            self.differs(
                codes.JSON_FORMATTED_DIFFERENTLY, "A map or list inside a map of strings is sent as JSON.", expr
            )
            return Fn("jsonencode", (self.expr(expr),))
        value = self.value(expr)
        if isinstance(value.expr, float) and value.expr.is_integer():  # Terraform would leave out the .0
            return heat_text(value.expr)
        if value.type.kind in COLLECTIONS:
            return Fn("jsonencode", (value.expr,))
        if value.type == ANY and isinstance(expr, ir.ParamRef) and not literal(value.expr):
            return Fn("try", (Fn("tostring", (value.expr,)), Fn("jsonencode", (value.expr,))))
        return value.expr

    def key(self, text: str) -> Expr:
        parts = self.placed(text) if self.scope.bound else None
        return text if parts is None else self.compose(parts).expr

    def choice(self, expr: ir.If, want: Type) -> Value:
        """`if` as a value. Terraform converts both branches to one type, and Heat does not. So branches without a
        common type go through JSON: `jsondecode(test ? jsonencode(a) : jsonencode(b))`.
        """
        known = self.known(expr.condition)
        if known is not None:
            branch = expr.then if known else expr.orelse
            return Value(None, NULL, True) if branch is None else self.value(branch, want)
        test = self.condition(expr.condition)
        then = self.assuming(expr.condition).value(expr.then, want)
        other = Value(None, NULL, True)
        if expr.orelse is not None:
            other = self.assuming(negated(expr.condition)).value(expr.orelse, want)
        null = then.null or other.null
        if then.expr is True and other.expr is False:
            return Value(test, BOOL)
        if then.expr is False and other.expr is True:
            return Value(is_not(test), BOOL)
        for one, two in ((then, other), (other, then)):
            if one.expr is None:
                return Value(Cond(test, then.expr, other.expr), two.type, True)
        if then.type.kind == other.type.kind and then.type.kind in SCALARS:
            return Value(Cond(test, then.expr, other.expr), then.type, null)
        if want.kind in SCALARS and all(v.type.kind in (*SCALARS, "any") for v in (then, other)):
            return Value(Cond(test, then.expr, other.expr), want, null)
        if want in (STRINGS, Type("set", STRING)) and all(v.type.kind in (*LISTS, *OPEN) for v in (then, other)):
            return Value(Cond(test, then.expr, other.expr), STRINGS, null)
        if same_shape(then.expr, other.expr):
            return Value(Cond(test, then.expr, other.expr), then.type, null)
        if (
            "any" in (then.type.kind, other.type.kind)
            and want.kind == "any"
            and {then.type.kind, other.type.kind} <= {*SCALARS, "any"}
            and self.alike(expr, then.type, other.type)
        ):
            return Value(Cond(test, then.expr, other.expr), ANY, null)
        kind = then.type if then.type.kind == other.type.kind else ANY
        if kind == ANY and {then.type.kind, other.type.kind} <= {*COLLECTIONS}:
            kind = JSON  # a list or a map, whichever
        return Value(
            Fn("jsondecode", (Cond(test, Fn("jsonencode", (then.expr,)), Fn("jsonencode", (other.expr,))),)), kind, null
        )

    def alike(self, expr: ir.If, then: Type, other: Type) -> bool:
        """Whether two branches, at least one of them untyped, may be treated as the same scalar type: nothing known
        contradicts that.
        """
        kinds = {kind.kind for kind in (then, other) if kind != ANY}
        for branch, kind in ((expr.then, then), (expr.orelse, other)):
            if branch is None or kind != ANY:
                continue
            known = paths.evidence(self, branch)
            kinds |= {paths.kind_of([value]).kind for value in known}
            if len(kinds) > 1 or kinds & {"any", "json"}:
                return False
            if not known or isinstance(branch, ir.ParamRef):
                once = ("branch", branch.name) if isinstance(branch, ir.ParamRef) else None
                message = "Terraform converts both branches to one type: if one is a string, so is the other."
                self.say(codes.UNTYPED_VALUE_AS_TEXT, message, branch, once=once)
        return True

    def repeat(self, expr: ir.Repeat, want: Type) -> Value:
        """`repeat` as a `for` expression. Heat replaces text in the resolved template; here the loop variables are put
        in place of the placeholders.
        """
        together = expr.permutations == ir.Lit(False)
        if expr.permutations is not None and not isinstance(expr.permutations, ir.Lit):
            raise CannotSay(
                codes.NOT_POSSIBLE_IN_HCL, "whether repeat uses permutations is known only at run time", expr
            )
        lists = [self.iterated(entry) for entry in expr.for_each]
        if together and Tuple(()) in lists:
            return Value(Tuple(()), TUPLE)
        self.searched_again(expr)
        names = loop_names(
            [entry.key for entry in expr.for_each],
            {n for _, b in self.scope.bound if isinstance(b, Name) for n in b.parts},
        )
        if together and len(lists) > 1:
            pairs: list[tuple[str, Expr]] = [(expr.for_each[0].key, Name((names[0],)))]
            pairs += [
                (entry.key, Index(over, Name(("i",)))) for entry, over in zip(expr.for_each[1:], lists[1:], strict=True)
            ]
            body = self.binding(*pairs).expr(expr.template)
            return Value(ForTuple(("i", names[0]), lists[0], body), TUPLE)
        loop = self.binding(*[(entry.key, Name((name,))) for entry, name in zip(expr.for_each, names, strict=True)])
        value = loop.value(expr.template)
        if isinstance(expr.template, ir.ParamRef) and value.type == STRING:
            known = self.unit.known_values(expr.template.name)
            value = Value(value.expr if known else split_in(value.expr, loop.scope.bound), STRING)
        found: Expr = value.expr
        for depth, (name, over) in enumerate(reversed(list(zip(names, lists, strict=True)))):
            if depth:
                found = (
                    Fn("concat", (Tuple(()), ForTuple((name,), over, found)), expand=True)
                    if value.type.kind in LISTS
                    else Fn("flatten", (ForTuple((name,), over, found),))
                )
            else:
                found = ForTuple((name,), over, found)
        return Value(found, Type("tuple", value.type) if not value.null and value.type != ANY else TUPLE)

    def searched_again(self, expr: ir.Repeat) -> None:
        """Reports a value of `repeat` that contains a later placeholder, which Heat replaces in there too."""
        keys = [entry.key for entry in expr.for_each]
        for i, entry in enumerate(expr.for_each):
            for value in (one.value for one in ir.walk(entry.value) if isinstance(one, ir.Lit)):
                found = next((key for key in keys[i + 1 :] if isinstance(value, str) and key in value), None)
                if found is not None:
                    message = f"Heat also replaces {found} inside the values of {entry.key}; Terraform does not."
                    self.differs(codes.PLACEHOLDER_INSIDE_VALUE, message, entry.value)

    def iterated(self, entry: ir.Entry) -> Expr:
        """The collection that a loop iterates over; for a map, its keys."""
        value, over = self.value(entry.value), entry.value
        if value.expr is None:
            return Tuple(())
        if isinstance(value.expr, Object) and isinstance(over, ir.Map):  # keeps the order of the template
            return Tuple(tuple(key for key, _ in value.expr.entries))
        if value.null and (found := ways(value.expr)) != (value.expr,):
            return Fn("try", (*found, Tuple(())))
        kind = value.type.kind
        if kind in OPEN:
            known = paths.evidence(self, over)
            if known and all(isinstance(v, (list, str)) for v in known):
                return value.expr
            kind = "map" if known and all(isinstance(v, dict) for v in known) else kind
            shape = self.unit.shape(over)
            if shape == "list":
                return value.expr
            kind = shape or kind
        if kind == "any":
            message = "This is treated as a list; for a map, Heat iterates over the keys."
            self.say(codes.KEYS_ORDERED_DIFFERENTLY, message, entry.value)
        if kind in MAPS or kind == "json":
            self.differs(
                codes.KEYS_ORDERED_DIFFERENTLY,
                "Terraform iterates over the keys of a map in alphabetical order, Heat in their original order.",
                entry.value,
            )
            keys = Fn("keys", (value.expr,))
            return keys if kind in MAPS else Fn("try", (keys, value.expr))
        return Fn("coalesce", (value.expr, Tuple(()))) if value.null else value.expr

    def call(self, expr: ir.Call, want: Type) -> Value:
        """A call of an intrinsic function: folded if its arguments are known, otherwise lowered by its registered
        function.
        """
        folded = fold(expr, self.template.source)  # Heat evaluates functions before it replaces placeholders
        if not isinstance(folded, ir.Call):
            return self.value(folded, want)
        lower = LOWERS.get(expr.fn)
        if lower is None:
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"{expr.fn} has no equivalent in this form", expr)
        if self.scope.bound and expr.fn not in TEXTS and expr.fn not in TRANSPARENT:
            self.too_early(expr)
        return fit(lower(self, expr, want), want)

    def too_early(self, expr: ir.Call) -> None:
        """Reports a function whose argument contains a placeholder, which Heat replaces only in the result."""
        for one in ir.walk(expr):
            if isinstance(one, ir.Lit) and isinstance(one.value, str) and self.placed(one.value) is not None:
                message = f"Heat evaluates {expr.fn} before it replaces the placeholder in {one.value}."
                self.differs(codes.PLACEHOLDER_INSIDE_VALUE, message, one)
                return

    # texts

    def text(self, expr: ir.Expr) -> list[Part]:
        """The parts of an expression that becomes a text: literal strings and values."""
        if isinstance(expr, ir.Lit):
            if isinstance(expr.value, str):
                self.log.check_text(expr.value, expr)
                if self.scope.bound:
                    return self.placed(expr.value) or [expr.value]
            return [heat_text(expr.value)]
        if isinstance(expr, ir.Call):
            folded = fold(expr, self.template.source)
            if not isinstance(folded, ir.Call):
                return self.text(folded)
            split = TEXTS.get(expr.fn)
            if split is not None and (parts := split(self, expr)) is not None:
                return parts
        value = self.value(expr)
        self.untyped(expr, value.type)
        return [value]

    def untyped(self, expr: ir.Expr, kind: Type) -> None:
        """Reports that a text may differ because Terraform's types differ from Python's; once for each parameter."""
        param = self.template.parameters.get(expr.name) if isinstance(expr, ir.ParamRef) else None
        if param is None:
            if kind == ANY and not isinstance(expr, ir.Lit):
                message = "This has no known type: the text of 1.0 or of a list may differ from Heat's."
                self.differs(codes.UNTYPED_VALUE_AS_TEXT, message, expr)
            return
        if param.type == "json" and kind == STRING and param.name in self.unit.shapes:
            return
        if param.type == "json" and kind.kind in ("any", "string", "number"):
            why = "the text of true, 1.0 or of a list may differ from Heat's."
            message = f"The values in {{}} have no known type: {why}"
        elif param.type == "number" and any(map(spelled, self.unit.known_values(param.name))):
            why = "Terraform prints numbers without exponents and without a trailing .0."
            message = f"The text of {{}} may differ from Heat's: {why}"
        else:
            return
        self.gather(codes.UNTYPED_VALUE_AS_TEXT, message, param.name, expr)
        self.log.note(param.at, codes.UNTYPED_VALUE_AS_TEXT, why)

    def compose(self, parts: list[Part], hint: str = "") -> Value:
        """Builds one text from parts."""
        pieces: list[Expr] = []
        for part in parts:
            shown = part if isinstance(part, str) else self.as_text(part, hint)
            pieces += shown.parts if isinstance(shown, Text) else (shown,)
        merged: list[Expr] = []
        for texts, together in itertools.groupby((p for p in pieces if p != ""), lambda piece: isinstance(piece, str)):
            found = list(together)
            merged += ["".join(map(str, found))] if texts else found
        if not merged:
            return Value("", STRING)
        if len(merged) == 1:
            if isinstance(merged[0], str):
                return Value(merged[0], STRING)
            only = next(p for p in parts if not isinstance(p, str))
            if only.type != NUMBER:
                return Value(merged[0], STRING)
        return Value(Text(tuple(merged)), STRING)

    def as_text(self, value: Value, hint: str = "") -> Expr:
        """A value as Heat would print it inside a text."""
        expr, kind = value.expr, value.type.kind
        if literal(expr):
            return heat_text(expr)
        if isinstance(expr, Text) and not value.null:
            return self.lift(expr, hint)
        if kind == "bool":
            return Fn("title", (expr,))
        if kind in COLLECTIONS:
            return self.lift(self.as_json(value), hint)
        if kind == "any":
            if not (self.scope.fixed or isinstance(expr, (Name, Attr))):
                expr = self.blocks.local(f"{self.scope.owner}_{hint or 'value'}", expr)
            plain = Fn("try", (Fn("tostring", (expr,)), Fn("jsonencode", (expr,))))
            words = self.blocks.local("python_text", PYTHON)
            text = Fn("lookup", (words, Fn("jsonencode", (expr,)), plain))
            return text if self.scope.fixed else self.blocks.local(f"{self.scope.owner}_{hint or 'value'}_text", text)
        if value.null:
            return self.lift(or_empty(expr), hint)
        return self.lift(expr, hint)

    def as_json(self, value: Value) -> Expr:
        """A list or map as Heat prints it inside a text: equivalent JSON, perhaps with other bytes."""
        expr = value.expr
        so = " The digest differs." if self.scope.hashed else ""
        severity = "warning" if self.scope.hashed else ""
        if value.type == STRINGS:
            message = f"In JSON, Heat escapes non-ASCII characters; jsonencode() escapes <, > and & instead.{so}"
            self.differs(codes.JSON_FORMATTED_DIFFERENTLY, message, severity=severity)
            item = Name(("item",))
            return Text(("[", Fn("join", (", ", ForTuple(("item",), expr, Fn("jsonencode", (item,))))), "]"))
        message = f"Heat writes this list or map as JSON with spaces, jsonencode() without.{so}"
        self.differs(codes.JSON_FORMATTED_DIFFERENTLY, message, severity=severity)
        if isinstance(expr, Fn) and expr.name == "try" and expr.args[-1] == "":  # a path that may have no value
            return Fn("try", (*(Fn("jsonencode", (way,)) for way in expr.args[:-1]), ""))
        return Fn("jsonencode", (expr,))

    def lift(self, expr: Expr, hint: str) -> Expr:
        """Moves a long expression inside a text to a local, if the scope allows that. A local is evaluated outside of
        all loops and conditions, so it must not use their variables.
        """
        if self.scope.fixed or not composite(expr):
            return expr
        return self.blocks.local(f"{self.scope.owner}_{hint or 'text'}", expr)

    # parameters and conditions

    def param(self, expr: ir.ParamRef) -> Value:
        value = self.symbols.parameter(expr)
        if expr.path:
            value = paths.parameter(self, expr, value)
        return self.put_in(value, expr) if self.scope.bound else value

    def put_in(self, value: Value, expr: ir.ParamRef) -> Value:
        """Replaces placeholders in a parameter's value, as Heat does, if a known value contains one."""
        known = str(self.unit.known_values(expr.name))
        bound = [(placeholder, found) for placeholder, found in self.scope.bound if placeholder in known]
        if not bound:
            return value
        if value.type == STRING:
            return Value(split_in(value.expr, bound), STRING, value.null)
        if value.type == STRINGS:
            item = Name((self.unbound("item"),))
            return Value(ForTuple(item.parts, value.expr, split_in(item, bound)), STRINGS)
        why = f"the value of {expr.name} contains {bound[0][0]}, which Heat replaces there too"
        raise CannotSay(codes.PLACEHOLDER_INSIDE_VALUE, why, expr)

    def texts(self, value: Value, expr: ir.ParamRef) -> Value:
        """A map known only at run time, as a map of strings. Values that are no scalars become JSON, as Heat's clients
        send them.
        """
        known = paths.known_values(self, expr)
        if known and all(
            isinstance(v, dict) and not any(isinstance(x, (dict, list)) for x in v.values()) for v in known
        ):
            return Value(value.expr, MAP_OF_STRINGS)
        item = Name(("v",))
        text = Fn("try", (Fn("tostring", (item,)), Fn("jsonencode", (item,))))
        return Value(ForObject(("k", "v"), value.expr, Name(("k",)), text), MAP_OF_STRINGS)

    def condition(self, expr: ir.Expr) -> Expr:
        """A condition as a boolean expression."""
        return conditions.lower(self, expr)

    def named_condition(self, ref: ir.ConditionRef) -> Expr:
        """The local for a condition of the template."""
        name, locals_ = ref.name, self.blocks.locals
        label = self.blocks.names.conditions[name]
        if label not in locals_:
            condition = self.template.conditions[name]
            locals_[label] = Argument(label, None, condition.span)  # at once, to come before the locals that it uses
            try:
                value = self.owned(label).condition(condition.value)
            except CannotSay:
                del locals_[label]
                raise
            if self.symbols.sensitive(value):
                self.log.say(
                    codes.HIDDEN_VALUE_REVEALED,
                    f"Condition {name} tests a hidden parameter; its result is shown.",
                    condition,
                    note="tests a hidden parameter; its result is not treated as a secret.",
                )
                value = Fn("nonsensitive", (value,))
            locals_[label].value = value
            self.log.report.conditions[name] = {"local": label}
        return Name(("local", label))

    def mapping(self, name: str) -> Expr:
        """The local for a mapping of the template."""
        label = self.blocks.names.mappings[name]
        if label not in self.blocks.locals:
            mapping = self.template.mappings[name]
            self.blocks.add_local(label, self.expr(mapping), mapping)
        return Name(("local", label))

    def known(self, condition: ir.Expr) -> bool | None:
        """The value of a condition that is constant or implied by the scope; None if it is neither."""
        resolved = self.unit.settled(condition)
        if isinstance(resolved, ir.Lit):
            return bool(resolved.value)
        if self.holds(condition):
            return True
        return False if self.holds(negated(condition)) else None

    def holds(self, condition: ir.Expr) -> bool:
        """Whether the scope assumes a condition."""
        if not self.scope.facts:
            return False
        definition = self.unit.settled(condition)
        return (
            condition in self.scope.facts
            or definition in self.scope.facts
            or any(self.unit.settled(f) == definition for f in self.scope.facts)
        )
