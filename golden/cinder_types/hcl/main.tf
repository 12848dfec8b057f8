# Made by hot2tf from input.yaml

resource "openstack_blockstorage_volume_type_v3" "gold" {
  name        = "gold"
  description = "Fast and dear"
  is_public   = false
  extra_specs = { volume_backend_name = "ssd", multiattach = "<is> True" }
}

resource "openstack_blockstorage_volume_type_access_v3" "gold_lab" {
  volume_type_id = openstack_blockstorage_volume_type_v3.gold.id
  project_id     = data.openstack_identity_project_v3.lab.id
}

resource "openstack_blockstorage_volume_type_access_v3" "gold_1" {
  volume_type_id = openstack_blockstorage_volume_type_v3.gold.id
  project_id     = "5d2a8a1c0f2e4f4b9b430b4c3e0a1d11"
}

resource "openstack_blockstorage_volume_type_v3" "silver" {
  name      = "silver"
  is_public = false
}

resource "openstack_blockstorage_volume_type_access_v3" "silver" {
  for_each = toset([
    for item in var.projects :
    can(regex(local.hex_id_pattern, item)) ? item : data.openstack_identity_project_v3.projects[item].id
  ])

  volume_type_id = openstack_blockstorage_volume_type_v3.silver.id
  project_id     = each.value
}

resource "openstack_blockstorage_volume_type_v3" "open" {
  count = local.fast ? 1 : 0

  name      = "open"
  is_public = true
}

# HOT450: kept in Heat: encryption.
# The provider has no resource for the encryption of a volume type.
resource "openstack_orchestration_stack_v1" "encryption" {
  name             = "${var.stack_name}-encryption"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/encryption.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    gold = openstack_blockstorage_volume_type_v3.gold.id
  }
}

resource "openstack_blockstorage_qos_v3" "limits" {
  name     = "limits"
  consumer = "front-end"
  specs    = { total_iops_sec = 1000 }
}

resource "openstack_blockstorage_qos_v3" "unnamed" {
  name     = "${var.stack_name}-unnamed"
  consumer = "back-end"
  specs    = { minIOPS = "100" }
}

resource "openstack_blockstorage_qos_association_v3" "association" {
  qos_id         = openstack_blockstorage_qos_v3.limits.id
  volume_type_id = openstack_blockstorage_volume_type_v3.gold.id
}

resource "openstack_blockstorage_qos_association_v3" "association_1" {
  qos_id         = openstack_blockstorage_qos_v3.limits.id
  volume_type_id = openstack_blockstorage_volume_type_v3.silver.id
}

resource "openstack_blockstorage_qos_association_v3" "association_2" {
  qos_id         = openstack_blockstorage_qos_v3.limits.id
  volume_type_id = "0f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60"
}

resource "openstack_blockstorage_volume_v3" "volume" {
  name        = "data"
  size        = 10
  volume_type = openstack_blockstorage_volume_type_v3.gold.name
}

resource "openstack_blockstorage_volume_v3" "chosen" {
  name = "other"
  size = 10

  volume_type = (local.fast
    ? openstack_blockstorage_volume_type_v3.silver.name
    : openstack_blockstorage_volume_type_v3.gold.name
  )
}

# HOT421: Heat resets the quota when it deletes this; Terraform leaves the quota unchanged.
resource "openstack_blockstorage_quotaset_v3" "quota" {
  project_id       = data.openstack_identity_project_v3.lab.id
  volumes          = 10
  snapshots        = 20
  gigabytes        = 500
  backups          = 3
  backup_gigabytes = 100
}
