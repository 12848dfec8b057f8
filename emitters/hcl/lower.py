"""Expressions of the IR → expressions of HCL.

The easy rule to break: lowered is exact, or said. What HCL cannot say raises `CannotSay`, and its owner stays with
Heat; what differs a little is written, with a diagnostic and a note at the spot. Nothing is guessed, and nothing
becomes null. One class, for each kind of expression has all others inside it; single functions are in functions.py.
"""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING, Any, TypeAlias, final

from emitters.hcl.tree import (
    Attr,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Name,
    Not,
    Object,
    Op,
    Text,
    Tuple,
    once_if,
    walk,
)
from emitters.hcl.types import (
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
)
from transpile import ir
from transpile.evaluate import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from emitters.hcl.directory import Directory

Part: TypeAlias = "str | Value"
Lower: TypeAlias = "Callable[[Lowering, ir.Call, Type], Value]"
Parts: TypeAlias = "Callable[[Lowering, ir.Call], list[Part] | None]"
LOWERS: dict[str, Lower] = {}
TEXTS: dict[str, Parts] = {}


def lowers(*names: str) -> Callable[[Lower], Lower]:
    """Registers how intrinsics are lowered: one function, any number of names."""

    def add(function: Lower) -> Lower:
        LOWERS.update(dict.fromkeys(names, function))
        return function

    return add


def text_of(*names: str) -> Callable[[Parts], Parts]:
    """Registers how calls that make texts fall into parts; None where the parts are known only at run time."""

    def add(function: Parts) -> Parts:
        TEXTS.update(dict.fromkeys(names, function))
        return function

    return add


class CannotSay(Exception):
    """HCL has no expression for it.

    `blame`: the resource that must stay with Heat because of it; None: whatever owns the expression.
    """

    def __init__(self, code: str, why: str, at: int = -1, end: int = -1, blame: str | None = None) -> None:
        super().__init__(why)
        self.code, self.why, self.at, self.end, self.blame = code, why, at, end, blame


