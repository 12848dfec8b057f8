"""Property values: the values that a plug-in gets, and those that Heat rejects.

The expected results are Heat's own, from its documentation or from the probes, never ours. HOT2TF_FUZZ sets the number
of generated resources.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.evaluate.test_evaluate import read
from tests.support import oracles
from tests.support.examples import examples
from transpile import evaluate
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.schema import catalog, constraints, properties
from transpile.schema.parameters import check_constraints
from transpile.schema.properties import UNKNOWN

EXAMPLES = int(os.environ.get("HOT2TF_FUZZ") or examples(60))


def check_properties(kind: str, raw_values: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The values, and the kind and place of each problem."""
    facts = catalog.HEAT.find_type(kind)
    assert facts is not None
    typed, problems = properties.read_properties(facts, raw_values, budget=Budget())
    values = {name: value for name, value in typed.items() if value is not None}
    return values, [(p.kind, ".".join(map(str, p.path))) for p in problems]


def test_each_type_is_found_by_its_line() -> None:
    """Reading one line of a file gives the same result as reading the whole file."""
    folder = pathlib.Path(catalog.__file__).parent
    files = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")}
    index, old = files.pop("index"), files.pop("aliases")
    plugins = files.pop("plugins")
    files.pop("withoutid")  # a list of types
    assert catalog.HEAT.type_names() == index["types"] == sorted(kind for types in files.values() for kind in types)
    assert catalog.HEAT.constraint_names() == index["constraints"]
    assert catalog.read_aliases() == old
    for types in files.values():
        assert {kind: catalog.HEAT.find_type(kind) for kind in types} == types
    assert {kind: catalog.read_openstack_catalog().find_type(kind) for kind in plugins} == plugins
    assert [catalog.HEAT.find_type(kind) for kind in plugins] == [{}] * len(plugins)
    assert catalog.read_openstack_catalog().find_type("OS::Nova::Server") is catalog.HEAT.find_type("OS::Nova::Server")
    assert catalog.HEAT.find_type("OS::Ceilometer::Alarm") == files["aodh"]["OS::Aodh::Alarm"]
    assert [
        catalog.HEAT.find_type(k)
        for k in ("", "heat", "OS::Nova::", 'OS::Nova::Flavor": {"attributes', "OS::Index::heat")
    ] == [{}] * 5


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        ({"type": "integer"}, "5", 5),
        ({"type": "integer"}, 5.7, 5),
        ({"type": "integer", "default": 3}, None, 3),
        ({"type": "integer"}, None, 0),
        ({"type": "number"}, "1.5", 1.5),
        ({"type": "number"}, True, True),
        ({"type": "string"}, 5, "5"),
        ({"type": "string"}, True, "True"),
        ({"type": "string"}, None, ""),
        ({"type": "boolean"}, "TRUE", True),
        ({"type": "boolean", "default": True}, None, True),
        ({"type": "list"}, None, []),
        ({"type": "map", "fields": {"a": {"type": "integer", "default": 1}, "b": {}}}, {}, {"a": 1, "b": None}),
        ({"type": "list", "items": {"type": "string"}}, [1, None], ["1", ""]),
        ({"type": "map", "converts": True}, ["a", 1], '["a", 1]'),
        ({"type": "list", "converts": True}, "a,b", ["a", "b"]),
        ({"type": "list", "items": {"type": "integer"}}, ["1", UNKNOWN], [1, UNKNOWN]),
        ({"type": "any"}, {"a": [None]}, {"a": [None]}),
    ],
)  # fmt: skip
def test_typed(kind: catalog.PropertySchema, given: Any, expected: Any) -> None:
    value, problems = properties.read_typed_value(kind, given, budget=Budget())
    assert (repr(value), problems) == (repr(expected), [])


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        ({"type": "integer"}, "5.0", "'5.0' is not an integer"),
        ({"type": "integer"}, "", "'' is not an integer"),
        ({"type": "number"}, [], "[] is not a number"),
        ({"type": "string"}, 1.5, "1.5 is not a string"),
        ({"type": "boolean"}, "yes", "'yes' is not true or false"),
        ({"type": "boolean"}, 1, "1 is not true or false"),
        ({"type": "list"}, "a,b", "'a,b' is not a list"),
        ({"type": "map"}, "{}", "'{}' is not a map"),
        ({"type": "integer", "constraints": [["range", {"min": 1, "max": 3}]]}, 5, "5 is not between 1 and 3"),
        ({"type": "integer", "constraints": [["range", {"min": 1}]]}, None, "0 is less than 1"),
        ({"type": "list", "constraints": [["length", {"max": 1}]]}, [UNKNOWN, 1], "the length 2 is more than 1"),
        ({"type": "list", "constraints": [["allowed_values", ["a"]]]}, [UNKNOWN, "b"], "['b'] is not one of a"),
        ({"type": "string", "constraints": [["allowed_pattern", "a|b"]]}, "ab", "'ab' does not match the pattern a|b"),
        ({"type": "string", "constraints": [["custom_constraint", "ip_addr"]]}, "x", "'x' is not an IP address"),
        ({"type": "integer", "constraints": [["modulo", {"step": 2, "offset": 0}]]}, 3, "3 is not a multiple of 2"),
    ],
)  # fmt: skip
def test_refused(kind: catalog.PropertySchema, given: Any, message: str) -> None:
    assert [p.message for p in properties.read_typed_value(kind, given, budget=Budget())[1]] == [message]


