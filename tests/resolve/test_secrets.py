"""The value of a hidden parameter is in no diagnostic, however it came, whatever is wrong, in whatever form."""

from __future__ import annotations

import json
import pathlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import transpile
from transpile.cli import check as checking
from transpile.cli import fmt as formatting
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render import FORMS, renderer

BEFORE = "heat_template_version: 2018-08-31\n"
NESTED = BEFORE + "parameters:\n  pw: {type: string, hidden: true, constraints: [{length: {min: 900}}]}\n"
USES = """resources:
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, config_drive: {get_param: pw}, networks: [{network: n}]}
  volume: {type: OS::Cinder::Volume, properties: {size: {list_join: ['', ['x', {get_param: pw}]]}}}
  rule: {type: OS::Neutron::SecurityGroup, properties: {rules: [{protocol: {get_param: pw}}]}}
  group: {type: OS::Heat::ResourceGroup, properties: {count: {get_param: pw}, resource_def: {type: nested.yaml}}}
  inner: {type: nested.yaml, properties: {pw: {get_param: pw}, wrong: {get_param: [pw, 0, a]}}}
outputs: {o: {value: {get_attr: [server, {get_param: pw}]}}}
"""
ALLOWED = "constraints: [{allowed_values: [a, b]}]"
LINES = (
    "default: SECRET",
    "default: SECRET, default: x",
    "default: x, default: SECRET",
    "default: [SECRET]",
    "default: {a: SECRET}",
)
# each a template; SECRET stands for the secret
TEMPLATES = {
    **{
        f"{kind} {i}": f"parameters:\n  pw: {{type: {kind}, hidden: true, {line}, {ALLOWED}}}\n{USES}"
        for kind in ("string", "number", "boolean", "json", "comma_delimited_list")
        for i, line in enumerate(LINES)
    },
    "pattern": "parameters: {pw: {type: string, hidden: true, default: SECRET, constraints: [{allowed_pattern: x}]}}\n",
    "not YAML": "parameters:\n  pw:\n    type: string\n    hidden: true\n    default: SECRET: [\n",
    "no text": 'parameters:\n  pw:\n    type: string\n    hidden: true\n    default: SECRET "\n',
    "block": "parameters:\n  pw:\n    hidden: true\n    type: number\n    default: |\n      a\n      SECRET\n",
    "nested": "resources:\n  inner: {type: nested.yaml, properties: {pw: SECRET, typo: 1}}\n",
    "member": "resources:\n  g: {type: OS::Heat::ResourceGroup, properties: {resource_def: {type: nested.yaml, "
    "properties: {pw: SECRET, typo: 1}}, removal_policies: 3}}\n",
    "template twice": "parameters: {pw: {hidden: true, type: string, default: SECRET}}\nparameters: {}\n",
    "cfn": "AWSTemplateFormatVersion: '2010-09-09'\nParameters:\n  pw: {Type: Number, NoEcho: true, Default: SECRET}\n",
}
DECLARED = BEFORE + "parameters:\n  pw: {type: KIND, hidden: true, constraints: [{allowed_values: [1]}]}\n" + USES
ENVIRONMENTS = {
    "parameter": "parameters: {pw: SECRET}\n",
    "default": "parameter_defaults:\n  pw: SECRET\n",
    "twice": "parameters:\n  pw: SECRET\n  pw: x\n",
    "no parameter": "parameters:\n  pw: SECRET\n  pv: SECRET\nencrypted_param_names: [pw, pv]\n",
    "strategy": "parameters: {pw: SECRET}\nparameter_merge_strategies: {pw: merge}\n",
    "not YAML": "parameters:\n  pw: SECRET: [\n  x\n",
    "list": "parameters:\n  pw:\n  - SECRET\n  typo: 3\n",
}
SECRETS = st.text("abcXYZ0189 -_$%&/é\n'\"\\{[:#", min_size=9, max_size=120).map(lambda text: f"Zq{text}9xW")


def shown(found: list[Diagnostic]) -> str:
    return "".join(renderer(form)(found) for form in FORMS)


def leaks(text: str, secret: str) -> list[str]:
    """The forms of a secret in a text: as it is, escaped, and the beginning of a long one."""
    forms = {secret, secret[:9], json.dumps(secret)[1:-1], repr(secret)[1:-1], secret.splitlines()[-1]}
    return [form for form in forms if len(form) > 4 and form in text]


def everything(folder: pathlib.Path, secret: str, parameters: dict[str, str]) -> str:
    """All that is said of the template in a folder."""
    (folder / "nested.yaml").write_text(NESTED, encoding="utf-8")
    path, environments = folder / "stack.yaml", [str(e) for e in folder.glob("env.yaml")]
    said = ""
    for create in (False, True):
        how = checking.Options(tuple(environments), parameters, create=create)
        said += shown(list(checking.one((str(path), False, how)).diagnostics))
    said += shown(list(formatting.one(formatting.Job(str(path), False, False, False)).diagnostics))
    for to in ("hcl", "hot", "tosca"):
        done = transpile.convert(
            path, to=to, environments=[pathlib.Path(e) for e in environments], parameters=parameters
        )
        said += shown(list(done.diagnostics)) + json.dumps(done.report, ensure_ascii=False)
        if environments or parameters:
            said += "".join(text for name, text in done.files.items() if isinstance(text, str))
    return said


@pytest.mark.parametrize("name", TEMPLATES)
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(secret=SECRETS)
def test_defaults_and_values_of_nested_calls(name: str, secret: str, tmp_path: pathlib.Path) -> None:
    text = TEMPLATES[name].replace("SECRET", json.dumps(secret, ensure_ascii=False))
    (tmp_path / "stack.yaml").write_text(text if name == "cfn" else BEFORE + text, encoding="utf-8")
    assert leaks(everything(tmp_path, secret, {}), secret) == []


@pytest.mark.parametrize("kind", ["string", "number", "boolean", "json", "comma_delimited_list"])
@pytest.mark.parametrize("name", [*ENVIRONMENTS, "option"])
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(secret=SECRETS)
def test_environments_and_options(name: str, kind: str, secret: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(DECLARED.replace("KIND", kind), encoding="utf-8")
    if name != "option":
        text = ENVIRONMENTS[name].replace("SECRET", json.dumps(secret, ensure_ascii=False))
        (tmp_path / "env.yaml").write_text(text, encoding="utf-8")
    assert leaks(everything(tmp_path, secret, {"pw": secret} if name == "option" else {}), secret) == []


def test_the_line_keeps_its_marks(tmp_path: pathlib.Path) -> None:
    """What is beside a secret is shown, and the caret is below it; a mask tells nothing of the length."""
    path = tmp_path / "stack.yaml"
    lines = "parameters:\n  pw: {type: string, hidden: true, default: a-long-secret-value, tipe: 1}\n"
    path.write_text(BEFORE + lines, encoding="utf-8")
    said = renderer("text")(transpile.convert(path).diagnostics)
    assert " 3 |   pw: {type: string, hidden: true, default: ******, tipe: 1}\n" in said
    assert "   |                                                     ^^^^\n" in said


def test_a_value_that_is_also_a_name_does_not_hide_the_name(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "stack.yaml"
    path.write_text(BEFORE + "parameters:\n  password: {type: number, hidden: true, default: password}\n")
    (found,) = [d for d in transpile.convert(path).diagnostics if d.severity == "error"]
    assert "password" in found.message
