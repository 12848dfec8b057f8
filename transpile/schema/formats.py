"""Checks Heat's custom constraints that need no cloud: addresses, names, times and cron expressions.

Invariant: a check agrees with Heat's (`heat.engine.constraint.common_constraints` and the libraries that it calls),
even where Heat deviates from a standard. For a value of the wrong type it may raise any exception. No check depends on
the clock.
"""

from __future__ import annotations

import datetime
import functools
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

LONGEST_NAME = 255
LABEL = r"(?!-)[a-z0-9-]{1,63}\n?(?<!-)"
PAST = datetime.datetime(
    2026, 1, 1, tzinfo=datetime.UTC
)  # a time before this one is certainly in the past; comparing with now would change the result from run to run


def is_ip_address(value: Any) -> bool:
    """Whether a value is an IPv4 address of four numbers, or an IPv6 address without a zone."""
    if not isinstance(value, str) or "%" in value:
        return False
    import ipaddress  # slow to import, and few templates need it

    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return True


def is_cidr(value: str) -> bool:
    """Whether a text is an address with the length of its prefix, or, for IPv6, with a mask: `10.0.0.0/8`."""
    address, slash, length = value.partition("/")
    if not slash or not is_ip_address(address) or re.search(r"\s", value):
        return False
    if ":" not in address:
        return length.isascii() and length.isdigit() and length == str(int(length)) and int(length) <= 32
    try:
        return 0 <= int(length) <= 128
    except ValueError:
        import ipaddress

        return ":" in length and is_ip_address(length) and is_mask(int(ipaddress.IPv6Address(length)))


def is_mask(bits: int) -> bool:
    """Whether 128 bits are a run of ones next to a run of zeros."""
    inverse = bits ^ (1 << 128) - 1
    return bits & (bits + 1) == 0 or inverse & (inverse + 1) == 0


def is_ip_or_cidr(value: str) -> bool:
    return is_cidr(value) if "/" in value else is_ip_address(value)


HEX = "[0-9A-Fa-f]"
MAC = (
    "(?:"
    + "|".join(
        [f"{HEX}{{1,2}}(?:{sep}{HEX}{{1,2}}){{5}}" for sep in ":-"]
        + [rf"{HEX}{{1,4}}(?:{sep}{HEX}{{1,4}}){{2}}" for sep in (":", "-", r"\.")]
        + [f"{HEX}{{5,6}}{sep}{HEX}{{5,6}}" for sep in ":-"]
        + [f"{HEX}{{11,12}}"]
    )
    + r")\n?"
)


def is_mac_address(value: Any) -> bool:
    """A hardware address in any of its usual spellings."""
    return isinstance(value, str) and re.fullmatch(MAC, value) is not None


def is_dns_name(value: str) -> bool:
    if not value:
        return True
    name = value.removesuffix(".")
    labels = name.split(".")
    if len(name) > LONGEST_NAME or not all(re.fullmatch(LABEL, label) for label in labels):
        return False
    is_absolute = value.endswith(".") and len(labels) > 1
    return not (is_absolute and re.fullmatch(r"[0-9]+\n?", labels[-1]))  # no top-level domain is all digits


def is_relative_dns_name(value: str) -> bool:
    return not value or (not value.endswith(".") and len(value) <= LONGEST_NAME - 3 and is_dns_name(value))


def is_dns_domain(value: str) -> bool:
    return not value or (value.endswith(".") and is_dns_name(value))


DATE = r"""(?P<year>\d{4})
        (?:(?:-(?P<month>\d\d?)|(?P<m>\d\d)(?!$))
           (?:(?:-(?P<day>\d\d?)|(?P<d>\d\d))
              (?:[ T](?P<hour>\d\d)(?::?(?P<minute>\d\d))?(?::?(?P<second>\d\d?)(?:[.,]\d+)?)?
                 (?P<zone>Z|(?P<sign>[-+])(?P<hours>\d\d):?(?P<minutes>\d\d)?)?)?)?)?\n?"""


def parse_iso_8601(value: str) -> datetime.datetime | None:
    """The time of an ISO 8601 text, to the second; None for any other text."""
    match = re.fullmatch(DATE, value, re.VERBOSE | re.ASCII)
    if match is None:
        return None
    parts = {name: int(text) for name, text in match.groupdict().items() if text and text.isdigit()}
    offset = datetime.timedelta(hours=parts.get("hours", 0), minutes=parts.get("minutes", 0))
    try:
        return datetime.datetime(
            parts["year"],
            parts.get("month", parts.get("m", 1)),
            parts.get("day", parts.get("d", 1)),
            parts.get("hour", 0),
            parts.get("minute", 0),
            parts.get("second", 0),
            tzinfo=datetime.timezone(-offset if match["sign"] == "-" else offset),
        )
    except ValueError:
        return None


def is_expiration(value: str) -> bool:
    """Whether a text is empty, or a time that is not certainly in the past."""
    if not value:
        return True
    moment = parse_iso_8601(value.strip())
    return moment is not None and moment > PAST


