"""Scripts in place of the agent's hooks for tools that configure a server: `cfn-init`, `chef`, `salt` and the kubelet.

Invariant: the tool gets the files that the hook of heat-agents writes for it, and is called with the same options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks.cfn_script import Script
from emitters.hcl.plan.cfn_init import TOOLS
from emitters.hcl.plan.cfn_metadata import KEY, Unclear, read_init_metadata
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Object, Tuple, expression_from_data
from transpile.diagnostics import codes
from transpile.front.data_texts import read_data_text
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.hooks.job_script import JobScript

LAST_METADATA = "/var/cache/heat-cfntools/last_metadata"  # where cfn-init looks without Heat
KITCHEN = "/var/lib/heat-config/heat-config-chef/kitchen"  # where the agent's hook has it
CLIENT = """\
log_level :debug
log_location STDOUT
local_mode true
chef_zero.enabled true
"""
SALT = "/etc/salt"  # the minion's own configuration
MANIFESTS = "/var/lib/heat-config/heat-config-kubelet/kubelet-manifests"  # where the kubelet of the image looks
TIMES = (("images_timeout", 600), ("containers_timeout", 120), ("poll_period", 5))
WAIT = """\
wait_until() { # SECONDS COMMAND...
  end=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -le "$end" ] || { echo "timed out: $*" >&2; return 1; }
    sleep "$poll_period"
  done
}
has_image() { # PREFIX
  docker images --format '{{.Repository}}:{{.Tag}}' | awk -v prefix="$1" 'index($0, prefix) == 1 {n = 1} END {exit !n}'
}
has_container() { docker ps --format '{{.Names}}' | grep -q "^k8s_$1[._]"; }
"""


# cfn-init


def write_cfn_init(task: JobScript) -> None:
    """Writes a script that replaces cfn-init, or runs the tool of the image, if the user prefers that (`--cfn-init
    tools`).
    """
    metadata = ir.Map((ir.Entry(KEY, task.body, task.body.span.at),), task.body.span)
    if task.emission.unit.plan.policy.metadata_reader == TOOLS:
        task.make_folder(LAST_METADATA)
        task.shell.write_file(
            LAST_METADATA, task.write_json_local(task.lowering.lower_expression(metadata), "metadata")
        )
        task.shell.write_command("chmod", "700", LAST_METADATA)
        task.shell.write_command("cfn-init")
        message = f"cfn-init in the image runs the configuration of {task.job.deployment}."
        task.lowering.differs(codes.CFN_INIT_OF_IMAGE, message, task.deployment.type_span)
        return
    try:
        init = read_init_metadata(metadata)
    except Unclear as unclear:
        why = f"only cfn-init can read the configuration of {task.job.deployment}: {unclear.why}"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, task.config.type_span, task.job.deployment) from None
    folder = f"{task.folder}/{task.name}_files"
    script = Script(task.lowering, task.job.deployment, init, folder)
    for staged in script.staged:
        task.make_folder(staged.path)
        task.shell.write_file(staged.path, staged.content, decoded=staged.base64)
    commands = f"{task.name}_cfn_init"
    text = script.text
    if not isinstance(text, str):
        text = task.emission.blocks.share_local(commands, text, task.deployment.span)
    task.shell.write_file(commands, text)
    task.shell.write_command("chmod", "700", commands)
    task.shell.write_line(f"(cd / && {task.folder}/{commands})")
    if script.staged:
        task.shell.write_command("rm", "-rf", folder)
    message = f"A script does what cfn-init does with the configuration of {task.job.deployment}."
    task.lowering.differs(codes.CFN_INIT_WITHOUT_HEAT, message, task.deployment.type_span)
    for difference in init.beyond:
        message = f"In the configuration of {task.job.deployment}, {difference}."
        task.emission.log.add_diagnostic(codes.DIFFERS_FROM_HEAT_CFNTOOLS, message, task.config.type_span)


# chef


def write_chef(task: JobScript) -> None:
    """Runs chef in local mode, with the inputs as attributes of the node and the configuration as its run list."""
    kitchen, path = task.lower_option("kitchen"), task.lower_option("kitchen_path") or KITCHEN
    if kitchen is not None:
        if task.runs_again:
            task.shell.write_command("rm", "-rf", path)
        task.shell.write_command("git", "clone", kitchen, path)
    settings: list[Expr] = [CLIENT]
    for word, folder in (("cookbook_path", "cookbooks"), ("role_path", "roles"), ("environment_path", "environments")):
        settings += [f"{word} '", path, f"/{folder}'\n"]
    attributes: list[tuple[Expr, Expr]] = []
    for job_input in task.job.inputs:
        if job_input.name == "environment":
            settings += ["environment '", task.environment_value(job_input), "'\n"]
        else:
            attributes.append((job_input.name, task.json_value(job_input)))
    attributes.append(("run_list", lower_run_list(task)))
    nodes, client, node = f"{task.name}_nodes", f"{task.name}.rb", f"{task.name}.json"
    settings.append(f"node_path '{task.folder}/{nodes}'\n")
    task.shell.write_command("install", "-d", "-m", "700", nodes)
    task.shell.write_file(client, task.join_texts(settings))
    task.shell.write_file(node, task.write_json_local(Object(tuple(attributes)), "node"))
    task.shell.write_line(f'fqdn=$(hostname -f) && cp {node} "{nodes}/$fqdn.json"')
    task.shell.write_line(f'chef-client -z --config {client} -j "{nodes}/$fqdn.json"')


def lower_run_list(task: JobScript) -> Expr:
    """The run list: the configuration is JSON."""
    if isinstance(task.body, (ir.Map, ir.Seq)):
        task.report_difference(
            f"The run list of {task.job.deployment} is not a text. The hook takes only JSON in a text, and fails.",
            task.config.type_span,
        )
        return task.lowering.lower_expression(task.body)
    text = task.configuration_text()
    if not isinstance(text, str):
        return Fn("jsondecode", (text,))
    run_list = read_data_text(text, task.body.span, task.emission.unit.template.source.budget)
    if not isinstance(run_list, ir.Seq):
        raise task.fail("the run list is not JSON, in the configuration", task.body)
    return expression_from_data(ir.to_data(run_list))


# salt


def write_salt(task: JobScript) -> None:
    """Applies a state without a master. Inputs are options of the minion, which states read as `opts['name']`."""
    folder = f"{task.name}_salt"
    task.shell.write_command("install", "-d", "-m", "700", f"{folder}/states")
    text: Expr
    if isinstance(task.body, (ir.Map, ir.Seq)):
        text = task.emission.blocks.share_local(
            f"{task.name}_state", Fn("yamlencode", (task.lowering.lower_expression(task.body),))
        )
    else:
        text = task.configuration_text()
    task.shell.write_file(f"{folder}/states/{task.name}.sls", text)
    include = Tuple((f"{SALT}/minion", f"{SALT}/minion.d/*.conf"))
    options = [(job_input.name, task.json_value(job_input)) for job_input in task.job.inputs]
    options += list(task.derived_variables())
    minion = Object((("include", include), *options))
    task.shell.write_file(f"{folder}/minion", task.write_json_local(minion, "minion"))
    task.shell.write_command(
        "salt-call", "--local", "--retcode-passthrough",
        "--config-dir", f"{task.folder}/{folder}", "--file-root", f"{task.folder}/{folder}/states",
        "state.sls", task.name,
    )  # fmt: skip


# kubelet


def write_kubelet(task: JobScript) -> None:
    """Writes the manifest where the kubelet of the image looks for pods, and waits until it runs the containers."""
    path = f"{MANIFESTS}/{task.name}.json"
    task.make_folder(path)
    task.shell.write_file(path, task.write_json_local(task.lowering.lower_expression(task.body), "manifest"))
    task.shell.write_command("chmod", "600", path)
    images_timeout, containers_timeout, period = (read_seconds(task, name, usual) for name, usual in TIMES)
    containers = read_items(task, dict(task.map_entries()).get("containers"))
    task.shell.write_line(f"poll_period={period}")
    task.shell.write_line(WAIT.rstrip("\n"))
    images = dict.fromkeys(text_of(task, container, "image") for container in containers)
    for image in images:
        with_tag, prefix = task.join_texts((image, ":")), image
        if not isinstance(image, str):
            prefix = Cond(Fn("strcontains", (image, ":")), image, with_tag)
        elif ":" not in image:
            prefix = with_tag
        task.shell.write_command("wait_until", str(images_timeout), "has_image", prefix)
    for container in containers:
        name = text_of(task, container, "name")
        task.shell.write_command("wait_until", str(containers_timeout), "has_container", name)
    task.report_difference(
        f"{task.job.deployment} waits for containers by their names in the pod, and ignores the name of the pod.",
        task.deployment.type_span,
    )


def read_seconds(task: JobScript, name: str, usual: int) -> int | float:
    """An option with a number of seconds."""
    value = task.job.options.get(name)
    if value is None or value == ir.NULL:
        return usual
    if not isinstance(value, ir.Lit) or not str(value.value).replace(".", "", 1).isdigit():
        raise task.fail(f"the option {name} is known only at run time, in the configuration", value)
    return float(str(value.value)) if "." in str(value.value) else int(str(value.value))


def read_items(task: JobScript, items: ir.Expr | None) -> list[dict[str, ir.Expr]]:
    """The maps of a list in the configuration."""
    if items is None or items == ir.NULL:
        return []
    if not isinstance(items, ir.Seq):
        raise task.fail("a list in the configuration is known only at run time, in that", items)
    return [dict(task.map_entries(item)) for item in items.items]


def text_of(task: JobScript, settings: dict[str, ir.Expr], key: str) -> Expr:
    """A setting as a text; "" if it is not set."""
    value = settings.get(key)
    return "" if not value or value in (ir.NULL, ir.Lit(0)) else task.lower_text(value)
