"""Output directories that already contain Terraform code of other people.

Invariant: real terraform refuses each clash (`test_terraform_agrees`).
"""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

import pytest

from emitters.hcl.neighbours import Unparsable, read_declarations
from tests.conftest import Run
from tests.support import oracles
from tests.support.cases import GOLDEN
from tests.support.files import write_files
from transpile.text import output

STACK = """\
heat_template_version: 2021-04-16
parameters: {name: {type: string, default: web}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}
  value: {type: OS::Heat::Value, properties: {value: 1}}
  port: {type: OS::Neutron::Port, properties: {network: public}}
  disk: {type: disk.yaml}
outputs:
  id: {value: {get_resource: net}}
  value: {value: {get_attr: [value, value]}}
"""
SHORT = {"variable": "var"}
DISK = "heat_template_version: 2021-04-16\nresources:\n  volume: {type: OS::Cinder::Volume, properties: {size: 1}}\n"
NET, PUBLIC = "openstack_networking_network_v2.net", "data.openstack_networking_network_v2.public"
# The text of the other file, and the name that ours declares as well.
CLASHES = {
    'resource "openstack_networking_network_v2" "net" {\n}\n': NET,
    "resource openstack_networking_network_v2 net {}\n": NET,
    'data "openstack_networking_network_v2" "public" {\n  name = "public"\n}\n': PUBLIC,
    'variable "name" {}\n': "var.name",
    "locals {\n  other = 2\n  value = 2\n}\n": "local.value",
    'output "id" {\n  value = 1\n}\n': "output.id",
    'module "disk" {\n  source = "./modules/disk"\n}\n': "module.disk",
    'terraform {\n  required_providers {\n    null = { source = "hashicorp/null" }\n  }\n}\n': "required_providers",
}
HARMLESS = """\
terraform {
  required_version = ">= 1.0"
  backend "local" {}
}

provider "openstack" {
  cloud = "mine"
}

resource "openstack_networking_network_v2" "other" {
  name = "net"
}

variable "id" {
  default = "variable \\"name\\" {"
}

locals {
  net = <<-EOT
    resource "openstack_networking_network_v2" "net" {
    }
  EOT
}
"""


@pytest.fixture
def run(command: Run) -> Run:
    write_files(pathlib.Path(), {"stack.yaml": STACK, "disk.yaml": DISK})
    return command


def foreign(text: str, name: str = "theirs.tf") -> None:
    path = pathlib.Path("out") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(("text", "address"), CLASHES.items(), ids=CLASHES.values())
def test_a_name_that_is_there_already_is_an_error_before_anything_is_written(text: str, address: str, run: Run) -> None:
    foreign(f"# mine\n{text}")
    ended = run("convert", "stack.yaml", "-o", "out", "--diagnostics", "json", "--report", "report.json")
    (diagnostic,) = [d for d in json.loads(ended.err) if d["severity"] == "error"]
    assert (diagnostic["code"], diagnostic["file"]) == ("HOT906", "out/theirs.tf")
    assert diagnostic["message"].startswith(f"{address} is also declared in ")
    line = text.splitlines()[diagnostic["line"] - 2]
    assert address.rpartition(".")[2] in line
    assert (ended.status, [p.name for p in pathlib.Path("out").iterdir()]) == (1, ["theirs.tf"])
    assert json.loads(pathlib.Path("report.json").read_text())["files"] == []
    assert run("convert", "stack.yaml", "-o", "out", "--force").status == 1  # terraform would refuse it all the same


def test_each_clash_is_said(run: Run) -> None:
    foreign("".join(CLASHES))
    ended = run("convert", "stack.yaml", "-o", "out", "--diagnostics", "concise")
    assert ended.err.count("error HOT906") == len(CLASHES)
    assert "\nout/theirs.tf:" in f"\n{ended.err}"


def test_other_names_are_no_clash(run: Run) -> None:
    """Neither is text that only looks like a name, nor a second run over our own files."""
    foreign(HARMLESS)
    for _ in range(2):
        ended = run("convert", "stack.yaml", "-o", "out", "--strict")
        assert (ended.status, "HOT90" in ended.err) == (0, False), ended.err
    assert (pathlib.Path("out") / "theirs.tf").read_text() == HARMLESS


