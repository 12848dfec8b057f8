"""Canonical HOT: examples of the style, and the proof that formatting changes nothing.

Each example is text that a person would write, not text that the printer printed.
"""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import oracles
from tests.support.cases import all_cases
from tests.support.examples import examples
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.text.source import load_source

HEAD = "heat_template_version: 2018-08-31\n"


def formatted(text: str) -> str:
    """The canonical text. Fails if the text is left alone."""
    done = canonical.format_text(Source("template.yaml", textwrap.dedent(text), budget=Budget()))
    assert not done.diagnostics, done.diagnostics[0].message
    return done.text


EXAMPLES = {
    "sections and keys come in order": (
        """\
        outputs:
          o: {value: 1, description: one}
        resources:
          r:
            properties: {b: 1, a: 2}
            depends_on: [x]
            type: T
        heat_template_version: 2018-08-31
        parameters:
          p: {default: 1, type: number}
        """,
        """\
        heat_template_version: 2018-08-31

        parameters:
          p:
            type: number
            default: 1

        resources:
          r:
            type: T
            depends_on: [x]
            properties:
              b: 1
              a: 2

        outputs:
          o:
            description: one
            value: 1
        """,
    ),
    "scalars as Heat reads them, quoted where a reader could err": (
        """\
        heat_template_version: "2018-08-31"
        resources:
          r:
            type: T
            properties: {a: yes, b: 0755, c: ~, d: '1e3', e: 2013-05-23, f: "no", g: 1.50, y: 'a: "b', h: "", i: '# x'}
        """,
        """\
        heat_template_version: 2018-08-31

        resources:
          r:
            type: T
            properties:
              a: true
              b: 493
              c: null
              d: "1e3"
              e: "2013-05-23"
              f: "no"
              g: 1.5
              "y": 'a: "b'
              h: ""
              i: "# x"
        """,
    ),
    "references in flow style, other functions below their keys": (
        """\
        heat_template_version: 2018-08-31
        conditions: {c: {equals: [{get_param: p}, a]}, d: {not: c}}
        resources:
          r:
            type: T
            properties:
              name: {list_join: ['-', [{get_param: p}, web]]}
              networks: [{network: {get_resource: net}}]
              tags:
              - a
              - {get_attr: [net, name]}
              port: {get_attr: [a_resource_with_a_long_name, an_attribute_with_a_long_name, and, a, path]}
        """,
        """\
        heat_template_version: 2018-08-31

        conditions:
          c:
            equals: [{ get_param: p }, a]

          d:
            not: c

        resources:
          r:
            type: T
            properties:
              name:
                list_join: ["-", [{ get_param: p }, web]]
              networks:
                - network: { get_resource: net }
              tags: [a, { get_attr: [net, name] }]
              port:
                get_attr:
                  - a_resource_with_a_long_name
                  - an_attribute_with_a_long_name
                  - and
                  - a
                  - path
        """,
    ),
    "texts of several lines are literal, long descriptions folded": (
        """\
        heat_template_version: 2018-08-31
        description: "a description that is much too long for one line of eighty columns, as they often are"
        resources:
          r:
            type: T
            properties:
              script: "#!/bin/sh\\n  indented\\n\\nend\\n"
              none: "a\\nb"
              more: "a\\n\\n"
              tab: "a\\tb\\nc"
              last: "kept\\n"
        """,
        """\
        heat_template_version: 2018-08-31

        description: >-
          a description that is much too long for one line of eighty columns, as they
          often are

        resources:
          r:
            type: T
            properties:
              script: |
                #!/bin/sh
                  indented

                end
              none: |-
                a
                b
              more: |+
                a

              tab: |-
                a\tb
                c
              last: "kept\\n"
        """,
    ),
    "comments stay where they belong": (
        """\
        # the head

        parameters: # behind a section
            # above a
            a: {type: string} # behind a
            b:   # behind b

                # above the default
                default: [x, # first
                   z
                ]  # behind the list
                # above the type
                type: comma_delimited_list
            # below b
        #no blank
        heat_template_version: 2018-08-31  # version
        resources:
          r:
            type: T
            properties:
              script: |   # header
                text # no comment
              list:
              - 1

              # second
              - a: 1   # one
                b: 2
                # below the map
              # below the list
            # below the resource
        # the end
        """,
        """\
        # the head

        # no blank
        heat_template_version: 2018-08-31  # version

        parameters:  # behind a section
          # above a
          a:  # behind a
            type: string

          b:  # behind b
            # above the type
            type: comma_delimited_list

            # above the default
            default:
              - x  # first
              - z
              # behind the list
          # below b

        resources:
          r:
            type: T
            properties:
              script: |  # header
                text # no comment
              list:
                - 1

                # second
                - a: 1  # one
                  b: 2
                  # below the map
                # below the list
            # below the resource
        # the end
        """,
    ),
    "anchors are written out": (
        """\
        heat_template_version: 2018-08-31
        resources:
          a: &a
            type: T
            properties: &p {x: 1}
          b: *a
          c:
            type: T
            properties: {<<: *p, y: 2}
        """,
        """\
        heat_template_version: 2018-08-31

        resources:
          a:
            type: T
            properties:
              x: 1

          b:
            type: T
            properties:
              x: 1

          c:
            type: T
            properties:
              x: 1
              "y": 2
        """,
    ),
    "JSON becomes YAML": (
        '{"heat_template_version": "2018-08-31", "resources": {"r": {"type": "T", "properties": {"a": "\\u00e9\\n"}}}}',
        """\
        heat_template_version: 2018-08-31

        resources:
          r:
            type: T
            properties:
              a: "é\\n"
        """,
    ),
    "capabilities": (
        """\
        resources: {}
        capabilities: {resource_type: [A::B, C::D], deployment: puppet}
        heat_template_version: 2015-10-15
        """,
        """\
        heat_template_version: 2015-10-15

        capabilities:
          resource_type: [A::B, C::D]
          deployment: puppet

        resources: {}
        """,
    ),
    "what an environment requires": (
        """\
        resource_registry: {"A::B": [puppet/a.yaml, docker/a.yaml]}
        requires: {deployment: puppet}
        """,
        """\
        requires:
          deployment: puppet

        resource_registry:
          A::B: [puppet/a.yaml, docker/a.yaml]
        """,
    ),
    "environments": (
        """\
        parameters: {key: web, list: [a, b], nested: {a: {b: yes}}, text: "a\\nb\\n"}  # given

        # types; heat_template_version is no matter here
        resource_registry: {"My::Type": other.yaml}
        """,
        """\
        # types; heat_template_version is no matter here
        resource_registry:
          My::Type: other.yaml

        parameters:  # given
          key: web
          list: [a, b]
          nested:
            a:
              b: true
          text: |
            a
            b
        """,
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_style(name: str) -> None:
    """Every rule of the style."""
    before, after = EXAMPLES[name]
    assert formatted(before) == textwrap.dedent(after)
    assert formatted(after) == textwrap.dedent(after)


def test_nothing_is_written_that_cannot_be_proven() -> None:
    """Text that Heat reads only in part is left alone, with a diagnostic."""
    text = HEAD + "resources:\n  a: {type: T}\n  a: {type: U}\n"
    done = canonical.format_text(Source("template.yaml", text, budget=Budget()))
    assert (done.text, done.kind, [d.code for d in done.diagnostics]) == (text, "template", ["HOT904"])


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("AWSTemplateFormatVersion: '2010-09-09'\nResources: {}\n", ["HOT904"]),
        ("just: yaml\n", []),
        ("- a\n- list\n", []),
        ("not: [yaml\n", []),
        (HEAD + "not: [yaml\n", ["HOT101"]),
        (HEAD + "{% for x in y %}\na: {{ x }}\n{% endfor %}\n", ["HOT904"]),
        ("", []),
    ],
)
def test_documents_that_are_no_hot_are_left_alone(text: str, codes: list[str]) -> None:
    """Other documents stay as they are. A file that cannot be read is an error only if it claims to be a template."""
    done = canonical.format_text(Source("other.yaml", text, budget=Budget()))
    assert done.text == text
    assert [d.code for d in done.diagnostics] == codes


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [
        *("yes", "1e3", "0x1f", "~", "a: b", "a #b", "- a", "two\nlines", "two\nlines\n", " lead\nx", "x\n\n"),
        *("\ttab\nx", "'", '"'),
    ]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)


