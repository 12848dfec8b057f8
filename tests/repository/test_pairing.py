"""Which environments belong to which templates: each rule, and what keeps it from finding too much."""

from __future__ import annotations

import pathlib

import pytest

from tests.repository.test_survey import stacks
from tests.repository.trees import HOT, env, hot, tree
from transpile.repository import pairing
from transpile.repository.survey import survey_tree


@pytest.mark.parametrize(
    ("template", "environment"),
    [
        ("web.yaml", "web.env"),
        ("web.yaml", "web_env.yaml"),
        ("web.yaml", "web-env.yaml"),
        ("web.yaml", "webEnv.yaml"),
        ("web.yaml", "web.environment.yaml"),
        ("web.yaml", "env-web.yaml"),
        ("templates/web.yaml", "env/web.yaml"),
        ("templates/web.yaml", "environments/web.env"),
        ("new_templates/web.yaml", "new_envs/web.yaml"),
        ("hot/web.yaml", "env/web.yaml"),
    ],
)
def test_the_same_name(tmp_path: pathlib.Path, template: str, environment: str) -> None:
    """Even with a parameter that the template has not got: Heat's message about it is what the person must see."""
    other = str(pathlib.PurePosixPath(template).with_name("other.yaml"))
    plan = survey_tree(tree(tmp_path, {template: hot("a"), other: hot("a"), environment: env("a", "b")}))
    assert stacks(plan) == {template: ((environment,),), other: ((),)}
    assert {stack.why for stack in plan.stacks} == {"same name as its environment", "no environment found"}


def test_the_same_name_twice_decides_nothing(tmp_path: pathlib.Path) -> None:
    src = tree(tmp_path, {"web.yaml": hot(), "web.template": hot(), "web.env": env("a")})
    plan = survey_tree(src)
    assert stacks(plan) == {"web.yaml": ((),), "web.template": ((),)}
    assert plan.others == {"web.env": "an environment that no template was found for"}


def test_an_environment_is_not_for_the_template_that_it_maps_a_type_to(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path,
        {
            "main.yaml": hot("a", x="My::Part"),
            "part_one.yaml": hot(),
            "env_part_one.yaml": env(My__Part="part_one.yaml"),
            "part_two.yaml": hot(),
            "env_part_two.yaml": env(My__Part="part_two.yaml"),
        },
    )
    assert stacks(survey_tree(src)) == {"main.yaml": (("env_part_one.yaml",), ("env_part_two.yaml",))}


def test_a_name_that_begins_or_ends_with_the_template(tmp_path: pathlib.Path) -> None:
    """In whole words, with all parameters, and the longest name first."""
    src = tree(
        tmp_path,
        {
            "web.yaml": hot("a"),
            "web-db.yaml": hot("a"),
            "webs.yaml": hot("a"),
            "web-prod.yaml": env("a"),
            "web-db-prod.env": env("a"),
            "dev.web.env": env("a"),
            "web-wrong.env": env("b"),
        },
    )
    plan = survey_tree(src)
    assert stacks(plan) == {
        "web.yaml": (("dev.web.env",), ("web-prod.yaml",)),
        "web-db.yaml": (("web-db-prod.env",),),
        "webs.yaml": ((),),
    }
    assert list(plan.others) == ["web-wrong.env"]
    assert [stack.output for stack in plan.stacks] == ["web-db", "web/dev.web", "web/prod", "webs"]


def test_the_only_template_with_the_parameters(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path,
        {
            "one/web.yaml": hot("a", "b", x="part.yaml"),
            "one/db.yaml": hot("a"),
            "one/part.yaml": hot("a", "b"),
            "one/prod.env": env("a", "b"),
            "two/x.yaml": hot("a"),
            "two/y.yaml": hot("a"),
            "two/prod.env": env("a"),
        },
    )
    plan = survey_tree(src)
    assert stacks(plan)["one/web.yaml"] == (("one/prod.env",),)
    assert plan.others == {
        "two/prod.env": "an environment that several templates have the parameters of: two/x.yaml, two/y.yaml"
    }


