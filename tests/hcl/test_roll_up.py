"""`--roll-up`: which copies become one block, which are left, and that Terraform plans the same."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import transpile
from emitters.hcl.namespace import LEGAL
from emitters.hcl.roll_up import comparison, families, merging, rolling, values
from emitters.hcl.tree.nodes import Argument, Block, Object, StringTemplate, Traversal
from tests.conftest import Run
from tests.support import cases, conversions, oracles
from tests.support.files import write_files
from tests.support.hand_translations import LIMIT, measure_translations
from tests.support.repositories import put, tree
from tests.support.terraform_graph import Configuration
from transpile.diagnostics import codes
from transpile.model.records import replace
from transpile.report import template_reports
from transpile.settings.table import Request

VERSION = "heat_template_version: 2018-08-31\n"
NETWORK = "  net: {type: OS::Neutron::Net, properties: {name: front}}\n"
NODE = VERSION + (
    "parameters: {name: {type: string}, net: {type: string}}\n"
    "resources:\n"
    + "".join(
        f"  port_{n}:\n    type: OS::Neutron::Port\n    properties:\n      network: {{get_param: net}}\n"
        f"      name: {{list_join: ['-', [{{get_param: name}}, '{n}']]}}\n"
        for n in range(3)
    )
    + "outputs: {first: {value: {get_resource: port_0}}}\n"
)


NODES = [f"node_{n}: {{type: node.yaml, properties: {{name: n{n}, net: {{get_resource: net}}}}}}" for n in (1, 2, 3)]


def write(*resources: str, outputs: str = "", head: str = "") -> str:
    """A template with these resources, each on a line of its own."""
    lines = "".join(f"  {line}\n" for line in resources)
    return f"{VERSION}{head}resources:\n{NETWORK}{lines}" + (f"outputs:\n  {outputs}\n" if outputs else "")


def port(name: str, /, **properties: Any) -> str:
    body = json.dumps({"network": {"get_resource": "net"}, **properties})
    return f"{name}: {{type: OS::Neutron::Port, properties: {body}}}"


def volume(name: str, depends_on: str = "", /, **properties: Any) -> str:
    waits = f", depends_on: {depends_on}" if depends_on else ""
    body = json.dumps({"size": 1, "name": name, **properties})
    return f"{name}: {{type: OS::Cinder::Volume, properties: {body}{waits}}}"


def roll(text: str, **more: Any) -> transpile.Conversion:
    """The conversion with `--roll-up` and other options."""
    return conversions.convert(text, options={"roll_up": True, **more})


def rolled(done: transpile.Conversion) -> dict[str, list[str]]:
    """The families: labels of their members, by address."""
    return {
        address: [member.rpartition(".")[2] for member in members]
        for address, members in done.report.get("rolled_up", {}).items()
    }


def block(done: transpile.Conversion, address: str) -> str:
    """The text of a block in main.tf."""
    names = re.escape(" ".join(f'"{name}"' for name in address.split(".")))
    match = re.search(rf"^(?:resource|module) {names} \{{\n(.*?)^\}}", str(done.files["main.tf"]), re.M | re.S)
    assert match is not None, done.files["main.tf"]
    return match[1]


# resources that become one block


def test_an_index_becomes_count() -> None:
    """Texts and numbers that count up from any number."""
    ports = [port(f"port_{n}", name=f"p-{n}", fixed_ips=[{"ip_address": f"10.0.0.{n + 8}"}]) for n in range(4)]
    done = roll(write(*ports))
    assert rolled(done) == {"openstack_networking_port_v2.port": ["port_0", "port_1", "port_2", "port_3"]}
    text = block(done, "openstack_networking_port_v2.port")
    assert "count = 4" in text
    assert 'name       = "p-${count.index}"' in text
    assert 'ip_address = "10.0.0.${count.index + 8}"' in text
    assert "locals.tf" not in done.files


def test_other_numbers_are_keys() -> None:
    """Whether they begin with 1, have gaps or zeros in front."""
    done = roll(write(*(volume(f"disk{n}") for n in ("01", "02", "07"))))
    assert 'for_each = toset(["01", "02", "07"])' in block(done, "openstack_blockstorage_volume_v3.disk")
    assert '"disk${each.key}"' in block(done, "openstack_blockstorage_volume_v3.disk")


def test_values_that_follow_no_rule_are_a_local() -> None:
    done = roll(write(*(volume(f"disk_{n}", size=size) for n, size in ((1, 10), (2, 40), (3, 20)))))
    assert "size = each.value" in block(done, "openstack_blockstorage_volume_v3.disk")
    assert '"2" = 40' in str(done.files["locals.tf"])


def test_variables_may_be_values() -> None:
    head = "parameters: {zone_1: {type: string}, zone_2: {type: string}, zone_3: {type: string}}\n"
    ports = [volume(f"disk_{n}", availability_zone={"get_param": f"zone_{n}"}, size=n * n) for n in (1, 2, 3)]
    done = roll(write(*ports, head=head))
    assert "availability_zone = var.zone_3" in str(done.files["locals.tf"])
    assert "availability_zone = each.value.availability_zone" in block(done, "openstack_blockstorage_volume_v3.disk")


def test_references_between_families_follow() -> None:
    """References follow by the index, by the key, or by a value of the key if the numbers differ."""
    attach = "type: OS::Cinder::VolumeAttachment, properties: {instance_uuid: x, volume_id: {get_resource: disk_%s}}"
    done = roll(
        write(
            *(volume(f"disk_{n}") for n in range(3)),
            *(f"same_{n}: {{{attach % n}}}" for n in range(3)),
            *(f"later_{n}: {{{attach % (n - 1)}}}" for n in (1, 2, 3)),
            *(f"other_{n}: {{{attach % m}}}" for n, m in ((0, 2), (1, 0), (2, 1))),
            outputs="one: {value: {get_resource: disk_1}}",
        )
    )
    volumes = "openstack_blockstorage_volume_v3.disk"
    assert f"volume_id   = {volumes}[count.index].id" in block(done, "openstack_compute_volume_attach_v2.same")
    assert f"volume_id   = {volumes}[each.value].id" in block(done, "openstack_compute_volume_attach_v2.other")
    assert f"volume_id   = {volumes}[each.value].id" in block(done, "openstack_compute_volume_attach_v2.later")
    assert f"value = {volumes}[1].id" in str(done.files["outputs.tf"])


def test_the_rules_of_a_group_have_their_names_as_keys() -> None:
    ports = ", ".join(f"{{protocol: tcp, port_range_min: {n}, port_range_max: {n}}}" for n in (22, 80))
    rules = f"[{ports}, {{protocol: icmp}}]"
    done = roll(write(f"web: {{type: OS::Neutron::SecurityGroup, properties: {{rules: {rules}}}}}"))
    assert rolled(done) == {"openstack_networking_secgroup_rule_v2.web": ["web_tcp_22", "web_tcp_80", "web_icmp"]}
    assert 'port_range_min    = lookup(each.value, "port_range_min", null)' in block(
        done, "openstack_networking_secgroup_rule_v2.web"
    )


def test_copies_stay_if_one_block_is_not_shorter() -> None:
    """Two rules of different kinds need a map, and look-ups in it."""
    rules = "[{protocol: tcp, port_range_min: 22, port_range_max: 22}, {protocol: icmp}]"
    done = roll(write(f"web: {{type: OS::Neutron::SecurityGroup, properties: {{rules: {rules}}}}}"))
    assert rolled(done) == {}


def test_the_comments_of_members_are_kept() -> None:
    lines = [f"{port(f'port_{n}')}  # number {n}" for n in range(3)]
    done = roll(write(*lines, "# the end"))
    text = str(done.files["main.tf"])
    assert [text.count(f"number {n}") for n in range(3)] == [1, 1, 1]


def test_copies_that_wait_for_one_of_the_same_name_are_one_block() -> None:
    """The first is made before the others: it stays, and they wait for it."""
    done = roll(write(volume("disk_0"), *(volume(f"disk_{n}", "disk_0") for n in (1, 2, 3))))
    assert rolled(done) == {"openstack_blockstorage_volume_v3.disk": ["disk_1", "disk_2", "disk_3"]}
    assert "depends_on = [openstack_blockstorage_volume_v3.disk_0]" in block(
        done, "openstack_blockstorage_volume_v3.disk"
    )


def test_a_name_is_not_taken_twice() -> None:
    """The label of a family is that of no other block, and of no member: `moved` blocks need both."""
    done = roll(write(port("port"), *(port(f"port_{n}") for n in (2, 3, 4))))
    assert rolled(done) == {"openstack_networking_port_v2.port_5": ["port_2", "port_3", "port_4"]}


@pytest.mark.parametrize("name", ["1", "_1_", "a1b2-3c"])
def test_any_numbered_name_gives_a_label(name: str) -> None:
    numbers = [name.replace("1", str(n)) for n in (1, 2, 3)]
    done = roll(write(*(port(json.dumps(number)) for number in numbers)))
    ((address, _),) = rolled(done).items()
    assert LEGAL.fullmatch(address.partition(".")[2])


def rule(name: str, group: str, **more: object) -> str:
    properties = {"security_group": {"get_resource": group}, "protocol": "tcp", **more}
    return f"{name}: {{type: OS::Neutron::SecurityGroupRule, properties: {json.dumps(properties)}}}"


GROUPS = [f"{name}: {{type: OS::Neutron::SecurityGroup, properties: {{name: {name}}}}}" for name in ("web", "db")]


def list_rules(**from_server: object) -> list[str]:
    """Three rules of each of two groups."""
    more = {"web": {}, "db": from_server}
    return [
        rule(f"{group}_{n}", group, port_range_min=n, port_range_max=n, **more[group])
        for group in ("web", "db")
        for n in (80, 443, 8080)
    ]


def test_the_rules_of_all_groups_are_one_block_with_a_line_for_each() -> None:
    done = roll(write(*GROUPS, *list_rules()))
    ((address, members),) = rolled(done).items()
    assert (address, len(members)) == ("openstack_networking_secgroup_rule_v2.rule", 6)
    assert "}[each.value.group]" in block(done, address)
    assert re.search(r'web_80 += { group = "web", port_range_min = 80 }\n', str(done.files["locals.tf"]))


def test_rules_of_all_groups_that_would_be_a_cycle_are_a_block_for_each_group() -> None:
    """The rules of one group need a server that waits for those of the other."""
    server = (
        "server: {type: OS::Nova::Server, depends_on: [web_80], "
        "properties: {image: i, flavor: f, networks: [{network: n}]}}"
    )
    rules = list_rules(description={"get_attr": ["server", "name"]})
    families = rolled(roll(write(*GROUPS, server, *rules)))
    assert {address.rpartition(".")[2]: len(members) for address, members in families.items()} == {"web": 3, "db": 3}


def test_a_translation_by_hand_is_not_much_shorter() -> None:
    """Six templates of different kinds. A rolled-up translation is never the longer one."""
    rows = list(measure_translations("faithful"))
    assert len(rows) == 6
    assert [row.name for row in rows if row.rolled_up > row.plain] == []
    assert sum(row.rolled_up for row in rows) <= LIMIT * sum(row.hand for row in rows)


# resources that stay single


@pytest.mark.parametrize(
    "resources",
    [
        [port("port_1"), port("gate_2")],  # too few
        [port("red"), port("green"), port("blue")],  # no numbers
        [
            port("port_1"),
            port("port_2", name="x", tags=["a"]),
            port("port_3", port_security_enabled=True),
        ],  # another shape
        [volume("disk_1"), volume("disk_2", "disk_1"), volume("disk_3", "disk_2")],  # one after the other
        [volume(f"disk_{n}", metadata={"m": f"{n}\nmany\n{n * n}"}) for n in (1, 2, 3)],  # a text of several lines
        [volume(f"disk_{n}", size=size) for n, size in ((1, {"get_param": "a"}), (2, 2))],  # a variable
    ],
)
def test_copies_that_differ_in_more_than_values_stay(resources: list[str]) -> None:
    text = write(*resources, head="parameters: {a: {type: number, default: 1}}\n")
    done = roll(text)
    assert "rolled_up" not in done.report
    assert "moved.tf" not in done.files
    plain = transpile.convert(text)
    assert {n: t for n, t in done.files.items() if n.endswith("main.tf")} == {
        n: str(t).replace("-o DIR", "--roll-up -o DIR") for n, t in plain.files.items() if n.endswith("main.tf")
    }


def test_a_message_names_the_remaining_copies_with_the_reason() -> None:
    """HOT463, in one message: by the argument that differs, by the order, by a cycle."""
    between = "between: {type: OS::Cinder::Volume, properties: {size: 1, metadata: {x: {get_resource: port_1}}}}"
    disks = [volume("disk_1"), volume("disk_2", "disk_1"), volume("disk_3", "disk_1")]
    ports = [port(f"port_{n}", tags=[{"get_resource": "between"}] if n == 3 else ["x"]) for n in (1, 2, 3)]
    done = roll(write(*disks, *ports, between, port("mine_1"), port("mine_2"), port("mine_3", mac_address="a:b")))
    (message,) = (d.message for d in done.diagnostics if d.code == codes.COPIES_NOT_ROLLED_UP)
    assert message == (
        "Copies that stay blocks of their own: different depends_on (disk_1), different tags (port_3), different "
        "mac_address (mine_3)."
    )


def test_a_member_with_a_condition_is_left_and_the_others_are_not() -> None:
    text = write(
        *(port(f"port_{n}") for n in (1, 2, 3)),
        "port_4: {type: OS::Neutron::Port, condition: more, properties: {network: {get_resource: net}}}",
        head="parameters: {a: {type: boolean, default: false}}\nconditions: {more: {get_param: a}}\n",
    )
    done = roll(text)
    assert rolled(done) == {"openstack_networking_port_v2.port": ["port_1", "port_2", "port_3"]}
    assert "count = " in block(done, "openstack_networking_port_v2.port_4")


def test_a_member_that_waits_for_another_through_something_else_is_left() -> None:
    """Terraform's graph has one node for a block: it would be a cycle. Families that are not on it stay."""
    between = "between: {type: OS::Cinder::Volume, properties: {size: 1, metadata: {x: {get_resource: disk_1}}}}"
    disks = [
        volume("disk_1", metadata={"x": "a"}),
        volume("disk_2", metadata={"x": "b"}),
        volume("disk_3", metadata={"x": "c"}),
    ]
    late = [f"late_{n}: {{type: OS::Neutron::Net, properties: {{name: n{n}}}, depends_on: between}}" for n in (1, 2, 3)]
    waits = volume("disk_4", "between", metadata={"x": "d"})
    done = roll(write(*disks, waits, between, *late))
    assert rolled(done) == {
        "openstack_blockstorage_volume_v3.disk": ["disk_1", "disk_2", "disk_3"],
        "openstack_networking_network_v2.late": ["late_1", "late_2", "late_3"],
    }
    three = [disks[0], disks[1].replace("b", "{get_resource: between}").replace('"{', "{").replace('}"', "}"), disks[2]]
    circle = write(*three, between, *late)
    assert "openstack_blockstorage_volume_v3.disk" not in rolled(roll(circle))


