"""Environments: merging of values, type resolution, and errors.

The expected results are Heat's, from its documentation, its source or the probes.
"""

from __future__ import annotations

from typing import Any

import pytest

from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.ir import Environment, Template
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.resolve.environments import merge_environments
from transpile.resolve.registry import ResolvedType, ResourceRegistry, read_registry

PARAMETERS = """
heat_template_version: 2021-04-16
parameters:
  s: {type: string, default: text}
  n: {type: number, default: 2}
  l: {type: comma_delimited_list, default: ""}
  j: {type: json, default: {}}
  b: {type: boolean, default: false}
"""


def environment(text: str, number: int = 0) -> Environment:
    result, sink = environments.read_environment_text(Source(f"env{number}.yaml", text, budget=Budget()))
    assert result is not None
    assert [d.message for d in sink.diagnostics if d.severity == "error"] == []
    return result


def template(text: str) -> Template:
    result, sink = templates.read_template(Source("stack.yaml", text, budget=Budget()))
    assert result is not None
    assert sink.diagnostics == []
    return result


def merged(*texts: str, **parameters: Any) -> tuple[dict[str, Any], list[str]]:
    """The values by parameter, and the codes of the diagnostics."""
    environment_list = [environment(text, number) for number, text in enumerate(texts)]
    values, diagnostics = merge_environments(
        template(PARAMETERS).parameters, environment_list, parameters, budget=Budget()
    )
    return {name: parameter_value.value for name, parameter_value in values.items()}, [d.code for d in diagnostics]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["parameters: {s: a}"], {"s": "a"}),
        (["parameter_defaults: {s: a}"], {"s": "a"}),
        (["parameters: {s: a}\nparameter_defaults: {s: b}"], {"s": "a"}),
        (["parameters: {s: a, n: 1}", "parameters: {s: b}"], {"s": "b", "n": 1}),
        (["parameters: {s: a}", "parameters: {s: null}"], {"s": "a"}),
        (["parameters: {j: {a: 1}}", "parameters: {j: {b: 2}}"], {"j": {"b": 2}}),
        (["parameters: {j: {a: 1, c: {d: 1}}}", "parameters: {j: {b: 2, c: {e: 2}}}", "merge"],
         {"j": {"a": 1, "b": 2, "c": {"e": 2}}}),
        (["parameters: {j: {c: {d: 1, l: [x]}, t: u}}", "parameters: {j: {c: {e: 2, l: [y]}, t: v}}", "deep_merge"],
         {"j": {"c": {"d": 1, "e": 2, "l": ["x", "y"]}, "t": "uv"}}),
        (["parameters: {s: a}", "parameters: {s: b}", "merge"], {"s": "ab"}),
        (["parameters: {l: [a]}", "parameters: {l: [b]}", "merge"], {"l": ["a", "b"]}),
        (["parameters: {l: 'a,b'}", "parameters: {l: c}", "merge"], {"l": ["a", "b", "c"]}),
        (["parameters: {n: '1'}", "parameters: {n: '2'}", "merge"], {"n": 12}),
        (["parameters: {s: a}", "parameters: {s: b}", "no such strategy"], {"s": "b"}),
    ],
)  # fmt: skip
def test_values_are_merged_file_by_file(texts: list[str], expected: dict[str, Any]) -> None:
    """The third text is the default strategy of both files."""
    if len(texts) == 3:
        strategy = f"\nparameter_merge_strategies: {{default: {texts.pop()}}}"
        texts = [text + strategy for text in texts]
    assert merged(*texts)[0] == expected


def test_an_environment_wins_over_the_command() -> None:
    """The environment wins, as on Heat's server, although the documentation of the client suggests the opposite."""
    assert merged("parameters: {s: env}", s="command", n="5")[0] == {"s": "env", "n": 5}
    assert merged("parameter_defaults: {s: env}", s="command")[0] == {"s": "command"}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["parameters: {x: a}"], ["HOT209"]),
        (["parameters: {s: a}", "parameters: {x: a}"], ["HOT211"]),
        (["parameter_defaults: {x: a}"], []),
        (["parameters: {n: many}"], ["HOT302"]),
        (["parameters: {s: a}", "parameters: {s: b}\nparameter_merge_strategies: {s: merge}"], ["HOT142"]),
        (["parameters: {b: true}\nparameter_merge_strategies: {b: merge}", "parameters: {b: true}"], ["HOT142"]),
        (["parameters: {n: 1}\nparameter_merge_strategies: {n: merge}", "parameters: {n: 2}"], ["HOT142"]),
        (["parameters: {s: a}\nparameter_merge_strategies: {s: glue}"], ["HOT142"]),
    ],
)
def test_diagnostics_of_environments(texts: list[str], expected: list[str]) -> None:
    assert merged(*texts)[1] == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: b", "HOT140"),
        ("parameters:", "HOT140"),
        ("parameters: [a]", "HOT140"),
        ("encrypted_param_names: a", "HOT140"),
        ("event_sinks: [{type: mail}]", "HOT143"),
        ("event_sinks: [mail]", "HOT143"),
        ("event_sinks: []", ""),
        ("event_sinks: [{type: zaqar-queue, target: a}]", ""),
        ("encrypted_param_names: [a]\nparameter_merge_strategies: {a: merge}", ""),
    ],
)
def test_environments_that_heat_refuses(text: str, code: str) -> None:
    _, sink = environments.read_environment_text(Source("env.yaml", text, budget=Budget()))
    assert [d.code for d in sink.diagnostics] == ([code] if code else [])


