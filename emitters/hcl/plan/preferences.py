"""The other honest answer: what `--prefer native` makes of types that would stay with Heat.

The easy rule to break: an option applies only where nothing else notices. A scaling group has a fixed size if nobody
but its policies and their alarms would change it; a deployment becomes user data if it runs once, nobody waits for it
and nothing comes back. Otherwise the faithful answer stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from emitters.hcl.tables import mapping
from transpile.model import ir
from transpile.text.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from transpile.resolve.linker import Stack

NATIVE, FAITHFUL, PROVISIONERS = "native", "faithful", "provisioners"
GROUP, POLICY = "OS::Heat::AutoScalingGroup", "OS::Heat::ScalingPolicy"
DEPLOYMENT, CONFIG, MIME = "OS::Heat::SoftwareDeployment", "OS::Heat::SoftwareConfig", "OS::Heat::MultipartMime"
SERVER = "OS::Nova::Server"
ACTIONS = ("alarm_actions", "ok_actions", "insufficient_data_actions")
CREATE = ir.Seq((ir.Lit("CREATE"),))
SHELL = re.compile(r"#!\s*/\S*/(env\s+)?(ba|da|k|z)?sh\b")
WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
OVER_SSH = mapping.Kind(DEPLOYMENT, "native", hook="provisioned", why="a script that Terraform runs over SSH")
OF_HEAT = ("deploy_", "heat_outputs_path")  # what a script uses only if Heat's hook runs it


def preferred(stack: Stack, prefer: str) -> dict[str, mapping.Kind]:
    """The resources that are other than their type's table says first, with what they are."""
    boots = first_boot(stack)
    found = {*fixed_size(stack), *boots}
    over_ssh = provisioned(stack, boots) if prefer == PROVISIONERS else set()
    out = {}
    for name in stack.template.resources:
        if name in over_ssh:
            out[name] = OVER_SSH
        kind = mapping.find(stack.types[name]) if name in found else None
        if kind is not None and kind.other is not None:
            out[name] = kind.other
    return out


# scaling


def fixed_size(stack: Stack) -> set[str]:
    """Scaling groups, and with them the policies and alarms that do nothing else."""
    groups = {name for name in of_type(stack, GROUP) if plain(stack, name)}
    found: set[str] = set()
    while True:
        policies = {n for n in of_type(stack, POLICY) if refers(stack, n, "auto_scaling_group_id") in groups}
        alarms = {name for name in stack.template.resources if serves(stack, name, policies)}
        found = groups | policies | alarms
        read = set(users(stack, policies | alarms, found))
        for name in read & alarms:
            read |= actions(stack, name)
        lost = {refers(stack, name, "auto_scaling_group_id") for name in read & policies}
        if not lost:
            return found
        groups -= {name for name in lost if name is not None}


def plain(stack: Stack, name: str) -> bool:
    """Whether a resource is of this stack alone: not one that exists."""
    return stack.template.resources[name].external_id is None


def serves(stack: Stack, name: str, policies: set[str]) -> bool:
    """Whether an alarm does nothing but ask policies of groups that do not scale."""
    kind = mapping.find(stack.types[name])
    if kind is None or kind.other is None or kind.other.hook != "unscaled" or stack.types[name] == POLICY:
        return False
    asked = actions(stack, name)
    return bool(asked) and plain(stack, name) and asked <= policies


def actions(stack: Stack, name: str) -> set[str]:
    """The policies that an alarm asks; with "" among them if it does something else as well."""
    properties = stack.template.resources[name].properties
    found = set()
    for word in ACTIONS:
        given = properties.get(word) if properties is not None else None
        for item in given.items if isinstance(given, ir.Seq) else () if given in (None, ir.Lit(None)) else (given,):
            asked = {e.name for e in ir.walk(item) if isinstance(e, (ir.ResourceRef, ir.AttrRef))}
            found |= {name if stack.types.get(name) == POLICY else "" for name in asked} or {""}
    return found


def users(stack: Stack, wanted: set[str], among: set[str]) -> Iterable[str]:
    """Those of `wanted` that a resource outside of `among` reads."""
    for name, resource in stack.template.resources.items():
        if name not in among:
            yield from referred(resource) & wanted


# deployments


def first_boot(stack: Stack) -> set[str]:
    """The deployments that can be part of their server's user data: all of a server, or none."""
    servers: dict[str, set[str]] = {}
    for name in of_type(stack, DEPLOYMENT):
        if (server := refers(stack, name, "server")) is not None:
            servers.setdefault(server, set()).add(name)
    fit = {
        server: mine
        for server, mine in servers.items()
        if takes_parts(stack, server) and all(runs_once(stack, name) for name in mine)
    }
    while lost := {refers(stack, name, "server") for name in noticed(stack, fit)}:
        fit = {server: mine for server, mine in fit.items() if server not in lost}
    return {name for mine in fit.values() for name in mine}


def provisioned(stack: Stack, boots: set[str]) -> set[str]:
    """The deployments that Terraform can run over SSH: all of a server, or none; those that are user data are none."""
    servers: dict[str, set[str]] = {}
    for name in of_type(stack, DEPLOYMENT):
        server = refers(stack, name, "server")
        if server is not None and name not in boots:
            servers.setdefault(server, set()).add(name)
    found = set()
    for server, mine in servers.items():
        if deployed(stack, server) and all(runs_over_ssh(stack, name) for name in mine):
            found |= mine
    return found


