"""Strings with characters that could break a printer come back unchanged from every reader of the output.

`python -m benchmarks.strings` does the same with a hundred thousand.
"""

from __future__ import annotations

import pathlib
import unicodedata
from typing import Any

import pytest
import regex
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import transpile
from emitters.hcl.tree import printer
from emitters.hcl.tree import strings as hcl
from emitters.hcl.tree.nodes import Traversal
from emitters.tosca import printer as tosca
from tests.support import oracles, strings
from tests.support.examples import examples
from transpile.diagnostics.model import Stopped
from transpile.format import canonical
from transpile.front import read_back
from transpile.model.budget import Budget
from transpile.model.ir import Entry, Lit, Map, Seq
from transpile.model.source import Source
from transpile.text import yaml_scalars as scalars

COUNT = 1000
SOURCE = Source("stack.yaml", "", budget=Budget())
TEXTS = st.integers(0, 10**6).map(lambda seed: strings.strings(1, seed)[0]) | st.text()
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("reader", strings.READERS)
def test_yaml_is_read_back(reader: str) -> None:
    """Embedded templates, TOSCA and HOT, by readers of YAML 1.1 and YAML 1.2."""
    assert list(strings.through_yaml(strings.strings(COUNT), strings.READERS[reader])) == []


@oracles.needs_terraform
def test_terraform_reads_them_back(tmp_path: pathlib.Path) -> None:
    """HCL, and the embedded templates as they are and as templatefile() makes them."""
    assert list(strings.through_terraform(strings.strings(COUNT, 2), tmp_path)) == []


@settings(max_examples=examples(200))
@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=3))
def test_any_document_is_laid_out_as_it_is_meant(document: dict[str, Any]) -> None:
    """A reader of YAML 1.2, which has other line ends and other words for booleans, agrees, too."""
    text = tosca.print_document(document, SOURCE)
    assert strings.ruamel(text) == yaml.load(text, yaml.CSafeLoader) == document
    assert yaml.load(f"a: {scalars.print_flow(document)}", yaml.CSafeLoader) == {"a": document}


@settings(max_examples=examples(200))
@given(st.dictionaries(TEXTS.filter(lambda text: text != "<<"), TEXTS, max_size=4))
def test_fmt_keeps_them(value: dict[str, str]) -> None:
    """No character makes fmt refuse its own text, in values or in keys."""
    template = {"heat_template_version": "2018-08-31", "resources": {"r": {"type": "T", "metadata": value}}}
    done = canonical.format_text(
        Source("t.yaml", yaml.safe_dump(template, allow_unicode=False, sort_keys=False), budget=Budget())
    )
    assert list(done.diagnostics) == []
    assert yaml.load(done.text, yaml.CSafeLoader)["resources"]["r"].get("metadata", {}) == value


def test_a_line_separator_makes_no_structure() -> None:
    """A note in a resource that stays with Heat does not become a resource."""
    note = "a\u2028resources:\u2028  evil:\u2028    type:\u2028      OS::Nova::Server"
    resource = {"type": "OS::Heat::UpdateWaitConditionHandle", "metadata": {"note": note, note: 1}}
    source = strings.template(resources={"good": resource})
    files = {to: strings.converted(source, to) for to in ("hcl", "hot")}
    for text in (files["hcl"]["templates/good.yaml"], files["hot"]["template.yaml"]):
        read = yaml.load(text, yaml.CSafeLoader)
        assert list(read["resources"]) == ["good"]
        assert read["resources"]["good"]["metadata"] == {"note": note, note: 1}


def test_a_comment_ends_where_yaml_ends_it() -> None:
    """Text after a line separator is structure, as for Heat, and not also part of the comment."""
    text = "heat_template_version: 2018-08-31\nresources:\n  a: {type: A}  # one\u2028  b: {type: B}\n"
    done = canonical.format_text(Source("t.yaml", text, budget=Budget()))
    assert list(yaml.load(done.text, yaml.CSafeLoader)["resources"]) == ["a", "b"]
    assert done.text.count("type: B") == 1


def test_long_keys() -> None:
    """YAML limits keys to 1024 characters, unless they are marked."""
    long = "k" * 5000
    template = strings.template(resources={"r": {"type": "Own::Type", "metadata": {long: [1], "a": {long: 2}}}})
    for to in ("hcl", "hot"):
        (text,) = (t for name, t in strings.converted(template, to).items() if name.endswith(".yaml"))
        assert yaml.load(text, yaml.CSafeLoader)["resources"]["r"]["metadata"] == {long: [1], "a": {long: 2}}
    assert strings.pyyaml(tosca.print_document({long: {"a": [long]}}, SOURCE)) == {long: {"a": [long]}}


