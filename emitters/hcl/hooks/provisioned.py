"""Deployments as `terraform_data` with provisioners, if the user asks for them: Terraform runs scripts over SSH.

Invariant: Terraform runs a script as Heat's agent would: as root, one at a time on each server, and a failing script
fails the apply.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import NamedTuple

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, agents, first_boot, resource_hook
from emitters.hcl.hooks.over_ssh import KIND, repeat_per_server, ssh_variable, write_connection
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.ordering import Wait
from emitters.hcl.plan.configurations import DELETE, DeploymentJob
from emitters.hcl.plan.planner import previous_deployments
from emitters.hcl.resources.handles import LeftOutHandle
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Fn, Index, Object, Traversal, Tuple
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.span import Span
from transpile.resolve.lifecycle import CREATE, UPDATE

FOLDER = ".hot2tf"  # on the server, readable only by its owner
MARKS = "/var/lib/hot2tf"  # on the server, for root only
WHEN = {CREATE: "during the apply", UPDATE: "after later changes", DELETE: "before it is destroyed"}
EXISTING = "openstack_compute_instance_v2"  # the data source
WHY = "the script runs when the server is created, and again on changes if actions includes UPDATE"


class SshTarget(NamedTuple):
    """A server that Terraform connects to. id: a change of it runs the script again. host: the address."""

    id: Expr
    host: Expr


@resource_hook("provisioned")
def prepare_provisioned(emission: Emission, resource: ir.Resource) -> Prepared:
    message = f"Terraform does not return the outputs of {resource.name}; this is null."
    return Prepared(LeftOutHandle(resource, first_boot.CODE, message), lambda: write_provisioned(emission, resource))


def write_provisioned(emission: Emission, resource: ir.Resource) -> None:
    plan, name = emission.unit.plan, resource.name
    job, targets = plan.deployments.job_of(name), dict(plan.deployments.servers_by_key(name))
    if (servers := plan.deployments.servers_at_run_time(name)) is not None:
        targets = {"servers": servers}
    scripts = {
        each.action: share_script(emission, each)
        for each in ((job,) if job.action == CREATE else ()) + tuple(job.later.values())
    }
    blocks = []
    for key, expr in targets.items():
        of_server = [
            write_run(emission, resource, job, action, scripts, expr, "" if len(targets) == 1 else key)
            for action in scripts
        ]
        blocks += of_server
        before = (
            plan.get_index(previous_deployments).get((name, expr.name)) if isinstance(expr, ir.ResourceRef) else None
        )
        if before is not None:
            why = "Heat runs the deployments of a server one at a time"
            emission.ordering.waiting += [Wait(block, name, [before], "", why, all_of=True) for block in of_server]
    report_runs(emission, resource, job)
    write_resource_keys(emission, resource, blocks)
    if needs := [dependency.name for dependency in resource.depends_on]:
        why = "Heat waits for it before each deployment of the group"
        emission.ordering.waiting += [Wait(block, name, needs, "", why) for block in blocks[1:]]
    report = emission.log.resource_report(resource)
    report.treatment, report.addresses = "native", [block.address for block in blocks]
    unsent = "the provisioner waits for the script"
    to, argument = report.addresses[0], "triggers_replace"
    first_boot.record_deployment_fates(emission, job, to, argument, WHY, unsent, job.not_over_ssh)
    config = emission.unit.template.resources[job.config]
    first_boot.record_configuration_fates(emission, config, to, argument)


def share_script(emission: Emission, job: DeploymentJob) -> Expr:
    """The script of a deployment for an action, as a local."""
    name = job.deployment if job.action == CREATE else f"{job.deployment}_on_{job.action.lower()}"
    label = emission.names.locals.reserve_name(f"{snake_case(name)}_script")
    emission.blocks.add_local(label, agents.compose_script(emission, job), Span(-1, -1))
    return Traversal(("local", label))


def write_run(
    emission: Emission,
    resource: ir.Resource,
    job: DeploymentJob,
    action: str,
    scripts: Mapping[str, Expr],
    server: ir.Expr,
    key: str,
) -> Block:
    """Writes the resource that runs the script for an action on a server. key: of the server, if there are several."""
    own = f"{resource.name}_{key}" if key else resource.name
    label = snake_case(own if action == CREATE else f"{own}_on_{action.lower()}")
    label = emission.names.reserve_label(KIND, label)
    block = Block("resource", (KIND, label), span=resource.span)
    machine, text, place = locate_server(emission, resource, block, server, label), scripts[action], f"{FOLDER}/{label}"
    if action == DELETE:
        block.add_argument("triggers_replace", Tuple((machine.id,)))
        write_destroyer(emission, block, machine.host, text, place)
    else:
        again = [text] if action == UPDATE or (job.again and UPDATE not in scripts) else []
        again = [*(each for each in (scripts.get(CREATE),) if each is not None and action == UPDATE), *again]
        block.add_argument("triggers_replace", Tuple((machine.id, *(Fn("sha256", (each,)) for each in again))))
        write_connection(emission, block, machine.host)
        write_provisioners(block, text, place, f"{MARKS}/{label}" if action == UPDATE else "")
    emission.blocks.add_block(block, resource.name)
    return block


def report_runs(emission: Emission, resource: ir.Resource, job: DeploymentJob) -> None:
    """Reports the script that Terraform runs over SSH, and the actions that run it."""
    actions = dict.fromkeys((job.action, *job.later))
    *most, last = (WHEN[action] for action in actions)
    when = f"{', '.join(most)} and {last}" if most else last
    message = f"Terraform runs {resource.name} over SSH {when}."
    emission.log.report_difference(codes.DEPLOYMENT_OVER_SSH, message, resource.type_span)
    first_boot.report_lost_actions(emission, job, job.not_over_ssh)


def write_destroyer(emission: Emission, block: Block, host: Expr, text: Expr, place: str) -> None:
    """Writes provisioners that run when the resource is destroyed. They may refer only to the resource itself, which
    therefore holds the script and how to reach the server.
    """
    reach = [(word, ssh_variable(emission, f"ssh_{word}")) for word in ("user", "private_key_file")]
    block.add_argument("input", Object((("host", host), *reach, ("script", text))))
    own = Traversal(("self", "input"))
    connection = block.add_block("connection")
    connection.add_argument("type", "ssh")
    connection.add_argument("host", Attr(own, "host"))
    connection.add_argument("user", Attr(own, "user"))
    connection.add_argument("private_key", Fn("file", (Attr(own, "private_key_file"),)))
    write_provisioners(block, Attr(own, "script"), place, when=Traversal(("destroy",)))


def write_provisioners(block: Block, text: Expr, place: str, mark: str = "", when: Expr | None = None) -> None:
    """Writes the provisioners, which copy the script and run it. place: in the home of the SSH user, where others
    cannot read it, since it may contain hidden values. mark: a file that the first run makes on the server, in place of
    running the script. when: not at the creation of the resource.
    """
    commands: list[Expr] = [f"chmod 700 {place} && sudo ./{place}; code=$?; rm -f {place}; exit $code"]
    if mark:
        folder = posixpath.dirname(mark)
        first = f"sudo install -d -m 700 {folder} && sudo touch {mark}; code=$?; rm -f {place}; exit $code"
        commands.insert(0, f"sudo test -e {mark} || {{ {first}; }}")
    for kind, argument, value in (
        ("remote-exec", "inline", Tuple((f"install -d -m 700 {FOLDER}",))),
        ("file", "content", text),
        ("remote-exec", "inline", Tuple(tuple(commands))),
    ):
        made = block.add_block("provisioner", kind)
        if when is not None:
            made.add_argument("when", when)
        made.add_argument(argument, value)
        if kind == "file":
            made.add_argument("destination", place)


def locate_server(emission: Emission, owner: ir.Resource, block: Block, server: ir.Expr, label: str) -> SshTarget:
    """The server of a deployment: of the template, prepared by others (OS::Heat::DeployedServer), or an existing one by
    its ID.
    """
    lowering = emission.lowering.with_resource(owner, label)
    if isinstance(server, ir.ResourceRef):
        if emission.unit.stack.types[server.name] == heat_types.DEPLOYED_SERVER:
            if not emission.unit.module.is_root:
                why = f"only one address could be given for {server.name}, in all uses of this template"
                raise CannotSay(codes.KEPT_IN_HEAT, why, server, owner.name)
            host = ssh_variable(
                emission, f"{snake_case(server.name)}_address", f"Address of {server.name}, for SSH connections."
            )
            return SshTarget(host, host)
        machine = repeat_per_server(emission, server.name, owner, block, lowering)
        return SshTarget(Attr(machine, "id"), Attr(machine, "access_ip_v4"))
    if emission.unit.plan.deployments.servers_at_run_time(owner.name) is not None:
        return read_existing_servers(emission, lowering, block, server, label)
    value = lowering.lower_value(server, STRING)
    if value.null or value.expr is None:
        raise CannotSay(codes.ONLY_AT_RUN_TIME, "the server of a deployment may be missing", server)
    return read_existing_server(emission, server, value.expr, label)


def read_existing_servers(
    emission: Emission, lowering: HclLowering, block: Block, servers: ir.Expr, label: str
) -> SshTarget:
    """Reads the servers in a map of IDs. Repeats the block for each server."""
    over = lowering.lower_expression(servers)
    target = read_existing_server(emission, servers, Traversal(("each", "value")), label, over)
    block.body.insert(0, Argument("for_each", over))
    return target


def read_existing_server(
    emission: Emission, server: ir.Expr, server_id: Expr, label: str, over: Expr | None = None
) -> SshTarget:
    """An existing server. A data source looks up its address by its ID. over: the value of its `for_each`."""
    address = emission.names.reserve_data_source(EXISTING, label)
    block = Block("data", address, span=server.span)
    if over is not None:
        block.add_argument("for_each", over)
    if (region := emission.symbols.region_variable()) is not None:
        block.add_argument("region", region)
    block.add_argument("id", server_id)
    emission.blocks.data.append(block)
    instance: Expr = Traversal(("data", *address))
    if over is not None:
        instance = Index(instance, Traversal(("each", "key")))
    return SshTarget(Attr(instance, "id"), Attr(instance, "access_ip_v4"))
