"""Homing templates as typed data: every section, every form, every type of constraint."""

from __future__ import annotations

import json
import math
import pathlib
import textwrap
from typing import Any

import pytest

from transpile.diagnostics.model import Diagnostic
from transpile.homing import model, resolve, values
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.text.source import Root

HEAD = 'homing_template_version: "2017-10-10"\n'
ONE = "demands: {web: [{inventory_provider: aai, inventory_type: cloud}]}\n"
TWO = textwrap.dedent("""\
    demands:
      web: [{inventory_provider: aai, inventory_type: cloud}]
      db: [{inventory_provider: aai, inventory_type: cloud}]
    """)
CAPABLE = (
    HEAD + ONE + "constraints: {c: {type: capability, demands: web, properties: {specification: heat, template: %s}}}"
)
HERE = "locations: {here: {latitude: 50.1, longitude: 8.7}}\n"


def read(text: str, parameters: dict[str, Any] | None = None, root: Root | None = None) -> model.LinkedHomingTemplate:
    """A template that has a meaning."""
    linked_template, diagnostics = resolve.load_homing_template(
        Source("homing.yaml", textwrap.dedent(text), budget=Budget()), parameters or {}, root
    )
    assert linked_template is not None, [diagnostic.message for diagnostic in diagnostics]
    return linked_template


def diagnose_text(text: str) -> list[Diagnostic]:
    return resolve.load_homing_template(Source("homing.yaml", textwrap.dedent(text), budget=Budget()))[1]


def constraint(body: str, demands: str = "[web, db]") -> model.TemplateConstraint:
    """A constraint of two demands and a location."""
    text = f"{HEAD}{TWO}{HERE}constraints:\n  c:\n    demands: {demands}\n" + textwrap.indent(
        textwrap.dedent(body), "    "
    )
    return read(text).constraints["c"]


# locations


def test_forms_of_locations() -> None:
    locations = read(
        HEAD
        + ONE
        + textwrap.dedent("""\
        locations:
          point: {latitude: "32.897480", longitude: -97.040443}
          zero: {latitude: 0, longitude: 0}
          host: {host_name: USESTCDLLSTX55ANZ123}
          clli: {clli_code: DLLSTX55}
          address: {sub_thoroughfare: 1, thoroughfare: ATT Way, locality: Bedminster, postal_code: 07921-2694}
        """)
    ).locations
    assert locations["point"].position == (32.89748, -97.040443)
    assert locations["zero"].position == (0.0, 0.0)
    assert locations["host"].host_name == "USESTCDLLSTX55ANZ123"
    assert locations["clli"].clli_code == "DLLSTX55"
    assert locations["address"].placemark["postal_code"] == "07921-2694"
    assert locations["address"].placemark["sub_thoroughfare"] == "1"


# demands


def test_forms_of_demands() -> None:
    (first, second) = (
        read(
            HEAD
            + textwrap.dedent("""\
            demands:
              vG:
              - inventory_provider: aai
                inventory_type: service
                service_type: vG
                attributes: {customer_id: some_company, orchestration-status: Activated, role: {not: [edge]}}
                default_cost: 5
                unique: "false"
              - inventory_provider: aai
                inventory_type: cloud
                filtering_attributes: {cloud-owner: [acme, other]}
                required_candidates: [{inventory_type: cloud, candidate_id: [a, b]}]
                excluded_candidates: [{inventory_type: cloud, candidate_id: c}]
                existing_placement: {candidate_id: a}
                region: north
                candidates: [{candidate_id: x, cost: 5}]
            """)
        )
        .demands["vG"]
        .requirements
    )
    assert (first.provider, first.inventory_type, first.service_type) == ("aai", "service", ("vG",))
    assert first.filters == (
        model.AttributeFilter("customer_id", ("some_company",)),
        model.AttributeFilter("orchestration-status", ("Activated",)),
        model.AttributeFilter("role", ("edge",), negated=True),
    )
    assert (first.default_cost, first.unique) == (5.0, False)
    assert second.filters == (model.AttributeFilter("cloud-owner", ("acme", "other")),)
    assert second.required == (model.CandidateSelection("cloud", ("a", "b")),)
    assert second.excluded == (model.CandidateSelection("cloud", ("c",)),)
    assert second.existing == model.CandidateSelection("", ("a",))
    assert second.region == "north"
    (own,) = second.candidates
    assert (own.id, own.fields) == ("x", {"inventory_type": "cloud", "candidate_id": "x", "cost": 5})


