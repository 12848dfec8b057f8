"""Diagnostics of mistakes, with their places and severities: without an engine, and for HAS.

Each line is a mistake: the template, the code, the text at its place, the severity, and the severity with
`--engine has`. The behaviour of HAS is from its answers (tests/homing/probes.py).
"""

from __future__ import annotations

import pytest

from tests.homing import probes
from transpile.diagnostics.rules import homing as rules
from transpile.homing import availability, inventory, resolve
from transpile.model.budget import Budget
from transpile.model.source import Source

HEAD = 'homing_template_version: "2017-10-10"\n'
WEB = "demands: {web: [{inventory_provider: aai, inventory_type: cloud}]}\n"
TWO = "demands: {web: [{inventory_provider: aai, inventory_type: cloud}], db: [{inventory_provider: aai, inventory_type: cloud}]}\n"  # noqa: E501
HERE = "locations: {here: {latitude: 50.1, longitude: 8.7}}\n"
NEAR = f"{HEAD}{WEB}{HERE}constraints: {{c: {{type: distance_to_location, demands: [web], properties: {{distance: %s, location: here}}}}}}\n"  # noqa: E501
BOTH = f"{HEAD}{TWO}{HERE}constraints: {{c: {{type: %s, demands: [web, db], properties: %s}}}}\n"
SUM = f"{HEAD}{TWO}{HERE}optimization: {{minimize: {{sum: [%s, {{distance_between: [here, db]}}]}}}}\n"
NEW = f"{HEAD.replace('2017-10-10', '2020-08-13')}{TWO}{HERE}optimization: {{goal: %s, operation_function: %s}}\n"
DEMAND = f"{HEAD}demands: {{web: [{{inventory_provider: aai, inventory_type: cloud%s}}]}}\n"
FEATURE = BOTH % ("hpa", "{evaluate: [{id: i, type: flavor, directives: [x], flavorProperties: [{hpa-feature: f, hpa-version: v1, architecture: a, directives: [], hpa-feature-attributes: [], mandatory: %s}]}]}")  # fmt: skip # noqa: E501
OPERAND = NEW % ("minimize", "{operator: sum, operands: [%s]}")
REQUEST = '{%s, "template": {"homing_template_version": "2017-10-10", "demands": {"web": [{"inventory_provider": "aai", "inventory_type": "cloud"}]}}}'  # noqa: E501
E, W, I = "error", "warning", "info"  # noqa: E741

