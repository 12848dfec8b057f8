"""The plan file is read back as written, people's changes are obeyed, and mistakes are shown at their place."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.repository.trees import env, hot, tree
from transpile.diagnostics.model import Stopped
from transpile.repository.ignoring import WrongPattern
from transpile.repository.plan import MigrationPlan, StackPlan
from transpile.repository.plan_file import print_plan, read_plan_file
from transpile.repository.survey import survey_tree


@pytest.fixture
def src(tmp_path: pathlib.Path) -> pathlib.Path:
    return tree(
        tmp_path / "src",
        {
            "web.yaml": hot("a", x="part.yaml"),
            "part.yaml": hot(),
            "web-prod.env": env("a"),
            "web-dev.env": env("a"),
            "net/core.yaml": hot(),
            "made.j2.yaml": hot() + "{{ x }}: 1\n",
            "no: #2.yaml": hot(),
            "old/a.yaml": hot(),
        },
    )


def obeyed(src: pathlib.Path, text: str) -> MigrationPlan:
    path = src.parent / "hot2tf-migrate.yaml"
    path.write_text(text, encoding="utf-8")
    return read_plan_file(path, src)


def refused(src: pathlib.Path, text: str) -> list[tuple[str, str, str]]:
    """Each error as its code, the text that it is about, and the message with the hint."""
    with pytest.raises(Stopped) as stopped:
        obeyed(src, text)
    errors = [d for d in stopped.value.diagnostics if d.severity == "error"]
    assert all(d.source is not None and d.source.name == "hot2tf-migrate.yaml" for d in errors)
    return [(d.code, d.source.text[d.at : d.end] if d.source else "", f"{d.message} {d.hint}".strip()) for d in errors]


BEGIN = "format: 1\nstacks:\n"


def test_a_plan_file_is_read_back_as_written(src: pathlib.Path) -> None:
    plan = survey_tree(src, ["/old/", "*.tmp"])
    assert len(plan.stacks) == 4
    assert obeyed(src, print_plan(plan)) == plan


def test_it_is_plain_yaml_that_explains_itself(src: pathlib.Path) -> None:
    text = print_plan(survey_tree(src))
    data = yaml.safe_load(text)
    assert list(data) == ["format", "ignore", "stacks"]
    assert data["stacks"][-2] == {
        "template": "web.yaml",
        "environments": ["web-dev.env"],
        "name": "web-dev",
        "output": "web",
        "environment": "dev",
        "why": "its environment has its name and its parameters",
    }
    assert "#   made.j2.yaml: a Jinja2 source" in text
    keys = {line.split()[1] for line in text.splitlines() if line.startswith("#   ")}
    assert keys >= {
        *("template", "environments", "parameters", "render", "options", "name", "output", "environment", "why"),
    }


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
TEXTS = st.dictionaries(TEXT, st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=3)


@given(TEXTS, st.dictionaries(TEXT, VALUE, max_size=3), TEXTS, TEXT, TEXT)
def test_any_value_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    parameters: dict[str, str],
    render: dict[str, Any],
    options: dict[str, str],
    name: str,
    why: str,
) -> None:
    src = tmp_path_factory.getbasetemp() / "any"
    if not src.exists():
        tree(src / "src", {"a.yaml": hot(), "e.env": "KEY=1\n"})
    stack = StackPlan("a.yaml", ("e.env",), parameters, render, options, name, "out", why)
    assert obeyed(src / "src", print_plan(MigrationPlan((stack,)))).stacks == (stack,)


def test_changes_of_a_person_are_obeyed(src: pathlib.Path) -> None:
    plan = obeyed(
        src,
        """\
format: 1
ignore: [/net/]
stacks:
  - template: web.yaml
    environments: [web-prod.env, web-dev.env]
    parameters: {a: "x", count: 080, size: yes}
    options: {prefer: native}
    output: production/web
    name: The web
  - template: made.j2.yaml
    render: {zones: [a, 1, {b: null}]}
