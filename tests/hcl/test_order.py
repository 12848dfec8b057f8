"""Terraform creates everything in Heat's order, through modules too: nothing that Heat creates after a whole nested
stack comes before any of its resources.
"""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest

import transpile
from tests.support import conversions, oracles, order, ordered_corpus, random_stacks
from tests.support.cases import Case, template_cases
from tests.support.files import write_files
from tests.support.terraform_graph import Configuration, format_node
from transpile import Conversion
from transpile.resolve import graph

HOT = "heat_template_version: 2021-04-16\n"
CASES = [case for case in template_cases() if "hcl" in case.targets]
SEEDS = range(60)
INFRA = (
    HOT
    + """
resources:
  net: {type: OS::Neutron::Net, properties: {name: foo}}
  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
outputs:
  net: {value: {get_resource: net}}
"""
)
APP = (
    HOT
    + """
parameters: {network: {type: string, default: x}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: network}}}
  volume: {type: OS::Cinder::Volume, properties: {size: 1}}
  copy: {type: OS::Cinder::Volume, properties: {source_volid: {get_resource: volume}}}
"""
)


def converted(where: pathlib.Path, **templates: str) -> Conversion:
    """Converts `stack` beside the other templates, and proves the order."""
    done = conversions.convert_templates(where, templates)
    violations = order.Order(order.linked(where / "stack.yaml"), done.files, done.report).unordered
    assert violations == [] or reports_weaker_order(done), [str(violation) for violation in violations]
    assert order.early_reads(done.files) == []
    return done


def reports_weaker_order(done: Conversion) -> bool:
    """Whether a diagnostic tells of a weaker order."""
    return any(d.code in ("HOT568", "HOT569") for d in done.diagnostics)


def depends_on(done: Conversion, file: str) -> dict[str, list[str]]:
    """The `depends_on` of the blocks of a file, by their last label."""
    text = done.files[file]
    assert isinstance(text, str)
    dependencies = {}
    for label, body in re.findall(r'^\w+ (?:"[^"]*" )*"([^"]*)" \{\n(.*?)^\}', text, re.M | re.S):
        if match := re.search(r"^  depends_on = \[(.*?)\]", body, re.M | re.S):
            dependencies[label] = re.findall(r"[\w.]+", match[1])
    return dependencies


def stack(resources: str, outputs: str = "{}") -> str:
    return f"{HOT}resources:\n{resources}outputs: {outputs}\n"


# whole conversions


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_goldens_have_the_order_of_heat(case: Case) -> None:
    done = case.convert()
    if not done.ok:
        return
    linked = order.linked(case.input, case.environments, case.parameters, render=case.options.get("render"))
    violations = order.Order(linked, done.files, done.report).unordered
    assert violations == [] or reports_weaker_order(done), [str(violation) for violation in violations]
    assert order.early_reads(done.files) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_random_trees_have_the_order_of_heat(seed: int, tmp_path: pathlib.Path) -> None:
    """The order has no cycle, which the graph would refuse."""
    write_files(tmp_path, random_stacks.Tree(seed).files)
    converted(tmp_path)


@pytest.mark.parametrize("seed", SEEDS)
def test_modules_with_data_sources_and_registries_have_it_too(seed: int, tmp_path: pathlib.Path) -> None:
    """Some modules look something up, so they cannot wait as a whole, and some templates have two registries."""
    names = []
    for number, (name, text) in enumerate(random_stacks.Tree(seed).files.items()):
        template = json.loads(text)
        if name != "stack.yaml" and (seed + number) % 3 == 0:
            port = {"type": "OS::Neutron::Port", "properties": {"network": "outside"}}
            template["resources"]["lookup"] = port
        names = list(template["resources"])
        (tmp_path / name).write_text(json.dumps(template), encoding="utf-8")
    registered = {name: {f"My::{name}": "part_0.yaml"} for name in names[::2]}
    (tmp_path / "env.yaml").write_text(json.dumps({"resource_registry": {"resources": registered}}), encoding="utf-8")
    done = conversions.convert(tmp_path / "stack.yaml", environments=[tmp_path / "env.yaml"])
    linked = order.linked(tmp_path / "stack.yaml", [tmp_path / "env.yaml"])
    violations = order.Order(linked, done.files, done.report).unordered
    assert violations == [], [str(violation) for violation in violations]


@pytest.mark.long
@oracles.needs_corpus
def test_the_corpus_has_the_order_of_heat() -> None:
    """A part of it; `python -m benchmarks.order` takes all."""
    asked = list(ordered_corpus.jobs("faithful"))[::29]
    violations = [violation for job in asked for violation in ordered_corpus.judge(job)[2]]
    assert [violation for violation in violations if not violation.startswith("told:")] == []


