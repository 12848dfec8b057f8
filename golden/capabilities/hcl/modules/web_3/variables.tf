variable "network" {
  type = string
}
