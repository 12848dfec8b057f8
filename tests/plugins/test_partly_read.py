"""A fact that only running a plug-in would show has a diagnostic at its place, and no property is refused for it."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from tests.plugins.support import facts, list_codes_with_lines, plugins, schema

UNREAD = ["constraints", "default", "required", "schema", "type"]


@pytest.mark.parametrize(
    ("before", "expression", "expected"),
    [
        ("import lib", "{'a': S(S.STRING, default=lib.X)}", {"a": {"type": "string", "unread": ["default"]}}),
        ("import lib", "{'a': S(S.STRING, required=lib.f())}", {"a": {"type": "string", "unread": ["required"]}}),
        ("import lib", "{'a': S(S.STRING, constraints=[constraints.Range(lib.X, 3)])}",
         {"a": {"type": "string", "unread": ["constraints"]}}),
        ("import lib", "{'a': S(S.STRING, constraints=lib.all())}",
         {"a": {"type": "string", "unread": ["constraints"]}}),
        ("import lib", "{'a': S(S.MAP, schema=lib.schema())}", {"a": {"type": "map", "unread": ["schema"]}}),
        ("import lib\n@lib.wrap\ndef text():\n    return S(S.STRING)", "{'a': text()}",
         {"a": {"type": "any", "unread": UNREAD}}),
        ("import lib", "{'a': lib.schema()}", {"a": {"type": "any", "unread": UNREAD}}),
        ("import os\nD = {'a': S(S.STRING)}\nif os.name():\n    D['b'] = S(S.MAP, required=True)", "D",
         {"a": {"type": "string"}, "b": {"type": "map", "unread": ["default", "presence", "required"]}}),
        ("import os\nX = 'x'\nif os.name():\n    X = 'y'", "{'a': S(S.STRING, default=X)}",
         {"a": {"type": "string", "unread": ["default"]}}),
        ("import os\nX = 'x' if os.name() else 'x'", "{'a': S(S.STRING, default=X)}",
         {"a": {"type": "string", "default": "x"}}),
        ("X = 'x' if properties.Newer else 'y'", "{'a': S(S.STRING, default=X)}",
         {"a": {"type": "string", "default": "x"}}),
    ],
)  # fmt: skip
def test_properties_that_are_partly_read(before: str, expression: str, expected: Any, tmp_path: pathlib.Path) -> None:
    assert schema(tmp_path, expression, before) == expected


@pytest.mark.parametrize(
    "change",
    [
        "lib.add(D)",
        "D.update(lib.more())",
        "D[lib.name()] = S(S.STRING)",
        "for n in lib.names():\n    D[n] = S(S.STRING)",
    ],
)
def test_a_schema_that_may_have_more_properties_is_open(change: str, tmp_path: pathlib.Path) -> None:
    before = f"import lib\nD = {{'a': S(S.STRING, required=True)}}\n{change}\n"
    type_facts = facts(tmp_path, f"{before}class R(resource.Resource):\n    properties_schema = D\n")
    assert type_facts["open"] is True
    assert type_facts["properties"] == {"a": {"type": "string", "unread": ["required"]}}


@pytest.mark.parametrize(
    "change",
    [
        "i = 1\nwhile i:\n    D['p%d' % i] = S(S.MAP)\n    i -= 1",
        "def names():\n    yield 'b'\nfor n in names():\n    D[n] = S(S.MAP)",
        "for n in sorted(['b']):\n    D[n] = S(S.MAP)",
        "for n in ['b'][:1]:\n    D[n] = S(S.MAP)",
        "D.setdefault('b', S(S.MAP))",
        "D['%s' % [['b']]] = S(S.MAP)",
        "D.clear()",
        "D = D | {'b': S(S.MAP)}",
    ],
)
def test_python_that_no_known_plug_in_has_opens_the_schema(change: str, tmp_path: pathlib.Path) -> None:
    """Nothing that it may add is refused, and nothing that it may remove is required."""
    before = f"D = {{'a': S(S.STRING, required=True)}}\n{change}\n"
    type_facts = facts(tmp_path, f"{before}class R(resource.Resource):\n    properties_schema = D\n")
    assert type_facts["open"] is True
    assert not any(property_facts.get("required") for property_facts in type_facts["properties"].values())


@pytest.mark.parametrize(
    "test",
    [
        "while True:\n    {0}\n    break",
        "match 1:\n    case 1:\n        {0}",
        "if 'b' in D:\n    {0}",
        "if 1 < 2:\n    {0}",
    ],
)
def test_a_block_under_a_test_that_no_known_plug_in_has_may_run(test: str, tmp_path: pathlib.Path) -> None:
    before = "D = {}\n" + test.format("D['b'] = S(S.MAP, required=True)")
    assert schema(tmp_path, "D", before) == {"b": {"type": "map", "unread": ["default", "presence", "required"]}}


def test_the_place_is_that_of_the_reason(tmp_path: pathlib.Path) -> None:
    """Each reason is reported once."""
    text = """\
        import lib

        DEFAULT = lib.default()


        class R(resource.Resource):
            properties_schema = {'a': S(S.STRING, default=DEFAULT)}


        class Q(R):
            pass


        def resource_mapping():
            return {'A::B': R, 'A::C': Q}
        """
    plugin_set = plugins(tmp_path, text)
    [diagnostic] = plugin_set.diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("HOT802", "info")
    assert diagnostic.source is not None
    assert diagnostic.source.text[diagnostic.at : diagnostic.end] == "lib.default()"
    assert plugin_set.types["A::B"].unread == ("the default of a",)


def test_a_base_class_that_is_not_known_opens_the_type(tmp_path: pathlib.Path) -> None:
    text = "import lib\nclass R(lib.Base):\n    pass\n\n\ndef resource_mapping():\n    return {'A::B': R}\n"
    plugin_set = plugins(tmp_path, text)
    assert plugin_set.types["A::B"].facts == {
        "properties": {}, "attributes": {}, "open": True, "any_attribute": True, "ref": "?", "snapshot": "?",
    }  # fmt: skip
    assert [code for code, _ in list_codes_with_lines(plugin_set)] == ["HOT805"]


def test_a_schema_of_its_own_hides_an_unknown_base(tmp_path: pathlib.Path) -> None:
    type_facts = facts(tmp_path, "import lib\nclass R(lib.Base):\n    properties_schema = {'a': S(S.STRING)}\n")
    assert (type_facts["properties"], type_facts.get("open")) == ({"a": {"type": "string"}}, None)


@pytest.mark.parametrize(
    ("head", "is_open"),
    [
        ("@lib.changed\nclass R(resource.Resource)", True),
        ("@six.add_metaclass(abc.ABCMeta)\nclass R(resource.Resource)", False),
        ("class R(resource.Resource, metaclass=lib.Meta)", True),
        ("class R(resource.Resource, metaclass=abc.ABCMeta)", False),
    ],
)
def test_a_decorator_or_metaclass_that_is_not_known_opens_the_type(
    head: str, is_open: bool, tmp_path: pathlib.Path
) -> None:
    type_facts = facts(tmp_path, f"import abc, lib, six\n{head}:\n    properties_schema = {{}}\n")
    assert (type_facts.get("open", False), type_facts.get("any_attribute", False)) == (is_open, is_open)


def test_defaults_of_the_configuration_count_until_an_operator_changes_them(tmp_path: pathlib.Path) -> None:
    text = """\
        from oslo_config import cfg
        cfg.CONF.register_opts([cfg.StrOpt('zone', default='north')], group='shop')


        class R(resource.Resource):
            properties_schema = {
                'zone': S(S.STRING, default=cfg.CONF.shop.zone),
                'user_data_format': S(S.STRING, default=cfg.CONF.default_user_data_format),
                'limit': S(S.INTEGER, constraints=[constraints.Range(max=cfg.CONF.shop.limit)]),
            }


        def resource_mapping():
            return {'A::B': R}
        """
    plugin_set = plugins(tmp_path, text)
    assert plugin_set.types["A::B"].facts["properties"] == {
        "zone": {"type": "string", "default": "north"},
        "user_data_format": {"type": "string", "default": "HEAT_CFNTOOLS"},
        "limit": {"type": "integer", "unread": ["constraints"]},
    }
    assert sorted(code for code, _ in list_codes_with_lines(plugin_set)) == ["HOT802", "HOT814", "HOT814"]


def test_a_key_that_may_be_missing_takes_both_ways(tmp_path: pathlib.Path) -> None:
    before = """
        import lib
        COMMON = {}
        COMMON[lib.NAME] = S(S.MAP)
        D = {}
        try:
            D['a'] = COMMON['a']
        except KeyError:
            D['b'] = S(S.STRING, required=True)
    """
    properties = schema(tmp_path, "D", before)
    assert "type" in properties["a"]["unread"]
    assert properties["b"] == {"type": "string", "unread": ["default", "presence", "required"]}


def test_a_comprehension_under_a_test_that_is_not_known(tmp_path: pathlib.Path) -> None:
    properties = schema(tmp_path, "{n: S(S.STRING) for n in ('a', 'b') if n == 'a' or lib.has(n)}", "import lib")
    assert properties == {
        "a": {"type": "string"},
        "b": {"type": "string", "unread": ["default", "presence", "required"]},
    }


def test_a_key_that_a_table_may_have_is_read_as_unknown(tmp_path: pathlib.Path) -> None:
    """The key may be absent, and then `get` gives its default; only a key that is surely there gives its value."""
    before = "import lib\nD = {'a': 'x'}\nif lib.f():\n    D['b'] = 'y'"
    expression = "{n: S(S.STRING, default=D.get(n, 'z')) for n in ('a', 'b', 'c')}"
    assert schema(tmp_path, expression, before) == {
        "a": {"type": "string", "default": "x"},
        "b": {"type": "string", "unread": ["default"]},
        "c": {"type": "string", "default": "z"},
    }
