# Made by hot2tf from input.yaml

resource "openstack_blockstorage_volume_v3" "volume" {
  name              = "data"
  description       = "For the database"
  size              = var.size
  availability_zone = "nova"
  volume_type       = "fast"
  metadata          = { purpose = "db", level = 1 }

  scheduler_hints {
    different_host = ["5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d10"]
  }
}

resource "openstack_blockstorage_volume_v3" "from_image" {
  name     = "${var.stack_name}-from_image"
  size     = 5
  image_id = data.openstack_images_image_v2.cirros.id
}

resource "openstack_blockstorage_volume_v3" "copy" {
  name          = "${var.stack_name}-copy"
  size          = 10
  source_vol_id = openstack_blockstorage_volume_v3.volume.id
}

# HOT401: read_only is dropped: the provider has no argument for the read-only flag.
resource "openstack_blockstorage_volume_v3" "read_only" {
  name = "${var.stack_name}-read_only"
  size = 1
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
}

# HOT401: mountpoint is dropped: the hypervisor chooses the device; another name would be a change in each plan.
resource "openstack_compute_volume_attach_v2" "attached" {
  instance_id = openstack_compute_instance_v2.server.id
  volume_id   = openstack_blockstorage_volume_v3.volume.id
}