@oracles.needs_providers
@pytest.mark.parametrize("seed", [1, 2, 3, 5, 8, 13])
def test_the_graph_is_that_of_terraform(seed: int, tmp_path: pathlib.Path) -> None:
    """Our graph leads from the same resources to the same resources as terraform's own, and terraform accepts all."""
    source, where = tmp_path / "templates", tmp_path / "hcl"
    source.mkdir()
    write_files(source, random_stacks.Tree(seed).files)
    done = transpile.convert(source / "stack.yaml")
    write_files(where, done.files)
    assert oracles.invalid(where) == []
    ours = Configuration(done.files)
    drawn = oracles.terraform(where, "graph", "-type=plan").stdout
    assert drawn
    theirs: dict[str, list[str]] = {}
    for origin, to in re.findall(r'"\[root\] (.*?)" -> "\[root\] (.*?)"', drawn):
        theirs.setdefault(origin, []).append(to)
    nodes_by_label = {f"{format_node(node)} (expand)": node for node in ours.bits}
    for name, node in nodes_by_label.items():
        beyond = {nodes_by_label[label] for label in graph.reachable_nodes(theirs, [name]) if label in nodes_by_label}
        mine = {other for other, bit in ours.bits.items() if ours.reached[node] & bit}
        assert mine == beyond, name


# carriers of the order


def test_an_output_waits_for_resources_that_its_value_does_not_reach(tmp_path: pathlib.Path) -> None:
    """Nothing else is needed where all that waits reads it."""
    app = APP[: APP.index("  volume")]
    resources = """
  infra: {type: infra.yaml}
  app: {type: app.yaml, depends_on: infra, properties: {network: {get_attr: [infra, net]}}}
"""
    done = converted(tmp_path, stack=stack(resources), infra=INFRA, app=app)
    assert depends_on(done, "modules/infra/outputs.tf") == {"net": ["openstack_networking_subnet_v2.sub"]}
    assert depends_on(done, "modules/app/main.tf") == {}
    assert "wait_for" not in str(done.files["main.tf"])
    assert done.report["resources"]["app"]["keys"]["depends_on"]["as"] == "implied"


def test_nothing_waits_for_an_output_that_only_outputs_read(tmp_path: pathlib.Path) -> None:
    outputs = "{net: {value: {get_attr: [infra, net]}}}"
    done = converted(tmp_path, stack=stack("  infra: {type: infra.yaml}\n", outputs), infra=INFRA)
    assert depends_on(done, "modules/infra/outputs.tf") == {}


def test_a_resource_depends_on_a_module_that_it_does_not_read(tmp_path: pathlib.Path) -> None:
    resources = """
  infra: {type: infra.yaml}
  volume: {type: OS::Cinder::Volume, depends_on: infra, properties: {size: 1}}
"""
    done = converted(tmp_path, stack=stack(resources), infra=INFRA)
    assert depends_on(done, "main.tf") == {"volume": ["module.infra"]}


def test_a_module_with_data_sources_gets_the_waits_of_its_resources(tmp_path: pathlib.Path) -> None:
    """Only the resources that others wait for depend on it: all of the module would delay the data sources."""
    resources = "  infra: {type: infra.yaml}\n  app: {type: app.yaml, depends_on: infra}\n"
    done = converted(tmp_path, stack=stack(resources), infra=INFRA, app=APP)
    assert "modules/app/data.tf" in done.files
    assert depends_on(done, "modules/app/main.tf") == {"port": ["var.wait_for"], "volume": ["var.wait_for"]}
    assert "wait_for = [module.infra]" in re.sub(" +", " ", str(done.files["main.tf"]))
    fate = done.report["resources"]["app"]["keys"]["depends_on"]
    assert (fate["as"], fate["to"], fate["argument"]) == ("derived", "module.app", "wait_for")
    assert "depends_on" not in str(done.files["main.tf"])


def test_a_module_without_data_sources_waits_as_a_whole(tmp_path: pathlib.Path) -> None:
    """As the nested stack does in Heat. Neither module has a variable or a list for it."""
    resources = (
        "  infra: {type: infra.yaml}\n"
        "  app: {type: app.yaml, depends_on: infra, properties: {network: {get_attr: [infra, net]}}}\n"
        "  other: {type: app.yaml, properties: {network: {get_attr: [infra, net]}}}\n"
    )
    done = converted(tmp_path, stack=stack(resources), infra=INFRA, app=APP)
    assert depends_on(done, "main.tf") == {"app": ["module.infra"], "other": ["module.infra"]}
    assert depends_on(done, "modules/app/main.tf") == depends_on(done, "modules/infra/outputs.tf") == {}
    assert "wait_for" not in "".join(map(str, done.files.values()))
    fate = done.report["resources"]["app"]["keys"]["depends_on"]
    assert (fate["as"], fate["to"], fate["argument"]) == ("value", "module.app", "depends_on")


