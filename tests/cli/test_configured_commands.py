"""Commands obey configurations: flags win, ignored findings are counted, and files that git ignores are left out."""

from __future__ import annotations

import json
import pathlib

import pytest

from tests.conftest import Run

STACK = """\
heat_template_version: 2021-04-16

parameters:
  net:
    type: string

resources:
  port:
    type: OS::Neutron::Port
    properties:
      network: {get_param: net}
"""
UNUSED = "heat_template_version: 2021-04-16\n\nparameters:\n  a:\n    type: string\n"


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        path = pathlib.Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def codes(out: str) -> list[str]:
    return [row["code"] for row in json.loads(out)]


# convert


def test_convert_takes_options_and_environments_from_a_configuration(command: Run) -> None:
    write(
        {
            "web/a.yaml": STACK,
            "env/a.yaml": "parameters:\n  net: blue\n",
            "hot2tf.toml": 'readme = false\n[[overrides]]\npaths = ["web/"]\nenvironments = ["env/a.yaml"]\n',
        }
    )
    assert command("convert", "web/a.yaml", "-o", "out").status == 0
    assert "blue" in pathlib.Path("out/terraform.tfvars").read_text()
    assert not pathlib.Path("out/README.md").exists()
    assert command("convert", "web/a.yaml", "-o", "other", "--isolated").status == 0
    assert not pathlib.Path("other/terraform.tfvars").exists()
    assert pathlib.Path("other/README.md").exists()


def test_the_command_line_wins(command: Run) -> None:
    write(
        {
            "a.yaml": STACK,
            "b.env": "parameters:\n  net: green\n",
            "c.env": "parameters:\n  net: blue\n",
            "hot2tf.toml": 'environments = ["c.env"]\nto = "hot"\nparameters = {net = "red"}\nprefer = "native"\n',
        }
    )
    assert "heat_template_version" in command("convert", "a.yaml").out
    assert command("convert", "a.yaml", "--to", "hcl", "-o", "out", "-e", "b.env").status == 0
    assert "green" in pathlib.Path("out/terraform.tfvars").read_text()
    write({"hot2tf.toml": 'parameters = {net = "red"}'})
    assert command("convert", "a.yaml", "-o", "out").status == 0
    assert "red" in pathlib.Path("out/terraform.tfvars").read_text()
    line = ("convert", "a.yaml", "--to", "hcl", "-o", "out", "--parameter", "net=pink")
    assert command(*line).status == 0
    assert "pink" in pathlib.Path("out/terraform.tfvars").read_text()


def test_options_of_another_target_do_not_matter(command: Run) -> None:
    write(
        {
            "a.yaml": STACK,
            "hot2tf.toml": 'tosca-version = "2.0"\nkeep = ["OS::Nova::*"]\n[options]\ncfn_init = "tools"\n',
        }
    )
    for target in ("hcl", "hot", "tosca"):
        assert command("convert", "a.yaml", "--to", target).status == 0
    assert "tosca_2_0" in command("convert", "a.yaml", "--to", "tosca").out
    write({"hot2tf.toml": '[options]\ncfn_init = "wrong"\n'})
    assert command("convert", "a.yaml").status == 2


def test_ignored_findings_are_counted_in_the_closing_line_and_the_report(command: Run) -> None:
    write({"a.yaml": STACK})
    before = command("convert", "a.yaml", "-o", "out", "--report", "r.json")
    (first, *_) = {row["code"] for row in json.loads(pathlib.Path("r.json").read_text())["diagnostics"]}
    assert "ignored" not in before.err
    write({"hot2tf.toml": f'ignore = ["{first}"]'})
    after = command("convert", "a.yaml", "-o", "out", "--report", "r.json")
    report = json.loads(pathlib.Path("r.json").read_text())
    assert first not in after.err
    assert first not in {row["code"] for row in report["diagnostics"]}
    assert report["ignored"] == {first: 1}
    assert "1 finding ignored" in after.err


