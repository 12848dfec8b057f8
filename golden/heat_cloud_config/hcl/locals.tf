# Made by hot2tf from input.yaml

locals {
  config = join("\n", ["#cloud-config", yamlencode({
    users = [
      {
        name        = var.user
        groups      = ["wheel"]
        lock_passwd = true
      },
    ]
    write_files = [
      {
        path    = "/etc/motd"
        content = <<-EOT
          Hello
          world
        EOT
      },
    ]
  })])

  script = <<-EOT
    #!/bin/sh
    echo done
  EOT
}
