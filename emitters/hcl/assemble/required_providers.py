"""The providers of a directory, and the versions of them that it needs.

Invariant: a module states only a lower bound, because the configuration that calls it decides. A root states a range.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from emitters.hcl.backends import LOWEST
from emitters.hcl.emission import Emission
from emitters.hcl.provider_requirements import Item, find_lacking_names, lowest_versions
from emitters.hcl.tables.provider import SOURCES
from emitters.hcl.tables.provider_versions import ProviderVersion, load_histories
from emitters.hcl.tree.nodes import Block, Object
from transpile.diagnostics import codes
from transpile.model.span import NOWHERE

# tflint does not know that the modules need the provider.
FOR_MODULES = " tflint-ignore: terraform_unused_required_providers"


def build_terraform_block(emission: Emission, lowest: Mapping[str, ProviderVersion], terraform_version: str) -> Block:
    """The block with the versions. lowest: see `lowest_versions_of_directory`. terraform_version: which versions of
    Terraform a root accepts; a module accepts all that hot2tf writes for.
    """
    block = Block("terraform")
    block.add_argument("required_version", terraform_version if emission.unit.module.is_root else LOWEST)
    sources, needed, own = emission.unit.tables.sources, list_providers(emission), list_own_providers(emission)
    overlay = emission.unit.tables.overlay
    if needed:
        inner = block.add_block("required_providers")
        for name in sorted(needed):
            written_name = overlay.name if name == overlay.parent else name
            source, version = sources[written_name]
            if written_name != name:
                version = version if emission.unit.module.is_root else version.replace("~>", ">=")
            elif name in lowest or not emission.unit.module.is_root:
                version = version_constraint(emission, name, lowest.get(name))
            entry = Object((("source", source), *((("version", version),) if version else ())))
            argument = inner.add_argument(written_name, entry)
            if name not in own:
                argument.comments.append(FOR_MODULES)
    return block


def list_providers(emission: Emission) -> set[str]:
    """The names of the providers that a complete directory needs: those of its blocks, and those of the modules that it
    calls. Without an entry in the caller, Terraform takes a name such as `openstack` there for `hashicorp/openstack`.
    """
    names = list_own_providers(emission)
    names.update(*(module.providers for module in emission.modules.values()))
    return names & emission.unit.tables.sources.keys()


def list_own_providers(emission: Emission) -> set[str]:
    """The names of the providers of a directory's own blocks."""
    blocks = emission.blocks
    return {
        item.labels[0].partition("_")[0]
        for item in (*blocks.main, *blocks.data, *blocks.configurations)
        if isinstance(item, Block) and item.type in ("resource", "data", "provider")
    }


def lowest_versions_of_directory(emission: Emission) -> dict[str, ProviderVersion]:
    """The lowest version of each provider, where versions are known, that has all of a directory and of its modules."""
    lowest = lowest_versions(items_with_names(emission), load_histories())
    for module in emission.modules.values():
        for provider, version in module.lowest_versions.items():
            lowest[provider] = max(lowest.get(provider, version), version)
    return lowest


def version_constraint(emission: Emission, provider: str, lowest: ProviderVersion | None) -> str:
    """The version in `required_providers`, e.g. `>= 2.0.0, < 4.0.0`. A version in a table of the user has the last
    word.

    lowest: the lowest version that has all names of the directory; None if the provider's versions are not known.
    """
    tables, is_module = emission.unit.tables, not emission.unit.module.is_root
    version = tables.sources[provider][1]
    if version != SOURCES.get(provider, ("", ""))[1]:
        return version
    if lowest is None:
        return version.replace("~>", ">=") if is_module else version
    target = tables.target_versions.get(provider)
    if is_module:
        return f">= {lowest}"
    newest = load_histories()[provider].newest
    return f">= {target or lowest}, < {ProviderVersion((target or newest).major + 1)}"


def items_with_names(emission: Emission) -> Iterable[Item]:
    """The items of a directory that can contain names of providers."""
    blocks = emission.blocks
    return (*blocks.main, *blocks.data, *blocks.outputs, *blocks.locals.values())


def report_lacking_names(emission: Emission) -> None:
    """Reports as an error names that the user's provider lacks, in parts that could not be left with Heat: a data
    source, for example.
    """
    for why in dict.fromkeys(why for _, why in find_lacking_names(emission.unit.tables, items_with_names(emission))):
        message = f"The output needs another provider: {why}."
        emission.log.add_diagnostic(codes.NEWER_THAN_PROVIDER, message, NOWHERE, severity="error")
