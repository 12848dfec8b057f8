"""Several running stacks of one template become environments of one configuration.

Terraform plans them with the fake cloud: an adopted environment imports and changes nothing, and a new one only adds.
"""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

import transpile
from tests.conftest import Run
from tests.support import cases, oracles, running
from tests.support.fake_stacks import NET, PORT, PROVIDER_TYPES, RUNNING, VOLUME, Named, Stack
from tests.support.files import write_files
from tests.support.repositories import tree
from transpile.adopting import command as adopt_command
from transpile.adopting.environments import SharedConversion, adopted_environments
from transpile.adopting.run import Adoptee
from transpile.adoption.live import LiveStack
from transpile.adoption.lookups import Answers, Cloud, CloudLookup
from transpile.diagnostics.model import Diagnostic
from transpile.settings.table import Request
from transpile.text.manifest import MANIFEST

PLAIN, GROUP, NESTED = yaml.safe_load_all("""
parameters: {size: {type: number}, extra: {type: boolean, default: false}}
conditions: {more: {get_param: extra}}
resources:
  net: {type: OS::Neutron::Net}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
  disk:
    type: OS::Cinder::Volume
    properties: {size: {get_param: size}, metadata: {stack: {get_param: "OS::stack_id"}}}
  spare: {type: OS::Cinder::Volume, condition: more, properties: {size: 1}}
---
parameters: {n: {type: number, default: 2}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: front}}
  disks:
    type: OS::Heat::ResourceGroup
    properties: {count: {get_param: n}, resource_def: {type: OS::Cinder::Volume, properties: {size: 1}}}
---
parameters: {n: {type: number, default: 1}}
resources:
  net: {type: OS::Neutron::Net}
  front: {type: node.yaml, properties: {net: {get_resource: net}}}
  nodes:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: n}
      resource_def: {type: node.yaml, properties: {net: {get_resource: net}}}
""")


def plain(name: str, size: int = 1, **parameters: Any) -> Stack:
    stack = Stack(name, PLAIN, {"size": size, **parameters})
    stack.export["resources"] = {
        "net": stack.add(NET, "net"),
        "port": stack.add(PORT, "port"),
        "disk": stack.add(VOLUME, "disk", size=size, metadata={"stack": f"stack-{name}"}),
        **({"spare": stack.add(VOLUME, "spare")} if parameters.get("extra") else {}),
    }
    return stack


def grouped(name: str, members: list[str], n: int) -> Stack:
    stack = Stack(name, GROUP, {"n": n})
    disks = {member: stack.add(VOLUME, f"disk-{member}") for member in members}
    stack.export["resources"] = {
        "net": stack.add(NET, "net", name="front"),
        "disks": stack.group("disks", VOLUME, disks),
    }
    return stack


def nesting(name: str, members: list[str], n: int) -> Stack:
    stack = Stack(name, NESTED, {"n": n})
    stack.export["resources"] = {
        "net": stack.add(NET, "net"),
        "front": {**stack.node("front"), "type": "node.yaml"},
        "nodes": stack.group("nodes", "node.yaml", {member: stack.node(f"node-{member}") for member in members}),
    }
    return stack


def run_twice(template: str, *, production: Any = None, staging: Any = None, **ids: str) -> dict[str, Stack]:
    """Two running stacks of a template with these parameters. ids: the end of the ID of a resource, if that is not
    its name.
    """
    data, stacks = yaml.safe_load(template), {}
    for name, parameters in (("production", production or {}), ("staging", staging or {})):
        stack = stacks[name] = Stack(name, data, parameters)
        for row, resource in data["resources"].items():
            kind, id_ = resource["type"], ids.get(row, row)
            if kind in PROVIDER_TYPES:
                stack.export["resources"][row] = stack.add(kind, id_)
            else:
                stack.export["resources"][row] = {"type": kind, "resource_id": f"{name}-{id_}", **RUNNING}
    return stacks


def adopt(stacks: Mapping[str, Stack], prefer: str | None = None, cloud: Cloud | None = None) -> SharedConversion:
    adoptees = {name: Adoptee(json.dumps(stack.export), f"{name}.json") for name, stack in stacks.items()}
    return adopted_environments(adoptees, Request(to="hcl", prefer=prefer), cloud or Named())


