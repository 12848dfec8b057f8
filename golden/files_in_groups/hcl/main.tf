# Made by hot2tf from input.yaml

# A group puts its index into the texts of files too, after whatever str_replace put there.

resource "openstack_networking_network_v2" "nets" {
  count = 2

  name = templatefile("${path.module}/templates/parts/motd.txt.tftpl", { index = count.index })

  tags = [
    templatefile("${path.module}/templates/parts/motd.txt.2.tftpl", { index = count.index }),
    templatefile("${path.module}/templates/parts/motd.txt.3.tftpl", {
      name  = tostring(var.share)
      index = count.index
    }),
  ]
}
