# Made by hot2tf from input.yaml

variable "candidates" {
  description = "The inventory: places to choose from, by candidate_id."

  type = map(object({
    order          = optional(number, 0)
    inventory_type = string
    location_id    = string
    cost           = optional(number)
    capacity       = optional(map(number))
    latitude       = optional(number)
    longitude      = optional(number)
  }))
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
