"""The tables are complete in both directions: everything that Heat has is handled, and everything handled exists.

If one of these tests fails, a row is missing from a table. Add it.
"""

from __future__ import annotations

import ast
import json
import pathlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import yaml

import emitters.hcl.lowering.expressions  # noqa: F401 - fills LOWERS and TEXTS
from emitters.hcl import hooks
from emitters.hcl.lowering.registry import LOWERS, SPLITTERS
from emitters.hcl.resources.handles import ATTRIBUTES
from emitters.hcl.resources.registry import HookRegistry
from emitters.hcl.resources.rules import FINISH, PROPERTIES
from emitters.hcl.tables import mapping, tables
from emitters.hcl.tables.built import read_hook_modules
from tests.support import oracles
from tests.support.cases import all_cases, template_cases
from transpile import evaluate
from transpile.diagnostics import codes
from transpile.diagnostics.rules import RULES
from transpile.front import template as templates
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.intrinsics import INTRINSICS
from transpile.model.source import Source
from transpile.schema.catalog import read_openstack_catalog

ROOT = pathlib.Path(__file__).parent.parent
KINDS = sorted(name for service in tables.list_services() for name in tables.load_table(service))
NATIVE = [
    f"{service}::{name}"
    for service, names in {
        "OS::Nova": "Server KeyPair ServerGroup Flavor FloatingIP FloatingIPAssociation HostAggregate Quota",
        "OS::Neutron": "Net ProviderNet Subnet Port Router RouterInterface RouterGateway FloatingIP "
        "FloatingIPAssociation SecurityGroup SecurityGroupRule QoSPolicy QoSBandwidthLimitRule QoSDscpMarkingRule "
        "QoSMinimumBandwidthRule IKEPolicy IPsecPolicy IPsecSiteConnection Trunk VPNService AddressScope "
        "ExtraRoute ExtraRouteSet Firewall FirewallPolicy FirewallRule FloatingIPPortForward Quota RBACPolicy "
        "Segment SubnetPool LBaaS::LoadBalancer LBaaS::Listener LBaaS::Pool LBaaS::PoolMember "
        "LBaaS::HealthMonitor LBaaS::L7Policy LBaaS::L7Rule Pool PoolMember LoadBalancer HealthMonitor",
        "OS::Cinder": "Volume VolumeAttachment VolumeType QoSSpecs QoSAssociation Quota",
        "OS::Heat": "Value RandomString None CloudConfig MultipartMime SoftwareConfig StructuredConfig ResourceGroup "
        "ResourceChain Delay TestResource",
        "OS::Glance": "WebImage Image",
        "OS::Octavia": "LoadBalancer Listener Pool PoolMember HealthMonitor L7Policy L7Rule Flavor FlavorProfile Quota",
        "OS::Designate": "Zone RecordSet Domain Record",
        "OS::Swift": "Container",
        "OS::Barbican": "Secret Order GenericContainer RSAContainer CertificateContainer",
        "OS::Manila": "Share ShareNetwork SecurityService",
        "OS::Magnum": "Cluster ClusterTemplate Bay BayModel",
        "OS::Trove": "Instance",
        "OS::Keystone": "Domain Project User Group Role UserRoleAssignment GroupRoleAssignment Service Endpoint",
        "AWS::EC2": "Instance SecurityGroup Volume VolumeAttachment EIP EIPAssociation NetworkInterface VPC Subnet "
        "RouteTable SubnetRouteTableAssociation InternetGateway VPCGatewayAttachment",
        "AWS::S3": "Bucket",
    }.items()
    for name in names.split()
]


def sources() -> Iterator[pathlib.Path]:
    for package in ("transpile", "emitters", "grammars"):
        yield from sorted((ROOT / package).rglob("*.py"))


# resource types


@pytest.mark.parametrize("name", KINDS)
def test_a_table_answers_for_everything_that_heat_has(name: str) -> None:
    """Each property and attribute of a mapped type has a rule, and no rule is about something that Heat lacks."""
    kind, facts = tables.load_built_in_tables().find_mapping(name), read_openstack_catalog().find_type(name)
    assert kind is not mapping.UNMAPPED
    assert facts is not None
    if kind.treatment == "embedded":
        return
    expected = {p for p, schema in facts.get("properties", {}).items() if "alias" not in schema}
    assert expected - set(kind.properties) == set(), "properties without a rule"
    assert set(kind.properties) - set(facts.get("properties", {})) == set(), "rules without a property"
    attributes = set(facts.get("attributes", {})) - {"show"}
    assert attributes - set(kind.attributes) == set(), "attributes without a rule"
    assert set(kind.attributes) - attributes == set(), "rules without an attribute"


def rules(rules_by_name: Mapping[str, mapping.Rule], block: str = "") -> Iterator[tuple[mapping.Rule, str]]:
    """All rules, each with the path of its block if it writes one."""
    for rule in rules_by_name.values():
        path = f"{block}{rule.block}" if isinstance(rule, mapping.BlockRule) else ""
        yield rule, path
        yield from rules(rule.fields, f"{path}.")
        yield from rules(rule.keys, block) if isinstance(rule, mapping.HookRule) else ()


