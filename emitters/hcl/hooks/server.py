"""Hooks of servers: image and flavor, NICs, disks, user data, addresses.

The easy rule to break: a NIC that Heat makes itself (by subnet) is a port of its own here; one given by network is
made by Nova, and its port is not known. Address attributes name a network, so that the NIC on it must be told apart
by name, reference or position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import attribute_hook, finish_hook, property_hook
from emitters.hcl.lookups import looks_like_id
from emitters.hcl.lower import CannotSay, Lowering, is_not
from emitters.hcl.mapping import Lookup, Rule, lookups
from emitters.hcl.names import snake
from emitters.hcl.tree import Argument, Attr, Block, Cond, Expr, Index, Name, Object, Tuple
from emitters.hcl.types import BOOL, MAP_OF_STRINGS, NUMBER, STRING, STRINGS, Value
from transpile import ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.handles import Native, Select
    from emitters.hcl.resources import Writer

NULL = ir.Lit(None)


# image and flavor: a name in one argument, an ID in another


def both_forms(writer: Writer, entry: ir.Entry, lookup: Lookup, by_name: str, by_id: str) -> None:
    """Writes the argument for a name, that for an ID, or both where nothing tells."""
    directory, lowering, expr = writer.directory, writer.lowering, entry.value

    def put(argument: str, value: Expr, how: str = "value") -> None:
        writer.block.set(argument, value, entry.at, expr.end)
        writer.is_value(entry.key, argument, how)

    if isinstance(expr, (ir.ResourceRef, ir.AttrRef)) or directory.unknown_at_plan(expr):
        put(
            by_id,
            lowering.expr(expr, STRING),
            "reference" if isinstance(expr, (ir.ResourceRef, ir.AttrRef)) else "value",
        )
        return
    value = lowering.value(expr, STRING).expr
    if isinstance(value, str):
        own = directory.lookups.own(lookup, value)
        if own is not None:
            put(by_id, lowering.expr(ir.ResourceRef(own, at=expr.at, end=expr.end)), "lookup")
        else:
            put(by_id if looks_like_id(lookup, value) else by_name, value)
        return
    form = directory.form(expr.name, lookup) if isinstance(expr, ir.ParamRef) and not expr.path else ""
    if form:
        if form == "name" and isinstance(expr, ir.ParamRef):
            directory.say(
                "HOT411",
                f"The {lookup.what} that {expr.name} names is looked up by name only; Heat also takes an ID here.",
                expr.at,
                expr.end,
                once=(str(expr), lookup.key),
            )
        put(by_name if form == "name" else by_id, value)
        return
    label = snake(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else f"{lowering.owner}_{lookup.what}"
    if not isinstance(value, Name) and not lowering.fixed:
        value = directory.local(label, value)
    test = directory.lookups.test(lowering, value, lookup, label)
    writer.block.set(by_name, Cond(test, None, value), entry.at, expr.end)
    writer.block.set(by_id, Cond(test, value, None))
    writer.is_value(entry.key, by_name, "derived", why=f"by name here, or by ID in {by_id} where it looks like one")


@property_hook("server_image")
def image(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="no image"))
        return
    both_forms(writer, entry, lookups()["image"], "image_name", "image_id")


@property_hook("server_flavor")
def flavor(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    both_forms(writer, entry, lookups()["flavor"], "flavor_name", "flavor_id")


# security groups


@property_hook("server_security_groups")
def security_groups(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Names, on servers whose NICs Nova makes; groups of ports stand at the ports."""
    nics = items(writer.given.get("networks"))
    if entry.value in (NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="none given is the default group in both"))
        return
    if nics and all(isinstance(n, ir.Map) and n.get("port") is not None for n in nics):
        writer.directory.say(
            "HOT402",
            f"The security groups of {writer.resource.name} have no effect: all its NICs are ports.",
            entry.at,
            entry.value.end,
        )
        writer.fate(
            entry.key, fate("implied", why="Nova ignores security groups of the server where every NIC is a port")
        )
        return
    if nics and all(isinstance(n, ir.Map) and n.get("subnet") is not None for n in nics):
        writer.fate(
            entry.key,
            fate("derived", writer.to, "network", why="the groups stand at the ports that are made for the NICs"),
        )
        return
    value, hows = writer.directory.lookups.many(
        writer.lowering, entry.value, lookups()["security_group"], "name", "security_group"
    )
    writer.block.set("security_groups", value.expr, entry.at, entry.value.end)
    listed(writer, entry, "security_groups", hows)