def test_defaults_may_be_for_nested_templates(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path,
        {
            "web.yaml": hot("a", x="part.yaml"),
            "db.yaml": hot("a"),
            "part.yaml": hot("inner"),
            "prod.env": "parameters: {a: 1}\nparameter_defaults: {inner: 1}\n",
        },
    )
    assert stacks(survey_tree(src)) == {"web.yaml": (("prod.env",),), "db.yaml": ((),)}


def test_types_are_used_at_any_depth(tmp_path: pathlib.Path) -> None:
    """By every root that has the parameters. Types that Heat has got are no reason."""
    src = tree(
        tmp_path,
        {
            "env/shared.yaml": env("a", My__Thing="OS::Heat::None"),
            "env/aliases.yaml": env(OS__Nova__Server="OS::Heat::None"),
            "web/direct.yaml": hot("a", x="My::Thing"),
            "web/deep.yaml": hot("a", x="part.yaml"),
            "web/part.yaml": hot("a", x="My::Thing"),
            "web/without.yaml": hot(x="My::Thing"),
            "web/server.yaml": hot("a", x="OS::Nova::Server"),
        },
    )
    plan = survey_tree(src)
    shared = (("env/shared.yaml",),)
    assert {name: environments for name, environments in stacks(plan).items() if environments != ((),)} == {
        "web/direct.yaml": shared,
        "web/deep.yaml": shared,
    }
    assert list(plan.others) == ["env/aliases.yaml"]


def test_a_wildcard_is_used_by_all_types_that_begin_like_it(tmp_path: pathlib.Path) -> None:
    src = tree(tmp_path, {"e/x.yaml": env(My__Thing__X="OS::Heat::None").replace("X:", '*":').replace("My", '"My')})
    tree(tmp_path, {"a.yaml": hot(x="My::Thing::One"), "b.yaml": hot(x="My::Other::One")})
    assert stacks(survey_tree(src)) == {"a.yaml": (("e/x.yaml",),), "b.yaml": ((),)}


def test_an_environment_that_leaves_types_unknown_overlays_one_that_does_not(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path,
        {
            "cluster.yaml": hot("a", x="My::Master", y="My::Node"),
            "base.yaml": env(My__Master="OS::Heat::None", My__Node="OS::Heat::None"),
            "large.yaml": env("a", My__Node="OS::Heat::RandomString"),
        },
    )
    plan = survey_tree(src)
    assert stacks(plan) == {"cluster.yaml": (("base.yaml",), ("base.yaml", "large.yaml"))}
    assert [stack.output for stack in plan.stacks] == ["cluster/base", "cluster/base-large"]


def test_environments_that_define_all_types_together(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path,
        {
            "cluster.yaml": hot(x="My::Master", y="My::Node"),
            "master.yaml": env(My__Master="OS::Heat::None"),
            "node-a.yaml": env(My__Node="OS::Heat::None"),
            "node-b.yaml": env(My__Node="OS::Heat::RandomString"),
        },
    )
    both = (("master.yaml", "node-a.yaml"), ("master.yaml", "node-b.yaml"))
    assert stacks(survey_tree(src)) == {"cluster.yaml": both}


def test_an_environment_below_its_template(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path,
        {
            "site/net.yaml": hot("a"),
            "site/web.yaml": hot("a", "b"),
            "site/environments/prod/net.yaml": env("a"),
            "site/environments/prod.env": env("b"),
            "top/templates/one.yaml": hot("q"),
            "top/environments/prod/q.env": env("q"),
            "top/environments/prod/other.env": env("r"),
        },
    )
    plan = survey_tree(src)
    assert stacks(plan) == {
        "site/net.yaml": (("site/environments/prod/net.yaml",),),
        "site/web.yaml": (("site/environments/prod.env",),),
        "top/templates/one.yaml": (("top/environments/prod/q.env",),),
    }
    assert list(plan.others) == ["top/environments/prod/other.env"]


def test_a_broken_template_keeps_its_environment(tmp_path: pathlib.Path) -> None:
    text = hot("a", x="part.yaml").replace(HOT, "heat_template_version: 2030-01-01\n")
    plan = survey_tree(tree(tmp_path, {"main.yaml": text, "part.yaml": hot(), "prod.env": env("a")}))
    assert stacks(plan) == {"main.yaml": (("prod.env",),)}


