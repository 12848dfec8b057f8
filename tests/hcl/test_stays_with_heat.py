"""Resources that native types cannot express stay with Heat, with the reason: one small template each.

Each case states the code and words of the reason, so that it cannot pass for a different reason.
"""

from __future__ import annotations

import json
import pathlib
import re
import textwrap

import pytest
import yaml

import transpile
from emitters.hcl.embed.stack import shorten_names
from tests.support import conversions

HOT = "heat_template_version: 2021-04-16\nparameters: {ref: {type: string}, list: {type: comma_delimited_list}}\n"
CASES = yaml.safe_load("""
a role for both: [OS::Keystone::UserRoleAssignment, "{user: u, roles: [{role: r, project: p, domain: d}]}",
  HOT306, exactly one of project and domain]
a role for neither: [OS::Keystone::Group, "{roles: [{role: r}]}", HOT306, exactly one of project and domain]
no role: [OS::Keystone::GroupRoleAssignment, "{group: g, roles: []}", HOT403, role_id is required]
an endpoint without region: [OS::Keystone::Endpoint, "{service: s, interface: public, url: u}",
  HOT403, endpoint_region is required]
a QoS by name: [OS::Cinder::QoSAssociation, "{qos_specs: slow, volume_types: [0f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60]}",
  HOT404, by its name]
a consumer that there is not: [OS::Cinder::QoSSpecs, "{specs: {consumer: nobody}}", HOT403, "'nobody' for consumer"]
a volume without size: [AWS::EC2::Volume,
  "{AvailabilityZone: nova, SnapshotId: 0f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60}", HOT403, size is required]
rules of a parameter: [AWS::EC2::SecurityGroup, "{GroupDescription: g, SecurityGroupIngress: {get_param: list}}",
  HOT404, known only at run time]
a rule for two: [AWS::EC2::SecurityGroup, "{GroupDescription: g, SecurityGroupIngress: [{IpProtocol: tcp, FromPort: 1,
  ToPort: 1, CidrIp: 0.0.0.0/0, SourceSecurityGroupId: default}]}", HOT403, both a prefix and a group]
a disk of nothing: [AWS::EC2::Instance,
  "{ImageId: i, InstanceType: t, BlockDeviceMappings: [{DeviceName: vdb, Ebs: {VolumeSize: '1'}}]}",
  HOT306, a disk without a snapshot]
groups beside interfaces: [AWS::EC2::Instance,
  "{ImageId: i, InstanceType: t, SecurityGroups: [g], NetworkInterfaces: [p]}",
  HOT306, together with network interfaces]
a subnet of a VPC elsewhere: [AWS::EC2::Subnet, "{VpcId: {get_param: ref}, CidrBlock: 10.0.0.0/24}",
  HOT450, not in Terraform]
an address by an ID: [AWS::EC2::EIPAssociation, "{AllocationId: {get_param: ref}, InstanceId: {get_param: ref}}",
  HOT450, not in the template]
a delay for suspending: [OS::Heat::Delay, "{actions: [RESUME]}", HOT450, suspends or resumes]
a failure: [OS::Heat::TestResource, "{fail: true}", HOT450, only Heat can fail on purpose]
a chain of a parameter: [OS::Heat::ResourceChain, "{resources: {get_param: list}}", HOT404, known only at run time]
""")


@pytest.mark.parametrize("name", CASES)
def test_expressions_without_a_counterpart_stay_with_heat(name: str) -> None:
    """The resource is embedded, and one diagnostic has its code and its reason."""
    kind, properties, code, why = CASES[name]
    done = transpile.convert(f"{HOT}resources:\n  it:\n    type: {kind}\n    properties: {properties}\n")
    assert done.report["resources"]["it"]["treatment"] == "embedded"
    messages = [d.message for d in done.diagnostics if d.code == code and " stays with Heat, in " in d.message]
    assert len(messages) == 1
    assert why in messages[0]


def test_a_gateway_goes_where_its_routers_go() -> None:
    """If a route table stays with Heat, so do the VPC and its attachments, because Heat looks for the router there."""
    done = transpile.convert(
        textwrap.dedent("""\
            heat_template_version: 2021-04-16
            resources:
              vpc: {type: AWS::EC2::VPC}
              table:
                type: AWS::EC2::RouteTable
                properties: {VpcId: {if: [{equals: [{get_param: OS::stack_id}, ""]}, x, {get_resource: vpc}]}}
              gateway:
                type: AWS::EC2::VPCGatewayAttachment
                properties: {VpcId: {get_resource: vpc}}
            """)
    )
    treatments = {name: resource["treatment"] for name, resource in done.report["resources"].items()}
    assert treatments == dict.fromkeys(("vpc", "table", "gateway"), "embedded")


