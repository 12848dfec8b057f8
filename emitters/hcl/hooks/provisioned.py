"""Deployments as `terraform_data` with provisioners, if the user asks for them: Terraform runs scripts over SSH.

Invariant: Terraform runs a script as Heat's agent would: as root, one at a time on each server, and a failing script
fails the apply.
"""

from __future__ import annotations

from typing import NamedTuple

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import agents, first_boot, prepare_hook, write_hook
from emitters.hcl.hooks.over_ssh import KIND, repeat_per_server, ssh_variable, write_connection
from emitters.hcl.lowering.lowering import Handle, HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.ordering import Wait
from emitters.hcl.plan.planner import previous_deployments
from emitters.hcl.resources.handles import LeftOutHandle
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.tables.mapping import TypeMapping
from emitters.hcl.tree.nodes import Attr, Block, Expr, Fn, Traversal, Tuple
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.span import Span

FOLDER = ".hot2tf"  # on the server, readable only by its owner
EXISTING = "openstack_compute_instance_v2"  # the data source
WHY = "the script runs when the server is created, and again on changes if actions includes UPDATE"


class SshTarget(NamedTuple):
    """A server that Terraform connects to. id: a change of it runs the script again. host: the address."""

    id: Expr
    host: Expr


@prepare_hook("provisioned")
def prepare_provisioned(emission: Emission, resource: ir.Resource, kind: TypeMapping) -> Handle:
    message = f"Terraform does not return what {resource.name} prints or writes; this is null."
    return LeftOutHandle(resource, first_boot.CODE, message)


@write_hook("provisioned")
def write_provisioned(emission: Emission, resource: ir.Resource, kind: TypeMapping) -> None:
    plan, name = emission.unit.plan, resource.name
    job, targets = plan.deployments.job_of(name), plan.deployments.servers_by_key(name)
    own = snake_case(name)
    script = emission.names.locals.reserve_name(f"{own}_script")
    emission.blocks.add_local(script, agents.compose_script(emission, job), Span(-1, -1))
    text, blocks = Traversal(("local", script)), []
    for key, expr in targets.items():
        label = emission.names.reserve_label(KIND, own if len(targets) == 1 else snake_case(f"{name}_{key}"))
        block = Block("resource", (KIND, label), span=resource.span)
        machine = locate_server(emission, resource, block, expr, label)
        again = (Fn("sha256", (text,)),) if job.again else ()
        block.add_argument("triggers_replace", Tuple((machine.id, *again)))
        write_connection(emission, block, machine.host)
        write_provisioners(block, text, f"{FOLDER}/{label}")
        emission.blocks.add_block(block, name)
        blocks.append(block)
        before = (
            plan.get_index(previous_deployments).get((name, expr.name)) if isinstance(expr, ir.ResourceRef) else None
        )
        if before is not None:
            why = "Heat runs the deployments of a server one at a time"
            emission.ordering.waiting.append(Wait(block, name, [before], "", why, all_of=True))
    emission.log.report_difference(
        codes.DEPLOYMENT_OVER_SSH,
        f"Terraform runs {name} over SSH during the apply.",
        resource.type_span,
    )
    first_boot.report_lost_actions(emission, job)
    write_resource_keys(emission, resource, blocks)
    if needs := [dependency.name for dependency in resource.depends_on]:
        why = "Heat waits for it before each deployment of the group"
        emission.ordering.waiting += [Wait(block, name, needs, "", why) for block in blocks[1:]]
    report = emission.log.resource_report(resource)
    report.treatment, report.addresses = "native", [block.address for block in blocks]
    unsent = "the provisioner waits for the script"
    first_boot.record_deployment_fates(emission, job, report.addresses[0], "triggers_replace", WHY, unsent)
    config = emission.unit.template.resources[job.config]
    first_boot.record_configuration_fates(emission, config, report.addresses[0], "triggers_replace")


def write_provisioners(block: Block, text: Expr, place: str) -> None:
    """Writes the provisioners, which copy the script and run it. place: in the home of the SSH user, where others
    cannot read it, since it may contain hidden values.
    """
    made = block.add_block("provisioner", "remote-exec")
    made.add_argument("inline", Tuple((f"install -d -m 700 {FOLDER}",)))
    copied = block.add_block("provisioner", "file")
    copied.add_argument("content", text)
    copied.add_argument("destination", place)
    ran = block.add_block("provisioner", "remote-exec")
    ran.add_argument("inline", Tuple((f"chmod 700 {place} && sudo ./{place}; code=$?; rm -f {place}; exit $code",)))


def locate_server(emission: Emission, owner: ir.Resource, block: Block, server: ir.Expr, label: str) -> SshTarget:
    """The server of a deployment: of the template, prepared by others (OS::Heat::DeployedServer), or an existing one by
    its ID.
    """
    lowering = emission.lowering.with_resource(owner, label)
    if isinstance(server, ir.ResourceRef):
        if emission.unit.stack.types[server.name] == heat_types.DEPLOYED_SERVER:
            if emission.unit.module is not None:
                why = f"only one address could be given for {server.name}, in all uses of this template"
                raise CannotSay(codes.KEPT_IN_HEAT, why, server, owner.name)
            host = ssh_variable(
                emission, f"{snake_case(server.name)}_address", f"Address of {server.name}, for SSH connections."
            )
            return SshTarget(host, host)
        machine = repeat_per_server(emission, server.name, owner, block, lowering)
        return SshTarget(Attr(machine, "id"), Attr(machine, "access_ip_v4"))
    return read_existing_server(emission, lowering, server, label)


def read_existing_server(emission: Emission, lowering: HclLowering, server: ir.Expr, label: str) -> SshTarget:
    """An existing server. A data source looks up its address by its ID."""
    value = lowering.lower_value(server, STRING)
    if value.null or value.expr is None:
        raise CannotSay(codes.ONLY_AT_RUN_TIME, "the server of a deployment may be missing", server)
    address = emission.names.reserve_data_source(EXISTING, label)
    block = Block("data", address, span=server.span)
    if (region := emission.symbols.region_variable()) is not None:
        block.add_argument("region", region)
    block.add_argument("id", value.expr)
    emission.blocks.data.append(block)
    instance = Traversal(("data", *address))
    return SshTarget(Attr(instance, "id"), Attr(instance, "access_ip_v4"))
