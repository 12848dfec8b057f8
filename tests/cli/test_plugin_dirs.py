"""`--plugin-dir` in all commands: types of plug-ins are checked, documented and converted like Heat's own.

The expected results follow from the plug-in below and from Heat's treatment of its own types.
"""

from __future__ import annotations

import json
import pathlib

import pytest

import transpile
from tests.conftest import Run
from tests.support.files import write_files
from transpile.cli.options import PLUGIN_DIRS

PLUGIN = """\
from heat.engine import attributes, constraints, properties, resource, support
from heat.engine.resources.openstack.heat import random_string
import vendor


class Shelf(resource.Resource):
    '''A shelf that holds boxes.'''

    properties_schema = {
        'name': properties.Schema(properties.Schema.STRING, 'Its name.', required=True),
        'width': properties.Schema(
            properties.Schema.INTEGER, default=80, constraints=[constraints.Range(10, 400)]),
        'old': properties.Schema(
            properties.Schema.STRING,
            support_status=support.SupportStatus(status=support.DEPRECATED, message='Use name.')),
        'place': properties.Schema(
            properties.Schema.MAP, schema={
                'hall': properties.Schema(properties.Schema.STRING, required=True)}),
        'flavour': properties.Schema(
            properties.Schema.STRING, constraints=[constraints.AllowedValues(vendor.ask())]),
        'code': properties.Schema(
            properties.Schema.STRING, constraints=[constraints.CustomConstraint('shop.nobody')]),
    }
    attributes_schema = {'free': attributes.Schema('Free space.', type=attributes.Schema.INTEGER)}


class Open(vendor.Base):
    properties_schema = dict(vendor.Base.properties_schema, size=properties.Schema(properties.Schema.INTEGER))


class Texts(resource.Resource):
    properties_schema = {}
    attributes_schema = {'where': 'Where it hangs.'}


class Secret(random_string.RandomString):
    pass


def resource_mapping():
    return {'Shop::Shelf': Shelf, 'Shop::Open': Open, 'Shop::Texts': Texts, 'OS::Heat::RandomString': Secret}
"""
HOT = "heat_template_version: 2021-04-16\n"
STACK = (
    HOT
    + """\
resources:
  net: {type: OS::Neutron::Net, properties: {name: n}}
  shelf:
    type: Shop::Shelf
    properties: {name: {get_resource: net}, width: 90}
outputs:
  free: {value: {get_attr: [shelf, free]}}
"""
)


