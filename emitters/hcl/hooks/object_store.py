"""Hooks of object containers: their URLs.

The provider has no URL of a container. It is built from the public URL of the service, in the catalog of the token, and
the container's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook
from emitters.hcl.tree.nodes import Attr, Fn, ForTuple, Name, Op, Text, Tuple
from emitters.hcl.tree.types import STRING, Value
from transpile.diagnostics import codes

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.resources.handles import Native, Select
    from transpile.model import ir


def object_store(emission: Emission) -> Name:
    """The local with the public URL of the service, in the provider's region if one is set."""
    kind = "openstack_identity_auth_scope_v3"
    scope = ("data", *emission.shared.once("project", kind, "current", [("name", "current")]))
    service, endpoint = Name(("service",)), Name(("endpoint",))
    services = ForTuple(
        ("service",),
        Name((*scope, "service_catalog")),
        Attr(service, "endpoints"),
        Op("==", Attr(service, "type"), "object-store"),
    )
    endpoints = emission.blocks.local("object_store_endpoints", Fn("flatten", (services,)))
    public = Op("==", Attr(endpoint, "interface"), "public")
    here = Fn("contains", (Tuple(("", Attr(endpoint, "region"))), Name((*scope, "region"))))
    urls = ForTuple(("endpoint",), endpoints, Attr(endpoint, "url"), Op("&&", public, here))
    return emission.blocks.local("object_store", Fn("join", ("", urls)))


def no_path(native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> None:
    """Raises CannotSay for a path into an attribute that is a string."""
    if rest:
        raise CannotSay(
            codes.NOT_POSSIBLE_IN_HCL,
            f"the path goes into a string attribute of {native.resource.name}",
            ref,
            native.resource.name,
        )


@attribute_hook("object_store_root")
def root(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    no_path(native, ref, rest)
    url = object_store(native.emission)
    return lambda base: Value(url, STRING)


@attribute_hook("object_store_container")
def container(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    no_path(native, ref, rest)
    url = object_store(native.emission)
    return lambda base: Value(Text((url, "/", Attr(base, "name"))), STRING)


@attribute_hook("object_store_domain")
def domain(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """The host, without the port."""
    no_path(native, ref, rest)
    host = Fn("replace", (object_store(native.emission), r"/^[a-z]+:\/\/([^:\/]+).*$/", "$1"))
    return lambda base: Value(host, STRING)