@pytest.mark.parametrize("waits", [False, True])
def test_a_cycle_through_calls_of_a_module_is_found(waits: bool, tmp_path: pathlib.Path) -> None:
    """The second nested stack gets a value that a resource reads from the first one."""
    put(tmp_path, "node.yaml", NODE)
    between = "between: {type: OS::Cinder::Volume, properties: {size: 1, name: {get_attr: [node_1, first]}}}"
    second = NODES[1].replace("name: n2", "name: {get_resource: between}") if waits else NODES[1]
    put(tmp_path, "stack.yaml", write(NODES[0], second, NODES[2], between))
    done = conversions.convert(tmp_path / "stack.yaml", options={"roll_up": True})
    assert len(rolled(done)["module.node"]) == (2 if waits else 3)


def replace_argument(items: list[Any], name: str, value: Any) -> list[Any]:
    """A body in which one argument, also of a nested block, has another value."""
    return [
        replace(item, value=value)
        if isinstance(item, Argument) and item.name == name
        else replace(item, body=replace_argument(item.body, name, value))
        if isinstance(item, Block)
        else item
        for item in items
    ]


@pytest.mark.parametrize("fault", ["an argument", "a nested block", "a reference", "the values", "a key", "an absence"])
def test_a_difference_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison does not trust the merging: a block that says something else for one key is not written."""
    merge = merging.FamilyMerger.merge

    def spoil(self: merging.FamilyMerger) -> merging.MergedFamily:
        block, values = merge(self)
        match fault:
            case "an argument":
                body = replace_argument(block.body, "name", "p-1")
            case "a nested block":
                body = replace_argument(block.body, "ip_address", "10.0.0.8")
            case "a reference":
                body = replace_argument(block.body, "network_id", "net")
            case "a key":
                body = replace_argument(block.body, "count", 2)
            case "an absence":
                body = [item for item in block.body if not (isinstance(item, Argument) and item.name == "name")]
            case _:
                assert values is None or isinstance(values.value, Object)
                rows = values.value.entries if values is not None and isinstance(values.value, Object) else ()
                wrong = Object(tuple(zip([key for key, _ in rows], [cell for _, cell in rows][::-1], strict=True)))
                return merging.MergedFamily(block, replace(values, value=wrong) if values is not None else None)
        return merging.MergedFamily(replace(block, body=body), values)

    ports = [port(f"port_{n}", name=f"p-{n}", fixed_ips=[{"ip_address": f"10.0.0.{n + 8}"}]) for n in range(3)]
    text = write(*ports, *(volume(f"disk_{n}", name="d", size=n * n + 1) for n in range(3)))
    spoilt = "disk" if fault == "the values" else "port"
    assert [address.rpartition(".")[2] for address in rolled(roll(text))] == ["port", "disk"]
    monkeypatch.setattr(merging.FamilyMerger, "merge", spoil)
    assert spoilt not in [address.rpartition(".")[2] for address in rolled(roll(text))]


NAME_FORMS = ("{word}_{number}", "{more}", "disk-{number}", "same", "{square}")


@st.composite
def random_copies(draw: st.DrawFn) -> list[str]:
    """Disks of three names, numbered from 0 or with gaps. Those of a name have a shape, from which a few deviate; they
    refer to disks of another name with their own number or the next, or wait for an earlier one.
    """
    numbers = draw(st.sampled_from([range(4), range(1, 6), (0, 2, 3, 7)]))
    lines: list[str] = []
    names: list[str] = []
    for word in "abc":
        name_form, size_form = draw(st.sampled_from(NAME_FORMS)), draw(st.sampled_from(("", "1", "{more}", "{square}")))
        referred, by = draw(st.sampled_from("-abc")), draw(st.integers(0, 1))
        for number in numbers:
            if draw(st.integers(0, 9)) == 0:
                size_form = "7"
            words = {"word": word, "number": number, "more": number + 3, "square": number * number + 1}
            values: dict[str, Any] = {"name": name_form.format(**words)}
            if size_form:
                values["size"] = int(size_form.format(**words))
            if (other := f"{referred}_{number + by}") in names:
                values["metadata"] = {"other": {"get_resource": other}}
            earlier = draw(st.sampled_from(names)) if names and draw(st.integers(0, 9)) == 0 else ""
            lines.append(f"{volume(f'{word}_{number}', earlier, **values)}  # note {word}_{number}")
            names.append(f"{word}_{number}")
    return lines


@given(random_copies())
def test_any_copies_are_planned_alike_and_without_a_cycle(resources: list[str]) -> None:
    """The merging alone is right: the comparison refuses nothing. No comment is lost, and nothing is there twice."""
    differences: list[object] = []
    find_differences = rolling.RollUp.find_differences

    def record(self: rolling.RollUp) -> Any:
        differences.extend(of_conversion := find_differences(self) or ())
        return list(of_conversion)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rolling.RollUp, "find_differences", record)
        done = roll(write(*resources))
    assert differences == []
    assert Configuration(done.files).reached
    text = str(done.files["main.tf"])
    for line in resources:
        name = line.partition(":")[0]
        assert len(re.findall(rf"note {name}$", text, re.M)) == 1
    families = rolled(done)
    blocks = text.count('\nresource "openstack_blockstorage_volume_v3"')
    assert blocks - len(families) + sum(map(len, families.values())) == len(resources)


def test_copies_that_cannot_be_compared_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rolling.RollUp, "find_differences", lambda _: None)
    done = roll(write(*(port(f"port_{n}") for n in range(3))))
    assert "rolled_up" not in done.report
    assert any("they are too many to compare (port_0, port_1, port_2)" in d.message for d in done.diagnostics)


# where it meets other things


def test_nested_stacks_and_their_resources(tmp_path: pathlib.Path) -> None:
    """Each directory by itself: the calls of a module are copies, too."""
    put(tmp_path, "node.yaml", NODE)
    put(tmp_path, "stack.yaml", write(*NODES, outputs="a: {value: {get_attr: [node_2, first]}}"))
    done = transpile.convert(tmp_path / "stack.yaml", options={"roll_up": True})
    assert rolled(done) == {"module.node": ["node_1", "node_2", "node_3"]}
    assert "count = 3" in str(done.files["modules/node/main.tf"])
    assert not [name for name in done.files if name.endswith("moved.tf")]  # there is no state yet
    assert 'value = module.node["2"].first' in str(done.files["outputs.tf"])
    assert done.report["resources"]["node_3"]["addresses"] == ['module.node["3"]']


def test_aliases_are_their_types(tmp_path: pathlib.Path) -> None:
    """A type of the environment is that which it stands for, also beside the type itself."""
    put(
        tmp_path, "stack.yaml", write(port("port_1"), *(port(f"port_{n}").replace("OS::Neutron", "My") for n in (2, 3)))
    )
    environment = "resource_registry:\n  My::Port: OS::Neutron::Port\n"
    done = transpile.convert(tmp_path / "stack.yaml", environments=[environment], options={"roll_up": True})
    assert rolled(done) == {"openstack_networking_port_v2.port": ["port_1", "port_2", "port_3"]}


def test_groups_and_kept_resources_are_left() -> None:
    """Groups have count already, and each stack of Heat's has a template of its own. References to them follow."""
    disk = "{type: OS::Cinder::Volume, properties: {size: 1}}"
    group = f"{{type: OS::Heat::ResourceGroup, properties: {{count: 2, resource_def: {disk}}}}}"
    handles = [f"handle_{n}: {{type: OS::Heat::WaitConditionHandle}}" for n in (1, 2, 3)]
    urls = [volume(f"disk_{n}", metadata={"url": {"get_attr": [f"group_{n}", "refs"]}}) for n in (1, 2, 3)]
    done = roll(
        write(*(f"group_{n}: {group}" for n in (1, 2, 3)), *handles, *(port(f"port_{n}") for n in (1, 2, 3)), *urls)
    )
    assert rolled(done) == {"openstack_networking_port_v2.port": ["port_1", "port_2", "port_3"]}
    treatments = {name: entry["treatment"] for name, entry in done.report["resources"].items()}
    assert [treatments[f"handle_{n}"] for n in (1, 2, 3)] == ["embedded"] * 3


