"""Deployments as parts of their server's user data, if the user prefers native resources.

Invariant: each such deployment gets a diagnostic, since user data runs only once, when the server is created, and
nothing waits for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import agents, prepare_hook, write_hook
from emitters.hcl.namespace import snake
from emitters.hcl.ordering import Wait
from emitters.hcl.resources.handles import GivenUp
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Fn, Index, Name, Text
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.span import Span
from transpile.report import fate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.plan.configurations import Job
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Kind

ONCE = "the configuration is part of this server's user data, which runs when the server is created"
LAST = "zz-deployments"  # cloud-init runs scripts in the order of their file names
MOST = 65_535  # bytes of user data that Nova takes, in base64
PLAIN, BOUNDARY = "text/plain", "HOT2TF"
HEADER = r"(?i)^(?:MIME-Version: 1.0\r?\n)?Content-Type: (multipart/[^\r\n]+)"
LABELS = ("name", "input_values_validate")
CODE = codes.DEPLOYMENT_RESULT_LOST


@prepare_hook("first_boot")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return GivenUp(resource, CODE, f"Only Heat receives the results of {resource.name}; this is null.")


@prepare_hook("component")
def prepare_component(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return GivenUp(resource, CODE)


@write_hook("first_boot")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes nothing: the configuration is written with the user data."""
    emission.log.resource_report(resource).treatment = "folded"


