"""Types that derive from others: of this plug-in, and of Heat itself."""

import copy

from heat.engine import properties, support
from heat.engine.resources.openstack.heat import random_string
from heat.engine.resources.openstack.neutron import port

try:
    import shopclient
except ImportError:
    shopclient = None

from .base import SIZES, Common
from .base import port as port_schema
from heat.engine import constraints


class Till(Common):
    """A till that listens on a port."""

    properties_schema = {
        "name": properties.Schema(properties.Schema.STRING, "Its name.", required=True, update_allowed=True),
        "port": port_schema("Where it listens.", default=8080),
        "size": properties.Schema(
            properties.Schema.STRING, default=SIZES[0], constraints=[constraints.AllowedValues(SIZES)]
        ),
        "colour": properties.Schema(
            properties.Schema.STRING,
            support_status=support.SupportStatus(status=support.DEPRECATED, version="2.0", message="Use size."),
        ),
    }
    properties_schema.update(Common.common_schema)


class BigTill(Till):
    properties_schema = copy.deepcopy(Till.properties_schema)
    properties_schema["drawers"] = properties.Schema(
        properties.Schema.LIST,
        schema=properties.Schema(
            properties.Schema.MAP,
            schema={side: properties.Schema(properties.Schema.STRING) for side in ("left", "right")},
        ),
    )
    del properties_schema["colour"]


class ShopPort(port.Port):
    properties_schema = dict(port.Port.properties_schema)
    properties_schema["till"] = properties.Schema(properties.Schema.STRING, required=True)


class Secret(random_string.RandomString):
    """Takes the place of Heat's own type."""


def resource_mapping():
    return {
        "Shop::Till::Plain": Till,
        "Shop::Till::Big": BigTill,
        "Shop::Net::Port": ShopPort,
        "OS::Heat::RandomString": Secret,
    }


def available_resource_mapping():
    return resource_mapping() if shopclient else {}
