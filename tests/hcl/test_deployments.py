"""Deployments that need no Heat, and the resources that this frees. test_deployments_run.py runs their scripts."""

from __future__ import annotations

import pathlib
import re

import pytest

import transpile
from emitters.hcl.hooks.agents import AGENTS
from emitters.hcl.plan.configurations import KNOWN
from tests.support import conversions, oracles
from tests.support.files import write_files
from transpile.pipeline import Conversion

HEAD = "heat_template_version: 2021-04-16\nresources:\n"
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
QUIET = BOOT.replace(
    "      input_values", "      actions: [CREATE]\n      signal_transport: NO_SIGNAL\n      input_values"
)
COMPONENT = """\
  config:
    type: OS::Heat::SoftwareComponent
    properties:
      configs:
        - {actions: [CREATE], tool: script, config: "#!/bin/sh\\n: created"}
        - {actions: [UPDATE, SUSPEND], tool: script, config: "#!/bin/sh\\n: updated"}
"""
NATIVE = {"config": "folded", "deployment": "folded", "server": "native"}
OVER_SSH = {"config": "folded", "deployment": "native", "server": "native"}
VOLUME = "  {}: {{type: OS::Cinder::Volume, depends_on: {}, properties: {{size: 1}}}}\n"


def converted(text: str, prefer: str = "native") -> Conversion:
    return conversions.convert(text if text.startswith("heat_") else HEAD + text, prefer=prefer)


def treatments(text: str, prefer: str = "native") -> dict[str, str]:
    return {name: r["treatment"] for name, r in converted(text, prefer).report["resources"].items()}


def codes(text: str, prefer: str = "native") -> set[str]:
    return {d.code for d in converted(text, prefer).diagnostics}


def why(text: str, prefer: str = "native") -> str:
    return str(converted(text, prefer).report["resources"]["deployment"]["kept"]["why"])


def test_each_known_hook_is_written() -> None:
    assert AGENTS.keys() == KNOWN.keys()


# user data


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("      input_values", "      actions: [CREATE]\n      input_values"),
        ("      input_values", "      actions: [CREATE, UPDATE, DELETE]\n      input_values"),
        ("      input_values", "      signal_transport: HEAT_SIGNAL\n      input_values"),
        ("group: script", "group: puppet"),
        ("group: script", "group: ansible"),
        ("#!/bin/sh", "#!/usr/bin/python3"),
        ("name: word", "name: a-word"),
        ('printf %s "$word"', "echo $deploy_server_id"),
        ("        #!/bin/sh\n", ""),
        ("word: WORD", "word: {get_param: 'OS::stack_name'}"),
        ("OS::Heat::SoftwareDeployment", "OS::Heat::StructuredDeployment"),
    ],
)
def test_a_deployment_on_create_becomes_user_data(old: str, new: str) -> None:
    assert old in BOOT
    assert treatments(BOOT.replace(old, new)) == NATIVE
    assert treatments(BOOT.replace(old, new), "provisioners") == OVER_SSH
    assert set(treatments(BOOT.replace(old, new), "faithful").values()) == {"embedded"}


def test_a_list_of_a_user_that_holds_more_than_texts_stays() -> None:
    """Only Python prints a json parameter's value as Python does. As an input of type Json it is JSON."""
    text = BOOT.replace("word: WORD", "word: {get_param: many}")
    head = "heat_template_version: 2021-04-16\nparameters: {many: {type: json}}\nresources:\n"
    assert treatments(head + text)["deployment"] == "embedded"
    assert "`type: Json`" in why(head + text)
    assert treatments(head + text.replace("[{name: word}]", "[{name: word, type: Json}]")) == NATIVE


@pytest.mark.parametrize(
    ("group", "config"),
    [
        ("kubelet", '"a: text"'),
        ("chef", '"no JSON: ["'),
        ("cfn-init", "{config: {files: {get_param: OS::stack_name}}}"),
    ],
)
def test_unknown_values_of_a_hook_keep_the_deployment(group: str, config: str) -> None:
    before = BOOT[BOOT.index("      config: |") : BOOT.index("  deployment:")]
    text = BOOT.replace(before, f"      config: {config}\n").replace("group: script", f"group: {group}")
    done = converted(text)
    assert done.report["resources"]["deployment"]["treatment"] == "embedded"


