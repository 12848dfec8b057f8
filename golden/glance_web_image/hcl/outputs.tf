# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "id" {
  value = openstack_images_image_v2.image.id
}
