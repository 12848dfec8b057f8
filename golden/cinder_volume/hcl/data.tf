# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_images_image_v2" "cirros" {
  name = "cirros"
}