NULL = """
heat_template_version: 2018-08-31
parameters: {given: {type: json}}
resources:
  v: {type: OS::Heat::Value, properties: {type: json, value: {get_param: given}}}
  q: {type: OS::Zaqar::Queue, properties: {name: q, metadata: {address: {get_attr: [v, value, address]}}}}
"""


def test_null_reaches_heat_as_null() -> None:
    """The value is inserted into the text: a parameter cannot be null."""
    done = conversions.convert(NULL)
    assert "v_value_address = try(local.v.address, null)" in str(done.files["main.tf"])
    text = str(done.files["templates/q.yaml.tftpl"])
    assert "address: ${jsonencode(v_value_address)}" in text
    assert "parameters:" not in text
    assert done.report["resources"]["q"]["properties"]["metadata.address"]["as"] == "reference"
    assert "HOT572" not in {d.code for d in done.diagnostics}  # no plan shows a change


STACK_ID = """
heat_template_version: 2018-08-31
resources:
  port: {type: OS::Neutron::Port, properties: {network: n, tags: [{get_param: OS::stack_id}]}}
  q: {type: OS::Zaqar::Queue, properties: {name: q, metadata: {of: {get_param: OS::stack_id}}}}
  r: {type: OS::Zaqar::Queue, properties: {name: r, metadata: {of: {get_param: OS::stack_id}}}}
outputs:
  id: {value: {get_param: OS::stack_id}}
"""


def test_all_parts_share_one_stack_id() -> None:
    """Native resources, outputs and stacks that stay with Heat have the same ID, and nothing stays with Heat for it."""
    done = transpile.convert(STACK_ID)
    main = str(done.files["main.tf"])
    assert main.count('resource "random_uuid" "stack_id"') == 1
    assert "tags       = [random_uuid.stack_id.result]" in main
    assert main.count("stack_id = random_uuid.stack_id.result") == 2
    assert "value = random_uuid.stack_id.result" in str(done.files["outputs.tf"])
    assert done.report["resources"]["port"]["treatment"] == "native"
    assert "OS::stack_id" not in str(done.files["templates/q.yaml"])
    assert [d.code for d in done.diagnostics].count("HOT541") == 1


TOOLS = """
heat_template_version: 2018-08-31
resources:
  server:
    type: OS::Nova::Server
    properties:
      image: i
      flavor: f
      networks: [{network: n}]
      user_data:
        str_replace: {template: cfn-init -s STACK -r server, params: {STACK: {get_param: OS::stack_name}}}
"""


def test_a_server_asks_heat_for_its_own_stack() -> None:
    """Tools in the server find its metadata only in the embedded stack."""
    done = transpile.convert(TOOLS)
    assert "STACK: { get_param: OS::stack_name }" in str(done.files["templates/server.yaml"])
    assert "HOT452" in {d.code for d in done.diagnostics}


JSON = """
heat_template_version: 2018-08-31
parameters:
  meta: {type: json, default: {a: {b: [1, 2]}}}
  secret: {type: json, hidden: true}
resources:
  q:
    type: OS::Zaqar::Queue
    properties:
      name: q
      metadata: {whole: {get_param: meta}, part: {get_param: [meta, a, b]}, text: "%{x} ${y}"}
  r:
    type: OS::Zaqar::Queue
    properties: {name: r, metadata: {secret: {get_param: secret}}}
"""


def test_json_parameters_are_inserted_into_the_text() -> None:
    """A map is inserted as JSON; the text around it is escaped. A secret stays a parameter, which Heat hides."""
    done = transpile.convert(JSON)
    text = str(done.files["templates/q.yaml.tftpl"])
    assert "whole: ${jsonencode(meta)}" in text
    assert "part: ${jsonencode(meta_a_b)}" in text
    assert "%%{x} $${y}" in text
    main = str(done.files["main.tf"])
    assert "secret = jsonencode(var.secret)" in main
    assert 'ignore_changes = [parameters["secret"]]' in main
    assert "secret: { get_param: secret }" in str(done.files["templates/r.yaml"])


