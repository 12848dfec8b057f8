"""The pairing of environments with templates: each rule, and its limits against false pairs."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
import yaml

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
    """The pair holds even with a parameter that the template lacks: the person must see Heat's message about it."""
    other = str(pathlib.PurePosixPath(template).with_name("other.yaml"))
    plan = survey_tree(tree(tmp_path, {template: hot("a"), other: hot("a"), environment: env("a", "b")}))
    assert stacks(plan) == {template: ((environment,),), other: ((),)}
    assert {stack.why for stack in plan.stacks} == {"same name as its environment", "no environment found"}


# files: `hot` has parameters and types of resources, `env` parameters and types of a registry. stacks: by template,
# the environments of each; a template without any has none. others, outputs: further parts of the plan.
CASES = yaml.safe_load(r"""
the same name twice decides nothing:
  files: {web.yaml: hot, web.template: hot, web.env: env a}
  others: {web.env: an environment that no template was found for}
an environment is not for the template that it maps a type to:
  files: {main.yaml: hot a x=My::Part, part_one.yaml: hot, env_part_one.yaml: env My::Part=part_one.yaml,
          part_two.yaml: hot, env_part_two.yaml: env My::Part=part_two.yaml}
  stacks: {main.yaml: [[env_part_one.yaml], [env_part_two.yaml]], part_one.yaml: null, part_two.yaml: null}
a name that begins or ends with the template, in whole words, with all parameters, the longest name first:
  files: {web.yaml: hot a, web-db.yaml: hot a, webs.yaml: hot a, web-prod.yaml: env a, web-db-prod.env: env a,
          dev.web.env: env a, web-wrong.env: env b}
  stacks: {web.yaml: [[dev.web.env], [web-prod.yaml]], web-db.yaml: [[web-db-prod.env]]}
  others: [web-wrong.env]
  outputs: [web-db, web/dev.web, web/prod, webs]
the only template with the parameters:
  files: {one/web.yaml: hot a b x=part.yaml, one/db.yaml: hot a, one/part.yaml: hot a b, one/prod.env: env a b,
          two/x.yaml: hot a, two/y.yaml: hot a, two/prod.env: env a}
  stacks: {one/web.yaml: [[one/prod.env]], one/part.yaml: null}
  others: {two/prod.env: "an environment that several templates have the parameters of: two/x.yaml, two/y.yaml"}
defaults may be for nested templates:
  files: {web.yaml: hot a x=part.yaml, db.yaml: hot a, part.yaml: hot inner,
          prod.env: "parameters: {a: 1}\nparameter_defaults: {inner: 1}\n"}
  stacks: {web.yaml: [[prod.env]], part.yaml: null}
defaults may be for all parameters of a stack:
  files: {web.yaml: hot a x=part.yaml, db.yaml: hot a, part.yaml: hot inner,
          prod.env: "parameter_defaults: {a: 1, inner: 1}\n"}
  stacks: {web.yaml: [[prod.env]], part.yaml: null}
types are used at any depth, by every root that has the parameters; types that Heat has got are no reason:
  files: {env/shared.yaml: env a My::Thing=OS::Heat::None, env/aliases.yaml: env OS::Nova::Server=OS::Heat::None,
          web/direct.yaml: hot a x=My::Thing, web/deep.yaml: hot a x=part.yaml, web/part.yaml: hot a x=My::Thing,
          web/without.yaml: hot x=My::Thing, web/server.yaml: hot a x=OS::Nova::Server}
  stacks: {web/direct.yaml: [[env/shared.yaml]], web/deep.yaml: [[env/shared.yaml]], web/part.yaml: null}
  others: [env/aliases.yaml]
a wildcard is used by all types that begin like it:
  files: {a.yaml: hot x=My::Thing::One, b.yaml: hot x=My::Other::One, e/x.yaml: 'env "My::Thing::*"=OS::Heat::None'}
  stacks: {a.yaml: [[e/x.yaml]]}
an environment that leaves types unknown overlays one that does not:
  files: {cluster.yaml: hot a x=My::Master y=My::Node, base.yaml: env My::Master=OS::Heat::None My::Node=OS::Heat::None,
          large.yaml: env a My::Node=OS::Heat::RandomString}
  stacks: {cluster.yaml: [[base.yaml], [base.yaml, large.yaml]]}
  outputs: [cluster/base, cluster/base-large]
environments that define all types together:
  files: {cluster.yaml: hot x=My::Master y=My::Node, master.yaml: env My::Master=OS::Heat::None,
          node-a.yaml: env My::Node=OS::Heat::None, node-b.yaml: env My::Node=OS::Heat::RandomString}
  stacks: {cluster.yaml: [[master.yaml, node-a.yaml], [master.yaml, node-b.yaml]]}
an environment below its template:
  files: {site/net.yaml: hot a, site/web.yaml: hot a b, site/environments/prod/net.yaml: env a,
          site/environments/prod.env: env b, top/templates/one.yaml: hot q, top/environments/prod/q.env: env q,
          top/environments/prod/other.env: env r}
  stacks: {site/net.yaml: [[site/environments/prod/net.yaml]], site/web.yaml: [[site/environments/prod.env]],
           top/templates/one.yaml: [[top/environments/prod/q.env]]}
  others: [top/environments/prod/other.env]
an environment without values needs the name of one:
  files: {web.yaml: hot, web.env: "parameters:\n", db.yaml: "parameters: {}\n"}
  stacks: {web.yaml: [[web.env]], db.yaml: null}
the directory decides only for a template with all parameters:
  files: {web.yaml: hot a, db.yaml: hot b, env/web/dev.yaml: env b}
  stacks: {db.yaml: [[env/web/dev.yaml]]}
a name further up decides before types:
  files: {web.yaml: hot a x=My::Server, db.yaml: hot a x=My::Server, server.yaml: hot,
          env/prod/web.yaml: env My::Server=../../server.yaml}
  stacks: {web.yaml: [[env/prod/web.yaml]], server.yaml: null}
""")


