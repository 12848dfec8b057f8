variable "wait_for" {
  description = "What the caller creates before anything here."
  type        = any
  default     = []
}