MISTAKES = [
    # the document
    (HEAD, "HOT860", "homing_template_version", E, E),
    (f"{HEAD}{WEB}locations: []\n", "HOT860", "[]", E, E),
    (f"{HEAD}{WEB}demands: {{}}\n", "HOT860", "demands", E, E),
    (f'homing_template_version: "2013-05-23"\n{WEB}', "HOT860", '"2013-05-23"', E, E),
    (f'homing_template_version: "2019-01-01"\n{WEB}', "HOT861", '"2019-01-01"', W, E),
    (f"{HEAD}{WEB}optimisation: {{}}\n", "HOT862", "optimisation", W, W),
    (f"{HEAD}{WEB}constraints:\n", "HOT863", "constraints", W, E),
    ('{"nme": 1, "name": "n", "template": {"homing_template_version": "2017-10-10"}}', "HOT896", '"nm', E, E),
    (REQUEST % '"name": "n", "num_solution": 1', "HOT896", "1", E, E),
    (REQUEST % '"name": "n", "timeout": "5"', "HOT896", '"5"', E, E),
    (REQUEST % '"name": "n", "files": ["a"]', "HOT896", '["a"]', E, E),
    (REQUEST % '"id": "n"', "HOT896", '"i', W, W),
    # parameters
    (NEAR % "{get_param: reach}", "HOT864", "{get_param: reach}", E, E),
    (NEAR % "{get_param: [1]}", "HOT865", "[1]", E, E),
    (f"parameters: {{w: 2}}\n{SUM}" % "{product: [{get_param: w}, {distance_between: [here, web]}]}",
     "HOT866", "{get_param: w}", W, W),
    (f"parameters: {{l: here}}\n{NEAR.replace('location: here', 'location: {get_param: l}')}" % '"< 5 km"',
     "HOT866", "{get_param: l}", W, E),
    (f"parameters: {{p: {{a: < 5 km}}}}\n{NEAR}" % "{get_param: [p, a]}", "HOT866", "{get_param: [p, a]}", W, E),
    (f"parameters: {{p: {{a: < 5 km}}}}\n{NEAR}" % "{get_param: [p, b]}", "HOT864", "b]", E, E),
    (BOTH % ("attribute", "{evaluate: {country: {get_file: gone}}}"), "HOT867", "{get_file: gone}", W, W),
    # locations
    (NEAR.replace(", longitude: 8.7", "") % '"< 5 km"', "HOT868", "latitude", E, E),
    (NEAR.replace("8.7", "east") % '"< 5 km"', "HOT868", "east", E, W),
    (NEAR.replace("8.7", "0") % '"< 5 km"', "HOT869", "longitude", W, E),
    (NEAR.replace("50.1", "91") % '"< 5 km"', "HOT870", "91", W, W),
    # demands
    (DEMAND % ", flavour: x", "HOT871", "flavour", E, E),
    (DEMAND.replace("aai", "multicloud") % "", "HOT872", "multicloud", W, E),
    (DEMAND % ", attributes: {a: [b]}", "HOT872", "attributes", W, E),
    (DEMAND.replace("cloud", "service") % "", "HOT872", "inventory_type", W, E),
    (DEMAND % ", subdivision: x", "HOT873", "subdivision", W, W),
    (DEMAND % ", candidates: [x]", "HOT874", "x", E, E),
    (DEMAND % ", candidates: [{candidate_id: x, latitude: 1, longitude: 2}]", "HOT875", "latitude", W, E),
    (DEMAND % ", required_candidates: [{inventory_type: cloud, candidate_id: x}]", "HOT875", "x", W, E),
    (DEMAND % ", filtering_attributes: {state: {ani: [IL]}}", "HOT871", "{ani", W, W),
    (DEMAND % ', unique: "no"', "HOT871", '"no"', W, W),
    (DEMAND % ", required_candidates: {inventory_type: cloud, candidate_id: [x]}", "HOT874", "{inventory_type", E, E),
    (DEMAND % ", required_candidates: [{inventory_type: cloud}]", "HOT874", "{inventory_type", E, E),
    (DEMAND % ", required_candidates: [{inventory_type: cloud, candidate_id: [x], cots: 1}]", "HOT874", "cots", W, W),
    (DEMAND % ", existing_placement: {inventory_type: cloud}", "HOT874", "{inventory_type", W, W),
    (DEMAND % ", candidates: [{candidate_id: x, cots: 1}]", "HOT874", "cots", E, E),
    (DEMAND % ", candidates: [{candidate_id: x, cost: much}]", "HOT874", "much", E, W),
    # constraints
    (BOTH % ("zones", "{}"), "HOT876", "zones", E, E),
    (BOTH % ("zone", "{qualifier: same}"), "HOT876", "properties", E, E),
    (BOTH % ("zone", "{qualifier: same, category: region, weight: 1}"), "HOT876", "weight", E, E),
    (NEAR.replace("[web], prop", "[wep], prop") % '"< 5 km"', "HOT877", "wep", E, E),
    (BOTH.replace("db", "7") % ("inventory_group", "{}"), "HOT877", "7], properties", E, E),
    (BOTH % ("zone", "{qualifier: same, category: region, location: here}"), "HOT883", "location", W, W),
    (BOTH % ("region_fit", "{controller: [a]}"), "HOT876", "[a]", W, W),
    (BOTH % ("vim_fit", "{controller: multicloud, request: {vCPU: many}}"), "HOT876", "many", E, W),
    (BOTH % ("capability", "{template: t}"), "HOT878", "template", I, I),
    (BOTH % ("capability", "{specification: heat, template: [t]}"), "HOT876", "[t]", E, W),
    (BOTH % ("license", "{id: 1, key: 2}"), "HOT878", "license", W, E),
    (f"{HEAD}{WEB}constraints: {{c: {{type: zone, demands: [web], properties: {{qualifier: same, category: region}}}}}}\n",  # noqa: E501
     "HOT883", "[web]", W, W),
    (f"{HEAD}{WEB}constraints: {{c: {{type: distance_between_demands, demands: [web], properties: {{distance: < 5 km}}}}}}\n",  # noqa: E501
     "HOT883", "[web]", E, W),
    (NEAR % '"< 5 miles"', "HOT879", '"< 5 miles"', E, E),
    (NEAR % ".inf", "HOT879", ".inf", E, E),
    (NEAR % "250", "HOT880", "250", W, E),
    (NEAR % '"<250km"', "HOT880", '"<250km"', W, E),
    (NEAR % '"5 km mi"', "HOT880", '"5 km mi"', W, W),
    (NEAR % '"250 km"', "HOT881", '"250 km"', W, W),
    (NEAR % '"10-20 km"', "HOT881", '"10-20 km"', W, W),
    (BOTH % ("attribute", "{evaluate: {version: {gt: 1}}}"), "HOT882", "gt", W, W),
    (BOTH % ("zone", "{qualifier: different, category: time}"), "HOT883", "time", W, W),
    (BOTH % ("vim_fit", "{controller: multicloud}"), "HOT883", "controller", W, W),
    (BOTH % ("threshold", "{evaluate: [{attribute: a, operator: ne, threshold: 1}]}"), "HOT876", "ne", E, W),
    (BOTH % ("threshold", "{evaluate: [{operator: lt, threshold: 1}]}"), "HOT876", "{operator", E, W),
    (BOTH % ("attribute", "{evaluate: {a: {regex: '('}}}"), "HOT876", "'('", E, W),
    (BOTH % ("attribute", "{evaluate: {a: {regex: [x]}}}"), "HOT876", "[x]", E, W),
    (BOTH % ("attribute", "{evaluate: {a: {regex: /x/g}}}"), "HOT876", "/x/g", E, W),
    (BOTH % ("attribute", "{evaluate: {replication_role: [active]}}"), "HOT876", "[active]", E, W),
    (BOTH % ("attribute", "{evaluate: {country: {all: [a, b]}}}"), "HOT891", "[a, b]", W, W),
    (BOTH % ("attribute", "{evaluate: {network_roles: {eq: x}}}"), "HOT882", "eq", W, W),
    (BOTH % ("threshold", "{evaluate: [{attribute: a, operator: lt}]}"), "HOT876", "{attribute", E, W),
    (BOTH % ("hpa", "{evaluate: {id: i}}"), "HOT876", "{id", E, E),
    (FEATURE % '"yes"', "HOT876", '"yes"', W, W),
    (FEATURE % "[a]", "HOT876", "[a]", E, W),
    # objectives
    (SUM % "{distance_betwen: [here, web]}", "HOT884", "distance_betwen", E, E),
    (SUM % "{distance_between: [here, web, db]}", "HOT885", "db", W, W),
    (SUM.replace("minimize", "maximize") % "{distance_between: [here, web]}", "HOT884", "maximize", E, E),
    (SUM % "{sum: [{distance_between: [here, web]}]}", "HOT885", "sum: [{d", W, E),
    (SUM % "{product: [2, {product: [3, {distance_between: [here, web]}]}]}", "HOT885", "product: [3", W, E),
    (SUM % "{product: [2, {distance_between: [here, web], hpa_score: [web]}]}", "HOT884", "{distance_b", E, E),
    (SUM % "{product: [2, {sum: [much]}]}", "HOT884", "much", E, E),
    (SUM % "5", "HOT885", "5", W, E),
    (NEW % ("minimise", "{operator: sum, operands: []}"), "HOT884", "minimise", E, E),
    (NEW % ("minimize", "{operator: max, operands: [{function: attribute, params: {demand: web, attribute: cost}}]}"),
     "HOT885", "max", W, W),
    (OPERAND % "{function: attribute}", "HOT884", "{function", E, E),
    (OPERAND % "{function: attribute, params: {demand: web, attribute: cost}, normalization: 5}", "HOT884", "5", E, W),
    # reservations
    (f"{HEAD}{WEB}reservations: {{r: {{type: instance_reservation, demands: [web]}}}}\n", "HOT886", "reserv", W, W),
    (f"{HEAD}{WEB}reservation: {{service_candidates: {{r: {{demands: [wep]}}}}}}\n", "HOT877", "wep", E, E),
    # likely mistakes
    (f"{HEAD}{WEB}", "HOT888", "web", I, I),
    (f"{HEAD}{WEB}{HERE}", "HOT889", "here", I, I),
    (f"parameters: {{a: 1}}\n{HEAD}{WEB}", "HOT890", "a", I, I),
    (NEAR.replace("constraints: {", "constraints: {d: {type: distance_to_location, demands: [web], properties: {distance: > 9 km, location: here}}, ") % '"< 5 km"',  # noqa: E501
     "HOT891", '"< 5 km"', W, W),
    (NEAR.replace("here", "web") % '"< 5 km"', "HOT892", "web", W, W),
]  # fmt: skip
SAID_ELSEWHERE = {"HOT874", "HOT887", "HOT893", "HOT894", "HOT895", "HOT897", "HOT898", "HOT899"}


