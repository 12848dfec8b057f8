"""A template is edited and converted again over its directory: resources with another address move, and none is created
again.
"""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import transpile
from emitters.hcl.emitter import TARGET
from tests.conftest import Run
from tests.support import oracles, running
from tests.support.files import write_files
from tests.support.repositories import put, tree
from transpile.diagnostics.model import Diagnostic
from transpile.text.output import has_marker, update_directory

HEAD = "heat_template_version: 2018-08-31\n"
CHILD = HEAD + "resources:\n  net: {type: OS::Neutron::Net}\n  own: {type: OS::Neutron::Net, properties: {name: own}}\n"
SIZE = "parameters: {n: {type: number}}\n"
CONDITION = (
    "parameters: {flag: {type: string, default: 'yes'}}\nconditions: {c: {equals: [{get_param: flag}, 'yes']}}\n"
)
DISK = "{type: OS::Cinder::Volume, properties: {size: 1}}"


def write(*resources: str, head: str = "") -> str:
    return f"{HEAD}{head}resources:\n" + "".join(f"  {line}\n" for line in resources)


def group(more: str = "", count: str = "2", member: str = DISK) -> str:
    return f"{{type: OS::Heat::ResourceGroup, properties: {{count: {count}, {more}resource_def: {member}}}}}"


def rules(text: str) -> str:
    return f"sg: {{type: OS::Neutron::SecurityGroup, properties: {{rules: {text}}}}}"


def rule(port: int | str) -> str:
    return f"{{protocol: tcp, port_range_min: {port}, port_range_max: {port}}}"


def volumes(*numbers: int, **more: Any) -> list[str]:
    bodies = {f"disk_{n}": {"name": f"disk-{n}", "size": 1, **more} for n in numbers}
    return [
        f"{name}: {json.dumps({'type': 'OS::Cinder::Volume', 'properties': body})}" for name, body in bodies.items()
    ]


class Directory:
    """A directory with a template and the output of its conversions."""

    def __init__(self, top: pathlib.Path) -> None:
        self.top, self.out = top, top / "out"
        write_files(top, {"child.yaml": CHILD, "other.yaml": CHILD.replace("own:", "mine:")})

    def convert(self, text: str, **options: Any) -> list[Diagnostic]:
        """Converts over the directory; the findings about addresses."""
        put(self.top, "stack.yaml", text)
        done = transpile.convert(self.top / "stack.yaml", parameters={"OS::stack_name": "web"}, options=options)
        assert done.ok, done.diagnostics
        change = update_directory(self.out, done.files, owns=TARGET.owns or has_marker, follow=TARGET.follow)
        assert not [problem for problem in change.problems if problem.severity == "error"], change.problems
        return change.problems

    @property
    def moves(self) -> list[tuple[str, str]]:
        """The blocks of moved.tf."""
        path = self.out / "moved.tf"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return re.findall(r"moved \{\n  from = (.*)\n  to   = (.*)\n\}", text)


@pytest.fixture
def directory(tmp_path: pathlib.Path) -> Directory:
    return Directory(tmp_path)