def write(where: pathlib.Path, done: SharedConversion) -> None:
    assert done.conversion.ok, done.conversion.diagnostics
    write_files(where, done.conversion.files)


class Root:
    """A root module on disk, and Terraform with the fake cloud."""

    def __init__(
        self,
        where: pathlib.Path,
        stacks: Mapping[str, Stack],
        monkeypatch: pytest.MonkeyPatch,
        prefer: str | None = None,
    ) -> None:
        self.where = where
        write(where, adopt(stacks, prefer))
        cloud: dict[str, Any] = {}
        for stack in stacks.values():
            for kind, objects in stack.cloud.items():
                cloud.setdefault(kind, {}).update(objects)
        (where / "cloud.json").write_text(json.dumps(cloud), encoding="utf-8")
        monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(where / "cloud.json"))

    def run(self, *words: str) -> str:
        return oracles.run(self.where, *words)

    def choose(self, environment: str) -> None:
        self.run("init", "-input=false", "-reconfigure", f"-backend-config=environments/{environment}.backend.hcl")

    def plan(self, environment: str, *more: str) -> dict[str, int]:
        """The numbers of resources that the plan changes, by action; `import` counts imports."""
        self.choose(environment)
        plan = oracles.plan(self.where, f"-var-file=environments/{environment}.tfvars", *more)
        actions = [action for _, action in oracles.list_changes(plan)]
        return {action: actions.count(action) for action in actions}

    def apply(self) -> None:
        self.run("apply", "-input=false", "plan")

    def add_environment(self, name: str, values: str) -> None:
        """A new environment: its values and its state, as README.md says."""
        folder = self.where / "environments"
        (folder / f"{name}.tfvars").write_text(f'stack_name = "{name}"\n{values}', encoding="utf-8")
        (folder / f"{name}.backend.hcl").write_text(f'path = "environments/{name}.tfstate"\n', encoding="utf-8")


CASES = {
    "plain": (
        {"production": plain("prod", 4, extra=True), "staging": plain("stage")},
        {"production": 4, "staging": 3},
        "size = 2\n",
        3,
    ),
    "group": (  # the member 1 was removed from one of them
        {"production": grouped("prod", ["0", "2", "3"], 3), "staging": grouped("stage", ["0", "1"], 2)},
        {"production": 4, "staging": 3},
        "n = 2\n",
        3,
    ),
    "nested": (
        {"production": nesting("prod", ["0", "1"], 2), "staging": nesting("stage", ["0"], 1)},
        {"production": 7, "staging": 5},
        "",
        5,
    ),
}


