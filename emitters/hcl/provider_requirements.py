"""The versions of providers that blocks need: those that have every name in them, with the meaning they rely on; and
the parts of a block that the output's provider lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from emitters.hcl.tables.overlays import DATA, ProviderOverlay
from emitters.hcl.tables.provider_versions import ProviderHistory, ProviderVersion, load_histories
from emitters.hcl.tables.tables import Tables
from emitters.hcl.tree.nodes import CHILDREN, Argument, Attr, Block, Expr, Index, Note, Splat, Traversal

Item = Argument | Block | Note


def lowest_versions(items: Iterable[Item], histories: Mapping[str, ProviderHistory]) -> dict[str, ProviderVersion]:
    """The lowest version of each provider with a history that has everything in some items."""
    needed: dict[str, set[ProviderVersion]] = {}
    for provider, _, version in required_versions(items, histories):
        needed.setdefault(provider, set()).add(version)
    return {provider: max(versions) for provider, versions in needed.items()}


def required_versions(
    items: Iterable[Item], histories: Mapping[str, ProviderHistory]
) -> Iterator[tuple[str, str, ProviderVersion]]:
    """The names of providers with a history in some items, each with its provider and the version that it needs."""
    stack = list(items)
    for block in [item for item in stack if isinstance(item, Block) and item.type in ("resource", "data")]:
        provider = provider_of_path(block.labels[0])
        if (history := histories.get(provider)) is not None:
            path = f"{'data.' * (block.type == 'data')}{block.labels[0]}"
            for name, version in versions_of_block(block, path, history):
                yield provider, name, version
    for path in list_attributes(stack):
        provider = provider_of_path(path)
        if (history := histories.get(provider)) is not None:
            yield provider, path, history.version_of_name(path)


def versions_of_block(block: Block, path: str, history: ProviderHistory) -> list[tuple[str, ProviderVersion]]:
    """The versions that a block, its arguments and the blocks in it need. path: its name in the schema."""
    versions = [(path, history.version_of_name(path))]
    arguments = set()
    for item in block.body:
        if type(item) is Argument:
            arguments.add(item.name)
            versions.append(history.find_argument(path, item.name))
        elif type(item) is Block and item.type == "dynamic":
            content = next(inner for inner in item.body if type(inner) is Block)
            versions += versions_of_block(content, f"{path}.{item.labels[0]}", history)
        elif type(item) is Block:
            versions += versions_of_block(item, f"{path}.{item.type}", history)
    versions += [(f"{path}.{n}", v) for n, v in history.arguments_required_before(path) if n not in arguments]
    return versions


def list_attributes(items: Iterable[Item]) -> list[str]:
    """The attributes of resources and data sources in items: `openstack_networking_port_v2.all_fixed_ips`."""
    paths: list[str] = []
    stack: list[Item | Expr] = [*items]
    while stack:
        current = stack.pop()
        if type(current) is str:  # most are
            continue
        if type(current) is Argument:
            stack.append(current.value)
        elif type(current) is Traversal:
            if path := attribute_path(current.parts):
                paths.append(path)
        elif type(current) is Block:
            stack += current.body
        elif (inside := CHILDREN.get(type(current))) is not None:
            if isinstance(current, (Attr, Splat)):
                name = current.name if isinstance(current, Attr) else next(iter(current.names), "")
                of = current.of
                while isinstance(of, Index):
                    of = of.of
                if name and isinstance(of, Traversal) and (path := attribute_path((*of.parts, name))):
                    paths.append(path)
            stack += inside(current)
    return paths


def attribute_path(parts: tuple[str, ...]) -> str:
    """The name in the schema of a traversal such as `data.openstack_images_image_v2.image.id`; empty if it has none."""
    data = parts[0] == "data"
    kind, rest = (parts[1], parts[3:]) if data and len(parts) > 3 else (parts[0], parts[2:])
    return f"{'data.' * data}{kind}.{rest[0]}" if rest and "_" in kind else ""


def kind_of_path(path: str) -> str:
    """The type that a path begins with: `openstack_lb_pool_v2` of `openstack_lb_pool_v2.persistence.type`."""
    return path.removeprefix("data.").partition(".")[0]


def provider_of_path(path: str) -> str:
    return path.removeprefix("data.").partition("_")[0]


def find_lacking_names(tables: Tables, items: Iterable[Item]) -> Iterator[tuple[str, str]]:
    """The names that the provider does not have for which the user wants the output: an older version of OpenStack's,
    or one that replaces it. Each with the reason.
    """
    if targets := tables.target_versions:
        for provider, path, version in required_versions(items, load_histories()):
            limit = targets.get(provider)
            if limit is not None and version > limit:
                yield path, f"{path} needs version {version} of the provider, and the output is for {limit}"
    if tables.overlay.parent:
        yield from find_overlay_gaps(tables.overlay, items)


def find_overlay_gaps(overlay: ProviderOverlay, items: Iterable[Item]) -> Iterator[tuple[str, str]]:
    """The names in some items that a provider does not have, and the arguments that it alone requires."""
    stack = list(items)
    for block in [item for item in stack if isinstance(item, Block) and item.type in ("resource", "data")]:
        if provider_of_path(block.labels[0]) == overlay.parent:
            path = f"{'data.' * (block.type == 'data')}{block.labels[0]}"
            yield from find_block_gaps(overlay, block, path)
    for path in list_attributes(stack):
        if why := overlay.why_lacking(path):
            yield path, why


def find_block_gaps(overlay: ProviderOverlay, block: Block, path: str) -> Iterator[tuple[str, str]]:
    """The gaps of a provider for a block and its nested blocks, by path: names it lacks, and arguments it requires."""
    if why := overlay.why_lacking(path):
        yield path, why
        return
    names = set()
    for item in block.body:
        if isinstance(item, Argument):
            names.add(item.name)
            if why := overlay.why_lacking(f"{path}.{item.name}", argument=True):
                yield f"{path}.{item.name}", why
        elif isinstance(item, Block):
            dynamic = item.type == "dynamic"
            names.add(item.labels[0] if dynamic else item.type)
            content = next(inner for inner in item.body if isinstance(inner, Block)) if dynamic else item
            yield from find_block_gaps(overlay, content, f"{path}.{item.labels[0] if dynamic else item.type}")
    for name in overlay.required.get(path, ()):
        if name not in names:
            yield (
                f"{path}.{name}",
                f"the provider {overlay.name} requires {f'{path}.{name}'.removeprefix(DATA).partition('.')[2]} of "
                f"{overlay.types[kind_of_path(path)]}",
            )


def why_attribute_lacking(path: str, tables: Tables) -> str:
    """Why the provider that the output is for does not have an attribute; empty if it does."""
    history = load_histories().get(provider_of_path(path)) if tables.target_versions else None
    if history is not None:
        limit = tables.target_versions.get(provider_of_path(path), history.newest)
        if (version := history.version_of_name(path)) > limit:
            return f"{path} needs version {version} of the provider, and the output is for {limit}"
    return tables.overlay.why_lacking(path)
