"""Interprets the expressions of a template; a `World` supplies the values that only a stack has.

Invariant: the results are Heat's (`heat.engine.hot.functions`, `heat.engine.cfn.functions`), oddities of old versions
included. An expression that Heat refuses raises `EvaluationError`.
"""

from __future__ import annotations

import itertools
import json
import math
from typing import TYPE_CHECKING, Any, Final, final

from transpile.evaluate.pure import FUNCTIONS, EvaluationError, NotKnown, NoValue, apply
from transpile.evaluate.sizes import weight
from transpile.model import intrinsics, ir
from transpile.model.meter import Exceeded, Meter, allow
from transpile.model.records import EMPTY, record
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

JSON_IN_TEXTS = "2015-10-15"  # first version in which str_replace and list_join take maps and lists
MAPS_IN_REPEAT = "2016-10-14"
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
    template. A `stack_name`, an ID or `zones` that is None is not known yet.
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


def parameter_values(template: ir.Template, given: Mapping[str, Any], *, checked: bool = True) -> dict[str, Any]:
    """The converted values of all parameters that have a raw value or a default. Raises EvaluationError for a value
    that does not have the parameter's type or, if `checked`, violates a constraint.
    """
    out: dict[str, Any] = {}
    for name, param in template.parameters.items():
        raw = given.get(name)
        if raw is None:
            if param.default is None:
                continue
            raw = ir.data(param.default)
        try:
            value = parameters.convert(param.type, raw)
        except (ValueError, TypeError) as e:
            raise EvaluationError(f"Parameter {name}: {e}") from None
        if checked and (why := parameters.check(param, value, budget=template.source.budget)):
            raise EvaluationError(f"Parameter {name}: {why}")
        out[name] = value
    return out