@oracles.needs_providers
@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_two_adopted_environments_and_a_new_one_share_the_code(
    case: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first plan imports, the second is empty, also without the IDs; a new environment only adds."""
    stacks, numbers, values, added = CASES[case]
    root = Root(tmp_path, stacks, monkeypatch)
    assert not oracles.unformatted(tmp_path)
    for name, number in numbers.items():
        assert root.plan(name) == {"import": number}
        root.apply()
        assert root.plan(name) == {}
    for name in numbers:  # the other import left it alone
        assert root.plan(name) == {}
    root.add_environment("new", values)
    assert root.plan("new") == {"create": added}
    root.apply()
    assert root.plan("new") == {}
    for name in numbers:
        follow_removal(tmp_path, name)
        assert "import_ids" not in (tmp_path / f"environments/{name}.tfvars").read_text(encoding="utf-8")
        assert root.plan(name) == {}


def follow_removal(where: pathlib.Path, name: str) -> None:
    """The step of ADOPT.md that removes the IDs of an environment, by its commands."""
    guide = (where / f"environments/{name}/ADOPT.md").read_text(encoding="utf-8")
    block = guide[guide.index("### Remove the IDs") :].split("```")[1].removeprefix("sh\n")
    commands = [line for line in block.splitlines() if line and not line.startswith("terraform")]
    assert len(commands) == 2
    for command in commands:
        subprocess.run(["sh", "-c", command], cwd=where, check=True)


@oracles.needs_providers
@pytest.mark.long
@pytest.mark.parametrize("case", ["group", "nested"])
def test_a_group_changes_in_one_environment_only(
    case: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stacks, numbers, _, _ = CASES[case]
    root = Root(tmp_path, stacks, monkeypatch)
    for name in numbers:
        root.plan(name)
        root.apply()
        follow_removal(tmp_path, name)
    size = {"group": (3, 2, 1), "nested": (2, 1, 2)}[case]  # members of production and staging, resources of a member
    assert root.plan("production", f"-var=n={size[0] + 1}") == {"create": size[2]}
    root.apply()
    assert root.plan("production", f"-var=n={size[0] - 1}") == {"delete": 2 * size[2]}
    root.apply()
    assert root.plan("staging") == {}
    assert root.plan("production", f"-var=n={size[0] - 1}") == {}
    root.run("destroy", "-auto-approve", "-input=false", "-var-file=environments/production.tfvars")
    assert root.plan("staging") == {}


@oracles.needs_providers
@pytest.mark.long
def test_a_secret_id_is_in_a_file_of_its_own(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without that file, Terraform refuses to plan: it makes no second password."""
    stacks = run_twice("resources: {word: {type: OS::Heat::RandomString, properties: {length: 8}}}", word="word-x")
    for stack, word in zip(stacks.values(), ("N7keEAjY", "Qm2xW8bT"), strict=True):
        stack.export["resources"]["word"]["resource_data"] = {"value": word}
        stack.cloud["random_password"] = {word: {"length": 8, "special": False, "result": word}}
    done = adopt(stacks).conversion
    holders = {name for name, text in done.files.items() if "N7keEAjY" in str(text)}
    assert "environments/production.secrets.tfvars" in holders
    assert holders <= done.private
    assert "*.secrets.tfvars" in str(done.files[".gitignore"])
    root = Root(tmp_path, stacks, monkeypatch)
    root.choose("production")
    refused = oracles.terraform(tmp_path, "plan", "-input=false", "-var-file=environments/production.tfvars")
    assert refused.returncode == 1
    assert "empty" in refused.stderr
    assert root.plan("production", "-var-file=environments/production.secrets.tfvars") == {"import": 1}
    guide = (tmp_path / "environments/production/ADOPT.md").read_text(encoding="utf-8")
    assert "-var-file=environments/production.secrets.tfvars" in guide
    assert "rm environments/production.secrets.tfvars" in guide
    root.apply()
    follow = (tmp_path / "environments/production.tfvars").read_text(encoding="utf-8")
    without = re.sub(r"\nimport_ids = \{\n.*?\n\}\n", "", follow, flags=re.DOTALL)
    (tmp_path / "environments/production.tfvars").write_text(without, encoding="utf-8")
    assert root.plan("production") == {}


def code_of(done: SharedConversion) -> dict[str, str]:
    return {name: str(text) for name, text in done.conversion.files.items() if not name.startswith("environments/")}


@pytest.mark.parametrize("case", CASES)
def test_the_code_has_no_fact_of_one_stack(case: str) -> None:
    """IDs and names of the running resources are in the files of the environments only, and there all of them are."""
    stacks = CASES[case][0]
    done = adopt(stacks)
    assert done.conversion.ok
    code = "".join(code_of(done).values())
    for name, stack in stacks.items():
        values = str(done.conversion.files[f"environments/{name}.tfvars"])
        for objects in stack.cloud.values():
            for id_, object_ in objects.items():
                assert id_ not in code
                assert f'"{id_}"' in values
                assert object_["name"] == "front" or f'"{object_["name"]}"' in values
        assert f"stack-{stack.name}" not in code
    assert 'required_version = ">= 1.7"' in done.conversion.files["versions.tf"]
    assert [report["environment"] for report in done.reports] == ["production", "staging"]


def test_the_order_on_the_command_line_changes_nothing() -> None:
    stacks = CASES["group"][0]
    assert adopt(stacks).conversion.files == adopt(dict(reversed(stacks.items()))).conversion.files


def test_an_argument_ignored_in_one_environment_is_ignored_in_all() -> None:
    """Heat wrote a list as JSON with spaces in one environment; in the other one it has a single item and no space."""
    template = """
parameters: {hosts: {type: json}}
resources: {disk: {type: OS::Cinder::Volume, properties: {size: 1, metadata: {hosts: {get_param: hosts}}}}}
"""
    stacks = run_twice(template, production={"hosts": ["a", "b"]}, staging={"hosts": ["a"]})
    alone = adopt({"staging": stacks["staging"]}).conversion
    assert alone.ok
    assert "ignore_changes" not in str(alone.files["main.tf"])
    done = adopt(stacks).conversion
    assert done.ok, done.diagnostics
    assert "ignore_changes = [metadata]" in str(done.files["main.tf"])


def test_stacks_of_different_templates_are_refused() -> None:
    other = plain("stage")
    other.export["template"] = json.loads(json.dumps(other.export["template"]))
    other.export["template"]["resources"]["disk"]["properties"]["description"] = "other"
    done = adopt({"production": plain("prod"), "staging": other}).conversion
    assert not done.ok
    assert done.files == {}
    (error,) = [d for d in done.diagnostics if d.severity == "error"]
    assert error.code == "HOT722"
    assert "production and staging" in error.message
    assert "main.tf, line" in error.message


def test_one_stack_that_cannot_be_adopted_stops_all() -> None:
    failed = plain("stage")
    failed.export["status"] = "FAILED"
    done = adopt({"production": plain("prod"), "staging": failed}).conversion
    assert done.files == {}
    assert "HOT741" in {d.code for d in done.diagnostics}


def save_exports(where: pathlib.Path, stacks: Mapping[str, Stack]) -> None:
    """The exports, and a file of answers with all names."""
    answers = []
    for name, stack in stacks.items():
        (where / f"{name}.json").write_text(json.dumps(stack.export), encoding="utf-8")
        nouns = {PROVIDER_TYPES[NET]: "network", PROVIDER_TYPES[PORT]: "port", PROVIDER_TYPES[VOLUME]: "volume"}
        answers += [
            {"kind": nouns[kind], "filter": {"id": id_}, "objects": [{"id": id_, "name": object_["name"]}]}
            for kind, objects in stack.cloud.items()
            for id_, object_ in objects.items()
        ]
    (where / "answers.json").write_text(json.dumps({"format": 1, "answers": answers}), encoding="utf-8")


ADOPT = ("--answers", "answers.json", "--environments", "files", "-o", "out")


def test_a_second_run_changes_nothing_and_keeps_edits(command: Run, tmp_path: pathlib.Path) -> None:
    save_exports(tmp_path, CASES["plain"][0])
    assert command("adopt", "production.json", "staging.json", *ADOPT).status == 0
    first = tree(tmp_path / "out")
    assert command("adopt", "staging.json", "production.json", *ADOPT).status == 0
    assert tree(tmp_path / "out") == first
    values = tmp_path / "out/environments/production.tfvars"
    text = values.read_text(encoding="utf-8")
    values.write_text(re.sub(r"\nimport_ids = \{\n.*?\n\}\n", "", text, flags=re.DOTALL), encoding="utf-8")
    edited = tree(tmp_path / "out")
    assert command("adopt", "production.json", "staging.json", *ADOPT).status == 0
    assert tree(tmp_path / "out") == edited


def test_environments_can_be_adopted_one_by_one(command: Run, tmp_path: pathlib.Path) -> None:
    """The second run leaves the first environment as it is, and the result is that of a single run."""
    save_exports(tmp_path, CASES["plain"][0])
    assert command("adopt", "production.json", *ADOPT).status == 0
    assert command("adopt", "staging=staging.json", *ADOPT).status == 0
    step_by_step = tree(tmp_path / "out")
    shutil.rmtree(tmp_path / "out")
    assert command("adopt", "production.json", "staging.json", *ADOPT).status == 0
    assert tree(tmp_path / "out") == step_by_step


def test_other_code_than_that_of_an_earlier_environment_is_refused(command: Run, tmp_path: pathlib.Path) -> None:
    """A removed member needs other code. One run for both environments writes it."""
    save_exports(tmp_path, CASES["group"][0])
    assert command("adopt", "staging.json", *ADOPT).status == 0
    before = tree(tmp_path / "out")
    ended = command("adopt", "production.json", *ADOPT)
    assert ended.status == 1
    assert "HOT722" in ended.err
    assert "staging" in ended.err
    assert tree(tmp_path / "out") == before
    assert command("adopt", "production.json", "staging.json", *ADOPT).status == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("a/web.json", "b/web.json", "-o", "out"), "two environments would be called web"),
        (("production=web.json", "Production=web.json", "-o", "out"), "two environments would be called Production"),
        (("../.json", "-o", "out"), "cannot be the name of an environment"),
        (("web.secrets.json", "-o", "out"), "web.secrets cannot be the name of an environment"),
        (("web.json", "-o", "-"), "-o DIR"),
        (("web.json", "-o", "out", "--tests"), "--tests is for one stack"),
        (("a=web.json", "b=web.json", "--answers", "c=x", "--answers", "d=y", "-o", "out"), "each NAME=FILE"),
    ],
)
def test_wrong_command_lines(command: Run, words: tuple[str, ...], message: str) -> None:
    ended = command("adopt", *words, "--environments", "files")
    assert ended.status == 2
    assert message in " ".join(re.sub(r"[│╭╮╰╯─]", " ", ended.err).split())


