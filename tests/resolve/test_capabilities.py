"""Capabilities: how they are read, how requirements choose a candidate, the output, and the two queries.

The expected results come from the specification, whose own examples come first, or from our interpretation in
docs/capabilities.md. Heat cannot be asked, because it never implemented capabilities.
"""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Sequence

import pytest

import transpile
from tests.conftest import Run
from tests.support.cases import GOLDEN
from tests.support.files import write_files
from transpile import checking, stack_evaluation
from transpile.diagnostics.model import Diagnostic
from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.ir import to_data
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.settings.table import Request
from transpile.text.source import Root

HOT = "heat_template_version: 2015-10-15\n\n"
PUPPET = HOT + "capabilities:\n   deployment: puppet\n"
DOCKER = HOT + "capabilities:\n   deployment: docker\n"
ENVIRONMENT = """\
requires:
   deployment: puppet

resource_registry:
   OS::TripleO::Controller: [puppet/controller.yaml, docker/controller.yaml]
"""
STACK = HOT + "resources:\n  controller: {type: OS::TripleO::Controller}\n"
SITE = {"stack.yaml": STACK, "puppet/controller.yaml": PUPPET, "docker/controller.yaml": DOCKER}


def convert(where: pathlib.Path, files: dict[str, str], *environments: str) -> transpile.Conversion:
    paths = []
    for number, text in enumerate(environments):
        paths.append(where / f"env{number}.yaml")
        paths[-1].write_text(text, encoding="utf-8")
    return transpile.convert(write_files(where, files) / "stack.yaml", environments=paths)


def chosen(done: transpile.Conversion, name: str = "controller", kind: str = "OS::TripleO::Controller") -> object:
    assert done.ok, messages(done.diagnostics)
    return done.report["resources"][name]["chosen"][kind]["template"]


def messages(diagnostics: Sequence[Diagnostic]) -> list[str]:
    return [f"{d.code} {d.severity} {d.message}" for d in diagnostics if d.code.startswith(("HOT16", "HOT21"))]


def place(diagnostic: Diagnostic) -> str:
    assert diagnostic.source is not None
    return diagnostic.source.text[diagnostic.at : diagnostic.end]


# the specification's own examples


def test_the_template_whose_capabilities_agree_is_chosen(tmp_path: pathlib.Path) -> None:
    """Resolution: Heat "would use the capabilities section to determine which of the two" to use."""
    assert chosen(convert(tmp_path, SITE, ENVIRONMENT)) == "puppet/controller.yaml"
    other = ENVIRONMENT.replace("deployment: puppet", "deployment: docker")
    assert chosen(convert(tmp_path, SITE, other)) == "docker/controller.yaml"


def test_zero_implementations_are_an_error(tmp_path: pathlib.Path) -> None:
    """Reported at the entry, with every candidate and why it was excluded. Nothing else is reported for the type."""
    done = convert(tmp_path, SITE, ENVIRONMENT.replace("deployment: puppet", "deployment: ansible"))
    (error,) = [d for d in done.diagnostics if d.severity == "error"]
    assert (error.code, place(error), done.files) == ("HOT162", "OS::TripleO::Controller", {})
    assert error.message == (
        "None of the candidates for OS::TripleO::Controller meets the requirements (deployment: ansible): "
        "puppet/controller.yaml has deployment: puppet; docker/controller.yaml has deployment: docker."
    )


def test_multiple_implementations_are_an_error(tmp_path: pathlib.Path) -> None:
    files = SITE | {"docker/controller.yaml": HOT + "capabilities: {deployment: [docker, puppet], tier: 2}\n"}
    (error,) = [d for d in convert(tmp_path, files, ENVIRONMENT).diagnostics if d.severity == "error"]
    assert (error.code, place(error)) == ("HOT163", "OS::TripleO::Controller")
    assert error.message == (
        "Several candidates for OS::TripleO::Controller meet the requirements (deployment: puppet): "
        "puppet/controller.yaml, docker/controller.yaml."
    )


