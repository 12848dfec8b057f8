"""Hooks of object containers: their URLs.

The provider has no URL of a container. It is built from the public URL of the service, in the catalog of the token, and
the container's name.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.hooks import attribute_hook
from emitters.hcl.resources.handles import AttributeRead, Selector
from emitters.hcl.tree.nodes import Attr, Fn, ForTuple, Op, StringTemplate, Traversal, Tuple
from emitters.hcl.tree.types import STRING, TypedValue


def object_store_url(emission: Emission) -> Traversal:
    """The local with the public URL of the service, in the provider's region if one is set."""
    kind = "openstack_identity_auth_scope_v3"
    scope = ("data", *emission.shared.share_data_source("project", kind, "current", [("name", "current")]))
    service, endpoint = Traversal(("service",)), Traversal(("endpoint",))
    services = ForTuple(
        ("service",),
        Traversal((*scope, "service_catalog")),
        Attr(service, "endpoints"),
        Op("==", Attr(service, "type"), "object-store"),
    )
    endpoints = emission.blocks.share_local("object_store_endpoints", Fn("flatten", (services,)))
    public = Op("==", Attr(endpoint, "interface"), "public")
    here = Fn("contains", (Tuple(("", Attr(endpoint, "region"))), Traversal((*scope, "region"))))
    urls = ForTuple(("endpoint",), endpoints, Attr(endpoint, "url"), Op("&&", public, here))
    return emission.blocks.share_local("object_store", Fn("join", ("", urls)))


def reject_path(read: AttributeRead) -> None:
    """Raises CannotSay for a path into an attribute that is a string."""
    if read.rest:
        raise read.impossible(f"the path goes into a string attribute of {read.resource.name}")


@attribute_hook("object_store_root")
def read_root_url(read: AttributeRead) -> Selector:
    reject_path(read)
    url = object_store_url(read.emission)
    return lambda base: TypedValue(url, STRING)


@attribute_hook("object_store_container")
def read_container_url(read: AttributeRead) -> Selector:
    reject_path(read)
    url = object_store_url(read.emission)
    return lambda base: TypedValue(StringTemplate((url, "/", Attr(base, "name"))), STRING)


@attribute_hook("object_store_domain")
def read_domain(read: AttributeRead) -> Selector:
    """The host, without the port."""
    reject_path(read)
    host = Fn("replace", (object_store_url(read.emission), r"/^[a-z]+:\/\/([^:\/]+).*$/", "$1"))
    return lambda base: TypedValue(host, STRING)
