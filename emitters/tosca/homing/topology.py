"""The nodes and policies of a homing template, in a form that both versions of TOSCA are made from.

Invariant: everything that the template says about the choice is in a node or a policy. A parameter is an input where
its value is a scalar of the input's type; elsewhere its value is written, and a diagnostic says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from emitters.tosca import hotjson, names
from emitters.tosca.homing import types
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.homing import costs, model
from transpile.homing.model import (
    CandidateSelection,
    DemandRequirement,
    LinkedHomingTemplate,
    ObjectiveFunction,
    ObjectiveNumber,
    ObjectiveOperator,
    Path,
    QuantityThreshold,
    TemplateConstraint,
    Term,
)
from transpile.model.ir import ParamRef
from transpile.model.records import record

KINDS: dict[type, str] = {bool: "boolean", int: "integer", float: "float", str: "string"}
IN_RANGE = "in_range"
DEMAND = "Demand"  # a node that an orchestrator selects
COST = ObjectiveFunction("attribute", (), attribute="cost")


@final
@record
class HomingInput:
    """An input, which is used by calls of `get_input`."""

    name: str
    type: str
    default: Any
    description: str = ""


class InputCall(dict[str, str]):
    """A call of `get_input`."""


@final
class HomingTopology:
    """`nodes`, `policies`, `inputs`: by name. `present`: by demand, the node of a stack that it is; `taken`,
    `policies`: the names of nodes and policies of that stack.
    """

    def __init__(
        self, linked: LinkedHomingTemplate, present: Mapping[str, str], taken: set[str], policies: set[str]
    ) -> None:
        self.linked, self.present = linked, present
        self.diagnostics: list[Diagnostic] = []
        self.inputs: dict[str, HomingInput] = {}
        self.named: dict[str, str] = {}  # policies by constraint
        self.seen: set[Path] = set()
        self.nodes: dict[str, dict[str, Any]] = {}
        self.policies: dict[str, dict[str, Any]] = {}
        self.taken = names.ReservedNames()
        self.taken.taken |= taken
        self.policy_names = names.ReservedNames()
        self.policy_names.taken |= policies
        self.locations = {name: self.taken.reserve_tosca_name(names.node_name(name)) for name in linked.locations}
        self.demands = {
            name: present.get(name) or self.taken.reserve_tosca_name(names.node_name(name)) for name in linked.demands
        }
        self.write_topology()

    def write_topology(self) -> None:
        for name, own in self.locations.items():
            self.add_node(name, own, "Location", self.location_properties(name))
        for name, own in self.demands.items():
            inventories = [
                self.inventory_properties(requirement) for requirement in self.linked.demands[name].requirements
            ]
            if name in self.present:
                self.add_policy(f"{name}_selection", "Selection", "demands", "", (name,), {"inventories": inventories})
            else:
                self.add_node(name, own, DEMAND, {"inventories": inventories})
        for constraint in self.linked.constraints.values():
            kind, _ = types.CONSTRAINTS.get(constraint.type, types.OTHER)
            self.add_policy(
                constraint.name,
                kind,
                "constraints",
                constraint.type,
                constraint.demands,
                self.constraint_properties(constraint),
            )
        for reservation in self.linked.reservations:
            more = {
                "controller": reservation.controller or None,
                "request": None if reservation.request is None else hotjson.to_json_line(reservation.request),
            }
            more["service_model"] = self.linked.service_model or None
            self.add_policy(
                reservation.name, "Reservation", "reservations", reservation.type, reservation.demands, more
            )
        if self.linked.objective is not None:
            self.write_objective(self.linked.objective)
        if (difference := costs.note_readings(self.linked, "No inventory says whether it does")) is not None:
            self.diagnostics.append(difference)
        self.literal_parameters()

    def add_node(self, name: str, own: str, kind: str, properties: dict[str, Any]) -> None:
        out: dict[str, Any] = {"type": f"{types.NODES}{kind}"}
        if own != name:
            out["metadata"] = {"homing.name": name}
        if kind == DEMAND:
            out["directives"] = ["select"]
        self.nodes[own] = {**out, "properties": present_properties(properties)}

    def add_policy(
        self, name: str, kind: str, section: str, type_: str, demands: tuple[str, ...], properties: dict[str, Any]
    ) -> None:
        own = self.policy_names.reserve_tosca_name(names.node_name(name))
        if section == "constraints":
            self.named[name] = own
        metadata = {"homing.type": type_} if type_ else {}
        metadata["homing.section"] = section
        if own != name:
            metadata["homing.name"] = name
        out: dict[str, Any] = {"type": f"{types.POLICIES}{kind}", "metadata": metadata}
        if present := present_properties(properties):
            out["properties"] = present
        if targets := [self.demands[demand] for demand in dict.fromkeys(demands) if demand in self.demands]:
            out["targets"] = targets
        self.policies[own] = out

    # parameters

    def scalar_or_input(self, path: Path, value: Any, kind: str) -> Any:
        """The scalar at a path, or the input for it."""
        typed = typed_value(value, kind)
        ref = self.linked.references.get(path)
        if not isinstance(ref, ParamRef) or ref.path or ref.name not in self.linked.parameters:
            return typed
        return self.declare_input(path, ref.name, HomingInput(ref.name, kind, typed)) or typed

    def declare_input(self, path: Path, name: str, declaration: HomingInput) -> InputCall | None:
        """A call of the input for a parameter; None if the parameter has another type elsewhere."""
        declared = self.inputs.setdefault(name, declaration)
        if (declared.type, declared.default) != (declaration.type, declaration.default):
            return None
        self.seen.add(path)
        return InputCall(get_input=name)

    def literal_parameters(self) -> None:
        """The other parameters become inputs if they are scalars. Reports those whose values are written in place of
        them.
        """
        for name, value in self.linked.parameters.items():
            kind = KINDS.get(type(value))
            if name not in self.inputs and kind is not None:
                self.inputs[name] = HomingInput(name, kind, value)
            elif name not in self.inputs:
                self.inputs[name] = HomingInput(name, "string", hotjson.to_json_line(value), types.JSON)
        source = self.linked.document.source
        for path, ref in self.linked.references.items():
            if isinstance(ref, ParamRef) and path[0] != "parameters" and path not in self.seen:
                message = f"The value of the parameter {ref.name} is written in place of it."
                self.diagnostics.append(Diagnostic(codes.TARGET_TAKES_ONLY_VALUE, message, source, ref.span.in_text))

    def threshold_value(self, threshold: QuantityThreshold | None) -> dict[str, Any] | None:
        """A comparison. If its number is a parameter, it is an input; its operator and its unit are written."""
        if threshold is None:
            return None
        if threshold.operator == model.RANGE:
            return {"operator": IN_RANGE, "minimum": threshold.low, "maximum": threshold.high, "unit": threshold.unit}
        value: Any = float(threshold.number)
        ref = self.linked.references.get(threshold.path)
        if isinstance(ref, ParamRef) and not ref.path and ref.name in self.linked.parameters:
            words = (
                f'the number of the threshold "{threshold.text or value}"; operator and unit are in the policies that '
            )
            words += "use it"
            value = self.declare_input(threshold.path, ref.name, HomingInput(ref.name, "float", value, words)) or value
        return {"operator": threshold.operator, "value": value, "unit": threshold.unit}

    # nodes

    def location_properties(self, name: str) -> dict[str, Any]:
        location, path = self.linked.locations[name], ("locations", name)
        out: dict[str, Any] = {}
        for key in ("latitude", "longitude"):
            if (value := getattr(location, key)) is not None:
                out[key] = self.scalar_or_input((*path, key), value, "float")
        for key in ("host_name", "clli_code", "country"):
            if value := getattr(location, key):
                out[key] = self.scalar_or_input((*path, key), value, "string")
        out["placemark"] = {k: self.scalar_or_input((*path, k), v, "string") for k, v in location.placemark.items()}
        return out

    def inventory_properties(self, requirement: DemandRequirement) -> dict[str, Any]:
        path = requirement.path

        def texts(key: str, values: tuple[Any, ...]) -> list[Any]:
            whole = path if len(values) != 1 else (*path, key)
            return [
                self.scalar_or_input(whole if len(values) == 1 else (*path, key, i), v, "string")
                for i, v in enumerate(values)
            ]

        more = dict(requirement.other) | (
            {"passthrough_attributes": dict(requirement.passthrough)} if requirement.passthrough else {}
        )
        out: dict[str, Any] = {
            "inventory_provider": requirement.provider,
            "inventory_type": requirement.inventory_type,
            "filters": [
                {
                    "attribute": each.attribute,
                    "values": [typed_value(value, "string") for value in each.values],
                    **({"negated": True} if each.negated else {}),
                }
                for each in requirement.filters
            ],
            "customer_id": None
            if requirement.customer_id is None
            else self.scalar_or_input((*path, "customer_id"), requirement.customer_id, "string"),
            "service_type": texts("service_type", requirement.service_type),
            "service_id": texts("service_id", requirement.service_id),
            **{
                key: self.scalar_or_input((*path, key), value, "string")
                for key, value in (("region", requirement.region), ("complex", requirement.complex))
                if value
            },
            "default_cost": requirement.default_cost,
            "unique": None if requirement.unique else False,
            "candidates": [hotjson.to_json_line(dict(each.fields)) for each in requirement.candidates],
            "required_candidates": [selection_value(each) for each in requirement.required or ()],
            "excluded_candidates": [selection_value(each) for each in requirement.excluded],
            "existing_placement": None if requirement.existing is None else selection_value(requirement.existing),
            "other": hotjson.to_json_line(more) if more else None,
        }
        return present_properties(out)

    # policies

    def constraint_properties(self, constraint: TemplateConstraint) -> dict[str, Any]:
        given_, path = constraint.properties, (*constraint.path, "properties")
        if isinstance(given_, model.DistanceProperties):
            return {"distance": self.threshold_value(given_.threshold), "location": self.location_name(given_.location)}
        if isinstance(given_, model.ZoneProperties):
            out = {
                "qualifier": self.scalar_or_input((*path, "qualifier"), given_.qualifier, "string"),
                "category": self.scalar_or_input((*path, "category"), given_.category, "string"),
            }
            return {**out, "location": self.location_name(given_.location)}
        if isinstance(given_, model.AttributeProperties):
            return {"evaluate": [self.evaluation_value(each) for each in given_.evaluations]}
        if isinstance(given_, model.ThresholdProperties):
            return {"evaluate": [present_properties(self.limit_value(each)) for each in given_.limits]}
        if isinstance(given_, model.FitProperties):
            request = None if given_.request is None else hotjson.to_json_line(given_.request)
            return {
                "controller": self.scalar_or_input((*path, "controller"), given_.controller, "string"),
                "request": request,
            }
        if isinstance(given_, model.LicenseProperties):
            return {key: self.scalar_or_input((*path, key), getattr(given_, key), "string") for key in ("id", "key")}
        if isinstance(given_, model.NetworkProperties):
            properties: dict[str, Any] = {
                key: self.threshold_value(getattr(given_, key)) for key in ("bandwidth", "distance", "latency")
            }
            return {**properties, "location": self.location_name(given_.location)}
        if isinstance(given_, model.CapabilityProperties):
            texts = {key: getattr(given_, key) for key in ("specification", "template", "environment")}
            return {key: typed_value(value, "string") for key, value in texts.items() if value is not None}
        if isinstance(given_, model.GroupProperties):
            return {}
        raw = (self.linked.data.get("constraints") or {}).get(constraint.name, {}).get("properties")
        if isinstance(given_, model.HpaProperties):
            return {"evaluate": hotjson.to_json_line(raw.get("evaluate"))}
        return {"properties": None if raw is None else hotjson.to_json_line(raw)}

    def location_name(self, name: str) -> str | None:
        return self.locations[name] if name else None

    def evaluation_value(self, evaluation: model.AttributeEvaluation) -> dict[str, Any]:
        out: dict[str, Any] = {"attribute": evaluation.attribute, "operator": evaluation.operator}
        if evaluation.operator in ("any", "all") and isinstance(evaluation.operand, (list, tuple)):
            out["values"] = [
                self.scalar_or_input((*evaluation.path, i), value, "string")
                for i, value in enumerate(evaluation.operand)
            ]
        elif evaluation.operator in ("lt", "gt", "lte", "gte"):
            out["number"] = self.scalar_or_input(evaluation.path, evaluation.operand, "float")
        else:
            out["value"] = self.scalar_or_input(evaluation.path, evaluation.operand, "string")
        if evaluation.flags:
            out["flags"] = evaluation.flags
        return out

    def limit_value(self, limit: model.ThresholdEntry) -> dict[str, Any]:
        value = self.scalar_or_input((*limit.path, "threshold"), limit.value, "float")
        return {
            "attribute": limit.attribute,
            "operator": limit.operator,
            "threshold": value,
            "unit": limit.unit or None,
        }

    # the objective

    def write_objective(self, objective: model.TemplateObjective) -> None:
        terms = self.flatten_term(objective.term, None)
        demands = dict.fromkeys(name for name in self.linked.demands if name in term_demands(objective.term))
        properties: dict[str, Any] = {"goal": objective.goal}
        if terms is not None:
            properties["sum"] = terms
        else:
            properties["objective"] = hotjson.to_json_line(self.linked.data.get("optimization"))
        self.add_policy("optimization", "Optimization", "optimization", "", tuple(demands), properties)

    def flatten_term(self, term: Term, weight: Any) -> list[dict[str, Any]] | None:
        """The weighted functions of a sum; None if the term is not such a sum."""
        if isinstance(term, ObjectiveNumber) or term.normalization is not None:
            return None
        if isinstance(term, ObjectiveFunction):
            own = term.weight if weight is None else weight
            if weight is not None and term.weight != 1:
                return None
            if weight is None:
                own = self.scalar_or_input((*term.path, "weight"), term.weight, "float")
            demands = term.demands[:1] if term.location else term.demands
            terms = [self.measure_value(term, demand, own) for demand in demands]
            if self.linked.adds_costs and term.name == "distance_between":
                terms += [self.measure_value(COST, demand, own) for demand in demands]
            return terms
        if term.weight != 1:
            return None
        if term.name == "sum" and weight is None:
            term_lists = [self.flatten_term(operand, None) for operand in term.operands]
            return (
                [weighted for each in term_lists if each is not None for weighted in each]
                if None not in term_lists
                else None
            )
        if term.name == "product" and weight is None and len(term.operands) == 2:
            first, second = term.operands
            if isinstance(first, ObjectiveNumber) and isinstance(second, ObjectiveFunction):
                return self.flatten_term(second, self.scalar_or_input(first.path, first.value, "float"))
        return None

    def measure_value(self, function: ObjectiveFunction, demand: str, weight: Any) -> dict[str, Any]:
        out = {
            "weight": weight,
            "function": function.name,
            "location": self.location_name(function.location),
            "demand": self.demands[demand],
            "attribute": function.attribute or None,
        }
        return present_properties(out)


def term_demands(term: Term) -> set[str]:
    """The demands that a term names."""
    if isinstance(term, ObjectiveNumber):
        return set()
    if isinstance(term, ObjectiveOperator):
        return set().union(*(term_demands(operand) for operand in term.operands))
    return set(term.demands)


def selection_value(selection: CandidateSelection) -> dict[str, Any]:
    return present_properties({"inventory_type": selection.inventory_type or None, "candidate_id": list(selection.ids)})


def typed_value(value: Any, kind: str) -> Any:
    """A value of a type. A value of another type becomes JSON if a text is needed."""
    if kind == "float":
        return float(value)
    return value if isinstance(value, str) else hotjson.to_json_line(value)


def present_properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties that have a value."""
    return {key: value for key, value in properties.items() if value is not None and value not in ([], {})}
