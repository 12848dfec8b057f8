# Made by hot2tf from input.yaml

# Names that no data source finds, values that only the provider requires, and what else Heat need
# not do.

# IDs by name
resource "openstack_sharedfilesystem_sharenetwork_v2" "named" {
  name              = "files"
  neutron_net_id    = data.openstack_networking_network_v2.private.id
  neutron_subnet_id = data.openstack_networking_subnet_v2.private.id

  # HOT535: The provider finds no security service by its name; the variable security_service_ids must have the ID of ldap.
  # HOT535: The provider finds no security service by its name; the variable security_service_ids must have the ID of such a name.
  security_service_ids = [
    var.security_service_ids["ldap"],
    lookup(var.security_service_ids, var.service, var.service),
  ]
}

resource "openstack_sharedfilesystem_sharenetwork_v2" "listed" {
  name              = "more"
  neutron_net_id    = data.openstack_networking_network_v2.private.id
  neutron_subnet_id = data.openstack_networking_subnet_v2.private.id
  # HOT535: The provider finds no security service by its name; the variable security_service_ids must have the ID of such a name.
  security_service_ids = [for item in var.services : lookup(var.security_service_ids, item, item)]
}

# HOT535: The provider finds no volume type by its name; the variable volume_type_ids must have the ID of ssd.
resource "openstack_blockstorage_qos_association_v3" "limits" {
  # HOT535: The provider finds no QoS specification by its name; the variable qos_specification_ids must have the ID of gold.
  qos_id         = var.qos_specification_ids["gold"]
  volume_type_id = var.volume_type_ids["ssd"]
}

# what the provider requires
# HOT537: The provider requires the datastore type of database; the variable database_datastore_type must have it.
# HOT537: The provider requires the datastore version of database; the variable database_datastore_version must have it.
resource "openstack_db_instance_v1" "database" {
  name        = "orders"
  flavor_id   = data.openstack_compute_flavor_v2.m1_small.id
  size        = 5
  volume_type = ""

  datastore {
    type    = var.database_datastore_type
    version = var.database_datastore_version
  }
}

# HOT537: The provider requires the payload of later; the variable later_payload must have it.
resource "openstack_keymanager_secret_v1" "later" {
  name                 = "later"
  payload              = var.later_payload
  payload_content_type = "text/plain"
}

# each set has its minimum
resource "random_password" "password_parts" {
  for_each = {
    part_0 = { characters = "+-", length = 1 }
    part_1 = { characters = ".,", length = 2 }
    part_2 = { characters = "0123456789ABCDEF", length = 4 }
    part_3 = { characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", length = 2 }
    rest   = { characters = "+-.,0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", length = 11 }
  }

  length           = each.value.length
  lower            = false
  upper            = false
  numeric          = false
  override_special = each.value.characters
}

resource "random_password" "password_order" {
  length  = 32
  special = false
}

resource "random_password" "chain_0" {
  length  = 8
  special = false
}

resource "random_password" "chain_1" {
  length  = 8
  special = false

  depends_on = [random_password.chain_0]
}

resource "terraform_data" "check" {
  input = "ready"

  lifecycle {
    postcondition {
      # HOT536: check fails through a condition in Terraform: resources that wait for it are not created, as in Heat.
      condition     = self.id == "" || !var.must_fail
      error_message = "check fails on purpose."
    }
  }
}

# members of an old load balancer
resource "openstack_compute_instance_v2" "web" {
  count = 2

  name        = "web${count.index}"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "private"
  }
}

resource "openstack_lb_loadbalancer_v2" "pool" {
  vip_subnet_id = data.openstack_networking_subnet_v2.private.id
}

resource "openstack_lb_listener_v2" "pool" {
  name            = "pool.vip"
  loadbalancer_id = openstack_lb_loadbalancer_v2.pool.id
  protocol        = "HTTP"
  protocol_port   = 80
}

resource "openstack_lb_pool_v2" "pool" {
  name        = "web"
  listener_id = openstack_lb_listener_v2.pool.id
  protocol    = "HTTP"
  lb_method   = "ROUND_ROBIN"
}

resource "openstack_lb_member_v2" "members" {
  count = length(local.members_addresses)

  pool_id       = openstack_lb_pool_v2.pool.id
  address       = local.members_addresses[count.index]
  protocol_port = 8080
  subnet_id     = data.openstack_networking_subnet_v2.private.id
}
