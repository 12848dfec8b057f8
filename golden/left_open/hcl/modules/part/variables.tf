# Made by hot2tf from part.yaml

variable "port_network_id" {
  description = "Property network of port (an ID); null in the template."
  type        = string
  nullable    = false
}

variable "name" {
  type = string
}
