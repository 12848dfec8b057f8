"""The ports that Nova made for running servers, and where a stored template reads them.

Invariant: a port is known only if the server has no other one.

Heat lists the floating IPs of an address before the address, and those have no port. So as soon as a floating IP
exists, `{get_attr: [server, addresses, private, 0, port]}` is empty, and every update of its resource fails. The
updates by which Heat lets go have the port's ID in its place. A nested template whose port is not known, or is another
one in each of several stacks, searches for the first address that has a port, with YAQL.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, final

from transpile.adoption.lookups import CloudLookup, NoAnswer
from transpile.model.intrinsics import HOT, find_template_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from transpile.adoption.live import LiveResource, LiveStack
    from transpile.adoption.lookups import Cloud

PORT_DATA = ("external_ports", "internal_ports")  # Heat's data on a server's ports: Nova's, and its own
FIRST_PORT = "$.data.where($.port != null).select($.port).first()"
PATH_LENGTH = 5  # of a read: [server, addresses, network, index, port]


def find_port(server: LiveResource, cloud: Cloud) -> str | None:
    """The ID of the only port of a server; None if it is not known, or if there are several."""
    stored = [id for key in PORT_DATA for id in read_ids(server.data.get(key))]
    if not stored:
        try:
            rows = cloud.ask(CloudLookup("port", (("device_id", str(server.physical_id)),)))
        except NoAnswer:
            return None
        stored = [str(row["id"]) for row in rows if row.get("id")]
    return stored[0] if len(set(stored)) == 1 else None


def read_ids(text: object) -> list[str]:
    """The IDs in a list of objects as JSON."""
    try:
        items = json.loads(text) if isinstance(text, str) else []
    except ValueError:
        return []
    return [str(item["id"]) for item in items if isinstance(item, dict) and item.get("id")]


def find_ports_read(template: Any, live: LiveStack, cloud: Cloud) -> dict[str, str | None]:
    """The ports that a template reads of running servers, by the names of these; None for an ID that is not known."""
    servers = {name: live.resources[name] for name in list_servers_read(template) if name in live.resources}
    return {name: find_port(server, cloud) for name, server in servers.items() if server.physical_id is not None}


def list_servers_read(value: Any) -> Iterator[str]:
    """The servers whose ports a template reads, once for each read."""
    if server := server_of_read(value):
        yield server
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from list_servers_read(inner)


def server_of_read(value: Any) -> str:
    """`{get_attr: [web, addresses, private, 0, port]}` -> `web`; empty for anything else."""
    path = value.get("get_attr") if isinstance(value, dict) and len(value) == 1 else None
    if not isinstance(path, list) or len(path) != PATH_LENGTH or not isinstance(path[0], str):
        return ""
    return path[0] if path[1] == "addresses" and path[-1] == "port" else ""


def make_search(value: Any) -> Any:
    """A read of the first address as a search for the first that has a port; None for a read of another address."""
    server, _, network, index, _ = value["get_attr"]
    if str(index) != "0" or not isinstance(network, str):
        return None
    return {"yaql": {"expression": FIRST_PORT, "data": {"get_attr": [server, "addresses", network]}}}


def replace_by_searches(value: Any) -> Any:
    """Returns a template in which a search replaces each read of the first address's port."""
    if server_of_read(value):
        return make_search(value) or value
    if isinstance(value, dict):
        return {key: replace_by_searches(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [replace_by_searches(inner) for inner in value]
    return value


@final
class NestedPorts:
    """The ports that nested templates read. left: the reads that stay as they are, as pairs of file and server.

    find_file: the file of the template that a type stands for; empty if there is none.
    """

    def __init__(self, live: LiveStack, cloud: Cloud, find_file: Callable[[str], str]) -> None:
        self.cloud = cloud
        self.changed = set[str]()  # files, so that the way back has them, too
        self.left: dict[tuple[str, str], None] = {}
        self.stacks_by_file: dict[str, list[LiveStack]] = {}
        for _, resource in live.walk_resources():
            if resource.stack is not None and (file := find_file(resource.type)):
                self.stacks_by_file.setdefault(file, []).append(resource.stack)

    def replace_reads(self, file: str, template: dict[str, Any], *, taken: bool) -> dict[str, Any]:
        """Returns the template of a file with IDs or searches in place of reads of ports. taken: Terraform takes its
        resources; a template that stays with Heat is not changed.
        """
        stacks = self.stacks_by_file.get(file, []) if taken or file in self.changed else []
        if stacks and any(list_servers_read(template)):
            self.changed.add(file)
            if len(stacks) == 1:
                template = replace_port_reads(template, find_ports_read(template, stacks[0], self.cloud))
            version = find_template_version(HOT, str(template.get("heat_template_version")))
            if version is not None and "yaql" in version.functions:
                template = replace_by_searches(template)
            self.left |= dict.fromkeys((file, server) for server in list_servers_read(template))
        return template


def replace_port_reads(value: Any, ports: Mapping[str, str | None]) -> Any:
    """Returns a template with the IDs of the known ports in place of reads of them."""
    if (port := ports.get(server_of_read(value))) is not None:
        return port
    if isinstance(value, dict):
        return {key: replace_port_reads(inner, ports) for key, inner in value.items()}
    if isinstance(value, list):
        return [replace_port_reads(inner, ports) for inner in value]
    return value