def test_names_in_snake_case() -> None:
    done = roll(write(*(port(f"My--Port{n}") for n in (1, 2, 3))), names="snake")
    assert list(rolled(done)) == ["openstack_networking_port_v2.my_port"]


def test_the_report_and_messages_have_the_written_addresses() -> None:
    done = roll(write(*(port(f"port_{n}", name=f"p-{n}") for n in range(3))))
    assert done.report["resources"]["port_1"]["addresses"] == ["openstack_networking_port_v2.port[1]"]
    assert done.report["resources"]["port_1"]["properties"]["name"]["to"] == "openstack_networking_port_v2.port[1]"


def test_two_runs_give_the_same_bytes_and_readme_says_how(command: Run, tmp_path: pathlib.Path) -> None:
    put(tmp_path, "stack.yaml", write(*(port(f"port_{n}") for n in range(3))))
    put(tmp_path, "hot2tf.toml", "roll-up = true\n")
    assert command("convert", "stack.yaml", "--roll-up", "-o", "out").status == 0
    before = tree(tmp_path / "out")
    assert "hot2tf convert stack.yaml --roll-up -o DIR" in (tmp_path / "out/README.md").read_text(encoding="utf-8")
    assert command("convert", "stack.yaml", "-o", "out").status == 0
    assert tree(tmp_path / "out") == before


