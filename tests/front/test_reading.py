"""The front end reads templates as Heat does: scalars, versions, keys, comments, YAML and JSON, and both dialects.

PyYAML with Heat's one change (dates stay strings) decides about scalars, and real Heat about functions. No table of
ours is repeated here.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

import transpile
from transpile.front import template as templates
from transpile.front import yaml_reader
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.intrinsics import INTRINSICS
from transpile.model.records import replace
from transpile.model.source import Source

VERSION = "2018-08-31"


def read(text: str) -> tuple[ir.Template, list[str]]:
    template, sink = templates.read_template(Source("t.yaml", text, budget=Budget()))
    assert template is not None, [d.message for d in sink.diagnostics]
    return template, [d.code for d in sink.diagnostics]


def both(text: str) -> tuple[Any, Any]:
    """The data of a scalar or collection in an output, as we read it and as PyYAML reads it."""
    whole = f"heat_template_version: {VERSION}\noutputs:\n  x:\n    value: {text}\n  y: {{value: 1}}\n"
    template, _ = read(whole)
    return ir.to_data(template.outputs["x"].value), yaml.load(whole, Loader=HeatLoader)["outputs"]["x"]["value"]


class HeatLoader(yaml.SafeLoader):
    """The loader that Heat uses for templates."""


def as_text(loader: HeatLoader, node: yaml.ScalarNode) -> Any:
    return loader.construct_scalar(node)


HeatLoader.add_constructor("tag:yaml.org,2002:timestamp", as_text)

# fmt: off
SCALARS = [
    "0", "-0", "+1", "007", "0o7", "0x1F", "-0x1f", "0b101", "1_000", "12:30:45", "-1:00", "1.5", "1.50", "-.5", ".5",
    "1e3", "1.0e3", "1.0e+3", "1_0.5", ".inf", "-.Inf", ".nan", "190:20:30.15", "yes", "Yes", "YES", "no", "on",
    "Off", "true", "True", "TRUE", "tRUE", "false", "y", "n", "null", "Null", "~", "NULL", "none", "2018-08-31",
    "2018-08-31T10:00:00Z", "2001-12-14t21:59:43.10-05:00", "abc", "'yes'", '"no"', "'1'", '"\\u00e9"', "'it''s'",
    "1a", "1.2.3", "+a", "0x", "1e", "!!str 12", '!!int "12"', '!!float "1"', '!!bool "yes"', '!!null ""',
    "!!str yes",
]
# fmt: on


@example("~")
@given(
    st.one_of(
        st.sampled_from(SCALARS),
        st.text(alphabet="0123456789+-._:eExXbaf TZ", max_size=12),
        st.text(alphabet="yYeEsSnNoOtTrRuUfFaAlL~=<*", max_size=5),
        st.text(max_size=4),
    )
)
def test_the_kind_of_a_scalar_without_quotes(text: str) -> None:
    """As PyYAML's own patterns decide, except for text that no plain scalar can begin with."""
    assume(not text.startswith(("!", "&", "*")))
    expected = yaml.SafeLoader("").resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    assert yaml_reader.plain_tag(text) == expected


@pytest.mark.parametrize("text", SCALARS)
def test_scalars(text: str) -> None:
    actual, expected = both(text)
    assert (type(actual), repr(actual)) == (type(expected), repr(expected))


@pytest.mark.parametrize(
    "text",
    [
        "|\n      a\n      b\n",
        ">-\n      a\n      b\n\n      c\n",
        "|+\n      a\n\n",
        "|2-\n        indented\n      x\n",
        ">\n      a\n        more\n      b\n",
        '"a\n\n      b"',
        "plain\n      over lines",
        "{a: 1, 'b': [x, {c: ~}], 2: d}",
        "{<<: {a: 1, b: 2}, b: 3}",
        "{<<: [{a: 1}, {a: 2, c: 3}]}",
        "[&x [1], *x]",
    ],
)
def test_collections_and_block_scalars(text: str) -> None:
    actual, expected = both(text)
    assert actual == json.loads(json.dumps(expected))  # Heat treats keys as strings


KEYS = st.text(min_size=1).filter(lambda k: k not in INTRINSICS and k != "<<")
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
DATA = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4))


def printable(data: Any) -> bool:
    """Whether YAML and JSON can represent it: no lone surrogates."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@given(DATA.filter(printable))
def test_any_data_is_read_from_yaml_and_from_json(data: Any) -> None:
    """Output of any dumper is read back unchanged, and its YAML and JSON forms are the same template."""
    whole = {"heat_template_version": VERSION, "outputs": {"x": {"value": data}}}
    text = yaml.safe_dump(whole, sort_keys=False)
    by_yaml, _ = read(text)
    by_json, _ = read(json.dumps(whole))
    assert ir.to_data(by_yaml.outputs["x"].value) == data
    assert ir.to_data(by_json.outputs["x"].value) == data
    assert by_yaml.outputs == by_json.outputs


TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  p: {type: string, default: a}
conditions: {c: {equals: [{get_param: p}, a]}}
resources:
  one: {type: OS::Neutron::Net, condition: c}
  two:
    type: OS::Neutron::Subnet
    depends_on: one
    properties: {network: {get_resource: one}, cidr: {str_replace: {template: "$x.0/24", params: {$x: {get_param: p}}}}}
outputs:
  o: {value: {if: [c, {get_attr: [two, cidr]}, none]}}
"""


