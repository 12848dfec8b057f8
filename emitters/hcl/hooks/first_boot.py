"""Deployments as parts of their server's user data, if the user prefers native resources.

Invariant: each such deployment gets a diagnostic, since user data runs only once, when the server is created, and
nothing waits for it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from emitters.hcl.emission import Emission
from emitters.hcl.hooks import Prepared, agents, mime_parts, resource_hook
from emitters.hcl.namespace import snake_case
from emitters.hcl.ordering import Wait
from emitters.hcl.plan.configurations import DeploymentJob
from emitters.hcl.resources.handles import LeftOutHandle
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Fn, Index, StringTemplate, Traversal
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import make_fate
from transpile.resolve.graph import strong_components

ONCE = "the configuration is part of this server's user data, which runs when the server is created"
LAST = "zz-deployments"  # cloud-init runs scripts in the order of their file names
MOST = 65_535  # bytes of user data that Nova takes, in base64
PLAIN, BOUNDARY = "text/plain", "HOT2TF"
HEADER = r"(?i)^(?:MIME-Version: 1.0\r?\n)?Content-Type: (multipart/[^\r\n]+)"
LABELS = ("name", "input_values_validate")
CODE = codes.DEPLOYMENT_RESULT_LOST


@resource_hook("first_boot")
def prepare_first_boot(emission: Emission, resource: ir.Resource) -> Prepared:
    handle = LeftOutHandle(resource, CODE, f"Only Heat receives the results of {resource.name}; this is null.")
    return Prepared(handle, lambda: write_first_boot(emission, resource))


@resource_hook("component")
def prepare_component(emission: Emission, resource: ir.Resource) -> Prepared:
    """Writes nothing: the configuration is written with the deployments that use it."""
    return Prepared(LeftOutHandle(resource, CODE), lambda: record_configuration_fates(emission, resource))


def write_first_boot(emission: Emission, resource: ir.Resource) -> None:
    """Writes nothing: the configuration is written with the user data."""
    emission.log.resource_report(resource).treatment = "folded"


# user data


def write_user_data_message(writer: Writer, boots: list[str], user_data: Expr | None, text: Expr | None = None) -> Expr:
    """Writes the user data of a server with deployments: a MIME message whose first part is the original user data.
    text: of this part, if it is known.
    """
    emission, repeated = writer.emission, writer.lowering.scope.repeated
    address = emission.names.reserve_data_source("cloudinit_config", snake_case(f"{writer.resource.name}_user_data"))
    block = Block("data", address)
    if repeated is not None:
        block.body.append(Argument(repeated.name, repeated.value))
    block.add_argument("gzip", False)
    block.add_argument("base64_encode", False)
    if user_data is not None:
        kind = user_data_type(user_data, text)
        if kind != PLAIN:
            block.add_argument("boundary", BOUNDARY)
        part = block.add_block("part")
        part.add_argument("content_type", kind)
        part.add_argument("content", user_data)
        if kind == PLAIN:
            mime_parts.encode_part_if_needed(emission, part)
    write_deployment_part(emission, block, f"data.{'.'.join(address)}", boots)
    emission.blocks.data.append(block)
    name: Expr = Traversal(("data", *address))
    if repeated is not None:
        name = Index(name, Traversal(("count", "index") if repeated.name == "count" else ("each", "key")))
    return Attr(name, "rendered")


def user_data_type(user_data: Expr, text: Expr | None) -> Expr:
    """The MIME type of the original user data. cloud-init determines the real type of plain text from its first line. A
    text that may be a multipart message itself gets the type in its own header: as a part, it begins with a second
    header, which MIME ignores as a preamble.
    """
    first = text.parts[0] if isinstance(text, StringTemplate) else text
    if isinstance(first, str) and not first.lower().startswith(("content-type:", "mime-version:")):
        return PLAIN
    return Fn("try", (Index(Fn("regex", (HEADER, user_data)), 0), PLAIN))


def write_deployment_part(emission: Emission, block: Block, to: str, boots: list[str]) -> None:
    """Writes one part that runs the deployments, and records their fates."""
    deployments, template = emission.unit.plan.deployments, emission.unit.template
    jobs = [deployments.job_of(name) for name in boots]
    index = block.count_blocks()
    first = template.resources[boots[0]]
    part = block.add_block("part", where=first)
    part.add_argument("filename", LAST)
    part.add_argument("content_type", "text/x-shellscript")
    text = agents.compose_script(emission, jobs[0]) if len(jobs) == 1 else agents.compose_joint_script(emission, jobs)
    part.add_argument("content", text)
    mime_parts.encode_part_if_needed(emission, part)
    for job in jobs:
        report_deployment(emission, job, to, f"part.{index}.content")
    check_user_data_size(emission, block, first)


def check_user_data_size(emission: Emission, block: Block, owner: ir.Resource) -> None:
    """Reports user data whose known texts alone are longer than Nova accepts."""
    parts = [part for part in block.body if isinstance(part, Block)]
    contents = [part.find_argument("content") for part in parts]
    size = measure_known_texts(emission, [content.value for content in contents if content is not None])
    if size * 4 // 3 > MOST:  # base64 makes four characters of three bytes
        message = f"The user data with {owner.name} has more than {size} bytes; Nova takes at most {MOST} in base64."
        emission.log.report_difference(codes.USER_DATA_TOO_LONG, message, owner.type_span)


def measure_known_texts(emission: Emission, exprs: list[Expr]) -> int:
    """The bytes of the known texts in expressions, and in the locals that they insert. Each local is measured once."""
    texts, labels = split_known_text(emission, exprs)
    own, inserted = dict[str, int](), dict[str, list[str]]()
    waiting = list(labels)
    while waiting:
        label = waiting.pop()
        if label not in own:
            own[label], inserted[label] = split_known_text(emission, [emission.blocks.locals[label].value])
            waiting += inserted[label]
    sizes: dict[str, int] = {}
    for label in itertools.chain.from_iterable(
        strong_components(inserted)
    ):  # a local comes after those that it inserts
        sizes[label] = own[label] + sum(sizes[inner] for inner in inserted[label])
    return texts + sum(sizes[label] for label in labels)


def split_known_text(emission: Emission, exprs: list[Expr]) -> tuple[int, list[str]]:
    """The bytes of the texts that stand in expressions themselves, and the locals that they insert."""
    size, labels, todo = 0, list[str](), list(exprs)
    while todo:
        match todo.pop():
            case str() as text:
                size += len(text.encode())
            case StringTemplate(pieces):
                todo += pieces
            case Traversal(("local", label)) if label in emission.blocks.locals:
                labels.append(label)
    return size, labels


def add_deployment_waits(emission: Emission, server: Block, boots: list[str]) -> None:
    """Makes a server wait for the resources that its deployments wait for."""
    for name in boots:
        deployment = emission.unit.template.resources[name]
        if needs := [dependency.name for dependency in deployment.depends_on]:
            word = next(key for key in deployment.keys if key in ("depends_on", "DependsOn"))
            emission.ordering.waiting.append(Wait(server, name, needs, word, ""))


# reports


def report_deployment(emission: Emission, job: DeploymentJob, to: str, inside: str) -> None:
    """Reports a deployment that became a part. inside: the argument of the block `to` that has it."""
    template, plan = emission.unit.template, emission.unit.plan
    deployment, config = template.resources[job.deployment], template.resources[job.config]
    servers = plan.deployments.template_servers(job.deployment)
    change = (
        "a change to it has no effect"
        if all(ignores_user_data(emission, server) for server in servers)
        else "a change to it replaces the server"
    )
    emission.log.report_difference(
        codes.DEPLOYMENT_AS_USER_DATA,
        f"{deployment.name} is part of the user data of {' and '.join(servers)}: it runs at first boot, nobody waits "
        f"for it or notices if it fails, and {change}.",
        deployment.type_span,
    )
    report_lost_actions(emission, job, list(job.lost))
    report = emission.log.resource_report(deployment)
    report.treatment = "folded"
    report.addresses = list(dict.fromkeys((*report.addresses, to)))
    record_deployment_fates(emission, job, to, inside, ONCE, "user data sends no signal", list(job.lost))
    record_configuration_fates(emission, config, to, inside)


def ignores_user_data(emission: Emission, server: str) -> bool:
    """Whether a server ignores changes of its user data."""
    properties = emission.unit.plan.deployments.server_properties(server)
    return properties is not None and properties.get("user_data_update_policy") == ir.Lit("IGNORE")


def report_lost_actions(emission: Emission, job: DeploymentJob, lost: Sequence[str]) -> None:
    """Reports the actions, such as SUSPEND, for which Heat would run the deployment and Terraform does not."""
    deployment = emission.unit.template.resources[job.deployment]
    for action in lost:
        place = job.lost[action]
        message = f"Terraform runs nothing of {job.deployment} on {action}."
        emission.log.add_diagnostic(codes.DEPLOYMENT_ACTIONS_NOT_RUN, message, place)
        emission.log.add_comment(deployment.type_at, codes.DEPLOYMENT_ACTIONS_NOT_RUN, message)


def record_deployment_fates(
    emission: Emission, job: DeploymentJob, to: str, inside: str, why: str, unsent: str, lost: Sequence[str]
) -> None:
    """Records the fates of the properties of a deployment. why: of most. unsent: why it sends no signal. lost: the
    actions for which Terraform runs nothing.
    """
    deployment = emission.unit.template.resources[job.deployment]
    report = emission.log.resource_report(deployment)
    for entry in deployment.entries:
        if entry.key == "input_values" and isinstance(entry.value, ir.Map) and entry.value.entries:
            for item in entry.value.entries:
                report.properties[f"input_values.{item.key}"] = make_fate(
                    "derived", to, inside, "the script has its value"
                )
        elif entry.key == "signal_transport":
            report.properties[entry.key] = make_fate("implied", to, inside, unsent)
        elif entry.key in LABELS:
            report.properties[entry.key] = make_fate("implied", to, inside, "it is only a label")
        elif entry.key == "actions" and job.component:
            report.properties[entry.key] = make_fate(
                "dropped", code=codes.PROPERTY_IGNORED_BY_HEAT, why="the component has actions of its own"
            )
        elif entry.key == "actions" and isinstance(entry.value, ir.Seq):
            for i, word in enumerate(entry.value.items):
                gone = isinstance(word, ir.Lit) and word.value in lost
                how = (
                    make_fate("dropped", code=codes.DEPLOYMENT_ACTIONS_NOT_RUN, why="Terraform runs nothing then")
                    if gone
                    else make_fate("derived", to, inside, why)
                )
                report.properties[f"actions.{i}"] = how
        else:
            report.properties[entry.key] = make_fate("derived", to, inside, why)


def record_configuration_fates(emission: Emission, config: ir.Resource, to: str = "", inside: str = "") -> None:
    """Records the fates of the properties of a configuration that only deployments use. to: the block that has it."""
    if not emission.unit.plan.deployments_of_config(config.name) and config.kind != heat_types.SOFTWARE_COMPONENT:
        return
    report = emission.log.resource_report(config)
    report.treatment = "folded"
    if to:
        report.addresses = list(dict.fromkeys((*report.addresses, to)))
    for entry in config.entries:
        if entry.key == "outputs":
            each = make_fate("dropped", code=CODE, why="only Heat receives the results of deployments")
        elif to:
            each = make_fate("derived", to, inside, "the configuration, with its inputs")
        else:
            each = make_fate("implied", why="no deployment runs it")
        if to or entry.key not in report.properties:
            report.properties[entry.key] = each
