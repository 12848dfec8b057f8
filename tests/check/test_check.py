"""`hot2tf check`: its diagnostics, their places and severities, and the files that it reads.

Invariant: each error here is one for which Heat rejects the template at validation. The corpus, with real Heat's
verdicts, proves it.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from tests.conftest import Run
from tests.support import oracles
from transpile import checking
from transpile.diagnostics.model import Diagnostic
from transpile.settings.table import Request

HOT = "heat_template_version: 2021-04-16\n"
NET = HOT + "resources:\n  net: {type: OS::Neutron::Net, properties: {name: web}}\n"


def write(where: pathlib.Path, **files: str) -> pathlib.Path:
    """Writes files by name without the suffix. The template is `stack`."""
    for name, text in files.items():
        (where / f"{name}.yaml").write_text(text, encoding="utf-8")
    return where / "stack.yaml"


def list_findings(path: pathlib.Path, **options: Any) -> list[str]:
    """Code, severity and the text that each diagnostic points at."""
    return [
        describe_diagnostic(d)
        for d in checking.check_file(str(path), checking.CheckRequest(Request(**options))).diagnostics
    ]


def describe_diagnostic(diagnostic: Diagnostic) -> str:
    assert diagnostic.source is not None
    excerpt = diagnostic.source.text[diagnostic.at : max(diagnostic.end, diagnostic.at)]
    return f"{diagnostic.code} {diagnostic.severity} {excerpt}".rstrip()


# software configuration

COMPONENT = """\
parameters:
  acts: {type: comma_delimited_list, default: "CREATE"}
  part: {type: json, default: {actions: [RESUME], tool: script, config: p}}
resources:
  c:
    type: OS::Heat::SoftwareComponent
    properties: {configs: [{actions: [CREATE, UPDATE], tool: script, config: a}, {%stool: script, config: b}]}
  d: {type: OS::Heat::SoftwareDeployment, properties: {config: {get_resource: c}, server: a-b, %s}}
"""


@pytest.mark.parametrize(
    ("part", "deployment", "expected"),
    [
        ("actions: [DELETE, SUSPEND, RESUME], ", "", []),
        ("actions: [DELETE, UPDATE], ", "", ["HOT312 error UPDATE"]),
        ("actions: [DELETE, DELETE], ", "", []),  # Heat compares configurations with each other only
        ("actions: {get_param: acts}, ", "", ["HOT312 error {get_param: acts}"]),
        ("", "", ["HOT312 error {tool: script, config: b}"]),
        ("actions: [delete], ", "", ["HOT610 warning delete"]),
        ("actions: [CHECK], ", "", ["HOT610 warning CHECK"]),
        ("tool: script, actions: [DELETE], config: p}, {get_param: part}, {actions: [SUSPEND], ", "", []),
        ("actions: [DELETE], ", "actions: [CREATE]", ["HOT402 info [CREATE]"]),
        ("actions: [DELETE], ", "actions: null", []),
        ("actions: [DELETE], ", "actions: [create]", ["HOT402 info [create]", "HOT312 error [create]"]),
    ],
)
def test_actions_of_software_configuration(
    part: str, deployment: str, expected: list[str], tmp_path: pathlib.Path
) -> None:
    """Real Heat's verdicts on creation; a component takes other words, which `_handle_action` never asks for."""
    path = write(tmp_path, stack=HOT + COMPONENT % (part, deployment))
    findings = [f for f in list_findings(path, level="create") if "HOT601" not in f]
    assert sorted(findings) == sorted(expected)
    mild = [f.replace(" error ", " warning ") for f in expected]
    assert sorted(f for f in list_findings(path) if "HOT601" not in f) == sorted(mild)


