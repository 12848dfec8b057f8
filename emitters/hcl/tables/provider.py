"""The schemas of the Terraform providers: argument types, nested blocks, allowed values.

Invariant: `provider.json` is generated from released providers and never edited by hand. Regenerate it with
`python -m emitters.hcl.tables.provider SCHEMA.json RULES.json …`. Each SCHEMA.json is one value of `provider_schemas`
from `terraform providers schema -json`; RULES.json adds facts that schemas lack (allowed values, ranges, formats).
"""

from __future__ import annotations

import functools
import ipaddress
import json
import pathlib
import sys
from collections.abc import Iterable, Mapping
from typing import Any, final

from emitters.hcl.tree.types import ANY, BOOL, NUMBER, STRING, HclType
from transpile.diagnostics.model import did_you_mean
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import EMPTY

CONFIGURATION = "provider."  # before the name of a provider: the schema of its configuration
SOURCES: Mapping[str, tuple[str, str]] = {  # where the providers come from, and their versions
    "cloudinit": ("hashicorp/cloudinit", "~> 2.3"),
    "openstack": ("terraform-provider-openstack/openstack", "~> 3.4"),
    "random": ("hashicorp/random", "~> 3.6"),
    "time": ("hashicorp/time", "~> 0.12"),
}
FILE = pathlib.Path(__file__).parent / "provider.json"
SCALARS = {"string": STRING, "number": NUMBER, "bool": BOOL}
KEPT_RULES = (
    "one_of",
    "or_int",
    "range",
    "min",
    "format",
    "conflicts_with",
    "required_with",
    "exactly_one_of",
    "at_least_one_of",
)
REQUEST_URI = compile_lazily(r"([A-Za-z][A-Za-z0-9+.-]*:|/)[^\s\x00-\x1f\x7f]*")
MOMENT = compile_lazily(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)")
UUID = compile_lazily(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@final
class Providers:
    """The schemas of providers, by resource type, `data.TYPE` for a data source, and `provider.NAME` for a
    configuration. names: resources that exist without a schema here, for hints.
    """

    def __init__(self, facts: Mapping[str, Mapping[str, Any]], names: Iterable[str] = ()) -> None:
        self.facts, self.names = facts, (*facts, *names)
        self._constrained: dict[str, tuple[tuple[str, Mapping[str, Any]], ...]] = {}

    def find_schema(self, resource: str) -> Mapping[str, Any]:
        """The schema of a resource or data source; empty if there is none."""
        return self.facts.get(resource, EMPTY)

    def constrained_arguments(self, resource: str) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """The arguments that are required, or that require or exclude others, with their schemas."""
        if resource not in self._constrained:
            words = ("required", "exactly_one_of", "at_least_one_of", "conflicts_with", "required_with")
            arguments = self.find_schema(resource).get("arguments", EMPTY)
            self._constrained[resource] = tuple(
                (name, facts) for name, facts in arguments.items() if any(word in facts for word in words)
            )
        return self._constrained[resource]

    def find_argument(self, resource: str, path: str) -> Mapping[str, Any]:
        """The schema of an argument; a dotted path leads into nested blocks: `network.port`. Empty if there is none."""
        way, _, name = path.rpartition(".")
        argument: Mapping[str, Any] = self.find_block(resource, way).get("arguments", EMPTY).get(name, EMPTY)
        return argument

    def argument_names(self, resource: str, path: str) -> list[str]:
        """The names of the arguments in the same block as an argument, for a hint."""
        return list(self.find_block(resource, path.rpartition(".")[0]).get("arguments", ()))

    def suggest_name(self, resource: str) -> str:
        """A hint with the resource or data source of the nearest name."""
        data = resource.startswith("data.")
        return did_you_mean(resource, [name for name in self.names if name.startswith("data.") == data])

    def find_block(self, resource: str, path: str) -> Mapping[str, Any]:
        """The schema of a nested block, or of the resource for no path; empty if there is no such block."""
        block = self.find_schema(resource)
        for step in path.split(".") if path else ():
            block = block.get("blocks", EMPTY).get(step, EMPTY)
        return block


@functools.cache
def load_built_in_providers() -> Providers:
    """The providers that provider.json describes."""
    return Providers(json.loads(FILE.read_text(encoding="utf-8")))


def parse_type(notation: Any) -> HclType:
    """Parses a type in Terraform's JSON notation: `["list", "string"]`. Objects and tuples become `any`."""
    if type(notation) is str:
        return SCALARS.get(notation, ANY)
    kind, inner = notation
    return HclType(kind, parse_type(inner)) if kind in ("list", "set", "map") else ANY


def find_refusal(facts: Mapping[str, Any], value: Any) -> str:
    """Why the provider's own validation would reject a literal value; empty if it would not."""
    if "one_of" in facts and value not in facts["one_of"]:
        low, high = facts.get("or_int", (1, 0))
        if not (str(value).isdigit() and low <= int(str(value)) <= high):
            return f"it must be one of {', '.join(str(v) for v in facts['one_of'] if v != '')}"
    if "range" in facts and isinstance(value, (int, float)) and not facts["range"][0] <= value <= facts["range"][1]:
        return f"it must be between {facts['range'][0]} and {facts['range'][1]}"
    if "min" in facts and isinstance(value, (int, float)) and value < facts["min"]:
        return f"it must be at least {facts['min']}"
    form = facts.get("format")
    if form == "uuid" and not UUID.fullmatch(str(value)):
        return "it must be a UUID"
    if form == "fqdn-with-dot" and not str(value).endswith("."):
        return "it must be a name that ends with a dot"
    if form == "cidr":
        try:
            ipaddress.ip_interface(str(value))
        except ValueError:
            return "it must be a network address with a prefix length"
        if "/" not in str(value):
            return "it must be a network address with a prefix length"
    if form == "rfc3339" and not MOMENT.fullmatch(str(value)):
        return "it must be a date and time with a time zone, as in 2030-01-31T12:00:00Z"
    if form == "url" and not REQUEST_URI.fullmatch(str(value)):
        return "it must be a URL"
    if form == "json-object" and not is_json_object(str(value)):
        return "it must be a JSON object"
    if facts.get("type") == "number" and isinstance(value, str):
        return "it must be a number"
    if facts.get("type") == "bool" and not isinstance(value, bool):
        return "it must be true or false"
    return ""


def is_json_object(text: str) -> bool:
    """Whether a text is a JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def compact_block(block: Mapping[str, Any], rules: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Converts a block of a provider's schema to the format of provider.json, adding the rules for it."""
    arguments = {}
    for name, attribute in block.get("attributes", {}).items():
        facts = {"type": attribute.get("type", "dynamic")} | {
            k: v for k, v in rules.get(prefix + name, {}).items() if k in KEPT_RULES
        }
        for flag in ("required", "optional", "computed", "sensitive"):
            if attribute.get(flag):
                facts[flag] = True
        arguments[name] = facts
    blocks = {}
    for name, nested in block.get("block_types", {}).items():
        inner = compact_block(nested["block"], rules, f"{prefix}{name}.")
        blocks[name] = {
            "nesting": nested["nesting_mode"],
            **{short: nested[word] for short, word in (("min", "min_items"), ("max", "max_items")) if word in nested},
            **inner,
        }
    return {"arguments": arguments, **({"blocks": blocks} if blocks else {})}


def format_facts(facts: Mapping[str, Any]) -> str:
    """The text of a file of facts, with a line for each type."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(facts[name], sort_keys=True, separators=(',', ':'))}"
        for name in sorted(facts)
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    documents = [json.loads(pathlib.Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    rules: dict[str, Any] = {}
    for document in documents:
        if "resource_schemas" not in document:
            rules |= {k: v["arguments"] for k, v in document["resources"].items()} | {
                f"data.{k}": v["arguments"] for k, v in document["data_sources"].items()
            }
    facts = {}
    for document in documents:
        for section, before in (("resource_schemas", ""), ("data_source_schemas", "data.")):
            for name, schema in document.get(section, {}).items():
                facts[before + name] = compact_block(schema["block"], rules.get(before + name, {}))
    FILE.write_text(format_facts(facts), encoding="utf-8")


if __name__ == "__main__":
    main()
