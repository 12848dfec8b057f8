"""Comparisons of what a template sets with what the API of a service shows.

Invariant: a comparison says what differs, or that it cannot tell. Two spellings of one value are no difference.
"""

from __future__ import annotations

import ipaddress
import json
import re
from typing import TYPE_CHECKING, Any, final

from transpile.adoption.lookups import Lookup, NoAnswer
from transpile.model.records import node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from transpile.adoption.live_fields import Field
    from transpile.adoption.lookups import Cloud

ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}")
KEPT_BY_CINDER = ("attached_mode", "readonly")


class CannotTell(Exception):
    """A comparison has no answer; the text says why."""


@final
@node
class Finding:
    """A difference. `given`, `live`: the values, as texts to show. `added`: the API has something more; `missing`: it
    lacks something; neither: it has something else.
    """

    given: str = ""
    live: str = ""
    added: bool = False
    missing: bool = False


@final
class Objects:
    """The objects of the cloud, and questions that nobody answered."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud
        self.unanswered: dict[str, None] = {}

    def ask(self, noun: str, **by: str) -> Sequence[Mapping[str, Any]]:
        return self.answer(Lookup(noun, tuple(by.items())))

    def answer(self, question: Lookup) -> Sequence[Mapping[str, Any]]:
        try:
            return maps(self.cloud.ask(question))
        except NoAnswer:
            self.unanswered[question.command] = None
            raise CannotTell("nobody answered a question to the cloud") from None

    def one(self, noun: str, id: str, **inside: str) -> Mapping[str, Any]:
        """The object with an ID. `inside`: the attribute with the ID of what it belongs to."""
        found = self.ask(noun, id=id, **inside)
        if len(found) != 1:
            raise CannotTell("the object is gone, or cannot be seen")
        return found[0]

    def called(self, noun: str, id: str) -> str:
        """An ID with the object's name, if it is known."""
        try:
            found = self.cloud.ask(Lookup(noun, (("id", id),), "name")) if noun and id else ()
        except NoAnswer:
            return id
        name = found[0].get("name") if len(found) == 1 and isinstance(found[0], dict) else ""
        return f"{id} ({name})" if name else id

    def is_named(self, noun: str, id: Any, given: Any) -> bool:
        """Whether an object has this ID or this name."""
        if not id or not given:
            return not id and not given
        if str(id) == str(given):
            return True
        if not noun or ID.fullmatch(str(given).lower()):
            return False
        return str(self.one(noun, str(id)).get("name")) == str(given)


@final
@node
class Compared:
    """The values of one field. `given`: as the template has it; `live`: as the API shows it."""

    field: Field
    given: Any
    live: Any
    objects: Objects


def shown(value: Any) -> str:
    """A value in a message."""
    if value is None or value == "":
        return "nothing"
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def equal(one: Any, other: Any) -> bool:
    """Whether two values are the same. A text means a boolean or a number if the other value is one, and "" null."""
    one, other = (None if value == "" else value for value in (one, other))
    if isinstance(one, str) == isinstance(other, str):
        return bool(one == other)
    text, value = (one, other) if isinstance(one, str) else (other, one)
    if isinstance(value, bool):
        return bool(text.lower() == str(value).lower())
    try:
        return isinstance(value, (int, float)) and float(text) == value
    except ValueError:
        return False


def listed(value: Any) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        raise CannotTell("a value has another form than a list")
    return list(value)


