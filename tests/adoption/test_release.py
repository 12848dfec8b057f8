"""The updates by which Heat lets go of Terraform's resources: first Retain, then removal; nothing else changes.

They were tried with Heat on a real cloud; here, its own parser and client accept them.
"""

from __future__ import annotations

import json
import pathlib
import re
import shlex
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from tests.support import cases, oracles, running
from tests.support.files import write_files
from transpile.adoption.adoption import GONE, HEAT, Reduced
from transpile.adoption.release import ReleaseFiles
from transpile.front import template as templates
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.records import replace
from transpile.model.source import Source

SERVER = """\
heat_template_version: 2018-08-31
parameters:
  password:
    type: string
    hidden: true
resources:
  net:
    type: OS::Neutron::Net
  port:
    type: OS::Neutron::Port
    deletion_policy: Delete
    properties:
      network: {get_resource: net}
  data:
    type: OS::Cinder::Volume
    deletion_policy: Snapshot
    properties:
      size: 1
  found:
    type: OS::Neutron::Net
    external_id: 9c2e
outputs:
  net:
    value: {get_resource: net}
"""
MEMBER = """\
heat_template_version: 2018-08-31
parameters:
  net:
    type: string
resources:
  port:
    type: OS::Neutron::Port
    properties:
      network: {get_param: net}
"""


def read(text: str) -> ir.Template:
    template, sink = templates.read_template(Source("template.yaml", text, budget=Budget()))
    assert template is not None, sink.diagnostics
    return template


def release(exported: Mapping[str, Any], fates: Mapping[str, str] | None = None) -> ReleaseFiles:
    return ReleaseFiles(running.adoption(exported, fates))


def data(made: ReleaseFiles, name: str) -> Any:
    return yaml.safe_load(made.files[f"release/{name}"])


def policies(template: Mapping[str, Any]) -> dict[str, str | None]:
    return {name: resource.get("deletion_policy") for name, resource in template["resources"].items()}


# the first update


def test_everything_that_terraform_takes_is_retained() -> None:
    """Every policy becomes Retain. A resource that Heat only refers to needs none: it is retained already."""
    made = release(running.stack(SERVER))
    assert made.diagnostics == []
    step = data(made, "1-retain/template.yaml")
    assert policies(step) == {"net": "Retain", "port": "Retain", "data": "Retain", "found": None}


def test_kept_resources_are_left_unchanged() -> None:
    made = release(running.stack(SERVER), {"port": HEAT, "data": GONE})
    assert policies(data(made, "1-retain/template.yaml")) == {
        "net": "Retain",
        "port": "Delete",
        "data": "Retain",
        "found": None,
    }


def test_nothing_else_changes() -> None:
    before, after = read(SERVER), read(release(running.stack(SERVER)).files["release/1-retain/template.yaml"])
    assert replace(after, resources={}) == replace(before, resources={})
    for name, resource in before.resources.items():
        assert replace(after.resources[name], deletion_policy=None) == replace(resource, deletion_policy=None)


def test_a_stack_of_which_terraform_takes_nothing_needs_no_release() -> None:
    assert release(running.stack(SERVER), dict.fromkeys(("net", "port", "data", "found"), HEAT)).files == {}


def test_the_environment_makes_heat_fail_rather_than_replace() -> None:
    """Also in nested stacks: each sees the entries below the name of its owner. On the way back, Heat may replace
    again.
    """
    made = release(running.stack(SERVER))
    for folder, actions in (("1-retain", "replace"), ("2-release", "replace"), ("0-original", [])):
        environment = data(made, f"{folder}/environment.yaml")
        assert set(environment) == {"resource_registry"}
        inner, depth = environment["resource_registry"]["resources"], 0
        while inner:
            (inner,) = inner.values()
            assert inner.pop("restricted_actions") == actions
            depth += 1
        assert depth == 6


def nested(kind: str, files: Mapping[str, str], registry: Mapping[str, str] | None = None, **keys: Any) -> Any:
    """A stack with a nested one, or a group of two."""
    group = {"type": "OS::Heat::ResourceGroup", "properties": {"count": 2, "resource_def": {"type": kind}}, **keys}
    member = running.stack(MEMBER, name="web-app", files=files)
    members = running.stack(
        {"heat_template_version": "2015-04-30", "resources": {n: {"type": kind} for n in "01"}},
        name="web-group",
        files=files,
        nested={n: running.stack(MEMBER, name=f"web-group-{n}", files=files) for n in "01"},
    )
    return running.stack(
        {"heat_template_version": "2018-08-31", "resources": {"app": {"type": kind}, "group": group}},
        files=files,
        environment={"resource_registry": dict(registry or {})},
        nested={"app": member, "group": members},
    )