@settings(max_examples=examples(400))
@given(st.dictionaries(texts, values, max_size=4), st.sampled_from(["properties", "metadata"]))
def test_any_value_survives(value: dict[str, Any], where: str) -> None:
    """Any value in a template is read back unchanged, also by an independent YAML reader."""
    template = {"heat_template_version": "2018-08-31", "resources": {"r": {"type": "T", where: value}}}
    text = yaml.safe_dump(template, allow_unicode=True, sort_keys=False)
    done = canonical.format_text(Source("template.yaml", text, budget=Budget()))
    if done.diagnostics:  # values that YAML or Heat cannot represent
        assert {d.code for d in done.diagnostics} <= {"HOT102", "HOT110", "HOT904"}
        return
    before, after = (yaml.safe_load(t.rstrip()) for t in (text, done.text))
    after["heat_template_version"] = before["heat_template_version"]
    assert same(before, after)


def same(left: Any, right: Any) -> bool:
    """Equality that distinguishes True from 1 and 1 from 1.0, and treats keys as strings, as Heat does."""
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and list(map(str, left)) == list(map(str, right))
            and all(same(a, b) for a, b in zip(left.values(), right.values(), strict=True))
        )
    if isinstance(left, list):
        return isinstance(right, list) and len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


LINES = ["# one", "#two", "", "    ", "#!three", "# - a: b"]


