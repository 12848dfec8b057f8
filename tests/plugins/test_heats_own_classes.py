"""Plug-ins that use Heat's own classes are read as Heat reads them: they change these classes, inherit their handlers,
and are never taken for them.
"""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from tests.plugins.support import HEAD, codes, facts, plugins, schema, written
from transpile import additions, checking
from transpile.model.budget import Budget
from transpile.plugins import read_plugins
from transpile.settings.table import Request

SEGMENT = "from heat.engine.resources.openstack.neutron.segment import Segment\n"
VOLUME = "from heat.engine.resources.openstack.cinder import volume\n"
OWN = ["local", "vlan", "vxlan", "gre", "geneve", "flat"]  # Segment.NETWORK_TYPES in Heat 27


def check_snapshot(where: pathlib.Path, plugin: str) -> list[str]:
    """The diagnostics of `check` for a template that asks for a snapshot of a plug-in's type."""
    end = "\n\ndef resource_mapping():\n    return {'A::B': R}\n"
    directory = written(where / "plugins", {"m.py": HEAD + plugin + end})
    template = where / "stack.yaml"
    text = "heat_template_version: 2021-04-16\nresources:\n  r: {type: A::B, deletion_policy: Snapshot}\n"
    template.write_text(text, encoding="utf-8")
    packed = additions.read_additions([directory], budget=Budget()).as_bytes()
    request = checking.CheckRequest(Request(), packed)
    return [f"{d.code} {d.severity}" for d in checking.check_file(str(template), request).diagnostics]


@pytest.mark.parametrize(
    ("plugin", "expected"),
    [
        ("class R(resource.Resource):\n    properties_schema = {}\n", ["HOT124 error"]),
        (
            "class R(resource.Resource):\n    properties_schema = {}\n\n"
            "    def handle_snapshot_delete(self, state):\n        pass\n",
            [],
        ),
        (f"{VOLUME}\nclass R(volume.CinderVolume):\n    properties_schema = {{}}\n", []),  # BaseVolume has it
        (
            "from vendor import Base\n\nclass R(Base, resource.Resource):\n    properties_schema = {}\n",
            ["HOT317 warning"],
        ),
    ],
)
def test_a_handler_allows_snapshots(plugin: str, expected: list[str], tmp_path: pathlib.Path) -> None:
    """`Resource.validate_deletion_policy` asks for `handle_snapshot_delete`."""
    assert check_snapshot(tmp_path, plugin) == expected


def test_a_constant_of_heats_class_may_change(tmp_path: pathlib.Path) -> None:
    body = f"""\
    {SEGMENT}
    class R(Segment):
        Segment.NETWORK_TYPES += ('mine',)
        properties_schema = {{'t': S(S.STRING, constraints=[constraints.AllowedValues(Segment.NETWORK_TYPES)])}}
    """
    ((kind, values),) = facts(tmp_path, body)["properties"]["t"]["constraints"]
    assert (kind, sorted(values)) == ("allowed_values", sorted([*OWN, "mine"]))


def test_an_unknown_value_of_heats_class_is_unread(tmp_path: pathlib.Path) -> None:
    body = f"""\
    import vendor
    {SEGMENT}
    class R(Segment):
        Segment.NETWORK_TYPES = vendor.TYPES
        properties_schema = {{'t': S(S.STRING, constraints=[constraints.AllowedValues(Segment.NETWORK_TYPES)])}}
    """
    assert facts(tmp_path, body)["properties"]["t"]["unread"] == ["constraints"]


def test_the_next_reading_has_heats_class_as_it_is(tmp_path: pathlib.Path) -> None:
    change = f"{SEGMENT}\nSegment.NETWORK_TYPES += ('mine',)\n\nclass R(Segment):\n    pass\n"
    use = f"{SEGMENT}\nclass R(resource.Resource):\n"
    use += "    properties_schema = {'t': S(S.STRING, default=Segment.NETWORK_TYPES[-1])}\n"
    assert "properties" in facts(tmp_path / "a", change)
    assert facts(tmp_path / "b", use)["properties"]["t"]["default"] in OWN


@pytest.mark.parametrize(
    ("argument", "after", "expected"),
    [
        ("constraints=[constraints.AllowedValues(L)]", "L.append('b')", [["allowed_values", ["a"]]]),
        ("constraints=C", "C.append(constraints.Length(max=2))", None),
        ("constraints=D", "D.append(constraints.Length(max=2))", [["length", {"min": 1}], ["length", {"max": 2}]]),
    ],
)
def test_copied_values_do_not_change(argument: str, after: str, expected: Any, tmp_path: pathlib.Path) -> None:
    """`AllowedValues` copies its list; a schema keeps the list of its constraints, unless it is empty."""
    before = f"""\
    L, C, D = ['a'], [], [constraints.Length(min=1)]
    P = {{'p': S(S.STRING, {argument})}}
    {after}
    """
    assert schema(tmp_path, "P", before)["p"].get("constraints") == expected


@pytest.mark.parametrize(
    "directory", ["", "vendor", "vendor/heat", "vendor/heat/engine", "vendor/heat/engine/resources"]
)
def test_a_folder_called_heat_is_not_heat(directory: str, tmp_path: pathlib.Path) -> None:
    """Plug-ins lie in `<project>/heat/engine/…`, and people name the root of the repository."""
    module = HEAD + "class R(resource.Resource):\n    properties_schema = {'p': S(S.STRING, required=True)}\n\n\n"
    module += "def resource_mapping():\n    return {'A::B': R}\n"
    folders = ("vendor", "vendor/heat", "vendor/heat/engine", "vendor/heat/engine/resources")
    files = {f"{folder}/__init__.py": "" for folder in folders} | {"vendor/heat/engine/resources/m.py": module}
    written(tmp_path, files)
    plugin_set = read_plugins([str(tmp_path / directory)], cache=False, budget=Budget())
    assert codes(plugin_set) == []
    assert plugin_set.types["A::B"].facts["properties"] == {"p": {"type": "string", "required": True}}


@pytest.mark.parametrize(
    "body",
    [
        "class R(resource.Resource):\n    pass\n",
        "from heat.engine import stack_resource\n\nclass R(resource.Resource):\n    attributes_schema = {}\n",
        "from heat.engine.resources import stack_resource\n\nclass R(stack_resource.StackResource):\n    pass\n",
    ],
)
def test_a_class_without_a_schema_is_refused(body: str, tmp_path: pathlib.Path) -> None:
    """Heat: "has no attribute 'properties_schema'"."""
    plugin_set = plugins(tmp_path, body + "\n\ndef resource_mapping():\n    return {'A::B': R}\n")
    assert codes(plugin_set) == ["HOT818"]
    assert plugin_set.types["A::B"].facts["refused"] == "its class has no properties_schema"


def test_a_class_with_an_inherited_schema_is_not_refused(tmp_path: pathlib.Path) -> None:
    body = "from heat.engine.resources import wait_condition as w\n\nclass R(w.BaseWaitConditionHandle):\n    pass\n"
    assert "refused" not in facts(tmp_path, body)
    assert "refused" not in facts(tmp_path / "b", f"{SEGMENT}\nclass R(Segment):\n    pass\n")


def test_directories_without_modules_are_paid_for(tmp_path: pathlib.Path) -> None:
    for number in range(20):
        (tmp_path / f"empty_{number}").mkdir()
    plugin_set = read_plugins([str(tmp_path)], Budget({"modules": 10}), cache=False)
    assert codes(plugin_set) == ["HOT813"]
    assert read_plugins([str(tmp_path)], Budget({"modules": 20}), cache=False).diagnostics == []
