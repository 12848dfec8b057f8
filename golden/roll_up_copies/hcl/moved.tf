# Made by hot2tf: hot2tf convert input.yaml --roll-up --tests -o DIR

# The addresses of a conversion without --roll-up: a state that has them follows. Without such a state, this file
# may go.

moved {
  from = openstack_networking_port_v2.port_0
  to   = openstack_networking_port_v2.port["0"]
}

moved {
  from = openstack_networking_port_v2.port["0"]
  to   = openstack_networking_port_v2.port[0]
}

moved {
  from = openstack_networking_port_v2.port_1
  to   = openstack_networking_port_v2.port["1"]
}

moved {
  from = openstack_networking_port_v2.port["1"]
  to   = openstack_networking_port_v2.port[1]
}

moved {
  from = openstack_networking_port_v2.port_2
  to   = openstack_networking_port_v2.port["2"]
}

moved {
  from = openstack_networking_port_v2.port["2"]
  to   = openstack_networking_port_v2.port[2]
}

moved {
  from = openstack_compute_instance_v2.server_0
  to   = openstack_compute_instance_v2.server[0]
}

moved {
  from = openstack_compute_instance_v2.server[0]
  to   = openstack_compute_instance_v2.server["0"]
}

moved {
  from = openstack_compute_instance_v2.server_1
  to   = openstack_compute_instance_v2.server[1]
}

moved {
  from = openstack_compute_instance_v2.server[1]
  to   = openstack_compute_instance_v2.server["1"]
}

moved {
  from = openstack_compute_instance_v2.server_2
  to   = openstack_compute_instance_v2.server[2]
}

moved {
  from = openstack_compute_instance_v2.server[2]
  to   = openstack_compute_instance_v2.server["2"]
}

moved {
  from = openstack_networking_floatingip_v2.floating_ip_0
  to   = openstack_networking_floatingip_v2.floating_ip["0"]
}

moved {
  from = openstack_networking_floatingip_v2.floating_ip["0"]
  to   = openstack_networking_floatingip_v2.floating_ip[0]
}

moved {
  from = openstack_networking_floatingip_v2.floating_ip_1
  to   = openstack_networking_floatingip_v2.floating_ip["1"]
}

moved {
  from = openstack_networking_floatingip_v2.floating_ip["1"]
  to   = openstack_networking_floatingip_v2.floating_ip[1]
}

moved {
  from = openstack_networking_floatingip_v2.floating_ip_2
  to   = openstack_networking_floatingip_v2.floating_ip["2"]
}

moved {
  from = openstack_networking_floatingip_v2.floating_ip["2"]
  to   = openstack_networking_floatingip_v2.floating_ip[2]
}