def test_find_recurses_from_the_current_directory(command: Run, tmp_path: pathlib.Path) -> None:
    """Specific Type Query, with the shell's `./*` written out. Files that are not templates are skipped."""
    typed = HOT + "capabilities:\n   resource_type: OS::TripleO::Controller\n"
    both = HOT + (
        "capabilities:\n   resource_type: [OS::TripleO::ControllerPostDeployment,\n"
        "                   OS::TripleO::ComputePostDeployment]\n"
    )
    files = {"puppet/controller.yaml": typed, "docker/controller.yaml": typed, "puppet/post.yaml": both}
    write_files(tmp_path, files | {"env.yaml": ENVIRONMENT, "README.md": HOT + "is how a template\tbegins: so: it is"})
    asked = ("capabilities", "find", "-r", "-c", "resource_type=OS::TripleO::Controller")
    status, out, err = command(*asked, "./puppet", "./docker", "./env.yaml", "./README.md")
    assert (status, out, err) == (0, "puppet/controller.yaml\ndocker/controller.yaml\n", "")
    status, out, err = command("capabilities", "find", "-rc", "resource_type=OS::TripleO::ComputePostDeployment", ".")
    assert (status, out, err) == (0, "puppet/post.yaml\n", "")


def test_the_summary_has_the_values_of_each_capability(command: Run, tmp_path: pathlib.Path) -> None:
    """Capabilities Summary, both examples."""
    typed = HOT + "capabilities:\n   resource_type: OS::TripleO::Controller\n"
    write_files(tmp_path, SITE | {"p/controller.yaml": typed, "d/controller.yaml": typed})
    status, out, err = command("capabilities", "summary", "puppet/controller.yaml", "docker/controller.yaml")
    assert (status, json.loads(out), err) == (0, {"deployment": ["puppet", "docker"]}, "")
    status, out, err = command("capabilities", "summary", "p/controller.yaml", "d/controller.yaml")
    assert json.loads(out) == {"OS::TripleO::Controller": ["p/controller.yaml", "d/controller.yaml"]}
    assert (status, err) == (0, "")


# reading


@pytest.mark.parametrize(
    ("section", "wrong"),
    [
        ("[a, b]", "[a, b]"),
        ("puppet", "puppet"),
        ("{a: {b: c}}", "{b: c}"),
        ("{a: null}", "null"),
        ("{a: [b, [c]]}", "[c]"),
        ("{a: [b, null]}", "null"),
        ("{a: {get_param: p}}", "{get_param: p}"),
    ],
)
def test_a_malformed_section_is_said_at_its_place(section: str, wrong: str) -> None:
    source = Source("t", f"{HOT}parameters: {{p: {{type: string}}}}\ncapabilities: {section}\n", budget=Budget())
    for diagnostics in (
        templates.read_template(source)[1].diagnostics,
        templates.read_capabilities(source)[1].diagnostics,
    ):
        assert [(d.code, place(d)) for d in diagnostics] == [("HOT161", wrong)]


def test_every_version_of_hot_has_the_section_and_the_cfn_era_has_not() -> None:
    for version in ("2013-05-23", "2015-10-15", "2021-04-16", "wallaby"):
        template, sink = templates.read_template(
            Source("t", f"heat_template_version: {version}\ncapabilities: {{a: [b, 1, yes]}}", budget=Budget())
        )
        assert template is not None
        assert sink.diagnostics == []
        assert {name: to_data(entry.value) for name, entry in template.capabilities.items()} == {"a": ["b", 1, True]}
    _, sink = templates.read_template(
        Source("t", "AWSTemplateFormatVersion: '2010-09-09'\ncapabilities: {a: b}", budget=Budget())
    )
    assert [d.code for d in sink.diagnostics] == ["HOT120"]


@pytest.mark.parametrize(
    ("environment", "code", "wrong"),
    [
        ("requires: [a]\n", "HOT140", "requires"),
        ("requires:\n", "HOT140", "requires"),
        ("requires: {a: {b: c}}\n", "HOT161", "{b: c}"),
        ("requires: {a: [null]}\n", "HOT161", "null"),
        ("resource_registry: {A::B: []}\n", "HOT161", "[]"),
        ("resource_registry: {A::B: [a.yaml, 1]}\n", "HOT161", "1"),
        ("resource_registry: {A::B: [a.yaml, [b.yaml]]}\n", "HOT161", "[b.yaml]"),
        ("resource_registry: {A::*: [a.yaml, b.yaml]}\n", "HOT161", "[a.yaml, b.yaml]"),
        ("resource_registry: {resources: {r: {A::B: [null]}}}\n", "HOT161", "null"),
    ],
)
def test_a_malformed_environment_is_said_at_its_place(
    environment: str, code: str, wrong: str, tmp_path: pathlib.Path
) -> None:
    done = convert(tmp_path, {"stack.yaml": HOT}, environment)
    assert [(d.code, place(d)) for d in done.diagnostics] == [(code, wrong)]