@final
class Interpreter:
    """Evaluates the expressions of one template."""

    def __init__(self, template: ir.Template, world: World) -> None:
        self.template, self.world, self.version = template, world, template.version
        self.conditions: dict[str, bool] = {}
        self.asked: list[str] = []
        self.mappings: dict[str, Any] = {}

    # the parts of a template

    def condition(self, name: str) -> bool:
        """Whether a condition holds."""
        if name in self.conditions:
            return self.conditions[name]
        if name not in self.template.conditions:
            raise EvaluationError(f"There is no condition {name}")
        if name in self.asked:
            raise EvaluationError(f"The condition {name} refers to itself")
        self.asked.append(name)
        try:
            self.conditions[name] = self.truth(self.template.conditions[name].value, f"condition {name}")
        finally:
            self.asked.pop()
        return self.conditions[name]

    def truth(self, expr: ir.Expr, what: str) -> bool:
        """The boolean value of an expression. Raises EvaluationError for any other value, as Heat does; `what` names
        the expression in the message.
        """
        found = self.value(expr)
        if isinstance(found, bool):
            return found
        raise EvaluationError(f"The {what} is invalid: {found}")

    def enabled(self, resource: ir.Resource) -> bool:
        """Whether a resource has no condition, or a condition that holds."""
        return resource.condition is None or self.truth(resource.condition, f"condition of {resource.name}")

    def output(self, output: ir.Output) -> Any:
        """The value of an output; null if its condition does not hold."""
        if output.condition is not None and not self.truth(output.condition, f"condition of {output.name}"):
            return None
        found = self.value(output.value)
        return None if found is ABSENT else found

    def properties(self, resource: ir.Resource) -> dict[str, Any]:
        """The resolved properties of a resource; absent ones are left out."""
        found = self.value(resource.properties) if resource.properties is not None else {}
        assert isinstance(found, dict)
        return found

    # expressions

    def value(self, expr: ir.Expr) -> Any:
        """The value of an expression; ABSENT for a branch that does not exist."""
        if isinstance(expr, ir.Lit):
            return expr.value
        if isinstance(expr, ir.Seq):
            return [v for item in expr.items if (v := self.value(item)) is not ABSENT]
        if isinstance(expr, ir.Map):
            return {e.key: v for e in expr.entries if (v := self.value(e.value)) is not ABSENT}
        if isinstance(expr, ir.ParamRef):
            return self.parameter(expr.name, [self.present(p) for p in expr.path])
        if isinstance(expr, ir.ResourceRef):
            return self.resource(expr.name)
        if isinstance(expr, ir.AttrRef):
            return self.attribute(expr.name, [self.present(p) for p in expr.path])
        if isinstance(expr, ir.ConditionRef):
            return self.condition(expr.name)
        if isinstance(expr, ir.FileRef):
            return self.world.file(expr.name)
        if isinstance(expr, ir.If):
            if self.chosen(expr.condition):
                return self.value(expr.then)
            return ABSENT if expr.orelse is None else self.value(expr.orelse)
        if isinstance(expr, ir.Repeat):
            return self.repeat(expr)
        if isinstance(expr, ir.Call):
            return self.call(expr)
        if isinstance(expr, ir.ErrorNode) and expr.data is not None:
            return self.value(expr.data)
        raise EvaluationError(expr.why)

    def chosen(self, condition: ir.Expr) -> bool:
        """Whether `if` takes its first branch. Its condition is a boolean, or a text: the name of a condition."""
        found = self.value(condition)
        if isinstance(found, str):
            return self.condition(found)
        if isinstance(found, bool):
            return found
        raise EvaluationError(f"The condition of if is invalid: {found}")

    def present(self, expr: ir.Expr) -> Any:
        """The value of an expression where Heat cannot remove it, as in an argument of a function: null for ABSENT."""
        found = self.value(expr)
        return None if found is ABSENT else found

    def parameter(self, name: Any, path: list[Any]) -> Any:
        """The value of get_param; "" if the path leads to nothing, as in Heat (not null, as for get_attr)."""
        if not isinstance(name, str):
            raise EvaluationError("get_param takes the name of a parameter")
        found = self.pseudo(name) if name in self.version.pseudo else self.world.parameters.get(name, ABSENT)
        if found is ABSENT and name in self.template.parameters:
            raise NoValue(name)
        if found is ABSENT:
            raise EvaluationError(f"There is no parameter {name}")
        for step in path:
            if isinstance(found, (list, str)):
                key = parameters.index(step)
                if key is None or not -len(found) <= key < len(found):
                    return ""
                found = found[key]
            elif isinstance(found, dict) and isinstance(step, str) and step in found:
                found = found[step]
            else:
                return ""
        return found

    def pseudo(self, name: str) -> Any:
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

    def resource(self, name: Any) -> Any:
        """The value of get_resource."""
        return self.world.reference(self.there(name))

    def attribute(self, name: Any, path: list[Any]) -> Any:
        """The value of get_attr; null if the path leads to nothing."""
        return self.world.attribute(self.there(name), tuple(path))

    def needs(self, expr: ir.Expr) -> set[str]:
        """The names of the resources that an expression refers to; branches of `if` that are not taken do not count."""
        if isinstance(expr, ir.If):
            taken = expr.then if self.chosen(expr.condition) else expr.orelse
            return set() if taken is None else self.needs(taken)
        found = {name for child in ir.children(expr) for name in self.needs(child)}
        name: Any = None
        if isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
            name = expr.name
        elif isinstance(expr, ir.Call) and expr.fn in REFERENCES:
            name, _ = name_and_path(self.present(expr.arg))
        return found if name is None else {*found, self.there(name)}

    def there(self, name: Any) -> str:
        """Returns the name of an enabled resource unchanged; raises EvaluationError for any other name."""
        if not isinstance(name, str) or name not in self.template.resources:
            raise EvaluationError(f"The specified reference {name} is incorrect.")
        if not self.enabled(self.template.resources[name]):
            raise EvaluationError(f"The resource {name} is disabled.")
        return name

    def repeat(self, expr: ir.Repeat) -> list[Any]:
        """The value of `repeat`: a copy of the resolved template for each combination of values.

        Placeholders are replaced one after the other, so that an inserted text is searched again for the next ones.
        """
        lists: dict[str, list[Any]] = {}
        lengths: set[int] = set()
        maps = False
        for entry in expr.for_each:
            given = self.value(entry.value)
            if given is ABSENT:
                continue
            if given is None:  # Heat takes null for an empty list, and does not compare its length with the others
                lists[entry.key] = []
                continue
            keyed = isinstance(given, dict) and self.version.since(MAPS_IN_REPEAT)
            if keyed:
                given = list(given)
            if not isinstance(given, list):
                raise EvaluationError("The values of for_each must be lists")
            lists[entry.key] = given
            lengths.add(len(given))
            maps |= keyed
        if not lists:
            raise EvaluationError("for_each is empty")
        product = True
        if expr.permutations is not None:
            given = self.present(expr.permutations)
            if not isinstance(given, bool):
                raise EvaluationError("permutations must be a boolean")
            product = given
        if not product and (maps or len(lengths) > 1):
            raise EvaluationError("Without permutations, the lists of for_each must have the same length")
        template = self.present(expr.template)
        lengths_of = [len(one) for one in lists.values()]
        chosen = itertools.product(*lists.values()) if product else zip(*lists.values(), strict=False)
        meter, size = Meter(self.template.source, expr), 0
        copies = math.prod(lengths_of) if product else min(lengths_of)
        meter.make(copies * weight(template))
        out = []
        for one in chosen:
            out.append(replaced(template, list(zip(lists, one, strict=True)), meter))
            size += weight(out[-1])
            allow("computed", size, self.template.source, expr)
        return out

    def call(self, expr: ir.Call) -> Any:
        """The value of a call of an intrinsic function."""
        fn = expr.fn
        if fn in ("and", "or", "Fn::And", "Fn::Or"):
            return self.both(expr)
        if fn in ("not", "Fn::Not"):
            inner = expr.arg.items[0] if fn == "Fn::Not" and isinstance(expr.arg, ir.Seq) else expr.arg
            return not self.truth(inner, f"argument of {fn}")
        if fn == "filter" and isinstance(expr.arg, ir.Seq) and not (source := self.present(expr.arg.items[-1])):
            return source  # if there is nothing to filter, Heat does not evaluate the values to remove
        arg = self.present(expr.arg)
        if fn in ("get_param", "Ref"):
            return self.parameter(*name_and_path(arg))
        if fn == "get_resource":
            return self.resource(arg)
        if fn in ("get_attr", "Fn::GetAtt"):
            return self.attribute(*name_and_path(arg))
        if fn == "get_file" and isinstance(arg, str):
            return self.world.file(arg)
        if fn in ("resource_facade", "Fn::ResourceFacade"):
            return self.facade(str(arg))
        if fn == "Fn::FindInMap":
            return self.mapping(arg)
        if fn == "Fn::GetAZs":
            if self.world.zones is None:
                raise NotKnown("The availability zones are known only in a cloud")
            return list(self.world.zones)
        if fn == "yaql":
            return yaql(arg)
        if fn not in FUNCTIONS:
            raise EvaluationError(f"There is no function {fn}")
        if not self.version.since(JSON_IN_TEXTS):
            texts_only(fn, arg)
        if fn == "str_replace_vstrict":
            empty(arg)
        try:
            return apply(expr, arg, self.template.source)
        except (EvaluationError, Exceeded):
            raise
        except Exception as e:
            raise EvaluationError(f"{fn}: {type(e).__name__}: {e}") from e

    def facade(self, what: str) -> Any:
        """The value of resource_facade; `what` is metadata, deletion_policy or update_policy, or CFN's word for it."""
        if self.world.facade is None:
            raise NotKnown("This template is not used as a resource")
        return self.world.facade.get(FACADE.get(what, what))

    def both(self, expr: ir.Call) -> bool:
        """The value of `and` or `or`. As in Heat, conditions after the one that decides are not evaluated."""
        if not isinstance(expr.arg, ir.Seq) or len(expr.arg.items) < 2:
            raise EvaluationError(f"{expr.fn} takes two or more conditions")
        stops = expr.fn.endswith(("or", "Or"))
        for item in expr.arg.items:
            if self.truth(item, f"argument of {expr.fn}") is stops:
                return stops
        return not stops

    def mapping(self, arg: Any) -> Any:
        """The value of Fn::FindInMap: `[mapping, top-level key, second-level key]`."""
        if not isinstance(arg, list) or len(arg) != 3:
            raise EvaluationError("Fn::FindInMap takes a mapping and two keys")
        name, top, key = arg
        mapping = self.template.mappings.get(name) if isinstance(name, str) else None
        if mapping is None:
            raise EvaluationError(f"There is no mapping {name}")
        if name not in self.mappings:
            self.mappings[name] = ir.data(mapping)
        try:
            return self.mappings[name][top][key]
        except (LookupError, TypeError) as e:
            raise EvaluationError(f"The mapping {name} has no entry {top}, {key}") from e


