"""OS::Heat::Stack, and AWS::CloudFormation::Stack, with a template in a file, as a `module` block.

Invariant: only the outputs and the name of the stack can be read. Another region becomes an argument of everything in
the module. Terraform cannot use the credentials of another cloud, so such a stack stays with Heat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.hooks.module import called
from emitters.hcl.hooks.values import prop
from emitters.hcl.namespace import output as output_name
from emitters.hcl.nested.calls import Call, Called
from emitters.hcl.plan.modules import region_of
from emitters.hcl.tree.nodes import Attr, Expr, Object
from emitters.hcl.tree.types import OBJECT, STRING, Value
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import Attribute, Outputs, select
from transpile.report import attribute_path, fate
from transpile.resolve.groups import INSIDE, STACKS, passed_on

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.resources.handles import Select
    from emitters.hcl.tables.mapping import Kind


@final
class OwnStack(Called):
    """The handle of the module call for a resource that is a stack: `[stack, outputs, name]` reads an output."""

    def chooser(self, lowering: Lowering, ref: ir.AttrRef, path: tuple[ir.Expr, ...]) -> Select:
        match select(heat_types.STACK, path):
            case Attribute("stack_name", ()):
                return lambda base: Value(self.stack_name(), STRING)
            case Outputs(()):
                outputs = self.module.stack.template.outputs
                return lambda base: Value(Object(tuple((n, Attr(base, output_name(n))) for n in outputs)), OBJECT)
            case Outputs(inner):
                return super().chooser(lowering, ref, inner)
        why = f"a stack has no {attribute_path(path) or 'map of attributes'}"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.resource.name)

    def stack_name(self) -> Expr:
        return self.emission.symbols.generated_name(self.resource.name)


@prepare_hook("stack")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    context = prop(resource, "context")
    where = context.value if context is not None else ir.NULL
    if context is not None and where != ir.NULL:
        others = [e.key for e in where.entries if e.value != ir.NULL] if isinstance(where, ir.Map) else ["context"]
        if others != ["region_name"][: len(others)]:
            why = (
                f"only Heat can use this context of another cloud: {', '.join(o for o in others if o != 'region_name')}"
            )
            raise CannotSay(codes.KEPT_IN_HEAT, why, context, resource.name)
    found = called(emission, resource, INSIDE, counted=emission.unit.counted(resource))
    return OwnStack(emission, resource, found.module, found.address[1], counted=found.counted)


@write_hook("stack")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    handle = emission.handles[resource.name]
    assert isinstance(handle, OwnStack)
    source, given = STACKS[resource.kind]
    report, region, inner = emission.log.resource_report(resource), region_of(resource), prop(resource, given)
    if inner is not None and inner.value != ir.NULL and not isinstance(inner.value, ir.Map):
        why = f"the parameters of {resource.name} are known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, inner, resource.name)
    lowering = emission.lowering.of_resource(resource, handle.address[1])
    call = Call(emission, handle, passed_on(resource, INSIDE), lowering, f"{given}.")
    if region is not None:
        call.region = lowering.expr(region, STRING)
    call.write()
    for entry in resource.properties.entries if resource.properties is not None else ():
        if entry.key == source:
            report.properties[source] = fate("derived", call.to, "source", "the template became the module")
        elif entry.key == "context":
            if region is not None:
                report.properties["context.region_name"] = fate("value", call.to, call.region_argument)
            else:
                report.properties["context"] = fate("implied", why="the region of the provider")
        elif entry.key == given:
            if not (isinstance(entry.value, ir.Map) and entry.value.entries):
                report.properties[given] = fate("implied", why="no parameters are set")
        else:
            report.properties[entry.key] = fate("implied", why="each resource of the module has its own timeout")
