resource "openstack_compute_servergroup_v2" "affine" {
  name     = "together"
  policies = ["affinity"]
}

resource "openstack_compute_servergroup_v2" "unnamed" {
  name     = "${var.stack_name}-unnamed"
  policies = ["soft-anti-affinity"]

  rules {
    max_server_per_host = 2
  }
}
