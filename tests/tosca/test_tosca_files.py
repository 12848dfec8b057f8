"""Properties of the TOSCA files that need no tool: the report is true, nothing native becomes a node, output is
reproducible.

The files are read back and inspected. Nothing is compared with the emitter's own data.
"""

from __future__ import annotations

import functools
import json
import pathlib
import re
from typing import Any

import hypothesis
import hypothesis.strategies as st
import pytest
import yaml

import transpile
from emitters.tosca import printer
from tests.support.cases import Case, template_cases
from transpile import pipeline
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.report import leaf_paths

CASES = template_cases()
VERSIONS = ("1.3", "2.0")
METADATA = re.compile(
    r"template_(name|author|version)|hot\.(heat_template_version|parameter_groups|capabilities|(parameter|output|environment)\..+)"
)
NODE_METADATA = {"hot.name", "hot.condition", "hot.member_of"}


@functools.cache
def convert(case: Case, version: str, **options: Any) -> transpile.Conversion:
    """A conversion that the tests of a process share."""
    return convert_again(case, version, **options)


def convert_again(case: Case, version: str, **options: Any) -> transpile.Conversion:
    return transpile.convert(
        case.input,
        to="tosca",
        environments=case.environments,
        parameters=case.parameters,
        options={"tosca_version": version, **options},
    )


def document(done: transpile.Conversion) -> Any:
    return yaml.safe_load(done.files["main.yaml"])


def topology(document: Any) -> Any:
    return document.get("topology_template") or document["service_template"]


def paths_given(case: Case) -> dict[str, list[str]]:
    """The paths of all properties that the template sets, by resource."""
    template = pipeline.read_input(case.input, case.input.name, [], budget=Budget())
    assert template is not None
    return {name: list(leaf_paths(r.properties)) for name, r in template.resources.items()}


def found_at(value: Any, path: str) -> bool:
    """Whether a dotted path leads to a value, or into a function in its place."""
    steps = path.split(".") if path else []
    while steps:
        if isinstance(value, dict) and len(value) == 1 and is_call(next(iter(value))):
            return True
        if isinstance(value, list):
            step, steps = steps[0], steps[1:]
            if not step.isdigit() or int(step) >= len(value):
                return False
            value = value[int(step)]
            continue
        if not isinstance(value, dict):
            return False
        for length in range(len(steps), 0, -1):  # keys may contain dots
            key = ".".join(steps[:length])
            key = key if key in value else f"${key}"
            if key in value:
                value, steps = value[key], steps[length:]
                break
        else:
            return False
    return True


def is_call(key: str) -> bool:
    return key.startswith("$") or key in ("get_input", "get_attribute", "concat", "join", "token", "get_artifact")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_each_property_has_a_fate_that_the_file_bears_out(case: Case, version: str) -> None:
    """Every property and key of the template has one entry, and the place that it names exists in the file."""
    done = convert(case, version)
    main = topology(document(done))
    policies = {name: policy for policy_entry in main.get("policies", []) for name, policy in policy_entry.items()}
    there = {**main.get("node_templates", {}), **policies}
    for name, paths in paths_given(case).items():
        resource = done.report["resources"][name]
        assert sorted(resource["properties"]) == sorted(paths), name
        for path, fate in resource["properties"].items():
            assert fate["to"] in there, (name, path)
            assert found_at(there[fate["to"]], fate["argument"]), (name, path, fate)
        for key, fate in resource.get("keys", {}).items():
            assert fate["as"] == "implied" or fate["to"] in there, (name, key)
        assert all(address in there for address in resource["addresses"])


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_keys_of_resources_have_fates(case: Case) -> None:
    """All keys except type and properties have fates, under the template's own words."""
    template = pipeline.read_input(case.input, case.input.name, [], budget=Budget())
    assert template is not None
    reported_resources = convert(case, "1.3").report["resources"]
    words = template.version.dialect.resource
    for name, resource in template.resources.items():
        expected_keys = {k for k in resource.keys if words.get(k, k) not in ("type", "properties", "description")}
        empty = {k for k in expected_keys if words.get(k) == "update_policy" and resource.update_policy is None}
        assert expected_keys - empty <= set(reported_resources[name].get("keys", {})), name


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_counts_and_metadata(case: Case) -> None:
    """Inputs are the parameters and pseudo parameters, outputs the outputs. Metadata has known keys, and
    JSON values.
    """
    template = pipeline.read_input(case.input, case.input.name, [], budget=Budget())
    assert template is not None
    main = document(convert(case, "1.3"))
    top = topology(main)
    inputs = set(top.get("inputs", {}))
    assert set(template.parameters) <= inputs
    assert len(inputs - set(template.parameters) - {n for n in inputs if n.startswith("OS::")}) == len(
        template.mappings
    )
    assert list(top.get("outputs", {})) == list(template.outputs)
    for key, value in main["metadata"].items():
        assert METADATA.fullmatch(key), key
        if key.startswith("hot.") and key != "hot.heat_template_version":
            json.loads(value)
    for node in top.get("node_templates", {}).values():
        assert set(node.get("metadata", {})) <= NODE_METADATA


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_lifted_expressions_have_no_words(case: Case) -> None:
    """An expression node holds a function that TOSCA 1.3 lacks, or a value that fits no type."""
    for name, node in topology(document(convert(case, "1.3"))).get("node_templates", {}).items():
        if node["type"] != "hot.nodes.Expression":
            continue
        expression = json.loads(node["properties"]["expression"])
        if isinstance(expression, dict) and len(expression) == 1:
            (function, argument), *_ = expression.items()
            if function in ("get_param", "get_attr"):
                assert isinstance(argument, list) or argument not in node["properties"].get("arguments", {}), name
            elif function in ("str_replace", "list_join"):
                assert not only_texts(argument), name


