# Made by hot2tf from the running stack groups

import {
  to = openstack_networking_network_v2.net
  id = "00000031-0000-4000-8000-000000000000"
}

import {
  to = openstack_blockstorage_volume_v3.plain[0]
  id = "00000041-0000-4000-8000-000000000000"
}

import {
  to = openstack_blockstorage_volume_v3.plain[1]
  id = "00000042-0000-4000-8000-000000000000"
}

import {
  to = module.nodes["0"].openstack_networking_port_v2.port
  id = "00000050-0000-4000-8000-000000000000"
}

import {
  to = module.nodes["0"].openstack_blockstorage_volume_v3.disk
  id = "00000060-0000-4000-8000-000000000000"
}

import {
  to = module.nodes["2"].openstack_networking_port_v2.port
  id = "00000051-0000-4000-8000-000000000000"
}

import {
  to = module.nodes["2"].openstack_blockstorage_volume_v3.disk
  id = "00000061-0000-4000-8000-000000000000"
}

import {
  to = module.nodes["3"].openstack_networking_port_v2.port
  id = "00000052-0000-4000-8000-000000000000"
}

import {
  to = module.nodes["3"].openstack_blockstorage_volume_v3.disk
  id = "00000062-0000-4000-8000-000000000000"
}

import {
  to = module.alone.openstack_networking_port_v2.port
  id = "0000005f-0000-4000-8000-000000000000"
}

import {
  to = module.alone.openstack_blockstorage_volume_v3.disk
  id = "0000006f-0000-4000-8000-000000000000"
}
