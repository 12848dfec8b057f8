"""The vocabulary of homing templates: sections, keys, types and properties, as the texts and HAS define them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

KEY = "homing_template_version"
VERSIONS = ("2016-11-01", "2017-10-10", "2018-02-01", "2020-08-13")  # that HAS knows
FIRST = VERSIONS[0]

SECTIONS = ("parameters", "locations", "demands", "constraints", "reservation", "reservations", "optimization")
TOP = (KEY, "description", *SECTIONS)

OTHER_REQUEST = {"num_solutions": "num_solution"}  # in requests of the documentation of HAS; neither changes a choice
REQUEST = ("name", "template", "files", "id", "limit", "num_solution", "template_url", "timeout")

COORDINATES = ("latitude", "longitude")
PLACEMARK = (
    "iso_country_code",
    "postal_code",
    "administrative_area",
    "sub_administrative_area",
    "locality",
    "sub_locality",
    "thoroughfare",
    "sub_thoroughfare",
)
LOCATION = (*COORDINATES, "host_name", "clli_code", "country", *PLACEMARK)

INVENTORY_TYPES = (
    "cloud",
    "service",
    "transport",
    "vfmodule",
    "nssi",
    "nsi",
    "slice_profiles",
    "nst",
    "nsst",
)
PROVIDERS = ("aai", "generator", "sdc")  # that HAS knows
OF_TEXTS = ("multicloud",)  # that only the texts name
WITH_CUSTOMER = ("service", "vfmodule")  # inventory types
CUSTOMERS = ("customer-id", "global-customer-id", "customer_id")  # in filtering_attributes; the last in attributes
LISTS = ("candidates", "required_candidates", "excluded_candidates", "existing_placement")
NEVER_READ = ("default_cost", "flavor", "subdivision", "service_id")
REQUIREMENT = (
    "inventory_provider",
    "inventory_type",
    "customer_id",
    "service_type",
    "attributes",
    "complex",
    "conflict_identifier",
    "default_attributes",
    "default_cost",
    "filtering_attributes",
    "flavor",
    "passthrough_attributes",
    "port_key",
    "region",
    "service_id",
    "service_resource_id",
    "service_subscription",
    "subdivision",
    "unique",
    "vlan_key",
    *LISTS,
)
CANDIDATE = (
    "candidate_id",
    "candidate_type",
    "inventory_type",
    "inventory_provider",
    "host_id",
    "cost",
    "location_id",
    "location_type",
    "latitude",
    "longitude",
    "city",
    "state",
    "country",
    "region",
    "complex_name",
    "cloud_owner",
    "cloud_region_version",
    "physical_location_id",
    "flavors",
)
OF_HAS = ("candidate_id", "cost", "inventory_type", "location_id", "location_type")  # in explicit candidates
NUMERIC = ("cost", "latitude", "longitude")

CONSTRAINT = ("type", "demands", "properties")


class ConstraintType(NamedTuple):
    """A type of constraint: its properties, and whether it looks at several demands together."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    deferred: bool = False  # described, and refused by HAS
    several: bool = False  # looks at pairs of demands
    split: bool = False  # HAS makes one constraint for each demand, NAME_DEMAND
    assumed: tuple[str, ...] = ()  # required properties that an example of the texts leaves out


NETWORK = ("bandwidth", "distance", "latency")
TYPES: Mapping[str, ConstraintType] = {
    "distance_to_location": ConstraintType(("distance", "location"), split=True),
    "distance_between_demands": ConstraintType(("distance",), several=True),
    "attribute": ConstraintType(("evaluate",), split=True),
    "threshold": ConstraintType(("evaluate",), split=True),
    "zone": ConstraintType(("qualifier", "category"), ("location",), several=True),
    "inventory_group": ConstraintType(several=True),
    "instance_fit": ConstraintType(("controller",), ("request",), split=True),
    "region_fit": ConstraintType(("controller",), ("request",), split=True),
    "vim_fit": ConstraintType(("controller",), ("request",), split=True),
    "hpa": ConstraintType(("evaluate",), split=True),
    "license": ConstraintType(("id", "key"), deferred=True),
    "network_between_demands": ConstraintType((), NETWORK, deferred=True, several=True),
    "network_to_location": ConstraintType(("location",), NETWORK, deferred=True),
    "capability": ConstraintType(
        ("specification", "template"), ("environment",), deferred=True, assumed=("specification",)
    ),
}
SYNONYMS = {"capabilities": "capability", "capacity": "capability"}  # in headings and examples of the texts
OF_OTHERS = ("aggregation", "service")  # types that policies produce or an example shows: accepted, not evaluated

QUALIFIERS = ("same", "different")
CATEGORIES = ("disaster", "region", "complex", "country", "time", "maintenance")
ZONE_NAMES = {
    "disaster_zone": "disaster",
    "time_zone": "time",
    "maintenance_zone": "maintenance",
}  # of the texts' notes
UNKNOWN_ZONES = ("disaster", "time", "maintenance")  # of which HAS knows nothing
CONTROLLER = "SDN-C"  # the only one that HAS knows

COMPARISONS = ("eq", "ne", "lt", "gt", "lte", "gte")
EVALUATIONS = (*COMPARISONS, "any", "all", "regex")
KNOWN_ATTRIBUTES = ("country", "state", "region", "complex")  # that HAS evaluates with any and all
LIMITS = ("gte", "lte", "gt", "lt", "eq")
LIMIT = ("attribute", "operator", "threshold", "unit")
CLOUD_REGION = ("cloud-requests", "service-requests", "vfmodule-requests")

HPA_ENTRY = ("id", "type", "directives", "flavorProperties")
HPA_LABEL = "flavorLabel"  # the id in requests of 2018, whose entries have neither type nor directives
HPA_OLD_ENTRY = (HPA_LABEL, "flavorProperties")
HPA_FEATURE = ("hpa-feature", "hpa-version", "architecture", "mandatory", "directives", "hpa-feature-attributes")
HPA_ATTRIBUTE = ("hpa-attribute-key", "hpa-attribute-value", "operator")
HPA_OPERATORS = ("=", "<", ">", "<=", ">=", "ALL")

RESERVATION = ("type", "demands", "properties")
RESERVATION_TYPE = "instance_reservation"

GOALS = ("minimize", "maximize")
OPERATORS = ("sum", "product")
DISTANCES = ("distance_between", "latency_between")
OLD_FUNCTIONS = (*DISTANCES, "hpa_score", "aic_version")
NEW_OPERATORS = ("sum", "min", "max")
NEW_FUNCTIONS = (*DISTANCES, "attribute")
