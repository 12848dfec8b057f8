"""Behaviours of Heat with plug-ins, each with its diagnostic at the plug-in."""

from __future__ import annotations

import pathlib

import pytest

from tests.plugins.support import HEAD, codes, list_codes_with_lines, plugins, unpacked, written
from transpile.model.budget import Budget
from transpile.plugins import read_plugins

TYPE = "class R(resource.Resource):\n    properties_schema = {'a': S(S.STRING)}\n\n\n"
MAPPING = "def resource_mapping():\n    return {'A::B': R}\n"


def module(name: str, schema: str = "{}") -> str:
    text = f"{HEAD}class R(resource.Resource):\n    properties_schema = {schema}\n\n\n"
    return text + f"def resource_mapping():\n    return {{'{name}': R}}\n"


def test_the_set_of_our_own_says_all_of_it(tmp_path: pathlib.Path) -> None:
    """One module an idiom; lines counted by hand."""
    plugin_set = read_plugins([unpacked("shop", tmp_path)], cache=False, budget=Budget())
    where = {
        (pathlib.Path(diagnostic.source.name).name if diagnostic.source else "", *code_and_line)
        for diagnostic, code_and_line in zip(plugin_set.diagnostics, list_codes_with_lines(plugin_set), strict=True)
    }
    assert where == {
        ("e_guarded.py", "HOT803", 19),
        ("h_legacy.py", "HOT806", 21),
        ("i_opaque.py", "HOT802", 18),
        ("i_opaque.py", "HOT814", 26),
        ("i_opaque.py", "HOT814", 29),
        ("i_opaque.py", "HOT802", 32),
        ("i_opaque.py", "HOT802", 43),
        ("i_opaque.py", "HOT802", 47),
        ("k_nothing.py", "HOT810", 4),
        ("l_number.py", "HOT807", 11),
    }
    assert plugin_set.types["Shop::Ad::Text"].facts["refused"]
    assert plugin_set.types["Shop::Odd::Scales"].facts["refused"]
    assert plugin_set.types["Shop::Guard::Alarm"].requires == "shopclient"
    assert plugin_set.types["Shop::Stock::Shelf"].handlers == (
        "check_create_complete", "handle_create", "handle_delete", "handle_update",
    )  # fmt: skip
    assert [(directory.modules, len(directory.types)) for directory in plugin_set.directories] == [(18, 22)]


def test_order_of_directories(tmp_path: pathlib.Path) -> None:
    plugin_set = read_plugins(
        [unpacked(name, tmp_path) for name in ("shop", "later", "override")], cache=False, budget=Budget()
    )
    assert list(plugin_set.types["Shop::Stock::Shelf"].facts["properties"]) == ["title"]
    assert "Shop::Later::Hidden" not in plugin_set.types
    assert plugin_set.types["OS::Heat::RandomString"].replaces
    assert {"HOT804", "HOT808"} <= set(codes(plugin_set))
    [hidden] = [diagnostic for diagnostic in plugin_set.diagnostics if diagnostic.code == "HOT808"]
    assert hidden.source is not None
    assert hidden.source.name == str(tmp_path / "later" / "a_plain.py")


def test_modules_are_loaded_in_heats_order(tmp_path: pathlib.Path) -> None:
    """The order is by file name, a package before its modules; the later registration wins; tests and setup are
    skipped.
    """
    files = {
        "b.py": module("A::B", "{'b': S(S.MAP)}"),
        "a/__init__.py": module("A::A", "{'package': S(S.MAP)}"),
        "a/z.py": module("A::A", "{'z': S(S.MAP)}"),
        "b-c.py": module("A::B", "{'c': S(S.MAP)}"),
        "setup.py": module("A::Setup"),
        "tests/__init__.py": "",
        "tests/t.py": module("A::Test"),
        "plain/x.py": module("A::NoPackage"),
    }
    plugin_set = read_plugins([written(tmp_path, files)], cache=False, budget=Budget())
    assert {name: list(type_.facts["properties"]) for name, type_ in plugin_set.types.items()} == {
        "A::A": ["z"],
        "A::B": ["b"],
    }
    assert plugin_set.types["A::A"].module == "a.z"


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("raise RuntimeError('no')\n", "HOT809", 1),
        ("import os\nos.name\nlogging.info('x')\n", "HOT809", 3),
        ("from . import nothing_there_at_all as x\nx = {}['a']\n", "HOT809", 2),
        ("x = [1][2]\n", "HOT809", 1),
        ("import b\nx = b.missing\n", "HOT809", 2),
        ("from b import missing\n", "HOT809", 1),
        ("def f(:\n", "HOT801", 1),
        ("x = 1\0\n", "HOT801", 1),
    ],
)
def test_modules_that_heat_cannot_load(text: str, code: str, line: int, tmp_path: pathlib.Path) -> None:
    """Heat's engine would not start; the other modules are read."""
    plugin_set = read_plugins([written(tmp_path, {"a.py": text, "b.py": module("A::B")})], cache=False, budget=Budget())
    assert list(plugin_set.types) == ["A::B"]
    assert list_codes_with_lines(plugin_set) == [(code, line)]