def test_check_says_that_heat_has_no_such_section(command: Run, tmp_path: pathlib.Path) -> None:
    """There is one warning for each section, also in nested templates, and nothing else."""
    write_files(tmp_path, SITE | {"env.yaml": ENVIRONMENT})
    options = checking.CheckRequest(Request(environments=(str(tmp_path / "env.yaml"),)))
    diagnostics = checking.check_file(str(tmp_path / "stack.yaml"), options).diagnostics
    assert [(d.code, d.severity, place(d)) for d in diagnostics] == [
        ("HOT160", "warning", "capabilities"),
        ("HOT160", "warning", "requires"),
        ("HOT160", "warning", "OS::TripleO::Controller"),
        ("HOT160", "warning", "capabilities"),
    ]
    assert command("check", "env.yaml", "puppet/controller.yaml").status == 0
    (tmp_path / "only.yaml").write_text("requires: {deployment: puppet}\n")
    assert [
        d.code
        for d in checking.check_file(str(tmp_path / "only.yaml"), checking.CheckRequest(), inside=True).diagnostics
    ] == ["HOT160"]
    # not an environment of Heat's
    (tmp_path / "other.yaml").write_text("name: a role\nrequires: {ansible: 2}\n")
    assert checking.check_file(str(tmp_path / "other.yaml"), checking.CheckRequest(), inside=True).kind == ""


# resolution


def resolved(where: pathlib.Path, environment: str, **candidates: str) -> transpile.Conversion:
    """A conversion with candidates for Our::Part by name, each with its declarations."""
    files = {f"{name}.yaml": HOT + (f"capabilities: {{{text}}}\n" if text else "") for name, text in candidates.items()}
    registry = f"resource_registry: {{Our::Part: [{', '.join(f'{name}.yaml' for name in candidates)}]}}\n"
    return convert(
        where, {"stack.yaml": HOT + "resources: {part: {type: Our::Part}}\n", **files}, environment + registry
    )


@pytest.mark.parametrize(
    ("requires", "candidates", "expected"),
    [
        ("a: 1", {"x": "a: 1", "y": "a: 2"}, "x"),
        ("a: '1'", {"x": "a: 1", "y": "a: 2"}, "x"),  # values are compared as strings
        ("a: true", {"x": "a: 'true'", "y": "a: no"}, "x"),
        ("a: 1", {"x": "a: [2, 3]", "y": "a: [3, 1]"}, "y"),  # any value of the template
        ("a: [1, 2]", {"x": "a: 3", "y": "a: 2"}, "y"),  # any value of the environment
        ("a: [1, 2]", {"x": "a: [3, 4]", "y": "a: [5, 2]"}, "y"),
        ("a: 1", {"x": "a: 1, extra: x", "y": "a: 2"}, "x"),  # a template may declare more
        ("a: 1, other: x", {"x": "a: 1", "y": "a: 2"}, "x"),  # an environment may require more
        ("a: 1", {"x": "a: 1", "y": ""}, "x"),  # a candidate that declares nothing does not match
        ("a: 1, b: 1", {"x": "a: 1", "y": "b: 1", "z": "a: 1, b: 1"}, "z"),
        ("a: 1, b: 1", {"x": "a: 1, b: 2", "y": "a: 1, b: 1"}, "y"),
        ("a: 1", {"x": ""}, "x"),  # the only candidate
        ("a: 1", {"x": "resource_type: Our::Other", "y": "resource_type: [Our::Part, Our::Other]"}, "y"),
        ("a: 1", {"x": "resource_type: Our::Other, a: 1", "y": "a: 1"}, "y"),  # a type declares nothing
        ("a: 1", {"x": "resource_type: Our::Part, a: 2", "y": "a: 1"}, "y"),  # but resource_type decides as well
        ("a: null", {"x": "resource_type: Our::Other, a: 1", "y": "a: 2"}, "y"),  # null requires nothing
    ],
)
def test_requirements_that_agree(
    requires: str, candidates: dict[str, str], expected: str, tmp_path: pathlib.Path
) -> None:
    done = resolved(tmp_path, f"requires: {{{requires}}}\n", **candidates)
    assert chosen(done, "part", "Our::Part") == f"{expected}.yaml"


