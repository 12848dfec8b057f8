"""What the vendor's types have in common: no type of its own."""

from heat.engine import attributes, constraints, properties, resource

SIZES = ("small", "large")


def port(description, **more):
    return properties.Schema(
        properties.Schema.INTEGER, description, constraints=[constraints.Range(1, 2**16 - 1)], **more
    )


class Common(resource.Resource):
    default_client_name = "shop"
    common_schema = {"zone": properties.Schema(properties.Schema.STRING, "The zone.", default="hall-1")}
    attributes_schema = {"zone": attributes.Schema("The zone.", type=attributes.Schema.STRING)}