# constraints


def test_distances() -> None:
    distance_constraint = constraint('type: distance_to_location\nproperties: {distance: "<250km", location: here}')
    assert distance_constraint.demands == ("web", "db")
    assert distance_constraint.properties == model.DistanceProperties(
        model.QuantityThreshold("<", -math.inf, 250.0, "km"), "here"
    )
    distance_constraint = constraint("type: distance_between_demands\nproperties: {distance: 250}")
    assert distance_constraint.properties == model.DistanceProperties(model.QuantityThreshold("=", 250.0, 250.0, "km"))


def test_attributes_and_their_operators() -> None:
    properties = constraint("""\
        type: attribute
        properties:
          evaluate:
            plain: SRIOV
            version: {gt: "1.0", lte: 3}
            flavor: {regex: "/^SRIOV$/i"}
            country: {any: [USA, CAN]}
            network_roles: {all: [role1]}
            same: {eq: {a: 1}, ne: [2]}
        """).properties
    assert isinstance(properties, model.AttributeProperties)
    assert [
        (evaluation.attribute, evaluation.operator, evaluation.operand, evaluation.flags)
        for evaluation in properties.evaluations
    ] == [
        ("plain", "eq", "SRIOV", ""),
        ("version", "gt", 1.0, ""),
        ("version", "lte", 3.0, ""),
        ("flavor", "regex", "^SRIOV$", "i"),
        ("country", "any", ["USA", "CAN"], ""),
        ("network_roles", "all", ["role1"], ""),
        ("same", "eq", {"a": 1}, ""),
        ("same", "ne", [2], ""),
    ]


def test_limits() -> None:
    text = "type: threshold\nproperties: {evaluate: [{attribute: latency, operator: lte, threshold: 5, unit: ms}]}"
    assert constraint(text).properties == model.ThresholdProperties(
        (model.ThresholdEntry("latency", "lte", 5.0, "ms"),)
    )


def test_zones_groups_and_fits() -> None:
    zone = constraint("type: zone\nproperties: {qualifier: different, category: disaster}")
    assert zone.properties == model.ZoneProperties("different", "disaster")
    assert constraint("type: inventory_group").properties == model.GroupProperties()
    for kind in ("instance_fit", "region_fit"):
        fit = constraint(f"type: {kind}\nproperties: {{controller: sdn-c, request: {{a: 1}}}}")
        assert fit.properties == model.FitProperties("sdn-c", {"a": 1})
    assert constraint("type: vim_fit\nproperties: {controller: multicloud}").properties == model.FitProperties(
        "multicloud"
    )


def test_hardware() -> None:
    properties = constraint("""\
        type: hpa
        properties:
          evaluate:
          - id: vm1
            type: vnfc
            directives: [{type: flavor_directives}]
            flavorProperties:
            - hpa-feature: basicCapabilities
              hpa-version: v1
              architecture: generic
              mandatory: "False"
              score: "3"
              directives: []
              hpa-feature-attributes:
              - {hpa-attribute-key: numVirtualCpu, hpa-attribute-value: "4", operator: ">=", unit: MB}
        """).properties
    assert isinstance(properties, model.HpaProperties)
    (feature,) = properties.entries[0].features
    assert (feature.feature, feature.mandatory, feature.score) == ("basicCapabilities", False, 3.0)
    assert feature.attributes == (model.HpaAttribute("numVirtualCpu", "4", ">=", "MB"),)


