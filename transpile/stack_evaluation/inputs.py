"""Supplies the inputs of a nested stack: its parameter values, and the resource that it belongs to.

Invariant: a value is converted when it is first read; each read of a value that cannot be converted raises
EvaluationError.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, final

from transpile.evaluate.pure import EvaluationError
from transpile.model import ir
from transpile.resolve.stack import Stack
from transpile.schema import parameters

if TYPE_CHECKING:
    from transpile.stack_evaluation.protocol import StackValues


def convert_passed_value(value: Any, name: str) -> Any:
    """Converts the value of a property for the parameter of a nested template: `["a", "b"]` -> `a,b`; a list of maps
    becomes numbered entries: `[{"k": 1}]` -> `.member.0.k=1`.
    """
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], dict):
        if not all(isinstance(item, dict) for item in value):
            raise EvaluationError(f"The list for {name} mixes maps with other values")
        return ",".join(f".member.{n}.{key}={item[key]}" for n, item in enumerate(value) for key in item)
    if not all(isinstance(item, (str, type(None))) for item in value):
        raise EvaluationError(f"The items of the list for {name} must be strings")
    return ",".join(item or "" for item in value)


@final
class ParameterValues(Mapping[str, Any]):
    """The values of a stack's parameters by name. Raises KeyError for a parameter without a value."""

    def __init__(self, stack: Stack, passed_values: Mapping[str, Any]) -> None:
        self.params, self.merged, self.passed_values = stack.template.parameters, stack.bindings, passed_values
        self._values: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            self._values[name] = self._compute_value(self.params[name])
        return self._values[name]

    def _compute_value(self, param: ir.Param) -> Any:
        raw = self.passed_values.get(param.name)
        if raw is None and param.name in self.merged:
            merged = self.merged[param.name]
            if not merged.converted:
                raise EvaluationError(f"Parameter {param.name}: {merged.wrong}")
            return merged.value
        if raw is None and param.default is not None:
            raw = ir.to_data(param.default)
        if raw is None:
            raise KeyError(param.name)
        try:
            return parameters.convert_value(param.type, raw)
        except (ValueError, TypeError) as e:
            raise EvaluationError(f"Parameter {param.name}: {e}") from None

    def __iter__(self) -> Iterator[str]:
        return (name for name, param in self.params.items() if self._has_value(param))

    def _has_value(self, param: ir.Param) -> bool:
        return param.default is not None or param.name in self.merged or self.passed_values.get(param.name) is not None

    def __len__(self) -> int:
        return sum(map(self._has_value, self.params.values()))


@final
class Facade(Mapping[str, Any]):
    """The resource whose type is a nested template, as `resource_facade` inside the template reads it."""

    def __init__(self, owner: StackValues, name: str) -> None:
        self.owner, self.name = owner, name

    def __getitem__(self, section: str) -> Any:
        if section == "metadata":
            return self.owner.evaluate_metadata(self.name)
        if section == "deletion_policy":
            return self.owner.evaluate_deletion_policy(self.name)
        if section == "update_policy":
            return self.owner.evaluate_or_none(self.owner.stack.template.resources[self.name].update_policy) or {}
        raise KeyError(section)

    def __iter__(self) -> Iterator[str]:
        return iter(("metadata", "deletion_policy", "update_policy"))

    def __len__(self) -> int:
        return 3
