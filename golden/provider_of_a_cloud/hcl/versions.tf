# Made by hot2tf from input.yaml

terraform {
  required_version = ">= 1.5"

  required_providers {
    opentelekomcloud = {
      source  = "opentelekomcloud/opentelekomcloud"
      version = ">= 1.36.0, < 2.0.0"
    }
  }
}
