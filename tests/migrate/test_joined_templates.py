"""Templates that are equal but for literals become one directory, if a person accepts the offer of the plan file."""

from __future__ import annotations

import json
import pathlib

import pytest

from emitters.hcl.emitter import TARGET
from tests.conftest import Run
from tests.support import oracles
from tests.support.environment_values import compare_values, convert_stack, read_values
from tests.support.repositories import migrate, put, tree
from transpile.migrate.environment_groups import find_groups
from transpile.migrate.session import join_stacks
from transpile.migrate.similar_templates import compare_files, find_offers
from transpile.repository.plan_file import PLAN_FILE, print_plan, read_plan_file
from transpile.repository.survey import survey_tree

SERVICE = """\
heat_template_version: 2018-08-31
description: The service {name}.
parameters:
  network: {{type: string, default: net-{name}}}
  key: {{type: string, default: ops, description: The key of {name}.}}
resources:
  server:
    type: OS::Nova::Server
    properties:
      name: {name}-server
      image: ubuntu-{name}  # the image
      flavor: m1.small
      key_name: {{get_param: key}}
      networks: [{{network: {{get_param: network}}}}]
      metadata: {{service: {name}-server, size: "{size}"}}
      user_data: {{str_replace: {{template: "#!/bin/sh\\necho NAME\\n", params: {{NAME: {name}-server}}}}}}
      user_data_format: RAW
  disk: {{type: OS::Cinder::Volume, properties: {{size: {size}, name: disk}}}}
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: {size}
      resource_def: {{type: OS::Neutron::Net, properties: {{name: "n%index%"}}}}
outputs:
  size: {{value: {{get_attr: [disk, size]}}}}
"""
NAMES = ("a", "b", "c")


@pytest.fixture
def src(tmp_path: pathlib.Path) -> pathlib.Path:
    src = tmp_path / "src"
    for size, name in enumerate(NAMES, 2):
        put(src, f"services/{name}.yaml", SERVICE.format(name=name, size=size))
    put(src, "services/c.env", "parameters: {network: other, key: mine}\n")
    return src


def accept(src: pathlib.Path) -> None:
    """Writes the plan file with its offers, and removes the marks of comments before them."""
    plan = survey_tree(src)
    text = print_plan(plan, find_offers(src, plan))
    head, _, rest = text.partition("become one directory without the # before them.\n")
    offer, _, stacks = rest.partition("\nstacks:")
    lines = "".join(f"{line.removeprefix('# ')}\n" for line in offer.splitlines())
    put(src, PLAN_FILE, f"{head}\n{lines}\nstacks:{stacks}")


def test_the_offer_is_a_comment_until_a_person_accepts_it(src: pathlib.Path, command: Run) -> None:
    plan = survey_tree(src)
    put(src, PLAN_FILE, print_plan(plan, find_offers(src, plan)))
    assert read_plan_file(src / PLAN_FILE, src).stacks == plan.stacks
    assert migrate(command).status == 0
    assert pathlib.Path("out/services/a/main.tf").exists()
    accept(src)
    (join,) = read_plan_file(src / PLAN_FILE, src).joins
    assert (join.output, join.templates) == ("services", tuple(f"services/{name}.yaml" for name in NAMES))
    put(src, PLAN_FILE, print_plan(read_plan_file(src / PLAN_FILE, src)))
    assert read_plan_file(src / PLAN_FILE, src).joins == (join,)


def test_one_directory_has_a_file_of_values_for_each_template(src: pathlib.Path, command: Run) -> None:
    accept(src)
    ended = migrate(command)
    assert (ended.status, "equal but for" in ended.err) == (0, False)
    files = tree(pathlib.Path("out"))
    assert {name.split("/")[1] for name in files if "/" in name} == {
        "main.tf", "outputs.tf", "variables.tf", "versions.tf", "backend.tf", "environments",
    }  # fmt: skip
    values = {name: read_values(files[f"services/environments/{name}.tfvars"]) for name in NAMES}
    assert values["b"] == {
        "network": "net-b",
        "server_name": "b-server",
        "server_image": "ubuntu-b",
        "server_metadata_size": "3",
        "disk_size": 3,
    }
    assert (values["c"]["network"], values["c"]["key"]) == ("other", "mine")  # an environment wins over a default
    assert "# The service b." in files["services/environments/b.tfvars"]
    assert "# the image" in files["services/main.tf"]
    assert "service a" not in files["services/main.tf"]
    assert (migrate(command).status, tree(pathlib.Path("out"))) == (0, files)


@pytest.mark.parametrize("more", [("--environments", "directories"), ("--to", "tosca")])
def test_templates_are_not_joined_in_silence(more: tuple[str, ...], src: pathlib.Path, command: Run) -> None:
    """With a directory for each environment, joining templates is an error, and not ignored."""
    accept(src)
    ended = migrate(command, *more)
    assert (ended.status, "HOT940" in ended.err, pathlib.Path("out/services").exists()) == (1, True, False)


