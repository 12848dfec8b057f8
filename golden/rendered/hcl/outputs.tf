# Made by hot2tf from input.j2.yaml

output "web" {
  value = openstack_compute_instance_v2.web.access_ip_v4
}

output "db" {
  value = openstack_compute_instance_v2.db.access_ip_v4
}
