# Made by hot2tf from input.yaml

# Servers whose image has the cfn tools.

resource "openstack_compute_instance_v2" "web" {
  name        = "${var.stack_name}-web"
  image_name  = "fedora-cfntools"
  flavor_name = "m1.small"

  # HOT508: cfn-init in the image of web reads its metadata from a file of the user data; a later change of it replaces the server.
  # HOT509: Nobody listens to cfn-hup of web: the command does nothing. Nobody restarts services or runs hooks after a change of the metadata.
  user_data = join("\n", ["#cloud-config-archive", yamlencode([
    {
      type    = "text/x-shellscript"
      content = <<-EOT
        #!/bin/sh -e
        /opt/aws/bin/cfn-init
        echo '* * * * * root /opt/aws/bin/cfn-hup -f' > /etc/cron.d/cfn-hup
      EOT
    },
    {
      type = "text/cloud-config"
      content = yamlencode({
        bootcmd = ["cfn-create-aws-symlinks || true"]
        write_files = [
          {
            path        = "/var/lib/heat-cfntools/cfn-init-data"
            permissions = "0600"
            content = jsonencode({
              "AWS::CloudFormation::Init" = {
                config = {
                  packages = {
                    yum = {
                      httpd = []
                    }
                  }
                  files = {
                    "/etc/motd" = { content = var.message, mode = "000644" }
                  }
                  services = {
                    systemd = {
                      httpd = { enabled = true, ensureRunning = true }
                    }
                  }
                }
              }
            })
          },
          {
            path        = "/opt/aws/bin/cfn-hup"
            permissions = "0755"
            content     = <<-EOT
              #!/bin/sh
              # Nobody listens to cfn-hup: it does nothing.
              exit 0
            EOT
          },
        ]
      })
    },
  ])])
}

# The files are known only when the stack is created.
resource "openstack_compute_instance_v2" "members" {
  count = 2

  name        = "${var.stack_name}-members-${count.index}"
  image_name  = "fedora-cfntools"
  flavor_name = "m1.small"

  # HOT508: cfn-init in the image of members reads its metadata from a file of the user data; a later change of it replaces the server.
  user_data = join("\n", ["#cloud-config-archive", yamlencode([
    {
      type = "text/x-shellscript"
      content = chomp(<<-EOT
        #!/bin/sh
        /usr/bin/cfn-init
      EOT
      )
    },
    {
      type = "text/cloud-config"
      content = yamlencode({
        bootcmd = ["cfn-create-aws-symlinks || true"]
        write_files = [
          {
            path        = "/var/lib/heat-cfntools/cfn-init-data"
            permissions = "0600"
            content = jsonencode({
              "AWS::CloudFormation::Init" = {
                config = { files = var.files }
              }
            })
          },
        ]
      })
    },
  ])])
}