@pytest.mark.parametrize(("text", "code", "place", "severity", "engine"), MISTAKES)
def test_a_mistake_has_its_code_and_its_place(text: str, code: str, place: str, severity: str, engine: str) -> None:
    linked, diagnostics = resolve.load_homing_template(Source("homing.yaml", text, budget=Budget()))
    (here,) = [
        diagnostic for diagnostic in diagnostics if diagnostic.code == code and text[diagnostic.at :].startswith(place)
    ][:1]
    assert here.severity == severity
    assert (linked is None) == any(diagnostic.severity == "error" for diagnostic in diagnostics)
    _, diagnostics = resolve.load_homing_template(Source("homing.yaml", text, budget=Budget()), engine="has")
    (here,) = [
        diagnostic for diagnostic in diagnostics if diagnostic.code == code and text[diagnostic.at :].startswith(place)
    ][:1]
    assert here.severity == engine


def test_every_code_is_tried() -> None:
    codes = {rule.code for rule in rules.TABLE if rule.code >= "HOT860"}  # lower ones are about targets
    assert codes <= {code for _, code, *_ in MISTAKES} | SAID_ELSEWHERE


@pytest.mark.parametrize(
    "text",
    [
        NEAR % "{get_param: reach}",
        f"parameters: {{p: []}}\n{NEAR}" % "{get_param: [p, 0]}",
        (NEAR % "< 5 km").replace("50.1", "{get_param: north}"),
        (NEAR % "< 5 km").replace("properties: {distance: < 5 km, location: here}", "properties: {get_param: all}"),
    ],
)
def test_a_reference_without_a_value_is_one_error(text: str) -> None:
    _, diagnostics = resolve.load_homing_template(Source("homing.yaml", text, budget=Budget()))
    assert [diagnostic.code for diagnostic in diagnostics if diagnostic.severity == "error"] == ["HOT864"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (NEAR.replace("[web], prop", "[weeb], prop") % '"< 5 km"', "Did you mean web?"),
        (NEAR.replace("location: here", "location: hre") % '"< 5 km"', "Did you mean here?"),
        (f"parameters: {{reach: < 5 km}}\n{NEAR}" % "{get_param: raech}", "Did you mean reach?"),
        (f"{HEAD}{WEB}constraint: {{}}\n", "Did you mean constraints?"),
        (DEMAND % ", inventory_typ: x", "Did you mean inventory_type?"),
        (NEAR.replace("distance:", "distanse:") % '"< 5 km"', "Did you mean distance?"),
        (BOTH % ("zone", "{qualifier: same, category: regoin}"), "Did you mean region?"),
        (BOTH % ("instance-fit", "{}"), "Did you mean instance_fit?"),
        (NEAR % '"250 km"', 'Did you mean "< 250 km"?'),
        (NEAR % '"< 5 KM"', "Did you mean km?"),
        (NEAR.replace("50.1", "150") % '"< 5 km"', "Are latitude and longitude interchanged?"),
        (NEAR.replace("location: here", "location: web") % '"< 5 km"', "web is a demand."),
    ],
)
def test_hints(text: str, hint: str) -> None:
    assert hint in [
        diagnostic.hint for diagnostic in resolve.load_homing_template(Source("homing.yaml", text, budget=Budget()))[1]
    ]


