# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

output "web" {
  value = openstack_compute_instance_v2.web.access_ip_v4
}
