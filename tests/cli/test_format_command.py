"""`hot2tf fmt`: which files it changes, its messages, and its exit status.

Files that must not change are compared byte for byte, including modes and links.
"""

from __future__ import annotations

import json
import pathlib
import re

import pytest
import yaml

from tests.conftest import Run
from tests.support.files import write_files

UGLY = "heat_template_version: 2018-08-31\nresources:\n  n: {type: OS::Neutron::Net}\n"
CANONICAL = 'heat_template_version: 2018-08-31\n\nresources:\n  "n":\n    type: OS::Neutron::Net\n'
ENVIRONMENT = "parameters: {a: yes}\n"
CFN = "AWSTemplateFormatVersion: '2010-09-09'\nResources: {}\n"
BROKEN = "heat_template_version: 2018-08-31\nresources: {a: [}\n"
DIFF = """\
--- a.yaml
+++ a.yaml
@@ -1,3 +1,5 @@
 heat_template_version: 2018-08-31
+
 resources:
-  n: {type: OS::Neutron::Net}
+  "n":
+    type: OS::Neutron::Net
"""


def test_a_file_is_formatted_in_place(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.yaml").write_text(UGLY)
    (tmp_path / "a.yaml").chmod(0o640)
    done = command("fmt", "a.yaml")
    assert (done.status, done.out, done.err) == (0, "", "formatted a.yaml\n1 file formatted.\n")
    assert (tmp_path / "a.yaml").read_text() == CANONICAL
    assert (tmp_path / "a.yaml").stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]
    again = command("fmt", "a.yaml")
    assert (again.status, again.err) == (0, "1 file unchanged.\n")