def test_every_part_is_checked_and_has_its_place() -> None:
    rules = [{"port_range_min": 70000, "zzz": 1}, {"remote_mode": "x", "port_range_max": [1]}]
    _, problems = check_properties("OS::Neutron::SecurityGroup", {"rules": rules, "zzz": 1})
    assert sorted(problems) == [
        ("constraint", "rules.0.port_range_min"),
        ("constraint", "rules.1.remote_mode"),
        ("type", "rules.1.port_range_max"),
        ("unknown", "rules.0.zzz"),
        ("unknown", "zzz"),
    ]


def test_values_that_depend_on_others_are_checked_late() -> None:
    facts = catalog.HEAT.find_type("OS::Cinder::Volume")
    assert facts is not None
    _, problems = properties.read_properties(
        facts, {"size": 0, "scheduler_hints": UNKNOWN, "metadata": {"a": UNKNOWN}}, budget=Budget()
    )
    assert [(p.path, p.late) for p in problems] == [(("size",), False)]
    _, problems = properties.read_properties(
        catalog.HEAT.find_type("OS::Neutron::Net") or {}, {"tags": [UNKNOWN, []]}, budget=Budget()
    )
    assert [(p.path, p.kind, p.late) for p in problems] == [(("tags", 1), "type", False)]
    pools = {"network": "n", "cidr": "10.0.0.0/8", "allocation_pools": [{"start": UNKNOWN, "end": "x", "zzz": 1}]}
    _, problems = properties.read_properties(
        catalog.HEAT.find_type("OS::Neutron::Subnet") or {}, pools, budget=Budget()
    )
    assert {(p.kind, p.late) for p in problems} == {("unknown", True), ("constraint", True)}


def test_properties_of_a_template_that_stands_for_a_type() -> None:
    template = read("""
heat_template_version: 2018-08-31
parameters:
  s: {type: string, constraints: [{allowed_pattern: "[a-z]+", description: letters only}, {length: {max: 3}}]}
  n: {type: number, default: 1, constraints: [{range: {max: 9}}]}
  l: {type: comma_delimited_list, default: ""}
  j: {type: json, default: {}}
""")
    facts: catalog.TypeFacts = {"properties": properties.schemas_of_parameters(template.parameters)}
    typed, problems = properties.read_properties(facts, {"s": "abcd", "n": "5", "l": "a,b", "j": [1]}, budget=Budget())
    assert typed == {"s": "abcd", "n": 5, "l": ["a", "b"], "j": "[1]"}
    assert [p.message for p in problems] == ["the length 4 is more than 3"]
    _, problems = properties.read_properties(facts, {"n": 10}, budget=Budget())
    assert [p.message for p in problems] == ["s is required", "10 is more than 9"]
    assert properties.read_properties(facts, {"s": "1"}, budget=Budget())[1][0].message == "letters only"


def test_the_description_of_a_resource_is_its_property_too() -> None:
    typed, _ = properties.read_properties(
        catalog.HEAT.find_type("OS::Cinder::Volume") or {}, {"size": 1}, "a disk", budget=Budget()
    )
    assert typed["description"] == "a disk"