def test_each_hook_is_found_in_its_module() -> None:
    """A hook is found by its name without importing all modules, and no two modules have hooks of the same name."""
    hooks.load_hooks()
    registered = {
        name: function.__module__.rpartition(".")[2]
        for registry in (PROPERTIES, FINISH, ATTRIBUTES, hooks.RESOURCES)
        for name, function in registry.items()
    }
    assert registered == read_hook_modules()


def test_each_hook_writes_part_of_a_golden_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook could do anything that no golden case calls, or that keeps the resource with Heat in each of them."""
    hooks.load_hooks()
    registries: dict[str, HookRegistry[Callable[..., Any]]] = {
        "property": PROPERTIES,
        "attribute": ATTRIBUTES,
        "finish": FINISH,
        "resource": hooks.RESOURCES,
    }
    registered = {(sort, name) for sort, registry in registries.items() for name in registry}
    called = set()

    def record_calls(sort: str, name: str, hook: Callable[..., Any]) -> Callable[..., Any]:
        def recorded(*arguments: Any, **named: Any) -> Any:
            answer = hook(*arguments, **named)
            called.add((sort, name))
            return answer

        return recorded

    for sort, name in registered:
        monkeypatch.setitem(registries[sort], name, record_calls(sort, name, registries[sort][name]))
    for case in all_cases():
        if "hcl" in case.targets:
            case.convert_again("hcl")
    assert registered - called == set()


@pytest.mark.parametrize("name", KINDS)
def test_a_table_names_existing_parts_of_the_provider(name: str) -> None:
    """Each argument and block that a rule writes exists in the provider, and each hook is registered."""
    kind = tables.load_built_in_tables().find_mapping(name)
    assert kind is not mapping.UNMAPPED
    hooks.load_hooks()
    if kind.resource:
        assert tables.load_built_in_tables().providers.find_schema(kind.resource) is not None, kind.resource
    if kind.hook:
        assert kind.hook in hooks.RESOURCES
    providers = tables.load_built_in_tables().providers
    for rule, block in rules(kind.properties):
        match rule:
            case mapping.HookRule():  # for one property, or for the whole resource
                assert rule.hook in PROPERTIES or rule.hook in hooks.RESOURCES
            case mapping.BlockRule():
                assert providers.find_block(kind.resource, block) is not None, block
            case mapping.ArgumentRule() | mapping.TextRule():
                assert providers.find_argument(kind.resource, rule.to) is not None, rule.to
            case mapping.EachRule():
                assert providers.find_schema(rule.resource) is not None, rule.resource
            case _:
                assert rule.why, "a rule has the fate of the property, or a reason"
    for attribute in kind.attributes.values():
        assert not attribute.to or providers.find_argument(kind.resource, attribute.to) is not None, attribute.to
        assert not attribute.hook or attribute.hook in ATTRIBUTES or attribute.hook in hooks.RESOURCES


@pytest.mark.parametrize("name", NATIVE)
def test_the_types_that_matter_most_have_a_table(name: str) -> None:
    """None of these types lacks a table, and each occurs in a golden case."""
    kind = tables.load_built_in_tables().find_mapping(name)
    assert kind is not mapping.UNMAPPED
    assert kind.treatment != "embedded"
    assert any(re.search(rf"{name}\b", case.input.read_text(encoding="utf-8")) for case in all_cases())


class Once(yaml.SafeLoader):
    """Rejects duplicate keys."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"{[k for k in keys if keys.count(k) > 1]} twice"
        return super().construct_mapping(node, deep)


@pytest.mark.parametrize("path", sorted(tables.HERE.glob("*.yaml")), ids=lambda p: p.stem)
def test_no_key_occurs_twice(path: pathlib.Path) -> None:
    assert yaml.load(path.read_text(encoding="utf-8"), Loader=Once)


def test_look_ups_search_by_arguments_of_their_data_sources() -> None:
    for lookup in tables.load_built_in_tables().lookups.values():
        arguments = (tables.load_built_in_tables().providers.find_schema(f"data.{lookup.data}") or {"arguments": {}})[
            "arguments"
        ]
        assert not lookup.data or lookup.name in arguments, lookup.key
        assert not lookup.id or lookup.id in arguments, lookup.key
        assert all(read_openstack_catalog().find_type(kind) is not None for kind in lookup.of), lookup.key


# the language


def calls() -> set[str]:
    """The functions that the golden cases use."""
    functions: set[str] = set()
    names = {ir.ParamRef: "fn", ir.ResourceRef: "fn", ir.AttrRef: "fn", ir.Call: "fn", ir.If: "fn"}
    for case in template_cases():
        path = case.input
        template, _ = templates.read_template(Source(path.name, path.read_text(encoding="utf-8"), budget=Budget()))
        assert template is not None
        for expr in expressions(template):
            for node in ir.walk(expr):
                if type(node) in names:
                    functions.add(str(getattr(node, names[type(node)])))
                elif isinstance(node, ir.Repeat):
                    functions.add("repeat")
                elif isinstance(node, ir.FileRef):
                    functions.add("get_file")
    return functions