def mapped(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise CannotTell("a value has another form than a map")
    return value


def maps(value: Any) -> list[Mapping[str, Any]]:
    return [mapped(item) for item in listed(value)]


def differ(given: Any, live: Any) -> Iterator[Finding]:
    yield Finding(shown(given), shown(live))


def same(one: Compared) -> Iterator[Finding]:
    if not equal(one.given, one.live):
        yield from differ(one.given, one.live)


def canonical(form: Callable[[Any], Any]) -> Callable[[Compared], Iterator[Finding]]:
    """A comparison of values in a canonical form."""

    def compare(one: Compared) -> Iterator[Finding]:
        if form(one.given) != form(one.live):
            yield from differ(one.given, one.live)

    return compare


def in_order(form: Callable[[Any], Any]) -> Callable[[Compared], Iterator[Finding]]:
    """A comparison of lists."""

    def compare(one: Compared) -> Iterator[Finding]:
        given, live = listed(one.given), listed(one.live)
        if [form(value) for value in given] != [form(value) for value in live]:
            yield from differ(given, live)

    return compare


def as_set(form: Callable[[Any], Any]) -> Callable[[Compared], Iterator[Finding]]:
    """A comparison of lists whose order does not count: what is missing, and what was added."""

    def compare(one: Compared) -> Iterator[Finding]:
        yield from sets({form(v): v for v in listed(one.given)}, {form(v): v for v in listed(one.live)})

    return compare


def sets(given: Mapping[Any, Any], live: Mapping[Any, Any]) -> Iterator[Finding]:
    for key, value in given.items():
        if key not in live:
            yield Finding(given=shown(value), missing=True)
    for key, value in live.items():
        if key not in given:
            yield Finding(live=shown(value), added=True)


def address(value: Any) -> str:
    """An address in its canonical form. What is none stays."""
    try:
        return str(ipaddress.ip_address(str(value)))
    except ValueError:
        return str(value or "")


def network(value: Any) -> str:
    """A network in its canonical form, without host bits."""
    try:
        return str(ipaddress.ip_network(str(value), strict=False))
    except ValueError:
        return str(value or "")


def mac(value: Any) -> str:
    return str(value or "").lower().replace("-", ":")


def field(value: Any, name: str) -> Any:
    return mapped(value).get(name)


def pool(value: Any) -> tuple[str, str]:
    return address(field(value, "start")), address(field(value, "end"))


def route(value: Any) -> tuple[str, str]:
    return network(field(value, "destination")), address(field(value, "nexthop"))


def named(one: Compared) -> Iterator[Finding]:
    if not one.objects.is_named(one.field.noun, one.live, one.given):
        yield from differ(one.given, one.objects.called(one.field.noun, str(one.live or "")))


def texts(one: Compared) -> Iterator[Finding]:
    """Maps whose values Heat sends as texts. Only keys are shown: values may be secrets."""
    yield from keys(one.given, mapped(one.live or {}))


def volume_metadata(one: Compared) -> Iterator[Finding]:
    """Cinder adds keys of its own."""
    yield from keys(one.given, {k: v for k, v in mapped(one.live or {}).items() if k not in KEPT_BY_CINDER})


def keys(given: Any, live: Mapping[str, Any]) -> Iterator[Finding]:
    given = mapped(given or {})
    for key in sorted({*map(str, given), *live}):
        if key not in live:
            yield Finding(given=f"the key {key}", missing=True)
        elif key not in given:
            yield Finding(live=f"the key {key}", added=True)
        elif serialized(given[key]) != serialized(live[key]):
            yield Finding(f"another value for the key {key}", f"a value for the key {key}")


def serialized(value: Any) -> str:
    """A value of metadata as Heat sends it."""
    return value if isinstance(value, str) else json.dumps(value)


def flavor(one: Compared) -> Iterator[Finding]:
    """A server shows the ID of its flavor, or since version 2.47 of the API only its name."""
    shows = one.live if isinstance(one.live, dict) else {}
    id, name = shows.get("id"), shows.get("original_name")
    if str(one.given) in (str(id), str(name)):
        return
    if id is not None:
        known = one.objects.is_named("flavor", id, one.given)
    elif name is not None:
        known = any(str(row.get("id")) == str(one.given) for row in one.objects.ask("flavor", name=str(name)))
    else:
        raise CannotTell("the server shows no flavor")
    if not known:
        yield from differ(one.given, name or one.objects.called("flavor", str(id)))


def image(one: Compared) -> Iterator[Finding]:
    """A server that was booted from a volume shows no image."""
    id = one.live.get("id") if isinstance(one.live, dict) else None
    if not one.objects.is_named("image", id, one.given):
        yield from differ(one.given, one.objects.called("image", str(id or "")))


def zone(one: Compared) -> Iterator[Finding]:
    """The zone may be given with a host."""
    if str(one.given).partition(":")[0] != str(one.live):
        yield from differ(one.given, one.live)


def running(one: Compared) -> Iterator[Finding]:
    if one.live != "ACTIVE":
        yield from differ(one.given, one.live)


def fixed_ips(one: Compared) -> Iterator[Finding]:
    """Each address that the template wants is there. Addresses of IPv6 that came by themselves are no difference."""
    left = maps(one.live)
    for wanted in maps(one.given):
        subnet = field(wanted, "subnet") or field(wanted, "subnet_id")
        ip = field(wanted, "ip_address")
        found = next(
            (
                had
                for had in left
                if (not ip or address(had.get("ip_address")) == address(ip))
                and (not subnet or one.objects.is_named("subnet", had.get("subnet_id"), subnet))
            ),
            None,
        )
        if found is None:
            yield Finding(given=shown({k: v for k, v in wanted.items() if v}), missing=True)
        else:
            left.remove(found)
    for extra in left:
        if one.given and ":" not in str(extra.get("ip_address")):
            yield Finding(live=shown(extra.get("ip_address")), added=True)


def pairs(one: Compared) -> Iterator[Finding]:
    """Pairs without a MAC address have that of the port, so only the MAC addresses that are given are compared."""
    left = maps(one.live)
    for wanted in maps(one.given):
        found = next(
            (
                had
                for had in left
                if network(had.get("ip_address")) == network(field(wanted, "ip_address"))
                and (not field(wanted, "mac_address") or mac(had.get("mac_address")) == mac(wanted["mac_address"]))
            ),
            None,
        )
        if found is None:
            yield Finding(given=shown(wanted), missing=True)
        else:
            left.remove(found)
    yield from (Finding(live=shown(extra), added=True) for extra in left)


def persistence(one: Compared) -> Iterator[Finding]:
    given, live = mapped(one.given or {}), mapped(one.live or {})
    wanted = {key: field(given, key) for key in ("type", "cookie_name")}
    if any(not equal(live.get(key), value) for key, value in wanted.items()):
        yield from differ(given or None, live or None)


def hashable(value: Any) -> Any:
    return json.dumps(value, sort_keys=True) if isinstance(value, (list, dict)) else str(value)


COMPARISONS: Mapping[str, Callable[[Compared], Iterable[Finding]]] = {
    "same": same,
    "named": named,
    "set": as_set(hashable),
    "address": canonical(address),
    "cidr": canonical(network),
    "mac": canonical(mac),
    "addresses": in_order(address),
    "pools": as_set(pool),
    "routes": as_set(route),
    "texts": texts,
    "volume_metadata": volume_metadata,
    "flavor": flavor,
    "image": image,
    "zone": zone,
    "running": running,
    "fixed_ips": fixed_ips,
    "pairs": pairs,
    "persistence": persistence,
}
