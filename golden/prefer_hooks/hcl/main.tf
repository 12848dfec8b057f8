# Made by hot2tf from input.yaml

# Deployments for the agent's hooks of the kubelet, chef, salt and cfn-init, as user data.

# About pod, which is not written here:
#   the node manages its pods
# About report, which is not written here:
#   a list for a script is a text, as Python prints it

resource "openstack_compute_instance_v2" "web" {
  name        = "web"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  user_data = data.cloudinit_config.web_user_data.rendered
}

resource "openstack_compute_instance_v2" "node" {
  name        = "node"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  user_data = data.cloudinit_config.node_user_data.rendered
}