def test_environments_is_directories_or_files(command: Run) -> None:
    assert command("adopt", "web.json", "-o", "out", "--environments", "workspaces").status == 2


def test_known_values_of_all_environments_decide_the_code() -> None:
    """A network is a name in one environment and an ID in another, and a map has a key in only one of them."""
    template = """
parameters: {net: {type: string}, labels: {type: json}}
resources:
  port: {type: OS::Neutron::Port, properties: {name: p, network: {get_param: net}}}
  disk: {type: OS::Cinder::Volume, properties: {name: d, size: 1, metadata: {role: {get_param: [labels, role]}}}}
"""
    nets = {"production": "3c1f6a1e-0a55-4d3c-9d0e-0c5d0f7f6c11", "staging": "private"}
    stacks = run_twice(
        template,
        production={"net": nets["production"], "labels": {"role": "web", "tier": 1}},
        staging={"net": nets["staging"], "labels": {"role": "web"}},
    )
    done = adopt(stacks).conversion
    assert done.ok, done.diagnostics
    for name, net in nets.items():
        assert f'"{net}"' in str(done.files[f"environments/{name}.tfvars"])


@oracles.needs_providers
@pytest.mark.long
def test_defaults_for_nested_templates_are_values_of_the_environment(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`parameter_defaults` reach a template two levels below, and differ between the environments."""
    inner, outer = yaml.safe_load_all("""
heat_template_version: "2018-08-31"
parameters: {size: {type: number, default: 9}}
resources: {disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}}
---
heat_template_version: "2018-08-31"
resources: {deep: {type: inner.yaml}}
""")
    stacks = {}
    for name, size in (("production", 7), ("staging", 2)):
        stack = Stack(name, {"resources": {"front": {"type": "outer.yaml"}}}, {})
        files = {"inner.yaml": json.dumps(inner), "outer.yaml": json.dumps(outer)}
        disk = stack.nested(f"{name}-deep", inner, {"disk": stack.add(VOLUME, "disk", size=size)})
        front = stack.nested(f"{name}-front", outer, {"deep": {**disk, "type": "inner.yaml"}})
        stack.export["resources"] = {"front": {**front, "type": "outer.yaml"}}
        stack.export["environment"] = {"parameter_defaults": {"size": size}}
        for part in (stack.export, front, disk):
            part["files"] = files
        stacks[name] = stack
    root = Root(tmp_path, stacks, monkeypatch)
    for name in stacks:
        assert root.plan(name) == {"import": 1}
    root.add_environment("new", "size = 3\n")
    assert root.plan("new") == {"create": 1}


@oracles.needs_providers
@pytest.mark.long
def test_a_scaling_group_has_the_size_that_runs_in_each_environment(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heat has scaled one of them. A new environment has the size that the template gives."""
    stacks = run_twice("""
parameters: {size: {type: number, default: 2}}
resources:
  workers:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 1
      max_size: 5
      desired_capacity: {get_param: size}
      resource: {type: OS::Cinder::Volume, properties: {size: 1}}
""")
    for stack, members in zip(stacks.values(), (["abc1", "def2", "ghi3"], ["xyz1"]), strict=True):
        disks = {member: stack.add(VOLUME, f"disk-{member}") for member in members}
        stack.export["resources"]["workers"] = stack.group("workers", VOLUME, disks)
    root = Root(tmp_path, stacks, monkeypatch, prefer="native")
    values = (tmp_path / "environments/production.tfvars").read_text(encoding="utf-8")
    assert re.search(r"^workers_size += 3$", values, re.M)
    assert root.plan("production") == {"import": 3}
    root.apply()
    assert root.plan("production") == {}
    assert root.plan("staging") == {"import": 1}
    root.add_environment("new", "")
    assert root.plan("new") == {"create": 2}


