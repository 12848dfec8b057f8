# Made by hot2tf from input.yaml

variable "candidates" {
  description = "The inventory: places to choose from, by candidate_id."

  type = map(object({
    order          = optional(number, 0)
    inventory_type = string
    location_id    = string
    cost           = optional(number)
    cloud_owner    = optional(string)
    latitude       = optional(number)
    longitude      = optional(number)
  }))
}

variable "locations" {
  description = "Coordinates of locations in another form in the template: customer."

  type = map(object({
    latitude  = number
    longitude = number
    country   = optional(string)
  }))
}
