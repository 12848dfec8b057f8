"""PyYAML's own reader, as hot2tf uses it without libyaml: the same nodes at the same places, and the same refusals."""

from __future__ import annotations

import random
from typing import Any

import pytest
import yaml

from tests.support.cases import all_cases
from transpile.text.yaml_loader import PureLoader

SIGNS = (
    *(":", ": ", "- ", "\n", "  ", "\t", "[", "]", "{", "}", ",", "'", '"', "#", " #", "&a ", "*a", "|", ">"),
    *("?", "!"),
)
REFUSED = (
    ("a: [b:[c]]", "found unexpected ':'"),
    ("a: {b :[c]}", ""),
    ("a: b\n\tc", "found a tab character that violates indentation"),
    ("a: b: c", "mapping values are not allowed in this context"),
    ("a: b\n c: d", "mapping values are not allowed in this context"),
    ("a:\n  - b\n  c: d", "did not find expected '-' indicator"),
    ("a: b\n- c", "did not find expected key"),
    ("a: [b, c", "did not find expected ',' or ']'"),
    ("a: {b: c", "did not find expected ',' or '}'"),
    ("a: }", "did not find expected node content"),
    ("a: *b", "found undefined alias"),
    ("a: !x!y z", "found undefined tag handle"),
    ("a: @b", "found character that cannot start any token"),
    ("a: 'b", "found unexpected end of stream"),
    ('a: "\\q"', "found unknown escape character"),
    ("a: b\n...\nc", "did not find expected <document start>"),
)


def compose(loader: Any, text: str) -> Any:
    """The nodes of a text with their places, or its error."""
    reader = loader(text)
    try:
        return describe(reader.get_single_node())
    except yaml.MarkedYAMLError as e:
        return e.context, e.problem, e.problem_mark.index if e.problem_mark else None
    except yaml.YAMLError as e:
        return type(e).__name__
    finally:
        reader.dispose()


def describe(node: Any) -> Any:
    if node is None:
        return None
    place = node.start_mark.index, node.end_mark.index
    if isinstance(node, yaml.MappingNode):
        return node.tag, place, [(describe(key), describe(value)) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return node.tag, place, [describe(item) for item in node.value]
    return node.tag, place, node.value, node.style or ""  # libyaml has "" for none


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_templates_have_the_same_nodes(case: Any) -> None:
    for path in sorted(case.folder.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        assert compose(PureLoader, text) == compose(yaml.CSafeLoader, text), path


@pytest.mark.parametrize(("text", "problem"), REFUSED)
def test_errors_have_the_words_of_libyaml(text: str, problem: str) -> None:
    meant = compose(yaml.CSafeLoader, text)
    assert compose(PureLoader, text)[:2] == meant[:2]
    assert not problem or meant[1] == problem


@pytest.mark.parametrize(
    "text",
    [
        *("{a:   }", "{a:  , b}", "[a:  ]", "[a:  , b]", "{? a,  b}", "a:   \nb:", "-   \n- a"),
        *("? a\n:  \n", "{a: http://b/?c=d}"),
    ],
)
def test_values_that_are_not_written_stand_at_the_same_place(text: str) -> None:
    assert compose(PureLoader, text) == compose(yaml.CSafeLoader, text)


def test_damaged_templates_are_refused_alike() -> None:
    """Each text is a template with one or two signs put in or taken out. Both readers accept it with the same nodes, or
    both refuse it; the few that differ are counted, so that the number cannot grow unseen.
    """
    draw = random.Random(3)
    texts = [path.read_text() for case in all_cases()[::4] for path in sorted(case.folder.glob("input.yaml"))]
    accepted = worded = 0
    total = 1500
    for _ in range(total):
        text = draw.choice(texts)[:1500]
        for _ in range(draw.randint(1, 2)):
            at = draw.randrange(len(text))
            text = text[:at] + draw.choice(SIGNS) + text[at + draw.randint(0, 2) :]
        pure, meant = compose(PureLoader, text), compose(yaml.CSafeLoader, text)
        if is_refusal(pure) != is_refusal(meant) or (not is_refusal(pure) and pure != meant):
            accepted += 1
        elif pure != meant:
            worded += 1
    print(f"{total} texts: {accepted} accepted by one alone, {worded} refused in other words or at another place")
    assert accepted <= total // 100
    assert worded <= total // 20


def is_refusal(answer: Any) -> bool:
    return isinstance(answer, str) or (type(answer) is tuple and len(answer) == 3 and not isinstance(answer[1], tuple))
