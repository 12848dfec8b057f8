"""Generates templates that set everything of a resource type, from Heat's schema, the provider's facts and a few rules.

Invariant: values are the same in every run, and Heat accepts them. Rules about combinations of properties that only
Heat's plug-ins or the provider know are in `tests/support/sample_rules.py`, once.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from emitters.hcl.tables import mapping, provider, tables
from tests.support import sample_rules as rules
from transpile.model.budget import Budget
from transpile.schema import catalog
from transpile.schema import properties as schema
from transpile.schema.catalog import read_openstack_catalog as known_types

VERSION = "2021-04-16"
UUID = "0ea8b5b4-6c2f-4f0b-9d3b-1f5f5d0c7a{:02d}"


@dataclasses.dataclass(frozen=True, eq=False)
class Sample:
    """A template about one resource, `sample`. `variant`: required, names, references, or the name of a separate
    property.
    """

    type: str
    variant: str
    number: int
    properties: Mapping[str, Any]
    others: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.type.replace('::', '_').lower()}_{self.variant}_{self.number}"

    @property
    def text(self) -> str:
        own = {"type": self.type} | ({"properties": self.properties} if self.properties else {})
        return json.dumps({"heat_template_version": VERSION, "resources": {**self.others, "sample": own}}, indent=1)


@functools.cache
def samples(kind: str) -> tuple[Sample, ...]:
    """One template with the required properties, several that together set every property to a literal, and several
    that together refer to a resource wherever a property takes the name of one.
    """
    maker, collected = Maker(kind), [required(kind)]
    parts = {"names": maker.paths() - maker.apart()}
    parts |= {path.replace(".*", "").replace(".", "_"): {path} for path in sorted(maker.apart())}
    for variant, left in (parts | {"references": maker.references()}).items():
        count = 0
        while left:
            before, count = set(left), count + 1
            properties, others = maker.template(left, refer=variant == "references")
            assert left < before, f"{kind}: nothing sets {sorted(left)}"
            collected.append(Sample(kind, variant, count, properties, others))
    return tuple(collected)


@functools.cache
def required(kind: str) -> Sample:
    """A template that sets only required properties."""
    return Sample(kind, "required", 1, *Maker(kind).template(set(), refer=False))


def leaves(value: Any, path: str = "") -> Iterator[str]:
    """The paths of a value's parts, as the report counts them. A function is one part."""
    if isinstance(value, dict) and value and "get_resource" not in value:
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for i, item in enumerate(value):
            yield from leaves(item, f"{path}.{i}" if path else str(i))
    elif path:
        yield path


def every(
    schemas: Mapping[str, catalog.PropertySchema], path: str = ""
) -> Iterator[tuple[str, catalog.PropertySchema]]:
    """All properties and fields that can be set, with the path of their schema (`networks.*.port`)."""
    for name, property_schema in schemas.items():
        if "alias" in property_schema or not property_schema.get("implemented", True):
            continue
        here = f"{path}.{name}" if path else name
        yield here, property_schema
        yield from every(property_schema.get("fields", {}), here)
        yield from every(property_schema.get("items", {}).get("fields", {}), f"{here}.*")


def target(property_schema: catalog.PropertySchema, key: str) -> str:
    """The resource type whose name or ID a property takes, or ""."""
    if key in rules.REFERS:
        return rules.REFERS[key]
    for limits in (property_schema, property_schema.get("items", {})):
        for kind, limit, *_ in limits.get("constraints", ()):
            if kind == "custom_constraint" and limit in rules.MAKES:
                return rules.MAKES[limit]
    return ""


