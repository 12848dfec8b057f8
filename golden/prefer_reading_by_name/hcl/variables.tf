# Made by hot2tf from input.yaml

variable "security_service_ids" {
  description = "IDs of security services, by name."
  type        = map(string)
}

variable "qos_specification_ids" {
  description = "IDs of QoS specifications, by name."
  type        = map(string)
}

variable "volume_type_ids" {
  description = "IDs of volume types, by name."
  type        = map(string)
}

variable "database_datastore_type" {
  description = "The datastore type of database, which the provider requires and the template does not set."
  type        = string
  nullable    = false
}

variable "database_datastore_version" {
  description = "The datastore version of database, which the provider requires and the template does not set."
  type        = string
  nullable    = false
}

variable "later_payload" {
  description = "The payload of later, which the provider requires and the template does not set."
  type        = string
  sensitive   = true
  nullable    = false
}

variable "service" {
  type = string
}

variable "services" {
  type = list(string)
}

variable "must_fail" {
  type    = bool
  default = false
}
