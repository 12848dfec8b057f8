"""Any input that is not a template ends in a diagnostic and status 1, quickly, with little memory, and without output.

Simple cases run in this process. Cases that could crash or exhaust the machine run in a separate process, under limits.
Each case states the expected place, not only the code: the mark ▲ in the text is where the diagnostic must point.
"""

from __future__ import annotations

import json
import os
import pathlib
import resource
import subprocess
import sys
from collections.abc import Callable
from typing import IO, Any

import pytest

import transpile
from tests.support.files import write_files
from transpile import pipeline

HEAD = "heat_template_version: 2021-04-16\n"
JSON = '{"heat_template_version": "2021-04-16",\n '
DEFAULTS = "parameters: {}\n"  # a line that an environment may begin with
SECONDS, BYTES, MIB = 5, 1 << 30, 1 << 20
PATIENCE = 300  # seconds that a process which computes for less than SECONDS may take on a busy machine

# A text, its code, a word of the message or hint, the encoding. Environments replace HEAD and description.
UNREADABLE = {
    "unclosed list": (f"{HEAD}description: ▲[1, 2", "HOT101", "] at the end", "utf-8"),
    "unclosed map": (f"{HEAD}a: ▲{{b: 2\n", "HOT101", "} at the end", "utf-8"),
    "unclosed quotation": (f'{HEAD}a: ▲"b\n', "HOT101", "never closed", "utf-8"),
    "key to the left": (f"{HEAD}a:\n    b: 1\n  ▲c: 2\n", "HOT101", "same indentation", "utf-8"),
    "key to the right": (f"{HEAD}a: 1\n  b▲: 2\n", "HOT101", "same indentation", "utf-8"),
    "colon in a value": (f"{HEAD}a: b▲: c\n", "HOT101", "in quotes", "utf-8"),
    "key without a colon": (f"{HEAD}a:\n  b: 1\n  ▲c\n    d: 1\n", "HOT101", "no colon", "utf-8"),
    "no item of the list": (f"{HEAD}a:\n  - 1\n  ▲b: 2\n", "HOT101", "items of a list", "utf-8"),
    "sign before a value": (f"{HEAD}a: ▲@b\n", "HOT101", "in quotes", "utf-8"),
    "unknown alias": (f"{HEAD}description: ▲*x\n", "HOT101", "alias", "utf-8"),
    "not json": ('{"description": ▲}', "HOT101", "JSON", "utf-8"),
    "several documents": (f"{HEAD}▲---\n{HEAD}", "HOT106", "Split the file", "utf-8"),
    "tabs": (f"{HEAD}description:\n▲\ta: 1\n", "HOT101", "tab", "utf-8"),
    "nul": (f"{HEAD}description: a▲\0b\n", "HOT102", "UTF-8", "utf-8"),
    "nul after wide letters": (f"{HEAD}description: äöü▲\0b\n", "HOT102", "UTF-8", "utf-8"),
    "only nul": ("▲" + "\0" * 100, "HOT102", "UTF-8", "utf-8"),
    "control character": (f"{HEAD}description: a▲\x07b\n", "HOT102", "UTF-8", "utf-8"),
    "latin-1": (f"{HEAD}description: caf▲é\n", "HOT102", "UTF-8", "latin-1"),
    "utf-16 with its mark": (f"▲{HEAD}", "HOT102", "UTF-8", "utf-16"),
    "utf-16 without": (f"{HEAD[:1]}▲{HEAD[1:]}", "HOT102", "UTF-8", "utf-16-le"),
    "recursive list": (f"{HEAD}description: ▲&a [*a]\n", "HOT109", "alias", "utf-8"),
    "recursive map": (f"{HEAD}description: ▲&a {{x: [*a]}}\n", "HOT109", "alias", "utf-8"),
    "recursive merge": (f"{HEAD}description: ▲&a {{<<: *a}}\n", "HOT109", "alias", "utf-8"),
    "python call": (f"{HEAD}description: ▲!!python/object/apply:os.mkdir ['pwned']\n", "HOT110", "python", "utf-8"),
    "python object": (f"{HEAD}description: {{a: ▲!!python/object:os.x {{b: 1}}}}\n", "HOT110", "python", "utf-8"),
    "python key": (f"{HEAD}description: {{▲!!python/name:os.mkdir x: 1}}\n", "HOT110", "python", "utf-8"),
    "list as key": (f"{HEAD}description: {{▲[a]: 1}}\n", "HOT110", "key", "utf-8"),
}
# Readable, but not a template.
BEGIN = "Begin it with heat_template_version"
NO_TEMPLATES = {
    "list": ("▲[1, 2]\n", "HOT103", BEGIN),
    "scalar": ("▲hello\n", "HOT103", BEGIN),
    "null": ("▲~\n", "HOT103", BEGIN),
    "nothing": ("▲", "HOT103", BEGIN),
    "blank lines": ("▲\n\n", "HOT103", BEGIN),
    "only a comment": ("▲# x\n", "HOT103", BEGIN),
    "Terraform": ('▲resource "a" "b" {\n  c = 1\n}\n', "HOT103", "Terraform code"),
    "a manifest": ("▲apiVersion: v1\nkind: Pod\n", "HOT103", "Kubernetes"),
    "a playbook": ("▲- hosts: all\n  tasks: []\n", "HOT103", "Ansible playbook"),
    "no version": ("▲resources: {}\n", "HOT103", BEGIN),
    "json without version": ('▲{"resources": {}}', "HOT103", BEGIN),
    "a python call": ("▲!!python/object/apply:os.mkdir ['pwned']\n", "HOT103", BEGIN),
    "unknown version": ("heat_template_version: ▲2021-04-61\n", "HOT104", "Did you mean 2021-04-16?"),
    "version of a python call": ("heat_template_version: ▲!!python/object/apply:os.mkdir [pwned]\n", "HOT104", "2021"),
    "two versions": (f"{HEAD}▲AWSTemplateFormatVersion: '2010-09-09'\n", "HOT105", "Keep one"),
    "an environment": ("▲parameter_defaults: {a: 1}\n", "HOT114", "-e"),
    "Jinja2 statements": (f"{HEAD}▲{{% if x %}}\na: 1\n{{% endif %}}\n", "HOT111", "--render"),
    "Go's templates": (f"{HEAD}resources:\n  ▲{{{{- if .Values.x }}}}\n  a: 1\n", "HOT111", "helm template"),
    "Jinja2 in JSON": ('▲{"heat_template_version": "2021-04-16", {% if x %}}', "HOT111", "--render"),
    "Jinja2 in flow": (f"{HEAD}resources: ▲{{{{ x | y }}}}z\n", "HOT111", "--render"),
}
# Templates with a declaration that Heat refuses.
DECLARATIONS = {
    "a section with a tag": (f"{HEAD}resources: ▲!!python/object:os.x {{}}\n", "HOT110", "unsupported tag"),
    "a merge of a text": (f"{HEAD}outputs: {{o: {{value: {{<<: ▲x, a: 1}}}}}}\n", "HOT110", "list of maps"),
    "tags": (f"{HEAD}parameters: {{p: {{type: string, tags: ▲x}}}}\n", "HOT124", "tags of parameter p"),
    "a constraint": (f"{HEAD}parameters: {{p: {{type: string, constraints: [▲x]}}}}\n", "HOT126", "of parameter p"),
    "a description": (f"{HEAD}resources: {{r: {{type: A::B, description: ▲[a]}}}}\n", "HOT124", "must be a string"),
    "groups": (f"{HEAD}parameter_groups: ▲{{a: 1}}\n", "HOT121", "parameter_groups must be a list"),
    "a group": (f"{HEAD}parameter_groups: [▲a]\n", "HOT121", "A parameter group"),
    "a group without parameters": (f"{HEAD}parameter_groups: [▲{{label: a}}]\n", "HOT121", "a list of parameters"),
}
# Scalars and collections that do not match their tags, or that JSON cannot represent.
VALUES = {
    "empty int": "!!int ''",
    "int of a sign": "!!int '+'",
    "empty float": "!!float ''",
    "bool": "!!bool maybe",
    "digits": "1" * 5000,
    "hex digits": "0x" + "1" * 5000,
    "base 60": "1" + ":11" * 5000,
    "binary": '!!binary "////"',  # not UTF-8
    "python": "!!python/object:os.x {get_file: x}",
}


