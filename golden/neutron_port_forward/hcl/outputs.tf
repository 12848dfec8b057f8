# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "forward" {
  value = openstack_networking_portforwarding_v2.ssh.id
}