@write_hook("component")
def write_component(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Writes nothing: the configuration is written with the deployments that use it."""
    stored(emission, resource)


# user data


def message(writer: Writer, boots: list[str], given: Expr | None, known: Expr | None = None) -> Expr:
    """The user data of a server with deployments: a MIME message whose first part is the original user data. text: of
    this part, if it is known.
    """
    emission, repeated = writer.emission, writer.lowering.scope.repeated
    address = emission.names.data_source("cloudinit_config", snake(f"{writer.resource.name}_user_data"))
    emission.blocks.providers.add("cloudinit")
    block = Block("data", address)
    if repeated is not None:
        block.body.append(Argument(repeated.name, repeated.value))
    block.set("gzip", False)
    block.set("base64_encode", False)
    if given is not None:
        kind = content_type(given, known)
        if kind != PLAIN:
            block.set("boundary", BOUNDARY)
        part = block.block("part")
        part.set("content_type", kind)
        part.set("content", given)
    parts(emission, block, f"data.{'.'.join(address)}", boots)
    emission.blocks.data.append(block)
    name: Expr = Name(("data", *address))
    if repeated is not None:
        name = Index(name, Name(("count", "index") if repeated.name == "count" else ("each", "key")))
    return Attr(name, "rendered")


def content_type(given: Expr, known: Expr | None) -> Expr:
    """The MIME type of the original user data. cloud-init determines the real type of plain text from its first line. A
    text that may be a multipart message itself gets the type in its own header: as a part, it begins with a second
    header, which MIME ignores as a preamble.
    """
    first = known.parts[0] if isinstance(known, Text) else known
    if isinstance(first, str) and not first.lower().startswith(("content-type:", "mime-version:")):
        return PLAIN
    return Fn("try", (Index(Fn("regex", (HEADER, given)), 0), PLAIN))


def parts(emission: Emission, block: Block, to: str, boots: list[str]) -> None:
    """Writes one part that runs the deployments, and records their fates."""
    deployments, template = emission.unit.plan.deployments, emission.unit.template
    jobs = [deployments.job(name) for name in boots]
    index = sum(isinstance(one, Block) for one in block.body)
    first = template.resources[boots[0]]
    part = block.block("part", where=first)
    part.set("filename", LAST)
    part.set("content_type", "text/x-shellscript")
    text = agents.alone(emission, jobs[0]) if len(jobs) == 1 else agents.together(emission, jobs)
    part.set("content", text)
    for job in jobs:
        tell(emission, job, to, f"part.{index}.content")
    measure(emission, block, first)


def measure(emission: Emission, block: Block, owner: ir.Resource) -> None:
    """Reports user data whose known texts alone are longer than Nova accepts."""
    size = sum(len(text.encode()) for one in block.body if isinstance(one, Block) for text in known(emission, one))
    if size * 4 // 3 > MOST:  # base64 makes four characters of three bytes
        message = f"The user data with {owner.name} has more than {size} bytes; Nova takes at most {MOST} in base64."
        emission.log.differs(codes.USER_DATA_TOO_LONG, message, owner.type_span)


def known(emission: Emission, part: Block) -> Iterator[str]:
    """The texts in the content of a part, also those in locals."""
    todo = [one.value for one in part.body if isinstance(one, Argument) and one.name == "content"]
    while todo:
        match todo.pop():
            case str() as text:
                yield text
            case Text(pieces):
                todo += pieces
            case Name(("local", label)) if label in emission.blocks.locals:
                todo.append(emission.blocks.locals[label].value)


def waits(emission: Emission, server: Block, boots: list[str]) -> None:
    """Makes a server wait for what its deployments wait for."""
    for name in boots:
        deployment = emission.unit.template.resources[name]
        if needs := [one.name for one in deployment.depends_on]:
            word = next(key for key in deployment.keys if key in ("depends_on", "DependsOn"))
            emission.ordering.waiting.append(Wait(server, name, needs, word, ""))


# what is reported


def tell(emission: Emission, job: Job, to: str, inside: str) -> None:
    """Reports a deployment that became a part. inside: the argument of the block `to` that has it."""
    template, plan = emission.unit.template, emission.unit.plan
    deployment, config = template.resources[job.deployment], template.resources[job.config]
    servers = plan.deployments.servers(job.deployment) or []
    change = (
        "a change to it has no effect"
        if all(ignored(emission, one) for one in servers)
        else "a change to it replaces the server"
    )
    emission.log.differs(
        codes.DEPLOYMENT_AS_USER_DATA,
        f"{deployment.name} is part of the user data of {' and '.join(servers)}: it runs at first boot, nobody waits "
        f"for it or notices if it fails, and {change}.",
        deployment.type_span,
    )
    lost(emission, job)
    report = emission.log.resource_report(deployment)
    report.treatment = "folded"
    report.addresses = list(dict.fromkeys((*report.addresses, to)))
    fates(emission, job, to, inside, ONCE, "user data sends no signal")
    stored(emission, config, to, inside)


def ignored(emission: Emission, server: str) -> bool:
    """Whether a server ignores changes of its user data."""
    properties = emission.unit.plan.deployments.properties(server)
    return properties is not None and properties.get("user_data_update_policy") == ir.Lit("IGNORE")


def lost(emission: Emission, job: Job) -> None:
    """Reports the actions, such as DELETE, for which Heat would run the deployment and Terraform does not."""
    if job.lost:
        deployment = emission.unit.template.resources[job.deployment]
        message = f"Terraform runs nothing of {job.deployment} on {' or '.join(job.lost)}."
        end = deployment.type_at + len(deployment.type)
        emission.log.differs(codes.DEPLOYMENT_ACTIONS_NOT_RUN, message, Span(deployment.type_at, end))


def fates(emission: Emission, job: Job, to: str, inside: str, why: str, unsent: str) -> None:
    """Records the fates of the properties of a deployment. why: of most. unsent: why it sends no signal."""
    deployment = emission.unit.template.resources[job.deployment]
    report = emission.log.resource_report(deployment)
    for entry in deployment.properties.entries if deployment.properties is not None else ():
        if entry.key == "input_values" and isinstance(entry.value, ir.Map) and entry.value.entries:
            for item in entry.value.entries:
                report.properties[f"input_values.{item.key}"] = fate("derived", to, inside, "the script has its value")
        elif entry.key == "signal_transport":
            report.properties[entry.key] = fate("implied", to, inside, unsent)
        elif entry.key in LABELS:
            report.properties[entry.key] = fate("implied", to, inside, "it is only a label")
        elif entry.key == "actions" and isinstance(entry.value, ir.Seq):
            for i, word in enumerate(entry.value.items):
                gone = isinstance(word, ir.Lit) and word.value in job.lost
                how = (
                    fate("dropped", code=codes.DEPLOYMENT_ACTIONS_NOT_RUN, why="Terraform runs nothing then")
                    if gone
                    else fate("derived", to, inside, why)
                )
                report.properties[f"actions.{i}"] = how
        else:
            report.properties[entry.key] = fate("derived", to, inside, why)


def stored(emission: Emission, config: ir.Resource, to: str = "", inside: str = "") -> None:
    """Records the fates of the properties of a configuration that only deployments use. to: the block that has it."""
    if not emission.unit.plan.only_boots(config.name) and config.kind != heat_types.SOFTWARE_COMPONENT:
        return
    report = emission.log.resource_report(config)
    report.treatment = "folded"
    if to:
        report.addresses = list(dict.fromkeys((*report.addresses, to)))
    for entry in config.properties.entries if config.properties is not None else ():
        if entry.key == "outputs":
            each = fate("dropped", code=CODE, why="only Heat receives the results of deployments")
        elif to:
            each = fate("derived", to, inside, "the configuration, with its inputs")
        else:
            each = fate("implied", why="no deployment runs it")
        if to or entry.key not in report.properties:
            report.properties[entry.key] = each
