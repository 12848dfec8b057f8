# Converted from input.yaml by hot2tf.

data "openstack_networking_qos_policy_v2" "gold" {
  name = "gold"
}