def test_deferred_types() -> None:
    assert constraint("type: license\nproperties: {id: a, key: b}").properties == model.LicenseProperties("a", "b")
    properties = constraint(
        'type: network_between_demands\nproperties: {bandwidth: ">= 1 Gbps", latency: < 50 ms}'
    ).properties
    assert properties == model.NetworkProperties(
        bandwidth=model.QuantityThreshold(">=", 1000.0, math.inf, "Mbps"),
        latency=model.QuantityThreshold("<", -math.inf, 50.0, "ms"),
    )
    properties = constraint("type: network_to_location\nproperties: {distance: 10-20 mi, location: here}").properties
    assert isinstance(properties, model.NetworkProperties)
    assert properties.distance is not None
    assert properties.distance.low == pytest.approx(16.09344)
    assert properties.location == "here"


def test_one_demand_needs_no_list() -> None:
    text = "type: attribute\nproperties: {evaluate: {country: {any: [USA]}}}"
    assert constraint(text, "web").demands == ("web",)


def test_a_threshold_without_quotes_is_read() -> None:
    """The specification prints it so, and YAML refuses it."""
    text = (
        HEAD + TWO + "constraints:\n  c:\n    type: network_between_demands\n    demands: [web, db]\n    properties:\n"
    )
    properties = (
        read(text + "      bandwidth: >= 1000 Mbps # enough\n      latency: < 50 ms\n").constraints["c"].properties
    )
    assert isinstance(properties, model.NetworkProperties)
    assert properties.bandwidth == model.QuantityThreshold(">=", 1000.0, math.inf, "Mbps")
    (warning,) = [
        diagnostic
        for diagnostic in diagnose_text(text + "      bandwidth: >= 1000 Mbps\n")
        if diagnostic.code == "HOT897"
    ]
    assert warning.source is not None
    assert warning.source.text[warning.at] == ">"


# capabilities

STACK = (
    "heat_template_version: 2021-04-16\nresources:\n  web:\n    type: OS::Nova::Server\n    properties: {flavour: m1}\n"
)


def test_a_heat_specification_is_checked(tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(STACK, encoding="utf-8")
    for template in ("stack.yaml", "{get_file: stack.yaml}"):
        linked_template, diagnostics = resolve.load_homing_template(
            Source("homing.yaml", CAPABLE % template, budget=Budget()), {}, Root(tmp_path)
        )
        assert linked_template is not None
        wrong = [diagnostic for diagnostic in diagnostics if "flavour" in diagnostic.message]
        assert [diagnostic.source.name for diagnostic in wrong if diagnostic.source is not None] == ["stack.yaml"]
        properties = linked_template.constraints["c"].properties
        assert isinstance(properties, model.CapabilityProperties)
        assert properties.stack is not None
        assert [*properties.stack.resources] == ["web"]


def test_a_heat_specification_may_be_a_text() -> None:
    text = f"{HEAD}{ONE}constraints:\n  c:\n    type: capability\n    demands: web\n    properties:\n"
    text += "      specification: heat\n"
    diagnostics = diagnose_text(text + "      template: |\n" + textwrap.indent(STACK, "        "))
    assert any("flavour" in diagnostic.message for diagnostic in diagnostics)


def test_files_outside_are_not_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "secret.yaml").write_text(STACK, encoding="utf-8")
    text = CAPABLE % "../secret.yaml"
    _, diagnostics = resolve.load_homing_template(
        Source("homing.yaml", text, budget=Budget()), {}, Root(tmp_path / "inner")
    )
    assert [diagnostic.code for diagnostic in diagnostics if diagnostic.severity == "warning"] == ["HOT878", "HOT867"]


# parameters


