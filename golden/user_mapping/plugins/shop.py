"""A plug-in of our own: a shop with its own cloud, halls and tills."""

from heat.engine import attributes, properties, resource


class Cloud(resource.Resource):
    """The cloud that a shop runs in."""

    properties_schema = {
        "url": properties.Schema(properties.Schema.STRING, "Where its identity service is.", required=True),
        "user": properties.Schema(properties.Schema.STRING, "Who logs in.", required=True),
        "password": properties.Schema(properties.Schema.STRING, "The password.", required=True),
    }


class Hall(resource.Resource):
    """A network with its ranges of addresses."""

    properties_schema = {
        "cloud": properties.Schema(properties.Schema.STRING, "The cloud that it is in."),
        "name": properties.Schema(properties.Schema.STRING, "Its name.", required=True),
        "house": properties.Schema(properties.Schema.STRING, "The house that it is in.", default="main"),
        "ranges": properties.Schema(
            properties.Schema.LIST,
            "Ranges of addresses.",
            schema=properties.Schema(
                properties.Schema.MAP,
                schema={
                    "cidr": properties.Schema(properties.Schema.STRING, required=True),
                    "aisle": properties.Schema(properties.Schema.INTEGER, required=True),
                },
            ),
        ),
        "music": properties.Schema(properties.Schema.STRING, "What is played."),
    }

    attributes_schema = {
        "mtu": attributes.Schema("The largest packet.", type=attributes.Schema.INTEGER),
    }


class Till(resource.Resource):
    """A disk that keeps what was sold."""

    properties_schema = {
        "hall": properties.Schema(properties.Schema.STRING, "The name of its hall.", required=True),
        "number": properties.Schema(properties.Schema.INTEGER, "Its number.", required=True),
        "size": properties.Schema(properties.Schema.INTEGER, "In GB.", default=1),
    }


class Poster(resource.Resource):
    """What hangs on the door of a hall."""

    properties_schema = {"text": properties.Schema(properties.Schema.STRING, "What it says.")}


def resource_mapping():
    return {"Shop::Cloud": Cloud, "Shop::Hall": Hall, "Shop::Poster": Poster, "Shop::Till": Till}