def is_timezone(value: str) -> bool:
    """Whether a text is a zone of the time zone database; True for any text on a machine without the database."""
    import zoneinfo

    if not value:
        return True
    try:
        zoneinfo.ZoneInfo(value)
    except Exception:  # its exceptions are not documented
        return not has_zones()
    return True


@functools.cache
def has_zones() -> bool:
    import zoneinfo

    return bool(zoneinfo.available_timezones())


def is_json_text(value: str) -> bool:
    try:
        if value:
            json.loads(value)
    except RecursionError:
        return False
    return True


MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAY_NAMES = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
MONTHS = {name: i for i, name in enumerate(MONTH_NAMES, 1)}
DAYS = {name: i for i, name in enumerate(DAY_NAMES)}
FIELDS: list[tuple[int, int, Mapping[str, int]]] = [
    (0, 59, {}),
    (0, 23, {}),
    (1, 31, {}),
    (1, 12, MONTHS),
    (0, 6, DAYS),
    (0, 59, {}),
    (1970, 2099, {}),
]
DAY_OF_MONTH, DAY_OF_WEEK = 2, 4
NICKNAMES = ("@midnight", "@hourly", "@daily", "@weekly", "@monthly", "@yearly", "@annually")
RANGE = r"(?P<low>[^-/]+)(?:-(?P<high>[^-/]+))?(?:/(?P<step>\d+))?"
RANDOM = r"r(?:\((?P<low>\d+)-(?P<high>\d+)\))?(?:/(?P<step>\d+))?"


def is_cron_expression(value: str) -> bool:
    """Whether a text is a nickname such as `@daily`, or five to seven fields: those of a crontab, seconds, years."""
    if not value or value.lower() in NICKNAMES:
        return True
    fields = re.findall(r"\S+", value.lower(), re.ASCII)
    return 5 <= len(fields) <= 7 and all(map(is_cron_field, range(7), fields))


def is_cron_field(at: int, field: str) -> bool:
    """Whether a text is the field at this index of a crontab: a list of items, `?`, a random number
    as in `r(1-5)`, or the weekday nearest to a day as in `15w`.
    """
    if field == "?":
        return at in (DAY_OF_MONTH, DAY_OF_WEEK)
    if match := re.fullmatch(RANDOM, field, re.ASCII):
        low, high, _ = FIELDS[at]
        ends = [int(match[end] or default) for end, default in (("low", low), ("high", high))]
        return low <= ends[0] < ends[1] <= high and int(match["step"] or 1) > 0
    items = field.split(",")
    if at == DAY_OF_MONTH and len(items) == 1 and (match := re.fullmatch(r"(\d+)w|w(\d+)", field, re.ASCII)):
        return 1 <= int(match[1] or match[2]) <= 31
    return all(is_cron_item(at, item) for item in items)


def is_cron_item(at: int, item: str) -> bool:
    """Whether a text is an item of the field at this index: `*`, `5`, `mon-fri`, `*/10`."""
    low, high, names = FIELDS[at]
    if item in ("*", "l" if at == DAY_OF_MONTH else "*"):
        return True
    if at == DAY_OF_WEEK:
        name, hash_, nth = item.partition("#")
        if hash_:  # the n-th such day of a month
            return nth.isascii() and nth.isdigit() and 1 <= int(nth) <= 5 and is_cron_item(at, name)
        if re.fullmatch(r"l\d+", item, re.ASCII):  # the last such day of a month
            item = item[1:]
    if item.startswith("*/"):
        item = f"{low}-{high}{item[1:]}"
    match = re.fullmatch(RANGE, item, re.ASCII)
    if match is None or int(match["step"] or 1) == 0:
        return False
    first, last = (read_cron_number(at, match[end], names) for end in ("low", "high"))
    if first is None or first > high:
        return False
    if match["high"] is None:
        return first >= low
    if at == DAY_OF_MONTH and match["high"] == "l":
        last = high
    return last is not None and last <= high and (first >= low or first == last)


def read_cron_number(at: int, text: str | None, names: Mapping[str, int]) -> int | None:
    """The number that a number or a name stands for: `mon` -> 1. Sunday is 0 and 7. None for any other text."""
    if text is None or not (text.isascii() and text.isdigit()):
        return names.get(text or "")
    return 0 if at == DAY_OF_WEEK and int(text) == 7 else int(text)


CUSTOM_CONSTRAINTS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "cron_expression": (is_cron_expression, "a cron expression"),
    "dns_domain": (is_dns_domain, "a DNS domain name that ends with a dot"),
    "dns_name": (is_dns_name, "a DNS name"),
    "expiration": (is_expiration, "a future time in ISO 8601 format"),
    "ip_addr": (is_ip_address, "an IP address"),
    "ip_or_cidr": (is_ip_or_cidr, "an IP address or a CIDR"),
    "iso_8601": (lambda value: parse_iso_8601(value) is not None, "a time in ISO 8601 format"),
    "json_string": (is_json_text, "a JSON string"),
    "mac_addr": (is_mac_address, "a MAC address"),
    "net_cidr": (is_cidr, "a CIDR"),
    "rel_dns_name": (is_relative_dns_name, "a relative DNS name"),
    "timezone": (is_timezone, "a time zone"),
}
