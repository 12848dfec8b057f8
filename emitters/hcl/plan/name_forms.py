"""Decides whether a value is a name or an ID, over all calls of the module in which it stands.

Invariant: a form is sure only if no call may pass another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, final

from emitters.hcl.plan.late_values import LateValues
from emitters.hcl.plan.modules import Modules
from emitters.hcl.plan.named_resources import REFERENCES, NamedResources
from emitters.hcl.plan.open_forms import BOTH, form_of_open_parameter, form_of_open_value
from emitters.hcl.plan.passed_values import PassedValues
from emitters.hcl.tables.mapping import NameLookup, looks_like_id
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.resolve.analysis import Analysis
from transpile.resolve.lookup_places import Types
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import ValueFlow

OWN, NAME, ID, REFERENCE, COMPUTED, NONE = "own", "name", "id", "reference", "computed", "none"
OPEN, MIXED = "open", "mixed"
UNKNOWN, LOOKED_UP = frozenset({REFERENCE, COMPUTED}), frozenset({NAME, OPEN, MIXED})
Forms = frozenset[str]


class Looked(NamedTuple):
    """A value that only the callers of a stack know: its parameter, or a literal that may be the name of a resource
    of theirs. kinds: the types of the resources that Heat looks for.
    """

    stack: int
    value: ir.ParamRef | ir.Lit
    kinds: Types


@final
class NameForms:
    """The forms of values: the name of a resource that the configuration makes ("own"), another name ("name"), an ID
    ("id"), a reference ("reference"), a text that is computed from one ("computed"), no value ("none"), a name or an
    ID ("mixed"), or a value that nobody passes ("open").
    """

    def __init__(
        self, modules: Modules, flow: ValueFlow, named: NamedResources, late: LateValues, passed: PassedValues
    ) -> None:
        self.modules, self.flow, self.named, self.late, self.passed = modules, flow, named, late, passed
        self.origins, self.tables = named.origins, modules.tables
        self.names = (
            {key for stack in flow.stacks for key in self.origins.index_named_resources(stack)}
            if modules.order
            else set()
        )
        self.forms = Analysis(self.sources_of, self.forms_of, Forms())

    def possible_forms(self, stack: Stack, owner: ir.Resource | None, expr: ir.Expr, kinds: Types) -> Forms:
        """The forms that a value of `owner` may have over all calls: names, IDs or both."""
        return self.union_of_forms(self.outcomes(stack, owner, expr, kinds), self.forms.value_of)

    def sure_form(self, stack: Stack, name: str, kinds: Types) -> str:
        """Whether a parameter of a module holds IDs ("id") or names ("name") in all calls; "" if neither is sure. A
        value that is known only after apply counts as an ID.
        """
        forms = self.forms.value_of(Looked(self.flow.number_of(stack), ir.ParamRef(name), kinds))
        if self.modules.rules.open_forms != BOTH and forms <= {NONE, OPEN}:
            return form_of_open_parameter(self.modules.rules.open_forms, stack.template.parameters[name])
        return self.single_form(forms)

    def single_form(self, forms: Forms) -> str:
        """The form that all values have: ID or NAME; "" if there are several."""
        if forms & UNKNOWN and not forms & {OWN, *LOOKED_UP}:
            return ID
        if self.modules.rules.open_forms != BOTH:
            forms -= {NONE}
        return next(iter(forms)) if forms in ({ID}, {NAME}) else ""

    def form_of_computed(self, stack: Stack, expr: ir.Expr, kinds: Types) -> str:
        """Whether a value that is neither a parameter nor a literal is an ID or a name, if one form is chosen for open
        values; otherwise "".
        """
        if self.modules.rules.open_forms == BOTH:
            return ""
        return self.single_form(self.possible_forms(stack, None, expr, kinds))

    def outcomes(self, stack: Stack, owner: ir.Resource | None, expr: ir.Expr, kinds: Types) -> Iterator[str | Looked]:
        """The forms that a value has in this stack, and the values that its callers decide about."""
        todo = [expr]
        while todo:
            part = todo.pop()
            if isinstance(part, ir.If):
                settled = stack.fold_condition(part.condition)
                branches = part.branches
                if isinstance(settled, ir.Lit):
                    branches = branches[:1] if settled.value else branches[1:]
                todo += branches
            elif isinstance(part, ir.Seq):
                todo += part.items
            elif self.named.reference_to_named(stack, owner, part, kinds) is not None:
                yield OWN
            elif (origin := self.origins.trace_origin(stack, part)) is not part and not isinstance(origin, REFERENCES):
                todo.append(origin)
            else:
                yield self.outcome(stack, origin, kinds)

    def outcome(self, stack: Stack, expr: ir.Expr, kinds: Types) -> str | Looked:
        """The form of a value that is neither a choice nor a list, and that is traced to its origin."""
        lookup, budget = self.tables.find_lookup(kinds), stack.template.source.budget
        module = self.modules.module_of_stack(stack)
        if isinstance(expr, REFERENCES):
            return REFERENCE
        if isinstance(expr, ir.Lit):
            if not module.is_root and any((kind, expr) in self.names for kind in kinds):
                return Looked(self.flow.number_of(stack), expr, kinds)
            return classify_value(expr.value, lookup, budget)
        if isinstance(expr, ir.ParamRef) and not expr.path and not module.is_root:
            is_id = expr.name in module.id_parameters
            return REFERENCE if is_id else Looked(self.flow.number_of(stack), ir.ParamRef(expr.name), kinds)
        if self.late.contains_late(stack, expr):
            return COMPUTED
        values = self.passed.known_values(stack, expr) if isinstance(expr, ir.ParamRef) else None
        listed = ir.is_whole_parameter(expr) and stack.template.type_of_parameter(expr.name) == "comma_delimited_list"
        items = [item for value in values or () for item in list_items(value, listed=listed)]
        forms = {classify_value(item, lookup, budget) for item in items}
        if self.modules.rules.open_forms != BOTH:
            forms.discard(NONE)
        if forms in ({ID}, {NAME}):
            return forms.pop()
        if forms:
            return MIXED
        return form_of_open_value(self.modules.rules.open_forms, stack.template, expr) or MIXED

    def outcomes_in_calls(self, node: Looked) -> Iterator[str | Looked]:
        """The outcomes of a value in all calls of its stack."""
        stack = self.flow.stacks[node.stack]
        if isinstance(node.value, ir.Lit):
            for call in self.flow.calls[node.stack]:
                yield from self.outcomes(call.stack, call.resource, node.value, node.kinds)
            return
        for definition in self.flow.definitions(self.flow.parameter(stack, node.value.name)):
            yield from self.outcomes(definition.stack, definition.caller, definition.value, node.kinds)

    def sources_of(self, node: Looked) -> Iterator[Looked]:
        return (outcome for outcome in self.outcomes_in_calls(node) if isinstance(outcome, Looked))

    def forms_of(self, node: Looked, look_up: Callable[[Looked], Forms]) -> Forms:
        forms = self.union_of_forms(self.outcomes_in_calls(node), look_up)
        if isinstance(node.value, ir.ParamRef):
            return forms or Forms({OPEN})
        budget = self.flow.stacks[node.stack].template.source.budget
        literal = classify_value(node.value.value, self.tables.find_lookup(node.kinds), budget)
        return Forms({OWN if OWN in forms else literal})

    def union_of_forms(self, outcomes: Iterator[str | Looked], look_up: Callable[[Looked], Forms]) -> Forms:
        return Forms().union(*(look_up(o) if isinstance(o, Looked) else (o,) for o in outcomes))


def list_items(value: object, *, listed: bool) -> list[object]:
    """The names or IDs in a value. listed: a text has several, with commas between."""
    if isinstance(value, list):
        return value
    return [*value.split(",")] if listed and isinstance(value, str) else [value]


def classify_value(value: object, lookup: NameLookup | None, budget: Budget) -> str:
    """Whether a known value is a name ("name"), an ID ("id") or missing ("none")."""
    if value in (None, ""):
        return NONE
    return ID if lookup is not None and looks_like_id(lookup, str(value), budget) else NAME
