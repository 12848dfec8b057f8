# Made by hot2tf from input.yaml

data "openstack_identity_project_v3" "lab" {
  name = "lab"
}

data "openstack_identity_project_v3" "projects" {
  for_each = toset([for item in var.projects : item if !can(regex(local.hex_id_pattern, item))])

  name = each.value
}
