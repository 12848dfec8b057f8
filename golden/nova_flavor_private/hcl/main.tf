# Made by hot2tf from input.yaml

resource "openstack_compute_flavor_v2" "own" {
  name      = "own"
  ram       = 512
  vcpus     = 1
  disk      = 0
  is_public = false
}

resource "openstack_compute_flavor_access_v2" "own" {
  flavor_id = openstack_compute_flavor_v2.own.id
  tenant_id = data.openstack_identity_auth_scope_v3.current.project_id
}

resource "openstack_compute_flavor_v2" "maybe" {
  name      = "maybe"
  ram       = 512
  vcpus     = 1
  disk      = 0
  is_public = var.for_all
}

resource "openstack_compute_flavor_access_v2" "maybe" {
  count = var.for_all ? 0 : 1

  flavor_id = openstack_compute_flavor_v2.maybe.id
  tenant_id = data.openstack_identity_auth_scope_v3.current.project_id
}

resource "openstack_compute_flavor_v2" "listed" {
  name      = "listed"
  ram       = 512
  vcpus     = 1
  disk      = 0
  is_public = var.for_all
}

resource "openstack_compute_flavor_access_v2" "listed" {
  for_each = (var.for_all
    ? toset([])
    : toset([for item in var.tenants : data.openstack_identity_project_v3.tenants[item].id])
  )

  flavor_id = openstack_compute_flavor_v2.listed.id
  tenant_id = each.value
}

resource "openstack_compute_flavor_v2" "public" {
  name      = "public"
  ram       = 512
  vcpus     = 1
  disk      = 0
  is_public = true
}