@pytest.mark.parametrize(
    ("requires", "candidates", "expected"),
    [
        (
            "a: 1",
            {"x": "a: 2", "y": ""},
            "HOT162 error None of the candidates for Our::Part meets the requirements (a: 1): x.yaml has a: 2; y.yaml "
            "does not declare a.",
        ),
        (
            "a: 1",
            {"x": "resource_type: Our::Other", "y": "resource_type: []"},
            "HOT162 error None of the candidates for Our::Part meets the requirements: x.yaml is for Our::Other; "
            "y.yaml is for no type.",
        ),
        (
            "a: 1, b: 1",
            {"x": "a: 1", "y": "b: 1"},
            "HOT162 error None of the candidates for Our::Part meets the requirements (a: 1, b: 1): x.yaml does not "
            "declare b; y.yaml does not declare a.",
        ),
        (
            "a: [1, 2]",
            {"x": "a: 1", "y": "a: 2", "z": "a: 3"},
            "HOT163 error Several candidates for Our::Part meet the requirements (a: 1 or 2): x.yaml, y.yaml. Ruled "
            "out: z.yaml has a: 3.",
        ),
        (
            "c: 1",
            {"x": "a: 1", "y": "a: 2"},
            "HOT163 error Several candidates for Our::Part remain, and no requirement distinguishes them: "
            "x.yaml, y.yaml.",
        ),
    ],
)
def test_requirements_that_contradict(
    requires: str, candidates: dict[str, str], expected: str, tmp_path: pathlib.Path
) -> None:
    done = resolved(tmp_path, f"requires: {{{requires}}}\n", **candidates)
    assert messages(done.diagnostics) == [expected]


def test_hints_name_possible_requirements(tmp_path: pathlib.Path) -> None:
    done = resolved(tmp_path, "", x="tier: 1, network: flat", y="tier: 1, network: [vlan, flat]")
    assert [d.help() for d in done.diagnostics] == ["Require network, one of flat, vlan."]
    done = resolved(tmp_path, "requires: {networks: flat}\n", x="network: flat", y="network: vlan")
    assert [d.help() for d in done.diagnostics] == ["Did you mean network?"]


def test_requirements_of_several_environments_are_merged(tmp_path: pathlib.Path) -> None:
    """Merged key by key: later ones win, and null changes nothing."""
    first = "requires: {deployment: docker, tier: 1}\n"
    assert chosen(convert(tmp_path, SITE, first, ENVIRONMENT)) == "puppet/controller.yaml"
    assert chosen(convert(tmp_path, SITE, ENVIRONMENT, first)) == "docker/controller.yaml"
    assert chosen(convert(tmp_path, SITE, ENVIRONMENT, "requires: {deployment: null}\n")) == "puppet/controller.yaml"


def test_a_later_environment_replaces_candidates(tmp_path: pathlib.Path) -> None:
    """It replaces them like any other registry entry. The replaced candidates are not read."""
    gone = "resource_registry: {'OS::TripleO::Controller': [gone.yaml, also_gone.yaml]}\n"
    done = convert(tmp_path, SITE, gone, ENVIRONMENT)
    assert chosen(done) == "puppet/controller.yaml"
    assert messages(done.diagnostics) == []


def test_names_are_relative_to_the_environment(tmp_path: pathlib.Path) -> None:
    files = {"stack.yaml": STACK, "envs/puppet/controller.yaml": PUPPET, "envs/docker/controller.yaml": DOCKER}
    write_files(tmp_path, {"envs/env.yaml": ENVIRONMENT})
    done = transpile.convert(write_files(tmp_path, files) / "stack.yaml", environments=[tmp_path / "envs/env.yaml"])
    assert chosen(done) == "puppet/controller.yaml"


def test_an_entry_for_one_resource_may_have_candidates(tmp_path: pathlib.Path) -> None:
    """A group, its members, and nested templates see the choice like any other entry."""
    stack = HOT + (
        "resources:\n  controller: {type: OS::TripleO::Controller}\n  inner: {type: inner.yaml}\n"
        "  group:\n    type: OS::Heat::ResourceGroup\n"
        "    properties: {count: 2, resource_def: {type: OS::TripleO::Controller}}\n"
    )
    files = SITE | {"stack.yaml": stack, "inner.yaml": STACK, "special.yaml": PUPPET}
    own = "  resources: {controller: {OS::TripleO::Controller: [docker/controller.yaml, special.yaml]}}\n"
    done = convert(tmp_path, files, ENVIRONMENT + own.replace("  ", "   ", 1))
    assert chosen(done) == "special.yaml"
    assert chosen(done, "group") == "puppet/controller.yaml"
    inner = done.report["modules"]["inner"]["report"]["resources"]["controller"]["chosen"]
    assert inner["OS::TripleO::Controller"]["template"] == "puppet/controller.yaml"


