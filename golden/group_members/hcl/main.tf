# Made by hot2tf from input.yaml

# In the oldest version a path selects in the list of all members; members that may not be there.

resource "openstack_networking_port_v2" "ports" {
  count = var.count_

  name       = "port-${count.index}"
  network_id = "0d5ed2b3-8b8a-4b8e-a8b1-0c6b8d7c1f11"
}
