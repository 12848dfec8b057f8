"""Resolves names to IDs with data sources; equal lookups share one.

Invariant: a value that is known only after apply is treated as an ID, because a lookup would have to wait for apply. A
literal is classified by its format and a parameter by its known values. If these leave it open, the output handles both
names and IDs: `local.net_is_id ? var.net : data.openstack_networking_network_v2.net[0].id`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import told
from emitters.hcl.lowering.rewrites import negated, without_null
from emitters.hcl.namespace import snake
from emitters.hcl.plan.preferences import FAITHFUL
from emitters.hcl.tables.mapping import HEX, UUID, looks_like_id
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    ForTuple,
    Index,
    Name,
    Not,
    Op,
    Tuple,
    one_if,
    walk,
)
from emitters.hcl.tree.types import STRING, STRINGS, Value
from emitters.hcl.unit import dotted
from transpile.diagnostics import codes
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.blocks import Blocks
    from emitters.hcl.log import Log
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.lowering.scope import Scope
    from emitters.hcl.namespace import Namespace
    from emitters.hcl.symbols import Symbols
    from emitters.hcl.tables.mapping import Lookup
    from emitters.hcl.unit import Unit

SHARED = {UUID: "uuid_pattern", HEX: "hex_id_pattern"}  # labels of locals for ID formats that several lookups share
IN_DOMAINS = ("user", "group", "role", "project")  # names may end with the domain in braces


@final
class DataSources:
    """The data sources of a directory."""

    def __init__(self, unit: Unit, log: Log, names: Namespace, blocks: Blocks, symbols: Symbols) -> None:
        self.unit, self.log, self.names, self.blocks, self.symbols = unit, log, names, blocks, symbols
        self.counted: dict[tuple[str, str], bool] = {}  # address → whether it has count or for_each
        self.repeated: set[tuple[str, str]] = set()  # those with an instance for each member of a group
        self.made: dict[Any, tuple[str, str]] = {}  # lookup key → address
        self.named: dict[tuple[str, str], str] | None = None  # by type and literal name, made when needed

    def one(
        self, lowering: Lowering, expr: ir.Expr, lookup: Lookup, result: str = "id", hint: str = ""
    ) -> tuple[Value, str]:
        """The ID (or other `result`) of the named thing, and its fate in the report: reference, lookup, value, or
        derived if the search does not use the name unchanged.
        """
        if isinstance(expr, ir.ResourceRef):
            found = lowering.value(expr, STRING)
            if result != "name":
                return found, self.unit.how(expr)
            if isinstance(found.expr, (Attr, Name)):  # Heat takes the ID here, the provider the name
                return Value(with_attribute(found.expr, "name"), STRING), "lookup"
            if lookup.id is None:
                return found, "reference"
            label = snake(expr.name)  # the resource stays with Heat, and its stack outputs only the ID
            address = self.source(lowering, lookup, ("id", found.expr), {lookup.id: found.expr}, label)
            return Value(self.attribute(lowering, address, result), STRING), "lookup"
        if isinstance(expr, ir.AttrRef):
            return lowering.value(expr, STRING), self.unit.how(expr)
        if isinstance(expr, ir.Lit):
            return self.literal(lowering, expr, lookup, result)
        if isinstance(expr, (ir.Map, ir.Seq)):
            why = f"this is neither a name nor an ID of a {lookup.what}; Heat fails when it creates the resource"
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, expr)
        if isinstance(expr, ir.If) and expr.orelse is not None:
            known = lowering.known(expr.condition)
            if known is not None:
                return self.one(lowering, expr.then if known else expr.orelse, lookup, result, hint)
            test = lowering.condition(expr.condition)
            opposite = ir.Call("not", expr.condition)
            then, how = self.one(lowering.assuming(expr.condition), expr.then, lookup, result, hint)
            other, how2 = self.one(lowering.assuming(opposite), expr.orelse, lookup, result, hint)
            return Value(
                Cond(test, then.expr, other.expr), STRING, then.null or other.null
            ), how if how == how2 else "lookup"
        value = lowering.value(expr, STRING)
        if isinstance(expr, ir.ParamRef) and (not expr.path or self.unit.form_at(expr, lookup)):
            return self.parameter(lowering, expr, value, lookup, result)
        if self.unit.unknown(expr):
            return value, "value"
        label = hint or lookup.what.replace(" ", "_")
        form = self.unit.form_in_mapping(expr, lookup)
        if form == ("id" if result == "id" else "name"):
            return value, "value"
        if form == "name":
            arguments = {lookup.name: value.expr}
            address = self.source(lowering, lookup, ("expr", value.expr), arguments, f"{lowering.scope.owner}_{label}")
            return Value(self.attribute(lowering, address, result), STRING), "lookup"
        if lowering.scope.bound:
            return self.expression(lowering, value.expr, lookup, result, f"{lowering.scope.owner}_{label}"), "lookup"
        name = (
            self.blocks.local(f"{lowering.scope.owner}_{label}", value.expr)
            if not lowering.scope.fixed and not isinstance(value.expr, Name)
            else value.expr
        )
        return self.expression(lowering, name, lookup, result, f"{lowering.scope.owner}_{label}"), "lookup"

    def literal(self, lowering: Lowering, expr: ir.Lit, lookup: Lookup, result: str) -> tuple[Value, str]:
        """The ID or name for a literal, which its format tells apart, and its fate."""
        if expr.value in (None, ""):  # a branch of a condition without a name
            return Value(None, STRING, True), "value"
        value = lowering.lit(expr, STRING)
        if not isinstance(value.expr, str):
            return self.expression(
                lowering, value.expr, lookup, result, f"{lowering.scope.owner}_{lookup.what.replace(' ', '_')}"
            ), "lookup"
        text = value.expr
        if result == "id" and looks_like_id(lookup, text):
            return value, "value"
        own = self.own(lookup, text)
        if own is not None and own != lowering.scope.resource:  # a data source would be read before the resource exists
            found = lowering.value(ir.ResourceRef(own, span=expr.span), STRING)
            return (Value(with_attribute(found.expr, "name"), STRING) if result == "name" else found), "lookup"
        if result == "name" and not looks_like_id(lookup, text):
            return value, "value"
        if lookup.key in IN_DOMAINS and (named := re.fullmatch(r"(.+)\{(.*?)\}", text)):
            domain, _ = self.one(lowering, ir.Lit(named[2], span=expr.span), self.unit.tables.lookups["domain"])
            arguments: dict[str, Expr] = {lookup.name: named[1], "domain_id": domain.expr}
            address = self.source(lowering, lookup, text, arguments, named[1])
            return Value(self.attribute(lowering, address, result), STRING), "derived"
        if not lookup.data and result == "id" and self.unit.plan.prefer != FAITHFUL:
            return Value(told.by_name(lowering, lookup.what, text, surely=True), STRING), "lookup"
        by_id = lookup.id is not None and looks_like_id(lookup, text)
        label = f"{lowering.scope.owner}_{lookup.what.replace(' ', '_')}" if by_id else text
        address = self.source(lowering, lookup, text, {lookup.id if by_id and lookup.id else lookup.name: text}, label)
        return Value(self.attribute(lowering, address, result), STRING), "lookup"

    def own(self, lookup: Lookup, text: str) -> str | None:
        """The native resource that a lookup would find by this literal name."""
        return self.named_here(lookup.of, text)

    def named_here(self, kinds: tuple[str, ...], text: str) -> str | None:
        """The native resource with this literal name and one of these types."""
        if self.named is None:
            self.named = {}
            stack = self.unit.stack
            for name, resource in stack.template.resources.items():
                given = resource.properties.get("name") if resource.properties is not None else None
                if (
                    isinstance(given, ir.Lit)
                    and isinstance(given.value, str)
                    and resource.condition is None
                    and not self.unit.plan.embeds(name)
                ):
                    self.named.setdefault((stack.types[name], given.value), name)
        return next((found for kind in kinds if (found := self.named.get((kind, text))) is not None), None)

    def taken_as_name(self, expr: ir.ParamRef, what: str) -> None:
        """Reports that a parameter is treated as a name, although Heat accepts an ID as well."""
        hint = "For IDs, write one as the default or in the environment, and convert again."
        self.log.gather(
            codes.LOOKED_UP_BY_NAME, "Taken as names, not IDs: {}. Heat accepts both.", dotted(expr), what, expr, hint
        )

    def parameter(
        self, lowering: Lowering, expr: ir.ParamRef, value: Value, lookup: Lookup, result: str
    ) -> tuple[Value, str]:
        """The ID or name for a parameter, which its known values tell apart, and its fate."""
        form = self.unit.form_at(expr, lookup)
        if form == "id" and result == "id":
            return value, self.unit.how(expr)
        name = dotted(expr)
        key, label, given = ("param", name), snake(name), self.given(expr, value.expr)
        if form == "name":
            self.taken_as_name(expr, lookup.what)
            if result == "name":
                return value, "value"
            if lookup.data or self.unit.plan.prefer == FAITHFUL:
                address = self.source(lowering, lookup, key, {lookup.name: value.expr}, label, given)
                return Value(self.attribute(lowering, address, result), STRING), "lookup"
        if lookup.id is None and self.unit.unknown(expr):  # `count` must be known before the apply
            raise mixed(lowering, lookup)
        return self.expression(lowering, value.expr, lookup, result, label, key, given), "lookup"

    def given(self, expr: ir.ParamRef, value: Expr) -> Expr | None:
        """A test whether a parameter is set, if "" is among its known values; otherwise None, and it always is."""
        return Op("!=", value, "") if "" in self.unit.known_at(expr) else None

    def expression(
        self,
        lowering: Lowering,
        expr: Expr,
        lookup: Lookup,
        result: str,
        label: str,
        key: Any = None,
        given: Expr | None = None,
    ) -> Value:
        """A lookup for a value that may be a name or an ID."""
        if not lookup.data and result == "id" and self.unit.plan.prefer != FAITHFUL:
            return Value(told.by_name(lowering, lookup.what, expr, surely=False), STRING)
        if lookup.id is not None:
            test = self.test(lowering, expr, lookup, label)
            arguments: dict[str, Expr] = {lookup.name: Cond(test, None, expr), lookup.id: Cond(test, expr, None)}
            address = self.source(lowering, lookup, key or ("expr", expr), arguments, label, given)
            return Value(self.attribute(lowering, address, result), STRING)
        test = self.test(lowering, expr, lookup, label)
        wanted = Not(test) if given is None else Op("&&", Not(test), given)
        address = self.source(lowering, lookup, key or ("expr", expr), {lookup.name: expr}, label, wanted)
        return Value(Cond(test, expr, self.attribute(lowering, address, result)), STRING)

    def is_id(self, expr: Expr, lookup: Lookup) -> Expr:
        """A test whether a value looks like an ID."""
        pattern = self.blocks.local(SHARED.get(lookup.ids, f"{lookup.key}_id_pattern"), lookup.ids)
        return Fn("can", (Fn("regex", (pattern, expr)),))

    def test(self, lowering: Lowering, expr: Expr, lookup: Lookup, label: str) -> Expr:
        """A test whether a value looks like an ID, as a local if possible."""
        test = self.is_id(expr, lookup)
        if any(isinstance(e, Name) and e.parts[0] not in ("var", "local") for e in walk(expr)):
            return test  # it uses a loop variable or a resource that may not exist
        return self.blocks.local(f"{label.removesuffix('_id')}_is_id", test)

    def search(self, lowering: Lowering, lookup: Lookup) -> str:
        """The type of the data source that searches by name. Raises CannotSay if there is none."""
        if not lookup.data:
            why = f"the provider cannot look up a {lookup.what} by name, and this may be a name"
            raise CannotSay(codes.KEPT_IN_HEAT, why, lowering.scope)
        return lookup.data

    def source(
        self,
        lowering: Lowering,
        lookup: Lookup,
        key: Any,
        arguments: dict[str, Expr],
        label: str,
        count: Expr | None = None,
    ) -> tuple[str, str]:
        """The address of the data source for a lookup; creates the source unless an equal one exists.

        key: what makes lookups equal. label: the preferred name. count: a test without which nothing is looked up. An
        equal source without a guard is shared by all; one with a guard only by lookups under the same conditions.
        """
        repeated = (
            repetition(lowering.scope) if any(uses(a, "count") or uses(a, "each") for a in arguments.values()) else None
        )
        facts = () if repeated is not None else tuple(sorted(lowering.scope.facts, key=repr))
        guard = self.guard(lowering) if facts else ()
        if any(self.unit.unknown(fact) for fact in guard):  # `count` must be known before the apply
            why = f"whether to look up the {lookup.what} is known only after apply"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, lowering.scope)
        for known in (((lookup.key, key, ()),) if not repeated else ()) + ((lookup.key, key, guard),):
            if known in self.made:
                return self.made[known]
        address = self.names.data_source(self.search(lowering, lookup), snake(label.rstrip(".")))
        block = Block("data", address)
        if repeated is not None:
            block.body.append(repeated)
        elif count is not None or guard:
            tests = [lowering.test_outside(fact) for fact in facts] + ([count] if count is not None else [])
            block.set("count", one_if(all_of(tests)))
        for name, value in (*arguments.items(), *lookup.more):
            block.set(name, value)
        self.blocks.data.append(block)
        if repeated is None:
            self.made[lookup.key, key, guard] = address
        self.counted[address] = repeated is not None or bool(guard) or count is not None
        if repeated is not None:
            self.repeated.add(address)
        return address

    def guard(self, lowering: Lowering) -> tuple[ir.Expr, ...]:
        """The conditions that the scope assumes, in normal form. They guard a lookup: if they are false, the named
        thing may not exist, and the data source would fail.
        """
        return tuple(sorted(map(self.meaning, lowering.scope.facts), key=repr))

    def meaning(self, condition: ir.Expr) -> ir.Expr:
        """A condition in normal form: names resolved, double negation removed."""
        settled = self.unit.settled(condition)
        opposite = negated(settled)
        if isinstance(opposite, ir.Call) and opposite.fn == "not" and opposite.arg is settled:
            return settled
        inner = self.meaning(opposite)
        return inner.arg if isinstance(inner, ir.Call) and inner.fn == "not" else ir.Call("not", inner)

    def attribute(self, lowering: Lowering, address: tuple[str, str], result: str) -> Expr:
        """A reference to an attribute of a data source, with the index that the scope has if the source has several."""
        name = ("data", *address)
        if not self.counted.get(address):
            return Name((*name, result))
        repeated = repetition(lowering.scope) if address in self.repeated else None
        key: Expr = (
            0 if repeated is None else Name(("count", "index")) if repeated.name == "count" else Name(("each", "key"))
        )
        return Attr(Index(Name(name), key), result)

    # lists

    def many(
        self, lowering: Lowering, expr: ir.Expr, lookup: Lookup, result: str = "id", hint: str = ""
    ) -> tuple[Value, list[str]]:
        """A list of names or IDs, each resolved, and the fates of its items (one for the list if it is not literal)."""
        if isinstance(expr, ir.Seq) and not any(isinstance(i, ir.If) and i.orelse is None for i in expr.items):
            pairs = [self.one(lowering, item, lookup, result, hint) for item in expr.items]
            return Value(Tuple(tuple(value.expr for value, _ in pairs)), STRINGS), [how for _, how in pairs]
        if isinstance(expr, ir.If) and lowering.known(expr.condition) is None:
            test = lowering.condition(expr.condition)
            if expr.orelse is None:  # without the condition, the property is not set
                then, _ = self.many(lowering.assuming(expr.condition), without_null(expr.then), lookup, result, hint)
                return Value(Cond(test, then.expr, None), STRINGS, True), ["lookup"]
            opposite = ir.Call("not", expr.condition)
            then, _ = self.many(lowering.assuming(expr.condition), without_null(expr.then), lookup, result, hint)
            other, _ = self.many(lowering.assuming(opposite), without_null(expr.orelse), lookup, result, hint)
            return Value(Cond(test, then.expr, other.expr), STRINGS), ["lookup"]
        value = lowering.value(expr, STRINGS)
        parameter = isinstance(expr, ir.ParamRef) and not expr.path
        form = self.unit.form(expr.name, lookup) if isinstance(expr, ir.ParamRef) and parameter else ""
        if form == "id" or (form == "name" and result == "name"):
            return value, [self.unit.how(expr)]
        if self.unit.unknown(expr):
            if parameter:  # for_each must be known before the apply
                raise mixed(lowering, lookup)
            return value, [self.unit.how(expr)]
        label = (
            snake(expr.name)
            if isinstance(expr, ir.ParamRef)
            else f"{lowering.scope.owner}_{hint or lookup.what.replace(' ', '_')}"
        )
        item = Name(("item",))
        if not lookup.data and result == "id" and self.unit.plan.prefer != FAITHFUL:
            one = told.by_name(lowering, lookup.what, item, surely=False)
            return Value(ForTuple(("item",), value.expr, one), STRINGS), ["lookup"]
        over: Expr = value.expr
        if isinstance(expr, ir.ParamRef):
            over = self.symbols.shown(expr, over)
        else:
            over = self.shown(lowering, over)
        if result == "id":
            wanted: Expr = (
                Fn("toset", (ForTuple(("item",), over, item, Not(self.is_id(item, lookup))),))
                if form != "name"
                else Fn("toset", (over,))
            )
        else:
            wanted = Fn("toset", (ForTuple(("item",), over, item, self.is_id(item, lookup)),))
        key = (lookup.key, ("each", value.expr), result, self.guard(lowering))
        if key not in self.made:
            address = self.names.data_source(self.search(lowering, lookup), label)
            block = Block("data", address)
            facts = sorted(lowering.scope.facts, key=repr)
            block.set(
                "for_each",
                Cond(
                    all_of([lowering.test_outside(fact) for fact in facts]),
                    wanted,
                    Fn("toset", (Tuple(()),)),
                )
                if facts
                else wanted,
            )
            block.set(lookup.name if result == "id" or lookup.id is None else lookup.id, Name(("each", "value")))
            for name, given in lookup.more:
                block.set(name, given)
            self.blocks.data.append(block)
            self.made[key] = address
        data = Index(Name(("data", *self.made[key])), item)
        found: Expr = Attr(data, result)
        if form != "name":
            found = (
                Cond(self.is_id(item, lookup), item, found)
                if result == "id"
                else Cond(self.is_id(item, lookup), found, item)
            )
        return Value(ForTuple(("item",), value.expr, found), STRINGS), ["lookup"]

    def shown(self, lowering: Lowering, over: Expr) -> Expr:
        """A list in the form that `for_each` takes. Terraform shows the keys of instances and refuses sensitive ones,
        so a sensitive list is marked as nonsensitive, with a diagnostic.
        """
        if not self.symbols.sensitive(over):
            return over
        resource = self.unit.template.resources[lowering.scope.resource]
        self.log.say(
            codes.HIDDEN_VALUE_REVEALED,
            f"Names that {resource.name} looks up come from a hidden parameter, but are shown as keys of for_each.",
            resource.name_span,
            once=("shown", resource.name),
        )
        return Fn("nonsensitive", (over,))

    def of_items(self, lowering: Lowering, over: Expr, field: Expr, item: Name, lookup: Lookup) -> Expr:
        """The ID for a field of an item, in a list that is known only at run time. One data source with `for_each`
        looks up all names in the list. over: the list. field: the field of `item`. item: the variable for an item.
        """
        optional = isinstance(field, Fn)  # an item may lack the field
        one = Name(("item",))
        inner = substitute(field, item, one)
        key = (lookup.key, ("items", over, inner), "id", self.guard(lowering))
        if key not in self.made:
            address = self.names.data_source(
                self.search(lowering, lookup), f"{lowering.scope.owner}_{lookup.what.replace(' ', '_')}"
            )
            block = Block("data", address)
            wanted: Expr = Not(self.is_id(inner, lookup))
            if optional:
                wanted = Op("&&", Op("!=", inner, None), wanted)
            visited = self.shown(lowering, over)
            block.set("for_each", Fn("toset", (ForTuple(("item",), visited, inner, wanted),)))
            block.set(lookup.name, Name(("each", "value")))
            for name, given in lookup.more:
                block.set(name, given)
            self.blocks.data.append(block)
            self.made[key] = address
        as_is = self.is_id(field, lookup)
        if optional:
            as_is = Op("||", Op("==", field, None), as_is)
        return Cond(as_is, field, Attr(Index(Name(("data", *self.made[key])), field), "id"))


def mixed(lowering: Lowering, lookup: Lookup) -> CannotSay:
    """The error for a parameter that gets names in some calls, and in others IDs that are known only after apply."""
    why = f"names of a {lookup.what} are mixed with IDs that are known only after apply"
    return CannotSay(codes.ONLY_AT_RUN_TIME, why, lowering.scope)


def substitute(expr: Expr, old: Name, new: Name) -> Expr:
    """Replaces one name in an expression by another."""
    if expr == old:
        return new
    if isinstance(expr, Attr):
        return Attr(substitute(expr.of, old, new), expr.name)
    if isinstance(expr, Index):
        return Index(substitute(expr.of, old, new), substitute(expr.key, old, new))
    if isinstance(expr, Fn):
        return Fn(expr.name, tuple(substitute(a, old, new) for a in expr.args), expr.expand)
    return expr


def with_attribute(expr: Expr, name: str) -> Expr:
    """The same traversal with another last attribute: `web.id` -> `web.name`."""
    if isinstance(expr, Attr):
        return Attr(expr.of, name)
    return Name((*expr.parts[:-1], name)) if isinstance(expr, Name) else expr


def repetition(scope: Scope) -> Argument | None:
    """`count` or `for_each` of the enclosing repetition, if expressions may use its index."""
    return (scope.loop or scope.repeated) if scope.bound else None


def uses(expr: Expr, word: str) -> bool:
    """Whether an expression uses `count.index` or `each.key`."""
    return any(isinstance(e, Name) and e.parts[0] == word for e in walk(expr))


def all_of(tests: list[Expr]) -> Expr:
    first, *rest = tests or [True]
    for test in rest:
        first = Op("&&", first, test)
    return first
