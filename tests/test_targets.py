"""Targets: their declarations, and external ones that are installed from packages and run.

Invariant: the packages are docs/example-target and docs/example-ansible, unchanged.
"""

from __future__ import annotations

import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import pytest
import yaml

import transpile
from tests.conftest import Ended, Run
from tests.support.files import write_files
from tests.support.installed import Entry, Installed, install_package
from transpile import targets
from transpile.diagnostics import registry
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render import FORMS, load_renderer
from transpile.diagnostics.rules import RULES, Rule
from transpile.targets import Option, Output, Target

ROOT = pathlib.Path(__file__).parent.parent
PACKAGE, ANSIBLE = ROOT / "docs" / "example-target", ROOT / "docs" / "example-ansible"
STACK = """\
heat_template_version: 2021-04-16
description: A network, and a disk from another template.
resources:
  net: {type: OS::Neutron::Net}
  disk: {type: disk.yaml}
"""
DISK = "heat_template_version: 2021-04-16\nresources:\n  volume: {type: OS::Cinder::Volume, properties: {size: 1}}\n"


# from outside


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A directory that the packages are installed in."""
    where = tmp_path_factory.mktemp("site")
    install_package(PACKAGE, "hot2tf_inventory.py", where)
    install_package(ANSIBLE, "hot2tf_ansible.py", where)
    return where


@pytest.fixture
def installed(site: pathlib.Path, tmp_path: pathlib.Path) -> Installed:
    write_files(tmp_path, {"stack.yaml": STACK, "disk.yaml": DISK})
    return Installed(site, tmp_path)


def test_the_example_is_short() -> None:
    assert len((PACKAGE / "hot2tf_inventory.py").read_text(encoding="utf-8").splitlines()) < 60


def test_a_target_from_outside_converts(installed: Installed) -> None:
    """The target has an option, a diagnostic, nested templates, a closing line and a report; the next run replaces its
    files.
    """
    words = ["convert", "stack.yaml", "--to", "inventory", "-o", "out"]
    ended = installed(*words, "--option", "title=What we run", "--report", "reports/report.json")
    assert (ended.status, ended.out) == (0, "")
    out = installed.where / "out"
    assert {p.name for p in out.iterdir()} == {"index.md", "disk.yaml.md", ".hot2tf.json", ".hot2tf.base"}
    index = (out / "index.md").read_text()
    assert index.startswith("# What we run\n\nA network, and a disk from another template.\n")
    assert "- disk: disk.yaml ([disk.yaml.md](disk.yaml.md))\n" in index
    assert "- volume: OS::Cinder::Volume\n" in (out / "disk.yaml.md").read_text()
    assert ended.err.startswith("disk.yaml:1:1: warning INV001: This template has no description.\n")
    assert "  = Add a description to the template.\n" in ended.err
    assert ended.err.endswith("3 resources; 3 files in out.\nNext: open out/index.md\n")
    report = json.loads((installed.where / "reports" / "report.json").read_text())
    assert report["target"] == "inventory"
    assert report["files"] == [".hot2tf.base", ".hot2tf.json", "disk.yaml.md", "index.md"]
    assert (report["diagnostics"][0]["severity"], report["parameters"]) == ("warning", {})

    (out / "notes.md").write_text("mine\n")
    (installed.where / "stack.yaml").write_text(STACK.replace("  disk: {type: disk.yaml}\n", ""))
    assert installed(*words).status == 0
    assert {p.name for p in out.iterdir()} == {"index.md", "notes.md", ".hot2tf.json", ".hot2tf.base"}
    assert (out / "index.md").read_text().startswith("# Inventory\n")

    (out / "index.md").write_text("edited\n")
    ended = installed(*words, "--option", "title=Other")
    assert (ended.status, "HOT901: out/index.md was changed" in ended.err) == (1, True)


def test_codes_of_a_target_from_outside_are_explained(installed: Installed) -> None:
    ended = installed("explain", "inv001")
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith("INV001 (warning): A template without a description\n\nThe page of a template begins")
    assert ended.out.endswith("Source: the target inventory.\n")
    unknown = installed("explain", "INV002")
    assert (unknown.status, "Did you mean INV001?" in unknown.err) == (1, True)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_diagnostics_knows_them(form: str, installed: Installed) -> None:
    ended = installed("convert", "disk.yaml", "--to", "inventory", "--diagnostics", form)
    assert ended.status == 0
    assert "INV001" in ended.err
    brief = form in ("concise", "grouped")  # a line for each, without hints
    assert ("Add a description to the template." in ended.err) is not brief
    assert installed("convert", "disk.yaml", "--to", "inventory", "--strict").status == 1


def test_a_target_from_outside_is_listed_and_its_mistakes_are_named(installed: Installed) -> None:
    printed = installed("targets").out
    assert "inventory: writes a directory; nested templates are converted, too\n" in printed
    assert "  --option title=a string (default: Inventory): The heading of the first page.\n" in printed
    for words, hint in (
        (["--to", "inventry"], "Did you mean inventory?"),
        (["--to", "inventory", "--option", "titel=x"], "Did you mean title?"),
        (["--to", "inventory", "--option", "title"], "KEY=VALUE"),
        (["--to", "inventory", "--csar"], "--csar requires --to tosca"),
    ):
        ended = installed("convert", "stack.yaml", *words)
        assert (ended.status, ended.out, hint in ended.err) == (2, "", True), ended.err


PLAY = """\
heat_template_version: 2021-04-16
parameters:
  prefix: {type: string, default: shop}
  wide: {type: boolean, default: false}
  password: {type: string, hidden: true, default: secret}
