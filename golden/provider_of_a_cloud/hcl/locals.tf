# Made by hot2tf from input.yaml

locals {
  pinned = opentelekomcloud_rts_stack_v1.pinned.outputs
}