def listed(writer: Writer, entry: ir.Entry, argument: str, hows: list[str]) -> None:
    """Fates of a list that becomes a set: one for each item that is written out, one for the whole if names were
    looked up.
    """
    if isinstance(entry.value, ir.Seq) and len(hows) == len(entry.value.items) and hows and "lookup" not in hows:
        for i, how in enumerate(hows):
            writer.is_value(f"{entry.key}.{i}", f"{argument}.{i}", how)
    else:
        writer.is_value(entry.key, argument, "lookup" if "lookup" in hows else hows[0] if hows else "value")


def items(entry: ir.Entry | None) -> list[ir.Expr]:
    return list(entry.value.items) if entry is not None and isinstance(entry.value, ir.Seq) else []


# NICs


@property_hook("server_networks")
def networks(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """NICs in their order; `allocate_network` stands for all of them."""
    if entry.value in (NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="without networks Nova chooses"))
        return
    if not isinstance(entry.value, ir.Seq):
        at_run_time(writer, entry)
        return
    for index, item in enumerate(entry.value.items):
        path = f"{entry.key}.{index}"
        if isinstance(item, ir.Map):
            nic(writer, path, item, index)
        elif (
            isinstance(item, ir.If)
            and isinstance(item.then, ir.Map)
            and (item.orelse is None or isinstance(item.orelse, ir.Map))
        ):
            chosen(writer, path, item, index)
        else:
            raise CannotSay(
                "HOT404", f"NIC {index} of {writer.resource.name} is known only at run time", item.at, item.end
            )


def chosen(writer: Writer, path: str, item: ir.If, index: int) -> None:
    """A NIC that a condition chooses: a `dynamic` block for each branch."""
    test = writer.lowering.condition(item.condition)
    writer.muted += 1
    for branch, guard, fact in (
        (item.then, test, item.condition),
        (item.orelse, is_not(test), ir.Call("not", item.condition)),
    ):
        if isinstance(branch, ir.Map):
            if any(
                branch.get(k) is not None
                for k in ("subnet", "port_extra_properties", "floating_ip", "allocate_network")
            ):
                raise CannotSay(
                    "HOT404",
                    f"NIC {index} of {writer.resource.name} would need a port of its own in one case only",
                    item.at,
                    item.end,
                )
            with writer.lowering.assuming(fact):
                block = Block("content")
                fill(writer, block, path, branch, index)
            dynamic = writer.block.block("dynamic", "network", at=branch.at, end=branch.end)
            dynamic.set("for_each", Cond(guard, Tuple((1,)), Tuple(())))
            dynamic.body.append(block)
    writer.muted -= 1
    writer.is_value(
        path, "network", "derived", why="a block for each branch, written only where the condition has it so"
    )


def nic(writer: Writer, path: str, item: ir.Map, index: int) -> None:
    allocate = item.get("allocate_network")
    if allocate is not None:
        writer.block.set("network_mode", writer.lowering.expr(allocate, STRING), item.at, item.end)
        for entry in item.entries:
            writer.is_value(f"{path}.{entry.key}", "network_mode") if entry.key == "allocate_network" else writer.fate(
                f"{path}.{entry.key}", fate("implied", why="Nova allocates")
            )
        return
    own_port = item.get("subnet") is not None or item.get("port_extra_properties") is not None
    made: Block | None = None
    if own_port and item.get("port") is None:
        from emitters.hcl.hooks import ports

        made = ports.for_nic(writer, path, item, index)
        block = writer.block.block("network", at=item.at, end=item.end)
        block.set("port", writer.self_reference("id", made))
    else:
        block = writer.block.block("network", at=item.at, end=item.end)
        fill(writer, block, path, item, index)
    floating = next((e for e in item.entries if e.key == "floating_ip"), None)
    if floating is not None and floating.value != NULL:
        associate(writer, path, floating, item, made)


