# Made by hot2tf from input.yaml

resource "terraform_data" "plain" {
  input = "test_string"
}

resource "terraform_data" "given" {
  input            = var.value
  triggers_replace = "1"
}

resource "time_sleep" "given" {
  create_duration  = "5s"
  destroy_duration = "5s"

  depends_on = [terraform_data.given]
}

# HOT401: update is dropped: Terraform waits only on create and destroy.
# HOT401: update_replace is dropped: terraform_data always changes in place.
# HOT401: client_name is dropped: Terraform does not look the value up in a service.
# HOT401: entity_name is dropped: Terraform does not look the value up in a service.
# HOT401: attr_wait_secs is dropped: Terraform does not wait when it reads an attribute.
resource "terraform_data" "other" {
  input = terraform_data.given.output
}

resource "time_sleep" "other" {
  create_duration  = "1.5s"
  destroy_duration = "3s"

  depends_on = [terraform_data.other]
}

resource "terraform_data" "number" {
  input = "7"
}

resource "terraform_data" "counted" {
  input = tostring(var.seconds)
}

resource "time_sleep" "counted" {
  create_duration  = "${var.seconds}s"
  destroy_duration = "${var.seconds}s"

  depends_on = [terraform_data.counted]
}

# HOT450: kept in Heat: failing.
# Only Heat can fail on purpose.
resource "openstack_orchestration_stack_v1" "failing" {
  name             = "${var.stack_name}-failing"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/failing.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: endless.
# Only Heat can wait forever.
resource "openstack_orchestration_stack_v1" "endless" {
  name             = "${var.stack_name}-endless"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/endless.yaml")
  }

  environment_opts = { Bin = "{}" }
}
