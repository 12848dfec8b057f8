"""Writes the blocks of one native resource from its mapping table.

Invariant: every property that the template sets gets a fate in the report. Properties are written in the order of the
table and reported under the template's names. Conversions that tables cannot describe are in hooks/.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.paths import selected
from emitters.hcl.lowering.rewrites import is_not, without_null
from emitters.hcl.resources import joined, stored_forms
from emitters.hcl.resources.argument_types import misfits
from emitters.hcl.resources.keys import keys_of
from emitters.hcl.resources.registry import Registry
from emitters.hcl.resources.validation import refused
from emitters.hcl.tables.mapping import parts
from emitters.hcl.tables.provider import refuses
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
    Object,
    Op,
    Text,
    Tuple,
    data_of,
    once_if,
)
from emitters.hcl.tree.types import BOOL, LISTS, MAP_OF_STRINGS, MAPS, NUMBER, STRING, Type, Value, fit, literal
from transpile.model import ir
from transpile.model.span import NOWHERE, Located, Span
from transpile.report import NO_VALUE, Fate, fate
from transpile.schema import literals
from transpile.schema.shapes import misshapen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.tables.mapping import Kind, Rule
    from transpile.report import ResourceReport
    from transpile.schema import catalog


PROPERTIES: Registry[Callable[[Writer, Rule, ir.Entry], None]] = Registry()
FINISH: Registry[Callable[[Writer], None]] = Registry()


class Given(dict[str, "ir.Entry"]):
    """The properties that a template sets. To read one that is missing, although it is required, keeps the resource
    with Heat, which fails when it validates the template.
    """

    def __init__(self, resource: ir.Resource) -> None:
        super().__init__()
        self.resource = resource

    def __missing__(self, name: str) -> ir.Entry:
        raise missing(self.resource, name)


def missing(resource: ir.Resource, name: str) -> CannotSay:
    """Why a resource cannot be native that lacks a property."""
    why = f"{name} of {resource.name} is required, and Heat rejects the template without it"
    return CannotSay("HOT306", why, resource.name_span, resource.name)


@final
class Writer:
    """Writes one resource. `prefix`: prepended to its property paths in the report, for members of groups."""

    def __init__(
        self,
        emission: Emission,
        resource: ir.Resource,
        kind: Kind,
        address: tuple[str, str],
        properties: ir.Map | None,
        lowering: Lowering,
        prefix: str = "",
    ) -> None:
        self.emission, self.resource, self.kind, self.address = emission, resource, kind, address
        self.lowering = lowering
        self.report: ResourceReport = emission.log.resource_report(resource)
        self.prefix = prefix
        self.muted = False  # fates are recorded for the whole, not for its parts
        self.block = Block("resource", address, span=resource.span)
        self.blocks: list[Block] = [self.block]  # the main block and auxiliary ones, in output order
        self.to = ".".join(address)
        self.lookups, self.providers = emission.unit.tables.lookups, emission.unit.tables.providers
        self.facts = emission.unit.stack.catalog.find(kind.name) or {}
        self.given = self.entries(properties)
        self.lifecycle: list[tuple[str, Expr, str]] = []  # argument, value, comment
        self.extra: dict[str, list[tuple[Expr, Expr]]] = {}  # entries collected from several properties, by argument
        self.depends: list[str] = []  # resources to depend on although nothing refers to them
        self.member: Expr | None = None  # what a member of a group or chain is called in its stack
        self.configuration: tuple[str, str] | None = None  # the provider's name and the alias, if one was chosen
        self.metadata = resource.metadata  # Heat's, not that of the provider; a member of a group has its own
        self.carried = ""  # how the metadata reaches the server, if it does

    def entries(self, properties: ir.Map | None) -> Given:
        """The properties that are set, by canonical name: Heat translates deprecated names."""
        out = Given(self.resource)
        schema = self.facts.get("properties", {})
        for entry in properties.entries if properties is not None else ():
            name = schema.get(entry.key, {}).get("alias", entry.key)
            if name in out and entry.value == ir.Lit(None):
                continue
            if name in out and out[name].value != ir.Lit(None):
                self.fate(entry.key, fate("implied", why=f"{out[name].key} means the same, and Heat uses that one"))
                continue
            out[name] = entry
        return out

    # fates

    def fate(self, path: str, one: Fate) -> None:
        if not self.muted:
            self.report.properties[self.prefix + path] = one

    def default(self, path: str) -> None:
        """Records that a property is null or empty, so that the default applies."""
        self.fate(path, fate("implied", why=NO_VALUE))

    def is_value(self, path: str, argument: str, how: str = "value", to: str = "", why: str = "") -> None:
        if how == "derived" and not why:
            why = "looked up by name and domain"
        self.fate(path, fate(how, to or self.to, argument, why))

    def drop(self, entry: ir.Entry, code: str, why: str, path: str = "") -> None:
        """Drops a property (or, with `path`, one of its fields), with a diagnostic."""
        message = f"{entry.key} of {self.resource.name} is dropped: {why}."
        self.emission.log.say(code, message, entry, note=f"{entry.key} is dropped: {why}.")
        self.fate(f"{path}.{entry.key}" if path else entry.key, fate("dropped", code=code, why=why))

    # writing

    def write(self) -> None:
        """Writes all properties in the order of the table, then calls the type's `finish` hook."""
        if self.lowering.scope.repeated is not None:
            self.block.body.append(self.lowering.scope.repeated)
        rules = self.kind.properties or {}
        if self.kind.provider:
            FINISH["chosen_provider"](self)
        for argument in self.kind.named:
            self.block.set(argument, self.made_up_name())
        for name, rule in rules.items():
            entry = self.given.get(name)
            if rule.text is not None:
                schema = self.facts.get("properties", {})
                self.joined(self.block, name, rule, rules, self.given, schema, "", rule.to)
                continue
            if entry is None:
                if rule.generated or rule.write is not None:
                    self.absent(rule)
                continue
            if entry.value == ir.Lit(None) and self.left_open(name, rule, entry):
                continue
            self.lowering = self.lowering.placed_at(entry)
            self.check(entry)
            before = len(self.block.body)
            self.property(entry.key, rule, entry)
            for item in self.block.body[before : before + 1]:  # a comment above the property goes above its block
                if isinstance(item, Block) and item.at > entry.at:
                    item.span = Span(entry.at, item.end)
        also = {*self.kind.parts, self.kind.provider}
        for name, entry in self.given.items():
            if name not in rules and name not in also:
                raise CannotSay(
                    "HOT301", f"{self.kind.name} has no known property {name}", entry.key_span, self.resource.name
                )
        place = next((i for i, item in enumerate(self.block.body) if isinstance(item, Block)), len(self.block.body))
        constants = (self.kind.constants or {}).items()
        self.block.body[place:place] = [Argument(argument, data_of(value)) for argument, value in constants]
        if self.kind.finish:
            FINISH[self.kind.finish](self)
        if self.kind.differs:
            resource = self.resource
            self.emission.log.say(
                "HOT421",
                f"{resource.name}: {self.kind.differs}.",
                resource.name_span,
                note=f"{self.kind.differs}.",
                once=resource.name,
            )
        for block in self.blocks:
            self.complete(block)

    def written(self, name: str, argument: str) -> Expr:
        """The value of an argument that is already written. `name`: the property that it comes from."""
        found = next((a for a in self.block.body if isinstance(a, Argument) and a.name == argument), None)
        if found is None:
            raise missing(self.resource, name)
        return found.value

    def check(self, entry: ir.Entry) -> None:
        """Raises CannotSay if a value is surely invalid for the property: Heat fails when it creates the resource."""
        schema = self.facts.get("properties", {}).get(entry.key)
        bound = tuple(word for word, _ in self.lowering.scope.bound)
        if schema is None:
            return
        wrong: Any = literals.misfit(schema, entry.value, bound)
        wrong = wrong or misshapen(schema, entry.value, self.emission.unit.template.parameters)
        if wrong is not None:
            why = f"this is not a valid value of {entry.key}; Heat fails when it creates the resource"
            raise CannotSay("HOT306", why, wrong, self.resource.name)

    def complete(self, block: Block) -> None:
        """Raises CannotSay if the provider would reject the block as a whole, or a value in it for its type."""
        resource = self.resource
        for argument, why in misfits(self.emission, block):
            span = argument.span if argument.at >= 0 else resource.name_span
            raise CannotSay("HOT403", f"the provider rejects {resource.name}: {why}", span, resource.name)
        if why := refused(self.providers, block):
            raise CannotSay(
                "HOT403",
                f"the provider rejects {self.resource.name}: {why}",
                self.resource.name_span,
                self.resource.name,
            )

    def absent(self, rule: Rule) -> None:
        """Writes an argument that is needed although the template does not set the property."""
        if rule.generated:
            self.block.set(rule.to, self.made_up_name())
        elif rule.to:
            self.block.set(rule.to, self.constant(rule.write))

    def made_up_name(self) -> Expr:
        """`<stack>-<resource>`, in place of the name that Heat would make up; with the index of a group's member."""
        if self.emission.unit.live is None:
            self.emission.log.made_up[self.resource.name] = self.resource
        return self.emission.symbols.generated_name(self.resource.name, self.member)

    def named_in_stack(self, suffix: str) -> Expr:
        """What Heat calls the resource in its stack, with a suffix. Members of groups are called by their indexes."""
        return f"{self.resource.name}{suffix}" if self.member is None else Text((self.member, suffix))

    def without_name(self, rule: Rule) -> Expr:
        """What Heat sends in place of null: an empty name, which some types take for none."""
        return self.made_up_name() if rule.empty else ""

    def or_without(self, value: Value, rule: Rule, expr: ir.Expr) -> Expr:
        """A name that may be null or empty at run time, with what Heat sends in its place."""
        found = value.expr
        if not (value.null or (rule.empty and self.may_be_empty(expr))):
            return found
        if isinstance(found, Cond) and not rule.empty and None in (found.yes, found.no):
            yes, no = (self.without_name(rule) if branch is None else branch for branch in (found.yes, found.no))
            return Cond(found.test, yes, no)
        if not rule.empty:  # the service takes null for an empty name, too
            facts = self.providers.argument(self.kind.resource, rule.to) or {}
            return Cond(Op("==", found, None), "", found) if facts.get("required") else found
        return Fn("coalesce", (found, self.made_up_name()))

    def left_open(self, name: str, rule: Rule, entry: ir.Entry) -> bool:
        """Adds an input variable for a property that is null, if Heat and the provider require it. Returns whether it
        did. Heat rejects only a missing property; null is a blank for the user to fill in.
        """
        required = self.facts.get("properties", {}).get(name, {}).get("required")
        argument = (
            self.providers.argument(self.kind.resource, rule.to) if required and rule.to and not rule.hook else None
        )
        if not (argument or {}).get("required") or rule.type not in (STRING, NUMBER, BOOL):
            return False
        variable = self.emission.symbols.left_open(self.resource, name, rule)
        self.block.set(rule.to, variable, entry)
        message = f"{name} of {self.resource.name} is required, but null; the variable {variable.parts[1]} must set it."
        note = f"{name} is required, but null in the template."
        self.emission.log.say("HOT412", message, entry, note=note)
        self.is_value(entry.key, rule.to, "derived", why="it is null in the template, so a variable must set it")
        return True

    def constant(self, value: Any) -> Expr:
        return data_of(value)

    def dropped(self, rule: Rule, entry: ir.Entry, path: str = "") -> None:
        """Drops a property or field without an equivalent. Null and the value in `unless` lose nothing."""
        if entry.value == ir.Lit(None) or (rule.unless is not None and entry.value == ir.Lit(rule.unless)):
            where = f"{path}.{entry.key}" if path else entry.key
            self.fate(where, fate("implied", why="without this value nothing changes"))
        else:
            self.drop(entry, rule.code, rule.drop, path)

    def embedding(self, rule: Rule, entry: ir.Entry, path: str = "") -> None:
        """Keeps a resource in Heat for a property or field that only Heat supports, unless its value is empty."""
        nothing = (ir.Lit(None), ir.Lit(""), ir.Seq(()), ir.Map(())) if rule.empty else (ir.Lit(None),)
        if entry.value not in nothing:
            raise CannotSay("HOT450", rule.embed, entry, self.resource.name)
        where = f"{path}.{entry.key}" if path else entry.key
        self.fate(where, fate("implied", why="the value is empty"))

    def property(self, path: str, rule: Rule, entry: ir.Entry) -> None:
        if rule.drop:
            self.dropped(rule, entry)
        elif rule.embed:
            self.embedding(rule, entry)
        elif rule.implied:
            self.fate(path, fate("implied", why=rule.implied))
        elif rule.hook:
            PROPERTIES[rule.hook](self, rule, entry)
        elif rule.block:
            self.nested(self.block, path, rule, entry.value, rule.block)
        elif rule.each:
            PROPERTIES["each_item"](self, rule, entry)
        else:
            self.argument(self.block, path, rule, entry, rule.to)

    def argument(self, block: Block, path: str, rule: Rule, entry: ir.Entry, where: str) -> None:
        """Writes one argument of a block. `where`: its path in the resource, for the report."""
        expr = entry.value
        if expr == ir.Lit(None) or (rule.empty and expr in (ir.Lit(""), ir.Seq(()))):
            if rule.generated:
                block.set(rule.to, self.without_name(rule), entry)
            elif rule.write is not None:
                block.set(rule.to.rpartition(".")[2], self.constant(rule.write), entry)
            if rule.generated:
                self.is_value(path, where, "derived", why="what Heat sends in place of no name")
            else:
                self.default(path)
            return
        value, how = self.value(rule, expr, path, where)
        block.set(rule.to.rpartition(".")[2], value, entry)
        if how:
            self.is_value(path, where, how)

    def joined(
        self,
        block: Block,
        name: str,
        rule: Rule,
        rules: Mapping[str, Rule],
        given: Mapping[str, ir.Entry],
        schema: Mapping[str, catalog.Property],
        prefix: str,
        where: str,
    ) -> None:
        """Writes an argument that is a text made of several properties, or fields. name: the one that has the rule."""
        assert rule.text is not None
        mine = [given[one] for one in rule.text.names if one in given and (one == name or one not in rules)]
        if joined.lacking(rule.text, given, schema) and not joined.any_given(rule.text, given):
            for entry in mine:
                self.default(prefix + entry.key)
            return
        found = joined.text(self.lowering, rule.text, given, schema, self.resource, rule.to)
        place = given.get(name) or next(iter(mine), None)
        span = place.span if place is not None else NOWHERE
        block.set(rule.to.rpartition(".")[2], fit(found, rule.type).expr, span)
        for entry in mine:
            self.check(entry)
            self.is_value(prefix + entry.key, where, "derived", why="a part of the text")

    def value(self, rule: Rule, expr: ir.Expr, path: str, where: str) -> tuple[Expr, str]:
        """The value of an argument and its fate; "" if the fates of its parts are already recorded."""
        if rule.lookup is not None:
            found, how = self.emission.data.one(
                self.lowering, expr, rule.lookup, rule.result, rule.lookup.what.replace(" ", "_")
            )
            shown = self.optional(expr, found, rule).expr if rule.empty else found.expr
            return shown, how
        if rule.values and isinstance(expr, ir.Lit) and str(expr.value).lower() in rule.values:
            self.is_value(path, where, "derived", why=f"the provider's name for {expr.value}")
            return rule.values[str(expr.value).lower()], ""
        kind = rule.type
        if rule.unsent is not None:
            self.sent(rule.to, expr, rule.unsent, kind)
        if isinstance(expr, ir.Seq) and kind.kind in LISTS:
            return self.items(rule, expr, kind, path, where)
        if isinstance(expr, ir.Map) and kind.kind == "map":
            return self.entries_of(rule, expr, path, where)
        found = fit(self.lowering.value(expr, kind), kind)
        self.accepted(rule, found, expr)
        if rule.stored:
            value = stored_forms.stored(rule.stored, self.lowering, expr, found.expr)
            if value != found.expr:
                self.is_value(path, where, "derived", why=stored_forms.WORDS[rule.stored])
                return value, ""
        if rule.generated and (named := self.or_without(found, rule, expr)) != found.expr:
            self.is_value(path, where, "derived", why="with what Heat sends in place of no name")
            return named, ""
        return found.expr, "reference" if isinstance(expr, (ir.ResourceRef, ir.AttrRef)) else "value"

    def accepted(self, rule: Rule, value: Value, expr: ir.Expr) -> None:
        """Raises CannotSay if the provider's own validation would reject a literal."""
        if literal(value.expr) and value.expr is not None:
            facts = self.providers.argument(self.address[0], rule.to)
            if facts is not None and (why := refuses(facts, value.expr)):
                raise CannotSay("HOT403", f"the provider rejects {value.expr!r} for {rule.to}: {why}", expr)

    def sent(self, argument: str, expr: ir.Expr, unsent: Any, kind: Type) -> None:
        """Raises CannotSay if a known value is one that the provider does not send."""
        if self.may_be(expr, unsent, kind):
            shown = str(unsent).lower() if isinstance(unsent, bool) else unsent
            why = f"the provider never sends {argument} = {shown}, so it would have no effect"
            raise CannotSay("HOT403", why, expr, self.resource.name)
        if unsent is False and not isinstance(expr, ir.Lit):
            self.later(expr, argument)

    def later(self, expr: ir.Expr, argument: str) -> None:
        """Reports that the provider does not send false on creation."""
        message = f"The provider does not send {argument} = false when it creates the resource; a second apply does."
        self.emission.log.differs("HOT421", message, expr)

    def may_be(self, expr: ir.Expr, wanted: Any, kind: Type) -> bool:
        """Whether an expression is `wanted`, or a parameter with this among its known values."""
        if isinstance(expr, ir.Lit):
            return expr.value is not None and self.lowering.lit(expr, kind).expr == wanted
        if isinstance(expr, ir.If):
            known = self.lowering.known(expr.condition)
            branches = (expr.then, expr.orelse) if known is None else (expr.then if known else expr.orelse,)
            return any(self.may_be(one, wanted, kind) for one in branches if one is not None)
        if isinstance(expr, ir.ParamRef) and not expr.path:
            values = [v for v in self.emission.unit.known_values(expr.name) if isinstance(v, (str, int, float))]
            return any(fit(Value(v, STRING if isinstance(v, str) else NUMBER), kind).expr == wanted for v in values)
        return False

    def items(self, rule: Rule, expr: ir.Seq, kind: Type, path: str, where: str) -> tuple[Expr, str]:
        """A literal list, with a fate for each item."""
        if any(isinstance(item, ir.If) and item.orelse is None for item in expr.items):
            return self.lowering.value(expr, kind).expr, "value"
        if rule.stored == "networks":
            return self.networks(expr, path, where)
        out = []
        for i, item in enumerate(expr.items):
            value = self.lowering.value(item, kind.of or STRING)
            if (value.type.kind in MAPS or value.type.kind in LISTS) and (kind.of or STRING).kind != "any":
                value = Value(Fn("jsonencode", (value.expr,)), STRING)
            shown = stored_forms.stored(rule.stored, self.lowering, item, value.expr) if rule.stored else value.expr
            out.append(shown)
            how, why = "reference" if isinstance(item, (ir.ResourceRef, ir.AttrRef)) else "value", ""
            if shown != value.expr:
                how, why = "derived", stored_forms.WORDS[rule.stored]
            self.is_value(f"{path}.{i}", f"{where}.{i}", how, why=why)
        return Tuple(tuple(out)), "" if expr.items else "value"

    def networks(self, expr: ir.Seq, path: str, where: str) -> tuple[Expr, str]:
        """A literal list of networks, which Neutron sorts and merges."""
        given = [self.lowering.expr(item, STRING) for item in expr.items]
        texts = [text for text in given if isinstance(text, str)]
        found = stored_forms.networks(texts) if len(texts) == len(given) else texts
        if found == texts:
            return Tuple(tuple(given)), "value"
        self.is_value(path, where, "derived", why=stored_forms.WORDS["networks"])
        return Tuple(tuple(found)), ""

    def entries_of(self, rule: Rule, expr: ir.Map, path: str, where: str) -> tuple[Expr, str]:
        """A literal map of strings, with a fate for each entry."""
        if any(isinstance(entry.value, ir.If) and entry.value.orelse is None for entry in expr.entries):
            return self.lowering.value(expr, MAP_OF_STRINGS).expr, "value"
        out: list[tuple[Expr, Expr]] = []
        for entry in expr.entries:
            if entry.value == ir.Lit(None):
                empty, what = ("null", "as JSON") if rule.json else ("", "as an empty string")
                out.append((self.lowering.key(entry.key), empty))
                self.is_value(f"{path}.{entry.key}", f"{where}.{entry.key}", "derived", why=f"null is sent {what}")
                continue
            out.append((self.lowering.key(entry.key), self.lowering.member(entry.value, True)))
            self.is_value(
                f"{path}.{entry.key}",
                f"{where}.{entry.key}",
                "reference" if isinstance(entry.value, (ir.ResourceRef, ir.AttrRef)) else "value",
            )
        return Object(tuple(out)), "" if expr.entries else "value"

    def optional(self, expr: ir.Expr, value: Value, rule: Rule) -> Value:
        """Null in place of a lookup if a parameter may be "", which means "not set". Arguments without a lookup take ""
        as absent, or reject it as Heat does.
        """
        if literal(value.expr) or rule.lookup is None or not self.may_be_empty(expr):
            return value
        plain = self.lowering.value(expr)
        if plain.type.kind in ("string", "any"):
            return Value(
                Cond(Op("==", plain.expr, ""), None, fit(Value(value.expr, value.type), rule.type).expr),
                value.type,
                True,
            )
        return value

    def may_be_empty(self, expr: ir.Expr) -> bool:
        if isinstance(expr, ir.ParamRef):
            param = self.emission.unit.template.parameters.get(expr.name)
            if param is None:
                return False
            if not expr.path:
                return param.type in ("string", "json", "comma_delimited_list") and any(
                    v in ("", []) for v in self.given_values(param)
                )
            return True  # a path without a value gives ""
        return isinstance(expr, ir.If) and any(
            e == ir.Lit("") or self.may_be_empty(e) for e in (expr.then, expr.orelse) if e is not None
        )

    def given_values(self, param: ir.Param) -> list[Any]:
        found: list[Any] = (
            [self.emission.unit.stack.given[param.name].value] if param.name in self.emission.unit.stack.given else []
        )
        if param.default is not None and ir.literal(param.default):
            found.append(ir.data(param.default))
        return found

    # nested blocks

    def nested(
        self, block: Block, path: str, rule: Rule, expr: ir.Expr, name: str, where: str = "", guard: Expr | None = None
    ) -> int:
        """Writes nested blocks for a map or a list of maps, `dynamic` ones for values known only at run time. Returns
        how many it wrote.
        """
        where = where or name
        if isinstance(expr, ir.Seq):
            count = 0
            for i, item in enumerate(expr.items):
                if item == ir.Lit(None):
                    continue
                count += self.nested_one(block, f"{path}.{i}", rule, item, name, f"{where}.{count}", guard)
            if not expr.items:
                self.fate(path, fate("implied", why="an empty list means none"))
            return count
        if isinstance(expr, ir.Lit) and expr.value in (None, ""):
            self.fate(path, fate("implied", why="null means none"))
            return 0
        listed = "items" in self.schema(path)
        if isinstance(expr, ir.Map) or not listed:
            return self.nested_one(block, path, rule, expr, name, f"{where}.0", guard)
        return self.nested_list(block, path, rule, expr, name, guard)

    def schema(self, path: str) -> catalog.Property:
        found: catalog.Property = self.facts.get("properties", {}).get(path, {})
        return found

    def nested_one(
        self, block: Block, path: str, rule: Rule, expr: ir.Expr, name: str, where: str, guard: Expr | None
    ) -> int:
        """Writes one block, for a literal map or an `if` of maps."""
        if isinstance(expr, ir.If):
            known = self.lowering.known(expr.condition)
            if known is not None:
                branch = expr.then if known else expr.orelse
                return self.nested_one(block, path, rule, branch, name, where, guard) if branch is not None else 0
            test = self.lowering.condition(expr.condition)
            both = Op("&&", guard, test) if guard is not None else test
            outer = where.rpartition(".")[0]
            count = self.silent().assuming(expr.condition).nested(block, path, rule, expr.then, name, outer, both)
            if expr.orelse is not None:
                other = is_not(test)
                both = Op("&&", guard, other) if guard is not None else other
                otherwise = self.silent().assuming(ir.Call("not", expr.condition))
                count += otherwise.nested(block, path, rule, expr.orelse, name, outer, both)
            self.is_value(path, name, "derived", why="one block for each branch, present only if its condition holds")
            return count
        if not isinstance(expr, ir.Map):
            return self.nested_list(block, path, rule, ir.Seq((expr,), expr.span), name, guard)
        if guard is None:
            inner = block.block(name, where=expr)
        else:
            dynamic = block.block("dynamic", name, where=expr)
            dynamic.set("for_each", once_if(guard))
            inner = dynamic.block("content")
        self.fields(inner, path, rule, expr, where)
        return 1

    def fields(self, inner: Block, path: str, rule: Rule, expr: ir.Map, where: str) -> None:
        """Writes the arguments of a nested block in the order of the table."""
        schema = self.inner_schema(path)
        given: dict[str, ir.Entry] = {}
        for entry in expr.entries:
            given[schema.get(entry.key, {}).get("alias", entry.key)] = entry
        rules, all_given = rule.fields or {}, dict(given)
        for field in parts(rules):
            given.pop(field, None)
        for field, inner_rule in rules.items():
            if inner_rule.text is not None:
                given.pop(field, None)
                to = below(where, inner_rule.to.rpartition(".")[2])
                self.joined(inner, field, inner_rule, rules, all_given, schema, f"{path}.", to)
            elif (entry_ := given.pop(field, None)) is not None:
                if inner_rule.drop:
                    self.dropped(inner_rule, entry_, path)
                elif inner_rule.embed:
                    self.embedding(inner_rule, entry_, path)
                elif inner_rule.implied:
                    self.fate(f"{path}.{entry_.key}", fate("implied", why=inner_rule.implied))
                else:
                    to = below(where, inner_rule.to.rpartition(".")[2])
                    self.argument(inner, f"{path}.{entry_.key}", inner_rule, entry_, to)
            elif inner_rule.write is not None:
                inner.set(inner_rule.to.rpartition(".")[2], self.constant(inner_rule.write))
        if given:
            name, entry_ = next(iter(given.items()))
            raise CannotSay(
                "HOT301", f"{path} of {self.kind.name} has no known key {name}", entry_.key_span, self.resource.name
            )
        if not expr.entries:
            self.fate(
                path,
                fate("value", self.to, where)
                if where
                else fate("derived", self.to, why="one resource for each item of the list"),
            )

    def inner_schema(self, path: str) -> dict[str, catalog.Property]:
        found: Any = {"fields": self.facts.get("properties", {})}
        for part in path.split("."):
            found = found.get("items", {}) if part.isdigit() else found.get("fields", {}).get(part, {})
        fields: dict[str, catalog.Property] = found.get("fields") or found.get("items", {}).get("fields") or {}
        return fields

    def nested_list(self, block: Block, path: str, rule: Rule, expr: ir.Expr, name: str, guard: Expr | None) -> int:
        """Writes a `dynamic` block for a list known only at run time."""
        return self.dynamic(block, path, rule, expr, self.lowering.value(without_null(expr)).expr, name, guard)

    def dynamic(
        self, block: Block, path: str, rule: Rule, expr: ir.Expr, over: Expr, name: str, guard: Expr | None = None
    ) -> int:
        """Writes a `dynamic` block. over: the list, which `expr` was lowered to."""
        dynamic = block.block("dynamic", name, where=expr)
        dynamic.set("for_each", over if guard is None else Cond(guard, over, Tuple(())))
        self.fields_of_item(dynamic.block("content"), path, rule, expr, over, Name((name, "value")))
        self.is_value(path, name, "derived", why="one block for each item of the list, with the same values")
        return 1

    def fields_of_item(self, inner: Block, path: str, rule: Rule, expr: ir.Expr, over: Expr, item: Name) -> None:
        """Writes the arguments for one item of a list known only at run time. over: the list, lowered from `expr`."""
        schemas, rules = self.inner_schema(path), rule.fields or {}
        keys = known_keys(over)
        aliases: dict[str, list[str]] = {}
        for word, schema in schemas.items():
            aliases.setdefault(schema.get("alias", word), []).append(word)
        for key in sorted(keys or ()):
            if not any(key in words for field, words in aliases.items() if field in rules or field in parts(rules)):
                raise CannotSay(
                    "HOT404",
                    f"the items of {path} are known only at run time, and have an unknown key {key}",
                    expr,
                )
        for field, inner_rule in rules.items():
            if inner_rule.text is not None:
                text = joined.of_item(inner_rule.text, item, schemas, keys)
                if text is None:
                    why = (
                        f"{inner_rule.to} is made of several fields, and the items of {path} are known only at run time"
                    )
                    raise CannotSay("HOT404", why, expr, self.resource.name)
                inner.set(inner_rule.to.rpartition(".")[2], text)
                continue
            words = [
                w for w in sorted(aliases.get(field, [field]), key=lambda w: w != field) if keys is None or w in keys
            ]
            if words and inner_rule.embed:
                raise CannotSay("HOT450", inner_rule.embed, expr, self.resource.name)
            if not inner_rule.to or (not words and inner_rule.write is None):
                continue
            value = self.constant(inner_rule.write)
            if words:
                value = self.item_field(expr, over, words, inner_rule, item, certain=keys is not None)
            inner.set(inner_rule.to.rpartition(".")[2], value)

    def item_field(self, expr: ir.Expr, over: Expr, words: list[str], rule: Rule, item: Name, *, certain: bool) -> Expr:
        """A field of an item in a list known only at run time. Names are looked up unless they are known only after
        apply.
        """
        field: Expr = selected(item, words[0])
        if not certain:
            field = Fn("try", (*(selected(item, w) for w in words), self.constant(rule.write)))
        if rule.lookup is None or self.emission.unit.unknown(expr):
            return field
        return self.emission.data.of_items(self.lowering, over, field, item, rule.lookup)

    def assuming(self, fact: ir.Expr) -> Writer:
        """A writer for the same resource that assumes a condition."""
        return self.within(self.lowering.assuming(fact))

    def within(self, lowering: Lowering) -> Writer:
        """A writer for the same resource with another lowering."""
        other = copy.copy(self)
        other.lowering = lowering
        return other

    def silent(self) -> Writer:
        """A writer for the same resource that records no fates."""
        other = copy.copy(self)
        other.muted = True
        return other

    def finish(self) -> None:
        """Adds the blocks to the directory, and the fates of the resource's keys to the report."""
        resource, report = self.resource, self.report
        report.addresses = [block.address for block in self.blocks]
        if resource.description:
            self.block.comments += [f" {line}" if line else "" for line in resource.description.strip().splitlines()]
        for name, value, _ in self.lifecycle:
            self.block.block("lifecycle").set(name, value)
        keys_of(self.emission, resource, self.blocks)
        for block in self.blocks:
            self.emission.blocks.add(block, resource.name, self.member if isinstance(self.member, str) else "")

    # auxiliary blocks

    def beside(self, kind: str, label: str, where: Located = NOWHERE) -> Block:
        """Adds an auxiliary resource block, with the same count or for_each as the main one."""
        block = Block("resource", (kind, self.emission.names.label(kind, label)), span=where.span)
        if self.lowering.scope.repeated is not None:
            block.body.append(Argument(self.lowering.scope.repeated.name, self.lowering.scope.repeated.value))
        if self.configuration is not None and kind.startswith(f"{self.configuration[0]}_"):
            block.set("provider", Name(self.configuration))
        self.blocks.append(block)
        return block

    def self_reference(self, attribute: str, block: Block | None = None) -> Expr:
        """A reference from one block of this resource to an attribute of the main block, or of `block`."""
        return (
            Attr(self.instance(block), attribute)
            if self.lowering.scope.repeated is not None
            else Name((*(block or self.block).labels, attribute))
        )

    def instance(self, block: Block | None = None) -> Expr:
        name = Name((block or self.block).labels)
        repeated = self.lowering.scope.repeated
        if repeated is None:
            return name
        if isinstance(self.member, Name):
            return Index(name, self.member)
        if not self.lowering.scope.bound:
            return Index(name, 0)
        return Index(name, Name(("count", "index")) if repeated.name == "count" else Name(("each", "key")))


def below(where: str, argument: str) -> str:
    """The path of an argument of a nested block, or of a resource of its own."""
    return f"{where}.{argument}" if where else argument


def known_keys(expr: Expr) -> set[str] | None:
    """The keys of the items of a list, if the expression shows that all have the same; otherwise None."""
    if isinstance(expr, ForTuple):
        value = expr.value
        return (
            {str(k) for k, _ in value.entries}
            if isinstance(value, Object) and all(isinstance(k, str) for k, _ in value.entries)
            else known_keys(value)
        )
    if isinstance(expr, Fn) and expr.name in ("flatten", "concat", "try") and expr.args:
        found = [known_keys(a) for a in expr.args if not isinstance(a, Tuple) or a.items]
        return found[0] if found and all(f == found[0] for f in found) else None
    if isinstance(expr, Tuple) and expr.items and all(isinstance(i, Object) for i in expr.items):
        keys = [{str(k) for k, _ in i.entries} for i in expr.items if isinstance(i, Object)]
        return keys[0] if all(k == keys[0] for k in keys) else None
    return None
