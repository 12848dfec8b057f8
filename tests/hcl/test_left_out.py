"""`--prefer native` leaves out resources without a counterpart in Terraform, unless a remaining one needs them."""

from __future__ import annotations

from typing import Any

import pytest

from emitters.hcl import summary
from tests.support import conversions

HEAD = "heat_template_version: 2021-04-16\nresources:\n"
QUEUE = "  queue: {type: OS::Zaqar::Queue, properties: {name: jobs}}\n"
ABOVE = """\
  subscription:
    type: OS::Zaqar::Subscription
    properties: {queue_name: {get_resource: queue}, subscriber: "mailto:a@example.org", ttl: 60}
"""
VOLUME = "  volume: {type: OS::Cinder::Volume, properties: {size: 1, description: {get_resource: queue}}}\n"


def convert(text: str, prefer: str = "native", keep: str = "") -> Any:
    return conversions.convert(HEAD + text, prefer=prefer, options={"keep": keep})


def treatments(text: str, prefer: str = "native", keep: str = "") -> dict[str, str]:
    return {name: r["treatment"] for name, r in convert(text, prefer, keep).report["resources"].items()}


def test_a_resource_that_nothing_needs_is_left_out_and_named() -> None:
    done = convert(QUEUE + ABOVE)
    assert done.report["left_out"] == {"queue": "OS::Zaqar::Queue", "subscription": "OS::Zaqar::Subscription"}
    assert [d.code for d in done.diagnostics] == ["HOT589", "HOT589"]
    assert done.report["resources"]["queue"]["properties"]["name"]["code"] == "HOT589"
    assert "2 left out" in summary.summarize_report(done.report)
    assert set(treatments(QUEUE + ABOVE, "faithful").values()) == {"embedded"}


def test_a_read_resource_stays_with_its_readers() -> None:
    assert treatments(QUEUE + ABOVE + VOLUME) == {"queue": "embedded", "subscription": "embedded", "volume": "native"}


HOLDER = "  holder: {type: OS::Heat::TestResource, properties: {value: {get_resource: queue}}}\n"


def test_a_value_that_only_holds_it_goes_with_it() -> None:
    done = convert(QUEUE + HOLDER)
    assert list(done.report["left_out"]) == ["queue", "holder"]
    assert [d.code for d in done.diagnostics] == ["HOT589", "HOT589"]


@pytest.mark.parametrize(
    "reader",
    [
        "  volume: {type: OS::Cinder::Volume, properties: {size: 1, description: {get_attr: [holder, output]}}}\n",
        "  volume: {type: OS::Cinder::Volume, properties: {size: 1, description: {get_resource: queue}}}\n",
    ],
)
def test_a_value_that_holds_it_stays_if_either_is_read(reader: str) -> None:
    treatment_by_resource = treatments(QUEUE + HOLDER + reader)
    assert (treatment_by_resource["queue"], treatment_by_resource["holder"], treatment_by_resource["volume"]) == (
        "embedded",
        "native",
        "native",
    )


def test_a_value_that_holds_another_resource_stays() -> None:
    holder = "  holder: {type: OS::Heat::TestResource, properties: {value: {get_resource: other}}}\n"
    other = "  other: {type: OS::Cinder::Volume, properties: {size: 1}}\n"
    assert treatments(QUEUE + other + holder)["holder"] == "native"


def test_an_output_is_null() -> None:
    done = convert(QUEUE + "outputs: {id: {value: {get_resource: queue}}}\n")
    assert "value = null" in str(done.files["outputs.tf"])
    assert "HOT589" in str(done.files["outputs.tf"])


def test_a_resource_that_uses_a_part_of_heat_stays_too() -> None:
    """The policy is in Heat anyway, with a group whose members only Heat can keep; then the alarm has its place beside
    it.
    """
    text = """\
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 1
      max_size: 2
      resource: {type: OS::Cinder::Volume, deletion_policy: Retain, properties: {size: 1}}
  policy:
    type: OS::Heat::ScalingPolicy
    properties:
      auto_scaling_group_id: {get_resource: group}
      adjustment_type: change_in_capacity
      scaling_adjustment: 1
  alarm:
    type: OS::Aodh::EventAlarm
    properties: {event_type: a.b, alarm_actions: [{get_attr: [policy, signal_url]}, "https://pager.example.org"]}
"""
    assert set(treatments(text).values()) == {"embedded"}


def test_groups_of_such_resources_are_left_out() -> None:
    member = "{type: OS::Zun::Container, properties: {image: nginx}}"
    text = f"  group: {{type: OS::Heat::ResourceGroup, properties: {{count: 2, resource_def: {member}}}}}\n"
    assert treatments(text) == {"group": "folded"}


@pytest.mark.parametrize("keep", ["OS::Zaqar::Queue", "OS::Zaqar::*", "OS::Aodh::*,OS::Zaqar::Queue"])
def test_the_user_keeps_types_with_their_users(keep: str) -> None:
    done = convert(QUEUE + ABOVE, keep=keep)
    assert {r["treatment"] for r in done.report["resources"].values()} == {"embedded"}
    assert done.report["options"] == {"prefer": "native", "keep": keep.split(",")}


def test_a_resource_kept_by_its_type_keeps_its_partners() -> None:
    wait = """\
  handle: {type: OS::Heat::WaitConditionHandle}
  wait: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: handle}, timeout: 60}}
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, user_data_format: RAW, user_data: {get_attr: [handle, curl_cli]}}
"""
    assert set(treatments(wait, keep="OS::Heat::WaitCondition").values()) == {"embedded"}


def test_the_closing_line_names_the_way_out() -> None:
    """The first of the preferences that frees most."""
    closing_line = summary.summarize_report(convert(QUEUE + ABOVE + VOLUME, "faithful").report)
    assert "2 kept in Heat" in closing_line  # the volume reads the queue
    assert "frees" not in closing_line
    closing_line = summary.summarize_report(convert(QUEUE, "faithful").report)
    assert closing_line.endswith("; --prefer native frees it from Heat")
    two = QUEUE + QUEUE.replace("queue:", "other:") + VOLUME
    assert summary.summarize_report(convert(two, "faithful").report).endswith("; --prefer native frees 1 from Heat")
    assert "Heat" not in summary.summarize_report(convert(QUEUE).report)
