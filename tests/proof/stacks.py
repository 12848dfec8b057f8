"""Templates for the tests of `--tests`, and terraform's verdict on the output."""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Mapping
from typing import Any

import transpile
from tests.support import oracles
from transpile.text import output

FILE = "tests/heat.tftest.hcl"
SHOP = """\
heat_template_version: 2018-08-31
parameters:
  public: {type: boolean, default: false}
  size: {type: number, default: 2, constraints: [{range: {min: 0, max: 4}}]}
  flavor: {type: string, default: m1.small, constraints: [{allowed_values: [m1.small, m1.large]}]}
  image: {type: string}
  password: {type: string, hidden: true, default: s3cr3t}
  labels: {type: comma_delimited_list, default: "red,green"}
conditions:
  is_public: {get_param: public}
  is_large: {equals: [{get_param: flavor}, m1.large]}
resources:
  net: {type: OS::Neutron::Net, properties: {name: inner}}
  other: {type: OS::Neutron::Net, properties: {name: other}}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  port:
    type: OS::Neutron::Port
    properties: {network: {get_resource: net}, fixed_ips: [{subnet: {get_resource: subnet}}]}
  address:
    type: OS::Neutron::FloatingIP
    condition: is_public
    properties: {floating_network: outside, port_id: {get_resource: port}}
  server:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: {if: [is_large, m1.xlarge, {get_param: flavor}]}
      networks: [{port: {get_resource: port}}]
      tags: [{get_param: [labels, 1]}]
      user_data_format: RAW
      user_data:
        str_replace:
          template: listen ADDRESS
          params: {ADDRESS: {get_attr: [port, fixed_ips, 0, ip_address]}}
  workers:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: size}
      resource_def:
        type: OS::Nova::Server
        properties: {name: "w%index%", image: {get_param: image}, flavor: m1.small, networks: [{network: inner}]}
outputs:
  url: {value: {if: [is_public, {get_attr: [address, floating_ip_address]}, none]}}
  net: {value: {get_resource: net}}
"""


def with_tests(source: str | os.PathLike[str], **options: Any) -> transpile.Conversion:
    """The conversion of a template, with tests."""
    return transpile.convert(source, options={"tests": True, "test_runs": "all", **options})


def failures(files: Mapping[str, str | bytes], where: pathlib.Path) -> str:
    """The output of `terraform test` for a directory; empty if all tests pass."""
    output.write_directory(where, dict(files))
    for command in (("init", "-input=false", "-backend=false"), ("test", "-no-color")):
        done = oracles.terraform(where, *command)
        if done.returncode:
            return done.stdout + done.stderr
    return ""


def failed_runs(printed: str) -> set[str]:
    """The names of the runs that fail."""
    return set(re.findall(r'run "([^"]+)"\.\.\. fail', printed))
