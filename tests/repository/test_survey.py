"""A survey of a source tree finds stacks, nested templates, and other files."""

from __future__ import annotations

import json
import pathlib

import pytest

from tests.repository.trees import HOT, env, hot, tree
from transpile.repository.ignoring import WrongPattern
from transpile.repository.plan import MigrationPlan
from transpile.repository.survey import survey_tree


def stacks(plan: MigrationPlan) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The environments of each template's stacks."""
    environments: dict[str, tuple[tuple[str, ...], ...]] = {}
    for stack in plan.stacks:
        environments[stack.template] = (*environments.get(stack.template, ()), stack.environments)
    return environments


ALONE = ((),)


def test_every_kind_of_template_is_a_stack(tmp_path: pathlib.Path) -> None:
    cfn = {"AWSTemplateFormatVersion": "2010-09-09", "Resources": {}}
    src = tree(
        tmp_path,
        {
            "a.yaml": hot(),
            "b.yml": hot(),
            "c.hot": hot(),
            "d/e/f.template": json.dumps(cfn),
            "g.json": json.dumps(cfn),
            "h.json": json.dumps({"heat_template_version": "2021-04-16"}),
            "i.yaml": "HeatTemplateFormatVersion: '2012-12-12'\nResources: {}\n",
            "j.yaml": f"# {'a long licence ' * 1000}\n" + hot(),
            "k.j2.yaml": hot(),
            "l.yaml": hot() + "\f\n",  # Heat strips the end of a template
        },
    )
    plan = survey_tree(src)
    names = [
        *("a.yaml", "b.yml", "c.hot", "d/e/f.template", "g.json", "h.json", "i.yaml", "j.yaml"),
        *("k.j2.yaml", "l.yaml"),
    ]
    assert stacks(plan) == dict.fromkeys(names, ALONE)
    assert not any("cannot be read" in stack.why for stack in plan.stacks)
    assert (plan.nested, plan.others, plan.diagnostics) == ({}, {}, ())


def test_foreign_files_are_nothing(tmp_path: pathlib.Path) -> None:
    """Other tools have parameters, too, and texts about Heat have its words."""
    src = tree(
        tmp_path,
        {
            "azure.yaml": "parameters:\n  image: ubuntu\nsteps:\n  - script: make\n",
            "azure-template.yml": "parameters:\n  - name: image\n    type: string\n",
            "declared.yaml": "parameters:\n  image: {type: string, default: ubuntu}\n  size: {type: number}\n",
            "openapi.json": json.dumps({"openapi": "3.0.0", "components": {"parameters": {}}}),
            "interface.yaml": "parameters:\n  limit: {in: query, schema: {type: integer}}\n",
            "kubernetes.yaml": "kind: ConfigMap\ndata:\n  x.yaml: |\n    heat_template_version: 2013-05-23\n",
            "playbook.yml": "- hosts: all\n  tasks: []\n",
            "tosca.yaml": "tosca_definitions_version: tosca_2_0\nservice_template: {}\n",
            "empty.yaml": "",
            "prose.yaml": "- heat_template_version is a key\n",
            "broken.yaml": "a: [\n",
            "shell.env": "KEY=value\nparameters=1\n",
            "package-lock.json": json.dumps({"name": "x", "parameters": {"a": "b"}}),
            "values.tfvars.json": "[1, 2]",
        },
    )
    assert survey_tree(src) == MigrationPlan()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("parameters: {a: 1}\nresource_registry: {}\nsteps: []\n", "environments have no section steps"),
        ("parameters:\n  a: [\nresource_registry: {}\n", "cannot be read"),
        ("{% if x %}\nresource_registry: {}\n", "cannot be read"),
    ],
)
def test_files_like_environments_are_named_with_the_reason(tmp_path: pathlib.Path, text: str, why: str) -> None:
    plan = survey_tree(tree(tmp_path, {"x.yaml": text}))
    assert (plan.stacks, list(plan.others)) == ((), ["x.yaml"])
    assert why in plan.others["x.yaml"]