def only_texts(argument: Any) -> bool:
    """Whether a string function contains only strings and inputs."""
    return not re.search(r'"(if|get_attr|get_param|repeat|yaql|get_file|str_split|\w+)": ', json.dumps(argument))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_two_runs_give_the_same_bytes(case: Case, version: str) -> None:
    """Files and archives alike."""
    assert convert(case, version).files == convert_again(case, version).files
    assert convert_again(case, version, csar=True).files == convert_again(case, version, csar=True).files


def test_companions_stand_in_a_folder_of_their_own() -> None:
    """All other files are in one folder next to the main file, which refers to them there."""
    case = next(c for c in CASES if c.name == "get_file")
    done = convert(case, "1.3", beside="stack.files")
    assert [n for n in done.files if not n.startswith("stack.files/")] == ["main.yaml"]
    named = re.findall(r"file: ([^,}\s]+)", str(done.files["main.yaml"]))
    assert named
    assert set(named) <= set(done.files)


scalars = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=40)
documents = st.dictionaries(
    st.text(min_size=1, max_size=12),
    st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
        max_leaves=25,
    ),
    min_size=1,
    max_size=4,
)


@hypothesis.given(documents)
def test_a_printed_document_is_read_back(document: Any) -> None:
    """Any document is read back unchanged."""
    assert yaml.safe_load(printer.print_document(document, Source("", "", budget=Budget()))) == document


@pytest.mark.parametrize("version", VERSIONS)
def test_a_number_is_a_float_where_one_is_wanted(version: str, tmp_path: pathlib.Path) -> None:
    """Another node of the type has 0.5, so the property is a float, and so is the input that sets it."""
    path = tmp_path / "input.yaml"
    path.write_text(
        "heat_template_version: 2018-08-31\n"
        "parameters:\n"
        "  wait: {type: number, default: 2, constraints: [range: {min: 1, max: 9}]}\n"
        "  least: {type: number, default: 3}\n"
        "resources:\n"
        "  a: {type: OS::Heat::TestResource, properties: {wait_secs: 0.5}}\n"
        "  b: {type: OS::Heat::TestResource, properties: {wait_secs: {get_param: wait}}}\n"
        "  c: {type: OS::Heat::Delay, properties: {min_wait: {get_param: wait}}}\n"
        "  d: {type: OS::Heat::Delay, properties: {max_jitter: {get_param: least}}}\n"
    )
    done = transpile.convert(path, to="tosca", options={"tosca_version": version})
    made = document(done)
    inputs = topology(made)["inputs"]
    assert (inputs["wait"]["type"], repr(inputs["wait"]["default"])) == ("float", "2.0")
    assert "1.0" in repr(inputs["wait"].get("constraints", inputs["wait"].get("validation")))
    assert inputs["least"] == {"type": "integer", "default": 3}
    kinds = {key: p["type"] for t in made["node_types"].values() for key, p in t.get("properties", {}).items()}
    assert kinds == {"wait_secs": "float", "min_wait": "float", "max_jitter": "integer"}


DEPLOYMENTS = """\
heat_template_version: 2021-04-16
parameters: { text: { type: string } }
resources:
  server: { type: OS::Nova::Server, properties: { image: i, flavor: f, user_data_format: SOFTWARE_CONFIG } }
  component:
    type: OS::Heat::SoftwareComponent
    properties:
      configs:
        - { actions: [CREATE, SUSPEND], tool: script, config: one }
        - { actions: [DELETE], tool: script, config: %s }
  group:
    type: OS::Heat::SoftwareDeploymentGroup
    properties: { config: { get_resource: component }, servers: { a: { get_resource: server } }, actions: [UPDATE] }
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_a_group_of_deployments_has_the_operations_of_its_component(version: str) -> None:
    done = transpile.convert(DEPLOYMENTS % "two", to="tosca", options={"tosca_version": version})
    interfaces = topology(document(done))["node_templates"]["group"]["interfaces"]
    operations = {word: call for interface in interfaces.values() for word, call in interface["operations"].items()}
    texts = {word: str(done.files[call["implementation"]]) for word, call in operations.items()}
    assert texts == {"create": "one", "delete": "two", "suspend": "one"}
    assert "HOT702" not in {d.code for d in done.diagnostics}


@pytest.mark.parametrize("version", VERSIONS)
def test_each_script_without_an_operation_is_said(version: str) -> None:
    """A computed script is no file, so nothing can run it."""
    text = DEPLOYMENTS % "{ get_param: text }"
    done = transpile.convert(text, to="tosca", options={"tosca_version": version})
    assert [text[d.at : d.end] for d in done.diagnostics if d.code == "HOT702"] == ["{ get_param: text }"]
    interfaces = topology(document(done))["node_templates"]["group"]["interfaces"]
    assert {word for interface in interfaces.values() for word in interface["operations"]} == {"create", "suspend"}


PLUGIN = """\
from heat.engine import constraints, properties, resource

