# Made by hot2tf from input.yaml

resource "openstack_compute_flavor_v2" "flavor" {
  name         = "big"
  flavor_id    = "big-1"
  ram          = 8192
  vcpus        = 4
  disk         = 40
  swap         = 512
  ephemeral    = 10
  rx_tx_factor = 1
  is_public    = false
  extra_specs  = { "hw:cpu_policy" = "dedicated" }
}

resource "openstack_compute_flavor_access_v2" "flavor_0" {
  flavor_id = openstack_compute_flavor_v2.flavor.id
  tenant_id = "5d2a8a1c0f2e4f4b9b430b4c3e0a1d10"
}

resource "openstack_compute_flavor_access_v2" "flavor_1" {
  flavor_id = openstack_compute_flavor_v2.flavor.id
  tenant_id = "5d2a8a1c0f2e4f4b9b430b4c3e0a1d11"
}

resource "openstack_compute_instance_v2" "server" {
  name       = "s"
  image_name = "cirros"
  flavor_id  = openstack_compute_flavor_v2.flavor.id
}