def test_files_that_make_no_stack_are_named_with_the_reason(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path,
        {
            "source.j2.yaml": HOT + "resources:\n{% for i in x %}\n  a{{ i }}: {type: OS::Heat::None}\n{% endfor %}\n",
            "charts.yaml": HOT + "resources:\n{{- range .Values.servers }}\n  a: {type: OS::Heat::None}\n{{- end }}\n",
            "named.yaml": HOT + "resources:\n{% for i in x %}\n  a{{ i }}: {type: OS::Heat::None}\n{% endfor %}\n",
            "settings.j2.yaml": "resource_registry:\n  {{ a }}: b\n",
            "home.yaml": "homing_template_version: 2018-02-01\nlocations: {}\n",
            "request.json": json.dumps({"name": "x", "template": {"homing_template_version": "2018-02-01"}}),
            "plugin.py": "from heat.engine import resource\n\n\ndef resource_mapping():\n    return {}\n",
            "module.py": "x = 'resource_mapping'\n",
            "alone.env": env("a"),
        },
    )
    plan = survey_tree(src)
    assert plan.stacks == ()
    words = {
        "alone.env": "environment that no template",
        "charts.yaml": "source of Go's template language",
        "home.yaml": "homing template",
        "named.yaml": "Jinja2 source: to render it, give it a name",
        "plugin.py": "plug-in",
        "request.json": "homing template",
        "settings.j2.yaml": "environment",
        "source.j2.yaml": "Jinja2 source",
    }
    assert list(plan.others) == list(words)
    assert [name for name, word in words.items() if word not in plan.others[name]] == []


def test_jinja2_sources_are_templates_if_there_are_values(tmp_path: pathlib.Path) -> None:
    src = tree(tmp_path, {"web.j2.yaml": hot() + "{{ x }}: 1\n", "web.env": env("a"), "set.j2": "{{ x }}: 1\n"})
    assert stacks(survey_tree(src)) == {}
    plan = survey_tree(src, rendered=True)
    assert (stacks(plan), plan.others) == ({"web.j2.yaml": (("web.env",),)}, {})


@pytest.mark.parametrize(
    "text",
    [
        HOT + "resources: [\n",
        "heat_template_version: 2030-01-01\n",
        HOT + "AWSTemplateFormatVersion: '2010-09-09'\n",
        HOT + "--- \n" + HOT,
        '{"heat_template_version": "2021-04-16",}',
        HOT.encode() + b"description: \xff\n",
        HOT.encode("utf-16"),
        HOT + "resources:\n" + "".join(f"  r{n}: 1\n" for n in range(200)),
    ],
)
def test_a_template_that_cannot_be_read_is_still_a_stack(tmp_path: pathlib.Path, text: str | bytes) -> None:
    """A conversion reports the mistake. Left out, the file would be lost."""
    plan = survey_tree(tree(tmp_path, {"x.yaml": text}))
    assert [(stack.template, "cannot be read: " in stack.why) for stack in plan.stacks] == [("x.yaml", True)]