def test_a_candidate_may_be_a_type(tmp_path: pathlib.Path) -> None:
    """A type declares nothing, so it is the only candidate or is excluded. An alias of a type with candidates leads to
    the choice.
    """
    files = {"stack.yaml": HOT + "resources: {net: {type: Our::Net, properties: {name: n}}}\n", "x.yaml": PUPPET}
    done = convert(tmp_path, files, "resource_registry: {Our::Net: ['OS::Neutron::Net']}\n")
    assert chosen(done, "net", "Our::Net") == "OS::Neutron::Net"
    assert done.report["resources"]["net"]["addresses"] == ["openstack_networking_network_v2.net"]
    assert "# net: Our::Net is OS::Neutron::Net, the only candidate.\nresource" in str(done.files["main.tf"])
    entry = done.report["environments"]["env0.yaml"]["resource_registry.Our::Net"]
    assert (entry["as"], entry["to"]) == ("derived", "openstack_networking_network_v2.net")
    files["stack.yaml"] = HOT + "resources: {net: {type: Our::Net}}\n"
    environment = "resource_registry: {Our::Net: Our::Other, Our::Other: ['OS::Neutron::Net', x.yaml]}\n"
    done = convert(tmp_path, files, "requires: {deployment: puppet}\n" + environment)
    assert chosen(done, "net", "Our::Net") == "x.yaml"


@pytest.mark.parametrize("again", ["docker/controller.yaml", "./docker/controller.yaml"])
def test_a_candidate_named_twice_is_one(again: str, tmp_path: pathlib.Path) -> None:
    environment = ENVIRONMENT.replace("deployment: puppet", "deployment: docker").replace("]", f", {again}]")
    assert chosen(convert(tmp_path, SITE, environment)) == "docker/controller.yaml"


def test_a_candidate_that_is_not_there_falls_out(tmp_path: pathlib.Path) -> None:
    """A warning if another candidate is chosen, because nothing is missing then; otherwise an error."""
    files = {name: text for name, text in SITE.items() if not name.startswith("docker")}
    done = convert(tmp_path, files, ENVIRONMENT)
    assert chosen(done) == "puppet/controller.yaml"
    (warning,) = [d for d in done.diagnostics if d.code == "HOT215"]
    assert (warning.severity, place(warning)) == ("warning", "docker/controller.yaml")
    done = convert(tmp_path, files, ENVIRONMENT.replace("deployment: puppet", "deployment: docker"))
    assert [d.code for d in done.diagnostics if d.severity == "error"] == ["HOT162", "HOT215"]


def test_a_candidate_that_cannot_be_read_says_why(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, SITE | {"docker/controller.yaml": HOT + "resources: {a: [}\n"}, ENVIRONMENT)
    assert [(d.code, d.severity) for d in done.diagnostics] == [("HOT101", "warning")]
    done = convert(tmp_path, SITE | {"docker/controller.yaml": HOT + "capabilities: [a]\n"}, ENVIRONMENT)
    assert [(d.code, d.severity) for d in done.diagnostics] == [("HOT161", "warning")]
    done = convert(tmp_path, SITE | {"puppet/controller.yaml": PUPPET + "   other: {a: b}\n"}, ENVIRONMENT)
    assert [(d.code, d.severity) for d in done.diagnostics] == [("HOT161", "error")]  # this one is chosen


def test_a_candidate_outside_is_not_looked_at(tmp_path: pathlib.Path) -> None:
    """The choice is unknown: a conversion stops, and check leaves the type open."""
    (tmp_path / "in").mkdir()
    environment = ENVIRONMENT.replace("docker/", "../docker/")
    write_files(tmp_path, {"docker/controller.yaml": DOCKER})
    done = convert(tmp_path / "in", SITE, environment)
    assert [(d.code, d.severity) for d in done.diagnostics if d.severity == "error"] == [("HOT217", "error")]
    (tmp_path / "in/env0.yaml").write_text(environment.replace("deployment: puppet", "deployment: docker"))
    options = checking.CheckRequest(Request(environments=(str(tmp_path / "in/env0.yaml"),)))
    diagnostics = checking.check_file(str(tmp_path / "in/stack.yaml"), options).diagnostics
    assert {(d.code, d.severity) for d in diagnostics} == {("HOT160", "warning"), ("HOT217", "warning")}


