"""Arguments in the form of Heat's client: the template with -t, and the rules for --parameter; but no URL."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest
import typer

from tests.conftest import Run
from tests.support import oracles
from transpile.cli import heat_client

TEMPLATE = """heat_template_version: 2021-04-16
parameters:
  zone: {type: string}
  nets: {type: comma_delimited_list, default: []}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: zone}, tags: {get_param: nets}}}
"""


@pytest.fixture
def run(command: Run, tmp_path: pathlib.Path) -> Run:
    (tmp_path / "stack.yaml").write_text(TEMPLATE)
    (tmp_path / "env.yaml").write_text("parameters: {zone: one}\n")
    return command


@pytest.mark.parametrize("name", ["convert", "graph", "check"])
def test_a_template_may_be_given_with_t(name: str, run: Run) -> None:
    options = ["-e", "env.yaml", "--parameter", "zone=two"]
    expected = run(name, "stack.yaml", *options)
    assert expected.status == 0
    assert run(name, *options, "-t", "stack.yaml") == expected
    assert run(name, *options, "--template", "stack.yaml") == expected


@pytest.mark.parametrize("name", ["convert", "graph"])
def test_two_templates_are_wrong_usage(name: str, run: Run) -> None:
    done = run(name, "-t", "stack.yaml", "stack.yaml")
    assert (done.status, done.err) == (2, "hot2tf: there are two templates, one with -t and one without\n")


@pytest.mark.parametrize("name", ["convert", "graph", "check"])
def test_no_template_is_wrong_usage(name: str, run: Run) -> None:
    assert run(name)[::2] == (2, "hot2tf: no template is named: TEMPLATE or -t FILE\n")


@pytest.mark.parametrize("name", ["convert", "graph", "check"])
@pytest.mark.parametrize("arguments", [["https://h.invalid/a.yaml"], ["stack.yaml", "-e", "HTTP://h.invalid/e.yaml"]])
def test_urls_are_refused_with_the_reason(name: str, arguments: list[str], run: Run) -> None:
    done = run(name, *arguments)
    assert (done.status, done.out) == (2, "")
    assert "is a URL, and hot2tf fetches no templates" in done.err


def test_the_path_is_wanted_in_place_of_a_file_url(run: Run) -> None:
    done = run("check", "-t", "file:///templates/a.yaml")
    assert (done.status, done.err) == (
        2,
        "hot2tf: file:///templates/a.yaml is a URL; give the path of the file instead\n",
    )


def test_one_parameter_option_may_have_several_parameters(run: Run, tmp_path: pathlib.Path) -> None:
    assert run("convert", "stack.yaml", "-o", "out", "--parameter", "zone=a b;nets=x,y").status == 0
    values = (tmp_path / "out" / "terraform.tfvars").read_text()
    assert 'zone = "a b"' in values
    assert 'nets = ["x", "y"]' in values


GIVEN: tuple[list[str], ...] = (
    ["a=1"],
    ["a=1;b=2"],
    ["a=1;b=2", "c=3"],
    ["a="],
    ["a=b=c"],
    ["a=1;a=2;a=3"],
    ["a=1", "a=2"],
    ["a= 1 ; b=2"],
    ["a=1;"],
    ["a"],
    ["a=1", "b"],
    [";a=1"],
    [],
)


@pytest.mark.parametrize("given", GIVEN, ids=repr)
@oracles.needs_heat
def test_parameters_are_read_as_by_the_client(given: list[str]) -> None:
    program = (
        "import json, sys\n"
        "from heatclient import exc\n"
        "from heatclient.common import utils\n"
        "try: print(json.dumps(utils.format_parameters(json.loads(sys.argv[1]))))\n"
        "except exc.CommandError: print('null')\n"
    )
    command = [oracles.HEAT_PYTHON, "-c", program, json.dumps(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert read(given) == json.loads(done.stdout)


def read(arguments: list[str]) -> dict[str, object] | None:
    """None for a refused argument."""
    try:
        return heat_client.parse_parameters(arguments)
    except typer.Exit:
        return None


def test_a_parameter_without_a_name_is_refused() -> None:
    """Heat's client would send it."""
    assert read(["=1"]) is None


def test_messages_about_parameters_show_no_value(run: Run) -> None:
    """A value may be a secret, and a part of one between two ; no less."""
    done = run("convert", "stack.yaml", "--parameter", "password=correct;horse")
    assert done.status == 2
    assert "correct" not in done.err
    assert "horse" not in done.err
    assert "split at ;" in done.err
    assert run("convert", "stack.yaml", "--parameter", "a=1", "--parameter", "secret")[::2] == (
        2,
        "hot2tf: --parameter takes KEY=VALUE, and number 2 is not of that form\n",
    )
