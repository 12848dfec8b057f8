# Made by hot2tf from input.yaml

# A version may be spelled as the release that brought it.

resource "openstack_networking_network_v2" "net" {
  name = "a"
}
