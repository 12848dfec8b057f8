"""The command around a conversion: streams, exit status, files on disk, the report and its messages.

The command runs in this process, through the entry point and in an empty directory. The expected results were derived
from the contract, not from the program's output.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

from tests.conftest import Run
from tests.support.files import write_files
from transpile.version import __version__

GOLDEN = pathlib.Path(__file__).parents[2] / "golden"
STACK = """\
heat_template_version: 2021-04-16
parameters:
  name: {type: string, default: web}
  password: {type: string, hidden: true, default: ""}
resources:
  net:
    type: OS::Neutron::Net
    properties:
      name: {get_param: name}
  boot:
    type: OS::Heat::Value
    properties: {type: string, value: {get_file: boot.sh}}
outputs:
  id: {value: {get_resource: net}}
  boot: {value: {get_attr: [boot, value]}}
  password: {value: {get_param: password}}
"""
BOOT = "#!/bin/sh\necho no newline at the end"
PLAIN = "heat_template_version: 2021-04-16\nresources:\n  net: {type: OS::Neutron::Net, properties: {name: net}}\n"
TWICE = "heat_template_version: 2021-04-16\ndescription: one\ndescription: two\n"  # a warning
WRITTEN = {"versions.tf", "variables.tf", "main.tf", "outputs.tf", "locals.tf", "files/boot.sh"}
WRITTEN |= {"README.md", ".gitignore", ".hot2tf.json", ".hot2tf.base"}
FIRST = "# Made by hot2tf from stack.yaml"
DONE = "2 resources: 1 native, 1 folded into others; 0 properties dropped"


@pytest.fixture
def run(command: Run, tmp_path: pathlib.Path) -> Run:
    """Runs the command in a directory with two templates and a file that one of them reads."""
    for name, text in (("stack.yaml", STACK), ("boot.sh", BOOT), ("plain.yaml", PLAIN), ("twice.yaml", TWICE)):
        (tmp_path / name).write_text(text)
    return command


def tree(path: str) -> dict[str, str]:
    """All files below a directory, by relative path."""
    top = pathlib.Path(path)
    return {p.relative_to(top).as_posix(): p.read_text() for p in sorted(top.rglob("*")) if p.is_file()}


def names(path: str) -> list[str]:
    return sorted(p.name for p in pathlib.Path(path).iterdir())


# where results go


def test_a_directory_gets_the_files_and_a_list_of_them(run: Run) -> None:
    assert run("convert", "stack.yaml", "-o", "out")[:2] == (0, "")
    files = tree("out")
    assert set(files) == WRITTEN
    assert files["files/boot.sh"] == BOOT
    assert 'resource "openstack_networking_network_v2" "net" {' in files["main.tf"]
    listed = json.loads(files.pop(".hot2tf.json"))["files"]
    del files[".hot2tf.base"]  # which is for the next run
    assert listed == {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}


def test_standard_output_gets_the_same_files_under_their_names(run: Run) -> None:
    run("convert", "stack.yaml", "-o", "out")
    ended = run("convert", "stack.yaml")
    parts = [part.partition("\n") for part in f"\n{ended.out}".split("\n# file: ")[1:]]
    extra_names = (".hot2tf.json", ".hot2tf.base", "README.md", ".gitignore")
    expected = {name: text for name, text in tree("out").items() if name not in extra_names}
    texts = {name: text.replace("-o DIR\n", "-o out\n", 1) for name, _, text in parts}  # the first lines
    assert {name: text.rstrip("\n") for name, text in texts.items()} == {n: t.rstrip("\n") for n, t in expected.items()}
    assert (ended.status, ended.err) == (0, f"{DONE}.\n")


def test_standard_input_is_a_template_without_a_name(run: Run) -> None:
    named = run("convert", "plain.yaml", "--quiet")
    unnamed = run("convert", "-", "--quiet", stdin=PLAIN)
    assert "# Made by hot2tf\n" in unnamed.out
    assert unnamed == named._replace(out=named.out.replace(" from plain.yaml", ""))
    assert "<stdin>:1:1: error HOT103" in run("convert", "-", stdin="[]").err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["stack.yaml", "--parameter", "name"], "KEY=VALUE"),
        (["stack.yaml", "--parameter", "=x"], "KEY=VALUE"),
        (["stack.yaml", "--to", "hlc"], "Did you mean hcl?"),
        (["stack.yaml", "--to", "cloudformation"], "hcl"),
        (["stack.yaml", "--diagnostics", "xml"], "json"),
        (["stack.yaml", "--no-such-option"], "--no-such-option"),
        (["stack.yaml", "plain.yaml"], "plain.yaml"),
        (["stack.yaml", "--report", "plain.yaml/report.json"], "plain.yaml/report.json"),
        ([], "TEMPLATE"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_usage_ends_with_status_2_and_writes_nothing(args: list[str], message: str, run: Run) -> None:
    ended = run("convert", *args, "-o", "out")
    assert (ended.status, ended.out, pathlib.Path("out").exists()) == (2, "", False)
    assert message in ended.err


def test_wrong_commands_end_with_status_2(run: Run) -> None:
    assert run("convrt", "stack.yaml")[:2] == (2, "")
    assert run()[0] == 2


# values


@pytest.mark.parametrize(("given", "value"), [("name=db", "db"), ("name=a=b", "a=b"), ("name=", "")])
def test_parameters_become_values_of_variables(given: str, value: str, run: Run) -> None:
    run("convert", "stack.yaml", "-o", "out", "--parameter", given)
    assert "Made with hot2tf: `hot2tf convert stack.yaml --parameter name=VALUE -o DIR`." in tree("out")["README.md"]
    assert tree("out")["terraform.tfvars"] == f'{FIRST}\n\nname = "{value}"\n'


def test_of_two_environments_the_later_wins(run: Run) -> None:
    for name, value in (("a", "first"), ("b", "second")):
        pathlib.Path(f"{name}.yaml").write_text(f"parameters: {{name: {value}}}\n")
    run("convert", "stack.yaml", "-o", "out", "-e", "a.yaml", "-e", "b.yaml")
    assert "Made with hot2tf: `hot2tf convert stack.yaml -e a.yaml -e b.yaml -o DIR`." in tree("out")["README.md"]
    assert tree("out")["terraform.tfvars"] == f'{FIRST}\n\nname = "second"\n'
    run("convert", "stack.yaml", "-o", "out", "-e", "b.yaml", "-e", "a.yaml")
    assert "Made with hot2tf: `hot2tf convert stack.yaml -e b.yaml -e a.yaml -o DIR`." in tree("out")["README.md"]
    assert tree("out")["terraform.tfvars"] == f'{FIRST}\n\nname = "first"\n'


@pytest.mark.parametrize("args", [["--parameter", "password=hush-hush"], ["-e", "env.yaml"]], ids=["option", "file"])
def test_hidden_values_are_written_nowhere_and_a_diagnostic_says_so(args: list[str], run: Run) -> None:
    """A warning if Terraform would continue with the template's default, an info if it asks."""
    pathlib.Path("env.yaml").write_text("parameters: {password: hush-hush}\n")
    ended = run("convert", "stack.yaml", "-o", "out", "--strict", *args)
    assert (ended.status, "warning HOT520" in ended.err) == (1, True)
    pathlib.Path("stack.yaml").write_text(STACK.replace(', default: ""', ""))
    ended = run("convert", "stack.yaml", "-o", "out", "--report", "report.json", "--strict", "-v", *args)
    assert (ended.status, "info HOT520" in ended.err) == (0, True)
    assert "TF_VAR_password" in ended.err
    left = [*tree("out").values(), pathlib.Path("report.json").read_text()]
    assert not [text for text in left if "hush" in text]


