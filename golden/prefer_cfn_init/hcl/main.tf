# Made by hot2tf from input.yaml

# A wiki that cfn-init sets up.

# About User, which is not written here:
#   Who the cfn tools were.
# HOT589: User (AWS::IAM::User) is left out: it is a stack user, who exists only in Heat, and nothing else needs it.

# HOT590: Heat waits for the signals of Ready; here, nobody does.
# Restarts what stops.
resource "openstack_compute_instance_v2" "wiki" {
  name        = "${var.stack_name}-Wiki"
  image_name  = "centos-stream-9"
  flavor_name = "m1.small"

  # HOT507: A script in the user data of Wiki does what cfn-init does with its metadata; a later change of it replaces the server.
  # HOT509: Nobody listens to cfn-hup of Wiki: the command does nothing. Nobody restarts services or runs hooks after a change of the metadata.
  # HOT599: /bin/true replaces cfn-signal: nobody listens.
  # HOT599: Nobody listens to Handle: file:///dev/null replaces its URL.
  # HOT510: The key Keys exists only in Heat, which nobody calls any more: unused replaces it.
  # HOT599: /bin/true replaces cfn-signal: nobody listens.
  # HOT599: Nobody listens to Handle: file:///dev/null replaces its URL.
  user_data = join("\n", ["#cloud-config-archive", yamlencode([
    {
      type    = "text/x-shellscript"
      content = <<-EOT
        #!/bin/bash
        fail() {
          /bin/true -e 1 -r "$1" 'file:///dev/null'
          exit 1
        }
        /opt/aws/bin/cfn-init -s ${var.stack_name} -r Wiki --access-key unused --secret-key unused || fail 'no wiki'
        crontab /srv/crontab
        /bin/true -e 0 'file:///dev/null'
      EOT
    },
    {
      type = "text/cloud-config"
      content = yamlencode({
        user = "ec2-user"
        write_files = [
          {
            path        = "/opt/aws/bin/cfn-init"
            permissions = "0755"
            content     = <<-EOT
              #!/bin/sh
              # Does what cfn-init does with the metadata of Wiki, without Heat.
              set -e
              say() { echo "cfn-init: $1" >&2; }
              command -v yum > /dev/null || yum() { dnf "$@"; }
              with_yum() { # PACKAGE...
                for package; do
                  rpm -q "$package" > /dev/null || yum -y install "$package" || say "$package is not installed"
                done
              }
              unpack() ( # URL DIRECTORY
                mkdir -p "$2"
                cd "$2" || exit 1
                case $1 in
                  *.tgz | *.tar.gz | http*github.com/*/tarball/*) curl -sSL "$1" | tar -xzf - ;;
                  *.tbz2 | *.tar.bz2) curl -sSL "$1" | tar -xjf - ;;
                  *.tar) curl -sSL "$1" | tar -xf - ;;
                  *.zip | http*github.com/*/zipball/*)
                    archive=$(mktemp)
                    curl -sSL -o "$archive" "$1" && unzip -o "$archive"
                    rm "$archive"
                    ;;
                  *.gz) curl -sSL "$1" | gunzip > "$(basename "$1" .gz)" ;;
                  *.bz2) curl -sSL "$1" | bunzip2 > "$(basename "$1" .bz2)" ;;
                  *) say "$1 is no archive" ;;
                esac
              )
              place() { # PATH MODE OWNER GROUP, from the staged copy
                mkdir -p "$(dirname "$1")"
                cat "$staged$1" > "$1"
                own "$@"
              }
              fetch() { # PATH MODE OWNER GROUP URL
                mkdir -p "$(dirname "$1")"
                curl -sSL -o "$1" "$5" || say "$5 cannot be read"
                [ -e "$1" ] || exit 1
                own "$@"
              }
              own() { # PATH MODE OWNER GROUP
                if [ "$3" ]; then chown "$3" "$1" || say "the owner of $1 is not $3"; fi
                if [ "$4" ]; then chgrp "$4" "$1" || say "the group of $1 is not $4"; fi
                if [ "$2" ]; then chmod "$2" "$1"; fi
              }
              command -v systemctl > /dev/null || systemctl() { # a system without systemd
                case $1 in
                  enable) chkconfig "$${2%.service}" on || update-rc.d "$${2%.service}" enable ;;
                  disable) chkconfig "$${2%.service}" off || update-rc.d "$${2%.service}" disable ;;
                  *) service "$${2%.service}" "$1" ;;
                esac
              }

              # packages
              with_yum httpd mariadb-server
              gem install --version 1.3.6 rack || say 'rack is not installed'
              # sources
              unpack '${replace(var.Mirror, "'", "'\\''")}' /srv/wiki || say '/srv/wiki is incomplete'
              { mkdir -p /srv/theme && curl -sSL https://mirror.example.org/theme.tar.gz | tar -xzf - -C /srv/theme; } || say '/srv/theme is incomplete'
              # groups
              groupadd wiki --gid 1500 || say 'wiki is not added'
              # users
              useradd wiki --uid 1500 --home /srv/wiki --groups wiki,apache --shell /sbin/nologin || say 'wiki is not added'
              # files
              staged=/var/lib/cfn-init
              place /etc/cfn/cfn-credentials 0400 root root
              place /srv/crontab '' '' ''
              place /srv/setup.sql 0600 '' ''
              fetch /etc/httpd/conf.d/wiki.conf 0644 root apache https://mirror.example.org/wiki.conf
              # commands, in the order of their names
              # 10_selinux
              setsebool -P httpd_can_network_connect 1 || say 'command 10_selinux failed, which it may'
              # 20_database
              (
                cd /srv || exit 0
                /bin/sh -c '! mysqlshow wiki' || exit 0
                /bin/sh -c 'mysql < /srv/setup.sql'
              )
              # 30_notice
              env -i DATABASE='${replace(var.Database, "'", "'\\''")}' /bin/sh -c 'echo "$DATABASE is ready" > /etc/motd'
              # services
              systemctl enable httpd.service || say 'httpd is not enabled'
              systemctl start httpd.service || say 'httpd is not started'
              systemctl disable firewalld.service || say 'firewalld is not disabled'
              systemctl stop firewalld.service || say 'firewalld is not stopped'
            EOT
          },
          {
            path        = "/var/lib/cfn-init/etc/cfn/cfn-credentials"
            permissions = "0600"
            content     = <<-EOT
              AWSAccessKeyId=unused
              AWSSecretKey=unused
            EOT
          },
          {
            path        = "/var/lib/cfn-init/srv/crontab"
            permissions = "0600"
            content     = <<-EOT
              * * * * * /opt/aws/bin/cfn-hup -f
            EOT
          },
          {
            path        = "/var/lib/cfn-init/srv/setup.sql"
            permissions = "0600"
            content     = <<-EOT
              CREATE DATABASE ${var.Database};
              GRANT ALL ON ${var.Database}.* TO 'wiki'@'localhost' IDENTIFIED BY '${var.Password}';
            EOT
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

# Only what the sets say.
# HOT506: the metadata is dropped, except for cfn-init: agents read it through Heat.
resource "openstack_compute_instance_v2" "second" {
  count = local.has_spare ? 1 : 0

  name        = "${var.stack_name}-Second"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  # HOT507: A script in the user data of Second does what cfn-init does with its metadata; a later change of it replaces the server.
  user_data = join("\n", ["#cloud-config-archive", yamlencode([
    {
      type    = "text/x-shellscript"
      content = <<-EOT
        #!/bin/sh -e
        cfn-init -c all
      EOT
    },
    {
      type = "text/cloud-config"
      content = yamlencode({
        write_files = [
          {
            path        = "/usr/local/bin/cfn-init"
            permissions = "0755"
            content     = <<-EOT
              #!/bin/sh
              # Does what cfn-init does with the metadata of Second, without Heat.
              set -e
              say() { echo "cfn-init: $1" >&2; }
              with_dpkg() { # URL
                archive=$(mktemp)
                { curl -sSL -o "$archive" "$1" && dpkg -i "$archive"; } || say "$1 is not installed"
                rm "$archive"
              }
              place() { # PATH MODE OWNER GROUP, from the staged copy
                mkdir -p "$(dirname "$1")"
                cat "$staged$1" > "$1"
                own "$@"
              }
              own() { # PATH MODE OWNER GROUP
                if [ "$3" ]; then chown "$3" "$1" || say "the owner of $1 is not $3"; fi
                if [ "$4" ]; then chgrp "$4" "$1" || say "the group of $1 is not $4"; fi
                if [ "$2" ]; then chmod "$2" "$1"; fi
              }
              command -v systemctl > /dev/null || systemctl() { # a system without systemd
                case $1 in
                  enable) chkconfig "$${2%.service}" on || update-rc.d "$${2%.service}" enable ;;
                  disable) chkconfig "$${2%.service}" off || update-rc.d "$${2%.service}" disable ;;
                  *) service "$${2%.service}" "$1" ;;
                esac
              }

              config_1_install() {
                # packages
                with_dpkg https://mirror.example.org/wiki.deb
                DEBIAN_FRONTEND=noninteractive apt-get -y install apache2 curl || say 'apt-get failed'
              }

              config_2_configure() {
                # files
                staged=/var/lib/cfn-init/configure_2
                place /etc/wiki/logo.png 0644 '' ''
                place /etc/wiki/settings.json '' '' ''
                place /etc/wiki/name '' '' ''
                mkdir -p /etc/wiki
                ln -sfn /srv/wiki /etc/wiki/current
                # services
                systemctl enable apache2.service || say 'apache2 is not enabled'
                systemctl restart apache2.service || say 'apache2 is not restarted'
              }

              sets=default
              while [ $# -gt 0 ]; do
                case $1 in
                  -c | --configsets)
                    sets=$${2-}
                    shift
                    ;;
                  --configsets=*) sets=$${1#*=} ;;
                esac
                shift
              done
              for name in $(echo "$sets" | tr ',' ' '); do
                case $name in
                  default)
                    config_1_install
                    ;;
                  all)
                    config_1_install
                    config_2_configure
                    ;;
                  *)
                    say "there is no config set $name"
                    exit 1
                    ;;
                esac
              done
            EOT
          },
          {
            path        = "/var/lib/cfn-init/configure_2/etc/wiki/logo.png"
            permissions = "0600"
            encoding    = "b64"
            content     = "iVBORw0KGgo="
          },
          {
            path        = "/var/lib/cfn-init/configure_2/etc/wiki/settings.json"
            permissions = "0600"
            content = jsonencode({
              database = var.Database
              ports    = [80, 443]
            })
          },
          {
            path        = "/var/lib/cfn-init/configure_2/etc/wiki/name"
            permissions = "0600"
            content     = <<-EOT
              ${var.Database}
            EOT
          },
        ]
      })
    },
  ])])

  depends_on = [openstack_compute_instance_v2.wiki]
}
