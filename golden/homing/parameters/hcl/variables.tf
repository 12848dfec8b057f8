# Made by hot2tf from input.yaml

variable "reach_km" {
  description = "Parameter reach (\"< 1400 km\"): the number, in km."
  type        = number
  default     = 1400
}

variable "country" {
  description = "Parameter country of the template."
  type        = string
  default     = "USA"
}

variable "cpus" {
  description = "Parameter cpus of the template."
  type        = number
  default     = 8
}

variable "weight" {
  description = "Parameter weight of the template."
  type        = number
  default     = 2
}

variable "slow" {
  description = "Parameter slow of the template."
  type        = number
  default     = 10
}

variable "lat" {
  description = "Parameter lat of the template."
  type        = number
  default     = 41.88
}

variable "long" {
  description = "Parameter long of the template."
  type        = number
  default     = -87.63
}

variable "candidates" {
  description = "The inventory: places to choose from, by candidate_id."

  type = map(object({
    order          = optional(number, 0)
    inventory_type = string
    location_id    = string
    cost           = optional(number)
    capacity       = optional(map(number))
    country        = optional(string)
    latency        = optional(number)
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
