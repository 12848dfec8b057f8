locals {
  others_names = ["0", "2"]
}
