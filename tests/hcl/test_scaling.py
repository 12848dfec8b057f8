"""Without Heat, the user scales groups: a variable sets the size, within the limits that the group has in Heat.

Real terraform plans the sizes. The other tests name what each kind of group, policy and load balancer becomes, and what
keeps it with Heat.
"""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest

import transpile
from tests.support import conversions, oracles
from tests.support.conversions import codes
from tests.support.examples import sampled
from tests.support.files import write_files

HEAD = "heat_template_version: 2021-04-16\n"
PARAMETERS = "parameters: {n: {type: number, default: 1}, least: {type: number, default: 0}}\n"
VOLUMES = """\
resources:
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      FIRST
      min_size: LEAST
      max_size: 3
      resource: {type: MEMBER, properties: {size: 1}}
"""
MEMBER = """\
heat_template_version: 2021-04-16
parameters: {size: {type: number}}
resources: {volume: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}}
"""
INSTANCES = """\
resources:
  group:
    type: AWS::AutoScaling::AutoScalingGroup
    properties:
      AvailabilityZones: []
      LaunchConfigurationName: {get_resource: config}
      MinSize: 0
      DesiredCapacity: 1
      MaxSize: 3
  config:
    type: AWS::AutoScaling::LaunchConfiguration
    properties: {ImageId: debian-12, InstanceType: m1.small}
"""
POLICY = """\
  policy:
    type: OS::Heat::ScalingPolicy
    properties: {auto_scaling_group_id: {get_resource: group}, adjustment_type: exact_capacity, scaling_adjustment: 2}
"""
SERVER = """\
  server:
    type: OS::Nova::Server
    properties:
      image: debian-12
      flavor: m1.small
      networks: [{network: app}]
      user_data_format: RAW
      user_data: {str_replace: {template: curl -X POST URL, params: {URL: {get_attr: [policy, signal_url]}}}}
"""


def volumes(first: str = "", least: str = "0", member: str = "OS::Cinder::Volume") -> str:
    text = HEAD + PARAMETERS + VOLUMES.replace("LEAST", least).replace("MEMBER", member)
    return text.replace("      FIRST\n", f"      {first}\n" if first else "")


def convert(text: str | pathlib.Path, prefer: str = "native", **more: Any) -> transpile.Conversion:
    return conversions.convert(text, prefer=prefer, **more)


def treatments(text: str | pathlib.Path, prefer: str = "native") -> dict[str, str]:
    return {name: resource["treatment"] for name, resource in convert(text, prefer).report["resources"].items()}


# sizes


def planned(where: pathlib.Path, *options: str) -> tuple[int, str]:
    """The number of members that a plan creates, or -1 if terraform refuses; and its messages."""
    done = oracles.terraform(where, "plan", "-input=false", "-lock=false", "-out=p", "-var", "stack_name=s", *options)
    printed = done.stdout + done.stderr
    if done.returncode:
        return -1, printed
    plan = json.loads(oracles.terraform(where, "show", "-json", "p").stdout)
    return sum(
        re.search(r"\.group\[", change["address"]) is not None for change in plan.get("resource_changes", [])
    ), printed


@oracles.needs_providers
@pytest.mark.parametrize(
    ("text", "variable", "first"),
    sampled(
        [
            (volumes("desired_capacity: 2"), "group_size", 2),
            (volumes(), "group_size", 0),
            (volumes(least="1"), "group_size", 1),
            (volumes("desired_capacity: {get_param: n}"), "n", 1),
            (volumes("desired_capacity: {if: [{equals: [{get_param: n}, 1]}, 2, 3]}"), "group_size", 2),
            (volumes("desired_capacity: {if: [{equals: [{get_param: n}, 0]}, 2]}", "1"), "group_size", 1),
            (volumes("desired_capacity: 2", member="member.yaml"), "group_size", 2),
            (HEAD + INSTANCES, "group_size", 1),
        ],
        4,
    ),
    ids=["literal", "least", "at least one", "parameter", "expression", "nothing", "module", "instances"],
)
def test_the_variable_sets_the_size(text: str, variable: str, first: int, tmp_path: pathlib.Path) -> None:
    """Without a value the group has the size with which Heat creates it. A size beyond the limits is refused."""
    write_files(tmp_path, {"member.yaml": MEMBER, "stack.yaml": text})
    where = write_files(tmp_path / "hcl", convert(tmp_path / "stack.yaml").files)
    assert oracles.invalid(where) == []
    assert planned(where)[0] == first
    least = 1 if "min_size: 1" in text else 0
    for size in (0, 1, 3):
        number, printed = planned(where, "-var", f"{variable}={size}")
        assert number == (size if size >= least else -1), printed
    number, printed = planned(where, "-var", f"{variable}=4")
    assert number == -1
    assert re.search(rf"{variable}\s+must\s+be\s+between", printed)


