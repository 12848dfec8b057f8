# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_compute_instance_v2" "with_port" {
  name        = "a"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.port.id
  }
}

resource "openstack_compute_instance_v2" "with_subnet" {
  name        = "b"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.with_subnet.id
  }
}

resource "openstack_networking_port_v2" "with_subnet" {
  name       = "with_subnet-port-0"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_compute_instance_v2" "with_extra" {
  name        = "c"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.with_extra.id
  }

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.subnet]
}

resource "openstack_networking_port_v2" "with_extra" {
  name        = "with_extra-port-0"
  network_id  = openstack_networking_network_v2.net.id
  value_specs = { propagate_uplink_status = "true", numa_affinity_policy = "required" }
}

resource "openstack_compute_instance_v2" "auto" {
  name         = "d"
  image_name   = "cirros"
  flavor_name  = "m1.tiny"
  network_mode = "auto"
}

resource "openstack_compute_instance_v2" "none" {
  name         = "e"
  image_name   = "cirros"
  flavor_name  = "m1.tiny"
  network_mode = "none"
}

# HOT450: kept in Heat: at_run_time.
# The NICs of at_run_time are known only at run time, and may need port resources.
resource "openstack_orchestration_stack_v1" "at_run_time" {
  name             = "${var.stack_name}-at-run-time"
  disable_rollback = true

  template_opts = {
    Bin = templatefile("${path.module}/templates/at_run_time.yaml.tftpl", { ports = var.ports })
  }

  environment_opts = { Bin = "{}" }

  # Heat creates all subnets before a server whose networks are unknown.
  depends_on = [openstack_networking_subnet_v2.subnet]
}