def test_tosca_is_a_file_and_the_files_beside_it(run: Run) -> None:
    """The service template is at the requested path, and its companions are in a folder named after it or in one
    archive. Existing files stay.
    """
    pathlib.Path("hello.sh").write_text("echo hello\n", encoding="utf-8")
    text = {"type": "OS::Heat::SoftwareConfig", "properties": {"config": {"get_file": "hello.sh"}}}
    template = {"heat_template_version": "2018-08-31", "resources": {"script": text}}
    pathlib.Path("script.yaml").write_text(json.dumps(template), encoding="utf-8")
    assert run("convert", "script.yaml", "--to", "tosca", "-o", "service.yaml").status == 0
    assert "file: service.files/hello.sh" in pathlib.Path("service.yaml").read_text(encoding="utf-8")
    assert pathlib.Path("service.files/hello.sh").read_text(encoding="utf-8") == "echo hello\n"
    assert run("convert", "script.yaml", "--to", "tosca", "--csar", "-o", "service.csar").status == 0
    assert zipfile.is_zipfile("service.csar")
    again = run("convert", "script.yaml", "--to", "tosca", "--tosca-version", "2.0", "-o", "service.yaml")
    assert again.status == 1
    assert "HOT901" in again.err


@pytest.mark.parametrize("words", [("--csar",), ("--tosca-version", "2.0"), ("--to", "tosca", "--tosca-version", "3")])
def test_options_of_tosca_go_with_it(run: Run, words: tuple[str, ...]) -> None:
    """These options are wrong usage with another target, and the message names the right one."""
    ended = run("convert", "stack.yaml", *words)
    assert ended.status == 2
    assert "tosca" in ended.err.lower()


