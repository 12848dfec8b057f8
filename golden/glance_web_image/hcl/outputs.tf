# Converted from input.yaml by hot2tf.

output "id" {
  value = openstack_images_image_v2.image.id
}
