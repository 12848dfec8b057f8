"""Since which version a provider has a resource type, an argument, an attribute, or the meaning of one.

A name is a path: `openstack_networking_port_v2.fixed_ip.subnet_id`, `data.openstack_images_image_v2.tags`.
A name without an entry exists since the oldest version whose schema was read.

Invariant: `provider_versions.json` is generated from the schemas of released providers and `provider_changes.yaml`,
which has facts that schemas lack: changes of meaning, and the releases between two schemas. Regenerate it with
`python -m emitters.hcl.tables.provider_versions openstack-1.49.0.json …`; the version stands in each file's name.
"""

from __future__ import annotations

import functools
import json
import pathlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, final

import yaml

from transpile.model.lazy_patterns import compile_lazily

HERE = pathlib.Path(__file__).parent
FILE = HERE / "provider_versions.json"
CHANGES = HERE / "provider_changes.yaml"
VERSION = compile_lazily(r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?", re.ASCII)
NAME = compile_lazily(r"[a-z][a-z0-9-]*", re.ASCII)
ARGUMENT = "="  # after a path: the version since which the argument can be set, where it could only be read before
NOT_STORED = ("description", "version")
OPTIONAL = "?"  # after a path: the version since which the argument need not be set


class ProviderVersion(NamedTuple):
    """A released version. As text it has the parts that Terraform needs: `2.1.0`."""

    major: int
    minor: int = 0
    patch: int = 0

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def parse_version(text: str) -> ProviderVersion:
    """The version in a text such as `2`, `2.1` or `v2.1.0`. Raises ValueError for any other text."""
    match = VERSION.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a version such as 2.1")
    return ProviderVersion(*(int(part or 0) for part in match.groups()))


@final
class ProviderHistory:
    """The versions of a provider and their names. since: the first version of each name that is newer than `oldest`."""

    def __init__(self, oldest: ProviderVersion, newest: ProviderVersion, since: Mapping[str, ProviderVersion]) -> None:
        self.oldest, self.newest, self.since = oldest, newest, since
        self._arguments: dict[tuple[str, str], tuple[str, ProviderVersion]] = {}
        self._optional: dict[str, list[tuple[str, ProviderVersion]]] = {}
        for path, version in since.items():
            if path.endswith(OPTIONAL):
                owner, _, name = path[:-1].rpartition(".")
                self._optional.setdefault(owner, []).append((name, version))

    def version_of_name(self, path: str) -> ProviderVersion:
        """The first version that has a name, or the oldest known one."""
        return self.since.get(path, self.oldest)

    def find_argument(self, path: str, name: str) -> tuple[str, ProviderVersion]:
        """The name of an argument of a block, and the first version in which it can be set."""
        if (known := self._arguments.get((path, name))) is None:
            argument = f"{path}.{name}"
            version = max(self.version_of_name(argument), self.version_of_name(argument + ARGUMENT))
            known = self._arguments[path, name] = argument, version
        return known

    def arguments_required_before(self, path: str) -> Iterable[tuple[str, ProviderVersion]]:
        """The arguments that a block must set for older versions, each with the first that does not need it."""
        return self._optional.get(path, ())


@functools.cache
def load_histories() -> Mapping[str, ProviderHistory]:
    """The histories of providers, by provider. Those of other providers are not known."""
    return {
        name: ProviderHistory(
            parse_version(facts["oldest"]),
            parse_version(facts["newest"]),
            {path: parse_version(version) for path, version in facts["since"].items()},
        )
        for name, facts in json.loads(FILE.read_text(encoding="utf-8")).items()
    }


def check_wish(text: str) -> None:
    """Checks a provider that the user names: `openstack=2.1`, or only the name of one that a mapping table declares.
    Raises ValueError, with the reason.
    """
    if "=" in text or text in load_histories() or not NAME.fullmatch(text or "none"):
        read_target_versions(text)


def read_target_versions(text: str) -> dict[str, ProviderVersion]:
    """The version in `openstack=2.1`, by provider; empty for an empty text. Raises ValueError, with the reason."""
    if not text:
        return {}
    name, _, version = text.partition("=")
    history = load_histories().get(name)
    if history is None:
        raise ValueError(f"write PROVIDER=VERSION, with one of the providers {', '.join(load_histories())}")
    target = parse_version(version)
    if target < history.oldest:
        raise ValueError(f"the oldest version of {name} that hot2tf knows is {history.oldest}")
    return {name: target}


# generating the file


def names_in_schema(schema: Mapping[str, Any]) -> dict[str, str]:
    """The names in a provider's schema, each with its kind: `type`, `block`, or the flags of an argument."""
    names: dict[str, str] = {}
    for section, before in (("resource_schemas", ""), ("data_source_schemas", "data.")):
        for kind, about in schema.get(section, {}).items():
            names[before + kind] = "type"
            names.update(names_in_block(before + kind, about["block"]))
    return names


def names_in_block(path: str, block: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, about in block.get("attributes", {}).items():
        yield f"{path}.{name}", " ".join(flag for flag in ("required", "optional", "computed") if about.get(flag))
    for name, about in block.get("block_types", {}).items():
        yield f"{path}.{name}", "block"
        yield from names_in_block(f"{path}.{name}", about["block"])


def compare_schemas(schemas: Mapping[ProviderVersion, Mapping[str, str]]) -> dict[str, ProviderVersion]:
    """Since when names are as in the newest schema. A name inside of a new one has no entry of its own.

    The older schemas were stored without any `description` or `version`, so they cannot say that one of these is new.
    """
    *older, newest = sorted(schemas)
    since: dict[str, ProviderVersion] = {}

    def first_version(holds: list[bool]) -> ProviderVersion:
        """The version after the last that differs."""
        differing = [index for index, same in enumerate(holds) if not same]
        return [*older, newest][differing[-1] + 1] if differing else min(schemas)

    for path, kind in sorted(schemas[newest].items()):
        if any(path.startswith(f"{owner}.") for owner in ancestors(path) if owner in since):
            continue
        kinds = [schemas[version].get(path) for version in older]
        exists = [k is not None and (k == "block") == (kind == "block") for k in kinds]
        if path.rpartition(".")[2] not in NOT_STORED and not all(exists):
            since[path] = first_version(exists)
            continue
        settable = [k is None or k != "computed" or kind == "computed" for k in kinds]
        if not all(settable):
            since[path + ARGUMENT] = first_version(settable)
        optional = [k is None or k != "required" or kind == "required" for k in kinds]
        if not all(optional):
            since[path + OPTIONAL] = first_version(optional)
    return {path: version for path, version in since.items() if version > min(schemas)}


def ancestors(path: str) -> Iterator[str]:
    while "." in path:
        path = path.rpartition(".")[0]
        yield path


def main() -> None:
    schemas: dict[str, dict[ProviderVersion, dict[str, str]]] = {}
    for name in sys.argv[1:]:
        provider, _, version = pathlib.Path(name).name.removesuffix(".json").rpartition("-")
        document = json.loads(pathlib.Path(name).read_text(encoding="utf-8"))
        schemas.setdefault(provider, {})[parse_version(version)] = names_in_schema(document)
    changes = yaml.safe_load(CHANGES.read_text(encoding="utf-8"))
    out = {}
    for provider, by_version in sorted(schemas.items()):
        since = {path: str(version) for path, version in compare_schemas(by_version).items()}
        for version, paths in changes.get(provider, {}).items():
            since |= {path: str(parse_version(version)) for path in paths}
        out[provider] = {
            "oldest": str(min(by_version)),
            "newest": str(max(by_version)),
            "since": dict(sorted(since.items())),
        }
    FILE.write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