# messages


def test_a_diagnostic_in_text_has_place_excerpt_caret_and_hint(run: Run) -> None:
    text = STACK.replace("name: {get_param: name}", "nmae: {get_param: pasword}")
    pathlib.Path("stack.yaml").write_text(text)
    ended = run("convert", "stack.yaml", "-o", "out")
    assert ended.status == 1
    expected = """\
stack.yaml:9:7: error HOT301: OS::Neutron::Net has no property nmae.
   |
 9 |       nmae: {get_param: pasword}
   |       ^^^^
  = Did you mean name?

stack.yaml:9:13: error HOT201: Unknown parameter pasword; Heat fails when it uses the value.
   |
 9 |       nmae: {get_param: pasword}
   |             ^^^^^^^^^^^^^^^^^^^^
  = Did you mean password?
"""
    assert ended.err.startswith(expected)
    assert ended.err[len(expected) :].strip() == "Nothing was written."


def test_the_caret_stands_below_its_place_in_long_lines_and_after_tabs(run: Run) -> None:
    text = 'heat_template_version: 2021-04-16\noutputs: {a: {value: ["' + "x" * 300 + '",\t{get_resource: nobody}]}}\n'
    pathlib.Path("stack.yaml").write_text(text)
    lines = run("convert", "stack.yaml").err.splitlines()
    source = next(line for line in lines if line.startswith(" 2 | "))
    marks = lines[lines.index(source) + 1]
    assert source[marks.index("^") : marks.rindex("^") + 1] == "{get_resource: nobody}"
    assert len(source) < 120


def test_json_diagnostics_are_those_of_the_report_and_nothing_else(run: Run) -> None:
    ended = run("convert", "twice.yaml", "-o", "out", "--diagnostics", "json", "--report", "report.json")
    assert (ended.status, ended.out) == (0, "")
    (row,) = json.loads(ended.err)
    keys = ("code", "severity", "file", "line", "column", "end_line", "end_column")
    assert [row[key] for key in keys] == ["HOT112", "warning", "twice.yaml", 3, 1, 3, 12]
    assert set(row) == {*keys, "message", "hint"}
    assert json.loads(pathlib.Path("report.json").read_text())["diagnostics"] == [row]
    assert json.loads(run("convert", "plain.yaml", "--diagnostics", "json").err) == []


@pytest.mark.parametrize("directory", ["out", "deep/er", "my out"])
def test_the_closing_line_has_the_outcome_and_the_next_step(directory: str, run: Run) -> None:
    quoted = f"'{directory}'" if " " in directory else directory
    next_ = f"Next: cd {quoted} && terraform init && OS_CLOUD=CLOUD terraform plan"
    assert run("convert", "stack.yaml", "-o", directory).err == f"{DONE}; 9 files in {directory}.\n{next_}\n"
    assert run("convert", "stack.yaml", "-o", directory, "--quiet").err == ""


def test_strict_refuses_warnings(run: Run) -> None:
    assert run("convert", "twice.yaml", "-o", "out").status == 0
    before = tree("out")
    ended = run("convert", "twice.yaml", "-o", "out2", "--strict", "--report", "report.json")
    assert (ended.status, ended.out, pathlib.Path("out2").exists()) == (1, "", False)
    assert "--strict" in ended.err
    report = json.loads(pathlib.Path("report.json").read_text())
    assert (report["files"], [d["code"] for d in report["diagnostics"]]) == ([], ["HOT112"])
    assert run("convert", "twice.yaml", "--strict").out == ""
    assert tree("out") == before


