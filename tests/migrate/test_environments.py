"""hot2tf migrate with several environments of a template: which share a root, and the fate of edits and states."""

from __future__ import annotations

import json
import pathlib
import shutil
from collections.abc import Collection
from typing import Any

import hcl2
import pytest

from emitters.hcl.emitter import TARGET
from tests.conftest import Run
from tests.support import oracles
from tests.support.environment_values import compare_group, compare_values, convert_stack
from tests.support.repositories import migrate, put, tree
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.migrate import moving, root_updates
from transpile.migrate.environment_groups import SharedRoot, find_groups
from transpile.repository.survey import survey_tree

EXAMPLE = pathlib.Path(__file__).parents[2] / "docs" / "example-repository"
SHOP = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number, default: 1}
  network: {type: string, default: front}
  label: {type: string}
  gateway: {type: string, default: ""}
  token: {type: string, hidden: true, default: ""}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: network}}}
  subnet:
    type: OS::Neutron::Subnet
    properties: {network: {get_resource: net}, cidr: 10.0.0.0/24, gateway_ip: {get_param: gateway}}
  volume:
    type: OS::Cinder::Volume
    properties: {size: {get_param: size}, name: {get_param: label}, metadata: {token: {get_param: token}}}
  disk: {type: My::Disk, properties: {size: {get_param: size}}}
outputs:
  size: {value: {get_attr: [volume, size]}}
