# Made by hot2tf from input.yaml

resource "openstack_compute_servergroup_v2" "affine" {
  name     = "together"
  policies = ["affinity"]
}

resource "openstack_compute_servergroup_v2" "unnamed" {
  name     = "${var.stack_name}-unnamed"
  policies = ["soft-anti-affinity"]

  rules {
    max_server_per_host = 2
  }
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  dynamic "scheduler_hints" {
    for_each = local.is_apart ? [1] : []

    content {
      group = openstack_compute_servergroup_v2.unnamed.id
    }
  }

  dynamic "scheduler_hints" {
    for_each = local.is_apart ? [] : [1]

    content {
      group                 = openstack_compute_servergroup_v2.affine.id
      build_near_host_ip    = "192.0.2.1"
      additional_properties = { reserved = "yes" }
    }
  }
}
