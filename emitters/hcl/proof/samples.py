"""Chooses values for parameters: accepted values, values at the limits of constraints, and values beyond these.

Invariant: `transpile.schema.parameters` decides whether a value is accepted, as Heat does.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.schema import parameters

TEXTS = (  # for patterns and formats, from the most to the least common
    "test", "a", "A", "Test1", "abc", "ABC", "a1", "1", "10", "80", "true", "192.0.2.10", "192.0.2.0/24", "nova",
    "a-b", "a_b", "a.b", "a b", "test@example.org", "example.org", "example.org.", "http://example.org", "2001:db8::1",
    "00:00:5e:00:53:01", "2026-01-31", "2026-01-31T12:00:00Z", "12:00", "1.0", "m1.small", "A1b2C3d4", "A1b2C3d4!",
    "abcdefgh", "12345678", "aaaaaaaaaaaaaaaa", "{}", "[]", "00000000-0000-4000-8000-000000000000",
)  # fmt: skip
OF_CONSTRAINT: Mapping[str, str] = {
    "ip_addr": "192.0.2.10",
    "net_cidr": "192.0.2.0/24",
    "mac_addr": "00:00:5e:00:53:01",
    "dns_name": "example.org",
    "dns_domain": "example.org.",
    "iso_8601": "2026-01-31T12:00:00Z",
    "timezone": "UTC",
    "expiration": "2030-01-31T12:00:00Z",
    "rel_dns_name": "example",
    "json_string": "{}",
    "test_constr": "test",
}
OF_FORMAT: Mapping[str, str] = {
    "cidr": "192.0.2.0/24",
    "rfc3339": "2030-01-31T12:00:00Z",
    "url": "http://example.org",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "fqdn-with-dot": "example.org.",
    "json-object": "{}",
}
UUID = compile_lazily("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
DATE = compile_lazily(r"\d{4}-\d\d-\d\d")
MAC = compile_lazily("([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}")
OTHER_UUID = "00000000-0000-4000-8000-000000000001"
IDS = (OTHER_UUID, OTHER_UUID.replace("-", ""))  # of most services, and of Keystone
UNLIKELY = ("?", "", "a b", "!!", "x" * 70)  # values that most patterns refuse
LONGEST = 300  # characters of a text in a test
LARGEST = 1 << 31
MOST = 200  # allowed values of a parameter that are tried: each is compared with all of them


def find_accepted_value(
    param: ir.Param, budget: Budget, facts: Iterable[Mapping[str, Any]] = (), paths: Iterable[tuple[Any, ...]] = ()
) -> Any:
    """A value that a parameter accepts; None if the search fails.

    facts: the provider's facts about the arguments that get the value. paths: the paths that the template reads from
    the value, for example `(net, cidr)` for `{get_param: [p, net, cidr]}`.
    """
    for value in candidate_values(param, list(facts), list(paths)):
        if is_accepted(param, value, budget):
            return value
    return None


def is_accepted(param: ir.Param, value: Any, budget: Budget) -> bool:
    """Whether Heat accepts a value."""
    try:
        converted = parameters.convert_value(param.type, value)
    except (ValueError, TypeError):
        return False
    return not parameters.check_constraints(param, converted, custom=True, budget=budget)


def candidate_values(param: ir.Param, facts: list[Mapping[str, Any]], paths: list[tuple[Any, ...]]) -> Iterator[Any]:
    """Values to try, in order."""
    yield from allowed_values(param)[:MOST]
    if param.type == "boolean":
        yield from (True, False)
    elif param.type == "number":
        yield from candidate_numbers(param)
    elif param.type == "comma_delimited_list":
        indexes = [step for path in paths for step in path[:1] if isinstance(step, int) or str(step).isdecimal()]
        length = max([1, *(int(index) for index in indexes)]) + 1
        words = [OF_FORMAT[f["format"]] for f in facts if f.get("format") in OF_FORMAT]
        yield [*words[:1], *(f"{param.name}-{n}" for n in range(len(words[:1]), min(length, LONGEST)))]
        yield from ([f"{param.name}-{n}" for n in range(length)] for length in (1, 2, 3, 0))
    elif param.type == "json":
        yield value_with_paths(param.name, paths)
        yield from ({}, [])
    else:
        yield from candidate_texts(param, facts)


def allowed_values(param: ir.Param) -> list[Any]:
    """The values of `allowed_values`, in order."""
    constraints = [
        constraint
        for constraint in param.constraints
        if constraint.kind == "allowed_values" and ir.is_plain_data(constraint.value)
    ]
    values = ir.to_data(constraints[0].value) if constraints else []
    return list(values) if isinstance(values, list) else []


def candidate_texts(param: ir.Param, facts: list[Mapping[str, Any]]) -> Iterator[str]:
    for constraint in param.constraints:
        word = (
            str(constraint.value.value)
            if constraint.kind == "custom_constraint" and isinstance(constraint.value, ir.Lit)
            else ""
        )
        if word in OF_CONSTRAINT:
            yield OF_CONSTRAINT[word]
    for about in facts:
        if "one_of" in about:
            yield from map(str, about["one_of"])
        if about.get("format") in OF_FORMAT:
            yield OF_FORMAT[about["format"]]
        if about.get("type") in ("number", "bool"):
            low = about.get("range", [about.get("min", 1)])[0]
            yield "true" if about["type"] == "bool" else str(max(low, 1))
    plain = f"a-{param.name}"
    yield plain
    for low, high in constraint_limits(param, "length"):
        yield plain[: int(high)] if high is not None else plain
        yield plain.ljust(min(int(low or 0), LONGEST), "x")
    yield from TEXTS


def candidate_numbers(param: ir.Param) -> Iterator[int | float]:
    for low, high in constraint_limits(param, "range"):
        yield from (limit for limit in (low, high) if limit is not None)
    for constraint in param.constraints:
        if constraint.kind == "modulo":
            values = ir.to_data(constraint.value) if ir.is_plain_data(constraint.value) else {}
            step, offset = (parameters.str_to_num(values.get(word, 0)) or 0 for word in ("step", "offset"))
            yield from (offset, offset + step)
    yield from (1, 0, 2, 10, 100, 1024, 8080)


def constraint_limits(param: ir.Param, kind: str) -> list[tuple[int | float | None, int | float | None]]:
    """The minimum and the maximum of each constraint of a kind."""
    pairs = []
    for constraint in param.constraints:
        if constraint.kind == kind and isinstance(constraint.value, ir.Map):
            entries = {entry.key: parameters.read_limit(entry.value) for entry in constraint.value.entries}
            pairs.append((entries.get("min"), entries.get("max")))
    return pairs


def value_with_paths(name: str, paths: list[tuple[Any, ...]]) -> Any:
    """A value that has a text at each of these paths. Numbers as steps make lists.

    For example, the paths `(net, cidr)` and `(net, id)` of `p` give `{net: {cidr: p-net-cidr, id: p-net-id}}`.
    """
    tree: dict[Any, Any] = {}
    for path in paths:
        at = tree
        for step in path:
            at = at.setdefault(parameters.read_index(step) if str(step).isdecimal() else str(step), {})
    return value_of_tree(name, tree) if tree else {}


def value_of_tree(name: str, tree: dict[Any, Any]) -> Any:
    if not tree:
        return name
    if all(isinstance(step, int) and step < LONGEST for step in tree):
        return [value_of_tree(f"{name}-{n}", tree.get(n, {})) for n in range(max(tree) + 1)]
    return {str(step): value_of_tree(f"{name}-{step}", inner) for step, inner in tree.items()}


# other values


def other_value(param: ir.Param, value: Any, budget: Budget) -> Any:
    """A value that differs from `value` and is of the same kind; None if the parameter accepts none that is tried."""
    candidates = [other for other in allowed_values(param) if other != value][:MOST]
    for candidate in candidates or candidate_others(value):
        if is_accepted(param, candidate, budget):
            converted = parameters.convert_value(param.type, candidate)
            if converted != value:
                return converted
    return None


def candidate_others(value: Any) -> Iterator[Any]:
    """Values of the same kind as a value: another network for a network, a greater number for a number."""
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (value + 1, value - 1, value * 2)
        case str():
            yield from candidate_other_texts(value)
        case list():
            yield [next(candidate_others(item), item) for item in value]
        case dict():
            yield {key: next(candidate_others(item), item) for key, item in value.items()}


def candidate_other_texts(text: str) -> Iterator[str]:
    if text.lower() in ("true", "false"):
        yield "false" if text.lower() == "true" else "true"
    elif text.isdecimal():
        yield from (str(int(text) + 1), str(int(text) - 1))
    elif text[:4].isdecimal() and DATE.match(text):
        yield f"{int(text[:4]) + 1}{text[4:]}"
    elif MAC.fullmatch(text):
        yield f"{text[:-1]}{'1' if text[-1] != '1' else '2'}"
    elif "://" in text:
        yield f"{text}/other"
    elif text.startswith(("{", "[")):
        return
    elif UUID.fullmatch(text):
        yield OTHER_UUID if text != OTHER_UUID else OF_FORMAT["uuid"]
    else:
        try:
            yield next_address(text)
        except ValueError:
            yield from (f"other-{text}", f"{text}-2", f"{text}2")


def next_address(text: str) -> str:
    """The address after an address, or the network after a network. Raises ValueError for other texts."""
    if "/" not in text:
        return str(ipaddress.ip_address(text) + 1)
    network = ipaddress.ip_network(text)
    return f"{network.broadcast_address + 1}/{network.prefixlen}"


# limits


def values_at_limits(param: ir.Param) -> Iterator[tuple[str, Any]]:
    """The smallest and the largest values that constraints allow, each after a word for it, for example "longest"."""
    for low, high in constraint_limits(param, "range"):
        yield from ((word, limit) for word, limit in (("smallest", low), ("largest", high)) if limit is not None)
    if param.type == "string":
        for low, high in constraint_limits(param, "length"):
            lengths = {"shortest": low, "longest": high}
            for word, length in lengths.items():
                if length is not None and 0 <= length <= LONGEST:
                    yield word, "x" * int(length)


def refused_values(param: ir.Param, budget: Budget) -> Iterator[tuple[ir.Constraint, str, Any]]:
    """Values that violate a constraint: the constraint, a word such as "too large", and the value."""
    for constraint in param.constraints:
        seen = set[str]()
        for word, value in candidate_violations(param, constraint):
            try:
                converted = parameters.convert_value(param.type, value)
            except (ValueError, TypeError):
                continue
            if word not in seen and parameters.explain_refusal(param.type, constraint, converted, budget=budget):
                seen.add(word)
                yield constraint, word, value


def candidate_violations(param: ir.Param, constraint: ir.Constraint) -> Iterator[tuple[str, Any]]:
    values = ir.to_data(constraint.value) if ir.is_plain_data(constraint.value) else None
    entries = values if isinstance(values, dict) else {}
    low, high = (parameters.str_to_num(entries[w]) if w in entries else None for w in ("min", "max"))
    match constraint.kind:
        case "range":
            yield from (("too small", low - 1) for _ in (low,) if low is not None)
            yield from (("too large", high + 1) for _ in (high,) if high is not None and high < LARGEST)
        case "length" if param.type in ("string", "comma_delimited_list"):
            item: Any = "x" if param.type == "string" else ["x"]
            yield from (("too short", item * (int(low) - 1)) for _ in (low,) if low is not None and 0 < low <= LONGEST)
            yield from (("too long", item * (int(high) + 1)) for _ in (high,) if high is not None and high < LONGEST)
        case "allowed_values" if isinstance(values, list):
            if param.type == "number":
                numbers = [n for n in map(parameters.str_to_num, values) if n is not None]
                yield "not allowed", int(max(numbers, default=0)) + 1
            elif param.type == "string":
                yield "not allowed", "not-" + "-or-".join(str(v) for v in values[:1])
            elif param.type == "comma_delimited_list":
                yield "not allowed", ["not-allowed"]
        case "custom_constraint" if param.type == "string":
            yield from (("not valid", text) for text in UNLIKELY)
        case "allowed_pattern":
            yield from (("not matching", text) for text in UNLIKELY)
        case "modulo":
            step, offset = (parameters.str_to_num(entries.get(word, 0)) or 0 for word in ("step", "offset"))
            yield "between the steps", offset + (1 if step != 1 else 0)
