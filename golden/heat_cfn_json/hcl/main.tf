# Made by hot2tf from input.yaml

# JSON, as Heat's first templates were written.

# HOT506: the metadata of this resource is dropped: agents read it through Heat.
resource "openstack_compute_instance_v2" "server" {
  name        = "s-${var.stack_name}"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  key_pair    = var.KeyName
}
