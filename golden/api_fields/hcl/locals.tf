# Made by hot2tf from input.yaml

locals {
  rule_attributes = {
    for output in openstack_orchestration_stack_v1.rule_attributes.outputs :
    output.output_key => output.output_value
  }
}
