# Made by hot2tf from the running stack web

import {
  to = openstack_networking_network_v2.net
  id = "00000011-0000-4000-8000-000000000000"
}

import {
  to = openstack_networking_subnet_v2.subnet
  id = "00000012-0000-4000-8000-000000000000"
}

import {
  to = openstack_networking_router_v2.router
  id = "00000013-0000-4000-8000-000000000000"
}

# HOT715: only the cloud knows the port.
# openstack port list --device-id 00000013-0000-4000-8000-000000000000 --fixed-ip subnet=00000012-0000-4000-8000-000000000000
import {
  to = openstack_networking_router_interface_v2.interface
  id = ""
}

import {
  to = openstack_networking_secgroup_v2.group
  id = "00000014-0000-4000-8000-000000000000"
}

# HOT715: only the cloud knows the security group rule.
# openstack security group rule list 00000014-0000-4000-8000-000000000000 --ingress
import {
  to = openstack_networking_secgroup_rule_v2.group_tcp_80
  id = ""
}

import {
  to = openstack_networking_port_v2.port
  id = "00000015-0000-4000-8000-000000000000"
}

import {
  to = openstack_compute_instance_v2.server
  id = "00000016-0000-4000-8000-000000000000"
}

import {
  to = openstack_blockstorage_volume_v3.data[0]
  id = "00000017-0000-4000-8000-000000000000"
}

import {
  to = openstack_compute_volume_attach_v2.attachment[0]
  id = "00000016-0000-4000-8000-000000000000/00000017-0000-4000-8000-000000000000"
}

import {
  to = openstack_networking_floatingip_v2.address
  id = "00000018-0000-4000-8000-000000000000"
}
