# Made by hot2tf from input.yaml

resource "openstack_images_image_v2" "image" {
  name             = "cirros"
  image_source_url = "https://download.example.org/cirros.img"
  container_format = "bare"
  disk_format      = "qcow2"
  visibility       = "shared"
  protected        = false
  min_disk_gb      = 1
  min_ram_mb       = 64
  tags             = ["small"]
  properties       = { architecture = "x86_64", os_distro = "cirros" }
  web_download     = true
}

resource "openstack_images_image_access_v2" "image_0" {
  image_id  = openstack_images_image_v2.image.id
  member_id = "5d2a8a1c0f2e4f4b9b430b4c3e0a1d10"
}
