# Made by hot2tf from input.yaml

variable "uplink_network_id" {
  description = "Property network of uplink (an ID); null in the template."
  type        = string
  nullable    = false
}

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "port_network_id" {
  description = "Property network of port (an ID); null in the template."
  type        = string
  nullable    = false
}

variable "checked" {
  type    = bool
  default = true
}