def test_retain_stands_inside_nested_templates() -> None:
    """Retain on the nested stack itself would leave it behind, able to delete its resources. The file lies beside the
    template: where it came from may be another machine.
    """
    url = "file:///srv/templates/member.yaml"
    made = release(nested(url, {url: MEMBER}))
    step = data(made, "1-retain/template.yaml")
    assert policies(step) == {"app": None, "group": None}
    assert step["resources"]["app"]["type"] == "member.yaml"
    assert step["resources"]["group"]["properties"]["resource_def"]["type"] == "member.yaml"
    assert policies(data(made, "1-retain/member.yaml")) == {"port": "Retain"}
    assert policies(data(made, "0-original/member.yaml")) == {"port": None}
    assert not [name for name in made.files if "3-members" in name]


def test_a_type_of_the_environment_gets_its_changed_template_through_the_environment() -> None:
    url = "file:///srv/templates/member.yaml"
    made = release(nested("App::Member", {url: MEMBER}, {"App::Member": url}))
    assert data(made, "1-retain/template.yaml")["resources"]["app"]["type"] == "App::Member"
    for folder, policy in (("1-retain", "Retain"), ("0-original", None)):
        assert data(made, f"{folder}/environment.yaml")["resource_registry"]["App::Member"] == "member.yaml"
        assert policies(data(made, f"{folder}/member.yaml")) == {"port": policy}


def test_a_template_that_something_in_heat_uses_too_is_not_changed_for_it() -> None:
    """With a type of the environment, both would get it; so the nested stack is let go by itself."""
    url = "file:///srv/templates/member.yaml"
    made = release(nested("App::Member", {url: MEMBER}, {"App::Member": url}), {"group": HEAT})
    assert policies(data(made, "1-retain/template.yaml")) == {"app": "Retain", "group": None}
    assert "App::Member" not in data(made, "1-retain/environment.yaml")["resource_registry"]
    assert policies(data(made, "3-members/01-web-app/template.yaml")) == {"port": "Retain"}


def test_with_a_file_name_the_two_get_two_files() -> None:
    url = "file:///srv/templates/member.yaml"
    made = release(nested(url, {url: MEMBER}), {"group": HEAT})
    step = data(made, "1-retain/template.yaml")["resources"]
    inside, left = step["app"]["type"], step["group"]["properties"]["resource_def"]["type"]
    assert policies(data(made, f"1-retain/{inside}")) == {"port": "Retain"}
    assert policies(data(made, f"1-retain/{left}")) == {"port": None}


@pytest.mark.parametrize(
    "registry",
    [
        {"App::*": "file:///srv/templates/member.yaml"},
        {"App::Member": "file:///m.yaml", "resources": {"app": {"App::Member": "file:///srv/templates/member.yaml"}}},
    ],
)
def test_types_with_more_than_one_meaning_are_let_go_by_themselves(registry: dict[str, Any]) -> None:
    url = "file:///srv/templates/member.yaml"
    made = release(nested("App::Member", {url: MEMBER, "file:///m.yaml": MEMBER}, registry))
    step = policies(data(made, "1-retain/template.yaml"))
    assert step["app"] in ("Retain", None)
    inside = "1-retain/member.yaml" in {name.removeprefix("release/") for name in made.files}
    assert (step["app"] == "Retain") is not inside
    assert any("3-members" in name for name in made.files) is not inside


def test_rolling_updates_of_groups_are_left_out() -> None:
    """A rolling update would create a member for the time of the update, or not reach all members."""
    url = "file:///srv/templates/member.yaml"
    rolling = {"rolling_update": {"min_in_service": 2}}
    made = release(nested(url, {url: MEMBER}, update_policy=rolling))
    assert "update_policy" not in data(made, "1-retain/template.yaml")["resources"]["group"]
    assert data(made, "0-original/template.yaml")["resources"]["group"]["update_policy"] == rolling


