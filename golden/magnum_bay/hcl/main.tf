# Made by hot2tf from input.yaml

resource "openstack_containerinfra_clustertemplate_v1" "model" {
  name                  = "swarm"
  coe                   = "swarm"
  docker_storage_driver = "devicemapper"
  external_network_id   = data.openstack_networking_network_v2.network.id
  flavor                = "m1.small"
  floating_ip_enabled   = true
  image                 = "fedora-atomic"
  master_lb_enabled     = true
  volume_driver         = "rexray"
}

resource "openstack_containerinfra_cluster_v1" "bay" {
  name                = "bay"
  cluster_template_id = openstack_containerinfra_clustertemplate_v1.model.id
  create_timeout      = 30
  discovery_url       = "https://discovery.example.com/1"
  master_count        = 1
  node_count          = 2

  timeouts {
    create = "60m"
  }
}

resource "openstack_containerinfra_cluster_v1" "other" {
  cluster_template_id = openstack_containerinfra_clustertemplate_v1.model.id
  create_timeout      = 0

  timeouts {
    create = "60m"
  }
}
