output "objects" {
  value = tonumber(lookup(local.container, "container_ObjectCount", null))
}