def test_the_output_does_not_depend_on_ignored_codes(command: Run) -> None:
    write({"a.yaml": STACK})
    before = command("convert", "a.yaml").out
    write({"hot2tf.toml": 'ignore = ["ALL"]'})
    after = command("convert", "a.yaml")
    assert (after.status, after.out) == (0, before)


def test_an_error_is_not_ignored_by_convert(command: Run) -> None:
    broken = STACK.replace("    type: OS::Neutron::Port\n", "")
    write({"a.yaml": broken, "hot2tf.toml": 'ignore = ["HOT123"]'})
    done = command("convert", "a.yaml", "-o", "out", "-v")
    assert (done.status, pathlib.Path("out").exists()) == (1, False)
    assert "error HOT123" in done.err
    assert "hot2tf.toml:1:10: info HOT927" in done.err
    assert command("check", "a.yaml", "--ignore", "HOT123,HOT601").status == 0


def test_a_severity_can_make_convert_fail(command: Run) -> None:
    write({"a.yaml": STACK})
    ignorable = codes(command("convert", "a.yaml", "-o", "x", "--diagnostics", "json").err)
    write({"hot2tf.toml": f'severity = {{{ignorable[0]} = "error"}}'})
    assert command("convert", "a.yaml", "-o", "out").status == 1
    assert not pathlib.Path("out").exists()


def test_the_findings_of_graph_can_be_chosen(command: Run) -> None:
    write({"a.yaml": STACK.replace("    type: string", "    type: json\n    type: string")})
    line = ("graph", "a.yaml", "--diagnostics", "json")
    assert codes(command(*line).err) == ["HOT112"]
    assert codes(command(*line, "--select", "HOT1").err) == ["HOT112"]
    assert codes(command(*line, "--select", "HOT4").err) == []
    assert codes(command(*line, "--ignore", "HOT112").err) == []


# pages


def test_the_page_of_a_conversion_with_tests_has_the_graph(command: Run) -> None:
    """The target that draws knows nothing of tests."""
    write({"a.yaml": STACK})
    assert command("convert", "a.yaml", "-o", "out", "--tests", "--html", "page.html").status == 0
    assert "<svg" in pathlib.Path("page.html").read_text(encoding="utf-8")


LINES = (
    *("convert a.yaml", "check a.yaml", "fmt --check a.yaml", "graph a.yaml", "migrate . out"),
    *("types OS::Nova::Server", "config", "check -", "adopt a.yaml"),
)


@pytest.mark.parametrize("line", LINES)
def test_a_wrong_configuration_stops_each_command(line: str, command: Run) -> None:
    write({"a.yaml": STACK, "hot2tf.toml": 'strict = "yes"'})
    done = command(*line.split(), stdin=STACK)
    assert done.status == 1
    assert "hot2tf.toml:1:10: error HOT920" in done.err
    assert "Traceback" not in done.err
    assert command(*line.split(), "--isolated", stdin=STACK).err.count("HOT920") == 0


def test_a_configuration_that_is_named_holds_and_must_exist(command: Run) -> None:
    write({"a.yaml": STACK, "x.toml": 'to = "hot"', "hot2tf.toml": "nonsense"})
    assert "heat_template_version" in command("convert", "a.yaml", "--config", "x.toml").out
    assert command("convert", "a.yaml", "--config", "y.toml").status == 2
    assert command("convert", "a.yaml", "--config", "x.toml", "--isolated").status == 2


# check and fmt


def test_check_takes_the_options_of_each_file(command: Run) -> None:
    write(
        {
            "a/t.yaml": UNUSED,
            "a/hot2tf.toml": 'ignore = ["HOT601"]',
            "b/t.yaml": UNUSED,
            "c/t.yaml": "heat_template_version: 2021-04-16\nresources:\n  x: {type: Acme::Thing}\n",
            "hot2tf.toml": '[[overrides]]\npaths = ["c/"]\nplugin-types = ["Acme::*"]\n',
        }
    )
    done = command("check", ".")
    assert done.out.count("HOT601") == 1
    assert "b/t.yaml:4" in done.out.replace("\\", "/")
    assert "HOT2" not in done.out
    assert "3 files checked: 0 errors, 1 warning, 1 ignored." in done.err