@pytest.mark.parametrize("name", ["override.tf", "names_override.tf", ".hidden.tf", "theirs.txt", "elsewhere/main2.tf"])
def test_files_that_terraform_reads_otherwise_or_not_at_all_are_left_alone(name: str, run: Run) -> None:
    foreign('variable "name" {\n  default = "other"\n}\n', name)
    assert run("convert", "stack.yaml", "-o", "out", "--strict").status == 0


def test_modules_are_directories_of_their_own(run: Run) -> None:
    foreign('resource "openstack_blockstorage_volume_v3" "volume" {}\nvariable "name" {}\n', "modules/disk/theirs.tf")
    ended = run("convert", "stack.yaml", "-o", "out")
    assert ended.status == 1
    assert ended.err.count("HOT906") == 1
    assert "out/modules/disk/theirs.tf:1:1: error HOT906: openstack_blockstorage_volume_v3.volume" in ended.err


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("theirs.tf", b'variable "name" {\n  default = [1 2]\n}\n', "out/theirs.tf:2:16"),
        ("theirs.tf", b"\xff", "out/theirs.tf:1:1"),
        ("theirs.tf", b"#" * output.NEIGHBOUR_LIMIT + b"\n", "out/theirs.tf:1:1"),
        ("theirs.tf.json", b'{"variable": {"name": {}}}', "out/theirs.tf.json:1:1"),
    ],
    ids=["syntax", "bytes", "large", "json"],
)
def test_unread_files_are_a_warning(name: str, text: bytes, place: str, run: Run) -> None:
    pathlib.Path("out").mkdir()
    (pathlib.Path("out") / name).write_bytes(text)
    strict = run("convert", "stack.yaml", "-o", "out", "--strict")
    assert (strict.status, len(list(pathlib.Path("out").iterdir()))) == (1, 1)
    ended = run("convert", "stack.yaml", "-o", "out")
    assert (ended.status, f"{place}: warning HOT907" in ended.err) == (0, True), ended.err
    assert (pathlib.Path("out") / name).read_bytes() == text


def test_the_parser_is_imported_only_if_there_is_such_a_file(tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"stack.yaml": STACK, "disk.yaml": DISK})
    program = (
        "import sys; from transpile.cli import app\n"
        "sys.argv = ['hot2tf', 'convert', 'stack.yaml', '-o', 'out', '--quiet']\n"
        "try: app.main()\nexcept SystemExit: pass\n"
        "print('hcl2' in sys.modules)"
    )
    command = [sys.executable, "-c", program]
    printed = []
    for name, text in (("notes.txt", "mine"), ("theirs.tf", HARMLESS)):
        (tmp_path / "out").mkdir(exist_ok=True)
        (tmp_path / "out" / name).write_text(text)
        printed.append(subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout)
    assert printed == ["False\n", "True\n"]


def test_an_unparsable_file_has_a_place() -> None:
    with pytest.raises(Unparsable) as error:
        list(read_declarations('variable "a" {\n'))
    assert error.value.at == 15


@oracles.needs_terraform
@pytest.mark.parametrize("text", [*CLASHES, HARMLESS], ids=[*CLASHES.values(), "harmless"])
def test_terraform_agrees(text: str, run: Run) -> None:
    """Terraform says that something is there twice just where hot2tf does."""
    assert run("convert", "stack.yaml", "-o", "out").status == 0
    foreign(text)
    command = ["terraform", "-chdir=out", "validate", "-json"]
    validation = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    twice = [d for d in json.loads(validation)["diagnostics"] if d["summary"].startswith("Duplicate")]
    assert bool(twice) == (text != HARMLESS), validation


def test_our_own_files_are_read() -> None:
    """python-hcl2 finds all that the goldens declare, except names that are not ASCII."""
    paths = [path for path in GOLDEN.glob("*/hcl/**/*.tf") if "golden/names/" not in path.as_posix()]
    assert len(paths) > 300
    for path in paths:
        text = path.read_text(encoding="utf-8")
        headers = re.findall(r'^(?:(data|module|variable|output)|resource) "([^"]+)"(?: "([^"]+)")? \{$', text, re.M)
        expected = {".".join(filter(None, [SHORT.get(kind, kind), *labels])) for kind, *labels in headers}
        assert expected <= {declaration.address for declaration in read_declarations(text)}, path
