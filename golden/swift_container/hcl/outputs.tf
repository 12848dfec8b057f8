# Made by hot2tf from input.yaml

output "names" {
  value = [
    openstack_objectstorage_container_v1.site.name,
    openstack_objectstorage_container_v1.logs.name,
  ]
}

output "url" {
  value = "${local.url_url}/index.html"
}

output "root" {
  value = local.object_store
}

output "host" {
  value = replace(local.object_store, "/^[a-z]+:\\/\\/([^:\\/]+).*$/", "$1")
}
