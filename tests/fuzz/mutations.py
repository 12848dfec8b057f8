"""Mutations of structure: a tree of values becomes another one.

Invariant: a mutation depends on the random generator alone.
"""

from __future__ import annotations

import marshal
import random
from collections.abc import Callable
from typing import Any

from tests.fuzz import values
from tests.fuzz.values import Names

DEPTHS = (1, 1, 2, 2, 3, 3, 5, 5, 20, 60, 78, 81, 100, 300)
TIMES = (2, 2, 2, 3, 3, 10, 10, 50, 200)
LARGEST = 20_000  # values that a mutated tree may have, about
Place = tuple[Any, Any]  # a map or list, and a key or index in it


def places(tree: Any) -> list[Place]:
    """All places of a tree but its root."""
    result: list[Place] = []
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            for key, value in node.items():
                result.append((node, key))
                if isinstance(value, (dict, list)):
                    todo.append(value)
        elif isinstance(node, list):
            for i, value in enumerate(node):
                result.append((node, i))
                if isinstance(value, (dict, list)):
                    todo.append(value)
    return result


def copied(value: Any) -> Any:
    return marshal.loads(marshal.dumps(value))


class Mutator:
    """Mutates one tree. `donor`: a tree that parts are taken from."""

    def __init__(self, rng: random.Random, tree: Any, donor: Any, files: tuple[str, ...] = ()) -> None:
        self.rng, self.tree, self.donor, self.files = rng, tree, donor, files
        self.names = Names(tree)
        self.growing = True
        self.nested = 0  # nested values are not nested much deeper, for JSON is written by a recursive function

    def mutate(self, times: int) -> Any:
        """Does anything anywhere. Most of it is refused early."""
        for _ in range(times):
            candidates = places(self.tree)
            if not candidates:
                break
            self.growing = len(candidates) < LARGEST // 10
            holder, key = self.rng.choice(candidates)
            self.rng.choice(OPERATIONS)(self, holder, key)
        return self.tree

    def bend(self, times: int) -> Any:
        """Changes values only, to others that a template may well have there, so that much of it is converted."""
        if not isinstance(self.tree, dict):
            return self.tree
        if self.rng.random() < 0.6:
            self.prepare()
        for _ in range(times):
            candidates = [place for part in self.parts() for place in places(part)]
            if not candidates:
                break
            self.growing = len(candidates) < LARGEST // 10
            holder, key = self.rng.choice(candidates)
            self.rng.choice(GENTLE)(self, holder, key)
        return self.tree

    def prepare(self) -> None:
        """Adds declarations that calls may refer to: parameters of all types, a condition, resources of another
        template.
        """
        if "heat_template_version" not in self.tree:
            return
        self.tree["heat_template_version"] = NEWEST
        self.section("parameters").update(copied(PARAMETERS))
        self.section("conditions").setdefault("c", {"equals": [{"get_param": "s"}, "x"]})
        if self.rng.random() < 0.3 and isinstance(others := self.donor.get("resources"), dict):
            mine = self.section("resources")
            for name, resource in copied(others).items():
                mine.setdefault(name, resource)
        self.names = Names(self.tree)

    def section(self, name: str) -> dict[str, Any]:
        if not isinstance(self.tree.get(name), dict):
            self.tree[name] = {}
        entries: dict[str, Any] = self.tree[name]
        return entries

    def parts(self) -> list[Any]:
        """The parts of a template that hold values."""
        parts: list[Any] = []
        for name in ("resources", "Resources"):
            for resource in self.tree[name].values() if isinstance(self.tree.get(name), dict) else ():
                if isinstance(resource, dict):
                    parts += [
                        resource[key] for key in ("properties", "Properties") if isinstance(resource.get(key), dict)
                    ]
                    if self.rng.random() < 0.3:
                        parts.append(resource)
        for name in ("outputs", "Outputs", "conditions"):
            if isinstance(self.tree.get(name), dict):
                parts += [entry for entry in self.tree[name].values() if isinstance(entry, dict)]
        return parts

    def fitting(self, holder: Any, key: Any) -> None:
        """A call that gives some value of a known type."""
        names = self.names
        holder[key] = self.rng.choice(
            (
                {"get_param": self.rng.choice(names.parameters)},
                {"get_param": self.rng.choice(tuple(PARAMETERS))},
                {"get_resource": self.rng.choice(names.resources)},
                {"get_attr": [self.rng.choice(names.resources), self.rng.choice(values.ATTRIBUTES)]},
                {"if": [self.rng.choice(names.conditions), holder[key], None]},
                {"if": [self.rng.choice(names.conditions), holder[key], {"get_param": "s"}]},
                {"list_join": ["-", [{"get_param": "s"}, {"get_param": "n"}]]},
                {"str_replace": {"template": "a $x", "params": {"$x": {"get_param": "s"}}}},
                {"repeat": {"template": {"a": "%v%"}, "for_each": {"%v%": {"get_param": "l"}}}},
                {"repeat": {"template": copied(holder[key]), "for_each": {"%v%": ["a", "b"]}}},
                {"map_merge": [{"get_param": "j"}, {"a": "b"}]},
                {"get_param": ["j", "key"]},
                {"get_param": ["l", 0]},
                {"list_concat": [["a"], {"get_param": "l"}]},
                {"str_split": [",", {"get_param": "s"}]},
            )
        )

    def member(self, holder: Any, key: Any) -> None:
        """A resource becomes a group of it, with or without the index."""
        resources = self.tree.get("resources")
        if not isinstance(resources, dict) or not resources:
            return
        name = self.rng.choice(list(resources))
        inner = resources[name]
        if not isinstance(inner, dict) or "resource_def" in str(inner):
            return
        kind = self.rng.choice(("OS::Heat::ResourceGroup", "OS::Heat::AutoScalingGroup"))
        if kind.endswith("ResourceGroup"):
            count = self.rng.choice((0, 1, 2, 3, {"get_param": "n"}, {"get_param": "s"}))
            resources[name] = {"type": kind, "properties": {"count": count, "resource_def": inner}}
        else:
            resources[name] = {"type": kind, "properties": {"min_size": 1, "max_size": 2, "resource": inner}}

    def condition(self, holder: Any, key: Any) -> None:
        resources = self.tree.get("resources")
        if isinstance(resources, dict) and resources:
            resource = resources[self.rng.choice(list(resources))]
            if isinstance(resource, dict):
                resource[self.rng.choice(("condition", "deletion_policy", "depends_on", "external_id"))] = (
                    self.rng.choice((*self.names.conditions, "Retain", "Delete", True, *self.names.resources))
                )

    def odd(self) -> Any:
        """Some value of any kind."""
        roll = self.rng.random()
        if roll < 0.45:
            return self.rng.choice(values.SCALARS)
        if roll < 0.65:
            return copied(self.rng.choice(values.COLLECTIONS))
        if roll < 0.9:
            return values.call(self.rng, self.names, self.rng.choice(values.SCALARS))
        return self.taken()

    def taken(self) -> Any:
        """A part of another template."""
        candidates = places(self.donor)
        if not candidates:
            return None
        holder, key = self.rng.choice(candidates)
        return copied(holder[key])

    # operations

    def drop(self, holder: Any, key: Any) -> None:
        del holder[key]

    def empty(self, holder: Any, key: Any) -> None:
        holder[key] = type(holder[key])() if isinstance(holder[key], (dict, list, str)) else None

    def retype(self, holder: Any, key: Any) -> None:
        holder[key] = self.odd()

    def call(self, holder: Any, key: Any) -> None:
        holder[key] = values.call(self.rng, self.names, holder[key])

    def wrap(self, holder: Any, key: Any) -> None:
        holder[key] = [holder[key]] if self.rng.random() < 0.5 else {self.rng.choice(values.TEXTS): holder[key]}

    def unwrap(self, holder: Any, key: Any) -> None:
        inner = holder[key]
        if isinstance(inner, dict) and inner:
            holder[key] = self.rng.choice(list(inner.values()))
        elif isinstance(inner, list) and inner:
            holder[key] = self.rng.choice(inner)

    def nest(self, holder: Any, key: Any) -> None:
        how, depth = self.rng.randrange(4), self.rng.choice(DEPTHS)
        self.nested += depth
        for _ in range(depth if self.nested <= max(DEPTHS) else 0):
            inner = holder[key]
            if how == 0:
                holder[key] = [inner]
            elif how == 1:
                holder[key] = {"a": inner}
            elif how == 2:
                holder[key] = {"list_join": ["", [inner]]}
            else:
                holder[key] = {"if": [self.names.conditions[0], inner, "x"]}

    def swap(self, holder: Any, key: Any) -> None:
        there, other = self.rng.choice(places(self.tree))
        if self.nested:
            return
        first, second = holder[key], there[other]
        holder[key], there[other] = copied(second), copied(first)

    def duplicate(self, holder: Any, key: Any) -> None:
        if isinstance(holder, list):
            holder.insert(self.rng.randint(0, len(holder)), copied(holder[key]))
        else:
            holder[self.rng.choice((f"{key}_2", *values.TEXTS))] = copied(holder[key])

    def multiply(self, holder: Any, key: Any) -> None:
        if not self.growing:
            return
        times, inner = self.rng.choice(TIMES), holder[key]
        if len(places(inner)) * times > LARGEST:
            return
        if isinstance(holder, list):
            holder.extend(copied(inner) for _ in range(times))
        else:
            holder.update({f"{key}_{i}": copied(inner) for i in range(times)})

    def rename(self, holder: Any, key: Any) -> None:
        if isinstance(holder, dict):
            new = self.rng.choice(values.TEXTS) if self.rng.random() < 0.6 else self.known_key()
            kept = list(holder.items())
            holder.clear()
            holder.update((new if name == key else name, value) for name, value in kept)

    def add(self, holder: Any, key: Any) -> None:
        if isinstance(holder, dict):
            holder[self.known_key()] = self.odd()
        else:
            holder.insert(key, self.odd())

    def known_key(self) -> str:
        """A key that stands somewhere in a template."""
        keys = [key for where, key in places(self.donor) if isinstance(where, dict)] or ["type"]
        return str(self.rng.choice(keys))

    def count(self, holder: Any, key: Any) -> None:
        holder[key] = self.rng.choice(values.COUNTS if self.rng.random() < 0.5 else values.NUMBERS)

    def numbers(self, holder: Any, key: Any) -> None:
        """Every number of a map or list becomes another one."""
        for position in holder if isinstance(holder, dict) else range(len(holder)):
            if isinstance(holder[position], int):
                holder[position] = self.rng.choice(values.COUNTS)

    def text(self, holder: Any, key: Any) -> None:
        old = holder[key]
        odd = self.rng.choice(values.TEXTS)
        if isinstance(old, str) and old:
            at = self.rng.randint(0, len(old))
            holder[key] = old[:at] + odd + old[at + self.rng.choice((0, 1, 1000)) :]
        else:
            holder[key] = odd

    def circle(self, holder: Any, key: Any) -> None:
        """Resources wait for each other, or refer to each other."""
        resources = self.tree.get("resources") if isinstance(self.tree, dict) else None
        if not isinstance(resources, dict) or not resources:
            return
        name = self.rng.choice(list(resources))
        if isinstance(resources[name], dict):
            others = [self.rng.choice(self.names.resources) for _ in range(self.rng.randint(1, 4))]
            if self.rng.random() < 0.5:
                resources[name]["depends_on"] = others
            else:
                holder[key] = {"get_attr": [name, "name"]}

    def type(self, holder: Any, key: Any) -> None:
        """A resource becomes one of another type, or a nested template, maybe itself."""
        resources = self.tree.get("resources") if isinstance(self.tree, dict) else None
        if not isinstance(resources, dict) or not resources:
            return
        name = self.rng.choice(list(resources))
        resource = resources[name]
        if not isinstance(resource, dict):
            return
        roll = self.rng.random()
        if roll < 0.3:
            resources[name] = {"type": "OS::Heat::ResourceGroup", "properties": {"count": 2, "resource_def": resource}}
        elif roll < 0.5 and self.files:
            resource["type"] = self.rng.choice(self.files)
        else:
            resource["type"] = self.rng.choice(TYPES)

    def version(self, holder: Any, key: Any) -> None:
        if isinstance(self.tree, dict) and "heat_template_version" in self.tree:
            self.tree["heat_template_version"] = self.rng.choice(VERSIONS)