conditions:
  big: {equals: [{get_param: wide}, true]}
resources:
  prepare:
    type: OS::Heat::SoftwareDeployment
    properties:
      config: {get_resource: component}
      server: {get_resource: server}
      actions: [DELETE]
      input_values: {size: 2}
  component:
    type: OS::Heat::SoftwareComponent
    properties:
      inputs: [{name: size, default: 1}]
      configs:
      - {actions: [CREATE, UPDATE], tool: script, config: "grow ${size}"}
      - {actions: [DELETE], tool: script, config: shrink}
  server:
    type: OS::Nova::Server
    properties: {image: fedora, flavor: {if: [big, m1.large, m1.small]}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}, name: {get_attr: [key, value]}}}
  subnet:
    type: OS::Neutron::Subnet
    properties: {network: {get_resource: net}, cidr: {list_join: ["/", ["10.0.0.0", "24"]]}}
  net: {type: OS::Neutron::ProviderNet, properties: {name: {list_join: ["-", [{get_param: prefix}, net]]}}}
  key: {type: OS::Heat::RandomString}
"""
SCRIPTS = {"environment": {"size": 2}, "delegate_to": "{{ server.server.access_ipv4 }}"}


def test_an_ansible_target_from_outside_converts(installed: Installed) -> None:
    """The public module alone gives it types, order, constants, the lifecycle, and the resources that stay with
    Heat.
    """
    assert "from transpile.emit import" in (text := (ANSIBLE / "hot2tf_ansible.py").read_text(encoding="utf-8"))
    assert text.count("transpile") == 1
    (installed.where / "play.yaml").write_text(PLAY)
    ended = installed("convert", "play.yaml", "--to", "ansible", "-o", "site.yaml", "--report", "report.json", "-v")
    assert (ended.status, ended.out) == (0, "")
    (play,) = yaml.safe_load((installed.where / "site.yaml").read_text())
    assert play["vars"] == {"stack_name": "stack", "prefix": "shop", "wide": False}
    network = {"state": "present", "name": "{{ ([prefix, 'net'] | join('-')) }}"}
    flavor = "{{ ('m1.large' if (wide == True) else 'm1.small') }}"
    server = {"state": "present", "image": "fedora", "flavor": flavor, "name": "{{ stack_name }}-server"}
    subnet = {"state": "present", "network": "{{ net.network.id }}", "cidr": "10.0.0.0/24"}
    assert play["tasks"] == [
        {"name": "server", "openstack.cloud.server": server, "register": "server"},
        {"name": "CREATE prepare", "ansible.builtin.shell": "{{ 'grow ${size}' }}", **SCRIPTS, "tags": ["create"]},
        {"name": "UPDATE prepare", "ansible.builtin.shell": "{{ 'grow ${size}' }}", **SCRIPTS}
        | {"tags": ["never", "update"]},
        {"name": "DELETE prepare", "ansible.builtin.shell": "shrink", **SCRIPTS, "tags": ["never", "delete"]},
        {"name": "net", "openstack.cloud.network": network, "register": "net"},
        {"name": "subnet", "openstack.cloud.subnet": {**subnet, "name": "{{ stack_name }}-subnet"}}
        | {"register": "subnet"},
    ]
    assert "warning ANS001: key stays with Heat: there is no module for OS::Heat::RandomString." in ended.err
    assert "warning ANS002: port stays with Heat: Ansible cannot express get_attr." in ended.err
    resources = json.loads((installed.where / "report.json").read_text())["resources"]
    kept = {"code": "ANS001", "why": "there is no module for OS::Heat::RandomString"}
    assert (resources["key"]["treatment"], resources["key"]["kept"]) == ("embedded", kept)
    assert (resources["net"]["treatment"], resources["net"]["addresses"]) == ("native", ["net"])
    assert "7 resources, of which 2 stay with Heat; written to site.yaml." in ended.err


@pytest.mark.parametrize("package", [PACKAGE, ANSIBLE], ids=["inventory", "ansible"])
def test_the_examples_can_be_built_and_installed(package: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """pip builds them if the build tool that the package names is installed already."""
    if importlib.util.find_spec("hatchling") is None or importlib.util.find_spec("pip") is None:
        pytest.skip("pip and hatchling are not installed here")
    copy = tmp_path / "package"
    shutil.copytree(package, copy)
    flags = ["--no-build-isolation", "--no-deps", "--no-index", "-q", "--target", str(tmp_path / "site")]
    subprocess.run([sys.executable, "-m", "pip", "install", *flags, str(copy)], check=True)
    (points,) = (tmp_path / "site").glob("*.dist-info/entry_points.txt")
    name = "ansible" if package == ANSIBLE else "inventory"
    assert f"{name} = hot2tf_{name}:TARGET" in points.read_text()


def test_a_target_that_takes_no_nested_templates_refuses_them(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refusing is the default of a target."""
    target = Target("odd", lambda stack, options: Output({"main": "hot2tf"}, {}, []))
    monkeypatch.setattr(targets, "find_target", lambda name: target)
    text = "heat_template_version: 2021-04-16\nresources:\n  a: {type: disk.yaml}\n"
    text += "  b: {type: OS::Heat::Stack, properties: {template: {get_file: disk.yaml}}}\n"
    write_files(tmp_path, {"stack.yaml": text, "disk.yaml": DISK})
    done = transpile.convert(tmp_path / "stack.yaml", to="odd")
    assert [(d.code, d.severity) for d in done.diagnostics] == [("HOT210", "error")] * 2
    assert not done.files


