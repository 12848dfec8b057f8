# Made by hot2tf from input.yaml

variable "floating_ip_addresses" {
  description = "Addresses of existing floating IPs, by ID; `openstack floating ip list -c ID -c 'Floating IP Address'` prints both."
  type        = map(string)
}

variable "web_access_ipv4" {
  description = "Attribute accessIPv4 of web, which Terraform cannot read; `openstack server show` prints it. Known only after the first apply: null until then."
  type        = string
  default     = null
}

variable "archive_size" {
  description = "Attribute size of archive, which Terraform cannot read; `openstack volume show` prints it."
  type        = string
}

variable "address_id" {
  type = string
}

variable "spare_ids" {
  type = list(string)
}

variable "server_id" {
  type = string
}

variable "port_id" {
  type = string
}

variable "standby" {
  type    = bool
  default = false
}