def test_the_port_of_a_server_is_a_value_of_the_environment() -> None:
    """Nova made the port, and a floating IP is on it."""
    template = """
resources:
  server: {type: OS::Nova::Server, properties: {name: s, image: i, flavor: f, networks: [{network: private}]}}
  address:
    type: OS::Neutron::FloatingIP
    properties: {floating_network: public, port_id: {get_attr: [server, addresses, private, 0, port]}}
"""

    class Ports:
        """A cloud in which each server has one port."""

        def ask(self, lookup: CloudLookup) -> list[dict[str, Any]]:
            filters = dict(lookup.filter)
            if lookup.kind != "port":
                return [{"id": filters.get("id"), "name": "s"}]
            return [{"id": f"port-of-{filters['device_id']}", "device_id": filters["device_id"]}]

    stacks = run_twice(template)
    done = adopt(stacks, cloud=Ports()).conversion
    assert done.ok, done.diagnostics
    assert "port-of" not in str(done.files["variables.tf"])
    for name in stacks:
        assert re.search(rf'server_port += "port-of-{name}-server"', str(done.files[f"environments/{name}.tfvars"]))


def test_unknown_ids_are_filled_in_and_removed(tmp_path: pathlib.Path) -> None:
    """The comments go with the import blocks. The findings of both stacks are reported, although their messages are the
    same.
    """
    template = """
resources:
  group:
    type: OS::Neutron::SecurityGroup
    properties: {name: g, rules: [{protocol: tcp, port_range_min: 22, port_range_max: 22}]}
"""
    done = adopt(run_twice(template), cloud=Answers())
    unknown = [d for d in done.conversion.diagnostics if d.code == "HOT715"]
    assert {d.source.name for d in unknown if d.source is not None} == {"production.json", "staging.json"}
    write(tmp_path, done)
    values = tmp_path / "environments/production.tfvars"
    text = values.read_text(encoding="utf-8")
    assert "# HOT715: openstack_networking_secgroup_rule_v2.group_tcp_22" in text
    assert 'id = ""' in text
    values.write_text(text.replace('id = ""', 'id = "rule-1"'), encoding="utf-8")
    follow_removal(tmp_path, "production")
    assert "import_ids" not in values.read_text(encoding="utf-8")
    assert "HOT715" not in values.read_text(encoding="utf-8")