def test_the_report_has_the_shape_of_the_contract(run: Run) -> None:
    pathlib.Path("env.yaml").write_text("parameters: {name: db}\n")
    run("convert", "stack.yaml", "-o", "out", "-e", "env.yaml", "--report", "report.json")
    report = json.loads(pathlib.Path("report.json").read_text())
    head = [report[key] for key in ("format", "generator", "source", "target", "conditions", "modules")]
    assert head == [1, f"hot2tf {__version__}", "stack.yaml", "hcl", {}, {}]
    assert set(report["files"]) == {*WRITTEN, "terraform.tfvars"} == set(tree("out"))
    assert {name: p["variable"] for name, p in report["parameters"].items()} == {"name": "name", "password": "password"}
    assert {name: o["output"] for name, o in report["outputs"].items()} == {n: n for n in ("id", "boot", "password")}
    assert report["parameters"]["password"]["keys"]["hidden"]["to"] == "var.password"
    assert report["environments"]["env.yaml"]["parameters.name"]["to"] == "terraform.tfvars"
    net, boot = report["resources"]["net"], report["resources"]["boot"]
    address = "openstack_networking_network_v2.net"
    assert [net[key] for key in ("type", "line", "treatment")] == ["OS::Neutron::Net", 6, "native"]
    assert (net["addresses"], net["reference"]) == ([address], f"{address}.id")
    assert net["properties"] == {"name": {"as": "value", "to": address, "argument": "name"}}
    assert (boot["treatment"], boot["addresses"]) == ("folded", ["local.boot"])
    assert boot["attributes"] == {"value": "local.boot"}
    assert set(boot["properties"]) == {"type", "value"}
    assert report["diagnostics"] == []


# the second run


def test_a_second_run_replaces_its_files_removes_stale_ones_and_touches_no_others(run: Run) -> None:
    run("convert", "stack.yaml", "-o", "out")
    foreign = {".terraform.lock.hcl": "lock", "terraform.tfstate": "{}", ".terraform/x": "x", "files/mine": "mine"}
    foreign["provider.tf"] = 'provider "openstack" {}\n'
    write_files(pathlib.Path("out"), foreign)
    assert run("convert", "plain.yaml", "-o", "out").status == 0
    plain = {"main.tf", "versions.tf", "README.md", ".gitignore", ".hot2tf.json", ".hot2tf.base"}
    assert set(tree("out")) == {*plain, *foreign}
    assert 'name = "net"' in tree("out")["main.tf"]
    assert run("convert", "twice.yaml", "-o", "out", "--force").status == 0
    assert {name: text for name, text in tree("out").items() if name in foreign} == foreign


def test_folders_that_became_empty_go_with_their_files(run: Run) -> None:
    run("convert", "stack.yaml", "-o", "out")
    run("convert", "plain.yaml", "-o", "out")
    assert not pathlib.Path("out/files").exists()


@pytest.mark.parametrize("name", ["locals.tf", "files/boot.sh"])
def test_an_edited_file_stops_the_second_run_before_it_writes(name: str, run: Run) -> None:
    """These would be deleted; a file that is written in another form is merged (test_edits.py)."""
    run("convert", "stack.yaml", "-o", "out")
    with (pathlib.Path("out") / name).open("a") as file:
        file.write("# mine\n")
    before = tree("out")
    ended = run("convert", "plain.yaml", "-o", "out", "--report", "report.json")
    assert (ended.status, ended.out, tree("out")) == (1, "", before)
    assert f"HOT901: out/{name} was changed" in ended.err
    assert "--force" in ended.err
    report = json.loads(pathlib.Path("report.json").read_text())
    assert (report["files"], [d["code"] for d in report["diagnostics"]]) == ([], ["HOT901"])
    assert run("convert", "plain.yaml", "-o", "out", "--force").status == 0
    assert set(tree("out")) == {"main.tf", "versions.tf", "README.md", ".gitignore", ".hot2tf.json", ".hot2tf.base"}


def test_a_file_that_hot2tf_did_not_write_stops_it(run: Run) -> None:
    write_files(pathlib.Path(), {"out/main.tf": "# mine\n"})
    ended = run("convert", "stack.yaml", "-o", "out")
    assert (ended.status, tree("out")) == (1, {"main.tf": "# mine\n"})
    assert "HOT901: out/main.tf already exists" in ended.err
    assert run("convert", "stack.yaml", "-o", "out", "--force").status == 0
    assert set(tree("out")) == WRITTEN


# places that cannot be written


