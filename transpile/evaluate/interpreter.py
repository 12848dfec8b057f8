"""Interprets the expressions of a template; a `World` supplies the values that only a stack has.

Invariant: the results are Heat's (`heat.engine.hot.functions`, `heat.engine.cfn.functions`), oddities of old versions
included. An expression that Heat refuses raises `EvaluationError`.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, Final, final

from transpile.evaluate.pure import FUNCTIONS, EvaluationError, MalformedExpression, NotKnown, NoValue, apply_function
from transpile.evaluate.sizes import measure_value
from transpile.model import intrinsics, ir
from transpile.model.budget import Budget
from transpile.model.meter import LimitExceeded, Meter, check_limit
from transpile.model.records import EMPTY, record
from transpile.schema import parameters

YAQL_PART = 5  # one expression may take a fifth of the limit
REFERENCES = ("get_resource", "get_attr", "Fn::GetAtt")  # as calls: with a computed name
FACADE = {"Metadata": "metadata", "DeletionPolicy": "deletion_policy", "UpdatePolicy": "update_policy"}


class _Absent:
    """The value of an `if` without a branch for its condition: Heat removes the item, entry or property around it."""


ABSENT: Final = _Absent()


@record
class World:
    """The values from outside the template that an evaluation needs.

    `parameters`: converted values by name; `reference` and `attribute`: return the values of get_resource and get_attr;
    `file`: returns the text for get_file; `facade`: values of resource_facade by HOT's names, None for a top-level
    template. A `stack_name`, an ID or `zones` that is None is not known yet. `yaql`: whether YAQL is computed.
    """

    parameters: Mapping[str, Any] = EMPTY
    stack_name: str | None = "stack"
    stack_id: str | None = ""
    project_id: str | None = ""
    reference: Callable[[str], Any] = lambda name: name
    attribute: Callable[[str, tuple[Any, ...]], Any] = lambda name, path: None
    file: Callable[[str], str] = lambda name: ""
    facade: Mapping[str, Any] | None = None
    zones: tuple[str, ...] | None = ("nova",)
    yaql: bool = True


def evaluate_parameters(
    template: ir.Template, raw_values: Mapping[str, Any], *, checked: bool = True
) -> dict[str, Any]:
    """The converted values of all parameters that have a raw value or a default. Raises EvaluationError for a value
    that does not have the parameter's type or, if `checked`, violates a constraint.
    """
    values: dict[str, Any] = {}
    for name, param in template.parameters.items():
        raw = raw_values.get(name)
        if raw is None:
            if param.default is None:
                continue
            raw = ir.to_data(param.default)
        try:
            value = parameters.convert_value(param.type, raw)
        except (ValueError, TypeError) as e:
            raise EvaluationError(f"Parameter {name}: {e}") from None
        if checked and (reason := parameters.check_constraints(param, value, budget=template.source.budget)):
            raise EvaluationError(f"Parameter {name}: {reason}")
        values[name] = value
    return values


@final
class Interpreter:
    """Evaluates the expressions of one template."""

    def __init__(self, template: ir.Template, world: World) -> None:
        self.template, self.world, self.version = template, world, template.version
        self.conditions: dict[str, bool] = {}
        self.pending_conditions: list[str] = []
        self.mappings: dict[str, Any] = {}

    # the parts of a template

    def evaluate_condition(self, name: str) -> bool:
        """Whether a condition holds."""
        if name in self.conditions:
            return self.conditions[name]
        if name not in self.template.conditions:
            raise EvaluationError(f"There is no condition {name}")
        if name in self.pending_conditions:
            raise EvaluationError(f"The condition {name} refers to itself")
        self.pending_conditions.append(name)
        try:
            self.conditions[name] = self.evaluate_boolean(self.template.conditions[name].value, f"condition {name}")
        finally:
            self.pending_conditions.pop()
        return self.conditions[name]

    def evaluate_boolean(self, expr: ir.Expr, owner: str) -> bool:
        """The boolean value of an expression. Raises EvaluationError for any other value, as Heat does; `owner` names
        the expression in the message.
        """
        value = self.evaluate(expr)
        if isinstance(value, bool):
            return value
        raise EvaluationError(f"The {owner} is invalid: {value}")

    def is_enabled(self, resource: ir.Resource) -> bool:
        """Whether a resource has no condition, or a condition that holds."""
        return self.evaluate_boolean(resource.condition, f"condition of {resource.name}")

    def evaluate_output(self, output: ir.Output) -> Any:
        """The value of an output; null if its condition does not hold."""
        if not self.evaluate_boolean(output.condition, f"condition of {output.name}"):
            return None
        value = self.evaluate(output.value)
        return None if value is ABSENT else value

    def evaluate_properties(self, resource: ir.Resource) -> dict[str, Any]:
        """The resolved properties of a resource; absent ones are left out."""
        values = self.evaluate(resource.properties)
        assert isinstance(values, dict)
        return values

    # expressions

    def evaluate(self, expr: ir.Expr) -> Any:
        """The value of an expression; ABSENT for a branch that does not exist."""
        if type(expr) is ir.Lit:
            return expr.value
        if type(expr) is ir.Seq:
            return [v for item in expr.items if (v := self.evaluate(item)) is not ABSENT]
        if type(expr) is ir.Map:
            return {e.key: v for e in expr.entries if (v := self.evaluate(e.value)) is not ABSENT}
        if type(expr) is ir.ParamRef:
            return self.evaluate_get_param(expr.name, [self.evaluate_or_null(p) for p in expr.path])
        if type(expr) is ir.ResourceRef:
            return self.evaluate_get_resource(expr.name)
        if type(expr) is ir.AttrRef:
            return self.attribute(expr.name, [self.evaluate_or_null(p) for p in expr.path])
        if isinstance(expr, ir.ConditionRef):
            return self.evaluate_condition(expr.name)
        if isinstance(expr, ir.FileRef):
            return self.world.file(expr.name)
        if type(expr) is ir.If:
            if self.takes_first_branch(expr.condition):
                return self.evaluate(expr.then)
            return ABSENT if expr.orelse is None else self.evaluate(expr.orelse)
        if isinstance(expr, ir.Repeat):
            return self.evaluate_repeat(expr)
        if type(expr) is ir.Call:
            return self.evaluate_call(expr)
        if isinstance(expr, ir.ErrorNode) and expr.data is not None:
            return self.evaluate(expr.data)
        raise EvaluationError(expr.why)

    def takes_first_branch(self, condition: ir.Expr) -> bool:
        """Whether `if` takes its first branch. Its condition is a boolean, or a text: the name of a condition."""
        return self.holds(self.evaluate(condition), "condition of if")

    def evaluate_or_null(self, expr: ir.Expr) -> Any:
        """The value of an expression where Heat cannot remove it, as in an argument of a function: null for ABSENT."""
        value = self.evaluate(expr)
        return None if value is ABSENT else value

    def evaluate_get_param(self, name: Any, path: list[Any]) -> Any:
        """The value of get_param; "" if the path leads to nothing, as in Heat (not null, as for get_attr)."""
        if not isinstance(name, str):
            raise EvaluationError("get_param takes the name of a parameter")
        value = (
            self.evaluate_pseudo_parameter(name)
            if name in self.version.pseudo
            else self.world.parameters.get(name, ABSENT)
        )
        if value is ABSENT and name in self.template.parameters:
            raise NoValue(name)
        if value is ABSENT:
            raise EvaluationError(f"There is no parameter {name}")
        for step in path:
            if isinstance(value, (list, str)):
                key = parameters.read_index(step)
                if key is None or not -len(value) <= key < len(value):
                    return ""
                value = value[key]
            elif isinstance(value, dict) and isinstance(step, str) and step in value:
                value = value[step]
            else:
                return ""
        return value

    def evaluate_pseudo_parameter(self, name: str) -> Any:
        """The value of a pseudo parameter, such as `OS::stack_name` or `AWS::Region`."""
        world = self.world
        if name == "AWS::Region":
            return intrinsics.REGION
        if None in (world.stack_name, world.stack_id, world.project_id):
            raise NotKnown(f"{name} is known only in a stack")
        if name == "AWS::StackId":
            return f"arn:openstack:heat::{world.project_id}:stacks/{world.stack_name}/{world.stack_id}"
        return {"stack_name": world.stack_name, "StackName": world.stack_name, "stack_id": world.stack_id}.get(
            name.rpartition(":")[2], world.project_id
        )

    def evaluate_get_resource(self, name: Any) -> Any:
        """The value of get_resource."""
        return self.world.reference(self.require_resource(name))

    def attribute(self, name: Any, path: list[Any]) -> Any:
        """The value of get_attr; null if the path leads to nothing."""
        return self.world.attribute(self.require_resource(name), tuple(path))

    def referenced_resources(self, expr: ir.Expr) -> set[str]:
        """The names of the resources that an expression refers to; branches of `if` that are not taken do not count."""
        if isinstance(expr, ir.If):
            taken = expr.then if self.takes_first_branch(expr.condition) else expr.orelse
            return set() if taken is None else self.referenced_resources(taken)
        names = {name for child in ir.children(expr) for name in self.referenced_resources(child)}
        name: Any = None
        if isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
            name = expr.name
        elif isinstance(expr, ir.Call) and expr.fn in REFERENCES:
            name, _ = split_name_and_path(self.evaluate_or_null(expr.arg))
        return names if name is None else {*names, self.require_resource(name)}

    def require_resource(self, name: Any) -> str:
        """Returns the name of an enabled resource unchanged; raises EvaluationError for any other name."""
        if not isinstance(name, str) or name not in self.template.resources:
            raise EvaluationError(f"The specified reference {name} is incorrect.")
        if not self.is_enabled(self.template.resources[name]):
            raise EvaluationError(f"The resource {name} is disabled.")
        return name

    def evaluate_repeat(self, expr: ir.Repeat) -> list[Any]:
        """The value of `repeat`: a copy of the resolved template for each combination of values.

        Placeholders are replaced one after the other, so that an inserted text is searched again for the next ones.
        """
        lists: dict[str, list[Any]] = {}
        lengths: set[int] = set()
        has_maps = False
        for entry in expr.for_each:
            argument = self.evaluate(entry.value)
            if argument is ABSENT:
                continue
            if argument is None:  # Heat takes null for an empty list, and does not compare its length with the others
                lists[entry.key] = []
                continue
            keyed = isinstance(argument, dict) and self.version.has_form(intrinsics.MAPS_IN_REPEAT)
            if keyed:
                argument = list(argument)
            if not isinstance(argument, list):
                raise EvaluationError("The values of for_each must be lists")
            lists[entry.key] = argument
            lengths.add(len(argument))
            has_maps |= keyed
        if not lists:
            raise EvaluationError("for_each is empty")
        product = True
        if expr.permutations is not None:
            argument = self.evaluate_or_null(expr.permutations)
            if not isinstance(argument, bool):
                raise EvaluationError("permutations must be a boolean")
            product = argument
        if not product and (has_maps or len(lengths) > 1):
            raise EvaluationError("Without permutations, the lists of for_each must have the same length")
        if all(lists.values()) and contains_text(expr.template):  # before a value in the template that is not known yet
            for value in itertools.chain(*lists.values()):
                if not isinstance(value, str):
                    raise EvaluationError(f"The values that repeat inserts must be strings, not {value!r}")
        template = self.evaluate_or_null(expr.template)
        counts = [len(values) for values in lists.values()]
        combinations = itertools.product(*lists.values()) if product else zip(*lists.values(), strict=False)
        meter, size = Meter(self.template.source, expr), 0
        copies = math.prod(counts) if product else min(counts)
        meter.spend_for_value(copies * measure_value(template))
        out = []
        for combination in combinations:
            out.append(insert_values(template, list(zip(lists, combination, strict=True)), meter))
            size += measure_value(out[-1])
            check_limit("computed", size, self.template.source, expr)
        return out

    def evaluate_call(self, expr: ir.Call) -> Any:
        """The value of a call of an intrinsic function."""
        fn = expr.fn
        if fn in ("and", "or", "Fn::And", "Fn::Or"):
            return self.evaluate_and_or(expr)
        if fn in ("not", "Fn::Not"):
            inner = expr.arg.items[0] if fn == "Fn::Not" and isinstance(expr.arg, ir.Seq) else expr.arg
            return not self.holds(self.evaluate(inner), f"argument of {fn}")
        if (
            fn == "filter"
            and isinstance(expr.arg, ir.Seq)
            and not (source := self.evaluate_or_null(expr.arg.items[-1]))
        ):
            return source  # if there is nothing to filter, Heat does not evaluate the values to remove
        if fn in ("list_join", "Fn::Join"):
            self.refuse_numbers_as_items(expr)
        arg = self.evaluate_or_null(expr.arg)
        if fn in ("get_param", "Ref"):
            return self.evaluate_get_param(*split_name_and_path(arg))
        if fn == "get_resource":
            return self.evaluate_get_resource(arg)
        if fn in ("get_attr", "Fn::GetAtt"):
            return self.attribute(*split_name_and_path(arg))
        if fn == "get_file" and isinstance(arg, str):
            return self.world.file(arg)
        if fn in ("resource_facade", "Fn::ResourceFacade"):
            return self.evaluate_facade(str(arg))
        if fn == "Fn::FindInMap":
            return self.find_in_map(arg)
        if fn == "Fn::GetAZs":
            if self.world.zones is None:
                raise NotKnown("The availability zones are known only in a cloud")
            return list(self.world.zones)
        if fn == "yaql":
            if not self.world.yaql:
                raise NotKnown("YAQL is not computed here")
            return evaluate_yaql(arg, self.template.source.budget)
        if fn not in FUNCTIONS:
            raise EvaluationError(f"There is no function {fn}")
        if not self.version.has_form(intrinsics.JSON_IN_TEXTS):
            refuse_collections_as_texts(fn, arg)
        if fn == "str_replace_vstrict":
            refuse_empty_values(arg)
        try:
            return apply_function(expr, arg, self.template.source)
        except (EvaluationError, LimitExceeded):
            raise
        except Exception as e:
            raise EvaluationError(f"{fn}: {type(e).__name__}: {e}") from e

    def refuse_numbers_as_items(self, expr: ir.Call) -> None:
        """Raises EvaluationError if list_join gets a parameter that is a number or a boolean, whatever its value is."""
        lists = expr.arg.items[1:] if isinstance(expr.arg, ir.Seq) else ()
        for item in (item for items in lists if isinstance(items, ir.Seq) for item in items.items):
            parameter = self.template.parameters.get(item.name) if isinstance(item, ir.ParamRef) else None
            if parameter is None or not isinstance(item, ir.ParamRef) or item.path:
                continue
            if parameter.type in ("number", "boolean"):
                raise EvaluationError(f"items to join must be strings, and {item.name} is a {parameter.type}")

    def evaluate_facade(self, section: str) -> Any:
        """Evaluates resource_facade; `section` is metadata, deletion_policy or update_policy, or CFN's word for it."""
        if self.world.facade is None:
            raise NotKnown("This template is not used as a resource")
        return self.world.facade.get(FACADE.get(section, section))

    def evaluate_and_or(self, expr: ir.Call) -> bool:
        """The value of `and` or `or`. As in Heat, all functions in it are evaluated first. After the condition that
        decides, no named condition is evaluated, and no value needs to be a boolean.
        """
        if not isinstance(expr.arg, ir.Seq) or len(expr.arg.items) < 2:
            raise EvaluationError(f"{expr.fn} takes two or more conditions")
        stops = expr.fn.endswith(("or", "Or"))
        values = [item if isinstance(item, ir.ConditionRef) else self.evaluate(item) for item in expr.arg.items]
        for value in values:
            if (
                self.holds(value.name if isinstance(value, ir.ConditionRef) else value, f"argument of {expr.fn}")
                is stops
            ):
                return stops
        return not stops

    def holds(self, value: Any, owner: str) -> bool:
        """Whether a condition holds, by its value: a boolean, or a text, which is the name of a condition."""
        if isinstance(value, str):
            return self.evaluate_condition(value)
        if isinstance(value, bool):
            return value
        raise EvaluationError(f"The {owner} is invalid: {value}")

    def find_in_map(self, arg: Any) -> Any:
        """The value of Fn::FindInMap: `[mapping, top-level key, second-level key]`."""
        if not isinstance(arg, list) or len(arg) != 3:
            raise EvaluationError("Fn::FindInMap takes a mapping and two keys")
        name, top, key = arg
        mapping = self.template.mappings.get(name) if isinstance(name, str) else None
        if mapping is None:
            raise EvaluationError(f"There is no mapping {name}")
        if name not in self.mappings:
            self.mappings[name] = ir.to_data(mapping)
        try:
            return self.mappings[name][top][key]
        except (LookupError, TypeError) as e:
            raise EvaluationError(f"The mapping {name} has no entry {top}, {key}") from e