def test_equality_ignores_places_and_comments() -> None:
    """The same template with different whitespace, quotes and comments is equal and has the same hash."""
    other = TEMPLATE.replace("two:\n", "two:   # a comment\n\n").replace(
        "  p: {type: string, default: a}", "  p:\n    type: 'string'\n    default: \"a\""
    )
    first, second = read(TEMPLATE)[0], read(other)[0]
    assert first.resources == second.resources
    assert first.parameters == second.parameters
    assert first.outputs == second.outputs
    assert hash(first.resources["two"].properties) == hash(second.resources["two"].properties)
    assert first.resources != read(TEMPLATE.replace("cidr:", "name:"))[0].resources


def test_conditions_dependencies_and_intrinsics_are_kept() -> None:
    """Explicit dependencies are separate from references, and functions are kept as written."""
    template, _ = read(TEMPLATE)
    two = template.resources["two"]
    assert [d.name for d in two.depends_on] == ["one"]
    assert {r.name for r in two.refs if isinstance(r, ir.ResourceRef)} == {"one"}
    assert template.resources["one"].condition == ir.ConditionRef("c")
    cidr = two.properties.get("cidr")
    assert isinstance(cidr, ir.Call)
    assert cidr.fn == "str_replace"
    assert isinstance(template.outputs["o"].value, ir.If)


def test_places_lead_back_to_the_text() -> None:
    template, _ = read(TEMPLATE)
    for name, resource in template.resources.items():
        assert TEMPLATE[resource.at :].startswith(name)
    two = template.resources["two"].properties
    assert two is not None
    reference = two.get("network")
    assert reference is not None
    assert TEMPLATE[reference.at : reference.end] == "{get_resource: one}"


def test_the_last_of_a_key_that_occurs_twice_counts() -> None:
    """The last one counts, as in PyYAML, with a warning."""
    template, codes = read(f"heat_template_version: {VERSION}\noutputs:\n  a: {{value: 1}}\n  a: {{value: 2}}\n")
    assert ir.to_data(template.outputs["a"].value) == 2
    done = transpile.convert(f"heat_template_version: {VERSION}\noutputs:\n  a: {{value: 1}}\n  a: {{value: 2}}\n")
    assert [d.severity for d in done.diagnostics if d.code in codes] == ["warning"]


def test_a_cfn_template_is_the_same_resources() -> None:
    """Ref and Fn::GetAtt are the same references as get_resource and get_attr, and sections have the same meaning as in
    HOT.
    """
    template, _ = read(
        'HeatTemplateFormatVersion: "2012-12-12"\nMappings: {M: {a: {b: c}}}\nParameters: {P: {Type: String}}\n'
        "Resources:\n  A: {Type: OS::Neutron::Net}\n"
        "  B: {Type: OS::Neutron::Port, DependsOn: [A], DeletionPolicy: Retain, "
        'Properties: {network: {Ref: A}, name: {"Fn::GetAtt": [A, name]}, mac_address: {Ref: P}}}\n'
    )
    properties = template.resources["B"].properties
    assert properties is not None
    assert isinstance(properties.get("network"), ir.ResourceRef)
    assert isinstance(properties.get("name"), ir.AttrRef)
    assert isinstance(properties.get("mac_address"), ir.ParamRef)
    assert template.mappings["M"].get("a") is not None
    assert template.resources["B"].deletion_policy == ir.Lit("Retain")


def test_comments_are_found_outside_scalars_only() -> None:
    text = (
        f"heat_template_version: {VERSION}  # one\n# two\noutputs:\n  x:  # three\n    value: |  # four\n      # text\n"
        "      a#b\n  y: {value: 'a # no', # five\n    description: b#c}\n  # six\n"
    )
    template, _ = read(text)
    assert [c.text.strip() for c in template.comments] == ["one", "two", "three", "four", "five", "six"]


@pytest.mark.parametrize(
    ("argument", "codes"),
    [
        ("[a]", ["HOT130"]),
        ("{a: b}", ["HOT130"]),
        ("7", ["HOT130"]),
        ("true", ["HOT130"]),
        ("null", ["HOT130"]),
        ("text", []),
        ("{get_param: p}", []),
        ("{list_join: ['', [a, b]]}", []),
    ],
)
def test_a_function_that_takes_a_text_takes_nothing_else(
    argument: str, codes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heat has no such function that it checks when it reads a template, so one gets this shape here."""
    monkeypatch.setitem(INTRINSICS, "list_concat", replace(INTRINSICS["list_concat"], shape="text"))
    text = f"heat_template_version: {VERSION}\nparameters: {{p: {{type: string}}}}\n"
    assert read(text + f"outputs: {{x: {{value: {{list_concat: {argument}}}}}}}\n")[1] == codes


@pytest.mark.parametrize(
    ("value", "reported"),
    [
        ("{str_split: x}", True),
        ("{contains: [a, [b]]}", True),
        ("{contains: [a]}", False),
        ("{contains: [a, b, c]}", False),
        ("{digest: a}", False),
        ("{filter: {a: b}}", False),
    ],
)
def test_a_map_that_looks_like_a_call_of_a_later_version_is_reported(value: str, reported: bool) -> None:
    """`contains`, `digest` and `filter` are usual keys of data, and mean a call only before a pair."""
    _, codes = read(f"heat_template_version: 2013-05-23\noutputs: {{x: {{value: {value}}}}}\n")
    assert ("HOT134" in codes) == reported


def test_a_byte_order_mark_counts_no_column() -> None:
    """On no line, and with both readers of YAML: libyaml drops it."""
    text = "heat_template_version: 2018-08-31\nresources:\n  n: {type: OS::Neutron::Net, properties: {nam: x}}\n"
    for broken in (text, f"{text}outputs: [\n", "heat_template_version: 1999\n"):
        places = [
            [
                source.line_and_column(d.at)
                for d in transpile.convert(each, to="hot").diagnostics
                if (source := d.source)
            ]
            for each in (broken, f"\ufeff{broken}")
        ]
        assert places[0] == places[1] != []