@settings(max_examples=examples(300))
@given(st.data())
def test_comments_anywhere_survive(data: st.DataObject) -> None:
    """Comments and blank lines between any two lines, at any depth, and after any line are kept in place."""
    out = []
    for line in EXAMPLES["references in flow style, other functions below their keys"][1].splitlines():
        for extra in data.draw(st.lists(st.sampled_from(LINES), max_size=2)):
            out.append(" " * data.draw(st.integers(0, 12)) + extra)
        out.append(textwrap.dedent(line) if False else line[8:] + data.draw(st.sampled_from(["", "", "  # behind"])))
    text = "\n".join(out) + "\n"
    once = formatted(text)
    assert sorted(comments(text)) == sorted(comments(once))
    assert formatted(once) == once


def comments(text: str) -> list[str]:
    return [line.partition("#")[2].strip() for line in text.splitlines() if "#" in line]


@pytest.mark.parametrize("case", all_cases(), ids=lambda c: c.name)
def test_golden_inputs(case: Any) -> None:
    """Formatting works for every golden input, and a second run changes nothing."""
    source = load_source(case.input, None, Budget())
    done = canonical.format_text(source)
    codes = [d.code for d in done.diagnostics]
    if "heat_template_version" not in source.text:
        assert codes == ["HOT904"]
        return
    assert codes in ([], ["HOT904"])
    if not codes:
        assert canonical.format_text(Source("again.yaml", done.text, budget=Budget())).text == done.text


@oracles.needs_heat
@pytest.mark.parametrize("case", [c for c in all_cases() if not c.heat], ids=lambda c: c.name)
def test_heat_says_the_same(case: Any) -> None:
    """Real Heat still accepts the template, and every value resolves to the same result."""
    source = load_source(case.input, None, Budget())
    done = canonical.format_text(source)
    options = {"env": [str(e) for e in case.environments], "params": case.parameters}
    old: dict[str, Any] = {"template": str(case.input), **options}
    new: dict[str, Any] = {"body": done.text, "base": str(case.folder), **options}
    assert oracles.ask(op="validate", **old)["ok"] is oracles.ask(op="validate", **new)["ok"]
    before, after = (oracles.ask(op="eval", fill="all", unknown="none", plugin_deps=False, **t) for t in (old, new))
    for part in ("ok", "parameters", "conditions", "resources", "outputs"):
        assert before.get(part) == after.get(part), part
