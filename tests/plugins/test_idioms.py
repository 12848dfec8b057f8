"""Idioms of plug-ins, each alone, with the facts that Heat reads from it."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from tests.plugins.support import facts, plugins, schema

STRING = {"type": "string"}
INTEGER = {"type": "integer"}


@pytest.mark.parametrize(
    ("before", "expression", "expected"),
    [
        ("", "{'a': S(S.STRING)}", {"a": STRING}),
        ("", "{'a': S('String', required=True, update_allowed=True)}",
         {"a": {**STRING, "required": True, "update": True}}),
        ("", "{'a': S(data_type=S.INTEGER, default=3)}", {"a": {**INTEGER, "default": 3}}),
        ("P = (A, B) = ('a', 'b')", "{A: S(S.STRING), B: S(S.INTEGER)}", {"a": STRING, "b": INTEGER}),
        ("(A, *REST) = ('a', 'b', 'c')", "{k: S(S.STRING) for k in REST}", {"b": STRING, "c": STRING}),
        ("", "dict((k, S(S.STRING)) for k in ('a', 'b') if k != 'b')", {"a": STRING}),
        ("D = {'a': S(S.STRING)}", "{**D, 'b': S(S.INTEGER)}", {"a": STRING, "b": INTEGER}),
        ("D = {'a': S(S.STRING)}\nD.update(b=S(S.INTEGER))\ndel D['a']", "D", {"b": INTEGER}),
        ("D = {}\nfor i in range(2):\n    D['p%d' % i] = S(S.STRING)", "D", {"p0": STRING, "p1": STRING}),
        ("D = {}\nfor i in (1, 2):\n    D[f'p{i}'] = S(S.STRING)", "D", {"p1": STRING, "p2": STRING}),
        ("def text(**more):\n    return S(S.STRING, **more)", "{'a': text(default='x')}",
         {"a": {**STRING, "default": "x"}}),
        ("text = lambda d=None: S(S.STRING, default=d)", "{'a': text('y')}", {"a": {**STRING, "default": "y"}}),
        ("import functools\n@functools.wraps(S)\ndef text():\n    return S(S.STRING)", "{'a': text()}", {"a": STRING}),
        ("D = {'a': S(S.STRING)}\nE = copy.deepcopy(D)\nE['a'].required = True", "D", {"a": STRING}),
        ("D = {'a': S(S.STRING)}\nE = dict(D)\nE['a'].required = True", "D", {"a": {**STRING, "required": True}}),
        ("", "{'a': S(S.STRING) if True else S(S.INTEGER)}", {"a": STRING}),
        ("X = None", "{'a': S(S.STRING, default=X or 'z')}", {"a": {**STRING, "default": "z"}}),
        ("import six", "{'a': S(S.STRING if six.PY3 else S.MAP)}", {"a": STRING}),
        ("", "{'a': S(S.LIST, schema=S(S.STRING))}", {"a": {"type": "list", "items": STRING}}),
        ("", "{'a': S(S.MAP, schema={'b': S(S.INTEGER)})}", {"a": {"type": "map", "fields": {"b": INTEGER}}}),
        ("", "{'a': S(S.STRING, immutable=True, implemented=False)}",
         {"a": {**STRING, "immutable": True, "implemented": False}}),
    ],
)  # fmt: skip
def test_properties(before: str, expression: str, expected: Any, tmp_path: pathlib.Path) -> None:
    assert schema(tmp_path, expression, before) == expected


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [
        ("constraints.AllowedValues(['a', 'b'])", ["allowed_values", ["a", "b"]]),
        ("constraints.AllowedValues(('a',) + ('b', 'c'))", ["allowed_values", ["a", "b", "c"]]),
        ("constraints.Range(1, 2 ** 32 - 1)", ["range", {"min": 1, "max": 4294967295}]),
        ("constraints.Range(max=0.5, description='x')", ["range", {"max": 0.5}, "x"]),
        ("constraints.Length(min=1)", ["length", {"min": 1}]),
        ("constraints.Modulo(step=4, offset=2)", ["modulo", {"step": 4, "offset": 2}]),
        ("constraints.AllowedPattern('[' + 'a-z' + ']*', 'x')", ["allowed_pattern", "[a-z]*", "x"]),
        ("constraints.CustomConstraint('nova.flavor')", ["custom_constraint", "nova.flavor"]),
    ],
)
def test_constraints(constraint: str, expected: Any, tmp_path: pathlib.Path) -> None:
    properties = schema(tmp_path, f"{{'a': S(S.ANY, constraints=[{constraint}])}}")
    assert properties["a"]["constraints"] == [expected]


def test_support_status_of_a_property_is_kept_whole(tmp_path: pathlib.Path) -> None:
    status = "support.SupportStatus(support.HIDDEN, 'Gone.', '5.0', support.SupportStatus(version='2.0'))"
    properties = schema(tmp_path, f"{{'a': S(S.STRING, support_status={status})}}")
    whole = {"status": "HIDDEN", "message": "Gone.", "version": "5.0", "previous": {"version": "2.0"}}
    assert properties == {"a": {"type": "string", "hidden": True, "support": whole}}


def test_descriptions_and_other_facts_of_a_type(tmp_path: pathlib.Path) -> None:
    type_facts = facts(
        tmp_path,
        """
        class R(resource.Resource):
            '''A thing.

            And more.
            '''
            support_status = support.SupportStatus(status=support.DEPRECATED, version='3.0')
            default_client_name = 'shop'
            required_service_extension = 'shelves'
            physical_resource_name_limit = 53
            properties_schema = {'a': S(S.STRING, _('At %s.') % 'once')}
            attributes_schema = {
                'b': attributes.Schema(_('B.'), type=attributes.Schema.MAP, cache_mode=attributes.Schema.CACHE_NONE),
                'c': attributes.Schema('C.'),
            }

            def FnGetRefId(self):
                return self.physical_resource_name_or_FnGetRefId()

            def get_attribute(self, name):
                return name
        """,
    )
    assert type_facts == {
        "properties": {"a": {"type": "string", "doc": "At once."}},
        "attributes": {"b": "map", "c": None},
        "attribute_docs": {"b": "B.", "c": "C."},
        "attribute_notes": {"b": {"cache": "none"}},
        "any_attribute": True,
        "doc": "A thing.\n\nAnd more.",
        "client": "shop",
        "extension": ["shelves"],
        "name_limit": 53,
        "without_id": True,
        "ref": "name",
        "support": {"status": "DEPRECATED", "version": "3.0"},
        "status": "deprecated",
    }


def test_a_type_without_a_table_of_attributes_has_none(tmp_path: pathlib.Path) -> None:
    none = "class R(resource.Resource):\n    properties_schema = {}\n    attributes_schema = None\n"
    assert facts(tmp_path, none) == {"properties": {}, "attributes": {}, "without_id": True}


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("def FnGetRefId(self):\n        return self.resource_id", None),
        ("def get_reference_id(self):\n        return self.physical_resource_name()", "name"),
        ("def FnGetRefId(self):\n        return super(R, self).FnGetRefId()", None),
        ("def FnGetRefId(self):\n        return super().FnGetRefId()", None),
        ("def FnGetRefId(self):\n        if self.resource_id is None:\n            return 'x'\n"
         "        return self.resource_id", None),
        ("def FnGetRefId(self):\n        return self.properties['a']", "?"),
        ("def FnGetRefId(self):\n        return u'%s' % self.resource_id", "?"),
    ],
)  # fmt: skip
def test_values_of_get_resource(method: str, expected: str | None, tmp_path: pathlib.Path) -> None:
    type_facts = facts(tmp_path, f"class R(resource.Resource):\n    {method}\n")
    assert type_facts.get("ref") == expected


def test_translation_rules_become_notes(tmp_path: pathlib.Path) -> None:
    type_facts = facts(
        tmp_path,
        """
        class R(resource.Resource):
            OLD, NEW, DROPPED = 'old', 'new', 'dropped'
            properties_schema = {n: S(S.STRING) for n in ('old', 'new', 'dropped')}

            def translation_rules(self, props):
                rules = [
                    translation.TranslationRule(props, translation.TranslationRule.REPLACE, [self.NEW],
                                                value_path=[self.OLD]),
                    translation.TranslationRule(props, translation.TranslationRule.RESOLVE, [self.NEW],
                                                client_plugin=self.client_plugin(), finder='find'),
                ]
                rules.append(translation.TranslationRule(props, translation.TranslationRule.DELETE, [self.DROPPED]))
                return rules
        """,
    )
    assert type_facts["properties"] == {
        "old": {"type": "string", "alias": "new"},
        "new": {"type": "string", "takes": {"path": ["old"]}},
        "dropped": {"type": "string", "gone": "always"},
    }


def test_classes_inherit_across_modules(tmp_path: pathlib.Path) -> None:
    base = """
        from heat.engine import properties, resource
        class Base(resource.Resource):
            NAME = 'name'
            common = {NAME: properties.Schema('String', required=True)}
            default_client_name = 'shop'
        class Mixin(object):
            properties_schema = {'m': properties.Schema('Map')}
    """
    body = """
        from . import base
        from .base import Mixin
        class Middle(Mixin, base.Base):
            pass
        class R(Middle):
            properties_schema = dict(base.Base.common, **Middle.properties_schema)
    """
    type_facts = facts(tmp_path, body, base=base)
    assert type_facts["properties"] == {"name": {"type": "string", "required": True}, "m": {"type": "map"}}
    assert type_facts["client"] == "shop"


def test_a_schema_of_heats_own_class_is_copied_and_changed(tmp_path: pathlib.Path) -> None:
    type_facts = facts(
        tmp_path,
        """
        from heat.engine.resources.openstack.neutron import net
        class R(net.Net):
            properties_schema = dict(net.Net.properties_schema)
            properties_schema.pop(net.Net.SHARED)
            properties_schema['vlan'] = S(S.INTEGER)
        """,
    )
    assert type_facts["properties"]["vlan"] == {"type": "integer"}
    assert "shared" not in type_facts["properties"]
    assert type_facts["properties"]["admin_state_up"]["default"] is True
    assert type_facts["client"] == "neutron"


@pytest.mark.parametrize(
    "mapping",
    [
        "def resource_mapping():\n    return {'A::B': R}",
        "def resource_mapping():\n    m = {}\n    m['A::B'] = R\n    return m",
        "resource_mapping = lambda: {'A::B': R}",
        "def types():\n    return [('B', R)]\ndef resource_mapping():\n    return {'A::' + n: c for n, c in types()}",
        "def resource_mapping():\n    return dict([('A::B', R)])",
        "def resource_mapping():\n    return {'{0}::{1}'.format('A', 'B'): R}",
        "def resource_mapping():\n    return {'A::B': c for n, c in globals().items() if n == 'R'}",
        "def available_resource_mapping():\n    return resource_mapping()\n"
        "def resource_mapping():\n    return {'A::B': R}",
    ],
)
def test_mapping_functions(mapping: str, tmp_path: pathlib.Path) -> None:
    plugin_set = plugins(tmp_path, f"class R(resource.Resource):\n    properties_schema = {{}}\n\n\n{mapping}\n")
    assert (list(plugin_set.types), plugin_set.diagnostics) == (["A::B"], [])


@pytest.mark.parametrize(
    ("other", "statement"),
    [
        ("deep/__init__.py", "from deep.names import NAME"),
        ("deep/__init__.py", "from .deep.names import NAME"),
        ("deep/__init__.py", "import deep.names\nNAME = deep.names.NAME"),
        ("deep/__init__.py", "from vendor.resources.deep.names import *"),
        ("deep/other.py", "from deep import names\nNAME = names.NAME"),
    ],
)
def test_imports_of_the_plug_ins_own_modules(other: str, statement: str, tmp_path: pathlib.Path) -> None:
    """Relative, beside the module as in Python 2, by the name that an installed package would have."""
    where = tmp_path / "vendor" / "resources"
    for name, text in ((other, ""), ("deep/names.py", "NAME = 'n'\n")):
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_text(text, encoding="utf-8")
    assert schema(where, "{NAME: S(S.STRING)}", statement) == {"n": STRING}


def test_import_cycles_end(tmp_path: pathlib.Path) -> None:
    first_module = "from other import *\nfrom heat.engine import properties\nA = 'a'\n"
    other = "from one import *\nB = 'b'\n"
    type_facts = facts(
        tmp_path, "from one import A, B\nclass R(resource.Resource):\n    properties_schema = {A + B: S(S.MAP)}\n",
        one=first_module, other=other,
    )  # fmt: skip
    assert type_facts["properties"] == {"ab": {"type": "map"}}


def test_class_names_are_not_seen_from_functions_inside(tmp_path: pathlib.Path) -> None:
    body = "name = 'module'\nclass R(resource.Resource):\n    name = 'class'\n"
    body += "    properties_schema = {n + name: S(S.STRING) for n in [name]}\n"
    assert facts(tmp_path, body)["properties"] == {"classmodule": STRING}


@pytest.mark.parametrize(
    ("declared", "refused"),
    [
        ("S.INTEGER, default=9, constraints=[constraints.Range(max=3)]", True),
        ("S.INTEGER, default=3, constraints=[constraints.Range(max=3)]", False),
        ("S.STRING, default='abcd', constraints=[constraints.Length(max=3)]", True),
        ("S.STRING, default='abc', constraints=[constraints.Length(max=3)]", False),
        ("S.STRING, default='c', constraints=[constraints.AllowedValues(['a', 'b'])]", True),
        ("S.STRING, default='b', constraints=[constraints.AllowedValues(['a', 'b'])]", False),
        ("S.STRING, default='B', constraints=[constraints.AllowedPattern('[a-z]')]", True),
        ("S.STRING, default='b', constraints=[constraints.AllowedPattern('[a-z]')]", False),
        ("S.INTEGER, constraints=[constraints.Range(max=3)]", False),
        ("S.MAP, schema={'b': S(S.INTEGER, default=9, constraints=[constraints.Range(max=3)])}", True),
    ],
)
def test_a_default_outside_of_its_constraints_is_refused(declared: str, refused: bool, tmp_path: pathlib.Path) -> None:
    """Heat validates the defaults when it loads the module, which fails."""
    read = facts(tmp_path, f"class R(resource.Resource):\n    properties_schema = {{'a': S({declared})}}")
    assert ("refused" in read) is refused