def split_name_and_path(arg: Any) -> tuple[Any, list[Any]]:
    """The name and the path of a reference: `["server", "addresses", 0]` -> `("server", ["addresses", 0])`."""
    if isinstance(arg, list):
        if not arg:
            raise EvaluationError("The name is missing")
        return arg[0], arg[1:]
    return arg, []


def contains_text(expr: ir.Expr) -> bool:
    """Whether the value of an expression certainly contains a string, as an item or a key."""
    if isinstance(expr, ir.Lit):
        return isinstance(expr.value, str)
    if isinstance(expr, ir.Seq):
        return any(map(contains_text, expr.items))
    return isinstance(expr, ir.Map) and any(not isinstance(entry.value, ir.If) for entry in expr.entries)


def insert_values(value: Any, pairs: list[tuple[str, Any]], meter: Meter) -> Any:
    """A copy of a resolved value in which all texts and keys have the values in place of the placeholders."""
    if isinstance(value, str):
        for key, put in pairs:
            if not isinstance(put, str):
                raise EvaluationError("The values that repeat inserts must be strings")
            if key in value:
                meter.spend_for_value(len(value) + value.count(key) * len(put))
                value = value.replace(key, put)
        return value
    if isinstance(value, list):
        return [insert_values(item, pairs, meter) for item in value]
    if isinstance(value, dict):
        return {insert_values(k, pairs, meter): insert_values(v, pairs, meter) for k, v in value.items()}
    return value


