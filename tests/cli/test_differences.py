"""`--diff` shows no hidden value, and every changed line, unless `--show-secrets` asks for the values."""

from __future__ import annotations

import pathlib

import pytest

from tests.conftest import Run
from transpile.cli.differences import unified_difference

SECRET = "Zq7xSecretValue9"
TEMPLATE = f"""heat_template_version: 2018-08-31

parameters:
  pw: {{type: string, hidden: true,   default: {SECRET}}}
  key:
    hidden:   yes
    type: string
    default: |
      first line of the key
      {SECRET}
  size:   {{type: number, default: 4}}
resources:
  u: {{type:   'OS::Keystone::User', properties: {{name: u, password: {SECRET}}}}}
"""
DOCUMENTS = {
    "template": TEMPLATE,
    "cfn": "AWSTemplateFormatVersion: '2010-09-09'\n"
    f"Parameters:\n  pw: {{Type: String, NoEcho: true, Default: {SECRET}}}\n"
    "Resources:\n  u: {Type: AWS::EC2::EIP, Properties: {domain: vpc}}\n",
    "environment": f"parameters:\n  a:   {SECRET}\n  b: [x,   {SECRET}]\n"
    f"parameter_defaults: {{c:   {{d: {SECRET}}}}}\n",
    "not readable": "heat_template_version: 2018-08-31\n"
    f"parameters:\n  pw:\n    hidden: true\n    default: {SECRET}: [\n",
    "environment, not readable": f"parameters:\n  pw: {SECRET}: [\n  x\n",
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_no_line_of_a_difference_shows_a_hidden_value(kind: str) -> None:
    before = DOCUMENTS[kind]
    for after in (before.replace("\n", "  \n"), before.replace(SECRET, f"'{SECRET}'"), "", before.replace("  ", " ")):
        for old, new in ((before, after), (after, before)):
            shown = unified_difference("name", old, new)
            assert SECRET not in shown
            whole = unified_difference("name", old, new, show_secrets=True)
            assert [line[:1] for line in shown.splitlines()] == [line[:1] for line in whole.splitlines()]
            assert (SECRET in whole) == (old != new and SECRET in old + new)


def test_only_hidden_values_are_masked() -> None:
    shown = unified_difference("name", TEMPLATE, TEMPLATE.replace("'", ""))
    assert shown == (
        "--- name\n+++ name\n@@ -10,4 +10,4 @@\n ******\n   size:   {type: number, default: 4}\n resources:\n"
        "-  ******\n+  ******\n"
    )
    assert "+  pw: {type: text, hidden: true,   default: ******}\n" in unified_difference(
        "name", TEMPLATE, TEMPLATE.replace("string, h", "text, h")
    )


@pytest.mark.parametrize("command_line", [["fmt", "--diff"], ["fmt", "--check", "--diff"], ["check", "--diff"]])
def test_commands_mask_hidden_values_unless_asked(
    command_line: list[str], command: Run, tmp_path: pathlib.Path
) -> None:
    text = (
        TEMPLATE.replace("size:", "siz_e:").replace("{name: u,", "{nam: u,")
        + "outputs: {o: {value: {get_param: siz}}}\n"
    )
    (tmp_path / "a.yaml").write_text(text)
    (tmp_path / "e.yaml").write_text(DOCUMENTS["environment"])
    for name in ("a.yaml", "e.yaml") if command_line[0] == "fmt" else ("a.yaml",):
        done = command(*command_line, name)
        assert "+++" in done.out
        assert SECRET not in done.out + done.err
        assert SECRET in command(*command_line, name, "--show-secrets").out
    if command_line == ["fmt", "--diff"]:
        assert SECRET not in command("fmt", "--diff", "-", stdin=text).out
