"""A target for hot2tf: a playbook with the modules of Ansible's collection openstack.cloud."""

import re
from itertools import chain

import yaml

from transpile.emit import (
    LOAD,
    Option,
    Outcome,
    Rule,
    Target,
    creation_order,
    find_deployments,
    fully_known,
    ir,
    known_value,
    mapping_of,
)

NO_MODULE = Rule("ANS001", "warning", "No Ansible module", "The collection has no module for the resource.")
NO_JINJA = Rule("ANS002", "warning", "No Jinja2 expression", "The target cannot write the value as an expression.")

# Terraform's resource, which several types of Heat become → the module and its parameters, with Terraform's argument or
# Heat's property before those that have another name there
MODULES = {
    "openstack_networking_network_v2": ("network", ["name", "mtu", "shared", "admin_state_up", "dns_domain"]),
    "openstack_networking_subnet_v2": (
        "subnet",
        ["name", "cidr", "ip_version", "gateway_ip", "enable_dhcp", "dns_nameservers", ("network_id", "network")],
    ),
    "openstack_networking_port_v2": ("port", ["name", "mac_address", ("network_id", "network")]),
    "openstack_blockstorage_volume_v3": ("volume", ["name", "size", "volume_type", "availability_zone"]),
    "openstack_compute_instance_v2": (
        "server",
        ["name", "image", "flavor", "availability_zone", ("key_pair", "key_name")],
    ),
}
OPERATORS = {"equals": " == ", "and": " and ", "or": " or ", "list_concat": " + "}


class CannotWrite(Exception):
    """A value has no expression in Jinja2. The message says what of it."""


def variable(name):
    return re.sub(r"\W", "_", name).lower()


class Play:
    """The tasks of one stack. `tasks`: those of each resource that Ansible creates."""

    def __init__(self, stack):
        self.stack, self.outcome, self.tasks = stack, Outcome(stack), {}

    def value(self, expr):
        """An expression as data for YAML: what is constant as it is, anything else between braces."""
        constant = known_value(self.stack, expr, with_parameters=False)
        if fully_known(constant) and "{" not in str(constant):
            return constant
        if isinstance(expr, ir.Map):
            return {entry.key: self.value(entry.value) for entry in expr.entries}
        if isinstance(expr, ir.Seq):
            return [self.value(item) for item in expr.items]
        return f"{{{{ {self.jinja(expr)} }}}}"

    def jinja(self, expr):
        """An expression in Jinja2."""
        constant = known_value(self.stack, expr, with_parameters=False)
        if fully_known(constant):
            return repr(constant)
        match expr:
            case ir.Seq(items):
                return f"[{', '.join(map(self.jinja, items))}]"
            case ir.ParamRef(name, path):
                return variable(name) + "".join(f"[{self.jinja(step)}]" for step in path)
            case ir.ResourceRef(name) if name in self.tasks:
                return f"{variable(name)}.{MODULES[self.kind(name)][0]}.id"
            case ir.ConditionRef(name):
                return self.jinja(self.stack.template.conditions[name].value)
            case ir.If(condition, then, orelse) if orelse is not None:
                return f"({self.jinja(then)} if {self.jinja(condition)} else {self.jinja(orelse)})"
            case ir.Call("list_join", ir.Seq((delimiter, items))):
                return f"({self.jinja(items)} | join({self.jinja(delimiter)}))"
            case ir.Call("not", inner):
                return f"(not {self.jinja(inner)})"
            case ir.Call(function, ir.Seq(items)) if function in OPERATORS:
                return f"({OPERATORS[function].join(map(self.jinja, items))})"
        raise CannotWrite(getattr(expr, "fn", type(expr).__name__))

    def kind(self, name):
        """The resource of Terraform's that a resource becomes; "" if there is none."""
        return (mapping_of(self.stack.types[name]) or {}).get("resource", "")

    def create(self, resource):
        """The task that creates a resource."""
        module, parameters = MODULES[self.kind(resource.name)]
        parameters = dict(pair if isinstance(pair, tuple) else (pair, pair) for pair in parameters)
        rules, arguments = mapping_of(self.stack.types[resource.name])["properties"], {"state": "present"}
        for entry in resource.properties.entries if resource.properties is not None else ():
            rule = rules.get(entry.key)
            argument = (rule.get("to") if isinstance(rule, dict) else rule) or entry.key
            if argument not in parameters:
                raise CannotWrite(f"the property {entry.key}")
            arguments[parameters[argument]] = self.value(entry.value)
        arguments.setdefault("name", "{{ stack_name }}-" + resource.name)
        task = {"name": resource.name, f"openstack.cloud.{module}": arguments, "register": variable(resource.name)}
        return {**task, "when": self.jinja(resource.condition)} if resource.is_conditional else task

    def run(self, deployment):
        """The tasks that run the scripts of a deployment on its server. Ansible runs those of actions other than CREATE
        if it is asked to: `--tags delete`.
        """
        server = deployment.servers.get("server")
        if deployment.unknown or not isinstance(server, ir.ResourceRef) or server.name not in self.tasks:
            raise CannotWrite(deployment.unknown or "a server that it does not create")
        if any(operation.tool != ir.Lit("script") for operation in deployment.operations.values()):
            raise CannotWrite("a hook other than script")
        return [
            {
                "name": f"{action} {deployment.name}",
                "ansible.builtin.shell": self.value(operation.script),
                "environment": {item.name: self.value(item.value) for item in deployment.inputs},
                "delegate_to": f"{{{{ {variable(server.name)}.server.access_ipv4 }}}}",
                "tags": ["create"] if action == "CREATE" else ["never", action.lower()],
            }
            for action, operation in deployment.operations.items()
        ]

    def write(self):
        """The tasks of all resources. What Ansible cannot create stays with Heat, and so does all that refers to it."""
        deployments = find_deployments(self.stack)
        configs = {d.config.name for d in deployments.values() if d.config is not None}
        for name in creation_order(self.stack):
            deployment = deployments.get(name)
            try:
                if deployment is not None:
                    self.tasks[name] = self.run(deployment)
                elif self.kind(name) in MODULES:
                    self.tasks[name] = [self.create(self.stack.template.resources[name])]
                elif name not in configs:  # the tasks of its deployments have the script
                    self.outcome.stays_with_heat(name, "ANS001", f"there is no module for {self.stack.types[name]}")
                    continue
                self.outcome.became(name, *(task["name"] for task in self.tasks.get(name, ())))
            except CannotWrite as e:
                config = deployment.config if deployment is not None else None
                for kept in (name, config.name) if config is not None else (name,):
                    self.outcome.stays_with_heat(kept, "ANS002", f"Ansible cannot express {e}")


def emit(stack, options):
    """The playbook of a stack."""
    play = Play(stack)
    play.write()
    names = {"stack_name": options["stack_name"]}
    for name, parameter in stack.template.parameters.items():
        default = known_value(stack, ir.ParamRef(name))
        if fully_known(default) and not parameter.hidden:
            names[variable(name)] = default
    tasks = [*chain.from_iterable(play.tasks.values())]
    book = [{"hosts": "localhost", "gather_facts": False, "vars": names, "tasks": tasks}]
    return play.outcome.output({"playbook.yaml": yaml.safe_dump(book, sort_keys=False, allow_unicode=True)})


TARGET = Target(
    "ansible",
    emit,
    nested=LOAD,
    options=(Option("stack_name", "The prefix of generated names.", default="stack"),),
    rules=(NO_MODULE, NO_JINJA),
    next_steps="ansible-playbook {output}",
)