@pytest.mark.parametrize("kind", ["OS::Heat::ResourceGroup", "OS::Heat::AutoScalingGroup", "OS::Heat::ResourceChain"])
def test_a_group_whose_members_get_no_policy_is_let_go_by_itself(kind: str) -> None:
    """The group is retained as a whole. Its nested stack is updated on its own, with the template that Heat made for
    it.
    """
    port = {"type": "OS::Neutron::Port", "properties": {"network": "n"}}
    inner = running.stack(
        {"heat_template_version": "2015-04-30", "resources": {"0": port, "2": port}}, name="web-ports-x7"
    )
    outer = {
        "heat_template_version": "2018-08-31",
        "resources": {"ports": {"type": kind, "properties": {"count": 2, "resource_def": port}}},
    }
    made = release(running.stack(outer, nested={"ports": inner}))
    assert policies(data(made, "1-retain/template.yaml")) == {"ports": "Retain"}
    step = data(made, "3-members/01-web-ports-x7/template.yaml")
    assert policies(step) == {"0": "Retain", "2": "Retain"}
    assert step["resources"]["2"]["properties"] == port["properties"]
    guide = made.files["ADOPT.md"]
    update = guide.index(f"3-members/01-web-ports-x7/environment.yaml {inner['id']}")
    assert update < guide.index(f"openstack stack delete --yes --wait {inner['id']}")
    assert guide.index(inner["id"]) < guide.rindex(f"delete --yes --wait {running.identity('web')}")


def test_cfn_templates_stay_cfn() -> None:
    cfn = {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Resources": {
            "Net": {"Type": "OS::Neutron::Net"},
            "Data": {"Type": "AWS::EC2::Volume", "DeletionPolicy": "Snapshot", "Properties": {"Size": "1"}},
        },
        "Outputs": {"Net": {"Value": {"Ref": "Net"}}},
    }
    made = release(running.stack(cfn))
    step = data(made, "1-retain/template.yaml")
    assert {name: resource.pop("DeletionPolicy") for name, resource in step["Resources"].items()} == {
        "Net": "Retain",
        "Data": "Retain",
    }
    cfn["Resources"]["Data"].pop("DeletionPolicy")  # type: ignore[index]
    assert step == cfn
    assert data(made, "2-release/template.yaml")["Resources"] == {}


# the second update


def test_a_stack_that_terraform_takes_whole_ends_without_resources() -> None:
    step = data(release(running.stack(SERVER)), "2-release/template.yaml")
    assert set(step) == {"heat_template_version", "description"}


LEFT = """\
heat_template_version: 2018-08-31
parameters:
  net:
    type: string
  password:
    type: string
    hidden: true
resources:
  port:
    type: OS::Neutron::Port
    properties:
      network: {get_param: net}
"""


def reduced(text: str | None = LEFT, **values: Any) -> ReleaseFiles:
    adoption = running.adoption(running.stack(SERVER), {"port": HEAT})
    adoption.reduced = Reduced(
        read(LEFT), text, "port.yaml", values, {"templates/a.yaml": MEMBER}, {"A": "templates/a.yaml"}
    )
    return ReleaseFiles(adoption)


def test_the_remaining_stack_has_the_template_of_the_output() -> None:
    """The stack also has the values of its parameters. Heat keeps the hidden ones, which are in no file."""
    made = reduced(net="0d1", password="secret")
    assert made.files["release/2-release/template.yaml"] == LEFT
    assert made.files["release/2-release/templates/a.yaml"] == MEMBER
    environment = data(made, "2-release/environment.yaml")
    assert environment["parameters"] == {"net": "0d1"}
    assert environment["resource_registry"]["A"] == "templates/a.yaml"
    assert not [name for name, text in made.files.items() if "secret" in text]
    guide = made.files["ADOPT.md"]
    assert f"openstack stack delete --yes --wait {running.identity('web')}" not in guide
    assert "`port`" in guide[guide.index("## What stays in Heat") :]


@pytest.mark.parametrize(("text", "net"), [(LEFT, None), (None, "0d1")])
def test_without_all_values_there_is_no_second_update(text: str | None, net: str | None) -> None:
    made = reduced(text, net=net, password=None)
    assert [d.code for d in made.diagnostics] == ["HOT754"]
    assert not [name for name in made.files if "2-release" in name]
    assert "2-release" not in made.files["ADOPT.md"]
    assert "HOT754" in made.files["ADOPT.md"]