@pytest.mark.parametrize(
    ("old", "new", "code", "place"),
    [
        ("word: WORD", "word: {get_attr: [v, value]}", "HOT579", "{get_attr: [v, value]}"),
        (
            BOOT[BOOT.index("script\n") : BOOT.index("  deployment:")],
            "chef\n      config: [a]\n",
            "HOT516",
            "OS::Heat::S",
        ),
    ],
)
def test_a_difference_of_a_hook_is_reported(old: str, new: str, code: str, place: str) -> None:
    value = "  v: {type: OS::Heat::Value, properties: {value: {get_param: [many, k]}}}\n"
    text = HEAD.replace("resources", "parameters: {many: {type: json}}\nresources") + value + BOOT.replace(old, new)
    (difference,) = [d for d in converted(text).diagnostics if d.code == code]
    assert (difference.severity, text[difference.at :].startswith(place)) == ("info", True)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("group: script", "group: atomic", "hot2tf does not know what the hook atomic does"),
        ("user_data_format: SOFTWARE_CONFIG", "user_data_format: RAW", "is not for software configuration"),
        ("word: WORD", "word: {get_attr: [server, first_address]}", "exists only after its server"),
        ("{get_resource: server}", "0815-4711", "the template does not create its server"),
        ("{get_resource: config}", "0815-4711", "its configuration is not in the template"),
        ("{get_resource: server}", "{get_resource: config}", "config is not a server that the template creates"),
        ("  server:\n", "  server:\n    external_id: '4711'\n", "server is not a server that the template creates"),
        ("  server:\n", "  server:\n    condition: {equals: [{get_param: p}, x]}\n", "server has a condition"),
        ('printf %s "$word"', "curl $deploy_signal_id", "reads how to reach Heat"),
    ],
)
def test_any_other_deployment_stays_with_its_server(old: str, new: str, reason: str) -> None:
    assert old in BOOT
    text = HEAD.replace("resources", "parameters: {p: {type: string}}\nresources") + BOOT.replace(old, new)
    assert treatments(text)["deployment"] == "embedded"
    assert reason in why(text)


def test_results_that_only_outputs_read_are_null() -> None:
    text = BOOT + "outputs:\n  code: {value: {get_attr: [deployment, deploy_status_code]}}\n"
    for prefer, expected in (("native", NATIVE), ("provisioners", OVER_SSH)):
        assert treatments(text, prefer) == expected
        assert "value = null" in converted(text, prefer).files["outputs.tf"]
        assert "HOT513" in codes(text, prefer)


@pytest.mark.parametrize("prefer", ["native", "provisioners"])
def test_results_that_a_resource_reads_stay(prefer: str) -> None:
    reader = (
        "  reader: {type: OS::Cinder::Volume, properties: {size: 1, name: {get_attr: [deployment, deploy_stdout]}}}\n"
    )
    treatment_by_resource = treatments(BOOT + reader, prefer)
    assert treatment_by_resource.pop("reader") == "native"
    assert set(treatment_by_resource.values()) == {"embedded"}
    assert why(BOOT + reader, prefer) == "reader reads its results, which only Heat receives"


def test_one_deployment_that_stays_keeps_the_others() -> None:
    second = DEPLOYMENT.replace("deployment:", "second:")
    assert set(treatments(BOOT + second).values()) == {"folded", "native"}
    stays = second.replace("{get_resource: config}", "0815-4711")
    assert set(treatments(BOOT + stays).values()) == {"embedded"}
    assert why(BOOT + stays) == "second, on the same server, stays with Heat"


@pytest.mark.parametrize("kept", ["OS::Heat::SoftwareDeployment", "deployment"])
def test_a_deployment_that_is_kept_keeps_its_server_and_the_others(kept: str) -> None:
    text = HEAD + BOOT + DEPLOYMENT.replace("deployment:", "second:")
    done = transpile.convert(text, prefer="native", options={"keep": kept})
    assert {r["treatment"] for r in done.report["resources"].values()} == {"embedded"}


