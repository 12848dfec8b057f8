# Converted from input.yaml by hot2tf.

data "openstack_images_image_v2" "image" {
  name = var.image
}
