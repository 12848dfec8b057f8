"""Checks a user's table against the schema of the type and against those of the providers.

Invariant: incomplete facts are never the reason for an error, as for a type that could be read only in part, or a
provider without a schema.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.tables.mapping import ArgumentRule, BlockRule, EachRule, HookRule, TextRule, parts
from emitters.hcl.tables.provider import CONFIGURATION, type_of
from emitters.hcl.tables.reader import fields_of
from emitters.hcl.tables.spelling import NAME, Problem, every_rule
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.diagnostics.model import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from emitters.hcl.tables.mapping import Joined, Kind, Lookup, Rule
    from emitters.hcl.tables.provider import Providers
    from emitters.hcl.tree.types import Type
    from transpile.schema.catalog import Catalog, Property

    Hooks = Callable[
        [str, str], bool
    ]  # whether there is a hook: its sort (property, attribute, finish, type), its name

TODO = "TODO"  # in a skeleton, the place of a decision that the author has to make
FITS: Mapping[str, tuple[str, ...]] = {  # the types of properties that an argument of a type can hold
    "string": ("string", "number", "integer", "any"),
    "number": ("number", "integer", "any"),
    "bool": ("boolean", "any"),
    "list": ("list", "any"),
    "set": ("list", "any"),
    "map": ("map", "any"),
}


@final
class Checks:
    """The checks of users' tables. declared: the providers that they name, and whether there is a schema. hooks:
    whether there is a hook of a sort and a name. provider_names: the providers of which there are facts.
    """

    def __init__(
        self, catalog: Catalog, providers: Providers, declared: Mapping[str, bool], hooks: Hooks, known: frozenset[str]
    ) -> None:
        self.catalog, self.providers, self.declared, self.hooks = catalog, providers, declared, hooks
        self.known = known  # the names of all providers with facts

    # types

    def kind(self, kind: Kind, given: Mapping[str, Any]) -> Iterator[Problem]:
        """What is wrong with the conversion of a type."""
        name, facts = kind.name, self.catalog.find(kind.name)
        real = self.catalog.canonical(name)
        if real != name:
            yield Problem(
                (name,), codes.INVALID_MAPPING_TABLE, f"{name} is another name of {real}; the table must use that"
            )
            return
        if facts is None:
            hint = did_you_mean(name, self.catalog.types())
            yield Problem((name,), codes.MAPPING_OF_UNKNOWN_TYPE, f"There is no resource type {name}", hint)
        yield from self.todo((name,), given)
        yield from self.hooked(kind)
        for other in kind.stays_with:
            if self.catalog.find(other) is None:
                yield Problem((name, "stays_with"), codes.MAPPING_OF_UNKNOWN_TYPE, f"There is no resource type {other}")
        if kind.treatment == "folded" and not kind.hook:
            yield Problem(
                (name,),
                codes.INVALID_MAPPING_TABLE,
                f"{name}: a folded type needs a hook; to leave it out, use dropped",
            )
            return
        if kind.treatment in ("embedded", "dropped"):
            if not kind.why:
                yield Problem((name,), codes.INVALID_MAPPING_TABLE, f"{name}: an embedded type needs why, the reason")
            return
        if facts is not None:
            whole = not (facts.get("any") or facts.get("open"))
            also = kind.parts | ({kind.provider} if kind.provider else set())
            if kind.provider:
                place, known = (name, "provider"), facts.get("properties", {})
                yield from self.known_property(place, kind.provider, known, whole=whole)
            yield from self.covered(
                (name,), "properties", kind.properties, facts.get("properties", {}), also, whole=whole
            )
            yield from self.attributes(
                kind, facts.get("attributes", {}), whole=not facts.get("any_attribute") and whole
            )
        if kind.hook and kind.treatment != "provider":
            return
        if not kind.resource:
            if kind.treatment == "native":
                yield Problem((name,), codes.INVALID_MAPPING_TABLE, f"{name}: resource is missing")
            return
        if kind.resource.startswith("data."):
            yield Problem(
                (name, "resource"), codes.INVALID_MAPPING_TABLE, f"{name}: only a hook can write a data source"
            )
            return
        yield from self.target(kind, (facts or {}).get("properties", {}))

    def todo(self, path: tuple[str, ...], given: Any) -> Iterator[Problem]:
        """The decisions in a skeleton that its author has not made yet."""
        if isinstance(given, dict):
            for key, value in given.items():
                yield from self.todo((*path, key), value)
        elif isinstance(given, str) and given.split(":")[0].strip() == TODO:
            yield Problem(path, codes.INVALID_MAPPING_TABLE, f"{'.'.join(path)}: this is still to be decided")

    def hooked(self, kind: Kind) -> Iterator[Problem]:
        """Hooks that do not exist."""
        wanted: list[tuple[tuple[str, ...], str, str]] = []
        if kind.treatment not in ("provider", "dropped") and kind.hook:
            wanted.append(((kind.name, "hook"), "type", kind.hook))
        if kind.other is not None:
            wanted.append(((kind.name, "prefer", "hook"), "type", kind.other.hook))
        if kind.finish:
            wanted.append(((kind.name, "finish"), "finish", kind.finish))
        for path, rule in every_rule((kind.name, "properties"), kind.properties):
            wanted += [((*path, "hook"), "property", rule.hook)] if isinstance(rule, HookRule) else []
        for section, rows in (("attributes", kind.attributes), ("show", kind.show)):
            for word, row in rows.items():
                wanted += [((kind.name, section, word, "hook"), "attribute", row.hook)] if row.hook else []
        for path, sort, hook in wanted:
            if not self.hooks(sort, hook):
                yield Problem(path, codes.INVALID_MAPPING_TABLE, f"{'.'.join(path)}: there is no hook {hook} for this")

    # the type's schema

    def covered(
        self,
        path: tuple[str, ...],
        section: str,
        rules: Mapping[str, Rule],
        schemas: Mapping[str, Property],
        also: frozenset[str] | set[str],
        *,
        whole: bool,
    ) -> Iterator[Problem]:
        """Whether all properties, or fields, have rules, and all rules have properties. also: names that need no rule.
        whole: whether the schema has all properties.
        """
        here = (*path, section)
        for name, rule in rules.items():
            yield from self.known_property((*here, name), name, schemas, whole=whole)
            yield from self.rule((*here, name), rule, schemas.get(name, {}), whole=whole)
        missing = [n for n, s in schemas.items() if n not in rules and n not in also and "alias" not in s]
        for name in missing:
            if schemas[name].get("required") and "default" not in schemas[name]:
                yield Problem(
                    here,
                    codes.REQUIRED_PROPERTY_WITHOUT_RULE,
                    f"The required property {name} of {'.'.join(path)} has no rule",
                )
        rest = [n for n in missing if not schemas[n].get("required") or "default" in schemas[n]]
        if rest:
            yield Problem(here, codes.PROPERTY_WITHOUT_RULE, f"{'.'.join(path)} has no rule for {', '.join(rest)}")

    def known_property(
        self, at: tuple[str, ...], name: str, schemas: Mapping[str, Property], *, whole: bool
    ) -> Iterator[Problem]:
        """A property, or field, that does not exist, or whose name is an old name of another one."""
        schema = schemas.get(name)
        if schema is None and (schemas or whole):
            of = ".".join(at[:-2] if at[-1] == name else at[:1])
            word = "field" if at[-2] == "fields" else "property"
            hint = did_you_mean(name, schemas)
            yield Problem(
                at, codes.MAPPING_OF_UNKNOWN_PROPERTY, f"{of} has no {word} {name}", hint, "" if whole else "warning"
            )
        elif schema is not None and "alias" in schema:
            yield Problem(
                at,
                codes.MAPPING_OF_UNKNOWN_PROPERTY,
                f"{name} is Heat's old name of {schema['alias']}; the table must use that",
            )

    def rule(self, path: tuple[str, ...], rule: Rule, schema: Property, *, whole: bool) -> Iterator[Problem]:
        """The differences between a rule and Heat's schema of the property, or field."""
        at = ".".join(path)
        if rule.fields:
            fields = fields_of(schema)
            yield from self.covered(
                path, "fields", rule.fields, fields, parts(rule.fields), whole=whole and bool(fields)
            )
        match rule:
            case ArgumentRule():
                if rule.write is True and rule.type.kind != "bool" and "default" not in schema:
                    yield Problem(
                        (*path, "write"),
                        codes.INVALID_MAPPING_TABLE,
                        f"{at}: Heat has no default to write; write needs a value",
                    )
            case TextRule():
                if path[-1] not in rule.text.names:
                    message = f"{at}: the text must contain ${{{path[-1]}}}, or the property would be lost"
                    yield Problem((*path, "text"), codes.INVALID_MAPPING_TABLE, message)
            case BlockRule() | EachRule():
                if schema and schema.get("type") not in ("list", "map", "any"):
                    yield Problem(
                        path, codes.ARGUMENT_CANNOT_HOLD_PROPERTY, f"{at} is a {schema.get('type')}, and not a list"
                    )
            case _:
                pass

    def attributes(self, kind: Kind, known: Mapping[str, Any], *, whole: bool) -> Iterator[Problem]:
        rows = kind.attributes
        for name in rows:
            if name not in known and name != "show":
                hint = did_you_mean(name, known)
                where = (kind.name, "attributes", name)
                yield Problem(
                    where,
                    codes.MAPPING_OF_UNKNOWN_PROPERTY,
                    f"{kind.name} has no attribute {name}",
                    hint,
                    "" if whole else "warning",
                )
        if (rest := [name for name in known if name not in rows and name != "show"]) and kind.treatment == "native":
            path = (kind.name, "attributes")
            yield Problem(
                path, codes.PROPERTY_WITHOUT_RULE, f"{kind.name} has no row for the attributes {', '.join(rest)}"
            )

    # the provider's schema

    def resource(self, path: tuple[str, ...], name: str) -> Iterator[Problem]:
        """A resource or data source that does not exist, or whose provider nobody declared."""
        plain = name.removeprefix("data.").removeprefix(CONFIGURATION)
        local = plain.partition("_")[0]
        if self.providers.find(name) is not None:
            return
        if local not in self.declared and local not in self.known:
            yield Problem(path, codes.UNKNOWN_PROVIDER, f"There is no provider {local}, which {plain} would be of")
        elif self.declared.get(local, True) and not name.startswith(CONFIGURATION):
            yield Problem(
                path, codes.UNKNOWN_TO_PROVIDER, f"The provider {local} has no {plain}", self.providers.close(name)
            )

    def target(self, kind: Kind, schemas: Mapping[str, Property]) -> Iterator[Problem]:
        """The arguments and attributes of a mapping that the provider would refuse, or does not have."""
        path, resource = (kind.name,), kind.resource
        yield from self.resource((*path, "resource"), resource)
        facts = self.providers.find(resource)
        given = {*kind.constants, *kind.named}
        if facts is not None:
            for argument in kind.constants:
                yield from self.argument((*path, "constants", argument), resource, argument)
            for argument in kind.named:
                yield from self.argument((*path, "named"), resource, argument)
            if kind.reference:
                yield from self.readable((*path, "reference"), resource, kind.reference)
            for section, rows in (("attributes", kind.attributes), ("show", kind.show)):
                for name, row in rows.items():
                    if row.to:
                        yield from self.readable((*path, section, name), resource, row.to)
        if kind.joined is not None:
            yield from self.parts((*path, "reference", "text"), kind.joined, schemas)
        rules = kind.properties
        yield from self.rules((*path, "properties"), resource, rules, schemas, "")
        if facts is not None and not kind.finish and not any(isinstance(rule, HookRule) for rule in rules.values()):
            yield from self.required(path, resource, facts, rules, given)

    def parts(self, path: tuple[str, ...], text: Joined, schemas: Mapping[str, Property]) -> Iterator[Problem]:
        """Properties in a text that do not exist, or are no scalars."""
        for name in text.names:
            if schemas and name not in schemas:
                yield Problem(
                    path, codes.MAPPING_OF_UNKNOWN_PROPERTY, f"There is no property {name}", did_you_mean(name, schemas)
                )
            elif schemas.get(name, {}).get("type") in ("list", "map"):
                yield Problem(
                    path,
                    codes.ARGUMENT_CANNOT_HOLD_PROPERTY,
                    f"{name} is a {schemas[name]['type']}, and cannot be a part of a text",
                )

    def rules(
        self,
        path: tuple[str, ...],
        resource: str,
        rules: Mapping[str, Rule],
        schemas: Mapping[str, Property],
        block: str,
    ) -> Iterator[Problem]:
        """The arguments of rules that the provider would refuse. block: the blocks around them, each with a dot."""
        for name, rule in rules.items():
            here, schema = (*path, name), schemas.get(name, {})
            match rule:
                case ArgumentRule():
                    yield from self.target_of(here, resource, rule.to, schema)
                case TextRule():
                    yield from self.parts((*here, "text"), rule.text, schemas)
                    yield from self.target_of(here, resource, rule.to, {"type": "string"})
                case BlockRule():
                    yield from self.block(here, resource, rule, schema, f"{block}{rule.block}")
                case EachRule():
                    yield from self.each(here, resource, rule, schema)
                case HookRule(inner=BlockRule() | EachRule() as inner):
                    yield from self.rules(path, resource, {name: inner}, schemas, block)
                case _:
                    pass

    def target_of(self, path: tuple[str, ...], resource: str, to: str, schema: Property) -> Iterator[Problem]:
        """An argument that does not exist, or whose type cannot hold the property."""
        if self.providers.find(resource) is None:
            return
        yield from self.argument(path, resource, to)
        about, name = self.providers.argument(resource, to), path[-1]
        if about is None or not schema or fits(type_of(about["type"]), schema):
            return
        want = type_of(about["type"]).kind
        if schema.get("type") == "string" and want in ("number", "bool"):  # Terraform converts some
            message = f"{to} is a {want}, and only some values of the string {name} are"
            yield Problem(path, codes.ARGUMENT_CANNOT_HOLD_PROPERTY, message, severity="warning")
        else:
            yield Problem(
                path,
                codes.ARGUMENT_CANNOT_HOLD_PROPERTY,
                f"{to} is a {want}, and cannot hold the {schema.get('type', 'value')} {name}",
            )

    def block(
        self, path: tuple[str, ...], resource: str, rule: BlockRule, schema: Property, block: str
    ) -> Iterator[Problem]:
        """A nested block. block: its path in the resource."""
        facts = self.providers.block(resource, block)
        if facts is None and self.providers.find(resource) is not None:
            yield Problem((*path, "block"), codes.UNKNOWN_TO_PROVIDER, f"{resource} has no block {block}")
            return
        yield from self.rules((*path, "fields"), resource, rule.fields, fields_of(schema), f"{block}.")
        if facts is not None:
            yield from self.required(path, f"{resource}.{block}", facts, rule.fields, set())

    def each(self, path: tuple[str, ...], main: str, rule: EachRule, schema: Property) -> Iterator[Problem]:
        """A resource for each item of a list."""
        yield from self.resource((*path, "each"), rule.resource)
        facts = self.providers.find(rule.resource)
        for argument, attribute in rule.owner.items():
            if facts is not None:
                yield from self.argument((*path, "owner", argument), rule.resource, argument)
            if self.providers.find(main) is not None:
                yield from self.readable((*path, "owner", argument), main, attribute)
        for argument in rule.constants if facts is not None else ():
            yield from self.argument((*path, "constants", argument), rule.resource, argument)
        if rule.item is not None and facts is not None:
            yield from self.argument((*path, "item"), rule.resource, rule.item.to)
            items = schema.get("items", {})
            if items and not fits(rule.item.type, items):
                message = f"{rule.item.to} is a {rule.item.type.kind}, and cannot hold a {items.get('type', 'value')}"
                yield Problem((*path, "item"), codes.ARGUMENT_CANNOT_HOLD_PROPERTY, message)
        yield from self.rules((*path, "fields"), rule.resource, rule.fields, fields_of(schema), "")
        if facts is not None:
            written = {*rule.owner, *rule.constants, *((rule.item.to,) if rule.item is not None else ())}
            yield from self.required(path, rule.resource, facts, rule.fields, written)

    def required(
        self, path: tuple[str, ...], where: str, facts: Mapping[str, Any], rules: Mapping[str, Rule], others: set[str]
    ) -> Iterator[Problem]:
        """Required arguments and blocks that neither a rule nor anything else writes."""
        written = {rule.writes for rule in rules.values()} | others
        for name, about in facts.get("arguments", {}).items():
            if about.get("required") and name not in written:
                yield Problem(
                    path,
                    codes.REQUIRED_ARGUMENT_NOT_SET,
                    f"{shown(where)} requires the argument {name}, and nothing sets it",
                )
        for name, about in facts.get("blocks", {}).items():
            if about.get("min", 0) > 0 and name not in written:
                yield Problem(
                    path,
                    codes.REQUIRED_ARGUMENT_NOT_SET,
                    f"{shown(where)} requires a block {name}, and nothing writes it",
                )

    def argument(self, path: tuple[str, ...], resource: str, name: str) -> Iterator[Problem]:
        """An argument that does not exist, or cannot be set."""
        about = self.providers.argument(resource, name)
        if about is None:
            if self.providers.block(resource, name) is not None:
                yield Problem(
                    path,
                    codes.UNKNOWN_TO_PROVIDER,
                    f"{name} of {shown(resource)} is a block; a rule writes it with block",
                )
                return
            names = self.providers.arguments(resource, name)
            yield Problem(
                path, codes.UNKNOWN_TO_PROVIDER, f"{shown(resource)} has no argument {name}", did_you_mean(name, names)
            )
        elif about.get("computed") and not about.get("optional") and not about.get("required"):
            yield Problem(path, codes.UNKNOWN_TO_PROVIDER, f"{name} of {shown(resource)} can only be read")

    def readable(self, path: tuple[str, ...], resource: str, name: str) -> Iterator[Problem]:
        """An attribute that does not exist."""
        if self.providers.argument(resource, name) is None and self.providers.block(resource, name) is None:
            hint = did_you_mean(name, self.providers.arguments(resource, name))
            yield Problem(path, codes.UNKNOWN_TO_PROVIDER, f"{shown(resource)} has no attribute {name}", hint)

    # look-ups

    def lookup(self, lookup: Lookup) -> Iterator[Problem]:
        path = ("lookups", lookup.key)
        for word in (lookup.data, lookup.name, lookup.id, *(name for name, _ in lookup.more)):
            if word and not NAME.fullmatch(word):
                yield Problem(path, codes.INVALID_MAPPING_TABLE, f"{word} is no name that Terraform allows")
        try:
            re.compile(lookup.ids)
        except (re.error, OverflowError, RecursionError) as e:
            yield Problem(
                (*path, "ids"), codes.INVALID_MAPPING_TABLE, f"lookups.{lookup.key}.ids is no regular expression: {e}"
            )
        for kind in lookup.of:
            if self.catalog.find(kind) is None:
                yield Problem((*path, "of"), codes.MAPPING_OF_UNKNOWN_TYPE, f"There is no resource type {kind}")
        if not lookup.data:
            return
        data = f"data.{lookup.data}"
        yield from self.resource((*path, "data"), data)
        if self.providers.find(data) is not None:
            for key, argument in (
                ("name", lookup.name),
                ("id", lookup.id),
                *(("with", name) for name, _ in lookup.more),
            ):
                if argument is not None:
                    yield from self.argument((*path, key), data, argument)


def shown(resource: str) -> str:
    return (
        f"the configuration of {resource.removeprefix(CONFIGURATION)}"
        if resource.startswith(CONFIGURATION)
        else resource
    )


def fits(target: Type, schema: Property) -> bool:
    """Whether an argument of a type can hold a property: a number fits into a string, but a string into no number."""
    if target.kind not in FITS:
        return True
    if schema.get("type", "any") not in FITS[target.kind]:
        return False
    items = schema.get("items")
    return items is None or target.of is None or target == STRING or fits(target.of, items)
