"""Reads options of the operator's configuration: those that plug-ins declare, and those of Heat that schemas use.

Invariant: the value of an option is an Opaque with its default, because an operator may have set another value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from transpile.plugins.values import MISSING, Instance, Opaque

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Place, Value

CONF: Final = "cfg.CONF"
HEAT: Mapping[tuple[str, ...], Value] = {
    ("default_software_config_transport",): "POLL_SERVER_CFN",
    ("default_deployment_signal_transport",): "CFN_SIGNAL",
    ("default_user_data_format",): "HEAT_CFNTOOLS",
    ("max_server_name_length",): 53,
    ("stack_scheduler_hints",): False,
}


def get(run: Machine, path: str, place: Place) -> Opaque | None:
    """The value of the option at a dotted path, such as `cfg.CONF.max_server_name_length`; None if there is no such
    option.
    """
    if not path.startswith(f"{CONF}."):
        return None
    key = tuple(path.split(".")[2:])
    default = run.options.get(key, HEAT.get(key, MISSING))
    if default is MISSING:
        return None
    found = Opaque(f"the operator configures {'.'.join(key)}", place, path)
    found.default = default.default if isinstance(default, Opaque) else default
    return found


def register(run: Machine, given: list[Value], group: Value) -> None:
    """Records the options in a call of CONF.register_opt or CONF.register_opts."""
    name = group.fields.get("name") if isinstance(group, Instance) else group
    for one in given:
        if isinstance(one, list | tuple):
            register(run, list(one), group)
        elif isinstance(one, Instance) and one.makes == "option" and isinstance(one.fields.get("name"), str):
            words = one.fields["name"].replace("-", "_")
            key = (name, words) if isinstance(name, str) else (words,)
            default = one.fields.get("default")
            if not isinstance(default, Opaque) or default.default is not MISSING:
                run.options[key] = default
