"""Address plans for hot2tf: files that list networks and their addresses, and become Heat templates."""

import ipaddress
import pathlib

import yaml

from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.rules import Rule
from transpile.document_kinds import DocumentKind
from transpile.model.span import Span
from transpile.targets import Converter, Option, Output

NO_NETWORK = Rule(
    "ADR001",
    "error",
    "Addresses that are no network",
    "Neutron takes the addresses of a subnet as a network and the length of its prefix.",
    "Write it like 10.0.1.0/24.",
)


def read(source, reading):
    """The networks of a plan, and what is wrong with them."""
    networks, diagnostics = yaml.safe_load(source.text)["networks"], []
    for name, addresses in networks.items():
        try:
            ipaddress.ip_network(addresses)
        except ValueError as error:
            at = source.text.index(str(addresses))
            diagnostics.append(Diagnostic("ADR001", f"{name}: {error}.", source, Span(at, at + len(str(addresses)))))
    return networks, diagnostics


def format_plan(source):
    """A plan with its networks in the order of their names. It has no comments, which would be lost."""
    if "#" in source.text:
        return source.text, [Diagnostic("HOT904", "A plan with comments is not formatted.", source, forced="info")]
    plan = yaml.safe_load(source.text)
    plan["networks"] = dict(sorted(plan["networks"].items()))
    return yaml.safe_dump(plan, sort_keys=False), ()


def convert(networks, options):
    """A Heat template with the networks."""
    resources = {}
    for name, addresses in networks.items():
        subnet = {"network": {"get_resource": name}, "cidr": addresses, "enable_dhcp": options["dhcp"]}
        resources[name] = {"type": "OS::Neutron::Net"}
        resources[f"{name}_subnet"] = {"type": "OS::Neutron::Subnet", "properties": subnet}
    template = {"heat_template_version": "2021-04-16", "resources": resources}
    return Output({"stack.yaml": yaml.safe_dump(template, sort_keys=False)}, {"resources": {}}, [])


def count(path: str):
    """Count the networks of an address plan."""
    print(len(yaml.safe_load(pathlib.Path(path).read_text())["networks"]))


KIND = DocumentKind("address plan", "address plans", read, format=format_plan, rules=(NO_NETWORK,))
TO_HOT = Converter(
    convert,
    options=(Option("dhcp", "Whether subnets have DHCP.", bool, default=True),),
    summary=lambda report: "1 address plan",
)
