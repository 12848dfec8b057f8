"""Real cloud-init does the same with our user data as with Heat's, including the work of Heat's agents.

Terraform plans each server, and the cloud-init of this machine boots its user data (`tests/support/cloud_init.py`). The
files and calls that this leaves are compared with those of Heat's own user data, or of the agent's run.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any, NamedTuple

import pytest
import yaml

import transpile
from tests.hcl import test_cfn_init as cfn_patterns
from tests.hcl import test_deployments_run as deployments
from tests.support import cfn, cloud_init, oracles
from transpile.text import output

HEAT = """\
import json, sys
from unittest import mock
from heat.engine.clients.os import nova
from heat.engine.resources.openstack.heat import multi_part
question = json.load(sys.stdin)
data = question["data"]
if isinstance(data, list):  # the parts of OS::Heat::MultipartMime
    parts = []
    for part in data:
        if part.get("type") == "multipart":
            multi_part.MultipartMime._append_multiparts(parts, part["config"])
        else:
            multi_part.MultipartMime._append_part(parts, part["config"], part.get("subtype"), part.get("filename", ""))
    data = multi_part.multipart.MIMEMultipart(_subparts=parts).as_string()
if question["format"] is not None:
    clients = mock.MagicMock()
    clients.context.clients.client_plugin().get_cfn_metadata_server_url.return_value = "http://192.0.2.1:8000/v1/"
    data = nova.NovaClientPlugin.build_userdata(clients, question["metadata"], data, None, question["format"])