@pytest.mark.parametrize("manifest", ["file { $::heat_outputs_path: }", "file { '/tmp/x': }"])
def test_puppet_has_the_path_of_outputs_if_its_manifest_reads_it(manifest: str) -> None:
    text = BOOT.replace('#!/bin/sh\n        printf %s "$word"', manifest).replace(
        "group: script", "group: puppet\n      options: {enable_facter: false}"
    )
    assert ("FACTER_heat_outputs_path" in str(converted(text).files["data.tf"])) == ("heat_outputs" in manifest)


JOINED = "{list_join: ['', ['#!/bin/sh ', {get_resource: other}]]}\n"
SCRIPT = BOOT[BOOT.index("|\n") : BOOT.index("  deployment:")]
OTHER = "  other: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: echo}}\n"
RAW = SERVER.replace("SOFTWARE_CONFIG\n", "RAW\n      user_data: ")
PARTS = "  parts:\n    type: OS::Heat::MultipartMime\n    properties:\n      parts:\n      - config: "


@pytest.mark.parametrize(
    "text", [BOOT.replace(SCRIPT, JOINED), RAW + JOINED, PARTS + JOINED + RAW + "{get_resource: parts}\n"]
)
def test_a_configuration_inside_of_a_text_is_its_id(text: str) -> None:
    """Heat looks up a configuration only if its ID is the whole text."""
    assert treatments(OTHER + text)["other"] == "embedded"
    assert 'lookup(local.other, "other", "")' in "".join(map(str, converted(OTHER + text).files.values()))


@pytest.mark.parametrize(
    ("policy", "effect"), [("", "replaces the server"), ("      user_data_update_policy: IGNORE\n", "has no effect")]
)
def test_the_effect_of_a_change_is_reported(policy: str, effect: str) -> None:
    """The provider's `user_data` forces a new server, unless its changes are ignored."""
    (message,) = (d.message for d in converted(BOOT + policy).diagnostics if d.code == "HOT561")
    assert effect in message
    assert ("ignore_changes = [user_data]" in str(converted(BOOT + policy).files["main.tf"])) == bool(policy)


def test_a_component_runs_its_script_for_create() -> None:
    text = BOOT.replace(BOOT[: BOOT.index("  deployment:")], COMPONENT)
    assert treatments(text) == NATIVE
    assert ": created" in converted(text).files["data.tf"]
    assert not any("updated" in str(content) for content in converted(text).files.values())
    assert treatments(text, "provisioners") == OVER_SSH


@pytest.mark.parametrize("prefer", ["native", "provisioners"])
def test_each_action_that_is_lost_is_said_at_its_place(prefer: str) -> None:
    component = BOOT.replace(BOOT[: BOOT.index("  deployment:")], COMPONENT)
    config = BOOT.replace("      input_values", "      actions: [CREATE, UPDATE, DELETE, RESUME]\n      input_values")
    native = prefer == "native"  # over SSH, Terraform can run UPDATE and DELETE
    for text, lost in (
        (component, ["UPDATE", "SUSPEND"] if native else ["SUSPEND"]),
        (config, ["DELETE", "RESUME"] if native else ["RESUME"]),
    ):
        places = [(d, (HEAD + text)[d.at : d.end]) for d in converted(text, prefer).diagnostics if d.code == "HOT512"]
        assert [place for _, place in places] == lost
        assert [d.message for d, _ in places] == [f"Terraform runs nothing of deployment on {word}." for word in lost]


@pytest.mark.parametrize(
    ("options", "native"),
    [
        ("{chef: {recipes: a}}", True),  # the component's other tools have options of their own
        ("{script: {shell: a}}", False),
        ("{shell: a}", False),
        ("{chef: {recipes: a}, shell: a}", False),
    ],
)
def test_options_of_a_component_belong_to_tools(options: str, native: bool) -> None:
    text = BOOT.replace(BOOT[: BOOT.index("  deployment:")], f"{COMPONENT}      options: {options}\n")
    assert (treatments(text) == NATIVE) is native


def test_a_component_with_two_scripts_for_an_action_loses_none() -> None:
    """Heat refuses it when it creates the stack, so nothing is converted, and both scripts are in the output."""
    text = BOOT.replace(BOOT[: BOOT.index("  deployment:")], COMPONENT).replace("[UPDATE, SUSPEND]", "[UPDATE, CREATE]")
    for prefer in ("native", "provisioners"):
        assert why(text, prefer) == "two configurations of its component run on CREATE, which Heat refuses"
        files = "".join(str(content) for content in converted(text, prefer).files.values())
        assert ": created" in files
        assert ": updated" in files