def refuse_empty_values(arg: Any) -> None:
    """Raises EvaluationError for an empty value, which str_replace_vstrict refuses."""
    params = arg.get("params") if isinstance(arg, dict) else None
    for key, value in params.items() if isinstance(params, dict) else ():
        if value is None or value in ("", [], {}):
            raise EvaluationError(f"str_replace_vstrict has an empty value for {key}")


def refuse_collections_as_texts(fn: str, arg: Any) -> None:
    """Raises EvaluationError for arguments that Heat accepts only since 2015-10-15: maps and lists that become texts,
    and several lists for list_join.
    """
    if fn in ("list_join", "Fn::Join") and isinstance(arg, list):
        if len(arg) > 2:
            raise EvaluationError("list_join takes one list")
        if len(arg) > 1 and arg[1] is not None and not isinstance(arg[1], list):
            raise EvaluationError("list_join takes a list of items to join")
        joined = arg[1] if len(arg) > 1 and isinstance(arg[1], list) else []
        if any(isinstance(item, (dict, list)) for item in joined):
            raise EvaluationError("Items to join must be strings")
    if fn in ("str_replace", "Fn::Replace"):
        params = arg.get("params") if isinstance(arg, dict) else arg[0] if isinstance(arg, list) and arg else None
        if isinstance(params, dict) and any(isinstance(v, (dict, list)) for v in params.values()):
            raise EvaluationError("The value for a placeholder must be a string or a number")


