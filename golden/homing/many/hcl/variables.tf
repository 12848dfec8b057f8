# Made by hot2tf from input.yaml

variable "candidates" {
  description = "The inventory: places to choose from, by candidate_id."

  type = map(object({
    order          = optional(number, 0)
    inventory_type = string
    location_id    = string
    cost           = optional(number)
    complex_name   = optional(string)
    latitude       = optional(number)
    longitude      = optional(number)
  }))
}

variable "chosen" {
  description = "The choice where there are too many assignments to list: hot2tf has computed it."
  type        = map(string)

  default = {
    d1 = "chicago"
    d2 = "toronto"
    d3 = "dallas"
    d4 = "site-1"
    d5 = "site-2"
  }
}
