"""Adds input variables for values that Heat could find or read but the provider cannot, with `--prefer native`.

Invariant: a variable has one meaning wherever it is used. Addresses are keyed by the ID of their floating IP, and IDs
by the name of their resource. So a missing entry is an error, and never gives the value of another resource.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.modules import TerraformModule
from emitters.hcl.synthetic_variables import NO_DEFAULT
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Index, Object, Traversal
from emitters.hcl.tree.types import ANY, STRING, TypedValue
from emitters.hcl.unit import Unit, known_after_apply
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import attribute_path

# keys of variables; those that begin with SHARED are the same in all modules, which get them from the root
OF_PARAMETER, READ, SHARED = "address of ", "read ", "shared "
ADDRESSES = f"{SHARED}floating IP addresses"
FLOATING = {heat_types.NEUTRON_FLOATING_IP: "floating_ip_address", heat_types.NOVA_FLOATING_IP: "ip"}
LIST = "openstack floating ip list -c ID -c 'Floating IP Address'"
SHOW = {
    heat_types.CINDER_VOLUME: "openstack volume show",
    heat_types.NEUTRON_NET: "openstack network show",
    heat_types.NEUTRON_PORT: "openstack port show",
    heat_types.NEUTRON_ROUTER: "openstack router show",
    heat_types.NEUTRON_SUBNET: "openstack subnet show",
    heat_types.NOVA_SERVER: "openstack server show",
    heat_types.OCTAVIA_LOAD_BALANCER: "openstack loadbalancer show",
    heat_types.SWIFT_CONTAINER: "openstack container show",
}


def refuse_floating_ip(expr: ir.Expr, *, avoidable: bool = False) -> CannotSay:
    return CannotSay(codes.KEPT_IN_HEAT, "no data source finds a floating IP by ID", expr, avoidable=avoidable)


def floating_ip_address(lowering: HclLowering, expr: ir.Expr, *, needed: bool = True) -> Expr:
    """The address of the floating IP with an ID: an attribute if the template creates it, otherwise an entry of a
    variable. needed: a missing entry is an error; else it gives null.
    """
    if isinstance(expr, ir.Lit) and expr.value in (None, ""):
        return None
    if isinstance(expr, ir.If) and expr.orelse is not None:
        if (decided := lowering.decide_condition(expr.condition)) is not None:
            return floating_ip_address(lowering, expr.then if decided else expr.orelse, needed=needed)
        then = floating_ip_address(lowering.with_fact(expr.condition), expr.then, needed=needed)
        other = floating_ip_address(lowering.with_fact(ir.Call("not", expr.condition)), expr.orelse, needed=needed)
        return Cond(lowering.lower_condition(expr.condition), then, other)
    unit = lowering.unit
    if isinstance(expr, ir.ResourceRef) and (attribute := FLOATING.get(unit.stack.types.get(expr.name, ""))):
        return lowering.lower_expression(ir.AttrRef(expr.name, (ir.Lit(attribute),), span=expr.span), STRING)
    if isinstance(expr, ir.ParamRef) and not expr.path and not unit.module.is_root:
        return lowering.symbols.variables.get_variable(
            OF_PARAMETER + expr.name,
            snake_case(f"{expr.name}_address"),
            f"Address of the floating IP with the ID {expr.name}.",
            Traversal(("string",)),
        )
    if known_after_apply(expr):
        raise refuse_floating_ip(expr)
    variable = lowering.symbols.variables.get_variable(
        ADDRESSES,
        "floating_ip_addresses",
        f"Addresses of existing floating IPs, by ID; `{LIST}` prints both.",
        Fn("map", (Traversal(("string",)),)),
    )
    whose = "this floating IP"
    if isinstance(expr, ir.Lit) or (isinstance(expr, ir.ParamRef) and not expr.path):
        whose = f"the floating IP {expr.value if isinstance(expr, ir.Lit) else expr.name}"
    label = variable.parts[1]
    message = f"The provider finds no floating IP by its ID; the variable {label} must have the address of {whose}."
    hint = f"`{LIST}` prints the addresses."
    lowering.say(codes.FLOATING_IP_KNOWN_BY_ID, message, expr, hint)
    lowering.log.add_comment(
        lowering.scope.at if lowering.scope.at >= 0 else expr.at, codes.FLOATING_IP_KNOWN_BY_ID, message
    )
    by_id = lowering.lower_expression(expr, STRING)
    return Index(variable, by_id) if needed else Fn("lookup", (variable, by_id, None))


def id_by_name(lowering: HclLowering, noun: str, value: Expr, *, surely: bool) -> Expr:
    """The ID of the resource with a name, from a variable with the IDs by name. noun: the kind of resource, in words.
    surely: the value is a name; otherwise it may be the ID itself, which is then used as it is.
    """
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    variable = lowering.symbols.variables.get_variable(
        f"{SHARED}{noun}",
        snake_case(f"{noun.lower()}_ids"),
        f"IDs of {plural}, by name.",
        Fn("map", (Traversal(("string",)),)),
        default=NO_DEFAULT if surely else Object(()),
    )
    label = variable.parts[1]
    if isinstance(value, str):
        message = f"The provider finds no {noun} by its name; the variable {label} must have the ID of {value}."
    else:
        message = f"The provider finds no {noun} by its name; the variable {label} must have the ID of such a name."
    lowering.differs(codes.KNOWN_ONLY_BY_NAME, message)
    return Index(variable, value) if surely else Fn("lookup", (variable, value, value))


def variable_for_text(
    lowering: HclLowering, resource: ir.Resource, argument: str, *, secret: bool = False
) -> Traversal:
    """The variable for a text that the provider requires, and that Heat lets the service choose. argument: the name of
    the argument.
    """
    name, words = resource.name, argument.replace("_", " ")
    variable = lowering.symbols.variables.get_variable(
        f"open {name}.{argument}",
        snake_case(f"{name}_{argument}"),
        f"The {words} of {name}, which the provider requires and the template does not set.",
        Traversal(("string",)),
        sensitive=secret,
        nullable=False,
    )
    message = f"The provider requires the {words} of {name}; the variable {variable.parts[1]} must have it."
    lowering.differs(codes.REQUIRED_ONLY_BY_PROVIDER, message, resource.name_span)
    return variable


def variable_for_attribute(
    lowering: HclLowering, ref: ir.AttrRef, reason: CannotSay, *, exists: bool
) -> TypedValue | None:
    """The variable for an attribute that the provider does not read. exists: Terraform does not create the resource, so
    the value is known before the first apply. None if no single variable can hold the value: in a loop, in a module
    with several instances, or at a computed path. Outputs do without, too: they are null, or Heat computes them.
    """
    unit, words = lowering.unit, attribute_path(ref.path)
    if reason.code != codes.NOT_POSSIBLE_IN_HCL or lowering.scope.in_output or lowering.scope.bound:
        return None
    if not words or not all(isinstance(part, ir.Lit) for part in ref.path) or has_several_calls(unit, unit.module):
        return None
    if not unit.policy.asks_for_values:
        reason.avoidable = True
        return None
    kind, whole = unit.stack.types[ref.name], len(ref.path) == 1
    facts = unit.stack.catalog.find_type(kind).get("attributes", {})
    first = ref.path[0]
    listed = isinstance(first, ir.Lit) and facts.get(str(first.value)) in ("list", "map")
    text = whole and not listed
    command_hint = f"; `{SHOW[kind]}` prints it" if kind in SHOW else ""
    later = "" if exists else " Known only after the first apply: null until then."
    variable = lowering.symbols.variables.get_variable(
        f"{READ}{ref.name}.{words}",
        snake_case(f"{ref.name}_{words.replace('IP', 'Ip')}"),
        f"Attribute {words} of {ref.name}, which Terraform cannot read{command_hint}.{later}",
        Traversal(("string" if text else "any",)),
        default=NO_DEFAULT if exists else None,
    )
    ask = "must have it" if exists else "can have it after the first apply, and is null until then"
    message = f"The provider does not read {words} of {ref.name}; the variable {variable.parts[1]} {ask}."
    lowering.differs(codes.ATTRIBUTE_AS_VARIABLE, message, ref)
    return TypedValue(
        variable, STRING if text else ANY
    )  # not as nullable: null inside a text shall fail, not become ""


def has_several_calls(unit: Unit, module: TerraformModule) -> bool:
    """Whether a module has several instances, of its own or of its callers. Their values differ, and one variable
    cannot hold them all.
    """
    if module.is_root:
        return False
    if len(module.calls) != 1 or module.calls[0].written != module.calls[0].resource.type:
        return True
    return has_several_calls(unit, unit.modules.module_of_stack(module.calls[0].stack))
