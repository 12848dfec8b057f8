"""`--prefer native` applies only where nothing else is affected. Everywhere else the default conversion stays.

Each refused template here is one word away from one that would be native.
"""

from __future__ import annotations

import pathlib
import re
import subprocess

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
BOOT = """\
  config:
    type: OS::Heat::SoftwareConfig
    properties:
      group: script
      inputs: [{name: word}]
      config: |
        #!/bin/sh
        printf %s "$word"
  deployment:
    type: OS::Heat::SoftwareDeployment
    properties:
      config: {get_resource: config}
      server: {get_resource: server}
      actions: [CREATE]
      signal_transport: NO_SIGNAL
      input_values: {word: WORD}
  server:
    type: OS::Nova::Server
    properties:
      name: server
      image: debian-12
      flavor: m1.small
      networks: [{network: app}]
      user_data_format: SOFTWARE_CONFIG
"""
SERVER = BOOT[BOOT.index("\n  server:") + 1 :]
DEPLOYMENT = BOOT[BOOT.index("  deployment:") : BOOT.index("\n  server:") + 1]


def treatments(text: str, prefer: str = "native") -> dict[str, str]:
    done = transpile.convert(HEAD + text, prefer=prefer)
    assert done.ok, done.diagnostics
    return {name: r["treatment"] for name, r in done.report["resources"].items()}


def test_faithful_is_the_default() -> None:
    assert transpile.convert(HEAD + GROUP).files == transpile.convert(HEAD + GROUP, prefer="faithful").files
    assert set(treatments(GROUP, "faithful").values()) == {"embedded"}


def test_a_group_has_the_size_that_it_begins_with() -> None:
    assert treatments(GROUP) == {"group": "native", "policy": "folded"}
    assert "count = 2" in transpile.convert(HEAD + GROUP, prefer="native").files["main.tf"]


def test_the_report_says_what_was_preferred() -> None:
    assert transpile.convert(HEAD + GROUP, prefer="native").report["options"] == {"prefer": "native"}
    assert "options" not in transpile.convert(HEAD + GROUP).report


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("{get_attr: [policy, signal_url]}", {"native", "folded"}),
        ("{list_join: ['', ['trust+', {get_attr: [policy, signal_url]}]]}", {"native", "folded"}),
        ("https://example.org/page-me", {"native", "folded"}),  # nothing needs the alarm
        ("{get_attr: [policy, signal_url]}, https://example.org/page-me", {"embedded"}),
    ],
)
def test_an_alarm_that_does_anything_else_stays(action: str, expected: set[str]) -> None:
    assert set(treatments(GROUP + ALARM.replace("ACTION", action)).values()) == expected


def test_a_policy_that_a_server_reads_stays_with_its_group() -> None:
    reader = SERVER + "      metadata: {url: {get_attr: [policy, signal_url]}}\n"
    found = treatments(GROUP + reader)
    assert found["group"] == found["policy"] == "embedded"


@pytest.mark.parametrize("key", ["deletion_policy: Retain", "update_policy: {a: 1}"])
def test_members_that_have_policies_stay(key: str) -> None:
    """Heat applies both policies to each member of a scaling group. A resource with `count` would be deleted with its
    disk.
    """
    found = treatments(GROUP.replace("resource:\n", f"resource:\n        {key}\n", 1))
    assert found["group"] == "embedded"
    assert treatments(GROUP)["group"] == "native"


def test_members_with_random_names_are_not_guessed() -> None:
    reader = "  reader: {type: OS::Cinder::Volume, properties: {size: {get_attr: [group, resource.x7, size]}}}\n"
    assert treatments(GROUP + reader)["group"] == "embedded"


def test_an_output_that_only_heat_knows_is_null() -> None:
    """What another resource reads is a variable: with this preference, no stack of Heat's reads anything."""
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
    """With every preference."""
    volume = "  v: {type: OS::Cinder::Volume, properties: {size: 1, metadata: {s: {get_param: 'OS::stack_id'}}}}\n"
    assert treatments(volume) == {"v": "native"}
    assert "s = random_uuid.stack_id.result" in transpile.convert(HEAD + volume, prefer="native").files["main.tf"]
    assert treatments(volume, "faithful") == {"v": "native"}