def test_the_only_template_of_a_type_is_taken_with_any_capabilities(tmp_path: pathlib.Path) -> None:
    """There is no choice to make, as before capabilities. Contradicting declarations are a warning."""
    alone = "requires: {deployment: puppet}\nresource_registry: {'OS::TripleO::Controller': docker/controller.yaml}\n"
    done = convert(tmp_path, SITE, alone)
    assert done.ok
    assert messages(done.diagnostics) == [
        "HOT164 warning docker/controller.yaml is used for OS::TripleO::Controller, but has deployment: docker instead "
        "of puppet."
    ]
    typed = HOT + "capabilities: {resource_type: OS::TripleO::Compute}\n"
    done = convert(tmp_path, SITE | {"docker/controller.yaml": typed}, alone)
    assert messages(done.diagnostics) == [
        "HOT164 warning docker/controller.yaml is used for OS::TripleO::Controller, but is for OS::TripleO::Compute."
    ]
    assert messages(convert(tmp_path, SITE, alone.replace("puppet", "docker")).diagnostics) == []


def test_the_chosen_template_is_evaluated(tmp_path: pathlib.Path) -> None:
    part = HOT + "capabilities: {deployment: %s}\noutputs: {o: {value: %s}}\n"
    files = {name: part % (name, f"by {name}") for name in ("puppet", "docker")}
    stack = STACK + "outputs: {o: {value: {get_attr: [controller, o]}}}\n"
    write_files(tmp_path, {"stack.yaml": stack} | {f"{name}/controller.yaml": text for name, text in files.items()})
    (tmp_path / "env.yaml").write_text(ENVIRONMENT)
    template, _ = templates.read_template(Source("stack.yaml", stack, budget=Budget()))
    environment = environments.load_environment(tmp_path / "env.yaml", [], budget=Budget())
    assert template is not None
    assert environment is not None
    linked, diagnostics = linker.link_template(template, [environment], {}, Root(tmp_path), linker.LinkOptions("load"))
    assert diagnostics == []
    assert stack_evaluation.StackEvaluation(linked, stack_evaluation.Outside()).evaluate_output("o") == "by puppet"


# the output


def without_comments(content: str | bytes) -> str:
    text = content if isinstance(content, str) else content.decode()
    text = re.sub(r"^ *#.*\n", "", text, flags=re.M)
    return re.sub(r"\n{2,}", "\n", text).strip()


def test_the_choice_is_all_that_capabilities_change(tmp_path: pathlib.Path) -> None:
    """The golden case, and the same with the chosen templates named directly, give the same directory except for
    comments.
    """
    case = GOLDEN / "capabilities"
    for path in [case / "input.yaml", *case.glob("*/*.yaml")]:
        if path.parent.name not in ("hcl", "templates", "tosca"):
            text = re.sub(r"^capabilities:\n(?: .*\n)+", "", path.read_text(encoding="utf-8"), flags=re.M)
            assert "capabilities" not in text
            write_files(tmp_path, {path.relative_to(case).as_posix(): text})
    (tmp_path / "env.yaml").write_text(
        "resource_registry:\n  Our::Web: docker/web.yaml\n  Our::Store: store/ceph.yaml\n"
        "  Our::Spare: docker/web.yaml\n  resources: {special: {Our::Web: docker/special.yaml}}\n"
    )
    plain = transpile.convert(tmp_path / "input.yaml", environments=[tmp_path / "env.yaml"])
    environments = [case / "base.env.yaml", case / "site.env.yaml"]
    done = transpile.convert(case / "input.yaml", environments=environments)
    assert done.ok
    assert plain.ok
    others = (".hot2tf.json", "README.md")  # which say how they were made
    assert {n: without_comments(c) for n, c in done.files.items() if n not in others} == {
        n: without_comments(c) for n, c in plain.files.items() if n not in others
    }


def test_each_capability_and_requirement_has_a_fate(tmp_path: pathlib.Path) -> None:
    files = SITE | {"stack.yaml": STACK + "capabilities: {tier: [1, 2], site: north}\n"}
    done = convert(
        tmp_path, files, ENVIRONMENT + "parameters: {}\n", "requires: {deployment: puppet, tier: 1, none: null}\n"
    )
    assert {name: fate["as"] for name, fate in done.report["capabilities"].items()} == {
        "tier": "implied",
        "site": "implied",
    }
    assert "# Capabilities: tier: 1, 2; site: north.\n" in str(done.files["main.tf"])
    fates = done.report["environments"]
    assert {n: (f["as"], f.get("to")) for n, f in fates["env0.yaml"].items()} == {
        "resource_registry.OS::TripleO::Controller": ("derived", "module.controller"),
        "requires.deployment": ("implied", None),  # the later environment wins
    }
    assert {n: (f["as"], f.get("to")) for n, f in fates["env1.yaml"].items()} == {
        "requires.deployment": ("derived", "module.controller"),
        "requires.tier": ("implied", None),
        "requires.none": ("implied", None),
    }


