# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  user_data   = data.cloudinit_config.parts.rendered
}

resource "openstack_compute_instance_v2" "other" {
  name        = "o"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  user_data   = local.config
}
