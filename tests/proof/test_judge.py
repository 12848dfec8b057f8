"""Every conversion compares Heat's values with Terraform's: differences that it refuses, announces, or accepts."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import transpile
from emitters.hcl.evaluation.instances import DirectoryInstance
from emitters.hcl.lowering import functions
from emitters.hcl.lowering.lowering import HclLowering, Part
from tests.conftest import Run
from tests.support import conversions, oracles
from transpile import evaluate
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model import ir

HEAD = """\
heat_template_version: 2021-04-16
parameters:
  prefix: {type: string, default: node}
  names: {type: comma_delimited_list, default: "1,b"}
  values: {type: json, default: {"0": zero}}
conditions:
  is_node: {equals: [{get_param: prefix}, node]}
"""
GROUP = (
    HEAD
    + """\
resources:
  nets:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: OS::Neutron::Net
        properties:
          name: NAME
"""
)
LOOP = (
    HEAD
    + """\
resources: {}
outputs:
  looped: {value: {repeat: {for_each: {"%index%": {get_param: names}}, template: NAME}}}
"""
)
PARAM = {"get_param": "prefix"}
FORMS: dict[str, Any] = {  # the word of the loop at each place of a function where a text can stand
    "alone": "v-%index%",
    "template": {"str_replace": {"template": "v-%index%-N", "params": {"N": PARAM}}},
    "value": {"str_replace": {"template": "v-X-N", "params": {"N": PARAM, "X": "%index%"}}},
    "key": {"str_replace": {"template": "v-%index%-N", "params": {"N": PARAM, "%index%": "q"}}},
    "part of a key": {"str_replace": {"template": "v-k0-N", "params": {"N": PARAM, "k%index%": "q"}}},
    "list as a value": {"str_replace": {"template": "v-X-N", "params": {"N": PARAM, "X": ["%index%"]}}},
    "map as a value": {"str_replace": {"template": "v-X-N", "params": {"N": PARAM, "X": {"k%index%": "%index%"}}}},
    "template known late": {"str_replace": {"template": PARAM, "params": {"o": "%index%"}}},
    "item": {"list_join": ["-", ["v", "%index%", PARAM]]},
    "delimiter": {"list_join": ["%index%", ["v", PARAM]]},
    "delimiter of a list known late": {"list_join": ["%index%", {"get_param": "names"}]},
    "branch": {"list_join": ["-", [{"if": ["is_node", "a%index%", "b"]}, PARAM]]},
    "path": {"get_param": ["values", "%index%"]},
    "digest": {"digest": ["md5", {"list_join": ["", ["x%index%", PARAM]]}]},
    "host": {"make_url": {"scheme": "http", "host": "h%index%", "path": {"list_join": ["", ["/", PARAM]]}}},
    "merged": {"list_join": ["-", {"list_concat": [["%index%"], {"get_param": "names"}]}]},
    "filtered": {"list_join": ["-", {"filter": [["%index%"], {"get_param": "names"}]}]},
    "compared": {"if": [{"equals": ["%index%", PARAM]}, "yes", "no"]},
    "inner loop": {"list_join": ["-", {"repeat": {"for_each": {"<w>": ["%index%", "b"]}, "template": "<w>x"}}]},
}


def severe(done: transpile.Conversion) -> list[Diagnostic]:
    return [diagnostic for diagnostic in done.diagnostics if diagnostic.severity != "info"]


@pytest.mark.parametrize("template", [GROUP, LOOP], ids=["group", "repeat"])
@pytest.mark.parametrize("form", FORMS)
def test_the_word_of_a_loop_is_as_in_heat_or_reported(template: str, form: str) -> None:
    """The judge refuses a silent difference, so a conversion without an error is right or announced."""
    done = conversions.convert(template.replace("NAME", json.dumps(FORMS[form])))
    announced = {diagnostic.code for diagnostic in severe(done)}
    assert announced <= {codes.PLACEHOLDER_INSIDE_VALUE, codes.JSON_FORMATTED_DIFFERENTLY, codes.URL_QUOTED_DIFFERENTLY}


def test_a_value_of_str_replace_may_be_the_index() -> None:
    done = transpile.convert(GROUP.replace("NAME", json.dumps(FORMS["value"])))
    assert 'name = "v-${count.index}-${var.prefix}"' in done.files["main.tf"]


@pytest.fixture
def broken_lowering(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lowering that forgets the word of the loop in literal values, as an older version did."""
    lower = functions.parts_of_replacement

    def forget_loop(lowering: HclLowering, key: str, expr: ir.Expr) -> list[Part]:
        literal = ir.is_plain_data(expr)
        return [evaluate.format_replacement(ir.to_data(expr))] if literal else lower(lowering, key, expr)

    monkeypatch.setattr(functions, "parts_of_replacement", forget_loop)