def fill(writer: Writer, block: Block, path: str, item: ir.Map, index: int) -> None:
    """The arguments of a NIC that is a port, or is on a network."""
    lowering, directory = writer.lowering, writer.directory
    port = item.get("port")
    where = f"network.{index}"
    for entry in item.entries:
        name, value = entry.key, entry.value
        if name in ("network", "uuid"):
            if value in (NULL, ir.Lit("")):
                writer.fate(f"{path}.{name}", fate("implied", why="null and empty ask for the default"))
            elif port is not None and port != NULL:
                writer.fate(f"{path}.{name}", fate("implied", why="the port is on its network already"))
            else:
                network_of(writer, block, f"{path}.{name}", where, value)
        elif name == "port":
            if value in (NULL, ir.Lit("")):
                writer.fate(f"{path}.port", fate("implied", why="no port given"))
                continue
            found, how = directory.lookups.one(lowering, value, lookups()["port"], "id", f"port_{index}")
            block.set("port", found.expr, entry.at, value.end)
            writer.is_value(f"{path}.port", f"{where}.port", how)
        elif name == "fixed_ip":
            if port is not None or value in (NULL, ir.Lit("")):
                writer.fate(
                    f"{path}.fixed_ip",
                    fate(
                        "implied",
                        why="the address of a port stands at the port" if port is not None else "no address given",
                    ),
                )
                continue
            address = lowering.expr(value, STRING)
            if isinstance(address, str) and ":" in address:
                raise CannotSay(
                    "HOT404", "the provider never sends an IPv6 address for a NIC without a port", value.at, value.end
                )
            block.set("fixed_ip_v4", address, entry.at, value.end)
            writer.is_value(
                f"{path}.fixed_ip",
                f"{where}.fixed_ip_v4",
                "reference" if isinstance(value, (ir.ResourceRef, ir.AttrRef)) else "value",
            )
        elif name == "tag":
            lost(writer, path, entry, "NIC tags have no argument")
        elif name == "floating_ip":
            continue
        elif name == "subnet":
            writer.fate(f"{path}.subnet", fate("implied", why="the port is in its subnet already"))
        elif name == "port_extra_properties":
            writer.fate(
                f"{path}.{name}", fate("implied", why="Heat looks at these only where it makes the port itself")
            )
        else:
            raise CannotSay("HOT301", f"a NIC has no {name}", entry.at, entry.at + len(name), writer.resource.name)


def lost(writer: Writer, path: str, entry: ir.Entry, why: str) -> None:
    writer.directory.say(
        "HOT401",
        f"{entry.key} of {writer.resource.name} is lost: {why}.",
        entry.at,
        entry.value.end,
        note=f"{entry.key} is lost: {why}.",
    )
    writer.fate(f"{path}.{entry.key}", fate("dropped", code="HOT401", why=why))