def test_code_after_an_exception_is_read(tmp_path: pathlib.Path) -> None:
    plugin_set = plugins(tmp_path, f"X = logging.INFO\n\n\n{TYPE}{MAPPING}")
    assert list(plugin_set.types) == ["A::B"]
    assert codes(plugin_set) == ["HOT809"]


def test_exceptions_that_are_caught_are_none(tmp_path: pathlib.Path) -> None:
    text = f"try:\n    x = unicode_\nexcept NameError:\n    x = 'a'\n\n\n{TYPE}{MAPPING}"
    assert plugins(tmp_path, text).diagnostics == []


@pytest.mark.parametrize("value", ["['A::B']", "'A::B'", "('A', 'B')", "3"])
def test_a_mapping_that_is_none(value: str, tmp_path: pathlib.Path) -> None:
    plugin_set = plugins(tmp_path, f"def resource_mapping():\n    return {value}\n")
    assert codes(plugin_set) == ["HOT810"]


def test_a_mapping_that_gives_nothing_is_silent(tmp_path: pathlib.Path) -> None:
    assert plugins(tmp_path, "def resource_mapping():\n    return None\n").diagnostics == []


@pytest.mark.parametrize("value", ["properties", "'x'", "S(S.STRING)"])
def test_a_mapping_to_a_value_that_is_no_class(value: str, tmp_path: pathlib.Path) -> None:
    plugin_set = plugins(tmp_path, f"def resource_mapping():\n    return {{'A::B': {value}}}\n")
    assert (codes(plugin_set), list(plugin_set.types)) == (["HOT810"], [])


def test_a_mapping_to_a_class_of_something_else(tmp_path: pathlib.Path) -> None:
    plugin_set = plugins(tmp_path, f"class R(object):\n    pass\n\n\n{MAPPING}")
    assert (codes(plugin_set), list(plugin_set.types)) == (["HOT810"], [])


@pytest.mark.parametrize(
    ("mapping", "code", "line"),
    [
        ("def resource_mapping():\n    return lib.all()\n", "HOT811", 3),
        ("resource_mapping = lib.all\n", "HOT811", 2),
        ("def constraint_mapping():\n    return lib.all()\n", "HOT811", 3),
        (
            "def resource_mapping():\n    out = {}\n    if lib.on == 3:\n        out['A::B'] = lib.B\n    return out\n",
            "HOT811",
            5,
        ),
        ("def resource_mapping():\n    return {'A::B': lib.B}\n", "HOT805", 2),
    ],
)
def test_a_mapping_that_is_not_read(mapping: str, code: str, line: int, tmp_path: pathlib.Path) -> None:
    plugin_set = read_plugins([written(tmp_path, {"m.py": f"import lib\n{mapping}"})], cache=False, budget=Budget())
    assert list_codes_with_lines(plugin_set) == [(code, line)]


@pytest.mark.parametrize(
    ("head", "test", "requires"),
    [
        ("try:\n    import shopclient\nexcept ImportError:\n    shopclient = None\n", "shopclient", "shopclient"),
        (
            "try:\n    import shopclient\nexcept ImportError:\n    shopclient = None\n",
            "shopclient is not None",
            "shopclient",
        ),
        ("try:\n    from a.b import c\n    OK = True\nexcept ImportError:\n    OK = False\n", "OK", "a"),
        ("from heat.engine import clients\n", "clients.has_client('shop')", "?"),
        ("import os\n", "os.path.exists('/etc/shop')", "?"),
        ("import shopclient\n", "shopclient.API and shopclient.is_ready()", "shopclient"),
    ],
)
def test_types_under_a_condition(head: str, test: str, requires: str, tmp_path: pathlib.Path) -> None:
    text = f"{head}\n\n{TYPE}{MAPPING}\n\ndef available_resource_mapping():\n"
    text += f"    if {test}:\n        return resource_mapping()\n    return {{}}\n"
    plugin_set = plugins(tmp_path, text)
    assert plugin_set.types["A::B"].requires == requires
    assert codes(plugin_set) == ["HOT803"]


