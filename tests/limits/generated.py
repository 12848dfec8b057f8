"""Inputs made from the schema of every resource type, and the cost of a run, counted in calls of functions.

Invariant: two runs count the same. Neither time nor load matters, and a run that costs too much is stopped.
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any, NamedTuple

import transpile
from tests.support import samples
from transpile.schema.catalog import read_openstack_catalog

VERSION = "2021-04-16"
DEPTH = 30
BEFORE, OTHER = {"get_resource": "r@"}, "r@"
TEXTS = ("string", "any")


class TooManyCalls(BaseException):
    """The run was stopped. It is no Exception, so that nothing catches it on the way."""


class Cost(NamedTuple):
    """The cost of a run, and the codes of its errors. `calls`: of functions of Python and C."""

    calls: int
    errors: frozenset[str]


def count_calls(work: Callable[[], frozenset[str]], most: int) -> Cost:
    """The cost of some work. Raises TooManyCalls."""
    calls = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        if event in ("call", "c_call"):
            calls += 1
            if calls > most:
                raise TooManyCalls(f"more than {most:,} calls")

    sys.setprofile(profile)
    try:
        errors = work()
    finally:
        sys.setprofile(None)
    return Cost(calls, errors)


def convert(text: str, *, to: str = "hcl", tests: bool = False) -> frozenset[str]:
    """Converts a template, with all runs if there are tests; the codes of its errors."""
    done = transpile.convert(text, to=to, options={"tests": True, "test_runs": "all"} if tests else {})
    return frozenset(d.code for d in done.diagnostics if d.severity == "error")


def count_conversion(text: str, most: int, *, tests: bool = False) -> Cost:
    """The cost of a conversion to Terraform. Raises TooManyCalls."""
    return count_calls(lambda: convert(text, tests=tests), most)


def write_template(resources: Mapping[str, Any], **sections: Any) -> str:
    return json.dumps({"heat_template_version": VERSION, **sections, "resources": resources})


# types that refer to their own kind


def nested_inputs() -> Iterator[tuple[str, str]]:
    """For each type, templates of `DEPTH` resources, in which each refers twice to the one before it; with names."""
    for kind in read_openstack_catalog().type_names():
        facts = read_openstack_catalog().find_type(kind) or {}
        attributes = facts.get("attributes", ())
        for path, schema in samples.every(facts.get("properties", {})):
            own = samples.target(schema, f"{kind}.{path}") == kind
            if own:
                yield f"{kind} {path}", nest(kind, path, "get_resource")
            if path in attributes and schema.get("type", "string") in TEXTS:
                yield f"{kind} {path} from its attribute", nest(kind, path, "get_attr")
    yield from NESTED.items()


def nest(kind: str, path: str, function: str) -> str:
    """A chain of resources of one type. function: with which each refers to the one before it."""
    required = samples.required(kind)
    resources: dict[str, Any] = dict(required.others)
    for number in range(DEPTH):
        resource: dict[str, Any] = {"type": kind, "properties": json.loads(json.dumps(required.properties))}
        before = f"r{number - 1}"
        if number and function == "get_attr":
            twice = [{"get_attr": [before, path]}] * 2
            resource["properties"][path] = {"list_join": ["", twice]}
        elif number:
            set_path(resource["properties"], path.split("."), {"get_resource": before})
            resource["depends_on"] = [before]
        resources[f"r{number}"] = resource
    return write_template(resources)


def set_path(properties: Any, path: list[str], reference: Any) -> None:
    """Sets the property at a path of the schema; an item of a list twice."""
    name, *rest = path
    if not rest:
        properties[name] = reference
    elif rest == ["*"]:
        properties[name] = [reference, reference]
    elif rest[0] == "*":
        items: list[dict[str, Any]] = [{}, {}]
        for item in items:
            set_path(item, rest[1:], reference)
        properties[name] = items
    else:
        set_path(properties.setdefault(name, {}), rest, reference)


def chain(first: Any, following: Any, **after: Any) -> str:
    """Resources r0 to r29. following: each but the first; `r@` stands for the one before it."""
    resources = {"r0": first}
    for number in range(1, DEPTH):
        resources[f"r{number}"] = json.loads(json.dumps(following).replace("r@", f"r{number - 1}"))
    return write_template(resources | json.loads(json.dumps(after).replace("r@", f"r{DEPTH - 1}")))


def resource(kind: str, **properties: Any) -> dict[str, Any]:
    return {"type": f"OS::{kind}", "properties": properties}


def within(inner: Any, wrap: Callable[[Any], Any], depth: int = DEPTH) -> Any:
    for _ in range(depth):
        inner = wrap(inner)
    return inner


TWICE = {"list_join": ["", [{"get_attr": ["r@", "config"]}, {"get_attr": ["r@", "config"]}]]}
USER = resource("Nova::Server", image="i", flavor="f", user_data={"get_resource": "r@"}, user_data_format="RAW")
NET = {"type": "OS::Neutron::Net"}
NESTED: dict[str, str] = {  # a fact that the schema lacks: types whose references mean more than an ID
    "messages in messages": chain(
        resource("Heat::MultipartMime", parts=[{"config": "a"}]),
        resource("Heat::MultipartMime", parts=[{"config": BEFORE, "type": "multipart"}] * 2),
        user=USER,
    ),
    "configs as parts of messages": chain(
        resource("Heat::SoftwareConfig", config="a"),
        resource("Heat::MultipartMime", parts=[{"config": BEFORE}] * 2),
        user=USER,
    ),
    "configs with the texts of configs": chain(
        resource("Heat::SoftwareConfig", config="a"), resource("Heat::SoftwareConfig", config=TWICE), user=USER
    ),
    "configs with configs as user data": chain(
        resource("Heat::SoftwareConfig", config="a"),
        resource("Heat::SoftwareConfig", config={"str_replace": {"template": "xx", "params": {"x": BEFORE}}}),
        user=USER,
    ),
    "cloud configs": chain(
        resource("Heat::CloudConfig", cloud_config={"a": 1}),
        resource("Heat::CloudConfig", cloud_config={"a": BEFORE, "b": BEFORE}),
        user=USER,
    ),
    "structured configs": chain(
        resource("Heat::StructuredConfig", config={"a": 1}),
        resource("Heat::StructuredConfig", config={"a": {"get_attr": ["r@", "config"]}, "b": BEFORE}),
    ),
    "values of values": chain(
        resource("Heat::Value", value=["a"]), resource("Heat::Value", value=[{"get_attr": ["r@", "value"]}] * 2)
    ),
    "values of maps": chain(
        resource("Heat::Value", value={"a": "b"}),
        resource("Heat::Value", value={"a": {"get_attr": ["r@", "value"]}, "b": {"get_attr": ["r@", "value"]}}),
        user=resource("Neutron::Net", value_specs={"get_attr": ["r@", "value"]}),
    ),
    "groups in groups": write_template(
        {"g": within(NET, lambda inner: resource("Heat::ResourceGroup", count=2, resource_def=inner))}
    ),
    "scaling groups in groups": write_template(
        {"g": within(NET, lambda inner: resource("Heat::AutoScalingGroup", min_size=2, max_size=4, resource=inner))}
    ),
    "chains in chains": chain(
        NET,
        resource(
            "Heat::ResourceChain", resources=["OS::Heat::ResourceChain"] * 2, resource_properties={"resources": BEFORE}
        ),
    ),
    "members of groups": chain(
        resource("Heat::ResourceGroup", count=2, resource_def=NET),
        resource(
            "Heat::ResourceGroup",
            count=2,
            resource_def=resource("Heat::Value", value=[{"get_attr": ["r@", "name"]}, {"get_attr": ["r@", "name"]}]),
        ),
    ),
    "waits for waits": chain(
        resource("Heat::WaitConditionHandle"),
        resource("Heat::WaitCondition", handle=BEFORE, timeout=10) | {"depends_on": ["r@"]},
    ),
    "deployments of deployments": write_template(
        {
            "config": resource(
                "Heat::SoftwareConfig", group="script", config="echo", inputs=[{"name": "a"}], outputs=[{"name": "o"}]
            ),
            "server": resource("Nova::Server", image="i", flavor="f", user_data_format="SOFTWARE_CONFIG"),
            **{
                f"r{n}": resource(
                    "Heat::SoftwareDeployment",
                    config={"get_resource": "config"},
                    server={"get_resource": "server"},
                    input_values={"a": {"list_join": ["", [{"get_attr": [f"r{n - 1}", "o"]}] * 2]} if n else "a"},
                )
                for n in range(DEPTH)
            },
        }
    ),
    "networks of servers": chain(
        resource("Nova::Server", image="i", flavor="f"),
        resource(
            "Nova::Server",
            image="i",
            flavor="f",
            metadata={"a": {"get_attr": ["r@", "first_address"]}, "b": {"get_attr": ["r@", "first_address"]}},
        ),
    ),
    "conditions of conditions": write_template(
        {"r": NET | {"condition": f"c{DEPTH - 1}"}},
        parameters={"p": {"type": "boolean", "default": True}},
        conditions={"c0": {"get_param": "p"}}
        | {f"c{n}": {"or": [f"c{n - 1}", {"not": f"c{n - 1}"}]} for n in range(1, DEPTH)},
    ),
    "texts of choices": chain(
        resource("Heat::Value", value="a"),
        resource("Heat::Value", value={"if": ["c", {"get_attr": ["r@", "value"]}, {"get_attr": ["r@", "value"]}]}),
    ).replace('"resources"', '"conditions": {"c": {"equals": [{"get_param": "OS::stack_name"}, "a"]}}, "resources"', 1),
}


# lists and maps


def sized_inputs() -> Iterator[tuple[str, Callable[[int], str]]]:
    """For each list and map property of each type, a function from a size to a template with so many items."""
    for kind in read_openstack_catalog().type_names():
        facts = read_openstack_catalog().find_type(kind) or {}
        for name, schema in facts.get("properties", {}).items():
            if schema.get("type") in ("list", "map") and schema.get("implemented", True) and "alias" not in schema:
                sample = find_sample(kind, name, str(schema["type"]))
                if sample is not None:
                    yield f"{kind} {name}", grow(sample, name)


def find_sample(kind: str, name: str, form: str) -> samples.Sample | None:
    """A template of a type that sets a property to a list or map with something in it."""
    for sample in samples.samples(kind):
        value = sample.properties.get(name)
        if value and isinstance(value, dict if form == "map" else list):
            return sample
    return None


def grow(sample: samples.Sample, name: str) -> Callable[[int], str]:
    """A function from a size to the template of a sample, whose property then has so many items."""

    def with_size(size: int) -> str:
        value = sample.properties[name]
        if isinstance(value, dict):
            key, item = next(iter(value.items()))
            grown: Any = {f"{key}{n}": item for n in range(size)} if not has_fields(sample.type, name) else value
        else:
            grown = [value[0]] * size
        properties = {**sample.properties, name: grown}
        return write_template({**sample.others, "sample": {"type": sample.type, "properties": properties}})

    return with_size


def has_fields(kind: str, name: str) -> bool:
    facts = read_openstack_catalog().find_type(kind) or {}
    return bool(facts.get("properties", {}).get(name, {}).get("fields"))


def growth(costs: tuple[int, int, int]) -> float:
    """The cost of the second doubling of a size, divided by that of the first: 2 is linear, 2.4 is n log n, 4 is a
    square.
    """
    first, second, third = costs
    return (third - second) / max(second - first, 1)


def sources() -> Iterator[pathlib.Path]:
    """The modules of the program, without the one that declares the limits."""
    root = pathlib.Path(transpile.__file__).parents[1]
    for folder in ("transpile", "emitters"):
        yield from (path for path in sorted((root / folder).rglob("*.py")) if path.name != "budget.py")
