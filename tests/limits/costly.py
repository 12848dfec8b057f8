"""Small inputs that once cost minutes or gigabytes, or would: name → template, environment."""

from __future__ import annotations

HOT = "heat_template_version: 2018-08-31\n"
CFN = "HeatTemplateFormatVersion: '2012-12-12'\n"
TEXT = "parameters:\n  p: {type: string, default: v}\n"
VALUE = "resources:\n  r:\n    type: OS::Heat::Value\n    properties:\n      value: "
SERVER = (
    "resources:\n  r:\n    type: OS::Nova::Server\n    properties:\n      image: i\n      flavor: f\n      user_data: "
)
GROUP = (
    "resources:\n  r:\n    type: OS::Heat::ResourceGroup\n"
    "    properties:\n      resource_def: {type: OS::Neutron::Net}\n"
)


def numbered(count: int, text: str) -> str:
    """A text for each number, which stands for @."""
    return "".join(text.replace("@", str(n)) for n in range(count))


def within(depth: int, outer: str, inner: str) -> str:
    """A text inside another one, which has it in place of @, so many times."""
    for _ in range(depth):
        inner = outer.replace("@", inner)
    return inner


def repeated(lists: int, items: int) -> str:
    """A repeat over all combinations of lists."""
    each = ", ".join(f"'%{n}%': [{numbered(items, 'v@,')}]" for n in range(lists))
    return f"{{repeat: {{for_each: {{{each}}}, template: '%0%'}}}}"


REPLACED = f"{{str_replace: {{template: {'x' * 30_000}, params: {{x: {'y' * 30_000}}}}}}}"
TENFOLD = within(10, "{str_replace: {template: xxxx, params: {x: @}}}", "{get_param: p}")
LITERALLY = within(10, "{str_replace: {template: xxxx, params: {x: @}}}", "yyyy")
GROWING = ", ".join(f"{chr(97 + n)}: ['{chr(98 + n) * 60}']" for n in range(20))
UNKNOWN = numbered(600, "{get_param: parameter_x@},")
KNOWN = "parameters:\n" + numbered(600, "  parameter_@: {type: string}\n")
SLOW = f"    type: string\n    default: {'a' * 40}b\n    constraints:\n    - allowed_pattern: (a|a)*$\n"
WAITS = "".join(f"  r{n}:\n    type: OS::Neutron::Net\n    depends_on: [{numbered(n, 'r@,')}]\n" for n in range(300))
TYPED = "  r@:\n    type: W0::T@\n"

COSTLY: dict[str, tuple[str, str]] = {
    "wildcards for ever": (
        f"{HOT}resources:\n  r: {{type: 'A::x'}}\n",
        "resource_registry: {'A*': 'AA*', 'AA*': 'AAA*'}\n",
    ),
    "wildcards in any order": (
        f"{HOT}resources:\n  r: {{type: 'A::x'}}\n",
        "resource_registry: {'A*': 'ABA*', 'AB*': 'AAB*', 'AA*': 'ABAA*', 'ABA*': 'AABA*'}\n",
    ),
    "chained wildcards": (
        f"{HOT}resources:\n{numbered(300, TYPED)}",
        "resource_registry:\n" + "".join(f"  'W{n}::*': 'W{n + 1}::*'\n" for n in range(3000)),
    ),
    "huge group": (f"{HOT}{GROUP}      count: 100000000\n      removal_policies: [{{resource_list: [1]}}]\n", ""),
    "text that multiplies": (f"{HOT}{VALUE}{REPLACED}\n", ""),
    "texts in texts": (f"{HOT}{TEXT}{SERVER}{TENFOLD}\n", ""),
    "literal texts in texts": (f"{HOT}{SERVER}{LITERALLY}\n", ""),
    "long delimiter": (f"{HOT}{VALUE}{{list_join: [{'y' * 30_000}, [{numbered(5_000, 'a@,')}]]}}\n", ""),
    "long delimiter of parameters": (
        f"{HOT}{TEXT}{SERVER}{{list_join: [{'y' * 30_000}, [{numbered(5_000, '{get_param: p},')}]]}}\n",
        "",
    ),
    "product of lists": (f"{HOT}{GROUP}      count: {repeated(5, 1000)}\n", ""),
    "inserted text that is searched again": (
        f"{HOT}{GROUP}      count: {{repeat: {{for_each: {{{GROWING}}}, template: a}}}}\n",
        "",
    ),
    "aliases of a long text": (f"{HOT}{VALUE}\n      - &a {'t' * 100_000}\n" + "      - *a\n" * 2000, ""),
    "aliases of a long key": (
        f"{HOT}{VALUE}\n      - {{? &a {'t' * 100_000} : 1}}\n" + "      - {? *a : 2}\n" * 2000,
        "",
    ),
    "slow patterns": (f"{HOT}parameters:\n" + numbered(20, f"  p@:\n{SLOW}") + "resources: {}\n", ""),
    "unknown names": (f"{HOT}{KNOWN}{VALUE}[{UNKNOWN}]\n", ""),
    "unknown long name": (
        f"{HOT}parameters:\n  {'ab' * 50_000}: {{type: string}}\n{VALUE}{{get_param: {'ba' * 50_000}}}\n",
        "",
    ),
    "all wait for all": (f"{HOT}resources:\n{WAITS}", ""),
    "functions without counterpart": (
        f"{CFN}Parameters: {{p: {{Type: String, Default: a}}}}\nOutputs:\n  o: {{Value: "
        + within(35, "{'Fn::Select': [{Ref: p}, @]}", "[a]")
        + "}\n",
        "",
    ),
    "conditions of conditions": (
        f"{HOT}{TEXT}conditions:\n  c0: {{equals: [{{get_param: p}}, v]}}\n"
        + "".join(f"  c{n}: {{and: [c{n - 1}, c{n - 1}]}}\n" for n in range(1, 60))
        + "resources:\n  r: {type: OS::Neutron::Net, condition: c59}\n",
        "",
    ),
    "merge keys": (
        f"{HOT}resources:\n  a0: &a0 {{type: OS::Neutron::Net}}\n"
        + "".join(f"  a{n}: &a{n}\n    <<: [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)),
        "",
    ),
}
