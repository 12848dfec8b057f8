# Made by hot2tf from input.yaml

resource "openstack_compute_keypair_v2" "key" {
  name       = "key"
  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample"
}

resource "openstack_containerinfra_clustertemplate_v1" "template" {
  name                  = "kubernetes"
  coe                   = "kubernetes"
  dns_nameserver        = "192.0.2.53"
  docker_storage_driver = "overlay"
  docker_volume_size    = 20
  external_network_id   = data.openstack_networking_network_v2.network.id
  fixed_network         = data.openstack_networking_network_v2.inner.id
  fixed_subnet          = data.openstack_networking_subnet_v2.inner.id
  flavor                = "m1.large"
  master_flavor         = "m1.small"
  floating_ip_enabled   = false
  http_proxy            = "http://proxy.example.com:3128"
  https_proxy           = "http://proxy.example.com:3128"
  image                 = var.image
  keypair_id            = openstack_compute_keypair_v2.key.name
  labels                = { kube_tag = "v1.27", auto_healing_enabled = true }
  master_lb_enabled     = false
  network_driver        = "calico"
  no_proxy              = "10.0.0.0/8"
  public                = false
  registry_enabled      = true
  server_type           = "vm"
  tls_disabled          = false
  volume_driver         = "cinder"
}

resource "openstack_containerinfra_clustertemplate_v1" "plain" {
  name                  = "${var.stack_name}-plain"
  coe                   = "kubernetes"
  docker_storage_driver = "devicemapper"
  external_network_id   = data.openstack_networking_network_v2.network.id
  floating_ip_enabled   = true
  image                 = var.image
  master_lb_enabled     = true
}

resource "openstack_containerinfra_cluster_v1" "cluster" {
  name                = "production"
  cluster_template_id = openstack_containerinfra_clustertemplate_v1.template.id
  create_timeout      = var.minutes
  discovery_url       = "https://discovery.example.com/1"
  keypair             = openstack_compute_keypair_v2.key.name
  master_count        = 3
  node_count          = var.nodes

  timeouts {
    create = "${max(var.minutes, 60)}m"
  }
}

resource "openstack_containerinfra_cluster_v1" "small" {
  cluster_template_id = openstack_containerinfra_clustertemplate_v1.template.id
  create_timeout      = 120

  timeouts {
    create = "120m"
  }
}

resource "openstack_containerinfra_cluster_v1" "named" {
  cluster_template_id = data.openstack_containerinfra_clustertemplate_v1.made_by_hand.id

  timeouts {
    create = "60m"
  }
}
