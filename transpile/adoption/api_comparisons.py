"""Comparisons of a template's values with the live values that the API of a service returns.

Invariant: a comparison reports the differences, or that it cannot decide. Two spellings of one value are no difference.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, final

from transpile.adoption.live_fields import ComparedField
from transpile.adoption.lookups import Cloud, CloudLookup, NoAnswer
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node

ID = compile_lazily(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}")
CINDER_METADATA_KEYS = ("attached_mode", "readonly")


class CannotTell(Exception):
    """A comparison has no answer; the text says why."""


@final
@node
class Finding:
    """A difference. `expected`, `live`: the values of the template and of the API, as texts to show. `added`: the API
    has something more; `missing`: it lacks something; if both are false, it has another value.
    """

    expected: str = ""
    live: str = ""
    added: bool = False
    missing: bool = False


@final
class CloudObjects:
    """The objects of the cloud, and the questions that it did not answer."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud
        self.unanswered: dict[str, None] = {}

    def look_up_rows(self, noun: str, **attributes: str) -> Sequence[Mapping[str, Any]]:
        return self.answer_lookup(CloudLookup(noun, tuple(attributes.items())))

    def answer_lookup(self, lookup: CloudLookup) -> Sequence[Mapping[str, Any]]:
        try:
            return require_maps(self.cloud.ask(lookup))
        except NoAnswer:
            self.unanswered[lookup.command] = None
            raise CannotTell("nobody answered a question to the cloud") from None

    def look_up_object(self, noun: str, id: str, **owner: str) -> Mapping[str, Any]:
        """The object with an ID. `owner`: the attribute with the ID of the object that contains it, such as `pool_id`.

        Raises CannotTell if there is no such object.
        """
        rows = self.look_up_rows(noun, id=id, **owner)
        if len(rows) != 1:
            raise CannotTell("the object is gone, or cannot be seen")
        return rows[0]

    def describe_id(self, noun: str, id: str) -> str:
        """An ID with the object's name, if it is known."""
        try:
            rows = self.cloud.ask(CloudLookup(noun, (("id", id),), "name")) if noun and id else ()
        except NoAnswer:
            return id
        name = rows[0].get("name") if len(rows) == 1 and isinstance(rows[0], dict) else ""
        return f"{id} ({name})" if name else id

    def is_named(self, noun: str, id: Any, name_or_id: Any) -> bool:
        """Whether an object has this ID or this name."""
        if not id or not name_or_id:
            return not id and not name_or_id
        if str(id) == str(name_or_id):
            return True
        if not noun or ID.fullmatch(str(name_or_id).lower()):
            return False
        return str(self.look_up_object(noun, str(id)).get("name")) == str(name_or_id)


@final
@node
class ComparedValues:
    """The values of one field. `expected`: as the template has it; `live`: as the API shows it."""

    field: ComparedField
    expected: Any
    live: Any
    objects: CloudObjects


def display_value(value: Any) -> str:
    """A value in a message."""
    if value is None or value == "":
        return "nothing"
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def are_equal(first: Any, second: Any) -> bool:
    """Whether two values mean the same: `"true"` equals true, `"80"` equals 80, and `""` equals null."""
    first, second = (None if value == "" else value for value in (first, second))
    if isinstance(first, str) == isinstance(second, str):
        return bool(first == second)
    text, value = (first, second) if isinstance(first, str) else (second, first)
    if isinstance(value, bool):
        return bool(text.lower() == str(value).lower())
    try:
        return isinstance(value, (int, float)) and float(text) == value
    except ValueError:
        return False


def require_list(value: Any) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        raise CannotTell("a value has another form than a list")
    return list(value)