def test_a_deployment_that_loses_its_dependency_runs_again() -> None:
    text = """\
heat_template_version: 2018-08-31
resources:
  server:
    type: OS::Nova::Server
  first:
    type: OS::Heat::SoftwareDeployment
    depends_on: server
  second:
    type: OS::Heat::SoftwareDeployment
    depends_on: first
"""
    adoption = running.adoption(running.stack(text), {"first": HEAT, "second": HEAT})
    left = read(text)
    kept = {"first": replace(left.resources["first"], depends_on=()), "second": left.resources["second"]}
    adoption.reduced = Reduced(replace(left, resources=kept), text, "first.yaml", {}, {}, {})
    (diagnostic,) = ReleaseFiles(adoption).diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("HOT748", "warning")
    assert "depends_on of first" in diagnostic.message


# types that Heat does not leave alone


@pytest.mark.parametrize(
    ("kind", "severity"),
    [("OS::Cinder::QoSAssociation", "error"), ("OS::Mistral::ExternalResource", "error"), ("OS::Nova::Server", None)],
)
def test_types_that_an_update_of_the_policy_touches(kind: str, severity: str | None) -> None:
    """These types count only if Terraform takes their resources."""
    text = {
        "heat_template_version": "2018-08-31",
        "resources": {"one": {"type": kind}, "net": {"type": "OS::Heat::Value"}},
    }
    for fate, expected in (("native", severity), (HEAT, None)):
        made = release(running.stack(text), {"one": fate})
        assert [d.severity for d in made.diagnostics if d.code == "HOT753"] == [expected] * (expected is not None)


@pytest.mark.parametrize(
    ("actions", "policy", "codes"),
    [
        (None, None, []),
        (["CREATE"], None, []),
        (["DELETE"], "Retain", []),
        (["UPDATE", "DELETE"], "Retain", ["HOT753"]),
        ({"get_param": "actions"}, "Retain", ["HOT753"]),
    ],
)
@pytest.mark.parametrize("kind", ["OS::Heat::SoftwareDeployment", "OS::Heat::StructuredDeploymentGroup"])
def test_a_deployment_does_not_run_again_for_the_sake_of_its_policy(
    kind: str, actions: Any, policy: str | None, codes: list[str]
) -> None:
    """Heat deletes its record. If it would run at that, it is retained; if it runs at both, that is said."""
    properties = {} if actions is None else {"actions": actions}
    text = {
        "heat_template_version": "2018-08-31",
        "parameters": {"actions": {"type": "json"}},
        "resources": {"one": {"type": kind, "properties": properties}, "net": {"type": "OS::Neutron::Net"}},
    }
    made = release(running.stack(text))
    assert policies(data(made, "1-retain/template.yaml")) == {"one": policy, "net": "Retain"}
    assert [d.code for d in made.diagnostics] == codes


def test_a_file_that_is_missing_stops_the_release() -> None:
    text = {"heat_template_version": "2018-08-31", "resources": {"one": {"type": "file:///a.yaml"}}}
    made = release(running.stack(text))
    assert [d.code for d in made.diagnostics] == ["HOT752"]
    assert made.files == {}


def test_a_nested_stack_without_its_template_stops_the_release() -> None:
    inner = running.stack(MEMBER, name="web-ports")
    text = {"heat_template_version": "2018-08-31", "resources": {"ports": {"type": "OS::Heat::ResourceGroup"}}}
    adoption = running.adoption(running.stack(text, nested={"ports": inner}))
    nested_ = adoption.live.resources["ports"].stack
    assert nested_ is not None
    nested_.template = None
    made = ReleaseFiles(adoption)
    assert [d.code for d in made.diagnostics] == ["HOT752"]
    assert made.files == {}


@pytest.mark.parametrize(("text", "codes"), [("\ud800", ["HOT752"]), ("\U0001f600", [])])
def test_half_a_character_is_refused(text: str, codes: list[str]) -> None:
    """No file can have it. A whole character outside the first plane, which JSON writes as two halves, is fine."""
    inner = running.stack(
        {
            "heat_template_version": "2015-04-30",
            "resources": {"0": {"type": "OS::Neutron::Port", "properties": {"name": text}}},
        },
        name="web-ports",
    )
    outer = {"heat_template_version": "2018-08-31", "resources": {"ports": {"type": "OS::Heat::ResourceGroup"}}}
    made = release(running.stack(outer, nested={"ports": inner}))
    assert [d.code for d in made.diagnostics] == codes
    if not codes:
        step = data(made, "3-members/01-web-ports/template.yaml")
        assert step["resources"]["0"]["properties"] == {"name": text}