@oracles.needs_providers
@pytest.mark.long
def test_a_directory_of_one_stack_becomes_one_of_environments(
    command: Run, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Terraform moves the state of a stack that is imported already, and its plan is empty, with the user's edits."""
    stacks = CASES["nested"][0]
    save_exports(tmp_path, stacks)
    cloud = tmp_path / "cloud.json"
    cloud.write_text(json.dumps(stacks["production"].cloud), encoding="utf-8")
    monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(cloud))
    assert command("adopt", "production.json", "--answers", "answers.json", "-o", "out").status == 0
    where = tmp_path / "out"
    oracles.run(where, "init", "-input=false")
    oracles.run(where, "apply", "-input=false", "-auto-approve")
    main = where / "main.tf"
    main.write_text(main.read_text(encoding="utf-8") + "\n# mine\n", encoding="utf-8")
    assert command("adopt", "production.json", *ADOPT).status == 0
    assert main.read_text(encoding="utf-8").endswith("\n# mine\n")
    assert not (where / "terraform.tfvars").exists()
    backend = "-backend-config=environments/production.backend.hcl"
    oracles.run(where, "init", "-input=false", "-migrate-state", "-force-copy", backend)
    plan = oracles.terraform(where, "plan", "-input=false", "-var-file=environments/production.tfvars")
    assert "No changes" in plan.stdout, plan.stdout + plan.stderr


def list_goldens() -> list[cases.Case]:
    return [case for case in cases.template_cases() if not case.heat and not case.options.get("environments")]