def test_environments_share_a_rolled_up_root(command: Run, tmp_path: pathlib.Path) -> None:
    """The code is the same for all values."""
    head = "parameters: {label: {type: string}}\n"
    disks = [volume(f"disk_{n}", name={"list_join": ["-", [{"get_param": "label"}, str(n)]]}) for n in (1, 2, 3)]
    put(tmp_path, "src/shop.yaml", write(*disks, head=head))
    put(tmp_path, "src/shop-production.env", "parameters: {label: big}\n")
    put(tmp_path, "src/shop-staging.env", "parameters: {label: small}\n")
    assert command("migrate", "src", "out", "--roll-up", "--progress", "none").status == 0
    root = tmp_path / "out/shop"
    assert {"environments/production.tfvars", "environments/staging.tfvars"} <= tree(root).keys()
    before = tree(tmp_path / "out")
    assert command("migrate", "src", "out", "--roll-up", "--progress", "none").status == 0
    assert tree(tmp_path / "out") == before


def test_tests_for_opentofu_have_one_stand_in_for_all_copies() -> None:
    """OpenTofu overrides blocks, and not their instances."""
    text = write(*(port(f"port_{n}", name=f"p-{n}") for n in range(3)), outputs="a: {value: {get_resource: port_1}}")
    done = roll(text, tests=True, test_runs="all")
    assert "target = openstack_networking_port_v2.port[1]" in str(done.files["tests/heat.tftest.hcl"])
    assert "target = openstack_networking_port_v2.port\n" in str(done.files["tests/heat.tofutest.hcl"])