def test_a_script_that_nobody_waits_for_is_user_data() -> None:
    found = treatments(BOOT)
    assert found == {"config": "folded", "deployment": "folded", "server": "native"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("actions: [CREATE]", "actions: [CREATE, UPDATE]"),
        ("      actions: [CREATE]\n", ""),  # the default has UPDATE
        ("NO_SIGNAL", "CFN_SIGNAL"),
        ("group: script", "group: puppet"),
        ("#!/bin/sh", "#!/usr/bin/python3"),  # has no export for the input
        ("name: word", "name: a-word"),
        ('printf %s "$word"', "echo $deploy_server_id"),
        ("        #!/bin/sh\n", ""),
        ("user_data_format: SOFTWARE_CONFIG", "user_data_format: RAW"),
        ("word: WORD", "word: [a, list]"),
        ("  server:\n    type", "  server:\n    depends_on: deployment\n    type"),
    ],
)
def test_any_other_deployment_stays_with_its_server(old: str, new: str) -> None:
    assert old in BOOT
    done = transpile.convert(HEAD + BOOT.replace(old, new), prefer="native")
    if done.ok:  # a server that waits for its own deployment is a cycle, and refused
        assert {r["treatment"] for r in done.report["resources"].values()} == {"embedded"}
    else:
        assert "depends_on" in new


def test_an_attribute_of_a_deployment_keeps_all_with_heat() -> None:
    outputs = "outputs:\n  code: {value: {get_attr: [deployment, deploy_status_code]}}\n"
    assert set(treatments(BOOT + outputs).values()) == {"embedded"}


def test_one_deployment_that_stays_keeps_the_others() -> None:
    second = DEPLOYMENT.replace("deployment:", "second:")
    assert set(treatments(BOOT + second).values()) == {"folded", "native"}
    assert set(treatments(BOOT + second.replace("NO_SIGNAL", "CFN_SIGNAL")).values()) == {"embedded"}


@pytest.mark.parametrize("word", ["plain", "it's", "$HOME `id` \\", 'a "b"', "two\nlines"])
def test_a_shell_reads_what_was_given(word: str) -> None:
    """The script runs as cloud-init would run it."""
    text = BOOT.replace("WORD", '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"')
    files = transpile.convert(HEAD + text, prefer="native").files
    data = str(files["data.tf"])
    (body,) = re.findall(r"content = <<-EOT\n(.*)\n    EOT\n", data, re.S)
    script = (
        "\n".join(line.removeprefix("      ") for line in body.split("\n")).replace("$${", "${").replace("%%{", "%{")
    )
    assert script.startswith("#!/bin/sh\nexport word=")
    assert subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout == word


# provisioners


def main_of(text: str) -> str:
    done = transpile.convert(HEAD + text, prefer="provisioners")
    assert done.ok, done.diagnostics
    return str(done.files["main.tf"])


UPDATED = BOOT.replace("      actions: [CREATE]\n      signal_transport: NO_SIGNAL\n", "")


def test_terraform_runs_what_runs_again() -> None:
    """A new script runs again. CREATE alone runs once for each server."""
    assert treatments(UPDATED, "provisioners") == {"config": "folded", "deployment": "native", "server": "native"}
    assert "sha256(local.deployment_script)" in main_of(UPDATED)
    assert "sha256" not in main_of(BOOT.replace("NO_SIGNAL", "CFN_SIGNAL"))
    assert set(treatments(UPDATED, "native").values()) == {"embedded"}


def test_user_data_is_still_user_data() -> None:
    assert treatments(BOOT, "provisioners") == treatments(BOOT, "native")


def test_deployments_of_a_server_run_in_order() -> None:
    second = DEPLOYMENT.replace("deployment:", "second:").replace("CREATE]", "CREATE, UPDATE]")
    text = UPDATED + second + second.replace("second:", "aaa:\n    depends_on: second")
    found = main_of(text)
    assert re.findall(r'resource "terraform_data" "(\w+)"', found) == ["deployment", "second", "aaa"]
    assert re.findall(r"depends_on = \[(terraform_data[^]]*)\]", found) == [
        "terraform_data.deployment",
        "terraform_data.second",
    ]


@pytest.mark.parametrize("actions", ["[CREATE, DELETE]", "[UPDATE]", "[CREATE, SUSPEND]"])
def test_what_terraform_cannot_do_stays(actions: str) -> None:
    text = BOOT.replace("[CREATE]", actions)
    assert set(treatments(text, "provisioners").values()) == {"embedded"}


def test_answers_are_heats() -> None:
    outputs = "outputs:\n  out: {value: {get_attr: [deployment, deploy_stdout]}}\n"
    assert set(treatments(UPDATED + outputs, "provisioners").values()) == {"embedded"}


def test_who_logs_in_is_a_variable_all_the_way_up(tmp_path: pathlib.Path) -> None:
    (tmp_path / "part.yaml").write_text(HEAD + UPDATED)
    (tmp_path / "stack.yaml").write_text(HEAD + "  part: {type: part.yaml}\n")
    files = transpile.convert(tmp_path / "stack.yaml", prefer="provisioners").files
    for where in ("variables.tf", "modules/part/variables.tf"):
        assert 'variable "ssh_user"' in files[where]
        assert 'variable "ssh_private_key_file"' in files[where]
    assert "ssh_user             = var.ssh_user" in files["main.tf"]