def test_templates_that_others_refer_to_are_nested(tmp_path: pathlib.Path) -> None:
    """Names are relative to the file that has them."""
    body = """\
        heat_template_version: 2021-04-16
        resources:
          direct: {type: lib/a.yaml}
          url: {type: "file:///%s/lib/b.yaml"}
          stack: {type: OS::Heat::Stack, properties: {template: {get_file: lib/c.yaml}}}
          group: {type: OS::Heat::ResourceGroup, properties: {resource_def: {type: lib/d.yaml}}}
          scaled: {type: OS::Heat::AutoScalingGroup, properties: {resource: {type: lib/e.template}}}
          chain: {type: OS::Heat::ResourceChain, properties: {resources: [lib/f.yaml]}}
          old: {type: AWS::CloudFormation::Stack, properties: {TemplateURL: lib/g.template}}
          either: {type: OS::Heat::Value, properties: {value: {if: [c, {get_file: lib/h.yaml}, '']}}}
        conditions: {c: true}
        """
    inner = {f"lib/{name}.yaml": hot() for name in "bcdfh"}
    inner |= {f"lib/{name}.template": hot() for name in "eg"}
    inner |= {"lib/a.yaml": hot(a="deeper/z.yaml"), "lib/deeper/z.yaml": hot(), "deeper/z.yaml": hot()}
    plan = survey_tree(tree(tmp_path, {"main.yaml": body % tmp_path, **inner}))
    assert stacks(plan) == {"main.yaml": ALONE, "deeper/z.yaml": ALONE}
    assert plan.nested == {
        **{name: ("main.yaml",) for name in sorted(inner) if "deeper" not in name},
        "lib/deeper/z.yaml": ("lib/a.yaml",),
    }


def test_references_that_lead_nowhere_make_nothing_nested(tmp_path: pathlib.Path) -> None:
    outside = tree(tmp_path / "outside", {"x.yaml": hot()})
    files = hot(
        a="https://example.org/b.yaml", b="../outside/x.yaml", c="missing.yaml", d=f"{outside}/x.yaml", e="b.yml"
    )
    src = tree(tmp_path / "src", {"a.yaml": files, "b.yaml": hot(), "b.yml": hot()})
    plan = survey_tree(src)
    assert (list(stacks(plan)), plan.nested) == (["a.yaml", "b.yaml", "b.yml"], {})


def test_a_circle_has_one_root(tmp_path: pathlib.Path) -> None:
    """Heat refuses it, but it must not vanish from the migration."""
    src = tree(
        tmp_path,
        {
            "self.yaml": hot(a="self.yaml"),
            "b.yaml": hot(a="c.yaml"),
            "c.yaml": hot(a="b.yaml", z="d.yaml"),
            "d.yaml": hot(),
        },
    )
    plan = survey_tree(src)
    assert stacks(plan) == {"self.yaml": ALONE, "b.yaml": ALONE}
    assert plan.nested == {"b.yaml": ("c.yaml",), "c.yaml": ("b.yaml",), "d.yaml": ("c.yaml",)}


def test_a_registry_makes_templates_nested(tmp_path: pathlib.Path) -> None:
    registry = env(My__Server="lib/server.yaml", My__Other="lib/other.yaml")
    registry += "  resources:\n    single:\n      OS::Nova::Server: lib/single.yaml\n"
    src = tree(
        tmp_path,
        {
            "main.yaml": hot(server="My::Server"),
            "main.env": registry,
            "lib/server.yaml": hot(),
            "lib/single.yaml": hot(),
            "lib/other.yaml": hot(a="deep.yaml"),
            "lib/deep.yaml": hot(),
        },
    )
    plan = survey_tree(src)
    assert stacks(plan) == {"main.yaml": (("main.env",),), "lib/other.yaml": ALONE}
    assert plan.nested == {
        "lib/deep.yaml": ("lib/other.yaml",),
        "lib/other.yaml": ("main.env",),
        "lib/server.yaml": ("main.env",),
        "lib/single.yaml": ("main.env",),
    }
    assert plan.stacks[0].why == "only environments without a stack refer to it"


def test_a_template_can_be_both_root_and_nested(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path, {"a.yaml": hot(a="b.yaml"), "b.yaml": hot(), "deploy.sh": "openstack stack create -t b.yaml alone\n"}
    )
    plan = survey_tree(src)
    assert stacks(plan) == {"a.yaml": ALONE, "b.yaml": ALONE}
    assert plan.nested == {"b.yaml": ("a.yaml",)}
    assert plan.stacks[1].why == "command line in deploy.sh:1, which has no environment"