@oracles.needs_providers
def test_limits_from_parameters_warn(tmp_path: pathlib.Path) -> None:
    """Terraform 1.5 allows no other variables in a validation; a check warns. The literal limit is still refused."""
    where = write_files(tmp_path / "hcl", convert(volumes("desired_capacity: 2", "{get_param: least}")).files)
    assert oracles.invalid(where) == []
    number, printed = planned(where, "-var", "least=2", "-var", "group_size=1")
    assert number == 1
    assert re.search(r"group\s+must\s+be\s+within\s+min_size", printed)
    assert "must be within" not in re.sub(r"\s+", " ", planned(where, "-var", "least=1")[1])
    assert planned(where, "-var", "group_size=4")[0] == -1


@oracles.needs_providers
def test_a_group_that_a_condition_omits_has_no_limits(tmp_path: pathlib.Path) -> None:
    """Heat does not look at the limits of a group that it does not create, so the parameter may have any value."""
    text = volumes("desired_capacity: {get_param: n}", "1")
    text = text.replace("resources:\n", "conditions: {c: {equals: [{get_param: least}, 0]}}\nresources:\n")
    text = text.replace("    properties:\n", "    condition: c\n    properties:\n", 1)
    where = write_files(tmp_path / "hcl", convert(text).files)
    assert oracles.invalid(where) == []
    number, printed = planned(where, "-var", "least=5", "-var", "n=9")
    assert (number, "within" in printed) == (0, False)
    number, printed = planned(where, "-var", "n=9")
    assert number == 9
    assert re.search(r"must\s+be\s+within", printed)


@pytest.mark.parametrize(
    ("first", "least"), [("desired_capacity: 4", "0"), ("desired_capacity: 0", "1"), ("desired_capacity: many", "0")]
)
def test_a_size_that_heat_refuses_stays_with_heat(first: str, least: str) -> None:
    assert treatments(volumes(first, least)) == {"group": "embedded"}


def test_the_variable_gives_way_to_a_parameter() -> None:
    text = volumes().replace("least: {type", "group_size: {type: string, default: x}, least: {type")
    done = convert(text + "outputs: {size: {value: {get_param: group_size}}}\n")
    assert "count = var.group_size_2" in done.files["main.tf"]
    assert done.report["parameters"]["group_size"]["variable"] == "group_size"


