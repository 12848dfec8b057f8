"""AWS::S3::Bucket as a Swift container.

Heat always sets read and write access. The default, without AccessControl, is the user who creates the stack, in the
stack's project.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook, property_hook, tags
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written, join_written
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Op, StringTemplate, Traversal, Tuple
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import ir

PUBLIC, WRITABLE, PROJECT = ("PublicRead", "PublicReadWrite"), "PublicReadWrite", "AuthenticatedRead"
ANYBODY = ".r:*"
WEBSITE = {"IndexDocument": "Web-Index", "ErrorDocument": "Web-Error"}


def current_project_field(writer: Writer, name: str) -> Traversal:
    """A field of the data source for the user's own project."""
    return Traversal(("data", *writer.emission.shared.current_project(), name))


def bucket_acls(writer: Writer, chosen: Expr) -> tuple[Expr, Expr]:
    """The read and write ACLs for a value of AccessControl: `PublicRead` -> `.r:*`, `project:user`."""
    user = writer.emission.blocks.share_local(
        "owner",
        StringTemplate(
            (current_project_field(writer, "project_name"), ":", current_project_field(writer, "user_name"))
        ),
    )
    if isinstance(chosen, str):
        reads: Expr = (
            ANYBODY
            if chosen in PUBLIC
            else current_project_field(writer, "project_name")
            if chosen == PROJECT
            else user
        )
        return reads, ANYBODY if chosen == WRITABLE else user
    inner = Cond(Op("==", chosen, PROJECT), current_project_field(writer, "project_name"), user)
    reads = Cond(Fn("contains", (Tuple(PUBLIC), chosen)), ANYBODY, inner)
    return reads, Cond(Op("==", chosen, WRITABLE), ANYBODY, user)


@property_hook("bucket_access")
def write_bucket_access(writer: Writer, entry: ir.Entry) -> Written:
    reads, writes = bucket_acls(writer, writer.lowering.lower_expression(entry.value, STRING))
    why = "read and write access as Swift ACLs"
    return Written.value(entry, "container_read", reads, "derived", why) + Written.argument("container_write", writes)


@property_hook("bucket_tags")
def write_bucket_tags(writer: Writer, entry: ir.Entry) -> Written:
    return tags.write_tags(writer, entry, "S3-Tag-")


@property_hook("bucket_website")
def write_bucket_website(writer: Writer, entry: ir.Entry) -> Written:
    assert isinstance(entry.value, ir.Map)
    return join_written(write_website_field(writer, entry.key, field) for field in entry.value.entries)


def write_website_field(writer: Writer, path: str, field: ir.Entry) -> Written:
    """Writes a field of the website as an entry of the metadata."""
    where = f"{path}.{field.key}"
    if field.value == ir.NULL:
        return Written.implied(where, "null means not set")
    name = WEBSITE.get(field.key, "")
    if not name:
        why = f"a website has no key {field.key}"
        raise CannotSay(codes.UNKNOWN_PROPERTY, why, field.key_span, writer.resource.name)
    value = writer.lowering.lower_expression(field.value, STRING)
    return Written.entry("metadata", name, value) + Written.fate(where, f"metadata.{name}")


@finish_hook("bucket")
def finish_bucket(writer: Writer) -> None:
    """Writes the default access."""
    if not any(getattr(item, "name", "") == "container_read" for item in writer.block.body):
        reads, writes = bucket_acls(writer, "")
        writer.block.add_argument("container_read", reads)
        writer.block.add_argument("container_write", writes)
