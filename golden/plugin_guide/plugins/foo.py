"""The examples of Heat's plug-in guide, put together into a module."""

from heat.common.i18n import _
from heat.engine import attributes
from heat.engine import constraints
from heat.engine import properties
from heat.engine import resource
from heat.engine import support

nested_schema = {
    "foo": properties.Schema(
        properties.Schema.STRING,
        _("description of foo field"),
        constraints=[
            constraints.AllowedPattern("(Ba[rc]?)+"),
            constraints.Length(max=10, description="don't go crazy"),
        ],
    )
}


class CustomResource(resource.Resource):
    """This custom resource has description.

    Now end-users could understand the meaning of the resource existing
    and will use it correctly without any additional questions.
    """

    properties_schema = {
        "property_name": properties.Schema(
            properties.Schema.MAP,
            _("Internationalized description of property"),
            required=True,
            default={"Foo": "Bar"},
            schema=nested_schema,
        )
    }

    attributes_schema = {
        "foo": attributes.Schema(_("The foo attribute"), type=attributes.Schema.STRING),
        "bar": attributes.Schema(_("The bar attribute"), type=attributes.Schema.STRING),
        "baz": attributes.Schema(_("The baz attribute"), type=attributes.Schema.STRING),
    }


class FooResource(resource.Resource):
    properties_schema = {
        "foo": properties.Schema(
            properties.Schema.STRING,
            _("foo prop description"),
            default="foo",
            required=True,
        ),
        "bar": properties.Schema(
            properties.Schema.INTEGER,
            _("bar prop description"),
            required=True,
            constraints=[constraints.Range(5, 10)],
        ),
    }

    attributes_schema = {
        "Attr_1": attributes.Schema(
            _("The first attribute"),
            support_status=support.SupportStatus(version="5.0.0"),
            type=attributes.Schema.STRING,
        ),
        "Attr_2": attributes.Schema(_("The second attribute"), type=attributes.Schema.MAP),
    }

    def handle_create(self):
        self.resource_id_set(self.physical_resource_name())

    def _resolve_attribute(self, name):
        return getattr(self._example_get_physical_resource(), name, None)


def resource_mapping():
    return {"My::Custom::Plugin": CustomResource, "Resource::Foo": FooResource}
