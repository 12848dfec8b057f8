# Made by hot2tf from input.yaml

output "Id" {
  value = openstack_compute_instance_v2.plain.id
}

output "Private" {
  value = openstack_compute_instance_v2.plain.access_ip_v4
}

# HOT420: Heat takes the address of WithPorts from the network whose name sorts last; Terraform takes it from the first NIC.
output "Public" {
  value = openstack_compute_instance_v2.with_ports.access_ip_v4
}

output "Names" {
  value = "${openstack_compute_instance_v2.plain.access_ip_v4} ${openstack_compute_instance_v2.plain.access_ip_v4}"
}

output "Zone" {
  value = openstack_compute_instance_v2.plain.availability_zone
}

output "PortAddress" {
  value = openstack_networking_port_v2.port.all_fixed_ips[0]
}
