# Made by hot2tf from input.yaml

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = data.openstack_networking_network_v2.network.id
}

# HOT401: availability_zone is dropped: the provider has no argument for the availability zone of a database.
resource "openstack_db_instance_v1" "db" {
  name        = "db"
  flavor_id   = data.openstack_compute_flavor_v2.flavor.id
  size        = 10
  volume_type = ""

  datastore {
    type    = "mysql"
    version = "8.0"
  }

  network {
    uuid        = data.openstack_networking_network_v2.network.id
    fixed_ip_v4 = "10.0.0.30"
  }

  network {
    port = openstack_networking_port_v2.port.id
  }

  user {
    name      = "shop"
    password  = var.password
    host      = "10.0.0.%"
    databases = ["shop"]
  }

  user {
    name      = "wiki"
    password  = var.password
    host      = "%"
    databases = ["wiki", "shop"]
  }

  database {
    name    = "shop"
    collate = "utf8mb4_general_ci"
    charset = "utf8mb4"
  }

  database {
    name    = "wiki"
    collate = "utf8_general_ci"
    charset = "utf8"
  }
}

resource "openstack_db_instance_v1" "listed" {
  name        = "${var.stack_name}-listed"
  flavor_id   = "7"
  size        = 5
  volume_type = ""

  datastore {
    type    = "mysql"
    version = "8.0"
  }

  dynamic "database" {
    for_each = var.databases

    content {
      name    = try(database.value.name, null)
      collate = try(database.value.collate, "utf8_general_ci")
      charset = try(database.value.character_set, "utf8")
    }
  }
}

# HOT450: kept in Heat: replica.
# The provider cannot create database replicas.
resource "openstack_orchestration_stack_v1" "replica" {
  name             = "${var.stack_name}-replica"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/replica.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    flavor = var.flavor
    db     = openstack_db_instance_v1.db.id
  }
}

# HOT450: kept in Heat: default_store.
# The provider rejects default_store: a datastore block is required.
resource "openstack_orchestration_stack_v1" "default_store" {
  name             = "${var.stack_name}-default-store"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/default_store.yaml")
  }

  environment_opts = { Bin = "{}" }
  parameters       = { flavor = var.flavor }
}
