# Made by hot2tf from the running stack printed

import {
  to = openstack_networking_network_v2.net
  id = "000000a1-0000-4000-8000-000000000000"
}

import {
  to = openstack_networking_port_v2.pair[0]
  id = "000000a2-0000-4000-8000-000000000000"
}

import {
  to = openstack_blockstorage_volume_v3.image
  id = "000000a3-0000-4000-8000-000000000000"
}
