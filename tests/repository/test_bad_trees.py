"""Source trees that no repository should have: nothing crashes, and nothing is lost without a word."""

from __future__ import annotations

import os
import pathlib
import sys
import time

import pytest
from yaml.nodes import Node

from tests.repository.test_survey import stacks
from tests.repository.trees import env, hot, tree
from transpile.diagnostics.model import Sink
from transpile.front import documents
from transpile.migrate.plan_table import render_plan_table
from transpile.repository import survey as surveys
from transpile.repository.plan import MigrationPlan
from transpile.repository.survey import survey_tree
from transpile.text import source

needs_permissions = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may read everything"
)


def list_codes_with_files(plan: MigrationPlan) -> list[tuple[str, str]]:
    return [(d.code, d.source.name if d.source else "") for d in plan.diagnostics]


def test_links_are_not_followed(tmp_path: pathlib.Path) -> None:
    """Links may lead in a circle, or out of the tree. A file within the tree that they lead to is found by itself."""
    outside = tree(tmp_path / "outside", {"secret.yaml": hot(), "more/x.yaml": hot()})
    src = tree(tmp_path / "src", {"a.yaml": hot(x="link.yaml", y="loop/b.yaml"), "real.yaml": hot(), "b.yaml": hot()})
    (src / "loop").symlink_to(".")
    (src / "link.yaml").symlink_to("real.yaml")
    (src / "secret.yaml").symlink_to(outside / "secret.yaml")
    (src / "more").symlink_to(outside / "more")
    (src / ".gitignore").symlink_to(tree(outside, {"rules": "*\n"}) / "rules")
    plan = survey_tree(src)
    assert stacks(plan) == {"a.yaml": ((),)}
    assert plan.nested == {"b.yaml": ("a.yaml",), "real.yaml": ("a.yaml",)}  # references lead over links, as in Heat
    assert plan.diagnostics == ()


@needs_permissions
def test_files_without_permission_are_reported(tmp_path: pathlib.Path) -> None:
    src = tree(tmp_path, {"a.yaml": hot(), "b.yaml": hot(), "closed/c.yaml": hot()})
    (src / "b.yaml").chmod(0)
    (src / "closed").chmod(0)
    try:
        plan = survey_tree(src)
    finally:
        (src / "closed").chmod(0o700)
    assert stacks(plan) == {"a.yaml": ((),)}
    assert list_codes_with_files(plan) == [("HOT932", "b.yaml"), ("HOT930", "closed/")]