def runs_over_ssh(stack: Stack, name: str) -> bool:
    """Whether a deployment is a script of which nobody wants more than that it has run."""
    resource = stack.template.resources[name]
    properties = resource.properties
    if properties is None or resource.condition is not None or not plain(stack, name) or read(stack, name):
        return False
    given = properties.get("actions")
    actions = ir.data(given) if given is not None and ir.literal(given) else None
    config = known_script(stack, resource)
    return config is not None and (
        given is None or (isinstance(actions, list) and "CREATE" in actions and set(actions) <= {"CREATE", "UPDATE"})
    )


def updates(stack: Stack, name: str) -> bool:
    """Whether a deployment runs again when it changes, as it does unless it says otherwise."""
    properties = stack.template.resources[name].properties
    given = properties.get("actions") if properties is not None else None
    return given is None or "UPDATE" in ir.data(given)


def read(stack: Stack, name: str) -> bool:
    """Whether anything refers to a resource, but to wait for it."""
    owners: list[ir.Resource | ir.Output] = [*stack.template.resources.values(), *stack.template.outputs.values()]
    return any(reads(owner, name) for owner in owners)


def deployed(stack: Stack, server: str) -> bool:
    """Whether a server is made here for an agent, and only plain deployments are for it."""
    resource = stack.template.resources.get(server)
    if resource is None or stack.types[server] != SERVER or not plain(stack, server) or resource.condition is not None:
        return False
    properties = resource.properties
    form = properties.get("user_data_format") if properties is not None else None
    return form == ir.Lit("SOFTWARE_CONFIG") and not any(
        "Deployment" in stack.types[name] and stack.types[name] != DEPLOYMENT and reads(one, server)
        for name, one in stack.template.resources.items()
    )


def takes_parts(stack: Stack, server: str) -> bool:
    """Whether the user data of a server can have more parts, and nothing else deploys to it."""
    if not deployed(stack, server):
        return False
    message = refers(stack, server, "user_data")
    if message is None or stack.types[message] != MIME:
        return True
    parts = stack.template.resources[message]
    owners: list[ir.Resource | ir.Output] = [*stack.template.resources.values(), *stack.template.outputs.values()]
    return parts.condition is None and sum(reads(owner, message) for owner in owners) == 1


def container(stack: Stack, server: str) -> str:
    """What holds the user data of a server: a message of the template, or the server alone."""
    message = refers(stack, server, "user_data")
    return message if message is not None and stack.types[message] == MIME else server


def runs_once(stack: Stack, name: str) -> bool:
    """Whether a deployment is a script that runs when the server is made, and signals nobody."""
    resource = stack.template.resources[name]
    properties = resource.properties
    return (
        properties is not None
        and resource.condition is None
        and plain(stack, name)
        and properties.get("actions") == CREATE
        and properties.get("signal_transport") == ir.Lit("NO_SIGNAL")
        and known_script(stack, resource) is not None
    )


def known_script(stack: Stack, deployment: ir.Resource) -> str | None:
    """The script of a deployment, if it is known and a shell can give it its inputs."""
    config = stack.template.resources.get(refers(stack, deployment.name, "config") or "")
    if config is None or stack.types[config.name] != CONFIG or config.condition is not None:
        return None
    text, given = script(stack, config), inputs(stack, deployment, config)
    return text if text is not None and (given == {} or (given and SHELL.match(text))) else None


def script(stack: Stack, config: ir.Resource) -> str | None:
    """The text of a script that is known, says what runs it, and asks nothing of Heat's hook."""
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
    """What a script gets in its environment: declared inputs, then those that only the deployment knows; None where
    that is known only at run time, or a shell could not take it.
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
    """Deployments that something other than a later one on the same server refers to or waits for."""
    server_of = {name: server for server, mine in fit.items() for name in mine}
    for name, resource in stack.template.resources.items():
        asked = referred(resource) | {one.name for one in resource.depends_on}
        yield from (one for one in asked if one in server_of and server_of.get(name) != server_of[one])
    for output in stack.template.outputs.values():
        yield from referred(output) & set(server_of)


def together(stack: Stack, preferred: Iterable[str]) -> dict[str, set[str]]:
    """What is faithful together: a group with its policies and alarms, deployments with their server and its data."""
    found: dict[str, set[str]] = {}
    for name in preferred:
        near = referred(stack.template.resources[name]) & set(preferred)
        if (server := refers(stack, name, "server")) is not None:
            near |= {server, container(stack, server), refers(stack, name, "config") or server}
        for other in near:
            found.setdefault(name, set()).add(other)
            found.setdefault(other, set()).add(name)
    return found


# reading


def of_type(stack: Stack, kind: str) -> list[str]:
    return [name for name in stack.template.resources if stack.types[name] == kind]


def referred(owner: ir.Resource | ir.Output) -> set[str]:
    """The resources that something refers to."""
    return {r.name for r in owner.refs if isinstance(r, (ir.ResourceRef, ir.AttrRef))}


def reads(owner: ir.Resource | ir.Output, name: str) -> bool:
    return name in referred(owner)


def refers(stack: Stack, name: str, word: str) -> str | None:
    """The resource that a property refers to."""
    properties = stack.template.resources[name].properties
    value = properties.get(word) if properties is not None else None
    return value.name if isinstance(value, ir.ResourceRef) else None