@pytest.mark.parametrize("extra", [2, 4])
def test_a_long_list_at_an_output_is_one_reference(extra: int, tmp_path: pathlib.Path) -> None:
    """A reader of the output depends on the module, where the output would list more than three resources."""
    volumes = "".join(f"  v{i}: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}\n" for i in range(extra))
    infra = INFRA.replace("outputs:", f"{volumes}outputs:")
    resources = (
        "  infra: {type: infra.yaml}\n"
        "  port: {type: OS::Neutron::Port, properties: {network: {get_attr: [infra, net]}}}\n"
    )
    done = converted(tmp_path, stack=stack(resources), infra=infra)
    lists = depends_on(done, "modules/infra/outputs.tf")
    assert depends_on(done, "main.tf") == ({} if extra == 2 else {"port": ["module.infra"]})
    assert [len(addresses) for addresses in lists.values()] == ([3] if extra == 2 else [])


def test_it_reaches_two_levels_deep(tmp_path: pathlib.Path) -> None:
    resources = "  infra: {type: infra.yaml}\n  app: {type: outer.yaml, depends_on: infra}\n"
    outer = f"{HOT}resources: {{inner: {{type: app.yaml}}}}\n"
    done = converted(tmp_path, stack=stack(resources), infra=INFRA, app=APP, outer=outer)
    assert "wait_for = [var.wait_for]" in re.sub(" +", " ", str(done.files["modules/outer/main.tf"]))


@pytest.mark.parametrize(
    "kind",
    [
        "type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: app.yaml}}",
        "type: OS::Heat::Stack, properties: {template: {get_file: app.yaml}}",
        "type: OS::Heat::ResourceChain, properties: {resources: [app.yaml, app.yaml]}",
        "type: app.yaml, condition: {equals: [{get_param: 'OS::stack_name'}, a]}",
        "type: OS::Custom::Thing",
    ],
)
def test_every_kind_of_call_waits_and_is_waited_for(kind: str, tmp_path: pathlib.Path) -> None:
    """Groups, stacks, chains, conditions, and resources that stay with Heat."""
    resources = f"  infra: {{type: infra.yaml}}\n  middle: {{{kind}, depends_on: infra}}\n"
    resources += "  last: {type: app.yaml, depends_on: middle}\n"
    converted(tmp_path, stack=stack(resources), infra=INFRA, app=APP)


def test_members_of_a_chain_wait_for_the_one_before(tmp_path: pathlib.Path) -> None:
    resources = "  chain: {type: OS::Heat::ResourceChain, properties: {resources: [app.yaml, app.yaml]}}\n"
    done = converted(tmp_path, stack=stack(resources), app=APP)
    graph_ = Configuration(done.files)
    first = sum(bit for (path, _), bit in graph_.bits.items() if path == ("chain_0",))
    last = [graph_.reached[node] for node in graph_.bits if node[0] == ("chain_1",)]
    assert len(last) == 3
    assert all(reached & first == first for reached in last)


def test_waits_pass_through_resources_that_become_nothing(tmp_path: pathlib.Path) -> None:
    """A stack without resources, and a value, wait for others in Heat; a resource that waits for them waits for those
    others.
    """
    empty = f"{HOT}parameters: {{p: {{type: string}}}}\noutputs: {{o: {{value: x}}}}\n"
    resources = """
  infra: {type: infra.yaml}
  empty: {type: empty.yaml, properties: {p: {get_attr: [infra, net]}}}
  value: {type: OS::Heat::Value, depends_on: empty, properties: {value: x}}
  volume: {type: OS::Cinder::Volume, properties: {size: 1, name: {get_attr: [value, value]}}}
"""
    done = converted(tmp_path, stack=stack(resources), infra=INFRA, empty=empty)
    assert depends_on(done, "main.tf") == {"volume": ["module.infra"]}


def test_nothing_waits_for_a_random_value(tmp_path: pathlib.Path) -> None:
    """Nobody can see when it was made."""
    resources = "  word: {type: OS::Heat::RandomString}\n  app: {type: app.yaml, depends_on: word}\n"
    done = converted(tmp_path, stack=stack(resources), app=APP)
    assert "wait_for" not in str(done.files["main.tf"])


