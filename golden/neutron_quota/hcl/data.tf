# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_identity_project_v3" "demo" {
  name = "demo"
}