print(json.dumps(data))
"""


def ask_heat(data: str | list[dict[str, str]], form: str | None, metadata: Any = None) -> str:
    """The user data that Heat gives Nova. data: the property, or the parts of a message; form: `user_data_format`, or
    None for the message alone.
    """
    question = json.dumps({"data": data, "format": form, "metadata": metadata})
    ended = subprocess.run(
        [oracles.HEAT_PYTHON, "-W", "ignore", "-c", HEAT], input=question, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return str(json.loads(ended.stdout))


def plan_user_data(template: str, where: pathlib.Path) -> str:
    """The user data of the one server of a template, as terraform plans it and the provider of cloudinit_config puts
    its parts together.
    """
    done = transpile.convert(template, prefer="native")
    assert done.ok, done.diagnostics
    where.mkdir()
    assert output.write_directory(where, dict(done.files)) == []
    (where / "terraform.tfvars.json").write_text(json.dumps({"stack_name": "stack"}))
    oracles.run(where, "init", "-input=false")
    plan = oracles.plan(where)
    (server,) = [
        resource["values"]
        for resource in plan["planned_values"]["root_module"]["resources"]
        if resource["type"] == "openstack_compute_instance_v2"
    ]
    for resource in plan.get("prior_state", {}).get("values", {}).get("root_module", {}).get("resources", ()):
        values = resource["values"]
        if resource["type"] == "cloudinit_config" and values["rendered"] == server["user_data"]:
            assert values["gzip"] is False
            assert values["base64_encode"] is False
            parts = [
                cloud_init.Part(part["content_type"], part["content"], part.get("filename") or "")
                for part in values["part"]
            ]
            return cloud_init.compose_message(parts, values["boundary"] or "MIMEBOUNDARY")
    return str(server["user_data"])


def add_message(resources: dict[str, Any], name: str, parts: list[dict[str, Any]]) -> None:
    """Adds a message, and the messages in it."""
    written = [dict(part) for part in parts]
    for part in written:
        if isinstance(part["config"], list):
            inner = f"inner_{len(resources)}"
            add_message(resources, inner, part["config"])
            part["config"] = {"get_resource": inner}
    resources[name] = {"type": "OS::Heat::MultipartMime", "properties": {"parts": written}}


def ask_heat_for_message(parts: list[dict[str, Any]]) -> str:
    """The message that Heat makes of parts, some of which are messages themselves."""
    inner = [
        {**part, "config": ask_heat_for_message(part["config"]) if isinstance(part["config"], list) else part["config"]}
        for part in parts
    ]
    return ask_heat(inner, None)


class Boot(NamedTuple):
    """User data of a template, and how Heat hands it to the server."""

    name: str
    data: str | list[dict[str, Any]]
    format: str = "RAW"

    def template(self) -> str:
        server: dict[str, Any] = {
            "type": "OS::Nova::Server",
            "properties": {
                "image": "debian-12",
                "flavor": "m1.small",
                "networks": [{"network": "app"}],
                "user_data_format": self.format,
                "user_data": self.data if isinstance(self.data, str) else {"get_resource": "message"},
            },
        }
        resources: dict[str, Any] = {"server": server}
        if isinstance(self.data, list):
            add_message(resources, "message", self.data)
        return yaml.safe_dump({"heat_template_version": "2021-04-16", "resources": resources}, sort_keys=False)


SCRIPT = '#!/bin/bash\nset -e\napt-get install -y nginx\necho "it\'s ${HOME:-nowhere}" > /srv/page\npwd > /srv/place\n'
CLOUD_CONFIG = """\
#cloud-config
write_files:
- {path: /etc/app.conf, content: "port=80\\n", permissions: '0640'}
- {path: /etc/encoded, content: aGVsbG8=, encoding: b64}
runcmd:
- [sh, -c, 'echo "$0" ran >> /srv/order', first]
- echo second >> /srv/order
bootcmd:
- echo boot >> /srv/order
"""
BOOTS = [
    Boot("a script", SCRIPT),
    Boot("a script in Heat's format", SCRIPT, "HEAT_CFNTOOLS"),
    Boot("a script for the agent's format", SCRIPT, "SOFTWARE_CONFIG"),
    Boot("a script of another language", "#!/usr/bin/env python3\nprint('ü', file=open('/srv/x', 'w'))\n"),
    Boot("a script in Heat's format that fails", "#!/bin/sh\necho a > /srv/a\nexit 4\n", "HEAT_CFNTOOLS"),
    Boot("cloud-config", CLOUD_CONFIG),
    Boot("cloud-config for the agent's format", CLOUD_CONFIG, "SOFTWARE_CONFIG"),
    Boot("text that is no script", "echo never > /srv/never\n"),
    Boot("a boothook", "#cloud-boothook\n#!/bin/sh\necho $INSTANCE_ID > /srv/early\n"),
    Boot("percent signs and dollars", "#!/bin/bash\nA=(1 2)\nprintf '%s %%{x} ${y}' \"${A[@]}\" '$' > /srv/signs\n"),
    Boot(
        "parts",
        [
            {"config": CLOUD_CONFIG, "subtype": "cloud-config"},
            {"config": SCRIPT, "filename": "20-second"},
            {"config": "#!/bin/sh\necho first >> /srv/order\n", "filename": "10-first"},
        ],
    ),
    Boot("parts for the agent's format", [{"config": CLOUD_CONFIG}, {"config": SCRIPT}], "SOFTWARE_CONFIG"),
    Boot(
        "parts with a type by their name",
        [
            {"config": "#!/bin/sh\necho shell > /srv/shell\n", "filename": "x-shellscript.sh"},
            {"config": "echo early > /srv/early\n", "filename": "cloud-boothook.txt"},
        ],
    ),
    Boot("a part that is not ASCII", [{"config": "#!/bin/sh\necho 'Grüße, 世界' > /srv/greeting\n"}]),
    Boot(
        "a message in a message",
        [
            {"type": "multipart", "config": [{"config": CLOUD_CONFIG}, {"config": SCRIPT, "filename": "inner"}]},
            {"config": "#!/bin/sh\necho last >> /srv/order\n", "filename": "last"},
        ],
    ),
]


@oracles.needs_both
@cloud_init.needs_cloud_init
@pytest.mark.parametrize(
    "boot",
    [pytest.param(boot, marks=[pytest.mark.long] * (index % 5 > 0)) for index, boot in enumerate(BOOTS)],
    ids=lambda boot: boot.name,
)
def test_a_server_boots_as_with_heat(boot: Boot, tmp_path: pathlib.Path) -> None:
    data = ask_heat_for_message(boot.data) if isinstance(boot.data, list) else boot.data
    heats = cloud_init.boot(ask_heat(data, boot.format), tmp_path / "heat")
    ours = cloud_init.boot(plan_user_data(boot.template(), tmp_path / "hcl"), tmp_path / "ours")
    assert ours.files == heats.files
    assert ours.modes == heats.modes
    assert ours.log == [call for call in heats.log if call.split()[0] != "cfn-create-aws-symlinks"]
    assert ours.status == heats.status, ours.problems
    assert bool(ours.files) == (boot.name != "text that is no script")  # something was compared


# software deployments and cfn-init: their own tests run them in a shell, beside heat-agents and heat-cfntools


def write_to_messages(text: str) -> str:
    """A program or configuration of the tests in a shell, which writes its observations to a file of the server."""
    for word in ('os.environ["TELL"]', "os.environ['TELL']"):
        text = text.replace(word, "'/booted/messages'")
    return text.replace(">>$TELL", ">>/booted/messages")


@oracles.needs_providers
@cloud_init.needs_cloud_init
@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(pattern, marks=[pytest.mark.long] * (index % 6 > 0))
        for index, pattern in enumerate(deployments.PATTERNS)
    ],
    ids=lambda pattern: pattern.name,
)
def test_deployments_run_at_boot(pattern: deployments.Pattern, tmp_path: pathlib.Path) -> None:
    """cloud-init runs the deployment, after the script of the server, as a shell alone does."""
    box = deployments.Sandbox(tmp_path / "box")
    files = transpile.convert(pattern.template(), prefer="native").files
    assert box.run(deployments.evaluated(files, tmp_path / "evaluated")) == 0
    template = yaml.safe_load(pattern.template())
    config = template["resources"]["config"]["properties"]
    if isinstance(config["config"], str):
        config["config"] = write_to_messages(config["config"])
    first = "#!/bin/sh\necho '\"first\"' >>/booted/messages\n"
    template["resources"]["server"]["properties"]["user_data"] = first
    tools = {f"/usr/local/bin/{tool}": write_to_messages(deployments.TELL) for tool in deployments.TOOLS}
    tools["/usr/local/bin/hostname"] = deployments.HOSTNAME
    booted = cloud_init.boot(
        plan_user_data(yaml.safe_dump(template, sort_keys=False), tmp_path / "hcl"), tmp_path / "server", tools
    )
    assert booted.status == "done", booted.problems
    assert booted.messages.startswith('"first"\n')
    messages = [json.loads(line) for line in booted.messages.splitlines()[1:]]
    assert len(messages) == len(box.seen())
    for at_boot, in_shell in zip(messages, box.seen(), strict=True):
        assert deployments.plain(at_boot.get("command", [])) == deployments.plain(in_shell.get("command", []))
        variables, expected = (call.get("variables", call) for call in (at_boot, in_shell))
        assert {name: variables.get(name) for name in pattern.compare} == {
            name: expected[name] for name in pattern.compare
        }
        files_at_boot, files_in_shell = (call.get("files", {}) for call in (at_boot, in_shell))
        assert sorted(files_at_boot) == sorted(files_in_shell)
        for file_name, text in files_at_boot.items():
            assert deployments.meaning(text) == deployments.meaning(files_in_shell[file_name])
    for home in deployments.HOMES:
        for path in box.at(home).rglob("*"):
            if path.is_file() and path.name != "instance-id":
                expected_text = write_to_messages(path.read_text()).replace(str(box.root), "")
                assert booted.files[f"/{path.relative_to(box.root)}"] == expected_text


served = cfn_patterns.served


@cloud_init.needs_cloud_init
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * (index % 8 > 0))
        for index, name in enumerate(cfn_patterns.PATTERNS)
    ],
)
def test_cfn_init_runs_at_boot(name: str, tmp_path: pathlib.Path, served: pathlib.Path) -> None:
    """cloud-init leaves the files that a shell leaves, and asks for the same packages, users and services."""
    pattern = cfn_patterns.PATTERNS[name]
    programs = {
        f"/usr/local/bin/{program}": text.replace('"$LOG"', "/booted/log").replace("$SERVED", str(served))
        for program, text in cfn.stubbed_programs("curl bash").items()
    }
    data = cfn.user_data(cfn_patterns.template(pattern.metadata, pattern.script))
    server = cloud_init.boot(data, tmp_path / "server", programs)
    assert server.status == "done", server.problems
    assert cfn.asked(server.log) == pattern.asked
    in_root = {
        "/state" if path.endswith("/state") else path: text for path, text in pattern.files.items()
    }  # scripts run in /
    assert {path: server.files.get(path) for path in in_root} == in_root
    assert {path: server.modes[path] for path in pattern.modes} == pattern.modes


@oracles.needs_providers
@cloud_init.needs_cloud_init
def test_a_deployment_with_other_characters_than_ascii_runs(tmp_path: pathlib.Path) -> None:
    template = yaml.safe_load(deployments.server_of("#!/bin/bash\necho 'Grüße, 世界' > /srv/greeting\n"))
    template["resources"]["server"]["properties"]["user_data"] = "#!/bin/sh\necho früh > /srv/first\n"
    data = plan_user_data(yaml.safe_dump(template), tmp_path / "hcl")
    booted = cloud_init.boot(data, tmp_path / "server")
    assert booted.status == "done", booted.problems
    assert {"/srv/greeting": "Grüße, 世界\n", "/srv/first": "früh\n"}.items() <= booted.files.items()
