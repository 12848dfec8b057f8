output "url" {
  value = local.wanted ? lookup(local.container, "container_WebsiteURL", null) : null
}
