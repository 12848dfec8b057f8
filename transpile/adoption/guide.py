"""Writes ADOPT.md: the steps by which an operator moves the resources of a stack from Heat to Terraform.

Invariant: each step has its command, the expected result and the way back. The names, IDs and numbers are those of this
stack, escaped for Markdown.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from transpile.adoption.shell import join_command
from transpile.adoption.steps import (
    FOLDER,
    IMPORTS_FILE,
    ORIGINAL,
    RELEASE,
    RETAIN,
    ReleaseSteps,
    format_stack_command,
    format_update_command,
)
from transpile.model import heat_types
from transpile.model.words import join_words
from transpile.text.page_templates import fill_template

if TYPE_CHECKING:
    from transpile.adoption.adoption import Adoption
    from transpile.adoption.environments import AdoptedEnvironment

GUIDE_FILE = "ADOPT.md"
MOST_ROWS = 40  # resources that are listed one by one
# Heat's preview does not resolve references. So it takes every reference for a change, and its list of replaced
# resources is wrong; the same is true of the members of groups. It fails if a reference is in a property that Heat
# refuses to change, which these types have.
TYPES_WITHOUT_PREVIEW = (heat_types.AWS_VOLUME, heat_types.AWS_VOLUME_ATTACHMENT, heat_types.NEUTRON_TRUNK)
SHOW_NOUNS = {  # of types that everybody knows
    heat_types.NOVA_SERVER: "server",
    heat_types.CINDER_VOLUME: "volume",
    heat_types.NEUTRON_NET: "network",
    heat_types.NEUTRON_PORT: "port",
    heat_types.NEUTRON_ROUTER: "router",
    heat_types.NEUTRON_SECURITY_GROUP: "security group",
    heat_types.NEUTRON_SUBNET: "subnet",
}


def write_guide(steps: ReleaseSteps) -> str:
    """The guide."""
    adoption, live, environment = steps.adoption, steps.live, steps.environment
    taken, kept = list(steps.walk_resources(kept=False)), list(steps.walk_resources(kept=True))
    types = ["-e", steps.path_of(steps.adopt_environment)] if steps.adopt_environment else []
    variables = {
        "steps": steps,
        "adoption": adoption,
        "live": live,
        "environment": environment,
        "taken": taken,
        "kept": kept,
        "kept_at_top": [resource for path, resource in kept if len(path) == 1],
        "most_rows": MOST_ROWS,
        "types_without_preview": TYPES_WITHOUT_PREVIEW,
        "imports_file": IMPORTS_FILE,
        "release_folder": FOLDER,
        "RETAIN": RETAIN,
        "RELEASE": RELEASE,
        "retain": steps.path_of(RETAIN),
        "original": steps.path_of(ORIGINAL),
        "update_command": format_update_command,
        "stack_command": format_stack_command,
        "preparations": join_words(describe_preparations(adoption)),
        "plan_line": format_plan_line(adoption),
        "remove_ids_command": make_remove_command(environment) if environment is not None else "",
        "ports": [
            (describe_port(server), port is not None, make_port_command(steps, server))
            for server, port in sorted(steps.ports.items())
        ],
        "nested_ports": [(describe_port(server), file) for file, server in sorted(steps.nested_ports)],
        "show_command": make_show_command(steps),
        "adopt_command": format_stack_command("adopt", "--wait", "--adopt-file", "before.json", *types, live.name),
        "has_chain": any(resource.type == heat_types.RESOURCE_CHAIN for _, resource in live.walk_resources()),
        "last_step": count_steps(steps),
        "hidden_asks": [f"TF_VAR_{name}" for name, is_hidden in adoption.asks.items() if is_hidden],
        "other_asks": [name for name, is_hidden in adoption.asks.items() if not is_hidden],
        "asks_heat": any("user_id" in server.data and server.type == heat_types.NOVA_SERVER for _, server in taken),
    }
    return fill_template(__package__, "ADOPT.md.j2", variables)


def count_steps(steps: ReleaseSteps) -> int:
    """The number of the last step before Terraform compares the rest."""
    return (5 if steps.detached else 4) if steps.complete else 2


def make_remove_command(environment: AdoptedEnvironment) -> str:
    """The command that removes the IDs to import from the values of an environment."""
    first = "# HOT715: " if environment.import_notes else f"{environment.ids_label} = {{$"
    return f"sed -i.before '/^{first}/,/^}}$/d' {environment.values_file}"


def describe_port(server: str) -> str:
    """How a template reads the port of a server."""
    return f"{{get_attr: [{server}, addresses, …, port]}}"


def make_port_command(steps: ReleaseSteps, server: str) -> str:
    """The command that shows the ports of a server."""
    return shlex.join(["openstack", "port", "list", "--server", str(steps.live.resources[server].physical_id)])


def make_show_command(steps: ReleaseSteps) -> str:
    """A command that shows one resource of a type that everybody knows; empty if there is none."""
    for kind, noun in SHOW_NOUNS.items():
        for _, resource in steps.walk_resources(kept=False):
            if resource.type == kind and resource.physical_id:
                return join_command(["openstack", *noun.split(), "show"], resource.physical_id)
    return ""


def count_import_blocks(adoption: Adoption) -> int:
    """The number of `import` blocks, those whose ID must be filled in included."""
    return len(adoption.imports) + len(adoption.unknown_ids)


def format_plan_line(adoption: Adoption) -> str:
    """The line that ends the first plan, as Terraform prints it."""
    imports, additions = count_import_blocks(adoption), len(adoption.additions)
    return f"Plan: {imports} to import, {additions} to add, 0 to change, 0 to destroy."


def describe_preparations(adoption: Adoption) -> list[str]:
    """Returns the preparations for the first plan as short phrases, such as "fill in 3 IDs in imports.tf"."""
    out = []
    if number := len(adoption.unknown_ids):
        file = adoption.environment.values_file if adoption.environment.exists else "imports.tf"
        out.append(f"fill in {'the ID' if number == 1 else f'{number} IDs'} in {file}")
    if adoption.asks:
        out.append(f"give {join_words([*adoption.asks])} a value")
    return out