@final
class Lowering:
    """Lowers the expressions of one directory; `owned` says whose they are."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory
        self.template = directory.stack.template
        self.owner = ""  # the label that lifted locals are named after
        self.facts: frozenset[ir.Expr] = frozenset()  # conditions known to hold here
        self.bound: tuple[
            tuple[str, Expr], ...
        ] = ()  # placeholders and what is put in their place, of loops and groups
        self.in_output = False
        self.nullable = False  # whether a reference to what is not there is null
        self.fixed = False  # whether expressions must stay where they are, and may not become locals
        self.resource = ""  # the resource that owns the expressions, if one does

    @contextlib.contextmanager
    def owned(
        self,
        owner: str,
        *,
        facts: frozenset[ir.Expr] = frozenset(),
        bound: tuple[tuple[str, Expr], ...] = (),
        output: bool = False,
        nullable: bool = False,
        fixed: bool = False,
        resource: str = "",
    ) -> Iterator[None]:
        saved = self.owner, self.facts, self.bound, self.in_output, self.nullable, self.fixed, self.resource
        self.owner, self.facts, self.bound, self.in_output, self.resource = owner, facts, bound, output, resource
        self.nullable = nullable
        self.fixed = fixed or bool(bound) or bool(facts)
        try:
            yield
        finally:
            self.owner, self.facts, self.bound, self.in_output, self.nullable, self.fixed, self.resource = saved

    @contextlib.contextmanager
    def assuming(self, fact: ir.Expr | None) -> Iterator[None]:
        """What is lowered here is looked at only when the condition holds."""
        saved = self.facts
        if fact is not None:
            self.facts = saved | {fact}
        try:
            yield
        finally:
            self.facts = saved

    @contextlib.contextmanager
    def binding(self, *pairs: tuple[str, Expr]) -> Iterator[None]:
        saved, fixed = self.bound, self.fixed
        self.bound, self.fixed = (*pairs, *saved), True
        try:
            yield
        finally:
            self.bound, self.fixed = saved, fixed

    # values

    def value(self, expr: ir.Expr, want: Type = ANY) -> Value:
        """The expression, in the form that `want` asks for."""
        if isinstance(expr, ir.Lit):
            return self.lit(expr, want)
        if isinstance(expr, ir.ParamRef):
            found = self.param(expr)
            return self.texts(found, expr) if want == MAP_OF_STRINGS and found.type.kind in OPEN else fit(found, want)
        if isinstance(expr, ir.ResourceRef):
            return fit(self.directory.handle(expr.name, expr).reference(self, expr), want)
        if isinstance(expr, ir.AttrRef):
            return fit(self.directory.handle(expr.name, expr).attribute(self, expr), want)
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
            return self.directory.file(expr)
        if isinstance(expr, ir.ConditionRef):
            return Value(self.condition(expr), BOOL)
        raise CannotSay("HOT550", "this was not understood", expr.at, expr.end)

    def expr(self, expr: ir.Expr, want: Type = ANY) -> Expr:
        return self.value(expr, want).expr

    def lit(self, expr: ir.Lit, want: Type) -> Value:
        value = expr.value
        if isinstance(value, str):
            self.directory.check_text(value, expr)
            if self.bound and (parts := self.placed(value)) is not None:
                return fit(self.compose(parts), want)
            return fit(Value(value, STRING), want)
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            raise CannotSay("HOT305", f"{value} is no number to Terraform", expr.at, expr.end)
        kind = NULL if value is None else BOOL if isinstance(value, bool) else NUMBER
        return fit(Value(value, kind, value is None), want)

    def placed(self, text: str) -> list[Part] | None:
        """A text with what is bound put in the place of its placeholder; None where there is none."""
        parts: list[Part] = [text]
        for placeholder, expr in self.bound:
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
        inner = want.of or ANY if want.kind in LISTS else ANY
        if any(isinstance(i, ir.If) and i.orelse is None for i in expr.items):
            return self.optional_items(expr, inner)
        return Value(Tuple(tuple([self.expr(i, inner) for i in expr.items])), TUPLE)

    def optional_items(self, expr: ir.Seq, inner: Type) -> Value:
        """A list of which some items disappear: `if` with two arguments."""
        pieces: list[Expr] = []
        run: list[Expr] = []
        for item in expr.items:
            if isinstance(item, ir.If) and item.orelse is None:
                if run:
                    pieces.append(Tuple(tuple(run)))
                    run = []
                test = self.condition(item.condition)
                with self.assuming(item.condition):
                    then = self.expr(item.then, inner)
                pieces.append(
                    ForTuple((self.unbound("present"),), once_if(test), then)
                    if inner.kind != "string" and indexed(then)
                    else ForTuple(("item",), Tuple((then,)), Name(("item",)), test)
                    if inner.kind != "string"
                    else Cond(test, Tuple((then,)), Tuple(()))
                )
            else:
                run.append(self.expr(item, inner))
        if run:
            pieces.append(Tuple(tuple(run)))
        return Value(Fn("concat", tuple(pieces)), TUPLE) if len(pieces) > 1 else Value(pieces[0], TUPLE)

    def map(self, expr: ir.Map, want: Type) -> Value:
        strings = want == MAP_OF_STRINGS
        entries: list[tuple[Expr, Expr]] = []
        optional: list[Expr] = []
        for entry in expr.entries:
            key = self.key(entry.key)
            if isinstance(entry.value, ir.If) and entry.value.orelse is None:
                test = self.condition(entry.value.condition)
                with self.assuming(entry.value.condition):
                    then = self.member(entry.value.then, strings)
                if indexed(then):  # inside the loop, for what may not be there must not be read
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
        """A name for a loop around what may use the loops that there are."""
        while any(isinstance(b, Name) and name in b.parts for _, b in self.bound):
            name += "_"
        return name

    def member(self, expr: ir.Expr, strings: bool) -> Expr:
        """A value of a map; of a map of strings what is none becomes JSON, as Heat's clients send it."""
        if not strings:
            return self.expr(expr)
        if isinstance(expr, (ir.Map, ir.Seq)):
            self.directory.say("HOT572", "A map or list inside a map of texts is sent as JSON.", expr.at, expr.end)
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
        parts = self.placed(text) if self.bound else None
        return text if parts is None else self.compose(parts).expr

    def choice(self, expr: ir.If, want: Type) -> Value:
        """`if` as a value. Terraform makes both branches one type, Heat does not."""
        known = self.known(expr.condition)
        if known is not None:
            branch = expr.then if known else expr.orelse
            return Value(None, NULL, True) if branch is None else self.value(branch, want)
        test = self.condition(expr.condition)
        with self.assuming(expr.condition):
            then = self.value(expr.then, want)
        with self.assuming(negated(expr.condition)):
            other = self.value(expr.orelse, want) if expr.orelse is not None else Value(None, NULL, True)
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
        ):
            return Value(Cond(test, then.expr, other.expr), ANY, null)
        kind = then.type if then.type.kind == other.type.kind else ANY
        if kind == ANY and {then.type.kind, other.type.kind} <= {*COLLECTIONS}:
            kind = JSON  # a list or a map, whichever
        return Value(
            Fn("jsondecode", (Cond(test, Fn("jsonencode", (then.expr,)), Fn("jsonencode", (other.expr,))),)), kind, null
        )

    def repeat(self, expr: ir.Repeat, want: Type) -> Value:
        """`repeat` → `for`.

        Heat replaces text in the resolved template; here loop variables stand where the placeholders stood.
        """
        together = expr.permutations is not None and expr.permutations == ir.Lit(False)
        if expr.permutations is not None and not isinstance(expr.permutations, ir.Lit):
            raise CannotSay("HOT550", "whether repeat permutes is known only at run time", expr.at, expr.end)
        lists = [self.iterated(entry) for entry in expr.for_each]
        names = loop_names(
            [entry.key for entry in expr.for_each], {n for _, b in self.bound if isinstance(b, Name) for n in b.parts}
        )
        if together and len(lists) > 1:
            pairs: list[tuple[str, Expr]] = [(expr.for_each[0].key, Name((names[0],)))]
            pairs += [
                (entry.key, Index(over, Name(("i",)))) for entry, over in zip(expr.for_each[1:], lists[1:], strict=True)
            ]
            with self.binding(*pairs):
                body = self.expr(expr.template)
            return Value(ForTuple(("i", names[0]), lists[0], body), TUPLE)
        with self.binding(*[(entry.key, Name((name,))) for entry, name in zip(expr.for_each, names, strict=True)]):
            value = self.value(expr.template)
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
        return Value(found, TUPLE)

    def iterated(self, entry: ir.Entry) -> Expr:
        """What a loop visits: of a map its keys."""
        value, over = self.value(entry.value), entry.value
        kind = value.type.kind
        if kind == "json":
            known = self.directory.known_values(over.name) if isinstance(over, ir.ParamRef) else []
            if known and all(isinstance(v, (list, str)) for v in known):
                return value.expr
            kind = "map" if known and all(isinstance(v, dict) for v in known) else kind
        if kind in MAPS or kind == "json":
            self.directory.say(
                "HOT576",
                "Terraform visits the keys of a map in alphabetical order, Heat in the order written.",
                entry.value.at,
                entry.value.end,
            )
            keys = Fn("keys", (value.expr,))
            return keys if kind in MAPS else Fn("try", (keys, value.expr))
        return Fn("coalesce", (value.expr, Tuple(()))) if value.null else value.expr

    def call(self, expr: ir.Call, want: Type) -> Value:
        folded = fold(expr) if not self.bound else expr
        if not isinstance(folded, ir.Call):
            return self.value(folded, want)
        lower = LOWERS.get(expr.fn)
        if lower is None:
            raise CannotSay("HOT550", f"{expr.fn} has no counterpart in this form", expr.at, expr.end)
        return fit(lower(self, expr, want), want)

    # texts

    def text(self, expr: ir.Expr) -> list[Part]:
        """The parts of what becomes a text: literal ones, and values to put between them."""
        if isinstance(expr, ir.Lit):
            if isinstance(expr.value, str):
                self.directory.check_text(expr.value, expr)
                if self.bound:
                    return self.placed(expr.value) or [expr.value]
            return [heat_text(expr.value)]
        if isinstance(expr, ir.Call):
            folded = fold(expr) if not self.bound else expr
            if not isinstance(folded, ir.Call):
                return self.text(folded)
            split = TEXTS.get(expr.fn)
            if split is not None and (parts := split(self, expr)) is not None:
                return parts
        return [self.value(expr)]

    def compose(self, parts: list[Part], hint: str = "") -> Value:
        """One text of its parts."""
        merged: list[Expr] = []
        for part in parts:
            piece = part if isinstance(part, str) else self.as_text(part, hint)
            if isinstance(piece, str) and merged and isinstance(merged[-1], str):
                merged[-1] += piece
            elif piece != "":
                merged.append(piece)
        if not merged:
            return Value("", STRING)
        if len(merged) == 1:
            if isinstance(merged[0], str):
                return Value(merged[0], STRING)
            only = next(p for p in parts if not isinstance(p, str))
            if only.type == STRING and not only.null:
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
            self.directory.info("HOT572", "Heat writes this list or map as JSON with blanks, jsonencode() without.")
            if value.type == STRINGS:
                return Text(
                    ("[", Fn("join", (", ", ForTuple(("item",), expr, Fn("jsonencode", (Name(("item",)),))))), "]")
                )
            return Fn("jsonencode", (expr,))
        if value.null:
            return self.lift(or_empty(expr), hint)
        return self.lift(expr, hint)

    def lift(self, expr: Expr, hint: str) -> Expr:
        """A long expression inside a text gets a name of its own, where it can have one."""
        if self.fixed or not composite(expr):
            return expr
        return self.directory.local(f"{self.owner}_{hint or 'text'}", expr)

    # parameters and conditions

    def param(self, expr: ir.ParamRef) -> Value:
        value = self.directory.parameter(expr)
        if not expr.path:
            return value
        if value.type.kind in ("number", "bool"):
            return Value("", STRING)  # a path that leads nowhere
        if value.type.kind == "string":
            return self.character(value.expr, expr)
        for one in expr.path:
            if isinstance(one, ir.Lit) and isinstance(one.value, str) and self.placed(one.value) is not None:
                self.directory.say(
                    "HOT577",
                    f"Heat looks up {one.value} in {expr.name} as it stands, before it is replaced, and finds nothing.",
                    one.at,
                    one.end,
                )
                return Value("", STRING)
        found = Fn("try", (self.step(value.expr, expr.path), ""))
        if value.type == STRINGS and len(expr.path) == 1:
            return Value(found, STRING)
        return Value(found, self.reached(expr))

    def reached(self, expr: ir.ParamRef) -> Type:
        """What a path leads to in all values that are known of a parameter."""
        found: list[Any] = self.directory.known_values(expr.name)
        for one in expr.path:
            if not isinstance(one, ir.Lit):
                return ANY
            try:
                found = [v[int(str(one.value))] if isinstance(v, list) else v[one.value] for v in found]
            except (LookupError, TypeError, ValueError):
                return ANY
        return JSON if found and all(isinstance(v, (list, dict)) for v in found) else ANY

    def texts(self, value: Value, expr: ir.ParamRef) -> Value:
        """A map that only the run knows, as one of texts: what is none becomes JSON, as Heat's clients send it."""
        known = self.directory.known_values(expr.name) if not expr.path else []
        if known and all(
            isinstance(v, dict) and not any(isinstance(x, (dict, list)) for x in v.values()) for v in known
        ):
            return Value(value.expr, MAP_OF_STRINGS)
        item = Name(("v",))
        text = Fn("try", (Fn("tostring", (item,)), Fn("jsonencode", (item,))))
        return Value(ForObject(("k", "v"), value.expr, Name(("k",)), text), MAP_OF_STRINGS)

    def character(self, text: Expr, expr: ir.ParamRef) -> Value:
        """A path into a text: Heat indexes it, and gives "" for what is not there."""
        first = expr.path[0]
        try:
            index = (
                int(str(first.value))
                if len(expr.path) == 1 and isinstance(first, ir.Lit) and not isinstance(first.value, bool)
                else None
            )
        except ValueError:
            return Value("", STRING)
        if index is None:
            raise CannotSay(
                "HOT550", f"{expr.name} is a text, and the path into it is known only at run time", expr.at, expr.end
            )
        return Value(Fn("substr", (text, index, 1)), STRING)

    def step(self, base: Expr, path: tuple[ir.Expr, ...]) -> Expr:
        """Selects inside a value, step by step."""
        for one in path:
            if isinstance(one, ir.Lit) and not (isinstance(one.value, str) and self.placed(one.value) is not None):
                base = selected(base, one.value)
            else:
                base = Index(base, self.expr(one))
        return base

    def condition(self, expr: ir.Expr) -> Expr:
        """A condition as an expression that is true or false."""
        from emitters.hcl import conditions  # it lowers values in its turn

        return conditions.lower(self, expr)

    def known(self, condition: ir.Expr) -> bool | None:
        """Whether a condition is settled here: written out, or assumed."""
        resolved = self.directory.settled(condition)
        if isinstance(resolved, ir.Lit):
            return bool(resolved.value)
        if self.holds(condition):
            return True
        return False if self.holds(negated(condition)) else None

    def holds(self, condition: ir.Expr) -> bool:
        """Whether a condition is among what is assumed here."""
        if not self.facts:
            return False
        definition = self.directory.settled(condition)
        return (
            condition in self.facts
            or definition in self.facts
            or any(self.directory.settled(f) == definition for f in self.facts)
        )


