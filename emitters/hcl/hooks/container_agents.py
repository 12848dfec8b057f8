"""Scripts in place of the agent's hooks for containers: `docker-cmd`, `docker` and `kubelet`, as commands of `docker`.

Invariant: each container gets the same arguments as from the hook, in the order in which the hook starts them. Labels
say that hot2tf manages them: an agent in the image would remove those that carry its own label.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from emitters.hcl.hooks.shell import quote_value, shell_word
from emitters.hcl.tree.nodes import Cond, Expr, Fn, ForTuple, StringTemplate, Traversal
from emitters.hcl.tree.types import LISTS, STRING, TypedValue
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.hooks.job_script import JobScript
    from emitters.hcl.lowering.lowering import Part

RUN, EXEC = "run", "exec"
FAILED = "failed"  # the variable of the shell with the status of the last command that failed
LISTED = (  # lists of docker-cmd, each with the option that takes an item
    ("env_file", "--env-file"),
    ("environment", "--env"),
)
MOUNTED = (("volumes", "--volume"), ("volumes_from", "--volumes-from"))
PLAIN = (("net", "--net"), ("pid", "--pid"))
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


# docker-cmd


def write_docker_cmd(task: JobScript) -> None:
    containers = [(name, dict(task.map_entries(value))) for name, value in task.map_entries()]
    containers.sort(key=lambda container: read_order(task, container[1].get("start_order")))
    if task.runs_again:
        remove_containers(task, f"label=deploy_resource_name={task.job.deployment}")
    task.shell.write_line(f"{FAILED}=0")
    for name, settings in containers:
        action = settings.get("action", ir.Lit(RUN))
        if action == ir.Lit(RUN):
            words = compose_docker_run(task, name, settings)
        elif action == ir.Lit(EXEC):
            words = compose_docker_exec(task, settings)
        else:
            raise task.fail(f"docker-cmd runs or executes a container, and does nothing else with {name}", action)
        write_checked_command(task, words, settings.get("exit_codes"))
    task.shell.write_line(f'exit "${FAILED}"')
    name = task.job.deployment
    message = f"The containers of {name} have the label managed_by=hot2tf, and no config_id or deploy_stack_id."
    task.report_difference(message, task.deployment.type_span)


def read_order(task: JobScript, order: ir.Expr | None) -> int | float:
    """The place of a container in the order of starts."""
    if order is None:
        return 0
    if not isinstance(order, ir.Lit) or not isinstance(order.value, (int, float)):
        raise task.fail("the start_order of a container is known only at run time, in the configuration", order)
    return order.value


def compose_docker_run(task: JobScript, name: str, settings: dict[str, ir.Expr]) -> list[Part]:
    """The command that creates and starts a container of docker-cmd."""
    words: list[Part] = ["docker run --name ", *shell_word(name)]
    labels = {"deploy_resource_name": task.job.deployment, "container_name": name, "managed_by": "hot2tf"}
    for label, value in labels.items():
        words += [" --label ", *shell_word(f"{label}={value}")]
    detach = settings.get("detach", ir.Lit(True))
    if not isinstance(detach, ir.Lit):
        raise task.fail(f"whether {name} is detached is known only at run time, in the configuration", detach)
    words += [" --detach=true"] if detach.value else []
    for key, option in LISTED:
        words += compose_options(task, option, settings.get(key))
    for key, option in PLAIN:
        words += compose_option(task, option, settings.get(key))
    words += compose_switch(task, "--privileged", settings.get("privileged"))
    for key in ("restart", "user"):
        words += compose_option(task, f"--{key}", settings.get(key))
    for key, option in MOUNTED:
        words += compose_options(task, option, settings.get(key))
    words += [" ", *shell_word(task.lower_text(settings.get("image", ir.Lit(""))))]
    return [*words, *compose_command(task, settings.get("command"))]


def compose_docker_exec(task: JobScript, settings: dict[str, ir.Expr]) -> list[Part]:
    """The command that docker-cmd executes in a container. Its first word is the name of the container."""
    words: list[Part] = ["docker exec"]
    words += compose_switch(task, "--privileged", settings.get("privileged"))
    words += compose_option(task, "--user", settings.get("user"))
    return [*words, *compose_command(task, settings.get("command"))]


def compose_option(task: JobScript, option: str, value: ir.Expr | None) -> list[Part]:
    """An option with a value; nothing if it is not set."""
    return [" ", *join_option(option, task.lower_text(value))] if value is not None else []


def compose_switch(task: JobScript, option: str, value: ir.Expr | None) -> list[Part]:
    """An option that is true or false."""
    if value is None:
        return []
    text = task.lower_text(value)
    return [" ", *join_option(option, text.lower() if isinstance(text, str) else Fn("lower", (text,)))]


def join_option(option: str, value: Expr) -> list[Part]:
    """`--net=host` as one word."""
    if isinstance(value, str):
        return shell_word(f"{option}={value}")
    return [f"{option}=", *quote_value(value)]


def compose_options(task: JobScript, option: str, value: ir.Expr | None) -> list[Part]:
    """An option for each item of a list; the hook leaves out empty ones. A text is one item, a map its keys."""
    items: list[ir.Expr]
    match value:
        case None | ir.NULL:
            return []
        case ir.Seq():
            items = list(value.items)
        case ir.Map():
            items = [ir.Lit(entry.key, value.span) for entry in value.entries]
        case _:
            lowered = task.lowering.lower_value(value)
            if lowered.type.kind in LISTS and lowered.type.of == STRING:
                return join_quoted_items(lowered.expr, option)
            if lowered.type.kind != "string":
                raise task.fail("a list in the configuration is known only at run time, in that", value)
            items = [value]
    texts = [task.lower_text(item) for item in items if item not in (ir.Lit(""), ir.NULL)]
    return [part for text in texts for part in (" ", *join_option(option, text))]


def join_quoted_items(items: Expr, option: str = "") -> list[Part]:
    """The items of a list that is known only at run time, each a word in single quotes."""
    item = Traversal(("item",))
    quoted = Fn("replace", (item, "'", "'\\''"))
    word = StringTemplate((f"{option}='" if option else "'", quoted, "'"))
    return [" ", TypedValue(Fn("join", (" ", ForTuple(item.parts, items, word))), STRING)]


def compose_command(task: JobScript, command: ir.Expr | None) -> list[Part]:
    """The words after the image. The hook splits a text at white space, without regard to quotes."""
    if command is None or command in (ir.NULL, ir.Lit("")):
        return []
    if isinstance(command, ir.Lit):
        return [part for word in str(command.value).split() for part in (" ", *shell_word(word))]
    if isinstance(command, ir.Seq):
        return [part for item in command.items for part in (" ", *shell_word(task.lower_text(item)))]
    value = task.lowering.lower_value(command)
    if value.type.kind in LISTS and value.type.of == STRING:
        return join_quoted_items(value.expr)
    if value.type.kind != "string":
        raise task.fail("a command in the configuration is known only at run time, in that", command)
    return join_quoted_items(Fn("regexall", ("\\S+", value.expr)))


def write_checked_command(task: JobScript, words: list[Part], exit_codes: ir.Expr | None) -> None:
    """Writes a command. The others run even if it fails, and at the end the deployment fails with its status.
    exit_codes: those that are no failure.
    """
    if exit_codes is None:
        task.shell.write_line(*words, f" || {FAILED}=$?")
        return
    if not isinstance(exit_codes, ir.Seq) or not ir.is_plain_data(exit_codes):
        raise task.fail("the exit_codes of a container are known only at run time, in the configuration", exit_codes)
    accepted = " | ".join(shlex.quote(str(code)) for code in ir.to_data(exit_codes))
    task.shell.write_line("code=0")
    task.shell.write_line(*words, " || code=$?")
    choice = f"{accepted}) ;; *" if accepted else "*"
    task.shell.write_line(f"case $code in {choice}) {FAILED}=$code ;; esac")


def remove_containers(task: JobScript, condition: str, indent: str = "") -> None:
    """Removes the containers of the last run, as the agent does with those of a configuration that is gone."""
    listed = f"{indent}docker ps -q -a --filter "
    task.shell.write_line(listed, *shell_word(condition), " | xargs -r docker rm -f")


# docker


def write_docker(task: JobScript) -> None:
    """The hook `docker` of older images: a pod of containers, whose names begin with that of the deployment."""
    settings = dict(task.map_entries())
    volumes = [volume.get("name", ir.NULL) for volume in read_items(task, settings.get("volumes"))]
    for name in volumes:
        task.shell.write_line("mkdir -p ", *shell_word(task.join_texts(("/", task.lower_text(name)))))
    if task.runs_again:
        remove_containers(task, f"name=^{task.project}[.]")
    task.shell.write_line(f"{FAILED}=0")
    for container in read_items(task, settings.get("containers")):
        task.shell.write_line(*compose_pod_container(task, container, volumes), f" || {FAILED}=1")
    task.shell.write_line(f'if [ "${FAILED}" -ne 0 ]; then')
    remove_containers(task, f"name=^{task.project}[.]", "  ")
    task.shell.write_line("  exit 1\nfi")


def compose_pod_container(task: JobScript, container: dict[str, ir.Expr], volumes: list[ir.Expr]) -> list[Part]:
    """The command that starts a container of a pod. volumes: the names of those that the pod has."""
    name = task.join_texts((f"{task.project}.", text_of(task, container, "name")))
    words: list[Part] = ["docker run --detach --name ", *shell_word(name)]
    words += compose_option(task, "--workdir", container.get("workingDir"))
    for port in read_items(task, container.get("ports")):
        inside = text_of(task, port, "containerPort")
        words += [
            " ",
            *join_option("--publish", task.join_texts((text_of(task, port, "hostPort") or inside, ":", inside))),
        ]
    for variable in read_items(task, container.get("env")):
        pair = task.join_texts((text_of(task, variable, "name"), "=", text_of(task, variable, "value")))
        words += [" ", *join_option("--env", pair)]
    for mount in read_items(task, container.get("volumeMounts")):
        if mount.get("name") in volumes:
            target = text_of(task, mount, "mountPath") or text_of(task, mount, "name")
            mode = ":ro" if mount.get("readOnly") == ir.Lit(True) else ""
            place = task.join_texts(("/", text_of(task, mount, "name"), ":", target, mode))
            words += [" ", *join_option("--volume", place)]
    words += [" ", *shell_word(text_of(task, container, "image"))]
    command = container.get("command")
    if isinstance(command, ir.Lit) and isinstance(command.value, str):  # the client splits it as a shell does
        return [*words, *(part for word in shlex.split(command.value) for part in (" ", *shell_word(word)))]
    return [*words, *compose_command(task, command)]


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
