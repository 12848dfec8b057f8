"""Types that never get a physical ID, in Heat and in plug-ins."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest

from tests.plugins.comparison import heat_resources
from tests.plugins.support import facts
from tests.support import oracles
from transpile.model.budget import Budget
from transpile.plugins import read_plugins
from transpile.schema.catalog import HEAT

RESOURCES = heat_resources()
needs_resources = pytest.mark.skipif(RESOURCES is None, reason="HOT2TF_HEAT_PYTHON does not lead to real Heat")

# Asks the classes of a running Heat, without the source: which have a handler for the creation, but no method below
# Resource with the name of a function that sets the ID.
PROGRAM = """
import inspect, json
from heat.engine import resource, resources

SETTERS = {"resource_id_set", "create_with_template"}

def methods(cls):
    for ancestor in cls.__mro__:
        if issubclass(ancestor, resource.Resource) and ancestor is not resource.Resource:
            yield from (value for value in vars(ancestor).values() if inspect.isfunction(value))

resources.initialise()
registry = resources.global_env().registry
out = []
for name in registry.get_types():
    cls = registry.get_resource_info(name).get_class()
    functions = list(methods(cls))
    if any(f.__name__ == "handle_create" for f in functions):
        if not any(SETTERS.intersection(f.__code__.co_names) for f in functions):
            out.append(name)
print(json.dumps(sorted(out)))
"""


@needs_resources
def test_the_list_agrees_with_the_source_of_heat() -> None:
    types = read_plugins([str(RESOURCES)], cache=False, budget=Budget()).types
    assert {name for name in types if HEAT.lacks_physical_id(name)} == {
        name for name, plugin_type in types.items() if plugin_type.facts.get("without_id")
    }


@oracles.needs_heat
def test_the_list_agrees_with_the_classes_of_heat() -> None:
    """A security group of AWS gets its ID from a helper, which is no resource: only the source shows that."""
    done = subprocess.run([oracles.HEAT_PYTHON, "-c", PROGRAM], capture_output=True, text=True, check=True)
    names = set(json.loads(done.stdout)) - {"AWS::EC2::SecurityGroup"}
    assert "OS::Heat::WaitCondition" in names
    assert {name for name in HEAT.type_names() if HEAT.lacks_physical_id(name)} == names


@pytest.mark.parametrize(
    ("body", "without"),
    [
        ("def handle_create(self): pass", True),
        ("def handle_create(self): self.resource_id_set('x')", False),
        ("def handle_create(self): self.resource_id = 'x'", False),
        ("def handle_create(self): self.make()\n    def make(self): self.resource_id_set('x')", False),
        ("def handle_create(self): pass\n    def check_create_complete(self, _): self.resource_id_set('x')", False),
        ("def handle_create(self): Helper(self).work()", False),
        ("def handle_create(self): make(self)", False),
        ("def handle_create(self): self.made = self.resource_id", True),
        ("def handle_create(self): pass\n    def handle_delete(self): self.resource_id_set(None)", True),
        ("def validate(self): pass", True),
    ],
)
def test_a_plug_in_without_an_id_is_recognised(body: str, without: bool, tmp_path: pathlib.Path) -> None:
    text = (
        "class Helper(object):\n"
        "    def __init__(self, res): self.res = res\n"
        "    def work(self): self.res.resource_id_set('x')\n"
        "def make(res): res.resource_id_set('x')\n"
        "class R(resource.Resource):\n"
        "    properties_schema = {}\n"
        f"    {body}\n"
    )
    assert bool(facts(tmp_path, text).get("without_id")) is without


@pytest.mark.parametrize(
    ("module", "base", "without"),
    [
        ("openstack.heat.wait_condition", "HeatWaitCondition", True),
        ("openstack.neutron.port", "Port", False),
        ("stack_resource", "StackResource", False),
    ],
)
def test_a_plug_in_may_call_the_handler_of_heats_own_class(
    module: str, base: str, without: bool, tmp_path: pathlib.Path
) -> None:
    """The list says whether a handler of Heat sets an ID; a handler that it lacks is assumed to set one."""
    folder, _, name = f"heat.engine.resources.{module}".rpartition(".")
    text = (
        f"from {folder} import {name} as base\n"
        f"class R(base.{base}):\n"
        "    def handle_create(self): return super(R, self).handle_create()\n"
    )
    assert bool(facts(tmp_path, text).get("without_id")) is without
