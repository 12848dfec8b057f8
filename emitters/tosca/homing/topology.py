"""The nodes and policies of a homing template, in a form that both versions are made from.

Invariant: everything that the template says about the choice is in one of them. A parameter is an input where the value
is a scalar of the input's type; elsewhere its value is written, which is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from emitters.tosca import hotjson, names
from emitters.tosca.homing import types
from transpile.diagnostics.model import Diagnostic
from transpile.homing import model
from transpile.homing.model import Function, Number, Operator
from transpile.model.ir import ParamRef
from transpile.model.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.homing.model import Constraint, Linked, Path, Requirement, Selection, Term, Threshold

KINDS: dict[type, str] = {bool: "boolean", int: "integer", float: "float", str: "string"}
IN_RANGE = "in_range"
DEMAND = "Demand"  # a node that an orchestrator selects


@final
@record
class Input:
    """An input, which stands for a call with `get_input`."""

    name: str
    type: str
    default: Any
    description: str = ""


class Get(dict[str, str]):
    """A call of get_input."""


@final
class Topology:
    """`nodes`: by name; `policies`: likewise; `inputs`: by name. `present`: nodes of a service that demands are, by the
    demand; `taken`, `policies`: the names of nodes and policies of that service.
    """

    def __init__(self, linked: Linked, present: Mapping[str, str], taken: set[str], policies: set[str]) -> None:
        self.linked, self.present = linked, present
        self.found: list[Diagnostic] = []
        self.inputs: dict[str, Input] = {}
        self.named: dict[str, str] = {}  # policies by constraint
        self.seen: set[Path] = set()
        self.nodes: dict[str, dict[str, Any]] = {}
        self.policies: dict[str, dict[str, Any]] = {}
        self.taken = names.Names()
        self.taken.taken |= taken
        self.policy_names = names.Names()
        self.policy_names.taken |= policies
        self.locations = {name: self.taken.take(names.node(name)) for name in linked.locations}
        self.demands = {name: present.get(name) or self.taken.take(names.node(name)) for name in linked.demands}
        self.write()

    def write(self) -> None:
        for name, own in self.locations.items():
            self.node(name, own, "Location", self.location(name))
        for name, own in self.demands.items():
            inventories = [self.inventory(one) for one in self.linked.demands[name].requirements]
            if name in self.present:
                self.policy(f"{name}_selection", "Selection", "demands", "", (name,), {"inventories": inventories})
            else:
                self.node(name, own, DEMAND, {"inventories": inventories})
        for constraint in self.linked.constraints.values():
            kind, _ = types.CONSTRAINTS.get(constraint.type, types.OTHER)
            self.policy(
                constraint.name, kind, "constraints", constraint.type, constraint.demands, self.properties(constraint)
            )
        for one in self.linked.reservations:
            more = {
                "controller": one.controller,
                "request": None if one.request is None else hotjson.dumps(one.request),
            }
            more["service_model"] = self.linked.service_model
            self.policy(one.name, "Reservation", "reservations", one.type, one.demands, more)
        if self.linked.objective is not None:
            self.optimization(self.linked.objective)
        self.literal_parameters()

    def node(self, name: str, own: str, kind: str, properties: dict[str, Any]) -> None:
        out: dict[str, Any] = {"type": f"{types.NODES}{kind}"}
        if own != name:
            out["metadata"] = {"homing.name": name}
        if kind == DEMAND:
            out["directives"] = ["select"]
        self.nodes[own] = {**out, "properties": given(properties)}

    def policy(
        self, name: str, kind: str, section: str, type_: str, demands: tuple[str, ...], properties: dict[str, Any]
    ) -> None:
        own = self.policy_names.take(names.node(name))
        if section == "constraints":
            self.named[name] = own
        metadata = {"homing.type": type_} if type_ else {}
        metadata["homing.section"] = section
        if own != name:
            metadata["homing.name"] = name
        out: dict[str, Any] = {"type": f"{types.POLICIES}{kind}", "metadata": metadata}
        if found := given(properties):
            out["properties"] = found
        if targets := [self.demands[one] for one in dict.fromkeys(demands) if one in self.demands]:
            out["targets"] = targets
        self.policies[own] = out

    # parameters

    def value(self, path: Path, value: Any, kind: str) -> Any:
        """A scalar, or the input that has it."""
        found = typed(value, kind)
        ref = self.linked.references.get(path)
        if not isinstance(ref, ParamRef) or ref.path or ref.name not in self.linked.parameters:
            return found
        return self.input(path, ref.name, Input(ref.name, kind, found)) or found

    def input(self, path: Path, name: str, one: Input) -> Get | None:
        """An input by the name of its parameter; None if it has another type elsewhere."""
        known = self.inputs.setdefault(name, one)
        if (known.type, known.default) != (one.type, one.default):
            return None
        self.seen.add(path)
        return Get(get_input=name)

    def literal_parameters(self) -> None:
        """The other parameters: inputs where they are scalars. Says where values are written."""
        for name, value in self.linked.parameters.items():
            kind = KINDS.get(type(value))
            if name not in self.inputs and kind is not None:
                self.inputs[name] = Input(name, kind, value)
            elif name not in self.inputs:
                self.inputs[name] = Input(name, "string", hotjson.dumps(value), types.JSON)
        source = self.linked.document.source
        for path, ref in self.linked.references.items():
            if isinstance(ref, ParamRef) and path[0] != "parameters" and path not in self.seen:
                message = f"The value of the parameter {ref.name} is written in place of it."
                self.found.append(Diagnostic("HOT850", message, source, ref.span.in_text))

    def threshold(self, one: Threshold | None) -> dict[str, Any] | None:
        """A comparison. The number of a parameter becomes the input, its operator and unit stay here."""
        if one is None:
            return None
        if one.operator == model.RANGE:
            return {"operator": IN_RANGE, "minimum": one.low, "maximum": one.high, "unit": one.unit}
        value: Any = float(one.low if one.low is not None else one.high or 0.0)
        ref = self.linked.references.get(one.path)
        if isinstance(ref, ParamRef) and not ref.path and ref.name in self.linked.parameters:
            words = (
                f'the number of the threshold "{one.text or value}"; operator and unit are in the policies that use it'
            )
            value = self.input(one.path, ref.name, Input(ref.name, "float", value, words)) or value
        return {"operator": one.operator, "value": value, "unit": one.unit}

    # nodes

    def location(self, name: str) -> dict[str, Any]:
        one, path = self.linked.locations[name], ("locations", name)
        out: dict[str, Any] = {}
        for key in ("latitude", "longitude"):
            if (value := getattr(one, key)) is not None:
                out[key] = self.value((*path, key), value, "float")
        for key in ("host_name", "clli_code", "country"):
            if (value := getattr(one, key)) is not None:
                out[key] = self.value((*path, key), value, "string")
        out["placemark"] = {k: self.value((*path, k), v, "string") for k, v in one.placemark.items()}
        return out

    def inventory(self, one: Requirement) -> dict[str, Any]:
        path = one.path

        def texts(key: str, values: tuple[Any, ...]) -> list[Any]:
            whole = path if len(values) != 1 else (*path, key)
            return [
                self.value(whole if len(values) == 1 else (*path, key, i), v, "string") for i, v in enumerate(values)
            ]

        more = dict(one.other) | ({"passthrough_attributes": dict(one.passthrough)} if one.passthrough else {})
        out: dict[str, Any] = {
            "inventory_provider": one.provider,
            "inventory_type": one.inventory_type,
            "filters": [
                {
                    "attribute": each.attribute,
                    "values": [typed(value, "string") for value in each.wanted],
                    **({"negated": True} if each.negated else {}),
                }
                for each in one.filters
            ],
            "customer_id": None
            if one.customer_id is None
            else self.value((*path, "customer_id"), one.customer_id, "string"),
            "service_type": texts("service_type", one.service_type),
            "service_id": texts("service_id", one.service_id),
            "region": None if one.region is None else self.value((*path, "region"), one.region, "string"),
            "complex": None if one.complex is None else self.value((*path, "complex"), one.complex, "string"),
            "default_cost": one.default_cost,
            "unique": None if one.unique else False,
            "candidates": [hotjson.dumps(dict(each.fields)) for each in one.candidates],
            "required_candidates": [named(each) for each in one.required or ()],
            "excluded_candidates": [named(each) for each in one.excluded],
            "existing_placement": None if one.existing is None else named(one.existing),
            "other": hotjson.dumps(more) if more else None,
        }
        return given(out)

    # policies

    def properties(self, one: Constraint) -> dict[str, Any]:
        given_, path = one.properties, (*one.path, "properties")
        if isinstance(given_, model.Distance):
            return {"distance": self.threshold(given_.threshold), "location": self.place(given_.location)}
        if isinstance(given_, model.Zone):
            out = {
                "qualifier": self.value((*path, "qualifier"), given_.qualifier, "string"),
                "category": self.value((*path, "category"), given_.category, "string"),
            }
            return {**out, "location": self.place(given_.location)}
        if isinstance(given_, model.Attribute):
            return {"evaluate": [self.test(each) for each in given_.evaluations]}
        if isinstance(given_, model.Limits):
            return {"evaluate": [given(self.limit(each)) for each in given_.limits]}
        if isinstance(given_, model.Fit):
            request = None if given_.request is None else hotjson.dumps(given_.request)
            return {
                "controller": self.value((*path, "controller"), given_.controller, "string"),
                "request": request,
            }
        if isinstance(given_, model.License):
            return {key: self.value((*path, key), getattr(given_, key), "string") for key in ("id", "key")}
        if isinstance(given_, model.Network):
            found: dict[str, Any] = {
                key: self.threshold(getattr(given_, key)) for key in ("bandwidth", "distance", "latency")
            }
            return {**found, "location": self.place(given_.location)}
        if isinstance(given_, model.Capability):
            texts = {key: getattr(given_, key) for key in ("specification", "template", "environment")}
            return {key: typed(value, "string") for key, value in texts.items() if value is not None}
        if isinstance(given_, model.Group):
            return {}
        raw = (self.linked.data.get("constraints") or {}).get(one.name, {}).get("properties")
        if isinstance(given_, model.Hpa):
            return {"evaluate": hotjson.dumps(raw.get("evaluate"))}
        return {"properties": None if raw is None else hotjson.dumps(raw)}

    def place(self, name: str | None) -> str | None:
        return None if name is None else self.locations[name]

    def test(self, one: model.Evaluation) -> dict[str, Any]:
        out: dict[str, Any] = {"attribute": one.attribute, "operator": one.operator}
        if one.operator in ("any", "all") and isinstance(one.operand, (list, tuple)):
            out["values"] = [self.value((*one.path, i), value, "string") for i, value in enumerate(one.operand)]
        elif one.operator in ("lt", "gt", "lte", "gte"):
            out["number"] = self.value(one.path, one.operand, "float")
        else:
            out["value"] = self.value(one.path, one.operand, "string")
        if one.flags:
            out["flags"] = one.flags
        return out

    def limit(self, one: model.Limit) -> dict[str, Any]:
        value = self.value((*one.path, "threshold"), one.value, "float")
        return {"attribute": one.attribute, "operator": one.operator, "threshold": value, "unit": one.unit}

    # the objective

    def optimization(self, one: model.Objective) -> None:
        terms = self.flat(one.term, None)
        demands = dict.fromkeys(name for name in self.linked.demands if name in measured(one.term))
        properties: dict[str, Any] = {"goal": one.goal}
        if terms is not None:
            properties["sum"] = terms
        else:
            properties["objective"] = hotjson.dumps(self.linked.data.get("optimization"))
        self.policy("optimization", "Optimization", "optimization", "", tuple(demands), properties)

    def flat(self, term: Term, weight: Any) -> list[dict[str, Any]] | None:
        """A sum of weighted functions; None if it is something else."""
        if isinstance(term, Number) or term.normalization is not None:
            return None
        if isinstance(term, Function):
            own = term.weight if weight is None else weight
            if weight is not None and term.weight != 1:
                return None
            if weight is None:
                own = self.value((*term.path, "weight"), term.weight, "float")
            return [self.measure(term, demand, own) for demand in term.demands[: None if term.location is None else 1]]
        if term.weight != 1:
            return None
        if term.name == "sum" and weight is None:
            found = [self.flat(one, None) for one in term.operands]
            return [one for each in found if each is not None for one in each] if None not in found else None
        if term.name == "product" and weight is None and len(term.operands) == 2:
            first, second = term.operands
            if isinstance(first, Number) and isinstance(second, Function):
                return self.flat(second, self.value(first.path, first.value, "float"))
        return None

    def measure(self, one: Function, demand: str, weight: Any) -> dict[str, Any]:
        out = {
            "weight": weight,
            "function": one.name,
            "location": self.place(one.location),
            "demand": self.demands[demand],
            "attribute": one.attribute,
        }
        return given(out)


def measured(term: Term) -> set[str]:
    """The demands that a term names."""
    if isinstance(term, Number):
        return set()
    if isinstance(term, Operator):
        return set().union(*(measured(one) for one in term.operands))
    return set(term.demands)


def named(one: Selection) -> dict[str, Any]:
    return given({"inventory_type": one.inventory_type, "candidate_id": list(one.ids)})


def typed(value: Any, kind: str) -> Any:
    """A value of a type; what is no text becomes JSON."""
    if kind == "float":
        return float(value)
    return value if isinstance(value, str) else hotjson.dumps(value)


def given(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Properties that have a value."""
    return {key: value for key, value in properties.items() if value is not None and value not in ([], {})}