def name_and_path(arg: Any) -> tuple[Any, list[Any]]:
    """The name and the path of a reference: `["server", "addresses", 0]` -> `("server", ["addresses", 0])`."""
    if isinstance(arg, list):
        if not arg:
            raise EvaluationError("The name is missing")
        return arg[0], arg[1:]
    return arg, []


def replaced(value: Any, pairs: list[tuple[str, Any]], meter: Meter) -> Any:
    """A copy of a resolved value in which all texts and keys have the values in place of the placeholders."""
    if isinstance(value, str):
        for key, put in pairs:
            if not isinstance(put, str):
                raise EvaluationError("The values that repeat inserts must be strings")
            if key in value:
                meter.make(len(value) + value.count(key) * len(put))
                value = value.replace(key, put)
        return value
    if isinstance(value, list):
        return [replaced(item, pairs, meter) for item in value]
    if isinstance(value, dict):
        return {replaced(k, pairs, meter): replaced(v, pairs, meter) for k, v in value.items()}
    return value


def empty(arg: Any) -> None:
    """Raises EvaluationError for an empty value, which str_replace_vstrict refuses."""
    params = arg.get("params") if isinstance(arg, dict) else None
    for key, value in params.items() if isinstance(params, dict) else ():
        if value is None or value in ("", [], {}):
            raise EvaluationError(f"str_replace_vstrict has an empty value for {key}")


def texts_only(fn: str, arg: Any) -> None:
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


def listed(value: Any) -> Any:
    """A YAQL result with lists in place of tuples and sets, as JSON would have it."""
    if isinstance(value, dict):
        return {key: listed(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [listed(item) for item in value]
    return value


def yaql(arg: Any) -> Any:
    """The value of a YAQL expression, computed by Heat's library. Raises NotKnown if it is not installed."""
    try:
        import yaql as library
    except ImportError:
        raise NotKnown("YAQL requires the package yaql") from None
    if not isinstance(arg, dict) or not isinstance(arg.get("expression"), str):
        raise EvaluationError("The expression of yaql must be a string")
    engine = library.YaqlFactory().create(
        {"yaql.limitIterators": 200, "yaql.memoryQuota": 10000, "yaql.convertTuplesToLists": True}
    )
    context = library.create_context()
    context["$"] = {"data": json.loads(json.dumps(arg.get("data")))}
    try:
        return listed(engine(arg["expression"]).evaluate(context=context))
    except Exception as e:
        raise EvaluationError(f"yaql: {type(e).__name__}: {e}") from e
