# Made by hot2tf from input.yaml

resource "openstack_sharedfilesystem_securityservice_v2" "directory" {
  name        = "directory"
  description = "Who is who"
  type        = "ldap"
  dns_ip      = "10.0.0.53"
  user        = "manila"
  password    = "secret"
  domain      = "example.com"
  server      = "10.0.0.10"
}

resource "openstack_sharedfilesystem_sharenetwork_v2" "net" {
  name                 = "shares"
  neutron_net_id       = data.openstack_networking_subnet_v2.subnet.network_id
  neutron_subnet_id    = data.openstack_networking_subnet_v2.subnet.id
  security_service_ids = [openstack_sharedfilesystem_securityservice_v2.directory.id]
}

resource "openstack_sharedfilesystem_share_v2" "home" {
  name             = "home"
  description      = "What is mine"
  share_proto      = "NFS"
  size             = 10
  share_type       = var.kind
  is_public        = false
  metadata         = { owner = "alice", copies = 2 }
  share_network_id = openstack_sharedfilesystem_sharenetwork_v2.net.id
}

resource "openstack_sharedfilesystem_share_access_v2" "home_0" {
  share_id     = openstack_sharedfilesystem_share_v2.home.id
  access_type  = "ip"
  access_to    = "10.0.0.0/24"
  access_level = "ro"
}

resource "openstack_sharedfilesystem_share_access_v2" "home_1" {
  share_id     = openstack_sharedfilesystem_share_v2.home.id
  access_type  = "ip"
  access_to    = "10.0.1.0/24"
  access_level = "rw"
}

resource "openstack_sharedfilesystem_share_v2" "one_rule" {
  count = local.copied ? 1 : 0

  name        = ""
  share_proto = "GLUSTERFS"
  size        = 1
  # HOT421: share_type may be an ID, but the provider reads back a name, so later changes are ignored.
  share_type       = var.any_kind
  snapshot_id      = data.openstack_sharedfilesystem_snapshot_v2.snapshot[0].id
  share_network_id = data.openstack_sharedfilesystem_sharenetwork_v2.made_by_hand[0].id

  lifecycle {
    ignore_changes = [share_type]
  }
}

resource "openstack_sharedfilesystem_share_access_v2" "one_rule" {
  count = local.copied ? 1 : 0

  share_id     = openstack_sharedfilesystem_share_v2.one_rule[0].id
  access_type  = "cert"
  access_to    = "common"
  access_level = "rw"
}

resource "openstack_sharedfilesystem_share_v2" "listed" {
  name             = "listed"
  share_proto      = "CIFS"
  size             = 1
  share_network_id = openstack_sharedfilesystem_sharenetwork_v2.net.id
}

resource "openstack_sharedfilesystem_share_access_v2" "listed" {
  for_each = { for i, rule in var.rules : i => rule }

  share_id     = openstack_sharedfilesystem_share_v2.listed.id
  access_type  = each.value.access_type
  access_to    = each.value.access_to
  access_level = coalesce(try(each.value.access_level, null), "rw")
}

# HOT450: kept in Heat: type.
# The provider has no share types.
resource "openstack_orchestration_stack_v1" "type" {
  name             = "${var.stack_name}-type"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/type.yaml")
  }

  environment_opts = { Bin = "{}" }
}

resource "openstack_sharedfilesystem_share_v2" "of_type" {
  name        = "of-type"
  share_proto = "NFS"
  size        = 1
  # HOT421: share_type may be an ID, but the provider reads back a name, so later changes are ignored.
  share_type = lookup(local.type, "type", null)

  lifecycle {
    ignore_changes = [share_type]
  }
}
