"""The ports that Nova made for running servers, and where a stored template reads them.

Invariant: a port is known only if the server has no other one.

Heat lists the floating IPs of an address before the address, and those have no port. So as soon as a floating IP
exists, `{get_attr: [server, addresses, private, 0, port]}` is empty, and every update of its resource fails. The
updates by which Heat lets go have the port's ID in its place.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from transpile.adoption.lookups import CloudLookup, NoAnswer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from transpile.adoption.live import LiveResource, LiveStack
    from transpile.adoption.lookups import Cloud

PORT_DATA = ("external_ports", "internal_ports")  # what Heat stores of a server's ports: Nova's, and its own
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
    if (server := server_of_read(value)) is not None:
        yield server
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from list_servers_read(inner)


def server_of_read(value: Any) -> str | None:
    """`{get_attr: [web, addresses, private, 0, port]}` -> `web`; None for anything else."""
    path = value.get("get_attr") if isinstance(value, dict) and len(value) == 1 else None
    if not isinstance(path, list) or len(path) != PATH_LENGTH or not isinstance(path[0], str):
        return None
    return path[0] if path[1] == "addresses" and path[-1] == "port" else None


def replace_port_reads(value: Any, ports: Mapping[str, str | None]) -> Any:
    """A template with the IDs of the known ports in place of what reads them."""
    if (server := server_of_read(value)) is not None and (port := ports.get(server)) is not None:
        return port
    if isinstance(value, dict):
        return {key: replace_port_reads(inner, ports) for key, inner in value.items()}
    if isinstance(value, list):
        return [replace_port_reads(inner, ports) for inner in value]
    return value
