# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_networking_qos_policy_v2" "gold" {
  name = "gold"
}