def test_refusals_of_the_system_are_reported(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    src = tree(tmp_path, {"a.yaml": hot(), "b.yaml": hot(), "c.sh": "true\n", "closed/d.yaml": hot()})
    scandir, opened = os.scandir, os.open

    def refuse(path: str) -> bool:
        if path.endswith(("closed/", "b.yaml", "c.sh")):
            raise PermissionError(13, "Permission denied", path)
        return False

    monkeypatch.setattr(os, "scandir", lambda path: refuse(path) or scandir(path))
    monkeypatch.setattr(os, "open", lambda path, *rest: refuse(path) or opened(path, *rest))
    plan = survey_tree(src)
    assert (stacks(plan), list_codes_with_files(plan)) == (
        {"a.yaml": ((),)},
        [("HOT932", "b.yaml"), ("HOT930", "closed/")],
    )
    assert [d.message for d in plan.diagnostics] == [
        "b.yaml cannot be read: Permission denied.",
        "The directory closed/ cannot be read: Permission denied.",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_are_not_opened(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "a.yaml")
    assert survey_tree(tmp_path) == MigrationPlan()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not take the name")
def test_names_that_are_not_utf_8_are_reported(tmp_path: pathlib.Path) -> None:
    """Only names of relevant files are reported: nobody needs to rename a picture."""
    src = tree(tmp_path, {"a.yaml": hot(x="\\udcff.yaml")})
    for name in (b"t\xff.yaml", b"d\xe9/t.yaml", b"p\xff.png", b"e\xff.env", b"other\xff.yaml"):
        path = src / os.fsdecode(name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(env("a") if name.startswith(b"e") else "a: b\n" if name.startswith(b"o") else hot())
    plan = survey_tree(src)
    assert stacks(plan) == {"a.yaml": ((),)}
    assert list_codes_with_files(plan) == [
        ("HOT931", "d\\xe9/t.yaml"),
        ("HOT931", "e\\xff.env"),
        ("HOT931", "t\\xff.yaml"),
    ]
    render_plan_table(plan).encode()


def test_names_that_differ_only_in_case_are_reported(tmp_path: pathlib.Path) -> None:
    src = tree(tmp_path, {"web/a.yaml": hot(), "Web/A.yaml": hot()})
    if len(list(src.iterdir())) == 1:
        pytest.skip("case does not count on this file system")
    plan = survey_tree(src)
    assert [stack.output for stack in plan.stacks] == ["Web/A", "web/a_2"]
    assert list_codes_with_files(plan) == [("HOT933", "web/a.yaml")]


def test_unusual_names(tmp_path: pathlib.Path) -> None:
    """Unusual names reach neither the terminal nor the directories unchanged."""
    names = ["new\nline.yaml", "\x1b[31mred.yaml", "$(rm -rf).yaml", "'q'.yaml", "模板.yaml", "-e.yaml", " .yaml"]
    plan = survey_tree(tree(tmp_path, {name: hot() for name in names}))
    assert {stack.template for stack in plan.stacks} == set(names)
    table = render_plan_table(plan)
    assert "\x1b" not in table
    assert "new\\nline.yaml" in table
    assert all(stack.output.isascii() and not set(stack.output) & set(" $()'\n\x1b") for stack in plan.stacks)


def test_large_files_are_not_read(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that begins like a template is reported."""
    monkeypatch.setattr(surveys, "LIMIT", 1000)
    monkeypatch.setattr(source, "LIMIT", 1000)
    files = {"a.yaml": hot() + "# x\n" * 1000, "e.yaml": env("a") + "# x\n" * 1000, "data.json": "[" + "1," * 1000}
    plan = survey_tree(tree(tmp_path, files))
    assert (plan.stacks, list_codes_with_files(plan)) == ((), [("HOT932", "a.yaml"), ("HOT932", "e.yaml")])


def test_rules_that_cannot_be_read_are_reported(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("transpile.repository.ignoring.LIMIT", 10)
    plan = survey_tree(tree(tmp_path, {".gitignore": "a.yaml\nb.yaml\n", "a.yaml": hot()}))
    assert (stacks(plan), list_codes_with_files(plan)) == ({"a.yaml": ((),)}, [("HOT934", ".gitignore")])


def test_entries_that_the_system_says_nothing_about(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name = "lost.yaml"

        def is_file(self, *, follow_symlinks: bool) -> bool:
            raise OSError(5, "Input/output error")

        is_dir = is_file

    class Directory(list[Entry]):
        def __enter__(self) -> list[Entry]:
            return self

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(os, "scandir", lambda _: Directory([Entry()]))
    plan = survey_tree(tmp_path)
    assert [d.message for d in plan.diagnostics] == ["lost.yaml cannot be read: Input/output error."]


def test_patterns_that_take_too_long_are_not_used(tmp_path: pathlib.Path) -> None:
    pattern = "*a" * 30 + "b"
    name = "a" * 200 + ".yaml"
    src = tree(tmp_path, {".gitignore": f"{pattern}\n[z-a]\n/old/\n", name: hot(), "old/a.yaml": hot()})
    begun = time.process_time()
    plan = survey_tree(src)
    assert time.process_time() - begun < 5
    assert list(stacks(plan)) == [name]
    assert [d.message for d in plan.diagnostics] == [
        f"The pattern {pattern} was not used.",
        "The pattern [z-a] was not used.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 300_000,  # a key without its colon
        "a b\n" * 200_000,
        "parameters:\n" + "a b\n" * 200_000,
        "parameters:" + " " * 300_000 + "x",
        "{" + "parameters " * 50_000,
        "stack create " * 50_000,
        "stack create \\\n" * 50_000,
        "os_stack:\n" * 50_000,
        "os_stack:\n  template: " + "[" * 100_000,
        "os_stack:\n  a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"  a{n}: &a{n} [{', '.join(['*a' + str(n - 1 or '')] * 9)}]\n" for n in range(1, 12)),
        "resource_registry: " + "[" * 100_000,
        '{"parameters": ' + "[" * 100_000,
        "heat_template_version: 2021-04-16\na: " + "[" * 100_000,
    ],
)
def test_texts_that_are_hard_to_search_take_little_time(tmp_path: pathlib.Path, text: str) -> None:
    src = tree(tmp_path, {"a.yaml": text, "b.sh": text, "c.json": text, "d.py": text, "root.yaml": hot()})
    begun = time.process_time()
    plan = survey_tree(src)
    assert time.process_time() - begun < 10
    assert "root.yaml" in stacks(plan)


def test_deep_trees(tmp_path: pathlib.Path) -> None:
    """A path that is too long for the system is reported, and the rest is found."""
    here = os.open(tmp_path, os.O_RDONLY)
    top = pathlib.Path.cwd()
    try:
        os.fchdir(here)
        for _ in range(50):
            pathlib.Path("d" * 100).mkdir()
            os.chdir("d" * 100)
        pathlib.Path("deep.yaml").write_text(hot())
    finally:
        os.chdir(top)
        os.close(here)
    tree(tmp_path, {"a.yaml": hot()})
    plan = survey_tree(tmp_path)
    assert list(stacks(plan)) == ["a.yaml"]
    assert [code for code, _ in list_codes_with_files(plan)] == ["HOT930"]


def test_not_all_of_many_scripts_are_searched(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surveys, "MOST_TEXTS", 3)
    files = {f"{n}.sh": "stack create -t a.yaml -e x.txt.env\n" for n in range(5)}
    plan = survey_tree(tree(tmp_path, {"a.yaml": hot(), "x.txt.env": env("q"), **files}))
    assert [(d.code, d.severity) for d in plan.diagnostics] == [("HOT935", "info")]
    assert plan.stacks[0].why == "command line in 0.sh:1"


def test_finding_three_templates_among_many_files_reads_little(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of files with other endings nothing is read, of scripts no more than a limit, and foreign YAML is not parsed."""
    for number in range(40):
        where = tmp_path / str(number)
        where.mkdir()
        for name in range(50):
            (where / f"{name}.bin").touch()
        (where / "values.yaml").write_text("replicas: 1\n")
    tree(tmp_path, {"1/a.yaml": hot(), "2/b.yaml": hot(), "3/c.yaml": hot()})
    opened: list[str] = []
    parsed: list[str] = []

    def read(path: str, limit: int) -> bytes:
        opened.append(path)
        return source.read_bytes(path, limit)

    compose = documents.compose_document

    def parse(sink: Sink, name: str, *, trimmed: bool = False) -> Node:
        parsed.append(name)
        return compose(sink, name, trimmed=trimmed)

    monkeypatch.setattr(surveys, "read_bytes", read)
    monkeypatch.setattr(documents, "compose_document", parse)
    plan = survey_tree(tmp_path)
    assert len(plan.stacks) == 3
    assert parsed == ["1/a.yaml", "2/b.yaml", "3/c.yaml"]
    assert len(opened) == 43


def test_a_long_chain_and_a_large_circle(tmp_path: pathlib.Path) -> None:
    """Following references does not recurse, and does not follow each from every root."""
    files = {f"c{n}.yaml": hot(x=f"c{n + 1}.yaml") for n in range(1500)} | {"c1500.yaml": hot()}
    files |= {f"r{n}.yaml": hot(x=f"r{(n + 1) % 1500}.yaml") for n in range(1500)}
    plan = survey_tree(tree(tmp_path, files))
    assert list(stacks(plan)) == ["c0.yaml", "r0.yaml"]
    assert len(plan.nested) == 3000


def test_an_empty_tree_and_none(tmp_path: pathlib.Path) -> None:
    assert survey_tree(tmp_path) == MigrationPlan()
    assert list_codes_with_files(survey_tree(tmp_path / "missing")) == [("HOT930", ".")]