def test_zones_that_contradict_each_other() -> None:
    both = "{a: {type: zone, demands: [web, db], properties: {qualifier: same, category: region}}, "
    both += "b: {type: zone, demands: [db, web], properties: {qualifier: different, category: region}}}"
    diagnostics = resolve.load_homing_template(
        Source("homing.yaml", f"{HEAD}{TWO}constraints: {both}\n", budget=Budget())
    )[1]
    assert [diagnostic.message for diagnostic in diagnostics if diagnostic.code == "HOT891"] == [
        "b contradicts a: same and different region."
    ]


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ("< 5 km", "> 5 km", True),
        ("<= 5 km", ">= 5 km", False),
        ("< 5 km", ">= 5 km", True),
        ("10-20 km", "< 11 km", False),
        ("10-20 km", "< 6 mi", True),
        ("> 5 km", "> 10 km", False),
    ],
)
def test_thresholds_that_contradict_each_other(one: str, other: str, clash: bool) -> None:
    more = "constraints: {d: {type: distance_to_location, demands: [web], properties: "
    more += f'{{distance: "{one}", location: here}}}}, '
    text = NEAR.replace("constraints: {", more) % f'"{other}"'
    assert (
        "HOT891" in [d.code for d in resolve.load_homing_template(Source("homing.yaml", text, budget=Budget()))[1]]
    ) is clash