def write_file(words: str) -> str:
    """The text of a file of a case."""
    kind, *rest = words.split(" ")
    if kind not in ("hot", "env"):
        return words
    types = dict(word.split("=") for word in rest if "=" in word)
    return (hot if kind == "hot" else env)(*(word for word in rest if "=" not in word), **types)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_environment_belongs_to_a_template(case: dict[str, Any], tmp_path: pathlib.Path) -> None:
    plan = survey_tree(tree(tmp_path, {name: write_file(words) for name, words in case["files"].items()}))
    alone: dict[str, Any] = {name: [[]] for name, words in case["files"].items() if words.startswith("hot")}
    expected = {name: pairs for name, pairs in {**alone, **case.get("stacks", {})}.items() if pairs is not None}
    assert stacks(plan) == {name: tuple(map(tuple, environments)) for name, environments in expected.items()}
    others = case.get("others")
    assert others is None or (dict(plan.others) if isinstance(others, dict) else list(plan.others)) == others
    assert [stack.output for stack in plan.stacks] == case.get("outputs", [stack.output for stack in plan.stacks])


def test_a_broken_template_keeps_its_environment(tmp_path: pathlib.Path) -> None:
    text = hot("a", x="part.yaml").replace(HOT, "heat_template_version: 2030-01-01\n")
    plan = survey_tree(tree(tmp_path, {"main.yaml": text, "part.yaml": hot(), "prod.env": env("a")}))
    assert stacks(plan) == {"main.yaml": (("prod.env",),)}


def test_the_number_of_comparisons_is_bounded(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment beyond the limit is listed as not compared."""
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
    """The types of the environment, which suit every template of the repository, do not decide."""
    names = ("app", "db", "lb", "web", "vpn")
    plan = survey_tree(tree(tmp_path, shared_registry(names)))
    assert stacks(plan) == {f"{name}.yaml": ((f"env/{name}/dev.yaml",), (f"env/{name}/prod.yaml",)) for name in names}
    assert {stack.why for stack in plan.stacks} == {"its environment is in a directory with its name"}


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
    """Heat creates none of these templates without the environment."""
    names = ("app", "db", "lb", "web", "vpn")
    files = {f"{name}.yaml": hot("a", x="My::Server") for name in names}
    plan = survey_tree(
        tree(tmp_path, {**files, "env/types.yaml": env(My__Server="../server.yaml"), "server.yaml": hot()})
    )
    assert stacks(plan) == {f"{name}.yaml": (("env/types.yaml",),) for name in names}
    assert plan.undecided == ()