BROKEN = GROUP.replace("NAME", json.dumps(FORMS["value"]))


EXISTENCE = (
    HEAD
    + """\
resources:
  net: {type: OS::Neutron::Net, condition: is_node}
  nets: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Neutron::Net}}}
"""
)


@pytest.mark.parametrize(
    ("count", "messages"),
    [
        (None, []),
        (0, ["whether net exists: Heat makes true, this Terraform makes false.",
             "the number of nets: Heat makes 2, this Terraform makes 0."]),
        (3, ["the number of nets: Heat makes 2, this Terraform makes 3."]),
    ],
)  # fmt: skip
def test_a_wrong_number_of_resources_is_found(
    count: int | None, messages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault is a condition, or the size of a group, that is lowered to another number."""
    if count is not None:
        monkeypatch.setattr(DirectoryInstance, "instance_keys", lambda self, block: list(range(count)))
    done = transpile.convert(EXISTENCE)
    assert [d.message for d in done.diagnostics if d.severity == "error"] == messages


@pytest.mark.usefixtures("broken_lowering")
class TestDefectOfOurs:
    def test_it_is_an_error_at_the_property_and_marked_in_the_file(self) -> None:
        done = transpile.convert(BROKEN)
        assert not done.ok
        assert '# HOT910: nets.0.name: Heat makes "v-0-node"' in done.files["main.tf"]
        first, second = severe(done)
        assert [first.code, second.code] == [codes.VALUE_DIFFERS_FROM_HEAT] * 2
        assert 'nets.0.name: Heat makes "v-0-node", this Terraform makes "v-%index%-node"' in first.message
        assert first.source is not None
        assert first.source.text[first.at :].startswith('{"str_replace"')

    def test_the_command_writes_it_with_status_1_and_refuses_it_with_strict(self, command: Run) -> None:
        pathlib.Path("a.yaml").write_text(BROKEN)
        marked = command("convert", "a.yaml", "-o", "marked")
        text = pathlib.Path("marked/main.tf").read_text()
        number = text[: text.index("# HOT910")].count("\n") + 1
        assert (marked.status, f"main.tf:{number}" in marked.err) == (1, True)
        assert (command("convert", "a.yaml", "-o", "strict", "--strict").status, pathlib.Path("strict").exists()) == (
            1,
            False,
        )

    def test_a_migration_writes_it_with_status_1(self, command: Run) -> None:
        pathlib.Path("src").mkdir()
        pathlib.Path("src/a.yaml").write_text(BROKEN)
        for _ in range(2):  # the second run finds nothing to do, and says the same
            done = command("migrate", "src", "out", "--progress", "none", "--jobs", "1")
            assert (done.status, "HOT910" in done.err) == (1, True)
            assert "# HOT910" in pathlib.Path("out/a/main.tf").read_text()

    def test_verify_off_writes_all_the_same(self) -> None:
        done = conversions.convert(BROKEN, options={"verify": "off"})
        assert "%index%" in done.files["main.tf"]

    def test_keep_leaves_the_resource_with_heat(self) -> None:
        done = conversions.convert(BROKEN, options={"keep": "nets"})
        assert done.report["resources"]["nets"]["treatment"] == "embedded"
        assert done.report["resources"]["nets"]["kept"]["why"] == "--keep names it"

    def test_it_is_found_inside_modules(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "inner.yaml").write_text(BROKEN)
        outer = tmp_path / "outer.yaml"
        outer.write_text("heat_template_version: 2021-04-16\nresources:\n  inner: {type: inner.yaml}\n")
        done = transpile.convert(outer)
        assert {(d.code, d.source.name) for d in severe(done) if d.source is not None} == {
            (codes.VALUE_DIFFERS_FROM_HEAT, "inner.yaml")
        }

    def test_tests_look_at_the_other_state_of_conditions_too(self) -> None:
        """With the converted values, the output is null on both sides."""
        condition = "  is_other: {equals: [{get_param: prefix}, other]}\nresources"
        value = json.dumps(FORMS["value"])
        template = (
            LOOP.replace("resources", condition)
            .replace("NAME", value)
            .replace("{value:", "{condition: is_other, value:")
        )
        assert transpile.convert(template).ok
        done = transpile.convert(template, options={"tests": True, "test_runs": "all"})
        assert [diagnostic.code for diagnostic in severe(done)] == [codes.VALUE_DIFFERS_FROM_HEAT]

    def test_many_are_counted_after_the_first_ones(self) -> None:
        rows = "".join(
            f"  o{n}: {{value: {{repeat: {{for_each: {{'%index%': {{get_param: names}}}}, template: "
            f"{json.dumps(FORMS['value'])}}}}}}}\n"
            for n in range(25)
        )
        done = transpile.convert(LOOP[: LOOP.index("  looped")] + rows)
        errors = severe(done)
        assert len(errors) == 20
        assert errors[-1].message.endswith("5 more values differ.")


def test_members_that_are_too_many_to_be_evaluated_are_not_judged() -> None:
    template = GROUP.replace("count: 2", "count: {get_param: many}").replace("NAME", '"n%index%"')
    conversions.convert(template.replace("parameters:", "parameters:\n  many: {type: number, default: 50000}"))


MEMBERS = """\
heat_template_version: 2021-04-16
parameters:
  p: {type: json%s}
resources:
  t:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def: {type: "%s", properties: %s}
"""
TEMPLATE = {"coe": "kubernetes", "external_network": "private", "image": "i"}
PATHS: dict[str, dict[str, Any]] = {
    "OS::Magnum::BayModel": {"labels": {"get_param": ["p", "k"]}, **TEMPLATE},
    "AWS::EC2::Instance": {"SecurityGroups": {"get_param": ["p", "k"]}, "ImageId": "i", "InstanceType": "f"},
    "OS::Designate::Zone": {"attributes": {"get_param": ["p", "k"]}, "name": "a.", "email": "e", "type": "PRIMARY"},
}


@pytest.mark.parametrize("kind", PATHS)
@pytest.mark.parametrize("default", ["", ", default: {other: [x]}", ", default: {k: null}"])
def test_a_path_that_leads_to_no_collection(default: str, kind: str) -> None:
    """Heat refuses the made-up text and "" for members, too, so there is nothing to compare. Null is as good as absent:
    a loop over the value must take it.
    """
    members = MEMBERS % (default, kind, json.dumps(PATHS[kind]))
    assert [d.message for d in transpile.convert(members).diagnostics if d.code == "HOT910"] == []
    head = members[: members.index("resources:")]
    text = f"{head}resources: {{t: {{type: '{kind}', properties: {json.dumps(PATHS[kind])}}}}}\n"
    assert [d.message for d in transpile.convert(text).diagnostics if d.code == "HOT910"] == []


JSON_TEXT = """\
heat_template_version: 2021-04-16
parameters:
  words: {type: json%s}
resources: {}
outputs:
  text: {value: {str_replace: {template: "W;", params: {W: {get_param: words}}}}}
"""


def test_a_known_difference_is_a_warning_with_both_values() -> None:
    done = conversions.convert(JSON_TEXT % ', default: {"a": 1}')
    (warning,) = severe(done)
    assert warning.code in (codes.JSON_FORMATTED_DIFFERENTLY, codes.UNTYPED_VALUE_AS_TEXT)
    assert 'Heat makes "{\\"a\\": 1};", this Terraform makes "{\\"a\\":1};"' in warning.message
    assert done.report["verified"] == {"announced": {"outputs.text": warning.code}}


def test_a_difference_in_a_value_that_was_made_up_stays_an_info() -> None:
    done = conversions.convert(JSON_TEXT % "")
    assert severe(done) == []


def test_a_hidden_value_is_in_no_message() -> None:
    """A message has neither the value from the environment nor a value computed from it."""
    environment = 'parameters:\n  words: {"a": "s3cret"}\n'
    done = transpile.convert(JSON_TEXT % ", hidden: true", environments=[environment])
    assert "s3cret" not in json.dumps([diagnostic.message for diagnostic in done.diagnostics])


def test_a_network_found_by_its_id_is_no_difference() -> None:
    """The provider takes a name, and the data source that finds it by ID has one."""
    done = conversions.convert(
        "heat_template_version: 2021-04-16\n"
        "parameters: {net: {type: string, default: 8977e24c-32c6-4fb1-ae9f-6f70c16ecf0d}}\n"
        "resources:\n"
        "  ip: {type: OS::Neutron::FloatingIP, properties: {floating_network: {get_param: net}}}\n"
    )
    assert "verified" not in done.report


@pytest.mark.parametrize("name", ["yes", "No", "5", "1.50"])
def test_a_name_that_yaml_reads_as_another_type_is_no_difference(name: str) -> None:
    done = transpile.convert(f"{HEAD}resources: {{p: {{type: OS::Neutron::Port, properties: {{network: {name}}}}}}}\n")
    assert done.ok
    assert "verified" not in done.report


@pytest.mark.parametrize("type_and_property", ["OS::Neutron::Port: network", "OS::Neutron::Subnet: network"])
def test_an_empty_default_of_an_existing_name_is_no_difference(type_and_property: str) -> None:
    """Heat finds no network by an empty name, and neither does Terraform. The value comes with the environment."""
    kind, name = type_and_property.split(": ")
    done = conversions.convert(
        f"""heat_template_version: 2021-04-16
parameters:
  net: {{type: string, default: ""}}
resources:
  r: {{type: "{kind}", properties: {{{name}: {{get_param: net}}, cidr: 10.0.0.0/24}}}}
""".replace(", cidr: 10.0.0.0/24" if kind.endswith("Port") else "nothing", "")
    )
    assert codes.VALUE_DIFFERS_FROM_HEAT not in {diagnostic.code for diagnostic in done.diagnostics}


def test_yaql_of_strangers_is_not_run() -> None:
    """This expression would take longer than anybody waits."""
    done = transpile.convert(
        "heat_template_version: 2021-04-16\n"
        "parameters: {p: {type: string, default: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!}}\n"
        "resources: {}\n"
        "outputs: {o: {value: {yaql: {expression: '$.data =~ \"^(a|a)*$\"', data: {get_param: p}}}}}\n"
    )
    assert done.diagnostics


def test_a_judgement_beyond_the_budget_is_reported_as_missing() -> None:
    """The judge pays for its steps; a conversion that has none left is not refused for it."""
    rows = "".join(
        f"  o{n}: {{value: {{list_join: ['-', {{repeat: {{for_each: {{x: {{get_param: l}}}}, template: a-x}}}}]}}}}\n"
        for n in range(60)
    )
    letters = ",".join("a" * 400)
    template = (
        "heat_template_version: 2021-04-16\n"
        f"parameters: {{l: {{type: comma_delimited_list, default: '{letters}'}}}}\n"
        f"resources: {{}}\noutputs:\n{rows}"
    )
    assert "verified" not in transpile.convert(template).report
    done = conversions.convert(template, limits={"steps": 30_000})
    assert done.report["verified"] == {"why": "it would exceed the limit steps"}


# other people's templates


@pytest.mark.long
@oracles.needs_corpus
def test_no_value_of_a_corpus_differs_without_a_word() -> None:
    """Every twelfth stack and every sixtieth template; `python benchmarks/verified.py` takes all."""
    corpus = oracles.SHARED / "corpus"
    stacks = [json.loads(row) for row in (corpus / "heat_stacks.jsonl").read_text().splitlines()]
    rows = [(row["template"], row["environments"]) for row in stacks][::12]
    rows += [(row["path"], []) for row in map(json.loads, (corpus / "heat_verdicts.jsonl").read_text().splitlines())][
        ::60
    ]
    wrong = []
    for template, environments in rows:
        done = transpile.convert(
            corpus / template,
            environments=[corpus / name for name in environments],
            root=corpus / template.split("/")[0],
        )
        wrong += [(template, d.message) for d in done.diagnostics if d.code == codes.VALUE_DIFFERS_FROM_HEAT]
    assert wrong == []
