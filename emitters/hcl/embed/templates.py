"""Nested templates of an embedded stack: files below `templates/`, and the environment that maps types to them.

Invariant: an embedded stack sees only these files and this environment. So every type that is a template has an entry,
files are inlined in place of get_file, and values from parameter_defaults are repeated in the environment.
"""

from __future__ import annotations

from typing import Any, final

from emitters.hcl.capability_comments import capability_lines
from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.namespace import UniqueNames
from emitters.hcl.tree.nodes import Expr, Fn, StringTemplate, Traversal
from transpile import targets
from transpile.diagnostics import codes
from transpile.front import read_back
from transpile.model import ir
from transpile.model.records import replace
from transpile.model.span import NOWHERE
from transpile.resolve import groups
from transpile.resolve.registry import is_file
from transpile.resolve.stack import NestedStack, Stack, collect_parameter_values
from transpile.text import yaml_scalars as scalars
from transpile.text.source import UnreadableFile

PREFIX = "Nested::"
MARK = "inserted"  # replaces the values that Terraform inserts, when the text is read again to prove it


@final
class NestedTemplates:
    """The nested templates of one embedded stack."""

    def __init__(self, emission: Emission) -> None:
        self.emission = emission
        self.aliases: dict[str, str] = {}  # type as the embedded templates spell it → file
        self.aliases_by_template: dict[tuple[str, int], str] = {}  # file and registry, which maps types → alias
        self.mapped_types: dict[str, str] = {}  # types that keep their names → their mapped types
        self.names = UniqueNames()
        self.defaults: dict[str, Any] = {}  # values by parameter; of a hidden one, the variable that has it

    def request_alias(self, nested: NestedStack, written: str) -> str:
        """The type name of a nested template in the environment: `Nested::node`. The first request writes its file."""
        key = nested.file, id(nested.stack.registry)
        if key not in self.aliases_by_template:
            stem = nested.file.rpartition("/")[2].rpartition(".")[0]
            alias = self.names.reserve_name(f"{PREFIX}{stem}" if is_file(written) else written)
            path = self.emission.names.reserve_template_file(nested.file.rpartition("/")[2])
            self.aliases_by_template[key], self.aliases[alias] = alias, path
            try:
                self.emission.blocks.files[path] = self.print_self_contained(nested.stack)
            except CannotSay as reason:
                reason.source = reason.source or nested.stack.template.source
                raise
            for name, binding in nested.stack.bindings.items():
                param = nested.stack.template.parameters[name]
                secret = self.emission.symbols.hidden_default_variable(param, binding) if param.hidden else None
                self.defaults[name] = binding.value if secret is None else secret
        return self.aliases_by_template[key]

    def print_self_contained(self, stack: Stack) -> str:
        """A self-contained template: in HOT, with the files that it reads inlined."""
        template = stack.template
        if not template.version.is_hot:
            raise CannotSay(
                codes.KEPT_IN_HEAT, f"{template.source.name} is a CFN-era template nested in an embedded stack", NOWHERE
            )
        resources = {name: self.rewrite_resource(stack, resource) for name, resource in template.resources.items()}
        outputs = {n: replace(o, value=inline_files(stack, o.value)) for n, o in template.outputs.items()}
        claims = [ir.Comment(f" {line}", -1) for line in capability_lines(template)]  # Heat rejects the section
        rewritten = replace(
            template,
            resources=resources,
            outputs=outputs,
            capabilities={},
            comments=(*claims, *template.comments),
        )
        printed: str = targets.load_target_module("hot").show(rewritten)
        return printed

    def rewrite_resource(self, stack: Stack, resource: ir.Resource) -> ir.Resource:
        """Rewrites a resource with the types of its own environment."""
        nested = stack.nested.get((resource.name, resource.type))
        kind = (
            self.request_alias(nested, resource.type)
            if nested is not None
            else resource.kind
            if stack.registry
            else resource.type
        )
        properties = ir.as_map(inline_files(stack, self.alias_member_types(stack, resource, resource.properties)))
        metadata = inline_files(stack, resource.metadata) if resource.metadata else None
        return replace(resource, type=kind, properties=properties, metadata=metadata)

    def alias_member_types(self, stack: Stack, resource: ir.Resource, properties: ir.Map) -> ir.Map:
        """The properties of a resource, with aliases in place of the types of its members. A type that Heat computes
        keeps its name, which the environment explains.
        """
        if not stack.nested and not stack.registry:
            return properties
        replacements: dict[int, ir.Lit] = {}  # by id() of the literal with the type
        values = collect_parameter_values(stack.template, stack.bindings, stack.passed_parameters)
        for place in groups.member_type_places(resource, resource.kind):
            for written in groups.types_at_place(place, values):
                if not isinstance(place, ir.Lit):
                    self.keep_type_name(stack, resource.name, written)
                elif real_type := self.find_real_type(stack, resource.name, written):
                    replacements[id(place)] = ir.Lit(real_type, place.span)

        def alias_types(expr: ir.Expr) -> ir.Expr:
            return replacements.get(id(expr)) or ir.rebuilt(expr, alias_types)

        aliased = alias_types(properties) if replacements else properties
        assert isinstance(aliased, ir.Map)
        return aliased

    def find_real_type(self, stack: Stack, owner: str, written: str) -> str:
        """The alias of a nested template, or the type that the environment means by a name; empty if it has none."""
        if (nested := stack.nested.get((owner, written))) is not None:
            return self.request_alias(nested, written)
        resolved_type = stack.registry.resolve_type(written)
        return resolved_type.kind if stack.registry and resolved_type.is_known and not resolved_type.is_template else ""

    def keep_type_name(self, stack: Stack, owner: str, written: str) -> None:
        """Gives a type in the environment the name that it has in the template. A file has none there, as in Heat."""
        real_type = self.find_real_type(stack, owner, written) if not is_file(written) else ""
        if real_type in ("", written):
            return
        if real_type in self.aliases or self.mapped_types.setdefault(written, real_type) != real_type:
            why = f"two environments mean different things by the type {written}, which Heat computes"
            raise CannotSay(codes.KEPT_IN_HEAT, why, NOWHERE)

    def print_environment(self) -> Expr | None:
        """The text of the environment, with the checksum of each file, so that a plan shows changed files."""
        if not self.aliases and not self.mapped_types:
            return None
        parts: list[str | Expr] = []
        expected: dict[str, dict[str, Any]] = {"resource_registry": {}}
        module = Traversal(("path", "module"))
        for path in self.aliases.values():
            parts += [
                f"# {path.removeprefix('templates/')} ",
                Fn("filesha256", (StringTemplate((module, f"/{path}")),)),
                "\n",
            ]
        parts.append("resource_registry:\n")
        for alias, path in self.aliases.items():
            parts += [f"  {scalars.quote_if_needed(alias)}: ", module, f"/{path}\n"]
            expected["resource_registry"][alias] = f"{MARK}/{path}"
        for written, kind in self.mapped_types.items():
            parts.append(f"  {scalars.quote_if_needed(written)}: {scalars.quote_if_needed(kind)}\n")
            expected["resource_registry"][written] = kind
        if self.defaults:
            parts.append("parameter_defaults:\n")
            expected["parameter_defaults"] = {}
            for name, value in self.defaults.items():
                secret = isinstance(value, Traversal)
                printed_value = Fn("jsonencode", (value,)) if secret else scalars.print_flow(value)
                parts += [f"  {scalars.quote_if_needed(name)}: ", printed_value, "\n"]
                expected["parameter_defaults"][name] = MARK if secret else value
        text = "".join([part if isinstance(part, str) else MARK for part in parts])
        read_back.verify_written_yaml(text, expected, self.emission.unit.template.source, "An environment")
        return StringTemplate(tuple(parts))


def inline_files(stack: Stack, expr: ir.Expr) -> ir.Expr:
    """Replaces get_file by the text of the file. The provider would look the files up where terraform runs."""
    if isinstance(expr, ir.FileRef):
        try:
            return ir.Lit(stack.root.read_file(expr.name).decode_text(), expr.span)
        except UnreadableFile as e:
            raise CannotSay(codes.FILE_NOT_READ, f"{expr.name} was not read: {e.detail}", expr) from None
    return ir.rebuilt(expr, lambda inner: inline_files(stack, inner))
