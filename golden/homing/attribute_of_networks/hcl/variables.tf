# Made by hot2tf from input.yaml

variable "candidates" {
  description = "The inventory: places to choose from, by candidate_id."

  type = map(object({
    order          = optional(number, 0)
    inventory_type = string
    location_id    = string
    cost           = optional(number)
    host_id        = optional(string)
    latitude       = optional(number)
    longitude      = optional(number)
  }))
}

variable "network_roles" {
  description = "The candidates of each network role."
  type        = map(list(string))
  default     = {}
}

variable "host_roles" {
  description = "The replication role of each host."
  type        = map(string)
  default     = {}
}

variable "fitting" {
  description = "The candidates that meet a constraint, by its name, or by CONSTRAINT_DEMAND."
  type        = map(list(string))
  default     = {}
}

variable "assume_fit" {
  description = "Whether a candidate meets a constraint that neither HCL nor the inventory can test."
  type        = bool
  default     = true
}
