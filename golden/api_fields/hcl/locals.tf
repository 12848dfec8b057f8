# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  rule_attributes = {
    for output in openstack_orchestration_stack_v1.rule_attributes.outputs :
    output.output_key => output.output_value
  }
}