# the registry

VALUE, NONE = ResolvedType("OS::Heat::Value"), ResolvedType("OS::Heat::None")


def registry(*texts: str) -> ResourceRegistry:
    result, diagnostics = read_registry([environment(f"resource_registry: {text}", n) for n, text in enumerate(texts)])
    assert diagnostics == []
    return result


def target(resolved: ResolvedType) -> str | None:
    return resolved.kind if resolved.is_known else None


@pytest.mark.parametrize(
    ("texts", "kind", "expected"),
    [
        (["{}"], "OS::Heat::Value", "OS::Heat::Value"),
        (["{}"], "OS::Quantum::Net", "OS::Neutron::Net"),
        (["{}"], "My::Type", None),
        (["{}"], "a.yaml", "a.yaml"),
        (["{}"], "a.yml", None),
        (["{My::Type: OS::Heat::Value}"], "My::Type", "OS::Heat::Value"),
        (["{My::Type: My::Other, My::Other: OS::Heat::Value}"], "My::Type", "OS::Heat::Value"),
        (["{My::Type: My::Other, My::Other: My::Type}"], "My::Type", None),
        (["{My::Type: a.yaml}"], "My::Type", "a.yaml"),
        (["{'My::*': OS::Heat::Value}"], "My::Type", "OS::Heat::Value"),
        (["{'My::*': 'OS::Heat::*'}"], "My::Value", "OS::Heat::Value"),
        (["{'My::*': 'OS::Heat::*'}"], "My::Type", None),
        (["{'My::*': OS::Heat::None, My::Type: OS::Heat::Value}"], "My::Type", "OS::Heat::None"),
        (["{'My::*': a.yaml}"], "My::Type", None),
        (["{OS::Heat::Value: OS::Heat::None}"], "OS::Heat::Value", "OS::Heat::None"),
        (["{My::Type: OS::Heat::Value}", "{My::Type: OS::Heat::None}"], "My::Type", "OS::Heat::None"),
        (["{My::Type: OS::Heat::Value}", "{My::Type: null}"], "My::Type", "OS::Heat::Value"),
        (["{My::Type: null}"], "My::Type", None),
        (["{'My::*': 'My::My::*'}"], "My::Type", None),
    ],
)
def test_the_type_behind_a_name(texts: list[str], kind: str, expected: str | None) -> None:
    assert target(registry(*texts).resolve_type(kind)) == expected


def test_an_entry_for_one_resource_comes_first() -> None:
    resource_registry = registry(
        "{'My::*': OS::Heat::Value, resources: {a: {My::Type: OS::Heat::None}, '*': {My::Type: x.yaml}}}"
    )
    assert target(resource_registry.resolve_type("My::Type", "a")) == "OS::Heat::None"
    assert target(resource_registry.resolve_type("My::Type", "b")) == "OS::Heat::Value"


def test_a_later_file_replaces_the_resources_of_an_earlier_one() -> None:
    resource_registry = registry(
        "{resources: {a: {My::Type: OS::Heat::None}}}", "{resources: {b: {My::Type: OS::Heat::Value}}}"
    )
    assert not resource_registry.resolve_type("My::Type", "a").is_known
    assert target(resource_registry.resolve_type("My::Type", "b")) == "OS::Heat::Value"


def test_a_nested_stack_sees_the_rest_of_the_registry() -> None:
    """It sees everything except the entry that created it; of `resources`, only the part under its own name or a
    matching pattern.
    """
    resource_registry = registry(
        "{My::Type: a.yaml, My::Other: OS::Heat::Value,"
        " resources: {web: {inner: {OS::Heat::Value: OS::Heat::None}}, 'w*': {more: {X::Y: OS::Heat::None}}}}"
    )
    made = resource_registry.resolve_type("My::Type", "web")
    child = resource_registry.child_registry("web", made.registration)
    assert not child.resolve_type("My::Type").is_known
    assert target(child.resolve_type("My::Other")) == "OS::Heat::Value"
    assert target(child.resolve_type("OS::Heat::Value", "inner")) == "OS::Heat::None"
    assert target(child.resolve_type("X::Y", "more")) == "OS::Heat::None"
    assert (
        target(resource_registry.child_registry("db", None).resolve_type("OS::Heat::Value", "inner"))
        == "OS::Heat::Value"
    )
    assert resource_registry.child_registry("web", made.registration) is child


@pytest.mark.parametrize("text", ["{r: {hooks: before-create}}", "{r: {restricted_actions: [update, delete]}}"])
def test_hooks_and_actions_are_words_of_heat(text: str) -> None:
    _, diagnostics = read_registry([environment(f"resource_registry: {{resources: {text}}}")])
    assert [d.code for d in diagnostics] == ["HOT143"]


def test_values_reach_nested_stacks_only_as_defaults() -> None:
    outer_environment = environment("parameters: {s: a}\nparameter_defaults: {s: b}")
    values, _ = merge_environments(
        template(PARAMETERS).parameters, [linker.environment_for_nested_stack(outer_environment)], {}, budget=Budget()
    )
    assert values["s"].value == "b"