S = properties.Schema


class R(resource.Resource):
    properties_schema = {
        'size': S(S.INTEGER, 'The size.', default=6, constraints=[constraints.Range(5, 10)]),
        'half': S(S.NUMBER, constraints=[constraints.Range(min=0.5)]),
        'kind': S(S.STRING, constraints=[constraints.AllowedValues(['a', 'b'], 'pick one')]),
        'even': S(S.INTEGER, 'A number.', constraints=[constraints.Modulo(2)]),
        'name': S(S.STRING, constraints=[constraints.AllowedPattern('[a-z]+'), constraints.Length(max=3)]),
        'items': S(S.LIST, constraints=[constraints.Length(min=1)]),
        'map': S(S.MAP, schema={'key': S(S.STRING, 'The key.', default='x')}),
    }


def resource_mapping():
    return {'A::B': R}
"""
USES = """\
heat_template_version: 2021-04-16
parameters: { size: { type: number } }
resources:
  one:
    type: A::B
    properties: { size: 7, half: 1.5, kind: a, even: 2, name: abc, items: [x], map: { key: k } }
  two: { type: A::B, properties: { size: { get_param: size }, kind: b } }
"""


def convert_plugin(where: pathlib.Path, text: str, version: str) -> transpile.Conversion:
    (where / "plugins").mkdir()
    (where / "plugins" / "m.py").write_text(PLUGIN, encoding="utf-8")
    options = {"tosca_version": version}
    return transpile.convert(text, to="tosca", plugin_dirs=[str(where / "plugins")], options=options)


def test_types_of_plugins_have_the_facts_of_their_schemas(tmp_path: pathlib.Path) -> None:
    written = document(convert_plugin(tmp_path, USES, "1.3"))
    (declared,) = (t["properties"] for t in written["node_types"].values() if t.get("metadata") == {"hot.type": "A::B"})
    notes = {
        name: {key: definition[key] for key in ("description", "default", "constraints") if key in definition}
        for name, definition in declared.items()
    }
    assert notes == {
        "size": {"description": "The size.", "default": 6, "constraints": [{"in_range": [5, 10]}]},
        "half": {"constraints": [{"greater_or_equal": 0.5}]},
        "kind": {"description": "one of a, b (pick one)", "constraints": [{"valid_values": ["a", "b"]}]},
        "even": {"description": "A number; a multiple of 2"},
        "name": {"constraints": [{"pattern": "[a-z]+"}, {"max_length": 3}]},
        "items": {"constraints": [{"min_length": 1}]},
        "map": {},
    }
    (inside,) = (t["properties"] for t in written["data_types"].values())
    assert inside == {"key": {"type": "string", "description": "The key.", "required": False, "default": "x"}}


def test_a_value_that_heat_refuses_takes_its_constraint_away(tmp_path: pathlib.Path) -> None:
    """TOSCA tools would refuse the file, as Heat refuses the stack; the description still says it."""
    written = document(convert_plugin(tmp_path, USES.replace("size: 7", "size: 11"), "1.3"))
    (declared,) = (t["properties"] for t in written["node_types"].values() if t.get("metadata") == {"hot.type": "A::B"})
    assert declared["size"]["description"] == "The size; 5 to 10"
    assert "constraints" not in declared["size"]


def test_constraints_of_plugins_are_validations_in_tosca_2(tmp_path: pathlib.Path) -> None:
    written = document(convert_plugin(tmp_path, USES, "2.0"))
    (declared,) = (t["properties"] for t in written["node_types"].values() if t.get("metadata") == {"hot.type": "A::B"})
    validations = {
        name: definition["validation"] for name, definition in declared.items() if "validation" in definition
    }
    assert validations == {
        "size": {"$and": [{"$greater_or_equal": ["$value", 5]}, {"$less_or_equal": ["$value", 10]}]},
        "half": {"$greater_or_equal": ["$value", 0.5]},
        "kind": {"$valid_values": ["$value", ["a", "b"]]},
        "name": {"$and": [{"$matches": ["$value", "[a-z]+"]}, {"$less_or_equal": [{"$length": ["$value"]}, 3]}]},
        "items": {"$greater_or_equal": [{"$length": ["$value"]}, 1]},
    }
