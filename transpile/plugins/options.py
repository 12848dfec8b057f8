"""Reads options of the operator's configuration: those that plug-ins declare, and those of Heat that schemas use.

Invariant: the value of an option is an Opaque with its default, because an operator may have set another value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from transpile.plugins.machine import PluginMachine
from transpile.plugins.values import MISSING, InstanceValue, NodePlace, OpaqueValue, Value

CONF: Final = "cfg.CONF"
HEAT: Mapping[tuple[str, ...], Value] = {
    ("default_software_config_transport",): "POLL_SERVER_CFN",
    ("default_deployment_signal_transport",): "CFN_SIGNAL",
    ("default_user_data_format",): "HEAT_CFNTOOLS",
    ("max_server_name_length",): 53,
    ("stack_scheduler_hints",): False,
}


def find_option(run: PluginMachine, path: str, place: NodePlace) -> OpaqueValue | None:
    """The value of the option at a dotted path, such as `cfg.CONF.max_server_name_length`; None if there is no such
    option.
    """
    if not path.startswith(f"{CONF}."):
        return None
    key = tuple(path.split(".")[2:])
    default = run.options.get(key, HEAT.get(key, MISSING))
    if default is MISSING:
        return None
    option = OpaqueValue(f"the operator configures {'.'.join(key)}", place, path)
    option.default = default.default if isinstance(default, OpaqueValue) else default
    return option


def register_options(run: PluginMachine, arguments: list[Value], group: Value) -> None:
    """Records the options in a call of CONF.register_opt or CONF.register_opts."""
    name = group.fields.get("name") if isinstance(group, InstanceValue) else group
    for argument in arguments:
        if isinstance(argument, list | tuple):
            register_options(run, list(argument), group)
        elif (
            isinstance(argument, InstanceValue)
            and argument.makes == "option"
            and isinstance(argument.fields.get("name"), str)
        ):
            words = argument.fields["name"].replace("-", "_")
            key = (name, words) if isinstance(name, str) else (words,)
            default = argument.fields.get("default")
            if not isinstance(default, OpaqueValue) or default.default is not MISSING:
                run.options[key] = default
