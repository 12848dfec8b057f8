"""Deployments as `terraform_data` with provisioners, if the user asks for them: Terraform runs scripts over SSH.

Invariant: Terraform runs a script as Heat's agent would: as root, one at a time on each server, and a failing script
fails the apply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import agents, first_boot, prepare_hook, write_hook
from emitters.hcl.hooks.over_ssh import KIND, connection, each, variable
from emitters.hcl.namespace import snake
from emitters.hcl.ordering import Wait
from emitters.hcl.plan.planner import earlier
from emitters.hcl.resources.handles import GivenUp
from emitters.hcl.resources.keys import keys_of
from emitters.hcl.tree.nodes import Attr, Block, Expr, Fn, Name, Tuple
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.span import Span

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.tables.mapping import Kind

FOLDER = ".hot2tf"  # on the server, readable only by its owner
EXISTING = "openstack_compute_instance_v2"  # the data source
WHY = "the script runs when the server is created, and again on changes if actions includes UPDATE"


class Machine(NamedTuple):
    """A server that Terraform connects to. id: a change of it runs the script again. host: the address."""

    id: Expr
    host: Expr


@prepare_hook("provisioned")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    message = f"Terraform does not return what {resource.name} prints or writes; this is null."
    return GivenUp(resource, first_boot.CODE, message)


@write_hook("provisioned")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    plan, name = emission.unit.plan, resource.name
    job, targets = plan.deployments.job(name), plan.deployments.targets(name)
    own = snake(name)
    script = emission.names.locals.take(f"{own}_script")
    emission.blocks.add_local(script, agents.alone(emission, job), Span(-1, -1))
    text, blocks = Name(("local", script)), []
    for key, expr in targets.items():
        label = emission.names.label(KIND, own if len(targets) == 1 else snake(f"{name}_{key}"))
        block = Block("resource", (KIND, label), span=resource.span)
        machine = reached(emission, resource, block, expr, label)
        again = (Fn("sha256", (text,)),) if job.again else ()
        block.set("triggers_replace", Tuple((machine.id, *again)))
        connection(emission, block, machine.host)
        run(block, text, f"{FOLDER}/{label}")
        emission.blocks.add(block, name)
        blocks.append(block)
        before = plan.index(earlier).get((name, expr.name)) if isinstance(expr, ir.ResourceRef) else None
        if before is not None:
            why = "Heat runs the deployments of a server one at a time"
            emission.ordering.waiting.append(Wait(block, name, [before], "", why, all_of=True))
    emission.log.differs(
        codes.DEPLOYMENT_OVER_SSH,
        f"Terraform runs {name} over SSH during the apply.",
        resource.type_span,
    )
    first_boot.lost(emission, job)
    keys_of(emission, resource, blocks)
    if needs := [one.name for one in resource.depends_on]:
        why = "Heat waits for it before each deployment of the group"
        emission.ordering.waiting += [Wait(block, name, needs, "", why) for block in blocks[1:]]
    report = emission.log.resource_report(resource)
    report.treatment, report.addresses = "native", [block.address for block in blocks]
    unsent = "the provisioner waits for the script"
    first_boot.fates(emission, job, report.addresses[0], "triggers_replace", WHY, unsent)
    config = emission.unit.template.resources[job.config]
    first_boot.stored(emission, config, report.addresses[0], "triggers_replace")


def run(block: Block, text: Expr, place: str) -> None:
    """Writes the provisioners, which copy the script and run it. place: in the home of the SSH user, where others
    cannot read it, since it may contain hidden values.
    """
    made = block.block("provisioner", "remote-exec")
    made.set("inline", Tuple((f"install -d -m 700 {FOLDER}",)))
    copied = block.block("provisioner", "file")
    copied.set("content", text)
    copied.set("destination", place)
    ran = block.block("provisioner", "remote-exec")
    ran.set("inline", Tuple((f"chmod 700 {place} && sudo ./{place}; code=$?; rm -f {place}; exit $code",)))


def reached(emission: Emission, owner: ir.Resource, block: Block, server: ir.Expr, label: str) -> Machine:
    """The server of a deployment: of the template, prepared by others (OS::Heat::DeployedServer), or an existing one by
    its ID.
    """
    lowering = emission.lowering.of_resource(owner, label)
    if isinstance(server, ir.ResourceRef):
        if emission.unit.stack.types[server.name] == heat_types.DEPLOYED_SERVER:
            if emission.unit.module is not None:
                why = f"only one address could be given for {server.name}, in all uses of this template"
                raise CannotSay(codes.KEPT_IN_HEAT, why, server, owner.name)
            host = variable(
                emission, f"{snake(server.name)}_address", f"Address of {server.name}, for SSH connections."
            )
            return Machine(host, host)
        machine = each(emission, server.name, owner, block, lowering)
        return Machine(Attr(machine, "id"), Attr(machine, "access_ip_v4"))
    return existing(emission, lowering, server, label)


def existing(emission: Emission, lowering: Lowering, server: ir.Expr, label: str) -> Machine:
    """An existing server. A data source looks up its address by its ID."""
    value = lowering.value(server, STRING)
    if value.null or value.expr is None:
        raise CannotSay(codes.ONLY_AT_RUN_TIME, "the server of a deployment may be missing", server)
    address = emission.names.data_source(EXISTING, label)
    block = Block("data", address, span=server.span)
    if (region := emission.symbols.region()) is not None:
        block.set("region", region)
    block.set("id", value.expr)
    emission.blocks.data.append(block)
    found = Name(("data", *address))
    return Machine(Attr(found, "id"), Attr(found, "access_ip_v4"))
