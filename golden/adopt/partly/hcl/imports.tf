# Made by hot2tf from the running stack partly

import {
  to = openstack_networking_network_v2.net
  id = "00000081-0000-4000-8000-000000000000"
}

import {
  to = openstack_networking_subnet_v2.subnet
  id = "00000082-0000-4000-8000-000000000000"
}

import {
  to = openstack_blockstorage_volume_v3.disk
  id = "00000086-0000-4000-8000-000000000000"
}

import {
  to = openstack_orchestration_stack_v1.server
  id = "00000005-0000-4000-8000-000000000000"
}
