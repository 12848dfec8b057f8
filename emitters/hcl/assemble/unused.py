"""Removes the unused parts of a directory: arguments of calls, locals, data sources and variables.

Invariant: the blocks of a resource of the template are never removed, even if nothing reads them. A variable with a
validation is not removed either: Heat refuses a stack whose parameters have wrong values, used or not.
"""

from __future__ import annotations

from emitters.hcl.assemble.references import find_reachable_addresses
from emitters.hcl.emission import Emission
from emitters.hcl.log import abbreviate_names
from emitters.hcl.tree.nodes import Argument, Block
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate

UNUSED = "nothing in the output uses it"
# the attributes of a parameter that have fates of their own, besides constraints
ATTRIBUTES = ("hidden", "immutable", "tags", "schema", "constraint_description", "label")


def remove_unused(emission: Emission) -> None:
    """Removes everything unused except the variables of parameters, whose labels go into `emission.unused`. Called when
    the modules that the directory calls are complete.
    """
    blocks, report = emission.blocks, emission.log.report
    for call in emission.calls:
        call.drop_unused_arguments()
    became = {address for entry in report.resources.values() for address in entry.addresses}
    holders: dict[str, Argument | Block] = {f"local.{label}": argument for label, argument in blocks.locals.items()}
    holders |= {block.address: block for block in blocks.data}
    used = find_reachable_addresses([*blocks.main, *blocks.outputs, *blocks.configurations], holders.get, became)
    gone = holders.keys() - used
    blocks.locals = {label: argument for label, argument in blocks.locals.items() if f"local.{label}" not in gone}
    blocks.data = [block for block in blocks.data if block.address not in gone]
    report.conditions = {n: row for n, row in report.conditions.items() if f"local.{row.get('local')}" not in gone}
    for resource in report.resources.values():
        for fates in (resource.properties, resource.keys):
            fates |= {
                path: make_fate("implied", why=UNUSED)
                for path, path_fate in fates.items()
                if path_fate.get("to") in gone
            }
    labels = {*emission.names.variables.values(), *(block.labels[0] for block in emission.variables.blocks.values())}
    emission.unused = {label for label in labels if f"var.{label}" not in used}
    synthetic = emission.variables.blocks
    emission.unused -= {block.labels[0] for block in synthetic.values() if has_validation(block)}
    emission.unused -= {block.labels[0] for key, block in synthetic.items() if key in emission.variables.imported}
    for key in [key for key, block in synthetic.items() if block.labels[0] in emission.unused]:
        del synthetic[key]
    own = emission.unit.template.parameters
    pseudo = [name for name, row in report.parameters.items() if row.get("variable") in emission.unused - own.keys()]
    for name in pseudo:
        del report.parameters[name]


def has_validation(block: Block) -> bool:
    """Whether a variable has a validation."""
    return any(isinstance(item, Block) and item.type == "validation" for item in block.body)


def record_unused_parameter(emission: Emission, param: ir.Param) -> None:
    """Records the fates of a parameter for which no variable is written."""
    meanings = emission.unit.template.version.dialect.parameter
    words = [word for word in param.keys if meanings.get(word) in ATTRIBUTES]
    words += [word for word in param.keys if meanings.get(word) == "constraints" and not param.constraints]
    words += [word for constraint in param.constraints for word in constraint.keys]
    keys = {"keys": {word: make_fate("implied", why=UNUSED) for word in words}} if words else {}
    emission.log.report.parameters[param.name] = {"why": UNUSED, **keys}


def report_unused_parameters(emission: Emission, params: list[ir.Param]) -> None:
    """Reports the parameters without a variable in one diagnostic."""
    if params:
        has_values = any(param.name in emission.unit.stack.bindings for param in params)
        has = "they have no variables" if len(params) > 1 else "it has no variable"
        message = f"Nothing in the output uses {abbreviate_names(param.name for param in params)}, so {has}."
        hint = "The values that were given for them are not written." if has_values else ""
        emission.log.add_diagnostic(codes.PARAMETER_WITHOUT_VARIABLE, message, params[0].name_span, hint)