@pytest.mark.parametrize("output", ["plain.yaml", "plain.yaml/below"])
def test_output_to_a_file_or_below_one_is_refused(output: str, run: Run) -> None:
    ended = run("convert", "stack.yaml", "-o", output, "--force")
    assert (ended.status, ended.out) == (1, "")
    assert "HOT902" in ended.err
    assert pathlib.Path("plain.yaml").read_text() == PLAIN


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
@pytest.mark.parametrize(
    ("link", "target"), [("main.tf", "elsewhere/x"), ("main.tf", "elsewhere/new"), ("files", "elsewhere")]
)
def test_nothing_is_written_through_a_link_out_of_the_directory(
    link: str, target: str, force: list[str], run: Run
) -> None:
    for name in ("out", "elsewhere"):
        pathlib.Path(name).mkdir()
    pathlib.Path("elsewhere/x").write_text("mine\n")
    (pathlib.Path("out") / link).symlink_to(f"../{target}")
    ended = run("convert", "stack.yaml", "-o", "out", *force)
    assert (ended.status, tree("elsewhere"), names("out")) == (1, {"x": "mine\n"}, [link])
    assert "HOT902" in ended.err


def test_a_list_of_files_that_lies_removes_nothing_outside(run: Run) -> None:
    run("convert", "stack.yaml", "-o", "out")
    digest = hashlib.sha256(BOOT.encode()).hexdigest()
    lies = dict.fromkeys(("../boot.sh", str(pathlib.Path("boot.sh").resolve())), digest)
    pathlib.Path("out/.hot2tf.json").write_text(json.dumps({"files": lies}))
    ended = run("convert", "stack.yaml", "-o", "out", "--force")
    assert (ended.status, ended.err.count("warning HOT908")) == (0, 2)
    assert pathlib.Path("boot.sh").read_text() == BOOT


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
@pytest.mark.parametrize("name", ["versions.tf/", ".hot2tf.json/", "files"])
def test_a_path_that_cannot_be_replaced_stops_it_before_it_writes(name: str, force: list[str], run: Run) -> None:
    """A directory in the place of a file, and the reverse."""
    path = pathlib.Path("out") / name
    path.parent.mkdir()
    if name.endswith("/"):
        path.mkdir()
    else:
        path.write_text("mine")
    ended = run("convert", "stack.yaml", "-o", "out", *force)
    assert (ended.status, names("out")) == (1, [name.rstrip("/")])
    assert "HOT902" in ended.err


# the other commands


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        ("convert stack.yaml --parameter nmae=x", ["error HOT209", "Did you mean name?"]),
        ("convert stack.yaml --to homing", ["error HOT894"]),  # a Heat template does not become a homing template
        ("types OS::Nova::Servr", ["OS::Nova::Servr", "Did you mean OS::Nova::Server?"]),
        ("types zzz", ["zzz", "Heat"]),
        ("explain HOTT112", ["unknown diagnostic HOTT112.", "Did you mean HOT112?"]),
        ("explain H0T112", ["unknown diagnostic H0T112.", "Did you mean HOT112?"]),
        ("explain x", ["unknown diagnostic x."]),
    ],
)
def test_an_unknown_name_is_an_error_with_a_hint(words: str, messages: list[str], run: Run) -> None:
    ended = run(*words.split())
    assert (ended.status, ended.out) == (1, "")
    assert [message for message in messages if message not in ended.err] == []


def test_types_lists_the_conversion_of_each(run: Run) -> None:
    ended = run("types")
    lines = dict(line.split(maxsplit=1) for line in ended.out.splitlines())
    assert (ended.status, ended.err) == (0, "")
    assert lines["OS::Neutron::Net"] == "openstack_networking_network_v2"
    assert lines["OS::Heat::AutoScalingGroup"].startswith("stays with Heat")
    some = dict(line.split(maxsplit=1) for line in run("types", "neutron::port").out.splitlines())
    assert some == {k: v for k, v in lines.items() if k.startswith("OS::Neutron::Port")}


def test_types_of_one_name_shows_its_properties_and_attributes(run: Run) -> None:
    lines = [line.split() for line in run("types", "OS::Neutron::Net").out.splitlines()]
    assert ["OS::Neutron::Net", "→", "openstack_networking_network_v2"] in lines
    assert ["port_security_enabled", "port_security_enabled"] in lines
    assert ["get_resource", "id"] in lines


def test_types_of_another_name_shows_the_type_that_it_stands_for(run: Run) -> None:
    first, *rest = run("types", "OS::Quantum::Net").out.splitlines()
    assert first == "OS::Quantum::Net is OS::Neutron::Net"
    assert rest == run("types", "OS::Neutron::Net").out.splitlines()


