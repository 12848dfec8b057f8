"""The places of keys and values agree with tomllib: each piece of text, read alone, is the value."""

from __future__ import annotations

import time
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.settings import toml_places

TEXTS = {
    "scalars": "a = 1\n'b c' = \"x # y\"\n"
    "\"d\\u0065\" = 'lit'\ne.f . g = true\nh = 1979-05-27 07:32:00 # when\ni=-1.5e3\n",
    "long": 'a = """one ""two"" \\""" # no\n"""\nb = \'\'\'\nx\'\'\'\'\nc = """a"""""\nd = 4\n',
    "arrays": "a = [1, [2, 3], # no ]\n  {b = 'c', d.e = [ ]},\n  \"]\",\n]\nf = []\n",
    "tables": "[a]\nb = 1\n[a.c.\"d.e\"]\nf = 2\n[[g]]\nh = 3\n[[g]]\nh = 4\n[g.i]\nj = 5\n[[g.k]]\nl = 6\n",
    "windows": "a = 1\r\n[b]\r\nc = [\r\n 1,\r\n]\r\n",
}  # fmt: skip


def leaves(value: Any, path: toml_places.Path = ()) -> list[tuple[toml_places.Path, Any]]:
    """All values that are neither tables nor lists, by their paths."""
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [leaf for number, inner in enumerate(value) for leaf in leaves(inner, (*path, number))]
    return [(path, value)]


def check(text: str) -> None:
    read = tomllib.loads(text)
    places = toml_places.find_toml_places(text)
    for path, value in leaves(read):
        place = places[path]
        assert tomllib.loads(f"a = {text[place.value.at : place.value.end]}")["a"] == value
        if isinstance(path[-1], str):
            key = text[place.key.at : place.key.end]
            assert list(tomllib.loads(f"{key} = 1")) == [path[-1]]


@pytest.mark.parametrize("name", TEXTS)
def test_each_value_stands_at_its_place(name: str) -> None:
    check(TEXTS[name])


def test_an_array_of_tables_stands_at_its_first_header() -> None:
    place = toml_places.find_toml_places("a = 1\n[[g]]\nh = 3\n[[g]]\n")[("g",)].key
    assert (place.at, place.end) == (6, 11)


@given(
    st.dictionaries(
        st.sampled_from(["a", "b-c", '"d e"', "'f'", "g.h", '"i\\"#"']),
        st.recursive(
            st.sampled_from(["1", "true", '"x]"', "'#'", '"""a\n"b"#"""', "2020-01-01", "1.5"]),
            lambda inner: (
                st.lists(inner, max_size=3).map(lambda items: "[ " + ", # c\n ".join(items) + " ]")
                | st.lists(inner, max_size=2).map(
                    lambda items: "{" + ", ".join(f"k{n} = {item}" for n, item in enumerate(items)) + "}"
                )
            ),
            max_leaves=6,
        ),
        max_size=5,
    )
)
def test_each_value_of_any_text_stands_at_its_place(pairs: dict[str, str]) -> None:
    text = "".join(f"{key} = {value}  # end\n" for key, value in pairs.items())
    try:
        tomllib.loads(text)
    except ValueError:  # an inline table may not have lines in TOML 1.0
        return
    check(text)


def test_tables_have_the_place_of_their_header() -> None:
    text = TEXTS["tables"]
    places = toml_places.find_toml_places(text)
    assert text[places["g", 1].key.at : places["g", 1].key.end] == "[[g]]"
    assert places["g", 1].key.at > places["g", 0].key.at


def test_a_key_with_too_many_parts_is_found_quickly() -> None:
    """tomllib takes a time that grows with the square of their number."""
    begin = time.process_time()
    for text in (
        ".".join("a" * 50_000),
        "a" * 900_000,
        'x = "' + "b." * 400_000 + '"',
        '"a".' * 200_000,
        "'" * 900_000,
    ):
        toml_places.DOTTED.search(text)
    assert time.process_time() - begin < 2
    assert toml_places.DOTTED.search(".".join("a" * 60)) is not None
    assert toml_places.DOTTED.search("version = '1.2.3.4.5'") is None
