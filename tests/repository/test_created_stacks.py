"""Command lines in scripts tell about the stacks that they create: names, values, loops."""

from __future__ import annotations

import pathlib

import pytest

from tests.repository.trees import env, tree
from transpile.repository.plan import MigrationPlan
from transpile.repository.survey import survey_tree

WEB = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number, default: 1}
  key: {type: string, default: k}
  pin: {type: string, default: p, hidden: true}
  db_password: {type: string, default: d}
"""
CREATE = "openstack stack create -t web.yaml"


def plan_of(where: pathlib.Path, script: str, name: str = "go.sh", **environments: str) -> MigrationPlan:
    """The plan of a tree with one template, environments by their paths, and one script."""
    paths = {path.replace("__", "/").replace("_env", ".env"): text for path, text in environments.items()}
    return survey_tree(tree(where, {"web.yaml": WEB, name: script, **paths}))


def summarise(plan: MigrationPlan) -> list[tuple[str, tuple[str, ...], dict[str, str]]]:
    return [(stack.name, stack.environments, dict(stack.parameters)) for stack in plan.stacks]


def test_a_name_and_values_make_a_stack(tmp_path: pathlib.Path) -> None:
    plan = plan_of(tmp_path, f"{CREATE} --parameter size=2 one\n{CREATE} -P 'size=3;key=x y' two\n")
    assert summarise(plan) == [("one", (), {"size": "2"}), ("two", (), {"size": "3", "key": "x y"})]
    assert [(stack.output, stack.environment) for stack in plan.stacks] == [("web/one", "one"), ("web/two", "two")]


def test_a_bare_command_beside_one_with_an_environment(tmp_path: pathlib.Path) -> None:
    plan = plan_of(tmp_path, f"{CREATE} dev-web\n{CREATE} -e web.env prod-web\n", web_env=env("size"))
    assert summarise(plan) == [("dev-web", (), {}), ("prod-web", ("web.env",), {})]
    assert [stack.environment for stack in plan.stacks] == ["dev", "prod"]


@pytest.mark.parametrize(
    "script",
    [
        f"{CREATE} --parameter size=2 web\nopenstack stack update -t web.yaml --parameter size=3 web\n",
        f"openstack stack update -t web.yaml --parameter size=3 web\n{CREATE} --parameter size=2 web\n",
        f"{CREATE} --parameter size=2 web || {CREATE} --parameter size=2 web\n",
        f"NAME=web\n{CREATE} --parameter size=2 $NAME\n",
        f"export SIZE='2'\n{CREATE} \\\n  --parameter size=$SIZE \\\n  web\n",
        f"{CREATE} --parameter size=2 web\n{CREATE} --parameter size=2 $1\n",
    ],
)
def test_commands_that_make_one_stack(tmp_path: pathlib.Path, script: str) -> None:
    assert summarise(plan_of(tmp_path, script)) == [("web", (), {"size": "2"})]


def test_secrets_and_computed_values_stay_in_the_script(tmp_path: pathlib.Path) -> None:
    plan = plan_of(tmp_path, f"{CREATE} -P pin=1234 -P db_password=s3 -P key=$(cat k) -P other=1 -P size=2 web\n")
    assert summarise(plan) == [("web", (), {"size": "2"})]
    assert plan.stacks[0].why == "command line in go.sh:1; only the script sets db_password, key, other, pin"


def test_an_example_in_a_document_or_comment_is_no_stack_of_its_own(tmp_path: pathlib.Path) -> None:
    text = f"    {CREATE} -P key=mykey one\n    {CREATE} two\n"
    assert summarise(plan_of(tmp_path / "a", text, "README.md")) == [("web", (), {})]
    described = f"heat_template_version: 2018-08-31\ndescription: |\n  {CREATE} -P key=k one\n"
    assert [stack.name for stack in plan_of(tmp_path / "c", described, "a.yaml").stacks] == ["a", "web"]
    assert summarise(plan_of(tmp_path / "b", f"# {CREATE} one\necho {CREATE} two\n")) == [("web", (), {})]


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("Makefile", f"ENV ?= dev\nweb:\n\t@{CREATE} -e env/$(ENV)/web.env $(ENV)-web\n"),
        ("go.sh", f'for e in dev prod test; do\n  {CREATE} -e "env/$e/web.env" "$e-web"\ndone\n'),
        ("Makefile", f"web:\n\tfor e in dev prod; do {CREATE} -e env/$$e/web.env $$e-web; done\n"),
        ("go.sh", f"{CREATE} -e env/$1/web.env $1-web\n"),
        (".gitlab-ci.yml", f"deploy:\n  script:\n    - {CREATE} -e env/$ENV/web.env $ENV-web\n"),
    ],
)
def test_a_variable_in_the_path_of_an_environment_is_each_that_exists(
    tmp_path: pathlib.Path, name: str, script: str
) -> None:
    files = {"env__dev__web_env": env("size"), "env__prod__web_env": env("size"), "env__prod__db_env": env("other")}
    plan = plan_of(tmp_path, script, name, **files)
    assert summarise(plan) == [("dev-web", ("env/dev/web.env",), {}), ("prod-web", ("env/prod/web.env",), {})]
    assert [stack.environment for stack in plan.stacks] == ["dev", "prod"]
    assert ", where " in plan.stacks[0].why


def test_a_loop_over_a_list_makes_a_stack_of_each_item(tmp_path: pathlib.Path) -> None:
    plan = plan_of(tmp_path, f"for i in 1 2; do {CREATE} --parameter size=$i web$i; done\n")
    assert summarise(plan) == [("web1", (), {"size": "1"}), ("web2", (), {"size": "2"})]


def test_an_environment_of_another_template_does_not_match(tmp_path: pathlib.Path) -> None:
    plan = plan_of(tmp_path, f"{CREATE} -e env/$ENV.env $ENV\n", env__a_env=env("size"), env__b_env=env("strange"))
    assert summarise(plan) == [("a", ("env/a.env",), {})]


def test_stacks_of_one_name_in_different_projects_have_it_as_a_value(tmp_path: pathlib.Path) -> None:
    plan = plan_of(tmp_path, f"{CREATE} -P size=1 web\nopenstack --os-cloud b stack create -t web.yaml -P size=2 web\n")
    assert [dict(stack.parameters) for stack in plan.stacks] == [
        {"size": "1", "OS::stack_name": "web"},
        {"size": "2", "OS::stack_name": "web"},
    ]
    assert len({stack.name for stack in plan.stacks}) == 2


def test_a_task_of_ansible(tmp_path: pathlib.Path) -> None:
    task = (
        "- os_stack:\n    name: one\n    template: web.yaml\n    parameters:\n      size: 4\n      key: '{{ key }}'\n"
    )
    assert summarise(plan_of(tmp_path, task, "play.yml")) == [("one", (), {"size": "4"})]