@pytest.mark.parametrize("part", ["actions: [DELETE, UPDATE], ", "", "actions: [DELETE], ", "actions: [delete],"])
@oracles.needs_heat
def test_heat_refuses_two_configurations_for_an_action(part: str, tmp_path: pathlib.Path) -> None:
    path = write(tmp_path, stack=HOT + COMPONENT % (part, ""))
    verdict = oracles.heat().ask(op="validate", template=str(path), level="create")
    refused = any(" error " in finding for finding in list_findings(path, level="create"))
    assert verdict["ok"] is not refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("resources:\n" + "".join(f"  r{i}: {{type: OS::Heat::None}}\n" for i in range(1001)), "has 1001 resources"),
        (f"description: {'x' * 600 * 1024}\n", "has 600 KiB"),
    ],
)
def test_limits_of_heat(text: str, message: str, tmp_path: pathlib.Path) -> None:
    path = write(tmp_path, stack=HOT + text)
    for level, severity in (("template", "warning"), ("create", "error")):
        done = checking.check_file(str(path), checking.CheckRequest(Request(level=level)))
        assert [(d.severity, message in d.message) for d in done.diagnostics if d.code == "HOT311"] == [
            (severity, True)
        ]


# values of properties

PORT = (
    HOT + "parameters: {net: {type: string, default: a}}\nresources:\n  p: {type: OS::Neutron::Port, properties: %s}\n"
)


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ("{network: {get_param: net}}", []),
        ("{netwrk: {get_param: net}, network: a}", ["HOT301 error netwrk"]),
        ("{name: {get_param: net}}", ["HOT309 warning p"]),
        ("{network: {get_param: net}, admin_state_up: maybe}", ["HOT306 warning maybe"]),
        ("{network: {get_param: net}, fixed_ips: [{ip_address: 10.0.0.300}]}", ["HOT312 warning 10.0.0.300"]),
        ("{network: {get_param: net}, fixed_ips: [{ip: 10.0.0.3}]}", ["HOT307 warning ip"]),
        ("{network: {get_param: net}, network_id: b}", ["HOT313 warning network"]),
        ("{network: {list_join: ['-', [1]]}, name: {get_param: net}}", ["HOT314 warning {list_join: ['-', [1]]}"]),
        ("{network: {get_param: net}, mac_address: {get_param: net}}", ["HOT312 warning {get_param: net}"]),
    ],
)
def test_values_of_properties(properties: str, expected: list[str], tmp_path: pathlib.Path) -> None:
    assert list_findings(write(tmp_path, stack=PORT % properties)) == expected


def test_list_join_refuses_a_number_before_it_has_a_value(tmp_path: pathlib.Path) -> None:
    join = "{list_join: ['-', [a, {get_param: net}]]}"
    text = PORT.replace("string, default: a", "number") % f"{{network: {join}}}"
    assert list_findings(write(tmp_path, stack=text)) == [f"HOT314 warning {join}"]


def test_create_makes_errors_of_refusals_at_creation(tmp_path: pathlib.Path) -> None:
    path = write(tmp_path, stack=PORT % "{network: {get_param: net}, admin_state_up: maybe}")
    assert list_findings(path, level="create") == ["HOT306 error maybe"]
    assert list_findings(path, level="create", parameters={"net": "b"}) == ["HOT306 error maybe"]


def test_a_value_that_depends_on_a_resource_is_not_judged(tmp_path: pathlib.Path) -> None:
    text = HOT + (
        "resources:\n  r: {type: OS::Heat::RandomString}\n"
        "  v: {type: OS::Cinder::Volume, properties: {size: {get_attr: [r, value]}}}\n"
    )
    assert list_findings(write(tmp_path, stack=text)) == []


def test_members_of_a_group_are_looked_at(tmp_path: pathlib.Path) -> None:
    group = HOT + (
        "resources:\n  g:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: %s\n"
        "      resource_def: {type: OS::Neutron::Port, properties: {nam: p-%%index%%}}\n"
    )
    assert list_findings(write(tmp_path, stack=group % 2)) == [
        "HOT309 warning {type: OS::Neutron::Port, properties: {nam: p-%index%}}",
        "HOT307 warning nam",
    ]
    assert list_findings(write(tmp_path, stack=group % 0)) == []
    computed = group.replace(HOT, f"{HOT}parameters: {{kind: {{type: string}}}}\n").replace(
        "OS::Neutron::Port", "{get_param: kind}"
    )
    assert list_findings(write(tmp_path, stack=computed % 2)) == []


# conditions

