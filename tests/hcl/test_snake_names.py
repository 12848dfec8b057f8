"""`--names snake` and `--option structure=standard`: the output follows tflint's rules for names and files."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess

import hcl2
import pytest
from hypothesis import given
from hypothesis import strategies as st

import transpile
from emitters.hcl.namespace import RESERVED, Namespace, UniqueNames, snake_case, strict_snake_case, strict_variable_name
from tests.conftest import Run
from tests.support import oracles, running
from tests.support.files import write_files
from tests.support.repositories import put, tree
from transpile.adopting.run import adopt
from transpile.model.budget import Budget

SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")  # as tflint defines it
TFLINT = os.environ.get("HOT2TF_TFLINT") or shutil.which("tflint") or ""
NESTED = """\
heat_template_version: 2021-04-16
description: A network.
parameters:
  NetName: {type: string, description: The name.}
  count: {type: number, default: 1, description: How many.}
resources:
  MyNet: {type: OS::Neutron::Net, properties: {name: {get_param: NetName}, value_specs: {a: {get_param: count}}}}
outputs:
  NetID: {value: {get_resource: MyNet}, description: The ID.}
"""
TEMPLATE = """\
heat_template_version: 2021-04-16
description: Two networks.
parameters:
  KeyName: {type: string, description: A name in camel case., default: a}
  key_name: {type: string, description: The same in snake case., default: b}
  key-name: {type: string, description: The same with a hyphen., default: c}
  Größe: {type: number, description: With other letters., constraints: [{range: {min: 1, max: 9}}]}
  count: {type: number, description: A reserved word., default: 3}
  Secret-Word: {type: string, hidden: true, description: A secret.}
conditions:
  isLarge: {equals: [{get_param: KeyName}, x]}
resources:
  _inner__net:
    type: nested.yaml
    properties: {NetName: {get_param: KeyName}}
  Other:
    type: OS::Neutron::Net
    condition: isLarge
    properties:
      name: {list_join: ["-", [{get_param: key_name}, {get_param: key-name}, {get_param: Größe}, {get_param: count}]]}
      tags: [{get_param: Secret-Word}]
outputs:
  innerID: {value: {get_attr: [_inner__net, NetID]}, description: The ID.}
  inner_id: {value: {get_param: KeyName}, description: Something else.}
