# Made by hot2tf from input.yaml

output "forward" {
  value = openstack_networking_portforwarding_v2.ssh.id
}
