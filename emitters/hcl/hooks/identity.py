"""Hooks of Keystone types: role assignments and users.

Invariant: a role assignment is for either a project or a domain, as Heat requires.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook, property_hook
from emitters.hcl.hooks.members import item_label
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import HookRule
from emitters.hcl.tree.nodes import Argument, Block, Object
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate

KIND = "openstack_identity_role_assignment_v3"
OWNERS = {"user_roles": "user_id", "group_roles": "group_id"}


@property_hook("user_email")
def write_user_email(writer: Writer, rule: HookRule, entry: ir.Entry) -> None:
    if entry.value == ir.NULL:
        writer.record_fate(entry.key, make_fate("implied", why="no address is set"))
        return
    value = writer.lowering.lower_expression(entry.value, STRING)
    writer.block.add_argument("extra", Object((("email", value),)), entry)
    writer.record_value(entry.key, "extra.email")


@property_hook(*OWNERS)
def write_role_assignments(writer: Writer, rule: HookRule, entry: ir.Entry) -> None:
    """Writes one assignment for each role of a user or group of the template."""
    for path, item in read_roles(writer, entry):
        block = writer.add_block(KIND, role_label(writer, item), item)
        block.add_argument(OWNERS[rule.hook], writer.self_reference("id"))
        write_role(writer, block, path, item)


@property_hook("assigned_roles")
def write_assigned_roles(writer: Writer, rule: HookRule, entry: ir.Entry) -> None:
    """Writes the roles of an existing user or group. The resource itself is the first assignment."""
    name = "user" if "user" in writer.facts["properties"] else "group"
    owner = writer.written_value(name, f"{name}_id")
    for path, item in read_roles(writer, entry):
        block = writer.block
        if any(isinstance(a, Argument) and a.name == "role_id" for a in block.body):
            block = writer.add_block(KIND, role_label(writer, item), item)
            block.add_argument(f"{name}_id", owner)
        write_role(writer, block, path, item)


@finish_hook("role_assignment")
def finish_role_assignment(writer: Writer) -> None:
    if not any(isinstance(a, Argument) and a.name == "role_id" for a in writer.block.body):
        raise CannotSay(
            codes.ONLY_AT_RUN_TIME, "no role is set, so there is nothing to assign", writer.resource.name_span
        )


def role_label(writer: Writer, item: ir.Map) -> str:
    """The label of an assignment: `<user or group>_<role>`."""
    role, label = item.get("role"), "role"
    if role is not None:
        label = item_label(role, writer.lookups["role"], 0, writer.emission.unit.budget)
    return snake_case(f"{writer.block.labels[1]}_{label}")


def read_roles(writer: Writer, entry: ir.Entry) -> list[tuple[str, ir.Map]]:
    """The assignments in a list of roles, each with its path."""
    if entry.value in (ir.NULL, ir.Seq(())):
        writer.record_fate(entry.key, make_fate("implied", why="no roles are set"))
        return []
    items = entry.value.items if isinstance(entry.value, ir.Seq) else ()
    if not items or not all(isinstance(item, ir.Map) for item in items):
        why = f"the roles of {writer.resource.name} are known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value)
    for item in items:
        assert isinstance(item, ir.Map)
        if (find_set_field(item, "project") is None) == (find_set_field(item, "domain") is None):
            why = "Heat rejects a role without exactly one of project and domain when it creates the resource"
            raise CannotSay(codes.WRONG_PROPERTY_TYPE, why, item)
    return [(f"{entry.key}.{i}", item) for i, item in enumerate(items) if isinstance(item, ir.Map)]


def find_set_field(item: ir.Map, name: str) -> ir.Entry | None:
    """A field that is set and not null."""
    return next((e for e in item.entries if e.key == name and e.value != ir.NULL), None)


def write_role(writer: Writer, block: Block, path: str, item: ir.Map) -> None:
    """Writes the arguments for a role on a project or a domain."""
    for name, argument in (("project", "project_id"), ("domain", "domain_id"), ("role", "role_id")):
        entry = find_set_field(item, name)
        if entry is None:
            continue
        value, how = writer.emission.data.resolve_name(writer.lowering, entry.value, writer.lookups[name], "id", name)
        block.add_argument(argument, value.expr, entry)
        writer.record_value(f"{path}.{name}", argument, how, ".".join(block.labels))
    for entry in item.entries:
        if entry.value == ir.NULL:
            writer.record_fate(f"{path}.{entry.key}", make_fate("implied", why="null means not set"))
