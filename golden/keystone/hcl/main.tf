# Made by hot2tf from input.yaml

# A domain of its own, with people in it, and the catalogue's entries.

resource "openstack_identity_project_v3" "domain" {
  name        = "research"
  description = "Labs"
  enabled     = true
  is_domain   = true
}

resource "openstack_identity_project_v3" "project" {
  name        = "lab"
  description = "The lab"
  domain_id   = openstack_identity_project_v3.domain.id
  enabled     = true
  parent_id   = data.openstack_identity_project_v3.home.id
  tags        = ["lab", "2024"]
}

resource "openstack_identity_project_v3" "in_default" {
  name      = "shared"
  domain_id = "default"
}

resource "openstack_identity_project_v3" "in_named" {
  name      = "guests"
  domain_id = data.openstack_identity_project_v3.external.id
}

resource "openstack_identity_role_v3" "role" {
  name      = "operator"
  domain_id = openstack_identity_project_v3.domain.id
}

resource "openstack_identity_role_v3" "global_role" {
  name = "${var.stack_name}-global_role"
}

resource "openstack_identity_group_v3" "group" {
  name        = "operators"
  description = "On duty"
  domain_id   = openstack_identity_project_v3.domain.id
}

resource "openstack_identity_role_assignment_v3" "group_operator" {
  group_id   = openstack_identity_group_v3.group.id
  project_id = openstack_identity_project_v3.project.id
  role_id    = openstack_identity_role_v3.role.id
}

resource "openstack_identity_role_assignment_v3" "group_auditor_role" {
  group_id  = openstack_identity_group_v3.group.id
  domain_id = openstack_identity_project_v3.domain.id
  role_id   = data.openstack_identity_role_v3.auditor_role.id
}

resource "openstack_identity_role_assignment_v3" "group_member" {
  group_id   = openstack_identity_group_v3.group.id
  project_id = openstack_identity_project_v3.in_default.id
  role_id    = data.openstack_identity_role_v3.member.id
}

resource "openstack_identity_user_v3" "admin" {
  count = local.admin ? 1 : 0

  name               = "carla"
  description        = "Runs it"
  default_project_id = openstack_identity_project_v3.project.id
  domain_id          = openstack_identity_project_v3.domain.id
  enabled            = true
  extra              = { email = "carla@example.org" }
  password           = var.password
}

resource "openstack_identity_user_membership_v3" "admin_group" {
  count = local.admin ? 1 : 0

  user_id  = openstack_identity_user_v3.admin[0].id
  group_id = openstack_identity_group_v3.group.id
}

resource "openstack_identity_user_membership_v3" "admin_auditors" {
  count = local.admin ? 1 : 0

  user_id  = openstack_identity_user_v3.admin[0].id
  group_id = data.openstack_identity_group_v3.auditors[0].id
}

resource "openstack_identity_role_assignment_v3" "admin_role" {
  count = local.admin ? 1 : 0

  user_id    = openstack_identity_user_v3.admin[0].id
  project_id = openstack_identity_project_v3.project.id
  role_id    = openstack_identity_role_v3.role.id
}

resource "openstack_identity_role_assignment_v3" "admin_0" {
  count = local.admin ? 1 : 0

  user_id   = openstack_identity_user_v3.admin[0].id
  domain_id = "default"
  role_id   = "5d2a8a1c0f2e4f4b9b430b4c3e0a1d10"
}

resource "openstack_identity_user_v3" "helper" {
  name      = "helper"
  domain_id = "default"
}

resource "openstack_identity_user_membership_v3" "helper" {
  for_each = toset([for item in var.helpers : data.openstack_identity_group_v3.helpers[item].id])

  user_id  = openstack_identity_user_v3.helper.id
  group_id = each.value
}

resource "openstack_identity_role_assignment_v3" "of_user" {
  user_id    = data.openstack_identity_user_v3.dora.id
  project_id = data.openstack_identity_project_v3.lab.id
  role_id    = data.openstack_identity_role_v3.member.id
}

resource "openstack_identity_role_assignment_v3" "of_user_reader" {
  user_id    = data.openstack_identity_user_v3.dora.id
  project_id = openstack_identity_project_v3.in_default.id
  role_id    = data.openstack_identity_role_v3.reader.id
}

resource "openstack_identity_role_assignment_v3" "of_group" {
  group_id  = openstack_identity_group_v3.group.id
  domain_id = openstack_identity_project_v3.domain.id
  role_id   = data.openstack_identity_role_v3.member.id
}

# HOT450: kept in Heat: region.
# The provider has no resource for a region.
resource "openstack_orchestration_stack_v1" "region" {
  name             = "${var.stack_name}-region"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/region.yaml")
  }

  environment_opts = { Bin = "{}" }
}

resource "openstack_identity_service_v3" "service" {
  name        = "weather"
  description = "Forecasts"
  type        = "weather"
  enabled     = true
}

resource "openstack_identity_endpoint_v3" "endpoint" {
  name            = "${var.stack_name}-endpoint"
  service_id      = openstack_identity_service_v3.service.id
  interface       = "public"
  endpoint_region = lookup(local.region, "region", null)
  url             = "https://weather.example.org/v1"
}

# HOT401: enabled is dropped: the provider has no argument to disable an endpoint.
resource "openstack_identity_endpoint_v3" "internal" {
  name            = "weather-internal"
  service_id      = openstack_identity_service_v3.service.id
  interface       = "internal"
  endpoint_region = "south"
  url             = "http://weather.internal:8080"
}