NEWEST = "2021-04-16"
PARAMETERS: dict[str, Any] = {
    "s": {"type": "string"},
    "sd": {"type": "string", "default": "x"},
    "n": {"type": "number", "default": 2},
    "b": {"type": "boolean", "default": True},
    "l": {"type": "comma_delimited_list", "default": "a,b"},
    "j": {"type": "json", "default": {"key": "value", "list": ["a"], "map": {"a": 1}}},
    "h": {"type": "string", "hidden": True, "default": "secret-one"},
}
VERSIONS = ("2013-05-23", "2014-10-16", "2015-04-30", "2016-10-14", "2017-09-01", "2018-08-31", "rocky", "wallaby", "x")
TYPES = (
    *("OS::Heat::ResourceGroup", "OS::Heat::AutoScalingGroup", "OS::Heat::Stack", "OS::Heat::ResourceChain"),
    *(
        *("OS::Heat::Value", "OS::Heat::None", "OS::Nova::Server", "OS::Neutron::Port"),
        *("OS::Custom::Thing", "AWS::EC2::VPC"),
    ),
    *("OS::Heat::SoftwareConfig", "OS::Heat::SoftwareDeployment", "OS::Heat::RandomString", "OS::Heat::MultipartMime"),
    *("AWS::EC2::Subnet", "AWS::EC2::Instance", "AWS::EC2::NetworkInterface", "AWS::AutoScaling::AutoScalingGroup"),
)
# Those that stand here twice are done more often.
OPERATIONS: tuple[Callable[[Mutator, Any, Any], None], ...] = (
    *(Mutator.drop, Mutator.drop, Mutator.drop, Mutator.retype, Mutator.retype, Mutator.retype, Mutator.call),
    *(Mutator.call, Mutator.empty, Mutator.wrap, Mutator.unwrap, Mutator.nest, Mutator.swap, Mutator.duplicate),
    *(Mutator.multiply, Mutator.rename, Mutator.rename, Mutator.add, Mutator.count, Mutator.numbers, Mutator.text),
    *(Mutator.text, Mutator.circle, Mutator.type, Mutator.version),
)
# Those after which most templates are still converted.
GENTLE: tuple[Callable[[Mutator, Any, Any], None], ...] = (
    *(Mutator.drop, Mutator.drop, Mutator.fitting, Mutator.fitting, Mutator.fitting, Mutator.retype, Mutator.call),
    *(Mutator.swap, Mutator.duplicate, Mutator.text, Mutator.numbers, Mutator.member, Mutator.condition, Mutator.empty),
    *(Mutator.multiply, Mutator.type, Mutator.circle),
)
