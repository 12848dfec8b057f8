output "url" {
  value = local.wanted ? lookup(local.always, "sometimes_WebsiteURL", null) : null
}

output "other" {
  value = tonumber(lookup(local.always, "always_ObjectCount", null))
}