def test_check_and_diff_change_nothing(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.yaml").write_text(UGLY)
    check = command("fmt", "--check", "a.yaml")
    assert (check.status, check.out) == (1, "")
    assert check.err == "would format a.yaml\n1 file would be formatted.\n"
    diff = command("fmt", "--diff", "a.yaml", "--quiet")
    assert (diff.status, diff.out, diff.err) == (0, DIFF, "")
    assert (tmp_path / "a.yaml").read_text() == UGLY


def test_standard_input(command: Run) -> None:
    assert command("fmt", "-", stdin=UGLY) == (0, CANONICAL, "")
    assert command("fmt", "-", "--check", stdin=UGLY) == (1, "", "")
    assert command("fmt", "-", "--check", stdin=CANONICAL) == (0, "", "")
    assert command("fmt", "-", "--diff", stdin=UGLY).out == DIFF.replace("a.yaml", "<stdin>")
    broken = command("fmt", "-", stdin=BROKEN)
    assert (broken.status, broken.out) == (1, BROKEN)
    assert broken.err.startswith("<stdin>:2:")


def test_directories_have_their_templates_formatted_and_nothing_else(command: Run, tmp_path: pathlib.Path) -> None:
    """Environments, CFN templates, other YAML, hidden files and binary files stay as they are, without a message."""
    files = {
        "a.yaml": UGLY,
        "deep/er/b.yml": UGLY,
        "deep/c.template": CANONICAL,
        "env.yaml": ENVIRONMENT,
        "cfn.yaml": CFN,
        "compose.yaml": "services: {}\n",
        ".hidden/d.yaml": UGLY,
        ".e.yaml": UGLY,
        "notes.txt": UGLY,
        "source.j2.yaml": "heat_template_version: 2018-08-31\n{% for x in y %}\na: {{ x }}\n{% endfor %}\n",
    }
    write_files(tmp_path, files)
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe heat_template_version")
    done = command("fmt", ".")
    assert done.err == "formatted a.yaml\nformatted deep/er/b.yml\n2 files formatted, 1 file unchanged.\n"
    assert done.status == 0
    for name, text in files.items():
        expected = CANONICAL if name in ("a.yaml", "deep/er/b.yml") else text
        assert (tmp_path / name).read_text() == expected, name


def test_named_files_are_reported(command: Run, tmp_path: pathlib.Path) -> None:
    """A named file that is not a template is left alone. It is an error only if it claims to be one."""
    for name, text in (("x.yaml", "a: 1\n"), ("cfn.yaml", CFN), ("env.yaml", ENVIRONMENT)):
        (tmp_path / name).write_text(text)
    done = command("fmt", "x.yaml", "cfn.yaml", "env.yaml")
    assert done.status == 0
    assert "x.yaml is no HOT template, environment or homing template; skipped\n" in done.err
    assert (
        "cfn.yaml:1:1: info HOT904: This is a CFN template (AWSTemplateFormatVersion), which fmt does not format.\n"
        in done.err
    )
    assert done.err.endswith("formatted env.yaml\n1 file formatted.\n")
    assert (tmp_path / "env.yaml").read_text() == "parameters:\n  a: true\n"
    assert (tmp_path / "cfn.yaml").read_text() == CFN


@pytest.mark.parametrize(
    ("text", "code"),
    [(BROKEN, "HOT101"), (UGLY + "  n: {type: T}\n", "HOT904"), (UGLY.replace("2018-08-31", "!t x"), "HOT110")],
)
def test_a_file_that_cannot_be_formatted_safely_is_left_alone(
    text: str, code: str, command: Run, tmp_path: pathlib.Path
) -> None:
    """The status is 1, and the other files are still formatted."""
    write_files(tmp_path, {"a.yaml": text, "b.yaml": UGLY})
    done = command("fmt", "a.yaml", "b.yaml", "missing.yaml")
    assert done.status == 1
    assert f"error {code}: " in done.err
    assert "missing.yaml:1:1: error HOT113: The file cannot be read: missing.yaml does not exist.\n" in done.err
    assert done.err.endswith("formatted b.yaml\n1 file formatted, 2 files not formatted.\n") or done.err.endswith(
        "1 file formatted, 2 files not formatted.\n"
    )
    assert (tmp_path / "a.yaml").read_text() == text
    assert (tmp_path / "b.yaml").read_text() == CANONICAL


def test_the_target_of_a_link_is_not_rewritten(command: Run, tmp_path: pathlib.Path) -> None:
    """Neither a found link nor a named one is followed: in a stranger's directory it may lead anywhere."""
    write_files(tmp_path, {"victim/a.yaml": UGLY})
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.yaml").symlink_to("../victim/a.yaml")
    (tmp_path / "in" / "deep").symlink_to("../victim")
    assert command("fmt", "in") == (2, "", "hot2tf: there is no template below in\n")
    ended = command("fmt", "in/link.yaml")
    assert (ended.status, "HOT902: in/link.yaml is a link" in ended.err) == (1, True)
    assert (tmp_path / "victim" / "a.yaml").read_text() == UGLY
    assert command("fmt", "victim").err == "formatted victim/a.yaml\n1 file formatted.\n"


def test_many_files_in_several_processes(command: Run, tmp_path: pathlib.Path) -> None:
    """Same results as one after the other, in the same order."""
    for i in range(120):
        (tmp_path / f"t{i:03}.yaml").write_text(UGLY)
    checked = command("fmt", "--check", "--jobs", "2", ".")
    assert (
        checked.err == "".join(f"would format t{i:03}.yaml\n" for i in range(120)) + "120 files would be formatted.\n"
    )
    assert command("fmt", "--jobs", "2", ".").status == 0
    assert {p.read_text() for p in tmp_path.iterdir()} == {CANONICAL}


def test_json_diagnostics(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.yaml").write_text(BROKEN)
    done = command("fmt", "--diagnostics", "json", "a.yaml")
    assert [d["code"] for d in json.loads(done.err)] == ["HOT101"]


@pytest.mark.parametrize("args", [("fmt",), ("fmt", "-", "a.yaml"), ("fmt", "a.yaml", "--jobs", "-1")])
def test_wrong_usage(args: tuple[str, ...], command: Run) -> None:
    assert command(*args).status == 2


def test_the_hook_for_pre_commit(command: Run, tmp_path: pathlib.Path) -> None:
    """Called as pre-commit does: the entry, then staged files, templates or not. It prints nothing and changes only
    HOT.
    """
    root = pathlib.Path(__file__).parents[2]
    (hook, checks) = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())
    program, *entry = hook["entry"].split()
    assert (program, hook["language"]) == ("hot2tf", "python")
    files = {"a.yaml": UGLY, "compose.yml": "services: {}\n", "cfn.template": CFN, "dev.env": ENVIRONMENT}
    assert [name for name in files if re.search(hook["files"], name)] == list(files)
    write_files(tmp_path, files)
    done = command(*entry, *files)
    assert (done.status, done.out) == (0, "")
    assert [name for name in files if re.search(checks["files"], name)] == list(files)
    quiet = command(*checks["entry"].split()[1:], "compose.yml", "dev.env", "cfn.template")
    assert (quiet.status, quiet.out, quiet.err) == (0, "", "")
    expected = files | {"a.yaml": CANONICAL, "dev.env": "parameters:\n  a: true\n"}
    assert {name: (tmp_path / name).read_text() for name in files} == expected