def test_a_caller_of_a_module_sets_no_size(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inner.yaml").write_text(volumes(least="2"))
    (tmp_path / "stack.yaml").write_text(HEAD + "resources: {inner: {type: inner.yaml}}\n")
    files = convert(tmp_path / "stack.yaml").files
    assert "group_size" in files["modules/inner/variables.tf"]
    assert "group_size" not in files["main.tf"]


def test_rolling_updates_are_said() -> None:
    rolling = volumes("rolling_updates: {max_batch_size: 2}")
    done = convert(rolling)
    assert "HOT517" in codes(done) - codes(convert(volumes()))
    assert done.report["resources"]["group"]["properties"]["rolling_updates"]["as"] == "dropped"
    policy = "    update_policy: {AutoScalingRollingUpdate: {MaxBatchSize: 2}}\n    properties:\n"
    assert "HOT517" in codes(convert(HEAD + INSTANCES.replace("    properties:\n", policy, 1)))
    assert "HOT517" not in codes(convert(HEAD + INSTANCES))


# policies


def test_nobody_listens_to_the_url_of_a_policy() -> None:
    done = convert(volumes() + POLICY + SERVER)
    assert "curl -X POST file:///dev/null" in done.files["main.tf"]
    assert {"HOT560", "HOT599"} <= codes(done)


@pytest.mark.parametrize(
    "value",
    [
        "{get_attr: [policy, signal_url]}",
        "{str_replace: {template: {get_attr: [policy, alarm_url]}, params: {a: b}}}",
        "{list_join: ['', [url=, {get_attr: [policy, alarm_url]}]]}",
    ],
)
def test_an_output_of_the_url_is_null(value: str) -> None:
    """A text around it would say something that is not so."""
    done = convert(f"{volumes()}{POLICY}outputs: {{url: {{value: {value}}}}}\n")
    assert "value = null" in done.files["outputs.tf"]


def test_beside_the_url_an_output_keeps_its_values() -> None:
    value = "{url: {get_attr: [policy, alarm_url]}, size: {get_attr: [group, current_size]}}"
    text = convert(f"{volumes()}{POLICY}outputs: {{o: {{value: {value}}}}}\n").files["outputs.tf"]
    assert "url  = null" in text
    assert "size = length(" in text


def test_a_module_passes_the_url_on(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inner.yaml").write_text(
        f"{volumes()}{POLICY}outputs: {{url: {{value: {{get_attr: [policy, signal_url]}}}}}}\n"
    )
    user = SERVER.replace("get_attr: [policy, signal_url]", "get_attr: [inner, url]")
    (tmp_path / "stack.yaml").write_text(HEAD + "resources:\n  inner: {type: inner.yaml}\n" + user)
    files = convert(tmp_path / "stack.yaml").files
    assert 'value = "file:///dev/null"' in files["modules/inner/outputs.tf"]
    assert "curl -X POST ${module.inner.url}" in files["main.tf"]


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


def test_an_alarm_outside_its_module_is_left_out(tmp_path: pathlib.Path) -> None:
    """The policy is in the module and the alarm outside, or the reverse."""
    passed = "outputs: {url: {value: {get_attr: [policy, signal_url]}}}\n"
    (tmp_path / "inner.yaml").write_text(volumes() + POLICY + passed)
    call = HEAD + "resources:\n  inner: {type: inner.yaml}\n"
    (tmp_path / "stack.yaml").write_text(call + ALARM.replace("ACTION", "{get_attr: [inner, url]}"))
    assert treatments(tmp_path / "stack.yaml") == {"inner": "module", "alarm": "folded"}
    alarm = ALARM.replace("ACTION", "{get_param: url}")
    (tmp_path / "inner.yaml").write_text(f"{HEAD}parameters: {{url: {{type: string}}}}\nresources:\n{alarm}")
    outer = "  inner: {type: inner.yaml, properties: {url: {get_attr: [policy, alarm_url]}}}\n"
    (tmp_path / "stack.yaml").write_text(volumes() + POLICY + outer)
    assert treatments(tmp_path / "stack.yaml") == {"group": "native", "policy": "folded", "inner": "module"}


def test_an_alarm_of_a_group_of_nested_templates_is_left_out(tmp_path: pathlib.Path) -> None:
    """The alarm would be tied to the type of the group through the members, as if it stayed with Heat."""
    (tmp_path / "member.yaml").write_text(
        HEAD + "resources: {port: {type: OS::Neutron::Port, properties: {network: n}}}\n"
    )
    health = (
        "resources:\n  group:\n    type: OS::Heat::AutoScalingGroup\n"
        "    properties: {min_size: 2, max_size: 4, resource: {type: member.yaml}}\n"
        "  health:\n    type: OS::Aodh::LBMemberHealthAlarm\n"
        "    properties: {stack: x, pool: p, autoscaling_group_id: {get_resource: group}}\n"
    )
    (tmp_path / "stack.yaml").write_text(HEAD + health)
    assert treatments(tmp_path / "stack.yaml") == {"group": "module", "health": "folded"}


def test_a_policy_stays_where_its_reader_stays() -> None:
    """The server reads its metadata from Heat. There the group can scale as before."""
    agent = SERVER.replace("RAW", "HEAT_CFNTOOLS").replace("template: curl", "template: cfn-init; curl")
    assert set(treatments(volumes() + POLICY + agent).values()) == {"embedded"}
    assert treatments(volumes() + POLICY + SERVER)["group"] == "native"


def test_an_alarm_that_is_read_keeps_its_group() -> None:
    alarm = ALARM.replace("ACTION", "{get_attr: [policy, alarm_url]}")
    reader = "  reader: {type: OS::Cinder::Volume, properties: {size: 1, description: {get_resource: alarm}}}\n"
    assert treatments(volumes() + POLICY + alarm)["group"] == "native"
    treatment_by_resource = treatments(volumes() + POLICY + alarm + reader)
    assert {treatment_by_resource[name] for name in ("group", "policy", "alarm")} == {"embedded"}


def test_a_policy_without_a_group_is_left_out() -> None:
    """In Heat such a policy finds no group when it gets a signal."""
    text = HEAD + "resources:\n" + POLICY.replace("{get_resource: group}", "elsewhere")
    assert treatments(text) == {"policy": "folded"}


def test_a_type_may_be_kept() -> None:
    done = convert(volumes() + POLICY, options={"keep": "OS::Heat::AutoScalingGroup"})
    assert {resource["treatment"] for resource in done.report["resources"].values()} == {"embedded"}


# attributes


@pytest.mark.parametrize(
    ("path", "least", "expected"),
    [
        ("current_size", "0", "length(openstack_blockstorage_volume_v3.group)"),
        ("refs", "0", "openstack_blockstorage_volume_v3.group[*].id"),
        ("outputs_list, size", "0", "openstack_blockstorage_volume_v3.group[*].size"),
        ("resource.0", "0", "try(openstack_blockstorage_volume_v3.group[0].id, null)"),
        ("resource.0", "1", "openstack_blockstorage_volume_v3.group[0].id"),  # it is always there
        ("resource.2.size", "0", "try(openstack_blockstorage_volume_v3.group[2].size, null)"),
    ],
)
def test_attributes_of_members(path: str, least: str, expected: str) -> None:
    files = convert(f"{volumes(least=least)}outputs: {{o: {{value: {{get_attr: [group, {path}]}}}}}}\n").files
    assert f"value = {expected}\n" in files["outputs.tf"]


def test_an_output_of_the_group_s_own_id_is_null() -> None:
    done = convert(f"{volumes()}outputs: {{o: {{value: {{get_resource: group}}}}}}\n")
    assert "value = null" in done.files["outputs.tf"]
    assert "HOT565" in codes(done)


# groups of instances


def test_members_follow_the_launch_configuration() -> None:
    done = convert(HEAD + INSTANCES + "outputs: {o: {value: {get_attr: [group, InstanceList]}}}\n")
    assert treatments(HEAD + INSTANCES) == {"group": "native", "config": "folded"}
    assert 'flavor_name = "m1.small"' in done.files["main.tf"]
    properties = done.report["resources"]["config"]["properties"]
    assert {name: fate["as"] for name, fate in properties.items()} == {"ImageId": "value", "InstanceType": "value"}
    assert "HOT518" in codes(done)


def test_resources_beside_a_member_are_its_own() -> None:
    """The port of a member in a subnet."""
    subnet = "      VPCZoneIdentifier: [0d5b1d02-3c7a-4a3e-9b7a-1f6f6b5b8e01]\n      MinSize"
    text = convert(HEAD + INSTANCES.replace("      MinSize", subnet)).files["main.tf"]
    assert "port = openstack_networking_port_v2.group[count.index].id" in text
    assert str(text).count("count = var.group_size") == 2


def test_groups_may_share_a_launch_configuration() -> None:
    second = INSTANCES[INSTANCES.index("  group") : INSTANCES.index("  config")].replace("group:", "second:", 1)
    assert treatments(HEAD + INSTANCES + second) == {"group": "native", "second": "native", "config": "folded"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ImageId: debian-12", "InstanceId: 3e0b8b2e-0d0c-4d6c-9c1e-5a6a5c1c3f10"),
        ("InstanceType: m1.small", "InstanceType: m1.small, UserData: /opt/aws/bin/cfn-init"),
    ],
    ids=["instance", "tools"],
)
def test_members_that_need_heat(before: str, after: str) -> None:
    """A copy of an instance that only the cloud knows, and servers that ask Heat for metadata that is not there."""
    assert before in INSTANCES
    report = convert(HEAD + INSTANCES.replace(before, after)).report["resources"]
    assert {resource["treatment"] for resource in report.values()} == {"embedded"}
    assert ("cfn-init" in report["group"]["kept"]["why"]) is ("InstanceId" not in after)