CONDITIONAL = HOT + (
    "parameters: {stage: {type: string%s}}\n"
    "conditions: {prod: {equals: [{get_param: stage}, prod]}}\n"
    "resources:\n"
    "  a: {type: OS::Neutron::Net, condition: prod, properties: {nme: a}}\n"
    "  b: {type: OS::Neutron::Subnet, properties: {network: {get_resource: a}, cidr: 10.0.0.0/24}}\n"
)


def test_a_resource_that_is_not_there_is_not_looked_at(tmp_path: pathlib.Path) -> None:
    path = write(tmp_path, stack=CONDITIONAL % ", default: test")
    assert list_findings(path) == ["HOT301 warning nme", "HOT218 error {get_resource: a}"]
    assert list_findings(path, parameters={"stage": "prod"}) == ["HOT301 error nme"]


def test_a_condition_needs_the_values_that_it_asks_for(tmp_path: pathlib.Path) -> None:
    """A warning if it only compares them: then the template is right for any value."""
    assert list_findings(write(tmp_path, stack=CONDITIONAL % "")) == ["HOT219 warning prod", "HOT301 warning nme"]
    text = CONDITIONAL.replace(
        "{equals: [{get_param: stage}, prod]}", "{yaql: {expression: $.data, data: {get_param: stage}}}"
    )
    assert list_findings(write(tmp_path, stack=text % "")) == ["HOT219 error prod", "HOT301 warning nme"]


@pytest.mark.parametrize(
    ("resource", "template", "create"),
    [
        ("properties: {value: {get_param: nope}}", "warning", "error"),
        ("properties: {value: {list_join: ['', [{get_param: nope}]]}}", "warning", "error"),
        ("properties: {value: {if: [no, {get_param: nope}, a]}}", "warning", "warning"),
        ("properties: {value: {if: [no, a, {get_param: nope}]}}", "warning", "error"),
        ("condition: no, properties: {value: {get_param: nope}}", "warning", "warning"),
        ("metadata: {a: {get_param: nope}}, properties: {value: a}", "warning", "warning"),
        ("deletion_policy: {get_param: nope}, properties: {value: a}", "error", "error"),
        ("external_id: {get_param: nope}, properties: {value: a}", "error", "error"),
        ("external_id: a, properties: {value: {get_param: nope}}", "warning", "warning"),
        ("properties: {value: {get_attr: [other, {get_param: nope}]}}", "error", "error"),
    ],
)
def test_an_unknown_parameter_is_refused_when_heat_asks_for_it(
    resource: str, template: str, create: str, tmp_path: pathlib.Path
) -> None:
    """As real Heat: properties when the stack is created; paths, policies and IDs when the template is validated."""
    text = HOT + "conditions: {no: {equals: [a, b]}}\nresources:\n  other: {type: OS::Heat::RandomString}\n"
    path = write(tmp_path, stack=f"{text}  value: {{type: OS::Heat::Value, {resource}}}\n")
    for level, severity in (("template", template), ("create", create)):
        diagnostics = checking.check_file(str(path), checking.CheckRequest(Request(level=level))).diagnostics
        assert [d.severity for d in diagnostics if d.code == "HOT201"] == [severity]


def test_a_branch_that_is_not_taken_is_not_read(tmp_path: pathlib.Path) -> None:
    """Heat does not parse a branch that is not taken. For a target, which must write both branches, it is an error."""
    text = HOT + (
        "parameters: {big: {type: boolean, default: %s}}\n"
        "conditions: {big: {get_param: big}}\n"
        "outputs:\n  o: {value: {if: [big, {list_join: wrong}, fine]}}\n"
    )
    assert list_findings(write(tmp_path, stack=text % "false")) == ["HOT130 warning {list_join: wrong}"]
    assert list_findings(write(tmp_path, stack=text % "true")) == ["HOT130 error {list_join: wrong}"]


# nested templates

ROOT = HOT + "resources:\n  child: {type: child.yaml, properties: {name: web}}\n"
CHILD = HOT + "parameters: {name: {type: string}}\nresources:\n  net: {type: OS::Neutron::Net, properties: {%s}}\n"