def negated(condition: ir.Expr) -> ir.Expr:
    """The opposite of a condition; of an opposite the condition itself."""
    if isinstance(condition, ir.Call) and condition.fn == "not":
        return condition.arg
    if isinstance(condition, ir.Call) and condition.fn == "Fn::Not" and isinstance(condition.arg, ir.Seq):
        return condition.arg.items[0]
    return ir.Call("not", condition)


def selected(base: Expr, key: ir.Scalar) -> Expr:
    """One literal step of a path."""
    if isinstance(key, int) and not isinstance(key, bool) and key < 0:
        return Index(base, Op("-", Fn("length", (base,)), -key))
    if isinstance(key, str):
        if key.isdigit() and key.isascii():
            return Index(base, int(key))
        return Attr(base, key) if key.isidentifier() and key.isascii() else Index(base, key)
    return Index(base, key)


def same_shape(one: Expr, two: Expr) -> bool:
    """Whether Terraform finds one type for two literal structures without changing either."""
    if isinstance(one, Tuple) and isinstance(two, Tuple):
        items = (*one.items, *two.items)
        if all(isinstance(i, (str, Text)) for i in items):
            return True
        if len(items) > 1 or (one.items and two.items):
            return all(isinstance(i, Object) and same_shape(items[0], i) for i in items)
        return True  # one item, or none at all
    if isinstance(one, Object) and isinstance(two, Object):
        return [k for k, _ in one.entries] == [k for k, _ in two.entries] and all(
            (isinstance(a, (str, Text)) and isinstance(b, (str, Text)))
            or (isinstance(a, int) and isinstance(b, int) and isinstance(a, bool) == isinstance(b, bool))
            or same_shape(a, b)
            for (_, a), (_, b) in zip(one.entries, two.entries, strict=True)
        )
    return False


