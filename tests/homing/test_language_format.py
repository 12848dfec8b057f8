"""The canonical form of homing templates, and the other arrangement of their objective.

`formats/NAME.before.yaml` is the text of a person, `formats/NAME.after.yaml` its canonical form, written by hand.
"""

from __future__ import annotations

import json
import pathlib
import textwrap
from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import transpile
from tests.conftest import Run
from tests.support.examples import examples
from transpile import targets
from transpile.format import canonical
from transpile.homing import resolve
from transpile.homing.formatting import linked_parts
from transpile.homing.model import LinkedHomingTemplate
from transpile.model.budget import Budget
from transpile.model.source import Source

FORMATS = pathlib.Path(__file__).parent / "formats"
NAMES = sorted(path.name.removesuffix(".before.yaml") for path in FORMATS.glob("*.before.yaml"))
ONE = "demands: {web: [{inventory_provider: aai, inventory_type: cloud}]}\n"


def formatted(text: str) -> str:
    done = canonical.format_text(Source("homing.yaml", text, budget=Budget()))
    assert not done.diagnostics, done.diagnostics[0].message
    assert done.kind == "homing template"
    return done.text


@pytest.mark.parametrize("name", NAMES)
def test_canonical_forms(name: str) -> None:
    before, after = ((FORMATS / f"{name}.{word}.yaml").read_text(encoding="utf-8") for word in ("before", "after"))
    assert formatted(before) == after
    assert formatted(after) == after


def test_json_becomes_yaml() -> None:
    demand = '{"inventory_type": "cloud", "inventory_provider": "aai"}'
    text = f'{{"homing_template_version": "2017-10-10", "demands": {{"web": [{demand}]}}}}'
    assert formatted(text) == textwrap.dedent("""\
        homing_template_version: "2017-10-10"

        demands:
          web:
          - inventory_provider: aai
            inventory_type: cloud
        """)


def test_a_request_is_left_alone() -> None:
    text = '{"name": "a", "template": {"homing_template_version": "2017-10-10", "demands": {}}}'
    done = canonical.format_text(Source("request.json", text, budget=Budget()))
    assert done.text == text
    assert [(d.code, d.severity) for d in done.diagnostics] == [("HOT904", "info")]


def test_a_key_that_occurs_twice_is_left_to_its_author() -> None:
    text = f'homing_template_version: "2017-10-10"\n{ONE}{ONE}'
    done = canonical.format_text(Source("homing.yaml", text, budget=Budget()))
    assert done.text == text
    assert [d.code for d in done.diagnostics] == ["HOT904"]


# any template

NAME = st.sampled_from(["web", "db", "cache"])
TEXT = st.text("abc <>=:#-'\"\\{}[],&*!|%@`\n\té\u00a0", max_size=8)
FLOAT = st.floats(allow_nan=False, allow_infinity=False)
SCALAR = st.one_of(st.none(), st.booleans(), st.integers(-9, 99), FLOAT, TEXT)
VALUE: st.SearchStrategy[Any] = st.recursive(
    SCALAR, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)), max_leaves=6
)
THRESHOLD = st.one_of(
    st.builds("{}{}{}{}{}".format, st.sampled_from(["<", ">", "<=", ">=", "=", ""]), st.sampled_from(["", " ", "  "]),
              st.integers(0, 999), st.sampled_from(["", " "]), st.sampled_from(["km", "mi", ""])),
    st.sampled_from(["10-20 km", "20 - 10mi", 250, 2.5]),
)  # fmt: skip
TERM = st.one_of(
    st.builds(lambda d: {"distance_between": ["here", d]}, NAME),
    st.builds(lambda w, d: {"product": [{"distance_between": [d, "here"]}, w]}, st.integers(-5, 5), NAME),
)
CONSTRAINT = st.one_of(
    st.builds(
        lambda t, d: {"demands": d, "type": "distance_to_location", "properties": {"location": "here", "distance": t}},
        THRESHOLD,
        NAME,
    ),
    st.builds(lambda v: {"properties": {"evaluate": {"a": v}}, "type": "attribute", "demands": ["web", "db"]}, VALUE),
    st.builds(lambda v: {"type": "vim_fit", "demands": "web", "properties": {"request": v, "controller": "x"}}, VALUE),
    VALUE,
)
TEMPLATE = st.fixed_dictionaries(
    {
        "optimization": st.builds(lambda terms: {"minimize": {"sum": terms}}, st.lists(TERM, min_size=1, max_size=3)),
        "constraints": st.dictionaries(TEXT, CONSTRAINT, max_size=3),
        "demands": st.fixed_dictionaries(
            {
                name: st.lists(
                    st.builds(lambda v: {"region": v, "inventory_type": "cloud", "inventory_provider": "aai"}, SCALAR),
                    min_size=1,
                    max_size=2,
                )
                for name in ("web", "db", "cache")
            }
        ),
        "homing_template_version": st.sampled_from(["2017-10-10", "2018-02-01"]),
        "locations": st.just({"here": {"longitude": 1.5, "latitude": "0"}}),
        "parameters": st.dictionaries(TEXT, VALUE, max_size=2),
    }
)


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEMPLATE, st.booleans())
def test_formatting_changes_no_meaning(template: dict[str, Any], flow: bool) -> None:
    """The proof that each run makes holds: no text is left alone. And YAML sees the same demands in the same order."""
    text = yaml.safe_dump(template, sort_keys=False, default_flow_style=flow, allow_unicode=True)
    after = formatted(text)
    assert formatted(after) == after
    original, other = (
        resolve.load_homing_template(Source("homing.yaml", t, budget=Budget()))[0] for t in (text, after)
    )
    assert (original is None) == (other is None)
    if original is not None and other is not None:
        assert linked_parts(original) == linked_parts(other)
    again = yaml.safe_load(after)
    assert [*again["demands"].items()] == [*template["demands"].items()]
    assert again["parameters"] == yaml.safe_load(text)["parameters"]


