"""Modules for Python 2 are read, with each place where it was."""

from __future__ import annotations

import ast
import pathlib

import pytest

from tests.plugins.support import HEAD, list_codes_with_lines, plugins, schema, written
from transpile.model.budget import Budget
from transpile.plugins import read_plugins, syntax

PARSE_ANYWAY = ("print\n", "print >>f, 'a'\n")  # and mean something else


@pytest.mark.parametrize(
    "text",
    [
        "print 'a'\n",
        "print\n",
        "print 'a', b,\n",
        "print >>f, 'a'\n",
        "if x: print x\n",
        "try:\n    pass\nexcept A, e:\n    pass\n",
        "try:\n    pass\nexcept (A, B), e:\n    raise\n",
        "raise A, 'b'\n",
        "raise A, 'b', c\n",
        "if x:\n\ty = 1\n        z = 2\n",
        "# coding: latin-1\nx = u'\xe9'; print x\n",
    ],
)
def test_statements_of_python_2(text: str) -> None:
    if text not in PARSE_ANYWAY:
        with pytest.raises(SyntaxError):
            ast.parse(text)
    done = syntax.translate_module(text)
    ast.parse(done.text)
    assert [len(a) for a, b in zip(done.text.split("\n"), text.split("\n"), strict=True) if "\t" not in b] == [
        len(b) for b in text.split("\n") if "\t" not in b
    ]


@pytest.mark.parametrize(("expression", "value"), [("0", 0), ("1.5", 1.5), ("u'a'", "a"), ("'print x'", "print x")])
def test_values_of_python_2(expression: str, value: object, tmp_path: pathlib.Path) -> None:
    properties = schema(tmp_path, f"{{'a': S(S.ANY, default={expression})}}", "print 'x'")
    assert properties["a"].get("default") == value


@pytest.mark.parametrize("text", ["x = `1`", "x = 0777", "x = 10L", "x = 1 <> 2", "exec code", "def f((a, b)): pass"])
def test_a_module_with_rare_syntax_of_python_2_is_not_read(text: str, tmp_path: pathlib.Path) -> None:
    """No known plug-in has it, so the module does not parse, and that is said."""
    assert [code for code, _ in list_codes_with_lines(plugins(tmp_path, text))] == ["HOT801"]


def test_places_stay(tmp_path: pathlib.Path) -> None:
    text = f"{HEAD}class R(resource.Resource):\n\tproperties_schema = {{'\xe4': S(S.ANY, default=len('x'))}}\n"
    text += "\n\ndef resource_mapping():\n\tprint 'x'\n\treturn {'A::B': R}\n"
    plugin_set = read_plugins([written(tmp_path, {"m.py": text})], cache=False, budget=Budget())
    [diagnostic] = [d for d in plugin_set.diagnostics if d.code == "HOT802"]
    assert diagnostic.source is not None
    assert diagnostic.source.text[diagnostic.at : diagnostic.end] == "len('x')"
    assert "HOT815" in [code for code, _ in list_codes_with_lines(plugin_set)]


def test_parts_that_heat_does_not_have_any_more(tmp_path: pathlib.Path) -> None:
    plugin_set = plugins(
        tmp_path, "from heat.openstack.common import log as logging\nLOG = logging.getLogger(__name__)\n"
    )
    assert [code for code, _ in list_codes_with_lines(plugin_set)] == ["HOT815"]