def test_ignored_actions_of_a_deployment_are_reported_as_dropped() -> None:
    text = BOOT.replace(BOOT[: BOOT.index("  deployment:")], COMPONENT)
    text = text.replace("      input_values", "      actions: [DELETE]\n      input_values")
    done = converted(text)
    assert ("HOT402", "info") in {(d.code, d.severity) for d in done.diagnostics}
    assert done.report["resources"]["deployment"]["properties"]["actions"]["as"] == "dropped"


@pytest.mark.parametrize(
    "text",
    [
        BOOT.replace("      input_values", "      actions: [SUSPEND]\n      input_values"),
        BOOT.replace("      input_values", "      actions: [RESUME]\n      input_values").replace(
            "{get_resource: server}", "0815"
        ),
        BOOT.replace("      group: script\n", ""),
        BOOT.replace('      config: |\n        #!/bin/sh\n        printf %s "$word"\n', ""),
        BOOT.replace("      config: {get_resource: config}\n", ""),
    ],
)
@pytest.mark.parametrize("prefer", ["native", "provisioners"])
def test_a_deployment_that_runs_nothing_is_left_out(text: str, prefer: str) -> None:
    assert text != BOOT
    done = converted(text, prefer)
    assert done.report["left_out"] == {"deployment": "OS::Heat::SoftwareDeployment"}
    assert done.report["resources"]["server"]["treatment"] == "native"
    assert "HOT589" in {d.code for d in done.diagnostics}
    assert "data.tf" not in done.files


# over SSH, on servers that exist

OUTSIDE = """\
heat_template_version: 2021-04-16
parameters: {servers: {type: TYPE}}
resources:
  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: "#!/bin/sh\\necho hi"}}
  deployment:
    type: OS::Heat::SoftwareDeploymentGroup
    properties: {config: {get_resource: config}, servers: {get_param: servers}, actions: [CREATE, DELETE]}
"""


def test_a_map_of_servers_from_outside_gets_a_resource_for_each() -> None:
    """A server that exists is known by its ID: the data source has its address."""
    done = converted(OUTSIDE.replace("TYPE", "json"), "provisioners")
    main, data = str(done.files["main.tf"]), str(done.files["data.tf"])
    assert main.count("for_each = var.servers") == data.count("for_each = var.servers") == 2
    assert "host        = data.openstack_compute_instance_v2.deployment[each.key].access_ip_v4" in main
    assert "id = each.value" in data


@oracles.needs_providers
def test_terraform_accepts_scripts_on_servers_from_outside(tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, converted(OUTSIDE.replace("TYPE", "json"), "provisioners").files)
    assert not oracles.invalid(tmp_path)


def test_servers_whose_number_is_unknown_stay_with_heat() -> None:
    assert treatments(OUTSIDE.replace("TYPE", "string"), "provisioners")["deployment"] == "embedded"


# over SSH, on UPDATE and DELETE

DELETE_ONLY = BOOT.replace("      input_values", "      actions: [DELETE]\n      input_values")


def test_a_deployment_only_on_delete_is_left_out_without_ssh() -> None:
    assert converted(DELETE_ONLY).report["left_out"] == {"deployment": "OS::Heat::SoftwareDeployment"}


@pytest.mark.parametrize(
    ("actions", "labels"),
    [
        ("[DELETE]", ["deployment_on_delete"]),
        ("[UPDATE]", ["deployment_on_update"]),
        ("[UPDATE, DELETE]", ["deployment_on_update", "deployment_on_delete"]),
        ("[CREATE, DELETE]", ["deployment", "deployment_on_delete"]),
        ("[CREATE, UPDATE]", ["deployment"]),  # the same script again
        ("[CREATE, SUSPEND]", ["deployment"]),
    ],
)
def test_a_resource_of_its_own_runs_the_script_of_a_later_action(actions: str, labels: list[str]) -> None:
    done = converted(DELETE_ONLY.replace("[DELETE]", actions), "provisioners")
    assert re.findall(r'"terraform_data" "(.*)"', str(done.files["main.tf"])) == labels
    assert ("HOT512" in {d.code for d in done.diagnostics}) is ("SUSPEND" in actions)


