# A group puts its index into the texts of files too, after whatever str_replace put there.

resource "openstack_compute_instance_v2" "servers" {
  count = 2

  name        = "server-${count.index}"
  image_id    = "1f0e9d3c-7a64-4c4e-9b5b-6a1c6f0d2b11"
  flavor_name = "m1.small"

  network {
    uuid = "0d5ed2b3-8b8a-4b8e-a8b1-0c6b8d7c1f11"
  }

  user_data = templatefile("${path.module}/templates/parts/motd.txt.tftpl", { index = count.index })
}
