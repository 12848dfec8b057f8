"""States of stacks and resources that make it unsafe to take them over are refused or warned about, where they are, and
with a remedy.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import running
from transpile.adoption import safety
from transpile.adoption.live import LiveResource
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import replace
from transpile.schema.catalog import Catalog

NET = """\
heat_template_version: 2018-08-31
resources:
  net:
    type: OS::Neutron::Net
"""


def check(exported: dict[str, Any]) -> list[Diagnostic]:
    return safety.check_safety(running.live(exported))


def changed(**keys: Any) -> dict[str, Any]:
    """The export of a stack whose resource net has other values."""
    exported = running.stack(NET)
    exported["resources"]["net"] |= keys
    return exported


@pytest.mark.parametrize("action", ["CREATE", "UPDATE", "ADOPT", "CHECK", "RESUME", "SNAPSHOT", "RESTORE"])
def test_a_stack_that_is_complete_is_safe(action: str) -> None:
    assert check(running.stack(NET, action=action)) == []


@pytest.mark.parametrize(
    ("action", "status", "code", "severity", "hint"),
    [
        ("CREATE", "IN_PROGRESS", "HOT740", "error", "openstack stack show"),
        ("UPDATE", "IN_PROGRESS", "HOT740", "error", "openstack stack hook poll"),
        ("ROLLBACK", "IN_PROGRESS", "HOT740", "error", "openstack stack show"),
        ("DELETE", "IN_PROGRESS", "HOT743", "error", "hot2tf convert"),
        ("CREATE", "FAILED", "HOT741", "error", "openstack stack update --existing"),
        ("UPDATE", "FAILED", "HOT741", "error", "openstack stack update --existing"),
        ("ROLLBACK", "FAILED", "HOT741", "error", "openstack stack update --existing"),
        ("CHECK", "FAILED", "HOT741", "error", "mark unhealthy --reset"),
        ("RESUME", "FAILED", "HOT741", "error", "openstack stack resume"),
        ("SNAPSHOT", "FAILED", "HOT741", "error", "openstack stack update --existing"),
        ("SUSPEND", "FAILED", "HOT742", "error", "openstack stack resume"),
        ("SUSPEND", "COMPLETE", "HOT742", "error", "openstack stack resume"),
        ("DELETE", "FAILED", "HOT743", "error", "hot2tf convert"),
        ("DELETE", "COMPLETE", "HOT743", "error", "hot2tf convert"),
        ("ROLLBACK", "COMPLETE", "HOT744", "warning", "openstack stack template show"),
        ("INIT", "COMPLETE", "HOT741", "error", "openstack stack show"),
    ],
)
def test_other_states_are_reported(action: str, status: str, code: str, severity: str, hint: str) -> None:
    """Once for each stack, and with a command that helps."""
    (diagnostic,) = check(running.stack(NET, action=action, status=status))
    assert (diagnostic.code, diagnostic.severity) == (code, severity)
    assert hint in diagnostic.help()
    assert "{" not in diagnostic.help()


def test_a_stack_that_was_rolled_back_to_nothing_is_refused() -> None:
    (diagnostic,) = check(running.stack(NET, action="ROLLBACK", status="COMPLETE", resources={}))
    assert diagnostic.code == "HOT743"


def test_a_stack_that_is_marked_as_deleted_is_refused() -> None:
    (diagnostic,) = safety.check_safety(replace(running.live(running.stack(NET)), deleted=True))
    assert diagnostic.code == "HOT743"


def test_a_stack_that_is_part_of_another_is_refused() -> None:
    (diagnostic,) = safety.check_safety(replace(running.live(running.stack(NET)), parent="b2c1"))
    assert diagnostic.code == "HOT750"
    assert "b2c1" in diagnostic.help()


@pytest.mark.parametrize(
    ("marks", "service"),
    [
        ({"environment": {"parameters": {"cluster_uuid": "c", "magnum_url": "m", "number_of_minions": 1}}}, "Magnum"),
        ({"environment": {"parameters": {"bay_uuid": "c", "magnum_url": "m"}}}, "Magnum"),
        ({"environment": {"parameters": {"cluster_uuid": "c"}}}, None),
        ({"tags": ["blue", "data-processing-cluster"]}, "Sahara"),
        ({"tags": ["murano"]}, "Murano"),
        ({"tags": ["murano-like"]}, None),
        ({"name": "vnflcm_0f0e0d0c-1111-2222-3333-444455556666"}, "Tacker"),
        ({"name": "vnf-0f0e0d0c-1111-2222-3333-444455556666"}, "Tacker"),
        ({"name": "vnf-firewall"}, None),
    ],
)
def test_a_stack_that_a_service_made_for_itself_is_refused(marks: dict[str, Any], service: str | None) -> None:
    diagnostics = check(running.stack(NET) | marks)
    assert [d.code for d in diagnostics] == ([] if service is None else ["HOT747"])
    assert service is None or f"belongs to {service}," in diagnostics[0].message


@pytest.mark.parametrize(
    ("action", "status", "code"),
    [
        ("CREATE", "FAILED", "HOT745"),
        ("UPDATE", "FAILED", "HOT745"),
        ("CHECK", "FAILED", "HOT745"),
        ("UPDATE", "IN_PROGRESS", "HOT745"),
        ("DELETE", "COMPLETE", "HOT745"),
        ("DELETE", "FAILED", "HOT745"),
        ("INIT", "COMPLETE", "HOT745"),
        ("SUSPEND", "COMPLETE", "HOT742"),
    ],
)
def test_the_state_of_a_resource_counts_too(action: str, status: str, code: str) -> None:
    """At the place of the resource in the export, even if the stack is COMPLETE."""
    exported = changed(action=action, status=status)
    (diagnostic,) = check(exported)
    assert (diagnostic.code, diagnostic.severity) == (code, "error")
    assert diagnostic.source is not None
    assert diagnostic.source.text[diagnostic.at : diagnostic.end] == '"net"'


@pytest.mark.parametrize("physical_id", [None, ""])
def test_a_resource_without_a_physical_id_is_refused(physical_id: str | None) -> None:
    (diagnostic,) = check(changed(resource_id=physical_id))
    assert diagnostic.code == "HOT746"


@pytest.mark.parametrize(
    "kind", ["OS::Heat::Delay", "OS::Keystone::UserRoleAssignment", "OS::Heat::WaitCondition", "OS::Heat::AccessPolicy"]
)
def test_types_that_have_no_physical_id_need_none(kind: str) -> None:
    assert check(changed(resource_id=None, type=kind)) == []


def test_the_registry_may_give_such_a_type_another_name() -> None:
    environment = {"resource_registry": {"My::Ready": "My::Wait", "My::Wait": "OS::Heat::WaitCondition"}}
    exported = running.stack(NET, environment=environment)
    exported["resources"]["net"] |= {"type": "My::Ready", "resource_id": None}
    assert check(exported) == []


def test_a_plug_in_may_have_such_types() -> None:
    exported = changed(resource_id=None, type="My::Marker")
    assert [d.code for d in check(exported)] == ["HOT746"]
    catalog = Catalog({"My::Marker": {"properties": {}, "attributes": {}, "without_id": True}})
    assert safety.check_safety(running.live(exported), catalog) == []


def test_a_plug_in_may_replace_such_a_type_by_one_with_an_id() -> None:
    catalog = Catalog({"OS::Heat::Delay": {"properties": {}, "attributes": {}}})
    exported = changed(resource_id=None, type="OS::Heat::Delay")
    assert [d.code for d in safety.check_safety(running.live(exported), catalog)] == ["HOT746"]


@pytest.mark.parametrize(
    ("kind", "codes"),
    [
        ("OS::Heat::ResourceGroup", []),
        ("OS::Heat::AutoScalingGroup", []),
        ("node.yaml", []),
        ("My::Node", []),
        ("OS::Neutron::Net", ["HOT746"]),
    ],
)
def test_a_nested_stack_without_resources_is_nothing_in_an_export(kind: str, codes: list[str]) -> None:
    """Heat writes {} for it, and for nothing else in a stack that is complete."""
    exported = running.stack({"heat_template_version": "2018-08-31", "resources": {"nodes": {"type": kind}}})
    exported["resources"]["nodes"] = {}
    assert [d.code for d in check(exported)] == codes


def test_a_pending_hook_is_refused_with_the_command_that_clears_it() -> None:
    (diagnostic,) = check(changed(resource_data={"pre-update": "True"}))
    assert diagnostic.code == "HOT740"
    assert f"openstack stack hook clear {running.identity('web')} net" in diagnostic.help()


@pytest.mark.parametrize(
    ("entry", "severity"),
    [
        ({"hooks": "pre-update"}, "warning"),
        ({"hooks": ["post-update", "pre-create"]}, "warning"),
        ({"hooks": "pre-delete"}, "warning"),
        ({"hooks": "pre-create"}, None),
        ({"restricted_actions": "update"}, "error"),
        ({"restricted_actions": ["replace", "update"]}, "error"),
        ({"restricted_actions": "replace"}, None),
    ],
)
def test_hooks_and_restrictions_of_the_environment(entry: dict[str, Any], severity: str | None) -> None:
    """All hooks and restrictions that would stop an update are reported. Heat may go on refusing to replace."""
    for registry in ({"net": entry}, {"outer": {"*": entry}}):
        exported = running.stack(NET, environment={"resource_registry": {"resources": registry}})
        assert [d.severity for d in check(exported) if d.code == "HOT751"] == [severity] * (severity is not None)


def test_nested_stacks_are_looked_into() -> None:
    """The state of a nested stack is checked, and that of the stacks inside; each with the names that lead there."""
    inner = running.stack(NET, name="web-sub", action="UPDATE", status="FAILED")
    inner["resources"]["net"] |= {"action": "UPDATE", "status": "FAILED"}
    outer = {"heat_template_version": "2018-08-31", "resources": {"sub": {"type": "net.yaml"}}}
    diagnostics = check(running.stack(outer, nested={"sub": inner}))
    assert [d.code for d in diagnostics] == ["HOT745", "HOT741", "HOT745"]
    assert "The nested stack of sub is UPDATE_FAILED" in diagnostics[1].message
    assert diagnostics[2].message.startswith("sub.net is UPDATE_FAILED")


def test_a_nested_stack_has_the_id_of_its_resource() -> None:
    """Heat writes an ID or an ARN. Any other stack in its place is refused."""
    inner = running.live(running.stack(NET, name="web-sub"))
    whole = running.live(running.stack(NET))
    for physical, codes in (
        (inner.id, []),
        (f"arn:openstack:heat::p:stacks/web-sub/{inner.id}", []),
        ("0-0", ["HOT749"]),
    ):
        nested_resource = LiveResource("sub", "net.yaml", physical, "CREATE", "COMPLETE", stack=inner)
        assert [d.code for d in safety.check_safety(replace(whole, resources={"sub": nested_resource}))] == codes


def test_names_of_the_input_are_quoted_in_commands() -> None:
    exported = running.stack(NET, action="SUSPEND", id="a; reboot")
    (diagnostic,) = check(exported)
    assert "'a; reboot'" in diagnostic.help()