def test_nested_stacks_whose_template_is_a_file_need_no_other() -> None:
    """The output of the client's commands lacks the templates of nested stacks."""
    url = "file:///srv/templates/member.yaml"
    adoption = running.adoption(nested(url, {url: MEMBER}))
    for _, resource in adoption.live.walk_resources():
        if resource.stack is not None:
            resource.stack.template = None
    made = ReleaseFiles(adoption)
    assert made.diagnostics == []
    assert policies(data(made, "1-retain/member.yaml")) == {"port": "Retain"}


def test_files_of_one_name_do_not_take_each_others_place() -> None:
    """The file of a nested template replaces neither the template nor the environment."""
    names = ["file:///a/environment.yaml", "file:///b/environment.yaml", "file:///c/template.yaml", "file:///.."]
    text = {
        "heat_template_version": "2018-08-31",
        "resources": {
            f"r{i}": {"type": "OS::Heat::Value", "properties": {"value": {"get_file": n}}} for i, n in enumerate(names)
        },
    }
    made = release(running.stack(text, files={name: f"text of {name}" for name in names}))
    step = data(made, "1-retain/template.yaml")["resources"]
    placed = [step[f"r{i}"]["properties"]["value"]["get_file"] for i in range(len(names))]
    assert len({*placed, "template.yaml", "environment.yaml"}) == len(names) + 2
    for name, place in zip(names, placed, strict=True):
        assert made.files[f"release/1-retain/{place}"] == f"text of {name}"
        assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", place)


# the guide


def commands(guide: str) -> list[list[str]]:
    blocks = re.findall(r"```sh\n(.*?)```", guide, re.S)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


def test_the_guide_names_only_files_that_are_there_and_this_stack() -> None:
    url = "file:///srv/templates/member.yaml"
    made = release(nested(url, {url: MEMBER}))
    run = commands(made.files["ADOPT.md"])
    updates = [words for words in run if words[:3] == ["openstack", "stack", "update"]]
    assert len(updates) == 5  # two previews, two updates, and the way back
    for words in updates:
        assert words[-1] == running.identity("web")
        assert "--existing" in words
        assert ("--dry-run" in words) is not ("disabled" in words)
        for option in ("-t", "-e"):
            assert words[words.index(option) + 1] in made.files


def test_the_guide_updates_before_it_deletes() -> None:
    guide = release(running.stack(SERVER)).files["ADOPT.md"]
    retain, away = guide.index("--wait -t release/1-retain"), guide.index("--wait -t release/2-release")
    assert retain < away < guide.index("openstack stack delete")
    assert guide.index("terraform apply") < retain


def test_the_guide_says_how_many_resources_are_retained() -> None:
    """The number is that of a command that counts the word, which each resource has once."""
    made = release(running.stack(SERVER))
    assert "prints 3:" in made.files["ADOPT.md"]
    assert made.files["release/1-retain/template.yaml"].count("Retain") == 3


@pytest.mark.parametrize(("fate", "previews"), [("native", ["2-release"]), (HEAT, [])])
def test_an_update_that_heat_cannot_preview_is_not_previewed(fate: str, previews: list[str]) -> None:
    """A trunk fails in each preview that still has it: Heat takes the reference to its port for a change."""
    text = {
        "heat_template_version": "2018-08-31",
        "resources": {
            "port": {"type": "OS::Neutron::Port"},
            "trunk": {"type": "OS::Neutron::Trunk", "properties": {"port": {"get_resource": "port"}}},
        },
    }
    adoption = running.adoption(running.stack(text), {"trunk": fate})
    if fate == HEAT:
        adoption.reduced = Reduced(read(LEFT), LEFT, "trunk.yaml", {"net": "0d1"}, {}, {})
    run = [words for words in commands(ReleaseFiles(adoption).files["ADOPT.md"]) if "--dry-run" in words]
    assert [words[words.index("-t") + 1].split("/")[1] for words in run] == previews


@pytest.mark.parametrize(("kind", "back"), [("OS::Neutron::Net", True), ("OS::Heat::ResourceChain", False)])
def test_the_guide_says_how_heat_takes_everything_back(kind: str, *, back: bool) -> None:
    """Heat adopts a saved stack again, but for a chain, of which it does not find the members."""
    text = {"heat_template_version": "2018-08-31", "resources": {"web": {"type": kind}}}
    guide = release(running.stack(text, name="shop", id="0d1")).files["ADOPT.md"]
    adopted = ["openstack", "stack", "adopt", "--wait", "--adopt-file", "before.json", "shop"]
    assert (adopted in [list(words) for words in commands(guide)]) is back
    assert ("does not adopt" in guide) is not back


