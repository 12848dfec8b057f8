"""Suggestions for a misspelt name: when one is certain, and which part of a text it replaces."""

from __future__ import annotations

import pickle

import pytest

from transpile.diagnostics.model import Diagnostic, Edit, Fix, Sink
from transpile.diagnostics.spelling import guess_name
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.model.span import Span


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("imagee", "image"),
        ("flavro", "flavor"),
        ("OS::Nova::Serverr", "OS::Nova::Server"),
        ("OS::Nova:Server", "OS::Nova::Server"),
        ("key-name", "key_name"),
        ("KeyName", "keyname"),
        ("availabilty_zoen", "availability_zone"),
        ("replcement_polciy", "replacement_policy"),
    ],
)
def test_typing_errors_are_certain(written: str, meant: str) -> None:
    guess = guess_name(written, [meant, "quite_another"])
    assert (guess.meant, guess.certain) == (meant, True)


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("port_1", ["port_2"]),  # the digits are why there are two
        ("subnet_a", ["subnet_b"]),  # so are letters that are words
        ("min_size", ["max_size"]),  # short words
        ("flavor_id", ["flavor"]),  # a word more
        ("faster", ["master"]),  # the first letter is seldom wrong
        ("imagee", ["image", "images"]),  # two are close
        ("NAME", ["name", "Name"]),  # two are the same but for case
    ],
)
def test_an_ambiguous_spelling_is_offered_and_not_certain(written: str, known: list[str]) -> None:
    guess = guess_name(written, known)
    assert guess.meant in known
    assert not guess.certain


def test_nothing_close_is_no_guess() -> None:
    guess = guess_name("image", ["network"])
    assert not guess
    assert str(guess) == ""


@pytest.mark.parametrize(
    ("text", "span", "fixed"),
    [
        ("{type: strng}", Span(7, 12), "{type: string}"),
        ("{type: 'strng'}", Span(7, 12), "{type: 'string'}"),  # a place that ends where the name would without quotes
        ("{get: [strng, strng-2]}", Span(0, 23), "{get: [string, strng-2]}"),  # a whole name, not the part of one
    ],
)
def test_the_fix_replaces_the_name_at_its_place(text: str, span: Span, fixed: str) -> None:
    sink = Sink(Source("a.yaml", text, budget=Budget()))
    sink.add("HOT125", "Unknown.", span, sink.guess_name("strng", ["string"]))
    (diagnostic,) = sink.diagnostics
    assert diagnostic.hint == "Did you mean string?"
    assert diagnostic.fix is not None
    (edit,) = diagnostic.fix.edits
    assert text[: edit.at] + edit.text + text[edit.end :] == fixed


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("[strng, strng]", "strng"),  # which of the two?
        (r'"str\x6eg"', "strng"),  # in other letters
        ("'it''s'", "it's"),  # quotes
    ],
)
def test_a_name_that_does_not_stand_there_once_has_no_fix(text: str, written: str) -> None:
    sink = Sink(Source("a.yaml", text, budget=Budget()))
    sink.add("HOT125", "Unknown.", Span(0, len(text)), sink.guess_name(written, ["string", "its"]))
    assert sink.diagnostics[0].hint
    assert sink.diagnostics[0].fix is None


def test_a_rendered_text_has_no_fixes_because_its_places_are_in_another() -> None:
    text = "type: strng"
    rendered = Source(
        "a.yaml",
        text,
        (Source("a.j2.yaml", "type: {{ a }}", budget=Budget()), [(0, 0, True), (6, 6, False)]),
        budget=Budget(),
    )
    sink = Sink(rendered)
    sink.add("HOT125", "Unknown.", Span(6, 11), sink.guess_name("strng", ["string"]))
    assert sink.diagnostics[0].fix is None


def test_a_diagnostic_with_a_fix_goes_into_sets_and_between_processes() -> None:
    fix = Fix("Replace a by b", (Edit(Span(0, 1), "b"),))
    diagnostic = Diagnostic("HOT125", "Unknown.", None, fix=fix)
    assert pickle.loads(pickle.dumps(diagnostic)).fix == fix
    assert len({diagnostic, Diagnostic("HOT125", "Unknown.", None)}) == 1  # a fix does not make it another finding