def test_parameters_with_paths() -> None:
    linked_template = read(f"""\
        homing_template_version: "2017-10-10"
        parameters:
          service_info: {{costs: [10, 20, "< 30 km"], where: {{lat: 1, long: 2}}}}
          weight: 7
          all: {{get_param: [service_info, costs]}}
        {ONE.strip()}
        locations: {{here: {{latitude: {{get_param: [service_info, where, lat]}}, longitude: {{get_param: [all, 0]}}}}}}
        constraints:
          c:
            type: distance_to_location
            demands: [web]
            properties: {{distance: {{get_param: [service_info, costs, 2]}}, location: here}}
        optimization: {{minimize: {{sum: [{{product: [{{get_param: weight}}, {{distance_between: [here, web]}}]}}]}}}}
        """)
    assert linked_template.locations["here"].position == (1.0, 10.0)
    properties = linked_template.constraints["c"].properties
    assert isinstance(properties, model.DistanceProperties)
    assert properties.threshold == model.QuantityThreshold("<", -math.inf, 30.0, "km")
    path = ("constraints", "c", "properties", "distance")
    assert properties.threshold.path == path
    ref = linked_template.references[path]
    assert ref.name == "service_info"
    assert linked_template.objective is not None
    assert isinstance(linked_template.objective.term, model.ObjectiveOperator)
    product = linked_template.objective.term.operands[0]
    assert isinstance(product, model.ObjectiveOperator)
    number = product.operands[0]
    assert isinstance(number, model.ObjectiveNumber)
    assert number.value == 7.0
    assert linked_template.references[number.path].name == "weight"


def test_values_from_outside(tmp_path: pathlib.Path) -> None:
    text = f"{HEAD}{ONE}parameters: {{lat: 1, long: 2, reach: < 5 km}}\n" + (
        "locations: {here: {latitude: {get_param: lat}, longitude: {get_param: long}}}\n"
        "constraints: {c: {type: distance_to_location, demands: web, properties: "
        "{distance: {get_param: reach}, location: here}}}\n"
    )
    linked_template = read(text, {"lat": "40.5", "reach": "> 7 km"})
    assert linked_template.locations["here"].position == (40.5, 2.0)
    assert linked_template.parameters == {"lat": 40.5, "long": 2, "reach": "> 7 km"}
    plain, nested = tmp_path / "values.yaml", tmp_path / "env.yaml"
    plain.write_text("lat: 3\n")
    nested.write_text("parameters: {lat: 4, long: 5}\n")
    wrong: list[Diagnostic] = []
    assert values.load_values([plain, nested], wrong, Budget()) == {"lat": 4, "long": 5}
    assert wrong == []


def test_a_parameter_that_names_itself() -> None:
    diagnostics = diagnose_text(
        f"{HEAD}{ONE}parameters: {{a: {{get_param: b}}, b: {{get_param: a}}}}\nlocations: {{here: {{get_param: a}}}}"
    )
    assert "HOT865" in [diagnostic.code for diagnostic in diagnostics]


