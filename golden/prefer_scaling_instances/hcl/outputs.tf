# Made by hot2tf from input.yaml

output "Web" {
  value = join(",", openstack_compute_instance_v2.web_servers[*].access_ip_v4)
}

output "Workers" {
  value = (length(openstack_compute_instance_v2.worker_servers) > 0
    ? join(",", openstack_compute_instance_v2.worker_servers[*].access_ip_v4)
    : null
  )
}

# HOT560: WebServer exists only in Heat and is left out; this is null.
output "Launch" {
  value = null
}

# HOT560: GrowWeb exists only in Heat and is left out; this is null.
output "Grow" {
  value = null
}