@pytest.mark.parametrize(
    ("name", "fits", "others"),
    [
        ("ip_addr", ["10.0.0.1", "::1", "::ffff:1.2.3.4"], ["10.0.0", "010.0.0.1", "fe80::1%eth0", ""]),
        ("net_cidr", ["10.0.0.5/24", "::/0", "fe80::/ffff::"], ["10/8", "10.0.0.0/024", "10.0.0.0", "::/129"]),
        ("ip_or_cidr", ["10.0.0.1", "10.0.0.0/24"], ["x", "10.0.0.0/255.255.255.0"]),
        ("mac_addr", ["02:00:00:00:00:01", "2-0-0-0-0-1", "0200.0000.0001", "020000000001"], ["02:00:00:00:00", ""]),
        ("dns_name", ["a.b", "a.b.", ""], ["A.b", "-a", "a..b", "a.1.", "x" * 64]),
        ("dns_domain", ["a.b.", ""], ["a.b"]),
        ("rel_dns_name", ["a.b", ""], ["a.b."]),
        ("iso_8601", ["2020-01-01T00:00:00Z", "2020-1", "20200101T1010+01"], ["202001", "2020-02-30", "", "now"]),
        ("expiration", ["2099-01-01", " 2099-01-01 ", ""], ["2014-01-01", "soon"]),
        ("cron_expression", ["*/5 0-4 1,15 jan mon-fri", "0 0 l * 7", "@daily", ""], ["* * * *", "60 * * * *"]),
        ("timezone", ["UTC", ""], ["Nowhere/City"]),
        ("json_string", ['{"a": 1}', ""], ["{a: 1}"]),
        ("nova.flavor", ["what a cloud knows"], []),
    ],
)  # fmt: skip
def test_custom_constraints(name: str, fits: list[str], others: list[str]) -> None:
    """Heat 27's answer for each of them; generated values were also compared."""
    accepted = [value for value in [*fits, *others] if not constraints.check_custom_constraint(name, value)]
    assert accepted == fits


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("[a-z]*", "abc", True),
        ("[a-z]*", "abc1", False),
        ("(a+)+$", "a" * 50 + "b", True),  # Python, and so Heat, would take far too long: it is not compared
        ("a*b*c*d*", "a" * 5000 + "!", False),
        ("[[:alpha:]]+", "abc", False),  # a set and a bracket, in Python
        ("a{2", "a{2", True),
        ("*", "a", True),  # no pattern at all: no error is reported here
    ],
)
def test_patterns_end_where_the_value_does(pattern: str, value: str, expected: bool) -> None:
    assert constraints.matches_pattern(pattern, value, Budget()) is expected


def test_parameters_have_custom_constraints_too() -> None:
    template = read("""
heat_template_version: 2018-08-31
parameters:
  p: {type: comma_delimited_list, constraints: [{custom_constraint: mac_addr}]}
  s: {type: string, hidden: true, constraints: [{custom_constraint: ip_addr}]}
""")
    p, s = template.parameters.values()
    assert (
        check_constraints(p, ["02:00:00:00:00:01"], custom=True, budget=Budget())
        == "['02:00:00:00:00:01'] is not a MAC address"
    )
    assert check_constraints(p, ["02:00:00:00:00:01"], budget=Budget()) == ""
    assert check_constraints(s, "hunter2", custom=True, budget=Budget()) == "the value is not an IP address"
    assert check_constraints(s, "10.0.0.1", custom=True, budget=Budget()) == ""


# the probes: questions that real Heat has answered

ELSEWHERE = yaml.safe_load("""
a cloud may have constraints of its own: [constraint/custom-unknown]
a parameter without a value is missed when it is used: [parameter/null-default, parameter/required-missing,
  parameter/string-null]
linking asks a default that is not used: [constraint/default-violates]
a constraint that the type cannot have is refused where it is declared: [constraint/length-number,
  constraint/pattern-on-list, constraint/pattern-on-number, constraint/range-on-string, constraint/values-json]
""")
GROUPS = ("property-null", "property-type", "constraint", "parameter")


def probes() -> list[Any]:
    """Questions about properties and parameter values of a single template."""
    path = oracles.SHARED / "heat" / "probes.json"
    if not path.is_file():
        return []
    return [
        probe
        for probe in json.loads(path.read_text())["probes"]
        if probe["group"] in GROUPS
        and (probe["request"].get("typed") or probe["request"].get("level") == "create")
        and not any(probe["request"].get(k) for k in ("files", "env"))
    ]


@oracles.needs_probes
def test_the_probes_agree() -> None:
    """Heat's values and rejections. Those about something else are listed above, each with the reason."""
    asked = probes()
    wrong = {f"{p['group']}/{p['id']}": (answer(p), heats(p)) for p in asked if answer(p) != heats(p)}
    assert sum(bool(p["request"].get("typed")) for p in asked) == 48
    assert len(asked) > 200
    assert set(wrong) == {name for names in ELSEWHERE.values() for name in names}, wrong


def heats(probe: Any) -> Any:
    stored_answer = probe["answer"]
    if probe["request"].get("typed"):
        if "fails" in stored_answer or stored_answer.get("notes"):
            return "refused"
        return stored_answer["value"], sorted(name.split(".")[2] for name in stored_answer.get("errors", ()))
    return "accepted" if stored_answer.get("ok") else "refused"


