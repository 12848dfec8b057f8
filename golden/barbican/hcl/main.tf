# Made by hot2tf from input.yaml

resource "openstack_keymanager_secret_v1" "secret" {
  name                 = "password"
  secret_type          = "passphrase"
  payload              = var.password
  payload_content_type = "text/plain"
  expiration           = can(timeadd(var.until, "0s")) ? var.until : "${var.until}Z"
}

resource "openstack_keymanager_secret_v1" "key" {
  name                     = "key"
  bit_length               = 256
  algorithm                = "aes"
  mode                     = "cbc"
  secret_type              = "symmetric"
  payload                  = "c2VjcmV0"
  payload_content_type     = "application/octet-stream"
  payload_content_encoding = "base64"
  expiration               = "2040-01-31T12:00:00.500000Z"
}

# HOT450: kept in Heat: later.
# The provider always sends a payload, and Barbican rejects an empty one.
resource "openstack_orchestration_stack_v1" "later" {
  name             = "${var.stack_name}-later"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/later.yaml")
  }

  environment_opts = { Bin = "{}" }
}

resource "openstack_keymanager_order_v1" "pair" {
  type = "asymmetric"

  meta {
    algorithm            = "rsa"
    bit_length           = 2048
    expiration           = "2040-01-31T12:00:00Z"
    name                 = "pair"
    payload_content_type = "application/octet-stream"
  }
}

# HOT450: kept in Heat: protected_pair.
# The provider has no pass phrase for ordered key pairs.
resource "openstack_orchestration_stack_v1" "protected_pair" {
  name             = "${var.stack_name}-protected-pair"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/protected_pair.yaml")
  }

  environment_opts = { Bin = "{}" }
  parameters       = { password = var.password }

  # HOT453: Heat returns ****** for hidden parameters, and Terraform would send that with any change of
  # this stack. Before you change it, remove ignore_changes: then the values that are set here are sent.
  lifecycle {
    ignore_changes = [parameters["password"]]
  }
}

resource "openstack_keymanager_order_v1" "ordered_key" {
  type = "key"

  meta {
    algorithm  = "aes"
    bit_length = 256
    mode       = "cbc"
  }
}

# HOT450: kept in Heat: certificate_order.
# The provider rejects 'certificate' for type: it must be one of asymmetric, key.
resource "openstack_orchestration_stack_v1" "certificate_order" {
  name             = "${var.stack_name}-certificate-order"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/certificate_order.yaml")
  }

  environment_opts = { Bin = "{}" }
}

resource "openstack_keymanager_container_v1" "container" {
  name = "all of them"
  type = "generic"

  secret_refs {
    name       = "password"
    secret_ref = openstack_keymanager_secret_v1.secret.secret_ref
  }

  secret_refs {
    name       = "key"
    secret_ref = openstack_keymanager_order_v1.ordered_key.secret_ref
  }
}

resource "openstack_keymanager_container_v1" "rsa" {
  name = "rsa"
  type = "rsa"

  secret_refs {
    name       = "private_key"
    secret_ref = openstack_keymanager_secret_v1.key.secret_ref
  }

  secret_refs {
    name       = "private_key_passphrase"
    secret_ref = openstack_keymanager_secret_v1.secret.secret_ref
  }

  secret_refs {
    name       = "public_key"
    secret_ref = var.other_key
  }
}

resource "openstack_keymanager_container_v1" "certificate" {
  type = "certificate"

  secret_refs {
    name       = "certificate"
    secret_ref = var.other_key
  }

  secret_refs {
    name       = "private_key"
    secret_ref = openstack_keymanager_secret_v1.key.secret_ref
  }

  secret_refs {
    name       = "private_key_passphrase"
    secret_ref = openstack_keymanager_secret_v1.secret.secret_ref
  }

  dynamic "secret_refs" {
    for_each = local.chained ? [1] : []

    content {
      name       = "intermediates"
      secret_ref = openstack_keymanager_order_v1.ordered_key.secret_ref
    }
  }
}