""",
    )
    made, web = plan.stacks
    assert made == StackPlan(
        "made.j2.yaml",
        render={"zones": ["a", 1, {"b": None}]},
        name="made",
        output="made",
        why="listed in hot2tf-migrate.yaml",
    )
    assert (web.environments, web.output, web.name) == (("web-prod.env", "web-dev.env"), "production/web", "The web")
    assert web.parameters == {"a": "x", "count": "080", "size": "yes"}  # as they are spelled
    assert web.options == {"prefer": "native"}
    assert plan.nested == {"part.yaml": ("web.yaml",)}
    assert plan.ignored == ("/net/",)
    assert plan.others == {
        "no: #2.yaml": "a template that hot2tf-migrate.yaml does not list",
        "old/a.yaml": "a template that hot2tf-migrate.yaml does not list",
    }


def test_patterns_of_the_command_add_to_those_of_the_file(src: pathlib.Path) -> None:
    path = tree(src.parent, {"p.yaml": BEGIN + "  - template: web.yaml\nignore: [/net/]\n"}) / "p.yaml"
    plan = read_plan_file(path, src, ["/old/", "no*"])
    assert plan.ignored == ("/net/", "/old/", "no*")
    assert [path for path in plan.others if "env" not in path] == ["made.j2.yaml"]
    with pytest.raises(WrongPattern):
        read_plan_file(path, src, ["[z-a]"])


@pytest.mark.parametrize(
    ("text", "code", "about", "message"),
    [
        ("stacks: []\n", "HOT940", "", "The format must be 1. Begin the file with format: 1."),
        ("format: 2\nstacks: []\n", "HOT940", "2", "The format must be 1."),
        ("format: 1\n", "HOT940", "", "A plan file must have stacks."),
        ("- a\n", "HOT940", "- a\n", "A plan file must be a map."),
        ("format: 1\nstacks: x\n", "HOT940", "x", "stacks must be a list."),
        ("format: 1\nstacks: []\nignore: x\n", "HOT940", "x", "ignore must be a list of texts."),
        ("format: 1\nstacks: []\nignore: ['[z-a]']\n", "HOT940", "['[z-a]']", "'[z-a]' cannot be used as a pattern."),
        ("format: 1\nstaks: []\nstacks: []\n", "HOT941", "staks", "Did you mean stacks?"),
        (BEGIN + "- web.yaml\n", "HOT940", "web.yaml", "A stack must be a map."),
        (BEGIN + "- name: x\n", "HOT940", "name: x\n", "A stack must have a template."),
        (BEGIN + "- template: null\n", "HOT940", "null", "template must be a text."),
        (BEGIN + "- tempalte: web.yaml\n", "HOT941", "tempalte", "Did you mean template?"),
        (BEGIN + "- template: web.yaml\n  enviroments: []\n", "HOT941", "enviroments", "Did you mean environments?"),
        (BEGIN + "- template: web.yaml\n  parameters: {a: [1]}\n", "HOT940", "[1]", "as JSON, in quotes"),
        (BEGIN + "- template: web.yaml\n  parameters: [a]\n", "HOT940", "[a]", "parameters must be a map."),
        (BEGIN + "- template: web.yaml\n  render: [a]\n", "HOT940", "[a]", "render must be a map."),
        (BEGIN + "- template: wbe.yaml\n", "HOT942", "wbe.yaml", "wbe.yaml does not exist. Did you mean web.yaml?"),
        (BEGIN + "- template: ../web.yaml\n", "HOT942", "../web.yaml", "no path in the source tree"),
        (BEGIN + "- template: /etc/passwd\n", "HOT942", "/etc/passwd", "no path in the source tree"),
        (BEGIN + "- template: net\n", "HOT942", "net", "net does not exist."),
        (BEGIN + "- template: linked.yaml\n", "HOT942", "linked.yaml", "does not exist"),
        (
            BEGIN + "- template: web.yaml\n  environments: [web-pro.env]\n",
            "HOT942",
            "[web-pro.env]",
            "Did you mean web-prod.env?",
        ),
        (BEGIN + "- template: web.yaml\n  output: ../x\n", "HOT943", "../x", "leads out of the result"),
        (BEGIN + "- template: web.yaml\n  output: /x\n", "HOT943", "/x", "leads out of the result"),
        (BEGIN + "- template: web.yaml\n  output: 'c:\\x'\n", "HOT943", "'c:\\x'", "leads out of the result"),
        (BEGIN + "- template: web.yaml\n  output: Modules/x\n", "HOT943", "Modules/x", "of the result itself"),
        (BEGIN + "- template: web.yaml\n  output: .hot2tf\n", "HOT943", ".hot2tf", "of the result itself"),
        (BEGIN + "- template: web.yaml\n  output: .git/x\n", "HOT943", ".git/x", "Use git/x, for example."),
        (BEGIN + "- template: web.yaml\n  environment: a b\n", "HOT943", "a b", "Use a-b, for example."),
        (BEGIN + "- template: web.yaml\n  output: a b//c\n", "HOT943", "a b//c", "Use a-b/c, for example."),
        (
            BEGIN + "- {template: web.yaml, output: x}\n- {template: part.yaml, output: X}\n",
            "HOT943",
            "X",
            "Two stacks have the directory X.",
        ),
        (
            BEGIN + "- {template: web.yaml, output: x}\n- {template: part.yaml, output: x/y}\n",
            "HOT943",
            "x/y",
            "inside another stack's",
        ),
        (
            BEGIN + "- {template: web.yaml, name: x}\n- {template: part.yaml, name: x}\n",
            "HOT944",
            "x",
            "Two stacks have the name x.",
        ),
        (BEGIN + "- template: web.yaml\n- template: web.yaml\n", "HOT944", "web.yaml", "listed twice"),
        ("format: 1\nstacks: [\n", "HOT101", "", "not valid YAML"),
        ("a: &a [*a]\n", "HOT109", "", "alias"),
    ],
)
def test_mistakes_are_shown_at_their_place(src: pathlib.Path, text: str, code: str, about: str, message: str) -> None:
    (src / "linked.yaml").symlink_to("web.yaml")
    (error,) = refused(src, text)
    assert error[0] == code
    assert error[1] == about or not about
    assert message in error[2]


def test_all_mistakes_are_shown_at_once(src: pathlib.Path) -> None:
    text = BEGIN + "- template: wbe.yaml\n  output: ..\n- template: ten/core.yaml\n  environments: [no.env]\n"
    assert [code for code, *_ in refused(src, text)] == ["HOT942", "HOT943", "HOT942", "HOT942"]


def test_a_plan_file_uses_the_memory_of_a_survey(src: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory: dict[str, str] = {}
    plan = survey_tree(src, memory=memory)
    path = tree(src.parent, {"plan.yaml": print_plan(plan)}) / "plan.yaml"
    monkeypatch.setattr("transpile.repository.contents.parse_document", lambda *_: pytest.fail("parsed"))
    assert read_plan_file(path, src, memory=memory) == plan


def test_a_plan_file_that_cannot_be_read(src: pathlib.Path) -> None:
    with pytest.raises(Stopped, match="does not exist"):
        read_plan_file(src / "missing.yaml", src)
