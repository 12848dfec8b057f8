# Made by hot2tf from input.yaml

# HOT421: Glance v1 stored the URL as the location of the image; Terraform copies the image into Glance.
resource "openstack_images_image_v2" "image" {
  name             = "cirros"
  image_id         = "7c6c1f0a-7a3b-4f3c-9f57-2f9f1b9c0001"
  image_source_url = "http://download.example.org/cirros.img"
  container_format = "bare"
  disk_format      = "qcow2"
  visibility       = "public"
  protected        = false
  min_disk_gb      = 1
  min_ram_mb       = 64
  tags             = ["small"]

  properties = {
    architecture = "x86_64"
    kernel_id    = "7c6c1f0a-7a3b-4f3c-9f57-2f9f1b9c0002"
    os_distro    = "cirros"
    ramdisk_id   = "7c6c1f0a-7a3b-4f3c-9f57-2f9f1b9c0003"
    hw_disk_bus  = "virtio"
  }

  web_download = true
}

# HOT421: Glance v1 stored the URL as the location of the image; Terraform copies the image into Glance.
# HOT401: owner is dropped: the provider cannot set the owner.
resource "openstack_images_image_v2" "hidden" {
  name             = "hidden"
  image_source_url = "http://download.example.org/hidden.img"
  container_format = "bare"
  disk_format      = "raw"
  visibility       = var.public ? "public" : "private"
  web_download     = true
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_id    = openstack_images_image_v2.image.id
  flavor_name = "m1.tiny"
}