# the other arrangement

OLD = f"""\
homing_template_version: "2018-02-01"
parameters: {{w: 7}}
{ONE}locations: {{here: {{latitude: 1, longitude: 2}}}}
optimization: {{minimize: {{sum: %s}}}}
"""


def converted(text: str, version: str, engine: str = "") -> transpile.Conversion:
    options = {"version": version} | ({"engine": engine} if engine else {})
    return transpile.convert(text, to="homing", options=options)


def objective(text: str) -> Any:
    return yaml.safe_load(text)["optimization"]


@pytest.mark.parametrize("engine", ["", "has"])
def test_a_distance_stays_one_and_for_has_gets_the_cost(engine: str) -> None:
    done = converted(OLD % "[{product: [{get_param: w}, {distance_between: [web, here]}]}]", "2020-08-13", engine)
    assert done.ok, [d.message for d in done.diagnostics]
    weight = 7 if engine else {"get_param": "w"}  # HAS refuses a parameter there
    distance = {"function": "distance_between", "params": {"demand": "web", "location": "here"}, "weight": weight}
    cost = {"function": "attribute", "params": {"demand": "web", "attribute": "cost"}, "weight": weight}
    assert objective(str(done.files["homing.yaml"])) == {
        "goal": "minimize",
        "operation_function": {"operator": "sum", "operands": [distance, cost] if engine else [distance]},
    }
    notes = [d.severity for d in done.diagnostics if "adds the cost" in d.message]
    assert notes == ([] if engine else ["info"])


@pytest.mark.parametrize(
    "terms",
    [
        "[{distance_between: [here, web]}]",
        "[{product: [3, {distance_between: [here, web]}]}, {distance_between: [here, web]}]",
        "[{product: [2.5, {distance_between: [here, web]}]}]",
    ],
)
@pytest.mark.parametrize("engine", ["", "has"])
def test_there_and_back(terms: str, engine: str) -> None:
    there = converted(OLD % terms, "2020-08-13", engine)
    assert there.ok
    back = converted(str(there.files["homing.yaml"]), "2018-02-01", engine)
    assert back.ok, [d.message for d in back.diagnostics]
    assert objective(str(back.files["homing.yaml"])) == objective(OLD % terms)


def test_inner_sums_are_multiplied_out() -> None:
    products = ", ".join(f"{{product: [{weight}, {{distance_between: [here, web]}}]}}" for weight in (3, 4))
    inner = f"[{{product: [2, {{sum: [{products}]}}]}}]"
    goal = objective(str(converted(OLD % inner, "2020-08-13").files["homing.yaml"]))
    assert [operand["weight"] for operand in goal["operation_function"]["operands"]] == [6, 8]


def test_a_parameter_that_cannot_stay() -> None:
    done = converted(OLD % "[{product: [2, {get_param: w}, {distance_between: [here, web]}]}]", "2020-08-13")
    assert "HOT893" in [d.code for d in done.diagnostics]
    assert objective(str(done.files["homing.yaml"]))["operation_function"]["operands"][0]["weight"] == 14


NEW = OLD.replace("2018-02-01", "2020-08-13").replace("{minimize: {sum: %s}}", "{goal: %s, operation_function: %s}")
COST = "{function: attribute, params: {demand: web, attribute: %s}}"
FAR = "{function: distance_between, params: {demand: web, location: here}%s}"


@pytest.mark.parametrize(
    ("goal", "operator", "operands"),
    [
        ("maximize", "sum", COST % "cost"),
        ("minimize", "min", COST % "cost"),
        ("minimize", "sum", COST % "latency"),
        ("minimize", "sum", COST % "cost"),
        ("minimize", "sum", f"{FAR % ', normalization: {start: 1, end: 2}'}, {COST % 'cost'}"),
    ],
)
def test_forms_that_the_old_arrangement_lacks(goal: str, operator: str, operands: str) -> None:
    text = NEW % (goal, f"{{operator: {operator}, operands: [{operands}]}}")
    done = converted(text, "2018-02-01")
    assert [d.code for d in done.diagnostics if d.severity == "error"] == ["HOT895"]
    assert not done.files


