"""Finds reasons in the cloud why an import would fail: objects that are missing, names that are shared.

Invariant: an object is called missing only if the cloud was asked for its ID and showed none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from transpile.adoption.adoption import NATIVE, Adoption
from transpile.adoption.live import LiveResource, LiveStack
from transpile.adoption.lookups import Answers, Cloud, CloudLookup, NoAnswer
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model import heat_types

SERVER_TYPES = (heat_types.NOVA_SERVER, heat_types.AWS_INSTANCE)


def diagnose_cloud_state(adoption: Adoption) -> Iterator[Diagnostic]:
    """Yields warnings about objects that Terraform cannot import, at the resources."""
    yield from diagnose_shared_network_names(adoption)
    if isinstance(adoption.cloud, Answers):
        yield from diagnose_missing_objects(adoption.live, adoption.cloud)


def diagnose_missing_objects(live: LiveStack, answers: Answers) -> Iterator[Diagnostic]:
    """The resources whose object the cloud was asked for, and did not show."""
    missing: dict[str, CloudLookup] = {}
    for lookup, rows in answers.rows_by_lookup.items():
        if not rows and (object_id := dict(lookup.filter).get("id")):
            missing.setdefault(object_id, lookup)
    for path, resource in live.walk_resources():
        if (asked := missing.get(resource.physical_id or "")) is not None:
            message = f"The cloud shows no {asked.kind} {resource.physical_id}, which is {'.'.join(path)}."
            hint = "Update the stack, so that Heat makes it again, and adopt it then. Terraform cannot import it."
            yield Diagnostic(codes.LIVE_OBJECT_MISSING, message, live.source, resource.span, hint)


def diagnose_shared_network_names(adoption: Adoption) -> Iterator[Diagnostic]:
    """The servers on a network whose name another network has too. The provider looks for the networks of a server that
    it imports by their names.
    """
    live, cloud = adoption.live, adoption.cloud
    networks: dict[str, list[str]] = {}
    for path, resource in live.walk_resources():
        for name in find_network_names(resource, cloud) if adoption.fates.get(path) == NATIVE else ():
            if name not in networks:
                networks[name] = [str(row.get("id")) for row in ask(cloud, CloudLookup("network", (("name", name),)))]
            if (number := len(networks[name])) > 1:
                ids, server = ", ".join(networks[name]), ".".join(path)
                message = f"{server} is on the network {name}, and {number} networks have this name: {ids}."
                hint = "Rename one of them before the import: the provider looks for the networks of a server by name."
                yield Diagnostic(codes.NETWORK_NAME_NOT_UNIQUE, message, live.source, resource.span, hint)


def find_network_names(resource: LiveResource, cloud: Cloud) -> list[str]:
    """The names of the networks that a server has addresses in."""
    if resource.type not in SERVER_TYPES or resource.physical_id is None:
        return []
    rows = ask(cloud, CloudLookup("server", (("id", resource.physical_id),), "addresses"))
    addresses = rows[0].get("addresses") if len(rows) == 1 else None
    return sorted(map(str, addresses)) if isinstance(addresses, Mapping) else []


def ask(cloud: Cloud, lookup: CloudLookup) -> list[Mapping[str, object]]:
    """The answers of the cloud; none without an answer."""
    try:
        return [row for row in cloud.ask(lookup) if isinstance(row, Mapping)]
    except NoAnswer:
        return []
