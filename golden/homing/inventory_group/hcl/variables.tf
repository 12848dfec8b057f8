# Made by hot2tf from input.yaml

variable "candidates" {
  description = "The inventory: places to choose from, by candidate_id."

  type = map(object({
    order          = optional(number, 0)
    inventory_type = string
    location_id    = string
    cost           = optional(number)
    latitude       = optional(number)
    longitude      = optional(number)
  }))
}

variable "groups" {
  description = "Pairs of candidates that belong together; null if the inventory has no groups."
  type        = list(list(string))
  default     = null
}

variable "assume_fit" {
  description = "Whether a candidate meets a constraint that neither HCL nor the inventory can test."
  type        = bool
  default     = true
}