@pytest.mark.parametrize(("value", "differs"), [("{get_input: deploy_action}", True), ("{get_input: word}", False)])
def test_a_map_that_reads_its_action_runs_again_with_the_right_one(value: str, differs: bool) -> None:
    config = f"      config: {{/etc/action.json: [{value}]}}\n"
    text = BOOT.replace(BOOT[BOOT.index("      config: |") : BOOT.index("  deployment:")], config)
    text = text.replace("group: script", "group: json-file").replace("SoftwareConfig", "StructuredConfig")
    scripts = str(converted(text.replace("SoftwareD", "StructuredD"), "provisioners").files["locals.tf"])
    assert ("deployment_on_update_script" in scripts) is differs
    assert ('jsonencode(["UPDATE"])' in scripts) is differs


@pytest.mark.parametrize(("group", "runs"), [("docker-compose", False), ("kubelet", True)])
def test_hooks_that_do_nothing_on_delete_have_no_resource_for_it(group: str, runs: bool) -> None:
    text = BOOT.replace(BOOT[BOOT.index("      config: |") : BOOT.index("  deployment:")], "      config: {web: {}}\n")
    text = text.replace("group: script", f"group: {group}").replace("SoftwareConfig", "StructuredConfig")
    text = text.replace("      input_values", "      actions: [CREATE, DELETE]\n      input_values")
    done = converted(text, "provisioners")
    assert ("deployment_on_delete" in str(done.files["main.tf"])) is runs
    assert "HOT512" not in {d.code for d in done.diagnostics}


def test_a_script_that_reads_its_action_runs_with_the_right_one() -> None:
    """The same script on CREATE and UPDATE: the second must not take itself for the first."""
    done = converted(BOOT.replace('printf %s "$word"', 'echo "$deploy_action"'), "provisioners")
    exported = re.findall(r"export deploy_action='(\w+)'", str(done.files["locals.tf"]))
    assert exported == ["CREATE", "UPDATE"]
    assert "deployment_on_update" in str(done.files["main.tf"])


def test_a_provisioner_on_destroy_refers_only_to_its_resource() -> None:
    """Terraform allows nothing else. So the resource stores the values that its script needs, and is destroyed before
    the server.
    """
    main = str(converted(DELETE_ONLY, "provisioners").files["main.tf"])
    inside = main[main.index("  connection {") : main.index('resource "openstack')]
    assert "when   = destroy" in inside
    assert set(re.findall(r"= (?:file\()?(\w+)\.", inside)) == {"self"}
    assert "triggers_replace = [openstack_compute_instance_v2.server.id]" in main


def test_a_waiting_resource_is_destroyed_before_the_delete_script_runs() -> None:
    text = DELETE_ONLY.replace("[DELETE]", "[CREATE, DELETE]") + VOLUME.format("volume", "deployment")
    main = re.sub(r"\s+", " ", str(converted(text, "provisioners").files["main.tf"]))
    assert "depends_on = [terraform_data.deployment, terraform_data.deployment_on_delete]" in main


# order


def test_waits_for_a_deployment_become_waits_for_its_server() -> None:
    text = BOOT + VOLUME.format("after", "deployment")
    assert "depends_on = [openstack_compute_instance_v2.server]" in converted(text).files["main.tf"]
    assert "depends_on = [terraform_data.deployment]" in converted(text, "provisioners").files["main.tf"]


def test_a_server_waits_for_the_needs_of_its_deployment() -> None:
    text = BOOT.replace("  deployment:\n", "  deployment:\n    depends_on: before\n") + VOLUME.format("before", "[]")
    main = str(converted(text).files["main.tf"])
    server = main[main.index('"openstack_compute_instance_v2" "server"') :]
    assert "depends_on = [openstack_blockstorage_volume_v3.before]" in server


def test_a_value_after_the_server_cannot_be_in_its_user_data() -> None:
    text = BOOT.replace("  deployment:\n", "  deployment:\n    depends_on: between\n") + VOLUME.format(
        "between", "server"
    )
    assert treatments(text)["server"] == "native"
    assert "HOT568" in codes(text)
    assert "HOT568" not in codes(text, "provisioners")