def require_map(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise CannotTell("a value has another form than a map")
    return value


def require_maps(value: Any) -> list[Mapping[str, Any]]:
    return [require_map(item) for item in require_list(value)]


def report_difference(expected: Any, live: Any) -> Iterator[Finding]:
    yield Finding(display_value(expected), display_value(live))


def compare_values(values: ComparedValues) -> Iterator[Finding]:
    if not are_equal(values.expected, values.live):
        yield from report_difference(values.expected, values.live)


def make_canonical_comparison(normalize: Callable[[Any], Any]) -> Callable[[ComparedValues], Iterator[Finding]]:
    """A comparison of values in a canonical form."""

    def compare_forms(values: ComparedValues) -> Iterator[Finding]:
        if normalize(values.expected) != normalize(values.live):
            yield from report_difference(values.expected, values.live)

    return compare_forms


def make_list_comparison(normalize: Callable[[Any], Any]) -> Callable[[ComparedValues], Iterator[Finding]]:
    """A comparison of lists."""

    def compare_lists(values: ComparedValues) -> Iterator[Finding]:
        expected, live = require_list(values.expected), require_list(values.live)
        if [normalize(value) for value in expected] != [normalize(value) for value in live]:
            yield from report_difference(expected, live)

    return compare_lists


def make_set_comparison(normalize: Callable[[Any], Any]) -> Callable[[ComparedValues], Iterator[Finding]]:
    """Returns a comparison of lists whose order does not count: it reports missing and added items."""

    def compare_sets(values: ComparedValues) -> Iterator[Finding]:
        yield from report_set_difference(
            {normalize(v): v for v in require_list(values.expected)},
            {normalize(v): v for v in require_list(values.live)},
        )

    return compare_sets


def report_set_difference(expected: Mapping[Any, Any], live: Mapping[Any, Any]) -> Iterator[Finding]:
    for key, value in expected.items():
        if key not in live:
            yield Finding(expected=display_value(value), missing=True)
    for key, value in live.items():
        if key not in expected:
            yield Finding(live=display_value(value), added=True)


def normalize_address(value: Any) -> str:
    """An address in its canonical form: `FE80::0001` -> `fe80::1`. Other texts stay as they are."""
    try:
        return str(ipaddress.ip_address(str(value)))
    except ValueError:
        return str(value or "")


def normalize_network(value: Any) -> str:
    """A network in its canonical form, without host bits: `10.0.0.7/24` -> `10.0.0.0/24`. Other texts stay."""
    try:
        return str(ipaddress.ip_network(str(value), strict=False))
    except ValueError:
        return str(value or "")


def normalize_mac(value: Any) -> str:
    return str(value or "").lower().replace("-", ":")


def get_field(value: Any, name: str) -> Any:
    return require_map(value).get(name)


def normalize_pool(value: Any) -> tuple[str, str]:
    return normalize_address(get_field(value, "start")), normalize_address(get_field(value, "end"))


def normalize_route(value: Any) -> tuple[str, str]:
    return normalize_network(get_field(value, "destination")), normalize_address(get_field(value, "nexthop"))


def compare_named_object(values: ComparedValues) -> Iterator[Finding]:
    if not values.objects.is_named(values.field.noun, values.live, values.expected):
        yield from report_difference(
            values.expected, values.objects.describe_id(values.field.noun, str(values.live or ""))
        )


def compare_text_map(values: ComparedValues) -> Iterator[Finding]:
    """Maps whose values Heat sends as texts. Only keys are shown: values may be secrets."""
    yield from compare_keys(values.expected, require_map(values.live or {}))


def compare_volume_metadata(values: ComparedValues) -> Iterator[Finding]:
    """Cinder adds keys of its own."""
    yield from compare_keys(
        values.expected, {k: v for k, v in require_map(values.live or {}).items() if k not in CINDER_METADATA_KEYS}
    )


def compare_keys(expected: Any, live: Mapping[str, Any]) -> Iterator[Finding]:
    expected = require_map(expected or {})
    for key in sorted({*map(str, expected), *live}):
        if key not in live:
            yield Finding(expected=f"the key {key}", missing=True)
        elif key not in expected:
            yield Finding(live=f"the key {key}", added=True)
        elif serialize_metadata(expected[key]) != serialize_metadata(live[key]):
            yield Finding(f"another value for the key {key}", f"a value for the key {key}")


def serialize_metadata(value: Any) -> str:
    """A value of metadata as Heat sends it."""
    return value if isinstance(value, str) else json.dumps(value)


def compare_flavor(values: ComparedValues) -> Iterator[Finding]:
    """A server shows the ID of its flavor, or since version 2.47 of the API only its name."""
    flavor = values.live if isinstance(values.live, dict) else {}
    id, name = flavor.get("id"), flavor.get("original_name")
    if str(values.expected) in (str(id), str(name)):
        return
    if id is not None:
        matches = values.objects.is_named("flavor", id, values.expected)
    elif name is not None:
        matches = any(
            str(row.get("id")) == str(values.expected) for row in values.objects.look_up_rows("flavor", name=str(name))
        )
    else:
        raise CannotTell("the server shows no flavor")
    if not matches:
        yield from report_difference(values.expected, name or values.objects.describe_id("flavor", str(id)))


def compare_image(values: ComparedValues) -> Iterator[Finding]:
    """A server that was booted from a volume shows no image."""
    id = values.live.get("id") if isinstance(values.live, dict) else None
    if not values.objects.is_named("image", id, values.expected):
        yield from report_difference(values.expected, values.objects.describe_id("image", str(id or "")))


def compare_availability_zone(values: ComparedValues) -> Iterator[Finding]:
    """The zone may be given with a host."""
    if str(values.expected).partition(":")[0] != str(values.live):
        yield from report_difference(values.expected, values.live)


def compare_server_status(values: ComparedValues) -> Iterator[Finding]:
    if values.live != "ACTIVE":
        yield from report_difference(values.expected, values.live)


def compare_fixed_ips(values: ComparedValues) -> Iterator[Finding]:
    """Each address that the template wants is there. Addresses of IPv6 that came by themselves are no difference."""
    unmatched = require_maps(values.live)
    for expected in require_maps(values.expected):
        subnet = get_field(expected, "subnet") or get_field(expected, "subnet_id")
        ip = get_field(expected, "ip_address")
        match = next(
            (
                candidate
                for candidate in unmatched
                if (not ip or normalize_address(candidate.get("ip_address")) == normalize_address(ip))
                and (not subnet or values.objects.is_named("subnet", candidate.get("subnet_id"), subnet))
            ),
            None,
        )
        if match is None:
            yield Finding(expected=display_value({k: v for k, v in expected.items() if v}), missing=True)
        else:
            unmatched.remove(match)
    for extra in unmatched:
        if values.expected and ":" not in str(extra.get("ip_address")):
            yield Finding(live=display_value(extra.get("ip_address")), added=True)


def compare_address_pairs(values: ComparedValues) -> Iterator[Finding]:
    """A pair without a MAC address has the port's, so a MAC address is compared only if the template sets it."""
    unmatched = require_maps(values.live)
    for expected in require_maps(values.expected):
        match = next(
            (
                candidate
                for candidate in unmatched
                if normalize_network(candidate.get("ip_address"))
                == normalize_network(get_field(expected, "ip_address"))
                and (
                    not get_field(expected, "mac_address")
                    or normalize_mac(candidate.get("mac_address")) == normalize_mac(expected["mac_address"])
                )
            ),
            None,
        )
        if match is None:
            yield Finding(expected=display_value(expected), missing=True)
        else:
            unmatched.remove(match)
    yield from (Finding(live=display_value(extra), added=True) for extra in unmatched)


def compare_session_persistence(values: ComparedValues) -> Iterator[Finding]:
    expected, live = require_map(values.expected or {}), require_map(values.live or {})
    expected_fields = {key: get_field(expected, key) for key in ("type", "cookie_name")}
    if any(not are_equal(live.get(key), value) for key, value in expected_fields.items()):
        yield from report_difference(expected or None, live or None)


VALUE_COMPARISONS: Mapping[str, Callable[[ComparedValues], Iterable[Finding]]] = {
    "same": compare_values,
    "named": compare_named_object,
    "set": make_set_comparison(str),
    "address": make_canonical_comparison(normalize_address),
    "cidr": make_canonical_comparison(normalize_network),
    "mac": make_canonical_comparison(normalize_mac),
    "addresses": make_list_comparison(normalize_address),
    "pools": make_set_comparison(normalize_pool),
    "routes": make_set_comparison(normalize_route),
    "texts": compare_text_map,
    "volume_metadata": compare_volume_metadata,
    "flavor": compare_flavor,
    "image": compare_image,
    "zone": compare_availability_zone,
    "running": compare_server_status,
    "fixed_ips": compare_fixed_ips,
    "pairs": compare_address_pairs,
    "persistence": compare_session_persistence,
}
