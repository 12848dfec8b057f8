# Made by hot2tf from input.yaml

data "openstack_networking_secgroup_v2" "plain_security_group" {
  secgroup_id = "5f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60"
}

data "openstack_networking_subnet_v2" "subnet_id" {
  count = local.is_public ? 1 : 0

  subnet_id = var.SubnetId
}

data "openstack_images_image_v2" "in_subnet_image" {
  count = local.is_public ? 1 : 0

  name = local.images["small"].debian
}

data "openstack_networking_subnet_v2" "subnet_id_2" {
  subnet_id = var.SubnetId
}

data "openstack_networking_secgroup_v2" "web" {
  name = "web"
}