def test_servers_that_would_need_each_other_stay() -> None:
    other = re.sub(
        r"^  (\w+):$|get_resource: (\w+)",
        lambda match: f"{match[0].rstrip(':')}2" + ":" * (match[0][-1] == ":"),
        BOOT,
        flags=re.M,
    )
    first = BOOT.replace("WORD", "{get_attr: [server2, first_address]}")
    assert treatments(first + other)["server"] == "native"
    circle = first + other.replace("WORD", "{get_attr: [server, first_address]}")
    assert set(treatments(circle).values()) == {"embedded"}
    assert set(treatments(circle, "provisioners").values()) == {"folded", "native"}


def test_a_deployment_may_signal_to_a_handle_that_nobody_listens_to() -> None:
    """A resource that waits for the condition waits for the server; over SSH, for the script."""
    script = '{str_replace: {template: "#!/bin/sh\\nnotify\\n", params: {notify: {get_attr: [handle, curl_cli]}}}}'
    text = BOOT.replace('|\n        #!/bin/sh\n        printf %s "$word"', script) + VOLUME.format("after", "ready")
    text += "  handle: {type: OS::Heat::WaitConditionHandle}\n"
    text += "  ready: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: handle}, timeout: 60}}\n"
    assert "/bin/true" in converted(text).files["data.tf"]
    assert "depends_on = [openstack_compute_instance_v2.server]" in converted(text).files["main.tf"]
    assert "depends_on = [terraform_data.deployment]" in converted(text, "provisioners").files["main.tf"]
    stays = text.replace("{get_resource: server}", "0815-4711")
    assert treatments(stays)["handle"] == treatments(stays)["deployment"] == "embedded"


# groups


GROUP = """\
  deployment:
    type: OS::Heat::SoftwareDeploymentGroup
    properties:
      config: {get_resource: config}
      servers: SERVERS
      input_values: {word: WORD}
"""
MEMBERS = """\
  members:
    type: OS::Heat::ResourceGroup
    properties:
      count: 3
      resource_def:
        type: OS::Nova::Server
        properties:
          name: member-%index%
          image: debian-12
          flavor: m1.small
          networks: [{network: app}]
          user_data_format: SOFTWARE_CONFIG
"""
CONFIG = BOOT[: BOOT.index("  deployment:")]


@pytest.mark.parametrize("kind", ["SoftwareDeploymentGroup", "SoftwareDeployments", "StructuredDeploymentGroup"])
def test_a_group_runs_on_each_of_its_servers(kind: str) -> None:
    servers = "{'0': {get_resource: server}, '1': {get_resource: server2}}"
    text = CONFIG + GROUP.replace("SERVERS", servers).replace("SoftwareDeploymentGroup", kind)
    text += SERVER + SERVER.replace("  server:\n", "  server2:\n")
    data_file = str(converted(text).files["data.tf"])
    assert re.findall(r'data "cloudinit_config" "(\w+)"', data_file) == ["server_user_data", "server2_user_data"]
    assert data_file.count("export word='WORD'") == 2
    main = str(converted(text + VOLUME.format("after", "deployment"), "provisioners").files["main.tf"])
    assert re.findall(r'"terraform_data" "(\w+)"', main) == ["deployment_0", "deployment_1"]
    assert "depends_on = [terraform_data.deployment_0, terraform_data.deployment_1]" in main


def test_members_of_a_group_get_it_all() -> None:
    text = CONFIG + GROUP.replace("SERVERS", "{get_attr: [members, refs_map]}") + MEMBERS
    assert (
        "user_data = data.cloudinit_config.members_user_data[count.index].rendered" in converted(text).files["main.tf"]
    )
    assert "count = length(openstack_compute_instance_v2.members)" in converted(text, "provisioners").files["main.tf"]


def test_one_server_that_cannot_keeps_the_group() -> None:
    text = CONFIG + GROUP.replace("SERVERS", "{'0': {get_resource: server}, '1': 0815-4711}") + SERVER
    assert set(treatments(text).values()) == {"embedded"}
    assert treatments(text, "provisioners") == OVER_SSH


# scripts over SSH


def test_terraform_runs_scripts_that_run_again() -> None:
    """A new script runs again. CREATE alone runs once for each server."""
    assert "sha256(local.deployment_script)" in converted(BOOT, "provisioners").files["main.tf"]
    once = BOOT.replace("      input_values", "      actions: [CREATE]\n      input_values")
    assert "sha256" not in converted(once, "provisioners").files["main.tf"]


