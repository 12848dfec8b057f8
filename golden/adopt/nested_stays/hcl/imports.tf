# Made by hot2tf from the running stack outer

import {
  to = openstack_networking_network_v2.net
  id = "00000091-0000-4000-8000-000000000000"
}

# HOT721: the ID is the password itself.
import {
  to = random_password.word
  id = "N7keEAjY"
}

import {
  to = openstack_orchestration_stack_v1.inner
  id = "00000007-0000-4000-8000-000000000000"
}