@pytest.mark.parametrize("code", ["HOT112", "hot112"])
def test_explain_says_what_a_code_means_and_what_to_do(code: str, run: Run) -> None:
    ended = run("explain", code)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith("HOT112 duplicate-key (warning): Duplicate key\n")
    assert "Remove the duplicate." in ended.out


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"hot2tf {__version__}\n", "")


# processes

EVERY = """
import hashlib, json, pathlib, sys, transpile
for path in map(pathlib.Path, sys.argv[1:]):
    done = transpile.convert(path, environments=sorted(path.parent.glob("*.env.yaml")))
    text = repr((list(done.files.items()), json.dumps(done.report)))
    print(path.parent.name, hashlib.sha256(text.encode()).hexdigest())
"""


@pytest.mark.long
def test_every_golden_comes_out_the_same_under_another_hash_seed() -> None:
    inputs = [str(p) for p in sorted(GOLDEN.glob("*/input.*"))]
    assert inputs
    running = [
        subprocess.Popen(
            [sys.executable, "-c", EVERY, *inputs], env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE
        )
        for seed in ("1", "2")
    ]
    first, second = (process.communicate()[0].decode().splitlines() for process in running)
    assert (len(first), first) == (len(inputs), second)


def test_a_reader_that_goes_away_is_no_defect(run: Run) -> None:
    command = [sys.executable, "-m", "transpile.cli.process", "convert", "stack.yaml", "--quiet"]
    pathlib.Path("boot.sh").write_text("x" * 1_000_000)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""


def test_a_process_says_everything_and_its_status(run: Run) -> None:
    """The entry point says the same and ends with the same status as the command inside this process."""
    for words, status in ((["convert", "stack.yaml"], 0), (["check", "nowhere.yaml"], 1), (["explain", "HOT999"], 1)):
        done = subprocess.run([sys.executable, "-m", "transpile.cli.process", *words], capture_output=True, text=True)
        ended = run(*words)
        assert (done.returncode, done.stdout, done.stderr) == (ended.status, ended.out, ended.err)
        assert (done.returncode, bool(done.stdout)) == (status, words[0] in ("convert", "check"))
    wrong = subprocess.run(
        [sys.executable, "-m", "transpile.cli.process", "check", "--no"], capture_output=True, text=True
    )
    assert (wrong.returncode, "Usage" in wrong.stderr) == (2, True)


def test_standard_output_may_be_closed(run: Run) -> None:
    command = f"'{sys.executable}' -m transpile.cli.process --version >&-"
    assert subprocess.run(command, shell=True).returncode == 0


def test_a_hidden_parameter_with_a_hyphen_can_be_exported_by_a_shell(command: Run) -> None:
    """A shell refuses `export TF_VAR_admin-password=…`, and there is no other way to give a hidden value."""
    text = "heat_template_version: 2018-08-31\nparameters: {admin-password: {type: string, hidden: true}}\n"
    text += "outputs: {given: {value: {get_param: admin-password}}}\n"
    pathlib.Path("stack.yaml").write_text(text)
    assert command("convert", "stack.yaml", "-o", "out").status == 0
    assert "TF_VAR_admin_password," in pathlib.Path("out/terraform.tfvars.example").read_text()
    assert 'variable "admin_password" {' in pathlib.Path("out/variables.tf").read_text()


def test_the_files_at_the_top_of_a_migration_name_the_whole_command(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "net.yaml").write_text(
        "heat_template_version: 2018-08-31\nparameters: {name: {type: string}}\n"
        "resources: {n: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}}\n"
    )
    words = "hot2tf migrate src DEST --exclude old/ --prefer native --tests --ci gitlab"
    done = command(*words.replace("DEST", "out").split()[1:], "--progress", "none")
    assert done.status == 0, done.err
    for path in (tmp_path / "out").rglob("*"):
        first = path.read_text().partition("\n")[0] if path.is_file() and ".hot2tf" not in path.parts else ""
        if path.name in ("README.md", "TODO.md", ".gitignore", ".gitlab-ci.yml"):
            assert first.removesuffix(" -->").endswith(f": {words}"), path
        elif path.suffix in (".tf", ".tfvars"):
            assert first == "# Made by hot2tf from net.yaml", path


def test_a_dry_run_does_not_say_that_it_writes(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "net.yaml").write_text("heat_template_version: 2018-08-31\nresources: {n: {type: OS::Neutron::Net}}\n")
    assert "writing" not in command("migrate", ".", "--progress", "plain").err
