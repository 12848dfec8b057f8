"""Removes what nothing in a directory uses: arguments of calls, locals, data sources and variables.

Invariant: the blocks of a resource of the template are never removed, even if nothing reads them. A variable with a
validation is not removed either: Heat refuses a stack whose parameters have wrong values, used or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.assemble.references import reached
from emitters.hcl.log import some
from emitters.hcl.tree.nodes import Block
from transpile.diagnostics import codes
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.tree.nodes import Argument
    from transpile.model import ir

UNUSED = "nothing in the output uses it"
# the attributes of a parameter that have fates of their own, besides constraints
ATTRIBUTES = ("hidden", "immutable", "tags", "schema", "constraint_description", "label")


def sweep(emission: Emission) -> None:
    """Removes everything unused except the variables of parameters, whose labels go into `emission.unused`. Called when
    the modules that the directory calls are complete.
    """
    blocks, report = emission.blocks, emission.log.report
    for call in emission.calls:
        call.forgo()
    became = {address for one in report.resources.values() for address in one.addresses}
    holders: dict[str, Argument | Block] = {f"local.{label}": one for label, one in blocks.locals.items()}
    holders |= {one.address: one for one in blocks.data}
    used = reached([*blocks.main, *blocks.outputs, *blocks.configurations], holders.get, became)
    gone = holders.keys() - used
    blocks.locals = {label: one for label, one in blocks.locals.items() if f"local.{label}" not in gone}
    blocks.data = [one for one in blocks.data if one.address not in gone]
    report.conditions = {n: one for n, one in report.conditions.items() if f"local.{one.get('local')}" not in gone}
    for resource in report.resources.values():
        for fates in (resource.properties, resource.keys):
            fates |= {path: fate("implied", why=UNUSED) for path, one in fates.items() if one.get("to") in gone}
    labels = {*emission.names.variables.values(), *(one.labels[0] for one in emission.variables.blocks.values())}
    emission.unused = {label for label in labels if f"var.{label}" not in used}
    synthetic = emission.variables.blocks
    emission.unused -= {one.labels[0] for one in synthetic.values() if checks(one)}
    for key in [key for key, one in synthetic.items() if one.labels[0] in emission.unused]:
        del synthetic[key]
    own = emission.unit.template.parameters
    pseudo = [name for name, one in report.parameters.items() if one.get("variable") in emission.unused - own.keys()]
    for name in pseudo:
        del report.parameters[name]


def checks(block: Block) -> bool:
    """Whether a variable has a validation."""
    return any(isinstance(one, Block) and one.type == "validation" for one in block.body)


def account(emission: Emission, param: ir.Param) -> None:
    """Records the fates of a parameter for which no variable is written."""
    meanings = emission.unit.template.version.dialect.parameter
    words = [word for word in param.keys if meanings.get(word) in ATTRIBUTES]
    words += [word for word in param.keys if meanings.get(word) == "constraints" and not param.constraints]
    words += [word for one in param.constraints for word in one.keys]
    keys = {"keys": {word: fate("implied", why=UNUSED) for word in words}} if words else {}
    emission.log.report.parameters[param.name] = {"why": UNUSED, **keys}


def say(emission: Emission, params: list[ir.Param]) -> None:
    """Reports the parameters without a variable in one diagnostic."""
    if params:
        given = any(param.name in emission.unit.stack.given for param in params)
        has = "they have no variables" if len(params) > 1 else "it has no variable"
        message = f"Nothing in the output uses {some(param.name for param in params)}, so {has}."
        hint = "The values that were given for them are not written." if given else ""
        emission.log.say(codes.PARAMETER_WITHOUT_VARIABLE, message, params[0].name_span, hint)