def test_a_nested_template_is_checked_as_heat_would_when_it_creates_it(tmp_path: pathlib.Path) -> None:
    path = write(tmp_path, stack=ROOT, child=CHILD % "nme: {get_param: name}")
    assert list_findings(path) == ["HOT301 warning nme"]
    assert list_findings(path, level="create") == ["HOT301 error nme"]


def test_its_parameters_are_the_properties(tmp_path: pathlib.Path) -> None:
    child = CHILD % "name: {get_param: name}"
    assert list_findings(write(tmp_path, stack=ROOT.replace("name: web", "nam: web"), child=child)) == [
        "HOT301 error nam",
    ], "that name is missing follows from it"


def test_a_value_that_heat_cannot_read_is_an_error_at_once(tmp_path: pathlib.Path) -> None:
    assert list_findings(write(tmp_path, stack=ROOT, child="a: [1")) == ["HOT101 error"]
    (tmp_path / "child.yaml").unlink()
    assert list_findings(tmp_path / "stack.yaml") == ["HOT215 error child.yaml"]


def test_a_circle_is_an_error_where_it_closes(tmp_path: pathlib.Path) -> None:
    child = HOT + "parameters: {name: {type: string, default: a}}\nresources:\n  again: {type: child.yaml}\n"
    assert list_findings(write(tmp_path, stack=ROOT, child=child)) == ["HOT601 warning name", "HOT216 error child.yaml"]


def test_names_in_a_nested_template_are_relative_to_it(tmp_path: pathlib.Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "child.yaml").write_text(
        HOT + "parameters: {name: {type: string}}\n"
        "outputs: {o: {value: {str_replace: {template: {get_file: a.txt}, params: {n: {get_param: name}}}}}}\n"
    )
    path = write(tmp_path, stack=ROOT.replace("child.yaml", "sub/child.yaml"))
    assert list_findings(path) == ["HOT206 error {get_file: a.txt}"]
    (tmp_path / "sub" / "a.txt").write_text("n")
    assert list_findings(path) == []


def test_nothing_outside_is_read_unless_it_is_allowed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inside").mkdir()
    write(tmp_path, child=CHILD % "nme: {get_param: name}")
    path = write(tmp_path / "inside", stack=ROOT.replace("child.yaml", "../child.yaml"))
    assert list_findings(path) == ["HOT217 warning ../child.yaml"]
    assert list_findings(path, allow=(str(tmp_path),)) == ["HOT301 warning nme"]
    assert list_findings(path, root=str(tmp_path)) == ["HOT301 warning nme"]


def test_a_deep_tree_of_templates_ends_at_the_limit_of_heat(tmp_path: pathlib.Path) -> None:
    files = {f"t{n}": HOT + f"resources:\n  r: {{type: t{n + 1}.yaml}}\n" for n in range(7)}
    path = write(tmp_path, stack=HOT + "resources:\n  r: {type: t0.yaml}\n", **files, t7=HOT)
    assert list_findings(path) == ["HOT216 warning t5.yaml"]


def test_many_nested_templates_take_time_in_proportion(tmp_path: pathlib.Path) -> None:
    """Each template is linked once, however often and however deep it is used: 2^5 uses, and 6 links."""
    files = {
        f"t{n}": HOT + "".join(f"  {r}: {{type: t{n + 1}.yaml}}\n" for r in "ab").join(("resources:\n", ""))
        for n in range(4)
    }
    path = write(tmp_path, stack=HOT + "resources:\n  r: {type: t0.yaml}\n", **files, t4=NET.replace("name", "nam"))
    assert list_findings(path) == ["HOT301 warning nam"]


# the command


def test_the_command_checks_files_and_directories(command: Run, tmp_path: pathlib.Path) -> None:
    write(tmp_path, stack=NET.replace("name", "nam"), other="a: b\n", env="parameter: {}\nparameters: {a: b}\n")
    done = command("check", str(tmp_path))
    assert done.status == 1
    column = NET.splitlines()[2].index("name") + 1
    assert f"stack.yaml:3:{column}: error HOT301" in done.out
    assert "env.yaml:1:1: error HOT140" in done.out
    assert done.err.endswith("2 files checked: 2 errors, 0 warnings, 2 fixable with --fix.\n")
    assert "other" not in done.out + done.err
    assert command("check", str(tmp_path / "other.yaml")).status == 1
    assert command("check", "--skip-others", str(tmp_path / "other.yaml")).status == 0