# terraform


@pytest.fixture(autouse=True)
def empty_cloud(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "cloud.json", "{}")
    monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(tmp_path / "cloud.json"))


def plan_actions(where: pathlib.Path) -> list[str]:
    """The actions of a plan, without those that change nothing."""
    return [action for _, action in oracles.list_changes(oracles.plan(where))]


SHOP = [
    *(port(f"port_{n}", name=f"p-{n}") for n in range(3)),
    *(volume(f"disk_{n}", size=n * n + 1) for n in range(3)),
    "web: {type: OS::Neutron::SecurityGroup, properties: {name: w, rules: [{protocol: tcp, port_range_min: 22, "
    "port_range_max: 22}, {protocol: icmp}]}}",
]


@oracles.needs_providers
def test_a_state_follows(command: Run, tmp_path: pathlib.Path) -> None:
    """A directory that is applied already: with --roll-up the plan is empty, also when count becomes for_each."""
    write_files(tmp_path, {"node.yaml": NODE, "stack.yaml": write(*SHOP, *NODES)})
    assert command("convert", "stack.yaml", "-o", "out").status == 0
    where = tmp_path / "out"
    assert oracles.invalid(where) == []
    oracles.run(where, "apply", "-input=false", "-auto-approve")
    assert command("convert", "stack.yaml", "--roll-up", "-o", "out").status == 0
    assert oracles.invalid(where) == []
    assert plan_actions(where) == []
    oracles.run(where, "apply", "-input=false", "plan")
    put(tmp_path, "stack.yaml", write(*SHOP, *NODES).replace('"p-1"', '"first"'))
    assert command("convert", "stack.yaml", "--roll-up", "-o", "out").status == 0
    assert "for_each" in (where / "main.tf").read_text(encoding="utf-8").partition('"port"')[2].partition("}")[0]
    assert oracles.invalid(where) == []
    assert plan_actions(where) == ["update"]