@pytest.fixture
def run(command: Run, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in a directory with a template and a plug-in; nothing is kept in a cache."""
    monkeypatch.delenv(PLUGIN_DIRS, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_files(tmp_path, {"plugins/shop.py": PLUGIN, "stack.yaml": STACK})
    return command


def errors(run: Run, properties: str, *more: str, kind: str = "Shop::Shelf") -> list[str]:
    """Code, severity and message of each diagnostic of `check` about a resource of the plug-in."""
    text = f"{HOT}resources:\n  shelf: {{type: {kind}, properties: {properties}}}\n"
    pathlib.Path("one.yaml").write_text(text, encoding="utf-8")
    out = run("check", "one.yaml", "--plugin-dir", "plugins", "--diagnostics", "json", *more).out
    rows = [row for row in json.loads(out) if row["file"] == "one.yaml"]
    return [f"{row['code']} {row['severity']} {row['message']}" for row in rows]


def test_without_the_plug_in_the_type_is_unknown(run: Run) -> None:
    ended = run("check", "stack.yaml")
    assert ended.status == 1
    assert "Unknown resource type Shop::Shelf" in ended.out


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ("{name: a, width: 90, place: {hall: h}}", []),
        ("{name: a, widht: 90}", ["HOT301 error Shop::Shelf has no property widht."]),
        ("{name: a, width: 401}", ["HOT312 error shelf.width: 401 is not between 10 and 400."]),
        ("{name: a, width: wide}", ["HOT306 error shelf.width: 'wide' is not an integer."]),
        ("{width: 90}", ["HOT309 error shelf.name: name is required."]),
        ("{name: a, place: {}}", ["HOT309 error shelf.place.hall: hall is required."]),
        (
            "{name: a, flavour: b}",
            ["HOT317 warning Only the plug-in knows this about flavour of Shop::Shelf: constraints."],
        ),
        (
            "{name: a, code: b}",
            ["HOT315 warning code of Shop::Shelf has the custom constraint shop.nobody, which nothing here defines."],
        ),
    ],
)
def test_properties_are_checked(run: Run, properties: str, expected: list[str]) -> None:
    assert errors(run, properties, "--level", "create") == expected


def test_names_are_suggested(run: Run) -> None:
    errors(run, "{name: a, widht: 90}")
    assert "Did you mean width?" in run("check", "one.yaml", "--plugin-dir", "plugins").out


def test_a_type_with_an_unknown_base_may_have_more_properties(run: Run) -> None:
    assert errors(run, "{colour: red}", kind="Shop::Open") == [
        "HOT317 warning Only the plug-in knows whether Shop::Open has a property colour."
    ]
    assert errors(run, "{size: big}", "--level", "create", kind="Shop::Open") == [
        "HOT306 error shelf.size: 'big' is not an integer."
    ]


def test_a_type_that_heat_refuses_is_an_error(run: Run) -> None:
    (error,) = errors(run, "{}", kind="Shop::Texts")
    assert error.startswith("HOT316 error Heat refuses every template that uses Shop::Texts")


def test_attributes_are_checked(run: Run) -> None:
    text = pathlib.Path("stack.yaml").read_text(encoding="utf-8")
    pathlib.Path("stack.yaml").write_text(text.replace("[shelf, free]", "[shelf, fre]"), encoding="utf-8")
    ended = run("check", "stack.yaml", "--plugin-dir", "plugins")
    assert ended.status == 1
    assert "Did you mean free?" in ended.out


def test_the_environment_variable_names_directories(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLUGIN_DIRS, "plugins")
    assert run("check", "stack.yaml").status == 0


def test_a_directory_must_exist(run: Run) -> None:
    for line in (["check", "stack.yaml"], ["convert", "stack.yaml"], ["types"], ["migrate", ".", "out"]):
        ended = run(*line, "--plugin-dir", "nowhere")
        assert ended.status == 2
        assert "the plug-in directory nowhere does not exist" in ended.err


def test_convert_keeps_the_resource_in_heat_and_reports_where_its_type_comes_from(run: Run) -> None:
    ended = run("convert", "stack.yaml", "--plugin-dir", "plugins", "-o", "out", "--report", "report.json")
    assert ended.status == 0
    assert "a plug-in defines the type, and there is no mapping for it" in ended.err
    report = json.loads(pathlib.Path("report.json").read_text(encoding="utf-8"))
    assert report["plugins"] == {"Shop::Shelf": "plugins/shop.py:6"}
    assert report["resources"]["shelf"]["treatment"] == "embedded"


def test_a_type_of_heats_own_that_a_plug_in_replaces_stays_in_heat(run: Run) -> None:
    """The native mapping is for Heat's own type."""
    text = HOT + "resources:\n  word: {type: OS::Heat::RandomString, properties: {length: 9}}\n"
    assert transpile.convert(text).report["resources"]["word"]["treatment"] == "native"
    done = transpile.convert(text, plugin_dirs=["plugins"])
    assert done.report["resources"]["word"]["treatment"] == "embedded"


def test_tosca_has_a_node_type_with_typed_properties(run: Run) -> None:
    out = run("convert", "stack.yaml", "--plugin-dir", "plugins", "--to", "tosca").out
    assert "hot.type: Shop::Shelf" in out
    assert "width: {type: integer, required: false, default: 80, constraints: [{in_range: [10, 400]}]}" in out
    assert "free: {type: integer}" in out


def test_migrate_converts_with_the_plug_ins_and_again_when_they_change(run: Run) -> None:
    pathlib.Path("templates").mkdir()
    pathlib.Path("stack.yaml").rename("templates/stack.yaml")
    line = ("migrate", "templates", "out", "--plugin-dir", "plugins", "--jobs", "2")
    first = run(*line)
    assert first.status == 0
    assert "1 converted" in first.err
    assert "A plug-in defines the type" in (pathlib.Path("out") / "stack" / "main.tf").read_text(encoding="utf-8")
    assert "1 unchanged" in run(*line).err
    changed = PLUGIN.replace("default=80", "default=90")
    pathlib.Path("plugins/shop.py").write_text(changed, encoding="utf-8")
    assert "1 converted" in run(*line).err


def test_types_shows_the_schema(run: Run) -> None:
    out = run("types", "Shop::Shelf", "--plugin-dir", "plugins").out
    assert "A shelf that holds boxes." in out
    assert "defined in plugins/shop.py:6" in out
    assert "  width       integer, default 80; 10 to 400\n" in out
    assert "  place.hall  string, required\n" in out
    assert "  flavour     string; constraints: only the plug-in knows\n" in out
    assert "  old         string, deprecated: Use name\n" in out
    assert "  free  integer\n        Free space.\n" in out


def test_types_as_json(run: Run) -> None:
    types = json.loads(run("types", "Shop::Shelf", "--json", "--plugin-dir", "plugins").out)
    assert list(types) == ["Shop::Shelf"]
    assert types["Shop::Shelf"]["properties"]["width"] == {
        "type": "integer",
        "default": 80,
        "constraints": [["range", {"min": 10, "max": 400}]],
    }
    assert run("types", "No::Such", "--json").status == 1


def test_notes_are_about_the_types_that_are_used(run: Run) -> None:
    """Warnings are always said; notes on other files would be noise."""
    pathlib.Path("plugins/other.py").write_text(PLUGIN.replace("Shop::", "Other::"), encoding="utf-8")
    ended = run("convert", "stack.yaml", "--plugin-dir", "plugins", "-v")
    assert "plugins/shop.py:20" in ended.err
    assert "plugins/other.py:20" not in ended.err
    assert "Other::Texts declares its attributes as texts" in ended.err
