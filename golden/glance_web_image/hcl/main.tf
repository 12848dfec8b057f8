# Made by hot2tf: hot2tf convert input.yaml -o DIR

resource "openstack_images_image_v2" "image" {
  name             = "cirros"
  image_source_url = "https://download.example.org/cirros.img"
  container_format = "bare"
  disk_format      = "qcow2"
  visibility       = "private"
  protected        = false
  min_disk_gb      = 1
  min_ram_mb       = 64
  tags             = ["small"]

  properties = {
    architecture = "x86_64"
    os_distro    = "cirros"
  }

  web_download = true
}
