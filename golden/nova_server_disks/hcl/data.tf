# Made by hot2tf from input.yaml

data "openstack_images_image_v2" "image" {
  name = var.image
}