def planned_values(where: pathlib.Path, source: pathlib.Path | str, **options: Any) -> tuple[dict[str, Any], Any]:
    """The planned values by address, and the report of the conversion."""
    done = transpile.convert(source, options=options)
    write_files(where, done.files)
    assert oracles.invalid(where) == []
    plan = oracles.plan(where)
    assert {action for _, action in oracles.list_changes(plan)} == {"create"}
    modules = [plan["planned_values"]["root_module"]]
    values: dict[str, Any] = {"outputs": plan["planned_values"].get("outputs", {})}
    for module in modules:
        modules += module.get("child_modules", [])
        values |= {r["address"]: (r["values"], r["sensitive_values"]) for r in module.get("resources", [])}
    return values, done.report


@oracles.needs_providers
@pytest.mark.parametrize("first", [0, 1])
def test_a_copy_that_changes_leaves_its_family(first: int, command: Run, tmp_path: pathlib.Path) -> None:
    """The copy has a block of its own again, and Terraform updates it in place. The copy may also come back."""
    ports = [port(f"port_{n}", name=f"p-{n}") for n in range(first, first + 4)]
    changed = [*ports[:2], port(f"port_{first + 2}", name=f"p-{first + 2}", tags=["own"]), ports[3]]
    for lines, actions in ((ports, ["create"] * 5), (changed, ["update"]), (ports, ["update"])):
        put(tmp_path, "stack.yaml", write(*lines))
        assert command("convert", "stack.yaml", "--roll-up", "-o", "out").status == 0
        assert oracles.invalid(tmp_path / "out") == []
        assert plan_actions(tmp_path / "out") == actions
        oracles.run(tmp_path / "out", "apply", "-input=false", "plan")