"""
DISK = """\
heat_template_version: 2018-08-31
parameters: {size: {type: number}}
resources:
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}, name: disk}}
"""
REGISTRY = "resource_registry: {My::Disk: lib/disk.yaml}\n"
PRODUCTION = f"{REGISTRY}parameters: {{label: big, size: 3, gateway: 10.0.0.1}}\n"
STAGING = f"{REGISTRY}parameters: {{label: small, network: back, size: 1}}\n"
TEST = f"{REGISTRY}parameters: {{label: CHANGE_ME}}\n"
CODE = ["backend.tf", "main.tf", "outputs.tf", "variables.tf", "versions.tf"]


@pytest.fixture
def src(tmp_path: pathlib.Path) -> pathlib.Path:
    where = tmp_path / "src"
    put(where, "shop.yaml", SHOP)
    put(where, "lib/disk.yaml", DISK)
    put(where, "shop-production.env", PRODUCTION)
    put(where, "shop-staging.env", STAGING)
    return where


def report_of(command: Run, *flags: str) -> dict[str, Any]:
    migrate(command, "--report", "r.json", *flags)
    return {entry["output"]: entry for entry in json.loads(pathlib.Path("r.json").read_text())["stacks"]}


def values_of(path: str) -> dict[str, Any]:
    read = hcl2.loads(pathlib.Path(path).read_text())
    return {k: v.strip('"') if isinstance(v, str) else v for k, v in read.items() if not k.startswith("__")}


def names_in(folder: str) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in pathlib.Path(folder).rglob("*") if p.is_file())


def edit(path: str, old: str, new: str) -> None:
    text = pathlib.Path(path).read_text()
    assert old in text
    pathlib.Path(path).write_text(text.replace(old, new))


def put_states(*paths: str) -> None:
    """Writes states that say whose they are."""
    for path in paths:
        put(pathlib.Path(), path, json.dumps({"version": 4, "lineage": path}))


# layouts


def test_environments_with_equal_code_share_a_root(src: pathlib.Path, command: Run) -> None:
    """The gateway is in use in one environment only, and its value does not decide the code of the others."""
    report = report_of(command)
    assert [name for name in names_in("out/shop") if name.endswith(".tf")] == CODE
    assert names_in("out/shop/environments") == [
        "production.backend.hcl",
        "production.tfvars",
        "staging.backend.hcl",
        "staging.tfvars",
    ]
    assert pathlib.Path("out/shop/backend.tf").read_text().endswith('terraform {\n  backend "local" {}\n}\n')
    assert values_of("out/shop/environments/staging.backend.hcl") == {"path": "environments/staging.tfstate"}
    production, staging = (values_of(f"out/shop/environments/{name}.tfvars") for name in ("production", "staging"))
    assert production == {"stack_name": "shop-production", "label": "big", "size": 3, "gateway": "10.0.0.1"}
    assert staging == {
        "stack_name": "shop-staging",
        "label": "small",
        "network": "back",
    }  # its size is the default of the variable
    assert {name: (entry["directory"], entry["environment"]) for name, entry in report.items()} == {
        "shop/production": ("shop", "production"),
        "shop/staging": ("shop", "staging"),
    }
    readme = pathlib.Path("out/README.md").read_text()
    assert "terraform init -reconfigure -backend-config=environments/NAME.backend.hcl" in readme
    assert "terraform plan -var-file=environments/NAME.tfvars" in readme
    assert not pathlib.Path("out/shop/README.md").exists(), "it has nothing of its own to say"


def test_workspaces_need_no_backend(src: pathlib.Path, command: Run) -> None:
    assert migrate(command, "--environments", "workspaces").status == 0
    assert names_in("out/shop/environments") == ["production.tfvars", "staging.tfvars"]
    assert "backend.tf" not in names_in("out/shop")
    readme = pathlib.Path("out/README.md").read_text()
    assert "terraform workspace select -or-create NAME" in readme
    assert "`hot2tf migrate src DEST --environments workspaces`" in readme


def test_directories_are_as_before(src: pathlib.Path, command: Run) -> None:
    assert migrate(command, "--environments", "directories").status == 0
    assert {name.split("/")[0] for name in names_in("out/shop")} == {"production", "staging"}
    assert "terraform.tfvars" in names_in("out/shop/production")


def test_a_configuration_chooses_the_layout(src: pathlib.Path, command: Run) -> None:
    put(src, "hot2tf.toml", 'environment-layout = "directories"\n')
    assert migrate(command).status == 0
    assert pathlib.Path("out/shop/production/main.tf").is_file()


def test_a_template_with_one_environment_has_its_values_in_terraform_tfvars(src: pathlib.Path, command: Run) -> None:
    (src / "shop-staging.env").unlink()
    assert migrate(command).status == 0
    assert "terraform.tfvars" in names_in("out/shop")
    assert not pathlib.Path("out/shop/environments").exists()


def test_an_environment_without_a_value_makes_the_others_state_theirs(src: pathlib.Path, command: Run) -> None:
    """A placeholder is no value, so the variable has no default; the others say the default themselves. A hidden value
    that is the template's default is no secret.
    """
    put(src, "shop-test.env", TEST.replace("CHANGE_ME", "x, size: 2, network: CHANGE_ME, token: CHANGE_ME"))
    assert migrate(command).status == 0
    assert "network" not in values_of("out/shop/environments/test.tfvars")
    assert "network = " in pathlib.Path("out/shop/environments/test.tfvars.example").read_text()
    production = values_of("out/shop/environments/production.tfvars")
    assert (production["network"], production["token"]) == ("front", "")
    variables = {
        name: body
        for row in hcl2.loads(pathlib.Path("out/shop/variables.tf").read_text())["variable"]
        for name, body in row.items()
    }
    assert "default" not in variables['"network"'] | variables['"token"']


def test_no_two_roots_beside_each_other_have_equal_code(src: pathlib.Path, command: Run) -> None:
    put(src, "lib/other.yaml", DISK.replace("name: disk", "name: other"))
    for name in ("test", "demo"):
        put(src, f"shop-{name}.env", STAGING.replace("lib/disk", "lib/other"))
    report = report_of(command)
    assert {name: (entry["directory"], entry["environment"]) for name, entry in report.items()} == {
        "shop/demo": ("shop", "demo"),
        "shop/production": ("shop-production", "production"),
        "shop/staging": ("shop-production", "staging"),
        "shop/test": ("shop", "test"),
    }
    codes = [
        tuple(pathlib.Path(f"out/{folder}/{name}").read_text() for name in CODE)
        for folder in ("shop", "shop-production")
    ]
    assert len(set(codes)) == len(codes)
    first = tree(pathlib.Path("out"))
    assert migrate(command).status == 0
    assert tree(pathlib.Path("out")) == first


def test_a_root_is_not_around_another_stack(src: pathlib.Path, command: Run) -> None:
    put(src, "shop/inner.yaml", DISK)
    report = report_of(command)
    assert report["shop/staging"]["directory"] == "shop_stack"
    assert pathlib.Path("out/shop/inner/main.tf").is_file()


def test_the_plan_file_names_environments(src: pathlib.Path, command: Run) -> None:
    command("migrate", "--plan", "src", "--write", "src/hot2tf-migrate.yaml")
    assert "    output: shop\n    environment: production\n" in (src / "hot2tf-migrate.yaml").read_text()
    assert migrate(command).status == 0
    before = tree(pathlib.Path("out"))
    (src / "hot2tf-migrate.yaml").unlink()
    assert migrate(command).status == 0
    assert tree(pathlib.Path("out")) == before


def test_a_directory_in_the_plan_file_is_one_of_its_own(src: pathlib.Path, command: Run) -> None:
    stacks = "".join(
        f"  - {{template: shop.yaml, environments: [shop-{name}.env], output: {name}/web}}\n"
        for name in ("production", "staging")
    )
    put(src, "hot2tf-migrate.yaml", f"format: 1\nstacks:\n{stacks}")
    assert migrate(command).status == 0
    assert "terraform.tfvars" in names_in("out/production/web")


def test_tests_are_written_for_each_environment(src: pathlib.Path, command: Run) -> None:
    assert migrate(command, "--tests").status == 0
    assert names_in("out/shop/tests") == ["heat.tftest.hcl", "heat_disk.tftest.hcl"], "the root, and its module"
    assert migrate(command, "--tests", "--option", "test_runs=all").status == 0
    names = names_in("out/shop/tests")
    assert {"heat-production.tftest.hcl", "heat-staging.tftest.hcl"} <= set(names)
    production, staging = (
        hcl2.loads(pathlib.Path(f"out/shop/tests/heat-{name}.tftest.hcl").read_text())["variables"][0]
        for name in ("production", "staging")
    )
    assert (production["label"], staging["label"]) == ('"big"', '"small"')


# later runs


def test_an_edit_of_a_shared_root_is_merged(src: pathlib.Path, command: Run) -> None:
    migrate(command)
    edit("out/shop/main.tf", '"10.0.0.0/24"', '"10.9.0.0/24"')
    put(src, "shop.yaml", SHOP.replace("name: {get_param: label}", "name: {get_param: label}, description: d"))
    ended = migrate(command)
    assert (ended.status, "Merged with your changes: shop: main.tf." in ended.err) == (0, True)
    main = pathlib.Path("out/shop/main.tf").read_text()
    assert ('"10.9.0.0/24"' in main, 'description = "d"' in main) == (True, True)


def test_environments_come_and_go(src: pathlib.Path, command: Run) -> None:
    migrate(command)
    edit("out/shop/environments/staging.tfvars", '"small"', '"tiny"')
    put(src, "shop-test.env", TEST.replace("CHANGE_ME", "t"))
    assert migrate(command).status == 0
    assert values_of("out/shop/environments/test.tfvars")["label"] == "t"
    assert values_of("out/shop/environments/staging.tfvars")["label"] == "tiny"
    (src / "shop-test.env").unlink()
    assert migrate(command).status == 0
    assert not [name for name in names_in("out/shop/environments") if name.startswith("test")]
    assert values_of("out/shop/environments/staging.tfvars")["label"] == "tiny"


def test_the_last_environment_stays_in_its_directory(src: pathlib.Path, command: Run) -> None:
    """The state of the stack may be anywhere, and the name of the stack is in names of resources."""
    migrate(command)
    put_states("out/shop/environments/production.tfstate")
    (src / "shop-staging.env").unlink()
    before = tree(pathlib.Path("out"))
    assert migrate(command).status == 0
    after = tree(pathlib.Path("out"))
    assert [name for name in before.keys() - after.keys() if "staging" not in name] == []
    assert values_of("out/shop/environments/production.tfvars")["stack_name"] == "shop-production"
    assert migrate(command).status == 0
    assert tree(pathlib.Path("out")) == after
    put(src, "shop-staging.env", STAGING)
    assert migrate(command).status == 0
    assert tree(pathlib.Path("out")) == before


def test_the_files_of_an_environment_that_is_gone_stay_while_it_has_a_state(src: pathlib.Path, command: Run) -> None:
    put(src, "shop-test.env", TEST.replace("CHANGE_ME", "t"))
    migrate(command)
    put_states("out/shop/environments/test.tfstate")
    (src / "shop-test.env").unlink()
    ended = migrate(command)
    assert (ended.status, "HOT946" in ended.err) == (0, True)
    assert {"test.backend.hcl", "test.tfstate", "test.tfvars"} <= set(names_in("out/shop/environments"))
    pathlib.Path("out/shop/environments/test.tfstate").unlink()
    ended = migrate(command)
    assert (ended.status, "HOT946" in ended.err) == (0, False)
    assert not [name for name in names_in("out/shop/environments") if name.startswith("test")]


def test_one_that_cannot_be_converted_does_not_stop_the_others(src: pathlib.Path, command: Run) -> None:
    """The failing stack keeps its values in the root, and its old code does not move the others."""
    migrate(command)
    put(src, "shop-staging.env", STAGING.replace("lib/disk", "lib/missing"))
    put(src, "shop.yaml", SHOP.replace("10.0.0.0/24", "10.1.0.0/24"))
    ended = migrate(command)
    assert (ended.status, "left as they were: shop/staging" in ended.err) == (1, True)
    assert '"10.1.0.0/24"' in pathlib.Path("out/shop/main.tf").read_text()
    assert {"production.tfvars", "staging.tfvars"} <= set(names_in("out/shop/environments"))
    assert not pathlib.Path("out/shop-staging").exists()


def test_an_environment_that_begins_to_differ_leaves_the_root(src: pathlib.Path, command: Run) -> None:
    migrate(command)
    put(src, "lib/other.yaml", DISK.replace("name: disk", "name: other"))
    put(src, "shop-staging.env", STAGING.replace("lib/disk", "lib/other"))
    put_states("out/shop/environments/staging.tfstate", "out/shop/environments/production.tfstate")
    before = tree(pathlib.Path("out"))
    ended = migrate(command)
    assert (ended.status, "shop/environments/staging.tfstate would be left behind" in ended.err) == (1, True)
    after = tree(pathlib.Path("out"))
    assert {name: text for name, text in after.items() if name.startswith("shop")} == {
        name: text for name, text in before.items() if name.startswith("shop")
    }
    assert migrate(command, "--move").status == 0
    assert "staging" in pathlib.Path("out/shop-staging/environments/staging.tfstate").read_text()
    assert names_in("out/shop/environments") == ["production.backend.hcl", "production.tfstate", "production.tfvars"]


def test_the_environment_that_stays_keeps_the_directory(src: pathlib.Path, command: Run) -> None:
    """The largest group of environments has the directory at first. Later, those that are in it keep it."""
    migrate(command)
    put(src, "lib/other.yaml", DISK.replace("name: disk", "name: other"))
    for name in ("aa", "bb", "cc"):
        put(src, f"shop-{name}.env", STAGING.replace("lib/disk", "lib/other"))
    report = report_of(command)
    assert {report[f"shop/{name}"]["directory"] for name in ("production", "staging")} == {"shop"}
    assert {report[f"shop/{name}"]["directory"] for name in ("aa", "bb", "cc")} == {"shop-aa"}
    edit("out/shop-aa/environments/bb.tfvars", "small", "tiny")
    for name in ("aa", "bb", "cc"):
        put(src, f"shop-{name}.env", STAGING)
    assert migrate(command, "--move").status == 0
    assert not pathlib.Path("out/shop-aa").exists()
    labels = {name: values_of(f"out/shop/environments/{name}.tfvars")["label"] for name in ("bb", "cc")}
    assert labels == {"bb": "tiny", "cc": "small"}


# an older layout


@pytest.fixture
def older(src: pathlib.Path, command: Run) -> None:
    """The layout of directories, with a state in each."""
    assert migrate(command, "--environments", "directories").status == 0
    put_states("out/shop/production/terraform.tfstate", "out/shop/staging/terraform.tfstate")


def test_an_older_layout_without_edits_and_states_is_rewritten(src: pathlib.Path, command: Run) -> None:
    migrate(command, "--environments", "directories")
    assert migrate(command).status == 0
    assert {name.split("/")[0] for name in names_in("out/shop")} == {*CODE, "environments"}


@pytest.mark.usefixtures("older")
def test_without_the_option_nothing_of_it_is_touched(command: Run) -> None:
    before = tree(pathlib.Path("out/shop"))
    ended = migrate(command)
    assert (ended.status, "HOT945" in ended.err, "--move" in ended.err) == (1, True, True)
    assert tree(pathlib.Path("out/shop")) == before
    forced = migrate(command, "--force")
    assert (forced.status, tree(pathlib.Path("out/shop"))) == (1, before)
    assert migrate(command, "--environments", "directories").status == 0


@pytest.mark.usefixtures("older")
def test_states_and_edits_move(command: Run) -> None:
    for name in ("production", "staging"):
        edit(f"out/shop/{name}/main.tf", '"10.0.0.0/24"', '"10.9.0.0/24"')
        put(pathlib.Path(), f"out/shop/{name}/more.tf", "# ours\n")
    edit("out/shop/production/terraform.tfvars", "= 3", "= 4")
    put_states("out/shop/production/terraform.tfstate.backup")
    put(pathlib.Path(), "out/shop/staging/values.auto.tfvars", "network_id = 1\n")
    put(pathlib.Path(), "out/shop/staging/secrets.auto.tfvars", 'token = "t"\n')
    assert "HOT945" in migrate(command).err
    shown = tree(pathlib.Path("out"))
    diff = migrate(command, "--move", "--diff")
    assert ("Would be moved: shop/production → shop (production)" in diff.err, diff.status) == (True, 0)
    assert tree(pathlib.Path("out")) == shown
    assert migrate(command, "--move").status == 0
    assert "10.9.0.0/24" in pathlib.Path("out/shop/main.tf").read_text()
    assert values_of("out/shop/environments/production.tfvars")["size"] == 4
    assert values_of("out/shop/environments/staging.tfvars")["network_id"] == 1
    assert values_of("out/shop/environments/staging/secrets.auto.tfvars") == {"token": "t"}
    assert pathlib.Path("out/shop/more.tf").read_text() == "# ours\n"
    for name, ending in (("production", ""), ("production", ".backup"), ("staging", "")):
        state = json.loads(pathlib.Path(f"out/shop/environments/{name}.tfstate{ending}").read_text())
        assert state["lineage"] == f"out/shop/{name}/terraform.tfstate{ending}"
        assert pathlib.Path(f"out/.hot2tf/moved/shop/{name}/terraform.tfstate{ending}").is_file()
    assert not pathlib.Path("out/shop/production").exists()
    moved = tree(pathlib.Path("out"))
    again = migrate(command, "--move")
    assert (again.status, "Moved" in again.err, tree(pathlib.Path("out"))) == (0, False, moved)
    assert (migrate(command).status, tree(pathlib.Path("out"))) == (0, moved)


def test_they_move_back(command: Run, older: None) -> None:
    before = tree(pathlib.Path("out/shop"))
    migrate(command, "--move")
    edit("out/shop/main.tf", '"10.0.0.0/24"', '"10.9.0.0/24"')
    put(pathlib.Path(), "out/shop/environments/staging/secrets.auto.tfvars", 'token = "t"\n')
    assert migrate(command, "--move", "--environments", "workspaces").status == 0
    assert pathlib.Path("out/shop/terraform.tfstate.d/staging/terraform.tfstate").is_file()
    assert migrate(command, "--move", "--environments", "directories").status == 0
    after = tree(pathlib.Path("out/shop"))
    assert after.pop("staging/secrets.auto.tfvars") == 'token = "t"\n'
    assert after.keys() == before.keys()
    for name, text in before.items():
        assert after[name] == (text.replace("10.0.0.0/24", "10.9.0.0/24") if name.endswith("main.tf") else text), name


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("production/main.tf", None, "shop/production/main.tf was edited, but shop/staging/main.tf was not edited"),
        ("staging/more.tf", "# ours\n", "shop/staging/more.tf is not the same in all environments"),
        ("staging/backend.tf", 'terraform {\n  backend "s3" {}\n}\n', "has a backend of its own"),
        (
            "staging/.terraform/terraform.tfstate",
            '{"backend": {"type": "http"}}',
            "the state of shop/staging is in a backend http",
        ),
        ("staging/.terraform.tfstate.lock.info", "{}", "the state of shop/staging is locked"),
        ("environments/staging.tfstate", "{}", "both shop/staging/terraform.tfstate and shop/environments/staging"),
        ("production/values.auto.tfvars", "size = 9\n", "and environments/production.tfvars set the same variables"),
    ],
)
def test_differences_between_environments_stop_the_move(name: str, text: str | None, reason: str, command: Run) -> None:
    if text is None:
        edit(f"out/shop/{name}", '"10.0.0.0/24"', '"10.9.0.0/24"')
    else:
        put(pathlib.Path(), f"out/shop/{name}", text)
    before = tree(pathlib.Path("out/shop"))
    ended = migrate(command, "--move")
    assert (ended.status, reason in ended.err) == (1, True)
    assert tree(pathlib.Path("out/shop")) == before
    assert not pathlib.Path("out/.hot2tf/moved").exists()


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("step", ["save_backups", "move_states", "remove_old"])
def test_a_move_that_was_stopped_goes_on(step: str, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("production", "staging"):
        edit(f"out/shop/{name}/main.tf", '"10.0.0.0/24"', '"10.9.0.0/24"')

    def stop(self: moving.GroupMove) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(moving.GroupMove, step, stop)
        assert migrate(command, "--move").status == 130
    assert migrate(command, "--move").status == 0
    assert "10.9.0.0/24" in pathlib.Path("out/shop/main.tf").read_text()
    for name in ("production", "staging"):
        state = json.loads(pathlib.Path(f"out/shop/environments/{name}.tfstate").read_text())
        assert state["lineage"] == f"out/shop/{name}/terraform.tfstate"
    assert not pathlib.Path("out/shop/staging").exists()


@pytest.mark.usefixtures("older")
def test_states_stay_where_they_are_if_a_root_cannot_be_written(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state is moved to, and its old place removed, only for code that is there."""
    before = tree(pathlib.Path("out/shop"))
    failed = Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, "The directory cannot be written.")

    def refuse(self: root_updates.RootUpdates, root: SharedRoot, environments: Collection[str]) -> None:
        self.outcome.problems[root.folder] = [failed]

    with monkeypatch.context() as broken:
        broken.setattr(root_updates.RootUpdates, "update_root", refuse)
        assert migrate(command, "--move").status == 1
    assert tree(pathlib.Path("out/shop")) == before
    assert migrate(command, "--move").status == 0
    assert not pathlib.Path("out/shop/staging").exists()


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("name", [None, "out/shop/environments/a.tfstate"])
def test_a_state_that_cannot_be_moved_is_named(name: str | None, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk names no file; then it is the destination."""

    def refuse(self: moving.GroupMove) -> None:
        raise OSError(28, "No space left on device", name)

    monkeypatch.setattr(moving.GroupMove, "move_states", refuse)
    ended = migrate(command, "--move")
    assert (ended.status, f"{name or 'out'} cannot be written: No space left" in " ".join(ended.err.split())) == (
        1,
        True,
    )


def test_a_state_or_edit_of_a_template_that_had_one_environment_belongs_to_nobody_known(
    src: pathlib.Path, command: Run
) -> None:
    (src / "shop-staging.env").unlink()
    migrate(command)
    edit("out/shop/main.tf", '"10.0.0.0/24"', '"10.9.0.0/24"')
    put(src, "shop-staging.env", STAGING)
    ended = migrate(command, "--move")
    assert (ended.status, "nobody knows to which environment shop/main.tf belongs" in ended.err) == (1, True)
    edit("out/shop/main.tf", '"10.9.0.0/24"', '"10.0.0.0/24"')
    put_states("out/shop/terraform.tfstate")
    before = tree(pathlib.Path("out/shop"))
    assert "shop/terraform.tfstate would be left behind" in migrate(command).err
    ended = migrate(command, "--move")
    assert (ended.status, "nobody knows to which environment shop/terraform.tfstate belongs" in ended.err) == (1, True)
    assert tree(pathlib.Path("out/shop")) == before
    put(pathlib.Path(), "out/shop/environments/production.tfstate", before["terraform.tfstate"])
    pathlib.Path("out/shop/terraform.tfstate").unlink()
    assert migrate(command, "--move").status == 0


# under Terraform


@oracles.needs_providers
def test_the_plan_is_empty_after_a_move(src: pathlib.Path, command: Run) -> None:
    """The states are those that Terraform wrote in directories; each environment uses its own in the shared root."""
    (src / "shop.yaml").write_text(SHOP.replace("  token: {get_param: token}", ""))
    assert migrate(command, "--environments", "directories").status == 0
    for name in ("production", "staging"):
        oracles.run(pathlib.Path(f"out/shop/{name}"), "init", "-input=false")
        oracles.run(pathlib.Path(f"out/shop/{name}"), "apply", "-input=false", "-auto-approve")
    assert migrate(command, "--move").status == 0
    for name in ("production", "staging"):
        check_plan_is_empty(name)
        listed = oracles.terraform(pathlib.Path("out/shop"), "state", "list")
        assert "openstack_blockstorage_volume_v3.volume" in listed.stdout


def check_plan_is_empty(name: str) -> None:
    """Asserts an empty plan in the shared root, with the state and the values of an environment."""
    where, settings = pathlib.Path("out/shop"), f"-backend-config=environments/{name}.backend.hcl"
    oracles.run(where, "init", "-input=false", "-reconfigure", settings)
    values = f"-var-file=environments/{name}.tfvars"
    oracles.run(where, "plan", "-input=false", "-detailed-exitcode", values)  # 2 means changes


@oracles.needs_providers
def test_each_environment_has_a_workspace(src: pathlib.Path, command: Run) -> None:
    assert migrate(command, "--environments", "workspaces").status == 0
    where = pathlib.Path("out/shop")
    oracles.run(where, "init", "-input=false")
    for name in ("production", "staging"):
        oracles.run(where, "workspace", "select", "-or-create", name)
        oracles.run(where, "apply", "-input=false", "-auto-approve", f"-var-file=environments/{name}.tfvars")
    assert migrate(command, "--environments", "workspaces").status == 0
    assert migrate(command, "--move").status == 0
    assert {"production.tfstate", "staging.tfstate"} <= set(names_in("out/shop/environments"))
    for name in ("production", "staging"):
        check_plan_is_empty(name)


# the corpus and the documentation


def find_equal_siblings(where: pathlib.Path) -> list[tuple[str, str]]:
    """Directories next to each other with the same code, which may differ in values and README.md."""
    seen: dict[tuple[pathlib.Path, str], str] = {}
    equal = []
    for main in sorted(where.rglob("main.tf")):
        if ".hot2tf" in main.parts or main.parent.parent.name == "modules":
            continue
        texts = {
            path.relative_to(main.parent).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(main.parent.rglob("*"))
            if path.is_file() and path.suffix in (".tf", ".yaml", ".tftpl", ".sh")
        }
        key = main.parent.parent, json.dumps(texts)
        if key in seen:
            equal.append((seen[key], main.parent.name))
        seen[key] = main.parent.name
    return equal


def test_equal_siblings_are_seen(src: pathlib.Path, command: Run) -> None:
    """The layout of directories has equal siblings, so the tests below can fail."""
    migrate(command, "--environments", "directories")
    assert find_equal_siblings(pathlib.Path("out")) == [("production", "staging")]


def test_the_example_of_the_documentation_has_no_equal_siblings(command: Run) -> None:
    shutil.copytree(EXAMPLE, "src")
    edit("src/shop.yaml", "flavour:", "flavor:")
    assert migrate(command).status == 0
    assert names_in("out/shop/environments")[0] == "production.backend.hcl"
    assert find_equal_siblings(pathlib.Path("out")) == []


@oracles.needs_corpus
@pytest.mark.parametrize("name", ["redhat-openstack+openshift-on-openstack", "syseleven+heat-examples"])
def test_the_corpus_has_no_equal_siblings(name: str, command: Run) -> None:
    command("migrate", str(oracles.SHARED / "corpus" / name), "out", "--quiet")
    assert list(pathlib.Path("out").rglob("*.backend.hcl"))
    assert find_equal_siblings(pathlib.Path("out")) == []


@oracles.needs_corpus
@pytest.mark.parametrize("name", ["Juniper+contrail-heat", "syseleven+heat-examples"])
def test_each_environment_plans_the_same_as_a_directory_of_its_own(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The values of both files of values, as text, lead to the same instances with the same arguments."""
    root = oracles.SHARED / "corpus" / name
    groups = find_groups(survey_tree(root).stacks, TARGET)
    assert groups
    for group in groups:
        stacks, failed, roots, compared, differing = compare_group(group, root, "faithful", shows_roots=False)
        assert (failed, roots, differing, capsys.readouterr().out) == (0, 1, 0, "")
        assert (stacks > 1, compared > 20) == (True, True)


def test_another_plan_of_a_shared_root_is_noticed(src: pathlib.Path, command: Run) -> None:
    """The comparison above is no comparison of nothing: other values are different."""
    (group,) = find_groups(survey_tree(src).stacks, TARGET)
    own, other = (convert_stack(stack, group.stacks, src, "faithful") for stack in group.stacks)
    assert own.code == other.code
    differences = compare_values(own.values, other.values)
    assert any(line.startswith("openstack_blockstorage_volume_v3.volume.size: 3") for line in differences)
    assert compare_values(own.values, own.values) == []


# environments' values for nested templates

CLUSTER = """\
heat_template_version: 2018-08-31
parameters: {network: {type: string, default: net}}
resources:
  master: {type: lib/node.yaml, properties: {name: master}}
  worker: {type: lib/rack.yaml, properties: {name: worker}}
"""
RACK = """\
heat_template_version: 2018-08-31
parameters: {name: {type: string}}
resources:
  node: {type: node.yaml, properties: {name: {get_param: name}}}
"""
NODE = """\
heat_template_version: 2018-08-31
parameters:
  name: {type: string}
  flavor: {type: string, default: tiny}
  image: {type: string, default: cirros}
  size: {type: number, default: 5}
resources:
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}, name: {get_param: name}}}
  server:
    type: OS::Nova::Server
    properties: {name: {get_param: name}, flavor: {get_param: flavor}, image: {get_param: image}}
"""


@pytest.fixture
def cluster(tmp_path: pathlib.Path) -> pathlib.Path:
    where = tmp_path / "src"
    put(where, "cluster.yaml", CLUSTER)
    put(where, "lib/node.yaml", NODE)
    put(where, "lib/rack.yaml", RACK)
    put(where, "cluster-dev.env", "parameters: {network: a}\nparameter_defaults: {size: 20, flavor: small}\n")
    put(where, "cluster-prod.env", "parameters: {network: b}\nparameter_defaults: {size: 80, flavor: large}\n")
    return where


def test_defaults_of_nested_templates_are_values_of_the_environment(cluster: pathlib.Path, command: Run) -> None:
    """The defaults stand in the file of values, reach each level, and neither the root nor a module is there twice."""
    assert migrate(command).status == 0
    assert sorted(path.name for path in pathlib.Path("out/modules").iterdir()) == ["node", "rack"]
    assert not pathlib.Path("out/cluster-prod").exists()
    for name, size, flavor in (("dev", 20, "small"), ("prod", 80, "large")):
        values = values_of(f"out/cluster/environments/{name}.tfvars")
        assert (values["size"], values["flavor"]) == (size, flavor)
    main = pathlib.Path("out/cluster/main.tf").read_text()
    assert main.count("var.size") == main.count("var.flavor") == 2
    assert "var.size" in pathlib.Path("out/modules/rack/main.tf").read_text()
    assert "var.image" not in main


def test_an_environment_without_a_default_leaves_it_to_the_template(cluster: pathlib.Path, command: Run) -> None:
    put(cluster, "cluster-dev.env", "parameters: {network: a}\nparameter_defaults: {size: 20}\n")
    assert migrate(command).status == 0
    assert not pathlib.Path("out/cluster-prod").exists()
    assert "flavor" not in values_of("out/cluster/environments/dev.tfvars")
    variables = hcl2.loads(pathlib.Path("out/cluster/variables.tf").read_text())["variable"]
    (flavor,) = (variable['"flavor"'] for variable in variables if '"flavor"' in variable)
    assert flavor["default"] is None
    module = pathlib.Path("out/modules/node/variables.tf").read_text()
    assert 'default  = "tiny"\n  nullable = false' in module  # so that null means the default


@pytest.mark.parametrize(
    "dev", ["{size: 20, flavor: small}", "{size: 20}", "{image: 0a0a0a0a-1111-4222-8333-444444444444}"]
)
@pytest.mark.parametrize("prefer", ["faithful", "native"])
def test_defaults_of_nested_templates_reach_the_same_parameters_as_in_heat(
    cluster: pathlib.Path, dev: str, prefer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the values of its file, the root plans the same for each environment as a directory of its own. A name here
    and an ID there are both handled.
    """
    put(cluster, "cluster-dev.env", f"parameters: {{network: a}}\nparameter_defaults: {dev}\n")
    (group,) = find_groups(survey_tree(cluster).stacks, TARGET)
    _, failed, roots, compared, _ = compare_group(group, cluster, prefer, shows_roots=False)
    differing = [line for line in capsys.readouterr().out.splitlines() if "image" not in line]
    assert (failed, roots, compared > 8, differing) == (0, 1, True, [])


@oracles.needs_providers
def test_terraform_takes_null_for_the_default_of_a_nested_template(cluster: pathlib.Path, command: Run) -> None:
    put(cluster, "cluster-dev.env", "parameters: {network: a}\n")
    assert migrate(command).status == 0
    assert oracles.invalid(pathlib.Path("out/cluster")) == []
