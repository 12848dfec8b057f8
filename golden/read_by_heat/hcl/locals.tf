# Made by hot2tf from input.yaml

locals {
  standby      = var.has_standby
  uuid_pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  image_is_id  = can(regex(local.uuid_pattern, var.image))

  web_attributes = {
    for output in openstack_orchestration_stack_v1.web_attributes.outputs :
    output.output_key => output.output_value
  }

  entrance_floating_ip = {
    for output in flatten(openstack_orchestration_stack_v1.entrance_floating_ip[*].outputs) :
    output.output_key => output.output_value
  }

  disk_attributes = {
    for output in openstack_orchestration_stack_v1.disk_attributes.outputs :
    output.output_key => output.output_value
  }

  spare_attributes = {
    for output in flatten(openstack_orchestration_stack_v1.spare_attributes[*].outputs) :
    output.output_key => output.output_value
  }
}
