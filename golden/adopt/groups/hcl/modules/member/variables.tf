# Made by hot2tf from member.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "physical_names" {
  description = "The names that Heat gave to the resources of the nested stack that this module was made from."
  type        = any
}

variable "stack_id" {
  description = "ID of the nested stack that this module was made from."
  type        = string
}

variable "network" {
  type = string
}

variable "index" {
  type = string
}
