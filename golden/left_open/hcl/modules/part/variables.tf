# Converted from part.yaml by hot2tf.

variable "port_network_id" {
  description = "Property network of port (an ID); null in the template."
  type        = string
  nullable    = false
}

variable "name" {
  type = string
}
