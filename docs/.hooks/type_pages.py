"""A page for each of Heat's resource types with its mapping, and the list of all of them.

Invariant: the words are those of `hot2tf types NAME` and docs/resource-types.md; they come from the mapping tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_parts import aside, code, joined, listed, named, prose, table

from emitters.hcl.adoption import imports_listing
from emitters.hcl.tables import imports, listing
from transpile.schema import documentation
from transpile.schema.catalog import read_aliases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emitters.hcl.tables.mapping import TypeMapping
    from emitters.hcl.tables.tables import Tables
    from transpile.schema.catalog import TypeFacts

UP = "../"


def path(name: str) -> str:
    """The path of a type's page. Colons would begin a URL's scheme."""
    return f"types/{name.replace('::', '-')}.md"


def index(tables: Tables) -> str:
    """The list of all types, in place of the long page with all notes."""
    title, _, kinds, _ = listing.print_types_page().split("\n\n", 3)
    parts = [
        title,
        "Each type has a page with all its properties and attributes; `hot2tf types NAME` shows the same.",
        kinds,
    ]
    type_names = tables.catalog.type_names()
    for service, names in listing.list_services(tables):
        rows = []
        for name in names:
            displayed, treatment, outcome, _ = listing.type_row(tables, name)
            retired = displayed.removeprefix(f"`{name}`")
            rows.append((f"[{code(name)}]({path(name)}){retired}", treatment, outcome))
        parts += [f"## {service}", table(("type", "treatment", "converted to, or reason"), rows)]
    parts += ["## Aliases", "Heat accepts these as other names of the types beside them."]
    parts.append(
        table(
            ("name", "type"),
            ((code(a), f"[`{t}`]({path(t)})" if t in type_names else code(t)) for a, t in read_aliases().items()),
        )
    )
    return joined(parts)


def page(tables: Tables, name: str) -> str:
    kind, facts = tables.find_mapping(name), tables.catalog.find_type(name) or {}
    treatment = kind.treatment
    parts = [
        f"# {name}",
        aside(f"{badge(treatment)} [All resource types](../resource-types.md)"),
        summary(tables, name, kind),
    ]
    parts += (
        [f"Heat has kept it as a placeholder only: it last worked in {facts['retired']}."] if "retired" in facts else []
    )
    others = [alias for alias, of in read_aliases().items() if of == name]
    parts += [f"Heat also knows it as {', '.join(map(code, others))}."] if others else []
    if treatment != "embedded":
        parts += mapping(kind, facts)
        parts += taking_over(kind)
    elif kind.other is not None:
        parts += ["## With `--prefer native` { data-search-exclude }", prose(sentence(kind.other.why), UP)]
        parts += mapping(kind.other, facts)
    parts += ["## See also { data-search-exclude }", *listed(further(treatment))]
    return joined(parts)


def badge(treatment: str) -> str:
    return f'<span class="treatment {treatment}">{treatment}</span>'


def summary(tables: Tables, name: str, kind: TypeMapping) -> str:
    """What becomes of a type, as a sentence."""
    if kind.treatment == "embedded":
        why = f" {prose(sentence(kind.why), UP)}" if kind.why else ""
        return f"It stays with Heat, in a template inside the Terraform directory.{why}"
    if kind.resource and kind.treatment == "native":
        more = f" {prose(sentence(kind.why), UP)}" if kind.why else ""
        return f"It becomes {code(kind.resource)}.{more}"
    return prose(sentence(listing.describe_target(tables, name)), UP)


def sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


def mapping(kind: TypeMapping, facts: TypeFacts) -> Iterator[str]:
    """Properties and attributes, each with what it becomes."""
    schemas = dict(documentation.walk_properties(facts.get("properties", {})))
    fates = {path: fate for prop, rule in kind.properties.items() for path, fate in rule.describe(prop)}
    fates |= dict.fromkeys(sorted(kind.properties_in_texts), "a part of texts")
    fates |= {kind.provider: "chooses the configuration of the provider"} if kind.provider else {}
    if fates:
        yield "## Properties"
        paths = dict.fromkeys([*fates, *schemas])
        rows = (
            (
                code(path),
                named(fates.get(path, ""), UP),
                prose(documentation.describe_property(schemas[path])) if path in schemas else "",
            )
            for path in paths
        )
        yield table(("property", "becomes", "in Heat"), rows)
    referred = listing.describe_reference(kind)
    show_rules = {f"show.{name}": rule for name, rule in (kind.show or {}).items()}
    rules = {**(kind.attributes or {}), **show_rules}
    if referred or rules:
        yield "## Attributes"
        reference_rows = [(code("get_resource"), named(referred, UP))] if referred else []
        yield table(
            ("attribute", "becomes"),
            [*reference_rows, *((code(a), named(listing.describe_attribute_rule(r), UP)) for a, r in rules.items())],
        )


def taking_over(kind: TypeMapping) -> Iterator[str]:
    """How a running one is imported."""
    row = imports.find_row(kind.resource)
    if row is imports.UNKNOWN_ROW:
        return
    yield "## Taking over a running one"
    if row.none:
        yield f"It cannot be imported: {prose(row.none)}."
    else:
        yield f"Import ID of {code(kind.resource)}: {imports_listing.describe_ids(row)}"
        if row.unread:
            yield f"Not read back by the provider: {imports_listing.list_ignored(row)}."


def further(treatment: str) -> Iterator[str]:
    if treatment == "embedded":
        yield "[What stays with Heat, and why](../embedding.md)"
        yield "[Leaving Heat](../leaving-heat.md)"
        yield "[Mapping tables of your own](../mappings.md)"
    else:
        yield "[Import IDs](../import-ids.md)"
        yield "[Mapping tables](../mappings.md)"