# where files land


def convert_to(files: dict[str, str], writes: str, command: Run, monkeypatch: pytest.MonkeyPatch) -> Ended:
    """The outcome of a command whose target gives its files these names."""
    target = Target("odd", lambda stack, options: Output(dict(files), {}, []), writes=writes)
    monkeypatch.setattr(targets, "find_target", lambda name: target)
    write_files(pathlib.Path(), {"work/disk.yaml": DISK})
    return command("convert", "work/disk.yaml", "--to", "odd", "-o", "work/out")


@pytest.mark.parametrize("writes", [targets.FILE, targets.DIRECTORY])
@pytest.mark.parametrize(
    "name",
    ["/abs", "../up", "a/../../up", "a//b", "", ".", "C:drive", "C:/drive", "..\\up", "\\root", "\\\\host\\share\\a"],
)
def test_no_file_lands_outside_of_the_output(
    name: str, writes: str, command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = convert_to({"main": "hot2tf", name: "hot2tf"}, writes, command, monkeypatch)
    assert f"error HOT902: The target odd names the file {name}, which is outside of its output." in ended.err
    assert (ended.status, sorted(str(path) for path in pathlib.Path().rglob("*"))) == (1, ["work", "work/disk.yaml"])


def test_other_files_of_a_target_of_one_file_lie_in_its_folder(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = convert_to({"main": "hot2tf", "more/a": "hot2tf"}, targets.FILE, command, monkeypatch)
    assert "names the file more/a, which is outside of the folder out.files." in ended.err
    assert (ended.status, pathlib.Path("work/out").exists(), pathlib.Path("work/more").exists()) == (1, False, False)


def test_no_file_is_written_through_a_link(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pathlib.Path("work/out").mkdir(parents=True)
    pathlib.Path("elsewhere").mkdir()
    pathlib.Path("work/out/sub").symlink_to(pathlib.Path("elsewhere").absolute())
    ended = convert_to({"main": "hot2tf", "sub/a": "hot2tf"}, targets.DIRECTORY, command, monkeypatch)
    assert "HOT902: work/out/sub is a link; hot2tf writes through no link." in ended.err
    assert (ended.status, [*pathlib.Path("elsewhere").iterdir()]) == (1, [])


# unusable targets


def nothing(*_: Any) -> Output:
    return Output({}, {}, [])


RULE = Rule("ODD001", "error", "Odd", "It is.")


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (ImportError("no module named odd"), "cannot be loaded: ImportError: no module named odd"),
        (nothing, "is not a transpile.targets.Target"),
        (Target("even", nothing), "calls itself even"),
        (Target("odd", nothing, rules=(Rule("HOT101", "error", "Ours", "It is."),)), "the code HOT101"),
        (Target("odd", nothing, rules=(Rule("ODD002", "fatal", "Odd", "It is."),)), "the severity of ODD002"),
    ],
    ids=["import", "type", "name", "code", "severity"],
)
def test_a_plug_in_that_cannot_be_used_says_why(target: Any, why: str) -> None:
    with pytest.raises(targets.UnknownTarget) as error:
        targets.load_target_plugin("odd", Entry(target, "odd:TARGET"))
    assert why in str(error.value)


def test_a_code_belongs_to_one_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_declared", {})
    registry.declare_rules([RULE], "the target odd")
    registry.declare_rules([RULE], "the target odd")  # again is no harm
    with pytest.raises(ValueError, match="the target odd has a code ODD001 already"):
        registry.declare_rules([RULE], "the target even")
    assert (registry.rule_of_code("ODD001"), registry.list_codes()) == (RULE, [*RULES, "ODD001"])


@pytest.mark.parametrize("form", FORMS)
def test_a_code_that_nobody_declared_is_an_error_and_no_crash(form: str) -> None:
    diagnostic = Diagnostic("ODD404", "Nobody knows this.")
    assert diagnostic.severity == "error"
    assert "ODD404" in load_renderer(form)([diagnostic])


# options


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (Option("a", ""), "x", "x"),
        (Option("a", "", default="y"), None, "y"),
        (Option("a", "", values=("x", "y")), "y", "y"),
        (Option("a", "", kind=bool), "true", True),
        (Option("a", "", kind=bool), False, False),
        (Option("a", "", kind=int), "-3", -3),
        (Option("a", "", kind=int), 3, 3),
    ],
)
def test_options_have_types(option: Option, given: Any, value: Any) -> None:
    assert option.read_value(given) == value


