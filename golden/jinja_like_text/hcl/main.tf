# Converted from input.yaml by hot2tf.

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  user_data   = "{{ not_jinja }} {% raw %} is only text"
}
