"""Hooks of Keystone types: role assignments and users.

Invariant: a role assignment is for either a project or a domain, as Heat requires.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import property_hook
from emitters.hcl.hooks.members import item_label
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written, join_written
from emitters.hcl.tree.nodes import Object
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import ir

KIND = "openstack_identity_role_assignment_v3"
OWNERS = {"user_roles": "user_id", "group_roles": "group_id"}


@property_hook("user_email")
def write_user_email(writer: Writer, entry: ir.Entry) -> Written:
    extra = Object((("email", writer.lowering.lower_expression(entry.value, STRING)),))
    return Written.argument("extra", extra, entry) + Written.fate(entry.key, "extra.email")


@property_hook("user_roles", "group_roles")
def write_role_assignments(writer: Writer, entry: ir.Entry) -> Written:
    """Writes an assignment for each role of a user or group of the template."""
    written = NOTHING
    for path, item in read_roles(entry):
        block = writer.new_block(KIND, role_label(writer, item), item)
        block.add_argument(OWNERS[writer.rule.hook], writer.self_reference("id"))
        written += write_role(writer, path, item).in_resource(block)
    return written


@property_hook("assigned_roles")
def write_assigned_roles(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the roles of an existing user or group. The resource itself is the first assignment."""
    name = "user" if "user" in writer.facts["properties"] else "group"
    owner = writer.written_value(name, f"{name}_id")
    (path, first), *others = read_roles(entry)
    written = write_role(writer, path, first)
    for path, item in others:
        block = writer.new_block(KIND, role_label(writer, item), item)
        block.add_argument(f"{name}_id", owner)
        written += write_role(writer, path, item).in_resource(block)
    return written


def role_label(writer: Writer, item: ir.Map) -> str:
    """The label of an assignment: `<user or group>_<role>`."""
    role, label = item.get("role"), "role"
    if role is not None:
        label = item_label(role, writer.lookups["role"], 0, writer.emission.unit.budget)
    return snake_case(f"{writer.block.labels[1]}_{label}")


def read_roles(entry: ir.Entry) -> list[tuple[str, ir.Map]]:
    """The assignments in a list of roles, each with its path."""
    items = ir.maps_of(entry.value)
    for item in items:
        if (find_set_field(item, "project") is None) == (find_set_field(item, "domain") is None):
            why = "Heat rejects a role without exactly one of project and domain when it creates the resource"
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, item)
    return [(f"{entry.key}.{i}", item) for i, item in enumerate(items)]


def find_set_field(item: ir.Map, name: str) -> ir.Entry | None:
    """A field that is set and not null."""
    return next((e for e in item.entries if e.key == name and e.value != ir.NULL), None)


def write_role(writer: Writer, path: str, item: ir.Map) -> Written:
    """Writes the arguments for a role on a project or a domain."""
    written = NOTHING
    for name, argument in (("project", "project_id"), ("domain", "domain_id"), ("role", "role_id")):
        if (entry := find_set_field(item, name)) is not None:
            value, how = writer.emission.data.resolve_name(
                writer.lowering, entry.value, writer.lookups[name], "id", name
            )
            written += Written.argument(argument, value.expr, entry) + Written.fate(f"{path}.{name}", argument, how)
    nulls = (entry for entry in item.entries if entry.value == ir.NULL)
    return written + join_written(Written.implied(f"{path}.{entry.key}", "null means not set") for entry in nulls)
