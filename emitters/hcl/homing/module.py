"""Writes a homing template as the files of a Terraform module.

Invariant: the module makes the same choices as `hot2tf home` from the same inventory. A choice that it cannot compute
is in a variable, and has a diagnostic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

from emitters.hcl import namespace
from emitters.hcl.assemble import gitignore, origin
from emitters.hcl.homing import choice, fallbacks
from emitters.hcl.homing.columns import TYPES, CandidateColumns, section_variable
from emitters.hcl.homing.drawn import CandidateLocals, declared_rows
from emitters.hcl.homing.expressions import ExpressionPrinter, NotInHcl
from emitters.hcl.homing.notes import ModuleNotes
from emitters.hcl.homing.parameters import ModuleParameters
from emitters.hcl.homing.places import ModuleLocations
from emitters.hcl.homing.scores import ObjectiveScores
from emitters.hcl.homing.shorthand import ID, OWN, for_candidates, local_reference, member_of
from emitters.hcl.tree.nodes import (
    Argument,
    Block,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Note,
    Object,
    Op,
    StringTemplate,
    Traversal,
)
from emitters.hcl.tree.printer import print_hcl
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, has_errors
from transpile.homing import lowering, rows
from transpile.homing.inventory import Inventory
from transpile.homing.model import LinkedHomingTemplate
from transpile.homing.problem import PlacementConstraint
from transpile.model.span import START
from transpile.targets import Output

OURS = ("candidates", "locations", "groups", "network_roles", "host_roles", "fitting", "scores", "assume_fit", "chosen")
OBJECTIVE = "objective"  # the test whether the facts for the objective are known
WIDTH = 9  # digits of a rank


def emit_module(linked: LinkedHomingTemplate, options: Mapping[str, Any]) -> Output:
    """The files of a module. Option `inventory`: a Source with candidates, or None."""
    notes = ModuleNotes(linked.document.source)
    stock, diagnostics = fallbacks.read_inventory_option(options.get("inventory"))
    if has_errors(diagnostics):
        return Output({}, {}, diagnostics)
    try:
        placement_module = PlacementModule(linked, stock, notes)
        notes.keep(placement_module.solved.compare_readings())
        files = placement_module.write_files()
    except NotInHcl as e:
        message = f"The objective cannot be written in HCL: {e}."
        return Output(
            {},
            {},
            [
                *diagnostics,
                Diagnostic(codes.OBJECTIVE_NOT_POSSIBLE_IN_HCL, message, notes.source, e.place.span.in_text),
            ],
        )
    parameters = {
        name: {"variable": own[0]} if (own := placement_module.parameters.of.get(name)) else {}
        for name in linked.parameters
    }
    demands = {name: {"output": f"placement.{name}"} for name in linked.demands}
    constraints = {
        name: {"type": constraint.type, "local": placement_module.constraint_local(constraint)}
        for name, constraint in linked.constraints.items()
    }
    body = {"parameters": parameters, "homing": {"demands": demands, "constraints": constraints}}
    return Output(files, body, [*diagnostics, *notes.diagnostics])


@final
class PlacementModule:
    """The module of a homing template, with all its parts."""

    def __init__(self, linked: LinkedHomingTemplate, stock: Inventory | None, notes: ModuleNotes) -> None:
        self.linked, self.notes, self.stock = linked, notes, stock
        self.parameters = ModuleParameters(linked, namespace.UniqueNames(OURS), notes)
        self.columns = CandidateColumns(stock, declared_rows(linked, notes))
        self.places = ModuleLocations(linked, self.columns, self.parameters, notes)
        self.solved = fallbacks.SolvedTemplate(linked, stock)
        self.printer = ExpressionPrinter(
            linked, self.columns, self.places, self.parameters, notes, self.lacks_attribute
        )
        self.drawn = CandidateLocals(self.columns, self.printer, notes)
        self.rows = rows.constraint_rows(linked)
        term = rows.objective_term(linked, adds_costs=linked.adds_costs)
        maximize = linked.objective is not None and linked.objective.goal == "maximize"
        self.scores = ObjectiveScores(self.printer, term, maximize=maximize)
        self.chosen: dict[str, str] = {}
        large = self.large_parts()
        self.places.chosen = self.chosen
        parts = choice.split_parts(list(linked.demands), self.asked_rows, self.scores, large)
        self.choice = choice.ChoiceLocals(self.printer, self.asked_rows, self.scores, parts)

    def lacks_attribute(self, name: str) -> bool:
        """Whether no candidate of the inventory has an attribute."""
        return self.stock is not None and not lowering.has_attribute(self.linked, self.stock, name)

    @property
    def asked_rows(self) -> list[PlacementConstraint]:
        """The constraints that the inventory decides, or may decide when Terraform runs."""
        return [row for row in self.rows if row.name not in self.solved.assumed]

    def large_parts(self) -> set[str]:
        """The first demands of the parts that have more assignments than Terraform can list."""
        parts = set()
        for own in choice.independent_groups(list(self.linked.demands), self.asked_rows, self.scores):
            size = self.solved.assignment_count(own)
            if size is None and len(own) > choice.MANY:
                message = (
                    f"Terraform lists all assignments of {', '.join(own)}, which takes long for more than a few "
                    "candidates: give the inventory, and hot2tf computes the choice."
                )
                self.notes.report(
                    codes.TOO_MANY_ASSIGNMENTS_FOR_TERRAFORM, message, START, "--option inventory=FILE", "warning"
                )
            if size is not None and size > choice.LARGE:
                parts.add(own[0])
                self.chosen |= self.solved.best_assignment(own, self.notes, size)
        return parts

    # files

    def write_files(self) -> dict[str, str | bytes]:
        computed = list(self.locals_blocks())
        self.parameters.report_fixed_parameters()
        for reservation in self.linked.reservations:
            message = f"HCL reserves nothing: {reservation.name} is left out."
            self.notes.report_difference(codes.RESERVATION_WITHOUT_COUNTERPART, message, reservation)
        items: dict[str, list[Any]] = {
            "versions.tf": [self.versions_block()],
            "variables.tf": list(self.variable_blocks()),
            "locals.tf": computed,
            "main.tf": list(self.check_blocks()),
            "outputs.tf": list(self.output_blocks()),
        }
        if self.notes.comments:
            items["main.tf"].insert(0, Note([f" {line}" for line in self.notes.comments]))
        options = [("--inventory", "FILE")] if self.stock is not None else []
        flags = ["--engine", self.linked.engine] if self.linked.engine else []
        source = origin.base_name(self.linked.document.source.name)
        first = origin.origin_of_conversion(source, options, flags).make_note()
        files: dict[str, str | bytes] = {name: print_hcl([first, *own]) for name, own in sorted(items.items())}
        files[gitignore.NAME] = gitignore.print_gitignore(first)
        if self.stock is not None:
            files["terraform.tfvars"] = print_hcl([first, *self.variable_values()], constant=True)
        return files

    def versions_block(self) -> Block:
        block = Block("terraform")
        block.add_argument("required_version", ">= 1.5")
        return block

    def locals_blocks(self) -> Iterator[Block]:
        """The blocks of locals, from the candidates to the answer."""
        drawn = [(name, self.drawn.demand_candidates(demand)) for name, demand in self.linked.demands.items()]
        passing = [(name, self.candidate_tests(name)) for name in self.linked.demands]
        scores = self.choice.score_expression()
        self.report_assumed()
        chosen = [argument for part in self.choice.parts for argument in self.choice.part_locals(part)]
        answer = list(self.choice.placement_expression())
        places = list(self.places.distance_locals(self.drawn.all_candidates))
        if places:
            yield locals_block(places)
        words = [" The candidates of each demand, with their costs for it; `rank` is their order."]
        own = [*self.drawn.candidate_locals(), Argument("drawn", Object(tuple(drawn)), comments=words)]
        if self.printer.absent:
            words = [" Attributes that no candidate has."]
            absent = [
                (name, Fn("alltrue", (ForTuple(("c",), self.drawn.all_candidates, lacks),)))
                for name, lacks in self.printer.absent.items()
            ]
            own.append(Argument("absent", Object(tuple(absent)), comments=words))
        words = [" Whether each candidate of a demand meets each of the constraints that are about this demand alone."]
        own.append(Argument("passing", Object(tuple(passing)), comments=words))
        words = [" The candidates that all of these constraints leave, in order."]
        left = [(name, self.remaining_ids(name)) for name in self.linked.demands]
        own.append(Argument("left", Object(tuple(left)), comments=words))
        yield locals_block(own)
        if pairs := [*self.places.pair_locals(), *self.printer.group_locals()]:
            yield locals_block(pairs)
        if self.scores.alone:
            words = [" The amount that each candidate adds to the objective."]
            chosen.insert(0, Argument("scores", scores, comments=words))
        yield locals_block([*chosen, *answer])

    def constraint_local(self, constraint: Any) -> str:
        """The local in which a constraint is tested."""
        row = next((row for row in self.rows if row.name == constraint.name and row.pair is not None), None)
        if row is None:
            return "passing"
        return f"assignments_{next(part for part in self.choice.parts if row.demands[0] in part.demands).label}"

    def report_assumed(self) -> None:
        """Reports the constraints that the inventory does not decide."""
        for row in self.rows:
            if row.name in self.solved.assumed:
                constraint = self.linked.constraints[row.name]
                message = f"The inventory does not decide {row.name} ({constraint.type}), so HCL does not ask for it."
                self.notes.report_difference(codes.SELECTION_NOT_DECIDED_BY_INVENTORY, message, constraint)

    def candidate_tests(self, demand: str) -> Expr:
        """The tests of a demand's candidates, by constraint."""
        tests: list[tuple[Expr, Expr]] = []
        candidates = member_of(local_reference("drawn"), demand)
        for row in self.rows:
            if demand in row.demands and (test := self.printer.test_alone(row, demand)) is not None:
                tests.append((row.name, for_candidates(candidates, test)))
        known = self.scores.known_test(demand)
        if known is not None:
            name = OBJECTIVE
            while name in self.linked.constraints:
                name += "_"
            tests.append((name, for_candidates(candidates, known)))
        return Object(tuple(tests))

    def remaining_ids(self, demand: str) -> Expr:
        """The ids of a demand's candidates that pass all tests, sorted by rank."""
        candidates = member_of(local_reference("drawn"), demand)
        ranked = Fn("format", (f"%0{WIDTH}d %s", member_of(OWN, "rank"), ID))
        test = Fn(
            "alltrue",
            (ForTuple(("test",), member_of(local_reference("passing"), demand), Index(Traversal(("test",)), ID)),),
        )
        ids = ForTuple(("id", "c"), candidates, ranked, test)
        key = Traversal(("key",))
        return ForTuple(("key",), Fn("sort", (ids,)), Fn("substr", (key, WIDTH + 1, -1)))

    def variable_blocks(self) -> Iterator[Block]:
        yield from self.parameters.blocks.values()
        yield self.columns.candidates_variable()
        if (variable := self.places.locations_variable()) is not None:
            yield variable
        texts, ids = Traversal(("string",)), Fn("list", (Traversal(("string",)),))
        if "groups" in self.printer.sections:
            words = "Pairs of candidates that belong together; null if the inventory has no groups."
            yield section_variable("groups", words, Fn("list", (ids,)), None)
        if "network_roles" in self.printer.sections:
            yield section_variable(
                "network_roles", "The candidates of each network role.", Fn("map", (ids,)), Object(())
            )
        if "host_roles" in self.printer.sections:
            yield section_variable("host_roles", "The replication role of each host.", Fn("map", (texts,)), Object(()))
        if self.printer.fitting:
            words = "The candidates that meet a constraint, by its name, or by CONSTRAINT_DEMAND."
            yield section_variable("fitting", words, Fn("map", (ids,)), Object(()))
        if self.printer.scored:
            words = "The scores of candidates for a constraint of the type hpa, by its name."
            scores = Fn("map", (Fn("map", (TYPES["number"],)),))
            yield section_variable("scores", words, scores, Object(()))
        if self.printer.assumes:
            words = "Whether a candidate meets a constraint that neither HCL nor the inventory can test."
            yield section_variable("assume_fit", words, Traversal(("bool",)), True)
        if self.chosen:
            words = "The choice where there are too many assignments to list: hot2tf has computed it."
            default = Object(tuple(self.chosen.items()))
            yield section_variable("chosen", words, Fn("map", (texts,)), default)

    def variable_values(self) -> Iterator[Argument]:
        """The inventory as values of the variables."""
        yield self.columns.candidates_table()
        if (table := self.places.locations_table()) is not None:
            yield table
        asked = {
            *self.printer.sections,
            *["fitting"] * bool(self.printer.fitting),
            *["scores"] * bool(self.printer.scored),
        }
        for name, value in self.solved.variable_values(list(self.printer.fitting), list(self.printer.scored)).items():
            if name in asked:
                yield Argument(name, value)

    def check_blocks(self) -> Iterator[Block]:
        """A check for each demand, and one for the whole placement."""
        names = namespace.UniqueNames()
        for demand in self.linked.demands:
            check = Block("check", (names.reserve_name(f"candidates_of_{namespace.snake_case(demand)}"),))
            inner = check.add_block("assert")
            inner.add_argument("condition", Op(">", Fn("length", (member_of(local_reference("left"), demand),)), 0))
            passing = ForTuple(("id", "ok"), Traversal(("test",)), ID, Traversal(("ok",)))
            passed_tests = ForObject(
                ("name", "test"), member_of(local_reference("passing"), demand), Traversal(("name",)), passing
            )
            parts = (
                f"No candidate is left for {demand}. Each constraint alone leaves: ",
                Fn("jsonencode", (passed_tests,)),
                ".",
            )
            inner.add_argument("error_message", StringTemplate(parts))
            yield check
        check = Block("check", ("placement",))
        inner = check.add_block("assert")
        inner.add_argument("condition", Op("!=", local_reference("homed"), None))
        inner.add_argument("error_message", self.no_assignment_message())
        yield check

    def no_assignment_message(self) -> Expr:
        words = "No assignment meets all constraints. Left by the constraints on each demand alone: "
        return StringTemplate((words, Fn("jsonencode", (local_reference("left"),)), "."))

    def output_blocks(self) -> Iterator[Block]:
        entries: list[tuple[Expr, Expr]] = []
        zone = self.columns.types.get("complex_name")
        for demand in self.linked.demands:
            chosen = Index(member_of(local_reference("drawn"), demand), member_of(local_reference("homed"), demand))
            fields: list[tuple[Expr, Expr]] = [
                ("id", member_of(local_reference("homed"), demand)),
                ("region", member_of(chosen, "location_id")),
            ]
            if zone is not None:
                fields.append(("zone", member_of(chosen, "complex_name")))
            entries.append((demand, Object(tuple(fields))))
        output = Block("output", ("placement",))
        output.add_argument(
            "description", "The chosen candidate of each demand: its id, region (location_id) and zone (complex_name)."
        )
        output.add_argument("value", Cond(Op("==", local_reference("homed"), None), None, Object(tuple(entries))))
        inner = output.add_block("precondition")
        inner.add_argument("condition", Op("!=", local_reference("homed"), None))
        inner.add_argument("error_message", self.no_assignment_message())
        yield output
        if self.linked.objective is not None:
            output = Block("output", ("value",))
            output.add_argument("description", "The value of the objective.")
            output.add_argument("value", local_reference("value"))
            yield output
        output = Block("output", ("left",))
        output.add_argument("description", "The candidates that the constraints on each demand alone leave.")
        output.add_argument("value", local_reference("left"))
        yield output


def locals_block(arguments: list[Argument]) -> Block:
    block = Block("locals")
    block.body += arguments
    return block