def test_the_metadata_of_a_launch_configuration_reaches_its_members() -> None:
    """The metadata is in the user data, as for an instance, with the diagnostic that later changes have no effect."""
    metadata = "    metadata: {'AWS::CloudFormation::Init': {config: {files: {/etc/motd: {content: hello}}}}}\n"
    data = 'InstanceType: m1.small, UserData: "#!/bin/sh\\n/opt/aws/bin/cfn-init -r config\\n"'
    text = INSTANCES.replace("    properties: {Im", f"{metadata}    properties: {{Im")
    done = convert(HEAD + text.replace("InstanceType: m1.small", data))
    assert {resource["treatment"] for resource in done.report["resources"].values()} == {"native", "folded"}
    assert "hello" in done.files["main.tf"]
    assert "HOT507" in codes(done)
    assert "HOT506" not in codes(done)
    assert done.report["resources"]["config"]["keys"]["metadata"]["as"] == "derived"


def test_an_instance_group_has_the_size_of_the_template() -> None:
    """Nothing scales it in Heat either, so it needs no variable."""
    text = re.sub(r"MinSize: 0\n.*\n.*3", "Size: 2", INSTANCES).replace(
        "AWS::AutoScaling::AutoScalingGroup", "OS::Heat::InstanceGroup"
    )
    done = convert(HEAD + text)
    assert "count = 2" in done.files["main.tf"]
    assert "HOT560" not in codes(done)
    assert "HOT560" in codes(convert(HEAD + INSTANCES))