def test_names_in_the_guide_are_no_markdown_and_no_shell() -> None:
    name = "x`\n# y | `$(reboot)`"
    text = {"heat_template_version": "2018-08-31", "resources": {name: {"type": "OS::Neutron::Net"}}}
    stack_name = name.replace("\n", "")  # one with the end of a line is refused
    guide = release(running.stack(text, name=stack_name, id="$(reboot)")).files["ADOPT.md"]
    assert "\n# y" not in guide
    for words in commands(guide):
        if words[0] == "openstack" and words[1] == "stack":
            assert (stack_name if words[2] == "adopt" else "$(reboot)") in words


# all goldens


def exported(case: cases.Case) -> dict[str, Any] | None:
    """The export of a stack of a golden template; None if one of its files is not beside it."""
    text = case.input.read_text(encoding="utf-8")
    files = {p.name: p.read_text(encoding="utf-8") for p in case.folder.iterdir() if p.is_file() and p != case.input}
    try:
        return running.stack(text, files=files)
    except (yaml.YAMLError, TypeError, AttributeError, ValueError):
        return None


def names_a_file(resource: ir.Resource, files: Mapping[str, str]) -> bool:
    return any(repr(name) in repr(resource) for name in files)


def goldens() -> list[cases.Case]:
    return [case for case in cases.template_cases() if not case.heat and not case.options.get("environments")]


@pytest.mark.parametrize("case", goldens(), ids=lambda case: case.name)
def test_goldens_keep_their_meaning_and_lose_their_resources(case: cases.Case, tmp_path: pathlib.Path) -> None:
    """Step 1 differs in the policy alone, and real Heat accepts both templates, as its client reads them."""
    whole = exported(case)
    if whole is None:
        pytest.skip("the template is not YAML of one document")
    made = release(whole)
    if {d.code for d in made.diagnostics if d.severity == "error"} & {"HOT752", "HOT753"}:
        pytest.skip(made.diagnostics[0].message)
    if not whole["resources"]:
        assert made.files == {}
        return
    before, after = read(json.dumps(whole["template"])), read(made.files["release/1-retain/template.yaml"])
    assert list(after.resources) == list(before.resources)
    for name, resource in before.resources.items():
        new = after.resources[name]
        if (
            resource.external_id is None
            and "Deployment" not in resource.type
            and not names_a_file(resource, whole["files"])
        ):
            assert new.deletion_policy == ir.Lit("Retain")
        kept: dict[str, Any] = {"deletion_policy": resource.deletion_policy}
        if names_a_file(resource, whole["files"]):  # which has another name, and Retain inside
            kept |= {"type": resource.type, "properties": resource.properties, "update_policy": resource.update_policy}
        assert replace(new, **kept) == resource
    sections: dict[str, Any] = (
        {"resources": {}, "outputs": {}} if "get_file" in str(whole["template"]) else {"resources": {}}
    )
    assert replace(after, **sections) == replace(before, **sections)
    if not oracles.has_heat:
        return
    write_files(tmp_path, made.files)
    for folder in ("0-original", "1-retain", "2-release"):
        where = tmp_path / "release" / folder
        answer = oracles.ask(
            op="validate",
            level="template",
            unknown="none",
            template=str(where / "template.yaml"),
            env=str(where / "environment.yaml"),
            params=case.parameters,
        )
        assert answer["ok"], (folder, answer)


def test_a_group_without_members_gets_no_retain() -> None:
    """Heat deletes its empty stack with it, so nothing is left behind that somebody has to find and delete."""
    group = {"type": "OS::Heat::ResourceGroup", "properties": {"count": 0, "resource_def": {"type": "OS::Heat::None"}}}
    template = {
        "heat_template_version": "2018-08-31",
        "resources": {"net": {"type": "OS::Neutron::Net"}, "none": group},
    }
    exported = running.stack(template)
    exported["resources"]["none"] = {}
    files = release(exported).files
    retained = yaml.safe_load(files["release/1-retain/template.yaml"])["resources"]
    assert retained["net"]["deletion_policy"] == "Retain"
    assert "deletion_policy" not in retained["none"]
    assert not any(name.startswith("release/3-members") for name in files)
