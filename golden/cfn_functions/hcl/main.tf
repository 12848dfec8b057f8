# Made by hot2tf from input.yaml

# The functions of the CFN era.

resource "openstack_networking_network_v2" "net" {
  name = "net-${var.Stage}-${var.stack_name}"
}

resource "openstack_blockstorage_volume_v3" "volume" {
  count = local.is_prod ? 1 : 0

  name = "${var.stack_name}-Volume"
  size = local.sizes[var.Stage].disk

  # HOT503: Heat leaves this behind (DeletionPolicy Retain). Terraform refuses to
  # destroy it; "terraform state rm" releases it.
  lifecycle {
    prevent_destroy = true
  }
}

resource "openstack_compute_instance_v2" "server" {
  name        = local.is_prod ? "production" : try(var.Names[1], "")
  image_name  = "cirros"
  flavor_name = local.sizes[var.Stage].flavor
  user_data   = "echo ${var.Word}"

  depends_on = [openstack_networking_network_v2.net]
}