@pytest.mark.parametrize(
    ("option", "given", "why"),
    [
        (Option("a", "", values=("x", "yes")), "ye", "a takes x or yes, not ye. Did you mean yes?"),
        (Option("a", "", kind=bool), "1", "a takes true or false, not 1."),
        (Option("a", "", kind=int), "many", "a takes a number, not many."),
    ],
)
def test_wrong_values_of_options_are_refused(option: Option, given: str, why: str) -> None:
    with pytest.raises(targets.WrongOption) as error:
        option.read_value(given)
    assert str(error.value) == why


def test_flags_are_short_for_options(command: Run) -> None:
    """The old spellings have the same effect as --option."""
    pathlib.Path("disk.yaml").write_text(DISK)
    for short, option in (
        (["hot", "--hot-version", "pike"], "hot_version=pike"),
        (["tosca", "--tosca-version", "2.0"], "tosca_version=2.0"),
        (["hcl", "--prefer", "native"], "prefer=native"),
    ):
        ended = command("convert", "disk.yaml", "--to", *short)
        assert (ended.status, ended) == (0, command("convert", "disk.yaml", "--to", short[0], "--option", option))
    assert command("convert", "disk.yaml", "--to", "tosca", "--csar", "-o", "a.csar").status == 0
    assert command("convert", "disk.yaml", "--to", "tosca", "--option", "csar=true", "-o", "b.csar").status == 0
    assert pathlib.Path("a.csar").read_bytes() == pathlib.Path("b.csar").read_bytes()


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["--to", "hot", "--hot-version", "pkie"], "Did you mean pike?"),
        (["--hot-version", "pike"], "--hot-version requires --to hot"),
        (["--prefer", "natve"], "Did you mean native?"),
        (
            ["--option", "csar=true"],
            "The target hcl has no option csar. Its options: prefer, keep, cfn_init, provider, readme, verify, "
            "placeholders, missing, tests, test_runs, roll_up, names, ids, order, structure, backend, backend_config, "
            "state_key, content_names, environment, note, environment_layout, engine, inventory.",
        ),
    ],
)
def test_wrong_options_are_wrong_usage(words: list[str], hint: str, command: Run) -> None:
    pathlib.Path("disk.yaml").write_text(DISK)
    ended = command("convert", "disk.yaml", *words)
    assert (ended.status, ended.out, hint in ended.err) == (2, "", True), ended.err


