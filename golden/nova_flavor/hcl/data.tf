data "openstack_identity_project_v3" "_5d2a8a1c0f2e4f4b9b430b4c3e0a1d10" {
  name = "5d2a8a1c0f2e4f4b9b430b4c3e0a1d10"
}

data "openstack_identity_project_v3" "_5d2a8a1c0f2e4f4b9b430b4c3e0a1d11" {
  name = "5d2a8a1c0f2e4f4b9b430b4c3e0a1d11"
}