def test_an_environment_without_values_needs_the_name_of_one(tmp_path: pathlib.Path) -> None:
    src = tree(tmp_path, {"web.yaml": hot(), "web.env": "parameters:\n", "db.yaml": "parameters: {}\n"})
    assert stacks(survey_tree(src)) == {"web.yaml": (("web.env",),)}


def test_the_number_of_comparisons_is_bounded(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not compared is said."""
    monkeypatch.setattr(pairing, "MOST_COST", 0)
    files = {"a.yaml": hot("p", x="My::T"), "b/c.env": env("p", My__T="OS::Heat::None")}
    files["b/d.env"] = files["b/c.env"]
    plan = survey_tree(tree(tmp_path, files))
    assert stacks(plan) == {"a.yaml": (("b/c.env",),)}
    assert plan.others == {"b/d.env": "an environment that was not compared: there are too many"}


def shared_registry(names: tuple[str, ...]) -> dict[str, str]:
    """A repository with a directory of environments for each template, which all define the same types."""
    files = {f"{name}.yaml": hot("a", x="My::Server") for name in names}
    for name in names:
        files |= {f"env/{name}/{stage}.yaml": env("a", My__Server="../../server.yaml") for stage in ("dev", "prod")}
    return {**files, "server.yaml": hot()}


def test_the_directory_of_an_environment_decides(tmp_path: pathlib.Path) -> None:
    """Not its types, which suit every template of the repository."""
    names = ("app", "db", "lb", "web", "vpn")
    plan = survey_tree(tree(tmp_path, shared_registry(names)))
    assert stacks(plan) == {f"{name}.yaml": ((f"env/{name}/dev.yaml",), (f"env/{name}/prod.yaml",)) for name in names}
    assert {stack.why for stack in plan.stacks} == {"its environment is in a directory with its name"}


def test_the_directory_decides_only_for_a_template_with_all_parameters(tmp_path: pathlib.Path) -> None:
    src = tree(tmp_path, {"web.yaml": hot("a"), "db.yaml": hot("b"), "env/web/dev.yaml": env("b")})
    assert stacks(survey_tree(src)) == {"web.yaml": ((),), "db.yaml": (("env/web/dev.yaml",),)}


def test_a_name_further_up_decides_before_types(tmp_path: pathlib.Path) -> None:
    files = {f"{name}.yaml": hot("a", x="My::Server") for name in ("db", "web")}
    src = tree(tmp_path, {**files, "server.yaml": hot(), "env/prod/web.yaml": env(My__Server="../../server.yaml")})
    assert stacks(survey_tree(src)) == {"web.yaml": (("env/prod/web.yaml",),), "db.yaml": ((),)}


def test_environments_whose_types_suit_many_templates_are_left_to_the_user(tmp_path: pathlib.Path) -> None:
    """Each of the two might belong to each of the four templates."""
    files = {f"{name}.yaml": hot("a", x="My::Server") for name in ("app", "db", "lb", "web")}
    environments = {f"env/{name}.yaml": env(My__Server="../server.yaml") for name in ("one", "two")}
    plan = survey_tree(tree(tmp_path, {**files, **environments, "server.yaml": hot()}))
    assert set(stacks(plan).values()) == {((),)}
    assert plan.undecided == ("env/one.yaml", "env/two.yaml")
    why = "an environment that defines types of 4 templates, as others do; a plan file says to which it belongs"
    assert dict(plan.others) == dict.fromkeys(plan.undecided, why)


def test_the_only_environment_that_defines_a_type_belongs_to_all_templates_with_it(tmp_path: pathlib.Path) -> None:
    """Without it, Heat creates none of them."""
    names = ("app", "db", "lb", "web", "vpn")
    files = {f"{name}.yaml": hot("a", x="My::Server") for name in names}
    plan = survey_tree(
        tree(tmp_path, {**files, "env/types.yaml": env(My__Server="../server.yaml"), "server.yaml": hot()})
    )
    assert stacks(plan) == {f"{name}.yaml": (("env/types.yaml",),) for name in names}
    assert plan.undecided == ()