class Maker:
    """Generates the templates of one type."""

    def __init__(self, kind: str) -> None:
        facts, type_mapping = known_types().find_type(kind), tables.load_built_in_tables().find_mapping(kind)
        assert facts is not None
        self.kind, self.facts = kind, facts
        self.resource = type_mapping.resource
        self.rules: Mapping[str, mapping.Rule] = type_mapping.properties
        self.left: set[str] = set()
        self.refer = False
        self.others: dict[str, Any] = {}
        self.count = 0

    def paths(self) -> set[str]:
        skipped = rules.NEVER.get(self.kind, {})
        return {p for p, _ in every(self.facts.get("properties", {})) if p not in skipped}

    def embedding(self) -> dict[str, str]:
        """The properties whose rules keep the resource with Heat, with the reasons."""
        rules_by_path = {path: self.rule(path) for path in self.paths()}
        return {path: rule.why for path, rule in rules_by_path.items() if isinstance(rule, mapping.EmbedRule)}

    def apart(self) -> set[str]:
        """The properties with a separate sample, because setting them keeps the resource with Heat."""
        return {*rules.BY_ITSELF.get(self.kind, ()), *self.embedding()}

    def references(self) -> set[str]:
        schemas = every(self.facts.get("properties", {}))
        named = {p for p, property_schema in schemas if target(property_schema, self.key(p))}
        return (named & self.paths()) - self.embedding().keys()

    def template(
        self, left: set[str], *, refer: bool, others: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The properties of a sample and the resources next to it. Removes the properties that it sets from `left`."""
        self.left, self.refer, self.others = left, refer, {} if others is None else others
        self.others |= copy.deepcopy(dict(rules.BESIDE.get(self.kind, {})))
        properties = self.together(self.facts.get("properties", {}), "")
        return properties, self.others

    # combinations of properties

    def key(self, path: str) -> str:
        return f"{self.kind}.{path}" if path else self.kind

    def groups(self, schemas: Mapping[str, catalog.PropertySchema], path: str) -> Iterator[tuple[str, ...]]:
        """Groups of which at most one property may be set."""
        yield from rules.ONE_OF.get(self.key(path), ())
        yield from rules.AT_MOST_ONE.get(self.key(path), ())
        yield from (
            (name, property_schema["adds"]["of"])
            for name, property_schema in schemas.items()
            if "adds" in property_schema
        )
        if path:
            return
        reached = {rule.to: name for name, rule in self.rules.items() if rule.to}
        for name, about in tables.load_built_in_tables().providers.constrained_arguments(self.resource):
            for other in (*about.get("conflicts_with", ()), *about.get("exactly_one_of", ())):
                if other != name and name in reached and other in reached:
                    yield reached[name], reached[other]

    def needs(self, path: str, name: str) -> dict[str, Any]:
        """The properties that a property requires, with their values (ANY: their own)."""
        required_values = dict(rules.NEEDS.get(self.key(path), {}).get(name, {}))
        rule = self.rules.get(name) if not path else None
        reached = {rule.to: name for name, rule in self.rules.items() if rule.to}
        about = (
            tables.load_built_in_tables().providers.find_argument(self.resource, rule.to)
            if rule is not None and rule.to
            else None
        )
        for other in (about or {}).get("required_with", ()):
            if other in reached:
                required_values.setdefault(reached[other], rules.ANY)
        return required_values

    def together(self, schemas: Mapping[str, catalog.PropertySchema], path: str) -> dict[str, Any]:
        """A value for a combination of properties: the required ones, the compatible ones from `left`, and their
        requirements.
        """
        chosen, full = dict[str, Any](), bool(self.left)
        groups = list(self.groups(schemas, path))
        for name, property_schema in schemas.items():
            if property_schema.get("required") and "alias" not in property_schema:
                assert self.choose(chosen, groups, path, name), f"{self.key(path)}.{name}"
        for name in schemas:
            here = f"{path}.{name}" if path else name
            if any(p == here or p.startswith(f"{here}.") for p in self.left) and name not in chosen:
                self.choose(chosen, groups, path, name)
        if full and not path:
            for name in rules.WANTED.get(self.kind, ()):
                self.choose(chosen, groups, path, name)
        for group in (*rules.ONE_OF.get(self.key(path), ()), *rules.AT_LEAST_ONE.get(self.key(path), ())):
            if not chosen.keys() & set(group):
                assert any(self.choose(chosen, groups, path, name) for name in group), f"{self.key(path)}: {group}"
        out: dict[str, Any] = {}
        for name, property_schema in schemas.items():
            if name in chosen:
                here = f"{path}.{name}" if path else name
                self.left.discard(here)
                out[name] = self.value(property_schema, here) if chosen[name] is rules.ANY else chosen[name]
        return out

    def choose(self, chosen: dict[str, Any], groups: Iterable[tuple[str, ...]], path: str, name: str) -> bool:
        """Adds a property with its requirements, if it is compatible with the others."""
        more, asked = dict[str, Any](), [(name, rules.ANY)]
        while asked:
            candidate, value = asked.pop()
            before = more.get(candidate, chosen.get(candidate, rules.ANY))
            if value is rules.NONE:
                if candidate in chosen or candidate in more:
                    return False
                continue
            if before is not rules.ANY and value is not rules.ANY and before != value:
                return False
            seen = candidate in more or candidate in chosen
            more[candidate] = before if value is rules.ANY else value
            if not seen:
                asked += self.needs(path, candidate).items()
        both = chosen.keys() | more.keys()
        if any(len(both & set(group)) > 1 for group in groups):
            return False
        if any(
            v is rules.NONE and n in both for property_name in both for n, v in self.needs(path, property_name).items()
        ):
            return False
        chosen |= more
        return True

    # values

    def value(self, property_schema: catalog.PropertySchema, path: str) -> Any:
        fixed = rules.VALUES.get(self.key(path))
        if fixed is not None and (not self.refer or path not in self.references()):
            self.left -= {p for p in self.left if p.startswith(f"{path}.")}
            return copy.deepcopy(fixed)
        kind = property_schema.get("type", "any")
        if kind == "map" and "fields" in property_schema:
            return self.together(property_schema["fields"], path)
        if kind == "list":
            return self.items(property_schema, path)
        if self.refer and (other := target(property_schema, self.key(path))) and path in self.references():
            return self.reference(other)
        if kind == "map":
            return {"key": "value"}
        if kind == "any":
            return "anything"
        return self.scalar(property_schema, path)

    def items(self, property_schema: catalog.PropertySchema, path: str) -> list[Any]:
        """A list with as many items as are needed to set each of their fields."""
        items = property_schema.get("items", {})
        low, high = limits(property_schema, "length")
        if "fields" not in items:
            if self.refer and (other := target(property_schema, self.key(path))) and path in self.references():
                return [self.reference(other)]
            allowed = [
                v
                for k, v, *_ in (*property_schema.get("constraints", ()), *items.get("constraints", ()))
                if k == "allowed_values"
            ]
            if allowed:
                return [self.pick(allowed[0], path)]
            return [self.scalar({"type": "string", **items}, f"{path}.*") for _ in range(max(int(low or 1), 1))]
        out: list[Any] = []
        while len(out) < (high or 9):
            before = set(self.left)
            item = self.together(items["fields"], f"{path}.*")
            if out and len(out) >= (low or 1) and self.left == before:
                break
            if item.keys() & set(rules.ALONE.get(self.key(f"{path}.*"), ())):
                if not out:
                    out.append(item)
                else:
                    self.left |= before
                break
            out.append(item)
            if not any(p.startswith(f"{path}.*.") for p in self.left) and len(out) >= (low or 1):
                break
        return out

    def pick(self, allowed: list[Any], path: str) -> Any:
        """The first allowed value that the provider accepts too."""
        about = self.argument(path)
        return next(
            (
                v
                for v in allowed
                if v not in ("", None)
                and not (about and provider.find_refusal(about, self.spell_for_provider(path, v)))
            ),
            allowed[0],
        )

    def rule(self, path: str) -> mapping.Rule | None:
        name, *way = path.replace(".*", "").split(".")
        rule = self.rules.get(name)
        for step in way:
            rule = rule.fields.get(step) if rule is not None else None
        return rule

    def spell_for_provider(self, path: str, value: Any) -> Any:
        """A value in the provider's spelling."""
        rule = self.rule(path)
        return rule.values.get(str(value).lower(), value) if isinstance(rule, mapping.ArgumentRule) else value

    def argument(self, path: str) -> Mapping[str, Any] | None:
        rule = self.rule(path)
        return (
            tables.load_built_in_tables().providers.find_argument(self.resource, rule.to)
            if rule is not None and rule.to
            else None
        )

    def scalar(self, property_schema: catalog.PropertySchema, path: str) -> Any:
        name = path.replace(".*", "").rpartition(".")[2]
        fixed = rules.VALUES.get(self.key(path), rules.NAMED.get(name) if property_schema["type"] == "string" else None)
        about = self.argument(path) or {}
        for kind, limit, *_ in property_schema.get("constraints", ()):
            if kind == "allowed_values":
                return self.pick(limit, path)
            if kind == "custom_constraint" and limit in rules.CONSTRAINED:
                return fixed if self.key(path) in rules.VALUES else rules.CONSTRAINED[limit]
            if kind == "custom_constraint" and "." in limit:
                return self.literal(property_schema, path, limit)
        if fixed is not None:
            return fixed
        if property_schema["type"] == "boolean":
            flipped = not property_schema.get("default", False)
            rule = self.rule(path)
            unsent = rule.unsent if isinstance(rule, mapping.ArgumentRule) else None  # it would stay with Heat
            return flipped if unsent is None or flipped != unsent else not flipped
        if property_schema["type"] in ("integer", "number"):
            return self.number(property_schema, about)
        if "one_of" in about:
            return next(v for v in about["one_of"] if v != "")
        if about.get("format") in rules.FORMATS:
            return rules.FORMATS[about["format"]]
        if name == "id" or name.endswith(("_id", "_uuid")):
            return self.uuid()
        low, high = limits(property_schema, "length")
        return ("sample-" + name)[: int(high or 255)].ljust(int(low or 0), "x")

    def number(self, property_schema: catalog.PropertySchema, about: Mapping[str, Any]) -> int:
        """A number that Heat and the provider accept, different from the default."""
        low, high = limits(property_schema, "range")
        lows = [v for v in (low, about.get("min"), about.get("range", (None, None))[0]) if v is not None]
        highs = [v for v in (high, about.get("range", (None, None))[1]) if v is not None]
        number = int(max([*lows, 1]))
        if number == property_schema.get("default") and (not highs or number + 1 <= min(highs)):
            number += 1
        if "one_of" in about and number not in about["one_of"]:
            number = about["one_of"][0]
        return number

    def literal(self, property_schema: catalog.PropertySchema, path: str, limit: str) -> Any:
        """A name if the tables look up names, else an ID."""
        rule = self.rule(path)
        argument = rule.argument_rule if isinstance(rule, mapping.HookRule) else rule
        lookup = argument.lookup if isinstance(argument, mapping.ArgumentRule) else None
        looked_up = lookup is not None and lookup.data
        if limit.startswith("barbican."):
            return f"https://example.com/v1/{limit.rpartition('.')[2]}s/{self.uuid()}"
        hooked = rule is None or isinstance(rule, mapping.HookRule)
        hooked = hooked and limit in rules.MAKES and limit not in rules.BY_ID
        if limit in rules.ALWAYS_NAMES or looked_up or hooked:
            return rules.THINGS.get(limit, "some-" + limit.rpartition(".")[2])
        return self.uuid()

    def uuid(self) -> str:
        self.count += 1
        return UUID.format(self.count % 100)

    def reference(self, other: str) -> dict[str, str]:
        """A reference to an additional resource of a type."""
        label = other.rpartition("::")[2].lower()
        if other in rules.APART:
            label += f"_{sum(o['type'] == other for o in self.others.values()) + 1}"
        if label not in self.others:
            self.others[label] = {"type": other}
            properties, _ = Maker(other).template(set(), refer=True, others=self.others)
            if properties:
                self.others[label]["properties"] = properties
        return {"get_resource": label}


def limits(property_schema: catalog.PropertySchema, word: str) -> tuple[float | None, float | None]:
    """The bounds that a constraint sets."""
    for kind, limit, *_ in property_schema.get("constraints", ()):
        if kind == word:
            return limit.get("min"), limit.get("max")
    return None, None


def refused(kind: str, properties: Mapping[str, Any]) -> list[str]:
    """The errors of Heat's schema for these properties. The value of a function may be anything."""
    facts = known_types().find_type(kind)
    assert facts is not None
    return [
        f"{'.'.join(map(str, p.path))}: {p.message}"
        for p in schema.check_properties(facts, mark_unknown_references(dict(properties)), Budget())
    ]


def mark_unknown_references(value: Any) -> Any:
    if isinstance(value, dict):
        return schema.UNKNOWN if "get_resource" in value else {k: mark_unknown_references(v) for k, v in value.items()}
    return [mark_unknown_references(v) for v in value] if isinstance(value, list) else value
