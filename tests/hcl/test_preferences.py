"""`--prefer native` applies only where nothing else is affected. Everywhere else the default conversion stays.

Each refused template here is one word away from one that would be native.
"""

from __future__ import annotations

import pytest

import transpile

HEAD = "heat_template_version: 2021-04-16\nresources:\n"
GROUP = """\
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 2
      max_size: 3
      resource:
        type: OS::Cinder::Volume
        properties: {size: 1}
  policy:
    type: OS::Heat::ScalingPolicy
    properties:
      auto_scaling_group_id: {get_resource: group}
      adjustment_type: change_in_capacity
      scaling_adjustment: 1
"""
ALARM = """\
  alarm:
    type: OS::Aodh::GnocchiResourcesAlarm
    properties:
      metric: cpu
      aggregation_method: mean
      threshold: 50
      resource_type: instance
      resource_id: x
      alarm_actions: [ACTION]
"""
SERVER = """\
  server:
    type: OS::Nova::Server
    properties:
      name: server
      image: debian-12
      flavor: m1.small
      networks: [{network: app}]
      user_data_format: SOFTWARE_CONFIG
"""


def treatments(text: str, prefer: str = "native") -> dict[str, str]:
    done = transpile.convert(HEAD + text, prefer=prefer)
    assert done.ok, done.diagnostics
    return {name: r["treatment"] for name, r in done.report["resources"].items()}


def test_faithful_is_the_default() -> None:
    assert transpile.convert(HEAD + GROUP).files == transpile.convert(HEAD + GROUP, prefer="faithful").files
    assert set(treatments(GROUP, "faithful").values()) == {"embedded"}


def test_a_group_has_the_size_that_it_begins_with() -> None:
    assert treatments(GROUP) == {"group": "native", "policy": "folded"}
    files = transpile.convert(HEAD + GROUP, prefer="native").files
    assert "count = var.group_size" in files["main.tf"]
    assert "default     = 2" in files["variables.tf"]


def test_the_report_has_the_preferences() -> None:
    assert transpile.convert(HEAD + GROUP, prefer="native").report["options"] == {"prefer": "native"}
    assert "options" not in transpile.convert(HEAD + GROUP).report


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("{get_attr: [policy, signal_url]}", "HOT560"),
        ("{list_join: ['', ['trust+', {get_attr: [policy, signal_url]}]]}", "HOT560"),
        ("https://example.org/page-me", "HOT589"),  # nothing needs the alarm
        ("{get_attr: [policy, signal_url]}, https://example.org/page-me", "HOT589"),
    ],
)
def test_an_alarm_is_left_out_with_any_action(action: str, code: str) -> None:
    """The code says whether it did more than to scale the group."""
    text = GROUP + ALARM.replace("ACTION", action)
    assert treatments(text) == {"group": "native", "policy": "folded", "alarm": "folded"}
    alarm_codes = [
        d.code for d in transpile.convert(HEAD + text, prefer="native").diagnostics if d.message[:5] == "alarm"
    ]
    assert alarm_codes == [code]


@pytest.mark.parametrize("key", ["deletion_policy: Retain", "update_policy: {a: 1}"])
def test_members_that_have_policies_stay(key: str) -> None:
    """Heat applies both policies to each member of a scaling group. A resource with `count` would be deleted with its
    disk.
    """
    treatment_by_resource = treatments(GROUP.replace("resource:\n", f"resource:\n        {key}\n", 1))
    assert treatment_by_resource["group"] == "embedded"
    assert treatments(GROUP)["group"] == "native"


def test_members_with_random_names_are_not_guessed() -> None:
    reader = "  reader: {type: OS::Cinder::Volume, properties: {size: {get_attr: [group, resource.x7, size]}}}\n"
    assert treatments(GROUP + reader)["group"] == "embedded"


def test_an_output_that_only_heat_knows_is_null() -> None:
    """An attribute that another resource reads is a variable, and no stack in Heat reads it (`--prefer native`)."""
    outputs = "outputs:\n  o: {value: {get_attr: [server, console_urls]}}\n"
    done = transpile.convert(HEAD + SERVER + outputs, prefer="native")
    assert done.report["resources"]["server"]["treatment"] == "native"
    assert "value = null" in done.files["outputs.tf"]
    assert "HOT565" in {d.code for d in done.diagnostics}
    assert "HOT457" not in {d.code for d in done.diagnostics}
    faithful = transpile.convert(HEAD + SERVER + outputs, prefer="faithful")
    assert "HOT457" in {d.code for d in faithful.diagnostics}
    assert "value = null" not in faithful.files["outputs.tf"]
    read = "{get_attr: [server, console_urls, novnc]}"
    reader = f"  other: {{type: OS::Cinder::Volume, properties: {{size: 1, description: {read}}}}}\n"
    assert treatments(SERVER + reader)["server"] == "native"
    done = transpile.convert(HEAD + SERVER + reader, prefer="native")
    assert {"HOT457", "HOT529"} & {d.code for d in done.diagnostics} == {"HOT529"}
    assert "description = var.server_console_urls_novnc" in done.files["main.tf"]


def test_a_uuid_stands_for_the_id_of_the_stack() -> None:
    """This holds for every preference."""
    volume = "  v: {type: OS::Cinder::Volume, properties: {size: 1, metadata: {s: {get_param: 'OS::stack_id'}}}}\n"
    assert treatments(volume) == {"v": "native"}
    assert "s = random_uuid.stack_id.result" in transpile.convert(HEAD + volume, prefer="native").files["main.tf"]
    assert treatments(volume, "faithful") == {"v": "native"}
