"""Random trees of nested templates, always the same ones for the same seed.

Their resources refer to each other and depend on each other in all ways there are: through outputs, parameters, values,
groups, chains, conditions, and resources that stay with Heat.
"""

from __future__ import annotations

import json
import random
from typing import Any

HOT = "heat_template_version"
SELF = ("OS::Neutron::Net", "OS::Cinder::Volume", "OS::Keystone::Project", "OS::Custom::Thing", "OS::Heat::Value")


class Tree:
    """Templates by file name; the root is `stack.yaml`. Each calls only those written before it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.files: dict[str, str] = {}
        self.below: dict[str, tuple[list[str], list[str]]] = {}  # parameters and outputs of each template
        for i in range(self.random.randint(1, 4)):
            self.write(f"part_{i}.yaml")
        self.write("stack.yaml")

    def write(self, name: str) -> None:
        params = [f"p{i}" for i in range(self.random.randint(0, 3))]
        resources: dict[str, dict[str, Any]] = {}
        calls: dict[str, tuple[str, list[str]]] = {}  # how attributes are read, and the outputs
        for i in range(self.random.randint(0 if self.below else 1, 6)):
            label = f"r{i}"
            made = resources[label] = self.resource(label, params, resources, calls)
            earlier = [other for other in resources if other != label]
            if earlier and self.random.random() < 0.3:
                made["depends_on"] = self.random.sample(earlier, self.random.randint(1, min(2, len(earlier))))
            if self.random.random() < 0.1:
                made["condition"] = "on"
        outputs = {}
        for i in range(self.random.randint(0, 3)):
            outputs[f"o{i}"] = {"value": self.value(params, resources, calls)}
        self.below[name] = params, list(outputs)
        self.files[name] = json.dumps(
            {
                HOT: "2018-08-31",
                "parameters": {parameter: {"type": "string", "default": "x"} for parameter in params}
                | {"switch": {"type": "boolean", "default": True}},
                "conditions": {"on": {"get_param": "switch"}},
                "resources": resources,
                "outputs": outputs,
            }
        )

    def resource(
        self,
        label: str,
        params: list[str],
        resources: dict[str, dict[str, Any]],
        calls: dict[str, tuple[str, list[str]]],
    ) -> dict[str, Any]:
        def value() -> Any:
            return self.value(params, resources, calls)

        if self.below and self.random.random() < 0.5:
            file = self.random.choice(list(self.below))
            theirs, outputs = self.below[file]
            properties = {parameter: value() for parameter in theirs if self.random.random() < 0.8}
            how = self.random.choice(["plain", "plain", "plain", "group", "stack", "chain"])
            calls[label] = how, outputs
            if how == "plain":
                return {"type": file, "properties": properties}
            if how == "group":
                inner = {"type": file, "properties": properties}
                return {"type": "OS::Heat::ResourceGroup", "properties": {"count": 2, "resource_def": inner}}
            if how == "chain":
                chain_properties = {"resources": [file, file], "resource_properties": properties}
                return {"type": "OS::Heat::ResourceChain", "properties": chain_properties}
            return {"type": "OS::Heat::Stack", "properties": {"template": {"get_file": file}, "parameters": properties}}
        kind = self.random.choice(SELF)
        if kind == "OS::Cinder::Volume":
            return {"type": kind, "properties": {"size": 1, "name": value()}}
        if kind in ("OS::Custom::Thing", "OS::Heat::Value"):
            return {"type": kind, "properties": {"value": value()}}
        return {"type": kind, "properties": {"name": value()}}

    def value(
        self, params: list[str], resources: dict[str, dict[str, Any]], calls: dict[str, tuple[str, list[str]]]
    ) -> Any:
        """A text made of parameters and earlier resources."""
        parts: list[Any] = ["text"]
        for _ in range(self.random.randint(0, 2)):
            if params and self.random.random() < 0.5:
                parts.append({"get_param": self.random.choice(params)})
            elif resources:
                parts += self.reference(self.random.choice(list(resources)), resources, calls)
        return parts[0] if len(parts) == 1 else {"list_join": ["-", parts]}

    def reference(
        self, name: str, resources: dict[str, dict[str, Any]], calls: dict[str, tuple[str, list[str]]]
    ) -> list[Any]:
        if name not in calls:
            if resources[name]["type"] == "OS::Heat::Value":
                return [{"get_attr": [name, "value"]}]
            return [{"get_resource": name}]
        how, outputs = calls[name]
        if not outputs or how == "chain":
            return []
        output_name = self.random.choice(outputs)
        if how == "plain":
            return [{"get_attr": [name, output_name]}]
        if how == "stack":
            return [{"get_attr": [name, "outputs", output_name]}]
        if self.random.random() < 0.5:
            return [{"get_attr": [name, "resource.0." + output_name]}]
        return [{"list_join": [",", {"get_attr": [name, output_name]}]}]