def indexed(expr: Expr) -> bool:
    """Whether an expression takes one of several, which may not be there."""
    return any(isinstance(e, Index) for e in walk(expr))


def without_null(expr: ir.Expr) -> ir.Expr:
    """A list in which a branch that is null is the empty list, which is the same to Heat."""
    if isinstance(expr, ir.If) and expr.orelse is not None:
        return dataclasses.replace(expr, then=without_null(expr.then), orelse=without_null(expr.orelse))
    return ir.Seq((), expr.at, expr.end) if isinstance(expr, ir.Lit) and expr.value is None else expr


def or_empty(expr: Expr) -> Expr:
    """A text, "" where it would be null."""
    if isinstance(expr, Fn) and expr.name == "lookup" and expr.args[-1] is None:  # null only where it is not there
        return Fn("lookup", (*expr.args[:-1], ""))
    if isinstance(expr, Cond):
        return Cond(expr.test, or_empty(expr.yes), or_empty(expr.no))
    if expr is None or isinstance(expr, (str, Text)):
        return expr or ""
    return Cond(Op("==", expr, None), "", expr)


def loop_names(placeholders: list[str], taken: set[str]) -> list[str]:
    """Names for loop variables: the placeholders without their punctuation."""
    out: list[str] = []
    for placeholder in placeholders:
        name = "".join(c if c.isalnum() and c.isascii() else "_" for c in placeholder).strip("_").lower() or "item"
        name = f"_{name}" if name[0].isdigit() else name
        while (
            name in out
            or name in taken
            or name in ("for", "in", "if", "i", "each", "count", "var", "local", "data", "module", "path")
        ):
            name += "_"
        out.append(name)
    return out


def is_not(expr: Expr) -> Expr:
    """The opposite of an expression, as one would write it."""
    if isinstance(expr, Not):
        return expr.of
    if isinstance(expr, bool):
        return not expr
    if isinstance(expr, Op) and expr.sign in ("==", "!="):
        return Op("!=" if expr.sign == "==" else "==", expr.left, expr.right)
    return Not(expr)
