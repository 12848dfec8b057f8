"""Deployments as `terraform_data` with provisioners, if the user asks for them: Terraform runs scripts over SSH.

Invariant: Terraform runs a script as Heat's agent would: as root, one at a time on each server, and a failing script
fails the apply. The SSH user and key are variables, as no template knows them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.hooks.first_boot import content, listed
from emitters.hcl.namespace import snake
from emitters.hcl.ordering import Wait
from emitters.hcl.plan import deployments, referrals
from emitters.hcl.plan.planner import earlier
from emitters.hcl.resources.handles import GivenUp
from emitters.hcl.resources.keys import keys_of
from emitters.hcl.tree.nodes import Attr, Block, Expr, Fn, Name, Tuple
from emitters.hcl.tree.types import STRING
from transpile.model import ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.tables.mapping import Kind

KIND = "terraform_data"
FOLDER = ".hot2tf"  # on the server, readable only by its owner
WHO = {
    "ssh_user": "User for SSH connections to servers. Scripts run with sudo.",
    "ssh_private_key_file": "Path of the private key file of the SSH user.",
}


@prepare_hook("provisioned")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return GivenUp(resource, "HOT560")


@write_hook("provisioned")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    stack, name = emission.unit.stack, resource.name
    server = referrals.refers(stack, name, "server")
    config = emission.unit.template.resources[referrals.refers(stack, name, "config") or ""]
    assert server is not None
    label = emission.names.label(KIND, snake(name))
    block = Block("resource", (KIND, label), at=resource.at, end=resource.end)
    script = emission.names.locals.take(f"{label}_script")
    lowering = emission.lowering.of_resource(resource, label)
    machine = lowering.expr(ir.ResourceRef(server), STRING)
    assert isinstance(machine, Attr | Name)
    whole = machine.of if isinstance(machine, Attr) else Name(machine.parts[:-1])
    emission.blocks.add_local(script, content(lowering, resource, config), -1, -1)
    text = Name(("local", script))
    again = (Fn("sha256", (text,)),) if deployments.updates(stack, name) else ()
    block.set("triggers_replace", Tuple((machine, *again)))
    connection(emission, block, Attr(whole, "access_ip_v4"))
    place = f"{FOLDER}/{label}"  # in the home of the SSH user: a script may contain hidden values
    made = block.block("provisioner", "remote-exec")
    made.set("inline", Tuple((f"install -d -m 700 {FOLDER}",)))
    copied = block.block("provisioner", "file")
    copied.set("content", text)
    copied.set("destination", place)
    run = block.block("provisioner", "remote-exec")
    run.set("inline", Tuple((f"chmod 700 {place} && sudo ./{place}; code=$?; rm -f {place}; exit $code",)))
    emission.log.differs(
        "HOT566",
        f"Terraform runs {name} over SSH during the apply.",
        resource.type_at,
        resource.type_at + len(resource.type),
    )
    if before := emission.unit.plan.index(earlier).get(name):
        why = "Heat runs the deployments of a server one at a time"
        emission.ordering.waiting.append(Wait(block, name, [before], "", why))
    keys_of(emission, resource, [block])
    emission.blocks.add(block, name)
    tell(emission, resource, config, f"{KIND}.{label}")


def connection(emission: Emission, block: Block, host: Expr) -> Block:
    """Writes how Terraform reaches a server."""
    found = block.block("connection")
    found.set("type", "ssh")
    found.set("host", host)
    found.set("user", variable(emission, "ssh_user"))
    found.set("private_key", Fn("file", (variable(emission, "ssh_private_key_file"),)))
    return found


def variable(emission: Emission, name: str) -> Expr:
    """The input variable for the SSH user or key, in modules too."""
    key = f"ssh {name}"
    if key not in emission.variables.blocks:
        block = Block("variable", (emission.names.taken_variables.take(name),))
        block.set("description", WHO[name])
        block.set("type", Name(("string",)))
        emission.variables.blocks[key] = block
    return Name(("var", emission.variables.blocks[key].labels[0]))


def tell(emission: Emission, deployment: ir.Resource, config: ir.Resource, to: str) -> None:
    report = emission.log.resource_report(deployment)
    report.treatment, report.addresses = "native", [to]
    for entry in deployment.properties.entries if deployment.properties is not None else ():
        if entry.key == "input_values" and isinstance(entry.value, ir.Map):
            for item in entry.value.entries:
                why = "quoted for the shell, and exported after the first line of the script"
                report.properties[f"input_values.{item.key}"] = fate("derived", to, "triggers_replace", why)
        elif entry.key in ("name", "signal_transport"):
            why = "it is only a label" if entry.key == "name" else "the provisioner waits for the script"
            report.properties[entry.key] = fate("implied", to, "triggers_replace", why)
        else:
            why = "the script runs when the server is created, and again on changes if actions includes UPDATE"
            report.properties[entry.key] = fate("derived", to, "triggers_replace", why)
    if emission.unit.plan.only_boots(config.name):
        stored = emission.log.resource_report(config)
        stored.treatment, stored.addresses = "folded", [to]
        for path in listed(config):
            stored.properties[path] = fate("derived", to, "triggers_replace", "the script, with its inputs exported")