def test_an_embedded_text_that_terraform_changes_is_said() -> None:
    """Terraform converts the text that file() reads to NFC, and so the text that Heat gets."""
    resource = {"type": "Own::Type", "metadata": {"a": "e\u0301"}}
    done = transpile.convert(json.dumps({"heat_template_version": "2021-04-16", "resources": {"r": resource}}))
    assert [d.message for d in done.diagnostics if d.code == "HOT571"] == [
        "Terraform makes every string NFC; the text in templates/r.yaml is not."
    ]


@pytest.mark.parametrize(
    ("names", "room", "text"),
    [
        (["a", "b"], 96, "a, b"),
        (["a" * 40, "b" * 40, "c" * 40], 96, f"{'a' * 40}, {'b' * 40} and 1 more"),
        (["a" * 200, "b"], 96, f"{'a' * 200} and 1 more"),
        ([f"n{i}" for i in range(40)], 96, "n0, n1, n2 and 37 more"),
    ],
)
def test_the_comment_above_a_stack_names_as_many_members_as_fit_on_a_line(
    names: list[str], room: int, text: str
) -> None:
    assert shorten_names(names, room) == text


STEP = """
heat_template_version: 2021-04-16
parameters: {label: {type: string, default: a}}
resources: {group: {type: OS::Nova::ServerGroup, properties: {name: {get_param: label}}}}
"""
REGISTRY = """
resource_registry: {"My::Step": step.yaml, "My::Word": "OS::Heat::RandomString"}
"""
CHAIN = "{type: OS::Heat::ResourceChain, properties: {resources: %s}}"
GROUP = "{type: OS::Heat::ResourceGroup, properties: {resource_def: %s}}"
SCALED = "{type: OS::Heat::AutoScalingGroup, properties: {min_size: 1, max_size: 2, resource: %s}}"
MEMBERS = {  # the members as written, as Heat gets them, and the types in the environment
    "the list of a chain": (
        CHAIN % "[My::Step, step.yaml, My::Word]",
        "resources: [My::Step, Nested::step, OS::Heat::RandomString]",
        {"My::Step": "step.yaml", "Nested::step": "step_2.yaml"},
    ),
    "a list in a parameter": (
        CHAIN % "{get_param: types}",
        "resources: { get_param: types }",
        {"My::Step": "step.yaml", "My::Word": "OS::Heat::RandomString"},
    ),
    "a type in a list in a parameter": (
        CHAIN % "[{get_param: kind}, My::Word]",
        "resources: [{ get_param: kind }, OS::Heat::RandomString]",
        {"My::Step": "step.yaml"},
    ),
    "a type in a parameter": (
        GROUP % "{type: {get_param: kind}}",
        "type: { get_param: kind }",
        {"My::Step": "step.yaml"},
    ),
    "a type that a condition chooses": (
        GROUP % "{type: {if: [plain, My::Step, My::Word]}}",
        "if: [plain, My::Step, OS::Heat::RandomString]",
        {"My::Step": "step.yaml"},
    ),
    "a value that looks like a type": (
        SCALED % "{type: OS::Heat::Value, properties: {value: {type: My::Word}}}",
        "value:\n            type: My::Word",
        {},
    ),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_heat_gets_the_types_of_members(name: str, tmp_path: pathlib.Path) -> None:
    """Heat gets the entries in all places where it reads a type. Without an entry of the environment, Heat does not
    know it and refuses the stack.
    """
    members, printed, registry = MEMBERS[name]
    (tmp_path / "step.yaml").write_text(STEP, encoding="utf-8")
    (tmp_path / "env.yaml").write_text(REGISTRY, encoding="utf-8")
    (tmp_path / "stack.yaml").write_text(
        "heat_template_version: 2021-04-16\n"
        "parameters:\n"
        "  types: {type: comma_delimited_list, default: 'My::Step,My::Word'}\n"
        "  kind: {type: string, default: My::Step}\n"
        "conditions: {plain: {equals: [{get_param: kind}, plain]}}\n"
        f"resources:\n  members: {members}\n"
        "outputs: {o: {value: {get_attr: [members, refs_map]}}, p: {value: {get_attr: [members, label]}}}\n",
        encoding="utf-8",
    )
    done = conversions.convert(tmp_path / "stack.yaml", environments=[tmp_path / "env.yaml"])
    assert done.report["resources"]["members"]["treatment"] == "embedded"
    assert printed in str(done.files["templates/members.yaml"])
    entries = re.findall(r"^        (\S+): (?:\$\{path\.module\}/templates/)?(\S+)$", str(done.files["main.tf"]), re.M)
    assert dict(entries) == registry
    assert {file for file in registry.values() if file.endswith(".yaml")} <= {
        path.removeprefix("templates/") for path in done.files
    }