class Echo:
    """A cloud that has exactly one object for each question, with a name that Heat made up."""

    def ask(self, lookup: CloudLookup) -> list[dict[str, Any]]:
        filters = dict(lookup.filter)
        id_ = filters.get("id", "x")
        return [{**filters, "id": id_, "name": f"heat-{id_}"}]


@pytest.mark.long
@pytest.mark.parametrize("case", list_goldens(), ids=lambda case: case.name)
def test_two_stacks_of_a_golden_template_have_common_code(case: cases.Case) -> None:
    """If one of them can be adopted, both together can. No ID of them and no name that Heat made up is in the code."""
    text = case.input.read_text(encoding="utf-8")
    files = {p.name: p.read_text(encoding="utf-8") for p in case.folder.iterdir() if p.is_file() and p != case.input}
    try:
        exports = {name: running.stack(text, files=files, name=name) for name in ("alpha", "beta")}
    except (yaml.YAMLError, TypeError, AttributeError, ValueError):
        pytest.skip("the template is not YAML of one document")
    adoptees = {name: Adoptee(json.dumps(exported), f"{name}.json") for name, exported in exports.items()}
    done = adopted_environments(adoptees, Request(to="hcl"), Echo())
    single = transpile.adopt(json.dumps(exports["alpha"]), cloud=Echo())
    assert done.conversion.ok == single.ok, done.conversion.diagnostics
    code = "".join(text for name, text in code_of(done).items() if name not in (MANIFEST, ".gitignore"))
    for exported in exports.values():
        for id_ in (exported["id"], *(row["resource_id"] for row in exported["resources"].values())):
            assert id_ not in code


class Project(Named):
    """The stacks of a project in a cloud."""

    exports: Mapping[str, str] = {}

    def read_stack(self, name: str) -> tuple[LiveStack, list[Diagnostic]]:
        return running.live(CASES["plain"][0][name].export), []


def test_stacks_of_a_cloud_become_environments(
    command: Run, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of an environment is that of the stack, or the one before `=`."""
    monkeypatch.setattr(adopt_command, "connect_to_cloud", lambda cloud, limits: Project())
    ended = command(
        "adopt", "--os-cloud", "demo", "production", "stage=staging", "--environments", "files", "-o", "out"
    )
    assert ended.status == 0, ended.err
    names = {path.stem for path in (tmp_path / "out/environments").glob("*.tfvars")}
    assert names == {"production", "stage"}


GOLDEN = pathlib.Path(__file__).parents[2] / "golden" / "adopt" / "server"


@oracles.needs_providers
@pytest.mark.long
@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch on PATH")
def test_the_last_step_is_taken_once_and_then_in_each_environment(
    command: Run, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stack with all that adoptions have: answers of a cloud, ignored arguments, a hidden parameter."""
    cloud: dict[str, Any] = {}
    for name, part in (("production", "-0000-4000-8000-"), ("staging", "-1111-4000-8000-")):
        texts = {
            file: (GOLDEN / file).read_text(encoding="utf-8").replace("-0000-4000-8000-", part)
            for file in ("export.json", "answers.json", "cloud.json")
        }
        write_files(tmp_path, {f"{name}.json": texts["export.json"], f"{name}.answers.json": texts["answers.json"]})
        for kind, objects in json.loads(texts["cloud.json"]).items():
            cloud.setdefault(kind, {}).update(objects)
    (tmp_path / "cloud.json").write_text(json.dumps(cloud), encoding="utf-8")
    monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(tmp_path / "cloud.json"))
    monkeypatch.setenv("TF_VAR_password", "sesame")
    answers = [f"--answers={name}={name}.answers.json" for name in ("production", "staging")]
    ended = command("adopt", "production.json", "staging.json", *answers, "--environments", "files", "-o", "out")
    assert ended.status == 0, ended.err
    root = Root.__new__(Root)
    root.where = tmp_path / "out"
    for name in ("production", "staging"):
        assert root.plan(name) == {"import": 11}
        root.apply()
    subprocess.run(["patch", "-p1", "-i", "environments/compare.patch"], cwd=root.where, check=True)
    for name in ("production", "staging"):
        guide = (root.where / f"environments/{name}/ADOPT.md").read_text(encoding="utf-8")
        assert "Plan: 0 to add, 1 to change, 0 to destroy." in guide
        assert root.plan(name) == {"update": 1}
        root.apply()
        assert root.plan(name) == {}
