"""`convert --to hot` turns CFN into HOT and old HOT into new HOT with the same meaning.

Heat computes the values of both texts. Properties that Heat renames itself are compared under the names that the report
gives.
"""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import transpile
from tests.conftest import Run
from tests.support import oracles
from tests.support.cases import Case, all_cases

HOT = "heat_template_version: {}\n"
NOT_YET = {  # features that HOT lacks in combination: the zones and conditions; and paths into groups, which changed
    "cfn_functions": ["HOT591"],
    "group_members": ["HOT593"],
}


@pytest.mark.parametrize("case", all_cases(), ids=lambda c: c.name)
def test_every_golden_input_becomes_hot(case: Case) -> None:
    """All except those with features that HOT lacks. The output is already formatted."""
    done = case.convert("hot")
    assert [d.code for d in done.diagnostics if d.severity == "error"] == NOT_YET.get(case.name, [])
    for text in done.files.values():
        again = transpile.convert(str(text), to="hot", root=case.folder)
        assert again.files == done.files


@oracles.needs_heat
@pytest.mark.parametrize("case", [c for c in all_cases() if not c.heat and c.name not in NOT_YET], ids=lambda c: c.name)
def test_heat_makes_the_same_of_it(case: Case) -> None:
    """The same verdict, and the same values of conditions, properties and outputs."""
    done = case.convert("hot")
    options = {"env": [str(e) for e in case.environments], "params": case.parameters}
    old: dict[str, Any] = {"template": str(case.input), **options}
    new: dict[str, Any] = {"body": done.files["template.yaml"], "base": str(case.folder), **options}
    assert oracles.ask(op="validate", **old)["ok"] is oracles.ask(op="validate", **new)["ok"]
    before, after = (oracles.ask(op="eval", fill="all", unknown="none", plugin_deps=False, **t) for t in (old, new))
    assert before["conditions"] == after["conditions"]
    assert {n: o["value"] for n, o in before["outputs"].items()} == {n: o["value"] for n, o in after["outputs"].items()}
    for name, resource in before["resources"].items():
        report = done.report["resources"][name]["properties"]
        expected = renamed(resource.get("properties") or {}, report)
        assert expected == (after["resources"][name].get("properties") or {}), name
        for key in ("condition", "depends_on", "deletion_policy", "metadata", "type"):
            assert resource.get(key) == after["resources"][name].get(key), (name, key)


def renamed(value: Any, report: dict[str, Any], path: str = "") -> Any:
    """Resolved properties under their new names from the report."""
    if isinstance(value, dict):
        out = {}
        for key, inner in value.items():
            here = f"{path}.{key}" if path else key
            new = next(
                (
                    f["argument"].split(".")[here.count(".") + 1]
                    for p, f in report.items()
                    if f"{p}.".startswith(f"{here}.")
                ),
                key,
            )
            out[new] = renamed(inner, report, here)
        return out
    if isinstance(value, list):
        return [renamed(item, report, f"{path}.{i}") for i, item in enumerate(value)]
    return value


VALUE = "outputs: {o: {value: %s}}"
REPEAT = VALUE % "{repeat: {for_each: {'%%a%%': [b]}, template: '%%a%%'%s}}"
ODD = "2018-08-31\nparameters: {p: {type: number, constraints: [{modulo: {step: 2, offset: 0}}]}}"
GROUP = """2013-05-23
resources: {g: {type: OS::Heat::ResourceGroup, properties: {resource_def: {type: OS::Heat::None}}}}
outputs: {o: {value: {get_attr: [g, name, 0]}}}"""