def test_each_plans_the_same_as_its_template_alone(src: pathlib.Path) -> None:
    accept(src)
    plan = read_plan_file(src / PLAN_FILE, src)
    (group,) = find_groups(join_stacks(plan, src).stacks, TARGET)
    codes = set()
    for alone, joined in zip(plan.stacks, group.stacks, strict=True):
        own, shared = convert_stack(alone, (), src, "faithful"), convert_stack(joined, group.stacks, src, "faithful")
        assert compare_values(own.values, shared.values) == []
        assert len(own.values) > 10
        codes.add(shared.code)
    assert len(codes) == 1


def test_states_move_along(src: pathlib.Path, command: Run) -> None:
    migrate(command)
    places = {"a": "services/a", "b": "services/b", "c": "services/c"}
    for name, place in places.items():
        put(pathlib.Path("out"), f"{place}/terraform.tfstate", json.dumps({"lineage": name}))
    accept(src)
    assert "HOT945" in migrate(command).err
    assert migrate(command, "--move").status == 0
    for name in NAMES:
        state = json.loads(pathlib.Path(f"out/services/environments/{name}.tfstate").read_text())
        assert state == {"lineage": name}
    assert not pathlib.Path("out/services/a").exists()


@oracles.needs_providers
def test_the_plan_is_empty_after_the_join(src: pathlib.Path, command: Run) -> None:
    """The states are those that Terraform wrote for each template alone."""
    migrate(command)
    for name in NAMES:
        oracles.run(pathlib.Path("out/services", name), "init", "-input=false")
        oracles.run(pathlib.Path("out/services", name), "apply", "-input=false", "-auto-approve")
    accept(src)
    assert migrate(command, "--move").status == 0
    for name in NAMES:
        settings = f"-backend-config=environments/{name}.backend.hcl"
        oracles.run(pathlib.Path("out/services"), "init", "-input=false", "-reconfigure", settings)
        values = f"-var-file=environments/{name}.tfvars"  # the status 2 means changes
        oracles.run(pathlib.Path("out/services"), "plan", "-input=false", "-detailed-exitcode", values)


def test_calls_name_the_shared_directory(src: pathlib.Path, command: Run) -> None:
    put(src, "deploy.sh", "#!/bin/sh\nopenstack stack create -t services/b.yaml second\n")
    accept(src)
    ended = migrate(command, "--calls")
    assert "-var-file=environments/b.tfvars" in ended.out + ended.err + pathlib.Path("out/TODO.md").read_text()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("OS::Cinder::Volume", "OS::Cinder::Other", "they differ in more than literals"),
        ("  key: {", "  lock: {", "they differ in more than literals"),
        ("description: The key", "hidden: true, description: The key", "they differ in more than literals"),
        ("size: 3,", 'size: "3",', "the values of resources.disk.properties.size have different types"),
        ("size: 3,", "size: 0x3,", "resources.disk.properties.size has a number that Heat prints in another way"),
        ("size: 3,", "size: null,", "the values of resources.disk.properties.size have different types"),
        ("n%index%", "m%index%", "no parameter can stand at resources.group.properties.resource_def.properties.name"),
        ("echo NAME", "say NAME", "no parameter can stand at resources.server.properties.user_data.str_replace.templ"),
    ],
)
def test_templates_that_cannot_be_joined_are_refused(
    old: str, new: str, reason: str, src: pathlib.Path, command: Run
) -> None:
    accept(src)
    path = src / "services/b.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert reason in compare_files(src, [f"services/{name}.yaml" for name in NAMES]).obstacle
    ended = migrate(command)
    assert (ended.status, "cannot become one configuration" in ended.err) == (1, True)
    assert find_offers(src, survey_tree(src)) == []


def test_names_of_files_may_lie_in_one_directory_alone(tmp_path: pathlib.Path) -> None:
    text = "heat_template_version: 2018-08-31\nresources:\n  a: {type: lib.yaml, properties: {size: SIZE}}\n"
    for at, name in enumerate(("x/a.yaml", "x/b.yaml", "y/a.yaml"), 1):
        put(tmp_path, name, text.replace("SIZE", str(at)))
    assert compare_files(tmp_path, ["x/a.yaml", "x/b.yaml"]).obstacle == ""
    assert "several directories" in compare_files(tmp_path, ["x/a.yaml", "y/a.yaml"]).obstacle


@pytest.mark.parametrize(
    ("join", "message"),
    [
        ("join: [x]", "join must be a map of directories."),
        ("join: {services: x}", "join.services must be a list of texts."),
        ("join: {services: [services/d.yaml]}", "No stack has the template services/d.yaml."),
        ("join: {one: [services/a.yaml], two: [services/a.yaml]}", "services/a.yaml is joined twice."),
        ("join: {../out: [services/a.yaml]}", "leads out of the result"),
    ],
)
def test_mistakes_in_the_plan_file(join: str, message: str, src: pathlib.Path, command: Run) -> None:
    put(src, PLAN_FILE, f"format: 1\n{join}\nstacks:\n  - template: services/a.yaml\n")
    ended = migrate(command)
    assert (ended.status, message in ended.err) == (1, True)
