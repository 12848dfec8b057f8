"""Names and directories of stacks: they mirror the source tree, and no two meet."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.repository.outputs import fold_case, make_slug, name_stacks, parent_directories
from transpile.repository.plan import StackPlan


def directories(*templates: str | tuple[str, str]) -> list[str]:
    stacks = [
        StackPlan(template) if isinstance(template, str) else StackPlan(template[0], (template[1],))
        for template in templates
    ]
    return [stack.output for stack in name_stacks(stacks)]


def test_directories_mirror_the_tree() -> None:
    assert directories("web.yaml", "net/core/lb.template", "x.j2.yaml") == ["net/core/lb", "web", "x"]


@pytest.mark.parametrize(
    ("environments", "expected"),
    [
        (["a.env", "b.env"], ["web/a", "web/b"]),
        (["web-prod.env", "web.env"], ["web/default", "web/prod"]),
        (["env/prod/web.yaml", "env/dev/web.yaml"], ["web/dev", "web/prod"]),
        (["prod/x.env", "dev/x.env"], ["web/dev-x", "web/prod-x"]),
    ],
)
def test_stacks_of_one_template_are_told_apart_by_their_environments(
    environments: list[str], expected: list[str]
) -> None:
    assert directories(*(("web.yaml", environment) for environment in environments)) == expected


def test_directories_that_would_meet_get_other_names() -> None:
    assert directories("a.yaml", "a.yml", "A.hot") == ["A", "a_2", "a_3"]
    assert directories("web.yaml", "web/db.yaml") == ["web/db", "web_stack"]
    assert directories("web.yaml", "web/db.yaml", "web_stack.yaml") == ["web/db", "web_stack", "web_stack_2"]
    assert directories("modules.yaml", "modules/a.yaml", "x/modules/b.yaml") == [
        "modules_2/a",
        "modules_stack",
        "x/modules/b",
    ]
    assert directories("Modules/a.yaml", ".hot2tf/a.yaml") == ["Modules_2/a", "hot2tf/a"]


def test_directories_that_the_user_gave_are_kept() -> None:
    stacks = [StackPlan("a.yaml", output="x/y", name="mine"), StackPlan("x/y.yaml"), StackPlan("x/y/z.yaml")]
    names = {stack.template: (stack.output, stack.name) for stack in name_stacks(stacks)}
    assert names == {
        "a.yaml": ("x/y", "mine"),
        "x/y.yaml": ("x/y_stack", "x-y_stack"),
        "x/y/z.yaml": ("x/y_2/z", "x-y_2-z"),
    }


def test_names_are_unique() -> None:
    assert [stack.name for stack in name_stacks([StackPlan("a-b/c.yaml"), StackPlan("a/b-c.yaml")])] == [
        "a-b-c",
        "a-b-c_2",
    ]


def test_unusual_characters() -> None:
    assert make_slug("café & más") == "cafe-mas"
    assert make_slug("a b;$(rm)'\n") == "a-b-rm"
    assert make_slug("-x") == "x"
    assert make_slug("con.x") == "con_.x"
    assert make_slug("模板") != make_slug("文件")
    assert len(make_slug("x" * 300)) == 80
    assert make_slug("x" * 300) != make_slug("x" * 301)


NAME = st.text(string.ascii_letters[:3] + "AB_2. -é/", min_size=1, max_size=8)


@given(st.lists(st.tuples(NAME, st.sampled_from(["", "e.env", "f.env", "d/e.env"])), max_size=12, unique=True))
def test_no_two_directories_meet(given_: list[tuple[str, str]]) -> None:
    """For all names, also where case does not count, no directory is equal to another, inside of one, or reserved."""
    plans = [StackPlan(f"{template}.yaml", (environment,) if environment else ()) for template, environment in given_]
    stacks = name_stacks(plans)
    outputs = [stack.output for stack in stacks]
    taken = {fold_case(output) for output in outputs}
    assert sorted((stack.template, stack.environments) for stack in stacks) == sorted(
        (p.template, p.environments) for p in plans
    )
    assert outputs == sorted(outputs)
    assert len(taken) == len({stack.name for stack in stacks}) == len(plans)
    assert not any(fold_case(parent) in taken for output in outputs for parent in parent_directories(output))
    assert all(make_slug(part) == part for output in outputs for part in output.split("/"))
    assert name_stacks(plans[::-1]) == stacks
