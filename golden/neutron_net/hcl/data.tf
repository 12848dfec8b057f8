# Made by hot2tf from input.yaml

data "openstack_networking_qos_policy_v2" "gold" {
  name = "gold"
}
