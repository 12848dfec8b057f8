# Made by hot2tf from the running stack bare

import {
  to = openstack_blockstorage_volume_v3.disk
  id = "000000b1-0000-4000-8000-000000000000"
}

import {
  to = openstack_orchestration_stack_v1.handle
  id = "000000b0-0000-4000-8000-000000000000"
}
