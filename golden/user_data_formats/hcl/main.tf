# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "raw" {
  name        = "a"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  user_data   = "echo raw"
}

resource "openstack_compute_instance_v2" "cfn_tools" {
  name        = "b"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  # HOT562: Heat wraps this in parts for cfn-init; Terraform passes it unchanged.
  user_data = "echo by default"
}

resource "openstack_compute_instance_v2" "software_config" {
  name        = "c"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  # HOT562: Heat adds parts for os-collect-config to this; only deployments need them.
  user_data = "echo c"
}
