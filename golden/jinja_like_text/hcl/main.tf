# Made by hot2tf: hot2tf convert input.yaml -o DIR

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  user_data   = "{{ not_jinja }} {% raw %} is only text"
}