@pytest.mark.parametrize(
    ("source", "to", "code", "place"),
    [
        ("2018-08-31\noutputs: {o: {value: {make_url: {host: a}}}}", "2015-10-15", "HOT592", 22),
        ("2018-08-31\noutputs: {o: {value: {list_join: [a, [b], [c]]}}}", "2014-10-16", "HOT592", 22),
        ("2021-04-16\noutputs: {o: {value: [{if: [c, a]}]}}\nconditions: {c: true}", "2018-08-31", "HOT592", 23),
        ("2018-08-31\nconditions: {c: true}", "2016-04-08", "HOT592", 14),
        (ODD, "ocata", "", 0),
        (
            "2018-08-31\nparameters: {p: {type: number, constraints: [{modulo: {step: 2, offset: 0}}]}}",
            "newton",
            "HOT592",
            46,
        ),
        ("2018-08-31\nresources: {r: {type: OS::Heat::None, external_id: x}}", "2016-04-08", "HOT592", 52),
        ("2018-08-31\nparameters: {p: {type: string, tags: [a]}}", "2013-05-23", "HOT592", 38),
        ("2018-08-31\noutputs: {o: {value: a, condition: true}}", "2016-04-08", "HOT592", 36),
        (f"2018-08-31\n{REPEAT % ''}", "2014-10-16", "HOT592", 22),
        (f"2018-08-31\n{REPEAT % ', permutations: false'}", "2016-04-08", "HOT592", 22),
        ("2018-08-31\noutputs: {o: {value: {get_attr: [r]}}}\nresources: {r: {type: a}}", "2014-10-16", "HOT592", 22),
        (
            "2013-05-23\n" + VALUE % "{str_replace: {template: a, params: {'Fn::Select': ['0', [b]]}}}",
            "wallaby",
            "HOT591",
            22,
        ),
        ("2015-04-30\noutputs: {o: {value: {yaql: {expression: a, data: b}}}}", "wallaby", "HOT593", 22),
        ("2015-04-30\noutputs: {o: {value: {yaql: {expression: a, data: b}}}}", "2015-10-15", "", 0),
        (GROUP, "wallaby", "HOT593", 22),
        ("2013-05-23\noutputs: {o: {value: {'Fn::GetAZs': ''}}}", "wallaby", "HOT591", 22),
        ("2013-05-23\noutputs: {o: {value: {'Fn::GetAZs': ''}}}", "2013-05-23", "", 0),
        ("2013-05-23\noutputs: {o: {value: {'Fn::Split': [a, b]}}}", "2013-05-23", "", 0),
    ],
)
def test_features_that_a_version_lacks_are_errors_at_their_place(source: str, to: str, code: str, place: int) -> None:
    """Impossible downgrades, and upgrades that would change the meaning."""
    done = transpile.convert(HOT.format(source).rstrip("\n") + "\n", to="hot", hot_version=to)
    errors = [d for d in done.diagnostics if d.severity == "error"]
    assert [d.code for d in errors] == ([code] if code else [])
    if code:
        assert done.files == {}
        assert errors[0].as_json()["column"] == place
    else:
        assert str(done.files["template.yaml"]).startswith(HOT.format(to))


def test_an_older_version_is_written_where_only_that_can_say_it() -> None:
    """This happens without --hot-version. A function that no version has, or two that no version has together, remain
    errors.
    """
    zones = "AWSTemplateFormatVersion: '2010-09-09'\nOutputs: {o: {Value: {'Fn::GetAZs': ''}}}\n"
    done = transpile.convert(zones, to="hot")
    assert [d.code for d in done.diagnostics] == ["HOT598"]
    assert done.files["template.yaml"] == (
        'heat_template_version: 2013-05-23\n\noutputs:\n  o:\n    value:\n      Fn::GetAZs: ""\n'
    )
    both = zones + "Conditions: {c: {'Fn::Equals': [a, a]}}\n"
    assert [d.code for d in transpile.convert(both, to="hot").diagnostics] == ["HOT591"]
    assert [d.code for d in transpile.convert(zones, to="hot", hot_version="wallaby").diagnostics] == ["HOT591"]


def test_the_command(command: Run, tmp_path: pathlib.Path) -> None:
    """To standard output, to a file that is not overwritten, and in a requested version."""
    (tmp_path / "old.yaml").write_text("heat_template_version: 2013-05-23\noutputs: {o: {value: yes}}\n")
    text = "heat_template_version: wallaby\n\noutputs:\n  o:\n    value: true\n"
    assert command("convert", "old.yaml", "--to", "hot") == (0, text, "0 resources.\n")
    done = command("convert", "old.yaml", "--to", "hot", "-o", "new/new.yaml", "--hot-version", "2018-08-31")
    assert (done.status, done.out, done.err) == (0, "", "0 resources; written to new/new.yaml.\n")
    assert (tmp_path / "new" / "new.yaml").read_text() == text.replace("wallaby", "2018-08-31")
    again = command("convert", "old.yaml", "--to", "hot", "-o", "new/new.yaml")
    assert (again.status, "HOT901" in again.err) == (1, True)
    assert command("convert", "old.yaml", "--to", "hot", "-o", "new/new.yaml", "--force").status == 0
    assert (tmp_path / "new" / "new.yaml").read_text() == text


def test_keys_that_heat_ignores_are_left_out() -> None:
    text = "AWSTemplateFormatVersion: '2010-09-09'\nResources: {r: {Type: OS::Heat::None, X: 1}}\n"
    text += "Outputs: {o: {Value: a, Y: 1}}\n"
    done = transpile.convert(text, to="hot")
    assert [(d.severity, text[d.at : d.end]) for d in done.diagnostics if d.code == "HOT595"] == [
        ("info", "X"),
        ("info", "Y"),
    ]
    assert not {"X", "Y"} & set(str(done.files["template.yaml"]))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--to", "hot", "--hot-version", "wallabi"], "Did you mean wallaby?"),
        (["--hot-version", "wallaby"], "--hot-version requires --to hot"),
    ],
)
def test_wrong_usage(args: list[str], message: str, command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.yaml").write_text(HOT.format("wallaby"))
    done = command("convert", "a.yaml", *args)
    assert done.status == 2
    assert message in done.err