def test_a_type_that_only_the_older_mapping_function_has(tmp_path: pathlib.Path) -> None:
    text = f"{TYPE}{MAPPING}\n\ndef available_resource_mapping():\n    return {{'A::C': R}}\n"
    plugin_set = plugins(tmp_path, text)
    assert {name: kind.requires for name, kind in plugin_set.types.items()} == {"A::B": "?", "A::C": ""}
    assert codes(plugin_set) == ["HOT803"]


def test_constraints_of_a_plug_in(tmp_path: pathlib.Path) -> None:
    text = (
        "class C(constraints.BaseCustomConstraint):\n    pass\n\n\ndef constraint_mapping():\n    return {'a.c': C}\n"
    )
    place = plugins(tmp_path, text).constraints["a.c"]
    assert (place.name, place.source.text[place.at : place.end]) == ("C", "class C(constraints.BaseCustomConstraint):")


def test_constraints_of_a_package(tmp_path: pathlib.Path) -> None:
    text = "[metadata]\nname = shop\n[entry_points]\nheat.constraints =\n    a.d = shop.c:D\n    a.e=shop.c:E\n"
    text += "other =\n    x = y:z\n"
    plugin_set = read_plugins([written(tmp_path, {"setup.cfg": text})], cache=False, budget=Budget())
    assert {name: entry.source.text[entry.at : entry.end] for name, entry in plugin_set.constraints.items()} == {
        "a.d": "a.d = shop.c:D", "a.e": "a.e=shop.c:E",
    }  # fmt: skip
    assert read_plugins([written(tmp_path, {"setup.cfg": "[[["})], cache=False, budget=Budget()).constraints == {}


def test_a_type_that_checks_itself(tmp_path: pathlib.Path) -> None:
    text = f"class R(resource.Resource):\n    def validate(self):\n        raise ValueError()\n\n\n{MAPPING}"
    assert plugins(tmp_path, text).types["A::B"].checks_itself


def test_links_that_lead_outside_are_not_followed(tmp_path: pathlib.Path) -> None:
    where = tmp_path / "plugins"
    written(where, {"a.py": module("A::A")})
    written(tmp_path / "other", {"__init__.py": "", "b.py": module("A::B")})
    (where / "package").symlink_to(tmp_path / "other")
    (where / "c.py").symlink_to(tmp_path / "other" / "b.py")
    plugin_set = read_plugins([str(where)], cache=False, budget=Budget())
    assert list(plugin_set.types) == ["A::A"]
    assert codes(plugin_set) == ["HOT812", "HOT812"]


def test_nothing_outside_is_imported(tmp_path: pathlib.Path) -> None:
    written(tmp_path, {"outside.py": "NAME = 'x'\n", "p/__init__.py": ""})
    text = f"from ..outside import NAME\n\n\n{TYPE.replace(chr(39) + 'a' + chr(39), 'NAME')}{MAPPING}"
    plugin_set = read_plugins([written(tmp_path / "p", {"m.py": HEAD + text})], cache=False, budget=Budget())
    assert plugin_set.types["A::B"].facts == {"properties": {}, "attributes": {}, "open": True, "without_id": True}


def test_directories_that_cannot_be_read(tmp_path: pathlib.Path) -> None:
    plugin_set = read_plugins([str(tmp_path / "nowhere")], cache=False, budget=Budget())
    assert [(diagnostic.code, diagnostic.severity) for diagnostic in plugin_set.diagnostics] == [("HOT816", "error")]


def test_limits_are_the_budgets(tmp_path: pathlib.Path) -> None:
    files: dict[str, str | bytes] = {f"m{i}.py": module(f"A::T{i}") for i in range(4)}
    where = written(tmp_path, files)
    plugin_set = read_plugins([where], Budget({"modules": 2}), cache=False)
    assert (list(plugin_set.types), codes(plugin_set)) == (["A::T0", "A::T1"], ["HOT813"])
    plugin_set = read_plugins([where], Budget({"plugin_characters": 800}), cache=False)
    assert codes(plugin_set) == ["HOT813"]
    more: dict[str, str | bytes] = {f"n{i}.py": module(f"A::N{i}") for i in range(40)}
    plugin_set = read_plugins([written(tmp_path / "more", more)], Budget({"plugin_steps": 300}), cache=False)
    assert codes(plugin_set) == ["HOT813"]


def test_a_failure_of_ours_is_a_diagnostic(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transpile.plugins import facts

    def fail(self: object) -> None:
        raise LookupError

    monkeypatch.setattr(facts.SchemaReader, "read_type", fail)
    plugin_set = plugins(tmp_path, TYPE + MAPPING)
    assert codes(plugin_set) == ["HOT817"]
