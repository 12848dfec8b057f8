"""A small repository of templates for the tests of migrate."""

from __future__ import annotations

import pathlib

from tests.conftest import Ended, Run
from tests.support.files import write_files

SERVER = """\
heat_template_version: 2018-08-31
parameters:
  network: {type: string}
resources:
  port:
    type: OS::Neutron::Port
    properties: {network: {get_param: network}}
  server:
    type: OS::Nova::Server
    properties:
      image: cirros
      flavor: m1.tiny
      networks: [{port: {get_resource: port}}]
      user_data: {get_file: boot.sh}
      user_data_format: RAW
outputs:
  address: {value: {get_attr: [server, first_address]}}
"""
CALLER = """\
heat_template_version: 2018-08-31
parameters:
  network: {{type: string, default: {network}}}
resources:
  one:
    type: {server}
    properties: {{network: {{get_param: network}}}}
outputs:
  address: {{value: {{get_attr: [one, address]}}}}
"""
ALONE = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net, properties: {name: n}}
"""
WAITS = """\
heat_template_version: 2018-08-31
resources:
  handle: {type: OS::Heat::WaitConditionHandle}
  wait: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: handle}, timeout: 60}}
"""
BROKEN = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {nam: n}}\n"


def make(where: pathlib.Path) -> pathlib.Path:
    """A repository: two stacks that share a nested template, one of them with an environment; one alone and its copy;
    one that stays with Heat.
    """
    files = {
        "lib/server.yaml": SERVER,
        "lib/boot.sh": "#!/bin/sh\necho started\n",
        "web/web.yaml": CALLER.format(network="front", server="../lib/server.yaml"),
        "web/web.env": "parameters: {network: back}\n",
        "db/db.yaml": CALLER.format(network="data", server="../lib/server.yaml"),
        **dict.fromkeys(("net/alone.yaml", "copy/alone.yaml"), ALONE),
        "waits.yaml": WAITS,
        "README.md": "Nothing of Heat's.\n",
    }
    return write_files(where, files)


def put(where: pathlib.Path, name: str, text: str) -> None:
    write_files(where, {name: text})


def tree(where: pathlib.Path) -> dict[str, str]:
    """All files of a destination but the state."""
    return {
        path.relative_to(where).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(where.rglob("*"))
        if path.is_file() and ".hot2tf" not in path.relative_to(where).parts
    }


def migrate(command: Run, *more: str) -> Ended:
    """Migrates the directory `src` to `out`."""
    return command("migrate", "src", "out", "--progress", "none", *more)
