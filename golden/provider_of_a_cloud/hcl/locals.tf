# Made by hot2tf: hot2tf convert input.yaml --provider opentelekomcloud -o DIR

locals {
  pinned = opentelekomcloud_rts_stack_v1.pinned.outputs
}
