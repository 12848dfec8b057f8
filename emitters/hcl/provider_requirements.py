"""The versions of providers that blocks need: those that have every name in them, with the meaning they rely on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from emitters.hcl.tables.provider_versions import ProviderHistory, ProviderVersion, load_histories
from emitters.hcl.tree.nodes import CHILDREN, Argument, Attr, Block, Expr, Index, Note, Splat, Traversal

Item = Argument | Block | Note


def lowest_versions(items: Iterable[Item], histories: Mapping[str, ProviderHistory]) -> dict[str, ProviderVersion]:
    """The lowest version of each provider with a history that has everything in some items."""
    lowest: dict[str, ProviderVersion] = {}
    for path, version in required_versions(items, histories):
        provider = provider_of_path(path)
        lowest[provider] = max(lowest.get(provider, version), version)
    return lowest


def required_versions(
    items: Iterable[Item], histories: Mapping[str, ProviderHistory]
) -> Iterator[tuple[str, ProviderVersion]]:
    """The names of providers with a history in some items, each with the version that it needs."""
    stack = list(items)
    for block in [item for item in stack if isinstance(item, Block) and item.type in ("resource", "data")]:
        if (history := histories.get(provider_of_path(block.labels[0]))) is not None:
            path = f"{'data.' * (block.type == 'data')}{block.labels[0]}"
            yield path, history.version_of_name(path)
            yield from versions_of_block(block, path, history)
    while stack:
        item = stack.pop()
        if isinstance(item, Argument):
            for path in attributes_in_expression(item.value):
                if (history := histories.get(provider_of_path(path))) is not None:
                    yield path, history.version_of_name(path)
        elif isinstance(item, Block):
            stack += item.body


def versions_of_block(block: Block, path: str, history: ProviderHistory) -> Iterator[tuple[str, ProviderVersion]]:
    """The versions that the arguments and the inner blocks of a block need. path: its name in the schema."""
    arguments = set()
    for item in block.body:
        if isinstance(item, Argument):
            arguments.add(item.name)
            yield history.find_argument(path, item.name)
        elif isinstance(item, Block) and item.type == "dynamic":
            content = next(inner for inner in item.body if isinstance(inner, Block))
            yield f"{path}.{item.labels[0]}", history.version_of_name(f"{path}.{item.labels[0]}")
            yield from versions_of_block(content, f"{path}.{item.labels[0]}", history)
        elif isinstance(item, Block):
            yield f"{path}.{item.type}", history.version_of_name(f"{path}.{item.type}")
            yield from versions_of_block(item, f"{path}.{item.type}", history)
    for name, version in history.arguments_required_before(path):
        if name not in arguments:
            yield f"{path}.{name}", version


def attributes_in_expression(expr: Expr) -> Iterator[str]:
    """The attributes of resources and data sources in an expression: `openstack_networking_port_v2.all_fixed_ips`."""
    stack = [expr]
    while stack:
        current = stack.pop()
        if isinstance(current, str):  # most are
            continue
        if isinstance(current, Traversal):
            if path := attribute_path(current.parts):
                yield path
        elif isinstance(current, (Attr, Splat)):
            name = current.name if isinstance(current, Attr) else next(iter(current.names), "")
            of = current.of
            while isinstance(of, Index):
                of = of.of
            if name and isinstance(of, Traversal) and (path := attribute_path((*of.parts, name))):
                yield path
        stack += CHILDREN[type(current)](current) if type(current) in CHILDREN else ()


def attribute_path(parts: tuple[str, ...]) -> str:
    """The name in the schema of a traversal such as `data.openstack_images_image_v2.image.id`; empty if it has none."""
    data = parts[0] == "data"
    kind, rest = (parts[1], parts[3:]) if data and len(parts) > 3 else (parts[0], parts[2:])
    return f"{'data.' * data}{kind}.{rest[0]}" if rest and "_" in kind else ""


def provider_of_path(path: str) -> str:
    return path.removeprefix("data.").partition("_")[0]


def newer_names(targets: Mapping[str, ProviderVersion], items: Iterable[Item]) -> Iterator[tuple[str, ProviderVersion]]:
    """The names that the version of a provider does not have yet for which the user wants the output, each with the
    first version that has it. targets: that version, by provider.
    """
    if targets:
        for path, version in required_versions(items, load_histories()):
            if (limit := targets.get(provider_of_path(path))) is not None and version > limit:
                yield path, version


def why_too_new(path: str, version: ProviderVersion, targets: Mapping[str, ProviderVersion]) -> str:
    """The reason why output for an older version of a provider has no such name."""
    return f"{path} needs version {version} of the provider, and the output is for {targets[provider_of_path(path)]}"


def why_attribute_too_new(path: str, targets: Mapping[str, ProviderVersion]) -> str:
    """The same for one attribute; empty if the version that the user wants has it, or if the user names none."""
    history = load_histories().get(provider_of_path(path)) if targets else None
    if history is None or history.version_of_name(path) <= targets.get(provider_of_path(path), history.newest):
        return ""
    return why_too_new(path, history.version_of_name(path), targets)
