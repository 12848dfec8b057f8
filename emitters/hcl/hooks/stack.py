"""OS::Heat::Stack, and AWS::CloudFormation::Stack, with a template in a file, as a `module` block.

Invariant: only the outputs and the name of the stack can be read. Another region becomes an argument of everything in
the module. Terraform cannot use the credentials of another cloud, so such a stack stays with Heat.
"""

from __future__ import annotations

from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.hooks.module import prepare_call
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.nested.calls import CallWriter, ModuleHandle
from emitters.hcl.plan.modules import region_of
from emitters.hcl.resources.handles import Selector
from emitters.hcl.tree.nodes import Attr, Object
from emitters.hcl.tree.types import OBJECT, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import Outputs, ResourceAttribute, parse_attribute_path
from transpile.report import attribute_path, make_fate
from transpile.resolve.groups import INSIDE, STACKS, nested_parameter_values


@final
class OwnStack(ModuleHandle):
    """The handle of the module call for a resource that is a stack: `[stack, outputs, name]` reads an output."""

    def attribute_selector(self, lowering: HclLowering, ref: ir.AttrRef, path: tuple[ir.Expr, ...]) -> Selector:
        match parse_attribute_path(heat_types.STACK, path):
            case ResourceAttribute("stack_name", ()):
                return lambda base: TypedValue(self.emission.symbols.generated_name(self.resource.name), STRING)
            case Outputs(()):
                assert self.module.interface is not None
                labels = self.module.interface.output_labels.items()
                return lambda base: TypedValue(Object(tuple((name, Attr(base, at)) for name, at in labels)), OBJECT)
            case Outputs(inner):
                return super().attribute_selector(lowering, ref, inner)
        why = f"a stack has no {attribute_path(path) or 'map of attributes'}"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.resource.name)


@resource_hook("stack")
def prepare_stack(emission: Emission, resource: ir.Resource) -> Prepared:
    where = resource.value_of("context")
    if where != ir.NULL:
        others = [e.key for e in where.entries if e.value != ir.NULL] if isinstance(where, ir.Map) else ["context"]
        if others != ["region_name"][: len(others)]:
            why = (
                f"only Heat can use this context of another cloud: {', '.join(o for o in others if o != 'region_name')}"
            )
            raise CannotSay(codes.KEPT_IN_HEAT, why, resource.find_entry("context") or where, resource.name)
    call = prepare_call(emission, resource, INSIDE, counted=emission.unit.has_count(resource))
    handle = OwnStack(emission, resource, call.module, call.address[1], counted=call.counted)
    return Prepared(handle, lambda: write_stack(emission, resource, handle))


def write_stack(emission: Emission, resource: ir.Resource, handle: OwnStack) -> None:
    source, parameters_key = STACKS[resource.kind]
    report, region, inner = (
        emission.log.resource_report(resource),
        region_of(resource),
        resource.find_entry(parameters_key),
    )
    if inner is not None and not isinstance(inner.value, ir.Map):
        raise only_at_run_time(f"the parameters of {resource.name} are", inner, resource.name)
    lowering = emission.lowering.with_resource(resource, handle.address[1])
    call = CallWriter(emission, handle, nested_parameter_values(resource, INSIDE), lowering, f"{parameters_key}.")
    if region is not None:
        call.region = lowering.lower_expression(region, STRING)
    call.write_module_block()
    for entry in resource.entries:
        if entry.key == source:
            report.properties[source] = make_fate("derived", call.to, "source", "the template became the module")
        elif entry.key == "context":
            if region is not None:
                report.properties["context.region_name"] = make_fate("value", call.to, call.region_argument)
            else:
                report.properties["context"] = make_fate("implied", why="the region of the provider")
        elif entry.key == parameters_key:
            if not (isinstance(entry.value, ir.Map) and entry.value.entries):
                report.properties[parameters_key] = make_fate("implied", why="no parameters are set")
        else:
            report.properties[entry.key] = make_fate("implied", why="each resource of the module has its own timeout")
