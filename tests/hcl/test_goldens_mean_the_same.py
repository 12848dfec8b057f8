"""Heat's resolved values equal terraform's values, for whole templates and for both branches of conditions.

Both engines compute the values, and nothing here interprets a function. Embedded templates are compared as well:
evaluated with the parameters that terraform passes, they have the properties of the original.
"""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from tests.support import oracles
from tests.support.cases import Case, all_cases
from tests.support.examples import sampled, thinned
from transpile.text import output

ASKED = [case for case in all_cases() if not case.heat]
STACK = "openstack_orchestration_stack_v1"


def written(case: Case, where: pathlib.Path) -> Mapping[str, Any]:
    """Converts the case into a new directory. Returns the report."""
    done = case.convert()
    assert output.write_directory(where, dict(done.files)) == []
    return done.report


@oracles.needs_heat
@pytest.mark.parametrize("case", ASKED, ids=lambda c: c.name)
def test_heat_accepts_the_input(case: Case) -> None:
    """Real Heat would create the stack of every golden input."""
    question = {"template": str(case.input), "env": [str(e) for e in case.environments], "params": case.parameters}
    unknown = "none" if "plugin" in case.name else "error"
    answer = oracles.ask(op="validate", level="create", fill="all", unknown=unknown, **question)
    assert answer["ok"], answer.get("error")


@oracles.needs_both
@pytest.mark.parametrize("case", sampled(thinned(ASKED, 2), 18), ids=lambda c: c.name)
def test_values_are_equal(case: Case, tmp_path: pathlib.Path) -> None:
    """Each property with fate value or reference, and each output, under several sets of parameters."""
    report = written(case, tmp_path / "hcl")
    comparison = recorder()(oracles.heat(), case.input, tmp_path / "hcl", report, case.environments)
    outcome = comparison.run()
    assert outcome.errors == []
    assert "compared" in outcome.variants.values(), outcome.variants
    kept = set[str]()
    for variant, heat, terraform, stubs in comparison.seen:
        kept |= embedded(report, variant, heat, terraform, stubs, "plugin" in case.name, tmp_path / "hcl")
    assert {d["what"] for d in outcome.different} - kept == case.differs.keys(), outcome.different
    codes = {d["code"] for d in report["diagnostics"]}
    expected_codes = {why.partition(":")[0] for why in case.differs.values() if why.startswith("HOT")}
    assert expected_codes <= codes, "a difference that no diagnostic tells of"


def recorder() -> Any:
    """The comparison of the shared tools, extended to record the values of both engines."""

    class Recorder(oracles.tool("equivalence").Comparison):  # type: ignore[misc]
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.seen: list[tuple[str, Any, Any, dict[str, Any]]] = []
            self.stubs: dict[str, Any] = {}

        def ask(self, **more: Any) -> Any:
            self.stubs = {k: more[k] for k in ("refs", "attrs") if k in more}
            return super().ask(**more)

        def variables(self, values: Any, answer: Any) -> Any:
            """Adds the hidden parameters from the environment, and values for open parameters of the template, as the
            user would.
            """
            out = super().variables(values, answer)
            for diagnostic in self.report["diagnostics"]:
                if diagnostic["code"] == "HOT412":
                    out |= dict.fromkeys(re.findall(r"the variable (\w+) must set it", diagnostic["message"]), "an-id")
                elif diagnostic["code"] == "HOT519":
                    out |= dict.fromkeys(re.findall(r"the subnet var\.(\w+)", diagnostic["message"]), "an-id")
            hidden = {d["message"].split()[3] for d in self.report["diagnostics"] if d["code"] == "HOT520"}
            return out | {self.report["parameters"][n]["variable"]: answer["parameters"][n] for n in hidden}

        def outputs(self, variant: str, heat: Any, done: Any) -> None:
            super().outputs(variant, heat, done)
            self.seen.append((variant, heat, done, self.stubs))

    return Recorder


def nested(values: Mapping[str, Any], where: pathlib.Path) -> dict[str, Any]:
    """The environment of an embedded stack and the templates that it names, as the provider's client reads them."""
    text = (values.get("environment_opts") or {}).get("Bin")
    if not text:
        return {}
    environment = yaml.safe_load(text)
    registry = environment.get("resource_registry", {})
    paths = {kind: pathlib.PurePath(path) for kind, path in registry.items()}
    environment["resource_registry"] = {kind: path.name for kind, path in paths.items()}
    files = {path.name: (where / "templates" / path.name).read_text(encoding="utf-8") for path in paths.values()}
    return {"env": [environment], "files": files}


MADE_UP = "random_uuid.stack_id~result"


def embedded(
    report: Mapping[str, Any], variant: str, heat: Any, terraform: Any, stubs: Any, plugin: bool, where: pathlib.Path
) -> set[str]:
    """Asserts that Heat creates each embedded stack with terraform's arguments, and that its properties are unchanged.

    Returns the outputs that only Heat can compute. They are compared here, because the outputs of the stack are made
    up.
    """
    unknown = "none" if plugin else "error"
    kept = set[str]()
    for address, values in terraform["resources"].items():
        if not address.startswith(STACK):
            continue
        question = {
            "body": values["template_opts"]["Bin"],
            "params": values.get("parameters") or {},
            "stack_name": next(
                v for k, v in heat["pseudo_parameters"].items() if k.lower().endswith(("stack_name", "stackname"))
            ),
            **nested(values, where),
        }
        made = oracles.ask(op="validate", level="create", unknown=unknown, **question)
        assert made["ok"], (variant, address, made.get("error"))
        answer = oracles.ask(op="eval", deep=True, plugin_deps=False, unknown="none", **question, **stubs)
        assert answer["ok"], (variant, address, answer.get("error"))
        if "external_id" in question["body"]:
            continue  # it is read-only and has no properties
        members = [n for n, r in report["resources"].items() if r["addresses"] == [address.removesuffix("[0]")]]
        assert set(answer["resources"]) <= set(members), "whose are they?"
        for name in members:
            before, after = (side["resources"].get(name, {}).get("properties") for side in (heat, answer))
            assert plain(after) in (plain(before), stands_for_id(plain(before), heat)), (variant, address, name)
        if not members:
            for name, stack_output in answer["outputs"].items():
                assert json.loads(stack_output["value"])[0] == heat["outputs"][name]["value"], (variant, name)
                kept.add(f"outputs.{name}")
    return kept


def stands_for_id(value: Any, heat: Any) -> Any:
    """A value with the made-up UUID in place of the stack's ID (HOT541)."""
    pseudo = heat["pseudo_parameters"]
    stack_id = next((v for k, v in pseudo.items() if k.lower().endswith(("stack_id", "stackid"))), None)
    return json.loads(json.dumps(value).replace(stack_id, MADE_UP)) if stack_id else value


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value, sort_keys=True, default=str))