def test_terraform_waits_for_members_over_ssh() -> None:
    """The members' user data contains the handle, by way of the launch configuration."""
    text = INSTANCES.replace(
        "InstanceType: m1.small",
        "InstanceType: m1.small, UserData: {str_replace: {template: WC, params: {WC: {get_attr: [h, curl_cli]}}}}",
    )
    text += "  h: {type: OS::Heat::WaitConditionHandle}\n"
    text += "  c: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: h}, timeout: 60}}\n"
    main = convert(HEAD + text, "provisioners").files["main.tf"]
    assert "count = length(openstack_compute_instance_v2.group)" in main
    assert "openstack_compute_instance_v2.group[count.index].access_ip_v4" in main


# load balancers

BALANCER = """\
  front:
    type: AWS::ElasticLoadBalancing::LoadBalancer
    properties:
      AvailabilityZones: []
      Listeners: [{LoadBalancerPort: 80, InstancePort: 8080, Protocol: HTTP}]
"""
BALANCED = HEAD + INSTANCES.replace("      MinSize", "      LoadBalancerNames: [{get_resource: front}]\n      MinSize")


def test_a_load_balancer_serves_all_members() -> None:
    done = convert(BALANCED + BALANCER)
    main = done.files["main.tf"]
    assert "count = length(openstack_compute_instance_v2.group)" in main
    assert "address       = openstack_compute_instance_v2.group[count.index].access_ip_v4" in main
    assert "HOT519" in codes(done)
    assert "front_subnet_id" in done.report["asks"]


def test_a_load_balancer_stays_with_its_group() -> None:
    heats = BALANCED.replace("ImageId: debian-12", "ImageId: debian-12, UserData: cfn-init")
    assert set(treatments(heats + BALANCER).values()) == {"embedded"}


@pytest.mark.parametrize(
    "more",
    ["      Instances: [3e0b8b2e-0d0c-4d6c-9c1e-5a6a5c1c3f10]\n", "      Instances: {get_param: OS::stack_id}\n"],
)
def test_a_load_balancer_of_unknown_instances_stays(more: str) -> None:
    assert treatments(HEAD + "resources:\n" + BALANCER + more) == {"front": "embedded"}
    assert treatments(HEAD + "resources:\n" + BALANCER) == {"front": "native"}


def test_a_module_asks_its_caller_for_the_subnet(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inner.yaml").write_text(HEAD + "resources:\n" + BALANCER)
    (tmp_path / "stack.yaml").write_text(HEAD + "resources: {inner: {type: inner.yaml}}\n")
    files = convert(tmp_path / "stack.yaml").files
    assert re.search(r"front_subnet_id\s+= var\.front_subnet_id", str(files["main.tf"]))


def test_without_a_preference_all_of_it_stays() -> None:
    text = BALANCED + BALANCER + POLICY
    assert set(treatments(text, "faithful").values()) == {"embedded"}
    assert set(treatments(text).values()) == {"native", "folded"}


def test_a_limit_that_is_the_size_itself_is_no_check() -> None:
    """`length(group) >= var.n` is always true where `count = var.n`."""
    made = convert(volumes("desired_capacity: {get_param: n}", "{get_param: n}"))
    text = "\n".join(map(str, made.files.values()))
    assert "check " not in text
    assert "n must be at most 3" in text  # the literal limit is a validation of the variable
    assert made.report["resources"]["group"]["properties"]["min_size"]["as"] == "implied"
