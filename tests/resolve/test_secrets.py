"""The value of a hidden parameter is in no diagnostic, from any source, for any mistake, in any form."""

from __future__ import annotations

import json
import os
import pathlib
import re
import stat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import transpile
from tests.conftest import Run
from tests.support.examples import examples
from transpile import checking
from transpile.cli import fmt as formatting
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render import FORMS, load_renderer
from transpile.settings.table import Request

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
    "value": "resources: {v: {type: OS::Heat::Value, properties: {value: SECRET}}, "
    "inner: {type: nested.yaml, properties: {pw: {get_attr: [v, value]}, typo: 1}}}\n",
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


def render_in_all_forms(diagnostics: list[Diagnostic]) -> str:
    return "".join(load_renderer(form)(diagnostics) for form in FORMS)


def leaks(text: str, secret: str) -> list[str]:
    """The forms of a secret in a text: as it is, escaped, and the beginning of a long one."""
    forms = {secret, secret[:9], json.dumps(secret)[1:-1], repr(secret)[1:-1], secret.splitlines()[-1]}
    return [form for form in forms if len(form) > 4 and form in text]


def everything(folder: pathlib.Path, secret: str, parameters: dict[str, str]) -> str:
    """All that is said of the template in a folder."""
    (folder / "nested.yaml").write_text(NESTED, encoding="utf-8")
    path, environments = folder / "stack.yaml", [str(e) for e in folder.glob("env.yaml")]
    output = ""
    for create in (False, True):
        how = Request(environments=tuple(environments), parameters=parameters, level="create" if create else "template")
        output += render_in_all_forms(list(checking.check_file(str(path), checking.CheckRequest(how)).diagnostics))
    output += render_in_all_forms(
        list(formatting.format_guarded(formatting.FormatJob(str(path), False, False, False)).diagnostics)
    )
    for to in ("hcl", "hot", "tosca"):
        done = transpile.convert(
            path, to=to, environments=[pathlib.Path(e) for e in environments], parameters=parameters
        )
        output += render_in_all_forms(list(done.diagnostics)) + json.dumps(done.report, ensure_ascii=False)
        if environments or parameters:
            output += "".join(text for name, text in done.files.items() if isinstance(text, str))
    for name in (str(folder), os.path.relpath(folder)):  # which may have a number that is a secret here
        output = output.replace(name, "")
    return output


