"""Checks a user's table against the schema of the type and against those of the providers.

Invariant: incomplete facts are never the reason for an error, as for a type that could be read only in part, or a
provider without a schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.tables.mapping import (
    ArgumentRule,
    BlockRule,
    EachRule,
    HookRule,
    JoinedText,
    NameLookup,
    Rule,
    TextRule,
    TypeMapping,
    properties_in_texts,
)
from emitters.hcl.tables.provider import CONFIGURATION, Providers, parse_type
from emitters.hcl.tables.reader import field_schemas
from emitters.hcl.tables.spelling import NAME, TableProblem, invalid_name, walk_rules
from emitters.hcl.tree.types import STRING, HclType
from transpile.diagnostics import codes
from transpile.diagnostics.model import did_you_mean
from transpile.diagnostics.registry import message_of_rule
from transpile.guarded.patterns import explain_wrong_pattern
from transpile.model.budget import Budget

if TYPE_CHECKING:
    from transpile.schema.catalog import Catalog, PropertySchema

    Hooks = Callable[
        [str, str], bool
    ]  # whether there is a hook: its sort (property, attribute, finish, type), its name

TODO = "TODO"  # in a skeleton, the place of a decision that the author has to make
PROPERTY_TYPES_HELD: Mapping[str, tuple[str, ...]] = {  # the types of properties that an argument of a type can hold
    "string": ("string", "number", "integer", "any"),
    "number": ("number", "integer", "any"),
    "bool": ("boolean", "any"),
    "list": ("list", "any"),
    "set": ("list", "any"),
    "map": ("map", "any"),
}


def unknown_type(path: tuple[str, ...], kind: str, hint: str = "") -> TableProblem:
    """The problem of a table that names a resource type that neither Heat nor a plug-in has."""
    message = message_of_rule(codes.MAPPING_OF_UNKNOWN_TYPE, kind=kind)
    return TableProblem(path, codes.MAPPING_OF_UNKNOWN_TYPE, message, hint)


@final
class TableChecks:
    """The checks of users' tables. declared: the providers that they name, and whether there is a schema. hooks:
    whether there is a hook of a sort and a name. provider_names: the providers of which there are facts.
    """

    def __init__(
        self,
        catalog: Catalog,
        providers: Providers,
        declared: Mapping[str, bool],
        hooks: Hooks,
        provider_names: frozenset[str],
        budget: Budget,
    ) -> None:
        self.catalog, self.providers, self.declared, self.hooks = catalog, providers, declared, hooks
        self.budget = budget  # pays for reading patterns
        self.provider_names = provider_names  # the names of all providers with facts

    # types

    def check_mapping(self, mapping: TypeMapping, rows: Mapping[str, Any]) -> Iterator[TableProblem]:
        """The problems of the conversion of a type."""
        name, facts = mapping.name, self.catalog.find_type(mapping.name)
        real = self.catalog.resolve_alias(name)
        if real != name:
            yield TableProblem(
                (name,), codes.INVALID_MAPPING_TABLE, f"{name} is another name of {real}; the table must use that"
            )
            return
        if not facts:
            hint = did_you_mean(name, self.catalog.type_names())
            yield unknown_type((name,), name, hint)
        yield from self.find_undecided((name,), rows)
        yield from self.check_hooks(mapping)
        for other in mapping.stays_with:
            if not self.catalog.has_type(other):
                yield unknown_type((name, "stays_with"), other)
        if mapping.treatment == "folded" and not mapping.hook:
            yield TableProblem(
                (name,),
                codes.INVALID_MAPPING_TABLE,
                f"{name}: a folded type needs a hook; to leave it out, use dropped",
            )
            return
        if mapping.treatment in ("embedded", "dropped"):
            if not mapping.why:
                yield TableProblem(
                    (name,), codes.INVALID_MAPPING_TABLE, f"{name}: an embedded type needs why, the reason"
                )
            return
        if facts:
            whole = not (facts.get("any") or facts.get("open"))
            also = mapping.properties_in_texts | ({mapping.provider} if mapping.provider else set())
            if mapping.provider:
                place, schemas = (name, "provider"), facts.get("properties", {})
                yield from self.check_property_name(place, mapping.provider, schemas, whole=whole)
            yield from self.check_coverage(
                (name,), "properties", mapping.properties, facts.get("properties", {}), also, whole=whole
            )
            yield from self.check_attributes(
                mapping, facts.get("attributes", {}), whole=not facts.get("any_attribute") and whole
            )
        if mapping.hook and mapping.treatment != "provider":
            return
        if not mapping.resource:
            if mapping.treatment == "native":
                yield TableProblem((name,), codes.INVALID_MAPPING_TABLE, f"{name}: resource is missing")
            return
        if mapping.resource.startswith("data."):
            yield TableProblem(
                (name, "resource"), codes.INVALID_MAPPING_TABLE, f"{name}: only a hook can write a data source"
            )
            return
        yield from self.check_target(mapping, (facts or {}).get("properties", {}))

    def find_undecided(self, path: tuple[str, ...], row: Any) -> Iterator[TableProblem]:
        """The decisions in a skeleton that its author has not made yet."""
        if isinstance(row, dict):
            for key, value in row.items():
                yield from self.find_undecided((*path, key), value)
        elif isinstance(row, str) and row.split(":")[0].strip() == TODO:
            yield TableProblem(path, codes.INVALID_MAPPING_TABLE, f"{'.'.join(path)}: this is still to be decided")

    def check_hooks(self, mapping: TypeMapping) -> Iterator[TableProblem]:
        """Hooks that do not exist."""
        hook_uses: list[tuple[tuple[str, ...], str, str]] = []
        if mapping.treatment not in ("provider", "dropped") and mapping.hook:
            hook_uses.append(((mapping.name, "hook"), "type", mapping.hook))
        if mapping.other is not None:
            hook_uses.append(((mapping.name, "prefer", "hook"), "type", mapping.other.hook))
        if mapping.finish:
            hook_uses.append(((mapping.name, "finish"), "finish", mapping.finish))
        for path, rule in walk_rules((mapping.name, "properties"), mapping.properties):
            hook_uses += [((*path, "hook"), "property", rule.hook)] if isinstance(rule, HookRule) else []
        for section, rows in (("attributes", mapping.attributes), ("show", mapping.show)):
            for word, row in rows.items():
                hook_uses += [((mapping.name, section, word, "hook"), "attribute", row.hook)] if row.hook else []
        for path, sort, hook in hook_uses:
            if not self.hooks(sort, hook):
                yield TableProblem(
                    path, codes.INVALID_MAPPING_TABLE, f"{'.'.join(path)}: there is no hook {hook} for this"
                )

    # the type's schema

    def check_coverage(
        self,
        path: tuple[str, ...],
        section: str,
        rules: Mapping[str, Rule],
        schemas: Mapping[str, PropertySchema],
        also: frozenset[str] | set[str],
        *,
        whole: bool,
    ) -> Iterator[TableProblem]:
        """Whether all properties, or fields, have rules, and all rules have properties. also: names that need no rule.
        whole: whether the schema has all properties.
        """
        here = (*path, section)
        for name, rule in rules.items():
            yield from self.check_property_name((*here, name), name, schemas, whole=whole)
            yield from self.check_rule((*here, name), rule, schemas.get(name, {}), whole=whole)
        missing = [n for n, s in schemas.items() if n not in rules and n not in also and "alias" not in s]
        for name in missing:
            if schemas[name].get("required") and "default" not in schemas[name]:
                yield TableProblem(
                    here,
                    codes.REQUIRED_PROPERTY_WITHOUT_RULE,
                    f"The required property {name} of {'.'.join(path)} has no rule",
                )
        rest = [n for n in missing if not schemas[n].get("required") or "default" in schemas[n]]
        if rest:
            yield TableProblem(here, codes.PROPERTY_WITHOUT_RULE, f"{'.'.join(path)} has no rule for {', '.join(rest)}")

    def check_property_name(
        self, at: tuple[str, ...], name: str, schemas: Mapping[str, PropertySchema], *, whole: bool
    ) -> Iterator[TableProblem]:
        """A property, or field, that does not exist, or whose name is an old name of another one."""
        schema = schemas.get(name)
        if schema is None and (schemas or whole):
            of = ".".join(at[:-2] if at[-1] == name else at[:1])
            word = "field" if at[-2] == "fields" else "property"
            hint = did_you_mean(name, schemas)
            yield TableProblem(
                at, codes.MAPPING_OF_UNKNOWN_PROPERTY, f"{of} has no {word} {name}", hint, "" if whole else "warning"
            )
        elif schema is not None and "alias" in schema:
            yield TableProblem(
                at,
                codes.MAPPING_OF_UNKNOWN_PROPERTY,
                f"{name} is Heat's old name of {schema['alias']}; the table must use that",
            )

    def check_rule(
        self, path: tuple[str, ...], rule: Rule, schema: PropertySchema, *, whole: bool
    ) -> Iterator[TableProblem]:
        """The differences between a rule and Heat's schema of the property, or field."""
        at = ".".join(path)
        if rule.fields:
            fields = field_schemas(schema)
            yield from self.check_coverage(
                path, "fields", rule.fields, fields, properties_in_texts(rule.fields), whole=whole and bool(fields)
            )
        match rule:
            case ArgumentRule():
                if rule.write is True and rule.type.kind != "bool" and "default" not in schema:
                    yield TableProblem(
                        (*path, "write"),
                        codes.INVALID_MAPPING_TABLE,
                        f"{at}: Heat has no default to write; write needs a value",
                    )
            case TextRule():
                if path[-1] not in rule.text.property_names:
                    message = f"{at}: the text must contain ${{{path[-1]}}}, or the property would be lost"
                    yield TableProblem((*path, "text"), codes.INVALID_MAPPING_TABLE, message)
            case BlockRule() | EachRule():
                if schema and schema.get("type") not in ("list", "map", "any"):
                    yield TableProblem(
                        path, codes.ARGUMENT_CANNOT_HOLD_PROPERTY, f"{at} is a {schema.get('type')}, and not a list"
                    )
            case _:
                pass

    def check_attributes(
        self, mapping: TypeMapping, attribute_types: Mapping[str, Any], *, whole: bool
    ) -> Iterator[TableProblem]:
        rows = mapping.attributes
        for name in rows:
            if name not in attribute_types and name != "show":
                hint = did_you_mean(name, attribute_types)
                where = (mapping.name, "attributes", name)
                yield TableProblem(
                    where,
                    codes.MAPPING_OF_UNKNOWN_PROPERTY,
                    f"{mapping.name} has no attribute {name}",
                    hint,
                    "" if whole else "warning",
                )
        if (
            rest := [name for name in attribute_types if name not in rows and name != "show"]
        ) and mapping.treatment == "native":
            path = (mapping.name, "attributes")
            yield TableProblem(
                path, codes.PROPERTY_WITHOUT_RULE, f"{mapping.name} has no row for the attributes {', '.join(rest)}"
            )

    # the provider's schema

    def check_resource(self, path: tuple[str, ...], name: str) -> Iterator[TableProblem]:
        """A resource or data source that does not exist, or whose provider nobody declared."""
        plain = name.removeprefix("data.").removeprefix(CONFIGURATION)
        local = plain.partition("_")[0]
        if self.providers.find_schema(name):
            return
        if local not in self.declared and local not in self.provider_names:
            yield TableProblem(path, codes.UNKNOWN_PROVIDER, f"There is no provider {local}, which {plain} would be of")
        elif self.declared.get(local, True) and not name.startswith(CONFIGURATION):
            yield TableProblem(
                path,
                codes.UNKNOWN_TO_PROVIDER,
                f"The provider {local} has no {plain}",
                self.providers.suggest_name(name),
            )

    def check_target(self, mapping: TypeMapping, schemas: Mapping[str, PropertySchema]) -> Iterator[TableProblem]:
        """The arguments and attributes of a mapping that the provider would refuse, or does not have."""
        path, resource = (mapping.name,), mapping.resource
        yield from self.check_resource((*path, "resource"), resource)
        facts = self.providers.find_schema(resource)
        written = {*mapping.constants, *mapping.named}
        if facts:
            for argument in mapping.constants:
                yield from self.check_argument((*path, "constants", argument), resource, argument)
            for argument in mapping.named:
                yield from self.check_argument((*path, "named"), resource, argument)
            if mapping.reference:
                yield from self.check_readable((*path, "reference"), resource, mapping.reference)
            for section, rows in (("attributes", mapping.attributes), ("show", mapping.show)):
                for name, row in rows.items():
                    if row.to:
                        yield from self.check_readable((*path, section, name), resource, row.to)
        if mapping.joined is not None:
            yield from self.check_text_parts((*path, "reference", "text"), mapping.joined, schemas)
        rules = mapping.properties
        yield from self.check_written_arguments((*path, "properties"), resource, rules, schemas, "")
        if not mapping.finish and not any(isinstance(rule, HookRule) for rule in rules.values()):
            yield from self.check_required(path, resource, facts, rules, written)

    def check_text_parts(
        self, path: tuple[str, ...], text: JoinedText, schemas: Mapping[str, PropertySchema]
    ) -> Iterator[TableProblem]:
        """Properties in a text that do not exist, or are no scalars."""
        for name in text.property_names:
            if schemas and name not in schemas:
                yield TableProblem(
                    path, codes.MAPPING_OF_UNKNOWN_PROPERTY, f"There is no property {name}", did_you_mean(name, schemas)
                )
            elif schemas.get(name, {}).get("type") in ("list", "map"):
                yield TableProblem(
                    path,
                    codes.ARGUMENT_CANNOT_HOLD_PROPERTY,
                    f"{name} is a {schemas[name]['type']}, and cannot be a part of a text",
                )

    def check_written_arguments(
        self,
        path: tuple[str, ...],
        resource: str,
        rules: Mapping[str, Rule],
        schemas: Mapping[str, PropertySchema],
        block: str,
    ) -> Iterator[TableProblem]:
        """The arguments of rules that the provider would refuse. block: the blocks around them, each with a dot."""
        for name, rule in rules.items():
            here, schema = (*path, name), schemas.get(name, {})
            match rule:
                case ArgumentRule():
                    yield from self.check_argument_type(here, resource, rule.to, schema)
                case TextRule():
                    yield from self.check_text_parts((*here, "text"), rule.text, schemas)
                    yield from self.check_argument_type(here, resource, rule.to, {"type": "string"})
                case BlockRule():
                    yield from self.check_block(here, resource, rule, schema, f"{block}{rule.block}")
                case EachRule():
                    yield from self.check_each(here, resource, rule, schema)
                case HookRule(inner=BlockRule() | EachRule() as inner):
                    yield from self.check_written_arguments(path, resource, {name: inner}, schemas, block)
                case _:
                    pass

    def check_argument_type(
        self, path: tuple[str, ...], resource: str, to: str, schema: PropertySchema
    ) -> Iterator[TableProblem]:
        """An argument that does not exist, or whose type cannot hold the property."""
        if not self.providers.find_schema(resource):
            return
        yield from self.check_argument(path, resource, to)
        about, name = self.providers.find_argument(resource, to), path[-1]
        if not about or not schema or can_hold(parse_type(about["type"]), schema):
            return
        want = parse_type(about["type"]).kind
        if schema.get("type") == "string" and want in ("number", "bool"):  # Terraform converts some
            message = f"{to} is a {want}, and only some values of the string {name} are"
            yield TableProblem(path, codes.ARGUMENT_CANNOT_HOLD_PROPERTY, message, severity="warning")
        else:
            yield TableProblem(
                path,
                codes.ARGUMENT_CANNOT_HOLD_PROPERTY,
                f"{to} is a {want}, and cannot hold the {schema.get('type', 'value')} {name}",
            )

    def check_block(
        self, path: tuple[str, ...], resource: str, rule: BlockRule, schema: PropertySchema, block: str
    ) -> Iterator[TableProblem]:
        """A nested block. block: its path in the resource."""
        facts = self.providers.find_block(resource, block)
        if not facts and self.providers.find_schema(resource):
            yield TableProblem((*path, "block"), codes.UNKNOWN_TO_PROVIDER, f"{resource} has no block {block}")
            return
        yield from self.check_written_arguments(
            (*path, "fields"), resource, rule.fields, field_schemas(schema), f"{block}."
        )
        yield from self.check_required(path, f"{resource}.{block}", facts, rule.fields, set())

    def check_each(
        self, path: tuple[str, ...], main: str, rule: EachRule, schema: PropertySchema
    ) -> Iterator[TableProblem]:
        """A resource for each item of a list."""
        yield from self.check_resource((*path, "each"), rule.resource)
        facts = self.providers.find_schema(rule.resource)
        for argument, attribute in rule.owner.items():
            if facts:
                yield from self.check_argument((*path, "owner", argument), rule.resource, argument)
            if self.providers.find_schema(main):
                yield from self.check_readable((*path, "owner", argument), main, attribute)
        for argument in rule.constants if facts else ():
            yield from self.check_argument((*path, "constants", argument), rule.resource, argument)
        if rule.item is not None and facts:
            yield from self.check_argument((*path, "item"), rule.resource, rule.item.to)
            items = schema.get("items", {})
            if items and not can_hold(rule.item.type, items):
                message = f"{rule.item.to} is a {rule.item.type.kind}, and cannot hold a {items.get('type', 'value')}"
                yield TableProblem((*path, "item"), codes.ARGUMENT_CANNOT_HOLD_PROPERTY, message)
        yield from self.check_written_arguments(
            (*path, "fields"), rule.resource, rule.fields, field_schemas(schema), ""
        )
        written = {*rule.owner, *rule.constants, *((rule.item.to,) if rule.item is not None else ())}
        yield from self.check_required(path, rule.resource, facts, rule.fields, written)

    def check_required(
        self, path: tuple[str, ...], where: str, facts: Mapping[str, Any], rules: Mapping[str, Rule], others: set[str]
    ) -> Iterator[TableProblem]:
        """Required arguments and blocks that neither a rule nor anything else writes."""
        written = {rule.written_name for rule in rules.values()} | others
        for name, about in facts.get("arguments", {}).items():
            if about.get("required") and name not in written:
                yield TableProblem(
                    path,
                    codes.REQUIRED_ARGUMENT_NOT_SET,
                    f"{describe_resource(where)} requires the argument {name}, and nothing sets it",
                )
        for name, about in facts.get("blocks", {}).items():
            if about.get("min", 0) > 0 and name not in written:
                yield TableProblem(
                    path,
                    codes.REQUIRED_ARGUMENT_NOT_SET,
                    f"{describe_resource(where)} requires a block {name}, and nothing writes it",
                )

    def check_argument(self, path: tuple[str, ...], resource: str, name: str) -> Iterator[TableProblem]:
        """An argument that does not exist, or cannot be set."""
        about = self.providers.find_argument(resource, name)
        if not about:
            if self.providers.find_block(resource, name):
                yield TableProblem(
                    path,
                    codes.UNKNOWN_TO_PROVIDER,
                    f"{name} of {describe_resource(resource)} is a block; a rule writes it with block",
                )
                return
            names = self.providers.argument_names(resource, name)
            yield TableProblem(
                path,
                codes.UNKNOWN_TO_PROVIDER,
                f"{describe_resource(resource)} has no argument {name}",
                did_you_mean(name, names),
            )
        elif about.get("computed") and not about.get("optional") and not about.get("required"):
            yield TableProblem(
                path, codes.UNKNOWN_TO_PROVIDER, f"{name} of {describe_resource(resource)} can only be read"
            )

    def check_readable(self, path: tuple[str, ...], resource: str, name: str) -> Iterator[TableProblem]:
        """An attribute that does not exist."""
        if not self.providers.find_argument(resource, name) and not self.providers.find_block(resource, name):
            hint = did_you_mean(name, self.providers.argument_names(resource, name))
            yield TableProblem(
                path, codes.UNKNOWN_TO_PROVIDER, f"{describe_resource(resource)} has no attribute {name}", hint
            )

    # look-ups

    def check_lookup(self, lookup: NameLookup) -> Iterator[TableProblem]:
        path = ("lookups", lookup.key)
        for word in (lookup.data, lookup.name, lookup.id, *(name for name, _ in lookup.more)):
            if word and not NAME.fullmatch(word):
                yield invalid_name(path, word)
        if why := explain_wrong_pattern(lookup.ids, self.budget):
            yield TableProblem(
                (*path, "ids"), codes.INVALID_MAPPING_TABLE, f"lookups.{lookup.key}.ids is no regular expression: {why}"
            )
        for kind in lookup.of:
            if not self.catalog.has_type(kind):
                yield unknown_type((*path, "of"), kind)
        if not lookup.data:
            return
        data = f"data.{lookup.data}"
        yield from self.check_resource((*path, "data"), data)
        if self.providers.find_schema(data):
            for key, argument in (
                ("name", lookup.name),
                ("id", lookup.id),
                *(("with", name) for name, _ in lookup.more),
            ):
                if argument:
                    yield from self.check_argument((*path, key), data, argument)


def describe_resource(resource: str) -> str:
    return (
        f"the configuration of {resource.removeprefix(CONFIGURATION)}"
        if resource.startswith(CONFIGURATION)
        else resource
    )


def can_hold(target: HclType, schema: PropertySchema) -> bool:
    """Whether an argument of a type can hold a property: a number fits into a string, but a string into no number."""
    if target.kind not in PROPERTY_TYPES_HELD:
        return True
    if schema.get("type", "any") not in PROPERTY_TYPES_HELD[target.kind]:
        return False
    items = schema.get("items")
    return items is None or target.of is None or target == STRING or can_hold(target.of, items)
