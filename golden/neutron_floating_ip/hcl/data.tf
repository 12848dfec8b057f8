# Converted from input.yaml by hot2tf.

data "openstack_networking_subnet_v2" "public_subnet" {
  name = "public-subnet"
}
