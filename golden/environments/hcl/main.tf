# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "server" {
  name        = "web"
  image_name  = "cirros"
  flavor_name = var.flavor
  admin_pass  = var.password

  network {
    name = var.network
  }

  metadata = {
    count = var.count_
    first = try(var.servers[0], "")
  }
}