def test_strict_and_levels(command: Run, tmp_path: pathlib.Path) -> None:
    path = str(write(tmp_path, stack=PORT % "{network: {get_param: net}, admin_state_up: maybe}"))
    assert command("check", path).status == 0
    assert command("check", "--strict", path).status == 1
    assert command("check", "--level", "create", path).status == 1
    assert command("check", "--level", "stack", path).status == 2


def test_json_names_files_as_they_were_given(command: Run, tmp_path: pathlib.Path) -> None:
    path = write(tmp_path, stack=ROOT, child=CHILD % "nme: {get_param: name}")
    done = command("check", "--diagnostics", "json", str(path))
    (row,) = json.loads(done.out)
    assert (row["file"], row["code"]) == (str(tmp_path / "child.yaml"), "HOT301")


def test_standard_input(command: Run) -> None:
    done = command("check", "-", stdin=NET.replace("Net", "Network"))
    assert done.status == 1
    assert "<stdin>:3:15: error HOT214" in done.out


def test_a_finding_in_a_nested_template_is_said_once(command: Run, tmp_path: pathlib.Path) -> None:
    """The template is checked by itself and for each of its parents. A finding that is an error by itself stays one."""
    child = CHILD % "nme: {get_param: name}"
    write(tmp_path, stack=ROOT, parent=ROOT, child=child)
    done = command("check", "--diagnostics", "json", str(tmp_path))
    (row,) = json.loads(done.out)
    assert (row["file"], row["code"], row["severity"]) == (str(tmp_path / "child.yaml"), "HOT301", "error")


def test_plugin_types_are_taken_on_trust(command: Run, tmp_path: pathlib.Path) -> None:
    path = str(write(tmp_path, stack=NET.replace("OS::Neutron::Net", "My::Net").replace("name", "nam")))
    assert command("check", path).status == 1
    assert command("check", "--plugin-type", "My::*", path).status == 0


# real Heat


@pytest.mark.long
@oracles.needs_corpus
@pytest.mark.parametrize("stacks", [False, True], ids=["templates", "stacks"])
def test_heat_agrees_about_the_corpus(stacks: bool) -> None:
    """Templates that Heat refuses only because it lacks their types or files may go either way."""
    corpus = oracles.SHARED / "corpus"
    rows = (corpus / ("heat_stacks.jsonl" if stacks else "heat_verdicts.jsonl")).read_text().splitlines()
    wrong = []
    for row in map(json.loads, rows):
        lenient = row.get("lenient")
        if not row["accepts"] and lenient and lenient["accepts"]:
            continue
        path = row["template" if stacks else "path"]
        options = checking.CheckRequest(
            Request(environments=tuple(str(corpus / e) for e in row.get("environments", ())))
        )
        if checking.check_file(str(corpus / path), options).ok is not row["accepts"]:
            wrong.append(path)
    assert wrong == []


def test_deprecated_properties_are_said(tmp_path: pathlib.Path) -> None:
    """`personality` has no new name, so only its status tells."""
    server = "type: OS::Nova::Server, properties: {image: i, flavor: f, networks: [{network: n}], %s}"
    path = write(tmp_path, stack=HOT + f"resources:\n  s: {{{server % 'personality: {/a: b}'}}}\n")
    assert list_findings(path) == ["HOT611 info personality"]
    path = write(tmp_path, stack=HOT + f"resources:\n  s: {{{server % 'name: a'}}}\n")
    assert list_findings(path) == []
    two = "".join(f"  {name}: {{{server % 'personality: {/a: b}'}}}\n" for name in "st")
    path = write(tmp_path, stack=f"{HOT}resources:\n{two}")
    (diagnostic,) = checking.check_file(str(path), checking.CheckRequest(Request())).diagnostics
    assert diagnostic.message.endswith("It is set 2 times.")