"""
CONVERT = ("convert", "stack.yaml", "--names", "snake", "--option", "structure=standard", "-o", "out")


@pytest.fixture
def template(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    files = {"nested.yaml": NESTED, "stack.yaml": TEMPLATE, "env.yaml": "parameters: {Größe: 5, key-name: z}\n"}
    write_files(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names_in(text: str) -> list[str]:
    """All names that a file of Terraform declares."""
    parsed = re.findall(r'^(?:variable|output|module) "([^"]*)"|^(?:resource|data) "[^"]*" "([^"]*)"', text, re.M)
    locals_ = [
        name
        for block in re.findall(r"^locals \{\n(.*?)^\}", text, re.M | re.S)
        for name in re.findall(r"^  ([\w-]+) *=", block, re.M)
    ]
    return [a or b for a, b in parsed] + locals_


@given(st.text(max_size=20))
def test_every_name_becomes_snake_case(name: str) -> None:
    """Names in other alphabets, of digits alone, and empty ones change, too. A name in snake case stays."""
    words = strict_snake_case(name)
    assert SNAKE.fullmatch(words)
    assert strict_snake_case(words) == words
    assert strict_variable_name(name) not in RESERVED


@given(st.lists(st.sampled_from(["KeyName", "keyName", "key_name", "key-name", "Key Name", "KEY_NAME"]), unique=True))
def test_no_two_names_collide(names: list[str]) -> None:
    """The name that is in snake case already keeps it, the others get numbers, in order."""
    assigned = UniqueNames(shape=strict_snake_case).assign_names([(name, name) for name in names])
    assert len(set(assigned.values())) == len(names)
    assert all(SNAKE.fullmatch(label) for label in assigned.values())
    if "key_name" in names:
        assert assigned["key_name"] == "key_name"


def test_the_names_of_heat_stay_by_default(template: pathlib.Path) -> None:
    done = transpile.convert(template / "stack.yaml", environments=[template / "env.yaml"])
    assert {"KeyName", "key_name", "key_name_2", "Größe", "count_", "Secret_Word"} <= set(
        names_in(str(done.files["variables.tf"]))
    )
    assert "Names in Heat" not in str(done.files["README.md"])


def test_all_names_are_in_snake_case_and_the_mapping_is_written(template: pathlib.Path) -> None:
    """The mapping is in the report, in README.md, and above the values."""
    done = transpile.convert(template / "stack.yaml", environments=[template / "env.yaml"], options={"names": "snake"})
    assert done.ok, done.diagnostics
    variables = {name: entry["variable"] for name, entry in done.report["parameters"].items()}
    assert variables == {
        "KeyName": "key_name_2",
        "key_name": "key_name",
        "key-name": "key_name_3",
        "Größe": "grosse",
        "count": "count_value",
        "Secret-Word": "secret_word",
    }
    outputs = {name: entry["output"] for name, entry in done.report["outputs"].items()}
    assert outputs == {"innerID": "inner_id_2", "inner_id": "inner_id"}
    code = [str(text) for name, text in done.files.items() if name.endswith(".tf")]
    declared = [name for text in code for name in names_in(text)]
    assert len(declared) > 12
    assert [name for name in declared if not SNAKE.fullmatch(name)] == []
    readme = str(done.files["README.md"])
    for row in ("| parameter | `Größe` | `var.grosse` |", "| output | `innerID` | `output.inner_id_2` |"):
        assert row in readme
    assert "| parameter | `key_name` |" not in readme
    assert str(done.files["terraform.tfvars"]).endswith(
        '# key-name in Heat.\nkey_name_3 = "z"\n\n# Größe in Heat.\ngrosse = 5\n'
    ) or "# Größe in Heat.\ngrosse" in str(done.files["terraform.tfvars"])
    assert "# Secret-Word in Heat." in str(done.files["terraform.tfvars.example"])
    again = transpile.convert(template / "stack.yaml", environments=[template / "env.yaml"], options={"names": "snake"})
    assert again.files == done.files


def test_a_run_with_other_names_replaces_the_files(template: pathlib.Path, command: Run) -> None:
    """And the first line has the option, so that the command in it makes the same again."""
    assert command("convert", "stack.yaml", "-o", "out").status == 0
    assert command(*CONVERT).status == 0
    written = tree(pathlib.Path("out"))
    first = written["main.tf"].partition("\n")[0]
    assert first == "# Made by hot2tf from stack.yaml"
    assert 'variable "grosse"' in written["variables.tf"]
    put(pathlib.Path(), "hot2tf.toml", 'names = "snake"\noptions = {structure = "standard"}\n')
    assert command("convert", "stack.yaml", "-o", "again").status == 0
    again = tree(pathlib.Path("again"))
    assert again["variables.tf"].partition("\n")[2] == written["variables.tf"].partition("\n")[2]


@pytest.mark.parametrize("text", ["resources: {n: {type: OS::Neutron::Net}}", "outputs: {a: {value: 1}}"])
def test_the_standard_structure_has_three_files_everywhere(text: str) -> None:
    """Empty ones have the first line alone."""
    template = f"heat_template_version: 2021-04-16\n{text}\n"
    needed = transpile.convert(template).files
    standard = transpile.convert(template, options={"structure": "standard"}).files
    three = {"main.tf", "variables.tf", "outputs.tf"}
    assert not three <= needed.keys()
    assert standard.keys() == needed.keys() | three | ({".hot2tf.json"} & needed.keys())
    for name in three - needed.keys():
        assert re.fullmatch(r"# Made by hot2tf.*\n", str(standard[name]))


def test_modules_have_the_structure_too(template: pathlib.Path) -> None:
    put(template, "nested.yaml", "heat_template_version: 2021-04-16\nresources: {n: {type: OS::Neutron::Net}}\n")
    put(template, "top.yaml", "heat_template_version: 2021-04-16\nresources: {n: {type: nested.yaml}}\n")
    files = transpile.convert(template / "top.yaml", options={"structure": "standard"}).files
    assert {"modules/nested/main.tf", "modules/nested/variables.tf", "modules/nested/outputs.tf"} <= files.keys()


def test_an_adoption_imports_into_the_new_names() -> None:
    """The addresses of imports are those of the blocks that are written."""
    text = "heat_template_version: 2021-04-16\nresources:\n  My--Net: {type: OS::Neutron::Net, properties: {name: n}}\n"
    done = adopt(json.dumps(running.stack(text)), options={"names": "snake"})
    assert done.ok, done.diagnostics
    (label,) = re.findall(r'^resource "openstack_networking_network_v2" "(.*)"', str(done.files["main.tf"]), re.M)
    assert label == "my_net"
    assert "openstack_networking_network_v2.my_net" in str(done.files["imports.tf"])


def test_a_namespace_keeps_all_kinds_apart() -> None:
    """A variable and an output may have one name; two labels of a type may not."""
    from transpile.document_conversion import parse_template
    from transpile.text.source import from_text

    template = parse_template(from_text(TEMPLATE, "stack.yaml", Budget()), [])
    assert template is not None
    names = Namespace(template, snake=True)
    assert [names.reserve_label("x", "A-b"), names.reserve_label("x", "a__b"), names.reserve_label("y", "a_b_")] == [
        "a_b",
        "a_b_2",
        "a_b",
    ]
    assert names.locals.reserve_name("IsLarge") == "is_large_2"


@oracles.needs_providers
def test_terraform_accepts_the_names(template: pathlib.Path, command: Run) -> None:
    done = command(*CONVERT, "--tests")
    assert done.status == 0, done.err
    assert oracles.unformatted(template / "out") == ""
    assert oracles.invalid(template / "out") == []
    oracles.run(template / "out", "test")


@pytest.mark.skipif(not TFLINT, reason="HOT2TF_TFLINT and PATH have no tflint")
def test_tflint_finds_nothing(template: pathlib.Path, command: Run) -> None:
    """The test uses every rule of Terraform's rule set: the template says all that the output needs."""
    assert command(*CONVERT).status == 0
    put(template, "all.hcl", 'plugin "terraform" {\n  enabled = true\n  preset = "all"\n}\n')
    for folder in ("out", "out/modules/nested"):
        done = subprocess.run(
            [TFLINT, "--chdir", folder, "--config", str(template / "all.hcl")],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, ""), folder
    assert hcl2.loads((template / "out/variables.tf").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("webServer", "web_server"),
        ("HTTPServer", "http_server"),
        ("pool_DBserver", "pool_dbserver"),
        ("DBServer", "db_server"),
        ("subnetIDs", "subnet_ids"),
        ("URLs", "urls"),
        ("URLsToTry", "urls_to_try"),
    ],
)
def test_where_words_begin(name: str, words: str) -> None:
    assert strict_snake_case(name) == snake_case(name) == words
