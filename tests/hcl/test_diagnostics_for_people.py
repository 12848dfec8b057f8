"""A finding that a template has many times has one diagnostic, with a hint about the remedy."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.conftest import Run

HOT = "heat_template_version: 2021-04-16\n"
SERVERS = HOT + (
    "parameters:\n"
    "  image: {type: string, default: cirros, constraints: [{custom_constraint: glance.image}]}\n"
    "  flavor: {type: string, default: m1.tiny, constraints: [{custom_constraint: nova.flavor}]}\n"
    "  net: {type: string, default: private}\n"
    "  zone: {type: string}\n"
    "resources:\n"
    + "".join(
        f"  {name}:\n    type: OS::Nova::Server\n    metadata: {{a: b}}\n    properties: {{name: {name}, "
        "user_data: text, image: {get_param: image}, flavor: {get_param: flavor}, "
        "networks: [{network: {get_param: net}}], "
        "availability_zone: {get_param: zone}}\n"
        for name in ("a", "b", "c")
    )
)
GROUP = "  g:\n    type: OS::Heat::AutoScalingGroup\n    properties:\n      min_size: 1\n      max_size: 2\n" + (
    "      resource: {type: OS::Heat::RandomString}\n"
)
POLICY = "  p:\n    type: OS::Heat::ScalingPolicy\n    properties:\n      adjustment_type: change_in_capacity\n" + (
    "      scaling_adjustment: 1\n      auto_scaling_group_id: {get_resource: g}\n"
)
HANDLE = "  h: {type: OS::Heat::WaitConditionHandle}\n"
WAIT = "  w: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: h}, timeout: 60}}\n"
QUEUES = "  q1: {type: OS::Zaqar::Queue}\n  q2: {type: OS::Zaqar::Queue, depends_on: q1}\n"
DEPLOYED = "  d: {type: OS::Heat::SoftwareDeployment, properties: {config: 0815-4711, server: 0815-4712}}\n"
PLUGINS = "  m1: {type: My::Own}\n  m2: {type: My::Own}\n  m3: {type: Your::Own}\n"


def test_a_finding_of_many_resources_is_one_line() -> None:
    diagnostics = transpile.convert(SERVERS).diagnostics
    assert sorted(d.code for d in diagnostics) == ["HOT411", "HOT506", "HOT533", "HOT562"]
    messages = {d.code: d.message for d in diagnostics}
    assert messages["HOT411"].startswith("Taken as names, not IDs: image, flavor, net (network).")
    assert "glance.image (image), nova.flavor (flavor)" in messages["HOT533"]
    assert messages["HOT506"].startswith("The metadata of a, b, c is dropped")
    assert messages["HOT562"].startswith("Heat wraps the user data of a, b, c ")


@pytest.mark.parametrize(
    ("resources", "listed", "hint"),
    [
        (GROUP + POLICY, "g, p stay with Heat", "--prefer native frees them"),
        (HANDLE + WAIT, "h, w stay with Heat", "--prefer native frees them"),
        (QUEUES, "q1, q2 stay with Heat", "--prefer native frees them"),
        (DEPLOYED, "Resource d (OS::Heat::SoftwareDeployment) stays with Heat", ""),
        (GROUP, "Resource g (OS::Heat::AutoScalingGroup) stays with Heat", "--prefer native frees it"),
    ],
)
def test_kept_resources_are_reported_once_with_the_way_out(resources: str, listed: str, hint: str) -> None:
    text = f"{HOT}resources:\n{resources}"
    (diagnostic,) = [d for d in transpile.convert(text).diagnostics if d.code == "HOT450"]
    assert diagnostic.message.startswith(listed)
    assert ("--prefer" in diagnostic.help(), hint in diagnostic.help()) == (bool(hint), True)
    assert not hint or "HOT450" not in [d.code for d in transpile.convert(text, prefer="native").diagnostics]


def test_unknown_types_are_one_line() -> None:
    (diagnostic,) = transpile.convert(f"{HOT}resources:\n{PLUGINS}").diagnostics
    assert "My::Own (m1, m2), Your::Own (m3)" in diagnostic.message
    assert "-e FILE" in diagnostic.help()


def test_the_closing_line_names_the_values_that_the_plan_asks_for(command: Run) -> None:
    pathlib.Path("stack.yaml").write_text(SERVERS)
    assert "  set 1: variables without a value\n    zone\n" in command("convert", "stack.yaml", "-o", "out").err
    assert "  set 1" not in command("convert", "stack.yaml", "-o", "out", "--parameter", "zone=nova").err
    assert transpile.convert(SERVERS).report["asks"] == ["zone"]