def test_facts_that_the_inventory_lacks() -> None:
    text = f"{HEAD}{TWO}".replace("cloud}], db", "transport}], db") + "locations: {here: {host_name: A}}\n"
    linked, _ = resolve.load_homing_template(Source("homing.yaml", text, budget=Budget()))
    assert linked is not None
    stock, wrong = inventory.read_inventory(
        Source("inventory.yaml", "[{candidate_id: a, inventory_type: cloud}]\n", budget=Budget())
    )
    assert not wrong
    assert [(diagnostic.code, diagnostic.message) for diagnostic in availability.check_availability(linked, stock)] == [
        ("HOT899", "The inventory has no location A, which here names."),
        ("HOT899", "The inventory has no candidate for the demand web."),
    ]


# hostile input

HOSTILE = [
    "homing_template_version:\n",
    "homing_template_version: &a [*a]\n",
    '{"homing_template_version": ' + "[" * 5000 + "]" * 5000 + "}",
    HEAD + "demands: " + "[" * 90 + "]" * 90,
    HEAD + "? [a]\n: b\n",
    HEAD + "demands: !!python/object:os.system {}\n",
    HEAD + WEB + "constraints: {c: {type: {}, demands: {}, properties: 5}}\n",
    HEAD + WEB + "constraints: {c: {type: [], demands: [[], {}, null, 1.5], properties: []}}\n",
    HEAD + WEB + "optimization: {minimize: {sum: [{product: {}}, [], null, {product: [[]]}]}}\n",
    HEAD + WEB + "optimization: {minimize: {sum: [{}, {a: 1, b: 2}]}}\n",
    HEAD + WEB + "reservation: {service_candidates: [], a: {}}\n",
    HEAD + WEB + "parameters: {1: 2, true: false, null: x}\n",
    '{"name": 1, "template": "homing_template_version"}',
    '{"name": 1, "files": 5, "template": {"homing_template_version": null}}',
    NEAR % ("'" + "<" * 10_000 + "'"),
    NEAR % "{get_param: {get_param: {get_param: a}}}",
    BOTH % ("attribute", "{evaluate: {a: {regex: '/(a+)+$/'}, b: {any: 5}, c: {}, network_roles: 5}}"),
    BOTH % ("hpa", "{evaluate: [5, {}, {id: 1, type: 2, directives: [], flavorProperties: 5}]}"),
    BOTH % ("threshold", "{evaluate: [5, {}, {attribute: [], operator: {}, threshold: x}]}"),
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("engine", ["", "has"])
def test_bad_input_is_a_diagnostic(text: str, engine: str) -> None:
    linked, diagnostics = resolve.load_homing_template(Source("homing.yaml", text, budget=Budget()), engine=engine)
    assert diagnostics
    assert engine or linked is not None or any(diagnostic.severity == "error" for diagnostic in diagnostics)


# the questions that HAS answered

EVERY = probes.read()


@pytest.mark.skipif(not EVERY, reason="HOT2TF_SHARED leads to no probes")
@pytest.mark.parametrize("probe", EVERY, ids=lambda probe: probe.id)
def test_the_verdict_is_the_one_that_follows(probe: probes.Probe) -> None:
    """But for those that differ on purpose, each of which differs still."""
    stock = probes.stock()
    deliberate = {name for names in probes.DELIBERATE.values() for name in names}
    assert (probe.verdict(stock=stock) in probe.expected) is (probe.id not in deliberate)


@pytest.mark.skipif(not EVERY, reason="HOT2TF_SHARED leads to no probes")
def test_has_refuses_the_same_as_before() -> None:
    wrong = {probe.id for probe in EVERY if (probe.verdict("has") == probes.ERROR) is probe.accepted}
    assert wrong == probes.OF_INVENTORY
    stock = probes.stock()
    assert stock is not None
    wrong = {probe.id for probe in EVERY if (probe.verdict("has", stock) == probes.ERROR) is probe.accepted}
    assert wrong == {"demand-53"}