@pytest.mark.parametrize("name", TEMPLATES)
@settings(max_examples=examples(6), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(secret=SECRETS)
def test_defaults_and_values_of_nested_calls(name: str, secret: str, tmp_path: pathlib.Path) -> None:
    text = TEMPLATES[name].replace("SECRET", json.dumps(secret, ensure_ascii=False))
    (tmp_path / "stack.yaml").write_text(text if name == "cfn" else BEFORE + text, encoding="utf-8")
    assert leaks(everything(tmp_path, secret, {}), secret) == []


@pytest.mark.parametrize("kind", ["string", "number", "boolean", "json", "comma_delimited_list"])
@pytest.mark.parametrize("name", [*ENVIRONMENTS, "option"])
@settings(max_examples=examples(3), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(secret=SECRETS)
def test_environments_and_options(name: str, kind: str, secret: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(DECLARED.replace("KIND", kind), encoding="utf-8")
    if name != "option":
        text = ENVIRONMENTS[name].replace("SECRET", json.dumps(secret, ensure_ascii=False))
        (tmp_path / "env.yaml").write_text(text, encoding="utf-8")
    assert leaks(everything(tmp_path, secret, {"pw": secret} if name == "option" else {}), secret) == []


NUMBERS = st.one_of(
    # short, yet unlike any number that messages use themselves, or the templates, which have 900 as a limit
    st.integers(-999, 999).filter(lambda n: abs(n) > 299 and n != 900),
    st.integers(1000001, 10**12),
    st.floats(300, 999).map(lambda n: round(n, 2)).filter(lambda n: not n.is_integer()),
)
SHAPES = ("SECRET", "'SECRET'", "[SECRET, x]", "{a: SECRET}", '[{"b": SECRET}]')


def numbers(text: str, secret: str) -> list[str]:
    """The places where a number stands as a word of its own."""
    return [text[max(m.start() - 60, 0) : m.end() + 20] for m in re.finditer(rf"(?<![\w.]){secret}(?!\w)", text)]


@pytest.mark.parametrize("name", TEMPLATES)
@settings(max_examples=examples(6), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(secret=NUMBERS.map(str), shape=st.sampled_from(SHAPES))
def test_numbers_in_templates(name: str, secret: str, shape: str, tmp_path: pathlib.Path) -> None:
    text = TEMPLATES[name].replace("SECRET", shape.replace("SECRET", secret))
    (tmp_path / "stack.yaml").write_text(text if name == "cfn" else BEFORE + text, encoding="utf-8")
    assert numbers(everything(tmp_path, secret, {}), re.escape(secret)) == []


@pytest.mark.parametrize("kind", ["string", "number", "boolean", "json", "comma_delimited_list"])
@pytest.mark.parametrize("name", ENVIRONMENTS)
@settings(max_examples=examples(4), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(secret=NUMBERS.map(str), shape=st.sampled_from(SHAPES))
def test_numbers_in_environments(name: str, kind: str, secret: str, shape: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(DECLARED.replace("KIND", kind), encoding="utf-8")
    text = ENVIRONMENTS[name].replace("SECRET", shape.replace("SECRET", secret))
    (tmp_path / "env.yaml").write_text(text, encoding="utf-8")
    assert numbers(everything(tmp_path, secret, {}), re.escape(secret)) == []


def test_a_short_value_is_replaced_only_where_it_is_meant(tmp_path: pathlib.Path) -> None:
    """A hidden 1 does not take every 1 out of the messages, but the message about its value does not show it."""
    path = tmp_path / "stack.yaml"
    path.write_text(
        BEFORE + "parameters:\n  pin: {type: number, hidden: true, default: 1, constraints: [{range: {min: 2}}]}\n"
        "  other: {type: number, default: 1, constraints: [{range: {min: 2}}]}\n"
    )
    messages = [d.message for d in transpile.convert(path).diagnostics if d.severity == "error"]
    about, other = sorted(messages, key=lambda message: "pin" not in message)
    assert re.search(r"\b1\b", about) is None
    assert re.search(r"\b1\b", other) is not None


def test_a_boolean_is_replaced_where_it_is_meant(tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(
        BEFORE + "parameters: {flag: {type: boolean, hidden: true, default: true, "
        "constraints: [{allowed_values: [false]}]}}\n"
    )
    rendered = render_in_all_forms(list(transpile.convert(tmp_path / "stack.yaml").diagnostics))
    assert "HOT302" in rendered
    assert re.search(r"(?<!hidden: )\b[Tt]rue\b", rendered) is None


def test_a_misspelled_name_does_not_show_the_value(tmp_path: pathlib.Path) -> None:
    """An environment that sets no parameter of the template may mean a hidden one."""
    (tmp_path / "stack.yaml").write_text(BEFORE + "parameters: {password: {type: string, hidden: true}}\n")
    (tmp_path / "env.yaml").write_text("parameters: {pasword: Zq-much-too-simple}\n")
    output = everything(tmp_path, "Zq-much-too-simple", {"passwort": "Zq-much-too-simple"})
    assert "pasword" in output
    assert "Zq-much" not in output


WRITTEN = ("Zq1-simple", 'p@ß"w\\0rd ${x}', "line one\nline twoXYZ\n", "é\u2028Zq9", "!!!", "x", "a'b: {c}", "%{ if }d")


@pytest.mark.parametrize("to", ["hcl", "hot", "tosca"])
@pytest.mark.parametrize("secret", WRITTEN)
def test_a_hidden_default_is_said_and_its_files_are_known(secret: str, to: str, tmp_path: pathlib.Path) -> None:
    """A hidden default of any form is found, also in the template of the resources that stay with Heat."""
    text = json.dumps(secret, ensure_ascii=False)
    (tmp_path / "inner.yaml").write_text(
        BEFORE + f"parameters: {{pw: {{type: string, hidden: true, default: {text}}}}}\n"
        "resources: {s: {type: OS::Heat::SoftwareConfig, properties: {config: {get_param: pw}}}}\n",
        encoding="utf-8",
    )
    (tmp_path / "stack.yaml").write_text(
        BEFORE + f"parameters: {{pw: {{type: string, hidden: true, default: {text}}}}}\n"
        "resources: {asg: {type: OS::Heat::AutoScalingGroup, properties: {min_size: 1, max_size: 2, "
        "resource: {type: inner.yaml}}}}\noutputs: {o: {value: {get_param: pw}}}\n",
        encoding="utf-8",
    )
    done = transpile.convert(tmp_path / "stack.yaml", to=to)
    assert [d.severity for d in done.diagnostics if d.code == "HOT525"] == ["warning"] * (1 if to == "hot" else 2)
    holders = {"hcl": {"variables.tf", "templates/inner.yaml"}, "hot": {"template.yaml"}}
    assert done.private >= holders.get(to, {name for name in done.files if name.endswith(".yaml")})


def test_parameters_that_are_not_hidden_are_not_private(tmp_path: pathlib.Path) -> None:
    (tmp_path / "stack.yaml").write_text(
        BEFORE + "parameters: {a: {type: string, default: Zq-simple}, b: {type: string, hidden: true, default: ''}}\n"
    )
    done = transpile.convert(tmp_path / "stack.yaml")
    assert "HOT525" not in {d.code for d in done.diagnostics}
    assert done.private == frozenset()


@pytest.mark.skipif(os.name != "posix", reason="this system has no permissions of files")
@pytest.mark.parametrize("to", ["hcl", "hot", "tosca"])
def test_files_with_hidden_defaults_are_for_their_owner(to: str, tmp_path: pathlib.Path, command: Run) -> None:
    """This holds even if equal files existed before, readable by everybody."""
    (tmp_path / "stack.yaml").write_text(
        BEFORE + "parameters: {pw: {type: string, hidden: true, default: Zq-simple}, a: {type: string}}\n"
        "outputs: {o: {value: {get_param: a}}, pw: {value: {get_param: pw}}}\n"
    )
    out = tmp_path / "out" if to == "hcl" else tmp_path / "out.yaml"
    main = out / "variables.tf" if to == "hcl" else out
    for _ in range(2):
        assert command("convert", "--to", to, "stack.yaml", "-o", str(out)).status == 0
        assert stat.S_IMODE(main.stat().st_mode) == 0o600
        main.chmod(0o644)
    if to == "hcl":
        assert stat.S_IMODE((out / "outputs.tf").stat().st_mode) != 0o600


def test_the_line_keeps_its_marks(tmp_path: pathlib.Path) -> None:
    """Text next to a secret is shown, with the caret below it; the mask does not show the secret's length."""
    path = tmp_path / "stack.yaml"
    lines = "parameters:\n  pw: {type: string, hidden: true, default: a-long-secret-value, tipe: 1}\n"
    path.write_text(BEFORE + lines, encoding="utf-8")
    rendered = load_renderer("text")(transpile.convert(path).diagnostics)
    assert " 3 |   pw: {type: string, hidden: true, default: ******, tipe: 1}\n" in rendered
    assert "   |                                                     ^^^^\n" in rendered


def test_a_value_that_is_also_a_name_does_not_hide_the_name(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "stack.yaml"
    lines = "parameters:\n  password: {type: number, hidden: true, default: password}\n"
    path.write_text(BEFORE + lines + "outputs: {o: {value: {get_param: password}}}\n")
    (error,) = [d for d in transpile.convert(path).diagnostics if d.severity == "error"]
    assert "password" in error.message
