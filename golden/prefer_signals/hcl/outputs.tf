# Made by hot2tf from input.yaml

# HOT599: Nobody listens to web_handle: /bin/true replaces its command.
output "by_hand" {
  description = "To tell by hand"
  value       = "/bin/true"
}

# HOT565: Only Heat receives the data of signals to uploaded; this is null.
output "result" {
  description = "What the worker says"
  value       = null
}

# HOT565: Only Heat receives the data of signals to uploaded; this is null.
output "worker" {
  value = {
    name = openstack_compute_instance_v2.worker.name
    says = null
  }
}
