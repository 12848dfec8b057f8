"""Deployments that can become part of their server's user data, or that Terraform can run over SSH.

Invariant: a deployment becomes user data only if it runs once, nothing waits for it and nothing reads its outputs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from emitters.hcl.plan import referrals
from transpile.model import ir
from transpile.text.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from emitters.hcl.plan.referrals import Readers
    from transpile.resolve.stack import Stack

DEPLOYMENT, CONFIG, MIME = "OS::Heat::SoftwareDeployment", "OS::Heat::SoftwareConfig", "OS::Heat::MultipartMime"
SERVER = "OS::Nova::Server"
CREATE = ir.Seq((ir.Lit("CREATE"),))
SHELL = re.compile(r"#!\s*/\S*/(env\s+)?(ba|da|k|z)?sh\b")
WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
OF_HEAT = ("deploy_", "heat_outputs_path")  # variables that exist only if Heat's agent runs the script


def first_boot(stack: Stack, owners: Readers) -> set[str]:
    """The deployments that can become part of their server's user data: all deployments of a server, or none."""
    servers: dict[str, set[str]] = {}
    for name in referrals.of_type(stack, DEPLOYMENT):
        if (server := referrals.refers(stack, name, "server")) is not None:
            servers.setdefault(server, set()).add(name)
    fit = {
        server: mine
        for server, mine in servers.items()
        if takes_parts(stack, server, owners) and all(runs_once(stack, name) for name in mine)
    }
    while lost := {referrals.refers(stack, name, "server") for name in noticed(stack, fit)}:
        fit = {server: mine for server, mine in fit.items() if server not in lost}
    return {name for mine in fit.values() for name in mine}


def provisioned(stack: Stack, boots: set[str], owners: Readers) -> set[str]:
    """The deployments that Terraform can run over SSH: all deployments of a server, or none. boots: those that become
    user data, which are excluded.
    """
    servers: dict[str, set[str]] = {}
    for name in referrals.of_type(stack, DEPLOYMENT):
        server = referrals.refers(stack, name, "server")
        if server is not None and name not in boots:
            servers.setdefault(server, set()).add(name)
    found = set()
    for server, mine in servers.items():
        if deployed(stack, server, owners) and all(runs_over_ssh(stack, name, owners) for name in mine):
            found |= mine
    return found


def runs_over_ssh(stack: Stack, name: str, owners: Readers) -> bool:
    """Whether a deployment is a known script whose outputs nothing reads."""
    resource = stack.template.resources[name]
    properties = resource.properties
    if properties is None or resource.condition is not None or not referrals.plain(stack, name) or name in owners:
        return False
    given = properties.get("actions")
    actions = ir.data(given) if given is not None and ir.literal(given) else None
    config = known_script(stack, resource)
    return config is not None and (
        given is None or (isinstance(actions, list) and "CREATE" in actions and set(actions) <= {"CREATE", "UPDATE"})
    )


def updates(stack: Stack, name: str) -> bool:
    """Whether a deployment runs again when it changes, which is the default."""
    properties = stack.template.resources[name].properties
    given = properties.get("actions") if properties is not None else None
    return given is None or "UPDATE" in ir.data(given)


def deployed(stack: Stack, server: str, owners: Readers) -> bool:
    """Whether the stack creates a server that runs software configs, and it has only plain deployments."""
    resource = stack.template.resources.get(server)
    if (
        resource is None
        or stack.types[server] != SERVER
        or not referrals.plain(stack, server)
        or resource.condition is not None
    ):
        return False
    properties = resource.properties
    form = properties.get("user_data_format") if properties is not None else None
    return form == ir.Lit("SOFTWARE_CONFIG") and not any(
        isinstance(one, ir.Resource) and "Deployment" in stack.types[one.name] and stack.types[one.name] != DEPLOYMENT
        for one in owners.get(server, ())
    )


def takes_parts(stack: Stack, server: str, owners: Readers) -> bool:
    """Whether parts can be added to the user data of a server, and it has only plain deployments."""
    if not deployed(stack, server, owners):
        return False
    message = referrals.refers(stack, server, "user_data")
    if message is None or stack.types[message] != MIME:
        return True
    parts = stack.template.resources[message]
    return parts.condition is None and len(owners.get(message, ())) == 1


def container(stack: Stack, server: str) -> str:
    """The resource that holds the user data of a server: a multipart message, or the server itself."""
    message = referrals.refers(stack, server, "user_data")
    return message if message is not None and stack.types[message] == MIME else server


def runs_once(stack: Stack, name: str) -> bool:
    """Whether a deployment is a script that runs only when the server is created, and sends no signal."""
    resource = stack.template.resources[name]
    properties = resource.properties
    return (
        properties is not None
        and resource.condition is None
        and referrals.plain(stack, name)
        and properties.get("actions") == CREATE
        and properties.get("signal_transport") == ir.Lit("NO_SIGNAL")
        and known_script(stack, resource) is not None
    )


def known_script(stack: Stack, deployment: ir.Resource) -> str | None:
    """The script of a deployment, if its text is known and a shell can set its inputs."""
    config = stack.template.resources.get(referrals.refers(stack, deployment.name, "config") or "")
    if config is None or stack.types[config.name] != CONFIG or config.condition is not None:
        return None
    text, given = script(stack, config), inputs(stack, deployment, config)
    return text if text is not None and (given == {} or (given and SHELL.match(text))) else None


def script(stack: Stack, config: ir.Resource) -> str | None:
    """The text of a script, if it is known, begins with `#!` and does not depend on Heat's agent."""
    given = config.properties
    if given is None or given.get("group") != ir.Lit("script"):
        return None
    expr = given.get("config")
    text = expr.value if isinstance(expr, ir.Lit) else None
    if isinstance(expr, ir.FileRef):
        try:
            text = stack.root.read(expr.name).text()
        except Unreadable:
            return None
    if not isinstance(text, str) or not text.startswith("#!") or any(word in text for word in OF_HEAT):
        return None
    return text


def inputs(stack: Stack, deployment: ir.Resource, config: ir.Resource) -> dict[str, ir.Expr] | None:
    """The environment variables of a script: declared inputs, overridden by the deployment's values. None if the inputs
    are known only at run time, or a name is no shell variable.
    """
    declared = config.properties.get("inputs") if config.properties is not None else None
    values = deployment.properties.get("input_values") if deployment.properties is not None else None
    if not isinstance(declared or ir.Seq(()), ir.Seq) or not isinstance(values or ir.Map(()), ir.Map):
        return None
    found: dict[str, ir.Expr] = {}
    for item in declared.items if isinstance(declared, ir.Seq) else ():
        name = item.get("name") if isinstance(item, ir.Map) else None
        if not isinstance(name, ir.Lit) or not isinstance(item, ir.Map):
            return None
        found[str(name.value)] = item.get("default") or ir.Lit("")
    for entry in values.entries if isinstance(values, ir.Map) else ():
        found[entry.key] = entry.value
    return found if all(WORD.fullmatch(name) for name in found) else None


def noticed(stack: Stack, fit: dict[str, set[str]]) -> Iterable[str]:
    """Deployments that something refers to or waits for, other than a deployment on the same server."""
    server_of = {name: server for server, mine in fit.items() for name in mine}
    for name, resource in stack.template.resources.items():
        asked = referrals.referred(resource) | {one.name for one in resource.depends_on}
        yield from (one for one in asked if one in server_of and server_of.get(name) != server_of[one])
    for output in stack.template.outputs.values():
        yield from referrals.referred(output) & set(server_of)
