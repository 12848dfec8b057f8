"""The values of parameters in all stacks of a template that share one output: those of its environments.

Invariant: the values are the same for each of these stacks, so that they lead to the same output.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

from transpile.model.ir import Environment, Template
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.resolve import placeholder_values
from transpile.resolve.environments import Binding, merge_environments
from transpile.resolve.stack_name import split_stack_name
from transpile.schema.parameters import convert_default


@final
class SharedValues:
    """The values of a template's parameters in the stacks of `siblings`. `treatment`: of placeholders; `ignores`:
    whether a comment ignores a code.
    """

    def __init__(
        self,
        template: Template,
        siblings: Sequence[tuple[Sequence[Environment], Mapping[str, Any]]],
        treatment: str,
        ignores: Callable[[Source, Span, str], bool],
    ) -> None:
        self.template = template
        self.bindings: list[dict[str, Binding]] = []  # of each stack
        self.asked: set[str] = set()  # parameters for which some stack has only a placeholder
        for environments, parameters in siblings:
            values = split_stack_name(parameters)[1]
            bindings, _ = merge_environments(template.parameters, environments, values, budget=template.source.budget)
            unknown, _ = placeholder_values.select_placeholders(template, bindings, treatment, ignores)
            names = {placeholder.name for placeholder in unknown}
            self.asked |= names
            self.bindings.append({name: binding for name, binding in bindings.items() if name not in names})

    def ask_for_values(
        self, template: Template, bindings: Mapping[str, Binding]
    ) -> tuple[Template, dict[str, Binding]]:
        """The template without the defaults of parameters that some stack must ask for, and the values of this stack
        with these defaults.
        """
        parameters, values = dict(template.parameters), dict(bindings)
        for name in sorted(self.asked):
            param = parameters[name]
            parameters[name] = replace(param, default=None)
            for default in convert_default(param):
                own = values.setdefault(name, Binding(default))
                if is_same(own.value, default):
                    values[name] = replace(own, is_default=True)
        return replace(template, parameters=parameters), values

    def list_sometimes_set(self) -> frozenset[str]:
        """The parameters to which some of the stacks give a value, and others none."""
        names = [frozenset(of_stack) for of_stack in self.bindings]
        return frozenset().union(*names) - frozenset.intersection(*names) if names else frozenset()

    def list_values(self, template: Template, bindings: Mapping[str, Binding]) -> dict[str, tuple[Any, ...]]:
        """By parameter, the different values that the stacks give it. A stack that gives none has the default."""
        values_by_name: dict[str, tuple[Any, ...]] = {}
        for name, param in self.template.parameters.items():
            values: list[Any] = []
            for of_stack in self.bindings:
                if name in of_stack and not any(is_same(of_stack[name].value, value) for value in values):
                    values.append(of_stack[name].value)
            values += param.default_data if name in self.asked else ()
            if values:
                values_by_name[name] = tuple(values)
        return values_by_name


def is_same(value: Any, other: Any) -> bool:
    """Whether two values are equal and have the same type: 1 and True are different."""
    return type(value) is type(other) and bool(value == other)