def test_a_cycle_of_terraform_is_told(tmp_path: pathlib.Path) -> None:
    """A router stands for its gateway, too, whose network is in a stack that uses the router."""
    inner = """
parameters: {router: {type: string}}
resources:
  out: {type: OS::Neutron::Net}
  net: {type: OS::Neutron::Net}
  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  face: {type: OS::Neutron::RouterInterface, properties: {router: {get_param: router}, subnet: {get_resource: sub}}}
outputs: {net: {value: {get_resource: out}}}
"""
    resources = """
  router: {type: OS::Neutron::Router}
  part: {type: part.yaml, depends_on: router, properties: {router: {get_resource: router}}}
  gate:
    type: OS::Neutron::RouterGateway
    properties: {router_id: {get_resource: router}, network: {get_attr: [part, net]}}
"""
    done = converted(tmp_path, stack=stack(resources), part=HOT + inner)
    assert reports_weaker_order(done)
    fates: dict[str, Any] = done.report["resources"]["part"]["keys"]
    assert fates["depends_on"]["code"] == "HOT568"
    text = "".join(str(content) for content in done.files.values())
    assert "wait_for" not in text
    assert "external_network_id = module.part.net" in re.sub(" +", " ", text)


# modules of one template


def converted_twins(where: pathlib.Path, resources: str, registered: str, **templates: str) -> Conversion:
    """Converts a stack whose environment gives some resources a registry of their own, which none of their templates
    uses, and proves the order.
    """
    for name, text in {**templates, "stack": stack(resources)}.items():
        (where / f"{name}.yaml").write_text(text, encoding="utf-8")
    own = "".join(f"    {name}: {{'My::{name}': app.yaml}}\n" for name in registered.split())
    (where / "env.yaml").write_text(f"resource_registry:\n  resources:\n{own}", encoding="utf-8")
    done = conversions.convert(where / "stack.yaml", environments=[where / "env.yaml"])
    linked = order.linked(where / "stack.yaml", [where / "env.yaml"])
    violations = order.Order(linked, done.files, done.report).unordered
    assert violations == [], [str(violation) for violation in violations]
    return done


def modules_of(done: Conversion) -> list[str]:
    return sorted({name.split("/")[1] for name in done.files if name.startswith("modules/")})


def test_modules_that_only_some_callers_let_wait_are_one(tmp_path: pathlib.Path) -> None:
    """Two registries made two modules of one template, and only the waits of their callers differed."""
    resources = """
  volume: {type: OS::Cinder::Volume, properties: {size: 1}}
  a: {type: app.yaml, depends_on: volume}
  b: {type: app.yaml}
  c: {type: middle.yaml}
"""
    middle = HOT + "resources:\n  net: {type: OS::Neutron::Net}\n  d: {type: app.yaml, depends_on: net}\n"
    done = converted_twins(tmp_path, resources, "a c", app=APP, middle=middle)
    assert modules_of(done) == ["app", "middle"]
    main = re.sub(" +", " ", str(done.files["main.tf"]))
    assert main.count('source = "./modules/app"') == 2
    assert main.count("wait_for") == 1


def test_modules_are_one_for_all_reads_of_callers(tmp_path: pathlib.Path) -> None:
    """An output that one caller lets others wait for waits in all of them, at each depth."""
    outer = (
        HOT
        + "resources:\n  infra: {type: infra.yaml}\n"
        + "outputs:\n  net: {value: {get_attr: [infra, net]}}\n  id: {value: {get_attr: [infra, net]}}\n"
    )
    resources = """
  a: {type: outer.yaml}
  b: {type: outer.yaml}
  c: {type: infra.yaml}
  read: {type: app.yaml, properties: {network: {get_attr: [b, net]}}}
"""
    app = f"{APP}  other: {{type: OS::Neutron::Port, properties: {{network: outside}}}}\n"
    done = converted_twins(tmp_path, resources, "a", infra=INFRA, outer=outer, app=app)
    assert modules_of(done) == ["app", "infra", "outer"]
    assert depends_on(done, "modules/outer/outputs.tf") == {"net": ["module.infra"]}


def test_modules_with_different_types_inside_stay_two(tmp_path: pathlib.Path) -> None:
    part = HOT + "resources:\n  thing: {type: My::a}\n"
    resources = "  a: {type: part.yaml}\n  b: {type: part.yaml}\n"
    for name, text in {"part": part, "app": APP, "infra": INFRA, "stack": stack(resources)}.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    registry = "resource_registry:\n  'My::a': app.yaml\n  resources:\n    a: {thing: {'My::a': infra.yaml}}\n"
    (tmp_path / "env.yaml").write_text(registry, encoding="utf-8")
    done = transpile.convert(tmp_path / "stack.yaml", environments=[tmp_path / "env.yaml"])
    assert modules_of(done) == ["app", "infra", "part", "part_2"]
