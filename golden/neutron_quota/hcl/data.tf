# Made by hot2tf from input.yaml

data "openstack_identity_project_v3" "demo" {
  name = "demo"
}