@oracles.needs_providers
@pytest.mark.parametrize("name", ["copies", "rules", "nested"])
def test_terraform_plans_the_same(name: str, tmp_path: pathlib.Path) -> None:
    """Every instance with every value, as the provider's schema makes of it."""
    source = cases.GOLDEN / f"roll_up_{name}" / "input.yaml"
    if name == "nested":
        put(tmp_path, "node.yaml", NODE)
        put(tmp_path, "stack.yaml", write(*SHOP, *NODES, outputs="a: {value: {get_attr: [node_2, first]}}"))
        source = tmp_path / "stack.yaml"
    if name == "rules":  # enough of them for one block to be shorter
        rules = [{"protocol": "tcp", "port_range_min": port, "port_range_max": port} for port in range(8000, 8010)]
        group = {"type": "OS::Neutron::SecurityGroup", "properties": {"name": "web", "rules": rules}}
        text = json.dumps({"heat_template_version": "2018-08-31", "resources": {"web": group}})
        put(tmp_path, "stack.yaml", text)
        source = tmp_path / "stack.yaml"
    before, _ = planned_values(tmp_path / "before", source)
    after, report = planned_values(tmp_path / "after", source, roll_up=True)
    families = [item for inner in template_reports(report) for item in inner.get("rolled_up", {}).items()]
    assert families
    for family, members in families:  # the same values, for any keys of the family
        before = list_by_family(before, "|".join(map(re.escape, members)), family)
        after = list_by_family(after, rf"{re.escape(family)}\[[^]]*\]", family)
    assert before == after