def test_a_deployment_that_loses_nothing_is_user_data_with_provisioners_too() -> None:
    assert treatments(QUIET, "provisioners") == treatments(QUIET, "native") == NATIVE
    assert treatments(QUIET + VOLUME.format("after", "deployment"), "provisioners")["deployment"] == "native"


def test_deployments_of_a_server_run_in_order() -> None:
    second = DEPLOYMENT.replace("deployment:", "second:")
    text = BOOT + second + second.replace("second:", "aaa:\n    depends_on: second")
    main = str(converted(text, "provisioners").files["main.tf"])
    assert re.findall(r'resource "terraform_data" "(\w+)"', main) == ["deployment", "second", "aaa"]
    assert re.findall(r"depends_on = \[(terraform_data[^]]*)\]", main) == [
        "terraform_data.deployment",
        "terraform_data.second",
    ]


def test_an_existing_server_is_reached_at_its_address(tmp_path: pathlib.Path) -> None:
    """A server that a nested template gets from outside counts, too."""
    own = DEPLOYMENT.replace("{get_resource: server}", "{get_param: server}")
    inner = HEAD.replace("resources:", "parameters: {server: {type: string}}\nresources:") + CONFIG + own
    (tmp_path / "part.yaml").write_text(inner)
    done = transpile.convert(tmp_path / "part.yaml", prefer="provisioners")
    assert 'data "openstack_compute_instance_v2" "deployment" {\n  id = var.server\n}' in done.files["data.tf"]
    assert "host        = data.openstack_compute_instance_v2.deployment.access_ip_v4" in done.files["main.tf"]
    (tmp_path / "stack.yaml").write_text(
        HEAD + SERVER + "  part: {type: part.yaml, properties: {server: {get_resource: server}}}\n"
    )
    whole = transpile.convert(tmp_path / "stack.yaml", prefer="provisioners")
    assert "openstack_orchestration_stack_v1" not in "".join(map(str, whole.files.values()))
    kept = transpile.convert(tmp_path / "stack.yaml", prefer="native")
    assert kept.report["resources"]["server"]["treatment"] == "embedded"


def test_a_server_that_only_heat_knows_has_an_address() -> None:
    text = CONFIG + DEPLOYMENT + "  server: {type: OS::Heat::DeployedServer}\n"
    assert set(treatments(text).values()) == {"embedded"}
    done = converted(text, "provisioners")
    assert 'variable "server_address"' in done.files["variables.tf"]
    assert "host        = var.server_address" in done.files["main.tf"]
    assert treatments("  server: {type: OS::Heat::DeployedServer}\n") == {"server": "folded"}


def test_the_ssh_user_is_a_variable_in_all_callers(tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"part.yaml": HEAD + BOOT, "stack.yaml": HEAD + "  part: {type: part.yaml}\n"})
    files = transpile.convert(tmp_path / "stack.yaml", prefer="provisioners").files
    for where in ("variables.tf", "modules/part/variables.tf"):
        assert 'variable "ssh_user"' in files[where]
        assert 'variable "ssh_private_key_file"' in files[where]
    assert "ssh_user             = var.ssh_user" in files["main.tf"]


# limits


def test_user_data_too_long_for_nova_is_reported() -> None:
    long = BOOT.replace('        printf %s "$word"\n', "        : a line of a long script\n" * 2000)
    assert "HOT514" in codes(long)
    assert "HOT514" not in codes(BOOT)


def test_a_script_without_an_interpreter_is_said() -> None:
    assert "HOT515" in codes(BOOT.replace("        #!/bin/sh\n", ""))
    assert "HOT515" not in codes(BOOT)


@oracles.needs_providers
@pytest.mark.parametrize("prefer", ["native", "provisioners"])
def test_terraform_takes_it(prefer: str, tmp_path: pathlib.Path) -> None:
    text = CONFIG + GROUP.replace("SERVERS", "{get_attr: [members, refs_map]}") + MEMBERS
    text += DEPLOYMENT.replace("deployment:", "second:") + SERVER
    write_files(tmp_path, converted(text, prefer).files)
    assert oracles.unformatted(tmp_path) == ""
    assert oracles.invalid(tmp_path) == []
