# Made by hot2tf: hot2tf convert input.yaml --prefer provisioners -o DIR

locals {
  waits = var.Wait == "true"
}
