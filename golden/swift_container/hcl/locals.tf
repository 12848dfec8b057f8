# Made by hot2tf from input.yaml

locals {
  object_store_endpoints = flatten([
    for service in data.openstack_identity_auth_scope_v3.current.service_catalog :
    service.endpoints
    if service.type == "object-store"
  ])

  object_store = join("", [
    for endpoint in local.object_store_endpoints :
    endpoint.url
    if endpoint.interface == "public" && contains(["", endpoint.region], data.openstack_identity_auth_scope_v3.current.region)
  ])

  url_url = "${local.object_store}/${openstack_objectstorage_container_v1.site.name}"
}
