"""Resolves names to IDs with data sources; equal lookups share one.

Invariant: a value that is known only after apply is treated as an ID, because a lookup would have to wait for apply. A
literal is classified by its format and a parameter by its known values. If these leave it open, the output handles both
names and IDs: `local.net_is_id ? var.net : data.openstack_networking_network_v2.net[0].id`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, final

from emitters.hcl.blocks import DirectoryBlocks
from emitters.hcl.errors import CannotSay
from emitters.hcl.log import EmissionLog
from emitters.hcl.lowering import lookup_variables
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import negate_condition, or_default, without_null
from emitters.hcl.lowering.scope import LoweringScope
from emitters.hcl.namespace import Namespace, snake_case
from emitters.hcl.provider_requirements import why_attribute_lacking
from emitters.hcl.symbols import Symbols
from emitters.hcl.tables.mapping import HEX, UUID, NameLookup, looks_like_id
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    ForTuple,
    Index,
    Not,
    Op,
    Splat,
    Traversal,
    Tuple,
    count_if,
    walk_expression,
)
from emitters.hcl.tree.types import STRING, STRINGS, TypedValue
from emitters.hcl.unit import Unit, dotted_path
from transpile.diagnostics import codes
from transpile.model import ir

SHARED = {UUID: "uuid_pattern", HEX: "hex_id_pattern"}  # labels of locals for ID formats that several lookups share
IN_DOMAINS = ("user", "group", "role", "project")  # names may end with the domain in braces


@final
class DataSources:
    """The data sources of a directory."""

    def __init__(
        self, unit: Unit, log: EmissionLog, names: Namespace, blocks: DirectoryBlocks, symbols: Symbols
    ) -> None:
        self.unit, self.log, self.names, self.blocks, self.symbols = unit, log, names, blocks, symbols
        self.counted: dict[tuple[str, str], bool] = {}  # address → whether it has count or for_each
        self.repeated: set[tuple[str, str]] = set()  # those with an instance for each member of a group
        self.made: dict[Any, tuple[str, str]] = {}  # lookup key → address
        self.resources_by_name: dict[tuple[str, str], str] | None = None  # by type and literal name, made when needed

    def resolve_name(
        self, lowering: HclLowering, expr: ir.Expr, lookup: NameLookup, result: str = "id", hint: str = ""
    ) -> tuple[TypedValue, str]:
        """The ID (or other `result`) of the named thing, and its fate in the report: reference, lookup, value, or
        derived if the search does not use the name unchanged.
        """
        if isinstance(expr, ir.ResourceRef):
            reference = lowering.lower_value(expr, STRING)
            if result != "name":
                return reference, self.unit.reference_fate(expr)
            beside = self.attributes_beside(reference.expr)
            if "name" in beside and not self.unit.plan.is_embedded(expr.name):
                return TypedValue(with_attribute(reference.expr, "name"), STRING), "lookup"  # Heat takes the ID here
            if not lookup.id or (beside and "name" not in beside):  # such as a random string
                return reference, "reference"
            label = snake_case(expr.name)  # a stack in Heat, or a module, outputs only the ID
            address = self.find_or_add_source(
                lowering, lookup, ("id", reference.expr), {lookup.id: reference.expr}, label
            )
            return TypedValue(self.attribute_of_source(lowering, address, result), STRING), "lookup"
        if isinstance(expr, ir.AttrRef):
            return lowering.lower_value(expr, STRING), self.unit.reference_fate(expr)
        if isinstance(expr, ir.Lit):
            return self.resolve_literal(lowering, expr, lookup, result)
        if isinstance(expr, (ir.Map, ir.Seq)):
            why = f"this is neither a name nor an ID of a {lookup.noun}; Heat fails when it creates the resource"
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, expr)
        if isinstance(expr, ir.If) and expr.orelse is not None:
            decided = lowering.decide_condition(expr.condition)
            if decided is not None:
                return self.resolve_name(lowering, expr.then if decided else expr.orelse, lookup, result, hint)
            test = lowering.lower_condition(expr.condition)
            opposite = ir.Call("not", expr.condition)
            then, how = self.resolve_name(lowering.with_fact(expr.condition), expr.then, lookup, result, hint)
            other, how2 = self.resolve_name(lowering.with_fact(opposite), expr.orelse, lookup, result, hint)
            return TypedValue(
                Cond(test, then.expr, other.expr), STRING, then.null or other.null
            ), how if how == how2 else "lookup"
        value = lowering.lower_value(expr, STRING)
        if isinstance(expr, ir.ParamRef) and (not expr.path or self.unit.form_of_expression(expr, lookup)):
            return self.resolve_parameter(lowering, expr, value, lookup, result)
        if self.unit.is_unknown_before_apply(expr):
            return value, "value"
        label = hint or lookup.noun.replace(" ", "_")
        form = self.unit.form_of_computed(expr, lookup)
        if form:
            self.report_form(lowering, expr, lookup, form)
        if form == ("id" if result == "id" else "name"):
            return value, "value"
        label = f"{lowering.scope.owner}_{label}"
        name = value.expr
        if form != "name" and not lowering.scope.bound and not lowering.scope.fixed and not isinstance(name, Traversal):
            name = self.blocks.share_local(label, name)
        is_set = self.test_if_set(lowering, expr, value._replace(expr=name))
        if form == "name":
            address = self.find_or_add_source(lowering, lookup, ("expr", name), {lookup.name: name}, label, is_set)
            return self.value_of_source(lowering, address, result, is_set), "lookup"
        return self.resolve_name_or_id(lowering, name, lookup, result, label, is_set=is_set), "lookup"

    def attributes_beside(self, reference: Expr) -> Collection[str]:
        """The attributes of the block whose ID or name a reference is; none if it is no such reference."""
        of = reference.of if isinstance(reference, Attr) else reference
        of = of.of if isinstance(of, Index) else of
        if not isinstance(of, Traversal):
            return ()
        kind = ".".join(of.parts[:2]) if of.parts[0] == "data" else of.parts[0]
        arguments: Collection[str] = self.unit.tables.providers.find_schema(kind).get("arguments", ())
        return arguments

    def resolve_literal(
        self, lowering: HclLowering, expr: ir.Lit, lookup: NameLookup, result: str
    ) -> tuple[TypedValue, str]:
        """The ID or name for a literal, which its format tells apart, and its fate."""
        if expr.value in (None, ""):  # a branch of a condition without a name
            return TypedValue(None, STRING, True), "value"
        value = lowering.lower_literal(expr, STRING)
        if not isinstance(value.expr, str):
            return self.resolve_name_or_id(
                lowering, value.expr, lookup, result, f"{lowering.scope.owner}_{lookup.noun.replace(' ', '_')}"
            ), "lookup"
        text = value.expr
        if result == "id" and looks_like_id(lookup, text, self.unit.budget):
            return value, "value"
        own = self.own_resource(lookup, text)
        if own not in ("", lowering.scope.resource):  # a data source would be read before the resource exists
            reference = lowering.lower_value(ir.ResourceRef(own, span=expr.span), STRING)
            return (
                TypedValue(with_attribute(reference.expr, "name"), STRING) if result == "name" else reference
            ), "lookup"
        if result == "name" and not looks_like_id(lookup, text, self.unit.budget):
            return value, "value"
        name, brace, domain_name = text.removesuffix("}").rpartition("{")
        if lookup.key in IN_DOMAINS and name and brace and text.endswith("}"):  # Heat's form NAME{DOMAIN}
            domain, _ = self.resolve_name(
                lowering, ir.Lit(domain_name, span=expr.span), self.unit.tables.lookups["domain"]
            )
            arguments: dict[str, Expr] = {lookup.name: name, "domain_id": domain.expr}
            address = self.find_or_add_source(lowering, lookup, text, arguments, name)
            return TypedValue(self.attribute_of_source(lowering, address, result), STRING), "derived"
        if not self.can_look_up(lookup) and result == "id" and self.unit.policy.asks_for_values:
            return TypedValue(lookup_variables.id_by_name(lowering, lookup.noun, text, surely=True), STRING), "lookup"
        by_id = bool(lookup.id) and looks_like_id(lookup, text, self.unit.budget)
        label = f"{lowering.scope.owner}_{lookup.noun.replace(' ', '_')}" if by_id else text
        address = self.find_or_add_source(lowering, lookup, text, {lookup.id if by_id else lookup.name: text}, label)
        return TypedValue(self.attribute_of_source(lowering, address, result), STRING), "lookup"

    def own_resource(self, lookup: NameLookup, text: str) -> str:
        """The native resource that a lookup would find by this literal name; empty if there is none."""
        return self.resource_with_name(lookup.of, text)

    def resource_with_name(self, kinds: tuple[str, ...], text: str) -> str:
        """The native resource with this literal name and one of these types; empty if there is none."""
        if self.resources_by_name is None:
            self.resources_by_name = {}
            stack = self.unit.stack
            for name, resource in stack.template.resources.items():
                name_value = resource.find_property("name")
                if (
                    isinstance(name_value, ir.Lit)
                    and isinstance(name_value.value, str)
                    and not resource.is_conditional
                    and not self.unit.plan.is_embedded(name)
                ):
                    self.resources_by_name.setdefault((stack.types[name], name_value.value), name)
        owners = (self.resources_by_name[kind, text] for kind in kinds if (kind, text) in self.resources_by_name)
        return next(owners, "")

    def report_form(self, lowering: HclLowering, expr: ir.Expr, lookup: NameLookup, form: str) -> None:
        """Reports that a value is treated as a name, or as an ID, although Heat accepts both: because of its known
        values, or only because of the choice for the run. A variable with the IDs by name takes both.
        """
        if self.unit.is_form_left_open(expr):
            if not self.can_look_up(lookup) and self.unit.policy.asks_for_values:
                return
            taken_as = "names, not IDs" if form == "name" else "IDs, not names"
            message = f"Taken as {taken_as}: {{}}. Heat accepts both, and no known value tells which."
            hint = "Write a value as the default or in the environment, or choose with --option ids=names, ids or both."
            name = dotted_path(expr) if isinstance(expr, ir.ParamRef) else lowering.scope.resource
            self.log.gather_name(codes.FORM_CHOSEN, message, name, lookup.noun, expr, hint)
        elif form == "name" and isinstance(expr, ir.ParamRef):
            message = "Taken as names, not IDs: {}. Heat accepts both."
            hint = "For IDs, write one as the default or in the environment, and convert again."
            self.log.gather_name(codes.LOOKED_UP_BY_NAME, message, dotted_path(expr), lookup.noun, expr, hint)

    def resolve_parameter(
        self, lowering: HclLowering, expr: ir.ParamRef, value: TypedValue, lookup: NameLookup, result: str
    ) -> tuple[TypedValue, str]:
        """The ID or name for a parameter, which its known values tell apart, and its fate."""
        form = self.unit.form_of_expression(expr, lookup)
        if form:
            self.report_form(lowering, expr, lookup, form)
        if form == "id" and result == "id":
            return value, self.unit.reference_fate(expr)
        name = dotted_path(expr)
        key, label = ("param", name), snake_case(name)
        is_set = self.test_if_set(lowering, expr, value)
        if form == "name":
            if result == "name":
                return value, "value"
            if self.can_look_up(lookup) or not self.unit.policy.asks_for_values:
                address = self.find_or_add_source(lowering, lookup, key, {lookup.name: value.expr}, label, is_set)
                return self.value_of_source(lowering, address, result, is_set), "lookup"
        if form == "id" and lookup.id and self.unit.is_form_left_open(expr):
            address = self.find_or_add_source(lowering, lookup, key, {lookup.id: value.expr}, label, is_set)
            return self.value_of_source(lowering, address, result, is_set), "lookup"
        if not lookup.id and self.unit.is_unknown_before_apply(expr):  # `count` must be known before the apply
            raise mixed_names_and_ids(lowering, lookup)
        return self.resolve_name_or_id(lowering, value.expr, lookup, result, label, key, is_set), "lookup"

    def test_if_set(self, lowering: HclLowering, expr: ir.Expr, value: TypedValue) -> Expr | None:
        """A test whether a value is set, if it may be null, or is a parameter that may be unset; otherwise None."""
        unset = self.unit.unset_values(expr) if isinstance(expr, ir.ParamRef) else []
        if isinstance(expr, ir.ParamRef) and is_assumed_set(lowering, expr):
            unset = []
        elif value.null and None not in unset:
            unset = [None, *unset]
        tests: list[Expr] = [Op("!=", value.expr, nothing) for nothing in unset]
        return all_of(tests) if tests else None

    def resolve_name_or_id(
        self,
        lowering: HclLowering,
        expr: Expr,
        lookup: NameLookup,
        result: str,
        label: str,
        key: Any = None,
        is_set: Expr | None = None,
    ) -> TypedValue:
        """A lookup for a value that may be a name or an ID."""
        if not self.can_look_up(lookup) and result == "id" and self.unit.policy.asks_for_values:
            return TypedValue(lookup_variables.id_by_name(lowering, lookup.noun, expr, surely=False), STRING)
        if lookup.id:
            test = self.local_id_test(lowering, expr, lookup, label)
            arguments: dict[str, Expr] = {lookup.name: Cond(test, None, expr), lookup.id: Cond(test, expr, None)}
            address = self.find_or_add_source(lowering, lookup, key or ("expr", expr), arguments, label, is_set)
            return self.value_of_source(lowering, address, result, is_set)
        test = self.local_id_test(lowering, expr, lookup, label)
        needs_lookup = Not(test) if is_set is None else Op("&&", Not(test), is_set)
        address = self.find_or_add_source(
            lowering, lookup, key or ("expr", expr), {lookup.name: expr}, label, needs_lookup
        )
        source_value = self.value_of_source(lowering, address, result, is_set)
        return TypedValue(Cond(test, expr, source_value.expr), STRING, source_value.null)

    def test_id_format(self, expr: Expr, lookup: NameLookup) -> Expr:
        """A test whether a value looks like an ID."""
        pattern = self.blocks.share_local(SHARED.get(lookup.ids, f"{lookup.key}_id_pattern"), lookup.ids)
        return Fn("can", (Fn("regex", (pattern, expr)),))

    def local_id_test(self, lowering: HclLowering, expr: Expr, lookup: NameLookup, label: str) -> Expr:
        """A test whether a value looks like an ID, as a local if possible."""
        test = self.test_id_format(expr, lookup)
        if any(isinstance(e, Traversal) and e.parts[0] not in ("var", "local") for e in walk_expression(expr)):
            return test  # it uses a loop variable or a resource that may not exist
        return self.blocks.share_local(f"{label.removesuffix('_id')}_is_id", test)

    def data_source_type(self, lowering: HclLowering, lookup: NameLookup) -> str:
        """The type of the data source that searches by name. Raises CannotSay if there is none."""
        if not self.can_look_up(lookup):
            why = f"the provider cannot look up a {lookup.noun} by name, and this may be a name"
            raise CannotSay(codes.KEPT_IN_HEAT, why, lowering.scope, avoidable=True)
        return lookup.data

    def can_look_up(self, lookup: NameLookup) -> bool:
        """Whether the provider that the output is for has the data source of a lookup."""
        return bool(lookup.data) and not why_attribute_lacking(f"data.{lookup.data}", self.unit.tables)

    def find_or_add_source(
        self,
        lowering: HclLowering,
        lookup: NameLookup,
        key: Any,
        arguments: dict[str, Expr],
        label: str,
        count: Expr | None = None,
    ) -> tuple[str, str]:
        """The address of the data source for a lookup; creates the source unless an equal one exists.

        key: equal for equal lookups. label: the preferred name. count: a test without which nothing is looked up. An
        equal source without a guard is shared by all; one with a guard only by lookups under the same conditions.
        """
        is_indexed = any(uses_index(a, "count") or uses_index(a, "each") for a in arguments.values())
        repetition = enclosing_repetition(lowering.scope) if is_indexed else ()
        facts = () if repetition else tuple(sorted(lowering.scope.facts, key=repr))
        guard = self.guard_conditions(lowering) if facts else ()
        if any(self.unit.is_unknown_before_apply(fact) for fact in guard):  # `count` must be known before the apply
            why = f"whether to look up the {lookup.noun} is known only after apply"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, lowering.scope)
        for made_key in (() if repetition else ((lookup.key, key, ()),)) + ((lookup.key, key, guard),):
            if made_key in self.made:
                return self.made[made_key]
        address = self.names.reserve_data_source(self.data_source_type(lowering, lookup), snake_case(label.rstrip(".")))
        block = Block("data", address)
        block.body += repetition
        tests = [lowering.condition_outside_scope(fact) for fact in facts] if guard else []
        tests += [] if count is None or repetition else [count]
        if tests:
            block.add_argument("count", count_if(all_of(tests)))
        for name, value in (*arguments.items(), *lookup.more):
            block.add_argument(name, value)
        self.blocks.data.append(block)
        if repetition:
            self.repeated.add(address)
        else:
            self.made[lookup.key, key, guard] = address
        self.counted[address] = block.repetition is not None
        return address

    def guard_conditions(self, lowering: HclLowering) -> tuple[ir.Expr, ...]:
        """The conditions that the scope assumes, in normal form. They guard a lookup: if they are false, the named
        thing may not exist, and the data source would fail.
        """
        return tuple(sorted(map(self.normalize_condition, lowering.scope.facts), key=repr))

    def normalize_condition(self, condition: ir.Expr) -> ir.Expr:
        """A condition in normal form: names resolved, double negation removed."""
        settled = self.unit.settle_condition(condition)
        opposite = negate_condition(settled)
        if isinstance(opposite, ir.Call) and opposite.fn == "not" and opposite.arg is settled:
            return settled
        inner = self.normalize_condition(opposite)
        return inner.arg if isinstance(inner, ir.Call) and inner.fn == "not" else ir.Call("not", inner)

    def value_of_source(
        self, lowering: HclLowering, address: tuple[str, str], result: str, is_set: Expr | None
    ) -> TypedValue:
        """An attribute of a data source. is_set: a test without which there is nothing to look up, and so no value."""
        if is_set is None or address in self.repeated:
            return TypedValue(self.attribute_of_source(lowering, address, result), STRING)
        return TypedValue(Fn("one", (Splat(Traversal(("data", *address)), (result,)),)), STRING, True)

    def attribute_of_source(self, lowering: HclLowering, address: tuple[str, str], result: str) -> Expr:
        """A reference to an attribute of a data source, with the index that the scope has if the source has several."""
        name = ("data", *address)
        if not self.counted.get(address):
            return Traversal((*name, result))
        key: Expr = 0
        for repeated in enclosing_repetition(lowering.scope) if address in self.repeated else ():
            key = Traversal(("count", "index") if repeated.name == "count" else ("each", "key"))
        return Attr(Index(Traversal(name), key), result)

    # lists

    def resolve_list(
        self, lowering: HclLowering, expr: ir.Expr, lookup: NameLookup, result: str = "id", hint: str = ""
    ) -> tuple[TypedValue, list[str]]:
        """A list of names or IDs, each resolved, and the fates of its items (one for the list if it is not literal)."""
        if isinstance(expr, ir.Seq) and not any(map(ir.is_optional, expr.items)):
            pairs = [self.resolve_name(lowering, item, lookup, result, hint) for item in expr.items]
            return TypedValue(Tuple(tuple(value.expr for value, _ in pairs)), STRINGS), [how for _, how in pairs]
        if isinstance(expr, ir.If) and lowering.decide_condition(expr.condition) is None:
            test = lowering.lower_condition(expr.condition)
            if expr.orelse is None:  # without the condition, the property is not set
                then, _ = self.resolve_list(
                    lowering.with_fact(expr.condition), without_null(expr.then), lookup, result, hint
                )
                return TypedValue(Cond(test, then.expr, None), STRINGS, True), ["lookup"]
            opposite = ir.Call("not", expr.condition)
            then, _ = self.resolve_list(
                lowering.with_fact(expr.condition), without_null(expr.then), lookup, result, hint
            )
            other, _ = self.resolve_list(lowering.with_fact(opposite), without_null(expr.orelse), lookup, result, hint)
            return TypedValue(Cond(test, then.expr, other.expr), STRINGS), ["lookup"]
        value = lowering.lower_value(expr, STRINGS)
        parameter = isinstance(expr, ir.ParamRef) and not expr.path
        form = self.unit.form_of_expression(expr, lookup)
        if form and self.unit.is_form_left_open(expr):
            self.report_form(lowering, expr, lookup, form)
        if form == "id" or (form == "name" and result == "name"):
            return value, [self.unit.reference_fate(expr)]
        if self.unit.is_unknown_before_apply(expr):
            if parameter:  # for_each must be known before the apply
                raise mixed_names_and_ids(lowering, lookup)
            return value, [self.unit.reference_fate(expr)]
        label = (
            snake_case(expr.name)
            if isinstance(expr, ir.ParamRef)
            else f"{lowering.scope.owner}_{hint or lookup.noun.replace(' ', '_')}"
        )
        item = Traversal(("item",))
        if not self.can_look_up(lookup) and result == "id" and self.unit.policy.asks_for_values:
            resolved = lookup_variables.id_by_name(lowering, lookup.noun, item, surely=False)
            return for_each_item(value, resolved), ["lookup"]
        over = or_default(value, Tuple(()))
        if isinstance(expr, ir.ParamRef):
            over = self.symbols.expose_for_each_keys(expr, over)
        else:
            over = self.nonsensitive_keys(lowering, over)
        if result == "id":
            instance_keys: Expr = (
                Fn("toset", (ForTuple(("item",), over, item, Not(self.test_id_format(item, lookup))),))
                if form != "name"
                else Fn("toset", (over,))
            )
        else:
            instance_keys = Fn("toset", (ForTuple(("item",), over, item, self.test_id_format(item, lookup)),))
        key = (lookup.key, ("each", value.expr), result, self.guard_conditions(lowering))
        if key not in self.made:
            address = self.names.reserve_data_source(self.data_source_type(lowering, lookup), label)
            block = Block("data", address)
            facts = sorted(lowering.scope.facts, key=repr)
            block.add_argument(
                "for_each",
                Cond(
                    all_of([lowering.condition_outside_scope(fact) for fact in facts]),
                    instance_keys,
                    Fn("toset", (Tuple(()),)),
                )
                if facts
                else instance_keys,
            )
            block.add_argument(
                lookup.name if result == "id" or not lookup.id else lookup.id, Traversal(("each", "value"))
            )
            for name, constant in lookup.more:
                block.add_argument(name, constant)
            self.blocks.data.append(block)
            self.made[key] = address
        data = Index(Traversal(("data", *self.made[key])), item)
        result_of_item: Expr = Attr(data, result)
        if form != "name":
            result_of_item = (
                Cond(self.test_id_format(item, lookup), item, result_of_item)
                if result == "id"
                else Cond(self.test_id_format(item, lookup), result_of_item, item)
            )
        return for_each_item(value, result_of_item), ["lookup"]

    def nonsensitive_keys(self, lowering: HclLowering, over: Expr) -> Expr:
        """A list in the form that `for_each` takes. Terraform shows the keys of instances and refuses sensitive ones,
        so a sensitive list is marked as nonsensitive, with a diagnostic.
        """
        if not self.symbols.is_sensitive(over):
            return over
        resource = self.unit.template.resources[lowering.scope.resource]
        self.log.add_diagnostic(
            codes.HIDDEN_VALUE_REVEALED,
            f"Names that {resource.name} looks up come from a hidden parameter, but are shown as keys of for_each.",
            resource.name_span,
            once=("shown", resource.name),
        )
        return Fn("nonsensitive", (over,))

    def resolve_field(
        self, lowering: HclLowering, over: Expr, field: Expr, item: Traversal, lookup: NameLookup
    ) -> Expr:
        """The ID for a field of an item, in a list that is known only at run time. One data source with `for_each`
        looks up all names in the list. over: the list. field: the field of `item`. item: the variable for an item.
        """
        optional = isinstance(field, Fn)  # an item may lack the field
        iterator = Traversal(("item",))
        inner = substitute_name(field, item, iterator)
        key = (lookup.key, ("items", over, inner), "id", self.guard_conditions(lowering))
        if key not in self.made:
            address = self.names.reserve_data_source(
                self.data_source_type(lowering, lookup), f"{lowering.scope.owner}_{lookup.noun.replace(' ', '_')}"
            )
            block = Block("data", address)
            needs_lookup: Expr = Not(self.test_id_format(inner, lookup))
            if optional:
                needs_lookup = Op("&&", Op("!=", inner, None), needs_lookup)
            visited = self.nonsensitive_keys(lowering, over)
            block.add_argument("for_each", Fn("toset", (ForTuple(("item",), visited, inner, needs_lookup),)))
            block.add_argument(lookup.name, Traversal(("each", "value")))
            for name, constant in lookup.more:
                block.add_argument(name, constant)
            self.blocks.data.append(block)
            self.made[key] = address
        as_is = self.test_id_format(field, lookup)
        if optional:
            as_is = Op("||", Op("==", field, None), as_is)
        return Cond(as_is, field, Attr(Index(Traversal(("data", *self.made[key])), field), "id"))


def is_assumed_set(lowering: HclLowering, expr: ir.ParamRef) -> bool:
    """Whether the scope assumes a condition that says that a parameter is not ""."""
    sides = ((expr, ir.Lit("")), (ir.Lit(""), expr))
    return any(lowering.is_assumed(ir.Call("not", ir.Call("equals", ir.Seq(pair)))) for pair in sides)


def mixed_names_and_ids(lowering: HclLowering, lookup: NameLookup) -> CannotSay:
    """The error for a parameter that gets names in some calls, and in others IDs that are known only after apply."""
    why = f"names of a {lookup.noun} are mixed with IDs that are known only after apply"
    return CannotSay(codes.ONLY_AT_RUN_TIME, why, lowering.scope)


def substitute_name(expr: Expr, old: Traversal, new: Traversal) -> Expr:
    """Replaces one name in an expression by another."""
    if expr == old:
        return new
    if isinstance(expr, Attr):
        return Attr(substitute_name(expr.of, old, new), expr.name)
    if isinstance(expr, Index):
        return Index(substitute_name(expr.of, old, new), substitute_name(expr.key, old, new))
    if isinstance(expr, Fn):
        return Fn(expr.name, tuple(substitute_name(a, old, new) for a in expr.args), expr.expand)
    return expr


def with_attribute(expr: Expr, name: str) -> Expr:
    """The same traversal with another last attribute: `web.id` -> `web.name`."""
    if isinstance(expr, Attr):
        return Attr(expr.of, name)
    return Traversal((*expr.parts[:-1], name)) if isinstance(expr, Traversal) else expr


def enclosing_repetition(scope: LoweringScope) -> tuple[Argument, ...]:
    """`count` or `for_each` of the enclosing repetition; empty if expressions cannot use its index."""
    repeated = (scope.loop or scope.repeated) if scope.bound else None
    return (repeated,) if repeated else ()


def uses_index(expr: Expr, word: str) -> bool:
    """Whether an expression uses `count.index` or `each.key`."""
    return any(isinstance(e, Traversal) and e.parts[0] == word for e in walk_expression(expr))


def for_each_item(value: TypedValue, result: Expr) -> TypedValue:
    """A list with `result` for each `item` of a list; null if that is null."""
    listed: Expr = ForTuple(("item",), value.expr, result)
    if value.null:
        listed = Cond(Op("==", value.expr, None), None, listed)
    return TypedValue(listed, STRINGS, value.null)


def all_of(tests: list[Expr]) -> Expr:
    first, *rest = tests or [True]
    for test in rest:
        first = Op("&&", first, test)
    return first
