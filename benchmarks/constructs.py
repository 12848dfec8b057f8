"""Generates a template for each list and map of the language, with that one list or map of any size.

Each is a function from the size to an `Input`. Sizes that the language itself limits are limited here, too, and said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NL = "\n"
HEAD = "heat_template_version: 2018-08-31\n"
CFN = "HeatTemplateFormatVersion: '2012-12-12'\n"
SERVER = "    type: OS::Nova::Server\n    properties:\n      image: img\n      flavor: small\n"
VALUE = "  r:\n    type: OS::Heat::Value\n    properties:\n"
CONFIG = "  r:\n    type: OS::Heat::SoftwareConfig\n    properties:\n"
PORT = "    type: OS::Neutron::Port\n    properties: {network: private}\n"


class Input(NamedTuple):
    """A template, an environment if it has one, and the files beside it by name."""

    template: str
    environment: str = ""
    files: tuple[tuple[str, str], ...] = ()


def lines(made: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in made)


def each(n: int, text: str) -> str:
    """A text `n` times, on lines of its own, with the number in place of each @."""
    text = text.removesuffix(NL) + NL
    return "".join(text.replace("@", str(i)) for i in range(n))


def joined(n: int, text: str) -> str:
    """The items of a flow list or map."""
    return ", ".join(text.replace("@", str(i)) for i in range(n))


# sections


def parameters(n: int) -> Input:
    return Input(f"{HEAD}parameters:\n{each(n, '  p@: {type: string, default: v@}')}")


def used_parameters(n: int) -> Input:
    used = joined(n, "{get_param: p@}")
    return Input(f"{parameters(n).template}resources:\n{server_of('name', f'{{list_join: [-, [{used}]]}}')}")


def unknown_parameters(n: int) -> Input:
    """Each name that is used differs by a letter from one that there is; the first hundred are reported."""
    used = joined(n, "{get_param: parameter_x@}")
    declared = each(n, "  parameter_@: {type: string, default: v@}\n")
    return Input(f"{HEAD}parameters:\n{declared}resources:\n{VALUE}      value: [{used}]\n")


def unknown_resources(n: int) -> Input:
    return Input(
        f"{HEAD}resources:\n{each(n, f'  server_@:{NL}{PORT}')}outputs:\n"
        + each(n, "  o@: {value: {get_resource: servr_@}}\n")
    )


def unknown_properties(n: int) -> Input:
    return Input(f"{HEAD}resources:\n  r:\n{SERVER}{each(n, '      imaj@: x')}")


def unknown_values(n: int) -> Input:
    """An environment gives values to parameters that there are not."""
    declared = each(n, "  parameter_@: {type: string, default: v@}\n")
    return Input(f"{HEAD}parameters:\n{declared}", "parameters:\n" + each(n, "  parametr_@: x\n"))


def conditions(n: int) -> Input:
    text = each(n, "  c@: {equals: [{get_param: p}, v@]}\n")
    return Input(f"{HEAD}parameters:\n  p: {{type: string, default: v}}\nconditions:\n{text}")


def chained_conditions(n: int) -> Input:
    """Each condition is made of the one before it; the language allows no deep chains, so they are of ten."""
    made = ["  c0: {equals: [{get_param: p}, v]}"]
    made += [f"  c{i}: {{not: c{i - 1 if i % 10 else 0}}}" for i in range(1, n)]
    return Input(f"{HEAD}parameters:\n  p: {{type: string, default: v}}\nconditions:\n{lines(made)}")


def conditional_resources(n: int) -> Input:
    text = each(n, f"  r@:\n    condition: c@\n{PORT}")
    return Input(f"{conditions(n).template}resources:\n{text}")


def resources(n: int) -> Input:
    return Input(f"{HEAD}resources:\n{each(n, '  r@:' + NL + PORT)}")


def servers(n: int) -> Input:
    return Input(f"{HEAD}resources:\n{each(n, '  r@:' + NL + SERVER)}")


def outputs(n: int) -> Input:
    return Input(f"{HEAD}resources:\n  r:\n{PORT}outputs:\n" + each(n, "  o@: {value: {get_attr: [r, name]}}\n"))


def parameter_groups(n: int) -> Input:
    return Input(f"{parameters(n).template}parameter_groups:\n" + each(n, "- {label: g@, parameters: [p@]}\n"))


def one_parameter_group(n: int) -> Input:
    return Input(f"{parameters(n).template}parameter_groups:\n- {{label: g, parameters: [{joined(n, 'p@')}]}}\n")


def comments(n: int) -> Input:
    return Input(f"{HEAD}resources:\n  r:\n{each(n, '    # note @')}{PORT}")


def comments_in_list(n: int) -> Input:
    return Input(f"{HEAD}resources:\n{VALUE}      value:\n" + each(n, "      # about @\n      - item @  # beside @\n"))


def long_description(n: int) -> Input:
    return Input(f"{HEAD}description: |\n{each(n, '  line @ of the description')}")


# parameters


def allowed_values(n: int) -> Input:
    values = joined(n, "v@")
    return Input(
        f"{HEAD}parameters:\n  p:\n    type: string\n    default: v0\n    constraints:\n"
        f"    - allowed_values: [{values}]\n"
        f"resources:\n{server_of('name', '{get_param: p}')}"
    )


def constraints(n: int) -> Input:
    text = each(n, "    - length: {max: 1@}\n")
    return Input(f"{HEAD}parameters:\n  p:\n    type: string\n    default: v\n    constraints:\n{text}")


def patterns(n: int) -> Input:
    text = each(
        n, "  p@:\n    type: string\n    default: vvv@\n    constraints:\n    - allowed_pattern: '(v|w)*[0-9]+'\n"
    )
    return Input(f"{HEAD}parameters:\n{text}")


def parameter_tags(n: int) -> Input:
    return Input(f"{HEAD}parameters:\n  p: {{type: string, default: v, tags: [{joined(n, 't@')}]}}\n")


def list_default(n: int) -> Input:
    return Input(f"{HEAD}parameters:\n  p: {{type: comma_delimited_list, default: '{joined(n, 'v@')}'}}\n")


def map_default(n: int) -> Input:
    text = f"{HEAD}parameters:\n  p: {{type: json, default: {{{joined(n, 'k@: v@')}}}}}\nresources:\n"
    return Input(text + server_of("metadata", "{get_param: p}"))


def given_parameters(n: int) -> Input:
    return Input(parameters(n).template, "parameters:\n" + each(n, "  p@: w@\n"))


def parameter_defaults(n: int) -> Input:
    return Input(parameters(n).template, "parameter_defaults:\n" + each(n, "  p@: w@\n"))


# environments


def registry(n: int) -> Input:
    text = each(n, "  r@:\n    type: My::Type@\n    properties: {network: private}\n")
    return Input(f"{HEAD}resources:\n{text}", "resource_registry:\n" + each(n, "  My::Type@: OS::Neutron::Port\n"))


def registry_chain(n: int) -> Input:
    """Each type is the next one, in tens."""
    made = [f"  My::Type{i}: {f'My::Type{i + 1}' if i % 10 < 9 else 'OS::Neutron::Port'}" for i in range(n)]
    return Input(
        f"{HEAD}resources:\n" + each(n, "  r@:\n    type: My::Type@\n    properties: {network: private}\n"),
        f"resource_registry:\n{lines(made)}",
    )


def registry_wildcards(n: int) -> Input:
    text = each(n, "  r@:\n    type: My@::Net::Port\n    properties: {network: private}\n")
    return Input(f"{HEAD}resources:\n{text}", "resource_registry:\n" + each(n, "  'My@::*': 'OS::Neutron::Port'\n"))


def chained_wildcards(n: int) -> Input:
    """Each wildcard leads to the next one."""
    made = "resource_registry:\n" + lines(f"  'W{i}::*': 'W{i + 1}::*'" for i in range(n))
    return Input(f"{HEAD}resources:\n{each(300, '  r@:' + NL + '    type: W0::T@' + NL)}", made)


def growing_wildcards(n: int) -> Input:
    """Two wildcards that lead to each other, ever longer, and many types."""
    return Input(
        f"{HEAD}resources:\n{each(n, '  r@:' + NL + '    type: A::x@' + NL)}",
        "resource_registry: {'A*': 'AA*', 'AA*': 'AAA*'}\n",
    )


def registry_resources(n: int) -> Input:
    made = each(n, "    r@:\n      My::Type: OS::Neutron::Port\n")
    text = each(n, "  r@:\n    type: My::Type\n    properties: {network: private}\n")
    return Input(f"{HEAD}resources:\n{text}", f"resource_registry:\n  resources:\n{made}")


def registry_hooks(n: int) -> Input:
    made = each(n, "    'r@*':\n      hooks: pre-create\n")
    return Input(resources(n).template, f"resource_registry:\n  resources:\n{made}")


# resources and their properties


def server_of(name: str, value: str) -> str:
    return f"  server:\n{SERVER}      {name}: {value}\n"


def prop(name: str, kind: str, item: str, *, maps: bool = False, rest: str = "") -> Callable[[int], Input]:
    """One property, a list or map."""

    def made(n: int) -> Input:
        inner = joined(n, item)
        value = f"{{{inner}}}" if maps else f"[{inner}]"
        return Input(f"{HEAD}resources:\n  r:\n    type: {kind}\n    properties:\n{rest}      {name}: {value}\n")

    return made


def value(item: str, *, form: str = "[%s]", rest: str = "") -> Callable[[int], Input]:
    """One value made of many items."""

    def made(n: int) -> Input:
        return Input(
            f"{HEAD}parameters:\n  p: {{type: string, default: v}}\n{rest}resources:\n"
            f"{VALUE}      value: {form % joined(n, item)}\noutputs:\n  o: {{value: {{get_attr: [r, value]}}}}\n"
        )

    return made


def in_server(item: str, *, form: str, name: str = "user_data") -> Callable[[int], Input]:
    """The same in a property of a native resource."""

    def made(n: int) -> Input:
        return Input(
            f"{HEAD}parameters:\n  p: {{type: string, default: v}}\nresources:\n"
            f"{server_of(name, form % joined(n, item))}"
        )

    return made


def str_replace(n: int) -> Input:
    """Many placeholders, each once."""
    text = " ".join(f"$p{i}$" for i in range(n))
    params = joined(n, "$p@$: {get_param: p}")
    return Input(
        f"{HEAD}parameters:\n  p: {{type: string, default: v}}\nresources:\n"
        + server_of("user_data", f"{{str_replace: {{template: '{text}', params: {{{params}}}}}}}")
    )


def str_replace_known(n: int) -> Input:
    text = " ".join(f"$p{i}$" for i in range(n))
    return Input(
        f"{HEAD}resources:\n"
        + server_of("user_data", f"{{str_replace: {{template: '{text}', params: {{{joined(n, '$p@$: v@')}}}}}}}")
    )


def str_replace_often(n: int) -> Input:
    """One placeholder, many times."""
    text = " ".join(["$x"] * n)
    return Input(
        f"{HEAD}parameters:\n  p: {{type: string, default: v}}\nresources:\n"
        + server_of("user_data", f"{{str_replace: {{template: '{text}', params: {{$x: {{get_param: p}}}}}}}}")
    )


def user_data(n: int) -> Input:
    return Input(f"{HEAD}resources:\n  r:\n{SERVER}      user_data: |\n{each(n, '        echo line @ >> log')}")


def repeat(n: int) -> Input:
    form = "{repeat: {for_each: {'%%x%%': [%s]}, template: {port: '%%x%%'}}}"
    return value("v@", form=form)(n)


def repeat_rules(n: int) -> Input:
    rule = "{protocol: tcp, port_range_min: '%x%', port_range_max: '%x%'}"
    text = f"{{repeat: {{for_each: {{'%x%': [{joined(n, '1@')}]}}, template: {rule}}}}}"
    return Input(
        f"{HEAD}resources:\n  r:\n    type: OS::Neutron::SecurityGroup\n    properties:\n      rules: {text}\n"
    )


def repeat_lists(n: int) -> Input:
    """Many lists of one item."""
    return value("'%x@%': [v@]", form="{repeat: {for_each: {%s}, template: '%%x0%%'}}")(min(n, 60))


def depends_on_all(n: int) -> Input:
    """Each waits for all before it: the template itself has n*n/2 names."""
    made = (f"  r{i}:\n{PORT}    depends_on: [{joined(i, 'r@')}]" for i in range(n))
    return Input(f"{HEAD}resources:\n{lines(made)}")


def depends_on(n: int) -> Input:
    """One waits for all others."""
    return Input(f"{resources(n).template}  last:\n{PORT}    depends_on: [{joined(n, 'r@')}]\n")


def depends_on_first(n: int) -> Input:
    return Input(f"{HEAD}resources:\n  a:\n{PORT}" + each(n, f"  r@:\n{PORT}    depends_on: a\n"))


def refers_all(n: int) -> Input:
    """One refers to all others."""
    return Input(f"{resources(n).template}{server_of('networks', '[' + joined(n, '{port: {get_resource: r@}}') + ']')}")


def get_attr_path(n: int) -> Input:
    path = joined(n, "k@")
    return Input(f"{HEAD}resources:\n  r:\n{SERVER}outputs:\n  o: {{value: {{get_attr: [r, metadata, {path}]}}}}\n")


def get_param_path(n: int) -> Input:
    path = joined(n, "k@")
    return Input(
        f"{HEAD}parameters:\n  p: {{type: json, default: {{}}}}\noutputs:\n  o: {{value: {{get_param: [p, {path}]}}}}\n"
    )


def nested_functions(n: int) -> Input:
    """One function in another: the language has no deeper ones than 80 collections, so there are many of ten."""
    text = "{get_param: p}"
    for _ in range(10):
        text = f"{{list_join: ['', [a, {text}]]}}"
    return Input(
        f"{HEAD}parameters:\n  p: {{type: string, default: v}}\nresources:\n{VALUE}      value:\n"
        + f"      - {text}\n" * (n // 10 + 1)
    )


def nested_ifs(n: int) -> Input:
    text = "last"
    for i in range(10):
        text = f"{{if: [c{i}, v{i}, {text}]}}"
    conds = each(10, "  c@: {equals: [{get_param: p}, v@]}\n")
    return Input(
        f"{HEAD}parameters:\n  p: {{type: string, default: v}}\nconditions:\n{conds}resources:\n{VALUE}      value:\n"
        + f"      - {text}\n" * (n // 10 + 1)
    )


def aliases(n: int) -> Input:
    return Input(
        f"{HEAD}resources:\n{VALUE}      value:\n      - &a some text that is used again\n" + each(n, "      - *a\n")
    )


def merge_keys(n: int) -> Input:
    return Input(f"{HEAD}resources:\n  a: &a\n{PORT}" + each(n, "  r@:\n    <<: *a\n"))


def mappings(n: int) -> Input:
    text = each(n, "  m@: {top: {key: v@}}\n".replace("v@", "v@"))
    made = each(n, "  o@: {Value: {'Fn::FindInMap': [m@, top, key]}}\n")
    return Input(f"{CFN}Mappings:\n{text}Outputs:\n{made}")


def one_mapping(n: int) -> Input:
    made = each(n, "  o@: {Value: {'Fn::FindInMap': [m, k@, key]}}\n")
    return Input(f"{CFN}Mappings:\n  m:\n{each(n, '    k@: {key: v@}')}Outputs:\n{made}")


def fn_join(n: int) -> Input:
    return Input(
        f"{CFN}Parameters:\n  p: {{Type: String, Default: v}}\nOutputs:\n"
        f"  o: {{Value: {{'Fn::Join': ['', [{joined(n, '{Ref: p}')}]]}}}}\n"
    )


def cfn_instances(n: int) -> Input:
    return Input(
        f"{CFN}Resources:\n"
        + each(n, "  r@:\n    Type: AWS::EC2::Instance\n    Properties: {ImageId: i, InstanceType: m}\n")
    )


def group(n: int) -> Input:
    return Input(
        f"{HEAD}resources:\n  g:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: {n}\n"
        "      resource_def: {type: OS::Neutron::Port, properties: {network: private, name: 'p-%index%'}}\n"
    )


def group_without(n: int) -> Input:
    """A group from which members are removed: they are listed by name."""
    return Input(f"{group(n).template}      removal_policies: [{{resource_list: ['1']}}]\n")


def removed_members(n: int) -> Input:
    return Input(f"{group(n).template}      removal_policies: [{{resource_list: [{joined(n, '@')}]}}]\n")


def nested_templates(n: int) -> Input:
    """Many resources of one nested template."""
    inner = f"{HEAD}parameters:\n  x: {{type: string}}\nresources:\n  port:\n{PORT}"
    return Input(
        f"{HEAD}resources:\n{each(n, '  r@:' + NL + '    type: inner.yaml' + NL + '    properties: {x: v@}' + NL)}",
        files=(("inner.yaml", inner),),
    )


def nested_files(n: int) -> Input:
    """Many nested templates."""
    n = min(n, 1000)
    inner = f"{HEAD}parameters:\n  x: {{type: string}}\nresources:\n  port:\n{PORT}"
    text = each(n, "  r@:\n    type: inner@.yaml\n    properties: {x: v@}\n")
    return Input(f"{HEAD}resources:\n{text}", files=tuple((f"inner{i}.yaml", inner) for i in range(n)))


def files(n: int) -> Input:
    n = min(n, 1000)
    text = each(n, "  r@:\n    type: OS::Heat::SoftwareConfig\n    properties: {config: {get_file: f@.sh}}\n")
    return Input(f"{HEAD}resources:\n{text}", files=tuple((f"f{i}.sh", "echo\n") for i in range(n)))


def kept(n: int) -> Input:
    return Input(f"{HEAD}resources:\n" + each(n, "  r@: {type: OS::Zaqar::Queue, properties: {name: q@}}\n"))


def kept_one(n: int) -> Input:
    return prop("metadata", "OS::Zaqar::Queue", "k@: v@", maps=True)(n)


def merged(n: int) -> Input:
    return value("{k@: {get_param: p}}", form="{map_merge: [%s]}")(n)


CONSTRUCTS: dict[str, Callable[[int], Input]] = {
    construct.__name__: construct
    for construct in (
        *(parameters, used_parameters, conditions, chained_conditions, conditional_resources, resources, servers),
        *(outputs, parameter_groups, one_parameter_group, comments, comments_in_list, long_description),
        *(allowed_values, constraints, patterns, parameter_tags, list_default, map_default),
        *(given_parameters, parameter_defaults, registry, registry_chain, registry_wildcards, chained_wildcards),
        *(growing_wildcards, registry_resources, registry_hooks),
        *(unknown_parameters, unknown_resources, unknown_properties, unknown_values),
        *(str_replace, str_replace_known, str_replace_often, user_data, repeat, repeat_rules, repeat_lists),
        *(depends_on, depends_on_all, depends_on_first, refers_all, get_attr_path, get_param_path),
        *(nested_functions, nested_ifs, aliases, merge_keys, mappings, one_mapping, fn_join, cfn_instances),
        *(group, group_without, removed_members, nested_templates, nested_files, files, kept, kept_one, merged),
    )
} | {
    "list_items": value("v@"),
    "list_of_lists": value("[v@]"),
    "list_of_maps": value("{k: v@}"),
    "map_keys": value("k@: v@", form="{%s}"),
    "list_join": value("{get_param: p}", form="{list_join: ['', [%s]]}"),
    "list_join_known": value("v@", form="{list_join: ['', [%s]]}"),
    "list_join_lists": value("[{get_param: p}]", form="{list_join: ['', %s]}"),
    "list_join_texts": in_server("v@, {get_param: p}", form="{list_join: ['', [%s]]}"),
    "list_concat": value("[{get_param: p}]", form="{list_concat: [%s]}"),
    "list_concat_known": value("[v@]", form="{list_concat: [%s]}"),
    "list_concat_unique": value("[v@]", form="{list_concat_unique: [%s]}"),
    "map_merge_known": value("{k@: v@}", form="{map_merge: [%s]}"),
    "map_replace": value("k@: v@", form="{map_replace: [{%s}, {values: {v1: w}}]}"),
    "filter": value("v@", form="{filter: [[v1, v2], [%s]]}"),
    "filter_all": value("v@", form="{filter: [[%s], [a, b, c]]}"),
    "contains": value("v@", form="{list_join: ['', [%s]]}"),
    "str_split": value("v@", form="{str_split: [',', '%s']}"),
    "and": value("{equals: [{get_param: p}, v@]}", form="{if: [{or: [%s]}, a, b]}"),
    "yaql": value("v@", form="{yaql: {expression: $.data.len(), data: [%s]}}"),
    "make_url": value("k@: v@", form="{make_url: {scheme: http, host: h, query: {%s}}}"),
    "ifs": value("{if: [{equals: [{get_param: p}, v@]}, a, b]}"),
    "server_metadata": prop(
        "metadata", "OS::Nova::Server", "k@: v@", maps=True, rest="      image: i\n      flavor: f\n"
    ),
    "server_networks": prop("networks", "OS::Nova::Server", "{network: n@}", rest="      image: i\n      flavor: f\n"),
    "server_groups": prop("security_groups", "OS::Nova::Server", "g@", rest="      image: i\n      flavor: f\n"),
    "server_tags": prop("tags", "OS::Nova::Server", "t@", rest="      image: i\n      flavor: f\n"),
    "server_disks": prop(
        "block_device_mapping_v2",
        "OS::Nova::Server",
        "{volume_id: v@, device_name: vd@}",
        rest="      image: i\n      flavor: f\n",
    ),
    "personality": prop(
        "personality", "OS::Nova::Server", "f@: text", maps=True, rest="      image: i\n      flavor: f\n"
    ),
    "rules": prop("rules", "OS::Neutron::SecurityGroup", "{protocol: tcp, port_range_min: 1@, port_range_max: 1@}"),
    "port_addresses": prop("fixed_ips", "OS::Neutron::Port", "{ip_address: 10.0.0.@}", rest="      network: n\n"),
    "allowed_pairs": prop(
        "allowed_address_pairs", "OS::Neutron::Port", "{ip_address: 10.0.0.@}", rest="      network: n\n"
    ),
    "value_specs": prop("value_specs", "OS::Neutron::Port", "k@: v@", maps=True, rest="      network: n\n"),
    "host_routes": prop(
        "host_routes",
        "OS::Neutron::Subnet",
        "{destination: 10.@.0.0/16, nexthop: 10.0.0.1}",
        rest="      network: n\n      cidr: 10.0.0.0/24\n",
    ),
    "inputs": prop("inputs", "OS::Heat::SoftwareConfig", "{name: i@, default: v}", rest="      config: text\n"),
    "multipart": prop("parts", "OS::Heat::MultipartMime", "{config: text@}"),
    "chain": prop("resources", "OS::Heat::ResourceChain", "OS::Neutron::Net"),
    "pool_members": prop("tags", "OS::Neutron::Net", "t@"),
}