def test_strict_from_a_configuration_can_be_turned_off(command: Run) -> None:
    write({"t.yaml": UNUSED, "hot2tf.toml": "strict = true"})
    assert [command("check", "t.yaml", *more).status for more in ((), ("--no-strict",))] == [1, 0]


def test_many_files_in_many_processes_give_the_same(command: Run) -> None:
    write({f"t{n}.yaml": UNUSED.replace("  a:", "  # hot2tf: ignore HOT601\n  a:") for n in range(40)})
    write({"one.yaml": UNUSED, "hot2tf.toml": 'severity = {HOT601 = "error"}'})
    alone, several = (command("check", ".", "--jobs", jobs) for jobs in ("1", "2"))
    assert alone == several
    assert alone.out.count("error HOT601") == 1
    assert "41 files checked: 1 error, 0 warnings, 40 ignored." in alone.err


@pytest.mark.parametrize("name", ["check", "fmt"])
def test_ignored_or_excluded_files_are_left_out(name: str, command: Run) -> None:
    ugly = UNUSED.replace("  a:", "    a:").replace("    type", "        type")
    write(
        {
            ".git/config": "",
            ".gitignore": "build/\n*.tmp.yaml\n!keep.tmp.yaml\n",
            "a.yaml": ugly,
            "x.tmp.yaml": ugly,
            "keep.tmp.yaml": ugly,
            "build/b.yaml": ugly,
            "sub/.gitignore": "/c.yaml\n*.own.yaml",
            "sub/deep/e.own.yaml": ugly,
            "sub/c.yaml": ugly,
            "sub/deep/c.yaml": ugly,
            "attic/d.yaml": ugly,
            "attic/keep.yaml": ugly,
            "hot2tf.toml": 'exclude = ["attic/*", "!attic/keep.yaml"]',
        }
    )
    line = (name, "--diff") if name == "fmt" else (name,)
    every = {"a", "x.tmp", "keep.tmp", "build/b", "sub/c", "sub/deep/c", "sub/deep/e.own", "attic/d", "attic/keep"}

    def seen(*more: str) -> set[str]:
        done = command(*line, *more)
        text = f"{done.out}{done.err}".replace("\\", "/")
        return {stem for stem in every if any(f"{mark}{stem}.yaml" in text for mark in ("\n", "--- ", " "))
                or text.startswith(f"{stem}.yaml")}  # fmt: skip

    assert seen(".") == {"a", "keep.tmp", "sub/deep/c", "attic/keep"}
    assert seen(".", "--no-respect-gitignore") == every - {"attic/d"}
    assert seen(".", "--exclude", "sub/") == {"a", "keep.tmp", "attic/d", "attic/keep"}
    assert seen("sub") == {"sub/deep/c"}
    assert seen("build/b.yaml", "attic/d.yaml") == {"build/b", "attic/d"}
    assert seen("build/b.yaml", "attic/d.yaml", "--force-exclude") == {"build/b"}


def test_limits_of_a_configuration_hold_for_fmt(command: Run) -> None:
    write({"a.yaml": STACK + "  # x\n" * 3000, "hot2tf.toml": "limits = {values = 5}"})
    assert "more than 5 values" in command("fmt", "--check", "a.yaml").out
    assert "values" not in command("fmt", "--check", "a.yaml", "--limit", "values=100000").out


# config


