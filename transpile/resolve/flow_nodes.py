"""The nodes and edges of the value flow (value_flow.py).

Invariant: a node is a place, with the number of its stack, and says nothing of the value that is there.
"""

from __future__ import annotations

from typing import NamedTuple, final

from transpile.model import ir
from transpile.model.attribute_paths import Path
from transpile.model.records import entity
from transpile.resolve.stack import Stack

PARAMETER, OUTPUT, CONDITION = "parameter", "output", "condition"
ATTRIBUTE = "attribute"  # of a resource
ARGUMENT = "argument"  # of a resource: the argument of one call for a parameter
MEMBER = "member"  # an attribute of the members of a group that are no nested stacks
RESOURCE = "resource"  # all that a resource gets
REFERENCE = ""  # the attribute that `get_resource` reads
ANY = "*"  # all attributes, or one whose name has to be evaluated
VALUE = "value"  # the attribute of OS::Heat::Value
IDENTITY = "OS::stack_id"  # the output that a reference to a nested stack means


class FlowNode(NamedTuple):
    """A place that has a value, in the stack with a number: `FlowNode(0, "attribute", "port", "fixed_ips")`."""

    stack: int
    kind: str
    name: str
    attribute: str = ""


@final
@entity
class CallSite:
    """A resource that has a nested stack, or whose members have. stack: the calling stack. arguments: the value for
    each parameter that is set. written: the key of the nested stack in the calling one, after the resource.
    """

    stack: Stack
    resource: ir.Resource
    arguments: dict[str, ir.Expr]
    written: str

    @property
    def is_resource(self) -> bool:
        """Whether the nested stack is the resource itself: neither a member nor an OS::Heat::Stack."""
        return self.written == self.resource.type


class Read(NamedTuple):
    """A node that a reference reads. path: into the value of the node. whole: False if the value is only a part of
    `get_attr`'s result: a list with the values of all members, or all attributes. call: the call whose nested stack has
    the node.
    """

    node: FlowNode
    path: Path = ()
    whole: bool = True
    call: CallSite | None = None


class Flow(NamedTuple):
    """An edge. ref: the reference that carries the value. whole: the target gets the value itself, at least in one
    branch of an `if`; else it gets something that is computed from it. decides: the value only decides which value the
    target gets, as an operand of `equals` does. key: the property, parameter or key of a resource. inside: a property
    of members. into, out_of: the calls that the value goes into and comes out of.
    """

    source: FlowNode
    target: FlowNode
    ref: ir.Expr
    whole: bool
    decides: bool = False
    key: str = ""
    inside: bool = False
    into: CallSite | None = None
    out_of: CallSite | None = None


class Definition(NamedTuple):
    """An expression that a node has its value from, in the stack where it stands. call: that passes it to a parameter;
    a parameter without argument has its default there.
    """

    stack: Stack
    value: ir.Expr
    call: CallSite | None = None

    @property
    def caller(self) -> ir.Resource | None:
        """The resource that passes it; None for a default."""
        return self.call.resource if self.call else None