def test_entries_for_single_resources_have_fates(tmp_path: pathlib.Path) -> None:
    """Entries for single resources have fates with and without candidates. Only hooks and restricted actions are left
    to Heat's engine.
    """
    own = "   resources: {controller: {OS::TripleO::Controller: docker/controller.yaml%s}}\n"
    done = convert(tmp_path, SITE, ENVIRONMENT + own % "")
    fates = done.report["environments"]["env0.yaml"]
    assert fates["resource_registry.resources.controller.OS::TripleO::Controller"]["to"] == "module.controller"
    assert fates["resource_registry.OS::TripleO::Controller"]["as"] == "implied"
    assert "HOT141" not in {d.code for d in done.diagnostics}
    done = convert(tmp_path, SITE, ENVIRONMENT + own % ", hooks: pre-create")
    assert [place(d) for d in done.diagnostics if d.code == "HOT141"] == ["resources"]


def test_embedded_templates_have_no_capabilities(tmp_path: pathlib.Path) -> None:
    """Heat would reject the section, so it becomes a comment."""
    stack = HOT + (
        "resources:\n  scaled:\n    type: OS::Heat::AutoScalingGroup\n"
        "    properties: {min_size: 1, max_size: 2, resource: {type: OS::TripleO::Controller}}\n"
    )
    done = convert(tmp_path, SITE | {"stack.yaml": stack}, ENVIRONMENT)
    text = str(done.files["templates/controller.yaml"])
    assert text.startswith("# Capabilities: deployment: puppet.\nheat_template_version: 2015-10-15\n")
    assert "\ncapabilities" not in text
    entry = done.report["environments"]["env0.yaml"]["requires.deployment"]
    assert entry["to"] == "openstack_orchestration_stack_v1.scaled"


def test_a_comment_stays_a_comment(tmp_path: pathlib.Path) -> None:
    """No value or name can end the comment."""
    wild = HOT + 'capabilities: {deployment: puppet, "a\\nb": "c\\u2028d\\x07e\\r\\nlocals {}"}\n'
    stack = HOT + (
        "resources:\n  scaled:\n    type: OS::Heat::AutoScalingGroup\n"
        "    properties: {min_size: 1, max_size: 2, resource: {type: OS::TripleO::Controller}}\n"
    )
    done = convert(tmp_path, SITE | {"stack.yaml": stack, "puppet/controller.yaml": wild}, ENVIRONMENT)
    first = str(done.files["templates/controller.yaml"]).partition("heat_template_version")[0]
    assert first == "# Capabilities: deployment: puppet; a b: c d·e locals {}.\n"


def test_hot_keeps_the_section_and_says_that_heat_refuses_it(tmp_path: pathlib.Path) -> None:
    text = HOT + "# why\ncapabilities:\n  # how\n  deployment: [puppet, 1]  # or so\n  tier: yes\n"
    path = write_files(tmp_path, {"stack.yaml": text}) / "stack.yaml"
    done = transpile.convert(path, to="hot", hot_version="2018-08-31")
    assert [d.code for d in done.diagnostics] == ["HOT160"]
    assert done.files == {
        "template.yaml": "heat_template_version: 2018-08-31\n\n# why\ncapabilities:\n  # how\n"
        "  deployment: [puppet, 1]  # or so\n  tier: true\n"
    }
    assert done.report["capabilities"] == {
        name: {"as": "value", "to": "capabilities", "argument": name} for name in ("deployment", "tier")
    }


# the commands


def test_find_wants_all_and_looks_only_into_capabilities(command: Run, tmp_path: pathlib.Path) -> None:
    broken = "resources: {a: {type: 1}, b: [x]}\nparameters: 7\n"
    write_files(
        tmp_path,
        {
            "a.yaml": HOT + "capabilities: {deployment: [puppet, docker], tier: 1}\n" + broken,
            "b.template": HOT + "capabilities: {deployment: puppet}\n",
            "c.json": '{"heat_template_version": "2015-10-15", "capabilities": {"deployment": "puppet", "tier": "1"}}',
            "d.yaml": HOT,
            "deep/e.yaml": PUPPET,
        },
    )
    asked = ("capabilities", "find", "-c", "deployment=puppet")
    assert command(*asked, ".") == (0, "a.yaml\nb.template\n", "")
    assert command(*asked, "-r", ".") == (0, "a.yaml\nb.template\ndeep/e.yaml\n", "")
    assert command(*asked, "-c", "tier=1", "c.json", ".", "a.yaml") == (0, "c.json\na.yaml\n", "")
    assert command(*asked, "-c", "deployment=docker", ".") == (0, "a.yaml\n", "")
    assert command(*asked, "-c", "deployment=ansible", ".") == (0, "", "")  # an answer, not an error