def test_a_kept_block_takes_no_blank_line() -> None:
    """Two resources whose last texts end in newlines are set apart by nothing that belongs to the first."""
    own = {"type": "Own::Type", "metadata": {"text": "x\n\n"}}
    read = strings.pyyaml(strings.converted(strings.template(resources={"a": own, "b": own}), "hot")["template.yaml"])
    assert [resource["metadata"]["text"] for resource in read["resources"].values()] == ["x\n\n", "x\n\n"]


def test_an_accent_behind_an_escape_is_one() -> None:
    """Terraform makes the files that it reads NFC, and `\\x0c` with an accent behind it would lose its c."""
    text = scalars.quote_if_needed("\x0c\u0301")
    assert unicodedata.is_normalized("NFC", text)
    assert strings.pyyaml(text) == "\x0c\u0301"


# values that are read again


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a: b", {"a": "c"}),
        ("a: 1", {"a": "1"}),
        ("a: '1'", {"a": 1}),
        ("a: yes", {"a": "yes"}),
        ("a: null", {"a": ""}),
        ("a: 1", {"a": True}),
        ("a: 1.0", {"a": 1}),
        ("a: 2020-01-01", {"a": "2020-01-01"}),
        ("a: !!str 1", {"a": "1"}),
        ("a: &x b", {"a": "b"}),
        ("a: [b]", {"a": ["b", "c"]}),
        ("a: [b, c]", {"a": ["b"]}),
        ("a: {}", {"a": []}),
        ("a: b\nc: d", {"a": "b"}),
        ("a: b", {"a": "b", "c": "d"}),
        ("c: d\na: b", {"a": "b", "c": "d"}),
        ("a: b\n---\nc: d", {"a": "b"}),
        ("a: [", {"a": []}),
        ("a: \x1b", {"a": "\x1b"}),
        ("1: b", {"1": "b"}),
        ("a: b", Map((Entry("a", Lit("c")),))),
        ("a: [b]", Map((Entry("a", Seq((Lit("b"), Lit("b")))),))),
        ("", {}),
    ],
)
def test_other_text_is_refused(text: str, meant: Any) -> None:
    with pytest.raises(Stopped) as stopped:
        read_back.verify_written_yaml(text, meant, SOURCE)
    assert [d.code for d in stopped.value.diagnostics] == ["HOT903"]


@pytest.mark.parametrize("to", ["hcl", "tosca"])
def test_output_that_fails_verification_is_not_written(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A printer that lets a character through gives an error and no file."""
    monkeypatch.setattr(scalars, "is_plain_scalar", lambda text, flow: True)
    scalars.quote_if_needed.cache_clear()
    own = {"type": "Own::Type", "properties": {"a": "x: y"}}
    try:
        done = transpile.convert(strings.template(resources={"r": own}), to=to)
    finally:
        scalars.quote_if_needed.cache_clear()
    assert "HOT903" in {d.code for d in done.diagnostics}
    assert done.files == {}


@given(st.lists(TEXTS | st.just(Traversal(("p",))), max_size=5))
def test_a_template_file_is_read_as_it_is_meant(parts: list[str | Traversal]) -> None:
    """The inverse of the printer of files for templatefile(); the test with Terraform asks the real one."""
    text = hcl.print_template_file(parts, "jsonencode")
    meant = "".join(part if isinstance(part, str) else "<value>" for part in parts)
    assert hcl.render_template_file(text, "jsonencode", {"p": "<value>"}) == meant


@pytest.mark.parametrize("text", ["${p}", "${other(p)}", "%{ if p }", "${jsonencode(q)}", '${"a"}'])
def test_a_template_file_with_more_in_it_is_refused(text: str) -> None:
    assert hcl.render_template_file(text, "jsonencode", {"p": "<value>"}) is None


# HCL


def test_grapheme_extenders_are_those_of_unicode() -> None:
    """For every character: it clings if it is one grapheme with a letter before it."""
    cluster = regex.compile(r"\X")
    wrong = [
        hex(code)
        for code in range(0x110000)
        if not 0xD800 <= code < 0xE000
        and hcl.joins_previous_character(chr(code)) is not bool(cluster.fullmatch("a" + chr(code)))
    ]
    assert wrong == []


def test_keys_beyond_ascii_are_quoted() -> None:
    assert [printer.print_object_key(name) for name in ("a-b_1", "größe", "k\U0001193f", "for")] == [
        "a-b_1",
        '"größe"',
        '"k\U0001193f"',
        '"for"',
    ]


@pytest.mark.parametrize("char", [*strings.LINE_ENDS[1:], *strings.DIRECTIONS, "\x1b", "\x07", "\x9b", "\ufeff"])
def test_no_such_character_stands_in_hcl_as_it_is(char: str) -> None:
    """A string, a heredoc and a comment all escape it."""
    for text in (f"a{char}b", f"a{char}b\nc\n", f"${{a}}{char}"):
        assert char not in printer.print_expression(text, 2, 8)
    assert char not in printer.print_comment(f"a{char}b")
