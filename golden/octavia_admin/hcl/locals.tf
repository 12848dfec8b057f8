# Made by hot2tf from input.yaml

locals {
  hex_id_pattern = "^[0-9a-f]{32}$"
  project_is_id  = can(regex(local.hex_id_pattern, var.project))
  uuid_pattern   = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  subnet_is_id   = can(regex(local.uuid_pattern, var.subnet))

  zone_profile = {
    for output in openstack_orchestration_stack_v1.zone_profile.outputs :
    output.output_key => output.output_value
  }
}
