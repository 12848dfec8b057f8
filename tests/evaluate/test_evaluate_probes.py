"""The interpreter, for expressions and whole stacks, gives the same answers as real Heat.

Heat's answers are in the probes. Every known difference is listed here with its reason, and there may be no others.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

from tests.support import oracles, probes
from tests.support.probes import Probe
from transpile import evaluate, stack_evaluation
from transpile.stack_evaluation import EvaluatedOutput, EvaluatedResource, EvaluatedStack

ORDER_LOST = ("repeat/product-order-reversed-keys", "repeat/map")  # of the keys in the stored question
REFUSED_BEFORE = ("make_url/unknown-key",)  # validation refuses the key, and evaluation ignores it
NOT_YET = {*ORDER_LOST, *REFUSED_BEFORE}
FATAL = ("HOT1", "HOT206", "HOT215")  # texts and environments that Heat cannot read, files that its client requires
DATA = "HOT131"  # a removed function: validation refuses it, but evaluation treats it as a map


@oracles.needs_probes
def test_the_probes_agree(tmp_path: pathlib.Path) -> None:
    """The answers and refusals equal Heat's. Questions that cannot be asked are listed above."""
    asked = [p for p in probes.every() if p["request"]["op"] == "eval" and not p["request"].get("typed")]
    assert len(asked) > 670
    wrong: dict[str, tuple[str, str]] = {}
    for number, probe in enumerate(asked):
        folder = tmp_path / str(number)
        folder.mkdir()
        ours, heats = answer(probe, folder), heats_answer(probe)
        if ours != heats:
            wrong[probes.name_of(probe)] = (ours, heats)
    assert set(wrong) == NOT_YET, {k: v for k, v in wrong.items() if k not in NOT_YET}


@oracles.needs_probes
@oracles.needs_heat
def test_heat_agrees_where_the_stored_answer_does_not(tmp_path: pathlib.Path) -> None:
    """Asked again with the stored question, Heat gives our answer: the stored answer belongs to a different order of
    keys.
    """
    again = [p for p in probes.every() if probes.name_of(p) in ORDER_LOST]
    assert len(again) == len(ORDER_LOST)
    for number, probe in enumerate(again):
        folder = tmp_path / str(number)
        folder.mkdir()
        heat_answer = {"value": looked_up(oracles.ask(**probe["request"]), [*probe["look"].split("."), "value"])}
        assert answer(probe, folder) == heats_answer({"answer": heat_answer}), probes.name_of(probe)


def looked_up(value: Any, look: list[str]) -> Any:
    for key in look:
        value = value[key]
    return value


def heats_answer(probe: Probe) -> str:
    stored_answer = probe["answer"]
    if "ok" in stored_answer:
        return json.dumps(stored_answer["ok"])
    return print_value(drop_uncompared_parts(stored_answer["value"])) if "value" in stored_answer else "refused"


def answer(probe: Probe, folder: pathlib.Path) -> str:
    request = probe["request"]
    stack, diagnostics = probes.linked(request, folder)
    if stack is None or any(d.severity == "error" and d.code.startswith(FATAL) and d.code != DATA for d in diagnostics):
        return "refused"
    references = request.get("refs") or {}
    outside = stack_evaluation.Outside(
        lambda address: references.get(address, evaluate.ABSENT),
        oracles.make_attribute_lookup(request.get("attrs") or {}),
        deep=bool(request.get("deep")),
    )
    try:
        if probe["look"] == "ok":
            stack_evaluation.evaluate_stack(stack, outside)
            return "true"
        return print_value(looked(stack_evaluation.evaluate_stack(stack, outside), probe["look"].split(".")))
    except evaluate.EvaluationError:
        return "refused"


def looked(stack: EvaluatedStack, look: list[str]) -> Any:
    """The part of an answer that the question is about. Raises EvaluationError if that part is an error."""
    if look[0] == "outputs":
        if stack.outputs[look[1]].error:
            raise evaluate.EvaluationError(stack.outputs[look[1]].error)
        return stack.outputs[look[1]].value
    if look[0] == "conditions" and stack.conditions[look[1]] is None:
        raise evaluate.EvaluationError(stack.errors[".".join(look)])
    if (
        look[0] == "resources"
        and look[2:3] == ["properties"]
        and (why := stack.resources[look[1]].errors.get(".".join(look[2:4])))
    ):
        raise evaluate.EvaluationError(why)
    value: Any = of_stack(stack)
    for number, key in enumerate(look):
        if key == "*":
            rest = look[number + 1]
            return {name: fields.get(rest) for name, fields in value.items()}
        value = value[key]
    return value


def of_stack(stack: EvaluatedStack) -> dict[str, Any]:
    """A stack in the oracle's format, except for the texts of errors."""
    out: dict[str, Any] = {
        "parameters": stack.parameters,
        "pseudo_parameters": stack.pseudo_parameters,
        "conditions": stack.conditions,
        "resources": {name: of_resource(resource) for name, resource in stack.resources.items()},
        "disabled_resources": stack.disabled,
        "outputs": {name: of_output(output) for name, output in stack.outputs.items()},
    }
    return out


def of_output(output: EvaluatedOutput) -> dict[str, Any]:
    return {"value": output.value, "enabled": output.enabled, "requires": output.requires}


def of_resource(resource: EvaluatedResource) -> dict[str, Any]:
    dependencies = {"explicit": resource.explicit, "implicit": resource.implicit}
    if resource.plugin:
        dependencies["plugin"] = resource.plugin
    if resource.disabled:
        dependencies["disabled"] = resource.disabled
    out = {
        "type": resource.type,
        "properties": resource.properties,
        "metadata": resource.metadata,
        "deletion_policy": resource.deletion_policy,
        "depends_on": resource.depends_on,
        "dependencies": dependencies,
    }
    some = {
        "implementation": resource.implementation,
        "update_policy": resource.update_policy,
        "external_id": resource.external_id,
        "hooks": resource.hooks,
        "restricted_actions": resource.restricted_actions,
    }
    out |= {key: value for key, value in some.items() if value}
    return out | ({"nested": of_stack(resource.nested)} if resource.nested is not None else {})


LEFT_OUT = ("errors", "notes", "version")  # the wording of errors is Heat's own


def drop_uncompared_parts(value: Any) -> Any:
    """An answer without parts that are not compared: error texts, dependencies that no plug-in adds, empty outputs."""
    if isinstance(value, dict):
        kept = {key: drop_uncompared_parts(value) for key, value in value.items() if key not in LEFT_OUT}
        if kept.get("plugin") == []:
            del kept["plugin"]
        return kept
    return [drop_uncompared_parts(item) for item in value] if isinstance(value, list) else value


def print_value(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
