# Made by hot2tf from input.yaml

terraform {
  required_version = ">= 1.5"

  required_providers {
    random = { source = "hashicorp/random", version = "~> 3.6" }
  }
}
