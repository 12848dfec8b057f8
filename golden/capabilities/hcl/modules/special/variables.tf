# Made by hot2tf from special.yaml: hot2tf convert input.yaml -e base.env.yaml -e site.env.yaml -o DIR

variable "network" {
  type = string
}
