# Made by hot2tf from input.yaml

locals {
  copied       = var.from_snapshot
  uuid_pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  subnet_is_id = can(regex(local.uuid_pattern, var.subnet))

  type = {
    for output in openstack_orchestration_stack_v1.type.outputs :
    output.output_key => output.output_value
  }
}
