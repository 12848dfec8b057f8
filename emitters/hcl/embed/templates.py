"""Nested templates of an embedded stack: files below `templates/`, and the environment that maps types to them.

Invariant: an embedded stack sees only these files and this environment. So every type that is a template has an entry,
files are inlined in place of get_file, and values from parameter_defaults are repeated in the environment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from emitters.hcl.capability_comments import declared
from emitters.hcl.errors import CannotSay
from emitters.hcl.namespace import Names
from emitters.hcl.tree.nodes import Expr, Fn, Name, Text
from transpile import targets
from transpile.diagnostics import codes
from transpile.front import read_back
from transpile.model import ir
from transpile.model.records import replace
from transpile.model.span import NOWHERE
from transpile.resolve.registry import is_file
from transpile.text import yaml_scalars as scalars
from transpile.text.source import Unreadable

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from transpile.resolve.stack import Nested, Stack

PREFIX = "Nested::"
MARK = "inserted"  # replaces the values that Terraform inserts, when the text is read again to prove it


@final
class NestedTemplates:
    """The nested templates of one embedded stack."""

    def __init__(self, emission: Emission) -> None:
        self.emission = emission
        self.aliases: dict[str, str] = {}  # type as the embedded templates spell it → file
        self.of: dict[tuple[str, int], str] = {}  # file and registry, which decides what types mean → alias
        self.names = Names()
        self.defaults: dict[str, Any] = {}  # values by parameter; of a hidden one, the variable that has it

    def alias(self, nested: Nested, written: str) -> str:
        """The type name of a nested template in the environment: `Nested::node`. The first request writes its file."""
        key = nested.file, id(nested.stack.registry)
        if key not in self.of:
            stem = nested.file.rpartition("/")[2].rpartition(".")[0]
            alias = self.names.take(f"{PREFIX}{stem}" if is_file(written) else written)
            path = self.emission.names.template_file(nested.file.rpartition("/")[2])
            self.of[key], self.aliases[alias] = alias, path
            self.emission.blocks.files[path] = self.text(nested.stack)
            for name, given in nested.stack.given.items():
                param = nested.stack.template.parameters[name]
                secret = self.emission.symbols.hidden_default(param, given) if param.hidden else None
                self.defaults[name] = given.value if secret is None else secret
        return self.of[key]

    def text(self, stack: Stack) -> str:
        """A self-contained template: in HOT, with the files that it reads inlined."""
        template = stack.template
        if not template.version.hot:
            raise CannotSay(
                codes.KEPT_IN_HEAT, f"{template.source.name} is a CFN-era template nested in an embedded stack", NOWHERE
            )
        resources = {name: self.resource(stack, one) for name, one in template.resources.items()}
        outputs = {n: replace(o, value=inlined(stack, o.value)) for n, o in template.outputs.items()}
        claims = [ir.Comment(f" {line}", -1) for line in declared(template)]  # Heat rejects the section
        changed = replace(
            template,
            resources=resources,
            outputs=outputs,
            capabilities={},
            comments=(*claims, *template.comments),
        )
        shown: str = targets.load("hot").show(changed)
        return shown

    def resource(self, stack: Stack, one: ir.Resource) -> ir.Resource:
        """Rewrites a resource with the types of its own environment."""
        found = stack.nested.get((one.name, one.type))
        kind = self.alias(found, one.type) if found is not None else one.kind if stack.registry else one.type
        properties = one.properties
        if properties is not None:
            inner = inlined(stack, self.typed(stack, one, properties))
            assert isinstance(inner, ir.Map)
            properties = inner
        metadata = inlined(stack, one.metadata) if one.metadata is not None else None
        return replace(one, type=kind, properties=properties, metadata=metadata)

    def typed(self, stack: Stack, one: ir.Resource, expr: ir.Expr) -> ir.Expr:
        """Replaces the types of members that properties name, as `resource_def` of a group does, by their aliases."""

        def real(e: ir.Expr) -> ir.Expr:
            if not isinstance(e, ir.Map):
                return ir.rebuilt(e, real)
            entries = [ir.Entry(x.key, self.real_type(x, one.name, stack) or real(x.value), x.at) for x in e.entries]
            return ir.Map(tuple(entries), e.span)

        return real(expr) if stack.nested or stack.registry else expr

    def real_type(self, entry: ir.Entry, owner: str, stack: Stack) -> ir.Lit | None:
        value = entry.value
        if entry.key != "type" or not isinstance(value, ir.Lit) or not isinstance(value.value, str):
            return None
        if (nested := stack.nested.get((owner, value.value))) is not None:
            return ir.Lit(self.alias(nested, value.value), value.span)
        found = stack.registry.find(value.value) if stack.registry else None
        return ir.Lit(found.kind, value.span) if found is not None and not found.file else None

    def environment(self) -> Expr | None:
        """The text of the environment, with the checksum of each file, so that a plan shows changed files."""
        if not self.aliases:
            return None
        parts: list[str | Expr] = []
        meant: dict[str, dict[str, Any]] = {"resource_registry": {}}
        module = Name(("path", "module"))
        for path in self.aliases.values():
            parts += [f"# {path.removeprefix('templates/')} ", Fn("filesha256", (Text((module, f"/{path}")),)), "\n"]
        parts.append("resource_registry:\n")
        for alias, path in self.aliases.items():
            parts += [f"  {scalars.text(alias)}: ", module, f"/{path}\n"]
            meant["resource_registry"][alias] = f"{MARK}/{path}"
        if self.defaults:
            parts.append("parameter_defaults:\n")
            meant["parameter_defaults"] = {}
            for name, value in self.defaults.items():
                secret = isinstance(value, Name)
                shown = Fn("jsonencode", (value,)) if secret else scalars.flow(value)
                parts += [f"  {scalars.text(name)}: ", shown, "\n"]
                meant["parameter_defaults"][name] = MARK if secret else value
        text = "".join([part if isinstance(part, str) else MARK for part in parts])
        read_back.prove(text, meant, self.emission.unit.template.source, "An environment")
        return Text(tuple(parts))


def inlined(stack: Stack, expr: ir.Expr) -> ir.Expr:
    """Replaces get_file by the text of the file. The provider would look the files up where terraform runs."""
    if isinstance(expr, ir.FileRef):
        try:
            return ir.Lit(stack.root.read(expr.name).text(), expr.span)
        except Unreadable as e:
            raise CannotSay(codes.FILE_NOT_READ, f"{expr.name} was not read: {e.detail}", expr) from None
    return ir.rebuilt(expr, lambda inner: inlined(stack, inner))