def list_by_family(values: dict[str, Any], members: str, family: str) -> dict[str, Any]:
    """The values by address, those of all members of a family in one list under the address of the family."""
    listed: dict[str, Any] = {}
    for address, value in values.items():
        place = re.sub(rf"(^|\.)({members})(?=$|\.)", rf"\g<1>{family}", address)
        listed.setdefault(place, []).append(json.dumps(value, sort_keys=True))
    return {address: sorted(inner) for address, inner in listed.items()}


@oracles.needs_providers
@pytest.mark.long
def test_a_migrated_tree_is_rolled_up_later(command: Run, tmp_path: pathlib.Path) -> None:
    """The plans are empty, even with a person's edits in the tree, and with modules that two roots share."""
    put(tmp_path, "src/node.yaml", NODE)
    put(tmp_path, "src/shop.yaml", write(*SHOP, *NODES))
    put(tmp_path, "src/other.yaml", write(*NODES))
    assert command("migrate", "src", "out", "--progress", "none").status == 0
    roots = [tmp_path / "out" / name for name in ("shop", "other")]
    for where in roots:
        assert oracles.invalid(where) == []
        oracles.run(where, "apply", "-input=false", "-auto-approve")
    main = roots[0] / "main.tf"
    main.write_text(main.read_text(encoding="utf-8") + "\n# mine\n", encoding="utf-8")
    assert command("migrate", "src", "out", "--roll-up", "--progress", "none").status == 0
    assert main.read_text(encoding="utf-8").endswith("\n# mine\n")
    for where in roots:
        assert oracles.invalid(where) == []
        assert plan_actions(where) == []


@oracles.needs_providers
def test_terraform_accepts_it_and_the_tests_pass(tmp_path: pathlib.Path) -> None:
    put(tmp_path, "node.yaml", NODE)
    put(tmp_path, "stack.yaml", write(*SHOP, *NODES, outputs="a: {value: {get_attr: [node_2, first]}}"))
    done = transpile.convert(tmp_path / "stack.yaml", options={"roll_up": True, "tests": True})
    write_files(tmp_path / "out", done.files)
    assert oracles.unformatted(tmp_path / "out") == ""
    assert oracles.invalid(tmp_path / "out") == []
    assert "Warning" not in oracles.run(tmp_path / "out", "test")


@oracles.needs_corpus
@pytest.mark.parametrize("name", ["gi-simplify/gi-simplify-kilo.yaml", "withNetwork/network.yml"])
def test_public_templates_have_as_many_instances(name: str) -> None:
    """All that a block stands for is planned; `benchmarks/roll_up.py` compares the values of a whole corpus."""
    (path,) = list(oracles.SHARED.glob(f"corpus/**/{name}"))
    plain, done = (transpile.convert(path, root=oracles.SHARED / "corpus", options=o) for o in ({}, {"roll_up": True}))
    members = sum(map(len, rolled(done).values()))
    assert members > 20
    before, after = (str(d.files["main.tf"]).count('\nresource "') for d in (plain, done))
    assert after + members - len(rolled(done)) == before


def test_the_option_is_that_of_the_table() -> None:
    assert Request(roll_up=True).roll_up


def test_a_text_with_the_key_of_a_family_is_that_of_its_member() -> None:
    """Forms are compared if a value is not known. Texts with other keys have other forms."""
    binding = comparison.KeyBinding(families.Family((), ("a", "b"), counted=True), 1, None)
    key, zone = values.COUNT_INDEX, Traversal(("var", "zone"))
    assert comparison.instantiate(StringTemplate(("web-", key, "-", zone)), binding) == StringTemplate(("web-1-", zone))
