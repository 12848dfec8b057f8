"""Comments of the template stand at the block of their resource, and name the resource if it is not written."""

from __future__ import annotations

import transpile

LOST = """\
heat_template_version: 2018-08-31
parameters:
  # Nobody reads this.
  idle: {type: string, default: x}
resources:
  # Waits until the database answers.
  ready:
    type: OS::Heat::WaitCondition
    properties: {handle: {get_resource: handle}, timeout: 600}  # ten minutes
  handle: {type: OS::Heat::WaitConditionHandle}
  # The network.
  net:
    type: OS::Neutron::Net
    properties: {name: n}
"""


def test_comments_of_unwritten_declarations_name_their_subject() -> None:
    """Above the network, "Waits until the database answers." would say a wrong thing about it."""
    files = transpile.convert(LOST, prefer="native").files
    lines = str(files["main.tf"]).splitlines()
    start = lines.index("# About ready, which is not written here:")
    assert lines[start + 1] == "#   Waits until the database answers."
    assert lines[start + 2].startswith("# HOT590:")
    assert lines[start + 3] == "#   ten minutes"
    assert lines[-4:-1] == ["# The network.", 'resource "openstack_networking_network_v2" "net" {', '  name = "n"']
    everything = "\n".join(map(str, files.values()))
    assert "# About idle, which is not written here:\n#   Nobody reads this." in everything


def test_comments_stay_with_kept_resources() -> None:
    files = transpile.convert(LOST).files
    assert "# Waits until the database answers.\n  ready:" in str(files["templates/ready.yaml"])
    assert "About ready" not in str(files["main.tf"])


def test_comments_of_a_folded_resource_go_to_its_new_place() -> None:
    template = """\
heat_template_version: 2018-08-31
resources:
  first: {type: OS::Neutron::Net, properties: {name: first}}
  # Lets the web in.
  rule:
    type: OS::Neutron::SecurityGroupRule
    properties: {security_group: {get_resource: group}, protocol: tcp}
  config:  # set up by hand
    type: OS::Heat::SoftwareConfig
    properties: {group: ungrouped, config: "#!/bin/sh"}
  group: {type: OS::Neutron::SecurityGroup, properties: {name: g}}
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, user_data_format: RAW, user_data: {get_resource: config}}
"""
    made = transpile.convert(template)
    main = str(made.files["main.tf"])
    assert '# Lets the web in.\nresource "openstack_networking_secgroup_rule_v2" "rule" {' in main
    assert "set up by hand" not in main
    assert '# set up by hand\n  config = "#!/bin/sh"' in str(made.files["locals.tf"])


def test_a_note_about_a_value_stands_above_its_local() -> None:
    """The note has a place in the template, so the difference is announced for every reader of the value."""
    template = """\
heat_template_version: 2018-08-31
parameters: {config: {type: json, default: {a: 1}}}
resources:
  text:
    type: OS::Heat::Value
    properties: {value: {str_replace: {template: "config = X", params: {X: {get_param: config}}}}}
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, user_data_format: RAW, user_data: {get_attr: [text, value]}}
"""
    done = transpile.convert(template)
    assert done.ok, done.diagnostics
    assert "  # HOT572: Heat writes this list or map as JSON with spaces" in str(done.files["locals.tf"])
    assert "HOT572" not in str(done.files["main.tf"])