def test_the_library_takes_the_same_options() -> None:
    wallaby = transpile.convert(DISK, to="hot", options={"hot_version": "wallaby"})
    assert wallaby.files == transpile.convert(DISK, to="hot", hot_version="wallaby").files
    with pytest.raises(targets.WrongOption):
        transpile.convert(DISK, options={"csar": True})
    with pytest.raises(targets.UnknownTarget):
        transpile.convert(DISK, to="nothing")


# built-in targets


@pytest.mark.parametrize("name", targets.BUILT_IN)
def test_built_in_targets_go_by_their_names_and_no_plug_in_is_looked_for(name: str) -> None:
    program = (
        f"import sys; from transpile import targets; print(targets.find_target({name!r}).name); "
        "assert 'importlib.metadata' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{name}\n", "")


def test_no_target_is_named_where_all_are_treated_alike() -> None:
    """The pipeline and the writer know none; the commands only name them in the help of flags. A command of the same
    name is there for one target, and completion and the examples of help name commands.
    """
    for path in (ROOT / "transpile" / "pipeline.py", ROOT / "transpile" / "text" / "output.py"):
        text = path.read_text(encoding="utf-8")
        assert not [name for name in targets.BUILT_IN if f'== "{name}"' in text], path
    for path in sorted((ROOT / "transpile" / "cli").rglob("*.py")):
        if path.parent.name == "completion" or path.stem in ("application", "grouped_help"):
            continue
        text = path.read_text(encoding="utf-8")
        assert not [name for name in targets.BUILT_IN if f'"{name}"' in text and path.stem != name], path


def test_a_target_may_refuse_nested_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    target = targets.Target("flat", lambda stack, options: targets.Output({}, {}, []))
    monkeypatch.setattr(targets, "find_target", lambda name: target)
    text = "heat_template_version: 2021-04-16\nresources:\n  a: {type: b.yaml}\n"
    text += "  s: {type: OS::Heat::Stack, properties: {template: {get_file: c.yaml}}}\n"
    errors = [d for d in transpile.convert(text, to="flat").diagnostics if d.severity == "error"]
    assert [(d.code, text[d.at : d.end]) for d in errors] == [("HOT210", "b.yaml"), ("HOT210", "{get_file: c.yaml}")]


def test_the_closing_line_counts_nested_templates(command: Run) -> None:
    write_files(pathlib.Path(), {"stack.yaml": STACK + "  again: {type: disk.yaml}\n", "disk.yaml": DISK})
    closing_line = command("convert", "stack.yaml").err.splitlines()[-1]
    hidden = "2 infos not shown (-v shows all)"
    assert closing_line == f"4 resources: 2 native, 2 modules; 0 properties dropped; {hidden}."
    assert command("convert", "stack.yaml", "--to", "tosca").err.splitlines()[-1].startswith("4 resources.")


def test_the_report_makes_its_directory(command: Run) -> None:
    pathlib.Path("disk.yaml").write_text(DISK)
    assert command("convert", "disk.yaml", "--quiet", "--report", "deep/er/report.json").status == 0
    assert json.loads(pathlib.Path("deep/er/report.json").read_text())["target"] == "hcl"


def test_one_file_is_written_as_a_file(command: Run) -> None:
    """A target that writes one file never makes a directory of -o, and leaves existing files alone."""
    pathlib.Path("disk.yaml").write_text(DISK)
    assert command("convert", "disk.yaml", "--to", "hot", "-o", "new/out.yaml").status == 0
    assert pathlib.Path("new/out.yaml").is_file()
    assert command("convert", "disk.yaml", "--to", "hot", "-o", "new/out.yaml").status == 0  # the same text
    pathlib.Path("new/out.yaml").write_text("mine\n")
    ended = command("convert", "disk.yaml", "--to", "hot", "-o", "new/out.yaml")
    assert (ended.status, "HOT901" in ended.err, pathlib.Path("new/out.yaml").read_text()) == (1, True, "mine\n")
