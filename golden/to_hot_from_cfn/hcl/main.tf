# Made by hot2tf from input.yaml

# A server, if it is wanted, as the CFN era wrote it.

# what this is

# the server
# HOT506: the metadata of this resource is dropped: agents read it through Heat.
resource "openstack_compute_instance_v2" "server" {
  count = local.prod ? 1 : 0

  # HOT542: Heat always returns ap-southeast-1 here; so does the output.
  name        = "${var.stack_name}-ap-southeast-1-a"
  image_name  = "cirros"
  flavor_name = local.sizes[var.Size].flavor

  # the NIC
  network {
    uuid = openstack_networking_network_v2.net.id
  }

  user_data = "echo ${var.Key}"

  # HOT503: Heat leaves this behind (DeletionPolicy Retain). Terraform refuses to
  # destroy it; "terraform state rm" releases it.
  lifecycle {
    prevent_destroy = true
  }

  depends_on = [openstack_networking_subnet_v2.sub]
}

resource "openstack_networking_network_v2" "net" {
  name = local.prod ? "prod" : try({ small = "s", large = "l" }[var.Size], "")
}

resource "openstack_networking_subnet_v2" "sub" {
  name       = "${var.stack_name}-Sub"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}