def test_config_shows_each_setting_and_its_source(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pathlib.Path("plug").mkdir()
    monkeypatch.setenv("HOT2TF_PLUGIN_DIRS", "plug")
    write({"web/a.yaml": STACK, "hot2tf.toml": 'strict = true\n[[overrides]]\npaths = ["web/"]\nlevel = "create"\n'})
    rows = dict(line.split(maxsplit=1) for line in command("config", "web/a.yaml").out.splitlines() if line)
    assert rows["configuration:"] == "hot2tf.toml"
    assert rows["strict"].split() == ["true", "hot2tf.toml:1"]
    assert rows["level"].split() == ['"create"', "hot2tf.toml:4"]
    assert rows["plugin-dirs"].split() == ['["plug"]', "HOT2TF_PLUGIN_DIRS"]
    assert rows["to"].split() == ['"hcl"', "default"]
    config = json.loads(command("config", "web/a.yaml", "--json").out)
    assert config["options"]["level"] == {
        "value": "create", "origin": "hot2tf.toml:4", "file": "hot2tf.toml", "line": 4, "column": 9,
    }  # fmt: skip
    assert config["options"]["ignore"] == {"value": [], "origin": "default"}
    assert dict(line.split(maxsplit=1) for line in command("config").out.splitlines() if line)["level"].endswith(
        "default"
    )


def test_config_prints_the_schema(command: Run) -> None:
    assert json.loads(command("config", "--schema").out)["$schema"] == "http://json-schema.org/draft-07/schema#"


# migrate


def test_migrate_takes_the_settings_of_its_source(command: Run) -> None:
    write(
        {
            "src/a.yaml": STACK,
            "src/attic/b.yaml": STACK,
            "hot2tf.toml": 'to = "hot"\nexclude = ["src/attic/", "other/*"]\n',
        }
    )
    assert command("migrate", "src", "out", "--quiet").status == 0
    written = {path.relative_to("out").as_posix() for path in pathlib.Path("out").rglob("*.yaml")}
    assert {name for name in written if "attic" in name} == set()
    assert any(name.endswith("a.yaml") for name in written)


def test_environments_of_a_configuration_make_one_stack(command: Run) -> None:
    """This holds for a plan, and for the check of a directory, before any rule looks for environments."""
    write(
        {
            "src/web.yaml": STACK,
            "src/web.env": "parameters:\n  net: found\n",
            "src/other/base.yaml": "parameters:\n  net: named\n",
            "src/inner.yaml": UNUSED,
            "hot2tf.toml": '[[overrides]]\npaths = ["src/w*.yaml"]\nenvironments = ["src/other/base.yaml"]\n',
        }
    )
    plan = " ".join(command("migrate", "--plan", "src").out.split())
    assert "named in ../hot2tf.toml:3" in plan
    assert "-e other/base.yaml" in plan
    assert "-e web.env" not in plan
    assert command("migrate", "src", "out", "--quiet").status == 0
    assert "named" in pathlib.Path("out/web/terraform.tfvars").read_text()
    alone = " ".join(command("migrate", "--plan", "src", "--isolated").out.split())
    assert "-e web.env" in alone


def test_check_of_a_directory_uses_these_environments(command: Run) -> None:
    write(
        {
            "web.yaml": STACK,
            "web.env": "parameters:\n  nett: found\n",
            "base.yaml": "parameters:\n  network: named\n",
            "hot2tf.toml": '[[overrides]]\npaths = ["web.yaml"]\nenvironments = ["base.yaml"]\n',
        }
    )
    for path in (".", "web.yaml"):
        done = command("check", path)
        assert "base.yaml:2" in done.out
        assert "web.env:2" not in done.out


def test_a_mistake_further_below_stops_migrate_and_check_too(command: Run) -> None:
    write({"src/a.yaml": STACK, "src/in/b.yaml": STACK, "src/in/hot2tf.toml": "nonsense = 1"})
    for line in ("migrate --plan src", "migrate src out", "check src", "fmt --check src"):
        done = command(*line.split())
        assert done.status == 1
        assert "HOT921" in f"{done.out}{done.err}"


def test_an_inventory_is_for_homing_templates(command: Run) -> None:
    write({"a.yaml": STACK, "sites.yaml": "", "hot2tf.toml": 'inventory = "sites.yaml"'})
    done = command("convert", "a.yaml", "-o", "out")
    assert done.status == 0
    assert "HOT859" not in done.err
    assert command("convert", "a.yaml", "--to", "tosca").status == 0