def test_unreadable_files_are_errors_and_the_rest_is_answered(command: Run, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"a.yaml": HOT + "capabilities: [a]\n", "b.yaml": HOT + "a: [}\n", "c.yaml": PUPPET})
    write_files(tmp_path, {"d.yaml": b"# heat_template_version \xff", "e.bin": b"\xff\xfe"})
    status, out, err = command("capabilities", "find", "-c", "deployment=puppet", ".", "e.bin", "nowhere.yaml")
    assert (status, out) == (1, "c.yaml\n")
    assert re.findall(r"^(\S+?):\d+:\d+: error (\w+)", err, re.M) == [
        ("a.yaml", "HOT161"),
        ("b.yaml", "HOT101"),
        ("d.yaml", "HOT102"),
        ("nowhere.yaml", "HOT113"),
    ]
    status, out, err = command("capabilities", "summary", ".", "--diagnostics", "json")
    assert (status, json.loads(out)) == (1, {"deployment": ["puppet"]})
    assert [d["code"] for d in json.loads(err)] == ["HOT161", "HOT101", "HOT102"]


@pytest.mark.parametrize(
    "given",
    [
        ("find", "."),
        ("find", "-c", "deployment", "."),
        ("find", "-c", "=puppet", "."),
        ("find", "-c", "a=b"),
        ("find", "-c", "a=b", ".", "--diagnostics", "xml"),
        ("summary",),
        ("summary", ".", "--diagnostics", "xml"),
        ("list",),
    ],
)
def test_wrong_usage(given: tuple[str, ...], command: Run) -> None:
    status, out, err = command("capabilities", *given)
    assert (status, out) == (2, "")
    assert err


def test_a_summary_keeps_kinds_and_order(command: Run, tmp_path: pathlib.Path) -> None:
    """Values appear once each, compared as strings. Capabilities come before types."""
    write_files(
        tmp_path,
        {
            "a.yaml": HOT + "capabilities: {resource_type: [B::B, A::A], tier: [2, yes], z: [é, .inf]}\n",
            "b.yaml": HOT + "capabilities: {tier: ['2', 1], resource_type: A::A}\n",
        },
    )
    status, out, err = command("capabilities", "summary", "b.yaml", ".")
    assert (status, err) == (0, "")
    assert list(json.loads(out).items()) == [
        ("tier", ["2", 1, True]),
        ("z", ["é", "inf"]),
        ("A::A", ["b.yaml", "a.yaml"]),
        ("B::B", ["a.yaml"]),
    ]


def test_a_summary_of_environments_has_their_names(command: Run, tmp_path: pathlib.Path) -> None:
    """Reads the templates of all entries. For a type with candidates it lists those that do not declare others."""
    environment = ENVIRONMENT + (
        "   Our::Alone: alone.yaml\n   Our::Net: OS::Neutron::Net\n"
        "   resources: {r: {Our::Part: [alone.yaml, typed.yaml]}}\n"
    )
    files = SITE | {"alone.yaml": HOT + "capabilities: {tier: 1}\n"}
    files |= {"typed.yaml": HOT + "capabilities: {resource_type: Our::Other}\n", "env/e.yaml": ENVIRONMENT}
    write_files(tmp_path, files | {"env.yaml": environment})
    status, out, err = command("capabilities", "summary", "docker", "-e", "env.yaml")
    assert (status, err) == (0, "")
    assert list(json.loads(out).items()) == [
        ("deployment", ["docker", "puppet"]),
        ("tier", [1]),
        ("OS::TripleO::Controller", ["puppet/controller.yaml", "docker/controller.yaml"]),
        ("Our::Part", ["alone.yaml"]),
        ("Our::Other", ["typed.yaml"]),
    ]
    status, out, err = command("capabilities", "summary", "-e", "env/e.yaml")
    assert (status, json.loads(out)) == (1, {})
    assert err.count("HOT215") == 2
