variable "uplink_network_id" {
  description = "Property network of uplink, an ID; the template leaves it open."
  type        = string
  nullable    = false
}

variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "port_network_id" {
  description = "Property network of port, an ID; the template leaves it open."
  type        = string
  nullable    = false
}

variable "checked" {
  type    = bool
  default = true
}