KINDS: Mapping[str, tuple[str, str, list[tuple[str, str]]]] = {
    "condition on a nested template": (
        write("one: {type: child.yaml}", head=CONDITION),
        write("one: {type: child.yaml, condition: c}", head=CONDITION),
        [("module.one", "module.one[0]")],
    ),
    "condition on a resource, which Terraform moves by itself": (
        write(f"one: {DISK}", head=CONDITION),
        write(f"one: {DISK[:-1]}, condition: c}}", head=CONDITION),
        [],
    ),
    "removal list": (
        write(f"grp: {group()}"),
        write(f"grp: {group('removal_policies: [{resource_list: [0]}], ')}"),
        [("openstack_blockstorage_volume_v3.grp[1]", 'openstack_blockstorage_volume_v3.grp["1"]')],
    ),
    "removal list of nested templates": (
        write(f"grp: {group(member='{type: child.yaml}')}"),
        write(f"grp: {group('removal_policies: [{resource_list: [0]}], ', member='{type: child.yaml}')}"),
        [("module.grp[1]", 'module.grp["1"]')],
    ),
    "rename in the members of a group whose size nobody has chosen": (
        write(f"grp: {group(count='{get_param: n}', member='{type: child.yaml}')}", head=SIZE),
        write(f"grp: {group(count='{get_param: n}', member='{type: other.yaml}')}", head=SIZE),
        [
            (
                f"module.grp[{n}].openstack_networking_network_v2.own",
                f"module.grp[{n}].openstack_networking_network_v2.mine",
            )
            for n in range(10)
        ],
    ),
    "repeat written out": (
        write(rules(f"{{repeat: {{for_each: {{<p>: [22, 80]}}, template: {rule('<p>')}}}}}")),
        write(rules(f"[{rule(80)}, {rule(22)}]")),
        [
            (
                f'openstack_networking_secgroup_rule_v2.sg_tcp_p["{p}"]',
                f"openstack_networking_secgroup_rule_v2.sg_tcp_{p}",
            )
            for p in (80, 22)
        ],
    ),
    "rules in another order": (
        write(rules("[{protocol: icmp}, {protocol: tcp, port_range_min: 22, port_range_max: 22}]")),
        write(rules("[{protocol: tcp, port_range_min: 22, port_range_max: 22}, {protocol: icmp}]")),
        [],
    ),
    "rename": (
        write(f"old: {DISK}", "other: {type: OS::Cinder::Volume, properties: {size: 2}}"),
        write("other: {type: OS::Cinder::Volume, properties: {size: 2}}", f"new: {DISK}"),
        [("openstack_blockstorage_volume_v3.old", "openstack_blockstorage_volume_v3.new")],
    ),
    "rename of two that say the same, which may be either": (
        write(f"a: {DISK}", f"b: {DISK}"),
        write(f"c: {DISK}", f"d: {DISK}"),
        [],
    ),
    "rename with another property": (
        write(f"a: {DISK}"),
        write("b: {type: OS::Cinder::Volume, properties: {size: 2}}"),
        [],
    ),
    "group that shrinks": (write(f"grp: {group(count='3')}"), write(f"grp: {group(count='1')}"), []),
    "resource in a nested template": (
        write("one: {type: child.yaml}", head=CONDITION),
        write("one: {type: child.yaml, condition: c}", "new: {type: OS::Neutron::Net}", head=CONDITION),
        [("module.one", "module.one[0]")],
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_moves_of_addresses(kind: str, directory: Directory) -> None:
    before, after, moves = KINDS[kind]
    directory.convert(before)
    assert directory.moves == []  # there is no state that needs one
    assert directory.convert(after) == []
    assert sorted(directory.moves) == sorted(moves)
    files = tree(directory.out)
    directory.convert(after)
    assert tree(directory.out) == files


def test_roll_up_on_and_off(directory: Directory) -> None:
    place = "openstack_blockstorage_volume_v3.disk"
    directory.convert(write(*volumes(0, 1, 2)))
    directory.convert(write(*volumes(0, 1, 2)), roll_up=True)
    assert directory.moves == [(f"{place}_{n}", f"{place}[{n}]") for n in range(3)]
    directory.convert(write(*volumes(0, 1, 2)))
    assert directory.moves == [(f"{place}[{n}]", f"{place}_{n}") for n in range(3)]  # Terraform refuses circles


def test_a_state_of_any_version_follows(directory: Directory) -> None:
    """After moves from A to B to C, both `moved` blocks stay, and lead on."""
    place = "openstack_blockstorage_volume_v3.disk"
    directory.convert(write(*volumes(0, 1, 2)))
    directory.convert(write(*volumes(0, 1, 2)), roll_up=True)
    directory.convert(write(*volumes(0, 2, 3)), roll_up=True)
    steps = dict(directory.moves)
    assert steps[f"{place}_0"] == f"{place}[0]"
    assert steps[f"{place}[0]"] == f'{place}["0"]'
    text = (directory.out / "moved.tf").read_text(encoding="utf-8")
    assert text.index("# Version 1") < text.index("# Version 2")


def test_deleted_blocks_stay_deleted(directory: Directory) -> None:
    """A user deletes the file, or the blocks of a version, after applying that version everywhere."""
    directory.convert(write("one: {type: child.yaml}", f"grp: {group()}", head=CONDITION))
    directory.convert(write("one: {type: child.yaml, condition: c}", f"grp: {group()}", head=CONDITION))
    path = directory.out / "moved.tf"
    path.unlink()
    removal = group("removal_policies: [{resource_list: [0]}], ")
    directory.convert(write("one: {type: child.yaml, condition: c}", f"grp: {removal}", head=CONDITION))
    assert [source for source, _ in directory.moves] == ["openstack_blockstorage_volume_v3.grp[1]"]
    head, _, _ = path.read_text(encoding="utf-8").partition("# Version 2")
    path.write_text(head, encoding="utf-8")
    directory.convert(write("one: {type: child.yaml}", f"grp: {removal}", head=CONDITION))
    assert directory.moves == [("module.one[0]", "module.one")]


def test_a_block_of_a_person_stays(directory: Directory) -> None:
    directory.convert(write("one: {type: child.yaml}", head=CONDITION))
    directory.convert(write("one: {type: child.yaml, condition: c}", head=CONDITION))
    path = directory.out / "moved.tf"
    mine = "\nmoved {\n  from = openstack_networking_network_v2.a\n  to   = openstack_networking_network_v2.b\n}\n"
    path.write_text(path.read_text(encoding="utf-8") + mine, encoding="utf-8")
    directory.convert(write("one: {type: child.yaml, condition: c}", f"disk: {DISK}", head=CONDITION))
    assert [source for source, _ in directory.moves] == ["module.one", "openstack_networking_network_v2.a"]


@pytest.mark.parametrize(
    "lie",
    [
        '{"resources": [{"at": "a.b.c"}]}',
        '{"resources": [{"at": "a.b"}], "moved": [[1, "a.b\\n}", "a.c"]], "version": 1}',
        '{"resources": [{"at": "module.one", "in": [{"at": "x\\" {}"}]}]}',
        '{"resources": 3}',
        '{"resources": [{"at": "a.b", "keys": {"": -1}}]}',
        '{"resources": [], "moved": [[1, "", "a.c"]]}',
        "[]",
    ],
)
def test_forged_manifests(lie: str, directory: Directory) -> None:
    """Only addresses of a forged manifest get into a file."""
    directory.convert(write("one: {type: child.yaml}", head=CONDITION))
    path = directory.out / ".hot2tf.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["addresses"] = json.loads(lie)
    path.write_text(json.dumps(document), encoding="utf-8")
    directory.convert(write("one: {type: child.yaml, condition: c}", head=CONDITION))
    assert directory.moves == []


def test_resources_that_go_to_heat_are_named(directory: Directory) -> None:
    directory.convert(write("net: {type: OS::Neutron::Net}", "a: {type: OS::Neutron::Net, properties: {name: x}}"))
    (problem,) = directory.convert(
        write("net: {type: OS::Neutron::Net}", "a: {type: OS::Neutron::Net, properties: {name: x}}"), keep="a"
    )
    assert problem.code == "HOT779"
    assert "openstack_networking_network_v2.a" in problem.message


SERVER = (
    "{type: OS::Nova::Server, properties: {image: i, flavor: f, networks: [{port: {get_resource: port}}], key_name: k}}"
)


def port(network: str) -> str:
    return f"{{type: OS::Neutron::Port, properties: {{network: {network}}}}}"


def test_replacements_in_place_of_updates_are_named(directory: Directory) -> None:
    """Heat detaches the old port of a server and attaches the new one; the provider makes another server."""
    directory.convert(write(f"port: {port('a')}", f"server: {SERVER}"))
    problems = directory.convert(write(f"port: {port('b')}", f"server: {SERVER}"))
    assert [(p.code, "openstack_compute_instance_v2.server" in p.message) for p in problems] == [
        ("HOT779", True),
        ("HOT778", False),  # of the port, which Heat replaces, too
    ]
    assert "network refers to port, which is replaced" in problems[0].message


def test_a_value_that_only_looks_different_replaces_nothing(directory: Directory) -> None:
    """The provider converts scalars to texts, and a map has no order."""
    for specs, codes in (
        ('{a: 1, b: "1.5", c: true}', []),
        ('{c: "true", b: 1.5, a: "1"}', []),
        ('{c: "true", b: 1.5, a: "3"}', ["HOT779"]),
    ):
        resource = f"port: {{type: OS::Neutron::Port, properties: {{network: n, value_specs: {specs}}}}}"
        assert [problem.code for problem in directory.convert(write(resource))] == codes


def test_what_heat_made_anew_is_no_move_of_a_running_stack(tmp_path: pathlib.Path) -> None:
    """Adopted again after updates of the stack. A renamed resource is another object, which is imported; a server that
    got a NIC is the same one, and its NICs are in `ignore_changes`.
    """
    out, problems = tmp_path / "out", []
    nics = [{"network": "private"}, {"network": "public"}]
    for group, networks in (("old", nics[:1]), ("new", nics)):
        server = {"image": "i", "flavor": "f", "networks": networks}
        template = {
            "heat_template_version": "2018-08-31",
            "resources": {
                group: {"type": "OS::Neutron::SecurityGroup", "properties": {"name": "g"}},
                "server": {"type": "OS::Nova::Server", "properties": server},
            },
        }
        done = transpile.adopt(json.dumps(running.stack(template)))
        assert done.ok, done.diagnostics
        change = update_directory(out, done.files, owns=TARGET.owns or has_marker, follow=TARGET.follow)
        problems += [problem.code for problem in change.problems]
    assert not (out / "moved.tf").exists()
    assert "openstack_networking_secgroup_v2.new" in (out / "imports.tf").read_text(encoding="utf-8")
    assert "HOT779" not in problems


def plan_of(where: pathlib.Path) -> dict[str, list[str]]:
    """The actions of a plan, by address."""
    oracles.run(where, "init", "-input=false")
    rows = oracles.plan(where).get("resource_changes", [])
    return {row["address"]: row["change"]["actions"] for row in rows if row["change"]["actions"] != ["no-op"]}


def versions() -> Iterator[tuple[str, dict[str, Any]]]:
    """Versions of one stack in which everything has another address each time."""
    removal = group("removal_policies: [{resource_list: [9]}], ", member="{type: child.yaml}")
    plain = group(member="{type: child.yaml}")
    condition = "one: {type: child.yaml, condition: c}"
    yield write("one: {type: child.yaml}", f"grp: {plain}", *volumes(0, 1, 2), head=CONDITION), {}
    yield write(condition, f"grp: {plain}", *volumes(0, 1, 2), head=CONDITION), {"roll_up": True}
    yield write(condition, f"grp: {removal}", *volumes(0, 1, 2), head=CONDITION), {"names": "snake"}
    yield write("one: {type: child.yaml}", f"grp: {removal}", *volumes(0, 1, 2), head=CONDITION), {"roll_up": True}
    yield write("renamed: {type: child.yaml}", f"grp: {plain}", *volumes(0, 1, 2), head=CONDITION), {}


@oracles.needs_providers
@pytest.mark.parametrize("applied", [{0}, {0, 1}, {0, 2}, {0, 1, 2, 3}])
def test_no_plan_destroys(applied: set[int], directory: Directory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever versions were applied, the last plan destroys and creates nothing."""
    put(directory.top, "cloud.json", "{}")
    monkeypatch.setenv("HOT2TF_FAKE_CLOUD", str(directory.top / "cloud.json"))
    for number, (text, options) in enumerate(versions()):
        assert directory.convert(text, **options) == []
        if number in applied:
            actions = {action for actions in plan_of(directory.out).values() for action in actions}
            assert actions == ({"create"} if number == 0 else set())
            oracles.run(directory.out, "apply", "-input=false", "plan")
    assert plan_of(directory.out) in (
        {},
        {"module.renamed.openstack_networking_network_v2.net": ["update"]},
    )  # its name


def test_environments_that_share_a_root_share_its_moves(command: Run, tmp_path: pathlib.Path) -> None:
    """Each has as many members as its own values say."""
    put(tmp_path, "src/shop.yaml", write(f"grp: {group(count='{get_param: n}')}", head=SIZE))
    put(tmp_path, "src/shop-production.env", "parameters: {n: 3}\n")
    put(tmp_path, "src/shop-staging.env", "parameters: {n: 2}\n")
    assert command("migrate", "src", "out", "--progress", "none").status == 0
    assert not (tmp_path / "out/shop/moved.tf").exists()
    removal = group("removal_policies: [{resource_list: [0]}], ", count="{get_param: n}")
    put(tmp_path, "src/shop.yaml", write(f"grp: {removal}", head=SIZE))
    shown = command("migrate", "src", "out", "--progress", "none", "--diff")
    place = "openstack_blockstorage_volume_v3.grp"
    assert f'Terraform would move: shop: {place}[1] to {place}["1"]' in shown.err + shown.out
    assert command("migrate", "src", "out", "--progress", "none").status == 0
    text = (tmp_path / "out/shop/moved.tf").read_text(encoding="utf-8")
    assert re.findall(r"from = (.*)", text) == [f"{place}[1]", f"{place}[2]"]
    files = tree(tmp_path / "out")
    assert command("migrate", "src", "out", "--progress", "none").status == 0
    assert tree(tmp_path / "out") == files


def test_a_difference_shows_what_the_plan_moves_and_replaces(command: Run, tmp_path: pathlib.Path) -> None:
    ports = f"port: {port('a')}", f"server: {SERVER}"
    write_files(tmp_path, {"child.yaml": CHILD, "stack.yaml": write("one: {type: child.yaml}", *ports, head=CONDITION)})
    assert command("convert", "stack.yaml", "-o", "out").status == 0
    before = tree(tmp_path / "out")
    ports = f"port: {port('b')}", f"server: {SERVER}"
    put(tmp_path, "stack.yaml", write("one: {type: child.yaml, condition: c}", *ports, head=CONDITION))
    shown = command("convert", "stack.yaml", "-o", "out", "--diff", "--report", "report.json")
    assert shown.status == 0
    assert tree(tmp_path / "out") == before
    assert "Terraform moves module.one to module.one[0]." in shown.err
    assert "Terraform replaces openstack_networking_port_v2.port: " in shown.err  # as Heat does
    assert "HOT779" in shown.err  # unlike Heat: the server
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["moved"] == {"module.one": "module.one[0]"}