def place(text: str) -> tuple[str, int, int]:
    """The text without its mark, and the line and column of the mark."""
    before = text.partition("▲")[0]
    return text.replace("▲", ""), before.count("\n") + 1, len(before) - before.rfind("\n")


def check(done: transpile.Conversion, code: str, line: int, column: int, word: str, name: str = "") -> None:
    """Asserts that the input is refused with this code at this place, and that there is no output."""
    rows = [d.as_json() for d in done.diagnostics]
    assert (done.ok, done.files, done.report["files"], done.report["diagnostics"]) == (False, {}, [], rows)
    row = next((d for d in rows if d["code"] == code), {})
    assert (row.get("severity"), row.get("line"), row.get("column")) == ("error", line, column), rows
    assert word in row["message"] + row.get("hint", "")
    assert name in ("", row["file"])


@pytest.fixture(autouse=True)
def _here(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("role", ["template", "environment"])
@pytest.mark.parametrize("case", UNREADABLE)
def test_unreadable_text_is_refused_at_its_place(case: str, role: str, tmp_path: pathlib.Path) -> None:
    marked, code, word, encoding = UNREADABLE[case]
    if role == "environment":
        marked = marked.replace(HEAD, DEFAULTS).replace("description", "parameter_defaults")
    text, line, column = place(marked)
    path = tmp_path / "some.yaml"
    path.write_bytes(text.encode(encoding))
    done = transpile.convert(path) if role == "template" else transpile.convert(HEAD, environments=[path])
    check(done, code, line, column, word, "some.yaml")
    assert list(tmp_path.iterdir()) == [path]  # no code ran


@pytest.mark.parametrize("case", [*NO_TEMPLATES, *DECLARATIONS])
def test_text_that_is_no_template_is_refused_at_its_place(case: str, tmp_path: pathlib.Path) -> None:
    marked, code, word = (NO_TEMPLATES | DECLARATIONS)[case]
    text, line, column = place(marked)
    check(transpile.convert(text), code, line, column, word)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("marked", ["▲[1]\n", "▲x\n", "▲parameter: {}\n", f"▲{HEAD}", "▲parameters: [a]\n"])
def test_text_that_is_no_environment_is_refused_at_its_place(marked: str) -> None:
    text, line, column = place(marked)
    check(transpile.convert(HEAD, environments=[text]), "HOT140", line, column, "")


@pytest.mark.parametrize("name", ["x.j2.yaml", "x.j2", "x.yaml.j2", "x.j2.json", "x.j2.template"])
def test_a_jinja2_source_is_told_by_its_name(name: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / name).write_text(f"{HEAD}{{# a comment of Jinja2 #}}")
    check(transpile.convert(tmp_path / name), "HOT111", 1, 1, "--render", name)


def test_a_jinja2_source_without_jinja2_is_a_template(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.j2.yaml").write_text(HEAD)
    assert transpile.convert(tmp_path / "x.j2.yaml").ok


def test_behind_a_byte_order_mark_json_is_yaml() -> None:
    """As in Heat, which takes a text for JSON only if a brace is its first character."""
    text = '{"heat_template_version": 2018-08-31, "outputs": {"o": {"value": "a"},}}'
    assert [d.code for d in transpile.convert(text).diagnostics] == ["HOT101"]
    assert transpile.convert(f"\ufeff{text}").diagnostics == []


@pytest.mark.parametrize("within", ["▲{}", "[{{x: ▲{}}}]"], ids=["alone", "inside"])
@pytest.mark.parametrize("case", VALUES)
def test_values_that_heat_cannot_read_are_refused(case: str, within: str) -> None:
    text, line, column = place(f"{HEAD}outputs: {{a: {{value: {within.format(VALUES[case])}}}}}\n")
    check(transpile.convert(text), "HOT110", line, column, "cannot read")


@pytest.mark.parametrize("value", ["1" * 5000, "-" + "1" * 5000, '"\\ud800"'], ids=["digits", "minus", "surrogate"])
def test_json_values_that_heat_cannot_read_are_refused(value: str) -> None:
    done = transpile.convert(f'{JSON}"outputs": {{"a": {{"value": {value}}}}}}}')
    (row,) = [d.as_json() for d in done.diagnostics]
    assert (row["severity"], row["line"], row["code"] in ("HOT101", "HOT102", "HOT110")) == ("error", 2, True)
    assert not done.files


@pytest.mark.parametrize(
    "call",
    [
        "repeat: !!binary x",
        "repeat: {get_resource: [1]}",
        "make_url: {scheme: http, host: h, query: text}",
        "Fn::MemberListToMap: x",
        "Fn::MemberListToMap: [a, b]",
    ],
)
def test_malformed_calls_get_a_diagnostic(call: str) -> None:
    version = "AWSTemplateFormatVersion: '2010-09-09'\nOutputs" if "Fn::" in call else f"{HEAD}outputs"
    key = "Value" if "Fn::" in call else "value"
    done = transpile.convert(f"{version}: {{a: {{{key}: {{{call}}}}}}}\n")
    assert {(d.as_json()["line"], d.code.startswith("HOT9")) for d in done.diagnostics} == {(2, False)}


@pytest.mark.parametrize("text", [HEAD, JSON.rstrip(" ,\n") + "}"], ids=["YAML", "JSON"])
def test_a_byte_order_mark_of_utf_8_is_no_fault(text: str) -> None:
    done = pipeline.convert(text.encode("utf-8-sig"))
    assert (done.diagnostics, "versions.tf" in done.files) == ([], True)


def test_a_lone_surrogate_in_a_template_within_a_homing_template_is_refused() -> None:
    text = 'homing_template_version: "2017-10-10"\ndemands: {web: [{inventory_provider: aai, inventory_type: cloud}]}\n'
    capability = "{type: capability, demands: [web], properties: {template: {get_param: t}}}"
    text += f"parameters: {{t: {{}}}}\nconstraints: {{c: {capability}}}\n"
    done = transpile.convert(text, parameters={"t": f"{HEAD}# \ud800\n"})
    (error,) = [d.as_json() for d in done.diagnostics if d.severity == "error"]
    assert (error["code"], error["line"], error["column"]) == ("HOT102", 2, 3)


def test_of_a_key_that_occurs_twice_the_last_counts_with_a_warning() -> None:
    done = transpile.convert(f"{HEAD}outputs:\n  a:\n    value: first\n    value: second\n")
    assert 'value = "second"' in str(done.files["outputs.tf"])
    assert "first" not in str(done.files)
    (row,) = [d.as_json() for d in done.diagnostics]
    assert (row["code"], row["severity"], row["line"], row["column"]) == ("HOT112", "warning", 5, 5)
    assert "Remove" in row["hint"]


def denied(path: pathlib.Path) -> None:
    path.write_text(HEAD)
    path.chmod(0)
    if os.geteuid() == 0:
        pytest.skip("root reads every file, so none can be made unreadable")


MAKE: dict[str, Callable[[pathlib.Path], object]] = {
    "missing": lambda path: None,
    "directory": lambda path: path.mkdir(),
    "link to nowhere": lambda path: path.symlink_to("nowhere"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "denied": denied,
    "large": lambda path: path.write_bytes(b"\n" * 20 * MIB),
}


@pytest.mark.parametrize("role", ["template", "environment"])
@pytest.mark.parametrize("kind", MAKE)
def test_unreadable_files_are_refused_by_name(kind: str, role: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "some.yaml"
    MAKE[kind](path)
    done = transpile.convert(path) if role == "template" else transpile.convert(HEAD, environments=[path])
    check(done, "HOT115" if kind == "large" else "HOT113", 1, 1, "some.yaml", "some.yaml")


@pytest.mark.parametrize(
    "name", ["good.yaml/x.yaml", "x" * 300 + ".yaml", "x/" * 3000], ids=["in a file", "long", "deep"]
)
def test_impossible_paths_are_refused(name: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "good.yaml").write_text(HEAD)
    check(transpile.convert(tmp_path / name), "HOT113", 1, 1, "")


# files that a template names


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with a template's neighbours, and files above it that the template must not read."""
    (tmp_path / "secret.txt").write_text("the secret")
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "near.txt").write_text("near by\n")
    (root / "link.txt").symlink_to("../secret.txt")
    (root / "up").symlink_to("..")
    os.mkfifo(root / "fifo")
    (root / "large").touch()
    os.truncate(root / "large", 65 * MIB)
    return root


def get_file(project: pathlib.Path, name: str) -> tuple[pathlib.Path, int, int]:
    """A template that reads a file, and the place of the reference."""
    text, line, column = place(f"{HEAD}outputs:\n  o:\n    value: ▲{{get_file: {name}}}\n")
    (project / "stack.yaml").write_text(text)
    return project / "stack.yaml", line, column


@pytest.mark.parametrize(
    "name",
    ["../secret.txt", "sub/../../secret.txt", "{}/secret.txt", "link.txt", "up/secret.txt", "file://{}/secret.txt"],
)
def test_get_file_reads_nothing_outside_the_root_of_the_template(name: str, project: pathlib.Path) -> None:
    path, line, column = get_file(project, name.format(project.parent))
    done = transpile.convert(path)
    assert "the secret" not in str((done.files, done.report))
    (row,) = [d.as_json() for d in done.diagnostics]
    assert (row["code"], row["severity"], row["line"], row["column"]) == ("HOT581", "warning", line, column)
    assert "TF_VAR_" in row["hint"]


@pytest.mark.parametrize(
    ("name", "texts"), [("../secret.txt", ["the secret"]), ("near.txt", ["near by\n"]), ("../../up.txt", [])]
)
def test_a_wider_root_allows_its_own_files_and_no_more(name: str, texts: list[str], project: pathlib.Path) -> None:
    """Names stay relative to the template. The root only decides how far up they may go."""
    done = transpile.convert(get_file(project, name)[0], root=project.parent)
    read = [c if isinstance(c, str) else c.decode() for path, c in done.files.items() if path.startswith("files/")]
    assert read == texts, done.diagnostics


def test_a_text_without_a_directory_has_no_files_to_read(project: pathlib.Path) -> None:
    done = transpile.convert(get_file(project, "root/near.txt")[0].read_text())
    assert [d.code for d in done.diagnostics] == ["HOT581"]
    assert "near by" not in str(done.files)


@pytest.mark.parametrize(
    "name",
    ["fifo", "sub", ".", "nowhere.txt", "large", '"a\\0b"', "x" * 300, "x/" * 3000, "x/" * 1_000_000],
    ids=["fifo", "directory", "root", "missing", "large", "nul", "long", "deep", "endless"],
)
def test_get_file_of_an_unreadable_file_is_an_error(name: str, project: pathlib.Path) -> None:
    path, line, column = get_file(project, name)
    check(transpile.convert(path), "HOT206", line, column, "get_file")


# inputs that could exhaust the machine


def run(where: pathlib.Path, *args: str | bytes, stdin: int | IO[bytes] = subprocess.DEVNULL) -> tuple[int, str]:
    """Converts in a separate process, under limits. The wall-clock deadline catches a process that waits without
    computing.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    command = [sys.executable, "-m", "transpile.cli.process", "convert", *args, "-o", "out", "--report", "report.json"]
    options: dict[str, Any] = {"cwd": where, "stdin": stdin, "capture_output": True, "preexec_fn": limit}
    try:
        done = subprocess.run([*command, "--diagnostics", "json"], timeout=PATIENCE, check=False, **options)
    except subprocess.TimeoutExpired:
        pytest.fail("it hangs")
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stderr.decode()


def refused(where: pathlib.Path, *args: str | bytes, stdin: int | IO[bytes] = subprocess.DEVNULL) -> set[str]:
    """The codes of a refused conversion: status 1, a report, and nothing else written."""
    status, output = run(where, *args, stdin=stdin)
    assert (status, (where / "out").exists()) == (1, False), output[:500]
    rows: list[dict[str, Any]] = json.loads(output)
    assert json.loads((where / "report.json").read_text())["diagnostics"] == rows
    assert all(d["file"] and d["line"] > 0 and d["column"] > 0 for d in rows)
    return {d["code"] for d in rows}


def value(text: str) -> str:
    return f"{HEAD}resources: {{a: {{type: OS::Heat::Value, properties: {{value: {text}}}}}}}\n"


DEEP: dict[str, tuple[Callable[[int], str], str]] = {
    "flow lists": (lambda n: HEAD + "description: " + "[" * n + "]" * n, "HOT108"),
    "flow maps": (lambda n: HEAD + "description: " + "{a: " * n + "1" + "}" * n, "HOT108"),
    "flow that does not end": (lambda n: "[" * n, "HOT101"),
    "block lists": (lambda n: HEAD + "description:\n" + "- " * n + "x\n", "HOT108"),
    "block keys": (lambda n: "? " * n + "x\n", "HOT103"),
    "indentation": (lambda n: "".join(" " * i + "a:\n" for i in range(min(n, 2000))), "HOT103"),
    "JSON lists": (lambda n: f'{JSON}"description": {"[" * n}{"]" * n}}}', "HOT108"),
    "JSON maps": (lambda n: '{"a":' * n + "1" + "}" * n, "HOT108"),
    "a property": (lambda n: value("[" * n + "]" * n), "HOT108"),
    "functions": (lambda n: value("{list_join: ['', [" * (n // 3) + "x" + "]]}" * (n // 3)), "HOT108"),
    "conditions": (lambda n: value("{if: [" + "{not: " * n + "true" + "}" * n + ", x, y]}"), "HOT108"),
}


@pytest.mark.parametrize("depth", [10_000, 200_000])
@pytest.mark.parametrize("shape", DEEP)
def test_deep_nesting_is_refused(shape: str, depth: int, tmp_path: pathlib.Path) -> None:
    """Deep nesting is refused with HOT108, or with the code of another mistake in the text."""
    build, code = DEEP[shape]
    (tmp_path / "stack.yaml").write_text(build(depth))
    assert refused(tmp_path, "stack.yaml") & {code, "HOT108"}


def bomb(first: str, form: str) -> str:
    """Fifty levels, each of which contains the level below it more than once."""
    lines = [f"  a{i}: &a{i} {form.replace('*', f'*a{i - 1}')}\n" for i in range(1, 50)]
    return f"{HEAD}outputs:\n  a0: &a0 {first}\n{''.join(lines)}"


BOMBS = {
    "lists": bomb("[x, x]", "[*, *]"),
    "maps": bomb("{x: x}", "{x: *, y: *}"),
    "merges": bomb("{x: x}", "{<<: [*, *], z: z}"),
    "merge and value": bomb("{x: x}", "{<<: *, z: *}"),
    "mixed": bomb("[x]", "[{x: *}, [*]]"),
    "one level": f"{HEAD}outputs:\n  a: &a [{'x, ' * 2000}]\n  b: [{'*a, ' * 2000}]\n",
}


@pytest.mark.parametrize("role", ["template", "environment"])
@pytest.mark.parametrize("form", BOMBS)
def test_alias_bombs_are_refused(form: str, role: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "good.yaml").write_text(HEAD)
    if role == "template":
        (tmp_path / "bomb.yaml").write_text(BOMBS[form])
        assert refused(tmp_path, "bomb.yaml") == {"HOT107"}
    else:
        (tmp_path / "bomb.env").write_text(BOMBS[form].replace(HEAD, DEFAULTS).replace("outputs", "parameter_defaults"))
        assert refused(tmp_path, "good.yaml", "-e", "bomb.env") == {"HOT107"}


LARGE: dict[str, Callable[[], str]] = {
    "lines": lambda: HEAD + "description: |\n" + "  some text\n" * (20 * MIB // 12),
    "one line": lambda: HEAD + "description: " + "x" * 20 * MIB,
    "json": lambda: f'{JSON}"description": "{"x" * 20 * MIB}"}}',
}


@pytest.mark.parametrize("role", ["template", "environment", "standard input"])
@pytest.mark.parametrize("form", LARGE)
def test_twenty_megabytes_are_refused(form: str, role: str, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"good.yaml": HEAD, "large": LARGE[form]()})
    with (tmp_path / "large").open("rb") as file:
        args = {"template": ["large"], "environment": ["good.yaml", "-e", "large"], "standard input": ["-"]}[role]
        assert refused(tmp_path, *args, stdin=file) == {"HOT115"}


def test_an_endless_standard_input_is_refused(tmp_path: pathlib.Path) -> None:
    with pathlib.Path("/dev/zero").open("rb") as file:
        assert refused(tmp_path, "-", stdin=file) == {"HOT115"}


DENSE: dict[str, Callable[[], str]] = {
    "words": lambda: value("[" + "a," * 3_500_000 + "]"),
    "empty lists": lambda: value("[" + "[]," * 2_400_000 + "]"),
    "json numbers": lambda: f'{JSON}"outputs": [{"1," * 3_500_000}1]}}',
    "unknown sections": lambda: HEAD + "".join(f"k{i}: 1\n" for i in range(600_000)),
    "unknown names": lambda: (
        f"{HEAD}resources:\n" + "".join(f"  r{i}: {{type: OS::Heat::None, depends_on: q{i}}}\n" for i in range(5000))
    ),
    "merges": lambda: (
        f"{HEAD}resources:\n  a: &a {{{', '.join(f'k{i}: 1' for i in range(1000))}}}\n"
        + "".join(f"  b{i}: {{<<: *a}}\n" for i in range(300))
    ),
}


@pytest.mark.parametrize("form", DENSE)
def test_many_small_values_are_read_or_refused_within_the_limits(form: str, tmp_path: pathlib.Path) -> None:
    """No text below the size limit may need more than the limits, whether it is read or refused."""
    (tmp_path / "stack.yaml").write_text(DENSE[form]())
    status, output = run(tmp_path, "stack.yaml")
    assert status in (0, 1)
    assert isinstance(json.loads(output), list)
    assert (status == 0) == (tmp_path / "out").exists()


@pytest.mark.parametrize("registry", ['{"OS::*": "OS::X::*"}', '{"OS::*": "A::*", "A::*": "OS::*"}', '{"*": "x*"}'])
def test_aliases_of_types_that_never_end_do_not_hang(registry: str, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"stack.yaml": value("x"), "loop.env": f"resource_registry: {registry}\n"})
    status, output = run(tmp_path, "stack.yaml", "-e", "loop.env")
    assert status in (0, 1)
    assert isinstance(json.loads(output), list)  # an internal error would appear in the text


# streams and names


@pytest.mark.parametrize("kind", [f"OS::{'x' * 300}::Y", f"OS::{'x' * 70_000}::Y", '"OS::Shelf::Books\\": {\\"a"'])
@pytest.mark.parametrize("to", ["hcl", "tosca", "hot"])
def test_any_text_may_be_the_name_of_a_type(kind: str, to: str) -> None:
    """The files with facts about types are named after services. A type name in a template may not exist as a file."""
    done = transpile.convert(f"{HEAD}resources:\n  {'é' * 126}: {{type: {kind}}}\n", to=to)
    assert done.files
    assert {d.code for d in done.diagnostics} <= {"HOT451"}
    assert all(len(os.fsencode(part)) <= 255 for name in done.files for part in name.split("/"))


@pytest.mark.parametrize("args", [("fifo",), ("stack.yaml", "-e", "fifo")], ids=["template", "environment"])
def test_a_fifo_that_nobody_writes_to_does_not_hang(args: tuple[str, ...], tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "stack.yaml").write_text(HEAD)
    assert refused(tmp_path, *args) == {"HOT113"}


def test_a_closed_standard_input_is_refused() -> None:
    command = f"'{sys.executable}' -m transpile.cli.process convert - <&-"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stdout, b"HOT113" in done.stderr) == (1, b"", True), done.stderr


def test_names_of_files_that_are_not_utf_8_do_no_harm(tmp_path: pathlib.Path) -> None:
    pathlib.Path(os.fsdecode(b"caf\xe9.yaml")).write_text(HEAD)
    assert run(tmp_path, b"caf\xe9.yaml")[0] == 0
    assert json.loads((tmp_path / "report.json").read_text())["files"]


def test_no_control_character_of_a_template_reaches_the_terminal(tmp_path: pathlib.Path) -> None:
    names = 'parameters: {"\\e[2Jfoo": {type: string}}\noutputs: {a: {value: {get_param: "\\e[2Jfo"}}}\n'
    (tmp_path / "stack.yaml").write_text(HEAD + names)
    command = [sys.executable, "-m", "transpile.cli.process", "check", "stack.yaml"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert b"Did you mean" in done.stdout
    assert b"\x1b" not in done.stdout + done.stderr