def test_ignored_and_excluded_files_are_left_out(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path,
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            ".git/info/exclude": "mine/\n",
            ".gitignore": "# comment\n/build/\n*.old.yaml\n!kept.old.yaml\n",
            "deep/.gitignore": "x.yaml\n!y.old.yaml\n",
            ".hidden/a.yaml": hot(),
            ".hidden.yaml": hot(),
            "a.yaml": hot(),
            "a.old.yaml": hot(),
            "kept.old.yaml": hot(),
            "build/a.yaml": hot(),
            "deep/build/a.yaml": hot(),
            "deep/x.yaml": hot(),
            "deep/y.old.yaml": hot(),
            "mine/a.yaml": hot(),
            "third/party/a.yaml": hot(),
        },
    )
    plan = survey_tree(src)
    expected = ["a.yaml", "deep/build/a.yaml", "deep/y.old.yaml", "kept.old.yaml", "third/party/a.yaml"]
    assert sorted(stacks(plan)) == expected
    plan = survey_tree(src, ["/third/", "!a.old.yaml", "deep/y*"])
    assert sorted(stacks(plan)) == ["a.old.yaml", "a.yaml", "deep/build/a.yaml", "kept.old.yaml"]
    assert plan.ignored == ("/third/", "!a.old.yaml", "deep/y*")
    with pytest.raises(WrongPattern, match="z-a"):
        survey_tree(src, ["[z-a]"])


def test_the_rules_of_the_repository_around_count(tmp_path: pathlib.Path) -> None:
    files = {".git/HEAD": "", ".gitignore": "/part/build/\n*.tmp.yaml\n", "part/.gitignore": "!b.tmp.yaml\n"}
    files |= {name: hot() for name in ("part/build/a.yaml", "part/a.yaml", "part/a.tmp.yaml", "part/b.tmp.yaml")}
    src = tree(tmp_path, files)
    assert sorted(stacks(survey_tree(src / "part"))) == ["a.yaml", "b.tmp.yaml"]
    assert sorted(stacks(survey_tree(src / "part" / "build"))) == ["a.yaml"]  # the user names an ignored folder


def test_output_of_hot2tf_is_left_out(tmp_path: pathlib.Path) -> None:
    """A template that stays with Heat stands in the Terraform directory, and is no source."""
    listed = json.dumps({"files": {"main.tf": "0", "templates/kept.yaml": "0"}})
    src = tree(tmp_path, {"out/.hot2tf.json": listed, "out/templates/kept.yaml": hot(), "out/mine.yaml": hot()})
    plan = survey_tree(src)
    assert list(stacks(plan)) == ["out/mine.yaml"]
    assert plan.others == {"out/.hot2tf.json": "the list of 2 files that hot2tf wrote, which were left out"}


def test_memory_saves_parsing_and_changes_nothing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "a.yaml": hot("x", b="b.yaml"),
        "b.yaml": hot(),
        "a.env": env("x", My__T="b.yaml"),
        "w.yaml": "parameters: 1\n",
    }
    src = tree(tmp_path, files)
    memory: dict[str, str] = {}
    first = survey_tree(src, memory=memory)
    assert first == survey_tree(src)
    with monkeypatch.context() as patch:
        patch.setattr("transpile.front.documents.compose_document", lambda *_, **__: pytest.fail("parsed"))
        assert survey_tree(src, memory=memory) == first
    damaged = dict.fromkeys(memory, '["template", 1]')
    assert survey_tree(src, memory=damaged) == first
    assert damaged == memory


def test_the_order_of_directories_does_not_matter(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{where}/{name}": text for where in "ab" for name, text in (("x.yaml", hot("p")), ("y.env", env("p")))}
    src = tree(tmp_path, files)
    expected = survey_tree(src)
    import os

    scandir = os.scandir

    class Backwards:
        def __init__(self, path: str) -> None:
            self.entries = scandir(path)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return list(self.entries)[::-1]

        def __exit__(self, *_: object) -> None:
            self.entries.close()

    monkeypatch.setattr(os, "scandir", Backwards)
    assert survey_tree(src) == expected
    assert len(expected.stacks) == 2