def evaluate_yaql(arg: Any, budget: Budget) -> Any:
    """The value of a YAQL expression, computed by Heat's library in another process. Raises NotKnown if it is not
    installed, or if that takes too much time or memory, which the budget remembers.
    """
    if not isinstance(arg, dict) or not isinstance(arg.get("expression"), str):
        raise EvaluationError("The expression of yaql must be a string")
    if not budget.limits["yaql"]:
        raise NotKnown("YAQL is not computed here")
    try:
        request = json.dumps({"expression": arg["expression"], "data": arg.get("data")})
    except (TypeError, ValueError) as e:
        raise EvaluationError(f"yaql: {type(e).__name__}: {e}") from e
    key = "yaql", request
    if key not in budget.results:
        budget.results[key] = ask_yaql(json.loads(request), budget)
    result = budget.results[key]
    if "error" in result:
        raise (MalformedExpression if "malformed" in result else EvaluationError)(f"yaql: {result['error']}")
    if "value" not in result:
        raise NotKnown("The value of this YAQL expression is not known")
    return decode_yaql_value(result["value"])


def ask_yaql(request: Any, budget: Budget) -> dict[str, Any]:
    """Returns the answer of `yaql_service` about an expression; an empty map if the run has no time left for it."""
    if not is_yaql_installed():
        raise NotKnown("YAQL requires the package yaql")
    from transpile.guarded.process import GuardExceeded, ask

    if not budget.spend_if_affordable("yaql", 1):
        return {}
    left = min(budget.limits["yaql"] / YAQL_PART, max(1, budget.limits["yaql"] - budget.spent["yaql"]))
    try:
        answer = ask("transpile.guarded.yaql_service", request, left / 1000)
    except GuardExceeded as e:
        budget.spent["yaql"] += e.milliseconds
        budget.exceeded_optional_limits["yaql"] = None
        return {}
    budget.spent["yaql"] += answer.milliseconds
    result: dict[str, Any] = answer.content
    return result


@functools.cache
def is_yaql_installed() -> bool:
    """Whether Heat's library is there; it is never imported in this process."""
    import importlib.util  # slow to import, and few need it

    return importlib.util.find_spec("yaql") is not None


def decode_yaql_value(value: Any) -> Any:
    """A value as `yaql_service.encode_value` encodes it, decoded."""
    if isinstance(value, dict):
        return {decode_yaql_value(key): decode_yaql_value(item) for key, item in value["map"]}
    return [decode_yaql_value(item) for item in value] if isinstance(value, list) else value