def test_for_has_a_distance_without_its_cost_has_no_words_in_the_old_arrangement() -> None:
    text = NEW % ("minimize", f"{{operator: sum, operands: [{FAR % ''}]}}")
    refused = converted(text, "2018-02-01", "has")
    assert [d.code for d in refused.diagnostics if d.severity == "error"] == ["HOT895"]
    done = converted(text, "2018-02-01")
    assert objective(str(done.files["homing.yaml"])) == {"minimize": {"sum": [{"distance_between": ["here", "web"]}]}}


def test_hpa_scores_have_no_counterpart() -> None:
    entry = "{id: a, type: b, directives: [1], flavorProperties: [%s]}"
    entry %= "{hpa-feature: c, hpa-version: v1, architecture: d, mandatory: 'True', directives: [], %s}"
    entry %= "hpa-feature-attributes: []"
    hpa = f"constraints: {{h: {{type: hpa, demands: web, properties: {{evaluate: [{entry}]}}}}}}\n"
    done = converted(hpa + OLD % "[{product: [1, {hpa_score: [web]}]}]", "2020-08-13")
    assert [d.code for d in done.diagnostics if d.severity == "error"] == ["HOT895"]
    assert not done.files


def test_of_a_request_only_the_template_is_written() -> None:
    template = {"homing_template_version": "2017-10-10", "demands": yaml.safe_load(ONE)["demands"]}
    done = transpile.convert(json.dumps({"name": "n", "template": template}), to="homing")
    assert ("info", "Of the request only the template is written.") in [
        (d.severity, d.message) for d in done.diagnostics
    ]
    assert "name" not in yaml.safe_load(str(done.files["homing.yaml"]))


def test_values_given_are_written() -> None:
    done = transpile.convert(OLD % "[{distance_between: [here, web]}]", to="homing", parameters={"w": "9"})
    assert yaml.safe_load(str(done.files["homing.yaml"]))["parameters"] == {"w": 9}


# targets


def test_a_converter_gets_the_linked_template_and_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    def names(linked: LinkedHomingTemplate, options: Mapping[str, Any]) -> targets.Output:
        text = "".join(f"{name} {options['mark']}\n" for name in linked.demands)
        return targets.Output({"names.txt": text}, {"parameters": {}}, [])

    converter = targets.Converter(names, options=(targets.Option("mark", "A mark.", default="!"),))
    target = targets.Target("names", lambda stack, options: targets.Output({}, {}, []))
    monkeypatch.setattr(targets, "find_target", lambda name: target)
    monkeypatch.setattr(targets, "find_converter", lambda key, name: converter)
    done = transpile.convert(OLD % "[{distance_between: [here, web]}]", to="names")
    assert done.files == {"names.txt": "web !\n"}
    assert done.report["target"] == "names"


def test_a_target_that_does_not_says_so() -> None:
    done = transpile.convert(OLD % "[{distance_between: [here, web]}]", to="hot")
    assert "HOT894" in [d.code for d in done.diagnostics]
    assert "homing" in done.diagnostics[0].hint


# commands


def test_check_fmt_and_convert_take_homing_templates(command: Run) -> None:
    path = pathlib.Path("homing.yaml")
    path.write_text('homing_template_version: "2019-01-01"\n' + ONE)
    ended = command("check", "homing.yaml")
    assert ended.status == 0
    assert "homing.yaml:1:26: warning HOT861" in ended.out
    assert command("check", "--engine", "has", "homing.yaml").status == 1
    assert command("check", "--engine", "heat", "homing.yaml").status == 2
    assert command("check", "--strict", "homing.yaml").status == 1
    assert command("fmt", "--check", ".").status == 1
    assert command("fmt", ".").status == 0
    assert path.read_text().startswith('homing_template_version: "2019-01-01"\n\ndemands:\n  web:\n  - inv')
    ended = command("convert", "homing.yaml", "--to", "homing", "--option", "version=2018-02-01")
    assert ended.status == 0
    assert ended.out.startswith('homing_template_version: "2018-02-01"\n')
    ended = command("convert", "homing.yaml", "--to", "hot")
    assert ended.status == 1
    assert "error HOT894" in ended.err


def test_values_and_the_inventory_of_check(command: Run) -> None:
    pathlib.Path("homing.yaml").write_text(
        f'homing_template_version: "2017-10-10"\nparameters: {{name: A}}\n{ONE}'
        "locations: {here: {host_name: {get_param: name}}}\n"
    )
    pathlib.Path("values.yaml").write_text("name: B\n")
    pathlib.Path("inventory.yaml").write_text(
        "candidates: [{candidate_id: a, inventory_type: cloud}]\nlocations: {B: {latitude: 1, longitude: 2}}\n"
    )
    assert command("check", "homing.yaml", "--inventory", "inventory.yaml").status == 1
    assert command("check", "homing.yaml", "--inventory", "inventory.yaml", "-e", "values.yaml").status == 0
    assert command("check", "homing.yaml", "--inventory", "inventory.yaml", "--parameter", "name=B").status == 0
    assert command("check", "homing.yaml", "--inventory", "gone.yaml").status == 1
