# Made by hot2tf from input.yaml

output "id" {
  value = openstack_images_image_v2.image.id
}
