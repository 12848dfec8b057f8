# Converted from input.yaml by hot2tf.

data "openstack_identity_project_v3" "demo" {
  name = "demo"
}
