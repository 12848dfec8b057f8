# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  others_names = ["0", "2"]
}
