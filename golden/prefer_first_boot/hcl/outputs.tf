# Made by hot2tf from input.yaml

output "web" {
  value = openstack_compute_instance_v2.web.access_ip_v4
}
