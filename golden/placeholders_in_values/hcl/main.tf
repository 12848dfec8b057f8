# Made by hot2tf from input.yaml

# Groups and loops replace their placeholders in the values of parameters too.

resource "openstack_networking_network_v2" "nets" {
  count = 2

  name = replace(var.pattern, "%index%", count.index)
  tags = [for item in var.tags : replace(item, "%index%", count.index)]
}