def test_parameters_that_would_grow_without_end() -> None:
    lines = ["  p0: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"  p{i}: [{', '.join([f'{{get_param: p{i - 1}}}'] * 10)}]" for i in range(1, 12)]
    text = f"{HEAD}{ONE}parameters:\n" + "\n".join(lines) + "\nlocations: {here: {get_param: p11}}\n"
    assert "HOT118" in [diagnostic.code for diagnostic in diagnose_text(text)]


# objectives


def objective(text: str, head: str = HEAD) -> model.TemplateObjective:
    template_objective = read(f"{head}{TWO}{HERE}optimization: {text}").objective
    assert template_objective is not None
    return template_objective


def test_the_old_arrangement() -> None:
    near = [model.ObjectiveFunction("distance_between", (demand,), "here") for demand in ("web", "db")]
    template_objective = objective(
        "{minimize: {sum: [{product: [{distance_between: [here, web]}, 2]}, {distance_between: [db, here]}]}}"
    )
    weighted = model.ObjectiveOperator("product", (model.ObjectiveNumber(2.0), near[0]))
    assert template_objective == model.TemplateObjective(
        "minimize", model.ObjectiveOperator("sum", (weighted, near[1]))
    )
    template_objective = objective("{minimize: {distance_between: [here, web]}}")
    assert template_objective.term == near[0]
    inner = "{product: [2, {sum: [{product: [3, {distance_between: [here, web]}]}, {distance_between: [here, db]}]}]}"
    template_objective = objective(f"{{minimize: {{sum: [{inner}]}}}}")
    three = model.ObjectiveOperator("product", (model.ObjectiveNumber(3.0), near[0]))
    assert isinstance(template_objective.term, model.ObjectiveOperator)
    assert template_objective.term.operands == (
        model.ObjectiveOperator(
            "product", (model.ObjectiveNumber(2.0), model.ObjectiveOperator("sum", (three, near[1])))
        ),
    )


def test_the_new_arrangement() -> None:
    operand = "{function: attribute, params: {demand: web, attribute: cost}, weight: 2.5, normalization: %s}"
    operand %= "{start: 0, end: 10}"
    nested = "{operation_function: {operator: min, operands: [%s]}, weight: 3}"
    nested %= "{function: distance_between, params: {demand: db, location: here}}"
    text = f"{{goal: maximize, operation_function: {{operator: sum, operands: [{operand}, {nested}]}}}}"
    template_objective = objective(text, HEAD.replace("2017-10-10", "2020-08-13"))
    assert template_objective == model.TemplateObjective(
        "maximize",
        model.ObjectiveOperator(
            "sum",
            (
                model.ObjectiveFunction("attribute", ("web",), "", "cost", 2.5, model.Normalization(0.0, 10.0)),
                model.ObjectiveOperator("min", (model.ObjectiveFunction("distance_between", ("db",), "here"),), 3.0),
            ),
        ),
    )


# reservations and requests


def test_both_spellings_of_reservations() -> None:
    body = "{demands: [web], properties: {controller: SDN-C, request: {a: 1}}}"
    typed = body.replace("{demands", "{type: instance_reservation, demands", 1)
    (reservation,) = read(f"{HEAD}{ONE}reservations: {{r: {typed}}}").reservations
    assert (reservation.type, reservation.demands, reservation.controller, reservation.request) == (
        "instance_reservation",
        ("web",),
        "SDN-C",
        {"a": 1},
    )
    linked = read(f"{HEAD}{ONE}reservation: {{service_model: ADSL, service_candidates: {{r: {body}}}}}")
    assert linked.service_model == "ADSL"
    assert linked.reservations[0].controller == "SDN-C"


def test_a_request() -> None:
    template = {
        "homing_template_version": "2017-10-10",
        "demands": {"web": [{"inventory_provider": "aai", "inventory_type": "cloud"}]},
    }
    linked_template = read(json.dumps({"name": "a", "num_solution": "all", "limit": 5, "template": template}))
    assert [*linked_template.demands] == ["web"]
    assert [*linked_template.document.request] == ["name", "num_solution", "limit", "template"]
    linked_template = read(json.dumps({"name": "a", "template": json.dumps(template)}))
    assert [*linked_template.demands] == ["web"]


def test_a_request_brings_its_files() -> None:
    template = {
        "homing_template_version": "2017-10-10",
        "demands": {"web": [{"inventory_provider": "aai", "inventory_type": "cloud"}]},
        "constraints": {
            "c": {"type": "attribute", "demands": "web", "properties": {"evaluate": {"role": {"get_file": "role.txt"}}}}
        },
    }
    linked_template = read(json.dumps({"name": "a", "files": {"role.txt": "edge"}, "template": template}))
    properties = linked_template.constraints["c"].properties
    assert isinstance(properties, model.AttributeProperties)
    assert properties.evaluations[0].operand == "edge"


def test_the_version_may_be_a_date() -> None:
    assert read(HEAD.replace('"', "") + ONE).document.version == "2017-10-10"
    assert read(HEAD.replace("2017-10-10", "2021-01-01") + ONE).document.arrangement == model.NEW