def network_of(writer: Writer, block: Block, path: str, where: str, expr: ir.Expr) -> None:
    """The network of a NIC: `name` takes a name, `uuid` an ID."""
    lowering, directory, lookup = writer.lowering, writer.directory, lookups()["network"]

    def put(argument: str, value: Expr, how: str = "value") -> None:
        block.set(argument, value, expr.at, expr.end)
        writer.is_value(path, f"{where}.{argument}", how)

    if isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
        put("uuid", lowering.expr(expr, STRING), "reference")
        return
    value = lowering.value(expr, STRING).expr
    if isinstance(value, str):
        own = directory.lookups.own(lookup, value)
        if own is not None:
            put("uuid", lowering.expr(ir.ResourceRef(own, at=expr.at, end=expr.end)), "lookup")
        else:
            put("uuid" if looks_like_id(lookup, value) else "name", value)
        return
    form = (
        directory.form(expr.name, lookup)
        if isinstance(expr, ir.ParamRef) and not expr.path
        else "id"
        if directory.unknown_at_plan(expr)
        else ""
    )
    if form == "name" and isinstance(expr, ir.ParamRef):
        directory.say(
            "HOT411",
            f"The network that {expr.name} names is looked up by name only; Heat also takes an ID here.",
            expr.at,
            expr.end,
            once=(expr.name, "network"),
        )
    if form:
        put("name" if form == "name" else "uuid", value)
        return
    label = snake(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else f"{lowering.owner}_network"
    if not isinstance(value, Name) and not lowering.fixed:
        value = directory.local(label, value)
    test = directory.lookups.test(lowering, value, lookup, label)
    block.set("name", Cond(test, None, value), expr.at, expr.end)
    block.set("uuid", Cond(test, value, None))
    writer.is_value(path, f"{where}.name", "derived", why="by name here, or by ID in uuid where it looks like one")


def at_run_time(writer: Writer, entry: ir.Entry) -> None:
    """NICs for a list that is known only at run time, as long as its items say which keys they have."""
    from emitters.hcl.resources import known_keys

    expr, lowering, directory = entry.value, writer.lowering, writer.directory
    over = lowering.value(expr).expr
    keys = known_keys(over)
    if keys is None or not keys <= {"network", "uuid", "port", "fixed_ip"}:
        raise CannotSay(
            "HOT404",
            f"the NICs of {writer.resource.name} are known only at run time, and may need ports of their own",
            expr.at,
            expr.end,
        )
    dynamic = writer.block.block("dynamic", "network", at=entry.at, end=expr.end)
    dynamic.set("for_each", over)
    content = dynamic.block("content")
    item = Name(("network", "value"))
    for key in ("network", "uuid"):
        if key in keys:
            value = Attr(item, key)
            if directory.unknown_at_plan(expr):
                content.set("uuid", value)
            else:
                test = directory.lookups.is_id(value, lookups()["network"])
                content.set("name", Cond(test, None, value))
                content.set("uuid", Cond(test, value, None))
    if "port" in keys:
        value = Attr(item, "port")
        content.set(
            "port",
            value
            if directory.unknown_at_plan(expr)
            else directory.lookups.of_items(lowering, over, value, item, lookups()["port"]),
        )
    if "fixed_ip" in keys:
        content.set("fixed_ip_v4", Attr(item, "fixed_ip"))
    writer.is_value(entry.key, "network", "derived", why="one NIC for each item of the list, with the same values")


def associate(writer: Writer, path: str, entry: ir.Entry, item: ir.Map, made: Block | None) -> None:
    """`floating_ip` of a NIC: an association with the NIC's port."""
    from emitters.hcl.hooks.network import address_of

    port = item.get("port")
    if made is None and port is None:
        raise CannotSay(
            "HOT404", "a floating IP needs the port of the NIC, and Nova makes this one", entry.at, entry.value.end
        )
    block = writer.beside(
        "openstack_networking_floatingip_associate_v2",
        f"{writer.block.labels[1]}_{path.rpartition('.')[2]}",
        entry.at,
        entry.value.end,
    )
    block.set("floating_ip", address_of(writer, entry.value), entry.at, entry.value.end)
    block.set(
        "port_id",
        writer.self_reference("id", made)
        if made is not None
        else writer.directory.lookups.one(writer.lowering, port or NULL, lookups()["port"])[0].expr,
    )
    fixed = item.get("fixed_ip")
    if fixed is not None and made is None:
        block.set("fixed_ip", writer.lowering.expr(fixed, STRING))
    writer.is_value(f"{path}.floating_ip", "floating_ip", "reference", ".".join(block.labels))


# disks


@property_hook("server_block_device_mapping_v2")
def disks(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Disks as Nova's second version has them, with the image's own disk first where Nova's client would add it."""
    if entry.value in (NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="no disks given"))
        return
    if not isinstance(entry.value, ir.Seq) or not all(isinstance(i, ir.Map) for i in entry.value.items):
        raise CannotSay(
            "HOT404", f"the disks of {writer.resource.name} are known only at run time", entry.value.at, entry.value.end
        )
    shift = boot_disk(writer)
    for i, item in enumerate(entry.value.items):
        assert isinstance(item, ir.Map)
        disk(writer, f"{entry.key}.{i}", item, i + shift)


def boot_disk(writer: Writer) -> int:
    """The disk of the image, which Nova's client puts first when an image is given as well."""
    image_entry = writer.given.get("image")
    if image_entry is None or image_entry.value in (NULL, ir.Lit("")):
        return 0
    block = writer.block.block("block_device")
    found, _ = writer.directory.lookups.one(writer.lowering, image_entry.value, lookups()["image"], "id", "image")
    block.set("uuid", found.expr)
    block.set("source_type", "image")
    block.set("destination_type", "local")
    block.set("boot_index", 0)
    block.set("delete_on_termination", True)
    return 1


SOURCES = {"volume_id": "volume", "snapshot_id": "snapshot", "image": "image", "image_id": "image"}
PLAIN = {
    "device_type": STRING,
    "disk_bus": STRING,
    "boot_index": NUMBER,
    "volume_size": NUMBER,
    "delete_on_termination": BOOL,
    "volume_type": STRING,
}


def disk(writer: Writer, path: str, item: ir.Map, index: int) -> None:
    where = f"block_device.{index}"
    given = {e.key: e for e in item.entries if e.value not in (NULL, ir.Lit(""))}
    for entry in item.entries:
        if entry.key not in given:
            writer.fate(f"{path}.{entry.key}", fate("implied", why="null and empty ask for the default"))
    block = writer.block.block("block_device", at=item.at, end=item.end)
    source = next((k for k in SOURCES if k in given), None)
    if source is not None:
        entry = given.pop(source)
        found, how = (
            (writer.lowering.value(entry.value, STRING), "reference")
            if SOURCES[source] != "image"
            else writer.directory.lookups.one(writer.lowering, entry.value, lookups()["image"], "id", "image")
        )
        if SOURCES[source] != "image" and not isinstance(entry.value, (ir.ResourceRef, ir.AttrRef)):
            how = "value"
        block.set("uuid", found.expr, entry.at, entry.value.end)
        writer.is_value(f"{path}.{source}", f"{where}.uuid", how)
        block.set("source_type", SOURCES[source])
        block.set("destination_type", "volume")
        defaults: dict[str, Expr] = {"boot_index": 0}
    else:
        block.set("source_type", "blank")
        block.set("destination_type", "local")
        defaults = {"boot_index": -1, "delete_on_termination": True}
        for name, argument in (
            ("swap_size", "volume_size"),
            ("ephemeral_size", "volume_size"),
            ("ephemeral_format", "guest_format"),
        ):
            if (blank := given.pop(name, None)) is not None:
                block.set(
                    argument,
                    writer.lowering.expr(blank.value, NUMBER if argument == "volume_size" else STRING),
                    blank.at,
                    blank.value.end,
                )
                writer.is_value(f"{path}.{name}", f"{where}.{argument}")
                if name == "swap_size":
                    block.set("guest_format", "swap")
    for name, kind in PLAIN.items():
        if (entry_ := given.pop(name, None)) is not None:
            block.set(name, writer.lowering.expr(entry_.value, kind), entry_.at, entry_.value.end)
            writer.is_value(
                f"{path}.{name}",
                f"{where}.{name}",
                "reference" if isinstance(entry_.value, (ir.ResourceRef, ir.AttrRef)) else "value",
            )
        elif name in defaults:
            block.set(name, defaults[name])
    for name, entry_ in given.items():
        if name != "device_name":
            raise CannotSay(
                "HOT404",
                f"a disk of {writer.resource.name} has {name}, and another source besides",
                entry_.at,
                entry_.value.end,
            )
        lost(writer, path, entry_, "the provider has no argument for the name of a device")


@property_hook("server_block_device_mapping")
def old_disks(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Disks as Nova's first version has them; the device's name says only which is the root."""
    if entry.value in (NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="no disks given"))
        return
    if not isinstance(entry.value, ir.Seq) or not all(isinstance(i, ir.Map) for i in entry.value.items):
        raise CannotSay(
            "HOT404", f"the disks of {writer.resource.name} are known only at run time", entry.value.at, entry.value.end
        )
    names = [item.get("device_name") for item in entry.value.items if isinstance(item, ir.Map)]
    shown = [str(n.value) if isinstance(n, ir.Lit) else "" for n in names]
    roots = [n for n in shown if n.removeprefix("/dev/") in ("vda", "sda", "xvda", "hda")]
    shift = boot_disk(writer) if not roots else 0
    for i, item in enumerate(entry.value.items):
        assert isinstance(item, ir.Map)
        path, where = f"{entry.key}.{i}", f"block_device.{i + shift}"
        block = writer.block.block("block_device", at=item.at, end=item.end)
        for field in item.entries:
            value = field.value
            if value in (NULL, ir.Lit("")):
                writer.fate(f"{path}.{field.key}", fate("implied", why="null and empty ask for the default"))
            elif field.key in ("volume_id", "snapshot_id"):
                block.set("uuid", writer.lowering.expr(value, STRING), field.at, value.end)
                block.set("source_type", SOURCES[field.key])
                writer.is_value(
                    f"{path}.{field.key}",
                    f"{where}.uuid",
                    "reference" if isinstance(value, (ir.ResourceRef, ir.AttrRef)) else "value",
                )
            elif field.key in ("volume_size", "delete_on_termination"):
                block.set(field.key, writer.lowering.expr(value, PLAIN[field.key]), field.at, value.end)
                writer.is_value(f"{path}.{field.key}", f"{where}.{field.key}")
            elif field.key == "device_name":
                writer.fate(
                    f"{path}.device_name",
                    fate(
                        "derived",
                        writer.to,
                        f"{where}.boot_index",
                        why="the name of the device says which disk is the root",
                    ),
                )
            else:
                raise CannotSay(
                    "HOT301", f"a disk has no {field.key}", field.at, field.at + len(field.key), writer.resource.name
                )
        block.set("destination_type", "volume")
        block.set("boot_index", 0 if shown[i] in roots else -1)


# other properties


@property_hook("scheduler_hints")
def scheduler_hints(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Hints that the provider knows are arguments, all others one map."""
    from emitters.hcl import provider

    if entry.value in (NULL, ir.Map(())):
        writer.fate(entry.key, fate("implied", why="no hints given"))
        return
    if not isinstance(entry.value, ir.Map):
        raise CannotSay(
            "HOT404",
            f"the scheduler hints of {writer.resource.name} are known only at run time",
            entry.value.at,
            entry.value.end,
        )
    facts = (provider.block(writer.address[0], "scheduler_hints") or {})["arguments"]
    block = writer.block.block("scheduler_hints", at=entry.at, end=entry.value.end)
    others: list[tuple[Expr, Expr]] = []
    for hint in entry.value.entries:
        path = f"{entry.key}.{hint.key}"
        how = "reference" if isinstance(hint.value, (ir.ResourceRef, ir.AttrRef)) else "value"
        known = facts.get(hint.key)
        if known is None or hint.key == "additional_properties":
            others.append((hint.key, writer.lowering.member(hint.value, True)))
            writer.is_value(path, f"scheduler_hints.0.additional_properties.{hint.key}", how)
        elif known["type"] == "string":
            block.set(hint.key, writer.lowering.expr(hint.value, STRING), hint.at, hint.value.end)
            writer.is_value(path, f"scheduler_hints.0.{hint.key}", how)
        else:
            value = writer.lowering.value(hint.value, STRINGS)
            single = value.type.kind in ("string", "any")
            block.set(hint.key, Tuple((value.expr,)) if single else value.expr, hint.at, hint.value.end)
            writer.is_value(path, f"scheduler_hints.0.{hint.key}" + (".0" if single else ""), how)
    if others:
        block.set("additional_properties", Object(tuple(others)))


@property_hook("server_personality")
def personality(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Files put into the server: path → content."""
    if entry.value in (NULL, ir.Map(())):
        writer.fate(entry.key, fate("implied", why="no files given"))
    elif isinstance(entry.value, ir.Map):
        for file in entry.value.entries:
            block = writer.block.block("personality", at=file.at, end=file.value.end)
            block.set("file", file.key)
            block.set("content", writer.lowering.expr(file.value, STRING), file.at, file.value.end)
            writer.is_value(
                f"{entry.key}.{file.key}",
                "personality",
                "derived",
                why="the content of the block with this path as its file",
            )
    else:
        dynamic = writer.block.block("dynamic", "personality", at=entry.at, end=entry.value.end)
        dynamic.set("for_each", writer.lowering.expr(entry.value, MAP_OF_STRINGS))
        content = dynamic.block("content")
        content.set("file", Name(("personality", "key")))
        content.set("content", Name(("personality", "value")))
        writer.is_value(entry.key, "personality", "derived", why="one block for each entry of the map")


@property_hook("server_user_data")
def user_data(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """The text that cloud-init gets. Heat would wrap it unless the format is RAW."""
    if entry.value in (NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="no user data"))
        return
    directory = writer.directory
    form = user_data_format(writer)
    if form is None:
        given = writer.given["user_data_format"]
        raise CannotSay("HOT404", "the format of the user data is known only at run time", given.at, given.value.end)
    directory.in_text = True
    try:
        value = writer.lowering.value(entry.value, STRING)
    finally:
        directory.in_text = False
    writer.block.set("user_data", value.expr, entry.at, entry.value.end)
    writer.is_value(
        entry.key, "user_data", "reference" if isinstance(entry.value, (ir.ResourceRef, ir.AttrRef)) else "value"
    )
    if form == "HEAT_CFNTOOLS":
        directory.say(
            "HOT562",
            f"Heat wraps the user data of {writer.resource.name} in parts for cfn-init; here it runs as it stands.",
            entry.at,
            entry.value.end,
            note="Heat wraps this in parts for cfn-init; here it runs as it stands.",
            once=writer.resource.name,
        )
    elif form == "SOFTWARE_CONFIG":
        directory.say(
            "HOT562",
            f"Heat adds parts for os-collect-config to the user data of {writer.resource.name}; nothing needs them.",
            entry.at,
            entry.value.end,
            note="Heat adds parts for os-collect-config to this; without deployments nothing needs them.",
            once=writer.resource.name,
        )


def user_data_format(writer: Writer) -> str | None:
    """The format, Heat's default included; None where it is known only at run time."""
    given = writer.given.get("user_data_format")
    if given is None or given.value == NULL:
        return "HEAT_CFNTOOLS"
    if isinstance(given.value, ir.Lit):
        return str(given.value.value)
    if isinstance(given.value, ir.ParamRef) and not given.value.path:
        known = {str(v) for v in writer.directory.known_values(given.value.name)}
        if len(known) == 1:
            return known.pop()
    return None


@property_hook("server_user_data_format")
def user_data_format_fate(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    form = user_data_format(writer)
    if form is None and "user_data" in writer.given:
        raise CannotSay("HOT404", "the format of the user data is known only at run time", entry.at, entry.value.end)
    why = (
        "the provider sends user_data as it is, which is what RAW asks for"
        if form == "RAW"
        else "what Heat would wrap around the text is for agents that ask Heat"
    )
    there = any(isinstance(a, Argument) and a.name == "user_data" for a in writer.block.body)
    writer.fate(entry.key, fate("implied", writer.to, "user_data" if there else "", why))


@property_hook("server_update_policy")
def update_policy(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """What happens when image, flavor or user data change."""
    value = str(entry.value.value) if isinstance(entry.value, ir.Lit) else ""
    usual = {"user_data_update_policy": "REPLACE", "flavor_update_policy": "RESIZE", "image_update_policy": "REBUILD"}[
        entry.key
    ]
    if value == usual or entry.value == NULL:
        writer.fate(entry.key, fate("implied", why=f"{usual} is what the provider does on a change"))
    elif value == "IGNORE":
        writer.lifecycle.append(("ignore_changes", Tuple((Name(("user_data",)),)), ""))
        writer.is_value(entry.key, "lifecycle.ignore_changes", "derived", why="changes of the user data are ignored")
    else:
        writer.drop(entry, "HOT401", f"on a change the provider does what {usual} asks for")


@finish_hook("server")
def finish(writer: Writer) -> None:
    """Metadata of Heat's own means nothing to a native server; said where the resource is finished (`keys`)."""


# attributes


def nics_of(native: Native) -> list[ir.Expr]:
    properties = native.resource.properties
    found = properties.get("networks") if properties is not None else None
    return list(found.items) if isinstance(found, ir.Seq) else []


def nic_name(native: Native, item: ir.Expr) -> str | None:
    """The name of the network that a NIC is on, where it is known."""
    if not isinstance(item, ir.Map):
        return None
    network = item.get("network") or item.get("uuid")
    template = native.directory.template
    port = item.get("port")
    if network is None and isinstance(port, ir.ResourceRef) and port.name in template.resources:
        properties = template.resources[port.name].properties
        network = (properties.get("network") or properties.get("network_id")) if properties is not None else None
    if isinstance(network, ir.ResourceRef) and network.name in template.resources:
        properties = template.resources[network.name].properties
        network = properties.get("name") if properties is not None else None
    if isinstance(network, ir.Lit):
        return str(network.value)
    if isinstance(network, ir.ParamRef) and not network.path:
        known = {str(v) for v in native.directory.known_values(network.name)}
        return known.pop() if len(known) == 1 else None
    return None


def address(lowering: Lowering, native: Native, index: int, which: int) -> Select | None:
    """The address of a NIC: its port's, where that stands in the template."""
    nics = nics_of(native)
    item = nics[index] if index < len(nics) else None
    port = item.get("port") if isinstance(item, ir.Map) else None
    if isinstance(port, ir.ResourceRef) and native.directory.plan.is_native(port.name):
        found = lowering.value(
            ir.AttrRef(port.name, (ir.Lit("fixed_ips"), ir.Lit(which), ir.Lit("ip_address"))), STRING
        )
        return lambda base: found
    if which == 0 and not nics:
        return lambda base: Value(Attr(base, "access_ip_v4"), STRING)
    if which == 0:
        return lambda base: Value(Attr(Index(Attr(base, "network"), index), "fixed_ip_v4"), STRING)
    return None


@attribute_hook("server_first_address")
def first_address(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """The first address of the network whose name sorts last; with one NIC simply the server's address."""
    nics = nics_of(native)
    if len(nics) > 1:
        names = [nic_name(native, n) for n in nics]
        known = [n for n in names if n is not None]
        if (
            len(known) == len(names)
            and len(set(known)) == len(known)
            and (found := address(lowering, native, names.index(max(known)), 0)) is not None
        ):
            return found
        native.directory.say(
            "HOT420",
            f"first_address of {native.resource.name} is on the network whose name sorts last; here, on the first NIC.",
            ref.at,
            ref.end,
            note="first_address is the address on the network whose name sorts last; here it is that of the first NIC.",
        )
    return lambda base: Value(Attr(base, "access_ip_v4"), STRING)


@attribute_hook("server_networks_attribute")
def networks_attribute(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """`[networks, <name or ID>, i]`: the i-th address on that network."""
    if len(rest) != 2 or not isinstance(rest[1], ir.Lit) or not str(rest[1].value).isdigit():
        raise CannotSay(
            "HOT550",
            f"the map of networks of {native.resource.name} is not in Terraform",
            ref.at,
            ref.end,
            native.resource.name,
        )
    index = nic_on(native, ref, rest[0])
    found = address(lowering, native, index, int(str(rest[1].value))) if index is not None else None
    if found is None:
        raise CannotSay(
            "HOT550",
            f"this address of {native.resource.name} is not in Terraform",
            ref.at,
            ref.end,
            native.resource.name,
        )
    return found


def nic_on(native: Native, ref: ir.AttrRef, wanted: ir.Expr) -> int | None:
    """The index of the NIC on the network that a path names."""
    nics = nics_of(native)
    for index, item in enumerate(nics):
        network = (item.get("network") or item.get("uuid")) if isinstance(item, ir.Map) else None
        if network is not None and network == wanted:
            return index
        name = nic_name(native, item)
        if name is not None and isinstance(wanted, ir.Lit) and str(wanted.value) == name:
            return index
    if len(nics) <= 1:
        native.directory.say(
            "HOT420",
            f"Whether the network of {native.resource.name} has this name is not known; its only NIC is taken for it.",
            ref.at,
            ref.end,
        )
        return 0
    return None


@attribute_hook("server_addresses")
def addresses(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """`[addresses, <network>, i, addr | port | OS-EXT-IPS-MAC:mac_addr]`."""
    key = str(rest[2].value) if len(rest) == 3 and isinstance(rest[2], ir.Lit) else ""
    which = str(rest[1].value) if len(rest) == 3 and isinstance(rest[1], ir.Lit) else ""
    index = nic_on(native, ref, rest[0]) if key and which.isdigit() else None
    if index is not None:
        item = nics_of(native)[index] if index < len(nics_of(native)) else None
        port = item.get("port") if isinstance(item, ir.Map) else None
        if key == "addr" and (found := address(lowering, native, index, int(which))) is not None:
            return found
        if key == "OS-EXT-IPS-MAC:mac_addr":
            return lambda base: Value(Attr(Index(Attr(base, "network"), index), "mac"), STRING)
        if key == "port" and isinstance(port, ir.ResourceRef):
            value = lowering.value(port, STRING)
            return lambda base: value
    raise CannotSay(
        "HOT550",
        f"this part of the addresses of {native.resource.name} is not in Terraform",
        ref.at,
        ref.end,
        native.resource.name,
    )
