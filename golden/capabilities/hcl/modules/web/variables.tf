# Made by hot2tf from web.yaml: hot2tf convert input.yaml -e base.env.yaml -e site.env.yaml -o DIR

variable "network" {
  type = string
}
