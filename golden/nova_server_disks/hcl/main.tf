# Made by hot2tf from input.yaml

resource "openstack_blockstorage_volume_v3" "data" {
  name = "${var.stack_name}-data"
  size = 10
}

resource "openstack_blockstorage_volume_v3" "boot" {
  name     = "${var.stack_name}-boot"
  size     = var.size
  image_id = data.openstack_images_image_v2.image.id
}

resource "openstack_compute_instance_v2" "from_volume" {
  name        = "from-volume"
  flavor_name = "m1.small"

  block_device {
    uuid                  = openstack_blockstorage_volume_v3.boot.id
    source_type           = "volume"
    delete_on_termination = false
    destination_type      = "volume"
    boot_index            = 0
  }
}

resource "openstack_compute_instance_v2" "from_image" {
  name        = "from-image"
  flavor_name = "m1.small"

  block_device {
    uuid                  = data.openstack_images_image_v2.image.id
    source_type           = "image"
    destination_type      = "volume"
    device_type           = "disk"
    disk_bus              = "virtio"
    boot_index            = 0
    volume_size           = var.size
    delete_on_termination = true
  }

  block_device {
    uuid             = openstack_blockstorage_volume_v3.data.id
    source_type      = "volume"
    destination_type = "volume"
    boot_index       = -1
  }

  block_device {
    source_type           = "blank"
    destination_type      = "local"
    volume_size           = 512
    guest_format          = "swap"
    boot_index            = -1
    delete_on_termination = true
  }

  block_device {
    source_type           = "blank"
    destination_type      = "local"
    volume_size           = 4
    guest_format          = "ext4"
    boot_index            = -1
    delete_on_termination = true
  }

  block_device {
    source_type           = "blank"
    destination_type      = "local"
    boot_index            = -1
    volume_size           = 5
    delete_on_termination = true
  }
}
