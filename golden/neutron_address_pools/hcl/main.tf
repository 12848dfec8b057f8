# Made by hot2tf from input.yaml

resource "openstack_networking_addressscope_v2" "scope" {
  name       = "scope"
  ip_version = 6
  shared     = true
  project_id = var.project
}

resource "openstack_networking_addressscope_v2" "unnamed_scope" {
  name = "${var.stack_name}-unnamed_scope"
}

resource "openstack_networking_subnetpool_v2" "pool" {
  name              = "pool"
  default_quota     = 512
  project_id        = var.project
  prefixes          = ["10.32.0.0/15"]
  default_prefixlen = 26
  min_prefixlen     = 24
  max_prefixlen     = 30
  address_scope_id  = openstack_networking_addressscope_v2.unnamed_scope.id
  shared            = false
  is_default        = false
  tags              = ["blue"]
}

resource "openstack_networking_subnetpool_v2" "pool_of_others" {
  name             = "${var.stack_name}-pool_of_others"
  prefixes         = ["fd00:32::/48"]
  address_scope_id = data.openstack_networking_addressscope_v2.scope_name.id
}

# HOT450: kept in Heat: pool_of_all.
# The provider never sends min_prefixlen = 0, so it would have no effect.
resource "openstack_orchestration_stack_v1" "pool_of_all" {
  name             = "${var.stack_name}-pool-of-all"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/pool_of_all.yaml")
  }

  environment_opts = { Bin = "{}" }
}

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_segment_v2" "segment" {
  name             = "rack"
  description      = "one rack"
  network_id       = openstack_networking_network_v2.net.id
  network_type     = "vlan"
  physical_network = "physnet1"
  segmentation_id  = 201
}

resource "openstack_networking_segment_v2" "tunnel" {
  name         = "${var.stack_name}-tunnel"
  network_id   = data.openstack_networking_network_v2.backbone.id
  network_type = "vxlan"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name          = "${var.stack_name}-subnet"
  network_id    = openstack_networking_network_v2.net.id
  subnetpool_id = openstack_networking_subnetpool_v2.pool.id
  prefix_length = 25
  segment_id    = openstack_networking_segment_v2.segment.id
}

resource "openstack_networking_subnet_v2" "host_in_cidr" {
  name       = "${var.stack_name}-host_in_cidr"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.40.0.0/24"
}

resource "openstack_networking_rbac_policy_v2" "for_all" {
  action        = "access_as_external"
  object_id     = openstack_networking_network_v2.net.id
  object_type   = "network"
  target_tenant = "*"
}

resource "openstack_networking_rbac_policy_v2" "by_name" {
  action        = "access_as_shared"
  object_id     = openstack_networking_subnetpool_v2.pool.id
  object_type   = "subnetpool"
  target_tenant = var.project
}

# HOT401: tenant_id is dropped: the provider creates the policy in the project of its credentials.
resource "openstack_networking_rbac_policy_v2" "elsewhere" {
  action        = "access_as_shared"
  object_id     = data.openstack_networking_secgroup_v2.common.id
  object_type   = "security_group"
  target_tenant = var.project
}

# HOT450: kept in Heat: of_some_kind.
# The type of the named object is known only at run time.
resource "openstack_orchestration_stack_v1" "of_some_kind" {
  name             = "${var.stack_name}-of-some-kind"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/of_some_kind.yaml")
  }

  environment_opts = { Bin = "{}" }
  parameters       = { kind = var.kind }
}