def expressions(template: ir.Template) -> Iterator[ir.Expr]:
    for resource in template.resources.values():
        parts = (resource.properties, resource.metadata, resource.condition, resource.deletion_policy)
        yield from (e for e in parts if e is not None)
    for output in template.outputs.values():
        yield output.value
    for condition in template.conditions.values():
        yield condition.value


def test_every_function_is_lowered() -> None:
    """A pure function has an HCL form and an implementation for literals."""
    others = {"get_param", "get_resource", "get_attr", "get_file", "Ref", "Fn::GetAtt", "resource_facade", "repeat"}
    conditions = {"if", "equals", "not", "and", "or", "Fn::If", "Fn::Equals", "Fn::Not", "Fn::And", "Fn::Or"}
    later = {"yaql", "Fn::ResourceFacade", "Fn::GetAZs"}
    assert set(INTRINSICS) - others - conditions - later - set(LOWERS) - set(SPLITTERS) == set()
    assert set(INTRINSICS) - others - later - {"if", "Fn::If", "Fn::FindInMap", "Fn::Base64"} - set(
        evaluate.FUNCTIONS
    ) <= {*conditions, "str_replace_strict"}


def test_the_goldens_touch_every_function() -> None:
    assert set(INTRINSICS) - calls() - {"Fn::ResourceFacade"} == set()


def test_the_goldens_touch_every_parameter_type_and_constraint() -> None:
    types, constraints = set[str](), set[str]()
    for case in template_cases():
        path = case.input
        template, _ = templates.read_template(Source(path.name, path.read_text(encoding="utf-8"), budget=Budget()))
        assert template is not None
        for param in template.parameters.values():
            types.add(param.type)
            constraints |= {c.kind for c in param.constraints}
    assert types == {"string", "number", "boolean", "comma_delimited_list", "json"}
    kinds = {"length", "range", "modulo", "allowed_values", "allowed_pattern", "custom_constraint"}
    assert constraints == kinds


@oracles.needs_heat
def test_versions_have_heats_own_functions() -> None:
    """Each version and release name has the functions and condition functions that Heat's template class lists."""
    listed = json.loads((oracles.SHARED / "heat" / "heat_functions.json").read_text(encoding="utf-8"))["versions"]
    seen = 0
    for key, dates in listed.items():
        for name, facts in dates.items():
            version = templates_version(key, name)
            assert version is not None, (key, name)
            assert set(version.functions) - {"Fn::If", "if"} == select_functions(facts, "functions") - {
                "Fn::If",
                "if",
            }, (key, name)
            assert version.conditions == select_functions(facts, "condition_functions"), (key, name)
            seen += 1
    assert seen > 10


def select_functions(facts: dict[str, dict[str, str]], key: str) -> set[str]:
    return {name for name, kind in facts.get(key, {}).items() if kind not in ("Invalid", "Removed")}


def templates_version(key: str, name: str) -> Any:
    template, _ = templates.read_template(Source("t.yaml", f'{key}: "{name}"\n', budget=Budget()))
    return None if template is None else template.version


# the code itself


def test_codes_and_rules_agree() -> None:
    """Each code that the program mentions has a rule that explains it, and each rule is used somewhere."""
    used, mentioned = set[str](), set[str]()
    for path in (*sources(), *sorted((ROOT / "emitters").rglob("*.yaml"))):
        if path.parent.name != "rules" and path.name != "codes.py":
            text = path.read_text(encoding="utf-8")
            mentioned |= set(re.findall(r"\bHOT\d{3}\b", text))
            used |= {getattr(codes, name) for name in re.findall(r"\bcodes\.([A-Z]\w+)", text)}
            used |= set(re.findall(r"\bHOT\d{3}\b", text)) if path.suffix == ".yaml" else set()
    assert mentioned - set(RULES) == set(), "codes without a rule"
    assert set(RULES) - used == set(), "rules that nothing says"


def test_codes_are_called_by_their_names() -> None:
    """No string is a code, but in codes.py: `codes.ONLY_AT_RUN_TIME`, not "HOT404"."""
    strings = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.value}"
        for path in sources()
        if path.name != "codes.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"HOT\d{3}", node.value)
    ]
    assert strings == []


def test_each_code_has_a_name() -> None:
    """One name for each code: two to six words, as `hot2tf explain` shows them."""
    named = {name: code for name, code in vars(codes).items() if name.isupper()}
    assert sorted(named.values()) == sorted(RULES)
    assert [name for name in named if not re.fullmatch(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+){1,5}", name)] == []
    assert RULES["HOT404"].name == "only-at-run-time"


def test_modules_begin_with_one_sentence() -> None:
    """Each module with code has a docstring; its first paragraph is one sentence that says the module's job."""
    for path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, (ast.FunctionDef, ast.ClassDef)) for node in tree.body):
            first = " ".join((ast.get_docstring(tree) or "").partition("\n\n")[0].split())
            assert first.endswith("."), path
            assert not re.search(r"[.!?] [A-Z]", first), path