def answer(probe: Any) -> Any:
    request = probe["request"]
    body = request["body"]
    try:
        template = read(body if isinstance(body, str) else json.dumps(body))
        world = evaluate.World(evaluate.evaluate_parameters(template, request.get("params") or {}))
        if any(
            check_constraints(template.parameters[name], value, custom=True, budget=Budget())
            for name, value in world.parameters.items()
        ):
            return "refused"
        interpreter = evaluate.Interpreter(template, world)
        asked = [(r.type, interpreter.evaluate_properties(r)) for r in template.resources.values()]
    except evaluate.EvaluationError:
        return "refused"
    if not request.get("typed"):
        return "refused" if any(check_properties(kind_of(t), raw_values)[1] for t, raw_values in asked) else "accepted"
    [(kind, raw_values)] = asked
    values, problems = check_properties(kind_of(kind), raw_values)
    hard = sorted({place.split(".")[0] for of, place in problems if of in ("type", "required", "both")})
    return values, hard


def kind_of(expr: Any) -> str:
    return str(ir.to_data(expr) if not isinstance(expr, str) else expr)


# generated resources, read by Heat and by us

ODD: list[Any] = [None, True, False, 0, 1, -1, 5.7, 1.0, "", "a", "5", "5.0", "true", "yes", "a,b", [], ["a"], [None]]
ODD += [{}, {"a": 1}, [[]], [{}], "{}", 70000, "10.0.0.0/24", "10.0.0.1", "* * * * *", "2099-01-01", "UTC"]
PLAIN: dict[str, list[Any]] = {
    "string": ["a", "x y", "5", 5, True],
    "integer": [1, "7", 0, 3.9],
    "number": [1, 1.5, "2.5"],
    "boolean": [True, False, "true"],
    "map": [{}, {"a": {"b": None}}],
    "list": [[], ["a", 1]],
    "any": ODD,
}
FIT: dict[str, list[Any]] = {
    "ip_addr": ["10.0.0.1", "::1"],
    "net_cidr": ["10.0.0.0/24", "fe80::/64"],
    "mac_addr": ["02:00:00:00:00:01"],
    "dns_domain": ["a.b."],
    "expiration": ["2099-01-01T00:00:00Z"],
    "cron_expression": ["0 0 * * mon"],
    "timezone": ["UTC"],
}


def values(kind: catalog.PropertySchema) -> st.SearchStrategy[Any]:
    """Mostly valid values for the schema, sometimes any value."""
    fits = PLAIN[kind["type"]]
    for name, limit, *_ in kind.get("constraints", ()):
        if name == "allowed_values":
            fits = [limit[:2], limit[-1:]] if kind["type"] == "list" else limit
        elif name == "range":
            fits = [*limit.values(), str(next(iter(limit.values()))), limit.get("max", 0) + 1]
        elif name == "length":
            fits = ["x" * n for n in limit.values()]
        elif name == "custom_constraint":
            fits = FIT.get(limit, ["name"])
    strategy: st.SearchStrategy[Any] = st.sampled_from(fits)
    if "fields" in kind:
        strategy = level(kind["fields"])
    elif "items" in kind:
        strategy = st.lists(values(kind["items"]), max_size=2)
    return st.one_of(strategy, strategy, strategy, strategy, strategy, st.sampled_from(ODD))


def level(schemas: dict[str, catalog.PropertySchema]) -> st.SearchStrategy[Any]:
    needed = {name: values(kind) for name, kind in schemas.items() if kind.get("required")}
    others = {name: values(kind) for name, kind in schemas.items() if not kind.get("required")}
    stray = st.sampled_from([{}] * 9 + [{"zzz": 1}])
    return st.builds(lambda a, b: {**a, **b}, st.fixed_dictionaries(needed, optional=others), stray)


def resources() -> st.SearchStrategy[tuple[str, Any]]:
    def of(kind: str) -> st.SearchStrategy[tuple[str, Any]]:
        return level((catalog.HEAT.find_type(kind) or {})["properties"]).map(lambda raw_values: (kind, raw_values))

    checked = [
        k
        for k in catalog.HEAT.type_names()
        if (f := catalog.HEAT.find_type(k)) and not f.get("any") and not f.get("retired")
    ]
    return st.sampled_from(checked).flatmap(of)


@oracles.needs_heat
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(resources())
def test_heat_agrees(resource: tuple[str, Any]) -> None:
    """Both reject the properties, or both accept them with the same values."""
    kind, raw_values = resource
    body = {"heat_template_version": "2021-04-16", "resources": {"r": {"type": kind, "properties": raw_values}}}
    checked = oracles.ask(op="validate", level="create", body=body)
    ours, problems = check_properties(kind, raw_values)
    if not checked["ok"]:
        # plug-ins check more than their schemas, later; those checks are not compared here
        assume(problems or re.search(r"^Property error: resources\.r\.properties\b", checked["error"]))
    assert bool(problems) is not checked["ok"], (resource, checked.get("error"), problems)
    if not problems:
        theirs = oracles.ask(op="eval", typed=True, plugin_deps=False, body=body)["resources"]["r"]["typed"]
        assert json.dumps(ours, sort_keys=True) == json.dumps(theirs, sort_keys=True), resource
